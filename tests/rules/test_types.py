"""Every element type, all numbers of the small ones: conversions, arithmetic, buffers; and types that do not fit."""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import pytest
from oracles import run as run_oracle
from tinygrad import Tensor, dtypes

import hlo2tiny
from hlo2tiny.program import Program

from .numbers import (
    ELEMENT,
    F8,
    TINY,
    bf16,
    boolean,
    codes,
    crossed,
    expect_equal,
    f16,
    f32,
    f64,
    i8,
    i32,
    i64,
    is_floating,
    special,
    type_of,
    u8,
    u32,
    u64,
)

WITHOUT_NAN = ("f6E2M3FN", "f6E3M2FN", "f4E2M1FN")


def module(operands: Sequence[np.ndarray], lines: Sequence[str], results: Sequence[np.ndarray]) -> str:
    """A module of @main over %x0, %x1, …, whose lines define %r0, %r1, …."""
    header = ", ".join(f"%x{i}: {type_of(x)}" for i, x in enumerate(operands))
    given = ", ".join(map(type_of, results))
    names = ", ".join(f"%r{i}" for i in range(len(results)))
    body = "\n".join(f"  {line}" for line in lines)
    return f"func.func @main({header}) -> ({given}) {{\n{body}\n  return {names} : {given}\n}}"


def check(operands: Sequence[np.ndarray], lines: Sequence[str], results: Sequence[np.ndarray]) -> None:
    text = module(operands, lines, results)
    try:
        expect_equal(Program(hlo2tiny.parse(text), "CPU").numpy(*operands), results)
    except Exception as error:
        error.add_note(text)
        raise


def converted(x: np.ndarray, target: np.dtype) -> np.ndarray:
    """Rounded once: ml_dtypes goes through float32, which is harmless from an odd-rounded one."""
    name = ELEMENT[target]
    if target == boolean:
        return x != 0
    if not is_floating(target):
        low, high = (int(getattr(np.iinfo(target), end)) for end in ("min", "max"))
        numbers = [0 if n != n else int(max(min(n, high), low)) for n in x.astype(f64).tolist()]
        return np.array(numbers, object).astype(target)
    if x.dtype == f64 and target != f32:
        near = x.astype(f32)
        toward = np.where(np.abs(near.astype(f64)) > np.abs(x), np.nextafter(near, f32.type(0)), near)
        x = np.where((near.astype(f64) != x) & ~np.isnan(x), (toward.view(u32) | 1).view(f32), near)
    result = x.astype(f32).astype(target) if x.dtype != f64 else x.astype(target)
    if name in WITHOUT_NAN:
        # The code of -0 stands for what is not a number.
        nan = np.array([{"f4": 8}.get(name[:2], 32)], u8).view(target)
        return np.where(np.isnan(x.astype(f32)), nan, result)
    return result


def edges(dtype: np.dtype) -> np.ndarray:
    """float32 numbers at, between and beside all numbers of a type, and beyond its ends."""
    numbers = np.unique(codes(dtype).astype(f32))
    numbers = numbers[np.isfinite(numbers)]
    middles = ((numbers[1:].astype(f64) + numbers[:-1]) / 2).astype(f32)
    near = [np.nextafter(x, f32.type(end)) for x in (numbers, middles) for end in (np.inf, -np.inf)]
    with np.errstate(over="ignore"):
        return np.concatenate([numbers, middles, *near, numbers * f32.type(2), special(f32)])


# ---------------------------------------------------------------- narrow floats

ALL = {**F8, "bf16": bf16, "f16": f16, "f32": f32, "f64": f64}


@pytest.mark.sampled(4, ci=2)
@pytest.mark.parametrize("name", F8)
def test_conversions_from_all_numbers(name: str) -> None:
    x = codes(F8[name])
    targets = [*ALL.values(), i32, i8, u8, i64, boolean]
    results = [converted(x, target) for target in targets]
    lines = [f"%r{i} = stablehlo.convert %x0 : ({type_of(x)}) -> {type_of(r)}" for i, r in enumerate(results)]
    check([x], lines, results)


