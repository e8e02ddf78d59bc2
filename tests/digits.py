"""The network of docs/demo, pictures for it, and how JAX trains it."""

from __future__ import annotations

import importlib.util
from collections.abc import Iterable
from pathlib import Path
from types import ModuleType
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

Batch = tuple[np.ndarray, np.ndarray]


def load_module(path: Path) -> ModuleType:
    """A script of the repository as a module."""
    spec = importlib.util.spec_from_file_location(f"{path.parent.name}_{path.stem}", path)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


make = load_module(Path(__file__).parents[1] / "docs" / "demo" / "make.py")


def pictures() -> Batch:
    """Ten pictures of 64 numbers from 0 to 16, with noise, and their labels, instead of scikit-learn's digits."""
    rng = np.random.default_rng(0)
    labels = rng.integers(0, 10, 600)
    return np.clip(rng.integers(0, 2, (10, 64))[labels] * 12 + rng.normal(2, 1, (600, 64)), 0, 16), labels


def step(params: Any, mean: Any, square: Any, t: Any, images: Any, labels: Any, rate: Any) -> Any:
    """A step of Adam on a batch, as JAX's users write it."""
    loss, slope = jax.value_and_grad(make.loss_of)(params, images, labels)
    t = t + 1
    mean = jax.tree.map(lambda m, g: 0.9 * m + 0.1 * g, mean, slope)
    square = jax.tree.map(lambda s, g: 0.999 * s + 0.001 * g * g, square, slope)

    def moved(p: Any, m: Any, s: Any) -> Any:
        return p - rate * (m / (1 - 0.9**t)) / (jnp.sqrt(s / (1 - 0.999**t)) + 1e-8)

    return jax.tree.map(moved, params, mean, square), mean, square, t, loss


def train_with_jax(params: Any, batches: Iterable[Batch], rate: float) -> tuple[Any, list[float]]:
    """The parameters after a step on each batch, and the losses."""
    mean = square = jax.tree.map(jnp.zeros_like, params)
    t, losses, compiled = jnp.zeros((), jnp.int32), [], jax.jit(step)
    for images, labels in batches:
        params, mean, square, t, loss = compiled(params, mean, square, t, images, labels, rate)
        losses.append(float(loss))
    return params, losses


def share_right(params: Any, images: np.ndarray, labels: np.ndarray) -> float:
    """How many of the pictures the network recognises, from 0 to 1."""
    return float(np.mean(np.argmax(make.logits(params, images), -1) == labels))
