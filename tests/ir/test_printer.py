"""Graph → text: the generic form, and that it reads back as the same graph."""

# ruff: noqa: E501 (rows of tables)

from __future__ import annotations

import textwrap
from pathlib import Path

import numpy as np
import pytest

from hlo2tiny.ir import (
    ArrayAttr,
    BoolAttr,
    DenseAttr,
    DialectAttr,
    DictAttr,
    FloatAttr,
    FunctionType,
    IntegerAttr,
    ScalarType,
    StringAttr,
    SymbolAttr,
    TensorType,
    TypeAttr,
    UnitAttr,
)
from hlo2tiny.syntax.parser import parse

F32, I32 = ScalarType("f32"), ScalarType("i32")
CORPUS = sorted((Path(__file__).parents[2] / "corpus").rglob("*.mlir"))


@pytest.mark.parametrize(
    ("type", "text"),
    [
        (FunctionType((), ()), "() -> ()"),
        (FunctionType((F32,), (F32,)), "(f32) -> f32"),
        (FunctionType((F32,), (F32, I32)), "(f32) -> (f32, i32)"),
        (FunctionType((), (FunctionType((), ()),)), "() -> (() -> ())"),
        (TensorType((2, None), F32), "tensor<2x?xf32>"),
    ],
)
def test_types(type, text):
    assert str(type) == text


@pytest.mark.parametrize(
    ("attribute", "text"),
    [
        (FloatAttr(1.0, F32), "1.0e+00 : f32"),
        (FloatAttr(float(np.float32(0.1)), F32), "1.0e-01 : f32"),
        (FloatAttr(-0.0, F32), "-0.0e+00 : f32"),
        (FloatAttr(float("inf"), F32), "0x7F800000 : f32"),
        (FloatAttr(float("nan"), ScalarType("bf16")), "0x7FC0 : bf16"),
        (BoolAttr(True), "true"),
        (StringAttr('a"\\\n\0é\udcff'), r'"a\22\5C\0A\00\C3\A9\FF"'),
        (SymbolAttr(("a", "b c")), '@a::@"b c"'),
        (TypeAttr(F32), "f32"),
        (DictAttr({"a": UnitAttr(), "b c": IntegerAttr(1, I32)}), '{a, "b c" = 1 : i32}'),
        (ArrayAttr((UnitAttr(),)), "[unit]"),
        (DialectAttr("stablehlo", "precision", {}, "HIGH"), "#stablehlo<precision HIGH>"),
        (DialectAttr("stablehlo", "result_accuracy_mode", {}, "DEFAULT"), "#stablehlo.result_accuracy_mode<DEFAULT>"),
        (DialectAttr("stablehlo", "bounds", {"bounds": [None, 8]}), "#stablehlo.bounds<?, 8>"),
        (
            DenseAttr(TensorType((2, 2), F32), np.array([[1, -0.0], [np.inf, 0.1]], np.float32)),
            "dense<[[1.0e+00, -0.0e+00], [0x7F800000, 1.0e-01]]> : tensor<2x2xf32>",
        ),
        (DenseAttr(TensorType((3,), I32), np.broadcast_to(np.int32(5), (3,)), True), "dense<5> : tensor<3xi32>"),
        (DenseAttr(TensorType((0,), I32), np.zeros(0, np.int32)), "dense<> : tensor<0xi32>"),
    ],
)
def test_attributes(attribute, text):
    assert str(attribute) == text


def test_large_data_is_hexadecimal_and_exact():
    data = np.random.default_rng(0).integers(0, 2**32, 100, np.uint32).view(np.float32)
    text = str(DenseAttr(TensorType((100,), F32), data))
    assert text == f'dense<"0x{data.tobytes().hex().upper()}"> : tensor<100xf32>'


def test_module():
    module = parse(
        textwrap.dedent(
            """
            module @m attributes {k = 1 : i32} {
              func.func public @main(%x: tensor<2xf32> {a.b}, %y: tensor<f32>) -> tensor<f32> {
                %0:2 = "foo.two"(%x) : (tensor<2xf32>) -> (i32, f32)
                %1 = stablehlo.reduce(%x init: %y) applies stablehlo.add across dimensions = [0] : (tensor<2xf32>, tensor<f32>) -> tensor<f32>
                "foo.use"(%0#1, %0) : (f32, i32) -> ()
                return %1 : tensor<f32>
              }
            }
            """
        )
    )
    assert str(module) == textwrap.dedent(
        """\
        "builtin.module"() ({
          "func.func"() ({
          ^bb0(%0: tensor<2xf32>, %1: tensor<f32>):
            %2:2 = "foo.two"(%0) : (tensor<2xf32>) -> (i32, f32)
            %4 = "stablehlo.reduce"(%0, %1) ({
            ^bb0(%5: tensor<f32>, %6: tensor<f32>):
              %7 = "stablehlo.add"(%5, %6) : (tensor<f32>, tensor<f32>) -> tensor<f32>
              "stablehlo.return"(%7) : (tensor<f32>) -> ()
            }) {dimensions = array<i64: 0>} : (tensor<2xf32>, tensor<f32>) -> tensor<f32>
            "foo.use"(%2#1, %2#0) : (f32, i32) -> ()
            "func.return"(%4) : (tensor<f32>) -> ()
          }) {sym_name = "main", function_type = (tensor<2xf32>, tensor<f32>) -> tensor<f32>, sym_visibility = "public", arg_attrs = [{a.b}, {}]} : () -> ()
        }) {sym_name = "m", k = 1 : i32} : () -> ()
        """
    )


def test_resources_are_at_the_end():
    text = (
        "module attributes {a = [dense_resource<r> : tensor<2xi32>]} {\n}\n"
        '{-# dialect_resources: { builtin: { r: "0x040000000100000002000000" } } #-}'
    )
    printed = str(parse(text))
    assert 'r: "0x400000000100000002000000"' in printed
    assert parse(printed).attributes["a"].items[0].data.tolist() == [1, 2]


@pytest.mark.sampled(10, ci=5)
@pytest.mark.parametrize("path", CORPUS, ids=lambda path: path.stem)
def test_printed_text_is_stable(path):
    printed = str(parse(path))
    assert str(parse(printed)) == printed
