from __future__ import annotations

from collections.abc import Callable
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from jax import lax

from gradient.vjp import check, differentiated, normal
from hlo2tiny import UnsupportedOp

ZEROS = np.array([[1, 2, 0], [0, 0, 3], [1, 2, 3], [0, 0, 0]], np.float32)


def test_sums() -> None:
    check(lambda x, z: (x.sum(), x.mean(1), z.sum(0)), normal(3, 4), normal(3, 4, dtype=np.complex64))


def test_products_with_zeros() -> None:
    check(lambda x: jnp.prod(x, 1), ZEROS)


def test_extremes_with_ties() -> None:
    check(lambda x: (x.max(1), x.min(0), jnp.max(x, initial=5.0)), ZEROS)


def test_softmax_and_its_kin() -> None:
    check(lambda x: (jax.nn.softmax(x), jax.nn.log_softmax(x, 0), jax.nn.logsumexp(x, 1)), normal(4, 7))


def test_what_a_choice_was_made_by_has_no_gradient() -> None:
    check(lambda x: x[jnp.argmax(x)] * jnp.argmin(x), normal(5))


@pytest.mark.parametrize("padding", ["SAME", "VALID"])
def test_pooling(padding: str) -> None:
    window: tuple[Any, ...] = ((1, 3, 2, 1), (1, 2, 2, 1), padding)
    check(lambda x: lax.reduce_window(x, 0.0, lax.add, *window), normal(2, 9, 8, 3))
    check(lambda x: lax.reduce_window(x, -jnp.inf, lax.max, *window), normal(2, 9, 8, 3))
    check(lambda x: lax.reduce_window(x, jnp.inf, lax.min, *window), normal(2, 9, 8, 3))


def test_dilated_windows() -> None:
    check(lambda x: lax.reduce_window(x, 0.0, lax.add, (3, 2), (2, 1), [(1, 2), (0, 3)], (2, 1), (1, 3)), normal(6, 7))


@pytest.mark.parametrize("function", [jnp.cumsum, lax.cummax, lax.cummin])
def test_running(function: Callable[..., Any]) -> None:
    check(function, normal(9))
    check(lambda x: function(x[:, ::-1], axis=1), normal(3, 4))


def test_a_reduction_by_its_own_function_is_named() -> None:
    with pytest.raises(
        UnsupportedOp, match=r":\d+:\d+: stablehlo.reduce: has no gradient here: .* function of its own"
    ):
        differentiated(lambda x: lax.reduce(x, 0.0, lambda a, b: a + b * b, (0,)), [normal(4)])
