"""Sorting by a comparator."""

from __future__ import annotations

from math import prod

from ..tinygrad.expressions import Tensor, dtypes
from ..tinygrad.loops import Memory, Scalar, address
from .elementwise import is_float, total_order
from .loops import read_at, sorted_order
from .registry import Body, rule
from .values import AnyTensor, each, repeated


@rule("stablehlo.sort", regions=("comparator",), ignored=("is_stable",), storage=True)
def sort(*xs: AnyTensor, dimension: int, comparator: Body) -> list[AnyTensor]:
    shape = [int(s) for s in xs[0].shape]
    if any(tuple(x.shape) != tuple(shape) for x in xs):
        raise ValueError("has operands of different shapes (C3)")
    axis = dimension % len(shape)
    if 0 in shape:
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

    def place(at: list[Scalar], indices: Memory) -> list[Scalar]:
        return [at[0], indices[address(shape, at)].load().cast(dtypes.weakint)]

    return read_at(rows, shape, [order], place, "permute")


@rule("chlo.top_k", ignored=("is_stable",))
def top_k(x: Tensor, *, k: int) -> list[Tensor]:
    """The k largest elements along the last axis and their places. NaN is the largest; the order is always stable."""
    shape = [int(s) for s in x.shape]
    if not 0 <= k <= shape[-1]:
        raise ValueError(f"has k = {k}, but its operand has {shape[-1]} elements along the last dimension (C2)")
    rows = x.reshape(prod(shape[:-1]), shape[-1])
    order = largest_places(total_order(rows) if is_float(rows) else rows, k)
    values = permuted(rows, order)
    return [values.reshape(*shape[:-1], k), order.reshape(*shape[:-1], k)]


BLOCK = 8


def largest_places(keys: Tensor, k: int) -> Tensor:
    """The places of the k largest integers of each row, from the largest; of equal integers, the first comes first.

    They lie in the k blocks with the largest maxima, so a row is read once and only O(k) elements are sorted.
    """
    rows, n = (int(s) for s in keys.shape)
    if 0 in (rows, k):
        return repeated(0, (rows, k), dtypes.int32)
    if n <= 2 * BLOCK * k:
        return sorted_order([keys], lambda a, b: [b < a])[:, :k]
    whole = keys.pad((None, (0, -n % BLOCK)), value=keys.dtype.min)
    blocks = largest_places(whole.reshape(rows, -1, BLOCK).max(-1), k)
    places = (blocks.reshape(rows, k, 1) * BLOCK + Tensor.arange(BLOCK, dtype=dtypes.int32)).reshape(rows, k * BLOCK)
    order = sorted_order([permuted(whole, places), places], lambda a, b, i, j: [(b < a) | ((a == b) & (i < j))])[:, :k]
    return permuted(places, order)
