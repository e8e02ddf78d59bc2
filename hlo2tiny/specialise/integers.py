"""Arithmetic of quantized numbers in integers alone, for processors to which floats are expensive.

The specification computes with the numbers that integers stand for, in floats. Here a product or a sum is exact, and
its scale becomes a multiplication by an integer and a shift that rounds to nearest even, as the exact number is
rounded: where the multiplier is not exact enough for that, it is made wider, or the remainder decides.

Elementwise functions of at most 16 bits in total, such as the sum of two 8-bit numbers, are compared with floats for
every input when a program is compiled. Where floats round to the other side of a half, a table of such inputs corrects
the integers; where there is no such arithmetic, as for tanh, a table has all results. Numbers of more bits may differ
from floats by one step; with scales that are powers of two, none does.

Reductions are computed step by step, as the specification says: each sum is limited to what its type can hold.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from fractions import Fraction
from functools import reduce
from math import lcm, prod

import numpy as np

from ..ir import (
    DenseAttr,
    DialectAttr,
    ElementType,
    Module,
    Op,
    QuantizedType,
    Region,
    ScalarType,
    TensorType,
    Type,
    Value,
)
from ..ir.dimensions import ConvolutionNumbers, decode_convolution, dot_numbers
from ..ir.dtypes import bit_width, expect_tensor, numpy_dtype
from ..ir.rewrite import Rewriter, clone_value, live, rewrite_functions
from ..ops import Monoid, Trait, has, monoid_of
from ..ops.build import I1, I32, I64, Builder, Term, operation, stablehlo
from ..ops.traits import CONTROL
from ..ops.types import storage_range, whole_range
from ..records import dataclass
from ..rules.quantization import round_to_expressed
from ..rules.registry import RULES

# The bits of a multiplier of one word, the fewest that are of use, and the most that a product is shifted.
BITS, LEAST_BITS, MOST_SHIFT = 30, 18, 61
# Ops that compare numbers or choose among them, and compute no others.
CHOOSING = {op.name for op in (stablehlo.clamp, stablehlo.select, stablehlo.maximum, stablehlo.minimum)}
# The most bits of numbers that are looked up together.
MOST_LOOKED_UP = 16
U8 = ScalarType("ui8")
# Computes values of ops, of which other values are the arguments, for arrays.
Evaluate = Callable[[Sequence[Value], Sequence[Op], Sequence[Value], Sequence[np.ndarray]], Sequence[np.ndarray]]


def compute_in_integers(module: Module, evaluate: Evaluate) -> Module:
    """A module of static shapes in which quantized numbers are computed as integers where that is possible.

    `evaluate` computes what tables contain.
    """
    return rewrite_functions(module, IntegerRewriter(evaluate).rewrite)


class IntegerRewriter:
    """Replaces ops; see `compute_in_integers`.

    Attributes:
        constants: the integers of values that are constants.
        stored: the integers of quantized values that have been computed.
        results: of functions of few bits, by op and types: what floats give for every input, and by how much integers
            differ from that (None: there is no arithmetic, or it is off by several steps).
    """

    def __init__(self, evaluate: Evaluate) -> None:
        self.evaluate = evaluate
        self.constants: dict[Value, np.ndarray] = {}
        self.stored: dict[Value, Value] = {}
        self.results: dict[object, tuple[np.ndarray, np.ndarray | None]] = {}

    def rewrite(self, rewriter: Rewriter, op: Op) -> Sequence[Op] | None:
        """A rewriter's hook: the ops that compute an op's result in integers."""
        value, constants = op.attributes.get("value"), self.constants
        if has(op, Trait.CONSTANT) and isinstance(value, DenseAttr) and not op.operands:
            constants[op.results[0]] = value.data
            return None
        if op.name == stablehlo.broadcast_in_dim.name and single(constants.get(op.operands[0])) is not None:
            constants[op.results[0]] = constants[op.operands[0]]
        if op.regions and not has(op, CONTROL):  # the body stays one op
            return self.with_body(rewriter, op) or [Rewriter(rewriter.values).clone(op)]
        rule = RULES.get(op.name)
        moves = rule is not None and rule.storage and op.name not in CHOOSING
        if len(op.results) != 1 or op.regions or moves:
            return None
        target, builder = quantization(op.results[0]), Builder(op.location)
        numbers = [constants.get(v) for v in op.operands]
        terms = self.quantized(builder, rewriter.lookup(op.operands))
        if not all(is_known(type) for type in (*types_of(terms), *([target] if target else []))):
            return None
        if target is None:
            if not terms or len(terms) < len(op.operands) or expect_tensor(op.results[0].type).element != I1:
                return None
            result = self.computed(op, terms, None, numbers)
        elif op.name == stablehlo.uniform_quantize.name and numbers[0] is not None:
            result = builder.array(quantized_numbers(numbers[0], target), target.storage)
        elif op.name in CHOOSING:
            result = self.chosen(op, [builder.term(v) for v in rewriter.lookup(op.operands)], target)
        elif len(terms) < len(op.operands):
            return None
        else:
            result = self.computed(op, terms, target, numbers)
        if result is None:
            return None
        if target is not None:
            stablehlo.bitcast_convert(result, type=expect_tensor(op.results[0].type))
        *ops, last = builder.ops
        (defined,) = rewriter.define(op.results)
        if target is not None:
            self.stored[defined] = result.value
        return [*ops, replace(last, results=(defined,))]

    def quantized(self, builder: Builder, values: Sequence[Value]) -> list[Quantized]:
        """The quantized ones among values."""
        return [x for v in values if (x := self.as_quantized(builder.term(v)))]

    def as_quantized(self, term: Term) -> Quantized | None:
        type = quantization(term.value)
        return None if type is None else Quantized(term, type, self.stored.get(term.value))

    def chosen(self, op: Op, operands: Sequence[Term], target: QuantizedType) -> Term | None:
        """One of an op's operands, all of which are converted first: that changes their order nowhere."""
        # Narrow floats may change a number that is not converted, if they are computed at all.
        kept = bit_width(target.expressed) >= 32 or op.name == stablehlo.select.name
        given = []
        for term in operands:
            x = self.as_quantized(term)
            stored = term if x is None else x.stored if x.type == target and kept else self.converted(x, target)
            if stored is None:
                return None
            given.append(stored)
        result = [TensorType(expect_tensor(op.results[0].type).shape, target.storage)]
        return given[0].builder.op(operation(op.name), given, result, (), op.attributes)[0]

    def converted(self, x: Quantized, target: QuantizedType) -> Term | None:
        """A number of another quantized type."""
        operands, result = [Value("", TensorType(x.stored.shape, type)) for type in (x.type, target)]
        op = stablehlo.uniform_quantize.op([operands], [result], x.stored.builder.location)
        return self.computed(op, [x], target, [None])

    def computed(
        self, op: Op, operands: Sequence[Quantized], target: QuantizedType | None, numbers: Sequence[np.ndarray | None]
    ) -> Term | None:
        """The integers, or booleans, of a result: those that floats give if all inputs can be compared."""
        known = [single(x) for x in numbers]
        vary = [x for x, number in zip(operands, known) if number is None]
        types, bits = [*types_of(operands), *([target] if target else [])], sum(x.bits for x in vary)
        compared = has(op, Trait.ELEMENTWISE) or op.name == stablehlo.uniform_quantize.name
        if not compared or not vary or bits > MOST_LOOKED_UP or any(type.axis is not None for type in types):
            return integer_result(op, operands, target, numbers)
        wanted, off = self.every_result(op, types_of(operands), target, known)
        if off is not None and not off.any():
            return integer_result(op, operands, target, numbers, checked=True)
        index = None
        for x in vary:
            from_least = x.stored.to(I32) - whole_range(x.type)[0]
            index = from_least if index is None else index * (1 << x.bits) + from_least
        assert index is not None
        if off is None or bits <= 8:
            return look_up(wanted, index, target.storage if target else I1)
        result = integer_result(op, operands, target, numbers, checked=True)
        assert result is not None
        right = result.to(I32) + correction(off, index)
        return right.to(target.storage) if target else right.compare("NE", 0)

    def every_result(
        self, op: Op, types: Sequence[QuantizedType], target: QuantizedType | None, known: Sequence[int | None]
    ) -> tuple[np.ndarray, np.ndarray | None]:
        """What floats give for all inputs, and by how much integers differ, see `results`."""
        key = op.name, repr(op.attributes), tuple(types), target, tuple(known)
        if key not in self.results:
            ranges = [
                range(low, high + 1) for type, n in zip(types, known) if n is None for low, high in [whole_range(type)]
            ]
            every = [grid.reshape(-1) for grid in np.meshgrid(*ranges, indexing="ij")]
            shape = every[0].shape
            arguments = [Value("", TensorType(shape, type)) for type, n in zip(types, known) if n is None]
            arrays = [x.astype(numpy_dtype(quantization(v) or I32)) for x, v in zip(every, arguments)]

            def given(builder: Builder) -> list[Term]:
                values = iter(arguments)
                return [
                    builder.term(next(values)) if n is None else builder.fill(n, TensorType(shape, type))
                    for type, n in zip(types, known)
                ]

            builder, type = Builder(op.location), TensorType(shape, target or I1)
            result = builder.op(operation(op.name), given(builder), [type], (), op.attributes)[0]
            terms = self.quantized(builder, [term.value for term in given(builder)])
            constant = [None if n is None else np.array(n) for n in known]
            made = integer_result(replace(op, results=(Value("", type),)), terms, target, constant, checked=True)
            values = [result.value, *([made.value] if made else [])]
            wanted, *found = (x.astype(np.int64) for x in self.evaluate(arguments, builder.ops, values, arrays))
            difference = wanted - (found or [wanted + 2])[0]
            off = difference if (np.abs(difference) <= 1).all() else None
            self.results[key] = wanted, off
        return self.results[key]

    def with_body(self, rewriter: Rewriter, op: Op) -> list[Op] | None:
        """An op with bodies, such as a reduction or a sort, of numbers with one scale, in integers; None for others."""
        values = [*op.operands, *op.results, *(v for region in op.regions for v in region.arguments)]
        within = {t for region in op.regions for v in region.arguments if (t := quantization(v))}
        types = [t for v in values if (t := quantization(v))]
        if not within or any(t.axis is not None or not is_known(t) for t in types):
            return None
        builder = Builder(op.location)
        given: list[Value] = []
        for value in rewriter.lookup(op.operands):
            x = self.as_quantized(builder.term(value))
            term = builder.term(value) if x is None else x.stored
            if x is not None and x.type not in within:  # a reduction's operands may be narrower than its sums
                (target, *others) = within
                converted = None if others else self.converted(x, target)
                if converted is None:
                    return None
                term = converted
            given.append(term.value)
        if any(t not in within for v in op.results if (t := quantization(v))):
            return None
        regions = [self.body(rewriter, region, op) for region in op.regions]
        if None in regions:
            return None
        wholes = [clone_value(v, as_stored(v.type)) for v in op.results]
        reduced = replace(op, operands=tuple(given), results=tuple(wholes), regions=tuple(r for r in regions if r))
        after, defined = Builder(op.location), rewriter.define(op.results)
        for i, (whole, wanted) in enumerate(zip(wholes, defined)):
            if quantization(wanted) is None:
                wholes[i] = wanted
            else:
                stablehlo.bitcast_convert(after.term(whole), type=expect_tensor(wanted.type))
                after.ops[-1] = replace(after.ops[-1], results=(wanted,))
                self.stored[wanted] = whole
        return [*builder.ops, replace(reduced, results=tuple(wholes)), *after.ops]

    def body(self, rewriter: Rewriter, region: Region, op: Op) -> Region | None:
        """A body whose arguments and results are integers; None if it computes quantized numbers otherwise."""
        start = Builder(op.location)
        arguments = tuple(Value("", as_stored(v.type)) for v in region.arguments)
        numbers = []
        for argument, v in zip(arguments, region.arguments):
            if quantization(v) is None:
                numbers.append(argument)
                continue
            number = stablehlo.bitcast_convert(start.term(argument), type=expect_tensor(v.type)).value
            self.stored[number] = argument
            numbers.append(number)
        ops, returned = Rewriter(rewriter.values, self.rewrite, clone_value).inline(region, numbers)
        results = [self.stored.get(v, v) for v in returned]
        kept = live([*start.ops, *ops], results)
        if any(quantization(v) is not None for each in kept for v in (*each.operands, *each.results)):
            return None
        return Region(arguments, (*kept, stablehlo.return_.op(results, (), op.location)))


