"""Runs of kernels that tinygrad's devices launch: captured once, and as a graph where the device has graphs."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from jax import lax
from tinygrad import Device
from tinygrad.engine.jit import GraphRunner

import hlo2tiny
from corpus import BY_NAME

X = np.arange(64, dtype=np.float32).reshape(8, 8) / 64
LAUNCHED = []


class Graph(GraphRunner):
    """What a device's graph does, on the CPU, which has none: the kernels one after the other on a call's buffers."""

    def __call__(self, inputs: Any, sizes: Any, wait: bool = False) -> None:
        LAUNCHED.append(len(self.calls))
        for (_, program, buffers, _), runtime, replaced in zip(self.calls, self.runtimes, self.uop_replace):
            bound = {place: inputs[slot].buffer for place, slot in replaced}
            memory = [bound.get(i, buffer).get_buf("CPU") for i, buffer in enumerate(buffers)]
            global_size, local_size = program.arg.launch_dims({})
            runtime(*memory, global_size=global_size, local_size=local_size, vals=program.arg.vals({}))


@pytest.fixture(params=["plain", "graph"])
def graphs(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Iterator[bool]:
    monkeypatch.setenv("HLO2TINY_EXECUTOR", "tinygrad")
    monkeypatch.setattr(Device["CPU"], "graph", Graph if request.param == "graph" else None)
    LAUNCHED.clear()
    yield request.param == "graph"


def layers(x: Any, n: Any) -> Any:
    for i in range(4):
        x = jnp.tanh(x @ (x + i)) + lax.cumsum(x, 0)
    return x, x.sum(0)


def updated_in_a_loop(x: Any, n: Any) -> Any:
    def iteration(i: Any, x: Any) -> Any:
        row = jnp.tanh(x[i] @ jnp.sort(x, 1)) + jnp.cumsum(x[i])
        return x.at[i].set(row / jnp.abs(row).max())

    return lax.fori_loop(0, n, iteration, x), lax.fori_loop(0, 5, iteration, x + 1)


def of_the_same_argument_twice(x: Any, n: Any) -> Any:
    y = jnp.sort(x, 0)
    return y, jnp.sort(y @ x, 1) + y, x


@pytest.mark.parametrize("model", [layers, updated_in_a_loop, of_the_same_argument_twice])
def test_every_run_has_its_own_results(model: Callable, graphs: bool) -> None:
    text = str(jax.export.export(jax.jit(model, keep_unused=True))(X, np.int32(3)).mlir_module())
    program = hlo2tiny.load(text, device="CPU")
    kept = []
    for iteration in range(4):
        x, n = X * (iteration + 1), np.int32(iteration)
        given = x.copy()
        kept.append((program(x, n), jax.tree.leaves(jax.jit(model)(x, n))))
        np.testing.assert_array_equal(x, given, "the caller's array")
    for found, expected in kept:
        for result, wanted in zip(found, expected, strict=True):
            np.testing.assert_allclose(result.numpy(), wanted, 1e-5, 1e-6)
    assert bool(LAUNCHED) == graphs


def test_runs_of_several_threads_do_not_meet(graphs: bool) -> None:
    text = str(jax.export.export(jax.jit(layers, keep_unused=True))(X, np.int32(3)).mlir_module())
    program = hlo2tiny.load(text, device="CPU")
    arguments = [(X * (i % 5), np.int32(0)) for i in range(20)]
    expected = [program.numpy(*a) for a in arguments[:5]]
    with ThreadPoolExecutor(4) as pool:
        for i, found in enumerate(pool.map(lambda a: program.numpy(*a), arguments)):
            for result, wanted in zip(found, expected[i % 5], strict=True):
                np.testing.assert_array_equal(result, wanted)


@pytest.mark.parametrize("name", [pytest.param("gpt_decoder_scan", marks=pytest.mark.ci), "gather_scatter", "lstm"])
def test_programs_give_the_same_each_time(name: str, graphs: bool) -> None:
    entry = BY_NAME[name]
    program = hlo2tiny.load(entry.path, device="CPU")
    for _ in range(3):
        entry.check(program.numpy(*entry.inputs()))
    assert bool(LAUNCHED) == graphs


def test_memory_that_nothing_outside_reads_is_used_again(graphs: bool) -> None:
    """A chain of products needs two intermediate results at a time, not thirty."""
    text = str(jax.export.export(jax.jit(lambda x: [x := x @ x for _ in range(30)][-1]))(X).mlir_module())
    program = hlo2tiny.load(text, device="CPU")
    program.numpy(X)
    executor = program._for([]).compile()
    assert executor.commands.total <= 3 * X.nbytes
    runs = executor._idle
    program.numpy(X)
    assert executor._idle == runs and len(runs) == 1
