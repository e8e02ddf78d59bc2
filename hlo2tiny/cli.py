"""The command line: `hlo2tiny run`, `compile`, `inspect`, `convert`, `diff`, `bench`, `ops`, `cache`."""

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
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from typing import Any

import numpy as np
from tqdm import tqdm

from . import cache
from .arguments import Argument, argument_of, calling_of
from .commands import bench, checking, conformance, profiling
from .commands.comparison import difference
from .commands.conversion import convert, self_contained, tensor_names, text_for_xla, unlike
from .compiler import clang
from .errors import Error, InputError, NoNativeCode, UnsupportedOp, printable, printable_name
from .formats import read
from .interface import result_names
from .ir import DenseAttr, Module, TensorType, TokenType, Type
from .ir.dtypes import NUMPY, expect_tensor, numpy_dtype, static_shape
from .ir.entry import HOW, default_entry, entry_function, public_functions
from .output import expect_writable, written
from .plan import build
from .plan.lowering import lowering
from .plan.text import plan_text
from .program import Program, custom_calls, load, named
from .specialise.specialise import computes_shapes, specialise
from .syntax.source import Stream, read_once
from .targets import NotBuilt, target_of
from .targets.c.code import thread_count
from .targets.c.driver import Source
from .targets.c.folder import CTensor, expect_no_host, program_text, write_folder
from .targets.c.linking import check_syntax
from .targets.c.native import constants, rendered
from .targets.c.render import render_region
from .verify.problems import find_problems, support_table, type_problem
from .verify.unwrap import unwrap
from .versions import __version__

EXAMPLES = """examples:
  hlo2tiny run model.mlir --random 0                      run on random numbers
  hlo2tiny run model.mlir --input x=x.npy --save out.npz   run on your arrays, keep the results
  hlo2tiny run model.mlir --input inputs.npz --device CUDA arrays by the inputs' names, or in0, in1, …
  hlo2tiny compile model.mlir -o folder                   the program as C that stands alone
  hlo2tiny diff a.mlir b.mlirbc                           whether two files are the same program
  hlo2tiny inspect model.mlir                             signature, ops, what has no rule
  hlo2tiny convert model.jax_exported model.mlir          any format as text
  hlo2tiny bench model.mlir --vs-xla                      what it costs, beside XLA
  hlo2tiny bench model.mlir --profile model.html          where its time goes, by step and by line
  hlo2tiny check model.mlir --vs-xla --bisect             the first op that gives other numbers than XLA
  hlo2tiny ops                                            which ops are supported
  hlo2tiny cache info                                     how much compiled code is kept, and where
"""
PROGRAM = (
    "a program: MLIR text or bytecode, a file of jax.export, a folder of torch_xla, or one of them compressed; - is"
    " standard input"
)
# For how many threads a compiled program has memory.
THREADS = 16
# The types that numpy's format lacks, by name.
EXTENDED = {dtype.name: dtype for dtype in NUMPY.values() if dtype.isbuiltin != 1}
# Numbers that are summarised at a time.
PIECE = 1 << 20
# The files of programs from standard input and pipes, and what these are called.
STREAMS: dict[str, str] = {}
SHOW_AFTER = 1.0  # seconds before a progress bar appears


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
        # A number that overflows in a model is not news to the command line's user.
        warnings.simplefilter("ignore", RuntimeWarning)
        warnings.simplefilter("always", NoNativeCode)
        warnings.showwarning = show_warning
        return run_with(options)


def run_with(options: argparse.Namespace) -> int:
    """A command's exit code; what ends it is said in one line."""
    try:
        with ExitStack() as streams:
            store_streams(options, streams)
            return int(options.command(options))
    except (Error, NoNativeCode) as error:
        return fail(options, str(error))
    except OutputFailed as error:
        # Whoever reads, such as head, has enough.
        return 1 if isinstance(error.__cause__, BrokenPipeError) else fail(options, f"standard output: {error}")
    except OSError as error:
        return fail(options, f"{error.filename}: {error.strerror}" if error.filename else str(error.strerror or error))
    except MemoryError as error:
        return fail(options, f"this needs more memory than the machine gives{f': {error}' if str(error) else ''}")
    except KeyboardInterrupt:
        return fail(options, "interrupted")
    except Exception as error:  # a bug of ours: still one line, with the way to more
        return fail(options, f"internal error: {type(error).__name__}: {error} (--debug shows where)")


