"""What a select discards adds nothing to a gradient, also where its slope is infinite."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from jax import lax

from derivatives.vjp import differentiated
from hlo2tiny.program import Program

X = np.array([-10, -3, -1e-3, 0, 1e-4, 0.5, 2, 10], np.float32)


def slopes(function: Callable[..., Any], x: np.ndarray) -> np.ndarray:
    module, _ = differentiated(function, [x])
    (found,) = Program(module, "CPU").numpy(x, np.ones_like(x))
    return found


def series(x: Any) -> Any:
    """Of 1/x², as erfc of large numbers has one: of small ones its terms overflow."""
    w = 1 / (x * x)
    return jnp.exp(-x * x) * (((w * 0.5 - 1) * w + 2) * w * w * w * w * w * w * w * w + 1) / jnp.abs(x)


@pytest.mark.parametrize("turned", [False, True])
def test_the_other_branch_is_infinite(turned: bool) -> None:
    def call(x: Any) -> Any:
        small = jnp.abs(x) < 4
        return jnp.where(~small, series(x), x * x) if turned else jnp.where(small, x * x, series(x))

    found = slopes(call, X)
    expected = np.where(np.abs(X) < 4, 2 * X, jax.vmap(jax.grad(series))(X))
    np.testing.assert_allclose(found, expected, rtol=1e-5, atol=1e-6)


def test_branches_inside_branches() -> None:
    """An inner select of what an outer one discards has an infinite slope in each of its branches."""

    def call(x: Any) -> Any:
        inner = jnp.where(x > 1, jnp.sqrt(x - 1) + x, jnp.log(x))
        return jnp.where(x > 0.1, inner * inner, 3 * x) + jnp.where(x < 0, x, jnp.sqrt(x) * 0)

    x = np.array([-1, 0, 1e-3, 0.5, 1, 2, 5], np.float32)
    found = slopes(call, x)
    big, log = x > 1, np.log(np.where(x > 0, x, 1))
    root = np.sqrt(np.where(big, x - 1, 1))
    inner = np.where(big, 2 * (root + x) * (0.5 / root + 1), 2 * log / np.where(x > 0, x, 1))
    with np.errstate(all="ignore"):
        expected = np.where(x > 0.1, inner, 3) + np.where(x < 0, 1, np.where(x == 0, np.nan, 0))
    np.testing.assert_allclose(found, expected, rtol=1e-5)


def test_a_condition_of_one_element() -> None:
    found = slopes(lambda x: jnp.where(x[0] < 0, x * 2, x + 1), X)
    np.testing.assert_array_equal(found, np.full_like(X, 2))


def test_a_mask_of_finite_slopes_is_not_applied_twice() -> None:
    """As that of an attention's scores, whose gradient has the form that targets know."""
    module, _ = differentiated(lambda x: lax.select(x > 0, x * 0.125, jnp.full_like(x, -1e9)), [X])
    assert str(module).count("stablehlo.select") == 1
