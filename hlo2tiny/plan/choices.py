"""Reductions that choose where the largest or smallest number is, as those of integers that hold numbers and places.

Threads share these, and compute the numbers where they compare them, as they do for any maximum.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from ..ir import DenseAttr, Op, Region, ScalarType, TensorType, Value
from ..ir.rewrite import free_values
from ..ops import has, monoid_of, schema_of
from ..ops.attributes import plain
from ..ops.build import I32, I64, Builder, Term, stablehlo
from ..ops.definition import Definition
from ..ops.traits import Monoid, Trait
from ..rules.elementwise import select
from ..rules.registry import RULES

FLOATS, INTEGERS = ("f32", "bf16", "f16"), ("i8", "i16", "i32", "ui8", "ui16", "ui32")
# Ops whose results depend on nothing but the order of what they compare, beside choices and comparisons.
ORDERED = (Monoid.ANY, Monoid.ALL, Monoid.MAXIMUM, Monoid.MINIMUM)
LOW, LAST = (1 << 32) - 1, (1 << 31) - 1


def hold_places(ops: Sequence[Op]) -> list[Op]:
    """Ops without reductions of numbers and their places of which only the place is read."""
    definitions = {v: op for op in ops for v in op.results}
    read = {value for op in ops for value in free_values(op)}
    return [part for op in ops for part in (hold_place(op, definitions, read) or (op,))]


def hold_place(op: Op, definitions: dict[Value, Op], read: set[Value]) -> tuple[Op, ...]:
    """The ops that replace one; none if they are not better."""
    if len(op.results) != 2 or len(op.operands) != 4 or len(op.regions) != 1 or "dimensions" not in op.attributes:
        return ()
    numbers, places, first, begin = op.operands
    dimensions = [int(d) for d in plain(op.attributes["dimensions"])]
    known = [definitions.get(value) for value in (places, begin)]
    if op.results[0] in read or len(dimensions) != 1 or not counts_along(known[0], dimensions[0], definitions):
        return ()
    value = None if known[1] is None else known[1].attributes.get("value")
    if not isinstance(value, DenseAttr) or np.any(value.data != 0):
        return ()
    how = choice_of(op.regions[0])
    b = Builder(op.location)
    x, start, result = map(b.term, (numbers, first, op.results[1]))
    if how is None or x.shape[dimensions[0]] > LAST:
        return ()
    is_largest, is_first = how

    def key(x: Term, place: Term) -> Term:
        low = b.fill(LOW, place.type) - place if is_first else place
        high = stablehlo.shift_left(ranks(b, x, is_largest), b.fill(32, place.type))
        return stablehlo.or_(high, low)

    keys = key(x, b.iota(x.shape, dimensions[0], I64)).reduce(stablehlo.maximum, dimensions, np.iinfo(np.int64).min)
    own = key(start, b.fill(0, TensorType((), I64)))
    low = stablehlo.maximum(keys, own.broadcast(keys.shape, [])) & b.fill(LOW, keys.type)
    stablehlo.convert(b.fill(LOW, low.type) - low if is_first else low, type=result.type)
    return b.ops_for(replace(op, results=op.results[1:]))


def ranks(b: Builder, x: Term, is_largest: bool) -> Term:
    """Integers of 32 bits, as i64, the largest for the number that is chosen. NaN comes first, and zeros are equal."""
    assert isinstance(x.element, ScalarType)
    if x.element.name in INTEGERS:
        number = x.to(I64) - (1 << 31 if x.element.name == "ui32" else 0)
        return number if is_largest else b.fill(-1, number.type) - number
    wide = x.to(ScalarType("f32"))
    bits = stablehlo.bitcast_convert(wide, type=TensorType(x.shape, I32))
    bits = wide.compare("EQ", 0).where(bits.like(0), bits)
    bits = bits.compare("LT", 0).where(stablehlo.xor(bits, bits.like(LAST)), bits)
    bits = bits if is_largest else stablehlo.not_(bits)
    return wide.compare("NE", wide).where(bits.like(LAST), bits).to(I64)


def counts_along(op: Op | None, dimension: int, definitions: dict[Value, Op]) -> bool:
    """Whether each element of an op's result is its own place along a dimension."""
    while op is not None and "iota_dimension" not in op.attributes:
        along = op.attributes.get("broadcast_dimensions")
        if along is None or len(op.operands) != 1:
            return False
        before = [int(d) for d in plain(along)]
        if dimension not in before:
            return False
        source, result = (b.type for b in (op.operands[0], op.results[0]))
        assert isinstance(source, TensorType) and isinstance(result, TensorType)
        if source.shape[before.index(dimension)] != result.shape[dimension]:
            return False
        dimension, op = before.index(dimension), definitions.get(op.operands[0])
    return op is not None and not op.operands and int(plain(op.attributes["iota_dimension"])) == dimension


def choice_of(region: Region) -> tuple[bool, bool] | None:
    """Whether a region chooses the larger one of two numbers, and the first of equal ones; None if it does neither.

    It only compares and chooses, so that it is known for all numbers if it is known for each order of two.
    """
    x, i, y, j = region.arguments
    type = x.type.element if isinstance(x.type, TensorType) else None
    if not isinstance(type, ScalarType) or type.name not in (*FLOATS, *INTEGERS):
        return None
    some = np.array([-1.0, -0.0, 0.0, 1.0, np.nan], np.float32) if type.name in FLOATS else np.array([0, 1])
    left, right = (part.reshape(-1) for part in np.meshgrid(some, some))
    place = np.zeros(left.size, np.int64)
    found = chosen(region, {x: left, y: right, i: place, j: place + 1})
    if found is None:
        return None
    none, nones = left != left, right != right
    for is_largest, is_first in ((True, True), (True, False), (False, True), (False, False)):
        better = (left > right) if is_largest else (left < right)
        equal = (left == right) | (none & nones)
        is_left = better | (none & ~nones) | (equal & is_first)
        wanted = np.where(is_left, left, right), np.where(is_left, place, place + 1)
        if all(np.array_equal(a, b, equal_nan=True) for a, b in zip(found, wanted)):
            return is_largest, is_first
    return None


def chosen(region: Region, values: dict[Value, np.ndarray]) -> list[np.ndarray] | None:
    """What a region returns for such values; None if it does anything but compare and choose."""
    for op in region.ops:
        if not values.keys() >= set(op.operands):
            return None
        given = [values[v] for v in op.operands]
        if has(op, Trait.TERMINATOR):
            return given
        schema, rule = schema_of(op.name), RULES.get(op.name)
        compares = "comparison_direction" in op.attributes and "TOTAL" not in str(op.attributes.get("compare_type"))
        negates = len(op.operands) == 1 and given[0].dtype == bool
        if rule is not None and rule.function is select:
            result: np.ndarray | None = np.where(given[0], given[1], given[2])
        elif isinstance(schema, Definition) and schema.fold and (compares or monoid_of(op) in ORDERED or negates):
            result = schema.fold(op, given)
        else:
            return None
        if result is None:
            return None
        values[op.results[0]] = result
    return None
