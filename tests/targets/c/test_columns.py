"""Reductions along rows whose columns are adjacent in memory, of which many are reduced together."""

from __future__ import annotations

import re

import jax
import jax.numpy as jnp
import numpy as np
import pytest

import hlo2tiny
from hlo2tiny.targets.c.render import render_region
from hlo2tiny.tinygrad.columns import FEWEST_ROWS, TILE_ROWS, TOGETHER, WIDTH

INITIAL = {"add": 0.0, "maximum": -np.inf}
NAMES = {"float32": "f32", "float64": "f64"}


def reduction(shape: tuple[int, ...], axes: list[int], op: str, type: str = "f32") -> str:
    """A reduction of squared distances from a number of each column; the last dimension stays."""
    result = [size for d, size in enumerate(shape) if d not in axes]
    x, y, c = ("x".join(map(str, (*sizes, type))) for sizes in (shape, result, shape[-1:]))
    initial = "0.0" if op == "add" else "0xFF800000" if type == "f32" else "0xFFF0000000000000"
    return f"""
    func.func @main(%x: tensor<{x}>, %c: tensor<{c}>) -> tensor<{y}> {{
      %zero = stablehlo.constant dense<{initial}> : tensor<{type}>
      %m = stablehlo.broadcast_in_dim %c, dims = [{len(shape) - 1}] : (tensor<{c}>) -> tensor<{x}>
      %d = stablehlo.subtract %x, %m : tensor<{x}>
      %s = stablehlo.multiply %d, %d : tensor<{x}>
      %r = stablehlo.reduce(%s init: %zero) applies stablehlo.{op} across dimensions = {axes}
        : (tensor<{x}>, tensor<{type}>) -> tensor<{y}>
      %e = stablehlo.multiply %r, %r : tensor<{y}>
      return %e : tensor<{y}>
    }}"""


def bodies(program: hlo2tiny.Program) -> list[str]:
    return [k.body for step in program.plan.kernels() for k in render_region(step).kernels]


@pytest.mark.sampled(2)
@pytest.mark.parametrize("type", NAMES)
@pytest.mark.parametrize("op", INITIAL)
@pytest.mark.parametrize(
    ("shape", "axes"),
    [((300, 40), [0]), ((FEWEST_ROWS, 2 * WIDTH + 3), [0]), ((3, 70, 5, 33), [1, 2]), ((4, 9, 11, 130), [0, 1, 2])],
)
def test_columns_are_reduced_together(shape: tuple[int, ...], axes: list[int], op: str, type: str) -> None:
    rng = np.random.default_rng(0)
    x, c = rng.standard_normal(shape).astype(type), rng.standard_normal(shape[-1:]).astype(type)
    text = reduction(shape, axes, op, NAMES[type])
    found = {hlo2tiny.load(text, "CPU", threads=threads).numpy(x, c)[0].tobytes() for threads in (1, 2, 3)}
    (result,) = found
    assert any("lanes" in body for body in bodies(hlo2tiny.load(text, "CPU")))
    squared = (x.astype(np.longdouble) - c) ** 2
    expected = (squared.sum(tuple(axes)) if op == "add" else squared.max(tuple(axes))) ** 2
    shaped = np.frombuffer(result, type).reshape(expected.shape)
    np.testing.assert_allclose(shaped, expected.astype(type), 20 * np.finfo(type).eps)


