"""Two programs are the same whatever their spelling, or else the first difference is reported with both locations."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import hlo2tiny
from corpus import FOLDER
from hlo2tiny.cli import main
from hlo2tiny.commands.diff import difference

PROGRAM = """module @jit_f attributes {mhlo.num_replicas = 1 : i32} {
  func.func public @main(%x: tensor<2x3xf32>, %y: tensor<3x2xf32>) -> (tensor<2x2xf32> {jax.result_info = ""}) {
    %0 = stablehlo.constant dense<[[1.0, 0x7FC00000], [-0.0, 2.0]]> : tensor<2x2xf32>
    %1 = stablehlo.dot_general %x, %y, contracting_dims = [1] x [0] :
      (tensor<2x3xf32>, tensor<3x2xf32>) -> tensor<2x2xf32>
    %2 = stablehlo.add %1, %0 : tensor<2x2xf32>
    %3 = stablehlo.constant dense<0.0> : tensor<f32>
    %4 = stablehlo.reduce(%2 init: %3) applies stablehlo.maximum across dimensions = [0] :
      (tensor<2x2xf32>, tensor<f32>) -> tensor<2xf32>
    %5 = func.call @g(%4) : (tensor<2xf32>) -> tensor<2x2xf32>
    return %5 : tensor<2x2xf32>
  }
  func.func private @g(%a: tensor<2xf32>) -> tensor<2x2xf32> {
    %0 = stablehlo.broadcast_in_dim %a, dims = [0] : (tensor<2xf32>) -> tensor<2x2xf32>
    return %0 : tensor<2x2xf32>
  }
}
"""
SAME = {
    "names": (r"%(\d)", r"%v\1"),
    "locations": (r" : tensor<2x2xf32>\n    %3", ' : tensor<2x2xf32> loc("here")\n    %3'),
    "defaults": (r"x \[0\] :", "x [0], precision = [DEFAULT, DEFAULT] :"),
    "module": ("@jit_f", "@other"),
}
OTHER = {
    "op": ("stablehlo.add", "stablehlo.subtract", "@main, op 3: stablehlo.add, not stablehlo.subtract"),
    "operand": ("add %1, %0", "add %0, %1", "op 3, stablehlo.add: operand 1 is a different value: %1 and %0"),
    "number": ("2.0", "2.5", r"op 1, stablehlo.constant: 'value' differs at \[1, 1\]: 2.0 and 2.5"),
    "sign of zero": (r"\[-0.0", "[0.0", r"'value' differs at \[1, 0\]: -0.0 and 0.0"),
    "payload of NaN": ("0x7FC00000", "0x7FC00001", r"'value' differs at \[0, 1\]: nan and nan"),
    "region": ("maximum", "minimum", "op 6: stablehlo.maximum, not stablehlo.minimum"),
    "attribute": (r"dims = \[0\]", "dims = [1]", r"'broadcast_dimensions' is array<i64: 0>, not array<i64: 1>"),
    "lacking": (r" \{jax.result_info = \"\"\}", "", "result 0: the second lacks 'jax.result_info', which is \"\""),
    "of the module": ("num_replicas = 1", "num_replicas = 2", "the module: 'mhlo.num_replicas' is 1 : i32, not 2"),
    "visibility": ("private", "nested", "@g: its visibility is private, not nested"),
    "function": ("@g", "@h", "the second has no function @g"),
    "type": ("2x3xf32", "2x3xf64", "@main: its type is"),
    "longer": (r"    %3 =", "    %9 = stablehlo.abs %2 : tensor<2x2xf32>\n    %3 =", "op 4: stablehlo.constant, not"),
}


@pytest.mark.parametrize("name", SAME)
def test_same(name: str) -> None:
    pattern, word = SAME[name]
    other = re.sub(pattern, word, PROGRAM)
    assert other != PROGRAM
    assert difference(hlo2tiny.parse(PROGRAM), hlo2tiny.parse(other)) is None


def test_splats() -> None:
    """A constant written as one repeated number equals one that lists all its numbers."""
    text = "func.func @main() {{\n  %0 = stablehlo.constant dense<{}> : tensor<2xf32>\n  return\n}}"
    one, all = (hlo2tiny.parse(text.format(numbers)) for numbers in ("0.5", "[0.5, 0.5]"))
    assert difference(one, all) is None


@pytest.mark.parametrize("name", OTHER)
def test_other(name: str) -> None:
    pattern, word, message = OTHER[name]
    left, right = hlo2tiny.parse(PROGRAM), hlo2tiny.parse(re.sub(pattern, word, PROGRAM))
    found = difference(left, right)
    assert found is not None and re.search(message, found.words), found
    assert difference(right, left) is not None
    assert difference(left, left) is None


def test_ends_early() -> None:
    a = "func.func @main(%x: tensor<f32>) { %0 = stablehlo.abs %x : tensor<f32>\n return }"
    b = a.replace(" return", " %1 = stablehlo.abs %0 : tensor<f32>\n return")
    found = difference(hlo2tiny.parse(a), hlo2tiny.parse(b))
    assert str(found).startswith("func.func @main, op 2: func.return, not stablehlo.abs\n<text>:2:2: the first\n")


def test_command(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    first, second = FOLDER / "sort.mlir", tmp_path / "b.mlir"
    second.write_text(first.read_text().replace("LT", "GT", 1))
    assert main(["diff", str(first), str(first)]) == 0
    assert capsys.readouterr().out == f"{first} and {first} are the same program\n"
    assert main(["diff", str(first), str(second)]) == 1
    out = capsys.readouterr().out
    assert "stablehlo.compare: 'comparison_direction' is #stablehlo<comparison_direction LT>, not #stablehlo" in out
    assert f"{second}:" in out
