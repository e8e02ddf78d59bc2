"""Errors in a file have a location and plain words, and are never Lark's or Python's own."""

# ruff: noqa: E501 (rows of tables)

from __future__ import annotations

import random
import re
import textwrap
import time
from pathlib import Path

import pytest

from hlo2tiny.errors import Error, InputError, ParseError, VerifyError
from hlo2tiny.syntax.parser import parse

CORPUS = Path(__file__).parents[2] / "corpus"
FUNCTION = """\
module {{
  func.func @main(%a: tensor<4xf32>, %b: tensor<3xf32>) -> tensor<4xf32> {{
    {line}
    return %a : tensor<4xf32>
  }}
}}
"""


# One line of a function | the kind | column | the message.
@pytest.mark.parametrize(
    ("line", "kind", "column", "message"),
    [
        ("%0 = stablehlo.add %a, %b : tensor<4xf32>", VerifyError, 10, "stablehlo.add: operand 2, %b, is tensor<3xf32>, expected tensor<4xf32>"),
        ("%0 = stablehlo.add %a %a : tensor<4xf32>", ParseError, 27, "unexpected %a; expected ',', ':', '<…>', '[', '{', a clause such as 'dims = ' …"),
        ("%0 = stablehlo.add %a, %aa : tensor<4xf32>", VerifyError, 28, "the value %aa is not defined before its use; did you mean %a?"),
        ("%0 = stablehlo.add %a#1, %a : tensor<4xf32>", VerifyError, 24, "the value %a#1 is not defined: %a has fewer results"),
        ("%0 = stablehlo.add %a, %a : tensor<4xq32>", ParseError, 42, "unexpected q32; expected '!quant.uniform', 'complex', a type alias, an element type"),
        ("%0 = stablehlo.add(%a, %a) : tensor<4xf32>", ParseError, 10, "stablehlo.add: takes its operands without parentheses; the generic form needs the name in quotes"),
        ("%0 = stablehlo.transpose %a, dim = [0] : (tensor<4xf32>) -> tensor<4xf32>", ParseError, 34, "stablehlo.transpose: takes no 'dim ='; it takes dims"),
        ("%0 = stablehlo.transpose %a, dims = [x] : (tensor<4xf32>) -> tensor<4xf32>", ParseError, 34, "stablehlo.transpose: 'dims =': expected a list of integers, found [x]"),
        ("%0 = stablehlo.slice %a [0:2:3:4] : (tensor<4xf32>) -> tensor<f32>", ParseError, 29, "stablehlo.slice: expected start:limit or start:limit:stride for each dimension"),
        ("%0 = stablehlo.convolution(%a, %a) dim_numbers = [b, 0, f]x[0, i, i]->[b, 0, f], window = {} : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>", ParseError, 40, "stablehlo.convolution: 'dim_numbers =': [0, i, i] needs each of i, o and 0, 1, … once"),
        ("%0 = stablehlo.constant dense<[1.0, 2.0]> : tensor<3xf32>", ParseError, 29, "the list does not have the type's shape 3: it has 2 elements, but the type has 3"),
        ("%0 = stablehlo.constant dense<[1.0, 2.0 : tensor<3xf32>", ParseError, 29, "this dense<…> is not closed, or holds something other than numbers in brackets"),
        ("%0 = stablehlo.constant dense<1> : tensor<4xf32>", ParseError, 29, "found 1, expected a floating-point number with a point; write 1.0"),
        ("%0 = stablehlo.constant dense<[1.0, -1e40]> : tensor<2xf64>", ParseError, 29, "found -1e40, expected a floating-point number with a point; write -1.0e40"),
        ("%0 = stablehlo.constant dense<[0x7F800000, .5]> : tensor<2xf32>", ParseError, 29, "found .5, expected a floating-point number with a point, such as 1.0, -2.5e-3 or 0x7F800000"),
        ('%0 = "x"() {a = 1 : f32} : () -> i32', ParseError, 21, "found 1, expected a floating-point number with a point; write 1.0"),
        ('%0 = "x"() {a = array<i4: 1>} : () -> i32', ParseError, 21, "array<i4: …> needs elements of whole bytes, or i1"),
        ("%0 = stablehlo.abs %a : tensor<4xf32> loc(#nope)", ParseError, 47, "the location #nope is not defined; define it as #nope = loc(…), before other locations that name it"),
        ("%0 = stablehlo.abs %a : tensor<4xf32> loc(fused[#nope])", ParseError, 47, "the location #nope is not defined; define it as #nope = loc(…), before other locations that name it"),
        ("%0 = stablehlo.abs %a : tensor<4xf32> loc(foo)", ParseError, 47, "unexpected foo; expected 'callsite', 'fused', 'unknown', a string, an attribute"),
        ('%0 = stablehlo.abs %a : tensor<4xf32> loc("a":1:99999999999)', ParseError, 53, "found 99999999999, expected a line or a column: a number of up to 32 bits"),
        ("%0 = stablehlo.constant dense<[1.0, x]> : tensor<2xf32>", ParseError, 29, "found x, expected a floating-point number with a point, such as 1.0, -2.5e-3 or 0x7F800000"),
        ("%0 = stablehlo.constant dense<[1.0, , 3.0]> : tensor<3xf32>", ParseError, 29, "an element is missing before or after a comma"),
        ("%0 = stablehlo.constant dense<[[1, 2], [, 4]]> : tensor<2x2xi32>", ParseError, 29, "an element is missing before or after a comma"),
        ("%0 = stablehlo.constant dense<[1, ]> : tensor<2xi32>", ParseError, 29, "an element is missing before or after a comma"),
        ("%0 = stablehlo.constant dense<[1, 2 2]> : tensor<2xi32>", ParseError, 29, "not every element is a valid i32 number"),
        ("%0 = stablehlo.constant dense<1> : none", ParseError, 10, "stablehlo.constant: expected a typed value such as dense<1> : tensor<2xi32>"),
        ("%0 = stablehlo.constant dense<300> : tensor<i8>", ParseError, 29, "300 does not fit in i8"),
        ('%0 = stablehlo.constant dense<"0x00"> : tensor<3xf32>', ParseError, 29, "the payload has 1 bytes, but its type needs 12"),
        ('%0 = stablehlo.constant dense<"0xZZ"> : tensor<3xf32>', ParseError, 29, "a hexadecimal string holds something other than hexadecimal digits"),
        ("%0 = stablehlo.constant sparse<[[4]], 1.0> : tensor<4xf32>", ParseError, 29, "an index of sparse<…> is outside the type's shape"),
        ("%0 = stablehlo.constant sparse<[[0, 1]], 1.0> : tensor<4xf32>", ParseError, 29, "sparse<…> has 2 indices, expected 1 for each of 1 elements"),
        ("%0 = stablehlo.constant sparse<[[0], [1]]> : tensor<4xf32>", ParseError, 29, "sparse<…> needs indices and values"),
        ("%0 = stablehlo.add %a, %a overflow<nsw> : tensor<4xf32>", ParseError, 31, "stablehlo.add: takes no 'overflow<nsw>'"),
        ('%0 = sdy.reshard {"x"} %a out_sharding=<@mesh, [{}]> : tensor<4xf32>', ParseError, 22, 'sdy.reshard: expected an operand, found {"x"}'),
        ("%0 = sdy.data_flow_edge %a sharding=[x] : tensor<4xf32>", ParseError, 32, "sdy.data_flow_edge: 'sharding =': expected <@mesh, […]>, found [x]"),
        ("%0 = tensor.dim [1, 2] : tensor<4xf32>", ParseError, 21, "tensor.dim: expected an operand, found [1, 2]"),
        ("%0 = tensor.extract %a[0] : tensor<4xf32>", ParseError, 27, "tensor.extract: takes no index in brackets"),
        ("%0 = shape.const_witness 2.5", ParseError, 30, "shape.const_witness: expected true or false, found 2.5"),
        ("%0 = shape.const_size 2.5", ParseError, 27, "shape.const_size: expected an integer, found 2.5"),
        ("%0 = shape.const_size true", ParseError, 27, "shape.const_size: expected an integer, found true"),
        ("%0 = shape.const_size %a", ParseError, 10, "shape.const_size: takes no operands"),
        ('%0 = "stablehlo.add"(%a, %a) : (tensor<4xf32>) -> tensor<4xf32>', VerifyError, 10, "stablehlo.add: has 2 operands, but 1 operand types"),
        ('%0 = "x"(%a, %a) : (tensor<4xf32>, tensor<4xf32) -> tensor<4xf32>', ParseError, 52, "unexpected ); expected ',', '>'"),
        ('%0 = "x"(%a, %a) : (tensor<4xf32>, tensor<4xf32>) tensor<4xf32>', ParseError, 55, "unexpected tensor; expected '->'"),
        ("%0, %1 = stablehlo.add %a, %a : tensor<4xf32>", VerifyError, 5, "stablehlo.add: names 2 results, but the op has 1"),
        ("%a = stablehlo.add %a, %a : tensor<4xf32>", VerifyError, 5, "the value %a is already defined"),
        ('"cf.br"(%a)[^bb1] : (tensor<4xf32>) -> ()', VerifyError, 17, "cf.br: there is no block ^bb1 in this region"),
        ('%0 = "x(%a) : () -> ()', ParseError, 10, "this string has no closing quote"),
        ('%0 = "x"() {a = #foo} : () -> i32', ParseError, 21, "the alias #foo is not defined"),
        ('%0 = "x"() {a = 1, a = 2} : () -> i32', ParseError, 24, "the attribute 'a' is given twice"),
        ('%0 = "x"() {a = } : () -> i32', ParseError, 21, "unexpected }; expected an attribute"),
        ('%0 = "x"() {a = 1.5 : i32} : () -> i32', ParseError, 21, "a floating-point number cannot have the type i32"),
        ('%0 = "x"() {a = 300 : i8} : () -> i32', ParseError, 21, "300 does not fit in i8"),
        ('%0 = "x"() {a = array<i64: q>} : () -> i32', ParseError, 21, "this array<i64: …> holds a value that is not of type i64: found q, expected an integer"),
        (r'%0 = "x"() {a = "\q"} : () -> i32', ParseError, 21, r'a string holds the unknown escape \q; \n \t \" \\ and two hexadecimal digits are allowed'),
        ('%0 = "x"() {a = #stablehlo.dot<lhs = [1]>} : () -> i32', ParseError, 21, "#stablehlo.dot has no field 'lhs'; it has lhs_batching_dimensions, rhs_batching_dimensions, lhs_contracting_dimensions, rhs_contracting_dimensions"),
        ('%0 = "x"() {a = #stablehlo.gather<offset_dims = 1>} : () -> i32', ParseError, 21, "the field 'offset_dims' of #stablehlo.gather must be of type list"),
        ("%0 = stablehlo.iota dim = 0 : tensor<2x9223372036854775808xi32>", ParseError, 42, "tensor<2x9223372036854775808x…> has a dimension of 2⁶³ or more elements"),
        ("%0 = stablehlo.iota dim = 0 : !foo", ParseError, 35, "the type alias !foo is not defined"),
        ("linalg.fill ins(%a : f32)", ParseError, 17, "unexpected ins; expected '(', ':', '<…>', '=', '[', 'loc' …; linalg.fill is not supported, as ops of the linalg dialect do not run: export the program as StableHLO; to read this file all the same, print it with --mlir-print-op-generic"),
        ("return %b : tensor<4xf32>", VerifyError, 5, "func.return: operand 1, %b, is tensor<3xf32>, expected tensor<4xf32>"),
    ],
)  # fmt: skip
def test_places_and_messages(line, kind, column, message):
    text = FUNCTION.format(line=line)
    with pytest.raises(Error) as caught:
        parse(text)
    error = caught.value
    assert (type(error), error.line, error.column) == (kind, 3, column)
    assert error.message == message or (message.endswith("print it with --mlir-print-op-generic") and error.message.endswith(message.partition(" …")[2]))  # fmt: skip


