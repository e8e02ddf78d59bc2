"""Write the corpus: StableHLO texts made by public libraries, with inputs and the results XLA computes for them.

Needs (Python 3.11, CPU only; torch first, so that nothing pulls in a CUDA build):

    pip install torch==2.13.0
    pip install jax==0.10.2 jaxlib==0.10.2 flax==0.12.8 optax==0.2.8 dm-haiku==0.0.17 keras==3.15.1
    pip install torchax==0.0.14.dev20260814  (0.0.13 cannot be imported beside torch 2.13)

Use:

    python corpus/make.py                  all programs of the corpus
    python corpus/make.py NAME...          only these
    python corpus/make.py --benchmark DIR  the large programs, into DIR

Writes for each program NAME.mlir (the text, with locations) and NAME.npz, and one manifest.json for all.

NAME.npz holds the flattened results as out0, out1, ... and the inputs that no seed describes as inN, where N is the
argument's position. Types that numpy lacks are stored as their bits, with the type's name after a dot
("out0.bfloat16" is a uint16 array). The text handwritten_generic.mlir is a source file: it is read, not written.

manifest.json is a list, sorted by name. Its "inputs" follow the entry function's arguments in order. An input is either
"stored" under that key of the npz, or it is

    np.random.RandomState(seed).standard_normal(shape) * scale + offset

rounded to float32 and then to dtype (float64 inputs are left as they are; a missing offset is 0). RandomState's stream
never changes. "ops" counts the text's operations; "rtol" and "atol" say how closely results have to agree.
"""

import argparse
import itertools
import json
import math
import os
import re
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path
from typing import Any

os.environ["JAX_PLATFORMS"] = "cpu"
os.environ["KERAS_BACKEND"] = "jax"

import jax
import jax.numpy as jnp
import ml_dtypes
import numpy as np
from flax import linen as nn
from jax import lax
from jax._src import xla_bridge
from jax._src.interpreters import mlir
from jax._src.lib import xla_client
from jax._src.lib.mlir import ir

HERE = Path(__file__).resolve().parent

Tree = Any
# The function to export (none where the text is a source file), and its arguments: Seeded or numpy arrays.
Built = tuple[Callable | None, tuple]


@dataclass(frozen=True)
class Seeded:
    """A float input that the manifest describes instead of storing it."""

    shape: tuple[int, ...]
    scale: float = 1.0
    offset: float = 0.0
    dtype: str = "float32"


@dataclass(frozen=True)
class Program:
    """A row of the table: `build` returns the function to export and its arguments."""

    name: str
    build: Callable[[], Built]
    libraries: tuple[str, ...]
    rtol: float
    atol: float
    x64: bool
    benchmark: bool


PROGRAMS: dict[str, Program] = {}


def program(
    *libraries: str, rtol: float = 1e-4, atol: float = 1e-5, x64: bool = False, benchmark: bool = False
) -> Callable:
    """Enter the decorated function into the table under its own name."""

    def enter(build: Callable[[], Built]) -> Callable:
        name = build.__name__
        PROGRAMS[name] = Program(name, build, (*libraries, "jax"), rtol, atol, x64, benchmark)
        return build

    return enter


def seeded_like(shapes: Tree) -> Tree:
    """Describe a library's parameters, from their names and shapes, so that activations stay near 1."""

    def describe(path: tuple, leaf: Any) -> Seeded:
        name = jax.tree_util.keystr(path[-1:], simple=True).split("/")[-1]
        if name in ("scale", "gamma", "moving_variance"):
            return Seeded(leaf.shape, 0.1, 1.0)
        if name in ("bias", "b", "beta", "offset", "moving_mean"):
            return Seeded(leaf.shape, 0.1)
        if name == "embedding":
            return Seeded(leaf.shape, 1 / math.sqrt(leaf.shape[-1]))
        layer = jax.tree_util.keystr(path[-2:-1], simple=True)
        fan_in = leaf.shape[0] if layer in ("query", "key", "value") else math.prod(leaf.shape[:-1])
        return Seeded(leaf.shape, 1 / math.sqrt(fan_in))

    return jax.tree_util.tree_map_with_path(describe, shapes)


def dense(*shape: int, dtype: str = "float32") -> Seeded:
    """A weight whose last but one dimension is summed over."""
    return Seeded(shape, 1 / math.sqrt(shape[-2]), dtype=dtype)


# --- networks ---------------------------------------------------------------------------------------------------------


@program("flax")
def flax_convnet() -> Built:
    class ConvNet(nn.Module):
        @nn.compact
        def __call__(self, x: jax.Array) -> jax.Array:
            x = nn.silu(nn.Conv(32, (3, 3))(x))
            x = nn.avg_pool(x, (2, 2), strides=(2, 2))
            x = nn.silu(nn.Conv(64, (3, 3))(x))
            x = nn.avg_pool(x, (2, 2), strides=(2, 2))
            x = x.reshape(x.shape[0], -1)
            x = nn.silu(nn.Dense(256)(x))
            return nn.Dense(10)(x)

    model = ConvNet()

    def convnet(params: Tree, x: jax.Array) -> jax.Array:
        return model.apply({"params": params}, x)

    shapes = jax.eval_shape(model.init, jax.random.key(0), jnp.zeros((1, 28, 28, 1)))["params"]
    return convnet, (seeded_like(shapes), Seeded((512, 28, 28, 1)))


def mlp_logits(params: Tree, images: jax.Array) -> jax.Array:
    """JAX's own MNIST example: tanh layers, then log-probabilities."""
    *hidden, (last_w, last_b) = params
    x = images
    for w, b in hidden:
        x = jnp.tanh(jnp.dot(x, w) + b)
    logits = jnp.dot(x, last_w) + last_b
    return logits - jax.scipy.special.logsumexp(logits, axis=1, keepdims=True)


def mlp_loss(params: Tree, images: jax.Array, targets: jax.Array) -> jax.Array:
    return -jnp.mean(jnp.sum(mlp_logits(params, images) * targets, axis=1))


def mlp_params(*sizes: int, dtype: str = "float32") -> list[tuple[Seeded, Seeded]]:
    return [(dense(m, n, dtype=dtype), Seeded((n,), 0.1, dtype=dtype)) for m, n in itertools.pairwise(sizes)]


@program()
def mnist_mlp_predict() -> Built:
    def predict(params: Tree, images: jax.Array) -> jax.Array:
        return mlp_logits(params, images)

    return predict, (mlp_params(784, 512, 512, 10), Seeded((32, 784)))


