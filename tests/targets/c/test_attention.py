"""Attention as a step of its own: how it is recognised, and its numbers beside those of numpy in double."""

from __future__ import annotations

import ctypes
import math
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from jax import export, lax, nn
from targets.c.test_products import PROCESSOR

import hlo2tiny
from hlo2tiny.machine.compiler import zig_clang
from hlo2tiny.plan import build
from hlo2tiny.plan.heads import Heads
from hlo2tiny.plan.plan import Attention, Gemm
from hlo2tiny.targets import TINYGRAD
from hlo2tiny.targets.c.products import attention_fields, attention_scratch
from hlo2tiny.targets.c.templates import attention_text

Arrays = tuple[np.ndarray, ...]
LOWEST = -jnp.inf


def numbers(*shape: int, seed: int = 0) -> np.ndarray:
    return np.random.default_rng([seed, *shape]).standard_normal(shape).astype(np.float32)


def heads(batch: int, count: int, queries: int, keys: int, depth: int, width: int | None = None) -> Arrays:
    """Queries, keys and values as batch × heads × tokens × numbers."""
    shapes = (queries, depth), (keys, depth), (keys, width or depth)
    return tuple(numbers(batch, count, *shape, seed=i) for i, shape in enumerate(shapes))


def text_of(function: Callable[..., Any], arrays: Arrays) -> str:
    shapes = [jax.ShapeDtypeStruct(x.shape, x.dtype) for x in arrays]
    return str(export.export(jax.jit(function))(*shapes).mlir_module())


def steps_of(text: str) -> list[Attention | Gemm]:
    plan = build(hlo2tiny.parse(text), products=True, attention=True)
    return [step for block in plan.blocks() for step in block.steps if isinstance(step, Attention | Gemm)]


def exact(q: Any, k: Any, v: Any, changed: Callable[[Any], Any] = lambda s: s) -> np.ndarray:
    """Attention in double, of arrays of batch × heads × tokens × numbers."""
    scores = changed(q.astype(np.float64) @ np.swapaxes(k, -1, -2).astype(np.float64) / math.sqrt(q.shape[-1]))
    with np.errstate(invalid="ignore"):
        weights = np.exp(scores - scores.max(-1, keepdims=True))
        return np.asarray(weights / weights.sum(-1, keepdims=True) @ v.astype(np.float64))


def plain(q: Any, k: Any, v: Any, changed: Callable[[Any], Any] = lambda s: s) -> Any:
    return nn.softmax(changed(q @ k.swapaxes(-1, -2) / math.sqrt(q.shape[-1]))) @ v


def masked(mask: Any) -> Callable[[Any], Any]:
    return lambda s: (np if isinstance(s, np.ndarray) else jnp).where(mask, s, LOWEST)


def run(function: Callable[..., Any], arrays: Arrays, **options: Any) -> np.ndarray:
    (result,) = hlo2tiny.load(text_of(function, arrays), "CPU", **options).numpy(*arrays)
    return result


def only_attention(function: Callable[..., Any], arrays: Arrays) -> Heads:
    (step,) = steps_of(text_of(function, arrays))
    assert isinstance(step, Attention)
    return step.heads


def expect_close(result: np.ndarray, expected: np.ndarray) -> None:
    np.testing.assert_allclose(result, expected, rtol=0, atol=3e-6)


# ---------------------------------------------------------------- numbers

SIZES = {
    "one query": (1, 12, 1, 300, 64),
    "few queries, a broken panel": (2, 3, 5, 77, 20),
    "whole tiles": (1, 2, 96, 128, 64),
    "broken tiles and parts": (1, 2, 131, 67, 33),
    "values of another width": (1, 3, 40, 50, 24, 40),
    "many keys": (1, 1, 50, 3000, 16),
    "wider than a panel": (1, 1, 20, 30, 150),
}


@pytest.mark.sampled(3)
@pytest.mark.parametrize("sizes", SIZES.values(), ids=SIZES)
def test_numbers_are_those_of_a_softmax_in_double(sizes: tuple[int, ...]) -> None:
    arrays = heads(*sizes)
    only_attention(plain, arrays)
    expect_close(run(plain, arrays), exact(*arrays))