def store_streams(options: argparse.Namespace, held: ExitStack) -> None:
    """Put programs that come from standard input, "-", or a pipe into files: commands may read a file several times."""
    STREAMS.clear()

    def stored(path: str) -> str:
        found = read_once(path if path == "-" else Path(path))
        if not isinstance(found, Stream):
            return path
        if found.name not in STREAMS.values():
            folder = held.enter_context(tempfile.TemporaryDirectory(prefix="hlo2tiny-"))
            file = Path(folder) / f"{Path(found.name).name.strip('<>')}.mlir"
            file.write_bytes(found.data)
            STREAMS[str(file)] = found.name
        return next(file for file, name in STREAMS.items() if name == found.name)

    if "file" in options:
        options.file = stored(options.file)
    if "files" in options:
        options.files = list(map(stored, options.files))


def fail(options: argparse.Namespace, message: str) -> int:
    with suppress(OSError):
        if sys.stderr is not None:
            if options.debug:
                traceback.print_exc()
            print(f"hlo2tiny: error: {as_given(message)}", file=sys.stderr)
    return 1


def show_warning(message: Warning | str, *_: object, **__: object) -> None:
    with suppress(OSError):
        if sys.stderr is not None:
            print(f"hlo2tiny: warning: {printable(str(message))}", file=sys.stderr)


def prepare_streams() -> None:
    """Print UTF-8 in every locale, unless PYTHONIOENCODING asks for something else."""
    # No file that is opened later gets the number of a standard stream that is closed.
    while (number := os.open(os.devnull, os.O_RDWR)) < 3:
        pass
    os.close(number)
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            encoding = None if os.environ.get("PYTHONIOENCODING") else "utf-8"
            stream.reconfigure(encoding=encoding, errors="backslashreplace")


class OutputFailed(Exception):
    """Standard output does not take what is printed."""


def as_given(text: str) -> str:
    """A text to print, with the names that the user gave programs from standard input and pipes."""
    for file, name in STREAMS.items():
        text = text.replace(file, name)
    return printable(text)


def show(text: object, end: str = "\n") -> None:
    """Print a line, or several. All that commands print goes through here: names in it come from files."""
    if sys.stdout is None:  # closed when the process began
        return
    try:
        print(as_given(str(text)), end=end, flush=True)
    except OSError as error:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())  # for what is held back until the process ends
        raise OutputFailed(error.strerror or str(error)) from error


