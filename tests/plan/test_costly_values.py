"""A costly function that several kernels read is computed in one of them, if more than two would compute it."""

from __future__ import annotations

import re

import numpy as np
import pytest

import hlo2tiny
from hlo2tiny.plan.lowering import GPU, computed_elsewhere, computed_often, read_in_strides
from hlo2tiny.targets.c.render import render_region

SHAPE = "tensor<60x20xf32>"


def program(function: str, wide: bool = False) -> str:
    """The sums of columns, of rows, and what both are added to, of a function's values times a number."""
    reduce = "applies stablehlo.add across dimensions"
    types = f"({SHAPE}, tensor<f32>)"
    middle = f"%0 = stablehlo.{function} %x : {SHAPE}\n%1 = stablehlo.multiply %0, %y : {SHAPE}"
    return f"""func.func @main(%x: {SHAPE}, %y: {SHAPE}) -> (tensor<20xf32>, tensor<60xf32>{f", {SHAPE}" * wide}) {{
      %zero = stablehlo.constant dense<0.0> : tensor<f32>
      {middle}
      %2 = stablehlo.reduce(%1 init: %zero) {reduce} = [0] : {types} -> tensor<20xf32>
      %3 = stablehlo.reduce(%1 init: %zero) {reduce} = [1] : {types} -> tensor<60xf32>
      %4 = stablehlo.subtract %1, %x : {SHAPE}
      return %2, %3{", %4" * wide} : tensor<20xf32>, tensor<60xf32>{f", {SHAPE}" * wide}
    }}"""


@pytest.mark.parametrize(
    ("function", "wide", "apart"), [("cosine", True, 1), ("cosine", False, 0), ("negate", True, 0)]
)
def test_what_three_kernels_read_is_computed_once(function: str, wide: bool, apart: int) -> None:
    program_ = hlo2tiny.load(program(function, wide), "CPU")
    (step,) = program_.plan.kernels()
    assert [str(v.type) for v in computed_often(step)] == [SHAPE] * apart
    calls = sum(len(re.findall(r"\bcos_f\(", kernel.body)) for kernel in render_region(step).kernels)
    assert calls == {"cosine": 1 if wide else 2, "negate": 0}[function]
    x, y = np.random.default_rng(0).normal(size=(2, 60, 20)).astype(np.float32)
    columns, rows, *rest = program_.numpy(x, y)
    expected = (np.cos(x) if function == "cosine" else -x) * y
    np.testing.assert_allclose(columns, expected.sum(0), rtol=1e-4, atol=1e-4)
    np.testing.assert_allclose(rows, expected.sum(1), rtol=1e-4, atol=1e-4)
    for each in rest:
        np.testing.assert_allclose(each, expected - x, rtol=1e-5, atol=1e-5)


def test_a_value_that_is_a_result_is_read_from_there() -> None:
    text = (
        program("cosine", True)
        .replace("return %2", "return %1")
        .replace("tensor<20xf32>, tensor<60", f"{SHAPE}, tensor<60")
    )
    (step,) = hlo2tiny.load(text, "CPU").plan.kernels()
    assert not computed_often(step)


@pytest.mark.parametrize(
    ("function", "width", "dimension", "apart"),
    [("exponential", 32, 0, 1), ("exponential", 400, 0, 0), ("negate", 32, 0, 0), ("exponential", 200, 1, 1)],
)
def test_costly_values_that_short_rows_repeat_are_computed_by_vectors(
    function: str, width: int, dimension: int, apart: int
) -> None:
    shape = [width, width]
    shape[dimension] = 200
    matrix = f"tensor<{shape[0]}x{shape[1]}xf32>"
    text = f"""func.func @main(%x: {matrix}, %y: tensor<200xf32>) -> {matrix} {{
      %0 = stablehlo.{function} %y : tensor<200xf32>
      %1 = stablehlo.broadcast_in_dim %0, dims = [{dimension}] : (tensor<200xf32>) -> {matrix}
      %2 = stablehlo.multiply %x, %1 : {matrix}
      return %2 : {matrix}
    }}"""
    program_ = hlo2tiny.load(text, "CPU")
    (step,) = program_.plan.kernels()
    assert [str(v.type) for v in computed_elsewhere(step)] == ["tensor<200xf32>"] * apart
    x, y = np.random.default_rng(0).normal(size=shape).astype(np.float32), np.linspace(-2, 2, 200, dtype=np.float32)
    repeated = np.expand_dims(np.exp(y) if function == "exponential" else -y, 1 - dimension)
    np.testing.assert_allclose(program_.numpy(x, y)[0], x * repeated, rtol=1e-6)


