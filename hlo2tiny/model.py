"""A verified module, from which programs for known shapes are made."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import replace

import numpy as np

from .compiled import Compiled, Planned, Types
from .errors import InputError, UnsupportedOp, about_file, printable_name
from .formats.artifact import Artifact
from .interface import donors_of, interface_of
from .ir import ComplexType, ElementType, Module, ScalarType, TensorType, error_at, walk
from .ir.dtypes import expect_tensor
from .ir.entry import entry_function
from .plan import build
from .specialise.dynamic import NeedsValues
from .specialise.specialise import computes_shapes, specialise
from .targets import Executor, HostFunction, Progress, open_device, target_of
from .tinygrad.device import has_float64
from .tinygrad.settings import lowering_settings
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
    ) -> None:
        verify(artifact.module, custom_calls)
        with about_file(artifact.module.source):
            self.module = module = unwrap(artifact.module)
        entry = entry_function(module)
        self._entry, self._custom_calls, self._threads = entry.name, custom_calls, threads
        self.interface = interface_of(module, entry, artifact.signature)
        self._donors = donors_of(entry)
        self.device = open_device(device)
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
            return self._compiled(self.plan(shapes, sizes, donated), keep)
        except NeedsValues as needs:
            self.sizes = tuple(sorted({*self.sizes, *needs.arguments}))
            return None

    def plan(
        self,
        shapes: Sequence[tuple[int, ...]],
        sizes: Mapping[int, np.ndarray],
        donated: Collection[int] | None = None,
    ) -> Planned:
        """The module for arguments of these shapes, and its plan; raises NeedsValues if it depends on more values."""
        types = [
            replace(t, shape=s, encoding=None) if None in t.shape else t for t, s in zip(self.interface.inputs, shapes)
        ]
        module = self.module
        if self._dynamic:
            with lowering_settings(self.device), about_file(module.source):
                module = specialise(module, self._entry, types, sizes)
            verify(module, self._custom_calls)
        known = self._donors
        planned = self._planned(module, known if donated is None else {i: known.get(i) for i in donated})
        for i in sorted({*(donated or ())} - {*planned.plan.donated.values()}):
            name = printable_name(self.interface.input_names[i]) or i
            raise InputError(f"argument {name} is donated, but no result has its type, {types[i]}, or not one for each")
        return planned

    def _planned(self, module: Module, donors: Mapping[int, int | None] = {}) -> Planned:
        with lowering_settings(self.device), about_file(module.source):
            return Planned(module, build(module, self._entry, target_of(self.device).products, donors))

    def _compiled(self, planned: Planned, keep: Keep | None = None) -> Compiled:
        types, target = planned.module.functions[self._entry].type, target_of(self.device)
        inputs, outputs = ([expect_tensor(t) for t in side] for side in (types.inputs, types.results))

        def compile(progress: Progress) -> Executor:
            executor = target.compile(planned.plan, self.device, self._custom_calls, progress, self._threads)
            if keep is not None:
                keep(inputs, outputs, planned.plan.donated, executor)
            return executor

        return Compiled(inputs, outputs, planned.plan.donated, compile, planned)

    def differentiate(self, planned: Planned, wanted: tuple[int, ...]) -> tuple[Compiled, tuple[int, ...]]:
        """The program of the gradient with respect to some arguments, and the results whose cotangents it takes."""
        from .gradient import gradient

        with about_file(planned.module.source):
            module, seeds = gradient(planned.module, self._entry, wanted)
        return self._compiled(self._planned(module)), seeds


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
