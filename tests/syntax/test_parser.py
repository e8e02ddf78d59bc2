"""Text → graph: every form, and what it is in generic form."""

# ruff: noqa: E501 (rows of tables)

from __future__ import annotations

import gc
import re
import subprocess
import sys
import textwrap
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from corpus import BY_NAME
from hlo2tiny.errors import ParseError
from hlo2tiny.ir import (
    ArrayAttr,
    BoolAttr,
    ComplexType,
    DenseArrayAttr,
    DenseAttr,
    DialectAttr,
    FloatAttr,
    IntegerAttr,
    OpaqueType,
    QuantizedType,
    ScalarType,
    StringAttr,
    SymbolAttr,
    TensorType,
    TokenType,
    TupleType,
    TypeAttr,
    UnitAttr,
    UnrankedTensorType,
)
from hlo2tiny.ir.locations import location_frames, location_name
from hlo2tiny.syntax.dense import round_once
from hlo2tiny.syntax.parser import _builder, parse
from hlo2tiny.syntax.tables import STARTS, Tokens, beginning, grammar_folder

ROOT = Path(__file__).parents[2]
CONFORMANCE = Path(__file__).parents[3] / "shared" / "conformance"
CORPUS = sorted((ROOT / "corpus").rglob("*.mlir"))
F32, I32, I64 = ScalarType("f32"), ScalarType("i32"), ScalarType("i64")


def op(line, arguments="", before=""):
    """The last op before the return of a function that holds a line."""
    module = parse(f"{before}\nfunc.func @f({arguments}) {{\n{line}\nreturn\n}}")
    return module.functions["f"].body.ops[-2]


def attribute(text, before="", after=""):
    """An attribute as a module's."""
    return parse(f"{before}\nmodule attributes {{a = {text}}} {{\n}}\n{after}").attributes["a"]


def type_of(text, before=""):
    return op(f'%0 = "x"() : () -> {text}', before=before).results[0].type


# ---------------------------------------------------------------- whole files


@pytest.mark.parametrize("path", CORPUS, ids=lambda path: path.stem)
def test_corpus(path):
    assert list(parse(path).walk())


@pytest.mark.skipif(not CONFORMANCE.is_dir(), reason="the conformance programs are not here")
def test_conformance():
    for path in sorted(CONFORMANCE.glob("*.mlir")):
        assert parse(path).functions, path


def test_module_forms():
    for text in (
        "module {\n}",
        "module @m {\n}",
        'module @"a b" attributes {x} {\n}',
        '"builtin.module"() ({\n}) : () -> ()',
        "builtin.module @m {\n}",
        "module {\n module @inner {\n func.func @f() { return } } }",
    ):
        parse(text)
    assert parse('module @"a b" attributes {x} {\n}').name == "a b"
    assert parse("module {\n module @inner {\n func.func @f() { return } } }").name == "inner"
    bare = parse("func.func @f() { return }\nfunc.func private @g(tensor<f32> {a.b}) -> (tensor<f32> {c.d = 1 : i32})")
    assert list(bare.functions) == ["f", "g"] and bare.functions["g"].body is None
    assert bare.functions["g"].visibility == "private" and bare.functions["f"].visibility == ""
    assert bare.functions["g"].argument_attributes == ({"a.b": UnitAttr()},)
    assert bare.functions["g"].result_attributes == ({"c.d": IntegerAttr(1, I32)},)


def test_text_bytes_and_paths(tmp_path):
    text = "module {\n}"
    path = tmp_path / "m.mlir"
    path.write_text(text)
    for given_form in (text, text.encode(), path, str(path)):
        assert parse(given_form).functions == {}
    assert parse(path).source.path == str(path)


def test_collection_is_restored():
    parse("module {\n}")
    assert gc.isenabled()
    gc.disable()
    try:
        parse("module {\n}")
        assert not gc.isenabled()
    finally:
        gc.enable()


# ---------------------------------------------------------------- types


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("f32", F32),
        ("ui4", ScalarType("ui4")),
        ("index", ScalarType("index")),
        ("tf32", ScalarType("tf32")),
        ("none", OpaqueType("none")),
        ("tensor<f32>", TensorType((), F32)),
        ("tensor<0x?x3xi32>", TensorType((0, None, 3), I32)),
        ("tensor<4xf8E4M3B11FNUZ>", TensorType((4,), ScalarType("f8E4M3B11FNUZ"))),
        ("tensor<*xi32>", UnrankedTensorType(I32)),
        ("tensor<2xcomplex<f32>>", TensorType((2,), ComplexType(F32))),
        ("complex<f64>", ComplexType(ScalarType("f64"))),
        ("!stablehlo.token", TokenType()),
        ("!mhlo.token", TokenType()),
        ("tuple<>", TupleType(())),
        ("tuple<f32, tuple<tensor<2xf32>>>", TupleType((F32, TupleType((TensorType((2,), F32),))))),
        ("!shape.shape", OpaqueType("!shape.shape")),
        ('!a.b<"x>", [<y>] -> z>', OpaqueType('!a.b<"x>", [<y>] -> z>')),
        ("memref<2x?xf32>", OpaqueType("memref<2x?xf32>")),
        (
            "tensor<?x4xf32, #stablehlo.bounds<8, ?>>",
            TensorType((None, 4), F32, DialectAttr("stablehlo", "bounds", {"bounds": [8, None]})),
        ),
        (
            "tensor<?x4xf32, #stablehlo.type_extensions<bounds = [8, ?]>>",
            TensorType((None, 4), F32, DialectAttr("stablehlo", "bounds", {"bounds": [8, None]})),
        ),
        ("!quant.uniform<i8:f32, 0.5:-3>", QuantizedType(ScalarType("i8"), F32, (0.5,), (-3,))),
        (
            "!quant.uniform<i8<-128:127>:f32:1, {0.1:2, 0.25}>",
            QuantizedType(ScalarType("i8"), F32, (0.1, 0.25), (2, 0), 1, -128, 127),
        ),
        (
            "!quant.uniform<i8:f32:{0:2, 1:4}, {{2.0:20, 1.5}, {3.0:30, 0.5:-1}}>",
            QuantizedType(
                ScalarType("i8"),
                F32,
                (2, 1.5, 3, 0.5),
                (20, 0, 30, -1),
                blocks=((0, 2), (1, 4)),
                scale_shape=(2, 2),
            ),
        ),
        (
            "tensor<4x!quant.uniform<i8:f32:{0:4}, {2.0}>>",
            TensorType((4,), QuantizedType(ScalarType("i8"), F32, (2,), (0,), blocks=((0, 4),), scale_shape=(1,))),
        ),
        ("!quant.uniform<u8:f32, 2.0>", QuantizedType(ScalarType("ui8"), F32, (2.0,), (0,))),
        (
            "tensor<2x!quant.uniform<i8:f32, 1.0e-1>>",
            TensorType((2,), QuantizedType(ScalarType("i8"), F32, (0.1,), (0,))),
        ),
    ],
)
def test_types(text, expected):
    assert type_of(text) == expected
    assert type_of(str(expected)) == expected


