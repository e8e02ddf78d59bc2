"""Threads that write several adjacent elements each write them together with those of their block."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from test_emulation import emulator
from test_shared_reductions import text_of

from hlo2tiny.targets.cuda import render

FUNCTIONS: dict[str, Callable[[jax.Array], jax.Array]] = {
    "squares": lambda x: jax.vmap(lambda e: e @ e.T)(x),
    "products": lambda x: jax.vmap(lambda e: e @ e.T @ e)(x),
    "turned": lambda x: jax.vmap(lambda e: (e.T @ e) / jnp.abs(e).max())(x),
}


@pytest.mark.parametrize("name", FUNCTIONS)
@pytest.mark.parametrize("dtype", [np.float32, np.float64, np.int32])
@pytest.mark.parametrize("count, rows, columns", [(10001, 3, 2), (10007, 5, 2), (10240, 3, 3)])
@pytest.mark.sampled(9, ci=3)
def test_small_matrices(
    name: str, dtype: type, count: int, rows: int, columns: int, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(render, "MANY", 64)
    x = (4 * np.random.default_rng(count).standard_normal((count, rows, columns))).astype(dtype)
    function = FUNCTIONS[name]
    with jax.enable_x64(True):
        executable, run = emulator(text_of(function, x), tmp_path)
        (found,) = run([x])
    is_certain = name == "squares" and dtype is np.float32
    assert not is_certain or any("all[threadIdx.x" in kernel.body for kernel in executable.kernels)
    with jax.enable_x64(True):
        np.testing.assert_allclose(found, np.asarray(function(x)), rtol=1e-4, atol=1e-3)
