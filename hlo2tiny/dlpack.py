"""DLPack: arrays of other libraries, read in place, and memory of ours that they read.

The structures are those of dlpack.h 1.0; a Python capsule carries one from the memory's owner to its borrower.
"""

from __future__ import annotations

import ctypes
import weakref
from collections.abc import Sequence
from ctypes import POINTER, c_int32, c_int64, c_uint8, c_uint16, c_uint32, c_uint64, c_void_p
from math import prod
from typing import Any

import ml_dtypes
import numpy as np

from .records import dataclass

# The kinds of devices, by tinygrad's names.
DEVICES = {"CPU": 1, "CUDA": 2}
KINDS = {"i": 0, "u": 1, "f": 2, "c": 5, "b": 6}
NARROW = {
    (4, 16): ml_dtypes.bfloat16, (7, 8): ml_dtypes.float8_e3m4, (8, 8): ml_dtypes.float8_e4m3,
    (9, 8): ml_dtypes.float8_e4m3b11fnuz, (10, 8): ml_dtypes.float8_e4m3fn, (11, 8): ml_dtypes.float8_e4m3fnuz,
    (12, 8): ml_dtypes.float8_e5m2, (13, 8): ml_dtypes.float8_e5m2fnuz, (14, 8): ml_dtypes.float8_e8m0fnu,
}  # fmt: skip
READ_ONLY = 1  # a flag
TENSOR, USED, VERSIONED, USED_VERSIONED = (
    b"dltensor",
    b"used_dltensor",
    b"dltensor_versioned",
    b"used_dltensor_versioned",
)


class Device(ctypes.Structure):
    _fields_ = [("type", c_int32), ("number", c_int32)]


class ElementCode(ctypes.Structure):
    _fields_ = [("code", c_uint8), ("bits", c_uint8), ("lanes", c_uint16)]


class DeviceMemory(ctypes.Structure):
    _fields_ = [
        ("data", c_void_p), ("device", Device), ("rank", c_int32), ("type", ElementCode), ("shape", POINTER(c_int64)),
        ("strides", POINTER(c_int64)), ("offset", c_uint64),
    ]  # fmt: skip


Deleter = ctypes.CFUNCTYPE(None, c_void_p)


class Managed(ctypes.Structure):
    _fields_ = [("memory", DeviceMemory), ("context", c_void_p), ("deleter", c_void_p)]


class ManagedVersioned(ctypes.Structure):
    _fields_ = [
        ("major", c_uint32), ("minor", c_uint32), ("context", c_void_p), ("deleter", c_void_p), ("flags", c_uint64),
        ("memory", DeviceMemory),
    ]  # fmt: skip


def python_function(name: str, result: Any, *arguments: Any) -> Any:
    return ctypes.PYFUNCTYPE(result, *arguments)((name, ctypes.pythonapi))


capsule_is_valid = python_function("PyCapsule_IsValid", ctypes.c_int, ctypes.py_object, ctypes.c_char_p)
capsule_pointer = python_function("PyCapsule_GetPointer", c_void_p, ctypes.py_object, ctypes.c_char_p)
rename_capsule = python_function("PyCapsule_SetName", ctypes.c_int, ctypes.py_object, ctypes.c_char_p)
new_capsule = python_function("PyCapsule_New", ctypes.py_object, c_void_p, ctypes.c_char_p, c_void_p)
# The same for a capsule that is being deleted, of which no reference may be taken.
dying_is_valid = python_function("PyCapsule_IsValid", ctypes.c_int, c_void_p, ctypes.c_char_p)
dying_pointer = python_function("PyCapsule_GetPointer", c_void_p, c_void_p, ctypes.c_char_p)


# ---------------------------------------------------------------- borrowing


class Owner:
    """Keeps borrowed memory alive."""

    def __init__(self, managed: Managed | ManagedVersioned, address: int) -> None:
        if managed.deleter:
            weakref.finalize(self, Deleter(managed.deleter), address).atexit = False


@dataclass(frozen=True, eq=False)
class BorrowedTensor:
    """Memory of another library: the address of its first number, and the strides in bytes."""

    address: int
    device: tuple[int, int]
    dtype: np.dtype
    shape: tuple[int, ...]
    strides: tuple[int, ...]
    is_read_only: bool
    owner: Owner

    @property
    def is_contiguous(self) -> bool:
        steps = contiguous_steps(self.shape, self.dtype.itemsize)
        return 0 in self.shape or all(n == 1 or a == b for n, a, b in zip(self.shape, self.strides, steps))

    def array(self) -> np.ndarray:
        """The memory as an array, if it is the host's."""
        reach = [(n - 1) * step for n, step in zip(self.shape, self.strides)]
        low, high = sum(min(0, r) for r in reach), sum(max(0, r) for r in reach) + self.dtype.itemsize
        if 0 in self.shape:
            return np.empty(self.shape, self.dtype)
        memory: Any = (ctypes.c_char * (high - low)).from_address(self.address + low)
        memory.owner = self.owner
        result = np.ndarray(self.shape, self.dtype, memory, -low, self.strides)
        result.flags.writeable = not self.is_read_only
        return result


