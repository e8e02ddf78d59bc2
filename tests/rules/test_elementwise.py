"""Elementwise ops: special values against each other in all element types, and drawn values and shapes."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any

import ml_dtypes
import numpy as np
import pytest
from hypothesis import strategies as st

import hlo2tiny
from hlo2tiny.program import Program

from .cases import case, new_tests
from .mlir import Call, module_text
from .numbers import (
    COMPLEXES,
    FLOATS,
    INTEGERS,
    bf16,
    boolean,
    c64,
    c128,
    crossed,
    expect_equal,
    f16,
    f32,
    f64,
    i4,
    i8,
    i16,
    i32,
    i64,
    is_floating,
    random,
    seeds,
    shapes,
    special,
    type_of,
    u4,
    u8,
    u16,
    u32,
    u64,
)

NUMBERS = (*FLOATS, *INTEGERS)


def drawn(count: int, dtypes: Sequence[np.dtype], low: float = -10, high: float = 10) -> st.SearchStrategy[Call]:
    """Operands of one shape and type."""
    return st.builds(
        lambda seed, shape, dtype: Call([random(seed + i, shape, dtype, low, high) for i in range(count)]),
        seeds,
        shapes(),
        st.sampled_from(list(dtypes)),
    )


def specials(count: int, dtypes: Sequence[np.dtype], **attributes: Any) -> list[Call]:
    """All combinations of special values, in each type."""
    return [Call(crossed(*[special(dtype)] * count), attributes) for dtype in dtypes]


def row(op: str, count: int, ref: Callable[..., Any], dtypes: Sequence[np.dtype], tol: float = 0, **rest: Any) -> None:
    """An op whose operands have one type, any of `dtypes`."""
    wrong = (Call([np.zeros(2, dtypes[0])] * count, results="tensor<3xf32>"), "declared type is tensor<3xf32>")
    missing = (
        Call([np.zeros(2, dtypes[0])] * (count + 1), results="tensor<2xf32>"),
        f"has {count + 1} operands, expected {count}",
    )
    rest.setdefault("examples", specials(count, dtypes))
    rest.setdefault("errors", [wrong, missing])
    case(op, draw=drawn(count, dtypes), ref=ref, tol=tol, **rest)


def unsigned(x: np.ndarray) -> np.ndarray:
    return x.view(f"u{x.dtype.itemsize}")


def exactly(function: Callable[..., int]) -> Callable[..., np.ndarray]:
    """An integer op by Python's integers, wrapped to the type."""

    def apply(*xs: np.ndarray) -> np.ndarray:
        limits = ml_dtypes.iinfo(xs[0].dtype)
        low, span = int(limits.min), 2**limits.bits
        numbers = [(function(*map(int, n)) - low) % span + low for n in zip(*(x.reshape(-1) for x in xs))]
        return np.array(numbers, object).astype(xs[0].dtype).reshape(xs[0].shape)

    return apply


# ---------------------------------------------------------------- bits


def shift(function: Callable[[int, int, int], int], signed: bool | None = None) -> Callable[..., np.ndarray]:
    """A shift by Python's integers; amounts are read as unsigned, the number as `signed` says."""

    def apply(x: np.ndarray, y: np.ndarray) -> np.ndarray:
        bits = ml_dtypes.iinfo(x.dtype).bits

        def one(a: int, b: int) -> int:
            a %= 2**bits
            a -= 2**bits * (bool(signed) and a >= 2 ** (bits - 1))
            return function(a, min(b % 2**bits, bits), bits)

        return exactly(one)(x, y)

    return apply


def shifts(dtypes: Sequence[np.dtype]) -> list[Call]:
    """Special numbers by each amount around the width, and by negative ones."""
    calls = []
    for dtype in dtypes:
        bits = ml_dtypes.iinfo(dtype).bits
        amounts = np.array([0, 1, bits - 1, bits, bits + 1, -1, ml_dtypes.iinfo(dtype).min], object)
        amounts = np.array([a for a in amounts if ml_dtypes.iinfo(dtype).min <= a <= ml_dtypes.iinfo(dtype).max], dtype)
        calls.append(Call(crossed(special(dtype), amounts)))
    return calls


