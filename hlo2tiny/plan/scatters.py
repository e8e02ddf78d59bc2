"""Where updates change an array, if that is known; scatters as two ops; and sums of arrays of scattered updates.

Loops in which a scatter's indices are always the same sort them once, and so do several scatters with the same ones: as
in rounds of messages along the edges of a graph.

In such sums all updates are added to one array. The gradient of several lookups in a table is one: of the corners of
bilinear samples, or of embeddings. Each lookup would fill an array as large as the table with zeros, and add it to the
others.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Container, Mapping, Sequence
from dataclasses import replace
from math import prod
from typing import NamedTuple

import numpy as np

from ..ir import DenseAttr, Op, ScalarType, TensorType, Value
from ..ir.dimensions import decode_gather, decode_scatter, selection_numbers
from ..ir.dtypes import static_shape
from ..ir.rewrite import clone_value, free_values
from ..ir.sizes import is_open
from ..ops import Monoid, Trait, has, monoid_of, schema_of
from ..ops.attributes import plain
from ..ops.build import Builder, attribute, stablehlo
from ..rules.registry import Body
from ..rules.scatters import SORTED_CELLS, UpdateLayout, combiner_of, is_associative, tables_of
from .gemm import element_name, is_broadcast, is_reshape
from .loops import find_invariants, repeated_number

# The most integers that are looked at.
MOST_KNOWN = 8
# The most arrays of a loop that are brought into the order of cells: each takes as long as updates in another order.
MOST_MOVED = 4
# Types in which a sum in another order is as exact. The others lose a digit with each update that they add.
EXACT = {"f32", "f64", "i8", "i16", "i32", "i64", "ui8", "ui16", "ui32", "ui64", "complex<f32>", "complex<f64>"}


def join_scatters(ops: Sequence[Op], inline: Mapping[Value, Op]) -> list[Op]:
    """The ops of a block, with sums of scattered updates in place of sums of arrays.

    Args:
        inline: constants of enclosing blocks.
    """
    if sum(is_scattered_sum(op) for op in ops) < 2:
        return list(ops)
    reads = Counter(value for op in ops for value in free_values(op))
    definitions = {v: op for op in (*inline.values(), *ops) for v in op.results}
    scattered: set[Value] = set()  # updates added to zeros, so that no element is -0
    result = dict[Op, None]()
    for op in ops:
        if is_scattered_sum(op) and is_zero(definitions.get(op.operands[0]), definitions):
            scattered.update(op.results)
        elif is_sum(op) and scattered.issuperset(op.operands) and all(reads[v] == 1 for v in op.operands):
            for kept, value in (op.operands, op.operands[::-1]):
                last = definitions[value]
                if is_zero(definitions.get(last.operands[0]), definitions):
                    del result[last]
                    op = replace(last, operands=(kept, *last.operands[1:]), results=op.results)
                    definitions[op.results[0]] = op
                    scattered.update(op.results)
                    break
        result[op] = None
    return list(result)


def is_scattered_sum(op: Op) -> bool:
    """Whether an op adds each update to an element of its operand."""
    if not has(op, Trait.UPDATING) or len(op.results) != 1 or len(op.regions) != 1:
        return False
    (region,) = op.regions
    added = len(region.ops) == 2 and is_sum(region.ops[0]) and region.ops[1].operands == region.ops[0].results
    return added and {*region.ops[0].operands} == {*region.arguments} and element_name(op.results[0]) in EXACT


def is_sum(op: Op) -> bool:
    """Whether an op adds two different values."""
    return has(op, Trait.ELEMENTWISE) and monoid_of(op) is Monoid.SUM and len({*op.operands}) == 2


def is_zero(op: Op | None, definitions: Mapping[Value, Op]) -> bool:
    """Whether an op's result is +0, repeated."""
    while op is not None and is_broadcast(op):
        op = definitions.get(op.operands[0])
    number = None if op is None else repeated_number(op)
    return number is not None and not any(number.tobytes())


def sort_apart(op: Op, in_order: bool) -> list[Op]:
    """An op, and before it the sort of its indices, if it is a scatter whose kernels would begin with that.

    `in_order` is as in `Kernels`.
    """
    if not is_sorted(op, in_order):
        return [op]
    count, cells = len(op.results), layout_of(op).of_cells
    type = TensorType((prod(cells.updates),), ScalarType("i32"))
    sorted = tuple(Value("", type, op.location) for _ in ("keys", "order"))
    attributes = {"scatter_dimension_numbers": cells.numbers.scatter_attribute, "shape": attribute([*cells.shape])}
    sort = Op(SORTED_CELLS, (op.operands[count],), sorted, attributes, (), op.location)
    return [sort, replace(op, operands=(*op.operands[:count], *sorted, *op.operands[count + 1 :]))]


