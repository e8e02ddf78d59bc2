"""The programs of the benchmark that the corpus does not hold, exported by JAX here, and inputs for them.

`python tests/bench/programs.py FOLDER [NAME…]` writes NAME.mlir files; it needs jax and numpy, ResNet-50 keras too.
"""

from __future__ import annotations

import math
import os
import re
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

MILLION = 10**6
VOCABULARY = 50_257


class Missing(Exception):
    """What exports a program is not installed."""


@dataclass(frozen=True)
class Program:
    """How a program is exported: a function and the shapes of its arguments, when they are asked for."""

    build: Callable[[], tuple[Callable[..., Any], tuple]]
    # The limits of integer inputs, by the argument's name.
    below: dict[str, int]

    def inputs(self, arguments: Sequence[Any]) -> list[np.ndarray]:
        """Arrays for a loaded program's inputs. Their names say what they are; activations stay near 1."""
        return [array(a.name, a.shape, a.dtype, self.below, i) for i, a in enumerate(arguments)]


PROGRAMS: dict[str, Program] = {}


def program(**below: int) -> Callable[[Callable], Callable]:
    def enter(build: Callable) -> Callable:
        PROGRAMS[build.__name__] = Program(build, below)
        return build

    return enter


def array(name: str, shape: tuple[int, ...], dtype: np.dtype, below: dict[str, int], seed: int) -> np.ndarray:
    random = np.random.default_rng(seed)
    if dtype.kind in "iu":
        return random.integers(0, below[name], shape, dtype)
    values = random.standard_normal(shape, np.float32)
    last = re.split(r"[^a-z_]+", name.strip("']"))[-1]
    if last in ("scale", "gamma", "moving_variance"):
        return 1 + values / 10
    if last in ("bias", "beta", "moving_mean"):
        return values / 10
    if last in ("kernel", "wte", "wpe"):
        fan_in = shape[-1] if last in ("wte", "wpe") else math.prod(shape[:-1])
        return values / np.float32(math.sqrt(fan_in))
    return values


def struct(*shape: int, dtype: str = "float32") -> Any:
    import jax

    return jax.ShapeDtypeStruct(shape, dtype)


# ---------------------------------------------------------------- networks


def decoder(layers: int, width: int, vocabulary: int, tokens: int) -> tuple[Callable[..., Any], tuple]:
    """A decoder-only transformer as GPT-2 is one, its weights arguments."""
    import jax
    import jax.numpy as jnp

    heads = width // 64

    def norm(p: Any, x: Any) -> Any:
        centred = x - x.mean(-1, keepdims=True)
        return centred * jax.lax.rsqrt((centred**2).mean(-1, keepdims=True) + 1e-5) * p["scale"] + p["bias"]

    def linear(p: Any, x: Any) -> Any:
        return x @ p["kernel"] + p["bias"]

    def attention(p: Any, x: Any) -> Any:
        q, k, v = (
            part.reshape(*x.shape[:2], heads, 64).swapaxes(1, 2) for part in jnp.split(linear(p["qkv"], x), 3, axis=-1)
        )
        scores = q @ k.swapaxes(2, 3) / 8
        seen = jnp.tril(jnp.ones(scores.shape[2:], bool))
        weights = jax.nn.softmax(jnp.where(seen, scores, -jnp.inf))
        return linear(p["out"], (weights @ v).swapaxes(1, 2).reshape(x.shape))

    def model(params: Any, tokens: Any) -> Any:
        x = params["wte"][tokens] + params["wpe"][: tokens.shape[1]]
        for p in params["layers"]:
            x = x + attention(p, norm(p["norm_1"], x))
            x = x + linear(p["project"], jax.nn.gelu(linear(p["expand"], norm(p["norm_2"], x))))
        return norm(params["norm"], x) @ params["wte"].T

    def affine(m: int, n: int) -> dict[str, Any]:
        return {"kernel": struct(m, n), "bias": struct(n)}

    def norms() -> dict[str, Any]:
        return {"scale": struct(width), "bias": struct(width)}

    def layer() -> dict[str, Any]:
        parts = {"qkv": affine(width, 3 * width), "out": affine(width, width), "norm_1": norms(), "norm_2": norms()}
        return parts | {"expand": affine(width, 4 * width), "project": affine(4 * width, width)}

    params = {"wte": struct(vocabulary, width), "wpe": struct(1024, width), "norm": norms()}
    params |= {"layers": [layer() for _ in range(layers)]}
    return model, (params, struct(1, tokens, dtype="int32"))


@program(tokens=VOCABULARY)
def gpt2() -> tuple[Callable, tuple]:
    return decoder(12, 768, VOCABULARY, 64)


@program(tokens=VOCABULARY)
def gpt2_one_token() -> tuple[Callable, tuple]:
    return decoder(12, 768, VOCABULARY, 1)


@program(tokens=1000)
def layers_12() -> tuple[Callable, tuple]:
    return decoder(12, 128, 1000, 64)


@program(tokens=1000)
def layers_48() -> tuple[Callable, tuple]:
    return decoder(48, 128, 1000, 64)


@program()
def resnet50() -> tuple[Callable, tuple]:
    os.environ["KERAS_BACKEND"] = "jax"
    try:
        import keras
    except ImportError as error:
        raise Missing("ResNet-50 needs keras: pip install keras") from error
    import jax

    keras.utils.clear_session()
    model = keras.applications.ResNet50(weights=None)

    def resnet(weights: Any, x: Any) -> Any:
        trainable = [weights[v.path] for v in model.trainable_variables]
        state = [weights[v.path] for v in model.non_trainable_variables]
        return model.stateless_call(trainable, state, x, training=False)[0]

    variables = [*model.trainable_variables, *model.non_trainable_variables]
    weights = {v.path: jax.ShapeDtypeStruct(v.shape, v.dtype) for v in variables}
    return resnet, (weights, struct(1, 224, 224, 3))


