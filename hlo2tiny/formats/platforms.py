"""The variant for one platform of a module that was exported for several.

The first argument of such a module's main function is the platform's number, by which `stablehlo.case` selects a
branch. Here it becomes a constant and the branch replaces the case, so that ops of other platforms need no rules.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, nullcontext
from dataclasses import replace
from itertools import count

import numpy as np

from .. import ir
from ..errors import ParseError
from ..ir.dtypes import numpy_dtype
from ..ir.entry import reachable
from ..ir.rewrite import Rewriter, clone_value
from ..ops import Cost, Trait, cost_of, has
from ..ops.build import stablehlo

# The exporters' names of tinygrad's devices; any other device runs the CPU's variant.
PLATFORMS = {"CUDA": "cuda", "NV": "cuda", "AMD": "rocm", "HIP": "rocm"}
# The limit for nested calls and regions. Models have tens.
DEEPEST = 100


def platform_number(device: str | None, platforms: Sequence[str]) -> int:
    """The number of a device's platform among those that a module was exported for; 0 if it is not among them."""
    platform = PLATFORMS.get((device or "CPU").partition(":")[0].upper(), "cpu")
    wanted = [platform, "gpu" if platform in ("cuda", "rocm") else "cpu", "cpu"]
    return next((platforms.index(name) for name in wanted if name in platforms), 0)


def for_platform(module: ir.Module, main: ir.Function, number: int) -> ir.Module:
    """The module for one platform, without main's argument for the platform's number.

    Raises:
        ParseError: that argument is not an integer, or the module is nested too deeply.
    """
    first = main.code.arguments[0]
    if (dtype := integer_dtype(first.type)) is None:
        raise error("main's first argument must be an integer, the platform's number", main.location)
    chooser = PlatformChooser(module)
    body, _ = chooser.body(main.code, {0: number}, main.location)
    assert isinstance(first.type, ir.TensorType)
    value = ir.DenseAttr(first.type, np.full((), number, dtype))
    constant = stablehlo.constant.op((), body.arguments[:1], main.location, value=value)
    main = replace(
        main,
        body=ir.Region(body.arguments[1:], (constant, *body.ops)),
        type=replace(main.type, inputs=main.type.inputs[1:]),
        argument_attributes=main.argument_attributes[1:],
    )
    functions = {**module.functions, **chooser.functions, main.name: main}
    used = reachable(functions, [main.name])
    return replace(module, functions={name: f for name, f in functions.items() if name in used})


