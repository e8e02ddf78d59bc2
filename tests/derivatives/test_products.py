from __future__ import annotations

from typing import Any

import jax.numpy as jnp
import ml_dtypes
import numpy as np
import pytest
from jax import lax

from derivatives.vjp import check, normal


@pytest.mark.parametrize(
    ("formula", "left", "right"),
    [
        ("ij,jk->ik", (2, 3), (3, 4)),
        ("i,i->", (5,), (5,)),
        ("bhqd,bkhd->bhqk", (2, 3, 4, 5), (2, 6, 3, 5)),
        ("abc,cab->", (2, 3, 4), (4, 2, 3)),
        ("ij,kl->iljk", (2, 3), (2, 3)),
        ("abcd,dcbe->bae", (2, 3, 4, 5), (5, 4, 3, 2)),
    ],
)
def test_dot_general(formula: str, left: tuple[int, ...], right: tuple[int, ...]) -> None:
    check(lambda a, b: jnp.einsum(formula, a, b), normal(*left), normal(*right))


def test_dot_of_complex_numbers() -> None:
    check(jnp.matmul, normal(2, 3, dtype=np.complex64), normal(3, 4, dtype=np.complex64))


def test_dot_of_narrow_floats_with_a_wide_result() -> None:
    a, b = (normal(*shape, dtype=ml_dtypes.bfloat16) for shape in ((4, 3), (3, 6)))
    check(lambda a, b: lax.dot(a, b, preferred_element_type=jnp.float32), a, b, tolerance=1e-2)


CONVOLUTIONS: list[dict[str, Any]] = [
    {},
    {"window_strides": (2, 3)},
    {"padding": "VALID", "window_strides": (2, 1), "rhs_dilation": (2, 3)},
    {"padding": [(2, 1), (1, 3)], "lhs_dilation": (2, 3)},
    {"padding": [(-1, 2), (1, -2)], "window_strides": (2, 2)},
    {"feature_group_count": 3, "padding": [(0, 2), (1, 0)], "window_strides": (2, 1), "lhs_dilation": (1, 2)},
    {"feature_group_count": 6, "rhs_dilation": (1, 2)},
    {"batch_group_count": 2, "window_strides": (2, 1)},
]


@pytest.mark.sampled(3)
@pytest.mark.parametrize("how", CONVOLUTIONS, ids=str)
def test_convolution(how: dict[str, Any]) -> None:
    how = {"window_strides": (1, 1), "padding": "SAME"} | how
    groups = how.get("feature_group_count", 1)
    layout = ("NHWC", "HWIO", "NHWC")
    check(
        lambda x, w: lax.conv_general_dilated(x, w, dimension_numbers=layout, **how),
        normal(4, 9, 11, 6),
        normal(3, 2, 6 // groups, 6),
        tolerance=1e-4,
    )


def test_convolution_in_another_layout_and_dimension() -> None:
    check(lambda x, w: lax.conv(x, w, (2,), "SAME"), normal(2, 3, 8), normal(5, 3, 4))
    check(lambda x, w: lax.conv_transpose(x, w, (2, 2), "SAME"), normal(2, 4, 5, 3), normal(3, 3, 3, 2))


def test_fourier_transforms() -> None:
    z = normal(4, 6, dtype=np.complex64)
    check(lambda z: (jnp.fft.fft2(z), jnp.fft.ifft(z), jnp.fft.irfft2(z), jnp.fft.irfft(z, 9)), z, tolerance=1e-4)
    check(lambda x: (jnp.fft.rfft2(x), jnp.fft.rfft(x[:, :5])), normal(4, 6), tolerance=1e-4)
