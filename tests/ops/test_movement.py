"""Ops that create tensors and move data: one row for each constraint."""

# ruff: noqa: E501 (rows of tables)

from __future__ import annotations

import pytest

from .cases import Row, expect_refusal, expect_valid, names

UNCHECKED = "MLIR does not check it"
SPLAT = "dense<1> : tensor<2xi32>"


def slice_(starts: str, limits: str, strides: str, types: str) -> str:
    bounds = (
        f"start_indices = array<i64: {starts}>, limit_indices = array<i64: {limits}>, strides = array<i64: {strides}>"
    )
    return f'"stablehlo.slice"(%x) <{{{bounds}}}> : {types}'


def pad(low: str, high: str, interior: str, types: str) -> str:
    edges = f"edge_padding_low = array<i64: {low}>, edge_padding_high = array<i64: {high}>"
    return f'"stablehlo.pad"(%x, %v) <{{{edges}, interior_padding = array<i64: {interior}>}}> : {types}'


def broadcast(dimensions: str, types: str) -> str:
    return f'"stablehlo.broadcast_in_dim"(%x) <{{broadcast_dimensions = array<i64: {dimensions}>}}> : {types}'


def dynamic_broadcast(attributes: str, types: str) -> str:
    return f'"stablehlo.dynamic_broadcast_in_dim"(%x, %s) <{{{attributes}}}> : {types}'


def transpose(permutation: str, types: str) -> str:
    return f'"stablehlo.transpose"(%x) <{{permutation = array<i64: {permutation}>}}> : {types}'


def q(axis: int, scales: str = "0.5, 0.25") -> str:
    return f"!quant.uniform<i8:f32:{axis}, {{{scales}}}>"


