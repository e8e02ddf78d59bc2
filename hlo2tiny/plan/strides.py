"""The strides of views and of what products read, for dimensions that one buffer has and another is asked about."""

from __future__ import annotations

from collections.abc import Sequence
from math import prod

from ..ir import Op
from ..ir.dimensions import dot_numbers
from ..ir.sizes import typical
from .gemm import View, merged_stride
from .heads import Strides


def refine(shape: tuple[int, ...], dimension: int, x: View) -> tuple[tuple[int, ...], int]:
    """A shape and one of its dimensions, with the others split as those of a view of the whole are."""
    sizes = [size for size, stride in sorted(zip(x.shape, x.strides), key=lambda each: -typical(each[1])) if size != 1]
    groups = list[list[int]]()
    for size in shape:
        groups.append([])
        while sizes and prod(groups[-1]) != size:
            groups[-1].append(sizes.pop(0))
        if prod(groups[-1]) != size:
            return shape, dimension
    groups = [group or [1] for group in groups]
    split = tuple(size for group in groups for size in group)
    return (split, sum(map(len, groups[:dimension]))) if len(groups[dimension]) == 1 else (shape, dimension)


def operand_strides(dot: Op, views: Sequence[View]) -> tuple[Strides, Strides]:
    """The strides of both operands along the dimensions of a product's result."""
    numbers, (left, right) = dot_numbers(dot), views
    rows, columns = numbers.lhs_free(len(left.shape)), numbers.rhs_free(len(right.shape))
    batches = (numbers.lhs_batching, numbers.rhs_batching)
    a, b = (tuple(x.strides[d] for d in batch) for x, batch in zip(views, batches))
    a_rows, b_columns = tuple(left.strides[d] for d in rows), tuple(right.strides[d] for d in columns)
    return (*a, *a_rows, *(0 for _ in columns)), (*b, *(0 for _ in rows), *b_columns)


def find_contraction(dot: Op, views: Sequence[View]) -> tuple[int, int, int] | None:
    """How many numbers a product adds for each result, and their strides in both operands."""
    numbers, (left, right) = dot_numbers(dot), views
    pairs = sorted(zip(numbers.lhs_contracting, numbers.rhs_contracting), key=lambda pair: -left.strides[pair[0]])
    a = merged_stride([(left.shape[d], left.strides[d]) for d, _ in pairs])
    b = merged_stride([(right.shape[d], right.strides[d]) for _, d in pairs])
    return None if a is None or b is None else (prod(left.shape[d] for d, _ in pairs), a, b)


def along(
    shape: Sequence[int], strides: Sequence[int], sizes: Sequence[int], steps: Sequence[int], to: Sequence[int]
) -> Strides | None:
    """The strides of some dimensions in one buffer, given those in another.

    Args:
        shape: the sizes of the dimensions.
        strides: their strides in the other buffer.
        sizes: the sizes of dimensions that describe both buffers.
        steps: their strides in the other buffer.
        to: their strides in the buffer that is asked for.

    Returns:
        None if a dimension is not in one of those that describe both buffers.
    """
    found = []
    for size, stride in zip(shape, strides):
        if size == 1 or stride == 0:
            found.append(0)
            continue
        for other, step, target in zip(sizes, steps, to):
            if other != 1 and step and stride % step == 0 and (size - 1) * (stride // step) < other:
                found.append(stride // step * target)
                break
        else:
            return None
    return tuple(found)
