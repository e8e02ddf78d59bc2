"""Reductions, as folds in the specification's order."""

from __future__ import annotations

from typing import Any

import numpy as np
from hypothesis import strategies as st

from .bodies import binary, compared, mixed, scalars
from .cases import case, new_tests
from .mlir import Body, Call
from .numbers import (
    COMPLEXES,
    FLOATS,
    INTEGERS,
    bf16,
    boolean,
    c64,
    c128,
    f16,
    f32,
    f64,
    i8,
    i32,
    i64,
    is_floating,
    random,
    seeds,
    shapes,
    special,
    type_of,
    u8,
)
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
    results = [np.zeros(row.shape[:-1], kind) for row, kind in zip(rows, result_types(xs, body))]
    for at in np.ndindex(rows[0].shape[:-1]):
        values = list(first)
        for i in range(rows[0].shape[-1]):
            values = list(body(*values, *(np.asarray(row[at][i]) for row in rows)))
        for result, value in zip(results, values):
            result[at] = value
    return results


def result_types(xs: Any, body: Any) -> list[np.dtype]:
    """Those of the body, which may be wider than the operands'."""
    return getattr(body, "dtypes", [x.dtype for x in xs])


def wider(dtype: np.dtype) -> Body:
    """Sums in a type that may be wider than the operands'."""
    body = binary("stablehlo.add", dtype, np.add)

    def function(a: Any, b: Any) -> Any:
        return body.function(np.asarray(a, dtype), np.asarray(b, dtype))

    function.dtypes = [dtype]  # type: ignore[attr-defined]
    return Body(body.text, function)


def is_widened(call: Call) -> bool:
    body = call.attributes.get("body", call.attributes.get("scatter"))
    assert isinstance(body, Body)
    return hasattr(body.function, "dtypes")


def sum_and_product(first: np.dtype, other: np.dtype) -> Body:
    """Two operands that do not meet."""
    a, b = (type_of(np.zeros((), d)) for d in (first, other))
    text = f"""{{ ^bb0(%a: {a}, %b: {b}, %c: {a}, %d: {b}): %s = "stablehlo.add"(%a, %c) : ({a}, {a}) -> {a}
 %p = "stablehlo.multiply"(%b, %d) : ({b}, {b}) -> {b} "stablehlo.return"(%s, %p) : ({a}, {b}) -> () }}"""
    return Body(
        text.replace("\n", ""), lambda a, b, c, d: (np.asarray(a + c).astype(first), np.asarray(b * d).astype(other))
    )


def xor() -> Body:
    return binary("stablehlo.xor", boolean, np.logical_xor)


def wrong_reduce(*dimensions: int) -> Call:
    attributes = {"dimensions": dimensions, "body": binary("stablehlo.add", f32, np.add)}
    return Call([np.zeros((2, 3), f32), np.array(0, f32)], attributes, "tensor<2xf32>")


def reduced(x: np.ndarray, dimensions: tuple[int, ...], op: str, first: Any = None) -> Call:
    function, neutral = MONOIDS[op]
    start = np.asarray(np.asarray(neutral if first is None else first)).astype(x.dtype)
    return Call([x, start], {"dimensions": dimensions, "body": binary(op, x.dtype, function)})


def whole(seed: int, shape: Any, dtype: np.dtype) -> np.ndarray:
    """Numbers whose sums and products are exact in any order."""
    exact = not is_floating(dtype) and dtype.kind != "c"
    return random(seed, shape, dtype) if exact else np.round(random(seed, shape, dtype, -2, 2)).astype(dtype)


