"""Convolutions to few features are computed as products of matrices, too."""

from __future__ import annotations

import numpy as np
import pytest

import hlo2tiny
from hlo2tiny.plan.plan import Convolution, Gemm, Kernels

TO_FEW_FEATURES = {
    # input, kernel, strides, dilation of the window, padding, layouts, groups
    "features last": ((2, 20, 21, 40), (3, 3, 40, 1), 1, 1, "SAME", ("NHWC", "HWIO", "NHWC"), 1),
    "features first": ((2, 20, 15, 16), (3, 20, 3, 5), 1, 1, "SAME", ("NCHW", "OIHW", "NCHW"), 1),
    "cropped": ((2, 13, 15, 20), (5, 3, 20, 2), 1, 1, [(-1, 3), (2, -2)], ("NHWC", "HWIO", "NHWC"), 1),
    "dilated": ((1, 20, 31, 16), (20, 3, 3, 2), 1, 3, "VALID", ("NCHW", "IHWO", "NHWC"), 1),
    "in groups": ((1, 24, 14, 13), (4, 12, 3, 3), 1, 1, "SAME", ("NCHW", "OIHW", "NCHW"), 2),
    "groups last": ((1, 9, 10, 24), (3, 3, 8, 3), 1, 1, "SAME", ("NHWC", "HWIO", "NHWC"), 3),
    "a line": ((4, 9, 200), (1, 9, 3), 1, 1, "SAME", ("NCH", "OIH", "NCH"), 1),
    "less than a vector": ((2, 20, 21, 16), (3, 3, 16, 5), 1, 1, "SAME", ("NHWC", "HWIO", "NHWC"), 1),
    "more": ((2, 33, 20, 21), (15, 33, 3, 3), 1, 1, "SAME", ("NCHW", "OIHW", "NCHW"), 1),
    "more, strided": ((1, 33, 20, 21), (9, 33, 3, 3), 2, 1, "SAME", ("NCHW", "OIHW", "NCHW"), 1),
    "a solid, whose lines stay windows": (
        (1, 9, 11, 13, 5), (5, 5, 3, 5, 2), 1, 1, "SAME", ("NDHWC", "DHWIO", "NDHWC"), 1
    ),
    "strided": ((2, 40, 31, 8), (3, 4, 8, 3), (2, 1), 1, [(1, 3), (0, 2)], ("NHWC", "HWIO", "NHWC"), 1),
    "strided, dilated": ((2, 8, 41, 33), (1, 8, 3, 3), 2, (2, 1), "SAME", ("NCHW", "OIHW", "NCHW"), 1),
}  # fmt: skip
OF_KERNELS = {
    "features last": ((2, 20, 21, 40), (3, 3, 40, 1), 1, 1, "SAME", ("NHWC", "HWIO", "NHWC"), 1),
    "features first": ((2, 12, 15, 16), (3, 12, 3, 5), 1, 1, "SAME", ("NCHW", "OIHW", "NCHW"), 1),
    "strided": ((2, 16, 15, 17), (2, 16, 3, 4), 2, 1, "SAME", ("NCHW", "OIHW", "NCHW"), 1),
    "strided, dilated": ((3, 60, 61, 9), (3, 2, 9, 1), (2, 3), (1, 2), "VALID", ("NHWC", "HWIO", "NHWC"), 1),
    "cropped": ((2, 13, 15, 20), (5, 3, 20, 2), 1, 1, [(-1, 3), (2, -2)], ("NHWC", "HWIO", "NHWC"), 1),
    "a line": ((4, 9, 200), (1, 9, 7), 1, 1, "SAME", ("NCH", "OIH", "NCH"), 1),
}
TYPES = ["float32", "float64", "bfloat16", "float16"]


def convolve(x, w, form: tuple):
    import jax

    *_, strides, dilation, padding, layouts, groups = form
    rank = x.ndim - 2
    strides, dilation = (each if isinstance(each, tuple) else (each,) * rank for each in (strides, dilation))
    return jax.lax.conv_general_dilated(x, w, strides, padding, None, dilation, layouts, groups)


def check(model, *arrays: np.ndarray) -> None:
    """A model's program has no convolution among its kernels and the right results."""
    import jax
    from jax import export

    jitted = jax.jit(model)
    program = hlo2tiny.load(export.export(jitted)(*arrays).mlir_module(), device="CPU")
    steps = program.plan.main.steps
    assert any(isinstance(step, Convolution | Gemm) for step in steps)
    assert not any(op.name == "stablehlo.convolution" for s in steps if isinstance(s, Kernels) for op in s.ops)
    np.testing.assert_array_equal(program.numpy(*arrays)[0], np.asarray(jitted(*arrays)))


@pytest.mark.sampled(6, ci=2)
@pytest.mark.parametrize("dtype", TYPES)
@pytest.mark.parametrize("form", TO_FEW_FEATURES.values(), ids=TO_FEW_FEATURES.keys())
def test_elements_of_the_kernel_become_features(form: tuple, dtype: str) -> None:
    import jax

    rng = np.random.default_rng(0)
    with jax.enable_x64(True):
        x, w = (rng.integers(-2, 3, sizes).astype(jax.numpy.dtype(dtype)) for sizes in form[:2])
        check(lambda x, w: convolve(x, w, form), x, w)


@pytest.mark.sampled(4, ci=2)
@pytest.mark.parametrize("dtype", TYPES)
@pytest.mark.parametrize("form", OF_KERNELS.values(), ids=OF_KERNELS.keys())
def test_gradients_of_kernels_to_few_features_exchange_the_operands(form: tuple, dtype: str) -> None:
    import jax

    rng = np.random.default_rng(0)
    with jax.enable_x64(True):
        x, w = (rng.integers(-1, 2, sizes).astype(jax.numpy.dtype(dtype)) for sizes in form[:2])
        change = rng.integers(-1, 2, jax.eval_shape(lambda x, w: convolve(x, w, form), x, w).shape).astype(x.dtype)
        check(lambda x, change: jax.vjp(lambda w: convolve(x, w, form), w)[1](change)[0], x, change)


@pytest.mark.ci
@pytest.mark.parametrize("name", ["features last", "features first", "more"])
def test_a_batch_is_open_and_its_rows_have_the_same_bits_in_any(name: str) -> None:
    import jax
    from jax import export

    form = (shape, kernel, *_) = TO_FEW_FEATURES[name]
    model, rng = jax.jit(lambda x, w: convolve(x, w, form)), np.random.default_rng(0)
    x, w = (rng.standard_normal(sizes, np.float32) for sizes in ((5, *shape[1:]), kernel))
    (b,) = export.symbolic_shape("b")
    types = [jax.ShapeDtypeStruct(sizes, np.float32) for sizes in ((b, *shape[1:]), kernel)]
    is_open = hlo2tiny.load(export.export(model)(*types).mlir_module(), device="CPU")
    found = []
    for count in (1, 5):
        text = export.export(model)(x[:count], w).mlir_module()
        found.append(hlo2tiny.load(text, device="CPU", batch_invariant=True).numpy(x[:count], w)[0])
        np.testing.assert_allclose(is_open.numpy(x[:count], w)[0], model(x[:count], w), rtol=0, atol=1e-4)
    np.testing.assert_array_equal(found[0], found[1][:1])
