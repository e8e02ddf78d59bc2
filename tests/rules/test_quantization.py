"""Quantized tensors: the specification's formulas, written once in numpy, against what programs give.

Neither XLA nor jaxlib takes quantized types, so these formulas are the only reference, with StableHLO's recorded
programs (tests/test_conformance.py).
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import ml_dtypes
import numpy as np
import pytest

import hlo2tiny
from hlo2tiny.ir.dtypes import NUMPY
from hlo2tiny.ir.types import print_double
from hlo2tiny.program import Program
from hlo2tiny.rules import quantization

from .cases import case, new_tests
from .mlir import Call
from .numbers import bf16, expect_equal, f16, f32, f64, type_of

NAME = {f32: "f32", f64: "f64", bf16: "bf16", f16: "f16"}


@dataclass(frozen=True)
class Quantized:
    """A quantized element type. `scales` and `zeros` are numbers, or arrays of the tensor's rank."""

    text: str
    storage: np.dtype
    expressed: np.dtype
    scales: Any
    zeros: Any
    low: int
    high: int

    def of(self, *shape: int) -> str:
        return f"tensor<{''.join(f'{d}x' for d in shape)}{self.text}>"

    def dequantize(self, x: np.ndarray) -> np.ndarray:
        steps = (x.astype(np.int64) - self.zeros).astype(self.expressed)
        return np.asarray(steps * np.asarray(self.scales).astype(self.expressed)).astype(self.expressed)

    def quantize(self, x: np.ndarray) -> np.ndarray:
        scaled = (x / np.asarray(self.scales).astype(self.expressed)).astype(self.expressed)
        shifted = (scaled + np.asarray(self.zeros).astype(self.expressed)).astype(self.expressed)
        ends = (np.asarray(end).astype(self.expressed) for end in (self.low, self.high))
        whole = np.rint(np.clip(shifted, *ends)).astype(f64)
        # The ends of a wide storage type are rounded up in a narrow expressed one: the conversion saturates.
        return np.clip(np.nan_to_num(whole), self.low, self.high).astype(np.int64).astype(self.storage)

    def all(self, count: int) -> np.ndarray:
        """Numbers of the whole range."""
        return np.linspace(self.low, self.high, count).round().astype(np.int64).astype(self.storage)


def quantized(
    storage: str = "i8",
    expressed: np.dtype = f32,
    scale: float = 0.1,
    zero: int = 0,
    limits: tuple[int, int] | None = None,
) -> Quantized:
    dtype = NUMPY["ui" + storage[1:] if storage[0] == "u" else storage]
    info = ml_dtypes.iinfo(dtype)
    between = f"<{limits[0]}:{limits[1]}>" if limits else ""
    low, high = limits or (int(info.min), int(info.max))
    text = f"!quant.uniform<{storage}{between}:{NAME[expressed]}, {print_double(scale)}:{zero}>"
    return Quantized(text, dtype, expressed, scale, zero, low, high)


def by_axis(axis: int, rank: int, scales: Sequence[float], zeros: Sequence[int], storage: str = "i8") -> Quantized:
    shape = [len(scales) if d == axis else 1 for d in range(rank)]
    info = ml_dtypes.iinfo(NUMPY[storage])
    listed = ", ".join(f"{print_double(s)}:{z}" for s, z in zip(scales, zeros))
    text = f"!quant.uniform<{storage}:f32:{axis}, {{{listed}}}>"
    parameters = (np.array(p).reshape(shape) for p in (scales, zeros))
    return Quantized(text, NUMPY[storage], f32, *parameters, int(info.min), int(info.max))


def module(arguments: Sequence[str], results: Sequence[str], *lines: str) -> str:
    """A module whose @main takes %x0, %x1, … and returns %r0, %r1, …."""
    header = ", ".join(f"%x{i}: {t}" for i, t in enumerate(arguments))
    names = ", ".join(f"%r{i}" for i in range(len(results)))
    body = "\n".join(f"  {line}" for line in lines)
    given = ", ".join(results)
    return f"func.func @main({header}) -> ({given}) {{\n{body}\n  return {names} : {given}\n}}"


