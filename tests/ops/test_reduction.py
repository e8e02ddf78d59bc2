"""Constraints of ops that fold, scan, map and sort."""

# ruff: noqa: E501 (rows of tables)

from __future__ import annotations

import pytest

import hlo2tiny
from hlo2tiny.verify.problems import verify

from .cases import Row, expect_refusal, expect_valid, names, program

LOOSE = "MLIR lets a region have types that the specification does not"


def region(arguments: str, body: str, *returned: str) -> str:
    """A region that takes %0, %1, … of these types, separated by spaces."""
    taken = ", ".join(f"%{i}: tensor<{type}>" for i, type in enumerate(arguments.split()))
    given = ", ".join(r.partition(":")[0] for r in returned)
    types = ", ".join(f"tensor<{r.partition(':')[2]}>" for r in returned)
    return f'({{\n^bb0({taken}):\n  {body}\n  "stablehlo.return"({given}) : ({types}) -> ()\n}})'


def binary(element: str = "f32", op: str = "add") -> str:
    t = f"tensor<{element}>"
    body = f'%r = "stablehlo.{op}"(%0, %1) : ({t}, {t}) -> {t}'
    return region(f"{element} {element}", body, f"%r:{element}")


def constant(arguments: str, type: str, value: str = "1") -> str:
    """A region that returns a constant."""
    return region(arguments, f'%r = "stablehlo.constant"() <{{value = dense<{value}> : tensor<{type}>}}> : () -> tensor<{type}>', f"%r:{type}")  # fmt: skip


def compared(*elements: str) -> str:
    """The comparator of a sort by the first operand."""
    taken = " ".join(f"{e} {e}" for e in elements)
    t = f"tensor<{elements[0]}>"
    order = "<{comparison_direction = #stablehlo<comparison_direction LT>}>"
    return region(taken, f'%r = "stablehlo.compare"(%0, %1) {order} : ({t}, {t}) -> tensor<i1>', "%r:i1")


def made(op: str, operands: str, results: str, regions: str, **attributes: str) -> str:
    """An op, of operands and results of types that are separated by spaces."""
    given, returned = operands.split(), results.split()
    names = ", ".join(f"%x{i}" for i in range(len(given)))
    text = ", ".join(f"{name} = {value}" for name, value in attributes.items())
    signature = f"({', '.join(f'tensor<{t}>' for t in given)}) -> ({', '.join(f'tensor<{t}>' for t in returned)})"
    return f'"{op}"({names}) <{{{text}}}> {regions} : {signature}'


def reduce(
    operands: str = "4x5xf32 f32", results: str = "4xf32", body: str = binary(), dimensions: str = "array<i64: 1>"
) -> str:
    return made("stablehlo.reduce", operands, results, body, dimensions=dimensions)


def window(
    operands: str = "4x5xf32 f32",
    results: str = "3x4xf32",
    body: str = binary(),
    window_dimensions: str = "array<i64: 2, 2>",
    **more: str,
) -> str:
    sizes = {"window_dimensions": window_dimensions}
    return made("stablehlo.reduce_window", operands, results, body, **sizes, **more)


def selected(
    operands: str = "4x2xf32 2x2xf32 f32",
    result: str = "4x2xf32",
    select: str = compared("f32"),
    scatter: str = binary(),
    window_dimensions: str = "array<i64: 3, 1>",
    window_strides: str = "array<i64: 2, 1>",
    padding: str = "dense<[[0, 1], [0, 0]]> : tensor<2x2xi64>",
) -> str:
    regions = f"{select[:-1]}, {scatter[1:]}"
    lists = {"window_dimensions": window_dimensions, "window_strides": window_strides, "padding": padding}
    return made("stablehlo.select_and_scatter", operands, result, regions, **lists)


def mapped(
    operands: str = "4x5xf32 4x5xf32",
    results: str = "4x5xf32",
    computation: str = binary(),
    dimensions: str = "array<i64: 0, 1>",
) -> str:
    return made("stablehlo.map", operands, results, computation, dimensions=dimensions)


