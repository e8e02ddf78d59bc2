"""Elementwise kernels over narrow arrays: computed in strips, with the same bits, and shared by threads."""

from __future__ import annotations

import itertools
from typing import Any

import numpy as np
import pytest

import hlo2tiny
from hlo2tiny.targets.c import render
from hlo2tiny.targets.c.render import render_region
from hlo2tiny.tinygrad.renderers import c as renderer

# An operand beside an array: the dimensions of the array that it has.
OPERANDS = {"row": (-1,), "column": (-2,), "plane": (-2, -1), "outer": (0,), "transposed": None, "scalar": ()}
SHAPES = [(3001, 13), (400, 5, 3), (37, 2, 9, 7), (7, 301), (2, 3, 5, 200), (900, 1), (20, 16, 17)]


def program(shape: tuple[int, ...], element: str, operand: str, function: str) -> str:
    dimensions = OPERANDS[operand]
    kept = [*range(len(shape))] if dimensions is None else sorted({d % len(shape) for d in dimensions})
    own = [shape[d] for d in kept]
    if dimensions is None:  # its dimensions are the array's from the last to the first
        kept, own = kept[::-1], own[::-1]
    array, other = ("x".join(map(str, [*sizes, element])) for sizes in (shape, own))
    return f"""
func.func @main(%x: tensor<{array}>, %y: tensor<{other}>) -> tensor<{array}> {{
  %0 = stablehlo.{function} %x : tensor<{array}>
  %1 = "stablehlo.broadcast_in_dim"(%y) {{broadcast_dimensions = array<i64{":" if kept else ""}
    {", ".join(map(str, kept))}>}} : (tensor<{other}>) -> tensor<{array}>
  %2 = stablehlo.multiply %0, %1 : tensor<{array}>
  %3 = stablehlo.add %2, %x : tensor<{array}>
  return %3 : tensor<{array}>
}}
"""


def run(text: str, arguments: list[Any], monkeypatch: pytest.MonkeyPatch, **options: Any) -> np.ndarray:
    monkeypatch.setattr(render.REGIONS, "regions", {})
    found: np.ndarray = hlo2tiny.load(text, device="CPU", **options).numpy(*arguments)[0]
    return found


CASES = [*itertools.product(SHAPES, ["f32", "f64", "f16", "bf16", "i32"], OPERANDS, ["tanh", "negate"])]