SMALL = (*INTEGERS, i4, u4)
row("stablehlo.shift_left", 2, shift(lambda a, b, bits: a << b), SMALL, examples=shifts(SMALL))
row("stablehlo.shift_right_arithmetic", 2, shift(lambda a, b, _: a >> b, signed=True), SMALL, examples=shifts(SMALL))
row("stablehlo.shift_right_logical", 2, shift(lambda a, b, _: a >> b), SMALL, examples=shifts(SMALL))


def counted(function: Callable[[int, int], int]) -> Callable[..., np.ndarray]:
    def apply(x: np.ndarray) -> np.ndarray:
        bits = ml_dtypes.iinfo(x.dtype).bits
        return exactly(lambda n: function(n % 2**bits, bits))(x)

    return apply


row(
    "stablehlo.popcnt",
    1,
    counted(lambda n, _: n.bit_count()),
    SMALL,
    disagree={"xla": ("counts the copies of the sign of an i4", lambda call: call.operands[0].dtype == i4)},
)
row("stablehlo.count_leading_zeros", 1, counted(lambda n, bits: bits - n.bit_length()), SMALL)

# ---------------------------------------------------------------- comparison, conversion

DIRECTIONS = ("EQ", "NE", "LT", "LE", "GT", "GE")


def compared(dtype: np.dtype, direction: str, kind: str = "") -> Call:
    attributes = {"comparison_direction": f"#stablehlo<comparison_direction {direction}>"}
    if kind:
        attributes["compare_type"] = f"#stablehlo<comparison_type {kind}>"
    return Call(crossed(*[special(dtype)] * 2), attributes)


def compare(a: np.ndarray, b: np.ndarray, comparison_direction: str, compare_type: str = "") -> np.ndarray:
    direction = comparison_direction.split()[-1].rstrip(">")
    if a.dtype.kind == "c" and direction not in ("EQ", "NE"):
        raise AssertionError("complex numbers have no order")
    if "TOTALORDER" in compare_type:
        a, b = (
            np.where(x < 0, x ^ np.iinfo(x.dtype).max, x) for x in (a.view(f"i{a.itemsize}"), b.view(f"i{b.itemsize}"))
        )
    functions = (np.equal, np.not_equal, np.less, np.less_equal, np.greater, np.greater_equal)
    return functions[DIRECTIONS.index(direction)](a, b)


case(
    "stablehlo.compare",
    draw=st.builds(
        lambda seed, shape, dtype, d: Call(
            [
                np.round(random(seed + i, shape, dtype, -2, 2))
                if is_floating(dtype)
                else random(seed + i, shape, dtype)
                for i in (0, 1)
            ],
            {"comparison_direction": f"#stablehlo<comparison_direction {d}>"},
        ),
        seeds,
        shapes(),
        st.sampled_from([f32, i8, u64, i64, bf16]),
        st.sampled_from(DIRECTIONS),
    ),
    ref=compare,
    examples=[
        *(compared(dtype, d) for dtype in (f32, f64, f16, bf16, i32, u32, u64, i8, boolean) for d in DIRECTIONS),
        *(compared(dtype, d) for dtype in COMPLEXES for d in ("EQ", "NE")),
        *(compared(dtype, d, "TOTALORDER") for dtype in (f32, f64) for d in DIRECTIONS),
    ],
    disagree={
        "interpreter": ("compares by FLOAT", lambda call: "TOTALORDER" in call.attributes.get("compare_type", ""))
    },
    errors=[(Call([np.zeros(2, f32)] * 2, results="tensor<2xi1>"), "lacks the attribute 'comparison_direction'")],
)


def selected(dtype: np.dtype, shape: tuple[int, ...], scalar: bool = False, seed: int = 0) -> Call:
    choice = random(seed, () if scalar else shape, boolean)
    return Call([choice, random(seed + 1, shape, dtype), random(seed + 2, shape, dtype)])


case(
    "stablehlo.select",
    draw=st.builds(
        lambda seed, shape, dtype, scalar: selected(dtype, shape, scalar, seed),
        seeds,
        shapes(),
        st.sampled_from([f32, bf16, c64, u8, boolean, i64]),
        st.booleans(),
    ),
    ref=lambda p, a, b: np.where(p, a, b).astype(a.dtype),
    examples=[
        *(selected(dtype, (5,)) for dtype in (f32, f16, c128, i4, u64)),
        Call([np.array([True, False]), np.array([np.nan, 1], f32), np.array([0, np.nan], f32)]),
    ],
)


