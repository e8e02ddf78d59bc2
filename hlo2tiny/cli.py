"""The command line: `hlo2tiny run`, `inspect`, `convert` and the other commands."""

from __future__ import annotations

import argparse
import io
import json
import os
import shlex
import sys
import tempfile
import threading
import traceback
import warnings
import zipfile
from collections import Counter
from collections.abc import Callable, Collection, Iterator, Sequence
from contextlib import ExitStack, contextmanager, nullcontext, suppress
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
from tqdm import tqdm

from . import cache
from .arguments import Argument, argument_of, calling_of, random_array
from .commands import bench, checking, conformance, optable, profiling
from .commands.comparison import difference
from .commands.conversion import convert, embed_weights, tensor_names, text_for_xla, unlike
from .commands.costs import cost_text
from .commands.derivation import request_of
from .commands.mapping import map_command
from .commands.quantisation import BITS
from .commands.serving import serve_command
from .commands.traces import trace_text
from .commands.viewing import graph_of, page_text, with_zeros
from .compiler import clang
from .errors import Error, InputError, NoNativeCode, UnsupportedOp, VerifyError, count_text, printable, printable_name
from .files import open_regular
from .formats import read
from .from_jax.partitioning import partition
from .interface import result_names
from .ir import DenseAttr, Module, Op, TensorType, TokenType, Type
from .ir.dtypes import NUMPY, expect_tensor, numpy_dtype, static_shape
from .ir.entry import HOW, default_entry, entry_function, public_functions
from .output import expect_writable, written
from .plan.text import plan_text
from .program import Program, custom_calls, load, name_arguments
from .specialise.specialise import computes_shapes, specialise
from .syntax.source import Stream, read_once
from .targets import MOST_THREADS, NotBuilt, targets_of, thread_count
from .targets.c.driver import Source
from .targets.c.folder import CTensor, expect_free, expect_no_host, folder_files, program_text, write_files
from .targets.c.linking import check_syntax
from .targets.c.native import constants, render_plan
from .targets.c.render import render_region
from .targets.c.systems import SYSTEMS, WEB, compiled_files, emitted_kinds, expect_addressable, expect_supported
from .timeout import late, limited, time_limit, unfinished
from .tinygrad.settings import lowering_settings
from .verify.asynchronous import with_collectives
from .verify.carried import with_regions
from .verify.problems import find_problems, support_table, type_problem
from .versions import __version__