def argument_parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="hlo2tiny",
        description="Run StableHLO programs on tinygrad, without JAX.",
        epilog=EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--version", action="version", version=f"hlo2tiny {__version__}")
    commands = parser.add_subparsers(required=True, metavar="COMMAND")

    def command(name: str, function: Callable[[argparse.Namespace], int], summary: str) -> argparse.ArgumentParser:
        sub = commands.add_parser(
            name,
            help=summary,
            description=summary,
            epilog=EXAMPLES,
            formatter_class=argparse.RawDescriptionHelpFormatter,
        )
        sub.set_defaults(command=function)
        sub.add_argument("--debug", action="store_true", help="show the traceback of an error")
        if name not in ("ops", "cache"):
            sub.add_argument("--entry", metavar="NAME", help="the function to call, of a file with several")
        return sub

    def takes_inputs(sub: argparse.ArgumentParser, seed: int | None) -> None:
        sub.add_argument(
            "--input",
            "--inputs",
            action="append",
            default=[],
            metavar="NAME=FILE.npy",
            help="an input by name or number; or a FILE.npz with arrays by name or as in0, in1, …",
        )
        sub.add_argument(
            "--random", type=seed_number, default=seed, metavar="SEED", help="random numbers for the inputs not given"
        )
        sub.add_argument(
            "--shape",
            action="append",
            default=[],
            metavar="NAME=SIZE,SIZE",
            help="the shape of a random input whose shape the file leaves open",
        )

    run = command("run", run_command, "Run a program and summarise its results.")
    run.add_argument("file", type=named_file, help=PROGRAM)
    takes_inputs(run, None)
    run.add_argument("--device", help="a tinygrad device: CPU, CUDA, METAL, CL, …")
    run.add_argument(
        "--weights", type=named_file, metavar="FILE.safetensors", help="other weights, by the names of arguments"
    )
    run.add_argument("--save", type=named_file, metavar="OUT.npz", help="write the results")

    compile = command("compile", compile_command, "Write a program as C, with its weights and a Makefile.")
    compile.add_argument("file", type=named_file, help=PROGRAM)
    compile.add_argument(
        "-o", "--output", type=named_file, required=True, metavar="DIR", help="the folder; it is made if it is missing"
    )
    compile.add_argument(
        "--shape",
        action="append",
        default=[],
        metavar="NAME=SIZE,SIZE",
        help="the shape of an input whose shape the file leaves open",
    )

    diff = command("diff", diff_command, "Say whether two files are the same program; the exit code is 1 if not.")
    diff.add_argument("files", type=named_file, nargs=2, metavar="FILE", help="a program, in any format")

    inspect = command("inspect", inspect_command, "Show a program's signature, ops, constants and missing rules.")
    inspect.add_argument("file", type=named_file, help=PROGRAM)
    inspect.add_argument("--plan", action="store_true", help="show the steps that run")

    converted = command("convert", convert_command, "Write a program of any format as text.")
    converted.add_argument("file", type=named_file, metavar="IN", help=PROGRAM)
    converted.add_argument(
        "text", type=named_file, metavar="OUT.mlir", help="the text; OUT.mlir.json says how it is called"
    )
    converted.add_argument(
        "--bake",
        nargs="?",
        const=True,
        type=named_file,
        metavar="WEIGHTS.safetensors",
        help="put weights into the text, by the names of arguments; without a file those that the program comes with",
    )
    converted.add_argument(
        "--split",
        type=named_file,
        metavar="OUT.safetensors",
        help="take large constants out, into a file beside the text",
    )

    measured = command("bench", bench_command, "Measure on the CPU what programs cost: to load, to start and to call.")
    measured.add_argument("files", type=named_file, nargs="+", metavar="FILE", help=PROGRAM)
    measured.add_argument("--vs-xla", action="store_true", help="XLA's figures and the ratios to them; needs JAX")
    measured.add_argument(
        "--vs-tinygrad", action="store_true", help="likewise with tinygrad's own kernels, launched one by one"
    )
    measured.add_argument(
        "--seconds", type=float, default=1.0, metavar="S", help="for how long each calls a program (default 1)"
    )
    measured.add_argument(
        "--profile",
        nargs="?",
        const=True,
        type=named_file,
        metavar="OUT.html",
        help="instead: what each step and each line of the user's source takes, also as a page (FILE.profile.html)",
    )
    measured.add_argument("--json", action="store_true", help="print JSON instead of a table")
    takes_inputs(measured, 0)

    checked = command("check", check_command, "Compare a program's results with a reference.")
    checked.add_argument("file", type=named_file, help="a .mlir file")
    takes_inputs(checked, 0)
    checked.add_argument("--device", help="a tinygrad device: CPU, CUDA, METAL, CL, …")
    checked.add_argument(
        "--vs-xla",
        action="store_true",
        help="with XLA, which needs JAX; else with the results out0, out1, … in FILE.npz, or tinygrad's own kernels",
    )
    checked.add_argument("--bisect", action="store_true", help="name the first op that differs, given equal operands")
    checked.add_argument(
        "--tolerance",
        type=float,
        metavar="ULP",
        help="units in the last place that are allowed (default: half of a type's digits; for --bisect a quarter)",
    )

    ops = command("ops", ops_command, "Print the table of ops and whether each has a rule.")
    ops.add_argument(
        "--conformance", action="store_true", help="by op and element type, how many cases of which test suite pass"
    )
    kept = command("cache", cache_command, "Show or remove the compiled code that is kept between runs.")
    kept.add_argument("action", choices=["info", "clear"], help="show how much there is, or remove it")
    return parser


