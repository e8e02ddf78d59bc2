"""Gradients of attention on NVIDIA's GPUs, with scores computed again: what is found, and the numbers."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import emulation
import jax
import jax.numpy as jnp
import ml_dtypes
import numpy as np
import pytest
import test_executable
from emulation import Emulator
from jax import export, nn

from hlo2tiny.plan import attention_gradients as finding
from hlo2tiny.plan.plan import Attention, AttentionGradients, Gemm, Plan
from hlo2tiny.targets.cuda import attention, attention_gradients, attention_tiles
from hlo2tiny.targets.cuda.compiling import compile_all, files
from hlo2tiny.targets.cuda.kernels import CudaKernel
from hlo2tiny.targets.cuda.native import executable_of

Function = Callable[..., Any]
Arrays = tuple[np.ndarray, ...]
BF16, F16, F32 = ml_dtypes.bfloat16, np.float16, np.float32
CAUSAL = np.tri(192, dtype=bool)
RANDOM = np.random.default_rng(5).random((1, 1, 192, 192)) > 0.3
RANDOM[..., 0] = True
SOME_HIDDEN = np.where((np.arange(192) // 10 == 7)[:, None], False, CAUSAL)
APART = -abs(np.arange(192)[:, None] - np.arange(192)) / 64
BIAS = np.random.default_rng(6).standard_normal((1, 4, 192, 192), np.float32)


def heads(
    tokens: int, size: int, dtype: Any = F32, keys: int = 0, count: int = 2, kept: int = 0, width: int = 0
) -> Arrays:
    """Queries, keys and values of two sentences, with `count` heads of queries and `kept` of keys."""
    random, keys, kept = np.random.default_rng(tokens), keys or tokens, kept or count
    shapes = (2, tokens, count, size), (2, keys, kept, size), (2, keys, kept, width or size)
    return tuple(random.standard_normal(shape, np.float32).astype(dtype) for shape in shapes)


def with_bias(shape: tuple[int, ...], arrays: Arrays) -> Arrays:
    """Queries, keys and values, with a bias of scores."""
    bias = np.random.default_rng(7).standard_normal(shape, np.float32)
    return *arrays, bias.astype(arrays[0].dtype)


def library(**options: Any) -> Function:
    """As JAX spells it; masks and biases are as long as they need to be. A bias may be an argument."""

    def attend(q: Any, k: Any, v: Any, bias: Any = None) -> Any:
        given = {
            name: each[..., : q.shape[1], : k.shape[1]] if isinstance(each, np.ndarray) else each
            for name, each in options.items()
        }
        if "bias" in given:
            given["bias"] = jnp.asarray(given["bias"][:, : q.shape[2]], q.dtype)
        return nn.dot_product_attention(q, k, v, **{"bias": bias, **given})

    return attend


def by_hand(
    mask: np.ndarray | None = None,
    cap: float = 0.0,
    bias: np.ndarray | None = None,
    group: int = 1,
    powers: bool = False,
    sloped: bool = False,
) -> Function:
    """As people spell it: scores that are scaled, capped, biased and masked, and keys that are repeated.

    Biases may be arguments; if they are `sloped`, they are multiplied by how far queries and keys are apart.
    """

    def attend(q: Any, k: Any, v: Any, *biases: Any) -> Any:
        k, v = jnp.repeat(k, group, 2), jnp.repeat(v, group, 2)
        scores = jnp.einsum("bqhd,bkhd->bhqk", q, k) / q.shape[-1] ** 0.5
        for each in biases:
            scores = scores + (each * APART[: q.shape[1], : k.shape[1]].astype(each.dtype) if sloped else each)
        if cap:
            scores = cap * jnp.tanh(scores / cap)
        if bias is not None:
            scores = scores + bias[:, : q.shape[2], : q.shape[1], : k.shape[1]].astype(scores.dtype)
        if mask is not None:
            scores = jnp.where(mask[..., : q.shape[1], : k.shape[1]], scores, -1e9)
        if powers:
            shares = jnp.exp(scores - jax.lax.stop_gradient(scores.max(-1, keepdims=True)))
            shares = shares / shares.sum(-1, keepdims=True)
        else:
            shares = nn.softmax(scores, -1)
        return jnp.einsum("bhqk,bkhd->bqhd", shares, v)

    return attend


def gradient_of(attend: Function, wanted: tuple[int, ...] = (0, 1, 2), dtype: Any = jnp.float32) -> Function:
    """The loss, and its gradients; the loss is not linear, so that each query has a gradient of its own."""

    def loss(*arrays: Any) -> Any:
        found = attend(*arrays).astype(dtype)
        return (found**2).sum() + (found * jnp.cos(jnp.arange(found.size, dtype=dtype)).reshape(found.shape)).sum()

    return jax.value_and_grad(loss, wanted)


def plan_of(function: Function, arrays: Arrays, precision: str = "default") -> Plan:
    with jax.default_matmul_precision(precision):
        return test_executable.plan_of(str(export.export(jax.jit(function))(*arrays).mlir_module()))


def steps_of(plan: Plan, kind: type) -> list[Any]:
    return [step for block in plan.blocks() for step in block.walk() if isinstance(step, kind)]


def errors_of(
    attend: Function,
    arrays: Arrays,
    folder: Path,
    wanted: tuple[int, ...] = (),
    arch: str = "sm_90",
    precision: str = "",
) -> list[float]:
    """How far results are from those in double, beside the largest number of each; all gradients unless some are."""
    precision = precision or ("highest" if arrays[0].dtype == F32 else "default")
    wanted = wanted or (*range(len(arrays)),)
    plan = plan_of(gradient_of(attend, wanted), arrays, precision)
    (_,), (_,) = steps_of(plan, Attention), steps_of(plan, AttentionGradients)
    assert not steps_of(plan, Gemm)
    executable = executable_of(plan, "CUDA", arch, frozenset(), lambda done, total: None)
    found = Emulator(plan, executable, folder)(arrays)
    with jax.enable_x64(True):
        wide = [x.astype(np.float64) for x in arrays]
        expected = jax.tree.leaves(jax.jit(gradient_of(attend, wanted, jnp.float64))(*wide))
    pairs = [(np.asarray(x, np.float64), np.asarray(y)) for x, y in zip(found, expected, strict=True)]
    return [float(abs(x - y).max() / abs(y).max()) for x, y in pairs]


ALLOWED = {F32: 5e-6, F16: 3e-3, BF16: 1.2e-2}
# Attention, and what it reads.
PROGRAMS: dict[str, tuple[Function, Arrays]] = {
    "f32": (by_hand(), heads(80, 32)),
    "f32, causal, odd": (by_hand(CAUSAL), heads(77, 33)),
    "f32, fewer queries than keys, wide values": (by_hand(), heads(37, 40, keys=90, width=72)),
    "f32, heads of 256": (by_hand(), heads(40, 256, count=1)),
    "f32, repeated keys": (by_hand(CAUSAL, group=2), heads(96, 32, count=4, kept=2)),
    "f32, bias": (by_hand(bias=BIAS), heads(70, 48)),
    "f32, capped": (by_hand(CAUSAL, cap=3.0), heads(96, 48)),
    "f32, exponentials": (by_hand(powers=True), heads(70, 24)),
    "f32, library": (library(), heads(70, 40)),
    "f32, few queries": (by_hand(), heads(5, 40, keys=900)),
    "f32, few keys": (library(), heads(33, 64, keys=2)),
    "f32, some queries see nothing": (by_hand(SOME_HIDDEN), heads(192, 32, count=1)),
    "bf16, causal": (library(is_causal=True), heads(100, 64, BF16)),
    "bf16": (library(), heads(100, 128, BF16)),
    "bf16, keys for several heads": (library(is_causal=True), heads(100, 64, BF16, count=4, kept=2)),
    "bf16, heads of 256": (library(is_causal=True), heads(100, 256, BF16, count=1)),
    "bf16, heads of 200": (library(), heads(70, 200, BF16, count=1)),
    "bf16, odd": (library(is_causal=True), heads(101, 37, BF16)),
    "bf16, repeated keys": (by_hand(CAUSAL, group=2), heads(96, 32, BF16, count=4, kept=2)),
    "bf16, mask": (library(mask=RANDOM), heads(130, 48, BF16)),
    "bf16, bias": (library(bias=BIAS), heads(70, 48, BF16)),
    "bf16, by hand": (by_hand(CAUSAL), heads(96, 48, BF16)),
    "bf16, one query": (library(), heads(1, 32, BF16, keys=2100, count=4)),
    "bf16, one query for each of several heads": (library(), heads(1, 32, BF16, keys=2100, count=4, kept=2)),
    "bf16, some queries see nothing": (library(mask=SOME_HIDDEN[None, None]), heads(192, 32, BF16, count=1)),
    "f16, by hand": (by_hand(RANDOM), heads(96, 48, F16)),
}
# The same with regard to biases, too, that repeat their numbers along some dimensions.
BIASED: dict[str, tuple[Function, Arrays]] = {
    "f32, bias of heads": (library(), with_bias((1, 2, 77, 90), heads(77, 40, keys=90))),
    "f32, bias of sentences": (by_hand(CAUSAL), with_bias((2, 1, 130, 130), heads(130, 32))),
    "f32, bias of queries and keys": (by_hand(), with_bias((70, 90), heads(70, 40, keys=90))),
    "f32, bias of keys": (by_hand(CAUSAL), with_bias((2, 2, 1, 100), heads(100, 32))),
    "f32, bias of queries, capped later": (by_hand(cap=2.0), with_bias((2, 1, 77, 1), heads(77, 40))),
    "f32, bias of heads alone, capped later": (by_hand(cap=2.0), with_bias((2, 1, 1), heads(77, 40))),
    "f32, slopes": (by_hand(CAUSAL, sloped=True), with_bias((2, 1, 1), heads(77, 40))),
    "f32, bias of each score": (by_hand(CAUSAL), with_bias((2, 2, 77, 90), heads(77, 40, keys=90))),
    "f32, bias, repeated keys": (by_hand(group=2), with_bias((1, 4, 96, 96), heads(96, 32, count=4, kept=2))),
    "f32, bias, heads of 256": (by_hand(), with_bias((1, 1, 40, 40), heads(40, 256, count=1))),
    "bf16, bias of heads": (library(is_causal=True), with_bias((1, 2, 150, 150), heads(150, 64, BF16))),
    "bf16, bias of sentences": (library(mask=RANDOM), with_bias((2, 1, 70, 70), heads(70, 37, BF16))),
    "bf16, bias of queries and keys": (library(), with_bias((1, 1, 70, 70), heads(70, 200, BF16))),
    "bf16, bias of keys": (library(is_causal=True), with_bias((2, 2, 1, 101), heads(101, 64, BF16))),
    "bf16, bias of each score": (library(), with_bias((2, 2, 70, 90), heads(70, 64, BF16, keys=90))),
    "bf16, one bias for several heads": (
        library(is_causal=True),
        with_bias((1, 1, 96, 96), heads(96, 32, BF16, count=4, kept=2)),
    ),
    "bf16, bias of keys for several heads": (library(), with_bias((2, 4, 1, 96), heads(96, 32, BF16, count=4, kept=2))),
    "f16, bias of heads": (by_hand(RANDOM), with_bias((1, 2, 96, 96), heads(96, 48, F16))),
}
PROGRAMS |= BIASED


@pytest.mark.parametrize("name", PROGRAMS)
@pytest.mark.sampled(12, ci=4)
def test_numbers_are_those_of_doubles(name: str, tmp_path: Path) -> None:
    attend, arrays = PROGRAMS[name]
    assert max(errors_of(attend, arrays, tmp_path)) < ALLOWED[arrays[0].dtype.type]


ROUNDED = {
    **{name: PROGRAMS[name] for name in PROGRAMS if name.startswith("f32")},
    "heads of 128": (library(is_causal=True), heads(140, 128)),
    "heads of 97, values of 33": (by_hand(RANDOM), heads(100, 97, width=33)),
    "heads of 160": (library(), heads(100, 160, count=1)),
    "heads of 192": (library(is_causal=True), heads(140, 192, count=1)),
    "heads of 256": (library(is_causal=True), heads(140, 256, count=1)),
    "heads of 150, values of 250": (by_hand(RANDOM), heads(70, 150, keys=100, count=1, width=250)),
    "heads of 256, keys for several heads": (library(), heads(70, 256, count=2, kept=1)),
}


def is_rounded(monkeypatch: pytest.MonkeyPatch) -> None:
    """Operands of any size are rounded to TF32 first."""
    for module in (attention, attention_tiles):
        monkeypatch.setattr(module, "LEAST_ROUNDED", 1)
    monkeypatch.setattr(attention, "LEAST_STAGED", 1)


@pytest.mark.parametrize("name", ROUNDED)
@pytest.mark.parametrize("shares", [False, True])
@pytest.mark.parametrize("arch", ["sm_90", "sm_80", "sm_86"])
@pytest.mark.sampled(16, ci=8)
def test_f32_is_rounded_first(
    name: str, shares: bool, arch: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Four warps multiply it together, or each by itself on GPUs without such instructions."""
    is_rounded(monkeypatch)
    if arch != "sm_90":
        monkeypatch.setattr(emulation, "OPTIONS", [*emulation.OPTIONS, "-DHAS_WARPGROUPS=false"])
    if shares:
        monkeypatch.setattr(attention_tiles, "LEAST_STEPS", 1)
    attend, arrays = ROUNDED[name]
    assert max(errors_of(attend, arrays, tmp_path, arch=arch, precision="default")) < 3e-3


