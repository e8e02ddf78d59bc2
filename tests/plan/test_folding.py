"""What is computed of known integers is a number when kernels are made, also inside of loops and branches."""

from __future__ import annotations

import re

import numpy as np
import pytest

import hlo2tiny
from hlo2tiny.plan.plan import While
from hlo2tiny.targets.c.render import render_region


def program(type: str, size: int) -> str:
    """A loop that divides by 7, spelt as jax does: by 1 where that is 0."""
    whole, one, flags = f"tensor<{size}x{type}>", f"tensor<{type}>", f"tensor<{size}xi1>"
    return f"""func.func @main(%x: {whole}) -> {whole} {{
      %seven = stablehlo.constant dense<7> : {one}
      %zero = stablehlo.constant dense<0> : {one}
      %one = stablehlo.constant dense<1> : {one}
      %start = stablehlo.constant dense<0> : tensor<i32>
      %step = stablehlo.constant dense<1> : tensor<i32>
      %end = stablehlo.constant dense<3> : tensor<i32>
      %r:2 = stablehlo.while(%i = %start, %v = %x) : tensor<i32>, {whole}
      cond {{
        %p = stablehlo.compare LT, %i, %end : (tensor<i32>, tensor<i32>) -> tensor<i1>
        stablehlo.return %p : tensor<i1>
      }} do {{
        %0 = stablehlo.compare EQ, %seven, %zero : ({one}, {one}) -> tensor<i1>
        %1 = stablehlo.select %0, %one, %seven : tensor<i1>, {one}
        %2 = stablehlo.broadcast_in_dim %1, dims = [] : ({one}) -> {whole}
        %3 = stablehlo.broadcast_in_dim %zero, dims = [] : ({one}) -> {whole}
        %4 = stablehlo.add %2, %3 : {whole}
        %5 = stablehlo.remainder %v, %4 : {whole}
        %6 = stablehlo.divide %v, %2 : {whole}
        %7 = stablehlo.compare NE, %5, %3 : ({whole}, {whole}) -> {flags}
        %8 = stablehlo.select %7, %v, %6 : {flags}, {whole}
        %j = stablehlo.add %i, %step : tensor<i32>
        stablehlo.return %j, %8 : tensor<i32>, {whole}
      }}
      return %r#1 : {whole}
    }}"""


@pytest.mark.parametrize("size", [1, 40, 3000])
@pytest.mark.parametrize("type", ["i8", "ui8", "i16", "i32", "ui32", "i64"])
def test_a_loop_divides_by_a_known_number(type: str, size: int) -> None:
    loaded = hlo2tiny.load(program(type, size), "CPU")
    for loop in (step for step in loaded.plan.main.steps if isinstance(step, While)):
        assert not loop.captures  # no number is computed before the loop
    for step in loaded.plan.kernels():
        for kernel in render_region(step).kernels:
            assert not re.search(r"[/%] ?\(*(alu|val|cast)", kernel.body), kernel.body
    x = (np.arange(size) * 49 % 251).astype(loaded.inputs[0].dtype)
    expected = x.copy()
    for _ in range(3):
        expected = np.where(np.fmod(expected, 7) != 0, expected, np.trunc(expected / 7).astype(x.dtype))
    (found,) = loaded.numpy(x)
    np.testing.assert_array_equal(found, expected)


@pytest.mark.parametrize("op", ["add", "maximum"])
@pytest.mark.parametrize("shape", [(0,), (0, 1), (0, 3), (3, 0), (1, 0, 2)])
@pytest.mark.parametrize("given", [False, True])
def test_known_numbers_without_elements(shape: tuple[int, ...], op: str, given: bool) -> None:
    """Neither a sum of none nor what is computed of none needs memory."""
    whole = f"tensor<{'x'.join(map(str, shape))}xi32>"
    for axis in range(len(shape)):
        kept = shape[:axis] + shape[axis + 1 :]
        sums = f"tensor<{''.join(f'{size}x' for size in kept)}i32>"
        loaded = hlo2tiny.load(
            f"""func.func @main(%x: {whole}) -> ({sums}, {sums}, {whole}) {{
              %seven = stablehlo.constant dense<7> : tensor<i32>
              %0 = stablehlo.broadcast_in_dim %seven, dims = [] : (tensor<i32>) -> {whole}
              %1 = stablehlo.iota dim = {axis} : {whole}
              %2 = stablehlo.add %0, {"%x" if given else "%1"} : {whole}
              %3 = stablehlo.reduce(%2 init: %seven) applies stablehlo.{op} across dimensions = [{axis}] : (
                {whole}, tensor<i32>) -> {sums}
              %4 = stablehlo.reduce(%0 init: %seven) applies stablehlo.{op} across dimensions = [{axis}] : (
                {whole}, tensor<i32>) -> {sums}
              return %3, %4, %2 : {sums}, {sums}, {whole}
            }}""",
            "CPU",
        )
        *found, same = loaded.numpy(np.zeros(shape, np.int32))
        for result in found:
            np.testing.assert_array_equal(result, np.full(kept, 7, np.int32))
        assert same.shape == shape


@pytest.mark.parametrize("begin", [-7, 0, 3, 15, 100])
def test_slices_that_begin_at_known_numbers_are_read_where_they_lie(begin: int) -> None:
    text = f"""func.func @main(%x: tensor<20x4xf32>) -> tensor<5x3xf32> {{
      %begin = stablehlo.constant dense<{begin}> : tensor<i32>
      %one = stablehlo.constant dense<1> : tensor<i32>
      %0 = stablehlo.dynamic_slice %x, %begin, %one, sizes = [5, 3]
        : (tensor<20x4xf32>, tensor<i32>, tensor<i32>) -> tensor<5x3xf32>
      %1 = stablehlo.dynamic_slice %x, %one, %begin, sizes = [5, 3]
        : (tensor<20x4xf32>, tensor<i32>, tensor<i32>) -> tensor<5x3xf32>
      %2 = stablehlo.subtract %0, %1 : tensor<5x3xf32>
      return %2 : tensor<5x3xf32>
    }}"""
    loaded = hlo2tiny.load(text, "CPU")
    (step,) = loaded.plan.kernels()
    assert len(render_region(step).kernels) == 1
    x = np.arange(80, dtype=np.float32).reshape(20, 4) ** 2
    first, second = min(max(begin, 0), 15), min(max(begin, 0), 1)
    np.testing.assert_array_equal(loaded.numpy(x)[0], x[first : first + 5, 1:] - x[1:6, second : second + 3])
