"""Builds the demonstrations: `python docs/demo/make.py FOLDER`, then `python -m http.server -d FOLDER`.

Needs jax, and for the digits scikit-learn, whose 8×8 pictures are the data. The folder is a static site, which any web
server can serve.
"""

from __future__ import annotations

import json
import shutil
import sys
from functools import partial
from pathlib import Path
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

from hlo2tiny.commands.convert import convert
from hlo2tiny.commands.web import write_web
from hlo2tiny.program.training import Request

HERE = Path(__file__).parent
Params = dict[str, Any]


def write_exported(function: Any, arguments: Any, path: Path, donated: tuple[int, ...] = ()) -> None:
    path.write_bytes(jax.export.export(jax.jit(function, donate_argnums=donated))(*arguments).serialize())


def compile_for_web(function: Any, arguments: Any, folder: Path, donated: tuple[int, ...] = ()) -> None:
    """Export a function with jax.export, and compile it."""
    path = folder.parent / f"{folder.name}.bin"
    write_exported(function, arguments, path, donated)
    write_web(path, folder)
    path.unlink()


# ---------------------------------------------------------------- digits: a network that the browser trains

BATCH, CHANNELS, HIDDEN = 128, 16, 64


def new_params(seed: Any) -> Params:
    keys = jax.random.split(jax.random.key(seed), 3)
    scaled = jax.nn.initializers.he_normal()
    return {
        "kernel": scaled(keys[0], (3, 3, 1, CHANNELS)),
        "hidden": scaled(keys[1], (8 * 8 * CHANNELS // 4, HIDDEN)),
        "hidden_bias": jnp.zeros(HIDDEN),
        "out": scaled(keys[2], (HIDDEN, 10)),
        "out_bias": jnp.zeros(10),
    }


def logits(params: Params, images: Any) -> Any:
    x = images.reshape(-1, 8, 8, 1)
    x = jax.lax.conv_general_dilated(x, params["kernel"], (1, 1), "SAME", dimension_numbers=("NHWC", "HWIO", "NHWC"))
    x = jax.nn.relu(x).reshape(-1, 4, 2, 4, 2, CHANNELS).max((2, 4)).reshape(images.shape[0], -1)
    return jax.nn.relu(x @ params["hidden"] + params["hidden_bias"]) @ params["out"] + params["out_bias"]


def loss_of(params: Params, images: Any, labels: Any) -> Any:
    chosen = jnp.take_along_axis(jax.nn.log_softmax(logits(params, images)), labels[:, None], 1)
    return -chosen.mean()


def recognise(params: Params, image: Any) -> Any:
    return jax.nn.softmax(logits(params, image))[0]


def write_step(params: Params, folder: Path) -> Path:
    """The program of a step of Adam on a batch, made of the loss alone."""
    images, labels = jax.ShapeDtypeStruct((BATCH, 64), jnp.float32), jax.ShapeDtypeStruct((BATCH,), jnp.int32)
    write_exported(loss_of, (params, images, labels), folder / "loss.bin")
    request = Request(optimiser="adamw", hyperparameters={"weight_decay": 0})
    return convert(folder / "loss.bin", folder / "step.mlir", request=request)[0]


def make_digits(folder: Path, data: tuple[np.ndarray, np.ndarray] | None = None) -> None:
    """The page and its programs; `data` are images of 64 numbers from 0 to 16, and what they show."""
    if data is None:
        from sklearn.datasets import load_digits

        data = load_digits(return_X_y=True)
    images, labels = data
    shutil.copytree(HERE / "digits", folder, dirs_exist_ok=True)
    (folder / "images.bin").write_bytes(images.astype(np.uint8).tobytes())
    (folder / "labels.bin").write_bytes(labels.astype(np.uint8).tobytes())
    of = partial(jax.ShapeDtypeStruct, dtype=jnp.float32)
    seed = jax.ShapeDtypeStruct((), jnp.int32)
    params = jax.eval_shape(new_params, seed)
    compile_for_web(new_params, (seed,), folder / "start")
    write_web(write_step(params, folder), folder / "train")
    compile_for_web(recognise, (params, of((1, 64))), folder / "recognise")


# ---------------------------------------------------------------- text: decoding with a cache

CONTEXT, WIDTH, HEADS, LAYERS = 128, 128, 4, 2


def new_model(key: Any, characters: int) -> Params:
    keys = iter(jax.random.split(key, 4 * LAYERS + 3))
    draw = jax.nn.initializers.normal(0.06)
    return {
        "characters": draw(next(keys), (characters, WIDTH)),
        "places": draw(next(keys), (CONTEXT, WIDTH)),
        "layers": [
            {
                "qkv": draw(next(keys), (WIDTH, 3 * WIDTH)),
                "merge": draw(next(keys), (WIDTH, WIDTH)),
                "up": draw(next(keys), (WIDTH, 4 * WIDTH)),
                "down": draw(next(keys), (4 * WIDTH, WIDTH)),
            }
            for _ in range(LAYERS)
        ],
    }


def normed(x: Any) -> Any:
    return x * jax.lax.rsqrt((x * x).mean(-1, keepdims=True) + 1e-6)


def split(x: Any) -> Any:
    return x.reshape(*x.shape[:-1], HEADS, WIDTH // HEADS)


def attended(layer: Params, q: Any, k: Any, v: Any, allowed: Any) -> Any:
    """Attention of rows of queries to keys and values, of the shape (…, rows, heads, features)."""
    scores = jnp.einsum("...qhd,...khd->...hqk", q, k) / (WIDTH // HEADS) ** 0.5
    weights = jax.nn.softmax(jnp.where(allowed, scores, -1e9))
    return jnp.einsum("...hqk,...khd->...qhd", weights, v).reshape(*q.shape[:-2], WIDTH) @ layer["merge"]


def feed(layer: Params, x: Any) -> Any:
    return jax.nn.gelu(normed(x) @ layer["up"]) @ layer["down"]


def predicted(model: Params, text: Any) -> Any:
    """The logits of the next character at each place of some texts."""
    x = model["characters"][text] + model["places"][: text.shape[-1]]
    allowed = jnp.tril(jnp.ones((text.shape[-1],) * 2, bool))
    for layer in model["layers"]:
        q, k, v = map(split, jnp.split(normed(x) @ layer["qkv"], 3, -1))
        x = x + attended(layer, q, k, v, allowed)
        x = x + feed(layer, x)
    return normed(x) @ model["characters"].T


def decode(model: Params, cache: Any, place: Any, character: Any, heat: Any, draw: Any) -> tuple[Any, Any, Any]:
    """Take one character, and draw the next one. The cache holds the keys and values of all places.

    `place` counts on; a text that is longer than the cache replaces its oldest places.
    """
    at = place % CONTEXT
    x = model["characters"][character] + model["places"][at]
    allowed = jnp.arange(CONTEXT) <= place
    for i, layer in enumerate(model["layers"]):
        q, k, v = map(split, jnp.split(normed(x) @ layer["qkv"], 3, -1))
        cache = jax.lax.dynamic_update_slice(cache, jnp.stack([k, v])[None, :, None], (i, 0, at, 0, 0))
        x = x + attended(layer, q[None], cache[i, 0], cache[i, 1], allowed)[0]
        x = x + feed(layer, x)
    chances = jnp.cumsum(jax.nn.softmax((normed(x) @ model["characters"].T) / jnp.maximum(heat, 1e-3)))
    return cache, place + 1, (chances < draw * chances[-1]).sum().astype(jnp.int32)


def make_text(folder: Path, steps: int = 1500) -> None:
    shutil.copytree(HERE / "text", folder, dirs_exist_ok=True)
    pages = sorted((HERE.parent).glob("**/*.md"))
    text = "".join(page.read_text(encoding="utf-8") for page in pages if page.name not in ("conformance.md", "ops.md"))
    text = "".join(c for c in text if c.isascii())
    characters = sorted({*text})
    codes = np.array([characters.index(c) for c in text], np.int32)
    model = new_model(jax.random.key(0), len(characters))
    mean = square = jax.tree.map(jnp.zeros_like, model)

    @jax.jit
    def learn(model: Params, mean: Params, square: Params, texts: Any, step: Any) -> Any:
        def loss(model: Params) -> Any:
            chances = jax.nn.log_softmax(predicted(model, texts[:, :-1]))
            return -jnp.take_along_axis(chances, texts[:, 1:, None], -1).mean()

        value, slope = jax.value_and_grad(loss)(model)
        mean = jax.tree.map(lambda m, g: 0.9 * m + 0.1 * g, mean, slope)
        square = jax.tree.map(lambda s, g: 0.99 * s + 0.01 * g * g, square, slope)
        rate = 2e-3 * jnp.minimum(1, step / 50) * (1 - step / (steps + 1))
        model = jax.tree.map(lambda p, m, s: p - rate * m / (jnp.sqrt(s) + 1e-8), model, mean, square)
        return model, mean, square, value

    drawn = np.random.default_rng(0)
    for step in range(1, steps + 1):
        begins = drawn.integers(0, len(codes) - CONTEXT - 1, 16)
        texts = codes[begins[:, None] + np.arange(CONTEXT + 1)]
        model, mean, square, value = learn(model, mean, square, texts, step)
        if step % 100 == 0:
            print(f"step {step}: loss {value:.3f}", flush=True)
    (folder / "characters.json").write_text(json.dumps(characters))
    scalar = partial(jax.ShapeDtypeStruct, ())
    cache = jax.ShapeDtypeStruct((LAYERS, 2, CONTEXT, HEADS, WIDTH // HEADS), jnp.float32)
    arguments = cache, scalar(jnp.int32), scalar(jnp.int32), scalar(jnp.float32), scalar(jnp.float32)
    # The weights become constants of the program.
    compile_for_web(partial(decode, model), arguments, folder / "decode", donated=(0, 1, 2))


if __name__ == "__main__":
    target = Path(sys.argv[1])
    target.mkdir(parents=True, exist_ok=True)
    for name, make in {"digits": make_digits, "text": make_text}.items():
        if not sys.argv[2:] or name in sys.argv[2:]:
            make(target / name)
            print(f"{target / name}/index.html")
