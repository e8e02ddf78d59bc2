"""Attention as people write it: the same computation in spellings that are drawn from what may differ among them."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax, nn

Function = Callable[..., Any]


@dataclass(frozen=True)
class Spelling:
    """A function of attention and its arguments; the name says what was drawn."""

    name: str
    function: Function
    arrays: tuple[np.ndarray, ...]


ORDERS = {
    "bthd": ("bqhd,bkhd->bhqk", "bhqk,bkhd->bqhd", (0, 1, 2, 3)),
    "bhtd": ("bhqd,bhkd->bhqk", "bhqk,bhkd->bhqd", (0, 2, 1, 3)),
    "tbhd": ("qbhd,kbhd->bhqk", "bhqk,kbhd->qbhd", (1, 0, 2, 3)),
    "keys first": ("bqhd,bkhd->bhkq", "bhkq,bkhd->bqhd", (0, 1, 2, 3)),
}
TYPES = {"f32": jnp.float32, "bf16": jnp.bfloat16, "f16": jnp.float16}


def by_hand(s: Any, axis: int) -> Any:
    powers = jnp.exp(s - s.max(axis, keepdims=True))
    return powers / powers.sum(axis, keepdims=True)


def stopped(s: Any, axis: int) -> Any:
    powers = jnp.exp(s - lax.stop_gradient(jnp.max(s, axis, keepdims=True)))
    return powers / jnp.sum(powers, axis, keepdims=True)


def unshifted(s: Any, axis: int) -> Any:
    powers = jnp.exp(s)
    return powers / powers.sum(axis, keepdims=True)


SOFTMAXES: dict[str, Callable[[Any, int], Any]] = {
    "jax's": lambda s, axis: nn.softmax(s, axis=axis),
    "by hand": by_hand,
    "stop_gradient": stopped,
    "unshifted": unshifted,
}
SCALES = ("of scores", "quotient", "of queries", "none")
MASKS = ("none", "-inf", "-1e9", "finfo.min", "added", "bias", "padding")
PRODUCTS = ("own type", "f32", "widened")
SIZES = {
    "odd": (2, 37, 41, 3, 24),
    "even": (1, 64, 64, 2, 16),
    "one query": (2, 1, 96, 4, 32),
    "wide": (1, 20, 24, 1, 256),
}


def drawn(random: np.random.Generator) -> Spelling:
    """One spelling of attention by products, masks and softmax."""
    pick = {
        name: str(random.choice([*values]))
        for name, values in {
            "order": ORDERS, "type": TYPES, "softmax": SOFTMAXES, "scale": SCALES, "mask": MASKS,
            "products": PRODUCTS, "softmax in": ("f32", "own type"), "size": SIZES,
            "shape": ("plain", "grouped", "vmap"),
        }.items()
    }  # fmt: skip
    batch, queries, keys, count, depth = SIZES[pick["size"]]
    first, last, order = ORDERS[pick["order"]]
    kind = TYPES[pick["type"]]
    axis = -2 if pick["order"] == "keys first" else -1
    groups = 2 if pick["shape"] == "grouped" else 1
    mask = np.tril(np.ones((queries, keys), bool), keys - queries)
    bias = random.standard_normal((count * groups, queries, keys)).astype(np.float32)
    if pick["mask"] == "padding":
        mask = np.broadcast_to(np.arange(keys) < keys - 5, (queries, keys))
    if axis == -2:
        mask, bias = mask.T, bias.swapaxes(-1, -2)

    def function(q: Any, k: Any, v: Any) -> Any:
        if groups > 1:
            heads = order.index(2)
            k, v = (jnp.repeat(x, groups, axis=heads) for x in (k, v))
        if pick["scale"] == "of queries":
            q = q * jnp.asarray(1 / math.sqrt(depth), kind)
        wide = pick["products"] == "widened"
        preferred = None if pick["products"] == "own type" else jnp.float32
        q, k = (x.astype(jnp.float32) if wide else x for x in (q, k))
        s = jnp.einsum(first, q, k, preferred_element_type=preferred)
        if pick["scale"] == "of scores":
            s = s * jnp.asarray(1 / math.sqrt(depth), s.dtype)
        elif pick["scale"] == "quotient":
            s = s / jnp.asarray(math.sqrt(depth), s.dtype)
        low = -6e4 if s.dtype == jnp.float16 else -1e9
        lowest = {"-inf": -jnp.inf, "-1e9": low, "finfo.min": jnp.finfo(s.dtype).min}
        match pick["mask"]:
            case "-inf" | "-1e9" | "finfo.min" as name:
                s = jnp.where(mask, s, jnp.asarray(lowest[name], s.dtype))
            case "padding":
                s = jnp.where(mask, s, -jnp.inf)
            case "added":
                s = s + jnp.where(mask, 0, lowest["-1e9"]).astype(s.dtype)
            case "bias":
                s = s + bias.astype(s.dtype)
        s = s.astype(jnp.float32) if pick["softmax in"] == "f32" else s
        weights = SOFTMAXES[pick["softmax"]](s, axis).astype(kind)
        return jnp.einsum(last, weights, v, preferred_element_type=preferred).astype(kind)

    shapes = (queries, count * groups), (keys, count), (keys, count)
    arrays = [random.standard_normal((batch, n, h, depth)).transpose(order).astype(kind) for n, h in shapes]
    if pick["shape"] == "vmap":
        arrays = [np.stack([x, x[::-1]], 1) for x in arrays]
        return Spelling(", ".join(pick.values()), jax.vmap(function, 1, 1), tuple(arrays))
    return Spelling(", ".join(pick.values()), function, tuple(arrays))


JAX_OPTIONS: dict[str, dict[str, Any]] = {
    "plain": {},
    "causal": {"is_causal": True},
    "scale": {"scale": 0.3},
    "window": {"is_causal": True, "local_window_size": (7, 0)},
    "lengths": {f"{part}_seq_lengths": np.array([30, 9], np.int32) for part in ("query", "key_value")},
    "mask": {"mask": np.tril(np.ones((1, 1, 40, 40), bool))},
    "bias": {"bias": np.linspace(-2, 2, 4 * 40 * 40, dtype=np.float32).reshape(1, 4, 40, 40)},
}


def of_jax(name: str, kind: str, heads: int) -> Spelling:
    """jax.nn.dot_product_attention of 4 heads of queries and some of keys."""
    random = np.random.default_rng(heads)
    shapes = [(2, 40, n, 16) for n in (4, heads, heads)]
    arrays = tuple(np.asarray(random.standard_normal(shape), TYPES[kind]) for shape in shapes)
    options = JAX_OPTIONS[name]
    if "bias" in options:
        options = {"bias": options["bias"].astype(TYPES[kind])}
    return Spelling(
        f"dot_product_attention: {name}, {kind}, {heads} heads of keys",
        lambda q, k, v: nn.dot_product_attention(q, k, v, **options),
        arrays,
    )


SPELLINGS = [
    *(of_jax(name, kind, heads) for name in JAX_OPTIONS for kind in ("f32", "bf16") for heads in (4, 2)),
    *(drawn(np.random.default_rng([27, seed])) for seed in range(40)),
]
