"""Derivatives of reductions, over dimensions and over windows."""

from __future__ import annotations

from collections.abc import Sequence
from math import prod

import numpy as np

from ..ir import TensorType
from ..ir.dimensions import IndexNumbers, WindowNumbers, reduction_window, static
from ..ir.dtypes import expect_tensor
from ..ops import Monoid
from ..ops.attributes import plain
from ..ops.build import I32, Builder, Term, stablehlo
from ..rules.collectives import Groups, exchange_with, gather_rows, members_of, reduction_of, sum_in_groups, swap_rows
from ..rules.registry import Body
from .control import repeat, row
from .elementwise import vectorise
from .indexing import build_gather
from .tape import Contribution, Pullback, derivative, differentiate_as, scalar_region


def reduction_monoid(op: Pullback) -> Monoid | None:
    """The monoid of a reduction of one input; None if its derivative has to go through the region's ops."""
    if len(op.inputs) != 2:
        return None
    monoid = Body(op.op.regions[-1], {}).monoid
    return None if op.wants[1] and monoid is not Monoid.SUM else monoid


@derivative("stablehlo.reduce")
def reduce(op: Pullback) -> Sequence[Contribution]:
    monoid, axes, (x, *_), (ct, *_) = reduction_monoid(op), op.attribute("dimensions"), op.inputs, op.cotangents
    remaining = [d for d in range(len(x.shape)) if d not in axes]

    def broadcast(term: Term) -> Term:
        return term.broadcast(x.shape, remaining)

    match monoid:
        case Monoid.SUM:
            return [broadcast(ct.to(x.element)), ct.sum() if op.wants[1] else None]
        case Monoid.MAXIMUM | Monoid.MINIMUM if not x.is_complex:
            # All elements that equal the result get an equal share.
            chosen = x.compare("EQ", broadcast(op.outputs[0])).where(x.like(1), 0)
            count = chosen.sum(axes)
            return [broadcast(ct / stablehlo.maximum(count, count.like(1))) * chosen, None]
        case Monoid.PRODUCT if not x.is_complex:
            # The product of the other elements, which is the result divided by the element only if that is not zero.
            zero = x.compare("EQ", 0)
            whole = zero.where(x.like(1), x)
            others = broadcast(whole.reduce(stablehlo.multiply, axes, 1))
            zeros = broadcast(zero.where(x.like(1), 0).sum(axes))
            only_zero = zeros.compare("EQ", 1).where(others, 0)
            without_zeros = zeros.compare("EQ", 0).where(others / whole, 0)
            return [broadcast(ct) * zero.where(only_zero, without_zeros), None]
    return differentiate_as(op, lambda builder, xs: build_fold(builder, xs, axes, op))


def build_fold(builder: Builder, operands: Sequence[Term], axes: Sequence[int], op: Pullback) -> list[Term]:
    """A loop that folds inputs over some dimensions with the op's region, one element after the other."""
    count, body, shape = len(operands) // 2, op.op.regions[-1], operands[0].shape
    remaining = [d for d in range(len(shape)) if d not in axes]
    iterations, rest = prod(shape[d] for d in axes), tuple(shape[d] for d in remaining)
    rows = [x.transpose([*sorted(axes), *remaining]).reshape((iterations, *rest)) for x in operands[:count]]
    elements = [expect_tensor(a.type).element for a in body.arguments]
    first = [x.broadcast(rest, ()).to(element) for x, element in zip(operands[count:], elements)]

    def step(inner: Builder, number: Term, carries: list[Term]) -> list[Term]:
        new = [row(inner.term(x.value), number).to(c.element) for x, c in zip(rows, carries)]
        return vectorise(inner, body, [*carries, *new], op)

    return repeat(builder, iterations, first, step)


# ---------------------------------------------------------------- windows


