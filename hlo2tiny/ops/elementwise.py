"""Ops that compute each element from the operands' elements at the same place."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ..ir import QuantizedType, TensorType
from .attributes import ACCURACY, I32, INTEGERS, Violation, enumeration, has_no_demand, optional
from .definition import Shape, agree, merged, op, same, shape_text

ACCURATE = {"result_accuracy": optional(ACCURACY, neutral=has_no_demand, since="1.10.0")}
BROADCASTING = {"broadcast_dimensions": optional(INTEGERS)}
# Which of the types goes with which elements (C3) exporters do not keep to: an element's own type decides.
COMPARISON = {
    "comparison_direction": enumeration("comparison_direction"),
    "compare_type": optional(enumeration("comparison_type", "WEAKORDER"), "NOTYPE"),
}


def same_shape(*operands: TensorType, **attributes: Any) -> list[Shape | None]:
    shape = operands[0].shape
    for i, operand in enumerate(operands[1:], 1):
        if not agree(shape, operand.shape):
            raise Violation(f"operand {i} is {operand}, expected the shape {shape_text(shape)} (C1)")
        shape = merged(shape, operand.shape)
    return [shape]


def add_shape(lhs: TensorType, rhs: TensorType, *, out: Sequence[TensorType]) -> list[Shape | None]:
    if isinstance(lhs.element, QuantizedType):
        axes = {t.element.axis for t in (lhs, rhs) if isinstance(t.element, QuantizedType)} - {None}
        result = out[0].element
        if isinstance(result, QuantizedType) and axes != {result.axis} - {None}:
            raise Violation("the quantization dimensions of operands and result differ (C5, C6, C7)")
    return same_shape(lhs, rhs)


def select_shape(pred: TensorType, on_true: TensorType, on_false: TensorType) -> list[Shape | None]:
    (shape,) = same_shape(on_true, on_false)
    assert shape is not None
    if pred.shape != () and not agree(pred.shape, shape):
        raise Violation(f"pred is {pred}, expected a scalar or the shape {shape_text(shape)} (C1)")
    return [shape if pred.shape == () else merged(shape, pred.shape)]


def clamp_shape(min: TensorType, operand: TensorType, max: TensorType) -> list[Shape | None]:
    for name, bound, number in (("min", min, 1), ("max", max, 2)):
        if bound.shape != () and not agree(bound.shape, operand.shape):
            shape = shape_text(operand.shape)
            raise Violation(f"{name} is {bound}, expected a scalar or the shape {shape} (C{number})")
    return [operand.shape]


def reduce_precision_shape(operand: TensorType, *, exponent_bits: int, mantissa_bits: int) -> list[Shape | None]:
    if exponent_bits < 1:
        raise Violation(f"exponent_bits is {exponent_bits}, expected at least 1 (C2)")
    if mantissa_bits < 0:
        raise Violation(f"mantissa_bits is {mantissa_bits}, expected zero or more (C3)")
    return [operand.shape]


def broadcast_shape(
    *operands: TensorType, broadcast_dimensions: Sequence[int] | None = None, **attributes: Any
) -> list[Shape | None]:
    """CHLO's broadcasting: dimensions are aligned at the last, or where `broadcast_dimensions` puts the smaller's."""
    shapes = [t.shape for t in operands]
    if broadcast_dimensions is not None:
        shapes = placed_shapes(shapes, broadcast_dimensions)
    rank = max(map(len, shapes))
    result: list[int | None] = [1] * rank
    for i, shape in enumerate(shapes):
        for d, size in enumerate(shape, rank - len(shape)):
            if result[d] == 1:
                result[d] = size
            elif size != 1:
                if not same(result[d], size):
                    raise Violation(
                        f"operand {i} is {operands[i]}, whose dimensions do not broadcast to "
                        f"those of the others, {shape_text(tuple(result))}"
                    )
                result[d] = size if result[d] is None else result[d]
    return [tuple(result)]


def placed_shapes(shapes: Sequence[Shape], dimensions: Sequence[int]) -> list[Shape]:
    """Two shapes of one rank, after the smaller one's dimensions have gone where `dimensions` says."""
    small = 1 if len(shapes[0]) > len(shapes[1]) else 0
    rank, own = len(shapes[1 - small]), shapes[small]
    in_order = sorted(set(dimensions)) == list(dimensions) and all(0 <= d < rank for d in dimensions)
    if len(dimensions) != len(own) or not in_order:
        raise Violation(
            f"broadcast_dimensions is {list(dimensions)}, expected {len(own)} of the dimensions 0 to"
            f" {rank - 1} in ascending order"
        )
    sizes = dict(zip(dimensions, own))
    spread = tuple(sizes.get(d, 1) for d in range(rank))
    return [spread, shapes[1]] if small == 0 else [shapes[0], spread]


