"""Derivatives of ops that read or write at computed places: what is read there is added there."""

from __future__ import annotations

from collections.abc import Sequence
from math import prod

import numpy as np

from ..ir import BoolAttr, Op, Region, TensorType, Value
from ..ir.dimensions import IndexNumbers, decode_gather, decode_scatter
from ..ir.dtypes import numpy_dtype
from ..ir.rewrite import clone_region
from ..ops import Monoid
from ..ops.build import I1, I32, Builder, Term, stablehlo
from ..rules.registry import Body
from .tape import Contribution, Pullback, derivative, expanded

# ---------------------------------------------------------------- slices


@derivative("stablehlo.dynamic_slice")
def dynamic_slice(op: Pullback) -> Sequence[Contribution]:
    (ct,), starts = op.cotangents, op.inputs[1:]

    def put(total: Term) -> Term:
        old = sliced(total, starts, ct.shape)
        return stablehlo.dynamic_update_slice(total, old + ct, *starts, type=total.type)

    return [put, *[None] * len(starts)]


def sliced(x: Term, starts: Sequence[Term], sizes: Sequence[int]) -> Term:
    type = TensorType(tuple(sizes), x.element)
    return stablehlo.dynamic_slice(x, *starts, type=type, slice_sizes=tuple(sizes))


@derivative("stablehlo.dynamic_update_slice")
def dynamic_update_slice(op: Pullback) -> Sequence[Contribution]:
    (_, update, *starts), (ct,) = op.inputs, op.cotangents
    left = stablehlo.dynamic_update_slice(ct, update.like(0), *starts, type=ct.type)
    return [left, sliced(ct, starts, update.shape), *[None] * len(starts)]


# ---------------------------------------------------------------- gather and scatter


def scattered(into: Term, indices: Term, updates: Term, numbers: IndexNumbers, body: Region, **flags: bool) -> Term:
    attributes = {"scatter_dimension_numbers": numbers.scatter_attribute, **flags}
    return into.builder.op(stablehlo.scatter, [into, indices, updates], [into.type], [body], attributes)[0]


def gathered(x: Term, indices: Term, shape: Sequence[int], numbers: IndexNumbers, sizes: Sequence[int]) -> Term:
    """What a scatter of these dimension numbers writes over."""
    type, how = TensorType(tuple(shape), x.element), numbers.gather_attribute
    return stablehlo.gather(x, indices, type=type, dimension_numbers=how, slice_sizes=tuple(sizes))


def limits(indices: Term, vector: int, highest: Sequence[int]) -> Term:
    """For each component of the index vectors its largest value in bounds."""
    most = np.iinfo(numpy_dtype(indices.element)).max
    values = np.minimum(np.array(highest, np.int64), most)
    if vector == len(indices.shape):
        return indices.like(int(values[0]))
    return indices.builder.array(values, indices.element).broadcast(indices.shape, [vector])


@derivative("stablehlo.gather")
def gather(op: Pullback) -> Sequence[Contribution]:
    (x, indices), (ct,) = op.inputs, op.cotangents
    numbers, sizes = decode_gather(op.attribute("dimension_numbers")), op.attribute("slice_sizes")
    # A gather clamps, where a scatter drops.
    if numbers.index_map:
        highest = [x.shape[d] - sizes[d] for d in numbers.index_map]
        indices = stablehlo.maximum(indices, indices.like(0))
        indices = stablehlo.minimum(indices, limits(indices, numbers.index_vector, highest))
    body = op.builder.scalar_body(stablehlo.add, ct.element)
    return [lambda total: scattered(total, indices, ct, numbers, body), None]


@derivative("stablehlo.torch_index_select")
def torch_index_select(op: Pullback) -> Sequence[Contribution]:
    (x, indices), (result,), axis = op.inputs, op.outputs, op.attribute("dim")
    if op.attribute("batch_dims"):
        raise op.refuse("it has batch dimensions")
    rank, count = len(result.shape), len(indices.shape)
    numbers = IndexNumbers((*range(axis), *range(axis + count, rank)), (axis,), (), (), (axis,), count)
    sizes = tuple(1 if d == axis else size for d, size in enumerate(x.shape))

    def build(builder: Builder, operands: list[Term]) -> list[Term]:
        x, places = operands
        return [gathered(x, places, result.shape, numbers, sizes)]

    return expanded(op, build)