def named_file(text: str) -> str:
    """The path of a file, which "" is not: it would be the folder here."""
    if not text:
        raise argparse.ArgumentTypeError("expected the path of a file, found ''")
    return text


def seed_number(text: str) -> int:
    """A seed of numpy's generator."""
    if not (text.isascii() and text.isdecimal() and int(text) < 1 << 32):
        raise argparse.ArgumentTypeError(f"expected a whole number from 0 to {(1 << 32) - 1}, found {text!r}")
    return int(text)


# ---------------------------------------------------------------- progress


@contextmanager
def waiting(label: str) -> Iterator[Callable[[int, int], None]]:
    """Show a bar once something has taken a second, on a terminal only; what is yielded takes (done, total)."""
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


def load_with_progress(path: str, options: argparse.Namespace, device: str | None) -> Program:
    with waiting(f"loading {Path(path).name}"):
        program = load(Path(path), device, weights=getattr(options, "weights", None), entry=options.entry)
    with waiting("compiling") as report:
        program.compile(report)
    return program


# ---------------------------------------------------------------- run


def run_command(options: argparse.Namespace) -> int:
    if options.save is not None:
        expect_writable(options.save, "--save")
    program = load_with_progress(options.file, options, options.device)
    inputs = gather_inputs(program.inputs, options.input, options.random, options.shape)
    with waiting("running"):
        results = program.numpy_one_by_one(inputs)
    names = unlike(named(program.outputs, "out"))
    for name, array in zip(names, results):
        show(f"{printable_name(name)}: {array.dtype}{list(array.shape)} {summary(array)}")
    if options.save is not None:
        save(options.save, dict(zip(names, results)))
    return 0


def gather_inputs(
    arguments: Sequence[Argument], given: Sequence[str], seed: int | None, sizes: Sequence[str] = ()
) -> list[Any]:
    """The arrays for a program's inputs: those given by name, number or archive, random ones for the rest."""
    return inputs_from(arguments, [pair for item in given for pair in read_input(item)], seed, sizes)


def inputs_from(
    arguments: Sequence[Argument], given: Sequence[tuple[str, Any]], seed: int | None, sizes: Sequence[str]
) -> list[Any]:
    """The same, from arrays by name."""
    names = named(arguments, "in")
    arrays = {input_number(name, names): array for name, array in given}
    missing = [i for i in range(len(arguments)) if i not in arrays]
    if missing and seed is None:
        listed = "\n".join(f"  {printable_name(names[i])}: {arguments[i].layout}" for i in missing)
        raise InputError(f"{len(missing)} inputs were not given; use --input NAME=FILE.npy or --random SEED:\n{listed}")
    generator = np.random.RandomState(seed)
    shapes = known_shapes(arguments, names, sizes, arrays)
    return [arrays[i] if i in arrays else random_array(shapes[i], a.dtype, generator) for i, a in enumerate(arguments)]


def known_shapes(
    arguments: Sequence[Argument], names: Sequence[str], given: Sequence[str], arrays: Collection[int] = ()
) -> dict[int, tuple[int, ...]]:
    """The shapes of the inputs for which no array is given: the program's, or those of --shape."""
    shapes: dict[int, tuple[int, ...]] = {}
    for item in given:
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
            raise InputError(f"the shape of {name}: {argument.layout} is open; use --shape {name}=SIZE,SIZE,…")
    return shapes


