"""What other projects write, by hand or by older printers: MLIR's own parser and printer say what it means."""

# ruff: noqa: E501 (rows of tables)

from __future__ import annotations

import io

import pytest

from hlo2tiny.commands.diff import difference
from hlo2tiny.errors import ParseError
from hlo2tiny.formats.bytecode import read_bytecode
from hlo2tiny.syntax.parser import parse

pytest.importorskip("jaxlib")

from jax._src.interpreters import mlir as jax_mlir
from jaxlib.mlir import ir

RAW = (
    "input_batch_dimension = 0, input_feature_dimension = 3, input_spatial_dimensions = [1, 2],"
    " kernel_input_feature_dimension = 2, kernel_output_feature_dimension = 3, kernel_spatial_dimensions = [0, 1],"
    " output_batch_dimension = 0, output_feature_dimension = 3, output_spatial_dimensions = [1, 2]"
)


def convolution(dimensions: str) -> str:
    return f"""func.func @main(%a: tensor<1x8x8x3xf32>, %b: tensor<2x2x3x4xf32>) -> tensor<1x7x7x4xf32> {{
  %r = "stablehlo.convolution"(%a, %b) {{
    batch_group_count = 1 : i64, feature_group_count = 1 : i64, dimension_numbers = {dimensions}
  }} : (tensor<1x8x8x3xf32>, tensor<2x2x3x4xf32>) -> tensor<1x7x7x4xf32>
  return %r : tensor<1x7x7x4xf32>
}}"""


def dot(dimensions: str) -> str:
    return f"""func.func @main(%a: tensor<2x3xf32>, %b: tensor<3x4xf32>) -> tensor<2x4xf32> {{
  %r = "stablehlo.dot_general"(%a, %b) {{dot_dimension_numbers = {dimensions}}} : (tensor<2x3xf32>, tensor<3x4xf32>) -> tensor<2x4xf32>
  return %r : tensor<2x4xf32>
}}"""


def indexed(gather: str, scatter: str) -> str:
    return f"""func.func @main(%a: tensor<8xf32>, %i: tensor<4x1xi32>) -> tensor<8xf32> {{
  %g = "stablehlo.gather"(%a, %i) {{dimension_numbers = {gather}, slice_sizes = array<i64: 1>}} : (tensor<8xf32>, tensor<4x1xi32>) -> tensor<4xf32>
  %s = "stablehlo.scatter"(%a, %i, %g) ( {{
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):  // no predecessors
    "stablehlo.return"(%y) : (tensor<f32>) -> ()
  }}) {{scatter_dimension_numbers = {scatter}}} : (tensor<8xf32>, tensor<4x1xi32>, tensor<4xf32>) -> tensor<8xf32>
  return %s : tensor<8xf32>
}}"""


def constant(text: str, before: str = "") -> str:
    return f"{before}\nfunc.func @main() -> tensor<f32> {{\n  %c = {text}\n  return %c : tensor<f32>\n}}"