@program()
def mnist_mlp_update() -> Built:
    def update(params: Tree, images: jax.Array, targets: jax.Array) -> Tree:
        grads = jax.grad(mlp_loss)(params, images, targets)
        return [(w - 0.1 * dw, b - 0.1 * db) for (w, b), (dw, db) in zip(params, grads, strict=True)]

    return update, (mlp_params(784, 32, 32, 10), Seeded((32, 784)), Seeded((32, 10)))


@program()
def mnist_mlp_per_example_grads() -> Built:
    def loss(params: Tree, image: jax.Array, target: jax.Array) -> jax.Array:
        return mlp_loss(params, image[None], target[None])

    per_example = jax.vmap(jax.grad(loss), in_axes=(None, 0, 0))

    def per_example_grads(params: Tree, images: jax.Array, targets: jax.Array) -> Tree:
        return per_example(params, images, targets)

    return per_example_grads, (mlp_params(64, 32, 10), Seeded((16, 64)), Seeded((16, 10)))


@program()
def second_derivative() -> Built:
    def f(x: jax.Array) -> jax.Array:
        return jnp.tanh(x) * jnp.sin(3 * x) + jnp.exp(-x * x) / (1 + jnp.cos(x) ** 2)

    def second(x: jax.Array) -> jax.Array:
        return jax.vmap(jax.grad(jax.grad(f)))(x)

    return second, (Seeded((100,)),)


@program(rtol=2e-2, atol=2e-2)
def bf16_mlp() -> Built:
    def mlp(params: Tree, x: jax.Array) -> tuple[jax.Array, jax.Array]:
        for w, b in params[:-1]:
            x = jax.nn.gelu(x @ w + b)
        w, b = params[-1]
        logits = x @ w + b
        return logits, jax.nn.softmax(logits)

    return mlp, (mlp_params(64, 128, 128, 10, dtype="bfloat16"), Seeded((32, 64), dtype="bfloat16"))


@program("flax")
def lstm() -> Built:
    model = nn.RNN(nn.OptimizedLSTMCell(32), return_carry=True)

    def run(params: Tree, x: jax.Array) -> Tree:
        return model.apply({"params": params}, x)

    x = Seeded((4, 20, 16))
    return run, (seeded_like(jax.eval_shape(model.init, jax.random.key(0), shape_of(x))["params"]), x)


@program("optax")
def optax_adamw() -> Built:
    import optax

    optimizer = optax.adamw(1e-2)

    def loss(params: Tree, x: jax.Array, y: jax.Array) -> jax.Array:
        hidden = jax.nn.relu(x @ params["w1"] + params["b1"])
        return jnp.mean((hidden @ params["w2"] + params["b2"] - y) ** 2)

    def step(params: Tree, opt_state: Tree, x: jax.Array, y: jax.Array) -> tuple[Tree, Tree, jax.Array]:
        value, grads = jax.value_and_grad(loss)(params, x, y)
        updates, opt_state = optimizer.update(grads, opt_state, params)
        return optax.apply_updates(params, updates), opt_state, value

    params = {"w1": dense(16, 32), "b1": Seeded((32,), 0.1), "w2": dense(32, 4), "b2": Seeded((4,), 0.1)}
    # A state as it is after three steps: second moments are positive, and far enough from 0 to be well-conditioned.
    adam, *rest = jax.eval_shape(optimizer.init, jax.tree.map(shape_of, params))
    mu = {name: Seeded(leaf.shape, 0.01) for name, leaf in params.items()}
    nu = {name: Seeded(leaf.shape, 0.0001, 0.001) for name, leaf in params.items()}
    opt_state = (adam._replace(count=np.array(3, dtype=np.int32), mu=mu, nu=nu), *rest)
    return step, (params, opt_state, Seeded((8, 16)), Seeded((8, 4)))


@program("keras")
def keras_resnet_block() -> Built:
    import keras

    # Keras numbers its layers; the numbers must not depend on what was built before.
    keras.utils.clear_session()
    x = inputs = keras.Input((16, 16, 8))
    x = keras.layers.Conv2D(8, 3, padding="same", use_bias=False)(x)
    x = keras.layers.BatchNormalization()(x)
    x = keras.layers.ReLU()(x)
    x = keras.layers.Conv2D(8, 3, padding="same", use_bias=False)(x)
    x = keras.layers.BatchNormalization()(x)
    model = keras.Model(inputs, keras.layers.ReLU()(keras.layers.Add()([inputs, x])))

    def resnet_block(trainable: Tree, state: Tree, x: jax.Array) -> tuple[jax.Array, Tree]:
        y, new_state = model.stateless_call(
            [trainable[v.path] for v in model.trainable_variables],
            [state[v.path] for v in model.non_trainable_variables],
            x,
            training=True,
        )
        return y, {v.path: new for v, new in zip(model.non_trainable_variables, new_state, strict=True)}

    def shapes(variables: list) -> dict[str, jax.ShapeDtypeStruct]:
        return {v.path: jax.ShapeDtypeStruct(v.shape, v.dtype) for v in variables}

    trainable = seeded_like(shapes(model.trainable_variables))
    state = seeded_like(shapes(model.non_trainable_variables))
    return resnet_block, (trainable, state, Seeded((4, 16, 16, 8)))


@program("dm-haiku")
def haiku_convnet() -> Built:
    import haiku as hk

    def forward(x: jax.Array) -> jax.Array:
        x = jax.nn.relu(hk.Conv2D(8, 3, stride=2)(x))
        x = hk.LayerNorm(axis=-1, create_scale=True, create_offset=True)(x)
        return hk.Linear(10)(hk.Flatten()(x))

    model = hk.without_apply_rng(hk.transform(forward))

    def convnet(params: Tree, x: jax.Array) -> jax.Array:
        return model.apply(params, x)

    x = Seeded((4, 16, 16, 3))
    return convnet, (seeded_like(jax.eval_shape(model.init, jax.random.key(0), shape_of(x))), x)


@program("torch", "torchax")
def torchax_module() -> Built:
    import torch
    import torchax.export

    module = torch.nn.Sequential(
        torch.nn.Conv2d(3, 8, 3, padding=1),
        torch.nn.BatchNorm2d(8),
        torch.nn.ReLU(),
        torch.nn.MaxPool2d(2),
        torch.nn.Flatten(),
        torch.nn.Linear(8 * 8 * 8, 32),
        torch.nn.LayerNorm(32),
        torch.nn.Linear(32, 10),
        torch.nn.Softmax(dim=-1),
    ).eval()
    exported = torch.export.export(module, (torch.zeros(4, 3, 16, 16),))
    # What torchax.export.exported_program_to_stablehlo exports, but with the weights' names at hand.
    torchax.default_env()
    names, states, func = torchax.export.exported_program_to_jax(exported, export_raw=True)
    described = []
    for name, state in zip(names, states, strict=True):
        if state.ndim > 1:
            described.append(Seeded(tuple(state.shape), 1 / math.sqrt(math.prod(state.shape[1:]))))
        elif state.ndim == 0:
            described.append(np.array(7, dtype=np.int32))
        else:
            described.append(Seeded(tuple(state.shape), 0.1, 0.0 if name.endswith(("bias", "running_mean")) else 1.0))
    return func, (described, (Seeded((4, 3, 16, 16)),))


