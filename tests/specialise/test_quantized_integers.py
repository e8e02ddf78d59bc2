"""Quantized arithmetic in integers: the numbers of the specification's floats, and no floats."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import hlo2tiny
from hlo2tiny.commands.bare import in_integers
from hlo2tiny.ir import Module, QuantizedType, TensorType, walk
from hlo2tiny.ir.numbers import is_float
from hlo2tiny.ir.types import ScalarType
from hlo2tiny.specialise.integers import first_between
from hlo2tiny.syntax.parser import parse

# Quantized types whose scales are powers of two: floats are exact, so integers have to be equal.
TYPES = """!a = !quant.uniform<i8:f32, 0.5:3>
!b = !quant.uniform<i8:f32, 2.0:-5>
!u = !quant.uniform<u8:f32, 0.25:128>
!h = !quant.uniform<i16:f32, 0.125:-1000>
!m = !quant.uniform<i16:f32, 0.125>
!n = !quant.uniform<i8<-100:90>:f32, 0.5:3>
!c = !quant.uniform<i8:f32, 4.0:9>
!z = !quant.uniform<i8:f32, 2.0>
!s = !quant.uniform<i8:f32:1, {0.5, 0.25, 2.0}>
!r = !quant.uniform<i32:f32:1, {0.25, 0.125, 1.0}>
!w = !quant.uniform<i32:f32, 0.5>
!t = !quant.uniform<i8:f32, 0.0313:-7>
!k = !quant.uniform<i8:f32, 0.0078:1>
!g = !quant.uniform<i16:f32, 4096.0:100>
!l = !quant.uniform<u8:f32, 0.00390625>
!v = !quant.uniform<i16:f32, 0.5:21>
!f = !quant.uniform<i16:f32, 0.000244140625:7>
"""
EVERY = np.arange(-128, 128, dtype=np.int8)
ROWS = np.random.default_rng(0).integers(-128, 128, (5, 4)).astype(np.int8)
WIDE = np.random.default_rng(1).integers(-(2**15), 2**15, 300).astype(np.int16)
LARGE = np.where(np.arange(300) % 37 < 33, 2**15 - 1, -(2**15)).astype(np.int16)
IMAGES = np.random.default_rng(2).integers(-128, 128, (2, 6, 7, 4)).astype(np.int8)
# Of each case the types of arguments and results, the ops, and the arguments.
REDUCE = "%r = stablehlo.reduce(%0 init: %1) applies stablehlo.OP across dimensions = [1] : ({0}, {1}) -> {r}"
PAIR = [np.repeat(EVERY, 256), np.tile(EVERY, 256)]
CASES: dict[str, tuple[str, str, str, list[Any]]] = {
    "halves are rounded to even": ("256x!a", "256x!b", "%r = stablehlo.uniform_quantize %0 : ({0}) -> {r}", [EVERY]),
    "finer steps": ("256x!b", "256x!a", "%r = stablehlo.uniform_quantize %0 : ({0}) -> {r}", [EVERY]),
    "unsigned": ("256x!u", "256x!a", "%r = stablehlo.uniform_quantize %0 : ({0}) -> {r}", [EVERY.view(np.uint8)]),
    "to unsigned": ("300x!h", "300x!u", "%r = stablehlo.uniform_quantize %0 : ({0}) -> {r}", [WIDE]),
    "limits": ("256x!b", "256x!n", "%r = stablehlo.uniform_quantize %0 : ({0}) -> {r}", [EVERY]),
    "a sum": (
        "65536x!a 65536x!b",
        "65536x!c",
        "%r = stablehlo.add %0, %1 : ({0}, {1}) -> {r}",
        PAIR,
    ),
    "a difference": ("65536x!b 65536x!a", "65536x!a", "%r = stablehlo.subtract %0, %1 : ({0}, {1}) -> {r}", PAIR),
    "the larger": ("65536x!a 65536x!a", "65536x!a", "%r = stablehlo.maximum %0, %1 : {r}", PAIR),
    "limited": ("65536x!a 65536x!a", "65536x!a", "%r = stablehlo.clamp %1, %0, %1 : {r}", PAIR),
    "a product": (
        "5x4x!a 4x3x!z",
        "5x3x!h",
        "%r = stablehlo.dot_general %0, %1, contracting_dims = [1] x [0] : ({0}, {1}) -> {r}",
        [ROWS, ROWS[:4, :3].copy()],
    ),
    "a scale for each column": (
        "5x4x!a 4x3x!s",
        "5x3x!r",
        "%r = stablehlo.dot_general %0, %1, contracting_dims = [1] x [0] : ({0}, {1}) -> {r}",
        [ROWS, ROWS[:4, :3].copy()],
    ),
    "a batch": (
        "2x6x28x!a 2x28x5x!z",
        "2x6x5x!h",
        "%r = stablehlo.dot_general %0, %1, batching_dims = [0] x [0], contracting_dims = [2] x [1]"
        " : ({0}, {1}) -> {r}",
        [IMAGES.reshape(2, 6, 28), IMAGES.reshape(2, 28, 6)[:, :, :5].copy()],
    ),
    "a convolution": (
        "2x6x7x4x!a 3x3x2x6x!b",
        "2x7x3x6x!h",
        "%r = stablehlo.convolution(%0, %1) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f],"
        " window = {{stride = [1, 2], pad = [[1, 2], [0, 0]]}}"
        " {{batch_group_count = 1 : i64, feature_group_count = 2 : i64}} : ({0}, {1}) -> {r}",
        [IMAGES, IMAGES.reshape(-1)[:108].reshape(3, 3, 2, 6)],
    ),
    "numbers times each other": (
        "65536x!b 65536x!a",
        "65536x!c",
        "%r = stablehlo.multiply %0, %1 : ({0}, {1}) -> {r}",
        PAIR,
    ),
    "wide numbers times each other": (
        "300x!h 300x!h",
        "300x!g",
        "%r = stablehlo.multiply %0, %1 : ({0}, {1}) -> {r}",
        [WIDE, WIDE[::-1].copy()],
    ),
    "wide sums": (
        "20x15x!h 15x20x!m",
        "20x20x!g",
        "%r = stablehlo.dot_general %0, %1, contracting_dims = [1] x [0] : ({0}, {1}) -> {r}",
        [LARGE.reshape(20, 15), LARGE.reshape(15, 20)],
    ),
    # Tables have the specification's floats, whatever the scales are.
    "hyperbolic tangents": ("256x!t", "256x!k", "%r = stablehlo.tanh %0 : ({0}) -> {r}", [EVERY]),
    "logistic of unsigned": ("256x!u", "256x!l", "%r = stablehlo.logistic %0 : ({0}) -> {r}", [EVERY.view(np.uint8)]),
    "magnitudes": ("16x16x!t", "16x16x!k", "%r = stablehlo.abs %0 : ({0}) -> {r}", [EVERY.reshape(16, 16)]),
    "powers": (
        "256x!t",
        "256x!k",
        "%c = stablehlo.constant() <{{value = dense<-60> : tensor<256xi8>}}> : () -> {0}\n"
        "%r = stablehlo.power %0, %c : ({0}, {0}) -> {r}",
        [EVERY],
    ),
    "divided by a constant": (
        "300x!h",
        "300x!h",
        "%c = stablehlo.constant() <{{value = dense<-968> : tensor<i16>}}> : () -> tensor<!h>\n"
        "%b = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<!h>) -> {0}\n"
        "%r = stablehlo.divide %0, %b : {r}",
        [WIDE],
    ),
    "quotients": ("65536x!b 65536x!a", "65536x!c", "%r = stablehlo.divide %0, %1 : ({0}, {1}) -> {r}", PAIR),
    "the larger of two scales": (
        "65536x!a 65536x!b",
        "65536x!c",
        "%r = stablehlo.maximum %0, %1 : ({0}, {1}) -> {r}",
        PAIR,
    ),
    "limited in other scales": (
        "65536x!a 65536x!b 65536x!c",
        "65536x!a",
        "%r = stablehlo.clamp %1, %0, %2 : ({1}, {0}, {2}) -> {r}",
        [*PAIR, np.int8(37 * np.arange(65536) % 256 - 128)],
    ),
    "one of two scales": (
        "65536xi1 65536x!a 65536x!b",
        "65536x!c",
        '%r = "stablehlo.select"(%0, %1, %2) : ({0}, {1}, {2}) -> {r}',
        [PAIR[0] % 3 == 0, PAIR[1], PAIR[0]],
    ),
    "an order": ("65536x!a 65536x!b", "65536xi1", "%r = stablehlo.compare LT, %0, %1 : ({0}, {1}) -> {r}", PAIR),
    "equal numbers": ("65536x!a 65536x!a", "65536xi1", "%r = stablehlo.compare NE, %0, %1 : ({0}, {1}) -> {r}", PAIR),
    "angles": ("65536x!a 65536x!b", "65536x!a", "%r = stablehlo.atan2 %0, %1 : ({0}, {1}) -> {r}", PAIR),
    "sines of 16 bits": ("300x!h", "300x!f", "%r = stablehlo.sine %0 : ({0}) -> {r}", [WIDE]),
    "fewer bits": ("300x!h", "300x!a", "%r = stablehlo.uniform_quantize %0 : ({0}) -> {r}", [WIDE]),
    "other wide steps": ("300x!h", "300x!v", "%r = stablehlo.uniform_quantize %0 : ({0}) -> {r}", [WIDE]),
    "wide quotients": (
        "300x!h 300x!m",
        "300x!h",
        "%r = stablehlo.divide %0, %1 : ({0}, {1}) -> {r}",
        [WIDE, np.where(np.arange(300) % 50 < 49, WIDE[::-1] // 64, 0).astype(np.int16)],
    ),
    "products of a row": (
        "12x3x!a !a",
        "12x!a",
        REDUCE.replace("OP", "multiply"),
        [IMAGES.reshape(12, 28)[:, :3] // 24, np.int8(5)],
    ),
    "sorted": (
        "12x28x!a",
        "12x28x!a",
        '%r = "stablehlo.sort"(%0) <{{dimension = 1 : i64}}> ({{\n^bb0(%p: tensor<!a>, %q: tensor<!a>):\n'
        "%t = stablehlo.compare GT, %p, %q : (tensor<!a>, tensor<!a>) -> tensor<i1>\n"
        "stablehlo.return %t : tensor<i1>\n}}) : ({0}) -> {r}",
        [IMAGES.reshape(12, 28)],
    ),
    "scattered": (
        "12x28x!a 4x1xi32 4x28x!a",
        "12x28x!a",
        '%r = "stablehlo.scatter"(%0, %1, %2) <{{scatter_dimension_numbers = #stablehlo.scatter<'
        "update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0],"
        " index_vector_dim = 1>}}> ({{\n^bb0(%p: tensor<!a>, %q: tensor<!a>):\n%t = stablehlo.add %p, %q : tensor<!a>\n"
        "stablehlo.return %t : tensor<!a>\n}}) : ({0}, {1}, {2}) -> {r}",
        [IMAGES.reshape(12, 28), np.array([[3], [0], [3], [11]], np.int32), IMAGES.reshape(-1)[100:212].reshape(4, 28)],
    ),
    "sums that reach their limits": (
        "12x28x!a !a",
        "12x!a",
        REDUCE.replace("OP", "add"),
        [IMAGES.reshape(12, 28) // 6, np.int8(3)],
    ),
    "averages of windows": (
        "2x6x7x4x!a",
        "2x3x3x4x!b",
        "%zero = stablehlo.constant() <{{value = dense<0> : tensor<i32>}}> : () -> tensor<!w>\n"
        "%four = stablehlo.constant() <{{value = dense<8> : tensor<2x3x3x4xi32>}}> : () -> tensor<2x3x3x4x!w>\n"
        "%w = stablehlo.uniform_quantize %0 : ({0}) -> tensor<2x6x7x4x!w>\n"
        '%s = "stablehlo.reduce_window"(%w, %zero) <{{window_dimensions = array<i64: 1, 2, 2, 1>,'
        " window_strides = array<i64: 1, 2, 2, 1>}}> ({{\n^bb0(%p: tensor<!w>, %q: tensor<!w>):\n"
        "%t = stablehlo.add %p, %q : tensor<!w>\nstablehlo.return %t : tensor<!w>\n}})"
        " : (tensor<2x6x7x4x!w>, tensor<!w>) -> tensor<2x3x3x4x!w>\n"
        "%m = stablehlo.divide %s, %four : tensor<2x3x3x4x!w>\n"
        "%r = stablehlo.uniform_quantize %m : (tensor<2x3x3x4x!w>) -> {r}",
        [IMAGES],
    ),
    "the largest of rows": (
        "5x4x!a !a",
        "5x!a",
        REDUCE.replace("OP", "maximum"),
        [ROWS, np.int8(-20)],
    ),
}


def program(case: str) -> str:
    given, result, ops, _ = CASES[case]
    arguments = [f"tensor<{type}>" for type in given.split()]
    r = f"tensor<{result}>"
    signature = ", ".join(f"%{i}: {type}" for i, type in enumerate(arguments))
    return f"{TYPES}func.func @main({signature}) -> {r} {{\n  {ops.format(*arguments, r=r)}\n  return %r : {r}\n}}"


def floats(module: Module) -> list[str]:
    """The values of a module that are floats, or quantized and computed as such."""
    names = "stablehlo.bitcast_convert", "func.return", "stablehlo.constant", "stablehlo.broadcast_in_dim"
    return [
        op.name
        for function in module.functions.values()
        if function.body is not None
        for op in walk(function.body)
        for value in (*op.operands, *op.results)
        if isinstance(value.type, TensorType)
        if not isinstance(value.type.element, ScalarType) or is_float(value.type.element)
        if op.name not in names or not isinstance(value.type.element, QuantizedType)
    ]


def both(text: str, arguments: list[np.ndarray], folder: Path) -> tuple[Module, np.ndarray, np.ndarray]:
    """A program in integers, its result, and that of the specification's floats."""
    module = in_integers(parse(text))
    (folder / "floats.mlir").write_text(text)
    (folder / "integers.mlir").write_text(str(module))
    load = [hlo2tiny.load(folder / f"{kind}.mlir", device="CPU") for kind in ("integers", "floats")]
    results = (p.numpy(*arguments) for p in load)
    found, expected = (np.stack(each) if len(each) > 1 else each[0] for each in results)
    return module, found, expected