def read_input(item: str) -> list[tuple[str, Any]]:
    """(name, array) pairs of one --input: NAME=FILE.npy, or FILE.npz."""
    name, separator, path = item.rpartition("=")
    if not separator and not item.endswith(".npz"):
        raise InputError(f"--input {item}: expected NAME=FILE.npy or FILE.npz")
    try:
        loaded = np.load(path, allow_pickle=False)
        if isinstance(loaded, np.ndarray):
            if not separator:
                raise InputError(f"--input {item}: one array needs a name: NAME={path}")
            return [(name, loaded)]
        with loaded:
            if separator:
                raise InputError(f"--input {item}: {path} holds several arrays; give it without a name")
            return [restored(key, loaded[key]) for key in loaded.files]
    except FileNotFoundError as error:
        raise InputError(f"--input {item}: there is no file {path}") from error
    except InputError:
        raise
    except Exception as error:  # numpy's header is Python's text, and an archive is compressed: both fail in many ways
        raise InputError(f"--input {item}: {path} is not a .npy or .npz file that can be read ({error})") from error


def restored(name: str, array: np.ndarray) -> tuple[str, np.ndarray]:
    """An array of a type that numpy's format lacks, from its bits: see `save`."""
    base, _, name_of_dtype = name.rpartition(".")
    kind = EXTENDED.get(name_of_dtype)
    if not base or kind is None or array.dtype != bits_of(kind):
        return name, array
    return base, array.view(kind)


def bits_of(dtype: np.dtype) -> np.dtype:
    """The integers that an array of a type which numpy's format lacks is written as."""
    return np.dtype(f"u{dtype.itemsize}")


def input_number(name: str, names: Sequence[str]) -> int:
    for spelling in (name, typed(name)):
        if spelling in names:
            return names.index(spelling)
    digits = name.removeprefix("in")
    if digits.isascii() and digits.isdecimal() and len(digits) < 10 and int(digits) < len(names):
        return int(digits)
    raise InputError(f"the program has no input {name!r}; it has {', '.join(map(printable_name, names))}")


def typed(text: str) -> str:
    """A name from the command line, which is UTF-8 whatever the locale says."""
    try:
        return os.fsencode(text).decode("utf-8")
    except UnicodeError:
        return text


def random_array(shape: tuple[int, ...], dtype: np.dtype, generator: np.random.RandomState) -> np.ndarray:
    """Standard normal floats, booleans, or integers below 10 (below the type's end)."""
    if dtype.kind == "b":
        return generator.randint(0, 2, shape).astype(dtype)
    if dtype.kind in "iu" or "int" in dtype.name:
        return generator.randint(0, 2 if "int2" in dtype.name else 8, shape).astype(dtype)
    values: Any = generator.standard_normal(shape)
    if dtype.kind == "c":
        values = values + 1j * generator.standard_normal(shape)
    return np.asarray(values).astype(dtype)


def summary(array: np.ndarray) -> str:
    """Range, mean, non-finite count, and the first numbers."""
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
            least, most = min(least, float(finite.min())), max(most, float(finite.max()))
    odd = f" non-finite {flat.size - count}" if count < flat.size else ""
    if count == 0:
        return f"[{first}{more}]{odd}"
    return f"min {least:.6g} max {most:.6g} mean {total / count:.6g}{odd} [{first}{more}]"


def save(path: str, arrays: dict[str, np.ndarray]) -> None:
    """Write an archive whole or not at all; types that numpy's format lacks are written as their bits."""
    with written(path) as file, zipfile.ZipFile(file, "w") as archive:
        for name, array in arrays.items():
            key = printable_name(name)
            if array.dtype.isbuiltin != 1:
                key, array = f"{key}.{array.dtype.name}", array.view(bits_of(array.dtype))
            # numpy.savez would take the name "file" for its own argument.
            with archive.open(f"{key}.npy", "w", force_zip64=True) as entry:
                np.lib.format.write_array(entry, array, allow_pickle=False)


# ---------------------------------------------------------------- check


