"""The functions of f32 that GPUs compute in f32, although elementary.c has them in double for processors."""

from __future__ import annotations

from pathlib import Path

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from test_emulation import emulator

# In units of the last place; docs/guides/numbers.md says 2.
MOST = {"sin": 1.0, "cos": 1.0, "expm1": 1.3, "log1p": 1.0, "arctan": 1.0}
SPECIAL = [0.0, -0.0, np.inf, -np.inf, np.nan, 1e-45, -1e-45, -1.0, -2.0, 88.8, -104.0, 3e38, -0.99999994, 32768, 1e7]


def points(random: np.random.Generator, count: int = 20_000) -> np.ndarray:
    """Numbers of all sizes, near 0, around multiples of ½π, and where functions end."""
    turns = (np.arange(count) * (np.longdouble(np.pi) / 2)).astype(np.float32)
    any_bits = random.integers(0, 1 << 32, count, np.uint64).astype(np.uint32).view(np.float32)
    drawn = [random.uniform(-size, size, count) for size in (1e-2, 1, 4, 90, 33000)]
    edges = [np.nextafter(turns, np.float32(end)) for end in (-np.inf, np.inf)]
    near = np.concatenate([SPECIAL, *drawn, random.uniform(-1, -0.99, count)]).astype(np.float32)
    return np.concatenate([near, any_bits, turns, *edges])


@pytest.mark.parametrize("name", MOST)
def test_functions_of_f32_need_no_doubles(name: str, tmp_path: Path) -> None:
    x = points(np.random.default_rng(0))
    text = jax.export.export(jax.jit(getattr(jnp, name)))(x).mlir_module()
    executable, run = emulator(text, tmp_path)
    assert any(kernel.calls for kernel in executable.kernels)
    (found,) = run([x])
    with np.errstate(all="ignore"):
        exact = getattr(np, name)(x.astype(np.longdouble))
        expected = exact.astype(np.float32)
    regular = np.isfinite(expected)
    np.testing.assert_array_equal(found[~regular], expected[~regular])
    zero = expected == 0
    np.testing.assert_array_equal(np.signbit(found[zero]), np.signbit(expected[zero]))
    units = np.spacing(np.maximum(np.abs(expected[regular]), np.finfo(np.float32).tiny))
    errors = np.abs(found[regular].astype(np.longdouble) - exact[regular]) / units
    worst = int(np.argmax(errors))
    assert errors[worst] <= MOST[name], (x[regular][worst], found[regular][worst], expected[regular][worst])


def test_angles_need_no_doubles(tmp_path: Path) -> None:
    """Of points anywhere, on the axes and diagonals, and of infinite and subnormal numbers."""
    random = np.random.default_rng(2)
    y, x = points(random), random.permutation(points(random))
    x[::3] = (y * random.uniform(-3, 3, len(y)).astype(np.float32))[::3]
    x[1::7] = y[1::7]
    x[: len(SPECIAL) ** 2], y[: len(SPECIAL) ** 2] = (g.reshape(-1) for g in np.meshgrid(SPECIAL, SPECIAL))
    text = jax.export.export(jax.jit(jnp.arctan2))(y, x).mlir_module()
    executable, run = emulator(text, tmp_path)
    assert all(kernel.calls for kernel in executable.kernels)
    (found,) = run([y, x])
    exact = np.arctan2(y.astype(np.longdouble), x.astype(np.longdouble))
    expected = exact.astype(np.float32)
    np.testing.assert_array_equal(np.isnan(found), np.isnan(expected))
    known = ~np.isnan(expected)
    np.testing.assert_array_equal(np.signbit(found[known]), np.signbit(expected[known]))
    units = np.spacing(np.maximum(np.abs(expected[known]), np.finfo(np.float32).tiny))
    assert np.max(np.abs(found[known].astype(np.longdouble) - exact[known]) / units) <= 1


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_remainders_are_exact(dtype: type, tmp_path: Path) -> None:
    """Of any sizes, of quotients that are nearly whole numbers, and by one number, by a function of a few steps."""
    random, bits = np.random.default_rng(1), np.dtype(f"u{np.dtype(dtype).itemsize}")
    x, y = (np.frombuffer(random.bytes(60_000 * bits.itemsize), dtype).copy() for _ in range(2))
    y[20_000:40_000] = np.maximum(np.abs(x[20_000:40_000]), 1e-30) * random.uniform(1e-7, 2, 20_000)
    x[40_000:] = y[40_000:] * random.integers(1, 1 << 20, 20_000)
    x[: len(SPECIAL) ** 2], y[: len(SPECIAL) ** 2] = (g.reshape(-1) for g in np.meshgrid(SPECIAL, SPECIAL))
    with jax.enable_x64(True):
        text = jax.export.export(jax.jit(lambda x, y: [jax.lax.rem(x, y), jax.lax.rem(x, dtype(160))]))(
            x, y
        ).mlir_module()
    executable, run = emulator(text, tmp_path)
    assert all("remainder_" in kernel.body for kernel in executable.kernels)
    with np.errstate(all="ignore"):
        for found, expected in zip(run([x, y]), (np.fmod(x, y), np.fmod(x, dtype(160))), strict=True):
            np.testing.assert_array_equal(found, expected)
            is_zero = expected == 0
            np.testing.assert_array_equal(np.signbit(found[is_zero]), np.signbit(expected[is_zero]))
