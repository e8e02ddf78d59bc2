"""Attention is found however it is spelled, and its numbers are XLA's."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from everywhere import Case, planned, run
from targets.c.test_attention import text_of
from targets.spellings import SPELLINGS, Spelling

from hlo2tiny.plan.plan import Attention, Kernels

# How far results may be from XLA's, which rounds as often but adds up in another order. Scores that nothing scales are
# as large as 60, and an error in one is an error of its weight.
NEAR = {"float32": 1e-4, "bfloat16": 2e-2, "float16": 3e-3}


@pytest.mark.sampled(60, ci=15)
@pytest.mark.parametrize("target", ["c", "cuda"])
@pytest.mark.parametrize("spelling", SPELLINGS, ids=[x.name for x in SPELLINGS])
def test_attention_is_one_step_with_the_numbers_of_xla(spelling: Spelling, target: str, tmp_path: Path) -> None:
    with jax.default_matmul_precision("highest"):
        case = Case(spelling.name, text_of(spelling.function, spelling.arrays), [spelling.arrays])
        expected = np.asarray(jax.jit(spelling.function)(*spelling.arrays))
    steps = [step for block in planned(case, "CPU").blocks() for step in block.steps if isinstance(step, Attention)]
    assert len(steps) == 1
    (answer,) = run(target, [case], tmp_path)
    assert not isinstance(answer, Exception), answer
    ((result,),) = answer
    assert result.dtype == expected.dtype
    wide, near = (x.astype(np.float32) for x in (expected, result))
    np.testing.assert_allclose(near, wide, rtol=NEAR[str(expected.dtype)], atol=NEAR[str(expected.dtype)])


@pytest.mark.parametrize("kind", ["bfloat16", "float16"])
@pytest.mark.parametrize("target", ["c", "cuda"])
def test_each_op_rounds_as_the_program_says(target: str, kind: str, tmp_path: Path) -> None:
    random = np.random.default_rng(3)
    q, k, v = (random.standard_normal((2, n, 16)).astype(jnp.dtype(kind)) for n in (20, 70, 70))
    case = Case(
        "rounds", text_of(lambda q, k, v: jax.nn.softmax(q @ k.swapaxes(-1, -2) / 3) @ v, (q, k, v)), [(q, k, v)]
    )

    def rounded(x: np.ndarray) -> np.ndarray:
        return x.astype(kind).astype(np.float32)

    wide = [x.astype(np.float32) for x in (q, k, v)]
    scores = rounded(rounded(wide[0] @ wide[1].swapaxes(-1, -2)) / 3)
    powers = rounded(np.exp(rounded(scores - scores.max(-1, keepdims=True))))
    weights = rounded(powers / rounded(powers.sum(-1, keepdims=True)))
    expected = (weights @ wide[2]).astype(kind)
    (answer,) = run(target, [case], tmp_path)
    assert not isinstance(answer, Exception), answer
    # A sum in another order may be another number; without one of the roundings, at least a third are.
    assert (answer[0][0] == expected).mean() > 0.97


# How queries, keys and values come from one array [batch, position, feature], by its heads and their size.
PARTS: dict[str, Callable[[Any, int, int], Any]] = {
    "split": lambda x, heads, size: [y.reshape(*y.shape[:2], heads, size) for y in jnp.split(x, 3, -1)],
    "parts first": lambda x, heads, size: x.reshape(*x.shape[:2], 3, heads, size).transpose(2, 0, 1, 3, 4),
    "heads first": lambda x, heads, size: jnp.split(x.reshape(*x.shape[:2], heads, 3 * size), 3, -1),
    "every third": lambda x, heads, size: [x[..., i::3].reshape(*x.shape[:2], heads, size) for i in range(3)],
    "fewer keys": lambda x, heads, size: [
        y.reshape(*y.shape[:2], n, size)
        for n, y in zip((heads, 2, 2), jnp.split(x, [heads * size, heads * size + 2 * size], -1))
    ],
    "positions": lambda x, heads, size: [
        y[:, part].reshape(y.shape[0], -1, heads, size)
        for part, y in zip((slice(-9, None), slice(5, -2), slice(5, -2)), jnp.split(x, 3, -1))
    ],
}


# How much else reads an array of queries, keys and values, or computes it, and whether their attention reads it itself.
AROUND: dict[str, tuple[Callable[[Any], Any], Callable[[Any], Any], bool]] = {
    "nothing": (lambda x: x, lambda q: q, True),
    "an argument's queries are turned": (lambda x: x, jnp.sin, True),
    "computed": (jnp.sin, lambda q: q, True),
    "computed with queries": (jnp.sin, jnp.cos, False),
}


@pytest.mark.parametrize("name", AROUND)
def test_slices_are_read_where_they_lie_if_the_array_is_stored(name: str) -> None:
    before, turn, whole = AROUND[name]

    def function(x: Any) -> Any:
        q, k, v = PARTS["split"](before(x), 4, 16)
        return jax.nn.dot_product_attention(turn(q), k, v)

    x = np.zeros((2, 40, 192), np.float32)
    (block,) = planned(Case(name, text_of(function, (x,)), [(x,)]), "CPU").blocks()
    *kernels, attention = block.steps
    assert isinstance(attention, Attention) and [type(step) for step in kernels] == [Kernels] * (name != "nothing")
    assert (attention.inputs[1] == attention.inputs[2]) == whole


@pytest.mark.sampled(4, ci=2)
@pytest.mark.parametrize("target", ["c", "cuda"])
@pytest.mark.parametrize(("kind", "size"), [("float32", 16), ("bfloat16", 32), ("float32", 12), ("bfloat16", 7)])
@pytest.mark.parametrize("parts", PARTS)
def test_slices_of_one_array_are_read_where_they_lie(
    parts: str, kind: str, size: int, target: str, tmp_path: Path
) -> None:
    heads = 4
    width = heads * size + 4 * size if parts == "fewer keys" else 3 * heads * size
    x = np.random.default_rng(5).standard_normal((2, 40, width)).astype(jnp.dtype(kind))

    def function(x: Any) -> Any:
        q, k, v = PARTS[parts](x, heads, size)
        return jax.nn.dot_product_attention(q, k, v)

    with jax.default_matmul_precision("highest"):
        case = Case(parts, text_of(function, (x,)), [(x,)])
        expected = np.asarray(jax.jit(function)(x))
    steps = [step for block in planned(case, "CPU").blocks() for step in block.steps]
    assert [step.inputs for step in steps if isinstance(step, Attention)] == [(0, 0, 0)]
    assert not any(isinstance(step, Kernels) for step in steps)
    (answer,) = run(target, [case], tmp_path)
    assert not isinstance(answer, Exception), answer
    wide, near = (y.astype(np.float32) for y in (expected, answer[0][0]))
    np.testing.assert_allclose(near, wide, rtol=NEAR[kind], atol=NEAR[kind])


def test_what_reads_an_array_by_many_ways_is_looked_at_once() -> None:
    """Moved values that are joined again double the ways from an array to its readers."""

    def function(x: Any) -> Any:
        computed = jnp.sin(x)
        q, k, v = PARTS["split"](computed, 4, 16)
        for _ in range(48):
            computed = jnp.concatenate([computed[:, ::-1], jnp.flip(computed, 2)], 1)[:, 20:60]
        return jax.nn.dot_product_attention(q, k, v), computed[0] @ computed[1].T

    x = np.zeros((2, 40, 192), np.float32)
    (block,) = planned(Case("ways", text_of(function, (x,)), [(x,)]), "CPU").blocks()
    assert sum(isinstance(step, Attention) for step in block.steps) == 1
