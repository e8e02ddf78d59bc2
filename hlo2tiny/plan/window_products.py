"""Rewrites convolutions of integers, which no library has, to products of matrices.

The windows are gathered, so that their elements are the rows of a matrix. (Others call this im2col.)
"""

from __future__ import annotations

import operator
from functools import reduce
from math import prod

from ..ir import Op, TensorType
from ..ir.dimensions import DotNumbers, IndexNumbers
from ..ir.sizes import is_open
from ..ops import Trait, has
from ..ops.build import Builder, Term, stablehlo
from .gemm import INTEGERS, element_name, is_large
from .problem import ConvolutionProblem, convolution_problem
from .taps import LEAST_FEATURES

# The most elements of a copy of the windows, and the fewest of each that pay for a product: 16 results of 2 elements
# took 0.7 to 1.4 ms for 65,536 places, as sums 0.1.
MOST_COPIED, LEAST_DEPTH = 1 << 26, 8


def multiply_windows(op: Op, invariant: bool) -> tuple[Op, ...]:
    """A convolution as a product of its windows and its kernel, or the op itself."""
    if not has(op, Trait.CONVOLUTION) or not is_large(op, invariant):
        return (op,)
    names = [element_name(v) for v in (*op.operands, *op.results)]
    if not set(names) <= set(INTEGERS) or names[2] in ("i64", "ui64"):
        return (op,)
    p = convolution_problem(op)
    few = p.features < LEAST_FEATURES  # which are as fast as sums of vectors
    if few or p.batch_groups > 1 or not p.is_known or any(map(is_open, p.input)):
        return (op,)
    n, rank, depth, places = (
        p.numbers,
        len(p.taps),
        prod(p.taps) * p.inputs,
        [p.output[p.numbers.output_batch], *p.places],
    )
    if depth < LEAST_DEPTH or prod(places) * depth * p.groups > MOST_COPIED:
        return (op,)
    builder = Builder(op.location)
    x, w = map(builder.term, op.operands)
    x = x.transpose([n.input_batch, *n.input_spatial, n.input_feature])
    x = x.pad([0, *p.window.low, 0], [0, *p.window.high, 0], [0, *p.window.interior, 0])
    grouped = [p.groups] if p.groups > 1 else []
    rows = windows(x, p, places[1:]).reshape([*places, *grouped, depth])
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


def windows(x: Term, p: ConvolutionProblem, places: list[int]) -> Term:
    """The elements of the windows at all places of a padded input, whose features come last.

    Features are the last dimension of the result, too, and groups of them are in front of the window's dimensions.
    """
    batch, *sizes, features = x.shape
    rank, (strides, dilations) = len(sizes), (p.window.strides, p.window.window_dilations)
    if prod(p.taps) == 1:
        ends = [(count - 1) * stride + 1 for count, stride in zip(places, strides)]
        return x.slice([0] * (rank + 2), [batch, *ends, features], [1, *strides, 1]) if {*strides} != {1} else x
    # What is contiguous is read at once: the features of a group, and of neighbours along the last dimension.
    joined = p.groups == 1 and dilations[-1] == 1
    taps = p.taps[:-1] if joined else p.taps
    shape, steps = [*places, *taps], [prod(sizes[d + 1 :]) for d in range(rank)]
    along = [*zip(strides, steps), *zip(dilations, steps[: len(taps)])]
    starts = [x.builder.iota(shape, d) * (stride * step) for d, (stride, step) in enumerate(along)]
    index = reduce(operator.add, starts)
    if p.groups > 1:
        x, slices = x.reshape([batch, prod(sizes), p.groups, p.inputs]), [batch, 1, p.groups, p.inputs]
        numbers = IndexNumbers((0, rank + 1, len(shape) + 2), (1,), (), (), (1,), len(shape))
    else:
        x, slices = x.reshape([batch, prod(sizes) * features]), [batch, features * (p.taps[-1] if joined else 1)]
        numbers, index = IndexNumbers((0, len(shape) + 1), (), (), (), (1,), len(shape)), index * features
    return stablehlo.gather(x, index, dimension_numbers=numbers.gather_attribute, slice_sizes=slices)
