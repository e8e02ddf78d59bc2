"""Numbers, types and names that contradict each other end in an error of this package, with its location.

Which constraint of the specification they break is for tests/test_verify.py to say; here any stage may find them.
"""

from __future__ import annotations

from contextlib import suppress
from dataclasses import replace
from io import BytesIO
from pathlib import Path

import numpy as np
import pytest

import hlo2tiny
from hlo2tiny import Error, InputError, ParseError, UnsupportedOp, VerifyError
from hlo2tiny.errors import FAULTS, BinarySource, about_file, explain_fault, printable, printable_name
from hlo2tiny.formats import read_contents
from hlo2tiny.ir import about
from hlo2tiny.rules import registry

CONVOLUTION = """func.func @main(%x: tensor<1x8x8x4xf32>, %w: tensor<3x3x4x4xf32>) -> tensor<1x6x6x4xf32> {{
  %0 = "stablehlo.convolution"(%x, %w) {{batch_group_count = {batches} : i64, feature_group_count = {features} : i64,
    dimension_numbers = #stablehlo.conv<[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]>,
    padding = dense<{padding}> : tensor<2x2xi64>, window_strides = array<i64: {stride}, 1>,
    lhs_dilation = array<i64: {base}, 1>, rhs_dilation = array<i64: {dilation}, 1>}}
    : (tensor<1x8x8x4xf32>, tensor<3x3x4x4xf32>) -> tensor<1x6x6x4xf32>
  return %0 : tensor<1x6x6x4xf32>
}}"""
USUAL = {"batches": 1, "features": 1, "padding": 0, "stride": 1, "base": 1, "dilation": 1}


def convolution(**changed: int) -> str:
    return CONVOLUTION.format(**USUAL | changed)


def one_op(op: str, inputs: str, result: str) -> str:
    """A function of one op, whose operands are %0, %1, …"""
    arguments = ", ".join(f"%{i}: {type}" for i, type in enumerate(inputs.split("; ")))
    return f"func.func @main({arguments}) -> {result} {{\n  %r = {op}\n  return %r : {result}\n}}"


def identity(type: str) -> str:
    return f"func.func @main(%x: {type}) -> {type} {{\n  return %x : {type}\n}}"


def negated(type: str) -> str:
    return one_op(f"stablehlo.negate %0 : {type}", type, type)


def dot(dimensions: str) -> str:
    types = "tensor<40x50xf32>, tensor<50x30xf32>"
    op = f"stablehlo.dot_general %0, %1, {dimensions} : ({types}) -> tensor<40x30xf32>"
    return one_op(op, types.replace(", ", "; "), "tensor<40x30xf32>")


def top_k(k: int) -> str:
    signature = "tensor<4xf32> -> (tensor<2xf32>, tensor<2xi32>)"
    return (
        "func.func @main(%x: tensor<4xf32>) -> (tensor<2xf32>, tensor<2xi32>) {\n"
        f"  %0:2 = chlo.top_k(%x, k = {k}) : {signature}\n  return %0#0, %0#1 : tensor<2xf32>, tensor<2xi32>\n}}"
    )


def dimension_size(operand: str, result: str) -> str:
    return one_op(f"stablehlo.get_dimension_size %0, dim = 0 : ({operand}) -> {result}", operand, result)


def reshaped(shape: str, value: str) -> str:
    return (
        "func.func @main(%x: tensor<4xf32>) -> tensor<?x?xf32> {\n"
        f"  %s = stablehlo.constant dense<{value}> : {shape}\n"
        f"  %0 = stablehlo.dynamic_reshape %x, %s : (tensor<4xf32>, {shape}) -> tensor<?x?xf32>\n"
        "  return %0 : tensor<?x?xf32>\n}"
    )