@pytest.mark.parametrize("source", ["%y", "iota"])
@pytest.mark.parametrize(("type", "batch", "apart"), [("f32", 8, 1), ("f64", 8, 1), ("bf16", 8, 1), ("f32", 1, 0)])
def test_tables_that_outer_loops_repeat_are_computed_once(source: str, type: str, batch: int, apart: int) -> None:
    """As rotations of positions are, for each batch and head."""
    table, whole = f"tensor<60x16x{type}>", f"tensor<{batch}x60x{1 if batch == 1 else 3}x16x{type}>"
    number = f"%n = stablehlo.iota dim = 0 : {table}" if source == "iota" else f"%n = stablehlo.negate %y : {table}"
    text = f"""func.func @main(%x: {whole}, %y: {table}) -> {whole} {{
      {number}
      %0 = stablehlo.cosine %n : {table}
      %1 = stablehlo.broadcast_in_dim %0, dims = [0, 2] : ({table}) -> tensor<60x1x16x{type}>
      %2 = stablehlo.broadcast_in_dim %1, dims = [1, 2, 3] : (tensor<60x1x16x{type}>) -> {whole}
      %3 = stablehlo.multiply %x, %2 : {whole}
      return %3 : {whole}
    }}"""
    program_ = hlo2tiny.load(text, "CPU")
    (step,) = program_.plan.kernels()
    assert [str(v.type) for v in computed_elsewhere(step)] == [table] * apart
    assert len(render_region(step).kernels) == 1 + apart
    draw, dtype = np.random.default_rng(0), program_.inputs[0].dtype
    x, y = draw.normal(size=program_.inputs[0].shape).astype(dtype), draw.normal(size=(60, 16)).astype(dtype)
    turned = np.arange(60.0)[:, None] if source == "iota" else -y.astype(np.float64)
    expected = x.astype(np.float64) * np.cos(turned)[:, None]
    np.testing.assert_allclose(
        program_.numpy(x, y)[0].astype(np.float64), expected, rtol=0, atol=5e-2 if type == "bf16" else 1e-5
    )


@pytest.mark.parametrize(("count", "condition", "apart"), [(14, False, 1), (6, False, 0), (14, True, 0)])
def test_many_cheap_ops_are_computed_by_vectors_too(count: int, condition: bool, apart: int) -> None:
    """But not a condition, on which a compiler would branch in each row."""
    row, matrix, element = "tensor<200xf32>", "tensor<200x32xf32>", "i1" if condition else "f32"
    chain = "\n".join(f"%{n + 1} = stablehlo.multiply %{n}, %y : {row}" for n in range(count))
    last = f"stablehlo.compare LT, %{count}, %y : ({row}, {row}) -> tensor<200xi1>"
    reads = "select %m, %x, %z" if condition else "multiply %x, %m"
    types = f"tensor<200x32xi1>, {matrix}" if condition else matrix
    text = f"""func.func @main(%x: {matrix}, %z: {matrix}, %y: {row}) -> {matrix} {{
      %0 = stablehlo.add %y, %y : {row}
      {chain}
      %last = {last if condition else f"stablehlo.subtract %{count}, %y : {row}"}
      %m = stablehlo.broadcast_in_dim %last, dims = [0] : (tensor<200x{element}>) -> tensor<200x32x{element}>
      %r = stablehlo.{reads} : {types}
      return %r : {matrix}
    }}"""
    program_ = hlo2tiny.load(text, "CPU")
    (step,) = program_.plan.kernels()
    assert len(computed_elsewhere(step)) == apart
    x, z = np.random.default_rng(0).normal(size=(2, 200, 32)).astype(np.float32)
    y = np.linspace(-1.2, 1.2, 200, dtype=np.float32)
    power = 2 * y
    for _ in range(count):
        power = power * y
    expected = np.where((power < y)[:, None], x, z) if condition else x * (power - y)[:, None]
    np.testing.assert_allclose(program_.numpy(x, z, y)[0], expected, rtol=1e-6)