@pytest.mark.parametrize("name", ["bf16, by hand", "bf16, causal", "bf16, bias of heads", "f16, by hand"])
@pytest.mark.sampled(2)
def test_narrow_numbers_in_the_highest_precision(name: str, tmp_path: Path) -> None:
    """Attention reads the keys several times then, as it rounds what the program rounds."""
    attend, arrays = PROGRAMS[name]
    assert max(errors_of(attend, arrays, tmp_path, precision="highest")) < 2 * ALLOWED[arrays[0].dtype.type]


@pytest.mark.parametrize("name", PROGRAMS)
@pytest.mark.sampled(12, ci=4, first=7)
def test_vector_jacobian_products(name: str, tmp_path: Path) -> None:
    """Nothing but its gradients reads the result of attention, which the program does not compute."""
    attend, arrays = PROGRAMS[name]
    function = lambda *given: jax.vjp(attend, *given[:-1])[1](given[-1])
    shape = jax.eval_shape(attend, *arrays)
    given = *arrays, np.random.default_rng(3).standard_normal(shape.shape, np.float32).astype(shape.dtype)
    plan = plan_of(function, given, "highest" if arrays[0].dtype == F32 else "default")
    assert steps_of(plan, AttentionGradients) and not steps_of(plan, Gemm)
    executable = executable_of(plan, "CUDA", "sm_90", frozenset(), lambda done, total: None)
    found = Emulator(plan, executable, tmp_path)(given)
    with jax.enable_x64(True):
        expected = [np.asarray(x) for x in jax.jit(function)(*(x.astype(np.float64) for x in given))]
    for ours, exact in zip(found, expected, strict=True):
        assert abs(ours.astype(np.float64) - exact).max() < ALLOWED[arrays[0].dtype.type] * abs(exact).max()


