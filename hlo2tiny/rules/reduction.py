"""Reductions over dimensions and over windows, and the gradient of a choice in windows."""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterator, Sequence
from math import gcd, prod
from typing import TypeAlias

import numpy as np

from ..ir import ScalarType, TensorType
from ..ir.dimensions import WindowNumbers, decode_window, static
from ..ir.dtypes import static_shape
from ..ops import Monoid
from ..tinygrad.dtypes import NARROW_FLOATS
from ..tinygrad.expressions import BITS, Tensor, call_function, calls_functions, dtypes, is_widened
from ..tinygrad.kernel import CALLED
from ..tinygrad.loops import Scalar, all_of, is_static, largest_operand, without_repetition
from ..tinygrad.schedule import has_to_be_computed
from ..tinygrad.sizes import least
from ..tinygrad.strips import has_long_end
from .digits import begins_with_nothing, columns_of_windows, fold_windows, function_of_folds
from .elementwise import BINARY, SIGNED_BITS, add, total_order
from .floats import INFINITY, is_nan, is_nan_of
from .folds import blocked_fold, fold, fold_parts, identity
from .loops import Combine, join_halves, promote
from .merging import OWN
from .movement import LONGEST_WINDOW, window_parts
from .registry import Body, Lowering, Types, rule
from .scans import fold_tiles, scanned_fold
from .storage import decode, encode
from .values import AnyTensor, Complex, broadcast_scalar, each, halves
from .windows import select_and_gather, select_and_scatter

Reduction: TypeAlias = Callable[[Tensor, tuple[int, ...]], Tensor]


def extreme_of(x: Tensor, axes: tuple[int, ...], sign: int) -> Tensor:
    """The maximum (sign 1) or minimum (sign -1)."""
    if x.dtype == dtypes.bool:
        return x.max(axes) if sign > 0 else x.logical_not().max(axes).logical_not()
    return x.max(axes) if sign > 0 else x.min(axes)


def to_reduce(
    value: AnyTensor, type: TensorType, monoid: Monoid | None, lowering: Lowering
) -> tuple[AnyTensor, Callable[[Tensor], Tensor]]:
    """What a monoid is computed on, given a value in storage form, and the function from that to compute form.

    The maximum and minimum of floats are those of integers in the same order: NaN wins, and -0 < +0. The integers'
    own identity is an infinity there: that of no number, as in a window of padding alone.
    """
    x, form = decode(value, type), lowering.short_float(type)
    if monoid not in (Monoid.MAXIMUM, Monoid.MINIMUM) or isinstance(x, Complex) or x.dtype not in BITS:
        return x, lambda result: result
    if form is None or not isinstance(value, Tensor) or has_to_be_computed(value):
        # Compilers find no maximum of 16-bit integers if these are computed from wider numbers.
        source, is_none, nan, infinity = x, is_nan(x), SIGNED_BITS[x.dtype].max, INFINITY[x.dtype]
    else:
        source, is_none, nan, infinity = value, is_nan_of(form, value), form.nan, form.overflow
    keys = is_none.where(nan if monoid is Monoid.MAXIMUM else -nan - 1, total_order(source))

    def back(keys: Tensor) -> Tensor:
        keys = keys.maximum(-infinity - 1) if monoid is Monoid.MAXIMUM else keys.minimum(infinity)
        bits = (keys < 0).where(keys ^ keys.dtype.max, keys).bitcast(source.dtype)
        return bits if source is x else decode(bits, type)

    return keys, back


# Functions for columns of f64: a CPU needs long to compare 64-bit integers, and to choose one of them.
EXTREMES = {Monoid.MAXIMUM: "maximum", Monoid.MINIMUM: "minimum"}


def function_of_columns(xs: Sequence[AnyTensor], axes: Sequence[int], body: Body) -> Combine | None:
    """A target's function that combines the rows of adjacent columns."""
    x, name = xs[0], EXTREMES.get(body.monoid) if body.monoid is not None else None
    if len(xs) > 1 or isinstance(x, Complex) or name is None or x.dtype != dtypes.float64 or x.ndim - 1 in axes:
        return None
    called = body.lowering.function(name, x.dtype, False)
    return None if called is None else lambda a, b: [call_function(called, a, b)]