def one(op: str, arguments: Sequence[str], result: str, attributes: str = "", regions: str = "") -> str:
    """A module of one op in generic form."""
    names = ", ".join(f"%x{i}" for i in range(len(arguments)))
    properties = f" <{{{attributes}}}>" if attributes else ""
    line = f'%r0 = "stablehlo.{op}"({names}){properties} {regions} : ({", ".join(arguments)}) -> {result}'
    return module(arguments, [result], line)


def run(text: str, *arrays: np.ndarray) -> list[np.ndarray]:
    try:
        return Program(hlo2tiny.parse(text), "CPU").numpy(*arrays)
    except Exception as error:
        error.add_note(text)
        raise


def check(text: str, arrays: Sequence[np.ndarray], *expected: np.ndarray) -> None:
    expect_equal(run(text, *arrays), expected)


# ---------------------------------------------------------------- to and from floats

TYPES = [
    quantized(),
    quantized("i8", f32, 0.0039215482917486456, -128),
    quantized("u8", f32, 0.7, 200),
    quantized("i4", f32, 0.25, 3),
    quantized("u4", bf16, 0.3, 15),
    quantized("i2", f16, 1.5, -1),
    quantized("u2", f32, 1e-30, 1),
    quantized("i16", f32, 3.1e-5, -32768),
    quantized("u16", f64, 0.1, 65535),
    quantized("i16", bf16, 0.1, 1000),
    quantized("i8", bf16, 0.1, 127),
    quantized("i8", f16, 0.1, -5),
    quantized("i32", f32, 1e-6, 5),
    quantized("i32", f64, 1e-6, -(2**31)),
    quantized("u32", f64, 3.0, 7),
    quantized("i8", f32, 0.2, -3, (-4, 100)),
]


def floats(kind: Quantized) -> np.ndarray:
    """Numbers around each step's middle, beyond the ends, and special ones."""
    steps = np.linspace(kind.low - 2, kind.high + 2, 97).round()
    middles = [(steps + part - kind.zeros) * kind.scales for part in (0, 0.5, 0.499, -0.5, 0.25)]
    special = [0.0, -0.0, np.nan, np.inf, -np.inf, 1e38, -1e38, 1e-40]
    with np.errstate(over="ignore"):
        return np.concatenate([*middles, special]).astype(kind.expressed)


@pytest.mark.sampled(5)
@pytest.mark.parametrize("kind", TYPES, ids=lambda k: k.text)
def test_quantize_and_dequantize(kind: Quantized) -> None:
    x, codes = floats(kind), kind.all(300)
    lines = [
        f"%r0 = stablehlo.uniform_quantize %x0 : ({type_of(x)}) -> {kind.of(*x.shape)}",
        f"%r1 = stablehlo.uniform_dequantize %x1 : ({kind.of(300)}) -> tensor<300x{NAME[kind.expressed]}>",
        f"%r2 = stablehlo.uniform_quantize %r1 : (tensor<300x{NAME[kind.expressed]}>) -> {kind.of(300)}",
    ]
    results = [kind.of(*x.shape), f"tensor<300x{NAME[kind.expressed]}>", kind.of(300)]
    numbers = kind.dequantize(codes)
    with np.errstate(all="ignore"):
        check(
            module([type_of(x), kind.of(300)], results, *lines),
            [x, codes],
            kind.quantize(x),
            numbers,
            kind.quantize(numbers),
        )


@pytest.mark.sampled(4)
@pytest.mark.parametrize("kind", TYPES, ids=lambda k: k.text)
def test_on_the_host(kind: Quantized) -> None:
    """Rules that run on the host get and give numpy arrays."""
    x, codes = floats(kind), kind.all(300)
    (type,) = hlo2tiny.parse(one("negate", [kind.of(300)], kind.of(300))).functions["main"].type.inputs
    with np.errstate(all="ignore"):
        expect_equal([quantization.quantize_on_host(x, type)], [kind.quantize(x)])
    expect_equal([quantization.dequantize_on_host(codes, type)], [kind.dequantize(codes)])


@pytest.mark.sampled(5)
@pytest.mark.parametrize(
    ("source", "target"),
    [p for p in itertools.permutations(TYPES, 2) if p[0].expressed == p[1].expressed == f32][::3],
    ids=lambda k: k.text,
)
def test_requantize(source: Quantized, target: Quantized) -> None:
    x = source.all(300)
    check(one("uniform_quantize", [source.of(300)], target.of(300)), [x], target.quantize(source.dequantize(x)))


