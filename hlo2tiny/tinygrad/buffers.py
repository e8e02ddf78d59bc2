"""Buffers on tinygrad's devices, and arrays and tensors that go there and back."""

from __future__ import annotations

import contextlib
from math import prod

import numpy as np
from tinygrad import Tensor, dtypes
from tinygrad.device import Buffer as Buffer
from tinygrad.dtype import DType
from tinygrad.helpers import GlobalCounters
from tinygrad.uop.ops import Ops, UOp

from ..errors import InputError
from ..ir import ComplexType, ScalarType, TensorType, Type
from ..ir.dtypes import as_tensor, numpy_dtype, static_shape
from .device import allocators, launching
from .dtypes import storage_dtype
from .expressions import is_constant
from .schedule import as_flat
from .settings import building, user_settings


def buffer_layout(type: Type) -> tuple[tuple[int, ...], DType]:
    """Shape and dtype of a value's buffer: complex numbers are pairs along a last axis."""
    type = as_tensor(type)
    assert isinstance(type, TensorType)
    shape = static_shape(type)
    return (*shape, 2) if isinstance(type.element, ComplexType) else shape, storage_dtype(type.element)


def allocate(size: int, dtype: DType, device: str) -> Buffer | None:
    """A buffer of its own; None stands for one of no elements, which no device allocates."""
    if size == 0:
        return None
    try:
        buffer = Buffer(device, size, dtype)
        # As Buffer.allocate does, without looking the device up: while a thread compiles, tinygrad refuses that to all.
        with launching:  # the allocator's free list is shared
            buffer.allocator = allocators[device]
            buffer._bufs[buffer.device] = buffer.allocator.alloc(buffer.nbytes)
            GlobalCounters.mem_used += buffer.nbytes
            GlobalCounters.mem_used_per_device[buffer.device] += buffer.nbytes
        return buffer
    except (MemoryError, OSError, OverflowError) as error:
        needed = f"{size * dtype.itemsize:,} bytes on {device}"
        raise InputError(
            f"the program needs a buffer of {needed}, which this machine does not give: {error}"
        ) from error


def from_numpy(array: np.ndarray, type: Type, device: str) -> Buffer | None:
    """Copy an array of the type's numpy dtype to a new buffer."""
    shape, dtype = buffer_layout(type)
    buffer = allocate(prod(shape), dtype, device)
    if buffer is not None:
        array = truth_values(array)
        if dtype in (dtypes.int8, dtypes.uint8) and "int" in array.dtype.name:
            # ml_dtypes keeps a narrow integer in its low bits and leaves the sign to be read.
            array = array.astype(np.int8 if dtype == dtypes.int8 else np.uint8)
        if device.startswith("CPU"):
            # A type that numpy does not know itself is copied element by element, so as bits.
            array = array.view(f"u{array.itemsize}") if array.dtype.kind == "V" else array
            memory(buffer, array.dtype).reshape(array.shape)[...] = array
            return buffer
        raw = np.ascontiguousarray(array).reshape(-1).view(np.uint8)
        buffer.allocator._copyin(buffer._buf, (raw if raw.flags.writeable else raw.copy()).data)
    return buffer


def as_truth_values(buffer: Buffer | None, type: Type, device: str) -> Buffer | None:
    """A value's buffer; if it holds booleans, one whose bytes are 0 and 1."""
    if buffer is None or buffer.dtype != dtypes.bool:
        return buffer
    given = operand(buffer, type, device)
    array = truth_values(given)
    return buffer if array is given else from_numpy(array, type, device)


def memory(buffer: Buffer, dtype: np.dtype) -> np.ndarray:
    """The memory of a buffer on the CPU, when what was launched has run; it is valid while the buffer is held."""
    buffer.allocator.dev.synchronize()
    return np.frombuffer(buffer.allocator._as_buffer(buffer.ensure_allocated()._buf), dtype)


def finish(device: str) -> None:
    """Wait for what was launched on a device."""
    allocators[device].dev.synchronize()


def buffer_address(buffer: Buffer | None) -> int:
    """Where a buffer on the CPU lies; what is launched on it may still run."""
    return 0 if buffer is None else int(buffer.ensure_allocated()._buf.va_addr)