def as_stored(type: Type) -> Type:
    """The type of a value's integers if it is quantized, else its own."""
    if isinstance(type, TensorType) and isinstance(type.element, QuantizedType):
        return replace(type, element=type.element.storage)
    return type


def look_up(entries: np.ndarray, index: Term, element: ElementType) -> Term:
    table = index.builder.array(entries, element)
    return stablehlo.torch_index_select(table, index, dim=0, batch_dims=0)


def correction(off: np.ndarray, index: Term) -> Term:
    """What to add for the input of an index: -1, 0 or 1 in two bits each, in lines of 256 that are stored once."""
    packed = ((off + 1).reshape(-1, 64, 4) << np.array([0, 2, 4, 6])).sum(-1)
    lines, which = np.unique(packed, axis=0, return_inverse=True)
    line = look_up(which.reshape(-1), shifted(index, 8), U8).to(I32)
    byte = look_up(lines.reshape(-1), line * 64 + shifted(index & index.like(255), 2), U8).to(I32)
    bits = stablehlo.shift_right_arithmetic(byte, (index & index.like(3)) * 2)
    return (bits & bits.like(3)) - 1


def shifted(x: Term, bits: int) -> Term:
    return stablehlo.shift_right_arithmetic(x, x.like(bits))


def types_of(operands: Sequence[Quantized]) -> list[QuantizedType]:
    return [x.type for x in operands]