def rolled(function: str, size: int, type: str = "f32", most: int = 2) -> str:
    """The differences of a function's values and those that are rolled by one, two, … places."""
    whole, text = f"tensor<{size}x{type}>", ""
    for by in range(1, most + 1):
        first, second = f"tensor<{by}x{type}>", f"tensor<{size - by}x{type}>"
        text += f"""
      %a{by} = stablehlo.slice %v [{size - by}:{size}] : ({whole}) -> {first}
      %b{by} = stablehlo.slice %v [0:{size - by}] : ({whole}) -> {second}
      %c{by} = stablehlo.concatenate %a{by}, %b{by}, dim = 0 : ({first}, {second}) -> {whole}
      %d{by} = stablehlo.subtract %{f"d{by - 1}" if by > 1 else "v"}, %c{by} : {whole}"""
    return f"""func.func @main(%x: {whole}) -> {whole} {{
      %w = stablehlo.{function} %x : {whole}
      %v = stablehlo.multiply %w, %x : {whole}{text}
      return %d{most} : {whole}
    }}"""


@pytest.mark.parametrize("type", ["f32", "f64", "f16", "bf16"])
@pytest.mark.parametrize(("function", "apart"), [("tanh", 1), ("negate", 0)])
def test_what_is_rolled_is_computed_once_if_it_is_costly(function: str, apart: int, type: str) -> None:
    program_ = hlo2tiny.load(rolled(function, 3000, type), "CPU")
    (step,) = program_.plan.kernels()
    assert len(computed_elsewhere(step)) == apart
    assert len(render_region(step).kernels) == 1 + apart
    x = np.random.default_rng(0).normal(size=3000).astype(program_.inputs[0].dtype)
    v = ((np.tanh(x) if apart else -x) * x).astype(np.float64)
    (found,) = program_.numpy(x)
    atol = {"f16": 1e-2, "bf16": 6e-2}.get(type, 1e-5)
    np.testing.assert_allclose(found.astype(np.float64), v - np.roll(v, 1) - np.roll(v, 2), rtol=0, atol=atol)


@pytest.mark.parametrize(
    ("function", "size", "type", "most", "apart"),
    [("tanh", 1 << 20, "f32", 14, 1), ("tanh", 1 << 20, "f64", 4, 1), ("tanh", 1 << 20, "f32", 4, 0),
     ("negate", 1 << 20, "f32", 14, 0), ("tanh", 1 << 12, "f64", 14, 0)],
)  # fmt: skip
def test_gpus_store_what_they_would_compute_many_times(
    function: str, size: int, type: str, most: int, apart: int
) -> None:
    (step,) = hlo2tiny.load(rolled(function, size, type, most), "CPU").plan.kernels()
    assert len(computed_elsewhere(step, GPU)) == apart


def test_gpus_compute_what_rows_repeat_while_they_wait_for_memory() -> None:
    row, whole = "tensor<1024xf64>", "tensor<65536x1024xf64>"
    (step,) = hlo2tiny.load(f"""func.func @main(%x: {whole}, %y: {row}) -> {whole} {{
      %0 = stablehlo.tanh %y : {row}
      %1 = stablehlo.broadcast_in_dim %0, dims = [1] : ({row}) -> {whole}
      %2 = stablehlo.multiply %x, %1 : {whole}
      return %2 : {whole}
    }}""", "CPU").plan.kernels()  # fmt: skip
    assert computed_elsewhere(step) and not computed_elsewhere(step, GPU)


@pytest.mark.parametrize(("type", "apart"), [("f32", 0), ("f64", 1)])
def test_functions_of_doubles_are_worth_reading_memory(type: str, apart: int) -> None:
    size, whole, text = 400_000, f"tensor<400000x{type}>", ""
    for by in (1, size - 1):
        first, second = f"tensor<{size - by}x{type}>", f"tensor<{by}x{type}>"
        text += f"""
      %a{by} = stablehlo.slice %v [{by}:{size}] : ({whole}) -> {first}
      %b{by} = stablehlo.slice %v [0:{by}] : ({whole}) -> {second}
      %c{by} = stablehlo.concatenate %a{by}, %b{by}, dim = 0 : ({first}, {second}) -> {whole}"""
    text = f"""func.func @main(%x: {whole}) -> {whole} {{
      %v = stablehlo.tanh %x : {whole}{text}
      %d = stablehlo.add %c1, %c{size - 1} : {whole}
      %e = stablehlo.subtract %d, %v : {whole}
      return %e : {whole}
    }}"""
    program_ = hlo2tiny.load(text, "CPU")
    (step,) = program_.plan.kernels()
    assert len(computed_elsewhere(step)) == apart
    x = np.random.default_rng(0).normal(size=size).astype(program_.inputs[0].dtype)
    v = np.tanh(x)
    np.testing.assert_allclose(program_.numpy(x)[0], np.roll(v, -1) + np.roll(v, 1) - v, rtol=0, atol=1e-6)


