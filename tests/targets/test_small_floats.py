"""Products of floats of 8 bits or fewer, which are computed as those of bf16, on each target."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product
from pathlib import Path

import everywhere
import numpy as np
import pytest

import hlo2tiny
from hlo2tiny.ir.dtypes import SMALL_FLOATS, numpy_dtype
from hlo2tiny.ir.types import ScalarType
from hlo2tiny.plan import build
from hlo2tiny.plan.gemm import OFTEN
from hlo2tiny.plan.plan import Convolution, Gemm
from hlo2tiny.tinygrad.dtypes import NARROW_FLOATS

PAIRS = [("f8E4M3FN", "f8E5M2", "f32"), ("f8E5M2", "bf16", "bf16"), ("f8E4M3FN", "f8E4M3FN", "f8E4M3FN")]
# Convolutions have operands of one type.
EQUAL = [("f8E4M3FN", "f8E4M3FN", "f32"), ("f8E5M2", "f8E5M2", "bf16"), PAIRS[2]]
PAIRS += [(kind, kind, "f32") for kind in SMALL_FLOATS if kind != "f8E8M0FNU"]
# Of the operands, as rows or columns.
FORMS = {"rows": ("16x32", "32x24", "[1] x [0]"), "columns": ("32x16", "24x32", "[0] x [1]")}


def program(kinds: tuple[str, str, str], a: str, b: str, dims: str, result: str = "16x24") -> str:
    x, y, z = (f"tensor<{shape}x{kind}>" for shape, kind in zip((a, b, result), kinds))
    return f"""func.func @main(%x: {x}, %y: {y}) -> {z} {{
  %0 = stablehlo.dot_general %x, %y, contracting_dims = {dims} : ({x}, {y}) -> {z}
  return %0 : {z}
}}"""


def draw(seed: int, kind: str, shape: str) -> np.ndarray:
    """Halves, of which each type has these, and whose sums are exact."""
    sizes = [*map(int, shape.split("x"))]
    return (np.random.default_rng(seed).integers(-3, 4, sizes) / 2).astype(numpy_dtype(ScalarType(kind)))


def compare(target: str, cases: Sequence[everywhere.Case], wanted: Sequence[np.ndarray], folder: Path) -> None:
    """Expect these results of a target, but where it lacks the types; what is subnormal in float32 itself may be 0."""
    for case, expected, answer in zip(cases, wanted, everywhere.run(target, cases, folder), strict=True):
        if isinstance(answer, Exception) and everywhere.is_lacking(answer):
            continue
        assert not isinstance(answer, Exception), (case.name, answer)
        found = np.asarray(answer[0][0])
        usual = ~(np.abs(expected.astype(np.float32)) < np.finfo(np.float32).tiny) | (expected == 0)
        np.testing.assert_array_equal(found[usual], expected[usual], case.name)


MARKS = {"c": (), "tinygrad": (), "cuda": (), "opencl": pytest.mark.night}
TARGETS = [pytest.param(each, marks=MARKS.get(each, pytest.mark.ci)) for each in everywhere.TARGETS]


@pytest.mark.parametrize("target", TARGETS)
def test_each_number(target: str, tmp_path: Path) -> None:
    """Subnormal ones too, though many GPUs have none in float32."""
    if reason := everywhere.lacking(target):
        pytest.skip(reason)
    cases, wanted = list[everywhere.Case](), list[np.ndarray]()
    for kind in NARROW_FLOATS:
        dtype = numpy_dtype(ScalarType(kind))
        bits = np.arange(1 << (16 if dtype.itemsize == 2 else int(kind[1])), dtype=f"u{dtype.itemsize}")
        text = f"""func.func @main(%x: tensor<{bits.size}x{kind}>) -> tensor<{bits.size}xf32> {{
  %0 = stablehlo.convert %x : (tensor<{bits.size}x{kind}>) -> tensor<{bits.size}xf32>
  return %0 : tensor<{bits.size}xf32>
}}"""
        cases.append(everywhere.Case(kind, text, [[bits.view(dtype)]]))
        wanted.append(bits.view(dtype).astype(np.float32))
    compare(target, cases, wanted, tmp_path)


@pytest.mark.parametrize("target", TARGETS)
def test_products_of_small_floats(target: str, tmp_path: Path) -> None:
    if reason := everywhere.lacking(target):
        pytest.skip(reason)
    cases, wanted = list[everywhere.Case](), list[np.ndarray]()
    for kinds, form in [*product(PAIRS[:3], FORMS), *((kinds, "rows") for kinds in PAIRS[3:])]:
        a, b, dims = FORMS[form]
        x, y = draw(0, kinds[0], a), draw(1, kinds[1], b)
        left, right = (each.astype(np.float32) for each in (x, y))
        exact = left @ right if form == "rows" else left.T @ right.T
        wanted.append(exact.astype(numpy_dtype(ScalarType(kinds[2]))))
        cases.append(everywhere.Case(f"{form} of {' '.join(kinds)}", program(kinds, a, b, dims), [[x, y]]))
    compare(target, cases, wanted, tmp_path)


CONVOLUTION = """func.func @main(%x: tensor<2x9x8x16x{0}>, %w: tensor<3x3x16x24x{1}>) -> tensor<2x7x6x24x{2}> {{
  %0 = stablehlo.convolution(%x, %w) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f],
    window = {{stride = [1, 1]}} {{batch_group_count = 1 : i64, feature_group_count = 1 : i64}}
    : (tensor<2x9x8x16x{0}>, tensor<3x3x16x24x{1}>) -> tensor<2x7x6x24x{2}>
  return %0 : tensor<2x7x6x24x{2}>
}}"""


@pytest.mark.parametrize("target", TARGETS)
def test_convolutions_of_small_floats(target: str, tmp_path: Path) -> None:
    if reason := everywhere.lacking(target):
        pytest.skip(reason)
    cases, wanted = list[everywhere.Case](), list[np.ndarray]()
    for kinds in EQUAL:
        x, w = draw(0, kinds[0], "2x9x8x16"), draw(1, kinds[1], "3x3x16x24")
        windows = np.lib.stride_tricks.sliding_window_view(x.astype(np.float32), (3, 3), (1, 2))
        exact = np.einsum("bhwfij,ijfo->bhwo", windows, w.astype(np.float32))
        wanted.append(exact.astype(numpy_dtype(ScalarType(kinds[2]))))
        cases.append(everywhere.Case(" ".join(kinds), CONVOLUTION.format(*kinds), [[x, w]]))
    compare(target, cases, wanted, tmp_path)


def test_convolutions_of_small_floats_are_products_of_bf16() -> None:
    for kinds in EQUAL:
        plan = build(hlo2tiny.parse(CONVOLUTION.format(*kinds)), products=True)
        assert any(isinstance(step, Gemm | Convolution) for step in plan.main.steps), kinds


@pytest.mark.parametrize("rows", [1, OFTEN - 1, OFTEN, 64])
def test_what_is_multiplied_a_few_times_is_not_converted_before(rows: int) -> None:
    kinds = "f8E4M3FN", "f8E4M3FN", "f32"
    for a, b, result in ((f"{rows}x64", "64x128", f"{rows}x128"), ("128x64", f"64x{rows}", f"128x{rows}")):
        for invariant in (False, True):
            text = program(kinds, a, b, "[1] x [0]", result)
            plan = build(hlo2tiny.parse(text), products=True, invariant=invariant)
            found = [step.product for step in plan.main.steps if isinstance(step, Gemm)]
            is_product = invariant or rows >= OFTEN
            assert [(each.a.narrow, each.b.narrow) for each in found] == [("bf16", "bf16")] * is_product


@pytest.mark.parametrize("kind", ["f64", "f32", "bf16", "f16"])
def test_wider_floats_stay_as_they_are(kind: str) -> None:
    text = program((kind, kind, kind), *FORMS["rows"])
    (product,) = (
        step.product for step in build(hlo2tiny.parse(text), products=True).main.steps if isinstance(step, Gemm)
    )
    narrow = kind if kind[-2:] == "16" else ""
    assert (product.letter, product.a.narrow, product.b.narrow) == ("d" if kind == "f64" else "s", narrow, narrow)


@pytest.mark.parametrize("rows", [OFTEN - 1, OFTEN, 64])
@pytest.mark.parametrize("kinds", [("f32", "bf16"), ("f16", "f32"), ("bf16", "f16"), ("bf16", "bf16")])
def test_libraries_multiply_floats_of_one_type(kinds: tuple[str, str], rows: int) -> None:
    """Gradients of mixed precision multiply f32 by what was bf16 before."""
    x, y = f"tensor<{rows}x64x{kinds[0]}>", f"tensor<64x128x{kinds[1]}>"
    a, b, c = f"tensor<{rows}x64xf32>", "tensor<64x128xf32>", f"tensor<{rows}x128xf32>"
    text = f"""func.func @main(%x: {x}, %y: {y}) -> {c} {{
  %0 = stablehlo.convert %x : ({x}) -> {a}
  %1 = stablehlo.convert %y : ({y}) -> {b}
  %2 = stablehlo.dot_general %0, %1, contracting_dims = [1] x [0] : ({a}, {b}) -> {c}
  return %2 : {c}
}}"""
    for library_types in (False, True):
        plan = build(hlo2tiny.parse(text), products=True, library_types=library_types)
        (product,) = (step.product for step in plan.main.steps if isinstance(step, Gemm))
        is_widened = library_types and rows >= OFTEN and kinds[0] != kinds[1]
        expected = ["" if kind == "f32" or is_widened else kind for kind in kinds]
        assert [product.a.narrow, product.b.narrow] == expected