EXAMPLES = """examples:
  hlo2tiny run model.mlir --random 0                        run on random numbers
  hlo2tiny run model.mlir --input x=x.npy --save out.npz    run on your arrays and save the results
  hlo2tiny run model.mlir --input inputs.npz --device CUDA  the archive has the inputs' names, or in0, in1, …
  hlo2tiny compile model.mlir -o folder                     write the program as C that stands alone
  hlo2tiny diff a.mlir b.mlirbc                             tell whether two files are the same program
  hlo2tiny inspect model.mlir                               show the signature, the ops and what cannot run
  hlo2tiny convert model.jax_exported model.mlir            write any format as text
  hlo2tiny bench model.mlir --vs-xla                        compare the speed with XLA's
  hlo2tiny bench model.mlir --profile model.html            show where the time goes, by step and by line
  hlo2tiny check model.mlir --vs-xla --bisect               find the first op whose numbers are not XLA's
  hlo2tiny ops                                              list the ops that are supported
  hlo2tiny cache info                                       tell how much compiled code is kept, and where
"""
PROGRAM = (
    "a program: MLIR text or bytecode, a file of jax.export, one of these compressed, or a folder of torch_xla;"
    " - is standard input"
)
DEVICE = "a tinygrad device: CPU, CUDA, METAL, CL, …"
SEVERAL = "several, with commas, for a program that was made for as many: CPU:0,CPU:1"
# A program written as C has memory for this many threads.
THREADS = 16
# The dtypes that the .npy format lacks, by name.
EXTENDED = {dtype.name: dtype for dtype in NUMPY.values() if dtype.isbuiltin != 1}
# How many numbers are summarised at a time.
PIECE = 1 << 20
# What the user called the programs from standard input and pipes, by the temporary file that holds each.
STREAMS: dict[str, str] = {}
# The commands that --timeout ends, and what they say then; those that do several things have a limit for each.
LIMITED = {"run": late, **dict.fromkeys(("compile", "partition", "diff", "inspect", "convert"), unfinished)}
SHOW_AFTER = 1.0  # seconds before a progress bar appears
Pairs = list[tuple[str, np.ndarray]]  # names and arrays


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line; the exit code is 0, 1 for an error about a file or a run, 2 for wrong usage."""
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
        with ExitStack() as streams:
            # Whoever writes a pipe may never begin, or never end.
            with time_limit(options.timeout, unfinished) if "timeout" in options else nullcontext():
                store_streams(options, streams)
            with time_limit(options.timeout, options.late) if "late" in options else nullcontext():
                return int(options.command(options))
    except (Error, NoNativeCode) as error:
        return fail(options, str(error))
    except OutputFailed as error:
        # A closed pipe is no error: its reader, such as head, has had enough.
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


def print_stderr(text: str) -> None:
    with suppress(OSError):
        if sys.stderr is not None:
            print(text, file=sys.stderr)


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


class OutputFailed(Exception):
    """Standard output cannot be written to."""


def name_streams(text: str) -> str:
    """A printable text in which temporary files have the names of the streams that they hold."""
    for file, name in STREAMS.items():
        text = text.replace(file, name)
    return printable(text)


def show(text: object, end: str = "\n") -> None:
    """Print text that may hold names from files. Commands print through this function only."""
    if sys.stdout is None:  # it was closed when the process began
        return
    try:
        print(name_streams(str(text)), end=end, flush=True)
    except OSError as error:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())  # for the text still in the buffer
        raise OutputFailed(error.strerror or str(error)) from error


def argument_parser() -> argparse.ArgumentParser:
    texts: dict[str, Any] = {"epilog": EXAMPLES, "formatter_class": argparse.RawDescriptionHelpFormatter}
    parser = argparse.ArgumentParser(
        prog="hlo2tiny", description="Run StableHLO programs on tinygrad, without JAX.", **texts
    )
    parser.add_argument("--version", action="version", version=f"hlo2tiny {__version__}")
    commands = parser.add_subparsers(required=True, metavar="COMMAND")

    def command(name: str, function: Callable[[argparse.Namespace], int], summary: str) -> Callable[..., object]:
        """Add a command; what is returned adds an argument to it."""
        sub = commands.add_parser(name, help=summary, description=summary, **texts)
        sub.set_defaults(command=function)
        sub.add_argument("--debug", action="store_true", help="show the traceback of an error")
        if name in LIMITED:
            sub.set_defaults(late=LIMITED[name])
            add_timeout(sub.add_argument, "it may take, as a file may hold a program that never ends")
        if name not in ("ops", "cache", "serve"):
            sub.add_argument("--entry", metavar="NAME", help="the function to call, if the file has several")
        return sub.add_argument

    def add_inputs(add: Callable[..., object], seed: int | None) -> None:
        text = "an input by name or number; or a FILE.npz that holds arrays by name or as in0, in1, …"
        add("--input", "--inputs", action="append", default=[], metavar="NAME=FILE.npy", help=text)
        add("--random", type=seed_number, default=seed, metavar="SEED", help="random numbers for the other inputs")
        add_shapes(add, "the shape of a random input, if the file leaves it open")

    def add_shapes(add: Callable[..., object], text: str) -> None:
        add("--shape", action="append", default=[], metavar="NAME=SIZE,SIZE", help=text)

    def add_running(add: Callable[..., object]) -> None:
        text = "how many threads a program on the CPU uses (default: one per core)"
        add("--threads", type=int, metavar="COUNT", help=text)
        text = "an input, by name or number, whose memory a result takes, such as a cache that the program updates"
        add("--donate", action="append", metavar="NAME", help=text)

    def add_timeout(add: Callable[..., object], what: str) -> None:
        add("--timeout", type=positive_seconds, default=300.0, metavar="S", help=f"how long {what} (default: 300)")

    def add_file(add: Callable[..., object], *names: str, **options: Any) -> None:
        add(*names, type=named_file, **options)

    add = command("run", run_command, "Run a program and summarise its results.")
    add_file(add, "file", help=PROGRAM)
    add_inputs(add, None)
    add("--device", help=f"{DEVICE}; {SEVERAL}")
    add(
        "--precision", default="default", help="of products of f32: default, or highest, which GPUs compute in f32, too"
    )
    add_running(add)
    add_file(add, "--weights", metavar="FILE.safetensors", help="other weights, whose names are those of arguments")
    add_file(add, "--save", metavar="OUT.npz", help="write the results to this file")

    add = command("view", view_command, "Write a page that draws a program as a graph, which one can fold and search.")
    add_file(add, "file", help=PROGRAM)
    add_file(add, "-o", "--output", metavar="PAGE.html", help="the page to write (default: FILE.html, in this folder)")
    add("--time", action="store_true", help="also run the program, and show the time of each op on the CPU")
    text = "also compare each op with XLA, which needs JAX, and show the differences in units in the last place"
    add("--vs-xla", action="store_true", help=text)
    add("--device", help=f"where it will run: CPU, which is the default; {SEVERAL}, to draw what each of them runs")
    add("--seconds", type=positive_seconds, default=1.0, metavar="S", help="with --time, how long to run (default: 1)")
    add_timeout(add, "loading, compiling or a run may take, as a loop may never end on made-up inputs")
    add_inputs(add, 0)

    add = command("compile", compile_command, "Write a program for browsers, in C, or as a library for any system.")
    add_file(add, "file", help=PROGRAM)
    add_file(add, "-o", "--output", required=True, metavar="DIR", help="the folder, which is made if it is missing")
    add_shapes(add, "the shape of an input, if the file leaves it open")
    systems = ", ".join(SYSTEMS)
    add("--target", default="native", help=f"where it will run: native, which is this system, web, {systems}")
    emit = "c, library, executable, or several of them; c for native, otherwise library and executable"
    add("--emit", metavar="KINDS", help=emit)
    add("--embed", action="store_true", help="put the weights into the code instead of a file beside it")

    add = command("partition", partition_command, "Write a program with shardings as one with explicit collectives.")
    add_file(add, "file", help=PROGRAM)
    text = "the text to write; OUT.mlir.json, next to it, says how to call the program"
    add_file(add, "-o", "--output", required=True, metavar="OUT.mlir", help=text)
    add("--devices", type=int, required=True, metavar="N", help="how many devices will run it; needs JAX")

    add = command("diff", diff_command, "Tell whether two files are the same program; the exit code is 1 if not.")
    add_file(add, "files", nargs=2, metavar="FILE", help="a program, in any format")

    add = command("inspect", inspect_command, "Show a program's signature, ops, constants and problems.")
    add_file(add, "file", help=PROGRAM)
    add("--plan", action="store_true", help="show the steps that run")
    text = "show how many operations, bytes and how much memory a call takes, by scope of the model and by op"
    add("--cost", action="store_true", help=text)
    add(
        "--device",
        help=f"where it will run: CPU, which is the default; {SEVERAL}, each of which has such a plan and cost",
    )
    add_shapes(add, "with --cost, the shape of an input, if the file leaves it open")

    add = command("convert", convert_command, "Write a program of any format as text.")
    add_file(add, "file", metavar="IN", help=PROGRAM)
    text = "the text to write; OUT.mlir.json, next to it, says how to call the program"
    add_file(add, "text", metavar="OUT.mlir", help=text)
    text = "put weights into the text: those of a file, by the names of arguments, or else the program's own"
    add_file(add, "--bake", nargs="?", const=True, metavar="WEIGHTS.safetensors", help=text)
    add_file(add, "--split", metavar="OUT.safetensors", help="move large constants to this file, next to the text")
    text = "write the weights of matrix products as narrow numbers with scales, and show the errors of the results"
    add("--quantize", choices=list(BITS), help=text)
    text = "how many numbers share a scale (default: all that are summed in int8, 64 in int4)"
    add("--group", type=int, metavar="COUNT", help=text)
    add("--grad", action="store_true", help="write the program of the results and of a result's gradients")
    add("--of", metavar="RESULT", help="with --grad, the result, by name or number (default: the only number)")
    text = "with --grad, the arguments, or arrays of them (default: the weights, or else the first argument)"
    add("--with-respect-to", nargs="+", metavar="NAME", help=text)
    text = "write the program of a training step, which takes and returns parameters and the optimiser's state"
    add("--optimiser", choices=("sgd", "momentum", "adamw"), help=text)
    add("--learning-rate", type=float, metavar="RATE", help="a constant (default: the step's last argument)")
    text = "another number of the optimiser: momentum; beta1, beta2, epsilon, weight_decay"
    add("--set", action="append", default=[], metavar="NAME=NUMBER", help=text)
    add_inputs(add, 0)

    add = command("bench", bench_command, "Measure what it costs to load, start and call programs.")
    add_file(add, "files", nargs="+", metavar="FILE", help=PROGRAM)
    add("--vs-xla", action="store_true", help="also measure XLA, and show the ratios to it; needs JAX")
    add("--vs-tinygrad", action="store_true", help="also measure tinygrad's own kernels, launched one by one")
    text = "CPU, which is the default, or CUDA, where arguments and results stay on the GPU"
    add("--device", help=f"{text}; {SEVERAL}")
    text = "how long each contender is called (default: 1)"
    add("--seconds", type=positive_seconds, default=1.0, metavar="S", help=text)
    text = "instead, show the time of each step and of each line of your source; also as a page (FILE.profile.html)"
    add_file(add, "--profile", nargs="?", const=True, metavar="OUT.html", help=text)
    text = "with --profile, write it as a trace, too, which https://perfetto.dev opens"
    add_file(add, "--trace", metavar="OUT.json", help=text)
    add("--json", action="store_true", help="print JSON instead of a table")
    add_timeout(add, "loading, compiling or a run may take, as a loop may never end on made-up inputs")
    add_inputs(add, 0)
    add_running(add)

    add = command("check", check_command, "Compare a program's results with those of a reference.")
    add_file(add, "file", help=PROGRAM)
    add_inputs(add, 0)
    add("--device", help=f"{DEVICE}; {SEVERAL}")
    text = "compare with XLA, which needs JAX; else with out0, out1, … of a FILE.npz, or with tinygrad's own kernels"
    add("--vs-xla", action="store_true", help=text)
    add("--bisect", action="store_true", help="name the first op that differs when given equal operands")
    text = "allowed units in the last place (default: half of the type's digits; with --bisect a quarter)"
    add("--tolerance", type=float, metavar="ULP", help=text)
    add_timeout(add, "loading, compiling or a run may take, as a loop may never end on made-up inputs")

    add = command("serve", serve_command, "Serve programs over HTTP and gRPC, by the Open Inference Protocol.")
    text = "a program, NAME=FILE, or a folder of programs or of NAME/VERSION folders, each with one"
    add("models", nargs="+", metavar="MODEL", help=text)
    add("--host", default="127.0.0.1", help="the address to listen at (default: 127.0.0.1, this machine only)")
    add("--port", type=int, default=8000, help="the port for HTTP (default: 8000; 0: any)")
    add("--grpc-port", type=int, default=8001, metavar="PORT", help="the port for gRPC (default: 8001; 0: any)")
    text = "how long a request waits for others, to run with them (default: 2ms)"
    add("--batch-window", default="2ms", metavar="TIME", help=text)
    text = "how many rows a batch has at most (default: 64; 1: no batches)"
    add("--max-batch", type=int, default=64, metavar="ROWS", help=text)
    text = "how many batches run at the same time; with --ray, how many replicas there are at most (default: 1)"
    add("--workers", type=int, default=1, metavar="N", help=text)
    text = "serve HTTP on Ray Serve: local starts Ray here; auto, or the address of a cluster, joins it"
    add("--ray", metavar="ADDRESS", help=text)
    text = "how many requests may wait for a model before more are refused by 503 (default: 1024)"
    add("--queue", type=int, default=1024, metavar="REQUESTS", help=text)
    text = "the size of the largest request, before it is refused by 413 (default: 64)"
    add("--max-request", type=int, default=64, metavar="MIB", help=text)
    text = "how much all requests have together, before more are refused by 503 (default: 512)"
    add("--max-bodies", type=int, default=512, metavar="MIB", help=text)
    add("--max-headers", type=int, default=64, metavar="KIB", help="how long headers may be (default: 64)")
    text = "how many connections there may be, of HTTP and of gRPC each (default: 512)"
    add("--max-connections", type=int, default=512, metavar="N", help=text)
    seconds: dict[str, Any] = {"type": positive_seconds, "metavar": "S"}
    add("--arrival-timeout", default=60.0, help="how long a request may take to arrive (default: 60)", **seconds)
    text = "how long it may take to be answered after that, before it gets 504 (default: 60)"
    add("--answer-timeout", default=60.0, help=text, **seconds)
    text = "how long a stopping server goes on with the requests that it has (default: 20)"
    add("--grace", default=20.0, help=text, **seconds)
    add_timeout(add, "loading all models, and compiling one, may take")
    add("--device", help=DEVICE)
    add("--log-requests", action="store_true", help="log every request, not only those that fail")

    add = command("map", partial(map_command, show=show), "Apply a program to the rows of Parquet files.")
    add_file(add, "file", help=PROGRAM)
    text = "Parquet files, here or on s3://…, with * and ? in the name"
    add_file(add, "--input", required=True, metavar="FILES", help=text)
    text = "the folder for the results; a run that was interrupted goes on where it was"
    add_file(add, "--output", required=True, metavar="DIR", help=text)
    text = "the column for an argument, if it has another name"
    add("--column", action="append", default=[], metavar="ARGUMENT=COLUMN", help=text)
    text = "a column to write beside the results (default: all that the program does not take)"
    add("--keep", action="append", metavar="COLUMN", help=text)
    add("--batch", type=int, default=64, metavar="ROWS", help="how many rows a call has at most (default: 64)")
    add("--cast", action="store_true", help="round numbers that the program's dtypes cannot hold exactly")
    add("--workers", type=int, default=1, metavar="N", help="how many processes, or actors of Ray (default: 1)")
    add_timeout(add, "loading the program, or a call of it, may take")
    add("--ray", metavar="ADDRESS", help="use Ray: local starts it here; auto, or the address of a cluster, joins it")
    add("--device", help=DEVICE)

    add = command("ops", ops_command, "List the ops, and whether each of them runs.")
    add("--conformance", action="store_true", help="count the cases of each test suite, by op and element type")
    add("--table", action="store_true", help="print the attributes, forms and traits of each op, in Markdown")

    add = command("cache", cache_command, "Show or remove the compiled code that is kept between runs.")
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


# ---------------------------------------------------------------- progress


@contextmanager
def waiting(label: str) -> Iterator[Callable[[int, int], None]]:
    """Show a progress bar after one second, on a terminal only. Yields what reports progress: report(done, total)."""
    done = threading.Event()
    counts = [0, 0]

    def report(finished: int, total: int) -> None:
        counts[:] = finished, total

    def draw() -> None:
        if done.wait(SHOW_AFTER):
            return
        with tqdm(desc=printable_name(label), leave=False, file=sys.stderr) as bar:
            while not done.wait(0.1):
                bar.n, bar.total = counts[0], counts[1] or None
                bar.bar_format = "{desc}: {n_fmt}/{total_fmt} |{bar}| {elapsed}" if counts[1] else "{desc}: {elapsed}"
                bar.refresh()

    thread = threading.Thread(target=draw, daemon=True)
    if sys.stderr is not None and sys.stderr.isatty():
        thread.start()
    try:
        yield report
    finally:
        done.set()
        if thread.ident is not None:
            thread.join()


def load_with_progress(path: str, options: argparse.Namespace, device: str | tuple[str, ...] | None) -> Program:
    how: dict[str, Any] = {name: getattr(options, name, None) for name in ("weights", "entry")}
    how |= running_options(options)
    how["precision"] = getattr(options, "precision", "default")
    with time_limit(options.timeout, unfinished):
        with waiting(f"loading {Path(path).name}"):
            program = load(Path(path), device, **how)
        with waiting("compiling") as report:
            program.compile(report)
    return program


def devices_of(text: str | None) -> str | tuple[str, ...] | None:
    """The devices of `--device`, as `load` takes them."""
    return tuple(text.split(",")) if text and "," in text else text


def processors_of(text: str | None) -> str | tuple[str, ...]:
    """The devices of a `--device` that names the CPU, or several of it."""
    devices = devices_of(text) or "CPU"
    if isinstance(devices, str) and devices.upper() != "CPU":
        raise InputError(f"--device {text}: expected CPU, or several, such as CPU:0,CPU:1")
    return devices


def running_options(options: argparse.Namespace) -> dict[str, Any]:
    """What `add_running` adds, as `load` takes it."""
    found: dict[str, Any] = {name: getattr(options, name, None) for name in ("threads", "donate")}
    if found["donate"] is not None:
        found["donate"] = [int(name) if name.isascii() and name.isdecimal() else name for name in found["donate"]]
    return {name: value for name, value in found.items() if value is not None}


# ---------------------------------------------------------------- run


def run_command(options: argparse.Namespace) -> int:
    if options.save is not None:
        expect_writable(options.save, "--save")
    program = load_with_progress(options.file, options, devices_of(options.device))
    inputs = gather_inputs(program.inputs, options)
    with waiting("running"):
        results = program.numpy_one_by_one(inputs)
    names = unlike(name_arguments(program.outputs, "out"))
    for name, array in zip(names, results):
        show(f"{printable_name(name)}: {array.dtype}{list(array.shape)} {summary(array)}")
    if options.save is not None:
        save(options.save, dict(zip(names, results)))
    return 0


def gather_inputs(
    arguments: Sequence[Argument], options: argparse.Namespace, pairs: Pairs | None = None
) -> list[np.ndarray]:
    """The arrays for a program's inputs, in order: those of `--input`, or of `pairs`, and random ones for the rest."""
    pairs = read_inputs(options) if pairs is None else pairs
    names = name_arguments(arguments, "in")
    arrays = {input_number(name, names): array for name, array in pairs}
    missing = [i for i in range(len(arguments)) if i not in arrays]
    if missing and options.random is None:
        lines = [f"  {printable_name(names[i])}: {arguments[i].layout}" for i in missing]
        count = count_text(len(missing), "input is", "inputs are")
        raise InputError("\n".join([f"{count} missing; use --input NAME=FILE.npy or --random SEED:", *lines]))
    generator = np.random.RandomState(options.random)
    shapes = known_shapes(arguments, names, options.shape, arrays)
    return [arrays[i] if i in arrays else random_array(shapes[i], a.dtype, generator) for i, a in enumerate(arguments)]


