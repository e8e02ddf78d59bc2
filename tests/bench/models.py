"""Networks of the benchmark, in plain JAX. Their weights are drawn at random; images are height × width × channels."""

from __future__ import annotations

import inspect
import math
from collections.abc import Callable
from typing import Any

import jax
import jax.numpy as jnp
from jax import lax, nn

Array = Any
VOCABULARY = 50_257
CACHED = 1024


class Weights:
    """The weights of a network by name: while its shapes are traced, what it asks for; then these arrays."""

    def __init__(self, arrays: dict[str, Array] | None = None) -> None:
        self.arrays, self.shapes = arrays, dict[str, Any]()

    def __call__(self, name: str, *shape: int) -> Array:
        self.shapes[name] = struct(*shape)
        return jnp.zeros(shape) if self.arrays is None else self.arrays[name]


def struct(*shape: int, dtype: str = "float32") -> jax.ShapeDtypeStruct:
    return jax.ShapeDtypeStruct(shape, dtype)


def network(forward: Callable[..., Any], *inputs: Any) -> tuple[Callable[..., Any], tuple]:
    """A function of weights and inputs, and the shapes of both, from one that asks for weights as it goes."""
    asked = Weights()
    jax.eval_shape(lambda *x: forward(asked, *x), *inputs)

    def call(weights: dict[str, Array], *x: Any) -> Any:
        return forward(Weights(weights), *x)

    first, *others = inspect.signature(forward).parameters.values()  # whose names an export has
    call.__signature__ = inspect.Signature([first.replace(name="weights"), *others])  # type: ignore[attr-defined]
    return call, (asked.shapes, *inputs)


# ---------------------------------------------------------------- layers


def dense(w: Weights, name: str, x: Array, width: int, bias: bool = True) -> Array:
    y = x @ w(f"{name}/kernel", x.shape[-1], width)
    return y + w(f"{name}/bias", width) if bias else y


def layer_norm(w: Weights, name: str, x: Array) -> Array:
    centred = x - x.mean(-1, keepdims=True)
    scale, bias = w(f"{name}/scale", x.shape[-1]), w(f"{name}/bias", x.shape[-1])
    return centred * lax.rsqrt((centred**2).mean(-1, keepdims=True) + 1e-5) * scale + bias


def rms_norm(w: Weights, name: str, x: Array) -> Array:
    return x * lax.rsqrt((x**2).mean(-1, keepdims=True) + 1e-5) * w(f"{name}/scale", x.shape[-1])


def split(x: Array, heads: int) -> Array:
    """batch × tokens × width as batch × heads × tokens × part."""
    return x.reshape(*x.shape[:2], heads, -1).swapaxes(1, 2)


def attend(q: Array, k: Array, v: Array, seen: Array | None = None) -> Array:
    """Attention of heads, joined again; `seen` says which keys each query may read."""
    scores = q @ k.swapaxes(2, 3) / math.sqrt(q.shape[-1])
    if seen is not None:
        scores = jnp.where(seen, scores, -jnp.inf)
    y = (nn.softmax(scores) @ v).swapaxes(1, 2)
    return y.reshape(*y.shape[:2], -1)


def attention(
    w: Weights, name: str, x: Array, heads: int, other: Array | None = None, seen: Array | None = None
) -> Array:
    """Attention of `x` to itself, or to another sequence."""
    q = dense(w, f"{name}/q", x, x.shape[-1])
    k, v = (dense(w, f"{name}/{part}", x if other is None else other, x.shape[-1]) for part in "kv")
    return dense(w, f"{name}/out", attend(split(q, heads), split(k, heads), split(v, heads), seen), x.shape[-1])


def feed_forward(w: Weights, name: str, x: Array) -> Array:
    return dense(w, f"{name}/project", nn.gelu(dense(w, f"{name}/expand", x, 4 * x.shape[-1])), x.shape[-1])


def causal(tokens: int) -> Array:
    return jnp.tril(jnp.ones((tokens, tokens), bool))


def block(w: Weights, name: str, x: Array, heads: int, seen: Array | None = None, other: Array | None = None) -> Array:
    """A layer of a transformer whose norms come first; with another sequence, it attends to that too."""
    x = x + attention(w, f"{name}/self", layer_norm(w, f"{name}/norm_1", x), heads, seen=seen)
    if other is not None:
        x = x + attention(w, f"{name}/cross", layer_norm(w, f"{name}/norm_2", x), heads, other)
    return x + feed_forward(w, name, layer_norm(w, f"{name}/norm_3", x))


