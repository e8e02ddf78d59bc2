"""Constraints of products of matrices and of convolutions."""

# ruff: noqa: E501 (rows of tables)

from __future__ import annotations

import re
from dataclasses import replace

import pytest

import hlo2tiny
from hlo2tiny.ir import DialectAttr
from hlo2tiny.ops import find_violation

from .cases import Row, expect_refusal, expect_valid, names, program

NO_OPINION = "MLIR infers no shape of an einsum"
UNCHECKED = "MLIR checks no window of a dynamic_conv, and infers no shape"
COMPLEX = "MLIR lets the result be of any element"


def attributes(**values: str | None) -> str:
    return ", ".join(f"{name} = {value}" for name, value in values.items() if value)


def dot(
    lhs: str = "2x3x4xf32",
    rhs: str = "2x4x5xf32",
    result: str = "2x3x5xf32",
    batching: tuple[list[int], list[int]] = ([0], [0]),
    contracting: tuple[list[int], list[int]] = ([2], [1]),
    **more: str,
) -> str:
    lists = zip(("batching", "contracting"), (batching, contracting))
    fields = ", ".join(
        f"{side}_{kind}_dimensions = {found}" for kind, pair in lists for side, found in zip(("lhs", "rhs"), pair)
    )
    text = attributes(dot_dimension_numbers=f"#stablehlo.dot<{fields}>", **more)
    return f'"stablehlo.dot_general"(%a, %b) <{{{text}}}> : (tensor<{lhs}>, tensor<{rhs}>) -> tensor<{result}>'


def algorithm(lhs: str = "tf32", rhs: str = "tf32", total: str = "f32", **counts: int) -> str:
    numbers = dict.fromkeys(("lhs_component_count", "rhs_component_count", "num_primitive_operations"), 1) | counts
    fields = f"lhs_precision_type = {lhs}, rhs_precision_type = {rhs}, accumulation_type = {total}"
    fields += "".join(f", {name} = {count}" for name, count in numbers.items())
    return f"#stablehlo.dot_algorithm<{fields}, allow_imprecise_accumulation = false>"


def precision(*words: str, dialect: str = "stablehlo") -> str:
    return f"[{', '.join(f'#{dialect}<precision {word}>' for word in words)}]"


def quantized(storage: str = "i8", expressed: str = "f32", axis: str = "", scales: str = "2.0") -> str:
    return f"!quant.uniform<{storage}:{expressed}{axis}, {scales}>"


Q, WIDE = quantized(), quantized("i32")
THREE = quantized(axis=":3", scales="{1.0, 2.0, 3.0}")


def quantized_dot(lhs: str = Q, rhs: str = Q, result: str = WIDE) -> str:
    return dot(f"2x3x4x{lhs}", f"2x4x5x{rhs}", f"2x3x5x{result}")


def plain_dot(lhs: str, rhs: str, result: str, **more: str) -> str:
    return f'"stablehlo.dot"(%a, %b) <{{{attributes(**more)}}}> : (tensor<{lhs}>, tensor<{rhs}>) -> tensor<{result}>'


def ragged(
    lhs: str = "2x11x5xf32",
    rhs: str = "3x2x5x7xf32",
    groups: str = "3xi32",
    result: str = "2x11x7xf32",
    lhs_ragged: str = "[1]",
    rhs_group: str = "[0]",
    contracting: tuple[str, str] = ("[2]", "[2]"),
    **more: str,
) -> str:
    fields = (
        f"lhs_batching_dimensions = [0], rhs_batching_dimensions = [1], lhs_contracting_dimensions = {contracting[0]},"
        f" rhs_contracting_dimensions = {contracting[1]}, lhs_ragged_dimensions = {lhs_ragged},"
        f" rhs_group_dimensions = {rhs_group}"
    )
    text = attributes(ragged_dot_dimension_numbers=f"#chlo.ragged_dot<{fields}>", **more)
    types = f"(tensor<{lhs}>, tensor<{rhs}>, tensor<{groups}>) -> tensor<{result}>"
    return f'"chlo.ragged_dot"(%a, %b, %g) <{{{text}}}> : {types}'