def sort(
    operands: str = "4x5xf32", results: str = "", comparator: str = compared("f32"), dimension: str = "1 : i64"
) -> str:
    return made("stablehlo.sort", operands, results or operands, comparator, dimension=dimension)


def top_k(k: str = "2 : i64", operand: str = "4x5xf32", results: str = "4x2xf32 4x2xi32") -> str:
    return made("chlo.top_k", operand, results, "", k=k)


SLICES = region("5xf32 5xf32", "", "%0:5xf32", "%1:5xf32")


def scan(
    operands: str = "4x5xf32 5xf32",
    results: str = "4x5xf32 5xf32",
    body: str = SLICES,
    dimension: str = "0 : i64",
    split: tuple[str, str] = ("1, 1", "1, 1"),
    **more: str,
) -> str:
    segments = {f"{side}SegmentSizes": f"array<i32: {sizes}>" for side, sizes in zip(("operand", "result"), split)}
    return made("chlo.scan", operands, results, body, dimension=dimension, **segments, **more)


TWO = region("f32 i32 f32 i32", "", "%0:f32", "%1:i32")
SWAPPED = region("f32 i32 f32 i32", "", "%1:i32", "%0:f32")
REDUCE, WINDOW, SELECT = "stablehlo.reduce", "stablehlo.reduce_window", "stablehlo.select_and_scatter"
MAP, SORT, SCAN, TOP_K = "stablehlo.map", "stablehlo.sort", "chlo.scan", "chlo.top_k"
ROWS: list[Row] = [
    (REDUCE, reduce("4x5xf32 4x6xi32 f32 i32", "4xf32 4xi32", TWO), "operand 1 is tensor<4x6xi32>, expected the shape [4, 5]"),
    (REDUCE, reduce("4x5xf32 i32"), "init value 0 is tensor<i32>, expected tensor<f32>, as operand 0 (C2)"),
    (REDUCE, reduce("4x5xf32 1xf32"), "init value 0 is tensor<1xf32>, expected tensor<f32>, as operand 0 (C2)"),
    (REDUCE, reduce("4x5xf32 f64"), "init value 0 is tensor<f64>, expected tensor<f32>, as operand 0 (C2)", LOOSE),
    (REDUCE, reduce(results="4xf32 4xf32"), "has 2 operands and 2 results, expected equal numbers of inputs, init values"),
    (REDUCE, reduce("4x5xf32 f32 f32"), "has 3 operands and 1 result, expected equal numbers of inputs, init values and results (C3)", "MLIR halves the operands"),
    (REDUCE, reduce(dimensions="array<i64: 2>"), "dimensions is [2], expected dimensions of a tensor of rank 2 (C4)"),
    (REDUCE, reduce(dimensions="array<i64: -1>"), "dimensions is [-1], expected dimensions of a tensor of rank 2 (C4)"),
    (REDUCE, reduce(dimensions="array<i64: 1, 1>"), "dimensions is [1, 1], expected distinct dimensions (C5)"),
    (REDUCE, reduce(dimensions="array<i32: 1>"), "the attribute 'dimensions' is not a list of integers"),
    (REDUCE, reduce(body=binary("i32"), results="4xi32"), "operand 0 is tensor<4x5xf32>, which is not promotable to i32 (C6)"),
    (REDUCE, reduce(body=binary("f16"), results="4xf16"), "operand 0 is tensor<4x5xf32>, which is not promotable to f16 (C6)", LOOSE),
    (REDUCE, reduce(body=region("f32", "", "%0:f32")), "body takes 1 argument, expected 2 (C6)"),
    (REDUCE, reduce(body=region("f32 f32 f32", "", "%0:f32")), "body takes 3 arguments, expected 2 (C6)"),
    (REDUCE, reduce(body=region("f32 f32", "", "%0:f32", "%1:f32")), "body returns (tensor<f32>, tensor<f32>), expected 1 scalar"),
    (REDUCE, reduce(body=region("f32 f32", "")), "body returns (), expected 1 scalar (C6)"),
    (REDUCE, reduce(body=binary("1xf32")), "body returns tensor<1xf32>, expected a scalar (C6)"),
    (REDUCE, reduce(body=region("f64 f32", "", "%1:f32")), "argument 0 of body is tensor<f64>, expected tensor<f32> (C6)"),
    (REDUCE, reduce(body=region("f32 f64", "", "%0:f32")), "argument 1 of body is tensor<f64>, expected tensor<f32> (C6)", LOOSE),
    (REDUCE, reduce(body=compared("f32"), results="4xi1"), "operand 0 is tensor<4x5xf32>, which is not promotable to i1 (C6)"),
    (REDUCE, reduce("4x5xf32 4x5xi32 f32 i32", "4xi32 4xf32", SWAPPED), "operand 0 is tensor<4x5xf32>, which is not promotable"),
    (REDUCE, reduce(results="5xf32"), "the result has the shape [4], but its declared type is tensor<5xf32> (C7)"),
    (REDUCE, reduce(results="4x1xf32"), "the result has the shape [4], but its declared type is tensor<4x1xf32>"),
    (REDUCE, reduce(results="4xf64"), "body returns f32, but the declared type is tensor<4xf64> (C8)"),
    (REDUCE, reduce("4x5xindex index", "4xindex", region("index index", "", "%0:index")), "operand 0 is tensor<4x5xindex>, but only sizes can be of type index"),
    (WINDOW, window(results="3x4xf32 3x4xf32"), "has 2 operands and 2 results, expected equal numbers of inputs, init values"),
    (WINDOW, window("4x5xf32 4x6xi32 f32 i32", "3x4xf32 3x4xi32", TWO), "operand 1 is tensor<4x6xi32>, expected the shape"),
    (WINDOW, window("4x5xf32 i32"), "init value 0 is tensor<i32>, expected tensor<f32>, as operand 0 (C3)"),
    (WINDOW, window(window_dimensions="array<i64: 2>"), "window_dimensions is [2], expected 2 numbers, one for each dimension (C4)"),
    (WINDOW, window(window_dimensions="array<i64>"), "window_dimensions is [], expected 2 numbers, one for each dimension (C4)"),
    (WINDOW, window(window_dimensions="array<i64: 0, 2>"), "window_dimensions is [0, 2], expected positive numbers (C5)"),
    (WINDOW, window(window_strides="array<i64: 1>"), "window_strides is [1], expected 2 numbers, one for each dimension (C6)"),
    (WINDOW, window(window_strides="array<i64: 1, -1>"), "window_strides is [1, -1], expected positive numbers (C7)"),
    (WINDOW, window(base_dilations="array<i64: 1>"), "base_dilations is [1], expected 2 numbers, one for each dimension (C8)"),
    (WINDOW, window(base_dilations="array<i64: 0, 1>"), "base_dilations is [0, 1], expected positive numbers (C9)"),
    (WINDOW, window(window_dilations="array<i64: 1>"), "window_dilations is [1], expected 2 numbers, one for each dimension (C10)"),
    (WINDOW, window(window_dilations="array<i64: 0, 1>"), "window_dilations is [0, 1], expected positive numbers (C11)"),
    (WINDOW, window(padding="dense<0> : tensor<3x2xi64>"), "padding has 3 pairs, expected 2 pairs, one for each dimension (C12)"),
    (WINDOW, window(padding="dense<0> : tensor<2xi64>"), "the attribute 'padding' is not a list of pairs of integers: it has rank 1"),
    (WINDOW, window(body=binary("i32"), results="3x4xi32"), "operand 0 is tensor<4x5xf32>, which is not promotable to i32 (C13)"),
    (WINDOW, window(body=region("f64 f32", "", "%1:f32")), "argument 0 of body is tensor<f64>, expected tensor<f32> (C13)"),
    (WINDOW, window("4x5xi8 1xi8", "3x4xi8", binary("1xi8")), "body returns tensor<1xi8>, expected a scalar (C13)"),
    (WINDOW, window(results="4x4xf32"), "the result has the shape [3, 4], but its declared type is tensor<4x4xf32> (C15)"),
    (WINDOW, window(window_strides="array<i64: 2, 1>"), "the result has the shape [2, 4], but its declared type is tensor<3x4xf32>"),
    (WINDOW, window(window_dimensions="array<i64: 9, 2>"), "the result has the shape [0, 4], but its declared type is tensor<3x4xf32>"),
    (WINDOW, window(results="3x4xf64"), "body returns f32, but the declared type is tensor<3x4xf64> (C16)"),
    (SELECT, selected("4x2xf32 2x2xi32 f32"), "source is tensor<2x2xi32>, expected the elements of tensor<4x2xf32> (C1)"),
    (SELECT, selected("4x2xf32 2x3xf32 f32"), "source is tensor<2x3xf32>, expected an element for each window, the shape [2, 2]"),
    (SELECT, selected("4x2xf32 2x2xf32 i32"), "init value 0 is tensor<i32>, expected tensor<f32>, as operand 0 (C3)"),
    (SELECT, selected("4x2xf32 2x2xf32 1xf32"), "init value 0 is tensor<1xf32>, expected tensor<f32>, as operand 0 (C3)"),
    (SELECT, selected(window_dimensions="array<i64: 3>"), "window_dimensions is [3], expected 2 numbers, one for each"),
    (SELECT, selected(window_dimensions="array<i64: 3, 0>"), "window_dimensions is [3, 0], expected positive numbers (C5)"),
    (SELECT, selected(window_strides="array<i64: 2>"), "window_strides is [2], expected 2 numbers, one for each dimension (C6)"),
    (SELECT, selected(window_strides="array<i64: 0, 1>"), "window_strides is [0, 1], expected positive numbers (C7)"),
    (SELECT, selected(padding="dense<0> : tensor<3x2xi64>"), "padding has 3 pairs, expected 2 pairs, one for each dimension (C8)"),
    (SELECT, selected(select=compared("i32")), "argument 0 of select is tensor<i32>, expected tensor<f32> (C9)"),
    (SELECT, selected(select=region("f32 f32 f32", "", "%0:f32")), "select takes 3 arguments, expected 2 (C9)"),
    (SELECT, selected(select=binary()), "select returns (tensor<f32>), expected (tensor<i1>) (C9)"),
    (SELECT, selected(select=region("f32 f32", "")), "select returns (), expected (tensor<i1>) (C9)"),
    (SELECT, selected(scatter=binary("i32"), result="4x2xi32"), "operand 0 is tensor<4x2xf32>, which is not promotable to i32 (C10)"),
    (SELECT, selected(scatter=region("f32 f64", "", "%0:f32")), "argument 1 of scatter is tensor<f64>, expected tensor<f32> (C10)", LOOSE),
    (SELECT, selected(result="4x3xf32"), "the result has the shape [4, 2], but its declared type is tensor<4x3xf32> (C11)"),
    (SELECT, selected(result="4x2xf64"), "scatter returns f32, but the declared type is tensor<4x2xf64> (C12)"),
    (MAP, mapped("4x5xf32 4x6xf32"), "operand 1 is tensor<4x6xf32>, expected the shape [4, 5] of the operands before it (C1)"),
    (MAP, mapped("", "4x5xf32", constant("", "f32", "1.0")), "has no operands, expected at least 1 (C2)"),
    (MAP, mapped(dimensions="array<i64: 1, 0>"), "dimensions is [1, 0], expected [0, 1] (C3)"),
    (MAP, mapped(dimensions="array<i64: 0>"), "dimensions is [0], expected [0, 1] (C3)"),
    (MAP, mapped("4x5xf32 4x5xi32"), "argument 1 of computation is tensor<f32>, expected tensor<i32> (C4)"),
    (MAP, mapped("4x5xf32"), "computation takes 2 arguments, expected 1 (C4)"),
    (MAP, mapped(computation=constant("f32 f32", "1xf32", "1.0")), "computation returns (tensor<1xf32>), expected (tensor<f32>) (C4)"),
    (MAP, mapped(computation=constant("f32 f32", "i32")), "computation returns (tensor<i32>), expected (tensor<f32>) (C4)"),
    (MAP, mapped(results="4x5xf32 4x5xf32"), "has 2 results, expected 1"),
    (MAP, mapped(results="4x6xf32"), "the result has the shape [4, 5], but its declared type is tensor<4x6xf32> (C1)"),
    (SORT, sort("4x5xf32", "4x5xf32 4x5xf32"), "has 2 results, expected one for each of 1 operand (C2)"),
    (SORT, sort("4x5xf32", "4x5xf64"), "the result has elements of f32, but its declared type is tensor<4x5xf64>"),
    (SORT, sort("4x5xf32 4x6xi32", comparator=compared("f32", "i32")), "operand 1 is tensor<4x6xi32>, expected the shape [4, 5]"),
    (SORT, sort("4x5xf32", "4x6xf32"), "the result has the shape [4, 5], but its declared type is tensor<4x6xf32>"),
    (SORT, sort(dimension="2 : i64"), "dimension is 2, expected -2 to 1 (C4)"),
    (SORT, sort(dimension="-3 : i64"), "dimension is -3, expected -2 to 1 (C4)"),
    (SORT, sort("f32", dimension="0 : i64"), "dimension is 0, expected a tensor of rank 1 or more (C4)"),
    (SORT, sort(dimension="1 : i32"), "the attribute 'dimension' is not an integer of 64 bits"),
    (SORT, sort("4x5xf32 4x5xi32"), "comparator takes 2 arguments, expected 4 (C5)"),
    (SORT, sort("4x5xf32 4x5xi32", comparator=compared("f32", "f32")), "argument 2 of comparator is tensor<f32>, expected tensor<i32> (C5)"),
    (SORT, sort(comparator=constant("f32 f32", "i32")), "comparator returns (tensor<i32>), expected (tensor<i1>) (C5)"),
    (SORT, sort(comparator=constant("f32 f32", "1xi1", "true")), "comparator returns (tensor<1xi1>), expected (tensor<i1>) (C5)"),
    (TOP_K, top_k("6 : i64", results="4x6xf32 4x6xi32"), "k is 6, expected 0 to 5"),
    (TOP_K, top_k("-2 : i64"), "k is -2, expected 0 to 5"),
    (TOP_K, top_k("2 : i32"), "the attribute 'k' is not an integer of 64 bits"),
    (TOP_K, top_k(operand="f32", results="2xf32 2xi32"), "operand 0 is tensor<f32>, expected rank 1 or more"),
    (TOP_K, top_k(results="4x3xf32 4x2xi32"), "result 0 has the shape [4, 2], but its declared type is tensor<4x3xf32>"),
    (TOP_K, top_k(results="4x2xf32 4x2xi64"), "result 1 has elements of i32, but its declared type is tensor<4x2xi64>"),
    (TOP_K, top_k(results="4x2xf64 4x2xi32"), "result 0 has elements of f32, but its declared type is tensor<4x2xf64>"),
    (
        TOP_K,
        top_k(operand="4x5xcomplex<f32>", results="4x2xcomplex<f32> 4x2xi32"),
        "operand 0 is tensor<4x5xcomplex<f32>>, expected elements that are booleans (i1), integers or floats",
        "MLIR lets complex numbers be compared",
    ),
    (SCAN, scan(dimension="2 : i64"), "operand 0 is tensor<4x5xf32>, which has no dimension 2 to scan"),
    (SCAN, scan(dimension="-1 : i64"), "operand 0 is tensor<4x5xf32>, which has no dimension -1 to scan"),
    (SCAN, scan(split=("2, 1", "1, 1")), "splits its operands into [2, 1], expected two numbers whose sum is 2"),
    (SCAN, scan(split=("1, 1", "2, 0")), "carries 1 operand and 0 results, expected equal numbers", LOOSE),
    (SCAN, scan(results="3x5xf32 5xf32"), "result 0 is tensor<3x5xf32>, expected 4 slices along dimension 0"),
    (SCAN, scan(scan_dim_size="5 : i64"), "operand 0 is tensor<4x5xf32>, expected 5 slices along dimension 0"),
    (SCAN, scan("4x5xf32 6xf32"), "argument 1 of body is tensor<5xf32>, expected tensor<6xf32>"),
    (SCAN, scan(results="4x5xf32 6xf32"), "result 1 has the shape [5], but its declared type is tensor<6xf32>"),
    (SCAN, scan(body=region("5xf32", "", "%0:5xf32", "%0:5xf32")), "body takes 1 argument, expected 2"),
    (SCAN, scan(body=region("5xf32 5xf32", "", "%0:5xf32")), "body returns (tensor<5xf32>), expected"),
    (SCAN, scan(results="4x5xf64 5xf32"), "body returns (tensor<5xf32>, tensor<5xf32>), expected (tensor<5xf64>,", LOOSE),
]  # fmt: skip


