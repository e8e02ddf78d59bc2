"""Constraints of elementwise ops."""

from __future__ import annotations

import pytest

from .cases import Row, expect_refusal, expect_valid, names

F, N, U, B, C = "tensor<2x3xf32>", "tensor<2x3xi32>", "tensor<2x3xui32>", "tensor<2x3xi1>", "tensor<2x3xcomplex<f32>>"
WIDE, SCALAR, QUANTIZED = "tensor<2x4xf32>", "tensor<f32>", "!quant.uniform<i8:f32, 0.5>"
BY_ROW, BY_COLUMN = (f"tensor<2x2x!quant.uniform<i8:f32:{axis}, {{0.5, 0.25}}>>" for axis in (0, 1))
LT = "comparison_direction = #stablehlo<comparison_direction LT>"
BROADCAST = "MLIR leaves CHLO's broadcasting to its lowering"


def accuracy(atol: str, mode: str) -> str:
    fields = f"atol = {atol}, rtol = 0.0, ulps = 0, mode = #stablehlo.result_accuracy_mode<{mode}>"
    return f"<{{result_accuracy = #stablehlo.result_accuracy<{fields}>}}>"


ROWS: list[Row] = [
    (
        "stablehlo.tanh",
        f'"stablehlo.tanh"(%x) : ({F}) -> {WIDE}',
        f"the result has the shape [2, 3], but its declared type is {WIDE}",
    ),
    (
        "stablehlo.tanh",
        f'"stablehlo.tanh"(%x) : ({F}) -> tensor<2x3xf64>',
        "the result has elements of f32, but its declared type is",
    ),
    (
        "stablehlo.tanh",
        f'"stablehlo.tanh"(%x) : ({N}) -> {N}',
        "operand 0 is tensor<2x3xi32>, expected elements that are floats",
    ),
    ("stablehlo.tanh", f'"stablehlo.tanh"(%x, %y) : ({F}, {F}) -> {F}', "has 2 operands, expected 1"),
    ("stablehlo.tanh", f'"stablehlo.tanh"(%x) : ({F}) -> ({F}, {F})', "has 2 results, expected 1"),
    (
        "stablehlo.tanh",
        f'"stablehlo.tanh"(%x) <{{result_accuracy = 3 : i32}}> : ({F}) -> {F}',
        "the attribute 'result_accuracy' is not the accuracy",
    ),
    (
        "stablehlo.tanh",
        f'"stablehlo.tanh"(%x) {accuracy("-1.0", "TOLERANCE")} : ({F}) -> {F}',
        "the attribute 'result_accuracy' is not the accuracy of a result, #stablehlo.result_accuracy<…>: "
        "a tolerance is negative",
    ),
    (
        "stablehlo.tanh",
        f'"stablehlo.tanh"(%x) {accuracy("1.0", "HIGHEST")} : ({F}) -> {F}',
        "the attribute 'result_accuracy' is not the accuracy of a result, #stablehlo.result_accuracy<…>: "
        "the mode HIGHEST has no",
    ),
    (
        "stablehlo.abs",
        f'"stablehlo.abs"(%x) : ({U}) -> {U}',
        "operand 0 is tensor<2x3xui32>, expected elements that are signed",
    ),
    (
        "stablehlo.abs",
        f'"stablehlo.abs"(%x) : ({C}) -> {C}',
        "the result has elements of f32, but its declared type is",
    ),
    (
        "stablehlo.sign",
        f'"stablehlo.sign"(%x) : ({B}) -> {B}',
        "operand 0 is tensor<2x3xi1>, expected elements that are",
    ),
    (
        "stablehlo.negate",
        f'"stablehlo.negate"(%x) : ({B}) -> {B}',
        "operand 0 is tensor<2x3xi1>, expected elements that are",
    ),
    (
        "stablehlo.popcnt",
        f'"stablehlo.popcnt"(%x) : ({B}) -> {B}',
        "operand 0 is tensor<2x3xi1>, expected elements that are integers",
    ),
    (
        "stablehlo.add",
        f'"stablehlo.add"(%x, %y) : ({F}, {WIDE}) -> {F}',
        f"operand 1 is {WIDE}, expected the shape [2, 3] (C1)",
    ),
    ("stablehlo.add", f'"stablehlo.add"(%x, %y) : ({F}, {N}) -> {F}', f"operand 1 is {N}, expected elements of f32"),
    (
        "stablehlo.add",
        '"stablehlo.add"(%x, %y) : (tensor<?xf32>, tensor<4xf32>) -> tensor<5xf32>',
        "the result has the shape [4], but its declared type is tensor<5xf32>",
    ),
    (
        "stablehlo.add",
        f'"stablehlo.add"(%x, %y) : ({BY_ROW}, {BY_ROW}) -> {BY_COLUMN}',
        "the operands and the result have different quantization dimensions (C5, C6, C7)",
    ),
    (
        "stablehlo.multiply",
        f'"stablehlo.multiply"(%x, %y) : ({BY_ROW}, {BY_ROW}) -> {BY_ROW}',
        "accepts only quantized tensors with a single scale",
    ),
    (
        "stablehlo.convert",
        f'"stablehlo.convert"(%x) : (tensor<2x{QUANTIZED}>) -> tensor<2xf32>',
        "is not defined for quantized tensors, found tensor<2x!quant.uniform<i8:f32, 5.0e-01>>",
    ),
    (
        "stablehlo.convert",
        f'"stablehlo.convert"(%x) : ({F}) -> tensor<3x2xi32>',
        "the result has the shape [2, 3], but its declared type is",
    ),
    (
        "stablehlo.convert",
        f'"stablehlo.convert"(%x) : ({F}) -> tensor<2x3xindex>',
        "result 0 is tensor<2x3xindex>, but only sizes can be of type index",
    ),
    (
        "stablehlo.complex",
        f'"stablehlo.complex"(%x, %y) : (tensor<2x3xbf16>, tensor<2x3xbf16>) -> {C}',
        "the result has elements of bf16, but its declared type is",
    ),
    (
        "stablehlo.select",
        f'"stablehlo.select"(%p, %x, %y) : (tensor<3x2xi1>, {F}, {F}) -> {F}',
        "pred is tensor<3x2xi1>, expected a scalar or the shape [2, 3] (C1)",
    ),
    (
        "stablehlo.select",
        f'"stablehlo.select"(%p, %x, %y) : ({N}, {F}, {F}) -> {F}',
        f"operand 0 is {N}, expected elements of i1",
    ),
    (
        "stablehlo.clamp",
        f'"stablehlo.clamp"(%a, %x, %b) : (tensor<1xf32>, {F}, {F}) -> {F}',
        "min is tensor<1xf32>, expected a scalar or the shape [2, 3] (C1)",
    ),
    (
        "stablehlo.clamp",
        f'"stablehlo.clamp"(%a, %x, %b) : ({SCALAR}, {F}, {WIDE}) -> {F}',
        f"max is {WIDE}, expected a scalar or the shape [2, 3] (C2)",
    ),
    (
        "stablehlo.compare",
        f'"stablehlo.compare"(%x, %y) <{{{LT}}}> : ({F}, {F}) -> {N}',
        f"the result has elements of i1, but its declared type is {N}",
    ),
    (
        "stablehlo.compare",
        f'"stablehlo.compare"(%x, %y) : ({F}, {F}) -> {B}',
        "lacks the attribute 'comparison_direction'",
    ),
    (
        "stablehlo.compare",
        f'"stablehlo.compare"(%x, %y) <{{{LT.replace("direction LT", "type FLOAT")}}}> : ({F}, {F}) -> {B}',
        "the attribute 'comparison_direction' is not one of EQ, NE, GE, GT, LE, LT",
    ),
    (
        "stablehlo.reduce_precision",
        f'"stablehlo.reduce_precision"(%x) <{{exponent_bits = 0 : i32, mantissa_bits = 3 : i32}}> : ({F}) -> {F}',
        "exponent_bits is 0, expected at least 1 (C2)",
    ),
    (
        "stablehlo.reduce_precision",
        f'"stablehlo.reduce_precision"(%x) <{{exponent_bits = 3 : i32, mantissa_bits = -1 : i32}}> : ({F}) -> {F}',
        "mantissa_bits is -1, expected at least 0 (C3)",
    ),
    (
        "stablehlo.reduce_precision",
        f'"stablehlo.reduce_precision"(%x) <{{exponent_bits = 3 : i64, mantissa_bits = 3 : i32}}> : ({F}) -> {F}',
        "the attribute 'exponent_bits' is not an integer of 32 bits",
    ),
    ("chlo.erf", f'"chlo.erf"(%x) : ({C}) -> {C}', f"operand 0 is {C}, expected elements that are floats"),
    (
        "chlo.conj",
        f'"chlo.conj"(%x) : ({N}) -> {N}',
        f"operand 0 is {N}, expected elements that are floats or complex numbers",
    ),
    (
        "chlo.broadcast_and",
        f'"chlo.broadcast_and"(%x, %y) : ({F}, {F}) -> {F}',
        f"operand 0 is {F}, expected elements that are booleans (i1) or integers",
    ),
    (
        "chlo.broadcast_add",
        f'"chlo.broadcast_add"(%x, %y) : (tensor<5xf32>, {F}) -> {F}',
        f"operand 1 is {F}, which does not broadcast to the others' [2, 5]",
        BROADCAST,
    ),
    (
        "chlo.broadcast_add",
        f'"chlo.broadcast_add"(%x, %y) <{{broadcast_dimensions = array<i64: 2>}}> : (tensor<3xf32>, {F}) -> {F}',
        "broadcast_dimensions is [2], expected 1 of the dimensions 0 to 1",
        BROADCAST,
    ),
    (
        "chlo.broadcast_add",
        f'"chlo.broadcast_add"(%x, %y) : (tensor<3xf32>, {F}) -> {WIDE}',
        "the result has the shape [2, 3], but its declared type is",
    ),
]

