"""Batch normalisation: one row for each constraint."""

# ruff: noqa: E501 (rows of tables)

from __future__ import annotations

import pytest

from .cases import Row, expect_refusal, expect_valid, names

FEATURES = "tensor<3xf32>"
# The names of the operands after the first, and what the results are.
OPS = {
    "inference": (("scale", "offset", "mean", "variance"), "{x}"),
    "training": (("scale", "offset"), "{x}, {f}, {f}"),
    "grad": (("scale", "mean", "variance", "grad_output"), "{x}, {f}, {f}"),
}


def normalize(
    op: str,
    x: str = "tensor<2x3xf32>",
    feature_index: str = "1 : i64",
    results: str = "",
    epsilon: str = "0.1 : f32",
    **types: str,
) -> str:
    """A call, with an operand of another type."""
    found, declared = OPS[op]
    given = [x, *(types.get(name, x if name == "grad_output" else FEATURES) for name in found)]
    operands = ", ".join(f"%x{i}" for i in range(len(given)))
    attributes = f"epsilon = {epsilon}, feature_index = {feature_index}"
    results = results or declared.format(x=x, f=FEATURES)
    return f'"stablehlo.batch_norm_{op}"({operands}) <{{{attributes}}}> : ({", ".join(given)}) -> ({results})'


def wrong(name: str, number: str) -> str:
    return f"{name} is tensor<2xf32>, expected the shape [3], a number for each feature ({number})"


ROWS: list[Row] = [
    *[(f"stablehlo.batch_norm_{op}", normalize(op, feature_index="2 : i64"), "feature_index is 2, expected a dimension of a tensor of rank 2 (C1)") for op in OPS],
    *[(f"stablehlo.batch_norm_{op}", normalize(op, feature_index="-1 : i64"), "feature_index is -1, expected a dimension of a tensor of rank 2 (C1)") for op in OPS],
    *[(f"stablehlo.batch_norm_{op}", normalize(op, feature_index="1 : i32"), "the attribute 'feature_index' is not an integer of 64 bits") for op in OPS],
    *[(f"stablehlo.batch_norm_{op}", normalize(op, epsilon="0.1 : f64"), "the attribute 'epsilon' is not a float of 32 bits") for op in OPS],
    *[(f"stablehlo.batch_norm_{op}", normalize(op, scale="tensor<3xf64>"), "operand 1 is tensor<3xf64>, expected elements of f32") for op in OPS],
    *[(f"stablehlo.batch_norm_{op}", normalize(op, x="tensor<2x3xi32>").replace("3xf32", "3xi32"), "operand 0 is tensor<2x3xi32>, expected elements that are floats") for op in OPS],
    *[("stablehlo.batch_norm_inference", normalize("inference", **{name: "tensor<2xf32>"}), wrong(name, f"C{3 + i}")) for i, name in enumerate(OPS["inference"][0])],
    ("stablehlo.batch_norm_inference", normalize("inference", results="tensor<2x4xf32>"), "the result has the shape [2, 3], but its declared type is tensor<2x4xf32>"),
    ("stablehlo.batch_norm_training", normalize("training", scale="tensor<2xf32>"), wrong("scale", "C3")),
    ("stablehlo.batch_norm_training", normalize("training", offset="tensor<2xf32>"), wrong("offset", "C4")),
    ("stablehlo.batch_norm_training", normalize("training", results=f"tensor<2x3xf32>, tensor<2xf32>, {FEATURES}"), "result 1 has the shape [3], but its declared type is tensor<2xf32>"),
    ("stablehlo.batch_norm_training", normalize("training", results=f"tensor<2x3xf32>, {FEATURES}, tensor<3x1xf32>"), "result 2 has the shape [3], but its declared type is tensor<3x1xf32>"),
    ("stablehlo.batch_norm_training", normalize("training", results=f"tensor<3x3xf32>, {FEATURES}, {FEATURES}"), "result 0 has the shape [2, 3], but its declared type is tensor<3x3xf32>"),
    ("stablehlo.batch_norm_grad", normalize("grad", grad_output="tensor<3x3xf32>"), "grad_output is tensor<3x3xf32>, expected the operand's tensor<2x3xf32> (C3)"),
    ("stablehlo.batch_norm_grad", normalize("grad", mean="tensor<2xf32>"), wrong("mean", "C4")),
    ("stablehlo.batch_norm_grad", normalize("grad", variance="tensor<2xf32>"), wrong("variance", "C4")),
    ("stablehlo.batch_norm_grad", normalize("grad", scale="tensor<2xf32>"), wrong("scale", "C5")),
    ("stablehlo.batch_norm_grad", normalize("grad", results=f"tensor<2x4xf32>, {FEATURES}, {FEATURES}"), "result 0 has the shape [2, 3], but its declared type is tensor<2x4xf32>"),
]  # fmt: skip

VALID = [
    *map(normalize, OPS),
    normalize("inference", x="tensor<?x3xf32>", mean="tensor<?xf32>"),
    normalize("training", x="tensor<2x?xf32>"),
    normalize("grad", x="tensor<2x?xf32>", grad_output="tensor<?x3xf32>"),
]


@pytest.mark.parametrize("row", ROWS, ids=names(ROWS))
def test_refused(row: Row) -> None:
    expect_refusal(*row)


@pytest.mark.parametrize("text", VALID)
def test_valid(text: str) -> None:
    expect_valid(text)