@pytest.mark.parametrize(
    "line",
    [
        "%r = scf.for %i = %n to %n step %n iter_args(%c = %a) -> (tensor<4xf32>) {\n scf.yield %c : tensor<4xf32>\n}",
        "scf.for %i = %n to %n step %n {\n}",
        "scf.forall (%i) in (%n) {\n}",
        "scf.parallel (%i, %j) = (%n, %n) to (%n, %n) step (%n, %n) {\n scf.reduce\n}",
        "%r = scf.if %n -> (tensor<4xf32>) {\n scf.yield %a : tensor<4xf32>\n}",
        "%r = scf.while (%c = %a) : (tensor<4xf32>) -> tensor<4xf32> {\n scf.condition(%n) %c : tensor<4xf32>\n}",
        "scf.execute_region {\n scf.yield\n}",
        "affine.for %i = 0 to 10 {\n}",
        "affine.parallel (%i) = (0) to (10) {\n}",
        "%r = linalg.generic {iterator_types = []} ins(%a : tensor<4xf32>) outs(%a : tensor<4xf32>) {\n}",
        "linalg.map ins(%a : tensor<4xf32>) outs(%a : tensor<4xf32>) (%i: f32) {\n}",
        "gpu.launch blocks(%i, %j, %k) in (%l = %n, %m = %n, %o = %n) threads(%p, %q, %r) in (%s = %n) {\n}",
        "%t, %r = async.execute -> !async.value<tensor<4xf32>> {\n async.yield %a : tensor<4xf32>\n}",
        "%t = async.execute {\n async.yield\n}",
        "omp.parallel {\n omp.terminator\n}",
    ],
)
def test_ops_of_other_dialects_are_named(line: str) -> None:
    """Some of them define values in their own syntax."""
    dialect = re.search(r"(\w+)\.", line)[1]  # type: ignore[index]
    with pytest.raises(ParseError) as caught:
        parse(FUNCTION.format(line=line))
    # The body of a region without a head reads like attributes, so that the error is at its end.
    assert re.search(rf"{dialect}\.\w+ is not supported.*: export the program as StableHLO", caught.value.message)


