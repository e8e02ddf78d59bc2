"""Slices that a loop takes from stacks are read where they lie, if the program does not write there."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from emulation import Emulator
from jax import lax
from test_executable import plan_of, walk
from test_integers import launched

from hlo2tiny.targets.cuda.executable import CudaExecutable, GraphLaunch, Multiply, from_rows, to_rows
from hlo2tiny.targets.cuda.native import executable_of

LAYERS, WIDTH = 5, 64


def emitted(function: Any, arrays: list[np.ndarray], folder: Path) -> CudaExecutable:
    """What runs, after a comparison of its results with JAX's."""
    plan = plan_of(str(jax.export.export(jax.jit(function, keep_unused=True))(*arrays).mlir_module()))
    executable = executable_of(plan, "CUDA", "sm_90", {"cublasLt"}, lambda done, total: None)
    found = Emulator(plan, executable, folder)([np.array(x) for x in arrays])
    for ours, expected in zip(found, jax.tree.leaves(jax.jit(function)(*arrays)), strict=True):
        np.testing.assert_allclose(ours, expected, 2e-3, 2e-3)
    return executable


def offsets(executable: CudaExecutable) -> list[int]:
    """Where operands of launches and products begin in arguments."""
    actions = (a for a in walk(executable.actions) if isinstance(a, GraphLaunch | Multiply))
    return [place.offset for a in actions for place in a.places if place.kind == "argument"]


def stacks(kind: Any = np.float32) -> list[np.ndarray]:
    random = np.random.default_rng(0)
    weights = random.standard_normal((LAYERS, WIDTH, WIDTH), np.float32) / 8
    scales = random.standard_normal((LAYERS, WIDTH), np.float32)
    return [x.astype(kind) for x in (random.standard_normal((16, WIDTH), np.float32), weights, scales)]


def layers(x: Any, weights: Any, scales: Any) -> Any:
    def layer(x: Any, given: Any) -> Any:
        w, scale = given
        return jnp.tanh(x @ w) + scale, None

    return lax.scan(layer, x, (weights, scales))[0]


def copied(executable: CudaExecutable) -> int:
    return sum(name.count("dynamic_slice") for name in launched(executable))


@pytest.mark.parametrize("kind", ["scanned", "counted", "row", "pairs"])
def test_kernels_read_slices_at_unknown_places(kind: str, tmp_path: Path) -> None:
    """Elements, rows that are reduced, and elements of slices at indices."""
    _, weights, scales = stacks()
    at = np.random.default_rng(1).integers(0, WIDTH, 30).astype(np.int32)

    def step(i: Any, x: Any, weights: Any, scales: Any, at: Any) -> Any:
        w, scale = (lax.dynamic_index_in_dim(each, i, keepdims=False) for each in (weights, scales))
        return {
            "scanned": lambda: x * 0.5 + scale,
            "counted": lambda: x * scale + jnp.flip(scale),
            "row": lambda: x + (w * scale).sum(-1),
            "pairs": lambda: x.at[:30].add(w[at, 3] * scale[at[::-1]]),
        }[kind]()

    def call(count: Any, x: Any, *given: Any) -> Any:
        return lax.fori_loop(0, count, lambda i, x: step(i, x, *given), x)

    executable = emitted(call, [np.array(4, np.int32), scales[0], weights, scales, at], tmp_path)
    assert copied(executable) == 0


@pytest.mark.parametrize("kind", ["doubled", "moved", "reversed", "scattered", "summed"])
@pytest.mark.parametrize("counted", [False, True])
def test_slices_are_read_before_their_array_is_updated(kind: str, counted: bool, tmp_path: Path) -> None:
    def step(i: Any, state: Any) -> Any:
        x, total = state
        y = lax.dynamic_slice(x, (i,), (5,))
        x = {
            "doubled": lambda: lax.dynamic_update_slice(x, y * 2, (i + 1,)),
            "moved": lambda: lax.dynamic_update_slice(x, y, (i + 1,)),
            "reversed": lambda: lax.dynamic_update_slice(x, jnp.flip(y), (i,)),
            "scattered": lambda: x.at[jnp.arange(5) * 2].add(y),
            "summed": lambda: x.at[i].set(y.sum()),
        }[kind]()
        return x, total + y * 3

    call = lambda count, *state: lax.fori_loop(0, 7 if counted else count, step, state)
    x = np.random.default_rng(2).integers(-5, 5, 40).astype(np.float32)
    emitted(call, [np.array(7, np.int32), x, x[:5]], tmp_path)