def test_constants_are_rounded_as_values_are() -> None:
    """Nothing of a chain of constants is folded in another precision."""
    kind, numbers = quantized("i8", f32, 0.1, 3), np.array([0.05, 0.15, 0.25, 0.35000002, -0.05], f32)
    texts = [f"dense<{number!r}> : tensor<1xf32>" for number in map(float, numbers)]
    lines = [f"%c{i} = stablehlo.constant {text}" for i, text in enumerate(texts)]
    lines += [f"%r{i} = stablehlo.uniform_quantize %c{i} : (tensor<1xf32>) -> {kind.of(1)}" for i in range(5)]
    listed = ", ".join(map(repr, map(float, numbers)))
    lines.append(f"%c = stablehlo.constant dense<[{listed}]> : tensor<5xf32>")
    lines.append(f"%r5 = stablehlo.uniform_quantize %c : (tensor<5xf32>) -> {kind.of(5)}")
    expected = kind.quantize(numbers)
    check(module([], [*[kind.of(1)] * 5, kind.of(5)], *lines), [], *(expected[i : i + 1] for i in range(5)), expected)


@pytest.mark.parametrize("value", ["kind", "storage"])
def test_constants(value: str) -> None:
    kind = quantized("i8", f32, 0.5, 3)
    given = {"kind": kind.text, "storage": "i8"}[value]
    lines = [
        f'%r0 = "stablehlo.constant"() <{{value = dense<[1, -128, 3]> : tensor<3x{given}>}}> : () -> {kind.of(3)}',
        f'%c = "stablehlo.constant"() <{{value = dense<5> : tensor<{given}>}}> : () -> {kind.of()}',
        f"%r1 = stablehlo.uniform_dequantize %c : ({kind.of()}) -> tensor<f32>",
    ]
    text = module([], [kind.of(3), "tensor<f32>"], *lines)
    check(text, [], np.array([1, -128, 3], np.int8), np.array(1.0, f32))


# ---------------------------------------------------------------- elementwise

A, B, C = quantized("i8", f32, 0.05, -20), quantized("i8", f32, 0.031, 11), quantized("i8", f32, 0.07, 5)
UNARY: dict[str, Callable[..., Any]] = {
    "abs": np.abs,
    "ceil": np.ceil,
    "floor": np.floor,
    "negate": np.negative,
    "sign": np.sign,
    "round_nearest_even": np.rint,
    "cosine": lambda x: np.cos(x.astype(f64)).astype(f32),
    "exponential": lambda x: np.exp(x.astype(f64)).astype(f32),
    "logistic": lambda x: (1 / (1 + np.exp(-x.astype(f64)))).astype(f32),
    "sqrt": lambda x: np.sqrt(np.abs(x)),
    "tanh": lambda x: np.tanh(x.astype(f64)).astype(f32),
}
BINARY: dict[str, Callable[..., Any]] = {
    "add": np.add,
    "divide": np.divide,
    "maximum": np.maximum,
    "minimum": np.minimum,
    "multiply": np.multiply,
    "subtract": np.subtract,
}


@pytest.mark.sampled(4)
@pytest.mark.parametrize("op", UNARY)
def test_unary(op: str) -> None:
    x = A.all(256) if op != "sqrt" else np.arange(-20, 128, dtype=np.int8)
    text = one(op, [A.of(*x.shape)], C.of(*x.shape))
    check(text, [x], C.quantize(UNARY[op](A.dequantize(x))))


@pytest.mark.sampled(4)
@pytest.mark.parametrize("op", BINARY)
def test_binary(op: str) -> None:
    x, y = (np.repeat(A.all(64), 64), np.tile(B.all(64), 64))
    with np.errstate(all="ignore"):
        expected = C.quantize(BINARY[op](A.dequantize(x), B.dequantize(y)))
    check(one(op, [A.of(4096), B.of(4096)], C.of(4096)), [x, y], expected)


def test_narrow_expressed_types_round_after_each_step() -> None:
    a, b, c = (quantized("i8", bf16, s, z) for s, z in ((0.3, 7), (0.7, -9), (0.9, 1)))
    x, y = np.repeat(a.all(64), 64), np.tile(b.all(64), 64)
    product = (a.dequantize(x).astype(f32) * b.dequantize(y).astype(f32)).astype(bf16)
    check(one("multiply", [a.of(4096), b.of(4096)], c.of(4096)), [x, y], c.quantize(product))


