"""Ops as a graph in which attention is found: the softmax of queries times keys, times values.

What happens to scores before the softmax (a scale, a mask, a bias) is described by a list of changes; scores to which
anything else happens stay matrix products and kernels.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from math import frexp, inf, prod
from typing import Any, NamedTuple

import ml_dtypes
import numpy as np

from ..ir import DenseAttr, Op, Value
from ..ir.dimensions import dot_numbers
from ..ir.dtypes import static_shape, strides_of
from ..ir.rewrite import free_values
from ..ops import Monoid, Trait, has, monoid_of
from ..ops.attributes import plain
from ..ops.build import stablehlo
from ..records import dataclass
from ..rules.registry import Body
from .gemm import (
    View,
    element_name,
    is_broadcast,
    is_conversion,
    is_product,
    is_reshape,
    is_widening,
    merged_stride,
    order_of,
    view,
)
from .heads import INDICES, Change, Heads, Offset, Strides
from .loops import whole_number
from .strides import along, find_contraction, operand_strides, refine

# How an elementwise op changes a score, by its name without the dialect: the positions that the score may have among
# the operands, and the kinds of the change. A selection keeps scores where a mask is true, or drops them.
CHANGES = {
    "add": {0: "add", 1: "add"},
    "multiply": {0: "multiply", 1: "multiply"},
    "subtract": {0: "subtract"},
    "divide": {0: "divide"},
    "tanh": {0: "tanh"},
    "select": {1: "keep", 2: "drop"},
}
# Scores with more changes than this stay matrix products and kernels.
MOST_CHANGES = 8

# The types of constants by which scores are changed.
NUMBERS: Mapping[str, Any] = {"f32": np.float32, "f64": np.float64, "bf16": ml_dtypes.bfloat16, "f16": np.float16}
# The types of operands, and those to which a program may round on the way; everything is computed in f32.
FLOATS = ("f32", "bf16", "f16")


@dataclass(frozen=True)
class Slice(View):
    """A view that begins at an offset for each of these values."""

    starts: tuple[tuple[Value, Offset], ...] = ()


@dataclass(frozen=True, eq=False)
class Softmax:
    """The softmax of scores along a dimension; `weights` are the strides in its result of a value made from that.

    `rounded` is that of `Heads`. `powers` are the exponentials, before conversions; `sums` what they are divided by,
    and `highest` what is subtracted before, if anything is, as views whose source is what the reduction computes.
    """

    weights: View
    scores: Value
    dimension: int
    rounded: tuple[str, str, str, str]
    powers: Value
    sums: View
    highest: View | None


@dataclass(frozen=True, eq=False)
class FoundAttention:
    """Attention among ops: its data, the softmax in it, and the shape and dimension along which it describes that.

    `read` are queries, keys and values, and `sources` all buffers that it reads. `changes` are those of `heads` with
    strides along the dimensions of `shape`, and `outer` the ones of these that `heads` has before the keys. `product`
    is that of queries and keys, and `last` the one with values. `parts` are the ops that compute the result from those
    buffers, and `inner` those among them that depend on scores.
    """

    heads: Heads
    softmax: Softmax
    shape: tuple[int, ...]
    dimension: int
    outer: tuple[int, ...]
    changes: tuple[Change, ...]
    read: tuple[Slice, Slice, Slice]
    buffers: tuple[Value, ...]
    sources: tuple[Value, ...]
    result: Value
    product: Op
    last: Op
    parts: tuple[Op, ...]
    inner: set[Op]


def short_name(op: Op) -> str:
    """The name of an elementwise op without the dialect; "" for other ops."""
    return op.name.rpartition(".")[2] if has(op, Trait.ELEMENTWISE) else ""


class OpGraph:
    """The ops of a block, with the definitions and readers of its values."""

    def __init__(self, ops: Sequence[Op], constants: Mapping[Value, Op], invariant: bool) -> None:
        self.invariant = invariant
        self.order = {op: number for number, op in enumerate((*dict.fromkeys(constants.values()), *ops))}
        self.definitions = {v: op for op in self.order for v in op.results}
        self.places: dict[Value, Strides] = {}  # of hyperbolic tangents, along the dimensions of a softmax
        self.readers: dict[Value, list[Op]] = {}
        for op in ops:
            for value in free_values(op):
                self.readers.setdefault(value, []).append(op)

    def append(self, ops: Iterable[Op]) -> None:
        """Add ops that come after all others."""
        for op in ops:
            self.order[op] = len(self.order)
            self.definitions.update(dict.fromkeys(op.results, op))

    def only_reader(self, value: Value) -> Op | None:
        readers = self.readers.get(value, ())
        return readers[0] if len(readers) == 1 else None

    def is_before(self, value: Value, op: Op) -> bool:
        """Whether a value is known before an op."""
        definition = self.definitions.get(value)
        return definition is None or self.order[definition] < self.order[op]

    def attention(self, dot: Op) -> FoundAttention | None:
        """The attention whose last product is `dot`; others may read its scores, too."""
        if not is_plain(dot):
            return None
        for side in (0, 1):
            if (softmax := self.softmax(dot.operands[side])) is None:
                continue
            weights = softmax.weights
            shape = static_shape(softmax.scores.type)
            shape, dimension = refine(shape, softmax.dimension, weights)
            if (first := self.scores(softmax.scores, shape, strides_of(shape), MOST_CHANGES)) is None:
                continue
            product, sides, changes, buffers = first
            step = self.describe_step(dot, side, weights, shape, dimension, product, sides, changes)
            if step is None:
                continue
            heads, outer, read, result = step
            heads = replace(heads, rounded=softmax.rounded, shifted=softmax.highest is not None)
            starts = [start for x in read for start, _ in x.starts]
            sources = (*(x.source for x in read), *buffers, *starts)
            parts = self.between(sources, [result])
            inner = depending(parts, product)
            return FoundAttention(
                heads, softmax, shape, dimension, outer, changes, read, buffers, sources, result, product, dot, parts,
                inner,
            )  # fmt: skip
        return None

    def readers_outside(self, found: FoundAttention) -> list[Op]:
        """The ops that read what depends on scores, and compute no part of the attention."""
        values = (y for op in found.inner for y in op.results if y is not found.result)
        return [reader for y in values for reader in self.readers.get(y, ()) if reader not in found.inner]

    def describe_step(
        self,
        dot: Op,
        side: int,
        weights: View,
        shape: Sequence[int],
        dimension: int,
        product: Op,
        sides: Sequence[Strides],
        changes: Sequence[Change],
    ) -> tuple[Heads, tuple[int, ...], tuple[Slice, Slice, Slice], Value] | None:
        """The data of attention with these two products, and what `FoundAttention` has of it.

        Args:
            dot: the second product, with values.
            side: which of its operands the weights of values are.
            weights: that operand's strides in the result of the softmax.
            shape: the shape of the softmax.
            dimension: the one along which it sums.
            product: the first product.
            sides: the strides of its operands along the dimensions of the softmax.
            changes: what happens to scores.
        """
        operands = [self.find_slice(v) for v in product.operands]
        if not sides[0][dimension]:
            k, q = 1, 0
        elif not sides[1][dimension]:
            k, q = 0, 1
        else:
            return None
        depths = find_contraction(product, operands)
        if depths is None or not sides[k][dimension]:
            return None
        depth, *depth_strides = depths
        here = strides_of(shape), weights.shape, weights.strides
        # The second product's dimensions: their strides in the softmax, in the values and in the result.
        values, (result, steps) = self.find_slice(dot.operands[1 - side]), self.trace_movements(dot.results[0])
        strides = strides_of_side(dot, side, values, steps)
        if strides is None or prod(weights.shape) != prod(shape):
            return None
        if prod(size for size, is_added in zip(weights.shape, strides.added) if is_added) != shape[dimension]:
            return None
        added = along(shape, *here, strides.added)
        if added is None or any(bool(added[d]) != (d == dimension) for d in range(len(shape)) if shape[d] != 1):
            return None
        if not all(stride for size, stride in zip(weights.shape, weights.strides) if size != 1):
            return None
        v, out = (along(shape, *here, to) for to in (strides.other, strides.result))
        if v is None or out is None:
            return None
        # The dimensions whose queries share keys and values come last.
        outer = [d for d in range(len(shape)) if d != dimension and shape[d] != 1]
        outer.sort(key=lambda d: not (sides[k][d] or v[d]))
        shared = sum(not (sides[k][d] or v[d]) for d in outer)

        read = operands[q], operands[k], values

        def order_strides(strides: Sequence[int], key: int, *last: int) -> Strides:
            return (*(strides[d] for d in outer), key, *last)

        heads = Heads(
            tuple(shape[d] for d in outer),
            shared,
            shape[dimension],
            depth,
            strides.size,
            order_strides(sides[q], 0, depth_strides[q]),
            order_strides(sides[k], sides[k][dimension], depth_strides[k]),
            order_strides(v, v[dimension], strides.step),
            order_strides(out, 0, strides.result_step),
            tuple(replace(c, strides=c.strides and order_strides(c.strides, c.strides[dimension])) for c in changes),
            tuple(replace(offset, operand=i) for i, x in enumerate(read) for _, offset in x.starts),
            (*(element_name(x.source) for x in read), element_name(result)),  # type: ignore[arg-type]
            begins=(read[0].begin, read[1].begin, read[2].begin),
        )
        return heads, tuple(outer), read, result

    def softmax(self, value: Value) -> Softmax | None:
        """The softmax of which a value is made by movements and conversions."""
        if (found := self.look(value)) is None:
            return None
        weights, weight_type = found
        quotient = self.find_definition(weights.source, "divide")
        power, power_type = self.unconverted(quotient.operands[0]) if quotient else (value, "")
        exponential = self.find_definition(power, "exponential")
        if quotient is None or exponential is None or not power_type:
            return None
        total = self.find_reduced(quotient.operands[1], quotient.operands[0], Monoid.SUM)
        if total is None:
            return None
        dimension, sum_type, sums = total
        x, most, difference_type = exponential.operands[0], None, "f32"
        source, rounded = self.unconverted(x)
        difference = self.find_definition(source, "subtract")
        if difference is not None and rounded:
            highest = self.find_reduced(difference.operands[1], difference.operands[0], Monoid.MAXIMUM)
            if highest is not None and highest[0] == dimension:
                x, difference_type, most = difference.operands[0], rounded, highest[2]
        types = (difference_type, power_type, sum_type, weight_type)
        return Softmax(weights, x, dimension, types, power, sums, most)

    def find_definition(self, value: Value, name: str) -> Op | None:
        op = self.definitions.get(value)
        return op if op is not None and short_name(op) == name and element_name(value) in FLOATS else None

    def look(self, value: Value) -> tuple[View, str] | None:
        """A value as a view through conversions among floats, and the type to which these or its source round."""
        found = view(value, self.definitions, converts_floats)
        kinds = {element_name(v) for v in (found.source, *(op.results[0] for op in found.ops))}
        narrow = kinds - {"f32"}
        return (found, narrow.pop() if narrow else "f32") if kinds <= {*FLOATS} and len(narrow) < 2 else None

    def unconverted(self, value: Value) -> tuple[Value, str]:
        """A value before conversions among floats, and the type to which it was rounded; ("" if to several)."""
        found = self.look(value)
        if found is None or found[0].strides != strides_of(static_shape(found[0].source.type)):
            return value, element_name(value) if element_name(value) in FLOATS else ""
        return (found[0].source, found[1]) if static_shape(found[0].source.type) == found[0].shape else (value, "")

    def find_reduced(self, value: Value, of: Value, monoid: Monoid) -> tuple[int, str, View] | None:
        """The dimension along which a value repeats the sums or maxima of another, the type to which it rounds, and the
        value as a view of what the reduction computes."""
        if (repeated := self.look(value)) is None or (whole := self.look(of)) is None:
            return None
        view, x = repeated[0], whole[0]
        op = self.definitions.get(view.source)
        if op is not None and monoid is Monoid.MAXIMUM and monoid_of(op) is monoid and has(op, Trait.ELEMENTWISE):
            a, b = op.operands  # JAX takes the maximum of -inf and the result
            op = self.definitions.get(b if self.number(a) == -inf else a if self.number(b) == -inf else of)
        dimensions = None if op is None else self.reduced_dimensions(op, monoid)
        if op is None or dimensions is None:
            return None
        # The reduction may read the same numbers in another order. A sum of narrow numbers would round after each one.
        if (read := self.look(op.operands[0])) is None or read[0].source is not x.source or read[1] != whole[1]:
            return None
        shape, narrow = static_shape(of.type), element_name(op.operands[0]) != "f32"
        if len(dimensions) != 1 or view.shape != shape or (narrow and monoid is Monoid.SUM):
            return None
        strides = list(strides_of(static_shape(op.results[0].type)))
        strides.insert(dimensions[0], 0)
        expected = along(shape, x.strides, read[0].shape, read[0].strides, strides)
        if expected is None or not prod(shape) == prod(read[0].shape) == prod(static_shape(x.source.type)):
            return None
        reduced = [d for d, size in enumerate(shape) if size != 1 and expected[d] == 0]
        same = all(size == 1 or a == b for size, a, b in zip(shape, expected, view.strides))
        return (reduced[0], repeated[1], replace(view, source=op.results[0])) if same and len(reduced) == 1 else None

    def reduced_dimensions(self, op: Op, monoid: Monoid) -> list[int] | None:
        """The dimensions along which an op reduces one array by a monoid; None of another op."""
        if not has(op, Trait.REDUCTION) or len(op.operands) != 2:
            return None
        if Body(op.regions[-1], {}).monoid is not monoid or self.number(op.operands[1]) != monoid.identity:
            return None
        return [int(d) for d in plain(op.attributes["dimensions"])]

    def number(self, value: Value) -> float | None:
        """The number that all elements of a value equal, if that is a constant; JAX with 64 bits converts to f32."""
        op = self.definitions.get(view(value, self.definitions).source)
        if op is None or (kind := NUMBERS.get(element_name(op.results[0]))) is None:
            return None
        if is_conversion(op):
            with np.errstate(over="ignore"):
                return None if (number := self.number(op.operands[0])) is None else float(kind(number))
        data = op.attributes.get("value") if has(op, Trait.CONSTANT) else None
        if not isinstance(data, DenseAttr) or not (data.splat or data.data.size == 1):
            return None
        return float(data.data.reshape(-1)[0])

    def scores(
        self, value: Value, shape: Sequence[int], strides: Strides, most: int
    ) -> tuple[Op, tuple[Strides, Strides], tuple[Change, ...], tuple[Value, ...]] | None:
        """Trace changed scores back to their product.

        Args:
            value: the scores.
            shape: the shape of the softmax.
            strides: the strides of `value` along the softmax's dimensions.
            most: how many more changes there may be.

        Returns:
            The product, the strides of its operands along the softmax's dimensions, the changes, and
            the buffers that they read.
        """
        if (looked := self.look(value)) is None:
            return None
        found, kind = looked
        here = along(shape, strides, found.shape, strides_of(found.shape), found.strides)
        op = self.definitions.get(found.source)
        if here is None or op is None:
            return None
        rounding = (Change("round", element=kind),) if kind != "f32" else ()
        if has(op, Trait.DOT):
            fits = is_product(op, self.invariant) and is_plain(op)
            if not fits or (sides := operand_strides(op, [self.find_slice(v) for v in op.operands])) is None:
                return None
            result = static_shape(op.results[0].type)
            a, b = (along(shape, here, result, strides_of(result), side) for side in sides)
            return (op, (a, b), rounding, ()) if a is not None and b is not None else None
        for index, action in CHANGES.get(short_name(op), {}).items() if most else ():
            if (before := self.scores(op.operands[index], shape, here, most - 1)) is None:
                continue
            buffer: Value | None = None
            change: Change | None = Change(action)
            others = [v for i, v in enumerate(op.operands) if i != index]
            if action in ("keep", "drop"):
                mask, other = others
                if (number := self.number(other)) is None or static_shape(mask.type) != static_shape(
                    op.results[0].type
                ):
                    continue
                buffer, change = self.operand(action, mask, shape, here, number)
            elif others:
                if (number := self.number(others[0])) is not None:
                    change = changed_by(action, number)
                else:
                    buffer, change = self.operand(action, others[0], shape, here)
            if action == "tanh":
                self.places[op.results[0]] = here
            if change is not None:
                product, sides, changes, buffers = before
                if changes[-1:] == rounding and action in ("keep", "drop") and element_name(op.results[0]) != "f32":
                    changes = changes[:-1]  # the number is of that type, too
                return product, sides, (*changes, change, *rounding), (*buffers, *([buffer] if buffer else []))
        return None

    def find_slice(self, value: Value) -> Slice:
        """An operand of a product as a view, which may be a slice that begins where indices in other buffers say."""
        x = view(value, self.definitions, is_widening, slices=True)
        if any(op.name == stablehlo.slice.name for op in x.ops) and not self.is_stored(x.source):
            x = view(value, self.definitions, is_widening)
        here = Slice(x.source, x.shape, x.strides, x.ops, begin=x.begin)
        op = self.definitions.get(x.source)
        if op is None or op.name != stablehlo.dynamic_slice.name:
            return here
        (source, *indices), part = op.operands, static_shape(x.source.type)
        whole = static_shape(source.type)
        strides = along(x.shape, x.strides, part, strides_of(part), strides_of(whole))
        starts = [
            (index, Offset(0, element_name(index), n - size, stride))
            for index, n, size, stride in zip(indices, whole, part, strides_of(whole))
            if whole_number(self.definitions.get(index)) != 0  # also of what is whole, whose index a region reads
        ]
        if strides is None or any(offset.index not in INDICES for _, offset in starts):
            return here
        places = np.unravel_index(x.begin, part) if x.begin else ()
        begin = sum(int(i) * stride for i, stride in zip(places, strides_of(whole)))
        return Slice(source, x.shape, strides, (op, *x.ops), begin=begin, starts=tuple(starts))

    def is_stored(self, value: Value) -> bool:
        """Whether a value is in memory though slices of it are read where they lie, or instead of these.

        Arguments and products are, also with something added. The others would be computed with their slices.
        """
        op = self.definitions.get(value)
        if op is None:
            return True
        made = [op, *map(self.definitions.get, op.operands if short_name(op) == "add" else ())]
        if any(each is not None and is_product(each, self.invariant) for each in made):
            return True
        return self.is_read_by_products(value)

    def is_read_by_products(self, value: Value) -> bool:
        """Whether nothing else reads a value, or what it becomes by movements."""
        seen, waiting = {value}, [value]
        while waiting:
            for op in self.readers.get(waiting.pop(), ()):
                if is_product(op, self.invariant):
                    continue
                if not (has(op, Trait.MOVEMENT) or is_widening(op)):
                    return False
                waiting += [v for v in op.results if v not in seen]
                seen.update(op.results)
        return True

    def operand(
        self, kind: str, value: Value, shape: Sequence[int], strides: Strides, number: float = 0.0
    ) -> tuple[Value, Change | None]:
        """The change of scores by the elements of a value, and the buffer that has them."""
        found = view(value, self.definitions, is_widening if kind not in ("keep", "drop") else lambda op: False)
        if (element := element_name(found.source)) not in (*FLOATS, "i1"):
            return found.source, None
        there = along(shape, strides, found.shape, strides_of(found.shape), found.strides)
        return found.source, None if there is None else Change(kind, number, there, element)

    def trace_movements(self, value: Value, through: Callable[[Op], bool] = lambda op: False) -> tuple[Value, Strides]:
        """What a value becomes by movements alone, and the strides of its dimensions there.

        Conversions for which `through` is true are traced, too.
        """
        shape = static_shape(value.type)
        strides = strides_of(shape)
        while (op := self.only_reader(value)) is not None:
            if len(op.operands) != 1 or not (has(op, Trait.MOVEMENT) or through(op)):
                break
            new = static_shape(op.results[0].type)
            if (order := order_of(op)) is not None:
                to = [0] * len(order)
                for d, stride in zip(order, strides_of(new)):
                    to[d] = stride
                old = static_shape(value.type)
                found = along(shape, strides, old, strides_of(old), to)
            elif through(op) or (
                prod(new) == prod(shape) and (is_reshape(op) or (is_broadcast(op) and keeps_order(op)))
            ):
                found = strides
            else:
                found = None
            if found is None:
                break
            value, strides = op.results[0], found
        return value, strides

    def between(self, sources: Iterable[Value], results: Iterable[Value]) -> tuple[Op, ...]:
        """The ops that compute results from other values, in order."""
        known, waiting, ops = set(sources), [*results], set()
        while waiting:
            value = waiting.pop()
            if value in known:
                continue
            known.add(value)
            op = self.definitions.get(value)
            if op is not None:
                ops.add(op)
                waiting += free_values(op)
        return tuple(sorted(ops, key=self.order.__getitem__))


class SideStrides(NamedTuple):
    """What a product does along the dimensions of one operand: the strides in the other operand and in what its result
    becomes, and whether it adds up; and the other operand's own numbers, with their strides in both."""

    other: Strides
    result: Strides
    added: tuple[bool, ...]
    size: int
    step: int
    result_step: int


