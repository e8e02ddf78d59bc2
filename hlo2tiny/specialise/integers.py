"""Arithmetic of quantized numbers in integers alone, for processors to which floats are expensive.

The specification computes with the numbers that integers stand for, in floats. Here a product or a sum is exact, and
its scale becomes a multiplication by an integer of 30 bits and a shift that rounds to nearest even. So a result may
differ by one step where a float is rounded to the other side of a half; with scales that are powers of two, none does.

Other functions of numbers of 8 bits, such as tanh, are looked up in tables of what they are in floats. Reductions are
computed step by step, as the specification says: each sum is limited to what its type can hold.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from math import prod

import numpy as np

from ..ir import DenseAttr, DialectAttr, Module, Op, QuantizedType, Region, ScalarType, TensorType, Value
from ..ir.dimensions import decode_convolution, dot_numbers
from ..ir.dtypes import bit_width, expect_tensor, numpy_dtype
from ..ir.rewrite import Rewriter, clone_value, live, rewrite_functions
from ..ops import Monoid, Trait, has, monoid_of
from ..ops.build import I32, I64, Builder, Term, operation, stablehlo
from ..ops.traits import CONTROL
from ..ops.types import storage_range

# The bits of a multiplier, and the most that a product is shifted: a zero point of 16 bits is shifted, too.
BITS, LEAST_BITS, MOST_SHIFT = 30, 18, 46
ORDERED = (Monoid.MAXIMUM, Monoid.MINIMUM)
# The most bits of a number that is looked up.
MOST_LOOKED_UP = 8
# Computes a value of ops of which one other value is the argument, for an array.
Evaluate = Callable[[Value, Sequence[Op], Value, np.ndarray], np.ndarray]


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
    """

    def __init__(self, evaluate: Evaluate) -> None:
        self.evaluate = evaluate
        self.constants: dict[Value, np.ndarray] = {}
        self.stored: dict[Value, Value] = {}

    def rewrite(self, rewriter: Rewriter, op: Op) -> Sequence[Op] | None:
        """A rewriter's hook: the ops that compute an op's result in integers."""
        value, constants = op.attributes.get("value"), self.constants
        if has(op, Trait.CONSTANT) and isinstance(value, DenseAttr) and not op.operands:
            constants[op.results[0]] = value.data
            return None
        if op.name == stablehlo.broadcast_in_dim.name and single(constants.get(op.operands[0])) is not None:
            constants[op.results[0]] = constants[op.operands[0]]
        if op.regions and not has(op, CONTROL):  # a reduction's body stays one op
            return self.reduction(rewriter, op) or [Rewriter(rewriter.values).clone(op)]
        target = quantization(op.results[0]) if len(op.results) == 1 else None
        if target is None or op.regions:
            return None
        builder, numbers = Builder(op.location), [constants.get(v) for v in op.operands]
        terms = self.quantized(builder, rewriter.lookup(op.operands))
        if not is_known(target) or not all(is_known(x.type) for x in terms):
            return None
        if op.name == stablehlo.uniform_quantize.name and numbers[0] is not None:
            result: Term | None = builder.array(quantized_numbers(numbers[0], target), target.storage)
        elif len(terms) < len(op.operands):
            return None
        else:
            result = integer_result(op, terms, target, numbers) or self.looked_up(op, terms, target, numbers)
        if result is None:
            return None
        stablehlo.bitcast_convert(result, type=expect_tensor(op.results[0].type))
        *ops, last = builder.ops
        (defined,) = rewriter.define(op.results)
        self.stored[defined] = result.value
        return [*ops, replace(last, results=(defined,))]

    def quantized(self, builder: Builder, values: Sequence[Value]) -> list[Quantized]:
        """The quantized ones among values."""
        found = ((v, quantization(v)) for v in values)
        return [Quantized(builder.term(v), type, self.stored.get(v)) for v, type in found if type is not None]

    def looked_up(
        self, op: Op, operands: Sequence[Quantized], target: QuantizedType, numbers: Sequence[np.ndarray | None]
    ) -> Term | None:
        """A function of one number of few bits, and of constants, from a table of all its values; None for others."""
        known = [single(x) for x in numbers]
        vary = [x for x, number in zip(operands, known) if number is None]
        if (
            not has(op, Trait.ELEMENTWISE)
            or len(vary) != 1
            or any(t.axis is not None for t in (target, *types_of(operands)))
        ):
            return None
        (x,) = vary
        if x.bits > MOST_LOOKED_UP:
            return None
        least, most = storage_range(replace(x.type, storage_min=None, storage_max=None))
        every, inner = np.arange(least, most + 1), Builder(op.location)
        argument = Value("x", TensorType(every.shape, x.type))
        given = [
            inner.term(argument) if number is None else inner.fill(number, TensorType(every.shape, type))
            for number, type in zip(known, types_of(operands))
        ]
        result = inner.op(operation(op.name), given, [TensorType(every.shape, target)], (), op.attributes)[0]
        table = self.evaluate(argument, inner.ops, result.value, every.astype(numpy_dtype(x.type)))
        place = x.stored.to(I32) - least if least else x.stored.to(I32)
        entries = x.stored.builder.array(table, target.storage)
        return stablehlo.torch_index_select(entries, place, dim=0, batch_dims=0)

    def reduction(self, rewriter: Rewriter, op: Op) -> list[Op] | None:
        """A reduction of numbers of one quantized type with one scale, in integers; None for other ops."""
        target = quantization(op.results[0]) if op.results else None
        if target is None or target.axis is not None or not is_known(target) or len(op.regions) > 1:
            return None
        (region,) = op.regions
        if any(quantization(v) != target for v in (*op.results, *region.arguments)):
            return None
        builder, stored, start = Builder(op.location), TensorType((), target.storage), Builder(op.location)
        operands = self.quantized(builder, rewriter.lookup(op.operands))
        if len(operands) < len(op.operands) or not all(is_known(x.type) for x in operands):
            return None
        given = [x.stored if x.type == target else converted(x, target) for x in operands]
        if None in given:
            return None
        arguments = tuple(Value("", stored) for _ in region.arguments)
        numbers = [stablehlo.bitcast_convert(start.term(v), type=TensorType((), target)).value for v in arguments]
        self.stored |= dict(zip(numbers, arguments))
        ops, returned = Rewriter(rewriter.values, self.rewrite, clone_value).inline(region, numbers)
        if any(v not in self.stored for v in returned):
            return None
        results = [self.stored[v] for v in returned]
        kept = live([*start.ops, *ops], results)
        if any(quantization(v) is not None for each in kept for v in (*each.operands, *each.results)):
            return None
        end = stablehlo.return_.op(results, (), op.location)
        wholes = [clone_value(v, replace(expect_tensor(v.type), element=target.storage)) for v in op.results]
        body = Region(arguments, (*kept, end))
        reduced = replace(op, operands=tuple(x.value for x in given if x), results=tuple(wholes), regions=(body,))
        after = Builder(op.location)
        for whole, wanted in zip(wholes, op.results):
            stablehlo.bitcast_convert(after.term(whole), type=expect_tensor(wanted.type))
        last = [replace(o, results=rewriter.define([v])) for o, v in zip(after.ops, op.results)]
        self.stored |= {o.results[0]: whole for o, whole in zip(last, wholes)}
        return [*builder.ops, reduced, *last]


