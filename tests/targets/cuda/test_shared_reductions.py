"""Reductions of any shape on CUDA: how threads share them, and that they compute what programs say."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from math import prod
from pathlib import Path

import jax
import jax.numpy as jnp
import ml_dtypes
import numpy as np
import pytest
from jax import lax
from test_emulation import emulator
from test_executable import emitted

from hlo2tiny.targets.cuda.kernels import WARP, CudaKernel
from hlo2tiny.tinygrad.expressions import Tensor
from hlo2tiny.tinygrad.loops import without_repetition

DTYPES = [np.float32, np.float64, ml_dtypes.bfloat16, np.float16, np.int32, np.int64, np.uint8]


def text_of(function: Callable[..., object], *arrays: np.ndarray) -> str:
    with jax.enable_x64(True):
        return str(jax.export.export(jax.jit(function))(*arrays).mlir_module())


def check(
    function: Callable[..., object], folder: Path, *arrays: np.ndarray, in_doubles: bool = False
) -> list[CudaKernel]:
    """Run a function in the emulator, compare it with XLA, or with XLA's results of doubles, and return the kernels."""
    with jax.enable_x64(True):
        given = [x.astype(np.float64) for x in arrays] if in_doubles else arrays
        expected = jax.tree.leaves(jax.jit(function)(*given))
        if in_doubles:
            types = jax.tree.leaves(jax.eval_shape(function, *arrays))
            expected = [x.astype(type.dtype) for x, type in zip(expected, types, strict=True)]
    executable, run = emulator(text_of(function, *arrays), folder)
    for found, wanted in zip(run(list(arrays)), map(np.asarray, expected), strict=True):
        assert found.dtype == wanted.dtype
        np.testing.assert_array_equal(found, wanted)
    return list(executable.kernels)


def draw(random: np.random.Generator, shape: Sequence[int], dtype: type) -> np.ndarray:
    """Integers, whose sums are exact in every order."""
    return random.integers(0, 3, shape).astype(dtype)


def apart(x: jax.Array, y: jax.Array) -> jax.Array:
    return jnp.maximum(x, y) - jnp.minimum(x, y)


PAIRS: dict[str, tuple[Callable[..., jax.Array], Sequence[int], Sequence[int]]] = {
    "rows": (lambda x, y: apart(x[:, None], y).sum(-1), (257, 300), (270, 300)),
    "few columns": (lambda x, y: apart(x[:, None], y).max(-1), (4100, 130), (7, 130)),
    "another sum": (lambda x, y: (apart(x[:, None], y) ** 2).sum(-1) + x.sum(-1)[:, None], (520, 66), (515, 66)),
    "columns": (lambda x, y: apart(x[:, :, None], y[:, None]).sum(0), (40, 513), (40, 270)),
    "rows by columns": (lambda x, y: apart(x[:, :, None], y).sum(1), (300, 70), (70, 277)),
    "two loops": (lambda x, y: apart(x[:, None, :, None], y[None, :, None]).sum((2, 3)), (260, 20), (270, 21)),
    "three": (lambda x, y: (apart(x[:, None, None], y) + jnp.arange(3)[:, None, None]).sum(-1), (150, 65), (170, 65)),
}


@pytest.mark.parametrize("case", PAIRS)
@pytest.mark.parametrize("dtype", DTYPES, ids=lambda t: np.dtype(t).name)
@pytest.mark.sampled(49, ci=7)
def test_threads_compute_tiles_of_sums_of_pairs(case: str, dtype: type, tmp_path: Path) -> None:
    """Each element that they read serves several results. (On CPUs, XLA adds up bf16 columns wrongly, jax 0.12.)"""
    function, *shapes = PAIRS[case]
    arrays = [draw(np.random.default_rng(3), shape, dtype) for shape in shapes]
    kernels = check(function, tmp_path, *arrays, in_doubles=True)
    assert any("all_buf0" in kernel.body for kernel in kernels), [kernel.name for kernel in kernels]


