"""A loaded program: what `load` gives, and what users call.

Its code may be in the cache; then nothing is parsed or planned, nor imported for that, until somebody asks for it.
"""

from __future__ import annotations

import copy
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from os import PathLike, fspath
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from . import forking
from .arguments import Calling, calling_of, weights_by_name
from .errors import InputError, printable_name
from .formats import ProgramFile, safetensors
from .formats.artifact import Artifact
from .formats.mapped import MappedFile, file_of
from .ir import ComplexType, DialectAttr, Module, TensorType
from .ir.dtypes import numpy_dtype, static_shape
from .ir.entry import with_entry
from .store.kept import Kept, default_device, find
from .syntax.source import ProgramPath, read_once
from .targets.c.code import Fixed
from .trees import unflatten

if TYPE_CHECKING:
    from tinygrad import Tensor

    from .model import Prepared, Specialised
    from .plan import Plan

ARRAY = {np.ndarray}
HostFunction = Callable[..., Any]
# What an argument can be fixed to; a function reads an array when it is needed.
Value = Any  # np.ndarray | Tensor | Callable[[], np.ndarray]
_custom_calls: dict[str, HostFunction] = {}


def custom_call(target: str) -> Callable[[HostFunction], HostFunction]:
    """Register a Python function for the custom calls of a name, in programs loaded from now on.

    The function takes one numpy array for each operand and returns an array, or a tuple of them, of the declared shapes
    and dtypes. It runs on the host; an exception that it raises leaves the program's call. A name that hlo2tiny has
    a rule for, as those of LAPACK, keeps that rule.

    Example:
        >>> @custom_call("my_softsign")
        ... def softsign(x):
        ...     return x / (1 + abs(x))

    Raises:
        TypeError: the name is not a string.
        ValueError: the name has a function already.
    """

    if not isinstance(target, str):
        raise TypeError(f"custom_call takes the name of the call, as in @custom_call('my_op'), not {target!r}")

    def register(function: HostFunction) -> HostFunction:
        if target in _custom_calls:
            raise ValueError(f"custom call {target!r} has a function already")
        _custom_calls[target] = function
        return function

    return register


def custom_calls() -> Mapping[str, HostFunction]:
    """The registered functions by target."""
    return dict(_custom_calls)


@dataclass(frozen=True)
class Argument:
    """An input or output: its name in the user's model ('' when the file has none), shape and numpy dtype.

    A dimension that only a call makes known is None in the shape, and printed by its name in the model: `dimensions`
    are all sizes as text, such as ("b", "28"), () where the file does not say; then an open one is ?.
    """

    name: str
    shape: tuple[int | None, ...]
    dtype: np.dtype
    dimensions: tuple[str, ...] = ()

    def __str__(self) -> str:
        return f"{printable_name(self.name) or '(unnamed)'}: {printable_name(self.layout)}"

    @property
    def layout(self) -> str:
        """The dtype and shape as text: float32[b, 4], float32[?, 4]."""
        named = self.dimensions or ("?",) * len(self.shape)
        return f"{self.dtype}[{', '.join(n if d is None else str(d) for d, n in zip(self.shape, named))}]"

    def takes(self, shape: Sequence[int]) -> bool:
        return len(shape) == len(self.shape) and all(d is None or d == s for s, d in zip(shape, self.shape))


