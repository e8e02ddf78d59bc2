"""Attention of heads of more than 256 numbers is two products of cuBLASLt, and the softmax of scores between them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from emulation import Emulator
from test_executable import plan_of
from test_integers import launched
from test_unaligned_operands import attend, expect_close, multiplied, numbers

from hlo2tiny.plan.plan import Attention
from hlo2tiny.targets.cuda import stored_scores
from hlo2tiny.targets.cuda.compiling import compile_all, files
from hlo2tiny.targets.cuda.executable import CudaExecutable
from hlo2tiny.targets.cuda.kernels import CudaKernel
from hlo2tiny.targets.cuda.native import executable_of

EVERYTHING = {"cublasLt", "cublas", "cudnn", "cufft", "cusolver"}


@pytest.fixture(autouse=True)
def few_are_many(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(stored_scores, "LEAST", 8)
    monkeypatch.setattr(stored_scores, "LEAST_SCORES", 1)


def text_of(function: Any, arrays: list[np.ndarray], precision: str = "default") -> str:
    with jax.default_matmul_precision(precision):
        return str(jax.export.export(jax.jit(function))(*arrays).mlir_module())


def emitted(
    function: Any, arrays: list[np.ndarray], folder: Path, precision: str = "default"
) -> tuple[CudaExecutable, list[np.ndarray]]:
    plan = plan_of(text_of(function, arrays, precision))
    executable = executable_of(plan, "CUDA", "sm_90", EVERYTHING, lambda done, total: None)
    return executable, Emulator(plan, executable, folder)(arrays)


def expected_of(arrays: list[np.ndarray], mask: str, group: int) -> Any:
    with jax.default_matmul_precision("highest"):
        return attend(*(x.astype(np.float32) for x in arrays), mask, group)


@pytest.mark.parametrize("group", [1, 3])
@pytest.mark.parametrize("mask", ["none", "causal", "every third", "bias"])
@pytest.mark.parametrize("kind", ["f16", "bf16", "f32"])
@pytest.mark.parametrize("size", [264, 275, 320])
@pytest.mark.sampled(45, ci=15, first=3)
def test_numbers_are_those_of_attention(size: int, kind: str, mask: str, group: int, tmp_path: Path) -> None:
    arrays = numbers(kind, (2, 33, 2 * group, size), (2, 37, 2, size), (2, 37, 2, size))
    if mask == "causal":
        arrays = [x[:, :33] for x in arrays]
    executable, (found,) = emitted(lambda q, k, v: attend(q, k, v, mask, group), arrays, tmp_path)
    names = launched(executable)
    assert names.count("softmax") == 1 and "attention" not in names and len(multiplied(executable)) == 2
    # Rows of a multiple of 16 bytes are read where they are, and written there.
    assert ("arrange" in names) == ("cut" in names) == bool(size * (4 if kind == "f32" else 2) % 16)
    expect_close(found, expected_of(arrays, mask, group), kind, units=8 if (kind, mask) == ("bf16", "bias") else 2)


@pytest.mark.parametrize("keys", [8, 129, 1024, 1025, 2100])
@pytest.mark.sampled(2, ci=1)
def test_any_number_of_keys(keys: int, tmp_path: Path) -> None:
    """A warp has a row of few scores, and a block one of many."""
    arrays = numbers("f16", (1, 9, 1, 272), (1, keys, 1, 272), (1, keys, 1, 272))
    _, (found,) = emitted(lambda q, k, v: attend(q, k, v, "every third", 1), arrays, tmp_path)
    expect_close(found, expected_of(arrays, "every third", 1), "f16")


@pytest.mark.parametrize("layer", [-3, 1, 9])
def test_slices_of_a_stack_are_copied_from_where_they_begin(layer: int, tmp_path: Path) -> None:
    q, k, v = numbers("f16", (1, 9, 2, 272), (3, 1, 40, 2, 272), (3, 1, 40, 2, 272))

    def function(q: Any, k: Any, v: Any, layer: Any) -> Any:
        return attend(q, *(jax.lax.dynamic_index_in_dim(x, layer, 0, False) for x in (k, v)), "none", 1)

    executable, (found,) = emitted(function, [q, k, v, np.int32(layer)], tmp_path)  # type: ignore[list-item]
    assert "softmax" in launched(executable)
    at = min(max(layer + 3 * (layer < 0), 0), 2)
    expect_close(found, expected_of([q, k[at], v[at]], "none", 1), "f16")


def test_operands_and_results_in_any_order_of_dimensions(tmp_path: Path) -> None:
    arrays = numbers("bf16", (264, 9, 2, 2), (2, 2, 264, 40), (40, 2, 2, 264))

    def function(q: Any, k: Any, v: Any) -> Any:
        scores = jnp.einsum("dqhb,bhdk->bhqk", q, k) * 0.1
        return jnp.einsum("bhqk,khbd->qbhd", jax.nn.softmax(scores, -1), v)

    executable, (found,) = emitted(function, arrays, tmp_path)
    assert "softmax" in launched(executable)
    expect_close(found, function(*(x.astype(np.float32) for x in arrays)), "bf16")


def test_products_of_f32_are_as_exact_as_they_are_asked_to_be(tmp_path: Path) -> None:
    arrays = numbers("f32", (1, 33, 2, 288), (1, 40, 2, 288), (1, 40, 2, 288))
    executable, (found,) = emitted(lambda q, k, v: attend(q, k, v, "none", 1), arrays, tmp_path, "highest")
    assert all(spec.exact for spec in multiplied(executable))
    np.testing.assert_allclose(found, expected_of(arrays, "none", 1), rtol=2e-5, atol=1e-5)


def test_rows_without_a_score_have_no_number(tmp_path: Path) -> None:
    """The softmax of -inf alone is NaN, as in the program's own ops."""
    arrays = numbers("f32", (1, 16, 1, 272), (1, 16, 1, 272), (1, 16, 1, 272))

    def function(q: Any, k: Any, v: Any) -> Any:
        scores = jnp.where(jnp.arange(16)[:, None] > 3, jnp.einsum("bqhd,bkhd->bhqk", q, k), -jnp.inf)
        return jnp.einsum("bhqk,bkhd->bqhd", jax.nn.softmax(scores, -1), v)

    executable, (found,) = emitted(function, arrays, tmp_path)
    assert "softmax" in launched(executable)
    np.testing.assert_array_equal(np.isnan(found), np.isnan(np.asarray(jax.jit(function)(*arrays))))


