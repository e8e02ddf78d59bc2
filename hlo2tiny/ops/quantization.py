"""Conversions between real and quantized numbers."""

from __future__ import annotations

from collections.abc import Sequence

from ..ir import QuantizedType, TensorType
from ..ir.dimensions import Shape
from .attributes import Violation
from .definition import count_elements, op


def uniform_quantize_shapes(operand: TensorType, *, out: Sequence[TensorType]) -> list[Shape | None]:
    if not isinstance(out[0].element, QuantizedType):
        raise Violation(f"the result is {out[0]}, expected a quantized tensor")
    return [operand.shape]


def uniform_dequantize_shapes(operand: TensorType, *, out: Sequence[TensorType]) -> list[Shape | None]:
    if not isinstance(operand.element, QuantizedType):
        raise Violation(f"the operand is {operand}, expected a quantized tensor")
    if isinstance(out[0].element, QuantizedType):
        raise Violation(f"the result is {out[0]}, expected a tensor of floats (C2)")
    return [operand.shape]


# fmt: off
op("stablehlo.uniform_dequantize", "X -> X", "f", quantized="several", shapes=uniform_dequantize_shapes,
    flops=lambda operand: 2 * count_elements(operand))
op("stablehlo.uniform_quantize", "X -> X", "f", quantized="several", shapes=uniform_quantize_shapes,
    flops=lambda operand: 4 * count_elements(operand))  # divide, round, add, clamp