def several_sums(*xs: jax.Array) -> list[jax.Array]:
    """Sums of which one needs another, over neighbouring dimensions and apart."""
    total = sum(jnp.sum(x.astype(jnp.float32) ** 2, (1, 2)) for x in xs)
    turned = jnp.sum(xs[0].astype(jnp.float32).swapaxes(1, 2) * xs[1].astype(jnp.float32)[:, :1, :1], (1, 2))
    return [total + turned, jnp.sum(xs[1].astype(jnp.float32) - total[:, None, None], (1, 2))]


@pytest.mark.parametrize(
    "shape, axis, width", [((3, 140_001), 0, 256), ((3, 3, 60_000, 1), 1, 256), ((3_000, 40, 90), 1, 96)]
)
def test_a_block_has_many_columns_if_a_thread_has_one(
    shape: tuple[int, ...], axis: int, width: int, tmp_path: Path
) -> None:
    """A GPU runs at most 32 blocks on a processor at once, so blocks of 32 threads would leave half of it idle."""
    x = draw(np.random.default_rng(2), shape, np.int32)
    (kernel,) = check(lambda x: jnp.sum(x, axis, dtype=jnp.int32), tmp_path, x)
    assert kernel.block == (width, 1, 1)


@pytest.mark.parametrize("dtype", DTYPES, ids=lambda t: np.dtype(t).name)
@pytest.mark.sampled(8, ci=4)
def test_several_sums_of_a_kernel_are_shared(dtype: type, tmp_path: Path) -> None:
    random = np.random.default_rng(0)
    arrays = [draw(random, shape, dtype) for shape in ((5, 33, 33), (5, 33, 33), (5, 3, 77))]
    kernels = check(several_sums, tmp_path, *arrays)
    assert all(k.block[0] >= 32 for k in kernels if k.name.startswith("r_")), [(k.name, k.block) for k in kernels]


def test_the_loops_of_a_reduction_share_a_block_s_threads(tmp_path: Path) -> None:
    """The inner loop is too short for all of them."""
    x, s = (draw(np.random.default_rng(1), shape, np.float32) for shape in ((4, 77, 77), (4, 77)))
    kernels = check(lambda x, s: jnp.sum(x * s[:, None] * s[:, :, None], (1, 2)), tmp_path, x, s)
    (kernel,) = (k for k in kernels if "combine_lanes" in k.body)
    assert kernel.block[0] * kernel.block[1] >= 256 and "threadIdx.x / " in kernel.body


# Few results or many, of the last dimensions, the first ones or those between.
SHAPES = [
    ((3000, 40), (0,)), ((2100, 9), (0,)), ((1031, 8), (0,)), ((6, 1500, 33), (1,)), ((40, 30, 64), (0, 1)),
    ((2, 1100, 3, 10), (1, 2)), ((3, 5, 70, 2), (1, 3)), ((70000,), (0,)), ((2, 70001), (1,)), ((200, 7), (1,)),
    ((5, 4, 3, 2), (0, 2)), ((1, 5000, 1), (1,)), ((2100, 1, 40), (0, 1)),
]  # fmt: skip


@pytest.mark.parametrize("shape, axes", SHAPES, ids=str)
@pytest.mark.sampled(8, ci=4)
def test_sums_of_any_shape(shape: tuple[int, ...], axes: tuple[int, ...], tmp_path: Path) -> None:
    x = draw(np.random.default_rng(2), shape, np.int32)
    check(lambda x: (jnp.sum(x, axes), jnp.max(x, axes), jnp.min(x - 5, axes)), tmp_path, x)


@pytest.mark.parametrize("shape, axes", [((60000, 32), (0,)), ((16384, 1024), (0,)), ((8, 5000, 3, 40), (1, 2))])
def test_a_long_reduction_with_few_columns_occupies_the_chip(shape: tuple[int, ...], axes: tuple[int, ...]) -> None:
    executable = emitted(text_of(lambda x: jnp.sum(x, axes), np.zeros(shape, np.float32)))
    first, last = executable.kernels
    assert np.prod(first.grid) >= 100 and "combine_columns" in first.body and "combine_columns" in last.body