def converted(x: np.ndarray, target: np.dtype) -> Call:
    return Call([x], result=lambda x: convert(x, target))


def convert(x: np.ndarray, target: np.dtype) -> np.ndarray:
    if x.dtype.kind == "c" and target.kind != "c":
        x = x.real
    if target == boolean:
        return x != 0
    if target.kind == "c" or is_floating(target):
        # ml_dtypes rounds integers through float32 twice; Python's way to bf16 and f16 is by an odd-rounded float64.
        if x.dtype.kind in "iu" and target in (bf16, f16):
            return odd(x).astype(target)
        return np.asarray(odd(x) if x.dtype == f64 and target == bf16 else x).astype(target)
    if is_floating(x.dtype):
        limits = ml_dtypes.iinfo(target)
        numbers = [
            0 if math.isnan(n) else min(max(n, limits.min), limits.max) for n in x.astype(f64).reshape(-1).tolist()
        ]
        return np.array([int(n) for n in numbers], object).astype(target).reshape(x.shape)
    return exactly_to(x, target)


def odd(x: np.ndarray) -> np.ndarray:
    """Numbers as float32 rounded to odd, so that one more rounding is right."""
    x = x.astype(f64)
    near = x.astype(f32)
    toward = np.where(np.abs(near.astype(f64)) > np.abs(x), np.nextafter(near, f32.type(0)), near)
    inexact = (near.astype(f64) != x) & ~np.isnan(x)
    return np.where(inexact, (toward.view(u32) | 1).view(f32), near)


def exactly_to(x: np.ndarray, target: np.dtype) -> np.ndarray:
    limits = ml_dtypes.iinfo(target)
    low, span = int(limits.min), 2**limits.bits
    return np.array([(int(n) - low) % span + low for n in x.reshape(-1)], object).astype(target).reshape(x.shape)


EDGES = np.array(
    [2.0**31, 2.0**63, -(2.0**31), -(2.0**63), 255.5, 256, -128.5, -129, -0.9, 65504, 65520, 1e-8, 2**24 + 1]
)
TYPES = (f32, f64, bf16, f16, i32, u32, i8, u8, i64, u64, boolean, i4)
case(
    "stablehlo.convert",
    draw=st.builds(
        lambda seed, shape, a, b: converted(random(seed, shape, a, -300, 300), b),
        seeds,
        shapes(),
        st.sampled_from([t for t in TYPES if t not in (i4, u64)]),
        st.sampled_from(TYPES),
    ),
    ref=None,
    examples=[
        *(converted(special(a), b) for a in (f32, f64, f16, bf16, i32, i8, u32) for b in TYPES),
        *(converted(EDGES.astype(a), b) for a in (f32, f64) for b in TYPES),
        *(converted(special(a), b) for a in (i64, u64) for b in (f32, f64, i32, i8, u64, i64)),
        *(converted(special(c64), b) for b in (f32, c128, i32)),
        converted(special(i32), c64),
        # 1 + 2⁻⁸ + 2⁻³⁰ is above the middle of two bf16; through float32 it would be the middle.
        converted(np.array([1 + 2**-8 + 2**-30, 1 + 2**-11 + 2**-40], f64), bf16),
    ],
    disagree={
        "xla": (
            "rounds twice, through f32",
            lambda call: call.operands[0].dtype == f64 and call.result(*call.operands).dtype == bf16,
        )
    },
)


def bitcast(x: np.ndarray, target: np.dtype, *shape: int) -> Call:
    return Call([x], result=lambda x: np.frombuffer(x.tobytes(), target).reshape(shape))


