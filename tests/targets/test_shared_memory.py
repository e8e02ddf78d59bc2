"""Programs whose loops, branches and functions share memory give XLA's results on every target."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import jax
import numpy as np
import pytest
from everywhere import IN_A_BROWSER, TARGETS, Answer, Case, lacking, run, targets
from hypothesis import given, note, settings
from hypothesis import strategies as st
from shared_memory import draw_program, expect_equal
from test_updates import MODELS, X, text_of

jnp, lax = jax.numpy, jax.lax


def expect(answer: Answer, expected: Sequence[Sequence[np.ndarray]], about: object) -> None:
    assert not isinstance(answer, Exception), (about, answer)
    for found, wanted in zip(answer, expected, strict=True):
        expect_equal(found, wanted, f"of {about}")


def expect_target(target: str) -> None:
    if reason := lacking(target):
        pytest.skip(reason)


# What is drawn runs for everybody as commands and as C.
EACH = targets("c", "gpu", nightly=("opencl", "mesa"), of=("commands", *TARGETS))
DRAWN = targets("commands", "c", of=[target for target in ("commands", *TARGETS) if target not in IN_A_BROWSER])


def check_drawn(target: str, folder: Path, seed: int, count: int, many: bool) -> None:
    expect_target(target)
    random = np.random.default_rng(seed)
    programs = [draw_program(lambda n: int(random.integers(n)), many) for _ in range(count)]
    note(f"seed {seed}: " + "\n".join(program.text() for program in programs))
    cases = [Case(f"{seed}.{i}", program.text(), program.calls) for i, program in enumerate(programs)]
    for program, answer in zip(programs, run(target, cases, folder), strict=True):
        expect(answer, program.results(), (seed, program.lines))


@pytest.mark.parametrize("target", DRAWN)
@settings(max_examples=settings().max_examples // 2)
@given(seed=st.integers(0, 2**32 - 1), many=st.booleans())
def test_drawn_programs(target: str, tmp_path_factory: pytest.TempPathFactory, seed: int, many: bool) -> None:
    # The interpreter unrolls nothing, so more iterations than targets unroll would tell nothing more.
    check_drawn(target, tmp_path_factory.mktemp("drawn"), seed, 1, many and target != "commands")


# A browser takes a second to start, and a thousand iterations take its emulated GPU many.
@pytest.mark.ci
@pytest.mark.parametrize("target", IN_A_BROWSER)
@settings(max_examples=settings().max_examples // 6)
@given(seed=st.integers(0, 2**32 - 1))
def test_drawn_programs_in_browsers(target: str, tmp_path_factory: pytest.TempPathFactory, seed: int) -> None:
    check_drawn(target, tmp_path_factory.mktemp("drawn"), seed, 3, False)


# ---------------------------------------------------------------- as people write them


def layer(x: jax.Array, weights: Sequence[jax.Array], position: int = 3) -> Any:
    """A layer of a decoder, whose cache of keys and values the scan over the layers hands in and takes out."""
    cache, wq, wk, wv = weights
    new = jnp.stack([x @ wk, x @ wv])[:, None]
    cache = lax.dynamic_update_slice_in_dim(cache, new, position, 1)
    scores = jnp.where(jnp.arange(cache.shape[1]) <= position, cache[0] @ (x @ wq), -1e9)
    return jnp.tanh(x / 2 + jax.nn.softmax(scores) @ cache[1]), cache


def decoder(x: jax.Array, caches: jax.Array, *weights: jax.Array) -> Any:
    return lax.scan(layer, x, (caches, *weights))


def decoder_of(layers: int) -> list[np.ndarray]:
    random, width = np.random.default_rng(layers), 4
    shapes = [(width,), (layers, 2, 6, width), *[(layers, width, width)] * 3]
    return [(random.standard_normal(s) / 4).astype(np.float32) for s in shapes]


def last_and_next(c: jax.Array, x: jax.Array) -> Any:
    """Each iteration updates a row, and reads it and the next one of the updated array."""

    def body(i: jax.Array, state: tuple[jax.Array, jax.Array]) -> Any:
        old, row = state
        new = lax.dynamic_update_slice(old, (row + old[i])[None], (i, 0))
        return new, row * 0.5 + new[i] - new[(i + 1) % 6]

    return lax.fori_loop(0, 6, body, (c, x))


def products_of_rows(w: jax.Array, x: jax.Array) -> Any:
    """Each iteration multiplies by a matrix of a stack before and after it updates it, and by another one."""

    def body(i: jax.Array, state: tuple[jax.Array, jax.Array]) -> Any:
        old, x = state
        new = old.at[i].set(old[i] / 2 + x.sum())
        product = x @ old[i] + x @ new[i]
        return new, jnp.tanh(product / 8 + (old[(2 * i) % 4] @ new[(i + 1) % 4])[:8])

    return lax.fori_loop(0, 4, body, (w, x))


def stack_of(*shape: int) -> np.ndarray:
    return (np.random.default_rng(0).standard_normal(shape) / 8).astype(np.float32)


NAMED: list[tuple[Callable[..., Any], list[np.ndarray]]] = [
    (decoder, decoder_of(1)),
    (decoder, decoder_of(4)),
    (decoder, decoder_of(5)),
    (decoder, decoder_of(300)),
    (products_of_rows, [stack_of(4, 32, 32), stack_of(8, 32)]),
    (last_and_next, [np.arange(24, dtype=np.float32).reshape(6, 4), np.ones(4, np.float32)]),
]


def named_cases() -> Iterator[tuple[Case, list[list[np.ndarray]]]]:
    for number, (function, arrays) in enumerate(NAMED):
        text = str(jax.export.export(jax.jit(function))(*arrays).mlir_module())
        results = [np.asarray(x) for x in jax.tree.leaves(jax.jit(function)(*arrays))]
        yield Case(f"{function.__name__} {number}", text, [arrays]), [results]
    for model in MODELS:
        calls = [(X.copy(), np.int32(n)) for n in (0, 3, 8)]
        expected = [[np.asarray(x) for x in jax.tree.leaves(jax.jit(model)(*call))] for call in calls]
        yield Case(model.__name__, text_of(model), calls), expected


@pytest.mark.parametrize("target", EACH)
def test_named_programs(target: str, tmp_path: Path) -> None:
    expect_target(target)
    cases, expected = zip(*named_cases())
    for case, wanted, answer in zip(cases, expected, run(target, cases, tmp_path), strict=True):
        expect(answer, wanted, case.name)