# Kinds of GPUs: without warps that multiply together, and with less shared memory.
@pytest.mark.parametrize("arch", ["sm_80", "sm_89"])
@pytest.mark.parametrize(
    "name",
    ["f32, heads of 256", "bf16, causal", "bf16, heads of 256", "bf16, odd", "bf16, bias", "bf16, bias of heads"],
)
@pytest.mark.sampled(4, ci=2)
def test_gpus_that_multiply_otherwise(name: str, arch: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(emulation, "OPTIONS", [*emulation.OPTIONS, "-DHAS_WARPGROUPS=false"])
    attend, arrays = PROGRAMS[name]
    assert max(errors_of(attend, arrays, tmp_path, arch=arch)) < ALLOWED[arrays[0].dtype.type]


@pytest.mark.parametrize(
    "name",
    [
        "f32, causal, odd", "bf16, heads of 200", "bf16, mask", "bf16, some queries see nothing",
        "f32, bias of queries and keys",
    ],
)  # fmt: skip
@pytest.mark.sampled(2, first=2)
def test_blocks_share_what_few_of_them_would_read(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(attention_tiles, "LEAST_STEPS", 1)
    attend, arrays = PROGRAMS[name]
    assert max(errors_of(attend, arrays, tmp_path)) < ALLOWED[arrays[0].dtype.type]
    plan = plan_of(gradient_of(attend, (*range(len(arrays)),)), arrays)
    executable = executable_of(plan, "CUDA", "sm_90", frozenset(), lambda done, total: None)
    kernels = [kernel for kernel in executable.kernels if kernel.name.startswith("attention_gradients")]
    assert len(kernels) == len(arrays) - 1 and all(kernel.grid[1] > 1 for kernel in kernels)


@pytest.mark.parametrize("group", [1, 2, 4])
@pytest.mark.parametrize("dtype", [F32, BF16])
def test_gradients_of_repeated_keys_are_added_up_at_once(group: int, dtype: Any) -> None:
    arrays = heads(64, 32, dtype, count=4, kept=4 // group)
    plan = plan_of(jax.grad(lambda *x: (by_hand(group=group)(*x) ** 2).sum(), (0, 1, 2)), arrays)
    (step,) = steps_of(plan, AttentionGradients)
    assert plan.main.steps[-1] is step and plan.main.outputs == step.outputs
    assert step.heads.rows == 64 * group


@pytest.mark.parametrize("wanted", [(0,), (1,), (2, 1), (0, 2)])
@pytest.mark.sampled(2, first=1)
def test_only_some_gradients_are_wanted(wanted: tuple[int, ...], tmp_path: Path) -> None:
    assert max(errors_of(by_hand(CAUSAL), heads(70, 32), tmp_path, wanted)) < ALLOWED[F32]


@pytest.mark.parametrize("wanted", [(3,), (0, 3), (3, 1)])
@pytest.mark.sampled(2)
def test_only_some_gradients_are_wanted_beside_that_of_a_bias(wanted: tuple[int, ...], tmp_path: Path) -> None:
    attend, arrays = BIASED["f32, bias of sentences"]
    assert max(errors_of(attend, arrays, tmp_path, wanted)) < ALLOWED[F32]


@pytest.mark.parametrize("name", ["f32, bias of heads", "f32, bias of heads alone, capped later"])
@pytest.mark.sampled(2)
def test_biases_of_products_that_round_to_tf32(name: str, tmp_path: Path) -> None:
    attend, arrays = BIASED[name]
    function = gradient_of(attend, (0, 1, 2, 3))
    executable = executable_of(plan_of(function, arrays), "CUDA", "sm_90", frozenset(), lambda done, total: None)
    *_, found = Emulator(plan_of(function, arrays), executable, tmp_path)(arrays)
    *_, expected = jax.tree.leaves(jax.jit(function)(*arrays))
    assert 0 < abs(found - expected).max() < 1e-3 * abs(expected).max()


@pytest.mark.parametrize("name", BIASED)
@pytest.mark.sampled(6)
def test_no_scores_are_stored_for_gradients_of_biases(name: str) -> None:
    attend, arrays = BIASED[name]
    plan = plan_of(gradient_of(attend, (0, 1, 2, 3)), arrays)
    (batch, queries, count, _), keys = arrays[0].shape, arrays[1].shape[1]
    sizes = [math.prod(type.shape) for block in plan.blocks() for type in block.types]
    scores = batch * queries * count * keys
    assert sizes.count(scores) == (2 if arrays[3].size == scores else 0)  # the bias itself, and its gradient


@pytest.mark.parametrize(
    "name",
    [
        "f32, causal, odd", "bf16, causal", "bf16, heads of 256", "bf16, mask", "bf16, bias of heads",
        "f32, bias of heads alone, capped later",
    ],
)  # fmt: skip
@pytest.mark.parametrize("arch", ["sm_80", "sm_89", "sm_90"])
@pytest.mark.sampled(4, ci=2)
def test_kernels_compile(name: str, arch: str) -> None:
    pytest.importorskip("cuda.bindings.nvrtc")
    attend, arrays = PROGRAMS[name]
    plan = plan_of(gradient_of(attend, (*range(len(arrays)),)), arrays)
    executable = executable_of(plan, "CUDA", arch, frozenset(), lambda done, total: None)
    kernels = [kernel for kernel in executable.kernels if kernel.name.startswith("attention")]
    names = {"attention_means", "attention_gradients_of_keys", *["attention_gradients_of_bias"] * (len(arrays) - 3)}
    assert names <= {kernel.name for kernel in kernels}
    assert all(compile_all([text for text, _ in files(kernels)], arch))


def test_infinite_cotangents_of_hidden_queries_give_nan(tmp_path: Path) -> None:
    """Their weights are 0 where a mask hides keys, and 0 times infinity is no number."""
    arrays = heads(192, 32, BF16, count=1)
    attend = library(is_causal=True)

    def function(q: Any, k: Any, v: Any) -> Any:
        found, pull = jax.vjp(attend, q, k, v)
        return pull(found.at[0, 70, 0, 3].set(jnp.inf))

    plan = plan_of(function, arrays)
    assert steps_of(plan, AttentionGradients)
    executable = executable_of(plan, "CUDA", "sm_90", frozenset(), lambda done, total: None)
    found, theirs = Emulator(plan, executable, tmp_path)(arrays), jax.jit(function)(*arrays)
    assert np.isnan(np.asarray(theirs[2]).astype(np.float32)[0, 71:, 0, 3]).all()
    for ours, expected in zip(found, theirs, strict=True):
        ours, expected = (np.isfinite(np.asarray(x).astype(np.float32)) for x in (ours, expected))
        np.testing.assert_array_equal(ours, expected)


LAYERS, BATCH, TOKENS, HEADS, HEAD = 3, 2, 128, 2, 32


def gradients_of_layers(attend: Function, dtype: Any, again: bool) -> Function:
    """Those of a loop over layers with regard to weights, which `jax.checkpoint` may compute again."""
    width = HEADS * HEAD

    def layer(x: Any, w: Any) -> Any:
        q, k, v = jnp.split((x.astype(dtype) @ w[0].astype(dtype)).reshape(BATCH, TOKENS, HEADS, 3 * HEAD), 3, -1)
        mixed = attend(q, k, v).reshape(BATCH, TOKENS, width)
        return x + (mixed @ w[1].astype(dtype)).astype(jnp.float32), None

    def loss(weights: Any, x: Any) -> Any:
        return (jax.lax.scan(jax.checkpoint(layer) if again else layer, x, weights)[0] ** 2).sum()

    return lambda first, second, x: jax.grad(loss)((first, second), x)


def layers_of(count: int) -> Arrays:
    random, width = np.random.default_rng(0), HEADS * HEAD
    weights = (random.standard_normal((count, width, n), np.float32) / 8 for n in (3 * width, width))
    return *weights, random.standard_normal((BATCH, TOKENS, width), np.float32)


@pytest.mark.parametrize("count", [LAYERS, 1])
@pytest.mark.parametrize("again", [True, False])
@pytest.mark.parametrize(
    "name", ["f32, causal, odd", "f32, capped", "bf16, causal", "bf16, by hand", "f32, exponentials"]
)
@pytest.mark.sampled(4, ci=2)
def test_loops_over_layers_store_no_scores(name: str, again: bool, count: int, tmp_path: Path) -> None:
    """The loop of gradients takes queries and keys from stacks, and computes attention again."""
    attend, (like, *_) = PROGRAMS[name]
    arrays, dtype = layers_of(count), like.dtype.type
    function = gradients_of_layers(attend, dtype, again)
    plan = plan_of(function, arrays, "highest" if dtype is F32 else "default")
    assert steps_of(plan, AttentionGradients)
    sizes = {math.prod(type.shape) for block in plan.blocks() for type in block.types}
    assert max(sizes) < count * BATCH * HEADS * TOKENS**2
    executable = executable_of(plan, "CUDA", "sm_90", frozenset({"cublasLt"}), lambda done, total: None)
    found = Emulator(plan, executable, tmp_path)(arrays)
    expected = jax.jit(gradients_of_layers(attend, F32, again))(*arrays)
    for ours, exact in zip(found, expected, strict=True):
        ours, exact = (np.asarray(x).astype(np.float32) for x in (ours, exact))
        assert abs(ours - exact).max() < ALLOWED[dtype] * 2 * abs(exact).max()


def gradients_of_biased_layers(dtype: Any, again: bool, apart: bool) -> Function:
    """Those of a loop over layers whose scores have biases out of a table, or out of one for each layer."""
    distances = abs(np.arange(TOKENS)[:, None] - np.arange(TOKENS)) // 8

    def loss(first: Any, second: Any, tables: Any, x: Any) -> Any:
        def layer(x: Any, w: Any) -> Any:
            bias = jnp.moveaxis((w[2] if apart else tables[0])[distances], 2, 0)[None].astype(dtype)
            q, k, v = jnp.split((x.astype(dtype) @ w[0].astype(dtype)).reshape(BATCH, TOKENS, HEADS, 3 * HEAD), 3, -1)
            mixed = nn.dot_product_attention(q, k, v, bias=bias, is_causal=True).reshape(x.shape)
            return x + (mixed @ w[1].astype(dtype)).astype(jnp.float32), None

        return (jax.lax.scan(jax.checkpoint(layer) if again else layer, x, (first, second, tables))[0] ** 2).sum()

    return jax.grad(loss, (0, 1, 2))


@pytest.mark.parametrize("dtype", [F32, BF16])
@pytest.mark.parametrize("again", [True, False])
@pytest.mark.parametrize("apart", [True, False])
@pytest.mark.sampled(2, ci=1)
def test_loops_over_layers_with_biases_store_no_scores(dtype: Any, again: bool, apart: bool, tmp_path: Path) -> None:
    first, second, x = layers_of(LAYERS)
    arrays = first, second, np.random.default_rng(1).standard_normal((LAYERS, 16, HEADS), np.float32), x
    plan = plan_of(gradients_of_biased_layers(dtype, again, apart), arrays, "highest" if dtype is F32 else "default")
    assert steps_of(plan, AttentionGradients)
    assert max(math.prod(type.shape) for block in plan.blocks() for type in block.types) < BATCH * HEADS * TOKENS**2
    executable = executable_of(plan, "CUDA", "sm_90", frozenset({"cublasLt"}), lambda done, total: None)
    found = Emulator(plan, executable, tmp_path)(arrays)
    expected = jax.jit(gradients_of_biased_layers(F32, again, apart))(*arrays)
    for ours, exact in zip(found, expected, strict=True):
        assert abs(ours - exact).max() < ALLOWED[dtype] * 2 * abs(exact).max()


def test_stacks_that_others_read_are_stored() -> None:
    """A program may return the weights of all layers."""

    def layer(x: Any, w: Any) -> Any:
        q, k, v = jnp.split((x @ w[0]).reshape(BATCH, TOKENS, HEADS, 3 * HEAD), 3, -1)
        shares = nn.softmax(jnp.einsum("bqhd,bkhd->bhqk", q, k), -1)
        return x + jnp.einsum("bhqk,bkhd->bqhd", shares, v).reshape(x.shape) @ w[1], shares

    def loss(weights: Any, x: Any) -> Any:
        x, shares = jax.lax.scan(layer, x, weights)
        return (x**2).sum(), shares

    plan = plan_of(jax.grad(lambda a, b, x: loss((a, b), x), (0, 1), has_aux=True), layers_of(LAYERS))
    assert not steps_of(plan, AttentionGradients)


# ---------------------------------------------------------------- what is no gradient of attention


def test_gradients_before_the_result_are_products(tmp_path: Path) -> None:
    """They read statistics that attention has not computed by then."""

    def function(q: Any, k: Any, v: Any, g: Any) -> Any:
        found, pull = jax.vjp(by_hand(), q, k, v)
        return *pull(g), found

    arrays = *heads(64, 32), heads(64, 32)[0]
    lines = str(export.export(jax.jit(function))(*arrays).mlir_module()).splitlines()
    end = next(n for n, line in enumerate(lines) if line.strip().startswith("return"))
    names = [lines[end].split(":")[0].split(",")[-1].strip()]  # the result of attention, and what it is made of
    moved = list[int]()
    for n in range(end - 1, 0, -1):
        name, _, text = lines[n].strip().partition(" = ")
        if name in names:
            moved.append(n)
            names += [word.strip(",") for word in text.split() if word.startswith("%")] if "transpose" in text else []
    assert len(moved) == 2 and any("dot_general" in lines[n] for n in moved)
    kept = [line for n, line in enumerate(lines[:end]) if n not in moved]
    text = "\n".join([*kept, *(lines[n] for n in sorted(moved)), *lines[end:]])
    late, early = (test_executable.plan_of(x) for x in (text, "\n".join(lines)))
    assert steps_of(early, AttentionGradients) and not steps_of(late, AttentionGradients)
    results = list[list[np.ndarray]]()
    for number, plan in enumerate((early, late)):
        (folder := tmp_path / str(number)).mkdir()
        executable = executable_of(plan, "CUDA", "sm_90", frozenset(), lambda done, total: None)
        results.append(Emulator(plan, executable, folder)(arrays))
    for x, y in zip(*results, strict=True):
        np.testing.assert_allclose(x, y, rtol=0, atol=2e-3 * abs(y).max())


def attention_with(backward: Callable[..., Any]) -> Function:
    """Attention whose gradients of scores and of weights are what a function makes of weights and their gradients."""

    def scores(q: Any, k: Any) -> Any:
        return jnp.einsum("bqhd,bkhd->bhqk", q, k) * 0.125

    @jax.custom_vjp
    def attend(q: Any, k: Any, v: Any) -> Any:
        return jnp.einsum("bhqk,bkhd->bqhd", nn.softmax(scores(q, k), -1), v)

    def forward(q: Any, k: Any, v: Any) -> Any:
        shares = nn.softmax(scores(q, k), -1)
        return jnp.einsum("bhqk,bkhd->bqhd", shares, v), (q, k, v, shares)

    def back(kept: Any, cotangents: Any) -> Any:
        q, k, v, shares = kept
        of_scores, of_values = backward(shares, jnp.einsum("bqhd,bkhd->bhqk", cotangents, v))
        return (
            jnp.einsum("bhqk,bkhd->bqhd", of_scores, k),
            jnp.einsum("bhqk,bqhd->bkhd", of_scores, q),
            jnp.einsum("bhqk,bqhd->bkhd", of_values, cotangents),
        )

    attend.defvjp(forward, back)
    return attend


def mean(p: Any, g: Any) -> Any:
    return (p * g).sum(-1, keepdims=True)


BACKWARD: dict[str, tuple[Callable[..., Any], bool]] = {
    "as it is": (lambda p, g: (0.125 * p * (g - mean(p, g)), p), True),
    "written out": (lambda p, g: ((p * g - p * mean(p, g)) / 8, p), True),
    "negative twice": (lambda p, g: (-(mean(p, g) - g) * p * 0.125, p), True),
    "another scale": (lambda p, g: (0.25 * p * (g - mean(p, g)), p), False),
    "no mean": (lambda p, g: (0.125 * p * g, p), False),
    "half a mean": (lambda p, g: (0.125 * p * (g - 0.5 * mean(p, g)), p), False),
    "squares": (lambda p, g: (0.125 * p * p * (g - mean(p, g)), p), False),
    "a mean along queries": (lambda p, g: (0.125 * p * (g - (p * g).sum(-2, keepdims=True)), p), False),
    "exchanged": (lambda p, g: (0.125 * p * (g - mean(p, jnp.swapaxes(g, 0, 2))), p), False),
    "other values": (lambda p, g: (0.125 * p * (g - mean(p, g)), 2 * p), False),
    "half of the scores": (lambda p, g: (jnp.where(CAUSAL[:64, :64], 0.125 * p * (g - mean(p, g)), 0), p), False),
    "a sine": (lambda p, g: (jnp.sin(0.125 * p * (g - mean(p, g))), p), False),
}


@pytest.mark.parametrize("name", BACKWARD)
def test_only_what_is_a_gradient_is_one(name: str, tmp_path: Path) -> None:
    backward, is_one = BACKWARD[name]
    random = np.random.default_rng(2)
    arrays = tuple(
        random.standard_normal((64, 64, 64 if name == "exchanged" else 2, 64), np.float32)[:, :64] for _ in range(3)
    )
    arrays = arrays if name == "exchanged" else tuple(x[:2] for x in arrays)
    plan = plan_of(gradient_of(attention_with(backward)), arrays)
    assert bool(steps_of(plan, AttentionGradients)) == is_one
    assert len(steps_of(plan, Gemm)) == (0 if is_one else 6)


def test_scores_that_are_wanted_are_stored() -> None:
    def function(q: Any, k: Any, v: Any) -> Any:
        shares = nn.softmax(jnp.einsum("bqhd,bkhd->bhqk", q, k), -1)
        return jnp.einsum("bhqk,bkhd->bqhd", shares, v), shares

    def loss(*arrays: Any) -> Any:
        found, shares = function(*arrays)
        return (found**2).sum(), shares

    plan = plan_of(jax.grad(loss, (0, 1, 2), has_aux=True), heads(64, 64))
    assert not steps_of(plan, AttentionGradients) and len(steps_of(plan, Gemm)) == 6


def attention_with_bias(of_bias: Callable[..., Any]) -> Function:
    """Attention whose gradient of a bias is what a function makes of those of scores, of weights and their own."""

    @jax.custom_vjp
    def attend(*given: Any) -> Any:
        return forward(*given)[0]

    def forward(q: Any, k: Any, v: Any, bias: Any) -> Any:
        shares = nn.softmax(jnp.einsum("bqhd,bkhd->bhqk", q, k) / q.shape[-1] ** 0.5 + bias, -1)
        return jnp.einsum("bhqk,bkhd->bqhd", shares, v), (q, k, v, shares)

    def back(kept: Any, cotangents: Any) -> Any:
        q, k, v, shares = kept
        g = jnp.einsum("bqhd,bkhd->bhqk", cotangents, v)
        of_scores = shares * (g - mean(shares, g))
        of_products = of_scores / q.shape[-1] ** 0.5
        return (
            jnp.einsum("bhqk,bkhd->bqhd", of_products, k),
            jnp.einsum("bhqk,bqhd->bkhd", of_products, q),
            jnp.einsum("bhqk,bqhd->bkhd", shares, cotangents),
            of_bias(of_scores, shares, g),
        )

    attend.defvjp(forward, back)
    return attend


# What becomes of the gradient of scores: whether it is one of a bias, and whether scores are stored.
OF_BIAS: dict[str, tuple[Callable[..., Any], bool, bool]] = {
    "as it is": (lambda s, p, g: s.sum(0), True, False),
    "negative": (lambda s, p, g: -s.sum(0), True, False),
    "half of each": (lambda s, p, g: (0.5 * s).sum(0), True, False),
    "two sums": (lambda s, p, g: s.sum(0) + s.sum((0, 2), keepdims=True)[0], True, False),
    "the highest": (lambda s, p, g: s.max(0), True, True),
    "sines": (lambda s, p, g: jnp.sin(s).sum(0), True, True),
    "squares": (lambda s, p, g: (s * s).sum(0), False, True),
    "weights": (lambda s, p, g: p.sum(0), False, True),
    "gradients of weights": (lambda s, p, g: g.sum(0), False, True),
    "weighted": (lambda s, p, g: (p * g).sum(0), False, True),
    "half of the scores": (lambda s, p, g: jnp.where(CAUSAL[:70, :70], s, 0.0).sum(0), False, True),
}


@pytest.mark.parametrize("name", OF_BIAS)
@pytest.mark.sampled(6, ci=3)
def test_only_what_is_a_gradient_of_a_bias_is_one(name: str, tmp_path: Path) -> None:
    of_bias, is_one, stores = OF_BIAS[name]
    attend, arrays = attention_with_bias(of_bias), with_bias((2, 70, 70), heads(70, 32))
    plan = plan_of(gradient_of(attend, (0, 1, 2, 3)), arrays)
    assert bool(steps_of(plan, AttentionGradients)) == is_one
    sizes = {math.prod(type.shape) for block in plan.blocks() for type in block.types}
    assert (max(sizes) >= 2 * 2 * 70 * 70) == stores
    if is_one:
        assert max(errors_of(attend, arrays, tmp_path)) < ALLOWED[F32]
    else:
        assert len(steps_of(plan, Gemm)) > 1


def test_gradients_of_scores_that_products_read_are_stored_once(tmp_path: Path) -> None:
    """As those of relative positions that queries are multiplied by."""

    def attend(q: Any, k: Any, v: Any, positions: Any) -> Any:
        return by_hand()(q, k, v, jnp.einsum("bqhd,qkd->bhqk", q, positions))

    arrays = with_bias((70, 70, 32), heads(70, 32))
    function = gradient_of(attend, (0, 1, 2, 3))
    plan = plan_of(function, arrays, "highest")
    # The gradient of positions has a term for each head of the batch: sums of four.
    assert steps_of(plan, AttentionGradients) and len(steps_of(plan, Gemm)) == 2
    sizes = [math.prod(type.shape) for block in plan.blocks() for type in block.types]
    assert sizes.count(2 * 2 * 70 * 70) == 2  # with what is added to scores
    executable = executable_of(plan, "CUDA", "sm_90", frozenset(), lambda done, total: None)
    found, expected = Emulator(plan, executable, tmp_path)(arrays), jax.tree.leaves(jax.jit(function)(*arrays))
    for ours, theirs in zip(found, expected, strict=True):
        assert abs(ours - theirs).max() < 2 * ALLOWED[F32] * abs(theirs).max()


@pytest.mark.parametrize("limit", [2 << 30, 0])
@pytest.mark.parametrize("precision", ["highest", "default"])
def test_wide_heads_as_exact_as_f32_are_stored_unless_memory_is_short(
    precision: str, limit: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(finding, "MOST_BYTES", limit)
    shapes = tuple(jax.ShapeDtypeStruct((2, 1024, 8, 192), np.float32) for _ in range(3))
    found = steps_of(plan_of(gradient_of(library()), shapes, precision), AttentionGradients)
    assert bool(found) == (not limit or precision == "default")


@pytest.mark.parametrize(("size", "kernels"), [(64, 1), (128, 1), (192, 1), (200, 2), (256, 2)])
def test_gradients_of_keys_and_values_are_computed_together_if_there_is_room(size: int, kernels: int) -> None:
    shapes = tuple(jax.ShapeDtypeStruct((2, 1024, 8, size), np.float32) for _ in range(3))
    (step,) = steps_of(plan_of(gradient_of(library()), shapes), AttentionGradients)
    names = [part.name for part in attention_gradients.arrange(step, "sm_90").parts if isinstance(part, CudaKernel)]
    assert names.count("attention_gradients_of_keys") == kernels and names.count("attention_gradients_of_queries") == 1
    assert names.count("round") == 4  # queries, keys, values and cotangents, by rows only


@pytest.mark.parametrize("sizes", [(16, 16), (64, 64), (128, 128), (256, 256), (256, 16), (96, 200)])
@pytest.mark.parametrize("element", ["f32", "bf16"])
@pytest.mark.parametrize("arch", ["sm_80", "sm_89", "sm_90", "sm_120"])
def test_tiles_fit_in_a_block(sizes: tuple[int, int], element: str, arch: str, monkeypatch: pytest.MonkeyPatch) -> None:
    is_rounded(monkeypatch)
    (step,) = steps_of(plan_of(gradient_of(library()), heads(64, 64)), AttentionGradients)
    heads_of_sizes = replace(step.heads, depth=sizes[0], width=sizes[1], types=(element, element, element, element))
    gradients = replace(step.gradients, heads=heads_of_sizes, element=element)
    tiling = attention_tiles.GradientTiling.of(gradients, arch, False)
    assert tiling.rounded == (element == "f32" and arch == "sm_90" and sizes[0] > 16)
    most = {"sm_80": 163, "sm_90": 227}.get(arch, 99) << 10
    used = tiling.shared_bytes(gradients)
    assert used + attention_tiles.MOST_STEPS + 1024 <= most and tiling.tile >= 16
