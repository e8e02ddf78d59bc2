"""Ops that create or move data without arithmetic, most of them in storage form."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import accumulate
from math import prod
from typing import Any

import numpy as np

from ..ir import ComplexType, TensorType
from ..ir.dtypes import static_shape
from ..ir.sizes import typical
from ..tinygrad.dtypes import compute_dtype, storage_dtype
from ..tinygrad.expressions import Tensor, dtypes, is_constant, is_costly, is_long
from ..tinygrad.loops import is_static, most_elements, repeats, stored, used_part
from ..tinygrad.sizes import number_of
from .registry import Lowering, Types, rule
from .values import AnyTensor, Complex, broadcast_scalar, each, halfwise, repeat_number

# The most elements of a window that a kernel loads one by one.
LONGEST_WINDOW = 32
# A number that is repeated at least this often is computed only once.
LEAST_REPEATS = 64
# With so many times as many elements, and padding between them, kernels would look at each whether to compute it.
SPREAD = 1.5


def fill_tensor(value: Any, type: TensorType) -> AnyTensor:
    """A tensor of one repeated number, a Python or numpy scalar, in storage form."""
    dtype, shape = storage_dtype(type.element), static_shape(type)
    if isinstance(type.element, ComplexType):
        return Complex(*(repeat_number(float(half), shape, dtype) for half in (np.real(value), np.imag(value))))
    bits = np.asarray(value)
    if dtype in (dtypes.uint16, dtypes.uint8) and bits.dtype.kind not in "iub":
        bits = bits.view(np.uint16 if dtype == dtypes.uint16 else np.uint8)
    number = bits.item() if bits.dtype.kind in "iubf" else int(bits)
    return repeat_number(number, shape, dtype)


@rule("stablehlo.constant", "chlo.constant", "sdy.constant", storage=True)
def constant(*, value: np.ndarray, out: Types) -> AnyTensor:
    shape = static_shape(out[0])
    if value.dtype == object:  # open sizes
        dtype = storage_dtype(out[0].element)
        first, *others = (number_of(number, dtype) for number in value.flat)
        return first.cat(*others).reshape(value.shape).expand(shape)
    if value.size == 0:
        return fill_tensor(0, out[0])
    if value.size == 1 or all(stride == 0 or size == 1 for stride, size in zip(value.strides, value.shape)):
        return fill_tensor(value[(0,) * value.ndim], out[0])
    # Larger constants are buffers of the plan: this one is small, or inside a body.
    numbers = [fill_tensor(number, TensorType((1,), out[0].element)) for number in value.reshape(-1)]
    return halfwise(lambda first, *others: first.cat(*others).reshape(shape), *numbers)


@rule("stablehlo.iota")
def iota(*, iota_dimension: int, out: Types) -> AnyTensor:
    shape = static_shape(out[0])
    size = shape[iota_dimension]
    dtype = compute_dtype(out[0].element)
    # As many as there are at most: for a known number tinygrad computes each from its place alone.
    most = most_elements([size])
    line = used_part(Tensor.arange(most, dtype=dtypes.int32 if most < 2**31 else dtypes.int64), [size])
    # Hidden from tinygrad, which would compute with it as with an index and get casts and bitcasts wrong.
    line = (line ^ ((line * 2) & 1)).cast(dtype)
    line = line.reshape([size if d == iota_dimension else 1 for d in range(len(shape))]).expand(shape)
    return Complex(line, line.const_like(0)) if isinstance(out[0].element, ComplexType) else line


@rule("stablehlo.reshape", storage=True)
def reshape(x: AnyTensor, *, out: Types) -> AnyTensor:
    return each(x, lambda t: t.reshape(static_shape(out[0])))


@rule("stablehlo.transpose", storage=True)
def transpose(x: AnyTensor, *, permutation: Sequence[int]) -> AnyTensor:
    return each(x, lambda t: t.permute(tuple(permutation)))


@rule("stablehlo.broadcast_in_dim", storage=True)
def broadcast_in_dim(x: AnyTensor, *, broadcast_dimensions: Sequence[int], out: Types, lowering: Lowering) -> AnyTensor:
    shape = static_shape(out[0])
    order = sorted(range(len(broadcast_dimensions)), key=lambda i: broadcast_dimensions[i])

    def move(t: Tensor) -> Tensor:
        aligned = [1] * len(shape)
        for axis, target in enumerate(broadcast_dimensions):
            aligned[target] = t.shape[axis]
        # A kernel recomputes a value that it broadcasts over its outer loops.
        along = [d for d, size in enumerate(shape) if typical(size) > 1]
        repeats = prod(map(typical, shape)) // max(1, prod(map(typical, aligned)))
        if lowering.native and along and typical(aligned[along[-1]]) > 1 and repeats >= LEAST_REPEATS and is_costly(t):
            t = stored(t) if is_constant(t) else t.contiguous()
        return t.permute(tuple(order)).reshape(aligned).expand(shape)

    return each(x, move)


@rule("stablehlo.slice", storage=True)
def slice_(
    x: AnyTensor, *, start_indices: Sequence[int], limit_indices: Sequence[int], strides: Sequence[int]
) -> AnyTensor:
    window = tuple(map(slice, start_indices, limit_indices, strides))
    return each(x, lambda t: t[window] if window else t)


@rule("stablehlo.concatenate", storage=True)
def concatenate(*xs: AnyTensor, dimension: int) -> AnyTensor:
    return halfwise(lambda *parts: join(parts, dimension), *xs)


def join(parts: Sequence[Tensor], dimension: int) -> Tensor:
    """Tensors after each other; tinygrad's `cat` would add them up, with zeros around each, and lose the sign of -0."""
    first, *others = parts
    if all(part.shape[dimension] == first.shape[dimension] for part in others):
        return first.cat(*others, dim=dimension)
    ends = [*accumulate(part.shape[dimension] for part in parts)]

    def pad_part(x: Tensor, before: int, after: int) -> Tensor:
        return x.pad(tuple((before, after) if d == dimension else (0, 0) for d in range(x.ndim)))

    result, *others = reversed([pad_part(x, end - x.shape[dimension], ends[-1] - end) for x, end in zip(parts, ends)])
    for part, end in zip(others, reversed(ends[:-1])):
        shape = [end if d == dimension else size for d, size in enumerate(part.shape)]
        result = pad_part(repeat_number(True, shape, dtypes.bool), 0, ends[-1] - end).where(part, result)
    return result