ONE = "stablehlo.constant dense<1.0> : tensor<f32>"
ALIASED = "stablehlo.constant {note = #x} dense<1.0> : tensor<f32>"
GATHER = "collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1"
SCATTER = "inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1"
TEXTS = {
    "raw convolution": convolution(f"#stablehlo.conv<raw {RAW}>"),
    "raw convolution on lines": convolution(f"#stablehlo.conv<raw\n  {RAW.replace(', ', ',{0}  ').format(chr(10))}\n>"),
    "raw convolution, comma at the end": convolution(f"#stablehlo.conv<raw {RAW},>"),
    "convolution on lines": convolution("#stablehlo.conv<\n[b, 0, 1, f]x\n  [0, 1, i, o] -> [b, 0, 1, f]\n>"),
    "dot, comma": dot("#stablehlo.dot<\nlhs_contracting_dimensions = [1],\n rhs_contracting_dimensions = [0],\n>"),
    "gather and scatter, comma": indexed(f"#stablehlo.gather<{GATHER},>", f"#stablehlo.scatter<{SCATTER},\n>"),
    "constant with properties": constant("stablehlo.constant() <{value = dense<1.0> : tensor<f32>}> : () -> tensor<f32>"),
    "constant with both": constant("stablehlo.constant() <{value = dense<1.0> : tensor<f32>}> {a.b = 1 : i32} : () -> tensor<f32>"),
    "constant with attributes": constant("stablehlo.constant () {value = dense<1.0> : tensor<f32>} : () -> tensor<f32>"),
    "alias: a configuration": constant(ALIASED, "#x = #other.info<\n  lowering_config = <tile_sizes = [[32, 32], [1, 8, 0]]>,\n  translation_info = <CPUDoubleTilingExpert, {depth = 3, stage = 1}>,\n  workgroup_size = []>"),
    "alias: nested": constant(ALIASED, "#x = #other.a<b = <c = <d = #other.e<f = <g = <h = 1>>>>>>"),
    "alias: strings": constant(ALIASED, '#x = #other.a<"b > c", [], {d = "\\22", e = -1.0 : f32}, (i32) -> i64>'),
    "alias: a set": constant(ALIASED, "#x = affine_set<(d0)[s0] : (d0 - 1 >= 0, s0 == 0)>"),
    "alias: a map": constant(ALIASED, "#x = affine_map<(d0, d1)[s0] -> (d0 + s0, d1 mod 2)>"),
    "alias: values": constant(ALIASED, '#x = {a = 1 : i32, b = "c", d = [#stablehlo<precision HIGH>, unit]}'),
    "alias: unused": constant(ONE, "#x = #other.a\n!y = !other.b<c = <d>>\n!z = (tensor<f32>) -> tensor<f32>"),
    "no elements": constant(
        f"{ONE}\n"
        "  %0 = stablehlo.constant dense<false> : tensor<0xi1>\n  %1 = stablehlo.constant dense<> : tensor<0xi1>\n"
        "  %2 = stablehlo.constant dense<-3> : tensor<0x2xi4>\n  %3 = stablehlo.constant dense<(1.0,2.0)> : tensor<2x0xcomplex<f32>>\n"
        '  %4 = stablehlo.constant dense<[[], []]> : tensor<2x0xi32>\n  %5 = stablehlo.constant dense<"0x0000803F"> : tensor<0xf32>\n'
        '  %6 = stablehlo.constant dense<"0x3F80"> : tensor<0xbf16>\n  %7 = stablehlo.constant dense<0x7FC00000> : tensor<0xf32>'
    ),
    "empty module": "module {}",
    "empty module with a name": "module @m attributes {a.b = 1 : i32} {\n}",
    "empty generic module": '"builtin.module"() ({\n^bb0:\n}) : () -> ()',
    "empty modules inside": "module { module @a { } module @b { func.func @f() { return } } }",
    "bare return with attributes": "func.func @f() {\n  return {a.b = 1 : i32}\n}",
    "functions as values": "func.func @f(%g: () -> (), %h: (i32, () -> i32) -> (() -> ())) -> (() -> ()) {\n  return %g : () -> ()\n}",
    "indirect call": "func.func @f(%a: tensor<f32>) -> tensor<f32> {\n  %g = func.constant @f : (tensor<f32>) -> tensor<f32>\n  %0 = func.call_indirect %g(%a) {a.b} : (tensor<f32>) -> tensor<f32>\n  return %0 : tensor<f32>\n}",
    "indirect call, short names": "func.func @f() {\n  %g = constant {a.b = 1 : i32} @f : () -> ()\n  call_indirect %g() : () -> ()\n  return\n}",
    "branch": "func.func @f(%a: tensor<2xf32>, %n: i32) {\n  cf.br ^bb1(%a, %n : tensor<2xf32>, i32) {a.b = 1 : i32}\n^bb1(%x: tensor<2xf32>, %y: i32):\n  return\n^bb2:\n  return\n}",
    "conditional branch": "func.func @f(%a: tensor<2xf32>, %c: i1) -> tensor<2xf32> {\n  cf.cond_br %c, ^bb1(%a : tensor<2xf32>), ^bb2\n^bb1(%x: tensor<2xf32>):\n  return %x : tensor<2xf32>\n^bb2:\n  cf.br ^bb1(%a : tensor<2xf32>)\n}",
    "weights": "func.func @f(%c: i1) {\n  cf.cond_br %c weights([1, 2]), ^bb1, ^bb1\n^bb1:\n  return\n}",
    "switch": "func.func @f(%i: i32, %a: f32) -> f32 {\n  cf.switch %i : i32, [\n    default: ^bb1(%a : f32),\n    42: ^bb1(%a : f32),\n    -3: ^bb2\n  ]\n^bb1(%x: f32):\n  return %x : f32\n^bb2:\n  return %a : f32\n}",
    "switch without cases": "func.func @f(%i: i64, %a: f32) -> f32 {\n  cf.switch %i : i64, [default: ^bb1(%a : f32)]\n^bb1(%x: f32):\n  return %x : f32\n}",
    "blocks in another order": "func.func @f(%c: i1) -> (i32, i32) {\n  cf.br ^bb2\n^bb1(%u: i32):\n  %w = stablehlo.constant dense<1> : tensor<i32>\n  return %u, %v#1 : i32, i32\n^bb2:\n  %v:2 = \"other.two\"() : () -> (i32, i32)\n  cf.br ^bb1(%v#0 : i32)\n}",
    "a later value inside a region": "func.func @f(%c: tensor<i1>, %a: tensor<f32>) -> tensor<f32> {\n  cf.br ^bb2\n^bb1:\n  %r = \"stablehlo.if\"(%c) ({\n    stablehlo.return %v : tensor<f32>\n  }, {\n    stablehlo.return %a : tensor<f32>\n  }) : (tensor<i1>) -> tensor<f32>\n  return %r : tensor<f32>\n^bb2:\n  %v = stablehlo.negate %a : tensor<f32>\n  cf.br ^bb1\n}",
    "assertion": 'func.func @f(%c: i1) {\n  cf.assert %c, "no \\22more\\22"\n  return\n}',
    "attributes before operands": "func.func @f(%a: tensor<2xf32>) -> tensor<2xf32> {\n  %0:2 = stablehlo.optimization_barrier {a.b = 1 : i32} %a, %a : tensor<2xf32>, tensor<2xf32>\n  stablehlo.optimization_barrier {tag = \"x\"} ()\n  return {a.b} %0#1 : tensor<2xf32>\n}",
    "attributes of manual computations": 'sdy.mesh @m = #sdy.mesh<["x"=2]>\nfunc.func @f(%a: tensor<2xf32>) -> tensor<2xf32> {\n  %0 = sdy.manual_computation(%a) in_shardings=[<@m, [{"x"}]>] out_shardings=[<@m, [{"x"}]>] manual_axes={"x"} (%b: tensor<1xf32>) {\n    sdy.return {a.b} %b : tensor<1xf32>\n  } {a.b = 1 : i32} : (tensor<2xf32>) -> tensor<2xf32>\n  return %0 : tensor<2xf32>\n}',
    "attributes of named computations": '#axes = #sdy.mesh<["x"=2]>\nsdy.mesh @m = #axes\nfunc.func @f(%a: tensor<2xf32>) -> tensor<2xf32> {\n  %0 = sdy.named_computation<"g">(%a) (%b: tensor<2xf32>) {\n    sdy.return %b : tensor<2xf32>\n  } {a.b = 1 : i32} : (tensor<2xf32>) -> tensor<2xf32>\n  return %0 : tensor<2xf32>\n}',
    "types with strings between parentheses": 'func.func @f(%a: !mpmd.mesh_tensor<"m", tensor<4x8xf32>>) -> !mpmd.mesh_tensor<"n", tensor<4x8xf32>> attributes {topology = #mpmd.topology<<"m" : <["x"=2]>>, <"n" : <["x"=2]>>>} {\n  %0 = "mpmd.transfer"(%a) : (!mpmd.mesh_tensor<"m", tensor<4x8xf32>>) -> !mpmd.mesh_tensor<"n", tensor<4x8xf32>>\n  return %0 : !mpmd.mesh_tensor<"n", tensor<4x8xf32>>\n}',
    "types of other dialects": '%0:2 = "a.b"() : () -> (!c.d<"(", e>, !f<g h>)\n%1 = "a.i"(%0#0, %0#1) : (!c.d<"(", e>, !f<g h>) -> ((!c.d<")">) -> i32)',
    "aliases in vectors": "!t = i32\nmodule attributes {a.b = vector<1x!t>, a.c = memref<2x!t>, a.d = tuple<!t, tensor<2x!t>>} {\n}",
    "attributes of nothing": "module attributes {a.b = #mpmd.meshes_with_origins<>, a.c = #d.e, a.f = #d.g<>} {\n}",
    "generic branches": '"func.func"() <{function_type = (i1) -> (), sym_name = "f"}> ({\n^entry(%c: i1):\n  "cf.cond_br"(%c)[^then, ^else] <{operandSegmentSizes = array<i32: 1, 0, 0>}> : (i1) -> ()\n^then:\n  "func.return"() : () -> ()\n^else:\n  "cf.br"() [^then] {a.b = 1 : i32} : () -> ()\n}) : () -> ()',
}  # fmt: skip


