# ruff: noqa: E501  (programs)
"""Control flow: steps of the plan rather than rules, and values without tensors."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import hlo2tiny
from hlo2tiny.program import Program

COVERED = {
    *("stablehlo.while", "stablehlo.case", "stablehlo.if", "func.call", "stablehlo.composite"),
    *("stablehlo.tuple", "stablehlo.get_tuple_element", "stablehlo.create_token", "stablehlo.after_all"),
    *("sdy.manual_computation", "sdy.named_computation", "shape.assuming", "stablehlo.async_start"),
    *("shape.assuming_all", "shape.const_witness", "stablehlo.async_done"),
}


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


FUTURES = """
func.func @main(%x: tensor<2xf32>, %y: tensor<2xf32>) -> (tensor<2xf32>, tensor<2xf32>, tensor<2xf32>) {
  %s = "stablehlo.async_start"(%x) ({
  ^bb0(%c: tensor<2xf32>):
    %g = "stablehlo.all_gather"(%c) <{all_gather_dim = 0 : i64, replica_groups = dense<0> : tensor<1x1xi64>}> : (tensor<2xf32>) -> tensor<2xf32>
    stablehlo.return %g : tensor<2xf32>
  }) : (tensor<2xf32>) -> !stablehlo.future<tensor<2xf32>>
  %t = "stablehlo.async_start"(%x, %y) ({
  ^bb0(%a: tensor<2xf32>, %b: tensor<2xf32>):
    %sum = stablehlo.add %a, %b : tensor<2xf32>
    stablehlo.return %sum, %a : tensor<2xf32>, tensor<2xf32>
  }) : (tensor<2xf32>, tensor<2xf32>) -> !stablehlo.future<tensor<2xf32>, tensor<2xf32>>
  %z = stablehlo.multiply %y, %y : tensor<2xf32>
  %r = "stablehlo.async_done"(%s) : (!stablehlo.future<tensor<2xf32>>) -> tensor<2xf32>
  %q:2 = "stablehlo.async_done"(%t) : (!stablehlo.future<tensor<2xf32>, tensor<2xf32>>) -> (tensor<2xf32>, tensor<2xf32>)
  return %r, %q#0, %z : tensor<2xf32>, tensor<2xf32>, tensor<2xf32>
}
"""


def test_futures_hold_what_their_bodies_give() -> None:
    x, y = np.array([1, 2], np.float32), np.array([3, 5], np.float32)
    assert str(hlo2tiny.parse(str(hlo2tiny.parse(FUTURES)))) == str(hlo2tiny.parse(FUTURES))
    for result, expected in zip(run(FUTURES, x, y), (x, x + y, y * y)):
        np.testing.assert_array_equal(result, expected)


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("(%s) : (!stablehlo.future<tensor<2xf32>>)", "(%x) : (tensor<2xf32>)", "expected a future"),
        (
            "-> (tensor<2xf32>, tensor<2xf32>)\n  return",
            "-> (tensor<2xf32>, tensor<3xf32>)\n  return",
            "expected the future's types",
        ),
        ("%sum, %a : tensor<2xf32>, tensor<2xf32>", "%sum : tensor<2xf32>", "expected !stablehlo.future"),
    ],
)
def test_wrong_futures(old: str, new: str, message: str) -> None:
    assert old in FUTURES
    with pytest.raises(hlo2tiny.Error, match=message):
        run(FUTURES.replace(old, new), np.zeros(2, np.float32), np.zeros(2, np.float32))


def test_tuples_and_tokens_hand_values_on() -> None:
    x = np.array([1, 2], np.float32)
    a, b = run(TOKENS, x, np.array(7, np.int32))
    assert a == 7
    np.testing.assert_array_equal(b, x)


# A loop, a call and a branch that carry tuples and tokens, and @main that takes and gives them.
NESTED = """
func.func @main(%t: tuple<tensor<2xf32>, tuple<tensor<i32>, !stablehlo.token>>, %k: !stablehlo.token) -> (tuple<tensor<2xf32>, tensor<i32>>, !stablehlo.token) {
  %w:2 = "stablehlo.while"(%t, %k) ({
  ^bb0(%s: tuple<tensor<2xf32>, tuple<tensor<i32>, !stablehlo.token>>, %q: !stablehlo.token):
    %i = stablehlo.get_tuple_element %s[1] : (tuple<tensor<2xf32>, tuple<tensor<i32>, !stablehlo.token>>) -> tuple<tensor<i32>, !stablehlo.token>
    %j = stablehlo.get_tuple_element %i[0] : (tuple<tensor<i32>, !stablehlo.token>) -> tensor<i32>
    %five = stablehlo.constant dense<5> : tensor<i32>
    %p = stablehlo.compare LT, %j, %five : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %p : tensor<i1>
  }, {
  ^bb0(%s: tuple<tensor<2xf32>, tuple<tensor<i32>, !stablehlo.token>>, %q: !stablehlo.token):
    %n = func.call @step(%s) : (tuple<tensor<2xf32>, tuple<tensor<i32>, !stablehlo.token>>) -> tuple<tensor<2xf32>, tuple<tensor<i32>, !stablehlo.token>>
    %qq = stablehlo.after_all %q, %q : !stablehlo.token
    stablehlo.return %n, %qq : tuple<tensor<2xf32>, tuple<tensor<i32>, !stablehlo.token>>, !stablehlo.token
  }) : (tuple<tensor<2xf32>, tuple<tensor<i32>, !stablehlo.token>>, !stablehlo.token) -> (tuple<tensor<2xf32>, tuple<tensor<i32>, !stablehlo.token>>, !stablehlo.token)
  %x = stablehlo.get_tuple_element %w#0[0] : (tuple<tensor<2xf32>, tuple<tensor<i32>, !stablehlo.token>>) -> tensor<2xf32>
  %i = stablehlo.get_tuple_element %w#0[1] : (tuple<tensor<2xf32>, tuple<tensor<i32>, !stablehlo.token>>) -> tuple<tensor<i32>, !stablehlo.token>
  %j = stablehlo.get_tuple_element %i[0] : (tuple<tensor<i32>, !stablehlo.token>) -> tensor<i32>
  %r:2 = "stablehlo.case"(%j) ({
    %a = stablehlo.tuple %x, %j : tuple<tensor<2xf32>, tensor<i32>>
    stablehlo.return %a, %w#1 : tuple<tensor<2xf32>, tensor<i32>>, !stablehlo.token
  }, {
    %y = stablehlo.negate %x : tensor<2xf32>
    %a = stablehlo.tuple %y, %j : tuple<tensor<2xf32>, tensor<i32>>
    stablehlo.return %a, %w#1 : tuple<tensor<2xf32>, tensor<i32>>, !stablehlo.token
  }) : (tensor<i32>) -> (tuple<tensor<2xf32>, tensor<i32>>, !stablehlo.token)
  %b = stablehlo.optimization_barrier %r#0 : tuple<tensor<2xf32>, tensor<i32>>
  return %b, %r#1 : tuple<tensor<2xf32>, tensor<i32>>, !stablehlo.token
}
func.func private @step(%s: tuple<tensor<2xf32>, tuple<tensor<i32>, !stablehlo.token>>) -> tuple<tensor<2xf32>, tuple<tensor<i32>, !stablehlo.token>> {
  %x = stablehlo.get_tuple_element %s[0] : (tuple<tensor<2xf32>, tuple<tensor<i32>, !stablehlo.token>>) -> tensor<2xf32>
  %i = stablehlo.get_tuple_element %s[1] : (tuple<tensor<2xf32>, tuple<tensor<i32>, !stablehlo.token>>) -> tuple<tensor<i32>, !stablehlo.token>
  %j = stablehlo.get_tuple_element %i[0] : (tuple<tensor<i32>, !stablehlo.token>) -> tensor<i32>
  %k = stablehlo.get_tuple_element %i[1] : (tuple<tensor<i32>, !stablehlo.token>) -> !stablehlo.token
  %one = stablehlo.constant dense<1> : tensor<i32>
  %jj = stablehlo.add %j, %one : tensor<i32>
  %xx = stablehlo.add %x, %x : tensor<2xf32>
  %ii = stablehlo.tuple %jj, %k : tuple<tensor<i32>, !stablehlo.token>
  %n = stablehlo.tuple %xx, %ii : tuple<tensor<2xf32>, tuple<tensor<i32>, !stablehlo.token>>
  return %n : tuple<tensor<2xf32>, tuple<tensor<i32>, !stablehlo.token>>
}
"""


def test_tuples_and_tokens_are_taken_apart_at_every_boundary() -> None:
    program = Program(hlo2tiny.parse(NESTED), "CPU")
    assert [i.shape for i in program.inputs] == [(2,), ()]
    assert [o.shape for o in program.outputs] == [(2,), ()]
    a, b = program.numpy(np.array([1, -2], np.float32), np.array(2, np.int32))
    assert (a.tolist(), b) == ([-8, 16], 5)
    a, b = program.numpy(np.array([1, -2], np.float32), np.array(0, np.int32))
    assert (a.tolist(), b) == ([-32, 64], 5)


@pytest.mark.parametrize("line", ["%a", "%b"])
def test_a_tuple_argument_keeps_its_place_among_others(line: str) -> None:
    text = f"""
    func.func @main(%k: !stablehlo.token, %t: tuple<>, %a: tensor<i32>, %b: tensor<i32>) -> tensor<i32> {{
      return {line} : tensor<i32>
    }}"""
    assert run(text, np.int32(1), np.int32(2)) == (1 if line == "%a" else 2,)


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ('%p = "stablehlo.tuple"(%x) : (tensor<i32>) -> tuple<tensor<f32>>', "expected tuple<tensor<i32>> .C1."),
        ('%p = "stablehlo.tuple"(%x) : (tensor<i32>) -> tensor<i32>', "expected tuple<tensor<i32>> .C1."),
        (
            '%p = "stablehlo.get_tuple_element"(%t) <{index = 1 : i32}> : (tuple<tensor<i32>>) -> tensor<i32>',
            "index is 1, expected 0 to 0 .C1.",
        ),
        (
            '%p = "stablehlo.get_tuple_element"(%t) <{index = -1 : i32}> : (tuple<tensor<i32>>) -> tensor<i32>',
            "index is -1, expected 0 to 0 .C1.",
        ),
        ('%p = "stablehlo.get_tuple_element"(%t) <{index = 0 : i32}> : (tuple<tensor<i32>>) -> tensor<f32>', "C2"),
        ('%p = "stablehlo.get_tuple_element"(%t) : (tuple<tensor<i32>>) -> tensor<i32>', "lacks the attribute 'index'"),
        (
            '%p = "stablehlo.get_tuple_element"(%x) <{index = 0 : i32}> : (tensor<i32>) -> tensor<i32>',
            "expected a tuple",
        ),
        ('%p = "stablehlo.create_token"(%x) : (tensor<i32>) -> !stablehlo.token', "has 1 operand, expected 0"),
        ('%p = "stablehlo.create_token"() : () -> tensor<i32>', "is tensor<i32>, expected !stablehlo.token"),
        (
            '%p = "stablehlo.after_all"(%x) : (tensor<i32>) -> !stablehlo.token',
            "is tensor<i32>, expected !stablehlo.token",
        ),
        (
            '%p = "shape.assuming_all"(%x) : (tensor<i32>) -> !shape.witness',
            "must take witnesses and have one witness as its result",
        ),
        (
            '%p = "shape.const_witness"() <{passing = true}> : () -> i1',
            "must take witnesses and have one witness as its result",
        ),
        ("%p = shape.const_witness false", "is a constraint that never holds"),
        (
            '%p = "shape.cstr_require"(%q) <{msg = ""}> : (tensor<i1>) -> i1',
            "must have one result, of type !shape.witness",
        ),
    ],
)
def test_wrong_tuples_and_tokens_are_errors(line: str, message: str) -> None:
    with pytest.raises(hlo2tiny.VerifyError, match=message) as raised:
        Program(
            hlo2tiny.parse(
                f"func.func @main(%x: tensor<i32>, %t: tuple<tensor<i32>>, %q: tensor<i1>) {{\n  {line}\n  return\n}}"
            )
        )
    assert raised.value.line == 2


# ---------------------------------------------------------------- regions that run once

MANUAL = """
sdy.mesh @mesh = <["x"=1, "y"=4]>
func.func @main(%n: tensor<i32>, %x: tensor<2xf32>) -> tensor<2xf32> {
  %r = sdy.manual_computation(%n, %x) in_shardings=[<@mesh, []>, <@mesh, [{"x"}]>] out_shardings=[<@mesh, [{"x"}]>] manual_axes={AXES} (%i: tensor<i32>, %a: tensor<2xf32>) {
    %w:2 = stablehlo.while(%j = %i, %b = %a) : tensor<i32>, tensor<2xf32> cond {
      %zero = stablehlo.constant dense<0> : tensor<i32>
      %p = stablehlo.compare GT, %j, %zero : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %p : tensor<i1>
    } do {
      %one = stablehlo.constant dense<1> : tensor<i32>
      %k = stablehlo.subtract %j, %one : tensor<i32>
      %d = sdy.named_computation<"double">(%b) (%c: tensor<2xf32>) {
        %e = stablehlo.add %c, %c : tensor<2xf32>
        sdy.return %e : tensor<2xf32>
      } : (tensor<2xf32>) -> tensor<2xf32>
      stablehlo.return %k, %d : tensor<i32>, tensor<2xf32>
    }
    %s = "stablehlo.all_reduce"(%w#1) ({
    ^bb0(%f: tensor<f32>, %g: tensor<f32>):
      %h = stablehlo.add %f, %g : tensor<f32>
      stablehlo.return %h : tensor<f32>
    }) {replica_groups = dense<0> : tensor<1x1xi64>, channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, use_global_device_ids} : (tensor<2xf32>) -> tensor<2xf32>
    sdy.return %s : tensor<2xf32>
  } : (tensor<i32>, tensor<2xf32>) -> tensor<2xf32>
  return %r : tensor<2xf32>
}
"""


@pytest.mark.parametrize("axes", ["{}", '{"x"}'])
def test_a_computation_for_one_device_runs_its_body(axes: str) -> None:
    x = np.array([1, -2], np.float32)
    for n in (0, 3):
        np.testing.assert_array_equal(run(MANUAL.replace("{AXES}", axes), np.int32(n), x)[0], x * 2**n)


@pytest.mark.parametrize("mesh", ["@mesh", '<["x"=2, "y"=4]>', 'mesh<["x"=2, "y"=4]>'])
def test_a_computation_for_several_devices_is_refused(mesh: str) -> None:
    text = MANUAL.replace('"x"=1', '"x"=2').replace("{AXES}", '{"x", "y"}').replace("@mesh, []", f"{mesh}, []")
    with pytest.raises(
        hlo2tiny.UnsupportedOp, match=r"is written for 8 devices, .* export the model with a mesh of one"
    ):
        Program(hlo2tiny.parse(text))


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("sdy.return %e : tensor<2xf32>", "sdy.return %c, %e : tensor<2xf32>, tensor<2xf32>", "does not return"),
        ("(%c: tensor<2xf32>) {", "(%c: tensor<2xf32>, %m: tensor<2xf32>) {", "do not have the operands' types"),
        ("sdy.return %e : tensor<2xf32>", "", "the body does not return the results' types"),
    ],
)
def test_wrong_regions_that_run_once_are_errors(old: str, new: str, message: str) -> None:
    assert old in MANUAL
    with pytest.raises(hlo2tiny.VerifyError, match=f"sdy.named_computation: .*{message}"):
        Program(hlo2tiny.parse(MANUAL.replace("{AXES}", "{}").replace(old, new)))


def test_shape_assuming_sees_what_is_outside() -> None:
    text = """
    func.func @main(%x: tensor<2xf32>) -> (tensor<2xf32>, tensor<2xf32>) {
      %w = shape.const_witness true
      %y:2 = shape.assuming %w -> (tensor<2xf32>, tensor<2xf32>) {
        %z = stablehlo.negate %x : tensor<2xf32>
        shape.assuming_yield %x, %z : tensor<2xf32>, tensor<2xf32>
      }
      return %y#0, %y#1 : tensor<2xf32>, tensor<2xf32>
    }"""
    x = np.array([1, -2], np.float32)
    a, b = run(text, x)
    np.testing.assert_array_equal(a, x)
    np.testing.assert_array_equal(b, -x)


# ---------------------------------------------------------------- what chooses

BRANCHES = """%r = "stablehlo.{op}"(%i) ({{
      %d = stablehlo.add %x, %x : tensor<2xf32>
      stablehlo.return %d : tensor<2xf32>
    }}, {{
      stablehlo.return %x : tensor<2xf32>
    }}) : (tensor<{element}>) -> tensor<2xf32>"""
# Where a choice may stand, each with {} for the choice, of which the result is %r.
PLACES = {
    "main": "{}\n    return %r : tensor<2xf32>",
    "branch": """%p = stablehlo.constant dense<true> : tensor<i1>
    %q = "stablehlo.if"(%p) ({{
      {}
      stablehlo.return %r : tensor<2xf32>
    }}, {{
      stablehlo.return %x : tensor<2xf32>
    }}) : (tensor<i1>) -> tensor<2xf32>
    return %q : tensor<2xf32>""",
    "loop": """%n = stablehlo.constant dense<0> : tensor<i32>
    %q:2 = stablehlo.while(%a = %n, %b = %x) : tensor<i32>, tensor<2xf32>
    cond {{
      %k = stablehlo.constant dense<3> : tensor<i32>
      %c = stablehlo.compare LT, %a, %k : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %c : tensor<i1>
    }} do {{
      %one = stablehlo.constant dense<1> : tensor<i32>
      %e = stablehlo.add %a, %one : tensor<i32>
      {}
      stablehlo.return %e, %r : tensor<i32>, tensor<2xf32>
    }}
    return %q#1 : tensor<2xf32>""",
    "function": "%q = call @f(%i, %x) : (tensor<ELEMENT>, tensor<2xf32>) -> tensor<2xf32>\n    return %q : tensor<2xf32>",
}