@pytest.mark.parametrize("row", ROWS, ids=names(ROWS))
def test_row(row: Row) -> None:
    expect_refusal(*row)


def test_a_single_operand_is_not_an_input_with_an_init_value() -> None:
    """MLIR ends its process at these."""
    for text in (reduce("4x5xf32"), window("4x5xf32")):
        with pytest.raises(
            hlo2tiny.Error, match="has 1 operand and 1 result, expected equal numbers of inputs, init values"
        ):
            verify(hlo2tiny.parse(program(text)))


VALID = [
    reduce(),
    reduce("4x5xf32 4x?xi32 f32 i32", "4xf32 4xi32", TWO),
    reduce("4x5xbf16 bf16"),
    reduce("4x5xbf16 f32"),  # which XLA takes too
    reduce(dimensions="array<i64>", results="4x5xf32"),
    reduce("f32 f32", "f32", dimensions="array<i64>"),
    reduce("?x5xf32 f32", "4xf32"),
    window(),
    window(window_strides="array<i64>", padding="dense<1> : tensor<2x2xi64>", results="5x6xf32"),
    window(base_dilations="array<i64: 2, 3>", window_dilations="array<i64: 3, 1>", results="4x12xf32"),
    window("0x5xf32 f32", "0x4xf32"),
    window("?x5xf32 f32", "3x?xf32"),
    window("f32 f32", "f32", window_dimensions="array<i64>"),
    selected(),
    selected("?x2xf32 2x?xf32 f32"),
    selected(scatter=binary("f64"), result="4x2xf64"),
    mapped(),
    mapped("4x?xf32 ?x5xf32", "4x5xf32"),
    mapped(computation=constant("f32 f32", "i1", "true"), results="4x5xi1"),
    mapped("f32 f32", "f32", dimensions="array<i64>"),
    sort(),
    sort("4x5xf32 ?x5xi32", comparator=compared("f32", "i32"), dimension="-2 : i64"),
    top_k(),
    top_k("0 : i64", results="4x0xf32 4x0xi32"),
    top_k(operand="?x?xi32", results="?x2xi32 4x2xi32"),
    scan(),
    scan("?x5xf32 ?xf32", "4x5xf32 5xf32", scan_dim_size="4 : i64", is_reverse="true"),
    scan("4x5xf32", "4x5xf32", region("5xf32", "", "%0:5xf32"), split=("1, 0", "1, 0")),
]


@pytest.mark.parametrize("text", VALID)
def test_valid(text: str) -> None:
    expect_valid(text)
