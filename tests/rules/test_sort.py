"""Sorting: stable, by the comparator."""

from __future__ import annotations

from functools import cmp_to_key
from typing import Any

import numpy as np
from hypothesis import strategies as st

from .bodies import compared
from .cases import case, new_tests
from .mlir import Call
from .numbers import bf16, f32, f64, i4, i8, i32, random, seeds, shapes, special, u64


def ordered(*xs: np.ndarray, dimension: int, is_stable: bool, comparator: Any) -> list[np.ndarray]:
    results = [x.copy() for x in xs]
    rows = [np.moveaxis(x, dimension, -1) for x in results]
    for at in np.ndindex(rows[0].shape[:-1]):

        def compare(i: int, j: int, at: tuple[int, ...] = at) -> int:
            pair = [row[at][n] for row in sources for n in (i, j)]
            swapped = [row[at][n] for row in sources for n in (j, i)]
            return -1 if comparator(*pair) else 1 if comparator(*swapped) else 0

        sources = [row.copy() for row in rows]
        order = sorted(range(rows[0].shape[-1]), key=cmp_to_key(compare))
        for row, source in zip(rows, sources):
            row[at] = source[at][order]
    return results


def sorting(*xs: np.ndarray, axis: int = 0, direction: str = "LT", kind: str = "") -> Call:
    body = compared(xs[0].dtype, direction, len(xs), kind)
    return Call(xs, {"dimension": axis, "is_stable": True, "comparator": body})


case(
    "stablehlo.sort",
    draw=st.builds(
        lambda seed, shape, dtype, last, direction: sorting(
            random(seed, shape, dtype, -2, 2), axis=(len(shape) - 1) * last, direction=direction
        ),
        seeds,
        shapes(1),
        st.sampled_from([f32, i8, u64, bf16, i4, f64]),
        st.booleans(),
        st.sampled_from(["LT", "GT"]),
    ),
    ref=ordered,
    examples=[
        # Equal keys keep their order: the second operand tells.
        sorting(np.array([2, 1, 2, 1, 1, 2, 0], i32), np.arange(7, dtype=i32)),
        sorting(np.array([2, 1, 2, 1, 1, 2, 0], i32), np.arange(7, dtype=i32), direction="GT"),
        sorting(np.array([0.0, -0.0, 1, -0.0, 0.0], f32), np.arange(5, dtype=f32)),
        sorting(special(f32)[np.isfinite(special(f32))]),
        sorting(random(3, (3, 17), f32), axis=1),
        sorting(random(3, (5, 2), bf16), random(4, (5, 2), bf16), axis=0, direction="GT"),
        sorting(np.zeros((0,), f32)),
        sorting(np.array([1.0], f32)),
    ],
)


def top(x: np.ndarray, k: int) -> list[np.ndarray]:
    """By the value, NaN first, then by the place."""
    sizes = np.where(np.isnan(x), np.inf, x.astype(f64)) if x.dtype.kind == "f" else x.astype(object)
    order = np.argsort(-sizes, -1, kind="stable")[..., :k].astype(i32)
    return [np.take_along_axis(x, order, -1), order]


case(
    "chlo.top_k",
    draw=st.builds(
        lambda seed, n, k: Call([random(seed, (2, n), f32)], {"k": min(n, k)}),
        seeds,
        st.integers(1, 6),
        st.integers(1, 6),
    ),
    ref=top,
    examples=[
        Call([np.array([1, 3, 3, np.nan, -1], f32)], {"k": 3}),
        Call([np.array([[1, 3, 3, -128, 127]], i8)], {"k": 5}),
    ],
)

test_drawn, test_examples, test_errors = new_tests()
