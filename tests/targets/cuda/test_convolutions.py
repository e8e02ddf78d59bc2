"""Convolutions as cuDNN is asked for them, computed by numpy instead."""

from __future__ import annotations

import re
from collections.abc import Callable
from itertools import product
from math import prod
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from jax import lax
from test_executable import emitted, plan_of

import hlo2tiny
from hlo2tiny.ops import Trait, has
from hlo2tiny.targets import TINYGRAD
from hlo2tiny.targets.cuda.convolutions import (
    DATA,
    FILTER,
    FORWARD,
    NCHW,
    NHWC,
    ORDER,
    Arrangement,
    ConvolutionSpec,
    arrangement,
    filter_of_groups,
    find_steps,
)
from hlo2tiny.targets.cuda.specs import spec_of

Conv = Callable[..., Any]


def rearranged(source: np.ndarray, how: Arrangement) -> np.ndarray:
    """What control.cu's `arrange` writes; test_compiled_cuda.py runs it."""
    together = 4 if how.target == 16 else 1
    source = source.reshape(-1, together)
    target = np.zeros((how.size, together), np.float32)
    for i, at in enumerate(product(*(range(n) for n in how.shape))):
        where = [a - low for a, low in zip(at, how.low)]
        if all(0 <= w < extent for w, extent in zip(where, how.extent)):
            target[i] = source[sum(w * step for w, step in zip(where, how.step))]
    return target.reshape(-1)


def view(memory: np.ndarray, tensor: tuple[tuple[int, ...], tuple[int, ...]]) -> np.ndarray:
    shape, steps = tensor
    return np.lib.stride_tricks.as_strided(memory, shape, [4 * step for step in steps])


