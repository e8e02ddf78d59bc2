"""The arguments of a program: whether what a call passes fits its main function, and what has values already."""

from __future__ import annotations

import copy
import sys
import weakref
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from ..errors import InputError, count_text, printable_name
from ..formats import safetensors
from ..ir import ComplexType, DialectAttr, TensorType
from ..ir.dtypes import numpy_dtype
from ..records import dataclass
from ..targets import targets_of
from ..targets.arrays import Fixed, array_address
from ..trees import describe_value, flatten
from .bound import Bound, BoundValue, is_tensor
from .calling import Calling, calling_of, weights_by_name, weights_mismatch
from .interface import Interface
from .options import Options

if TYPE_CHECKING:
    from tinygrad import Tensor

ARRAY = {np.ndarray}


@dataclass(frozen=True)
class Argument:
    """An input or output: its name in the user's model ('' if the file has none), shape and numpy dtype.

    An open dimension is None in the shape. `dimensions` has all sizes as text, open ones by their names in the model,
    such as ("b", "28"); it is () if the file does not say, and open dimensions are printed as ?.
    `sharding` has, for each dimension, the axes of the mesh along which several devices cut it, or ''; it is () if each
    device holds the whole.
    """

    name: str
    shape: tuple[int | None, ...]
    dtype: np.dtype
    dimensions: tuple[str, ...] = ()
    sharding: tuple[str, ...] = ()

    def __str__(self) -> str:
        """x: float32[4, 8], and for one that is cut: x: float32[4, 8] sharded (x, -)."""
        cut = f" sharded ({', '.join(axes or '-' for axes in self.sharding)})" if self.sharding else ""
        return f"{printable_name(self.name) or '(unnamed)'}: {printable_name(self.layout + cut)}"

    @property
    def layout(self) -> str:
        """The dtype and shape as text: float32[b, 4], float32[?, 4]."""
        named = self.dimensions or ("?",) * len(self.shape)
        return f"{self.dtype}[{', '.join(n if d is None else str(d) for d, n in zip(self.shape, named))}]"

    def takes(self, shape: Sequence[int]) -> bool:
        return len(shape) == len(self.shape) and all(d is None or d == s for s, d in zip(shape, self.shape))


