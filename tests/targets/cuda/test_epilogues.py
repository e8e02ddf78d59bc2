"""Which sums after matrix products become part of the product's call, and that numbers stay the same."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from jax import export, lax, nn
from targets.c.test_attention import numbers

import hlo2tiny
from hlo2tiny.plan import build
from hlo2tiny.plan.plan import Gemm, Kernels, Plan
from hlo2tiny.targets import TINYGRAD
from hlo2tiny.targets.cuda.epilogues import Sum, fuse
from hlo2tiny.targets.cuda.products import ProductSpec
from hlo2tiny.targets.cuda.specs import product_spec

X, W, B, R = numbers(2, 24, 32), numbers(32, 48), numbers(48), numbers(2, 24, 48)


def text_of(function: Callable[..., Any], arrays: tuple[np.ndarray, ...]) -> str:
    return str(export.export(jax.jit(function, keep_unused=True))(*arrays).mlir_module())


def mean(y: Any) -> Any:
    return y - y.mean(-1, keepdims=True)


# A function, what its product's call does after that, and how many regions stay.
CASES: dict[str, tuple[Callable[..., Any], str, int]] = {
    "bias": (lambda x, w, b, r: x @ w + b, "bias", 0),
    "bias on the left": (lambda x, w, b, r: b + x @ w, "bias", 0),
    "bias and matrix": (lambda x, w, b, r: r + (x @ w + b), "bias added", 0),
    "matrix": (lambda x, w, b, r: x @ w + r, "added", 0),
    "something after": (lambda x, w, b, r: mean(nn.relu(x @ w + b)), "bias relu", 1),
    "a sum that is read twice": (lambda x, w, b, r: (lambda y: (y, mean(y)))(x @ w + b + r), "bias added", 1),
    "another shape": (lambda x, w, b, r: (x @ w).reshape(48, 48) + b, "bias", 0),
    "a bias for each row": (lambda x, w, b, r: x @ w + r[0, :, :1], "", 1),
    "a product that is read twice": (lambda x, w, b, r: (lambda y: (y, y + b))(x @ w), "", 1),
    "a part of a bias": (lambda x, w, b, r: x @ w + jnp.tile(b[:24], 2), "", 1),
    "added to itself": (lambda x, w, b, r: (lambda y: y + y)(x @ w), "", 1),
    "zeros": (lambda x, w, b, r: jnp.maximum(0, x @ w), "relu", 0),
    "zeros after a bias and a matrix": (lambda x, w, b, r: nn.relu(x @ w + b + r), "bias added relu", 0),
    "zeros, then a bias": (lambda x, w, b, r: nn.relu(x @ w) + b, "relu", 1),
    "zeros, then bf16": (lambda x, w, b, r: nn.relu(x @ w).astype(jnp.bfloat16), "relu", 1),
    "zeros of bf16": (lambda x, w, b, r: nn.relu(x.astype(jnp.bfloat16) @ w.astype(jnp.bfloat16)), "relu", 1),
    "ones": (lambda x, w, b, r: jnp.maximum(x @ w, 1), "", 1),
    "zeros of a sum that is read twice": (lambda x, w, b, r: (lambda y: (nn.relu(y), y))(x @ w + b), "bias", 1),
}


def is_computed(step: Gemm) -> bool:
    return product_spec(step, "sm_90") is not None


def fused(text: str, computes: Callable[[Gemm], bool] = is_computed) -> tuple[Plan, Plan]:
    plan = build(hlo2tiny.parse(text), products=True, attention=True, neighbours=True)
    return plan, fuse(plan, computes)


@pytest.mark.sampled(2)
@pytest.mark.parametrize("name", CASES)
def test_numbers_are_those_of_the_plan_before(name: str) -> None:
    function, parts, regions = CASES[name]
    before, after = fused(text_of(function, (X, W, B, R)))
    (product,) = (s for s in after.main.steps if isinstance(s, Gemm))
    assert [name for name in ("bias", "added", "relu") if getattr(product, name, False)] == parts.split()
    assert sum(isinstance(s, Kernels) for s in after.main.steps) == regions
    found, expected = (TINYGRAD.compile(plan, "CPU", {}).run_numpy((X, W, B, R)) for plan in (after, before))
    for a, b in zip(found, expected, strict=True):
        np.testing.assert_allclose(a.astype(np.float32), b.astype(np.float32), rtol=1e-5, atol=1e-5)


def test_a_product_is_rounded_to_its_operands_type() -> None:
    def function(x: Any, w: Any) -> Any:
        return x.astype(jnp.bfloat16) @ w.astype(jnp.bfloat16)

    _, after = fused(text_of(function, (X[0], W)))
    (product,) = (s for s in after.main.steps if isinstance(s, Gemm))
    found = product_spec(product, "sm_90")
    assert isinstance(found, ProductSpec) and str(found) == "bf16 product 24x32x48 to bf16"


def test_what_the_library_refuses_stays_as_it_was() -> None:
    text = text_of(CASES["bias"][0], (X, W, B, R))
    before, after = fused(text, lambda step: not isinstance(step, Sum))
    assert after.main.steps == before.main.steps


def test_products_in_loops_and_branches_take_their_sums() -> None:
    def function(x: Any, w: Any, b: Any) -> Any:
        return lax.fori_loop(0, 3, lambda i, y: jnp.tanh(y @ w + b), x)

    arrays = numbers(24, 48), numbers(48, 48), B
    _, after = fused(text_of(function, arrays))
    assert [s.bias for block in after.blocks() for s in block.steps if isinstance(s, Sum)] == [True]


# Functions of two products of one matrix, what follows both, and how many regions there are before fusing and after.
PAIRS: dict[str, tuple[Callable[..., Any], tuple[int, int]]] = {
    "gated": (lambda x, v, w: nn.silu(x @ v) * (x @ w), (1, 1)),
    "one needs the other": (lambda x, v, w: x @ (nn.silu(x.T @ (x @ v)) + w), (1, 1)),
    "added": (lambda x, v, w: nn.silu(x @ v) + x @ w, (1, 1)),
    "one is added to the other": (lambda x, v, w: x @ v + x @ w, (1, 0)),
    "transposed": (lambda x, v, w: nn.silu(v.T @ x.T) * (w.T @ x.T), (1, 1)),
    "a bias for each": (lambda x, v, w: nn.silu(x @ v + v[0]) * (x @ w + w[0]), (1, 1)),
}


@pytest.mark.parametrize("name", PAIRS)
def test_products_of_one_matrix_follow_each_other(name: str) -> None:
    function, regions = PAIRS[name]
    x, v, w = numbers(24, 32), numbers(32, 48), numbers(32, 48)
    before, after = fused(text_of(function, (x, v, w)))
    counts = tuple(sum(isinstance(s, Kernels) for s in plan.main.steps) for plan in (before, after))
    assert counts == regions
    expected = function(x, v, w)
    for plan in (before, after):
        (found,) = TINYGRAD.compile(plan, "CPU", {}).run_numpy((x, v, w))
        np.testing.assert_allclose(found, expected, rtol=1e-4, atol=1e-4)


def test_both_are_rounded_to_their_operands_type() -> None:
    def function(x: Any, v: Any, w: Any) -> Any:
        x, v, w = (each.astype(jnp.bfloat16) for each in (x, v, w))
        return nn.silu(x @ v) * (x @ w)

    _, after = fused(text_of(function, (X[0], W, W)))
    found = [product_spec(s, "sm_90") for s in after.main.steps if isinstance(s, Gemm)]
    assert [str(each) for each in found] == ["bf16 product 24x32x48 to bf16"] * 2
