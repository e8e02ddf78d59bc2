"""Products read slices at known places where they lie."""

from __future__ import annotations

from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest

import hlo2tiny
from hlo2tiny.plan.plan import Gemm, Kernels


@pytest.mark.parametrize(("dtype", "rows"), [(np.float32, 1), (jnp.bfloat16, 24), (np.float64, 24), (np.int32, 2)])
def test_layers_written_one_after_the_other(dtype: Any, rows: int) -> None:
    """Also the last one, rows of a matrix, and matrices of a batch of slices."""
    random = np.random.default_rng(0)
    with jax.enable_x64(True):
        x, w = (random.integers(-3, 4, shape).astype(dtype) for shape in ((rows, 64), (4, 2, 64, 64)))

        def function(x: Any, w: Any) -> Any:
            for layer in range(3):
                x = jnp.clip(x @ w[layer, 1], -3, 3)
            return x, jnp.einsum("mk,bnk->bmn", x, w[3]), x @ w.reshape(-1, 64)[128:192], x @ w[2, 0, :, ::2]

        jitted = jax.jit(function)
        program = hlo2tiny.load(str(jax.export.export(jitted)(x, w).mlir_module()), "CPU")
        expected = jitted(x, w)
    for ours, theirs in zip(program.numpy(x, w), expected, strict=True):
        np.testing.assert_array_equal(ours, np.asarray(theirs))
    steps = [step for block in program.plan.blocks() for step in block.steps]
    # Kernels compute a row of 64 terms with few columns.
    assert sum(isinstance(step, Gemm) for step in steps) >= (4 if rows == 1 else 5)
    sliced = [op for step in steps if isinstance(step, Kernels) for op in step.ops if op.name == "stablehlo.slice"]
    assert len(sliced) <= (2 if rows == 1 else 1)  # in steps of 2
