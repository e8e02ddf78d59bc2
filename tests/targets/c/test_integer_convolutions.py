"""Convolutions of integers are computed as products of matrices, whatever their layout is."""

from __future__ import annotations

import numpy as np
import pytest

import hlo2tiny
from hlo2tiny.plan.plan import Gemm, Kernels

LAST, FIRST, LINE = ("NHWC", "HWIO", "NHWC"), ("NCHW", "OIHW", "NCHW"), ("NWC", "WIO", "NWC")
FORMS = {
    # input, kernel, strides, padding, layouts, dilation of the input, of the window, groups
    "features last": ((2, 10, 11, 8), (3, 3, 8, 6), 1, "SAME", LAST, 1, 1, 1),
    "features first, strided": ((2, 9, 17, 15), (10, 9, 3, 2), 2, [(1, 2), (0, 3)], FIRST, 1, 1, 1),
    "dilated": ((1, 14, 15, 6), (5, 3, 6, 4), 1, "VALID", LAST, 1, 2, 1),
    "transposed": ((1, 9, 8, 6), (4, 4, 6, 8), 1, [(2, 2), (2, 3)], LAST, 2, 1, 1),
    "in groups": ((2, 10, 11, 12), (3, 3, 4, 15), 1, "SAME", LAST, 1, 1, 3),
    "groups first": ((1, 12, 10, 9), (12, 4, 3, 3), (2, 1), "SAME", FIRST, 1, 1, 3),
    "features alone": ((1, 12, 13, 24), (3, 3, 1, 24), 1, "SAME", LAST, 1, 1, 24),
    "one element": ((2, 7, 8, 16), (1, 1, 16, 9), 1, "SAME", LAST, 1, 1, 1),
    "one element, strided": ((2, 7, 8, 16), (1, 1, 16, 9), 2, "VALID", LAST, 1, 1, 1),
    "a line, cropped": ((2, 100, 5), (7, 5, 6), 1, [(-2, 3)], LINE, 1, 1, 1),
    "to one feature": ((1, 1, 300), (1, 1, 31), 1, "SAME", ("NCW", "OIW", "NCW"), 1, 1, 1),
}
TYPES = (("i1", 8, 32), ("u1", 8, 32), ("i1", 8, 8), ("i2", 16, 32), ("i4", 32, 32))


@pytest.mark.sampled(4, ci=2)
@pytest.mark.parametrize("kind, bits, result", TYPES)
@pytest.mark.parametrize("form", FORMS.values(), ids=FORMS.keys())
def test_integers_are_convolved_exactly(form: tuple, kind: str, bits: int, result: int) -> None:
    import jax

    shape, kernel, strides, padding, layouts, base, window, groups = form
    rank, rng = len(shape) - 2, np.random.default_rng(0)
    low, high = (0, 1 << bits) if kind[0] == "u" else (-(1 << bits - 1), 1 << bits - 1)
    x, w = (rng.integers(low, high, sizes).astype(kind) for sizes in (shape, kernel))
    many = lambda each: each if isinstance(each, tuple) else (each,) * rank

    def convolve(x, w, element):
        how = many(strides), padding, many(base), many(window), layouts, groups
        return jax.lax.conv_general_dilated(x, w, *how, preferred_element_type=element)

    with jax.enable_x64(True):
        function = jax.jit(lambda x, w: convolve(x, w, f"int{result}"))
        text = str(jax.export.export(function)(x, w).mlir_module())
        expected = np.asarray(convolve(x.astype("i8"), w.astype("i8"), "int64")).astype(f"i{result // 8}")
    program = hlo2tiny.load(text, device="CPU")
    np.testing.assert_array_equal(program.numpy(x, w)[0], expected)
    steps = program.plan.main.steps
    if groups < 24 and 31 not in kernel:  # others are sums of vectors
        assert any(isinstance(step, Gemm) for step in steps)
        assert not any(op.name == "stablehlo.convolution" for s in steps if isinstance(s, Kernels) for op in s.ops)