class Program:
    """A StableHLO program, ready to run. Calling it is safe from several threads.

    A program with dimensions that are not known (`?`) is planned and compiled anew for each set of shapes that it is
    called with; the last 16 are kept.

    Where the file says in what structure its function takes and gives arrays (a file of `hlo2tiny.export`, or of
    `jax.export`), a call does the same: `program(params, x)`. The arrays one by one, in the order of `inputs`, are
    taken too. Arguments may be passed by name.

    Attributes:
        inputs: the names, shapes and dtypes of the arrays that a call passes, in order.
        outputs: the results', likewise.
        device: tinygrad's name of the device.
    """

    def __init__(self, module: Module, device: str | None = None, *, entry: str | None = None) -> None:
        """A program of a parsed module; `entry` is the function that calls run, as `load` takes it."""
        self._begin(prepare(Artifact(module if entry is None else with_entry(module, entry)), device))

    def _begin(self, way: Prepared | Kept, folder: Path = Path()) -> None:
        """Run `way`, whose weights are in files of the folder."""
        self._way = way
        self._lock = forking.lock()
        self._types = way.inputs
        calling = calling_of(way.signature, way.input_names, len(way.outputs))
        signature = way.signature
        self._arguments = arguments_of(calling.names, way.inputs, signature.dimensions)
        self.outputs = arguments_of(way.output_names, way.outputs, signature.output_dimensions)
        self.device = way.device
        stored = way.signature.bound
        self._bound = {i: self._bound_value(i, partial(stored[i].read, folder)) for i in stored}
        self._take(calling)

    def _take(self, calling: Calling) -> None:
        self._calling = calling
        self._direct, self._structure = calling.direct, calling.outputs
        self._count = -1 if self._bound else len(self._arguments)
        self.inputs = tuple(self._arguments[i] for i in calling.free)
        self._fixed: list[Any] = [self._bound.get(i) for i in range(len(self._arguments))]

    def _bound_value(self, index: int, value: Value) -> Bound:
        if callable(value) and not is_tensor(value):
            return Bound(lambda: self._checked_array(index, value()), self._types[index], self.device)
        checked = self._checked_tensor(index, value) if is_tensor(value) else self._checked_array(index, value)
        return Bound(checked, self._types[index], self.device)

    def __repr__(self) -> str:
        """load("model.mlir") shows as <Program (params, x) of 9 arrays on CPU>."""
        count = len(self.inputs)
        calling = printable_name(str(self._calling))
        return f"<Program {calling} of {count} array{'s' * (count != 1)} on {self.device}>"

    def _repr_html_(self) -> str:
        """What a notebook shows: the arguments and results."""
        from .notebook import signature_table

        return signature_table(self.inputs, self.outputs, self.bound, self.device)

    @property
    def bound(self) -> tuple[Argument, ...]:
        """The arguments that have values: the file's weights, and what was bound."""
        return tuple(self._arguments[i] for i in sorted(self._bound))

    @property
    def _prepared(self) -> Prepared:
        """The module and its plans: read now, if so far the code from the cache was enough."""
        with self._lock:
            if isinstance(self._way, Kept):
                self._way = prepare(self._way.source().read(self.device), self.device)
            return self._way

    @property
    def module(self) -> Module:
        """The SSA graph, without tuples and tokens."""
        return self._prepared.module

    @property
    def plan(self) -> Plan:
        """How the program runs.

        Raises:
            InputError: that depends on the arguments, and no call has been made yet.
        """
        called = list(self._way.found) if isinstance(self._way, Kept) else []
        last = self._prepared.of_shapes(called[-1], None) if called else self._prepared.last
        if last is None:
            raise InputError(f"the plan depends on the arguments: {self._listed()}\ncall the program first")
        return last.plan

    def plan_for(self, shapes: Sequence[tuple[int, ...]]) -> Plan:
        """How the program runs on arguments of these shapes.

        Raises:
            InputError: they are not the program's, or it depends on the arguments' values too.
        """
        self._expect_count(len(shapes))
        known = {i: array_shape(bound.value, pairs(self._types[i])) for i, bound in self._bound.items()}
        for i, shape in zip(self._calling.free, shapes):
            if not self._takes(i, shape):
                raise self._mismatch(i, f"of shape {list(shape)}")
            known[i] = shape
        prepared = self._prepared
        found = prepared.of_shapes([known[i] for i in range(len(self._arguments))], None)
        if found is None:
            named = ", ".join(str(self._arguments[i]) for i in prepared.sizes)
            raise InputError(f"shapes inside the program depend on the numbers in {named}, which only a call knows")
        return found.plan

    def compile(self, progress: Callable[[int, int], None] = lambda done, total: None) -> None:
        """Build all kernels now rather than in the first call; `progress(done, total)` is called as they are built.

        Where shapes depend on the arguments, only a call can build them: nothing is done.
        """
        self._way.compile(progress)

    def _for(self, arguments: Sequence[Any]) -> Specialised | Kept:
        """What runs on these arguments."""
        way = self._way
        if way.only is not None:
            return way.only
        values = [x.value if isinstance(x, Bound) else x for x in arguments]
        shapes = [array_shape(x, pairs(t)) for x, t in zip(values, self._types)]
        if isinstance(way, Kept) and (kept := way.of_shapes(shapes)) is not None:
            return kept
        found = self._prepared.of_shapes(shapes, values)
        assert found is not None
        return found

    def __call__(self, *arguments: Any, **named: Any) -> Any:
        """Run on tensors or numpy arrays, in the structure that the exported function takes, or one by one.

        Complex values have no tinygrad dtype: a complex argument or result that is a Tensor has a last axis of 2, the
        real and the imaginary part. A result stays as it is, whatever is called next.

        Returns:
            Tensors on the program's device, in the structure that the exported function returns. Where the file does
            not say which, a Tensor, or a tuple of them when the function has several results.

        Example:
            >>> program = load("func.func @main(%x: tensor<2xf32>) -> tensor<2xf32> { return %x : tensor<2xf32> }")
            >>> program(np.array([1, 2], np.float32)).tolist()
            [1.0, 2.0]

        Raises:
            InputError: the number, structure, shape or dtype of the arguments is not the program's.
        """
        from .tinygrad.buffers import from_tensor, to_tensor
        from .tinygrad.device import open_device

        open_device(self.device)
        checked = self._checked(arguments, named, self._checked_value)
        found = self._for(checked)
        buffers = [
            x.placed() if isinstance(x, Bound) else from_tensor(x, type, self.device) if is_tensor(x) else x
            for x, type in zip(checked, found.inputs)
        ]
        results = found.executor.run(buffers)
        outputs = tuple(to_tensor(b, type, self.device) for b, type in zip(results, found.outputs))
        if self._structure is not None:
            return unflatten(outputs, self._structure)
        return outputs[0] if len(outputs) == 1 else outputs

    def lazy(self, *arguments: Any, **named: Any) -> Any:
        """The results as a part of tinygrad's graph: nothing runs before tinygrad realizes what depends on them.

        `backward()` and `gradient()` of what is computed from them reach the arguments that are Tensors of floats (or
        complex numbers, see `__call__`): so a loaded model can be fine-tuned. Those whose gradient nobody wants are
        better numpy arrays or detached Tensors, as tinygrad asks for the gradients of all others. It is the gradient of
        what the file says: of what JAX knew beside (`custom_vjp`, `stop_gradient`) the file has nothing. The backward
        pass runs the program once more, rather than keep what it computed.

        Returns:
            What `__call__` returns, unrealized.

        Example:
            >>> from tinygrad import Tensor
            >>> square = "%y = stablehlo.multiply %x, %x : tensor<f32>"
            >>> text = f"func.func @main(%x: tensor<f32>) -> tensor<f32> {{ {square} return %y : tensor<f32> }}"
            >>> x = Tensor(3.0).clone()
            >>> load(text, device="CPU").lazy(x).gradient(x)[0].item()
            6.0

        Raises:
            InputError: the number, shape or dtype of the arguments is not the program's.
            UnsupportedOp: when a gradient is asked for, and an op on its way has none: a custom call, or a loop whose
                number of turns only a run knows.
        """
        from .lazy import lazy
        from .tinygrad.device import open_device

        open_device(self.device)
        checked = self._checked(arguments, named, self._checked_value)
        found = self._for(checked)
        operands = [
            x.tensor() if isinstance(x, Bound) else x if is_tensor(x) else tensor_of(x, type, self.device)
            for x, type in zip(checked, found.inputs)
        ]
        values = [x.value if isinstance(x, Bound) else x for x in checked]
        fixed = [i for i, x in enumerate(values) if not is_tensor(x)]
        results = tuple(lazy(found, operands, fixed, self._gradient, self.device))
        if self._structure is not None:
            return unflatten(results, self._structure)
        return results[0] if len(results) == 1 else results

    @property
    def weights(self) -> dict[str, Tensor]:
        """The arguments that are bound, by name, as Tensors: calls read what is assigned to them.

        They are what an optimizer of tinygrad takes, as the gradients of `lazy` results reach them.
        """
        from .tinygrad.device import open_device

        open_device(self.device)
        return {self._arguments[i].name or f"in{i}": bound.as_tensor() for i, bound in sorted(self._bound.items())}

    def _gradient(self, found: Specialised | Kept, wanted: tuple[int, ...]) -> tuple[Specialised, tuple[int, ...]]:
        """See `Prepared.gradient`."""
        prepared = self._prepared
        if isinstance(found, Kept):
            specialised = prepared.of_shapes([static_shape(t) for t in found.inputs], None)
            assert specialised is not None
            found = specialised
        return prepared.gradient(found, wanted)

    def numpy(self, *arguments: Any, **named: Any) -> Any:
        """Run on numpy arrays, or what `numpy.asarray` takes without changing the dtype.

        Returns:
            Arrays in the structure that the exported function returns; where the file does not say which, a tuple of
            them. They have the declared dtypes: those of ml_dtypes for what numpy lacks, complex for complex.

        Raises:
            InputError: the number, structure, shape or dtype of the arguments is not the program's.
        """
        results = self._numpy(arguments, named)
        return tuple(results) if self._structure is None else unflatten(results, self._structure)

    def numpy_one_by_one(self, arrays: Sequence[Any]) -> list[np.ndarray]:
        """The results one by one, in the order of `outputs`, for arrays in the order of `inputs`.

        Raises:
            InputError: the number, shape or dtype of the arrays is not the program's.
        """
        self._expect_count(len(arrays))
        return self._numpy(arrays, {})

    def all_arrays(self, arrays: Sequence[Any]) -> list[Any]:
        """The values of all arguments of the main function, in its order: these arrays, and those that are bound."""
        checked = self._checked(arrays, {}, self._checked_array)
        arrays = [x.array() if isinstance(x, Bound) else x for x in checked]
        return [x.array if isinstance(x, Fixed) else x for x in arrays]

    def static_module(self, arrays: Sequence[Any]) -> Module:
        """The module for these arrays, all its shapes known; its main function takes what `all_arrays` gives."""
        found = self._prepared.of_shapes([x.shape for x in self.all_arrays(arrays)], self.all_arrays(arrays))
        assert found is not None
        return found.module

    def _numpy(self, arguments: Sequence[Any], named: Mapping[str, Any]) -> list[np.ndarray]:
        # What passes all arguments one by one is as fast as can be.
        if not named and (self._direct or (len(arguments) == self._count and set(map(type, arguments)) == ARRAY)):
            self._expect_count(len(arguments))
            checked: list[Any] = [self._checked_array(i, a) for i, a in enumerate(arguments)]
            return self._for(checked).executor.run_numpy(checked)
        checked = self._checked(arguments, named, self._checked_array)
        executor = self._for(checked).executor
        return executor.run_numpy([(x.ready or x.array()) if isinstance(x, Bound) else x for x in checked])

    def bind(self, *arguments: Any, **named: Any) -> Program:
        """Fix the first arguments, or arguments by name: the program of the others.

        An array or Tensor is placed on the device once; on the CPU, an array stays where it lies, so it must not be
        changed. What is assigned to a Tensor later counts.

        Example:
            >>> program = load("corpus/flax_convnet.mlir", device="CPU")
            >>> weights = [np.zeros(i.shape, i.dtype) for i in program.inputs[:-1]]
            >>> [str(i) for i in program.bind(*weights).inputs]
            ['x: float32[512, 28, 28, 1]']

        Raises:
            InputError: the structure, shape or dtype of the arguments is not the program's.
        """
        values, calling = self._calling.bind(arguments, named)
        return self._smaller({i: self._bound_value(i, value) for i, value in values.items()}, calling)

    def with_weights(self, path: str | PathLike[str]) -> Program:
        """The program with the weights of a .safetensors file, which has them by the names of arguments.

        Raises:
            InputError: weights are missing, or there are others than the program's, or of other shapes or dtypes.
        """
        arrays = safetensors.read(path)
        stored = self._way.signature.bound
        own = [number for number in self._bound if number not in stored or stored[number].weight]
        numbers, problems = weights_by_name(arrays, self._calling, own)
        values: dict[int, Bound] = {}
        for key, number in numbers.items():
            try:
                values[number] = self._bound_value(number, arrays[key])
            except InputError as error:
                problems.append(str(error))
        if problems:
            raise InputError(f"{fspath(path)}: these are not the program's weights:\n  " + "\n  ".join(problems))
        return self._smaller(values, self._calling.without(values))

    def _smaller(self, values: dict[int, Bound], calling: Calling) -> Program:
        smaller = copy.copy(self)
        smaller._lock = forking.lock()
        smaller._bound = self._bound | values
        smaller._take(calling)
        return smaller

    def _checked(
        self, arguments: Sequence[Any], named: Mapping[str, Any], check: Callable[[int, Any], Any]
    ) -> list[Any]:
        """The values of all of main's arguments, those of the call checked."""
        values = self._calling.values(arguments, named)
        self._expect_count(len(values))
        for file in {bound.file for bound in self._bound.values() if bound.file is not None}:
            file.expect_unchanged()
        checked = self._fixed.copy()
        for i, x in zip(self._calling.free, values):
            checked[i] = check(i, x)
        return checked

    def _checked_value(self, index: int, value: Any) -> Any:
        return self._checked_tensor(index, value) if is_tensor(value) else self._checked_array(index, value)

    def _expect_count(self, count: int) -> None:
        if count != len(self.inputs):
            raise InputError(f"{count} arguments were given, the program takes {len(self.inputs)}:{self._listed()}")

    def _listed(self) -> str:
        return "".join(f"\n  {i}: {argument}" for i, argument in enumerate(self.inputs))

    def _takes(self, index: int, shape: tuple[int, ...]) -> bool:
        limits = self._bounds(index)
        return self._arguments[index].takes(shape) and all(
            limit is None or d <= limit for d, limit in zip(shape, limits)
        )

    def _bounds(self, index: int) -> tuple[int | None, ...]:
        """The largest sizes that a type with bounded dimensions allows."""
        return bounds_of(self._types[index])

    def _mismatch(self, index: int, found: str) -> InputError:
        argument, free = self._arguments[index], self._calling.free
        name = f" ({argument.name})" if argument.name else ""
        bounds = f" with dimensions of at most {limits}" if (limits := self._bounds(index)) else ""
        number = free.index(index) if index in free else index
        return InputError(f"argument {number}{name} is {found}, expected {argument.layout}{bounds}")

    def _checked_array(self, index: int, value: Any) -> np.ndarray:
        expected = self._arguments[index]
        if type(value) is np.ndarray and value.dtype == expected.dtype and value.shape == expected.shape:
            return value
        if str(getattr(value, "dtype", "")).startswith("key<"):  # JAX's typed random keys
            value = sys.modules["jax"].random.key_data(value)
        # A Python number takes the argument's dtype when that loses no kind: 1 may be a float, 1.5 not an integer.
        kinds = {bool: "b", int: "iufcV", float: "fcV", complex: "c"}.get(type(value), "")
        try:
            array = np.asarray(value, expected.dtype if expected.dtype.kind in kinds else None)
        except Exception as error:
            raise self._mismatch(index, f"a {type(value).__name__} that numpy cannot read ({error})") from error
        if not self._takes(index, array.shape) or array.dtype != expected.dtype:
            raise self._mismatch(index, f"{array.dtype}{list(array.shape)}")
        return array

    def _checked_tensor(self, index: int, tensor: Tensor) -> Tensor:
        from .tinygrad.buffers import buffer_layout, tensor_dtype

        kind = self._types[index]
        paired = pairs(kind)
        shape = array_shape(tensor, paired)
        wanted = buffer_layout(replace(kind, shape=()))[1] if paired else tensor_dtype(kind)
        if not self._takes(index, shape) or (paired and tensor.shape[-1:] != (2,)) or tensor.dtype != wanted:
            pair = ", a complex one as a Tensor with a last axis of 2" if paired else ""
            raise self._mismatch(index, f"a Tensor of {tensor.dtype} {list(tensor.shape)}{pair}")
        return tensor