def test_type_alias_before_and_after():
    assert type_of("tensor<2x!q>", "!q = !quant.uniform<i8:f32, 0.5>").element.scales == (0.5,)
    module = parse('func.func @f() {\n%0 = "x"() : () -> !t\nreturn\n}\n!t = tensor<2xf32>')
    assert module.functions["f"].body.ops[0].results[0].type == TensorType((2,), F32)


# ---------------------------------------------------------------- attributes


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("1", IntegerAttr(1, I64)),
        ("-1 : i8", IntegerAttr(-1, ScalarType("i8"))),
        ("255 : i8", IntegerAttr(-1, ScalarType("i8"))),
        ("255 : ui8", IntegerAttr(255, ScalarType("ui8"))),
        ("0xFF : i32", IntegerAttr(255, I32)),
        ("1 : i1", BoolAttr(True)),
        ("false", BoolAttr(False)),
        ("1.5", FloatAttr(1.5, ScalarType("f64"))),
        ("0.1 : f32", FloatAttr(float(np.float32(0.1)), F32)),
        ("0x7F800000 : f32", FloatAttr(float("inf"), F32)),
        ("unit", UnitAttr()),
        (r'"a\"\\\n\0A\C3\A9é"', StringAttr('a"\\\n\néé')),
        (r'"\FF"', StringAttr("\udcff")),
        ("@a::@b", SymbolAttr(("a", "b"))),
        ('@"a b"', SymbolAttr(("a b",))),
        ("i32", TypeAttr(I32)),
        ("[]", ArrayAttr(())),
        ("[1, 2]", ArrayAttr((IntegerAttr(1, I64), IntegerAttr(2, I64)))),
        ('[1 : i32, "x", [unit]]', ArrayAttr((IntegerAttr(1, I32), StringAttr("x"), ArrayAttr((UnitAttr(),))))),
        ("array<i64>", DenseArrayAttr(I64, ())),
        ("array<i64: 1, -2>", DenseArrayAttr(I64, (1, -2))),
        ("array<i1: true, false>", DenseArrayAttr(ScalarType("i1"), (True, False))),
        ("array<f32: 1.5, 0xFF800000>", DenseArrayAttr(F32, (1.5, float("-inf")))),
        ("#stablehlo<comparison_direction EQ>", DialectAttr("stablehlo", "comparison_direction", {}, "EQ")),
        ("#mhlo<precision HIGH>", DialectAttr("stablehlo", "precision", {}, "HIGH")),
        ("#chlo<comparison_type FLOAT>", DialectAttr("chlo", "comparison_type", {}, "FLOAT")),
        ('#sdy.sharding<@mesh, [{"x"}, {?}]>', DialectAttr("sdy", "sharding", {}, '@mesh, [{"x"}, {?}]')),
        ('#sdy<manual_axes{"x"}>', DialectAttr("sdy", "", {}, 'manual_axes{"x"}')),
        ("#foo.bar", DialectAttr("foo", "bar")),
        ('#foo.bar<a -> "b>">', DialectAttr("foo", "bar", {}, 'a -> "b>"')),
        ("affine_map<(d0) -> (d0)>", DialectAttr("builtin", "", {}, "affine_map<(d0) -> (d0)>")),
        (
            "#stablehlo.dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0]>",
            DialectAttr(
                "stablehlo",
                "dot",
                {
                    "lhs_batching_dimensions": [],
                    "rhs_batching_dimensions": [],
                    "lhs_contracting_dimensions": [1],
                    "rhs_contracting_dimensions": [0],
                },
            ),
        ),
        (
            "#stablehlo.channel_handle<handle = 5, type = 2>",
            DialectAttr("stablehlo", "channel_handle", {"handle": 5, "type": 2}),
        ),
        (
            "#stablehlo.conv<[b, 1, 0, f]x[0, i, 1, o]->[f, 0, 1, b]>",
            DialectAttr(
                "stablehlo",
                "conv",
                {
                    "input_batch_dimension": 0,
                    "input_feature_dimension": 3,
                    "input_spatial_dimensions": [2, 1],
                    "kernel_input_feature_dimension": 1,
                    "kernel_output_feature_dimension": 3,
                    "kernel_spatial_dimensions": [0, 2],
                    "output_batch_dimension": 3,
                    "output_feature_dimension": 0,
                    "output_spatial_dimensions": [1, 2],
                },
            ),
        ),
    ],
)
def test_attributes(text, expected):
    assert attribute(text) == expected
    assert attribute(str(expected)) == expected


