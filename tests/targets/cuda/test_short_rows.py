"""Many short rows on CUDA: a block copies those that begin anywhere to its memory, and threads share them there."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import jax
import jax.numpy as jnp
import ml_dtypes
import numpy as np
import pytest
from test_executable import emitted
from test_shared_reductions import check, draw, norm_of, text_of

from hlo2tiny.targets.cuda.rows import most_in_bank

DTYPES = [np.float32, ml_dtypes.bfloat16, np.float16, np.int8]
# Rows that begin anywhere, are aligned, and whose last block has fewer.
WIDTHS = [17, 33, 64, 96, 100, 129, 255, 500, 767]
FUNCTIONS: dict[str, Callable[[jax.Array], object]] = {
    "sum": lambda x: jnp.sum(x, -1, dtype=jnp.int32 if x.dtype == jnp.int8 else jnp.float32),
    "largest": lambda x: jnp.max(x * x, -1),
    "two": lambda x: (jnp.sum(x.astype(jnp.float32), -1), jnp.min(x, -1)),
    "two dimensions": lambda x: jnp.sum(x.reshape(-1, 3, x.shape[1]).astype(jnp.float32), (1, 2)),
    "between": lambda x: jnp.max(x.reshape(-1, 3, x.shape[1]), 1),
    "norm": lambda x: norm_of(x, jnp.ones(x.shape[1], x.dtype)).astype(jnp.float32),
    "apart": lambda x: x - jnp.max(x, -1, keepdims=True),
}


def rows_of(width: int) -> int:
    return max((1 << 20) // width // 3 * 3 + 3, 12_303)


@pytest.mark.parametrize("function", FUNCTIONS)
@pytest.mark.parametrize("dtype", DTYPES, ids=lambda t: np.dtype(t).name)
@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.sampled(108, ci=6)
def test_short_rows(width: int, dtype: type, function: str, tmp_path: Path) -> None:
    x = draw(np.random.default_rng(0), (rows_of(width), width), dtype)
    (kernel, *_) = check(FUNCTIONS[function], tmp_path, x)
    is_long = width > 500 or (dtype is np.float32 and width in (129, 255))
    assert kernel.block[0] <= 32 or function in ("two dimensions", "between") or is_long


@pytest.mark.parametrize(
    "width, dtype", [(17, np.float32), (129, ml_dtypes.bfloat16), (255, np.int8), (767, np.float16)]
)
def test_rows_that_begin_anywhere_are_read_at_once(width: int, dtype: type) -> None:
    x = np.zeros((500_001, width), dtype)
    for function in (FUNCTIONS["largest"], FUNCTIONS["apart"]):
        (kernel,) = emitted(text_of(function, x)).kernels
        assert "copy_rows<" in kernel.body and kernel.block[0] * kernel.block[1] == 256


@pytest.mark.parametrize("shape", [(500_001, 128), (500_001, 129), (501, 129), (50_001, 5000), (500_001, 8)])
def test_other_rows_are_not_copied(shape: tuple[int, int]) -> None:
    """Those that begin at a multiple of 16 bytes, few, long and very short ones; of words, 512 bytes are long."""
    for kernel in emitted(text_of(FUNCTIONS["sum"], np.zeros(shape, np.float32))).kernels:
        assert "copy_rows<" not in kernel.body


def test_neighbouring_threads_read_from_all_banks() -> None:
    """Four rows of 258 bytes that follow each other begin in the same one."""
    assert most_in_bank(258, 258 * 32, 2, 8) > most_in_bank(9 * 258, 258 * 32, 2, 8)
    assert most_in_bank(68, 68 * 256, 4, 1) == 1