def single(numbers: np.ndarray | None) -> int | None:
    """The integer that fills an array; None if it has several or none."""
    flat = np.unique(numbers) if numbers is not None and numbers.dtype.kind in "iu" else np.empty(0)
    return int(flat[0]) if flat.size == 1 else None


def quantization(value: Value) -> QuantizedType | None:
    type = value.type
    return type.element if isinstance(type, TensorType) and isinstance(type.element, QuantizedType) else None


def is_known(type: QuantizedType) -> bool:
    """Whether its numbers have scales that this module handles: one, or one for each index of an axis."""
    return not type.blocks and bit_width(type.storage) <= 32


class Quantized:
    """An operand: its integers, and what they stand for."""

    def __init__(self, term: Term, type: QuantizedType, stored: Value | None) -> None:
        self.type = type
        self.stored = (
            stablehlo.bitcast_convert(term, type=TensorType(term.shape, type.storage))
            if stored is None
            else term.builder.term(stored)
        )

    @property
    def bits(self) -> int:
        return bit_width(self.type.storage)

    @property
    def most(self) -> int:
        """The most steps from zero that a number is."""
        low, high = storage_range(self.type)
        return max(max(high - z, z - low) for z in self.type.zero_points)

    def steps(self, wide: ScalarType) -> Term:
        """How many steps of its scale each number is."""
        x = self.stored.to(wide)
        zero = along(self.type, self.type.zero_points, len(x.shape))
        return x - broadcast(x, zero, wide) if zero.any() else x


