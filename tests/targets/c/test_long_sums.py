"""Sums of many products are about as exact as those of few, whichever function computes them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from jax import export

import hlo2tiny

IMAGES = ("NHWC", "HWIO", "NHWC")


def convolve(x: Any, w: Any, groups: int = 1, layout: tuple[str, ...] = IMAGES) -> jax.Array:
    return jax.lax.conv_general_dilated(x, w, (1, 1), "VALID", dimension_numbers=layout, feature_group_count=groups)


def gradient(x: Any, of: Any) -> jax.Array:
    return jax.grad(lambda w: (convolve(x, w) * of).sum())(jnp.zeros((3, 3, x.shape[-1], of.shape[-1]), x.dtype))


def attend(q: Any, kv: Any) -> jax.Array:
    return jax.nn.dot_product_attention(q, kv, kv)


# What multiplies and adds up thousands of numbers, and the shapes of its arguments.
PROGRAMS: dict[str, tuple[Callable[..., Any], tuple[int, ...], tuple[int, ...]]] = {
    "windows": (convolve, (1, 6, 6, 2048), (3, 3, 2048, 24)),
    "windows of one": (convolve, (1, 9, 9, 9000), (1, 1, 9000, 24)),
    "few channels": (convolve, (1, 70, 70, 3), (64, 64, 3, 24)),
    "channels first": (lambda x, w: convolve(x, w, layout=("NCHW", "OIHW", "NCHW")), (1, 2048, 6, 6), (24, 2048, 3, 3)),
    "each channel": (lambda x, w: convolve(x, w, 64), (1, 100, 100, 64), (96, 96, 1, 64)),
    "a kernel's gradient": (gradient, (4, 66, 66, 4), (4, 64, 64, 8)),
    "attention": (attend, (1, 40, 1, 16), (1, 20000, 1, 16)),
    "attention of one": (attend, (1, 1, 1, 16), (1, 20000, 1, 16)),
    "a row": (lambda a, b: a @ b, (1, 20000), (20000, 40)),
    "columns": (lambda a, b: a @ b.T, (3, 20000), (40, 20000)),
    "a matrix and its transpose": (lambda a, b: a.T @ b, (20000, 20), (20000, 40)),
    "complex numbers": (lambda a, b: abs((a + 1j * a) @ (b - 1j * b)), (20, 20000), (20000, 40)),
}


@pytest.mark.parametrize("name", PROGRAMS)
def test_long_sums_are_exact(name: str) -> None:
    f, *shapes = PROGRAMS[name]
    random = np.random.RandomState(0)
    arguments = [random.random_sample(shape).astype(np.float32) for shape in shapes]
    exported = export.export(jax.jit(f))(*(jax.ShapeDtypeStruct(a.shape, a.dtype) for a in arguments))
    found = hlo2tiny.load(exported.mlir_module_serialized)(*arguments).numpy()
    with jax.enable_x64(True):
        expected = np.asarray(jax.jit(f)(*(a.astype(np.float64) for a in arguments)))
    # One chain of additions has an error of 1.4e-6 at 10,000 terms.
    assert np.sqrt(np.mean((found / expected - 1) ** 2)) < 4e-7