def ragged_sum(groups: str = "3xi32", result: str = "3x2x11x7xf32", rhs_group: str = "[]") -> str:
    """The ragged dimension is contracted: a result for each group."""
    return ragged("2x11x5xf32", "5x2x7xf32", groups, result, "[2]", rhs_group, ("[2]", "[0]"))


def einsum(config: str, *types: str) -> str:
    *operands, result = (f"tensor<{type}>" for type in types)
    op = "einsum" if len(operands) == 2 else "unary_einsum"
    given = ", ".join(f"%x{i}" for i in range(len(operands)))
    return f'"stablehlo.{op}"({given}) <{{einsum_config = "{config}"}}> : ({", ".join(operands)}) -> {result}'


LAYOUT = "[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]"


def convolution(
    lhs: str = "2x8x9x4xf32",
    rhs: str = "3x3x4x6xf32",
    result: str = "2x6x7x6xf32",
    layout: str = LAYOUT,
    feature_group_count: str = "1 : i64",
    batch_group_count: str = "1 : i64",
    **more: str,
) -> str:
    text = attributes(
        dimension_numbers=f"#stablehlo.conv<{layout}>",
        feature_group_count=feature_group_count,
        batch_group_count=batch_group_count,
        **more,
    )
    return f'"stablehlo.convolution"(%x, %w) <{{{text}}}> : (tensor<{lhs}>, tensor<{rhs}>) -> tensor<{result}>'


def quantized_convolution(lhs: str = Q, rhs: str = Q, result: str = WIDE) -> str:
    return convolution(f"2x8x9x4x{lhs}", f"3x3x4x3x{rhs}", f"2x6x7x3x{result}")


def dynamic_conv(padding: str = "2x2xi64", result: str = "2x?x?x6xf32", layout: str = LAYOUT, **more: str) -> str:
    text = attributes(
        dimension_numbers=f"#stablehlo.conv<{layout}>",
        **{"feature_group_count": "1 : i64", "batch_group_count": "1 : i64", **more},
    )
    types = f"(tensor<2x8x9x4xf32>, tensor<3x3x4x6xf32>, tensor<{padding}>) -> tensor<{result}>"
    return f'"stablehlo.dynamic_conv"(%x, %w, %p) <{{{text}}}> : {types}'


