"""Reductions, as folds in the specification's order."""

from __future__ import annotations

from typing import Any

import numpy as np
from hypothesis import strategies as st

from .bodies import binary, compared, mixed
from .cases import case, new_tests
from .mlir import Body, Call
from .numbers import bf16, boolean, c64, f32, f64, i8, i32, is_floating, random, seeds, shapes, special, u8
from .test_elementwise import larger

MONOIDS = {
    "stablehlo.add": (np.add, 0),
    "stablehlo.multiply": (np.multiply, 1),
    "stablehlo.maximum": (lambda a, b: larger(a, b) if is_floating(a.dtype) else np.maximum(a, b), -100),
    "stablehlo.minimum": (lambda a, b: -larger(-a, -b) if is_floating(a.dtype) else np.minimum(a, b), 100),
    "stablehlo.and": (np.bitwise_and, -1),
    "stablehlo.or": (np.bitwise_or, 0),
}


def fold(*operands: np.ndarray, dimensions: tuple[int, ...], body: Any) -> list[np.ndarray]:
    count = len(operands) // 2
    xs, first = operands[:count], operands[count:]
    kept = [d for d in range(xs[0].ndim) if d not in dimensions]
    length = int(np.prod([xs[0].shape[d] for d in dimensions]))
    rows = [x.transpose([*kept, *sorted(dimensions)]).reshape(*(x.shape[d] for d in kept), length) for x in xs]
    results = [np.zeros(row.shape[:-1], row.dtype) for row in rows]
    for at in np.ndindex(rows[0].shape[:-1]):
        values = list(first)
        for i in range(rows[0].shape[-1]):
            values = list(body(*values, *(np.asarray(row[at][i]) for row in rows)))
        for result, value in zip(results, values):
            result[at] = value
    return results


def reduced(x: np.ndarray, dimensions: tuple[int, ...], op: str, first: Any = None) -> Call:
    function, neutral = MONOIDS[op]
    start = np.asarray(np.asarray(neutral if first is None else first)).astype(x.dtype)
    return Call([x, start], {"dimensions": dimensions, "body": binary(op, x.dtype, function)})


def whole(seed: int, shape: Any, dtype: np.dtype) -> np.ndarray:
    """Numbers whose sums and products are exact in any order."""
    return np.round(random(seed, shape, dtype, -2, 2)) if is_floating(dtype) else random(seed, shape, dtype)


def largest_with_place(dtype: np.dtype) -> Body:
    """The larger value and its place: two operands at once."""
    t = f"tensor<{'f32' if dtype == f32 else 'i32'}>"
    text = f"""{{ ^bb0(%a: {t}, %i: tensor<i32>, %b: {t}, %j: tensor<i32>):
 %p = "stablehlo.compare"(%a, %b) <{{comparison_direction = #stablehlo<comparison_direction GE>}}>
 : ({t}, {t}) -> tensor<i1>
 %v = "stablehlo.select"(%p, %a, %b) : (tensor<i1>, {t}, {t}) -> {t}
 %k = "stablehlo.select"(%p, %i, %j) : (tensor<i1>, tensor<i32>, tensor<i32>) -> tensor<i32>
 "stablehlo.return"(%v, %k) : ({t}, tensor<i32>) -> () }}"""
    return Body(text.replace("\n", ""), lambda a, i, b, j: (a, i) if a >= b else (b, j))


def placed(x: np.ndarray) -> Call:
    places = np.broadcast_to(np.arange(x.shape[-1], dtype=i32), x.shape).copy()
    lowest = np.asarray(-np.inf if x.dtype == f32 else -(2**31), x.dtype)
    return Call([x, places, lowest, np.array(0, i32)], {"dimensions": (1,), "body": largest_with_place(x.dtype)})


@st.composite
def reductions(draw: Any) -> Call:
    shape, dtype = draw(shapes()), draw(st.sampled_from([f32, i32, u8, bf16, f64, i8]))
    dimensions = draw(st.sets(st.integers(0, len(shape) - 1))) if shape else ()
    x = whole(draw(seeds), shape, dtype)
    return reduced(
        x, tuple(sorted(dimensions)), draw(st.sampled_from(list(MONOIDS)[: 4 if is_floating(dtype) else 6])), first=1
    )


NAN = np.array([[1, np.nan, 2], [np.nan, 1, 2], [1, 2, np.nan], [-0.0, 0.0, -0.0]], f32)
case(
    "stablehlo.reduce",
    draw=reductions(),
    ref=fold,
    examples=[
        *(reduced(NAN, (1,), op) for op in ("stablehlo.maximum", "stablehlo.minimum", "stablehlo.add")),
        *(reduced(special(i8), (0,), op) for op in MONOIDS),
        *(reduced(np.array([200, 100, 7], u8), (0,), op) for op in MONOIDS),
        *(
            reduced(random(1, (3, 4), boolean), (0,), op, first=op == "stablehlo.and")
            for op in ("stablehlo.and", "stablehlo.or")
        ),
        *(reduced(np.zeros((3, 0), f32), (1,), op, first=5) for op in ("stablehlo.add", "stablehlo.maximum")),
        reduced(np.zeros((0, 3), f32), (1,), "stablehlo.add"),
        reduced(np.array(2, f32), (), "stablehlo.add"),
        reduced(np.round(random(1, (3, 4), c64)), (1,), "stablehlo.add"),
        Call([random(2, (3, 4), i32), np.array(1, i32)], {"dimensions": (0, 1), "body": mixed(i32)}),
        placed(np.array([[1, 5, 5], [-3, -7, -3]], f32)),
        placed(np.array([[1, 5, 5], [-3, -7, -3]], i32)),
    ],
    errors=[
        (
            Call(
                [np.zeros((2, 3), f32), np.array(0, f32)],
                {"dimensions": (1,), "body": binary("stablehlo.add", f32, np.add)},
                "tensor<3xf32>",
            ),
            "declared is tensor<3xf32>",
        )
    ],
)