def test_attention_reads_what_attention_computes() -> None:
    """The second one does not look through the transpose at the end of the first, whose own result is never stored."""
    q, k = numbers(2, 20, 2, 18), numbers(40, 2, 18)

    def chained(q: jax.Array, k: jax.Array) -> jax.Array:
        for _ in range(2):
            q = jnp.einsum("bhqk,khd->bqhd", nn.softmax(jnp.einsum("bqhd,khd->bhqk", q, k)), k)
        return q

    assert [type(step) for step in steps_of(text_of(chained, (q, k)))] == [Attention, Attention]
    expect_close(run(chained, (q, k)), chained(q, k))  # type: ignore[arg-type]


@pytest.mark.ci
@pytest.mark.sampled(3)
@pytest.mark.parametrize("processor", ["x86_64", "x86_64_v3"])
@pytest.mark.parametrize("name", ["one query", "broken tiles and parts"])
def test_numbers_on_lesser_processors(processor: str, name: str, tmp_path: Path) -> None:
    if "x86_64" not in PROCESSOR or (processor == "x86_64_v3" and "avx2" not in PROCESSOR):
        pytest.skip("another kind of processor")
    arrays = heads(*SIZES[name])
    found = only_attention(plain, arrays)
    call = "sattention(&heads, q, k, v, &none, outputs, scratch, 1, 0)"
    head = "EXPORTED void run(float *q, float *k, float *v, float *out, char *scratch)"
    run = f"{head} {{ const void *none = 0; void *outputs[] = {{out, 0, 0}}; {call}; }}"
    text = "\n".join(
        [attention_text("s"), f"static const struct attention heads = {{{attention_fields(found)}}};", run]
    )
    (tmp_path / "attention.c").write_text(text)
    command = [zig_clang()[0], "cc", "-O2", f"-mcpu={processor}", "-fPIC", "-shared", "-fwrapv", "-Wall", "-Werror"]
    subprocess.run([*command, str(tmp_path / "attention.c"), "-o", str(tmp_path / "attention.so")], check=True)
    expected = exact(*arrays)
    result, scratch = np.empty_like(expected, np.float32), np.empty(attention_scratch(found), np.uint8)
    ctypes.CDLL(str(tmp_path / "attention.so")).run(
        *(ctypes.c_void_p(x.ctypes.data) for x in (*arrays, result, scratch))
    )
    expect_close(result, expected)


CAUSAL = np.tril(np.ones((70, 70), bool))
BIAS = numbers(2, 4, 70, 70, seed=9)
PADDING = np.random.default_rng(1).random((2, 1, 1, 70)) < 0.7
CHANGES: dict[str, Callable[[Any], Any]] = {
    "causal": masked(CAUSAL),
    "padding": masked(PADDING),
    "the other way round": lambda s: (np if isinstance(s, np.ndarray) else jnp).where(~CAUSAL, LOWEST, s),
    "a bias": lambda s: s + BIAS,
    "a bias by head, on the left": lambda s: BIAS[:1, :, :1] + s,
    "several": lambda s: masked(PADDING)(masked(CAUSAL)(1.7 * s - BIAS) / 3),
    "capped": lambda s: (np if isinstance(s, np.ndarray) else jnp).tanh(s / 5) * 5,
}


@pytest.mark.parametrize("name", CHANGES)
def test_scores_may_change_before_the_softmax(name: str) -> None:
    arrays = heads(2, 4, 70, 70, 32)

    def function(q: Any, k: Any, v: Any) -> Any:
        return plain(q, k, v, CHANGES[name])

    assert only_attention(function, arrays).changes
    expect_close(run(function, arrays), exact(*arrays, CHANGES[name]))


def test_numbers_of_64_bits_are_constants_too() -> None:
    """With `jax_enable_x64`, constants have 64 bits, and are converted."""
    arrays = heads(1, 2, 70, 70, 32)

    def changed(scores: Any) -> Any:
        return (np if isinstance(scores, np.ndarray) else jnp).where(CAUSAL, scores, -1.1e9)

    def function(q: Any, k: Any, v: Any) -> Any:
        return plain(q, k, v, changed)

    jax.config.update("jax_enable_x64", True)
    try:
        text = text_of(function, arrays)
    finally:
        jax.config.update("jax_enable_x64", False)
    assert "f64" in text
    (step,) = steps_of(text)
    assert isinstance(step, Attention)
    assert [c.number for c in step.heads.changes if c.kind == "keep"] == [float(np.float32(-1.1e9))]
    (result,) = hlo2tiny.load(text, "CPU").numpy(*arrays)
    expect_close(result, exact(*arrays, changed))