def strides_of_side(dot: Op, side: int, other: View, steps: Sequence[int]) -> SideStrides | None:
    """The strides along an operand's dimensions, given those of the other one, and of the result's dimensions."""
    numbers, result = dot_numbers(dot), static_shape(dot.results[0].type)
    batch, other_batch = numbers.lhs_batching, numbers.rhs_batching
    inner, other_inner = numbers.lhs_contracting, numbers.rhs_contracting
    ranks = [len(static_shape(v.type)) for v in dot.operands]
    free, other_free = numbers.lhs_free(ranks[0]), numbers.rhs_free(ranks[1])
    axes, other_axes = range(len(batch), len(batch) + len(free)), range(len(batch) + len(free), len(result))
    if side == 1:
        batch, other_batch, free, other_free = other_batch, batch, other_free, free
        inner, other_inner, axes, other_axes = other_inner, inner, other_axes, axes
    read, stored = [0] * ranks[side], [0] * ranks[side]
    for d, o in (*zip(batch, other_batch), *zip(inner, other_inner)):
        read[d] = other.strides[o]
    for d, axis in (*zip(batch, range(len(batch))), *zip(free, axes)):
        stored[d] = steps[axis]
    step = merged_stride([(other.shape[d], other.strides[d]) for d in other_free])
    result_step = merged_stride([(result[d], steps[d]) for d in other_axes])
    if step is None or result_step is None:
        return None
    added, size = tuple(d in inner for d in range(ranks[side])), prod(result[d] for d in other_axes)
    return SideStrides(tuple(read), tuple(stored), added, size, step, result_step)


