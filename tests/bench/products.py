"""Prints how fast our products of matrices are beside OpenBLAS's, alternately, both on one thread.

Columns: the shape, then for a·b, a·bᵀ, aᵀ·b, aᵀ·bᵀ the billions of operations a second and the part of OpenBLAS's.
"""

from __future__ import annotations

import ctypes
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from importlib import resources
from pathlib import Path
from typing import Any

import numpy as np

from hlo2tiny.machine.compiler import zig_clang
from hlo2tiny.machine.libraries import openblas
from hlo2tiny.targets.c.templates import library_text

DTYPES = {"s": np.float32, "d": np.float64, "c": np.complex64, "z": np.complex128}
SHAPES = [(1024, 1024, 1024), (256, 256, 256), (64, 768, 768), (64, 64, 64), (8, 512, 512), (4, 6000, 768)]
SHAPES += [(512, 10, 256), (32, 10, 128), (50, 300, 37), (1000, 33, 2000), (16, 16, 16)]


def built(command: list[str], folder: str) -> ctypes.CDLL:
    path = Path(folder) / f"{Path(command[0]).name}.so"
    product, gemm = Path(folder) / "product.c", resources.files("hlo2tiny.targets.c").joinpath("template", "gemm.c")
    product.write_text(library_text())
    options = ["-O3", "-march=native", "-mprefer-vector-width=512", "-ffp-contract=fast", "-fPIC", "-shared"]
    subprocess.run([*command, *options, str(product), str(gemm), "-o", str(path)], check=True)
    return ctypes.CDLL(str(path))


def scalar(value: int, letter: str) -> Any:
    kind = ctypes.c_float if letter in "sc" else ctypes.c_double
    return kind(value) if letter in "sd" else (kind * 2)(value, 0)


def operands(letter: str, shape: tuple[int, int, int], marks: tuple[int, int]) -> list[np.ndarray]:
    (m, n, k), random = shape, np.random.RandomState(0)
    sizes = [(k, m) if marks[0] == 112 else (m, k), (n, k) if marks[1] == 112 else (k, n), (m, n)]
    return [random.standard_normal((rows, columns)).astype(DTYPES[letter]) for rows, columns in sizes]


def call(function: Any, letter: str, shape: tuple[int, int, int], marks: tuple[int, int]) -> Callable[[], None]:
    """A call of CBLAS's function."""
    m, n, k = shape
    arrays = operands(letter, shape, marks)
    places = [(ctypes.c_void_p(x.ctypes.data), x.shape[1]) for x in arrays]
    arguments = (101, *marks, m, n, k, scalar(1, letter), *places[0], *places[1], scalar(0, letter), *places[2])
    function.restype = None

    def run(held: list[np.ndarray] = arrays) -> None:
        function(*arguments)

    return run


def own_call(library: ctypes.CDLL, letter: str, shape: tuple[int, int, int], marks: tuple[int, int]) -> Any:
    if letter in "cz":
        return call(getattr(library, f"model_{letter}gemm"), letter, shape, marks)
    arrays = operands(letter, shape, marks)
    steps = [(1, x.shape[1]) if mark == 112 else (x.shape[1], 1) for x, mark in zip(arrays, marks)]
    numbers = (ctypes.c_long * 16)(*shape, *steps[0], *steps[1], 0, 0, shape[0])
    places = [ctypes.c_void_p(x.ctypes.data) for x in arrays]
    function = getattr(library, f"{letter}product")
    function.restype = None

    def run(held: list[np.ndarray] = arrays) -> None:
        function(numbers, *places[:2], None, places[2], None, None)

    return run


def best(*calls: Callable[[], None]) -> list[float]:
    """The fewest seconds of each; they alternate for half a second."""
    times = [float("inf")] * len(calls)
    end = time.perf_counter() + 0.5
    while time.perf_counter() < end:
        for i, each in enumerate(calls):
            start = time.perf_counter()
            each()
            times[i] = min(times[i], time.perf_counter() - start)
    return times


def main() -> None:
    library = openblas()
    library.scipy_openblas_set_num_threads(1)
    compilers = [[zig_clang()[0], "cc"], *([["gcc"]] if shutil.which("gcc") else [])]
    with tempfile.TemporaryDirectory() as folder:
        ours = [built(command, folder) for command in compilers]
        print("OpenBLAS, then " + ", ".join(Path(c[0]).name for c in compilers))
        for letter in sys.argv[1] if len(sys.argv) > 1 else DTYPES:
            for shape in SHAPES:
                cells = []
                for marks in ((111, 111), (111, 112), (112, 111), (112, 112)):
                    calls = [call(getattr(library, f"scipy_cblas_{letter}gemm"), letter, shape, marks)]
                    calls += [own_call(each, letter, shape, marks) for each in ours]
                    theirs, *found = best(*calls)
                    rate = 2e-9 * np.prod(shape) * (1 if letter in "sd" else 4) / theirs
                    cells.append(f"{rate:5.1f} " + " ".join(f"{theirs / t:.2f}" for t in found))
                print(f"{letter}gemm {'×'.join(map(str, shape)):16}", " | ".join(cells), flush=True)


if __name__ == "__main__":
    main()
