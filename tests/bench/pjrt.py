"""JAX on hlo2tiny's plugin beside `Program.numpy` and `load`: `python tests/bench/pjrt.py [NAME…]`.

For each model of docs/performance.md: a call through `jax.jit` and one of `Program.numpy` with bound weights, in
turns; and what it takes to compile, with an empty cache each. Of the calls, the shortest counts: on a busy machine the
rest say little. JAX's arguments are arrays of the device, and its results are waited for. To tell what is JAX's own: a
call of `Program.numpy` with all arguments, as JAX has them, and a call through JAX of a program that has the same
arguments, and reads none.

On one processor (`taskset -c 0`), the median of what the process computes counts, which others hardly disturb.
"""

from __future__ import annotations

import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np

ROOT = Path(__file__).parents[2]
SECONDS = 3.0


def main(names: Sequence[str]) -> None:
    from programs import MODELS

    print(
        "model: jax, numpy, their ratio; numpy with all arguments, nothing by jax; first calls: jax, load", flush=True
    )
    ratios = []
    for name in names or MODELS:
        found = {}
        for part in ("jax", "load", "calls"):
            with tempfile.TemporaryDirectory() as cache:
                variables = {"XDG_CACHE_HOME": cache, "JAX_PLATFORMS": "hlo2tiny", "PYTHONPATH": str(ROOT)}
                command = [sys.executable, __file__, f"--{part}", name]
                done = subprocess.run(
                    command, env=os.environ | variables, stdout=subprocess.PIPE, text=True, check=True
                )
                found |= json.loads(done.stdout)
        ratios.append(found["jax"] / found["numpy"])
        jax, bound, passed, nothing = (1e3 * found[key] for key in ("jax", "numpy", "passed", "nothing"))
        print(
            f"{name}: {jax:.3f} ms, {bound:.3f} ms, {ratios[-1]:.3f}; {passed:.3f} ms, {nothing:.3f} ms;"
            f" {found['first jax']:.2f} s, {found['first load']:.2f} s",
            flush=True,
        )
    print(f"geometric mean of the ratios: {statistics.geometric_mean(ratios):.3f}")


def measure(part: str, name: str) -> dict[str, float]:
    """One part of a model's figures, in a process of its own."""
    import jax
    from programs import PROGRAMS, bound

    import hlo2tiny
    from hlo2tiny.targets import count_processors

    function, shapes = PROGRAMS[name].build()
    jitted = jax.jit(function)
    lowered = jitted.lower(*shapes)
    text = lowered.as_text(debug_info=True)
    jax.numpy.zeros(3).block_until_ready()
    begin = time.perf_counter()
    if part == "load":
        program = hlo2tiny.load(text.encode())
        program.compile()
        return {"first load": time.perf_counter() - begin}
    if part == "jax":
        lowered.compile()
        return {"first jax": time.perf_counter() - begin}
    program = hlo2tiny.load(text.encode())
    arrays = PROGRAMS[name].inputs(program.inputs)
    leaves = jax.tree.unflatten(jax.tree.structure((shapes, {})), [jax.device_put(array) for array in arrays])[0]
    weights, unbound = bound(program.inputs), program
    if weights:
        program = program.bind(jax.tree.map(np.asarray, leaves[0]))
    calls: dict[str, Callable[[], Any]] = {
        "jax": lambda: jax.block_until_ready(jitted(*leaves)),
        "numpy": lambda: program.numpy_one_by_one(arrays[weights:]),
    }
    for ours, theirs in zip(jax.tree.leaves(calls["jax"]()), calls["numpy"]()):
        np.testing.assert_array_equal(ours, theirs)
    nothing = jax.jit(lambda *arguments: jax.numpy.zeros(3), keep_unused=True)
    calls["passed"] = lambda: unbound.numpy_one_by_one(arrays)
    calls["nothing"] = lambda: jax.block_until_ready(nothing(*leaves))
    alone = count_processors() == 1
    clock: Callable[[], float] = time.process_time if alone else time.perf_counter
    times: dict[str, list[float]] = {key: [] for key in calls}
    end = time.perf_counter() + SECONDS
    while time.perf_counter() < end or len(times["jax"]) < 5:
        for key, call in calls.items():
            begin = clock()
            call()
            times[key].append(clock() - begin)
    return {key: statistics.median(taken) if alone else min(taken) for key, taken in times.items()}


if __name__ == "__main__":
    if sys.argv[1:2] and sys.argv[1].startswith("--"):
        print(json.dumps(measure(sys.argv[1][2:], sys.argv[2])))
    else:
        main(sys.argv[1:])