def check_command(options: argparse.Namespace) -> int:
    """0 if the results agree."""
    if options.tolerance is not None and not options.tolerance >= 0:
        raise InputError(f"--tolerance {options.tolerance}: expected a number of units in the last place")
    warnings.simplefilter("error", NoNativeCode)

    program = load_with_progress(options.file, options, options.device)
    given: list[tuple[str, np.ndarray]] = []
    recorded: dict[str, np.ndarray] = {}
    for item in options.input:
        pairs = read_input(item)
        results = {name: x for name, x in pairs if is_result(name, program)}
        recorded |= results
        given += [(name, x) for name, x in pairs if name not in results]
    inputs = inputs_from(program.inputs, given, options.random, options.shape)
    module, arrays = program.static_module(inputs), program.all_arrays(inputs)
    names = named(program.outputs, "out")
    with ExitStack() as stack:
        if options.vs_xla:
            reference, called = stack.enter_context(checking.xla()), "XLA"
        else:
            reference, called = checking.tinygrad(), "tinygrad's own kernels"
        if recorded and not options.vs_xla:
            called = "the recorded results"
            keys = [name if name in recorded else f"out{i}" for i, name in enumerate(names)]
            if not set(keys) <= set(recorded):
                raise InputError(f"the results {', '.join(recorded)} are recorded, the program has {', '.join(names)}")
            expected = [recorded[key] for key in keys]
        else:
            with waiting(f"running {called}"):
                expected = list(reference(module, arrays))
        show(f"compared with {called}:")
        agree = True
        for name, found, wanted in zip(map(printable_name, names), program.numpy_one_by_one(inputs), expected):
            if (found.dtype, found.shape) != (wanted.dtype, wanted.shape):
                agree = False
                show(f"{name}: {found.dtype}{list(found.shape)}, expected {wanted.dtype}{list(wanted.shape)}")
                continue
            allowed = options.tolerance
            allowed = checking.half_of_the_digits(found.dtype) if allowed is None else allowed
            difference = checking.compared(found, wanted, allowed, checking.largest(wanted))
            agree = agree and not difference.beyond
            show(f"{name}: {found.dtype}{list(found.shape)} differs by {difference}")
        if options.bisect:
            search = checking.Search(checking.ours(options.device), reference, options.tolerance)
            with waiting("comparing op by op"):
                first = search.first(module, arrays)
            show("no op differs" if first is None else checking.found_text(first))
            agree = agree and first is None
    return int(not agree)


def is_result(name: str, program: Program) -> bool:
    """Whether an array of this name is a recorded result, rather than an input."""
    results = {*named(program.outputs, "out"), *(f"out{i}" for i in range(len(program.outputs)))}
    return name in results and name not in named(program.inputs, "in")


# ---------------------------------------------------------------- compile


def compile_command(options: argparse.Namespace) -> int:
    with waiting(f"reading {Path(options.file).name}"):
        module = self_contained(Path(options.file), options.entry).module
    with waiting("planning"):
        program = Program(module, "CPU")
        shapes = known_shapes(program.inputs, named(program.inputs, "in"), options.shape)
        plan = program.plan_for([shapes[i] for i in range(len(program.inputs))])
    expect_no_host(plan)
    with waiting("rendering") as report:
        source = rendered(plan, program.device, report, THREADS)
    with waiting("checking"):
        expect_valid(source)
    types = [plan.main.types[n] for n in (*range(len(program.inputs)), *plan.main.outputs)]
    tensors = [CTensor(a.name, expect_tensor(t)) for a, t in zip((*program.inputs, *program.outputs), types)]
    count = len(program.inputs)
    files = write_folder(Path(options.output), plan, source, constants(plan), tensors[:count], tensors[count:])
    for path in files:
        show(f"{path}: {path.stat().st_size:,} bytes")
    show(f"build and run it: make -C {shlex.quote(options.output)} && {shlex.quote(options.output)}/model --help")
    return 0


def expect_valid(source: Source) -> None:
    """Refuse to write C that no compiler takes; where there is no compiler, its user will see.

    Raises:
        UnsupportedOp: the compiler refuses it.
    """
    with suppress(InputError):
        clang()
        try:
            check_syntax(program_text(source))
        except NotBuilt as error:
            reason = str(error).partition("\n")[0]
            raise UnsupportedOp(
                f"the C of this program does not compile, which is an error of hlo2tiny: {reason}"
            ) from error


# ---------------------------------------------------------------- inspect, ops