@pytest.mark.parametrize("rows, columns", [(8192, 128), (128, 8192)])
def test_results_of_few_terms_are_written_beside_each_other(rows: int, columns: int, tmp_path: Path) -> None:
    random = np.random.default_rng(3)
    x, y = draw(random, (8, rows), np.int32), draw(random, (8, columns), np.int32)
    (kernel,) = check(lambda x, y: jnp.einsum("ki,kj->ij", x, y), tmp_path, x, y)
    assert kernel.grid[0] * kernel.block[0] * 4 == columns


@pytest.mark.parametrize("sizes", [(1024, 3, 2113), (128, 128, 512), (3, 1000, 1500), (200, 30, 1000)])
@pytest.mark.parametrize("dtype", [np.float32, np.int32, ml_dtypes.float8_e4m3fn])
def test_few_sums_of_pairs_occupy_the_chip(sizes: tuple[int, int, int], dtype: type) -> None:
    """Distances, and products that no library computes: threads with a dozen results each would be a block or two."""
    rows, others, terms = sizes
    arrays = np.zeros((rows, terms), dtype), np.zeros((others, terms), dtype)
    for function in (
        lambda x, y: jnp.abs(x[:, None].astype(jnp.float32) - y[None].astype(jnp.float32)).sum(-1),
        lambda x, y: (
            jnp.matmul(x, y.T, preferred_element_type=jnp.int32) if dtype is np.int32 else (x[:, None] - y).max(-1)
        ),
    ):
        (kernel,) = emitted(text_of(function, *arrays)).kernels
        assert math.prod((*kernel.grid, *kernel.block)) >= min(8 * rows * others, 1 << 16)


@pytest.mark.parametrize(
    "shape, axis", [((70, 300), 1), ((300, 70), 0), ((3, 200, 5), 1), ((66_001,), 0), ((40, 6), 0), ((70, 1000), 1)]
)
@pytest.mark.parametrize("dtype", [np.float32, np.float16, np.int32, np.float64], ids=lambda t: np.dtype(t).name)
@pytest.mark.sampled(8, ci=4)
def test_argmax_along_any_dimension(shape: tuple[int, ...], axis: int, dtype: type, tmp_path: Path) -> None:
    x = np.random.default_rng(3).integers(0, 40, shape).astype(dtype)
    if np.dtype(dtype).kind == "f":
        x.reshape(-1)[[7, 9]] = np.nan
    check(lambda x: (jnp.argmax(x, axis), jnp.argmin(x, axis)), tmp_path, x)


@pytest.mark.parametrize("axes", [(0,), (1,), (2,), (0, 1), (0, 2), (1, 2), (0, 1, 2)], ids=str)
@pytest.mark.sampled(2)
def test_the_order_of_elements_stays_along_any_dimensions(axes: tuple[int, ...], tmp_path: Path) -> None:
    """Functions x ↦ a·x + b, one after the other, modulo 2³²: associative, but not commutative."""
    random = np.random.default_rng(5)
    x = [random.integers(-9, 9, (70, 3, 68)).astype(np.int32) for _ in "ab"]

    def follow(f: tuple[jax.Array, ...], g: tuple[jax.Array, ...]) -> tuple[jax.Array, ...]:
        return f[0] * g[0], f[1] * g[0] + g[1]

    text = text_of(lambda *x: lax.reduce(x, (np.int32(1), np.int32(0)), follow, axes), *x)
    a, b = (np.moveaxis(y, axes, range(len(axes))).reshape(-1, *np.delete(y.shape, axes)) for y in x)
    expected = np.ones_like(a[0]), np.zeros_like(a[0])
    for factor, term in zip(a, b):
        expected = expected[0] * factor, expected[1] * factor + term
    for found, wanted in zip(emulator(text, tmp_path)[1](x), expected, strict=True):
        np.testing.assert_array_equal(found, wanted)


@pytest.mark.parametrize("shape", [(2, 40_007), (3, 11, 2100)], ids=str)
def test_the_order_of_elements_stays_in_tiles(shape: tuple[int, ...], tmp_path: Path) -> None:
    x = np.random.default_rng(8).integers(-9, 9, shape).astype(np.int32)

    def last(f: tuple[jax.Array, ...], g: tuple[jax.Array, ...]) -> tuple[jax.Array, ...]:
        """The last one that is not 0, and how many there are."""
        return jnp.where(g[0] != 0, g[0], f[0]), f[1] + g[1]

    def call(x: jax.Array) -> tuple[jax.Array, ...]:
        return lax.reduce((x % 5, (x != 0).astype(jnp.int64)), (np.int32(0), np.int64(0)), last, (x.ndim - 1,))

    kernels = check(call, tmp_path, x)
    assert any(kernel.name == "fold_tiles" for kernel in kernels)


