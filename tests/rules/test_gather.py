"""Reading and writing at indices known at run time: reads clamp, writes out of bounds are dropped, in order."""

from __future__ import annotations

from typing import Any

import numpy as np
from hypothesis import strategies as st

from .bodies import binary, mixed, second
from .cases import case, new_tests
from .mlir import Body, Call
from .numbers import bf16, c64, f32, i4, i8, i32, i64, random, seeds, u8

FAR = [-(2**31), -1, 0, 1, 2, 3, 2**31 - 1]
far = st.sampled_from(FAR)


def starts(*values: int, dtype: np.dtype = i32) -> list[np.ndarray]:
    return [np.asarray(v, dtype) for v in values]


def clamped(start: Any, size: int, length: int) -> int:
    return min(max(int(start), 0), size - length)


def part(x: np.ndarray, *at: np.ndarray, slice_sizes: tuple[int, ...]) -> np.ndarray:
    first = [clamped(a, s, n) for a, s, n in zip(at, x.shape, slice_sizes)]
    return x[tuple(slice(f, f + n) for f, n in zip(first, slice_sizes))].copy()


case(
    "stablehlo.dynamic_slice",
    draw=st.builds(
        lambda seed, dtype, i, j: Call([random(seed, (3, 4), dtype), *starts(i, j)], {"slice_sizes": (2, 1)}),
        seeds,
        st.sampled_from([f32, bf16, c64, u8, i4]),
        far,
        far,
    ),
    ref=part,
    examples=[
        *(Call([random(1, (4,), f32), *starts(i)], {"slice_sizes": (2,)}) for i in FAR),
        Call([random(1, (4,), f32), *starts(2**62, dtype=i64)], {"slice_sizes": (2,)}),
        Call([random(1, (4,), f32), *starts(255, dtype=u8)], {"slice_sizes": (2,)}),
        Call([random(1, (4,), f32), *starts(-128, dtype=i8)], {"slice_sizes": (4,)}),
        Call([random(1, (), f32)], {"slice_sizes": ()}),
        Call([random(1, (3,), f32), *starts(1)], {"slice_sizes": (0,)}),
    ],
)


def updated(x: np.ndarray, new: np.ndarray, *at: np.ndarray) -> np.ndarray:
    first = [clamped(a, s, n) for a, s, n in zip(at, x.shape, new.shape)]
    result = x.copy()
    result[tuple(slice(f, f + n) for f, n in zip(first, new.shape))] = new
    return result


case(
    "stablehlo.dynamic_update_slice",
    draw=st.builds(
        lambda seed, dtype, i, j: Call([random(seed, (3, 4), dtype), random(seed + 1, (2, 1), dtype), *starts(i, j)]),
        seeds,
        st.sampled_from([f32, bf16, c64, u8]),
        far,
        far,
    ),
    ref=updated,
    examples=[
        *(Call([random(1, (4,), f32), random(2, (2,), f32), *starts(i)]) for i in FAR),
        Call([random(1, (), f32), random(2, (), f32)]),
        Call([random(1, (3,), f32), random(2, (0,), f32), *starts(1)]),
    ],
)

ROWS = "offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1"


def rows(x: np.ndarray, at: np.ndarray) -> Call:
    """x[at], rows by clamped indices."""
    return Call(
        [x, at],
        {
            "dimension_numbers": f"#stablehlo.gather<{ROWS}>",
            "slice_sizes": (1, x.shape[1]),
            "indices_are_sorted": False,
        },
        result=lambda x, at, **_: x[np.clip(at.astype(object), 0, x.shape[0] - 1).astype(int)],
    )


def patches(x: np.ndarray, at: np.ndarray) -> Call:
    """x[:, i:i+2, j:j+2] for each pair (i, j) along the first axis of `at`."""
    text = "offset_dims = [0, 2, 3], start_index_map = [1, 2], index_vector_dim = 0"

    def result(x: np.ndarray, at: np.ndarray, **_: Any) -> np.ndarray:
        corners = [[clamped(i, s, 2) for i, s in zip(pair, x.shape[1:])] for pair in at.T]
        return np.stack([x[:, i : i + 2, j : j + 2] for i, j in corners], 1)

    return Call(
        [x, at], {"dimension_numbers": f"#stablehlo.gather<{text}>", "slice_sizes": (x.shape[0], 2, 2)}, result=result
    )