def largest_with_place(dtype: np.dtype) -> Body:
    """The larger value and its index: two operands at once."""
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
        # Over no element the result is the initial value, of each operand and type.
        *(reduced(np.zeros((2, 0), d), (1,), "stablehlo.add", first=1) for d in (*INTEGERS, *FLOATS, *COMPLEXES)),
        *(reduced(np.zeros((2, 0, 3), i32), axes, op, first=7) for axes in ((1,), (0, 1), (2, 0, 1)) for op in MONOIDS),
        reduced(np.zeros((0, 3), f32), (0, 1), "stablehlo.maximum", first=-np.inf),
        placed(np.zeros((2, 0), f32)),
        placed(np.zeros((0, 2), i32)),
        Call(
            [random(1, (2, 3), i32), whole(2, (2, 3), c64), np.array(1, i32), np.array(2, c64)],
            {"dimensions": (1,), "body": sum_and_product(i32, c64)},
        ),
        # The signs of zeros, infinities and NaN, one beside the other.
        *(
            reduced(np.stack([special(d), special(d)[::-1], np.roll(special(d), 1)]), (0,), op, first=first)
            for d in FLOATS
            for op, first in (
                ("stablehlo.maximum", -np.inf),
                ("stablehlo.minimum", np.inf),
                ("stablehlo.maximum", -0.0),
                ("stablehlo.minimum", 0.0),
            )
        ),
        *(reduced(np.full((3,), -0.0, d), (0,), "stablehlo.add", first=-0.0) for d in (f32, f64)),
        *(reduced(whole(3, (2, 3), d), (1, 0), "stablehlo.add") for d in (*INTEGERS, *FLOATS, *COMPLEXES)),
        reduced(whole(1, (2, 3), c64), (0, 1), "stablehlo.multiply"),
        reduced(np.array(2, i32), (), "stablehlo.multiply", first=3),
        Call([random(1, (3, 4), boolean), np.array(True)], {"dimensions": (0,), "body": xor()}),
        *(
            Call([whole(2, (3, 4), d), np.asarray(1, d)], {"dimensions": (0,), "body": wider(w)})
            for d, w in ((i8, i32), (u8, u8), (bf16, f32), (f16, f64), (i32, i64), (c64, c128))
        ),
    ],
    disagree={
        "xla": (
            "leaves out the initial value where no dimension, or only of one element, is reduced; has no wider bodies",
            lambda call: all(call.operands[0].shape[d] == 1 for d in call.attributes["dimensions"]) or is_widened(call),
        ),
        "interpreter": ("has no wider bodies", is_widened),
    },
    errors=[
        (wrong_reduce(2), "C4"),
        (wrong_reduce(-1), "C4"),
        (wrong_reduce(1, 1), "C5"),
        (
            Call(
                [np.zeros((2, 3), f32), np.array(0, f32)],
                {"dimensions": (1,), "body": binary("stablehlo.add", f32, np.add)},
                "tensor<3xf32>",
            ),
            "declared type is tensor<3xf32>",
        ),
    ],
)