def test_a_chain_is_quantized_at_each_op() -> None:
    lines = [
        f"%a = stablehlo.add %x0, %x1 : ({A.of(4096)}, {B.of(4096)}) -> {C.of(4096)}",
        f"%r0 = stablehlo.multiply %a, %a : ({C.of(4096)}, {C.of(4096)}) -> {A.of(4096)}",
    ]
    x, y = np.repeat(A.all(64), 64), np.tile(B.all(64), 64)
    total = C.dequantize(C.quantize(A.dequantize(x) + B.dequantize(y)))
    check(module([A.of(4096), B.of(4096)], [A.of(4096)], *lines), [x, y], A.quantize(total * total))


@pytest.mark.parametrize("direction", ["EQ", "NE", "LT", "LE", "GT", "GE"])
def test_compare(direction: str) -> None:
    x, y = np.repeat(A.all(64), 64), np.tile(B.all(64), 64)
    functions = dict(
        zip(
            ("EQ", "NE", "LT", "LE", "GT", "GE"),
            (np.equal, np.not_equal, np.less, np.less_equal, np.greater, np.greater_equal),
        )
    )
    attributes = f"comparison_direction = #stablehlo<comparison_direction {direction}>"
    text = one("compare", [A.of(4096), B.of(4096)], "tensor<4096xi1>", attributes)
    check(text, [x, y], functions[direction](A.dequantize(x), B.dequantize(y)))


def test_select_and_clamp_between_scales() -> None:
    x, y, choice = A.all(256), B.all(256)[::-1].copy(), np.arange(256) % 3 == 0
    expected = C.quantize(np.where(choice, A.dequantize(x), B.dequantize(y)))
    check(one("select", ["tensor<256xi1>", A.of(256), B.of(256)], C.of(256)), [choice, x, y], expected)
    low, high = np.array(-40, np.int8), np.array(60, np.int8)
    expected = B.quantize(np.minimum(np.maximum(B.dequantize(low), A.dequantize(x)), C.dequantize(high)))
    check(one("clamp", [B.of(), A.of(256), C.of()], B.of(256)), [low, x, high], expected)


def test_is_finite_and_iota() -> None:
    check(one("is_finite", [A.of(7)], "tensor<7xi1>"), [A.all(7)], np.ones(7, bool))
    iota = one("iota", [], C.of(300), "iota_dimension = 0 : i64")
    check(iota, [], C.quantize(np.arange(300).astype(f32)))


# ---------------------------------------------------------------- products


def test_dot_general() -> None:
    rng = np.random.default_rng(0)
    left, right = A, quantized("i8", f32, 0.02, 0)
    result = quantized("i32", f32, 0.001, 0)
    x, w = (rng.integers(-128, 128, s).astype(np.int8) for s in ((5, 33), (33, 6)))
    numbers = (
        "dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0]>"
    )
    exact = left.dequantize(x).astype(f64) @ right.dequantize(w).astype(f64)
    (got,) = run(one("dot_general", [left.of(5, 33), right.of(33, 6)], result.of(5, 6), numbers), x, w)
    assert got.dtype == np.int32 and np.abs(got - exact / 0.001).max() < 2
    narrow = quantized("i8", f32, 0.4, -7)
    (got,) = run(one("dot_general", [left.of(5, 33), right.of(33, 6)], narrow.of(5, 6), numbers), x, w)
    expect_equal([got], [narrow.quantize(exact.astype(f32))])
    y = rng.standard_normal((5, 33)).astype(f32)
    (got,) = run(one("dot_general", ["tensor<5x33xf32>", right.of(33, 6)], "tensor<5x6xf32>", numbers), y, w)
    np.testing.assert_allclose(got, y.astype(f64) @ right.dequantize(w).astype(f64), rtol=1e-5, atol=1e-5)


