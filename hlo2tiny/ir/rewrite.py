"""Copies of ops and regions with values or ops replaced; and which values ops read.

A value is defined once, so ops that occur twice, such as those of a function that is inlined twice, must be clones.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace

from .attributes import Attribute
from .dtypes import expect_tensor, static_shape
from .module import Module, Op, Region, Value
from .types import ElementType, TensorType, Type


def clone_value(value: Value, type: Type | None = None) -> Value:
    """A new value with the name and location of another, and its type unless another type is given."""
    return Value(value.name, value.type if type is None else type, value.location)


def with_shape(value: Value, shape: Sequence[int]) -> Value:
    """A new value like another, with this shape."""
    return clone_value(value, TensorType(tuple(shape), expect_tensor(value.type).element))


def with_element(value: Value, element: ElementType) -> Value:
    """A new value like another, with elements of this type."""
    return clone_value(value, TensorType(static_shape(value.type), element))


def clone_values(values: Iterable[Value]) -> tuple[Value, ...]:
    return tuple([clone_value(value) for value in values])


def clone_region(region: Region) -> Region:
    """A copy of a region that defines new values."""
    return Rewriter(new=clone_value).region(region)


class Rewriter:
    """Copies ops in order, outer before inner, with their operands replaced.

    Attributes:
        values: the replacements of the original's values; a value without one stays. Clones add to it.
        hook: returns the ops that replace an op: () drops it, None clones it. Unless it clones the op, it sets the
            replacements of the op's results in `values`. It is also called for ops in regions.
        new: makes the values that clones define; without it, clones define the original's values.
    """

    def __init__(
        self,
        values: Mapping[Value, Value] | None = None,
        hook: Callable[[Rewriter, Op], Sequence[Op] | None] | None = None,
        new: Callable[[Value], Value] | None = None,
    ) -> None:
        self.values: dict[Value, Value] = dict(values or {})
        self.hook, self.new = hook, new

    def lookup(self, values: Iterable[Value]) -> tuple[Value, ...]:
        """The current replacements of values."""
        known = self.values
        return tuple([known.get(value, value) for value in values])

    def define(self, values: Sequence[Value]) -> tuple[Value, ...]:
        """The values that a clone defines instead of these."""
        if self.new is None:
            return tuple(values)
        defined = tuple([self.new(value) for value in values])
        self.values.update(zip(values, defined))
        return defined

    def rewrite(self, op: Op) -> Sequence[Op]:
        """The ops that replace an op."""
        ops = None if self.hook is None else self.hook(self, op)
        return (self.clone(op),) if ops is None else ops

    def ops(self, ops: Iterable[Op]) -> list[Op]:
        """The ops that replace a sequence of ops."""
        rewritten: list[Op] = []
        for op in ops:
            rewritten += self.rewrite(op)
        return rewritten

    def clone(
        self,
        op: Op,
        name: str | None = None,
        operands: tuple[Value, ...] | None = None,
        attributes: Mapping[str, Attribute] | None = None,
    ) -> Op:
        """A copy of an op with rewritten regions; its name, operands and attributes may be given."""
        operands = self.lookup(op.operands) if operands is None else operands
        regions = tuple([self.region(region) for region in op.regions]) if op.regions else ()
        attributes = op.attributes if attributes is None else attributes
        return Op(name or op.name, operands, self.define(op.results), attributes, regions, op.location, op.successors)

    def region(self, region: Region) -> Region:
        """A copy of a region with its ops replaced. Its blocks must not read what later blocks define as new values."""
        arguments, ops = self.define(region.arguments), tuple(self.ops(region.ops))
        return Region(arguments, ops, tuple([self.region(block) for block in region.blocks]) if region.blocks else ())

    def inline(self, region: Region, operands: Sequence[Value]) -> tuple[list[Op], tuple[Value, ...]]:
        """The ops that replace those of a region called with these operands, and the values that it returns."""
        self.values.update(zip(region.arguments, operands, strict=True))
        *ops, terminator = region.ops
        return self.ops(ops), self.lookup(terminator.operands)


def rewrite_functions(module: Module, hook: Callable[[Rewriter, Op], Sequence[Op] | None]) -> Module:
    """The module with the ops of each function replaced as a rewriter's hook says."""
    functions = {
        name: function if function.body is None else replace(function, body=Rewriter(hook=hook).region(function.body))
        for name, function in module.functions.items()
    }
    return replace(module, functions=functions)


# ---------------------------------------------------------------- which values ops read


def free_values(*parts: Op | Region) -> list[Value]:
    """The values that ops and regions read and do not define, in the order of their first use."""
    if len(parts) == 1 and isinstance(parts[0], Op) and not parts[0].regions:  # as most are
        return [*dict.fromkeys(parts[0].operands)]
    used: dict[Value, None] = {}
    defined: set[Value] = set()

    def visit(part: Op | Region) -> None:
        if isinstance(part, Op):
            for value in part.operands:
                used[value] = None
            defined.update(part.results)
            inner: Sequence[Op | Region] = part.regions
        else:
            defined.update(part.arguments)
            inner = (*part.ops, *part.blocks)
        for child in inner:
            visit(child)

    for part in parts:
        visit(part)
    return [value for value in used if value not in defined]


def last_uses(ops: Sequence[Op]) -> dict[Value, int]:
    """For each value, the index of the last op that reads it, in its operands or its regions."""
    return {value: number for number, op in enumerate(ops) for value in free_values(op)}


def live(ops: Sequence[Op], results: Iterable[Value], kept: Callable[[Op], bool] = lambda op: False) -> list[Op]:
    """The ops that results depend on, those that are `kept` anyway, and what these depend on."""
    wanted, needed = set(results), []
    for op in reversed(ops):
        if kept(op) or not wanted.isdisjoint(op.results):
            needed.append(op)
            wanted.update(free_values(op))
    return needed[::-1]