def known_shapes(
    arguments: Sequence[Argument], names: Sequence[str], sizes: Sequence[str], arrays: Collection[int] = ()
) -> dict[int, tuple[int, ...]]:
    """The shapes of the inputs that have no array, by number: the declared ones, or those of `--shape`."""
    shapes: dict[int, tuple[int, ...]] = {}
    for item in sizes:
        name, _, text = item.rpartition("=")
        numbers = [part.strip() for part in text.split(",") if part.strip()]
        if not name or not all(part.isascii() and part.isdecimal() and len(part) < 19 for part in numbers):
            raise InputError(f"--shape {item}: expected NAME=SIZE,SIZE,…")
        shapes[input_number(name, names)] = tuple(map(int, numbers))
    for i, argument in enumerate(arguments):
        known = tuple(d for d in argument.shape if d is not None)
        if i not in arrays and len(known) == len(argument.shape):
            shapes.setdefault(i, known)
        elif i not in arrays and i not in shapes:
            name = printable_name(names[i])
            raise InputError(f"the shape of input {name}: {argument.layout} is open; use --shape {name}=SIZE,SIZE,…")
    return shapes


def read_inputs(options: argparse.Namespace) -> Pairs:
    return [pair for item in options.input for pair in read_input(item)]


def read_input(item: str) -> Pairs:
    """The names and arrays of one `--input`: NAME=FILE.npy, or FILE.npz."""
    name, separator, path = item.rpartition("=")
    if not separator and not item.endswith(".npz"):
        raise InputError(f"--input {item}: expected NAME=FILE.npy or FILE.npz")
    try:
        with open(open_regular(path), "rb") as file:
            loaded = np.load(file, allow_pickle=False)
            if isinstance(loaded, np.ndarray):
                if not separator:
                    raise InputError(f"--input {item}: a single array needs a name: NAME={path}")
                return [(name, loaded)]
            if separator:
                raise InputError(f"--input {item}: {path} is an archive, whose arrays have names; leave out {name}=")
            return [restore_dtype(key, loaded[key]) for key in loaded.files]
    except FileNotFoundError as error:
        raise InputError(f"--input {item}: there is no file {path}") from error
    except InputError:
        raise
    except Exception as error:  # damaged headers and archives fail in many ways
        raise InputError(f"--input {item}: {path} is not a valid .npy or .npz file ({error})") from error


