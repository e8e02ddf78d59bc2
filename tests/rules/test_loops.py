"""Kernels as loops: what regions see of their surroundings, and how the work grows with the size."""

from __future__ import annotations

from collections.abc import Callable
from itertools import product
from typing import Any

import numpy as np
import pytest
from tinygrad.renderer import Estimates
from tinygrad.uop.ops import Ops

import hlo2tiny
from hlo2tiny.program import Program
from hlo2tiny.rules.loops import FEW_CELLS, LANES, PARTS
from hlo2tiny.targets.c.render import render_region
from hlo2tiny.targets.tinygrad import executor
from hlo2tiny.tinygrad import launch

from .numbers import c64, f32, i32

# ---------------------------------------------------------------- captures

X = np.array([3, 1, 2, 0, 2], f32)
Z = np.array([1 + 2j, 3 - 1j], c64)
VECTOR, SCALAR, PLACES = "tensor<5xf32>", "tensor<f32>", "tensor<2x1xi32>"
HEAD = (
    f"func.func @main(%x: {VECTOR}, %k: {SCALAR}, %i: {PLACES}, %z: tensor<2xcomplex<f32>>, %w: tensor<complex<f32>>)"
)
BODY = f"""({{
  ^bb0(%a: {SCALAR}, %b: {SCALAR}):
    %p = stablehlo.multiply %a, %k : {SCALAR}
    %s = stablehlo.add %p, %b : {SCALAR}
    stablehlo.return %s : {SCALAR}
  }})"""
ROW = "update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1"


def steps(values: Any, first: float = 0, k: float = 5) -> float:
    for value in values:
        first = first * k + value
    return first


CAPTURING = {
    "reduce": (
        f'"stablehlo.reduce"(%x, %k) <{{dimensions = array<i64: 0>}}> {BODY} : ({VECTOR}, {SCALAR}) -> {SCALAR}',
        SCALAR,
        lambda: steps(X, 5),
    ),
    "reduce of complex numbers": (
        """"stablehlo.reduce"(%z, %w) <{dimensions = array<i64: 0>}> ({
  ^bb0(%a: tensor<complex<f32>>, %b: tensor<complex<f32>>):
    %p = stablehlo.multiply %a, %w : tensor<complex<f32>>
    %s = stablehlo.add %p, %b : tensor<complex<f32>>
    stablehlo.return %s : tensor<complex<f32>>
  }) : (tensor<2xcomplex<f32>>, tensor<complex<f32>>) -> tensor<complex<f32>>""",
        "tensor<complex<f32>>",
        lambda: (2j * 2j + Z[0]) * 2j + Z[1],
    ),
    "reduce_window": (
        f'"stablehlo.reduce_window"(%x, %k) <{{window_dimensions = array<i64: 2>}}> {BODY} '
        f": ({VECTOR}, {SCALAR}) -> tensor<4xf32>",
        "tensor<4xf32>",
        lambda: [steps(X[i : i + 2], 5) for i in range(4)],
    ),
    "running reduce_window": (
        '"stablehlo.reduce_window"(%x, %k) '
        f"<{{padding = dense<[[4, 0]]> : tensor<1x2xi64>, window_dimensions = array<i64: 5>}}> {BODY} "
        f": ({VECTOR}, {SCALAR}) -> {VECTOR}",
        VECTOR,
        lambda: [steps(X[: i + 1], 5) for i in range(5)],
    ),
    "scatter": (
        '"stablehlo.scatter"(%x, %i, %u) <{scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [0], '
        f"scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}}> {BODY} "
        f": ({VECTOR}, {PLACES}, tensor<2xf32>) -> {VECTOR}",
        VECTOR,
        lambda: [3, (1 * 5 + 7) * 5 + 7, 2, 0, 2],
    ),
    "select_and_scatter": (
        f"""\"stablehlo.select_and_scatter"(%x, %u, %k)
    <{{window_dimensions = array<i64: 3>, window_strides = array<i64: 2>}}> ({{
  ^bb0(%a: {SCALAR}, %b: {SCALAR}):
    %d = stablehlo.subtract %a, %k : {SCALAR}
    %e = stablehlo.subtract %b, %k : {SCALAR}
    %r = stablehlo.compare GE, %d, %e : ({SCALAR}, {SCALAR}) -> tensor<i1>
    stablehlo.return %r : tensor<i1>
  }}, {BODY[1:]} : ({VECTOR}, tensor<2xf32>, {SCALAR}) -> {VECTOR}""",
        VECTOR,
        lambda: [5 * 5 + 7, 5, 5 * 5 + 7, 5, 5],
    ),
    "sort": (
        f"""\"stablehlo.sort"(%x) <{{dimension = 0 : i64, is_stable = true}}> ({{
  ^bb0(%a: {SCALAR}, %b: {SCALAR}):
    %d = stablehlo.multiply %a, %m : {SCALAR}
    %e = stablehlo.multiply %b, %m : {SCALAR}
    %r = stablehlo.compare LT, %d, %e : ({SCALAR}, {SCALAR}) -> tensor<i1>
    stablehlo.return %r : tensor<i1>
  }}) : ({VECTOR}) -> {VECTOR}""",
        VECTOR,
        lambda: [3, 2, 2, 1, 0],
    ),
}


