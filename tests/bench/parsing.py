"""Prints what the README claims about parsing: `python tests/bench/parsing.py [--quick]`."""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import time
import tracemalloc
from collections.abc import Callable
from pathlib import Path

import numpy as np

import hlo2tiny

GPT2 = Path(__file__).parents[2] / "corpus" / "benchmark" / "gpt2_small.mlir"
MEMORY_OF_HEX = """
import resource, sys, time, hlo2tiny
size = int(sys.argv[1])
before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024
start = time.perf_counter()
module = hlo2tiny.parse(sys.argv[2])
seconds = time.perf_counter() - start
peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024
(constant,) = [op for op in module.walk() if op.name == "stablehlo.constant"]
assert constant.attributes["value"].data.nbytes == size
print(f"{seconds:.2f} s, peak {(peak - before) / size:.2f} x the payload")
"""


def best(function: Callable[[], object], times: int) -> float:
    """The shortest of several runs, in seconds."""
    durations = []
    for _ in range(times):
        start = time.perf_counter()
        function()
        durations.append(time.perf_counter() - start)
    return min(durations)


def parse_figures() -> None:
    start = time.perf_counter()
    hlo2tiny.parse("func.func @main() {\n return\n}")
    print(f"first parse (builds the LALR tables): {time.perf_counter() - start:.2f} s")
    text = GPT2.read_text()
    count = sum(1 for _ in hlo2tiny.parse(text).walk())
    seconds = best(lambda: hlo2tiny.parse(text), 7)
    tracemalloc.start()
    module = hlo2tiny.parse(text)
    kept, _ = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert module.functions
    print(f"parse of {GPT2.name}: {text.count(chr(10))} lines, {len(text) // 1000} kB, {count} ops, {seconds:.3f} s")
    print(
        f"  {count / seconds:,.0f} ops/s, {seconds / count * 10_000:.2f} s per 10,000 ops, {kept // count} bytes per op"
    )


def hex_figures(size: int, folder: Path) -> None:
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
        command = [sys.executable, "-c", MEMORY_OF_HEX, str(size), str(path)]
        printed = subprocess.run(command, capture_output=True, text=True, check=True).stdout.strip()
        print(f"hexadecimal constant of {size // 1_000_000} MB: {printed}")
    finally:
        path.unlink(missing_ok=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--quick", action="store_true", help="a smaller constant")
    parser.add_argument("--folder", type=Path, default=Path("/tmp"), help="where to put a large file for a moment")
    options = parser.parse_args()
    os.environ["HLO2TINY_CACHE"] = "off"  # the first parse is one of the figures
    parse_figures()
    hex_figures(50_000_000 if options.quick else 500_000_000, options.folder)


if __name__ == "__main__":
    main()
