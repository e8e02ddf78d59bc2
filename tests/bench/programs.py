"""The programs of the benchmark that the corpus does not hold, exported by JAX here, and inputs for them.

`python tests/bench/programs.py FOLDER [NAME…]` writes NAME.mlir files; it needs jax and numpy.
"""

from __future__ import annotations

import importlib
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
    # How many inputs after the weights, the leaves of one argument, are replaced by the last results.
    carried: int = 0

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


def weights_of(name: str, shapes: dict[str, Any]) -> dict[str, np.ndarray]:
    """The weights of a network, the same as `inputs` gives for its exported program."""
    below = PROGRAMS[name].below
    rows = enumerate(sorted(shapes.items()))
    return {key: array(f"weights[{key!r}]", s.shape, np.dtype(s.dtype), below, i) for i, (key, s) in rows}


def bound(arguments: Sequence[Any]) -> int:
    """How many of a loaded program's inputs are weights, which come first."""
    return sum(a.name.startswith("weights[") for a in arguments)


# ---------------------------------------------------------------- networks

# The models of the table beside all peers, with their names there.
MODELS = {
    "gpt2": "GPT-2, 64 tokens",
    "llama": "Llama-like, 8 layers, 64 tokens",
    "vit_base": "ViT-base",
    "whisper_tiny": "Whisper-tiny",
    "resnet50": "ResNet-50",
    "convnext_tiny": "ConvNeXt-tiny",
    "efficientnet_b0": "EfficientNet-B0",
    "mobilenet_v3_small": "MobileNetV3-small",
    "lstm_50_steps": "LSTM, 50 steps",
    "small_mlp": "small MLP",
}
# So much work that it is measured on GPUs, and on the CPU if it is asked for.
LARGE = {"resnet50_64"}
ONE_TOKEN, CACHED_TOKEN = "gpt2_one_token", "gpt2_cached_token"


def a_model(name: str, *arguments: int) -> Callable[[], tuple[Callable, tuple]]:
    """A network of models.py, which needs JAX."""
    return lambda: getattr(importlib.import_module("models"), name)(*arguments)


PROGRAMS |= {
    "gpt2": Program(a_model("decoder", 12, 768, VOCABULARY, 64), {"tokens": VOCABULARY}),
    ONE_TOKEN: Program(a_model("decoder", 12, 768, VOCABULARY, 1), {"tokens": VOCABULARY}),
    CACHED_TOKEN: Program(a_model("cached_token"), {"token": VOCABULARY, "position": 1024}, carried=24),
    "layers_12": Program(a_model("decoder", 12, 128, 1000, 64), {"tokens": 1000}),
    "layers_48": Program(a_model("decoder", 48, 128, 1000, 64), {"tokens": 1000}),
    "llama": Program(a_model("llama"), {"tokens": 32_000}),
    "whisper_tiny": Program(a_model("whisper_tiny"), {"tokens": 51_865}),
    "lstm_50_steps": Program(a_model("lstm"), {}),
    "resnet50_64": Program(a_model("resnet50", 64), {}),
}
for each in ("vit_base", "resnet50", "convnext_tiny", "efficientnet_b0", "mobilenet_v3_small", "small_mlp"):
    PROGRAMS[each] = Program(a_model(each), {})


# ---------------------------------------------------------------- loops


def bodies(cubed: Callable[[Any], Any]) -> tuple[Callable, tuple]:
    """500 steps of 64 bodies; `cubed` computes a distance's third power from its square."""
    from jax import lax

    def step(_: Any, state: Any) -> Any:
        position, velocity = state
        offset = position[None] - position[:, None]
        square = (offset * offset).sum(-1) + 0.01
        velocity = velocity + 0.001 * (offset / cubed(square)[..., None]).sum(1)
        return position + 0.001 * velocity, velocity

    def moved(position: Any, velocity: Any) -> Any:
        return lax.fori_loop(0, 500, step, (position, velocity))

    return moved, (struct(64, 3), struct(64, 3))


@program()
def n_body() -> tuple[Callable, tuple]:
    import jax.numpy as jnp

    return bodies(lambda square: square * jnp.sqrt(square))


@program()
def n_body_power() -> tuple[Callable, tuple]:
    import jax.numpy as jnp

    return bodies(lambda square: jnp.power(square, 1.5))


@program()
def mandelbrot() -> tuple[Callable, tuple]:
    """40 iterations on 48×64 complex numbers; in how many each of them stayed small."""
    import jax.numpy as jnp
    from jax import lax

    def iteration(_: Any, state: Any) -> Any:
        z, c, iterations = state
        z = jnp.where(jnp.abs(z) <= 2, z * z + c, z)
        return z, c, iterations + (jnp.abs(z) <= 2)

    def iterations(real: Any, imaginary: Any) -> Any:
        c = lax.complex(real, imaginary)
        return lax.fori_loop(0, 40, iteration, (jnp.zeros_like(c), c, jnp.zeros(c.shape, jnp.int32)))[2]

    return iterations, (struct(48, 64), struct(48, 64))


@program()
def ten_ops() -> tuple[Callable, tuple]:
    """Ten operations on a few numbers."""
    import jax.numpy as jnp

    def ten(x: Any, y: Any) -> Any:
        return (jnp.exp(-x) * y + jnp.sin(y) / (1 + x * x) - jnp.tanh(x)).sum()

    return ten, (struct(32), struct(32))


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
        donated = (1,) if PROGRAMS[name].carried else ()
        text = export.export(jax.jit(function, donate_argnums=donated))(*arguments).mlir_module()
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
