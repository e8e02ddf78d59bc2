"""Kernels that run one after the other for a few rows at a time."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest

import hlo2tiny
from hlo2tiny.targets.c.chains import chains_of
from hlo2tiny.targets.c.kernels import RenderedKernel
from hlo2tiny.targets.c.products import consumer


def layer_norm(x: jax.Array) -> jax.Array:
    wide = x.astype(jnp.float32)
    mean = wide.mean(-1, keepdims=True)
    return ((wide - mean) * jax.lax.rsqrt(wide.var(-1, keepdims=True) + 1e-5)).astype(x.dtype)


def differences(x: jax.Array) -> jax.Array:
    """The second kernel reads what all rows of the first one write."""
    return jnp.exp(x - x.max(1)).sum(1)


@pytest.mark.sampled(3)
@pytest.mark.parametrize("dtype", ["float32", "float16", "float64"])
@pytest.mark.parametrize(
    ("function", "shape", "longest"),
    [
        (jax.nn.softmax, (131, 1030), 4),
        (layer_norm, (131, 1030), 3),
        (lambda x: ((x - x.max(0)) ** 2).sum(0), (16, 5003), 2),
        (lambda x: jax.nn.softmax(x, 1), (3, 40, 301), 1),
        (differences, (320, 320), 1),
        (lambda x: jax.nn.softmax(x.T @ x + x, 0), (256, 256), 1),
    ],
)
def test_rows_stay_in_a_cache(
    function: Callable[..., Any], shape: tuple[int, ...], longest: int, dtype: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HLO2TINY_CACHE", "off")
    x = np.random.default_rng(0).standard_normal(shape).astype(dtype)
    with jax.enable_x64(True):
        text = jax.jit(function).lower(x).as_text()
    lengths = list[int]()

    def recorded(kernels: Sequence[RenderedKernel], *about: Any) -> list[Sequence[RenderedKernel]]:
        chains = chains_of(kernels, *about)
        lengths.extend(map(len, chains))
        return chains

    monkeypatch.setattr("hlo2tiny.targets.c.driver.chains_of", recorded)
    together = [hlo2tiny.load(text, "CPU", threads=threads).numpy(x)[0] for threads in (1, 3)]
    monkeypatch.setattr("hlo2tiny.targets.c.driver.chains_of", lambda kernels, *about: [*zip(kernels)])
    (apart,) = hlo2tiny.load(text, "CPU", threads=2).numpy(x)
    assert {each.tobytes() for each in together} == {apart.tobytes()}
    assert max(lengths) == longest


@pytest.mark.sampled(3)
@pytest.mark.parametrize(
    ("spelling", "shapes", "dtype"),
    [
        ("bmk,bnk->bmn", ((17, 100, 9), (17, 50, 9)), jnp.bfloat16),
        ("mk,kn->mn", ((5000, 63), (63, 68)), "float16"),
        ("bmk,bkn->bmn", ((15, 200, 9), (15, 9, 40)), "float32"),
    ],
)
def test_kernels_of_elements_read_the_rows_of_a_product_as_it_proceeds(
    spelling: str, shapes: tuple[tuple[int, ...], ...], dtype: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Results of narrow types were stored in f32 first, and so were those of batches."""
    monkeypatch.setenv("HLO2TINY_CACHE", "off")
    rng = np.random.default_rng(0)
    x, y = (rng.integers(-4, 5, shape).astype(dtype) for shape in shapes)
    function = lambda x, y: jax.nn.relu(jnp.einsum(spelling, x, y))
    text, consumed = jax.jit(function).lower(x, y).as_text(), list[int]()

    def recorded(*about: Any) -> tuple[int, int]:
        consumed.append(1)
        return consumer(*about)

    monkeypatch.setattr("hlo2tiny.targets.c.driver.consumer", recorded)
    expected = np.asarray(function(x.astype(np.float32), y.astype(np.float32)))  # which is exact
    for threads in (1, 3):
        (found,) = hlo2tiny.load(text, "CPU", threads=threads).numpy(x, y)
        np.testing.assert_array_equal(found.astype(np.float32), expected)
    assert consumed