@pytest.fixture(scope="module")
def context():
    found = jax_mlir.make_ir_context()
    found.allow_unregistered_dialects = True
    return found


@pytest.mark.parametrize("text", TEXTS.values(), ids=TEXTS)
def test_text_and_bytecode_are_what_mlir_reads(text, context):
    module = ir.Module.parse(text, context)

    def generic(module):
        return module.operation.get_asm(print_generic_op_form=True)

    assert generic(ir.Module.parse(str(parse(text)), context)) == generic(module)
    stored = io.BytesIO()
    module.operation.write_bytecode(stored)
    assert generic(ir.Module.parse(str(read_bytecode(stored.getvalue(), "bytes")), context)) == generic(module)
    pretty = module.operation.get_asm()
    assert generic(ir.Module.parse(str(parse(pretty)), context)) == generic(module)
    assert difference(parse(text), read_bytecode(stored.getvalue(), "bytes")) is None


def test_a_comma_at_the_end_of_a_dictionary():
    """MLIR of today refuses it; a compiler's hand-written tests have it."""
    for text in ('"a.b"() {c = 1 : i32, } : () -> ()', '"a.b"() <{c = 1 : i32,\n}> : () -> ()'):
        assert str(parse(text)) == str(parse('"a.b"() {c = 1 : i32} : () -> ()'))
    with pytest.raises(ParseError, match="unexpected ,"):
        parse('"a.b"() {,} : () -> ()')


