"""Kernels of a few elements, slices that loops read at an index, and joined parts that many slices read."""

from __future__ import annotations

import numpy as np
import pytest

import hlo2tiny
from hlo2tiny.targets.c.render import render_region


def bodies_of(program: hlo2tiny.Program) -> list[str]:
    return [kernel.body for step in program.plan.kernels() for kernel in render_region(step).kernels]


@pytest.mark.parametrize(
    ("shape", "function", "in_pieces"),
    [
        ("6", "negate", True),
        ("13", "negate", True),
        ("3x2", "negate", True),
        ("8", "negate", False),  # a vector
        ("2", "negate", False),
        ("17", "negate", False),
        ("6", "exponential", False),  # which a compiler would call for each element
    ],
)
def test_few_elements_are_not_masked(shape: str, function: str, in_pieces: bool) -> None:
    text = f"""func.func @main(%x: tensor<{shape}xf32>) -> tensor<{shape}xf32> {{
  %0 = stablehlo.{function} %x : tensor<{shape}xf32>
  return %0 : tensor<{shape}xf32>
}}"""
    program = hlo2tiny.load(text, device="CPU")
    assert any("vectorize(disable)" in body for body in bodies_of(program)) == in_pieces
    x = np.linspace(-1, 1, np.prod([*map(int, shape.split("x"))]), dtype=np.float32).reshape(program.inputs[0].shape)
    expected = -x if function == "negate" else np.exp(x)
    np.testing.assert_allclose(program.numpy(x)[0], expected, rtol=2e-7)


@pytest.mark.parametrize("element", ["f32", "f64", "bf16", "i8"])
@pytest.mark.parametrize(("columns", "alone"), [(3, False), (9, True), (12, True), (15, True), (16, False)])
def test_short_rows_are_not_scattered(columns: int, alone: bool, element: str) -> None:
    """Compilers would compute vectors along the columns, whose numbers are apart."""
    result = f"tensor<700x{columns}x{element}>"
    text = f"""func.func @main(%x: tensor<700x{element}>, %y: tensor<{columns}x{element}>) -> {result} {{
  %0 = stablehlo.broadcast_in_dim %x, dims = [0] : (tensor<700x{element}>) -> {result}
  %1 = stablehlo.broadcast_in_dim %y, dims = [1] : (tensor<{columns}x{element}>) -> {result}
  %2 = stablehlo.multiply %0, %1 : {result}
  return %2 : {result}
}}"""
    program = hlo2tiny.load(text, device="CPU")
    if element != "bf16":  # of which strips may be computed
        assert any("vectorize(disable) unroll(disable)" in body for body in bodies_of(program)) == alone
    x, y = ((np.arange(each.shape[0]) % 9 - 4).astype(each.dtype) for each in program.inputs)
    np.testing.assert_array_equal(program.numpy(x, y)[0], x[:, None] * y)


@pytest.mark.parametrize("element", ["f32", "f64", "bf16", "i8", "complex<f32>"])
@pytest.mark.parametrize("start", [-2, 1, 9])
def test_those_who_read_a_slice_compute_where_it_lies(element: str, start: int) -> None:
    text = """func.func @main(%x: tensor<5x3xT>, %i: tensor<i32>, %y: tensor<2x3xT>) -> tensor<2x3xT> {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %s = stablehlo.dynamic_slice %x, %i, %zero, sizes = [2, 3]
    : (tensor<5x3xT>, tensor<i32>, tensor<i32>) -> tensor<2x3xT>
  %r = stablehlo.add %s, %y : tensor<2x3xT>
  return %r : tensor<2x3xT>
}""".replace("T>", f"{element}>")
    program = hlo2tiny.load(text, device="CPU")
    assert len(bodies_of(program)) == 1
    dtype = program.inputs[0].dtype
    x, y = np.arange(15).reshape(5, 3).astype(dtype), np.arange(6).reshape(2, 3).astype(dtype)
    first = min(max(start, 0), 3)
    np.testing.assert_array_equal(program.numpy(x, np.int32(start), y)[0], x[first : first + 2] + y)


@pytest.mark.parametrize(("slices", "kernels"), [(2, 1), (21, 2)])
def test_joined_parts_are_stored_for_many_slices(slices: int, kernels: int) -> None:
    """Here each slice joins them anew, as a function does that is called for each."""
    size, lines = 10_000 + slices - 1, list[str]()
    for i in range(slices):
        lines += [
            f"%j{i} = stablehlo.concatenate %x, %y, dim = 0"
            f" : (tensor<10000xf32>, tensor<{slices - 1}xf32>) -> tensor<{size}xf32>",
            f"%s{i} = stablehlo.slice %j{i} [{i}:{i + 10_000}] : (tensor<{size}xf32>) -> tensor<10000xf32>",
            f"%a{i} = stablehlo.add %{f'a{i - 1}' if i else 'x'}, %s{i} : tensor<10000xf32>",
        ]
    text = f"""func.func @main(%x: tensor<10000xf32>, %y: tensor<{slices - 1}xf32>) -> tensor<10000xf32> {{
  {"  ".join(line + chr(10) for line in lines)}
  return %a{slices - 1} : tensor<10000xf32>
}}"""
    program = hlo2tiny.load(text, device="CPU")
    assert len(bodies_of(program)) == kernels
    x, y = np.arange(10_000, dtype=np.float32), np.arange(slices - 1, dtype=np.float32)
    joined = np.concatenate([x, y])
    np.testing.assert_array_equal(program.numpy(x, y)[0], x + sum(joined[i : i + 10_000] for i in range(slices)))
