"""Operands of 16 and 32 bits whose rows are not aligned, as heads of 231 numbers, are copied before they are used."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from emulation import Emulator
from test_executable import plan_of, walk
from test_integers import launched

from hlo2tiny.plan import attention as plan_attention
from hlo2tiny.targets.cuda import arranging, attention
from hlo2tiny.targets.cuda.executable import CudaExecutable, Multiply
from hlo2tiny.targets.cuda.native import executable_of
from hlo2tiny.targets.cuda.products import ProductSpec

KINDS = {"f16": np.dtype(np.float16), "bf16": np.dtype(jnp.bfloat16), "f32": np.dtype(np.float32)}


@pytest.fixture(autouse=True)
def everything_is_large(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(attention, "LEAST_COPIED", 1)
    monkeypatch.setattr(arranging, "FOR_BYTE", 0)
    monkeypatch.setattr(arranging, "FOR_KERNEL", 0)


def emitted(function: Any, arrays: list[np.ndarray], folder: Path) -> tuple[CudaExecutable, list[np.ndarray]]:
    """What cuBLASLt is there for, and the results."""
    plan = plan_of(str(jax.export.export(jax.jit(function))(*arrays).mlir_module()))
    executable = executable_of(plan, "CUDA", "sm_90", {"cublasLt"}, lambda done, total: None)
    return executable, Emulator(plan, executable, folder)(arrays)


def multiplied(executable: CudaExecutable) -> list[ProductSpec]:
    found = [executable.products[a.product] for a in walk(executable.actions) if isinstance(a, Multiply)]
    assert all(isinstance(each, ProductSpec) for each in found)
    return found  # type: ignore[return-value]


def expect_aligned(executable: CudaExecutable) -> None:
    for s in multiplied(executable):
        whole = 8 if s.narrow else 4
        assert not any(n % whole for _, leading, strides in (s.a, s.b) for n in (leading, *strides))
        assert not any(
            n % (8 if s.result else 4) for n in ((s.n, s.m * s.n) if s.stored is None else (s.stored[0], *s.stored[1]))
        )


def numbers(kind: str, *shapes: tuple[int, ...]) -> list[np.ndarray]:
    random = np.random.default_rng(0)
    return [random.standard_normal(shape, np.float32).astype(KINDS[kind]) for shape in shapes]


def operands_of(spelling: str, sizes: Mapping[str, int], kind: str) -> list[np.ndarray]:
    """Numbers for a product that is spelled as for `einsum`."""
    return numbers(kind, *(tuple(sizes[c] for c in part) for part in spelling.partition("->")[0].split(",")))


def expect_close(found: np.ndarray, expected: Any, kind: str, units: int = 2) -> None:
    wanted = np.asarray(expected).astype(np.float64)
    unit = {"f16": 2**-10, "bf16": 2**-7, "f32": 2**-10}[kind]
    assert np.abs(found.astype(np.float64) - wanted).max() <= units * unit * np.abs(wanted).max()


def attend(q: Any, k: Any, v: Any, mask: str, group: int) -> Any:
    """Attention of batch × tokens × heads × numbers."""
    k, v = jnp.repeat(k, group, 2), jnp.repeat(v, group, 2)
    scores = jnp.einsum("bqhd,bkhd->bhqk", q, k, preferred_element_type=q.dtype) * q.shape[-1] ** -0.5
    queries, keys = scores.shape[-2:]
    if mask == "causal":
        scores = jnp.where(jnp.tri(queries, keys, dtype=bool), scores, -jnp.inf)
    if mask == "every third":
        scores = jnp.where(jnp.arange(keys) % 3 == jnp.arange(queries)[:, None] % 3, scores, -6e4)
    if mask == "bias":
        scores = scores + (jnp.arange(keys) % 5).astype(scores.dtype)
    return jnp.einsum("bhqk,bkhd->bqhd", jax.nn.softmax(scores, -1), v)


# Odd sizes, twice an odd number, four times one and multiples of 8; smaller and larger than what a block computes.
SIZES = [5, 30, 31, 36, 40, 80, 129, 136, 160]


@pytest.mark.parametrize("group", [1, 3])
@pytest.mark.parametrize("mask", ["none", "causal", "every third", "bias"])
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("size", SIZES)
@pytest.mark.sampled(70, ci=35, first=10)
def test_attention_reads_whole_words(size: int, kind: str, mask: str, group: int, tmp_path: Path) -> None:
    arrays = numbers(kind, (2, 33, 2 * group, size), (2, 33, 2, size), (2, 33, 2, size))
    executable, (found,) = emitted(lambda q, k, v: attend(q, k, v, mask, group), arrays, tmp_path)
    names = launched(executable)
    (kernel,) = (each for each in executable.kernels if each.name == "attention")
    assert all(f"{operand}_VECTOR = true" in kernel.body for operand in "QKV")
    assert names.count("arrange") == (0 if size % (4 if kind == "f32" else 8) == 0 else 3)
    with jax.default_matmul_precision("highest"):
        # The scores with a bias, up to 8, are rounded to the type, and the exponential magnifies that.
        expected = attend(*(x.astype(np.float32) for x in arrays), mask, group)
        expect_close(found, expected, kind, units=8 if (kind, mask) == ("bf16", "bias") else 2)


def test_what_few_queries_read_is_not_copied(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(attention, "LEAST_COPIED", 64)
    arrays = numbers("f16", (1, 1, 2, 31), (1, 40, 2, 31), (1, 40, 2, 31))
    executable, (found,) = emitted(lambda q, k, v: attend(q, k, v, "none", 1), arrays, tmp_path)
    assert "arrange" not in launched(executable)
    expect_close(found, attend(*(x.astype(np.float32) for x in arrays), "none", 1), "f16")


@pytest.mark.parametrize("layer", [-3, 1, 9])
def test_slices_of_a_stack_are_copied_from_where_they_begin(layer: int, tmp_path: Path) -> None:
    q, k, v = numbers("f16", (1, 9, 2, 31), (3, 1, 40, 2, 31), (3, 1, 40, 2, 31))

    def function(q: Any, k: Any, v: Any, layer: Any) -> Any:
        return attend(q, *(jax.lax.dynamic_index_in_dim(x, layer, keepdims=False) for x in (k, v)), "none", 1)

    executable, (found,) = emitted(function, [q, k, v, np.array(layer, np.int32)], tmp_path)
    assert launched(executable).count("arrange") == 3
    own = [x[min(max(layer, 0), 2)].astype(np.float32) for x in (k, v)]
    expect_close(found, attend(q.astype(np.float32), *own, "none", 1), "f16")


@pytest.mark.parametrize("mask", ["none", "causal"])
@pytest.mark.parametrize("kind", ["f16", "bf16"])
@pytest.mark.parametrize("size", [30, 31, 40])
@pytest.mark.sampled(6, ci=2, first=5)
def test_products_of_a_gradient_read_aligned_rows(
    size: int, kind: str, mask: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Of scores that are stored, as if anything else read them."""
    monkeypatch.setattr(plan_attention, "find_gradients", lambda *_: None)
    arrays = numbers(kind, *[(2, 24, 3, size)] * 3)
    loss = lambda q, k, v: jnp.sum(attend(q, k, v, mask, 1).astype(jnp.float32) ** 2)
    executable, found = emitted(jax.grad(loss, (0, 1, 2)), arrays, tmp_path)
    assert len(multiplied(executable)) == 6 and ("arrange" in launched(executable)) == (size % 8 != 0)
    assert launched(executable).count("cut") == (4 if size % 8 else 0)
    expect_aligned(executable)
    with jax.default_matmul_precision("highest"):
        expected = jax.grad(loss, (0, 1, 2))(*(x.astype(np.float32) for x in arrays))
    for x, y in zip(found, expected):
        expect_close(x, y, kind, units=8)


