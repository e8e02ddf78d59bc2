"""A language model of 1.6 GB on an NVIDIA GPU, one token and many, beside XLA and what the chip allows; see `gpu.py`.

Its layers are scanned, as `lax.scan` exports them, so that each reads its weights and its cache from stacked arrays.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

import hlo2tiny

LAYERS, WIDTH, HEADS, SHARED, HEAD, INNER, WORDS = 16, 2048, 16, 8, 128, 5632, 32_000
CACHED, PROMPT = 4096, 1024
# Of one layer: its queries, keys, values, what follows attention, and the three matrices of its perceptron.
MATRICES = (
    (WIDTH, HEADS * HEAD), (WIDTH, SHARED * HEAD), (WIDTH, SHARED * HEAD), (HEADS * HEAD, WIDTH), (WIDTH, INNER),
    (WIDTH, INNER), (INNER, WIDTH),
)  # fmt: skip
READ = 2 * (LAYERS * sum(rows * columns for rows, columns in MATRICES) + WORDS * WIDTH)  # bytes of weights for a token
CACHES = (LAYERS, CACHED, SHARED, HEAD)


def weights() -> list[np.ndarray]:
    """Embeddings, the last matrix, and those of all layers."""
    import ml_dtypes

    block = np.random.default_rng(0).standard_normal(1 << 20, np.float32)
    shapes = [(WORDS, WIDTH), (WIDTH, WORDS), *((LAYERS, *shape) for shape in MATRICES)]
    return [np.resize(block * shape[-2] ** -0.5, shape).astype(ml_dtypes.bfloat16) for shape in shapes]


def norm(x: Any) -> Any:
    import jax
    import jax.numpy as jnp

    wide = x.astype(jnp.float32)
    return (wide * jax.lax.rsqrt(jnp.mean(wide**2, -1, keepdims=True) + 1e-6)).astype(x.dtype)


def turn(x: Any, positions: Any) -> Any:
    """Rotate pairs of numbers by angles that grow with the position."""
    import jax.numpy as jnp

    angles = positions[:, None] * 10_000.0 ** (-jnp.arange(0, HEAD, 2, dtype=jnp.float32) / HEAD)
    cosine, sine = jnp.cos(angles)[:, None].astype(x.dtype), jnp.sin(angles)[:, None].astype(x.dtype)
    a, b = jnp.split(x, 2, -1)
    return jnp.concatenate([a * cosine - b * sine, a * sine + b * cosine], -1)


def decode(tokens: int) -> Callable[..., Any]:
    """The next word after some tokens that follow `position` ones in the caches, and the caches."""
    import jax
    import jax.numpy as jnp
    from jax import lax

    def attend(q: Any, k: Any, v: Any, position: Any) -> Any:
        grouped = q.reshape(tokens, SHARED, HEADS // SHARED, HEAD)
        scores = jnp.einsum("qhgd,khd->hgqk", grouped, k).astype(jnp.float32) * HEAD**-0.5
        seen = jnp.arange(k.shape[0]) <= position + jnp.arange(tokens)[:, None]
        shares = jax.nn.softmax(jnp.where(seen, scores, -1e30), -1).astype(q.dtype)
        return jnp.einsum("hgqk,khd->qhgd", shares, v).reshape(tokens, HEADS * HEAD)

    def function(embeddings: Any, last: Any, *rest: Any) -> Any:
        *matrices, words, position, keys, values = rest
        positions = position + jnp.arange(tokens)

        def layer(x: Any, given: Any) -> Any:
            wq, wk, wv, wo, gate, up, down, k_cache, v_cache = given
            y = norm(x)
            q = turn((y @ wq).reshape(tokens, HEADS, HEAD), positions)
            k = turn((y @ wk).reshape(tokens, SHARED, HEAD), positions)
            v = (y @ wv).reshape(tokens, SHARED, HEAD)
            k_cache, v_cache = (
                lax.dynamic_update_slice_in_dim(c, new, position, 0) for c, new in ((k_cache, k), (v_cache, v))
            )
            if tokens == 1:
                k, v = k_cache, v_cache
            x = x + attend(q, k, v, position if tokens == 1 else jnp.int32(0)) @ wo
            y = norm(x)
            return x + (jax.nn.silu(y @ gate) * (y @ up)) @ down, (k_cache, v_cache)

        x, (keys, values) = lax.scan(layer, embeddings[words], (*matrices, keys, values))
        return jnp.argmax((norm(x[-1:]) @ last).astype(jnp.float32), -1).astype(jnp.int32), keys, values

    return function


def seconds_of(
    call: Callable[..., Any], given: Sequence[Any], caches: Sequence[Any], wait: Callable[[Any], Any]
) -> Any:
    """The median of calls that each take the caches of the one before, and the first word."""
    times, word = list[float](), None
    for _ in range(30):
        start = time.perf_counter()
        found, *caches = call(*given, *caches)
        wait(found)
        times.append(time.perf_counter() - start)
        word = found if word is None else word
    return sorted(times)[len(times) // 2], word


def measure(tokens: int, position: int, arrays: Sequence[np.ndarray]) -> tuple[float, float]:
    """The seconds of a call by hlo2tiny and by XLA, caches being donated.

    Raises:
        AssertionError: they differ in the first word.
    """
    import jax
    import ml_dtypes
    from tinygrad import Device

    from hlo2tiny.tinygrad.tensors import place_array

    words = (np.arange(tokens) * 7919 % WORDS).astype(np.int32)
    given = [*arrays, words, np.int32(position)]
    caches = [np.zeros(CACHES, ml_dtypes.bfloat16) for _ in range(2)]
    count = len(given)
    jitted = jax.jit(decode(tokens), donate_argnums=(count, count + 1))
    text = str(jax.export.export(jitted, platforms=["cuda"])(*given, *caches).mlir_module())
    program = hlo2tiny.load(text, "CUDA")
    tensors = [place_array(np.asarray(x), "CUDA") for x in given]
    ours, word = seconds_of(
        program, tensors, [place_array(x, "CUDA") for x in caches], lambda _: Device["CUDA"].synchronize()
    )
    on_gpu = [jax.device_put(x) for x in given]
    theirs, other = seconds_of(jitted, on_gpu, [jax.device_put(x) for x in caches], jax.block_until_ready)
    if word.numpy().tolist() != np.asarray(other).tolist():
        raise AssertionError(f"the next word is {word.numpy()}, and by XLA {np.asarray(other)}")
    return ours, theirs


def check_language_model() -> str:
    """One token, beside the time in which the chip reads the weights; many, beside the operations that it can do."""
    from hlo2tiny.targets.cuda.driver import gpu_of
    from hlo2tiny.targets.cuda.measuring import chip_of

    chip, arrays = chip_of(gpu_of("CUDA")), weights()
    ours, xla = measure(1, CACHED - 100, arrays)
    least = READ / chip.bandwidth
    said = [f"one token {1e3 * ours:.2f} ms, {ours / least:.1f} × the least (XLA {xla / least:.1f} ×)"]
    ours, xla = measure(PROMPT, 0, arrays)
    work = READ * PROMPT - 2 * WORDS * WIDTH * (PROMPT - 1) + 2 * LAYERS * PROMPT**2 * HEADS * HEAD
    rate = next(value for name, value in chip.flops.items() if "bf16" in name)
    shares = [100 * work / taken / rate for taken in (ours, xla)]
    said.append(
        f"{PROMPT} tokens {1e3 * ours:.2f} ms, {shares[0]:.0f} % of the chip's bf16 rate (XLA {shares[1]:.0f} %)"
    )
    return "; ".join(said)
