"""What a program computes of each element that a gather reads is computed in the kernel that reads it."""

from __future__ import annotations

from collections.abc import Sequence

import ml_dtypes
import numpy as np
import pytest

import hlo2tiny

ROWS, TAKEN, WIDTH = 11, 23, 12
GATHER = """%at = stablehlo.reshape %i : (tensor<23xi32>) -> tensor<23x1xi32>
  %g = "stablehlo.gather"(%x, %at) <{
      dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0],
      index_vector_dim = 1>, slice_sizes = array<i64: 1, 12>}>
      : (tensor<11x12xT>, tensor<23x1xi32>) -> tensor<23x12xT>"""
# As jnp.take does it: rows of indices that are out of bounds are filled.
FILLED = """%none = stablehlo.constant dense<FILL> : tensor<23x12xT>
  %first = stablehlo.constant dense<0> : tensor<23xi32>
  %last = stablehlo.constant dense<10> : tensor<23xi32>
  %above = stablehlo.compare GE, %i, %first : (tensor<23xi32>, tensor<23xi32>) -> tensor<23xi1>
  %below = stablehlo.compare LE, %i, %last : (tensor<23xi32>, tensor<23xi32>) -> tensor<23xi1>
  %in = stablehlo.and %above, %below : tensor<23xi1>
  %inside = stablehlo.broadcast_in_dim %in, dims = [0] : (tensor<23xi1>) -> tensor<23x12xi1>
  %r = stablehlo.select %inside, %g, %none : tensor<23x12xi1>, tensor<23x12xT>"""
TYPES = {
    "f32": np.float32,
    "f64": np.float64,
    "f16": np.float16,
    "bf16": ml_dtypes.bfloat16,
    "complex<f32>": np.complex64,
    "complex<f64>": np.complex128,
    "i8": np.int8,
    "ui64": np.uint64,
    "f8E4M3FN": ml_dtypes.float8_e4m3fn,
}


def operands(dtype: np.dtype) -> list[np.ndarray]:
    generator = np.random.default_rng(0)
    x, y = generator.integers(1, 9, (ROWS, WIDTH)), generator.integers(1, 9, (TAKEN, WIDTH))
    if dtype.kind == "c":
        x, y = x + 1j * x[::-1], y - 2j * y
    return [x.astype(dtype), generator.integers(-3, ROWS + 3, TAKEN).astype(np.int32), y.astype(dtype)]


def kernels_of(program: hlo2tiny.Program) -> list[str]:
    return [name for step in program.plan.kernels() for name in kernel_names(step)]


def kernel_names(step: object) -> Sequence[str]:
    from hlo2tiny.targets.c.render import render_region

    return render_region(step).names  # type: ignore[arg-type]


@pytest.mark.sampled(3)
@pytest.mark.parametrize("element", TYPES)
def test_rows_out_of_bounds_are_filled(element: str) -> None:
    fill = "(7.0, -1.0)" if element.startswith("c") else "7" if "i" in element else "7.0"
    body = f"{GATHER}\n  {FILLED}".replace("FILL", fill).replace("T>", f"{element}>")
    text = f"""func.func @main(%x: tensor<11x12x{element}>, %i: tensor<23xi32>) -> tensor<23x12x{element}> {{
  {body.replace("xT,", f"x{element},")}
  return %r : tensor<23x12x{element}>
}}"""
    program = hlo2tiny.load(text, device="CPU")
    assert "gather" not in kernels_of(program)
    x, i, _ = operands(np.dtype(TYPES[element]))
    (found,) = program.numpy(x, i)
    filling = np.array(7 - 1j if x.dtype.kind == "c" else 7).astype(x.dtype)
    inside = ((i >= 0) & (i < ROWS))[:, None]
    np.testing.assert_array_equal(found, np.where(inside, x[np.clip(i, 0, ROWS - 1)], filling))


@pytest.mark.sampled(10, ci=5)
@pytest.mark.parametrize(
    ("epilogue", "result", "kernels"),
    [
        ("%r = stablehlo.add %g, %y : tensor<23x12xT>", lambda g, y: g + y, 1),
        ("%r = stablehlo.subtract %y, %g : tensor<23x12xT>", lambda g, y: y - g, 1),
        ("%a = stablehlo.multiply %g, %y : tensor<23x12xT>\n%r = stablehlo.subtract %a, %y : tensor<23x12xT>",
         lambda g, y: g * y - y, 1),
        ("%r = stablehlo.multiply %g, %g : tensor<23x12xT>", lambda g, y: g * g, 1),  # two readers
        ("%a = stablehlo.slice %y [0:23, 1:2] : (tensor<23x12xT>) -> tensor<23x1xT>\n"
         "%b = stablehlo.broadcast_in_dim %a, dims = [0, 1] : (tensor<23x1xT>) -> tensor<23x12xT>\n"
         "%r = stablehlo.add %g, %b : tensor<23x12xT>", lambda g, y: g + y[:, 1:2], 1),
        ("%z = stablehlo.constant dense<2> : tensor<23x12xT>\n%r = stablehlo.add %z, %g : tensor<23x12xT>",
         lambda g, y: g + np.array(2).astype(g.dtype), 1),
    ],
)  # fmt: skip
@pytest.mark.parametrize("element", ["f32", "bf16", "i8", "complex<f32>"])
def test_cheap_operations_with_elements_of_other_arrays(
    element: str, epilogue: str, result: object, kernels: int
) -> None:
    if element.startswith("c"):
        epilogue = epilogue.replace("dense<2>", "dense<(2.0, 0.0)>")
    elif element != "i8":
        epilogue = epilogue.replace("dense<2>", "dense<2.0>")
    text = f"""func.func @main(%x: tensor<11x12xT>, %i: tensor<23xi32>, %y: tensor<23x12xT>) -> tensor<23x12xT> {{
  {GATHER}
  {epilogue}
  return %r : tensor<23x12xT>
}}""".replace("T>", f"{element}>")
    program = hlo2tiny.load(text, device="CPU")
    assert len(kernels_of(program)) == kernels
    x, i, y = operands(np.dtype(TYPES[element]))
    (found,) = program.numpy(x, i, y)
    expected = result(x[np.clip(i, 0, ROWS - 1)], y)  # type: ignore[operator]
    np.testing.assert_allclose(found.astype(expected.dtype), expected, rtol=1e-2 if element == "bf16" else 1e-6)


