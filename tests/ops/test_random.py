"""Random numbers: one row for each constraint."""

# ruff: noqa: E501 (rows of tables)

from __future__ import annotations

import pytest

from .cases import Row, expect_refusal, expect_valid, names

STATE = "MLIR leaves the state to the implementation"


def rng(types: str, distribution: str = "UNIFORM") -> str:
    return f'"stablehlo.rng"(%a, %b, %s) <{{rng_distribution = #stablehlo<rng_distribution {distribution}>}}> : {types}'


def bits(types: str, algorithm: str = "#stablehlo<rng_algorithm PHILOX>") -> str:
    return f'"stablehlo.rng_bit_generator"(%s) <{{rng_algorithm = {algorithm}}}> : {types}'


ROWS: list[Row] = [
    ("stablehlo.rng", rng("(tensor<f32>, tensor<f64>, tensor<1xi64>) -> tensor<3xf32>"), "operand 1 is tensor<f64>, expected elements of f32"),
    ("stablehlo.rng", rng("(tensor<f32>, tensor<f32>, tensor<1xi64>) -> tensor<3xf64>"), "the result has elements of f32, but its declared type is tensor<3xf64>"),
    ("stablehlo.rng", rng("(tensor<i32>, tensor<i32>, tensor<1xi64>) -> tensor<3xi32>", "NORMAL"), "a is tensor<i32>, expected floats for NORMAL (C2)"),
    ("stablehlo.rng", rng("(tensor<f32>, tensor<f32>, tensor<1xi64>) -> tensor<3x3xf32>"), "shape is tensor<1xi64>, expected the shape [2] (C3)"),
    ("stablehlo.rng", rng("(tensor<1xf32>, tensor<f32>, tensor<1xi64>) -> tensor<3xf32>"), "a is tensor<1xf32>, expected a scalar"),
    ("stablehlo.rng", rng("(tensor<f32>, tensor<1xf32>, tensor<1xi64>) -> tensor<3xf32>"), "b is tensor<1xf32>, expected a scalar"),
    ("stablehlo.rng", rng("(tensor<f32>, tensor<f32>, tensor<1xf32>) -> tensor<3xf32>"), "operand 2 is tensor<1xf32>, expected integers"),
    ("stablehlo.rng", rng("(tensor<complex<f32>>, tensor<complex<f32>>, tensor<1xi64>) -> tensor<3xcomplex<f32>>"), "operand 0 is tensor<complex<f32>>, expected elements that are booleans (i1), integers or floats"),
    ("stablehlo.rng_bit_generator", bits("(tensor<2xui64>) -> (tensor<3xui64>, tensor<4xui32>)"), "result 0 has the shape [2], but its declared type is tensor<3xui64>"),
    ("stablehlo.rng_bit_generator", bits("(tensor<2xui64>) -> (tensor<2xi64>, tensor<4xui32>)"), "result 0 has elements of ui64, but its declared type is tensor<2xi64>", "MLIR compares the shapes of the states only"),
    ("stablehlo.rng_bit_generator", bits("(tensor<3xui64>) -> (tensor<3xui64>, tensor<4xui32>)", "#stablehlo<rng_algorithm THREE_FRY>"), "initial_state is tensor<3xui64>, expected 2 numbers of ui64 for THREE_FRY (C2)", STATE),
    ("stablehlo.rng_bit_generator", bits("(tensor<4xui64>) -> (tensor<4xui64>, tensor<4xui32>)"), "initial_state is tensor<4xui64>, expected 2 or 3 numbers of ui64 for PHILOX (C2)", STATE),
    ("stablehlo.rng_bit_generator", bits("(tensor<2xi64>) -> (tensor<2xi64>, tensor<4xui32>)"), "initial_state is tensor<2xi64>, expected 2 or 3 numbers of ui64 for PHILOX (C2)", STATE),
    ("stablehlo.rng_bit_generator", bits("(tensor<2xui64>) -> (tensor<2xui64>, tensor<4xi1>)"), "result 1 is tensor<4xi1>, expected integers or floats"),
    ("stablehlo.rng_bit_generator", bits("(tensor<2xui64>) -> (tensor<2xui64>, tensor<?xi32>)"), "the result is tensor<?xi32>, expected known dimensions"),
    ("stablehlo.rng_bit_generator", bits("(tensor<2xui64>) -> (tensor<2xui64>, tensor<4xui32>)", "#stablehlo<precision DEFAULT>"), "the attribute 'rng_algorithm' is not one of DEFAULT, THREE_FRY, PHILOX"),
    ("stablehlo.rng_bit_generator", bits("(tensor<2xui64>) -> (tensor<2xui64>, tensor<2xindex>)"), "result 1 is tensor<2xindex>, but only sizes can be of type index"),
    ("stablehlo.rng_bit_generator", bits("(tensor<2xui64>) -> tensor<2xui64>"), "has 1 result, expected 2"),
]  # fmt: skip

VALID = [
    rng("(tensor<i1>, tensor<i1>, tensor<1xindex>) -> tensor<?xi1>"),
    rng("(tensor<bf16>, tensor<bf16>, tensor<0xui8>) -> tensor<bf16>", "NORMAL"),
    bits("(tensor<?xui64>) -> (tensor<?xui64>, tensor<2x3xf16>)"),
]


@pytest.mark.parametrize("row", ROWS, ids=names(ROWS))
def test_refused(row: Row) -> None:
    expect_refusal(*row)


@pytest.mark.parametrize("text", VALID)
def test_valid(text: str) -> None:
    expect_valid(text)
