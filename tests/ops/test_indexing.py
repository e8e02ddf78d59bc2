"""Ops that read and write slices whose positions are operands: one row for each constraint."""

# ruff: noqa: E501 (rows of tables)

from __future__ import annotations

import pytest

from .cases import Row, expect_refusal, expect_valid, names

UNCHECKED = "MLIR does not check it"

GATHER = "offset_dims = [2], collapsed_slice_dims = [1], operand_batching_dims = [0], start_indices_batching_dims = [0], start_index_map = [1], index_vector_dim = 2"
GATHER_TYPES = "(tensor<2x4x5xf32>, tensor<2x3x1xi64>) -> tensor<2x3x5xf32>"


def gather(old: str = "", new: str = "", sizes: str = "1, 1, 5", types: str = GATHER_TYPES) -> str:
    """A gather of rows, for each batch its own, with something else in its dimension numbers."""
    assert old in GATHER
    numbers = f"dimension_numbers = #stablehlo.gather<{GATHER.replace(old, new) if old else GATHER}>"
    return f'"stablehlo.gather"(%x, %i) <{{{numbers}, slice_sizes = array<i64: {sizes}>}}> : {types}'


def dynamic_gather(types: str) -> str:
    numbers = "offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1"
    return f'"stablehlo.dynamic_gather"(%x, %i, %s) <{{dimension_numbers = #stablehlo.gather<{numbers}>}}> : {types}'


SCATTER = "update_window_dims = [2], inserted_window_dims = [1], input_batching_dims = [0], scatter_indices_batching_dims = [0], scatter_dims_to_operand_dims = [1], index_vector_dim = 2"
SCATTER_TYPES = "(tensor<2x4x5xf32>, tensor<2x3x1xi64>, tensor<2x3x5xf32>) -> tensor<2x4x5xf32>"
SUM = """{
^bb0(%a: tensor<f32>, %b: tensor<f32>):
  %c = "stablehlo.add"(%a, %b) : (tensor<f32>, tensor<f32>) -> tensor<f32>
  "stablehlo.return"(%c) : (tensor<f32>) -> ()
}"""
OVERWRITE = '{\n^bb0(%a: tensor<f32>, %b: tensor<f32>):\n  "stablehlo.return"(%b) : (tensor<f32>) -> ()\n}'


def scatter(
    old: str = "", new: str = "", types: str = SCATTER_TYPES, region: str = SUM, operands: str = "%x, %i, %u"
) -> str:
    assert old in SCATTER
    numbers = f"scatter_dimension_numbers = #stablehlo.scatter<{SCATTER.replace(old, new) if old else SCATTER}>"
    return f'"stablehlo.scatter"({operands}) <{{{numbers}}}> ({region}) : {types}'


def two(first: str = "2x4x5", second: str = "2x4x5", third: str = "2x3x5", fourth: str = "2x3x5") -> str:
    """A scatter of two inputs."""
    region = OVERWRITE.replace("%b: tensor<f32>)", "%b: tensor<f32>, %c: tensor<f32>, %d: tensor<f32>)")
    region = region.replace("(%b) : (tensor<f32>)", "(%c, %d) : (tensor<f32>, tensor<f32>)")
    types = f"(tensor<{first}xf32>, tensor<{second}xf32>, tensor<2x3x1xi64>, tensor<{third}xf32>, tensor<{fourth}xf32>)"
    return scatter(
        types=f"{types} -> (tensor<2x4x5xf32>, tensor<2x4x5xf32>)", region=region, operands="%x, %y, %i, %u, %v"
    )


def slice_(sizes: str, types: str, starts: str = "%i, %j") -> str:
    return f'"stablehlo.dynamic_slice"(%x, {starts}) <{{slice_sizes = array<i64: {sizes}>}}> : {types}'


def update(types: str, starts: str = ", %i") -> str:
    return f'"stablehlo.dynamic_update_slice"(%x, %u{starts}) : {types}'


def select(dim: int, batch_dims: int, types: str) -> str:
    return f'"stablehlo.torch_index_select"(%x, %i) <{{dim = {dim} : i64, batch_dims = {batch_dims} : i64}}> : {types}'