def types_of(operands: Sequence[Quantized]) -> list[QuantizedType]:
    return [x.type for x in operands]


def single(numbers: np.ndarray | None) -> int | None:
    """The integer that fills an array; None if it has several or none."""
    flat = np.unique(numbers) if numbers is not None and numbers.dtype.kind in "iu" else np.empty(0)
    return int(flat[0]) if flat.size == 1 else None


def converted(x: Quantized, target: QuantizedType) -> Term | None:
    """A number of another quantized type."""
    return rescaled([(x.steps(I64), scales(x.type, len(x.stored.shape)))], target, x.size)


def quantization(value: Value) -> QuantizedType | None:
    type = value.type
    return type.element if isinstance(type, TensorType) and isinstance(type.element, QuantizedType) else None


def is_known(type: QuantizedType) -> bool:
    """Whether its numbers have scales that this module handles: one, or one for each index of an axis."""
    return not type.blocks and bit_width(type.storage) <= 32 and all(abs(z) < 1 << 16 for z in type.zero_points)


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
    def size(self) -> int:
        """The bits of the largest number of steps."""
        low, high = storage_range(self.type)
        return max((max(high - z, z - low) - 1).bit_length() for z in self.type.zero_points)

    def steps(self, wide: ScalarType) -> Term:
        """How many steps of its scale each number is."""
        x = self.stored.to(wide)
        zero = along(self.type, self.type.zero_points, len(x.shape))
        return x - spread(x, zero, wide) if zero.any() else x


