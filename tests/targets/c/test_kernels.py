"""Kernels as functions in C: which of them threads share, and that nothing reads what is printed."""

from __future__ import annotations

import ast
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest

import hlo2tiny
from corpus import BY_NAME
from hlo2tiny.targets.c import kernels as kernels_in_c
from hlo2tiny.targets.c import linking, native, render
from hlo2tiny.targets.c.kernels import RenderedKernel, RenderedRegion
from hlo2tiny.targets.c.render import render_region
from hlo2tiny.tinygrad.kernel import enclosing
from hlo2tiny.tinygrad.renderers.c import CRenderer

PACKAGE = Path(hlo2tiny.__file__).parent
# What reads text: templates are our own files, names of handlers are those that users gave.
MAY_SEARCH_TEXT = {"templates.py", "linked.py"}


def kernels(text: str | Path) -> list[RenderedKernel]:
    steps = hlo2tiny.load(text, device="CPU").plan.kernels()
    return [kernel for step in steps for kernel in render_region(step).kernels]


@pytest.mark.parametrize(
    ("sizes", "loops"),
    [((3, 40_000), [3, 40_000]), ((5, 64, 16), [5, 64, 16]), ((900, 9), [8100]), ((900, 3), [900, 3])],
)
def test_what_rows_share_is_read_once_for_each(sizes: tuple[int, ...], loops: list[int]) -> None:
    whole, shared = (f"tensor<{'x'.join(map(str, s))}xf16>" for s in (sizes, (*[1] * (len(sizes) - 2), sizes[-2], 1)))
    text = f"""
    func.func @main(%x: {whole}, %y: {shared}) -> {whole} {{
      %0 = stablehlo.broadcast_in_dim %y, dims = {[*range(len(sizes))]} : ({shared}) -> {whole}
      %1 = stablehlo.multiply %x, %0 : {whole}
      return %1 : {whole}
    }}"""
    (kernel,) = kernels(text)
    assert [loop.iterations for loop in kernel.facts.loops] == loops


def test_what_rows_share_is_read_once_by_sums_of_integers() -> None:
    """Whose terms may be added in any order."""
    text = """
    func.func @main(%x: tensor<900x32x3xi32>, %y: tensor<900x3xi32>) -> tensor<900x32xi32> {
      %zero = stablehlo.constant dense<0> : tensor<i32>
      %0 = stablehlo.broadcast_in_dim %y, dims = [0, 2] : (tensor<900x3xi32>) -> tensor<900x32x3xi32>
      %1 = stablehlo.multiply %x, %0 : tensor<900x32x3xi32>
      %2 = stablehlo.reduce(%1 init: %zero) applies stablehlo.add across dimensions = [2]
        : (tensor<900x32x3xi32>, tensor<i32>) -> tensor<900x32xi32>
      return %2 : tensor<900x32xi32>
    }"""
    (kernel,) = kernels(text)
    assert [loop.iterations for loop in kernel.facts.loops] == [900, 32, 3]
    x, y = (np.arange(np.prod(shape), dtype=np.int32).reshape(shape) for shape in ((900, 32, 3), (900, 3)))
    np.testing.assert_array_equal(hlo2tiny.load(text).numpy(x, y)[0], (x * y[:, None]).sum(2, dtype=np.int32))