@pytest.mark.sampled(48, ci=16)
@pytest.mark.parametrize(("shape", "element", "operand", "function"), CASES)
def test_strips_have_the_same_bits(
    shape: tuple[int, ...], element: str, operand: str, function: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HLO2TINY_CACHE", "off")
    text = program(shape, element, operand, "negate" if element == "i32" else function)
    generator = np.random.default_rng(0)
    inputs = hlo2tiny.load(text).inputs
    arguments = [(100 * generator.standard_normal(each.shape)).astype(each.dtype) for each in inputs]
    found = run(text, arguments, monkeypatch)
    monkeypatch.setattr(renderer, "strips_of", lambda kernel: None)
    np.testing.assert_array_equal(found, run(text, arguments, monkeypatch))


@pytest.mark.parametrize(
    ("shape", "element", "operand", "function", "copies"),
    [
        ((4096, 13), "f32", "row", "tanh", "repeated0"),  # which the compiler makes no vectors of
        ((4096, 13), "f32", "row", "negate", "repeated0"),
        ((4096, 13), "bf16", "row", "tanh", "repeated0"),
        ((512, 3, 9), "f32", "plane", "negate", "repeated0"),
        ((512, 301), "f32", "row", "tanh", "repeated0"),
        ((40, 301), "f32", "transposed", "tanh", ""),
        ((40, 61), "f32", "transposed", "tanh", "copied0"),
        ((40, 61), "f32", "transposed", "negate", ""),  # copying would take longer
        ((512, 301), "f32", "row", "negate", ""),
        ((4096, 13), "f32", "column", "tanh", ""),  # one loop
        ((512, 32), "f32", "row", "tanh", ""),  # whole vectors
    ],
)
def test_which_loops_are_too_short(
    shape: tuple[int, ...], element: str, operand: str, function: str, copies: str
) -> None:
    (step,) = hlo2tiny.load(program(shape, element, operand, function), device="CPU").plan.kernels()
    (kernel,) = render_region(step).kernels
    assert (f"{copies}[lane]" in kernel.body) if copies else ("lane" not in kernel.body)


@pytest.mark.parametrize("shape", [(3, 700, 130), (2, 2, 800, 130), (7, 600, 70), (5, 3, 2000, 13)])
def test_threads_share_several_loops(shape: tuple[int, ...], monkeypatch: pytest.MonkeyPatch) -> None:
    text = program(shape, "f32", "transposed", "tanh")
    (step,) = hlo2tiny.load(text, device="CPU").plan.kernels()
    (kernel,) = render_region(step).kernels
    assert shape[0] < kernel.shared_iterations
    generator = np.random.default_rng(0)
    x, y = generator.standard_normal(shape, np.float32), generator.standard_normal(shape[::-1], np.float32)
    expected = run(text, [x, y], monkeypatch, threads=1)
    np.testing.assert_allclose(expected, np.tanh(x) * y.T + x, rtol=1e-5, atol=1e-5)
    for threads in (2, 3, 5):
        np.testing.assert_array_equal(run(text, [x, y], monkeypatch, threads=threads), expected)


def test_threads_do_not_share_the_lines_of_a_tile() -> None:
    (step,) = hlo2tiny.load(program((4, 95, 2000), "f32", "transposed", "tanh"), device="CPU").plan.kernels()
    (kernel,) = render_region(step).kernels
    assert "column += " in kernel.body and not kernel.shared_iterations


NARROW = [((5000, 20), "add"), ((5001, 5), "add"), ((6, 4200, 3), "add"), ((70000, 2), "add"), ((5001, 5), "maximum")]


@pytest.mark.sampled(10, ci=5)
@pytest.mark.parametrize(("element", "dtype"), [("f32", np.float32), ("f64", np.float64)])
@pytest.mark.parametrize("operand", ["row", "plane", "column"])
@pytest.mark.parametrize(("shape", "op"), NARROW)
def test_sums_of_narrow_columns_are_of_strips(
    shape: tuple[int, ...], op: str, operand: str, element: str, dtype: type
) -> None:
    """In whole vectors, as exact as before, and the same for any number of threads."""
    rank = len(shape)
    kept = {"row": [rank - 1], "plane": [rank - 2, rank - 1], "column": [rank - 2]}[operand]
    x, y, r = (
        f"tensor<{'x'.join(map(str, [*(shape[d] for d in dims), element]))}>"
        for dims in (range(rank), kept, [*range(rank - 2), rank - 1])
    )
    initial = "2.0" if op == "add" else "0xFF800000" if element == "f32" else "0xFFF0000000000000"
    text = f"""
func.func @main(%x: {x}, %y: {y}) -> {r} {{
  %c = stablehlo.constant dense<{initial}> : tensor<{element}>
  %b = stablehlo.broadcast_in_dim %y, dims = {kept} : ({y}) -> {x}
  %m = stablehlo.multiply %x, %b : {x}
  %s = stablehlo.reduce(%m init: %c) applies stablehlo.{op} across dimensions = [{rank - 2}]
    : ({x}, tensor<{element}>) -> {r}
  %t = stablehlo.add %s, %s : {r}
  return %t : {r}
}}"""
    bodies = [k.body for s in hlo2tiny.load(text, "CPU").plan.kernels() for k in render_region(s).kernels]
    assert any("rows -= rows / 2" in body for body in bodies) == (op == "add")
    generator = np.random.default_rng(0)
    a, b = generator.random(shape).astype(dtype), generator.random([shape[d] for d in kept]).astype(dtype)
    results = [hlo2tiny.load(text, "CPU", threads=threads).numpy(a, b)[0] for threads in (1, 2, 3)]
    product = a.astype(np.longdouble) * (
        b[:, None] if operand == "column" and rank == 2 else b[None, :, None] if operand == "column" else b
    )
    expected = 2 * (product.sum(-2) + 2 if op == "add" else product.max(-2))
    np.testing.assert_allclose(results[0], expected.astype(dtype), 8 * np.finfo(dtype).eps)
    assert all(result.tobytes() == results[0].tobytes() for result in results)
