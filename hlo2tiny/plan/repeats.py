"""Dots along whose batch dimensions an operand repeats what it reads.

Several heads of queries read the same keys and values, which many programs repeat first. Strides express the repetition
once it has a dimension of its own, so nothing is copied. Where both operands repeat, one product is enough, and where
only one does, the other's matrices may be the rows of one.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from math import gcd, prod
from typing import Any

from ..ir import Op, Value
from ..ir.dimensions import DotNumbers, dot_numbers, static
from ..ir.dtypes import expect_tensor, static_shape
from ..ir.rewrite import with_element, with_shape
from ..ir.sizes import is_open
from ..ops import Trait, has
from ..ops.attributes import plain
from ..ops.build import stablehlo
from .gemm import (
    is_broadcast,
    is_conversion,
    is_product,
    is_reshape,
    merged_stride,
    order_of,
    transpose,
    view,
)


def split_repeats(ops: Sequence[Op], invariant: bool) -> list[Op]:
    """The ops of a block with such dimensions split."""
    result: list[Op] = []
    definitions: dict[Value, Op] = {}
    for op in ops:
        for part in split_repeat(op, definitions) if is_product(op, invariant) else (op,):
            result.append(part)
            definitions.update((v, part) for v in part.results)
    return result


def split_repeat(dot: Op, definitions: Mapping[Value, Op]) -> tuple[Op, ...]:
    numbers = dot_numbers(dot)
    batching = numbers.lhs_batching, numbers.rhs_batching
    for side, value in enumerate(dot.operands):
        moves: list[Op] = []
        while (before := definitions.get(value)) is not None and (
            is_conversion(before) or order_of(before) is not None
        ):
            moves, value = [before, *moves], before.operands[0]
        at = repeated_dimension(before, definitions) if before is not None and is_reshape(before) else None
        if before is None or at is None:
            continue
        (moved,), parts = before.operands, list[Op]()
        sizes = static_shape(moved.type)[at : at + 2]
        for move in moves:
            order = order_of(move)
            if order is None:
                element = expect_tensor(move.results[0].type).element
                result = with_element(moved, element)
                parts.append(Op(move.name, (moved,), (result,), move.attributes, (), move.location))
            else:
                parts.append(transpose(moved, split(order, at), move))
                at = order.index(at)
            (moved,) = parts[-1].results
        if at not in batching[side]:
            continue
        number, other = batching[side].index(at), dot.operands[1 - side]
        there = batching[1 - side][number]
        shape, operands = static_shape(other.type), [moved, moved]
        parts.append(reshape(other, (*shape[:there], *sizes, *shape[there + 1 :]), dot))
        operands[1 - side] = parts[-1].results[0]
        left, right = (at, there) if side == 0 else (there, at)
        lists = ((numbers.lhs_batching, left), (numbers.rhs_batching, right), (numbers.lhs_contracting, left),
                 (numbers.rhs_contracting, right))  # fmt: skip
        changed = DotNumbers(*(split(dimensions, d) for dimensions, d in lists)).attribute
        attributes: dict[str, Any] = {**dot.attributes, "dot_dimension_numbers": changed}
        (old,) = dot.results
        whole = static_shape(old.type)
        new = with_shape(old, (*whole[:number], *sizes, *whole[number + 1 :]))
        parts.append(stablehlo.dot_general.op(operands, [new], dot.location, **attributes))
        return (*parts, stablehlo.reshape.op(parts[-1].results, [old], dot.location))
    return (dot,)


def split(dimensions: Iterable[int], at: int) -> tuple[int, ...]:
    """The dimensions of a tensor after one of them has become two."""
    return tuple(n for d in dimensions for n in ((d, d + 1) if d == at else (d + (d > at),)))


def repeated_dimension(reshape: Op, definitions: Mapping[Value, Op]) -> int | None:
    """The dimension that a reshape makes of two, of which the second one repeats elements."""
    repeat = definitions.get(reshape.operands[0])
    if repeat is None or not is_broadcast(repeat):
        return None
    whole, merged = static_shape(repeat.results[0].type), static_shape(reshape.results[0].type)
    at = next((d for d, (a, b) in enumerate(zip(whole, merged)) if a != b), None)
    if at is None or at + 1 == len(whole) or (*whole[:at], whole[at] * whole[at + 1], *whole[at + 2 :]) != merged:
        return None
    sizes = dict(zip(map(int, plain(repeat.attributes["broadcast_dimensions"])), static_shape(repeat.operands[0].type)))
    return at if sizes.get(at + 1, 1) < whole[at + 1] else None


def multiply_once(ops: Sequence[Op]) -> list[Op]:
    """The ops of a block, whose dots repeat no matrices along a batch if that takes no more copies."""
    block = Repeats()
    for op in ops:
        block.add(op)
    return block.ops


class Repeats:
    """The ops of a block, and which elements their results repeat."""

    def __init__(self) -> None:
        self.ops: list[Op] = []
        self.definitions: dict[Value, Op] = {}

    def append(self, op: Op) -> None:
        self.ops.append(op)
        self.definitions.update((v, op) for v in op.results)

    def compute(self, op: Op) -> Value:
        self.append(op)
        return op.results[0]

    def add(self, op: Op) -> None:
        if is_product(op) and not any(is_open(size) for v in op.operands for size in static_shape(v.type)):
            for number in range(len(dot_numbers(op).lhs_batching)):
                op = self.share_products(op, number)
            for number in range(len(dot_numbers(op).lhs_batching)):
                op = self.join_rows(op, number)
        self.append(op)

    def count(self, value: Value, d: int) -> int:
        """How many elements that follow each other along a dimension are the same, as far as ops say that."""
        op, shape = self.definitions.get(value), static_shape(value.type)
        if op is None:
            return 1
        if is_broadcast(op):
            at = self.dimension_before(op, d)
            return shape[d] if at is None else self.count(op.operands[0], at)
        if is_conversion(op):
            return self.count(op.operands[0], d)
        if (order := order_of(op)) is not None:
            return self.count(op.operands[0], order[d])
        count, sizes = 1, static_shape(op.operands[0].type)
        for part in reversed(merged_dimensions(sizes, shape, d)) if is_reshape(op) else ():
            count *= (same := self.count(op.operands[0], part))
            if same != sizes[part]:
                break
        return count

    def dimension_before(self, op: Op, d: int) -> int | None:
        """The dimension of what is broadcast that a dimension of the result is; None of one that repeats elements."""
        dimensions = [int(n) for n in plain(op.attributes["broadcast_dimensions"])]
        sizes = static_shape(op.operands[0].type)
        whole = static_shape(op.results[0].type)[d]
        return next((at for at, n in enumerate(dimensions) if n == d and sizes[at] == whole), None)

    def take_one(self, value: Value, d: int, count: int) -> Value:
        """A value without all but one of so many equal elements that follow each other along a dimension."""
        if count == 1:
            return value
        op, shape = self.definitions[value], static_shape(value.type)
        (moved,), less = op.operands, (*shape[:d], shape[d] // count, *shape[d + 1 :])
        if is_broadcast(op):
            at = self.dimension_before(op, d)
            moved = moved if at is None else self.take_one(moved, at, count)
        elif is_reshape(op):
            sizes = static_shape(moved.type)
            for part in reversed(merged_dimensions(sizes, shape, d)):
                same = gcd(sizes[part], count)
                moved, count = self.take_one(moved, part, same), count // same
        else:
            order = order_of(op)
            moved = self.take_one(moved, d if order is None else order[d], count)
        return self.compute(Op(op.name, (moved,), (with_shape(value, less),), op.attributes, (), op.location))

    def share_products(self, dot: Op, number: int) -> Op:
        """A dot as what repeats the products of what both operands repeat along a dimension of the batch."""
        if not has(dot, Trait.DOT):
            return dot
        numbers = dot_numbers(dot)
        places = numbers.lhs_batching[number], numbers.rhs_batching[number]
        count = gcd(*map(self.count, dot.operands, places))
        if count == 1:
            return dot
        operands = [self.take_one(v, d, count) for v, d in zip(dot.operands, places)]
        (old,) = dot.results
        shape = static_shape(old.type)
        before, after = shape[:number], shape[number + 1 :]
        less = with_shape(old, (*before, shape[number] // count, *after))
        product = Op(dot.name, tuple(operands), (less,), dot.attributes, (), dot.location)
        self.add(product)
        dimensions = [n + (n > number) for n in range(len(shape))]
        split = with_shape(old, (*before, shape[number] // count, count, *after))
        repeated = stablehlo.broadcast_in_dim.op([less], [split], dot.location, broadcast_dimensions=dimensions)
        return stablehlo.reshape.op([self.compute(repeated)], [old], dot.location)

    def join_rows(self, dot: Op, number: int) -> Op:
        """A dot whose second operand repeats matrices along a dimension of the batch as one of fewer, with more rows.

        The first operand's rows have to follow each other in memory, as those of the result do then.
        """
        if not has(dot, Trait.DOT):
            return dot
        numbers, (a, b) = dot_numbers(dot), dot.operands
        left, right = numbers.lhs_batching[number], numbers.rhs_batching[number]
        count = self.count(b, right)
        rows = numbers.lhs_free(len(static_shape(a.type)))
        seen = view(a, self.definitions, is_conversion)
        joined = [(count, seen.strides[left]), *((seen.shape[d], seen.strides[d]) for d in rows)]
        if count == 1 or merged_stride(joined) is None:
            return dot
        shape, whole = static_shape(a.type), static_shape(dot.results[0].type)
        parts = shape[left] // count, count
        split_a = (*shape[:left], *parts, *shape[left + 1 :])
        is_first = all(d > left or shape[d] == 1 for d in rows)
        if not is_first or prod(whole[number + 1 : len(numbers.lhs_batching)]) != 1:
            return dot
        operands = self.compute(reshape(a, split_a, dot)), self.take_one(b, right, count)
        moved = (tuple(d + (d > left) for d in dims) for dims in (numbers.lhs_batching, numbers.lhs_contracting))
        lhs_batching, lhs_contracting = moved
        changed = DotNumbers(lhs_batching, numbers.rhs_batching, lhs_contracting, numbers.rhs_contracting)
        attributes: dict[str, Any] = {**dot.attributes, "dot_dimension_numbers": changed.attribute}
        sizes = changed.result_shape(split_a, static_shape(operands[1].type))
        result = with_shape(dot.results[0], static(sizes))
        self.append(stablehlo.dot_general.op(operands, [result], dot.location, **attributes))
        return stablehlo.reshape.op([result], dot.results, dot.location)


def merged_dimensions(sizes: Sequence[int], shape: Sequence[int], d: int) -> range:
    """The dimensions that a reshape from some sizes merges into one; none if it does something else."""
    begins = [prod(sizes[:n]) for n in range(len(sizes) + 1)]
    first, last = prod(shape[:d]), prod(shape[: d + 1])
    return range(begins.index(first), begins.index(last)) if first in begins and last in begins else range(0)


def reshape(value: Value, shape: tuple[int, ...], op: Op) -> Op:
    return stablehlo.reshape.op([value], [with_shape(value, shape)], op.location)
