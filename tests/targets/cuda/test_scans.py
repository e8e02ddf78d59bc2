"""Cumulative ops by any associative function, along any dimension, on CUDA: the folds of all prefixes, in order."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import Any

import jax
import jax.numpy as jnp
import ml_dtypes
import numpy as np
import pytest
from jax import lax
from test_emulation import emulator
from test_executable import emitted
from test_shared_reductions import check, text_of

from hlo2tiny.rules import scans
from hlo2tiny.targets.cuda.render import REGIONS

# Of the last dimension, the first one, and between: short rows, several of a group; tiles; neighbouring columns.
SHAPES = [
    ((70, 20), 1), ((3, 70), 1), ((2, 5000), 1), ((1, 40_001), 1), ((33, 3), 0), ((130, 7), 0), ((2, 600, 3), 1),
    ((40, 9), 0), ((3, 100, 40), 1), ((2, 1030, 8), 1), ((300, 33), 0), ((17,), 0), ((2, 17, 1), 1),
]  # fmt: skip


DTYPES = [np.float32, np.float64, ml_dtypes.bfloat16, np.float16]
DTYPES += [np.dtype(f"{sign}int{bits}").type for sign in ("", "u") for bits in (8, 16, 32, 64)]


@pytest.fixture(autouse=True)
def small(monkeypatch: pytest.MonkeyPatch) -> None:
    """Few columns are as good as many, so that parts follow each other."""
    monkeypatch.setattr(scans, "MANY_FOLDS", 300)


@pytest.mark.parametrize("reverse", [False, True])
@pytest.mark.parametrize("shape, axis", SHAPES, ids=str)
@pytest.mark.sampled(8, ci=4)
def test_any_shape_and_dimension(shape: tuple[int, ...], axis: int, reverse: bool, tmp_path: Path) -> None:
    x = np.random.default_rng(0).integers(-9, 9, shape).astype(np.int32)
    kernels = check(lambda x: lax.cumsum(x, axis=axis, reverse=reverse), tmp_path, x)
    assert not any(kernel.name == "running_fold" for kernel in kernels)


@pytest.mark.sampled(2)
@pytest.mark.parametrize("shape, axis", [((3, 2100), 1), ((500, 9), 0)], ids=str)
@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_functions_of_several_ops(shape: tuple[int, ...], axis: int, dtype: type, tmp_path: Path) -> None:
    """A cumulative logsumexp, which has infinities, beside numpy in double."""
    x = np.random.default_rng(1).normal(0, 20, shape).astype(dtype)
    x.reshape(-1)[:2] = -np.inf
    executable, run = emulator(text_of(partial(lax.cumlogsumexp, axis=axis), x), tmp_path)
    assert any(kernel.name.startswith("scan_") for kernel in executable.kernels)
    with np.errstate(invalid="ignore"):
        expected = np.logaddexp.accumulate(x.astype(np.float64), axis)
    tolerance = 1e-5 if dtype is np.float32 else 1e-13
    np.testing.assert_allclose(run([x])[0], expected, rtol=tolerance, atol=tolerance)


@pytest.mark.parametrize("dtype", DTYPES, ids=lambda t: np.dtype(t).name)
@pytest.mark.parametrize("shape, axis", SHAPES, ids=str)
@pytest.mark.sampled(26, ci=13)
def test_the_function_that_scans_gives_the_bits_of_a_kernel_that_is_built(
    shape: tuple[int, ...], axis: int, dtype: type, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """With zeros of both signs, infinities and NaN; sums and products of integers wrap."""
    random = np.random.default_rng(3)
    x = random.standard_normal(shape) * 1e9
    if np.dtype(dtype).kind not in "iu":
        x /= 1e9
        x.reshape(-1)[::29] = random.choice([-0.0, np.inf, np.nan], -(-x.size // 29))
        x[:1] = -0.0
    given = [x.astype(dtype)]
    call = lambda x: [f(x, axis=axis) for f in (lax.cumsum, lax.cumprod, lax.cummax, lax.cummin)]

    def results(folder: str, functions: bool) -> list[np.ndarray]:
        monkeypatch.setattr(REGIONS, "regions", {})
        (tmp_path / folder).mkdir()
        executable, run = emulator(text_of(call, *given), tmp_path / folder)
        made = ["block::scan_" in kernel.body for kernel in executable.kernels if "scan_" in kernel.name]
        assert made and all(called is functions for called in made)
        # Which sign a NaN has, a processor's compiler chooses.
        return [np.where(np.isnan(y), dtype(np.nan), y) if np.dtype(dtype).kind not in "iu" else y for y in run(given)]

    monkeypatch.setenv("HLO2TINY_CACHE", "off")
    found = results("called", True)
    monkeypatch.setattr(scans, "function_of_folds", lambda *_: None)
    for one, other in zip(found, results("built", False), strict=True):
        assert one.tobytes() == other.tobytes()


@pytest.mark.parametrize("dtype", [np.int32, np.int64, np.float32], ids=lambda t: np.dtype(t).name)
def test_elements_may_be_one_number(dtype: type, tmp_path: Path) -> None:
    """Functions get the addresses of elements, so those are in memory."""

    def call(x: jax.Array) -> list[jax.Array]:
        same = jnp.full((3, 700), 2, dtype)
        found = lax.cumsum(same, 1), lax.cummax(same.T, 0), lax.reduce(same, dtype(1), lambda a, b: a * b % 7, (1,))
        return [y + x for y in found]

    check(call, tmp_path, np.ones((), dtype))


@pytest.mark.parametrize("first", [0, 1, -2])
@pytest.mark.parametrize("dtype", [np.float32, ml_dtypes.bfloat16, np.float16, np.int32], ids=lambda t: t.__name__)
def test_folds_begin_with_the_initial_value(dtype: type, first: int, tmp_path: Path) -> None:
    """So sums of zeros have no sign."""
    x, zeros = -np.arange(1, 701).reshape(2, 350).astype(dtype), np.full((2, 350), -0.0, dtype)

    def call(x: jax.Array, zeros: jax.Array) -> list[jax.Array]:
        folds = (x, first, lax.max), (x, first, lax.min), (zeros, 0, lax.add)
        sizes, padding = (1, 350), ((0, 0), (349, 0))
        return [lax.reduce_window(y, dtype(start), f, sizes, (1, 1), padding) for y, start, f in folds]

    found = [y.astype(np.float32) for y in emulator(text_of(call, x, zeros), tmp_path)[1]([x, zeros])]
    for result, fold in zip(found, (np.maximum, np.minimum)):
        np.testing.assert_array_equal(result, fold(fold.accumulate(x.astype(np.float32), 1), first))
    assert not np.signbit(found[2]).any()


@pytest.mark.sampled(2)
@pytest.mark.parametrize("shape, axis", [((2, 700), 1), ((90, 3), 0), ((200, 12), 0)], ids=str)
@pytest.mark.parametrize("exclusive", [False, True])
def test_the_order_of_elements_stays(shape: tuple[int, ...], axis: int, exclusive: bool, tmp_path: Path) -> None:
    """Functions x ↦ a·x + b, one after the other, modulo 2³²: associative, but not commutative; with initial values."""
    x = [np.random.default_rng(2).integers(-9, 9, shape).astype(np.int32) for _ in "ab"]
    n = shape[axis]

    def follow(f: Any, g: Any) -> Any:
        return f[0] * g[0], f[1] * g[0] + g[1]

    def call(a: jax.Array, b: jax.Array) -> Any:
        sizes = [n if d == axis else 1 for d in range(a.ndim)]
        padding = [(n - (not exclusive), -exclusive) if d == axis else (0, 0) for d in range(a.ndim)]
        initial = np.int32(3), np.int32(5)
        return lax.reduce_window((a, b), initial, follow, sizes, [1] * a.ndim, padding)

    found = emulator(text_of(call, *x), tmp_path)[1](x)
    a, b = (np.moveaxis(y, axis, 0) for y in x)
    state, expected = (np.full_like(a[0], 3), np.full_like(a[0], 5)), []
    for factor, term in zip(a, b):
        after = follow(state, (factor, term))
        expected.append(state if exclusive else after)
        state = after
    for result, wanted in zip(found, zip(*expected), strict=True):
        np.testing.assert_array_equal(np.moveaxis(result, axis, 0), np.stack(wanted))


def test_many_short_rows_share_a_block_and_few_columns_occupy_the_chip(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(scans, "MANY_FOLDS", 1 << 17)
    sums = lambda axis: partial(jnp.cumsum, axis=axis)
    *_, kernel = emitted(text_of(sums(1), np.zeros((1 << 16, 20), np.float32))).kernels
    assert np.prod(kernel.block) == 128 and np.prod(kernel.grid) == 1 << 10
    first, *_ = emitted(text_of(sums(0), np.zeros((1 << 14, 64), np.float32))).kernels
    assert first.name == "scan_columns" and first.block[0] * first.grid[0] >= 1 << 14
