"""A loaded program: what `load` returns, and what users call.

Its code may be in the cache; then nothing is parsed or planned, nor imported for that, until somebody asks for it.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Mapping, Sequence
from contextlib import nullcontext
from copy import copy
from dataclasses import replace
from functools import partial
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, cast

import numpy as np

from ..errors import InputError, printable_name
from ..formats import ProgramFile, is_alone
from ..formats.artifact import Artifact
from ..formats.mapped import ArrayInFile, places_in_files
from ..ir import Module
from ..ir.entry import with_entry
from ..machine.forking import without_collection
from ..machine.processes import begin_work
from ..syntax.source import ProgramPath
from ..targets import ArrayCall, HostFunction, count_processors, target_of, thread_count
from ..targets.arrays import Fixed
from ..trees import unflatten
from . import store
from .arguments import Argument, Arguments, arguments_of, value_of
from .bound import Bound, is_tensor, tensor_of, while_bound
from .calling import Calling
from .compiled import Compiled
from .ffi import FfiOption
from .interface import Interface
from .options import Options, options_of
from .specialisations import Specialisations
from .store import StoredProgram

if TYPE_CHECKING:
    from tinygrad import Tensor

    from ..cost import ProgramCost
    from ..plan.plan import Plan
    from ..specialise.dynamic import Checked
    from ..targets.handlers import Handler
    from ..tinygrad.tensors import LastCall
    from .model import Model
    from .training import Request


class Program:
    """A StableHLO program, ready to run. Calling it is safe from several threads.

    A program with open dimensions (`?`) is planned and compiled for each of the first two sets of shapes that it is
    called with. On the CPU it is then compiled once for all others, if that is possible. What is compiled for one set
    of shapes is kept for the last 16.

    If the file records the structure of the function's arguments, as files of `hlo2tiny.export` and `jax.export` do, a
    call takes the same structure: `program(params, x)`. It also takes the arrays one by one, in the order of `inputs`,
    and arguments by name.

    Attributes:
        inputs: the names, shapes and dtypes of the arrays that a call passes, in order.
        outputs: the names, shapes and dtypes of the results, in order.
    """

    def __init__(
        self,
        module: Module,
        device: str | None = None,
        *,
        entry: str | None = None,
        ffi: FfiOption = None,
        batch_invariant: bool = False,
    ) -> None:
        """Make a program of a parsed module; `entry`, `ffi` and `batch_invariant` are as in `load`."""
        options = options_of(device, entry, ffi=ffi, batch_invariant=batch_invariant)
        model = model_of(Artifact(module if entry is None else with_entry(module, entry)), options)
        self._begin(model.interface, replace(options, device=model.device, entry=None), lambda: model)
        self._source: tuple[ProgramPath, str] | None = None

    @classmethod
    def _of_file(cls, source: ProgramPath, given: Options, digest: str | None = None) -> Program:
        """The program of a path, a text or bytes; raises InputError if these do not have the digest."""
        file, options = file_of(source, given, digest), replace(given, threads=thread_count(given.threads))
        stored = store.find(file.digest, options)
        program = cls.__new__(cls)
        with without_collection():  # graphs and modules only grow meanwhile
            if stored is not None and stored.interface is not None:
                interface, options, known = stored.interface, stored.options, file.digest
                read = lambda: model_of(file_of(source, options, known).read(options.device), options)
            else:
                model = read_model(file, options)
                interface, options, read = model.interface, replace(options, device=model.device), lambda: model
            program._begin(interface, options, read, file.folder, stored)
        has_path = isinstance(source, str | os.PathLike) and not is_alone(source)
        program._source = os.path.abspath(cast(str, source)) if has_path else source, file.digest
        program._options = replace(options, threads=given.threads)
        return program

    def _begin(
        self,
        interface: Interface,
        options: Options,
        read: Callable[[], Model],
        folder: Path = Path(),
        stored: StoredProgram | None = None,
    ) -> None:
        self._options, self._device, self._devices = options, options.device, options.devices
        self._placements = interface.placements
        arguments = Arguments(interface, options, folder)
        self._specialisations = Specialisations(interface, read, stored, arguments.donated)
        dimensions = interface.signature.output_dimensions
        self.outputs = arguments_of(interface.output_names, interface.outputs, dimensions, interface.shardings[1])
        self._set_arguments(arguments)

    def _set_arguments(self, arguments: Arguments) -> None:
        self._arguments, self.inputs, self._structure = arguments, arguments.passed, arguments.outputs
        # The buffers of the Tensors that the last call was given, if it was given nothing else.
        self._last_call: LastCall | None = None
        # Calls with arrays, once there has been one; False if there are none that could be prepared.
        self._prepared: ArrayCall | Literal[False] | None = None

    @property
    def device(self) -> str | tuple[str, ...]:
        """tinygrad's name of the device, or of each of several."""
        return self._devices or self._device

    @property
    def _place(self) -> str:
        return ", ".join(self._devices or [self._device])

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle the program as what `load` needs to load it again: its path, device, options and digest.

        A program from a text or bytes takes these along. So do arrays that were bound, except those in files, such as
        weights, which the other process maps again. Files are looked for at the same absolute paths; if one has
        changed, unpickling raises InputError. Functions of `custom_call` have to be registered there, too.
        """
        source, digest = self._source or (str(self.module), None)
        place = places_in_files()
        bound = {i: place(value.own_array()) for i, value in self._arguments.bound.items()}
        return Program._again, (source, self._options, digest, self._arguments.calling, bound)

    @classmethod
    def _again(
        cls,
        source: ProgramPath,
        options: Options,
        digest: str | None,
        calling: Calling,
        bound: Mapping[int, np.ndarray | ArrayInFile],
    ) -> Program:
        """The program of another process; see `__reduce__`."""
        program = cls._of_file(source, options, digest)
        arrays = {i: x.read() if isinstance(x, ArrayInFile) else x for i, x in bound.items()}
        return program._of_fewer(program._arguments.with_arrays(arrays, calling))

    def __copy__(self) -> Program:
        same = Program.__new__(Program)
        same.__dict__.update(self.__dict__)
        return same

    def __repr__(self) -> str:
        """load("model.mlir") shows as <Program (params, x) of 9 arrays on CPU>."""
        count = len(self.inputs)
        calling = printable_name(str(self._arguments))
        return f"<Program {calling} of {count} array{'s' * (count != 1)} on {self._place}>"

    def _repr_html_(self) -> str:
        """What a notebook shows: the arguments and results."""
        from .notebook import signature_table

        return signature_table(self.inputs, self.outputs, self.bound, self._place)

    @property
    def bound(self) -> tuple[Argument, ...]:
        """The arguments that have values already: the file's weights, and what was bound."""
        return tuple(self._arguments.describe_argument(i) for i in sorted(self._arguments.bound))

    @property
    def module(self) -> Module:
        """The SSA graph that was verified, without tuples and tokens."""
        return self._specialisations.model.module

    @property
    def handlers(self) -> Mapping[str, Handler]:
        """The compiled handlers that carry out the program's custom calls."""
        from ..targets.handlers import handlers_in

        return handlers_in(self.custom_calls)

    @property
    def custom_calls(self) -> Mapping[str, HostFunction]:
        """The functions and compiled handlers that carry out custom calls, by their names."""
        return self._specialisations.model.custom_calls

    @property
    def plan(self) -> Plan:
        """The plan of the last call: how the program runs.

        Raises:
            InputError: the plan depends on the arguments, and there has been no call yet.
        """
        last = self._specialisations.last
        if last is None:
            inputs = self._arguments.list_arguments()
            raise InputError(f"the plan depends on the arguments, so call the program first:{inputs}")
        return self._specialisations.with_plan(last).plan

    def plan_for(self, shapes: Sequence[tuple[int, ...]]) -> Plan:
        """The plan for arguments of these shapes, one for each of `inputs`.

        Raises:
            InputError: the shapes do not fit, or the plan depends on the values of arguments, too.
        """
        return self._for_shapes(shapes).plan

    def open_plan(self, shapes: Sequence[tuple[int, ...]], checks: list[Checked]) -> Plan:
        """The plan for arguments whose shapes have open sizes (ir/sizes.py); `checks` is as in `specialise`.

        Raises:
            NeedsSize: something in the program needs the size of an open dimension.
        """
        from ..ir.sizes import NeedsSize
        from ..plan.aliasing import AliasAnalysis
        from ..specialise.dynamic import NeedsValues

        model, known = self._specialisations.model, self._arguments.shapes_with(shapes)
        try:
            plan = model.plan(known, {}, None, checks).plan
            # Other results would have to be computed elsewhere first, in memory whose size is open.
            return replace(plan, donated=AliasAnalysis(plan).in_place_of_main())
        except NeedsValues:
            raise NeedsSize("shapes inside the program depend on the values of arguments") from None

    def _for_shapes(self, shapes: Sequence[tuple[int, ...]]) -> Compiled:
        compiled = self._specialisations.of_shapes(self._arguments.shapes_with(shapes), None)
        if compiled is None:
            deciding = ", ".join(str(self._arguments.describe_argument(i)) for i in self._specialisations.sizes)
            raise InputError(f"shapes inside the program depend on the values of {deciding}, which only a call knows")
        return self._specialisations.with_plan(compiled)

    def cost(self, shapes: Sequence[tuple[int, ...]] | None = None) -> ProgramCost:
        """What a call costs, before anything runs: operations, bytes and memory, by op and by the model's own scopes.

        Args:
            shapes: the shapes of the arguments, one for each of `inputs`, if the file leaves some open.

        Returns:
            The numbers `flops`, `bytes`, `peak_memory` (bytes) and `intensity` (operations per byte); the same in each
            row of `ops` and `scopes`. A loop whose trip count is known only at run time counts as one iteration.

        Examples:
            >>> cost = load("corpus/mnist_mlp_predict.mlir", device="CPU").cost()
            >>> max(row.flops for row in cost.ops) == 2 * 32 * 784 * 512  # a batch of 32 images, the first layer
            True

        Raises:
            InputError: the shapes do not fit, or are needed, or shapes depend on the values of arguments, too.
        """
        from ..cost import cost_of_module

        return cost_of_module(self.shaped_module(shapes))

    def shaped_module(self, shapes: Sequence[tuple[int, ...]] | None) -> Module:
        """The module for arguments of these shapes, or of those that the file declares."""
        from ..specialise.specialise import computes_shapes

        if shapes is None and not computes_shapes(self.module):
            return self.module
        declared = [argument.shape for argument in self.inputs]
        known = [tuple(d for d in shape if d is not None) for shape in declared] if shapes is None else shapes
        if shapes is None and any(None in shape for shape in declared):
            raise InputError(
                f"the file has open dimensions, and their sizes are needed here:{self._arguments.list_arguments()}"
            )
        return self._for_shapes(known).module

    def compile(self, progress: Callable[[int, int], None] = lambda done, total: None) -> None:
        """Compile now rather than in the first call; `progress(done, total)` reports how many kernels are done.

        If shapes depend on the arguments, only a call can compile, and this does nothing.
        """
        self._specialisations.compile(progress)

    def _for(self, values: Sequence[Any]) -> Compiled:
        """The compiled program for these values of all arguments."""
        compiled = self._specialisations.only
        if compiled is None:
            arguments = self._arguments
            compiled = self._specialisations.of_shapes(arguments.shapes(values), list(map(value_of, values)))
            assert compiled is not None
        return compiled

    def __call__(self, *arguments: Any, **named: Any) -> Any:
        """Run on Tensors or numpy arrays, in the structure that the exported function takes, or one by one.

        tinygrad has no complex dtypes, so a complex argument or result that is a Tensor has a last axis of 2: the real
        and the imaginary part. Later calls do not change earlier results.

        Returns:
            Tensors on the program's device or devices, in the structure that the exported function returns. If the file
            does not record it: a Tensor, or a tuple of Tensors if the function has several results.

        Examples:
            >>> program = load("func.func @main(%x: tensor<2xf32>) -> tensor<2xf32> { return %x : tensor<2xf32> }")
            >>> program(np.array([1, 2], np.float32)).tolist()
            [1.0, 2.0]

        Raises:
            InputError: the arguments do not fit in number, structure, shape or dtype.
        """
        if not named and self._last_call is not None and (again := self._last_call.run(arguments)) is not None:
            return self._restructure(again)
        from ..tinygrad.device import open_device
        from ..tinygrad.tensors import from_tensor, to_tensors

        for name in self._devices or (self._device,):
            open_device(name)
        values = self._arguments.values(arguments, named)
        compiled = self._for(values)
        if self._devices:
            return self._restructure(self._run_sharded(compiled, arguments, values))
        buffers = [
            x.place() if isinstance(x, Bound) else from_tensor(x, type, self._device) if is_tensor(x) else x
            for x, type in zip(values, compiled.inputs)
        ]
        results = compiled.run(buffers, self._given(compiled, values, buffers))
        device, outputs = self._device, compiled.outputs
        in_place = [(result, i) for result, i in compiled.donated.items() if result in compiled.in_place]

        def run(buffers: list[Any]) -> list[Tensor]:
            return to_tensors(compiled.run(buffers, {result: buffers[i] for result, i in in_place}), outputs, device)

        self._remember(compiled, arguments, buffers, run)
        return self._restructure(to_tensors(results, outputs, device))

    def _remember(
        self, compiled: Compiled, arguments: Sequence[Any], memories: Sequence[Any], run: Callable[[Any], list[Tensor]]
    ) -> None:
        """Remember the memory of a call's arguments, if all are Tensors and their shapes are always the same."""
        from ..tinygrad.tensors import LastCall

        if compiled is not self._specialisations.only or not all(map(is_tensor, arguments)):
            return
        donated = {i: compiled.inputs[i] for i in compiled.donated.values()}
        fits = len(arguments) == len(memories) and not (donated and self._devices)
        self._last_call = LastCall.of(arguments, memories, run, donated, self._device) if fits else None

    def _run_sharded(self, compiled: Compiled, arguments: Sequence[Any], values: Sequence[Any]) -> list[Tensor]:
        """Run on several devices. Tensors that are sharded as the file says are read in place."""
        from ..tinygrad.tensors import from_tensor, give_up, sharded_tensor, shards_of, to_tensor

        inputs, device, devices, outputs = [], self._device, self._devices, compiled.outputs
        for x, type, placement in zip(values, compiled.inputs, self._placements[0]):
            if isinstance(x, Bound):
                x = x.place()
            elif is_tensor(x):
                found = shards_of(x, placement.shard(type), placement.dimension, devices)
                x = from_tensor(x, type, device) if found is None else found
            inputs.append(x)
        how = [(p.shard(type), p.dimension, devices) for type, p in zip(compiled.outputs, self._placements[1])]

        def tensor(number: int, x: Any) -> Tensor:
            return sharded_tensor(x, *how[number]) if isinstance(x, list) else to_tensor(x, outputs[number], device)

        def run(inputs: Sequence[Any]) -> list[Tensor]:
            return compiled.run_sharded(inputs, devices, tensor)

        results = run(inputs)
        for i in compiled.donated.values():
            if is_tensor(values[i]):
                give_up(values[i])
        self._remember(compiled, arguments, inputs, run)
        return results

    def _given(self, compiled: Compiled, values: Sequence[Any], buffers: list[Any]) -> dict[int, Any]:
        """The buffers of donated Tensors, by the number of the result that takes them. The Tensors are given up."""
        from ..tinygrad.buffers import shared
        from ..tinygrad.tensors import give_up, own_buffer

        given: dict[int, Any] = {}
        donated = {result: i for result, i in compiled.donated.items() if is_tensor(values[i])}
        together = shared(buffers) if donated else set[int]()
        for result, i in donated.items():
            if i in together:
                raise InputError(f"{self._arguments.label(i)} is donated, but another argument shares its memory")
            buffer = own_buffer(values[i], compiled.inputs[i], self._device)
            if buffer is not None and result in compiled.in_place:
                buffers[i] = given[result] = buffer
        for i in donated.values():
            give_up(values[i])
        return given

    def _restructure(self, results: Sequence[Tensor]) -> Any:
        if self._structure is not None:
            return unflatten(results, self._structure)
        return results[0] if len(results) == 1 else tuple(results)

    def lazy(self, *arguments: Any, **named: Any) -> Any:
        """Make the program part of tinygrad's graph: nothing runs before tinygrad realizes what depends on it.

        `backward()` and `gradient()` of what you compute from the results reach the arguments that are Tensors of
        floats or complex numbers, so a loaded model can be fine-tuned. Pass arguments whose gradient you do not want as
        numpy arrays or detached Tensors, since tinygrad asks for the gradient of all others. The gradient is that of
        the ops in the file, which does not contain what else JAX knew (`custom_vjp`, `stop_gradient`). The backward
        pass runs the program again rather than storing what it computed.

        Returns:
            What `__call__` returns, not yet realized.

        Examples:
            >>> from tinygrad import Tensor
            >>> square = "%y = stablehlo.multiply %x, %x : tensor<f32>"
            >>> text = f"func.func @main(%x: tensor<f32>) -> tensor<f32> {{ {square} return %y : tensor<f32> }}"
            >>> x = Tensor(3.0).clone()
            >>> load(text, device="CPU").lazy(x).gradient(x)[0].item()
            6.0

        Raises:
            InputError: the arguments do not fit in number, shape or dtype.
            UnsupportedOp: when a gradient is asked for, and an op on the way has none: a custom call, or a loop whose
                trip count is known only at run time.
        """
        from ..tinygrad.device import open_device
        from .lazy import lazy

        for name in self._devices or (self._device,):
            open_device(name)
        values = self._arguments.values(arguments, named)
        compiled = self._for(values)
        operands = [
            x.tensor() if isinstance(x, Bound) else x if is_tensor(x) else tensor_of(x, type, self._device)
            for x, type in zip(values, compiled.inputs)
        ]
        fixed = [i for i, x in enumerate(map(value_of, values)) if not is_tensor(x)]
        return self._restructure(lazy(compiled, operands, fixed, self._specialisations.gradient, self._device))

    @property
    def weights(self) -> dict[str, Tensor]:
        """The bound arguments by name, as Tensors. Assigning to one changes what later calls compute.

        An optimizer of tinygrad takes them, since gradients of `lazy` results reach them.
        """
        from ..tinygrad.device import open_device

        open_device(self._device)
        bound = sorted(self._arguments.bound.items())
        return {self._arguments.describe_argument(i).name or f"in{i}": value.as_tensor() for i, value in bound}

    def numpy(self, *arguments: Any, out: Any = None, **named: Any) -> Any:
        """Run on numpy arrays, or on anything that `numpy.asarray` takes without changing the dtype.

        Args:
            arguments, named: the arguments, as in `__call__`. One whose name is out is passed by position.
            out: arrays for the results, in the structure of the results: a sequence if the file does not record it, or
                the array of the only result. They have the results' shapes and dtypes, are writable and contiguous in
                row-major order, and overlap no argument, except a donated one whose result they take. All of this is
                checked before anything is written. After an error in a custom call, or Ctrl-C, they may hold anything.

        Returns:
            Arrays in the structure that the exported function returns; a tuple if the file does not record it. They
            have the declared dtypes: those of ml_dtypes where numpy has none, and complex dtypes for complex numbers.
            They are the arrays of `out`, and of the arguments that `load(…, donate=…)` names.

        Raises:
            InputError: the arguments, or `out`, do not fit in number, structure, shape, dtype or layout.
        """
        results = self._numpy(arguments, named, out)
        return tuple(results) if self._structure is None else unflatten(results, self._structure)

    def numpy_one_by_one(self, arrays: Sequence[Any]) -> list[np.ndarray]:
        """Run on arrays in the order of `inputs`; the results are a list in the order of `outputs`.

        Raises:
            InputError: the arrays do not fit in number, shape or dtype.
        """
        self._arguments.expect_count(len(arrays))
        return list(self._numpy(tuple(arrays), {}))

    def all_arrays(self, arrays: Sequence[Any]) -> list[Any]:
        """The values of all arguments of the entry function, in its order: these arrays and the bound ones."""
        values = [x.array() if isinstance(x, Bound) else x for x in self._arguments.arrays(arrays, {})]
        return [x.array if isinstance(x, Fixed) else x for x in values]

    def static_module(self, arrays: Sequence[Any]) -> Module:
        """The module specialised to these arrays; its entry function takes what `all_arrays` returns."""
        return self._specialisations.with_plan(self._for(self.all_arrays(arrays))).module

    def _numpy(self, arguments: tuple[Any, ...], named: Mapping[str, Any], out: Any = None) -> Sequence[np.ndarray]:
        prepared = self._run_prepared(arguments, named, out) if self._prepared else None
        if prepared is not None:
            return prepared
        given = self._arguments.arrays(arguments, named)
        compiled = self._specialisations.only or self._for(given)
        values = given
        if self._arguments.bound:
            values = [(x.ready or x.array()) if isinstance(x, Bound) else x for x in given]
        if out is None and not self._arguments.donated:
            results = compiled.run_numpy(values)
        else:
            places = self._arguments.places(out, values, compiled.outputs, compiled.donated)
            results = compiled.run_numpy(values, places)
        if self._prepared is None:
            self._prepared = self._prepare(compiled, given, values)
        return results

    def _prepare(self, compiled: Compiled, given: Sequence[Any], values: Sequence[Any]) -> ArrayCall | Literal[False]:
        """Prepared calls like one with these values of all arguments, which were `given` in this form."""
        bound = [x for x in given if isinstance(x, Bound)]
        if compiled is not self._specialisations.only or self._arguments.donated or not all(x.ready for x in bound):
            return False
        call = compiled.prepare([value if isinstance(x, Bound) else None for x, value in zip(given, values)])
        return call is not None and while_bound(call, bound)

    def _run_prepared(
        self, arguments: tuple[Any, ...], named: Mapping[str, Any], out: Any
    ) -> tuple[np.ndarray, ...] | None:
        """The results; None if the call needs all checks."""
        call, places = self._prepared, None
        assert call
        if out is not None:
            compiled = self._specialisations.only
            if compiled is None or compiled.donated:
                return None
            places = tuple(self._arguments.arrays_of_results(out, len(compiled.outputs)))
        results = None if named else call(arguments, places)
        return results if results is not None else call(tuple(self._arguments.calling.values(arguments, named)), places)

    def bind(self, *arguments: Any, **named: Any) -> Program:
        """Fix the first arguments, or arguments by name, and return the program of the others.

        An array or Tensor is placed on the device once. On the CPU an array is used in place, so do not modify it.
        Assigning to a bound Tensor changes what later calls compute.

        Examples:
            >>> program = load("corpus/flax_convnet.mlir", device="CPU")
            >>> weights = [np.zeros(i.shape, i.dtype) for i in program.inputs[:-1]]
            >>> [str(i) for i in program.bind(*weights).inputs]
            ['x: float32[512, 28, 28, 1]']

        Raises:
            InputError: the arguments do not fit in structure, shape or dtype.
        """
        return self._of_fewer(self._arguments.bind(arguments, named))

    def with_weights(self, path: str | PathLike[str]) -> Program:
        """The program with the weights of a .safetensors file, whose tensors have the names of the arguments.

        Raises:
            InputError: no tensor has the name of an argument, a tensor has a name that no argument has, or one does not
                fit in shape or dtype.
        """
        return self._of_fewer(self._arguments.with_weights(path))

    def derived(self, shapes: Sequence[tuple[int, ...]] | None, request: Request) -> Program:
        """The program of a gradient or a training step: see `hlo2tiny.gradient`, which calls this."""
        from .training import derive

        if self._devices:
            raise InputError("programs for several devices have no gradient as a program; load it for one device")
        new = derive(self.shaped_module(shapes), self._arguments.calling, request)
        options = replace(self._options, entry=None, donate=None)
        model = model_of(Artifact(new.module), options)
        bound = {
            i: self._arguments.bound[n]
            for i, n in enumerate(new.origins)
            if n is not None and i not in new.calling.free
        }
        program = Program.__new__(Program)
        program._begin(model.interface, options, lambda: model)
        program._set_arguments(program._arguments.with_bound(bound, new.calling))
        program._source = None
        return program

    def _of_fewer(self, arguments: Arguments) -> Program:
        program = copy(self)
        program._set_arguments(arguments)
        return program


def file_of(source: ProgramPath, options: Options, digest: str | None) -> ProgramFile:
    """The contents of a file; raises InputError if it has another digest."""
    file = ProgramFile(source, options.entry, streams=digest is None)
    if digest is not None and file.digest != digest:
        raise InputError(f"{file.name!r} has changed since it was loaded; load it again")
    return file


# A larger file may have constants that would be copied.
LARGEST_APART = 4 << 20


def read_model(file: ProgramFile, options: Options) -> Model:
    """Read a file and make its model. The first time, another process reads it while this one imports the rest."""
    apart = f"{__package__}.model" not in sys.modules and file.size <= LARGEST_APART and count_processors() > 1
    reading = partial(file.read, options.device)
    with begin_work(reading) if apart else nullcontext(reading) as read:
        if apart:
            from . import model  # noqa: F401

            _ = target_of(options.device.upper()).compiler
        artifact = read()
    return model_of(artifact, options)


def model_of(artifact: Artifact, options: Options) -> Model:
    from .model import Model

    return Model(artifact, options)
