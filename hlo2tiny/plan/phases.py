"""Splits convolutions over inputs with zeros between their elements, which gradients of strided ones are, by phase.

With a base dilation of `s`, output places that are `s` apart multiply the same elements of the kernel; the others meet
zeros. So the places of each phase are a convolution of the input as it is with a part of the kernel.

Elements of the kernel that meet nothing but padding, as those of large windows over small images do, are left out.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import product
from math import gcd, prod
from typing import Any

import numpy as np

from ..ir import Op, TensorType
from ..ir.dimensions import ConvolutionNumbers, WindowNumbers, dilate, static
from ..ops.build import Builder, Term, stablehlo
from ..records import dataclass
from ..rules.registry import is_quantized
from .problem import ConvolutionProblem, convolution_problem

# Phases with fewer features are features of one convolution, which multiplies some zeros in the kernel.
FEW_FEATURES = 32
# The same if there are not more products than this many times those of the phases.
FEW_ZEROS = 1.2
# With more phases, the zeros are multiplied.
MOST_PHASES = 16
# A kernel is cropped to at most this part of it.
CROPPED = 0.6


@dataclass(frozen=True)
class KernelPart:
    """What a convolution of one phase does along a dimension.

    The kernel's elements from `first` on, `step` apart, are the window of the input after `before` zeros.
    """

    first: int
    step: int
    count: int
    dilation: int
    before: int


def part_of(window: WindowNumbers, d: int, size: int, phase: int) -> KernelPart | None:
    """The part of a dimension, of `size` in the kernel, for places `phase` after multiples of the base dilation."""
    base, dilation = window.base_dilations[d], window.window_dilations[d]
    start = phase * window.strides[d] - window.low[d]
    first = next((k for k in range(size) if (start + k * dilation) % base == 0), None)
    if first is None:
        return None
    step = base // gcd(base, dilation)
    return KernelPart(
        first, step, len(range(first, size, step)), step * dilation // base, -(start + first * dilation) // base
    )


def split_phases(op: Op) -> tuple[Op, ...]:
    """A convolution as ops without base dilations, or itself if it has none, or too many, or its sizes are open.

    Quantized ones are left: their zeros are not 0 where they are stored.
    """
    problem = convolution_problem(op)
    n, window, y = problem.numbers, problem.window, problem.output
    sizes, taps, places = problem.sizes, problem.taps, problem.places
    base, rank = window.base_dilations, len(taps)
    if any(map(is_quantized, (*op.operands, *op.results))) or {*base} <= {1} or not problem.is_known:
        return (op,)
    is_one = merges(problem)
    if not is_one and prod(base) > MOST_PHASES:
        return (op,)
    # In one convolution, the first place is one at which all phases have the same window.
    shifts = [(s - 1 - low) % s if is_one else 0 for s, low in zip(base, window.low)]
    counts = [-(-(size + shift) // s) for size, shift, s in zip(places, shifts, base)]
    builder = Builder(op.location)
    image, kernel = map(builder.term, op.operands)
    kernel = kernel.reverse([d for d, is_reversed in zip(n.kernel_spatial, window.reversal) if is_reversed])
    kernel = kernel.transpose((*n.kernel_spatial, n.kernel_input_feature, n.kernel_output_feature))
    numbers = replace(
        n, kernel_spatial=tuple(range(rank)), kernel_input_feature=rank, kernel_output_feature=rank + 1
    ).attribute

    def type_of(features: int) -> TensorType:
        return TensorType(static(n.result_shape(y[n.output_batch], features, counts)), image.element)

    def convolve(kernel: Term, parts: Sequence[KernelPart]) -> Term:
        padding = [
            (part.before, (count - 1) * stride + (part.count - 1) * part.dilation + 1 - part.before - size)
            for part, count, stride, size in zip(parts, counts, window.strides, sizes)
        ]
        changed = {
            "dimension_numbers": numbers,
            "padding": np.array(padding, np.int64),
            "rhs_dilation": [part.dilation for part in parts],
        }
        kept = {name: a for name, a in op.attributes.items() if name not in ("lhs_dilation", "window_reversal")}
        kinds: dict[str, Any] = {**kept, **changed}
        return stablehlo.convolution(image, kernel, type=type_of(kernel.shape[-1]), **kinds)

    if is_one:
        parts = [
            KernelPart(0, 1, -(-k // s), 1, (low + by) // s) for k, s, low, by in zip(taps, base, window.low, shifts)
        ]
        phases = convolve(phases_as_features(kernel, base), parts)
    else:
        found = []
        for chosen in product(*([part_of(window, d, taps[d], at) for at in range(base[d])] for d in range(rank))):
            if parts := [part for part in chosen if part] if None not in chosen else []:
                begin, step = ([getattr(part, name) for part in parts] for name in ("first", "step"))
                found.append(convolve(kernel.slice([*begin, 0, 0], kernel.shape, [*step, 1, 1]), parts))
            else:
                found.append(builder.zeros(type_of(kernel.shape[-1])))
        phases = builder.concatenate(found, n.output_feature)
    starts = static(n.result_shape(0, 0, shifts))
    interleave(phases, n, base).slice(starts, [start + size for start, size in zip(starts, y)])
    return builder.ops_for(op)


def crop_kernel(op: Op) -> tuple[Op, ...]:
    """A convolution without the outermost elements of its kernel if these meet padding at all places, or itself."""
    problem = convolution_problem(op)
    if any(map(is_quantized, (*op.operands, *op.results))) or not problem.is_known:
        return (op,)
    n, window, padding = problem.numbers, problem.window, list[tuple[int, int]]()
    starts, limits = [0] * len(problem.kernel), [*problem.kernel]
    for d, (size, count) in enumerate(zip(problem.taps, problem.places)):
        (low, high), stride, by = window.padding[d], window.strides[d], window.window_dilations[d]
        end = dilate(problem.sizes[d], window.base_dilations[d])
        # The first place at which an element is not before the input is one where it is not behind it, either.
        meets = [
            (p := max(0, -((k * by - low) // stride))) < count and p * stride + k * by - low < end for k in range(size)
        ]
        if True not in meets:
            return (op,)
        before, after = meets.index(True), meets[::-1].index(True)
        padding.append((low - before * by, high - after * by))
        first, last = (after, before) if window.reversal[d] else (before, after)
        starts[n.kernel_spatial[d]], limits[n.kernel_spatial[d]] = first, size - last
    if prod(limit - start for start, limit in zip(starts, limits)) > CROPPED * prod(problem.kernel):
        return (op,)
    builder = Builder(op.location)
    image, kernel = map(builder.term, op.operands)
    kinds: dict[str, Any] = {**op.attributes, "padding": np.array(padding, np.int64).reshape(-1, 2)}
    stablehlo.convolution(
        image,
        kernel.slice(starts, limits),
        type=TensorType(problem.output, builder.term(op.results[0]).element),
        **kinds,
    )
    return builder.ops_for(op)


def merges(problem: ConvolutionProblem) -> bool:
    """Whether the phases are better features of one convolution, whose windows are as large as the largest one."""
    window = problem.window
    if {*window.strides, *window.window_dilations} != {1} or problem.groups > 1:
        return False
    merged = prod(-(-size // s) * s for size, s in zip(problem.taps, window.base_dilations))
    return problem.features < FEW_FEATURES or merged <= FEW_ZEROS * prod(problem.taps)


def phases_as_features(kernel: Term, base: Sequence[int]) -> Term:
    """The kernel's elements that are a base dilation apart as windows, and those between them as output features.

    The features come last. The last phase begins with the first element.
    """
    rank, (*sizes, inputs, features) = len(base), kernel.shape
    counts = [-(-size // s) for size, s in zip(sizes, base)]
    none = [0] * (rank + 2)
    kernel = kernel.pad(none, [*(c * s - size for c, s, size in zip(counts, base, sizes)), 0, 0], none)
    kernel = kernel.reshape([*(i for pair in zip(counts, base) for i in pair), inputs, features])
    windows, phases = range(0, 2 * rank, 2), range(1, 2 * rank, 2)
    kernel = kernel.reverse(phases).transpose([*windows, 2 * rank, *phases, 2 * rank + 1])
    return kernel.reshape([*counts, inputs, prod(base) * features])


def interleave(phases: Term, n: ConvolutionNumbers, base: Sequence[int]) -> Term:
    """Places in their order, given those of each phase as features of their own."""
    rank = len(base)
    phases = phases.transpose(n.result)
    batch, features, *counts = phases.shape
    phases = phases.reshape([batch, *base, features // prod(base), *counts])
    order = [0, rank + 1, *(d for i in range(rank) for d in (rank + 2 + i, 1 + i))]
    places = phases.transpose(order).reshape([batch, features // prod(base), *(c * s for c, s in zip(counts, base))])
    return places.transpose([n.result.index(d) for d in range(rank + 2)])
