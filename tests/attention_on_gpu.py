"""Gradients of attention on an NVIDIA GPU: their numbers and times beside XLA's, and, if torch is there, cuDNN's.

See `gpu.py`; `docs/guides/cuda.md` has what this prints.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import ml_dtypes
import numpy as np

from hlo2tiny.plan import attention

BF16 = ml_dtypes.bfloat16
# Batch, tokens, heads of queries and of keys, and their size; the type; whether it is causal, has a bias, is by hand.
CASES: dict[str, tuple[tuple[int, int, int, int, int], Any, str]] = {
    "bf16 2x4096, 16 heads of 128": ((2, 4096, 16, 16, 128), BF16, ""),
    "causal": ((2, 4096, 16, 16, 128), BF16, "causal"),
    "causal, 32 heads for 8": ((2, 4096, 32, 8, 128), BF16, "causal"),
    "causal 16384, 8 heads of 128": ((1, 16384, 8, 8, 128), BF16, "causal"),
    "causal 8x1024, 12 heads of 64": ((8, 1024, 12, 12, 64), BF16, "causal"),
    "causal 2x2048, 8 heads of 256": ((2, 2048, 8, 8, 256), BF16, "causal"),
    "bias 2x2048, 16 heads of 64": ((2, 2048, 16, 16, 64), BF16, "bias"),
    "learned bias 2x2048, 16 heads of 64": ((2, 2048, 16, 16, 64), BF16, "learned bias"),
    "learned bias 16x512, 12 heads of 64": ((16, 512, 12, 12, 64), BF16, "learned bias"),
    "f16 by hand 2x1500, 8 heads of 80": ((2, 1500, 8, 8, 80), np.float16, "by hand"),
    "f32 2x2048, 16 heads of 64": ((2, 2048, 16, 16, 64), np.float32, ""),
    "f32 causal": ((2, 2048, 16, 16, 64), np.float32, "causal"),
    "f32 2x2048, 8 heads of 128": ((2, 2048, 8, 8, 128), np.float32, ""),
    "f32 causal 2x4096, 16 heads of 128": ((2, 4096, 16, 16, 128), np.float32, "causal"),
}
# How far gradients may be from XLA's, as a part of the largest.
ALLOWED = {"bfloat16": 2e-2, "float16": 5e-3, "float32": 2e-3}


def attend(q: Any, k: Any, v: Any, bias: Any = None, kind: str = "") -> Any:
    import jax
    import jax.numpy as jnp

    if kind != "by hand":
        return jax.nn.dot_product_attention(q, k, v, bias=bias, is_causal=kind == "causal")
    scores = jnp.einsum("bqhd,bkhd->bhqk", q, k) * q.shape[-1] ** -0.5
    scores = jnp.where(jnp.tri(scores.shape[-1], dtype=bool), scores, -jnp.inf)
    return jnp.einsum("bhqk,bkhd->bqhd", jax.nn.softmax(scores, -1), v)


def cudnn_seconds(sizes: Sequence[int], causal: bool) -> float | None:
    """The seconds of cuDNN's attention and its gradients, as torch calls them."""
    try:
        import torch
    except ImportError:
        return None
    batch, tokens, heads, _, size = sizes
    shape = batch, heads, tokens, size
    q, k, v = (torch.randn(shape, device="cuda", dtype=torch.bfloat16, requires_grad=True) for _ in range(3))

    def call() -> None:
        found = torch.nn.functional.scaled_dot_product_attention(q, k, v, is_causal=causal)
        found.backward(found)

    start, end = (torch.cuda.Event(enable_timing=True) for _ in range(2))
    with torch.nn.attention.sdpa_kernel(torch.nn.attention.SDPBackend.CUDNN_ATTENTION):
        call()
        start.record()
        for _ in range(10):
            call()
        end.record()
    torch.cuda.synchronize()
    return float(start.elapsed_time(end)) / 1e4


def check_gradients(exported: Callable[..., str], ours: Callable[..., Any], xla: Callable[..., Any]) -> str:
    """Gradients of each case beside XLA's, and their times, with scores computed again and with stored ones."""
    import jax
    import jax.numpy as jnp

    random, said, find = np.random.default_rng(0), list[str](), attention.find_gradients
    for name, ((batch, tokens, heads, kept, size), dtype, kind) in CASES.items():
        shapes = [(batch, tokens, n, size) for n in (heads, kept, kept)]
        shapes += [(1, heads, tokens, tokens)] * ("bias" in kind)
        arrays = [random.standard_normal(shape, np.float32).astype(dtype) for shape in shapes]

        def loss(*given: Any, kind: str = kind) -> Any:
            return (attend(*given, kind=kind).astype(jnp.float32) ** 2).sum()

        text = exported(jax.grad(loss, (0, 1, 2, 3) if kind == "learned bias" else (0, 1, 2)), *arrays)
        _, seconds, found, _ = ours(text, arrays, 0.2)
        _, theirs, expected = xla(text, arrays, 0.2)
        for x, y in zip(found, expected, strict=True):
            wide, exact = x.astype(np.float32), np.asarray(y).astype(np.float32)
            if not abs(wide - exact).max() <= ALLOWED[np.dtype(dtype).name] * abs(exact).max():
                raise AssertionError(f"{name}: {abs(wide - exact).max():.1e} of {abs(exact).max():.1e}")
        attention.find_gradients = lambda graph, match: None
        try:
            _, stored, *_ = ours(f"{text}\n// scores are stored\n", arrays, 0.2)
        finally:
            attention.find_gradients = find
        words = [f"{name} {1e3 * seconds:.2f} ms", f"stored {1e3 * stored:.2f}", f"XLA {1e3 * theirs:.2f}"]
        if dtype is BF16 and heads == kept and "bias" not in kind:
            other = cudnn_seconds((batch, tokens, heads, kept, size), kind == "causal")
            words += [f"cuDNN {1e3 * other:.2f}"] if other is not None else []
        said.append(", ".join(words))
    return "; ".join(said)
