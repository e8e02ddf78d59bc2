"""Builds the demonstration: `python docs/demo/make.py FOLDER`, then `python -m http.server -d FOLDER`.

Needs jax and scikit-learn, whose 8×8 digits are the data. The folder is a static site, which any web server can serve.
"""

from __future__ import annotations

import shutil
import sys
from functools import partial
from pathlib import Path
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

from hlo2tiny.commands.web import write_web

HERE = Path(__file__).parent
Params = dict[str, Any]


def compile_for_web(function: Any, arguments: Any, folder: Path, donated: tuple[int, ...] = ()) -> None:
    """Export a function with jax.export, and compile it."""
    exported = jax.export.export(jax.jit(function, donate_argnums=donated))(*arguments)
    path = folder.parent / f"{folder.name}.bin"
    path.write_bytes(exported.serialize())
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


def start(seed: Any) -> Params:
    """The state before training: the parameters and the moments of Adam."""
    params = new_params(seed)
    zeros = jax.tree.map(jnp.zeros_like, params)
    return {"params": params, "mean": zeros, "square": zeros, "step": jnp.zeros((), jnp.int32)}


def train(state: Params, images: Any, labels: Any, rate: Any) -> tuple[Params, Any]:
    """One step of Adam on a batch."""
    loss, slope = jax.value_and_grad(loss_of)(state["params"], images, labels)
    step = state["step"] + 1
    mean = jax.tree.map(lambda m, g: 0.9 * m + 0.1 * g, state["mean"], slope)
    square = jax.tree.map(lambda s, g: 0.999 * s + 0.001 * g * g, state["square"], slope)
    scale = rate * jnp.sqrt(1 - 0.999**step) / (1 - 0.9**step)
    params = jax.tree.map(lambda p, m, s: p - scale * m / (jnp.sqrt(s) + 1e-8), state["params"], mean, square)
    return {"params": params, "mean": mean, "square": square, "step": step}, loss


def recognise(params: Params, image: Any) -> Any:
    return jax.nn.softmax(logits(params, image))[0]


def make_digits(folder: Path) -> None:
    from sklearn.datasets import load_digits

    shutil.copytree(HERE / "digits", folder, dirs_exist_ok=True)
    images, labels = load_digits(return_X_y=True)
    (folder / "images.bin").write_bytes(images.astype(np.uint8).tobytes())
    (folder / "labels.bin").write_bytes(labels.astype(np.uint8).tobytes())
    of = partial(jax.ShapeDtypeStruct, dtype=jnp.float32)
    seed = jax.ShapeDtypeStruct((), jnp.int32)
    state = jax.eval_shape(start, seed)
    labels_type = jax.ShapeDtypeStruct((BATCH,), jnp.int32)
    compile_for_web(start, (seed,), folder / "start")
    compile_for_web(train, (state, of((BATCH, 64)), labels_type, of(())), folder / "train", donated=(0,))
    compile_for_web(recognise, (state["params"], of((1, 64))), folder / "recognise")


if __name__ == "__main__":
    target = Path(sys.argv[1])
    target.mkdir(parents=True, exist_ok=True)
    make_digits(target / "digits")
    print(f"{target / 'digits'}/index.html")