@pytest.mark.sampled(3)
@pytest.mark.parametrize(
    "why", ["narrow heads", "few queries", "few scores", "no library", "refused", "invariant", "much memory"]
)
def test_other_attention_stores_no_scores(why: str, monkeypatch: pytest.MonkeyPatch) -> None:
    size, queries, keys = 256 if why == "narrow heads" else 272, *((7, 64) if why == "few queries" else (16, 16))
    arrays = numbers("f16", (1, queries, 1, size), (1, keys, 1, size), (1, keys, 1, size))
    text = text_of(lambda q, k, v: attend(q, k, v, "none", 1), arrays)
    plan = plan_of(text, invariant=why == "invariant")
    libraries = EVERYTHING if why != "no library" else set[str]()
    if why == "few scores":
        monkeypatch.setattr(stored_scores, "LEAST_SCORES", 16 * 16 + 1)
    made = executable_of(plan, "CUDA", "sm_90", libraries, lambda done, total: None)
    assert ("softmax" in launched(made)) == (why in ("refused", "much memory"))
    if why == "much memory":
        monkeypatch.setattr(stored_scores, "MOST_BYTES", 16 * 16 * 4 - 1)
    refused = made.products if why == "refused" else ()
    made = executable_of(plan, "CUDA", "sm_90", libraries, lambda done, total: None, refused)
    assert "softmax" not in launched(made) and "attention" in launched(made)


@pytest.mark.parametrize("kind", ["f16", "bf16", "f32"])
@pytest.mark.sampled(2, ci=1)
def test_nvrtc_compiles_the_softmax(kind: str) -> None:
    pytest.importorskip("cuda.bindings.nvrtc", reason="hlo2tiny[cuda] is not installed")
    for keys, mask in ((40, "every third"), (2100, "bias")):
        arrays = numbers(kind, (1, 9, 2, 261), (1, keys, 2, 261), (1, keys, 2, 261))
        steps = plan_of(text_of(lambda q, k, v: attend(q, k, v, mask, 1), arrays)).main.steps
        (step,) = (step for step in steps if isinstance(step, Attention))
        arranged = stored_scores.arrange(step)
        assert arranged is not None
        kernels = [part for part in arranged.parts if isinstance(part, CudaKernel)]
        assert compile_all([text for text, _ in files(kernels)], "sm_90")
