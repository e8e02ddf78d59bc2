"""Reductions over windows of many elements on CUDA: one kernel for each dimension, whose function wheels have."""

from __future__ import annotations

from collections.abc import Sequence
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

from hlo2tiny.rules import reduction
from hlo2tiny.targets.cuda.render import REGIONS

DTYPES = [np.float32, np.float64, ml_dtypes.bfloat16, np.float16]
DTYPES += [np.dtype(f"{sign}int{bits}").type for sign in ("", "u") for bits in (8, 16, 32, 64)]
# The shape, and the sizes, strides, padding and dilations of the windows: of a few runs, of runs and rests, of runs of
# runs, along the last dimension, the first one, and between; in parts of few columns, and of more than blocks have.
WINDOWS: list[tuple[tuple[int, ...], Sequence[int], Sequence[int], Any, Sequence[int]]] = [
    ((2, 40, 37, 3), (1, 7, 9, 1), (1, 1, 1, 1), "SAME", (1, 1, 1, 1)),
    ((3, 40, 37), (1, 8, 24), (1, 3, 2), "VALID", (1, 1, 1)),
    ((3, 63, 70), (1, 35, 1), (1, 1, 2), [(0, 0), (40, 3), (0, 0)], (1, 1, 1)),
    ((2, 5000), (1, 1000), (1, 7), [(0, 0), (999, 30)], (1, 1)),
    ((2, 1300, 2), (1, 255, 1), (1, 1, 1), "VALID", (1, 1, 1)),
    ((700, 9), (31, 2), (1, 1), "SAME", (3, 1)),
    ((20, 15, 14, 2), (5, 5, 5, 1), (2, 1, 2, 1), "SAME", (1, 1, 2, 1)),
]


def windows(how: tuple[Any, ...], function: Any, first: float) -> Any:
    _, sizes, strides, padding, dilations = how
    return lambda x: lax.reduce_window(
        x, np.array(first, x.dtype), function, sizes, strides, padding, window_dilation=dilations
    )


def lowest(dtype: type) -> float:
    return int(np.iinfo(dtype).min) if np.dtype(dtype).kind in "iu" else -np.inf


def highest(dtype: type) -> float:
    return int(np.iinfo(dtype).max) if np.dtype(dtype).kind in "iu" else np.inf