# ---------------------------------------------------------------- loops


@program()
def n_body() -> tuple[Callable, tuple]:
    """500 steps of 64 bodies."""
    import jax.numpy as jnp
    from jax import lax

    def step(_: Any, state: Any) -> Any:
        position, velocity = state
        offset = position[None] - position[:, None]
        square = (offset * offset).sum(-1) + 0.01
        velocity = velocity + 0.001 * (offset / (square * jnp.sqrt(square))[..., None]).sum(1)
        return position + 0.001 * velocity, velocity

    def bodies(position: Any, velocity: Any) -> Any:
        return lax.fori_loop(0, 500, step, (position, velocity))

    return bodies, (struct(64, 3), struct(64, 3))


def next_generation(grid: Any) -> Any:
    import jax.numpy as jnp

    around = sum(jnp.roll(grid, (i, j), (0, 1)) for i in (-1, 0, 1) for j in (-1, 0, 1) if i or j)
    return ((around == 3) | ((grid == 1) & (around == 2))).astype(grid.dtype)


@program(grid=2)
def life() -> tuple[Callable, tuple]:
    """100 generations on 64×64; how many live in each."""
    from jax import lax

    def generation(grid: Any, _: Any) -> Any:
        grid = next_generation(grid)
        return grid, grid.sum()

    return lambda grid: lax.scan(generation, grid, None, length=100), (struct(64, 64, dtype="int32"),)


@program(grid=2)
def life_history() -> tuple[Callable, tuple]:
    """The same, all generations kept."""
    from jax import lax

    def generation(grid: Any, _: Any) -> Any:
        grid = next_generation(grid)
        return grid, grid

    return lambda grid: lax.scan(generation, grid, None, length=100), (struct(64, 64, dtype="int32"),)


@program()
def scalar_while() -> tuple[Callable, tuple]:
    """10^5 steps on two scalars."""
    import jax.numpy as jnp
    from jax import lax

    def loop(x: Any) -> Any:
        return lax.while_loop(lambda s: s[0] < 100_000, lambda s: (s[0] + 1, s[1] * 0.9999 + jnp.sin(s[1])), (0, x))

    return loop, (struct(),)


def rows(steps: int) -> Callable[[], tuple[Callable, tuple]]:
    def build() -> tuple[Callable, tuple]:
        """A scan that writes a row of 8 numbers in each step."""
        import jax.numpy as jnp
        from jax import lax

        def step(row: Any, i: Any) -> Any:
            row = row * 0.99 + i.astype(jnp.float32)
            return row, row

        return lambda row: lax.scan(step, row, jnp.arange(steps)), (struct(8),)

    return build


for exponent in (3, 4, 5, 6):
    PROGRAMS[f"rows_{10**exponent}"] = Program(rows(10**exponent), {})


# ---------------------------------------------------------------- indexing, sorting, running sums


@program(at=50_000)
def take_rows() -> tuple[Callable, tuple]:
    """128 rows of 50,000 × 768."""
    return lambda table, at: table[at], (struct(50_000, 768), struct(128, dtype="int32"))


@program(at=MILLION)
def scatter_add_million() -> tuple[Callable, tuple]:
    """10^6 numbers into 10^6."""
    return lambda x, at, new: x.at[at].add(new), (struct(MILLION), struct(MILLION, dtype="int32"), struct(MILLION))


@program(segment=1000)
def segment_sum_million() -> tuple[Callable, tuple]:
    """10^6 numbers into 1000."""
    import jax

    def sums(x: Any, segment: Any) -> Any:
        return jax.ops.segment_sum(x, segment, num_segments=1000)

    return sums, (struct(MILLION), struct(MILLION, dtype="int32"))


@program()
def argsort_million() -> tuple[Callable, tuple]:
    import jax.numpy as jnp

    return lambda x: jnp.argsort(x), (struct(MILLION),)


@program(value=MILLION)
def sort_pairs_million() -> tuple[Callable, tuple]:
    from jax import lax

    return lambda key, value: lax.sort((key, value), num_keys=1), (struct(MILLION), struct(MILLION, dtype="int32"))


@program()
def top_k_million() -> tuple[Callable, tuple]:
    from jax import lax

    return lambda x: lax.top_k(x, 100), (struct(MILLION),)


@program()
def running_sum() -> tuple[Callable, tuple]:
    import jax.numpy as jnp

    return lambda x: jnp.cumsum(x), (struct(10 * MILLION),)


# ---------------------------------------------------------------- exporting


def exported(name: str, folder: Path) -> Path:
    """The program's file in the folder, written now when it is not there.

    Raises:
        Missing: what exports it is not installed.
    """
    path = folder / f"{name}.mlir"
    if not path.exists():
        try:
            import jax
            from jax import export
        except ImportError as error:
            raise Missing(f"{name} needs JAX: pip install 'hlo2tiny[jax]'") from error
        function, arguments = PROGRAMS[name].build()
        text = export.export(jax.jit(function))(*arguments).mlir_module()
        folder.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    return path


def main(folder: str, *names: str) -> None:
    os.environ.setdefault("JAX_PLATFORMS", "cpu")
    for name in names or PROGRAMS:
        try:
            print(exported(name, Path(folder)))
        except Missing as error:
            print(f"{name}: {error}")


if __name__ == "__main__":
    main(*sys.argv[1:])