DOT, CONVOLUTION, DYNAMIC = "stablehlo.dot_general", "stablehlo.convolution", "stablehlo.dynamic_conv"
DOTS: list[Row] = [
    (DOT, dot(batching=([0], [])), "has 1 batching dimension of lhs but 0 of rhs (C1)"),
    (DOT, dot(contracting=([2], [])), "has 1 contracting dimension of lhs but 0 of rhs (C2)"),
    (DOT, dot(batching=([0], [0]), contracting=([0], [1])), "names a dimension of lhs twice: [0] and [0] (C3)"),
    (DOT, dot(contracting=([2, 1], [1, 1])), "names a dimension of rhs twice: [0] and [1, 1] (C4)"),
    (DOT, dot(batching=([3], [0])), "lhs_batching_dimensions is [3], expected dimensions of a tensor of rank 3 (C5)"),
    (DOT, dot(contracting=([-1], [1])), "lhs_contracting_dimensions is [-1], expected dimensions of a tensor"),
    (DOT, dot(batching=([0], [-2147483648])), "rhs_batching_dimensions is [-2147483648], expected dimensions"),
    (
        DOT,
        dot(contracting=([2], [3])),
        "rhs_contracting_dimensions is [3], expected dimensions of a tensor of rank 3 (C8)",
    ),
    (DOT, dot("3x3x4xf32"), "the batching dimensions 0 of lhs and 0 of rhs have the sizes 3 and 2 (C9)"),
    (DOT, dot(rhs="2x4x5xindex"), "operand 1 is tensor<2x4x5xindex>, but only sizes can be of type index"),
    (DOT, dot("2x3x6xf32"), "the contracting dimensions 2 of lhs and 1 of rhs have the sizes 6 and 4 (C10)"),
    (DOT, dot(precision_config=precision(*["HIGH"] * 3)), "precision_config has 3 words, expected one for each"),
    (
        DOT,
        dot(precision_config=precision("HIGH", "LOW")),
        "the attribute 'precision_config' is not a list, each item one",
    ),
    (
        DOT,
        dot(result="2x3x4xf32"),
        "the result has the shape [2, 3, 5], but its declared type is tensor<2x3x4xf32> (C12)",
    ),
    (DOT, dot(result="9xf32"), "the result has the shape [2, 3, 5], but its declared type is tensor<9xf32>"),
    (
        DOT,
        dot("2x3x4xcomplex<f32>", "2x4x5xcomplex<f32>"),
        "operand 0 is tensor<2x3x4xcomplex<f32>>, but the declared type is tensor<2x3x5xf32>, which is not complex",
        COMPLEX,
    ),
    (
        DOT,
        quantized_dot(rhs="f32"),
        "lhs is tensor<2x3x4x!quant.uniform<i8:f32, 2.0e+00>>, rhs is tensor<2x4x5xf32> and the result is tensor<2x3x5x!quant.uniform<i32:f32, 2.0e+00>>, expected rhs to be quantized, and both or neither of the others (C14)",
    ),
    (
        DOT,
        quantized_dot(rhs=quantized("i8", scales="2.0:1")),
        "rhs is tensor<2x4x5x!quant.uniform<i8:f32, 2.0e+00:1>>,",
    ),
    (
        DOT,
        dot(f"2x3x4x{Q}", f"2x4x5x{quantized(axis=':1', scales='{1.0, 1.0, 1.0, 1.0}')}", f"2x3x5x{WIDE}"),
        "the quantization dimension of rhs, 1, is contracted (C16)",
    ),
    (DOT, quantized_dot(rhs=quantized("i16")), "lhs is stored as i8, rhs as i16, expected equal types (C17)"),
    (
        DOT,
        quantized_dot(quantized("i8", "f16")),
        "lhs, rhs and result have the expressed types f16, f32, f32, expected equal ones (C18)",
    ),
    (
        DOT,
        quantized_dot(result=quantized("i32", axis=":1", scales="{1.0, 2.0, 3.0}")),
        "the result is tensor<2x3x5x!quant.uniform<i32:f32:1, {1.0e+00, 2.0e+00, 3.0e+00}>>, expected a single"
        " scale, like rhs (C19)",
    ),
    (
        DOT,
        quantized_dot("f64", Q, "f64"),
        "lhs, rhs and result have the expressed types f64, f32, f64, expected equal ones (C20)",
    ),
    (
        DOT,
        dot(precision_config=precision("HIGH", "DEFAULT"), algorithm=algorithm()),
        "precision_config is [HIGH, DEFAULT], expected DEFAULT together with an algorithm (C21)",
    ),
    (
        DOT,
        dot(algorithm=algorithm(lhs_component_count=0)),
        "lhs_component_count is 0, expected a positive number (C22)",
    ),
    (
        DOT,
        dot(algorithm=algorithm(rhs_component_count=-1)),
        "rhs_component_count is -1, expected a positive number (C23)",
    ),
    (DOT, dot(algorithm=algorithm(num_primitive_operations=0)), "num_primitive_operations is 0, expected a positive"),
    (
        DOT,
        dot(algorithm=algorithm(num_primitive_operations=2)),
        "the algorithm (tf32, tf32, f32, 2 products) is not supported by any hardware",
    ),
    (
        DOT,
        dot(algorithm=algorithm("i8", "i8", "i32")),
        "the algorithm (i8, i8, i32, 1 product) is not supported by any hardware",
    ),
    (
        DOT,
        re.sub("#stablehlo.dot<[^>]*>", "#stablehlo.gather<offset_dims = [0]>", dot()),
        "the attribute 'dot_dimension_numbers' is not #stablehlo.dot<",
    ),
    ("stablehlo.dot", plain_dot("2x3x4xf32", "4x5xf32", "2x3x5xf32"), "lhs is tensor<2x3x4xf32>, expected a vector or"),
    ("stablehlo.dot", plain_dot("2x3xf32", "f32", "2x3xf32"), "rhs is tensor<f32>, expected a vector or a matrix"),
    (
        "stablehlo.dot",
        plain_dot("2x3xf32", "2x3xf32", "2x3xf32"),
        "the contracting dimensions 1 of lhs and 0 of rhs have",
    ),
    (
        "stablehlo.dot",
        plain_dot("3xf32", "3x2xf32", "3xf32"),
        "the result has the shape [2], but its declared type is tensor<3xf32>",
    ),
    (
        "stablehlo.dot",
        plain_dot("3xf32", "3xf32", "f32", precision_config=precision(*["HIGH"] * 3)),
        "precision_config has 3 words, expected one for each operand (dot_general C11)",
    ),
    ("chlo.ragged_dot", ragged(lhs_ragged="[]"), "lhs_ragged_dimensions is [], expected one dimension of lhs"),
    ("chlo.ragged_dot", ragged(lhs_ragged="[3]"), "lhs_ragged_dimensions is [3], expected one dimension of lhs"),
    ("chlo.ragged_dot", ragged(lhs_ragged="[0, 1]"), "lhs_ragged_dimensions is [0, 1], expected one dimension of lhs"),
    ("chlo.ragged_dot", ragged(rhs_group="[]"), "rhs_group_dimensions is [], expected one free dimension of rhs"),
    ("chlo.ragged_dot", ragged(rhs_group="[1]"), "rhs_group_dimensions is [1], expected one free dimension of rhs"),
    ("chlo.ragged_dot", ragged_sum(rhs_group="[2]"), "rhs_group_dimensions is [2], expected none, as the ragged"),
    ("chlo.ragged_dot", ragged(groups="4xi32"), "dimension 0 of rhs has the size 3, expected 4, the number of groups"),
    ("chlo.ragged_dot", ragged(groups="i32"), "operand 2 is tensor<i32>, expected a list of group sizes"),
    ("chlo.ragged_dot", ragged(groups="4x3xi32"), "operand 2 is tensor<4x3xi32>, expected the shape [2, 3] or [3]"),
    ("chlo.ragged_dot", ragged(groups="3xf32"), "operand 2 is tensor<3xf32>, expected integers"),
    ("chlo.ragged_dot", ragged(result="2x11x8xf32"), "the result has the shape [2, 11, 7], but its declared type is"),
    (
        "chlo.ragged_dot",
        ragged_sum(result="2x11x7xf32"),
        "the result has the shape [3, 2, 11, 7], but its declared type is",
    ),
    ("chlo.ragged_dot", ragged(contracting=("[2]", "[3]")), "the contracting dimensions 2 of lhs and 3 of rhs have"),
    (
        "chlo.ragged_dot",
        ragged(precision_config=precision(*["HIGH"] * 3, dialect="chlo")),
        "precision_config has 3 words, expected one for each operand (dot_general C11)",
    ),
    (
        "stablehlo.einsum",
        einsum("ab,bc->ac", "2x3xf32", "3x4xf32", "2x5xf32"),
        "the result has the shape [2, 4]",
        NO_OPINION,
    ),
    (
        "stablehlo.einsum",
        einsum("ab,bc->ac", "2x3xf32", "5x4xf32", "2x4xf32"),
        "has the label 'b' for dimensions of 3 and 5",
        NO_OPINION,
    ),
    (
        "stablehlo.einsum",
        einsum("ab,bc,c->a", "2x3xf32", "3x4xf32", "2xf32"),
        "has the formula 'ab,bc,c->a', expected 2 terms",
        NO_OPINION,
    ),
    (
        "stablehlo.einsum",
        einsum("...ab,...bc->...ac", "2x1x3xf32", "5x3x4xf32", "2x1x4xf32"),
        "has the label '0' for dimensions of 2 and 5",
        NO_OPINION,
    ),
    (
        "stablehlo.unary_einsum",
        einsum("ab->a", "2x3xf32", "3xf32"),
        "the result has the shape [2], but its declared type is tensor<3xf32>",
        NO_OPINION,
    ),
    ("stablehlo.unary_einsum", einsum("abc->a", "2x3xf32", "2xf32"), "has the term 'abc' for an operand", NO_OPINION),
    (
        "stablehlo.unary_einsum",
        einsum("ab->a", "2x3xf32", "2xi32"),
        "the result has elements of f32, but its declared type is",
        NO_OPINION,
    ),
]

