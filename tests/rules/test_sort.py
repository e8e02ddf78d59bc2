"""Sorting: stable, by the comparator."""

from __future__ import annotations

from functools import cmp_to_key
from typing import Any

import numpy as np
import pytest
from hypothesis import strategies as st

import hlo2tiny
from hlo2tiny.targets.c.render import render_region

from .bodies import compared, scalars
from .cases import case, new_tests
from .mlir import Body, Call
from .numbers import (
    FLOATS,
    bf16,
    boolean,
    c64,
    f32,
    f64,
    i4,
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
    u64,
)


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


def total(x: Any) -> int:
    """An integer that orders as IEEE 754 totalOrder does."""
    x = np.asarray(x)
    bits = int(x.view(f"i{x.dtype.itemsize}"))
    return bits if bits >= 0 else bits ^ (2 ** (8 * x.dtype.itemsize - 1) - 1)


def by_total_order(dtype: np.dtype, pairs: int = 1) -> Body:
    text = compared(dtype, "LT", pairs, "TOTALORDER").text
    return Body(text, lambda a, b, *_: total(a) < total(b))


def as_jax_sorts(dtype: np.dtype) -> Body:
    """Zeros are equal, and so are NaNs, which come last."""
    arguments, t = scalars(2, dtype)
    p = "tensor<i1>"
    how = {
        n: f"<{{comparison_direction = #stablehlo<comparison_direction {n[:2]}>, "
        f"compare_type = #stablehlo<comparison_type {n[2:]}>}}>"
        for n in ("EQFLOAT", "NEFLOAT", "LTTOTALORDER")
    }
    lines = [f'%{n} = "stablehlo.constant"() <{{value = dense<{v}> : {t}}}> : () -> {t}' for n, v in CANONICAL[dtype]]
    for a in ("%a0", "%a1"):
        lines += [
            f'{a}z = "stablehlo.compare"({a}, %zero) {how["EQFLOAT"]} : ({t}, {t}) -> {p}',
            f'{a}s = "stablehlo.select"({a}z, %zero, {a}) : ({p}, {t}, {t}) -> {t}',
            f'{a}n = "stablehlo.compare"({a}, {a}) {how["NEFLOAT"]} : ({t}, {t}) -> {p}',
            f'{a}k = "stablehlo.select"({a}n, %nan, {a}s) : ({p}, {t}, {t}) -> {t}',
        ]
    lines += [
        f'%r = "stablehlo.compare"(%a0k, %a1k) {how["LTTOTALORDER"]} : ({t}, {t}) -> {p}',
        f'"stablehlo.return"(%r) : ({p}) -> ()',
    ]
    return Body(f"{{ ^bb0({arguments}): {' '.join(lines)} }}", lambda a, b: bool(a < b or (b != b and a == a)))


CANONICAL = {
    f32: (("nan", "0x7FC00000"), ("zero", "0.0")),
    f64: (("nan", "0x7FF8000000000000"), ("zero", "0.0")),
    bf16: (("nan", "0x7FC0"), ("zero", "0.0")),
}


def region(dtypes: list[np.dtype], lines: str, function: Any) -> Body:
    """A comparator of a pair of arguments for each dtype; `lines` computes %r."""
    kinds = [type_of(np.zeros((), d)) for d in dtypes for _ in "ab"]
    arguments = ", ".join(f"%a{i}: {kind}" for i, kind in enumerate(kinds))
    return Body(f'{{ ^bb0({arguments}): {lines} "stablehlo.return"(%r) : (tensor<i1>) -> () }}', function)


def compare(result: str, a: str, b: str, dtype: np.dtype, direction: str = "LT") -> str:
    t = type_of(np.zeros((), dtype))
    how = f"<{{comparison_direction = #stablehlo<comparison_direction {direction}>}}>"
    return f'{result} = "stablehlo.compare"({a}, {b}) {how} : ({t}, {t}) -> tensor<i1> '


def by_two_keys(first: np.dtype, second: np.dtype) -> Body:
    lines = compare("%l", "%a0", "%a1", first) + compare("%e", "%a0", "%a1", first, "EQ")
    lines += compare("%m", "%a2", "%a3", second)
    for name, op, a, b in (("%n", "and", "%e", "%m"), ("%r", "or", "%l", "%n")):
        lines += f'{name} = "stablehlo.{op}"({a}, {b}) : (tensor<i1>, tensor<i1>) -> tensor<i1> '
    return region([first, second], lines, lambda a, b, c, d: bool(a < b or (a == b and c < d)))