op("stablehlo.abs", "R -> Q", "sfc", shapes=same_shape)
op("stablehlo.add", "QQ -> Q", quantized="several", shapes=add_shape)
op("stablehlo.and", "QQ -> Q", "bi", quantized="none", shapes=same_shape)
op("stablehlo.atan2", "QQ -> Q", "fc", attributes=ACCURATE, shapes=same_shape)
op("stablehlo.cbrt", "Q -> Q", "fc", attributes=ACCURATE, shapes=same_shape)
op("stablehlo.ceil", "Q -> Q", "f", shapes=same_shape)
op("stablehlo.clamp", "QQQ -> Q", shapes=clamp_shape)
op(
    "stablehlo.compare",
    "QQ -> B",
    attributes=COMPARISON,
    form="$comparison_direction, %, $compare_type",
    shapes=same_shape,
)
op("stablehlo.complex", "QQ -> R", "f", quantized="none", form="% : complex", shapes=same_shape)
op("stablehlo.convert", "A -> A", quantized="none", shapes=same_shape)
op("stablehlo.cosine", "Q -> Q", "fc", attributes=ACCURATE, shapes=same_shape)
op("stablehlo.count_leading_zeros", "Q -> Q", "i", quantized="none", shapes=same_shape)
op("stablehlo.divide", "QQ -> Q", "ifc", shapes=same_shape)
op("stablehlo.exponential", "Q -> Q", "fc", attributes=ACCURATE, shapes=same_shape)
op("stablehlo.exponential_minus_one", "Q -> Q", "fc", attributes=ACCURATE, shapes=same_shape)
op("stablehlo.floor", "Q -> Q", "f", shapes=same_shape)
op("stablehlo.imag", "R -> Q", "fc", quantized="none", shapes=same_shape)
op("stablehlo.is_finite", "Q -> B", "f", shapes=same_shape)
op("stablehlo.log", "Q -> Q", "fc", attributes=ACCURATE, shapes=same_shape)
op("stablehlo.log_plus_one", "Q -> Q", "fc", attributes=ACCURATE, shapes=same_shape)
op("stablehlo.logistic", "Q -> Q", "fc", attributes=ACCURATE, shapes=same_shape)
op("stablehlo.maximum", "QQ -> Q", shapes=same_shape)
op("stablehlo.minimum", "QQ -> Q", shapes=same_shape)
op("stablehlo.multiply", "QQ -> Q", shapes=same_shape)
op("stablehlo.negate", "Q -> Q", "ifc", shapes=same_shape)
op("stablehlo.not", "Q -> Q", "bi", quantized="none", shapes=same_shape)
op("stablehlo.or", "QQ -> Q", "bi", quantized="none", shapes=same_shape)
op("stablehlo.popcnt", "Q -> Q", "i", quantized="none", shapes=same_shape)
op("stablehlo.power", "QQ -> Q", "ifc", attributes=ACCURATE, shapes=same_shape)
op("stablehlo.real", "R -> Q", "fc", quantized="none", shapes=same_shape)
op(
    "stablehlo.reduce_precision",
    "Q -> Q",
    "f",
    attributes={"exponent_bits": I32, "mantissa_bits": I32},
    form="%, format = e${exponent_bits}m${mantissa_bits}",
    shapes=reduce_precision_shape,
)
op("stablehlo.remainder", "QQ -> Q", "ifc", shapes=same_shape)
op("stablehlo.round_nearest_afz", "Q -> Q", "f", shapes=same_shape)
op("stablehlo.round_nearest_even", "Q -> Q", "f", shapes=same_shape)
op("stablehlo.rsqrt", "Q -> Q", "fc", attributes=ACCURATE, shapes=same_shape)
op("stablehlo.select", "BQQ -> Q", "b", form="% : choice", shapes=select_shape)
op("stablehlo.shift_left", "QQ -> Q", "i", quantized="none", shapes=same_shape)
op("stablehlo.shift_right_arithmetic", "QQ -> Q", "i", quantized="none", shapes=same_shape)
op("stablehlo.shift_right_logical", "QQ -> Q", "i", quantized="none", shapes=same_shape)
op("stablehlo.sign", "Q -> Q", "sfc", shapes=same_shape)
op("stablehlo.sine", "Q -> Q", "fc", attributes=ACCURATE, shapes=same_shape)
op("stablehlo.sqrt", "Q -> Q", "fc", attributes=ACCURATE, shapes=same_shape)
op("stablehlo.subtract", "QQ -> Q", "ifc", shapes=same_shape)
op("stablehlo.tan", "Q -> Q", "fc", attributes=ACCURATE, shapes=same_shape)
op("stablehlo.tanh", "Q -> Q", "fc", attributes=ACCURATE, shapes=same_shape)
op("stablehlo.xor", "QQ -> Q", "bi", quantized="none", shapes=same_shape)
op("chlo._asin_acos_kernel", "Q* -> Q", quantized="none", shapes=same_shape)
op("chlo.acos", "Q -> Q", "fc", quantized="none", attributes=ACCURATE, shapes=same_shape)
op("chlo.acosh", "Q -> Q", "fc", quantized="none", attributes=ACCURATE, shapes=same_shape)
op("chlo.asin", "Q -> Q", "fc", quantized="none", attributes=ACCURATE, shapes=same_shape)
op("chlo.asinh", "Q -> Q", "fc", quantized="none", attributes=ACCURATE, shapes=same_shape)
op("chlo.atan", "Q -> Q", "fc", quantized="none", attributes=ACCURATE, shapes=same_shape)
op("chlo.atanh", "Q -> Q", "fc", quantized="none", attributes=ACCURATE, shapes=same_shape)
op("chlo.bessel_i1e", "Q -> Q", "f", quantized="none", attributes=ACCURATE, shapes=same_shape)
op("chlo.broadcast_add", "QQ -> Q", quantized="none", attributes=BROADCASTING, shapes=broadcast_shape)
op("chlo.broadcast_and", "QQ -> Q", "bi", quantized="none", attributes=BROADCASTING, shapes=broadcast_shape)
op("chlo.broadcast_atan2", "QQ -> Q", "fc", quantized="none", attributes=BROADCASTING, shapes=broadcast_shape)
op(
    "chlo.broadcast_compare",
    "QQ -> B",
    quantized="none",
    attributes=COMPARISON | BROADCASTING,
    form="$comparison_direction, %, $compare_type",
    shapes=broadcast_shape,
)
op("chlo.broadcast_complex", "QQ -> R", "f", quantized="none", attributes=BROADCASTING, shapes=broadcast_shape)
op("chlo.broadcast_divide", "QQ -> Q", "ifc", quantized="none", attributes=BROADCASTING, shapes=broadcast_shape)
op("chlo.broadcast_maximum", "QQ -> Q", quantized="none", attributes=BROADCASTING, shapes=broadcast_shape)
op("chlo.broadcast_minimum", "QQ -> Q", quantized="none", attributes=BROADCASTING, shapes=broadcast_shape)
op("chlo.broadcast_multiply", "QQ -> Q", quantized="none", attributes=BROADCASTING, shapes=broadcast_shape)
op("chlo.broadcast_next_after", "QQ -> Q", "f", quantized="none", attributes=BROADCASTING, shapes=broadcast_shape)
op("chlo.broadcast_or", "QQ -> Q", "bi", quantized="none", attributes=BROADCASTING, shapes=broadcast_shape)
op("chlo.broadcast_polygamma", "QQ -> Q", "f", quantized="none", attributes=BROADCASTING, shapes=broadcast_shape)
op("chlo.broadcast_power", "QQ -> Q", "ifc", quantized="none", attributes=BROADCASTING, shapes=broadcast_shape)
op("chlo.broadcast_remainder", "QQ -> Q", "if", quantized="none", attributes=BROADCASTING, shapes=broadcast_shape)
op("chlo.broadcast_select", "BQQ -> Q", "b", quantized="none", shapes=broadcast_shape)
op("chlo.broadcast_shift_left", "QQ -> Q", "i", quantized="none", attributes=BROADCASTING, shapes=broadcast_shape)
op(
    "chlo.broadcast_shift_right_arithmetic",
    "QQ -> Q",
    "i",
    quantized="none",
    attributes=BROADCASTING,
    shapes=broadcast_shape,
)
op(
    "chlo.broadcast_shift_right_logical",
    "QQ -> Q",
    "i",
    quantized="none",
    attributes=BROADCASTING,
    shapes=broadcast_shape,
)
op("chlo.broadcast_subtract", "QQ -> Q", "ifc", quantized="none", attributes=BROADCASTING, shapes=broadcast_shape)
op("chlo.broadcast_xor", "QQ -> Q", "bi", quantized="none", attributes=BROADCASTING, shapes=broadcast_shape)
op("chlo.broadcast_zeta", "QQ -> Q", "f", quantized="none", attributes=BROADCASTING, shapes=broadcast_shape)
op("chlo.conj", "Q -> Q", "fc", quantized="none", shapes=same_shape)
op("chlo.cosh", "Q -> Q", "fc", quantized="none", attributes=ACCURATE, shapes=same_shape)
op("chlo.digamma", "Q -> Q", "f", quantized="none", attributes=ACCURATE, shapes=same_shape)
op("chlo.erf", "Q -> Q", "f", quantized="none", attributes=ACCURATE, shapes=same_shape)
op("chlo.erf_inv", "Q -> Q", "f", quantized="none", attributes=ACCURATE, shapes=same_shape)
op("chlo.erfc", "Q -> Q", "f", quantized="none", attributes=ACCURATE, shapes=same_shape)
op("chlo.is_inf", "Q -> B", "f", quantized="none", shapes=same_shape)
op("chlo.is_neg_inf", "Q -> B", "f", quantized="none", shapes=same_shape)
op("chlo.is_pos_inf", "Q -> B", "f", quantized="none", shapes=same_shape)
op("chlo.lgamma", "Q -> Q", "f", quantized="none", attributes=ACCURATE, shapes=same_shape)
op("chlo.mulhi", "QQ -> Q", "i", quantized="none", shapes=same_shape)
op("chlo.next_after", "QQ -> Q", "f", quantized="none", shapes=same_shape)
op("chlo.polygamma", "QQ -> Q", "f", quantized="none", attributes=ACCURATE, shapes=same_shape)
op("chlo.sinh", "Q -> Q", "fc", quantized="none", attributes=ACCURATE, shapes=same_shape)
op("chlo.square", "Q -> Q", "fc", quantized="none", shapes=same_shape)
op("chlo.tan", "Q -> Q", "fc", quantized="none", attributes=ACCURATE, shapes=same_shape)
op("chlo.zeta", "QQ -> Q", "f", quantized="none", attributes=ACCURATE, shapes=same_shape)