def cudnn(s: ConvolutionSpec, first: np.ndarray, second: np.ndarray) -> np.ndarray:
    """The result's memory, from the operands', by the definition of Y = X ∗ W."""
    given = dict(zip(ORDER[s.kind], (first, second)))
    tensors = {"x": s.x, "w": s.w, "y": s.y}
    result = np.zeros(prod(tensors[ORDER[s.kind][2]][0]), np.float32)
    if s.apart:
        steps = find_steps(s.w[0], NCHW)
        given["w"], tensors["w"] = rearranged(given["w"].reshape(-1), filter_of_groups(s, steps)), (s.w[0], steps)
    x, w, y = (view(given.get(name, result), tensors[name]) for name in "xwy")
    groups, features = s.groups, s.x[0][1] // s.groups
    for tap in product(*map(range, s.w[0][2:])):
        at = tuple(n - 1 - t for n, t in zip(s.w[0][2:], tap)) if s.flipped else tap
        for place in product(*map(range, s.y[0][2:])):
            read = [p * step + t * d - low for p, t, step, d, low in zip(place, tap, s.stride, s.dilation, s.low)]
            if not all(0 <= r < n for r, n in zip(read, s.x[0][2:])):
                continue
            for g in range(groups):
                outs = slice(g * y.shape[1] // groups, (g + 1) * y.shape[1] // groups)
                xs, ys = x[:, g * features : (g + 1) * features, *read], y[:, outs, *place]
                ws = w[outs, :, *at]
                if s.kind == FORWARD:
                    ys += xs @ ws.T
                elif s.kind == DATA:
                    xs += ys @ ws
                else:
                    ws += ys.T @ xs
    return result


def convolution(**options: Any) -> Conv:
    return lambda x, w: lax.conv_general_dilated(x, w, **{"window_strides": (1, 1), "padding": "SAME", **options})


LAST = {"dimension_numbers": ("NHWC", "HWIO", "NHWC")}
CASES: dict[str, tuple[Conv, tuple[int, ...], tuple[int, ...]]] = {
    "features first": (convolution(), (2, 4, 9, 8), (6, 4, 3, 3)),
    "features last": (convolution(**LAST), (2, 9, 8, 4), (3, 3, 4, 6)),
    "more padding after than before": (
        convolution(window_strides=(2, 2), **LAST), (2, 8, 8, 4), (3, 3, 4, 6),
    ),
    "steps": (convolution(window_strides=(3, 2), padding="VALID", **LAST), (2, 12, 9, 4), (3, 2, 4, 6)),
    "dilation": (convolution(rhs_dilation=(2, 1), **LAST), (2, 9, 8, 4), (3, 3, 4, 6)),
    "cropped": (convolution(padding=((-1, 2), (0, -1)), **LAST), (2, 9, 8, 4), (3, 3, 4, 6)),
    "groups": (convolution(feature_group_count=2, **LAST), (2, 6, 5, 8), (3, 3, 4, 6)),
    "groups, features first": (convolution(feature_group_count=3), (2, 6, 5, 8), (9, 2, 3, 3)),
    "groups with steps": (
        convolution(window_strides=(2, 1), feature_group_count=2, **LAST), (2, 6, 5, 8), (3, 3, 4, 6),
    ),
    "groups with steps, features first": (
        convolution(window_strides=(2, 2), feature_group_count=2), (2, 4, 7, 8), (6, 2, 3, 3),
    ),
    "groups of one dimension": (
        convolution(
            window_strides=(2,), rhs_dilation=(2,), feature_group_count=2, dimension_numbers=("NHC", "HIO", "NHC")
        ),
        (3, 20, 4), (5, 2, 6),
    ),
    "groups of three dimensions": (
        convolution(
            window_strides=(2, 1, 1), feature_group_count=2, dimension_numbers=("NCDHW", "OIDHW", "NCDHW")
        ),
        (1, 4, 4, 5, 6), (6, 2, 2, 3, 3),
    ),
    "one dimension": (
        convolution(window_strides=(2,), dimension_numbers=("NHC", "HIO", "NHC")), (3, 20, 4), (5, 4, 6),
    ),
    "three dimensions": (
        convolution(window_strides=(1, 1, 1), dimension_numbers=("NDHWC", "DHWIO", "NDHWC")),
        (1, 4, 5, 6, 3), (2, 3, 3, 3, 4),
    ),
}  # fmt: skip


@pytest.mark.sampled(8, ci=4)
@pytest.mark.parametrize("kind", [FORWARD, DATA, FILTER])
@pytest.mark.parametrize("name", CASES)
def test_cudnn_is_asked_for_the_same_convolution(name: str, kind: str) -> None:
    function, x_shape, w_shape = CASES[name]
    x, w = (jnp.zeros(shape, jnp.float32) for shape in (x_shape, w_shape))
    y = jnp.zeros(jax.eval_shape(function, x, w).shape, jnp.float32)

    def pulled(a: Any, b: Any) -> Any:
        """The gradient with respect to X, from Y and W, or with respect to W, from X and Y."""
        if kind == DATA:
            return jax.vjp(lambda v: function(v, b), x)[1](a)[0]
        return jax.vjp(lambda v: function(a, v), w)[1](b)[0]

    operands = {FORWARD: (x, w), DATA: (y, w), FILTER: (x, y)}[kind]
    text = str(jax.jit(function if kind == FORWARD else pulled).lower(*operands).as_text())
    (line,) = (line for line in text.splitlines() if "stablehlo.convolution" in line)
    types = re.findall(r"tensor<[^>]*>", line.rpartition(" : (")[2])
    line = re.sub(r"convolution\(%\w+, %\w+\)", "convolution(%a, %b)", re.sub(r"^ *%\w+ =", "%0 =", line))
    text = f"func.func @main(%a: {types[0]}, %b: {types[1]}) -> {types[2]} {{\n{line}\nreturn %0 : {types[2]}\n}}"
    program = hlo2tiny.load(text, "CPU")
    (op,) = (op for op in program.module.walk() if has(op, Trait.CONVOLUTION))
    spec = spec_of(op)
    assert spec is not None and (spec.groups > 1) == name.startswith("groups")
    random = np.random.default_rng(3)
    given = [random.standard_normal(argument.shape).astype(np.float32) for argument in program.inputs]
    (expected,) = program.numpy(*given)
    np.testing.assert_allclose(cudnn(spec, *given).reshape(expected.shape), expected, rtol=1e-4, atol=1e-4)
    if name in ("more padding after than before", "cropped"):
        assert spec.is_padded


@pytest.mark.parametrize("layout", [NCHW, NHWC])
@pytest.mark.parametrize("features", [3, 8])
def test_a_tensor_is_padded_and_cropped_in_another_form(layout: int, features: int) -> None:
    x = np.arange(2 * features * 4 * 5, dtype=np.float32).reshape(2, 4, 5, features).transpose(0, 3, 1, 2)
    shape, low = (2, features, 6, 3), (0, 0, 1, -2)
    steps = find_steps(shape, layout)
    how = arrangement(shape, steps, x.shape, [n // 4 for n in x.strides], low)
    assert (how.target == 16) == (layout == NHWC and features == 8)
    found = rearranged(x.base, how)
    expected = np.pad(x, ((0, 0), (0, 0), (1, 1), (0, 0)))[..., 2:]
    order = (0, 2, 3, 1) if layout == NHWC else (0, 1, 2, 3)
    np.testing.assert_array_equal(found, expected.transpose(order).reshape(-1))


def test_gradients_of_groups_are_cudnn_s() -> None:
    def gradients(x: jax.Array, w: jax.Array) -> Any:
        function = convolution(window_strides=(2, 2), feature_group_count=2, **LAST)
        return jax.grad(lambda x, w: jnp.sum(function(x, w) ** 2), (0, 1))(x, w)

    shapes = (jax.ShapeDtypeStruct(shape, jnp.float32) for shape in ((4, 64, 64, 64), (3, 3, 32, 32)))
    executable = emitted(str(jax.export.export(jax.jit(gradients))(*shapes).mlir_module()), ["cudnn"])
    assert [(p.kind, p.groups) for p in executable.products] == [(FORWARD, 2), (FILTER, 2), (DATA, 2)]


@pytest.mark.parametrize("dtype", [jnp.bfloat16, jnp.float16], ids=lambda t: jnp.dtype(t).name)
@pytest.mark.parametrize("layout", [("NHWC", "HWIO", "NHWC"), ("NCHW", "OIHW", "NCHW")], ids=str)
def test_narrow_convolutions_and_their_gradients_are_cudnn_s(dtype: Any, layout: tuple[str, str, str]) -> None:
    """No kernel converts anything; they only transpose windows."""
    shapes = [[{"N": 4, "C": 64, "H": 32, "W": 32}[c] for c in layout[0]]]
    shapes += [[{"O": 32, "I": 64, "H": size, "W": size}[c] for c in layout[1]] for size in (3, 1)]

    def gradients(x: jax.Array, w: jax.Array, one: jax.Array, ct: jax.Array) -> Any:
        function = convolution(window_strides=(2, 2), dimension_numbers=layout)
        return jax.vjp(function, x, w)[1](ct), convolution(dimension_numbers=layout)(x, one)

    ct = [{"N": 4, "C": 32, "H": 16, "W": 16}[c] for c in layout[0]]
    arguments = (jax.ShapeDtypeStruct(shape, dtype) for shape in (*shapes, ct))
    executable = emitted(str(jax.export.export(jax.jit(gradients))(*arguments).mlir_module()), ["cudnn", "cublasLt"])
    element = "bf16" if dtype == jnp.bfloat16 else "f16"
    narrow = [spec for spec in executable.products if getattr(spec, "element", "") == element]
    assert {spec.kind for spec in narrow if isinstance(spec, ConvolutionSpec)} >= {FILTER, DATA}
    assert all(getattr(spec, "element", "") == element or spec.narrow == element for spec in executable.products)
    assert {p.type for kernel in executable.kernels for p in kernel.parameters} <= {"unsigned short*"}


@pytest.mark.parametrize("dtype", [jnp.float32, jnp.bfloat16], ids=lambda t: jnp.dtype(t).name)
@pytest.mark.parametrize("rank", [1, 2, 3])
def test_convolutions_to_one_feature_are_cudnn_s(rank: int, dtype: Any) -> None:
    """Such as the gradient with respect to an image of one feature; only products of windows of 1 are kernels."""
    letters = "DHW"[-rank:]
    how = {"dimension_numbers": (f"N{letters}C", f"{letters}IO", f"N{letters}C"), "window_strides": (1,) * rank}
    shapes = ((4, *[17] * rank, 20), (*[5] * rank, 1, 20))

    def pulled(ct: jax.Array, w: jax.Array) -> jax.Array:
        x = jnp.zeros((*ct.shape[:-1], 1), ct.dtype)
        return jax.vjp(lambda x: convolution(**how)(x, w), x)[1](ct)[0]

    arguments = [jax.ShapeDtypeStruct(shape, dtype) for shape in shapes]
    executable = emitted(str(jax.export.export(jax.jit(pulled))(*arguments).mlir_module()), ["cudnn", "cublasLt"])
    (spec,) = executable.products
    assert isinstance(spec, ConvolutionSpec) and 1 in spec.w[0]


@pytest.mark.parametrize("padding", ["SAME", "VALID"])
@pytest.mark.parametrize(
    ("layout", "x", "w", "stride", "dilation"),
    [
        (("NHWC", "HWIO", "NHWC"), (2, 12, 12, 16), (2, 2, 16, 24), 2, 1),
        (("NHWC", "HWIO", "NHWC"), (2, 7, 8, 16), (4, 5, 16, 24), 2, 1),
        (("NCHW", "OIHW", "NCHW"), (3, 16, 9, 8), (24, 16, 3, 3), 3, 2),
        (("NWC", "WIO", "NWC"), (3, 50, 16), (8, 16, 24), 4, 1),
        (("NDHWC", "DHWIO", "NDHWC"), (2, 4, 5, 4, 16), (2, 2, 2, 16, 24), 2, 1),
    ],
)
def test_gradients_of_transposed_kernels_have_small_windows(
    layout: tuple[str, str, str], x: tuple[int, ...], w: tuple[int, ...], stride: int, dilation: int, padding: str
) -> None:
    """Those of an image, padded by as much, are slow, and in three dimensions cuDNN computes them wrongly."""

    def loss(x: jax.Array, w: jax.Array) -> jax.Array:
        strides, dilations = (stride,) * (len(x.shape) - 2), (dilation,) * (len(x.shape) - 2)
        y = lax.conv_transpose(x, w, strides, padding, rhs_dilation=dilations, dimension_numbers=layout)
        return (y * (jnp.arange(y.size).reshape(y.shape) % 5)).sum()

    random = np.random.default_rng(1)
    arrays = [random.integers(-2, 3, shape).astype(np.float32) for shape in (x, w)]
    gradient = jax.jit(jax.grad(loss, 1), keep_unused=True)
    text = str(jax.export.export(gradient)(*arrays).mlir_module())
    specs = [spec for spec in emitted(text, ["cudnn"]).products if isinstance(spec, ConvolutionSpec)]
    assert all(prod(spec.w[0]) == prod(w) for spec in specs) and [spec.kind for spec in specs] == [FILTER]
    found = TINYGRAD.compile(plan_of(text), "CPU", {}).run_numpy(arrays)[0]
    np.testing.assert_array_equal(found, np.asarray(gradient(*arrays)))
