"""Derivatives of reductions, over dimensions and over windows."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ..ir import Region, TensorType, Value
from ..rules.registry import Body
from .tape import Contribution, Pullback, derivative
from .terms import Builder, Term


def monoid(op: Pullback) -> str:
    """The op that a reduction folds its one input by."""
    if len(op.inputs) != 2:
        raise op.refuse("it reduces several tensors together")
    name = Body(op.op.regions[-1], {}).monoid
    if not name:
        raise op.refuse("it reduces by a function of its own")
    if op.wants[1] and name != "stablehlo.add":
        raise op.refuse("with respect to its init value")
    return name


@derivative("stablehlo.reduce")
def reduce(op: Pullback) -> Sequence[Contribution]:
    name, axes = monoid(op), op.attribute("dimensions")
    (x, _), (result,), (ct,) = op.inputs, op.outputs, op.cotangents
    kept = [d for d in range(len(x.shape)) if d not in axes]

    def spread(term: Term) -> Term:
        return term.broadcast(x.shape, kept)

    match name:
        case "stablehlo.add":
            return [spread(ct.to(x.element)), ct.sum() if op.wants[1] else None]
        case "stablehlo.maximum" | "stablehlo.minimum" if not x.is_complex:
            # All elements that are the result have an equal part.
            chosen = x.compare("EQ", spread(result)).where(x.like(1), 0)
            count = chosen.sum(axes)
            return [spread(ct / count.apply("stablehlo.maximum", count.like(1))) * chosen, None]
        case "stablehlo.multiply" if not x.is_complex:
            # The product of the others; where one element is zero, that is not the result divided by it.
            zero = x.compare("EQ", 0)
            whole = zero.where(x.like(1), x)
            others = spread(whole.reduce(name, axes, 1))
            zeros = spread(zero.where(x.like(1), 0).sum(axes))
            alone = zeros.compare("EQ", 1).where(others, 0)
            none = zeros.compare("EQ", 0).where(others / whole, 0)
            return [spread(ct) * zero.where(alone, none), None]
    raise op.refuse(f"it reduces by {name} of {x.type.element}")


# ---------------------------------------------------------------- windows


@derivative("stablehlo.reduce_window")
def reduce_window(op: Pullback) -> Sequence[Contribution]:
    name = monoid(op)
    (x, _), (ct,) = op.inputs, op.cotangents
    rank = len(x.shape)
    ones = (1,) * rank
    sizes, strides, base, dilations = (
        tuple(op.attribute(key, ones))
        for key in ("window_dimensions", "window_strides", "base_dilations", "window_dilations")
    )
    padding = np.asarray(op.attribute("padding", np.zeros((rank, 2), int))).reshape(rank, 2)
    if 0 in (*x.shape, *ct.shape):
        return [op.builder.zeros(x.type), ct.sum() if op.wants[1] else None]
    if name == "stablehlo.add" and strides == sizes and not padding[:, 0].any() and (base, dilations) == (ones, ones):
        # No element is in two windows.
        return [repeated(ct.to(x.element), sizes, x.shape), ct.sum() if op.wants[1] else None]
    if name == "stablehlo.add":
        # As of a convolution with a kernel of ones: the windows that an element is in.
        edges = []
        for size, k, s, b, d, count, edge in zip(x.shape, sizes, strides, base, dilations, ct.shape, padding[:, 0]):
            reach, before = (k - 1) * d + 1, (k - 1) * d - int(edge)
            edges.append((before, (size - 1) * b + reach - ((count - 1) * s + 1) - before))
        low, high = zip(*edges) if edges else ((), ())
        found = op.builder.one(
            "stablehlo.reduce_window",
            (ct.pad(low, high, [s - 1 for s in strides]), op.builder.zeros(TensorType((), ct.element))),
            TensorType(x.shape, ct.element),
            [op.builder.scalar_body(name, ct.element)],
            window_dimensions=sizes,
            window_strides=base,
            window_dilations=dilations,
        )
        return [found.to(x.element), ct.sum() if op.wants[1] else None]
    if name in ("stablehlo.maximum", "stablehlo.minimum") and max((*base, *dilations), default=1) == 1:
        zero = op.builder.zeros(TensorType((), ct.element))
        found = op.builder.one(
            "stablehlo.select_and_scatter",
            (x, ct, zero),
            x.type,
            [
                prefers_first(op.builder, x, "GE" if name == "stablehlo.maximum" else "LE"),
                op.builder.scalar_body("stablehlo.add", x.element),
            ],
            window_dimensions=sizes,
            window_strides=strides,
            padding=padding,
        )
        return [found, None]
    raise op.refuse(f"it reduces windows by {name}, or dilated ones")


def repeated(x: Term, times: Sequence[int], shape: Sequence[int]) -> Term:
    """Each element `times` along each dimension; cut to a shape, or followed by zeros."""
    split = [size for pair in zip(x.shape, times) for size in pair]
    wide = x.broadcast(split, range(0, len(split), 2)).reshape([n * k for n, k in zip(x.shape, times)])
    return wide.pad([0] * len(times), [size - own for size, own in zip(shape, wide.shape)], [0] * len(times))


def prefers_first(builder: Builder, x: Term, direction: str) -> Region:
    """The region that prefers the first of two numbers."""
    arguments = tuple(Value("", TensorType((), x.element)) for _ in "ab")
    inner = Builder(builder.location)
    a, b = (inner.term(v) for v in arguments)
    inner.returned([a.compare(direction, b)])
    return Region(arguments, tuple(inner.ops))


# ---------------------------------------------------------------- collectives, of the one participant that there is


@derivative("stablehlo.all_reduce", "stablehlo.all_gather", "stablehlo.all_to_all", "stablehlo.reduce_scatter")
def alone(op: Pullback) -> Sequence[Contribution]:
    if [x.type for x in op.inputs] != [ct.type for ct in op.cotangents]:
        raise op.refuse("it has several participants")
    return op.cotangents