@pytest.mark.parametrize("name", CAPTURING)
def test_regions_use_what_is_around_them(name: str) -> None:
    op, type, expected = CAPTURING[name]
    text = f"""{HEAD} -> {type} {{
  %m = stablehlo.negate %k : {SCALAR}
  %c = stablehlo.constant dense<7.0> : {SCALAR}
  %u = stablehlo.broadcast_in_dim %c, dims = [] : ({SCALAR}) -> tensor<2xf32>
  %r = {op}
  return %r : {type}
}}"""
    (result,) = Program(hlo2tiny.parse(text), "CPU").numpy(
        X, np.array(5, f32), np.array([[1], [1]], i32), Z, np.array(2j, c64)
    )
    np.testing.assert_array_equal(result, np.asarray(expected(), result.dtype))


def test_a_region_that_uses_a_tensor_of_its_surroundings_is_refused() -> None:
    text = f"""func.func @main(%x: {VECTOR}, %k: {SCALAR}) -> {SCALAR} {{
  %r = "stablehlo.reduce"(%x, %k) <{{dimensions = array<i64: 0>}}> ({{
  ^bb0(%a: {SCALAR}, %b: {SCALAR}):
    %s = stablehlo.slice %x [0:1] : ({VECTOR}) -> tensor<1xf32>
    %t = stablehlo.reshape %s : (tensor<1xf32>) -> {SCALAR}
    stablehlo.return %t : {SCALAR}
  }}) : ({VECTOR}, {SCALAR}) -> {SCALAR}
  return %r : {SCALAR}
}}"""
    with pytest.raises(hlo2tiny.UnsupportedOp, match="from outside"):
        Program(hlo2tiny.parse(text), "CPU").compile()


# ---------------------------------------------------------------- work


def work(text: str, monkeypatch: pytest.MonkeyPatch) -> tuple[int, int]:
    """How many operations a program's kernels do, and how many elements their buffers have."""
    kernels: list[Any] = []
    compile_linear: Callable[..., Any] = launch.compile_linear

    def recorded(linear: Any) -> Any:
        result = compile_linear(linear)
        kernels.extend(call.src[0] for call in result.src)
        return result

    with monkeypatch.context() as patch:
        patch.setattr(launch, "compile_linear", recorded)
        patch.setattr(executor.REGIONS, "regions", {})
        program = Program(hlo2tiny.parse(text), "CPU")
        regions = [executor.compile_region(step, "CPU") for step in program.plan.kernels()]
    linear = [next(s for s in kernel.src if s.op is Ops.LINEAR) for kernel in kernels]
    operations = sum(int(Estimates.from_uops(uops.src, ignore_indexing=False).ops) for uops in linear)
    return operations, sum(size for r in regions for size, _ in r.layouts)


def function(arguments: str, op: str, results: str) -> str:
    return f"func.func @main({arguments}) -> ({results}) {{\n  {op}\n}}"


def binary(op: str) -> str:
    return f"""({{
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s = {op} %a, %b : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }})"""


def gathered(n: int) -> str:
    numbers = "offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1"
    op = f"""%r = "stablehlo.gather"(%x, %i) <{{dimension_numbers = #stablehlo.gather<{numbers}>,
    slice_sizes = array<i64: 1, 4>}}> : (tensor<{n}x4xf32>, tensor<{n}x1xi32>) -> tensor<{n}x4xf32>
  return %r : tensor<{n}x4xf32>"""
    return function(f"%x: tensor<{n}x4xf32>, %i: tensor<{n}x1xi32>", op, f"tensor<{n}x4xf32>")


