"""Arithmetic on arrays that are joined and cut again is arithmetic on their parts."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

import hlo2tiny

# What is computed of %x, 4×6, and %y, 4×5, and how many arrays are joined then.
PROGRAMS = {
    "cut at the joint": (
        """%j = stablehlo.concatenate %x, %y, dim = 1 : (tensor<4x6xi32>, tensor<4x5xi32>) -> tensor<4x11xi32>
           %d = stablehlo.multiply %j, %z : tensor<4x11xi32>
           %r = stablehlo.slice %d [0:4, 6:11] : (tensor<4x11xi32>) -> tensor<4x5xi32>
           %s = stablehlo.slice %d [1:3, 0:6:2] : (tensor<4x11xi32>) -> tensor<2x3xi32>""",
        "tensor<4x5xi32>, tensor<2x3xi32>", 0, lambda j, k, z, u: ((j * z)[:, 6:], (j * z)[1:3, 0:6:2]),
    ),
    "the whole is read, too": (
        """%j = stablehlo.concatenate %x, %y, dim = 1 : (tensor<4x6xi32>, tensor<4x5xi32>) -> tensor<4x11xi32>
           %d = stablehlo.add %j, %z : tensor<4x11xi32>
           %r = stablehlo.slice %d [0:4, 6:11] : (tensor<4x11xi32>) -> tensor<4x5xi32>
           %s = stablehlo.multiply %d, %d : tensor<4x11xi32>""",
        "tensor<4x5xi32>, tensor<4x11xi32>", 1, lambda j, k, z, u: ((j + z)[:, 6:], (j + z) ** 2),
    ),
    "across the joint": (
        """%j = stablehlo.concatenate %x, %y, dim = 1 : (tensor<4x6xi32>, tensor<4x5xi32>) -> tensor<4x11xi32>
           %d = stablehlo.negate %j : tensor<4x11xi32>
           %r = stablehlo.slice %d [0:4, 7:9] : (tensor<4x11xi32>) -> tensor<4x2xi32>
           %s = stablehlo.slice %d [0:4, 3:8] : (tensor<4x11xi32>) -> tensor<4x5xi32>""",
        "tensor<4x2xi32>, tensor<4x5xi32>", 1, lambda j, k, z, u: (-j[:, 7:9], -j[:, 3:8]),
    ),
    "transposed, with joints elsewhere": (
        """%j = stablehlo.concatenate %x, %y, dim = 1 : (tensor<4x6xi32>, tensor<4x5xi32>) -> tensor<4x11xi32>
           %k = stablehlo.concatenate %y, %x, dim = 1 : (tensor<4x5xi32>, tensor<4x6xi32>) -> tensor<4x11xi32>
           %d = stablehlo.subtract %j, %k : tensor<4x11xi32>
           %t = stablehlo.transpose %d, dims = [1, 0] : (tensor<4x11xi32>) -> tensor<11x4xi32>
           %c = stablehlo.compare LT, %t, %u : (tensor<11x4xi32>, tensor<11x4xi32>) -> tensor<11x4xi1>
           %e = stablehlo.select %c, %t, %u : tensor<11x4xi1>, tensor<11x4xi32>
           %r = stablehlo.slice %e [0:6, 1:3] : (tensor<11x4xi32>) -> tensor<6x2xi32>
           %s = stablehlo.slice %e [6:11, 0:4] : (tensor<11x4xi32>) -> tensor<5x4xi32>""",
        "tensor<6x2xi32>, tensor<5x4xi32>", 1,
        lambda j, k, z, u: (np.minimum((j - k).T, u)[:6, 1:3], np.minimum((j - k).T, u)[6:]),
    ),
    "cut twice, and reshaped": (
        """%j = stablehlo.concatenate %x, %y, dim = 1 : (tensor<4x6xi32>, tensor<4x5xi32>) -> tensor<4x11xi32>
           %d = stablehlo.slice %j [0:4, 6:11] : (tensor<4x11xi32>) -> tensor<4x5xi32>
           %r = stablehlo.slice %d [1:2, 0:5] : (tensor<4x5xi32>) -> tensor<1x5xi32>
           %e = stablehlo.reshape %j : (tensor<4x11xi32>) -> tensor<11x4xi32>
           %s = stablehlo.slice %e [5:7, 0:4] : (tensor<11x4xi32>) -> tensor<2x4xi32>""",
        "tensor<1x5xi32>, tensor<2x4xi32>", 1, lambda j, k, z, u: (j[1:2, 6:], j.reshape(11, 4)[5:7]),
    ),
}  # fmt: skip
ARGUMENTS = "%x: tensor<4x6xi32>, %y: tensor<4x5xi32>, %z: tensor<4x11xi32>, %u: tensor<11x4xi32>"


@pytest.mark.parametrize("body, types, joined, function", PROGRAMS.values(), ids=PROGRAMS.keys())
def test_pieces_are_computed_as_the_whole_is(
    body: str, types: str, joined: int, function: Callable[..., tuple[np.ndarray, ...]]
) -> None:
    text = f"func.func @main({ARGUMENTS}) -> ({types}) {{\n{body}\nreturn %r, %s : {types}\n}}"
    program = hlo2tiny.load(text, device="CPU")
    ops = [op.name for step in program.plan.main.steps for op in step.ops]
    assert ops.count("stablehlo.concatenate") == joined
    rng = np.random.default_rng(0)
    x, y, z, u = (rng.integers(-9, 9, s).astype("i4") for s in ((4, 6), (4, 5), (4, 11), (11, 4)))
    expected = function(np.concatenate([x, y], 1), np.concatenate([y, x], 1), z, u)
    for found, right in zip(program.numpy(x, y, z, u), expected, strict=True):
        np.testing.assert_array_equal(found, right)


def test_edges_of_a_stencil_are_no_pieces() -> None:
    """What follows a roll, say, reads the whole, and would be computed twice."""
    text = """func.func @main(%x: tensor<4x40xi32>) -> (tensor<4x39xi32>, tensor<4x40xi32>) {
      %a = stablehlo.slice %x [0:4, 1:40] : (tensor<4x40xi32>) -> tensor<4x39xi32>
      %b = stablehlo.slice %x [0:4, 0:1] : (tensor<4x40xi32>) -> tensor<4x1xi32>
      %j = stablehlo.concatenate %a, %b, dim = 1 : (tensor<4x39xi32>, tensor<4x1xi32>) -> tensor<4x40xi32>
      %d = stablehlo.subtract %j, %x : tensor<4x40xi32>
      %r = stablehlo.slice %d [0:4, 0:39] : (tensor<4x40xi32>) -> tensor<4x39xi32>
      return %r, %d : tensor<4x39xi32>, tensor<4x40xi32>
    }"""
    program = hlo2tiny.load(text, device="CPU")
    ops = [op.name for step in program.plan.main.steps for op in step.ops]
    assert ops.count("stablehlo.subtract") == ops.count("stablehlo.concatenate") == 1
    x = np.random.default_rng(0).integers(-9, 9, (4, 40)).astype("i4")
    for found, right in zip(program.numpy(x), ((d := np.roll(x, -1, 1) - x)[:, :39], d), strict=True):
        np.testing.assert_array_equal(found, right)