WIDE = "tensor<" + "1x" * 100 + "f32>"
ENORMOUS = "tensor<0x9223372036854775807x4xf32>"
PAD = "(tensor<4xf32>, tensor<f32>) -> tensor<4xf32>"
FILES = {
    "stride 0": convolution(stride=0),
    "stride below 0": convolution(stride=-1),
    "dilation 0": convolution(dilation=0),
    "base dilation 0": convolution(base=0),
    "batch_group_count 0": convolution(batches=0),
    "feature_group_count 0": convolution(features=0),
    "feature_group_count -1": convolution(features=-1),
    "padding 2^63 - 1": convolution(padding=2**63 - 1),
    "padding 2^63": convolution(padding=2**63),
    "padding -2^63": convolution(padding=-(2**63)),
    "window pad 2^63": CONVOLUTION.format(**USUAL).replace(
        '"stablehlo.convolution"(%x, %w)', "stablehlo.convolution(%x, %w) window = {pad = [[9223372036854775808, 0]]}"
    ),
    "contracting dimension -2^31": dot("contracting_dims = [-2147483648] x [0]"),
    "contracting dimension 2^63 - 1": dot("contracting_dims = [9223372036854775807] x [0]"),
    "contracting dimension of the right -1": dot("contracting_dims = [1] x [-1]"),
    "batching dimension -1": dot("batching_dims = [-1] x [0], contracting_dims = [1] x [0]"),
    "low padding 2^63": one_op(
        f"stablehlo.pad %0, %1, low = [9223372036854775808], high = [0], interior = [0] : {PAD}",
        "tensor<4xf32>; tensor<f32>",
        "tensor<4xf32>",
    ),
    "size 2^31": dimension_size("tensor<2147483648xi1>", "tensor<i32>"),
    "size into no elements": dimension_size("tensor<4xi1>", "tensor<0xi32>"),
    "size of no dimension": dimension_size("tensor<i1>", "tensor<i32>"),
    "shape of rank 2": reshaped("tensor<1x2xi32>", "2"),
    "shape below 0": reshaped("tensor<2xi32>", "-2"),
    "complex<bf16>": negated("tensor<2xcomplex<bf16>>"),
    "complex<i32>": negated("tensor<2xcomplex<i32>>"),
    "none": negated("tensor<4xnone>"),
    "complex<bf16> in a signature": identity("tensor<2xcomplex<bf16>>"),
    "complex<i32> in a signature": identity("tensor<2xcomplex<i32>>"),
    "none in a signature": identity("tensor<4xnone>"),
    "token as an element": identity("tensor<3x!stablehlo.token>"),
    "i7": identity("tensor<3xi7>"),
    "rank 100": negated(WIDE),
    "rank 100 in a signature": identity(WIDE),
    "rank 100 of a constant": f"func.func @main() -> {WIDE} {{\n  %0 = stablehlo.constant dense<1.0> : {WIDE}\n"
    f"  return %0 : {WIDE}\n}}",
    "2^65 bytes of no elements": negated(ENORMOUS),
    "k = -2": top_k(-2),
    "k = 10": top_k(10),
    "k = 2^63": top_k(2**63),
}


@pytest.mark.parametrize("name", FILES)
def test_files(name: str) -> None:
    with pytest.raises(Error) as caught:
        program = hlo2tiny.load(FILES[name].encode(), device="CPU")
        program.numpy(*(np.zeros(i.shape, i.dtype) for i in program.inputs))  # type: ignore[arg-type]
    assert caught.value.line is not None, "the error has no place"


@pytest.mark.parametrize("name", ["rank 64", "rank 64, complex"])
def test_as_many_dimensions_as_numpy_has(name: str) -> None:
    type = "tensor<" + "1x" * 63 + "2x" + ("complex<f32>" if "complex" in name else "f32") + ">"
    program = hlo2tiny.load(negated(type), device="CPU")
    (argument,) = program.inputs
    assert len(argument.shape) == 64
    (found,) = program.numpy(np.ones(argument.shape, argument.dtype))  # type: ignore[arg-type]
    np.testing.assert_array_equal(found, -np.ones(argument.shape, argument.dtype))  # type: ignore[arg-type]


# ---------------------------------------------------------------- bytecode


def bytecode(text: str) -> bytes:
    """A module as MLIR writes it when it knows no dialect, and so checks nothing."""
    ir = pytest.importorskip("jaxlib.mlir.ir")
    with ir.Context() as context:
        context.allow_unregistered_dialects = True
        file = BytesIO()
        ir.Module.parse(text).operation.write_bytecode(file)
    return file.getvalue()


def function_of(inputs: str, result: str, body: str) -> str:
    arguments = ", ".join(f"%{i}: {type}" for i, type in enumerate(inputs.split(", ")))
    return (
        f'"builtin.module"() ({{ "func.func"() ({{\n^bb0({arguments}):\n{body}\n}}) '
        f'{{function_type = ({inputs}) -> {result}, sym_name = "main"}} : () -> () }}) : () -> ()'
    )


@pytest.mark.parametrize(
    "layout",
    ['"text"', "3 : i64", "unit", "[]", "{a = 1}", "tensor<2xf32>", "dense<1> : tensor<2xi64>", "#other.conv<x>",
     "#stablehlo.conv<whatever>", "#stablehlo.conv<>", "#stablehlo.conv<raw nonsense = 3>",
     "#stablehlo.dot<lhs_contracting_dimensions = [1]>"],
)  # fmt: skip
def test_bytecode_whose_layout_is_something_else(layout: str) -> None:
    inputs, result = "tensor<1x8x8x4xf32>, tensor<3x3x4x4xf32>", "tensor<1x6x6x4xf32>"
    attributes = f"{{batch_group_count = 1 : i64, dimension_numbers = {layout}, feature_group_count = 1 : i64}}"
    op = f'%r = "stablehlo.convolution"(%0, %1) {attributes} : ({inputs}) -> {result}'
    data = bytecode(function_of(inputs, result, f'{op}\n"func.return"(%r) : ({result}) -> ()'))
    with pytest.raises(Error) as caught:
        hlo2tiny.load(data, device="CPU")
    assert isinstance(caught.value.source, BinarySource) and caught.value.offset
    with suppress(Error):  # printing, too, ends in no other error
        str(read_contents(data, "<file>").module)