@pytest.mark.parametrize(
    ("dimensions", "message"),
    [
        ("#stablehlo.dot<lhs_contracting_dimensions = [1] rhs_contracting_dimensions = [0]>", "unexpected rhs_c"),
        ("#stablehlo.dot<lhs_contracting_dimensions = [1,], rhs_contracting_dimensions = [0]>", "unexpected "),
        ("#stablehlo.dot<lhs_contracting_dimensions = [1], lhs_contracting_dimensions = [1]>", "a field twice"),
    ],
)
def test_fields_that_mlir_refuses(dimensions, message, context):
    with pytest.raises(ir.MLIRError):
        ir.Module.parse(dot(dimensions), context)
    with pytest.raises(ParseError, match=message):
        parse(dot(dimensions))


@pytest.mark.parametrize(
    "text",
    [
        "module attributes {a.b = -0 : i32} {\n}",
        "module attributes {a.b = dense<-0> : tensor<i32>} {\n}",
        "module attributes {a.b = dense<[1, -0]> : tensor<2xui8>} {\n}",
        "module attributes {a.b = array<i64: -0>} {\n}",
        "module attributes {a.é = 1 : i32} {\n}",
        "module @é {\n}",
        "#a.b = 3 : i32\nmodule {\n}",
        '#a.b = loc("c")\nmodule {\n}',
        "func.func @f(%a: tensor<f32>) {\n  %0 = stablehlo.negate {a.b = 1 : i32} %a : tensor<f32>\n  return\n}",
        "func.func @f(%a: tensor<f32>) {\n  %0 = arith.negf {a.b = 1 : i32} %a : tensor<f32>\n  return\n}",
    ],
)
def test_what_mlir_refuses(text, context):
    with pytest.raises(Exception, match="Unable to parse"):
        ir.Module.parse(text, context)
    with pytest.raises(ParseError):
        parse(text)


def test_attributes_of_another_dialects_op(context):
    """`largest` was an attribute of mhlo's top_k; CHLO's may carry it, and keeps it."""
    text = (
        "func.func @f(%a: tensor<2xf32>) -> tensor<1xf32> {\n"
        "  %0, %1 = chlo.top_k(%a, k = 1) {largest = true} : tensor<2xf32> -> (tensor<1xf32>, tensor<1xi32>)\n"
        "  return %0 : tensor<1xf32>\n}"
    )
    both = (ir.Module.parse(t, context).operation.get_asm(print_generic_op_form=True) for t in (text, str(parse(text))))
    assert next(both) == next(both)


def test_short_forms_of_other_dialects_are_named():
    """They were read as Shardy's, and printed so that nobody could read them."""
    text = (
        'func.func @f(%a: tensor<f32>) -> tensor<f32> {\n  %0 = mpmd.named_computation<"f"(2)> (%a) (%b: tensor<f32>) {\n'
        "    mpmd.return %b : tensor<f32>\n  } : (tensor<f32>) -> tensor<f32>\n  return %0 : tensor<f32>\n}"
    )
    with pytest.raises(ParseError, match=r"2:8: mpmd.named_computation is not supported, as ops of the mpmd dialect"):
        parse(text)


def test_numbers_that_stablehlo_has_not(context):
    """They are kept as they are written, or as the bytes that bytecode has."""
    text = "module attributes {a.b = dense<[127, -1]> : tensor<2xsi8>, a.c = dense<[1, -4]> : tensor<2xi128>, a.d = dense<1.5> : tensor<2xf80>, a.e = dense<(1, 2)> : tensor<2xcomplex<i32>>} {\n}"
    module = ir.Module.parse(text, context)
    stored = io.BytesIO()
    module.operation.write_bytecode(stored)
    for found in (parse(text), read_bytecode(stored.getvalue(), "bytes")):
        assert str(ir.Module.parse(str(found), context)) == str(module)