@rule("stablehlo.reverse", storage=True)
def reverse(x: AnyTensor, *, dimensions: Sequence[int], out: Types) -> AnyTensor:
    if not is_static([out[0].shape[d] for d in dimensions]):
        x = each(x, stored)  # from the end of an open size on, tinygrad would count each number of an iota
    return each(x, lambda t: t.flip(tuple(dimensions))) if dimensions else x


@rule("stablehlo.pad", storage=True)
def pad(
    x: AnyTensor,
    value: AnyTensor,
    *,
    edge_padding_low: Sequence[int],
    edge_padding_high: Sequence[int],
    interior_padding: Sequence[int],
    out: Types,
) -> AnyTensor:
    amounts = edge_padding_low, edge_padding_high, interior_padding
    if all(map(is_static, amounts)) and not any(map(any, amounts)):
        return x
    many = any(interior_padding) and prod(map(typical, static_shape(out[0]))) >= SPREAD * prod(map(typical, x.shape))

    def pad_tensor(x: Tensor, value: Tensor) -> Tensor:
        if many and is_long(x) and not is_constant(x):
            x = x.contiguous()
        if repeats(value, 0):
            return pad_with_zeros(x, *amounts)
        result, inside = (
            pad_with_zeros(x, *amounts),
            pad_with_zeros(repeat_number(True, x.shape, dtypes.bool), *amounts),
        )
        return inside.where(result, broadcast_scalar(value, result.shape))

    return halfwise(pad_tensor, x, value)


def pad_with_zeros(x: Tensor, low: Sequence[int], high: Sequence[int], interior: Sequence[int]) -> Tensor:
    """Pad with zeros: `interior` between elements, then `low` and `high` at the edges; negative amounts cut."""
    for axis, gap in enumerate(interior):
        size = x.shape[axis]
        if gap and size > 1:
            shape = list(x.shape)
            x = x.reshape(shape[: axis + 1] + [1] + shape[axis + 1 :])
            x = x.pad(tuple((0, gap if d == axis + 1 else 0) for d in range(len(shape) + 1)))
            shape[axis] = size * (gap + 1)
            x = x.reshape(shape)
            x = x.shrink(tuple((0, s - gap if d == axis else s) for d, s in enumerate(shape)))
    # Padding comes before cutting: a negative edge may be larger than the array.
    x = x.pad(tuple((lo if lo >= 0 else 0, hi if hi >= 0 else 0) for lo, hi in zip(low, high)))
    cut = tuple((0 if lo >= 0 else -lo, s if hi >= 0 else s + hi) for lo, hi, s in zip(low, high, x.shape))
    return x.shrink(cut) if cut else x


def window_parts(
    x: Tensor,
    window: Sequence[int],
    counts: Sequence[int],
    strides: Sequence[int],
    dilations: Sequence[int],
    low: Sequence[int],
    filler: float,
) -> Iterator[Tensor]:
    """The first elements of all windows, then their second ones, …; x is preceded by `low` elements of `filler`."""
    reaches = [(w - 1) * d + n * s for w, d, n, s in zip(window, dilations, counts, strides)]
    high = [max(0, reach - size - before) for reach, size, before in zip(reaches, x.shape, low)]
    if any(low) or any(high):
        x = x.pad(tuple(zip(low, high)), value=filler)
    split = [size for n, s in zip(counts, strides) for size in (n, s)]
    for offsets in np.ndindex(*window):
        starts = [o * d for o, d in zip(offsets, dilations)]
        part = x.shrink(tuple((b, b + n * s) for b, n, s in zip(starts, counts, strides))).reshape(split)
        yield part.shrink(tuple((0, 1 if d % 2 else size) for d, size in enumerate(split))).reshape(tuple(counts))


@rule("stablehlo.optimization_barrier", storage=True)
def optimization_barrier(*xs: AnyTensor) -> list[AnyTensor]:
    return list(xs)


@rule("stablehlo.get_dimension_size")
def get_dimension_size(x: AnyTensor, *, dimension: int) -> Tensor:
    return repeat_number(int(x.shape[dimension]), (), dtypes.int32)
