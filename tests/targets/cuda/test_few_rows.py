"""Products of few rows or columns read their large matrix once, in a kernel of our own."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from emulation import Emulator
from test_executable import plan_of
from test_integers import launched
from test_unaligned_operands import KINDS, expect_close, multiplied, numbers, operands_of

from hlo2tiny.targets.cuda import few_rows
from hlo2tiny.targets.cuda.compiling import compile_all, files
from hlo2tiny.targets.cuda.executable import CudaExecutable
from hlo2tiny.targets.cuda.kernels import CudaKernel
from hlo2tiny.targets.cuda.native import executable_of


@pytest.fixture(autouse=True)
def small_ones_are_large(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(few_rows, "LEAST_BYTES", 1)


def emitted(function: Any, arrays: list[np.ndarray], folder: Path) -> tuple[CudaExecutable, list[np.ndarray]]:
    plan = plan_of(str(jax.export.export(jax.jit(function))(*arrays).mlir_module()))
    executable = executable_of(plan, "CUDA", "sm_90", {"cublasLt"}, lambda done, total: None)
    return executable, Emulator(plan, executable, folder)(arrays)


SPELLINGS = [
    "mk,kn->mn",
    "mk,nk->mn",
    "km,kn->mn",
    "km,nk->mn",
    "nk,mk->nm",
    "kn,km->nm",
    "bmk,bkn->bmn",
    "mk,bnk->mbn",
]


@pytest.mark.parametrize("spelling", SPELLINGS)
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("m, n, k", [(1, 136, 120), (2, 64, 2200), (3, 8200, 72), (4, 72, 344)])
@pytest.mark.sampled(12, ci=3, first=2)
def test_numbers_of_any_layout(spelling: str, kind: str, m: int, n: int, k: int, tmp_path: Path) -> None:
    sizes = {"b": 3, "m": m, "n": n, "k": k}
    arrays = operands_of(spelling, sizes, kind)
    executable, (found,) = emitted(lambda x, y: jnp.einsum(spelling, x, y), arrays, tmp_path)
    assert launched(executable).count("product_of_few_rows") == 1 and not multiplied(executable)
    expect_close(found, np.einsum(spelling, *(x.astype(np.float32) for x in arrays)), kind, units=1)


@pytest.mark.parametrize("columns", [1, 4])
@pytest.mark.parametrize("many", [1, 64])
def test_what_is_added(columns: int, many: int, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """A bias and a matrix, for few rows and few columns; with so few blocks, threads have several columns."""
    monkeypatch.setattr(few_rows, "BLOCKS", many)
    x, w, b, r = numbers("f32", (600, 64), (64, columns), (columns,), (600, columns))
    for number, arrays in enumerate(([x, w, b, r], [w.T.copy(), x.T.copy(), np.resize(b, 600), r.T.copy()])):
        (folder := tmp_path / str(number)).mkdir()
        executable, (found,) = emitted(lambda x, w, b, r: x @ w + b + r, arrays, folder)
        assert launched(executable) == ["product_of_few_rows"]
        x, w, b, r = arrays
        expect_close(found, x @ w + b + r, "f32", units=1)


@pytest.mark.parametrize("kind", ["bf16", "f16"])
@pytest.mark.parametrize("m, n", [(2, 136), (600, 3)])
def test_a_residual_of_a_rounded_product(kind: str, m: int, n: int, tmp_path: Path) -> None:
    """It is added in the product's kernel, to the same bits as after it; a library's kernel rounds only their sum."""
    x, w, r = numbers(kind, (m, 128), (128, n), (m, n))
    found = list[np.ndarray]()
    for number, function in enumerate((lambda x, w, r: r + x @ w, lambda x, w, r: (lambda y: (y + r, y))(x @ w))):
        (folder := tmp_path / str(number)).mkdir()
        executable, results = emitted(function, [x, w, r], folder)
        assert len(launched(executable)) == number + 1
        found.append(results[0])
    np.testing.assert_array_equal(found[0].view(np.uint16), found[1].view(np.uint16))
    x, w, r = numbers(kind, (8, 128), (128, 64), (8, 64))
    (folder := tmp_path / "library").mkdir()
    executable, (sums,) = emitted(lambda x, w, r: x @ w + r, [x, w, r], folder)
    (product,) = executable.products
    assert product.result == kind and product.added and not executable.kernels
    x, w, r = (y.astype(np.float32) for y in (x, w, r))
    expect_close(sums, x @ w + r, kind, units=0.51)


SUMS: dict[str, Callable[..., Any]] = {
    "bias": lambda y, b, r: y + b,
    "bias, residual": lambda y, b, r: r + (y + b),
    "residual, bias": lambda y, b, r: (r + y) + b,
    "bias, zeros": lambda y, b, r: jnp.maximum(y + b, 0),
}


@pytest.mark.parametrize("kind", ["bf16", "f16"])
@pytest.mark.parametrize("m, n", [(2, 136), (600, 3)])
@pytest.mark.parametrize("name", SUMS)
def test_biases_of_rounded_products(name: str, kind: str, m: int, n: int, tmp_path: Path) -> None:
    """They are added in the product's kernel, to the same bits as after it; a library's kernel rounds their sum."""
    x, w, b, r = numbers(kind, (m, 128), (128, n), (n,), (m, n))
    together = lambda x, w, b, r: SUMS[name](x @ w, b, r)
    apart = lambda x, w, b, r: (lambda y: (SUMS[name](y, b, r), y))(x @ w)
    found = list[np.ndarray]()
    for number, function in enumerate((together, apart)):
        (folder := tmp_path / str(number)).mkdir()
        executable, results = emitted(function, [x, w, b, r], folder)
        assert len(launched(executable)) == 1 + (number or name == "residual, bias")
        found.append(results[0])
    np.testing.assert_array_equal(found[0].view(np.uint16), found[1].view(np.uint16))
    arrays = numbers(kind, (8, 128), (128, 64), (64,), (8, 64))
    (folder := tmp_path / "library").mkdir()
    executable, (sums,) = emitted(together, arrays, folder)
    (product,) = executable.products
    assert product.result == kind and len(executable.kernels) == (name == "residual, bias")
    assert (product.bias, product.added) == (name != "residual, bias", "residual" in name)
    assert product.relu == ("zeros" in name)
    x, w, b, r = (y.astype(np.float32) for y in arrays)
    expect_close(sums, together(x, w, b, r), kind, units=0.51 if product.bias else 1.02)


@pytest.mark.parametrize(
    "arch, most", [("sm_80", 90), ("sm_90", 110), ("sm_120", 90), ("compute_80", 90), ("compute_90", 90)]
)
def test_blocks_ask_for_memory_that_all_gpus_have_which_run_the_code(arch: str, most: int) -> None:
    """Code for compute_90 runs on all later kinds, some of which have less than sm_90."""
    given = [jax.ShapeDtypeStruct(shape, "bfloat16") for shape in ((1, 4096), (4096, 4096))]
    plan = plan_of(str(jax.export.export(jax.jit(jnp.dot))(*given).mlir_module()))
    (kernel,) = executable_of(plan, "CUDA", arch, {"cublasLt"}, lambda done, total: None).kernels
    assert kernel.name == "product_of_few_rows" and kernel.shared == most << 10


def test_products_of_one_row_are_one_kernel(tmp_path: Path) -> None:
    """Those that wait for nothing, and those that wait for one of them; nothing small joins, as it waits first."""
    x, *weights = numbers("bf16", (1, 128), (128, 136), (128, 136), (128, 520), (520, 64), (64, 520))

    def function(x: Any, a: Any, b: Any, c: Any, d: Any, e: Any) -> Any:
        y = jnp.tanh(x @ c)
        return x @ a, x @ b, y @ d, jnp.einsum("mk,nk->mn", y, e), x + 1

    executable, found = emitted(function, [x, *weights], tmp_path)
    names = launched(executable)
    assert names.count("product_of_few_rows") == 2 and not multiplied(executable)
    first, second = (k for k in executable.kernels if k.name == "product_of_few_rows")
    assert (first.early, second.early) == ((1, 4, 7), (1, 4))
    for ours, expected in zip(found, function(*(z.astype(np.float32) for z in (x, *weights))), strict=True):
        expect_close(ours, expected, "bf16", units=2)


@pytest.mark.parametrize(
    "spelling", ["nk,km->nm", "nk,mk->nm", "mk,nk->mn", "km,nk->mn", "bnk,bkm->bnm", "nbk,mk->nbm"]
)
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("n, m, k", [(9000, 4, 64), (40000, 1, 64), (1500, 3, 30), (1300, 2, 21), (4100, 1, 100)])
@pytest.mark.sampled(12, ci=4, first=2)
def test_short_rows_share_a_warp(spelling: str, kind: str, n: int, m: int, k: int, tmp_path: Path) -> None:
    sizes = {"b": 2, "m": m, "n": n, "k": k}
    arrays = operands_of(spelling, sizes, kind)
    executable, (found,) = emitted(lambda x, y: jnp.einsum(spelling, x, y), arrays, tmp_path)
    (kernel,) = (each for each in executable.kernels if each.name == "product_of_few_rows")
    assert "LANES = 32" not in kernel.body and not multiplied(executable)
    expect_close(found, np.einsum(spelling, *(x.astype(np.float32) for x in arrays)), kind, units=1)


@pytest.mark.parametrize("m, kind", [(8, "f32"), (4, "bf16")])
def test_the_most_short_rows(m: int, kind: str, tmp_path: Path) -> None:
    for rows in (m, m + 1):
        (folder := tmp_path / str(rows)).mkdir()
        arrays = numbers(kind, (2000, 40), (40, rows))
        executable, (found,) = emitted(jnp.matmul, arrays, folder)
        assert bool(multiplied(executable)) == (rows > m)
        expect_close(found, np.matmul(*(x.astype(np.float32) for x in arrays)), kind, units=1)


@pytest.mark.parametrize("spelling", SPELLINGS)
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("m, n, k", [(1, 64, 9000), (4, 64, 8200), (3, 24, 5000), (4, 8, 4096), (2, 30, 6002)])
@pytest.mark.sampled(12, ci=4, first=2)
def test_parts_of_long_sums(
    spelling: str, kind: str, m: int, n: int, k: int, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """Blocks have a part of the terms each, and a second kernel adds up what they have found."""
    monkeypatch.setattr(few_rows, "LEAST_SHARE", 1 << 12)
    sizes = {"b": 2, "m": m, "n": n, "k": k}
    arrays = operands_of(spelling, sizes, kind)
    executable, (found,) = emitted(lambda x, y: jnp.einsum(spelling, x, y), arrays, tmp_path)
    names = launched(executable)
    assert names.index("product_of_few_rows") + 1 == names.index("sum_of_parts") and not multiplied(executable)
    expect_close(found, np.einsum(spelling, *(x.astype(np.float32) for x in arrays)), kind, units=1)


@pytest.mark.parametrize("n, m", [(3, 3), (8, 8), (5, 1), (21, 7)])
def test_parts_of_long_sums_of_any_alignment(n: int, m: int, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(few_rows, "LEAST_SHARE", 1 << 12)
    for number, spelling in enumerate(("kn,km->nm", "nk,mk->nm", "kn,mk->mn")):
        (folder := tmp_path / str(number)).mkdir()
        sizes = {"m": m, "n": n, "k": 5001}
        arrays = operands_of(spelling, sizes, "f32")
        executable, (found,) = emitted(lambda x, y, s=spelling: jnp.einsum(s, x, y), arrays, folder)
        assert launched(executable) == ["product_of_few_rows", "sum_of_parts"]
        np.testing.assert_allclose(found, np.einsum(spelling, *arrays), rtol=1e-4, atol=1e-3)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("turned", [False, True])
def test_what_is_added_to_parts(kind: str, turned: bool, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(few_rows, "LEAST_SHARE", 1 << 12)
    x, w, b, r = numbers(kind, (4096, 64), (4096, 4), (4,), (64, 4))
    if turned:
        b, r = np.resize(b, 64), r.T.copy()
    function = lambda x, w, b, r: jnp.maximum((w.T @ x if turned else x.T @ w) + b + r, 0)
    executable, (found,) = emitted(function, [x, w, b, r], tmp_path)
    assert launched(executable) == ["product_of_few_rows", "sum_of_parts"]
    x, w, b, r = (each.astype(np.float32) for each in (x, w, b, r))
    expect_close(found, np.maximum((w.T @ x if turned else x.T @ w) + b + r, 0), kind, units=2)


@pytest.mark.parametrize("shapes", [((5, 128), (128, 128)), ((1, 128), (128, 129))])
def test_others_are_the_librarys(shapes: tuple[tuple[int, int], ...], tmp_path: Path) -> None:
    executable, _ = emitted(jnp.matmul, numbers("bf16", *shapes), tmp_path)
    assert "product_of_few_rows" not in launched(executable) and len(multiplied(executable)) == 1


@pytest.mark.parametrize("kind", KINDS)
def test_nvidias_compiler_takes_the_kernel(kind: str) -> None:
    pytest.importorskip("cuda.bindings.nvrtc", reason="hlo2tiny[cuda] is not installed")
    kernels = list[CudaKernel]()
    for shapes in (((2, 128), (128, 128)), ((2, 72), (4000, 72)), ((3, 1 << 17), (64, 1 << 17))):
        for spelling in ("mk,kn->mn", "mk,nk->mn"):
            given = [jax.ShapeDtypeStruct(shape, KINDS[kind]) for shape in shapes]
            if (spelling == "mk,kn->mn") != (shapes[0][1] == shapes[1][0]):
                given[1] = jax.ShapeDtypeStruct(shapes[1][::-1], KINDS[kind])
            text = str(jax.export.export(jax.jit(lambda x, y, s=spelling: jnp.einsum(s, x, y)))(*given).mlir_module())
            kernels += executable_of(plan_of(text), "CUDA", "sm_90", {"cublasLt"}, lambda done, total: None).kernels
    assert len(kernels) == 8 and all(compile_all([text for text, _ in files(kernels)], "sm_90"))
