"""Reductions: over dimensions, over windows, and the gradient of a window's choice."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from tinygrad import Tensor, dtypes
from tinygrad.uop.ops import UOp

from ..errors import UnsupportedOp
from .elementwise import BINARY, BITS, is_nan, total_order
from .loops import all_of, fold, running_fold, select_and_scatter
from .registry import rule
from .values import Complex, decode, encode


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
MONOIDS: dict[str, Callable[[Tensor, tuple[int, ...]], Tensor]] = {
    "stablehlo.add": wrapped_sum,
    "stablehlo.maximum": lambda x, axes: extreme_of(x, axes, 1),
    "stablehlo.minimum": lambda x, axes: extreme_of(x, axes, -1),
    "stablehlo.multiply": lambda x, axes: (
        extreme_of(x, axes, -1) if x.dtype == dtypes.bool else x.prod(axes, dtype=x.dtype)
    ),
}
BOOLEAN_MONOIDS: dict[str, Callable[[Tensor, tuple[int, ...]], Tensor]] = {
    "stablehlo.or": lambda x, axes: x.max(axes),
    "stablehlo.and": lambda x, axes: extreme_of(x, axes, -1),
}


def monoid(body: Any, x: Any) -> Callable[[Tensor, tuple[int, ...]], Tensor] | None:
    if isinstance(x, Complex):
        return None
    return MONOIDS.get(body.monoid) or (BOOLEAN_MONOIDS.get(body.monoid) if x.dtype == dtypes.bool else None)


def expect_one_shape(xs: Sequence[Any]) -> None:
    if any(tuple(x.shape) != tuple(xs[0].shape) for x in xs):
        raise ValueError("has inputs of different shapes (C1)")


@rule("stablehlo.reduce", regions=("body",), storage=True)
def reduce(*operands: Any, dimensions: Sequence[int], body: Any, types: Any, out: Any) -> Any:
    count = len(operands) // 2
    xs, initial = operands[:count], operands[count:]
    axes = tuple(dimensions)
    expect_one_shape(xs)
    shape = tuple(int(s) for d, s in enumerate(xs[0].shape) if d not in axes)
    if isinstance(xs[0], Complex):
        if body.monoid != "stablehlo.add" or count != 1:
            raise UnsupportedOp("reduce of complex numbers has a rule only for adding")
        total = xs[0].each(lambda t: t.sum(axes))
        return total + initial[0].each(lambda t: t.reshape((1,) * len(shape)).expand(shape))
    found = monoid(body, decode(xs[0], types[0])) if count == 1 and axes else None
    if found is not None and 0 not in xs[0].shape:
        # The fold starts from the init value; combining it last is the same, as the specification asks for a monoid.
        total = found(decode(xs[0], types[0]), axes)
        first = decode(initial[0], types[1]).reshape((1,) * len(shape)).expand(shape)
        return encode(BINARY[body.monoid](total, first), out[0])
    kept = [d for d in range(len(types[0].shape)) if d not in axes]

    def fetch(at: list[UOp], steps: list[UOp]) -> tuple[list[UOp], UOp]:
        outer, inner = iter(at), iter(steps)
        index = [next(outer) if d in kept else next(inner) for d in range(len(kept) + len(axes))]
        return index, UOp.const(True, dtypes.bool)

    inner = [int(xs[0].shape[d]) for d in sorted(axes)]
    return fold(shape, inner, xs, initial, fetch, body, "reduce")


@rule("stablehlo.reduce_window", regions=("body",), storage=True)
def reduce_window(
    *operands: Any,
    window_dimensions: Sequence[int],
    window_strides: Sequence[int] | None = None,
    base_dilations: Sequence[int] | None = None,
    window_dilations: Sequence[int] | None = None,
    padding: np.ndarray | None = None,
    body: Any,
) -> Any:
    count = len(operands) // 2
    xs, initial = operands[:count], operands[count:]
    if isinstance(xs[0], Complex):
        raise UnsupportedOp("reduce_window of complex numbers has no rule yet")
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
    running = window.running_axis()
    if running is not None:
        return running_fold(xs, initial, *running, body)
    return fold(window.counts(), window.dimensions, xs, initial, window.fetch, body, "reduce_window")


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

    def running_axis(self) -> tuple[int, bool] | None:
        """The axis and direction when each window holds all elements up to, or from, its own place (cumsum)."""
        axes = [d for d, size in enumerate(self.dimensions) if size != 1]
        plain = all(s == b == 1 for s, b in zip(self.strides, self.base))
        if len(axes) != 1 or not plain or self.dilations[axes[0]] != 1:
            return None
        (axis,) = axes
        pads = [tuple(int(p) for p in pair) for pair in self.padding]
        if any(p != (0, 0) for d, p in enumerate(pads) if d != axis) or self.dimensions[axis] != self.shape[axis]:
            return None
        size = self.shape[axis]
        return (axis, False) if pads[axis] == (size - 1, 0) else (axis, True) if pads[axis] == (0, size - 1) else None

    def fetch(self, at: list[UOp], steps: list[UOp]) -> tuple[list[UOp], UOp]:
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
) -> Any:
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
    return select_and_scatter(x, source, initial, window.dimensions, window.fetch, select, scatter)
