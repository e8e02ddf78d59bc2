"""Arithmetic of quantized numbers in integers alone, for processors to which floats are expensive.

The specification computes with the numbers that integers stand for, in floats. Here a product or a sum is exact, and
its scale becomes a multiplication by an integer of 30 bits and a shift that rounds to nearest even. So a result may
differ by one step where a float is rounded to the other side of a half; with scales that are powers of two, none does.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from ..ir import DenseAttr, DialectAttr, Module, Op, QuantizedType, Region, ScalarType, TensorType, Value
from ..ir.dimensions import decode_convolution, dot_numbers
from ..ir.dtypes import bit_width, expect_tensor, numpy_dtype
from ..ir.rewrite import Rewriter, clone_value, rewrite_functions
from ..ops import Monoid, Trait, has, monoid_of
from ..ops.build import I32, I64, Builder, Term, operation, stablehlo
from ..ops.traits import CONTROL
from ..ops.types import storage_range

# The bits of a multiplier, and the most that a product is shifted: a zero point of 16 bits is shifted, too.
BITS, MOST_SHIFT = 30, 46
ORDERED = (Monoid.MAXIMUM, Monoid.MINIMUM)


def compute_in_integers(module: Module) -> Module:
    """A module of static shapes in which quantized numbers are computed as integers where that is possible."""
    constants: dict[Value, np.ndarray] = {}

    def rewrite(rewriter: Rewriter, op: Op) -> Sequence[Op] | None:
        value = op.attributes.get("value")
        if has(op, Trait.CONSTANT) and isinstance(value, DenseAttr) and not op.operands:
            constants[op.results[0]] = value.data
            return None
        quantized = [v for v in (*op.operands, *op.results) if quantization(v) is not None]
        if op.regions and not has(op, CONTROL):  # a reduction's body stays one op
            return ordered_reduction(rewriter, op) or [Rewriter(rewriter.values).clone(op)]
        if not quantized or len(op.results) != 1 or op.regions:
            return None
        builder = Builder(op.location)
        operands = rewriter.lookup(op.operands)
        terms = [Quantized(builder.term(v), type) for v in operands if (type := quantization(v)) is not None]
        target = quantization(op.results[0])
        if target is None or not is_known(target) or not all(is_known(x.type) for x in terms):
            return None
        if op.name == stablehlo.uniform_quantize.name and op.operands[0] in constants:
            result: Term | None = builder.array(quantized_numbers(constants[op.operands[0]], target), target.storage)
        elif len(terms) < len(operands):
            return None
        else:
            result = integer_result(op, terms, target)
        if result is None:
            return None
        stablehlo.bitcast_convert(result, type=expect_tensor(op.results[0].type))
        return [*builder.ops[:-1], replace(builder.ops[-1], results=rewriter.define(op.results))]

    return rewrite_functions(module, rewrite)


def quantization(value: Value) -> QuantizedType | None:
    type = value.type
    return type.element if isinstance(type, TensorType) and isinstance(type.element, QuantizedType) else None


def is_known(type: QuantizedType) -> bool:
    """Whether its numbers have scales that this module handles: one, or one for each index of an axis."""
    return not type.blocks and bit_width(type.storage) <= 32 and all(abs(z) < 1 << 16 for z in type.zero_points)


class Quantized:
    """An operand: its integers, and what they stand for."""

    def __init__(self, term: Term, type: QuantizedType) -> None:
        self.type = type
        self.stored = stablehlo.bitcast_convert(term, type=TensorType(term.shape, type.storage))

    @property
    def bits(self) -> int:
        return bit_width(self.type.storage)

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


def integer_result(op: Op, operands: Sequence[Quantized], target: QuantizedType) -> Term | None:
    """The integers of an op's result; None if the op is not one of those that this module knows."""
    shape = expect_tensor(op.results[0].type).shape
    if has(op, Trait.DOT | Trait.CONVOLUTION):
        return product(op, operands, target)
    if op.name == stablehlo.uniform_quantize.name:
        return rescaled([(operands[0].steps(I64), scales(operands[0].type, len(shape)))], target)
    if monoid_of(op) in ORDERED or op.name == stablehlo.clamp.name:
        if any(x.type != target for x in operands):
            return None
        stored, types = [x.stored for x in operands], [TensorType(shape, target.storage)]
        return stored[0].builder.op(operation(op.name), stored, types, (), op.attributes)[0]
    if monoid_of(op) is Monoid.SUM or op.name == stablehlo.subtract.name:
        sign = 1 if monoid_of(op) is Monoid.SUM else -1
        a, b = operands
        terms = [(a.steps(I64), scales(a.type, len(shape))), (b.steps(I64), sign * scales(b.type, len(shape)))]
        return rescaled(terms, target)
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
    return rescaled([(total, ratio)], target)


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


def rescaled(terms: Sequence[tuple[Term, np.ndarray]], target: QuantizedType) -> Term | None:
    """The sum of integers times their scales, in steps of another scale from its zero point, as integers of it.

    A number times its scale over the target's is a product with a multiplier, shifted: both follow from the scales.
    """
    first = terms[0][0]
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
        shift = np.clip(BITS - exponents, 1, MOST_SHIFT)
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


def ordered_reduction(rewriter: Rewriter, op: Op) -> list[Op] | None:
    """The maximum or minimum of numbers of one quantized type, which is that of their integers; None for other ops."""
    target = quantization(op.results[0]) if op.results else None
    body = op.regions[0].ops
    same = target is not None and all(quantization(v) == target for v in (*op.operands, *op.results))
    if not same or target is None or len(op.regions) > 1 or len(body) != 2 or monoid_of(body[0]) not in ORDERED:
        return None

    def whole(value: Value, type: TensorType) -> Value:
        return clone_value(value, replace(type, element=target.storage))

    inner = Rewriter(new=lambda value: whole(value, expect_tensor(value.type)))
    region: Region = inner.region(op.regions[0])
    builder = Builder(op.location)
    operands = [Quantized(builder.term(v), target).stored.value for v in rewriter.lookup(op.operands)]
    results = [whole(v, expect_tensor(v.type)) for v in op.results]
    reduction = replace(op, operands=tuple(operands), results=tuple(results), regions=(region,))
    after = Builder(op.location)
    for found, wanted in zip(results, op.results):
        stablehlo.bitcast_convert(after.term(found), type=expect_tensor(wanted.type))
    last = [replace(o, results=rewriter.define([v])) for o, v in zip(after.ops, op.results)]
    return [*builder.ops, reduction, *last]
