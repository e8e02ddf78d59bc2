"""A loaded program: what `load` gives, and what users call.

Its code may be in the cache; then nothing is parsed or planned, nor imported for that, until somebody asks for it.
"""

from __future__ import annotations

import sys
import threading
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from os import PathLike
from typing import TYPE_CHECKING, Any

import numpy as np

from .dtypes import numpy_dtype
from .errors import InputError
from .formats import read
from .formats.artifact import Artifact
from .ir import ComplexType, DialectAttr, Module, TensorType
from .kept import Kept, default_device, find

if TYPE_CHECKING:
    from tinygrad import Tensor

    from .plan import Plan
    from .prepared import Prepared, Specialised

HostFunction = Callable[..., Any]
_custom_calls: dict[str, HostFunction] = {}


def custom_call(target: str) -> Callable[[HostFunction], HostFunction]:
    """Register a Python function for the custom calls of a name, in programs loaded from now on.

    The function takes one numpy array for each operand and returns an array, or a tuple of them, of the declared shapes
    and dtypes. It runs on the host; an exception that it raises leaves the program's call.

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

    A dimension that only a call makes known is None in the shape, and printed as ?.
    """

    name: str
    shape: tuple[int | None, ...]
    dtype: np.dtype

    def __str__(self) -> str:
        return f"{self.name or '(unnamed)'}: {self.layout}"

    @property
    def layout(self) -> str:
        """The dtype and shape as text: float32[?, 4]."""
        return f"{self.dtype}[{', '.join('?' if d is None else str(d) for d in self.shape)}]"

    def takes(self, shape: Sequence[int]) -> bool:
        return len(shape) == len(self.shape) and all(d is None or d == s for s, d in zip(shape, self.shape))


class Program:
    """A StableHLO program, ready to run. Calling it is safe from several threads.

    A program with dimensions that are not known (`?`) is planned and compiled anew for each set of shapes that it is
    called with; the last 16 are kept.

    Attributes:
        inputs: the arguments' names, shapes and dtypes, in order.
        outputs: the results', likewise.
        device: tinygrad's name of the device.
    """

    def __init__(self, module: Module, device: str | None = None) -> None:
        self._begin(prepare(Artifact(module), device))

    def _begin(self, way: Prepared | Kept) -> None:
        self._way = way
        self._lock = threading.Lock()
        self._types = way.inputs
        self.inputs = tuple(map(described, way.input_names, way.inputs))
        self.outputs = tuple(map(described, way.output_names, way.outputs))
        self.device = way.device

    @property
    def _prepared(self) -> Prepared:
        """The module and its plans: read now, if so far the code from the cache was enough."""
        with self._lock:
            if isinstance(self._way, Kept):
                self._way = prepare(read(self._way.source(), self.device), self.device)
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
        last = self._prepared.last
        if last is None:
            raise InputError(f"the plan depends on the arguments: {self._listed()}\ncall the program first")
        return last.plan

    def plan_for(self, shapes: Sequence[tuple[int, ...]]) -> Plan:
        """How the program runs on arguments of these shapes.

        Raises:
            InputError: they are not the program's, or it depends on the arguments' values too.
        """
        self._expect_count(len(shapes))
        for i, shape in enumerate(shapes):
            if not self._takes(i, shape):
                raise self._mismatch(i, f"of shape {list(shape)}")
        prepared = self._prepared
        found = prepared.of_shapes(shapes, None)
        if found is None:
            named = ", ".join(str(self.inputs[i]) for i in prepared.sizes)
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
        shapes = [array_shape(x, isinstance(t.element, ComplexType)) for x, t in zip(arguments, self._types)]
        found = self._prepared.of_shapes(shapes, arguments)
        assert found is not None
        return found

    def __call__(self, *tensors: Tensor | np.ndarray) -> Tensor | tuple[Tensor, ...]:
        """Run on tensors or numpy arrays.

        Complex values have no tinygrad dtype: a complex argument or result that is a Tensor has a last axis of 2, the
        real and the imaginary part. A result stays as it is, whatever is called next.

        Returns:
            A Tensor on the program's device, or a tuple of them when the function has several results.

        Raises:
            InputError: the number, shape or dtype of the arguments is not the program's.
        """
        from .run.tinygrad import from_numpy, from_tensor, open_device, to_tensor

        open_device(self.device)
        self._expect_count(len(tensors))
        checked = [
            self._checked_tensor(i, x) if is_tensor(x) else self._checked_array(i, x) for i, x in enumerate(tensors)
        ]
        found = self._for(checked)
        buffers = [
            from_tensor(x, type, self.device) if is_tensor(x) else from_numpy(x, type, self.device)
            for x, type in zip(checked, found.inputs)
        ]
        results = found.executor.run(buffers)
        outputs = tuple(to_tensor(b, type, self.device) for b, type in zip(results, found.outputs))
        return outputs[0] if len(outputs) == 1 else outputs

    def numpy(self, *arrays: Any) -> tuple[np.ndarray, ...]:
        """Run on numpy arrays, or what `numpy.asarray` takes without changing the dtype.

        Returns:
            A tuple of arrays, with the declared dtypes: those of ml_dtypes for what numpy lacks, complex for complex.

        Raises:
            InputError: the number, shape or dtype of the arguments is not the program's.
        """
        self._expect_count(len(arrays))
        checked = [self._checked_array(i, a) for i, a in enumerate(arrays)]
        return tuple(self._for(checked).executor.run_numpy(checked))

    def _expect_count(self, count: int) -> None:
        if count != len(self.inputs):
            raise InputError(f"{count} arguments were given, the program takes {len(self.inputs)}:{self._listed()}")

    def _listed(self) -> str:
        return "".join(f"\n  {i}: {argument}" for i, argument in enumerate(self.inputs))

    def _takes(self, index: int, shape: tuple[int, ...]) -> bool:
        limits = self._bounds(index)
        return self.inputs[index].takes(shape) and all(limit is None or d <= limit for d, limit in zip(shape, limits))

    def _bounds(self, index: int) -> tuple[int | None, ...]:
        """The largest sizes that a type with bounded dimensions allows."""
        return bounds_of(self._types[index])

    def _mismatch(self, index: int, found: str) -> InputError:
        argument = self.inputs[index]
        name = f" ({argument.name})" if argument.name else ""
        bounds = f" with dimensions of at most {limits}" if (limits := self._bounds(index)) else ""
        return InputError(f"argument {index}{name} is {found}, expected {argument.layout}{bounds}")

    def _checked_array(self, index: int, value: Any) -> np.ndarray:
        expected = self.inputs[index]
        if type(value) is np.ndarray and value.dtype == expected.dtype and value.shape == expected.shape:
            return value
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
        from .run.tinygrad import buffer_layout, tensor_dtype

        kind = self._types[index]
        pairs = isinstance(kind.element, ComplexType)
        shape = array_shape(tensor, pairs)
        wanted = buffer_layout(replace(kind, shape=()))[1] if pairs else tensor_dtype(kind)
        if not self._takes(index, shape) or (pairs and tensor.shape[-1:] != (2,)) or tensor.dtype != wanted:
            pair = ", a complex one as a Tensor with a last axis of 2" if pairs else ""
            raise self._mismatch(index, f"a Tensor of {tensor.dtype} {list(tensor.shape)}{pair}")
        return tensor


