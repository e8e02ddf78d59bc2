"""Attention of wide heads, where no four warps multiply together: one kernel on every kind of GPU, without scores."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import emulation
import jax
import jax.numpy as jnp
import numpy as np
import pytest
from emulation import Emulator
from test_attention_gradients import by_hand, library, plan_of, steps_of
from test_integers import launched
from test_unaligned_operands import KINDS, attend, expect_close, numbers

from hlo2tiny.plan.plan import Attention, AttentionGradients
from hlo2tiny.targets.cuda import attention_tiles, wide_heads
from hlo2tiny.targets.cuda.compiling import compile_all, files
from hlo2tiny.targets.cuda.executable import CudaExecutable
from hlo2tiny.targets.cuda.native import executable_of

EVERYTHING = {"cublasLt", "cublas", "cudnn", "cufft", "cusolver"}


@pytest.fixture
def few_are_many(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(wide_heads, "LEAST", 8)
    monkeypatch.setattr(wide_heads, "LEAST_SCORES", 1)


def emitted(
    function: Any, arrays: list[np.ndarray], folder: Path, precision: str = "default", arch: str = "sm_80"
) -> tuple[CudaExecutable, list[np.ndarray]]:
    plan = plan_of(function, tuple(arrays), precision)
    executable = executable_of(plan, "CUDA", arch, EVERYTHING, lambda done, total: None)
    return executable, Emulator(plan, executable, folder)(arrays)


def expected_of(arrays: list[np.ndarray], mask: str, group: int) -> Any:
    with jax.default_matmul_precision("highest"):
        return attend(*(x.astype(np.float32) for x in arrays), mask, group)


@pytest.mark.usefixtures("few_are_many")
@pytest.mark.parametrize("arch", ["sm_80", "sm_86", "sm_90"])
@pytest.mark.parametrize("group", [1, 3])
@pytest.mark.parametrize("mask", ["none", "causal", "every third", "bias"])
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("size", [72, 99, 136, 231, 250, 256])
@pytest.mark.sampled(45, ci=15, first=3)
def test_numbers_are_those_of_attention(
    size: int, kind: str, mask: str, group: int, arch: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(wide_heads, "LEAST_ROUNDED", 1)
    if arch != "sm_90":
        monkeypatch.setattr(emulation, "OPTIONS", [*emulation.OPTIONS, "-DHAS_WARPGROUPS=false"])
    arrays = numbers(kind, (2, 70, 2 * group, size), (2, 75, 2, size), (2, 75, 2, size))
    if mask == "causal":
        arrays = [x[:, :70] for x in arrays]
    executable, (found,) = emitted(lambda q, k, v: attend(q, k, v, mask, group), arrays, tmp_path, arch=arch)
    names = launched(executable)
    assert names.count("attention") == 1 and not executable.products
    # Rows of a multiple of 16 bytes are read where they are, and numbers of f32 are rounded before.
    assert ("arrange" in names) == bool(kind != "f32" and size % 8) and ("round" in names) == (kind == "f32")
    expect_close(found, expected_of(arrays, mask, group), kind, units=8 if mask == "bias" and kind != "f32" else 2)


SHAPES = {
    "queries, keys and values of other sizes": ((1, 70, 2, 136), (1, 100, 2, 136), (1, 100, 2, 200)),
    "a tile and a half": ((1, 96, 2, 256), (1, 70, 2, 256), (1, 70, 2, 256)),
    "values wider than keys": ((1, 64, 1, 16), (1, 90, 1, 16), (1, 90, 1, 256)),
    "one step of keys": ((2, 130, 1, 160), (2, 12, 1, 160), (2, 12, 1, 160)),
    "many keys for few queries": ((1, 9, 2, 72), (1, 1100, 2, 72), (1, 1100, 2, 72)),
}


@pytest.mark.usefixtures("few_are_many")
@pytest.mark.parametrize("shares", [False, True])
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("mask", ["none", "every third"])
@pytest.mark.parametrize("name", SHAPES)
@pytest.mark.sampled(10, ci=5, first=2)
def test_any_number_of_queries_and_keys(
    name: str, mask: str, kind: str, shares: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Several blocks share the keys of few queries."""
    monkeypatch.setattr(emulation, "OPTIONS", [*emulation.OPTIONS, "-DHAS_WARPGROUPS=false"])
    monkeypatch.setattr(attention_tiles, "LEAST_STEPS", 1 if shares else 1 << 10)
    arrays = numbers(kind, *SHAPES[name])
    executable, (found,) = emitted(lambda q, k, v: attend(q, k, v, mask, 1), arrays, tmp_path)
    keys = arrays[1].shape[1]
    assert ("attention_shares" in launched(executable)) == (shares and keys > 64)
    expect_close(found, expected_of(arrays, mask, 1), kind)


