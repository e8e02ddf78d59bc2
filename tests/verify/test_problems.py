"""Well-formed modules that cannot run: every problem is listed, with its location, before anything runs."""

from __future__ import annotations

import numpy as np
import pytest

import hlo2tiny


def problem(text: str, kind: type[hlo2tiny.Error] = hlo2tiny.VerifyError) -> str:
    with pytest.raises(kind) as caught:
        hlo2tiny.load(text, device="CPU").compile()
    return str(caught.value)


def test_all_missing_rules_are_listed_together() -> None:
    text = """func.func @main(%x: tensor<4x4xf32>) -> tensor<4x4xf32> {
  %0 = "stablehlo.no_such_op"(%x) : (tensor<4x4xf32>) -> tensor<4x4xf32>
  %1 = "chlo.neither"(%0) : (tensor<4x4xf32>) -> tensor<4x4xf32> loc("layer1/odd")
  return %1 : tensor<4x4xf32>
}"""
    message = problem(text, hlo2tiny.UnsupportedOp)
    assert "2 problems" in message
    assert ":2:8: stablehlo.no_such_op: no rule for this op" in message
    assert ":3:8: chlo.neither: no rule for this op" in message
    assert "in the model: layer1/odd" in message


def test_what_lacks_its_elements_loads_not_but_prints() -> None:
    text = """func.func @main(%x: tensor<2xf32>) -> tensor<2xf32> {
  %0 = stablehlo.constant {a.b = dense_resource<c> : tensor<1xi8>} dense_resource<__elided__> : tensor<2xf32>
  %1 = stablehlo.add %x, %0 : tensor<2xf32>
  return %1 : tensor<2xf32>
}"""
    module = hlo2tiny.parse(text)
    assert "{a.b = dense_resource<c> : tensor<1xi8>, value = dense_resource<__elided__> : tensor<2xf32>}" in str(module)
    assert str(hlo2tiny.parse(str(module))) == str(module)
    expected = ":2:8: stablehlo.constant: the file does not contain the elements of dense_resource<__elided__>"
    assert expected in problem(text, hlo2tiny.UnsupportedOp)


UNCALLED = """func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {{
  return %x : tensor<4xf32>
}}
func.func private @uncalled(%x: tensor<4xf32>) -> tensor<4xf32> {{
  {}
  return %x : tensor<4xf32>
}}"""
INVALID = {
    '%0 = "stablehlo.add"(%x, %x) : (tensor<4xf32>, tensor<4xf32>) -> tensor<5xf32>': "stablehlo.add",
    '%0 = "stablehlo.transpose"(%x) : (tensor<4xf32>) -> tensor<4xf32>': "lacks the attribute 'permutation'",
    "%0 = call @absent(%x) : (tensor<4xf32>) -> tensor<4xf32>": "there is no function @absent",
    "return %x, %x : tensor<4xf32>, tensor<4xf32>": "",
    "func.return %y : tensor<4xf32>": "the value %y is not defined",
}


@pytest.mark.parametrize("line", INVALID)
def test_what_nothing_calls_is_valid(line: str) -> None:
    assert INVALID[line] in problem(UNCALLED.format(line))


def test_what_nothing_calls_need_not_be_supported() -> None:
    line = """%0 = "stablehlo.no_such_op"(%x) : (tensor<4xf32>) -> tensor<4xf32>
  %1 = "stablehlo.custom_call"(%x) {call_target_name = "unknown"} : (tensor<4xf32>) -> tensor<4xf32>
  %2 = stablehlo.constant dense_resource<__elided__> : tensor<2xf32>
  %3 = "stablehlo.while"(%x) : (tensor<4xf32>) -> tensor<4xf32>"""
    program = hlo2tiny.load(UNCALLED.format(line.rpartition("\n")[0]), "CPU")
    np.testing.assert_array_equal(program.numpy(np.ones(4, np.float32))[0], np.ones(4))
    assert "stablehlo.while" in problem(UNCALLED.format(line))


@pytest.mark.parametrize(
    ("body", "message"),
    [
        (
            '%0 = "stablehlo.negate"(%x, %x) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>',
            "has 2 operands, expected 1",
        ),
        ('%0 = "stablehlo.transpose"(%x) : (tensor<4xf32>) -> tensor<4xf32>', "lacks the attribute 'permutation'"),
        ('%0 = "stablehlo.reshape"(%x) : (tensor<4xf32>) -> tensor<5xf32>', "stablehlo.reshape: "),
        (
            '%0 = "stablehlo.negate"(%x) : (tensor<4xf32>) -> tensor<4xf64>',
            "stablehlo.negate: the result has elements of f32, but its declared type is tensor<4xf64>",
        ),
        ("%0 = call @absent(%x) : (tensor<4xf32>) -> tensor<4xf32>", "there is no function @absent"),
        ("%0 = call @main(%x) : (tensor<4xf32>) -> tensor<4xf32>", "calls itself"),
    ],
)
def test_ops_that_break_a_rule(body: str, message: str) -> None:
    result = body.rpartition("-> ")[2]
    text = f"func.func @main(%x: tensor<4xf32>) -> {result} {{\n  {body}\n  return %0 : {result}\n}}"
    found = problem(text)
    assert message in found
    assert ":2:" in found.splitlines()[0]


