"""The oracles themselves: each type goes in and comes out, and a process that ends or hangs is a refusal."""

from __future__ import annotations

import numpy as np
import pytest
from oracles import ORACLES, Refused, run
from rules.numbers import ELEMENT, expect_equal, special, type_of

ADD = """func.func @main(%x: TYPE) -> TYPE {
  %0 = stablehlo.add %x, %x : TYPE
  return %0 : TYPE
}"""
# No integer has 6 bits, in which the interpreter could hand these over; XLA takes no bitcast of them.
NARROW = ("f6E2M3FN", "f6E3M2FN")


@pytest.mark.ci
@pytest.mark.parametrize("oracle", ORACLES)
@pytest.mark.parametrize("dtype", [d for d, name in ELEMENT.items() if name not in NARROW], ids=str)
def test_each_type_goes_in_and_comes_out(oracle: str, dtype: np.dtype) -> None:
    text = "func.func @main(%x: TYPE, %y: tensor<i1>) -> (TYPE, tensor<i1>) { return %x, %y : TYPE, tensor<i1> }"
    for x in (special(dtype), np.resize(special(dtype), (2, 2)), special(dtype)[1].reshape(()), special(dtype)[:0]):
        expected = [x, np.array(True)]
        expect_equal(run(oracle, text.replace("TYPE", type_of(x)), expected), expected)


@pytest.mark.parametrize("oracle", ORACLES)
def test_one_program_on_other_values(oracle: str) -> None:
    text = ADD.replace("TYPE", "tensor<3xi64>")
    for x in (np.array([1, -2, 2**62]), np.array([0, 3, -(2**63)])):
        expect_equal(run(oracle, text, [x]), [x + x])


@pytest.mark.parametrize("oracle", ORACLES)
def test_wrong_text_is_refused(oracle: str) -> None:
    with pytest.raises(Refused, match="expected operation name in quotes"):
        run(oracle, "func.func @main() { 5 }", [])


def test_the_end_of_their_process_is_a_refusal() -> None:
    text = """func.func @main(%x: tensor<f32>) -> tensor<f32> {
      %0 = chlo.erf %x : tensor<f32> -> tensor<f32>
      return %0 : tensor<f32>
    }"""
    x = np.array(1, np.float32)
    with pytest.raises(Refused, match=r"its process ended: LLVM ERROR: Unsupported op: .*chlo.erf"):
        run("interpreter", text, [x])
    expect_equal(run("xla", text, [x]), [np.array(0.8427008, np.float32)], 2)


def test_no_answer_in_time_is_a_refusal() -> None:
    text = """func.func @main(%x: tensor<i32>) -> tensor<i32> {
      %r = stablehlo.while(%a = %x) : tensor<i32>
      cond { %c = stablehlo.constant dense<true> : tensor<i1>
             stablehlo.return %c : tensor<i1> }
      do { %one = stablehlo.constant dense<1> : tensor<i32>
           %b = stablehlo.add %a, %one : tensor<i32>
           stablehlo.return %b : tensor<i32> }
      return %r : tensor<i32>
    }"""
    x = np.array(1, np.int32)
    run("xla", ADD.replace("TYPE", "tensor<i32>"), [x])  # the process has started
    with pytest.raises(Refused, match="no answer in 1 s"):
        run("xla", text, [x], timeout=1)
    expect_equal(run("xla", ADD.replace("TYPE", "tensor<i32>"), [x]), [x + x])
