"""Derivatives of reductions, over dimensions and over windows."""

from __future__ import annotations

from collections.abc import Sequence
from math import prod

import numpy as np

from ..ir import Region, TensorType, Value
from ..ir.dimensions import IndexNumbers, WindowNumbers, reduction_window, static
from ..ir.dtypes import expect_tensor
from ..ops import Monoid
from ..ops.attributes import plain
from ..ops.build import I32, Builder, Term, stablehlo
from ..rules.registry import Body
from .control import repeat, row
from .elementwise import vectorised
from .indexing import gathered
from .tape import Contribution, Pullback, derivative, expanded


def monoid(op: Pullback) -> Monoid | None:
    """What a reduction folds its one input by, None if that is more than one op."""
    if len(op.inputs) != 2:
        return None
    found = Body(op.op.regions[-1], {}).monoid
    return None if op.wants[1] and found is not Monoid.SUM else found


@derivative("stablehlo.reduce")
def reduce(op: Pullback) -> Sequence[Contribution]:
    found, axes = monoid(op), op.attribute("dimensions")
    if found is None:
        return expanded(op, lambda builder, xs: folded(builder, xs, axes, op))
    (x, _), (result,), (ct,) = op.inputs, op.outputs, op.cotangents
    kept = [d for d in range(len(x.shape)) if d not in axes]

    def spread(term: Term) -> Term:
        return term.broadcast(x.shape, kept)

    match found:
        case Monoid.SUM:
            return [spread(ct.to(x.element)), ct.sum() if op.wants[1] else None]
        case Monoid.MAXIMUM | Monoid.MINIMUM if not x.is_complex:
            # All elements that are the result have an equal part.
            chosen = x.compare("EQ", spread(result)).where(x.like(1), 0)
            count = chosen.sum(axes)
            return [spread(ct / stablehlo.maximum(count, count.like(1))) * chosen, None]
        case Monoid.PRODUCT if not x.is_complex:
            # The product of the others; where one element is zero, that is not the result divided by it.
            zero = x.compare("EQ", 0)
            whole = zero.where(x.like(1), x)
            others = spread(whole.reduce(stablehlo.multiply, axes, 1))
            zeros = spread(zero.where(x.like(1), 0).sum(axes))
            alone = zeros.compare("EQ", 1).where(others, 0)
            none = zeros.compare("EQ", 0).where(others / whole, 0)
            return [spread(ct) * zero.where(alone, none), None]
    return expanded(op, lambda builder, xs: folded(builder, xs, axes, op))


def folded(builder: Builder, operands: Sequence[Term], axes: Sequence[int], op: Pullback) -> list[Term]:
    """Inputs folded by the op's region over some dimensions, one element after the other."""
    count = len(operands) // 2
    shape = operands[0].shape
    kept = [d for d in range(len(shape)) if d not in axes]
    turns, rest = prod(shape[d] for d in axes), tuple(shape[d] for d in kept)
    rows = [x.transpose([*sorted(axes), *kept]).reshape((turns, *rest)) for x in operands[:count]]
    first = [
        x.broadcast(rest, ()).to(expect_tensor(a.type).element)
        for x, a in zip(operands[count:], op.op.regions[-1].arguments)
    ]

    def step(inner: Builder, number: Term, carries: list[Term]) -> list[Term]:
        new = [row(inner.term(x.value), number).to(c.element) for x, c in zip(rows, carries)]
        return vectorised(inner, op.op.regions[-1], [*carries, *new], op)

    return repeat(builder, turns, first, step)


# ---------------------------------------------------------------- windows