def test_structs_have_all_fields():
    gather = attribute("#stablehlo.gather<offset_dims = [1], index_vector_dim = 1>").fields
    assert gather["offset_dims"] == [1] and gather["collapsed_slice_dims"] == [] and gather["index_vector_dim"] == 1
    scatter = attribute("#stablehlo.scatter<update_window_dims = [1]>").fields
    assert scatter["update_window_dims"] == [1] and scatter["index_vector_dim"] == 0
    accuracy = attribute(
        "#stablehlo.result_accuracy<atol = 1.0e-1, ulps = 2, mode = #stablehlo.result_accuracy_mode<TOLERANCE>>"
    )
    assert (
        accuracy.fields["atol"] == 0.1
        and accuracy.fields["rtol"] == 0.0
        and accuracy.fields["mode"].text == "TOLERANCE"
    )


def test_numbers_of_structs_in_hexadecimal():
    tolerance = "mode = #stablehlo.result_accuracy_mode<TOLERANCE>"
    accuracy = attribute(f"#stablehlo.result_accuracy<rtol = 0x3FF8000000000000, ulps = 0x10, {tolerance}>")
    assert (accuracy.fields["rtol"], accuracy.fields["ulps"]) == (1.5, 16)
    assert attribute(str(accuracy)) == accuracy
    with pytest.raises(ParseError, match="has more bits than f64"):
        attribute(f"#stablehlo.result_accuracy<rtol = 0x13FF8000000000000, {tolerance}>")


def test_attribute_aliases():
    assert attribute("#a", before="#a = [1, 2]") == attribute("[1, 2]")
    assert attribute("[#b]", after='#b = #c\n#c = "x"') == ArrayAttr((StringAttr("x"),))


# ---------------------------------------------------------------- elements


def elements(body, type):
    return attribute(f"dense<{body}> : {type}")


@pytest.mark.parametrize(
    ("body", "type", "expected"),
    [
        ("1", "tensor<i32>", np.int32(1)),
        ("[1, -2, 0x7F]", "tensor<3xi32>", np.array([1, -2, 127], np.int32)),
        ("[[1.0, 2.5], [-0.0, 1.0e3]]", "tensor<2x2xf32>", np.array([[1, 2.5], [-0.0, 1000]], np.float32)),
        ("true", "tensor<2xi1>", np.array([True, True])),
        ("[true, 0, 1]", "tensor<3xi1>", np.array([True, False, True])),
        ("(1.0, -2.0)", "tensor<complex<f32>>", np.complex64(1 - 2j)),
        ("[(1.0,2.0), (3.0,4.0)]", "tensor<2xcomplex<f64>>", np.array([1 + 2j, 3 + 4j])),
        ("", "tensor<0x3xi8>", np.zeros((0, 3), np.int8)),
        ("[]", "tensor<0xi8>", np.zeros((0,), np.int8)),
        ("[18446744073709551615, 0]", "tensor<2xui64>", np.array([2**64 - 1, 0], np.uint64)),
        ("[-9223372036854775808, 9223372036854775807]", "tensor<2xi64>", np.array([-(2**63), 2**63 - 1])),
        ("[255, -128]", "tensor<2xi8>", np.array([-1, -128], np.int8)),
        ('"0x0000803F00000040"', "tensor<2xf32>", np.array([1, 2], np.float32)),
        ('"0x0000803F"', "tensor<3xf32>", np.array([1, 1, 1], np.float32)),
        ('"0x010001"', "tensor<3xi1>", np.array([True, False, True])),
        ('"0xA501"', "tensor<9xi1>", np.array([1, 0, 1, 0, 0, 1, 0, 1, 1], bool)),
        ('"0xFF"', "tensor<9xi1>", np.ones(9, bool)),
        ('"0x00"', "tensor<5xi1>", np.zeros(5, bool)),
    ],
)
def test_elements(body, type, expected):
    found = elements(body, type)
    np.testing.assert_array_equal(found.data, np.broadcast_to(expected, found.data.shape))
    assert found.data.dtype == np.asarray(expected).dtype and found.data.shape == found.type.shape
    again = attribute(str(found))
    assert again.data.tobytes() == found.data.tobytes()


@pytest.mark.parametrize(
    ("body", "type", "expected"),
    [
        ("[[0], [2]], [1.0, 2.5]", "tensor<4xf32>", [1, 0, 2.5, 0]),
        ("[[0, 1], [1, 2]], [5, -6]", "tensor<2x3xi8>", [[0, 5, 0], [0, 0, -6]]),
        ("[[0, 1], [1, 2]], 7", "tensor<2x3xi32>", [[0, 7, 0], [0, 0, 7]]),
        ("[[1, 0]], 7", "tensor<2x3xi32>", [[0, 0, 0], [7, 0, 0]]),
        ("0, 2.0", "tensor<2x2xf32>", [[2, 0], [0, 0]]),
        ("[[1], [0]], [(1.0, 2.0), (3.0, -4.0)]", "tensor<2xcomplex<f32>>", [3 - 4j, 1 + 2j]),
        ("", "tensor<2xi1>", [False, False]),
    ],
)
def test_sparse_elements(body, type, expected):
    found = attribute(f"sparse<{body}> : {type}")
    np.testing.assert_array_equal(found.data, np.array(expected, found.data.dtype))
    assert attribute(str(found)).data.tobytes() == found.data.tobytes()


