"""Finds the gradients of attention among ops, which read the scores that its result was computed from.

However a program spells them, between the products they are sums of products of few things: of the exponentials and
their sums, of the gradient with regard to weights (a product of the result's gradient with the values), and of its mean
among the weights. So what ops compute is written as such a polynomial and compared with what a gradient is.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from heapq import heappop, heappush
from itertools import product
from math import isclose, prod
from typing import Any, NamedTuple

from ..ir import Op, ScalarType, Value
from ..ir.dimensions import DotNumbers, dot_numbers, static
from ..ir.dtypes import static_shape, strides_of
from ..ir.rewrite import free_values, with_element, with_shape
from ..ir.sizes import typical
from ..ops import Monoid, Trait, has
from ..ops.build import stablehlo
from ..records import dataclass
from .attention_graph import (
    FLOATS,
    FoundAttention,
    OpGraph,
    Slice,
    converts_floats,
    is_plain,
    short_name,
    strides_of_side,
)
from .gemm import (
    View,
    broadcast,
    element_name,
    is_broadcast,
    is_exact,
    is_reshape,
    order_of,
    reshape_view,
    view,
)
from .heads import BiasGradient, Change, Gradients, StoredGradient, Strides
from .strides import along, find_contraction, operand_strides

# The exponents of a term: of an exponential, of the sum of these, of the weight's gradient, of the mean of these
# gradients among the weights, and of the hyperbolic tangent of a score.
Exponents = tuple[int, int, int, int, int]
TermFactors = Mapping[Exponents, float]
ONE, POWER, SUM, GRADIENT, TANH = (0, 0, 0, 0, 0), (1, 0, 0, 0, 0), (0, 1, 0, 0, 0), (0, 0, 1, 0, 0), (0, 0, 0, 0, 1)
# Weights; the gradient of changed scores; and by what that of a score is multiplied whose hyperbolic tangent is taken.
WEIGHTS: TermFactors = {(1, -1, 0, 0, 0): 1.0}
SCORES: TermFactors = {(1, -1, 1, 0, 0): 1.0, (1, -1, 0, 1, 0): -1.0}
STEEPNESS: TermFactors = {ONE: 1.0, (0, 0, 0, 0, 2): -1.0}
# What a mask does to a value: the buffer, its strides, and whether the value is kept where that is true.
Mask = tuple[Value, Strides, str]
# Few queries for the same keys have so many scores at least, or their kernels take longer to start than to run.
FEW_QUERIES, LEAST_SCORES = 16, 1 << 14
# A target may store scores of f32 with wider heads that are as exact as f32, if there is more work than this, and they
# take at most so many bytes: GPUs' libraries take 0.29 of the time for 67 million scores of heads of 256 on an H200,
# and round a tenth as much. On a CPU (Zen 5), computing those again takes as long, and less with a causal mask.
WIDEST_F32, MOST_F32, MOST_BYTES = 128, 1 << 31, 2 << 30


class Polynomial(NamedTuple):
    """Factors by exponents, of a value whose dimensions have these strides in the scores; masks make it 0 elsewhere."""

    terms: TermFactors
    strides: Strides
    masks: frozenset[Mask] = frozenset()


@dataclass(frozen=True, eq=False)
class FoundGradients:
    """Gradients of attention among ops.

    `first` is the first op that computes any of them, and `gone` are all ops that only they read. `statistics` are
    values that attention computes, too, with `strides` along its dimensions, after `conversions` which are not among
    the ops. `cotangents` is the buffer of the gradient of the attention's result.
    """

    gradients: Gradients
    results: tuple[Value, ...]
    first: Op
    gone: set[Op]
    statistics: tuple[Value, ...]
    strides: tuple[Strides, ...]
    conversions: tuple[Op, ...]
    cotangents: Value


def find_gradients(graph: OpGraph, found: FoundAttention, stores_wide: bool) -> FoundGradients | None:
    """The gradients of an attention, if only they read its scores besides the attention itself.

    The target may store scores of wide heads that are as exact as f32; see `WIDEST_F32`.
    """
    h = found.heads
    kind, scores = h.types[0], typical(prod(h.sizes) * h.keys)
    if typical(h.rows) < FEW_QUERIES and scores < LEAST_SCORES:
        return None
    is_slow = kind == "f32" and max(h.depth, h.width) > WIDEST_F32 and typical(h.flops) > MOST_F32
    is_stored = stores_wide and is_slow and 4 * scores <= MOST_BYTES
    if is_stored and any(is_exact(op) for op in found.parts if has(op, Trait.DOT)):
        return None
    if {*h.types[:3], h.rounded[3]} != {kind} or (kind == "f32" and {*h.types, *h.rounded} != {"f32"}):
        return None
    if any(c.kind in ("multiply", "divide") and c.strides is not None for c in found.changes):
        return None
    return GradientFinder(graph, found, kind).find() if h.shifted or kind != "f16" else None


def results_before(graph: OpGraph, ops: Sequence[Op]) -> dict[Op, list[Op]]:
    """The products of weights with values that are missing before ops, since only gradients are wanted.

    A vector-Jacobian product, such as `jax.vjp` gives, reads no result of attention.
    """
    dots = [op for op in ops if has(op, Trait.DOT) and is_plain(op)]
    missing, there = dict[Value, tuple[Op, int]](), set[Value]()
    for dot in dots:
        for side in (0, 1):
            if (softmax := graph.softmax(dot.operands[side])) is None:
                continue
            numbers, weights = dot_numbers(dot), softmax.weights
            step = strides_of(static_shape(softmax.scores.type))[softmax.dimension]
            added_up = numbers.rhs_contracting if side else numbers.lhs_contracting
            if any(weights.strides[d] == step and weights.shape[d] != 1 for d in added_up):  # along the keys
                there.add(softmax.powers)
            else:
                missing.setdefault(softmax.powers, (dot, side))
    lacking = [given for powers, given in missing.items() if powers not in there]
    found = {dot: result_before(graph, dot, side, dots) for dot, side in lacking}
    return {dot: [result] for dot, result in found.items() if result is not None}


def result_before(graph: OpGraph, dot: Op, side: int, dots: Sequence[Op]) -> Op | None:
    """The product of weights, an operand of the values' gradient `dot`, with the values that another product reads."""
    weights, cotangents = dot.operands[side], graph.find_slice(dot.operands[1 - side])
    shape = static_shape(weights.type)
    own = strides_of_side(dot, side, cotangents, strides_of(static_shape(dot.results[0].type)))
    if own is None:
        return None
    for other in dots:
        views, numbers = [graph.find_slice(v) for v in other.operands], dot_numbers(other)
        result, strides = static_shape(other.results[0].type), operand_strides(other, views)
        for n in (0, 1):
            values, rank = other.operands[1 - n], len(views[1 - n].shape)
            if other is dot or views[n].source is not cotangents.source or prod(result) != prod(shape):
                continue
            # The dimensions of values, by those of the other product's result.
            batching, free = (
                (numbers.rhs_batching, numbers.rhs_free(rank))
                if n == 0
                else (numbers.lhs_batching, numbers.lhs_free(rank))
            )
            first = len(result) - len(free) if n == 0 else len(batching)
            axes = {**dict(enumerate(batching)), **{first + i: d for i, d in enumerate(free)}}
            pairs = [
                (d, axes[axis])
                for d, (size, stride) in enumerate(zip(shape, own.other))
                for axis, m in enumerate(result)
                if size == m != 1 and strides[n][axis] == stride and axis in axes
            ]
            batch, keys = ([(d, v) for d, v in pairs if bool(own.other[d]) == varies] for varies in (True, False))
            once = len(dict(pairs)) == len({v for _, v in pairs}) == len(pairs)
            if not once or not keys or element_name(values) != element_name(weights):
                continue
            if not graph.is_before(values, dot):
                continue
            (left, right), (inner, other_inner) = zip(*batch) if batch else ((), ()), zip(*keys)
            chosen = DotNumbers(left, right, inner, other_inner)
            target = with_shape(weights, static(chosen.result_shape(shape, static_shape(values.type))))
            attributes: dict[str, Any] = {**dot.attributes, "dot_dimension_numbers": chosen.attribute}
            return stablehlo.dot_general.op((weights, values), (target,), dot.location, **attributes)
    return None