class Bound:
    """A value of an argument: placed on the device when it is first used, and once.

    Args:
        value: a checked array or Tensor, or a function that reads the array.
    """

    def __init__(self, value: Value, type: TensorType, device: str) -> None:
        self._value, self._type, self._device = value, type, device
        # What executors take, where it stays the same.
        self.ready: Any = None
        self._buffer: Any = None
        self._uop: Any = None
        self._tensor: Tensor | None = None
        self.file: MappedFile | None = None  # whose memory the array is
        self._lock = forking.lock()

    @property
    def value(self) -> Any:
        """The array or Tensor."""
        with self._lock:
            if callable(self._value) and not is_tensor(self._value):
                self._value = self._value()
            if self.file is None:
                self.file = file_of(self._value)
            if self.file is not None:
                self.file.expect_unchanged()
            return self._value

    def placed(self) -> Any:
        """The value as an executor's `run` takes it: a buffer, or on the CPU an array."""
        value = self.value
        with self._lock:
            if self.ready is not None:
                return self.ready
            if is_tensor(value):
                from .tinygrad.buffers import from_tensor

                if self._buffer is None or value.uop is not self._uop:
                    self._buffer = from_tensor(value, self._type, self._device)
                    self._uop = value.uop
                return self._buffer
            if self._device == "CPU":
                self.ready = Fixed(value)
            else:
                from .tinygrad.buffers import from_numpy

                self.ready = from_numpy(value, self._type, self._device)
            return self.ready

    def tensor(self) -> Tensor:
        """The value as a Tensor on the device."""
        value = self.value
        with self._lock:
            if is_tensor(value):
                return value
            if self._tensor is None:
                self._tensor = tensor_of(value, self._type, self._device)
            return self._tensor

    def as_tensor(self) -> Tensor:
        """The Tensor that the value is from now on."""
        self._value, self.ready = self.tensor(), None
        self.file = None
        return self._value

    def array(self) -> Any:
        """The value as an executor's `run_numpy` takes it."""
        placed = self.placed()
        if isinstance(placed, Fixed) or self._device != "CPU":
            return placed
        from .tinygrad.buffers import operand

        return operand(placed, self._type, self._device)