def converts_floats(op: Op) -> bool:
    return is_conversion(op) and {element_name(op.operands[0]), element_name(op.results[0])} <= {*FLOATS}


def is_plain(dot: Op) -> bool:
    """Whether a product is one of floats that no attribute asks to compute other than exactly, with sums in f32.

    Algorithms have already been expanded, except for those that round to TF32.
    """
    names = {element_name(value) for value in (*dot.operands, *dot.results)}
    return dot.attributes.get("algorithm") is None and names <= {*FLOATS}


def changed_by(kind: str, number: float) -> Change:
    """A change by a number; a division by a power of two is an exact multiplication."""
    exact = kind == "divide" and abs(frexp(number)[0]) == 0.5 and 2.0**-120 < abs(number) < 2.0**120
    return Change("multiply", 1 / number) if exact else Change(kind, number)


def keeps_order(broadcast: Op) -> bool:
    """Whether a broadcast that adds dimensions of size 1 leaves the others in order."""
    dimensions = [int(d) for d in plain(broadcast.attributes["broadcast_dimensions"])]
    return dimensions == sorted(dimensions)


def depending(ops: Iterable[Op], first: Op) -> set[Op]:
    """The ops, out of some in order, that depend on the first."""
    found, values = {first}, set(first.results)
    for op in ops:
        if not values.isdisjoint(free_values(op)):
            found.add(op)
            values.update(op.results)
    return found
