"""A verified module, from which programs for known shapes are made."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import replace
from typing import cast

import numpy as np

from .compiled import Compiled, Compiler, Planned, Types
from .errors import InputError, UnsupportedOp, about_file, printable_name
from .formats.artifact import Artifact
from .interface import Interface, donors_of, interface_of
from .ir import ComplexType, ElementType, Module, ScalarType, TensorType, error_at, walk
from .ir.dtypes import expect_tensor
from .ir.entry import entry_function
from .ir.sharding import Placement
from .specialise.dynamic import NeedsValues
from .specialise.localise import Local, localise
from .specialise.precision import ask_for_highest, spell_out_algorithms
from .specialise.specialise import computes_shapes, specialise
from .spread import Spread, Team
from .targets import Executor, HostFunction, Progress, open_device, target_of
from .tinygrad.device import has_float64
from .tinygrad.settings import lowering_settings
from .verify.asynchronous import with_collectives
from .verify.carried import with_regions
from .verify.problems import reachable, verify
from .verify.unwrap import unwrap

# Called with the static types of arguments and results, the donated arguments, and the executor for them.
Keep = Callable[[Types, Types, Mapping[int, int], Executor], None]


class Model:
    """A verified module on a device.

    Attributes:
        module: the module, without tuples and tokens.
        interface: the arguments and results of its main function.
        sizes: the arguments whose values are known so far to decide shapes inside the program.

    Raises:
        VerifyError: the module breaks a rule of the specification.
        UnsupportedOp: the module has ops without a rule, or types that the device lacks.
        InputError: the device cannot be opened.
    """

    def __init__(
        self,
        artifact: Artifact,
        device: str | None,
        custom_calls: Mapping[str, HostFunction],
        threads: int | None = None,
        devices: tuple[str, ...] = (),
        precision: str = "default",
        deterministic: str = "runs",
    ) -> None:
        whole, self._local, participants = with_collectives(with_regions(artifact.module)), None, max(1, len(devices))
        verify(whole, custom_calls, participants)
        if participants > 1:
            with about_file(whole.source):
                native = deterministic != "order" and target_of(devices[0]).reduces
                self._local = localise(whole, participants, native)
            verify(self._local.module, custom_calls)
            whole = self._local.module
        with about_file(whole.source):
            module = spell_out_algorithms(unwrap(whole))
            self.module = module = ask_for_highest(module) if precision == "highest" else module
        entry = entry_function(module)
        self._entry, self._custom_calls, self._threads = entry.name, custom_calls, threads
        self.interface = interface_of(module, entry, artifact.signature)
        self._devices, self._types = devices, self.interface.inputs
        if self._local is not None:
            self.interface = interface_of_whole(self.interface, self._local)
        self._donors = donors_of(entry)
        self.device = open_device(device)
        for name in devices:
            if target_of(name) is target_of(self.device):
                open_device(name)
        expect_dtypes(module, self.device)
        self._dynamic = computes_shapes(module)
        self.sizes: tuple[int, ...] = ()

    def specialise(
        self,
        shapes: Sequence[tuple[int, ...]],
        sizes: Mapping[int, np.ndarray],
        donated: Collection[int] | None = None,
        keep: Keep | None = None,
    ) -> Compiled | None:
        """The program for arguments of these shapes; None if it depends on more values, which `self.sizes` then has.

        Args:
            sizes: the values of the arguments in `self.sizes`.
            donated: the arguments whose memory results take; None: those that the file says.
            keep: called with the executor, once it has been compiled.
        """
        try:
            return self._compile(self.plan(shapes, sizes, donated), keep)
        except NeedsValues as needs:
            if sizes.keys() >= {*needs.arguments}:  # the same would be asked for again and again
                raise UnsupportedOp(
                    "shapes inside the program depend on values that cannot be computed beforehand"
                ) from None
            self.sizes = tuple(sorted({*self.sizes, *needs.arguments}))
            return None

    def plan(
        self,
        shapes: Sequence[tuple[int, ...]],
        sizes: Mapping[int, np.ndarray],
        donated: Collection[int] | None = None,
    ) -> Planned:
        """The module for arguments of these shapes, and its plan; raises NeedsValues if it depends on more values."""
        if (
            self._local is not None
        ):  # the whole has as many rows as there are participants, or it has no open dimensions
            rows = [bool(p.axes) and not isinstance(p.indices[0][0], slice) for p in self._local.inputs]
            shapes = [shape[1:] if row else shape for row, shape in zip(rows, shapes, strict=True)]
        types = [replace(t, shape=s, encoding=None) if None in t.shape else t for t, s in zip(self._types, shapes)]
        module = self.module
        if self._dynamic:
            with lowering_settings(self.device), about_file(module.source):
                module = specialise(module, self._entry, types, sizes)
            verify(module, self._custom_calls)
        known = self._donors
        planned = self._make_plan(module, known if donated is None else {i: known.get(i) for i in donated})
        for i in sorted({*(donated or ())} - {*planned.donated.values()}):
            name = printable_name(self.interface.input_names[i]) or i
            type = types[i] if self._local is None else self._local.inputs[i].type
            raise InputError(f"argument {name} is donated, but no unclaimed result has its type, {type}")
        return planned

    def _make_plan(self, module: Module, donors: Mapping[int, int | None] = {}) -> Planned:
        with lowering_settings(self.device), about_file(module.source):
            target = target_of(self.device)
            if self._local is None:
                plan = target.plan(module, self._entry, donors)
                return Planned(module, plan, plan.donated)
            # Donated memory is that of the whole, which participants do not write to themselves.
            plan = target.plan(module, self._entry, {}, self._devices)
        return Planned(module, plan, paired_whole(donors, self._local))

    def _compile(self, planned: Planned, keep: Keep | None = None) -> Compiled:
        types = planned.module.functions[self._entry].type
        inputs, outputs = ([expect_tensor(t) for t in side] for side in (types.inputs, types.results))
        compiler = self._compiler(planned)
        if self._local is not None:
            placements = self._placements(planned.module, self._local)
            inputs, outputs = ([placement.type for placement in side] for side in placements)
            compiler = spread_over(compiler, *placements)

        def compile(progress: Progress) -> Executor:
            executor = compiler(progress)
            if keep is not None:
                keep(inputs, outputs, planned.donated, executor)
            return executor

        return Compiled(inputs, outputs, planned.donated, compile, planned)

    def _placements(self, module: Module, local: Local) -> tuple[list[Placement], list[Placement]]:
        """How the arguments and results of a module of static shapes are spread."""
        main = module.functions[self._entry].type
        inputs = [p.with_part(expect_tensor(type)) for p, type in zip(local.inputs, main.inputs, strict=True)]
        return inputs, [p.with_part(expect_tensor(type)) for p, type in zip(local.outputs, main.results, strict=True)]

    def _compiler(self, planned: Planned) -> Compiler:
        target = target_of(self.device)
        return lambda progress: target.compile(planned.plan, self.device, self._custom_calls, progress, self._threads)

    def differentiate(self, planned: Planned, wanted: tuple[int, ...]) -> tuple[Compiled, tuple[int, ...]]:
        """The program of the gradient with respect to some arguments, and the results whose cotangents it takes."""
        from .derivatives import gradient

        with about_file(planned.module.source):
            module, seeds = gradient(planned.module, self._entry, wanted)
        if self._local is None:
            return self._compile(self._make_plan(module)), seeds
        given, results = self._placements(planned.module, self._local)
        inputs, outputs = [*given, *(results[i] for i in seeds)], [given[i] for i in wanted]
        backwards, first = self._make_plan(module), len(given)
        numbers = range(first, len(inputs))
        compile = spread_over(self._compiler(backwards), inputs, outputs, numbers, summed=True)
        taken, returned = ([placement.type for placement in side] for side in (inputs, outputs))
        return Compiled(taken, returned, backwards.donated, compile, backwards), seeds


def spread_over(
    compile: Compiler,
    inputs: Sequence[Placement],
    outputs: Sequence[Placement],
    seeds: Collection[int] = (),
    summed: bool = False,
) -> Compiler:
    """Compiles for whole arguments and results what participants run together; see `Spread`."""
    return lambda progress: Spread(cast(Team, compile(progress)), inputs, outputs, seeds, summed)


def paired_whole(donors: Mapping[int, int | None], local: Local) -> dict[int, int]:
    """A result of the same type for each donated argument: the file's choice, else the first that is left."""
    pairs: dict[int, int] = {}
    for argument, chosen in donors.items():
        for result in [chosen] if chosen is not None else range(len(local.outputs)):
            fits = result in range(len(local.outputs)) and local.outputs[result].type == local.inputs[argument].type
            if fits and result not in pairs:
                pairs[result] = argument
                break
    return pairs


def interface_of_whole(interface: Interface, local: Local) -> Interface:
    """The interface of a program whose participants have this one."""
    return replace(
        interface,
        inputs=[placement.type for placement in local.inputs],
        outputs=[placement.type for placement in local.outputs],
        placements=(local.inputs, local.outputs),
    )


def expect_dtypes(module: Module, device: str) -> None:
    """Raise UnsupportedOp if a module uses float64 and the device lacks it; tinygrad emulates all other types."""
    if has_float64(device):
        return
    used = reachable(module, [])
    for function in module.functions.values():
        for op in walk(function.body) if function.body is not None and function.name in used else ():
            for value in (*op.operands, *op.results):
                if isinstance(value.type, TensorType) and is_double(value.type.element):
                    message = (
                        f"{value.type}: the device {device} has no float64; run the program on the CPU, or"
                        " export it without jax_enable_x64"
                    )
                    raise error_at(op, message, UnsupportedOp)


def is_double(element: ElementType) -> bool:
    return element in (ScalarType("f64"), ComplexType(ScalarType("f64")))
