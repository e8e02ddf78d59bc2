"""Copies of ops and regions in which other values, or other ops, stand for some; and which values ops read.

A value is defined once: values and ops that are in a program twice, as those of a function that is inlined twice, have
to be clones.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence

from .attributes import Attribute
from .module import Op, Region, Value
from .types import Type


def clone_value(value: Value, type: Type | None = None) -> Value:
    """A new value with the name and the place of another one, and its type if no other is given."""
    return Value(value.name, value.type if type is None else type, value.location)


def clone_values(values: Iterable[Value]) -> tuple[Value, ...]:
    return tuple([clone_value(value) for value in values])


def clone_region(region: Region) -> Region:
    """A copy of a region that defines values of its own."""
    return Rewriter(new=clone_value).region(region)


class Rewriter:
    """Copies ops in order, outer before inner, with what stands for their operands by then.

    Attributes:
        values: what stands for values of the original; the others stand for themselves. Clones add to it.
        hook: gives the ops that stand for an op: none to drop it, None to clone it. It binds the op's results in
            `values` where they are not those of a clone. It is asked about the ops inside regions too.
        new: makes the values that clones define; without it they define the original's.
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
        """What stands for values now."""
        known = self.values
        return tuple([known.get(value, value) for value in values])

    def define(self, values: Sequence[Value]) -> tuple[Value, ...]:
        """The values that a clone defines in place of these."""
        if self.new is None:
            return tuple(values)
        defined = tuple([self.new(value) for value in values])
        self.values.update(zip(values, defined))
        return defined

    def rewrite(self, op: Op) -> Sequence[Op]:
        """The ops that stand for an op."""
        ops = None if self.hook is None else self.hook(self, op)
        return (self.clone(op),) if ops is None else ops

    def ops(self, ops: Iterable[Op]) -> list[Op]:
        """The ops that stand for ops."""
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
        """A copy of an op, which may have another name, other operands or attributes; its regions are rewritten."""
        operands = self.lookup(op.operands) if operands is None else operands
        regions = tuple([self.region(region) for region in op.regions]) if op.regions else ()
        attributes = op.attributes if attributes is None else attributes
        return Op(name or op.name, operands, self.define(op.results), attributes, regions, op.location, op.successors)

    def region(self, region: Region) -> Region:
        """A region of what stands for its ops. Its blocks must not read what later ones define anew."""
        arguments, ops = self.define(region.arguments), tuple(self.ops(region.ops))
        return Region(arguments, ops, tuple([self.region(block) for block in region.blocks]) if region.blocks else ())

    def inline(self, region: Region, operands: Sequence[Value]) -> tuple[list[Op], tuple[Value, ...]]:
        """What stands for the ops of a region that takes these operands, and for the values that it returns."""
        self.values.update(zip(region.arguments, operands, strict=True))
        *ops, terminator = region.ops
        return self.ops(ops), self.lookup(terminator.operands)


# ---------------------------------------------------------------- which values ops read


def free_values(*parts: Op | Region) -> list[Value]:
    """The values that ops and regions read and do not define, in the order of their first use."""
    read: dict[Value, None] = {}
    defined: set[Value] = set()

    def visit(part: Op | Region) -> None:
        if isinstance(part, Op):
            for value in part.operands:
                read[value] = None
            defined.update(part.results)
            inner: Sequence[Op | Region] = part.regions
        else:
            defined.update(part.arguments)
            inner = (*part.ops, *part.blocks)
        for each in inner:
            visit(each)

    for part in parts:
        visit(part)
    return [value for value in read if value not in defined]


def last_uses(ops: Sequence[Op]) -> dict[Value, int]:
    """For each value the number of the last op that reads it, itself or in its regions."""
    return {value: number for number, op in enumerate(ops) for value in free_values(op)}


def live(ops: Sequence[Op], results: Iterable[Value]) -> list[Op]:
    """The ops that results depend on."""
    wanted, kept = set(results), []
    for op in reversed(ops):
        if not wanted.isdisjoint(op.results):
            kept.append(op)
            wanted.update(free_values(op))
    return kept[::-1]
