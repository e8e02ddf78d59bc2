"""Products of groups of rows, each with a matrix of its own, are one kernel: `lax.ragged_dot`."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from emulation import Emulator
from jax import lax
from test_executable import plan_of
from test_integers import launched
from test_unaligned_operands import expect_close, multiplied, numbers

from hlo2tiny.targets.cuda.compiling import compile_all, files
from hlo2tiny.targets.cuda.executable import CudaExecutable
from hlo2tiny.targets.cuda.native import executable_of

SIZES = [[5, 0, 40, 3, 70], [118, 0, 0, 0, 0], [0, 0, 0, 0, 0], [30, 30, 10, 0, 7], [1, 1, 1, 1, 114]]
TURNED = lax.RaggedDotDimensionNumbers((((1,), (2,)), ((), ())), (0,), (0,))


def exported(function: Any, *given: Any) -> str:
    return str(jax.export.export(jax.jit(function), platforms=["cuda"])(*given).mlir_module())


def emitted(function: Any, arrays: list[np.ndarray], folder: Path) -> tuple[CudaExecutable, list[np.ndarray]]:
    plan = plan_of(exported(function, *arrays))
    executable = executable_of(plan, "CUDA", "sm_90", {"cublasLt"}, lambda done, total: None)
    return executable, Emulator(plan, executable, folder)(arrays)


def expected_of(x: np.ndarray, w: np.ndarray, sizes: list[int]) -> np.ndarray:
    rows = np.repeat(np.arange(len(sizes)), sizes)
    found = np.zeros((len(x), w.shape[2]), np.float32)
    for n, group in enumerate(rows):
        found[n] = x[n].astype(np.float32) @ w[group].astype(np.float32)
    return found


@pytest.mark.parametrize("sizes", SIZES)
@pytest.mark.parametrize("kind", ["f32", "bf16", "f16"])
@pytest.mark.parametrize("k, n", [(64, 96), (37, 50), (200, 136)])
@pytest.mark.sampled(15, ci=5, first=2)
def test_groups_of_any_size(sizes: list[int], kind: str, k: int, n: int, tmp_path: Path) -> None:
    x, w = numbers(kind, (118, k), (5, k, n))
    executable, (found,) = emitted(lax.ragged_dot, [x, w, np.array(sizes, np.int32)], tmp_path)
    assert launched(executable) == ["product_in_order"] and not multiplied(executable)
    expect_close(found, expected_of(x, w, sizes), kind)


@pytest.mark.parametrize("kind", ["f32", "bf16"])
@pytest.mark.parametrize("rows, count", [(118, 5), (600, 2)])
def test_turned_matrices_and_f32_results(kind: str, rows: int, count: int, tmp_path: Path) -> None:
    x, w = numbers(kind, (rows, 80), (count, 136, 80))
    sizes = [rows // count - n for n in range(count)]

    def function(x: Any, w: Any, sizes: Any) -> Any:
        return lax.ragged_dot_general(x, w, sizes, TURNED, preferred_element_type=jnp.float32)

    executable, (found,) = emitted(function, [x, w, np.array(sizes, np.int32)], tmp_path)
    assert launched(executable) == ["product_in_order"] and not multiplied(executable) and found.dtype == np.float32
    expect_close(found, expected_of(x, w.swapaxes(1, 2), sizes), "bf16")


@pytest.mark.parametrize("sizes", SIZES)
@pytest.mark.parametrize("kind", ["f32", "bf16"])
@pytest.mark.parametrize("k, n", [(64, 96), (37, 50), (200, 136)])
@pytest.mark.sampled(10, ci=5, first=2)
def test_gradients(sizes: list[int], kind: str, k: int, n: int, tmp_path: Path) -> None:
    x, w, y = numbers(kind, (118, k), (5, k, n), (118, n))

    def function(x: Any, w: Any, sizes: Any, y: Any) -> Any:
        return jax.vjp(lambda x, w: lax.ragged_dot(x, w, sizes), x, w)[1](y)

    executable, (of_x, of_w) = emitted(function, [x, w, np.array(sizes, np.int32), y], tmp_path)
    assert launched(executable) == ["product_in_order"] * 2 and not multiplied(executable)
    expect_close(of_x, expected_of(y, w.swapaxes(1, 2), sizes), kind)
    ends = np.cumsum(sizes)
    for group, (begin, end) in enumerate(zip(ends - sizes, ends)):
        expect_close(of_w[group], x[begin:end].astype(np.float32).T @ y[begin:end].astype(np.float32), kind)


def test_experts(tmp_path: Path) -> None:
    x, gate, up, down = numbers("bf16", (70, 48), (48, 4), (4, 48, 64), (4, 64, 48))

    def experts(x: Any, gate: Any, up: Any, down: Any) -> Any:
        chosen = (x @ gate).astype(jnp.float32).argmax(1)
        order = jnp.argsort(chosen, stable=True)
        sizes = jnp.bincount(chosen, length=4).astype(jnp.int32)
        y = lax.ragged_dot(jax.nn.relu(lax.ragged_dot(x[order], up, sizes)), down, sizes)
        return jnp.zeros_like(y).at[order].set(y)

    executable, (found,) = emitted(experts, [x, gate, up, down], tmp_path)
    assert launched(executable).count("product_in_order") == 2
    expected = np.asarray(jax.jit(experts)(x, gate, up, down)).astype(np.float32)
    expect_close(found, expected, "bf16", units=4)


def test_nvrtc_compiles_them() -> None:
    kernels = []
    for kind in ("float32", "bfloat16", "float16"):
        for shape in ((8192, 512, 1024), (64, 512, 1024)):
            m, k, n = shape
            given = [jax.ShapeDtypeStruct(s, kind) for s in ((m, k), (16, k, n))]
            sizes = jax.ShapeDtypeStruct((16,), "int32")
            plan = plan_of(exported(lax.ragged_dot, *given, sizes))
            executable = executable_of(plan, "CUDA", "sm_80", {"cublasLt"}, lambda done, total: None)
            assert launched(executable) == ["product_in_order"]
            kernels += executable.kernels
    assert compile_all([text for text, _ in files(kernels)], "sm_80")
