"""Computes what is joined and cut again in pieces, such as the components of a state that a program stacks.

Arithmetic on a concatenation is then arithmetic on its parts, which slices read as they are, so kernels need not write
the whole array first. What still reads the whole gets a concatenation of the results.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import prod

from ..ir import ComplexType, Op, ScalarType, TensorType, Value, about
from ..ir.dtypes import static_shape
from ..ir.rewrite import with_shape
from ..ir.sizes import is_open
from ..ops import Trait, has
from ..ops.attributes import plain
from ..ops.build import Builder
from ..records import dataclass
from .gemm import order_of

# An array of more parts is left whole, and so is one with parts that are so many times shorter than others: edges of a
# stencil, which reads the whole, too.
MOST_PARTS, SHORTER = 8, 16


@dataclass(frozen=True)
class Joined:
    """The parts of an array along a dimension."""

    dimension: int
    parts: tuple[Value, ...]

    @property
    def sizes(self) -> list[int]:
        return [static_shape(part.type)[self.dimension] for part in self.parts]


def compute_in_pieces(ops: Sequence[Op]) -> list[Op]:
    """The ops of a block, with arithmetic on arrays that are joined and cut on their parts instead."""
    cut = set[Value]()
    for op in reversed(ops):
        if is_slice(op) or (cut.intersection(op.results) and (is_arithmetic(op) or order_of(op) is not None)):
            cut.update(op.operands)
    if not any(is_joined(op) and cut.intersection(op.results) for op in ops):
        return list(ops)
    known = dict[Value, Joined]()
    cuts = dict[tuple[Value, int, int, int], Value]()
    result: list[Op] = []
    for op in ops:
        builder = Builder(op.location)
        with about(op):
            is_cut = bool(cut.intersection(op.results))
            suits = is_arithmetic(op) or (is_cut and (is_joined(op) or order_of(op) is not None))
            joined = join(op, known, cuts, builder) if suits else None
            if joined is not None:
                known[op.results[0]] = joined
                if not is_joined(op):
                    builder.concatenate([*map(builder.term, joined.parts)], joined.dimension)
                    result += builder.ops_for(op)
                    continue
            result += slice_of_part(op, known, builder) if is_slice(op) else (op,)
    return result


def join(
    op: Op, known: dict[Value, Joined], cuts: dict[tuple[Value, int, int, int], Value], builder: Builder
) -> Joined | None:
    """The parts of an op's result, for which ops are added to the builder."""
    if is_joined(op):
        return Joined(int(plain(op.attributes["dimension"])), op.operands)
    joined = next((known[v] for v in op.operands if v in known), None)
    if joined is None:
        return None
    (result,), sizes = op.results, joined.sizes
    if (order := order_of(op)) is not None:
        parts = tuple(builder.term(part).transpose(order).value for part in joined.parts)
        return Joined(order.index(joined.dimension), parts)
    parts, start = (), 0

    def part_of(value: Value, number: int) -> Value:
        if value in known and known[value].dimension == joined.dimension and known[value].sizes == sizes:
            return known[value].parts[number]
        shape = static_shape(value.type)
        if not shape:
            return value
        key = value, joined.dimension, start, sizes[number]
        if key not in cuts:
            starts = [start if d == joined.dimension else 0 for d in range(len(shape))]
            ends = [start + sizes[number] if d == joined.dimension else size for d, size in enumerate(shape)]
            cuts[key] = builder.term(value).slice(starts, ends).value
        return cuts[key]

    shape = static_shape(result.type)
    for number, size in enumerate(sizes):
        operands = tuple(part_of(value, number) for value in op.operands)
        new = with_shape(result, [size if d == joined.dimension else n for d, n in enumerate(shape)])
        builder.ops.append(Op(op.name, operands, (new,), op.attributes, (), op.location))
        parts, start = (*parts, new), start + size
    return Joined(joined.dimension, parts)


def slice_of_part(op: Op, known: dict[Value, Joined], builder: Builder) -> tuple[Op, ...]:
    """A slice as one of the part that it lies in, if it does."""
    joined = known.get(op.operands[0])
    if joined is None:
        return (op,)
    starts, ends, strides = (list(map(int, plain(op.attributes[name]))) for name in SLICE)
    d, begin = joined.dimension, 0
    for part, size in zip(joined.parts, joined.sizes):
        if begin <= starts[d] and ends[d] <= begin + size:
            starts[d], ends[d] = starts[d] - begin, ends[d] - begin
            builder.term(part).slice(starts, ends, strides)
            return builder.ops_for(op)
        begin += size
    return (op,)


SLICE = ("start_indices", "limit_indices", "strides")


def is_slice(op: Op) -> bool:
    return has(op, Trait.MOVEMENT) and op.attributes.keys() >= {*SLICE}


def is_joined(op: Op) -> bool:
    """Whether an op joins a few arrays of numbers, of similar sizes that are known."""
    if not (has(op, Trait.MOVEMENT) and "dimension" in op.attributes and 1 < len(op.operands) <= MOST_PARTS):
        return False
    sizes = [prod(static_shape(v.type)) for v in op.operands if is_plain(v)]
    return len(sizes) == len(op.operands) and min(sizes) * SHORTER > max(sizes)


def is_arithmetic(op: Op) -> bool:
    """Whether an op computes each element of its result from the elements there, and from scalars."""
    if not has(op, Trait.ELEMENTWISE) or op.regions or len(op.results) != 1 or not all(map(is_plain, op.operands)):
        return False
    return {static_shape(v.type) for v in op.operands} <= {static_shape(op.results[0].type), ()}


def is_plain(value: Value) -> bool:
    type = value.type
    is_number = isinstance(type, TensorType) and isinstance(type.element, ScalarType | ComplexType)
    return is_number and None not in type.shape and not any(map(is_open, type.shape))  # type: ignore[union-attr]