@derivative("stablehlo.scatter")
def scatter(op: Pullback) -> Sequence[Contribution]:
    if len(op.inputs) != 3:
        raise op.refuse("it scatters into several tensors together")
    (x, indices, updates), (result,), (ct,) = op.inputs, op.outputs, op.cotangents
    numbers = decode_scatter(op.attribute("scatter_dimension_numbers"))
    unique, sizes = bool(op.attribute("unique_indices", False)), [1] * len(x.shape)
    for d, own_dimension in zip(numbers.window(len(x.shape)), numbers.offset):
        sizes[d] = updates.shape[own_dimension]
    body = op.op.regions[0]
    replacing, monoid = replaces(body), Body(body, {}).monoid
    if 0 in (*x.shape, *updates.shape):
        return [ct, None, updates.like(0)]

    def read(term: Term) -> Term:
        return gathered(term, indices, updates.shape, numbers, sizes)

    def inside() -> Term:
        """Which updates are in bounds: a scatter drops the others, where a gather clamps."""
        if not numbers.index_map:
            return op.builder.repeated(True, TensorType(updates.shape, I1))
        vector = numbers.index_vector
        found = indices.compare("LE", limits(indices, vector, [x.shape[d] - sizes[d] for d in numbers.index_map]))
        found = found & indices.compare("GE", 0)
        if vector < len(indices.shape):
            found = found.reduce(stablehlo.and_, [vector], True)
        return found.broadcast(updates.shape, [d for d in range(len(updates.shape)) if d not in numbers.offset])

    match monoid:
        case Monoid.SUM:
            return [ct, None, inside().where(read(ct), 0) if op.wants[2] else None]
        case None if replacing:
            left = scattered(ct, indices, updates.like(0), numbers, clone_region(body))
            if not op.wants[2]:
                return [left, None, None]
            # Of several updates of one element the last one counts.
            kept = inside()
            if not unique:
                numbered = op.builder.iota((updates.size,), 0).reshape(updates.shape)
                last = op.builder.repeated(-1, TensorType(x.shape, I32))
                last = scattered(last, indices, numbered, numbers, second(op.builder))
                kept = kept & read(last).compare("EQ", numbered)
            return [left, None, kept.where(read(ct), 0)]
        case Monoid.PRODUCT if unique:
            once = scattered(x.like(1), indices, updates, numbers, clone_region(body))
            return [ct * once.conj(), None, inside().where(read(ct * x.conj()), 0)]
        case Monoid.MAXIMUM | Monoid.MINIMUM:
            # All that are the result have an equal part.
            own, kept = result.compare("EQ", x), inside() & read(result).compare("EQ", updates)
            one = own.where(x.like(1), 0)
            total = op.builder.scalar_body(stablehlo.add, x.element)
            part = ct / scattered(one, indices, kept.where(updates.like(1), 0), numbers, total)
            return [own.where(part, 0), None, kept.where(read(part), 0)]
    raise op.refuse("it combines old and new numbers by a function of its own, or at places that need not be unique")


def replaces(body: Region) -> bool:
    """Whether a region of two arguments returns the second."""
    return len(body.ops) == 1 and body.ops[0].operands == body.arguments[1:]


def second(builder: Builder) -> Region:
    """The region that returns the second of two whole numbers."""
    arguments = tuple(Value("", TensorType((), I32)) for _ in "ab")
    inner = Builder(builder.location)
    inner.returned([inner.term(arguments[1])])
    return Region(arguments, tuple(inner.ops))


# ---------------------------------------------------------------- order


@derivative("stablehlo.sort")
def sort(op: Pullback) -> Sequence[Contribution]:
    """The forward pass sorts the places along; sorted by these, the cotangents are where they were."""
    shape, axis = op.inputs[0].shape, op.attribute("dimension", -1) % len(op.inputs[0].shape)
    if 0 in shape:
        return op.cotangents
    (region,), build = op.op.regions, Builder(op.op.location)
    places = build.iota(shape, axis)
    scalar = TensorType((), I32)
    known = clone_region(region)
    extended = Region((*known.arguments, Value("", scalar), Value("", scalar)), known.ops)
    order = Value("", TensorType(shape, I32))
    attributes = {**op.op.attributes, "is_stable": BoolAttr(True)}
    operands, results = (*op.op.operands, places.value), (*op.op.results, order)
    sorted_along = Op(op.op.name, operands, results, attributes, (extended,), op.op.location)
    op.tape.replace(op.op, [*build.ops, sorted_along])
    numbers = tuple(Value("", scalar) for _ in "ab")
    others = [Value("", TensorType((), ct.element)) for ct in op.cotangents for _ in "ab"]
    inner = Builder(op.op.location)
    a, b = (inner.term(v) for v in numbers)
    inner.returned([a.compare("LT", b)])
    body = Region((*numbers, *others), tuple(inner.ops))
    terms = [op.builder.term(order), *op.cotangents]
    _, *found = op.builder.op(stablehlo.sort, terms, [t.type for t in terms], [body], {"dimension": axis})
    return found


@derivative("chlo.top_k", "@mhlo.topk", "@TopK")
def top_k(op: Pullback) -> Sequence[Contribution]:
    (x,), (_, places), (ct, _) = op.inputs, op.outputs, op.cotangents
    rows, k = prod(x.shape[:-1]), ct.shape[-1]
    numbers = IndexNumbers((), (1,), (0,), (0,), (1,), 2)
    into = op.builder.zeros(TensorType((rows, x.shape[-1]), x.element))
    body = op.builder.scalar_body(stablehlo.add, x.element)
    found = scattered(into, places.reshape((rows, k)), ct.reshape((rows, k)), numbers, body, unique_indices=True)
    return [found.reshape(x.shape)]
