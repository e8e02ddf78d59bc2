"""Convolutions of each feature on its own, and their gradients, as kernels that keep a GPU busy."""

from __future__ import annotations

from collections.abc import Callable
from math import prod
from pathlib import Path
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from jax import lax
from test_emulation import emulator
from test_executable import emitted
from test_shared_reductions import text_of

from hlo2tiny.plan import convolution as plan_convolution
from hlo2tiny.plan import gemm
from hlo2tiny.rules import convolution
from hlo2tiny.targets.cuda import depthwise
from hlo2tiny.targets.cuda.native import REGIONS
from hlo2tiny.tinygrad.codegen import PROGRAMS
from hlo2tiny.tinygrad.renderers.cuda import CudaRenderer


def gradient(rank: int, groups: int, last: bool, **more: Any) -> Callable[[jax.Array, jax.Array], Any]:
    letters = "DHW"[-rank:]
    layout = (f"N{letters}C", f"{letters}IO") if last else (f"NC{letters}", f"OI{letters}")

    def loss(w: jax.Array, x: jax.Array) -> jax.Array:
        options = {"window_strides": [1] * rank, "padding": "SAME"} | more
        y = lax.conv_general_dilated(
            x, w, dimension_numbers=(*layout, layout[0]), feature_group_count=groups, **options
        )
        return jnp.sum(y * jnp.sin(y))

    return jax.grad(loss, (0, 1))


def shapes(rank: int, batch: int, image: int, groups: int, each: int, window: int, last: bool) -> list[tuple[int, ...]]:
    features = groups * each
    if last:
        return [(*[window] * rank, 1, features), (batch, *[image] * rank, groups)]
    return [(features, 1, *[window] * rank), (batch, groups, *[image] * rank)]


