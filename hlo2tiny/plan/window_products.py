"""Rewrites convolutions to products of matrices: those of integers, which no library has, and those that are products.

The windows of integers are gathered, so that their elements are the rows of a matrix. (Others call this im2col.)
Windows of one element, and those of the gradients of these, which have all elements, are rows or columns as they lie.
"""

from __future__ import annotations

import operator
from functools import reduce
from math import prod
from typing import Any

from ..ir import ArrayAttr, Op, ScalarType, TensorType
from ..ir.dimensions import DotNumbers, IndexNumbers
from ..ir.dtypes import byte_size, expect_tensor
from ..ir.sizes import is_open
from ..ops import Trait, has
from ..ops.build import Builder, Term, stablehlo
from .gemm import INTEGERS, NARROW, element_name, is_large
from .problem import ConvolutionProblem, convolution_problem
from .taps import LEAST_FEATURES

# The most bytes of a copy of windows, of which a larger batch has several, one after the other; and the fewest elements
# of a window that pay for a product: 16 results of 2 elements took 0.7 to 1.4 ms for 65,536 places, as sums 0.1.
MOST_COPIED, LEAST_DEPTH = 1 << 28, 8
# The fewest features and the shortest rows of products on GPUs, and what a row's bytes are a multiple of, as tensor
# cores read vectors.
LEAST_SIDE, LEAST_ROW, ALIGNED = 16, 64, 16
# The bytes of the numbers of such a product.
SIZES = {"f64": 8, "f32": 4, **dict.fromkeys(NARROW, 2)}