@pytest.mark.sampled(3)
@pytest.mark.parametrize("name", F8)
def test_conversions_to_all_numbers(name: str) -> None:
    x = edges(F8[name])
    # Beside the middle of two numbers by less than float32 tells: a second rounding would go the wrong way.
    beside = [np.nextafter(x.astype(f64), end) for end in (np.inf, -np.inf)]
    operands = [x, np.concatenate([x.astype(f64), *beside]), x.astype(f16), x.astype(bf16)]
    results = [converted(operand, F8[name]) for operand in operands]
    lines = [
        f"%r{i} = stablehlo.convert %x{i} : ({type_of(o)}) -> {type_of(r)}"
        for i, (o, r) in enumerate(zip(operands, results))
    ]
    check(operands, lines, results)


@pytest.mark.sampled(3)
@pytest.mark.parametrize("name", F8)
def test_conversions_of_integers(name: str) -> None:
    operands = [codes(i8), codes(u8), np.arange(-3000, 70000, 7, dtype=i32), codes(TINY[0]), codes(TINY[3])]
    results = [converted(operand, F8[name]) for operand in operands]
    lines = [
        f"%r{i} = stablehlo.convert %x{i} : ({type_of(o)}) -> {type_of(r)}"
        for i, (o, r) in enumerate(zip(operands, results))
    ]
    check(operands, lines, results)


def test_bf16_is_rounded_at_every_tie_and_edge() -> None:
    """The first half of a float32, around every number of bf16: ties, the overflow, subnormal numbers, NaN."""
    bits = np.arange(1 << 16, dtype=np.uint32)[:, None] << 16
    edges = (bits + np.array([0, 1, 0x7FFF, 0x8000, 0x8001, 0xFFFF], np.uint32)).reshape(-1).view(f32)
    text = """func.func @main(%x: tensor<393216xf32>) -> (tensor<393216xbf16>, tensor<393216xf32>) {
      %0 = stablehlo.convert %x : (tensor<393216xf32>) -> tensor<393216xbf16>
      %1 = stablehlo.convert %0 : (tensor<393216xbf16>) -> tensor<393216xf32>
      return %0, %1 : tensor<393216xbf16>, tensor<393216xf32>
    }"""
    narrow, wide = hlo2tiny.load(text, "CPU").numpy(edges)
    with np.errstate(invalid="ignore"):
        expected = edges.astype(bf16)
    nan = np.isnan(edges)
    assert np.isnan(wide[nan]).all() and np.isnan(narrow[nan].astype(f32)).all()
    np.testing.assert_array_equal(narrow.view(np.uint16)[~nan], expected.view(np.uint16)[~nan])
    np.testing.assert_array_equal(wide[~nan], expected.astype(f32)[~nan])


@pytest.mark.parametrize("dtype", [i32, u32, i64, u64], ids=str)
def test_wide_integers_are_rounded_once(dtype: np.dtype) -> None:
    """Beside the middle of two numbers by one: float32 would be the middle."""
    exponents = range(9, 63 if dtype.itemsize == 8 else 31)
    numbers = [
        2**e + 2 ** (e - bits) * odd + d for e in exponents for bits in (1, 4, 8) for odd in (1, 3) for d in (-1, 0, 1)
    ]
    x = np.array([n for n in numbers if n <= np.iinfo(dtype).max], dtype)
    x = x if dtype.kind == "u" else np.concatenate([x, -x])
    names = ("f8E5M2", "f8E4M3B11FNUZ", "f8E8M0FNU", "f16", "bf16")
    operands, exact = [x], [int(n) for n in x]
    results = [converted(np.array([to_odd(n) for n in exact], f32), ALL[name]) for name in names]
    lines = [f"%r{i} = stablehlo.convert %x0 : ({type_of(x)}) -> {type_of(r)}" for i, r in enumerate(results)]
    check(operands, lines, results)