def test_dot_general_by_axis() -> None:
    rng = np.random.default_rng(1)
    right = by_axis(1, 2, [0.02, 0.5, 0.003, 1.0], [0, 0, 0, 0])
    result = by_axis(1, 2, [0.7, 7.0, 0.1, 20.0], [1, 2, 3, -4])
    x, w = (rng.integers(-128, 128, s).astype(np.int8) for s in ((3, 20), (20, 4)))
    numbers = (
        "dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0]>"
    )
    exact = (A.dequantize(x).astype(f64) @ right.dequantize(w).astype(f64)).astype(f32)
    check(one("dot_general", [A.of(3, 20), right.of(20, 4)], result.of(3, 4), numbers), [x, w], result.quantize(exact))


def test_convolution_by_axis_and_hybrid() -> None:
    rng = np.random.default_rng(2)
    kernel = by_axis(2, 3, [0.02, 0.5], [3, -4])
    x, w = rng.integers(-128, 128, (1, 8, 3)).astype(np.int8), rng.integers(-128, 128, (3, 3, 2)).astype(np.int8)
    attributes = (
        "batch_group_count = 1 : i64, feature_group_count = 1 : i64, padding = dense<[[1, 1]]> : tensor<1x2xi64>, "
        "dimension_numbers = #stablehlo.conv<[b, 0, f]x[0, i, o]->[b, 0, f]>"
    )

    def convolve(a: np.ndarray) -> np.ndarray:
        # The padding is the number 0, not the code 0.
        padded, taps = np.pad(a.astype(f64), ((0, 0), (1, 1), (0, 0))), kernel.dequantize(w).astype(f64)
        return np.stack([np.einsum("btf,tfo->bo", padded[:, i : i + 3], taps) for i in range(8)], 1).astype(f32)

    result = by_axis(2, 3, [0.3, 4.0], [0, 9])
    text = one("convolution", [A.of(1, 8, 3), kernel.of(3, 3, 2)], result.of(1, 8, 2), attributes)
    check(text, [x, w], result.quantize(convolve(A.dequantize(x))))
    y = rng.standard_normal((1, 8, 3)).astype(f32)
    text = one("convolution", ["tensor<1x8x3xf32>", kernel.of(3, 3, 2)], "tensor<1x8x2xf32>", attributes)
    np.testing.assert_allclose(run(text, y, w)[0], convolve(y), rtol=1e-4, atol=1e-3)


# ---------------------------------------------------------------- several scales

ROWS = by_axis(0, 2, [0.1, 0.02, 3.0], [5, -100, 0])


def test_axis_quantize_dequantize_add() -> None:
    x = np.random.default_rng(3).uniform(-9, 9, (3, 50)).astype(f32)
    codes = ROWS.quantize(x)
    check(one("uniform_quantize", ["tensor<3x50xf32>"], ROWS.of(3, 50)), [x], codes)
    check(one("uniform_dequantize", [ROWS.of(3, 50)], "tensor<3x50xf32>"), [codes], ROWS.dequantize(codes))
    y = np.random.default_rng(4).integers(-128, 128, (3, 50)).astype(np.int8)
    expected = ROWS.quantize(ROWS.dequantize(codes) + A.dequantize(y))
    check(one("add", [ROWS.of(3, 50), A.of(3, 50)], ROWS.of(3, 50)), [codes, y], expected)


def test_axis_of_many_scales() -> None:
    rng = np.random.default_rng(5)
    scales, zeros = rng.uniform(0.01, 2, 300).tolist(), rng.integers(-128, 128, 300).tolist()
    kind = by_axis(1, 2, scales, zeros)
    codes = rng.integers(-128, 128, (4, 300)).astype(np.int8)
    check(one("uniform_dequantize", [kind.of(4, 300)], "tensor<4x300xf32>"), [codes], kind.dequantize(codes))


def test_blocks() -> None:
    text = "!quant.uniform<i8:f32:{0:2, 1:3}, {{0.5:1, 0.25:2}, {2.0:-1, 4.0:0}}>"
    scales = np.array([[0.5, 0.25], [2.0, 4.0]]).repeat(2, 0).repeat(3, 1)
    zeros = np.array([[1, 2], [-1, 0]]).repeat(2, 0).repeat(3, 1)
    kind = Quantized(text, np.dtype(np.int8), f32, scales, zeros, -128, 127)
    codes = np.arange(-12, 12, dtype=np.int8).reshape(4, 6)
    check(one("uniform_dequantize", [kind.of(4, 6)], "tensor<4x6xf32>"), [codes], kind.dequantize(codes))
    x = np.linspace(-40, 40, 24).astype(f32).reshape(4, 6)
    check(one("uniform_quantize", ["tensor<4x6xf32>"], kind.of(4, 6)), [x], kind.quantize(x))