@pytest.mark.parametrize("constant", [False, True])
@pytest.mark.parametrize("element", ["i8", "i16", "i32", "ui8", "ui16", "ui32", "i64"])
def test_quotients_of_short_integers_are_those_of_doubles(element: str, constant: bool) -> None:
    """Processors divide vectors of these only, and a compiler multiplies by a constant divisor."""
    dtype = np.dtype(element.replace("i", "int"))
    numbers = np.iinfo(dtype)
    ends = [numbers.min, numbers.min + 1, numbers.max // 2, numbers.max - 1, numbers.max, 1, 2, 3, 7, 10]
    ends += [-each for each in (1, 2, 3, 7, 10)] if numbers.min else []
    ends += np.random.default_rng(0).integers(numbers.min, numbers.max, 100, dtype, True).tolist()
    pairs = [(a * b + c, b) for a in ends for b in ends if b for c in (-1, 0, 1)]
    pairs = [
        pair for pair in ((a, 7) if constant else (a, b) for a, b in pairs) if numbers.min <= pair[0] <= numbers.max
    ]
    pairs += [] if constant else [(a, b) for a in ends for b in ends if b]
    x, y = (np.array(side, dtype) for side in zip(*pairs))
    type = f"tensor<{len(x)}x{element}>"
    divisor = f"%y = stablehlo.constant dense<7> : {type}" if constant else ""
    text = f"""func.func @main(%x: {type}{"" if constant else f", %y: {type}"}) -> ({type}, {type}) {{
      {divisor}
      %q = stablehlo.divide %x, %y : {type}
      %r = stablehlo.remainder %x, %y : {type}
      return %q, %r : {type}, {type}
    }}"""
    assert ("QUOTIENT" in "".join(kernel.body for kernel in kernels(text))) == (not constant and element != "i64")
    found = hlo2tiny.load(text, device="CPU").numpy(*(x,) if constant else (x, y))
    exact = [abs(a) // abs(b) * (1 if (a < 0) == (b < 0) else -1) for a, b in pairs]
    quotients = [(q - numbers.min) % 2**numbers.bits + numbers.min for q in exact]  # the smallest by -1 overflows
    np.testing.assert_array_equal(found[0], np.array(quotients, dtype))
    np.testing.assert_array_equal(found[1], np.array([a - q * b for q, (a, b) in zip(exact, pairs)], dtype))


@pytest.mark.parametrize("path", sorted(PACKAGE.glob("targets/*/*.py")), ids=lambda path: "/".join(path.parts[-2:]))
def test_generated_code_is_not_searched(path: Path) -> None:
    imported = {
        name.name
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.Import | ast.ImportFrom)
        for name in (node.names if isinstance(node, ast.Import) else [ast.alias(node.module or "")])
    }
    assert not imported & {"re", "ast", "tokenize"} or path.name in MAY_SEARCH_TEXT


def test_kernels_are_compiled_before_their_region_is_rendered(monkeypatch: pytest.MonkeyPatch) -> None:
    """The first alone, then about as many as there were before; the numbers are those that all have together."""
    monkeypatch.setenv("HLO2TINY_CACHE", "off")
    monkeypatch.setattr(render.REGIONS, "regions", {})
    monkeypatch.setattr(native, "MOST_PROCESSES", 1)  # others render whole regions
    events: list[str] = []
    print_kernel, add = CRenderer.function, linking.Build.add

    def printed(*arguments: Any) -> Any:
        events.append("kernel")
        return print_kernel(*arguments)

    def added(build: linking.Build, text: str, *options: str, name: str = "") -> None:
        if not text.startswith("#define UNIT"):  # what all programs share, which a wheel brings compiled
            events.append("compiled")
        add(build, text, *options, name=name)

    monkeypatch.setattr(CRenderer, "function", printed)
    monkeypatch.setattr(linking.Build, "add", added)
    entry = BY_NAME["optax_adamw"]
    found = hlo2tiny.load(entry.path, device="CPU").numpy(*entry.inputs())
    places = [i for i, event in enumerate(events) if event == "compiled"]
    # What is compiled before any kernel is there is what this machine does not have yet of what programs share.
    kernels_before = [count for place in places if (count := events[:place].count("kernel"))]
    assert kernels_before[0] == 1 and kernels_before[1] <= 4 and events.count("kernel") > 8
    monkeypatch.setattr(native, "TOGETHER", 1000)
    for ours, expected in zip(hlo2tiny.load(entry.path, device="CPU").numpy(*entry.inputs()), found, strict=True):
        np.testing.assert_array_equal(ours, expected)


@pytest.mark.parametrize("name", ["gather_scatter", "int_ops", "linear_algebra", "optax_adamw", "special_functions"])
def test_kernels_of_little_work_compute_the_same_numbers_when_optimised(
    monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    monkeypatch.setenv("HLO2TINY_CACHE", "off")
    options: list[str] = []
    add = linking.Build.add

    def added(build: linking.Build, text: str, *given: str, name: str = "") -> None:
        options.extend(given)
        add(build, text, *given, name=name)

    monkeypatch.setattr(linking.Build, "add", added)
    entry = BY_NAME[name]
    found = hlo2tiny.load(entry.path, device="CPU").numpy(*entry.inputs())
    assert native.LIGHTLY in options
    options.clear()
    monkeypatch.setattr(kernels_in_c, "LIGHT_WORK", 0)
    for ours, expected in zip(hlo2tiny.load(entry.path, device="CPU").numpy(*entry.inputs()), found, strict=True):
        np.testing.assert_array_equal(ours, expected)
    assert native.LIGHTLY not in options


ROWS = """
func.func @main(%x: tensor<{rows}x{columns}x{type}>) -> tensor<{rows}x{type}> {{
  %zero = stablehlo.constant dense<0{point}> : tensor<{type}>
  %y = stablehlo.add %x, %x : tensor<{rows}x{columns}x{type}>
  %r = stablehlo.reduce(%y init: %zero) applies stablehlo.add across dimensions = [1]
    : (tensor<{rows}x{columns}x{type}>, tensor<{type}>) -> tensor<{rows}x{type}>
  return %r : tensor<{rows}x{type}>
}}
"""


@pytest.mark.parametrize(("type", "zero"), [("f32", "-0.0f"), ("f64", "-0.0"), ("i32", "0")])
def test_only_sums_of_floats_over_loops_may_be_reordered(type: str, zero: str) -> None:
    point = "" if type == "i32" else ".0"
    *_, kernel = kernels(ROWS.format(rows=9, columns=300, type=type, point=point))
    assert kernel.body.count("reassociate(on)") == (type != "i32")
    assert f"+0) = {zero};" in kernel.body


SUM = """
func.func @main(%x: tensor<50xf32>, %y: tensor<50xf32>, %z: tensor<50xf32>) -> tensor<50xf32> {
  %a = stablehlo.add %y, %z : tensor<50xf32>
  %r = stablehlo.add %x, %a : tensor<50xf32>
  return %r : tensor<50xf32>
}
"""


def test_other_sums_are_as_they_are_written() -> None:
    (kernel,) = kernels(SUM)
    assert "reassociate" not in kernel.body
    x, y, z = np.float32([1e8] * 50), np.float32([-1e8] * 50), np.float32([0.3] * 50)
    np.testing.assert_array_equal(hlo2tiny.load(SUM, device="CPU").numpy(x, y, z)[0], x + (y + z))


def test_loops_around_vectors_of_results_are_not_copied() -> None:
    """For an image of few pixels a compiler would write each of them out."""
    (kernel,) = kernels("""func.func @main(%x: tensor<3x4x20xf32>) -> tensor<4x3x20xf32> {
      %y = stablehlo.transpose %x, dims = [1, 0, 2] : (tensor<3x4x20xf32>) -> tensor<4x3x20xf32>
      return %y : tensor<4x3x20xf32>
    }""")
    loops = re.findall(r"(#endif\n)? *for \(int \w+ = 0; \w+ < (\d+);", kernel.function("k").text())
    assert [(length, bool(disabled)) for disabled, length in loops] == [("4", True), ("3", True), ("20", True)]


@pytest.mark.parametrize(("size", "unrolled"), [(6, True), (40, True), (100_000, False)])
def test_compilers_may_unroll_loops_with_little_to_do(size: int, unrolled: bool) -> None:
    type = f"tensor<{size}xf32>"
    text = f"func.func @main(%x: {type}) -> {type} {{\n  %y = stablehlo.negate %x : {type}\n  return %y : {type}\n}}"
    (kernel,) = kernels(text)
    assert ("unroll(disable)" not in kernel.function("k").text()) == unrolled


def test_short_rows_that_a_scatter_updates_stay_loops() -> None:
    """They become vectors; unrolled, each element was chosen alone."""
    row = "tensor<9x12xf32>"
    text = f"""func.func @main(%x: {row}, %i: tensor<50x1xi32>, %u: tensor<50x12xf32>) -> {row} {{
  %r = "stablehlo.scatter"(%x, %i, %u) <{{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1],
      inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}}> ({{
    ^b(%a: tensor<f32>, %b: tensor<f32>):
      %c = stablehlo.add %a, %b : tensor<f32>
      stablehlo.return %c : tensor<f32>
  }}) : ({row}, tensor<50x1xi32>, tensor<50x12xf32>) -> {row}
  return %r : {row}
}}"""
    written = "".join(kernel.function("k").text() for kernel in kernels(text))
    assert re.search(r"unroll\(disable\)\n *#endif\n *for \(int \w+ = 0; \w+ < 12;", written)


@pytest.mark.parametrize("batched", [False, True])
@pytest.mark.parametrize(
    ("rows", "cells", "count", "iterations", "turns"),
    [
        (4, 60, 50, 1, 4),
        (6, 60, 50, 2, 3),
        (64, 60, 500, 16, 4),
        (5, 60, 50, 5, 1),
        (4, 60, 5, 4, 1),
        (4, 99_999, 50, 4, 1),
    ],
)
def test_rows_that_a_scatter_updates_take_turns(
    rows: int, cells: int, count: int, iterations: int, turns: int, batched: bool
) -> None:
    """An update that follows another of the same cell waits for that one."""
    row, updates = f"tensor<{rows}x{cells}xf32>", f"tensor<{rows}x{count}xf32>"
    indices = f"tensor<{rows}x{count}x1xi32>" if batched else f"tensor<{count}x1xi32>"
    numbers = (
        "input_batching_dims = [0], scatter_indices_batching_dims = [0], inserted_window_dims = [1],"
        if batched
        else "update_window_dims = [0], inserted_window_dims = [1],"
    )
    text = f"""func.func @main(%x: {row}, %i: {indices}, %u: {updates}) -> {row} {{
  %r = "stablehlo.scatter"(%x, %i, %u) <{{scatter_dimension_numbers = #stablehlo.scatter<{numbers}
      scatter_dims_to_operand_dims = [1], index_vector_dim = {2 if batched else 1}>}}> ({{
    ^b(%a: tensor<f32>, %b: tensor<f32>):
      %c = stablehlo.add %a, %b : tensor<f32>
      stablehlo.return %c : tensor<f32>
  }}) : ({row}, {indices}, {updates}) -> {row}
  return %r : {row}
}}"""
    kernel = next(each for each in kernels(text) if each.facts.name == "scatter")
    loops = [loop.iterations for loop in kernel.facts.loops]
    assert loops[-2:] == [iterations, count] if iterations > 1 else loops[-1:] == [count]
    assert len(kernel.facts.writes) == turns
    if iterations > 1:
        assert kernel.facts.loops[-2].independent
    random = np.random.default_rng(0)
    x, u = (random.standard_normal(shape, np.float32) for shape in ((rows, cells), (rows, count)))
    i = random.integers(-2, cells + 2, (rows, count, 1) if batched else (count, 1), np.int32)
    expected = x.copy()
    for n in range(rows):
        places = i[n, :, 0] if batched else i[:, 0]
        inside = (places >= 0) & (places < cells)
        np.add.at(expected[n], places[inside], u[n][inside])
    np.testing.assert_array_equal(hlo2tiny.load(text, device="CPU").numpy(x, i, u)[0], expected)


def test_scatters_to_no_rows() -> None:
    x, u = np.ones((0, 60), np.float32), np.ones((0, 50), np.float32)
    function = jax.vmap(lambda x, i, u: x.at[i].add(u), (0, None, 0))
    exported = jax.export.export(jax.jit(function))(x, i := np.zeros(50, np.int32), u)
    found = hlo2tiny.load(exported.mlir_module(), device="CPU").numpy(x, i, u)[0]
    np.testing.assert_array_equal(found, x)


@pytest.mark.parametrize(
    ("rows", "columns", "iterations"), [(600, 700, 600), (9, 30, 0), (4, 900_000, 0), (1, 900_000, 0)]
)
def test_threads_share_kernels_of_enough_work_and_iterations(rows: int, columns: int, iterations: int) -> None:
    *_, kernel = kernels(ROWS.format(rows=rows, columns=columns, type="f32", point=".0"))
    assert kernel.shared_iterations == iterations
    function = kernel.function("name")
    assert function.head.startswith(
        "void name(void *const *buffers" if iterations else "void name(float* restrict data0"
    )
    assert ("= begin;" in function.text()) == (iterations > 0)
    assert function.text(static=True).count("static void name(") == 1


CUMSUM = """
func.func @main(%x: tensor<1000x500xi32>) -> tensor<1000x500xi32> {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %r = "stablehlo.reduce_window"(%x, %zero) ({
    ^bb0(%a: tensor<i32>, %b: tensor<i32>):
      %s = stablehlo.add %a, %b : tensor<i32>
      stablehlo.return %s : tensor<i32>
  }) {window_dimensions = array<i64: 1, 500>, padding = dense<[[0, 0], [499, 0]]> : tensor<2x2xi64>}
    : (tensor<1000x500xi32>, tensor<i32>) -> tensor<1000x500xi32>
  return %r : tensor<1000x500xi32>
}
"""


def test_threads_share_rows_of_running_sums() -> None:
    """Whose iterations along a row depend on each other."""
    (kernel,) = [each for each in kernels(CUMSUM) if each.facts.name == "running_fold"]
    assert [loop.independent for loop in kernel.facts.loops] == [True, False]
    assert kernel.shared_iterations == 1000
    x = np.random.default_rng(0).integers(-9, 9, (1000, 500), np.int32)
    np.testing.assert_array_equal(hlo2tiny.load(CUMSUM, device="CPU").numpy(x)[0], x.cumsum(1))


@pytest.mark.parametrize("name", ["lstm", "gather_scatter", "reduce_window"])
def test_regions_are_kept_with_what_is_known_of_them(name: str) -> None:
    for step in hlo2tiny.load(BY_NAME[name].path, device="CPU").plan.kernels():
        region = render_region(step)
        again = RenderedRegion.from_text(region.to_text())
        assert again == region and [k.facts for k in again.kernels] == [k.facts for k in region.kernels]


def test_a_part_of_a_loop_reads_no_place_that_is_not_there() -> None:
    """Complex numbers are read as pairs, of which those of the second operand lie before its beginning at first."""
    pairs, more = "tensor<1x3xcomplex<f32>>", "tensor<1x6xcomplex<f32>>"
    text = f"""
func.func @main(%x: {pairs}, %y: {pairs}) -> {more} {{
  %0 = stablehlo.concatenate %x, %y, dim = 1 : ({pairs}, {pairs}) -> {more}
  return %0 : {more}
}}
"""
    x = np.array([[1 + 2j, 3 + 4j, 5 + 6j]], np.complex64)
    (result,) = hlo2tiny.load(text, device="CPU").numpy(x, -x)
    np.testing.assert_array_equal(result, np.concatenate([x, -x], axis=1))


COMPLEX = """
func.func @main(%x: tensor<64x48xcomplex<f32>>, %n: tensor<64x48xi32>)
    -> (tensor<48x64xcomplex<f32>>, tensor<64x48xi32>) {
  %c = stablehlo.constant dense<2.0> : tensor<64x48xf32>
  %r = stablehlo.abs %x : (tensor<64x48xcomplex<f32>>) -> tensor<64x48xf32>
  %p = stablehlo.compare LE, %r, %c : (tensor<64x48xf32>, tensor<64x48xf32>) -> tensor<64x48xi1>
  %s = stablehlo.multiply %x, %x : tensor<64x48xcomplex<f32>>
  %y = stablehlo.select %p, %s, %x : tensor<64x48xi1>, tensor<64x48xcomplex<f32>>
  %t = stablehlo.transpose %y, dims = [1, 0] : (tensor<64x48xcomplex<f32>>) -> tensor<48x64xcomplex<f32>>
  %i = stablehlo.convert %p : (tensor<64x48xi1>) -> tensor<64x48xi32>
  %m = stablehlo.add %n, %i : tensor<64x48xi32>
  return %t, %m : tensor<48x64xcomplex<f32>>, tensor<64x48xi32>
}
"""


def test_compilers_can_make_vectors_of_loops_over_complex_numbers() -> None:
    """No loads of pairs, no division for a size, and only variables to choose between; iterations stay independent."""
    for kernel in kernels(COMPLEX):
        assert not kernel.types and "float2" not in kernel.body and "/" not in kernel.body
        choices = [line for line in kernel.body.splitlines() if "?" in line]
        assert choices and all(
            re.search(r"\?(\(\(float\)\(__builtin_inff\(\)\)\)|\w+):\w+\)", line) for line in choices
        ), choices
        assert all(loop.independent for loop in kernel.facts.loops)


TWO = """
func.func @main(%x: tensor<64x48xcomplex<f32>>, %n: tensor<64x48xf32>)
    -> (tensor<64x48xcomplex<f32>>, tensor<64x48xf32>, tensor<64x48xf32>) {
  %r = stablehlo.abs %x : (tensor<64x48xcomplex<f32>>) -> tensor<64x48xf32>
  %s = stablehlo.multiply %x, %x : tensor<64x48xcomplex<f32>>
  %m = stablehlo.add %n, %r : tensor<64x48xf32>
  %k = stablehlo.multiply %m, %r : tensor<64x48xf32>
  return %s, %m, %k : tensor<64x48xcomplex<f32>>, tensor<64x48xf32>, tensor<64x48xf32>
}
"""


def test_neighbours_that_read_the_same_are_one_kernel() -> None:
    """A kernel that reads what the one before has written stays apart."""
    first, second = kernels(TWO)
    assert (len(first.facts.writes), len(second.facts.writes)) == (3, 1)  # of which two are of complex numbers
    assert first.body.count("sqrt") == 1 and first.facts.parallel == second.facts.parallel == 64 * 48
    rng = np.random.default_rng(0)
    x, (n, _) = (
        rng.standard_normal((64, 48, 2), np.float32).view(np.complex64)[..., 0],
        np.ones((2, 64, 48), np.float32),
    )
    square, more, product = hlo2tiny.load(TWO, device="CPU").numpy(x, n)
    size = np.hypot(x.real.astype(np.float64), x.imag).astype(np.float32)
    np.testing.assert_allclose(square, x * x, rtol=1e-5)
    np.testing.assert_array_equal(more, n + size)
    np.testing.assert_array_equal(product, more * size)


PADDED = """
func.func @main(%x: tensor<61x3xf32>) -> (tensor<64x3xf32>, tensor<64x3xf32>) {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %a = stablehlo.pad %x, %zero, low = [1, 0], high = [2, 0], interior = [0, 0]
      : (tensor<61x3xf32>, tensor<f32>) -> tensor<64x3xf32>
  %y = stablehlo.multiply %x, %x : tensor<61x3xf32>
  %b = stablehlo.pad %y, %zero, low = [3, 0], high = [0, 0], interior = [0, 0]
      : (tensor<61x3xf32>, tensor<f32>) -> tensor<64x3xf32>
  return %a, %b : tensor<64x3xf32>, tensor<64x3xf32>
}
"""


def test_a_joined_kernel_is_split_at_its_edges() -> None:
    """What stood before the second kernel's loop stands before the common one, so the split does not repeat it."""
    (kernel,) = kernels(PADDED)
    assert len(kernel.facts.writes) == 2 and len({*kernel.parameters}) == len(kernel.parameters) == 3
    x = np.arange(183, dtype=np.float32).reshape(61, 3)
    a, b = hlo2tiny.load(PADDED, device="CPU").numpy(x)
    np.testing.assert_array_equal(a, np.pad(x, ((1, 2), (0, 0))))
    np.testing.assert_array_equal(b, np.pad(x * x, ((3, 0), (0, 0))))


ROLLED = """
!t = tensor<600x70xf32>
func.func @main(%x: !t) -> !t {
  %rest = stablehlo.slice %x [1:600, 0:70] : (!t) -> tensor<599x70xf32>
  %first = stablehlo.slice %x [0:1, 0:70] : (!t) -> tensor<1x70xf32>
  %up = stablehlo.concatenate %rest, %first, dim = 0 : (tensor<599x70xf32>, tensor<1x70xf32>) -> !t
  %last = stablehlo.slice %x [599:600, 0:70] : (!t) -> tensor<1x70xf32>
  %others = stablehlo.slice %x [0:599, 0:70] : (!t) -> tensor<599x70xf32>
  %down = stablehlo.concatenate %last, %others, dim = 0 : (tensor<1x70xf32>, tensor<599x70xf32>) -> !t
  %y = stablehlo.subtract %up, %down : !t
  return %y : !t
}
"""


def test_a_loop_that_threads_share_is_split_at_its_edges() -> None:
    (kernel,) = kernels(ROLLED)
    assert kernel.shared_iterations == 600 * 70 and kernel.body.count("for (") == 3 and "?*" not in kernel.body
    x = np.random.default_rng(0).standard_normal((600, 70), np.float32)
    for threads in (1, 2, 3):
        (y,) = hlo2tiny.load(ROLLED, device="CPU", threads=threads).numpy(x)
        np.testing.assert_array_equal(y, np.roll(x, -1, 0) - np.roll(x, 1, 0))


@pytest.mark.parametrize(("dimension", "type", "loops"), [(0, "i32", 4), (1, "i32", 3), (1, "i64", 3), (1, "f32", 2)])
def test_numbers_of_loops_are_compared_once(dimension: int, type: str, loops: int) -> None:
    """Where an index decides what is read, each part of a loop knows it; nothing hides the numbers of loops in C."""
    whole, number = "tensor<300x400xf32>", f"tensor<300x400x{type}>"
    text = f"""func.func @main(%x: {whole}, %y: {whole}) -> {whole} {{
      %i = stablehlo.iota dim = {dimension} : {number}
      %n = stablehlo.constant dense<{"200.0" if type == "f32" else 200}> : {number}
      %c = stablehlo.compare LT, %i, %n : ({number}, {number}) -> tensor<300x400xi1>
      %a = stablehlo.add %x, %y : {whole}
      %r = stablehlo.select %c, %a, %y : tensor<300x400xi1>, {whole}
      return %r : {whole}
    }}"""
    (kernel,) = kernels(text)
    assert kernel.body.count("for (") == loops and "no_bits" not in kernel.body and "&1)" not in kernel.body
    x, y = np.random.default_rng(0).standard_normal((2, 300, 400), np.float32)
    index = np.arange(300)[:, None] if dimension == 0 else np.arange(400)
    np.testing.assert_array_equal(hlo2tiny.load(text, device="CPU").numpy(x, y)[0], np.where(index < 200, x + y, y))


def test_sums_of_masked_columns_stay_sums_of_columns() -> None:
    text = """func.func @main(%x: tensor<900x300xf32>) -> tensor<300xf32> {
      %i = stablehlo.iota dim = 0 : tensor<900x300xi32>
      %n = stablehlo.constant dense<700> : tensor<900x300xi32>
      %zero = stablehlo.constant dense<0.0> : tensor<f32>
      %zeros = stablehlo.constant dense<0.0> : tensor<900x300xf32>
      %c = stablehlo.compare LT, %i, %n : (tensor<900x300xi32>, tensor<900x300xi32>) -> tensor<900x300xi1>
      %m = stablehlo.select %c, %x, %zeros : tensor<900x300xi1>, tensor<900x300xf32>
      %r = stablehlo.reduce(%m init: %zero) applies stablehlo.add across dimensions = [0]
        : (tensor<900x300xf32>, tensor<f32>) -> tensor<300xf32>
      return %r : tensor<300xf32>
    }"""
    (kernel,) = kernels(text)
    assert "first +=" in kernel.body
    x = np.random.default_rng(0).standard_normal((900, 300), np.float32)
    np.testing.assert_allclose(hlo2tiny.load(text, device="CPU").numpy(x)[0], x[:700].sum(0, np.float64), atol=1e-4)


@pytest.mark.parametrize("taps", [3, 40])  # 40 alone have nearly as many nodes as two kernels together may have
def test_what_two_results_share_is_computed_once(taps: int) -> None:
    """The two sums of a filter whose weights depend on what they weigh."""
    x, y = f"tensor<{64 + taps}xf32>", "tensor<64xf32>"
    lines = [f"%n = stablehlo.constant dense<0.0> : {y}"]
    total, weights = "%n", "%n"
    for i in range(taps):
        lines += [
            f"%s{i} = stablehlo.slice %x [{i}:{64 + i}] : ({x}) -> {y}",
            f"%d{i} = stablehlo.subtract %s{i}, %c : {y}",
            f"%q{i} = stablehlo.multiply %d{i}, %d{i} : {y}",
            f"%w{i} = stablehlo.exponential %q{i} : {y}",
            f"%m{i} = stablehlo.multiply %w{i}, %s{i} : {y}",
            f"%a{i} = stablehlo.add {total}, %m{i} : {y}",
            f"%b{i} = stablehlo.add {weights}, %w{i} : {y}",
        ]
        total, weights = f"%a{i}", f"%b{i}"
    body = "\n".join([*lines, f"return {total}, {weights} : {y}, {y}"])
    text = f"func.func @main(%x: {x}, %c: {y}) -> ({y}, {y}) {{\n{body}\n}}"
    (kernel,) = kernels(text)
    assert kernel.body.count("exp_f(") == taps
    numbers = np.random.default_rng(0).random(64 + taps).astype(np.float32)
    center = numbers[:64].copy()
    first, second = hlo2tiny.load(text, device="CPU").numpy(numbers, center)
    windows = [numbers[i : 64 + i].astype(np.float64) for i in range(taps)]
    found = [np.exp((s - center) ** 2) for s in windows]
    np.testing.assert_allclose(second, sum(found), rtol=1e-5)
    np.testing.assert_allclose(first, sum(w * s for w, s in zip(found, windows)), rtol=1e-5)


def test_kernels_that_read_a_buffer_as_two_operands_are_not_joined() -> None:
    text = """
func.func @main(%x: tensor<8x8xf32>, %y: tensor<8x8xf32>, %at: tensor<i32>) -> tensor<3x8xf32> {
  %0 = stablehlo.dynamic_slice %x, %at, %at, sizes = [3, 8]
      : (tensor<8x8xf32>, tensor<i32>, tensor<i32>) -> tensor<3x8xf32>
  %1 = stablehlo.dynamic_slice %y, %at, %at, sizes = [3, 8]
      : (tensor<8x8xf32>, tensor<i32>, tensor<i32>) -> tensor<3x8xf32>
  %2 = stablehlo.subtract %0, %1 : tensor<3x8xf32>
  return %2 : tensor<3x8xf32>
}
"""
    x, y = np.random.default_rng(0).standard_normal((2, 8, 8)).astype(np.float32)
    found = hlo2tiny.load(text, device="CPU").numpy(x, y, np.int32(4))[0]
    np.testing.assert_array_equal(found, x[4:7] - y[4:7])


@pytest.mark.sampled(3)
@pytest.mark.parametrize("type", ["f32", "f16", "i8", "f64"])
@pytest.mark.parametrize(
    ("shape", "order", "tiled"),
    [
        ((2048, 513), (1, 0), True),
        ((300, 1024), (1, 0), True),
        ((33, 70, 1024), (2, 0, 1), True),
        ((3, 515, 4, 256), (0, 3, 2, 1), True),
        ((64, 96, 37), (2, 1, 0), True),
        ((5, 70, 65), (0, 2, 1), True),
        ((1024, 20), (0, 1), False),
        ((90, 50, 4), (2, 1, 0), True),  # whose other loop displaces lines from the cache
        ((3000, 8), (1, 0), False),
        ((5, 70, 20, 3), (0, 2, 1, 3), False),  # of which three numbers at a time are copied
        ((90, 50, 4), (1, 0, 2), False),
    ],
)
def test_matrices_read_across_rows_are_transposed_in_tiles(
    shape: tuple[int, ...], order: tuple[int, ...], tiled: bool, type: str
) -> None:
    x, y = (
        f"tensor<{'x'.join(map(str, sizes))}x{type}>" for sizes in (shape, [shape[dimension] for dimension in order])
    )
    turn = f"%t = stablehlo.transpose %x, dims = [{', '.join(map(str, order))}] : ({x}) -> {y}"
    alone = f"func.func @main(%x: {x}) -> {y} {{ {turn} return %t : {y} }}"
    added = f"func.func @main(%x: {x}, %y: {y}) -> {y} {{ {turn} %r = stablehlo.add %t, %y : {y} return %r : {y} }}"
    runs = len(shape) - 1 == order[-1] and order != (0, 1)
    assert any("lanes" in kernel.body for kernel in kernels(alone)) == (tiled or runs)
    assert any("tile0" in kernel.body for kernel in kernels(added)) == tiled
    assert not any("tile0" in kernel.body for kernel in kernels(alone))  # it is written where it belongs
    rng = np.random.default_rng(0)
    program = hlo2tiny.load(added, "CPU")
    a, b = (rng.integers(-50, 50, each.shape).astype(each.dtype) for each in program.inputs)
    for threads in (1, 2, 3):
        program, copying = (hlo2tiny.load(text, "CPU", threads=threads) for text in (added, alone))
        np.testing.assert_array_equal(program.numpy(a, b)[0], a.transpose(order) + b)
        np.testing.assert_array_equal(copying.numpy(a)[0], a.transpose(order))


@pytest.mark.parametrize(
    ("shape", "axis", "places", "loops"),
    [
        ((7, 5, 3, 4), 3, 3, 2),
        ((7, 5, 3, 4), 0, 0, 2),
        ((7, 5, 3, 4), 2, 2, 3),
        ((6, 1, 5, 4), 3, 3, 2),
        ((7, 5, 3, 4), 3, 1, 4),  # an operand that repeats along some of the dimensions that stay
    ],
)
def test_folds_have_one_loop_for_neighbouring_dimensions_that_stay(
    shape: tuple[int, ...], axis: int, places: int, loops: int
) -> None:
    kept = [size for d, size in enumerate(shape) if d != axis]
    x, i, y, j = (f"tensor<{'x'.join(map(str, s))}x{t}>" for s in (shape, kept) for t in ("f64", "i32"))
    text = f"""
    func.func @main(%x: {x}) -> ({y}, {j}) {{
      %i = stablehlo.iota dim = {places} : {i}
      %least = stablehlo.constant dense<0x7FF0000000000000> : tensor<f64>
      %none = stablehlo.constant dense<0> : tensor<i32>
      %r:2 = "stablehlo.reduce"(%x, %i, %least, %none) ({{
      ^bb0(%a: tensor<f64>, %b: tensor<i32>, %c: tensor<f64>, %d: tensor<i32>):
        %less = stablehlo.compare LT, %a, %c : (tensor<f64>, tensor<f64>) -> tensor<i1>
        %v = stablehlo.select %less, %a, %c : tensor<i1>, tensor<f64>
        %w = stablehlo.select %less, %b, %d : tensor<i1>, tensor<i32>
        stablehlo.return %v, %w : tensor<f64>, tensor<i32>
      }}) {{dimensions = array<i64: {axis}>}} : ({x}, {i}, tensor<f64>, tensor<i32>) -> ({y}, {j})
      return %r#0, %r#1 : {y}, {j}
    }}"""
    (kernel,) = [kernel for kernel in kernels(text) if kernel.facts.name == "reduce"]
    assert max(len([*enclosing(kernel.facts.loops, access.loop)]) for access in kernel.facts.reads) == loops
    array = np.random.default_rng(0).standard_normal(shape)
    least, at = hlo2tiny.load(text, "CPU").numpy(array)
    np.testing.assert_array_equal(least, array.min(axis))
    where = np.broadcast_to(
        np.expand_dims(array.argmin(axis), axis), [1 if d == axis else n for d, n in enumerate(shape)]
    )
    indices = np.indices(shape)[places]
    np.testing.assert_array_equal(at, np.take_along_axis(indices, where, axis).squeeze(axis))


def test_f16_is_converted_by_instructions_with_the_same_bits() -> None:
    """All numbers of f16, and all those of f32 that are them, halfway between two, or beside that."""
    text = """
    func.func @main(%x: tensor<65536xf16>, %y: tensor<{n}xf32>) -> (tensor<65536xf32>, tensor<{n}xf16>) {{
      %a = stablehlo.convert %x : (tensor<65536xf16>) -> tensor<65536xf32>
      %b = stablehlo.convert %y : (tensor<{n}xf32>) -> tensor<{n}xf16>
      return %a, %b : tensor<65536xf32>, tensor<{n}xf16>
    }}"""
    x = np.arange(1 << 16, dtype=np.uint16).view(np.float16)
    finite = x[np.isfinite(x)].astype(np.float32)
    halfway = (finite + np.nextafter(finite.astype(np.float16), np.float16(np.inf)).astype(np.float32)) / 2
    near = [np.nextafter(halfway, np.float32(sign)) for sign in (-np.inf, np.inf)]
    y = np.concatenate([x.astype(np.float32), halfway, *near, np.float32([1e-30, -1e30, 1e-45])])
    text = text.format(n=len(y))
    bodies = "".join(kernel.body for kernel in kernels(text))
    assert "widen_signed_f16(" in bodies and "round_to_signed_f16(" in bodies
    with np.errstate(over="ignore"):
        expected = x.astype(np.float32), y.astype(np.float16)
    for found, exact, bits in zip(hlo2tiny.load(text, "CPU").numpy(x, y), expected, (np.uint32, np.uint16)):
        nan = np.isnan(exact)
        np.testing.assert_array_equal(found.view(bits)[~nan], exact.view(bits)[~nan])
        assert np.isnan(found[nan]).all()
        if bits is np.uint16:  # whatever NaN was rounded
            np.testing.assert_array_equal(found.view(bits)[nan], exact.view(bits)[nan] & 0x8000 | 0x7E00)


def test_f16_between_two_operations_is_rounded_without_a_look_at_nan() -> None:
    """Its bits are nobody's there. Looking at them took most of a chain's time: vectors of 8 became single numbers."""
    text = """
    func.func @main(%x: tensor<65536xf16>) -> tensor<65536xf16> {
      %a = stablehlo.multiply %x, %x : tensor<65536xf16>
      %b = stablehlo.add %a, %x : tensor<65536xf16>
      return %b : tensor<65536xf16>
    }"""
    bodies = "".join(kernel.body for kernel in kernels(text))
    assert bodies.count("through_f16(") == 1
    x = np.arange(1 << 16, dtype=np.uint16).view(np.float16)
    with np.errstate(over="ignore", invalid="ignore"):
        expected = x * x + x
    nan = np.isnan(expected)
    (found,) = hlo2tiny.load(text, "CPU").numpy(x)
    np.testing.assert_array_equal(found.view(np.uint16)[~nan], expected.view(np.uint16)[~nan])
    np.testing.assert_array_equal(found.view(np.uint16)[nan] & 0x7FFF, 0x7E00)


@pytest.mark.parametrize("kind", ["f32", "f64"])
def test_nan_is_found_by_a_comparison(kind: str) -> None:
    """Vectors have no comparison of integers without signs before AVX-512, with which its bits were."""
    type = f"tensor<300x{kind}>"
    text = f"""func.func @main(%x: {type}, %y: {type}) -> {type} {{
      %0 = stablehlo.maximum %x, %y : {type}
      return %0 : {type}
    }}"""
    body = "".join(kernel.body for kernel in kernels(text))
    assert body.count("__builtin_isnan(") == 2 and str(0x7FFFFFFF) not in body
    dtype = {"f32": np.float32, "f64": np.float64}[kind]
    x, y = np.random.default_rng(0).choice(np.array([np.nan, -np.nan, 0, -0.0, np.inf, 1], dtype), (2, 300))
    np.testing.assert_array_equal(hlo2tiny.load(text, "CPU").numpy(x, y)[0], np.maximum(x, y))


@pytest.mark.parametrize("narrow", ["f16", "bf16"])
def test_exponentials_that_are_widened_and_added_up_are_computed_once(narrow: str) -> None:
    shape = "64x512"
    text = f"""
    func.func @main(%x: tensor<{shape}x{narrow}>) -> tensor<{shape}x{narrow}> {{
      %zero = stablehlo.constant dense<0.0> : tensor<f32>
      %e = stablehlo.exponential %x : tensor<{shape}x{narrow}>
      %w = stablehlo.convert %e : (tensor<{shape}x{narrow}>) -> tensor<{shape}xf32>
      %s = stablehlo.reduce(%w init: %zero) applies stablehlo.add across dimensions = [1]
        : (tensor<{shape}xf32>, tensor<f32>) -> tensor<64xf32>
      %n = stablehlo.convert %s : (tensor<64xf32>) -> tensor<64x{narrow}>
      %b = stablehlo.broadcast_in_dim %n, dims = [0] : (tensor<64x{narrow}>) -> tensor<{shape}x{narrow}>
      %d = stablehlo.divide %e, %b : tensor<{shape}x{narrow}>
      return %d : tensor<{shape}x{narrow}>
    }}"""
    assert sum(bool(kernel.facts.calls) for kernel in kernels(text)) == 1


@pytest.mark.parametrize("axes", [0, (0, 1)])
def test_functions_of_what_is_reduced_have_a_kernel_of_their_own(axes: int | tuple[int, int]) -> None:
    """Its elements are vectors, which threads share; rows of many results are that already."""
    import jax

    x = np.random.default_rng(0).standard_normal((300, 200)).astype(np.float32)
    for function, along, count in ((np.exp, axes, 2), (np.exp, 1, 1), (np.square, axes, 1)):
        called = getattr(jax.numpy, function.__name__)
        text = jax.jit(lambda x, f=called, along=along: f(x).sum(along)).lower(x).as_text()
        assert len(kernels(text)) == count
        (found,) = hlo2tiny.load(text, "CPU").numpy(x)
        np.testing.assert_allclose(found, function(x.astype(np.float64)).sum(along), 1e-4)


@pytest.mark.parametrize("length", [2, 3, 5, 8, 9, 16])
@pytest.mark.parametrize("kind", ["float32", "uint8", "complex64", "bfloat16", "int16"])
@pytest.mark.sampled(8, ci=2)
def test_rows_of_few_elements(kind: str, length: int) -> None:
    """Of up to eight, a compiler makes vectors of several rows."""
    import jax
    import ml_dtypes

    dtype = np.dtype(ml_dtypes.bfloat16 if kind == "bfloat16" else kind)
    x, y = (np.random.default_rng(n).integers(0, 9, (701, (length, 1)[n])).astype(dtype) for n in range(2))
    text = jax.jit(lambda x, y: x * y + y).lower(x, y).as_text()
    (found,) = hlo2tiny.load(text, "CPU").numpy(x, y)
    np.testing.assert_array_equal(found, (x * y + y).astype(dtype))
    if kind == "float32":
        (kernel,) = kernels(text)
        assert "(long)" in kernel.body


@pytest.mark.parametrize(
    ("function", "wide"),
    [
        (lambda x, y: x * 2 + y, True),
        (lambda x, y: x.sum(0), True),
        (lambda x, y: x.astype(int).sum(0), True),
        (lambda x, y: x[:, ::3] * 2, False),
        (lambda x, y: x.sum(1), False),
    ],
)
def test_compilers_need_not_check_whether_offsets_wrap(function: Callable[..., Any], wide: bool) -> None:
    """That of an `int` may. Where neighbours are apart or a compiler orders the terms of sums, it stays one."""
    import jax

    x, y = np.random.default_rng(0).integers(0, 9, (2, 701, 300)).astype(np.float32)
    text = jax.jit(function, keep_unused=True).lower(x, y).as_text()
    assert any("(long)" in kernel.body for kernel in kernels(text)) is wide
    np.testing.assert_array_equal(hlo2tiny.load(text, "CPU").numpy(x, y)[0], function(x, y))


ANGLES = {
    "elements": lambda f, x, y: f(x * y),
    "rows": lambda f, x, y: jnp.sum(f(x * y), 1),
    "columns": lambda f, x, y: jnp.max(f(x * y), 0),
    "sum": lambda f, x, y: jnp.sum(f(x * y)),
    "outer": lambda f, x, y: jnp.sum(f(x[:, :1] * y[:1]), 1),
}


@pytest.mark.parametrize("name", ["cos", "sin", "tan"])
@pytest.mark.parametrize("form", ANGLES)
def test_angles_near_0_are_turned_without_look_ups(name: str, form: str) -> None:
    """Where all of a kernel's are; what is near gives the same beside others, and each is right."""
    random, function = np.random.default_rng(0), getattr(jnp, name)
    x, y = random.normal(0, 9, (96, 128)), 2.0 ** random.integers(-2, 3, (96, 128))  # whose products are exact
    x, y = x.astype(np.float32), y.astype(np.float32)
    far = x.copy()
    far[40, 0], far[50, 0] = 3e38, np.inf
    exported = jax.export.export(jax.jit(lambda x, y: ANGLES[form](function, x, y)))(x, y)
    program = hlo2tiny.load(exported.mlir_module(), device="CPU")
    bodies = "".join(k.body for step in program.plan.kernels() for k in render_region(step).kernels)
    assert f"{name}_near_f(" in bodies
    found = {place: program.numpy(a, y)[0] for place, a in (("near", x), ("far", far))}
    with jax.enable_x64(True):
        exact = ANGLES[form](function, x.astype(np.float64), y.astype(np.float64))
    np.testing.assert_allclose(found["near"], exact, rtol=1e-6, atol=0 if form == "elements" else 0.05)
    if form in ("elements", "rows", "outer"):  # rows 40 and 50 are those with numbers far from 0
        same = [i for i in range(96) if i not in (40, 50)]
        np.testing.assert_array_equal(found["near"][same], found["far"][same])


@pytest.mark.parametrize("rows", [5, 90])
def test_parts_of_loops_end_where_angles_are_looked_at(rows: int) -> None:
    """The loops of the differences are split at what is padded."""

    def turn(x: jax.Array) -> tuple[jax.Array, ...]:
        angles = jnp.pad(x[:, :35], ((0, 0), (1, 0)))
        between = angles[:, :, None] - angles[:, None]
        return jnp.sin(between), jnp.cos(between) * 2, x[:, 3:8] * 3

    x = np.random.default_rng(0).normal(0, 1, (rows, 65)).astype(np.float32)
    text = jax.export.export(jax.jit(turn))(x).mlir_module()
    assert any("sin_near_f(" in kernel.body for kernel in kernels(text))
    for found, expected in zip(hlo2tiny.load(text, "CPU").numpy(x), jax.jit(turn)(x), strict=True):
        np.testing.assert_allclose(found, expected, rtol=1e-5, atol=1e-6)


@pytest.mark.parametrize("dtype", [jnp.float32, jnp.bfloat16, jnp.float16])
@pytest.mark.parametrize("name", ["exponential", "sine", "polynomial", "sum"])
def test_angles_at_some_cost_are_stored(name: str, dtype: type) -> None:
    """Each kernel looks at arguments that it reads, rather than compute them twice."""

    def turn(x: jax.Array) -> jax.Array:
        polynomial = ((((x * 0.5 - 1) * x + 2) * x - 1) * x + 0.25) * x
        argument = {"exponential": jnp.exp(x), "sine": jnp.sin(x), "polynomial": polynomial, "sum": jnp.tanh(x)}[name]
        return jnp.cos(argument).sum(1) if name == "sum" else jnp.cos(argument)

    x = np.random.default_rng(0).normal(0, 1, (96, 128)).astype(dtype)
    text = jax.export.export(jax.jit(turn))(x).mlir_module()
    *_, last = kernels(text)
    assert dtype == jnp.float16 or "cos_near_f(" in last.body  # numbers of 16 bits are near 0
    assert all(function not in last.body for function in ("exp_f(", "sin_f(", "tanh_f(", "sin_near_f("))
    tolerance = 1e-3 if dtype == jnp.float32 else 0.05
    np.testing.assert_allclose(
        hlo2tiny.load(text, "CPU").numpy(x)[0].astype(np.float32),
        np.asarray(jax.jit(turn)(x), np.float32),
        rtol=tolerance,
        atol=tolerance,
    )


def test_angles_of_indices_alone_are_not_looked_at() -> None:
    """Nothing is read for them; their bits may be merged, for which a kernel needs an address."""

    def turn(x: jax.Array) -> jax.Array:
        rows, columns = (jax.lax.broadcasted_iota(jnp.uint32, x.shape, n) for n in (0, 1))
        return x * jnp.cos(jax.lax.bitcast_convert_type((rows << 23) | (columns & 0x7FFFFF), jnp.float32))

    x = np.random.default_rng(0).normal(0, 1, (96, 128)).astype(np.float32)
    text = jax.export.export(jax.jit(turn))(x).mlir_module()
    (kernel,) = kernels(text)
    assert "cos_f(" in kernel.body and "cos_near_f(" not in kernel.body
    np.testing.assert_allclose(hlo2tiny.load(text, "CPU").numpy(x)[0], jax.jit(turn)(x), rtol=1e-6)