ROWS: list[Row] = [
    # bitcast_convert
    ("stablehlo.bitcast_convert", '"stablehlo.bitcast_convert"(%x) : (tensor<2xf32>) -> tensor<3xi32>', "the result has the shape [2], but its declared type is tensor<3xi32>"),
    ("stablehlo.bitcast_convert", '"stablehlo.bitcast_convert"(%x) : (tensor<2xf32>) -> tensor<2x2xi8>', "the result has the shape [2, 4], but its declared type is tensor<2x2xi8>"),
    ("stablehlo.bitcast_convert", '"stablehlo.bitcast_convert"(%x) : (tensor<2x2xi8>) -> tensor<2xf32>', "converts 4 elements of 8 bits to one of 32, expected a last dimension of 4 in tensor<2x2xi8> (C1)"),
    ("stablehlo.bitcast_convert", '"stablehlo.bitcast_convert"(%x) : (tensor<i8>) -> tensor<f32>', "converts 4 elements of 8 bits to one of 32, expected a last dimension of 4 in tensor<i8> (C1)"),
    ("stablehlo.bitcast_convert", '"stablehlo.bitcast_convert"(%x) : (tensor<2x2xi8>) -> tensor<2x2xf6E2M3FN>', "converts elements of 8 bits to 6 bits, expected 8 to be a multiple of 6 (C1)"),
    ("stablehlo.bitcast_convert", '"stablehlo.bitcast_convert"(%x) : (tensor<2xf32>) -> tensor<complex<f32>>', "converts f32 to complex<f32>, expected both or neither to be complex (C2)"),
    ("stablehlo.bitcast_convert", '"stablehlo.bitcast_convert"(%x) : (tensor<2xindex>) -> tensor<2xi64>', "operand 0 is tensor<2xindex>, but only sizes can be of type index"),
    # broadcast
    ("stablehlo.broadcast", '"stablehlo.broadcast"(%x) <{broadcast_sizes = array<i64: -2>}> : (tensor<3xf32>) -> tensor<2x3xf32>', "broadcast_sizes is [-2], expected no negative sizes"),
    ("stablehlo.broadcast", '"stablehlo.broadcast"(%x) <{broadcast_sizes = array<i64: 2>}> : (tensor<3xf32>) -> tensor<3x2xf32>', "the result has the shape [2, 3], but its declared type is tensor<3x2xf32>"),
    ("stablehlo.broadcast", '"stablehlo.broadcast"(%x) <{broadcast_sizes = array<i64: 2>}> : (tensor<3xf32>) -> tensor<2x3xi32>', "the result has elements of f32, but its declared type is tensor<2x3xi32>"),
    # broadcast_in_dim
    ("stablehlo.broadcast_in_dim", broadcast("0", "(tensor<2xf32>) -> tensor<2xi32>"), "the result has elements of f32, but its declared type is tensor<2xi32>"),
    ("stablehlo.broadcast_in_dim", broadcast("0, 1", "(tensor<2xf32>) -> tensor<2x2xf32>"), "broadcast_dimensions is [0, 1], expected 1 number, the operand's rank (C2)"),
    ("stablehlo.broadcast_in_dim", broadcast("2", "(tensor<2xf32>) -> tensor<2x2xf32>"), "broadcast_dimensions is [2], expected dimensions of a tensor of rank 2 (C3)"),
    ("stablehlo.broadcast_in_dim", broadcast("-1", "(tensor<2xf32>) -> tensor<2x2xf32>"), "broadcast_dimensions is [-1], expected dimensions of a tensor of rank 2 (C3)"),
    ("stablehlo.broadcast_in_dim", broadcast("0, 0", "(tensor<2x2xf32>) -> tensor<2x2xf32>"), "broadcast_dimensions is [0, 0], expected distinct dimensions (C4)"),
    ("stablehlo.broadcast_in_dim", broadcast("0", "(tensor<2xf32>) -> tensor<3xf32>"), "dimension 0 of size 2 cannot be broadcast to the size 3 (C5)"),
    ("stablehlo.broadcast_in_dim", broadcast("0", "(tensor<2xf32>) -> tensor<?xf32>"), "the result is tensor<?xf32>, expected known dimensions"),
    ("stablehlo.broadcast_in_dim", broadcast("0, 1", f"(tensor<2x2x{q(0)}>) -> tensor<2x2x{q(1)}>"), "the operand's quantization dimension 0 does not correspond to the result's, 1 (C6)"),
    ("stablehlo.broadcast_in_dim", broadcast("0, 1", f"(tensor<2x2x{q(0)}>) -> tensor<2x2x{q(0, '0.5, 0.75')}>"), "operand and result have different scales or zero points (C6)", UNCHECKED),
    ("stablehlo.broadcast_in_dim", broadcast("0, 1", f"(tensor<2x2x{q(0)}>) -> tensor<2x2x!quant.uniform<i8:f32, 1.0>>"), "operand and result must both have a single scale, or both several (C6)"),
    # concatenate
    ("stablehlo.concatenate", '"stablehlo.concatenate"(%x, %y) <{dimension = 0 : i64}> : (tensor<2xf32>, tensor<2xf64>) -> tensor<4xf32>', "operand 1 is tensor<2xf64>, expected elements of f32"),
    ("stablehlo.concatenate", '"stablehlo.concatenate"(%x, %y) <{dimension = 0 : i64}> : (tensor<2x3xf32>, tensor<2x4xf32>) -> tensor<4x3xf32>', "operand 1 is tensor<2x4xf32>, expected the shape [2, 3] except for dimension 0 (C2)"),
    ("stablehlo.concatenate", '"stablehlo.concatenate"(%x, %y) <{dimension = 0 : i64}> : (tensor<2xf32>, tensor<2x1xf32>) -> tensor<4xf32>', "operand 1 is tensor<2x1xf32>, expected the shape [2] except for dimension 0 (C2)"),
    ("stablehlo.concatenate", '"stablehlo.concatenate"() <{dimension = 0 : i64}> : () -> tensor<0xf32>', "has 0 operands, expected at least 1"),
    ("stablehlo.concatenate", '"stablehlo.concatenate"(%x) <{dimension = 1 : i64}> : (tensor<2xf32>) -> tensor<2xf32>', "dimension is 1, expected a dimension of a tensor of rank 1 (C4)"),
    ("stablehlo.concatenate", '"stablehlo.concatenate"(%x) <{dimension = -1 : i64}> : (tensor<2xf32>) -> tensor<2xf32>', "dimension is -1, expected a dimension of a tensor of rank 1 (C4)"),
    ("stablehlo.concatenate", '"stablehlo.concatenate"(%x, %y) <{dimension = 0 : i64}> : (tensor<2xf32>, tensor<3xf32>) -> tensor<6xf32>', "the result has the shape [5], but its declared type is tensor<6xf32>"),
    ("stablehlo.concatenate", '"stablehlo.concatenate"(%x) <{dimension = 0 : i32}> : (tensor<2xf32>) -> tensor<2xf32>', "the attribute 'dimension' is not an integer of 64 bits: it has the type i32"),
    # constant
    ("stablehlo.constant", f'"stablehlo.constant"() <{{value = {SPLAT}}}> : () -> tensor<3xi32>', "the value is tensor<2xi32>, but the declared type is tensor<3xi32> (C1)"),
    ("stablehlo.constant", f'"stablehlo.constant"() <{{value = {SPLAT}}}> : () -> tensor<2xui32>', "the value is tensor<2xi32>, but the declared type is tensor<2xui32> (C1)"),
    ("stablehlo.constant", f'"stablehlo.constant"() <{{value = {SPLAT}}}> : () -> tensor<?xi32>', "the result is tensor<?xi32>, expected known dimensions"),
    ("stablehlo.constant", '"stablehlo.constant"() <{value = 1 : i32}> : () -> tensor<i32>', "the attribute 'value' is not a constant, dense<…>"),
    ("stablehlo.constant", '"stablehlo.constant"() : () -> tensor<i32>', "lacks the attribute 'value'"),
    ("chlo.constant", f'"chlo.constant"() <{{value = {SPLAT}}}> : () -> tensor<3xi32>', "the value is tensor<2xi32>, but the declared type is tensor<3xi32> (C1)"),
    ("sdy.constant", f'"sdy.constant"() <{{value = {SPLAT}}}> : () -> tensor<3xi32>', "the value is tensor<2xi32>, but the declared type is tensor<3xi32> (C1)"),
    ("arith.constant", '"arith.constant"() <{value = 1.0 : f32}> : () -> i32', "the value is f32, but the declared type is i32 (C1)"),
    ("arith.constant", f'"arith.constant"() <{{value = {SPLAT}}}> : () -> index', "the value is tensor<2xi32>, but the declared type is index (C1)"),
    ("chlo.constant_like", '"chlo.constant_like"(%x) <{value = 1.0 : f64}> : (tensor<3xf32>) -> tensor<3xf32>', "the value is f64, but the declared type is tensor<3xf32>"),
    ("chlo.constant_like", '"chlo.constant_like"(%x) <{value = 1.0 : f32}> : (tensor<3xf32>) -> tensor<2xf32>', "the result has the shape [3], but its declared type is tensor<2xf32>"),
    # iota
    ("stablehlo.iota", '"stablehlo.iota"() <{iota_dimension = 1 : i64}> : () -> tensor<2xi32>', "iota_dimension is 1, expected a dimension of a tensor of rank 1 (C1)"),
    ("stablehlo.iota", '"stablehlo.iota"() <{iota_dimension = -1 : i64}> : () -> tensor<2xi32>', "iota_dimension is -1, expected a dimension of a tensor of rank 1 (C1)"),
    ("stablehlo.iota", '"stablehlo.iota"() <{iota_dimension = 0 : i64}> : () -> tensor<2xi1>', "result 0 is tensor<2xi1>, expected elements that are integers, floats or complex numbers"),
    ("stablehlo.iota", '"stablehlo.iota"() <{iota_dimension = 0 : i64}> : () -> tensor<?xi32>', "the result is tensor<?xi32>, expected known dimensions"),
    ("stablehlo.dynamic_iota", '"stablehlo.dynamic_iota"(%s) <{iota_dimension = 1 : i64}> : (tensor<1xi64>) -> tensor<?xi32>', "iota_dimension is 1, expected a dimension of a tensor of rank 1 (C1)"),
    ("stablehlo.dynamic_iota", '"stablehlo.dynamic_iota"(%s) <{iota_dimension = 0 : i64}> : (tensor<2xi64>) -> tensor<?xi32>', "output_shape is tensor<2xi64>, expected the shape [1] (C2)", UNCHECKED),
    ("stablehlo.dynamic_iota", '"stablehlo.dynamic_iota"(%s) <{iota_dimension = 0 : i64}> : (tensor<1xf32>) -> tensor<?xi32>', "operand 0 is tensor<1xf32>, expected integers"),
    ("stablehlo.dynamic_iota", '"stablehlo.dynamic_iota"(%s) <{iota_dimension = 0 : i64}> : (tensor<1xi64>) -> tensor<?xindex>', "result 0 is tensor<?xindex>, but only sizes can be of type index"),
    # reshape
    ("stablehlo.reshape", '"stablehlo.reshape"(%x) : (tensor<2xf32>) -> tensor<2xi32>', "the result has elements of f32, but its declared type is tensor<2xi32>"),
    ("stablehlo.reshape", '"stablehlo.reshape"(%x) : (tensor<2x3xf32>) -> tensor<5xf32>', "tensor<2x3xf32> and tensor<5xf32> have different numbers of elements (C2)"),
    ("stablehlo.reshape", '"stablehlo.reshape"(%x) : (tensor<2xf32>) -> tensor<?xf32>', "the result is tensor<?xf32>, expected known dimensions"),
    ("stablehlo.reshape", '"stablehlo.reshape"(%x) : (tensor<2xindex>) -> tensor<2xindex>', "operand 0 is tensor<2xindex>, but only sizes can be of type index"),
    ("stablehlo.reshape", f'"stablehlo.reshape"(%x) : (tensor<2x3x{q(0)}>) -> tensor<3x2x{q(1)}>', "the operand's quantization dimension 0 does not correspond to the result's, 1 (C3)"),
    ("stablehlo.dynamic_reshape", '"stablehlo.dynamic_reshape"(%x, %s) : (tensor<3xi32>, tensor<1xindex>) -> tensor<?xf32>', "the result has elements of i32, but its declared type is tensor<?xf32>"),
    ("stablehlo.dynamic_reshape", '"stablehlo.dynamic_reshape"(%x, %s) : (tensor<3xi32>, tensor<1xindex>) -> tensor<4xi32>', "tensor<3xi32> and tensor<4xi32> have different numbers of elements (C2)"),
    ("stablehlo.dynamic_reshape", '"stablehlo.dynamic_reshape"(%x, %s) : (tensor<3xi32>, tensor<2xindex>) -> tensor<?xi32>', "output_shape is tensor<2xindex>, expected the shape [1] (C4)"),
    ("stablehlo.dynamic_reshape", '"stablehlo.dynamic_reshape"(%x, %s) : (tensor<3xi32>, tensor<1xf32>) -> tensor<?xi32>', "operand 1 is tensor<1xf32>, expected integers"),
    ("chlo.dynamic_reshape", '"chlo.dynamic_reshape"(%x, %s) : (tensor<3xi32>, tensor<2xindex>) -> tensor<?xi32>', "output_shape is tensor<2xindex>, expected the shape [1] (C4)"),
    # dynamic_broadcast_in_dim
    ("stablehlo.dynamic_broadcast_in_dim", dynamic_broadcast("broadcast_dimensions = array<i64: 0, 1>", "(tensor<3xf32>, tensor<2xi64>) -> tensor<?x?xf32>"), "broadcast_dimensions is [0, 1], expected 1 number, the operand's rank (C2)"),
    ("stablehlo.dynamic_broadcast_in_dim", dynamic_broadcast("broadcast_dimensions = array<i64: 1>", "(tensor<3xf32>, tensor<1xi64>) -> tensor<?xf32>"), "broadcast_dimensions is [1], expected dimensions of a tensor of rank 1 (C3)"),
    ("stablehlo.dynamic_broadcast_in_dim", dynamic_broadcast("broadcast_dimensions = array<i64: 0, 0>", "(tensor<3x3xf32>, tensor<2xi64>) -> tensor<?x?xf32>"), "broadcast_dimensions is [0, 0], expected distinct dimensions (C4)"),
    ("stablehlo.dynamic_broadcast_in_dim", dynamic_broadcast("broadcast_dimensions = array<i64: 0>", "(tensor<3xf32>, tensor<1xi64>) -> tensor<2xf32>"), "dimension 0 of size 3 cannot be broadcast to the size 2 (C5)"),
    ("stablehlo.dynamic_broadcast_in_dim", dynamic_broadcast("broadcast_dimensions = array<i64: 0>", "(tensor<3xf32>, tensor<2xi64>) -> tensor<?xf32>"), "output_dimensions is tensor<2xi64>, expected the shape [1] (C7)", "MLIR takes any size where the result's dimensions are not known"),
    ("stablehlo.dynamic_broadcast_in_dim", dynamic_broadcast("broadcast_dimensions = array<i64: 0>, known_expanding_dimensions = array<i64: 0>, known_nonexpanding_dimensions = array<i64: 0>", "(tensor<3xf32>, tensor<1xi64>) -> tensor<?xf32>"), "known_expanding_dimensions is [0] and known_nonexpanding_dimensions is [0], expected distinct dimensions (C8)"),
    ("stablehlo.dynamic_broadcast_in_dim", dynamic_broadcast("broadcast_dimensions = array<i64: 0>, known_expanding_dimensions = array<i64: 1>", "(tensor<3xf32>, tensor<1xi64>) -> tensor<?xf32>"), "known_expanding_dimensions is [1], expected dimensions of a tensor of rank 1 (C9)"),
    ("stablehlo.dynamic_broadcast_in_dim", dynamic_broadcast("broadcast_dimensions = array<i64: 0>, known_nonexpanding_dimensions = array<i64: -1>", "(tensor<3xf32>, tensor<1xi64>) -> tensor<?xf32>"), "known_nonexpanding_dimensions is [-1], expected dimensions of a tensor of rank 1 (C10)"),
    # pad
    ("stablehlo.pad", pad("0", "0", "0", "(tensor<2xf32>, tensor<f64>) -> tensor<2xf32>"), "operand 1 is tensor<f64>, expected elements of f32"),
    ("stablehlo.pad", pad("0, 0", "0", "0", "(tensor<2xf32>, tensor<f32>) -> tensor<2xf32>"), "edge_padding_low is [0, 0], expected 1 number, the operand's rank (C2)"),
    ("stablehlo.pad", pad("0", "0", "0, 0", "(tensor<2xf32>, tensor<f32>) -> tensor<2xf32>"), "interior_padding is [0, 0], expected 1 number, the operand's rank (C2)"),
    ("stablehlo.pad", pad("0", "0", "-1", "(tensor<2xf32>, tensor<f32>) -> tensor<1xf32>"), "interior_padding is [-1], expected no negative numbers (C3)"),
    ("stablehlo.pad", pad("-3", "0", "0", "(tensor<2xf32>, tensor<f32>) -> tensor<0xf32>"), "pads dimension 0 of size 2 to the size -1, expected at least 0 (C4)"),
    ("stablehlo.pad", pad("1", "1", "2", "(tensor<2xf32>, tensor<f32>) -> tensor<5xf32>"), "the result has the shape [6], but its declared type is tensor<5xf32>"),
    ("stablehlo.pad", pad("0", "0", "0", "(tensor<2xf32>, tensor<1xf32>) -> tensor<2xf32>"), "padding_value is tensor<1xf32>, expected a scalar"),
    ("stablehlo.dynamic_pad", '"stablehlo.dynamic_pad"(%x, %v, %l, %h, %i) : (tensor<2xf32>, tensor<f32>, tensor<2xi64>, tensor<2xi64>, tensor<2xi64>) -> tensor<?xf32>', "edge_padding_low is tensor<2xi64>, expected the shape [1] (C2)"),
    ("stablehlo.dynamic_pad", '"stablehlo.dynamic_pad"(%x, %v, %l, %h, %i) : (tensor<2xf32>, tensor<f32>, tensor<1xi64>, tensor<1xi32>, tensor<1xi64>) -> tensor<?xf32>', "edge_padding_low, edge_padding_high, interior_padding are tensor<1xi64>, tensor<1xi32>, tensor<1xi64>, expected equal types"),
    ("stablehlo.dynamic_pad", '"stablehlo.dynamic_pad"(%x, %v, %l, %h, %i) : (tensor<2xf32>, tensor<f32>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>) -> tensor<?x?xf32>', "the result has the shape [?], but its declared type is tensor<?x?xf32>"),
    ("stablehlo.dynamic_pad", '"stablehlo.dynamic_pad"(%x, %v, %l, %h, %i) : (tensor<2xf32>, tensor<1xf32>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>) -> tensor<?xf32>', "padding_value is tensor<1xf32>, expected a scalar"),
    # reverse
    ("stablehlo.reverse", '"stablehlo.reverse"(%x) <{dimensions = array<i64: 0>}> : (tensor<3xf32>) -> tensor<2xf32>', "the result has the shape [3], but its declared type is tensor<2xf32>"),
    ("stablehlo.reverse", '"stablehlo.reverse"(%x) <{dimensions = array<i64: 0, 0>}> : (tensor<3xf32>) -> tensor<3xf32>', "dimensions is [0, 0], expected distinct dimensions (C2)"),
    ("stablehlo.reverse", '"stablehlo.reverse"(%x) <{dimensions = array<i64: 1>}> : (tensor<3xf32>) -> tensor<3xf32>', "dimensions is [1], expected dimensions of a tensor of rank 1 (C3)"),
    ("stablehlo.reverse", '"stablehlo.reverse"(%x) <{dimensions = array<i32: 0>}> : (tensor<3xf32>) -> tensor<3xf32>', "the attribute 'dimensions' is not a list of integers: its numbers have the type i32, expected i64"),
    # slice
    ("stablehlo.slice", slice_("0", "2", "1", "(tensor<4xf32>) -> tensor<2xi32>"), "the result has elements of f32, but its declared type is tensor<2xi32>"),
    ("stablehlo.slice", slice_("0, 0", "2", "1", "(tensor<4xf32>) -> tensor<2xf32>"), "start_indices is [0, 0], expected 1 number, the operand's rank (C2)"),
    ("stablehlo.slice", slice_("-1", "2", "1", "(tensor<4xf32>) -> tensor<2xf32>"), "slices -1:2 of dimension 0, expected 0 <= start <= limit <= 4 (C3)"),
    ("stablehlo.slice", slice_("3", "2", "1", "(tensor<4xf32>) -> tensor<0xf32>"), "slices 3:2 of dimension 0, expected 0 <= start <= limit <= 4 (C3)"),
    ("stablehlo.slice", slice_("0", "5", "1", "(tensor<4xf32>) -> tensor<5xf32>"), "slices 0:5 of dimension 0, expected 0 <= start <= limit <= 4 (C3)"),
    ("stablehlo.slice", slice_("3", "2", "1", "(tensor<?xf32>) -> tensor<?xf32>"), "slices 3:2 of dimension 0, expected 0 <= start <= limit (C3)"),
    ("stablehlo.slice", slice_("0", "2", "0", "(tensor<4xf32>) -> tensor<2xf32>"), "slices dimension 0 with the stride 0, expected at least 1 (C4)"),
    ("stablehlo.slice", slice_("0", "3", "2", "(tensor<4xf32>) -> tensor<1xf32>"), "the result has the shape [2], but its declared type is tensor<1xf32>"),
    ("stablehlo.real_dynamic_slice", '"stablehlo.real_dynamic_slice"(%x, %s, %l, %t) : (tensor<4xf32>, tensor<2xi64>, tensor<2xi64>, tensor<2xi64>) -> tensor<?xf32>', "start_indices is tensor<2xi64>, expected the shape [1]"),
    ("stablehlo.real_dynamic_slice", '"stablehlo.real_dynamic_slice"(%x, %s, %l, %t) : (tensor<4xf32>, tensor<1xi64>, tensor<1xi32>, tensor<1xi64>) -> tensor<?xf32>', "start_indices, limit_indices, strides are tensor<1xi64>, tensor<1xi32>, tensor<1xi64>, expected equal types"),
    ("stablehlo.real_dynamic_slice", '"stablehlo.real_dynamic_slice"(%x, %s, %l, %t) : (tensor<4xf32>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>) -> tensor<?x?xf32>', "the result has the shape [?], but its declared type is tensor<?x?xf32>", UNCHECKED),
    # transpose
    ("stablehlo.transpose", transpose("0", "(tensor<2xf32>) -> tensor<2xi32>"), "the result has elements of f32, but its declared type is tensor<2xi32>"),
    ("stablehlo.transpose", transpose("0, 0", "(tensor<2x3xf32>) -> tensor<2x2xf32>"), "permutation is [0, 0], expected each dimension from 0 to 1 once (C2)"),
    ("stablehlo.transpose", transpose("0", "(tensor<2x3xf32>) -> tensor<2x3xf32>"), "permutation is [0], expected each dimension from 0 to 1 once (C2)"),
    ("stablehlo.transpose", transpose("1, 2", "(tensor<2x3xf32>) -> tensor<2x3xf32>"), "permutation is [1, 2], expected each dimension from 0 to 1 once (C2)"),
    ("stablehlo.transpose", transpose("1, 0", "(tensor<2x3xf32>) -> tensor<2x3xf32>"), "the result has the shape [3, 2], but its declared type is tensor<2x3xf32>"),
    ("stablehlo.transpose", transpose("1, 0", f"(tensor<2x2x{q(0)}>) -> tensor<2x2x{q(0)}>"), "the operand's quantization dimension 0 does not correspond to the result's, 0 (C4)"),
    # sizes
    ("stablehlo.get_dimension_size", '"stablehlo.get_dimension_size"(%x) <{dimension = 1 : i64}> : (tensor<3xf32>) -> tensor<i32>', "dimension is 1, expected a dimension of a tensor of rank 1 (C1)"),
    ("stablehlo.get_dimension_size", '"stablehlo.get_dimension_size"(%x) <{dimension = 0 : i64}> : (tensor<3xf32>) -> tensor<1xi32>', "the result has the shape [], but its declared type is tensor<1xi32>"),
    ("stablehlo.get_dimension_size", '"stablehlo.get_dimension_size"(%x) <{dimension = 0 : i64}> : (tensor<3xf32>) -> tensor<i64>', "the result has elements of i32, but its declared type is tensor<i64>"),
    ("stablehlo.set_dimension_size", '"stablehlo.set_dimension_size"(%x, %s) <{dimension = 1 : i64}> : (tensor<3xf32>, tensor<i32>) -> tensor<?xf32>', "dimension is 1, expected a dimension of a tensor of rank 1 (C1)"),
    ("stablehlo.set_dimension_size", '"stablehlo.set_dimension_size"(%x, %s) <{dimension = 0 : i64}> : (tensor<3xf32>, tensor<i64>) -> tensor<?xf32>', "operand 1 is tensor<i64>, expected elements of i32"),
    ("stablehlo.set_dimension_size", '"stablehlo.set_dimension_size"(%x, %s) <{dimension = 0 : i64}> : (tensor<3xf32>, tensor<1xi32>) -> tensor<?xf32>', "the size is tensor<1xi32>, expected a scalar"),
    ("stablehlo.set_dimension_size", '"stablehlo.set_dimension_size"(%x, %s) <{dimension = 0 : i64}> : (tensor<3x4xf32>, tensor<i32>) -> tensor<?x5xf32>', "the result has the shape [?, 4], but its declared type is tensor<?x5xf32>"),
]  # fmt: skip

