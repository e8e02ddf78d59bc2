"""Gradients of attention on the CPU, with scores computed again: the numbers, and that nothing stores scores."""

from __future__ import annotations

import ctypes
import math
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from jax import export
from targets.c.test_products import PROCESSOR

import hlo2tiny
from hlo2tiny.machine.compiler import zig_clang
from hlo2tiny.plan.heads import Change, Gradients, Heads, StoredGradient
from hlo2tiny.plan.plan import Attention, AttentionGradients, Gemm, Plan
from hlo2tiny.targets.c.products import gradients_fields, gradients_scratch
from hlo2tiny.targets.c.templates import attention_gradients_text

sys.path.append(str(Path(__file__).parents[1] / "cuda"))
from targets.cuda.test_attention_gradients import (
    ALLOWED,
    BF16,
    F16,
    F32,
    PROGRAMS,
    by_hand,
    gradient_of,
    gradients_of_layers,
    heads,
    layers_of,
    library,
    steps_of,
    with_bias,
)

Function = Callable[..., Any]
Arrays = tuple[np.ndarray, ...]


def loaded(function: Function, arrays: Arrays, **options: Any) -> hlo2tiny.Program:
    with jax.default_matmul_precision("highest"):
        return hlo2tiny.load(str(export.export(jax.jit(function))(*arrays).mlir_module()), "CPU", **options)


def plan_of(program: hlo2tiny.Program, arrays: Arrays) -> Plan:
    return program.plan_for([x.shape for x in arrays])


def in_double(function: Function, arrays: Arrays) -> list[np.ndarray]:
    with jax.enable_x64(True):
        return [np.asarray(x) for x in jax.tree.leaves(jax.jit(function)(*(x.astype(np.float64) for x in arrays)))]


def allowed(step: AttentionGradients) -> float:
    """A program that rounds scores to narrow numbers is as far from those in double as these are."""
    types = {"f32": F32, "bf16": BF16, "f16": F16}
    return ALLOWED[types[step.gradients.element]] * (1 if step.heads.rounded[1] == "f32" else 2)


def errors_of(found: Any, exact: list[np.ndarray]) -> list[float]:
    """How far results are from those in double, beside the largest number of each."""
    pairs = [(np.asarray(x).astype(np.float64), y) for x, y in zip(found, exact, strict=True)]
    return [float(abs(x - y).max() / abs(y).max()) for x, y in pairs]


@pytest.mark.parametrize("name", PROGRAMS)
@pytest.mark.sampled(4, ci=4)
def test_numbers_are_those_of_doubles(name: str) -> None:
    attend, arrays = PROGRAMS[name]
    wanted = tuple(range(len(arrays)))  # biases, too
    program = loaded(gradient_of(attend, wanted), arrays)
    plan = plan_of(program, arrays)
    (_,), (step,) = steps_of(plan, Attention), steps_of(plan, AttentionGradients)
    assert not steps_of(plan, Gemm)
    exact = in_double(gradient_of(attend, wanted, dtype=jnp.float64), arrays)
    assert max(errors_of(program.numpy(*arrays), exact)) < allowed(step)


@pytest.mark.parametrize("name", PROGRAMS)
@pytest.mark.sampled(8, ci=4, first=3)
def test_vector_jacobian_products(name: str) -> None:
    attend, arrays = PROGRAMS[name]
    function = lambda *given: jax.vjp(attend, *given[:-1])[1](given[-1])
    shape = jax.eval_shape(attend, *arrays)
    given = *arrays, np.random.default_rng(3).standard_normal(shape.shape, np.float32).astype(shape.dtype)
    program = loaded(function, given)
    (step,) = steps_of(plan_of(program, given), AttentionGradients)
    assert max(errors_of(program.numpy(*given), in_double(function, given))) < allowed(step)


