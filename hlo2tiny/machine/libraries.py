"""LAPACK and BLAS, from the shared library in the PyPI package scipy-openblas32 (OpenBLAS with 32-bit integers).

Its functions follow Fortran's conventions: matrices are column-major, arguments are addresses, and the lengths of
strings follow by value.
"""

from __future__ import annotations

import ctypes
import importlib.util
from collections.abc import Callable, Sequence
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

from ..errors import UnsupportedOp

LARGEST_INTEGER = 2**31 - 1
LETTERS = {np.dtype(np.float32): "s", np.dtype(np.float64): "d", np.dtype(np.complex64): "c", np.dtype(complex): "z"}


class Workspace:
    """Stands for two arguments: an array to work in, and its length, which the function itself tells."""

    def __init__(self, dtype: Any) -> None:
        self.dtype = np.dtype(dtype)


@cache
def openblas() -> ctypes.CDLL:
    """The library, whose symbols do not replace those of scipy's own copy; raises UnsupportedOp if it is missing.

    It runs on one thread, since its results depend on the number of threads.
    """
    package = importlib.util.find_spec("scipy_openblas32")
    folders = [Path(place) / "lib" for place in (package.submodule_search_locations or ())] if package else []
    for file in sorted(file for folder in folders for file in folder.glob("*scipy_openblas*")):
        if file.suffix in (".so", ".dylib", ".dll"):
            library = ctypes.CDLL(str(file))
            library.scipy_openblas_set_num_threads(1)
            return library
    raise UnsupportedOp("needs LAPACK, which is not installed: pip install scipy-openblas32")


@cache
def function(name: str, arguments: int, strings: int) -> Callable[..., None]:
    # Unlike an attribute of the library, an object of a prototype is not shared. Calls release the GIL.
    prototype = ctypes.CFUNCTYPE(None, *[ctypes.c_void_p] * arguments, *[ctypes.c_size_t] * strings)
    return prototype((f"scipy_{name}_", openblas()))


def call(name: str, arguments: Sequence[Any], strings: int) -> None:
    """Call a function on addresses; `strings` is how many of its arguments are strings, all of length 1."""
    function(name, len(arguments), strings)(*arguments, *[1] * strings)


def query_sizes(name: str, arguments: Sequence[Any]) -> list[float]:
    """The lengths of the workspaces, which a function writes if it is called with a length of -1.

    Raises:
        ValueError: the function rejects an argument.
        UnsupportedOp: LAPACK is not installed.
    """
    lengths, unused = np.zeros((len(arguments) + 1, 2)), np.zeros(8)
    values: list[Any] = []
    for argument, length in zip(arguments, lengths):
        if isinstance(argument, Workspace):
            values += [length.view(argument.dtype), store_argument(-1)]
        else:
            values.append(store_argument(argument) if argument is None or isinstance(argument, int | str) else unused)
    info = values[-1] = np.zeros(1, np.int32)
    call(name, list(map(address, values)), sum(isinstance(a, str) for a in arguments))
    expect_accepted(name, int(info[0]))
    return [float(length.view(a.dtype)[0].real) for a, length in zip(arguments, lengths) if isinstance(a, Workspace)]


def expect_accepted(name: str, info: int) -> None:
    if info < 0:
        raise ValueError(f"LAPACK's {name} rejects its argument {-info}")


def store_argument(argument: Any) -> Any:
    """An argument as an object that has an address."""
    if isinstance(argument, str):
        return ctypes.c_char(argument.encode())
    return ctypes.c_int32(expect_integer(argument)) if isinstance(argument, int) else argument


def address(argument: Any) -> int | None:
    if isinstance(argument, np.ndarray):
        return argument.ctypes.data
    return None if argument is None else ctypes.addressof(argument)


def expect_integer(number: int) -> int:
    if number > LARGEST_INTEGER:
        raise ValueError(f"needs a size of {number:,}, but LAPACK's integers only go up to {LARGEST_INTEGER:,}")
    return number