def sort_within(ops: Sequence[Op]) -> list[Op]:
    """The ops, with each sort that only one of these scatters reads as part of that again; it is left out for a scatter
    whose kernels sort nothing otherwise."""
    reads = Counter(value for op in ops for value in free_values(op))
    sorts = {op.results[0]: op for op in ops if op.name == SORTED_CELLS}
    result = list[Op]()
    for op in ops:
        count = len(op.results)
        sort = sorts.get(op.operands[count]) if is_apart(op) else None
        if sort and (reads[sort.results[0]] == 1 or tables_of(layout_of(op), Body(op.regions[0], {}))):
            reads.subtract(sort.results)
            op = replace(op, operands=(*op.operands[:count], *sort.operands, *op.operands[count + 2 :]))
        result.append(op)
    return [op for op in result if op.name != SORTED_CELLS or any(reads[v] for v in op.results)]


def read_in_order(loop: Op) -> Op:
    """A loop whose scatters read what their updates are gathered from, if each iteration gathers at the same indices.

    The updates, such as one for each edge of a graph, then need no memory. If they are computed from what is gathered,
    they are computed in the order of their cells, as the second operand of places being the first one says.
    """
    condition, body = loop.regions
    if not any(map(is_apart, body.ops)):
        return loop
    _, _, inside = find_invariants(loop)
    definitions, ops = {v: op for op in body.ops for v in op.results}, list[Op]()
    for op in body.ops:
        is_single = is_apart(op) and len(op.results) == 1 and op.operands[1] is not op.operands[2]
        gather = definitions.get(op.operands[-1]) if is_single else None
        if gather is not None and reads_rows(gather, along := layout_of(op).batch):
            (target, keys, order, _), (x, indices) = op.operands, gather.operands
            if inside.isdisjoint((order, indices)) and x is not target:  # which would be copied
                b = Builder(op.location)
                rows, last = b.term(indices), static_shape(x.type)[along[0]] - 1
                rows = rows.reshape((rows.size,))
                rows = stablehlo.minimum(stablehlo.maximum(rows, rows.like(0)), rows.like(last)).to(ScalarType("i32"))
                numbers = selection_numbers(1, 1, 0, 0).gather_attribute
                rows = stablehlo.gather(rows, b.term(order), dimension_numbers=numbers, slice_sizes=(1,))
                ops += b.ops
                op = replace(op, operands=(target, keys, rows.value, x))
        elif is_single and op.operands[2] not in inside:
            moved = SortedUpdates(definitions, inside, op)
            if (updates := moved.value_of(op.operands[-1])) is not None and len(moved.moved) <= MOST_MOVED:
                ops += moved.builder.ops
                op = replace(op, operands=(op.operands[0], *op.operands[1:2] * 2, updates))
        ops.append(op)
    return replace(loop, regions=(condition, replace(body, ops=tuple(ops))))


class SortedUpdates:
    """Computes the updates of a loop's scatter in the order of their cells.

    What is the same in each iteration is brought into this order, once: indices and weights.
    """

    def __init__(self, definitions: Mapping[Value, Op], inside: Container[Value], scatter: Op) -> None:
        self.definitions, self.inside, self.builder = definitions, inside, Builder(scatter.location)
        self.order, layout, self.found = scatter.operands[2], layout_of(scatter), dict[Value, Value | None]()
        self.moved = set[Value]()
        is_single = layout.batch == [0] and Body(scatter.regions[0], {}).monoid is not None
        self.rows = layout.updates[0] if is_single else None

    def value_of(self, value: Value) -> Value | None:
        """A value with its rows in order; None if it changes otherwise than what is gathered."""
        if value not in self.found:
            self.found[value] = self.computed(value)
        return self.found[value]

    def computed(self, value: Value) -> Value | None:
        by, shape = self.definitions.get(value), static_shape(value.type)
        dims = [int(d) for d in plain(by.attributes["broadcast_dimensions"])] if by and is_broadcast(by) else None
        if not shape or (by and has(by, Trait.CONSTANT) and repeated_number(by) is not None):
            return value
        if dims is not None and by and 0 not in dims and shape[0] == self.rows:
            return value
        if shape[0] != self.rows:
            return None
        if value not in self.inside:
            self.moved.add(value)
            numbers = selection_numbers(len(shape), 1, 0, 0).gather_attribute
            places = self.builder.term(self.order)
            rows = self.builder.term(value)
            return stablehlo.gather(rows, places, dimension_numbers=numbers, slice_sizes=(1, *shape[1:])).value
        if by is None or len(by.results) != 1 or by.regions:
            return None
        kept = by.operands[:1] if reads_rows(by, [0]) and by.operands[1] not in self.inside else ()
        if not (kept or has(by, Trait.ELEMENTWISE) or is_reshape(by) or (dims is not None and dims[:1] == [0])):
            return None
        operands = [*kept, *map(self.value_of, by.operands[len(kept) :])]
        if None in operands:
            return None
        result = clone_value(value, value.type)
        self.builder.ops.append(replace(by, operands=tuple(v for v in operands if v), results=(result,)))
        return result


