"""Programs with a batch, and whether each of its rows has the bits that it has alone."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from functools import cache
from typing import Any, TypeAlias

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax

import hlo2tiny
from corpus import BY_NAME

MOST = 64

# Makes a function of arrays of a program's text and a number, by which it may choose how many threads to use.
Loading: TypeAlias = Callable[[str, int], Callable[[Sequence[np.ndarray]], Sequence[np.ndarray]]]


def on_cpu(text: str, number: int) -> Callable[[Sequence[np.ndarray]], Sequence[np.ndarray]]:
    return hlo2tiny.load(text, "CPU", batch_invariant=True, threads=1 + number % 2).numpy_one_by_one


def expect_rows(
    text: Callable[[int], str],
    arrays: Callable[[int], Sequence[np.ndarray]],
    sizes: Sequence[int],
    loading: Loading = on_cpu,
    rows_of: Callable[[int], Iterable[int]] = range,
) -> None:
    """Compare rows of batches of some sizes, on one and two threads, with the same rows alone.

    Args:
        text: the program for a batch of so many rows.
        arrays: its arguments; those of fewer rows are the first rows of those of more.
        rows_of: the rows to compare of a batch of some size.
    """
    single = loading(text(1), 0)
    batched = [x.ndim > 0 and x.shape != y.shape for x, y in zip(arrays(1), arrays(2), strict=True)]
    rows = arrays(max(sizes))

    @cache
    def alone(row: int) -> Sequence[np.ndarray]:
        return single([x[row : row + 1] if b else x for x, b in zip(rows, batched, strict=True)])

    for number, size in enumerate(sizes):
        results = loading(text(size), number)([x[:size] if b else x for x, b in zip(rows, batched, strict=True)])
        for row in rows_of(size):
            for result, (found, expected) in enumerate(zip(results, alone(row), strict=True)):
                same = found[row : row + 1].tobytes() == expected.tobytes()
                assert same, f"result {result}, row {row} of {size}: {found[row]} is not {expected[0]}"


# ---------------------------------------------------------------- the corpus

# The size of the batch in the texts of the corpus whose rows are independent.
BATCHES = {
    "mnist_mlp_predict": 32,
    "bf16_mlp": 32,
    "flax_convnet": 512,
    "haiku_convnet": 4,
    "torchax_module": 4,
    "gpt_decoder": 2,
    "mnist_mlp_per_example_grads": 16,
    "lstm": 4,
    "reduce_window": 2,
}


def with_batch(name: str, size: int) -> str:
    """A text of the corpus for a batch of so many rows."""
    text, old = BY_NAME[name].path.read_text(), BATCHES[name]
    shapes = re.sub(rf"(tensor<(?:\d+x)*?){old}(?=x)(?![\dx]*i64)", rf"\g<1>{size}", text)
    return re.sub(rf"(?<=\b0:){old}(?=[,\]])|(?<=sizes = \[1, ){old}(?=,)", str(size), shapes)


def arrays_of(name: str, size: int) -> list[np.ndarray]:
    old = BATCHES[name]
    return [np.resize(x, (size, *x.shape[1:])) if x.shape[:1] == (old,) else x for x in BY_NAME[name].inputs()]


# ---------------------------------------------------------------- random programs


def weight(*shape: int, dtype: Any = np.float32) -> np.ndarray:
    numbers = np.random.RandomState(len(shape) + sum(shape)).standard_normal(shape)
    return (numbers / np.sqrt(shape[0])).astype(dtype)


def attend(x: jax.Array, keys: jax.Array) -> jax.Array:
    """Attention over a few heads; the keys are a row's own, or those of all rows."""
    queries = x.reshape(*x.shape[:-1], 2, -1)
    keys = keys.reshape(*keys.shape[:-1], 2, -1)
    kept = "bkhd" if keys.ndim == 4 else "khd"
    scores = jax.nn.softmax(jnp.einsum(f"bqhd,{kept}->bhqk", queries, keys) / 3)
    return jnp.einsum(f"bhqk,{kept}->bqhd", scores, keys).reshape(x.shape)


def normalised(x: jax.Array, axes: tuple[int, ...]) -> jax.Array:
    difference = x - x.mean(axes, keepdims=True)
    return difference * lax.rsqrt((difference * difference).mean(axes, keepdims=True) + 1e-5)


