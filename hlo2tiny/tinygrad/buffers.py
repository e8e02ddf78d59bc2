"""Buffers on tinygrad's devices, and their conversion from and to arrays and tensors."""

from __future__ import annotations

import contextlib
import ctypes
import weakref
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import lru_cache
from math import prod
from typing import Any, TypeAlias

import ml_dtypes
import numpy as np
from tinygrad import Tensor, dtypes
from tinygrad.device import Allocator, BufferSpec, MultiBuffer
from tinygrad.device import Buffer as Buffer
from tinygrad.dtype import DType
from tinygrad.helpers import GlobalCounters
from tinygrad.tensor import all_tensors
from tinygrad.uop.ops import Ops, ParamArg, UOp
from tinygrad.uop.ops import buffers as buffers_of_tinygrad

from .. import dlpack
from ..errors import InputError
from ..ir import ComplexType, ScalarType, TensorType, Type
from ..ir.dtypes import expect_tensor, extend_sign, numpy_dtype, static_shape
from .device import allocators, is_cuda, is_host, keep_context, launching
from .dtypes import storage_dtype
from .expressions import as_flat, is_constant
from .settings import building, user_settings


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


def places_of_parts(sizes: Sequence[int]) -> tuple[dict[int, int], int]:
    """Where the results that are parts of one buffer begin in it, given the bytes of all results, and its size."""
    places, end = dict[int, int](), 0
    for i, size in enumerate(sizes):
        if 0 < size <= LARGEST_PART:
            places[i], end = end, end + -(-size // PART_ALIGNMENT) * PART_ALIGNMENT
    return (places, end) if len(places) > 1 else ({}, 0)


def allocate_results(
    layouts: tuple[tuple[int, DType], ...], device: str, given: Mapping[int, BufferMemory | None]
) -> tuple[list[BufferMemory | None], Buffer | None]:
    """Memory for results of these sizes and dtypes, except those that have memory, and the buffer around them."""
    places, size = parts_of(layouts)
    if not size and not given:
        return [allocate(size, dtype, device) for size, dtype in layouts], None
    whole = allocate(size if len(given) < len(layouts) else 0, dtypes.uint8, device)
    results: list[BufferMemory | None] = []
    for i, (size, dtype) in enumerate(layouts):
        if i in given:
            results.append(given[i])
        elif whole is not None and (place := places.get(i)) is not None:
            results.append(Part(whole, place, size, dtype))
        else:
            results.append(allocate(size, dtype, device))
    return results, whole


@lru_cache(MOST_SHAPES)
def parts_of(layouts: tuple[tuple[int, DType], ...]) -> tuple[dict[int, int], int]:
    """What `places_of_parts` returns for results of these sizes and dtypes."""
    return places_of_parts([size * dtype.itemsize for size, dtype in layouts])


class Arena:
    """Memory on a device that buffers are parts of. Where tinygrad has no partial buffers, each has its own memory."""

    def __init__(self, size: int, device: str) -> None:
        self._device, self._parts = device, dict[tuple[int, int, DType], Buffer | None]()
        divisible = type(allocators[device])._offset is not Allocator._offset
        self._whole = allocate(size, dtypes.uint8, device) if divisible else None

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
    own = value_of(tensor)
    if isinstance(own, Pending) and own.fits(type, device):
        return own.memory.buffer if isinstance(own.memory, Part) else own.memory
    shape, dtype = buffer_layout(type)
    base = as_flat(tensor.uop)
    buffer = base.realized if base.op is Ops.BUFFER else None
    if not isinstance(buffer, Buffer) or buffer.device != device or buffer.nbytes != prod(shape) * dtype.itemsize:
        return None
    if buffer.dtype == dtype:
        return buffer
    if buffer.base.dtype == dtype and buffer.base.nbytes == buffer.nbytes:
        return buffer.base
    return buffer.view(prod(shape), dtype, 0).ensure_allocated() if is_cuda(device) else None


def share_memory(memory: BufferMemory | None, other: object) -> bool:
    """Whether two buffers, or parts of buffers, have bytes in common."""
    if memory is None or not isinstance(other, Buffer | Part):
        return False
    (base, begin, end), (other_base, other_begin, other_end) = extent(memory), extent(other)
    return base is other_base and begin < other_end and other_begin < end


def extent(memory: BufferMemory) -> tuple[Buffer, int, int]:
    """The buffer that owns some memory, and where the memory begins and ends in it."""
    if isinstance(memory, Part):
        return memory.whole, memory.offset, memory.offset + memory.nbytes
    return memory.base, memory.offset, memory.offset + memory.nbytes


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
    all_tensors.pop(weakref.ref(tensor), None)  # tinygrad checks these whenever it realizes something
    tensor.__class__ = GivenUp


# The buffers of tensors that were arguments, while their values exist: weights are passed again and again.
_own_buffers: weakref.WeakKeyDictionary[UOp, tuple[TensorType, str, Buffer]] = weakref.WeakKeyDictionary()


def from_tensor(tensor: Tensor, type: TensorType, device: str) -> BufferMemory | None:
    """The buffer of a tensor, realized on the device; it is copied only if the tensor is a view."""
    own = value_of(tensor)
    if isinstance(own, Pending) and own.fits(type, device):
        return own.memory
    known = _own_buffers.get(tensor.uop)
    if known is not None and (known[0] is type or known[0] == type) and known[1] == device:
        return known[2]
    with building:
        shape, dtype = buffer_layout(type)
        if 0 in shape:
            return None
        buffer = own_buffer(tensor, type, device)
        if buffer is not None:  # the same as below, in a tenth of the time
            _own_buffers[tensor.uop] = type, device, buffer
            return buffer
        given, constant = tensor.uop, is_constant(tensor)
        if constant:
            tensor = tensor.clone(device)
        tensor = tensor.to(device).contiguous()
        tensor = tensor if tensor.dtype == dtype else tensor.bitcast(dtype).contiguous()
        with user_settings():
            tensor.realize()
        buffer = tensor.uop.base.buffer if tensor.uop.has_buffer_identity() else tensor.uop.buffer
        assert isinstance(buffer, Buffer)
        buffer = buffer.ensure_allocated()
        if constant:  # a number, which nothing changes
            _own_buffers[given] = type, device, buffer
        return buffer


class Held:
    """The memory of Tensors that a call was given: usually the next call passes the same weights.

    It keeps neither the Tensors nor their memory.

    Args:
        memories: of each Tensor, or a list of that of its shards.
        run: returns the program's results for such memories.
    """

    def __init__(
        self,
        tensors: Sequence[Tensor],
        memories: Sequence[BufferMemory | list[BufferMemory] | None],
        run: Callable[[list[Any]], list[Tensor]],
    ) -> None:
        self._run = run
        self._values = [weakref.ref(value_of(x)) for x in tensors]
        self._memories = [*map(weak_reference, memories)]

    @staticmethod
    def of(
        tensors: Sequence[Tensor],
        memories: Sequence[BufferMemory | list[BufferMemory] | None],
        run: Callable[[list[Any]], list[Tensor]],
    ) -> Held | None:
        """None if some of the memory is a copy, which the next call makes again."""
        are_own = all(m is None or own_memory(x) == m for x, m in zip(tensors, memories))
        return Held(tensors, memories, run) if are_own else None

    def run(self, values: Sequence[object]) -> list[Tensor] | None:
        """The program's results if a call passes these Tensors again; otherwise nothing has run."""
        if not set(map(type, values)) <= TENSORS or [*map(weakref.ref, map(own_value_of, values))] != self._values:
            return None
        return self._run([memory() for memory in self._memories])


def own_memory(tensor: Tensor) -> BufferMemory | list[BufferMemory] | None:
    """The memory of a tensor, or of its shards, that an earlier call has returned or was given."""
    own = value_of(tensor)
    if isinstance(own, Shards):
        return [*own.buffers]
    if isinstance(own, Pending):
        return own.memory
    known = _own_buffers.get(own) or _own_shards.get(own)
    return known[-1] if known else None


def weak_reference(memory: BufferMemory | list[BufferMemory] | None) -> Callable[[], object]:
    if isinstance(memory, list):
        parts = [*map(weakref.ref, memory)]
        return lambda: [part() for part in parts]
    return nothing if memory is None else weakref.ref(memory)


def nothing() -> None:
    return None


class Pending:
    """Stands for a result until something asks for its value in tinygrad's graph, which takes long to make."""

    __slots__ = ("__weakref__", "device", "memory", "type")

    def __init__(self, memory: BufferMemory | None, type: TensorType, device: str | tuple[str, ...]) -> None:
        self.memory, self.type, self.device = memory, type, device

    def fits(self, type: TensorType, device: str) -> bool:
        """Whether it can be an argument of this type on a device."""
        return self.device == device and (self.type is type or self.type == type)

    @property
    def shape(self) -> tuple[int, ...]:
        return tensor_layout(self.type)[0]

    @property
    def dtype(self) -> DType:
        return tensor_layout(self.type)[2]

    def value(self) -> UOp:
        """The value in tinygrad's graph; the caller holds the lock `building`."""
        shape, stored, dtype = tensor_layout(self.type)
        buffer = self.memory.buffer if isinstance(self.memory, Part) else self.memory
        if buffer is None:
            return Tensor.zeros(*shape, dtype=dtype, device=self.device).uop
        if dtype != stored:
            with contextlib.suppress(NotImplementedError):  # not every device has views
                buffer = buffer.view(buffer.size, dtype, 0).ensure_allocated()
        # As Tensor(UOp.from_buffer(buffer).reshape(shape)), in a fifth of the time.
        size, shaping = shape_operands(buffer.dtype, shape)
        value = UOp(Ops.BUFFER, buffer.dtype, size, ParamArg(-id(buffer), buffer.dtype, device=buffer.device))
        if buffers_of_tinygrad.setdefault(value, buffer) is buffer:
            buffer.ref(1)
        value = UOp(Ops.RESHAPE, buffer.dtype, (value, *shaping)) if shaping else value
        # A conversion of narrow floats would go through float32, which changes f8.
        return value if buffer.dtype == dtype else Tensor(value).bitcast(dtype).uop


class Shards(Pending):
    """The same for a result that is distributed over devices: the buffers of its shards, and the type of each."""

    __slots__ = ("buffers", "dimension")

    def __init__(
        self, buffers: Sequence[BufferMemory], part: TensorType, dimension: int | None, devices: tuple[str, ...]
    ) -> None:
        super().__init__(None, part, devices)
        self.buffers, self.dimension = buffers, dimension

    def fits(self, type: TensorType, device: str) -> bool:
        return False

    @property
    def shape(self) -> tuple[int, ...]:
        count = len(self.buffers)
        return tuple(n * count if d == self.dimension else n for d, n in enumerate(super().shape))

    def value(self) -> UOp:
        shape, stored, dtype = tensor_layout(self.type)
        multiple = MultiBuffer.__new__(MultiBuffer)
        buffers = [b.buffer if isinstance(b, Part) else b for b in self.buffers]
        multiple.bufs = [b if dtype == stored else b.view(b.size, dtype, 0).ensure_allocated() for b in buffers]
        size, shaping = shape_operands(dtype, shape)
        value = UOp(Ops.BUFFER, dtype, size, ParamArg(-id(multiple), dtype, device=self.device))
        if buffers_of_tinygrad.setdefault(value, multiple) is multiple:
            multiple.ref(1)
        value = UOp(Ops.RESHAPE, dtype, (value, *shaping)) if shaping else value
        return value if self.dimension is None else value.unshard(self.dimension)


def to_tensor(memory: BufferMemory | None, type: TensorType, device: str) -> Tensor:
    """A user's tensor that shares a result's memory."""
    return pending_tensor(Pending(memory, type, device))


def pending_tensor(value: Pending) -> Tensor:
    tensor = new_object(Result)
    set_own_value(tensor, value)
    tensor.grad, tensor.is_param = None, True
    return tensor


def to_tensors(memories: Sequence[BufferMemory | None], types: Sequence[TensorType], device: str) -> list[Tensor]:
    """The same for several results."""
    return [to_tensor(memory, type, device) for memory, type in zip(memories, types)]


# Where a Tensor keeps its node in the graph, or what stands for it.
own_value = Tensor.uop
own_value_of, set_own_value, new_object = own_value.__get__, own_value.__set__, object.__new__


def value_of(tensor: Tensor) -> UOp | Pending:
    """The value of a tensor in tinygrad's graph, or what stands for it until something has asked for it."""
    return own_value.__get__(tensor) if type(tensor) is Result else tensor.uop


class EveryTensor(type(Tensor)):  # type: ignore[misc]
    """Makes every Tensor an instance of the class, since tinygrad asks whether one operand is of the other's class.

    The class is what lets a result enter tinygrad's graph only when somebody asks for it: a call with two results takes
    13 µs instead of 54.
    """

    def __instancecheck__(cls, instance: object) -> bool:
        return isinstance(instance, Tensor)


class Result(Tensor, metaclass=EveryTensor):  # type: ignore[misc]
    """A Tensor that a call returned. Other libraries read it in place: torch.from_dlpack(result)."""

    __slots__ = ()

    # When Python ends, modules' names are deleted before the last Tensors.
    def __del__(self, own_value_of: Any = own_value_of, pending: type = Pending) -> None:
        if not isinstance(own_value_of(self), pending):  # while it is set, tinygrad does not know the Tensor
            super().__del__()

    def __hash__(self) -> int:  # tinygrad's own takes longer, as it records when it was called
        return id(self)

    @property
    def uop(self) -> UOp:
        value = own_value.__get__(self)
        if isinstance(value, Pending):
            with building:
                value = own_value.__get__(self)  # another thread may have been faster
                if isinstance(value, Pending):
                    value = value.value()
                    own_value.__set__(self, value)
                    all_tensors[weakref.ref(self)] = None
        return value

    @uop.setter
    def uop(self, value: UOp) -> None:
        own_value.__set__(self, value)

    @property
    def shape(self) -> tuple[int, ...]:
        value = own_value.__get__(self)
        return value.shape if isinstance(value, Pending) else super().shape

    @property
    def dtype(self) -> DType:
        value = own_value.__get__(self)
        return value.dtype if isinstance(value, Pending) else super().dtype

    @property
    def device(self) -> str | tuple[str, ...]:
        value = own_value.__get__(self)
        return value.device if isinstance(value, Pending) else super().device

    def __dlpack_device__(self) -> tuple[int, int]:
        name, _, number = str(self.device).partition(":")
        if name not in dlpack.DEVICES:
            raise BufferError(f"other libraries cannot read memory of {self.device}; use .numpy()")
        return dlpack.DEVICES[name], int(number or 0)

    def __dlpack__(
        self,
        *,
        stream: int | None = None,
        max_version: tuple[int, int] | None = None,
        dl_device: tuple[int, int] | None = None,
        copy: bool | None = None,
    ) -> object:
        """A capsule of DLPack with the Tensor's memory, ready for what is launched on `stream` afterwards."""
        device = self.__dlpack_device__()
        if copy or (dl_device is not None and tuple(map(int, dl_device)) != device):
            raise BufferError("a Tensor is exported in place, without a copy; use .to(…) or .clone()")
        name, buffer = str(self.device), realized_buffer(self)
        if device[0] == dlpack.DEVICES["CUDA"]:
            order_streams(name, stream)
            address = device_address(buffer)
        else:
            finish(name)
            address = buffer_address(buffer)
        versioned = max_version is not None and tuple(max_version) >= (1, 0)
        return dlpack.lend(address, device, array_dtype(self.dtype), self.shape, buffer, versioned)


TENSORS = {Tensor, Result}
# numpy's dtypes for those of tinygrad's that numpy lacks.
ARRAY_DTYPES = {
    dtypes.bfloat16: ml_dtypes.bfloat16,
    dtypes.fp8e4m3: ml_dtypes.float8_e4m3fn,
    dtypes.fp8e4m3fnuz: ml_dtypes.float8_e4m3fnuz,
    dtypes.fp8e5m2: ml_dtypes.float8_e5m2,
    dtypes.fp8e5m2fnuz: ml_dtypes.float8_e5m2fnuz,
}
# The stream of CUDA on which everything of ours runs, as DLPack calls it.
DEFAULT_STREAM = 1


def place_array(array: np.ndarray, device: str) -> Tensor | np.ndarray:
    """A Tensor with an array's numbers, complex ones in pairs; the array itself if tinygrad has no such type."""
    narrow = {np.dtype(of_numpy): dtype for dtype, of_numpy in ARRAY_DTYPES.items()}.get(array.dtype)
    if narrow is not None:
        raw = Tensor(array.view(f"u{array.itemsize}"), device=device)
        return raw.bitcast(narrow).contiguous().realize()
    if array.dtype.kind == "V":
        return array
    if array.dtype.kind == "c":
        array = np.stack([array.real, array.imag], -1)
    return Tensor(np.asarray(array, order="C"), device=device).contiguous().realize()


def array_dtype(dtype: DType) -> np.dtype:
    """The numpy dtype for a tinygrad dtype."""
    found: np.dtype = np.dtype(ARRAY_DTYPES.get(dtype) or dtype.fmt)
    return found


def realized_buffer(tensor: Tensor) -> Buffer | None:
    """The memory of a tensor, which is realized in the order of its elements; None if it has no elements."""
    if 0 in tensor.shape:
        return None
    base = as_flat(tensor.uop)
    buffer = base.realized if base.op is Ops.BUFFER else None
    if isinstance(buffer, Buffer) and buffer.nbytes == prod(tensor.shape) * tensor.dtype.itemsize:
        return buffer.ensure_allocated()
    with building:
        tensor = tensor.contiguous()
        with user_settings():
            tensor.realize()
        buffer = tensor.uop.base.buffer if tensor.uop.has_buffer_identity() else tensor.uop.buffer
        assert isinstance(buffer, Buffer)
        return buffer.ensure_allocated()


def borrow_tensor(memory: dlpack.BorrowedTensor, device: str) -> Tensor:
    """A Tensor of another library's memory on the device, in place; complex numbers become pairs.

    Raises:
        BufferError: the numbers are not contiguous, or of a type that tinygrad lacks.
    """
    order = sorted(range(len(memory.shape)), key=lambda d: (-memory.strides[d], d))
    shape = tuple(memory.shape[d] for d in order)
    steps = tuple(memory.strides[d] for d in order)
    if not replace(memory, shape=shape, strides=steps).is_contiguous:
        raise BufferError("it has gaps in memory; pass a contiguous copy")
    known = {array_dtype(t): t for t in (*ARRAY_DTYPES, *NUMBERS)}
    pair = (2,) if memory.dtype.kind == "c" else ()
    dtype = known.get(np.dtype(f"f{memory.dtype.itemsize // 2}") if pair else memory.dtype)
    if dtype is None:
        raise BufferError(f"tinygrad has no type for {memory.dtype}")
    if 0 in shape:
        return Tensor.zeros(*memory.shape, *pair, dtype=dtype, device=device)
    options = BufferSpec(external_ptr=memory.address)
    with building:
        buffer = Buffer(device, prod((*shape, *pair)), dtype, options=options)
        buffer.allocator = allocators[device]
        with keep_context(device):
            buffer._bufs[device] = buffer.allocator.alloc(buffer.nbytes, options)
        weakref.finalize(buffer, release, memory.owner, device).atexit = False
        tensor = Tensor(UOp.from_buffer(buffer)).reshape(*shape, *pair)
        inverse = [order.index(d) for d in range(len(order))]
        return (
            tensor if inverse == order == sorted(order) else tensor.permute(*inverse, *([len(order)] if pair else []))
        )


NUMBERS = (
    *(dtypes.bool, dtypes.int8, dtypes.int16, dtypes.int32, dtypes.int64),
    *(dtypes.uint8, dtypes.uint16, dtypes.uint32, dtypes.uint64, dtypes.float16, dtypes.float32, dtypes.float64),
)
# Owners of memory that no Tensor refers to any longer but that the GPU may still read, each with the event that ends
# this.
_waiting: list[tuple[Any, object]] = []


def release(owner: dlpack.Owner, device: str) -> None:
    """Return borrowed memory once everything that has been launched until now has run."""
    if not is_cuda(device):
        return
    from tinygrad.runtime.autogen import cuda

    for pair in [pair for pair in list(_waiting) if not cuda.cuEventQuery(pair[0])]:
        with contextlib.suppress(ValueError):  # another thread was faster
            _waiting.remove(pair)
            cuda.cuEventDestroy_v2(pair[0])
    _waiting.append((record_event(device), owner))


def record_event(device: str) -> Any:
    """A CUDA event after everything that has been launched until now."""
    from tinygrad.runtime.autogen import cuda
    from tinygrad.runtime.support.c import init_c_var

    with keep_context(device):
        cuda.cuCtxSetCurrent(allocators[device].dev.context)
        event = init_c_var(cuda.CUevent, lambda place: cuda.cuEventCreate(ctypes.byref(place), 2))
        cuda.cuEventRecord(event, None)
    return event


def order_streams(device: str, stream: int | None) -> None:
    """Let another CUDA stream, as DLPack names it, wait for everything that has been launched until now."""
    if stream in (None, DEFAULT_STREAM, -1):
        return
    from tinygrad.runtime.autogen import cuda

    event = record_event(device)
    cuda.cuStreamWaitEvent(ctypes.cast(ctypes.c_void_p(stream), cuda.CUstream), event, 0)
    cuda.cuEventDestroy_v2(event)


# The buffers of such arguments, while their values exist.
_own_shards: weakref.WeakKeyDictionary[UOp, tuple[object, list[BufferMemory]]] = weakref.WeakKeyDictionary()


def shards_of(
    tensor: Tensor, part: TensorType, dimension: int | None, devices: tuple[str, ...]
) -> list[BufferMemory] | None:
    """The buffers of a realized Tensor that is distributed over devices: cut along a dimension, or whole (None).

    None for any other Tensor. `part` is the type of each shard.
    """
    own, wanted = value_of(tensor), (part, dimension, devices)
    if isinstance(own, Shards) and (own.type, own.dimension, own.device) == wanted:
        return [*own.buffers]
    value = tensor.uop
    known = _own_shards.get(value)
    if known is None or known[0] != wanted:
        found = _find_shards(value, *wanted)
        if found is None:  # not as long as it is not realized
            return None
        known = _own_shards[value] = wanted, found
    return known[1]


def _find_shards(
    value: UOp, part: TensorType, dimension: int | None, devices: tuple[str, ...]
) -> list[BufferMemory] | None:
    if value.op is Ops.UNSHARD:
        if value.arg != (dimension,):
            return None
        value, dimension = value.src[0], None
    base = as_flat(value)
    multiple = base.realized if base.op is Ops.BUFFER and dimension is None else None
    if not isinstance(multiple, MultiBuffer) or tuple(b.device for b in multiple.bufs) != devices:
        return None
    shape, dtype = buffer_layout(part)
    if multiple.bufs[0].nbytes != prod(shape) * dtype.itemsize:
        return None
    return [b if b.dtype == dtype else b.view(prod(shape), dtype, 0).ensure_allocated() for b in multiple.bufs]


def sharded_tensor(
    buffers: Sequence[BufferMemory], part: TensorType, dimension: int | None, devices: tuple[str, ...]
) -> Tensor:
    """A user's tensor that shares the buffers of shards of this type; see `shards_of`."""
    return pending_tensor(Shards(buffers, part, dimension, devices))


@lru_cache(MOST_SHAPES)
def shape_operands(dtype: DType, shape: tuple[int, ...]) -> tuple[tuple[UOp, ...], tuple[UOp, ...]]:
    """The operands of a buffer, and those of its reshape besides the value; () if the shape is that of the buffer.

    tinygrad takes long to check a shape, which is done once for each.
    """
    flat = UOp.new_buffer("NPY", prod(shape), dtype)
    result = flat.reshape(shape)
    return flat.src, () if result is flat else tuple(result.src[1:])


@lru_cache(MOST_SHAPES)
def tensor_layout(type: TensorType) -> tuple[tuple[int, ...], DType, DType]:
    """The shape of a value's buffer, its dtype, and the dtype of a user's Tensor of it."""
    return *buffer_layout(type), tensor_dtype(type)


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