@pytest.mark.parametrize("dtype", DTYPES, ids=lambda t: np.dtype(t).name)
@pytest.mark.parametrize("how", WINDOWS, ids=lambda how: f"{how[0]} {how[1]}")
@pytest.mark.sampled(24, ci=12)
def test_the_function_gives_the_bits_of_kernels_that_are_built(
    how: tuple[Any, ...], dtype: type, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """With zeros of both signs, infinities and NaN; sums and products of integers wrap."""
    random = np.random.default_rng(3)
    x = random.standard_normal(how[0]) * 1e9
    is_float = np.dtype(dtype).kind not in "iu"
    if is_float:
        x /= 1e9
        x[:1] = -0.0
        x.reshape(-1)[[x.size // 2, x.size - 9]] = np.inf, np.nan
    given = [x.astype(dtype)]
    folds = (lax.add, 0), (lax.mul, 1), (lax.max, lowest(dtype)), (lax.min, highest(dtype))
    call = lambda x: [windows(how, *each)(x) for each in folds]

    def results(folder: str, functions: bool) -> list[np.ndarray]:
        monkeypatch.setattr(REGIONS, "regions", {})
        (tmp_path / folder).mkdir()
        executable, run = emulator(text_of(call, *given), tmp_path / folder)
        assert any("block::fold_windows" in kernel.body for kernel in executable.kernels) is functions
        # Which bits a NaN has, a processor's compiler chooses.
        return [np.where(np.isnan(y), dtype(np.nan), y) if is_float else y for y in run(given)]

    monkeypatch.setenv("HLO2TINY_CACHE", "off")
    found = results("called", True)
    monkeypatch.setattr(reduction, "function_of_folds", lambda *_: None)
    for one, other in zip(found, results("built", False), strict=True):
        assert one.tobytes() == other.tobytes()


@pytest.mark.parametrize("how", WINDOWS, ids=lambda how: f"{how[0]} {how[1]}")
@pytest.mark.sampled(3)
def test_they_begin_with_the_initial_value(how: tuple[Any, ...], tmp_path: Path) -> None:
    x = np.random.default_rng(4).integers(-9, 9, how[0]).astype(np.int32)
    folds = (lax.add, 5), (lax.max, 3), (lax.max, lowest(np.int32))
    check(lambda x: [windows(how, *each)(x) for each in folds], tmp_path, x)


@pytest.mark.parametrize("dtype", [np.float32, np.float64, ml_dtypes.bfloat16], ids=lambda t: np.dtype(t).name)
def test_a_gradient_has_two_kernels_for_each_dimension_and_few_others(dtype: type, tmp_path: Path) -> None:
    """Those of a sum over windows of 32×32 were eight, each of which Python lowered."""
    x = np.random.default_rng(5).integers(0, 3, (1, 50, 40, 2)).astype(dtype)
    call = windows((x.shape, (1, 32, 32, 1), (1, 1, 1, 1), "SAME", (1, 1, 1, 1)), lax.add, 0)
    gradient = jax.grad(lambda x: (call(x).astype(jnp.float32) ** 2).sum())
    kernels = emitted(text_of(gradient, x)).kernels
    others = [kernel.name for kernel in kernels if kernel.name != "fold_windows"]
    assert len(kernels) - len(others) == 4 and len(others) <= 1 + 2 * (dtype is ml_dtypes.bfloat16)
    if dtype is np.float64:
        check(call, tmp_path, x)


@pytest.mark.parametrize("size, stride", [((8, 8), 8), ((3, 3), 2), ((5, 4), 3)], ids=str)
@pytest.mark.sampled(3, ci=1)
def test_sums_are_not_computed_for_the_padding_between_them(size: tuple[int, int], stride: int, tmp_path: Path) -> None:
    """The gradient of means of windows of 8×8 added up 64 elements, or looked at them, for each that is padded."""
    x = np.random.default_rng(6).integers(0, 3, (2, 64, 50, 3)).astype(np.float32)
    call = windows((x.shape, (1, *size, 1), (1, stride, stride, 1), "VALID", (1, 1, 1, 1)), lax.add, 0)
    kernels = check(jax.grad(lambda x: (call(x) ** 2).sum()), tmp_path, x)
    sums = call(x).size
    assert kernels[0].bytes <= 4 * sums * (np.prod(size) + 4)


def test_what_is_padded_by_nothing_is_not_copied() -> None:
    """As in the gradient of a maximum over windows, without padding of its own."""
    x = np.zeros((2, 30, 30, 3), np.float32)
    call = windows((x.shape, (1, 8, 8, 1), (1, 1, 1, 1), "VALID", (1, 1, 1, 1)), lax.max, -np.inf)
    names = [kernel.name for kernel in emitted(text_of(jax.grad(lambda x: (call(x) ** 2).sum()), x)).kernels]
    assert names.count("fold_windows") == 2 and len(names) <= 6, names


@pytest.mark.parametrize("padding", [((0, 0), (0, 0)), ((3, 1), (0, 2))], ids=str)
@pytest.mark.parametrize("strides", [(1, 1), (2, 3), (4, 5), (7, 2)], ids=str)
@pytest.mark.parametrize("window", [(4, 5), (3, 2), (1, 6)], ids=str)
@pytest.mark.sampled(8, ci=2)
def test_elements_look_only_at_windows_that_have_them(
    window: tuple[int, int], strides: tuple[int, int], padding: Any, tmp_path: Path
) -> None:
    """The gradient of a pooling by windows of 16x16 that lie apart looked at 256 windows for each element."""

    def pool(x: jax.Array) -> jax.Array:
        return lax.reduce_window(x, -jnp.inf, lax.max, (1, *window), (1, *strides), ((0, 0), *padding))

    random = np.random.default_rng(3)
    x = random.integers(-9, 9, (3, 17, 19)).astype(np.float32)
    y = random.integers(-9, 9, jax.eval_shape(pool, x).shape).astype(np.float32)
    gradient = jax.jit(jax.grad(lambda x, y: (pool(x) * y).sum()))
    executable, run = emulator(str(jax.export.export(gradient)(x, y).mlir_module()), tmp_path)
    np.testing.assert_array_equal(run([x, y])[0], gradient(x, y))
    (kernel,) = (kernel for kernel in executable.kernels if kernel.name == "gather_selected")
    looked_at = np.prod([-(-size // stride) for size, stride in zip(window, strides)])
    assert kernel.flops < 100 * x.size * looked_at
