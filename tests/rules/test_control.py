# ruff: noqa: E501  (programs)
"""Control flow: steps of the plan rather than rules, and values without tensors."""

from __future__ import annotations

import numpy as np
import pytest

import hlo2tiny
from hlo2tiny.program import Program

COVERED = {"stablehlo.while", "stablehlo.case", "stablehlo.if", "func.call", "stablehlo.composite"}


def run(text: str, *arrays: np.ndarray) -> tuple[np.ndarray, ...]:
    return Program(hlo2tiny.parse(text), "CPU").numpy(*arrays)


WHILE = """
func.func @main(%n: tensor<i32>, %x: tensor<3xf32>) -> (tensor<i32>, tensor<3xf32>) {
  %r:2 = "stablehlo.while"(%n, %x) ({
  ^bb0(%i: tensor<i32>, %a: tensor<3xf32>):
    %zero = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %more = "stablehlo.compare"(%i, %zero) <{comparison_direction = #stablehlo<comparison_direction GT>}> : (tensor<i32>, tensor<i32>) -> tensor<i1>
    "stablehlo.return"(%more) : (tensor<i1>) -> ()
  }, {
  ^bb0(%i: tensor<i32>, %a: tensor<3xf32>):
    %one = "stablehlo.constant"() <{value = dense<1> : tensor<i32>}> : () -> tensor<i32>
    %j = "stablehlo.subtract"(%i, %one) : (tensor<i32>, tensor<i32>) -> tensor<i32>
    %b = "stablehlo.add"(%a, %x) : (tensor<3xf32>, tensor<3xf32>) -> tensor<3xf32>
    "stablehlo.return"(%j, %b) : (tensor<i32>, tensor<3xf32>) -> ()
  }) : (tensor<i32>, tensor<3xf32>) -> (tensor<i32>, tensor<3xf32>)
  return %r#0, %r#1 : tensor<i32>, tensor<3xf32>
}
"""


@pytest.mark.parametrize("trips", [0, 1, 5, -3])
def test_while_runs_the_body_as_often_as_the_condition_says(trips: int) -> None:
    x = np.array([1, -2, 0.5], np.float32)
    counter, total = run(WHILE, np.array(trips, np.int32), x)
    assert counter == min(trips, 0)
    np.testing.assert_array_equal(total, x * (1 + max(trips, 0)))


def test_while_leaves_the_arguments_and_earlier_results_unchanged() -> None:
    program = Program(hlo2tiny.parse(WHILE), "CPU")
    x = np.array([1, 2, 3], np.float32)
    _, first = program.numpy(np.array(2, np.int32), x)
    _, second = program.numpy(np.array(3, np.int32), -x)
    np.testing.assert_array_equal(x, [1, 2, 3])
    np.testing.assert_array_equal(first, x * 3)
    np.testing.assert_array_equal(second, x * -4)


CASE = """
func.func @main(%n: tensor<i32>, %x: tensor<2xf32>) -> tensor<2xf32> {
  %r = "stablehlo.case"(%n) ({
    %a = "stablehlo.negate"(%x) : (tensor<2xf32>) -> tensor<2xf32>
    "stablehlo.return"(%a) : (tensor<2xf32>) -> ()
  }, {
    %b = "stablehlo.add"(%x, %x) : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
    "stablehlo.return"(%b) : (tensor<2xf32>) -> ()
  }, {
    "stablehlo.return"(%x) : (tensor<2xf32>) -> ()
  }) : (tensor<i32>) -> tensor<2xf32>
  return %r : tensor<2xf32>
}
"""


@pytest.mark.parametrize(("index", "factor"), [(0, -1), (1, 2), (2, 1), (3, 1), (-1, 1), (2**31 - 1, 1), (-(2**31), 1)])
def test_case_runs_the_last_branch_for_an_index_out_of_range(index: int, factor: int) -> None:
    x = np.array([1, -2], np.float32)
    np.testing.assert_array_equal(run(CASE, np.array(index, np.int32), x)[0], x * factor)


IF = """
func.func @main(%p: tensor<i1>, %x: tensor<f32>) -> (tensor<f32>, tensor<i32>) {
  %r:2 = "stablehlo.if"(%p) ({
    %one = "stablehlo.constant"() <{value = dense<1> : tensor<i32>}> : () -> tensor<i32>
    "stablehlo.return"(%x, %one) : (tensor<f32>, tensor<i32>) -> ()
  }, {
    %y = "stablehlo.negate"(%x) : (tensor<f32>) -> tensor<f32>
    %two = "stablehlo.constant"() <{value = dense<2> : tensor<i32>}> : () -> tensor<i32>
    "stablehlo.return"(%y, %two) : (tensor<f32>, tensor<i32>) -> ()
  }) : (tensor<i1>) -> (tensor<f32>, tensor<i32>)
  return %r#0, %r#1 : tensor<f32>, tensor<i32>
}
"""


@pytest.mark.parametrize(("predicate", "expected"), [(True, (3, 1)), (False, (-3, 2))])
def test_if_runs_the_first_branch_when_true(predicate: bool, expected: tuple[int, int]) -> None:
    assert run(IF, np.array(predicate), np.array(3, np.float32)) == expected


CALLS = """
func.func @main(%x: tensor<2xi32>) -> (tensor<2xi32>, tensor<2xi32>) {
  %a = "func.call"(%x) <{callee = @twice}> : (tensor<2xi32>) -> tensor<2xi32>
  %b = "stablehlo.composite"(%a) <{name = "my.twice", decomposition = @twice, version = 1 : i32}> : (tensor<2xi32>) -> tensor<2xi32>
  return %a, %b : tensor<2xi32>, tensor<2xi32>
}
func.func private @twice(%x: tensor<2xi32>) -> tensor<2xi32> {
  %y = "stablehlo.add"(%x, %x) : (tensor<2xi32>, tensor<2xi32>) -> tensor<2xi32>
  return %y : tensor<2xi32>
}
"""


def test_call_and_composite_run_the_function_they_name() -> None:
    x = np.array([1, -5], np.int32)
    a, b = run(CALLS, x)
    np.testing.assert_array_equal(a, 2 * x)
    np.testing.assert_array_equal(b, 4 * x)


TOKENS = """
func.func @main(%x: tensor<2xf32>, %y: tensor<i32>) -> (tensor<i32>, tensor<2xf32>) {
  %t = "stablehlo.create_token"() : () -> !stablehlo.token
  %u = "stablehlo.after_all"(%t, %t) : (!stablehlo.token, !stablehlo.token) -> !stablehlo.token
  %p = "stablehlo.tuple"(%x, %y, %u) : (tensor<2xf32>, tensor<i32>, !stablehlo.token) -> tuple<tensor<2xf32>, tensor<i32>, !stablehlo.token>
  %a = "stablehlo.get_tuple_element"(%p) <{index = 1 : i32}> : (tuple<tensor<2xf32>, tensor<i32>, !stablehlo.token>) -> tensor<i32>
  %b = "stablehlo.get_tuple_element"(%p) <{index = 0 : i32}> : (tuple<tensor<2xf32>, tensor<i32>, !stablehlo.token>) -> tensor<2xf32>
  return %a, %b : tensor<i32>, tensor<2xf32>
}
"""


def test_tuples_and_tokens_hand_values_on() -> None:
    x = np.array([1, 2], np.float32)
    a, b = run(TOKENS, x, np.array(7, np.int32))
    assert a == 7
    np.testing.assert_array_equal(b, x)