def operand(buffer: Buffer | None, type: Type, device: str) -> np.ndarray:
    """A buffer's contents as a host rule reads them: on the CPU where they lie, valid while the buffer is held."""
    type = as_tensor(type)
    if buffer is None or not device.startswith("CPU"):
        return to_numpy(buffer, type)
    assert isinstance(type, TensorType)
    array = memory(buffer, numpy_dtype(type.element)).reshape(static_shape(type))
    array.flags.writeable = False
    return array


def to_numpy(buffer: Buffer | None, type: Type) -> np.ndarray:
    """Copy a buffer to a new array of the type's numpy dtype."""
    type = as_tensor(type)
    assert isinstance(type, TensorType)
    array = np.empty(static_shape(type), numpy_dtype(type.element))
    if buffer is not None:
        buffer.allocator._copyout(array.reshape(-1).view(np.uint8).data, buffer.ensure_allocated()._buf)
    return array


def copied(buffer: Buffer | None, device: str) -> Buffer | None:
    """A buffer of the same contents that nothing else refers to."""
    if buffer is None:
        return None
    result = allocate(buffer.size, buffer.dtype, device)
    assert result is not None
    raw = np.empty(buffer.nbytes, np.uint8)
    buffer.allocator._copyout(raw.data, buffer._buf)
    result.allocator._copyin(result._buf, raw.data)
    return result


# tinygrad's own dtypes for element types whose bits are stored as integers.
TENSOR_DTYPES = {
    "bf16": dtypes.bfloat16,
    "f16": dtypes.float16,
    "f8E4M3FN": dtypes.fp8e4m3,
    "f8E4M3FNUZ": dtypes.fp8e4m3fnuz,
    "f8E5M2": dtypes.fp8e5m2,
    "f8E5M2FNUZ": dtypes.fp8e5m2fnuz,
}


def tensor_dtype(type: TensorType) -> DType:
    """The dtype that a Tensor of this type has outside: tinygrad's own where it has one."""
    if isinstance(type.element, ScalarType) and type.element.name in TENSOR_DTYPES:
        return TENSOR_DTYPES[type.element.name]
    return storage_dtype(type.element)


def from_tensor(tensor: Tensor, type: TensorType, device: str) -> Buffer | None:
    """The buffer of a tensor, realized on the device; views are copied, others used where they lie."""
    with building:
        shape, dtype = buffer_layout(type)
        if 0 in shape:
            return None
        lies = as_flat(tensor.uop)
        buffer = lies.realized if lies.op is Ops.BUFFER else None
        if isinstance(buffer, Buffer) and (buffer.device, buffer.dtype, buffer.size) == (device, dtype, prod(shape)):
            return buffer  # as below, in a tenth of the time
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
    """A tensor over a buffer that a run made."""
    with building:
        shape, dtype = buffer_layout(type)
        if buffer is None:
            return Tensor.zeros(*shape, dtype=tensor_dtype(type), device=device)
        wanted = tensor_dtype(type)
        if wanted != dtype:
            with contextlib.suppress(NotImplementedError):  # not every device has views
                buffer = buffer.view(buffer.size, wanted, 0).ensure_allocated()
        tensor = Tensor(UOp.from_buffer(buffer)).reshape(shape)
        # A copy of narrow floats would pass through float32, which changes f8.
        return tensor if tensor.dtype == wanted else tensor.bitcast(wanted)


def copy_into(target: Buffer | None, source: Buffer | None) -> None:
    """Copy a buffer to another one of the same size on the same device."""
    if target is None or source is None:
        return
    allocator, to, of = target.allocator, target.ensure_allocated()._buf, source.ensure_allocated()._buf
    if allocator.supports_transfer and hasattr(allocator, "_transfer"):
        allocator._transfer(to, of, target.nbytes, src_dev=allocator.dev, dest_dev=allocator.dev)
        return
    raw = np.empty(target.nbytes, np.uint8)
    allocator._copyout(raw.data, of)
    allocator._copyin(to, raw.data)


def truth_values(array: np.ndarray) -> np.ndarray:
    """Booleans each of which is 0 or 1; numpy takes any byte for true that is not 0."""
    if array.dtype != np.bool_ or array.view(np.uint8).max(initial=0) <= 1:
        return array
    normal: np.ndarray = array.view(np.uint8) != 0
    return normal
