"""Buffers on tinygrad's devices, and their conversion from and to arrays."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from math import prod
from typing import TypeAlias

import numpy as np
from tinygrad import dtypes
from tinygrad.device import Allocator
from tinygrad.device import Buffer as Buffer
from tinygrad.dtype import DType
from tinygrad.helpers import GlobalCounters

from ..errors import InputError
from ..ir import ComplexType, Type
from ..ir.dtypes import expect_tensor, extend_sign, numpy_dtype, static_shape
from .device import allocators, is_host, keep_context, launching
from .dtypes import storage_dtype


def buffer_layout(type: Type) -> tuple[tuple[int, ...], DType]:
    """The shape and dtype of a value's buffer; complex numbers are pairs along an additional last axis."""
    type = expect_tensor(type)
    shape = static_shape(type)
    return (*shape, 2) if isinstance(type.element, ComplexType) else shape, storage_dtype(type.element)


class Part:
    """A part of a buffer of bytes. It becomes a buffer of its own, which takes longer, only when it needs one."""

    __slots__ = ("__weakref__", "_view", "dtype", "nbytes", "offset", "whole")

    def __init__(self, whole: Buffer, offset: int, size: int, dtype: DType) -> None:
        self.whole, self.offset, self.nbytes, self.dtype = whole, offset, size * dtype.itemsize, dtype
        self._view: Buffer | None = None

    @property
    def buffer(self) -> Buffer:
        if self._view is None:
            size = self.nbytes // self.dtype.itemsize
            self._view = self.whole.view(size, self.dtype, self.offset).ensure_allocated()
        return self._view


BufferMemory: TypeAlias = Buffer | Part


def allocate(size: int, dtype: DType, device: str) -> Buffer | None:
    """A new buffer; None stands for a buffer without elements, which no device can allocate.

    Raises:
        InputError: the device does not have enough memory.
    """
    if size == 0:
        return None
    try:
        buffer = Buffer(device, size, dtype)
        # As Buffer.allocate, but without looking up the device, which tinygrad refuses while any thread compiles.
        with launching:  # the allocator's free list is shared
            name, size = buffer.device, buffer.nbytes
            buffer.allocator = allocators[device]
            buffer._bufs[name] = buffer.allocator.alloc(size)
            GlobalCounters.mem_used += size
            GlobalCounters.mem_used_per_device[name] += size
        return buffer
    except (MemoryError, OSError, OverflowError) as error:
        message = f"cannot allocate a buffer of {buffer.nbytes:,} bytes for the program: {error}"
        raise InputError(f"device {device} {message}") from error


# How many shapes are remembered.
MOST_SHAPES = 256
# Larger results have buffers of their own; small ones are parts of one, each at a multiple of this many bytes.
LARGEST_PART, PART_ALIGNMENT = 64 << 10, 256


