"""Rewrites convolutions to few output features to ones with more, which fill the rows or columns of matrix products.

What each element of the kernel contributes becomes a feature of a convolution whose windows have one place, and each
result is the sum of such features at the places of its window. (Others call this kn2row.) If the window is larger than
the output, as in the gradient of a kernel, the input and the kernel change places, and its batch becomes the features.
"""

from __future__ import annotations

import operator
from collections.abc import Sequence
from dataclasses import replace
from functools import reduce
from math import prod
from typing import Any

import numpy as np

from ..ir import Op, ScalarType, TensorType
from ..ir.dimensions import ConvolutionNumbers, dilate, static
from ..ir.sizes import is_open
from ..ops import Trait, has
from ..ops.build import Builder, stablehlo
from .gemm import LEAST, NARROW, element_name
from .problem import ConvolutionProblem, convolution_problem

# A convolution with fewer output features in a group is not computed as a matrix product.
LEAST_FEATURES = 4
# With at most so many output features, copies of windows are more work than products. Where windows are read, products
# are slow only if the features are fewer than a vector's.
FEW_COPIED, FEW_READ = 16, 7
# With fewer input features, the products are less work than the sums of them: in one group, and in several.
LEAST_INPUTS = 3, 8
# How many elements of the kernel become features at most, and how many features there then are, in all or for an input.
MOST_TAPS, MOST_FEATURES, MOST_OF_AN_INPUT = 49, 49, 4
# How many more places than results may have features, times the output features: where windows are copied or no product
# otherwise, and where they are read.
COPIED_PLACES, READ_PLACES = 12, 2


def few_features_of(op: Op, most: int) -> ConvolutionProblem | None:
    """Describe a convolution; None if it has more than `most` features, other types, or open sizes but of its batch."""
    names, few = {element_name(v) for v in (*op.operands, *op.results)}, convolution_problem(op)
    suits = (names <= {*NARROW, "f32"} or names == {"f64"}) and few.is_known
    return few if suits and few.features <= most else None


def work_of(few: ConvolutionProblem) -> int:
    """How many products of numbers the results of one of the batch are sums of."""
    return prod(few.places) * prod(few.kernel)


def exchange_operands(op: Op) -> tuple[Op, ...]:
    """A convolution to few features with its operands exchanged, or itself with a small batch or small windows."""
    few = few_features_of(op, LEAST_FEATURES - 1)
    if few is None or few.groups > 1 or is_open(batch := few.input[few.numbers.input_batch]):
        return (op,)
    is_far = prod(few.places) >= prod(few.taps)
    is_small = batch < LEAST_FEATURES or work_of(few) * batch < LEAST
    if is_far or is_small or any(few.window.reversal) or {*few.window.base_dilations} - {1}:
        return (op,)
    return exchange(op, few)


def exchange_dilated(op: Op) -> tuple[Op, ...]:
    """A convolution of a dilated input by larger windows than there are results, with both exchanged, or itself.

    Gradients of transposed convolutions' kernels are such ones. They become gradients of other convolutions' kernels.
    """
    if not has(op, Trait.CONVOLUTION) or not (problem := convolution_problem(op)).is_known:
        return (op,)
    window = problem.window
    is_dilated = {*window.base_dilations} != {1} and {*window.window_dilations} == {1} and not any(window.reversal)
    is_far = any(map(is_open, problem.input)) or prod(problem.places) >= prod(problem.taps)
    return exchange(op, problem) if is_dilated and problem.groups == 1 and not is_far else (op,)


def exchange(op: Op, problem: ConvolutionProblem) -> tuple[Op, ...]:
    """A convolution without groups whose input and kernel are exchanged.

    The new windows go the other way: the places of the result are in reverse order.
    """
    n, window, counts = problem.numbers, problem.window, problem.places
    rank = len(n.kernel_spatial)
    padding = []
    for d, (count, size) in enumerate(zip(counts, problem.sizes)):
        reach = (count - 1) * window.strides[d]
        before = reach - window.low[d]
        image = dilate(problem.taps[d], window.window_dilations[d])
        padding.append((before, reach + dilate(size, window.base_dilations[d]) - image - before))
    numbers = ConvolutionNumbers(
        n.kernel_output_feature, n.kernel_input_feature, n.kernel_spatial,
        n.input_feature, n.input_batch, n.input_spatial,
        0, rank + 1, tuple(range(1, rank + 1)),
    )  # fmt: skip
    attributes: dict[str, Any] = {name: a for name, a in op.attributes.items() if name != "window_reversal"}
    attributes["dimension_numbers"] = numbers.attribute
    attributes["padding"] = np.array(padding, np.int64).reshape(-1, 2)
    attributes["lhs_dilation"] = list(window.window_dilations)
    attributes["rhs_dilation"] = list(window.base_dilations)
    builder = Builder(op.location)
    x, w = map(builder.term, op.operands)
    batch = problem.input[n.input_batch]
    type = TensorType((problem.features, *counts, batch), builder.term(op.results[0]).element)
    result = stablehlo.convolution(w, x, type=type, **attributes).reverse(range(1, rank + 1))
    result.transpose([(rank + 1, 0, *range(1, rank + 1))[n.result.index(d)] for d in range(rank + 2)])
    return builder.ops_for(op)