class Arguments:
    """The arguments of a program's main function: those that a call passes, and those that have values.

    Attributes:
        passed: the arguments that a call passes, one by one.
        bound: the values of the others, by number.
        calling: what a call passes and returns.
        outputs: the structure of the results; None if they are returned one by one.
        donated: the numbers of the arguments that the user donates; None: the file says which.
    """

    def __init__(self, interface: Interface, options: Options, folder: Path) -> None:
        """The arguments of a program whose weights are in files of the folder.

        Raises:
            InputError: `donate` names an argument that does not exist.
        """
        self._types, self._device, self._stored = interface.inputs, options.device, interface.signature.bound
        self._several, self._borrows = bool(interface.placements[0]), targets_of(options.device)[0].borrows
        calling = calling_of(interface.signature, interface.input_names, len(interface.outputs))
        dimensions, shardings = interface.signature.dimensions, interface.shardings[0]
        self._all = arguments_of(calling.names, self._types, dimensions, shardings)
        self._set(calling, {i: self._bound(i, partial(stored.read, folder)) for i, stored in self._stored.items()})
        donate = options.donate
        self.donated = None if donate is None else frozenset(n for x in donate for n in calling.numbers(x))

    def _set(self, calling: Calling, bound: Mapping[int, Bound]) -> None:
        self.calling, self.bound, self.outputs = calling, bound, calling.outputs
        self.passed = tuple(self._all[i] for i in calling.free)
        self._direct = calling.direct
        self._count = -1 if bound else len(self._all)  # of arrays that may be passed as they are
        self._values: list[Any] = [bound.get(i) for i in range(len(self._all))]
        self._checked: dict[int, weakref.ref[Any]] = {}  # the values of the Tensors of earlier calls

    def __str__(self) -> str:
        return str(self.calling)

    def describe_argument(self, number: int) -> Argument:
        """An argument of the main function, by number."""
        return self._all[number]

    def list_arguments(self) -> str:
        """The arguments of a call, one per line."""
        return "".join(f"\n  {i}: {argument}" for i, argument in enumerate(self.passed))

    # ---------------------------------------------------------------- what a call passes

    def arrays(self, arguments: Sequence[Any], named: Mapping[str, Any]) -> list[Any]:
        """The values of all of main's arguments, arrays or `Bound`; raises InputError if a call does not fit."""
        # A fast path for calls that pass all arguments one by one.
        if not named and (self._direct or (len(arguments) == self._count and set(map(type, arguments)) == ARRAY)):
            if len(arguments) != len(self.passed):
                self.expect_count(len(arguments))
            return [self._array(i, x) for i, x in enumerate(arguments)]
        return self._check(arguments, named, self._array)

    def values(self, arguments: Sequence[Any], named: Mapping[str, Any]) -> list[Any]:
        """The same, but a call may pass Tensors too."""
        from ..tinygrad.tensors import value_of

        def check(index: int, value: Any) -> np.ndarray | Tensor:
            if is_tensor(value) and (known := self._checked.get(index)) is not None and known() is value_of(value):
                return value  # a weight, which each call passes
            return self._value(index, value)

        return self._check(arguments, named, check)

    def shapes(self, values: Sequence[Any]) -> tuple[tuple[int, ...], ...]:
        """The shapes of all of main's arguments, from their values."""
        return tuple(map(array_shape, map(value_of, values), self._types))

    def shapes_with(self, shapes: Sequence[tuple[int, ...]]) -> list[tuple[int, ...]]:
        """The shapes of all of main's arguments, from those of a call's; raises InputError if they do not fit."""
        self.expect_count(len(shapes))
        known = {i: array_shape(bound.value, self._types[i]) for i, bound in self.bound.items()}
        for i, shape in zip(self.calling.free, shapes):
            if not self._takes(i, shape):
                raise self._mismatch(i, f"of shape {list(shape)}")
            known[i] = shape
        return [known[i] for i in range(len(self._all))]

    def expect_count(self, count: int) -> None:
        if count != len(self.passed):
            given = count_text(count, "argument was", "arguments were")
            raise InputError(f"{given} given, but the program takes {len(self.passed)}:{self.list_arguments()}")

    def _check(self, arguments: Sequence[Any], named: Mapping[str, Any], check: Callable[..., Any]) -> list[Any]:
        passed = self.calling.values(arguments, named)
        self.expect_count(len(passed))
        for file in {bound.file for bound in self.bound.values() if bound.file is not None}:
            file.expect_unchanged()
        values = self._values.copy()
        for i, x in zip(self.calling.free, passed):
            values[i] = check(i, x)
        return values

    def _value(self, index: int, value: Any) -> np.ndarray | Tensor:
        if not is_tensor(value):
            if type(value) is np.ndarray or not self._borrows:
                return self._array(index, value)
            tensor = self._on_device(index, value)
            return self._array(index, value) if tensor is None else self._tensor(index, tensor)
        from ..tinygrad.tensors import value_of

        self._tensor(index, value)
        self._checked[index] = weakref.ref(value_of(value))
        return value

    def _takes(self, index: int, shape: tuple[int, ...]) -> bool:
        limits = bounds_of(self._types[index])
        return self._all[index].takes(shape) and all(limit is None or d <= limit for d, limit in zip(shape, limits))

    def _mismatch(self, index: int, actual: str) -> InputError:
        bounds = f" with dimensions of at most {limits}" if (limits := bounds_of(self._types[index])) else ""
        return InputError(f"{self.label(index)} is {actual}, expected {self._all[index].layout}{bounds}")

    def label(self, index: int) -> str:
        """What messages call an argument of main."""
        free, name = self.calling.free, self._all[index].name
        number = f"argument {free.index(index)}" if index in free else f"bound argument {index}"
        return f"{number} ({name})" if name else number

    def _array(self, index: int, value: Any) -> np.ndarray:
        expected = self._all[index]
        if type(value) is np.ndarray and value.dtype == expected.dtype and value.shape == expected.shape:
            return value
        expect_no_mask(value, self.label(index))
        if str(getattr(value, "dtype", "")).startswith("key<"):  # JAX's typed random keys
            value = sys.modules["jax"].random.key_data(value)
        # A Python number takes the argument's dtype if the kind allows it: 1 may become a float, but 1.5 cannot become
        # an integer.
        kinds = {bool: "b", int: "iufcV", float: "fcV", complex: "c"}.get(type(value), "")
        try:
            array = np.asarray(value, expected.dtype if expected.dtype.kind in kinds else None)
        except Exception as error:
            array = self._borrow(index, value, error)
        if not self._takes(index, array.shape) or array.dtype != expected.dtype:
            raise self._mismatch(index, f"{array.dtype}{list(array.shape)}")
        return array

    def _borrow(self, index: int, value: Any, error: Exception) -> np.ndarray:
        """An array that numpy cannot read, such as one of bf16 from PyTorch, in place."""
        from .. import dlpack

        device = dlpack.device_of(value)
        if device is not None and not targets_of(device)[0].on_host:
            raise self._mismatch(index, f"on {device}, but this call takes host arrays") from error
        try:
            if device is None:
                raise error
            return dlpack.borrow(value).array()
        except Exception as reason:
            text = f"a {type(value).__name__} that numpy cannot read ({reason})"
            raise self._mismatch(index, text) from reason

    def _on_device(self, index: int, value: Any) -> Tensor | None:
        """An array of another library on the program's device as a Tensor, without a copy; None for other values.

        Raises:
            InputError: it is on another device, or its library does not share it.
        """
        from .. import dlpack

        device = dlpack.device_of(value)
        if device is None or targets_of(device)[0].on_host:
            return None
        if device != self._device:
            raise InputError(f"{self.label(index)} is on {device}, but the program is on {self._device}")
        from ..tinygrad.borrowed import DEFAULT_STREAM, borrow_tensor
        from ..tinygrad.device import open_device

        open_device(self._device)
        try:
            return borrow_tensor(dlpack.borrow(value, DEFAULT_STREAM), self._device)
        except Exception as error:
            raise InputError(f"{self.label(index)} cannot be read on the GPU ({error})") from error

    def _tensor(self, index: int, tensor: Tensor) -> Tensor:
        from ..tinygrad.buffers import buffer_layout
        from ..tinygrad.dtypes import tensor_dtype

        kind = self._types[index]
        paired = pairs(kind)
        shape = array_shape(tensor, kind)
        dtype = buffer_layout(replace(kind, shape=()))[1] if paired else tensor_dtype(kind.element)
        if not self._takes(index, shape) or (paired and tensor.shape[-1:] != (2,)) or tensor.dtype != dtype:
            pair = " (complex numbers are passed as a Tensor with a last axis of 2)" if paired else ""
            raise self._mismatch(index, f"a Tensor of {tensor.dtype} {list(tensor.shape)}{pair}")
        return tensor

    # ---------------------------------------------------------------- where results are written

    def places(
        self, out: Any, values: Sequence[Any], types: Sequence[TensorType], donated: Mapping[int, int]
    ) -> dict[int, np.ndarray]:
        """The arrays that a call writes results to, by number: those of `out`, else those that the user donates.

        Args:
            out: what `Program.numpy` takes.
            values: the values of all of main's arguments, as an executor takes them.
            types: the static types of the results.
            donated: the results that may take the memory of an argument, and the argument.

        Raises:
            InputError: an array does not fit, or overlaps another one.
        """
        if out is None:
            places = {result: values[i] for result, i in donated.items()}
            names = {result: self.label(i) for result, i in donated.items()}
        else:
            places = dict(enumerate(self.arrays_of_results(out, len(types))))
            names = {i: f"out[{i}]" for i in places}
            for i, (array, type) in enumerate(zip(places.values(), types)):
                expect_no_mask(array, names[i])
                if not isinstance(array, np.ndarray):
                    raise InputError(
                        f"out[{i}] is {describe_value(array)}, expected an array {argument_of('', type).layout}"
                    )
                if array.shape != type.shape or array.dtype != numpy_dtype(type.element):
                    found = f"{array.dtype}{list(array.shape)}"
                    raise InputError(f"out[{i}] is {found}, expected {argument_of('', type).layout}")
        for result, array in places.items():
            flags = array.flags
            if not flags.carray:
                fault = (
                    "read-only" if not flags.writeable else "not contiguous" if not flags.c_contiguous else "unaligned"
                )
                raise InputError(f"{names[result]} is {fault}, so no result can be written there")
        written = {result: addresses_of(array) for result, array in places.items()}
        read = {i: addresses_of(x) for i, x in enumerate(values)}
        for result, i in donated.items():
            if written.get(result) == read[i]:
                read[i] = None
        expect_apart(
            [(addresses, names[result]) for result, addresses in written.items() if addresses is not None],
            [(addresses, self.label(i)) for i, addresses in read.items() if addresses is not None],
        )
        return places

    def arrays_of_results(self, out: Any, count: int) -> Sequence[Any]:
        """The arrays of `out` in the order of the results."""
        if self.outputs is not None:
            return flatten(out, self.outputs, "out")
        arrays = out if isinstance(out, (tuple, list)) else [out]
        if len(arrays) != count:
            raise InputError(f"out has {count_text(len(arrays), 'array')}, but there are {count_text(count, 'result')}")
        return arrays

    # ---------------------------------------------------------------- binding

    def bind(self, arguments: Sequence[Any], named: Mapping[str, Any]) -> Arguments:
        """The arguments once a call's first ones, and those with names, have values; see `Program.bind`."""
        values, calling = self.calling.bind(arguments, named)
        return self.with_bound({i: self._bound(i, value) for i, value in values.items()}, calling)

    def with_weights(self, path: str | PathLike[str]) -> Arguments:
        """The arguments once a .safetensors file provides the weights; see `Program.with_weights`."""
        arrays = safetensors.read(path)
        bound = [number for number in self.bound if number not in self._stored or self._stored[number].weight]
        numbers, problems = weights_by_name(arrays, self.calling, bound)
        values: dict[int, Bound] = {}
        for key, number in numbers.items():
            try:
                values[number] = self._bound(number, arrays[key])
            except InputError as error:
                problems.append(str(error))
        if problems:
            raise weights_mismatch(path, problems)
        return self.with_bound(values, self.calling.without(values))

    def with_arrays(self, arrays: Mapping[int, np.ndarray], calling: Calling) -> Arguments:
        """The arguments once a call passes fewer, since main's arguments have these values, by number."""
        return self.with_bound({i: self._bound(i, array) for i, array in arrays.items()}, calling)

    def with_bound(self, values: Mapping[int, Bound], calling: Calling) -> Arguments:
        """The same, for values that are on the device, or will be."""
        for i in sorted(values.keys() & (self.donated or ())):
            raise InputError(f"{self.label(i)} is donated, so it cannot be bound")
        smaller = copy.copy(self)
        smaller._set(calling, {**self.bound, **values})
        return smaller

    def _bound(self, index: int, value: BoundValue) -> Bound:
        how = self._types[index], self._device, self._several
        if callable(value) and not is_tensor(value):
            return Bound(lambda: self._array(index, value()), *how)
        return Bound(self._value(index, value), *how)