VALID = [
    '"arith.constant"() <{value = 1 : index}> : () -> index',
    '"arith.constant"() <{value = true}> : () -> i1',
    '"arith.constant"() <{value = dense<1> : tensor<2xi32>}> : () -> tensor<2xi32>',
    '"chlo.constant_like"(%x) <{value = 1 : i8}> : (tensor<?xf32>) -> tensor<2xi8>',
    '"stablehlo.constant"() <{value = dense<[true, false]> : tensor<2xi1>}> : () -> tensor<2xi1>',
    '"stablehlo.bitcast_convert"(%x) : (tensor<f6E2M3FN>) -> tensor<3xi2>',
    '"stablehlo.bitcast_convert"(%x) : (tensor<8xi1>) -> tensor<i8>',
    '"stablehlo.bitcast_convert"(%x) : (tensor<?x4xi8>) -> tensor<?xf32>',
    broadcast("1, 0", "(tensor<2x1xf32>) -> tensor<3x2xf32>"),
    broadcast("0", "(tensor<?xf32>) -> tensor<3xf32>"),
    broadcast("0", "(tensor<1xf32>) -> tensor<?xf32, #stablehlo.bounds<4>>"),
    broadcast("1, 0", f"(tensor<2x1x{q(0)}>) -> tensor<3x2x{q(1)}>"),
    '"stablehlo.concatenate"(%x, %y) <{dimension = 0 : i64}> : (tensor<?x3xf32>, tensor<2x?xf32>) -> tensor<4x3xf32>',
    '"stablehlo.dynamic_iota"(%s) <{iota_dimension = 0 : i64}> : (tensor<1xindex>) -> tensor<?xi32>',
    '"stablehlo.reshape"(%x) : (tensor<0xf32>) -> tensor<0x4xf32>',
    f'"stablehlo.reshape"(%x) : (tensor<2x3x{q(0)}>) -> tensor<1x2x3x{q(1)}>',
    pad("0", "0", "1", "(tensor<0xf32>, tensor<f32>) -> tensor<0xf32>"),
    pad("-1", "-1", "1", "(tensor<?x!quant.uniform<i8:f32, 0.5>>, tensor<!quant.uniform<i8:f32, 0.5>>) -> tensor<?x!quant.uniform<i8:f32, 0.5>>"),
    slice_("0", "3", "2", "(tensor<4xf32>) -> tensor<?xf32>"),
    slice_("4", "4", "1", "(tensor<4xf32>) -> tensor<0xf32>"),
    transpose("1, 0", f"(tensor<2x3x{q(0)}>) -> tensor<3x2x{q(1)}>"),
    transpose("", "(tensor<f32>) -> tensor<f32>").replace(": >", ">"),
    '"stablehlo.set_dimension_size"(%x, %s) <{dimension = 0 : i64}> : (tensor<3xf32>, tensor<i32>) -> tensor<?xf32, #stablehlo.bounds<3>>',
]  # fmt: skip


@pytest.mark.parametrize("row", ROWS, ids=names(ROWS))
def test_refused(row: Row) -> None:
    expect_refusal(*row)


@pytest.mark.parametrize("text", VALID)
def test_valid(text: str) -> None:
    expect_valid(text)
