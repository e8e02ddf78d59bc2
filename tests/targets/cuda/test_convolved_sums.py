"""Convolutions of few features in kernels with what reads them, and how often kernels add up windows."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from emulation import Emulator
from jax import lax
from test_emulation import emulator
from test_executable import emitted, plan_of
from test_shared_reductions import text_of

from hlo2tiny.plan.problem import is_kernel
from hlo2tiny.targets.cuda.convolutions import DATA, FILTER, FORWARD, ConvolutionSpec
from hlo2tiny.targets.cuda.native import executable_of
from hlo2tiny.targets.cuda.products import ProductSpec

Call = Callable[..., Any]
LIBRARIES = ("cudnn", "cublasLt")


def convolve(x: Any, w: Any, stride: int = 1, padding: str = "SAME", last: bool = False, **more: Any) -> jax.Array:
    spatial = "DHW"[-(len(x.shape) - 2) :]
    layout = (f"N{spatial}C", f"{spatial}IO") if last else (f"NC{spatial}", f"OI{spatial}")
    numbers = (*layout, layout[0])
    return lax.conv_general_dilated(x, w, (stride,) * len(spatial), padding, dimension_numbers=numbers, **more)


def normalise(x: jax.Array) -> jax.Array:
    return (x - x.mean((0, 2, 3), keepdims=True)) * lax.rsqrt(x.var((0, 2, 3), keepdims=True) + 1e-5)


@pytest.mark.parametrize("dtype", [jnp.float32, jnp.bfloat16, jnp.float16], ids=lambda t: jnp.dtype(t).name)
@pytest.mark.parametrize(
    ("x", "w", "options"),
    [
        ((2, 1, 301), (64, 1, 10), {"stride": 5, "padding": "VALID"}),
        ((2, 300, 2), (8, 2, 40), {"stride": 3, "last": True}),
        ((2, 3, 21, 19), (8, 3, 3, 3), {}),
        ((2, 21, 19, 4), (2, 2, 4, 24), {"stride": 2, "last": True}),
        ((1, 2, 9, 8, 7), (24, 2, 2, 2, 2), {}),
    ],
    ids=lambda value: "x".join(map(str, value)) if isinstance(value, tuple) else "",
)  # fmt: skip
@pytest.mark.sampled(3)
def test_what_reads_each_element_is_in_the_kernel(
    x: tuple[int, ...], w: tuple[int, ...], options: dict[str, Any], dtype: Any, tmp_path: Path
) -> None:
    """And what the convolution reads is computed before, once."""

    def call(x: jax.Array, w: jax.Array) -> jax.Array:
        y = convolve(jnp.sin(x), w, **options)
        return jax.nn.relu(y) * y + 1

    random = np.random.default_rng(0)
    arrays = [random.standard_normal(shape, np.float32).astype(dtype) for shape in (x, w)]
    executable, run = emulator(text_of(call, *arrays), tmp_path)
    (found,), expected = run(arrays), np.asarray(jax.jit(call)(*arrays)).astype(np.float32)
    assert len(executable.kernels) == 2, [kernel.name for kernel in executable.kernels]
    error = np.abs(found.astype(np.float32) - expected).max()
    assert error <= 8 * float(jnp.finfo(dtype).eps) * np.abs(expected).max()


@pytest.mark.parametrize(
    ("after", "count"),
    [
        (lambda y: y, 1), (lambda y: jax.nn.gelu(y), 1), (lambda y: (y**2).sum((2, 3)), 2),
        (lambda y: jnp.roll(y, 1, 2) - y, 2), (lambda y: jnp.stack([y, -y]), 2),
        (lambda y: jax.nn.relu(y).mean(1), 2),
    ],
)  # fmt: skip
def test_others_read_what_is_stored(after: Call, count: int) -> None:
    """So threads compute neighbours, several each, and none adds up a window that another one does."""
    given = np.zeros((8, 1, 128, 128), np.float32), np.zeros((64, 1, 3, 3), np.float32)
    executable = emitted(text_of(lambda x, w: after(convolve(x, w)), *given), libraries=LIBRARIES)
    first, *others = executable.kernels
    assert len(executable.kernels) == count and not executable.products
    assert first.bytes > 2 * sum(kernel.bytes for kernel in others) / 3 and first.name.endswith("_8_2_3_3")


@pytest.mark.parametrize(("window", "reads"), [((3, 3), 1), ((1, 3), 3)])
def test_windows_are_added_up_once_for_a_norm(window: tuple[int, int], reads: int) -> None:
    given = np.zeros((8, 32, 64, 64), np.float32), np.zeros((32, 1, *window), np.float32)
    call = lambda x, w: normalise(convolve(x, w, feature_group_count=32))
    kernels = emitted(text_of(call, *given), libraries=LIBRARIES).kernels
    adding = [k for k in kernels if k.flops >= given[0].size * (2 * window[0] * window[1] - 1)]
    assert len(adding) == reads, [(k.name, k.flops) for k in kernels]


@pytest.mark.parametrize("dtype", ["float32", "bfloat16"])
@pytest.mark.parametrize("last", [False, True])
@pytest.mark.parametrize("window", [5, 7])
def test_depthwise_windows_are_added_up_with_what_reads_them(window: int, last: bool, dtype: str) -> None:
    """What they read is computed before, once; and a norm reads what is stored in the type of the results."""
    x, w = ((4, 64, 64, 32), (window, window, 1, 32)) if last else ((4, 32, 64, 64), (32, 1, window, window))
    given = [np.zeros(shape, dtype) for shape in (x, w, (32,) if last else (32, 1, 1))]
    summed = lambda x, w: convolve(jax.nn.gelu(x), w, last=last, feature_group_count=32)
    call = lambda x, w, bias: jax.nn.gelu(summed(x, w) + bias)
    kernels = emitted(text_of(call, *given), libraries=LIBRARIES).kernels
    assert len(kernels) == 2 and sum(k.flops for k in kernels) < (2 * window**2 + 170) * given[0].size
    norm = lambda x, w: (y := summed(x, w)) - y.mean((1, 2) if last else (2, 3), keepdims=True)
    kernels = emitted(text_of(norm, *given[:2]), libraries=LIBRARIES).kernels
    _, *others = sorted(kernels, key=lambda k: -k.name.endswith(f"_{window}_{window}"))
    assert sum(k.bytes for k in others) < 6.5 * given[0].nbytes, kernels


@pytest.mark.parametrize("dtype", ["float32", "bfloat16"])
@pytest.mark.parametrize("window", [1, 3])
def test_gradients_of_kernels_read_operands_where_they_lie(window: int, dtype: str) -> None:
    given = [np.zeros((4, features, 32, 32), dtype) for features in (64, 128)]
    w = jnp.zeros((128, 64, window, window), dtype)
    call = lambda x, y: jax.vjp(lambda w: convolve(x, w), w)[1](y)[0]
    executable = emitted(text_of(call, *given), libraries=LIBRARIES)
    (spec,), most = executable.products, max([0, *(kernel.bytes for kernel in executable.kernels)])
    if window == 3:
        assert isinstance(spec, ConvolutionSpec) and spec.kind == FILTER
    else:
        assert isinstance(spec, ProductSpec) and (spec.batch, spec.k) == ((4,), 1024)
    assert most < given[0].nbytes


@pytest.mark.parametrize("dtype", [jnp.float32, jnp.bfloat16, jnp.float16], ids=lambda t: jnp.dtype(t).name)
@pytest.mark.parametrize("features", [(24, 40), (18, 17)], ids=str)
def test_products_of_each_of_a_batch(features: tuple[int, int], dtype: Any, tmp_path: Path) -> None:
    """A convolution with a bias and the gradients of its operands, as cuBLASLt and kernels compute them."""

    def call(x: jax.Array, w: jax.Array, bias: jax.Array, y: jax.Array) -> Any:
        result, pull = jax.vjp(convolve, x, w)
        return jax.nn.relu(result + bias[:, None, None]), *pull(y)

    random, (inputs, outputs) = np.random.default_rng(0), features
    shapes = (3, inputs, 8, 16), (outputs, inputs, 1, 1), (outputs,), (3, outputs, 8, 16)
    arrays = [random.standard_normal(shape, np.float32).astype(dtype) for shape in shapes]
    plan = plan_of(text_of(call, *arrays))
    executable = executable_of(plan, "CUDA", "sm_90", {"cublasLt"}, lambda done, total: None)
    assert [spec.batch for spec in executable.products if isinstance(spec, ProductSpec)] == [(3,)] * 3
    for found, wanted in zip(Emulator(plan, executable, tmp_path)(arrays), jax.jit(call)(*arrays), strict=True):
        expected = np.asarray(wanted).astype(np.float32)
        error = np.abs(found.astype(np.float32) - expected).max()
        assert error <= 16 * float(jnp.finfo(dtype).eps) * np.abs(expected).max()


def test_products_are_as_exact_as_convolutions() -> None:
    given = np.zeros((4, 64, 32, 32), np.float32), np.zeros((32, 64, 1, 1), np.float32)
    for precision in (lax.Precision.DEFAULT, lax.Precision.HIGHEST):
        call = lambda x, w, p=precision: convolve(x, w, precision=p)
        (spec,) = emitted(text_of(call, *given), libraries=LIBRARIES).products
        assert isinstance(spec, ProductSpec) and spec.exact is (precision == lax.Precision.HIGHEST)


def test_which_convolutions_are_kernels() -> None:
    """Of one feature, windows of up to 5x5 are, however many features there are then: in cuDNN they take three times as
    long on an H200."""
    assert is_kernel(1, 64, 25) and not is_kernel(1, 64, 49) and is_kernel(1, 8, 49)
    assert is_kernel(2, 64, 8) and not is_kernel(3, 64, 9) and is_kernel(8, 8, 9) and not is_kernel(16, 1, 9)
    assert (
        is_kernel(7, 32, 9, True)
        and not is_kernel(7, 32, 9)
        and not is_kernel(7, 129, 9, True)
        and is_kernel(8, 16, 9, True)
    )


class Grouped(NamedTuple):
    """A convolution in groups, of so many features to others in each."""

    groups: int
    inputs: int
    outputs: int
    window: tuple[int, ...]
    stride: int = 1
    dilation: int = 1

    def __call__(self, x: Any, w: Any, last: bool) -> jax.Array:
        dilations = (self.dilation,) * len(self.window)
        return convolve(x, w, self.stride, last=last, rhs_dilation=dilations, feature_group_count=self.groups)

    def function(self, kind: str, last: bool, dtype: Any, size: int, batch: int = 2) -> tuple[Call, list[Any]]:
        """It or a gradient of it, and the shapes of what this reads."""
        sizes, read, after = [size] * len(self.window), self.inputs * self.groups, self.outputs * self.groups
        x = (batch, *sizes, read) if last else (batch, read, *sizes)
        w = (*self.window, self.inputs, after) if last else (after, self.inputs, *self.window)
        given = [jax.ShapeDtypeStruct(shape, dtype) for shape in (x, w)]
        call = lambda x, w: self(x, w, last)
        y = jax.eval_shape(call, *given)
        if kind == DATA:
            return lambda y, w: jax.linear_transpose(lambda x: call(x, w), given[0])(y)[0], [y, given[1]]
        if kind == FILTER:
            return lambda x, y: jax.linear_transpose(lambda w: call(x, w), given[1])(y)[0], [given[0], y]
        return call, given


def name_of(call: Grouped) -> str:
    window = "x".join(map(str, call.window))
    return f"{call.groups} of {call.inputs} to {call.outputs} by {window} steps {call.stride} dilation {call.dilation}"


@pytest.mark.parametrize("dtype", [jnp.float32, jnp.bfloat16, jnp.float16], ids=lambda t: jnp.dtype(t).name)
@pytest.mark.parametrize("last", [False, True])
@pytest.mark.parametrize(
    ("call", "libraries"),
    [
        (Grouped(2, 7, 32, (3, 3)), [FILTER]), (Grouped(2, 32, 7, (3, 3), dilation=2), [FILTER]),
        (Grouped(3, 12, 20, (5, 5), stride=2), [FILTER]), (Grouped(2, 3, 16, (7, 7)), [FILTER]),
        (Grouped(8, 4, 4, (3, 3)), [FILTER]), (Grouped(4, 6, 10, (3, 3, 3)), [FILTER]),
        (Grouped(4, 5, 16, (9,), stride=2), [FILTER]), (Grouped(8, 8, 8, (7,)), [FILTER]),
        (Grouped(3, 12, 20, (3, 3), stride=3), [DATA, FILTER]),  # a kernel multiplies nine times as many numbers
        (Grouped(4, 8, 16, (3, 3, 3)), [FILTER]), (Grouped(4, 8, 8, (5, 5)), [FILTER]),
        (Grouped(2, 12, 64, (3, 3), stride=2), [FILTER]), (Grouped(4, 8, 40, (3, 3)), [FORWARD, FORWARD, FILTER]),
        (Grouped(2, 16, 16, (3, 3)), [FORWARD, FORWARD, FILTER]),
        (Grouped(2, 18, 20, (3,)), [FORWARD, FORWARD, FILTER]),
        (Grouped(2, 12, 160, (3, 3), stride=2), [FORWARD, DATA, FILTER]),
        (Grouped(1, 7, 32, (3, 3)), [FORWARD, FORWARD, FILTER]),
    ],
    ids=lambda value: name_of(value) if isinstance(value, Grouped) else "".join(each[0] for each in value),
)  # fmt: skip
@pytest.mark.sampled(8)
def test_groups_of_few_features_are_kernels(call: Grouped, libraries: list[str], last: bool, dtype: Any) -> None:
    """So are gradients with respect to what is read, which are convolutions, too; others are cuDNN's."""
    found, size = list[str](), {1: 4096, 2: 64, 3: 32}[len(call.window)]
    for kind in (FORWARD, DATA, FILTER):
        function, given = call.function(kind, last, dtype, size)
        executable = emitted(text_of(function, *given), libraries=LIBRARIES)
        found += [spec.kind for spec in executable.products if isinstance(spec, ConvolutionSpec)]
        if kind == FORWARD and FORWARD not in libraries:
            function = lambda x, w: jax.nn.relu(call(x, w, last) * 2 - 1)
            assert len(emitted(text_of(function, *given), libraries=LIBRARIES).kernels) == 1
    assert found == libraries