def test_an_op_after_the_error_is_not_blamed() -> None:
    with pytest.raises(VerifyError, match="the value %i is not defined before its use") as caught:
        parse(FUNCTION.format(line="%0 = stablehlo.abs %i : tensor<4xf32>\n scf.for %j = %0 to %0 step %0 {\n}"))
    assert "scf" not in caught.value.message


def test_the_whole_message():
    with pytest.raises(VerifyError) as caught:
        parse(FUNCTION.format(line="%0 = stablehlo.add %a, %b : tensor<4xf32>"))
    assert str(caught.value) == textwrap.dedent(
        """\
        <text>:3:10: stablehlo.add: operand 2, %b, is tensor<3xf32>, expected tensor<4xf32>
          %0 = stablehlo.add %a, %b : tensor<4xf32>
               ^"""
    )


@pytest.mark.parametrize(
    ("text", "line", "column", "message"),
    [
        ("", 1, 1, "there is no module in this text: it is empty"),
        ("module {", 1, 9, "the text ends too early: is the file truncated?"),
        ("module {\n  func.func @f() {\n", 2, 19, "the text ends too early: is the file truncated?"),
        ("module {\n}\n}", 3, 1, "unexpected }"),
        ("module { func.func @f() { return } func.func @f() { return } }", 1, 46, "the function @f is defined twice"),
        ("#a = #b\n#b = #a\nmodule attributes {x = #a} {\n}", 1, 6, "the alias #b is defined in terms of itself"),
        ('#loc = loc("a")\n#loc = loc("b")\nmodule {\n}', 2, 1, "the alias #loc is defined twice"),
        ('#loc1 = loc("a"(#loc))\n#loc = loc("b")\nmodule {\n}', 1, 13, "the location #loc is not defined; define it as #loc"),
        ('#a = 5\n#loc = loc(#a)\nmodule {\n}', 2, 12, "#a is not a location; define it as #a = loc(…)"),
        ("func.func @f() {\n^bb0:\n  cf.br ^bb3\n^bb2:\n  return\n}", 3, 9, "cf.br: there is no block ^bb3 in this region; did you mean ^bb2?"),
        ("func.func @f() {\n^bb0:\n  return\n^bb0:\n  return\n}", 4, 1, "the block ^bb0 is already defined"),
        ("func.func @f() {\n  cf.br ^bb1\n^bb1:\n  return %x : f32\n}", 4, 10, "the value %x is not defined before its use"),
        ("func.func @f() {\n  cf.br ^bb1\n^bb1:\n  cf.br ^bb2(%x : f32)\n^bb2(%y: f32):\n  %x = arith.constant 1 : i32\n  return\n}", 4, 14, "%x is i32, but is used as f32"),
        ("func.func @f(%a: f32, %a: f32) {\n  return\n}", 1, 23, "the value %a is already defined"),
        ("func.func @f() {\n  %0 = \"x\"() ({\n    %1 = \"y\"() : () -> f32\n  }) : () -> f32\n  \"z\"(%1) : (f32) -> ()\n  return\n}", 5, 7, "the value %1 is not defined"),
        ('"func.func"() ({\n}) : () -> ()', 1, 1, "func.func: needs the attributes sym_name and function_type"),
    ],
)  # fmt: skip
def test_files(text, line, column, message):
    with pytest.raises(Error) as caught:
        parse(text)
    assert (caught.value.line, caught.value.column) == (line, column)
    assert caught.value.message.startswith(message)


