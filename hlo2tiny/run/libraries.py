"""LAPACK and BLAS, from the shared library in the PyPI package scipy-openblas32 (OpenBLAS with 32-bit integers).

Its functions have Fortran's convention: matrices stand column by column, each argument is an address, and the lengths
of the strings follow by value.
"""

from __future__ import annotations

import ctypes
import importlib.util
from collections.abc import Callable, Iterable, Sequence
from functools import cache
from math import ceil
from pathlib import Path
from typing import Any

import numpy as np

from ..errors import UnsupportedOp

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


def lapack(name: str, items: Iterable[int], *arguments: Any) -> None:
    """Call a function for some items of a batch.

    Args:
        name: the function's, in lower case without underscores.
        items: the numbers of the items.
        arguments: integers, one-letter strings, None, `Workspace`, and arrays, which hold an item at each index of
            their first axis. Arrays are read and written where they lie; one of 32-bit integers at the end is LAPACK's
            info.

    Raises:
        ValueError: a size is beyond a 32-bit integer, or the function refuses an argument.
    """
    items = list(items)
    if not items:
        return
    sizes = queried(name, arguments) if any(isinstance(a, Workspace) for a in arguments) else []
    addresses, steps, kept = [], [], []
    for argument in arguments:
        parts = [argument]
        if isinstance(argument, Workspace):
            size = sizes.pop(0)
            parts = [np.empty((1, size), argument.dtype), size]
        for part in parts:
            kept.append(held := stored(part))
            addresses.append(address(held))
            steps.append(part.strides[0] if isinstance(part, np.ndarray) and part.shape[0] > 1 else 0)
    lengths = [1] * sum(isinstance(a, str) for a in arguments)
    called = function(name, len(addresses), len(lengths))
    for item in items:
        called(*[a and a + item * step for a, step in zip(addresses, steps)], *lengths)
    expect_accepted(name, arguments[-1], items)


def expect_accepted(name: str, info: Any, items: Sequence[int]) -> None:
    if isinstance(info, np.ndarray) and info.dtype == np.int32 and (least := int(info[items].min())) < 0:
        raise ValueError(f"LAPACK's {name} does not take its argument {-least}")


def queried(name: str, arguments: Sequence[Any]) -> list[int]:
    """The lengths of the workspaces: a length of -1 makes the function write them in place of results."""
    spaces = [np.zeros(1, a.dtype) for a in arguments if isinstance(a, Workspace)]
    info = np.zeros(1, np.int32)
    rest, kept = iter(spaces), []
    for argument in (*arguments[:-1], info):
        kept += [stored(p) for p in ((next(rest), -1) if isinstance(argument, Workspace) else (argument,))]
    lengths = [1] * sum(isinstance(a, str) for a in arguments)
    function(name, len(kept), len(lengths))(*map(address, kept), *lengths)
    expect_accepted(name, info, [0])
    return [integer(max(1, ceil(space[0].real))) for space in spaces]


def stored(argument: Any) -> Any:
    """An argument as something that has an address."""
    match argument:
        case str():
            return ctypes.c_char(argument.encode())
        case int():
            return ctypes.c_int32(integer(argument))
    return argument


def address(argument: Any) -> int | None:
    if isinstance(argument, np.ndarray):
        return argument.ctypes.data
    return None if argument is None else ctypes.addressof(argument)


def integer(number: int) -> int:
    if number > LARGEST_INTEGER:
        raise ValueError(f"needs a size of {number:,}, LAPACK's integers end at {LARGEST_INTEGER:,}")
    return number