def split_taps(op: Op) -> tuple[Op, ...]:
    """A convolution to few features as the sum of the features of one to more, or itself if it has few inputs, too."""
    few = few_features_of(op, FEW_COPIED)
    if few is None or work_of(few) < LEAST or few.inputs < LEAST_INPUTS[few.groups > 1]:
        return (op,)
    if few.groups > 1 and few.features >= LEAST_FEATURES:
        return (op,)
    n, y, features = few.numbers, few.output, few.features
    sizes = few.taps
    chosen = dimensions_to_split(few, sizes)
    if not chosen:
        return (op,)
    rank, taps = len(sizes), prod(sizes[d] for d in chosen)
    dilations, strides = few.window.window_dilations, list(few.window.strides)
    builder = Builder(op.location)
    image, kernel = map(builder.term, op.operands)
    # The elements of a group's kernel, and then its features, are the features of the group.
    kernel = kernel.reverse([n.kernel_spatial[d] for d in chosen if few.window.reversal[d]])
    others = [d for d in range(rank) if d not in chosen]
    order = [*others, rank, rank + 1, *chosen]
    kernel = kernel.transpose([(*n.kernel_spatial, n.kernel_input_feature, n.kernel_output_feature)[d] for d in order])
    kept = [sizes[d] for d in others]
    kernel = kernel.reshape([*kept, few.inputs, few.groups, features, taps])
    kernel = kernel.transpose([*range(len(kept) + 2), len(kept) + 3, len(kept) + 2])
    left = [1 if d in chosen else sizes[d] for d in range(rank)]
    kernel = kernel.reshape([*left, few.inputs, few.groups, taps * features])
    none, wide = [0] * (rank + 2), max(taps * features, LEAST_FEATURES)
    kernel = kernel.pad([*none, 0], [*none, wide - taps * features], [*none, 0])
    kernel = kernel.reshape([*left, few.inputs, few.groups * wide])
    numbers = replace(n, kernel_spatial=tuple(range(rank)), kernel_input_feature=rank, kernel_output_feature=rank + 1)
    # The features are computed at all places that windows have.
    places, padding = few.places, [*few.window.padding]
    for d in chosen:
        places[d] = (places[d] - 1) * strides[d] + 1 + (sizes[d] - 1) * dilations[d]
        padding[d] = padding[d][0], places[d] - few.sizes[d] - padding[d][0]
    shape = static(n.result_shape(y[n.output_batch], kernel.shape[-1], places))
    element = builder.term(op.results[0]).element
    type = TensorType(shape, ScalarType("f32") if element_name(op.results[0]) in NARROW else element)
    attributes: dict[str, Any] = {**op.attributes, "dimension_numbers": numbers.attribute}
    attributes["padding"] = np.array(padding, np.int64).reshape(-1, 2)
    attributes["window_strides"] = [1 if d in chosen else strides[d] for d in range(rank)]
    products = stablehlo.convolution(image, kernel, type=type, **attributes)

    def in_groups(sizes: Sequence[int], groups: int, features: int) -> list[int]:
        return [part for d, size in enumerate(sizes) for part in ((groups, features) if d == at else (size,))]

    at = n.output_feature
    products = products.reshape(in_groups(shape, few.groups, wide))
    steps = in_groups(static(n.result_shape(1, 1, [strides[d] if d in chosen else 1 for d in range(rank)])), 1, 1)
    sliced, terms = in_groups(y, few.groups, features), []
    for number, tap in enumerate(np.ndindex(*(sizes[d] for d in chosen))):
        begin = dict(zip(chosen, tap))
        start = static(n.result_shape(0, 0, [begin.get(d, 0) * dilations[d] for d in range(rank)]))
        starts = in_groups(start, 0, number * features)
        limits = [first + (size - 1) * step + 1 for first, size, step in zip(starts, sliced, steps)]
        terms.append(products.slice(starts, limits, steps))
    reduce(operator.add, terms).reshape(y).to(element)
    return builder.ops_for(op)


def dimensions_to_split(few: ConvolutionProblem, sizes: Sequence[int]) -> list[int]:
    """The spatial dimensions, outermost first, whose elements of the kernel become features."""
    window, counts, features = few.window, few.places, few.features
    is_read = features >= LEAST_FEATURES and few.numbers.output_feature == len(sizes) + 1
    if is_read and features > FEW_READ:
        return []
    most_places = 1 + (READ_PLACES if is_read else COPIED_PLACES) / features
    most_taps = min(MOST_TAPS, max(MOST_FEATURES, MOST_OF_AN_INPUT * few.inputs) // features)
    chosen: list[int] = []
    taps, places = 1, 1.0
    for d, size in enumerate(sizes):
        more = window.strides[d] + (size - 1) * window.window_dilations[d] / counts[d]
        fits = taps * size <= most_taps and places * more <= most_places
        if size > 1 and window.base_dilations[d] == 1 and fits:
            chosen.append(d)
            taps, places = taps * size, places * more
    return chosen
