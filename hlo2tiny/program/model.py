"""A verified module, from which programs for known shapes are made."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from functools import cache
from typing import Any, cast

import numpy as np

from ..errors import Error, InputError, UnsupportedOp, about_file, printable_name
from ..formats.artifact import Artifact
from ..ir import Module, error_at, walk
from ..ir.dtypes import expect_tensor
from ..ir.entry import entry_function
from ..ir.module import find_doubles
from ..ir.sharding import Placement
from ..specialise.dynamic import Checked, NeedsValues
from ..specialise.localise import Local, localise
from ..specialise.precision import ask_for_highest, spell_out_algorithms
from ..specialise.specialise import computes_shapes, specialise
from ..targets import open_device, target_of, thread_count
from ..tinygrad.device import has_float64
from ..tinygrad.settings import lowering_settings
from ..verify.asynchronous import with_collectives
from ..verify.carried import with_regions
from ..verify.problems import reachable, verify
from ..verify.unwrap import unwrap
from .arguments import arguments_of
from .compiled import Compiled, CompileExecutor
from .custom_calls import custom_calls
from .handlers import with_handlers
from .interface import donors_of, interface_of
from .opened import OpenProgram, warn_of
from .options import Options
from .sharded import ShardedExecutor, Team
from .sizes import MOST_BYTES, calls_host, most_within, named_dimensions, open_names, open_shapes

# How arguments and results are distributed over the devices.
Sides = tuple[list[Placement], list[Placement]]


class Model:
    """A verified module on a device.

    Attributes:
        module: the module, without tuples and tokens.
        interface: the arguments and results of its main function.
        custom_calls: the functions and handlers of custom calls.
        sizes: the arguments whose values are so far known to decide shapes inside the program.

    Args:
        opens: whether the device is opened, which plans for GPUs can do without.

    Raises:
        VerifyError: the module breaks a rule of the specification.
        UnsupportedOp: the module has ops without a rule, or types that the device lacks.
        InputError: the device cannot be opened.
    """

    def __init__(self, artifact: Artifact, options: Options, opens: bool = True) -> None:
        self._options, devices = options, options.devices
        whole, self._local, processes = with_collectives(with_regions(artifact.module)), None, max(1, len(devices))
        self.custom_calls = with_handlers(custom_calls(), whole, options.ffi, options.device)
        verify(whole, self.custom_calls, processes)
        if processes > 1:
            with about_file(whole.source):
                native = options.deterministic != "order" and target_of(devices[0]).reduces
                self._local = localise(whole, processes, native)
            verify(self._local.module, self.custom_calls)
            whole = self._local.module
        with about_file(whole.source):
            module = spell_out_algorithms(unwrap(whole))
            self.module = module = ask_for_highest(module) if options.precision == "highest" else module
        entry = entry_function(module)
        self._entry = entry.name
        self.interface = interface_of(module, entry, artifact.signature)
        self._types = self.interface.inputs
        if self._local is not None:
            placements = self._local.inputs, self._local.outputs
            inputs, outputs = ([placement.type for placement in side] for side in placements)
            self.interface = replace(self.interface, inputs=inputs, outputs=outputs, placements=placements)
        self._donors = donors_of(entry)
        self.device = open_device(options.device) if opens else options.device
        for name in devices:
            if target_of(name) is target_of(self.device):
                open_device(name)
        if opens:
            expect_dtypes(module, self.device)
        self._dynamic = computes_shapes(module)
        self.sizes: tuple[int, ...] = ()

    def specialise(
        self,
        shapes: Sequence[tuple[int, ...]],
        sizes: Mapping[int, np.ndarray],
        donated: Collection[int] | None = None,
    ) -> Compiled | None:
        """The program for arguments of these shapes; None if it depends on more values, which `self.sizes` then has.

        Args:
            sizes: the values of the arguments in `self.sizes`.
            donated: the arguments whose memory results take; None: those that the file says.
        """
        try:
            return self.plan(shapes, sizes, donated)
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
        checks: list[Checked] | None = None,
    ) -> Compiled:
        """The same; raises NeedsValues if it depends on more values. `checks` is as in `specialise`."""
        if self._local is not None:  # the whole has as many rows as there are processes, or it has no open dimensions
            rows = [bool(p.axes) and not isinstance(p.indices[0][0], slice) for p in self._local.inputs]
            shapes = [shape[1:] if row else shape for row, shape in zip(rows, shapes, strict=True)]
        types = [replace(t, shape=s, encoding=None) if None in t.shape else t for t, s in zip(self._types, shapes)]
        module = self.module
        if self._dynamic:
            with lowering_settings(self.device), about_file(module.source):
                module = specialise(module, self._entry, types, sizes, checks)
            verify(module, self.custom_calls)
        known = self._donors
        program = self._program(module, known if donated is None else {i: known.get(i) for i in donated})
        for i in sorted({*(donated or ())} - {*program.donated.values()}):
            name = printable_name(self.interface.input_names[i]) or i
            type = types[i] if self._local is None else self._local.inputs[i].type
            raise InputError(f"argument {name} is donated, but no unclaimed result has its type, {type}")
        return program

    def open_program(self, donated: Collection[int] | None) -> OpenProgram | None:
        """The program for all sizes of open dimensions; None if some part of it or its device needs known ones."""
        target, interface, options = target_of(self.device), self.interface, self._options
        if not target.opens or self._local is not None or options.batch_invariant:
            return None
        arguments = arguments_of(interface.input_names, interface.inputs, interface.signature.dimensions)
        dimensions = [named_dimensions(argument, str(i)) for i, argument in enumerate(arguments)]
        names = open_names(arguments, dimensions)

        @cache  # the search for `most` ends with the plan that is wanted
        def plan(most: int) -> tuple[Compiled, list[Checked]]:
            shapes, checks = open_shapes(arguments, dimensions, most), list[Checked]()
            if shapes is None:
                raise InputError("a dimension is not an expression of the others")
            return self.plan(shapes, {}, donated, checks), checks

        try:
            most = most_within(MOST_BYTES, len(names), lambda most: plan(most)[0].plan)
            program, checks = plan(most)
        except (Error, NeedsValues):  # programs for known sizes are what always works
            return None
        except Exception as error:
            warn_of(error)
            return None
        if calls_host(program.plan):
            return None
        compile = lambda progress: target.compiler.compile(
            program.plan, self.device, self.custom_calls, progress, thread_count(options.threads)
        )
        conditions = [check.condition for check in checks]
        return OpenProgram(program.inputs, program.outputs, program.donated, conditions, cast(Any, compile))

    def _program(
        self,
        module: Module,
        donors: Mapping[int, int | None] = {},
        sides: Sides | None = None,
        seeds: Collection[int] = (),
    ) -> Compiled:
        """The program of a module of static shapes.

        Args:
            sides: for the gradient of a program for several devices, how arguments and results are distributed.
            seeds: see `ShardedExecutor`.
        """
        target, local, options = target_of(self.device), self._local, self._options
        with lowering_settings(self.device), about_file(module.source):
            # Donated memory is that of the whole, which processes do not write to themselves.
            donated = donors if local is None else {}
            plan = target.plan(module, self._entry, donated, options.devices, options.batch_invariant)
        run: CompileExecutor = lambda progress: target.compile(
            plan, self.device, self.custom_calls, progress, options.threads
        )
        if local is None:
            types = module.functions[self._entry].type
            inputs, outputs = ([expect_tensor(t) for t in side] for side in (types.inputs, types.results))
            return Compiled(inputs, outputs, plan.donated, run, (module, plan))
        given, results = sides or self._placements(module, local)
        sharded: CompileExecutor = lambda progress: ShardedExecutor(
            cast(Team, run(progress)), given, results, seeds, summed=sides is not None
        )
        inputs, outputs = ([placement.type for placement in side] for side in (given, results))
        return Compiled(inputs, outputs, paired_whole(donors, local), sharded, (module, plan))

    def _placements(self, module: Module, local: Local) -> Sides:
        """How the arguments and results of a module of static shapes are distributed."""
        main = module.functions[self._entry].type
        inputs = [p.with_part(expect_tensor(type)) for p, type in zip(local.inputs, main.inputs, strict=True)]
        return inputs, [p.with_part(expect_tensor(type)) for p, type in zip(local.outputs, main.results, strict=True)]

    def differentiate(self, program: Compiled, wanted: tuple[int, ...]) -> tuple[Compiled, tuple[int, ...]]:
        """The program of the gradient with respect to some arguments, and the results whose cotangents it takes."""
        from ..derivatives import gradient

        with about_file(program.module.source):
            module, seeds = gradient(program.module, self._entry, wanted)
        if self._local is None:
            return self._program(module), seeds
        given, results = self._placements(program.module, self._local)
        if any(placement.terms for placement in (*given, *results)):
            raise UnsupportedOp("an argument or result is unreduced; only programs without such have gradients")
        sides = [*given, *(results[i] for i in seeds)], [given[i] for i in wanted]
        return self._program(module, {}, sides, range(len(given), len(sides[0]))), seeds


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


def expect_dtypes(module: Module, device: str) -> None:
    """Raise UnsupportedOp if a module uses float64 and the device lacks it; tinygrad emulates all other types."""
    if has_float64(device):
        return
    used = reachable(module, [])
    bodies = [f.body for f in module.functions.values() if f.body is not None and f.name in used]
    for op, type in find_doubles(op for body in bodies for op in walk(body)):
        message = f"{type}: the device {device} has no float64; run the program on the CPU, or"
        raise error_at(op, f"{message} export it without jax_enable_x64", UnsupportedOp)