ROWS: list[Row] = [
    # gather
    ("stablehlo.gather", gather("offset_dims = [2]", "offset_dims = [1, 2]"), "offset_dims, collapsed_slice_dims and operand_batching_dims are [1, 2], [1] and [0], expected 3 dimensions in all (C1)"),
    ("stablehlo.gather", gather("index_vector_dim = 2", "index_vector_dim = 4"), "index_vector_dim is 4, expected 0 to 3 for indices tensor<2x3x1xi64> (C2)"),
    ("stablehlo.gather", gather("index_vector_dim = 2", "index_vector_dim = -1"), "index_vector_dim is -1, expected 0 to 3 for indices tensor<2x3x1xi64> (C2)"),
    ("stablehlo.gather", gather("start_index_map = [1]", "start_index_map = [1, 2]"), "start_index_map is [1, 2], but an index vector has 1 component (C3)"),
    ("stablehlo.gather", gather("offset_dims = [2], collapsed_slice_dims = [1]", "offset_dims = [2, 2]"), "offset_dims is [2, 2], expected distinct dimensions (C4)"),
    ("stablehlo.gather", gather("offset_dims = [2], collapsed_slice_dims = [1]", "offset_dims = [3, 2]"), "offset_dims is [3, 2], expected dimensions in ascending order (C4)"),
    ("stablehlo.gather", gather("offset_dims = [2]", "offset_dims = [3]"), "offset_dims is [3], expected dimensions of a tensor of rank 3 (C5)"),
    ("stablehlo.gather", gather("offset_dims = [2]", "offset_dims = [-1]"), "offset_dims is [-1], expected dimensions of a tensor of rank 3 (C5)"),
    ("stablehlo.gather", gather("collapsed_slice_dims = [1]", "collapsed_slice_dims = [0]"), "collapsed_slice_dims is [0] and operand_batching_dims is [0], expected distinct dimensions (C6)"),
    ("stablehlo.gather", gather("offset_dims = [2], collapsed_slice_dims = [1]", "collapsed_slice_dims = [2, 1]"), "collapsed_slice_dims is [2, 1], expected dimensions in ascending order (C7)"),
    ("stablehlo.gather", gather("collapsed_slice_dims = [1]", "collapsed_slice_dims = [3]"), "collapsed_slice_dims is [3], expected dimensions of a tensor of rank 3 (C8)"),
    ("stablehlo.gather", gather(sizes="1, 2, 5"), "slice_sizes is [1, 2, 5], expected 0 or 1 in dimensions [1] (C9)"),
    ("stablehlo.gather", gather("collapsed_slice_dims = [1], operand_batching_dims = [0]", "operand_batching_dims = [1, 0]"), "operand_batching_dims is [1, 0], expected dimensions in ascending order (C10)"),
    ("stablehlo.gather", gather("operand_batching_dims = [0]", "operand_batching_dims = [3]"), "operand_batching_dims is [3], expected dimensions of a tensor of rank 3 (C11)"),
    ("stablehlo.gather", gather(sizes="2, 1, 5"), "slice_sizes is [2, 1, 5], expected 0 or 1 in dimensions [0] (C12)"),
    ("stablehlo.gather", gather("start_indices_batching_dims = [0]", "start_indices_batching_dims = [0, 0]"), "start_indices_batching_dims is [0, 0], expected distinct dimensions (C13)"),
    ("stablehlo.gather", gather("start_indices_batching_dims = [0]", "start_indices_batching_dims = [3]"), "start_indices_batching_dims is [3], expected dimensions of a tensor of rank 3 (C14)"),
    ("stablehlo.gather", gather("start_indices_batching_dims = [0]", "start_indices_batching_dims = [2]"), "start_indices_batching_dims is [2], which contains the index_vector_dim (C15)"),
    ("stablehlo.gather", gather("start_indices_batching_dims = [0]", "start_indices_batching_dims = [0, 1]"), "operand_batching_dims is [0] and start_indices_batching_dims is [0, 1], expected equal lengths (C16)"),
    ("stablehlo.gather", gather("start_indices_batching_dims = [0]", "start_indices_batching_dims = [1]"), "batching dimensions 0 and 1 have the sizes 2 and 3 (C17)"),
    ("stablehlo.gather", gather("start_index_map = [1]", "start_index_map = [0]"), "start_index_map is [0] and operand_batching_dims is [0], expected distinct dimensions (C18)"),
    ("stablehlo.gather", gather("start_index_map = [1]", "start_index_map = [3]"), "start_index_map is [3], expected dimensions of a tensor of rank 3 (C19)"),
    ("stablehlo.gather", gather(sizes="1, 1"), "slice_sizes is [1, 1], expected 3 numbers, the operand's rank (C20)"),
    ("stablehlo.gather", gather(sizes="1, 1, 6"), "slice_sizes is [1, 1, 6], expected sizes from 0 to those of [2, 4, 5] (C21)"),
    ("stablehlo.gather", gather(sizes="1, 1, -1"), "slice_sizes is [1, 1, -1], expected sizes from 0 to those of [2, 4, 5] (C21)"),
    ("stablehlo.gather", gather(types="(tensor<2x4x5xf32>, tensor<2x3x1xi64>) -> tensor<2x3x4xf32>"), "the result has the shape [2, 3, 5], but its declared type is tensor<2x3x4xf32>"),
    ("stablehlo.gather", gather(types="(tensor<2x4x5xf32>, tensor<2x3x1xi64>) -> tensor<2x3x5xi32>"), "the result has elements of f32, but its declared type is tensor<2x3x5xi32>"),
    ("stablehlo.gather", gather(types="(tensor<2x4x5xf32>, tensor<2x3x1xf32>) -> tensor<2x3x5xf32>"), "operand 1 is tensor<2x3x1xf32>, expected integers"),
    ("stablehlo.gather", gather(types="(tensor<2x4x5xf32>, tensor<2x3x1xindex>) -> tensor<2x3x5xf32>"), "operand 1 is tensor<2x3x1xindex>, expected integers"),
    ("stablehlo.gather", gather().replace("stablehlo.gather<", "stablehlo.scatter<").replace(GATHER, SCATTER), "the attribute 'dimension_numbers' is not #stablehlo.gather<…>"),
    ("stablehlo.dynamic_gather", dynamic_gather("(tensor<3x4xf32>, tensor<4x1xi32>, tensor<1xi32>) -> tensor<4x2xf32>"), "slice_sizes is tensor<1xi32>, expected the shape [2] (C20)"),
    ("stablehlo.dynamic_gather", dynamic_gather("(tensor<3x4xf32>, tensor<4x2xi32>, tensor<2xi32>) -> tensor<4x2xf32>"), "start_index_map is [0], but an index vector has 2 components (C3)"),
    ("stablehlo.dynamic_gather", dynamic_gather("(tensor<3x4xf32>, tensor<4x1xi32>, tensor<2xi32>) -> tensor<5x2xf32>"), "the result has the shape [4, ?], but its declared type is tensor<5x2xf32>"),
    # scatter
    ("stablehlo.scatter", two(second="2x4x6"), "the inputs are (tensor<2x4x5xf32>, tensor<2x4x6xf32>), expected equal shapes (C1)"),
    ("stablehlo.scatter", scatter("update_window_dims = [2]", "update_window_dims = [1, 2]"), "update_window_dims, inserted_window_dims and input_batching_dims are [1, 2], [1] and [0], expected 3 dimensions in all (C2)"),
    ("stablehlo.scatter", two(fourth="2x3x4"), "the updates are (tensor<2x3x5xf32>, tensor<2x3x4xf32>), expected equal shapes (C3)"),
    ("stablehlo.scatter", scatter(types="(tensor<2x4x5xf32>, tensor<2x3x1xi64>, tensor<2x4x5xf32>) -> tensor<2x4x5xf32>"), "the updates have the scatter dimensions [2, 4], expected [2, 3] (C4)"),
    ("stablehlo.scatter", scatter(types="(tensor<2x4x5xf32>, tensor<2x3x1xi64>, tensor<2x3x6xf32>) -> tensor<2x4x5xf32>"), "the updates' windows have the shape [6], expected sizes from 0 to those of [5] (C4)"),
    ("stablehlo.scatter", scatter(types="(tensor<2x4x5xf32>, tensor<2x3x1xi64>) -> tensor<2x4x5xf32>", operands="%x, %i"), "has 2 operands, expected inputs, scatter_indices and an update for each input (C5)"),
    ("stablehlo.scatter", scatter(types=SCATTER_TYPES.replace("i64>, ", "i64>, tensor<2x3x5xf32>, "), operands="%x, %i, %u, %v"), "has 4 operands, expected inputs, scatter_indices and an update for each input (C5)", UNCHECKED),
    ("stablehlo.scatter", scatter("update_window_dims = [2], inserted_window_dims = [1]", "update_window_dims = [2, 2]"), "update_window_dims is [2, 2], expected distinct dimensions (C7)"),
    ("stablehlo.scatter", scatter("update_window_dims = [2]", "update_window_dims = [3]"), "update_window_dims is [3], expected dimensions of a tensor of rank 3 (C8)"),
    ("stablehlo.scatter", scatter("inserted_window_dims = [1]", "inserted_window_dims = [0]"), "inserted_window_dims is [0] and input_batching_dims is [0], expected distinct dimensions (C9)"),
    ("stablehlo.scatter", scatter("update_window_dims = [2], inserted_window_dims = [1]", "inserted_window_dims = [2, 1]"), "inserted_window_dims is [2, 1], expected dimensions in ascending order (C10)"),
    ("stablehlo.scatter", scatter("inserted_window_dims = [1]", "inserted_window_dims = [3]"), "inserted_window_dims is [3], expected dimensions of a tensor of rank 3 (C11)"),
    ("stablehlo.scatter", scatter("inserted_window_dims = [1], input_batching_dims = [0]", "input_batching_dims = [1, 0]"), "input_batching_dims is [1, 0], expected dimensions in ascending order (C12)"),
    ("stablehlo.scatter", scatter("input_batching_dims = [0]", "input_batching_dims = [3]"), "input_batching_dims is [3], expected dimensions of a tensor of rank 3 (C13)"),
    ("stablehlo.scatter", scatter("scatter_indices_batching_dims = [0]", "scatter_indices_batching_dims = [0, 0]"), "scatter_indices_batching_dims is [0, 0], expected distinct dimensions (C14)"),
    ("stablehlo.scatter", scatter("scatter_indices_batching_dims = [0]", "scatter_indices_batching_dims = [3]"), "scatter_indices_batching_dims is [3], expected dimensions of a tensor of rank 3 (C15)"),
    ("stablehlo.scatter", scatter("scatter_indices_batching_dims = [0]", "scatter_indices_batching_dims = [2]"), "scatter_indices_batching_dims is [2], which contains the index_vector_dim (C16)"),
    ("stablehlo.scatter", scatter("scatter_indices_batching_dims = [0]", "scatter_indices_batching_dims = [0, 1]"), "input_batching_dims is [0] and scatter_indices_batching_dims is [0, 1], expected equal lengths (C17)"),
    ("stablehlo.scatter", scatter("scatter_indices_batching_dims = [0]", "scatter_indices_batching_dims = [1]"), "batching dimensions 0 and 1 have the sizes 2 and 3 (C18)"),
    ("stablehlo.scatter", scatter("operand_dims = [1]", "operand_dims = [1, 2]"), "scatter_dims_to_operand_dims is [1, 2], but an index vector has 1 component (C19)"),
    ("stablehlo.scatter", scatter("operand_dims = [1]", "operand_dims = [0]"), "scatter_dims_to_operand_dims is [0] and input_batching_dims is [0], expected distinct dimensions (C20)"),
    ("stablehlo.scatter", scatter("operand_dims = [1]", "operand_dims = [3]"), "scatter_dims_to_operand_dims is [3], expected dimensions of a tensor of rank 3 (C21)"),
    ("stablehlo.scatter", scatter("index_vector_dim = 2", "index_vector_dim = 4"), "index_vector_dim is 4, expected 0 to 3 for indices tensor<2x3x1xi64> (C22)"),
    ("stablehlo.scatter", scatter(region=OVERWRITE.replace("%b: tensor<f32>)", "%b: tensor<f32>, %c: tensor<f32>)")), "the region takes (tensor<f32>, tensor<f32>, tensor<f32>) and returns (tensor<f32>), expected two scalar arguments and one result for each input (C23)"),
    ("stablehlo.scatter", scatter(region='{\n^bb0(%a: tensor<f32>, %b: tensor<f32>):\n  "stablehlo.return"() : () -> ()\n}'), "the region takes (tensor<f32>, tensor<f32>) and returns (), expected two scalar arguments and one result for each input (C23)"),
    ("stablehlo.scatter", scatter(region=OVERWRITE.replace("f32", "2xf32")), "the region returns (tensor<2xf32>), expected scalars (C23)"),
    ("stablehlo.scatter", scatter(region=OVERWRITE.replace("f32", "i32")), "input 0 is tensor<2x4x5xf32>, which is not promotable to i32 (C23)"),
    ("stablehlo.scatter", scatter(types=SCATTER_TYPES.replace("-> tensor<2x4x5xf32>", "-> tensor<2x4x5xf16>"), region=OVERWRITE.replace("f32", "f16")), "input 0 is tensor<2x4x5xf32>, which is not promotable to f16 (C23)", "MLIR takes floats of any precision"),
    ("stablehlo.scatter", scatter(types=SCATTER_TYPES.replace("2x3x5xf32", "2x3x5xi32")), "update 0 is tensor<2x3x5xi32>, which is not promotable to f32 (C23)"),
    ("stablehlo.scatter", scatter(types=SCATTER_TYPES.replace("-> tensor<2x4x5xf32>", "-> tensor<2x4x6xf32>")), "the result has the shape [2, 4, 5], but its declared type is tensor<2x4x6xf32>"),
    ("stablehlo.scatter", two().replace("-> (tensor<2x4x5xf32>, tensor<2x4x5xf32>)", "-> tensor<2x4x5xf32>"), "has 1 result, expected 2, one for each input (C24)"),
    ("stablehlo.scatter", scatter(types=SCATTER_TYPES.replace("-> tensor<2x4x5xf32>", "-> tensor<2x4x5xf64>")), "the region returns tensor<f32>, but the declared type is tensor<2x4x5xf64> (C25)"),
    ("stablehlo.scatter", scatter(types=SCATTER_TYPES.replace("i64", "f32")), "scatter_indices is tensor<2x3x1xf32>, expected integers"),
    ("stablehlo.scatter", scatter(region="{\n}"), "region 0 is empty, expected it to end with a return"),
    ("stablehlo.scatter", scatter().replace(f"({SUM}) ", ""), "has 0 regions, expected 1"),
    # dynamic_slice
    ("stablehlo.dynamic_slice", slice_("1, 2", "(tensor<3x4xf32>, tensor<i64>, tensor<i64>) -> tensor<1x2xi32>"), "the result has elements of f32, but its declared type is tensor<1x2xi32>"),
    ("stablehlo.dynamic_slice", slice_("1, 2", "(tensor<3x4xf32>, tensor<i64>) -> tensor<1x2xf32>", "%i"), "has 1 start indices, expected 2, one for each dimension (C2)"),
    ("stablehlo.dynamic_slice", slice_("1", "(tensor<3x4xf32>, tensor<i64>, tensor<i64>) -> tensor<1x4xf32>"), "slice_sizes is [1], expected 2 numbers, the operand's rank (C2)"),
    ("stablehlo.dynamic_slice", slice_("1, 2", "(tensor<3x4xf32>, tensor<i64>, tensor<i32>) -> tensor<1x2xf32>"), "start index 1 is tensor<i32>, expected tensor<i64> (C3)"),
    ("stablehlo.dynamic_slice", slice_("1, 2", "(tensor<3x4xf32>, tensor<1xi64>, tensor<1xi64>) -> tensor<1x2xf32>"), "start index 0 is tensor<1xi64>, expected a scalar"),
    ("stablehlo.dynamic_slice", slice_("1, 2", "(tensor<3x4xf32>, tensor<f32>, tensor<f32>) -> tensor<1x2xf32>"), "operand 1 is tensor<f32>, expected integers"),
    ("stablehlo.dynamic_slice", slice_("1, 5", "(tensor<3x4xf32>, tensor<i64>, tensor<i64>) -> tensor<1x5xf32>"), "slice_sizes is [1, 5], expected sizes from 0 to those of [3, 4] (C4)"),
    ("stablehlo.dynamic_slice", slice_("1, -1", "(tensor<3x?xf32>, tensor<i64>, tensor<i64>) -> tensor<1x?xf32>"), "slice_sizes is [1, -1], expected sizes from 0 to those of [3, ?] (C4)"),
    ("stablehlo.dynamic_slice", slice_("1, 2", "(tensor<3x4xf32>, tensor<i64>, tensor<i64>) -> tensor<1x3xf32>"), "the result has the shape [1, 2], but its declared type is tensor<1x3xf32>"),
    # dynamic_update_slice
    ("stablehlo.dynamic_update_slice", update("(tensor<3xf32>, tensor<2xf32>, tensor<i64>) -> tensor<2xf32>"), "the result has the shape [3], but its declared type is tensor<2xf32>"),
    ("stablehlo.dynamic_update_slice", update("(tensor<3xf32>, tensor<2xf64>, tensor<i64>) -> tensor<3xf32>"), "operand 1 is tensor<2xf64>, expected elements of f32"),
    ("stablehlo.dynamic_update_slice", update("(tensor<3xf32>, tensor<1x2xf32>, tensor<i64>) -> tensor<3xf32>"), "the update is tensor<1x2xf32>, expected a rank of 1 (C3)"),
    ("stablehlo.dynamic_update_slice", update("(tensor<3xf32>, tensor<2xf32>) -> tensor<3xf32>", ""), "has 0 start indices, expected 1, one for each dimension (C4)"),
    ("stablehlo.dynamic_update_slice", update("(tensor<3x3xf32>, tensor<2x2xf32>, tensor<i64>, tensor<i32>) -> tensor<3x3xf32>", ", %i, %j"), "start index 1 is tensor<i32>, expected tensor<i64> (C5)"),
    ("stablehlo.dynamic_update_slice", update("(tensor<3xf32>, tensor<4xf32>, tensor<i64>) -> tensor<3xf32>"), "the update has the shape [4], expected sizes from 0 to those of [3] (C6)"),
    # torch_index_select
    ("stablehlo.torch_index_select", select(2, 0, "(tensor<3x4xf32>, tensor<2xi32>) -> tensor<3x2xf32>"), "has dim 2 and batch_dims 0 for (tensor<3x4xf32>, tensor<2xi32>)", UNCHECKED),
    ("stablehlo.torch_index_select", select(0, 1, "(tensor<3x4xf32>, tensor<3xi32>) -> tensor<3x4xf32>"), "has dim 0 and batch_dims 1 for (tensor<3x4xf32>, tensor<3xi32>)", UNCHECKED),
    ("stablehlo.torch_index_select", select(1, 1, "(tensor<3x4xf32>, tensor<2x2xi32>) -> tensor<3x2xf32>"), "operand and index have the batch dimensions [3] and [2], expected equal ones", UNCHECKED),
    ("stablehlo.torch_index_select", select(0, 0, "(tensor<3x4xf32>, tensor<2xi32>) -> tensor<9x4xf32>"), "the result has the shape [2, 4], but its declared type is tensor<9x4xf32>", UNCHECKED),
    ("stablehlo.torch_index_select", select(0, 0, "(tensor<3x4xf32>, tensor<2xf32>) -> tensor<2x4xf32>"), "operand 1 is tensor<2xf32>, expected integers", UNCHECKED),
]  # fmt: skip

