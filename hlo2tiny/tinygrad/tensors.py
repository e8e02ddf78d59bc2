"""Tensors of users: those that a call was given, and the results that it returns."""

from __future__ import annotations

import contextlib
import weakref
from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from math import prod
from typing import Any

import numpy as np
from tinygrad import Tensor
from tinygrad.device import Buffer, MultiBuffer
from tinygrad.dtype import DType
from tinygrad.tensor import all_tensors
from tinygrad.uop.ops import Ops, ParamArg, UOp
from tinygrad.uop.ops import buffers as buffers_of_tinygrad

from .. import dlpack
from ..errors import InputError
from ..ir import TensorType
from .borrowed import order_streams
from .buffers import MOST_SHAPES, BufferMemory, Part, buffer_address, buffer_layout, device_address, finish, has_parts
from .dtypes import ARRAY_DTYPES, DTYPES_OF_ARRAYS, TENSOR_DTYPES, tensor_dtype
from .expressions import as_flat, is_constant
from .settings import building, user_settings


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
    # Where C has no bf16, its numbers are integers with the same bits.
    return buffer.view(prod(shape), dtype, 0).ensure_allocated() if has_parts(device) else None


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
        buffer = realize(tensor)
        if constant:  # a number, which nothing changes
            _own_buffers[given] = type, device, buffer
        return buffer


def realize(tensor: Tensor) -> Buffer:
    """The memory of a tensor once it has been computed; the caller holds the lock `building`."""
    with user_settings():
        tensor.realize()
    buffer = tensor.uop.base.buffer if tensor.uop.has_buffer_identity() else tensor.uop.buffer
    assert isinstance(buffer, Buffer)
    return buffer.ensure_allocated()


class LastCall:
    """The Tensors that the last call was given, and their memory: usually the next call passes the same weights.

    What it donates are other Tensors each time, often results of the last call. It keeps neither the Tensors nor their
    memory.

    Args:
        memories: of each Tensor, or a list of that of its shards.
        run: returns the program's results for such memories.
        donated: the types of the arguments that each call donates, by number.
        device: where these are.
    """

    def __init__(
        self,
        tensors: Sequence[Tensor],
        memories: Sequence[BufferMemory | list[BufferMemory] | None],
        run: Callable[[list[Any]], list[Tensor]],
        donated: Mapping[int, TensorType],
        device: str,
    ) -> None:
        self._run, self._donated, self._device = run, donated, device
        self._kept = [i for i, _ in enumerate(tensors) if i not in donated]
        self._values = [weakref.ref(value_of(tensors[i])) for i in self._kept]
        self._memories = [weak_reference(memories[i]) for i in self._kept]
        kept = [x for x in map(memories.__getitem__, self._kept) if isinstance(x, Buffer | Part)]
        self._owners = {id(x.whole if isinstance(x, Part) else x.base) for x in kept}

    @staticmethod
    def of(
        tensors: Sequence[Tensor],
        memories: Sequence[BufferMemory | list[BufferMemory] | None],
        run: Callable[[list[Any]], list[Tensor]],
        donated: Mapping[int, TensorType] = {},
        device: str = "",
    ) -> LastCall | None:
        """None if some of the memory is a copy, which the next call makes again."""
        kept = (each for i, each in enumerate(zip(tensors, memories)) if i not in donated)
        are_own = all(m is None or own_memory(x) == m for x, m in kept)
        return LastCall(tensors, memories, run, donated, device) if are_own else None

    def run(self, values: Sequence[object]) -> list[Tensor] | None:
        """The program's results if a call passes these Tensors again; otherwise nothing has run."""
        if len(values) != len(self._kept) + len(self._donated) or not set(map(type, values)) <= TENSORS:
            return None
        own = [*map(own_value_of, values)]
        if [weakref.ref(own[i]) for i in self._kept] != self._values:
            return None
        memories = [memory() for memory in self._memories]
        if self._donated:
            taken = [self._taken(own[i], type) for i, type in self._donated.items()]
            owners = {id(x.base) for x in taken if x is not None}
            if None in taken or len(owners) < len(taken) or not owners.isdisjoint(self._owners):
                return None
            given = dict(zip(self._donated, taken)) | dict(zip(self._kept, memories))
            memories = [given[i] for i, _ in enumerate(values)]
            for i in self._donated:
                give_up(values[i])
        return self._run(memories)

    def _taken(self, own: object, type_: TensorType) -> Buffer | None:
        """The memory of a result that is no part of others; None for other values."""
        memory = own.memory if type(own) is Pending and own.fits(type_, self._device) else None
        return memory if type(memory) is Buffer else None


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
    return (lambda: None) if memory is None else weakref.ref(memory)


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
        value = value_of_buffer(buffer, buffer.dtype, buffer.device, shape)
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
        value = value_of_buffer(multiple, dtype, self.device, shape)
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


def known_property(name: str) -> property:
    """A property of a result that is known before its value enters tinygrad's graph."""
    of_tensor = getattr(Tensor, name).__get__

    def get(result: Result) -> Any:
        value = own_value.__get__(result)
        return getattr(value, name) if isinstance(value, Pending) else of_tensor(result)

    return property(get)


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

    shape, dtype, device = map(known_property, ("shape", "dtype", "device"))

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
        return dlpack.lend(address, device, ARRAY_DTYPES[self.dtype], self.shape, buffer, versioned)


TENSORS = {Tensor, Result}


def place_array(array: np.ndarray, device: str) -> Tensor | np.ndarray:
    """A Tensor with an array's numbers, complex ones in pairs; the array itself if tinygrad has no such type."""
    if (narrow := DTYPES_OF_ARRAYS.get(array.dtype)) in TENSOR_DTYPES.values():
        raw = Tensor(array.view(f"u{array.itemsize}"), device=device)
        return raw.bitcast(narrow).contiguous().realize()
    if array.dtype.kind == "V":
        return array
    if array.dtype.kind == "c":
        array = np.stack([array.real, array.imag], -1)
    return Tensor(np.asarray(array, order="C"), device=device).contiguous().realize()


def realized_buffer(tensor: Tensor) -> Buffer | None:
    """The memory of a tensor, which is realized in the order of its elements; None if it has no elements."""
    if 0 in tensor.shape:
        return None
    base = as_flat(tensor.uop)
    buffer = base.realized if base.op is Ops.BUFFER else None
    if isinstance(buffer, Buffer) and buffer.nbytes == prod(tensor.shape) * tensor.dtype.itemsize:
        return buffer.ensure_allocated()
    with building:
        return realize(tensor.contiguous())


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


def value_of_buffer(
    buffer: Buffer | MultiBuffer, dtype: DType, device: str | tuple[str, ...], shape: tuple[int, ...]
) -> UOp:
    """The same as UOp.from_buffer(buffer).reshape(shape), in a fifth of the time."""
    size, shaping = shape_operands(dtype, shape)
    value = UOp(Ops.BUFFER, dtype, size, ParamArg(-id(buffer), dtype, device=device))
    if buffers_of_tinygrad.setdefault(value, buffer) is buffer:
        buffer.ref(1)
    return UOp(Ops.RESHAPE, dtype, (value, *shaping)) if shaping else value


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
    return *buffer_layout(type), tensor_dtype(type.element)