def test_a_query_that_may_read_no_key_gives_nan_as_a_softmax_does() -> None:
    arrays = heads(1, 2, 20, 20, 16)
    mask = np.tril(np.ones((20, 20), bool), -1)

    def function(q: Any, k: Any, v: Any) -> Any:
        return plain(q, k, v, masked(mask))

    only_attention(function, arrays)
    result = run(function, arrays)
    assert np.isnan(result[:, :, 0]).all()
    expect_close(result[:, :, 1:], exact(*arrays, masked(mask))[:, :, 1:])


@pytest.mark.sampled(8, ci=4)
@pytest.mark.parametrize("hidden", [-np.inf, -1e9, -30.0])
@pytest.mark.parametrize("special", [1.0, np.inf, np.nan])
@pytest.mark.parametrize("without", [False, True], ids=["", "a query without keys"])
def test_the_last_keys_are_left_out_where_that_changes_no_bit(hidden: float, special: float, without: bool) -> None:
    """The numbers are those of the same queries beside one that reads all keys."""
    q, k, v = heads(1, 2, 31, 150, 24)
    v[0, 1, 140, 3] = k[0, 0, 149, 2] = special
    mask = np.tril(np.ones((31, 150), bool), 70)
    mask[:30, 90], mask[30, :] = False, True
    mask[4, :] &= not without

    def function(q: Any, k: Any, v: Any, mask: Any) -> Any:
        return plain(q, k, v, lambda s: jnp.where(mask, s, hidden))

    only_attention(function, (q, k, v, mask))
    beside = run(function, (q, k, v, mask))
    np.testing.assert_array_equal(run(function, (q[:, :, :30], k, v, mask[:30])), beside[:, :, :30])


@pytest.mark.sampled(5, ci=5)
@pytest.mark.parametrize("special", [np.nan, np.inf, -np.inf, 3e38])
@pytest.mark.parametrize("operand", [0, 1, 2])
def test_special_numbers_reach_the_results_that_they_reach_in_a_softmax(special: float, operand: int) -> None:
    arrays = heads(1, 2, 20, 24, 16)
    arrays[operand][0, 1, 3, 5] = special
    only_attention(plain, arrays)
    with np.errstate(all="ignore"):
        weights = nn.softmax(jnp.asarray(arrays[0] @ arrays[1].swapaxes(-1, -2)) / 4)
        expected = np.asarray(weights @ arrays[2])
    result = run(plain, arrays)
    assert (np.isfinite(result) == np.isfinite(expected)).all()
    np.testing.assert_allclose(result, expected, rtol=1e-5, atol=3e-6)


def test_large_values_do_not_overflow() -> None:
    q, k, v = heads(1, 1, 20, 400, 16)
    v = np.full_like(v, 3e38)
    np.testing.assert_allclose(run(plain, (q, k, v)), 3e38, rtol=1e-5)


# ---------------------------------------------------------------- layouts


def joined(x: Any) -> Any:
    """batch × heads × tokens × numbers as batch × tokens × (heads × numbers)."""
    return x.swapaxes(1, 2).reshape(x.shape[0], x.shape[2], -1)


def split(x: Any, count: int) -> Any:
    return x.reshape(*x.shape[:2], count, -1).swapaxes(1, 2)


def test_heads_are_read_and_written_where_they_lie() -> None:
    arrays = heads(2, 4, 33, 41, 16)

    def function(q: Any, k: Any, v: Any) -> Any:
        return joined(plain(*(split(x, 4) for x in (q, k, v))))

    flat = tuple(joined(x) for x in arrays)
    text = text_of(function, flat)
    plan = build(hlo2tiny.parse(text), products=True, attention=True)
    assert [type(step) for step in plan.main.steps] == [Attention]
    expect_close(run(function, flat), joined(exact(*arrays)))


def test_operands_of_products_may_come_in_either_order() -> None:
    arrays = heads(2, 3, 17, 29, 16)

    def function(q: Any, k: Any, v: Any) -> Any:
        scores = lax.dot_general(k, q, (((3,), (3,)), ((0, 1), (0, 1)))) / 4  # … × keys × queries
        weights = nn.softmax(scores, axis=2)
        return lax.dot_general(v, weights, (((2,), (2,)), ((0, 1), (0, 1)))).swapaxes(2, 3)

    assert only_attention(function, arrays).keys == 29
    expect_close(run(function, arrays), exact(*arrays))


