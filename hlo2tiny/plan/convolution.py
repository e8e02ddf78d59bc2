"""Convolutions that a library's matrix product computes, window by window: which are ones, and in which order.

Any layout will do in which a window's elements stand in the kernel at equal distances, and so do the features; the
gradients of a convolution, which are convolutions with other layouts, have such ones too.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from math import prod
from typing import Any

import numpy as np

from ..dtypes import static_shape
from ..ir import DialectAttr, Op, Value
from ..rules.registry import plain
from .gemm import LEAST, LETTERS, NARROW, Checked, convert, element_name, is_large, retyped, transposed

# Numbers in a block of windows: it stays in a core's cache.
BLOCK = 1 << 17
# Fewer output features make no matrix.
LEAST_FEATURES = 4
MOST_RANK = 5


@dataclass(frozen=True)
class Dimension:
    """The batch, a spatial dimension, or the input features of a group; see codegen/convolution.c."""

    places: int
    window: int
    stride: int
    dilation: int
    padding: int
    base: int
    size: int
    step: int  # between elements of the input
    out: int  # between elements of the output
    kernel: int  # between elements of the kernel


@dataclass(frozen=True)
class Windows:
    """A convolution over `dimensions`, whose orders are outermost first; steps are in elements."""

    letter: str
    dimensions: tuple[Dimension, ...]
    place_order: tuple[int, ...]
    window_order: tuple[int, ...]
    outer: tuple[int, ...]
    groups: int
    group_input: int
    group_kernel: int
    group_output: int
    features: int
    row_step: int
    depth_step: int
    kernel_feature_step: int
    feature_step: int
    places_inside: bool

    @property
    def rows(self) -> int:
        return prod(d.places for i, d in enumerate(self.dimensions) if i not in self.outer)

    @property
    def depth(self) -> int:
        return prod(d.window for d in self.dimensions)

    @property
    def block(self) -> tuple[int, int]:
        """How many places and how many elements of their windows are copied together."""
        depth = min(self.depth, max(256, BLOCK // 128))
        if self.depth * 64 <= BLOCK:
            depth = self.depth
        return max(1, min(self.rows, BLOCK // depth)), depth

    @property
    def flops(self) -> int:
        return 2 * prod(d.places for d in self.dimensions) * self.depth * self.features * self.groups


def strides_of(shape: Sequence[int]) -> list[int]:
    return [prod(shape[d + 1 :]) for d in range(len(shape))]


def windows_of(op: Op) -> Windows | None:
    """A convolution in the form above; None where its types or its layout have none."""
    names = {element_name(v) for v in (*op.operands, *op.results)}
    letter = LETTERS.get(names.pop()) if len(names) == 1 else None
    if letter is None or letter not in "sd":
        return None
    attributes: dict[str, Any] = {name: plain(a) for name, a in op.attributes.items()}
    n: Mapping[str, Any] = attributes["dimension_numbers"]
    x, w, y = (static_shape(v.type) for v in (*op.operands, *op.results))
    xs, ws, ys = map(strides_of, (x, w, y))
    groups, batch_groups = int(attributes["feature_group_count"]), int(attributes["batch_group_count"])
    spatial = len(n["input_spatial_dimensions"])
    if 0 in (*x, *w, *y) or spatial + 2 > MOST_RANK or (groups > 1 and batch_groups > 1):
        return None
    strides, base, dilation = (
        [int(v) for v in attributes.get(name) or [1] * spatial]
        for name in ("window_strides", "lhs_dilation", "rhs_dilation")
    )
    turned = [bool(v) for v in attributes.get("window_reversal") or [False] * spatial]
    padding = np.asarray(attributes.get("padding", np.zeros((spatial, 2), int))).reshape(spatial, 2)
    batch, feature = int(n["input_batch_dimension"]), int(n["input_feature_dimension"])
    o, i = int(n["kernel_output_feature_dimension"]), int(n["kernel_input_feature_dimension"])
    out_batch, out_feature = int(n["output_batch_dimension"]), int(n["output_feature_dimension"])
    count = groups * batch_groups
    features = w[o] // count
    if features < LEAST_FEATURES or prod(y) * prod(w) // w[o] < LEAST:
        return None
    places = x[batch] // batch_groups
    dimensions = [Dimension(places, 1, 1, 1, 0, 1, places, xs[batch], ys[out_batch], 0)]
    for d in range(spatial):
        at, kernel, out = (int(n[f"{side}_spatial_dimensions"][d]) for side in ("input", "kernel", "output"))
        before, scale = int(padding[d, 0]), dilation[d]
        if turned[d]:  # from the window's end, backwards
            before, scale = before - (w[kernel] - 1) * scale, -scale
        dimensions.append(
            Dimension(y[out], w[kernel], strides[d], scale, before, base[d], x[at], xs[at], ys[out], ws[kernel])
        )
    dimensions.append(Dimension(1, w[i], 1, 1, 0, 1, w[i], xs[feature], 0, ws[i]))
    window_order = ordered([d.kernel for d in dimensions], [d.window for d in dimensions])
    depth_step = merged([dimensions[d] for d in window_order], "window", "kernel")
    if depth_step is None:
        return None
    dimensions, window_order = joined(dimensions, window_order)
    place_order = ordered([d.out for d in dimensions], [d.places for d in dimensions])
    outer: list[int] = []
    while (row_step := merged([dimensions[d] for d in place_order if d not in outer], "places", "out")) is None:
        outer.append(next(d for d in place_order if d not in outer and dimensions[d].places > 1))
    feature_step, kernel_feature_step = ys[out_feature], ws[o]
    # The product's matrices have rows or columns without gaps.
    if 1 not in (feature_step, row_step) or 1 not in (kernel_feature_step, depth_step):
        return None
    if feature_step != 1 and row_step != 1:
        return None
    inside = [dimensions[d] for d in place_order if d not in outer and dimensions[d].places > 1]
    inner_place = inside[-1] if inside else None
    inner_window = dimensions[window_order[-1]]
    places_inside = (
        inner_place is not None
        and inner_place.step * inner_place.stride == 1
        and (inner_window.step != 1 or inner_window.window < 8)
    )
    return Windows(
        letter, tuple(dimensions), tuple(place_order), tuple(window_order), tuple(outer), count,
        places * xs[batch] if batch_groups > 1 else w[i] * xs[feature], features * ws[o], features * ys[out_feature],
        features, row_step, depth_step, kernel_feature_step, feature_step, places_inside,
    )  # fmt: skip


def ordered(steps: Sequence[int], sizes: Sequence[int]) -> list[int]:
    """Dimensions from the outermost in memory to the innermost, those of one element first."""
    return sorted(range(len(steps)), key=lambda d: (sizes[d] > 1, -steps[d]))


def merged(dimensions: Sequence[Dimension], count: str, step: str) -> int | None:
    """The distance of elements, when dimensions lie one inside the other; those of one element do not matter."""
    pairs = [(getattr(d, count), getattr(d, step)) for d in dimensions if getattr(d, count) > 1]
    for (_, outer), (size, inner) in pairwise(pairs):
        if outer != inner * size:
            return None
    return pairs[-1][1] if pairs else 1


def joined(dimensions: list[Dimension], window_order: list[int]) -> tuple[list[Dimension], list[int]]:
    """The features and the last spatial dimension as one, where they stand side by side: longer runs to copy."""
    features, outer = len(dimensions) - 1, window_order[-2]
    d, f = dimensions[outer], dimensions[features]
    beside = window_order[-1] == features and outer not in (0, features) and d.step == f.window * f.step
    if not beside or f.window == 1 or d.dilation != 1 or d.base != 1:
        return dimensions, window_order
    w = f.window
    both = Dimension(d.places, d.window * w, d.stride * w, 1, d.padding * w, 1, d.size * w, f.step, d.out, f.kernel)
    kept = [both if i == outer else each for i, each in enumerate(dimensions[:-1])]
    return kept, window_order[:-1]


def kernel_in_order(op: Op) -> tuple[Op, Op]:
    """A convolution whose kernel is transposed first, to spatial dimensions, input features, output features."""
    n: dict[str, Any] = dict(plain(op.attributes["dimension_numbers"]))
    spatial = [int(d) for d in n["kernel_spatial_dimensions"]]
    order = (*spatial, int(n["kernel_input_feature_dimension"]), int(n["kernel_output_feature_dimension"]))
    move = transposed(op.operands[1], order, op)
    rank = len(order)
    n |= {
        "kernel_spatial_dimensions": tuple(range(rank - 2)),
        "kernel_input_feature_dimension": rank - 2,
        "kernel_output_feature_dimension": rank - 1,
    }
    attributes = {**op.attributes, "dimension_numbers": DialectAttr("stablehlo", "conv", n, "")}
    return move, Op(op.name, (op.operands[0], move.results[0]), op.results, attributes, (), op.location)


def with_windows(ops: Sequence[Op], checked: Checked) -> tuple[list[Op], dict[Op, Windows]]:
    """Ops with convolutions, where they can be, as ones that are matrix products."""
    result: list[Op] = []
    found = {}
    for op in ops:
        if op.name != "stablehlo.convolution" or not is_large(op):
            result.append(op)
            continue
        checked.check(op)
        for each in widened(op):
            if each.name == op.name:
                windows = windows_of(each)
                if windows is None and LETTERS.get(element_name(each.results[0]), "-") in "sd":
                    move, moved = kernel_in_order(each)
                    if windows := windows_of(moved):
                        result.append(move)
                        each = moved
                if windows is not None:
                    found[each] = windows
            result.append(each)
    return result, found


def widened(op: Op) -> tuple[Op, ...]:
    """A convolution of bf16 or f16 as one of f32, rounded at its end."""
    names = {element_name(v) for v in (*op.operands, *op.results)}
    if not names & set(NARROW) or not names <= {*NARROW, "f32"}:
        return (op,)
    wide: list[Value] = [retyped(v) for v in (*op.operands, *op.results)]
    before = [convert(v, w, op) for v, w in zip(op.operands, wide)]
    whole = Op(op.name, tuple(wide[:2]), (wide[2],), op.attributes, (), op.location)
    return (*before, whole, convert(wide[2], op.results[0], op))
