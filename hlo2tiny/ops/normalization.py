"""Batch normalisation."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from ..ir import TensorType
from ..ir.dimensions import Shape
from .attributes import F32, I64, Violation
from .definition import agree, check_dimensions, count_elements, merge_shapes, op, shape_text
from .traits import Trait


def check_features(operand: TensorType, feature_index: int, numbers: Mapping[str, tuple[TensorType, str]]) -> Shape:
    """Check the operands that hold one number for each feature; returns their shape as far as it is known."""
    check_dimensions("feature_index", feature_index, len(operand.shape), within="C1")
    expected: Shape = (operand.shape[feature_index],)
    for name, (type, number) in numbers.items():
        if not agree(type.shape, expected):
            shape = f"{shape_text(expected)}, a number for each feature"
            raise Violation(f"{name} is {type}, expected the shape {shape} ({number})")
        expected = merge_shapes(expected, type.shape)
    return expected


def batch_norm_inference(
    operand: TensorType,
    scale: TensorType,
    offset: TensorType,
    mean: TensorType,
    variance: TensorType,
    *,
    feature_index: int,
) -> list[Shape]:
    parameters = {"scale": (scale, "C3"), "offset": (offset, "C4"), "mean": (mean, "C5"), "variance": (variance, "C6")}
    check_features(operand, feature_index, parameters)
    return [operand.shape]


def batch_norm_training(
    operand: TensorType, scale: TensorType, offset: TensorType, *, feature_index: int
) -> list[Shape]:
    features = check_features(operand, feature_index, {"scale": (scale, "C3"), "offset": (offset, "C4")})
    return [operand.shape, features, features]


def batch_norm_grad(
    operand: TensorType,
    scale: TensorType,
    mean: TensorType,
    variance: TensorType,
    grad_output: TensorType,
    *,
    feature_index: int,
) -> list[Shape]:
    parameters = {"scale": (scale, "C5"), "mean": (mean, "C4"), "variance": (variance, "C4")}
    features = check_features(operand, feature_index, parameters)
    if not agree(grad_output.shape, operand.shape):
        raise Violation(f"grad_output is {grad_output}, expected the operand's {operand} (C3)")
    return [merge_shapes(operand.shape, grad_output.shape), features, features]


def per_element(count: int) -> Callable[..., int]:
    """A count of operations for each element of the first operand, without those for each feature."""
    return lambda operand, *others: count * count_elements(operand)


ATTRIBUTES = {"epsilon": F32, "feature_index": I64}

# A table: a row takes a line or two.
# fmt: off
op("stablehlo.batch_norm_grad", "QQQQQ -> QQQ", "f", attributes=ATTRIBUTES, shapes=batch_norm_grad,
    traits=Trait.SUMMING, flops=per_element(8))
op("stablehlo.batch_norm_inference", "QQQQQ -> Q", "f", attributes=ATTRIBUTES, shapes=batch_norm_inference,
    traits=Trait.SUMMING, flops=per_element(4))
op("stablehlo.batch_norm_training", "QQQ -> QQQ", "f", attributes=ATTRIBUTES, shapes=batch_norm_training,
    traits=Trait.SUMMING, flops=per_element(8))