AddressRange = tuple[int, int]  # the addresses where some memory begins and ends


def addresses_of(value: Any) -> AddressRange | None:
    """The memory of an array that a call reads or writes; None if it reads a copy, or nothing."""
    array = value.unpacked if isinstance(value, Fixed) else value
    if not isinstance(array, np.ndarray) or not array.flags.c_contiguous or not array.nbytes:
        return None
    begin = array_address(array)
    return begin, begin + array.nbytes


def expect_apart(written: Iterable[tuple[AddressRange, str]], read: Iterable[tuple[AddressRange, str]]) -> None:
    """Raise InputError if memory that is written overlaps other memory; each comes with what messages call it."""
    ranges = [
        *((*addresses, True, name) for addresses, name in written),
        *((*addresses, False, name) for addresses, name in read),
    ]
    ends = {True: (0, ""), False: (0, "")}  # the furthest end so far of what is written, and of what is read
    for begin, end, writes, name in sorted(ranges):
        for kind in (True, False) if writes else (True,):
            if begin < ends[kind][0]:
                raise InputError(f"{ends[kind][1]} and {name} overlap, but the call writes results to one of them")
        ends[writes] = max(ends[writes], (end, name))


def expect_no_mask(value: Any, label: str) -> None:
    """Refuse numpy's masked arrays, since programs would compute with the elements that are masked."""
    if has_mask(value):
        is_array = isinstance(value, np.ma.MaskedArray)
        cure = "pass its .filled(…) with a number for the masked elements, or its .data"
        raise InputError(
            f"{label} {'is' if is_array else 'holds'} a masked array, and programs do not support masks; {cure}"
        )


