"""Constraints of collective ops."""

from __future__ import annotations

import pytest

from .cases import Row, expect_refusal, expect_valid, names

T = "tensor<2x4xf32>"
TWO = "replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>"
IDS = "use_global_device_ids"
CHANNEL = "channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>"
ADD = """({
  ^bb0(%p: tensor<f32>, %q: tensor<f32>):
    %s = "stablehlo.add"(%p, %q) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    "stablehlo.return"(%s) : (tensor<f32>) -> ()
  })"""
TRUNCATING = ADD.replace("tensor<f32>", "tensor<f16>")
BESIDE = "MLIR leaves it to those who know the processes"


def gather(dimension: int, result: str, *more: str) -> str:
    attributes = ", ".join((f"all_gather_dim = {dimension} : i64", *(more or (TWO,))))
    return f'"stablehlo.all_gather"(%x) <{{{attributes}}}> : ({T}) -> {result}'


def exchange(split: int, concat: int, count: int, result: str, groups: str = TWO) -> str:
    attributes = (
        f"split_dimension = {split} : i64, concat_dimension = {concat} : i64, split_count = {count} : i64, {groups}"
    )
    return f'"stablehlo.all_to_all"(%x) <{{{attributes}}}> : ({T}) -> {result}'


def permute(pairs: str) -> str:
    return f'"stablehlo.collective_permute"(%x) <{{source_target_pairs = {pairs}}}> : ({T}) -> {T}'


def reduce(result: str = T, groups: str = TWO, computation: str = ADD) -> str:
    return f'"stablehlo.all_reduce"(%x) <{{{groups}}}> {computation} : ({T}) -> {result}'


def scatter(dimension: int, result: str, groups: str = TWO, computation: str = ADD) -> str:
    attributes = f"scatter_dimension = {dimension} : i64, {groups}"
    return f'"stablehlo.reduce_scatter"(%x) <{{{attributes}}}> {computation} : ({T}) -> {result}'


TWICE = "replica_groups = dense<[[0, 0]]> : tensor<1x2xi64>"
GAP = "replica_groups = dense<[[0, 2]]> : tensor<1x2xi64>"
THREE = "replica_groups = dense<[[0, 1, 2]]> : tensor<1x3xi64>"

