"""Where updates change an array, if that is known, and sums of arrays into which updates were scattered.

In such sums all updates are added to one array. The gradient of several lookups in a table is one: of the corners of
bilinear samples, or of embeddings. Each lookup would fill an array as large as the table with zeros, and add it to the
others.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import NamedTuple

import numpy as np

from ..ir import DenseAttr, Op, Value
from ..ir.dimensions import decode_scatter
from ..ir.dtypes import static_shape
from ..ir.rewrite import free_values
from ..ir.sizes import is_open
from ..ops import Monoid, Trait, has, monoid_of, schema_of
from ..ops.attributes import plain
from .gemm import element_name, is_broadcast
from .loops import repeated_number

# The most integers that are looked at.
MOST_KNOWN = 8
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
    if not has(op, Trait.UPDATING) or len(op.results) != 1 or len(op.regions) != 1 or len(op.operands) != 3:
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
