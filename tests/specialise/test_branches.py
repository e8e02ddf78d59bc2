"""Regions and results that state different dimensions of the same type, and assertions."""

from __future__ import annotations

import numpy as np
import pytest

import hlo2tiny

X = np.array([1, 2], np.float32)
OPEN = "  %1 = stablehlo.convert %a : (tensor<2xf32>) -> tensor<?xf32>\n    stablehlo.return %1 : tensor<?xf32>\n"
CHOICE = """func.func @main(%p: tensor<INDEX>, %a: tensor<2xf32>) -> tensor<RESULT> {
  %0 = "stablehlo.NAME"(%p) ({
    FIRST
  }, {
    %2 = stablehlo.negate %a : tensor<2xf32>
    stablehlo.return %2 : tensor<2xf32>
  }) : (tensor<INDEX>) -> tensor<RESULT>
  return %0 : tensor<RESULT>
}"""
LOOP = """func.func @main(%a: tensor<2xf32>) -> tensor<RESULT> {
  %0 = "stablehlo.while"(%a) ({
  ^bb0(%x: tensor<CARRY>):
    %f = stablehlo.constant dense<false> : tensor<i1>
    stablehlo.return %f : tensor<i1>
  }, {
  ^bb0(%x: tensor<CARRY>):
    %1 = stablehlo.convert %x : (tensor<CARRY>) -> tensor<BODY>
    stablehlo.return %1 : tensor<BODY>
  }) : (tensor<2xf32>) -> tensor<RESULT>
  return %0 : tensor<RESULT>
}"""
ASSERTION = """func.func @main(%a: tensor<?xf32>) -> tensor<?xf32> {
  %zero = arith.constant 0 : index
  %two = arith.constant 2 : index
  %size = tensor.dim %a, %zero : tensor<?xf32>
  %holds = arith.cmpi eq, %size, %two : index
  cf.assert %holds, "expected two elements"
  return %a : tensor<?xf32>
}"""


def fill(text: str, **parts: str) -> str:
    for name, part in parts.items():
        text = text.replace(name, part)
    return text


@pytest.mark.parametrize(("name", "index", "first"), [("if", "i1", True), ("case", "i32", 0)])
@pytest.mark.parametrize("result", ["2xf32", "?xf32"])
def test_choices(name: str, index: str, first: int, result: str) -> None:
    program = hlo2tiny.load(fill(CHOICE, NAME=name, INDEX=index, RESULT=result, FIRST=OPEN), device="CPU")
    dtype = np.bool_ if index == "i1" else np.int32
    np.testing.assert_array_equal(program.numpy(np.array(first, dtype), X)[0], X)
    np.testing.assert_array_equal(program.numpy(np.array(not first, dtype), X)[0], -X)


@pytest.mark.parametrize("result", ["2xf32", "?xf32"])
@pytest.mark.parametrize("carry", ["2xf32", "?xf32"])
@pytest.mark.parametrize("body", ["2xf32", "?xf32"])
def test_loops(result: str, carry: str, body: str) -> None:
    program = hlo2tiny.load(fill(LOOP, RESULT=result, CARRY=carry, BODY=body), device="CPU")
    np.testing.assert_array_equal(program.numpy(X)[0], X)


def test_what_cannot_agree_is_refused() -> None:
    with pytest.raises(hlo2tiny.VerifyError, match=r"branch 1 returns \(tensor<2xf32>\), but the declared results"):
        hlo2tiny.load(fill(CHOICE, NAME="if", INDEX="i1", RESULT="3xf32", FIRST=OPEN))
    with pytest.raises(hlo2tiny.VerifyError, match=r"body returns \(tensor<2xf16>\), expected the operands' types"):
        hlo2tiny.load(fill(LOOP, RESULT="2xf32", CARRY="2xf32", BODY="2xf16"))


def test_a_result_that_is_another_than_declared_is_refused() -> None:
    longer = "%1 = stablehlo.concatenate %a, %a, dim = 0 : (tensor<2xf32>, tensor<2xf32>) -> tensor<?xf32>\n"
    text = fill(CHOICE, NAME="if", INDEX="i1", RESULT="2xf32", FIRST=longer + "stablehlo.return %1 : tensor<?xf32>")
    text = text.replace("%2 = stablehlo.negate %a : tensor<2xf32>\n", longer.replace("%1", "%2"))
    text = text.replace("stablehlo.return %2 : tensor<2xf32>", "stablehlo.return %2 : tensor<?xf32>")
    with pytest.raises(hlo2tiny.VerifyError, match=r"return \(tensor<4xf32>\), but its declared types are"):
        hlo2tiny.load(text).numpy(np.array(True), X)


def test_assertions() -> None:
    program = hlo2tiny.load(ASSERTION, device="CPU")
    np.testing.assert_array_equal(program.numpy(X)[0], X)
    with pytest.raises(hlo2tiny.InputError, match=r"cf\.assert: expected two elements"):
        program.numpy(np.zeros(3, np.float32))
    with pytest.raises(hlo2tiny.VerifyError, match=r"its condition is tensor<2xf32>, expected i1"):
        hlo2tiny.load(
            'func.func @main(%a: tensor<2xf32>) {\n  "cf.assert"(%a) {msg = ""} : (tensor<2xf32>) -> ()\n  return\n}'
        )