@pytest.mark.parametrize("element", ["complex<bf16>", "complex<i32>", "i7"])
def test_types_in_bytecode(element: str) -> None:
    type = f"tensor<4x{element}>"
    data = bytecode(function_of(type, type, f'"func.return"(%0) : ({type}) -> ()'))
    with pytest.raises(UnsupportedOp, match="StableHLO has no element type"):
        hlo2tiny.load(data, device="CPU")


# ---------------------------------------------------------------- the mechanism


@pytest.mark.parametrize("fault", FAULTS)
def test_what_a_rule_raises_is_an_error_about_its_op(fault: type[Exception], monkeypatch: pytest.MonkeyPatch) -> None:
    """The exception is the error's cause, as --debug shows."""

    def broken(*operands: object, **keywords: object) -> None:
        raise fault("something odd")

    found = registry.RULES["stablehlo.negate"]
    monkeypatch.setitem(registry.RULES, "stablehlo.negate", replace(found, function=broken))
    program = hlo2tiny.load(negated("tensor<7xf32>").encode(), device="CPU")
    with pytest.raises(Error, match=r"<bytes>:2:8: stablehlo.negate: .*something odd") as caught:
        program.numpy(np.zeros(7, np.float32))
    cause: BaseException | None = caught.value
    while cause is not None and not isinstance(cause, fault):
        cause = cause.__cause__
    assert isinstance(cause, fault)
    assert isinstance(caught.value, InputError) == (fault is MemoryError)


def test_an_error_that_has_a_place_keeps_it() -> None:
    op = next(hlo2tiny.parse(negated("tensor<2xf32>")).walk())
    inner = VerifyError("is wrong", BinarySource("other"), 3)
    with pytest.raises(VerifyError) as caught, about(op):
        raise inner
    assert caught.value is inner
    with pytest.raises(KeyboardInterrupt), about(op):
        raise KeyboardInterrupt
    with pytest.raises(UnsupportedOp, match=r"^model: no rule$"), about_file(BinarySource("model")):
        raise UnsupportedOp("no rule")


def test_programming_errors_say_that_they_may_be_some() -> None:
    assert explain_fault(ValueError("has k = 3")) == "has k = 3"
    assert "a bug in hlo2tiny" in explain_fault(KeyError("x")) and "KeyError: 'x'" in explain_fault(KeyError("x"))
    assert "RecursionError" in explain_fault(RecursionError("too deep"))


# ---------------------------------------------------------------- names


def test_names_cannot_act_on_the_terminal() -> None:
    assert printable("a\x1b[2J\x07\r\x9b\u202eb\té\n日") == "a\\x1b[2J\\x07\\r\\x9b\\u202eb\té\n日"
    assert printable("na\udcc3\udcafve \udcff \ud800") == printable("na\udcc3\udcafve \udcff \ud800")
    assert printable("na\udcc3\udcafve") == "naïve"
    assert printable_name("two\nlines") == "two\\nlines"


def test_errors_and_programs_show_names_escaped() -> None:
    name = r"w\1B]0;title\07\0A<b>"
    text = f'func.func @main(%x: tensor<2xf32> loc("{name}")) -> tensor<2xf32> {{ return %x : tensor<2xf32> }}'
    program = hlo2tiny.load(text, device="CPU")
    shown = [str(program.inputs[0]), repr(program), program._repr_html_()]
    with pytest.raises(InputError) as caught:
        program.numpy(np.zeros(3, np.float32))
    shown.append(str(caught.value))
    for text in shown:
        assert "\x1b" not in text and "\x07" not in text and r"\x1b]0;title\x07" in text
    assert "&lt;b&gt;" in shown[2] and "<b>" not in shown[2]
    assert program.inputs[0].name == "w\x1b]0;title\x07\n<b>", "calls by name take it as it is"


def test_an_excerpt_is_escaped_and_its_caret_is_where_it_should_be(tmp_path: Path) -> None:
    path = tmp_path / "model.mlir"
    path.write_text('func.func @main() { "a\x1b[2J.b"() : () -> () = }', encoding="utf-8")
    with pytest.raises(ParseError) as caught:
        hlo2tiny.load(path, device="CPU")
    _, line, caret = str(caught.value).splitlines()
    assert "\x1b" not in line and r"\x1b" in line
    assert line[caret.index("^")] == "="