# --- transformers -----------------------------------------------------------------------------------------------------


def layer_norm(params: Tree, x: jax.Array) -> jax.Array:
    mean = jnp.mean(x, axis=-1, keepdims=True)
    variance = jnp.var(x, axis=-1, keepdims=True)
    return (x - mean) * lax.rsqrt(variance + 1e-5) * params["scale"] + params["bias"]


def linear(params: Tree, x: jax.Array) -> jax.Array:
    return x @ params["kernel"] + params["bias"]


def split_heads(x: jax.Array, heads: int) -> jax.Array:
    return x.reshape(*x.shape[:-1], heads, -1).swapaxes(1, 2)


def attention(params: Tree, x: jax.Array, heads: int) -> jax.Array:
    q, k, v = (split_heads(part, heads) for part in jnp.split(linear(params["qkv"], x), 3, axis=-1))
    scores = q @ k.swapaxes(-1, -2) / math.sqrt(q.shape[-1])
    mask = jnp.tril(jnp.ones(scores.shape[-2:], dtype=bool))
    weights = jax.nn.softmax(jnp.where(mask, scores, jnp.finfo(x.dtype).min), axis=-1)
    return linear(params["proj"], (weights @ v).swapaxes(1, 2).reshape(x.shape))


def block(params: Tree, x: jax.Array, heads: int) -> jax.Array:
    x = x + attention(params["attn"], layer_norm(params["ln_1"], x), heads)
    hidden = jax.nn.gelu(linear(params["mlp"]["fc"], layer_norm(params["ln_2"], x)))
    return x + linear(params["mlp"]["proj"], hidden)


def norm_params(d: int, *stack: int) -> Tree:
    return {"scale": Seeded((*stack, d), 0.1, 1.0), "bias": Seeded((*stack, d), 0.1)}


def linear_params(m: int, n: int, *stack: int) -> Tree:
    return {"kernel": dense(*stack, m, n), "bias": Seeded((*stack, n), 0.1)}


def block_params(d: int, *stack: int) -> Tree:
    """One block's parameters, or with `stack` those of several blocks in one array each."""
    return {
        "ln_1": norm_params(d, *stack),
        "attn": {"qkv": linear_params(d, 3 * d, *stack), "proj": linear_params(d, d, *stack)},
        "ln_2": norm_params(d, *stack),
        "mlp": {"fc": linear_params(d, 4 * d, *stack), "proj": linear_params(4 * d, d, *stack)},
    }


def gpt_params(blocks: Tree, d: int, vocab: int, positions: int) -> Tree:
    return {
        "wte": Seeded((vocab, d), 1 / math.sqrt(d)),
        "wpe": Seeded((positions, d), 0.02),
        "blocks": blocks,
        "ln_f": norm_params(d),
    }


def gpt(params: Tree, tokens: jax.Array, heads: int) -> jax.Array:
    x = params["wte"][tokens] + params["wpe"][: tokens.shape[1]]
    for layer in params["blocks"]:
        x = block(layer, x, heads)
    return layer_norm(params["ln_f"], x) @ params["wte"].T


def tokens_of(shape: tuple[int, ...], vocab: int) -> np.ndarray:
    return np.random.RandomState(0).randint(0, vocab, shape).astype(np.int32)


@program("flax", benchmark=True, rtol=1e-3, atol=1e-4)
def gpt2_small() -> Built:
    class Block(nn.Module):
        @nn.compact
        def __call__(self, x: jax.Array) -> jax.Array:
            mask = nn.make_causal_mask(x[..., 0])
            x = x + nn.MultiHeadDotProductAttention(num_heads=12, name="attn")(nn.LayerNorm(name="ln_1")(x), mask=mask)
            hidden = nn.gelu(nn.Dense(4 * x.shape[-1], name="fc")(nn.LayerNorm(name="ln_2")(x)))
            return x + nn.Dense(x.shape[-1], name="proj")(hidden)

    class GPT2(nn.Module):
        @nn.compact
        def __call__(self, tokens: jax.Array) -> jax.Array:
            wte = nn.Embed(50257, 768, name="wte")
            x = wte(tokens) + nn.Embed(1024, 768, name="wpe")(jnp.arange(tokens.shape[1]))
            for layer in range(12):
                x = Block(name=f"h_{layer}")(x)
            return wte.attend(nn.LayerNorm(name="ln_f")(x))

    tokens = tokens_of((1, 64), 50257)
    model = GPT2()

    def gpt2(params: Tree, tokens: jax.Array) -> jax.Array:
        return model.apply({"params": params}, tokens)

    return gpt2, (seeded_like(jax.eval_shape(model.init, jax.random.key(0), tokens)["params"]), tokens)


@program(atol=1e-4)
def gpt_decoder() -> Built:
    def decoder(params: Tree, tokens: jax.Array) -> jax.Array:
        return gpt(params, tokens, heads=4)

    return decoder, (gpt_params([block_params(64) for _ in range(4)], 64, 256, 32), tokens_of((2, 32), 256))


@program(atol=1e-4)
def gpt_decoder_scan() -> Built:
    def decoder(params: Tree, tokens: jax.Array) -> jax.Array:
        x = params["wte"][tokens] + params["wpe"][: tokens.shape[1]]
        x, _ = lax.scan(lambda x, layer: (block(layer, x, 4), None), x, params["blocks"])
        return layer_norm(params["ln_f"], x) @ params["wte"].T

    return decoder, (gpt_params(block_params(64, 4), 64, 256, 32), tokens_of((2, 32), 256))


def cached_block(params: Tree, x: jax.Array, cache: jax.Array, position: jax.Array) -> tuple[jax.Array, jax.Array]:
    """One block on one token per row; `cache` holds the keys and values of the earlier ones: (2, rows, steps, d)."""
    heads, steps = 4, cache.shape[2]
    q, k, v = jnp.split(linear(params["attn"]["qkv"], layer_norm(params["ln_1"], x)), 3, axis=-1)
    cache = lax.dynamic_update_slice(cache, jnp.stack([k, v])[:, :, None], (0, 0, position, 0))
    keys, values = (split_heads(part, heads) for part in cache)
    scores = split_heads(q[:, None], heads) @ keys.swapaxes(-1, -2) / math.sqrt(keys.shape[-1])
    weights = jax.nn.softmax(jnp.where(jnp.arange(steps) <= position, scores, -jnp.inf))
    x = x + linear(params["attn"]["proj"], (weights @ values).reshape(x.shape))
    hidden = jax.nn.gelu(linear(params["mlp"]["fc"], layer_norm(params["ln_2"], x)))
    return x + linear(params["mlp"]["proj"], hidden), cache


