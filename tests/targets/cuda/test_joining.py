"""Kernels that read the same elements are one: statistics of a batch, their gradients, several results of a layer."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import jax
import jax.numpy as jnp
import ml_dtypes
import numpy as np
import pytest
from test_emulation import emulator
from test_executable import emitted

from hlo2tiny.targets.cuda import joining, render
from hlo2tiny.targets.cuda.kernels import CudaKernel

LARGE = 1 << 20  # bytes of the smallest large array here


def text_of(function: Callable[..., object], *arrays: Any) -> str:
    return str(jax.export.export(jax.jit(function))(*arrays).mlir_module())


def readers(kernels: Sequence[CudaKernel]) -> list[CudaKernel]:
    """The kernels that read or write large arrays."""
    return [kernel for kernel in kernels if kernel.bytes >= LARGE]


def batch_norm(axis: int) -> Callable[..., jax.Array]:
    """A batch norm whose features are in one dimension, with a mask after it."""

    def call(x: jax.Array, scale: jax.Array, bias: jax.Array) -> jax.Array:
        axes, wide = tuple(d for d in range(x.ndim) if d != axis), x.astype(jnp.float32)
        of = lambda v: v.reshape([-1 if d == axis else 1 for d in range(x.ndim)])
        mean = wide.mean(axes, keepdims=True)
        ready = (wide - mean) * jax.lax.rsqrt(((wide - mean) ** 2).mean(axes, keepdims=True) + 1e-3)
        return jax.nn.relu(ready * of(scale) + of(bias)).astype(x.dtype)

    return call


# Features last, first, or between, in numbers that fill warps or not.
NORMS = [((48, 9, 13, 64), 3), ((40, 30, 257), 1), ((7, 50, 1000), 0), ((5000, 61), 1), ((6, 96, 700), 1)]


@pytest.mark.parametrize("shape, axis", NORMS, ids=str)
@pytest.mark.parametrize("dtype", [np.float32, ml_dtypes.bfloat16], ids=lambda t: np.dtype(t).name)
@pytest.mark.sampled(6, ci=3)
def test_gradients_of_a_batch_norm_read_what_they_need_once(
    shape: tuple[int, ...], axis: int, dtype: type, tmp_path: Path
) -> None:
    random = np.random.default_rng(0)
    x, ct = (random.standard_normal(shape).astype(dtype) for _ in "xy")
    scale, bias = (random.standard_normal(shape[axis]).astype(np.float32) for _ in "ab")
    function = lambda x, scale, bias, ct: jax.vjp(batch_norm(axis), x, scale, bias)[1](ct)
    executable, run = emulator(text_of(function, x, scale, bias, ct), tmp_path)
    expected = jax.jit(function)(x, scale, bias, ct)
    tolerance = 1e-4 if dtype is np.float32 else 1e-2
    for found, wanted in zip(run([x, scale, bias, ct]), map(np.asarray, expected), strict=True):
        found, wanted = found.astype(np.float32), wanted.astype(np.float32)
        np.testing.assert_allclose(found, wanted, atol=tolerance * np.abs(wanted).max())
    # The mean, the variance, the sums of gradients, a sum that needs one of these, and the result.
    assert len(readers(executable.kernels)) <= 5, [kernel.name for kernel in executable.kernels]


def test_an_element_and_a_vector_that_begins_with_it_are_read_apart(tmp_path: Path) -> None:
    """A kernel of every second element that was joined with one that read pairs had pairs of single numbers."""
    text = """func.func @main(%a: tensor<300x2000xf32>) -> (tensor<300x1000xf32>, tensor<300x1000xf32>) {
      %0 = stablehlo.slice %a [0:300, 0:1999:2] : (tensor<300x2000xf32>) -> tensor<300x1000xf32>
      %1 = stablehlo.slice %a [0:300, 1:2000:2] : (tensor<300x2000xf32>) -> tensor<300x1000xf32>
      %2 = stablehlo.multiply %0, %1 : tensor<300x1000xf32>
      return %0, %2 : tensor<300x1000xf32>, tensor<300x1000xf32>
    }"""
    x = np.random.default_rng(2).standard_normal((300, 2000)).astype(np.float32)
    first, products = emulator(text, tmp_path)[1]([x])
    np.testing.assert_array_equal(first, x[:, ::2])
    np.testing.assert_array_equal(products, x[:, ::2] * x[:, 1::2])


def test_a_layer_s_result_and_mask_are_one_kernel(tmp_path: Path) -> None:
    def function(x: jax.Array, other: jax.Array, scale: jax.Array, bias: jax.Array) -> Any:
        y = x * scale + bias + other
        return jax.nn.relu(y), y > 0, -y

    random = np.random.default_rng(1)
    arrays = [random.standard_normal(shape).astype(np.float32) for shape in ((4500, 64), (4500, 64), (64,), (64,))]
    executable, run = emulator(text_of(function, *arrays), tmp_path)
    for found, wanted in zip(run(arrays), jax.jit(function)(*arrays), strict=True):
        np.testing.assert_allclose(found, np.asarray(wanted), rtol=1e-6, atol=1e-6)
    (kernel,) = executable.kernels
    assert kernel.name.count("+") == 2 and sum(kernel.writes) == 3


def test_joined_sums_have_the_bits_of_those_apart(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def function(x: jax.Array, y: jax.Array) -> list[jax.Array]:
        masked = jnp.where(x > 0, y, 0)
        return [masked.sum(0), (masked * x).sum(0), jnp.max(x, 0), (masked - x).sum(0)]

    random = np.random.default_rng(2)
    arrays = [random.standard_normal((9000, 61)).astype(np.float32) for _ in "xy"]
    results = []
    for reach in (joining.REACH, 0):
        monkeypatch.setattr(joining, "REACH", reach)
        monkeypatch.setattr(render.REGIONS, "regions", {})
        (folder := tmp_path / str(reach)).mkdir()
        executable, run = emulator(text_of(function, *arrays), folder)
        results.append(run(arrays))
        assert len(readers(executable.kernels)) == (1 if reach else 4)
    for together, apart in zip(*results, strict=True):
        np.testing.assert_array_equal(together, apart)


def test_what_reads_a_kernel_s_result_or_has_other_loops_stays_apart(tmp_path: Path) -> None:
    def function(x: jax.Array, y: jax.Array) -> list[jax.Array]:
        total = x.sum(0)
        return [total, ((x - total) * y).sum(0), y.sum(1), (y * y)[:50].sum(0)]

    random = np.random.default_rng(3)
    arrays = [random.integers(-2, 3, (9000, 61)).astype(np.float32) for _ in "xy"]
    executable, run = emulator(text_of(function, *arrays), tmp_path)
    for found, wanted in zip(run(arrays), jax.jit(function)(*arrays), strict=True):
        np.testing.assert_array_equal(found, np.asarray(wanted))
    assert len(readers(executable.kernels)) == 3


def test_a_training_step_stores_no_differences_and_no_masks() -> None:
    """Of layers with batch norms: between two convolutions nothing but what the second one reads is written."""

    def loss(weights: Sequence[jax.Array], x: jax.Array) -> jax.Array:
        for w, scale, bias in weights:
            convolved = jax.lax.conv_general_dilated(x, w, (1, 1), "SAME", dimension_numbers=("NHWC", "HWIO", "NHWC"))
            x = batch_norm(3)(convolved, scale, bias)
        return jnp.sum(x * x)

    shape = (16, 28, 28, 64)
    of = lambda *sizes: jax.ShapeDtypeStruct(sizes, np.float32)
    weights = [(of(3, 3, 64, 64), of(64), of(64))] * 2
    kernels = emitted(text_of(jax.grad(loss), weights, of(*shape)), ["cudnn"]).kernels
    size = 4 * int(np.prod(shape))
    written = [p.name for kernel in kernels for p in kernel.parameters if p.written and f"_{size // 4}" in p.name]
    # Of each of the two layers the result, but of the last one none, and the gradients of both convolutions' results.
    assert len(written) <= 4


# What is summed, over which dimensions: features last, first or between, few or many, alone or in parts. For the last
# three, one kernel makes the sums of a row, which stays in the nearest cache.
SUMMED = [
    ((9000, 61), (0,)), ((40, 9, 13, 64), (0, 1, 2)), ((6, 2000, 30), (1,)), ((3, 5, 20000), (2,)),
    ((70, 4100), (1,)), ((300_001,), (0,)), ((6, 96, 700), (0, 2)),
]  # fmt: skip


@pytest.mark.parametrize("shape, axes", SUMMED, ids=str)
@pytest.mark.parametrize("dtype", [np.float32, ml_dtypes.bfloat16, np.int32], ids=lambda t: np.dtype(t).name)
@pytest.mark.sampled(8, ci=4)
def test_sums_of_a_result_are_made_where_it_is_computed(
    shape: tuple[int, ...], axes: tuple[int, ...], dtype: type, tmp_path: Path
) -> None:
    """Such as a bias's gradient, beside the gradient that products read; with a row and a column of other numbers."""

    def function(x: jax.Array, y: jax.Array, row: jax.Array, column: jax.Array) -> list[jax.Array]:
        masked = jnp.where(x > 0, y * row, column - x)
        wide = masked.astype(jnp.float32) if dtype is ml_dtypes.bfloat16 else masked
        return [masked, wide.sum(axes), (wide * x.astype(wide.dtype)).sum(axes), wide.max(axes)]

    random = np.random.default_rng(4)
    shapes = (shape, shape, shape[-1:], (*shape[:-1], 1))
    arrays = [random.integers(-2, 3, each).astype(dtype) for each in shapes]
    executable, run = emulator(text_of(function, *arrays), tmp_path)
    for found, wanted in zip(run(arrays), jax.jit(function)(*arrays), strict=True):
        np.testing.assert_array_equal(found, np.asarray(wanted))
    kernel, *others = readers(executable.kernels)
    assert len(others) == (1 if (shape, axes) in SUMMED[-2:] else 0), [each.name for each in executable.kernels]
    assert others or (kernel.name.startswith("E_") and kernel.name.count("+r_") == 3), kernel.name
    assert kernel.parameters[0].type.endswith("__restrict__") or (shape, axes) in SUMMED[-3:]