def prepare(artifact: Artifact, device: str | None, digest: str = "") -> Prepared:
    from .prepared import Prepared

    return Prepared(artifact, device, dict(_custom_calls), digest)


def is_tensor(value: Any) -> bool:
    tinygrad = sys.modules.get("tinygrad")
    return tinygrad is not None and isinstance(value, tinygrad.Tensor)


def array_shape(value: Any, pairs: bool) -> tuple[int, ...]:
    """An argument's shape; a complex Tensor is pairs along a last axis."""
    shape = tuple(int(d) for d in value.shape)
    return shape[:-1] if pairs and is_tensor(value) else shape


def bounds_of(type: TensorType) -> tuple[int | None, ...]:
    """#stablehlo.bounds<?, 4> as (None, 4); () where the type has none."""
    encoding = type.encoding
    if not isinstance(encoding, DialectAttr) or encoding.name != "bounds":
        return ()
    return tuple(encoding.fields["bounds"])


def described(name: str, type: TensorType) -> Argument:
    return Argument(name, type.shape, numpy_dtype(type.element))


def load(path: str | PathLike[str], device: str | None = None) -> Program:
    """Load a StableHLO program from a `.mlir` file, or from its text.

    Args:
        path: the file, or the module's text itself.
        device: a tinygrad device such as "CPU", "CUDA", "METAL", "CL"; None takes tinygrad's default.

    Example:
        >>> program = load("corpus/flax_convnet.mlir", device="CPU")
        >>> [str(i) for i in program.inputs][:1]
        ["params['Conv_0']['bias']: float32[32]"]

    Raises:
        ParseError: the file is not MLIR.
        VerifyError: the module breaks a rule of the specification.
        UnsupportedOp: it holds ops that have no rule; all are listed.
        InputError: the file cannot be read, or the device not be opened.
    """
    device = default_device() if device is None else device
    digest, found = find(path, device)
    program = Program.__new__(Program)
    if found is None:
        program._begin(prepare(read(path, device), device, digest))
    else:
        program._begin(found)
    return program


def named(arguments: Sequence[Argument], prefix: str) -> list[str]:
    """Distinct names for arguments, for files and the command line."""
    return [argument.name or f"{prefix}{i}" for i, argument in enumerate(arguments)]
