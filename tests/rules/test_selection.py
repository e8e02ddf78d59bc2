"""Selecting slices by an index tensor, against numpy.take."""

from __future__ import annotations

from typing import Any

import numpy as np
from hypothesis import strategies as st

from .cases import case, new_tests
from .mlir import Call
from .numbers import FLOATS, INTEGERS, boolean, c64, f32, i4, i32, i64, random, seeds, u8, u32


def index_select(x: np.ndarray, index: np.ndarray, *, dim: int, batch_dims: int) -> Any:
    if batch_dims:
        rows = [index_select(a, i, dim=dim - 1, batch_dims=batch_dims - 1) for a, i in zip(x, index)]
        return np.stack(rows)
    return np.take(x, index.astype(i64), dim, mode="clip")


def call(
    shape: tuple[int, ...], index: tuple[int, ...], dim: int, batch: int, dtype: Any = f32, kind: Any = i32
) -> Call:
    """Indices, some of them out of bounds."""
    places = np.random.default_rng(0).integers(-3 if kind in (i32, i64) else 0, shape[dim] + 3, index).astype(kind)
    return Call([random(len(shape), shape, dtype), places], {"dim": dim, "batch_dims": batch})


def wrong(shape: tuple[int, ...], index: tuple[int, ...], dim: int, batch: int) -> Call:
    return Call([np.zeros(shape, f32), np.zeros(index, i32)], {"dim": dim, "batch_dims": batch}, "tensor<2xf32>")


case(
    "stablehlo.torch_index_select",
    ref=index_select,
    draw=st.builds(
        lambda seed, dim, size: call((2, 3, 4), (size,), dim, 0), seeds, st.integers(0, 2), st.integers(0, 3)
    ),
    examples=[
        *(call((3, 4), (5,), 1, 0, dtype) for dtype in (*FLOATS, *INTEGERS, boolean, c64, i4)),
        *(call((3, 4), (5,), 0, 0, kind=kind) for kind in (i32, i64, u8, u32)),
        call((3,), (), 0, 0),
        call((3,), (2, 2), 0, 0),
        call((2, 3, 4), (2, 5), 1, 1),
        call((2, 3, 4), (2, 5), 2, 1),
        call((2, 3, 4), (2, 3, 2, 2), 2, 2),
        call((2, 3, 4), (2, 3), 2, 2),
        call((2, 3), (0,), 1, 0),
        call((0, 3), (2,), 1, 0),
    ],
    errors=[
        (wrong((2, 3), (2,), 2, 0), "dim 2"),
        (wrong((2, 3), (2,), -1, 0), "dim -1"),
        (wrong((2, 3), (2,), 0, 1), "batch_dims 1"),
        (wrong((2, 3), (), 1, 1), "batch_dims 1"),
        (wrong((2, 3), (3,), 1, 1), "batch dimensions"),
    ],
    disagree={
        "interpreter": "has no torch_index_select",
        "xla": ("reads indices of i64 as ui32, negative ones too", lambda c: c.operands[1].dtype == i64),
    },
)

test_drawn, test_examples, test_errors = new_tests()