def batched(x: np.ndarray, at: np.ndarray) -> Call:
    """x[b, at[b, n]]."""
    text = "operand_batching_dims = [0], start_indices_batching_dims = [0], collapsed_slice_dims = [1], "
    text += "start_index_map = [1], index_vector_dim = 2"
    return Call(
        [x, at],
        {"dimension_numbers": f"#stablehlo.gather<{text}>", "slice_sizes": (1, 1)},
        result=lambda x, at, **_: np.take_along_axis(x, np.clip(at, 0, x.shape[1] - 1), 1),
    )


indices = st.lists(far, min_size=1, max_size=4)
case(
    "stablehlo.gather",
    draw=st.builds(
        lambda seed, dtype, at: rows(random(seed, (3, 2), dtype), np.array(at, i32)),
        seeds,
        st.sampled_from([f32, bf16, c64, u8, i4]),
        indices,
    ),
    ref=None,
    examples=[
        rows(random(1, (3, 2), f32), np.array(FAR, i32)),
        rows(random(1, (3, 2), f32), np.array([2**62, -(2**62), 1], i64)),
        rows(random(1, (3, 2), f32), np.array([255, 1], u8)),
        rows(random(1, (3, 2), f32), np.zeros((0,), i32)),
        patches(random(1, (2, 4, 5), f32), np.array([[0, 2, 9, -5], [1, 3, 9, 0]], i32)),
        batched(random(1, (2, 4), f32), np.array([[3, 0, 9], [1, 1, -2]], i32)),
    ],
)


def scattered(x: np.ndarray, at: np.ndarray, new: np.ndarray, body: Body) -> Call:
    """x[at] = body(x[at], new), one row after another."""
    text = (
        "update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1"
    )

    def result(x: np.ndarray, at: np.ndarray, new: np.ndarray, update_computation: Any, **_: Any) -> np.ndarray:
        y = x.copy()
        for n, i in enumerate(at):
            for j in range(x.shape[1] if 0 <= i < x.shape[0] else 0):
                (y[i, j],) = update_computation(np.asarray(y[i, j]), np.asarray(new[n, j]))
        return y

    attributes = {
        "scatter_dimension_numbers": f"#stablehlo.scatter<{text}>",
        "indices_are_sorted": False,
        "unique_indices": False,
        "update_computation": body,
    }
    return Call([x, at, new], attributes, result=result)


DUPLICATES = [1, 1, -1, 0, 3, 1, 2**31 - 1, -(2**31)]


def each(dtype: np.dtype, body: Body, at: list[int] = DUPLICATES, seed: int = 0) -> Call:
    whole = [
        np.round(random(seed + i, s, dtype)) if dtype.kind in "fc" else random(seed + i, s, dtype)
        for i, s in enumerate([(3, 2), (len(at), 2)])
    ]
    return scattered(whole[0], np.array(at, i32), whole[1], body)


case(
    "stablehlo.scatter",
    draw=st.builds(
        lambda seed, dtype, at, replace: each(
            dtype, second(dtype) if replace else binary("stablehlo.add", dtype, np.add), at, seed
        ),
        seeds,
        st.sampled_from([f32, bf16, u8, c64]),
        indices,
        st.booleans(),
    ),
    ref=None,
    examples=[
        each(f32, second(f32)),
        each(f32, binary("stablehlo.add", f32, np.add)),
        each(i32, mixed(i32)),
        each(u8, binary("stablehlo.multiply", u8, np.multiply)),
        each(i32, binary("stablehlo.maximum", i32, np.maximum)),
        each(c64, second(c64)),
        each(f32, second(f32), []),
    ],
)

test_drawn, test_examples, test_errors = new_tests()