def test_elements_of_four_bits():
    assert elements('"0x0102FF"', "tensor<3xi4>").data.astype(int).tolist() == [1, 2, -1]
    assert elements('"0x010F"', "tensor<2xui4>").data.astype(int).tolist() == [1, 15]
    assert elements("[-8, 7, 15]", "tensor<3xi4>").data.astype(int).tolist() == [-8, 7, -1]


@pytest.mark.parametrize(
    ("type", "bits"), [("f32", 0x7FC00001), ("f64", 0xFFF8000000000007), ("bf16", 0x7FC1), ("f16", 0x7E01)]
)
def test_nan_payloads(type, bits):
    found = elements(f"[0x{bits:X}, 1.0]", f"tensor<2x{type}>")
    assert int.from_bytes(found.data[:1].tobytes(), "little") == bits
    assert attribute(str(found)).data.tobytes() == found.data.tobytes()


def test_splat_needs_no_memory():
    found = elements("1.0", "tensor<1000000x1000000xf32>")
    assert found.splat and found.data.shape == (10**6, 10**6) and found.data.strides == (0, 0)
    assert elements('"0x0000803F"', "tensor<1000000x1000000xf32>").splat


def test_decimals_are_rounded_once():
    # Just above the middle of 1 and the next bf16: f32 would round to the middle, and the tie then to 1.
    just_above = 1 + 2**-8 + 2**-40
    assert float(round_once(np.array([just_above]), elements("1.0", "tensor<bf16>").data.dtype)[0]) == 1 + 2**-7
    assert float(elements(repr(just_above), "tensor<bf16>").data) == 1 + 2**-7


def test_resources():
    module = parse(
        textwrap.dedent(
            """
            module attributes {a = dense_resource<r> : tensor<2xf32>, b = dense_resource<"r 2"> : tensor<3xi1>} {
            }
            {-#
              dialect_resources: { builtin: { r: "0x040000000000803F00000040", "r 2": "0x04000000010001" } },
              external_resources: { mlir_reproducer: { verify_each: true } }
            #-}
            """
        )
    )
    assert module.attributes["a"].data.tolist() == [1, 2] and module.attributes["a"].resource == "r"
    assert module.attributes["b"].data.tolist() == [True, False, True]


def test_large_payloads_are_cut_out_and_positions_kept():
    data = np.arange(4096, dtype=np.float32)
    digits = data.tobytes().hex()
    text = (
        f'func.func @f() {{\n%0 = stablehlo.constant dense<"0x{digits}"> : tensor<4096xf32> loc("é")\n'
        f'%1 = "x"() {{r = dense_resource<q> : tensor<4096xf32>}} : () -> i32\nreturn\n}}\n'
        f'{{-# dialect_resources: {{ builtin: {{ q: "0x04000000{digits}" }} }} #-}}'
    )
    module = parse(text)
    first, second, _ = module.functions["f"].body.ops
    assert len(module.source.text) < 400 and len(module.source.cuts) == 2
    np.testing.assert_array_equal(first.attributes["value"].data, data)
    np.testing.assert_array_equal(second.attributes["r"].data, data)
    assert (first.location.line, first.location.column) == (2, 6) and second.location.line == 3
    after = module.source.text.index(": tensor<4096xf32> loc")
    assert module.source.position(after)[1] == text.splitlines()[1].index(": tensor<4096xf32> loc") + 1


def test_memory_of_a_large_payload(tmp_path):
    program = """
        import sys, tracemalloc
        from hlo2tiny.syntax.parser import parse
        size = 50 * 2**20
        with open(sys.argv[1], "w") as file:
            file.write('func.func @f() {\\n%0 = stablehlo.constant dense<"0x')
            for _ in range(50):
                file.write("0123456789ABCDEF" * (2**20 // 8))
            file.write(f'"> : tensor<{size // 4}xi32>\\nreturn\\n}}')
        parse("module {\\n}")
        tracemalloc.start()
        module = parse(sys.argv[1])
        peak = tracemalloc.get_traced_memory()[1]
        assert next(module.walk()).attributes["value"].data.nbytes == size
        # Of the file, two digits for each byte, there is one copy while it is read.
        assert peak < 3.1 * size, peak
    """
    command = [sys.executable, "-c", textwrap.dedent(program), str(tmp_path / "big.mlir")]
    subprocess.run(command, check=True, cwd=ROOT, timeout=120)


@settings(max_examples=60, deadline=None)
@given(st.lists(st.floats(width=32), min_size=1, max_size=8), st.sampled_from(["f32", "f64", "f16", "bf16", "f8E5M2"]))
def test_floats_survive(values, name):
    type = TensorType((len(values),), ScalarType(name))
    data = round_once(np.array(values, np.float64), elements("0x0", f"tensor<{name}>").data.dtype)
    attr = DenseAttr(type, data)
    assert attribute(str(attr)).data.tobytes() == data.tobytes()


@settings(max_examples=60, deadline=None)
@given(st.text(max_size=20))
def test_strings_survive(text):
    text = text.encode("utf-8", "replace").decode()
    assert attribute(str(StringAttr(text))) == StringAttr(text)