def wrapped_sum(x: Tensor, axes: tuple[int, ...]) -> Tensor:
    return x.max(axes) if x.dtype == dtypes.bool else x.sum(axes, dtype=x.dtype)


# How a monoid is computed over whole axes, on values in compute form.
MONOIDS: dict[Monoid, Reduction] = {
    Monoid.SUM: wrapped_sum,
    Monoid.MAXIMUM: lambda x, axes: extreme_of(x, axes, 1),
    Monoid.MINIMUM: lambda x, axes: extreme_of(x, axes, -1),
    Monoid.PRODUCT: lambda x, axes: extreme_of(x, axes, -1) if x.dtype == dtypes.bool else x.prod(axes, dtype=x.dtype),
}
BOOLEAN_MONOIDS: dict[Monoid, Reduction] = {
    Monoid.ANY: lambda x, axes: x.max(axes),
    Monoid.ALL: lambda x, axes: extreme_of(x, axes, -1),
}


def monoid_reduction(body: Body, x: AnyTensor) -> Reduction | None:
    """The function that reduces x at once, if the body is a monoid."""
    if isinstance(x, Complex) or body.monoid is None:
        return None
    return MONOIDS.get(body.monoid) or (BOOLEAN_MONOIDS.get(body.monoid) if x.dtype == dtypes.bool else None)


def inputs_and_inits(
    operands: Sequence[AnyTensor], types: Types, body: Body
) -> tuple[list[AnyTensor], list[AnyTensor]]:
    """The operands in the types of the body: inputs of one shape, and an init value for each."""
    values, count = promote(operands, types, body), len(operands) // 2
    return values[:count], values[count:]


# A reduction with fewer results and more elements for each than this is computed in parts first, of which there are
# FEW_RESULTS or up to twice as many: of one size without padding, a multiple of what GPUs read at once, if possible.
FEW_RESULTS, MANY_ELEMENTS = 1024, 1 << 16
# If adjacent elements belong to different results, a group of threads computes COLUMNS results. With fewer groups than
# FEW_GROUPS and more elements for each result than LONG, parts come first, too. Fewer rows of a few numbers each than
# have LEAST_COLUMNS times as many are no columns.
COLUMNS, FEW_GROUPS, LONG, LEAST_COLUMNS = 32, 256, 1 << 10, 4
# With so many elements or more, memory is what a reduction waits for, so neighbours are read together.
LARGE = 1 << 20
# A reduction that one thread computes for each result, if there are fewer results than this, is one of parts first.
MANY_RESULTS, PART = 1 << 16, 32
# The parts of a long fold on a CPU, of which there are at least this many.
SHARED_PARTS = 64


