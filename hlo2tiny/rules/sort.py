"""Sorting by a comparator."""

from __future__ import annotations

from typing import Any

from tinygrad import Tensor, dtypes
from tinygrad.uop.ops import UOp

from .elementwise import is_float, total_order
from .loops import address, read_at, sorted_order
from .registry import rule
from .values import each


@rule("stablehlo.sort", regions=("comparator",), storage=True)
def sort(*xs: Any, dimension: int = -1, is_stable: bool = False, comparator: Any) -> Any:
    shape = [int(s) for s in xs[0].shape]
    axis = dimension % len(shape) if shape else 0
    if any(tuple(x.shape) != tuple(shape) for x in xs):
        raise ValueError("has operands of different shapes (C1)")
    if 0 in shape or not shape:
        return list(xs)
    others = [d for d in range(len(shape)) if d != axis]
    rows = [each(x, lambda t: t.permute(*others, axis).reshape(-1, shape[axis])) for x in xs]
    order = sorted_order(rows, comparator)
    back = [shape[d] for d in others] + [shape[axis]]
    inverse = [*range(axis), len(shape) - 1, *range(axis, len(shape) - 1)]
    return [each(row, lambda t: permuted(t, order).reshape(back).permute(inverse)) for row in rows]


def permuted(rows: Tensor, order: Tensor) -> Tensor:
    """rows[i, order[i, k]]."""
    shape = [int(s) for s in order.shape]

    def place(at: list[UOp], indices: UOp) -> list[UOp]:
        return [at[0], indices[address(shape, at)].load().cast(dtypes.weakint)]

    return read_at(rows, shape, [order], place, "permute")


@rule("chlo.top_k")
def top_k(x: Tensor, *, k: int, out: Any) -> Any:
    """The k largest along the last axis, equal values in their order; NaN is the largest, as XLA has it."""
    shape = [int(s) for s in x.shape]
    rows = x.reshape(-1, shape[-1])
    key = total_order(rows) if is_float(rows) else rows
    order = sorted_order([key], lambda a, b: [b < a])[:, :k]
    values = permuted(rows, order)
    return [values.reshape(*shape[:-1], k), order.reshape(*shape[:-1], k)]