def inspect_command(options: argparse.Namespace) -> int:
    with waiting(f"reading {Path(options.file).name}"):
        path = Path(options.file)
        artifact = read(path, "CPU", options.entry if path.is_dir() else None)
        public = public_functions(artifact.module)
        if options.entry is not None:
            artifact = read(path, "CPU", options.entry)
    if len(public) > 1:
        print("functions:")
        for function in public:
            print(f"  @{function.name}{function.type}")
        if options.entry is None and default_entry(artifact.module) is None:
            raise InputError(f"{options.file}: which of these functions to call is not clear: {HOW}")
    module, signature = artifact.module, artifact.signature
    entry = entry_function(module)
    inputs = listed(tensor_names(artifact), entry.type.inputs, signature.dimensions)
    outputs = listed(result_names(entry), entry.type.results, signature.output_dimensions)
    show("inputs:")
    for number, text in enumerate(text for i, text in enumerate(inputs) if i not in signature.bound):
        show(f"  {number} {text}")
    if signature.bound:
        show("weights:")
        for i, stored in signature.bound.items():
            show(f"  {inputs[i]}, in {printable_name(stored.path)}")
    show("outputs:")
    for number, text in enumerate(outputs):
        show(f"  {number} {text}")
    if signature.inputs is not None:
        show(f"call: {calling_of(signature, tensor_names(artifact), len(outputs))}")
    counts = Counter(op.name for op in module.walk())
    show(f"ops: {sum(counts.values())} in {len(module.functions)} functions")
    for name, count in counts.most_common():
        show(f"  {count:6d} {printable_name(name)}")
    show(f"constants: {constant_bytes(module)} bytes")
    problems = find_problems(module, custom_calls())
    for problem in problems:
        show(problem)
    if problems:
        show(f"{len(problems)} problems: the program cannot run")
        return 1
    show("every op has a rule")
    if options.plan:
        module = unwrap(module)
        entry = entry_function(module)
        if not computes_shapes(module):
            show(planned(module, entry.name))
        elif any(isinstance(t, TensorType) and None in t.shape for t in entry.type.inputs):
            show("the plan depends on the arguments' shapes, which the file leaves open")
        else:
            show(planned(specialise(module, entry.name, entry.type.inputs), entry.name))
    return 0


def listed(names: Sequence[str], types: Sequence[Type], dimensions: Sequence[Sequence[str]]) -> list[str]:
    """Arguments or results, which are no tokens, as text."""
    texts = []
    kinds = [kind for kind in types if not isinstance(kind, TokenType)]
    for i, (name, kind) in enumerate(zip(names, kinds)):
        sizes = dimensions[i] if len(dimensions) == len(kinds) else ()
        if isinstance(kind, TensorType) and not type_problem(kind):
            texts.append(str(argument_of(name, kind, sizes)))
        else:
            texts.append(f"{printable_name(name)}: {kind}")
    return texts


def planned(module: Module, entry: str) -> str:
    """The plan for the CPU, with its kernels and the memory that a run works in."""
    with lowering("CPU"):
        plan = build(module, entry, products=target_of("CPU").products)
    with waiting("rendering kernels") as progress:
        source = rendered(plan, "CPU", progress, thread_count())
    kernels = {step.key: render_region(step, "CPU").names for step in plan.kernels()}
    return f"{plan_text(plan, kernels)}\narena: {source.arena:,} bytes"


def constant_bytes(module: Module) -> int:
    """The bytes that the constants of a module take; a repeated number counts once."""
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
        raise InputError(f"{options.text}: expected the text to write, OUT.mlir")
    with waiting(f"converting {Path(options.file).name}"):
        bake = options.bake or False
        files = convert(Path(options.file), Path(options.text), bake=bake, split=options.split, entry=options.entry)
    for path in files:
        show(f"{path}: {path.stat().st_size:,} bytes")
    return 0


# ---------------------------------------------------------------- diff


def diff_command(options: argparse.Namespace) -> int:
    left, right = options.files
    with waiting(f"parsing {Path(left).name} and {Path(right).name}"):
        found = difference(*(self_contained(file, options.entry).module for file in (left, right)))
    show(f"{left} and {right} differ: {found}" if found else f"{left} and {right} are the same program")
    return int(found is not None)


