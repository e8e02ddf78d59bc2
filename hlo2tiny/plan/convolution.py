"""Finds the convolutions that can be computed as matrix products of windows and kernel, and in which order and pieces.

A layout is suitable if the elements of a window are at equal distances in the kernel, and if features or places are
adjacent in the output. If each feature is convolved by itself (depthwise), features have to be adjacent everywhere. The
gradients of a convolution are convolutions whose layouts are suitable too.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from math import prod

import numpy as np

from ..ir import DenseAttr, Op, Value, about
from ..ir.dtypes import strides_of
from ..ir.sizes import is_open, relation, typical
from ..ops import Trait, has
from ..ops.attributes import plain
from ..ops.build import attribute
from ..records import dataclass
from .gemm import (
    LEAST,
    LETTERS,
    USUAL_ROWS,
    Matrix,
    Product,
    convert_small_floats,
    element_name,
    has_small_floats,
    is_large,
    merged_stride,
    transpose,
    widen,
)
from .phases import crop_kernel, split_phases
from .problem import convolution_problem
from .taps import LEAST_FEATURES, exchange_dilated, exchange_operands, split_taps

# The bytes of a number, by letter.
ITEMS = {"s": 4, "d": 8}
# Windows of more runs than this are copied.
MOST_RUNS = 256
# How a window's elements are read: in place, from a copy, as columns of the product, or in place for EACH feature.
READ, COPIED, ACROSS, EACH = 0, 1, 2, 3
# With fewer bytes of features in a depthwise convolution, kernels that keep their sums in registers are faster: the
# limits for windows of at most this many elements, and for larger ones.
FEW_TAPS, LEAST_EACH = 9, (256, 64)
MOST_RANK = 5
PADDING = ("edge_padding_low", "edge_padding_high", "interior_padding")


@dataclass(frozen=True)
class Dimension:
    """The batch, a spatial dimension, or the input features of a group; see targets/c/convolution.c."""

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

    @property
    def inside(self) -> bool:
        """Whether all windows are within the input; with open sizes, whether that is known."""
        reach = [(self.places - 1) * self.stride, (self.window - 1) * self.dilation]
        is_below = [relation(r, "<", 0) is True for r in reach]  # an open number of windows may also be none
        low, high = (sum(r for r, b in zip(reach, is_below) if b == below) - self.padding for below in (True, False))
        return self.base == 1 and relation(low, ">=", 0) is True and relation(high, "<", self.size) is True


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
    kind: int
    run: int

    @property
    def rows(self) -> int:
        return prod(d.places for i, d in enumerate(self.dimensions) if i not in self.outer)

    @property
    def depth(self) -> int:
        return prod(d.window for d in self.dimensions)

    @property
    def flops(self) -> int:
        return 2 * prod(d.places for d in self.dimensions) * self.depth * self.features * self.groups


def windows_of(op: Op, invariant: bool, least: int, every: bool = False) -> Windows | None:
    """Describe a convolution as Windows; None if its types, its layout or fewer than `least` features do not suit.

    If `every`, the gradient of a kernel suits in any layout, and a grouped one of any number of features.
    """
    names = {element_name(v) for v in (*op.operands, *op.results)}
    letter = LETTERS.get(names.pop()) if len(names) == 1 else None
    if letter is None or letter not in ITEMS:
        return None
    problem = convolution_problem(op)
    n, window, x, w, y = problem.numbers, problem.window, problem.input, problem.kernel, problem.output
    xs, ws, ys = map(strides_of, (x, w, y))
    groups, batch_groups, count, features = (
        problem.feature_groups, problem.batch_groups, problem.groups, problem.features,
    )  # fmt: skip
    if problem.is_empty or len(x) > MOST_RANK or (groups > 1 and batch_groups > 1):
        return None
    batch, feature, o, i = n.input_batch, n.input_feature, n.kernel_output_feature, n.kernel_input_feature
    taps, adjacent = prod(w) // w[o], xs[feature] == ys[n.output_feature] == ws[o] == 1
    each = adjacent and w[i] == 1 and w[o] == groups and set(window.base_dilations) <= {1} and taps <= MOST_RUNS
    each = each and groups * ITEMS[letter] >= LEAST_EACH[taps > FEW_TAPS]
    work = typical(prod(y)) * prod(w) // w[o]
    # The batch of a gradient is the features of its input, of which an example has many.
    is_closed = every and not any(map(is_open, (*problem.taps, *problem.places, *xs)))
    is_gradient = batch_groups > 1 or (
        is_closed and groups == 1 and prod(problem.taps) > prod(problem.places) and xs[batch] <= xs[feature]
    )
    any_layout = every and not invariant and is_gradient
    few = features < (least if count == 1 or any_layout else LEAST_FEATURES)
    if (few and not each) or (work < LEAST and not invariant):
        return None
    group_batch = x[batch] // batch_groups
    dimensions = [Dimension(group_batch, 1, 1, 1, 0, 1, group_batch, xs[batch], ys[n.output_batch], 0)]
    for d, (at, kernel, out) in enumerate(zip(n.input_spatial, n.kernel_spatial, n.output_spatial)):
        stride, base = window.strides[d], window.base_dilations[d]
        before, scale = window.low[d], window.window_dilations[d]
        if window.reversal[d]:  # start at the window's end and go backwards
            before, scale = before - (w[kernel] - 1) * scale, -scale
        dimensions.append(Dimension(y[out], w[kernel], stride, scale, before, base, x[at], xs[at], ys[out], ws[kernel]))
    dimensions.append(Dimension(1, w[i], 1, 1, 0, 1, w[i], xs[feature], 0, ws[i]))
    window_order = memory_order([(d.window, d.kernel) for d in dimensions])
    depth_step = merged_stride([(dimensions[d].window, dimensions[d].kernel) for d in window_order])
    if depth_step is None:
        if not any_layout:
            return None
        depth_step = 0
    dimensions, window_order = merge_features(dimensions, window_order)
    places = [(d.places, d.out) for d in dimensions]
    place_order = memory_order(places)
    outer: list[int] = []
    while (row_step := merged_stride([places[d] for d in place_order if d not in outer])) is None:
        outer.append(next(d for d in place_order if d not in outer and typical(dimensions[d].places) > 1))
    feature_step, kernel_feature_step = ys[n.output_feature], ws[o]
    if feature_step != 1 and (row_step != 1 or depth_step != 1) and not any_layout:
        return None
    inner = dimensions[window_order[-1]]
    run = inner.window if inner.step * inner.dilation == 1 and inner.inside else 1
    kind = ACROSS
    if feature_step == 1:
        kind = READ if prod(d.window for d in dimensions) // run <= MOST_RUNS else COPIED
    if each:
        features, count, kind, run = groups, 1, EACH, 1
    return Windows(
        letter, tuple(dimensions), tuple(place_order), tuple(window_order), tuple(outer), count,
        group_batch * xs[batch] if batch_groups > 1 else w[i] * xs[feature], features * ws[o], features * feature_step,
        features, row_step, depth_step, kernel_feature_step, feature_step, kind, run,
    )  # fmt: skip


def product_of_windows(w: Windows) -> Product | None:
    """A convolution as a product of matrices in place; None if its windows are not the rows of one."""
    dense = w.kind == READ and w.depth_step and w.groups == 1 and not w.outer and w.run == w.depth
    order = [w.dimensions[d] for d in w.place_order]
    step = merged_stride([(d.places, d.stride * d.step) for d in order])
    if not dense or step is None or not all(d.inside and not d.padding for d in order):
        return None
    if w.rows not in (0, 1) and (step < w.depth or w.row_step != w.features):
        return None
    if w.kernel_feature_step == 1:
        kernel = Matrix(False, w.depth_step, ())
    elif w.depth_step == 1:
        kernel = Matrix(True, w.kernel_feature_step, ())
    else:
        return None
    return Product(w.letter, (), w.rows, w.features, w.depth, Matrix(False, max(step, w.depth), ()), kernel)


def memory_order(dimensions: Sequence[tuple[int, int]]) -> list[int]:
    """Sort dimensions, given as sizes and strides, from the outermost to the innermost, those of size 1 first."""
    return sorted(range(len(dimensions)), key=lambda d: (typical(dimensions[d][0]) > 1, -typical(dimensions[d][1])))


def merge_features(dimensions: list[Dimension], window_order: list[int]) -> tuple[list[Dimension], list[int]]:
    """Merge the features with the innermost spatial dimension if they are adjacent, which gives longer runs to copy."""
    features, outer = len(dimensions) - 1, window_order[-2]
    d, f = dimensions[outer], dimensions[features]
    adjacent = window_order[-1] == features and outer not in (0, features) and d.step == f.window * f.step
    if not adjacent or not d.inside or f.window == 1 or d.dilation != 1:
        return dimensions, window_order
    w = f.window
    both = Dimension(d.places, d.window * w, d.stride * w, 1, d.padding * w, 1, d.size * w, f.step, d.out, f.kernel)
    return [*dimensions[:outer], both, *dimensions[outer + 1 : -1]], window_order[:-1]


def with_padding(op: Op, definitions: Mapping[Value, Op]) -> Op:
    """A convolution that pads its input itself, instead of an op that pads it with zeros along spatial dimensions."""
    pad = definitions.get(op.operands[0])
    if pad is None or not has(pad, Trait.MOVEMENT) or "edge_padding_low" not in pad.attributes:
        return op
    zero = definitions.get(pad.operands[1])
    value = zero.attributes.get("value") if zero is not None and has(zero, Trait.CONSTANT) else None
    if not isinstance(value, DenseAttr) or value.data.reshape(-1)[0] != 0:
        return op
    problem = convolution_problem(op)
    spatial, window = problem.numbers.input_spatial, problem.window
    low, high, interior = (list(plain(pad.attributes[name])) for name in PADDING)
    others = [d for d in range(len(low)) if d not in spatial]
    if (
        min(*low, *high) < 0
        or any(interior)
        or any(low[d] or high[d] for d in others)
        or {*window.base_dilations} - {1}
    ):
        return op
    padding = [(low[d] + before, high[d] + after) for d, (before, after) in zip(spatial, window.padding)]
    changed = {**op.attributes, "padding": attribute(np.array(padding, np.int64).reshape(-1, 2))}
    return Op(op.name, (pad.operands[0], op.operands[1]), op.results, changed, (), op.location)


def transpose_kernel(op: Op) -> tuple[Op, Op]:
    """Transpose a convolution's kernel so that the elements of a feature, or the features of an element, are adjacent.

    Returns the transpose and the convolution.
    """
    n = convolution_problem(op).numbers
    rank = len(n.kernel_spatial) + 2
    first = int(n.output_feature != rank - 1)  # 1 if the output features come first, before the other dimensions
    order = [*n.kernel_spatial, n.kernel_input_feature]
    order.insert(0 if first else rank - 1, n.kernel_output_feature)
    move = transpose(op.operands[1], order, op)
    numbers = replace(
        n,
        kernel_spatial=tuple(range(first, first + rank - 2)),
        kernel_input_feature=first + rank - 2,
        kernel_output_feature=0 if first else rank - 1,
    )
    attributes = {**op.attributes, "dimension_numbers": numbers.attribute}
    return move, Op(op.name, (op.operands[0], move.results[0]), op.results, attributes, (), op.location)


def replace_convolutions(
    ops: Sequence[Op], invariant: bool, every: bool
) -> tuple[list[Op], dict[Op, tuple[Windows | Product, tuple[Op, ...]]]]:
    """Rewrite convolutions to suitable layouts, and describe those that can be matrix products.

    For each of these, also return the ops that it replaces.

    Args:
        invariant: whether a row of the batch has the same bits however many there are.
        every: whether those of bf16 and f16 stay what they are, rather than convolutions of f32, and those to few
            features are steps, too, unless they are kernels with what reads them.
    """
    rewritten: list[Op] = []
    definitions: dict[Value, Op] = {}
    found: dict[Op, tuple[Windows | Product, tuple[Op, ...]]] = {}
    converted = [part for op in ops for part in widen_small_floats(op, invariant)]
    if every and not invariant:
        converted = [part for op in converted for part in exchange_dilated(op)]
    for op in converted if every else rewrite_large(converted, invariant):
        definitions.update((v, op) for v in op.results)
        if not has(op, Trait.CONVOLUTION) or not is_large(op, invariant):
            rewritten.append(op)
            continue
        with about(op):
            padded = with_padding(op, definitions)
            stays = every and len({element_name(v) for v in (*op.operands, *op.results)}) == 1
            for part in (padded,) if stays else widen(padded):
                if part.name != op.name:
                    rewritten.append(part)
                    continue
                least = 1 if every else LEAST_FEATURES
                windows = windows_of(widened(part), invariant, least, every)
                if windows is None and LETTERS.get(element_name(widened(part).results[0]), "-") in ITEMS:
                    move, moved = transpose_kernel(part)
                    if windows := windows_of(widened(moved), invariant, least):
                        rewritten.append(move)
                        part = moved
                parts = widen(part)
                product = None if windows is None else product_of_windows(windows)
                is_sum = stays and not invariant and product is None and convolution_problem(part).is_sum
                if windows is None or is_sum or (product is not None and windows.features < LEAST_FEATURES):
                    rewritten += parts
                elif product is None:
                    found[part] = windows, parts
                    rewritten.append(part)
                else:
                    element = element_name(part.operands[0]) if len(parts) > 1 else ""
                    a, b = (replace(matrix, narrow=element) for matrix in (product.a, product.b))
                    product = replace(product, a=a, b=b, usual=USUAL_ROWS if invariant else 0)
                    count = 1 + parts.index(wide := widened(part, parts))
                    gemm = Op("gemm", part.operands, wide.results, {}, (), part.location)
                    found[gemm] = product, parts[:count]
                    rewritten += [gemm, *parts[count:]]
    return rewritten, found


def widen_small_floats(op: Op, invariant: bool) -> tuple[Op, ...]:
    """The ops that convert what a large convolution reads in floats of 8 bits or fewer, and the convolution."""
    is_converted = has(op, Trait.CONVOLUTION) and is_large(op, invariant) and has_small_floats(op)
    return convert_small_floats(op, {}) if is_converted else (op,)


def rewrite_large(ops: Sequence[Op], invariant: bool) -> Iterator[Op]:
    """The ops, with large convolutions without zeros that they multiply, and those to few features as ones to more."""
    # How many there are of a batch must not matter if it is `invariant`.
    exchanges = [] if invariant else [exchange_operands]
    for op in ops:
        parts = [op]
        if not has(op, Trait.CONVOLUTION):
            yield op
            continue
        for rewrite in (crop_kernel, *exchanges, split_phases, split_taps):
            is_one = [has(part, Trait.CONVOLUTION) and is_large(part, invariant) for part in parts]
            with about(op):
                parts = [new for part, large in zip(parts, is_one) for new in (rewrite(part) if large else (part,))]
        yield from parts


def widened(op: Op, parts: Sequence[Op] = ()) -> Op:
    """The convolution of f32 that computes one of narrow numbers, or itself."""
    return next(part for part in parts or widen(op) if part.name == op.name)
