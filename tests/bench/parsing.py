"""Measures the parser, for docs/performance.md too: `python tests/bench/parsing.py [--quick]`."""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
import time
import tracemalloc
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np

import hlo2tiny
from hlo2tiny.formats.bytecode import read_bytecode

GPT2 = Path(__file__).parents[2] / "corpus" / "benchmark" / "gpt2_small.mlir"
MEMORY_OF_CONSTANT = """
import sys, time, hlo2tiny.formats, hlo2tiny.syntax.parser, hlo2tiny.formats.bytecode
from hlo2tiny.commands.contenders import forget_peak, peak_memory
size = int(sys.argv[1])
forget_peak()
before = peak_memory()
start = time.perf_counter()
module = hlo2tiny.formats.read(sys.argv[2]).module
seconds = time.perf_counter() - start
peak = peak_memory()
(constant,) = [op for op in module.walk() if op.name == "stablehlo.constant"]
assert constant.attributes["value"].data.nbytes == size
print(f"{seconds:.2f} s, peak {(peak - before) / size:.2f} × the payload")
"""


def best(function: Callable[[], object], times: int) -> float:
    """The shortest of several runs, in seconds."""
    durations = []
    for _ in range(times):
        start = time.perf_counter()
        function()
        durations.append(time.perf_counter() - start)
    return min(durations)


def rows(size: int, folder: Path) -> Iterator[tuple[str, str]]:
    """Labels and figures; a file with a constant of `size` bytes lies in the folder meanwhile."""
    cache = os.environ.get("HLO2TINY_CACHE")
    os.environ["HLO2TINY_CACHE"] = "off"  # in processes too
    try:
        yield from text_rows()
        yield from bytecode_rows(size, folder)
        yield f"a hexadecimal constant of {size // 1_000_000} MB", hex_figure(size, folder)
    finally:
        del os.environ["HLO2TINY_CACHE"]
        os.environ |= {} if cache is None else {"HLO2TINY_CACHE": cache}


def text_rows() -> Iterator[tuple[str, str]]:
    text = GPT2.read_text()
    count = sum(1 for _ in hlo2tiny.parse(text).walk())
    seconds = best(lambda: hlo2tiny.parse(text), 7)
    tracemalloc.start()
    module = hlo2tiny.parse(text)
    kept, _ = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert module.functions
    yield (
        f"text to SSA graph, export of GPT-2's size with locations ({text.count(chr(10)):,} lines, {count:,} ops)",
        f"{count / seconds:,.0f} ops/s, {kept / count / 1000:.2f} kB an op",
    )


def hex_figure(size: int, folder: Path) -> str:
    path = folder / "hlo2tiny-benchmark-hex.mlir"
    shape = f"{size // 4}xf32"
    head, tail = (
        f'func.func @main() -> tensor<{shape}> {{\n  %0 = stablehlo.constant dense<"0x',
        f'"> : tensor<{shape}>\n',
    )
    try:
        with path.open("w") as file:
            file.write(head)
            piece = np.random.RandomState(0).bytes(1_000_000).hex().upper()
            for _ in range(size // 1_000_000):
                file.write(piece)
            file.write(tail + f"  return %0 : tensor<{shape}>\n}}\n")
        return printed_by_process(size, path)
    finally:
        path.unlink(missing_ok=True)


def printed_by_process(size: int, path: Path) -> str:
    command = [sys.executable, "-c", MEMORY_OF_CONSTANT, str(size), str(path)]
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout.strip()


def bytecode_of(text: str, folder: Path, target: str = "") -> Path:
    """A module as MLIR's writer has it, or, with a version of VHLO, as a portable artifact."""
    from jax._src.interpreters.mlir import make_ir_context
    from jaxlib.mlir import ir
    from jaxlib.mlir.dialects import stablehlo

    path = folder / "hlo2tiny-benchmark.mlirbc"
    with make_ir_context():
        if target:
            path.write_bytes(stablehlo.serialize_portable_artifact_str(text, target))
        else:
            with path.open("wb") as file:
                ir.Module.parse(text).operation.write_bytecode(file)
    return path


def bytecode_rows(size: int, folder: Path) -> Iterator[tuple[str, str]]:
    from jaxlib.mlir.dialects import stablehlo

    for target in ("", stablehlo.get_current_version()):
        path = bytecode_of(GPT2.read_text(), folder, target)
        data = path.read_bytes()
        count = sum(1 for _ in read_bytecode(data, "").walk())
        seconds = best(lambda: read_bytecode(data, ""), 7)
        what = f"portable artifact {target}" if target else "bytecode"
        yield f"the same as {what} ({len(data) // 1000:,} kB)", f"{count / seconds:,.0f} ops/s"
    digits = np.random.RandomState(0).bytes(size).hex().upper()
    shape = f"{size // 4}xf32"
    text = f'func.func @main() -> tensor<{shape}> {{\n  %0 = stablehlo.constant dense<"0x{digits}"> : tensor<{shape}>\n'
    path = bytecode_of(text + f"  return %0 : tensor<{shape}>\n}}", folder)
    try:
        yield f"a constant of {size // 1_000_000} MB in bytecode", printed_by_process(size, path)
    finally:
        path.unlink(missing_ok=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--quick", action="store_true", help="a smaller constant")
    parser.add_argument(
        "--folder", type=Path, default=Path(tempfile.gettempdir()), help="where to put a large file for a moment"
    )
    options = parser.parse_args()
    for label, figure in rows(50_000_000 if options.quick else 500_000_000, options.folder):
        print(f"{label}: {figure}", flush=True)


if __name__ == "__main__":
    main()