def by_imaginary_part() -> Body:
    t = "tensor<complex<f32>>"
    lines = "".join(f'%i{n} = "stablehlo.imag"(%a{n}) : ({t}) -> tensor<f32> ' for n in (0, 1))
    return region([c64], lines + compare("%r", "%i0", "%i1", f32), lambda a, b: bool(a.imag < b.imag))


def never() -> Body:
    lines = '%r = "stablehlo.constant"() <{value = dense<false> : tensor<i1>}> : () -> tensor<i1> '
    return region([f32], lines, lambda a, b: False)


def signed_nans(dtype: np.dtype) -> np.ndarray:
    """Special numbers, and NaN of both signs, in an order of no meaning."""
    x = np.concatenate([special(dtype), -special(dtype)[-1:], special(dtype)[:3]])
    return x[np.random.default_rng(0).permutation(x.size)]


def with_places(x: np.ndarray, body: Body) -> Call:
    """The second operand tells what a comparison of the first cannot: which NaN, which zero."""
    return Call([x, np.arange(x.size, dtype=i32)], {"dimension": 0, "is_stable": True, "comparator": body})


def extended(body: Body, *more: np.dtype) -> Body:
    """A comparator that takes further operands, which it does not look at."""
    count = body.text[: body.text.index("):")].count("%a")
    added = "".join(f", %a{count + n}: {type_of(np.zeros((), d))}" for n, d in enumerate(d for d in more for _ in "ab"))
    return Body(body.text.replace("):", f"{added}):", 1), lambda *values: body.function(*values[:count]))


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
        *(sorting(np.zeros(shape, f32), axis=axis) for shape in ((0, 3), (3, 0)) for axis in (0, 1)),
        *(sorting(random(5, (3, 4), i8), axis=axis) for axis in (-1, -2)),
        sorting(random(5, (2, 3, 4), f32), axis=1),
        sorting(random(5, (9,), boolean), direction="GT"),
        *(with_places(signed_nans(d), extended(by_total_order(d), i32)) for d in FLOATS),
        *(with_places(signed_nans(d), extended(as_jax_sorts(d), i32)) for d in CANONICAL),
        Call([signed_nans(f32)], {"dimension": 0, "is_stable": False, "comparator": by_total_order(f32)}),
        # Other operands follow the key's order, whatever their types.
        Call(
            [np.array([2, 1, 2, 0], i32), special(c64)[:4], random(1, (4,), u8), random(2, (4,), bf16)],
            {"dimension": 0, "is_stable": True, "comparator": extended(compared(i32, "LT"), c64, u8, bf16)},
        ),
        Call(
            [np.array([1, 0, 1, 0, 1], i8), np.array([3, 2, -1, 2, 0], f32), np.arange(5, dtype=i64)],
            {"dimension": 0, "is_stable": True, "comparator": extended(by_two_keys(i8, f32), i64)},
        ),
        Call([random(6, (7,), c64)], {"dimension": 0, "is_stable": True, "comparator": by_imaginary_part()}),
        Call([random(6, (7,), f32)], {"dimension": 0, "is_stable": True, "comparator": never()}),
    ],
    disagree={
        "interpreter": (
            "compares -0 with +0 and NaN as FLOAT does",
            lambda call: "TOTALORDER" in call.attributes["comparator"].text,
        )
    },
    errors=[
        (
            Call(
                [np.zeros((2,), f32), np.zeros((3,), f32)],
                {"dimension": 0, "comparator": compared(f32, "LT", 2)},
                "tensor<2xf32>, tensor<3xf32>",
            ),
            "C3",
        ),
        *(
            (Call([np.zeros((2,), f32)], {"dimension": d, "comparator": compared(f32, "LT")}, "tensor<2xf32>"), "C4")
            for d in (1, -2)
        ),
        (Call([np.zeros((), f32)], {"dimension": 0, "comparator": compared(f32, "LT")}, "tensor<f32>"), "C4"),
    ],
)


def top(x: np.ndarray, k: int, is_stable: bool = True) -> list[np.ndarray]:
    """By the value, NaN first, then by the index, even where any order of equal values would do."""
    sizes = np.array([total(v) if is_floating(x.dtype) else int(v) for v in x.reshape(-1)], object).reshape(x.shape)
    order = np.argsort(-sizes, -1, kind="stable")[..., :k].astype(i32)
    return [np.take_along_axis(x, order, -1), order]