def test_products_and_kernels_read_each_layers_weights(tmp_path: Path) -> None:
    executable = emitted(layers, stacks(), tmp_path)
    assert copied(executable) == 0
    each = WIDTH * WIDTH * 4
    assert {n * each for n in range(LAYERS)} | {n * WIDTH * 4 for n in range(LAYERS)} == {*offsets(executable)}
    assert from_rows(to_rows(executable.actions)) == executable.actions


def test_backwards_and_in_steps(tmp_path: Path) -> None:
    def function(x: Any, weights: Any) -> Any:
        x = lax.scan(lambda x, w: (jnp.tanh(x @ w), None), x, weights, reverse=True)[0]
        return lax.fori_loop(1, 3, lambda i, x: jnp.tanh(x @ weights[2 * i]), x)

    executable = emitted(function, stacks()[:2], tmp_path)
    assert max(offsets(executable)) == (LAYERS - 1) * WIDTH * WIDTH * 4


def test_an_index_beyond_the_stack_is_clamped(tmp_path: Path) -> None:
    def function(x: Any, weights: Any) -> Any:
        step = lambda i, x: jnp.tanh(x @ lax.dynamic_slice(weights, (i, 0, 0), (1, WIDTH, WIDTH))[0])
        return lax.fori_loop(-2, LAYERS + 2, step, x)

    executable = emitted(function, stacks()[:2], tmp_path)
    assert copied(executable) == 0 and max(offsets(executable)) == (LAYERS - 1) * WIDTH * WIDTH * 4


@pytest.mark.parametrize("why", ["unaligned", "updated", "its end is unknown", "its index is an argument"])
def test_other_slices_are_copied(why: str, tmp_path: Path) -> None:
    x, weights, _ = stacks()
    arrays = [x, weights]
    if why == "unaligned":
        arrays = [x[:, :33], weights[:, :33, :33]]

    def function(x: Any, weights: Any, *more: Any) -> Any:
        def layer(x: Any, w: Any) -> Any:
            if why == "updated":
                w = w.at[3, 4].set(x[0, 0])
                return jnp.tanh(x @ w), w
            return jnp.tanh(x @ w), None

        if why == "its end is unknown":
            return lax.fori_loop(0, more[0], lambda i, x: jnp.tanh(x @ weights[i]), x)
        if why == "its index is an argument":
            return lax.fori_loop(0, 3, lambda i, x: jnp.tanh(x @ weights[i + more[0]]), x)
        return lax.scan(layer, x, weights)

    if why.startswith("its"):
        arrays.append(np.int32(2))  # type: ignore[arg-type]
    executable = emitted(function, arrays, tmp_path)
    assert not any(offsets(executable))


def test_a_slice_may_be_read_after_others_take_its_place(tmp_path: Path) -> None:
    """Weights are read twice, and temporaries come and go meanwhile; the loop inside knows its numbers, too."""

    def function(x: Any, weights: Any, scales: Any) -> Any:
        def layer(x: Any, given: Any) -> Any:
            w, scale = given
            y = jnp.tanh(x @ w)
            y = lax.fori_loop(0, 2, lambda i, y: jnp.tanh(y @ weights[i]) + scales[i + 1], y)
            return jnp.tanh(y @ w) * scale + y, jnp.sum(w, 0)

        return lax.scan(layer, x, (weights, scales))

    emitted(function, stacks(), tmp_path)


def test_slices_at_known_places_are_not_copied(tmp_path: Path) -> None:
    """Layers written one after the other, and rows of a matrix; not what begins inside of rows or leaves some out."""

    def function(x: Any, weights: Any) -> Any:
        for i in range(LAYERS):
            x = jnp.tanh(x @ weights[i])
        return x, x @ weights.reshape(-1, WIDTH)[64:128], x[:, :32] @ weights[1, ::2], x @ weights[2][:, 16:]

    executable = emitted(function, stacks()[:2], tmp_path)
    each = WIDTH * WIDTH * 4
    multiplied = [a for a in walk(executable.actions) if isinstance(a, Multiply)]
    assert {n * each for n in range(LAYERS)} <= {p.offset for a in multiplied for p in a.places if p.kind == "argument"}
    copies = [name for name in launched(executable) if name.startswith("E_")]
    assert len(multiplied) == LAYERS + 3 and len(copies) <= LAYERS + 3
