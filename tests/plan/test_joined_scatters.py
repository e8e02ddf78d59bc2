"""A sum of arrays of scattered updates is one array, to which all updates are added."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import everywhere
import numpy as np
import pytest

import hlo2tiny

LOOKUPS, ROWS = 40, 30


def scattered(number: int, type: str, start: str = "%zeros") -> str:
    table, rows = f"tensor<{ROWS}x3x{type}>", f"tensor<{LOOKUPS}x3x{type}>"
    return f"""
      %s{number} = "stablehlo.scatter"({start}, %i{number}, %u{number}) ({{
        ^bb0(%a: tensor<{type}>, %b: tensor<{type}>):
          %c = stablehlo.add %a, %b : tensor<{type}>
          stablehlo.return %c : tensor<{type}>
      }}) {{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0],
           scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}}
        : ({table}, tensor<{LOOKUPS}x1xi32>, {rows}) -> {table}"""


# Sums of arrays, and how many of these are left.
SUMS = {
    "chain": ("%0 = stablehlo.add %s0, %s1\n%1 = stablehlo.add %0, %s2\n%r = stablehlo.add %1, %s3", 0),
    "chain to the right": ("%0 = stablehlo.add %s2, %s3\n%1 = stablehlo.add %s1, %0\n%r = stablehlo.add %s0, %1", 0),
    "tree": ("%0 = stablehlo.add %s0, %s1\n%1 = stablehlo.add %s2, %s3\n%r = stablehlo.add %0, %1", 1),
    "read twice": ("%0 = stablehlo.add %s0, %s1\n%1 = stablehlo.add %s2, %s3\n%r = stablehlo.multiply %0, %0", 0),
    "beside another": ("%0 = stablehlo.add %s0, %s1\n%1 = stablehlo.multiply %s2, %s3\n%r = stablehlo.add %0, %1", 1),
    "added to itself": ("%r = stablehlo.add %s0, %s0", 1),
}


def program(kind: str, type: str) -> str:
    table, rows = f"tensor<{ROWS}x3x{type}>", f"tensor<{LOOKUPS}x3x{type}>"
    arguments = ", ".join(f"%i{n}: tensor<{LOOKUPS}x1xi32>, %u{n}: {rows}" for n in range(4))
    zero = {"c": "(0.0, 0.0)", "i": "0", "u": "0"}.get(type[0], "0.0")
    sums = SUMS[kind][0].replace("\n", f" : {table}\n")
    return f"""func.func @main({arguments}) -> {table} {{
      %zero = stablehlo.constant dense<{zero}> : tensor<{type}>
      %zeros = stablehlo.broadcast_in_dim %zero, dims = [] : (tensor<{type}>) -> {table}
      {"".join(scattered(n, type) for n in range(4))}
      {sums} : {table}
      return %r : {table}
    }}"""


def arguments_of(inputs: Sequence[hlo2tiny.Argument]) -> list[np.ndarray]:
    random = np.random.default_rng(0)
    return [
        random.integers(-2, ROWS + 2, x.shape).astype(x.dtype)  # some are out of bounds
        if number % 2 == 0
        else (9 * random.standard_normal(x.shape)).astype(x.dtype)
        for number, x in enumerate(inputs)
    ]


def expected(kind: str, arrays: list[np.ndarray]) -> np.ndarray:
    values = {}
    for n in range(4):
        index, updates = arrays[2 * n][:, 0], arrays[2 * n + 1]
        values[f"%s{n}"] = table = np.zeros((ROWS, 3), updates.dtype)
        for i, row in zip(index, updates):
            if 0 <= i < ROWS:
                table[i] += row
    for line in SUMS[kind][0].splitlines():
        name, op, a, b = line.replace("=", "").replace(",", "").split()
        values[name] = values[a] * values[b] if "multiply" in op else values[a] + values[b]
    return values["%r"]


@pytest.mark.parametrize("type", ["f32", "f64", "i32", "ui8", "complex<f32>", "bf16"])
@pytest.mark.parametrize("kind", SUMS)
def test_all_updates_are_added_to_one_array(kind: str, type: str) -> None:
    loaded = hlo2tiny.load(program(kind, type), "CPU")
    left = sum(op.name == "stablehlo.add" for step in loaded.plan.kernels() for op in step.ops)
    joined = type != "bf16"  # whose sums would lose digits
    assert left == (SUMS[kind][1] if joined else SUMS[kind][0].count(".add") - (kind == "read twice"))
    arrays = arguments_of(loaded.inputs)
    (found,) = loaded.numpy(*arrays)
    wide = np.complex128 if "complex" in type else np.int64 if type[0] in "iu" else np.float64
    rtol, atol = {"bf16": (0.1, 3)}.get(type, (1e-4, 1e-3))
    np.testing.assert_allclose(found.astype(wide), expected(kind, arrays).astype(wide), rtol, atol)


@pytest.mark.parametrize("target", ["c", "commands", "cuda"])
def test_every_target_adds_all_updates(target: str, tmp_path: Path) -> None:
    text = program("chain", "f32")
    case = everywhere.Case("chain", text, [arguments_of(hlo2tiny.load(text).inputs)])
    (answer,) = everywhere.run(target, [case], tmp_path)
    assert not isinstance(answer, Exception)
    np.testing.assert_allclose(answer[0][0], expected("chain", [*case.calls[0]]), 1e-5, 1e-4)