case(
    "chlo.top_k",
    draw=st.builds(
        lambda seed, n, k: Call([random(seed, (2, n), f32)], {"k": min(n, k)}),
        seeds,
        st.integers(0, 6),
        st.integers(0, 6),
    ),
    ref=top,
    examples=[
        Call([np.array([1, 3, 3, np.nan, -1], f32)], {"k": 3}),
        Call([np.array([[1, 3, 3, -128, 127]], i8)], {"k": 5}),
        *(Call([np.array([[1, 3, 3, -128, 127]], i8)], {"k": 5, "is_stable": stable}) for stable in (True, False)),
        *(Call([signed_nans(d)], {"k": 9}) for d in FLOATS),
        # Long rows, of which few are wanted: not by sorting them whole.
        *(Call([random(7, (2, 301), d)], {"k": 3}) for d in (f32, i8, u64)),
        Call([np.array([3, 7] * 100 + [-0.0, np.nan], f32)], {"k": 4}),
        Call([np.full((200,), -(2**31), i32)], {"k": 2}),
        Call([np.zeros((2, 3, 70), u8)], {"k": 1}),
        Call([random(7, (50, 1), f32)], {"k": 1}),
        Call([random(7, (2, 5), f32)], {"k": 0}),
        Call([np.zeros((0, 5), f32)], {"k": 2}),
        Call([np.zeros((2, 0), f32)], {"k": 0}),
    ],
)

test_drawn, test_examples, test_errors = new_tests()


@pytest.mark.sampled(4, ci=2)
@pytest.mark.parametrize(("element", "dtype"), [("f32", np.float32), ("i32", np.int32), ("ui32", np.uint32)])
@pytest.mark.parametrize(("shape", "k"), [((3, 1025), 1), ((2, 2500), 100), ((5000,), 7), ((70_000,), 40)])
def test_few_of_many(shape: tuple[int, ...], k: int, element: str, dtype: type) -> None:
    """Rows in orders that let all of their numbers be among the largest so far, and with many equal numbers."""
    types = "x".join(map(str, shape)), "x".join(map(str, (*shape[:-1], k)))
    results = f"tensor<{types[1]}x{element}>, tensor<{types[1]}xi32>"
    program = hlo2tiny.load(
        f"""func.func @main(%x: tensor<{types[0]}x{element}>) -> ({results}) {{
          %values, %places = chlo.top_k(%x, k = {k}) : tensor<{types[0]}x{element}> -> ({results})
          return %values, %places : {results}
        }}""",
        "CPU",
    )
    random, rising = np.random.default_rng(0), np.arange(np.prod(shape)).reshape(shape)
    bits = random.integers(0, 2**32, shape, np.uint32, endpoint=False).view(dtype)  # NaN and infinity among others
    extremes = random.choice(np.uint32([0, 1 << 31, 0x7FFFFFFF, 0xFFFFFFFF]), shape).view(dtype)
    for x in (bits, extremes, rising, -rising[..., ::-1], rising * 0, random.integers(0, 3, shape)):
        x = x.astype(dtype)
        integers = x.view(np.int32).astype(np.int64)
        key = np.where(integers < 0, integers ^ 0x7FFFFFFF, integers) if dtype == np.float32 else x.astype(np.int64)
        expected = np.argsort(-key, -1, kind="stable")[..., :k]
        values, places = program.numpy(x)
        np.testing.assert_array_equal(places, expected)
        np.testing.assert_array_equal(values.view(np.uint32), np.take_along_axis(x, expected, -1).view(np.uint32))


def comparing(element: str, direction: str, total: bool, right: str = "%b", shape: str = "3x500") -> str:
    """A sort of keys and their indices; `right` is the number that the first key is compared with."""
    kind = ", TOTALORDER" if total else ""
    types = f"tensor<{shape}x{element}>, tensor<{shape}xi32>"
    return f"""func.func @main(%x: tensor<{shape}x{element}>, %zero: tensor<{element}>) -> ({types}) {{
      %i = stablehlo.iota dim = 1 : tensor<{shape}xi32>
      %0:2 = "stablehlo.sort"(%x, %i) <{{dimension = 1 : i64, is_stable = true}}> ({{
        ^bb0(%a: tensor<{element}>, %b: tensor<{element}>, %j: tensor<i32>, %k: tensor<i32>):
          %l = stablehlo.add %a, %zero : tensor<{element}>
          %r = stablehlo.add {right}, %zero : tensor<{element}>
          %t = stablehlo.compare {direction}, %l, %r{kind} : (tensor<{element}>, tensor<{element}>) -> tensor<i1>
          stablehlo.return %t : tensor<i1>
      }}) : ({types}) -> ({types})
      return %0#0, %0#1 : {types}
    }}"""