def contiguous_steps(shape: Sequence[int], itemsize: int) -> tuple[int, ...]:
    return tuple(prod(shape[i + 1 :]) * itemsize for i in range(len(shape)))


def device_of(value: Any) -> str | None:
    """tinygrad's name for the device of an array; None if it offers no memory of one of DEVICES by DLPack."""
    if not hasattr(value, "__dlpack__") or not hasattr(value, "__dlpack_device__"):
        return None
    try:
        kind, number = map(int, value.__dlpack_device__())
    except Exception:  # such as an array that is distributed over several devices
        return None
    name = {kind: name for name, kind in DEVICES.items()}.get(kind)
    return f"{name}:{number}" if name and name != "CPU" and number else name


def borrow(value: Any, stream: int | None = None) -> BorrowedTensor:
    """The memory of an array, ready for what is launched on a CUDA stream afterwards.

    Raises:
        BufferError: its owner does not share it, or its numbers have a type that numpy and ml_dtypes lack.
    """
    how = {} if stream is None else {"stream": stream}
    try:
        capsule = value.__dlpack__(max_version=(1, 0), **how)
    except TypeError:  # an older library
        capsule = value.__dlpack__(**how)
    for name, used, kind in ((VERSIONED, USED_VERSIONED, ManagedVersioned), (TENSOR, USED, Managed)):
        if capsule_is_valid(capsule, name):
            address = capsule_pointer(capsule, name)
            managed = kind.from_address(address)
            rename_capsule(capsule, used)
            break
    else:
        raise BufferError(f"{type(value).__name__}.__dlpack__ did not return a DLPack capsule")
    owner, memory = Owner(managed, address), managed.memory
    dtype = dtype_of(memory.type)
    shape = tuple(memory.shape[: memory.rank])
    steps = contiguous_steps(shape, dtype.itemsize)
    if memory.strides:
        steps = tuple(step * dtype.itemsize for step in memory.strides[: memory.rank])
    read_only = isinstance(managed, ManagedVersioned) and bool(managed.flags & READ_ONLY)
    address = (memory.data or 0) + memory.offset
    return BorrowedTensor(address, (memory.device.type, memory.device.number), dtype, shape, steps, read_only, owner)


def dtype_of(type: ElementCode) -> np.dtype:
    code, bits = type.code, type.bits
    kind = next((letter for letter, number in KINDS.items() if number == code), "")
    if type.lanes == 1 and (code, bits) in NARROW:
        narrow: np.dtype = np.dtype(NARROW[code, bits])
        return narrow
    if type.lanes != 1 or bits % 8 or not kind:
        raise BufferError(f"DLPack numbers of type {code} with {bits} bits and {type.lanes} lanes are not supported")
    return np.dtype(f"{kind}{bits // 8}")


# ---------------------------------------------------------------- lending

# What is shared: the structures and the owners of the memory, by the structures' addresses.
_lent: dict[int, Any] = {}


# The interpreter may have cleared this module when the last arrays go.
def give_back(address: int, lent: dict[int, Any] = _lent) -> None:
    lent.pop(address, None)


def delete_capsule(capsule: int) -> None:
    """Release what nobody has borrowed from a capsule."""
    for name in (TENSOR, VERSIONED):
        if dying_is_valid(capsule, name):
            _lent.pop(dying_pointer(capsule, name), None)


GIVE_BACK, DELETE_CAPSULE = Deleter(give_back), ctypes.PYFUNCTYPE(None, c_void_p)(delete_capsule)


def lend(
    address: int,
    device: tuple[int, int],
    dtype: np.dtype,
    shape: Sequence[int],
    owner: object,
    versioned: bool,
    readonly: bool = False,
) -> Any:
    """A capsule with contiguous memory, which its owner keeps alive; only a `versioned` one can be `readonly`.

    Raises:
        BufferError: DLPack has no such type.
    """
    narrow = next((key for key, kind in NARROW.items() if np.dtype(kind) == dtype), None)
    if narrow is None and dtype.kind not in KINDS:
        raise BufferError(f"DLPack has no type for {dtype}")
    code, bits = narrow or (KINDS[dtype.kind], 8 * dtype.itemsize)
    rank = len(shape)
    sizes = (c_int64 * (2 * rank))(
        *shape, *(step // dtype.itemsize for step in contiguous_steps(shape, dtype.itemsize))
    )
    first = ctypes.cast(sizes, POINTER(c_int64))
    second = ctypes.cast(ctypes.addressof(sizes) + 8 * rank, POINTER(c_int64))
    memory = DeviceMemory(address, Device(*device), rank, ElementCode(code, bits, 1), first, second, 0)
    deleter = ctypes.cast(GIVE_BACK, c_void_p)
    flags = READ_ONLY if readonly else 0
    managed = ManagedVersioned(1, 0, None, deleter, flags, memory) if versioned else Managed(memory, None, deleter)
    address = ctypes.addressof(managed)
    _lent[address] = managed, sizes, owner
    return new_capsule(address, VERSIONED if versioned else TENSOR, ctypes.cast(DELETE_CAPSULE, c_void_p))
