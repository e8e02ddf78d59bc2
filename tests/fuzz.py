"""Reads mutated files: `python tests/fuzz.py FORMAT [--seconds N | --runs N] [--seed N]`.

FORMAT is text, bytecode or exported for files whose bytes are changed; structured for programs whose meaning is
(structured.py), and sanitized for what they compile to (sanitized.py).

Each input must be read and checked, or refused with one of this package's errors (with the byte in binary formats),
within 10 seconds and 2 GiB in every mode (limits.py). Anything else is written to a file and reported; the exit code is
then 1. Where atheris is installed (`pip install atheris`), it chooses what to mutate by which code runs; otherwise a
seed does.
"""

from __future__ import annotations

import argparse
import hashlib
import io
import os
import sys
import tempfile
import time
import traceback
from collections import Counter
from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parent))
sys.path.append(str(Path(__file__).parents[1]))  # last: PYTHONPATH may name another tree
os.environ.setdefault("HLO2TINY_CACHE", "off")
# Of many processors OpenBLAS would reserve more addresses than a mutant is allowed.
os.environ["OPENBLAS_NUM_THREADS"] = "1"

import numpy as np
from limits import MEMORY, SLOWEST, limited

CORPUS = Path(__file__).parents[1] / "corpus"
LARGEST = 40_000  # bytes of a file that is mutated
NAMES = ("sort", "while_loop", "gather_scatter", "mnist_mlp_predict", "narrow_floats", "linear_algebra", "cond", "lstm")


def texts() -> list[bytes]:
    small = [path for path in sorted(CORPUS.rglob("*.mlir")) if path.stat().st_size < LARGEST]
    return [path.read_bytes() for path in small]


def bytecodes() -> list[bytes]:
    """Of all versions of the format, and JAX's old exports, which are artifacts of many versions of VHLO."""
    from jax._src.interpreters.mlir import make_ir_context
    from jaxlib.mlir import ir
    from test_jax_back_compat import EXPORTS

    found = [export["mlir_module_serialized"] for export in EXPORTS.values()]
    for name in NAMES:
        with make_ir_context():
            module = ir.Module.parse((CORPUS / f"{name}.mlir").read_text())
            for version in range(7):
                file = io.BytesIO()
                module.operation.write_bytecode(file, desired_version=version)
                found.append(file.getvalue())
    return [data for data in found if len(data) < LARGEST]


def exports() -> list[bytes]:
    folder = Path(__file__).parent / "formats" / "exported"
    return [path.read_bytes() for path in sorted(folder.iterdir()) if path.stat().st_size < LARGEST]


SEEDS: dict[str, Callable[[], list[bytes]]] = {"text": texts, "bytecode": bytecodes, "exported": exports}

# What mutates programs rather than bytes: modules of their own.
OF_PROGRAMS = ("structured", "sanitized")


class Failure(Exception):
    """An input that was neither read nor properly refused."""


def read(data: bytes, binary: bool) -> str:
    """Read, print and check a file's program; what became of it, in one word.

    Raises:
        Failure: an error without its location.
        Exceeded: it took too long, or too much memory.
    """
    from hlo2tiny.errors import BinarySource, Error, InputError, ParseError, UnsupportedOp, VerifyError
    from hlo2tiny.formats import read_contents
    from hlo2tiny.verify.problems import find_problems

    try:
        with limited():
            module = read_contents(data, "<file>").module
            str(module)
            for op in module.walk():
                str((op.location.name, op.location.frames))
            found = "valid" if not [str(problem) for problem in find_problems(module)] else "invalid"
    except Error as error:
        found = type(error).__name__
        if "cannot be handled" in error.message:
            raise Failure(f"{error.message}") from error
        if found == "NotLowered" or not isinstance(error, ParseError | VerifyError | UnsupportedOp | InputError):
            raise Failure(f"an error of the class {found}") from error
        placed = isinstance(error.source, BinarySource) and isinstance(error.offset, int)
        if isinstance(error, ParseError) and binary and isinstance(error.source, BinarySource) and not placed:
            raise Failure("an error without its place") from error
        if placed and not 0 <= error.offset + error.source.base <= len(data):  # type: ignore[operator, union-attr]
            raise Failure(f"an error about byte {error.offset}") from error
        str(error)
    return found


def keep(data: bytes, kind: str) -> Path:
    path = Path(f"fuzz-{kind}-{hashlib.sha256(data).hexdigest()[:12]}")
    path.write_bytes(data)
    return path