@pytest.mark.parametrize("last", [True, False])
@pytest.mark.parametrize(
    ("rank", "image", "each", "more"),
    [
        (1, 90, 1, {}),
        (1, 70, 3, {"window_strides": [2]}),
        (2, 9, 1, {}),
        (2, 11, 2, {"rhs_dilation": [2, 1]}),
        (2, 10, 1, {"padding": [(0, 1), (2, 0)]}),
        (3, 5, 1, {}),
        (3, 4, 2, {}),
    ],
)
@pytest.mark.sampled(6, ci=3)
def test_gradients_of_depthwise_convolutions(
    rank: int, image: int, each: int, more: dict[str, Any], last: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(convolution, "LEAST_WINDOW", 2)
    monkeypatch.setattr(gemm, "LEAST", 1)
    monkeypatch.setattr(plan_convolution, "LEAST", 1)
    monkeypatch.setattr(depthwise, "LEAST_WORK", 1)
    monkeypatch.setattr(depthwise, "LEAST_POSITIONS", 4)
    random, groups = np.random.default_rng(image), 40 if last else 4
    arrays = [random.standard_normal(s, np.float32) for s in shapes(rank, 3, image, groups, each, 3, last)]
    call = gradient(rank, groups, last, **more)
    executable, run = emulator(text_of(call, *arrays), tmp_path)
    for found, expected in zip(run(arrays), jax.jit(call)(*arrays), strict=True):
        np.testing.assert_allclose(found, np.asarray(expected), rtol=1e-4, atol=1e-4)
    assert any("depthwise_gradient" in kernel.name for kernel in executable.kernels)


@pytest.mark.parametrize("kind", [jnp.bfloat16, jnp.float16])
@pytest.mark.parametrize("last", [True, False])
@pytest.mark.parametrize("most", [49, 5])
def test_narrow_numbers_and_windows_that_blocks_share(
    kind: Any, last: bool, most: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(depthwise, "MOST_TAPS", most)
    monkeypatch.setattr(depthwise, "LEAST_WORK", 1)
    random = np.random.default_rng(most)
    arrays = [random.standard_normal(s, np.float32).astype(kind) for s in shapes(2, 3, 20, 24, 1, 5, last)]
    call = lambda w, x: gradient(2, 24, last)(w, x)[0]
    executable, run = emulator(text_of(call, *arrays), tmp_path)
    (found,), expected = run(arrays), np.asarray(jax.jit(call)(*arrays))
    assert any("depthwise_gradient" in kernel.name for kernel in executable.kernels)
    unit = float(jnp.finfo(kind).eps) * np.abs(expected.astype(np.float32)).max()
    np.testing.assert_allclose(found.astype(np.float32), expected.astype(np.float32), atol=4 * unit)


@pytest.mark.parametrize("each", [1, 5])
def test_gradients_of_convolutions_of_a_single_feature(
    each: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(depthwise, "LEAST_WORK", 1)
    random = np.random.default_rng(each)
    arrays = [random.standard_normal(s, np.float32) for s in shapes(2, 3, 20, 1, each, 3, False)]
    executable, run = emulator(text_of(gradient(2, 1, False), *arrays), tmp_path)
    for found, expected in zip(run(arrays), jax.jit(gradient(2, 1, False))(*arrays), strict=True):
        np.testing.assert_allclose(found, np.asarray(expected), rtol=1e-4, atol=1e-4)
    assert any("depthwise_gradient" in kernel.name for kernel in executable.kernels) and not executable.products


@pytest.mark.parametrize(
    ("features", "groups", "window", "calls"),
    [
        ((1, 1), 1, (11, 1), 0), ((1, 16), 1, (3, 3), 0), ((3, 3), 1, (7, 7), 0), ((8, 8), 1, (3, 3), 0),
        ((3, 64), 1, (7, 7), 1), ((16, 16), 1, (1, 1), 0), ((32, 32), 1, (1, 1), 1), ((1, 512), 1, (4, 4), 0),
        ((4, 128), 1, (2, 2), 0), ((1, 512), 1, (5, 5), 0), ((1, 64), 1, (7, 7), 1), ((64, 64), 1, (3, 3), 1),
        ((24, 48), 12, (3, 3), 0),
    ],
)  # fmt: skip
@pytest.mark.parametrize("dtype", ["float32", "bfloat16"])
def test_convolutions_of_few_features_are_kernels(
    features: tuple[int, int], groups: int, window: tuple[int, int], calls: int, dtype: str
) -> None:
    inputs, outputs = features
    given = [np.zeros(s, dtype) for s in ((4, inputs, 128, 128), (outputs, inputs // groups, *window))]
    call = lambda x, w: lax.conv_general_dilated(x, w, (1, 1), "SAME", feature_group_count=groups)
    executable = emitted(text_of(call, *given), libraries=("cudnn", "cublasLt"))
    assert len(executable.products) == calls, [kernel.name for kernel in executable.kernels]


def test_a_thread_adds_up_a_window_if_there_are_enough_windows() -> None:
    """32 threads for each would read the same elements again and again."""
    arrays = [np.zeros(s, np.float32) for s in shapes(3, 4, 20, 48, 2, 5, False)]
    executable = emitted(text_of(gradient(3, 48, False), *arrays))
    launched = {k.name: prod(k.grid) * prod(k.block) for k in executable.kernels if k.name.startswith("r_")}
    # Of the result and of the gradient of x.
    assert sum(threads <= prod(arrays[1].shape) * 2 for threads in launched.values()) >= 2, launched


def test_each_example_has_blocks_for_the_gradient_of_weights() -> None:
    arrays = [np.zeros(s, np.float32) for s in shapes(2, 16, 56, 128, 1, 3, True)]
    executable = emitted(text_of(gradient(2, 128, True), *arrays))
    (kernel,) = (k for k in executable.kernels if k.name == "depthwise_gradient")
    assert prod(kernel.grid) >= 16 * 9 * 4


@pytest.mark.parametrize("in_tiles", [True, False])
def test_neighbouring_threads_write_neighbours_of_several_features_for_each(
    in_tiles: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Without tiles, tinygrad counts columns before rows, and a grid has three dimensions, so it counts both along
    one."""
    monkeypatch.setattr(CudaRenderer, "in_tiles", in_tiles)
    REGIONS.regions.clear()
    PROGRAMS.clear()
    batch, image = 17, 29
    arrays = [np.zeros(s, jnp.bfloat16) for s in shapes(2, batch, image, 9, 24, 3, False)]

    def call(w: jax.Array, x: jax.Array) -> jax.Array:
        return lax.conv_general_dilated(x, w, (1, 1), "SAME", rhs_dilation=(2, 2), feature_group_count=9)

    (kernel,) = emitted(text_of(call, *arrays)).kernels
    number = f"thread / 1 % {image}"
    assert f"(int)({number if in_tiles else f'{number} * {image} + thread / {image} % {image}'});" in kernel.body
