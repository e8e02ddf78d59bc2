"""`batch_invariant=True` on CUDA: the kernels, on this processor, give a row the bits that it has alone."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from batch_rows import BATCHES, LAYERS, arrays_of, expect_rows, expect_rows_of_layers, with_batch
from emulation import Emulator
from hypothesis import given
from hypothesis import strategies as st
from jax import lax
from test_executable import plan_of

from hlo2tiny.cli import main
from hlo2tiny.targets.cuda import in_order
from hlo2tiny.targets.cuda.compiling import compile_all, files
from hlo2tiny.targets.cuda.executable import CudaExecutable
from hlo2tiny.targets.cuda.in_order import OrderedProduct, OrderedTiling
from hlo2tiny.targets.cuda.native import executable_of
from hlo2tiny.targets.cuda.reductions import lanes_of
from hlo2tiny.targets.cuda.solver import SolverSpec
from hlo2tiny.targets.cuda.transforms import TransformSpec

Running = Callable[[Sequence[np.ndarray]], list[np.ndarray]]


def emitted(text: str, libraries: Sequence[str] = (), highest: bool = False) -> CudaExecutable:
    plan = plan_of(text, highest, invariant=True)
    return executable_of(plan, "CUDA", "sm_90", frozenset(libraries), lambda done, total: None)


def emulated(text: str, number: int = 0, highest: bool = False) -> Running:
    with TemporaryDirectory() as folder:
        return Emulator(plan_of(text, highest, invariant=True), emitted(text, (), highest), Path(folder))


def exported(call: Callable[..., Any], *arrays: Any) -> str:
    with jax.enable_x64(True):
        return str(jax.export.export(jax.jit(call))(*arrays).mlir_module())


def some_rows(size: int) -> Sequence[int]:
    return sorted({0, size // 2, size - 1})


@pytest.mark.parametrize("name", BATCHES)
@pytest.mark.sampled(12, ci=6, first=3)
def test_rows_of_the_corpus_on_cuda(name: str) -> None:
    expect_rows(partial(with_batch, name), partial(arrays_of, name), [5], emulated, some_rows)


@pytest.mark.parametrize("layer", LAYERS)
@pytest.mark.sampled(18, ci=9)
def test_rows_of_each_layer_on_cuda(layer: str) -> None:
    expect_rows_of_layers([layer, layer], (20, 36), "f32", [2, 19], emulated, some_rows)


# ---------------------------------------------------------------- products

KINDS = {"f32": np.float32, "f64": np.float64, "bf16": jnp.bfloat16, "f16": np.float16}
LIMITS = {"f32": 2e-3, "f64": 1e-14, "bf16": 1e-2, "f16": 2e-3}
LARGE, SMALL = OrderedTiling(128, 128, 2, 4, 32), OrderedTiling(16, 64, 1, 4, 64)


def multiply(m: int, n: int, k: int, batch: tuple[int, ...], left: bool, right: bool, kinds: str) -> tuple[Any, ...]:
    """A product A·B, of which either may be stored transposed, its operands, and its result in f64."""
    random = np.random.default_rng(m * n * k)
    shapes = (*batch, *((k, m) if left else (m, k))), (*batch, *((n, k) if right else (k, n)))
    a, b = (random.standard_normal(s).astype(KINDS[kind]) for s, kind in zip(shapes, kinds.split()))
    wide = np.promote_types(a.dtype, b.dtype) if kinds.split()[0] != kinds.split()[1] else a.dtype
    rank = len(batch)
    dims = ((rank + (not left),), (rank + right,)), (tuple(range(rank)),) * 2
    text = exported(lambda a, b: lax.dot_general(a.astype(wide), b.astype(wide), dims), a, b)
    a64, b64 = (x.astype(np.float64) for x in (a, b))
    return text, [a, b], (a64.swapaxes(-1, -2) if left else a64) @ (b64.swapaxes(-1, -2) if right else b64)


sizes, batches = st.integers(1, 90), st.lists(st.integers(1, 3), max_size=2).map(tuple)
kinds_of_operands = st.sampled_from(["f32 f32", "bf16 bf16", "f16 f16", "f64 f64", "bf16 f32"])


@pytest.mark.ci
@given(sizes, sizes, st.integers(2, 600), batches, st.booleans(), st.booleans(), kinds_of_operands, st.booleans())
def test_products_of_any_size_in_order(
    m: int, n: int, k: int, batch: tuple[int, ...], left: bool, right: bool, kinds: str, highest: bool
) -> None:
    text, arrays, expected = multiply(m, n, k, batch, left, right, kinds)
    assert any(kernel.name == "product_in_order" for kernel in emitted(text, highest=highest).kernels)
    (found,) = emulated(text, 0, highest)(arrays)
    limit = 1e-5 if highest and kinds == "f32 f32" else LIMITS[kinds.split()[0]]
    assert np.abs(found.astype(np.float64) - expected).max() <= limit * max(1, np.abs(expected).max())


@pytest.mark.parametrize("kind", ["f32", *(pytest.param(kind, marks=pytest.mark.ci) for kind in ("bf16", "f64"))])
def test_the_size_of_tiles_and_what_blocks_take_change_no_bit(kind: str, monkeypatch: pytest.MonkeyPatch) -> None:
    text, arrays, _ = multiply(20, 70, 700, (), False, True, f"{kind} {kind}")
    tiling_of, found = in_order.tiling_of, set[bytes]()

    def tile(p: OrderedProduct, tensor: bool, narrow: bool) -> OrderedTiling:
        return replace(chosen, step=chosen.step // (1 + (not narrow))) if tensor else tiling_of(p, tensor, narrow)

    for chosen in (LARGE, SMALL):
        for few in (0, 1 << 20):
            monkeypatch.setattr(in_order, "tiling_of", tile)
            monkeypatch.setattr(in_order, "FEW", few)
            assert len([k for k in emitted(text).kernels if "in_order" in k.name]) == 1 + (
                few > 0 and (chosen is SMALL or kind == "f64")
            )
            found.add(emulated(text)(arrays)[0].tobytes())
    assert len(found) == 1


CONVOLUTIONS: dict[str, dict[str, Any]] = {
    "same": {"padding": "SAME"},
    "strides": {"window_strides": (2, 1), "padding": [(1, 0), (2, 3)]},
    "dilated window": {"rhs_dilation": (2, 1), "padding": "SAME"},
    "dilated input": {"lhs_dilation": (2, 3), "padding": [(2, 1), (0, 4)]},
    "groups": {"feature_group_count": 2, "padding": "VALID"},
    "no window": {"padding": "VALID"},
}


@pytest.mark.parametrize("how", CONVOLUTIONS)
@pytest.mark.parametrize("layout", ["NHWC", "NCHW"])
@pytest.mark.parametrize("kind", ["f32", "bf16"])
@pytest.mark.sampled(14, ci=7)
def test_convolutions_in_order(how: str, layout: str, kind: str) -> None:
    random, groups = np.random.default_rng(0), CONVOLUTIONS[how].get("feature_group_count", 1)
    x = random.standard_normal((7, 6, 5, 8) if layout == "NHWC" else (7, 8, 6, 5)).astype(KINDS[kind])
    w = random.standard_normal((3, 2, 8 // groups, 12)).astype(KINDS[kind])

    def convolve(x: Any, w: Any) -> Any:
        given = {"window_strides": (1, 1)} | CONVOLUTIONS[how]
        return lax.conv_general_dilated(x, w, dimension_numbers=(layout, "HWIO", layout), **given)

    assert [k.name for k in emitted(exported(convolve, x, w)).kernels if "in_order" in k.name]
    (found,) = emulated(exported(convolve, x, w))([x, w])
    expected = np.asarray(convolve(x.astype(np.float64), w.astype(np.float64)))
    assert np.abs(found.astype(np.float64) - expected).max() <= 2 * LIMITS[kind] * np.abs(expected).max()
    (alone,) = emulated(exported(convolve, x[:1], w))([x[5:6], w])
    assert alone.tobytes() == found[5:6].tobytes()


def test_nvrtc_compiles_products_in_order() -> None:
    pytest.importorskip("cuda.bindings.nvrtc", reason="hlo2tiny[cuda] is not installed")
    cases = [
        (1, 40, 300, "f32 f32"),
        (2000, 2000, 70, "f32 f32"),
        (2000, 2000, 700, "bf16 bf16"),
        (40, 8, 70, "f16 f16"),
    ]
    for m, n, k, kinds in (*cases, (40, 40, 300, "f64 f64")):
        kinds_of = [jax.ShapeDtypeStruct(s, KINDS[kind]) for s, kind in zip(((m, k), (k, n)), kinds.split())]
        texts = [text for text, _ in files(emitted(exported(jnp.matmul, *kinds_of)).kernels)]
        assert all(code[:4] == b"\x7fELF" for code in compile_all(texts, "sm_90"))


# ---------------------------------------------------------------- sums


@pytest.mark.sampled(3)
@pytest.mark.parametrize("count", [12, 20, 40, 100, 600, 1500, 40000])
def test_columns_add_up_as_rows_do(count: int) -> None:
    """One after the other, in rows of lanes, and in columns, of which there are fewer if there are more lanes."""
    x = np.random.default_rng(0).standard_normal((3, count, 40)).astype(np.float32)
    rows, columns = (
        exported(lambda x, axis=axis: x.sum(axis), x if axis == 1 else x.swapaxes(1, 2)) for axis in (2, 1)
    )
    (found,), (other,) = emulated(rows)([x.swapaxes(1, 2).copy()]), emulated(columns)([x])
    np.testing.assert_array_equal(found, other)
    shapes = {k.block for text in (rows, columns) for k in emitted(text).kernels}
    assert lanes_of(count) in (1, 1024) or len(shapes) == 2
    (alone,) = emulated(exported(lambda x: x.sum(1), x[:1]))([x[2:]])
    assert alone.tobytes() == other[2:].tobytes()


# ---------------------------------------------------------------- libraries


def test_libraries_compute_one_item_after_the_other() -> None:
    x = np.zeros((3, 200, 200), np.float32)
    solver = emitted(exported(jnp.linalg.cholesky, x), ("cusolver", "cublas"))
    assert [s.apart for s in solver.products if isinstance(s, SolverSpec)] == [True]
    transform = emitted(exported(lambda x: jnp.fft.rfft(x).real, x), ("cufft",))
    (spec,) = (s for s in transform.products if isinstance(s, TransformSpec))
    assert spec.apart and spec.one.count == 1 and spec.sizes == (4 * 200, 8 * 101)
    assert not emitted(exported(lambda x: x @ x, x), ("cublasLt", "cudnn")).products


def test_c_for_gpus_has_products_in_order(tmp_path: Path) -> None:
    pytest.importorskip("cuda.bindings.nvrtc", reason="hlo2tiny[cuda] is not installed")
    (tmp_path / "model.mlir").write_text(exported(jnp.matmul, np.zeros((3, 20)), np.zeros((20, 4))))
    command = ["compile", str(tmp_path / "model.mlir"), "-o", str(tmp_path / "made"), "--target", "cuda"]
    assert main([*command, "--arch", "sm_90", "--batch-invariant"]) == 0
    assert "cublasLt" not in (tmp_path / "made" / "model.c").read_text().partition("model_steps")[2]


def test_c_for_gpus_refuses_transforms_of_a_batch(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "model.mlir").write_text(exported(lambda x: jnp.fft.rfft(x).real, np.zeros((3, 20), np.float32)))
    command = ["compile", str(tmp_path / "model.mlir"), "-o", str(tmp_path / "made"), "--target", "cuda"]
    assert main([*command, "--arch", "sm_90", "--batch-invariant"]) == 1
    assert "one transform after the other" in capsys.readouterr().err
