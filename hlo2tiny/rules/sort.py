"""Sorting by a comparator."""

from __future__ import annotations

from collections.abc import Sequence
from math import prod

from ..ir.sizes import typical
from ..ops import Monoid
from ..tinygrad.expressions import Tensor, dtypes
from ..tinygrad.loops import Loops, Memory, Scalar, call_with_addresses, is_static
from .comparator import Ranks, ranks_of, ranks_of_integers
from .digits import MERGED, MOST_SMALLEST, functions_of_digits, smallest_indices, sort_by_digits
from .elementwise import is_float, total_order
from .loops import Combine, kernel
from .merging import is_total, merged_order
from .reduction import in_parts
from .registry import Body, Lowering, rule
from .sorting import order_of_parts, permute_rows, sorted_order
from .values import AnyTensor, T, each, repeat_number


@rule("stablehlo.sort", regions=("comparator",), ignored=("is_stable",), storage=True)
def sort(*xs: AnyTensor, dimension: int, comparator: Body, lowering: Lowering) -> list[AnyTensor]:
    shape = [*xs[0].shape]
    axis = dimension % len(shape)
    if 0 in shape or shape[axis] == 1:
        return list(xs)
    order = sorted_indices([rows_along(x, axis) for x in xs], comparator, lowering)
    return [take_along(x, axis, order) for x in xs]


def rows_along(x: T, axis: int) -> T:
    """The elements along an axis as rows of a matrix."""
    others = [d for d in range(len(x.shape)) if d != axis]
    rows = prod(x.shape[d] for d in others)
    return each(x, lambda t: t.permute(*others, axis).reshape(rows, x.shape[axis]))


def take_along(x: T, axis: int, order: Tensor) -> T:
    """The elements at some indices along an axis; `order` has a row of indices for each row of x."""
    rank: int = len(x.shape)
    shape = [*(s for d, s in enumerate(x.shape) if d != axis), order.shape[1]]
    inverse = [*range(axis), rank - 1, *range(axis, rank - 1)]
    return each(rows_along(x, axis), lambda t: permute_rows(t, order).reshape(shape).permute(inverse))


# Rows of at most this many elements are sorted by one thread each.
FEW = 4


def sorted_indices(keys: Sequence[AnyTensor], comparator: Combine, lowering: Lowering) -> Tensor:
    """The stable sorting permutation of each row, in the way that suits the device; see `sorted_order`."""
    ranks = ranks_of(keys, comparator)
    many = lowering.parallel and keys[0].shape[1] > FEW
    merges_keys = many and is_wide(ranks, lowering) and is_total(comparator)
    if ranks and (not merges_keys or functions_of_digits(ranks, lowering)):
        return indices_of_ranks(ranks, lowering)
    return (
        merged_order(keys, comparator, lowering)[0] if many and is_total(comparator) else sorted_order(keys, comparator)
    )


def indices_of_ranks(ranks: Sequence[Ranks], lowering: Lowering) -> Tensor:
    """The stable sorting permutation of rows of ranks."""
    numbers = [part.numbers for part in ranks]
    if functions := functions_of_digits(ranks, lowering):
        return sort_by_digits(ranks, functions)[0]
    if lowering.parallel and numbers[0].shape[1] > FEW:
        return merged_order(numbers, lexicographic if is_wide(ranks, lowering) else None, lowering)[0]
    if not lowering.native:
        return sorted_order(numbers, lexicographic)
    return order_of_parts(numbers, [part.bits for part in ranks])


def is_wide(ranks: Sequence[Ranks], lowering: Lowering) -> bool:
    """Whether parallel kernels cannot pack each rank with its index into one number."""
    return len(ranks) > 1 or not lowering.int64


def lexicographic(*parts: Tensor) -> list[Tensor]:
    """Whether the first of each two numbers are less."""
    *rest, a, b = parts
    less = a < b
    for x, y in zip(rest[-2::-2], rest[-1::-2]):
        less = (x < y) | (x.eq(y) & less)
    return [less]