def restore_dtype(name: str, array: np.ndarray) -> tuple[str, np.ndarray]:
    """Undo what `save` does for dtypes that the .npy format lacks: the array's name and the array."""
    base, _, suffix = name.rpartition(".")
    dtype = EXTENDED.get(suffix)
    return (name, array) if not base or dtype is None or array.dtype != bits_of(dtype) else (base, array.view(dtype))


def bits_of(dtype: np.dtype) -> np.dtype:
    """The dtype of integers in which the bits of another dtype are saved."""
    return np.dtype(f"u{dtype.itemsize}")


def input_number(name: str, names: Sequence[str]) -> int:
    """The number of the input that a user calls by its name, its number or in0, in1, …"""
    for spelling in (name, as_utf8(name)):
        if spelling in names:
            return names.index(spelling)
    digits = name.removeprefix("in")
    if digits.isascii() and digits.isdecimal() and len(digits) < 10 and int(digits) < len(names):
        return int(digits)
    raise InputError(f"the program has no input {name!r}; it has {', '.join(map(printable_name, names))}")


def as_utf8(text: str) -> str:
    """A name from the command line, decoded as UTF-8 whatever the locale says."""
    try:
        return os.fsencode(text).decode("utf-8")
    except UnicodeError:
        return text


def summary(array: np.ndarray) -> str:
    """An array's range, mean, number of non-finite elements, and first elements."""
    if array.size == 0:
        return "empty"
    flat = array.reshape(-1)
    first = ", ".join(f"{x:.6g}" if array.dtype.kind in "fc" else str(x) for x in flat[:4])
    more = ", …" if array.size > 4 else ""
    if array.dtype.kind == "c":
        return f"[{first}{more}]"
    count, total, least, most = 0, 0.0, np.inf, -np.inf
    for start in range(0, flat.size, PIECE):
        numbers = flat[start : start + PIECE].astype(np.float64)
        finite = numbers[np.isfinite(numbers)]
        if finite.size:
            count, total = count + finite.size, total + float(finite.mean()) * finite.size
            least, most = min(least, float(np.min(finite))), max(most, float(np.max(finite)))
    odd = f" non-finite {flat.size - count}" if count < flat.size else ""
    if count == 0:
        return f"[{first}{more}]{odd}"
    return f"min {least:.6g} max {most:.6g} mean {total / count:.6g}{odd} [{first}{more}]"


