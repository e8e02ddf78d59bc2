"""Places of the largest and smallest numbers are reductions of integers, which hold a number and its place."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import jax
import jax.numpy as jnp
import ml_dtypes
import numpy as np
import pytest
from jax import lax
from test_emulation import emulator

SPECIAL = [np.nan, -np.nan, np.inf, -np.inf, -0.0, 0.0, 1.0, -1.0, 1.0, 2.0**-140]
TYPES = np.float32, ml_dtypes.bfloat16, np.float16, np.int8, np.int16, np.int32, np.uint8, np.uint16, np.uint32


def numbers(dtype: Any, *shape: int) -> np.ndarray:
    random = np.random.default_rng(0)
    if np.dtype(dtype).kind in "iu":
        info = np.iinfo(dtype)
        return random.choice([info.min, info.max, 0, 1, 5], shape).astype(dtype)
    return random.choice(SPECIAL, shape).astype(dtype)


def run_on(function: Callable[..., Any], arrays: list[np.ndarray], folder: Path) -> tuple[list[str], list[np.ndarray]]:
    """The names of the kernels, and the results."""
    executable, run = emulator(jax.export.export(jax.jit(function))(*arrays).mlir_module(), folder)
    return [name for kernel in executable.kernels for name in kernel.name.split("+")], run(arrays)


@pytest.mark.parametrize("dtype", TYPES)
@pytest.mark.parametrize("x64", [False, True])
def test_places_of_all_types(dtype: Any, x64: bool, tmp_path: Path) -> None:
    function = lambda x: [f(x, axis) for f in (jnp.argmax, jnp.argmin) for axis in (0, 1, None)]
    x = numbers(dtype, 12, 70)
    with jax.enable_x64(x64):
        names, found = run_on(function, [x], tmp_path)
        expected = jax.jit(function)(x)
    assert "reduce" not in names
    for a, b in zip(found, expected, strict=True):
        np.testing.assert_array_equal(a, b)
        assert a.dtype == b.dtype


@pytest.mark.parametrize("filler", [np.nan, -np.inf, np.inf, -0.0])
def test_equal_numbers_give_the_first_place(filler: float, tmp_path: Path) -> None:
    x = np.full((3, 300), filler, np.float32)
    x[1, 200:] = 1
    function = lambda x: (jnp.argmax(x, 1), jnp.argmin(x, 1))
    _, found = run_on(function, [x], tmp_path)
    for a, b in zip(found, jax.jit(function)(x), strict=True):
        np.testing.assert_array_equal(a, b)


def reduced(body: Callable[..., Any], first: float = -np.inf) -> Callable[[Any], Any]:
    """The second result of a reduction of numbers and their places."""

    def function(x: Any) -> Any:
        places = lax.broadcasted_iota(np.int32, x.shape, 1)
        return lax.reduce((x, places), (np.asarray(first, x.dtype), np.int32(0)), body, (1,))[1]

    return function


def last(a: Any, b: Any) -> Any:
    (x, i), (y, j) = a, b
    is_left = x > y
    return jnp.where(is_left, x, y), jnp.where(is_left, i, j)


def least(a: Any, b: Any) -> Any:
    """As others write it: with the smaller place of equal numbers."""
    (x, i), (y, j) = a, b
    is_left = x <= y
    place = jnp.where(x == y, jnp.minimum(i, j), jnp.where(is_left, i, j))
    return jnp.where(is_left, x, y), place


def limited(a: Any, b: Any) -> Any:
    """Numbers above 100 are ignored, which no small number tells."""
    (x, i), (y, j) = a, b
    is_left = (x > y) & (x < 100)
    return jnp.where(is_left, x, y), jnp.where(is_left, i, j)


@pytest.mark.parametrize("body, is_known", [(last, True), (least, True), (limited, False)])
def test_spellings(body: Any, is_known: bool, tmp_path: Path) -> None:
    x = np.random.default_rng(0).integers(0, 9, (5, 80)).astype(np.int32)
    names, (found,) = run_on(reduced(body, 99 if body is least else -1), [x], tmp_path)
    assert ("reduce" not in names) is is_known
    expected = x.argmin(1) if body is least else 79 - x[:, ::-1].argmax(1)
    np.testing.assert_array_equal(found, expected)


def test_bodies_in_which_nan_is_not_first_stay(tmp_path: Path) -> None:
    x = np.random.default_rng(0).random((5, 80)).astype(np.float32)
    names, (found,) = run_on(reduced(last), [x], tmp_path)
    assert "reduce" in names
    np.testing.assert_array_equal(found, x.argmax(1))


def test_numbers_that_are_read_stay(tmp_path: Path) -> None:
    """The sign of zero and the bits of NaN would be lost."""

    def function(x: Any) -> Any:
        pick = lambda a, b: tuple(jnp.where((a[0] > b[0]) | (a[0] != a[0]), p, q) for p, q in zip(a, b))
        places = lax.broadcasted_iota(np.int32, x.shape, 1)
        return lax.reduce((x, places), (np.float32(-np.inf), np.int32(0)), pick, (1,))

    x = numbers(np.float32, 5, 80)
    names, found = run_on(function, [x], tmp_path)
    assert "reduce" in names and len(found) == 2


def test_numbers_are_computed_where_they_are_compared(tmp_path: Path) -> None:
    random = np.random.default_rng(0)
    x, y = (random.random((n, 3)).astype(np.float32) for n in (200, 40))
    function = lambda x, y: jnp.argmin(((x[:, None] - y) ** 2).sum(-1), 1)
    names, (found,) = run_on(function, [x, y], tmp_path)
    assert len(names) == 1
    np.testing.assert_array_equal(found, ((x[:, None] - y) ** 2).sum(-1).argmin(1))