def along(type: QuantizedType, numbers: Sequence[float | Fraction], rank: int, axis: int | None = None) -> np.ndarray:
    """Scales or zero points in an array that is broadcast to a tensor's shape."""
    axis = type.axis if axis is None else axis
    shape = [1] * max(rank, 1)
    if type.axis is not None and axis is not None:
        shape[axis] = len(numbers)
    return np.array(numbers).reshape(shape)


def broadcast(like: Term, numbers: np.ndarray, element: ScalarType) -> Term:
    """Numbers that vary along at most one dimension, as a tensor of another's shape."""
    if numbers.size == 1:
        return like.builder.fill(int(numbers.reshape(-1)[0]), TensorType(like.shape, element))
    (axis,) = (d for d, size in enumerate(numbers.shape) if size > 1)
    return like.builder.array(numbers.reshape(-1), element).broadcast(like.shape, (axis,))


@dataclass(frozen=True)
class Scaled:
    """Integers, the scale of each as an exact fraction, and the largest magnitude that they have."""

    numbers: Term
    scales: np.ndarray
    most: int


@dataclass(frozen=True)
class Division:
    """A number of steps as an exact fraction."""

    dividend: Term
    divisor: np.ndarray


def integer_result(
    op: Op,
    operands: Sequence[Quantized],
    target: QuantizedType | None,
    numbers: Sequence[np.ndarray | None],
    checked: bool = False,
) -> Term | None:
    """The integers of an op's result; None if the op is not one of those that this module knows.

    `numbers` are the integers of the operands that are constants. The result is a boolean if there is no target.
    `checked` says that all results are compared with floats, so that a few may be off by one.
    """
    shape = expect_tensor(op.results[0].type).shape
    if target is None:
        return comparison(op, operands)
    if has(op, Trait.DOT | Trait.CONVOLUTION):
        return product(op, operands, target)
    parts = [Scaled(x.steps(I64), scales(x.type, len(shape)), x.most) for x in operands]
    if op.name == stablehlo.uniform_quantize.name:
        return rescaled(parts, target, checked)
    if monoid_of(op) is Monoid.SUM or op.name == stablehlo.subtract.name:
        a, b = parts
        return rescaled([a, b if monoid_of(op) is Monoid.SUM else replace(b, scales=-b.scales)], target, checked)
    if monoid_of(op) is Monoid.PRODUCT:
        x, y = operands
        most = x.most * y.most
        wide = I32 if most < 1 << 31 else I64
        ratio = scales(x.type, len(shape)) * scales(y.type, len(shape))
        return rescaled([Scaled(x.steps(wide) * y.steps(wide), ratio, most)], target, checked)
    if op.name == stablehlo.divide.name:
        return quotient(operands, target, single(numbers[1]), checked)
    return None


