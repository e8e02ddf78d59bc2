"""numpy arrays in the memory layout that compiled code reads, and their addresses."""

from __future__ import annotations

import ctypes
import sys
from collections.abc import Iterable
from functools import lru_cache
from math import prod
from typing import Any, Protocol

import numpy as np

from ..errors import InputError
from ..formats.mapped import forget, place_of
from ..ir import Type
from ..ir.dtypes import expect_tensor, extend_sign, numpy_dtype, static_shape
from ..machine import cache, forking

# Bytes, as in plan/memory.py; a vector that crosses a cache line takes twice as long to load.
ALIGNMENT = 64
# Arrays larger than this do not stay in a near cache, so loading them takes longer anyway.
LARGEST_NEAR = 1 << 20


def allocate_aligned(count: int, dtype: np.dtype) -> np.ndarray:
    """An uninitialised array of this many elements that begins at a cache line."""
    memory = np.empty(count * dtype.itemsize + ALIGNMENT, np.uint8)
    start = -memory.ctypes.data % ALIGNMENT
    return memory[start : start + count * dtype.itemsize].view(dtype)


def empty(dtype: np.dtype, shape: tuple[int, ...], purpose: str = "a result") -> np.ndarray:
    try:
        return np.empty(shape, dtype)
    except MemoryError as error:
        raise InputError(f"not enough memory for {purpose} of {prod(shape) * dtype.itemsize:,} bytes") from error


def align(array: np.ndarray) -> np.ndarray:
    """An array that many calls read, or a copy that begins at a cache line if that pays."""
    if not ALIGNMENT < array.nbytes <= LARGEST_NEAR or array_address(array) % ALIGNMENT == 0:
        return array
    copy = allocate_aligned(array.size, array.dtype).reshape(array.shape)
    copy[...] = array
    return copy


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


class ArrayPacking(Protocol):
    """Another order of an array's elements, in which a product reads them."""

    def pack(self, array: np.ndarray) -> np.ndarray: ...

    def unpack(self, packed: np.ndarray, shape: tuple[int, ...]) -> np.ndarray: ...


class Fixed:
    """An array that many calls use, as a buffer holds it.

    It may be packed. If nothing else refers to the array, that replaces it, and it is unpacked if it is needed again;
    an array in a mapped file leaves memory.
    """

    def __init__(self, array: np.ndarray) -> None:
        self._array: np.ndarray | None = storage_array(array)
        self._shape, self._address, self._lock = self._array.shape, 0, forking.lock()
        self._packed: dict[ArrayPacking, tuple[np.ndarray, int]] = {}

    @property
    def array(self) -> np.ndarray:
        with self._lock:
            return self._unpack()

    @property
    def unpacked(self) -> np.ndarray | None:
        """The array, unless a packed one has replaced it."""
        return self._array

    @property
    def address(self) -> int:
        """The address of the array, which is kept from now on."""
        if not self._address:
            with self._lock:
                self._array = align(self._unpack())
                self._address = array_address(self._array)
        return self._address

    def pack(self, packing: ArrayPacking) -> int:
        """The address of the array as it is packed."""
        found = self._packed.get(packing)
        if found is None:
            with self._lock:
                found = self._packed.get(packing) or self._pack(packing)
        return found[1]

    def _unpack(self) -> np.ndarray:
        if self._array is not None:
            return self._array
        packing, (packed, _) = next(iter(self._packed.items()))
        return packing.unpack(packed, self._shape)

    def _pack(self, packing: ArrayPacking) -> tuple[np.ndarray, int]:
        packed = pack(self._unpack(), packing)
        if not self._address and self._array is not None and references(self) in UNSHARED:
            self._array = None
        elif self._array is not None:
            forget(self._array)
        found = self._packed[packing] = packed, array_address(packed)
        return found


# The weights of a larger file are packed in each process, since they would push out everything else.
LARGEST_FILE = cache.BOUND // 2


def pack(array: np.ndarray, packing: ArrayPacking) -> np.ndarray:
    """A packed array. If the array is in a mapped file, the result is stored, and other processes map it."""
    place = place_of(array, LARGEST_FILE)
    if place is None:
        return packing.pack(array)
    name = cache.key("packed", place, str(array.dtype), str(array.shape), repr(packing))
    stored = cache.map_entry(name)
    if stored is None:
        packed = packing.pack(array)
        cache.write(name, packed.reshape(-1).view(np.uint8).data)
        stored = cache.map_entry(name)
        if stored is None:
            return packed
    return np.frombuffer(stored, array.dtype)


def references(fixed: Fixed) -> tuple[object, ...]:
    """How many references there are to an array, and to the array whose memory it is a view of."""
    assert fixed._array is not None
    count = sys.getrefcount(fixed._array)
    if fixed._array.base is None:
        return (count,)
    whole = getattr(fixed._array.base, "base", None) is None
    return count, type(fixed._array.base), whole, sys.getrefcount(fixed._array.base)


# What `references` finds if there are no others.
UNSHARED = [references(Fixed(np.empty(2, np.uint8))), references(Fixed(np.empty(4, np.uint8).view(np.uint16)))]


def address(array: np.ndarray | Fixed) -> int:
    return array.address if isinstance(array, Fixed) else array_address(array)


def array_address(array: np.ndarray) -> int:
    if array.flags.writeable and array.size and array.dtype.isbuiltin == 1:
        memory: Any = array
        return ctypes.addressof(ctypes.c_char.from_buffer(memory))  # takes a third of the time of array.ctypes.data
    return int(array.ctypes.data)


def addresses(values: Iterable[int]) -> Any:
    listed = list(values)
    return array_of_addresses(len(listed) or 1)(*listed)


@lru_cache
def array_of_addresses(count: int) -> Any:
    return ctypes.c_void_p * count