TWO_PAIRS = "dense<1> : tensor<2x2xi64>"
CONVOLUTIONS: list[Row] = [
    (CONVOLUTION, convolution("2x8x4xf32"), "lhs is tensor<2x8x4xf32> and rhs is tensor<3x3x4x6xf32>, expected equal ranks of at least 2 (C1)"),
    (CONVOLUTION, convolution("4xf32", "4xf32", "4xf32"), "lhs is tensor<4xf32> and rhs is tensor<4xf32>, expected equal ranks of at least 2 (C1)"),
    (CONVOLUTION, convolution(window_strides="array<i64: 1>"), "window_strides is [1], expected 2 numbers, one for each"),
    (CONVOLUTION, convolution(window_strides="array<i64: 0, 1>"), "window_strides is [0, 1], expected positive numbers (C3)"),
    (CONVOLUTION, convolution(padding="dense<1> : tensor<1x2xi64>"), "padding has 1 pair, expected 2 pairs, one for each"),
    (CONVOLUTION, convolution(padding="dense<1> : tensor<2x3xi64>"), "the attribute 'padding' is not a list of pairs"),
    (CONVOLUTION, convolution(lhs_dilation="array<i64: 1, 1, 1>"), "lhs_dilation is [1, 1, 1], expected 2 numbers, one for"),
    (CONVOLUTION, convolution(lhs_dilation="array<i64: 1, 0>"), "lhs_dilation is [1, 0], expected positive numbers (C6)"),
    (CONVOLUTION, convolution(rhs_dilation="array<i64: 1>"), "rhs_dilation is [1], expected 2 numbers, one for each dimension"),
    (CONVOLUTION, convolution(rhs_dilation="array<i64: -1, 1>"), "rhs_dilation is [-1, 1], expected positive numbers (C8)"),
    (CONVOLUTION, convolution(window_reversal="array<i1: true>"), "window_reversal has 1 boolean, expected 2 (C9)"),
    (
        CONVOLUTION,
        convolution(batch_group_count="3 : i64"),
        "the batch dimension of lhs has the size 2, expected a multiple of batch_group_count, 3 (C10)",
    ),
    (
        CONVOLUTION,
        convolution(feature_group_count="3 : i64"),
        "the input feature dimension of lhs has the size 4, expected a multiple of feature_group_count, 3 (C11)",
    ),
    (CONVOLUTION, convolution(layout="[b, 0, f]x[0, 1, i, o]->[b, 0, 1, f]"), "has 1 input spatial dimension, expected 2 (C12)"),
    (
        CONVOLUTION,
        convolution(rhs="3x3x5x6xf32"),
        "the input feature dimension of rhs has the size 5, expected 4, the 4 of lhs divided by feature_group_count (C14)",
    ),
    (
        CONVOLUTION,
        convolution(rhs="3x3x4x5xf32", batch_group_count="2 : i64"),
        "the output feature dimension of rhs has the size 5, expected a multiple of batch_group_count, 2 (C15)",
    ),
    (
        CONVOLUTION,
        convolution(rhs="3x3x2x5xf32", feature_group_count="2 : i64"),
        "the output feature dimension of rhs has the size 5, expected a multiple of feature_group_count, 2 (C16)",
    ),
    (CONVOLUTION, convolution(layout="[b, 0, 1, f]x[0, i, o]->[b, 0, 1, f]"), "has 1 kernel spatial dimension, expected 2 (C17)"),
    (CONVOLUTION, convolution(layout="[b, 0, 1, f]x[0, 1, i, o]->[b, 0, f]"), "has 1 output spatial dimension, expected 2 (C19)"),
    (CONVOLUTION, convolution(feature_group_count="0 : i64"), "feature_group_count is 0, expected a positive number (C21)"),
    (CONVOLUTION, convolution(batch_group_count="0 : i64"), "batch_group_count is 0, expected a positive number (C22)"),
    (
        CONVOLUTION,
        convolution(feature_group_count="2 : i64", batch_group_count="2 : i64"),
        "feature_group_count is 2 and batch_group_count is 2, expected one of them to be 1 (C23)",
    ),
    (CONVOLUTION, convolution(precision_config=precision(*["HIGH"] * 3)), "precision_config has 3 words, expected one for"),
    (CONVOLUTION, convolution(result="2x8x9x6xf32"), "the result has the shape [2, 6, 7, 6], but its declared type is tensor<2x8x9x6xf32> (C25)"),
    (CONVOLUTION, convolution(padding=TWO_PAIRS), "the result has the shape [2, 8, 9, 6], but its declared type is tensor<2x6x7x6xf32>"),
    (CONVOLUTION, convolution(result="2x6x7x6x1xf32"), "the result has the shape [2, 6, 7, 6], but its declared type is"),
    (CONVOLUTION, convolution(rhs="3x3x4x6xi32"), "lhs is tensor<2x8x9x4xf32> and rhs is tensor<3x3x4x6xi32>, expected equal element types (C27)"),
    (
        CONVOLUTION,
        convolution("2x8x9x4xcomplex<f32>", "3x3x4x6xcomplex<f32>"),
        "operand 0 is tensor<2x8x9x4xcomplex<f32>>, but the declared type is tensor<2x6x7x6xf32>, which is not complex",
        COMPLEX,
    ),
    (CONVOLUTION, convolution(rhs="3x0x4x6xf32"), "rhs is tensor<3x0x4x6xf32>, expected spatial dimensions of at least 1"),
    (CONVOLUTION, convolution(feature_group_count="1 : i32"), "the attribute 'feature_group_count' is not an integer of 64"),
    (CONVOLUTION, quantized_convolution(result="f32"), "lhs is tensor<2x8x9x4x!quant.uniform<i8:f32, 2.0e+00>>, rhs"),
    (
        CONVOLUTION,
        quantized_convolution(rhs=quantized(axis=":0", scales="{1.0, 2.0, 3.0}")),
        "the quantization dimension of rhs is 0, expected 3, its feature dimension (C29)",
    ),
    (
        CONVOLUTION,
        convolution(f"2x8x3x4x{Q}", f"3x1x4x3x{THREE}", f"2x6x3x3x{quantized('i32', axis=':2', scales='{1.0, 2.0, 3.0}')}"),
        "the quantization dimension of the result is 2, expected 3, its feature dimension (C30)",
    ),
    (CONVOLUTION, quantized_convolution(rhs=quantized("i16")), "lhs is stored as i8, rhs as i16, expected equal types (C31)"),
    (CONVOLUTION, quantized_convolution(quantized("i8", "f16")), "lhs, rhs and result have the expressed types f16, f32, f32, expected equal ones (C32)"),
    (CONVOLUTION, quantized_convolution(result=THREE.replace("i8", "i32")), "the result is tensor<2x6x7x3x!quant.uniform"),
    (CONVOLUTION, quantized_convolution("f64", Q, "f64"), "lhs, rhs and result have the expressed types f64, f32, f64, expected equal ones (C34)"),
    (DYNAMIC, dynamic_conv("3x2xi64"), "operand 2 is tensor<3x2xi64>, expected the shape [2, 2] (C4)"),
    (DYNAMIC, dynamic_conv("?x2xi64"), "operand 2 is tensor<?x2xi64>, expected the shape [2, 2] (C4)"),
    (DYNAMIC, dynamic_conv("2x2xf32"), "operand 2 is tensor<2x2xf32>, expected integers"),
    (DYNAMIC, dynamic_conv(result="2x?x?x5xf32"), "the result has the shape [2, ?, ?, 6], but its declared type is", UNCHECKED),
    (DYNAMIC, dynamic_conv(window_strides="array<i64: 1, 0>"), "window_strides is [1, 0], expected positive", UNCHECKED),
    (DYNAMIC, dynamic_conv(batch_group_count="0 : i64"), "batch_group_count is 0, expected a positive number (C22)"),
]  # fmt: skip
ROWS = DOTS + CONVOLUTIONS


