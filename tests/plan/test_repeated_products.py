"""Dots along whose batch an operand repeats matrices multiply these once, or with the rows of several others."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from test_recomputing import plan_of

import hlo2tiny
from hlo2tiny.plan.plan import Gemm

B, G, R, M, N, K = 3, 2, 4, 24, 20, 16
Function = Callable[[jax.Array, jax.Array], jax.Array]


def repeat(x: jax.Array, axis: int = 1) -> jax.Array:
    return jnp.repeat(x, R, axis)


def as_heads(x: jax.Array) -> jax.Array:
    """Chunks of a sequence, whose heads each have the matrix of their group."""
    return repeat(x, 2).reshape(B, 2, M // 2, G * R, K)


def split_heads(x: jax.Array) -> jax.Array:
    return x.reshape(B, G, R, M, K).reshape(B, G * R, M, K)


# For each function the shapes of its operands, and its product: the batch, rows and columns.
ONCE: dict[str, tuple[Function, tuple[int, ...], tuple[int, ...], tuple[tuple[int, ...], int, int]]] = {
    "both": (lambda x, y: repeat(x) @ repeat(y), (B, G, M, K), (B, G, K, N), ((B, G), M, N)),
    "heads of both": (
        lambda x, y: jnp.einsum("bclhk,bcshk->bchls", as_heads(x), as_heads(y)),
        (B, M, G, K), (B, M, G, K), ((B, G, 2), M // 2, M // 2),
    ),
    "all of both": (
        lambda x, y: jnp.broadcast_to(x, (B, M, K)) @ jnp.broadcast_to(y, (B, K, N)), (M, K), (K, N), ((), M, N),
    ),
    "matrices with all rows": (lambda x, y: x @ jnp.broadcast_to(y, (B, K, N)), (B, M, K), (K, N), ((), B * M, N)),
    "rows of a group": (lambda x, y: x @ repeat(y), (B, G * R, M, K), (B, G, K, N), ((B, G), R * M, N)),
    "twice": (lambda x, y: repeat(x) @ repeat(repeat(y)), (B, G * R, M, K), (B, G, K, N), ((B, G), R * M, N)),
    "narrow": (
        lambda x, y: x @ repeat(y.astype(jnp.bfloat16)).astype(jnp.float32),
        (B, G * R, M, K), (B, G, K, N), ((B, G), R * M, N),
    ),
}  # fmt: skip
# Those that would need a copy, or that repeat nothing.
AS_BEFORE: dict[str, tuple[Function, tuple[int, ...], tuple[int, ...], tuple[tuple[int, ...], int, int]]] = {
    "columns of a group": (lambda x, y: repeat(x) @ y, (B, G, M, K), (B, G * R, K, N), ((B, G * R), M, N)),
    "rows between": (
        lambda x, y: jnp.einsum("bmhk,bhkn->bhmn", x, repeat(y)),
        (B, M, G * R, K), (B, G, K, N), ((B, G * R), M, N),
    ),
    "another order": (
        lambda x, y: x @ jnp.tile(y, (1, R, 1, 1)), (B, G * R, M, K), (B, G, K, N), ((B, G * R), M, N),
    ),
    "matrices of a group in turn": (
        lambda x, y: jnp.einsum("hbmk,hbkn->hbmn", x, repeat(y, 0)),
        (G * R, B, M, K), (G, B, K, N), ((G * R, B), M, N),
    ),
}  # fmt: skip


def products_of(function: Function, shapes: Any, device: str) -> list[tuple[tuple[int, ...], int, int]]:
    products = [s.product for s in plan_of(function, shapes, device).main.steps if isinstance(s, Gemm)]
    return [(tuple(n for n in p.batch if n > 1), p.m, p.n) for p in products]


@pytest.mark.parametrize("device", ["CPU", "CUDA"])
@pytest.mark.parametrize("name", [*ONCE, *AS_BEFORE])
def test_repeated_matrices_are_multiplied_once(name: str, device: str) -> None:
    function, x, y, (batch, m, n) = (ONCE | AS_BEFORE)[name]
    (found,) = products_of(function, (x, y), device)
    assert (sorted(found[0]), found[1] * found[2]) == (sorted(batch), m * n)


@pytest.mark.parametrize("name", [*ONCE, *AS_BEFORE])
def test_the_results_are_the_same(name: str) -> None:
    function, *shapes, _ = (ONCE | AS_BEFORE)[name]
    random = np.random.default_rng(0)
    x, y = (random.integers(-3, 4, shape).astype(np.float32) for shape in shapes)
    text = str(jax.export.export(jax.jit(function))(x, y).mlir_module())
    (found,) = hlo2tiny.load(text, "CPU").numpy(x, y)
    np.testing.assert_array_equal(found, function(x, y))