def scattered(n: int, slots: int) -> str:
    numbers = "inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1"
    kinds = f"tensor<{slots}xf32>, tensor<{n}x1xi32>, tensor<{n}xf32>"
    op = f"""%r = "stablehlo.scatter"(%x, %i, %u) <{{scatter_dimension_numbers = #stablehlo.scatter<{numbers}>}}>
    {binary("stablehlo.add")} : ({kinds}) -> tensor<{slots}xf32>
  return %r : tensor<{slots}xf32>"""
    return function("%x: {}, %i: {}, %u: {}".format(*kinds.split(", ")), op, f"tensor<{slots}xf32>")


def sort(n: int, direction: str) -> str:
    kinds = f"tensor<{n}xf32>, tensor<{n}xi32>"
    return f"""%r:2 = "stablehlo.sort"(%x, %y) <{{dimension = 0 : i64, is_stable = true}}> ({{
  ^bb0(%a: tensor<f32>, %b: tensor<f32>, %c: tensor<i32>, %d: tensor<i32>):
    %s = stablehlo.compare {direction}, %a, %b, TOTALORDER : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %s : tensor<i1>
  }}) : ({kinds}) -> ({kinds})"""


def sorted_(n: int) -> str:
    kinds = f"tensor<{n}xf32>, tensor<{n}xi32>"
    op = f"{sort(n, 'LT')}\n  return %r#0, %r#1 : {kinds}"
    return function(f"%x: tensor<{n}xf32>, %y: tensor<{n}xi32>", op, kinds)


def top(n: int) -> str:
    kinds = "tensor<10xf32>, tensor<10xi32>"
    op = f"%r:2 = chlo.top_k(%x, k = 10) : tensor<{n}xf32> -> ({kinds})\n  return %r#0, %r#1 : {kinds}"
    return function(f"%x: tensor<{n}xf32>", op, kinds)


def composite_top(n: int) -> str:
    """As JAX exports it: a composite, whose decomposition sorts the whole row."""
    kinds = "tensor<10xf32>, tensor<10xi32>"
    op = f"""%r:2 = stablehlo.composite "chlo.top_k" %x
    {{composite_attributes = {{k = 10 : i64}}, decomposition = @impl,
    version = 1 : i32}} : (tensor<{n}xf32>) -> ({kinds})
  return %r#0, %r#1 : {kinds}"""
    implementation = f"""
func.func private @impl(%x: tensor<{n}xf32>) -> ({kinds}) {{
  %y = stablehlo.iota dim = 0 : tensor<{n}xi32>
  {sort(n, "GT")}
  %p = stablehlo.slice %r#0 [0:10] : (tensor<{n}xf32>) -> tensor<10xf32>
  %q = stablehlo.slice %r#1 [0:10] : (tensor<{n}xi32>) -> tensor<10xi32>
  return %p, %q : {kinds}
}}"""
    return function(f"%x: tensor<{n}xf32>", op, kinds) + implementation


def cumulative(n: int, low: int, high: int, op: str = "stablehlo.add", rows: int = 3) -> str:
    kind, result = f"tensor<{n}x{rows}xf32>", f"tensor<{low + high + 1}x{rows}xf32>"
    text = f"""%c = stablehlo.constant dense<0.0> : tensor<f32>
  %r = "stablehlo.reduce_window"(%x, %c) <{{padding = dense<[[{low}, {high}], [0, 0]]> : tensor<2x2xi64>,
    window_dimensions = array<i64: {n}, 1>}}> {binary(op)} : ({kind}, tensor<f32>) -> {result}
  return %r : {result}"""
    return function(f"%x: {kind}", text, result)


# The program of a size, and how its work may grow with it: as n, or as n log n.
GROWTH: dict[str, tuple[Callable[[int], str], int]] = {
    "gather": (gathered, 0),
    "scatter": (lambda n: scattered(n, n), 0),
    "scatter into few": (lambda n: scattered(n, 10), 0),
    "sort": (sorted_, 1),
    "top_k": (top, 0),
    "top_k as a composite": (composite_top, 0),
    "cumulative sum": (lambda n: cumulative(n, n - 1, 0), 0),
    "reversed": (lambda n: cumulative(n, 0, n - 1), 0),
    "exclusive": (lambda n: cumulative(n, n, 0), 0),
    "exclusive, reversed": (lambda n: cumulative(n, 0, n), 0),
    "cumulative maximum": (lambda n: cumulative(n, n - 1, 0, "stablehlo.maximum"), 0),
}