def to_odd(number: int) -> float:
    """An integer cut to 20 bits, the last of which is set when something was lost."""
    drop = max(abs(number).bit_length() - 20, 0)
    size = abs(number) >> drop << drop
    size |= (size != abs(number)) << drop
    return float(size if number >= 0 else -size)


@pytest.mark.ci
@pytest.mark.parametrize("name", [n for n in F8 if not n.startswith("f6")])  # XLA on the CPU has no f6
def test_the_reference_is_what_xla_does(name: str) -> None:
    x = edges(F8[name])
    if name == "f8E8M0FNU":  # XLA takes subnormal operands for zero, which is NaN here
        x = x[~((np.abs(x) < np.finfo(f32).tiny) & (x != 0))]
    result = converted(x, F8[name])
    text = module([x], [f"%r0 = stablehlo.convert %x0 : ({type_of(x)}) -> {type_of(result)}"], [result])
    expect_equal(run_oracle("xla", text, [x]), [result])


def rounded(function: Callable[..., np.ndarray]) -> Callable[..., np.ndarray]:
    """An op on narrow floats is one on float32, rounded."""

    def apply(*xs: np.ndarray) -> np.ndarray:
        with np.errstate(all="ignore"):
            return converted(np.asarray(function(*(x.astype(f64) for x in xs))).astype(f32), xs[0].dtype)

    return apply


