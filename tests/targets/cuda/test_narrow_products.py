"""Products of a long matrix of few columns with a small one are kernels of our own."""

from __future__ import annotations

from collections.abc import Callable
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

from hlo2tiny.targets.cuda import narrow
from hlo2tiny.targets.cuda.compiling import compile_all, files
from hlo2tiny.targets.cuda.native import executable_of

SPELLINGS = [
    "nk,km->nm", "nk,mk->nm", "kn,km->nm", "kn,mk->nm", "mk,kn->mn", "km,nk->mn", "bnk,km->bnm", "bnk,bkm->bnm",
    "nbk,km->nbm",
]  # fmt: skip


@pytest.mark.parametrize("spelling", SPELLINGS)
@pytest.mark.parametrize("kind", ["f32", "bf16", "f16"])
@pytest.mark.parametrize("n, m, k", [(1024, 8, 8), (1500, 3, 3), (1031, 16, 7), (2048, 2, 16), (1030, 5, 12)])
@pytest.mark.sampled(20, ci=5, first=2)
def test_numbers_of_any_layout(spelling: str, kind: str, n: int, m: int, k: int, tmp_path: Path) -> None:
    sizes = {"b": 3, "m": m, "n": n, "k": k}
    arrays = operands_of(spelling, sizes, kind)
    executable, (found,) = emitted(lambda x, y: jnp.einsum(spelling, x, y), arrays, tmp_path)
    assert launched(executable).count("narrow_product") == 1 and not multiplied(executable)
    expect_close(found, np.einsum(spelling, *(x.astype(np.float32) for x in arrays)), kind, units=1)


@pytest.mark.parametrize("spelling", ["kn,km->nm", "kn,mk->nm", "mk,kn->mn", "km,kn->mn", "bkn,bkm->bnm"])
@pytest.mark.parametrize("kind", ["f32", "bf16", "f16", "f64"])
@pytest.mark.parametrize("n, m, k", [(1024, 4, 64), (1500, 3, 30), (1031, 1, 17), (2048, 2, 100)])
@pytest.mark.sampled(12, ci=4, first=2)
def test_more_terms_of_rows_beside_each_other(
    spelling: str, kind: str, n: int, m: int, k: int, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(narrow, "BUSY", 1 << 9)
    monkeypatch.setattr(narrow, "LONG", 1 << 9)
    sizes = {"b": 3, "m": m, "n": n, "k": k}
    arrays = operands_of(spelling, sizes, "f32" if kind == "f64" else kind)
    with jax.enable_x64(kind == "f64"):
        arrays = [x.astype(np.float64) for x in arrays] if kind == "f64" else arrays
        executable, (found,) = emitted(lambda x, y: jnp.einsum(spelling, x, y), arrays, tmp_path)
    assert launched(executable).count("narrow_product") == 1 and not multiplied(executable)
    expected = np.einsum(spelling, *(x.astype(np.float64) for x in arrays))
    if kind == "f64":
        np.testing.assert_allclose(found, expected, rtol=1e-12, atol=1e-12)
    else:
        expect_close(found, expected, kind, units=1)


ENDINGS: dict[str, Callable[..., Any]] = {
    "bias": lambda y, b, r: y + b,
    "bias, residual, zeros": lambda y, b, r: jnp.maximum(r + (y + b), 0),
}


@pytest.mark.parametrize("kind", ["f32", "bf16"])
@pytest.mark.parametrize("name", ENDINGS)
@pytest.mark.parametrize("turned", [False, True])
def test_what_is_added(name: str, kind: str, turned: bool, tmp_path: Path) -> None:
    x, w, b, r = numbers(kind, (1200, 8), (8, 4), (4,), (1200, 4))
    if turned:
        b, r = (np.resize(each, shape) for each, shape in ((b, 1200), (r, (4, 1200))))
    function = lambda x, w, b, r: ENDINGS[name]((x @ w).T if turned else x @ w, b, r)
    executable, (found,) = emitted(function, [x, w, b, r], tmp_path)
    assert launched(executable).count("narrow_product") == 1 and not multiplied(executable)
    x, w, b, r = (each.astype(np.float32) for each in (x, w, b, r))
    expect_close(found, np.asarray(function(x, w, b, r)), kind, units=2)


def test_nvrtc_compiles_them() -> None:
    kernels = []
    for kind in ("float32", "bfloat16", "float16", "float64"):
        for spelling in SPELLINGS[:6]:
            sizes = {"m": 8, "n": 4096, "k": 8}
            given = [
                jax.ShapeDtypeStruct(tuple(sizes[c] for c in part), kind)
                for part in spelling.partition("->")[0].split(",")
            ]
            with jax.enable_x64():
                text = str(
                    jax.export.export(jax.jit(lambda x, y, s=spelling: jnp.einsum(s, x, y)))(*given).mlir_module()
                )
            executable = executable_of(plan_of(text), "CUDA", "sm_80", {"cublasLt"}, lambda done, total: None)
            assert "narrow_product" in launched(executable)
            kernels += executable.kernels
    assert compile_all([text for text, _ in files(kernels)], "sm_80")


@pytest.mark.parametrize("n, m, k", [(narrow.LEAST_ROWS // 2, 8, 8), (4096, 17, 8), (4096, 9, 17)])
def test_others_are_left_to_the_library(n: int, m: int, k: int) -> None:
    given = [jax.ShapeDtypeStruct(shape, "float32") for shape in ((n, k), (k, m))]
    text = str(jax.export.export(jax.jit(lambda x, y: x @ y))(*given).mlir_module())
    executable = executable_of(plan_of(text), "CUDA", "sm_90", {"cublasLt"}, lambda done, total: None)
    assert multiplied(executable)