@pytest.mark.parametrize(
    ("data", "cure"),
    [
        (b"ML\xefR\x0dStableHLO_v1.0.0\x00", "hlo2tiny.load reads it"),
        (b"<\x00\x00\x008\x00`\x00" * 10 + b"ML\xefR\r", "damaged"),
        (b"HloModule jit_f, entry_computation_layout={}\n", "as_text('stablehlo')"),
        (b"PK\x03\x04\x14\x00", "zip archive"),
        (b"\x08\x07\x12\x04onnx", "ONNX"),
        (b"\x1f\x8b\x08\x00", "compressed"),
        (b"\x93NUMPY\x01\x00", "numpy array"),
        ("module {\n}".encode("utf-16"), "UTF-16"),
        (b"<!DOCTYPE html>\n<html></html>", "HTML"),
        (b"version https://git-lfs.github.com/spec/v1\n", "git lfs pull"),
        (b"# a script\nimport jax\n", "jax.export"),
        (b'{"a": 1}', "JSON"),
        (b"module {\n  \xff\n}", "not UTF-8 text: byte 0xFF"),
        (b"module {\n  \x00\n}", "binary"),
    ],
)
def test_other_formats(data, cure):
    with pytest.raises(ParseError) as caught:
        parse(data)
    assert cure in caught.value.message and "\n" not in caught.value.message