def larger(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    """NaN wins, and +0 is above -0."""
    chosen = np.where((a > b) | ((a == b) & np.signbit(b)), a, b)
    return np.where(np.isnan(a), a, np.where(np.isnan(b), b, chosen))


BINARY: dict[str, Callable[..., np.ndarray]] = {
    "add": np.add,
    "divide": np.divide,
    "maximum": larger,
    "minimum": lambda a, b: -larger(-a, -b),
    "multiply": np.multiply,
    "remainder": np.fmod,
    "subtract": np.subtract,
}
UNARY: dict[str, Callable[..., np.ndarray]] = {
    "abs": np.abs,
    "ceil": np.ceil,
    "exponential": np.exp,
    "floor": np.floor,
    "log": np.log,
    "negate": np.negative,
    "round_nearest_even": np.rint,
    "sine": np.sin,
    "sqrt": np.sqrt,
    "tanh": np.tanh,
}
COMPARE = {
    "EQ": np.equal,
    "NE": np.not_equal,
    "LT": np.less,
    "LE": np.less_equal,
    "GT": np.greater,
    "GE": np.greater_equal,
}


@pytest.mark.sampled(4, ci=2)
@pytest.mark.parametrize("name", F8)
def test_arithmetic_on_all_numbers(name: str) -> None:
    x = codes(F8[name])
    a, b = crossed(x, x)
    results = [rounded(f)(a, b) for f in BINARY.values()] + [rounded(f)(x) for f in UNARY.values()]
    t, u = type_of(a), type_of(x)
    lines = [f'%r{i} = "stablehlo.{op}"(%x0, %x1) : ({t}, {t}) -> {t}' for i, op in enumerate(BINARY)]
    lines += [f'%r{i + len(BINARY)} = "stablehlo.{op}"(%x2) : ({u}) -> {u}' for i, op in enumerate(UNARY)]
    check([a, b, x], lines, results)


@pytest.mark.sampled(3)
@pytest.mark.parametrize("name", F8)
def test_comparison_of_all_numbers(name: str) -> None:
    a, b = crossed(codes(F8[name]), codes(F8[name]))
    results = [f(a.astype(f32), b.astype(f32)) for f in COMPARE.values()] + [np.isfinite(a.astype(f32))]
    t, p = type_of(a), type_of(results[0])
    lines = [f"%r{i} = stablehlo.compare {d}, %x0, %x1 : ({t}, {t}) -> {p}" for i, d in enumerate(COMPARE)]
    check([a, b], [*lines, f"%r6 = stablehlo.is_finite %x0 : ({t}) -> {p}"], results)


@pytest.mark.sampled(4, ci=2)
@pytest.mark.parametrize("name", F8)
def test_moving_reducing_and_multiplying(name: str) -> None:
    dtype = F8[name]
    x = codes(dtype)[np.isfinite(codes(dtype).astype(f32))]
    x = x[: len(x) // 4 * 4].reshape(-1, 4)
    a = np.array([[1, 2, 1, 0.5], [2, 1, 4, 1]]).astype(dtype)
    t, s = type_of(x), f"tensor<{name}>"
    body = f"({{ ^bb0(%p: {s}, %q: {s}): %s = stablehlo.maximum %p, %q : {s} stablehlo.return %s : {s} }})"
    largest = converted(functools.reduce(larger, x.astype(f64).T, np.full(len(x), x[0, 0]).astype(f64)), dtype)
    product = converted(a.astype(f64) @ a.astype(f64).T, dtype)
    ramp, joined = converted(np.arange(3, dtype=f64), dtype), np.concatenate([x, x])
    product_type = f"({type_of(a)}, {type_of(a)}) -> {type_of(product)}"
    reduce = '"stablehlo.reduce"(%x0, %x2) <{dimensions = array<i64: 1>}>'
    lines = [
        f"%r0 = stablehlo.reverse %x0, dims = [0] : {t}",
        f"%r1 = stablehlo.concatenate %x0, %x0, dim = 0 : ({t}, {t}) -> {type_of(joined)}",
        f"%r2 = {reduce} {body} : ({t}, {s}) -> {type_of(largest)}",
        f"%r3 = stablehlo.dot_general %x1, %x1, contracting_dims = [1] x [1] : {product_type}",
        f"%r4 = stablehlo.iota dim = 0 : {type_of(ramp)}",
        f"%r5 = stablehlo.constant dense<1.0> : {s}",
        f"%r6 = stablehlo.constant dense<[1.0, 2.0, 4.0]> : tensor<3x{name}>",
        "%c = stablehlo.constant dense<true> : tensor<i1>",
        f"%r7 = stablehlo.select %c, %x0, %x0 : tensor<i1>, {t}",
    ]
    numbers = [np.array(n).astype(dtype) for n in (1, [1, 2, 4])]
    check([x, a, x[0, 0]], lines, [x[::-1], joined, largest, product, ramp, *numbers, x])


def test_bits_of_narrow_floats() -> None:
    for name in [n for n in F8 if n.startswith("f8")]:
        x = codes(F8[name])
        lines = [
            f"%r0 = stablehlo.bitcast_convert %x0 : ({type_of(x)}) -> tensor<256xui8>",
            f"%r1 = stablehlo.bitcast_convert %x0 : ({type_of(x)}) -> tensor<256xi8>",
            f"%r2 = stablehlo.bitcast_convert %x1 : (tensor<256xui8>) -> {type_of(x)}",
            f"%r3 = stablehlo.bitcast_convert %x2 : (tensor<64x4x{name}>) -> tensor<64xf32>",
        ]
        given = [x, x.view(u8), x.reshape(64, 4)]
        expected = [x.view(u8), x.view(i8), x, x.view(f32)]
        text = module(given, lines, expected)
        for got, wanted in zip(Program(hlo2tiny.parse(text), "CPU").numpy(*given), expected):
            assert got.tobytes() == wanted.tobytes()


def test_bits_of_less_than_a_byte() -> None:
    i2, u2, i4, u4 = TINY
    f4, f6 = F8["f4E2M1FN"], [F8[n] for n in F8 if n.startswith("f6")]
    nibbles, bits = np.arange(16, dtype=u8), np.array([0x1B, 0xE4, 0x00, 0xFF], u8)
    cases = [
        (nibbles.view(f4), codes(i4)[[*range(8, 16), *range(8)]]),
        (nibbles.view(f4), nibbles.astype(u4)),
        (codes(i4), ((codes(i4).astype(int) + 16) % 16).astype(u8).view(f4)),
        (codes(F8["f6E2M3FN"]), codes(F8["f6E2M3FN"]).view(u8).view(f6[1])),
        (bits, np.array([[3, 2, 1, 0], [0, 1, 2, 3], [0] * 4, [3] * 4]).astype(u2)),
        (bits, np.array([[-1, -2, 1, 0], [0, 1, -2, -1], [0] * 4, [-1] * 4]).astype(i2)),
        (np.array([[11, 1], [4, 14]]).astype(u4), np.array([0x1B, 0xE4 - 256], i8)),
        (np.array([[3, 2, 1, 0]]).astype(u2).repeat(2, 0).reshape(1, 8), np.array([0x1B1B], np.uint16)),
    ]
    operands, results = [x for x, _ in cases], [y for _, y in cases]
    lines = [
        f"%r{i} = stablehlo.bitcast_convert %x{i} : ({type_of(x)}) -> {type_of(y)}" for i, (x, y) in enumerate(cases)
    ]
    check(operands, lines, results)


# ---------------------------------------------------------------- narrow integers


def wrapped(function: Callable[..., Any]) -> Callable[..., np.ndarray]:
    def apply(*xs: np.ndarray) -> np.ndarray:
        least, span = int(codes(xs[0].dtype).astype(int).min()), len(codes(xs[0].dtype))
        numbers = [(int(function(*n)) - least) % span + least for n in zip(*(x.astype(int).tolist() for x in xs))]
        return np.array(numbers).astype(xs[0].dtype)

    return apply


def quotient(a: int, b: int) -> int:
    return -1 if b == 0 else abs(a) // abs(b) * (1 if (a < 0) == (b < 0) else -1)


INTEGER_BINARY: dict[str, Callable[[int, int], int]] = {
    "add": lambda a, b: a + b,
    "and": lambda a, b: a & b,
    "divide": quotient,
    "maximum": max,
    "minimum": min,
    "multiply": lambda a, b: a * b,
    "or": lambda a, b: a | b,
    "remainder": lambda a, b: a if b == 0 else a - quotient(a, b) * b,
    "subtract": lambda a, b: a - b,
    "xor": lambda a, b: a ^ b,
}


@pytest.mark.parametrize("dtype", TINY, ids=str)
def test_integers_of_less_than_a_byte(dtype: np.dtype) -> None:
    x = codes(dtype)
    a, b = crossed(x, x)
    t, u, width = type_of(a), type_of(x), len(x).bit_length() - 1
    operations = dict(INTEGER_BINARY)
    operations["shift_left"] = lambda a, b: a << b % 2**width if b % 2**width < width else 0
    operations["shift_right_logical"] = lambda a, b: a % 2**width >> b % 2**width
    operations["shift_right_arithmetic"] = lambda a, b: signed(a) >> min(b % 2**width, width)

    def signed(n: int) -> int:
        return (n + 2 ** (width - 1)) % 2**width - 2 ** (width - 1)

    unary = {
        "not": lambda n: ~n,
        "negate": lambda n: -n,
        "abs": abs,
        "sign": lambda n: (n > 0) - (n < 0),
        "popcnt": lambda n: (n % 2**width).bit_count(),
        "count_leading_zeros": lambda n: width - (n % 2**width).bit_length(),
    }
    if dtype.name.startswith("uint"):  # defined on signed integers only
        del unary["abs"], unary["sign"]
    results = [wrapped(f)(a, b) for f in operations.values()] + [wrapped(f)(x) for f in unary.values()]
    lines = [f'%r{i} = "stablehlo.{op}"(%x0, %x1) : ({t}, {t}) -> {t}' for i, op in enumerate(operations)]
    lines += [f'%r{i + len(operations)} = "stablehlo.{op}"(%x2) : ({u}) -> {u}' for i, op in enumerate(unary)]
    compared = [f(a.astype(int), b.astype(int)) for f in COMPARE.values()]
    p, at = type_of(compared[0]), len(results)
    lines += [f"%r{at + i} = stablehlo.compare {d}, %x0, %x1 : ({t}, {t}) -> {p}" for i, d in enumerate(COMPARE)]
    check([a, b, x], lines, [*results, *compared])


@pytest.mark.parametrize("dtype", TINY, ids=str)
def test_narrow_integers_move_reduce_and_convert(dtype: np.dtype) -> None:
    x, name = codes(dtype), ELEMENT[dtype]
    t, s = type_of(x), f"tensor<{name}>"
    zero = np.zeros((), dtype)
    body = f"({{ ^bb0(%p: {s}, %q: {s}): %s = stablehlo.add %p, %q : {s} stablehlo.return %s : {s} }})"
    lines = [
        f"%r0 = stablehlo.convert %x0 : ({t}) -> {t.replace(name, 'f32')}",
        f"%r1 = stablehlo.convert %x0 : ({t}) -> {t.replace(name, 'i64')}",
        f"%r2 = stablehlo.convert %x2 : (tensor<10xi32>) -> tensor<10x{name}>",
        f'%r3 = "stablehlo.reduce"(%x0, %x1) <{{dimensions = array<i64: 0>}}> {body} : ({t}, {s}) -> {s}',
        f"%r4 = stablehlo.reverse %x0, dims = [0] : {t}",
        f"%r5 = stablehlo.dot_general %x0, %x0, contracting_dims = [0] x [0] : ({t}, {t}) -> {s}",
        f"%r6 = stablehlo.iota dim = 0 : tensor<3x{name}>",
        f"%r7 = stablehlo.constant dense<[1, 0, 1]> : tensor<3x{name}>",
        f"%r8 = stablehlo.constant dense<1> : {s}",
    ]
    wide = np.arange(-5, 5, dtype=i32)
    results = [
        x.astype(f32),
        x.astype(int).astype(i64),
        np.array([int(total(n, x)) for n in wide]).astype(dtype),
        total(x.astype(int).sum(), x),
        x[::-1],
        total((x.astype(int) ** 2).sum(), x),
        np.arange(3).astype(dtype),
        np.array([1, 0, 1]).astype(dtype),
        np.array(1).astype(dtype),
    ]
    check([x, zero, wide], lines, results)


def total(number: int, x: np.ndarray) -> np.ndarray:
    """A number wrapped to the type of x, which has all its numbers."""
    least, span = int(x.astype(int).min()), len(x)
    return np.array((int(number) - least) % span + least).astype(x.dtype)


# ---------------------------------------------------------------- Tensors in and out

TENSORS = {
    "f8E4M3FN": dtypes.fp8e4m3,
    "f8E4M3FNUZ": dtypes.fp8e4m3fnuz,
    "f8E5M2": dtypes.fp8e5m2,
    "f8E5M2FNUZ": dtypes.fp8e5m2fnuz,
}


@pytest.mark.parametrize("name", F8)
def test_tensors_have_the_dtype_of_tinygrad_or_the_bits(name: str) -> None:
    x = codes(F8[name])
    t = type_of(x)
    text = f"func.func @main(%x: {t}) -> {t} {{\n  %0 = stablehlo.reverse %x, dims = [0] : {t}\n  return %0 : {t}\n}}"
    program = Program(hlo2tiny.parse(text), "CPU")
    result = program(x)
    assert isinstance(result, Tensor) and result.dtype == TENSORS.get(name, dtypes.uint8)
    assert program.numpy(x)[0].tobytes() == x[::-1].tobytes()
    again = program(result)
    assert isinstance(again, Tensor)
    bits = again if again.dtype == dtypes.uint8 else again.bitcast(dtypes.uint8)
    assert bits.contiguous().numpy().tobytes() == x.tobytes()


# ---------------------------------------------------------------- element types that do not fit

A = "tensor<2x{}>"


def refused(op: str, operands: Sequence[str], results: Sequence[str], attributes: str = "") -> str:
    names = ", ".join(f"%x{i}" for i in range(len(operands)))
    header = ", ".join(f"%x{i}: {A.format(t)}" for i, t in enumerate(operands))
    given = ", ".join(A.format(t) for t in results)
    types = ", ".join(A.format(t) for t in operands)
    properties = f" <{{{attributes}}}>" if attributes else ""
    returned = ", ".join(f"%r#{i}" for i in range(len(results)))
    call = f'%r:{len(results)} = "{op}"({names}){properties} : ({types}) -> ({given})'
    return f"func.func @main({header}) -> ({given}) {{\n  {call}\n  return {returned} : {given}\n}}"


EQ = "comparison_direction = #stablehlo<comparison_direction EQ>"
WRONG = {
    "bits": refused("stablehlo.negate", ["bf16"], ["ui16"]),
    "sum": refused("stablehlo.add", ["i8", "i8"], ["i32"]),
    "operands": refused("stablehlo.add", ["f16", "bf16"], ["f16"]),
    "sign": refused("stablehlo.multiply", ["i4", "i8"], ["i8"]),
    "compared": refused("stablehlo.compare", ["f8E5M2", "f8E4M3"], ["i1"], EQ),
    "comparison": refused("stablehlo.compare", ["f32", "f32"], ["ui8"], EQ),
    "choice": refused("stablehlo.select", ["i8", "f32", "f32"], ["f32"]),
    "chosen": refused("stablehlo.select", ["i1", "f32", "f32"], ["i32"]),
    "moved": refused("stablehlo.reverse", ["ui8"], ["f8E5M2"], "dimensions = array<i64: 0>"),
    "half": refused("stablehlo.real", ["complex<f32>"], ["f64"]),
    "modulus": refused("stablehlo.abs", ["complex<f64>"], ["complex<f64>"]),
    "pair": refused("stablehlo.complex", ["f64", "f64"], ["complex<f32>"]),
    "second": refused("stablehlo.optimization_barrier", ["f32", "i8"], ["f32", "ui8"]),
    "finite": refused("stablehlo.is_finite", ["f32"], ["f32"]),
}


@pytest.mark.parametrize("name", WRONG)
def test_element_types_that_do_not_fit_are_refused(name: str) -> None:
    with pytest.raises(hlo2tiny.Error, match=r"operand \d is|declared type is|the results are") as raised:
        Program(hlo2tiny.parse(WRONG[name]), "CPU")
    assert raised.value.line == 2


def test_a_constant_has_the_type_of_its_value() -> None:
    text = 'func.func @main() -> tensor<2xf32> {\n  %0 = "stablehlo.constant"() <{value = dense<1> : tensor<2xi32>}>'
    with pytest.raises(hlo2tiny.Error, match="C1"):
        Program(hlo2tiny.parse(text + " : () -> tensor<2xf32>\n  return %0 : tensor<2xf32>\n}"), "CPU")


def test_reductions_give_what_their_body_returns() -> None:
    add = "%s = stablehlo.add %a, %b : tensor<i8> stablehlo.return %s : tensor<i8>"
    body = f"({{ ^bb0(%a: tensor<i8>, %b: tensor<i8>): {add} }})"
    for operand, result, message in (
        ("i8", "i32", "body returns i8, but the declared type is tensor<i32>"),
        ("i32", "i8", "not promotable"),
    ):
        text = (
            f"func.func @main(%x: tensor<4x{operand}>, %i: tensor<{operand}>) -> tensor<{result}> {{\n"
            f'  %0 = "stablehlo.reduce"(%x, %i) <{{dimensions = array<i64: 0>}}> {body} : '
            f"(tensor<4x{operand}>, tensor<{operand}>) -> tensor<{result}>\n  return %0 : tensor<{result}>\n}}"
        )
        with pytest.raises(hlo2tiny.Error, match=message):
            Program(hlo2tiny.parse(text), "CPU")
