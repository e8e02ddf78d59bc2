"""Properties of gradients through `Program.lazy`, on drawn numbers."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any

import jax
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from jax import export, lax
from tinygrad import Tensor

from hlo2tiny import Program, load

SHAPE = (2, 3)
# XLA takes subnormal numbers for zero.
floats = st.floats(-4, 4, width=32, allow_subnormal=False)
DOMAINS: dict[str, Callable[[np.ndarray], np.ndarray]] = {
    "real": lambda x: x,
    "nonzero": lambda x: np.where(x == 0, np.float32(1), x),
    "positive": lambda x: np.abs(x) + np.float32(0.25),
    "inside": lambda x: np.tanh(x) * np.float32(0.95),
}
UNARY: dict[str, tuple[Callable[..., Any], str]] = {
    "abs": (lax.abs, "nonzero"),
    "acosh": (lambda x: lax.acosh(x + 1), "positive"),
    "asin": (lax.asin, "inside"),
    "asinh": (lax.asinh, "real"),
    "atanh": (lax.atanh, "inside"),
    "cbrt": (lax.cbrt, "positive"),
    "cosh": (lax.cosh, "real"),
    "erf": (lax.erf, "real"),
    "exp": (lax.exp, "real"),
    "expm1": (lax.expm1, "real"),
    "floor": (lax.floor, "real"),
    "log": (lax.log, "positive"),
    "log1p": (lax.log1p, "positive"),
    "logistic": (lax.logistic, "real"),
    "relu": (jax.nn.relu, "real"),
    "rsqrt": (lax.rsqrt, "positive"),
    "sign": (lax.sign, "real"),
    "sin": (lax.sin, "real"),
    "sqrt": (lax.sqrt, "positive"),
    "tan": (lax.tan, "inside"),
    "tanh": (lax.tanh, "real"),
}
BINARY: dict[str, tuple[Callable[..., Any], str]] = {
    "add": (lax.add, "real"),
    "atan2": (lax.atan2, "positive"),
    "div": (lax.div, "positive"),
    "max": (lax.max, "real"),
    "min": (lax.min, "real"),
    "mul": (lax.mul, "real"),
    "pow": (lax.pow, "positive"),
    "sub": (lax.sub, "real"),
}


@cache
def program(name: str, count: int) -> Program:
    function, _ = (UNARY if count == 1 else BINARY)[name]
    x = np.zeros(SHAPE, np.float32)
    return load(export.export(jax.jit(function))(*[x] * count).mlir_module(), device="CPU")


def expect_gradient(name: str, function: Callable[..., Any], *values: np.ndarray) -> None:
    *xs, weights = values
    tensors = [Tensor(x) for x in xs]
    found = (program(name, len(xs)).lazy(*tensors) * Tensor(weights)).sum().gradient(*tensors)
    expected = jax.grad(lambda *a: (function(*a) * weights).sum(), tuple(range(len(xs))))(*xs)
    for f, e in zip(found, expected):
        np.testing.assert_allclose(f.numpy(), e, rtol=1e-4, atol=1e-5)


def draws(count: int) -> list[Any]:
    return [arrays(np.float32, SHAPE, elements=floats) for _ in range(count)]


@pytest.mark.sampled(8, ci=4)
@pytest.mark.parametrize("name", UNARY)
@given(*draws(2))
def test_of_one_number(name: str, x: np.ndarray, weights: np.ndarray) -> None:
    function, domain = UNARY[name]
    expect_gradient(name, function, DOMAINS[domain](x), weights)


@pytest.mark.parametrize("name", BINARY)
@given(*draws(3))
def test_of_two_numbers(name: str, x: np.ndarray, y: np.ndarray, weights: np.ndarray) -> None:
    function, domain = BINARY[name]
    expect_gradient(name, function, DOMAINS[domain](x), DOMAINS[domain](y), weights)


@given(*draws(3))
def test_gradients_are_linear_in_the_cotangent(x: np.ndarray, a: np.ndarray, b: np.ndarray) -> None:
    tensor = Tensor(x)
    y = program("tanh", 1).lazy(tensor)
    of_a, of_b, of_sum = (y.gradient(tensor, gradient=Tensor(c))[0].numpy() for c in (a, b, a + b))
    np.testing.assert_allclose(of_a + of_b, of_sum, rtol=1e-5, atol=1e-5)