case(
    "stablehlo.bitcast_convert",
    draw=st.builds(
        lambda seed, shape, pair: bitcast(random(seed, shape, pair[0]), pair[1], *shape),
        seeds,
        shapes(),
        st.sampled_from(
            [(f32, i32), (u32, f32), (f64, u64), (i64, f64), (bf16, u16), (i16, f16), (i8, u8), (f16, bf16)]
        ),
    ),
    ref=None,
    examples=[
        *(bitcast(special(f32), t, 23) for t in (i32, u32)),
        bitcast(special(bf16), i16, 23),
        bitcast(random(1, (3,), f32), u8, 3, 4),
        bitcast(random(1, (3,), u64), u32, 3, 2),
        bitcast(random(1, (3, 4), u8), f32, 3),
        bitcast(random(1, (2, 2), i32), f64, 2),
        bitcast(random(1, (2, 2), bf16), f32, 2),
    ],
    errors=[(Call([np.zeros(2, f32)], results="tensor<3xi32>"), "")],
)


def reduced(exponent: int, mantissa: int, x: np.ndarray | None = None) -> Call:
    return Call([special(f32) if x is None else x], {"exponent_bits": exponent, "mantissa_bits": mantissa})


case(
    "stablehlo.reduce_precision",
    draw=st.builds(
        lambda seed, shape, form: reduced(*form, random(seed, shape, f32, -1e5, 1e5)),
        seeds,
        shapes(),
        st.sampled_from([(8, 7), (8, 23), (8, 10)]),
    ),
    ref=lambda x, exponent_bits, mantissa_bits: (
        x
        if mantissa_bits == 23
        else (np.where(np.isnan(x), x.view(u32), rounded_bits(x.view(u32), 23 - mantissa_bits)).astype(u32)).view(f32)
    ),
    examples=[reduced(8, 7), reduced(8, 23), reduced(8, 10)],
)


def rounded_bits(bits: np.ndarray, drop: int) -> np.ndarray:
    wide = bits.astype(u64)
    return ((wide + (1 << (drop - 1)) - 1 + ((wide >> drop) & 1)) >> drop) << drop


# ---------------------------------------------------------------- complex numbers

case(
    "stablehlo.complex",
    draw=drawn(2, (f32, f64)),
    ref=lambda a, b: np.stack([a, b], -1).view(c64 if a.dtype == f32 else c128)[..., 0],
    examples=specials(2, (f32, f64)),
)
row("stablehlo.real", 1, lambda x: x.real, (*COMPLEXES, f32, f64))
row("stablehlo.imag", 1, lambda x: x.imag, (*COMPLEXES, f32, f64))
row("chlo.conj", 1, np.conj, [*COMPLEXES, f32, f64])
row("stablehlo.is_finite", 1, np.isfinite, FLOATS)

# ---------------------------------------------------------------- one operand


def by_type(floats: Callable[..., Any], integers: Callable[..., Any]) -> Callable[..., Any]:
    return lambda *xs: (floats if is_floating(xs[0].dtype) or xs[0].dtype.kind == "c" else integers)(*xs)


def in_f64(function: Callable[..., Any]) -> Callable[..., Any]:
    """A function of real numbers by float64, or longer for float64 itself, rounded once."""

    def apply(*xs: np.ndarray) -> np.ndarray:
        work = np.longdouble if xs[0].dtype == f64 else f64
        result = np.asarray(function(*(x.astype(work) for x in xs)))
        return (odd(result) if xs[0].dtype == bf16 else result).astype(xs[0].dtype)

    return apply


def sign(x: np.ndarray) -> np.ndarray:
    return np.where(np.isnan(x) | (x == 0), x, np.copysign(np.ones_like(x), x)).astype(x.dtype)


def half_away(x: np.ndarray) -> np.ndarray:
    whole = np.trunc(x)
    return np.copysign(np.where(np.abs(x - whole) >= 0.5, whole + np.copysign(1, x), whole), x)


SIGNED = (*FLOATS, i32, i8, i16, i64)
row("stablehlo.abs", 1, by_type(np.abs, exactly(abs)), SIGNED)
row("stablehlo.ceil", 1, in_f64(np.ceil), FLOATS)
row("stablehlo.floor", 1, in_f64(np.floor), FLOATS)
row("stablehlo.negate", 1, by_type(np.negative, exactly(lambda x: -x)), (*NUMBERS, *COMPLEXES))
row("stablehlo.not", 1, np.invert, (boolean, *INTEGERS))
row("stablehlo.round_nearest_afz", 1, in_f64(half_away), FLOATS)
row("stablehlo.round_nearest_even", 1, in_f64(np.rint), FLOATS)
row("stablehlo.sign", 1, by_type(sign, exactly(lambda x: (x > 0) - (x < 0))), SIGNED)
row("chlo.is_inf", 1, np.isinf, (f32, f64))
row("chlo.is_neg_inf", 1, np.isneginf, (f32, f64))
row("chlo.is_pos_inf", 1, np.isposinf, (f32, f64))
row("chlo.square", 1, by_type(lambda x: x * x, exactly(lambda x: x * x)), FLOATS)