def along(type: QuantizedType, numbers: Sequence[float], rank: int, axis: int | None = None) -> np.ndarray:
    """Scales or zero points in an array that is broadcast to a tensor's shape."""
    axis = type.axis if axis is None else axis
    shape = [1] * rank
    if type.axis is not None and axis is not None:
        shape[axis] = len(numbers)
    return np.array(numbers).reshape(shape)


def spread(like: Term, numbers: np.ndarray, element: ScalarType) -> Term:
    """Numbers that vary along at most one dimension, as a tensor of another's shape."""
    if numbers.size == 1:
        return like.builder.fill(int(numbers.reshape(-1)[0]), TensorType(like.shape, element))
    (axis,) = (d for d, size in enumerate(numbers.shape) if size > 1)
    return like.builder.array(numbers.reshape(-1), element).broadcast(like.shape, (axis,))


def integer_result(
    op: Op, operands: Sequence[Quantized], target: QuantizedType, numbers: Sequence[np.ndarray | None]
) -> Term | None:
    """The integers of an op's result; None if the op is not one of those that this module knows.

    `numbers` are the integers of the operands that are constants.
    """
    shape = expect_tensor(op.results[0].type).shape
    if has(op, Trait.DOT | Trait.CONVOLUTION):
        return product(op, operands, target)
    if op.name == stablehlo.uniform_quantize.name:
        return converted(operands[0], target)
    if monoid_of(op) in ORDERED or op.name == stablehlo.clamp.name:
        if any(x.type != target for x in operands):
            return None
        stored, types = [x.stored for x in operands], [TensorType(shape, target.storage)]
        return stored[0].builder.op(operation(op.name), stored, types, (), op.attributes)[0]
    if monoid_of(op) is Monoid.SUM or op.name == stablehlo.subtract.name:
        sign = 1 if monoid_of(op) is Monoid.SUM else -1
        a, b = operands
        size = max(a.size, b.size) + 1
        terms = [(a.steps(I64), scales(a.type, len(shape))), (b.steps(I64), sign * scales(b.type, len(shape)))]
        return rescaled(terms, target, size)
    if monoid_of(op) is Monoid.PRODUCT:
        a, b = operands
        wide = I32 if a.size + b.size < 32 else I64
        ratio = scales(a.type, len(shape)) * scales(b.type, len(shape))
        return rescaled([(a.steps(wide) * b.steps(wide), ratio)], target, a.size + b.size)
    if op.name == stablehlo.divide.name and (divisor := single(numbers[1])) is not None:
        a, b = operands
        steps = divisor - b.type.zero_points[0]
        if not steps or b.type.axis is not None:
            return None
        return rescaled([(a.steps(I64), scales(a.type, len(shape)) / (steps * b.type.scales[0]))], target, a.size)
    return None


def scales(type: QuantizedType, rank: int) -> np.ndarray:
    return along(type, type.scales, rank)


def product(op: Op, operands: Sequence[Quantized], target: QuantizedType) -> Term | None:
    """A matrix product or a convolution, whose sums are exact."""
    x, w = operands
    axis, rank = w.type.axis, len(expect_tensor(op.results[0].type).shape)
    if max(x.bits, w.bits) > 16 or x.type.axis is not None:
        return None
    if axis is not None:
        axis = axis_of_result(op, axis, len(w.stored.shape))
        if axis is None:
            return None
    wide = I32 if max(x.bits, w.bits) <= 8 else I64
    result = TensorType(expect_tensor(op.results[0].type).shape, wide)
    total = x.stored.builder.op(operation(op.name), [x.steps(wide), w.steps(wide)], [result], (), op.attributes)[0]
    ratio = x.type.scales[0] * along(w.type, w.type.scales, rank, axis)
    # Sums of 8-bit numbers have 32 bits; others have those of a product, and of how many there are.
    size = 31 if wide is I32 else x.size + w.size + prod(w.stored.shape).bit_length()
    return rescaled([(total, ratio)], target, size)