@pytest.mark.sampled(6, ci=2)
@pytest.mark.parametrize("case", [case for case in CASES if case != "wide sums"])  # which floats round
def test_integers_are_the_floats_where_those_are_exact(case: str, tmp_path: Path) -> None:
    module, found, expected = both(program(case), CASES[case][3], tmp_path)
    assert floats(module) == []
    assert found.dtype == expected.dtype and len(np.unique(found)) > (1 if found.dtype == bool else 3)
    np.testing.assert_array_equal(found, expected)


# Types with other scales, where floats are rounded: any, and such whose sums and products are often halves.
ANY = {"0.5:3": "0.0371:3", "2.0:-5": "0.0119:-5", "4.0:9": "0.0453:9", "0.125:-1000": "0.00237:-1000"}
ANY |= {"4096.0:100": "1.71:100", "0.5:21": "0.00317:21"}
DECIMAL = {"0.5:3": "0.1:3", "2.0:-5": "0.3:-5", "4.0:9": "0.2:9"}
# Products of these are whole numbers of halves, and floats are not.
WITH_HALVES = {"0.5:3": "0.7:0", "2.0:-5": "0.9:0", "4.0:9": "1.26:0"}
COARSE = {"i8:f32": "i8:bf16", **ANY}


def with_scales(text: str, scales: Mapping[str, str]) -> str:
    for exact, other in scales.items():
        text = text.replace(exact, other)
    return text


