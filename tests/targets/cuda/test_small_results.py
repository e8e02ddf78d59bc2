"""Products of many small matrices, and of long sums for each item of a batch, are kernels of our own."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from test_executable import plan_of
from test_few_rows import emitted
from test_integers import launched
from test_unaligned_operands import expect_close, multiplied, numbers, operands_of

from hlo2tiny.targets.cuda import small_results
from hlo2tiny.targets.cuda.compiling import compile_all, files
from hlo2tiny.targets.cuda.native import executable_of

SPELLINGS = ["bmk,bkn->bmn", "bkm,bkn->bmn", "bmk,bnk->bmn", "bkm,bnk->bnm", "mbk,bkn->mbn", "kbm,kbn->bmn"]


def check(spelling: str, kind: str, sizes: dict[str, int], names: list[str], folder: Path) -> None:
    arrays = operands_of(spelling, sizes, "f32" if kind == "f64" else kind)
    with jax.enable_x64(kind == "f64"):
        arrays = [x.astype(np.float64) for x in arrays] if kind == "f64" else arrays
        executable, (found,) = emitted(lambda x, y: jnp.einsum(spelling, x, y), arrays, folder)
    assert launched(executable) == names and not multiplied(executable)
    expected = np.einsum(spelling, *(x.astype(np.float64) for x in arrays))
    if kind == "f64":
        np.testing.assert_allclose(found, expected, rtol=1e-12, atol=1e-11)
    else:
        expect_close(found, expected, kind, units=1)


@pytest.mark.parametrize("spelling", SPELLINGS)
@pytest.mark.parametrize("kind", ["f32", "bf16", "f16", "f64"])
@pytest.mark.parametrize("b, m, n, k", [(300, 5, 5, 50), (257, 16, 16, 16), (270, 8, 12, 24), (400, 3, 16, 64)])
@pytest.mark.sampled(20, ci=5, first=2)
def test_many_small_matrices(spelling: str, kind: str, b: int, m: int, n: int, k: int, tmp_path: Path) -> None:
    check(spelling, kind, {"b": b, "m": m, "n": n, "k": k}, ["small_results"], tmp_path)


@pytest.mark.parametrize("spelling", SPELLINGS)
@pytest.mark.parametrize("kind", ["f32", "bf16", "f16", "f64"])
@pytest.mark.parametrize("b, m, n, k", [(2, 64, 64, 2048), (3, 70, 20, 2300), (2, 12, 33, 5001)])
@pytest.mark.sampled(16, ci=4, first=2)
def test_long_sums(spelling: str, kind: str, b: int, m: int, n: int, k: int, tmp_path: Path) -> None:
    check(spelling, kind, {"b": b, "m": m, "n": n, "k": k}, ["small_results", "sum_of_parts"], tmp_path)


@pytest.mark.parametrize("spelling", SPELLINGS)
@pytest.mark.parametrize("kind", ["f32", "bf16", "f16", "f64"])
@pytest.mark.parametrize("b, m, n, k", [(300, 8, 8, 700), (257, 5, 16, 333), (260, 16, 8, 321), (270, 7, 5, 1024)])
@pytest.mark.sampled(24, ci=6, first=2)
def test_long_sums_of_many(spelling: str, kind: str, b: int, m: int, n: int, k: int, tmp_path: Path) -> None:
    check(spelling, kind, {"b": b, "m": m, "n": n, "k": k}, ["small_results"], tmp_path)


@pytest.mark.parametrize("kind", ["float32", "bfloat16", "float16"])
def test_many_of_more_narrow_results_are_the_library_s(kind: str) -> None:
    executable = kernels_of("bmk,bnk->bmn", kind, {"b": 260, "m": 16, "n": 16, "k": 321})
    assert bool(multiplied(executable)) == (kind != "float32")


@pytest.mark.parametrize("kind", ["f32", "bf16"])
@pytest.mark.parametrize("sizes", [(300, 8, 20, 12), (2, 24, 2100, 40), (300, 8, 900, 12)])
def test_what_is_added(kind: str, sizes: tuple[int, ...], tmp_path: Path) -> None:
    b, m, k, n = sizes
    x, y, bias, r = numbers(kind, (b, m, k), (b, k, n), (n,), (b, m, n))
    function: Any = lambda x, y, bias, r: jnp.maximum(r + (x @ y + bias), 0)
    executable, (found,) = emitted(function, [x, y, bias, r], tmp_path)
    assert "small_results" in launched(executable) and not multiplied(executable)
    expect_close(found, np.asarray(function(*(each.astype(np.float32) for each in (x, y, bias, r)))), kind, units=2)


def kernels_of(spelling: str, kind: str, sizes: dict[str, int]) -> Any:
    parts = spelling.partition("->")[0].split(",")
    given = [jax.ShapeDtypeStruct(tuple(sizes[c] for c in part), kind) for part in parts]
    with jax.enable_x64():
        text = str(jax.export.export(jax.jit(lambda x, y: jnp.einsum(spelling, x, y)))(*given).mlir_module())
    return executable_of(plan_of(text), "CUDA", "sm_80", {"cublasLt"}, lambda done, total: None)


def test_nvrtc_compiles_them() -> None:
    kernels = []
    for kind in ("float32", "bfloat16", "float16", "float64"):
        for spelling in SPELLINGS:
            for sizes in (
                {"b": 4096, "m": 5, "n": 5, "k": 50},
                {"b": 8, "m": 64, "n": 64, "k": 16000},
                {"b": 1500, "m": 8, "n": 8, "k": 3360},
            ):
                executable = kernels_of(spelling, kind, sizes)
                assert "small_results" in launched(executable)
                kernels += executable.kernels
    assert compile_all([text for text, _ in files(kernels)], "sm_80")


@pytest.mark.parametrize(
    "spelling, b, m, n, k",
    [("bmk,bkn->bmn", 4096, 17, 16, 16), ("bmk,bkn->bmn", 8, 64, 64, small_results.LEAST_TERMS // 2),
     ("bmk,bkn->bmn", 40, 64, 64, 16000), ("mk,kn->mn", 1, 64, 64, 16000)],
)  # fmt: skip
def test_others_are_left_to_the_library(spelling: str, b: int, m: int, n: int, k: int) -> None:
    assert multiplied(kernels_of(spelling, "float32", {"b": b, "m": m, "n": n, "k": k}))