def axis_of_result(op: Op, axis: int, rank: int) -> int | None:
    """The dimension of a product's result that is a dimension of its right operand."""
    if has(op, Trait.CONVOLUTION):
        attribute = op.attributes["dimension_numbers"]
        assert isinstance(attribute, DialectAttr)
        numbers = decode_convolution(attribute.fields)
        return numbers.output_feature if axis == numbers.kernel_output_feature else None
    dot = dot_numbers(op)
    if axis in dot.rhs_contracting:
        return None
    if axis in dot.rhs_batching:
        return dot.rhs_batching.index(axis)
    result = len(expect_tensor(op.results[0].type).shape)
    free = [d for d in range(rank) if d not in (*dot.rhs_batching, *dot.rhs_contracting)]
    return result - len(free) + free.index(axis)


def rescaled(terms: Sequence[tuple[Term, np.ndarray]], target: QuantizedType, size: int) -> Term | None:
    """The sum of integers times their scales, in steps of another scale from its zero point, as integers of it.

    A number times its scale over the target's is a product with a multiplier, shifted: both follow from the scales.
    The sum has at most `size` bits, and its product with a multiplier 62.
    """
    first, bits = terms[0][0], min(BITS, 62 - size)
    if bits < LEAST_BITS:
        return None
    rank = len(first.shape)
    zero = along(target, target.zero_points, rank)
    ratios = np.broadcast_arrays(*(scale / scales(target, rank) for _, scale in terms), zero)[:-1]
    if sum(size > 1 for size in ratios[0].shape) > 1:
        return None  # the scales change along several dimensions
    low, high = storage_range(target)
    # A float of the expressed type has at most this many bits: anything closer to 1 than that is 1.
    if all((np.abs(np.abs(ratio) - 1) < 2.0**-24).all() for ratio in ratios):
        total = first.to(I64)
        for (term, _), ratio in zip(terms[1:], ratios[1:]):
            total = total + term.to(I64) if (ratio > 0).all() else total - term.to(I64)
        if zero.any():
            total = total + spread(first, zero, I64)
    else:
        largest = np.max(np.abs(ratios), axis=0)
        if largest.max() >= 1 << 20:
            return None
        exponents = np.frexp(np.maximum(largest, 2.0**-60))[1]
        shift = np.clip(bits - exponents, 1, MOST_SHIFT)
        total = first.builder.zeros(TensorType(first.shape, I64))
        for (term, _), ratio in zip(terms, ratios):
            multiplier = np.rint(ratio * 2.0**shift).astype(np.int64)
            total = total + term.to(I64) * spread(first, multiplier, I64)
        if zero.any():
            total = total + spread(first, zero.astype(np.int64) << shift, I64)
        shifts = spread(first, shift, I64)
        odd = stablehlo.shift_right_arithmetic(total, shifts) & total.like(1)
        less = spread(first, (np.int64(1) << (shift - 1).astype(np.int64)) - 1, I64)
        total = stablehlo.shift_right_arithmetic(total + less + odd, shifts)
    clamped = stablehlo.clamp(total.like(low), total, total.like(high))
    return clamped.to(target.storage)


def quantized_numbers(numbers: np.ndarray, target: QuantizedType) -> np.ndarray:
    """The integers of constant floats, as `uniform_quantize` computes them."""
    dtype, (low, high) = numpy_dtype(target.expressed), storage_range(target)
    x = np.asarray(numbers, dtype)
    scale, zero = (along(target, given, x.ndim).astype(dtype) for given in (target.scales, target.zero_points))
    whole = np.rint(np.clip((x / scale + zero).astype(np.float64), low, high))
    return np.where(np.isnan(whole), 0, whole).astype(np.int64)
