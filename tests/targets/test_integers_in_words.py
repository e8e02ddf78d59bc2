"""Where integers have 32 bits, wider ones are two words and narrower ones parts of a word."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from everywhere import Case, lacking, run, targets

NEGATIVE = """func.func @main(%p: tensor<2xi1>, %i: tensor<6xi8>, %x: tensor<2x{type}>)
    -> (tensor<2x{type}>, tensor<5x{type}>, tensor<2x{type}>, tensor<6x{type}>) {{
  %pair = stablehlo.constant dense<-7> : tensor<2x{type}>
  %five = stablehlo.constant dense<-100> : tensor<5x{type}>
  %other = stablehlo.constant dense<-9> : tensor<2x{type}>
  %select = stablehlo.select %p, %pair, %other : tensor<2xi1>, tensor<2x{type}>
  %narrow = stablehlo.convert %i : (tensor<6xi8>) -> tensor<6x{type}>
  %one = stablehlo.constant dense<-1> : tensor<6x{type}>
  %less = stablehlo.add %narrow, %one : tensor<6x{type}>
  return %pair, %five, %select, %less : tensor<2x{type}>, tensor<5x{type}>, tensor<2x{type}>, tensor<6x{type}>
}}"""


@pytest.mark.parametrize("target", targets("c", "wasm", "mesa"))
@pytest.mark.parametrize("name", ["int8", "int16", "int32", "int64"])
def test_negative_constants(name: str, target: str, tmp_path: Path) -> None:
    if reason := lacking(target):
        pytest.skip(reason)
    narrow = np.array([-128, -1, 0, 1, 63, 127], np.int8)
    arrays = [np.array([True, False]), narrow, np.zeros(2, name)]
    (answer,) = run(target, [Case("negative", NEGATIVE.format(type=f"i{name[3:]}"), [arrays])], tmp_path)
    assert not isinstance(answer, Exception), answer
    expected = [np.full(2, -7, name), np.full(5, -100, name), np.array([-7, -9], name), narrow.astype(name) - 1]
    for found, wanted in zip(answer[0], expected):
        np.testing.assert_array_equal(found, wanted)


AT = """func.func @main(%x: tensor<5xf32>, %at: tensor<3x1x{type}>, %new: tensor<3xf32>)
    -> (tensor<3xf32>, tensor<5xf32>) {{
  %0 = "stablehlo.gather"(%x, %at) <{{dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [0],
    start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 1>}}> : (
    tensor<5xf32>, tensor<3x1x{type}>) -> tensor<3xf32>
  %1 = "stablehlo.scatter"(%x, %at, %new) <{{scatter_dimension_numbers = #stablehlo.scatter<
    inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}}> ({{
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }}) : (tensor<5xf32>, tensor<3x1x{type}>, tensor<3xf32>) -> tensor<5xf32>
  return %0, %1 : tensor<3xf32>, tensor<5xf32>
}}"""


@pytest.mark.parametrize("target", targets("c", "wasm", "mesa"))
@pytest.mark.parametrize("name", ["int8", "uint16", "int32", "uint32", "int64", "uint64"])
def test_indices(name: str, target: str, tmp_path: Path) -> None:
    """A gather clamps them, a scatter leaves out those that are out of bounds: the last one, by its high bits."""
    if reason := lacking(target):
        pytest.skip(reason)
    last = np.iinfo(name).max if name != "int64" else -(1 << 40)
    x, new = np.arange(5, dtype=np.float32) + 10, np.array([1, 2, 4], np.float32)
    type = name.replace("uint", "ui").replace("int", "i")
    arrays = [x, np.array([[3], [1], [last]], name), new]
    (answer,) = run(target, [Case("at", AT.format(type=type), [arrays])], tmp_path)
    assert not isinstance(answer, Exception), answer
    gathered, scattered = answer[0]
    np.testing.assert_array_equal(gathered, x[[3, 1, 0 if last < 0 else 4]])
    np.testing.assert_array_equal(scattered, x + np.array([0, 2, 0, 1, 0], np.float32))