def masked(mask: np.ndarray) -> Any:
    def function(q: Any, k: Any, v: Any) -> Any:
        scores = jnp.where(mask, jnp.einsum("bqhd,bkhd->bhqk", q, k, preferred_element_type=np.float32) / 12, -jnp.inf)
        return jnp.einsum("bhqk,bkhd->bqhd", jax.nn.softmax(scores, -1).astype(v.dtype), v)

    return function


@pytest.mark.usefixtures("few_are_many")
@pytest.mark.parametrize("special", ["", "values that are no numbers", "queries that see nothing"])
@pytest.mark.parametrize("shares", [False, True])
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.sampled(8, ci=4, first=2)
def test_steps_that_masks_hide_are_left_out_where_that_changes_nothing(
    kind: str, shares: bool, special: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(attention_tiles, "LEAST_STEPS", 1 if shares else 1 << 10)
    arrays = numbers(kind, (2, 200, 2, 136), (2, 200, 2, 136), (2, 200, 2, 136))
    mask = np.tri(200, dtype=bool)
    if special.startswith("values"):
        arrays[2][1, 190, 1, 5] = np.inf
    if special.startswith("queries"):
        mask = np.where((np.arange(200) // 7 % 9 == 3)[:, None], False, mask)
    executable, (found,) = emitted(masked(mask), arrays, tmp_path, arch="sm_90")
    assert {"attention_masks", "attention_values"} <= {*launched(executable)}
    expected = np.asarray(masked(mask)(*(jnp.asarray(x) for x in arrays))).astype(np.float64)
    found = found.astype(np.float64)
    np.testing.assert_array_equal(np.isnan(found), np.isnan(expected))
    there = np.isfinite(expected)
    assert np.isnan(expected).any() == bool(special)
    expect_close(np.where(there, found, 0), np.where(there, expected, 0), kind)


@pytest.mark.usefixtures("few_are_many")
@pytest.mark.parametrize("layer", [-3, 1, 9])
@pytest.mark.sampled(1)
def test_slices_of_a_stack_are_read_where_they_begin(layer: int, tmp_path: Path) -> None:
    q, k, v = numbers("f16", (1, 9, 2, 136), (3, 1, 40, 2, 136), (3, 1, 40, 2, 136))

    def function(q: Any, k: Any, v: Any, layer: Any) -> Any:
        return attend(q, *(jax.lax.dynamic_index_in_dim(x, layer, 0, False) for x in (k, v)), "none", 1)

    _, (found,) = emitted(function, [q, k, v, np.int32(layer)], tmp_path)  # type: ignore[list-item]
    at = min(max(layer + 3 * (layer < 0), 0), 2)
    expect_close(found, expected_of([q, k[at], v[at]], "none", 1), "f16")


@pytest.mark.usefixtures("few_are_many")
def test_operands_and_results_in_any_order_of_dimensions(tmp_path: Path) -> None:
    arrays = numbers("bf16", (144, 9, 2, 2), (2, 2, 144, 40), (40, 2, 2, 144))

    def function(q: Any, k: Any, v: Any) -> Any:
        scores = jnp.einsum("dqhb,bhdk->bhqk", q, k) * 0.1
        return jnp.einsum("bhqk,khbd->qbdh", jax.nn.softmax(scores, -1), v)

    executable, (found,) = emitted(function, arrays, tmp_path)
    assert "attention" in launched(executable) and not executable.products
    expect_close(found, function(*(x.astype(np.float32) for x in arrays)), "bf16")


@pytest.mark.usefixtures("few_are_many")
@pytest.mark.parametrize("mask", ["none", "causal"])
def test_products_of_f32_are_as_exact_as_they_are_asked_to_be(mask: str, tmp_path: Path) -> None:
    arrays = numbers("f32", (1, 40, 2, 160), (1, 40, 2, 160), (1, 40, 2, 160))
    _, (found,) = emitted(lambda q, k, v: attend(q, k, v, mask, 1), arrays, tmp_path, "highest")
    np.testing.assert_allclose(found, expected_of(arrays, mask, 1), rtol=1e-5, atol=5e-6)


OPTIONS: dict[str, dict[str, Any]] = {
    "none": {}, "mask": {"mask": np.tri(1024, dtype=bool)}, "bias": {"bias": np.zeros((1, 2, 1024, 1024), np.float32)},
}  # fmt: skip


def planned(kind: str, size: int, group: int, option: str, backward: bool) -> Any:
    """The plan of 1,024 tokens with two heads."""
    queries, keys = (jax.ShapeDtypeStruct((1, 1024, count, size), KINDS[kind]) for count in (2, 2 // group))
    # JAX has no attention in f16 for the CPU, where this is exported.
    attend = by_hand(**OPTIONS[option], group=group) if kind == "f16" else library(**OPTIONS[option])
    gradients = jax.grad(lambda *given: (attend(*given).astype(np.float32) ** 2).sum(), (0, 1, 2))
    return plan_of(gradients if backward else attend, (queries, keys, keys))


@pytest.mark.parametrize("option", OPTIONS)
@pytest.mark.parametrize("group", [1, 2])
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("backward", [False, True])
@pytest.mark.parametrize("size", [64, 96, 128, 160, 192, 231, 256])
@pytest.mark.sampled(42, ci=14, first=5)
def test_no_kind_of_gpu_stores_scores(size: int, backward: bool, kind: str, group: int, option: str) -> None:
    plan = planned(kind, size, group, option, backward)
    assert steps_of(plan, Attention) and len(steps_of(plan, AttentionGradients)) == backward
    for arch in ("sm_80", "sm_86", "sm_89", "sm_90", "sm_100", "sm_120"):
        executable = executable_of(plan, "CUDA", arch, EVERYTHING, lambda done, total: None)
        assert not executable.products and "softmax" not in launched(executable)
        assert launched(executable).count("attention") == 1


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("arch", ["sm_80", "sm_86", "sm_90", "sm_120", "compute_80", "compute_90"])
@pytest.mark.parametrize("size", [72, 160, 256])
@pytest.mark.sampled(9, ci=3)
def test_kernels_compile_for_all_kinds_of_gpus(size: int, arch: str, kind: str) -> None:
    pytest.importorskip("cuda.bindings.nvrtc", reason="hlo2tiny[cuda] is not installed")
    executable = executable_of(planned(kind, size, 1, "mask", True), "CUDA", arch, EVERYTHING, lambda done, total: None)
    kernels = [kernel for kernel in executable.kernels if kernel.name.startswith("attention")]
    assert all(compile_all([text for text, _ in files(kernels)], arch))
    # What no block of a kind of GPU may have more of, or of a later one, with what kernels share besides.
    most = {"sm_80": 163, "sm_90": 227}.get(arch, 99) << 10
    assert all(kernel.shared + 3072 <= most for kernel in kernels)
