"""XLA on eight devices of the CPU, in a process of its own: programs for several devices, with its results.

`python tests/several.py` reads requests from standard input, one line of JSON each: the mesh, the specs of the
arguments, and the collectives to apply. It answers with the program's StableHLO, and writes the arguments and XLA's
results to an .npz archive.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

DEVICES = 8


class Reference:
    """The process, which answers one request after the other."""

    def __init__(self) -> None:
        flags = f"--xla_force_host_platform_device_count={DEVICES}"
        environment = {**os.environ, "XLA_FLAGS": flags, "JAX_PLATFORMS": "cpu"}
        self._process = subprocess.Popen(
            [sys.executable, __file__], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, env=environment
        )

    def ask(self, request: dict[str, Any], path: Path) -> tuple[str, list[np.ndarray], list[np.ndarray]]:
        """The program's text, its arguments and XLA's results."""
        assert self._process.stdin is not None and self._process.stdout is not None
        print(json.dumps({**request, "path": str(path)}), file=self._process.stdin, flush=True)
        answer = json.loads(self._process.stdout.readline())
        assert "error" not in answer, answer["error"]
        with np.load(path) as archive:
            arrays = [[archive[f"{kind}{i}"] for i in range(answer[kind])] for kind in ("in", "out")]
        return answer["text"], *arrays

    def close(self) -> None:
        assert self._process.stdin is not None
        self._process.stdin.close()
        self._process.wait()


@cache
def reference() -> Reference:
    return Reference()


# ---------------------------------------------------------------- in the process


def applied(jax: Any, x: Any, step: dict[str, Any], sizes: dict[str, int]) -> Any:
    """The value of the same shape that a collective, with a bit of arithmetic, makes of a shard of rank 2."""
    jnp, lax = jax.numpy, jax.lax
    axes, d = tuple(step["axes"]), step["dimension"]
    count = int(np.prod([sizes[axis] for axis in axes]))
    copies = jnp.concatenate([x * (i + 1) for i in range(count)], axis=d)
    rows, columns = x.shape
    match step["name"]:
        case "psum":
            return lax.psum(x, axes)
        case "pmax":
            return lax.pmax(x, axes) + lax.pmin(x, axes)
        case "all_gather":
            found = lax.all_gather(x, axes, axis=d, tiled=True)
            return sum(part * (i + 1) for i, part in enumerate(jnp.split(found, count, axis=d)))
        case "psum_scatter":
            return lax.psum_scatter(copies, axes, scatter_dimension=d, tiled=True)
        case "all_to_all":
            found = lax.all_to_all(copies, axes, d, 1 - d, tiled=True)
            shape = (rows, count, columns) if d == 0 else (count, rows, columns)
            return found.reshape(shape).sum(1 - d)
        case "ppermute":
            order = np.random.RandomState(step["seed"]).permutation(count).tolist()
            return x + lax.ppermute(x, axes, list(enumerate(order))[: step["kept"]])
        case "sin":
            return jnp.sin(x)
        case "until":  # the condition holds a collective
            small = lambda value: lax.psum(jnp.abs(value).sum(), axes) < 1000
            return lax.while_loop(lambda c: small(c[1]) & (c[0] < 5), lambda c: (c[0] + 1, c[1] * 2 + 1), (0, x))[1]
        case "branch":  # of which each group takes its own
            return lax.cond(lax.psum(x.sum(), axes) > 0, lambda: lax.psum(x, axes), lambda: lax.pmax(x, axes))
        case "scan":
            turned = [(i, (i + 1) % count) for i in range(count)]
            return lax.scan(lambda c, _: (lax.ppermute(c, axes, turned), lax.pmin(c, axes)), x, None, 2)[1].sum(0)
        case "axis_index":
            return x + lax.axis_index(axes).astype(x.dtype)
        case "while":

            def body(carry: Any) -> Any:
                number, value = carry
                return number + 1, value - lax.psum(value, axes) // 3

            return lax.while_loop(lambda carry: carry[0] < 3, body, (0, x))[1]
    raise ValueError(step)


def answer(jax: Any, request: dict[str, Any]) -> dict[str, Any]:
    from jax.sharding import Mesh, NamedSharding, PartitionSpec

    sizes = dict(request["mesh"])
    count = int(np.prod(list(sizes.values())))
    mesh = Mesh(np.array(jax.devices()[:count]).reshape(list(sizes.values())), tuple(sizes))
    spec, out = (PartitionSpec(*(tuple(axes) or None for axes in request[key])) for key in ("spec", "out"))
    manual = set(request.get("manual", sizes))
    nested = request.get("nested")

    def inner(x: Any) -> Any:
        for step in request["steps"]:
            x = applied(jax, x, step, sizes)
        return x

    def local(x: Any) -> Any:
        if not nested:
            return inner(x)
        cut = PartitionSpec(tuple(nested))
        return jax.shard_map(inner, in_specs=cut, out_specs=cut, axis_names=set(nested), check_vma=False)(x)

    shared = {"mesh": mesh, "in_specs": spec, "out_specs": out, "check_vma": False}
    mapped = jax.shard_map(local, axis_names=manual, **shared)
    function = mapped if not request.get("around") else lambda x: mapped(x * 2 + 1)[::-1] - 1
    x = np.random.RandomState(request["seed"]).randint(-4, 5, request["shape"]).astype(request["dtype"])
    declared = {"in_shardings": NamedSharding(mesh, spec)} if request.get("declared") else {}
    # GSPMD writes custom calls and mhlo.sharding, as all files did before Shardy.
    jax.config.update("jax_use_shardy_partitioner", not request.get("gspmd"))
    # Since 0.12 jax wants the axes of ppermute in the order of the mesh, unless it is told that another one is meant.
    if "jax_raise_on_ppermute_sort_diff" in jax.config.values:
        jax.config.update("jax_raise_on_ppermute_sort_diff", False)
    with jax.set_mesh(mesh):
        jitted = jax.jit(function, **declared)
        lowered = jitted.lower(x)
        results = [np.asarray(jitted(x))]
        if request.get("gradient"):  # of the results' sum, weighted by their indices
            weights = np.arange(results[0].size, dtype=x.dtype).reshape(results[0].shape) % 7
            results.append(np.asarray(jax.jit(jax.grad(lambda x: (function(x) * weights).sum()))(x)))
    np.savez(request["path"], in0=x, **{f"out{i}": result for i, result in enumerate(results)})
    return {"text": lowered.as_text(), "in": 1, "out": len(results)}


def main() -> None:
    import jax

    for line in sys.stdin:
        try:
            found = answer(jax, json.loads(line))
        except Exception as error:
            found = {"error": f"{type(error).__name__}: {error}"}
        print(json.dumps(found), flush=True)


if __name__ == "__main__":
    main()
