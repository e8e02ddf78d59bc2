"""Convolution over any number of spatial dimensions."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import prod
from typing import Any

import numpy as np

from ..tinygrad.expressions import Tensor
from .dot import bilinear
from .movement import LONGEST_WINDOW, spread, window_parts
from .registry import rule
from .values import repeated


@rule("stablehlo.convolution")
def convolution(
    lhs: Any,
    rhs: Any,
    *,
    dimension_numbers: Mapping[str, Any],
    feature_group_count: int,
    batch_group_count: int,
    window_strides: Sequence[int] | None = None,
    padding: np.ndarray | None = None,
    lhs_dilation: Sequence[int] | None = None,
    rhs_dilation: Sequence[int] | None = None,
    window_reversal: Sequence[bool] | None = None,
    precision_config: Any = None,
    out: Any,
) -> Any:
    n = dimension_numbers
    spatial = len(n["input_spatial_dimensions"])
    strides = tuple(window_strides or [1] * spatial)
    pads = np.zeros((spatial, 2), int) if padding is None else np.asarray(padding).reshape(spatial, 2)
    dilation = tuple(rhs_dilation or [1] * spatial)
    gaps = [d - 1 for d in lhs_dilation or [1] * spatial]
    reversed_axes = tuple(2 + d for d in range(spatial) if (window_reversal or [False] * spatial)[d])

    def product(x: Tensor, w: Tensor) -> Tensor:
        # To the order batch, feature, spatial… and output feature, input feature, spatial….
        x = x.permute(n["input_batch_dimension"], n["input_feature_dimension"], *n["input_spatial_dimensions"])
        order = (n["kernel_output_feature_dimension"], n["kernel_input_feature_dimension"])
        w = w.permute(*order, *n["kernel_spatial_dimensions"])
        w = w.flip(reversed_axes) if reversed_axes else w
        low, high = [0, 0, *map(int, pads[:, 0])], [0, 0, *map(int, pads[:, 1])]
        x = spread(x, low, high, [0, 0, *gaps])
        if any(gaps):
            x = x.contiguous()  # tinygrad 0.14 cannot schedule some dilations of windows over dilated inputs
        y = batch_grouped(x, w) if batch_group_count > 1 else convolve(x, w, feature_group_count)
        target = (n["output_batch_dimension"], n["output_feature_dimension"], *n["output_spatial_dimensions"])
        return y.permute(tuple(int(i) for i in np.argsort(target)))

    def convolve(x: Tensor, w: Tensor, groups: int) -> Tensor:
        if spatial == 0:
            batch, features = int(x.shape[0]), int(w.shape[0])
            per_group = x.reshape(batch, groups, 1, -1) * w.reshape(1, groups, features // groups, -1)
            return per_group.sum(-1).reshape(batch, features)
        windows = output_size(x, w)
        if 0 in x.shape or 0 in w.shape or 0 in windows:
            return repeated(0, (int(x.shape[0]), int(w.shape[0]), *windows), x.dtype)
        if groups == int(x.shape[1]) == int(w.shape[0]) and prod(w.shape[2:]) <= LONGEST_WINDOW:
            return depthwise(x, w, windows)
        return x.conv2d(w, groups=groups, stride=strides, dilation=dilation, dtype=x.dtype)

    def depthwise(x: Tensor, w: Tensor, windows: list[int]) -> Tensor:
        """Each feature by itself: sums without a loop, which vectors of features or of places compute."""
        batch, features = (int(s) for s in x.shape[:2])
        # What is computed once, padded, lies as the operand does.
        order = (n["input_batch_dimension"], n["input_feature_dimension"], *n["input_spatial_dimensions"])
        x = x.permute(tuple(int(i) for i in np.argsort(order))).contiguous().permute(order)
        shape = (batch, features, *windows)
        parts = window_parts(x, (1, 1, *w.shape[2:]), shape, (1, 1, *strides), (1, 1, *dilation), [0] * len(shape), 0)
        factors = w.reshape(features, -1)
        total: Tensor | None = None
        for tap, part in enumerate(parts):
            term = part * factors[:, tap].reshape(1, features, *[1] * spatial)
            total = term if total is None else total + term
        assert total is not None
        return total

    def output_size(x: Tensor, w: Tensor) -> list[int]:
        reach = [(int(k) - 1) * d + 1 for k, d in zip(w.shape[2:], dilation)]
        return [max(0, (int(s) - r) // t + 1) for s, r, t in zip(x.shape[2:], reach, strides)]

    def batch_grouped(x: Tensor, w: Tensor) -> Tensor:
        """The batch is split in groups, each with its slice of the output features: they become feature groups."""
        groups, (batch, features) = batch_group_count, (int(s) for s in x.shape[:2])
        rest = [int(s) for s in x.shape[2:]]
        x = x.reshape(groups, batch // groups, features, *rest).transpose(0, 1)
        return convolve(x.reshape(batch // groups, groups * features, *rest), w, groups)

    return bilinear(product, lhs, rhs, out[0])