VALID = [
    gather(),
    gather(types="(tensor<2x?x5xf32>, tensor<2x3x?xui32>) -> tensor<?x3x5xf32>"),
    gather(types="(tensor<2x4x5x!quant.uniform<i8:f32, 0.5>>, tensor<2x3x1xi64>) -> tensor<2x3x5x!quant.uniform<i8:f32, 0.5>>"),
    dynamic_gather("(tensor<3x4xf32>, tensor<4x1xi32>, tensor<2xi32>) -> tensor<4x9xf32>"),
    scatter(),
    two(),
    scatter(region=OVERWRITE),
    scatter(types="(tensor<?x4x5xf32>, tensor<2x?x1xi64>, tensor<2x3x4xf32>) -> tensor<?x4x5xf32>"),
    scatter(types=SCATTER_TYPES.replace("-> tensor<2x4x5xf32>", "-> tensor<2x4x5xf64>"), region=SUM.replace("f32", "f64")),
    slice_("1, 2", "(tensor<3x?xf32>, tensor<ui64>, tensor<ui64>) -> tensor<1x2xf32>"),
    update("(tensor<f32>, tensor<f32>) -> tensor<f32>", ""),
    update("(tensor<3xf32>, tensor<?xf32>, tensor<i64>) -> tensor<?xf32>"),
    select(1, 1, "(tensor<3x4xf32>, tensor<3x2xi32>) -> tensor<3x2xf32>"),
]  # fmt: skip


@pytest.mark.parametrize("row", ROWS, ids=names(ROWS))
def test_refused(row: Row) -> None:
    expect_refusal(*row)


@pytest.mark.parametrize("text", VALID)
def test_valid(text: str) -> None:
    expect_valid(text)
