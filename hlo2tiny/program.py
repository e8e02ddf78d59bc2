"""A loaded program: what `load` gives, and what users call.

Its code may be in the cache; then nothing is parsed or planned, nor imported for that, until somebody asks for it.
"""

from __future__ import annotations

import copy
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from .arguments import Argument, Arguments, arguments_of, value_of
from .bound import Bound, is_tensor, tensor_of
from .compiled import Compiled
from .errors import InputError, printable_name
from .formats import ProgramFile
from .formats.artifact import Artifact
from .ir import Module
from .ir.entry import with_entry
from .specialisations import Specialisations
from .store import programs as store
from .store.device import default_device
from .syntax.source import ProgramPath, read_once
from .targets import HostFunction
from .targets.arrays import Fixed
from .trees import unflatten

if TYPE_CHECKING:
    from tinygrad import Tensor

    from .model import Model
    from .plan import Plan

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
        model = model_of(Artifact(module if entry is None else with_entry(module, entry)), device)
        self._begin(Specialisations(model.interface, model.device, lambda: model))

    def _begin(self, specialisations: Specialisations, folder: Path = Path()) -> None:
        """Run these, whose weights are in files of the folder."""
        interface, self.device = specialisations.interface, specialisations.device
        self._specialisations = specialisations
        dimensions = interface.signature.output_dimensions
        self.outputs = arguments_of(interface.output_names, interface.outputs, dimensions)
        self._take(Arguments(interface, self.device, folder))

    def _take(self, arguments: Arguments) -> None:
        self._arguments, self.inputs, self._structure = arguments, arguments.passed, arguments.outputs

    def __repr__(self) -> str:
        """load("model.mlir") shows as <Program (params, x) of 9 arrays on CPU>."""
        count = len(self.inputs)
        calling = printable_name(str(self._arguments))
        return f"<Program {calling} of {count} array{'s' * (count != 1)} on {self.device}>"

    def _repr_html_(self) -> str:
        """What a notebook shows: the arguments and results."""
        from .notebook import signature_table

        return signature_table(self.inputs, self.outputs, self.bound, self.device)

    @property
    def bound(self) -> tuple[Argument, ...]:
        """The arguments that have values: the file's weights, and what was bound."""
        return tuple(self._arguments.described(i) for i in sorted(self._arguments.bound))

    @property
    def module(self) -> Module:
        """The SSA graph, without tuples and tokens."""
        return self._specialisations.model.module

    @property
    def plan(self) -> Plan:
        """How the program runs.

        Raises:
            InputError: that depends on the arguments, and no call has been made yet.
        """
        last = self._specialisations.last
        if last is None:
            listed = self._arguments.listed()
            raise InputError(f"the plan depends on the arguments: {listed}\ncall the program first")
        return self._specialisations.planned(last).plan

    def plan_for(self, shapes: Sequence[tuple[int, ...]]) -> Plan:
        """How the program runs on arguments of these shapes.

        Raises:
            InputError: they are not the program's, or it depends on the arguments' values too.
        """
        compiled = self._specialisations.of_shapes(self._arguments.shapes_with(shapes), None)
        if compiled is None:
            named = ", ".join(str(self._arguments.described(i)) for i in self._specialisations.sizes)
            raise InputError(f"shapes inside the program depend on the numbers in {named}, which only a call knows")
        return self._specialisations.planned(compiled).plan

    def compile(self, progress: Callable[[int, int], None] = lambda done, total: None) -> None:
        """Build all kernels now rather than in the first call; `progress(done, total)` is called as they are built.

        Where shapes depend on the arguments, only a call can build them: nothing is done.
        """
        self._specialisations.compile(progress)

    def _for(self, values: Sequence[Any]) -> Compiled:
        """What runs on these values of all arguments."""
        compiled = self._specialisations.only
        if compiled is None:
            arguments = self._arguments
            compiled = self._specialisations.of_shapes(arguments.shapes(values), list(map(value_of, values)))
            assert compiled is not None
        return compiled

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
        values = self._arguments.values(arguments, named)
        compiled = self._for(values)
        buffers = [
            x.placed() if isinstance(x, Bound) else from_tensor(x, type, self.device) if is_tensor(x) else x
            for x, type in zip(values, compiled.inputs)
        ]
        results = compiled.run(buffers)
        outputs = tuple(to_tensor(b, type, self.device) for b, type in zip(results, compiled.outputs))
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
        values = self._arguments.values(arguments, named)
        compiled = self._for(values)
        operands = [
            x.tensor() if isinstance(x, Bound) else x if is_tensor(x) else tensor_of(x, type, self.device)
            for x, type in zip(values, compiled.inputs)
        ]
        fixed = [i for i, x in enumerate(map(value_of, values)) if not is_tensor(x)]
        results = tuple(lazy(compiled, operands, fixed, self._specialisations.gradient, self.device))
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
        bound = sorted(self._arguments.bound.items())
        return {self._arguments.described(i).name or f"in{i}": value.as_tensor() for i, value in bound}

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
        self._arguments.expect_count(len(arrays))
        return self._numpy(arrays, {})

    def all_arrays(self, arrays: Sequence[Any]) -> list[Any]:
        """The values of all arguments of the main function, in its order: these arrays, and those that are bound."""
        values = [x.array() if isinstance(x, Bound) else x for x in self._arguments.arrays(arrays, {})]
        return [x.array if isinstance(x, Fixed) else x for x in values]

    def static_module(self, arrays: Sequence[Any]) -> Module:
        """The module for these arrays, all its shapes known; its main function takes what `all_arrays` gives."""
        return self._specialisations.planned(self._for(self.all_arrays(arrays))).module

    def _numpy(self, arguments: Sequence[Any], named: Mapping[str, Any]) -> list[np.ndarray]:
        values = self._arguments.arrays(arguments, named)
        compiled = self._specialisations.only or self._for(values)
        if self._arguments.bound:
            values = [(x.ready or x.array()) if isinstance(x, Bound) else x for x in values]
        return compiled.run_numpy(values)

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
        return self._of_fewer(self._arguments.bind(arguments, named))

    def with_weights(self, path: str | PathLike[str]) -> Program:
        """The program with the weights of a .safetensors file, which has them by the names of arguments.

        Raises:
            InputError: weights are missing, or there are others than the program's, or of other shapes or dtypes.
        """
        return self._of_fewer(self._arguments.with_weights(path))

    def _of_fewer(self, arguments: Arguments) -> Program:
        program = copy.copy(self)
        program._take(arguments)
        return program


def model_of(artifact: Artifact, device: str | None) -> Model:
    from .model import Model

    return Model(artifact, device, dict(_custom_calls))


def model_again(source: ProgramPath, entry: str | None, digest: str, device: str) -> Model:
    """The model of a file from which a program was loaded without it.

    Raises:
        InputError: the file is not what it was then.
    """
    file = ProgramFile(source, entry)
    if file.digest != digest:
        raise InputError(f"{file.name!r} has changed since it was loaded; load it again")
    return model_of(file.read(device), device)


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
    stored = store.find(file, device)
    if stored is not None and stored.interface is not None:
        read = partial(model_again, source, entry, stored.digest, stored.device)
        specialisations = Specialisations(stored.interface, stored.device, read, stored)
    else:
        model = model_of(file.read(device), device)
        specialisations = Specialisations(model.interface, model.device, lambda: model, stored)
    program = Program.__new__(Program)
    program._begin(specialisations, file.folder)
    return program if weights is None else program.with_weights(weights)


def named(arguments: Sequence[Argument], prefix: str) -> list[str]:
    """Distinct names for arguments, for files and the command line."""
    return [argument.name or f"{prefix}{i}" for i, argument in enumerate(arguments)]