ROWS: list[Row] = [
    ("stablehlo.all_gather", gather(2, T), f"all_gather_dim is 2, expected a dimension of {T}, 0 to 1 (C1)"),
    ("stablehlo.all_gather", gather(0, "tensor<4x4xf32>", TWICE), "replica_groups names a process twice: [0, 0] (C2)"),
    (
        "stablehlo.all_gather",
        gather(0, "tensor<4x4xf32>", GAP),
        "replica_groups names [0, 2], expected all from 0 to 1 (C4)",
    ),
    (
        "stablehlo.all_gather",
        gather(0, "tensor<4x4xf32>", TWO, IDS),
        "use_global_device_ids needs a channel_handle with a positive handle (C5)",
        BESIDE,
    ),
    ("stablehlo.all_gather", gather(0, T), "the result has the shape [4, 4], but its declared type is", BESIDE),
    ("stablehlo.all_reduce", reduce(groups=TWICE), "replica_groups names a process twice: [0, 0] (C1)"),
    ("stablehlo.all_reduce", reduce(groups=GAP), "replica_groups names [0, 2], expected all from 0 to 1 (C3)"),
    (
        "stablehlo.all_reduce",
        reduce(groups=f"{TWO}, {IDS}"),
        "use_global_device_ids needs a channel_handle with a positive handle (C4)",
    ),
    (
        "stablehlo.all_reduce",
        reduce(computation=TRUNCATING),
        f"operand 0 is {T}, which is not promotable to computation's tensor<f16> (C5)",
    ),
    ("stablehlo.all_reduce", reduce("tensor<4x2xf32>"), "the result has the shape [2, 4], but its declared type is"),
    (
        "stablehlo.all_reduce",
        reduce("tensor<2x4xf64>"),
        "result 0 is tensor<2x4xf64>, but computation returns tensor<f32> (C7)",
    ),
    ("stablehlo.all_to_all", exchange(2, 0, 2, T), f"split_dimension is 2, expected a dimension of {T}, 0 to 1 (C1)"),
    ("stablehlo.all_to_all", exchange(1, 0, 3, T, THREE), f"split_count 3 does not divide dimension 1 of {T} (C2)"),
    ("stablehlo.all_to_all", exchange(1, 2, 2, T), f"concat_dimension is 2, expected a dimension of {T}, 0 to 1 (C3)"),
    ("stablehlo.all_to_all", exchange(1, 0, 0, T), "split_count is 0, expected at least 1 (C4)"),
    (
        "stablehlo.all_to_all",
        exchange(1, 0, 2, "tensor<4x2xf32>", TWICE),
        "replica_groups names a process twice: [0, 0] (C5)",
    ),
    (
        "stablehlo.all_to_all",
        exchange(1, 0, 2, "tensor<4x2xf32>", GAP),
        "replica_groups names [0, 2], expected all from 0 to 1 (C7)",
    ),
    (
        "stablehlo.all_to_all",
        exchange(1, 0, 4, "tensor<8x1xf32>"),
        "split_count is 4, but the groups have 2 processes (C8)",
    ),
    ("stablehlo.all_to_all", exchange(1, 0, 2, T), "the result has the shape [4, 2], but its declared type is"),
    (
        "stablehlo.collective_broadcast",
        f'"stablehlo.collective_broadcast"(%x) <{{{TWICE}}}> : ({T}) -> {T}',
        "replica_groups names a process twice: [0, 0] (C1)",
    ),
    (
        "stablehlo.collective_broadcast",
        f'"stablehlo.collective_broadcast"(%x) <{{replica_groups = dense<-2> : tensor<1x1xi64>}}> : ({T}) -> {T}',
        "replica_groups names the process -2 (C2)",
    ),
    (
        "stablehlo.collective_broadcast",
        f'"stablehlo.collective_broadcast"(%x) <{{{TWO}}}> : ({T}) -> tensor<2x4xf64>',
        "the result has elements of f32, but its declared type is",
    ),
    (
        "stablehlo.collective_permute",
        permute("dense<0> : tensor<1x3xi64>"),
        "the attribute 'source_target_pairs' is not a list of pairs of integers: it has the shape [1, 3]",
    ),
    (
        "stablehlo.collective_permute",
        permute("dense<[[0, 0], [0, 1]]> : tensor<2x2xi64>"),
        "source_target_pairs names a source twice: [0, 0] (C2)",
    ),
    (
        "stablehlo.collective_permute",
        permute("dense<[[0, 1], [1, 1]]> : tensor<2x2xi64>"),
        "source_target_pairs names a target twice: [1, 1] (C3)",
    ),
    (
        "stablehlo.collective_permute",
        permute("dense<[[0, -1]]> : tensor<1x2xi64>"),
        "source_target_pairs names the process -1 (C4)",
    ),
    (
        "stablehlo.collective_permute",
        permute("dense<[[0, 1]]> : tensor<1x2xi32>"),
        "the attribute 'source_target_pairs' is not a list of pairs of integers: its numbers have the type i32",
    ),
    (
        "stablehlo.reduce_scatter",
        scatter(1, "tensor<2x1xf32>", THREE),
        f"groups of 3 processes do not divide dimension 1 of {T} (C1)",
        BESIDE,
    ),
    ("stablehlo.reduce_scatter", scatter(-1, T), f"scatter_dimension is -1, expected a dimension of {T}, 0 to 1 (C2)"),
    (
        "stablehlo.reduce_scatter",
        scatter(1, "tensor<2x2xf32>", TWICE),
        "replica_groups names a process twice: [0, 0] (C3)",
    ),
    (
        "stablehlo.reduce_scatter",
        scatter(1, "tensor<2x2xf32>", GAP),
        "replica_groups names [0, 2], expected all from 0 to 1 (C5)",
    ),
    (
        "stablehlo.reduce_scatter",
        scatter(1, "tensor<2x2xf32>", f"{TWO}, {IDS}"),
        "use_global_device_ids needs a channel_handle with a positive handle (C6)",
    ),
    (
        "stablehlo.reduce_scatter",
        scatter(1, "tensor<2x2xf16>", computation=TRUNCATING),
        f"operand 0 is {T}, which is not promotable to computation's tensor<f16> (C7)",
        BESIDE,
    ),
    ("stablehlo.reduce_scatter", scatter(1, T), "the result has the shape [2, 2], but its declared type is", BESIDE),
    (
        "stablehlo.reduce_scatter",
        scatter(1, "tensor<2x2xf64>"),
        "result 0 is tensor<2x2xf64>, but computation returns tensor<f32> (C9)",
    ),
    (
        "stablehlo.replica_id",
        '"stablehlo.replica_id"() : () -> tensor<i32>',
        "the result is tensor<i32>, expected tensor<ui32>",
    ),
    (
        "stablehlo.partition_id",
        '"stablehlo.partition_id"() : () -> tensor<1xui32>',
        "the result is tensor<1xui32>, expected tensor<ui32>",
    ),
]

VALID = [
    gather(0, "tensor<4x4xf32>"),
    gather(0, "tensor<4x4xf32>", TWO, CHANNEL, IDS),
    exchange(1, 0, 2, "tensor<4x2xf32>"),
    exchange(1, 1, 2, T),
    scatter(1, "tensor<2x2xf32>"),
    reduce(),
    permute("dense<[[0, 1], [1, 0]]> : tensor<2x2xi64>"),
]


@pytest.mark.parametrize("row", ROWS, ids=names(ROWS))
def test_refusal(row: Row) -> None:
    expect_refusal(*row)


@pytest.mark.parametrize("text", VALID)
def test_valid(text: str) -> None:
    expect_valid(text)