# ---------------------------------------------------------------- data movement

MOVED: list[tuple[str, str, Callable[..., np.ndarray], list[tuple[int, ...]]]] = [
    ("transpose", "permutation = array<i64: 1, 0>", lambda x: x.T, [(3, 4)]),
    ("reverse", "dimensions = array<i64: 1>", lambda x: x[:, ::-1], [(3, 4)]),
    ("reshape", "", lambda x: x.reshape(4, 3), [(3, 4)]),
    ("broadcast_in_dim", "broadcast_dimensions = array<i64: 1>", lambda x: np.stack([x, x]), [(4,)]),
    ("concatenate", "dimension = 0 : i64", lambda x, y: np.concatenate([x, y]), [(3, 4), (2, 4)]),
    (
        "slice",
        "start_indices = array<i64: 1>, limit_indices = array<i64: 8>, strides = array<i64: 3>",
        lambda x: x[1:8:3],
        [(9,)],
    ),
    (
        "pad",
        "edge_padding_low = array<i64: 1>, edge_padding_high = array<i64: 2>, interior_padding = array<i64: 0>",
        lambda x, v: np.concatenate([[v], x, [v, v]]),
        [(5,), ()],
    ),
    ("optimization_barrier", "", lambda x: x, [(4,)]),
]


@pytest.mark.sampled(5)
@pytest.mark.parametrize(("op", "attributes", "function", "shapes"), MOVED, ids=[m[0] for m in MOVED])
@pytest.mark.parametrize("kind", [A, TYPES[3], TYPES[8]], ids=lambda k: k.text)
def test_movement(kind: Quantized, op: str, attributes: str, function: Any, shapes: list[tuple[int, ...]]) -> None:
    arrays = [kind.all(int(np.prod(s)))[:: 1 - 2 * (i % 2)].reshape(s) for i, s in enumerate(shapes)]
    expected = np.asarray(function(*arrays)).astype(kind.storage)
    check(one(op, [kind.of(*s) for s in shapes], kind.of(*expected.shape), attributes), arrays, expected)


def test_axis_moves() -> None:
    codes = np.arange(12, dtype=np.int8).reshape(3, 4)
    moved = by_axis(1, 2, [0.1, 0.02, 3.0], [5, -100, 0])
    check(one("transpose", [ROWS.of(3, 4)], moved.of(4, 3), "permutation = array<i64: 1, 0>"), [codes], codes.T)
    wider = by_axis(1, 3, [0.1, 0.02, 3.0], [5, -100, 0])
    check(one("reshape", [ROWS.of(3, 4)], wider.of(1, 3, 4)), [codes], codes.reshape(1, 3, 4))
    attributes = "broadcast_dimensions = array<i64: 1, 2>"
    check(one("broadcast_in_dim", [ROWS.of(3, 4)], wider.of(2, 3, 4), attributes), [codes], np.stack([codes, codes]))


def test_gather_and_dynamic_slices() -> None:
    x, at = A.all(20).reshape(5, 4), np.array([[3], [0], [9]], np.int32)
    attributes = (
        "dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], "
        "index_vector_dim = 1>, slice_sizes = array<i64: 1, 4>"
    )
    text = one("gather", [A.of(5, 4), "tensor<3x1xi32>"], A.of(3, 4), attributes)
    check(text, [x, at], x[[3, 0, 4]])
    start = np.array(2, np.int32)
    sizes = "slice_sizes = array<i64: 2>"
    check(one("dynamic_slice", [A.of(9), "tensor<i32>"], A.of(2), sizes), [A.all(9), start], A.all(9)[2:4])
    text = one("dynamic_update_slice", [A.of(9), A.of(2), "tensor<i32>"], A.of(9))
    expected = A.all(9)
    expected[2:4] = [1, 2]
    check(text, [A.all(9), np.array([1, 2], np.int8), start], expected)