@settings(max_examples=60, deadline=None)
@given(
    st.recursive(
        st.sampled_from([F32, I32, TokenType(), TensorType((None, 3), F32), OpaqueType("!a.b<c>")]),
        lambda inner: st.lists(inner, max_size=3).map(lambda types: TupleType(tuple(types))),
        max_leaves=4,
    ).filter(lambda type: str(type).count("TupleType(types=(TupleType") < 4)
)
def test_types_survive(type):
    assert type_of(str(type)) == type


# ---------------------------------------------------------------- ops

T = "tensor<2x4xf32>"
ARGUMENTS = (
    f"%a: {T}, %s: tensor<f32>, %p: tensor<2x4xi1>, %i: tensor<i32>, %n: tensor<2xi64>, %c: tensor<2x4xcomplex<f32>>"
)
SHAPES = [
    ("stablehlo.add %a, %a : T", "stablehlo.add", "a a", {}),
    ("stablehlo.add %a , // a remark\n %a : T", "stablehlo.add", "a a", {}),
    ("stablehlo.tanh %a {x} : T", "stablehlo.tanh", "a", {"x": "unit"}),
    ("stablehlo.complex %a, %a : tensor<2x4xcomplex<f32>>", "stablehlo.complex", "a a", {}),
    ("stablehlo.real %c : (tensor<2x4xcomplex<f32>>) -> T", "stablehlo.real", "c", {}),
    ("stablehlo.select %p, %a, %a : tensor<2x4xi1>, T", "stablehlo.select", "p a a", {}),
    ("stablehlo.clamp %s, %a, %s : (tensor<f32>, T, tensor<f32>) -> T", "stablehlo.clamp", "s a s", {}),
    (
        "stablehlo.compare  EQ, %a, %a,  FLOAT : (T, T) -> tensor<2x4xi1>",
        "stablehlo.compare",
        "a a",
        {
            "comparison_direction": "#stablehlo<comparison_direction EQ>",
            "compare_type": "#stablehlo<comparison_type FLOAT>",
        },
    ),
    ("stablehlo.iota dim = 1 : T", "stablehlo.iota", "", {"iota_dimension": "1 : i64"}),
    ("stablehlo.create_token : !stablehlo.token", "stablehlo.create_token", "", {}),
    ("stablehlo.concatenate %a, %a, dim = 0 : (T, T) -> tensor<4x4xf32>", "stablehlo.concatenate", "a a", {"dimension": "0 : i64"}),
    ("stablehlo.broadcast_in_dim %s, dims = [] : (tensor<f32>) -> T", "stablehlo.broadcast_in_dim", "s", {"broadcast_dimensions": "array<i64>"}),
    ("stablehlo.transpose %a, dims = [1, 0] : (T) -> tensor<4x2xf32>", "stablehlo.transpose", "a", {"permutation": "array<i64: 1, 0>"}),
    ('"stablehlo.transpose"(%a) {permutation = dense<[1, 0]> : tensor<2xi64>} : (T) -> tensor<4x2xf32>', "stablehlo.transpose", "a", {"permutation": "array<i64: 1, 0>"}),
    ("stablehlo.reverse %a, dims = [1] : T", "stablehlo.reverse", "a", {"dimensions": "array<i64: 1>"}),
    (
        "stablehlo.slice %a [0:2, 1:3:2] : (T) -> tensor<2x1xf32>",
        "stablehlo.slice",
        "a",
        {"start_indices": "array<i64: 0, 1>", "limit_indices": "array<i64: 2, 3>", "strides": "array<i64: 1, 2>"},
    ),
    ("stablehlo.dynamic_slice %a, %i, %i, sizes = [1, 1] : (T, tensor<i32>, tensor<i32>) -> tensor<1x1xf32>", "stablehlo.dynamic_slice", "a i i", {"slice_sizes": "array<i64: 1, 1>"}),
    (
        "stablehlo.pad %a, %s, low = [0, 1], high = [-1, 0], interior = [0, 2] : (T, tensor<f32>) -> tensor<1x11xf32>",
        "stablehlo.pad",
        "a s",
        {"edge_padding_low": "array<i64: 0, 1>", "edge_padding_high": "array<i64: -1, 0>", "interior_padding": "array<i64: 0, 2>"},
    ),
    ("stablehlo.rng %s, %s, %n, distribution = NORMAL : (tensor<f32>, tensor<f32>, tensor<2xi64>) -> tensor<?x?xf32>", "stablehlo.rng", "s s n", {"rng_distribution": "#stablehlo<rng_distribution NORMAL>"}),
    ("stablehlo.reduce_precision %a, format = e5m10 : T", "stablehlo.reduce_precision", "a", {"exponent_bits": "5 : i32", "mantissa_bits": "10 : i32"}),
    ("stablehlo.fft %c, type = FFT, length = [4] : (tensor<2x4xcomplex<f32>>) -> tensor<2x4xcomplex<f32>>", "stablehlo.fft", "c", {"fft_type": "#stablehlo<fft_type FFT>", "fft_length": "array<i64: 4>"}),
    ("stablehlo.cholesky %a, lower = true : T", "stablehlo.cholesky", "a", {"lower": "true"}),
    ('stablehlo.einsum %a, %a, config = "ab,cb->ac" : (T, T) -> tensor<2x2xf32>', "stablehlo.einsum", "a a", {"einsum_config": '"ab,cb->ac"'}),
    (
        "stablehlo.dot_general %a, %a, batching_dims = [0] x [0], contracting_dims = [1] x [1], precision = [DEFAULT, HIGH] : (T, T) -> tensor<2xf32>",
        "stablehlo.dot_general",
        "a a",
        {
            "dot_dimension_numbers": "#stablehlo.dot<lhs_batching_dimensions = [0], rhs_batching_dimensions = [0],"
            " lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [1]>",
            "precision_config": "[#stablehlo<precision DEFAULT>, #stablehlo<precision HIGH>]",
        },
    ),
    ("stablehlo.custom_call @\"a b\"(%a) {backend_config = \"x\"} : (T) -> T", "stablehlo.custom_call", "a", {"backend_config": '"x"', "call_target_name": '"a b"'}),
    ("func.call @g(%a) : (T) -> T", "func.call", "a", {"callee": "@g"}),
    ("call @g(%a) : (T) -> T", "func.call", "a", {"callee": "@g"}),
    ('stablehlo.composite "a.b" %a {decomposition = @g} : (T) -> T', "stablehlo.composite", "a", {"decomposition": "@g", "name": '"a.b"'}),
    ('stablehlo.composite "a.b" %a ({ stablehlo.return %a : T }) {decomposition = @g} : (T) -> T', "stablehlo.composite", "a", {"decomposition": "@g", "name": '"a.b"'}),
    ("stablehlo.tuple %a, %s : tuple<T, tensor<f32>>", "stablehlo.tuple", "a s", {}),
    ("stablehlo.optimization_barrier %a : T", "stablehlo.optimization_barrier", "a", {}),
    ("chlo.erf %a : T -> T", "chlo.erf", "a", {}),
    ("chlo.next_after %a, %a : T, T -> T", "chlo.next_after", "a a", {}),
    ("chlo.broadcast_add %a, %s {broadcast_dimensions = array<i64>} : (T, tensor<f32>) -> T", "chlo.broadcast_add", "a s", {"broadcast_dimensions": "array<i64>"}),
    ("mhlo.add %a, %a : T", "stablehlo.add", "a a", {}),
    ("mhlo.erf %a : T", "chlo.erf", "a", {}),
    ("mhlo.copy %a : T", "mhlo.copy", "a", {}),
    ('sdy.sharding_constraint %a <@mesh, [{"x"}, {}]> : T', "sdy.sharding_constraint", "a", {"sharding": '#sdy.sharding<@mesh, [{"x"}, {}]>'}),
    ("stablehlo.constant dense<1.0> : T", "stablehlo.constant", "", {"value": "dense<1.0e+00> : tensor<2x4xf32>"}),
    ("arith.select %p, %a, %a : tensor<2x4xi1>, T", "arith.select", "p a a", {}),
    ("arith.constant 1 : index", "arith.constant", "", {"value": "1 : index"}),
    ("arith.cmpi slt, %i, %i : tensor<i32>", "arith.cmpi", "i i", {"predicate": "2 : i64"}),
    ("tensor.extract %n[%x] : tensor<2xi64>", "tensor.extract", "n x", {}),
    ("shape.shape_of %a : T -> tensor<2xindex>", "shape.shape_of", "a", {}),
]  # fmt: skip


