"""Factorisations, triangular systems and Fourier transforms: one row for each constraint."""

# ruff: noqa: E501 (rows of tables)

from __future__ import annotations

import pytest

from .cases import Row, expect_refusal, expect_valid, names


def solve(types: str, left_side: str = "true", transpose: str = "#stablehlo<transpose NO_TRANSPOSE>") -> str:
    flags = f"left_side = {left_side}, lower = true, unit_diagonal = false, transpose_a = {transpose}"
    return f'"stablehlo.triangular_solve"(%a, %b) <{{{flags}}}> : {types}'


def fft(kind: str, length: str, types: str) -> str:
    return f'"stablehlo.fft"(%x) <{{fft_type = #stablehlo<fft_type {kind}>, fft_length = array<i64{length and ": "}{length}>}}> : {types}'


ROWS: list[Row] = [
    ("stablehlo.cholesky", '"stablehlo.cholesky"(%a) <{lower = true}> : (tensor<3x3xf32>) -> tensor<3x3xf64>', "the result has elements of f32, but its declared type is tensor<3x3xf64>"),
    ("stablehlo.cholesky", '"stablehlo.cholesky"(%a) <{lower = true}> : (tensor<3x3xf32>) -> tensor<3x4xf32>', "the result has the shape [3, 3], but its declared type is tensor<3x4xf32>"),
    ("stablehlo.cholesky", '"stablehlo.cholesky"(%a) : (tensor<3xf32>) -> tensor<3xf32>', "a is tensor<3xf32>, expected a rank of at least 2 (C2)"),
    ("stablehlo.cholesky", '"stablehlo.cholesky"(%a) : (tensor<3x4xf32>) -> tensor<3x4xf32>', "a is tensor<3x4xf32>, expected square matrices (C3)"),
    ("stablehlo.cholesky", '"stablehlo.cholesky"(%a) : (tensor<3x3xi32>) -> tensor<3x3xi32>', "operand 0 is tensor<3x3xi32>, expected elements that are floats or complex numbers"),
    ("stablehlo.cholesky", '"stablehlo.cholesky"(%a) <{lower = 1 : i64}> : (tensor<3x3xf32>) -> tensor<3x3xf32>', "the attribute 'lower' is not true or false"),
    ("stablehlo.triangular_solve", solve("(tensor<3x3xf32>, tensor<3x2xf64>) -> tensor<3x2xf32>"), "operand 1 is tensor<3x2xf64>, expected elements of f32"),
    ("stablehlo.triangular_solve", solve("(tensor<3xf32>, tensor<3xf32>) -> tensor<3xf32>"), "a and b are tensor<3xf32> and tensor<3xf32>, expected equal ranks of at least 2 (C2)"),
    ("stablehlo.triangular_solve", solve("(tensor<3x3xf32>, tensor<1x3x2xf32>) -> tensor<1x3x2xf32>"), "a and b are tensor<3x3xf32> and tensor<1x3x2xf32>, expected equal ranks of at least 2 (C2)"),
    ("stablehlo.triangular_solve", solve("(tensor<2x3x3xf32>, tensor<1x3x2xf32>) -> tensor<1x3x2xf32>"), "a and b are tensor<2x3x3xf32> and tensor<1x3x2xf32>, expected equal batch dimensions (C3)"),
    ("stablehlo.triangular_solve", solve("(tensor<3x4xf32>, tensor<3x2xf32>) -> tensor<3x2xf32>"), "a is tensor<3x4xf32>, expected square matrices with as many rows as tensor<3x2xf32> has rows (C3)"),
    ("stablehlo.triangular_solve", solve("(tensor<3x3xf32>, tensor<3x2xf32>) -> tensor<3x2xf32>", "false"), "a is tensor<3x3xf32>, expected square matrices with as many rows as tensor<3x2xf32> has columns (C3)"),
    ("stablehlo.triangular_solve", solve("(tensor<3x3xf32>, tensor<3x2xf32>) -> tensor<3x3xf32>"), "the result has the shape [3, 2], but its declared type is tensor<3x3xf32>"),
    ("stablehlo.triangular_solve", solve("(tensor<3x3xf32>, tensor<3x2xf32>) -> tensor<3x2xf32>", transpose="#stablehlo<transpose TRANSPOSE_INVALID>"), "the attribute 'transpose_a' is not one of NO_TRANSPOSE, TRANSPOSE, ADJOINT: found TRANSPOSE_INVALID"),
    ("stablehlo.triangular_solve", solve("(tensor<3x3x{0}>, tensor<3x2x{0}>) -> tensor<3x2x{0}>".format("!quant.uniform<i8:f32, 0.5>")), "is not defined for quantized tensors, found tensor<3x3x!quant.uniform<i8:f32, 5.0e-01>>"),
    ("stablehlo.fft", fft("FFT", "2", "(tensor<complex<f32>>) -> tensor<complex<f32>>"), "fft_length has 1 number, more than the rank of tensor<complex<f32>> (C1)"),
    ("stablehlo.fft", fft("FFT", "2", "(tensor<2xf32>) -> tensor<2xf32>"), "operand 0 of FFT is tensor<2xf32>, expected complex numbers (C2)"),
    ("stablehlo.fft", fft("RFFT", "2", "(tensor<2xcomplex<f32>>) -> tensor<2xcomplex<f32>>"), "operand 0 of RFFT is tensor<2xcomplex<f32>>, expected real numbers (C2)"),
    ("stablehlo.fft", fft("IRFFT", "2", "(tensor<2xcomplex<f32>>) -> tensor<2xcomplex<f32>>"), "the result of IRFFT is tensor<2xcomplex<f32>>, expected real numbers (C2)"),
    ("stablehlo.fft", fft("RFFT", "2", "(tensor<2xf64>) -> tensor<2xcomplex<f32>>"), "the result has elements of f64, but its declared type is tensor<2xcomplex<f32>>"),
    ("stablehlo.fft", fft("IRFFT", "2", "(tensor<2xcomplex<f32>>) -> tensor<2xf16>"), "the result has elements of f32, but its declared type is tensor<2xf16>"),
    ("stablehlo.fft", fft("FFT", "", "(tensor<2xcomplex<f32>>) -> tensor<2xcomplex<f32>>"), "fft_length has 0 numbers, expected 1 to 3 (C3)"),
    ("stablehlo.fft", fft("FFT", "2, 2, 2, 2", "(tensor<2x2x2x2xcomplex<f32>>) -> tensor<2x2x2x2xcomplex<f32>>"), "fft_length has 4 numbers, expected 1 to 3 (C3)"),
    ("stablehlo.fft", fft("RFFT", "5", "(tensor<4xf32>) -> tensor<3xcomplex<f32>>"), "operand 0 of RFFT is tensor<4xf32>, expected the last dimensions [5] (C4, C5)"),
    ("stablehlo.fft", fft("FFT", "5", "(tensor<4xcomplex<f32>>) -> tensor<4xcomplex<f32>>"), "operand 0 of FFT is tensor<4xcomplex<f32>>, expected the last dimensions [5] (C4, C5)", "MLIR does not read the fft_length of an FFT; XLA does"),
    ("stablehlo.fft", fft("IRFFT", "5", "(tensor<4xcomplex<f32>>) -> tensor<5xf32>"), "operand 0 of IRFFT is tensor<4xcomplex<f32>>, expected the last dimensions [3] (C4, C5)"),
    ("stablehlo.fft", fft("RFFT", "4", "(tensor<4xf32>) -> tensor<4xcomplex<f32>>"), "the result has the shape [3], but its declared type is tensor<4xcomplex<f32>>"),
    ("stablehlo.fft", fft("RFFT", "-4", "(tensor<?xf32>) -> tensor<?xcomplex<f32>>"), "fft_length is [-4], expected no negative lengths (C4)", "MLIR does not check it where the dimension is not known"),
    ("stablehlo.fft", fft("FFT", "2", "(tensor<2xcomplex<f32>>) -> tensor<2xcomplex<f32>>").replace("fft_type FFT", "rng_algorithm PHILOX"), "the attribute 'fft_type' is not one of FFT, IFFT, RFFT, IRFFT"),
]  # fmt: skip

VALID = [
    '"stablehlo.cholesky"(%a) : (tensor<?x3x?xcomplex<f64>>) -> tensor<2x3x3xcomplex<f64>>',
    solve("(tensor<?x3x3xf32>, tensor<2x4x?xf32>) -> tensor<2x4x?xf32>", "false"),
    fft("FFT", "4", "(tensor<2x4xcomplex<f32>>) -> tensor<2x4xcomplex<f32>>"),
    fft("RFFT", "2, 4", "(tensor<2x?xf32>) -> tensor<2x3xcomplex<f32>>"),
    fft("IRFFT", "0", "(tensor<0xcomplex<f32>>) -> tensor<0xf32>"),
]


@pytest.mark.parametrize("row", ROWS, ids=names(ROWS))
def test_refused(row: Row) -> None:
    expect_refusal(*row)


@pytest.mark.parametrize("text", VALID)
def test_valid(text: str) -> None:
    expect_valid(text)