def test_bitcast_convert() -> None:
    x = A.all(12)
    check(one("bitcast_convert", [A.of(12)], "tensor<12xui8>"), [x], x.view(np.uint8))
    check(one("bitcast_convert", ["tensor<12xui8>"], A.of(12)), [x.view(np.uint8)], x)
    check(one("bitcast_convert", [A.of(12)], B.of(12)), [x], x)
    check(one("bitcast_convert", [A.of(3, 4)], "tensor<3xi32>"), [x.reshape(3, 4)], x.view(np.int32))


# ---------------------------------------------------------------- bodies


def body(op: str, arguments: Sequence[Quantized], result: str, attributes: str = "") -> str:
    types = [k.of() for k in arguments]
    header = ", ".join(f"%a{i}: {t}" for i, t in enumerate(types))
    names = ", ".join(f"%a{i}" for i in range(len(types)))
    properties = f" <{{{attributes}}}>" if attributes else ""
    return (
        f'({{ ^bb0({header}): %r = "stablehlo.{op}"({names}){properties} : ({", ".join(types)}) -> {result} '
        f'"stablehlo.return"(%r) : ({result}) -> () }})'
    )


@pytest.mark.parametrize("op", ["add", "maximum", "multiply"])
def test_reduce_quantizes_after_each_step(op: str) -> None:
    kind = quantized("i8", f32, 0.3, 20)
    x = np.random.default_rng(6).integers(-15, 60, (4, 9)).astype(np.int8)
    first = np.array(23, np.int8)
    text = one(
        "reduce", [kind.of(4, 9), kind.of()], kind.of(4), "dimensions = array<i64: 1>", body(op, [kind] * 2, kind.of())
    )
    expected = np.repeat(first, 4)
    for column in x.T:
        expected = kind.quantize(BINARY[op](kind.dequantize(expected), kind.dequantize(column)))
    check(text, [x, first], expected)


def test_reduce_promotes_to_a_wider_storage_type() -> None:
    narrow, wide = quantized("i8", f32, 0.3, 20), quantized("i32", f32, 0.01, 0)
    x, first = narrow.all(40).reshape(4, 10), np.array(20, np.int8)
    text = one(
        "reduce",
        [narrow.of(4, 10), narrow.of()],
        wide.of(4),
        "dimensions = array<i64: 1>",
        body("add", [wide] * 2, wide.of()),
    )
    expected = wide.quantize(narrow.dequantize(np.repeat(first, 4)))
    for column in x.T:
        expected = wide.quantize(wide.dequantize(expected) + wide.dequantize(wide.quantize(narrow.dequantize(column))))
    check(text, [x, first], expected)


def test_reduce_window_and_scatter() -> None:
    kind = quantized("i8", f32, 0.3, 20)
    x, first = np.random.default_rng(7).integers(10, 30, 9).astype(np.int8), np.array(20, np.int8)
    text = one(
        "reduce_window",
        [kind.of(9), kind.of()],
        kind.of(8),
        "window_dimensions = array<i64: 2>",
        body("add", [kind] * 2, kind.of()),
    )

    def added(a: np.ndarray, b: np.ndarray) -> np.ndarray:
        return kind.quantize(kind.dequantize(a) + kind.dequantize(b))

    check(text, [x, first], added(added(np.repeat(first, 8), x[:-1]), x[1:]))
    attributes = (
        "scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [0], "
        "scatter_dims_to_operand_dims = [0], index_vector_dim = 1>"
    )
    text = one(
        "scatter",
        [kind.of(9), "tensor<2x1xi32>", kind.of(2)],
        kind.of(9),
        attributes,
        body("add", [kind] * 2, kind.of()),
    )
    updates, expected = np.array([25, 90], np.int8), x.copy()
    expected[4] = added(added(x[4], updates[0]), updates[1])
    check(text, [x, np.array([[4], [4]], np.int32), updates], expected)


def test_sort() -> None:
    direction = "comparison_direction = #stablehlo<comparison_direction GT>"
    text = one("sort", [A.of(50)], A.of(50), "dimension = 0 : i64", body("compare", [A, A], "tensor<i1>", direction))
    x = np.random.default_rng(8).permutation(A.all(50))
    check(text, [x], np.sort(x)[::-1])


