"""Derivatives of ops that read or write at computed indices: a read's cotangent is added where the op read."""

from __future__ import annotations

from collections.abc import Sequence
from math import prod

import numpy as np

from ..ir import BoolAttr, Op, Region, TensorType, Value
from ..ir.dimensions import IndexNumbers, decode_gather, decode_scatter, selection_numbers
from ..ir.dtypes import numpy_dtype
from ..ir.rewrite import clone_region
from ..ops import Monoid
from ..ops.build import I1, I32, Builder, Term, stablehlo
from ..rules.registry import Body
from .tape import Contribution, Pullback, derivative, differentiate_as, scalar_region

# ---------------------------------------------------------------- slices


@derivative("stablehlo.dynamic_slice")
def dynamic_slice(op: Pullback) -> Sequence[Contribution]:
    (ct,), starts = op.cotangents, op.inputs[1:]

    def add_to(total: Term) -> Term:
        old = build_slice(total, starts, ct.shape)
        return stablehlo.dynamic_update_slice(total, old + ct, *starts)

    return [add_to, *[None] * len(starts)]


def build_slice(x: Term, starts: Sequence[Term], sizes: Sequence[int]) -> Term:
    return stablehlo.dynamic_slice(x, *starts, slice_sizes=tuple(sizes))


@derivative("stablehlo.dynamic_update_slice")
def dynamic_update_slice(op: Pullback) -> Sequence[Contribution]:
    (_, update, *starts), (ct,) = op.inputs, op.cotangents
    of_operand = stablehlo.dynamic_update_slice(ct, update.like(0), *starts)
    return [of_operand, build_slice(ct, starts, update.shape), *[None] * len(starts)]


# ---------------------------------------------------------------- gather and scatter


def build_scatter(into: Term, indices: Term, updates: Term, numbers: IndexNumbers, body: Region, **flags: bool) -> Term:
    attributes = {"scatter_dimension_numbers": numbers.scatter_attribute, **flags}
    return into.builder.op(stablehlo.scatter, [into, indices, updates], [into.type], [body], attributes)[0]


def build_gather(x: Term, indices: Term, numbers: IndexNumbers, sizes: Sequence[int]) -> Term:
    """Gather the elements that a scatter with these dimension numbers would overwrite."""
    return stablehlo.gather(x, indices, dimension_numbers=numbers.gather_attribute, slice_sizes=tuple(sizes))


def limits(indices: Term, vector: int, highest: Sequence[int]) -> Term:
    """The largest value in bounds of each component of the index vectors, in the shape of the indices."""
    largest = np.iinfo(numpy_dtype(indices.element)).max
    values = np.minimum(np.array(highest, np.int64), largest)
    if vector == len(indices.shape):
        return indices.like(int(values[0]))
    return indices.builder.array(values, indices.element).broadcast(indices.shape, [vector])


@derivative("stablehlo.gather")
def gather(op: Pullback) -> Sequence[Contribution]:
    (x, indices), (ct,) = op.inputs, op.cotangents
    numbers, sizes = decode_gather(op.attribute("dimension_numbers")), op.attribute("slice_sizes")
    # A gather clamps indices that are out of bounds, a scatter drops them.
    if numbers.index_map:
        highest = [x.shape[d] - sizes[d] for d in numbers.index_map]
        indices = stablehlo.maximum(indices, indices.like(0))
        indices = stablehlo.minimum(indices, limits(indices, numbers.index_vector, highest))
    body = op.builder.scalar_body(stablehlo.add, ct.element)
    return [lambda total: build_scatter(total, indices, ct, numbers, body), None]


@derivative("stablehlo.torch_index_select")
def torch_index_select(op: Pullback) -> Sequence[Contribution]:
    (x, indices), axis, batch = op.inputs, op.attribute("dim"), op.attribute("batch_dims")
    numbers = selection_numbers(len(x.shape), len(indices.shape), axis, batch)
    sizes = tuple(1 if d in (axis, *range(batch)) else size for d, size in enumerate(x.shape))
    return differentiate_as(op, lambda builder, xs: [build_gather(xs[0], xs[1], numbers, sizes)])