@pytest.mark.sampled(10, ci=5)
@pytest.mark.parametrize("direction", ["LT", "GT"])
@pytest.mark.parametrize(("element", "dtype"), [("f32", np.float32), ("i32", np.int32), ("ui32", np.uint32)])
@pytest.mark.parametrize("shape", [(3, 500), (9, 1100)])
def test_numbers_of_32_bits_keep_the_order_of_equal_ones(
    element: str, dtype: type, direction: str, shape: tuple[int, int]
) -> None:
    """These are merged together with their indices, or sorted by their digits if there are many.

    What is compared may depend on a value outside the comparator.
    """
    bits = np.random.default_rng(0).integers(0, 2**32, shape, np.uint64).astype(np.uint32)
    bits[:, ::3] = bits[:, 1::3][:, : bits[:, ::3].shape[1]].repeat(2, 1)[:, : bits[:, ::3].shape[1]]
    x = bits.view(dtype)
    x = np.where(np.isnan(x), 0, x).astype(dtype) if dtype == np.float32 else x
    keys = x.astype(np.float64) if dtype == np.float32 else x.astype(np.int64)
    text = comparing(element, direction, dtype == np.float32, shape="x".join(map(str, shape)))
    values, places = hlo2tiny.load(text, "CPU").numpy(x, dtype(0))
    expected = np.argsort(keys if direction == "LT" else -keys, axis=1, kind="stable")
    np.testing.assert_array_equal(places, expected)
    np.testing.assert_array_equal(values, np.take_along_axis(x, expected, 1))


@pytest.mark.parametrize(("element", "dtype"), [("i64", np.int64), ("ui64", np.uint64), ("f64", np.float64)])
def test_short_rows_of_64_bits_are_sorted_at_once(element: str, dtype: type) -> None:
    """By counting what is less in both halves, of which some are equal; equal numbers keep their order."""
    rng, shape = np.random.default_rng(0), (30, 59)
    high, low = (rng.choice(np.array([0, 1, 5, 1 << 31, (1 << 32) - 1], np.uint64), shape) for _ in range(2))
    x = (high << np.uint64(32) | low).view(dtype)
    x = np.where(np.isnan(x), 0, x).astype(dtype) if dtype == np.float64 else x
    program = hlo2tiny.load(comparing(element, "LT", dtype == np.float64, shape="30x59"), "CPU")
    names = [kernel.facts.name for step in program.plan.kernels() for kernel in render_region(step).kernels]
    assert names.count("sort") == 1
    values, places = program.numpy(x, dtype(0))
    # -0 + 0 is 0, so that both are equal here.
    expected = np.argsort(x, axis=1, kind="stable")
    np.testing.assert_array_equal(places, expected)
    np.testing.assert_array_equal(values, np.take_along_axis(x, expected, 1))


def test_a_comparison_of_different_functions_sorts_by_that() -> None:
    """With an order on the second half only: no number of a key is less than itself, so nothing moves."""
    x = np.zeros((3, 500), np.int32)
    x[:, ::2] = 5
    _, places = hlo2tiny.load(comparing("i32", "LT", False, "%a"), "CPU").numpy(x, np.int32(0))
    np.testing.assert_array_equal(places, np.broadcast_to(np.arange(500), (3, 500)))


@pytest.mark.parametrize("element", ["f32", "bf16", "i64"])
def test_single_elements_are_in_order(element: str) -> None:
    """No kernel sorts rows of one element."""
    type = f"tensor<3x1x50x{element}>"
    text = f"""func.func @main(%x: {type}) -> {type} {{
      %0 = "stablehlo.sort"(%x) ({{
      ^bb0(%a: tensor<{element}>, %b: tensor<{element}>):
        %1 = stablehlo.compare LT, %a, %b : (tensor<{element}>, tensor<{element}>) -> tensor<i1>
        stablehlo.return %1 : tensor<i1>
      }}) {{dimension = 1 : i64}} : ({type}) -> {type}
      return %0 : {type}
    }}"""
    program = hlo2tiny.load(text, "CPU")
    (step,) = program.plan.kernels()
    assert [kernel.facts.name for kernel in render_region(step).kernels] == ["E_150"]
    x = np.random.default_rng(0).normal(size=(3, 1, 50)).astype(program.inputs[0].dtype)
    np.testing.assert_array_equal(program.numpy(x)[0], x)