def written_out(x: jax.Array) -> tuple[jax.Array, ...]:
    """The indices are computed from an iota, and have two types."""

    def body(a: tuple[jax.Array, ...], b: tuple[jax.Array, ...]) -> tuple[jax.Array, ...]:
        first = (a[0] > b[0]) | ((a[0] == b[0]) & (a[1] < b[1]))
        return tuple(jnp.where(first, *pair) for pair in zip(a, b))

    places = 2 * lax.broadcasted_iota(jnp.int32, x.shape, x.ndim - 2).astype(jnp.int64) + 1
    more = jnp.broadcast_to(jnp.arange(x.shape[-1], dtype=jnp.float32) * 2, x.shape)
    return lax.reduce((x, places, more), (np.int32(-1), np.int64(9), np.float32(0)), body, (0, x.ndim - 2))


def test_what_repeats_is_not_written_for_a_reduction(tmp_path: Path) -> None:
    x = np.random.default_rng(4).integers(0, 30, (5, 66, 7)).astype(np.int32)
    assert [k.name for k in check(written_out, tmp_path, x)].count("fold_parts") >= 1
    executable = emitted(text_of(written_out, np.zeros((50, 660, 70), np.int32)))
    elementwise = [k for k in executable.kernels if k.name.startswith("E")]
    assert elementwise and all(np.prod(k.grid) * np.prod(k.block) <= 2048 for k in elementwise)


def test_a_tensor_without_its_repetition() -> None:
    line, x = Tensor.arange(6), Tensor.empty(4, 6)
    for whole, shape in (
        (line.reshape(1, 6).expand(4, 6), (1, 6)),
        (line.reshape(6, 1).expand(6, 4).permute(1, 0), (1, 6)),
        (line.reshape(6, 1).expand(6, 4) * 2 + 1, (6, 1)),
        (line.reshape(6, 1).expand(6, 4) + Tensor.arange(4), (6, 4)),
        (line.reshape(1, 2, 3).expand(5, 2, 3).reshape(5, 6), (5, 6)),
        (x, (4, 6)),
        (x.reshape(4, 1, 6).expand(4, 3, 6).cast("int"), (4, 1, 6)),
        (Tensor(3).reshape(1, 1).expand(2, 3), (1, 1)),
    ):
        assert without_repetition(whole).shape == shape


@pytest.mark.parametrize("count", [3000, 200_000])
def test_a_single_result_is_computed_once_for_all_that_read_it(count: int, tmp_path: Path) -> None:
    x = draw(np.random.default_rng(6), (count,), np.int32)
    kernels = check(lambda x: (x - jnp.sum(x), jnp.max(x)), tmp_path, x)
    assert all(k.name.count("_") == 1 or k.name == f"r_1024_{-(-count // 1024)}" for k in kernels if "+" not in k.name)
    assert sum(k.flops for k in kernels) < 40 * count


@pytest.mark.sampled(3)
@pytest.mark.parametrize("features", [64, 40, 7])
def test_gradients_of_depthwise_convolutions_read_neighbouring_features(features: int, tmp_path: Path) -> None:
    """The features are quotients of what tinygrad numbers blocks by."""
    random = np.random.default_rng(7)
    x, w = (draw(random, shape, np.float32) for shape in ((1, 4, 4, 4, features), (3, 3, 3, 1, features)))

    def gradient(x: jax.Array, w: jax.Array) -> jax.Array:
        def call(w: jax.Array) -> jax.Array:
            numbers = ("NDHWC", "DHWIO", "NDHWC")
            return lax.conv_general_dilated(
                x, w, (1, 1, 1), "SAME", dimension_numbers=numbers, feature_group_count=features
            )

        return jax.grad(lambda w: jnp.sum(call(w) ** 2))(w)

    kernels = check(gradient, tmp_path, x, w)
    if features > 7:
        assert any("combine_columns" in k.body or "is_column" in k.body for k in kernels)