# ---------------------------------------------------------------- two operands


def larger(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    """NaN wins, and +0 is above -0."""
    chosen = np.where((a > b) | ((a == b) & np.signbit(b)), a, b)
    return np.where(np.isnan(a), a, np.where(np.isnan(b), b, chosen)).astype(a.dtype)


TRAPS = {"interpreter": ("divides by zero", lambda call: call.operands[0].dtype.kind in "iu")}


def quotient(a: int, b: int) -> int:
    return -1 if b == 0 else abs(a) // abs(b) * (1 if (a < 0) == (b < 0) else -1)


def modulo(a: int, b: int) -> int:
    return a if b == 0 else a - quotient(a, b) * b


def boolean_or(function: Callable[..., Any], of_boolean: Callable[..., Any]) -> Callable[..., Any]:
    return lambda a, b: (of_boolean if a.dtype == boolean else function)(a, b)


def plain(op: Callable[..., Any]) -> Callable[..., Any]:
    return by_type(op, exactly(op))


ALL = (*NUMBERS, boolean)
row("stablehlo.add", 2, boolean_or(plain(lambda a, b: a + b), np.logical_or), (*ALL, i4))
row("stablehlo.and", 2, np.bitwise_and, (boolean, *INTEGERS))
row("stablehlo.divide", 2, by_type(lambda a, b: a / b, exactly(quotient)), NUMBERS, disagree=TRAPS)
row("stablehlo.maximum", 2, boolean_or(by_type(larger, np.maximum), np.logical_or), ALL)
row("stablehlo.minimum", 2, boolean_or(by_type(lambda a, b: -larger(-a, -b), np.minimum), np.logical_and), ALL)
row("stablehlo.multiply", 2, boolean_or(plain(lambda a, b: a * b), np.logical_and), (*ALL, i4))
row("stablehlo.or", 2, np.bitwise_or, (boolean, *INTEGERS))
row("stablehlo.remainder", 2, by_type(np.fmod, exactly(modulo)), (*FLOATS, *INTEGERS), disagree=TRAPS)
row("stablehlo.subtract", 2, plain(lambda a, b: a - b), NUMBERS)
row("stablehlo.xor", 2, np.bitwise_xor, (boolean, *INTEGERS))

# ---------------------------------------------------------------- three operands


def clamped(dtype: np.dtype, shape: tuple[int, ...], scalar: bool, seed: int = 0) -> Call:
    bound = () if scalar else shape
    return Call(
        [random(seed, bound, dtype, -9, 0), random(seed + 1, shape, dtype), random(seed + 2, bound, dtype, 0, 9)]
    )


def clamp(low: np.ndarray, x: np.ndarray, high: np.ndarray) -> np.ndarray:
    if not is_floating(x.dtype):
        return np.minimum(np.maximum(x, low), high)
    low, high = np.broadcast_to(low, x.shape), np.broadcast_to(high, x.shape)
    return -larger(-larger(x, low), -high)


case(
    "stablehlo.clamp",
    draw=st.builds(
        lambda seed, shape, dtype, scalar: clamped(dtype, shape, scalar, seed),
        seeds,
        shapes(),
        st.sampled_from([f32, bf16, i8, u32, i64]),
        st.booleans(),
    ),
    ref=clamp,
    examples=[*specials(3, (f32, i8)), clamped(f32, (4,), True), clamped(i32, (), False)],
)

test_drawn, test_examples, test_errors = new_tests()


# What tinygrad would fold as if floats were real numbers, or reorder.
ROUNDING = """
!t = tensor<4xf32>
func.func @main(%a: !t, %b: !t) -> (!t, !t, !t, !t, !t) {
  %zero = stablehlo.constant dense<0.0> : !t
  %three = stablehlo.constant dense<3.0> : !t
  %sum = stablehlo.add %a, %b : !t
  %back = stablehlo.subtract %sum, %a : !t
  %lost = stablehlo.subtract %b, %back : !t
  %none = stablehlo.multiply %a, %zero : !t
  %same = stablehlo.subtract %a, %a : !t
  %third = stablehlo.divide %a, %three : !t
  %once = stablehlo.add %b, %three : !t
  %twice = stablehlo.add %once, %three : !t
  return %lost, %none, %same, %third, %twice : !t, !t, !t, !t, !t
}
"""


def test_arithmetic_rounds_at_each_op() -> None:
    a, b = np.array([1e8, -np.inf, 7, -5], f32), np.array([1.2345678, 1, 16777215, 1e-8], f32)
    three = f32.type(3)
    with np.errstate(all="ignore"):
        expected = [b - ((a + b) - a), a * f32.type(0), a - a, a / three, (b + three) + three]
    expect_equal(Program(hlo2tiny.parse(ROUNDING), "CPU").numpy(a, b), expected)


# Equal numbers by themselves: 0 / 0 and ∞ - ∞ are NaN, whether they are equal as written or as they are simplified.
EQUAL = """func.func @main(%x: !m) -> (!t, !t, !t, !t, !t, !t) {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %none = stablehlo.constant dense<NONE> : !m
  %no = stablehlo.constant dense<false> : tensor<i1>
  %masked = stablehlo.select %no, %x, %none : tensor<i1>, !m
  %a = stablehlo.reduce(%x init: %zero) applies stablehlo.add across dimensions = [1] : (!m, tensor<f32>) -> !t
  %b = stablehlo.reduce(%x init: %zero) applies stablehlo.add across dimensions = [1] : (!m, tensor<f32>) -> !t
  %c = stablehlo.reduce(%none init: %zero) applies stablehlo.add across dimensions = [1] : (!m, tensor<f32>) -> !t
  %d = stablehlo.reduce(%masked init: %zero) applies stablehlo.add across dimensions = [1] : (!m, tensor<f32>) -> !t
  %e = stablehlo.reduce(%none init: %zero) applies stablehlo.maximum across dimensions = [1] : (!m, tensor<f32>) -> !t
  %0 = stablehlo.divide %a, %b : !t
  %1 = stablehlo.subtract %a, %b : !t
  %2 = stablehlo.divide %d, %c : !t
  %3 = stablehlo.subtract %d, %c : !t
  %4 = stablehlo.divide %e, %e : !t
  %5 = stablehlo.subtract %e, %e : !t
  return %0, %1, %2, %3, %4, %5 : !t, !t, !t, !t, !t, !t
}
""".replace("!m", "tensor<3x1xf32>").replace("!t", "tensor<3xf32>")


@pytest.mark.parametrize("target", ["", "tinygrad"])
@pytest.mark.parametrize("number", [0.0, np.inf])
def test_results_that_are_equal_or_become_equal_are_not_cancelled(
    number: float, target: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HLO2TINY_EXECUTOR", target)
    text, x, none = (
        EQUAL.replace("NONE", {0.0: "0.0"}.get(number, "0x7F800000")),
        np.array([0, np.inf, 3], f32),
        np.full(3, number, f32),
    )
    with np.errstate(all="ignore"):
        expected = [x / x, x - x, none / none, none - none, none / none, none - none]
    expect_equal(Program(hlo2tiny.parse(text), "CPU").numpy(x[:, None]), expected)


# Selected numbers are only known to be constants when kernels are made.
SELECTED = """func.func @main(%x: !t) -> (!t, !t, !t, tensor<4xi1>) {
  %no = stablehlo.constant dense<false> : tensor<i1>
  %end = stablehlo.constant dense<0x7F800000> : !t
  %nan = stablehlo.constant dense<0x7FC00000> : !t
  %zeros = stablehlo.constant dense<0.0> : !t
  %threes = stablehlo.constant dense<3.0> : !t
  %zero = stablehlo.select %no, %x, %zeros : tensor<i1>, !t
  %three = stablehlo.select %no, %x, %threes : tensor<i1>, !t
  %0 = stablehlo.multiply %zero, %end : !t
  %1 = stablehlo.add %x, %zero : !t
  %2 = stablehlo.divide %x, %three : !t
  %3 = stablehlo.compare GE, %nan, %nan : (!t, !t) -> tensor<4xi1>
  return %0, %1, %2, %3 : !t, !t, !t, tensor<4xi1>
}
""".replace("!t", "tensor<4xf32>")


@pytest.mark.parametrize("target", ["", "tinygrad"])
def test_what_becomes_a_constant_late_is_a_number(target: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HLO2TINY_EXECUTOR", target)
    x = np.array([-0.0, 5, 7, np.nan], f32)
    expected = [np.full(4, np.nan, f32), x + f32.type(0), x / f32.type(3), np.zeros(4, bool)]
    expect_equal(Program(hlo2tiny.parse(SELECTED), "CPU").numpy(x), expected)


@pytest.mark.parametrize("target", ["", "tinygrad"])
@pytest.mark.parametrize("dtype", [f32, f64])
def test_remainders_of_all_exponents(dtype: np.dtype, target: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Quotients of up to 2000 bits, also without float64."""
    monkeypatch.setenv("HLO2TINY_EXECUTOR", target)
    bits = np.random.default_rng(0).integers(0, 2 ** (8 * dtype.itemsize), (2, 4001), np.uint64)
    x, y = bits.astype(f"u{dtype.itemsize}").view(dtype)
    text = module_text("stablehlo.remainder", [Call([x, y])], [[type_of(x)]])
    (result,) = Program(hlo2tiny.parse(text), "CPU").numpy(x, y)
    expect_equal([result], [np.fmod(x, y)])


@pytest.mark.parametrize("dtype", [f32, f64])
@pytest.mark.parametrize("number", [128, -0.5, 1.7, 3e-39, 1e-45, 2.0**127, 3e38, 0, np.inf, np.nan])
def test_remainders_of_a_number(dtype: np.dtype, number: float) -> None:
    """Quotients of powers of two are exact, and those of other numbers have fewer bits."""
    bits = np.random.default_rng(0).integers(0, 2 ** (8 * dtype.itemsize), 501, np.uint64)
    x, y = bits.astype(f"u{dtype.itemsize}").view(dtype), dtype.type(number)
    type = f"tensor<501xf{8 * dtype.itemsize}>"
    text = f"""func.func @main(%x: {type}) -> {type} {{
      %y = stablehlo.constant dense<0x{y.tobytes()[::-1].hex()}> : {type}
      %r = stablehlo.remainder %x, %y : {type} return %r : {type} }}"""
    (result,) = Program(hlo2tiny.parse(text), "CPU").numpy(x)
    expect_equal([result], [np.fmod(x, y)])


@pytest.mark.parametrize("scalar", [True, False])
def test_clamp_of_complex_numbers(scalar: bool) -> None:
    """By the order of their real parts, then of their imaginary ones."""
    numbers = [-5 + 9j, -4 - 1j, -4 + 1j, 0j, 1 - 2j, 4 - 1j, 4 + 1j, 6 - 9j]
    low, high = (np.full(() if scalar else 8, bound, c64) for bound in (-4, 4))
    x = np.array(numbers, c64)
    text = module_text("stablehlo.clamp", [Call([low, x, high])], [[type_of(x)]])
    (found,) = Program(hlo2tiny.parse(text), "CPU").numpy(low, x, high)
    assert found.tolist() == [-4, -4, -4 + 1j, 0, 1 - 2j, 4 - 1j, 4, 4]


@pytest.mark.sampled(10, ci=5)
@pytest.mark.parametrize("op", ["count_leading_zeros", "popcnt", "not", "negate"])
@pytest.mark.parametrize("dtype", ["uint8", "uint32", "int32", "uint64"])
def test_what_bits_give_is_compared_and_shifts(dtype: str, op: str) -> None:
    """tinygrad compares integers as if they did not wrap: the count of leading zeros was never less than 32."""
    x = np.random.default_rng(0).integers(0, 2**64, 64, np.uint64).astype(dtype) >> np.arange(64).astype(dtype) % 7
    x[:3] = 0, 1, -1 % 2**x.itemsize
    bits, type = 8 * x.itemsize, type_of(x)
    function: dict[str, Callable[[int], int]] = {
        "count_leading_zeros": lambda n: bits - (n % 2**bits).bit_length(),
        "popcnt": lambda n: (n % 2**bits).bit_count(),
        "not": lambda n: ~n,
        "negate": lambda n: -n,
    }
    found = exactly(function[op])(x)
    lines, expected = [f"%y = stablehlo.{op} %x : {type}", f"%r0 = stablehlo.shift_left %x, %y : {type}"], []
    expected.append(shift(lambda a, n, bits: a << n if n < bits else 0)(x, found))
    truth = type_of(x == x)
    for i, limit in enumerate((0, 1, 5, bits - 1, bits, bits + 1), 1):
        lines.append(f"%c{i} = stablehlo.constant dense<{limit}> : {type}")
        lines.append(f"%r{i} = stablehlo.compare LT, %y, %c{i} : ({type}, {type}) -> {truth}")
        expected.append(found < limit)
    results, types = (", ".join(each) for each in ((f"%r{i}" for i in range(7)), (type, *[truth] * 6)))
    text = f"func.func @main(%x: {type}) -> ({types}) {{ {' '.join(lines)} return {results} : {types} }}"
    expect_equal(Program(hlo2tiny.parse(text), "CPU").numpy(x), expected)


@pytest.mark.parametrize("dtype", [f16, bf16], ids=str)
@pytest.mark.parametrize("op", ["maximum", "minimum"])
def test_extremes_of_floats_of_16_bits(dtype: np.dtype, op: str) -> None:
    """All of them beside special ones: -0 is below +0, and a NaN has the first one's sign, in reductions the op's."""
    infinity, nan, one = (int(np.array(x, dtype).view(np.uint16)) & 0x7FFF for x in (np.inf, np.nan, 1))
    beside = np.uint16([0, 0x8000, 1, one, infinity, infinity | 0x8000, infinity + 1, 0xFFFF])
    pairs = np.stack([x.reshape(-1) for x in np.meshgrid(np.arange(1 << 16, dtype=np.uint16), beside)])
    x, y = pairs
    order = [np.where(v & 0x8000, -1 - (v & 0x7FFF).astype(np.int32), v) for v in pairs]
    chosen = np.where((order[0] > order[1]) == (op == "maximum"), x, y)
    is_nan = [(v & 0x7FFF) > infinity for v in pairs]
    first = np.where(is_nan[0], x, y) & 0x8000 | nan
    either, signed = is_nan[0] | is_nan[1], nan | (0 if op == "maximum" else 0x8000)
    expected = [np.where(either, first, chosen), *[np.where(either, signed, chosen)] * 2]
    row, two, scalar = (type_of(np.zeros(shape, dtype)) for shape in (x.shape, pairs.shape, ()))
    none = infinity | 0x8000 * (op == "maximum")
    text = f"""
    func.func @main(%pairs: {two}, %x: {row}, %y: {row}) -> ({row}, {row}, {row}) {{
      %none = stablehlo.constant dense<0x{none:X}> : {scalar}
      %each = stablehlo.{op} %x, %y : {row}
      %both = stablehlo.reduce(%pairs init: %none) applies stablehlo.{op} across dimensions = [0]
          : ({two}, {scalar}) -> {row}
      %windows = "stablehlo.reduce_window"(%pairs, %none) ({{
        ^bb0(%a: {scalar}, %b: {scalar}):
          %c = stablehlo.{op} %a, %b : {scalar}
          stablehlo.return %c : {scalar}
      }}) {{window_dimensions = array<i64: 2, 1>}} : ({two}, {scalar}) -> {row.replace("<", "<1x")}
      %of_windows = stablehlo.reshape %windows : ({row.replace("<", "<1x")}) -> {row}
      return %each, %both, %of_windows : {row}, {row}, {row}
    }}"""
    found = hlo2tiny.load(text, "CPU").numpy(*(v.view(dtype) for v in (pairs, x, y)))
    for bits, right in zip(found, expected):
        np.testing.assert_array_equal(bits.view(np.uint16), right)
