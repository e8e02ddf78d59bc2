"""Batch normalisation by the specification's formulas; each step is rounded to the element type."""

from __future__ import annotations

from math import prod

from ..ir.dtypes import static_shape
from ..tinygrad.expressions import Tensor
from .elementwise import Binary, add, divide, multiply, subtract
from .functions import SQUARE_ROOT
from .reduction import wrapped_sum
from .registry import Lowering, Types, rule
from .storage import decode, encode
from .values import repeat_number


class NormalizationSteps:
    """Arithmetic on tensors of the first operand's type, and sums over all dimensions except the feature's."""

    def __init__(self, types: Types, feature_index: int, epsilon: float, lowering: Lowering) -> None:
        self.shape, self.type, self.axis = static_shape(types[0]), types[0], feature_index
        self.epsilon, self.lowering = epsilon, lowering
        self.axes = tuple(d for d in range(len(self.shape)) if d != feature_index)
        self.add, self.subtract = self.rounding(add), self.rounding(subtract)
        self.multiply, self.divide = self.rounding(multiply), self.rounding(divide)

    def round_to_type(self, x: Tensor) -> Tensor:
        return decode(encode(x, self.type), self.type)

    def rounding(self, function: Binary) -> Binary:
        return lambda a, b: self.round_to_type(function(a, b))

    def broadcast(self, x: Tensor) -> Tensor:
        """Repeat the number of each feature for all of its elements."""
        return x.reshape([size if d == self.axis else 1 for d, size in enumerate(self.shape)]).expand(self.shape)

    def count(self, like: Tensor) -> Tensor:
        """The number of elements of one feature."""
        return self.round_to_type(repeat_number(float(prod(self.shape[d] for d in self.axes)), like.shape, like.dtype))

    def sum(self, x: Tensor) -> Tensor:
        if 0 in self.shape:
            return repeat_number(0.0, (self.shape[self.axis],), x.dtype)
        return self.round_to_type(wrapped_sum(x, self.axes)) if self.axes else x

    def mean(self, x: Tensor) -> Tensor:
        total = self.sum(x)
        return self.divide(total, self.count(total))

    def padded_variance(self, variance: Tensor) -> Tensor:
        """Variance plus epsilon, which is rounded to the element type, too."""
        epsilon = self.round_to_type(repeat_number(self.epsilon, variance.shape, variance.dtype))
        return self.broadcast(self.add(variance, epsilon))

    def deviation(self, variance: Tensor) -> Tensor:
        return self.round_to_type(SQUARE_ROOT(self.lowering, self.padded_variance(variance)))

    def normalize(self, x: Tensor, scale: Tensor, offset: Tensor, mean: Tensor, variance: Tensor) -> Tensor:
        unit = self.divide(self.subtract(x, self.broadcast(mean)), self.deviation(variance))
        return self.add(self.multiply(self.broadcast(scale), unit), self.broadcast(offset))


@rule("stablehlo.batch_norm_inference")
def batch_norm_inference(
    x: Tensor,
    scale: Tensor,
    offset: Tensor,
    mean: Tensor,
    variance: Tensor,
    *,
    epsilon: float,
    feature_index: int,
    types: Types,
    lowering: Lowering,
) -> Tensor:
    return NormalizationSteps(types, feature_index, epsilon, lowering).normalize(x, scale, offset, mean, variance)


@rule("stablehlo.batch_norm_training")
def batch_norm_training(
    x: Tensor, scale: Tensor, offset: Tensor, *, epsilon: float, feature_index: int, types: Types, lowering: Lowering
) -> tuple[Tensor, Tensor, Tensor]:
    steps = NormalizationSteps(types, feature_index, epsilon, lowering)
    mean = steps.mean(x)
    centred = steps.subtract(x, steps.broadcast(mean))
    variance = steps.mean(steps.multiply(centred, centred))
    return steps.normalize(x, scale, offset, mean, variance), mean, variance


@rule("stablehlo.batch_norm_grad")
def batch_norm_grad(
    x: Tensor,
    scale: Tensor,
    mean: Tensor,
    variance: Tensor,
    gradient: Tensor,
    *,
    epsilon: float,
    feature_index: int,
    types: Types,
    lowering: Lowering,
) -> tuple[Tensor, Tensor, Tensor]:
    steps = NormalizationSteps(types, feature_index, epsilon, lowering)
    centred = steps.subtract(x, steps.broadcast(mean))
    deviation = steps.deviation(variance)
    count = steps.count(x)
    grad_offset = steps.sum(gradient)
    projection = steps.broadcast(steps.sum(steps.multiply(gradient, centred)))
    along = steps.divide(steps.multiply(projection, centred), steps.padded_variance(variance))
    total = steps.subtract(steps.subtract(steps.multiply(gradient, count), steps.broadcast(grad_offset)), along)
    factor = steps.divide(steps.divide(steps.broadcast(scale), deviation), count)
    grad_scale = steps.sum(steps.multiply(gradient, steps.divide(centred, deviation)))
    return steps.multiply(factor, total), grad_scale, grad_offset