def is_apart(op: Op) -> bool:
    """Whether an op is a scatter whose indices another op sorts."""
    return "scatter_dimension_numbers" in op.attributes and len(op.operands) == 2 * len(op.results) + 2


def reads_rows(op: Op, along: Sequence[int]) -> bool:
    """Whether an op reads at each index all that an operand has at one place along a dimension, the only one given.

    Its result has the operand's dimensions in the same order.
    """
    if not has(op, Trait.SELECTING) or "dimension_numbers" not in op.attributes or len(along) != 1:
        return False
    n, sizes = decode_gather(plain(op.attributes["dimension_numbers"])), plain(op.attributes["slice_sizes"])
    shape, rank = static_shape(op.operands[0].type), len(static_shape(op.results[0].type))
    row = [1 if d in along else size for d, size in enumerate(shape)]
    kept = n.offset == tuple(d for d in range(rank) if d not in along)
    kept &= n.index_map == n.collapsed == tuple(along) and not n.operand_batching
    return kept and [*map(int, sizes)] == row and element_name(op.operands[1]) in ("i32", "i64") and 0 not in shape


def is_sorted(op: Op, in_order: bool) -> bool:
    """Whether kernels sort the indices of an op to combine its updates in order."""
    if "scatter_dimension_numbers" not in op.attributes or len(op.operands) != 2 * len(op.results) + 1:
        return False
    layout, body = layout_of(op), Body(op.regions[0], {})
    if any(is_open(size) or not size for size in (*layout.shape, *layout.updates)) or not layout.has_many_rows:
        return False
    element = element_name(op.regions[0].arguments[0])
    if body.monoid in (Monoid.SUM, Monoid.PRODUCT) and in_order and element[0] not in "iu":
        return False
    return is_associative(body) and (combiner_of(body) is None or layout.has_many_in_rows)


def rows_of_scatter(op: Op, in_order: bool) -> tuple[int, ...] | None:
    """The shape of the updates of a scatter if its kernels may compute them where they fold them."""
    if not (is_apart(op) or is_sorted(op, in_order)) or len(op.results) != 1 or not layout_of(op).has_wide_rows:
        return None
    return static_shape(op.operands[-1].type)


def layout_of(scatter: Op) -> UpdateLayout:
    shapes = static_shape(scatter.results[0].type), static_shape(scatter.operands[-1].type)
    return UpdateLayout(decode_scatter(plain(scatter.attributes["scatter_dimension_numbers"])), *shapes)


class KnownWindow(NamedTuple):
    """Where the only window begins that an update changes, and its shape."""

    start: tuple[int, ...]
    shape: tuple[int, ...]


def place_of_window(op: Op, before: Sequence[Op], inline: Mapping[Value, Op]) -> KnownWindow | None:
    """The place of an update's window, if it is known, and has all dimensions of what it is in.

    Args:
        before: the ops that may compute it.
        inline: constants.
    """
    attribute = op.attributes.get("scatter_dimension_numbers")
    if attribute is None:
        target, update, *indices = op.operands
        along: Sequence[int] = range(len(indices))
    else:
        (target, *indices, update), n = op.operands[:3], decode_scatter(plain(attribute))
        along = n.index_map
        if len(op.results) > 1 or n.index_vector or len(static_shape(indices[0].type)) != 1:
            return None
    numbers = known_numbers([*inline.values(), *before])
    whole, shape = (static_shape(v.type) for v in (target, update))
    if not numbers.keys() >= {*indices} or len(whole) != len(shape) or any(map(is_open, (*whole, *shape))):
        return None
    start = dict(zip(along, (int(i) for v in indices for i in numbers[v].flat)))
    starts = tuple(start.get(d, 0) for d in range(len(shape)))
    inside = all(0 <= i <= size - length for i, size, length in zip(starts, whole, shape))
    return KnownWindow(starts, shape) if inside else None


def known_numbers(ops: Sequence[Op]) -> dict[Value, np.ndarray]:
    """The integers, a few each, that are known, or made of such by ops that only move them."""
    found = dict[Value, np.ndarray]()
    for op in ops:
        schema, number = schema_of(op.name), None
        if has(op, Trait.CONSTANT) and isinstance(value := op.attributes.get("value"), DenseAttr):
            shape = static_shape(value.type)
            number = None if any(map(is_open, shape)) else np.broadcast_to(value.data, shape)
        elif has(op, Trait.MOVEMENT) and op.operands and schema and schema.fold and found.keys() >= {*op.operands}:
            number = schema.fold(op, [found[v] for v in op.operands])
        if number is not None and number.size <= MOST_KNOWN and number.dtype.kind in "iu":
            found[op.results[0]] = number
    return found


def is_slice_at(op: Op, window: KnownWindow) -> bool:
    """Whether an op reads the elements of a window."""
    starts, strides = (plain(op.attributes.get(name)) for name in ("start_indices", "strides"))
    if starts is None or strides is None or static_shape(op.results[0].type) != window.shape:
        return False
    return tuple(map(int, starts)) == window.start and all(n == 1 for n in strides)
