"""`load(…, batch_invariant=True)`: a row of a batch has the bits that it has alone, however many rows there are."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from functools import cache, partial
from pathlib import Path
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from hypothesis import given, note, settings
from hypothesis import strategies as st
from jax import lax

import hlo2tiny
from corpus import BY_NAME
from hlo2tiny import InputError
from hlo2tiny.cli import main
from hlo2tiny.plan.gemm import USUAL_ROWS
from hlo2tiny.targets.c import native, render
from hlo2tiny.tinygrad import codegen

MOST = 64


def expect_rows(
    text: Callable[[int], str], arrays: Callable[[int], Sequence[np.ndarray]], sizes: Sequence[int]
) -> None:
    """Compare each row of batches of some sizes, on one and two threads, with that row alone.

    Args:
        text: the program for a batch of so many rows.
        arrays: its arguments; those of fewer rows are the first rows of those of more.
    """
    single = hlo2tiny.load(text(1), "CPU", batch_invariant=True, threads=1)
    batched = [x.ndim > 0 and x.shape != y.shape for x, y in zip(arrays(1), arrays(2), strict=True)]
    rows = arrays(max(sizes))

    def alone(row: int) -> Sequence[np.ndarray]:
        return single.numpy_one_by_one([x[row : row + 1] if b else x for x, b in zip(rows, batched, strict=True)])

    expected = [alone(row) for row in range(max(sizes))]
    for number, size in enumerate(sizes):
        program = hlo2tiny.load(text(size), "CPU", batch_invariant=True, threads=1 + number % 2)
        results = program.numpy_one_by_one([x[:size] if b else x for x, b in zip(rows, batched, strict=True)])
        for result, (found, *_) in enumerate(zip(results, expected[0], strict=True)):
            for row in range(size):
                same = found[row : row + 1].tobytes() == expected[row][result].tobytes()
                assert same, f"result {result}, row {row} of {size}: {found[row]} is not {expected[row][result][0]}"


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


@pytest.mark.parametrize("name", BATCHES)
@pytest.mark.parametrize("size", [2, 13])
@pytest.mark.ci
def test_rows_of_the_corpus(name: str, size: int) -> None:
    expect_rows(partial(with_batch, name), partial(arrays_of, name), [size])


@pytest.mark.parametrize("name", BATCHES)
@pytest.mark.night
def test_rows_of_the_corpus_in_every_batch(name: str) -> None:
    expect_rows(partial(with_batch, name), partial(arrays_of, name), range(1, MOST + 1))


def with_batch(name: str, size: int) -> str:
    """A text of the corpus for a batch of so many rows."""
    text, old = BY_NAME[name].path.read_text(), BATCHES[name]
    shapes = re.sub(rf"(tensor<(?:\d+x)*?){old}(?=x)(?![\dx]*i64)", rf"\g<1>{size}", text)
    return re.sub(rf"(?<=\b0:){old}(?=[,\]])|(?<=sizes = \[1, ){old}(?=,)", str(size), shapes)


def arrays_of(name: str, size: int) -> list[np.ndarray]:
    old = BATCHES[name]
    return [np.resize(x, (size, *x.shape[1:])) if x.shape[:1] == (old,) else x for x in BY_NAME[name].inputs()]


# ---------------------------------------------------------------- programs that are drawn


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
}  # fmt: skip
TYPES = {"f32": np.float32, "bf16": jnp.bfloat16, "f64": np.float64}


@st.composite
def cases(draw: st.DrawFn) -> tuple[list[str], tuple[int, int], str, list[int]]:
    """Layers, the shape of a row, a type, and sizes of a batch."""
    layers = draw(st.lists(st.sampled_from(sorted(LAYERS)), min_size=2, max_size=4))
    shape = 2 * draw(st.integers(1, 80)), 2 * draw(st.integers(1, 50))
    return (
        layers,
        shape,
        draw(st.sampled_from(sorted(TYPES))),
        draw(st.lists(st.integers(2, MOST), min_size=1, max_size=2)),
    )


def expect_rows_of_layers(layers: Sequence[str], shape: tuple[int, int], kind: str, sizes: Sequence[int]) -> None:
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

    expect_rows(text, lambda size: [numbers[:size]], sizes)


@settings(max_examples=settings().max_examples // 3)
@given(cases())
def test_rows_of_drawn_programs(case: tuple[list[str], tuple[int, int], str, list[int]]) -> None:
    note(f"layers, the shape of a row, a type, and sizes of a batch: {case}")
    expect_rows_of_layers(*case)


@pytest.mark.sampled(8, ci=2)
@pytest.mark.parametrize("layer", LAYERS)
@pytest.mark.parametrize("shape", [(20, 36), (130, 8)], ids=str)
def test_rows_of_each_layer(layer: str, shape: tuple[int, int]) -> None:
    expect_rows_of_layers([layer, layer], shape, "f32", [2, 29])


# ---------------------------------------------------------------- the option


TEXT = """func.func @main(%x: tensor<?x300xf32>) -> tensor<?x7xf32> {
  %w = stablehlo.constant dense<0.37> : tensor<7x300xf32>
  %0 = stablehlo.dot_general %x, %w, contracting_dims = [1] x [1]
    : (tensor<?x300xf32>, tensor<7x300xf32>) -> tensor<?x7xf32>
  return %0 : tensor<?x7xf32>
}"""


def test_one_row_of_columns_needs_the_option() -> None:
    """Without the option, few rows are multiplied in another order: a test of these tests."""
    rows = np.random.RandomState(0).standard_normal((MOST, 300)).astype(np.float32)

    def alike(**option: bool) -> bool:
        program = hlo2tiny.load(TEXT, "CPU", **option)
        (found,) = program.numpy(rows)
        return found.tobytes() == b"".join(program.numpy(row[None])[0].tobytes() for row in rows)

    assert alike(batch_invariant=True) and not alike()


def test_gradients_keep_the_option() -> None:
    program = hlo2tiny.load(TEXT, "CPU", batch_invariant=True)
    assert program.plan_for([(1, 300)]).invariant and not hlo2tiny.load(TEXT, "CPU").plan_for([(1, 300)]).invariant


@pytest.mark.parametrize("device", ["CUDA", "CL"])
def test_other_devices_refuse_it(device: str) -> None:
    with pytest.raises(InputError, match=f"batch_invariant=True: on {device}, how sums round depends on how many rows"):
        hlo2tiny.load(TEXT, device, batch_invariant=True)


@pytest.mark.parametrize("target", ["web", "cuda", "bare-arm"])
def test_other_targets_refuse_it(target: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "model.mlir").write_text(TEXT)
    command = ["compile", str(tmp_path / "model.mlir"), "-o", str(tmp_path / "made"), "--batch-invariant"]
    assert main([*command, "--target", target]) == 1
    assert f"--batch-invariant: expected a target for the CPU, not {target}" in capsys.readouterr().err


def test_c_has_the_same_choices(tmp_path: Path) -> None:
    (tmp_path / "model.mlir").write_text(TEXT)
    command = ["compile", str(tmp_path / "model.mlir"), "-o", str(tmp_path / "made"), "--shape", "0=1,300"]
    assert main([*command, "--batch-invariant", "--emit", "c"]) == 0
    sizes = re.search(r"struct product product0 = \{([^(]*)", (tmp_path / "made" / "program.c").read_text())
    assert sizes is not None and sizes[1].split(", ")[9] == str(USUAL_ROWS)


SUM = """func.func @main(%x: tensor<8x64x32xf32>) -> tensor<8xf32> {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %0 = stablehlo.tanh %x : tensor<8x64x32xf32>
  %1 = stablehlo.reduce(%0 init: %zero) applies stablehlo.add across dimensions = [1, 2]
    : (tensor<8x64x32xf32>, tensor<f32>) -> tensor<8xf32>
  return %1 : tensor<8xf32>
}"""


def test_what_was_lowered_before_without_the_option_is_not_taken(monkeypatch: pytest.MonkeyPatch) -> None:
    """And the other way round: kernels that are equal until then had the loops of the first program."""

    def kernels(*options: bool) -> str:
        codegen.PROGRAMS.clear()
        for option in options:
            monkeypatch.setattr(render.REGIONS, "regions", {})
            plan = hlo2tiny.load(SUM, "CPU", batch_invariant=option).plan
            with native.render_regions(native.regions_of([plan]), "CPU", lambda done, total: None) as regions:
                ((_, region),) = regions
        return region.to_text()

    assert kernels(True) == kernels(False, True) and kernels(False) == kernels(True, False)