VALID = [
    '"stablehlo.add"(%x, %y) : (tensor<?xf32>, tensor<4xf32>) -> tensor<4xf32>',
    f'"stablehlo.select"(%p, %x, %y) : (tensor<i1>, {F}, {F}) -> {F}',
    f'"stablehlo.clamp"(%a, %x, %b) : ({SCALAR}, {F}, {SCALAR}) -> {F}',
    f'"stablehlo.abs"(%x) : ({C}) -> {F}',
    f'"stablehlo.complex"(%x, %y) : ({F}, {F}) -> {C}',
    f'"stablehlo.tanh"(%x) {accuracy("1.0", "TOLERANCE")} : ({F}) -> {F}',
    f'"chlo.broadcast_add"(%x, %y) <{{broadcast_dimensions = array<i64: 0>}}> : (tensor<2xf32>, {F}) -> {F}',
    f'"chlo.broadcast_select"(%p, %x, %y) : (tensor<1xi1>, tensor<3xf32>, tensor<2x1xf32>) -> {F}',
]


@pytest.mark.parametrize("row", ROWS, ids=names(ROWS))
def test_refusal(row: Row) -> None:
    expect_refusal(*row)


@pytest.mark.parametrize("text", VALID)
def test_valid(text: str) -> None:
    expect_valid(text)
