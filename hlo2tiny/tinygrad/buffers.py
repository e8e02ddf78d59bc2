"""Buffers on tinygrad's devices, and their conversion from and to arrays and tensors."""

from __future__ import annotations

import contextlib
import weakref
from functools import lru_cache
from math import prod

import numpy as np
from tinygrad import Tensor, dtypes
from tinygrad.device import Buffer as Buffer
from tinygrad.dtype import DType
from tinygrad.helpers import GlobalCounters
from tinygrad.tensor import all_tensors
from tinygrad.uop.ops import Ops, UOp

from ..errors import InputError
from ..ir import ComplexType, ScalarType, TensorType, Type
from ..ir.dtypes import expect_tensor, extend_sign, numpy_dtype, static_shape
from .device import allocators, launching
from .dtypes import storage_dtype
from .expressions import is_constant
from .schedule import as_flat
from .settings import building, user_settings


def buffer_layout(type: Type) -> tuple[tuple[int, ...], DType]:
    """The shape and dtype of a value's buffer; complex numbers are pairs along an additional last axis."""
    type = expect_tensor(type)
    shape = static_shape(type)
    return (*shape, 2) if isinstance(type.element, ComplexType) else shape, storage_dtype(type.element)


def allocate(size: int, dtype: DType, device: str) -> Buffer | None:
    """A new buffer; None stands for a buffer without elements, which no device can allocate.

    Raises:
        InputError: the device has not enough memory.
    """
    if size == 0:
        return None
    try:
        buffer = Buffer(device, size, dtype)
        # As Buffer.allocate, but without looking up the device, which tinygrad refuses while any thread compiles.
        with launching:  # the allocator's free list is shared
            buffer.allocator = allocators[device]
            buffer._bufs[buffer.device] = buffer.allocator.alloc(buffer.nbytes)
            GlobalCounters.mem_used += buffer.nbytes
            GlobalCounters.mem_used_per_device[buffer.device] += buffer.nbytes
        return buffer
    except (MemoryError, OSError, OverflowError) as error:
        needed = f"{size * dtype.itemsize:,} bytes"
        raise InputError(f"device {device} cannot allocate a buffer of {needed} for the program: {error}") from error


def from_numpy(array: np.ndarray, type: Type, device: str) -> Buffer | None:
    """Copy an array of the type's numpy dtype to a new buffer."""
    shape, dtype = buffer_layout(type)
    buffer = allocate(prod(shape), dtype, device)
    if buffer is None:
        return None
    array = extend_sign(truth_values(array))
    if device.startswith("CPU"):
        # numpy copies the dtypes of ml_dtypes element by element, so copy their bits.
        array = array.view(f"u{array.itemsize}") if array.dtype.kind == "V" else array
        memory(buffer, array.dtype).reshape(array.shape)[...] = array
    else:
        raw = np.ascontiguousarray(array).reshape(-1).view(np.uint8)
        buffer.allocator._copyin(buffer._buf, (raw if raw.flags.writeable else raw.copy()).data)
    return buffer


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


def buffer_address(buffer: Buffer | None) -> int:
    """The address of a buffer on the CPU, 0 for None; launches that use it may still be running."""
    return 0 if buffer is None else int(buffer.ensure_allocated()._buf.va_addr)


def device_address(buffer: Buffer | None) -> int:
    """The address of a buffer on an NVIDIA GPU, 0 for None."""
    return 0 if buffer is None else int(buffer.ensure_allocated()._buf.value)


def operand(buffer: Buffer | None, type: Type, device: str) -> np.ndarray:
    """A buffer's contents for a host rule: on the CPU a read-only view, valid only while the buffer is alive."""
    if buffer is None or not device.startswith("CPU"):
        return to_numpy(buffer, type)
    type = expect_tensor(type)
    array = memory(buffer, numpy_dtype(type.element)).reshape(static_shape(type))
    array.flags.writeable = False
    return array


def to_numpy(buffer: Buffer | None, type: Type, array: np.ndarray | None = None) -> np.ndarray:
    """Copy a buffer to an array of the type's numpy dtype, or to a new one."""
    type = expect_tensor(type)
    if array is None:
        array = np.empty(static_shape(type), numpy_dtype(type.element))
    if buffer is not None:
        buffer.allocator._copyout(array.reshape(-1).view(np.uint8).data, buffer.ensure_allocated()._buf)
    return array


def copied(buffer: Buffer | None, device: str) -> Buffer | None:
    """A new buffer with the same contents."""
    if buffer is None:
        return None
    result = allocate(buffer.size, buffer.dtype, device)
    assert result is not None
    raw = np.empty(buffer.nbytes, np.uint8)
    buffer.allocator._copyout(raw.data, buffer._buf)
    result.allocator._copyin(result._buf, raw.data)
    return result


# tinygrad's dtypes for element types that our buffers store as integers.
TENSOR_DTYPES = {
    "bf16": dtypes.bfloat16,
    "f16": dtypes.float16,
    "f8E4M3FN": dtypes.fp8e4m3,
    "f8E4M3FNUZ": dtypes.fp8e4m3fnuz,
    "f8E5M2": dtypes.fp8e5m2,
    "f8E5M2FNUZ": dtypes.fp8e5m2fnuz,
}


