"""Ops that make or move data."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
from hypothesis import strategies as st

from .cases import case, new_tests
from .mlir import Call
from .numbers import bf16, boolean, c64, c128, f16, f32, f64, i4, i8, i16, i32, i64, random, seeds, shapes, u8, u64

DTYPES = [f32, i32, boolean, bf16, c64, i8, f64, u8, i64, f16, c128, u64, i16]
dtypes = st.sampled_from(DTYPES)


def one_of_each(*shape: int) -> list[np.ndarray]:
    """The same shape in each element type that moves differently."""
    return [random(1, shape, dtype) for dtype in (f32, i4, boolean, bf16, c64)]


# ---------------------------------------------------------------- constant, iota


@st.composite
def constants(draw: Any) -> Call:
    dtype = draw(st.sampled_from([f32, i32, boolean, bf16, i8, f64, u8, i64, f16, u64, i16]))
    return Call([], {"value": random(draw(seeds), draw(shapes()), dtype)})


case(
    "stablehlo.constant",
    draw=constants(),
    ref=lambda value: value,
    examples=[
        Call([], {"value": np.array([1.5, -0.0, 3e-39], f32)}),
        Call([], {"value": np.zeros((0, 3), f32)}),
        Call([], {"value": np.full((3, 2), 7, i8)}),
        Call([], {"value": np.array([-128, 127], i8)}),
        Call([], {"value": np.arange(40, dtype=i64).reshape(4, 10) - 2**62}),
        Call([], {"value": np.array(2**64 - 1, u64)}),
    ],
)


@st.composite
def iotas(draw: Any) -> Call:
    shape, dtype = draw(shapes(1)), draw(st.sampled_from([f32, i32, bf16, c64, i8, u8, i64, f16, u64]))
    axis = draw(st.integers(0, len(shape) - 1))
    return iota(shape, axis, dtype)


def iota(shape: tuple[int, ...], axis: int, dtype: np.dtype) -> Call:
    line = np.arange(shape[axis]).reshape([-1 if d == axis else 1 for d in range(len(shape))])
    return Call([], {"iota_dimension": axis}, result=lambda iota_dimension: np.broadcast_to(line, shape).astype(dtype))


case(
    "stablehlo.iota",
    draw=iotas(),
    ref=None,
    examples=[iota((3, 300), 1, u8), iota((0,), 0, f32), iota((2, 1), 0, i4), iota((2, 3), 1, c64)],
    errors=[(Call([], {"iota_dimension": 2}, "tensor<3x2xf32>"), "")],
)


# ---------------------------------------------------------------- shape


def reshaped(x: np.ndarray, *shape: int) -> Call:
    return Call([x], result=lambda x: x.reshape(shape))


case(
    "stablehlo.reshape",
    draw=st.builds(
        lambda seed, shape, dtype, flat: reshaped(random(seed, shape, dtype), *((-1,) if flat else (*shape[::-1], 1))),
        seeds,
        st.lists(st.integers(0, 4), max_size=3),
        dtypes,
        st.booleans(),
    ),
    ref=None,
    examples=[reshaped(random(0, (1, 1), f32)), reshaped(random(0, (0, 3), f32), 5, 0), reshaped(random(0, (), i4), 1)],
    errors=[(Call([random(0, (2, 3), f32)], results="tensor<4xf32>"), "")],
)


@st.composite
def transposes(draw: Any) -> Call:
    shape = draw(shapes())
    order = draw(st.permutations(range(len(shape))))
    return Call([random(draw(seeds), shape, draw(dtypes))], {"permutation": tuple(order)})


case(
    "stablehlo.transpose",
    draw=transposes(),
    ref=lambda x, permutation: np.transpose(x, permutation),
    examples=[
        *(Call([x], {"permutation": (1, 2, 0)}) for x in one_of_each(2, 3, 4)),
        Call([random(0, (), f32)], {"permutation": ()}),
    ],
    errors=[
        (
            Call([random(0, (2, 3), f32)], {"permutation": (1, 0)}, "tensor<2x3xf32>"),
            "declared type is tensor<2x3xf32>",
        ),
        (Call([random(0, (2, 3), f32)], {"permutation": (0,)}, "tensor<2x3xf32>"), ""),
    ],
)


def broadcast(x: np.ndarray, dims: tuple[int, ...], *shape: int) -> Call:
    def result(x: np.ndarray, broadcast_dimensions: tuple[int, ...]) -> np.ndarray:
        order = np.argsort(broadcast_dimensions)
        aligned = [1] * len(shape)
        for axis, d in enumerate(dims):
            aligned[d] = x.shape[axis]
        return np.broadcast_to(x.transpose(order).reshape(aligned), shape).copy()

    return Call([x], {"broadcast_dimensions": dims}, result=result)


case(
    "stablehlo.broadcast_in_dim",
    draw=st.builds(
        lambda seed, dtype, dims: broadcast(random(seed, [(2, 3, 1)[d] for d in dims], dtype), tuple(dims), 2, 3, 4),
        seeds,
        dtypes,
        st.lists(st.integers(0, 2), max_size=3, unique=True),
    ),
    ref=None,
    examples=[
        *(broadcast(x, (2, 0), 3, 2, 4) for x in one_of_each(4, 1)),
        broadcast(random(0, (), f32), (), 2, 2),
        broadcast(random(0, (1,), f32), (0,), 0),
    ],
    errors=[(Call([random(0, (2,), f32)], {"broadcast_dimensions": (0,)}, "tensor<3xf32>"), "")],
)


# ---------------------------------------------------------------- parts


@st.composite
def slices(draw: Any) -> Call:
    shape = draw(shapes())
    bounds = [sorted(draw(st.tuples(*[st.integers(0, size)] * 2))) for size in shape]
    strides = tuple(draw(st.integers(1, 3)) for _ in shape)
    return sliced(random(draw(seeds), shape, draw(dtypes)), [b[0] for b in bounds], [b[1] for b in bounds], strides)


def sliced(x: np.ndarray, starts: Any, limits: Any, strides: Any) -> Call:
    return Call([x], {"start_indices": tuple(starts), "limit_indices": tuple(limits), "strides": tuple(strides)})


case(
    "stablehlo.slice",
    draw=slices(),
    ref=lambda x, start_indices, limit_indices, strides: x[
        tuple(slice(*b) for b in zip(start_indices, limit_indices, strides))
    ],
    examples=[sliced(x, (1, 0), (4, 7), (1, 3)) for x in one_of_each(4, 7)],
    errors=[
        (replace(sliced(random(0, (4,), f32), (0,), limits, (1,)), results="tensor<4xf32>"), message)
        for limits, message in [((4, 4), ""), ((5,), "slices 0:5 of dimension 0")]
    ],
)


@st.composite
def concatenations(draw: Any) -> Call:
    shape, dtype, seed = draw(shapes(1)), draw(dtypes), draw(seeds)
    axis = draw(st.integers(0, len(shape) - 1))
    sizes = draw(st.lists(st.integers(0, 3), min_size=1, max_size=3))
    parts = [(*shape[:axis], size, *shape[axis + 1 :]) for size in sizes]
    return Call([random(seed + i, part, dtype) for i, part in enumerate(parts)], {"dimension": axis})


case(
    "stablehlo.concatenate",
    draw=concatenations(),
    ref=lambda *xs, dimension: np.concatenate(xs, dimension),
    examples=[
        *(Call([x, x[:, :1]], {"dimension": 1}) for x in one_of_each(2, 3)),
        *(
            Call([x, x[:1], x], {"dimension": 0})
            for x in (np.array([-0.0, 0.0, -1.0], kind) for kind in (f32, f16, c64))
        ),
    ],
    errors=[
        (Call([random(0, (2, 2), f32), random(0, (3, 2), f32)], {"dimension": 1}, "tensor<2x4xf32>"), ""),
        (Call([random(0, (2,), f32)] * 2, {"dimension": 0}, "tensor<5xf32>"), "has the shape \\[4\\]"),
        (Call([random(0, (2,), f32)] * 2, {}, "tensor<4xf32>"), "lacks the attribute 'dimension'"),
    ],
)
case(
    "stablehlo.reverse",
    draw=st.builds(
        lambda seed, shape, dtype, last: Call(
            [random(seed, shape, dtype)], {"dimensions": tuple(range(len(shape)))[last:]}
        ),
        seeds,
        shapes(),
        dtypes,
        st.integers(0, 2),
    ),
    ref=lambda x, dimensions: np.flip(x, dimensions),
    examples=[Call([x], {"dimensions": (0, 2)}) for x in one_of_each(2, 3, 2)],
)


@st.composite
def pads(draw: Any) -> Call:
    shape, dtype = draw(shapes()), draw(dtypes)
    interior = [draw(st.integers(0, 2)) for _ in shape]
    low = [draw(st.integers(-1, 2)) for _ in shape]
    # The result's size may not be negative.
    high = [
        draw(st.integers(-max(0, s + (s - 1) * g + e), 2)) if s else draw(st.integers(max(0, -e), 2))
        for s, g, e in zip(shape, interior, low)
    ]
    return padded(random(draw(seeds), shape, dtype), low, high, interior)


def padded(x: np.ndarray, low: Any, high: Any, interior: Any) -> Call:
    names = ("edge_padding_low", "edge_padding_high", "interior_padding")
    return Call([x, random(5, (), x.dtype)], dict(zip(names, map(tuple, (low, high, interior)))))


def pad(x: np.ndarray, value: np.ndarray, edge_padding_low: Any, edge_padding_high: Any, interior_padding: Any) -> Any:
    """Store each element where the specification's definition says."""
    spread = [max(0, (s - 1) * (g + 1) + 1) if s else 0 for s, g in zip(x.shape, interior_padding)]
    result = np.full([s + lo + hi for s, lo, hi in zip(spread, edge_padding_low, edge_padding_high)], value, x.dtype)
    for index in np.ndindex(x.shape):
        at = tuple(lo + i * (g + 1) for i, lo, g in zip(index, edge_padding_low, interior_padding))
        if all(0 <= i < s for i, s in zip(at, result.shape)):
            result[at] = x[index]
    return result


case(
    "stablehlo.pad",
    draw=pads(),
    ref=pad,
    examples=[
        *(padded(x, (-1, 2), (1, -2), (2, 1)) for x in one_of_each(3, 4)),
        padded(random(0, (), f32), (), (), ()),
        padded(random(0, (0,), f32), (2,), (1,), (3,)),
        padded(random(0, (3,), f32), (-4,), (5,), (1,)),
        padded(random(0, (1,), f32), (-3,), (4,), (2,)),
        padded(random(0, (2, 3), f32), (0, -2), (-2, -1), (0, 0)),
    ],
)


# ---------------------------------------------------------------- values that pass through

case(
    "stablehlo.optimization_barrier",
    ref=lambda *xs: list(xs),
    examples=[Call([*one_of_each(2, 3), random(0, (), f64), random(0, (0,), f32)])],
)
case(
    "stablehlo.get_dimension_size",
    ref=lambda x, dimension: np.array(x.shape[dimension], i32),
    examples=[Call([x], {"dimension": 1}) for x in [*one_of_each(2, 3), random(0, (3, 0), f32)]],
)

test_drawn, test_examples, test_errors = new_tests()
