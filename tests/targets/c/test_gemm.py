"""Complex products of programs that are built without a BLAS, against numpy's."""

from __future__ import annotations

import ctypes
import subprocess
from collections.abc import Iterator
from importlib import resources
from itertools import product

import numpy as np
import pytest

from hlo2tiny.machine.compiler import zig_clang
from hlo2tiny.targets.c.folder import GEMM_MEMORY

DTYPES = {"c": np.complex64, "z": np.complex128}
# Whole and broken tiles, deeper, higher and wider than one copy.
SHAPES = [(1, 1, 1), (12, 32, 8), (13, 33, 7), (5, 70, 300), (250, 17, 40), (3, 2100, 5), (30, 6, 600), (2, 3, 0)]


@pytest.fixture(scope="module", params=["", "native"])
def library(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[ctypes.CDLL]:
    """Built for the least processor of this kind, and for this one."""
    path = tmp_path_factory.mktemp("gemm") / "gemm.so"
    source = resources.files("hlo2tiny.targets.c").joinpath("template", "gemm.c")
    machine = [f"-march={request.param}"] if request.param else []
    memory = path.with_name("memory.c")  # which a program's context gives to each thread otherwise
    memory.write_text(f"static char memory[{GEMM_MEMORY}];\n_Thread_local char *model_library_memory = memory;\n")
    flags = ["-O2", *machine, "-fPIC", "-shared", "-Wall", "-Werror"]
    command = [zig_clang()[0], "cc", *flags, str(source), str(memory)]
    subprocess.run([*command, "-o", str(path)], check=True)
    yield ctypes.CDLL(str(path))


def matrix(rows: int, columns: int, dtype: type, seed: int) -> np.ndarray:
    """Random numbers, in rows that lie three numbers apart."""
    random = np.random.RandomState(seed)
    values = random.standard_normal((rows, columns + 3)) + 1j * random.standard_normal((rows, columns + 3))
    return values.astype(dtype)[:, :columns]


def scalar(value: int, letter: str) -> object:
    return ((ctypes.c_float if letter == "c" else ctypes.c_double) * 2)(value, 0)


def step(array: np.ndarray) -> int:
    return array.strides[0] // array.itemsize


def address(array: np.ndarray) -> ctypes.c_void_p:
    return ctypes.c_void_p(array.ctypes.data)


@pytest.mark.parametrize("letter", DTYPES)
@pytest.mark.parametrize("shape", SHAPES, ids=str)
def test_products(library: ctypes.CDLL, letter: str, shape: tuple[int, int, int]) -> None:
    (m, n, k), dtype = shape, DTYPES[letter]
    for a_turned, b_turned, more in product((False, True), (False, True), (0, 1)):
        a, b, c = matrix(m, k, dtype, 0), matrix(k, n, dtype, 1), matrix(m, n, dtype, 2)
        expected = a.astype(complex) @ b + more * c
        scale = np.abs(a) @ np.abs(b) + np.abs(c)
        behind = c.base[:, n:].copy()
        left, right = (matrix_turned(x) if turned else x for x, turned in ((a, a_turned), (b, b_turned)))
        marks = [112 if turned else 111 for turned in (a_turned, b_turned)]
        operands = address(left), step(left), address(right), step(right)
        scalars = scalar(1, letter), scalar(more, letter)
        getattr(library, f"model_{letter}gemm")(
            101, *marks, m, n, k, scalars[0], *operands, scalars[1], address(c), step(c)
        )
        assert np.all(np.abs(c - expected) <= 4 * np.finfo(dtype).eps * (k + 1) * scale)
        np.testing.assert_array_equal(c.base[:, n:], behind)


def matrix_turned(array: np.ndarray) -> np.ndarray:
    rows, columns = array.shape
    turned = matrix(columns, rows, array.dtype.type, 3)
    turned[...] = array.T
    return turned