class PlatformChooser:
    """Copies functions that depend on the platform's number, and replaces each case on it by the selected branch."""

    def __init__(self, module: ir.Module) -> None:
        self.module = module
        self.functions: dict[str, ir.Function] = {}
        self.variants: dict[tuple[str, frozenset[tuple[int, int]]], tuple[str, dict[int, int]]] = {}
        self.depth = 0
        self.constants: dict[ir.Value, int] = {}  # the constants among the new values
        self.chosen: dict[ir.Value, int] = {}  # the new values that follow from the platform

    def body(
        self, body: ir.Region, numbers: Mapping[int, int], location: ir.Location
    ) -> tuple[ir.Region, dict[int, int]]:
        """A function's body for known values of some arguments, and the results that are then known, by number."""
        clones = Rewriter(hook=self.op, new=clone_value)
        with self.inside((body,), location):
            arguments = clones.define(body.arguments)
            self.chosen.update((arguments[i], number) for i, number in numbers.items())
            ops = clones.ops(body.ops)
        results = ops[-1].operands if ops else ()
        return ir.Region(arguments, tuple(ops)), {i: self.chosen[v] for i, v in enumerate(results) if v in self.chosen}

    @contextmanager
    def inside(self, regions: Sequence[ir.Region], location: ir.Location) -> Iterator[None]:
        """Enter the regions of a function or an op; refuse them if they are too deep or have several blocks."""
        self.depth += 1
        if self.depth > DEEPEST:
            raise error(f"calls and regions are nested deeper than {DEEPEST} levels", location)
        if any(region.blocks for region in regions):
            raise error("this module for several platforms branches between blocks, which no exporter writes", location)
        yield
        self.depth -= 1

    def op(self, clones: Rewriter, op: ir.Op) -> Sequence[ir.Op]:
        """The ops that replace an op."""
        operands, attributes = clones.lookup(op.operands), op.attributes
        # `verify` refuses an index of another type.
        is_index = bool(operands) and operands[0].type == ir.TensorType((), ir.ScalarType("i32"))
        if has(op, Trait.CHOICE) and op.regions and is_index and operands[0] in self.chosen:
            number = self.chosen[operands[0]]
            branch = op.regions[number if 0 <= number < len(op.regions) else -1]
            if branch.ops and len(branch.ops[-1].operands) == len(op.results) and not branch.arguments:
                with self.inside((branch,), op.location):
                    ops, returned = clones.inline(branch, ())
                clones.values.update(zip(op.results, returned))
                self.chosen.update((v, self.constants[v]) for v in returned if v in self.constants)
                return ops
        known: Mapping[int, int] = {}
        if has(op, Trait.CALL):
            attributes, known = self.call(op, operands)
        with self.inside(op.regions, op.location) if op.regions else nullcontext():
            clone = clones.clone(op, attributes=attributes)
        results = clone.results
        self.chosen.update((results[i], number) for i, number in known.items() if i < len(results))
        if has(op, Trait.CONSTANT) and (constant := single(op)) is not None:
            self.constants[results[0]] = constant
        elif has(op, Trait.ELEMENTWISE) and cost_of(op) is Cost.FREE and operands and operands[0] in self.chosen:
            number = self.chosen[operands[0]]
            self.chosen.update((v, number) for v in results if integer_dtype(v.type) is not None)
        return (clone,)

    def call(self, op: ir.Op, operands: Sequence[ir.Value]) -> tuple[Mapping[str, ir.Attribute], Mapping[int, int]]:
        """The attributes of a call of the variant for the known arguments, and the known results, by number."""
        symbol = op.attributes.get("callee")
        function = self.module.functions.get(symbol.names[-1]) if isinstance(symbol, ir.SymbolAttr) else None
        numbers = {i: self.chosen[v] for i, v in enumerate(operands) if v in self.chosen}
        if function is None or function.body is None or len(function.body.arguments) != len(operands) or not numbers:
            return op.attributes, {}
        key = (function.name, frozenset(numbers.items()))
        if key not in self.variants:
            if len(self.variants) > 4 * len(self.module.functions):
                raise error("functions depend on the platform in more ways than there are platforms", op.location)
            name = self.find_unused_name(function.name)
            self.variants[key] = name, {}  # for a function that calls itself, which `verify` reports
            body, known = self.body(function.body, numbers, op.location)
            self.functions[name] = replace(function, name=name, body=body)
            self.variants[key] = name, known
        name, known = self.variants[key]
        return {**op.attributes, "callee": ir.SymbolAttr((name,))}, known

    def find_unused_name(self, name: str) -> str:
        """A new name for a variant of a function."""
        names = {*self.module.functions, *self.functions, *(name for name, _ in self.variants.values())}
        return next(new for number in count() if (new := f"{name}.{number}") not in names)


def integer_dtype(type: ir.Type) -> np.dtype | None:
    """The dtype of an integer tensor of rank 0; None for any other type."""
    if isinstance(type, ir.TensorType) and not type.shape and isinstance(type.element, ir.ScalarType):
        dtype = numpy_dtype(type.element)
        return dtype if dtype.kind in "iu" else None
    return None


def single(op: ir.Op) -> int | None:
    """The value of a constant that is a single integer; None for any other."""
    value = op.attributes.get("value")
    if isinstance(value, ir.DenseAttr) and len(op.results) == 1 and integer_dtype(op.results[0].type) is not None:
        return int(value.data.reshape(-1)[0]) if value.data.size == 1 else None
    return None


def error(message: str, location: ir.Location) -> ParseError:
    return ParseError(message, location.source, location.offset)