class GradientFinder:
    """Follows what is computed from the scores of one attention."""

    def __init__(self, graph: OpGraph, found: FoundAttention, kind: str) -> None:
        self.graph, self.found, self.kind = graph, found, kind
        self.known: dict[Value, Polynomial] = {}
        self.waiting: list[tuple[int, Op]] = []  # no two ops have the same number
        self.seen: set[Op] = set()
        self.readers: set[Op] = set()  # of gradients of scores that are stored for them
        self.product: Op | None = None  # the gradient with regard to weights
        self.cotangents: tuple[Value, Strides] | None = None
        self.wanted: dict[int, tuple[Op, StoredGradient, Value, tuple[bool, ...]]] = {}
        self.biases: dict[Value, tuple[Op, BiasGradient]] = {}
        # The gradients of scores before each of their changes, and after all.
        self.stages = [Polynomial(SCORES, ())]
        buffers = [*found.buffers]
        for change in reversed(found.changes):
            buffer = None if change.strides is None else buffers.pop()
            self.stages.insert(0, before(self.stages[0], change, buffer))

    def find(self) -> FoundGradients | None:
        f = self.found
        powers, scores = f.softmax.powers, static_shape(f.softmax.scores.type)
        if static_shape(powers.type) != scores:
            return None
        self.add(powers, Polynomial({POWER: 1.0}, strides_of(scores)))
        tangents = [op for op in f.inner if short_name(op) == "tanh"]
        if len(tangents) > 1:
            return None
        for op in tangents:
            shape, strides = static_shape(op.results[0].type), self.graph.places.get(op.results[0])
            places = strides and along(shape, strides_of(shape), f.shape, strides, strides_of(f.shape))
            if not places:
                return None
            self.add(op.results[0], Polynomial({TANH: 1.0}, places))
        while self.waiting:
            _, op = heappop(self.waiting)
            computed = self.compute(op)
            if computed is not None:
                self.add(op.results[0], computed)
            elif op not in f.inner and not self.find_product(op) and not self.find_biases(op):
                return None
        ours = {*f.inner, *self.seen, *([self.product] if self.product else ())}
        found = self.wanted.keys() & {0, 1} if self.readers else (self.wanted or self.biases)
        if self.product is None or not found or any(op not in ours for op in self.graph.readers_outside(f)):
            return None
        return self.describe(ours)

    def add(self, value: Value, polynomial: Polynomial) -> None:
        self.known[value] = polynomial
        for op in self.graph.readers.get(value, ()):
            if op not in self.seen:
                self.seen.add(op)
                heappush(self.waiting, (self.graph.order[op], op))

    def compute(self, op: Op) -> Polynomial | None:
        """What an op computes that reads what is known; None if that is no polynomial."""
        if len(op.results) != 1 or element_name(op.results[0]) not in FLOATS:
            return None
        shape = static_shape(op.results[0].type)
        if has(op, Trait.REDUCTION):
            return self.reduce(op)
        if len(op.operands) == 1 and (x := self.known.get(op.operands[0])) is not None:
            whole = View(op.operands[0], static_shape(op.operands[0].type), x.strides, ())
            strides: Strides | None = None
            if converts_floats(op):
                strides = x.strides
            elif (order := order_of(op)) is not None:
                strides = tuple(x.strides[d] for d in order)
            elif is_reshape(op):
                strides = reshape_view(whole, shape)
            elif is_broadcast(op):
                strides = broadcast(whole, shape, op)
            elif short_name(op) == "negate":
                return x._replace(terms={each: -factor for each, factor in x.terms.items()})
            return None if strides is None else x._replace(strides=strides)
        return self.combine(op, short_name(op), shape)

    def combine(self, op: Op, name: str, shape: Sequence[int]) -> Polynomial | None:
        """What an elementwise op with several operands computes."""
        if name == "select":
            return self.select(op)
        if name not in ("add", "subtract", "multiply", "divide"):
            return None
        strides = next(x.strides for v in op.operands if (x := self.known.get(v)) is not None)
        known = [self.polynomial(v, shape, strides) for v in op.operands]
        a, b = known
        if a is None or b is None or (places := same_places(shape, a.strides, b.strides)) is None:
            return None
        if name in ("add", "subtract"):
            if a.masks != b.masks:
                return None
            sign = 1 if name == "add" else -1
            terms = dict(a.terms)
            for each, factor in b.terms.items():
                terms[each] = terms.get(each, 0.0) + sign * factor
            return Polynomial({each: factor for each, factor in terms.items() if factor}, places, a.masks)
        if name == "divide":
            if len(b.terms) != 1 or b.masks or 0.0 in b.terms.values():
                return None
            ((e, total, gradient, mean, tangent), factor), *_ = b.terms.items()
            b = b._replace(terms={(-e, -total, -gradient, -mean, -tangent): 1 / factor})
        return Polynomial(times(a.terms, b.terms), places, a.masks | b.masks)

    def polynomial(self, value: Value, shape: Sequence[int], strides: Strides) -> Polynomial | None:
        """What an operand is: known, a number, or the gradient with regard to weights."""
        if value in self.known:
            return self.known[value]
        if (number := self.graph.number(value)) is not None:
            return Polynomial({ONE: number} if number else {}, (0,) * len(shape))
        return self.weight_gradient(value, shape, strides)

    def weight_gradient(self, value: Value, shape: Sequence[int], strides: Strides) -> Polynomial | None:
        """A value as the product of the result's gradient and the values, whose dimensions have strides in scores."""
        f = self.found
        if self.product is not None or (looked := self.graph.look(value)) is None:
            return None
        # What it is multiplied by may repeat numbers along the keys.
        keys = [d for d, stride in enumerate(strides) if not stride and shape[d] != 1]
        if [shape[d] for d in keys] == [f.shape[f.dimension]]:
            step = strides_of(f.shape)[f.dimension]
            strides = tuple(step if d in keys else stride for d, stride in enumerate(strides))
        x, dot = looked[0], self.graph.definitions.get(looked[0].source)
        if dot is None or not has(dot, Trait.DOT) or not is_plain(dot):
            return None
        result = static_shape(dot.results[0].type)
        places = along(result, strides_of(result), shape, x.strides, strides)
        views = [self.graph.find_slice(v) for v in dot.operands]
        sides, depths = operand_strides(dot, views), find_contraction(dot, views)
        if places is None or depths is None:
            return None
        a, b = (along(f.shape, strides_of(f.shape), result, places, side) for side in sides)
        count, *steps = depths
        for values, others, n in ((a, b, 0), (b, a, 1)):
            operand, other = views[n], views[1 - n]
            if values is None or others is None:
                continue
            if not self.is_read(operand, (*values, steps[n]), 2) or count != f.heads.width:
                continue
            if not self.is_cotangent(other, others, steps[1 - n]):
                continue
            self.product = dot
            self.add(dot.results[0], Polynomial({GRADIENT: 1.0}, places))
            return Polynomial({GRADIENT: 1.0}, strides)
        return None

    def in_order(self, strides: Sequence[int], *last: int) -> Strides:
        return (*(strides[d] for d in self.found.outer), *last)

    def is_read(self, operand: Slice, strides: Sequence[int], which: int) -> bool:
        """Whether an operand, with strides along the scores' dimensions and its own, is what attention reads."""
        f, h = self.found, self.found.heads
        expected = (h.queries, h.key, h.values)[which]
        given = self.in_order(strides, strides[f.dimension], strides[-1])
        same = operand.source is f.read[which].source and operand.begin == f.read[which].begin
        return same and operand.starts == f.read[which].starts and given == expected

    def select(self, op: Op) -> Polynomial | None:
        """A value that is kept where a mask is true, or where it is not, and 0 elsewhere."""
        mask, *others = op.operands
        for value, other, action in ((others[0], others[1], "keep"), (others[1], others[0], "drop")):
            if (x := self.known.get(value)) is None or self.graph.number(other) != 0:
                continue
            if static_shape(mask.type) != static_shape(value.type):
                continue
            shape, found = self.found.shape, view(mask, self.graph.definitions)
            strides = along(shape, strides_of(shape), found.shape, x.strides, found.strides)
            if strides is not None:
                return x._replace(masks=x.masks | {(found.source, strides, action)})
        return None

    def reduce(self, op: Op) -> Polynomial | None:
        """A sum along the keys; one along dimensions of size 1 changes nothing."""
        f, reduced = self.found, self.graph.reduced_dimensions(op, Monoid.SUM)
        if reduced is None or (x := self.known.get(op.operands[0])) is None or x.masks:
            return None
        shape = static_shape(op.operands[0].type)
        kept = tuple(stride for d, stride in enumerate(x.strides) if d not in reduced)
        long = [d for d in reduced if shape[d] != 1]
        if not long:
            return Polynomial(x.terms, kept)
        (d,) = long if len(long) == 1 else (-1,)
        keys = f.shape[f.dimension]
        if d < 0 or shape[d] != keys or x.strides[d] != strides_of(f.shape)[f.dimension]:
            return None
        terms: dict[Exponents, float] = {}
        for (power, total, gradient, mean, tangent), factor in x.terms.items():
            if power != 1 or gradient > 1 or tangent:
                return None
            left = (0, total + 1, 0, mean + gradient, 0)
            terms[left] = terms.get(left, 0.0) + factor
        return Polynomial(terms, kept) if any(terms.values()) else None

    def find_product(self, dot: Op) -> bool:
        """Whether an op is the product that computes one of the gradients."""
        f, h = self.found, self.found.heads
        if not has(dot, Trait.DOT) or not is_plain(dot):
            return False
        side = 0 if dot.operands[0] in self.known else 1
        x, other = self.known[dot.operands[side]], self.graph.find_slice(dot.operands[1 - side])
        looked = self.graph.look(dot.operands[side])
        if looked is None or dot.operands[1 - side] in self.known or looked[1] != self.kind:
            return False
        value, steps = self.graph.trace_movements(dot.results[0], converts_floats)
        if (found := strides_of_side(dot, side, other, steps)) is None:
            return False
        places = f.shape, strides_of(f.shape), static_shape(dot.operands[side].type), x.strides
        of_other, to, added = (along(*places, each) for each in (found.other, found.result, found.added))
        if of_other is None or to is None or added is None:
            return False
        contracted, count, step, out = tuple(bool(n) for n in added), found.size, found.step, found.result_step
        while (added_up := self.add_up(value, self.graph.only_reader(value), to, out, count)) is not None:
            value, to, out, also = added_up
            contracted = tuple(a or b for a, b in zip(contracted, also))
        is_weights = same_terms(x.terms, WEIGHTS) and not x.masks
        which = 0 if contracted[f.dimension] else 2 if is_weights else 1
        if which == 2:
            fits = count == h.width and self.is_cotangent(other, of_other, step)
        else:
            is_first = x.masks == self.stages[0].masks and same_terms(x.terms, self.stages[0].terms)
            fits = count == h.depth and is_first and self.is_read(other, (*of_other, step), 1 - which)
        if not fits or which in self.wanted or (which == 0 and sum(contracted) > 1):
            return False
        outer = tuple(contracted[d] for d in f.outer)
        if which and any((h.key[d] or h.values[d]) and is_added for d, is_added in enumerate(outer)):
            return False
        gradient = StoredGradient(self.in_order(to, to[f.dimension], out), element_name(value))
        self.wanted[which] = dot, gradient, value, outer
        return True

    def find_biases(self, op: Op) -> bool:
        """Whether all that an op reads are gradients of scores: it may add these up, or they are stored for it."""
        return all(self.find_bias(op, value) for value in free_values(op) if value in self.known)

    def find_bias(self, op: Op, value: Value) -> bool:
        f, x, looked, shape = self.found, self.known[value], self.graph.look(value), static_shape(value.type)
        stages = [(n, factor) for n, stage in enumerate(self.stages) if (factor := times_of(x, stage))]
        strides = along(f.shape, strides_of(f.shape), shape, x.strides, strides_of(shape))
        if not stages or looked is None or looked[1] not in ("f32", self.kind):
            return False
        if strides is None or prod(shape) != prod(f.shape):
            return False
        result, reader = value, op if op.results else None
        while (added_up := self.add_up(result, reader, strides, 0, 1)) is not None:
            result, strides, *_ = added_up
            reader = self.graph.only_reader(result)
        gradient = BiasGradient(self.in_order(strides, strides[f.dimension]), element_name(result), *stages[-1])
        self.biases[result] = op if result is not value else self.graph.definitions[value], gradient
        if result is value:
            self.readers.add(op)
        return True

    def add_up(
        self, value: Value, op: Op | None, strides: Strides, step: int, count: int
    ) -> tuple[Value, Strides, int, tuple[bool, ...]] | None:
        """A sum that an op computes of a value, as that of repeated keys: its strides, and the dimensions that it adds.

        `step` is the stride of the `count` numbers of each gradient.
        """
        shape = static_shape(value.type)
        reduced = None if op is None else self.graph.reduced_dimensions(op, Monoid.SUM)
        if op is None or reduced is None or op.operands[0] is not value:
            return None
        result = op.results[0]
        kept = iter(strides_of(static_shape(result.type)))
        to = [0 if d in reduced else next(kept) for d in range(len(shape))]
        places, f = (shape, strides_of(shape)), self.found
        new = along(f.shape, strides, *places, to)
        also = along(f.shape, strides, *places, [d in reduced for d in range(len(shape))])
        columns = along([count], [step], *places, to)
        moved, steps = self.graph.trace_movements(result, converts_floats)
        if new is None or also is None or columns is None or element_name(moved) not in FLOATS:
            return None
        if count != 1 and not columns[0]:
            return None
        places = static_shape(result.type), strides_of(static_shape(result.type))
        after, apart = along(f.shape, new, *places, steps), along([count], columns, *places, steps)
        if after is None or apart is None:
            return None
        return moved, after, apart[0], tuple(bool(n) for n in also)

    def is_cotangent(self, other: Slice, strides: Sequence[int], step: int) -> bool:
        """Whether an operand may be the gradient of the result, and is no other than was found before."""
        whole = not other.starts and not other.begin and element_name(other.source) == self.kind
        if not whole or strides[self.found.dimension]:
            return False
        given = other.source, self.in_order(strides, 0, step)
        self.cotangents = self.cotangents or given
        return given[0] is self.cotangents[0] and given[1] == self.cotangents[1]

    def describe(self, ours: set[Op]) -> FoundGradients | None:
        f, h, graph = self.found, self.found.heads, self.graph
        assert self.cotangents is not None
        added = {contracted for n, (*_, contracted) in self.wanted.items() if n}
        shared = tuple(d >= len(h.sizes) - h.shared for d in range(len(h.sizes)))
        if len(added) > 1:
            return None
        contracted = next(iter(added), shared)
        order = sorted(range(len(h.sizes)), key=lambda d: contracted[d])
        statistics, strides, conversions = list[Value](), list[Strides](), list[Op]()
        scores = static_shape(f.softmax.scores.type)
        rows = [0 if d == f.dimension else stride for d, stride in enumerate(strides_of(f.shape))]
        for read in (f.softmax.sums, f.softmax.highest):
            if read is None:
                continue
            places, value = along(f.shape, rows, scores, strides_of(scores), read.strides), read.source
            if places is None:
                return None
            if element_name(value) != "f32":
                wide = with_element(value, ScalarType("f32"))
                conversions.append(stablehlo.convert.op((value,), (wide,), graph.definitions[value].location))
                value = wide
            statistics.append(value)
            strides.append(self.in_order(places, 0))
        wanted, biases = [self.wanted.get(n) for n in range(3)], self.biases.values()
        gradients = Gradients(
            h,
            tuple(strides),
            self.cotangents[1],
            self.kind,
            tuple(w and w[1] for w in wanted),  # type: ignore[arg-type]
            tuple(gradient for _, gradient in biases),
        ).in_order(order, sum(contracted))
        # One step computes all gradients, in place of the first op that computes any.
        first = min((*(w[0] for w in wanted if w), *(op for op, _ in biases)), key=graph.order.__getitem__)
        if graph.order[f.last] > graph.order[first] or not graph.is_before(self.cotangents[0], first):
            return None
        return FoundGradients(
            gradients, (*(w[2] for w in wanted if w), *self.biases), first, ours - self.readers, tuple(statistics),
            tuple(strides), tuple(conversions), self.cotangents[0],
        )  # fmt: skip