def has_mask(value: Any) -> bool:
    """Whether a value is a masked array, or contains one in lists, which numpy would turn into a plain array."""
    if isinstance(value, (list, tuple)) or (type(value) is np.ndarray and value.dtype == object):
        return any(map(has_mask, value.flat if isinstance(value, np.ndarray) else value))
    return isinstance(value, np.ma.MaskedArray)


def value_of(value: Any) -> Any:
    return value.value if isinstance(value, Bound) else value


def array_shape(value: Any, type: TensorType) -> tuple[int, ...]:
    """The shape of a value for an argument, without the last axis of a Tensor of complex numbers."""
    shape = tuple(int(d) for d in value.shape)
    return shape[:-1] if pairs(type) and is_tensor(value) else shape


def pairs(type: TensorType) -> bool:
    """Whether a Tensor of this type holds pairs of numbers, because the type is complex."""
    return isinstance(type.element, ComplexType)


def bounds_of(type: TensorType) -> tuple[int | None, ...]:
    """#stablehlo.bounds<?, 4> as (None, 4); () if the type has no bounds."""
    encoding = type.encoding
    if not isinstance(encoding, DialectAttr) or encoding.name != "bounds":
        return ()
    return tuple(encoding.fields["bounds"])


def arguments_of(
    names: Sequence[str],
    types: Sequence[TensorType],
    dimensions: Sequence[Sequence[str]],
    shardings: Sequence[Sequence[str]] = (),
) -> tuple[Argument, ...]:
    none = [()] * len(types)
    known = dimensions if len(dimensions) == len(types) else none
    return tuple(map(argument_of, names, types, known, shardings or none))


def argument_of(name: str, type: TensorType, sizes: Sequence[str] = (), sharding: Sequence[str] = ()) -> Argument:
    dimensions = tuple(sizes) if len(sizes) == len(type.shape) else ()
    return Argument(name, type.shape, numpy_dtype(type.element), dimensions, tuple(sharding))


def name_arguments(arguments: Sequence[Argument], prefix: str) -> list[str]:
    """Distinct names for arguments, for files and the command line."""
    return [argument.name or f"{prefix}{i}" for i, argument in enumerate(arguments)]


def random_array(shape: tuple[int, ...], dtype: np.dtype, generator: np.random.RandomState) -> np.ndarray:
    """Random booleans, integers from 0 to 7 (to 1 for 2-bit types), or floats of the standard normal distribution."""
    if dtype.kind == "b":
        return generator.randint(0, 2, shape).astype(dtype)
    if dtype.kind in "iu" or "int" in dtype.name:
        return generator.randint(0, 2 if "int2" in dtype.name else 8, shape).astype(dtype)
    values: Any = generator.standard_normal(shape)
    if dtype.kind == "c":
        values = values + 1j * generator.standard_normal(shape)
    return np.asarray(values).astype(dtype)
