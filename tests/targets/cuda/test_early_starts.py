"""Kernels start before those that they wait for have ended, and read and write nothing before they have waited."""

from __future__ import annotations

import re
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from test_executable import plan_of

from hlo2tiny.targets.cuda import kernels
from hlo2tiny.targets.cuda.compiling import compile_all, files
from hlo2tiny.targets.cuda.executable import CudaExecutable
from hlo2tiny.targets.cuda.native import executable_of

WAIT = "griddepcontrol.wait;"


def emitted(function: Any, *arrays: np.ndarray) -> CudaExecutable:
    plan = plan_of(str(jax.export.export(jax.jit(function))(*arrays).mlir_module()))
    return executable_of(plan, "CUDA", "sm_90", {"cublasLt"}, lambda done, total: None)


def attended(q: Any, k: Any, v: Any) -> Any:
    """Kernels with and without `__restrict__`, with shared memory and with several phases."""
    x = jax.nn.softmax(q @ k.T, -1) @ v
    return x - jnp.mean(x, -1, keepdims=True), jnp.sort(x, -1), jnp.cumsum(v, 0), jnp.argmax(x, -1), x.T * 2


def test_nothing_is_read_or_written_before_the_wait() -> None:
    pytest.importorskip("cuda.bindings.nvrtc", reason="hlo2tiny[cuda] is not installed")
    q, k, v = (np.ones((rows, 128), np.float32) for rows in (32, 512, 512))
    executable = emitted(attended, q, k, v)
    assert any("__restrict__" in str((x.parameters, x.body)) for x in executable.kernels)
    codes = compile_all([text for text, _ in files(executable.kernels)], "compute_90")
    entries = [each for code in codes for each in code.decode().split(".visible .entry ")[1:]]
    assert len(entries) == len(executable.kernels)
    for entry in entries:
        before, found, after = entry.partition(WAIT)
        assert found and not re.search(r"\b(ld|st|atom|red)\.(?!param)", before), entry[:2000]
        # The assembler may move what nobody is said to write to before the wait.
        assert re.search(r"\b(ld|st)\.global", after) and "ld.global.nc" not in after


def test_large_kernels_start_after_others(monkeypatch: pytest.MonkeyPatch) -> None:
    """They would take the room of kernels that could run meanwhile."""
    monkeypatch.setattr(kernels, "MOST_EARLY", 1024)
    x, y = np.ones(1024, np.float32), np.ones((64, 1024), np.float32)
    small, large = emitted(lambda x, y: (jnp.tanh(x), jnp.tanh(y)), x, y).kernels
    assert small.starts_early and "wait_for_others" in small.text("kernel0")
    assert not large.starts_early and "wait_for_others" not in large.text("kernel1")