@pytest.mark.parametrize(
    ("line", "name", "operands", "attributes"), SHAPES, ids=[line.split(" :")[0] for line, *_ in SHAPES]
)
def test_pretty_forms(line, name, operands, attributes):
    found = op("%r = " + re.sub(r"\bT\b", T, line), ARGUMENTS + ", %x: index")
    assert found.name == name and " ".join(operand.name for operand in found.operands) == operands
    assert {key: str(value) for key, value in found.attributes.items()} == attributes


def test_several_results_from_one_type_each():
    found = op("%k, %v = chlo.top_k(%a, k = 2) : tensor<2x4xf32> -> (tensor<2x2xf32>, tensor<2x2xi32>)", ARGUMENTS)
    assert [result.name for result in found.results] == ["k", "v"] and found.attributes == {"k": IntegerAttr(2, I64)}
    found = op("%r:2 = stablehlo.optimization_barrier %a, %s : tensor<2x4xf32>, tensor<f32>", ARGUMENTS)
    assert [result.type for result in found.results] == [TensorType((2, 4), F32), TensorType((), F32)]


def test_ops_without_results():
    found = op("check.expect_eq_const %s, dense<1.0> : tensor<f32>", ARGUMENTS)
    assert found.operands[0].name == "s" and found.results == () and found.attributes["value"].data == 1
    assert op("stablehlo.optimization_barrier()").operands == ()
    assert op("stablehlo.custom_call @f() {has_side_effect = true} : () -> ()").results == ()


def test_convolution_window():
    found = op(
        "%r = stablehlo.convolution(%x, %w) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f], window = {stride = [2],"
        " pad = [[0, 1]], lhs_dilate = [1], rhs_dilate = [3], reverse = [1]} {batch_group_count = 1 : i64} :"
        " (tensor<1x8x3xf32>, tensor<3x3x4xf32>) -> tensor<1x2x4xf32>",
        "%x: tensor<1x8x3xf32>, %w: tensor<3x3x4xf32>",
    ).attributes
    assert found["window_strides"].values == (2,) and found["rhs_dilation"].values == (3,)
    assert found["padding"].data.tolist() == [[0, 1]] and found["window_reversal"].values == (True,)
    assert found["dimension_numbers"].fields["kernel_output_feature_dimension"] == 2