def quotient(operands: Sequence[Quantized], target: QuantizedType, divisor: int | None, checked: bool) -> Term | None:
    """A number divided by another one, which may be a constant."""
    a, b = operands
    if any(type.axis is not None for type in (a.type, b.type, target)):
        return None
    ratio, rank = scales(a.type, 1) / scales(b.type, 1), len(a.stored.shape)
    if divisor is not None and (steps := divisor - b.type.zero_points[0]):
        return rescaled([Scaled(a.steps(I64), (ratio / steps).reshape([1] * max(rank, 1)), a.most)], target, checked)
    (factor,) = ratio / scales(target, 1)
    shift = BITS - int(np.frexp(float(factor))[1])
    if max(a.most, b.most) > 1 << 16 or not 1 <= shift < MOST_SHIFT - 1:
        return None
    n, d, (zero,), (low, high) = a.steps(I32), b.steps(I32), target.zero_points, storage_range(target)
    size, whole = stablehlo.abs(d), stablehlo.abs(n).to(I64) * round(factor * (1 << shift))
    # Digits of 15 bits are divided in 32 bits, which processors can.
    rest, by, total = size.like(0), stablehlo.maximum(size, size.like(1)), whole.like(0)
    for bit in (45, 30, 15, 0):
        digit = rest * (1 << 15) + (shifted(whole, bit) & whole.like((1 << 15) - 1)).to(I32)
        part = stablehlo.divide(digit, by)
        rest, total = digit - part * by, total * (1 << 15) + part.to(I64)
    # One more bit says whether there is a remainder, so that it is no half.
    total = total * 2 + rest.compare("NE", 0).to(I64)
    negative = stablehlo.xor(n.compare("LT", 0), d.compare("LT", 0))
    shape = [1] * max(rank, 1)
    result = rounded(negative.where(-total, total), np.full(shape, shift + 1), np.full(shape, zero), (low, high))
    # An infinity is limited; what is no number becomes 0.
    limit = n.compare("GT", 0).where(n.like(high), n.compare("LT", 0).where(n.like(low), n.like(0)))
    return d.compare("EQ", 0).where(limit, result.to(I32)).to(target.storage)


def comparison(op: Op, operands: Sequence[Quantized]) -> Term | None:
    """The order of two numbers, which is that of their integers if they have the same scale."""
    if op.name != stablehlo.compare.name:
        return None
    a, b = operands
    how = {name: value for name, value in op.attributes.items() if name != "compare_type"}
    builder, result = a.stored.builder, TensorType(a.stored.shape, I1)
    if a.type == b.type:
        return builder.op(operation(op.name), [a.stored, b.stored], [result], (), how)[0]
    rank = len(a.stored.shape)
    one, other = [Scaled(x.steps(I64), scales(x.type, rank), x.most) for x in operands]
    found = division([one, replace(other, scales=-other.scales)], np.array([Fraction(1)]))
    if found is None:
        return None
    return builder.op(operation(op.name), [found.dividend, found.dividend.like(0)], [result], (), how)[0]


def scales(type: QuantizedType, rank: int, axis: int | None = None) -> np.ndarray:
    """Exact fractions, along an axis of a tensor."""
    return along(type, [Fraction(s) for s in round_to_expressed(type.scales, type)], rank, axis)