def test_two_gathers_are_added() -> None:
    second = GATHER.replace("%at", "%at2").replace("%g", "%h").replace("%i", "%j")
    text = f"""func.func @main(%x: tensor<11x12xf32>, %i: tensor<23xi32>, %j: tensor<23xi32>) -> tensor<23x12xf32> {{
  {GATHER}
  {second}
  %r = stablehlo.add %g, %h : tensor<23x12xf32>
  return %r : tensor<23x12xf32>
}}""".replace("T>", "f32>")
    program = hlo2tiny.load(text, device="CPU")
    assert kernels_of(program) == ["E_23_12"]
    x, i, _ = operands(np.dtype(np.float32))
    j = i[::-1].copy()
    clipped = [x[np.clip(at, 0, ROWS - 1)] for at in (i, j)]
    np.testing.assert_array_equal(program.numpy(x, i, j)[0], clipped[0] + clipped[1])


def test_columns_are_read_by_what_computes_with_them() -> None:
    text = """func.func @main(%x: tensor<12x11xf32>, %i: tensor<23x1xi32>, %y: tensor<12x23xf32>) -> tensor<12x23xf32> {
  %g = "stablehlo.gather"(%x, %i) <{dimension_numbers = #stablehlo.gather<
      offset_dims = [0], collapsed_slice_dims = [1], start_index_map = [1], index_vector_dim = 1>,
      slice_sizes = array<i64: 12, 1>}> : (tensor<12x11xf32>, tensor<23x1xi32>) -> tensor<12x23xf32>
  %r = stablehlo.add %g, %y : tensor<12x23xf32>
  return %r : tensor<12x23xf32>
}"""
    program = hlo2tiny.load(text, device="CPU")
    assert kernels_of(program) == ["E_12_23"]
    x, i, y = operands(np.dtype(np.float32))
    expected = x.T[:, np.clip(i, 0, ROWS - 1)] + y.T
    np.testing.assert_array_equal(program.numpy(x.T.copy(), i[:, None], y.T.copy())[0], expected)


@pytest.mark.parametrize(
    ("after", "result", "stored"),
    [
        ("stablehlo.negate %g : (tensor<23x12xf32>) -> tensor<23x12xf32>", lambda g: -g, False),
        ("stablehlo.transpose %g, dims = [1, 0] : (tensor<23x12xf32>) -> tensor<12x23xf32>", lambda g: g.T, True),
        ("stablehlo.reduce(%g init: %zero) applies stablehlo.add across dimensions = [1]"
         " : (tensor<23x12xf32>, tensor<f32>) -> tensor<23xf32>", lambda g: g.sum(1), False),
        ("stablehlo.reduce(%g init: %zero) applies stablehlo.add across dimensions = [0]"
         " : (tensor<23x12xf32>, tensor<f32>) -> tensor<12xf32>", lambda g: g.sum(0), True),
    ],
)  # fmt: skip
def test_rows_are_stored_for_readers_in_another_order(after: str, result: object, stored: bool) -> None:
    type = after.rsplit("-> ", 1)[-1]
    text = f"""func.func @main(%x: tensor<11x12xf32>, %i: tensor<23xi32>) -> {type} {{
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  {GATHER}
  %r = {after}
  return %r : {type}
}}""".replace("T>", "f32>")
    program = hlo2tiny.load(text, device="CPU")
    assert ("gather" in kernels_of(program)) == stored
    x, i, _ = operands(np.dtype(np.float32))
    expected = result(x[np.clip(i, 0, ROWS - 1)])  # type: ignore[operator]
    np.testing.assert_array_equal(program.numpy(x, i)[0], expected)


@pytest.mark.parametrize(
    "read",
    [
        """stablehlo.dynamic_slice %x, %c, %c, sizes = [2, 0]
    : (tensor<4x0xi32>, tensor<i32>, tensor<i32>) -> tensor<2x0xi32>""",
        """"stablehlo.gather"(%x, %i) <{dimension_numbers = #stablehlo.gather<
    offset_dims = [1], collapsed_slice_dims = [0],
    start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 1, 0>}>
    : (tensor<4x0xi32>, tensor<2xi32>) -> tensor<2x0xi32>""",
    ],
)
def test_nothing_is_computed_of_no_elements(read: str) -> None:
    text = f"""func.func @main(%x: tensor<4x0xi32>, %i: tensor<2xi32>, %c: tensor<i32>) -> tensor<2x0xf32> {{
  %0 = {read}
  %1 = stablehlo.convert %0 : (tensor<2x0xi32>) -> tensor<2x0xf32>
  return %1 : tensor<2x0xf32>
}}"""
    (found,) = hlo2tiny.load(text, device="CPU").numpy(np.zeros((4, 0), np.int32), np.ones(2, np.int32), np.int32(1))
    assert found.shape == (2, 0) and found.dtype == np.float32