def test_unranked_tensors_are_refused() -> None:
    text = """func.func @main(%x: tensor<*xf32>) -> tensor<*xf32> {
  %0 = stablehlo.negate %x : tensor<*xf32>
  return %0 : tensor<*xf32>
}"""
    assert "values of type tensor<*xf32> are not tensors" in problem(text, hlo2tiny.UnsupportedOp)


def test_a_module_without_an_entry() -> None:
    assert "no function with a body" in problem("func.func private @main(tensor<f32>) -> tensor<f32>\n")
    two = "\n".join(f"func.func @{n}(%x: tensor<f32>) -> tensor<f32> {{ return %x : tensor<f32> }}" for n in "ab")
    message = problem(two)
    assert "2 functions could be the entry" in message and "entry=" in message and "--entry NAME" in message
    assert "\n  @a" in message and "\n  @b" in message


def test_the_only_public_function_is_the_entry() -> None:
    text = """func.func private @f(%x: tensor<f32>) -> tensor<f32> { return %x : tensor<f32> }
func.func public @g(%x: tensor<f32>) -> tensor<f32> {
  %0 = call @f(%x) : (tensor<f32>) -> tensor<f32>
  return %0 : tensor<f32>
}"""
    assert hlo2tiny.load(text, device="CPU").numpy(np.float32(3))[0] == 3


def test_functions_that_call_each_other_many_times_stay_small() -> None:
    """Each of 40 functions calls the next twice: inlined, that would be 2**40 ops."""
    lines = ["func.func private @f0(%x: tensor<f32>) -> tensor<f32> {", "return %x : tensor<f32>", "}"]
    for n in range(1, 41):
        lines += [
            f"func.func private @f{n}(%x: tensor<f32>) -> tensor<f32> {{",
            f"  %0 = call @f{n - 1}(%x) : (tensor<f32>) -> tensor<f32>",
            f"  %1 = call @f{n - 1}(%x) : (tensor<f32>) -> tensor<f32>",
            "  return %1 : tensor<f32>",
            "}",
        ]
    lines += [
        "func.func @main(%x: tensor<f32>) -> tensor<f32> {",
        "  %0 = call @f8(%x) : (tensor<f32>) -> tensor<f32>",
        "  %1 = stablehlo.negate %0 : tensor<f32>",
        "  return %1 : tensor<f32>",
        "}",
    ]
    text = "\n".join(lines)
    assert hlo2tiny.load(text, device="CPU").numpy(np.float32(2))[0] == -2
    head, tail = text.split("func.func @main")
    hlo2tiny.load(head + "func.func @main" + tail.replace("@f8(", "@f40("), device="CPU")


def test_a_terminator_before_the_end_is_refused() -> None:
    text = """func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
  "stablehlo.return"(%x) : (tensor<4xf32>) -> ()
  return %x : tensor<4xf32>
}"""
    assert ":2:3: stablehlo.return: must be the last op of its region" in problem(text)


def test_control_flow_in_a_body_is_refused_at_load() -> None:
    text = """func.func @main(%x: tensor<4xf32>, %z: tensor<f32>) -> tensor<f32> {
  %0 = "stablehlo.reduce"(%x, %z) <{dimensions = array<i64: 0>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %p = stablehlo.compare GT, %a, %b : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %s = "stablehlo.if"(%p) ({ "stablehlo.return"(%a) : (tensor<f32>) -> () }, {
      "stablehlo.return"(%b) : (tensor<f32>) -> ()
    }) : (tensor<i1>) -> tensor<f32>
    "stablehlo.return"(%s) : (tensor<f32>) -> ()
  }) : (tensor<4xf32>, tensor<f32>) -> tensor<f32>
  return %0 : tensor<f32>
}"""
    found = problem(text, hlo2tiny.UnsupportedOp)
    assert ":5:10: stablehlo.if: control flow is not supported in a region of stablehlo.reduce" in found


MODULE = """func.func @main(%x: tensor<2xf32>) -> tensor<2xf32> {{
  {}
  "{}"(%x) : (tensor<2xf32>) -> ()
}}"""


