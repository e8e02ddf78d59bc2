"""What is computed of known integers is a number when kernels are made, also inside of loops and branches."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from jax import export

import hlo2tiny
from hlo2tiny.plan import build
from hlo2tiny.plan.plan import Attention, Kernels, While
from hlo2tiny.specialise.precision import spell_out_algorithms
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


X = np.random.default_rng(0).random((5, 7)) > 0.5
TRUE, FALSE = np.ones((3, 5, 7), bool), np.zeros((3, 5, 7), bool)
# What is a condition itself, repeated; and what is not.
KEPT: dict[str, Callable[[Any, Any, Any], Any]] = {
    "and": lambda x, t, f: t & x,
    "or": lambda x, t, f: x | f,
    "xor": lambda x, t, f: f ^ x,
    "equal": lambda x, t, f: x == t,
    "different": lambda x, t, f: x != f,
    "chosen": lambda x, t, f: jnp.where(x, t, f),
    "both": lambda x, t, f: (x & t) | (f & t),
}
OTHERS: dict[str, Callable[[Any, Any, Any], Any]] = {
    "not": lambda x, t, f: x ^ t,
    "chosen the other way": lambda x, t, f: jnp.where(x, f, t),
    "never": lambda x, t, f: x & f,
}


def text_of(function: Callable[..., Any], *arrays: Any) -> str:
    return str(export.export(jax.jit(function))(*arrays).mlir_module())


@pytest.mark.parametrize("name", [*KEPT, *OTHERS])
def test_a_condition_is_kept(name: str) -> None:
    """What known conditions leave of another one is that one."""
    function = (KEPT | OTHERS)[name]

    def program(x: Any) -> Any:
        return function(jnp.broadcast_to(x, (3, 5, 7)), jnp.full((3, 5, 7), True), jnp.full((3, 5, 7), False))

    text = text_of(program, X)
    (found,) = hlo2tiny.load(text, "CPU").numpy(X)
    np.testing.assert_array_equal(found, np.asarray(program(X)))
    plan = build(hlo2tiny.parse(text))
    names = {op.name for s in plan.main.steps if isinstance(s, Kernels) for op in s.ops}
    moves = {"stablehlo.broadcast_in_dim", "stablehlo.constant", "stablehlo.reshape"}
    assert (names <= moves) is (name in KEPT)


@pytest.mark.parametrize("shared", [1, 4])
def test_the_mask_of_causal_attention_is_one_for_all_heads(shared: int) -> None:
    q = np.zeros((2, 64, 4, 32), jnp.bfloat16)
    k = np.zeros((2, 64, 4 // shared, 32), jnp.bfloat16)
    text = text_of(lambda q, k, v: jax.nn.dot_product_attention(q, k, v, is_causal=True), q, k, k)
    module = spell_out_algorithms(hlo2tiny.parse(text))
    steps = build(module, products=True, attention=True).main.steps
    (heads,) = (s.heads for s in steps if isinstance(s, Attention))
    (strides,) = (c.strides for c in heads.changes if c.strides is not None)
    assert sum(stride != 0 for stride in strides) == 2


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