def save(path: str, arrays: dict[str, np.ndarray]) -> None:
    """Write a .npz archive, whole or not at all. Dtypes that the format lacks are saved as their bits."""
    with written(path) as file, zipfile.ZipFile(file, "w") as archive:
        for name, array in arrays.items():
            key = printable_name(name)
            if array.dtype.isbuiltin != 1:
                key, array = f"{key}.{array.dtype.name}", array.view(bits_of(array.dtype))
            # numpy.savez cannot write an array that is named "file".
            with archive.open(f"{key}.npy", "w", force_zip64=True) as entry:
                np.lib.format.write_array(entry, array, allow_pickle=False)


# ---------------------------------------------------------------- check


def check_command(options: argparse.Namespace) -> int:
    """Compare a program's results with a reference; the exit code is 0 if they agree."""
    if options.tolerance is not None and not options.tolerance >= 0:
        raise InputError(f"--tolerance {options.tolerance}: expected a number of units in the last place, 0 or more")
    warnings.simplefilter("error", NoNativeCode)

    devices = devices_of(options.device)
    program = load_with_progress(options.file, options, devices)
    pairs = read_inputs(options)
    recorded = {name: array for name, array in pairs if is_result(name, program)}
    pairs = [(name, array) for name, array in pairs if name not in recorded]
    if isinstance(devices, tuple) and (options.vs_xla or options.bisect or not recorded):
        raise InputError(
            "a program for several devices is compared with recorded results only: --input FILE.npz with out0, out1, …"
        )
    inputs = gather_inputs(program.inputs, options, pairs)
    with time_limit(options.timeout, unfinished):
        module, arrays = program.static_module(inputs), program.all_arrays(inputs)
    names = name_arguments(program.outputs, "out")
    with ExitStack() as stack:
        reference = limited(checking.tinygrad(), options.timeout)
        if options.vs_xla:
            reference = stack.enter_context(checking.xla(options.timeout))
        title = "XLA" if options.vs_xla else "tinygrad's own kernels"
        if recorded and not options.vs_xla:
            title = "the recorded results"
            keys = [name if name in recorded else f"out{i}" for i, name in enumerate(names)]
            if not set(keys) <= set(recorded):
                raise InputError(
                    f"the files have the results {', '.join(recorded)}, the program has {', '.join(names)}"
                )
            expected = [recorded[key] for key in keys]
        else:
            with waiting(f"running {title}"):
                expected = list(reference(module, arrays))
        show(f"compared with {title}:")
        agree = True
        results = limited(program.numpy_one_by_one, options.timeout)(inputs)
        for name, ours, theirs in zip(map(printable_name, names), results, expected):
            layout = f"{ours.dtype}{list(ours.shape)}"
            if (ours.dtype, ours.shape) != (theirs.dtype, theirs.shape):
                agree = False
                show(f"{name}: {layout}, expected {theirs.dtype}{list(theirs.shape)}")
                continue
            allowed = checking.half_of_the_digits(ours.dtype) if options.tolerance is None else options.tolerance
            difference = checking.compare(ours, theirs, allowed, checking.largest(theirs))
            agree = agree and not difference.beyond
            show(f"{name}: {layout} differs by {difference}")
        if options.bisect:
            search = checking.Search(
                limited(checking.ours(options.device), options.timeout), reference, options.tolerance
            )
            with waiting("comparing op by op"):
                first = search.first(module, arrays)
            show("no op differs" if first is None else str(first))
            agree = agree and first is None
    return int(not agree)


