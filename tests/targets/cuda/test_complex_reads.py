"""Complex numbers are gathered and cut as the pairs that they are stored as."""

from __future__ import annotations

from pathlib import Path

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from jax import lax
from test_shared_reductions import check


@pytest.mark.parametrize("dtype", [np.complex64, np.complex128])
@pytest.mark.parametrize("axis", [0, 1])
def test_pairs_are_read_in_one_kernel(axis: int, dtype: type, tmp_path: Path) -> None:
    random = np.random.default_rng(0)
    x = (random.standard_normal((30, 40)) + 1j * random.standard_normal((30, 40))).astype(dtype)
    index = random.integers(-3, 45, 50).astype(np.int32)

    def call(x: jax.Array, i: jax.Array) -> tuple[jax.Array, ...]:
        return jnp.take(x, i, axis, mode="clip"), lax.dynamic_slice(x, (i[0], i[1]), (7, 9)), jnp.sum(x[i] * 2j)

    kernels = check(lambda x, i: call(x, i)[:2], tmp_path, x, index)
    assert [kernel.name for kernel in kernels if "gather" in kernel.name or "dynamic_slice" in kernel.name] and not any(
        kernel.bytes > 5 * x.nbytes for kernel in kernels
    )
    assert sum("gather" in kernel.name for kernel in kernels) == 1