def tensor_dtype(type: TensorType) -> DType:
    """The dtype of a user's Tensor of this type: tinygrad's own dtype for the element type if it has one."""
    if isinstance(type.element, ScalarType) and type.element.name in TENSOR_DTYPES:
        return TENSOR_DTYPES[type.element.name]
    return storage_dtype(type.element)


def own_buffer(tensor: Tensor, type: TensorType, device: str) -> Buffer | None:
    """The whole buffer of a realized tensor of this type; None if the tensor has none on the device."""
    shape, dtype = buffer_layout(type)
    base = as_flat(tensor.uop)
    buffer = base.realized if base.op is Ops.BUFFER else None
    if not isinstance(buffer, Buffer) or buffer.device != device or buffer.nbytes != prod(shape) * dtype.itemsize:
        return None
    if buffer.dtype == dtype:
        return buffer
    if buffer.base.dtype == dtype and buffer.base.nbytes == buffer.nbytes:
        return buffer.base
    return buffer.view(prod(shape), dtype, 0).ensure_allocated() if device.startswith("CUDA") else None


def share_memory(buffer: Buffer | None, other: object) -> bool:
    return buffer is not None and isinstance(other, Buffer) and other.base is buffer.base


class GivenUp(Tensor):  # type: ignore[misc]
    """A tensor whose memory a call has taken for a result."""

    __slots__ = ()

    @property
    def uop(self) -> UOp:
        raise InputError(
            "this Tensor was donated to an earlier call, which took its memory; use the result of that call"
        )

    def __repr__(self) -> str:
        return "<Tensor donated to a call>"


def give_up(tensor: Tensor) -> None:
    """Let every later use of a tensor raise InputError."""
    all_tensors.pop(weakref.ref(tensor), None)  # tinygrad looks at those whenever it realizes something
    tensor.__class__ = GivenUp


# The buffers of tensors that were arguments, while their values exist: weights are passed again and again.
_own_buffers: weakref.WeakKeyDictionary[UOp, tuple[TensorType, str, Buffer]] = weakref.WeakKeyDictionary()


def from_tensor(tensor: Tensor, type: TensorType, device: str) -> Buffer | None:
    """The buffer of a tensor, realized on the device; it is copied only if the tensor is a view."""
    known = _own_buffers.get(tensor.uop)
    if known is not None and known[0] is type and known[1] == device:
        return known[2]
    with building:
        shape, dtype = buffer_layout(type)
        if 0 in shape:
            return None
        buffer = own_buffer(tensor, type, device)
        if buffer is not None:  # the same as below, in a tenth of the time
            _own_buffers[tensor.uop] = type, device, buffer
            return buffer
        if is_constant(tensor):
            tensor = tensor.clone(device)
        tensor = tensor.to(device).contiguous()
        tensor = tensor if tensor.dtype == dtype else tensor.bitcast(dtype).contiguous()
        with user_settings():
            tensor.realize()
        buffer = tensor.uop.base.buffer if tensor.uop.has_buffer_identity() else tensor.uop.buffer
        assert isinstance(buffer, Buffer)
        return buffer.ensure_allocated()


def to_tensor(buffer: Buffer | None, type: TensorType, device: str) -> Tensor:
    """A user's tensor that shares a result's buffer."""
    with building:
        shape, stored = buffer_layout(type)
        dtype = tensor_dtype(type)
        if buffer is None:
            return Tensor.zeros(*shape, dtype=dtype, device=device)
        if dtype != stored:
            with contextlib.suppress(NotImplementedError):  # not every device has views
                buffer = buffer.view(buffer.size, dtype, 0).ensure_allocated()
        tensor = Tensor(shaped(UOp.from_buffer(buffer), shape))
        # A conversion of narrow floats would go through float32, which changes f8.
        return tensor if tensor.dtype == dtype else tensor.bitcast(dtype)


def sharded(tensor: Tensor, dimension: int | None, devices: tuple[str, ...]) -> Tensor:
    """A whole Tensor, cut along a dimension and spread over devices, or whole on each of them for None.

    tinygrad knows no other shardings; for those, which have the dimension -1, it stays whole on one device.
    """
    with building:
        return tensor if dimension == -1 or 0 in tensor.shape else tensor.shard(devices, dimension)


# How many shapes are remembered.
MOST_SHAPES = 256


def shaped(flat: UOp, shape: tuple[int, ...]) -> UOp:
    """The value of a flat buffer in a shape; tinygrad takes long to check a shape, which is done once for each."""
    shaping = shape_operands(flat.dtype, shape)
    return UOp(Ops.RESHAPE, src=(flat, *shaping)) if shaping else flat


@lru_cache(MOST_SHAPES)
def shape_operands(dtype: DType, shape: tuple[int, ...]) -> tuple[UOp, ...]:
    """The operands of a reshape besides the value; () if the shape is that of the buffer."""
    flat = UOp.new_buffer("NPY", prod(shape), dtype)
    result = flat.reshape(shape)
    return () if result is flat else tuple(result.src[1:])


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
    if array.dtype != np.bool_ or array.view(np.uint8).max(initial=0) <= 1:
        return array
    normal: np.ndarray = array.view(np.uint8) != 0
    return normal
