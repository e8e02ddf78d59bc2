"""Sums over windows whose threads have tiles of results."""

from __future__ import annotations

import re
from math import prod
from typing import NamedTuple

import jax
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from jax import lax
from test_emulation import emulator
from test_executable import emitted
from test_shared_reductions import text_of

from hlo2tiny.plan import gemm
from hlo2tiny.rules import convolution
from hlo2tiny.targets.cuda import render
from hlo2tiny.targets.cuda.native import REGIONS
from hlo2tiny.tinygrad import windows
from hlo2tiny.tinygrad.codegen import PROGRAMS

KINDS = {"float32": 1e-5, "bfloat16": 2**-7, "float16": 2**-10}


class Drawn(NamedTuple):
    """A convolution: along each dimension places, window, stride, dilation, padding and whether windows are turned."""

    dimensions: list[tuple[int, int, int, int, tuple[int, int], bool]]
    batch: int
    groups: int
    inputs: int
    outputs: int
    last: bool
    kind: str

    def arrays(self) -> list[np.ndarray]:
        random = np.random.default_rng(0)
        sizes = [n * stride + (k - 1) * dilation - sum(pad) for n, k, stride, dilation, pad, _ in self.dimensions]
        sizes = [max(1, size) for size in sizes]
        x = (self.batch, self.groups * self.inputs, *sizes)
        w = (self.groups * self.outputs, self.inputs, *(each[1] for each in self.dimensions))
        if self.last:
            x, w = (x[0], *x[2:], x[1]), (*w[2:], w[1], w[0])
        return [random.standard_normal(shape, np.float32).astype(self.kind) for shape in (x, w)]

    def __call__(self, x: jax.Array, w: jax.Array) -> jax.Array:
        spatial = "DHW"[-len(self.dimensions) :]
        layout = (f"N{spatial}C", f"{spatial}IO") if self.last else (f"NC{spatial}", f"OI{spatial}")
        _, _, strides, dilations, padding, reversal = zip(*self.dimensions)
        w = lax.rev(w, [layout[1].index(letter) for letter, turned in zip(spatial, reversal) if turned])
        return lax.conv_general_dilated(
            x, w, strides, padding, rhs_dilation=dilations, dimension_numbers=(*layout, layout[0]),
            feature_group_count=self.groups,
        )  # fmt: skip


sides = st.tuples(
    st.integers(1, 9), st.integers(1, 5), st.integers(1, 3), st.integers(1, 3),
    st.tuples(st.integers(-1, 3), st.integers(-1, 3)), st.booleans(),
)  # fmt: skip
features = st.sampled_from([(1, 1, 1), (1, 2, 3), (1, 1, 5), (3, 1, 1), (4, 1, 2), (2, 2, 2), (2, 3, 8)])
drawn = st.builds(
    lambda sides, batch, features, last, kind: Drawn(sides, batch, *features, last, kind),
    st.lists(sides, min_size=1, max_size=3), st.integers(1, 3), features, st.booleans(), st.sampled_from([*KINDS]),
)  # fmt: skip


@given(drawn)
def test_convolutions(tmp_path_factory: pytest.TempPathFactory, call: Drawn) -> None:
    arrays = call.arrays()
    text, expected = (
        text_of(lambda x, w: call(x, w), *arrays),
        np.asarray(call(*(a.astype(np.float32) for a in arrays))),
    )
    with pytest.MonkeyPatch.context() as patch:
        everything_in_tiles(patch)
        _, run = emulator(text, tmp_path_factory.mktemp("tiles"))
        (found,) = run(arrays)
    error = np.abs(found.astype(np.float32) - expected).max(initial=0)
    assert error <= 2 * KINDS[call.kind] * max(1, np.abs(expected).max(initial=0)), call


def everything_in_tiles(patch: pytest.MonkeyPatch) -> None:
    REGIONS.regions.clear()
    PROGRAMS.clear()
    for owner, name, value in (
        (render, "MANY_WINDOWS", 1), (render, "is_small", lambda outline: False), (windows, "BUSY", 1),
        (convolution, "MOST_WRITTEN", 1), (gemm, "LEAST", 1),
    ):  # fmt: skip
        patch.setattr(owner, name, value)


@pytest.mark.parametrize("last", [False, True])
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize(
    ("sizes", "window", "features", "tile"),
    [
        ([17, 17, 17], 7, (128, 1, 1), "9_7_7_7"), ([60, 60, 60], 2, (1, 2, 2), "_2_2_2_2_2"),
        ([67, 67], 7, (80, 1, 1), "_7_7"), ([67, 67], 3, (16, 2, 2), "_3_3"),
    ],
)  # fmt: skip
def test_a_thread_has_several_windows(
    sizes: list[int], window: int, features: tuple[int, int, int], tile: str, kind: str, last: bool
) -> None:
    """Whatever their sizes, in a kernel that converts what it reads and fuses products with sums."""
    low, high = (window - 1) // 2, window // 2
    call = Drawn([(n, window, 1, 1, (low, high), False) for n in sizes], 2, *features, last, kind)
    kernels = emitted(text_of(lambda x, w: call(x, w), *call.arrays())).kernels
    kernel = max(kernels, key=lambda kernel: kernel.flops)
    results = 2 * features[0] * features[2] * prod(sizes)
    assert kernel.name.endswith(tile) and prod(kernel.grid) * prod(kernel.block) < results / 2, kernel
    assert "fmaf(" in kernel.body and sum(k.bytes for k in kernels if k is not kernel) < results
    # Threads beside each other have results beside each other.
    neighbours = features[0] * features[2] if last and features[0] > 2 else sizes[-1]
    assert re.search(rf"thread / 1 % {neighbours}\b", kernel.body)


@pytest.mark.parametrize("last", [False, True])
def test_a_thread_has_several_features_of_a_group(last: bool) -> None:
    """They read the same elements: two for each of eight places."""
    call = Drawn([(256, 3, 1, 1, (1, 1), False)] * 2, 2, 4, 3, 8, last, "float32")
    (kernel,) = emitted(text_of(lambda x, w: call(x, w), *call.arrays())).kernels
    assert kernel.name.endswith("_8_2_3_3_3") and prod(kernel.grid) * prod(kernel.block) == 2 * 32 * 256 * 256 / 16