@pytest.mark.sampled(12, ci=3)
@pytest.mark.parametrize("scales", [ANY, DECIMAL, WITH_HALVES, COARSE], ids=["any", "decimal", "halves", "bf16"])
@pytest.mark.parametrize(
    "case",
    [
        "halves are rounded to even",
        "a sum",
        "a difference",
        "numbers times each other",
        "quotients",
        "the larger of two scales",
        "limited in other scales",
        "one of two scales",
        "an order",
        "angles",
    ],
)
def test_all_pairs_of_8_bit_numbers_have_the_bits_of_floats(
    case: str, scales: Mapping[str, str], tmp_path: Path
) -> None:
    module, found, expected = both(with_scales(program(case), scales), CASES[case][3], tmp_path)
    assert floats(module) == []
    np.testing.assert_array_equal(found, expected)


@pytest.mark.sampled(2)
@pytest.mark.parametrize("target", ["!a", "!v"])
def test_all_16_bit_numbers_have_the_bits_of_floats(target: str, tmp_path: Path) -> None:
    every = np.arange(-(2**15), 2**15).astype(np.int16)
    types = ("tensor<65536x!h>", f"tensor<65536x{target}>")
    text = "func.func @main(%0: {0}) -> {1} {{\n%r = stablehlo.uniform_quantize %0 : ({0}) -> {1}\nreturn %r : {1}\n}}"
    module, found, expected = both(with_scales(TYPES + text.format(*types), ANY), [every], tmp_path)
    assert floats(module) == []
    np.testing.assert_array_equal(found, expected)