def convolved(x: jax.Array, groups: int) -> jax.Array:
    kernel = weight(3, x.shape[2] // groups, 32, dtype=x.dtype)
    return lax.conv_general_dilated(
        x, kernel, (2,), "SAME", dimension_numbers=("NWC", "WIO", "NWC"), feature_group_count=groups
    )


def flat(x: jax.Array) -> jax.Array:
    return x.reshape(x.shape[0], -1)


def transformed(x: jax.Array) -> jax.Array:
    numbers = jnp.fft.rfft(x.astype(jnp.promote_types(x.dtype, np.float32)), axis=2)
    return (jnp.fft.irfft(numbers * 0.5, x.shape[2], axis=2) + x).astype(x.dtype)


def solved(x: jax.Array) -> jax.Array:
    y = x[:, : x.shape[2]].astype(jnp.promote_types(x.dtype, np.float32))
    matrix = jnp.einsum("bni,bnj->bij", y, y) + 10 * jnp.eye(x.shape[2], dtype=y.dtype)
    return (
        lax.linalg.triangular_solve(jnp.linalg.cholesky(matrix), matrix[:, :, :2], left_side=True, lower=True)
        .astype(x.dtype)
        .swapaxes(1, 2)
    )


def scattered(x: jax.Array) -> jax.Array:
    places = np.arange(x.shape[1]) * 7 % 3
    return jax.vmap(lambda row, at: (row * 0.1).at[at].add(row))(x, jnp.broadcast_to(places, x.shape[:2]))


# What happens to values of b × n × c, by name; n and c are multiples of 2.
LAYERS: dict[str, Callable[[jax.Array], jax.Array]] = {
    "dense": lambda x: x @ weight(x.shape[2], 70, dtype=x.dtype),
    "dense of columns": lambda x: x @ weight(66, x.shape[2], dtype=x.dtype).T,
    "all": lambda x: (flat(x) @ weight(x.shape[1] * x.shape[2], 80, dtype=x.dtype)).reshape(-1, 2, 40),
    "one": lambda x: x + x @ weight(x.shape[2], 1, dtype=x.dtype),
    "batch last": lambda x: (weight(34, x.shape[2], dtype=x.dtype) @ x[:, 0].T).T.reshape(-1, 1, 34) + x[:, :, :1],
    "own matrix": lambda x: jnp.einsum("bij,bkj,bkc->bic", x, x, x) * 0.01,
    "own keys": lambda x: attend(x, x),
    "one query": lambda x: x + attend(x[:, :1], x),
    "keys of all": lambda x: attend(x, weight(40, x.shape[2], dtype=x.dtype)),
    "convolution": lambda x: convolved(x, 1),
    "convolution apart": lambda x: convolved(x, 2 if x.shape[2] % 4 else 4),
    "norm of rows": lambda x: normalised(x, (2,)),
    "norm of columns": lambda x: normalised(x, (1,)),
    "norm of all": lambda x: normalised(x, (1, 2)),
    "softmax": lambda x: jax.nn.softmax(x * 3),
    "softmax of columns": lambda x: x + jax.nn.softmax(x, 1),
    "running sum": lambda x: jnp.cumsum(x, 1) * 0.1,
    "window": lambda x: lax.reduce_window(x, np.array(0, x.dtype), lax.add, (1, 2, 1), (1, 1, 1), "SAME"),
    "padded": lambda x: jnp.pad(x, ((0, 0), (1, 3), (0, 2))),
    "gelu": jax.nn.gelu,
    "functions": lambda x: jnp.tanh(x) + jnp.exp(jnp.sin(x)) * jnp.log1p(jnp.abs(x)) ** 1.3,
    "recurrence": lambda x: lax.scan(lambda h, _: (jnp.tanh(h + x.mean(1)), h), x[:, 0], None, 3)[1].swapaxes(0, 1),
    "sorted": lambda x: jnp.sort(x, 1),
    "one number": lambda x: x + jnp.sin(x[:, :1, :1] * 9) * jnp.cos(x[:, :1, :1]),
    "scattered": scattered,
    "Fourier": transformed,
    "solved": solved,
}  # fmt: skip
TYPES = {"f32": np.float32, "bf16": jnp.bfloat16, "f64": np.float64}


def expect_rows_of_layers(
    layers: Sequence[str], shape: tuple[int, int], kind: str, sizes: Sequence[int], *how: Any
) -> None:
    def call(x: jax.Array) -> list[jax.Array]:
        results = []
        for layer in layers:
            x = LAYERS[layer](x)
            results += [x, x.sum((1, 2)), x.mean(1)]
        return results[-5:]

    numbers = np.random.RandomState(0).standard_normal((MOST, *shape)).astype(TYPES[kind])

    @cache
    def text(size: int) -> str:
        with jax.enable_x64(kind == "f64"):
            return str(jax.export.export(jax.jit(call))(numbers[:size]).mlir_module())

    expect_rows(text, lambda size: [numbers[:size]], sizes, *how)