@derivative("stablehlo.scatter")
def scatter(op: Pullback) -> Sequence[Contribution]:
    if len(op.inputs) != 3:
        raise op.refuse("it scatters into several tensors at once")
    (x, indices, updates), (result,), (ct,) = op.inputs, op.outputs, op.cotangents
    numbers = decode_scatter(op.attribute("scatter_dimension_numbers"))
    unique, sizes = bool(op.attribute("unique_indices", False)), [1] * len(x.shape)
    for d, update_dimension in zip(numbers.window(len(x.shape)), numbers.offset):
        sizes[d] = updates.shape[update_dimension]
    body = op.op.regions[0]
    monoid = Body(body, {}).monoid
    if 0 in (*x.shape, *updates.shape):
        return [ct, None, updates.like(0)]

    def read(term: Term) -> Term:
        return build_gather(term, indices, numbers, sizes)

    def inside() -> Term:
        """Which updates are in bounds: a scatter drops the others."""
        if not numbers.index_map:
            return op.builder.fill(True, TensorType(updates.shape, I1))
        vector = numbers.index_vector
        highest = [x.shape[d] - sizes[d] for d in numbers.index_map]
        valid = indices.compare("LE", limits(indices, vector, highest)) & indices.compare("GE", 0)
        if vector < len(indices.shape):
            valid = valid.reduce(stablehlo.and_, [vector], True)
        return valid.broadcast(updates.shape, [d for d in range(len(updates.shape)) if d not in numbers.offset])

    match monoid:
        case Monoid.SUM:
            return [ct, None, inside().where(read(ct), 0) if op.wants[2] else None]
        case None if replaces(body):
            of_x = build_scatter(ct, indices, updates.like(0), numbers, clone_region(body))
            if not op.wants[2]:
                return [of_x, None, None]
            # Of several updates of one element the last one counts.
            effective = inside()
            if not unique:
                order = op.builder.iota((updates.size,), 0).reshape(updates.shape)
                last = op.builder.fill(-1, TensorType(x.shape, I32))
                replacing = scalar_region(op.builder, [I32] * 2, lambda old, new: [new])
                last = build_scatter(last, indices, order, numbers, replacing)
                effective = effective & read(last).compare("EQ", order)
            return [of_x, None, effective.where(read(ct), 0)]
        case Monoid.PRODUCT if unique or not op.wants[2]:
            factors = build_scatter(x.like(1), indices, updates, numbers, clone_region(body))
            of_updates = inside().where(read(ct * x.conj()), 0) if op.wants[2] else None
            return [ct * factors.conj(), None, of_updates]
        case Monoid.MAXIMUM | Monoid.MINIMUM:
            # The old number and all updates that equal the result get an equal share.
            old_wins, wins = result.compare("EQ", x), inside() & read(result).compare("EQ", updates)
            add = op.builder.scalar_body(stablehlo.add, x.element)
            count = old_wins.where(x.like(1), 0)
            share = ct / build_scatter(count, indices, wins.where(updates.like(1), 0), numbers, add)
            return [old_wins.where(share, 0), None, wins.where(read(share), 0)]
    raise op.refuse(
        "it combines old and new numbers by an unsupported function, or multiplies at indices that may repeat by"
        " numbers whose gradient is needed"
    )


def replaces(body: Region) -> bool:
    """Whether a region of two arguments returns the second."""
    return len(body.ops) == 1 and body.ops[0].operands == body.arguments[1:]


# ---------------------------------------------------------------- order


@derivative("stablehlo.sort")
def sort(op: Pullback) -> Sequence[Contribution]:
    """The forward pass also sorts the elements' indices; sorting by these moves the cotangents back."""
    shape, axis = op.inputs[0].shape, op.attribute("dimension", -1) % len(op.inputs[0].shape)
    if 0 in shape:
        return op.cotangents
    (region,), forward = op.op.regions, Builder(op.op.location)
    indices = forward.iota(shape, axis)
    scalar = TensorType((), I32)
    comparator = clone_region(region)
    extended = Region((*comparator.arguments, Value("", scalar), Value("", scalar)), comparator.ops)
    order = Value("", TensorType(shape, I32))
    attributes = {**op.op.attributes, "is_stable": BoolAttr(True)}
    operands, results = (*op.op.operands, indices.value), (*op.op.results, order)
    longer = Op(op.op.name, operands, results, attributes, (extended,), op.op.location)
    op.tape.replace(op.op, [*forward.ops, longer])
    terms = [op.builder.term(order), *op.cotangents]
    elements = [term.element for term in terms for _ in "ab"]
    body = scalar_region(op.builder, elements, lambda a, b, *_: [a.compare("LT", b)])
    return op.builder.op(stablehlo.sort, terms, [t.type for t in terms], [body], {"dimension": axis})[1:]


@derivative("chlo.top_k", "@mhlo.topk", "@TopK")
def top_k(op: Pullback) -> Sequence[Contribution]:
    (x,), (_, indices), (ct, _) = op.inputs, op.outputs, op.cotangents
    rows, k = prod(x.shape[:-1]), ct.shape[-1]
    numbers = IndexNumbers((), (1,), (0,), (0,), (1,), 2)
    into = op.builder.zeros(TensorType((rows, x.shape[-1]), x.element))
    body = op.builder.scalar_body(stablehlo.add, x.element)
    of_x = build_scatter(into, indices.reshape((rows, k)), ct.reshape((rows, k)), numbers, body, unique_indices=True)
    return [of_x.reshape(x.shape)]