def before(gradient: Polynomial, change: Change, buffer: Value | None) -> Polynomial:
    """The gradient of scores before a change, which may read a buffer, given that of the changed ones."""
    match change.kind:
        case "multiply":
            return gradient._replace(terms=times(gradient.terms, {ONE: change.number}))
        case "divide":
            return gradient._replace(terms=times(gradient.terms, {ONE: 1 / change.number if change.number else 0.0}))
        case "tanh":
            return gradient._replace(terms=times(gradient.terms, STEEPNESS))
        case "keep" | "drop" if buffer is not None and change.strides is not None:
            return gradient._replace(masks=gradient.masks | {(buffer, change.strides, change.kind)})
    return gradient


def times_of(x: Polynomial, other: Polynomial) -> float:
    """By what number another value is multiplied; 0 if by none."""
    factor = next((x.terms.get(each, 0.0) / number for each, number in other.terms.items()), 0.0)
    return factor if x.masks == other.masks and same_terms(x.terms, times(other.terms, {ONE: factor})) else 0.0


def times(a: TermFactors, b: TermFactors) -> TermFactors:
    """The product of two polynomials."""
    terms: dict[Exponents, float] = {}
    for (x, one), (y, other) in product(a.items(), b.items()):
        both = (x[0] + y[0], x[1] + y[1], x[2] + y[2], x[3] + y[3], x[4] + y[4])
        terms[both] = terms.get(both, 0.0) + one * other
    return {each: factor for each, factor in terms.items() if factor}


def same_terms(a: TermFactors, b: TermFactors) -> bool:
    return a.keys() == b.keys() and all(isclose(factor, b[each], rel_tol=1e-3) for each, factor in a.items())


def same_places(shape: Sequence[int], a: Strides, b: Strides) -> Strides | None:
    """The strides of what is computed from two arrays, either of which may repeat its elements along dimensions."""
    if any(x and y and x != y for size, x, y in zip(shape, a, b) if size != 1):
        return None
    return tuple(x or y for x, y in zip(a, b))
