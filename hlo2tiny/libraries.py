"""LAPACK and BLAS, from the shared library in the PyPI package scipy-openblas32 (OpenBLAS with 32-bit integers).

Its functions have Fortran's convention: matrices stand column by column, each argument is an address, and the lengths
of the strings follow by value.
"""

from __future__ import annotations

import ctypes
import importlib.util
from collections.abc import Callable, Sequence
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

from .errors import UnsupportedOp

LARGEST_INTEGER = 2**31 - 1
LETTERS = {np.dtype(np.float32): "s", np.dtype(np.float64): "d", np.dtype(np.complex64): "c", np.dtype(complex): "z"}


class Workspace:
    """Stands for two arguments: an array to work in, and its length, for which the function itself is asked."""

    def __init__(self, dtype: Any) -> None:
        self.dtype = np.dtype(dtype)


@cache
def openblas() -> ctypes.CDLL:
    """The library, loaded for this package alone: its symbols do not replace those of scipy's own copy.

    Raises:
        UnsupportedOp: it is not installed.
    """
    package = importlib.util.find_spec("scipy_openblas32")
    folders = [Path(place) / "lib" for place in (package.submodule_search_locations or ())] if package else []
    for file in sorted(file for folder in folders for file in folder.glob("*scipy_openblas*")):
        if file.suffix in (".so", ".dylib", ".dll"):
            return ctypes.CDLL(str(file))
    raise UnsupportedOp("needs LAPACK; install it: pip install scipy-openblas32")


@cache
def function(name: str, arguments: int, strings: int) -> Callable[..., None]:
    # A prototype makes an object of its own, where attributes of the library would be shared. Calls release the GIL.
    prototype = ctypes.CFUNCTYPE(None, *[ctypes.c_void_p] * arguments, *[ctypes.c_size_t] * strings)
    return prototype((f"scipy_{name}_", openblas()))


def call(name: str, arguments: Sequence[Any], lengths: int) -> None:
    """Call a function on addresses; it has so many strings among its arguments."""
    function(name, len(arguments), lengths)(*arguments, *[1] * lengths)


def queried(name: str, arguments: Sequence[Any]) -> list[float]:
    """The lengths of the workspaces: a length of -1 makes the function write them in place of results.

    Raises:
        ValueError: the function refuses an argument.
        UnsupportedOp: LAPACK is not installed.
    """
    found, nothing = np.zeros((len(arguments) + 1, 2)), np.zeros(8)
    held: list[Any] = []
    for argument, place in zip(arguments, found):
        if isinstance(argument, Workspace):
            held += [place.view(argument.dtype), stored(-1)]
        else:
            # Other arrays are not looked at.
            held.append(stored(argument) if argument is None or isinstance(argument, int | str) else nothing)
    info = held[-1] = np.zeros(1, np.int32)
    call(name, list(map(address, held)), sum(isinstance(a, str) for a in arguments))
    expect_accepted(name, int(info[0]))
    return [float(place.view(a.dtype)[0].real) for a, place in zip(arguments, found) if isinstance(a, Workspace)]


def expect_accepted(name: str, info: int) -> None:
    if info < 0:
        raise ValueError(f"LAPACK's {name} does not take its argument {-info}")


def stored(argument: Any) -> Any:
    """An argument as something that has an address."""
    match argument:
        case str():
            return ctypes.c_char(argument.encode())
        case int():
            return ctypes.c_int32(expect_integer(argument))
    return argument


def address(argument: Any) -> int | None:
    if isinstance(argument, np.ndarray):
        return argument.ctypes.data
    return None if argument is None else ctypes.addressof(argument)


def expect_integer(number: int) -> int:
    if number > LARGEST_INTEGER:
        raise ValueError(f"needs a size of {number:,}, LAPACK's integers end at {LARGEST_INTEGER:,}")
    return number