@pytest.mark.parametrize("wanted", [(0,), (1,), (2, 1), (0, 2)])
@pytest.mark.parametrize("dtype", [F32, BF16])
@pytest.mark.sampled(2, first=1)
def test_only_some_gradients_are_wanted(wanted: tuple[int, ...], dtype: Any) -> None:
    arrays = heads(250, 40, dtype, count=1)
    program = loaded(gradient_of(library(is_causal=True), wanted), arrays, threads=5)
    assert steps_of(plan_of(program, arrays), AttentionGradients)
    exact = in_double(gradient_of(library(is_causal=True), wanted, dtype=jnp.float64), arrays)
    assert max(errors_of(program.numpy(*arrays), exact)) < ALLOWED[dtype]


@pytest.mark.parametrize("dtype", [F32, BF16])
@pytest.mark.parametrize("sizes", [(500, 500, 1), (65, 900, 1), (900, 65, 3)])
def test_numbers_do_not_depend_on_threads(sizes: tuple[int, int, int], dtype: Any) -> None:
    """Few heads are computed by parts of keys and of queries, and many as a whole."""
    queries, keys, count = sizes
    arrays = heads(queries, 40, dtype, keys=keys, count=count)
    function = gradient_of(library(is_causal=queries == keys))
    results = [loaded(function, arrays, threads=n).numpy(*arrays) for n in (1, 2, 3, 8)]
    assert len({tuple(x.tobytes() for x in found) for found in results}) == 1


@pytest.mark.parametrize("shape", [(1, 1, 1, 300), (2, 1, 300, 1), (1, 2, 300, 300), (2, 1, 1)])
@pytest.mark.parametrize("wanted", [(3,), (0, 1, 2, 3)])
@pytest.mark.parametrize("dtype", [F32, BF16])
@pytest.mark.sampled(2)
def test_gradients_of_biases_do_not_depend_on_threads(
    shape: tuple[int, ...], wanted: tuple[int, ...], dtype: Any
) -> None:
    """Few threads compute them together with the others, and many alone."""
    arrays = with_bias(shape, heads(300, 40, dtype))
    function = gradient_of(by_hand(), wanted)
    programs = [loaded(function, arrays, threads=n) for n in (1, 2, 8)]
    assert steps_of(plan_of(programs[0], arrays), AttentionGradients)
    assert len({tuple(x.tobytes() for x in program.numpy(*arrays)) for program in programs}) == 1


def test_memory_grows_with_the_tokens() -> None:
    """Nothing has as many numbers as there are scores, not even what threads need."""
    needed = list[int]()
    for tokens in (1024, 2048):
        program = loaded(gradient_of(library()), arrays := heads(tokens, 32, count=1))
        plan = plan_of(program, arrays)
        (step,) = steps_of(plan, AttentionGradients)
        assert max(math.prod(type.shape) for block in plan.blocks() for type in block.types) == arrays[0].size
        needed.append(gradients_scratch(step.gradients))
    assert needed[1] < 2 * needed[0]


@pytest.mark.parametrize("again", [True, False])
@pytest.mark.parametrize("name", ["f32, causal, odd", "bf16, causal"])
@pytest.mark.sampled(2)
def test_loops_over_layers_store_no_scores(name: str, again: bool) -> None:
    attend, (like, *_) = PROGRAMS[name]
    arrays, dtype = layers_of(3), like.dtype.type
    program = loaded(gradients_of_layers(attend, dtype, again), arrays)
    assert steps_of(plan_of(program, arrays), AttentionGradients)
    expected = jax.jit(gradients_of_layers(attend, F32, again))(*arrays)
    assert max(errors_of(program.numpy(*arrays), [np.asarray(x, np.float64) for x in expected])) < 2 * ALLOWED[dtype]


# ---------------------------------------------------------------- keys that masks hide


@pytest.mark.parametrize("dtype", [F32, BF16, F16])
@pytest.mark.parametrize("special", [np.inf, np.nan])
@pytest.mark.parametrize("operand", range(4))
@pytest.mark.sampled(8, ci=4)
def test_special_numbers_reach_the_gradients_that_they_reach_in_xla(operand: int, special: float, dtype: Any) -> None:
    """Tiles of hidden keys are left out only if zeros times what they are multiplied by are zeros."""
    arrays = heads(300, 32, dtype, count=1)
    given = *arrays, np.random.default_rng(3).standard_normal(arrays[0].shape, np.float32).astype(dtype)
    given[operand][0, 270 if operand in (1, 2) else 20, 0, 3] = special
    attend = by_hand(np.tri(300, dtype=bool))
    function = lambda q, k, v, g: jax.vjp(attend, q, k, v)[1](g)
    program = loaded(function, given)
    assert steps_of(plan_of(program, given), AttentionGradients)
    for ours, theirs in zip(program.numpy(*given), jax.jit(function)(*given), strict=True):
        ours, expected = (np.isfinite(np.asarray(x).astype(np.float32)) for x in (ours, theirs))
        np.testing.assert_array_equal(ours, expected)