@pytest.mark.sampled(3)
@pytest.mark.parametrize("type", ["float16", "float32", "float64", "int32"])
@pytest.mark.parametrize(("rows", "length"), [(131, FEWEST_ROWS), (67, 24), (64, 64), (300, 63), (9, 1000), (70, 129)])
def test_the_place_of_the_largest_number_of_many_rows(rows: int, length: int, type: str) -> None:
    """Tiles of adjacent rows are transposed; the first of equal numbers is found, and NaN is larger than any."""
    rng = np.random.default_rng(length)
    x = rng.integers(-9, 9, (rows, length)).astype(type)
    x[::7, length // 2] = np.nan if x.dtype.kind == "f" else 99
    x[1::7] = 3
    with jax.enable_x64(type == "float64"):
        text = str(jax.export.export(jax.jit(lambda x: jnp.argmax(x, 1)))(x).mlir_module())
    for threads in (1, 2):
        np.testing.assert_array_equal(hlo2tiny.load(text, "CPU", threads=threads).numpy(x)[0], np.argmax(x, 1))
    if type in ("float32", "float64") or length <= TILE_ROWS:  # f16 is compared by its bits, as integers are
        assert any("tile0" in body for body in bodies(hlo2tiny.load(text, "CPU")))


@pytest.mark.sampled(2)
@pytest.mark.parametrize("type", ["bfloat16", "float16"])
@pytest.mark.parametrize(("rows", "length"), [(131, FEWEST_ROWS), (3000, 15), (64, 31)])
def test_rows_shorter_than_two_vectors(rows: int, length: int, type: str) -> None:
    """What takes many operations is computed by vectors of rows."""
    dtype = jnp.dtype(type)
    x = (np.random.default_rng(length).standard_normal((rows, length)) + 1).astype(dtype)

    def call(x: jax.Array) -> jax.Array:
        return jnp.sum((x * x - x) * x, 1)

    text = str(jax.export.export(jax.jit(call))(x).mlir_module())
    assert any("tile0" in body for body in bodies(hlo2tiny.load(text, "CPU")))
    found = [hlo2tiny.load(text, "CPU", threads=threads).numpy(x)[0] for threads in (1, 2, 3)]
    assert all(each.tobytes() == found[0].tobytes() for each in found)
    expected = np.asarray(call(jnp.asarray(x))).astype(np.float64)
    np.testing.assert_allclose(found[0].astype(np.float64), expected, 2 * float(jnp.finfo(dtype).eps))


@pytest.mark.sampled(3)
@pytest.mark.parametrize("type", ["bfloat16", "float16", "float32", "float64", "int8", "int64"])
@pytest.mark.parametrize("length", [8, FEWEST_ROWS, 24, TILE_ROWS, 129])
@pytest.mark.parametrize("op", [np.maximum, np.minimum])
def test_the_largest_number_of_a_row_is_found_by_vectors_along_it(op: np.ufunc, length: int, type: str) -> None:
    """Also that of 16-bit numbers that are computed first."""
    rng, dtype = np.random.default_rng(length), jnp.dtype(type)
    x = rng.integers(-9, 9, (67, length)).astype(dtype)
    x[::7], x[1::7, -1] = -5, np.nan if dtype.kind in "fV" else 99
    with jax.enable_x64(type in ("float64", "int64")):
        reduce = jnp.max if op is np.maximum else jnp.min
        computed = lambda x: reduce(x * x - x, 1)
        texts = [str(jax.export.export(jax.jit(f))(x).mlir_module()) for f in (lambda x: reduce(x, 1), computed)]
    for text, y in zip(texts, (x, x * x - x)):
        program = hlo2tiny.load(text, "CPU")
        np.testing.assert_array_equal(program.numpy(x)[0].astype(float), op.reduce(y.astype(float), 1))
        in_vectors = any("vectorize(enable)" in body for body in bodies(program))
        assert in_vectors == (length > 8 or dtype.itemsize == 8)


def test_sums_of_a_million_rows_stay_exact() -> None:
    """One term after the other, about three digits would be lost."""
    x, c = np.full((1 << 20, 4), 0.1, np.float32), np.zeros(4, np.float32)
    (found,) = hlo2tiny.load(reduction(x.shape, [0], "add"), "CPU").numpy(x, c)
    np.testing.assert_allclose(found, ((x.astype(np.float64) ** 2).sum(0)) ** 2, 4e-6)


def test_special_values_of_columns() -> None:
    x = np.zeros((40, 8), np.float32)
    x[3] = [0, 1, np.inf, np.nan, -np.inf, 2, 0, 1]
    x[9] = [0, -1, -np.inf, 1, -np.inf, 2, 3, 1]
    text = """func.func @main(%x: tensor<40x8xf32>) -> tensor<8xf32> {
      %zero = stablehlo.constant dense<-0.0> : tensor<f32>
      %r = stablehlo.reduce(%x init: %zero) applies stablehlo.add across dimensions = [0]
        : (tensor<40x8xf32>, tensor<f32>) -> tensor<8xf32>
      return %r : tensor<8xf32>
    }"""
    assert any("lanes" in body for body in bodies(hlo2tiny.load(text, "CPU")))
    (found,) = hlo2tiny.load(text, "CPU").numpy(x)
    np.testing.assert_array_equal(found, np.array([0, 0, np.nan, np.nan, -np.inf, 4, 3, 2], np.float32))
    np.testing.assert_array_equal(np.signbit(hlo2tiny.load(text, "CPU").numpy(-np.zeros_like(x))[0]), True)


def test_rows_that_lie_together_are_reduced_one_by_one() -> None:
    text = """func.func @main(%x: tensor<64x4096xf32>) -> tensor<64xf32> {
      %zero = stablehlo.constant dense<0.0> : tensor<f32>
      %r = stablehlo.reduce(%x init: %zero) applies stablehlo.add across dimensions = [1]
        : (tensor<64x4096xf32>, tensor<f32>) -> tensor<64xf32>
      return %r : tensor<64xf32>
    }"""
    assert not any("lanes" in body for body in bodies(hlo2tiny.load(text, "CPU")))


def test_few_columns_of_few_rows_are_reduced_one_by_one() -> None:
    rng = np.random.default_rng(0)
    x, c = rng.standard_normal((9, 64, 3)).astype(np.float32), np.ones(3, np.float32)
    program = hlo2tiny.load(reduction(x.shape, [1], "add"), "CPU")
    assert not any("lanes" in body for body in bodies(program))
    expected = ((x.astype(np.float64) - c) ** 2).sum(1) ** 2
    np.testing.assert_allclose(program.numpy(x, c)[0], expected, 1e-6)


@pytest.mark.parametrize("kind", ["f32", "f64", "bf16"])
@pytest.mark.parametrize(("shape", "axis", "whole"), [((64, 32), 1, True), ((64, 8), 1, False), ((32, 64), 0, False)])
def test_short_rows_are_reduced_by_vectors_along_them(
    shape: tuple[int, int], axis: int, whole: bool, kind: str
) -> None:
    """Unrolled, they are read as vectors of one element of each row, which takes up to twenty times as long."""
    matrix, vector = f"tensor<{shape[0]}x{shape[1]}x{kind}>", f"tensor<{shape[1 - axis]}x{kind}>"
    text = f"""func.func @main(%x: {matrix}) -> {vector} {{
      %zero = stablehlo.constant dense<{0 if kind == "i32" else 0.0}> : tensor<{kind}>
      %r = stablehlo.reduce(%x init: %zero) applies stablehlo.add across dimensions = [{axis}]
        : ({matrix}, tensor<{kind}>) -> {vector}
      return %r : {vector}
    }}"""
    rows = re.compile(r"unroll\(disable\)\s*#endif\s*for \(int (?!lane)")
    assert any(map(rows.search, bodies(hlo2tiny.load(text, "CPU")))) == whole


@pytest.mark.parametrize(("width", "whole"), [(16, True), (31, True), (8, False)])
def test_rows_that_repeat_a_number_are_computed_by_vectors_along_them(width: int, whole: bool) -> None:
    """Unrolled, they are gathered to vectors of one element of each row."""
    matrix = f"tensor<64x{width}xf32>"
    text = f"""func.func @main(%x: {matrix}, %y: tensor<64xf32>) -> {matrix} {{
      %0 = stablehlo.broadcast_in_dim %y, dims = [0] : (tensor<64xf32>) -> {matrix}
      %1 = stablehlo.multiply %x, %0 : {matrix}
      return %1 : {matrix}
    }}"""
    program = hlo2tiny.load(text, "CPU")
    (body,) = bodies(program)
    assert (body.count("unroll(disable)") == 2) == whole
    x, y = np.random.default_rng(0).normal(size=(64, width)).astype(np.float32), np.arange(64, dtype=np.float32)
    np.testing.assert_array_equal(program.numpy(x, y)[0], x * y[:, None])


def test_both_halves_of_complex_numbers_are_reduced_together() -> None:
    matrix, vector = "tensor<64x32xcomplex<f32>>", "tensor<32xcomplex<f32>>"
    text = f"""func.func @main(%x: {matrix}) -> {vector} {{
      %zero = stablehlo.constant dense<(0.0, 0.0)> : tensor<complex<f32>>
      %r = stablehlo.reduce(%x init: %zero) applies stablehlo.add across dimensions = [0]
        : ({matrix}, tensor<complex<f32>>) -> {vector}
      return %r : {vector}
    }}"""
    program = hlo2tiny.load(text, "CPU")
    assert any("lanes" in body for body in bodies(program))
    rng = np.random.default_rng(0)
    x = (rng.standard_normal((64, 32)) + 1j * rng.standard_normal((64, 32))).astype(np.complex64)
    np.testing.assert_allclose(program.numpy(x)[0], x.astype(np.complex128).sum(0), 1e-5)


def test_what_a_column_needs_is_computed_once() -> None:
    """A number of f16 takes several operations to become f32; columns were then reduced one by one, 4 times as slow."""
    x, y = (f"tensor<{sizes}xf16>" for sizes in ("70x40", "40"))
    text = f"""
    func.func @main(%x: {x}, %c: {y}) -> {y} {{
      %zero = stablehlo.constant dense<0.0> : tensor<f16>
      %m = stablehlo.broadcast_in_dim %c, dims = [1] : ({y}) -> {x}
      %d = stablehlo.subtract %x, %m : {x}
      %e = stablehlo.exponential %d : {x}
      %r = stablehlo.reduce(%e init: %zero) applies stablehlo.add across dimensions = [0]
        : ({x}, tensor<f16>) -> {y}
      return %r : {y}
    }}"""
    rng = np.random.default_rng(0)
    given = [rng.standard_normal(shape).astype(np.float16) for shape in ((70, 40), (40,))]
    program = hlo2tiny.load(text, "CPU")
    assert any("kept" in body and "lanes" in body for body in bodies(program))
    expected = np.exp((given[0] - given[1]).astype(np.float32)).astype(np.float16).astype(np.float64).sum(0)
    np.testing.assert_allclose(program.numpy(*given)[0], expected, 2e-3)


@pytest.mark.parametrize("rows", [FEWEST_ROWS - 1, FEWEST_ROWS])
def test_what_is_selected_is_stored_by_whole_vectors(rows: int) -> None:
    """Compilers for AVX2 stored those lanes that change, which took 5 times as long; few rows stay in registers."""
    x, y, i = (f"tensor<{sizes}x{kind}>" for sizes, kind in ((f"{rows}x40", "f32"), ("40", "f32"), ("40", "i64")))
    program = hlo2tiny.load(
        f"""
    func.func @main(%x: {x}) -> {i} {{
      %least = stablehlo.constant dense<0x7F800000> : tensor<f32>
      %zero = stablehlo.constant dense<0> : tensor<i64>
      %n = stablehlo.iota dim = 0 : tensor<{rows}x40xi64>
      %r:2 = stablehlo.reduce(%x init: %least), (%n init: %zero) across dimensions = [0]
        : ({x}, tensor<{rows}x40xi64>, tensor<f32>, tensor<i64>) -> ({y}, {i})
        reducer(%a: tensor<f32>, %c: tensor<f32>) (%b: tensor<i64>, %d: tensor<i64>) {{
          %less = stablehlo.compare LT, %a, %c : (tensor<f32>, tensor<f32>) -> tensor<i1>
          %s = stablehlo.select %less, %a, %c : tensor<i1>, tensor<f32>
          %t = stablehlo.select %less, %b, %d : tensor<i1>, tensor<i64>
          stablehlo.return %s, %t : tensor<f32>, tensor<i64>
        }}
      return %r#1 : {i}
    }}""",
        "CPU",
    )
    body = "".join(bodies(program))
    assert ("lanes" in body, "|no_bits" in body) == (rows == FEWEST_ROWS, rows == FEWEST_ROWS)
    given = np.random.default_rng(0).standard_normal((rows, 40)).astype(np.float32)
    np.testing.assert_array_equal(program.numpy(given)[0], given.argmin(0))


@pytest.mark.sampled(3)
@pytest.mark.parametrize("rows", [3, 9, 20])
@pytest.mark.parametrize("op", ["maximum", "minimum"])
def test_extremes_of_columns_know_nan_and_signed_zeros(op: str, rows: int) -> None:
    rng, special = np.random.default_rng(rows), [0.0, -0.0, np.inf, -np.inf, np.nan, 5e-324]
    x = np.array(special)[rng.integers(0, 6, (rows, 300))]
    x[:, 100:] = np.where(np.isnan(x[:, 100:]), 0.0, x[:, 100:])
    x[:, 200:] = np.copysign(0.0, rng.standard_normal((rows, 100)))
    x[:, 297:] = [0.0, -0.0, np.inf if op == "minimum" else -np.inf]
    sign = 1 if op == "maximum" else -1
    text = f"""func.func @main(%x: tensor<{rows}x300xf64>) -> tensor<300xf64> {{
      %i = stablehlo.constant dense<{"0xFFF0000000000000" if sign > 0 else "0x7FF0000000000000"}> : tensor<f64>
      %r = stablehlo.reduce(%x init: %i) applies stablehlo.{op} across dimensions = [0]
        : (tensor<{rows}x300xf64>, tensor<f64>) -> tensor<300xf64>
      return %r : tensor<300xf64>
    }}"""
    (found,) = hlo2tiny.load(text, "CPU").numpy(x)
    order = np.lexsort((~np.signbit(x * sign), x * sign), axis=0)  # NaN is last
    expected = np.take_along_axis(x, order, 0)[-1]
    np.testing.assert_array_equal(found, expected)
    numbers = ~np.isnan(expected)
    np.testing.assert_array_equal(np.signbit(found[numbers]), np.signbit(expected[numbers]))


@pytest.mark.sampled(3)
@pytest.mark.parametrize(("shape", "axis"), [((3, 1000), 1), ((1003, 300), 0), ((1003, 5), 0)])
def test_factors_of_a_product_are_in_several_partial_ones(shape: tuple[int, int], axis: int) -> None:
    """One after the other, each multiplication would wait for the one before it."""
    x = (1 + 0.1 * np.random.default_rng(0).standard_normal(shape)).astype(np.float32)
    text = f"""func.func @main(%x: tensor<{shape[0]}x{shape[1]}xf32>) -> tensor<{shape[1 - axis]}xf32> {{
      %i = stablehlo.constant dense<1.0> : tensor<f32>
      %r = stablehlo.reduce(%x init: %i) applies stablehlo.multiply across dimensions = [{axis}]
        : (tensor<{shape[0]}x{shape[1]}xf32>, tensor<f32>) -> tensor<{shape[1 - axis]}xf32>
      return %r : tensor<{shape[1 - axis]}xf32>
    }}"""
    assert any("reassociate" in body or "part_" in body for body in bodies(hlo2tiny.load(text, "CPU")))
    for options in ({}, {"batch_invariant": True}):
        found = hlo2tiny.load(text, "CPU", **options).numpy(x)[0]
        np.testing.assert_allclose(found, x.astype(np.float64).prod(axis), 1e-4)


@pytest.mark.parametrize("rows", [64, 68])
def test_only_rows_that_are_left_have_a_loop_of_their_own(rows: int) -> None:
    program = hlo2tiny.load(reduction((rows, 40), [0], "add"), "CPU")
    (body,) = bodies(program)
    assert len(re.findall(r"for \(int Ridx", body)) == (rows % TOGETHER > 0)
