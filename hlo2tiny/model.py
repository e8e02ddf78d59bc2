"""From a module to what runs: verified once, and planned for each set of shapes that it is called with."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from . import forking
from .errors import UnsupportedOp, about_file
from .formats.artifact import Artifact
from .ir import (
    ComplexType,
    ElementType,
    Function,
    Module,
    ScalarType,
    StringAttr,
    SymbolAttr,
    TensorType,
    Value,
    error_at,
    walk,
)
from .ir.dtypes import expect_tensor
from .ir.entry import entry_function
from .plan import Plan, build
from .plan.lowering import lowering
from .specialise.dynamic import NeedsValues
from .specialise.specialise import computes_shapes, specialise
from .store.kept import MOST_PLANS, keep
from .targets.c.code import Code
from .targets.table import Executor, executor_of, find_device, uses_libraries
from .tinygrad.device import has_float64
from .verify.problems import reachable, verify
from .verify.unwrap import unwrap

# The model's function inside main, as jax.export names it.
WRAPPED = "_wrapped_jax_export_main"


@dataclass(frozen=True, eq=False)
class Specialised:
    """A program for one set of shapes: what runs, and the types of its arguments and results."""

    module: Module
    plan: Plan
    executor: Executor
    inputs: Sequence[TensorType]
    outputs: Sequence[TensorType]
    # By the arguments that it is differentiated by: the program of its gradient, and of which results that takes
    # cotangents.
    gradients: dict[tuple[int, ...], tuple[Specialised, tuple[int, ...]]] = field(default_factory=dict)


class Prepared:
    """A verified module on a device, with the plans for the shapes that it was called with; the last 16 are kept.

    `digest` is that of its file, under which its code is kept; '' if it is not.
    """

    def __init__(
        self, artifact: Artifact, device: str | None, custom_calls: Mapping[str, Callable[..., Any]], digest: str = ""
    ) -> None:
        verify(artifact.module, custom_calls)
        with about_file(artifact.module.source):
            self.module = module = unwrap(artifact.module)
        self.signature = artifact.signature
        entry = entry_function(module)
        self._entry, self._digest, self._custom_calls = entry.name, digest, custom_calls
        self.inputs = [expect_tensor(t) for t in entry.type.inputs]
        self.outputs = [expect_tensor(t) for t in entry.type.results]
        self.input_names, self.output_names = argument_names(module, entry), result_names(entry)
        self.device = find_device(device)
        expect_dtypes(module, self.device)
        self._dynamic = computes_shapes(module)
        # The arguments whose values, beside the shapes of all, decide the shapes inside.
        self.sizes: tuple[int, ...] = ()
        self.specialised: OrderedDict[object, Specialised] = OrderedDict()
        self._lock = forking.lock()
        # What runs on all arguments, where their shapes and values decide nothing.
        self.only: Specialised | None = None
        if not any(None in t.shape for t in self.inputs):
            self.only = self.specialise(self.inputs, None)

    @property
    def last(self) -> Specialised | None:
        """What ran last."""
        with self._lock:
            return next(reversed(self.specialised.values())) if self.specialised else None

    def compile(self, progress: Callable[[int, int], None]) -> None:
        with self._lock:
            found = list(self.specialised.values())
        for specialised in found:
            specialised.executor.compile(progress)

    def of_shapes(self, shapes: Sequence[tuple[int, ...]], arguments: Sequence[Any] | None) -> Specialised | None:
        """The program for arguments of these shapes."""
        types = [replace(t, shape=s, encoding=None) if None in t.shape else t for t, s in zip(self.inputs, shapes)]
        return self.specialise(types, arguments)

    def specialise(self, types: Sequence[TensorType], arguments: Sequence[Any] | None) -> Specialised | None:
        """The program for arguments of static types; None where their values are needed and `arguments` is None."""
        while arguments is not None or not self.sizes:
            sizes = {i: numpy_of(arguments[i]) for i in self.sizes} if arguments is not None else {}
            key = (tuple(t.shape for t in types), tuple(size.tobytes() for size in sizes.values()))
            with self._lock:
                if key in self.specialised:
                    self.specialised.move_to_end(key)
                    return self.specialised[key]
                try:
                    found = self.specialised[key] = self._built(types, sizes)
                except NeedsValues as needs:
                    self.sizes = tuple(sorted({*self.sizes, *needs.arguments}))
                    continue
                if len(self.specialised) > MOST_PLANS:
                    self.specialised.popitem(last=False)
                return found
        return None

    def _built(self, types: Sequence[TensorType], sizes: Mapping[int, np.ndarray]) -> Specialised:
        module = self.module
        if self._dynamic:
            with lowering(self.device), about_file(module.source):
                module = specialise(module, self._entry, types, sizes)
            verify(module, self._custom_calls)
        return self._planned(module, self._keep)

    def _planned(self, module: Module, keep: Callable[[Code], None] = lambda code: None) -> Specialised:
        """A module with static shapes as what runs."""
        with lowering(self.device), about_file(module.source):
            plan = build(module, self._entry, products=uses_libraries(self.device))
        types = module.functions[self._entry].type
        inputs, outputs = ([expect_tensor(t) for t in side] for side in (types.inputs, types.results))
        return Specialised(module, plan, executor_of(plan, self.device, self._custom_calls, keep), inputs, outputs)

    def gradient(self, found: Specialised, wanted: tuple[int, ...]) -> tuple[Specialised, tuple[int, ...]]:
        """The program of a program's gradient by some arguments, and the results of which it takes cotangents.

        Raises:
            UnsupportedOp: see `gradient.gradient`.
        """
        from .gradient import gradient

        with self._lock:
            if wanted not in found.gradients:
                with about_file(found.module.source):
                    module, taken = gradient(found.module, self._entry, wanted)
                found.gradients[wanted] = self._planned(module), taken
            return found.gradients[wanted]

    def _keep(self, code: Code) -> None:
        if self._digest and not self.sizes:
            names, types = (self.input_names, self.output_names), (self.inputs, self.outputs)
            keep(self._digest, names, self.signature, types, code)


def expect_dtypes(module: Module, device: str) -> None:
    """A module's types are such as the device has; tinygrad builds what is missing of all but float64.

    Raises:
        UnsupportedOp: one is not, with the first op that has it.
    """
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


def numpy_of(value: Any) -> np.ndarray:
    return np.asarray(value if isinstance(value, np.ndarray) else value.numpy())


def argument_names(module: Module, function: Function) -> list[str]:
    """The names that the exporter gave the arguments: loc("params['Dense_0']['kernel']").

    For symbolic shapes jax.export wraps the model's function into another, without names. The number of the platform,
    of an export for several, has none either.
    """
    assert function.body is not None
    inside: dict[Value, str] = {}
    for op in function.body.ops:
        symbol = op.attributes.get("callee")
        wrapped = module.functions.get(symbol.names[-1]) if isinstance(symbol, SymbolAttr) else None
        if wrapped is not None and wrapped.body is not None and wrapped.name.startswith(WRAPPED):
            inside = {v: own_name(argument) for v, argument in zip(op.operands, wrapped.body.arguments)}
    constants = [text_attribute(attributes, "jax.global_constant") for attributes in function.argument_attributes]
    return [
        own_name(v) or inside.get(v, "") or name for v, name in zip(function.body.arguments, constants, strict=True)
    ]


def own_name(value: Value) -> str:
    return value.location.name if value.location else ""


def result_names(function: Function) -> list[str]:
    """The names of jax.result_info."""
    return [text_attribute(attributes, "jax.result_info") for attributes in function.result_attributes]


def text_attribute(attributes: Mapping[str, Any], name: str) -> str:
    value = attributes.get(name)
    return value.value if isinstance(value, StringAttr) else ""
