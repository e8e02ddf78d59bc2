"""The numbers of dots, convolutions, windows and einsums, compared with what numpy and plain loops say."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from hlo2tiny import parse
from hlo2tiny.ir.dimensions import (
    DotNumbers,
    IndexNumbers,
    convolution_window,
    decode_convolution,
    decode_dot,
    decode_gather,
    decode_scatter,
    decode_window,
    dot_numbers,
    einsum_shape,
    einsum_terms,
    matrix_dot,
    reduction_window,
    static,
)
from hlo2tiny.ops.attributes import plain

sizes = st.integers(0, 6)


@given(sizes, sizes, st.integers(1, 3), st.integers(1, 3), st.integers(1, 3), st.integers(-3, 4), st.integers(-3, 4))
def test_counts_are_those_of_windows_that_fit(
    size: int, window: int, stride: int, base: int, dilation: int, low: int, high: int
) -> None:
    """The indices at which a window starts and ends within the padded, dilated dimension."""
    found = decode_window([window], [stride], [(low, high)], [base], [dilation]).counts([size])
    padded = len(range((size - 1) * base + 1)) * (size > 0) + low + high
    last = (window - 1) * dilation if window else -1
    starts = [start for start in range(0, max(padded, 0), stride) if start + last < padded]
    if window:
        assert found == (len(starts),)
    else:  # an empty window fits once more: after the last element
        assert found == (padded // stride + 1 if padded > 0 else 0,)


def test_windows_that_are_left_out() -> None:
    assert decode_window([2, 3]) == decode_window([2, 3], [1, 1], np.zeros((2, 2)), [1, 1], [1, 1])
    assert decode_window([2, 3], []).counts([4, None]) == (3, None)
    assert decode_window([]).counts([]) == ()


WINDOW = st.tuples(*(st.integers(1, 3),) * 4, *(st.integers(-2, 3),) * 2)


def pairs(size: int, window: tuple[int, int, int, int, int, int]) -> set[tuple[int, int, int]]:
    """The element at each position of a window, given the window's number; padding is left out."""
    taps, stride, base, dilation, low, high = window
    (count,) = static(decode_window([taps], [stride], [(low, high)], [base], [dilation]).counts([size]))
    at = ((i, k, i * stride + k * dilation - low) for i in range(count) for k in range(taps))
    return {(i, k, x // base) for i, k, x in at if x % base == 0 and 0 <= x // base < size}


@given(st.integers(1, 6), WINDOW)
def test_transposed_windows_pair_the_same_elements(size: int, window: tuple[int, int, int, int, int, int]) -> None:
    taps, stride, base, dilation, low, high = window
    numbers = decode_window([taps], [stride], [(low, high)], [base], [dilation])
    (count,) = static(numbers.counts([size]))
    assume(count > 0)
    back, over = numbers.transpose([size], [count]), numbers.exchange([size], [count])
    ((low, high),) = back.padding
    assert back.counts([count]) == (size,)
    found = pairs(count, (taps, back.strides[0], back.base_dilations[0], back.window_dilations[0], low, high))
    assert {(x, taps - 1 - k, i) for i, k, x in pairs(size, window)} == found
    ((low, high),) = over.padding
    assert (over.sizes, over.counts([size])) == ((count,), (taps,))
    found = pairs(size, (count, over.strides[0], over.base_dilations[0], over.window_dilations[0], low, high))
    assert {(k, i, x) for i, k, x in pairs(size, window)} == found


@given(st.permutations("bcdxy"), st.permutations("bcduv"))
def test_a_dot_has_the_shape_that_einsum_gives(lhs: list[str], rhs: list[str]) -> None:
    lengths = {label: size for size, label in enumerate("bcdxyuv", 2)}
    numbers = decode_dot(
        {f"{side}_batching_dimensions": [t.index(c) for c in "b"] for side, t in (("lhs", lhs), ("rhs", rhs))}
        | {f"{side}_contracting_dimensions": [t.index(c) for c in "cd"] for side, t in (("lhs", lhs), ("rhs", rhs))}
    )
    result = ["b", *(c for c in lhs if c in "xy"), *(c for c in rhs if c in "uv")]
    shapes = [[lengths[c] for c in term] for term in (lhs, rhs)]
    assert numbers.result_shape(*shapes) == tuple(lengths[c] for c in result)
    config = f"{''.join(lhs)},{''.join(rhs)}->{''.join(result)}"
    terms, labels = einsum_terms(config, [5, 5])
    found = einsum_shape(terms, labels, shapes)
    assert found == np.einsum(config, *(np.zeros(shape) for shape in shapes)).shape


def test_what_is_not_known_comes_from_the_other_side() -> None:
    numbers = decode_dot({"lhs_batching_dimensions": [0], "rhs_batching_dimensions": [1]})
    assert numbers.result_shape([None, 3], [None, 2]) == (2, 3, None)
    assert matrix_dot(2).result_shape([3, None], [4, 5]) == (3, 5)
    assert matrix_dot(1).result_shape([4], [4]) == ()


def test_the_dimensions_of_a_convolution_in_order() -> None:
    """As [b, f, 0, 1]x[o, i, 0, 1]->[0, 1, f, b] has them."""
    numbers = decode_convolution(
        {
            "input_batch_dimension": 0,
            "input_feature_dimension": 1,
            "input_spatial_dimensions": [2, 3],
            "kernel_input_feature_dimension": 1,
            "kernel_output_feature_dimension": 0,
            "kernel_spatial_dimensions": [2, 3],
            "output_batch_dimension": 3,
            "output_feature_dimension": 2,
            "output_spatial_dimensions": [0, 1],
        }
    )
    assert (numbers.lhs, numbers.rhs, numbers.result) == ((0, 1, 2, 3), (0, 1, 2, 3), (3, 2, 0, 1))
    assert numbers.result_shape(7, None, [5, 6]) == (5, 6, None, 7)


OPS = """
func.func @main(%a: tensor<3x4x5xf32>, %b: tensor<3x5x4xf32>, %m: tensor<2x6xf32>, %n: tensor<6x2xf32>, %z: tensor<f32>,
    %x: tensor<1x9x9x2xf32>, %k: tensor<2x3x2x4xf32>) {
  %0 = stablehlo.dot_general %a, %b, batching_dims = [0] x [0], contracting_dims = [2] x [1]
    : (tensor<3x4x5xf32>, tensor<3x5x4xf32>) -> tensor<3x4x4xf32>
  %1 = stablehlo.dot %m, %n : (tensor<2x6xf32>, tensor<6x2xf32>) -> tensor<2x2xf32>
  %2 = stablehlo.convolution(%x, %k) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f],
    window = {stride = [2, 1], pad = [[0, 1], [2, 3]],
      lhs_dilate = [1, 2], rhs_dilate = [3, 1], reverse = [false, true]}
    {batch_group_count = 1 : i64, feature_group_count = 1 : i64}
    : (tensor<1x9x9x2xf32>, tensor<2x3x2x4xf32>) -> tensor<1x4x20x4xf32>
  %3 = "stablehlo.reduce_window"(%m, %z) ({
  ^bb0(%p: tensor<f32>, %q: tensor<f32>):
    %s = stablehlo.add %p, %q : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }) {window_dimensions = array<i64: 1, 2>, window_strides = array<i64: 1, 3>,
      padding = dense<[[0, 0], [1, 1]]> : tensor<2x2xi64>} : (tensor<2x6xf32>, tensor<f32>) -> tensor<2x3xf32>
  return
}
"""


def test_the_numbers_of_ops() -> None:
    body = parse(OPS).functions["main"].body
    assert body is not None
    general, dot, convolution, reduction, _ = body.ops
    assert dot_numbers(general) == DotNumbers((0,), (0,), (2,), (1,))
    assert dot_numbers(general).attribute == general.attributes["dot_dimension_numbers"]
    assert dot_numbers(dot) == matrix_dot(2)
    attributes = {name: plain(attribute) for name, attribute in convolution.attributes.items()}
    numbers = decode_convolution(attributes["dimension_numbers"])
    assert numbers.attribute == convolution.attributes["dimension_numbers"]
    window = convolution_window(attributes, [2, 3, 2, 4])
    assert window == decode_window([2, 3], [2, 1], [(0, 1), (2, 3)], [1, 2], [3, 1], [False, True])
    assert (window.low, window.high, window.interior) == ((0, 2), (1, 3), [0, 1])
    assert numbers.result_shape(1, 4, window.counts([9, 9])) == (1, 4, 20, 4)
    attributes = {name: plain(attribute) for name, attribute in reduction.attributes.items()}
    assert reduction_window(attributes, 2) == decode_window([1, 2], [1, 3], [(0, 0), (1, 1)])
    assert reduction_window({}, 2) == decode_window([1, 1])


@pytest.mark.parametrize(
    ("shapes", "expected"),
    [
        (([1, 3], [2, 3]), (2,)),
        (([2, 3], [1, 3]), (2,)),
        (([None, 3], [1, 3]), (None,)),
        (([1, 3], [None, 3]), (None,)),
        (([None, 3], [4, None]), (4,)),
    ],
)
def test_an_ellipsis_broadcasts(shapes: tuple[list[int | None], ...], expected: tuple[int | None, ...]) -> None:
    terms, result = einsum_terms("...a,...a->...", [2, 2])
    assert einsum_shape(terms, result, shapes) == expected


def test_a_label_has_one_size() -> None:
    terms, result = einsum_terms("aa,ab->b", [2, 2])
    assert einsum_shape(terms, result, [[3, None], [3, 4]]) == (4,)
    with pytest.raises(ValueError, match="label 'a' for dimensions of 3 and 1"):
        einsum_shape(terms, result, [[3, 1], [3, 4]])


def test_a_gather_and_the_scatter_that_writes_where_it_reads() -> None:
    """Batching dimension 0; windows of dimensions 1 and 3, which the result has last; index vectors stand first."""
    numbers = IndexNumbers((2, 3), (2,), (0,), (1,), (3, 2), 0)
    gather, scatter = numbers.gather_attribute, numbers.scatter_attribute
    assert gather.fields["start_index_map"] == scatter.fields["scatter_dims_to_operand_dims"] == [3, 2]
    assert decode_gather(gather.fields) == decode_scatter(scatter.fields) == numbers
    assert numbers.window(4) == (1, 3)
    assert numbers.batch_shape([2, 5, 6]) == (5, 6)
    assert numbers.result_shape([2, 5, 6], [7, None]) == (5, 6, 7, None)
    assert decode_gather({"offset_dims": [0]}).result_shape([3, 4], [8]) == (8, 4)
    assert IndexNumbers((0,), (1,), (), (), (1,), 1).result_shape([3], [8]) == (8, 3)