@pytest.mark.parametrize(
    ("line", "end", "words"),
    [
        (
            "",
            "shape.assuming_yield",
            "3:3: shape.assuming_yield: ends a region of func.func, expected one of shape",
        ),
        (
            '"stablehlo.all_reduce"(%x) <{replica_groups = dense<0> : tensor<1x1xi64>}> ({ ^bb0(%a: tensor<f32>,'
            " %b: tensor<f32>): return %a : tensor<f32> }) : (tensor<2xf32>) -> tensor<2xf32>",
            "func.return",
            "func.return: ends a region of stablehlo.all_reduce, expected one of func.func",
        ),
        (
            '"stablehlo.all_gather"(%x) <{replica_groups = dense<-1> : tensor<1x1xi64>, all_gather_dim = 0 : i64}>'
            " : (tensor<2xf32>) -> tensor<2xf32>",
            "func.return",
            "stablehlo.all_gather: the attribute 'replica_groups' is not .*: a group names no process",
        ),
        (
            "%i = arith.constant 1.0 : f32"
            ' "stablehlo.custom_call"(%i) <{call_target_name = "Sharding"}> : (f32) -> f32',
            "func.return",
            "stablehlo.custom_call: operand 0 is f32, expected a tensor of numbers",
        ),
        (
            '%i = arith.constant true\n"cf.assert"(%i) <{msg = 1 : i32}> : (i1) -> ()',
            "func.return",
            "cf.assert: msg is 1 : i32, expected a string",
        ),
        (
            '%y = "other.op"() : () -> tensor<!stablehlo.token>\n'
            '"stablehlo.custom_call"(%y) <{call_target_name = "f"}> : (tensor<!stablehlo.token>) -> ()',
            "func.return",
            "stablehlo.custom_call: operand 0 is tensor<!stablehlo.token>, expected elements",
        ),
        (
            '%i = sdy.named_computation<"g">(%x) (%a: tensor<2xf32>) { sdy.return %x : tensor<2xf32> }'
            " : (tensor<2xf32>) -> tensor<2xf32>",
            "func.return",
            "sdy.named_computation: its region reads %x, which is defined outside of it",
        ),
        (
            '"stablehlo.custom_call"() <{call_target_name = "Sharding"}> : () -> tensor<2xindex>',
            "func.return",
            "stablehlo.custom_call: result 0 is tensor<2xindex>, expected a tensor of numbers",
        ),
    ],
)
def test_what_mlir_refuses(line: str, end: str, words: str) -> None:
    with pytest.raises(hlo2tiny.VerifyError, match=words):
        hlo2tiny.load(MODULE.format(line, end), "CPU")


@pytest.mark.parametrize(
    ("before", "after", "words"),
    [
        ("}) : ()", "}, {}) : ()", r"func.func @main: has 2 regions, expected one"),
        ('"main"', '"main", sym_visibility = "k"', 'sym_visibility is "?k.*expected public, private or nested'),
        ('"main"', '"main", sym_visibility = 1', "sym_visibility is 1.*expected public, private or nested"),
    ],
)
def test_what_a_function_is(before: str, after: str, words: str) -> None:
    text = '"func.func"() <{sym_name = "main", function_type = () -> ()}> ({ "func.return"() : () -> () }) : () -> ()'
    hlo2tiny.load(text, "CPU")
    with pytest.raises(hlo2tiny.VerifyError, match=words):
        hlo2tiny.load(text.replace(before, after, 1), "CPU")


@pytest.mark.parametrize(
    ("symbol", "words"),
    [
        ("func.func @f(tensor<2xf32>)", "func.func @f: is only declared, and so must be private"),
        ('sdy.mesh @m = <["x"=0]>', "sdy.mesh: a mesh of x of size 0: .* their sizes be positive"),
        ('sdy.mesh @m = <["x"=2, "x"=2]>', "sdy.mesh: .* the names of axes must differ"),
        ('"arith.constant"() <{value = 1 : i32}> : () -> ()', "arith.constant: has 0 results, expected 1"),
        ('"builtin.module"() ({ ^bb0(%a: i32): }) : () -> ()', "builtin.module: its region has arguments"),
        ('"builtin.module"() : () -> ()', "builtin.module: has 0 regions, expected one"),
        ('"builtin.module"() ({}, {}) : () -> ()', "builtin.module: has 2 regions, expected one"),
    ],
)
def test_what_stands_beside_functions_is_valid(symbol: str, words: str) -> None:
    main = "func.func @main(%x: tensor<2xf32>) -> tensor<2xf32> { return %x : tensor<2xf32> }"
    hlo2tiny.load(
        f'{main}\nfunc.func private @f(tensor<2xf32>)\nsdy.mesh @m = <["x"=2]>\n"other.op"() : () -> ()', "CPU"
    )
    with pytest.raises(hlo2tiny.VerifyError, match=words):
        hlo2tiny.load(f"{main}\n{symbol}", "CPU")


@pytest.mark.parametrize(("regions", "count"), [("", 0), ("({ func.func @main() { return } }, {})", 2)])
def test_a_module_has_one_region(regions: str, count: int) -> None:
    text = f'"builtin.module"() {regions} : () -> ()\n'
    with pytest.raises(hlo2tiny.VerifyError, match=f"builtin.module: has {count} regions, expected one"):
        hlo2tiny.load(text, "CPU")


def test_the_name_of_a_module_is_a_string() -> None:
    text = """"builtin.module"() <{sym_name = 1}> ({
  func.func @main() { return }
}) : () -> ()"""
    with pytest.raises(hlo2tiny.VerifyError, match="sym_name is 1 : i64, expected a string"):
        hlo2tiny.load(text, "CPU")
