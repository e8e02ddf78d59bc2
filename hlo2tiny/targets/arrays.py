"""numpy arrays in the memory layout that compiled code reads, and their addresses."""

from __future__ import annotations

import ctypes
from typing import Any

import numpy as np

from ..errors import InputError
from ..ir import Type
from ..ir.dtypes import expect_tensor, extend_sign, numpy_dtype, static_shape


def dtype_and_shape(type: Type) -> tuple[np.dtype, tuple[int, ...]]:
    """The dtype and shape of the numpy array that holds a value."""
    tensor = expect_tensor(type)
    return numpy_dtype(tensor.element), static_shape(tensor)


def storage_array(array: np.ndarray) -> np.ndarray:
    """Return an array as a buffer holds it, without a copy if possible."""
    try:
        return np.ascontiguousarray(extend_sign(array))
    except MemoryError as error:
        raise InputError(f"not enough memory to copy an argument of {array.nbytes:,} bytes") from error


class Fixed:
    """An array that many calls use, as a buffer holds it; its address is looked up once."""

    __slots__ = ("address", "array")

    def __init__(self, array: np.ndarray) -> None:
        self.array = storage_array(array)
        self.address = array_address(self.array)


def address(array: np.ndarray | Fixed) -> int:
    return array.address if isinstance(array, Fixed) else array_address(array)


def array_address(array: np.ndarray) -> int:
    if array.flags.writeable and array.size and array.dtype.isbuiltin == 1:
        memory: Any = array
        return ctypes.addressof(ctypes.c_char.from_buffer(memory))  # a third of the time that array.ctypes.data takes
    return int(array.ctypes.data)