@pytest.mark.sampled(4, ci=2)
@pytest.mark.parametrize(
    "case", ["wide numbers times each other", "wide quotients", "divided by a constant", "wide sums"]
)
def test_wider_numbers_differ_by_a_step_at_most(case: str, tmp_path: Path) -> None:
    module, found, expected = both(with_scales(program(case), ANY), CASES[case][3], tmp_path)
    assert floats(module) == []
    difference = np.abs(found.astype(int) - expected.astype(int))
    assert difference.max() <= 1 and (difference > 0).mean() < 0.01


@pytest.mark.sampled(4, ci=2)
@pytest.mark.parametrize("storage", ["i8", "i16"])
@pytest.mark.parametrize(
    ("scales", "divisor"),
    [((1.0, 1.0, 1.0), 6.0), ((0.011, 0.3, 0.0007), 7.0), ((0.1, 0.7, 0.00003), 0.3), ((3.0, 5.0, 7.0), 8.0)],
)
def test_sums_of_32_bits_are_rounded_as_exact_numbers(
    scales: Sequence[float], divisor: float, storage: str, tmp_path: Path
) -> None:
    """Near each half, and where the sum is one."""
    low, high = np.iinfo(storage.replace("i", "int")).min, np.iinfo(storage.replace("i", "int")).max
    exact = [Fraction(float(np.float32(s))) for s in scales]
    step = Fraction(float(np.float32(divisor)))
    every = np.linspace(low, high, 64).astype(int)
    sums = np.array(
        [[int((k + Fraction(1, 2) + 5) * step / s) + d for s in exact] for k in every for d in (-1, 0, 1, 2)]
    )
    sums = np.clip(sums, -(2**31), 2**31 - 1).astype(np.int32)
    parameters = ", ".join(f"{s:.5f}" for s in scales)
    a, r = (f"tensor<{len(sums)}x3x!{t}>" for t in "ar")
    text = f"""!a = !quant.uniform<i32:f32:1, {{{parameters}}}>
    !r = !quant.uniform<{storage}:f32, {divisor}:-5>
    func.func @main(%0: {a}) -> {r} {{
      %r = stablehlo.uniform_quantize %0 : ({a}) -> {r}
      return %r : {r}
    }}"""
    module, found, _ = both(text, [sums], tmp_path)
    assert floats(module) == []
    # Python rounds fractions to even.
    expected = [[round(int(n) * s / step - 5) for n, s in zip(row, exact)] for row in sums]
    np.testing.assert_array_equal(found, np.clip(expected, low, high))