@derivative("stablehlo.reduce_window")
def reduce_window(op: Pullback) -> Sequence[Contribution]:
    monoid, x, ct = reduction_monoid(op), op.inputs[0], op.cotangents[0]
    rank = len(x.shape)
    n = reduction_window(op.attributes, rank)
    sizes, is_dilated = static(n.sizes), max((*n.base_dilations, *n.window_dilations), default=1) > 1
    if 0 in (*x.shape, *ct.shape):
        return differentiate_as(op, lambda builder, xs: [y.broadcast(ct.shape, ()) for y in xs[len(xs) // 2 :]])
    if monoid is Monoid.SUM and n.strides == sizes and not any(n.low) and not is_dilated:  # the windows are disjoint
        return [repeat_elements(ct.to(x.element), sizes, x.shape), ct.sum() if op.wants[1] else None]
    if monoid is Monoid.SUM:
        # As for a convolution with a kernel of ones: each element gets the sum over the windows that contain it.
        back = n.transpose(x.shape, ct.shape)
        of_x = stablehlo.reduce_window(
            ct.pad(back.low, back.high, back.interior),
            op.builder.zeros(TensorType((), ct.element)),
            type=TensorType(x.shape, ct.element),
            regions=[op.builder.scalar_body(stablehlo.add, ct.element)],
            window_dimensions=sizes,
            window_strides=back.strides,
            window_dilations=back.window_dilations,
        )
        return [of_x.to(x.element), ct.sum() if op.wants[1] else None]
    if monoid in (Monoid.MAXIMUM, Monoid.MINIMUM) and not is_dilated:
        zero = op.builder.zeros(TensorType((), ct.element))
        better = "GE" if monoid is Monoid.MAXIMUM else "LE"
        select = scalar_region(op.builder, [x.element] * 2, lambda a, b: [a.compare(better, b)])
        regions = [select, op.builder.scalar_body(stablehlo.add, x.element)]
        padding = np.array(n.padding, int).reshape(rank, 2)
        windowing = {"window_dimensions": sizes, "window_strides": n.strides, "padding": padding}
        return [stablehlo.select_and_scatter(x, ct, zero, type=x.type, regions=regions, **windowing), None]

    def build(builder: Builder, operands: list[Term]) -> list[Term]:
        first = operands[len(operands) // 2 :]
        inputs = [extract_windows(x, filler, n) for x, filler in zip(operands, first)]
        return build_fold(builder, [*inputs, *first], range(rank), op)

    return differentiate_as(op, build)


def extract_windows(x: Term, filler: Term, numbers: WindowNumbers) -> Term:
    """All windows of a tensor: the first dimensions number the elements of a window, the others the windows."""
    counts, rank = static(numbers.counts(x.shape)), len(x.shape)
    x = x.pad(numbers.low, numbers.high, numbers.interior, filler)
    shape = []
    for d, (size, count) in enumerate(zip(static(numbers.sizes), counts)):
        indices = np.arange(size)[:, None] * numbers.window_dilations[d] + np.arange(count) * numbers.strides[d]
        x = take(x, d, indices.reshape(-1))
        shape += [size, count]
    return x.reshape(shape).transpose([*range(0, 2 * rank, 2), *range(1, 2 * rank, 2)])


def take(x: Term, axis: int, indices: np.ndarray) -> Term:
    """The elements of x at some indices along a dimension."""
    offset = tuple(d for d in range(len(x.shape)) if d != axis)
    numbers = IndexNumbers(offset, (axis,), (), (), (axis,), 1)
    sizes = [1 if d == axis else size for d, size in enumerate(x.shape)]
    return build_gather(x, x.builder.array(indices, I32), numbers, sizes)


@derivative("stablehlo.select_and_scatter")
def select_and_scatter(op: Pullback) -> Sequence[Contribution]:
    """Each source gets the cotangent of the element that it is scattered to, as in the gradient of max pooling."""
    (x, source, _), (ct,) = op.inputs, op.cotangents
    select, scatter = (Body(region, {}) for region in op.op.regions)
    test = select.region.ops[0]
    direction = str(plain(test.attributes.get("comparison_direction", None)))
    simple = len(select.region.ops) == 2 and test.operands == select.region.arguments and direction in ("GE", "LE")
    if scatter.monoid is not Monoid.SUM or not simple or op.wants[2]:
        raise op.refuse("only a comparison by GE or LE, a sum and a constant initial value are supported")
    if 0 in (*x.shape, *source.shape):
        return [None, source.like(0), None]
    better, worst = (stablehlo.maximum, -np.inf) if direction == "GE" else (stablehlo.minimum, np.inf)
    scalar = TensorType((), x.element)
    numbers = reduction_window(op.attributes, len(x.shape))
    seen = extract_windows(x, op.builder.fill(worst, scalar), numbers)
    cotangents = extract_windows(ct, op.builder.zeros(scalar), numbers)
    length = prod(static(numbers.sizes))
    flat = (length, *source.shape)
    seen, cotangents = seen.reshape(flat), cotangents.reshape(flat)
    best = seen.reduce(better, [0], worst).broadcast(flat, range(1, len(flat)))
    number = op.builder.iota(flat, 0)
    # Of equal elements the first is selected.
    first = seen.compare("EQ", best).where(number, length).reduce(stablehlo.minimum, [0], length)
    chosen = number.compare("EQ", first.broadcast(flat, range(1, len(flat))))
    return [None, chosen.where(cotangents, 0).sum([0]), None]


def repeat_elements(x: Term, times: Sequence[int], shape: Sequence[int]) -> Term:
    """Repeat each element `times` along each dimension; then cut, or pad with zeros, to a shape."""
    split = [size for pair in zip(x.shape, times) for size in pair]
    wide = x.broadcast(split, range(0, len(split), 2)).reshape([n * k for n, k in zip(x.shape, times)])
    return wide.pad([0] * len(times), [size - before for size, before in zip(shape, wide.shape)], [0] * len(times))


# ---------------------------------------------------------------- collectives

# Those of several processes are the few that `specialise.localise` leaves. The loss is the sum of all processes'
# losses.


def groups_of(op: Pullback) -> Groups:
    """The groups of several processes; () if each is alone."""
    groups = members_of(op.attribute("replica_groups"))
    return groups if any(len(group) > 1 for group in groups) else ()


@derivative("stablehlo.all_gather")
def all_gather(op: Pullback) -> Sequence[Contribution]:
    if not (groups := groups_of(op)):
        return collective(op)
    return [swap_rows(ct, groups).sum([0]).reshape(x.shape) for x, ct in zip(op.inputs, op.cotangents)]


@derivative("stablehlo.all_to_all")
def all_to_all(op: Pullback) -> Sequence[Contribution]:
    groups = groups_of(op)
    return [swap_rows(ct, groups) for ct in op.cotangents] if groups else collective(op)


@derivative("stablehlo.collective_permute")
def collective_permute(op: Pullback) -> Sequence[Contribution]:
    """What a target received goes back to its source; what no target received has no effect."""
    (ct,), pairs = op.cotangents, op.attribute("source_target_pairs")
    return [exchange_with("collective_permute", ct, ct.type, source_target_pairs=np.asarray(pairs)[:, ::-1])]


@derivative("stablehlo.all_reduce")
def all_reduce(op: Pullback) -> Sequence[Contribution]:
    if not (groups := groups_of(op)):
        return collective(op)
    expect_sum(op)
    return [sum_in_groups(ct, groups) for ct in op.cotangents]


@derivative("stablehlo.reduce_scatter")
def reduce_scatter(op: Pullback) -> Sequence[Contribution]:
    if not (groups := groups_of(op)):
        return collective(op)
    expect_sum(op)
    return [gather_rows(ct.reshape(ct.shape[1:]), groups) for ct in op.cotangents]


def expect_sum(op: Pullback) -> None:
    if reduction_of(op.op.regions[0]) != "Sum":
        raise op.refuse("it is not a sum")


@derivative("stablehlo.cross-replica-sum")
def collective(op: Pullback) -> Sequence[Contribution]:
    if [x.type for x in op.inputs] != [ct.type for ct in op.cotangents]:
        raise op.refuse("it runs on several devices")
    return op.cotangents


@derivative("stablehlo.collective_broadcast", "stablehlo.collective_reduce")
def rooted_collective(op: Pullback) -> Sequence[Contribution]:
    is_broadcast = op.op.name == "stablehlo.collective_broadcast"
    if is_broadcast and op.attribute("replica_groups").size == 0:
        return [None] * len(op.inputs)  # a process that is in no group gets zeros
    if is_broadcast and (groups := groups_of(op)):
        return [sent_to_first(ct, groups) for ct in op.cotangents]
    if op.attribute("has_dynamic_root") is None:
        return collective(op)
    *_, roots = op.inputs
    here = [roots.slice([i], [i + 1]).reshape(()).compare("EQ", 0) for i in range(len(op.cotangents))]
    return [*(root.broadcast(ct.shape, []).where(ct, 0) for root, ct in zip(here, op.cotangents)), None]


def sent_to_first(x: Term, groups: Groups) -> Term:
    """The sum over a group, for its first process; zeros for the others."""
    rest = max(map(len, groups)) - 1
    rows = x.reshape((1, *x.shape)).pad([0] * (len(x.shape) + 1), [rest, *[0] * len(x.shape)], [0] * (len(x.shape) + 1))
    return swap_rows(rows, groups).sum([0])
