"""C leaves open what a conversion to an integer gives that cannot hold the number: none is made that would not fit."""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np
import pytest

import hlo2tiny
from hlo2tiny.cli import main

FLOATS = ("f16", "bf16", "f32", "f64")
INTEGERS = ("i8", "ui8", "i16", "ui16", "i32", "ui32", "i64", "ui64")


@pytest.mark.parametrize("source", FLOATS)
def test_what_is_converted_has_been_chosen_before(source: str, tmp_path: Path) -> None:
    lines = [
        f"%{i} = stablehlo.convert %x : (tensor<8x{source}>) -> tensor<8x{target}>" for i, target in enumerate(INTEGERS)
    ]
    types = ", ".join(f"tensor<8x{target}>" for target in INTEGERS)
    values = ", ".join(f"%{i}" for i in range(len(INTEGERS)))
    body = "\n".join([*lines, f"return {values} : {types}"])
    path = tmp_path / "program.mlir"
    path.write_text(f"func.func @main(%x: tensor<8x{source}>) -> ({types}) {{\n{body}\n}}")
    assert main(["compile", str(path), "-o", str(tmp_path / "c")]) == 0
    code = (tmp_path / "c" / "program.c").read_text()
    chosen = set(re.findall(r"(?:float|double) (alu\d+) = \(.*\?.*:.*\);", code))
    floats = set(re.findall(r"(?:float|double) (\w+) = ", code))
    casts = re.findall(r"\((?:unsigned |signed )?(?:char|short|int|int64|uint64)\)\(+(?:int\)\(+)?(\w+)\)", code)
    converted = [name for name in casts if name in floats]
    assert len(converted) >= len(INTEGERS) and set(converted) <= chosen, (converted, chosen)


@pytest.mark.sampled(8, ci=2)
@pytest.mark.parametrize("target", INTEGERS)
@pytest.mark.parametrize("source", ["f32", "f64"])
def test_floats_of_a_product_of_integers_are_converted_before(source: str, target: str) -> None:
    """A NaN becomes 0, and a number that does not fit the nearest one that does."""
    terms = f"(tensor<4x1x{source}>, tensor<1x1x{source}>) -> tensor<4x1x{target}>"
    program = hlo2tiny.load(f"""
func.func @main(%x: tensor<4x1x{source}>, %y: tensor<1x1x{source}>) -> (tensor<4x1x{target}>, tensor<4x1x{target}>) {{
  %0 = "stablehlo.einsum"(%x, %y) <{{einsum_config = "ij,jk->ik"}}> : {terms}
  %1 = stablehlo.convert %x : (tensor<4x1x{source}>) -> tensor<4x1x{target}>
  return %0, %1 : tensor<4x1x{target}>, tensor<4x1x{target}>
}}""")
    dtype = {"f32": np.float32, "f64": np.float64}[source]
    product, converted = program.numpy(np.array([[np.nan], [1e30], [-np.inf], [-5.5]], dtype), np.ones((1, 1), dtype))
    np.testing.assert_array_equal(product, converted)
