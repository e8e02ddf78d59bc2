"""Makes the programs of this folder, for several devices, and XLA's results on as many devices of the CPU.

python corpus/several/make.py; each program is NAME.mlir, its arguments and results are NAME.npz (in0, …, out0, …).
"""

from __future__ import annotations

import os
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

os.environ["XLA_FLAGS"] = "--xla_force_host_platform_device_count=8"
os.environ["JAX_PLATFORMS"] = "cpu"

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax
from jax.sharding import Mesh
from jax.sharding import PartitionSpec as P

FOLDER = Path(__file__).parent


def mesh(**sizes: int) -> Mesh:
    count = int(np.prod(list(sizes.values())))
    return Mesh(np.array(jax.devices()[:count]).reshape(list(sizes.values())), tuple(sizes))


def mapped(grid: Mesh, inputs: Any, outputs: Any) -> Callable[..., Any]:
    return partial(jax.shard_map, mesh=grid, in_specs=inputs, out_specs=outputs, check_vma=False)


def normal(seed: int, *shape: int) -> np.ndarray:
    return np.asarray(np.random.RandomState(seed).standard_normal(shape), np.float32)


def data_parallel_training() -> tuple[Callable[..., Any], list[np.ndarray]]:
    """Three steps of gradient descent of a small network; gradients are averaged over four devices."""

    @mapped(mesh(batch=4), (P(), P(), P("batch"), P("batch")), (P(), P(), P()))
    def train(w: Any, v: Any, x: Any, y: Any) -> Any:
        def loss(w: Any, v: Any) -> Any:
            return jnp.mean((jnp.tanh(x @ w) @ v - y) ** 2)

        def step(_: Any, carry: Any) -> Any:
            w, v, _ = carry
            value, (dw, dv) = jax.value_and_grad(loss, (0, 1))(w, v)
            dw, dv, value = (lax.pmean(g, "batch") for g in (dw, dv, value))
            return w - 0.1 * dw, v - 0.1 * dv, value

        return lax.fori_loop(0, 3, step, (w, v, jnp.float32(0)))

    return train, [normal(0, 16, 32) / 4, normal(1, 32, 4) / 4, normal(2, 64, 16), normal(3, 64, 4)]


def tensor_parallel_mlp() -> tuple[Callable[..., Any], list[np.ndarray]]:
    """Two layers whose hidden features are cut; the batch is cut along another axis."""

    @mapped(mesh(batch=2, model=4), (P("batch"), P(None, "model"), P("model")), P("batch"))
    def mlp(x: Any, w: Any, v: Any) -> Any:
        return lax.psum(jax.nn.gelu(x @ w) @ v, "model")

    return mlp, [normal(0, 8, 32), normal(1, 32, 64) / 6, normal(2, 64, 16) / 8]


def tensor_parallel_attention() -> tuple[Callable[..., Any], list[np.ndarray]]:
    """Causal attention whose heads are cut; the output's projection is summed in parts, along the sequence."""

    @mapped(mesh(heads=4), (P(), P(None, None, "heads"), P("heads")), P("heads"))
    def attention(x: Any, w: Any, out: Any) -> Any:
        q, k, v = jnp.einsum("sd,cdhe->chse", x, w.transpose(0, 1, 2, 3))
        scores = jnp.einsum("hse,hte->hst", q, k) / np.sqrt(q.shape[-1])
        length = x.shape[0]
        scores = jnp.where(np.tril(np.ones((length, length), bool)), scores, -1e9)
        mixed = jnp.einsum("hst,hte->she", jax.nn.softmax(scores), v)
        return lax.psum_scatter(jnp.einsum("she,hed->sd", mixed, out), "heads", tiled=True)

    return attention, [normal(0, 16, 32), normal(1, 3, 32, 8, 4) / 6, normal(2, 8, 4, 32) / 6]


def pipeline() -> tuple[Callable[..., Any], list[np.ndarray]]:
    """Four stages, one on each device; microbatches move from stage to stage by collective_permute."""

    @mapped(mesh(stage=4), (P(), P("stage")), P("stage"))
    def run(x: Any, w: Any) -> Any:
        count, stage = lax.axis_size("stage"), lax.axis_index("stage")

        def tick(t: Any, carry: Any) -> Any:
            held, done = carry
            given = jnp.where(stage == 0, x[jnp.minimum(t, len(x) - 1)], held)
            made = jnp.tanh(given @ w[0])
            place = jnp.maximum(t - count + 1, 0)
            done = lax.dynamic_update_index_in_dim(done, made, place, 0)
            return lax.ppermute(made, "stage", [(i, i + 1) for i in range(count - 1)]), done

        _, done = lax.fori_loop(0, len(x) + count - 1, tick, (jnp.zeros_like(x[0]), jnp.zeros_like(x)))
        return lax.psum(jnp.where(stage == count - 1, done, 0), "stage")[None]

    return run, [normal(0, 6, 4, 16), normal(1, 4, 16, 16) / 4]


def ring_all_reduce() -> tuple[Callable[..., Any], list[np.ndarray]]:
    """A sum over eight devices by sending parts around a ring, without an all_reduce."""

    @mapped(mesh(ring=8), P("ring"), P("ring"))
    def ring(x: Any) -> Any:
        count, here = lax.axis_size("ring"), lax.axis_index("ring")
        ahead = [(i, (i + 1) % count) for i in range(count)]
        parts = x.reshape(count, -1)

        def add(i: Any, parts: Any) -> Any:
            sent = lax.ppermute(parts[(here - i) % count], "ring", ahead)
            return parts.at[(here - i - 1) % count].add(sent)

        def spread(i: Any, parts: Any) -> Any:
            sent = lax.ppermute(parts[(here + 1 - i) % count], "ring", ahead)
            return parts.at[(here - i) % count].set(sent)

        parts = lax.fori_loop(0, count - 1, add, parts)
        return lax.fori_loop(0, count - 1, spread, parts).reshape(x.shape)

    return ring, [normal(0, 8, 64)]


PROGRAMS = [data_parallel_training, tensor_parallel_mlp, tensor_parallel_attention, pipeline, ring_all_reduce]


def main() -> None:
    for make in PROGRAMS:
        function, arrays = make()
        jitted = jax.jit(function)
        text = jitted.lower(*arrays).as_text()
        results = jax.tree.leaves(jitted(*arrays))
        (FOLDER / f"{make.__name__}.mlir").write_text(text, encoding="utf-8")
        kept = {f"in{i}": array for i, array in enumerate(arrays)}
        np.savez_compressed(
            FOLDER / f"{make.__name__}.npz", **kept, **{f"out{i}": np.asarray(x) for i, x in enumerate(results)}
        )


if __name__ == "__main__":
    main()