def is_result(name: str, program: Program) -> bool:
    """Whether an array of this name is a recorded result rather than an input."""
    results = {*name_arguments(program.outputs, "out"), *(f"out{i}" for i in range(len(program.outputs)))}
    return name in results and name not in name_arguments(program.inputs, "in")


# ---------------------------------------------------------------- compile


def compile_command(options: argparse.Namespace) -> int:
    kinds = emitted_kinds(options.target, options.emit)
    folder = Path(options.output)
    expect_free(folder, ["program.json" if options.target == WEB else "model.h"])
    if options.target == WEB:
        return compile_for_web(options, folder)
    with waiting(f"reading {Path(options.file).name}"):
        module = embed_weights(Path(options.file), options.entry).module
    with waiting("planning"):
        program = Program(module, "CPU")
        shapes = known_shapes(program.inputs, name_arguments(program.inputs, "in"), options.shape)
        plan = program.plan_for([shapes[i] for i in range(len(program.inputs))])
    expect_no_host(plan)
    expect_supported(options.target, plan, kinds)
    with waiting("rendering") as report:
        source = render_plan(plan, "CPU", report, THREADS)
    if kinds == ("c",):
        with waiting("checking"):
            expect_valid(source)
    types = [plan.main.types[n] for n in (*range(len(program.inputs)), *plan.main.outputs)]
    tensors = [CTensor(a.name, expect_tensor(t)) for a, t in zip((*program.inputs, *program.outputs), types)]
    n, arrays = len(program.inputs), constants(plan)
    memory = source.arena + sum(t.size for t in tensors) + sum(array.nbytes for array in arrays)
    expect_addressable(options.target, memory)
    files = folder_files(plan, source, arrays, tensors[:n], tensors[n:], options.embed)
    with waiting(f"compiling for {options.target}"):
        made = compiled_files(options.target, kinds, files, options.embed)
    show_sizes(write_files(folder, made))
    if "c" in kinds and options.target == "native":
        show(f"build and run it: make -C {shlex.quote(options.output)} && {shlex.quote(options.output)}/model --help")
    return 0


def compile_for_web(options: argparse.Namespace, folder: Path) -> int:
    if options.embed:
        raise InputError("--embed: a page reads the weights from a file, so that it can show how much has arrived")
    from .commands.web import write_web  # its targets take a while to import

    with waiting("compiling for web") as report:
        shapes_of = partial(known_shapes, sizes=options.shape)
        files = write_web(Path(options.file), folder, options.entry, shapes_of, report)
    show_sizes(files)
    show(f"look at it: python -m http.server -d {shlex.quote(options.output)}, then http://localhost:8000")
    return 0


def expect_valid(source: Source) -> None:
    """Check that a program's C compiles, if there is a compiler; raises UnsupportedOp if the compiler rejects it."""
    with suppress(InputError):
        clang()
        try:
            check_syntax(program_text(source))
        except NotBuilt as error:
            reason = str(error).partition("\n")[0]
            raise UnsupportedOp(f"the C of this program does not compile, a bug in hlo2tiny: {reason}") from error


def partition_command(options: argparse.Namespace) -> int:
    if not 2 <= options.devices <= MOST_THREADS:
        raise InputError(f"--devices {options.devices}: expected 2 to {MOST_THREADS}")
    expect_writable(options.output, "-o")
    with waiting("partitioning"):
        partition(Path(options.file), options.output, options.devices, options.entry)
    return 0


# ---------------------------------------------------------------- inspect, ops


def inspect_command(options: argparse.Namespace) -> int:
    devices = processors_of(options.device)
    several = devices if isinstance(devices, tuple) else ()
    with waiting(f"reading {Path(options.file).name}"):
        path = Path(options.file)
        artifact = read(path, "CPU", options.entry if path.is_dir() else None)
        public = public_functions(artifact.module)
        if options.entry is not None:
            artifact = read(path, "CPU", options.entry)
    if len(public) > 1:
        show_list("functions:", [f"@{function.name}{function.type}" for function in public])
        if options.entry is None and default_entry(artifact.module) is None:
            raise InputError(f"{options.file}: it is not clear which of these functions to call: {HOW}")
    module, signature = artifact.module, artifact.signature
    entry = entry_function(module)
    inputs = describe_tensors(tensor_names(artifact), entry.type.inputs, signature.dimensions)
    outputs = describe_tensors(result_names(entry), entry.type.results, signature.output_dimensions)
    passed = [text for i, text in enumerate(inputs) if i not in signature.bound]
    if several:
        program = load(path, several, entry=options.entry)
        passed, outputs = list(map(str, program.inputs)), list(map(str, program.outputs))
    show_list("inputs:", [f"{number} {text}" for number, text in enumerate(passed)])
    if signature.bound:
        weights = [f"{inputs[i]}, in {printable_name(stored.path)}" for i, stored in signature.bound.items()]
        show_list("weights:", weights)
    show_list("outputs:", [f"{number} {text}" for number, text in enumerate(outputs)])
    if signature.inputs is not None:
        show(f"call: {calling_of(signature, tensor_names(artifact), len(outputs))}")
    counts = Counter(op.name for op in module.walk())
    show(f"ops: {sum(counts.values())} in {count_text(len(module.functions), 'function')}")
    for name, count in counts.most_common():
        show(f"  {count:6d} {printable_name(name)}")
    show(f"constants: {constant_bytes(module)} bytes")
    problems = [] if several else find_problems(with_collectives(with_regions(module)), custom_calls())
    for problem in problems:
        show(problem)
    if problems:
        show(f"the program cannot run: {count_text(len(problems), 'problem')}")
        return 1
    show("every op has a rule")
    if not several and (options.cost or options.plan):
        program = Program(module, "CPU")
    if options.cost:
        show(describe_cost(program, options.shape))
    if options.plan:
        module = program.module
        entry = entry_function(module)
        if not computes_shapes(module):
            show(describe_plan(module, entry.name, several))
        elif any(isinstance(t, TensorType) and None in t.shape for t in entry.type.inputs):
            show("the plan depends on the arguments' shapes, which the file leaves open")
        else:
            show(describe_plan(specialise(module, entry.name, entry.type.inputs), entry.name))
    return 0


