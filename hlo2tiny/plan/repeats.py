"""Splits the batch dimensions of dots along which an operand repeats what it reads.

Several heads of queries read the same keys and values, which many programs repeat first. Strides express the repetition
once it has a dimension of its own, so nothing is copied.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from ..ir import Op, Value
from ..ir.dimensions import DotNumbers, dot_numbers
from ..ir.dtypes import expect_tensor, static_shape
from ..ir.rewrite import with_element, with_shape
from ..ops.attributes import plain
from ..ops.build import stablehlo
from .gemm import is_broadcast, is_conversion, is_product, is_reshape, order_of, transpose


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


def reshape(value: Value, shape: tuple[int, ...], op: Op) -> Op:
    return stablehlo.reshape.op([value], [with_shape(value, shape)], op.location)