def windows(*operands: np.ndarray, body: Any, **w: Any) -> list[np.ndarray]:
    """Each window's fold, without padding and base dilation, which hold the init value."""
    count = len(operands) // 2
    xs, first = operands[:count], operands[count:]
    source, size, ones = xs[0].shape, w["window_dimensions"], (1,) * xs[0].ndim
    stride, base, dilation = (w.get(n, ones) for n in ("window_strides", "base_dilations", "window_dilations"))
    padding = w["padding"].tolist() if "padding" in w else [(0, 0)] * len(ones)
    wide = [(s - 1) * b + 1 if s else 0 for s, b in zip(source, base)]
    reach = [(n - 1) * d + 1 for n, d in zip(size, dilation)]
    shape = [max(0, (s + sum(p) - r) // t + 1) for s, p, r, t in zip(wide, padding, reach, stride)]
    results = [np.zeros(shape, kind) for kind in result_types(xs, body)]
    for at in np.ndindex(*shape):
        values = [np.asarray(f, r.dtype) for f, r in zip(first, results)]
        for step in np.ndindex(*size):
            place = [a * t + s * d - p[0] for a, t, s, d, p in zip(at, stride, step, dilation, padding)]
            if all(0 <= p < s and p % b == 0 for p, s, b in zip(place, wide, base)):
                there = tuple(p // b for p, b in zip(place, base))
                values = list(body(*values, *(np.asarray(x[there]) for x in xs)))
        for result, value in zip(results, values):
            result[at] = value
    return results


def running(x: np.ndarray, axis: int, low: int, high: int, op: str, window: int | None = None) -> Call:
    """Windows along one axis, of its whole length if no other is given."""
    size = [x.shape[d] if window is None else window if d == axis else 1 for d in range(x.ndim)]
    size = [n if d == axis else 1 for d, n in enumerate(size)]
    ones = (1,) * x.ndim
    padding = tuple((low, high) if d == axis else (0, 0) for d in range(x.ndim))
    return windowed(x, tuple(size), padding, op, ones, ones, ones)


def several(x: np.ndarray, y: np.ndarray, body: Body, size: Any, padding: Any) -> Call:
    attributes = {"window_dimensions": size, "padding": np.array(padding), "body": body}
    return Call([x, y, np.asarray(0, x.dtype), np.asarray(1, y.dtype)], attributes)


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
        # What stands outside changes nothing.
        *(
            windowed(whole(1, (3, 4), d), (2, 3), ((1, 1), (0, 2)), f"stablehlo.{op}", (2, 1))
            for d in (i8, i32, np.dtype(np.uint32), f32, bf16)
            for op in ("add", "multiply", "maximum", "minimum")
        ),
        # All elements up to an index, from it on, or one fewer; windows longer than the axis; more or less padding.
        *(
            running(whole(1, (2, 3, 4), f32), axis, *pads, "stablehlo.add")
            for axis, n in ((0, 2), (1, 3), (2, 4))
            for pads in ((n - 1, 0), (0, n - 1), (n, 0), (0, n))
        ),
        *(
            running(special(d), 0, low, high, op)
            for d in (f32, bf16)
            for op in ("stablehlo.maximum", "stablehlo.minimum")
            for low, high in ((special(d).size - 1, 0), (0, special(d).size - 1))
        ),
        *(
            running(whole(1, (4,), i32), 0, low, high, "stablehlo.multiply", window)
            for low, high, window in (
                (4, 1, 5),
                (5, 2, 6),
                (6, 0, 6),
                (0, 7, 6),
                (3, -1, 4),
                (-1, 3, 4),
                (3, -1, 3),
                (2, 0, 3),
                (5, 0, 3),
                (1, -1, 1),
                (-1, 1, 1),
                (3, 3, 4),
            )
        ),
        *(running(whole(1, (5,), d), 0, 4, 0, "stablehlo.add") for d in (*INTEGERS, *FLOATS, *COMPLEXES)),
        running(whole(1, (2, 3), c64), 1, 2, 0, "stablehlo.multiply"),
        windowed(whole(1, (3, 3), c64), (2, 2), ((0, 0), (0, 0)), "stablehlo.add"),
        several(whole(1, (5,), i32), whole(2, (5,), c64), sum_and_product(i32, c64), (5,), ((4, 0),)),
        several(whole(1, (5,), i32), whole(2, (5,), f32), sum_and_product(i32, f32), (2,), ((1, 0),)),
        # Windows that hold padding alone.
        *(
            windowed(whole(1, (2, 3), d), (1, 1), ((1, 1), (0, 0)), f"stablehlo.{op}")
            for d in (*INTEGERS, *FLOATS)
            for op in ("add", "maximum", "minimum")
        ),
        # Empty: the operand, where windows hold padding alone, or no window.
        windowed(np.zeros((0, 2), f32), (2, 1), ((1, 1), (0, 0)), "stablehlo.add"),
        windowed(np.zeros((0, 2), f32), (1, 1), ((0, 0), (0, 0)), "stablehlo.add"),
        windowed(np.zeros((2, 0), f32), (2, 1), ((1, 0), (0, 0)), "stablehlo.add"),
        windowed(whole(1, (1, 2), f32), (2, 1), ((0, 0), (0, 0)), "stablehlo.add"),
        Call([np.array(2, f32), np.array(3, f32)], {"window_dimensions": (), "body": wider(f32)}),
        *(
            Call([whole(2, (4,), d), np.asarray(1, d)], {"window_dimensions": (2,), "body": wider(w)})
            for d, w in ((i8, i32), (bf16, f32), (c64, c128))
        ),
        Call(
            [whole(2, (4,), i8), np.asarray(1, i8)],
            {"window_dimensions": (4,), "padding": np.array([(3, 0)]), "body": wider(i32)},
        ),
    ],
    disagree={"xla": ("has no wider bodies", is_widened), "interpreter": ("has no wider bodies", is_widened)},
)


def scattered(x: np.ndarray, source: np.ndarray, start: np.ndarray, select: Any, scatter: Any, **w: Any) -> np.ndarray:
    ones = (1,) * x.ndim
    size, stride = (w.get(n, ones) for n in ("window_dimensions", "window_strides"))
    padding = w["padding"].tolist() if "padding" in w else [(0, 0)] * x.ndim
    (kind,) = result_types([x], scatter)
    result = np.full(x.shape, start, kind)
    for at in np.ndindex(*source.shape):
        best = None
        for step in np.ndindex(*size):
            place = tuple(a * t + s - p[0] for a, t, s, p in zip(at, stride, step, padding))
            if all(0 <= p < s for p, s in zip(place, x.shape)) and (best is None or not select(x[best], x[place])):
                best = place
        if best is not None:
            (result[best],) = scatter(result[best], np.asarray(source[at], kind))
    return result


def pooled(
    x: np.ndarray,
    source: np.ndarray,
    size: Any,
    stride: Any,
    padding: Any,
    direction: str = "GE",
    select: Body | None = None,
    scatter: Body | None = None,
) -> Call:
    attributes = {
        "window_dimensions": size,
        "window_strides": stride,
        "padding": np.array(padding),
        "select": select or compared(x.dtype, direction),
        "scatter": scatter or binary("stablehlo.add", x.dtype, np.add),
    }
    return Call([x, source, np.asarray(0, x.dtype)], attributes)


def never(dtype: np.dtype) -> Body:
    """The region that is false: the last element of a window is chosen."""
    arguments, _ = scalars(2, dtype)
    text = f"""{{ ^bb0({arguments}):
 %r = "stablehlo.constant"() <{{value = dense<false> : tensor<i1>}}> : () -> tensor<i1>
 "stablehlo.return"(%r) : (tensor<i1>) -> () }}"""
    return Body(text.replace("\n", ""), lambda a, b: False)


def larger_real_part() -> Body:
    t = "tensor<complex<f32>>"
    how = "<{comparison_direction = #stablehlo<comparison_direction GE>}>"
    text = f"""{{ ^bb0(%a: {t}, %b: {t}): %c = "stablehlo.real"(%a) : ({t}) -> tensor<f32>
 %d = "stablehlo.real"(%b) : ({t}) -> tensor<f32>
 %r = "stablehlo.compare"(%c, %d) {how} : (tensor<f32>, tensor<f32>) -> tensor<i1>
 "stablehlo.return"(%r) : (tensor<i1>) -> () }}"""
    return Body(text.replace("\n", ""), lambda a, b: a.real >= b.real)


NO_PADDING, PAIRS = ((0, 0), (0, 0)), ((2, 2), (2, 2))


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
        # Overlapping windows choose the same element: each adds to it, in the source's order.
        pooled(whole(1, (4, 5), f32), whole(2, (2, 3), f32), (3, 3), (1, 1), NO_PADDING),
        pooled(random(1, (4, 5), i32), random(2, (2, 3), i32), (3, 3), (1, 1), NO_PADDING, scatter=mixed(i32)),
        *(pooled(whole(1, (4, 4), d), whole(2, (2, 2), d), *PAIRS, NO_PADDING) for d in (*INTEGERS, *FLOATS)),
        *(
            pooled(whole(1, (4, 4), d), whole(2, (2, 2), d), *PAIRS, NO_PADDING, select=second_kept)
            for d, second_kept in ((boolean, never(boolean)), (c128, never(c128)))
        ),
        pooled(
            whole(1, (4, 4), c64),
            whole(2, (3, 2), c64),
            (2, 2),
            (1, 2),
            NO_PADDING,
            select=larger_real_part(),
            scatter=binary("stablehlo.multiply", c64, np.multiply),
        ),
        # What a comparison with NaN, which is false, chooses; zeros of both signs are equal.
        *(pooled(NAN, whole(2, (2, 2), f32), (2, 2), (2, 1), NO_PADDING, d) for d in ("GE", "GT", "LE")),
        pooled(np.full((4, 4), -np.inf, f32), whole(1, (2, 2), f32), *PAIRS, NO_PADDING),
        # Empty: the source, the operand; windows of padding alone choose nothing.
        pooled(whole(1, (1, 4), f32), np.zeros((0, 2), f32), *PAIRS, NO_PADDING),
        pooled(np.zeros((0, 4), f32), np.zeros((0, 2), f32), *PAIRS, NO_PADDING),
        Call(
            [np.array(2, f32), np.array(3, f32), np.array(4, f32)],
            {"select": compared(f32, "GE"), "scatter": binary("stablehlo.add", f32, np.add)},
        ),
        *(
            Call(
                [whole(1, (4,), d), whole(2, (2,), d), np.asarray(1, d)],
                {"window_dimensions": (2,), "window_strides": (2,), "select": compared(d, "GE"), "scatter": wider(w)},
            )
            for d, w in ((i8, i32), (bf16, f32), (f32, f64))
        ),
    ],
    disagree={
        "xla": ("has no wider bodies, nor rank 0", lambda call: is_widened(call) or call.operands[0].shape == ()),
        "interpreter": (
            "has no wider bodies, an order of its own, and counts the initial value twice",
            lambda call: (
                is_widened(call) or "dense<3>" in call.attributes["scatter"].text or bool(call.operands[2] != 0)
            ),
        ),
    },
)

test_drawn, test_examples, test_errors = new_tests()