def conv(
    w: Weights, name: str, x: Array, width: int, size: int, stride: int = 1, groups: int = 1, bias: bool = False
) -> Array:
    """A convolution over all axes between the first and the last."""
    axes = "HW"[: x.ndim - 2]
    kernel = w(f"{name}/kernel", *(size,) * len(axes), x.shape[-1] // groups, width)
    layouts = (f"N{axes}C", f"{axes}IO", f"N{axes}C")
    y = lax.conv_general_dilated(
        x, kernel, (stride,) * len(axes), "SAME", dimension_numbers=layouts, feature_group_count=groups
    )
    return y + w(f"{name}/bias", width) if bias else y


def batch_norm(w: Weights, name: str, x: Array) -> Array:
    scale, bias, mean, variance = (
        w(f"{name}/{part}", x.shape[-1]) for part in ("gamma", "beta", "moving_mean", "moving_variance")
    )
    return (x - mean) * (lax.rsqrt(variance + 1e-3) * scale) + bias


def hard_swish(x: Array) -> Array:
    return x * jnp.clip(x + 3, 0, 6) / 6


def squeezed(w: Weights, name: str, x: Array, width: int, inner: Callable, gate: Callable) -> Array:
    """Squeeze and excitation: the channels scaled by what the whole image says."""
    y = inner(dense(w, f"{name}/squeeze", x.mean((1, 2), keepdims=True), width))
    return x * gate(dense(w, f"{name}/excite", y, x.shape[-1]))


# ---------------------------------------------------------------- transformers


def decoder(layers: int, width: int, vocabulary: int, tokens: int) -> tuple[Callable[..., Any], tuple]:
    """A decoder-only transformer as GPT-2 is one."""

    def forward(w: Weights, tokens: Array) -> Array:
        table, positions = w("wte", vocabulary, width), w("wpe", CACHED, width)
        x, seen = table[tokens] + positions[: tokens.shape[1]], causal(tokens.shape[1])
        for i in range(layers):
            x = block(w, f"layer_{i}", x, width // 64, seen)
        return layer_norm(w, "norm", x) @ table.T

    return network(forward, struct(1, tokens, dtype="int32"))


def cached_token(layers: int = 12, width: int = 768, vocabulary: int = VOCABULARY) -> tuple[Callable[..., Any], tuple]:
    """The next token of the same, whose keys and values of earlier ones are cached."""

    def forward(w: Weights, cache: dict[str, Array], token: Array, position: Array) -> tuple[Array, dict[str, Array]]:
        table, heads = w("wte", vocabulary, width), width // 64
        x = (table[token] + w("wpe", CACHED, width)[position])[None, None]
        new = {}
        for i in range(layers):
            name = f"layer_{i}"
            y = layer_norm(w, f"{name}/norm_1", x)
            q, k, v = (split(dense(w, f"{name}/self/{part}", y, width), heads) for part in "qkv")
            keys = lax.dynamic_update_slice(cache[f"{name}/k"], k, (0, 0, position, 0))
            values = lax.dynamic_update_slice(cache[f"{name}/v"], v, (0, 0, position, 0))
            new |= {f"{name}/k": keys, f"{name}/v": values}
            x = x + dense(w, f"{name}/self/out", attend(q, keys, values, jnp.arange(CACHED) <= position), width)
            x = x + feed_forward(w, name, layer_norm(w, f"{name}/norm_3", x))
        return layer_norm(w, "norm", x) @ table.T, new

    cache = {f"layer_{i}/{part}": struct(1, width // 64, CACHED, 64) for i in range(layers) for part in "kv"}
    return network(forward, cache, struct(dtype="int32"), struct(dtype="int32"))


def llama() -> tuple[Callable[..., Any], tuple]:
    """8 layers of width 768 as Llama has them: rotated positions, 12 heads that share 4 of keys, gated feed-forward."""
    width, heads, shared, tokens = 768, 12, 4, 64

    def rotate(x: Array) -> Array:
        part = x.shape[-1] // 2
        angle = jnp.arange(x.shape[2])[:, None] * 10_000.0 ** (-jnp.arange(part) / part)
        a, b = x[..., :part], x[..., part:]
        return jnp.concatenate([a * jnp.cos(angle) - b * jnp.sin(angle), b * jnp.cos(angle) + a * jnp.sin(angle)], -1)

    def layer(w: Weights, name: str, x: Array, seen: Array) -> Array:
        y = rms_norm(w, f"{name}/norm_1", x)
        q = rotate(split(dense(w, f"{name}/q", y, width, bias=False), heads))
        k, v = (split(dense(w, f"{name}/{part}", y, width * shared // heads, bias=False), shared) for part in "kv")
        k, v = (jnp.repeat(part, heads // shared, axis=1) for part in (rotate(k), v))
        x = x + dense(w, f"{name}/out", attend(q, k, v, seen), width, bias=False)
        y = rms_norm(w, f"{name}/norm_2", x)
        gate, up = (dense(w, f"{name}/{part}", y, 2048, bias=False) for part in ("gate", "up"))
        return x + dense(w, f"{name}/down", nn.silu(gate) * up, width, bias=False)

    def forward(w: Weights, tokens: Array) -> Array:
        x, seen = w("wte", 32_000, width)[tokens], causal(tokens.shape[1])
        for i in range(8):
            x = layer(w, f"layer_{i}", x, seen)
        return dense(w, "head", rms_norm(w, "norm", x), 32_000, bias=False)

    return network(forward, struct(1, tokens, dtype="int32"))


def vit_base() -> tuple[Callable[..., Any], tuple]:
    def forward(w: Weights, x: Array) -> Array:
        patches = conv(w, "patches", x, 768, 16, stride=16, bias=True).reshape(1, -1, 768)
        x = jnp.concatenate([w("class", 1, 1, 768), patches], 1) + w("wpe", patches.shape[1] + 1, 768)
        for i in range(12):
            x = block(w, f"layer_{i}", x, 12)
        return dense(w, "head", layer_norm(w, "norm", x)[:, 0], 1000)

    return network(forward, struct(1, 224, 224, 3))


def whisper_tiny() -> tuple[Callable[..., Any], tuple]:
    """30 seconds of sound encoded, and 32 tokens decoded."""
    width, heads = 384, 6

    def forward(w: Weights, sound: Array, tokens: Array) -> Array:
        x = nn.gelu(conv(w, "conv_1", sound, width, 3, bias=True))
        x = nn.gelu(conv(w, "conv_2", x, width, 3, stride=2, bias=True))
        x = x + w("sound/wpe", x.shape[1], width)
        for i in range(4):
            x = block(w, f"encoder_{i}", x, heads)
        x, table = layer_norm(w, "sound/norm", x), w("wte", 51_865, width)
        y, seen = table[tokens] + w("wpe", 448, width)[: tokens.shape[1]], causal(tokens.shape[1])
        for i in range(4):
            y = block(w, f"decoder_{i}", y, heads, seen, x)
        return layer_norm(w, "norm", y) @ table.T

    return network(forward, struct(1, 3000, 80), struct(1, 32, dtype="int32"))


# ---------------------------------------------------------------- images


def resnet50(batch: int = 1) -> tuple[Callable[..., Any], tuple]:
    def unit(w: Weights, name: str, x: Array, width: int, size: int, stride: int = 1) -> Array:
        return batch_norm(w, f"{name}/norm", conv(w, name, x, width, size, stride, bias=True))

    def forward(w: Weights, x: Array) -> Array:
        x = nn.relu(unit(w, "stem", x, 64, 7, 2))
        x = lax.reduce_window(x, -jnp.inf, lax.max, (1, 3, 3, 1), (1, 2, 2, 1), "SAME")
        for stage, (width, blocks) in enumerate([(64, 3), (128, 4), (256, 6), (512, 3)]):
            for i in range(blocks):
                name, stride = f"stage_{stage}/{i}", 2 if stage and not i else 1
                y = nn.relu(unit(w, f"{name}/a", x, width, 1, stride))
                y = nn.relu(unit(w, f"{name}/b", y, width, 3))
                short = x if i else unit(w, f"{name}/short", x, 4 * width, 1, stride)
                x = nn.relu(unit(w, f"{name}/c", y, 4 * width, 1) + short)
        return nn.softmax(dense(w, "head", x.mean((1, 2)), 1000))

    return network(forward, struct(batch, 224, 224, 3))


def convnext_tiny() -> tuple[Callable[..., Any], tuple]:
    def forward(w: Weights, x: Array) -> Array:
        x = layer_norm(w, "stem/norm", conv(w, "stem", x, 96, 4, 4, bias=True))
        for stage, (width, blocks) in enumerate([(96, 3), (192, 3), (384, 9), (768, 3)]):
            if stage:
                x = conv(w, f"down_{stage}", layer_norm(w, f"down_{stage}/norm", x), width, 2, 2, bias=True)
            for i in range(blocks):
                name = f"stage_{stage}/{i}"
                y = layer_norm(w, f"{name}/norm", conv(w, name, x, width, 7, groups=width, bias=True))
                x = x + w(f"{name}/layer/scale", width) * feed_forward(w, name, y)
        return dense(w, "head", layer_norm(w, "norm", x.mean((1, 2))), 1000)

    return network(forward, struct(1, 224, 224, 3))


def inverted(
    w: Weights, name: str, x: Array, inner: int, width: int, size: int, stride: int, active: Callable, squeeze: Callable
) -> Array:
    """An inverted bottleneck: wider channels, a convolution of each, back to fewer."""
    y = x
    if inner != x.shape[-1]:
        y = active(batch_norm(w, f"{name}/expand/norm", conv(w, f"{name}/expand", x, inner, 1)))
    y = active(batch_norm(w, f"{name}/each/norm", conv(w, f"{name}/each", y, inner, size, stride, groups=inner)))
    y = batch_norm(w, f"{name}/project/norm", conv(w, f"{name}/project", squeeze(y), width, 1))
    return x + y if stride == 1 and x.shape[-1] == width else y


def efficientnet_b0() -> tuple[Callable[..., Any], tuple]:
    # By stage: how much wider inside, channels, blocks, the kernel's size, the stride of the first block.
    stages = [(1, 16, 1, 3, 1), (6, 24, 2, 3, 2), (6, 40, 2, 5, 2), (6, 80, 3, 3, 2)]
    stages += [(6, 112, 3, 5, 1), (6, 192, 4, 5, 2), (6, 320, 1, 3, 1)]

    def forward(w: Weights, x: Array) -> Array:
        x = nn.silu(batch_norm(w, "stem/norm", conv(w, "stem", x, 32, 3, 2)))
        for stage, (wider, width, blocks, size, stride) in enumerate(stages):
            for i in range(blocks):
                name, before = f"stage_{stage}/{i}", x.shape[-1]

                def squeeze(y: Array, name: str = name, before: int = before) -> Array:
                    return squeezed(w, name, y, max(1, before // 4), nn.silu, nn.sigmoid)

                x = inverted(w, name, x, wider * before, width, size, 1 if i else stride, nn.silu, squeeze)
        x = nn.silu(batch_norm(w, "last/norm", conv(w, "last", x, 1280, 1)))
        return dense(w, "head", x.mean((1, 2)), 1000)

    return network(forward, struct(1, 224, 224, 3))


def mobilenet_v3_small() -> tuple[Callable[..., Any], tuple]:
    # By block: the kernel's size, channels inside and after, squeezed or not, activation, stride.
    h, r = hard_swish, nn.relu
    blocks = [(3, 16, 16, True, r, 2), (3, 72, 24, False, r, 2), (3, 88, 24, False, r, 1), (5, 96, 40, True, h, 2)]
    blocks += [(5, 240, 40, True, h, 1)] * 2 + [(5, 120, 48, True, h, 1), (5, 144, 48, True, h, 1)]
    blocks += [(5, 288, 96, True, h, 2)] + [(5, 576, 96, True, h, 1)] * 2

    def forward(w: Weights, x: Array) -> Array:
        x = hard_swish(batch_norm(w, "stem/norm", conv(w, "stem", x, 16, 3, 2)))
        for i, (size, inner, width, squeezing, active, stride) in enumerate(blocks):

            def squeeze(y: Array, name: str = f"block_{i}", squeezing: bool = squeezing) -> Array:
                width = (y.shape[-1] // 4 + 7) // 8 * 8
                return squeezed(w, name, y, width, nn.relu, lambda z: jnp.clip(z + 3, 0, 6) / 6) if squeezing else y

            x = inverted(w, f"block_{i}", x, inner, width, size, stride, active, squeeze)
        x = hard_swish(batch_norm(w, "last/norm", conv(w, "last", x, 576, 1)))
        return dense(w, "head", hard_swish(dense(w, "hidden", x.mean((1, 2)), 1024)), 1000)

    return network(forward, struct(1, 224, 224, 3))


# ---------------------------------------------------------------- small ones


def lstm() -> tuple[Callable[..., Any], tuple]:
    """50 steps of 64 numbers, 128 hidden."""
    width = 128

    def forward(w: Weights, x: Array) -> Array:
        weights = w("kernel", x.shape[1] + width, 4 * width), w("bias", 4 * width)

        def step(state: tuple[Array, Array], row: Array) -> tuple[tuple[Array, Array], Array]:
            cell, hidden = state
            i, f, g, o = jnp.split(jnp.concatenate([row, hidden]) @ weights[0] + weights[1], 4)
            cell = nn.sigmoid(f) * cell + nn.sigmoid(i) * jnp.tanh(g)
            hidden = nn.sigmoid(o) * jnp.tanh(cell)
            return (cell, hidden), hidden

        return lax.scan(step, (jnp.zeros(width), jnp.zeros(width)), x)[1]

    return network(forward, struct(50, 64))


def small_mlp() -> tuple[Callable[..., Any], tuple]:
    def forward(w: Weights, x: Array) -> Array:
        for i, width in enumerate((256, 128)):
            x = nn.relu(dense(w, f"layer_{i}", x, width))
        return nn.softmax(dense(w, "head", x, 10))

    return network(forward, struct(1, 784))
