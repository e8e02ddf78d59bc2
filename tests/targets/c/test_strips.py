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
        ((40, 94), "f32", "transposed", "tanh", ""),
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
    assert (f"{copies}[phase + lane]" in kernel.body) if copies else ("phase" not in kernel.body)


def test_rows_that_end_far_from_a_vector(monkeypatch: pytest.MonkeyPatch) -> None:
    """Of 94 numbers, each with one of its row: a strip has eight rows, which fill their vectors."""
    monkeypatch.setenv("HLO2TINY_CACHE", "off")
    text = """
!t = tensor<9x94x94xf32>
func.func @main(%x: tensor<9x94xf32>, %y: tensor<94x94xf32>) -> !t {
  %0 = stablehlo.broadcast_in_dim %x, dims = [0, 1] : (tensor<9x94xf32>) -> !t
  %1 = stablehlo.broadcast_in_dim %y, dims = [1, 2] : (tensor<94x94xf32>) -> !t
  %2 = stablehlo.add %0, %1 : !t
  %3 = stablehlo.tanh %2 : !t
  return %3 : !t
}
"""
    (step,) = hlo2tiny.load(text, device="CPU").plan.kernels()
    (kernel,) = render_region(step).kernels
    assert "copied0[phase + lane]" in kernel.body and f"first += {8 * 94}" in kernel.body
    generator = np.random.default_rng(0)
    arguments = [generator.standard_normal(shape).astype(np.float32) for shape in ((9, 94), (94, 94))]
    found = run(text, arguments, monkeypatch)
    monkeypatch.setattr(renderer, "strips_of", lambda kernel: None)
    np.testing.assert_array_equal(found, run(text, arguments, monkeypatch))


def neighbours(shape: tuple[int, ...], element: str, edges: str, function: str) -> str:
    """The sum of the neighbours of each element along each dimension, in one of several ways at the edges."""
    array = f"tensor<{'x'.join(map(str, [*shape, element]))}>"
    lines, total = [f"%y = stablehlo.{function} %x : {array}"], "%x"
    for d, size in enumerate(shape):
        for first, name in ((1, f"%a{d}"), (-1, f"%b{d}")):
            inner, edge = (
                [f"{b}:{e}" if k == d else f"0:{n}" for k, n in enumerate(shape)]
                for b, e in (
                    ((0, size - 1), (size - 1, size) if edges == "roll" else (0, 1))
                    if first > 0
                    else ((1, size), (0, 1) if edges == "roll" else (size - 1, size))
                )
            )
            most, one = (
                f"tensor<{'x'.join(map(str, [*(n if k == d else m for k, m in enumerate(shape)), element]))}>"
                for n in (size - 1, 1)
            )
            lines.append(f"{name}i = stablehlo.slice %y [{', '.join(inner)}] : ({array}) -> {most}")
            if edges == "constant":
                low, high = (
                    ", ".join(str(int(k == d and first == side)) for k in range(len(shape))) for side in (1, -1)
                )
                zeros = ", ".join("0" for _ in shape)
                lines.append(
                    f"{name} = stablehlo.pad {name}i, %c, low = [{low}], high = [{high}], interior = [{zeros}]"
                    f" : ({most}, tensor<{element}>) -> {array}"
                )
            else:
                lines.append(f"{name}e = stablehlo.slice %y [{', '.join(edge)}] : ({array}) -> {one}")
                parts = [(f"{name}e", one), (f"{name}i", most)][:: 1 if first > 0 else -1]
                names, types = (", ".join(each) for each in zip(*parts))
                lines.append(f"{name} = stablehlo.concatenate {names}, dim = {d} : ({types}) -> {array}")
            lines.append(f"{name}s = stablehlo.add {total}, {name} : {array}")
            total = f"{name}s"
    constant = "3" if element.startswith("i") else "3.0"
    body = "\n  ".join(lines)
    return f"""
func.func @main(%x: {array}) -> {array} {{
  %c = stablehlo.constant dense<{constant}> : tensor<{element}>
  {body}
  return {total} : {array}
}}
"""


NEIGHBOURS = [(3001, 13), (1400, 2), (400, 5, 3), (50, 2, 9, 7), (7, 301), (900, 16), (3, 90, 5), (3, 700)]
EDGES = [*itertools.product(NEIGHBOURS, ["f32", "f64", "f16", "bf16", "i32", "i8"], ["roll", "edge", "constant"])]


