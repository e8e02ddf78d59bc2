"""Reads of some rows of a table that ops compute from arguments or constants, such as narrow numbers times scales.

They become reads of the arguments' rows, so that a call computes only the rows that it reads.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import field, replace
from math import prod

from ..ir import DenseAttr, Op, ScalarType, TensorType, Value
from ..ir.dimensions import decode_gather
from ..ir.dtypes import expect_tensor, static_shape
from ..ir.rewrite import clone_value
from ..ir.sizes import is_open
from ..ops import Trait, has
from ..ops.attributes import plain
from ..ops.build import attribute
from ..records import dataclass
from .gemm import is_broadcast, is_reshape

# Tables of fewer elements are computed as a whole.
LEAST = 1 << 14
# So are those for which more operands would have to be examined.
MOST_OPERANDS = 64


def replace_computed_tables(ops: Sequence[Op]) -> list[Op]:
    rewritten: list[Op] = []
    definitions: dict[Value, Op] = {}
    for op in ops:
        new = rows_of(op, definitions) or [op]
        definitions.update((value, each) for each in new for value in each.results)
        rewritten += new
    return rewritten


def rows_of(op: Op, definitions: Mapping[Value, Op]) -> list[Op] | None:
    """The ops that replace one that reads rows of a table; None if it stays."""
    # Those that read some elements of an operand and have sizes: gather and dynamic_slice.
    if not has(op, Trait.SELECTING) or "slice_sizes" not in op.attributes or op.operands[0] not in definitions:
        return None
    count, *rest = static_shape(op.operands[0].type) or (0,)
    result = static_shape(op.results[0].type)
    if any(map(is_open, (count, *rest, *result))):  # how much smaller the rows are is not known
        return None
    batch = result[: len(result) - len(rest)]
    sizes = [int(size) for size in plain(op.attributes["slice_sizes"])]
    if count * prod(rest) < LEAST or 2 * prod(batch) > count or sizes[1:] != rest or list(result[len(batch) :]) != rest:
        return None
    if "dimension_numbers" in op.attributes:
        n = decode_gather(plain(op.attributes["dimension_numbers"]))
        if (n.collapsed, n.index_map, n.operand_batching) != ((0,), (0,), ()) or sizes[0] != 1:
            return None
        if n.offset != tuple(range(len(batch), len(result))):
            return None
    rows = PlanRows(op, count, batch, definitions)
    if rows.of(op.operands[0]) is None or len(rows.ops) < 2:
        return None
    return [*rows.ops[:-1], replace(rows.ops[-1], results=op.results)]


@dataclass
class PlanRows:
    """Computes the rows that an op reads of values with as many rows as its table."""

    read: Op
    count: int
    batch: tuple[int, ...]
    definitions: Mapping[Value, Op]
    ops: list[Op] = field(default_factory=list)
    known: dict[Value, Value] = field(default_factory=dict)
    seen: int = 0

    def of(self, value: Value) -> Value | None:
        """The rows of a value; None if they cannot be computed separately."""
        if value not in self.known:
            self.seen += 1
            if self.seen > MOST_OPERANDS:
                return None
            shape, type = static_shape(value.type), value.type
            if (
                shape[:1] != (self.count,)
                or not isinstance(type, TensorType)
                or not isinstance(type.element, ScalarType)
            ):
                return None
            op = self.definitions.get(value)
            new = self.taken(value) if op is None else self.computed(op)
            if new is None:
                return None
            (result,) = new.results
            self.known[value] = clone_value(result, replace(type, shape=(*self.batch, *shape[1:])))
            self.ops.append(replace(new, results=(self.known[value],)))
        return self.known[value]

    def taken(self, value: Value) -> Op:
        """What reads the rows of an argument."""
        rank, rest = len(expect_tensor(value.type).shape), static_shape(value.type)[1:]
        first, *_ = self.read.operands[1:]
        sizes = int(plain(self.read.attributes["slice_sizes"])[0]), *rest
        attributes = {**self.read.attributes, "slice_sizes": attribute(sizes)}
        if "dimension_numbers" not in self.read.attributes:  # a slice of whole dimensions, where any start is 0
            return replace(self.read, operands=(value, *[first] * rank), attributes=attributes)
        n = decode_gather(plain(self.read.attributes["dimension_numbers"]))
        start = len(self.batch)
        attributes["dimension_numbers"] = replace(n, offset=tuple(range(start, start + rank - 1))).gather_attribute
        return replace(self.read, operands=(value, first), attributes=attributes)

    def computed(self, op: Op) -> Op | None:
        """What computes the rows of an op's result."""
        value = op.attributes.get("value")
        if has(op, Trait.CONSTANT):
            if not isinstance(value, DenseAttr):
                return None
            if not value.splat:
                return self.taken(op.results[0])
            shape = *self.batch, *static_shape(op.results[0].type)[1:]
            return replace(op, attributes={"value": replace(value, type=replace(value.type, shape=shape))})
        if is_broadcast(op):
            (inner,), dimensions = op.operands, [int(d) for d in plain(op.attributes["broadcast_dimensions"])]
            moved = [d + len(self.batch) - 1 for d in dimensions]
            operand: Value | None = inner
            if 0 in dimensions:
                if dimensions[0] != 0:
                    return None
                operand, moved = self.of(inner), [*range(len(self.batch)), *moved[1:]]
            if operand is None:
                return None
            return replace(op, operands=(operand,), attributes={"broadcast_dimensions": attribute(moved)})
        if len(op.results) == 1 and not op.regions and (has(op, Trait.ELEMENTWISE) or is_reshape(op)):
            operands = [self.of(operand) for operand in op.operands]
            known = tuple(operand for operand in operands if operand is not None)
            return replace(op, operands=known) if len(known) == len(operands) else None
        return None