def view_command(options: argparse.Namespace) -> int:
    page = options.output or f"{Path(options.file).stem}.html"
    expect_writable(page, "--output")
    devices = processors_of(options.device)
    if isinstance(devices, tuple) and (options.time or options.vs_xla):
        raise InputError(f"--device {options.device}: --time and --vs-xla need one device; omit them")
    with waiting(f"loading {Path(options.file).name}"), time_limit(options.timeout, unfinished):
        try:
            program = load(Path(options.file), devices, entry=options.entry)
        except (VerifyError, UnsupportedOp):
            module = read(Path(options.file), "CPU", options.entry).module
            if options.time or options.vs_xla or (complete := with_zeros(module)) is module:
                raise
            program = load(str(complete).encode("utf-8", "surrogateescape"), devices, entry=options.entry)
    seconds: dict[int, float] = {}
    errors: dict[Op, float] = {}
    if options.time or options.vs_xla:
        arrays = gather_inputs(program.inputs, options)
        with time_limit(options.timeout, unfinished):
            module = program.static_module(arrays)
        if options.time:
            with time_limit(options.timeout + options.seconds):
                seconds = profiling.profile(program, arrays, options.seconds)["ops"]
        if options.vs_xla:
            with checking.xla(options.timeout) as reference:
                search = checking.Search(limited(checking.ours("CPU"), options.timeout), reference)
                errors = search.compare_ops(module, program.all_arrays(arrays))
    else:
        shapes = known_shapes(program.inputs, name_arguments(program.inputs, "in"), options.shape)
        with time_limit(options.timeout, unfinished):
            module = program.shaped_module([shapes[i] for i in range(len(shapes))] if options.shape else None)
    with time_limit(options.timeout, unfinished):
        text = page_text(Path(options.file).name, graph_of(module, seconds, errors))
    with written(page) as file:
        file.write(text.encode("utf-8"))
    show(f"the page is {page}")
    return 0


def show_list(title: str, lines: Sequence[str]) -> None:
    show("\n  ".join([title, *lines]))


def describe_tensors(names: Sequence[str], types: Sequence[Type], dimensions: Sequence[Sequence[str]]) -> list[str]:
    """Arguments or results, except for tokens, as text."""
    kinds = [kind for kind in types if not isinstance(kind, TokenType)]
    known = dimensions if len(dimensions) == len(kinds) else [()] * len(kinds)
    return [
        str(argument_of(name, kind, sizes))
        if isinstance(kind, TensorType) and not type_problem(kind)
        else f"{printable_name(name)}: {kind}"
        for name, kind, sizes in zip(names, kinds, known)
    ]


def describe_cost(program: Program, sizes: Sequence[str]) -> str:
    shapes = known_shapes(program.inputs, name_arguments(program.inputs, "in"), sizes)
    return cost_text(program.cost([shapes[i] for i in range(len(shapes))] if sizes else None))


def describe_plan(module: Module, entry: str, devices: tuple[str, ...] = ()) -> str:
    """The text of the plan for the CPU, with its kernels and the size of its arena."""
    with lowering_settings("CPU"):
        plan = targets_of("CPU")[0].plan(module, entry, devices=devices)
    with waiting("rendering kernels") as progress:
        source = render_plan(plan, "CPU", progress, thread_count())
    kernels = {step.key: render_region(step, "CPU").names for step in plan.kernels()}
    return f"{plan_text(plan, kernels)}\narena: {source.arena:,} bytes"


def constant_bytes(module: Module) -> int:
    """How many bytes the constants of a module take; a splat counts as one element."""
    total = 0
    for op in module.walk():
        value = op.attributes.get("value")
        if isinstance(value, DenseAttr):
            size = 1 if value.splat else int(np.prod(static_shape(value.type)))
            total += size * numpy_dtype(value.type.element).itemsize
    return total


# ---------------------------------------------------------------- convert


def convert_command(options: argparse.Namespace) -> int:
    if options.text.endswith(".safetensors"):
        raise InputError(f"{options.text}: expected the name of the text to write, OUT.mlir")
    if options.quantize is None and options.group is not None:
        raise InputError("--group needs --quantize")
    request = request_of(options)
    bake, quantize = options.bake or False, options.quantize
    if quantize is not None:
        options.weights = bake if isinstance(bake, str) else None
        program = load_with_progress(options.file, options, "CPU")
        inputs = gather_inputs(program.inputs, options)
        expected = program.numpy_one_by_one(inputs)
    with waiting(f"converting {Path(options.file).name}"):
        how = {"split": options.split, "entry": options.entry, "quantize": quantize, "group": options.group}
        how |= {"request": request, "shapes_of": partial(known_shapes, sizes=options.shape)}
        files = convert(Path(options.file), Path(options.text), bake=bake, **how)
    show_sizes(files)
    if quantize is not None:
        options.weights = options.entry = None
        found = load_with_progress(options.text, options, "CPU").numpy_one_by_one(inputs)
        for name, a, b in zip(unlike(name_arguments(program.outputs, "out")), found, expected):
            show(f"{printable_name(name)}: {error_text(a, b)}")
    return 0


