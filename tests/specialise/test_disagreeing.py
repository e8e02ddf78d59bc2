"""Dimensions that are open in the file and contradict each other at a call: an error with the op's location."""

from __future__ import annotations

import numpy as np
import pytest

import hlo2tiny

T = "tensor<?xf32>"
BINARY = [
    *(f"stablehlo.{name} %x, %y : {T}" for name in ("add", "power", "remainder", "atan2", "maximum")),
    *(f"arith.{name} %x, %y : {T}" for name in ("addf", "divf", "maxnumf", "remf")),
    f"chlo.next_after %x, %y : {T}, {T} -> {T}",
    f"chlo.zeta %x, %y : {T}, {T} -> {T}",
    f"chlo.broadcast_subtract %x, %y : ({T}, {T}) -> {T}",
    f"stablehlo.clamp %x, %y, %x : {T}",
    f"stablehlo.clamp %x, %x, %y : {T}",
    f"stablehlo.select %p, %x, %y : tensor<i1>, {T}",
    f"stablehlo.select %q, %y, %y : tensor<?xi1>, {T}",
    f"arith.select %q, %y, %y : tensor<?xi1>, {T}",
    f'"stablehlo.map"(%x, %y) <{{dimensions = array<i64: 0>}}> ({{ ^bb0(%a: tensor<f32>, %b: tensor<f32>):'
    f" stablehlo.return %a : tensor<f32> }}) : ({T}, {T}) -> {T}",
    f"stablehlo.concatenate %x, %y, dim = 0 : ({T}, {T}) -> tensor<2xf32>",
    f"stablehlo.compare LT, %x, %y : ({T}, {T}) -> tensor<?xi1>",
    f"arith.cmpf olt, %x, %y : {T}",
    f"stablehlo.dot_general %x, %y, contracting_dims = [0] x [0] : ({T}, {T}) -> tensor<f32>",
]


@pytest.mark.parametrize("line", BINARY)
@pytest.mark.parametrize("sizes", [(3, 4), (4, 3), (3, 0), (4, 1)])
def test_vectors(line: str, sizes: tuple[int, int]) -> None:
    broadcasts = "broadcast" in line and 1 in sizes
    text = f"""func.func @main(%x: {T}, %y: {T}) -> tensor<i1> {{
  %p = stablehlo.constant dense<true> : tensor<i1>
  %q = stablehlo.compare EQ, %x, %x : ({T}, {T}) -> tensor<?xi1>
  %0 = {line}
  return %p : tensor<i1>
}}"""
    program = hlo2tiny.load(text, "CPU")
    x, y = (np.ones(size, np.float32) for size in sizes)
    if broadcasts:
        program.numpy(x, y)
        return
    with pytest.raises(hlo2tiny.VerifyError) as caught:
        program.numpy(x, y)
    assert (caught.value.line, caught.value.column) == (4, 8)
    assert "a bug in" not in caught.value.message
    op = line.partition(" ")[0].partition("(")[0].strip('"')
    assert caught.value.message.startswith(f"{op}: ")


M = "tensor<?x?xf32>"


@pytest.mark.parametrize(
    ("line", "words"),
    [
        (f"stablehlo.concatenate %x, %y, dim = 0 : ({M}, {M}) -> {M}", r"expected the shape \[2, 3\] except"),
        (f"stablehlo.pad %x, %z, low = [-9, 0], high = [1, 0], interior = [0, 0] : ({M}, tensor<f32>) -> {M}", "pads"),
        (
            f'"stablehlo.batch_norm_inference"(%x, %v, %v, %v, %v) <{{epsilon = 0.1 : f32, feature_index = 1 : i64}}>'
            f" : ({M}, {T}, {T}, {T}, {T}) -> {M}",
            r"scale is tensor<5xf32>, expected the shape \[3\]",
        ),
        (f"stablehlo.dot_general %x, %y, batching_dims = [0] x [0], contracting_dims = [1] x [1] : ({M}, {M}) -> {T}",
         "the contracting dimensions 1 of lhs and 1 of rhs have the sizes 3 and 5"),
        (f"stablehlo.transpose %x, dims = [1, 0] : ({M}) -> tensor<5x?xf32>", r"has the shape \[3, 2\], but"),
    ],
)  # fmt: skip
def test_matrices(line: str, words: str) -> None:
    text = f"""func.func @main(%x: {M}, %y: {M}, %v: {T}) -> tensor<f32> {{
  %z = stablehlo.constant dense<0.0> : tensor<f32>
  %0 = {line}
  return %z : tensor<f32>
}}"""
    with pytest.raises(hlo2tiny.VerifyError, match=words) as caught:
        hlo2tiny.load(text, "CPU").numpy(*(np.ones(shape, np.float32) for shape in ((2, 3), (2, 5), 5)))
    assert caught.value.line == 3