@pytest.mark.parametrize("shared", [1, 2])
def test_attention_of_jax(shared: int) -> None:
    q, k, v = (x.swapaxes(1, 2) for x in heads(2, 4, 40, 40, 16))
    k, v = k[:, :, :shared], v[:, :, :shared]

    def function(q: Any, k: Any, v: Any) -> Any:
        return nn.dot_product_attention(q, k, v, is_causal=True)

    expected = exact(
        *(np.repeat(x, 4 // x.shape[2], 2).swapaxes(1, 2) for x in (q, k, v)), masked(np.tril(np.ones((40, 40), bool)))
    )
    result = run(function, (q, k, v))
    expect_close(result, expected.swapaxes(1, 2))


@pytest.mark.sampled(3, ci=3)
@pytest.mark.parametrize("index", ["i32", "i64"])
@pytest.mark.parametrize("layer", [-3, 0, 2, 9])
def test_keys_and_values_may_be_slices_of_a_stack(layer: int, index: str) -> None:
    q, k, v = heads(1, 3, 5, 40, 16)
    stacks = tuple(np.stack([x, 2 * x, 3 * x]) for x in (k, v))

    def function(q: Any, k: Any, v: Any, layer: Any) -> Any:
        return plain(q, *(lax.dynamic_slice(x, (layer, 0, 0, 0, 0), (1, *x.shape[1:]))[0] for x in (k, v)))

    text = text_of(function, (q, *stacks, np.int32(layer))).replace("i32", index)
    (step,) = steps_of(text)
    assert isinstance(step, Attention)
    assert [(o.operand, o.most, o.stride) for o in step.heads.offsets] == [(1, 2, k.size), (2, 2, v.size)]
    number = np.array(layer, {"i32": np.int32, "i64": np.int64}[index])
    (result,) = hlo2tiny.load(text, "CPU").numpy(q, *stacks, number)
    scale = min(max(layer, 0), 2) + 1
    expect_close(result / scale, exact(q, k * scale, v))


def test_numbers_do_not_depend_on_threads() -> None:
    arrays = heads(1, 3, 300, 200, 64)
    results = [run(plain, arrays, threads=threads) for threads in (1, 2, 3)]
    assert results[0].tobytes() == results[1].tobytes() == results[2].tobytes()


# ---------------------------------------------------------------- what stays as it is


def test_scores_that_something_else_reads_stay() -> None:
    def function(q: Any, k: Any, v: Any) -> Any:
        weights = nn.softmax(q @ k.swapaxes(-1, -2))
        return weights @ v, weights

    assert {type(step) for step in steps_of(text_of(function, heads(1, 2, 20, 20, 16)))} == {Gemm}


OTHERS: dict[str, Callable[..., Any]] = {
    "another function of scores": lambda q, k, v: nn.softmax(jnp.sin(q @ k.swapaxes(-1, -2))) @ v,
    "a softmax along the queries": lambda q, k, v: nn.softmax(q @ k.swapaxes(-1, -2), axis=-2) @ v,
    "a softmax of all scores": lambda q, k, v: nn.softmax(q @ k.swapaxes(-1, -2), axis=(-1, -2)) @ v,
    "no softmax": lambda q, k, v: jnp.exp(q @ k.swapaxes(-1, -2)) @ v,
    "another maximum": lambda q, k, v: softmax_beside(q @ k.swapaxes(-1, -2), 1.0) @ v,
}


def softmax_beside(scores: Any, least: float) -> Any:
    powers = jnp.exp(scores - jnp.maximum(scores.max(-1, keepdims=True), least))
    return powers / powers.sum(-1, keepdims=True)


@pytest.mark.parametrize("name", OTHERS)
def test_what_is_not_attention_stays_products(name: str) -> None:
    assert {type(step) for step in steps_of(text_of(OTHERS[name], heads(1, 2, 20, 20, 16)))} == {Gemm}


def test_its_region_computes_the_same_with_kernels() -> None:
    """For targets without attention, and for machines without a compiler."""
    arrays = heads(1, 2, 9, 33, 16)
    mask = np.tril(np.ones((9, 33), bool), 20)

    def function(q: Any, k: Any, v: Any) -> Any:
        return joined(plain(q, k, v, masked(mask)))

    plan = build(hlo2tiny.parse(text_of(function, arrays)), products=True, attention=True)
    (result,) = TINYGRAD.compile(plan, "CPU", {}).run_numpy(arrays)
    expect_close(result, joined(exact(*arrays, masked(mask))))