def offsets_of_parts(sizes: Sequence[int]) -> tuple[dict[int, int], int]:
    """Where the results that are parts of one buffer begin in it, given the bytes of all results, and its size."""
    offsets, end = dict[int, int](), 0
    for i, size in enumerate(sizes):
        if 0 < size <= LARGEST_PART:
            offsets[i], end = end, end + -(-size // PART_ALIGNMENT) * PART_ALIGNMENT
    return (offsets, end) if len(offsets) > 1 else ({}, 0)


def allocate_results(
    layouts: tuple[tuple[int, DType], ...], device: str, given: Mapping[int, BufferMemory | None]
) -> tuple[list[BufferMemory | None], Buffer | None]:
    """Memory for results of these sizes and dtypes, except those that have memory, and the buffer around them."""
    offsets, size = parts_of(layouts)
    if not size and not given:
        return [allocate(size, dtype, device) for size, dtype in layouts], None
    whole = allocate(size if len(given) < len(layouts) else 0, dtypes.uint8, device)
    results: list[BufferMemory | None] = []
    for i, (size, dtype) in enumerate(layouts):
        if i in given:
            results.append(given[i])
        elif whole is not None and (offset := offsets.get(i)) is not None:
            results.append(Part(whole, offset, size, dtype))
        else:
            results.append(allocate(size, dtype, device))
    return results, whole


@lru_cache(MOST_SHAPES)
def parts_of(layouts: tuple[tuple[int, DType], ...]) -> tuple[dict[int, int], int]:
    """What `offsets_of_parts` returns for results of these sizes and dtypes."""
    return offsets_of_parts([size * dtype.itemsize for size, dtype in layouts])


def has_parts(device: str) -> bool:
    """Whether tinygrad has buffers on this device that are parts of others."""
    return type(allocators[device])._offset is not Allocator._offset


class Arena:
    """Memory on a device that buffers are parts of. Where tinygrad has no partial buffers, each has its own memory."""

    def __init__(self, size: int, device: str) -> None:
        self._device, self._parts = device, dict[tuple[int, int, DType], Buffer | None]()
        self._whole = allocate(size, dtypes.uint8, device) if has_parts(device) else None

    def part(self, offset: int, size: int, dtype: DType) -> Buffer | None:
        key = offset, size, dtype
        if key not in self._parts:
            if self._whole is None or not size:
                self._parts[key] = allocate(size, dtype, self._device)
            else:
                part = self._parts[key] = self._whole.view(size, dtype, offset)
                # As Buffer.allocate, but without looking up the device.
                part.allocator = self._whole.allocator
                part._bufs[part.device] = part.allocator._offset(self._whole._buf, part.nbytes, offset)
                self._whole.allocated_views += 1
        return self._parts[key]


def from_numpy(array: np.ndarray, type: Type, device: str) -> Buffer | None:
    """Copy an array of the type's numpy dtype to a new buffer."""
    shape, dtype = buffer_layout(type)
    buffer = allocate(prod(shape), dtype, device)
    copy_array(buffer, array)
    return buffer


def copy_array(buffer: Buffer | None, array: np.ndarray) -> None:
    """Copy an array to a buffer of its size."""
    if buffer is None:
        return
    array = extend_sign(truth_values(array))
    if is_host(buffer.device):
        # numpy copies the dtypes of ml_dtypes element by element, so copy their bits.
        array = array.view(f"u{array.itemsize}") if array.dtype.kind == "V" else array
        memory(buffer, array.dtype).reshape(array.shape)[...] = array
    else:
        raw = np.ascontiguousarray(array).reshape(-1).view(np.uint8)
        buffer.allocator._copyin(buffer._buf, (raw if raw.flags.writeable else raw.copy()).data)


def as_truth_values(buffer: Buffer | None, type: Type, device: str) -> Buffer | None:
    """The buffer, or a copy if it holds booleans with bytes other than 0 and 1."""
    if buffer is None or buffer.dtype != dtypes.bool:
        return buffer
    array = operand(buffer, type, device)
    normal = truth_values(array)
    return buffer if normal is array else from_numpy(normal, type, device)


def memory(buffer: Buffer, dtype: np.dtype) -> np.ndarray:
    """The memory of a buffer on the CPU, once all launches have finished; valid only while the buffer is alive."""
    buffer.allocator.dev.synchronize()
    return np.frombuffer(buffer.allocator._as_buffer(buffer.ensure_allocated()._buf), dtype)


def finish(device: str) -> None:
    """Wait until everything launched on a device has finished."""
    allocators[device].dev.synchronize()


def buffer_address(memory: BufferMemory | None) -> int:
    """The address of memory on the CPU, 0 for None; launches that use it may still be running."""
    if memory is None:
        return 0
    if isinstance(memory, Part):
        return buffer_address(memory.whole) + memory.offset
    allocated = memory._bufs.get(memory.device) if memory._base is None else None
    return int((allocated or memory.ensure_allocated()._buf).va_addr)


def device_address(memory: BufferMemory | None) -> int:
    """The address of memory on an NVIDIA GPU, 0 for None."""
    if memory is None:
        return 0
    if isinstance(memory, Part):
        return device_address(memory.whole) + memory.offset
    return int((memory._bufs.get(memory.device) or memory.ensure_allocated()._buf).value)


def device_addresses(memories: Sequence[BufferMemory | None]) -> list[int]:
    """The same for many, mostly whole buffers."""
    return [
        found.value if type(x) is Buffer and (found := x._bufs.get(x.device)) is not None else device_address(x)  # type: ignore[union-attr]
        for x in memories
    ]


def operand(buffer: Buffer | None, type: Type, device: str) -> np.ndarray:
    """A buffer's contents for a host rule: on the CPU a read-only view, valid only while the buffer is alive."""
    if buffer is None or not is_host(device):
        return to_numpy(buffer, type)
    type = expect_tensor(type)
    array = memory(buffer, numpy_dtype(type.element)).reshape(static_shape(type))
    array.flags.writeable = False
    return array


def to_numpy(buffer: BufferMemory | None, type: Type, array: np.ndarray | None = None) -> np.ndarray:
    """Copy a buffer to an array of the type's numpy dtype, or to a new one."""
    type = expect_tensor(type)
    if array is None:
        array = np.empty(static_shape(type), numpy_dtype(type.element))
    if buffer is not None:
        whole = buffer.buffer if isinstance(buffer, Part) else buffer
        with keep_context(whole.device):
            whole.allocator._copyout(array.reshape(-1).view(np.uint8).data, whole.ensure_allocated()._buf)
    return array


def copy_buffer(buffer: Buffer | None, device: str) -> Buffer | None:
    """A new buffer with the same contents."""
    if buffer is None:
        return None
    result = allocate(buffer.size, buffer.dtype, device)
    copy_into(result, buffer)
    return result


def shared(memories: Sequence[object]) -> set[int]:
    """The numbers of the buffers and parts of buffers among some objects that have bytes in common with others."""
    groups: dict[int, list[tuple[int, BufferMemory]]] = {}  # by the buffer that owns the memory
    for n, x in enumerate(memories):
        if isinstance(x, (Buffer, Part)):
            groups.setdefault(id(x.whole if isinstance(x, Part) else x.base), []).append((n, x))
    together = [group for group in groups.values() if len(group) > 1]
    return {n for group in together for n, x in group for m, y in group if n != m and overlap(x, y)}


def overlap(memory: BufferMemory, other: BufferMemory) -> bool:
    """Whether two parts of a buffer have bytes in common."""
    return bool(memory.offset < other.offset + other.nbytes and other.offset < memory.offset + memory.nbytes)


def copy_into(target: Buffer | None, source: Buffer | None) -> None:
    """Copy a buffer to another one of the same size on the same device."""
    if target is None or source is None:
        return
    allocator, to, origin = target.allocator, target.ensure_allocated()._buf, source.ensure_allocated()._buf
    if allocator.supports_transfer and hasattr(allocator, "_transfer"):
        allocator._transfer(to, origin, target.nbytes, src_dev=allocator.dev, dest_dev=allocator.dev)
        return
    raw = np.empty(target.nbytes, np.uint8)
    allocator._copyout(raw.data, origin)
    allocator._copyin(to, raw.data)


def truth_values(array: np.ndarray) -> np.ndarray:
    """The array, or a copy if it holds booleans with bytes other than 0 and 1, which numpy allows."""
    if array.dtype != np.bool_ or np.max(array.view(np.uint8), initial=0) <= 1:
        return array
    normal: np.ndarray = array.view(np.uint8) != 0
    return normal