@pytest.mark.sampled(12, ci=4)
@pytest.mark.parametrize(("shape", "element", "edges"), EDGES)
@pytest.mark.parametrize("function", ["tanh", "negate"])
def test_strips_with_edges_have_the_same_bits(
    shape: tuple[int, ...], element: str, edges: str, function: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HLO2TINY_CACHE", "off")
    text = neighbours(shape, element, edges, "negate" if element.startswith("i") else function)
    each = hlo2tiny.load(text).inputs[0]
    x = (30 * np.random.default_rng(0).standard_normal(each.shape)).astype(each.dtype)
    found = [run(text, [x], monkeypatch, threads=threads) for threads in (1, 2, 3)]
    monkeypatch.setattr(renderer, "strips_of", lambda kernel: None)
    expected = run(text, [x], monkeypatch, threads=1)
    for each in found:
        np.testing.assert_array_equal(each, expected)


@pytest.mark.parametrize(
    ("shape", "element", "edges", "is_short"),
    [
        ((4096, 5), "f32", "roll", True),
        ((4096, 5), "f32", "edge", True),
        ((4096, 2, 3), "i8", "constant", True),
        ((4096, 16), "bf16", "roll", True),  # no whole vectors between the edges
        ((4096, 60), "bf16", "roll", True),
        ((64, 1000), "f32", "roll", False),
        ((64, 1000), "bf16", "roll", True),  # so many operations
    ],
)
def test_what_is_beside_edges_is_not_copied(shape: tuple[int, ...], element: str, edges: str, is_short: bool) -> None:
    (step,) = hlo2tiny.load(neighbours(shape, element, edges, "negate"), device="CPU").plan.kernels()
    bodies = [kernel.body for kernel in render_region(step).kernels]
    assert any("window0[lane]" in body for body in bodies) == is_short
    assert not any("copied0" in body for body in bodies)


def reflecting(shape: tuple[int, ...], element: str, axis: int, radius: int) -> str:
    """The sum of neighbours up to a distance along a dimension, with the array reflected at its edges."""
    size = shape[axis]

    def array(length: int) -> str:
        return f"tensor<{'x'.join(map(str, [*shape[:axis], length, *shape[axis + 1 :], element]))}>"

    def sliced(begin: int, end: int) -> str:
        return f"[{', '.join(f'{begin}:{end}' if d == axis else f'0:{n}' for d, n in enumerate(shape))}]"

    wide, edge, whole = array(size + 2 * radius), array(radius), array(size)
    lines = list[str]()
    for name, begin in (("%l", 1), ("%h", size - 1 - radius)):
        lines.append(f"{name} = stablehlo.slice %x {sliced(begin, begin + radius)} : ({whole}) -> {edge}")
        lines.append(f"{name}r = stablehlo.reverse {name}, dims = [{axis}] : {edge}")
    lines.append(f"%p = stablehlo.concatenate %lr, %x, %hr, dim = {axis} : ({edge}, {whole}, {edge}) -> {wide}")
    total = "%x"
    for n in range(2 * radius + 1):
        lines.append(f"%s{n} = stablehlo.slice %p {sliced(n, n + size)} : ({wide}) -> {whole}")
        lines.append(f"%t{n} = stablehlo.add {total}, %s{n} : {whole}")
        total = f"%t{n}"
    body = "\n  ".join(lines)
    return f"func.func @main(%x: {whole}) -> {whole} {{\n  {body}\n  return {total} : {whole}\n}}"


@pytest.mark.parametrize("element", ["f32", "f64", "bf16", "i32"])
@pytest.mark.parametrize(("shape", "axis"), [((200_000, 3), 0), ((400, 300, 3), 1), ((2, 90, 3), 1), ((11, 3), 0)])
def test_strips_copy_what_is_reflected_only_at_edges(
    shape: tuple[int, ...], axis: int, element: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HLO2TINY_CACHE", "off")
    text = reflecting(shape, element, axis, 5)
    loaded = hlo2tiny.load(text, device="CPU")
    (step,) = loaded.plan.kernels()
    if element == "bf16" and axis == 0:  # of other types, edges have loops of their own
        assert any("if (fills || filled)" in kernel.body for kernel in render_region(step).kernels)
    x = (30 * np.random.default_rng(0).standard_normal(shape)).astype(loaded.inputs[0].dtype)
    found = [run(text, [x], monkeypatch, threads=threads) for threads in (1, 2, 3)]
    monkeypatch.setattr(renderer, "strips_of", lambda kernel: None)
    expected = run(text, [x], monkeypatch, threads=1)
    for each in found:
        np.testing.assert_array_equal(each, expected)


def test_few_rows_are_no_tiles() -> None:
    """A cache keeps the beginnings of all."""
    (step,) = hlo2tiny.load(program((1024, 128, 4), "bf16", "transposed", "tanh"), device="CPU").plan.kernels()
    (kernel,) = render_region(step).kernels
    assert "column += " not in kernel.body and "copied0" in kernel.body


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


def test_threads_share_tiles() -> None:
    (step,) = hlo2tiny.load(program((4, 95, 2000), "f32", "transposed", "tanh"), device="CPU").plan.kernels()
    (kernel,) = render_region(step).kernels
    assert "tile0" in kernel.body and kernel.shared_iterations == 95


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