@pytest.mark.parametrize("name", GROWTH)
def test_work_grows_with_the_size(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    program, logarithms = GROWTH[name]
    (less, small), (more, large) = (work(program(n), monkeypatch) for n in (2**12, 2**16))
    assert less > 2**12 and more <= 16 * less * (16 / 12) ** logarithms * 1.1
    assert large <= 16 * small


COUNT = 40_003
# For each layout: the shapes of an operand, of indices and of updates, and the dimension numbers.
LAYOUTS = {
    "numbers": ((50,), (COUNT, 1), (COUNT,), "inserted_window_dims = [0], scatter_dims_to_operand_dims = [0]"),
    "rows": (
        (10, 5),
        (COUNT, 1),
        (COUNT, 5),
        "update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0]",
    ),
    "columns": (
        (5, 10),
        (COUNT, 1),
        (5, COUNT),
        "update_window_dims = [0], inserted_window_dims = [1], scatter_dims_to_operand_dims = [1]",
    ),
    "blocks": (
        (4, 6, 3),
        (COUNT, 2),
        (2, COUNT, 3),
        "update_window_dims = [0, 2], inserted_window_dims = [1], scatter_dims_to_operand_dims = [1, 0]",
    ),
}


@pytest.mark.parametrize(
    ("name", "element", "layout"),
    [
        ("add", "f32", "numbers"),
        ("add", "f32", "rows"),
        ("add", "f32", "columns"),
        ("add", "i32", "blocks"),
        ("maximum", "f32", "rows"),
        ("multiply", "f64", "numbers"),
    ],
)
def test_many_updates_of_few_elements_are_combined_in_parts(name: str, element: str, layout: str) -> None:
    """Those of each part in order, whatever the number of threads is; windows out of bounds are dropped."""
    shape, places, news, numbers = LAYOUTS[layout]
    named = (shape, element), (places, "i32"), (news, element)
    kinds = [f"tensor<{'x'.join(map(str, sizes))}x{kind}>" for sizes, kind in named]
    body = binary(f"stablehlo.{name}").replace("f32", element)
    op = f"""%r = "stablehlo.scatter"(%x, %i, %u) <{{scatter_dimension_numbers =
      #stablehlo.scatter<{numbers}, index_vector_dim = 1>}}> {body} : ({", ".join(kinds)}) -> {kinds[0]}
  return %r, %x : {kinds[0]}, {kinds[0]}"""
    text = function("%x: {}, %i: {}, %u: {}".format(*kinds), op, f"{kinds[0]}, {kinds[0]}")
    combine, start = {"add": (np.add, -0.0), "maximum": (np.maximum, -np.inf), "multiply": (np.multiply, 1)}[name]
    dtype, rng = {"f32": np.float32, "f64": np.float64, "i32": np.int32}[element], np.random.default_rng(0)
    x, u = (np.exp(rng.normal(0, 0.02, sizes)) for sizes in (shape, news))
    x, u = ((1e9 * v if element == "i32" else v).astype(dtype) for v in (x, u))
    at = rng.integers(-2, max(shape) + 2, places).astype(np.int32)
    lanes = LANES if x.size <= FEW_CELLS else 1
    wanted, length = x.copy(), COUNT // (PARTS * lanes) * lanes
    windows: Callable[..., tuple[Any, ...]] = {
        "columns": lambda i: (slice(None), i),
        "blocks": lambda i, j: (slice(j, j + 2), i),
    }.get(layout, lambda i: (i,))
    highest = {"numbers": (49,), "rows": (9,), "columns": (9,), "blocks": (5, 2)}[layout]
    each = np.moveaxis(u, 1, 0) if layout in ("columns", "blocks") else u
    for number, lane in product(range(PARTS), range(lanes)):
        part, begin, rest = np.full(shape, start, dtype), number * length, PARTS * length + number * lanes + lane
        own = [*range(begin + lane, begin + length, lanes), *range(rest, min(rest + 1, COUNT))]
        for place, new in zip(at[own], each[own]):
            if all(0 <= i <= most for i, most in zip(place, highest)):
                where = windows(*map(int, place))
                part[where] = combine(part[where], new)
        wanted = combine(wanted, part)
    for threads in (1, 2, 3):
        program = hlo2tiny.load(text, "CPU", threads=threads)
        found, kept = program.numpy(x, at, u)
        np.testing.assert_array_equal(kept, x)
        np.testing.assert_array_equal(found, wanted)
    names = [k.facts.name for s in program.plan.kernels() for k in render_region(s).kernels]
    assert "scatter_parts" in names