def multiply_windows(op: Op, invariant: bool, in_vectors: bool = False) -> tuple[Op, ...]:
    """A convolution as a product of its windows and its kernel, or the op itself.

    `in_vectors` says whether windows are copied in aligned vectors, as threads do, rather than in long runs.
    """
    if not has(op, Trait.CONVOLUTION) or not is_large(op, invariant):
        return (op,)
    names = [element_name(v) for v in (*op.operands, *op.results)]
    if not set(names) <= set(INTEGERS) or names[2] in ("i64", "ui64"):
        return (op,)
    p = convolution_problem(op)
    few = p.features < LEAST_FEATURES  # which are as fast as sums of vectors
    if few or p.batch_groups > 1 or not p.is_known or any(map(is_open, p.input)):
        return (op,)
    n, rank, depth = p.numbers, len(p.taps), prod(p.taps) * p.inputs
    places = [p.output[n.output_batch], *p.places]
    one = prod(p.places) * depth * p.groups * byte_size(TensorType((), expect_tensor(op.operands[0].type).element))
    if depth < LEAST_DEPTH or one > MOST_COPIED:
        return (op,)
    if one * places[0] > MOST_COPIED:
        return tuple(
            part
            for each in split_batch(op, p, MOST_COPIED // one)
            for part in multiply_windows(each, invariant, in_vectors)
        )
    builder = Builder(op.location)
    x, w = map(builder.term, op.operands)
    x = x.transpose([n.input_batch, *n.input_spatial, n.input_feature])
    x = x.pad([0, *p.window.low, 0], [0, *p.window.high, 0], [0, *p.window.interior, 0])
    grouped = [p.groups] if p.groups > 1 else []
    rows = windows(x, p, places[1:], in_vectors).reshape([*places, *grouped, depth])
    w = w.reverse([d for d, is_reversed in zip(n.kernel_spatial, p.window.reversal) if is_reversed])
    w = w.transpose([*n.kernel_spatial, n.kernel_input_feature, n.kernel_output_feature])
    w = w.reshape([depth, *grouped, p.features])
    left, right = ((rank + 1,), (1,)) if grouped else ((), ())
    numbers = DotNumbers(left, right, (len(rows.shape) - 1,), (0,))
    type = TensorType((*grouped, *places, p.features), builder.term(op.results[0]).element)
    y = stablehlo.dot_general(rows, w, type=type, dot_dimension_numbers=numbers.attribute)
    if grouped:
        y = y.transpose([*range(1, rank + 2), 0, rank + 2]).reshape([*places, p.groups * p.features])
    order = [n.output_batch, *n.output_spatial, n.output_feature]
    y.transpose([order.index(d) for d in range(rank + 2)])
    return builder.ops_for(op)


def split_batch(op: Op, p: ConvolutionProblem, most: int) -> tuple[Op, ...]:
    """A convolution as several ones with at most so many of its batch each, as equal as they can be."""
    builder, at = Builder(op.location), p.numbers.input_batch
    x, w = map(builder.term, op.operands)
    type, count = builder.term(op.results[0]).type, p.input[at]
    parts, results = -(-count // most), list[Term]()
    for part in range(parts):
        begin, end = (number * count // parts for number in (part, part + 1))
        starts = [begin if d == at else 0 for d in range(len(x.shape))]
        ends = [end if d == at else size for d, size in enumerate(x.shape)]
        shape = tuple(end - begin if d == p.numbers.output_batch else size for d, size in enumerate(type.shape))
        attributes: dict[str, Any] = {**op.attributes}
        of_part = TensorType(shape, type.element)
        results.append(stablehlo.convolution(x.slice(starts, ends), w, type=of_part, **attributes))
    builder.concatenate(results, p.numbers.output_batch)
    return builder.ops_for(op)


def multiply_in_place(op: Op) -> tuple[Op, ...]:
    """A convolution as a product of its operands where they lie, or the op itself.

    Where features come before places, each of a batch is a matrix. Elsewhere windows of one element are products, too,
    as those who read windows find.
    """
    names = {element_name(v) for v in (*op.operands, *op.results)}
    if not has(op, Trait.CONVOLUTION) or not is_large(op) or len(names) != 1 or not names <= {*SIZES}:
        return (op,)
    p = convolution_problem(op)
    if p.groups > 1 or p.is_empty or any(map(is_open, (*p.input, *p.kernel, *p.output))):
        return (op,)
    window, size = p.window, SIZES[names.pop()]
    if any((*window.low, *window.high, *window.interior)):
        return (op,)
    if prod(p.taps) == 1 and {*window.strides} == {1}:
        return multiply_places(op, p, size)
    is_whole = p.taps == p.sizes and {*window.window_dilations} == {1} and not any(window.reversal)
    return multiply_whole(op, p, size) if is_whole and prod(p.places) == 1 else (op,)


def multiply_places(op: Op, p: ConvolutionProblem, size: int) -> tuple[Op, ...]:
    """A convolution by windows of one element as products of the kernel and each of the batch, or the op itself."""
    n, at, rank = p.numbers, p.numbers.output_feature, len(p.output)
    inputs = dict(zip((n.output_batch, *n.output_spatial), (n.input_batch, *n.input_spatial)))
    order = [inputs[d] for d in range(rank) if d != at]
    row, outer = prod(p.output[at + 1 :]), p.output[:at]
    fits = order == sorted(order) and n.input_feature == at and row >= LEAST_ROW and row * size % ALIGNED == 0
    if not fits or min(p.features, p.inputs) < LEAST_SIDE:
        return (op,)
    builder = Builder(op.location)
    x, w = map(builder.term, op.operands)
    features_first = n.kernel_output_feature < n.kernel_input_feature
    w = w.reshape((p.features, p.inputs) if features_first else (p.inputs, p.features))
    w = w if features_first else w.transpose((1, 0))
    w = w.broadcast([*outer, *w.shape], (at, at + 1))
    numbers = DotNumbers(tuple(range(at)), tuple(order[:at]), (at + 1,), (n.input_feature,))
    dot(w, x, builder.term(op.results[0]).type, numbers, op, exchanged=True)
    return builder.ops_for(op)


def multiply_whole(op: Op, p: ConvolutionProblem, size: int) -> tuple[Op, ...]:
    """A convolution with one window as a product, or the sum of those of what comes before its rows; or the op itself.

    It is the gradient of a kernel of one element: the features are the batch, and the batch is the features.
    """
    n, at, rank = p.numbers, p.numbers.input_batch, len(p.input)
    summed = [d for d in range(rank) if d != at]
    kernel = dict(zip((n.input_feature, *n.input_spatial), (n.kernel_input_feature, *n.kernel_spatial)))
    others = [kernel[d] for d in summed]
    if others != sorted(others) or n.kernel_output_feature != at:
        return (op,)
    sides, row = (p.input[at], p.features), prod(p.input[at + 1 :])
    rows, outer = (sides, ()) if row == 1 else ((row,), tuple(range(at)))
    is_long = row == 1 or row >= LEAST_ROW
    if not is_long or min(sides) < LEAST_SIDE or any(length * size % ALIGNED for length in rows):
        return (op,)
    # The products of all must not be more memory than half of what they read.
    if outer and 2 * max(size, 4) * prod(sides) > size * row * sum(sides):
        return (op,)
    builder = Builder(op.location)
    x, w = map(builder.term, op.operands)
    result = builder.term(op.results[0]).type
    exchanged = n.output_feature < n.output_batch
    left, right, sides = (w, x, sides[::-1]) if exchanged else (x, w, sides)
    inner = tuple(d for d in summed if d not in outer)
    element = ScalarType("f32") if outer and element_name(op.results[0]) in NARROW else result.element
    type = TensorType((*p.input[: len(outer)], *sides), element)
    y = dot(left, right, type, DotNumbers(outer, outer, inner, inner), op, exchanged)
    stablehlo.reshape(y.sum(outer).to(result.element) if outer else y, type=result)
    return builder.ops_for(op)


def dot(left: Term, right: Term, type: TensorType, numbers: DotNumbers, op: Op, exchanged: bool) -> Term:
    """A dot of a convolution's operands, in its order or exchanged, as precise as that is."""
    attributes: dict[str, Any] = {"dot_dimension_numbers": numbers.attribute}
    if isinstance(precision := op.attributes.get("precision_config"), ArrayAttr):
        attributes["precision_config"] = ArrayAttr(precision.items[::-1] if exchanged else precision.items)
    return stablehlo.dot_general(left, right, type=type, **attributes)


def windows(x: Term, p: ConvolutionProblem, places: list[int], in_vectors: bool) -> Term:
    """The elements of the windows at all places of a padded input, whose features come last.

    Features are the last dimension of the result, too, and groups of them are in front of the window's dimensions.
    """
    batch, *sizes, features = x.shape
    rank, (strides, dilations) = len(sizes), (p.window.strides, p.window.window_dilations)
    if prod(p.taps) == 1:
        ends = [(count - 1) * stride + 1 for count, stride in zip(places, strides)]
        return x.slice([0] * (rank + 2), [batch, *ends, features], [1, *strides, 1]) if {*strides} != {1} else x
    # What is contiguous is read at once: the features of a group, and of neighbours along the last dimension.
    joined, whole = p.groups == 1 and dilations[-1] == 1, in_vectors and features % ALIGNED == 0
    taps = p.taps[:-1] if joined else p.taps
    shape, steps = [*places, *taps], [prod(sizes[d + 1 :]) for d in range(rank)]
    along = [*zip(strides, steps), *zip(dilations, steps[: len(taps)])]
    starts = [x.builder.iota(shape, d) * (stride * step) for d, (stride, step) in enumerate(along)]
    index = reduce(operator.add, starts)
    if p.groups > 1:
        x, slices = x.reshape([batch, prod(sizes), p.groups, p.inputs]), [batch, 1, p.groups, p.inputs]
        numbers = IndexNumbers((0, rank + 1, len(shape) + 2), (1,), (), (), (1,), len(shape))
    elif whole:  # each run of features begins at a multiple of their number
        x, slices = x.reshape([batch, prod(sizes), features]), [batch, p.taps[-1] if joined else 1, features]
        numbers = IndexNumbers((0, len(shape) + 1, len(shape) + 2), (), (), (), (1,), len(shape))
    else:
        x, slices = x.reshape([batch, prod(sizes) * features]), [batch, features * (p.taps[-1] if joined else 1)]
        numbers, index = IndexNumbers((0, len(shape) + 1), (), (), (), (1,), len(shape)), index * features
    return stablehlo.gather(x, index, dimension_numbers=numbers.gather_attribute, slice_sizes=slices)