@program()
def kv_cache_decode() -> Built:
    rows, steps, d, vocab = 2, 16, 32, 64

    def decode(params: Tree, prompt: jax.Array) -> tuple[jax.Array, jax.Array, list[jax.Array]]:
        def step(position: jax.Array, state: Tree) -> Tree:
            tokens, all_logits, caches = state
            x = params["wte"][tokens[:, position]] + params["wpe"][position]
            new_caches = []
            for layer, cache in zip(params["blocks"], caches, strict=True):
                x, cache = cached_block(layer, x, cache, position)
                new_caches.append(cache)
            logits = layer_norm(params["ln_f"], x) @ params["head"]
            chosen = jnp.argmax(logits, axis=-1).astype(tokens.dtype)
            tokens = lax.dynamic_update_slice(tokens, chosen[:, None], (0, position + 1))
            return tokens, all_logits.at[:, position].set(logits), new_caches

        tokens = jnp.zeros((rows, steps + 1), jnp.int32).at[:, 0].set(prompt)
        caches = [jnp.zeros((2, rows, steps, d)) for _ in params["blocks"]]
        return lax.fori_loop(0, steps, step, (tokens, jnp.zeros((rows, steps, vocab)), caches))

    params = gpt_params([block_params(d) for _ in range(2)], d, vocab, steps) | {"head": dense(d, vocab)}
    return decode, (params, tokens_of((rows,), vocab))


# --- randomness -------------------------------------------------------------------------------------------------------

KEY = np.array([0x243F6A88, 0x85A308D3], dtype=np.uint32)


def threefry(key: jax.Array) -> jax.Array:
    return jax.random.wrap_key_data(key, impl="threefry2x32")


@program()
def random_normal() -> Built:
    def normal(key: jax.Array) -> jax.Array:
        return jax.random.normal(threefry(key), (1000,))

    return normal, (KEY,)


@program(rtol=1e-6, atol=1e-6)
def random_uniform() -> Built:
    def uniform(key: jax.Array) -> tuple[jax.Array, ...]:
        first, second, third = jax.random.split(threefry(key), 3)
        return (
            jax.random.uniform(first, (16, 25)),
            jax.random.uniform(second, (101,), minval=-2, maxval=3),
            jax.random.randint(third, (100,), 0, 1000),
        )

    return uniform, (KEY,)


@program(rtol=0, atol=0)
def random_permutation() -> Built:
    def permutation(key: jax.Array, x: jax.Array) -> tuple[jax.Array, jax.Array]:
        first, second = jax.random.split(threefry(key))
        return jax.random.permutation(first, 200), jax.random.permutation(second, x)

    return permutation, (KEY, np.arange(64, dtype=np.int32).reshape(32, 2))


@program(rtol=0, atol=0)
def random_categorical() -> Built:
    def categorical(key: jax.Array, logits: jax.Array) -> tuple[jax.Array, jax.Array]:
        first, second = jax.random.split(threefry(key))
        return jax.random.categorical(first, logits, shape=(64, 8)), jax.random.bernoulli(second, 0.3, (100,))

    return categorical, (KEY, Seeded((8, 10)))


# --- control flow -----------------------------------------------------------------------------------------------------


