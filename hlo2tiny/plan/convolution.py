"""Convolutions as matrix products of windows and the kernel: which are ones, in which order, and in which pieces.

Any layout will do in which a window's elements stand in the kernel at equal distances, and the output has features or
places side by side; the gradients of a convolution, which are convolutions with other layouts, have such ones too.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from math import prod
from typing import Any

from ..ir import Op, Value, about
from ..ir.dimensions import convolution_window, decode_convolution
from ..ir.dtypes import static_shape
from ..ops import Trait, has
from ..ops.attributes import plain
from .gemm import LEAST, LETTERS, NARROW, Checked, convert, element_name, is_large, retyped, transposed

# A product's depth that is multiplied at a time: its part of the panel stays in a core's nearest cache.
PART_DEPTH = 256
# The panel's rows in bytes, and the output rows that are multiplied together, at most; see targets/c/convolution.c.
PANEL, ROWS = 256, 6
# Operations in a piece of work that a thread takes, bytes of its table, and pieces that are enough for all threads.
PIECE, TABLE, PIECES = 1 << 22, 1 << 16, 16
# More runs in a window than this are copied.
MOST_RUNS = 256
READ, COPIED, ACROSS = 0, 1, 2
# Fewer output features make no matrix.
LEAST_FEATURES = 4
MOST_RANK = 5


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
        """Whether all windows are within the input."""
        reach = [(self.places - 1) * self.stride, (self.window - 1) * self.dilation]
        low, high = (sum(bound(0, r) for r in reach) - self.padding for bound in (min, max))
        return self.base == 1 and low >= 0 and high < self.size


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
    turn: int = 0  # rows that a kernel takes at a time as soon as they are there; none where it is 0

    @property
    def rows(self) -> int:
        return prod(d.places for i, d in enumerate(self.dimensions) if i not in self.outer)

    @property
    def depth(self) -> int:
        return prod(d.window for d in self.dimensions)

    @property
    def item(self) -> int:
        return 4 if self.letter == "s" else 8

    @property
    def part_depth(self) -> int:
        most = min(self.depth, PART_DEPTH)
        return max(1, most // self.run) * self.run if self.run <= most and self.kind == READ else most

    @property
    def part_rows(self) -> int:
        """The rows of a piece of work, balanced."""
        if self.kind == ACROSS:
            return PANEL // self.item
        most = max(PIECE // (2 * self.depth * min(self.features, PANEL // self.item)), 8 * ROWS)
        held = self.depth // self.run * 8 if self.kind == READ else self.part_depth * self.item
        most = max(ROWS, min(most, TABLE // held) // ROWS * ROWS)
        if self.turn:
            return -(-most // self.turn) * self.turn
        return -(-self.rows // (-(-self.rows // most) * ROWS)) * ROWS

    @property
    def part_features(self) -> int:
        if self.turn:
            return self.features
        if self.kind != ACROSS:
            return PANEL // self.item
        pieces = self.groups * prod(self.dimensions[d].places for d in self.outer) * -(-self.rows // self.part_rows)
        return max(4, -(-self.features // (-(-PIECES // pieces) * ROWS))) * ROWS

    @property
    def scratch(self) -> int:
        """The bytes that a thread needs for itself."""
        size = self.part_depth * PANEL
        if self.kind == READ:
            runs = self.depth // self.run
            rows = -(-self.part_rows // ROWS) * ROWS
            size += (rows + len(self.dimensions) + 1) * runs * 8 + self.run * self.item
        elif self.kind == COPIED:
            size += self.part_rows * self.part_depth * self.item
        return -(-size // 64) * 64 + self.held

    @property
    def held(self) -> int:
        """The bytes of the rows that a thread keeps for a kernel."""
        return -(-self.part_rows * self.features * self.item // 64) * 64 if self.turn else 0

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
    n = decode_convolution(attributes["dimension_numbers"])
    x, w, y = (static_shape(v.type) for v in (*op.operands, *op.results))
    xs, ws, ys = map(strides_of, (x, w, y))
    groups, batch_groups = int(attributes["feature_group_count"]), int(attributes["batch_group_count"])
    if 0 in (*x, *w, *y) or len(x) > MOST_RANK or (groups > 1 and batch_groups > 1):
        return None
    window = convolution_window(attributes, w)
    batch, feature, o, i = n.input_batch, n.input_feature, n.kernel_output_feature, n.kernel_input_feature
    count = groups * batch_groups
    features = w[o] // count
    if features < LEAST_FEATURES or prod(y) * prod(w) // w[o] < LEAST:
        return None
    places = x[batch] // batch_groups
    dimensions = [Dimension(places, 1, 1, 1, 0, 1, places, xs[batch], ys[n.output_batch], 0)]
    for d, (at, kernel, out) in enumerate(zip(n.input_spatial, n.kernel_spatial, n.output_spatial)):
        stride, base = window.strides[d], window.base_dilations[d]
        before, scale = window.low[d], window.window_dilations[d]
        if window.reversal[d]:  # from the window's end, backwards
            before, scale = before - (w[kernel] - 1) * scale, -scale
        dimensions.append(Dimension(y[out], w[kernel], stride, scale, before, base, x[at], xs[at], ys[out], ws[kernel]))
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
    feature_step, kernel_feature_step = ys[n.output_feature], ws[o]
    if feature_step != 1 and (row_step != 1 or depth_step != 1):
        return None
    inner = dimensions[window_order[-1]]
    run = inner.window if inner.step * inner.dilation == 1 and inner.inside else 1
    kind = ACROSS
    if feature_step == 1:
        kind = READ if prod(d.window for d in dimensions) // run <= MOST_RUNS else COPIED
    return Windows(
        letter, tuple(dimensions), tuple(place_order), tuple(window_order), tuple(outer), count,
        places * xs[batch] if batch_groups > 1 else w[i] * xs[feature], features * ws[o], features * feature_step,
        features, row_step, depth_step, kernel_feature_step, feature_step, kind, run,
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
    if not beside or not d.inside or f.window == 1 or d.dilation != 1:
        return dimensions, window_order
    w = f.window
    both = Dimension(d.places, d.window * w, d.stride * w, 1, d.padding * w, 1, d.size * w, f.step, d.out, f.kernel)
    kept = [both if i == outer else each for i, each in enumerate(dimensions[:-1])]
    return kept, window_order[:-1]


def kernel_in_order(op: Op) -> tuple[Op, Op]:
    """A convolution whose kernel is transposed first: a feature's elements side by side, or the features of each."""
    n = decode_convolution(plain(op.attributes["dimension_numbers"]))
    rank = len(n.kernel_spatial) + 2
    first = int(n.output_feature != rank - 1)  # the first dimension after the output features, if these come first
    order = [*n.kernel_spatial, n.kernel_input_feature]
    order.insert(0 if first else rank - 1, n.kernel_output_feature)
    move = transposed(op.operands[1], order, op)
    numbers = replace(
        n,
        kernel_spatial=tuple(range(first, first + rank - 2)),
        kernel_input_feature=first + rank - 2,
        kernel_output_feature=0 if first else rank - 1,
    )
    attributes = {**op.attributes, "dimension_numbers": numbers.attribute}
    return move, Op(op.name, (op.operands[0], move.results[0]), op.results, attributes, (), op.location)


def with_windows(ops: Sequence[Op], checked: Checked) -> tuple[list[Op], dict[Op, Windows]]:
    """Ops with convolutions, where they can be, as ones that are matrix products."""
    result: list[Op] = []
    found = {}
    for op in ops:
        if not has(op, Trait.CONVOLUTION) or not is_large(op):
            result.append(op)
            continue
        with about(op):
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
    wide: list[Value] = [retyped(v, "f32") for v in (*op.operands, *op.results)]
    before = [convert(v, w, op) for v, w in zip(op.operands, wide)]
    whole = Op(op.name, tuple(wide[:2]), (wide[2],), op.attributes, (), op.location)
    return (*before, whole, convert(wide[2], op.results[0], op))