def test_while_carries_quantized_values() -> None:
    text = f"""func.func @main(%x0: {A.of(3)}) -> {A.of(3)} {{
  %n = stablehlo.constant dense<0> : tensor<i32>
  %w:2 = stablehlo.while(%i = %n, %v = %x0) : tensor<i32>, {A.of(3)}
   cond {{
    %five = stablehlo.constant dense<5> : tensor<i32>
    %c = stablehlo.compare LT, %i, %five : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %c : tensor<i1>
  }} do {{
    %one = stablehlo.constant dense<1> : tensor<i32>
    %j = stablehlo.add %i, %one : tensor<i32>
    %d = stablehlo.add %v, %v : ({A.of(3)}, {A.of(3)}) -> {A.of(3)}
    stablehlo.return %j, %d : tensor<i32>, {A.of(3)}
  }}
  return %w#1 : {A.of(3)}
}}"""
    x = np.array([-19, -21, 30], np.int8)
    expected = x
    for _ in range(5):
        expected = A.quantize(A.dequantize(expected) * 2)
    check(text, [x], expected)


# ---------------------------------------------------------------- what is refused

WIDE = quantized("i32", f32, 0.05, -20)
DOT = "dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0]>"
PERMUTED = "permutation = array<i64: 1, 0>"
REFUSED = {
    "scale": (one("negate", [quantized(scale=-1.0).of(2)], A.of(2)), r"C5, C6"),
    "zero_point": (one("negate", [quantized(zero=300).of(2)], A.of(2)), r"C7"),
    "limits": (one("negate", [quantized(limits=(5, 5), zero=5).of(2)], A.of(2)), r"C3"),
    "axis": (one("uniform_dequantize", [ROWS.of(2, 3)], "tensor<2x3xf32>"), r"C12, C13"),
    "storage": (one("negate", [A.of(2)], WIDE.of(2)), "declared type is"),
    "expressed": (one("uniform_dequantize", [A.of(2)], "tensor<2xf16>"), "declared type is"),
    "plain": (one("negate", [A.of(2)], "tensor<2xi8>"), "declared type is"),
    "mixed": (one("add", [A.of(2), "tensor<2xf32>"], A.of(2)), "operand 1 is"),
    "moved": (one("reverse", [A.of(2)], B.of(2), "dimensions = array<i64: 0>"), "declared type is"),
    "convert": (one("convert", [A.of(2)], "tensor<2xf32>"), "not defined for quantized"),
    "and": (one("and", [A.of(2), A.of(2)], A.of(2)), "not defined for quantized"),
    "one scale": (one("negate", [ROWS.of(3, 2)], ROWS.of(3, 2)), "a single scale"),
    "nothing": (one("uniform_quantize", ["tensor<2xf32>"], "tensor<2xf32>"), "expected a quantized tensor"),
    "wrong way": (one("uniform_dequantize", [A.of(2)], B.of(2)), "expected a tensor of floats .C2."),
    "added axis": (one("add", [A.of(3, 2), A.of(3, 2)], ROWS.of(3, 2)), "C5, C6, C7"),
    "lost axis": (one("transpose", [ROWS.of(3, 2)], ROWS.of(2, 3), PERMUTED), "C12, C13"),
    "kept axis": (one("transpose", [ROWS.of(3, 3)], ROWS.of(3, 3), PERMUTED), "does not correspond to"),
    "dot zero": (one("dot_general", [A.of(2, 2), A.of(2, 2)], A.of(2, 2), DOT), "C15"),
    "dot lhs": (one("dot_general", [A.of(2, 2), "tensor<2x2xf32>"], "tensor<2x2xf32>", DOT), "C14"),
    "dot axis": (
        one("dot_general", [A.of(2, 3), by_axis(0, 2, [1.0] * 3, [0] * 3).of(3, 2)], A.of(2, 2), DOT),
        "C16",
    ),
}


@pytest.mark.parametrize("name", REFUSED)
def test_refused(name: str) -> None:
    text, message = REFUSED[name]
    with pytest.raises(hlo2tiny.Error, match=message) as raised:
        Program(hlo2tiny.parse(text), "CPU")
    assert raised.value.line == 2


for name in ("stablehlo.uniform_quantize", "stablehlo.uniform_dequantize"):
    case(name, ref=None, errors=[(Call([np.zeros(2, f32)], results="tensor<2xf32>"), "expected a quantized tensor")])

_, _, test_errors = new_tests()
