"""Long running folds are folds of blocks: as exact as sums of few terms, and the same for each form of window."""

from __future__ import annotations

import numpy as np
import pytest

import hlo2tiny
from hlo2tiny.rules.folds import BLOCK, LONG

ADD = "%r = stablehlo.add %a, %b : tensor<T>"
LOGADDEXP = """%m = stablehlo.maximum %a, %b : tensor<T>
  %d = stablehlo.subtract %a, %b : tensor<T>
  %s = stablehlo.abs %d : tensor<T>
  %n = stablehlo.negate %s : tensor<T>
  %e = stablehlo.exponential %n : tensor<T>
  %l = stablehlo.log_plus_one %e : tensor<T>
  %r = stablehlo.add %m, %l : tensor<T>"""


def running(
    shape: tuple[int, ...], axis: int, body: str, element: str, initial: str, low: int, high: int, window: int = 0
) -> str:
    result = [size + low + high - (window or size) + 1 if d == axis else size for d, size in enumerate(shape)]
    windows = [window or size if d == axis else 1 for d, size in enumerate(shape)]
    padding = [[low, high] if d == axis else [0, 0] for d in range(len(shape))]
    x, y = (f"tensor<{'x'.join(map(str, [*sizes, element]))}>" for sizes in (shape, result))
    return f"""func.func @main(%x: {x}) -> {y} {{
  %c = stablehlo.constant dense<{initial}> : tensor<{element}>
  %0 = "stablehlo.reduce_window"(%x, %c) <{{padding = dense<{padding}> : tensor<{len(shape)}x2xi64>,
    window_dimensions = array<i64: {", ".join(map(str, windows))}>}}> ({{
  ^bb0(%a: tensor<{element}>, %b: tensor<{element}>):
  {body.replace("<T>", f"<{element}>")}
  stablehlo.return %r : tensor<{element}>
  }}) : ({x}, tensor<{element}>) -> {y}
  return %0 : {y}
}}"""


@pytest.mark.parametrize("reverse", [False, True])
@pytest.mark.parametrize("name", ["sum", "logsumexp"])
def test_long_folds_are_exact(name: str, reverse: bool) -> None:
    """One term after the other, the increments of 2^21 terms fall below half a unit in the last place."""
    n = 1 << 21
    x = np.random.default_rng(0).random(n, np.float32)
    padding = (0, n - 1) if reverse else (n - 1, 0)
    body, initial = (ADD, "0.0") if name == "sum" else (LOGADDEXP, "0xFF800000")
    (found,) = hlo2tiny.load(running((n,), 0, body, "f32", initial, *padding), device="CPU").numpy(x)
    wide = x.astype(np.float64)[:: -1 if reverse else 1]
    exact = (np.cumsum(wide) if name == "sum" else np.log(np.cumsum(np.exp(wide))))[:: -1 if reverse else 1]
    assert np.max(np.abs(found - exact) / np.maximum(1, np.abs(exact))) < 2e-6


SIZES = [LONG, LONG + 1, 2 * LONG - 1, 3 * BLOCK * BLOCK + 5, LONG * BLOCK + 3]


@pytest.mark.sampled(2)
@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize(("low", "high"), [(-1, 0), (0, -1), (0, 0), (2, -3), (3, 4)])
def test_each_form_of_window(size: int, low: int, high: int) -> None:
    """`low` and `high` are how many elements of padding there are beyond what a running fold has."""
    x = np.random.default_rng(0).integers(-50, 50, size).astype(np.int32)
    for reverse in (False, True):
        before, after = size + low, max(0, high)
        padding = (after, before) if reverse else (before, after)
        window = size + after
        (found,) = hlo2tiny.load(running((size,), 0, ADD, "i32", "7", *padding, window=window), device="CPU").numpy(x)
        along = x[::-1] if reverse else x
        padded = np.concatenate([np.zeros(before, int), along, np.zeros(after, int)])
        sums = np.concatenate([[0], np.cumsum(padded)])
        expected = 7 + sums[window:] - sums[:-window]
        np.testing.assert_array_equal(found, expected[::-1] if reverse else expected)


@pytest.mark.parametrize(("shape", "axis"), [((3, LONG + 9), 1), ((LONG + 9, 3), 0), ((2, LONG + 9, 5), 1)])
@pytest.mark.parametrize(("element", "dtype"), [("f64", np.float64), ("complex<f32>", np.complex64), ("i8", np.int8)])
def test_any_dimension_and_type(shape: tuple[int, ...], axis: int, element: str, dtype: type) -> None:
    x = np.random.default_rng(0).integers(-3, 4, shape).astype(dtype)
    initial = {"f64": "0.0", "complex<f32>": "(0.0, 0.0)", "i8": "0"}[element]
    text = running(shape, axis, ADD, element, initial, shape[axis] - 1, 0)
    results = [hlo2tiny.load(text, device="CPU", threads=threads).numpy(x)[0] for threads in (1, 2, 3)]
    for found in results:
        np.testing.assert_array_equal(found, np.cumsum(x, axis, dtype=dtype))


def test_terms_keep_their_order() -> None:
    """A function that is associative but not commutative: the last term that is not 0."""
    body = """%z = stablehlo.constant dense<0> : tensor<T>
  %n = stablehlo.compare NE, %b, %z : (tensor<T>, tensor<T>) -> tensor<i1>
  %r = stablehlo.select %n, %b, %a : tensor<i1>, tensor<T>"""
    size = 2 * LONG + 77
    x = np.where(np.arange(size) % 300 == 299, np.arange(size), 0).astype(np.int32)
    (found,) = hlo2tiny.load(running((size,), 0, body, "i32", "0", size - 1, 0), device="CPU").numpy(x)
    np.testing.assert_array_equal(found, np.maximum.accumulate(x))