def product(op: Op, operands: Sequence[Quantized], target: QuantizedType) -> Term | None:
    """A matrix product or a convolution, whose sums are exact."""
    x, w = operands
    axis, rank = w.type.axis, len(expect_tensor(op.results[0].type).shape)
    if x.type.axis is not None:
        return None
    if axis is not None:
        axis = axis_of_result(op, axis, len(w.stored.shape))
        if axis is None:
            return None
    most = x.most * w.most * summed(op, w.stored.shape)
    wide = I32 if most < 1 << 31 else I64
    result = TensorType(expect_tensor(op.results[0].type).shape, wide)
    total = x.stored.builder.op(operation(op.name), [x.steps(wide), w.steps(wide)], [result], (), op.attributes)[0]
    return rescaled([Scaled(total, scales(x.type, rank) * scales(w.type, rank, axis), most)], target)


def summed(op: Op, shape: Sequence[int]) -> int:
    """How many products each sum of a dot or a convolution has; the shape is that of its right operand."""
    if has(op, Trait.CONVOLUTION):
        return prod(shape) // max(1, shape[convolution_numbers(op).kernel_output_feature])
    return prod(shape[d] for d in dot_numbers(op).rhs_contracting)


def convolution_numbers(op: Op) -> ConvolutionNumbers:
    attribute = op.attributes["dimension_numbers"]
    assert isinstance(attribute, DialectAttr)
    return decode_convolution(attribute.fields)


def axis_of_result(op: Op, axis: int, rank: int) -> int | None:
    """The dimension of a product's result that is a dimension of its right operand."""
    if has(op, Trait.CONVOLUTION):
        numbers = convolution_numbers(op)
        return numbers.output_feature if axis == numbers.kernel_output_feature else None
    dot = dot_numbers(op)
    if axis in dot.rhs_contracting:
        return None
    if axis in dot.rhs_batching:
        return dot.rhs_batching.index(axis)
    result = len(expect_tensor(op.results[0].type).shape)
    free = [d for d in range(rank) if d not in (*dot.rhs_batching, *dot.rhs_contracting)]
    return result - len(free) + free.index(axis)


def rescaled(parts: Sequence[Scaled], target: QuantizedType, checked: bool = False) -> Term | None:
    """The sum of integers times their scales, in steps of another scale from its zero point, as integers of it.

    A number times its scale over the target's is a product with a multiplier, shifted: both follow from the scales.
    The sum of such products has at most 62 bits. None if that leaves too few for multipliers.
    """
    first, rank = parts[0].numbers, len(parts[0].numbers.shape)
    zero, step = along(target, target.zero_points, rank), scales(target, rank)
    ratios = np.broadcast_arrays(*(part.scales / step for part in parts), zero)[:-1]
    if sum(size > 1 for size in ratios[0].shape) > 1:
        return None  # the scales change along several dimensions
    largest, bits = np.max(np.abs(ratios), axis=0), 62 - sum(part.most for part in parts).bit_length()
    if bits < LEAST_BITS or largest.max() >= 1 << 20:
        return None
    low, high = storage_range(target)
    # A float of the expressed type has at most this many bits: anything closer to 1 than that is 1.
    if all(abs(abs(r) - 1) < 2.0**-24 for ratio in ratios for r in ratio.flat):
        total = first.to(I64)
        for part, ratio in zip(parts[1:], ratios[1:]):
            total = total + part.numbers.to(I64) if (ratio > 0).all() else total - part.numbers.to(I64)
        total = total + broadcast(first, zero, I64) if zero.any() else total
        return stablehlo.clamp(total.like(low), total, total.like(high)).to(target.storage)
    for given in (min(BITS, bits), bits):
        shift = np.array([min(max(given - np.frexp(float(r))[1], 1), MOST_SHIFT) for r in largest.flat], np.int64)
        powers = np.array([1 << int(n) for n in shift], object).reshape(largest.shape)
        multipliers = [np.vectorize(round, otypes=[object])(ratio * powers) for ratio in ratios]
        exact = checked or all(
            rounds_exactly(list(each[: len(parts)]), list(each[len(parts) : -1]), each[-1], parts, high - low + 2)
            for each in zip(*(x.flat for x in (*ratios, *multipliers, powers)))
        )
        if exact:
            break
    total, shift = weighted(parts, multipliers), shift.reshape(largest.shape)
    close = None if exact else division(parts, step)
    return rounded(total, shift, zero, (low, high), close).to(target.storage)