@derivative("stablehlo.reduce_window")
def reduce_window(op: Pullback) -> Sequence[Contribution]:
    by, x, ct = monoid(op), op.inputs[0], op.cotangents[0]
    rank = len(x.shape)
    n = reduction_window(op.attributes, rank)
    sizes, is_dilated = static(n.sizes), max((*n.base_dilations, *n.window_dilations), default=1) > 1
    if 0 in (*x.shape, *ct.shape):
        return expanded(op, lambda builder, xs: [y.broadcast(ct.shape, ()) for y in xs[len(xs) // 2 :]])
    if by is Monoid.SUM and n.strides == sizes and not any(n.low) and not is_dilated:
        # No element is in two windows.
        return [repeated(ct.to(x.element), sizes, x.shape), ct.sum() if op.wants[1] else None]
    if by is Monoid.SUM:
        # As of a convolution with a kernel of ones: the windows that an element is in.
        back = n.transposed(x.shape, ct.shape)
        found = stablehlo.reduce_window(
            ct.pad(back.low, back.high, back.spread),
            op.builder.zeros(TensorType((), ct.element)),
            type=TensorType(x.shape, ct.element),
            regions=[op.builder.scalar_body(stablehlo.add, ct.element)],
            window_dimensions=sizes,
            window_strides=back.strides,
            window_dilations=back.window_dilations,
        )
        return [found.to(x.element), ct.sum() if op.wants[1] else None]
    if by in (Monoid.MAXIMUM, Monoid.MINIMUM) and not is_dilated:
        zero = op.builder.zeros(TensorType((), ct.element))
        found = stablehlo.select_and_scatter(
            x,
            ct,
            zero,
            type=x.type,
            regions=[
                prefers_first(op.builder, x, "GE" if by is Monoid.MAXIMUM else "LE"),
                op.builder.scalar_body(stablehlo.add, x.element),
            ],
            window_dimensions=sizes,
            window_strides=n.strides,
            padding=np.array(n.padding, int).reshape(rank, 2),
        )
        return [found, None]

    def build(builder: Builder, operands: list[Term]) -> list[Term]:
        count = len(operands) // 2
        inputs, first = operands[:count], operands[count:]
        return folded(builder, [*(windows(x, i, n) for x, i in zip(inputs, first)), *first], range(rank), op)

    return expanded(op, build)


def windows(x: Term, filler: Term, numbers: WindowNumbers) -> Term:
    """All windows of a tensor: along the first dimensions their elements, along the others the windows."""
    counts, rank = static(numbers.counts(x.shape)), len(x.shape)
    x = x.pad(numbers.low, numbers.high, numbers.spread, filler)
    shape = []
    for d, (size, count) in enumerate(zip(static(numbers.sizes), counts)):
        places = np.arange(size)[:, None] * numbers.window_dilations[d] + np.arange(count) * numbers.strides[d]
        x = taken(x, d, places.reshape(-1))
        shape += [size, count]
    return x.reshape(shape).transpose([*range(0, 2 * rank, 2), *range(1, 2 * rank, 2)])


def taken(x: Term, axis: int, places: np.ndarray) -> Term:
    """x at some places of a dimension."""
    offset = tuple(d for d in range(len(x.shape)) if d != axis)
    numbers = IndexNumbers(offset, (axis,), (), (), (axis,), 1)
    shape, sizes = ([n if d == axis else size for d, size in enumerate(x.shape)] for n in (places.size, 1))
    return gathered(x, x.builder.array(places, I32), shape, numbers, sizes)


@derivative("stablehlo.select_and_scatter")
def select_and_scatter(op: Pullback) -> Sequence[Contribution]:
    """The cotangent of a source is what arrives where it was scattered to: a gradient of max pooling has one."""
    (x, source, _), (ct,) = op.inputs, op.cotangents
    select, scatter = (Body(region, {}) for region in op.op.regions)
    test = select.region.ops[0]
    direction = str(plain(test.attributes.get("comparison_direction", None)))
    simple = len(select.region.ops) == 2 and test.operands == select.region.arguments and direction in ("GE", "LE")
    if scatter.monoid is not Monoid.SUM or not simple or op.wants[2]:
        raise op.refuse("it selects or scatters by a function of its own")
    if 0 in (*x.shape, *source.shape):
        return [None, source.like(0), None]
    better, worst = (stablehlo.maximum, -np.inf) if direction == "GE" else (stablehlo.minimum, np.inf)
    scalar = TensorType((), x.element)
    numbers = reduction_window(op.attributes, len(x.shape))
    seen = windows(x, op.builder.repeated(worst, scalar), numbers)
    arriving = windows(ct, op.builder.zeros(scalar), numbers)
    length = prod(static(numbers.sizes))
    flat = (length, *source.shape)
    seen, arriving = seen.reshape(flat), arriving.reshape(flat)
    best = seen.reduce(better, [0], worst).broadcast(flat, range(1, len(flat)))
    number = op.builder.iota(flat, 0)
    # The first of equal ones.
    first = seen.compare("EQ", best).where(number, length).reduce(stablehlo.minimum, [0], length)
    chosen = number.compare("EQ", first.broadcast(flat, range(1, len(flat))))
    return [None, chosen.where(arriving, 0).sum([0]), None]


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


@derivative(
    *(f"stablehlo.{name}" for name in ("all_reduce", "all_gather", "all_to_all", "cross-replica-sum", "reduce_scatter"))
)
def alone(op: Pullback) -> Sequence[Contribution]:
    if [x.type for x in op.inputs] != [ct.type for ct in op.cotangents]:
        raise op.refuse("it has several participants")
    return op.cotangents


@derivative("stablehlo.collective_broadcast", "stablehlo.collective_reduce")
def rooted(op: Pullback) -> Sequence[Contribution]:
    groups = op.attribute("replica_groups")
    if op.op.name == "stablehlo.collective_broadcast" and groups.size == 0:
        return [None] * len(op.inputs)  # who is in no group gets zeros
    if op.attribute("has_dynamic_root") is None:
        return alone(op)
    *_, roots = op.inputs
    here = [roots.slice([i], [i + 1]).reshape(()).compare("EQ", 0) for i in range(len(op.cotangents))]
    return [*(root.broadcast(ct.shape, []).where(ct, 0) for root, ct in zip(here, op.cotangents)), None]
