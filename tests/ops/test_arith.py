"""Constraints of the arith dialect, and of what is written as it is: numbers for keywords, types of parts."""

from __future__ import annotations

import jax
import pytest

from .cases import Row, expect_refusal, expect_valid, names

T, F, U = "tensor<4xi32>", "tensor<4xf32>", "tensor<4xui32>"

ROWS: list[Row] = [
    (
        "arith.addi",
        f'"arith.addi"(%x, %y) : ({T}, tensor<4xi64>) -> {T}',
        "operand 1 is tensor<4xi64>, expected the first",
    ),
    (
        "arith.addi",
        f'"arith.addi"(%x, %y) : ({T}, {T}) -> tensor<5xi32>',
        "the result is tensor<5xi32>, expected the first",
    ),
    (
        "arith.addi",
        f'"arith.addi"(%x, %y) : ({U}, {U}) -> {U}',
        f"the first operand is {U}, expected signless integers",
    ),
    ("arith.addf", f'"arith.addf"(%x, %y) : ({T}, {T}) -> {T}', f"the first operand is {T}, expected floats"),
    ("arith.negf", '"arith.negf"(%x) : (f32) -> f64', "the result is f64, expected the first operand's f32"),
    ("arith.select", f'"arith.select"(%p, %x, %y) : (i32, {T}, {T}) -> {T}', "the condition is i32, expected i1"),
    ("arith.select", f'"arith.select"(%p, %x, %y) : (i1, {T}, {T}) -> {F}', f"the result is {F}, expected the first"),
    (
        "arith.extsi",
        '"arith.extsi"(%x) : (i32) -> i16',
        "the operand is i32 and the result is i16, expected integers converted to wider ones",
    ),
    (
        "arith.trunci",
        '"arith.trunci"(%x) : (i16) -> i32',
        "the operand is i16 and the result is i32, expected integers converted to narrower ones",
    ),
    ("arith.extf", '"arith.extf"(%x) : (i16) -> f32', "the operand is i16, expected floats converted to wider ones"),
    (
        "arith.truncf",
        f'"arith.truncf"(%x) : ({F}) -> tensor<5xf16>',
        f"the result is tensor<5xf16>, expected the shape of {F}",
    ),
    ("arith.sitofp", f'"arith.sitofp"(%x) : ({T}) -> {T}', f"the result is {T}, expected integers converted to floats"),
    ("arith.fptosi", f'"arith.fptosi"(%x) : ({F}) -> {U}', f"the result is {U}, expected floats converted to integers"),
    (
        "arith.bitcast",
        '"arith.bitcast"(%x) : (i64) -> f32',
        "the operand is i64 and the result is f32, expected integers or floats of the same width",
    ),
    (
        "arith.index_cast",
        '"arith.index_cast"(%x) : (f32) -> index',
        "the operand is f32, expected integers and indices",
    ),
    (
        "arith.cmpi",
        f'"arith.cmpi"(%x, %y) <{{predicate = 2 : i64}}> : ({T}, {T}) -> tensor<5xi1>',
        "the result is tensor<5xi1>, expected the",
    ),
    (
        "arith.cmpi",
        f'"arith.cmpi"(%x, %y) <{{predicate = {1 << 62} : i64}}> : ({T}, {T}) -> tensor<4xi1>',
        f"the attribute 'predicate' is not a predicate: found {1 << 62}, expected 0 to 9: eq, ne, slt",
    ),
    (
        "arith.cmpi",
        f'"arith.cmpi"(%x, %y) <{{predicate = -2 : i64}}> : ({T}, {T}) -> tensor<4xi1>',
        "the attribute 'predicate' is not a predicate: found -2, expected 0 to 9: eq, ne, slt",
    ),
    (
        "arith.cmpf",
        f'"arith.cmpf"(%x, %y) <{{predicate = 16 : i64}}> : ({F}, {F}) -> tensor<4xi1>',
        "the attribute 'predicate' is not a predicate: found 16, expected 0 to 15: false, oeq",
    ),
    (
        "arith.cmpi",
        f'"arith.cmpi"(%x, %y) <{{predicate = 2 : i32}}> : ({T}, {T}) -> tensor<4xi1>',
        "the attribute 'predicate' is not a predicate: it has the type i32",
    ),
    (
        "arith.truncf",
        f'"arith.truncf"(%x) <{{roundingmode = -2 : i32}}> : ({F}) -> tensor<4xf16>',
        "the attribute 'roundingmode' is not a rounding mode: found -2, expected 0 to 4: to_nearest_even",
    ),
    (
        "arith.sitofp",
        f'"arith.sitofp"(%x) : ({T}) -> tensor<5xf64>',
        f"the result is tensor<5xf64>, expected the shape of {T}",
    ),
    (
        "arith.select",
        f'"arith.select"(%p, %x, %y) : (tensor<5xi1>, {T}, {T}) -> {T}',
        "the condition is tensor<5xi1>, expected i1",
    ),
    (
        "arith.constant",
        '"arith.constant"() <{value = dense<7> : tensor<2xui32>}> : () -> tensor<2xui32>',
        "the result is tensor<2xui32>, expected signless integers",
        "" if jax.__version_info__ >= (0, 11) else "MLIR of jaxlib 0.10 does not look at the sign",
    ),
    (
        "stablehlo.complex",
        f'"stablehlo.complex"(%x, %y) : ({F}, {F}) -> {F}',
        f"result 0 is {F}, expected complex numbers",
    ),
    (
        "chlo.broadcast_complex",
        f'"chlo.broadcast_complex"(%x, %y) : ({F}, {F}) -> {F}',
        f"result 0 is {F}, expected complex numbers",
    ),
    (
        "sdy.propagation_barrier",
        f'"sdy.propagation_barrier"(%x) <{{allowed_direction = 4 : i32}}> : ({F}) -> {F}',
        "the attribute 'allowed_direction' is not a direction: found 4, expected 0 to 3: NONE",
    ),
]

VALID = [
    '"arith.addi"(%x, %y) : (index, index) -> index',
    f'"arith.cmpi"(%x, %y) <{{predicate = 2 : i64}}> : ({T}, {T}) -> tensor<4xi1>',
    f'"arith.select"(%p, %x, %y) : (i1, {T}, {T}) -> {T}',
    '"arith.extf"(%x) : (bf16) -> f32',
    '"arith.bitcast"(%x) : (tensor<4xi32>) -> tensor<4xf32>',
    '"arith.index_cast"(%x) : (tensor<4xindex>) -> tensor<4xi64>',
]


@pytest.mark.parametrize("row", ROWS, ids=names(ROWS))
def test_refusal(row: Row) -> None:
    expect_refusal(*row)


@pytest.mark.parametrize("text", VALID)
def test_valid(text: str) -> None:
    expect_valid(text)
