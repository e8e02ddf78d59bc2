"""Reductions: over dimensions, over windows, and the gradient of a window's choice."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import prod
from typing import Any

import numpy as np

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
    shape = [int(s) for s in xs[0].shape]
    rank = len(shape)
    window = Window(
        shape,
        list(window_dimensions),
        list(window_strides or [1] * rank),
        list(base_dilations or [1] * rank),
        list(window_dilations or [1] * rank),
        np.zeros((rank, 2), int) if padding is None else np.asarray(padding).reshape(rank, 2),
    )
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
    results = fold(window.counts(), window.dimensions, halves(xs), halves(initial), window.fetch, body, "reduce_window")
    return joined(results, xs)


class Window:
    """Which element of the operand stands at a place of a window."""

    def __init__(
        self,
        shape: list[int],
        dimensions: list[int],
        strides: list[int],
        base: list[int],
        dilations: list[int],
        padding: np.ndarray,
    ) -> None:
        self.shape, self.dimensions, self.strides = shape, dimensions, strides
        self.base, self.dilations, self.padding = base, dilations, padding
        if any(len(x) != len(shape) or min(x, default=1) < 1 for x in (dimensions, strides, base, dilations)):
            raise ValueError("needs one positive window size, stride and dilation for each dimension")

    def counts(self) -> list[int]:
        """How many windows there are along each dimension (C15)."""
        result = []
        for d, size in enumerate(self.shape):
            padded = (size - 1) * self.base[d] + 1 if size else 0
            padded += int(self.padding[d].sum())
            reach = (self.dimensions[d] - 1) * self.dilations[d] + 1
            result.append((padded - reach) // self.strides[d] + 1 if padded >= reach else 0)
        return result

    def running(self) -> tuple[int, bool, int, int] | None:
        """What `running_fold` takes, when each window holds the elements up to a place, the next window one more.

        So cumulative sums are written, reversed ones with the padding at the other end, and exclusive ones with more.
        """
        plain = all(s == b == 1 for s, b in zip(self.strides, self.base))
        axes = [d for d, size in enumerate(self.dimensions) if (size, *self.padding[d]) != (1, 0, 0)]
        if len(axes) != 1 or not plain or 0 in self.shape or self.dilations[axes[0]] != 1:
            return None
        (axis,) = axes
        size, window, (low, high) = self.shape[axis], self.dimensions[axis], map(int, self.padding[axis])
        for reverse, before, after in ((False, low, high), (True, high, low)):
            # The first window holds one element at most, the last one still the first element.
            if before >= window - 1 and window >= size + after:
                return axis, reverse, before - window + 1, self.counts()[axis]
        return None

    def is_short(self) -> bool:
        """Whether a kernel may hold a load for each element of a window."""
        edges = (int(e) for e in self.padding.reshape(-1))
        return (
            prod(self.dimensions) <= LONGEST_WINDOW
            and max(self.base, default=1) == 1
            and all(e >= 0 for e in edges)
            and (0 not in (*self.shape, *self.counts()))
        )

    def combined(self, x: Tensor, combine: Callable[[Tensor, Tensor], Tensor], monoid: Monoid) -> Tensor:
        """All windows at once, element by element: the first of each, the second of each, …."""
        counts = self.counts()
        # An element that is in several windows is computed once.
        if any(size > stride for size, stride in zip(self.dimensions, self.strides)):
            x = x.contiguous()
        low = [int(edge) for edge in self.padding[:, 0]]
        filler = identity(monoid, x.dtype)
        parts = window_parts(x, self.dimensions, counts, self.strides, self.dilations, low, filler)
        result = next(parts)
        for part in parts:
            result = combine(result, part)
        return result

    def fetch(self, at: list[Scalar], steps: list[Scalar]) -> tuple[list[Scalar], Scalar]:
        index, inside = [], []
        for d, size in enumerate(self.shape):
            place = at[d] * self.strides[d] + steps[d] * self.dilations[d] - int(self.padding[d, 0])
            if self.base[d] != 1:
                inside.append((place % self.base[d]) < 1)
                inside.append(place > -1)
                place = (place > -1).where(place, 0) // self.base[d]
            else:
                inside.append(place > -1)
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
    rank = len(x.shape)
    ones = [1] * rank
    window = Window(
        [int(s) for s in x.shape],
        list(window_dimensions or ones),
        list(window_strides or ones),
        ones,
        ones,
        np.zeros((rank, 2), int) if padding is None else np.asarray(padding).reshape(rank, 2),
    )
    parts = halves([x]), halves([source]), halves([initial])
    results = select_and_scatter(*parts, window.dimensions, window.fetch, select, scatter)
    return joined(results, [source])