def in_parts(x: Tensor, axes: tuple[int, ...], reduction: Reduction, monoid: Monoid) -> tuple[Tensor, tuple[int, ...]]:
    """What is left to reduce, and over which axes, after parts of a long reduction have been reduced in parallel."""
    kept = [d for d in range(x.ndim) if d not in axes]
    shape, count = [int(x.shape[d]) for d in kept], prod(int(x.shape[d]) for d in axes)
    results, last = prod(shape), int(x.shape[-1])
    rows = prod(int(x.shape[d]) for d in adjacent_axes(x, axes))
    is_narrow = x.ndim - 1 in kept and 1 < last < COLUMNS // 4 and rows * last >= LEAST_COLUMNS * COLUMNS
    if is_narrow and results * count >= LARGE and largest_operand(x)[-1:] != (1,):
        return in_columns(x, axes, reduction, monoid)
    if x.ndim - 1 in kept and last >= COLUMNS // 4:
        groups = results // last * -(-last // COLUMNS)
        if groups >= FEW_GROUPS or count < LONG:
            return x, axes
        # The longest axis is divided in place.
        axis = max(axes, key=lambda d: int(x.shape[d]))
        size = int(x.shape[axis])
        least = min(-(-FEW_GROUPS // groups), -(-2 * count // LONG), size)
        parts = divide_evenly(size, least)
        before = [int(n) for n in x.shape[:axis]]
        whole = x.pad(
            [(0, -size % parts) if d == axis else None for d in range(x.ndim)], value=identity(monoid, x.dtype)
        )
        inner = whole.reshape(*before, parts, -1, *x.shape[axis + 1 :])
        found = reduction(inner, tuple(d + 1 if d >= axis else d for d in axes)).contiguous()
        return found, (sum(d < axis for d in kept),)
    if results >= FEW_RESULTS or count < MANY_ELEMENTS:
        return x, axes
    flat = x.permute(*kept, *axes).reshape(*shape, count)
    parts = divide_evenly(count, -(-FEW_RESULTS // results))
    flat = flat.pad((*[None] * len(shape), (0, -count % parts)), value=identity(monoid, x.dtype))
    return reduction(flat.reshape(*shape, parts, -1), (len(shape) + 1,)).contiguous(), (len(shape),)


def in_columns(
    x: Tensor, axes: tuple[int, ...], reduction: Reduction, monoid: Monoid
) -> tuple[Tensor, tuple[int, ...]]:
    """What `in_parts` leaves if neighbours are of a few different results: COLUMNS neighbours are columns first."""
    last, begin = int(x.shape[-1]), x.ndim - 1 - len(adjacent_axes(x, axes))
    before, rows, most = [int(n) for n in x.shape[:begin]], prod(int(n) for n in x.shape[begin:-1]), COLUMNS // last
    together = next((n for n in range(most, most // 2, -1) if rows % n == 0), most)
    x = x.reshape(*before, rows, last)
    x = x.pad((*[None] * begin, (0, -rows % together), None), value=identity(monoid, x.dtype))
    x = x.reshape(*before, -1, together * last)
    axes = (*(d for d in axes if d < begin), begin)
    found, left = in_parts(x, axes, reduction, monoid)
    if left == axes and found is x:
        found, left = reduction(x, axes).contiguous(), ()
    found = found.reshape(*found.shape[:-1], together, last)
    return found, (*left, found.ndim - 2)


def adjacent_axes(x: Tensor, axes: tuple[int, ...]) -> list[int]:
    """The axes before the last dimension that follow each other."""
    begin = x.ndim - 1
    while begin - 1 in axes:
        begin -= 1
    return [*range(begin, x.ndim - 1)]


def divide_evenly(size: int, least: int) -> int:
    """A number of parts, at least this many: without padding and of a size that GPUs read at once, if possible."""
    return max(range(least, 2 * least), key=lambda n: 0 if size % n else gcd(size // n, 16))


def fold_last(x: Sequence[Tensor], axes: Sequence[int], body: Body) -> list[Tensor]:
    """The folds of PART or fewer adjacent elements each, in the order of the axes, whose number does not change."""
    shape = [int(s) for s in x[0].shape]
    *before, axis = (d for d in sorted(axes) if shape[d] > 1)
    is_last = axis == len(shape) - 1 and not body.lowering.in_order
    if is_last and shape[axis] >= PART and prod(shape) >= MANY_RESULTS:
        return fold_tiles(x, body)
    whole, count = list[int](), 1
    while before and count * shape[axis] < PART:
        whole, count = [axis, *whole], count * shape[axis]
        axis = before.pop()
    return fold_parts(x, axis, whole, min(shape[axis], -(-PART // count)), body)


def fold_longest(x: Sequence[Tensor], axes: Sequence[int], body: Combine) -> list[Tensor]:
    """The folds of parts of the longest axis, which threads share; how many depends on nothing else."""
    axis = max(axes, key=lambda d: int(x[0].shape[d]))
    size = int(x[0].shape[axis])
    parts = divide_evenly(size, min(size, SHARED_PARTS))
    return fold_parts(x, axis, [d for d in axes if d > axis], -(-size // parts), body)


def with_neighbours_joined(
    inputs: Sequence[Tensor], axes: tuple[int, ...]
) -> tuple[list[Tensor], list[int], tuple[int, ...]]:
    """The operands of a fold, its sizes and axes, with neighbouring dimensions that stay as one, for one loop.

    Operands that repeat their elements along a dimension have one there.
    """
    read, full = [without_repetition(x) for x in inputs], [*inputs[0].shape]
    repeats = [[x.shape[d] != full[d] for x in read] for d in range(len(full))]
    groups: list[list[int]] = []
    for d in range(len(full)):
        last = groups[-1] if groups else []
        if (
            last
            and {d, *last}.isdisjoint(axes)
            and all(1 in (full[d], full[e]) or repeats[d] == repeats[e] for e in last)
        ):
            last.append(d)
        else:
            groups.append([d])
    joined = [x.reshape([prod(x.shape[d] for d in group) for group in groups]) for x in read]
    sizes = [prod(full[d] for d in group) for group in groups]
    return joined, sizes, tuple(g for g, group in enumerate(groups) if group[0] in axes)


# Fewer values are not worth another kernel. Of a reduction to more results along rows, threads share the results;
# compilers make vectors of several rows of so few.
LEAST_CALLS, MOST_SHARED, UNROLLED = 1 << 13, 16, 5


def computed_apart(xs: Sequence[AnyTensor], axes: tuple[int, ...]) -> bool:
    """Whether threads and vectors compute what is reduced faster in a kernel of its own, as it calls functions."""
    shape = xs[0].shape
    if not is_static(shape) or prod(shape) < LEAST_CALLS or not any(map(calls_functions, halves(xs))):
        return False
    results = prod(size for d, size in enumerate(shape) if d not in axes)
    is_last, last = len(shape) - 1 in axes, int(shape[-1])
    return results <= MOST_SHARED or not is_last or (last > UNROLLED and has_long_end(last, CALLED))


# Reductions of at most so many elements that are computed are a part of what reads them; threads share those around it.
FEW_TERMS = 4


def few_terms(x: AnyTensor, axes: tuple[int, ...]) -> list[Tensor]:
    """What is reduced for each result, in order, if these are a few numbers that are computed; otherwise nothing."""
    if not isinstance(x, Tensor) or not is_static(x.shape) or not has_to_be_computed(x):
        return []
    sizes = [int(x.shape[d]) for d in axes]
    if prod(sizes) > FEW_TERMS or prod(sizes) == x.numel():
        return []
    kept = [int(n) for d, n in enumerate(x.shape) if d not in axes]
    places = (dict(zip(axes, place)) for place in np.ndindex(*sizes))
    bounds = ([(at[d], at[d] + 1) if d in at else (0, int(n)) for d, n in enumerate(x.shape)] for at in places)
    return [x.shrink(tuple(bound)).reshape(kept) for bound in bounds]


@rule("stablehlo.reduce", regions=("body",), storage=True)
def reduce(
    *operands: AnyTensor, dimensions: Sequence[int], body: Body, types: Types, out: Types, lowering: Lowering
) -> AnyTensor | list[AnyTensor]:
    xs, initial = inputs_and_inits(operands, types, body)
    axes = tuple(dimensions)
    shape = tuple(s for d, s in enumerate(xs[0].shape) if d not in axes)
    splits = lowering.parallel and not lowering.in_order  # by how many results there are
    if lowering.on_processor and computed_apart(xs, axes):
        xs = [each(x, lambda t: t.contiguous()) for x in xs]
    if isinstance(xs[0], Complex) and body.monoid is Monoid.SUM and len(xs) == 1:
        # Both halves at once, in the order of the memory.
        pairs = xs[0].pairs
        pairs, left = in_parts(pairs, axes, wrapped_sum, Monoid.SUM) if splits else (pairs, axes)
        total = pairs.sum(left).contiguous()
        return add(Complex.of_pairs(total), broadcast_scalar(initial[0], shape))
    x, decoded = to_reduce(xs[0], out[0], body.monoid, lowering)
    reduction = monoid_reduction(body, x) if len(xs) == 1 and axes else None
    function = function_of_columns(xs, axes, body)
    if reduction is not None and function is None and 0 not in xs[0].shape:
        # The init value comes last instead of first, which is the same for a monoid.
        first = broadcast_scalar(decode(initial[0], out[0]), shape)
        if splits and (terms := few_terms(decode(xs[0], out[0]), axes)):
            return encode(functools.reduce(BINARY[body.operation], [*terms, first]), out[0])
        if splits and isinstance(x, Tensor) and body.monoid is not None:
            x, axes = in_parts(x, axes, reduction, body.monoid)
        total = encode(BINARY[body.operation](decoded(reduction(x, axes)), first), out[0])
        # tinygrad would repeat the whole reduction for each element that reads a single result.
        return total.contiguous() if lowering.parallel and prod(shape) == 1 else total

    inputs, combine = halves(xs), function or body
    if lowering.parallel and 0 not in xs[0].shape:
        # The body is associative, so parts are reduced at the same time; the order of the elements stays.
        few = lowering.in_order or prod(shape) < MANY_RESULTS
        while few and prod(int(inputs[0].shape[d]) for d in axes) >= 2 * PART:
            inputs = fold_last(inputs, axes, body)
    elif is_static(xs[0].shape) and prod(xs[0].shape[d] for d in axes) >= MANY_ELEMENTS and 0 not in shape:
        inputs = fold_longest(inputs, axes, combine)
    sizes = [*inputs[0].shape]
    if not lowering.parallel and 0 not in sizes:
        inputs, sizes, axes = with_neighbours_joined(inputs, axes)
    kept = [size for d, size in enumerate(sizes) if d not in axes]

    def fetch(at: list[Scalar], steps: list[Scalar]) -> tuple[list[Scalar], Scalar]:
        outer, along = iter(at), iter(steps)
        return [next(along) if d in axes else next(outer) for d in range(len(sizes))], all_of([])

    results = fold(
        kept, [sizes[d] for d in sorted(axes)], inputs, halves(initial), fetch, combine, "reduce", not lowering.parallel
    )
    results = [result.reshape(shape) for result in results]
    return join_halves(results, xs)


@rule("stablehlo.reduce_window", regions=("body",), storage=True)
def reduce_window(
    *operands: AnyTensor,
    window_dimensions: Sequence[int],
    window_strides: Sequence[int] | None,
    base_dilations: Sequence[int] | None,
    window_dilations: Sequence[int] | None,
    padding: np.ndarray | None,
    body: Body,
    types: Types,
    out: Types,
    lowering: Lowering,
) -> AnyTensor | list[AnyTensor]:
    xs, initial = inputs_and_inits(operands, types, body)
    numbers = decode_window(window_dimensions, window_strides, padding, base_dilations, window_dilations)
    window = TensorWindows(xs[0].shape, numbers, static_shape(out[0]))
    running = window.running()
    if running is not None:
        # As in `reduce`, the body is associative.
        is_long = window.shape[running[0]] > OWN
        cumulate = scanned_fold if lowering.parallel and is_long else blocked_fold
        return join_halves(cumulate(halves(xs), halves(initial), *running, body), xs)
    if (folded := window.fold_by_function(xs, initial, body, lowering, out[0])) is not None:
        return folded
    combine = BINARY.get(body.operation) if len(xs) == 1 else None
    x, decoded = to_reduce(xs[0], out[0], body.monoid, lowering)
    reduction = monoid_reduction(body, x)
    if combine and body.monoid is not None and reduction and isinstance(x, Tensor) and window.is_plain():
        # The init value comes last, as in `reduce`.
        total = decoded(
            window.combine_windows(x, combine, reduction, identity(body.monoid, x.dtype), lowering.parallel)
        )
        return encode(combine(total, broadcast_scalar(decode(initial[0], out[0]), total.shape)), out[0])
    results = fold(window.counts, window.sizes, halves(xs), halves(initial), window.fetch, body, "reduce_window")
    return join_halves(results, xs)


Pairwise: TypeAlias = Callable[[Tensor, Tensor], Tensor]

# Of a window that is longer than LONGEST_RUN, runs of RUN elements are combined first, which many windows share.
LONGEST_RUN, RUN = 16, 8


def parts_along(
    x: Tensor, d: int, size: int, count: int, stride: int, dilation: int, low: int = 0, filler: float = 0
) -> Iterator[Tensor]:
    """The parts of windows along one dimension, see `window_parts`."""

    def along(number: int, other: int) -> list[int]:
        return [number if e == d else other for e in range(x.ndim)]

    counts = [count if e == d else n for e, n in enumerate(x.shape)]
    return window_parts(x, along(size, 1), counts, along(stride, 1), along(dilation, 1), along(low, 0), filler)


def combine_along(x: Tensor, d: int, size: int, count: int, stride: int, dilation: int, combine: Pairwise) -> Tensor:
    """Combine the elements of each window along a dimension, in their order; x has all of them."""
    if size <= LONGEST_RUN:
        return functools.reduce(combine, parts_along(x, d, size, count, stride, dilation))
    places, whole = int(x.shape[d]) - (RUN - 1) * dilation, size // RUN
    runs = combine_along(x, d, RUN, places, 1, dilation, combine).contiguous()
    found = combine_along(runs, d, whole, count, stride, dilation * RUN, combine)
    left = x.shrink(tuple((whole * RUN * dilation if e == d else 0, n) for e, n in enumerate(x.shape)))
    rest = parts_along(left, d, size % RUN, count, stride, dilation) if size % RUN else ()
    return functools.reduce(combine, rest, found)


class TensorWindows:
    """The windows on a tensor: which of its elements is at which position of which window."""

    def __init__(self, shape: Sequence[int], numbers: WindowNumbers, counts: Sequence[int] | None = None) -> None:
        self.shape, self.numbers = [*shape], numbers
        self.sizes, self.counts = static(numbers.sizes), static(counts or numbers.counts(self.shape))

    def running(self) -> tuple[int, bool, int, int] | None:
        """The axis, reverse, skip and length of a `running_fold`, if each window has one element more than the last.

        Cumulative sums are written like this. Reversed ones have the padding at the other end, exclusive ones more.
        """
        n = self.numbers
        plain = set(n.strides) | set(n.base_dilations) <= {1}
        axes = [d for d, size in enumerate(self.sizes) if (size, n.padding[d]) != (1, (0, 0))]
        if len(axes) != 1 or not plain or 0 in self.shape or n.window_dilations[axes[0]] != 1:
            return None
        (axis,) = axes
        size, window, (low, high) = self.shape[axis], self.sizes[axis], n.padding[axis]
        for reverse, before, after in ((False, low, high), (True, high, low)):
            # The first window has at most one element, and the last one still has the first element.
            skip = before - window + 1
            if least(skip) >= 0 and least(window - size - after) >= 0 and least(skip) == -least(-skip):
                return axis, reverse, least(skip), self.counts[axis]
        return None

    def is_plain(self) -> bool:
        """Whether kernels can load the elements of all windows at a position together."""
        n = self.numbers
        return (
            not any(n.interior)
            and min((*n.low, *n.high), default=0) >= 0
            and 0 not in (*self.shape, *self.counts)
            and all(size == 1 or is_static([count]) for size, count in zip(self.sizes, self.counts))
        )

    def fold_by_function(
        self, xs: Sequence[AnyTensor], initial: Sequence[AnyTensor], body: Body, lowering: Lowering, type: TensorType
    ) -> Tensor | None:
        """The folds of windows of a few dozen elements or more by a function of the target, along each dimension.

        None if it has none. Sums and products of narrow floats are computed in f32, as they are without it.
        """
        values, n = halves(xs), self.numbers
        is_narrow = isinstance(type.element, ScalarType) and type.element.name in NARROW_FLOATS
        widened = is_narrow and body.monoid not in (Monoid.MAXIMUM, Monoid.MINIMUM)
        function = function_of_folds("fold_windows", values, body, lowering, widened)
        sizes = [*map(prod, (self.shape, self.counts))] if is_static([*self.shape, *self.counts]) else []
        if function is None or not sizes or max(sizes) >= 1 << 31 or not self.is_plain():
            return None
        x, along = values[0], list[tuple[int, int]]()
        if prod(self.sizes) <= LONGEST_WINDOW or not begins_with_nothing(body, x.dtype, halves(initial)):
            return None
        x = decode(x, type) if widened else x
        for d, (size, stride, dilation) in enumerate(zip(self.sizes, n.strides, n.window_dilations)):
            if (size, stride, n.padding[d]) == (1, 1, (0, 0)):
                continue
            inner = prod(self.shape[d + 1 :])
            columns = columns_of_windows(inner, (size - 1) * dilation + 1, x.dtype.itemsize)
            if not columns or stride >= size > 1 or self.counts[d] == 1:  # no element is in two windows
                return None
            along.append((d, columns))
        for d, columns in reversed(along):
            numbers = self.sizes[d], n.strides[d], n.window_dilations[d], n.low[d]
            x = fold_windows(x, d, numbers, self.counts[d], columns, function)
        return encode(x, type) if widened else x

    def combine_windows(
        self, x: Tensor, combine: Pairwise, reduction: Reduction, filler: float, parallel: bool
    ) -> Tensor:
        """Combine all windows at once: their first elements, their second ones, …; long ones by dimension."""
        n = self.numbers
        if prod(self.sizes) <= LONGEST_WINDOW:
            # An element that is in several windows is computed only once, unless threads would read more then.
            if any(size > stride for size, stride in zip(self.sizes, n.strides)) and not (parallel and is_widened(x)):
                x = x.contiguous()
            return functools.reduce(
                combine, window_parts(x, self.sizes, self.counts, n.strides, n.window_dilations, n.low, filler)
            )
        # Dimensions along which no element is in two windows are reduced together.
        apart = [
            d
            for d, size in enumerate(self.sizes)
            if size > 1 and n.window_dilations[d] == 1 and (n.strides[d] >= size or self.counts[d] == 1)
        ]
        shape = list[tuple[int, ...]]()
        numbers = [*zip(self.sizes, self.counts, n.strides, n.window_dilations, n.low)]
        for d, (size, count, stride, _, low) in enumerate(numbers):
            step = max(stride, size)
            if d in apart:
                (x,) = parts_along(x, d, 1, count * step, 1, 1, low, filler)
            elif size == 1:
                (x,) = parts_along(x, d, 1, count, stride, 1, low, filler)
            shape.append((count, step) if d in apart else (x.shape[d],))
        if apart:
            x = x.reshape([size for sizes in shape for size in sizes])
            axes = tuple(d + number + 1 for number, d in enumerate(apart))
            for d, axis in zip(apart, axes):
                (x,) = parts_along(x, axis, 1, self.sizes[d], 1, 1)
            x = reduction(x, axes)
        for d, (size, count, stride, dilation, low) in reversed([*enumerate(numbers)]):
            if size > 1 and d not in apart:
                reach = max((size - 1) * dilation + count * stride, x.shape[d] + low)
                (whole,) = parts_along(x, d, 1, reach, 1, 1, low, filler)
                x = combine_along(whole.contiguous(), d, size, count, stride, dilation, combine)
        return x

    def fetch(self, at: list[Scalar], steps: list[Scalar]) -> tuple[list[Scalar], Scalar]:
        index, inside, n = [], [], self.numbers
        for d, size in enumerate(self.shape):
            coordinate = at[d] * n.strides[d] + steps[d] * n.window_dilations[d] - n.low[d]
            if (base := n.base_dilations[d]) != 1:
                inside.append((coordinate % base) < 1)
            inside.append(coordinate > -1)
            if base != 1:
                coordinate = (coordinate > -1).where(coordinate, 0) // base
            inside.append(coordinate < size)
            index.append(coordinate)
        return index, all_of(inside)

    @property
    def most_holders(self) -> list[int]:
        """How many windows may hold an element, along each dimension."""
        return [-(-size // stride) for size, stride in zip(self.sizes, self.numbers.strides)]

    def holders(self, at: list[Scalar], steps: list[Scalar]) -> tuple[list[Scalar], Scalar]:
        """The inverse of `fetch` without dilations: a window that has an element, in their order."""
        index, inside, n = [], [], self.numbers
        for d, (size, count, most) in enumerate(zip(self.sizes, self.counts, self.most_holders)):
            place = at[d] + n.low[d]
            window = (place > -1).where(place, 0) // n.strides[d] + steps[d] - (most - 1)
            inside += [place > -1, window > -1, window < count, (place - window * n.strides[d]) < size]
            index.append(window)
        return index, all_of(inside)


@rule("stablehlo.select_and_scatter", regions=("select", "scatter"), storage=True)
def select_and_scatter_rule(
    x: AnyTensor,
    source: AnyTensor,
    initial: AnyTensor,
    *,
    window_dimensions: Sequence[int],
    window_strides: Sequence[int] | None,
    padding: np.ndarray | None,
    select: Body,
    scatter: Body,
    types: Types,
    lowering: Lowering,
) -> list[AnyTensor]:
    source, initial = promote([source, initial], types[1:], scatter)
    window = TensorWindows(x.shape, decode_window(window_dimensions or [1] * len(x.shape), window_strides, padding))
    parts = halves([x]), halves([source]), halves([initial])
    if lowering.parallel:
        results = select_and_gather(
            *parts, window.sizes, window.fetch, window.most_holders, window.holders, select, scatter
        )
    else:
        results = select_and_scatter(*parts, window.sizes, window.fetch, select, scatter)
    return join_halves(results, [source])