def choosing(op: str, element: str, place: str) -> str:
    choice = BRANCHES.format(op=op, element=element)
    signature = f"(%i: tensor<{element}>, %x: tensor<2xf32>) -> tensor<2xf32>"
    text = f"func.func @main{signature} {{\n    {PLACES[place].replace('ELEMENT', element).format(choice)}\n}}"
    return text + f"\nfunc.func private @f{signature} {{\n    {PLACES['main'].format(choice)}\n}}"


@pytest.mark.parametrize("place", PLACES)
def test_what_chooses_is_of_the_one_type_that_the_code_reads(
    place: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("HLO2TINY_CACHE", "on")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    for op, name, expected in (("case", "index", "i32"), ("if", "pred", "i1")):
        for element in ("i1", "i8", "i16", "i32", "i64", "ui8", "ui16", "ui32", "ui64", "i4", "f32"):
            text = choosing(op, element, place)
            path = tmp_path / f"{op}{element}.mlir"
            path.write_text(text)
            if element == expected:
                hlo2tiny.load(path, "CPU")
                continue
            message = f"stablehlo.{op}: {name} is tensor<{element}>, expected tensor<{expected}> \\(I1\\)"
            for load in (lambda: hlo2tiny.load(path, "CPU"), lambda: Program(hlo2tiny.parse(text), "CPU")):
                for _ in range(2):  # a file that was refused is not in the cache
                    with pytest.raises(hlo2tiny.VerifyError, match=message):
                        load()


@pytest.mark.parametrize("index", [0, 1, 2, -1, 2**31 - 1, -(2**31), 2**16, 256])
def test_any_index_chooses_a_branch(index: int) -> None:
    x = np.array([1, -2], np.float32)
    (found,) = hlo2tiny.load(choosing("case", "i32", "main"), "CPU").numpy(np.int32(index), x)
    np.testing.assert_array_equal(found, 2 * x if index == 0 else x)
