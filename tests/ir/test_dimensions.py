"""The numbers of dots, convolutions, windows and einsums, compared with what numpy and plain loops say."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from hlo2tiny.ir.dimensions import decode_convolution, decode_dot, decode_window, einsum_shape, einsum_terms, matrix_dot

sizes = st.integers(0, 6)


@given(sizes, sizes, st.integers(1, 3), st.integers(1, 3), st.integers(1, 3), st.integers(-3, 4), st.integers(-3, 4))
def test_counts_are_those_of_windows_that_fit(
    size: int, window: int, stride: int, base: int, dilation: int, low: int, high: int
) -> None:
    """The places at which a window starts and ends within the padded, dilated dimension."""
    found = decode_window([window], [stride], [(low, high)], [base], [dilation]).counts([size])
    padded = len(range((size - 1) * base + 1)) * (size > 0) + low + high
    last = (window - 1) * dilation if window else -1
    starts = [start for start in range(0, max(padded, 0), stride) if start + last < padded]
    if window:
        assert found == (len(starts),)
    else:  # an empty window fits once more: behind the last element
        assert found == (padded // stride + 1 if padded > 0 else 0,)


def test_windows_that_are_left_out() -> None:
    assert decode_window([2, 3]) == decode_window([2, 3], [1, 1], np.zeros((2, 2)), [1, 1], [1, 1])
    assert decode_window([2, 3], []).counts([4, None]) == (3, None)
    assert decode_window([]).counts([]) == ()


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