@pytest.mark.sampled(4, ci=2)
@pytest.mark.parametrize("dtype", [np.float32, np.float16, np.uint8], ids=lambda t: np.dtype(t).name)
@pytest.mark.parametrize("shape", [(70_000,), (1, 3000), (2100, 3)], ids=str)
def test_places_are_computed_where_elements_are_folded(shape: tuple[int, ...], dtype: type, tmp_path: Path) -> None:
    """There are more indices than some types have numbers."""
    x = np.random.default_rng(9).integers(0, 250, shape).astype(dtype)
    kernels = check(lambda x: (jnp.argmax(x), jnp.argmax(x, -1), jnp.argmin(x, 0)), tmp_path, x)
    assert not any(k.name.startswith("E") and np.prod(k.grid) * np.prod(k.block) >= x.size // 2 for k in kernels)


def test_a_conditional_sum_of_computed_numbers_is_shared() -> None:
    """No number of parts divides the 1,655,249 numbers."""
    executable = emitted(
        text_of(lambda key: jnp.sum(jax.random.uniform(key, (1_655_249,), "float32")), np.zeros(2, "uint32"))
    )
    assert all(k.grid[0] * k.block[0] >= 1 << 18 for k in executable.kernels if k.flops >= 1 << 20)


def norm_of(x: jax.Array, scale: jax.Array) -> jax.Array:
    """Sums of integers are exact in each order, and so are the quotients."""
    mean = jnp.floor(jnp.mean(x.astype(jnp.float32), -1, keepdims=True))
    most = jnp.max(jnp.abs(x.astype(jnp.float32) - mean), -1, keepdims=True)
    return (x.astype(jnp.float32) - mean) * 2 ** jnp.floor(most).astype(jnp.float32) * scale.astype(jnp.float32)


@pytest.mark.parametrize("width", [1, 2, 3, 5, 8, 17, 31, 32, 33, 70, 300])
@pytest.mark.parametrize("dtype", [np.float32, np.float16, ml_dtypes.bfloat16], ids=lambda t: np.dtype(t).name)
@pytest.mark.sampled(12, ci=6)
def test_rows_of_any_length_are_one_kernel(width: int, dtype: type, tmp_path: Path) -> None:
    random = np.random.default_rng(10)
    x, scale = draw(random, (37, 3, width), dtype), draw(random, (width,), dtype)
    kernels = check(norm_of, tmp_path, x, scale)
    assert len(kernels) == 1 or width == 1


@pytest.mark.parametrize("dtype", [np.float64, np.int64, np.float32], ids=lambda t: np.dtype(t).name)
def test_a_thread_reads_a_row_of_two_at_once(dtype: type, tmp_path: Path) -> None:
    x = draw(np.random.default_rng(11), (1 << 17, 2), dtype)
    (kernel,) = check(lambda x: (x.sum(-1), x * x.sum(-1, keepdims=True)), tmp_path, x)
    assert kernel.block[:2] == (1, 256) and ("read_from" in kernel.body) == (dtype in (np.float64, np.int64))


@pytest.mark.parametrize("dtype", [np.float32, np.int32, np.float64], ids=lambda t: np.dtype(t).name)
def test_a_thread_adds_up_the_few_terms_of_a_result(dtype: type, tmp_path: Path) -> None:
    """Of 12 tables, eight weighted rows of two numbers each."""
    random = np.random.default_rng(12)
    weights, rows = draw(random, (12, 2048, 8), dtype), draw(random, (12, 2048, 8, 2), dtype)
    call = lambda w, x: jax.vmap(lambda w, x: jnp.einsum("nc,ncf->nf", w, x), out_axes=1)(w, x)
    (kernel,) = check(call, tmp_path, weights, rows)
    assert "__shared__" not in kernel.body and kernel.block[0] == 256


def test_threads_of_a_warp_share_short_rows() -> None:
    (kernel,) = emitted(text_of(norm_of, np.zeros((300_000, 20, 3), np.float32), np.zeros(3, np.float32))).kernels
    assert kernel.block[:2] == (1, 256) and kernel.grid[0] * 256 >= 6_000_000


# Neighbours of a few different results, from so many elements on that memory is what a sum waits for.
NARROW = [((150001, 7), 0), ((262147, 4), 0), ((2, 200003, 3), 1), ((3, 500, 101, 7), (1, 2)), ((700, 301, 5), 1)]


@pytest.mark.parametrize("shape, axes", NARROW, ids=str)
@pytest.mark.sampled(4, ci=2)
def test_sums_of_narrow_rows_are_read_in_columns(
    shape: tuple[int, ...], axes: int | tuple[int, ...], tmp_path: Path
) -> None:
    """Also where what is added differs by result, whose dimension then is apart from that of the other columns."""
    x = draw(np.random.default_rng(5), shape, np.float32)
    apart = lambda x: jnp.sum((x - jnp.max(x, axes, keepdims=True)) ** 2, axes)
    for number, function in enumerate((lambda x: [jnp.sum(x, axes), jnp.max(x, axes)], apart)):
        (folder := tmp_path / str(number)).mkdir()
        columns = [kernel for kernel in check(function, folder, x) if "combine_columns" in kernel.body]
        assert columns and all(kernel.block[0] == 32 for kernel in columns)


@pytest.mark.parametrize("rows, width", [(4, 3), (2, 7), (12, 2)])
def test_sums_of_few_narrow_rows_are_not_divided(rows: int, width: int, tmp_path: Path) -> None:
    x = np.random.default_rng(rows).standard_normal((1 << 18, rows, width), np.float32)
    executable, run = emulator(text_of(lambda x: x.sum(1), x), tmp_path)
    assert len(executable.kernels) == 1
    np.testing.assert_allclose(run([x])[0], x.sum(1), rtol=1e-5, atol=1e-5)


@pytest.mark.parametrize("width, at_once", [(512, True), (2048, True), (1025, False), (1000, True), (96, False)])
@pytest.mark.parametrize("dtype", [ml_dtypes.bfloat16, np.float32, np.float64], ids=lambda t: np.dtype(t).name)
@pytest.mark.sampled(6, ci=3, first=1)
def test_rows_are_read_and_written_at_once(width: int, at_once: bool, dtype: type, tmp_path: Path) -> None:
    """If they are aligned and long enough for all threads; what a row and a column have is read with them."""
    random = np.random.default_rng(6)
    x, scale, low = (draw(random, shape, dtype) for shape in ((70, width), (width,), (70, 1)))

    def function(x: jax.Array, scale: jax.Array, low: jax.Array) -> jax.Array:
        wide = x.astype(jnp.float32)
        rows = jnp.sum(wide, -1, keepdims=True)
        return ((wide + low) * scale + rows % 5).astype(x.dtype)

    (kernel,) = check(function, tmp_path, x, scale, low)
    assert kernel.name.startswith("r_") and "+" in kernel.name
    assert ("write_vector" in kernel.body) is at_once


# Rows, columns, and the arrays that are stored between phases: short rows share warps, and a block's memory has no room
# for the exponentials of the longest.
@pytest.mark.parametrize(
    "rows, columns, left", [(700, 30, 0), (37, 1000, 0), (600, 2048, 0), (3, 4096, 0), (40, 16000, 1)]
)
@pytest.mark.parametrize("kind", [np.float32, ml_dtypes.bfloat16], ids=lambda t: np.dtype(t).name)
def test_what_only_a_rows_own_threads_read_is_in_their_memory(
    rows: int, columns: int, left: int, kind: type, tmp_path: Path
) -> None:
    x = np.random.default_rng(0).standard_normal((rows, columns)).astype(kind)

    def function(x: jax.Array) -> jax.Array:
        wide = jax.nn.softmax(x.astype(jnp.float32), -1)
        return (wide - wide.mean(-1, keepdims=True)).astype(x.dtype)

    executable, run = emulator(str(jax.export.export(jax.jit(function))(x).mlir_module()), tmp_path)
    (action,) = executable.actions
    kept = [size for place, size in zip(action.places, action.sizes) if place.kind == "arena"]
    assert kept == [4 * x.size] * left
    (found,) = run([x])
    expected = np.asarray(jax.jit(function)(x)).astype(np.float32)
    np.testing.assert_allclose(found.astype(np.float32), expected, rtol=2e-2 if kind != np.float32 else 1e-4, atol=1e-6)


def infinity_norm(x: jax.Array) -> jax.Array:
    return jnp.abs(x).sum(-1).max()


# Reductions of what others compute: where these are long, they have results in memory; threads share the others.
NESTED: dict[str, tuple[Callable[..., object], Sequence[int], bool]] = {
    "a norm": (infinity_norm, (300, 517), True),
    "of columns": (lambda x: jnp.abs(x).sum(0).max(), (517, 300), True),
    "several, combined": (lambda x: (x.sum(0) * x.max(0) + x[:9].sum(0)).sum(), (24, 700), True),
    "of parts": (lambda x: x.reshape(4, 50, 300).sum(-1).max(-1), (200, 300), True),
    "read again": (lambda x: (r := (x * x).sum(-1), r.max(), x / (1 + r[:, None])), (130, 90), True),
    "short": (lambda x: x.sum(-1).max(), (9000, 4), False),
    "short, of two": (lambda x: (x.sum(-1) * x.max(-1)).sum(), (9000, 3), False),
    "short, for rows": (lambda x: (y := x.reshape(40, 300, 4)).sum(-1).max(-1)[:, None] - y[..., 0], (12000, 4), False),
    "of many results": (lambda x: x.sum(-1).max(-1), (1 << 17, 9, 5), False),
}  # fmt: skip


@pytest.mark.parametrize("case", NESTED)
@pytest.mark.parametrize("dtype", [np.float32, ml_dtypes.bfloat16, np.int32], ids=lambda t: np.dtype(t).name)
@pytest.mark.sampled(8, ci=4)
def test_threads_share_reductions_of_reductions(case: str, dtype: type, tmp_path: Path) -> None:
    """The norm of a matrix of 4096 rows and columns was computed by 16 threads."""
    function, shape, is_long = NESTED[case]
    kernels = check(function, tmp_path, draw(np.random.default_rng(4), shape, dtype), in_doubles=True)
    reductions = [k for k in kernels if k.name.startswith("r_")]
    assert all("combine_" in k.body and prod(k.block) >= WARP for k in reductions), [(k.name, k.block) for k in kernels]
    # Up to four terms that are computed, as these are of bf16, have no loop at all.
    has_loop = not is_long and (dtype != ml_dtypes.bfloat16 or shape[-1] > 4)
    assert any("for (int Ridx0 = 0" in k.body for k in reductions) is has_loop


# What a reduction computes again for each of its results is stored if that takes longer, unless it is the same along
# the reduced dimensions: of 64 hashes, each computed the windows of 10 that it reads of a sequence.
REPEATED: dict[str, tuple[Callable[..., object], int]] = {
    "windows": (lambda x, s: (windows(x) * s[:, None, None]).max(-1), 2),
    "windows, beside others": (lambda x, s: (windows(x) + x[:, 9:] * s[:, None, None]).min((0, 2)), 3),
    "polynomials": (lambda x, s: (powers(x) * s[:, None, None]).max(-1), 2),
    "cheap": (lambda x, s: ((x + 1) * s[:, None, None]).max(-1), 1),
    "of the kept dimensions": (lambda x, s: (powers(x[:, :1]) * s[:, None, None] + x).max(-1), 1),
}


def windows(x: jax.Array) -> jax.Array:
    return lax.reduce_window(x, np.int32(1 << 30), lax.min, (1, 10), (1, 1), "VALID")


def powers(x: jax.Array) -> jax.Array:
    return sum((x ^ n) * x - n for n in range(12))


@pytest.mark.parametrize("case", REPEATED)
def test_what_each_result_of_a_reduction_would_compute_is_stored(case: str, tmp_path: Path) -> None:
    function, count = REPEATED[case]
    x, s = (draw(np.random.default_rng(5), shape, np.int32) for shape in ((4, 60_000), (16,)))
    kernels = check(function, tmp_path, x, s)
    assert len(kernels) == count, [kernel.name for kernel in kernels]