def prepare(artifact: Artifact, device: str | None, digest: str = "") -> Prepared:
    from .model import Prepared

    return Prepared(artifact, device, dict(_custom_calls), digest)


def is_tensor(value: Any) -> bool:
    tinygrad = sys.modules.get("tinygrad")
    return tinygrad is not None and isinstance(value, tinygrad.Tensor)


def tensor_of(array: np.ndarray, type: TensorType, device: str) -> Tensor:
    """A Tensor of a checked array's numbers."""
    from .tinygrad.buffers import from_numpy, to_tensor

    return to_tensor(from_numpy(array, type, device), type, device)


def array_shape(value: Any, paired: bool) -> tuple[int, ...]:
    """An argument's shape; a complex Tensor is pairs along a last axis."""
    shape = tuple(int(d) for d in value.shape)
    return shape[:-1] if paired and is_tensor(value) else shape


def pairs(type: TensorType) -> bool:
    """Whether Tensors of a type are pairs of numbers."""
    return isinstance(type.element, ComplexType)


def bounds_of(type: TensorType) -> tuple[int | None, ...]:
    """#stablehlo.bounds<?, 4> as (None, 4); () where the type has none."""
    encoding = type.encoding
    if not isinstance(encoding, DialectAttr) or encoding.name != "bounds":
        return ()
    return tuple(encoding.fields["bounds"])