def test_a_result_that_a_reduction_reads_otherwise_is_written_before(tmp_path: Path) -> None:
    """From another place, twice, or only in part."""

    def function(x: jax.Array) -> list[jax.Array]:
        y, z, w = jnp.abs(x) + 1, jnp.abs(x) - 1, x * 3
        return [y, (y * y[:, ::-1]).sum(1), z, z[:100].sum(0), w, (w * jnp.sum(w, 0)).sum(0)]

    x = np.random.default_rng(5).integers(-2, 3, (4000, 100)).astype(np.float32)
    executable, run = emulator(text_of(function, x), tmp_path)
    for found, wanted in zip(run([x]), jax.jit(function)(x), strict=True):
        np.testing.assert_array_equal(found, np.asarray(wanted))
    fused = [kernel for kernel in executable.kernels if kernel.name.startswith("E_") and "+r_" in kernel.name]
    assert len(fused) <= 1


@pytest.mark.parametrize(
    "shape, axis", [((9, 30, 70), 0), ((3000, 40), 1), ((40, 3000), 0), ((700, 33), 0), ((2, 70_000), 1)]
)
@pytest.mark.parametrize("dtype", [np.float32, np.int32, ml_dtypes.bfloat16], ids=lambda t: np.dtype(t).name)
def test_sums_that_need_each_others_results_are_one_kernel(
    shape: tuple[int, ...], axis: int, dtype: type, tmp_path: Path
) -> None:
    """Weights, and a mean by these: the second sum is divided by the first one in the kernel that has both."""
    random = np.random.default_rng(len(shape))
    x, y = (random.integers(1, 3, shape).astype(dtype) for _ in "xy")

    def call(x: jax.Array, y: jax.Array) -> list[jax.Array]:
        total = x.astype(jnp.float32).sum(axis)
        return [total, (x * y).astype(jnp.float32).sum(axis) / total, (x * 2 - y).max(axis) * total.astype(x.dtype)]

    executable, run = emulator(text_of(call, x, y), tmp_path)
    for found, wanted in zip(run([x, y]), map(np.asarray, jax.jit(call)(x, y)), strict=True):
        np.testing.assert_array_equal(found.astype(np.float32), wanted.astype(np.float32))
    if shape[0] != 2:  # whose rows are added up in parts first
        assert len(executable.kernels) == 1, [kernel.name for kernel in executable.kernels]


def test_sums_along_both_dimensions_of_a_large_matrix_stay_apart(tmp_path: Path) -> None:
    """They share small arrays only; neighbouring threads of one would not read neighbouring elements of the matrix. A
    thread has both columns of a row's result, and no other row's, of which it reads nothing."""

    def call(p: jax.Array, y: jax.Array) -> list[jax.Array]:
        differences = y[:, None] - y[None]
        return [(p[:, :, None] * differences).sum(1), (p[:, :, None] * differences).sum(0)]

    random = np.random.default_rng(5)
    p, y = (random.integers(-3, 4, shape).astype(np.float32) for shape in ((1100, 1100), (1100, 2)))
    executable, run = emulator(text_of(call, p, y), tmp_path)
    for found, wanted in zip(run([p, y]), map(np.asarray, jax.jit(call)(p, y)), strict=True):
        np.testing.assert_array_equal(found, wanted)
    assert [kernel.name.count("+") for kernel in executable.kernels] == [0, 0]