def test_while_gives_both_regions_its_arguments():
    found = op(
        """%r:2 = stablehlo.while(%x = %s, %y = %i) : tensor<f32>, tensor<i32> attributes {k}
           cond {
             %q = "x"(%x) : (tensor<f32>) -> tensor<i1>
             stablehlo.return %q : tensor<i1>
           } do {
             stablehlo.return %x, %y : tensor<f32>, tensor<i32>
           }""",
        ARGUMENTS,
    )
    condition, body = found.regions
    assert [a.name for a in condition.arguments] == [a.name for a in body.arguments] == ["x", "y"]
    assert condition.arguments[0] is not body.arguments[0] and body.ops[0].operands == body.arguments
    assert found.attributes == {"k": UnitAttr()} and [o.name for o in found.operands] == ["s", "i"]


def test_reduce_with_an_op_and_with_a_region():
    short = op("%r = stablehlo.reduce(%a init: %s) applies stablehlo.add across dimensions = [1] :"
               " (tensor<2x4xf32>, tensor<f32>) -> tensor<2xf32>", ARGUMENTS)  # fmt: skip
    add, terminator = short.regions[0].ops
    assert add.name == "stablehlo.add" and add.operands == short.regions[0].arguments
    assert terminator.operands == add.results and add.results[0].type == TensorType((), F32)
    assert short.attributes == {"dimensions": DenseArrayAttr(I64, (1,))}
    # The op is of the operand's elements; the init value may have others, which are promoted.
    narrow = op("%r = stablehlo.reduce(%a init: %h) applies stablehlo.add across dimensions = [1] :"
                " (tensor<2x4xf32>, tensor<f16>) -> tensor<2xf32>", ARGUMENTS + ", %h: tensor<f16>")  # fmt: skip
    assert [a.type for a in narrow.regions[0].arguments] == [TensorType((), F32)] * 2
    both = op(
        """%r:2 = stablehlo.reduce(%a init: %s), (%a init: %s) across dimensions = [0] :
             (tensor<2x4xf32>, tensor<2x4xf32>, tensor<f32>, tensor<f32>) -> (tensor<4xf32>, tensor<4xf32>)
            reducer(%l0: tensor<f32>, %r0: tensor<f32>) (%l1: tensor<f32> loc("x"), %r1: tensor<f32>) {
             stablehlo.return %l0, %r1 : tensor<f32>, tensor<f32>
           }""",
        ARGUMENTS,
    )
    assert [o.name for o in both.operands] == ["a", "a", "s", "s"]
    assert [a.name for a in both.regions[0].arguments] == ["l0", "l1", "r0", "r1"]


def test_manual_computation_and_mesh():
    module = parse(
        """
        sdy.mesh @mesh = <["x"=2, "y"=4]>
        func.func @f(%a: tensor<4xf32>) {
          %0 = sdy.manual_computation(%a) in_shardings=[<@mesh, [{"x"}]>] out_shardings=[<@mesh, [{"x"}]>] manual_axes={"x"} (%b: tensor<2xf32>) {
            sdy.return %b : tensor<2xf32>
          } : (tensor<4xf32>) -> tensor<4xf32>
          return
        }
        """
    )
    (mesh,) = module.symbols
    assert mesh.attributes["sym_name"] == StringAttr("mesh")
    assert mesh.attributes["mesh"] == DialectAttr("sdy", "mesh", {}, '["x"=2, "y"=4]')
    manual = module.functions["f"].body.ops[0]
    assert manual.attributes["in_shardings"] == DialectAttr("sdy", "sharding_per_value", {}, '[<@mesh, [{"x"}]>]')
    assert manual.regions[0].arguments[0].name == "b"


def test_generic_form_takes_attributes_from_both_places():
    found = op('%r:2 = "x.y"(%a) <{p = 1 : i32}> ({\n}, {\n^bb0(%z: f32):\n "x.z"(%z, %a) : (f32, tensor<2x4xf32>) -> ()\n})'
               ' {q} : (tensor<2x4xf32>) -> (f32, i32)', ARGUMENTS)  # fmt: skip
    assert list(found.attributes) == ["p", "q"] and len(found.regions) == 2
    assert [result.name for result in found.results] == ["r#0", "r#1"]
    assert found.regions[1].ops[0].operands[1].name == "a"


def test_functions_do_not_see_each_others_values():
    module = parse("func.func @f(%a: tensor<f32>) { return }\nfunc.func @g(%a: tensor<f32>) { return }")
    assert len(module.functions) == 2


# ---------------------------------------------------------------- locations


@pytest.mark.parametrize(
    ("label", "name"),
    [
        ("unknown", ""),
        ('"a"', "a"),
        ('"f.py":1:2', "f.py:1:2"),
        ('"f.py":1:2 to 3:4', "f.py:1:2"),
        ('"f.py":1:2 to :4', "f.py:1:2"),
        ('"jit(main)/add"("f.py":1:2)', "jit(main)/add"),
        ('"jit(main)/add"(#loc1)', "jit(main)/add"),
        ("#loc1", "f.py:3:4"),
        ("#loc2", "inner"),
        ("#missing", ""),
        ("#loop", ""),
        ('callsite("callee" at "caller")', "callee"),
        ("callsite(unknown at #loc1)", "f.py:3:4"),
        ('fused["a", "b"("c"), #loc1]', "a, b, f.py:3:4"),
        ('fused<{x = "]["}>["a", unknown]', "a"),
        (r'"a \22quoted\22 name"', 'a "quoted" name'),
    ],
)
def test_location_names(label, name):
    aliases = {"#loc1": '"f.py":3:4', "#loc2": '"inner"(#loc1)', "#loop": "#loop"}
    assert location_name(label, aliases) == name
    where = "\n".join(f"{key} = loc({value})" for key, value in aliases.items() if key != "#loop")
    if label not in ("#missing", "#loop"):
        assert op(f'"x"() : () -> () loc({label})', before=where).location.name == name