def arguments_of(
    names: Sequence[str], types: Sequence[TensorType], dimensions: Sequence[Sequence[str]]
) -> tuple[Argument, ...]:
    known = dimensions if len(dimensions) == len(types) else [()] * len(types)
    return tuple(map(described, names, types, known))


def described(name: str, type: TensorType, sizes: Sequence[str] = ()) -> Argument:
    return Argument(name, type.shape, numpy_dtype(type.element), tuple(sizes) if len(sizes) == len(type.shape) else ())


def load(
    path: ProgramPath | bytearray | memoryview,
    device: str | None = None,
    *,
    weights: str | PathLike[str] | None = None,
    entry: str | None = None,
) -> Program:
    """Load a StableHLO program from a file, whose content says what it is.

    Args:
        path: MLIR text (model.mlir, with model.mlir.json and model.safetensors beside it if `export` wrote them), MLIR
            bytecode, a file of `jax.export.Exported.serialize()`, either of them compressed by gzip or zstd, a folder
            that torch_xla wrote; or the text or bytes themselves. "-" is standard input. The file is read once.
        device: a tinygrad device such as "CPU", "CUDA", "METAL", "CL"; None takes tinygrad's default.
        weights: a .safetensors file with other weights, by the names of arguments: "params['Dense_0']['kernel']", or
            "params.Dense_0.kernel", or "Dense_0.kernel". A call does not pass the arguments that it has.
        entry: the function that calls run, of a file with several; None takes @main, or the only public one. Any other
            than that takes its arguments one by one.

    Example:
        >>> program = load("corpus/flax_convnet.mlir", device="CPU")
        >>> [str(i) for i in program.inputs][:1]
        ["params['Conv_0']['bias']: float32[32]"]

    Raises:
        ParseError: the file is of no format that is known, or damaged; with the line and column, or the byte.
        VerifyError: the module breaks a rule of the specification.
        UnsupportedOp: it holds ops that have no rule, or types that the device lacks; all are listed.
        InputError: a file cannot be read, it has no such entry, the weights are not the program's, or the device not
            be opened.
    """
    device = default_device() if device is None else device
    source = read_once(path)
    file = ProgramFile(source, entry)
    digest, kept = find(source, file, device, entry)
    program = Program.__new__(Program)
    program._begin(kept or prepare(file.read(device), device, digest), file.folder)
    return program if weights is None else program.with_weights(weights)


def named(arguments: Sequence[Argument], prefix: str) -> list[str]:
    """Distinct names for arguments, for files and the command line."""
    return [argument.name or f"{prefix}{i}" for i, argument in enumerate(arguments)]