@pytest.mark.parametrize("window", [40, 100])
def test_windows_leave_out_keys_on_both_sides(window: int) -> None:
    distance = np.arange(400)[:, None] - np.arange(400)
    attend, arrays = by_hand((distance >= 0) & (distance < window)), heads(400, 24, count=1)
    exact = in_double(gradient_of(attend, dtype=jnp.float64), arrays)
    assert max(errors_of(loaded(gradient_of(attend), arrays).numpy(*arrays), exact)) < ALLOWED[F32]


# ---------------------------------------------------------------- other processors


@pytest.mark.ci
@pytest.mark.parametrize("processor", ["x86_64", "x86_64_v3"])
@pytest.mark.parametrize("sizes", [(64, 200, 40), (131, 33, 17)])
def test_numbers_on_lesser_processors(processor: str, sizes: tuple[int, int, int], tmp_path: Path) -> None:
    if "x86_64" not in PROCESSOR or (processor == "x86_64_v3" and "avx2" not in PROCESSOR):
        pytest.skip("another kind of processor")
    rows, keys, size = sizes
    random, counts = np.random.default_rng(0), (rows, keys, keys, rows)
    q, k, v, g = (random.standard_normal((n, size), np.float32) for n in counts)
    by_row, by_key = (size, 0, 1), (0, size, 1)
    found = Heads((rows,), 1, keys, size, size, by_row, by_key, by_key, by_row, (Change("multiply", 0.25),))
    wanted = tuple(StoredGradient(strides, "f32") for strides in (by_row, by_key, by_key))
    step = Gradients(found, ((1, 0), (1, 0)), by_row, "f32", wanted)  # type: ignore[arg-type]
    read = ", ".join(f"float *{name}" for name in ("q", "k", "v", "results", "sums", "highest", "cotangents"))
    head = f"EXPORTED void run({read}, float *of_q, float *of_k, float *of_v, char *scratch)"
    call = "sgradients(&g, q, k, v, &none, results, sums, highest, cotangents, outputs, scratch, 1, 0)"
    run = f"{head} {{ const void *none = 0; void *outputs[] = {{of_q, of_k, of_v}}; {call}; }}"
    struct = f"static const struct gradients g = {{{gradients_fields(step)}}};"
    (tmp_path / "gradients.c").write_text("\n".join([attention_gradients_text("s"), struct, run]))
    command = [zig_clang()[0], "cc", "-O2", f"-mcpu={processor}", "-fPIC", "-shared", "-fwrapv", "-Wall", "-Werror"]
    subprocess.run([*command, str(tmp_path / "gradients.c"), "-o", str(tmp_path / "gradients.so")], check=True)
    scores = q.astype(np.float64) @ k.T.astype(np.float64) / 4
    highest = scores.max(-1)
    powers = np.exp(scores - highest[:, None])
    weights = powers / powers.sum(-1, keepdims=True)
    slopes = weights * (g @ v.T.astype(np.float64) - (g * (weights @ v)).sum(-1, keepdims=True)) / 4
    expected = [slopes @ k, slopes.T @ q, weights.T @ g]
    given = [x.astype(np.float32) for x in (q, k, v, weights @ v, powers.sum(-1), highest, g)]
    results = [np.empty_like(x, np.float32) for x in expected]
    scratch = np.empty(gradients_scratch(step), np.uint8)
    arguments = (ctypes.c_void_p(x.ctypes.data) for x in (*given, *results, scratch))
    ctypes.CDLL(str(tmp_path / "gradients.so")).run(*arguments)
    assert max(errors_of(results, expected)) < ALLOWED[F32]
