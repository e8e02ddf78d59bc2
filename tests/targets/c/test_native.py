"""Native code: products and convolutions in every layout, control flow, host steps, memory, and a run without it."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
import time
import warnings
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

import hlo2tiny
from corpus import BY_NAME
from hlo2tiny.plan.plan import Convolution, Gemm, Kernels, Plan, While
from hlo2tiny.targets import NotBuilt
from hlo2tiny.targets.c import linking, native
from hlo2tiny.targets.c.code import load_library
from hlo2tiny.targets.c.driver import Printer
from hlo2tiny.targets.c.render import render_region

DOT = """
func.func @main(%a: {a}, %b: {b}) -> {c} {{
  {before}
  %r = "stablehlo.dot_general"({x}, {y}) <{{dot_dimension_numbers = #stablehlo.dot<{numbers}>}}> : ({xt}, {yt}) -> {c}
  return %r : {c}
}}
"""


def tensor(shape: tuple[int, ...], dtype: str = "f32") -> str:
    return f"tensor<{''.join(f'{d}x' for d in shape)}{dtype}>"


def products(plan: Plan) -> list[Gemm]:
    return [step for block in plan.blocks() for step in block.steps if isinstance(step, Gemm)]


def numbers(batch: tuple[tuple[int, ...], ...], contract: tuple[tuple[int, ...], ...]) -> str:
    kinds = (("batching", batch), ("contracting", contract))
    return ", ".join(
        f"{side}_{kind}_dimensions = {list(dims)}"
        for kind, pair in kinds
        for side, dims in zip(("lhs", "rhs"), pair)
        if dims
    )


# Shapes, batching and contracting dimensions of both operands, and einsum's formula.
LAYOUTS = [
    ((40, 30), (30, 20), ((), ()), ((1,), (0,)), "ij,jk->ik"),
    ((30, 40), (20, 30), ((), ()), ((0,), (1,)), "ji,kj->ik"),
    ((40, 30), (20, 30), ((), ()), ((1,), (1,)), "ij,kj->ik"),
    ((1, 300), (300, 40), ((), ()), ((1,), (0,)), "ij,jk->ik"),
    ((1, 300), (40, 300), ((), ()), ((1,), (1,)), "ij,kj->ik"),
    ((300, 1), (300, 40), ((), ()), ((0,), (0,)), "ji,jk->ik"),
    ((40, 300), (300, 1), ((), ()), ((1,), (0,)), "ij,jk->ik"),
    ((300, 40), (1, 300), ((), ()), ((0,), (1,)), "ji,kj->ik"),
    ((3, 20, 30), (3, 30, 10), ((0,), (0,)), ((2,), (1,)), "bij,bjk->bik"),
    ((2, 20, 3, 10), (2, 30, 3, 10), ((0, 2), (0, 2)), ((3,), (3,)), "bihj,bkhj->bhik"),
    ((2, 3, 20, 10), (10, 3, 25, 2), ((1, 0), (1, 3)), ((3,), (0,)), "abij,jbka->baik"),
    ((4, 5, 6, 20), (20, 5, 30), ((), ()), ((3, 1), (0, 1)), "icjk,kcl->ijl"),
    ((6, 5, 4, 30), (4, 6, 7, 5), ((), ()), ((2, 0, 1), (0, 1, 3)), "acbi,bakc->ik"),
    ((20, 1, 30), (30, 1, 40), ((), ()), ((1, 2), (1, 0)), "ixj,jxk->ik"),
]


@pytest.mark.sampled(12, ci=4)
@pytest.mark.parametrize("layout", LAYOUTS, ids=lambda layout: layout[-1] + str(layout[0]))
@pytest.mark.parametrize("dtype", ["f32", "f64", "complex<f32>", "complex<f64>", "bf16", "f16"])
def test_products_of_any_layout(layout: tuple, dtype: str) -> None:
    a_shape, b_shape, batch, contract, formula = layout
    rng = np.random.default_rng(0)
    numpy_dtype = (
        hlo2tiny.load(
            f"func.func @main(%x: {tensor((), dtype)}) -> {tensor((), dtype)} {{\n return %x : {tensor((), dtype)}\n}}"
        )
        .inputs[0]
        .dtype
    )
    a, b = (rng.integers(-3, 4, shape).astype(complex) for shape in (a_shape, b_shape))
    if dtype.startswith("complex"):
        a, b = a + 1j * rng.integers(-3, 4, a_shape), b - 2j * rng.integers(-3, 4, b_shape)
    else:
        a, b = a.real, b.real
    expected = np.einsum(formula, a, b)
    types = [tensor(x.shape, dtype) for x in (a, b, expected)]
    text = DOT.format(
        a=types[0], b=types[1], c=types[2], x="%a", y="%b", xt=types[0], yt=types[1], before="",
        numbers=numbers(batch, contract),
    )  # fmt: skip
    program = hlo2tiny.load(text, device="CPU")
    assert len(products(program.plan)) == 1
    (found,) = program.numpy(a.astype(numpy_dtype), b.astype(numpy_dtype))
    np.testing.assert_array_equal(found, expected.astype(numpy_dtype))


@pytest.mark.parametrize(("dtype", "layout"), [("f32", ((300, 40), "ij")), ("f64", ((40, 300), "ji"))])
def test_threads_share_complex_products(dtype: str, layout: tuple) -> None:
    """By rows and matrices; BLAS gets the same rows whatever the number of threads is."""
    (rows, columns), formula = layout
    dims = (((0,), (0,)), ((2,), (1,))) if formula == "ij" else (((0,), (0,)), ((1,), (1,)))
    kind, rng = f"complex<{dtype}>", np.random.default_rng(0)
    shapes = (3, rows, columns), (3, 40, 50), (3, 300, 50)
    a, b = (rng.standard_normal((*shape, 2)) @ [1, 1j] for shape in shapes[:2])
    types = [tensor(shape, kind) for shape in shapes]
    text = DOT.format(
        a=types[0], b=types[1], c=types[2], x="%a", y="%b", xt=types[0], yt=types[1], before="", numbers=numbers(*dims)
    )
    a, b = (x.astype("complex64" if dtype == "f32" else "complex128") for x in (a, b))
    results = [hlo2tiny.load(text, device="CPU", threads=threads).numpy(a, b)[0] for threads in (1, 2, 3)]
    expected = np.einsum(f"b{formula},bjk->bik", a, b)
    np.testing.assert_allclose(results[0], expected, 0, 4e-5 if dtype == "f32" else 1e-13)
    assert len({result.tobytes() for result in results}) == 1


def test_a_transpose_before_a_product_is_not_carried_out() -> None:
    a, b = np.random.default_rng(0).integers(-3, 4, (2, 40, 40)).astype(np.float32)
    text = DOT.format(
        a=tensor((40, 40)), b=tensor((40, 40)), c=tensor((40, 40)), x="%t", y="%b", xt=tensor((40, 40)),
        yt=tensor((40, 40)), numbers=numbers(((), ()), ((1,), (0,))),
        before="%t = stablehlo.transpose %a, dims = [1, 0] : (tensor<40x40xf32>) -> tensor<40x40xf32>",
    )  # fmt: skip
    program = hlo2tiny.load(text, device="CPU")
    (step,) = program.plan.main.steps
    assert isinstance(step, Gemm) and step.product.a.transposed
    np.testing.assert_array_equal(program.numpy(a, b)[0], a.T @ b)


@pytest.mark.parametrize("dtype", ["f32", "bf16"])
def test_only_what_is_no_matrix_is_moved(dtype: str) -> None:
    """What attention gives by heads, times weights by heads: these stay, and narrow numbers are moved narrow."""
    heads, weights, result = (tensor(shape, dtype) for shape in ((2, 4, 30, 8), (4, 8, 40), (2, 30, 40)))
    text = f"""func.func @main(%x: {heads}, %w: {weights}) -> {result} {{
  %0 = stablehlo.dot_general %x, %w, contracting_dims = [3, 1] x [1, 0], precision = [HIGHEST, HIGHEST] :
    ({heads}, {weights}) -> {result}
  return %0 : {result}
}}"""
    program = hlo2tiny.load(text, device="CPU")
    (step,) = products(program.plan)
    narrow = "" if dtype == "f32" else dtype
    assert (step.product.a.narrow, step.product.b.narrow) == (narrow, narrow) and step.inputs[1] == 1
    dot = step.region.ops[-1 if dtype == "f32" else 2]
    assert dot.attributes["precision_config"] == next(hlo2tiny.parse(text).walk()).attributes["precision_config"]
    x, w = (np.random.default_rng(0).integers(-3, 4, i.shape).astype(i.dtype) for i in program.inputs)
    expected = np.einsum("bhse,hed->bsd", x.astype(np.float32), w.astype(np.float32))
    np.testing.assert_array_equal(program.numpy(x, w)[0], expected.astype(x.dtype))


@pytest.mark.parametrize(("rows", "columns"), [(40, 40), (1, 300), (300, 1)])
@pytest.mark.parametrize("narrow", ["bf16", "f16"])
def test_a_narrow_matrix_is_widened_by_the_product(rows: int, columns: int, narrow: str) -> None:
    """Weights of narrow floats, transposed as tied embeddings are, are not copied to memory as f32 first."""
    shapes = (rows, 40), (columns, 40), (40, columns), (rows, columns)
    text = DOT.format(
        a=tensor(shapes[0], narrow), b=tensor(shapes[1], narrow), c=tensor(shapes[3], narrow), x="%a", y="%t",
        xt=tensor(shapes[0], narrow), yt=tensor(shapes[2], narrow), numbers=numbers(((), ()), ((1,), (0,))),
        before=f"%t = stablehlo.transpose %b, dims = [1, 0] : ({tensor(shapes[1], narrow)}) -> "
        f"{tensor(shapes[2], narrow)}",
    )  # fmt: skip
    program = hlo2tiny.load(text, device="CPU")
    (step,) = [step for step in program.plan.main.steps if isinstance(step, Gemm)]
    assert (step.product.a.narrow, step.product.b.narrow) == (narrow, narrow) and step.inputs == (0, 1)
    dtype = program.inputs[0].dtype
    a, b = (np.random.default_rng(0).integers(-3, 4, shape).astype(dtype) for shape in shapes[:2])
    np.testing.assert_array_equal(program.numpy(a, b)[0], (a.astype(float) @ b.astype(float).T).astype(dtype))


def test_nan_in_unused_memory_does_not_reach_a_product() -> None:
    """The result's memory holds anything before."""
    text = DOT.format(
        a=tensor((40, 30)), b=tensor((30, 20)), c=tensor((40, 20)), x="%a", y="%b", xt=tensor((40, 30)),
        yt=tensor((30, 20)), before="", numbers=numbers(((), ()), ((1,), (0,))),
    )  # fmt: skip
    program = hlo2tiny.load(text, device="CPU")
    ones = np.ones((40, 30), np.float32), np.ones((30, 20), np.float32)
    for _ in range(3):
        spoilt = np.full((40, 20), np.nan, np.float32)
        del spoilt
        np.testing.assert_array_equal(program.numpy(*ones)[0], np.full((40, 20), 30, np.float32))


# ---------------------------------------------------------------- convolutions


@pytest.mark.sampled(6, ci=2)
@pytest.mark.parametrize("seed", range(24))
def test_convolutions_of_any_layout(seed: int) -> None:
    """Strides, padding, dilations, reversed windows and groups, in random orders of dimensions, against XLA."""
    import jax
    from jax import export

    rng = np.random.default_rng(seed)
    rank = int(rng.integers(1, 4))
    letters = "012"[:rank]
    groups = int(rng.choice([1, 1, 3]))
    batch_groups = 2 if groups == 1 and seed % 5 == 0 else 1
    orders = [list("NC" + letters), list("OI" + letters), list("NC" + letters)]
    for order, usual in zip(orders, ("N" + letters + "C", letters + "IO", "N" + letters + "C")):
        if rng.random() < 0.5:
            order[:] = usual
        else:
            rng.shuffle(order)
    sizes = dict(zip("NC" + letters, [2 * batch_groups, 6 * groups, *rng.integers(5, 8 if rank == 3 else 12, rank)]))
    window = dict(zip("OI" + letters, [8 * groups * batch_groups, 6, *rng.integers(1, 4, rank)]))
    x, w = (
        rng.integers(-4, 5, [int(extent[c]) for c in order]).astype(np.float32)
        for extent, order in ((sizes, orders[0]), (window, orders[1]))
    )
    strides, base, dilation = ([int(v) for v in rng.choice(of, rank)] for of in ([1, 2], [1, 1, 2, 3], [1, 1, 2]))
    padding = [tuple(int(v) for v in rng.integers(-1, 3, 2)) for _ in range(rank)]

    def model(x, w):
        return jax.lax.conv_general_dilated(
            x, w, strides, padding, base, dilation, tuple(map("".join, orders)), groups, batch_groups
        )

    text = export.export(jax.jit(model))(x, w).mlir_module()
    turned = [bool(v) for v in rng.integers(0, 2, rank)]
    if "window = {stride = [" in text and any(turned):
        text = text.replace("window = {stride", f"window = {{reverse = {str(turned).lower()}, stride")
        axes = [orders[1].index(c) for c, t in zip([c for c in orders[1] if c in letters], turned) if t]
        expected = jax.jit(model)(x, np.flip(w, axes).copy())
    else:
        expected = jax.jit(model)(x, w)
    program = hlo2tiny.load(text, device="CPU")
    np.testing.assert_array_equal(program.numpy(x, w)[0], np.asarray(expected))


features = st.sampled_from([16, 17, 33, 72, 130])


@given(st.integers(1, 3), st.integers(0, 99), features, st.sampled_from([np.float32, np.float64]))
def test_each_feature_by_itself(rank: int, seed: int, features: int, dtype: type) -> None:
    """Depthwise convolutions of any window, against the definition."""
    rng = np.random.default_rng(seed)
    sizes, window, strides, dilation = (rng.integers(*of, rank) for of in ((4, 20), (1, 6), (1, 4), (1, 3)))
    padding, turned = rng.integers(-1, 5, (rank, 2)), rng.integers(0, 2, rank).astype(bool)
    reach = (window - 1) * dilation + 1
    places = (sizes + padding.sum(1) - reach) // strides + 1
    assume(places.min() > 0 and np.prod(places) * np.prod(window) * features >= 4096)
    x = rng.integers(-4, 5, (2, *sizes, features)).astype(dtype)
    w = rng.integers(-4, 5, (*window, 1, features)).astype(dtype)
    wide = np.pad(x, [(0, 0), *np.maximum(padding, 0), (0, 0)])
    wide = wide[(slice(None), *(slice(max(0, -a), n - max(0, -b)) for (a, b), n in zip(padding, wide.shape[1:])))]
    expected = np.zeros((2, *places, features), dtype)
    for tap in np.ndindex(*window):
        begin = [k * d for k, d in zip(tap, dilation)]
        seen = tuple(slice(b, b + (p - 1) * s + 1, s) for b, p, s in zip(begin, places, strides))
        factor = w[tuple(n - 1 - k if t else k for k, n, t in zip(tap, window, turned))]
        expected += wide[(slice(None), *seen)] * factor.reshape(-1)
    letters = ", ".join("012"[:rank])
    types = [tensor(array.shape, {4: "f32", 8: "f64"}[array.itemsize]) for array in (x, w, expected)]
    lists = {"stride": strides, "pad": padding, "rhs_dilate": dilation, "reverse": turned}
    window_text = ", ".join(f"{key} = {str(np.asarray(value).tolist()).lower()}" for key, value in lists.items())
    text = f"""
      func.func @main(%x: {types[0]}, %w: {types[1]}) -> {types[2]} {{
        %y = stablehlo.convolution(%x, %w) dim_numbers = [b, {letters}, f]x[{letters}, i, o]->[b, {letters}, f],
          window = {{{window_text}}} {{batch_group_count = 1 : i64, feature_group_count = {features} : i64}}
          : ({types[0]}, {types[1]}) -> {types[2]}
        return %y : {types[2]}
      }}"""
    program = hlo2tiny.load(text, device="CPU")
    if window.prod() > 9 or features * x.itemsize >= 256:
        assert isinstance(program.plan.main.steps[0], Convolution)
    np.testing.assert_array_equal(program.numpy(x, w)[0], expected)


LARGE_CONVOLUTIONS = {
    # input, kernel, strides, padding, layouts, groups: windows that are read where they lie, in several pieces of work
    "read": ((3, 20, 21, 40), (3, 3, 40, 70), (1, 1), "SAME", ("NHWC", "HWIO", "NHWC"), 1),
    "deeper than a part": ((2, 9, 9, 600), (1, 1, 600, 130), (2, 1), "VALID", ("NHWC", "HWIO", "NHWC"), 1),
    "runs over two dimensions": ((1, 60, 60, 3), (7, 7, 3, 64), (2, 2), "VALID", ("NHWC", "HWIO", "NHWC"), 1),
    "kernel's features apart": ((2, 16, 16, 24), (48, 12, 3, 3), (1, 1), "SAME", ("NHWC", "OIHW", "NHWC"), 2),
    "copied": ((2, 40, 40, 1), (19, 19, 1, 33), (1, 1), "SAME", ("NHWC", "HWIO", "NHWC"), 1),
    "across": ((2, 36, 17, 19), (50, 36, 3, 3), (1, 1), "SAME", ("NCHW", "OIHW", "NCHW"), 1),
    "across, in groups": ((1, 24, 30, 33), (3, 3, 8, 96), (2, 1), "SAME", ("NCHW", "HWIO", "NCHW"), 3),
    "across, features inside": ((2, 36, 9, 70), (50, 3, 5, 36), (1, 1), "SAME", ("NCHW", "OHWI", "NCHW"), 1),
    "across, windows larger than images": ((3, 36, 5, 3), (50, 36, 7, 7), (1, 1), "SAME", ("NCHW", "OIHW", "NCHW"), 1),
    "across, short lines apart": ((2, 130, 7, 11), (24, 130, 3, 5), (2, 2), "SAME", ("NCHW", "OIHW", "NCHW"), 1),
    "across, every second place": ((2, 36, 21, 55), (50, 36, 3, 3), (2, 2), "SAME", ("NCHW", "OIHW", "NCHW"), 1),
    # Each feature by itself; the last vectors of 72 and 100 features overlap those before them.
    "each": ((3, 20, 23, 72), (3, 3, 1, 72), (1, 1), "SAME", ("NHWC", "HWIO", "NHWC"), 72),
    "each, from afar": ((2, 31, 30, 100), (100, 1, 7, 5), (2, 3), [(3, 5), (-1, 2)], ("NHWC", "OIHW", "NHWC"), 100),
    "each, wide": ((1, 9, 9, 640), (7, 7, 1, 640), (1, 1), "SAME", ("NHWC", "HWIO", "NHWC"), 640),
    "each, a batch inside": ((9, 15, 4, 64), (3, 3, 1, 64), (1, 2), "VALID", ("HWNC", "HWIO", "HWNC"), 64),
    "a batch inside": ((9, 9, 8, 40), (3, 3, 40, 24), (1, 1), "SAME", ("HWNC", "HWIO", "HWNC"), 1),
}


@pytest.mark.sampled(5, ci=5)
@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize("form", LARGE_CONVOLUTIONS.values(), ids=LARGE_CONVOLUTIONS.keys())
def test_large_convolutions(form: tuple, dtype: type) -> None:
    """They are shared between threads, and their sums made in parts."""
    import jax
    from jax import export

    shape, kernel, strides, padding, layouts, groups = form
    rng = np.random.default_rng(0)
    with jax.enable_x64(True):
        x, w = (rng.integers(-4, 5, sizes).astype(dtype) for sizes in (shape, kernel))
        model = jax.jit(
            lambda x, w: jax.lax.conv_general_dilated(
                x, w, strides, padding, dimension_numbers=layouts, feature_group_count=groups
            )
        )
        program = hlo2tiny.load(export.export(model)(x, w).mlir_module(), device="CPU")
        assert any(isinstance(step, Convolution) for step in program.plan.main.steps)
        np.testing.assert_array_equal(program.numpy(x, w)[0], np.asarray(model(x, w)))


KERNELS_OF_GRADIENTS = {
    # input, kernel, strides, dilation, padding, layouts, groups: windows are as large as images, and the places few
    "lines with edges": ((3, 5, 40, 37), (15, 5, 5, 4), (1, 1), (1, 1), "SAME", ("NCHW", "OIHW", "NCHW"), 1),
    "strided": ((2, 5, 33, 47), (14, 5, 3, 5), (2, 3), (1, 1), [(1, 2), (3, 0)], ("NCHW", "OIHW", "NCHW"), 1),
    "dilated, in groups": ((2, 6, 31, 40), (24, 3, 3, 3), (1, 1), (2, 5), "SAME", ("NCHW", "OIHW", "NCHW"), 2),
    "cropped": ((3, 4, 30, 41), (16, 4, 3, 3), (1, 1), (1, 1), [(-2, -1), (-1, -3)], ("NCHW", "OIHW", "NCHW"), 1),
    "a line": ((4, 6, 500), (17, 6, 9), (1,), (1,), "SAME", ("NCH", "OIH", "NCH"), 1),
    "a solid": ((2, 5, 9, 11, 13), (14, 5, 3, 3, 3), (1, 1, 1), (1, 1, 1), "SAME", ("NCDHW", "OIDHW", "NCDHW"), 1),
    "features last": ((3, 40, 37, 5), (5, 4, 5, 15), (1, 1), (1, 1), "SAME", ("NHWC", "HWIO", "NHWC"), 1),
    "a kernel's features apart": ((3, 40, 37, 5), (15, 5, 5, 4), (1, 1), (1, 1), "SAME", ("NHWC", "OIHW", "NCHW"), 1),
}


@pytest.mark.sampled(15, ci=5)
@pytest.mark.parametrize("dtype", ["float32", "float64", "bfloat16", "float16"])
@pytest.mark.parametrize("form", KERNELS_OF_GRADIENTS.values(), ids=KERNELS_OF_GRADIENTS.keys())
def test_gradients_of_kernels(form: tuple, dtype: str) -> None:
    """Elements of windows are copied along lines, except at an image's edges."""
    import jax
    from jax import export

    shape, kernel, strides, dilation, padding, layouts, groups = form
    rng = np.random.default_rng(0)
    with jax.enable_x64(True):
        x, w = (rng.integers(-1, 2, sizes).astype(jax.numpy.dtype(dtype)) for sizes in (shape, kernel))

        def convolve(x, w):
            return jax.lax.conv_general_dilated(
                x, w, strides, padding, None, dilation, dimension_numbers=layouts, feature_group_count=groups
            )

        change = rng.integers(-1, 2, jax.eval_shape(convolve, x, w).shape).astype(x.dtype)
        model = jax.jit(lambda x, change: jax.vjp(lambda w: convolve(x, w), w)[1](change)[0])
        program = hlo2tiny.load(export.export(model)(x, change).mlir_module(), device="CPU")
        assert any(isinstance(step, Convolution) for step in program.plan.main.steps)
        np.testing.assert_array_equal(program.numpy(x, change)[0], np.asarray(model(x, change)))


DILATED_INPUTS = {
    # input, kernel, dilation of the input, padding, layouts, groups, an output feature's products: for "a line"
    # those of a sixth element of the kernel, which is 0, too
    "by phase": ((2, 9, 8, 40), (3, 3, 40, 48), (2, 2), (1, 2), ("NHWC", "HWIO", "NHWC"), 1, 2 * 9 * 8 * 9 * 40),
    "features first": ((2, 40, 9, 8), (48, 40, 3, 3), (2, 2), (1, 2), ("NCHW", "OIHW", "NCHW"), 1, 2 * 9 * 8 * 9 * 40),
    "as features": ((2, 9, 8, 40), (4, 4, 40, 3), (2, 2), (2, 2), ("NHWC", "HWIO", "NHWC"), 1, 2 * 10 * 9 * 16 * 40),
    "in groups": ((2, 9, 8, 24), (3, 3, 12, 64), (2, 1), (1, 1), ("NHWC", "HWIO", "NHWC"), 2, 2 * 9 * 8 * 12 * 9),
    "one": ((2, 9, 8, 40), (1, 1, 40, 48), (2, 2), (0, 1), ("NHWC", "HWIO", "NHWC"), 1, 2 * 9 * 8 * 40),
    "a line": ((2, 90, 40), (5, 40, 48), (3,), (2, 4), ("NHC", "HIO", "NHC"), 1, 2 * 90 * 6 * 40),
}


@pytest.mark.sampled(4, ci=2)
@pytest.mark.parametrize("dtype", ["float32", "float64", "bfloat16", "float16"])
@pytest.mark.parametrize("form", DILATED_INPUTS.values(), ids=DILATED_INPUTS.keys())
def test_zeros_between_the_inputs_elements_are_not_multiplied(form: tuple, dtype: str) -> None:
    """They are those of gradients of strided convolutions."""
    import jax
    from jax import export

    shape, kernel, base, padding, layouts, groups, products_of_a_feature = form
    rng = np.random.default_rng(0)
    with jax.enable_x64(True):
        x, w = (rng.integers(-1, 2, sizes).astype(jax.numpy.dtype(dtype)) for sizes in (shape, kernel))
        model = jax.jit(
            lambda x, w: jax.lax.conv_general_dilated(
                x, w, (1,) * len(base), [padding] * len(base), base, None, layouts, groups
            )
        )
        program = hlo2tiny.load(export.export(model)(x, w).mlir_module(), device="CPU")
        found, multiplied = program.numpy(x, w)[0], 0
        for step in program.plan.main.steps:
            if isinstance(step, Convolution):
                assert all(d.base == 1 for d in step.windows.dimensions)
                multiplied += step.windows.flops // 2
            elif isinstance(step, Gemm):
                multiplied += step.product.flops // 2
            else:
                assert isinstance(step, Kernels) and not any(op.name == "stablehlo.convolution" for op in step.ops)
        assert multiplied == products_of_a_feature * kernel[layouts[1].index("O")]
        np.testing.assert_array_equal(found.astype(np.float64), np.asarray(model(x, w)).astype(np.float64))


LARGE_WINDOWS = {
    # input, kernel, strides, dilation of the input and the window, padding, layouts, products of an image and feature
    # with the elements of the kernel that are left: 3×5, 5×4, and 3×3 for each phase
    "dilated": (
        (2, 4, 5, 40),
        (5, 5, 40, 16),
        (2, 1),
        (1, 1),
        (2, 2),
        [(3, 4), (4, 4)],
        ("NHWC", "HWIO", "NHWC"),
        15 * 10,
    ),
    "shifted": (
        (3, 20, 6, 6),
        (24, 20, 7, 9),
        (1, 1),
        (1, 1),
        (1, 1),
        [(5, -1), (-2, 9)],
        ("NCHW", "OIHW", "NCHW"),
        20 * 20,
    ),
    "zeros between": (
        (2, 3, 4, 40),
        (9, 8, 40, 16),
        (1, 1),
        (2, 3),
        (1, 1),
        [(8, 0), (1, 1)],
        ("NHWC", "HWIO", "NHWC"),
        9 * 36,
    ),
}


@pytest.mark.sampled(3, ci=3)
@pytest.mark.parametrize("reverse", [False, True])
@pytest.mark.parametrize("form", LARGE_WINDOWS.values(), ids=LARGE_WINDOWS.keys())
def test_elements_of_the_kernel_that_meet_padding_alone_are_left_out(form: tuple, reverse: bool) -> None:
    import jax
    from jax import export

    shape, kernel, strides, base, dilation, padding, layouts, products = form
    rng = np.random.default_rng(0)
    x, w = (rng.integers(-4, 5, sizes).astype(np.float32) for sizes in (shape, kernel))
    model = jax.jit(lambda x, w: jax.lax.conv_general_dilated(x, w, strides, padding, base, dilation, layouts))
    text = export.export(model)(x, w).mlir_module()
    axes = [layouts[1].index(letter) for letter in "HW"[:reverse]]
    text = text.replace("window = {", "window = {reverse = [true, false], ") if reverse else text
    program = hlo2tiny.load(text, device="CPU")
    works = [step.windows.flops // 2 for step in program.plan.main.steps if isinstance(step, Convolution)]
    assert sum(works) == products * shape[0] * kernel[layouts[1].index("I")] * kernel[layouts[1].index("O")]
    np.testing.assert_array_equal(program.numpy(x, w)[0], np.asarray(model(x, np.flip(w, axes))))


PLACES = {
    # input, kernel, strides, dilation of the input, layout of the kernel, whether this is a product of matrices
    "one": ((1, 1, 1, 100), (1, 1, 100, 64), (1, 1), (1, 1), "HWIO", True),
    "a batch": ((5, 1, 1, 96), (1, 1, 96, 50), (1, 1), (1, 1), "HWIO", True),
    "turned": ((2, 3, 2, 70), (33, 70, 1, 1), (1, 1), (1, 1), "OIHW", True),
    "apart": ((1, 7, 1, 64), (1, 1, 64, 65), (3, 1), (1, 1), "HWIO", True),
    "many": ((2, 30, 31, 20), (1, 1, 20, 33), (1, 1), (1, 1), "HWIO", True),
    "many, turned": ((1, 14, 14, 70), (33, 70, 1, 1), (1, 1), (1, 1), "OIHW", True),
    "a row of the input": ((3, 1, 5, 40), (1, 5, 40, 32), (1, 1), (1, 1), "HWIO", True),
    "lines apart": ((1, 5, 5, 64), (1, 1, 64, 65), (2, 2), (1, 1), "HWIO", False),
    "zeros between": ((1, 3, 1, 64), (1, 1, 64, 65), (1, 1), (2, 1), "HWIO", True),
}


@pytest.mark.sampled(9, ci=3)
@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize("name", PLACES)
def test_a_convolution_of_single_places_is_a_product(name: str, dtype: type) -> None:
    import jax
    from jax import export

    shape, kernel, strides, dilation, layout, is_product = PLACES[name]
    rng = np.random.default_rng(0)
    with jax.enable_x64(True):
        x, w = (rng.integers(-4, 5, sizes).astype(dtype) for sizes in (shape, kernel))
        numbers, no_padding = ("NHWC", layout, "NHWC"), [(0, 0), (0, 0)]
        model = jax.jit(lambda x, w: jax.lax.conv_general_dilated(x, w, strides, no_padding, dilation, None, numbers))
        program = hlo2tiny.load(export.export(model)(x, w).mlir_module(), device="CPU")
        assert bool(products(program.plan)) == is_product
        np.testing.assert_array_equal(program.numpy(x, w)[0], np.asarray(model(x, w)))


PADDED = {
    # low, high and interior padding of each dimension, the value, whether the convolution pads by itself
    "zeros": (((0, 0, 0), (1, 2, 0), (2, 0, 0), (0, 0, 0)), 0, True),
    "nothing": (((0, 0, 0),) * 4, 0, True),
    "ones": (((0, 0, 0), (1, 2, 0), (2, 0, 0), (0, 0, 0)), 1, False),
    "features": (((0, 0, 0), (1, 1, 0), (1, 1, 0), (0, 2, 0)), 0, False),
    "images": (((1, 0, 0), (1, 1, 0), (1, 1, 0), (0, 0, 0)), 0, False),
    "less": (((0, 0, 0), (-1, 1, 0), (1, 1, 0), (0, 0, 0)), 0, False),
    "between": (((0, 0, 0), (1, 1, 1), (1, 1, 0), (0, 0, 0)), 0, False),
}


@pytest.mark.parametrize("name", PADDED)
def test_a_convolution_pads_its_input(name: str) -> None:
    import jax
    from jax import export

    amounts, value, by_itself = PADDED[name]
    rng = np.random.default_rng(0)

    def model(x, w):
        padded = jax.lax.pad(x, np.float32(value), amounts)
        return jax.lax.conv_general_dilated(
            padded, w, (1, 2), ((1, 0), (0, 1)), dimension_numbers=("NHWC", "HWIO", "NHWC")
        )

    x = rng.integers(-4, 5, (2, 12, 13, 16)).astype(np.float32)
    w = rng.integers(-4, 5, (3, 3, 16 + sum(amounts[3]), 40)).astype(np.float32)
    program = hlo2tiny.load(export.export(jax.jit(model))(x, w).mlir_module(), device="CPU")
    kinds = [type(step) for step in program.plan.main.steps]
    assert kinds == ([Convolution] if by_itself else [Kernels, Convolution])
    np.testing.assert_array_equal(program.numpy(x, w)[0], np.asarray(jax.jit(model)(x, w)))


GIVEN = {
    # The rows of pixels that a kernel takes at a time: of a pooled row, of a pixel, none where it reads others too.
    "pooled": (lambda y, b, x: pooled(silu(y + b)), 2 * 22),
    "a place": (lambda y, b, x: silu(y * b) + x[..., :1], 1),
    "its neighbours too": (lambda y, b, x: y + y[:, :, ::-1] * b, 22),
    "before its mean": (lambda y, b, x: with_mean(silu(y + b)), 1),
    "other images too": (lambda y, b, x: y + y[::-1] * b, 0),
    "twice": (lambda y, b, x: (silu(y + b), y), 0),
}


def silu(x):
    import jax

    return jax.nn.silu(x)


def with_mean(y):
    return y, y.mean((1, 2))


def pooled(x):
    import jax

    return jax.lax.reduce_window(x, -np.inf, jax.lax.max, (1, 2, 2, 1), (1, 2, 2, 1), "VALID")


@pytest.mark.sampled(2)
@pytest.mark.parametrize("groups", [1, 16])
@pytest.mark.parametrize("name", GIVEN)
def test_a_kernel_takes_what_a_convolution_has_ready(name: str, groups: int) -> None:
    """Piece by piece, where what an iteration of it reads is one after the other; else when all is there."""
    import jax
    from jax import export

    after, iteration = GIVEN[name]
    rng = np.random.default_rng(0)
    shapes = ((9, 22, 22, 16), (3, 3, 16, 40), (40,)) if groups == 1 else ((9, 22, 22, 16), (4, 3, 1, 16), (16,))
    x, w, b = (rng.standard_normal(s).astype(np.float32) for s in shapes)

    def model(x, w, b):
        numbers = ("NHWC", "HWIO", "NHWC")
        y = jax.lax.conv_general_dilated(x, w, (1, 1), "SAME", dimension_numbers=numbers, feature_group_count=groups)
        return after(y, b, x)

    program = hlo2tiny.load(export.export(jax.jit(model))(x, w, b).mlir_module(), device="CPU")
    regions = {step.key: render_region(step) for step in program.plan.kernels()}
    kernels = [kernel for region in regions.values() for kernel in region.kernels]
    printer = Printer(program.plan, regions, {kernel: f"kernel{i}" for i, kernel in enumerate(kernels)}, 2)
    printer.print()
    assert list(printer.iterations.values()) == [iteration] * (iteration > 0)
    for found, expected in zip(program.numpy(x, w, b), jax.tree.leaves(jax.jit(model)(x, w, b))):
        np.testing.assert_allclose(found, np.asarray(expected), 1e-4, 1e-4)


def test_the_convnets_convolutions_are_products() -> None:
    plan = hlo2tiny.load(BY_NAME["flax_convnet"].path, device="CPU").plan
    assert sum(isinstance(step, Convolution) for step in plan.main.steps) == 2


# ---------------------------------------------------------------- the driver

SWAP = """
!t = tensor<3xf32>
func.func @main(%n: tensor<i32>, %x: !t, %y: !t) -> (!t, !t, !t, tensor<i32>) {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %r:4 = stablehlo.while(%i = %zero, %a = %x, %b = %y, %c = %x) : tensor<i32>, !t, !t, !t
  cond {
    %p = stablehlo.compare LT, %i, %n : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %p : tensor<i1>
  } do {
    %j = stablehlo.add %i, %one : tensor<i32>
    %s = stablehlo.add %a, %c : !t
    stablehlo.return %j, %b, %s, %c : tensor<i32>, !t, !t, !t
  }
  return %r#1, %r#2, %r#3, %r#0 : !t, !t, !t, tensor<i32>
}
"""


@pytest.mark.parametrize("iterations", [-1, 0, 1, 2, 3, 10])
def test_loops_that_exchange_and_keep_their_carries(iterations: int) -> None:
    x, y = np.array([1, 2, 3], np.float32), np.array([10, 20, 30], np.float32)
    a, b = x, y
    for _ in range(max(0, iterations)):
        a, b = b, a + x
    found = hlo2tiny.load(SWAP, device="CPU").numpy(np.int32(iterations), x, y)
    for result, expected in zip(found, (a, b, x, np.int32(max(0, iterations)))):
        np.testing.assert_array_equal(result, expected)


def test_results_that_are_inputs_constants_or_the_same() -> None:
    text = """
    func.func @main(%x: tensor<9xf32>) -> (tensor<9xf32>, tensor<9xf32>, tensor<9xf32>, tensor<9xf32>, tensor<0xf32>) {
      %c = stablehlo.constant dense<[1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0]> : tensor<9xf32>
      %s = stablehlo.add %x, %c : tensor<9xf32>
      %e = stablehlo.slice %x [0:0] : (tensor<9xf32>) -> tensor<0xf32>
      return %x, %c, %s, %s, %e : tensor<9xf32>, tensor<9xf32>, tensor<9xf32>, tensor<9xf32>, tensor<0xf32>
    }
    """
    program, x = hlo2tiny.load(text, device="CPU"), np.arange(9, dtype=np.float32)
    results = program.numpy(x)
    c = np.arange(1, 10, dtype=np.float32)
    for result, expected in zip(results, (x, c, x + c, x + c, np.zeros(0, np.float32))):
        np.testing.assert_array_equal(result, expected)
    for result in results:
        result[...] = -1
    np.testing.assert_array_equal(x, np.arange(9))
    np.testing.assert_array_equal(program.numpy(x)[1], c)


@pytest.mark.parametrize("name", ["fori_loop", pytest.param("linear_algebra", marks=pytest.mark.ci)])
def test_threads_share_a_program(name: str) -> None:
    entry = BY_NAME[name]
    program, inputs = hlo2tiny.load(entry.path, device="CPU"), entry.inputs()
    changed = [[x + np.asarray(i, x.dtype) if x.dtype.kind == "f" else x for x in inputs] for i in range(8)]
    alone = [program.numpy(*each) for each in changed]
    start = threading.Barrier(4)

    def work(number: int) -> bool:
        start.wait()
        return all(
            np.array_equal(a, b, equal_nan=True)
            for i in range(number, number + 5)
            for a, b in zip(program.numpy(*changed[i % 8]), alone[i % 8])
        )

    with ThreadPoolExecutor(4) as pool:
        assert all(pool.map(work, range(4)))


def test_an_exception_in_a_custom_call_leaves_the_run(monkeypatch: pytest.MonkeyPatch) -> None:
    from hlo2tiny.program import custom_calls

    monkeypatch.setattr(custom_calls, "_custom_calls", {})
    fail = [True]

    @hlo2tiny.custom_call("sometimes")
    def sometimes(x):
        if fail[0]:
            raise LookupError("not now")
        return x + 1

    text = """
    func.func @main(%x: tensor<2xf32>) -> tensor<2xf32> {
      %y = stablehlo.custom_call @sometimes(%x) : (tensor<2xf32>) -> tensor<2xf32>
      return %y : tensor<2xf32>
    }
    """
    loaded = hlo2tiny.load(text, device="CPU")
    with pytest.raises(LookupError, match="not now"):
        loaded.numpy(np.zeros(2, np.float32))
    fail[0] = False
    np.testing.assert_array_equal(loaded.numpy(np.zeros(2, np.float32))[0], [1, 1])


def test_a_program_that_needs_more_memory_than_there_is_is_refused() -> None:
    size = "tensor<40000000000000xf32>"
    op = f"stablehlo.broadcast_in_dim %x, dims = [] : (tensor<f32>) -> {size}"
    text = f"func.func @main(%x: tensor<f32>) -> {size} {{\n  %r = {op}\n  return %r : {size}\n}}"
    with pytest.raises(hlo2tiny.InputError, match=r"needs 160,000,000,000,000 bytes .* this machine has"):
        hlo2tiny.load(text, device="CPU").numpy(np.float32(1))


# ---------------------------------------------------------------- building


def test_only_a_program_with_work_to_share_has_threads() -> None:
    for name, threads in (("cond", 1), ("mnist_mlp_predict", 3), ("flax_convnet", 3)):
        entry = BY_NAME[name]
        program = hlo2tiny.load(entry.path, "CPU", threads=3)
        entry.check(program.numpy(*entry.inputs()))
        assert program._specialisations.only is not None
        assert program._specialisations.only.compile().threads == threads, name  # type: ignore[attr-defined]


def test_a_build_waits_for_its_jobs_and_leaves_nothing_behind() -> None:
    done: list[str] = []
    with linking.Build() as build:
        for name in "abc":
            build.begin(partial(done.append, name))
        build.add('__attribute__((visibility("default"))) int f(void) { return 3; }')
        shared = build.link()
        assert sorted(done) == ["a", "b", "c"]
    assert load_library(shared).functions.f() == 3
    with pytest.raises(NotBuilt, match="expected"), linking.Build() as build:
        build.add("int f(void) { return }")
        build.link()
    with pytest.raises(ZeroDivisionError), linking.Build() as build:
        build.begin(lambda: 1 / 0)
        build.link()
    assert not Path(build._folder.name).exists()


# ---------------------------------------------------------------- without it


def test_tinygrads_kernels_run_where_native_code_cannot_be_built(monkeypatch: pytest.MonkeyPatch) -> None:
    def refused(*arguments: object) -> None:
        raise NotBuilt("no linker")

    monkeypatch.setattr(native, "Build", refused)
    entry = BY_NAME["mnist_mlp_predict"]
    program = hlo2tiny.load(entry.path, device="CPU")
    with pytest.warns(hlo2tiny.NoNativeCode, match="no native code .* no linker"):
        found = program.numpy(*entry.inputs())
    entry.check(found)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        program.numpy(*entry.inputs())


TINYGRAD = [
    "lstm",
    "cond",
    "while_loop",
    "switch",
    "conv_variants",
    "gather_scatter",
    "sort",
    "gpt_decoder_scan",
    "fourier",
    "linear_algebra",
]


@pytest.mark.sampled(12, ci=4)
@pytest.mark.parametrize("name", TINYGRAD)
def test_tinygrads_executor_gives_the_same(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """That of all other devices, here on the CPU."""
    monkeypatch.setenv("HLO2TINY_EXECUTOR", "tinygrad")
    entry = BY_NAME[name]
    entry.check(hlo2tiny.load(entry.path, device="CPU").numpy(*entry.inputs()))


def test_a_profile_counts_what_each_step_and_kernel_takes() -> None:
    entry = BY_NAME["fori_loop"]  # 20 iterations
    program = hlo2tiny.load(entry.path, "CPU")
    profiled = native.Profiled(program.plan, {})
    for found, expected in zip(profiled.run_numpy(entry.inputs()), program.numpy(*entry.inputs()), strict=True):
        np.testing.assert_array_equal(found, expected)
    timers = profiled.read_timers()
    (loop,) = (timer.step for timer, _, _ in timers if isinstance(timer.step, While))
    condition, body = ([x for x in timers if x[0].block is block] for block in (loop.condition, loop.body))
    assert {n for _, _, n in condition} == {21} and {n for _, _, n in body} == {20}
    assert 0 < sum(s for _, s, _ in (*condition, *body)) < next(s for t, s, _ in timers if t.step is loop)
    for step in loop.body.steps:
        kernels = range(len(render_region(step).kernels)) if isinstance(step, Kernels) else [None]
        assert [t.kernel for t, _, _ in body if t.step is step] == [*kernels]
    assert [(s, n) for _, s, n in profiled.read_timers()] == [(0, 0)] * len(timers), "asking begins anew"


LARGE = """
!t = tensor<600x700xf32>
func.func @main(%x: !t, %y: tensor<700xf32>) -> (!t, tensor<600xf32>) {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %b = stablehlo.broadcast_in_dim %y, dims = [1] : (tensor<700xf32>) -> !t
  %s = stablehlo.add %x, %b : !t
  %t = stablehlo.multiply %s, %s : !t
  %r = stablehlo.reduce(%t init: %zero) applies stablehlo.add across dimensions = [1]
    : (!t, tensor<f32>) -> tensor<600xf32>
  return %t, %r : !t, tensor<600xf32>
}
"""


def large_inputs(seed: int = 0) -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng(seed)
    return rng.integers(-9, 9, (600, 700)).astype(np.float32), rng.integers(-9, 9, 700).astype(np.float32)


def large_results(x: np.ndarray, y: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    return (x + y) ** 2, ((x + y) ** 2).sum(1)


def test_large_kernels_are_shared_between_threads() -> None:
    program = hlo2tiny.load(LARGE, device="CPU")
    kernels = [k for step in program.plan.kernels() for k in render_region(step).kernels]
    assert all(kernel.shared_iterations == 600 for kernel in kernels)
    with ThreadPoolExecutor(3) as pool:  # one of them has the threads, the others do without
        for seed, found in enumerate(pool.map(lambda seed: program.numpy(*large_inputs(seed)), range(12))):
            for result, expected in zip(found, large_results(*large_inputs(seed))):
                np.testing.assert_array_equal(result, expected)


FUNCTIONS = """
func.func @main(%x: tensor<16xf32>) -> (tensor<16xf32>, tensor<16xf32>) {
  %e = stablehlo.exponential %x : tensor<16xf32>
  %m = stablehlo.multiply %e, %x : tensor<16xf32>
  %t = stablehlo.tanh %m : tensor<16xf32>
  %s = stablehlo.add %t, %e : tensor<16xf32>
  %l = stablehlo.logistic %s : tensor<16xf32>
  return %l, %e : tensor<16xf32>, tensor<16xf32>
}
"""


def test_functions_of_c_are_called_once_each() -> None:
    (step,) = hlo2tiny.load(FUNCTIONS, device="CPU").plan.main.steps
    assert isinstance(step, Kernels)
    source = "".join(kernel.body for kernel in render_region(step).kernels)
    assert [source.count(f"{name}_f(") for name in ("exp", "tanh", "logistic")] == [1, 1, 1]
    x = np.array(
        [-np.inf, -104, -88, -1, -1e-40, -0.0, 0.0, 1e-40, 1e-3, 0.3, 1, 88, 89, 1e30, np.inf, np.nan], np.float32
    )
    logistic, exp = hlo2tiny.load(FUNCTIONS, device="CPU").numpy(x)
    with np.errstate(all="ignore"):
        wide = x.astype(np.float64)
        np.testing.assert_allclose(exp, np.exp(wide).astype(np.float32), 2e-7, 2e-45)
        inner = np.tanh(np.exp(wide) * wide) + np.exp(wide)
        np.testing.assert_allclose(logistic, 1 / (1 + np.exp(-inner)), 1e-6)


SINES = """
func.func @main(%x: tensor<{n}xf32>) -> (tensor<{n}xf32>, tensor<{n}xf32>) {{
  %s = stablehlo.sine %x : tensor<{n}xf32>
  %c = stablehlo.cosine %x : tensor<{n}xf32>
  return %s, %c : tensor<{n}xf32>, tensor<{n}xf32>
}}
"""


def test_sines_of_one_number_are_those_of_many() -> None:
    """A single number has a function of its own, with less work one after the other."""
    edges = [0.0, -0.0, 1e-42, np.inf, np.nan, 2.0**20, np.nextafter(np.float32(2**20), 0, dtype=np.float32), 3.4e38]
    iterations = np.concatenate([np.arange(1, 9), 2.0 ** np.arange(3, 22)]) * np.pi / 4
    x = np.array([*edges, *iterations, *-iterations, *np.random.default_rng(0).normal(0, 9e4, 60)], np.float32)
    many = hlo2tiny.load(SINES.format(n=len(x)), device="CPU").numpy(x)
    one = hlo2tiny.load(SINES.format(n=1), device="CPU")
    assert "sin_1(" in "".join(k.body for k in render_region(one.plan.main.steps[0]).kernels)
    for found, expected in zip(zip(*(one.numpy(x[i : i + 1]) for i in range(len(x)))), many):
        np.testing.assert_array_equal(np.concatenate(found).view(np.uint32), expected.view(np.uint32))


def test_many_loops_are_shared_one_after_the_other() -> None:
    """Threads that come late to a loop join the next one, or do nothing."""
    program = hlo2tiny.load(LARGE, device="CPU")
    x, y = large_inputs()
    expected = large_results(x, y)

    def right(_: int) -> bool:
        return all(map(np.array_equal, program.numpy(x, y), expected))

    assert all(map(right, range(200)))
    with ThreadPoolExecutor(4) as pool:
        assert all(pool.map(right, range(200)))


NORMALISED = """
func.func @main(%x: tensor<300x70xf32>, %v: tensor<70xf32>) -> tensor<300x70xf32> {
  %r = stablehlo.rsqrt %v : tensor<70xf32>
  %b = stablehlo.broadcast_in_dim %r, dims = [1] : (tensor<70xf32>) -> tensor<300x70xf32>
  %y = stablehlo.multiply %x, %b : tensor<300x70xf32>
  return %y : tensor<300x70xf32>
}
"""


def test_roots_are_computed_before_they_are_broadcast_over_rows() -> None:
    program = hlo2tiny.load(NORMALISED, device="CPU")
    kernels = [kernel.body for step in program.plan.kernels() for kernel in render_region(step).kernels]
    assert ["sqrt" in body for body in kernels] == [True, False]
    rng = np.random.default_rng(0)
    x, v = rng.standard_normal((300, 70)).astype(np.float32), rng.random(70).astype(np.float32)
    np.testing.assert_allclose(program.numpy(x, v)[0], x / np.sqrt(v.astype(np.float64)), 2e-7)


FORK = """
import os, sys
sys.path[:0] = {path!r}
from targets.c.test_native import LARGE, large_inputs, large_results
import hlo2tiny, numpy as np
program = hlo2tiny.load(LARGE, device="CPU")
x, y = large_inputs()
program.numpy(x, y)
child = os.fork()
right = all(map(np.array_equal, program.numpy(x, y), large_results(x, y)))
if not child:
    os._exit(0 if right else 1)
assert right and os.waitpid(child, 0)[1] == 0
"""


@pytest.mark.skipif(not hasattr(os, "fork"), reason="there is no fork on this system")
def test_a_forked_process_runs_alone() -> None:
    """It has the program, and no threads of its own."""
    subprocess.run([sys.executable, "-c", FORK.format(path=sys.path)], check=True, timeout=120)


ENDLESS = """func.func @main(%x: tensor<i32>) -> tensor<i32> {
  %r = stablehlo.while(%i = %x) : tensor<i32>
  cond {
    %p = stablehlo.compare EQ, %i, %i : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %p : tensor<i1>
  } do {
    %j = stablehlo.add %i, %i : tensor<i32>
    stablehlo.return %j : tensor<i32>
  }
  return %r : tensor<i32>
}"""


def straight(count: int) -> str:
    """Products for minutes, one after the other."""
    square = "tensor<2500x2500xf32>"
    lines = [
        f"  %{i + 1} = stablehlo.dot %{i}, %x : ({square}, {square}) -> {square}".replace("%0,", "%x,")
        for i in range(count)
    ]
    body = "\n".join(lines)
    return f"func.func @main(%x: {square}) -> {square} {{\n{body}\n  return %{count} : {square}\n}}"


INTEGER_DOT = """
func.func @main(%x: tensor<20x30x{left}>, %y: tensor<25x30x{right}>) -> tensor<20x25x{result}> {{
  %t = stablehlo.transpose %y, dims = [1, 0] : (tensor<25x30x{right}>) -> tensor<30x25x{right}>
  %r = stablehlo.dot_general %x, %t, contracting_dims = [1] x [0]
    : (tensor<20x30x{left}>, tensor<30x25x{right}>) -> tensor<20x25x{result}>
  return %r : tensor<20x25x{result}>
}}
"""


@pytest.mark.sampled(3)
@pytest.mark.parametrize(
    ("left", "right", "result"),
    [
        ("i32", "i32", "i32"), ("i8", "i8", "i32"), ("ui8", "i8", "i32"), ("i8", "ui8", "ui32"), ("i16", "i8", "i16"),
        ("ui32", "ui32", "ui32"), ("i8", "i8", "i8"), ("i32", "i16", "ui8"), ("i64", "i8", "i32"), ("i64", "i8", "i64"),
    ],
)  # fmt: skip
def test_products_of_integers_wrap(left: str, right: str, result: str) -> None:
    program = hlo2tiny.load(INTEGER_DOT.format(left=left, right=right, result=result), device="CPU")
    assert any(isinstance(step, Gemm) for step in program.plan.main.steps) == (result != "i64")
    random = np.random.default_rng(0)
    limits = [np.iinfo(i.dtype) for i in program.inputs]
    arrays = [random.integers(r.min, r.max, i.shape, i.dtype, True) for r, i in zip(limits, program.inputs)]
    expected = (arrays[0].astype(np.int64) @ arrays[1].T.astype(np.int64)).astype(program.outputs[0].dtype)
    np.testing.assert_array_equal(program.numpy(*arrays)[0], expected)


BYTES_DOT = """
func.func @main(%x: tensor<{left}>, %y: tensor<{right}>) -> tensor<{result}xi32> {{{converted}
  %r = stablehlo.dot_general {operands}, batching_dims = [{batch}] x [{batch}],
    contracting_dims = [{a}] x [{b}] : ({types}) -> tensor<{result}xi32>
  return %r : tensor<{result}xi32>
}}
"""


@given(
    st.tuples(*[st.sampled_from([1, 2, 5, 12, 16, 37, 64, 130])] * 3),
    st.tuples(*[st.sampled_from(["i8", "ui8"])] * 2),
    st.tuples(*[st.booleans()] * 2),
    st.sampled_from([0, 3]),
    st.booleans(),
)
def test_products_of_bytes(
    sizes: tuple[int, int, int], types: tuple[str, str], turned: tuple[bool, bool], batch: int, wide: bool
) -> None:
    """In every layout; also where the program converts them before."""
    m, n, k = sizes
    shapes = [[batch] * bool(batch) + s[:: -1 if t else 1] for s, t in zip(([m, k], [k, n]), turned)]
    written = ["x".join(map(str, [*s, t])) for s, t in zip(shapes, types)]
    converted = ["x".join(map(str, [*s, "i32"])) for s in shapes]
    lines = [
        f"  %{to} = stablehlo.convert %{x} : (tensor<{before}>) -> tensor<{after}>"
        for to, x, before, after in zip("ab", "xy", written, converted)
    ]
    first = int(batch > 0)
    text = BYTES_DOT.format(
        left=written[0], right=written[1], result="x".join(map(str, [batch] * first + [m, n])),
        converted="\n" + "\n".join(lines) if wide else "", operands="%a, %b" if wide else "%x, %y",
        batch="0" * first, a=first + (not turned[0]), b=first + turned[1],
        types=", ".join(f"tensor<{t}>" for t in (converted if wide else written)),
    )  # fmt: skip
    program, random = hlo2tiny.load(text, device="CPU"), np.random.default_rng(m + n + k)
    arrays = [random.integers(0, 256, s).astype(np.uint8).view(t.replace("i", "int")) for s, t in zip(shapes, types)]
    a, b = (np.swapaxes(x, -1, -2) if t else x for x, t in zip(arrays, turned))
    np.testing.assert_array_equal(program.numpy(*arrays)[0], a.astype(np.int32) @ b.astype(np.int32))


# One kernel, for many seconds.
INTEGERS = """func.func @main(%x: tensor<5000x5000xi64>) -> tensor<5000x5000xi64> {
  %r = stablehlo.dot %x, %x : (tensor<5000x5000xi64>, tensor<5000x5000xi64>) -> tensor<5000x5000xi64>
  return %r : tensor<5000x5000xi64>
}"""

INTERRUPTED = """
import hlo2tiny, numpy, signal, sys, threading
program = hlo2tiny.load(sys.stdin.read(), device="CPU")
program.compile()
arguments = [numpy.ones(i.shape, i.dtype) for i in program.inputs]
signal.alarm(60)
signal.signal(signal.SIGINT, signal.default_int_handler)  # a shell's background jobs ignore it
try:
    print("running", flush=True)
    program.numpy(*arguments)
except KeyboardInterrupt:
    print("interrupted", *(thread.name for thread in threading.enumerate() if thread.name == sys.argv[1]))
"""


@pytest.mark.sampled(3)
@pytest.mark.skipif(sys.platform == "win32", reason="signals are another matter there")
@pytest.mark.parametrize(
    ("text", "left"),
    [(ENDLESS, ""), (straight(1500), ""), (INTEGERS, "hlo2tiny")],
    ids=["an endless loop", "a long way", "a long kernel, which is left behind"],
)
def test_control_c_ends_a_run(text: str, left: str) -> None:
    process = subprocess.Popen(
        [sys.executable, "-c", INTERRUPTED, left], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )
    assert process.stdin is not None and process.stdout is not None
    process.stdin.write(text)
    process.stdin.close()
    process.stdin = None
    assert process.stdout.readline() == "running\n"
    time.sleep(1)  # it is in native code then, though an earlier signal would do as well
    process.send_signal(signal.SIGINT)
    assert process.communicate(timeout=50)[0].split() == ["interrupted", *left.split()] and process.returncode == 0


SOFTMAX = """
func.func @main(%x: tensor<8x40xf32>) -> tensor<8x40xf32> {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %e = stablehlo.exponential %x : tensor<8x40xf32>
  %s = stablehlo.reduce(%e init: %zero) applies stablehlo.add across dimensions = [1]
    : (tensor<8x40xf32>, tensor<f32>) -> tensor<8xf32>
  %b = stablehlo.broadcast_in_dim %s, dims = [0] : (tensor<8xf32>) -> tensor<8x40xf32>
  %r = stablehlo.divide %e, %b : tensor<8x40xf32>
  return %r : tensor<8x40xf32>
}
"""


def test_exponentials_that_are_summed_and_divided_are_computed_once() -> None:
    program = hlo2tiny.load(SOFTMAX, device="CPU")
    (step,) = program.plan.kernels()
    sources = [kernel.body for kernel in render_region(step).kernels]
    assert sum(source.count("exp_f(") for source in sources) == 1
    x = np.random.default_rng(0).standard_normal((8, 40)).astype(np.float32)
    e = np.exp(x.astype(float))
    np.testing.assert_allclose(program.numpy(x)[0], e / e.sum(1, keepdims=True), rtol=1e-6)


LOOP = """
func.func @main(%x: tensor<64xf32>) -> tensor<f32> {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %begin = stablehlo.constant dense<0.0> : tensor<f32>
  %r:2 = stablehlo.while(%i = %zero, %s = %begin) : tensor<i32>, tensor<f32>
   cond {
    %n = stablehlo.constant dense<9> : tensor<i32>
    %c = stablehlo.compare LT, %i, %n : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %c : tensor<i1>
  } do {
    %one = stablehlo.constant dense<1> : tensor<i32>
    %j = stablehlo.add %i, %one : tensor<i32>
    %b = stablehlo.broadcast_in_dim %s, dims = [] : (tensor<f32>) -> tensor<64xf32>
    %y = stablehlo.cosine %b : tensor<64xf32>
    %z = stablehlo.multiply %y, %x : tensor<64xf32>
    %t = stablehlo.reduce(%z init: %begin) applies stablehlo.OP across dimensions = [0]
       : (tensor<64xf32>, tensor<f32>) -> tensor<f32>
    stablehlo.return %j, %t : tensor<i32>, tensor<f32>
  }
  return %r#1 : tensor<f32>
}
"""


@pytest.mark.parametrize(("op", "less"), [("add", False), ("maximum", True)])
def test_only_drivers_without_sums_are_optimised_less(op: str, less: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    """The order in which vectors of terms are added depends on it, and with that the last bits of a sum."""
    added = list[tuple[str, tuple[str, ...]]]()
    monkeypatch.setattr(linking.Build, "add", lambda build, text, *options: added.append((text, options)))
    with pytest.raises(NotBuilt):  # nothing is compiled
        plan = hlo2tiny.load(LOOP.replace("OP", op), "CPU").plan
        native.compile(plan, "CPU", {}, lambda done, total: None, 1)
    (options,) = [options for text, options in added if "run_plan" in text]
    assert options == (("-O2",) if less else ())


@pytest.mark.parametrize("donated", [False, True])
@pytest.mark.parametrize("size", [1 << 18, (1 << 18) + 13_001, 1000])
def test_threads_share_large_copies(size: int, donated: bool) -> None:
    """A result that starts as a copy of an argument, which a call may also pass for a donated one."""
    text = f"""func.func @main(%x: tensor<{size}xf32>, %u: tensor<3xf32>, %i: tensor<i32>) -> tensor<{size}xf32> {{
      %r = stablehlo.dynamic_update_slice %x, %u, %i : (tensor<{size}xf32>, tensor<3xf32>, tensor<i32>)
           -> tensor<{size}xf32>
      return %r : tensor<{size}xf32>
    }}"""
    program = hlo2tiny.load(text, device="CPU", threads=2, donate=[0] if donated else [])
    assert native.render_plan(program.plan, lambda *_: None, 2).shares_copies == (size > 1000)
    x, u, out = np.random.default_rng(0).random(size, np.float32), np.ones(3, np.float32), np.empty(size, np.float32)
    expected = x.copy()
    expected[size - 3 :] = 1
    (found,) = program.numpy(x, u, np.int32(size), out=[out])
    np.testing.assert_array_equal(found, expected)