def rounded(
    total: Term, shift: np.ndarray, zero: np.ndarray, limits: tuple[int, int], division: Division | None = None
) -> Term:
    """An integer shifted and rounded to nearest even, from a zero point, within limits.

    A division that it comes close to decides which of two neighbours is nearer.
    """
    # An odd zero point changes which numbers are even.
    parity, shifts, one = zero & 1, broadcast(total, shift, I64), total.like(1)
    powers = np.vectorize(lambda n: 1 << int(n), otypes=[object])(shift)
    total = total + broadcast(total, parity * powers, I64)
    odd = stablehlo.shift_right_arithmetic(total, shifts) & one
    total = stablehlo.shift_right_arithmetic(total + broadcast(total, powers // 2 - 1, I64) + odd, shifts)
    if division is not None:
        # Twice the remainder is compared with the divisor; of two numbers that are as near, the even one is wanted.
        divisor = broadcast(total, division.divisor, I64)
        rest, odd = division.dividend - (total - broadcast(total, parity, I64)) * divisor, total & one
        more, less = ((x * 2 + odd).compare("GT", divisor).to(I64) for x in (rest, -rest))
        total = total + more - less
    total = total + broadcast(total, zero - parity, I64) if (zero != parity).any() else total
    low, high = limits
    return stablehlo.clamp(total.like(low), total, total.like(high))


def weighted(parts: Sequence[Scaled], factors: Sequence[np.ndarray]) -> Term:
    """The sum of integers times other integers."""
    terms = [part.numbers.to(I64) * broadcast(part.numbers, factor, I64) for part, factor in zip(parts, factors)]
    return reduce(Term.__add__, terms)


def division(parts: Sequence[Scaled], step: np.ndarray) -> Division | None:
    """The sum of integers times their scales, as a number of steps; None if it has too many bits."""
    ratios = np.broadcast_arrays(*(part.scales / step for part in parts))
    rows = [*zip(*(ratio.flat for ratio in ratios))]
    divisors = [lcm(*(r.denominator for r in row)) for row in rows]
    if any(sum(p.most * abs(r) for p, r in zip(parts, row)) * n + n >= 1 << 61 for row, n in zip(rows, divisors)):
        return None
    divisor = np.array(divisors, object).reshape(ratios[0].shape)
    return Division(weighted(parts, [ratio * divisor for ratio in ratios]), divisor)


def rounds_exactly(
    ratios: Sequence[Fraction], multipliers: Sequence[int], power: int, parts: Sequence[Scaled], limit: int
) -> bool:
    """Whether multipliers over a power of two round every sum as the ratios do, up to a limit.

    The error grows with the number; a number is in danger if it is as close to a half.
    """
    errors = [abs(Fraction(m, power) - r) for m, r in zip(multipliers, ratios)]
    if not any(errors):
        return True
    if len(parts) > 1:
        return False
    (ratio,), (error,) = ratios, errors
    if not ratio:
        return True
    up, down = abs(ratio.numerator), ratio.denominator
    most = min(parts[0].most, limit * down // up + 1)
    near = int(2 * down * most * error)
    if near >= down:
        return False
    found = first_between(2 * up, 2 * down, down - near, down + near)
    return found is None or found > most


def first_between(step: int, modulus: int, low: int, high: int) -> int | None:
    """The least n >= 0 for which step * n modulo modulus is from low to high; None if there is none."""
    if not low:
        return 0
    step %= modulus
    if 2 * step > modulus:
        step, low, high = modulus - step, modulus - high, modulus - low
    if not step:
        return None
    n = -(-low // step)
    if n * step <= high:
        return n
    # Wraps are rare: how many there are is the same question with smaller numbers.
    wraps = first_between(modulus, step, -high % step, -low % step)
    return None if wraps is None else -(-(low + modulus * wraps) // step)


def quantized_numbers(numbers: np.ndarray, target: QuantizedType) -> np.ndarray:
    """The integers of constant floats, as `uniform_quantize` computes them."""
    dtype, (low, high) = numpy_dtype(target.expressed), storage_range(target)
    x = np.asarray(numbers, dtype)
    scale, zero = (along(target, given, x.ndim).astype(dtype) for given in (target.scales, target.zero_points))
    whole = np.rint(np.clip((x / scale + zero).astype(np.float64), low, high)).reshape(x.shape)
    return np.where(np.isnan(whole), 0, whole).astype(np.int64)
