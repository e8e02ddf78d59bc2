"""Rewrites products and convolutions of integers that are widened, and shifted by a zero point, to those of 8 bits.

Quantised networks compute (x - z) · w in 32 bits. That is x · w - z · Σw, modulo 2³², and so for convolutions, where Σw
is that of the elements of a window that are no padding. Tensor cores multiply x and w; of the sums there are few.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import prod
from typing import Any

from ..ir import DenseAttr, Op, TensorType, Value, about
from ..ir.dimensions import dot_numbers
from ..ir.dtypes import static_shape
from ..ir.sizes import is_open
from ..ops import Trait, has
from ..ops.build import Builder, Term, stablehlo
from .gemm import element_name, is_broadcast, is_conversion, is_large, sizes_of
from .problem import ConvolutionProblem, convolution_problem
from .taps import LEAST_FEATURES

NARROW, WIDE = ("i8", "ui8"), ("i32", "ui32")
# The fewest features or rows, of which each has its share of the sums.
LEAST_ROWS = 16


def multiply_narrow(ops: Sequence[Op]) -> list[Op]:
    """The ops of a block, with products of 8-bit integers in place of those of what is computed from them."""
    definitions = {v: op for op in ops for v in op.results}
    result: list[Op] = []
    for op in ops:
        with about(op):
            result += narrow(op, definitions) or (op,)
    return result


def narrow(op: Op, definitions: Mapping[Value, Op]) -> tuple[Op, ...]:
    """The ops in place of one; none if it stays."""
    multiplies = has(op, Trait.DOT) or has(op, Trait.CONVOLUTION)
    names = {*map(element_name, (*op.operands, *op.results))} if multiplies else set()
    if len(names) != 1 or not names <= {*WIDE} or not is_large(op):
        return ()
    builder = Builder(op.location)
    sides = [side_of(value, definitions, builder) for value in op.operands]
    if None in sides:
        return ()
    (x, zero), (w, other) = (side for side in sides if side is not None)
    if has(op, Trait.CONVOLUTION):
        p = convolution_problem(op)
        is_sum = p.features < LEAST_FEATURES or p.batch_groups > 1 or not p.is_known or any(map(is_open, p.input))
        if is_sum or other is not None:
            return ()
        convolve(op, p, builder, x, w, zero)
    elif (zero is None and other is None) or any(map(is_open, (*x.shape, *w.shape))):
        return ()  # a product widens itself
    elif min(sizes_of(op)) < LEAST_ROWS:
        return ()
    else:
        multiply(op, builder, x, w, zero, other)
    return builder.ops_for(op)


def side_of(value: Value, definitions: Mapping[Value, Op], builder: Builder) -> tuple[Term, Term | None] | None:
    """The 8-bit integers that an operand is computed from, and the number that is subtracted from each, if one is."""
    op, zero = definitions.get(value), None
    if op is not None and op.name == stablehlo.subtract.name:
        zero = number_of(op.operands[1], definitions, builder)
        if zero is None:
            return None
        op = definitions.get(op.operands[0])
    if op is None or not is_conversion(op) or element_name(op.operands[0]) not in NARROW:
        return None
    x = builder.term(op.operands[0])
    return (x, zero) if x.shape == static_shape(value.type) else None


def number_of(value: Value, definitions: Mapping[Value, Op], builder: Builder) -> Term | None:
    """The number that a value repeats, as a scalar; None if it may have several."""
    op, element = definitions.get(value), builder.term(value).element
    if op is not None and is_broadcast(op) and prod(static_shape(op.operands[0].type)) == 1:
        return builder.term(op.operands[0]).reshape(())
    number = op.attributes.get("value") if op is not None and has(op, Trait.CONSTANT) else None
    if isinstance(number, DenseAttr) and number.splat:
        return builder.fill(number.data.reshape(-1)[0].item(), TensorType((), element))
    return builder.term(value) if not static_shape(value.type) else None


def multiply(op: Op, builder: Builder, x: Term, w: Term, zero: Term | None, other: Term | None) -> None:
    """A product of shifted integers."""
    type, shape = builder.term(op.results[0]).type, builder.term(op.results[0]).shape
    n, terms = dot_numbers(op), sizes_of(op)[2]
    attributes: dict[str, Any] = {**op.attributes}
    y = stablehlo.dot_general(x, w, type=type, **attributes)
    batch, rank = len(n.lhs_batching), len(shape)
    rows = len(n.lhs_free(len(x.shape)))
    along = [*range(batch)]

    def sums(operand: Term, summed: Sequence[int], kept: Sequence[int], where: Sequence[int]) -> Term:
        """The sums of an operand's terms for each element of the result, whose dimensions `kept` are `where`."""
        left = [d for d in range(len(operand.shape)) if d not in summed]
        total = operand.to(type.element).sum(summed).transpose([left.index(d) for d in kept])
        return total.broadcast(shape, where)

    if zero is not None:
        kept = [*n.rhs_batching, *n.rhs_free(len(w.shape))]
        total = sums(w, n.rhs_contracting, kept, [*along, *range(batch + rows, rank)])
        if other is not None:
            total = total - (other * terms).broadcast(shape, ())
        y = y - zero.broadcast(shape, ()) * total
    if other is not None:
        kept = [*n.lhs_batching, *n.lhs_free(len(x.shape))]
        total = sums(x, n.lhs_contracting, kept, [*along, *range(batch, batch + rows)])
        y = y - other.broadcast(shape, ()) * total


def convolve(op: Op, p: ConvolutionProblem, builder: Builder, x: Term, w: Term, zero: Term | None) -> None:
    """A convolution of shifted integers."""
    n, type, result = p.numbers, builder.term(op.results[0]).type, builder.term(op.results[0]).shape
    attributes: dict[str, Any] = {**op.attributes}
    y = stablehlo.convolution(x, w, type=type, **attributes)
    if zero is None:
        return
    total = w.to(type.element).sum([n.kernel_input_feature])
    if not any((*p.window.low, *p.window.high, *p.window.interior)):
        features = [d for d in range(len(w.shape)) if d != n.kernel_input_feature].index(n.kernel_output_feature)
        total = total.sum([d for d in range(len(total.shape)) if d != features])
        shifted = total.broadcast(result, [n.output_feature])
    else:  # those of windows that are in part padding are different
        kernel = [1 if d == n.kernel_input_feature else size for d, size in enumerate(w.shape)]
        shape = [1 if d == n.input_batch else size for d, size in enumerate(x.shape)]
        shape[n.input_feature] = p.feature_groups
        ones = builder.fill(1, TensorType(tuple(shape), type.element))
        one = tuple(1 if d == n.output_batch else size for d, size in enumerate(result))
        sums = stablehlo.convolution(ones, total.reshape(kernel), type=TensorType(one, type.element), **attributes)
        kept = [d for d in range(len(one)) if d != n.output_batch]
        shifted = sums.reshape([one[d] for d in kept]).broadcast(result, kept)
    _ = y - zero.broadcast(result, ()) * shifted
