"""Prints what gather, scatter, sort and running sums cost beside XLA: `python tests/benchmark_indexing.py`.

JAX exports the programs here and runs them too. Inputs lie on the device and results stay there, on both sides; times
are medians of runs on one machine. `ours` is a call on Tensors, `numpy` one on numpy arrays.
"""

from __future__ import annotations

import argparse
import statistics
import time
from collections.abc import Callable
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
from jax import export, lax
from tinygrad import Device, Tensor

import hlo2tiny

MILLION = 10**6


def numbers(*shape: int) -> np.ndarray:
    return np.random.default_rng(0).standard_normal(shape, np.float32)


def whole(*shape: int) -> np.ndarray:
    """Numbers whose sums are exact in any order."""
    return np.round(numbers(*shape))


def places(count: int, below: int) -> np.ndarray:
    return np.random.default_rng(1).integers(0, below, count, np.int32)


def scatter_add(x: Any, at: Any, new: Any) -> Any:
    return x.at[at].add(new)


def segment_sum(x: Any, segment: Any) -> Any:
    return jax.ops.segment_sum(x, segment, num_segments=1000)


PROGRAMS: dict[str, tuple[Callable[..., Any], Callable[[], list[np.ndarray]]]] = {
    "take 128 rows of 50,000 x 768": (
        lambda table, at: jnp.take(table, at, axis=0),
        lambda: [numbers(50_000, 768), places(128, 50_000)],
    ),
    "scatter-add 10^6 into 10^6": (
        scatter_add,
        lambda: [whole(MILLION), places(MILLION, MILLION), whole(MILLION)],
    ),
    "argsort 10^6": (jnp.argsort, lambda: [numbers(MILLION)]),
    "sort 10^6, two operands": (
        lambda key, value: lax.sort((key, value), num_keys=1),
        lambda: [numbers(MILLION), places(MILLION, MILLION)],
    ),
    "cumsum 10^7": (jnp.cumsum, lambda: [whole(10 * MILLION)]),
    "segment_sum 10^6 into 1000": (segment_sum, lambda: [whole(MILLION), places(MILLION, 1000)]),
    "top_k 10^6, k = 100": (lambda x: lax.top_k(x, 100), lambda: [numbers(MILLION)]),
}


def median(function: Callable[[], object], times: int) -> float:
    """Of several runs after a first one, in milliseconds."""
    function()
    durations = []
    for _ in range(times):
        start = time.perf_counter()
        function()
        durations.append(time.perf_counter() - start)
    return statistics.median(durations) * 1e3


def figures(name: str, times: int) -> str:
    function, inputs = PROGRAMS[name][0], PROGRAMS[name][1]()
    compiled = jax.jit(function)
    text = export.export(compiled)(*inputs).mlir_module()
    program = hlo2tiny.load(text, device="CPU")
    program.compile()
    on_device = [jax.device_put(x) for x in inputs]
    tensors = [Tensor(x, device=program.device).realize() for x in inputs]

    def call() -> None:
        program(*tensors)
        Device[program.device].synchronize()

    ours = median(call, times)
    arrays = median(lambda: program.numpy(*inputs), times)
    xla = median(lambda: [x.block_until_ready() for x in jax.tree.leaves(compiled(*on_device))], times)
    for result, expected in zip(program.numpy(*inputs), jax.tree.leaves(compiled(*on_device)), strict=True):
        np.testing.assert_array_equal(result, np.asarray(expected))
    return f"{name:32}{ours:10.2f}{arrays:10.2f}{xla:10.2f}{ours / xla:8.2f}"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--times", type=int, default=9, help="how many runs a median is of")
    parser.add_argument("--only", default="", help="programs whose name contains this")
    options = parser.parse_args()
    print(f"{'':32}{'ours ms':>10}{'numpy':>10}{'XLA ms':>10}{'ratio':>8}")
    for name in PROGRAMS:
        if options.only in name:
            print(figures(name, options.times), flush=True)


if __name__ == "__main__":
    main()
