"""Integer arithmetic beyond the width of a type, against Python's integers."""

from __future__ import annotations

import numpy as np
from hypothesis import strategies as st

from .cases import case, new_tests
from .mlir import Call
from .numbers import INTEGERS, crossed, i4, i8, random, seeds, shapes, special, u4


def upper_half(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    bits = 4 if a.dtype in (i4, u4) else 8 * a.dtype.itemsize
    wide = (x.astype(np.int64).astype(object) if bits == 4 else x.astype(object) for x in (a, b))
    product = np.asarray(next(wide) * next(wide)) >> bits
    return np.asarray(product).astype(np.int64 if bits == 4 else a.dtype).astype(a.dtype)


case(
    "chlo.mulhi",
    ref=upper_half,
    draw=st.builds(
        lambda seed, shape, dtype: Call([random(seed + i, shape, dtype) for i in (0, 1)]),
        seeds,
        shapes(),
        st.sampled_from(INTEGERS),
    ),
    examples=[
        *(Call(crossed(special(dtype), special(dtype))) for dtype in (*INTEGERS, i4, u4)),
        *(Call([random(i, (100,), dtype) for i in (0, 1)]) for dtype in INTEGERS[-2:]),
        Call([np.zeros((0, 2), i8)] * 2),
        Call([np.array(100, i8)] * 2),
    ],
    errors=[(Call([np.zeros(3, i8), np.zeros(3, np.uint8)], results="tensor<3xi8>"), "expected elements of i8")],
    disagree={"xla": ("shifts products of 4-bit numbers by 8", lambda c: c.operands[0].dtype in (i4, u4))},
)

test_drawn, test_examples, test_errors = new_tests()