def run(kind: str, seeds: list[bytes], options: argparse.Namespace) -> int:
    """Mutate by a seed; the number of different failures."""
    from mutations import mutated

    counts: Counter[str] = Counter()
    failures: set[str] = set()
    end, number, slowest = time.monotonic() + options.seconds, options.seed, (0.0, 0)
    while number - options.seed < options.runs and time.monotonic() < end:
        rng = np.random.default_rng([number, len(kind)])
        data = mutated(seeds[int(rng.integers(len(seeds)))], rng)
        start = time.monotonic()
        try:
            counts[read(data, kind != "text")] += 1
        except KeyboardInterrupt:
            break
        except BaseException as error:
            counts["failed"] += 1
            last = traceback.extract_tb(error.__traceback__)[-1]
            where = f"{type(error).__name__} {last.filename}:{last.lineno}"
            if where not in failures:
                failures.add(where)
                print(f"{number}: {where}: {str(error)[:300]}\n  written: {keep(data, kind)}", flush=True)
        slowest = max(slowest, (time.monotonic() - start, number))
        number += 1
    listed = ", ".join(f"{count} {name}" for name, count in counts.most_common())
    print(
        f"{number - options.seed} mutations of {len(seeds)} files: {listed}; slowest {slowest[0]:.2f} s ({slowest[1]})"
    )
    return len(failures)


def run_guided(atheris: Any, kind: str, seeds: list[bytes], options: argparse.Namespace) -> None:
    """Let atheris choose by coverage. It ends the process at the first failure, which it writes to a file."""
    from mutations import mutated

    def one(data: bytes) -> None:
        read(data, kind != "text")

    def mutate(data: bytes, most: int, seed: int) -> bytes:
        rng = np.random.default_rng(seed)
        if rng.integers(3) == 0:
            return bytes(atheris.Mutate(data, most))
        return mutated(data or seeds[0], rng)[:most]

    with tempfile.TemporaryDirectory() as folder:
        for i, seed in enumerate(seeds):
            (Path(folder) / str(i)).write_bytes(seed)
        limits = [f"-max_len={2 * LARGEST}", f"-timeout={int(SLOWEST)}", f"-rss_limit_mb={MEMORY >> 20}"]
        limits += [f"-seed={options.seed or 1}"]
        limits += [f"-max_total_time={int(options.seconds)}"] if options.seconds < float("inf") else []
        limits += [f"-atheris_runs={options.runs}"] if options.runs < float("inf") else []
        atheris.Setup([sys.argv[0], *limits, folder], one, custom_mutator=mutate)
        atheris.Fuzz()


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("format", choices=[*SEEDS, *OF_PROGRAMS])
    parser.add_argument("--seconds", type=float, default=float("inf"), help="when to end")
    parser.add_argument("--runs", type=float, default=float("inf"), help="how many mutations; 10^6 without either")
    parser.add_argument("--seed", type=int, default=0, help="the number of the first mutation")
    parser.add_argument("--unguided", action="store_true", help="do without atheris")
    parser.add_argument("--file", type=Path, help="read this file instead, such as one that a run has written")
    parser.add_argument("--only", metavar="OP,…", help="structured, sanitized: these ops")
    parser.add_argument("--keep", type=Path, metavar="FOLDER", help="the same: where to write one text of each kind")
    parser.add_argument("--json", type=Path, metavar="FILE", help="structured: write what load accepts, by op")
    parser.add_argument("--execute", action="store_true", help="structured: also run what is accepted, here and by XLA")
    parser.add_argument("--every", type=int, default=1, help="structured, sanitized: of so many programs, take one")
    parser.add_argument("--mutants", action="store_true", help="sanitized: mutated programs only")
    parser.add_argument("--listed", type=int, default=40, help="structured: how many kinds of each sort to print")
    options = parser.parse_args()
    if options.format in OF_PROGRAMS:
        mode = import_module(options.format)
        if options.seconds == options.runs == float("inf"):
            options.runs = mode.RUNS
        return int(mode.main(options))
    if options.file:
        print(read(options.file.read_bytes(), options.format != "text"))
        return 0
    if options.seconds == options.runs == float("inf"):
        options.runs = 1_000_000
    options.runs = int(options.runs) if options.runs < float("inf") else options.runs
    try:
        import atheris
    except ImportError:
        atheris = None
    guided = atheris is not None and not options.unguided
    if guided:
        with atheris.instrument_imports(include=["hlo2tiny.formats", "hlo2tiny.syntax"]):
            import hlo2tiny.formats.bytecode  # noqa: F401
            import hlo2tiny.formats.exported  # noqa: F401
            import hlo2tiny.syntax.parser  # noqa: F401
    seeds = SEEDS[options.format]()
    for data in seeds:
        read(data, False)  # imports what reading needs
    if guided:
        run_guided(atheris, options.format, seeds, options)
        return 0
    return int(bool(run(options.format, seeds, options)))


if __name__ == "__main__":
    sys.exit(main())
