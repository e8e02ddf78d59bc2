"""Programs for two devices, which tests/gpu.py runs on two GPUs beside XLA: their texts are kept here as data.

`python tests/on_two` writes them with the jax that is installed, on a machine without a GPU. `python tests/on_two xla
FOLDER SECONDS` runs the programs of the table with XLA on two GPUs, writes its results to the folder, and prints the
seconds of each as JSON; a fourth argument divides their sizes. `python tests/on_two small FOLDER` writes small programs
with XLA's results on the CPU.
"""

from __future__ import annotations

import json
import os
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

FOLDER = Path(__file__).parent
SMALL = 32  # by how much the sizes of the small programs are divided
TEXTS, CASES = FOLDER / "texts", FOLDER / "cases.npz"


@dataclass(frozen=True)
class Program:
    """A function of shards, and how its whole arguments and results are cut along the axis "x".

    Attributes:
        run: the function, given the number of devices and the shards.
        shapes: those of the arguments, as fractions of the sizes of the full program when `small` is called.
        inputs, outputs: for each argument and result, the dimension that is cut, or None.
        per_device: whether one device alone gets no more than it has as one of two.
    """

    run: Callable[..., Any]
    shapes: tuple[tuple[int, ...], ...]
    inputs: tuple[int | None, ...]
    outputs: tuple[int | None, ...]
    dtypes: tuple[str, ...] = ("float32",) * 8
    per_device: bool = False

    @property
    def shapes_alone(self) -> list[tuple[int, ...]]:
        """The shapes of the arguments for one device; they are the beginnings of those for two."""
        cut = [d if self.per_device else None for d in self.inputs]
        return [s if d is None else (*s[:d], s[d] // 2, *s[d + 1 :]) for s, d in zip(self.shapes, cut)]

    def arrays(self) -> list[np.ndarray]:
        """The arguments: small floats, and integers below 64."""
        import ml_dtypes  # noqa: F401  # numpy knows bfloat16 then

        random, arrays = np.random.default_rng(0), []
        for shape, name in zip(self.shapes, self.dtypes):
            if name.startswith("int"):
                arrays.append(random.integers(0, 64, shape).astype(name))
                continue
            few = random.standard_normal(min(1 << 20, int(np.prod(shape))), np.float32) * 0.05
            arrays.append(np.resize(few, shape).astype(np.dtype(name)))
        return arrays


def mlp(count: int, x: Any, w: Any, v: Any) -> Any:
    """Two layers whose hidden features are cut."""
    import jax

    return jax.lax.psum(jax.nn.gelu(x @ w) @ v, "x")


def training_step(count: int, w: Any, v: Any, x: Any, y: Any) -> Any:
    """A step of gradient descent, whose gradients are averaged over the devices."""
    import jax
    import jax.numpy as jnp

    def loss(w: Any, v: Any) -> Any:
        return jnp.mean((jax.nn.relu(x @ w) @ v - y) ** 2)

    value, (dw, dv) = jax.value_and_grad(loss, (0, 1))(w, v)
    dw, dv, value = (jax.lax.pmean(g, "x") for g in (dw, dv, value))
    return w - 0.1 * dw, v - 0.1 * dv, value


def gathered_weights(count: int, x: Any, w: Any) -> Any:
    """Layers of which each device holds a part of the weights, gathered as each is needed (FSDP)."""
    import jax
    import jax.numpy as jnp

    def layer(x: Any, part: Any) -> Any:
        return jnp.tanh(x @ jax.lax.all_gather(part, "x", axis=0, tiled=True)), None

    return jax.lax.scan(layer, x, w)[0]


def ring_attention(count: int, q: Any, k: Any, v: Any) -> Any:
    """Attention of which each device holds a part of the sequence; keys and values go round."""
    import jax
    import jax.numpy as jnp

    ahead, scale = [(i, (i + 1) % count) for i in range(count)], q.shape[-1] ** -0.5
    most = jnp.full((*q.shape[:2], 1), -jnp.inf, q.dtype)
    total, mixed = jnp.zeros_like(most), jnp.zeros_like(q)
    for iteration in range(count):
        scores = jnp.einsum("hse,hte->hst", q, k) * scale
        larger = jnp.maximum(most, scores.max(-1, keepdims=True))
        powers, kept = jnp.exp(scores - larger), jnp.exp(most - larger)
        total, mixed = total * kept + powers.sum(-1, keepdims=True), mixed * kept + powers @ v
        most = larger
        if iteration < count - 1:
            k, v = (jax.lax.ppermute(each, "x", ahead) for each in (k, v))
    return mixed / total


def experts(count: int, x: Any, w: Any, v: Any) -> Any:
    """Tokens go to the experts, which are cut, and back; x is (experts, tokens of this device for each, features)."""
    import jax
    import jax.numpy as jnp

    there = jax.lax.all_to_all(x, "x", split_axis=0, concat_axis=1, tiled=True)
    made = jnp.einsum("ecf,efd->ecd", jax.nn.relu(jnp.einsum("ecd,edf->ecf", there, w)), v)
    return jax.lax.all_to_all(made, "x", split_axis=1, concat_axis=0, tiled=True)


def pipeline(count: int, x: Any, w: Any) -> Any:
    """Two stages of the same number of layers: eight microbatches go from one to the other in nine steps."""
    import jax
    import jax.numpy as jnp

    stage = jax.lax.axis_index("x")

    def tick(t: Any, carry: Any) -> Any:
        held, done = carry
        made = jnp.where(stage == 0, x[jnp.minimum(t, len(x) - 1)], held)
        for layer in range(w.shape[0]):
            made = jnp.tanh(made @ w[layer])
        done = jax.lax.dynamic_update_index_in_dim(done, made, jnp.maximum(t - count + 1, 0), 0)
        return jax.lax.ppermute(made, "x", [(i, i + 1) for i in range(count - 1)]), done

    iterations = len(x) + count - 1
    _, done = jax.lax.fori_loop(0, iterations, tick, (jnp.zeros_like(x[0]), jnp.zeros_like(x)))
    return jax.lax.psum(jnp.where(stage == count - 1, done, 0), "x")


def until_small(count: int, x: Any) -> Any:
    """A loop of 200 iterations, until a sum over all devices is small."""
    import jax
    import jax.numpy as jnp

    def size(x: Any) -> Any:
        return jax.lax.psum(jnp.abs(x).sum(), "x")

    limit = size(x) * 0.0023  # 0.97 ** 199 is 0.00233, and 0.97 ** 200 is 0.00226
    return jax.lax.while_loop(lambda x: size(x) > limit, lambda x: x * 0.97, x)


# Of ResNet-50: how many blocks each stage has, and the features inside them.
STAGES = ((3, 64), (4, 128), (6, 256), (3, 512))


def resnet_shapes(part: int) -> list[tuple[int, ...]]:
    """Those of its weights: of each convolution the filter, a scale and an offset; then those of the last layer."""
    shapes: list[tuple[int, ...]] = []

    def convolution(size: int, inputs: int, outputs: int) -> None:
        shapes.extend([(size, size, inputs, outputs), (outputs,), (outputs,)])

    inputs = 64 // part
    convolution(7, 3, inputs)
    for blocks, features in ((blocks, features // part) for blocks, features in STAGES):
        for block in range(blocks):
            convolution(1, inputs, features)
            convolution(3, features, features)
            convolution(1, features, 4 * features)
            if block == 0:
                convolution(1, inputs, 4 * features)
            inputs = 4 * features
    return [*shapes, (inputs, 1000), (1000,)]


def resnet_step(count: int, x: Any, labels: Any, *weights: Any) -> Any:
    """A step of gradient descent of a ResNet-50, whose gradients are averaged over the devices; so are no norms."""
    import jax
    import jax.numpy as jnp

    def convolve(left: Iterator[Any], x: Any, stride: int = 1) -> Any:
        w, scale, offset = next(left), next(left), next(left)
        x = jax.lax.conv_general_dilated(x, w, (stride, stride), "SAME", dimension_numbers=("NHWC", "HWIO", "NHWC"))
        mean = x.mean((0, 1, 2))
        return (x - mean) * (jax.lax.rsqrt(((x - mean) ** 2).mean((0, 1, 2)) + 1e-3) * scale) + offset

    def loss(weights: Sequence[Any]) -> Any:
        left, act = iter(weights), jax.nn.relu
        y = act(convolve(left, x, 2))
        y = jax.lax.reduce_window(y, -jnp.inf, jax.lax.max, (1, 3, 3, 1), (1, 2, 2, 1), "SAME")
        for stage, (blocks, _) in enumerate(STAGES):
            for block in range(blocks):
                stride = 2 if stage and not block else 1
                z = convolve(left, act(convolve(left, act(convolve(left, y)), stride)))
                y = act(z + (y if block else convolve(left, y, stride)))
        chances = jax.nn.log_softmax(y.mean((1, 2)) @ next(left) + next(left))
        return -jnp.take_along_axis(chances, labels[:, None], 1).mean()

    value, slopes = jax.value_and_grad(loss)(weights)
    return *(w - 0.1 * jax.lax.pmean(s, "x") for w, s in zip(weights, slopes)), jax.lax.pmean(value, "x")


def decoder(count: int, table: Any, qkv: Any, out: Any, up: Any, down: Any, ids: Any) -> Any:
    """A decoder of eight layers whose heads and hidden features are cut: the last row of each sequence."""
    import jax
    import jax.numpy as jnp

    x, length = table[ids], ids.shape[1]
    mask = jnp.tril(jnp.ones((length, length), bool))

    def norm(x: Any) -> Any:
        wide = x.astype(jnp.float32)
        return (wide * jax.lax.rsqrt(jnp.mean(wide * wide, -1, keepdims=True) + 1e-5)).astype(x.dtype)

    for _ in range(8):  # they have the same weights
        q, k, v = (jnp.einsum("bsd,dhe->bhse", norm(x), qkv[i]) for i in range(3))
        scores = jnp.einsum("bhse,bhte->bhst", q, k) * q.shape[-1] ** -0.5
        mixed = jnp.einsum("bhst,bhte->bhse", jax.nn.softmax(jnp.where(mask, scores, -1e9), -1), v)
        x = x + jax.lax.psum(jnp.einsum("bhse,hed->bsd", mixed, out), "x")
        x = x + jax.lax.psum(jax.nn.silu(norm(x) @ up) @ down, "x")
    return x[:, -1]


def programs(part: int = 1) -> dict[str, Program]:
    """The programs by name, with sizes divided by `part`."""
    n = lambda size: size // part
    half = ("bfloat16",) * 8
    weights = resnet_shapes(part)
    wide, shapes = n(8192), ((n(2048), n(4096)), (n(4096), n(16384)), (n(16384), n(4096)))
    return {
        "mlp f32": Program(mlp, shapes, (None, 1, 0), (None,)),
        "mlp bf16": Program(mlp, shapes, (None, 1, 0), (None,), half),
        "training step": Program(
            training_step,
            ((n(1024), n(4096)), (n(4096), n(1024)), (n(1024), n(1024)), (n(1024), n(1024))),
            (None, None, 0, 0), (None, None, None),
        ),
        "gathered weights": Program(
            gathered_weights, ((n(1024), n(1024)), (8, n(1024), n(1024))), (0, 1), (0,)
        ),
        "ring attention": Program(ring_attention, ((16, n(2048), 64),) * 3, (1, 1, 1), (1,)),
        "experts": Program(
            experts, ((8, n(512), n(512)), (8, n(512), n(2048)), (8, n(2048), n(512))), (1, 0, 0), (1,)
        ),
        "pipeline": Program(pipeline, ((8, n(256), n(1024)), (4, n(1024), n(1024))), (None, 0), (None,)),
        "until small": Program(until_small, ((n(8192),),), (0,), (0,)),
        "resnet step": Program(  # of 64 images for each of two
            resnet_step, ((n(128), 7 * n(32), 7 * n(32), 3), (n(128),), *weights),
            (0, 0, *[None] * len(weights)), (None,) * (len(weights) + 1),
            ("float32", "int32", *["float32"] * len(weights)), per_device=True,
        ),
        "decoder": Program(
            decoder,
            ((1024, wide), (3, wide, 64, wide // 64), (64, wide // 64, wide), (wide, 4 * wide), (4 * wide, wide),
             (1, n(1024))),
            (None, 2, 0, 1, 0, None), (None,), (*half[:5], "int32"),
        ),
    }  # fmt: skip


def text_path(name: str, count: int, folder: Path = TEXTS) -> Path:
    return folder / f"{name.replace(' ', '_')}_{count}.mlir"


# ---------------------------------------------------------------- with jax


def on_devices(program: Program, devices: Sequence[Any]) -> tuple[Any, list[Any]]:
    """The jitted function of whole arguments, and the sharding of each."""
    import jax
    from jax.sharding import Mesh, NamedSharding, PartitionSpec

    mesh = Mesh(np.array(devices), ("x",))
    specs = [
        tuple(PartitionSpec() if d is None else PartitionSpec(*[None] * d, "x") for d in side)
        for side in (program.inputs, program.outputs)
    ]
    # How many results there are is known to the function, not to `specs`.
    out = specs[1] if len(specs[1]) > 1 else specs[1][0]
    run = jax.shard_map(
        lambda *shards: program.run(len(devices), *shards), mesh=mesh, in_specs=specs[0], out_specs=out, check_vma=False
    )
    return jax.jit(run), [NamedSharding(mesh, spec) for spec in specs[0]]


def lower(program: Program, count: int) -> str:
    import jax
    from jax import numpy as jnp

    run, _ = on_devices(program, jax.devices()[:count])
    shapes = program.shapes if count > 1 else program.shapes_alone
    types = [jax.ShapeDtypeStruct(shape, jnp.dtype(name)) for shape, name in zip(shapes, program.dtypes)]
    return str(run.lower(*types).as_text())


# The collectives of tests/several.py, alone and one after the other.
STEP = {"axes": ["x"], "dimension": 0, "seed": 1, "kept": 3}
EACH = ("psum", "pmax", "all_gather", "psum_scatter", "all_to_all", "ppermute", "axis_index")
STEPS: list[tuple[tuple[str, ...], list[int], str]] = [
    *(((name,), [8, 8], "int32") for name in (*EACH, "while", "until", "branch", "scan")),
    (EACH, [8, 8], "int32"),
    (EACH[:4], [256, 257], "float32"),
]


def write() -> None:
    sys.path.insert(0, str(FOLDER.parent))
    import several

    TEXTS.mkdir(exist_ok=True)
    for name, program in programs().items():
        for count in (1, 2):
            text_path(name, count).write_text(lower(program, count), encoding="utf-8")
    process, found = several.Reference(), {}
    with tempfile.TemporaryDirectory() as folder:
        for number, (steps, shape, dtype) in enumerate(STEPS):
            request = {"mesh": [["x", 2]], "spec": [["x"], []], "out": [["x"], []], "shape": shape, "dtype": dtype}
            request |= {"seed": 3, "steps": [{**STEP, "name": name} for name in steps]}
            text, (x,), (result,) = process.ask(request, Path(folder) / "case.npz")
            found |= {f"text{number}": np.array(text), f"in{number}": x, f"out{number}": result}
    process.close()
    np.savez_compressed(CASES, **found)


def cases() -> list[tuple[str, np.ndarray, np.ndarray]]:
    """Texts, the argument, and XLA's result."""
    with np.load(CASES) as archive:
        return [(str(archive[f"text{i}"]), archive[f"in{i}"], archive[f"out{i}"]) for i in range(len(STEPS))]


def write_small(folder: Path) -> None:
    """Write the texts of the programs for small sizes, their arguments, and XLA's results on two devices of the CPU."""
    import jax

    for name, program in programs(SMALL).items():
        for count in (1, 2):
            text_path(name, count, folder).write_text(lower(program, count), encoding="utf-8")
        run, _ = on_devices(program, jax.devices()[:2])
        results = jax.tree.leaves(run(*program.arrays()))
        np.savez(folder / f"{name}.npz", *(np.asarray(x).astype(np.float32) for x in results))


def run_xla(folder: Path, seconds: float, part: int = 1) -> dict[str, float]:
    """The seconds that XLA takes for each program on two GPUs; the results are written to the folder."""
    import jax

    times: dict[str, float] = {}
    for name, program in programs(part).items():
        try:
            run, shardings = on_devices(program, jax.devices()[:2])
            given = [jax.device_put(x, s) for x, s in zip(program.arrays(), shardings)]
            results = jax.tree.leaves(jax.block_until_ready(run(*given)))
            np.savez(folder / f"{name}.npz", *(np.asarray(x).astype(np.float32) for x in results))
            taken, end = list[float](), time.perf_counter() + seconds
            while len(taken) < 5 or (len(taken) < 300 and time.perf_counter() < end):
                start = time.perf_counter()
                jax.block_until_ready(run(*given))
                taken.append(time.perf_counter() - start)
            times[name] = sorted(taken)[len(taken) // 2]
            del given, results
        except Exception as error:
            print(f"XLA, {name}: {type(error).__name__}: {str(error)[:300]}", file=sys.stderr, flush=True)
    return times


def main() -> None:
    if sys.argv[1:2] == ["xla"]:
        print(json.dumps(run_xla(Path(sys.argv[2]), float(sys.argv[3]), *map(int, sys.argv[4:5]))))
        return
    os.environ["XLA_FLAGS"] = "--xla_force_host_platform_device_count=8"
    os.environ["JAX_PLATFORMS"] = "cpu"
    if sys.argv[1:2] == ["small"]:
        write_small(Path(sys.argv[2]))
    else:
        write()


if __name__ == "__main__":
    main()