@program()
def while_loop() -> Built:
    def collatz_and_halve(n: jax.Array, x: jax.Array) -> tuple[jax.Array, jax.Array, jax.Array, jax.Array]:
        def odd_even(state: tuple[jax.Array, jax.Array]) -> tuple[jax.Array, jax.Array]:
            n, steps = state
            following = jnp.where(n % 2 == 0, n // 2, 3 * n + 1)
            return jnp.where(n == 1, n, following), steps + (n != 1)

        n, steps = lax.while_loop(lambda state: jnp.any(state[0] != 1), odd_even, (n, jnp.zeros_like(n)))
        x, count = lax.while_loop(
            lambda state: jnp.sum(state[0] ** 2) > 1.0, lambda state: (state[0] * 0.7, state[1] + 1), (x, 0)
        )
        return n, steps, x, count

    return collatz_and_halve, (np.arange(1, 17, dtype=np.int32), Seeded((32,), 10.0))


@program()
def cond() -> Built:
    def conds(x: jax.Array, flag: jax.Array) -> Tree:
        by_data = lax.cond(jnp.sum(x) > 0, lambda x: {"a": x + 1, "b": x[0]}, lambda x: {"a": -x, "b": x[1]}, x)
        by_flag = lax.cond(flag, jnp.sin, jnp.cos, x)
        nested = lax.cond(flag, lambda x: x, lambda x: lax.cond(x[0] > 0, jnp.exp, jnp.tanh, x), x)
        mapped = jax.vmap(lambda x: lax.cond(x > 0, lambda x: x * 2, lambda x: x / 2, x))(x)
        return by_data, by_flag, nested, mapped

    return conds, (Seeded((8,)), np.array(False))


@program()
def switch() -> Built:
    branches = [jnp.negative, jnp.tanh, lambda x: x * x, lambda x: x[::-1]]

    def switches(indices: jax.Array, x: jax.Array) -> tuple[list[jax.Array], jax.Array]:
        one_by_one = [lax.switch(index, branches, x) for index in indices]
        return one_by_one, jax.vmap(lambda index: lax.switch(index, branches, x))(indices)

    # Indices past the ends are clamped.
    return switches, (np.array([2, 0, 3, 9, -5], dtype=np.int32), Seeded((6,)))


@program()
def fori_loop() -> Built:
    def acceleration(position: jax.Array, mass: jax.Array) -> jax.Array:
        offset = position[None] - position[:, None]
        distance = jnp.sum(offset**2, axis=-1) + 0.1
        return jnp.einsum("ijk,ij,j->ik", offset, distance**-1.5, mass)

    def n_body(position: jax.Array, velocity: jax.Array, mass: jax.Array) -> tuple[jax.Array, jax.Array]:
        def leap(_: int, state: tuple[jax.Array, jax.Array]) -> tuple[jax.Array, jax.Array]:
            position, velocity = state
            velocity = velocity + 0.01 * acceleration(position, mass)
            return position + 0.01 * velocity, velocity

        return lax.fori_loop(0, 20, leap, (position, velocity))

    return n_body, (Seeded((64, 3)), Seeded((64, 3), 0.1), Seeded((64,), 0.02, 0.2))


# --- sorting and scanning ---------------------------------------------------------------------------------------------


@program(rtol=0, atol=0)
def sort() -> Built:
    def sorts(x: jax.Array, ties: jax.Array, special: jax.Array) -> Tree:
        keys, values = lax.sort((ties, x[0]), num_keys=1)
        first, second = lax.sort((ties, x[1]), num_keys=2)
        return {
            "rows": jnp.sort(x),
            "columns_descending": jnp.sort(x, axis=0, descending=True),
            "argsort": jnp.argsort(x, axis=0),
            "argsort_ties": jnp.argsort(ties),
            "one_key": (keys, values),
            "two_keys": (first, second),
            "special": jnp.sort(special),
            "argsort_special": jnp.argsort(special),
        }

    special = np.array([0.0, np.nan, -0.0, np.inf, 1.0, -np.inf, 0.0, -1.0, -0.0, np.nan], dtype=np.float32)
    return sorts, (Seeded((8, 33)), tokens_of((33,), 10), special)


@program(rtol=0, atol=0)
def top_k() -> Built:
    def top(x: jax.Array, ties: jax.Array) -> tuple:
        return lax.top_k(x, 5), lax.top_k(ties, 4)

    return top, (Seeded((6, 40)), tokens_of((3, 20), 6))


@program()
def cumsum() -> Built:
    def scans(x: jax.Array, n: jax.Array) -> Tree:
        return {
            "cumsum": jnp.cumsum(x, axis=1),
            "cumsum_reverse": lax.cumsum(x, axis=0, reverse=True),
            "cumsum_int": jnp.cumsum(n),
            "cumprod": jnp.cumprod(x, axis=1),
            "cummax": lax.cummax(x, axis=1),
            "cummin": lax.cummin(x, axis=0),
            "cumlogsumexp": lax.cumlogsumexp(x, axis=1),
        }

    return scans, (Seeded((4, 37)), tokens_of((50,), 100))


@program()
def segment_sum() -> Built:
    def segments(x: jax.Array, ids: jax.Array) -> tuple[jax.Array, ...]:
        # Ids run to 8, so that one of them is out of range and dropped.
        return (
            jax.ops.segment_sum(x, ids, num_segments=8),
            jax.ops.segment_max(x[:, 0], ids, num_segments=8),
            jax.ops.segment_prod(x[:, 1], jnp.sort(ids), num_segments=9, indices_are_sorted=True),
            jnp.bincount(ids, length=9),
        )

    return segments, (Seeded((40, 3)), tokens_of((40,), 9))


# --- operations -------------------------------------------------------------------------------------------------------


@program()
def complex_fft_free() -> Built:
    def arithmetic(a: jax.Array, b: jax.Array) -> Tree:
        return {
            "add": a + b,
            "multiply": a * b,
            "divide": a / b,
            "conj": jnp.conj(a),
            "abs": jnp.abs(a),
            "angle": jnp.angle(b),
            "matmul": a @ b,
            "parts": a.real - b.imag,
            "build": lax.complex(a.imag, b.real),
            "exp": jnp.exp(a),
            "sum": jnp.sum(a),
            "norm_grad": jax.grad(lambda a: jnp.sum(jnp.abs(a @ b) ** 2))(a),
        }

    parts = np.random.RandomState(0).standard_normal((4, 6, 6)).astype(np.float32)
    return arithmetic, (parts[0] + 1j * parts[1], parts[2] + 1j * parts[3])


@program(rtol=0, atol=0)
def int_ops() -> Built:
    def ops(a: jax.Array, b: jax.Array, u: jax.Array, c: jax.Array, p: jax.Array) -> Tree:
        distance = (b & 7).astype(jnp.int32)
        return {
            "add": a + b,
            "multiply_wraps": a * a,
            "floor_divide": a // b,
            "remainder": a % b,
            "truncated_divide": lax.div(a, b),
            "truncated_remainder": lax.rem(a, b),
            "power": b**3,
            "left": a << distance,
            "right_arithmetic": a >> distance,
            "right_logical": lax.shift_right_logical(a, distance),
            "bits": (a & b, a | b, a ^ b, ~a),
            "abs_sign": (jnp.abs(a), jnp.sign(b)),
            "unsigned": (u * u, u // 7, u % 1000, u >> 9, u << 5, u - 1, u > 2**30),
            "unsigned_to_float": u.astype(jnp.float32),
            "population_count": lax.population_count(u),
            "clz": lax.clz(u),
            "bitcast": lax.bitcast_convert_type(u, jnp.int32),
            "int8": (c + c, c * 3, c >> 1, c // 3, c.astype(jnp.uint8), -c),
            "narrow": a.astype(jnp.int8),
            "bool": (p & (a > 0), p | (b > 0), p ^ (a > b), ~p, p.astype(jnp.int32).sum(), p.any(), p.all()),
            "clip": jnp.clip(a, -100, 100),
            "argmin": jnp.argmin(a),
            "matmul": c.reshape(8, 4).astype(jnp.int32) @ a.reshape(4, 8),
            "matmul_int8": lax.dot(c.reshape(8, 4), c.reshape(4, 8), preferred_element_type=jnp.int32),
        }

    random = np.random.RandomState(0)
    a = random.randint(-(10**6), 10**6, 32).astype(np.int32)
    b = random.randint(1, 50, 32).astype(np.int32) * np.where(np.arange(32) % 3, 1, -1).astype(np.int32)
    u = random.randint(0, 2**32, 32, dtype=np.uint32)
    c = random.randint(-128, 128, 32).astype(np.int8)
    return ops, (a, b, u, c, random.randint(0, 2, 32).astype(bool))


@program()
def gather_scatter() -> Built:
    def ops(x: jax.Array, updates: jax.Array, rows: jax.Array, columns: jax.Array, start: jax.Array) -> Tree:
        return {
            "rows": x[rows],
            "columns": x[:, columns],
            "points": x[rows, columns],
            "grid": x[rows[:, None], columns[None]],
            "clip": x.at[rows + 8].get(mode="clip"),
            "fill": x.at[rows + 8].get(mode="fill", fill_value=-1.0),
            # The rows repeat, so that only operations whose order does not matter have one result.
            "add": x.at[rows].add(updates),
            "max": x.at[rows].max(updates),
            "min": x.at[rows, columns].min(updates[:, 0]),
            "multiply": x.at[:, columns].multiply(1.5),
            "set": x.at[jnp.array([7, 2, 5])].set(updates[:3]),
            "set_dropped": x.at[jnp.array([7, 100, 5])].set(updates[:3], mode="drop"),
            "set_slice": x.at[2:4, ::2].set(0.0),
            "take_along_axis": jnp.take_along_axis(x, jnp.argsort(x, axis=1), axis=1),
            "dynamic_slice": lax.dynamic_slice(x, (start[0], start[1]), (3, 2)),
            "dynamic_update_slice": lax.dynamic_update_slice(x, updates[:2, :2], (start[0], start[1])),
            "gradient": jax.grad(lambda x: jnp.sum(x[rows] ** 2 * updates))(x),
            "one_hot": jax.nn.one_hot(columns, 7),
        }

    rows = np.array([3, 0, 3, 7, -1], dtype=np.int32)
    columns = np.array([1, 5, 1, 0, -2], dtype=np.int32)
    # The second start is past the end and clamped.
    return ops, (Seeded((10, 6)), Seeded((5, 6)), rows, columns, np.array([4, 9], dtype=np.int32))


@program("flax")
def reduce_window() -> Built:
    def max_pool(x: jax.Array) -> jax.Array:
        return nn.max_pool(x, (3, 3), strides=(2, 2), padding="SAME")

    def pools(x: jax.Array, cotangent: jax.Array) -> Tree:
        return {
            "max": max_pool(x),
            "max_gradient": jax.vjp(max_pool, x)[1](cotangent)[0],
            "average": nn.avg_pool(x, (3, 3), strides=(2, 2), padding="SAME", count_include_pad=False),
            "average_gradient": jax.grad(lambda x: jnp.sum(nn.avg_pool(x, (2, 2), strides=(1, 1)) ** 2))(x),
            "min_dilated": lax.reduce_window(
                x, jnp.inf, lax.min, (1, 2, 3, 1), (1, 1, 2, 1), ((0, 0), (1, 0), (2, 1), (0, 0)), None, (1, 3, 2, 1)
            ),
            "sum_base_dilated": lax.reduce_window(
                x, 0.0, lax.add, (1, 2, 2, 1), (1, 1, 1, 1), "VALID", base_dilation=(1, 2, 2, 1)
            ),
        }

    return pools, (Seeded((2, 9, 11, 3)), Seeded((2, 5, 6, 3)))


@program(atol=1e-4)
def conv_variants() -> Built:
    def conv(x: jax.Array, kernel: jax.Array) -> jax.Array:
        layout = ("NHWC", "HWIO", "NHWC")
        return lax.conv_general_dilated(x, kernel, (2, 1), ((1, 2), (0, 1)), dimension_numbers=layout)

    def variants(signal: jax.Array, image: jax.Array, volume: jax.Array, kernels: Tree, cotangent: jax.Array) -> Tree:
        layout = ("NHWC", "HWIO", "NHWC")
        gradients = jax.vjp(conv, image, kernels["2d"])[1](cotangent)
        return {
            "1d": lax.conv_general_dilated(
                signal, kernels["1d"], (2,), "SAME", dimension_numbers=("NCH", "OIH", "NCH")
            ),
            "2d": conv(image, kernels["2d"]),
            "3d": lax.conv_general_dilated(
                volume, kernels["3d"], (1, 1, 2), "VALID", dimension_numbers=("NDHWC", "DHWIO", "NDHWC")
            ),
            "dilated": lax.conv_general_dilated(
                image, kernels["2d"], (1, 1), "SAME", rhs_dilation=(2, 3), dimension_numbers=layout
            ),
            "base_dilated": lax.conv_general_dilated(
                image, kernels["2d"], (1, 1), ((0, 1), (2, 0)), lhs_dilation=(2, 2), dimension_numbers=layout
            ),
            "grouped": lax.conv_general_dilated(
                image, kernels["grouped"], (1, 1), "SAME", dimension_numbers=layout, feature_group_count=2
            ),
            "depthwise": lax.conv_general_dilated(
                image, kernels["depthwise"], (2, 2), "SAME", dimension_numbers=layout, feature_group_count=4
            ),
            "batch_grouped": lax.conv_general_dilated(
                image, kernels["2d"], (1, 1), "VALID", dimension_numbers=layout, batch_group_count=2
            ),
            "transposed": lax.conv_transpose(image, kernels["2d"], (2, 2), "SAME", dimension_numbers=layout),
            "negative_padding": lax.conv_general_dilated(
                image, kernels["2d"], (1, 1), ((-1, 0), (0, -2)), dimension_numbers=layout
            ),
            "gradient_image": gradients[0],
            "gradient_kernel": gradients[1],
            "gradient_grouped": jax.grad(
                lambda kernel: jnp.sum(
                    lax.conv_general_dilated(
                        image, kernel, (1, 1), "SAME", dimension_numbers=layout, feature_group_count=2
                    )
                    ** 2
                )
            )(kernels["grouped"]),
        }

    kernels = {
        "1d": Seeded((6, 3, 5), 0.25),
        "2d": Seeded((3, 3, 4, 6), 0.15),
        "3d": Seeded((2, 3, 3, 2, 4), 0.15),
        "grouped": Seeded((3, 3, 2, 6), 0.25),
        "depthwise": Seeded((3, 3, 1, 8), 0.3),
    }
    signal, image, volume = Seeded((2, 3, 20)), Seeded((2, 9, 8, 4)), Seeded((2, 5, 6, 7, 2))
    return variants, (signal, image, volume, kernels, Seeded((2, 5, 7, 6)))


@program(rtol=1e-9, atol=1e-12, x64=True)
def x64_math() -> Built:
    def functions(x: jax.Array, y: jax.Array, n: jax.Array) -> Tree:
        positive = jnp.abs(x) + 0.1
        inside = jnp.tanh(x) * 0.9
        simple = [jnp.sin, jnp.cos, jnp.tan, jnp.exp, jnp.exp2, jnp.expm1, jnp.tanh, jnp.sinh, jnp.cosh, jnp.cbrt]
        rounding = [jnp.floor, jnp.ceil, jnp.round, jnp.trunc, jnp.sign]
        of_positive = [jnp.log, jnp.log1p, jnp.log2, jnp.sqrt, lax.rsqrt, jnp.reciprocal, lax.lgamma, lax.digamma]
        of_inside = [jnp.arcsin, jnp.arccos, jnp.arctan, jnp.arcsinh, jnp.arctanh, lax.erf, lax.erfc, lax.erf_inv]
        return {
            "simple": {f.__name__: f(x) for f in simple},
            "rounding": {f.__name__: f(3 * x) for f in rounding},
            "of_positive": {f.__name__: f(positive) for f in of_positive},
            "of_inside": {f.__name__: f(inside) for f in of_inside},
            "isfinite": jnp.isfinite(1 / jnp.floor(x)),
            "arccosh": jnp.arccosh(1 + positive),
            "arctan2": jnp.arctan2(x, y),
            "power": positive**y,
            "hypot": jnp.hypot(x, y),
            "remainder": x % y,
            "nextafter": jnp.nextafter(x, y),
            "logistic": jax.nn.sigmoid(x),
            "softmax": jax.nn.softmax(x),
            "dot": x @ y,
            "int64": n * n + (n >> 3),
            "to_float": n.astype(jnp.float64),
            "to_int": (1e10 * x).astype(jnp.int64),
        }

    n = np.array([2**40 + 1, -(2**35), 7, -1], dtype=np.int64)
    return functions, (Seeded((64,), dtype="float64"), Seeded((64,), dtype="float64"), n)


# --- the whole op set -------------------------------------------------------------------------------------------------


@program(rtol=1e-3, atol=1e-3)
def linear_algebra() -> Built:
    """Decompositions whose results are unique, solves, and gradients through them, one matrix and batched."""

    def functions(x: jax.Array, b: jax.Array) -> Tree:
        square = x @ x.swapaxes(-1, -2) + 3 * jnp.eye(x.shape[-1])
        q, r = jnp.linalg.qr(x)
        values, vectors = jnp.linalg.eigh(square)
        u, s, vt = jnp.linalg.svd(x, full_matrices=False)
        return {
            "cholesky": jnp.linalg.cholesky(square),
            "qr": (q @ r, jnp.abs(r)),
            "eigh": (values, vectors * values[..., None, :] @ vectors.swapaxes(-1, -2)),
            "svd": (s, u * s[..., None, :] @ vt),
            "eigvals": jnp.sort(jnp.abs(jnp.linalg.eigvals(x[0]))),
            "solve": jnp.linalg.solve(square, b),
            "inverse": jnp.linalg.inv(square),
            "determinant": (jnp.linalg.det(x), jnp.linalg.slogdet(square)),
            "triangular": jax.scipy.linalg.solve_triangular(square[0], b[0], lower=True),
            "lu": jax.scipy.linalg.lu(x[0]),
            "expm": jax.scipy.linalg.expm(x / 4),
            "gradient": jax.grad(lambda m: jnp.linalg.slogdet(m)[1].sum() + jnp.linalg.eigh(m)[0].sum())(square),
        }

    return functions, (Seeded((3, 5, 5)), Seeded((3, 5, 2)))


@program(rtol=1e-4, atol=1e-4)
def fourier() -> Built:
    def functions(x: jax.Array, signal: jax.Array) -> Tree:
        spectrum = jnp.fft.fft(x + 1j * x[::-1])
        return {
            "fft": spectrum,
            "ifft": jnp.fft.ifft(spectrum).real,
            "rfft2": jnp.fft.rfft2(x),
            "irfft": jnp.fft.irfft(jnp.fft.rfft(x), 7),
            "fftn": jnp.fft.fftn(x[:, :6].reshape(2, 3, 6)),
            "convolve": jax.scipy.signal.fftconvolve(signal, x[0]),
            "stft": jnp.abs(jax.scipy.signal.stft(signal, nperseg=16)[2]),
        }

    return functions, (Seeded((6, 7)), Seeded((64,)))


@program(rtol=1e-5, atol=1e-6)
def special_functions() -> Built:
    def functions(x: jax.Array, y: jax.Array) -> Tree:
        a, b = jnp.abs(x) + 0.2, jnp.abs(y) + 0.2
        sp = jax.scipy.special
        return {
            "gamma": (sp.gammaln(x), sp.digamma(a), sp.polygamma(1, a), sp.zeta(1 + a, b), sp.gamma(a)),
            "incomplete": (sp.gammainc(a, b), sp.betainc(a, b, jax.nn.sigmoid(x))),
            "bessel": (sp.i0e(x), sp.i1e(x), sp.i0(x), sp.i1(x)),
            "error": (sp.erf(x), sp.erfc(3 * x), sp.erfinv(jnp.tanh(x)), sp.ndtri(jax.nn.sigmoid(x))),
            "inverse": (jnp.arcsin(jnp.tanh(x)), jnp.arccosh(1 + a), jnp.arcsinh(x), jnp.arctanh(jnp.tanh(x) * 0.9)),
            "hyperbolic": (jnp.sinh(x), jnp.cosh(x), jnp.tan(x), jnp.cbrt(x), jnp.nextafter(x, y)),
            "complex": (jnp.exp(x + 1j * y), jnp.log(x + 1j * y), jnp.sqrt(x + 1j * y), jnp.tanh(x + 1j * y)),
            "gradient": jax.grad(lambda t: jnp.sum(sp.gammaln(t) + sp.erfinv(jnp.tanh(t) * 0.9)))(a),
        }

    return functions, (Seeded((40,)), Seeded((40,)))


@program(rtol=0, atol=0)
def random_bits() -> Built:
    def functions(key: jax.Array, state: jax.Array) -> Tree:
        draws = {
            name: lax.rng_bit_generator(state, shape, dtype, algorithm=algorithm)
            for name, shape, dtype, algorithm in (
                ("default", (5,), jnp.uint32, lax.RandomAlgorithm.RNG_DEFAULT),
                ("threefry", (3, 7), jnp.uint32, lax.RandomAlgorithm.RNG_THREE_FRY),
                ("philox", (3, 5), jnp.uint8, lax.RandomAlgorithm.RNG_PHILOX),
            )
        }
        shuffled = jax.random.permutation(jax.random.wrap_key_data(key), 11)
        rbg = jax.random.bits(jax.random.wrap_key_data(state, impl="rbg"), (4, 3))
        return draws, shuffled, rbg

    return functions, (np.array([1, 2], np.uint32), np.array([1, 2, 3, 4], np.uint32))


@program(rtol=0, atol=0)
def narrow_floats() -> Built:
    """A matrix product in f8 and bf16, as inference does it, and every narrow type's rounding."""

    def functions(x: jax.Array, w: jax.Array) -> Tree:
        kinds = (jnp.float8_e4m3fn, jnp.float8_e5m2, jnp.float8_e4m3b11fnuz, jnp.float8_e4m3fnuz, jnp.float8_e5m2fnuz)
        rounded = [x.astype(kind).astype(jnp.float32) for kind in (*kinds, jnp.bfloat16, jnp.float16)]
        scaled = jnp.round(4 * x).astype(jnp.float8_e4m3fn), jnp.round(4 * w).astype(jnp.float8_e4m3fn)
        product = lax.dot(*scaled, preferred_element_type=jnp.float32)
        quarter = jnp.round(x).astype(jnp.int4) + jnp.int4(3)
        return rounded, product, quarter.astype(jnp.int8), scaled[0].view(jnp.uint8)

    return functions, (Seeded((6, 8)), Seeded((8, 5)))


# --- hand-written -----------------------------------------------------------------------------------------------------


@program()
def handwritten_generic() -> Built:
    return None, (Seeded((4, 3)), Seeded((3, 5)), np.array([3, 1, 2, 0, 5], dtype=np.int32))


# --- writing ----------------------------------------------------------------------------------------------------------


def shape_of(arg: Seeded | np.ndarray) -> jax.ShapeDtypeStruct:
    return jax.ShapeDtypeStruct(arg.shape, jnp.dtype(arg.dtype))


def export_text(fn: Callable, args: tuple) -> tuple[str, list[Seeded | np.ndarray]]:
    """The exported text, and the flat arguments its entry function keeps."""
    exported = jax.export.export(jax.jit(fn))(*jax.tree.map(shape_of, args))
    flat = jax.tree.leaves(args)
    return exported.mlir_module(), [flat[i] for i in exported.module_kept_var_idx]


def seeded_array(arg: Seeded, seed: int) -> np.ndarray:
    x = np.random.RandomState(seed).standard_normal(arg.shape) * arg.scale + arg.offset
    x = np.asarray(x)
    return x if arg.dtype == "float64" else x.astype(np.float32).astype(jnp.dtype(arg.dtype))


def argument_name(argument: ir.Value, index: int) -> str:
    match = re.fullmatch(r'loc\("(.*?)"(?:\(.*\))?\)', str(argument.location))
    return match[1].replace("\\", "") if match else f"arg{index}"


def count_ops(module: ir.Module) -> dict[str, int]:
    counts: Counter[str] = Counter()

    def count(op: ir.Operation) -> ir.WalkResult:
        counts[op.name] += 1
        return ir.WalkResult.ADVANCE

    module.operation.walk(count)
    return dict(sorted(counts.items()))


def run_text(module: ir.Module, inputs: list[np.ndarray]) -> list[np.ndarray]:
    """What XLA's CPU compiler makes of exactly this module."""
    backend = xla_bridge.get_backend("cpu")
    devices = xla_client.DeviceList(tuple(backend.local_devices()[:1]))
    executable = backend.compile_and_load(module, devices, xla_client.CompileOptions())
    results = executable.execute_sharded([jax.device_put(x) for x in inputs])
    return [np.asarray(shards[0]) for shards in results.disassemble_into_single_device_arrays()]


def put(arrays: dict[str, np.ndarray], key: str, x: np.ndarray) -> str:
    """Enter `x` in a form that np.load reads without ml_dtypes; returns the key it got."""
    if x.dtype == ml_dtypes.bfloat16:
        key, x = f"{key}.{x.dtype.name}", x.view(np.uint16)
    arrays[key] = x
    return key


def write(row: Program, directory: Path) -> dict[str, Any]:
    """Write the program's files and return its entry in the manifest."""
    # Inner jitted functions keep the locations of their first trace, which must not depend on earlier programs.
    jax.clear_caches()
    path = directory / f"{row.name}.mlir"
    with jax.enable_x64(row.x64):
        fn, args = row.build()
        if fn is None:
            text, kept = path.read_text(), list(args)
        else:
            text, kept = export_text(fn, args)
            assert not re.search(r'loc\("(/|[A-Z]:)', text), "a location shows a path of this machine"
            path.write_text(text)

        described, arrays, inputs = [], {}, []
        with mlir.make_ir_context(), ir.Location.unknown():
            module = ir.Module.parse(text)
            main = ir.SymbolTable(module.operation)["main"]
            assert len(main.arguments) == len(kept), row.name
            for i, (argument, arg) in enumerate(zip(main.arguments, kept, strict=True)):
                element = mlir.dtype_to_ir_type(jnp.dtype(arg.dtype))
                assert ir.RankedTensorType.get(arg.shape, element) == argument.type, (row.name, i)
                entry = {"name": argument_name(argument, i), "shape": list(arg.shape), "dtype": str(arg.dtype)}
                if isinstance(arg, Seeded):
                    entry |= {"seed": i, "scale": arg.scale} | ({"offset": arg.offset} if arg.offset else {})
                    inputs.append(seeded_array(arg, i))
                else:
                    entry["stored"] = put(arrays, f"in{i}", arg)
                    inputs.append(arg)
                described.append(entry)
            ops = count_ops(module)
            results = run_text(module, inputs)
        for i, result in enumerate(results):
            put(arrays, f"out{i}", result)
        np.savez_compressed(path.with_suffix(".npz"), **arrays)

    size = path.stat().st_size + path.with_suffix(".npz").stat().st_size
    print(
        f"{row.name:30} {len(text.splitlines()):5} lines {len(text) / 1e3:7.1f} kB, with results {size / 1e3:7.1f} kB"
    )
    return {
        "name": row.name,
        "file": path.name,
        "source": ", ".join(f"{name} {version(name)}" for name in row.libraries),
        "ops": ops,
        "inputs": described,
        "rtol": row.rtol,
        "atol": row.atol,
    }


def main() -> None:
    parser = argparse.ArgumentParser(description="Write the corpus of StableHLO programs.")
    parser.add_argument("names", nargs="*", metavar="NAME", help="only these programs")
    parser.add_argument("--benchmark", type=Path, metavar="DIR", help="write the large programs, into DIR")
    options = parser.parse_args()

    # Locations show paths inside the libraries and this repository, not where they lie on this machine.
    paths = r"^.*/(?=corpus/make\.py$)|^.*/(site-packages|python3\.\d+)/"
    jax.config.update("jax_hlo_source_file_canonicalization_regex", paths)
    jax.config.update("jax_traceback_in_locations_limit", 3)

    directory = options.benchmark or HERE
    directory.mkdir(parents=True, exist_ok=True)
    table = {name: row for name, row in PROGRAMS.items() if row.benchmark == bool(options.benchmark)}
    if unknown := sorted(set(options.names) - set(table)):
        parser.error(f"unknown: {', '.join(unknown)}; known: {', '.join(sorted(table))}")
    manifest = directory / "manifest.json"
    old = json.loads(manifest.read_text()) if manifest.exists() else []
    entries = {entry["name"]: entry for entry in old if entry["name"] in table}
    for name in options.names or table:
        entries[name] = write(table[name], directory)
        manifest.write_text(json.dumps([entries[key] for key in sorted(entries)], indent=1) + "\n")


if __name__ == "__main__":
    main()
