"""Long reductions by any associative function are computed in parts on CPUs, which threads share, in order."""

from __future__ import annotations

import numpy as np
import pytest

import hlo2tiny
from hlo2tiny.targets.c.render import render_region

ARGMAX = """%n = stablehlo.compare NE, %a, %a : (tensor<T>, tensor<T>) -> tensor<i1>
  %g = stablehlo.compare GT, %a, %b : (tensor<T>, tensor<T>) -> tensor<i1>
  %o = stablehlo.or %g, %n : tensor<i1>
  %e = stablehlo.compare EQ, %a, %b : (tensor<T>, tensor<T>) -> tensor<i1>
  %l = stablehlo.compare LT, %i, %j : (tensor<i32>, tensor<i32>) -> tensor<i1>
  %s = stablehlo.and %e, %l : tensor<i1>
  %t = stablehlo.or %o, %s : tensor<i1>
  %v = stablehlo.select %o, %a, %b : tensor<i1>, tensor<T>
  %p = stablehlo.select %t, %i, %j : tensor<i1>, tensor<i32>
  stablehlo.return %v, %p : tensor<T>, tensor<i32>"""
# Associative, but not commutative: the last number that is not 0, and its place.
LAST = """%z = stablehlo.constant dense<0.0> : tensor<T>
  %n = stablehlo.compare NE, %b, %z : (tensor<T>, tensor<T>) -> tensor<i1>
  %v = stablehlo.select %n, %b, %a : tensor<i1>, tensor<T>
  %p = stablehlo.select %n, %j, %i : tensor<i1>, tensor<i32>
  stablehlo.return %v, %p : tensor<T>, tensor<i32>"""


def reduction(shape: tuple[int, ...], axes: tuple[int, ...], counted: int, body: str, initial: str) -> str:
    kept = [size for d, size in enumerate(shape) if d not in axes]
    x, i, y, j = (
        f"tensor<{'x'.join(map(str, [*sizes, element]))}>" for sizes in (shape, kept) for element in ("f32", "i32")
    )
    return f"""func.func @main(%x: {x}) -> ({y}, {j}) {{
  %k = stablehlo.iota dim = {counted} : {i}
  %least = stablehlo.constant dense<{initial}> : tensor<f32>
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %r:2 = "stablehlo.reduce"(%x, %k, %least, %zero) <{{dimensions = array<i64: {", ".join(map(str, axes))}>}}> ({{
  ^bb0(%a: tensor<f32>, %i: tensor<i32>, %b: tensor<f32>, %j: tensor<i32>):
  {body.replace("<T>", "<f32>")}
  }}) : ({x}, {i}, tensor<f32>, tensor<i32>) -> ({y}, {j})
  return %r#0, %r#1 : {y}, {j}
}}"""


@pytest.mark.parametrize(
    ("shape", "axis"), [((1 << 16,), 0), ((100_003,), 0), ((3, 70_001), 1), ((70_001, 3), 0), ((2, 65_537, 3), 1)]
)
def test_argmax_of_many_numbers(shape: tuple[int, ...], axis: int) -> None:
    generator = np.random.default_rng(0)
    x = generator.integers(0, 1000, shape).astype(np.float32)  # with ties
    text = reduction(shape, (axis,), axis, ARGMAX, "0xFF800000")
    kernels = [k for s in hlo2tiny.load(text, "CPU").plan.kernels() for k in render_region(s).kernels]
    assert kernels[0].shared_iterations >= 64 and kernels[0].facts.name == "fold_parts"
    for _ in range(2):
        results = [hlo2tiny.load(text, "CPU", threads=threads).numpy(x) for threads in (1, 3)]
        for values, places in results:
            np.testing.assert_array_equal(values, x.max(axis))
            np.testing.assert_array_equal(places, np.argmax(x, axis))
        x.reshape(-1)[x.size // 2 :: x.size // 3] = np.nan


@pytest.mark.parametrize(("shape", "axes"), [((200_001,), (0,)), ((300, 400), (0, 1)), ((5, 7, 4001), (1, 2))])
def test_parts_keep_their_order(shape: tuple[int, ...], axes: tuple[int, ...]) -> None:
    x = np.random.default_rng(0).integers(1, 1000, shape).astype(np.float32)
    x *= np.random.default_rng(1).random(shape) < 1e-4
    counted = len(shape) - 1
    values, places = hlo2tiny.load(reduction(shape, axes, counted, LAST, "0.0"), "CPU").numpy(x)
    rows = x.reshape(*(size for d, size in enumerate(shape) if d not in axes), -1)
    last = rows.shape[-1] - 1 - np.argmax(rows[..., ::-1] != 0, -1)
    found = np.take_along_axis(rows, last[..., None], -1)[..., 0]
    np.testing.assert_array_equal(values, found)
    np.testing.assert_array_equal(places, np.where(found != 0, last % shape[-1], 0))