@pytest.mark.parametrize("spelling", ["bmk,bkn->bmn", "bkm,bkn->bmn", "bmk,bnk->bmn", "bkm,bnk->bmn", "mk,bkn->bmn"])
@pytest.mark.parametrize("m, n, k", [(24, 21, 37), (13, 24, 32), (16, 16, 30)])
@pytest.mark.parametrize("kind", ["f16", "f32"])
@pytest.mark.sampled(7)
def test_products_of_any_layout(spelling: str, m: int, n: int, k: int, kind: str, tmp_path: Path) -> None:
    sizes = {"b": 3, "m": m, "n": n, "k": k}
    arrays = operands_of(spelling, sizes, kind)
    executable, (found,) = emitted(lambda x, y: jnp.einsum(spelling, x, y), arrays, tmp_path)
    expect_aligned(executable)
    expect_close(found, np.einsum(spelling, *(x.astype(np.float32) for x in arrays)), kind)


@pytest.mark.parametrize("kind", ["bf16", "f32"])
@pytest.mark.parametrize(
    "m, k, n, is_copied",
    [(2047, 2047, 2047, True), (399, 4111, 3261, True), (4096, 1001, 1000, True), (4096, 1000, 1001, True),
     (130, 131, 129, False), (8191, 257, 2047, False), (2047, 31, 2047, False), (5, 4111, 4111, False)],
)  # fmt: skip
def test_copies_that_take_longer_than_they_save_are_left_out(
    m: int, k: int, n: int, is_copied: bool, kind: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.undo()
    wide = f"tensor<{m}x{n}xf32>"
    x, y = f"tensor<{m}x{k}x{kind}>", f"tensor<{k}x{n}x{kind}>"
    plan = plan_of(f"""func.func @main(%x: {x}, %y: {y}) -> {wide} {{
  %0 = stablehlo.dot_general %x, %y, contracting_dims = [1] x [0] : ({x}, {y}) -> {wide}
  return %0 : {wide}
}}""")
    executable = executable_of(plan, "CUDA", "sm_90", {"cublasLt"}, lambda done, total: None)
    assert ("arrange" in launched(executable)) is is_copied and len(multiplied(executable)) == 1


@pytest.mark.parametrize("precision", ["default", "highest"])
def test_products_of_f32_in_full_are_not_on_tensor_cores(precision: str, tmp_path: Path) -> None:
    arrays = numbers("f32", (31, 31), (31, 33))
    executable, (found,) = emitted(lambda x, y: jnp.matmul(x, y, precision=precision), arrays, tmp_path)
    assert ("arrange" in launched(executable)) is (precision == "default")
    expect_close(found, arrays[0] @ arrays[1], "f32")