@rule("chlo.top_k", ignored=("is_stable",))
def top_k(x: Tensor, *, k: int, lowering: Lowering) -> list[Tensor]:
    """The k largest elements along the last axis and their indices. NaN is the largest; the order is always stable."""
    shape = [*x.shape]
    if shape[-1] == k == 1:
        return [x, repeat_number(0, shape, dtypes.int32)]
    rows = x.reshape(prod(shape[:-1]), shape[-1])
    called = lowering.function("largest", rows.dtype, False)
    if called and k > 0 and 0 not in shape and FEW_OF * k <= typical(shape[-1]) and is_static(shape[-1:]):
        order = indices_from(called, rows, k)
    else:
        order = largest_indices(total_order(rows) if is_float(rows) else rows, k, lowering)
    values = permute_rows(rows, order)
    return [values.reshape(*shape[:-1], k), order.reshape(*shape[:-1], k)]


# A target's function finds the largest numbers if they are few among many; otherwise sorting all takes less time.
FEW_OF = 16


def indices_from(function: str, rows: Tensor, k: int) -> Tensor:
    """`largest_indices` of the total order of numbers of 32 bits, by a function of the target."""
    count, n = rows.shape
    loops = Loops()

    def build(order: Memory, held: Memory, numbers: Memory) -> Scalar:
        row = loops.range(count, independent=True)
        indices = [held.after(row)[row * k], numbers.after(row)[row * n]]
        first = call_with_addresses(function, dtypes.int64, indices, n, k)
        held = held.after(held.after(row)[row * k].store(first))
        i = loops.range(k)
        index = MASK - (held.after(i)[row * k + i].load() & MASK)
        return order.after(row)[row * k + i].store(index.cast(dtypes.int32)).end(i).end(row)

    return kernel("largest", [((count, k), dtypes.int32), ((count, k), dtypes.int64)], [rows], build)[0]


# The bits that hold a number's index.
MASK = 0x7FFFFFFF


def largest_indices(keys: Tensor, k: int, lowering: Lowering) -> Tensor:
    """The indices of the k largest integers of each row, from the largest; of equal integers, the first comes first.

    They lie in the k blocks with the largest maxima, so a row is read once and only O(k) elements are sorted.
    """
    rows, n = keys.shape
    block = 32 if lowering.parallel else 8
    if 0 in (rows, k):
        return repeat_number(0, (rows, k), dtypes.int32)
    if k == 1 and lowering.parallel and keys.dtype.itemsize <= 4:
        return index_of_largest(keys)
    functions = lowering.function("sort", dtypes.int32, False)
    # Where blocks leave nothing out, one that sorts a row by its indices alone is faster.
    few = min(2 * block * k, MERGED) if is_static([n]) else 0
    if functions and k <= MOST_SMALLEST and keys.dtype.itemsize <= 4 and is_static(keys.shape) and n > max(FEW, few):
        return smallest_indices(ranks_of_integers(keys, descending=True)[0].numbers, k, functions)
    if not is_static([n]) or n <= 2 * block * k:
        return largest_indices_of_few(keys, k, lowering)
    whole = keys.pad((None, (0, -n % block)), value=keys.dtype.min)
    blocks = largest_indices(whole.reshape(rows, -(-n // block), block).max(-1), k, lowering)
    # In the order of their indices, so that a stable sort puts the first of equal elements first.
    blocks = permute_rows(blocks, indices_of_ranks(ranks_of_integers(blocks, descending=False), lowering))
    indices = (blocks.reshape(rows, k, 1) * block + Tensor.arange(block, dtype=dtypes.int32)).reshape(rows, k * block)
    return permute_rows(indices, largest_indices_of_few(permute_rows(whole, indices), k, lowering))


def index_of_largest(keys: Tensor) -> Tensor:
    """`largest_indices` for k = 1: the largest of what has a key in its high bits, and how early it is in the low."""
    rows, n = (int(s) for s in keys.shape)
    high = keys.cast(dtypes.int64) - (1 << 31 if keys.dtype == dtypes.uint32 else 0)
    both = high * (MASK + 1) * 2 + (MASK - Tensor.arange(n, dtype=dtypes.int64))
    left, axes = in_parts(both, (1,), lambda x, axes: x.max(axes), Monoid.MAXIMUM)
    return (MASK - (left.max(axes) & MASK)).cast(dtypes.int32).reshape(rows, 1)


def largest_indices_of_few(keys: Tensor, k: int, lowering: Lowering) -> Tensor:
    order = indices_of_ranks(ranks_of_integers(keys, descending=True), lowering)
    return order.shrink(((0, order.shape[0]), (0, k)))