def test_the_first_number_between_two_is_found() -> None:
    random = np.random.default_rng(0)
    for _ in range(500):
        modulus, step = (int(n) for n in random.integers(2, 60, 2))
        low, high = sorted(int(n) for n in random.integers(0, modulus, 2))
        found = [n for n in range(modulus) if low <= step * n % modulus <= high]
        assert first_between(step, modulus, low, high) == (found[0] if found else None)


def test_constant_floats_are_quantized_once(tmp_path: Path) -> None:
    numbers = "[[0.3, 1.0, 2.5], [-0.25, 3.4, 300.0], [1.25, -9.0, 0x7FC00000]]"
    text = f"""{TYPES}func.func @main(%x: tensor<3x3x!a>) -> (tensor<3x3x!a>, tensor<3x3x!s>) {{
      %w = stablehlo.constant dense<{numbers}> : tensor<3x3xf32>
      %q = stablehlo.uniform_quantize %w : (tensor<3x3xf32>) -> tensor<3x3x!a>
      %r = stablehlo.maximum %x, %q : tensor<3x3x!a>
      %s = stablehlo.uniform_quantize %w : (tensor<3x3xf32>) -> tensor<3x3x!s>
      return %r, %s : tensor<3x3x!a>, tensor<3x3x!s>
    }}"""
    module, found, expected = both(text, [np.full((3, 3), -128, np.int8)], tmp_path)
    assert set(floats(module)) <= {"stablehlo.constant"}
    np.testing.assert_array_equal(found, expected)


def test_what_has_no_integers_stays_as_it_is(tmp_path: Path) -> None:
    text = program("wide numbers times each other").replace("stablehlo.multiply", "stablehlo.atan2")
    module, found, expected = both(text, CASES["wide numbers times each other"][3], tmp_path)
    assert floats(module)
    np.testing.assert_array_equal(found, expected)