@pytest.mark.parametrize("dtype", [jnp.float32, jnp.bfloat16, jnp.float16], ids=lambda t: jnp.dtype(t).name)
@pytest.mark.parametrize("last", [False, True])
@pytest.mark.parametrize("kind", [FORWARD, DATA])
@pytest.mark.parametrize(
    ("call", "size"),
    [
        (Grouped(2, 7, 32, (3, 3)), 17), (Grouped(3, 12, 20, (5, 5), stride=2), 15), (Grouped(2, 5, 9, (7,)), 401),
        (Grouped(2, 3, 10, (3, 3, 3), dilation=2), 9),
    ],
    ids=lambda value: name_of(value) if isinstance(value, Grouped) else str(value),
)  # fmt: skip
@pytest.mark.sampled(4)
def test_numbers_of_groups(call: Grouped, size: int, kind: str, last: bool, dtype: Any, tmp_path: Path) -> None:
    function, given = call.function(kind, last, dtype, size)
    random = np.random.default_rng(0)
    arrays = [random.standard_normal(each.shape, np.float32).astype(dtype) for each in given]
    plan = plan_of(text_of(function, *arrays))
    executable = executable_of(plan, "CUDA", "sm_90", {*LIBRARIES}, lambda done, total: None)
    assert not executable.products
    (found,) = Emulator(plan, executable, tmp_path)(arrays)
    exact, _ = call.function(kind, last, jnp.float32, size)
    expected = np.asarray(jax.jit(exact)(*(a.astype(np.float32) for a in arrays)))
    error = np.abs(found.astype(np.float32) - expected).max()
    # Sums are of f32, and rounded once.
    rounding = float(jnp.finfo(dtype).eps) + 16 * float(jnp.finfo(jnp.float32).eps)
    assert error <= rounding * np.abs(expected).max()