def test_few_elements_and_halves_are_computed_where_they_are_read() -> None:
    """A gate reads each element of its halves once, however costly."""
    (step,) = hlo2tiny.load(rolled("tanh", 12), "CPU").plan.kernels()
    assert not computed_elsewhere(step)
    whole, half = "tensor<64x2000xf32>", "tensor<64x1000xf32>"
    (step,) = hlo2tiny.load(
        f"""func.func @main(%x: {whole}) -> {half} {{
      %v = stablehlo.tanh %x : {whole}
      %a = stablehlo.slice %v [0:64, 0:1000] : ({whole}) -> {half}
      %b = stablehlo.slice %v [0:64, 1000:2000] : ({whole}) -> {half}
      %c = stablehlo.multiply %a, %b : {half}
      return %c : {half}
    }}""",
        "CPU",
    ).plan.kernels()
    assert not computed_elsewhere(step)


@pytest.mark.parametrize("type", ["f32", "f64", "complex<f32>"])
def test_a_sum_of_constants_is_computed_once(type: str) -> None:
    """The weights of a resize are divided by their sums: tinygrad would add up each sum for each weight."""
    whole, row = f"tensor<64x48x{type}>", f"tensor<48x{type}>"
    text = f"""func.func @main(%x: {whole}) -> {whole} {{
      %zero = stablehlo.constant dense<{"(0.0, 0.0)" if "complex" in type else "0.0"}> : tensor<{type}>
      %i = stablehlo.iota dim = 0 : {whole}
      %j = stablehlo.iota dim = 1 : {whole}
      %k = stablehlo.multiply %i, %j : {whole}
      %w = stablehlo.cosine %k : {whole}
      %t = stablehlo.reduce(%w init: %zero) applies stablehlo.add across dimensions = [0]
        : ({whole}, tensor<{type}>) -> {row}
      %b = stablehlo.broadcast_in_dim %t, dims = [1] : ({row}) -> {whole}
      %d = stablehlo.divide %w, %b : {whole}
      %y = stablehlo.multiply %d, %x : {whole}
      return %y : {whole}
    }}"""
    program_ = hlo2tiny.load(text, "CPU")
    (step,) = program_.plan.kernels()
    assert sum(kernel.facts.flops for kernel in render_region(step).kernels) < 64 * 48 * 64 * 10
    x = np.random.default_rng(0).normal(size=(64, 48)).astype(program_.inputs[0].dtype)
    w = np.cos(np.arange(64)[:, None] * np.arange(48.0))
    np.testing.assert_allclose(program_.numpy(x)[0].astype(np.complex128), w / w.sum(0) * x, 1e-3, 1e-4)


@pytest.mark.parametrize(("size", "apart"), [(4096, 2), (256, 0)])
@pytest.mark.parametrize("type", ["f32", "f64", "i8", "bf16"])
def test_what_is_read_in_strides_again_is_stored(type: str, size: int, apart: int) -> None:
    """As each level of a pyramid; slices of slices alone are not."""
    text, last = "", "%x"
    for level in range(3):
        whole, half = (f"tensor<{size >> level + by}x{type}>" for by in (0, 1))
        text += f"""
      %a{level} = stablehlo.slice {last} [0:{size >> level}:2] : ({whole}) -> {half}
      %b{level} = stablehlo.slice {last} [1:{size >> level}:2] : ({whole}) -> {half}
      %c{level} = stablehlo.add %a{level}, %b{level} : {half}"""
        last = f"%c{level}"
    third = f"tensor<{size // 8}x{type}>"
    text = f"""func.func @main(%x: tensor<{size}x{type}>) -> {third} {{{text}
      %d = stablehlo.slice %x [0:{size}:2] : (tensor<{size}x{type}>) -> tensor<{size // 2}x{type}>
      %e = stablehlo.slice %d [0:{size // 2}:4] : (tensor<{size // 2}x{type}>) -> {third}
      %f = stablehlo.subtract {last}, %e : {third}
      return %f : {third}
    }}"""
    program_ = hlo2tiny.load(text, "CPU")
    (step,) = program_.plan.kernels()
    assert len(read_in_strides(step)) == apart
    assert len(render_region(step).kernels) == 1 + apart
    x = np.random.default_rng(0).integers(-3, 3, size).astype(program_.inputs[0].dtype)
    expected = x.reshape(-1, 8).astype(float).sum(1) - x[::8].astype(float)
    np.testing.assert_array_equal(program_.numpy(x)[0].astype(float), expected)