def windows(x: np.ndarray, start: np.ndarray, body: Any, **w: Any) -> np.ndarray:
    """Each window's fold; places of padding and of base dilation are left out: they hold the init value."""
    size, stride, base, dilation = (
        w[n] for n in ("window_dimensions", "window_strides", "base_dilations", "window_dilations")
    )
    wide = [(s - 1) * b + 1 if s else 0 for s, b in zip(x.shape, base)]
    reach = [(n - 1) * d + 1 for n, d in zip(size, dilation)]
    shape = [max(0, (s + sum(p) - r) // t + 1) for s, p, r, t in zip(wide, w["padding"].tolist(), reach, stride)]
    result = np.zeros(shape, x.dtype)
    for at in np.ndindex(*shape):
        value = start
        for step in np.ndindex(*size):
            place = [a * t + s * d - p[0] for a, t, s, d, p in zip(at, stride, step, dilation, w["padding"].tolist())]
            if all(0 <= p < s and p % b == 0 for p, s, b in zip(place, wide, base)):
                (value,) = body(value, np.asarray(x[tuple(p // b for p, b in zip(place, base))]))
        result[at] = value
    return result


def windowed(
    x: np.ndarray, size: Any, padding: Any, op: str, stride: Any = (1, 1), base: Any = (1, 1), dilation: Any = (1, 1)
) -> Call:
    function, neutral = MONOIDS[op]
    attributes = {
        "window_dimensions": size,
        "window_strides": stride,
        "base_dilations": base,
        "window_dilations": dilation,
        "padding": np.array(padding),
        "body": binary(op, x.dtype, function),
    }
    return Call([x, np.asarray(np.asarray(neutral)).astype(x.dtype)], attributes)


pairs = st.tuples(st.integers(1, 3), st.integers(1, 2))
case(
    "stablehlo.reduce_window",
    draw=st.builds(
        lambda seed, dtype, size, stride, base, dilation, op: windowed(
            whole(seed, (4, 3), dtype), size, ((0, 1), (2, 1)), op, stride, base, dilation
        ),
        seeds,
        st.sampled_from([f32, i32, bf16]),
        pairs,
        pairs,
        pairs,
        pairs,
        st.sampled_from(["stablehlo.add", "stablehlo.maximum"]),
    ),
    ref=windows,
    examples=[
        windowed(NAN, (2, 2), ((0, 0), (0, 0)), "stablehlo.maximum"),
        windowed(whole(1, (3, 4), i8), (1, 4), ((0, 0), (3, 0)), "stablehlo.add"),
        windowed(whole(1, (3, 4), i8), (3, 1), ((0, 2), (0, 0)), "stablehlo.add"),
        windowed(whole(1, (3, 4), f32), (2, 2), ((-1, 0), (1, -1)), "stablehlo.add"),
        windowed(whole(1, (2, 2), f32), (3, 3), ((0, 0), (0, 0)), "stablehlo.add"),
    ],
)


def scattered(x: np.ndarray, source: np.ndarray, start: np.ndarray, select: Any, scatter: Any, **w: Any) -> np.ndarray:
    result = np.full(x.shape, start, x.dtype)
    for at in np.ndindex(*source.shape):
        best = None
        for step in np.ndindex(*w["window_dimensions"]):
            place = tuple(a * t + s - p[0] for a, t, s, p in zip(at, w["window_strides"], step, w["padding"].tolist()))
            if all(0 <= p < s for p, s in zip(place, x.shape)) and (best is None or not select(x[best], x[place])):
                best = place
        if best is not None:
            (result[best],) = scatter(result[best], source[at])
    return result


def pooled(x: np.ndarray, source: np.ndarray, size: Any, stride: Any, padding: Any, direction: str = "GE") -> Call:
    attributes = {
        "window_dimensions": size,
        "window_strides": stride,
        "padding": np.array(padding),
        "select": compared(f32, direction),
        "scatter": binary("stablehlo.add", f32, np.add),
    }
    return Call([x, source, np.array(0, f32)], attributes)


case(
    "stablehlo.select_and_scatter",
    draw=st.builds(
        lambda seed, direction: pooled(
            whole(seed, (4, 5), f32), whole(seed + 1, (2, 3), f32), (2, 3), (2, 1), ((0, 0), (0, 0)), direction
        ),
        seeds,
        st.sampled_from(["GE", "GT", "LE"]),
    ),
    ref=scattered,
    examples=[
        pooled(np.ones((4, 4), f32), whole(1, (2, 2), f32), (2, 2), (2, 2), ((0, 0), (0, 0))),
        pooled(whole(1, (3, 3), f32), whole(2, (2, 2), f32), (2, 2), (2, 2), ((1, 0), (0, 1))),
    ],
)

test_drawn, test_examples, test_errors = new_tests()
