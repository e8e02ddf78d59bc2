"""The command line: `hlo2tiny run`, `inspect`, `convert` and the other commands, each in a module of `commands`."""

from __future__ import annotations

import argparse
import io
import os
import sys
import tempfile
import threading
import traceback
import warnings
from collections.abc import Callable, Sequence
from contextlib import ExitStack, nullcontext, suppress
from importlib import import_module
from pathlib import Path
from typing import Any

from .commands.terminal import STREAMS, OutputFailed, name_streams, print_stderr, show
from .errors import Error, NoNativeCode, printable
from .syntax.source import Stream, read_once
from .timeout import late, time_limit, unfinished
from .versions import __version__

EXAMPLES = """examples:
  hlo2tiny run model.mlir --random 0                        run on random numbers
  hlo2tiny run model.mlir --input x=x.npy --save out.npz    run on your arrays and save the results
  hlo2tiny run model.mlir --input inputs.npz --device CUDA  arrays named as the inputs, or in0, in1, …
  hlo2tiny compile model.mlir -o folder                     write the program as standalone C
  hlo2tiny diff a.mlir b.mlirbc                             tell whether two files are the same program
  hlo2tiny inspect model.mlir                               show the signature, the ops and what cannot run
  hlo2tiny convert model.jax_exported model.mlir            write any format as text
  hlo2tiny bench model.mlir --vs-xla                        compare the speed with XLA's
  hlo2tiny bench model.mlir --profile model.html            show where the time goes, by step and by line
  hlo2tiny check model.mlir --vs-xla --bisect               find the first op whose numbers are not XLA's
  hlo2tiny ops                                              list the ops that are supported
  hlo2tiny cache info                                       show how much compiled code is kept, and where
"""
PROGRAM = (
    "a program: MLIR text or bytecode, a file of jax.export, one of these compressed, or a folder of torch_xla;"
    " - is standard input"
)
DEVICE = "a tinygrad device: CPU, CUDA, METAL, CL, …"
SEVERAL = "several, separated by commas, for a program exported for that many: CPU:0,CPU:1"
# Where `compile` can write programs for, how `convert` can write weights, and what it can train with; a test compares
# them with the tables.
SYSTEMS = """
    x86_64-linux aarch64-linux x86_64-windows aarch64-macos x86_64-macos aarch64-ios aarch64-android wasm32-wasi
    bare-arm bare-riscv32
""".split()
QUANTIZED = ("int8", "int4")
OPTIMISERS = ("sgd", "momentum", "adamw")
# The commands that --timeout ends, and their messages then; those that do several things have a limit for each.
LIMITED = {"run": late, **dict.fromkeys(("compile", "partition", "diff", "inspect", "convert"), unfinished)}


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line; the exit code is 0, 1 for an error about a file or a run, 2 for incorrect usage."""
    prepare_streams()
    try:
        options = argument_parser().parse_args(arguments)
    except SystemExit:  # after --help, whose reader may have had enough
        with suppress(OutputFailed):
            show("", end="")
        raise
    with warnings.catch_warnings():
        # numpy warns when a number of the model overflows, which is not news here.
        warnings.simplefilter("ignore", RuntimeWarning)
        warnings.simplefilter("always", NoNativeCode)
        warnings.showwarning = show_warning
        return run_with(options)


def run_with(options: argparse.Namespace) -> int:
    """Run a command and return its exit code; an error is one line."""
    try:
        # Only now: parsing needs nothing that commands need.
        command: Callable[[argparse.Namespace], int] = import_module(f".commands.{options.command}", __package__).run
        with ExitStack() as streams:
            # The writer of a pipe may never begin, or never end.
            with time_limit(options.timeout, unfinished) if "timeout" in options else nullcontext():
                store_streams(options, streams)
            with time_limit(options.timeout, options.late) if "late" in options else nullcontext():
                return command(options)
    except (Error, NoNativeCode) as error:
        return fail(options, str(error))
    except OutputFailed as error:
        # A closed pipe is not an error: its reader, such as head, has had enough.
        return 1 if isinstance(error.__cause__, BrokenPipeError) else fail(options, f"standard output: {error}")
    except OSError as error:
        return fail(options, f"{error.filename}: {error.strerror}" if error.filename else str(error.strerror or error))
    except MemoryError as error:
        return fail(options, f"this needs more memory than the machine has{f': {error}' if str(error) else ''}")
    except KeyboardInterrupt:
        if options.debug:
            print_stderr(traceback.format_exc())
        raise
    except Exception as error:  # a bug in hlo2tiny
        return fail(options, f"internal error: {type(error).__name__}: {error} (--debug shows where)")


def store_streams(options: argparse.Namespace, cleanup: ExitStack) -> None:
    """Copy programs from standard input ("-") or a pipe to files, since a command may read its file several times."""
    STREAMS.clear()

    def store_stream(path: str) -> str:
        stream = read_once(path if path == "-" else Path(path))
        if not isinstance(stream, Stream):
            return path
        if stream.name not in STREAMS.values():
            folder = cleanup.enter_context(tempfile.TemporaryDirectory(prefix="hlo2tiny-"))
            file = Path(folder) / f"{Path(stream.name).name.strip('<>')}.mlir"
            file.write_bytes(stream.data)
            STREAMS[str(file)] = stream.name
        return next(file for file, name in STREAMS.items() if name == stream.name)

    if "file" in options:
        options.file = store_stream(options.file)
    if "files" in options:
        options.files = list(map(store_stream, options.files))


def fail(options: argparse.Namespace, message: str) -> int:
    details = traceback.format_exc() if options.debug else ""
    print_stderr(f"{details}hlo2tiny: error: {name_streams(message)}")
    return 1


def show_warning(message: Warning | str, *_: object, **__: object) -> None:
    print_stderr(f"hlo2tiny: warning: {printable(str(message))}")


def prepare_streams() -> None:
    """Print UTF-8 in every locale, unless PYTHONIOENCODING asks for something else."""
    # Otherwise a file that is opened later would take the number of a standard stream that is closed.
    while (number := os.open(os.devnull, os.O_RDWR)) < 3:
        pass
    os.close(number)
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            encoding = None if os.environ.get("PYTHONIOENCODING") else "utf-8"
            stream.reconfigure(encoding=encoding, errors="backslashreplace")


def argument_parser() -> argparse.ArgumentParser:
    texts: dict[str, Any] = {"epilog": EXAMPLES, "formatter_class": argparse.RawDescriptionHelpFormatter}
    parser = argparse.ArgumentParser(
        prog="hlo2tiny", description="Run StableHLO programs on tinygrad, without JAX.", **texts
    )
    parser.add_argument("--version", action="version", version=f"hlo2tiny {__version__}")
    commands = parser.add_subparsers(required=True, metavar="COMMAND")

    def command(name: str, summary: str, file: bool = True) -> Callable[..., object]:
        """Add a command, which a module of `commands` carries out; return the function that adds its arguments."""
        sub = commands.add_parser(name, help=summary, description=summary, **texts)
        sub.set_defaults(command=name)
        sub.add_argument("--debug", action="store_true", help="show the traceback of an error")
        if name in LIMITED:
            sub.set_defaults(late=LIMITED[name])
            add_timeout(sub.add_argument, "it may")
        if name not in ("ops", "cache", "serve"):
            sub.add_argument("--entry", metavar="NAME", help="the function to call, if the file has several")
        if file:
            add_file(sub.add_argument, "file", metavar="IN" if name == "convert" else None, help=PROGRAM)
        return sub.add_argument

    def add_inputs(add: Callable[..., object], seed: int | None) -> None:
        text = "an input by name or number; or a FILE.npz that holds arrays by name or as in0, in1, …"
        add("--input", "--inputs", action="append", default=[], metavar="NAME=FILE.npy", help=text)
        add("--random", type=seed_number, default=seed, metavar="SEED", help="random numbers for the other inputs")
        add_shapes(add, "the shape of a random input, if the file leaves it open")

    def add_shapes(add: Callable[..., object], text: str) -> None:
        add("--shape", action="append", default=[], metavar="NAME=SIZE,SIZE", help=text)

    def add_handlers(add: Callable[..., object]) -> None:
        text = "a library of compiled custom-call handlers, written for XLA's FFI, or one handler by name; embedded:"
        text += " the kernels for NVIDIA GPUs that the file contains, if you trust it"
        add("--ffi", action="append", metavar="LIBRARY|NAME=LIBRARY:SYMBOL", help=text)

    def add_running(add: Callable[..., object]) -> None:
        text = "how many threads a program on the CPU uses (default: one per core)"
        add("--threads", type=int, metavar="COUNT", help=text)
        text = "an input, by name or number, whose memory a result may reuse, such as a cache that the program updates"
        add("--donate", action="append", metavar="NAME", help=text)
        add_batch_invariant(add)

    def add_batch_invariant(add: Callable[..., object]) -> None:
        text = "give each row of a batch the bits that it has alone, on the CPU or CUDA"
        add("--batch-invariant", action="store_true", help=text)

    def add_timeout(
        add: Callable[..., object],
        what: str = "loading, compiling or a run may",
    ) -> None:
        add("--timeout", type=positive_seconds, default=300.0, metavar="S", help=f"how long {what} take (default: 300)")

    def add_precision(add: Callable[..., object]) -> None:
        what = "the precision of f32 products: default, or highest, which is full f32 on GPUs, too"
        add("--precision", default="default", help=what)

    def add_file(add: Callable[..., object], *names: str, **options: Any) -> None:
        add(*names, type=named_file, **options)

    add = command("run", "Run a program and summarise its results.")
    add_inputs(add, None)
    add("--device", help=f"{DEVICE}; {SEVERAL}")
    add_precision(add)
    add_running(add)
    add_handlers(add)
    add_file(add, "--weights", metavar="FILE.safetensors", help="other weights, named as the arguments are")
    add_file(add, "--save", metavar="OUT.npz", help="write the results to this file")

    add = command("view", "Write a page that draws a program as a graph to fold, unfold and search.")
    add_file(add, "-o", "--output", metavar="PAGE.html", help="the page to write (default: FILE.html, in this folder)")
    add("--time", action="store_true", help="also run the program, and show the time of each op on the CPU")
    add_handlers(add)
    text = "also compare each op with XLA, which needs JAX, and show the differences in units in the last place"
    add("--vs-xla", action="store_true", help=text)
    add("--device", help=f"where it will run: CPU (the default); {SEVERAL}, to draw what each of them runs")
    add("--seconds", type=positive_seconds, default=1.0, metavar="S", help="with --time, how long to run (default: 1)")
    add_timeout(add)
    add_inputs(add, 0)

    add = command("compile", "Write a program for browsers, in C, or as a library for any system.")
    add_file(add, "-o", "--output", required=True, metavar="DIR", help="the folder, which is created if it is missing")
    text = "the shape of an input that the file leaves open, or the sizes of a dimension: b=1,64 compiles for both"
    add_shapes(add, text)
    text = (
        "the largest size of a dimension that stays open: memory for it is allocated beforehand, and sizes of it that"
    )
    text += " --shape gives have code of their own"
    add("--most", action="append", default=[], metavar="NAME=SIZE", help=text)
    add(
        "--target",
        default="native",
        help=f"where it will run: native (this system), web, cuda, {', '.join(SYSTEMS)}",
    )
    kinds = "for cuda: the architectures of the GPUs, such as sm_90, or several: sm_80,sm_90,sm_100"
    add("--arch", metavar="KINDS", help=kinds)
    add_precision(add)
    emit = "c, library, executable, or several of them; c for native, otherwise library and executable"
    add("--emit", metavar="KINDS", help=emit)
    add("--embed", action="store_true", help="put the weights into the code instead of a file beside it")
    add_batch_invariant(add)
    add_handlers(add)

    add = command("partition", "Turn a program with shardings into one with explicit collectives.")
    text = "the text to write; OUT.mlir.json, next to it, says how to call the program"
    add_file(add, "-o", "--output", required=True, metavar="OUT.mlir", help=text)
    add("--devices", type=int, required=True, metavar="N", help="how many devices will run it; needs JAX")

    add = command("diff", "Tell whether two files are the same program; the exit code is 1 if not.", file=False)
    add_file(add, "files", nargs=2, metavar="FILE", help="a program, in any format")

    add = command("inspect", "Show a program's signature, ops, constants and problems.")
    add("--plan", action="store_true", help="show the steps that run")
    text = "show the operations, bytes and memory that a call takes, by scope of the model and by op"
    add("--cost", action="store_true", help=text)
    add(
        "--device",
        help=f"where it will run: CPU (the default); {SEVERAL}, to show the plan and cost of each",
    )
    add_shapes(add, "with --cost, the shape of an input, if the file leaves it open")
    add_handlers(add)

    add = command("convert", "Write a program of any format as text.")
    text = "the text to write; OUT.mlir.json, next to it, says how to call the program"
    add_file(add, "text", metavar="OUT.mlir", help=text)
    text = "put weights into the text: those of a file, matched by argument name, or else the program's own"
    add_file(add, "--bake", nargs="?", const=True, metavar="WEIGHTS.safetensors", help=text)
    add_file(add, "--split", metavar="OUT.safetensors", help="move large constants to this file, next to the text")
    text = "write the weights of matrix products as narrow numbers with scales, and show how far the results are off"
    add("--quantize", choices=QUANTIZED, help=text)
    text = "how many numbers share a scale (default: the whole column in int8, 64 in int4)"
    add("--group", type=int, metavar="COUNT", help=text)
    add("--grad", action="store_true", help="write a program that returns the results and the gradients of one of them")
    add("--of", metavar="RESULT", help="with --grad, the result, by name or number (default: the only scalar)")
    text = "with --grad, the arguments, or arrays in them (default: the weights, or else the first argument)"
    add("--with-respect-to", nargs="+", metavar="NAME", help=text)
    text = "write a training step, which takes and returns the parameters and the optimiser's state"
    add("--optimiser", choices=OPTIMISERS, help=text)
    add("--learning-rate", type=float, metavar="RATE", help="a constant (default: the step's last argument)")
    text = "another hyperparameter of the optimiser: momentum; beta1, beta2, epsilon, weight_decay"
    add("--set", action="append", default=[], metavar="NAME=NUMBER", help=text)
    add_inputs(add, 0)

    add = command("bench", "Measure what it costs to load, start and call programs.", file=False)
    add_file(add, "files", nargs="+", metavar="FILE", help=PROGRAM)
    add("--vs-xla", action="store_true", help="also measure XLA, and show the ratios to it; needs JAX")
    add("--vs-tinygrad", action="store_true", help="also measure tinygrad's own kernels, launched one by one")
    text = "CPU (the default) or CUDA, where arguments and results stay on the GPU"
    add("--device", help=f"{text}; {SEVERAL}")
    text = "how long to keep calling each contender (default: 1)"
    add("--seconds", type=positive_seconds, default=1.0, metavar="S", help=text)
    text = "instead, show the time of each step and of each line of your source; also as a page (FILE.profile.html)"
    add_file(add, "--profile", nargs="?", const=True, metavar="OUT.html", help=text)
    text = "with --profile, also write a trace, for https://perfetto.dev"
    add_file(add, "--trace", metavar="OUT.json", help=text)
    add_handlers(add)
    add("--json", action="store_true", help="print JSON instead of a table")
    add_timeout(add)
    add_inputs(add, 0)
    add_running(add)

    add = command("check", "Compare a program's results with those of a reference.")
    add_inputs(add, 0)
    add("--device", help=f"{DEVICE}; {SEVERAL}")
    text = "compare with XLA, which needs JAX; else with out0, out1, … of a FILE.npz, or with tinygrad's own kernels"
    add("--vs-xla", action="store_true", help=text)
    add("--bisect", action="store_true", help="name the first op that differs when given equal operands")
    add_handlers(add)
    text = "allowed units in the last place (default: half of the type's digits; with --bisect a quarter)"
    add("--tolerance", type=float, metavar="ULP", help=text)
    add_timeout(add)

    add = command("serve", "Serve programs over HTTP and gRPC with the Open Inference Protocol.", file=False)
    text = "a program, NAME=FILE, or a folder of programs or of NAME/VERSION folders with one program each"
    add("models", nargs="+", metavar="MODEL", help=text)
    add("--host", default="127.0.0.1", help="the address to listen on (default: 127.0.0.1, this machine only)")
    add("--port", type=int, default=8000, help="the port for HTTP (default: 8000; 0: any)")
    add("--grpc-port", type=int, default=8001, metavar="PORT", help="the port for gRPC (default: 8001; 0: any)")
    text = "how long a request waits for others to join its batch (default: 2ms)"
    add("--batch-window", default="2ms", metavar="TIME", help=text)
    text = "the most rows in a batch (default: 64; 1: no batches)"
    add("--max-batch", type=int, default=64, metavar="ROWS", help=text)
    text = "how many batches run at the same time; with --ray, the most replicas (default: 1)"
    add("--workers", type=int, default=1, metavar="N", help=text)
    text = "serve HTTP on Ray Serve: local starts Ray here; auto, or the address of a cluster, joins it"
    add("--ray", metavar="ADDRESS", help=text)
    text = "how many requests may wait for a model; more get 503 (default: 1024)"
    add("--queue", type=int, default=1024, metavar="REQUESTS", help=text)
    text = "the size of the largest request; larger ones get 413 (default: 64)"
    add("--max-request", type=int, default=64, metavar="MIB", help=text)
    text = "the total size of the requests in progress; more get 503 (default: 512)"
    add("--max-bodies", type=int, default=512, metavar="MIB", help=text)
    add("--max-headers", type=int, default=64, metavar="KIB", help="the size of the largest headers (default: 64)")
    text = "the most connections for HTTP, and for gRPC (default: 512)"
    add("--max-connections", type=int, default=512, metavar="N", help=text)
    seconds: dict[str, Any] = {"type": positive_seconds, "metavar": "S"}
    add("--arrival-timeout", default=60.0, help="how long a request may take to arrive (default: 60)", **seconds)
    text = "how long the answer may take after that, before it is 504 (default: 60)"
    add("--answer-timeout", default=60.0, help=text, **seconds)
    text = "how long a server that is stopping keeps answering the requests it has (default: 20)"
    add("--grace", default=20.0, help=text, **seconds)
    add_timeout(add, "loading all models, or compiling one, may")
    add("--device", help=DEVICE)
    add_batch_invariant(add)
    add_handlers(add)
    add("--log-requests", action="store_true", help="log every request, not only those that fail")

    add = command("map", "Apply a program to the rows of Parquet files.")
    text = "Parquet files, here or on s3://…, with * and ? in the name"
    add_file(add, "--input", required=True, metavar="FILES", help=text)
    text = "the folder for the results; an interrupted run resumes where it stopped"
    add_file(add, "--output", required=True, metavar="DIR", help=text)
    text = "the column for an argument, if their names differ"
    add("--column", action="append", default=[], metavar="ARGUMENT=COLUMN", help=text)
    text = "a column to keep beside the results (default: all that the program does not take)"
    add("--keep", action="append", metavar="COLUMN", help=text)
    add("--batch", type=int, default=64, metavar="ROWS", help="the most rows in one call (default: 64)")
    add("--cast", action="store_true", help="round numbers that the program's dtypes cannot hold exactly")
    add("--workers", type=int, default=1, metavar="N", help="how many processes, or actors of Ray (default: 1)")
    add_timeout(add, "loading the program, or one call of it, may")
    add_handlers(add)
    add("--ray", metavar="ADDRESS", help="use Ray: local starts it here; auto, or the address of a cluster, joins it")
    add("--device", help=DEVICE)

    add = command("ops", "List the ops, and whether each of them runs.", file=False)
    add("--conformance", action="store_true", help="count the cases of each test suite, by op and element type")
    add("--table", action="store_true", help="print the attributes, forms and traits of each op, in Markdown")

    add = command("cache", "Show or remove the compiled code that is kept between runs.", file=False)
    add("action", choices=["info", "clear"], help="show how much there is, or remove it")
    return parser


def named_file(text: str) -> str:
    """The path of a file. An empty one would mean the current folder."""
    if not text:
        raise argparse.ArgumentTypeError("expected the path of a file, found ''")
    return text


def seed_number(text: str) -> int:
    """A seed for numpy's generator."""
    if not (text.isascii() and text.isdecimal() and int(text) < 1 << 32):
        raise argparse.ArgumentTypeError(f"expected an integer from 0 to {(1 << 32) - 1}, found {text!r}")
    return int(text)


def positive_seconds(text: str) -> float:
    with suppress(ValueError):
        if 0 < float(text) < threading.TIMEOUT_MAX:
            return float(text)
    raise argparse.ArgumentTypeError(f"expected a number of seconds above 0, found {text!r}")
