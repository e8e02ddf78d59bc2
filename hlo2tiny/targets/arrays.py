"""Arrays of numpy where code reads them."""

from __future__ import annotations

import ctypes
from typing import Any

import numpy as np

from ..errors import InputError


def storage_array(array: np.ndarray) -> np.ndarray:
    """An array as a buffer holds it, the same memory where that is possible."""
    try:
        if array.dtype.kind == "V" and "int" in array.dtype.name:
            # ml_dtypes keeps a narrow integer in its low bits and leaves the sign to be read.
            array = array.astype(np.uint8 if array.dtype.name.startswith("u") else np.int8)
        return np.ascontiguousarray(array)
    except MemoryError as error:
        raise InputError(f"an argument takes {array.nbytes:,} bytes, which this machine does not give") from error


class Fixed:
    """An array that many calls take, as a buffer holds it: where it lies is looked up once."""

    __slots__ = ("address", "array")

    def __init__(self, array: np.ndarray) -> None:
        self.array = storage_array(array)
        self.address = array_address(self.array)


def address(array: np.ndarray | Fixed) -> int:
    return array.address if isinstance(array, Fixed) else array_address(array)


def array_address(array: np.ndarray) -> int:
    if array.flags.writeable and array.size and array.dtype.isbuiltin == 1:
        taken: Any = array  # which takes a third of the time
        return ctypes.addressof(ctypes.c_char.from_buffer(taken))
    return int(array.ctypes.data)