def test_paths(tmp_path, monkeypatch):
    for path, message in ((tmp_path, "this is a directory"), (tmp_path / "no.mlir", "there is no such file")):
        with pytest.raises(InputError, match=message) as caught:
            parse(path)
        assert str(path) in str(caught.value)
    (tmp_path / "empty.mlir").touch()
    monkeypatch.chdir(tmp_path)
    (tmp_path / "module.mlir").write_text("module {}")
    assert not parse("module.mlir").functions
    with pytest.raises(ParseError, match="<text>"):
        parse("module.text")
    with pytest.raises(ParseError, match="empty"):
        parse(tmp_path / "empty.mlir")


DEEP = 10_000


@pytest.mark.parametrize(
    "text",
    [
        "module attributes {a = " + "[" * DEEP + "]" * DEEP + "} {\n}",
        "module attributes {a = " + "{a = " * DEEP + "\n",
        "module attributes {a = #foo.x" + "<" * DEEP + ">" * DEEP + "} {\n}",
        "module {\n" * DEEP + "}" * DEEP,
        FUNCTION.format(line='"x"() ({\n' * DEEP + "}) : () -> ()\n" * DEEP),
        FUNCTION.format(line='"x"() : () -> ' + "tuple<" * DEEP + "f32" + ">" * DEEP),
        FUNCTION.format(line='"x"() : () -> ' + "tuple<" * DEEP),
        FUNCTION.format(line='"x"() : ' + "(" * DEEP),
        FUNCTION.format(line='"x"() : () -> () loc(' + "callsite(" * DEEP + ")"),
        FUNCTION.format(line="%0 = stablehlo.constant dense<" + "[" * DEEP + "1" + "]" * DEEP + "> : tensor<1xi32>"),
        FUNCTION.format(line="%0 = stablehlo.constant dense<1> : tensor<" + "1x" * DEEP + "i32>"),
        FUNCTION.format(line="%0 = stablehlo.constant dense<1> : tensor<" + "9" * DEEP + "xi32>"),
        FUNCTION.format(line="%0 = stablehlo.constant dense<[1]> : tensor<999999999999xi32>"),
        FUNCTION.format(line='"' * DEEP),
        FUNCTION.format(line='"x"(' + "%a, " * DEEP),
        "module attributes {a = " + "1" * DEEP + "} {\n}",
        'module attributes {a = "' + "\\" * DEEP + "\n",
        "module attributes {a = #f<" + "->" * DEEP + "\n",
        "\n".join(f"#a{i} = #a{i + 1}" for i in range(DEEP)) + "\nmodule {\n}",
        "#a0 = 1\n" + "\n".join(f"#a{i + 1} = [#a{i}, #a{i}]" for i in range(100)) + "\nmodule {\n}",
        "!a0 = f32\n" + "\n".join(f"!a{i + 1} = tuple<!a{i}, !a{i}>" for i in range(100)) + "\nmodule {\n}",
    ],
    ids=lambda text: text[-60:-40],
)
def test_hostile_texts(text):
    start = time.perf_counter()
    with pytest.raises(Error):
        parse(text)
    assert time.perf_counter() - start < 5


@pytest.mark.parametrize("name", ["while_loop", "handwritten_generic"])
def test_damaged_files(name):
    """Cut, or with a character changed, a file is read or refused; nothing else."""
    text = (CORPUS / f"{name}.mlir").read_text()
    random_ = random.Random(0)
    for _ in range(60):
        at = random_.randrange(len(text))
        for damaged in (text[:at] + "\n", text[:at] + random_.choice('(){}[]<>"%#@:,=x-.0a \n\\') + text[at + 1 :]):
            try:
                parse(damaged)
            except Error as error:
                assert error.line is not None and error.column is not None
