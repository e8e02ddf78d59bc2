"""Reductions: over dimensions, over windows, and the gradient of a window's choice."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import prod
from typing import Any

import numpy as np

from ..ir.dimensions import WindowNumbers, decode_window, static
from ..ops import Monoid
from ..tinygrad.expressions import BITS, DType, Tensor, dtypes
from ..tinygrad.loops import Scalar, all_of
from .elementwise import BINARY, add, total_order
from .floats import is_nan
from .loops import fold, joined, promoted, running_fold, select_and_scatter
from .movement import LONGEST_WINDOW, window_parts
from .registry import Body, halves, rule
from .storage import decode, encode
from .values import Complex


def extreme_of(x: Tensor, axes: tuple[int, ...], sign: int) -> Tensor:
    """max (sign 1) or min (sign -1) of floats through integers of the same order: NaN wins, and -0 < +0."""
    if x.dtype == dtypes.bool:
        return x.max(axes) if sign > 0 else x.logical_not().max(axes).logical_not()
    if x.dtype not in BITS:
        return x.max(axes) if sign > 0 else x.min(axes)
    nan = {dtypes.float32: 0x7FFFFFFF, dtypes.float64: 0x7FFFFFFFFFFFFFFF}[x.dtype]
    keys = total_order(x)
    keys = is_nan(x).where(nan if sign > 0 else -nan - 1, keys)
    keys = keys.max(axes) if sign > 0 else keys.min(axes)
    return (keys < 0).where(keys ^ nan, keys).bitcast(x.dtype)


def wrapped_sum(x: Tensor, axes: tuple[int, ...]) -> Tensor:
    return x.max(axes) if x.dtype == dtypes.bool else x.sum(axes, dtype=x.dtype)


# What a body of one op means over a whole axis, on compute form.
MONOIDS: dict[Monoid, Callable[[Tensor, tuple[int, ...]], Tensor]] = {
    Monoid.SUM: wrapped_sum,
    Monoid.MAXIMUM: lambda x, axes: extreme_of(x, axes, 1),
    Monoid.MINIMUM: lambda x, axes: extreme_of(x, axes, -1),
    Monoid.PRODUCT: lambda x, axes: extreme_of(x, axes, -1) if x.dtype == dtypes.bool else x.prod(axes, dtype=x.dtype),
}
BOOLEAN_MONOIDS: dict[Monoid, Callable[[Tensor, tuple[int, ...]], Tensor]] = {
    Monoid.ANY: lambda x, axes: x.max(axes),
    Monoid.ALL: lambda x, axes: extreme_of(x, axes, -1),
}


def monoid(body: Body, x: Any) -> Callable[[Tensor, tuple[int, ...]], Tensor] | None:
    if isinstance(x, Complex) or body.monoid is None:
        return None
    return MONOIDS.get(body.monoid) or (BOOLEAN_MONOIDS.get(body.monoid) if x.dtype == dtypes.bool else None)


def identity(monoid: Monoid, dtype: DType) -> float | int | bool:
    """What changes nothing, combined with a number."""
    if dtype in BITS:
        return monoid.identity
    return int(min(max(monoid.identity, dtype.min), dtype.max))


def expect_one_shape(xs: Sequence[Any]) -> None:
    if any(tuple(x.shape) != tuple(xs[0].shape) for x in xs):
        raise ValueError("has inputs of different shapes (C1)")


@rule("stablehlo.reduce", regions=("body",), storage=True)
def reduce(*operands: Any, dimensions: Sequence[int], body: Any, types: Any, out: Any) -> Any:
    count = len(operands) // 2
    operands = tuple(promoted(operands, types, body))
    xs, initial = operands[:count], operands[count:]
    axes = tuple(dimensions)
    expect_one_shape(xs)
    if any(not 0 <= d < len(xs[0].shape) for d in axes):
        raise ValueError(f"has dimensions {list(axes)}, the inputs have {len(xs[0].shape)} (C4)")
    if len(set(axes)) != len(axes):
        raise ValueError(f"has dimensions {list(axes)}, one of them twice (C5)")
    shape = tuple(int(s) for d, s in enumerate(xs[0].shape) if d not in axes)
    if isinstance(xs[0], Complex) and body.monoid is Monoid.SUM and count == 1:
        total = xs[0].each(lambda t: t.sum(axes))
        return add(total, initial[0].each(lambda t: t.reshape((1,) * len(shape)).expand(shape)))
    found = monoid(body, decode(xs[0], out[0])) if count == 1 and axes else None
    if found is not None and 0 not in xs[0].shape:
        # The fold starts from the init value; combining it last is the same, as the specification asks for a monoid.
        total = found(decode(xs[0], out[0]), axes)
        first = decode(initial[0], out[0]).reshape((1,) * len(shape)).expand(shape)
        return encode(BINARY[body.operation](total, first), out[0])
    kept = [d for d in range(len(types[0].shape)) if d not in axes]

    def fetch(at: list[Scalar], steps: list[Scalar]) -> tuple[list[Scalar], Scalar]:
        outer, inner = iter(at), iter(steps)
        index = [next(outer) if d in kept else next(inner) for d in range(len(kept) + len(axes))]
        return index, all_of([])

    inner = [int(xs[0].shape[d]) for d in sorted(axes)]
    results = fold(shape, inner, halves(xs), halves(initial), fetch, body, "reduce")
    return joined(results, xs)


@rule("stablehlo.reduce_window", regions=("body",), storage=True)
def reduce_window(
    *operands: Any,
    window_dimensions: Sequence[int],
    window_strides: Sequence[int] | None = None,
    base_dilations: Sequence[int] | None = None,
    window_dilations: Sequence[int] | None = None,
    padding: np.ndarray | None = None,
    body: Any,
    types: Any,
    out: Any,
) -> Any:
    count = len(operands) // 2
    operands = tuple(promoted(operands, types, body))
    xs, initial = operands[:count], operands[count:]
    expect_one_shape(xs)
    rank = len(xs[0].shape)
    numbers = decode_window(window_dimensions, window_strides, padding, base_dilations, window_dilations)
    window = Windows(xs[0].shape, numbers)
    running = window.running()
    if running is not None:
        return joined(running_fold(halves(xs), halves(initial), *running, body), xs)
    combine, found = BINARY.get(body.operation), body.monoid
    if (
        count == 1
        and combine is not None
        and found is not None
        and monoid(body, decode(xs[0], out[0]))
        and window.is_short()
    ):
        # The init value last, as in `reduce`.
        total = window.combined(decode(xs[0], out[0]), combine, found)
        first = decode(initial[0], out[0]).reshape((1,) * rank).expand(total.shape)
        return encode(combine(total, first), out[0])
    results = fold(window.counts, window.sizes, halves(xs), halves(initial), window.fetch, body, "reduce_window")
    return joined(results, xs)


class Windows:
    """The windows on a tensor: which element of it stands at a place of a window."""

    def __init__(self, shape: Sequence[Any], numbers: WindowNumbers) -> None:
        self.shape, self.numbers = [int(size) for size in shape], numbers
        self.sizes, self.counts = static(numbers.sizes), static(numbers.counts(self.shape))

    def running(self) -> tuple[int, bool, int, int] | None:
        """What `running_fold` takes, when each window holds the elements up to a place, the next window one more.

        So cumulative sums are written, reversed ones with the padding at the other end, and exclusive ones with more.
        """
        n = self.numbers
        plain = set(n.strides) | set(n.base_dilations) <= {1}
        axes = [d for d, size in enumerate(self.sizes) if (size, n.padding[d]) != (1, (0, 0))]
        if len(axes) != 1 or not plain or 0 in self.shape or n.window_dilations[axes[0]] != 1:
            return None
        (axis,) = axes
        size, window, (low, high) = self.shape[axis], self.sizes[axis], n.padding[axis]
        for reverse, before, after in ((False, low, high), (True, high, low)):
            # The first window holds one element at most, the last one still the first element.
            if before >= window - 1 and window >= size + after:
                return axis, reverse, before - window + 1, self.counts[axis]
        return None

    def is_short(self) -> bool:
        """Whether a kernel may hold a load for each element of a window."""
        n = self.numbers
        return (
            prod(self.sizes) <= LONGEST_WINDOW
            and not any(n.spread)
            and min((*n.low, *n.high), default=0) >= 0
            and 0 not in (*self.shape, *self.counts)
        )

    def combined(self, x: Tensor, combine: Callable[[Tensor, Tensor], Tensor], monoid: Monoid) -> Tensor:
        """All windows at once, element by element: the first of each, the second of each, …."""
        n = self.numbers
        # An element that is in several windows is computed once.
        if any(size > stride for size, stride in zip(self.sizes, n.strides)):
            x = x.contiguous()
        parts = window_parts(
            x, self.sizes, self.counts, n.strides, n.window_dilations, n.low, identity(monoid, x.dtype)
        )
        result = next(parts)
        for part in parts:
            result = combine(result, part)
        return result

    def fetch(self, at: list[Scalar], steps: list[Scalar]) -> tuple[list[Scalar], Scalar]:
        index, inside, n = [], [], self.numbers
        for d, size in enumerate(self.shape):
            place = at[d] * n.strides[d] + steps[d] * n.window_dilations[d] - n.low[d]
            if (base := n.base_dilations[d]) != 1:
                inside.append((place % base) < 1)
            inside.append(place > -1)
            if base != 1:
                place = (place > -1).where(place, 0) // base
            inside.append(place < size)
            index.append(place)
        return index, all_of(inside)


@rule("stablehlo.select_and_scatter", regions=("select", "scatter"), storage=True)
def select_and_scatter_rule(
    x: Any,
    source: Any,
    initial: Any,
    *,
    window_dimensions: Sequence[int] | None = None,
    window_strides: Sequence[int] | None = None,
    padding: np.ndarray | None = None,
    select: Any,
    scatter: Any,
    types: Any,
) -> Any:
    source, initial = promoted([source, initial], types[1:], scatter)
    window = Windows(x.shape, decode_window(window_dimensions or [1] * len(x.shape), window_strides, padding))
    parts = halves([x]), halves([source]), halves([initial])
    results = select_and_scatter(*parts, window.sizes, window.fetch, select, scatter)
    return joined(results, [source])
