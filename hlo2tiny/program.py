"""A loaded program: what `load` gives, and what users call."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from os import PathLike
from typing import Any

import numpy as np
from tinygrad import Tensor

from .dtypes import numpy_dtype, static_shape, type_text
from .errors import InputError
from .ir import ComplexType, Function, Module, StringAttr, TensorType
from .plan import Plan, build
from .run.tinygrad import (
    TinygradExecutor,
    buffer_layout,
    from_numpy,
    from_tensor,
    open_device,
    tensor_dtype,
    to_numpy,
    to_tensor,
)
from .syntax import parse
from .verify import entry_function, verify

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
    """An input or output: its name in the user's model ('' when the file has none), shape and numpy dtype."""

    name: str
    shape: tuple[int, ...]
    dtype: np.dtype

    def __str__(self) -> str:
        return f"{self.name or '(unnamed)'}: {self.dtype}{list(self.shape)}"


class Program:
    """A StableHLO program, ready to run. Calling it is safe from several threads.

    Attributes:
        inputs: the arguments' names, shapes and dtypes, in order.
        outputs: the results', likewise.
        module: the SSA graph; `plan`: how it runs; `device`: tinygrad's name of the device.
    """

    def __init__(self, module: Module, device: str | None = None) -> None:
        verify(module, _custom_calls)
        self.module = module
        entry = entry_function(module)
        self._inputs = [expect_tensor(t) for t in entry.type.inputs]
        self._outputs = [expect_tensor(t) for t in entry.type.results]
        self.inputs = tuple(map(described, argument_names(entry), self._inputs))
        self.outputs = tuple(map(described, result_names(entry), self._outputs))
        self.plan: Plan = build(module, entry.name)
        self.device = open_device(device)
        self._executor = TinygradExecutor(self.plan, self.device, dict(_custom_calls))

    def compile(self, progress: Callable[[int, int], None] = lambda done, total: None) -> None:
        """Build all kernels now rather than in the first call; `progress(done, total)` is called as they are built."""
        self._executor.compile(progress)

    def __call__(self, *tensors: Tensor | np.ndarray) -> Tensor | tuple[Tensor, ...]:
        """Run on tensors or numpy arrays.

        Complex values have no tinygrad dtype: a complex argument or result that is a Tensor has a last axis of 2, the
        real and the imaginary part. A result stays as it is, whatever is called next.

        Returns:
            A Tensor on the program's device, or a tuple of them when the function has several results.

        Raises:
            InputError: the number, shape or dtype of the arguments is not the program's.
        """
        self._expect_count(len(tensors))
        buffers = [
            from_tensor(self._checked_tensor(i, x), type, self.device)
            if isinstance(x, Tensor)
            else from_numpy(self._checked_array(i, x), type, self.device)
            for i, (x, type) in enumerate(zip(tensors, self._inputs))
        ]
        results = self._executor.run(buffers)
        outputs = tuple(to_tensor(b, type, self.device) for b, type in zip(results, self._outputs))
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
        buffers = [from_numpy(a, type, self.device) for a, type in zip(checked, self._inputs)]
        results = self._executor.run(buffers)
        return tuple(to_numpy(b, type) for b, type in zip(results, self._outputs))

    def _expect_count(self, count: int) -> None:
        if count != len(self.inputs):
            listed = "\n".join(f"  {i}: {argument}" for i, argument in enumerate(self.inputs))
            raise InputError(f"{count} arguments were given, the program takes {len(self.inputs)}:\n{listed}")

    def _mismatch(self, index: int, found: str) -> InputError:
        argument = self.inputs[index]
        name = f" ({argument.name})" if argument.name else ""
        return InputError(f"argument {index}{name} is {found}, expected {argument.dtype}{list(argument.shape)}")

    def _checked_array(self, index: int, value: Any) -> np.ndarray:
        expected = self.inputs[index]
        # A Python number takes the argument's dtype when that loses no kind: 1 may be a float, 1.5 not an integer.
        kinds = {bool: "b", int: "iufcV", float: "fcV", complex: "c"}.get(type(value), "")
        try:
            array = np.asarray(value, expected.dtype if expected.dtype.kind in kinds else None)
        except Exception as error:
            raise self._mismatch(index, f"a {type(value).__name__} that numpy cannot read ({error})") from error
        if array.shape != expected.shape or array.dtype != expected.dtype:
            raise self._mismatch(index, f"{array.dtype}{list(array.shape)}")
        return array

    def _checked_tensor(self, index: int, tensor: Tensor) -> Tensor:
        kind = self._inputs[index]
        shape, stored = buffer_layout(kind)
        wanted = stored if isinstance(kind.element, ComplexType) else tensor_dtype(kind)
        if tuple(tensor.shape) != shape or tensor.dtype != wanted:
            pair = ", a complex one as a Tensor with a last axis of 2" if isinstance(kind.element, ComplexType) else ""
            raise self._mismatch(index, f"a Tensor of {tensor.dtype} {list(tensor.shape)}{pair}")
        return tensor


def expect_tensor(type: Any) -> TensorType:
    if not isinstance(type, TensorType):
        raise InputError(f"the entry function has an argument or result of type {type_text(type)}, expected tensors")
    return type


def described(name: str, type: TensorType) -> Argument:
    return Argument(name, static_shape(type), numpy_dtype(type.element))


def argument_names(function: Function) -> list[str]:
    """The names that the exporter gave the arguments: loc("params['Dense_0']['kernel']")."""
    assert function.body is not None
    return [value.location.name if value.location else "" for value in function.body.arguments]


def result_names(function: Function) -> list[str]:
    """The names of jax.result_info."""
    return [text_attribute(attributes, "jax.result_info") for attributes in function.result_attributes]


def text_attribute(attributes: Mapping[str, Any], name: str) -> str:
    value = attributes.get(name)
    return value.value if isinstance(value, StringAttr) else ""


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
    return Program(parse(path), device)


def named(arguments: Sequence[Argument], prefix: str) -> list[str]:
    """Distinct names for arguments, for files and the command line."""
    return [argument.name or f"{prefix}{i}" for i, argument in enumerate(arguments)]