# ---------------------------------------------------------------- bench


def bench_command(options: argparse.Namespace) -> int:
    if not 0 < options.seconds < float("inf"):
        raise InputError(f"--seconds {options.seconds}: expected a number of seconds above 0")
    if options.profile is not None:
        return profile_command(options)
    names = bench.others(options.vs_xla, options.vs_tinygrad)
    programs = [(Path(file), arguments_for_bench(Path(file), options)) for file in options.files]
    found = []
    for path, arguments in programs:
        arrays = gather_inputs(arguments, options.input, options.random, options.shape)
        with tempfile.TemporaryDirectory(prefix="hlo2tiny-bench-") as folder:
            file = path
            if options.entry is not None:  # the contenders are given the one function
                file = Path(folder) / f"{path.stem}.{options.entry.removeprefix('@')}.mlir"
                convert(path, file, bake=True, entry=options.entry)
            text = text_for_xla(file, Path(folder)) if options.vs_xla else file
            found.append(bench.measure(file, arrays, names, options.seconds, text=text))
        if not options.json:
            show(bench.table(str(path), found[-1]))
    means = bench.geometric_means(found) if len(found) > 1 else {}
    overhead = bench.call_overhead(names, options.seconds)
    if options.json:
        rows = [{"file": str(path)} | each for (path, _), each in zip(programs, found)]
        show(json.dumps({"programs": rows, "geometric_means": means, "call_overhead": overhead}, indent=1))
    else:
        if means:
            show(bench.means_table(means))
        listed = ", ".join(f"{name} {bench.duration(value)}" for name, value in overhead.items())
        show(f"a call of one operation, numpy in and out: {listed}")
    return int(any(each["failed"] for each in found))


def profile_command(options: argparse.Namespace) -> int:
    warnings.simplefilter("error", NoNativeCode)
    page = f"{Path(options.files[0]).stem}.profile.html" if options.profile is True else options.profile
    if page.endswith(".mlir"):
        raise InputError(f"--profile {page}: expected a page to write; name the program before --profile")
    if len(options.files) > 1 or options.vs_xla or options.vs_tinygrad:
        raise InputError("--profile takes one file, and compares with nothing")
    expect_writable(page, "--profile")
    program = load_with_progress(options.files[0], options, "CPU")
    arrays = gather_inputs(program.inputs, options.input, options.random, options.shape)
    found = profiling.profile(program, arrays, options.seconds)
    show(json.dumps(found, indent=1) if options.json else profiling.profile_text(options.files[0], found))
    with written(page) as file:
        file.write(profiling.profile_page(options.files[0], found).encode("utf-8"))
    if not options.json:
        show(f"written: {page}")
    return 0


def arguments_for_bench(path: Path, options: argparse.Namespace) -> Sequence[Argument]:
    """The inputs of a program that can run."""
    program = Program(self_contained(path, options.entry).module, "CPU")
    if options.vs_xla and any(None in argument.shape for argument in program.inputs):
        raise InputError(f"{path}: the file leaves shapes open, which XLA does not take; measure it without --vs-xla")
    return program.inputs


def cache_command(options: argparse.Namespace) -> int:
    place = cache.folder()
    if place is None:
        show("nothing is kept: HLO2TINY_CACHE is off, or the cache folder is not yours alone")
    elif options.action == "clear":
        count, size = cache.clear()
        show(f"removed {count} entries, {size:,} bytes, from {place}")
    else:
        sizes = [size for _, size, _ in cache.entries(place)]
        show(f"{len(sizes)} entries, {sum(sizes):,} bytes of at most {cache.BOUND:,}, in {place}")
    return 0


def ops_command(options: argparse.Namespace) -> int:
    if options.conformance:
        show(conformance.table(conformance.load()))
        return 0
    table = support_table()
    for name, state in table:
        show(f"{state:8}{name}")
    specified = [state for name, state in table if name.startswith(("stablehlo.", "chlo."))]
    counts = Counter(specified)
    show(f"{counts['yes']} of {len(specified)} ops of StableHLO and CHLO run, {counts['refused']} are refused by name")
    return 0