@pytest.mark.parametrize("row", ROWS, ids=names(ROWS))
def test_row(row: Row) -> None:
    expect_refusal(*row)


VALID = [
    dot(),
    dot("?x3x?xf32", "2x4x?xf32", "2x?x5xf32"),
    dot(result="2x3x5xi32"),
    dot("2x3x4xf8E4M3FN", "2x4x5xf8E5M2", algorithm=algorithm("f8E4M3FN", "f8E5M2")),
    dot(precision_config=precision("DEFAULT", "DEFAULT"), algorithm=algorithm("bf16", "bf16", num_primitive_operations=9)),
    dot(precision_config="[]"),
    quantized_dot(),
    quantized_dot("f32", quantized(), "f32"),
    quantized_dot(rhs=quantized(axis=":2", scales="{1.0, 2.0, 3.0, 4.0, 5.0}")),
    plain_dot("3xf32", "3x?xf32", "2xf32"),
    ragged(),
    ragged(groups="2x3xi64"),
    ragged("?x11x?xf32", groups="?xi64"),
    ragged_sum(),
    einsum("...ab,...bc->...ac", "2x1x3x4xf32", "5x4x2xf32", "2x5x3x2xf32"),
    einsum("aab->ba", "2x2x3xf32", "3x2xf32"),
    convolution(),
    convolution(padding=TWO_PAIRS, lhs_dilation="array<i64: 2, 1>", rhs_dilation="array<i64: 1, 4>", result="2x15x3x6xf32"),
    convolution(padding="dense<-4> : tensor<2x2xi64>", result="2x0x0x6xf32"),
    convolution("?x?x9x4xf32", "3x?x4x6xf32", "5x?x?x6xf32"),
    quantized_convolution(),
    quantized_convolution("f32", THREE, "f32"),
    quantized_convolution(rhs=THREE, result=THREE.replace("i8", "i32")),
    convolution(rhs="3x3x2x6xf32", feature_group_count="2 : i64"),
    convolution(batch_group_count="2 : i64", result="1x6x7x6xf32"),
    convolution("2x4xf32", "4x3xf32", "2x3xf32", layout="[b, f]x[i, o]->[b, f]"),
    convolution("2x4x8x9xf32", "6x4x3x3xf32", "2x6x6x7xf32", layout="[b, f, 0, 1]x[o, i, 0, 1]->[b, f, 0, 1]"),
    dynamic_conv(),
    dynamic_conv("2x2xi32", "2x5x5x6xf32"),
]  # fmt: skip


@pytest.mark.parametrize("text", VALID)
def test_valid(text: str) -> None:
    expect_valid(text)


@pytest.mark.parametrize(
    ("field", "value", "message"),
    [
        ("input_feature_dimension", 0, "input dimensions is [0, 0, 1, 2], expected distinct dimensions (C13)"),
        ("kernel_spatial_dimensions", [0, 4], "kernel dimensions is [3, 2, 0, 4], expected dimensions of a tensor"),
        ("output_batch_dimension", -1, "output dimensions is [-1, 3, 1, 2], expected dimensions of a tensor of rank 4 (C20)"),
    ],
)  # fmt: skip
def test_layout(field: str, value: object, message: str) -> None:
    """Text with such numbers does not parse."""
    body = hlo2tiny.parse(program(convolution())).functions["main"].body
    assert body is not None
    op = body.ops[0]
    numbers = op.attributes["dimension_numbers"]
    assert isinstance(numbers, DialectAttr)
    broken = dict(op.attributes) | {"dimension_numbers": replace(numbers, fields=dict(numbers.fields) | {field: value})}
    assert find_violation(op, op.name, broken).startswith(message)
