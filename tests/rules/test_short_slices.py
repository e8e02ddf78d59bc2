"""Gathers of short slices are expressions on a CPU: kernels that need their elements compute where these lie."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest

import hlo2tiny
from hlo2tiny.targets.c.render import render_region

RANDOM = np.random.default_rng(0)
POINTS = 40


def kernels_of(program: hlo2tiny.Program) -> list[str]:
    return [kernel.facts.name for step in program.plan.kernels() for kernel in render_region(step).kernels]


def compiled(function: Callable[..., Any], *arrays: np.ndarray) -> tuple[hlo2tiny.Program, np.ndarray, np.ndarray]:
    """A function's program, its result and XLA's."""
    with jax.enable_x64(any(x.dtype.itemsize == 8 and x.dtype.kind != "c" for x in arrays)):
        text = jax.export.export(jax.jit(function), platforms=["cpu"])(*arrays).mlir_module()
        expected = np.asarray(jax.jit(function)(*arrays))
    program = hlo2tiny.load(text, "CPU")
    return program, np.asarray(program.numpy(*arrays)[0], expected.dtype), expected


def bilinear(image: jax.Array, points: jax.Array) -> jax.Array:
    low = jnp.floor(points).astype(int)
    up, right = jnp.moveaxis(points - low, -1, 0)
    (y, x), (height, width) = jnp.moveaxis(low, -1, 0), image.shape

    def at(y: jax.Array, x: jax.Array) -> jax.Array:
        return image[jnp.clip(y, 0, height - 1), jnp.clip(x, 0, width - 1)]

    above = (1 - right) * at(y, x) + right * at(y, x + 1)
    return (1 - up) * above + up * ((1 - right) * at(y + 1, x) + right * at(y + 1, x + 1))


def noise(table: jax.Array, slopes: jax.Array, points: jax.Array) -> jax.Array:
    """Perlin's, of one dimension less: numbers at numbers at numbers."""
    cell = jnp.floor(points).astype(int)
    first, second = (table[(table[cell & 15] + i) & 15] for i in (0, 1))
    return jnp.sum(slopes[first & 3] * (points - cell)[:, None] - slopes[second & 3], 1)


@pytest.mark.parametrize("dtype", ["float32", "float64", "bfloat16"])
def test_samples_of_an_image_take_one_kernel(dtype: str) -> None:
    image = RANDOM.standard_normal((9, 7)).astype(jnp.dtype(dtype))
    points = RANDOM.uniform(-2, 9, (POINTS, 2)).astype(jnp.dtype(dtype))
    program, found, expected = compiled(bilinear, image, points)
    assert len(kernels_of(program)) == 1
    tolerance = {"float32": 1e-5, "float64": 1e-13, "bfloat16": 0.1}[dtype]  # XLA does not round between two ops
    np.testing.assert_allclose(found.astype(float), expected.astype(float), atol=tolerance, rtol=0)


@pytest.mark.parametrize("mode", ["clip", "fill"])
@pytest.mark.parametrize("dtype", ["float32", "float64", "bfloat16", "complex64"])
@pytest.mark.parametrize("features_last", [False, True])
def test_samples_of_all_features_of_an_image(features_last: bool, dtype: str, mode: str) -> None:
    """Features that are apart are read one by one, and where a point lies is computed once for all of them."""
    image = RANDOM.standard_normal((9, 7, 30) if features_last else (30, 9, 7)).astype(jnp.dtype(dtype))
    points = RANDOM.integers(-12, 12, (2, 3, POINTS)).astype("int32")

    def function(image: jax.Array, points: jax.Array) -> jax.Array:
        def at(y: jax.Array, x: jax.Array) -> jax.Array:
            places = (y, x) if features_last else (slice(None), y, x)
            return image.at[places].get(mode=mode, fill_value=3)

        return sum(at(*points[:, n]) for n in range(3))

    program, found, expected = compiled(function, image, points)
    assert "gather" not in " ".join(kernels_of(program))
    kind = complex if dtype == "complex64" else float
    np.testing.assert_allclose(found.astype(kind), expected.astype(kind), rtol=2e-2 if dtype == "bfloat16" else 1e-6)


@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_chains_of_lookups_are_inside_of_what_reads_them(dtype: str) -> None:
    table, slopes = RANDOM.permutation(16).astype("int32"), RANDOM.standard_normal((4, 2)).astype(dtype)
    program, found, expected = compiled(noise, table, slopes, RANDOM.uniform(-20, 20, POINTS).astype(dtype))
    assert len(kernels_of(program)) == 1
    np.testing.assert_allclose(found, expected, rtol=1e-5)


@pytest.mark.parametrize("mode", ["clip", "fill"])
@pytest.mark.parametrize("index", ["int8", "uint8", "int32", "uint32", "int64", "uint64"])
@pytest.mark.parametrize(("dtype", "length"), [("float32", 1), ("complex64", 3), ("bool", 8), ("int16", 9)])
@pytest.mark.sampled(4)
def test_indices_of_all_types_are_clamped(dtype: str, length: int, index: str, mode: str) -> None:
    """Slices of nine elements are not short."""
    table = (RANDOM.standard_normal((11, length)) * 9).astype(dtype)
    limits = np.iinfo(index)
    places = np.array([limits.min, limits.max, 0, 10, 11, 5, 12], index)

    def function(table: jax.Array, places: jax.Array) -> jax.Array:
        rows = table.at[places].get(mode=mode)
        return rows == rows[::-1]

    program, found, expected = compiled(function, table, places)
    np.testing.assert_array_equal(found, expected)
    assert ("gather" in " ".join(kernels_of(program))) == (length > 8)


def test_what_is_read_is_computed_first() -> None:
    def function(x: jax.Array, y: jax.Array, i: jax.Array) -> jax.Array:
        rows = jnp.exp(x)
        return rows[i, 0] * rows[i, 1] + y

    x, y = RANDOM.standard_normal((6, 2)).astype("f"), RANDOM.standard_normal(POINTS).astype("f")
    program, found, expected = compiled(function, x, y, RANDOM.integers(-6, 6, POINTS).astype("int32"))
    assert len(kernels_of(program)) == 2
    np.testing.assert_allclose(found, expected, rtol=1e-5)


def test_elements_that_are_needed_many_times_are_stored() -> None:
    def function(x: jax.Array, i: jax.Array) -> jax.Array:
        taken = x[i]
        return jnp.abs(taken[:, None] - taken).sum(1)

    x, i = RANDOM.standard_normal(500).astype("f"), RANDOM.integers(0, 500, 300).astype("int32")
    program, found, expected = compiled(function, x, i)
    assert len(kernels_of(program)) == 2
    np.testing.assert_allclose(found, expected, rtol=1e-5)


def test_batches_of_lookups() -> None:
    table, places = RANDOM.standard_normal((5, 7, 3)).astype("f"), RANDOM.integers(-9, 9, (5, POINTS)).astype("int32")
    program, found, expected = compiled(lambda x, i: jax.vmap(lambda x, i: x[i] * 2)(x, i), table, places)
    assert len(kernels_of(program)) == 1
    np.testing.assert_array_equal(found, expected)