def test_deep_locations():
    label = '"x"'
    for i in range(30):
        label = f'callsite("f{i}"({label}) at "g")'
    assert op(f'"x"() : () -> () loc({label})').location.name == "f29"


def test_locations_of_ops_and_arguments():
    module = parse(
        'func.func @f(%a: tensor<f32> loc("in")) {\n  %0 = stablehlo.abs %a : tensor<f32> loc(#loc1)\n  return\n}\n#loc1 = loc("out")'
    )
    function = module.functions["f"]
    assert function.body.arguments[0].location.name == "in"
    assert (function.body.ops[0].location.line, function.body.ops[0].location.column) == (2, 8)
    assert function.body.ops[0].location.name == "out"


# ---------------------------------------------------------------- the grammar


def test_every_rule_has_an_action():
    builder = _builder()
    # Those that only stand for others have none; nor have Lark's own, for repetitions.
    silent = {"file", "metadata", "section", "group"}
    for rule in builder.lark.rules:
        name = str(rule.alias or rule.origin.name).removeprefix("mlir__")
        assert name in silent or name.startswith("_") or rule.options.expand1 or hasattr(builder, name), name


def test_grammar_is_unambiguous():
    import interegular  # noqa: F401
    from lark import Lark

    Lark.open(str(grammar_folder() / "stablehlo.lark"), parser="lalr", start=STARTS, strict=True)


def test_location_aliases_that_refer_to_others_twice_take_no_time() -> None:
    """Each alias doubles what it stands for: forty of them would never end."""
    callsites = {"#0": '"f.py":1:2'} | {f"#{i}": f"callsite(#{i - 1} at #{i - 1})" for i in range(1, 41)}
    assert location_name("#40", callsites) == "f.py:1:2"
    assert location_frames("#40", callsites) == ("f.py:1",)
    fusions = {"#a0": '"a"', "#b0": '"b"'}
    for i in range(1, 41):
        fusions |= {f"#a{i}": f"fused[#a{i - 1}, #b{i - 1}]", f"#b{i}": f"fused[#b{i - 1}, #a{i - 1}]"}
    assert location_name("#a40", fusions).startswith("a, b, b, a, ")
    assert location_name("#x", {"#x": "callsite(#x at #x)"}) == ""


@pytest.mark.parametrize(
    ("label", "frames"),
    [
        ('"f.py":3:4', ("f.py:3",)),
        ('"name"("f.py":3:4)', ("f.py:3",)),
        ('"name"(callsite("in.py":1:2 at callsite("f.py":3:4 to :5:6 at #loc1)))', ("in.py:1", "f.py:3", "g.py:7")),
        ('fused<{a = "x"}>["f.py":3:4, "f.py":3:9]', ("f.py:3",)),
        ('"jit(main)/add"', ()),
        ("unknown", ()),
        ("#self", ()),
    ],
)
def test_location_frames(label: str, frames: tuple[str, ...]) -> None:
    assert location_frames(label, {"#loc1": '"g.py":7:8', "#self": "callsite(#self at #self)"}) == frames


def test_dimensions_that_are_not_integers_stay_as_they_are():
    """An array of dimensions that is written dense is one of integers, or an error of the op's."""
    text = (
        'func.func @main(%a: tensor<2xf32>) -> tensor<2xf32> {\n  %0 = "stablehlo.transpose"(%a) {permutation ='
        " dense<(0.0, 0.0)> : tensor<1xcomplex<f32>>} : (tensor<2xf32>) -> tensor<2xf32>\n"
        "  return %0 : tensor<2xf32>\n}"
    )
    assert "permutation = dense<" in str(parse(text))
    with pytest.raises(ParseError, match="'permutation' has 2000 numbers, more than any tensor has dimensions"):
        parse(text.replace("(0.0, 0.0)", "0").replace("1xcomplex<f32>", "2000xi64"))


def test_an_expression_without_plain_beginning_is_always_tried() -> None:
    patterns = {each.pattern.to_regexp() for each in _builder().lark.terminals}  # type: ignore[attr-defined]
    assert {beginning(each) for each in patterns} >= {"(", "<", "%", "#", "@", "["}
    for pattern in patterns:
        if first := beginning(pattern):
            assert re._parser.parse(pattern).data[0] == (re._constants.LITERAL, ord(first))  # type: ignore[attr-defined]
    assert [beginning(each) for each in ("a?b", "a|b", "a*", "[ab]", r"\d", "a{0}", "(a)", "^a")] == [""] * 8


def test_tokens_tried_one_after_the_other_are_those_of_one_expression() -> None:
    text = "".join(BY_NAME[name].path.read_text()[:1500] for name in ("cond", "fourier", "handwritten_generic"))
    lexer = _builder().lark.parser.lexer  # type: ignore[attr-defined]
    states = {each.scanner._mres[0].pattern: each.scanner._mres for each in lexer.lexers.values()}
    assert len(states) > 30
    for pattern, (tokens,) in states.items():
        together, alone = re.compile(pattern), Tokens(pattern, tokens.flags)
        assert len(alone.parts) == pattern.count("(?P<") == together.groups
        for at in range(0, len(text), 23):
            found = [each.match(text, at, len(text)) for each in (together, alone)]
            one, other = (each and (each.group(), each.lastgroup) for each in found)
            assert one == other, (at, text[at : at + 30])
