"""Convolution over any number of spatial dimensions."""

from __future__ import annotations

import functools
import itertools
import operator
from collections.abc import Mapping, Sequence
from math import prod

import numpy as np

from ..ir.dimensions import decode_convolution, decode_window
from ..ir.dtypes import static_shape
from ..tinygrad.expressions import Tensor, is_widened
from ..tinygrad.schedule import has_to_be_computed
from .dot import bilinear
from .movement import LONGEST_WINDOW, pad_with_zeros, window_parts
from .registry import Lowering, Types, rule
from .values import AnyTensor, repeat_number

# A GPU with fewer results is not busy if each is the sum of so many products.
FEW_RESULTS, LEAST_WINDOW = 1 << 14, 64
# How many kernels a processor runs for a window of more elements than one adds up, and the most of which a GPU has no
# loop: what its threads have of windows beside each other they read once.
MOST_KERNELS, MOST_WRITTEN = 16, 16


@rule("stablehlo.convolution", ignored=("precision_config",))
def convolution(
    lhs: AnyTensor,
    rhs: AnyTensor,
    *,
    dimension_numbers: Mapping[str, Sequence[int]],
    feature_group_count: int,
    batch_group_count: int,
    window_strides: Sequence[int] | None,
    padding: np.ndarray | None,
    lhs_dilation: Sequence[int] | None,
    rhs_dilation: Sequence[int] | None,
    window_reversal: Sequence[bool] | None,
    out: Types,
    lowering: Lowering,
) -> AnyTensor:
    n = decode_convolution(dimension_numbers)
    spatial = len(n.input_spatial)
    kernel = [int(rhs.shape[d]) for d in n.kernel_spatial]
    window = decode_window(kernel, window_strides, padding, lhs_dilation, rhs_dilation, window_reversal)
    windows = [static_shape(out[0])[d] for d in n.output_spatial]
    reversed_axes = tuple(2 + d for d, is_reversed in enumerate(window.reversal) if is_reversed)

    def product(x: Tensor, w: Tensor) -> Tensor:
        if lowering.on_processor and prod(kernel) > LONGEST_WINDOW and has_to_be_computed(x):
            x = x.contiguous()  # rather than for each of the many windows that read an element
        # To the order batch, feature, spatial… and output feature, input feature, spatial….
        x, w = x.permute(n.lhs), w.permute(n.rhs)
        w = w.flip(reversed_axes) if reversed_axes else w
        x = pad_with_zeros(x, [0, 0, *window.low], [0, 0, *window.high], [0, 0, *window.interior])
        if any(window.interior):
            x = x.contiguous()  # tinygrad 0.14 cannot schedule some dilations of windows over dilated inputs
        y = group_batch(x, w) if batch_group_count > 1 else convolve(x, w, feature_group_count)
        return y.permute(tuple(int(i) for i in np.argsort(n.result)))

    def convolve(x: Tensor, w: Tensor, groups: int) -> Tensor:
        if spatial == 0:
            batch, features = x.shape[0], w.shape[0]
            per_group = x.reshape(batch, groups, 1, -1) * w.reshape(1, groups, features // groups, -1)
            return per_group.sum(-1).reshape(batch, features)
        if 0 in x.shape or 0 in w.shape or 0 in windows:
            return repeat_number(0, (x.shape[0], w.shape[0], *windows), x.dtype)
        longest = MOST_WRITTEN if lowering.parallel else LONGEST_WINDOW * (MOST_KERNELS if lowering.native else 1)
        if groups == x.shape[1] == w.shape[0] and prod(kernel) <= longest:
            return depthwise(x, w)
        batch, inputs = x.shape[0], w.shape[1]
        is_few = lowering.parallel and prod((batch, w.shape[0], *windows)) < FEW_RESULTS
        if is_few and groups > 1 and inputs > 1 and prod(kernel) >= LEAST_WINDOW:
            # Gradients of weights: each input feature, which is an example, has threads of its own.
            w = w.reshape(groups, -1, inputs, *kernel).transpose(1, 2).reshape(-1, 1, *kernel)
            parts = convolve(x, w, groups * inputs).contiguous()
            return parts.reshape(batch, groups, inputs, -1, *windows).sum(2).reshape(batch, -1, *windows)
        return x.conv2d(w, groups=groups, stride=window.strides, dilation=window.window_dilations, dtype=x.dtype)

    def depthwise(x: Tensor, w: Tensor) -> Tensor:
        """Convolve each feature by itself: sums without a loop, which the compiler vectorises."""
        batch, features = x.shape[:2]
        # The padded input, which is computed once, keeps the operand's layout. Threads read narrow integers in place.
        if not (lowering.parallel and is_widened(x)):
            x = x.permute(tuple(int(i) for i in np.argsort(n.lhs))).contiguous().permute(n.lhs)
        shape = (batch, features, *windows)
        strides, dilations = (1, 1, *window.strides), (1, 1, *window.window_dilations)
        parts = window_parts(x, (1, 1, *kernel), shape, strides, dilations, [0] * len(shape), 0)
        factors = w.reshape(features, -1)
        terms = (part * factors[:, tap].reshape(1, features, *[1] * spatial) for tap, part in enumerate(parts))
        total = functools.reduce(operator.add, itertools.islice(terms, LONGEST_WINDOW))
        while some := list(itertools.islice(terms, LONGEST_WINDOW)):
            total = functools.reduce(operator.add, some, total.contiguous())
        return total

    def group_batch(x: Tensor, w: Tensor) -> Tensor:
        """The batch is split into groups, each with its slice of the output features; they become feature groups."""
        groups, (batch, features) = batch_group_count, (int(s) for s in x.shape[:2])
        rest = [int(s) for s in x.shape[2:]]
        x = x.reshape(groups, batch // groups, features, *rest).transpose(0, 1)
        return convolve(x.reshape(batch // groups, groups * features, *rest), w, groups)

    return bilinear(product, lhs, rhs, out[0])
