"""Ops of the dialects shape and tensor: what they say of sizes is checked, although nothing of them runs."""

from __future__ import annotations

import numpy as np
import pytest

import hlo2tiny

RIGHT = [
    "%0 = shape.shape_of %x : tensor<2x3xf32> -> tensor<2xindex>",
    "%0 = shape.shape_of %x : tensor<2x3xf32> -> !shape.shape\n"
    "%1 = shape.num_elements %0 : !shape.shape -> !shape.size",
    "%s = shape.shape_of %x : tensor<2x3xf32> -> tensor<?xindex>\n%0 = shape.rank %s : tensor<?xindex> -> index",
    "%0 = tensor.cast %x : tensor<2x3xf32> to tensor<2x?xf32>",
    "%0 = shape.const_shape [2, 3] : tensor<2xindex>\n"
    "%1 = shape.broadcast %0, %0 : tensor<2xindex>, tensor<2xindex> -> tensor<2xindex>",
]
WRONG = [
    ('"shape.shape_of"(%x) : (tensor<2x3xf32>) -> tensor<4096xindex>', r"has the shape \[2\], but its declared type"),
    ('"shape.shape_of"(%x) : (tensor<2x3xf32>) -> tensor<2xi32>', "expected !shape.shape or a list of sizes"),
    ('"shape.shape_of"(%x) : (tensor<2x3xf32>) -> tensor<2xf32>', "expected !shape.shape or a list of sizes"),
    ('"shape.num_elements"(%x) : (tensor<2x3xf32>) -> index', "operand 0 is tensor<2x3xf32>, expected !shape.shape"),
    ('"shape.num_elements"(%s) : (tensor<2xindex>) -> tensor<i32>', "expected index or !shape.size"),
    ('"shape.mul"(%s, %s) : (tensor<2xindex>, tensor<2xindex>) -> tensor<2xindex>', "expected index or !shape.size"),
    ('"shape.concat"(%s, %s) : (tensor<2xindex>, tensor<2xindex>) -> tensor<3xindex>', r"has the shape \[4\]"),
    ('"shape.broadcast"(%s, %s) : (tensor<2xindex>, tensor<2xindex>) -> tensor<1xindex>', r"has the shape \[2\]"),
    ('"shape.const_shape"() {shape = dense<[2, 3]> : tensor<2xindex>} : () -> tensor<3xindex>', r"has the shape \[2\]"),
    ('"shape.shape_eq"(%s, %s) : (tensor<2xindex>, tensor<2xindex>) -> i32', "expected i1"),
    ('"tensor.cast"(%x) : (tensor<2x3xf32>) -> tensor<3x2xf32>', r"has the shape \[2, 3\]"),
    ('"tensor.cast"(%x) : (tensor<2x3xf32>) -> f32', "the result is f32, expected a tensor"),
    ('"tensor.cast"(%x) : (tensor<2x3xf32>) -> tensor<2x3xi32>', "has elements of f32"),
    (
        '"tensor.dim"(%x, %x) : (tensor<2x3xf32>, tensor<2x3xf32>) -> index',
        "operand 1 is tensor<2x3xf32>, expected index",
    ),
    ('"tensor.dim"(%x, %far) : (tensor<2x3xf32>, index) -> index', "asks for dimension 2 of a shape of rank 2"),
    ('"tensor.dim"(%x, %before) : (tensor<2x3xf32>, index) -> index', "dimension -1 of a shape of rank 2"),
    ('"tensor.from_elements"(%i, %i) : (index, index) -> tensor<3xindex>', "has 2 elements, but the declared type"),
    ('"tensor.extract"(%i) : (index) -> index', "operand 0 is index, expected a tensor"),
    ('"tensor.from_elements"(%i) : (index) -> index', "the result is index, expected a tensor"),
    ('"tensor.splat"(%i) : (index) -> index', "the result is index, expected a tensor"),
    ('"tensor.cast"(%i) : (index) -> tensor<index>', "the operand is index, expected a tensor"),
    (
        '"tensor.extract"(%s, %i, %i) : (tensor<2xindex>, index, index) -> index',
        "expected 1 number, the operand's rank",
    ),
]


def module(line: str) -> str:
    return f"""func.func @main(%x: tensor<2x3xf32>) -> tensor<2x3xf32> {{
  %s = shape.shape_of %x : tensor<2x3xf32> -> tensor<2xindex>
  %i = arith.constant 1 : index
  %far = arith.constant 2 : index
  %before = arith.constant -1 : index
  {line}
  return %x : tensor<2x3xf32>
}}"""


@pytest.mark.parametrize("line", RIGHT)
def test_sizes_that_agree(line: str) -> None:
    x = np.ones((2, 3), np.float32)
    np.testing.assert_array_equal(
        hlo2tiny.load(module(line.replace("%s =", "%t =").replace("%s :", "%t :")), "CPU").numpy(x)[0], x
    )


@pytest.mark.parametrize(("line", "words"), WRONG)
def test_contradictions_are_refused(line: str, words: str) -> None:
    with pytest.raises(hlo2tiny.VerifyError, match=words):
        hlo2tiny.load(module(f"%0 = {line}"), "CPU")


def test_shapes_that_need_more_than_arguments_end() -> None:
    """What folding cannot compute is asked for once, not for ever."""
    text = """func.func @main(%n: tensor<i32>) -> tensor<?xf32> {
  %f = stablehlo.convert %n : (tensor<i32>) -> tensor<f32>
  %g = stablehlo.sine %f : tensor<f32>
  %i = stablehlo.convert %g : (tensor<f32>) -> tensor<i32>
  %s = stablehlo.reshape %i : (tensor<i32>) -> tensor<1xi32>
  %0 = stablehlo.dynamic_iota %s, dim = 0 : (tensor<1xi32>) -> tensor<?xf32>
  return %0 : tensor<?xf32>
}"""
    with pytest.raises(hlo2tiny.Error):
        hlo2tiny.load(text, "CPU").numpy(np.int32(3))