def error_text(found: np.ndarray, expected: np.ndarray) -> str:
    """The largest and the mean difference of two arrays, beside the largest number."""
    if not expected.size:
        return "empty"
    wide: Any = np.complex128 if expected.dtype.kind == "c" else np.float64
    a, b = found.astype(wide), expected.astype(wide)
    with np.errstate(all="ignore"):
        errors = np.where(a == b, 0, np.abs(a - b))
    return f"largest error {errors.max():.3g}, mean error {errors.mean():.3g}, of numbers up to {np.abs(b).max():.3g}"


def show_sizes(files: Sequence[Path]) -> None:
    for path in files:
        show(f"{path}: {path.stat().st_size:,} bytes")


# ---------------------------------------------------------------- diff


def diff_command(options: argparse.Namespace) -> int:
    left, right = options.files
    with waiting(f"parsing {Path(left).name} and {Path(right).name}"):
        first = difference(*(embed_weights(file, options.entry).module for file in (left, right)))
    show(f"{left} and {right} differ: {first}" if first else f"{left} and {right} are the same program")
    return int(first is not None)


# ---------------------------------------------------------------- bench


def bench_command(options: argparse.Namespace) -> int:
    if options.profile is not None:
        return profile_command(options)
    if options.trace is not None:
        raise InputError("--trace writes what --profile measures, so give both")
    if "," in (options.device or "") and (options.vs_xla or options.vs_tinygrad):
        raise InputError(f"--device {options.device}: --vs-xla and --vs-tinygrad need one device; omit them")
    names, device = bench.others(options.vs_xla, options.vs_tinygrad), bench.expect_device(options.device)
    how = running_options(options)
    arguments_of = limited(arguments_for_bench, options.timeout, unfinished)
    programs = [(Path(file), arguments_of(Path(file), options, device)) for file in options.files]
    measured = []
    for path, arguments in programs:
        arrays = gather_inputs(arguments, options)
        with tempfile.TemporaryDirectory(prefix="hlo2tiny-bench-") as folder:
            file = path
            with time_limit(options.timeout, unfinished):
                if options.entry is not None:  # contenders run @main
                    file = Path(folder) / f"{path.stem}.{options.entry.removeprefix('@')}.mlir"
                    convert(path, file, bake=True, entry=options.entry)
                files = {bench.XLA: text_for_xla(file, Path(folder))} if options.vs_xla else {}
            measured.append(
                bench.measure(
                    file, arrays, names, options.seconds, options.timeout, files=files, options=how, device=device
                )
            )
        if not options.json:
            show(bench.table(str(path), measured[-1]))
    means = bench.geometric_means(measured) if len(measured) > 1 else {}
    overhead = bench.call_overhead(names, options.seconds, device)
    if options.json:
        rows = [{"file": str(path)} | figures for (path, _), figures in zip(programs, measured)]
        show(json.dumps({"programs": rows, "geometric_means": means, "call_overhead": overhead}, indent=1))
    else:
        if means:
            show(bench.means_table(means))
        times = ", ".join(f"{name} {bench.duration(value)}" for name, value in overhead.items())
        show(f"a call of one operation, numpy in and out: {times}")
    return int(any(figures["failed"] for figures in measured))


def profile_command(options: argparse.Namespace) -> int:
    warnings.simplefilter("error", NoNativeCode)
    page = f"{Path(options.files[0]).stem}.profile.html" if options.profile is True else options.profile
    if page.endswith(".mlir"):
        raise InputError(
            f"--profile {page}: expected the name of a page to write; put the program's file before --profile"
        )
    if "," in (options.device or ""):
        raise InputError(f"--device {options.device}: --profile measures programs on one device")
    if len(options.files) > 1 or options.vs_xla or options.vs_tinygrad:
        raise InputError("--profile measures one file, and cannot be combined with --vs-xla or --vs-tinygrad")
    expect_writable(page, "--profile")
    if options.trace is not None:
        expect_writable(options.trace, "--trace")
    program = load_with_progress(options.files[0], options, bench.expect_device(options.device))
    arrays = gather_inputs(program.inputs, options)
    with time_limit(options.timeout + options.seconds):
        figures = profiling.profile(program, arrays, options.seconds, options.threads)
    show(json.dumps(figures, indent=1) if options.json else profiling.profile_text(options.files[0], figures))
    with written(page) as file:
        file.write(profiling.profile_page(options.files[0], figures).encode("utf-8"))
    if options.trace is not None:
        with written(options.trace) as file:
            file.write(trace_text(options.files[0], figures).encode("utf-8"))
    if not options.json:
        show(f"the page is {page}")
        if options.trace is not None:
            show(f"the trace is {options.trace}: open it at https://ui.perfetto.dev")
    return 0


def arguments_for_bench(path: Path, options: argparse.Namespace, device: str) -> Sequence[Argument]:
    """The inputs of a program, once it has been verified."""
    several = devices_of(device)
    if isinstance(several, tuple):
        return load(path, several, entry=options.entry).inputs
    program = Program(embed_weights(path, options.entry).module, device)
    if options.vs_xla and any(None in argument.shape for argument in program.inputs):
        raise InputError(f"{path}: the file leaves shapes open, which --vs-xla does not support; omit it")
    return program.inputs


def cache_command(options: argparse.Namespace) -> int:
    folder = cache.folder()
    if folder is None:
        show("nothing is kept: HLO2TINY_CACHE is off, or others may write to the cache folder")
    elif options.action == "clear":
        count, size = cache.clear()
        show(f"removed {count_text(count, 'entry', 'entries')} ({size:,} bytes) from {folder}")
    else:
        sizes = [size for _, size, _ in cache.entries(folder)]
        count, size = len(sizes), sum(sizes)
        show(f"{count_text(count, 'entry', 'entries')}, {size:,} bytes of at most {cache.BOUND:,}, in {folder}")
    return 0


def ops_command(options: argparse.Namespace) -> int:
    if options.conformance:
        show(conformance.table(conformance.load()))
        return 0
    if options.table:
        show(optable.page())
        return 0
    table = support_table()
    for name, state in table:
        show(f"{state:8}{name}")
    specified = [state for name, state in table if name.startswith(("stablehlo.", "chlo."))]
    counts = Counter(specified)
    show(f"{counts['yes']} of {len(specified)} ops of StableHLO and CHLO run, {counts['refused']} are refused by name")
    return 0
