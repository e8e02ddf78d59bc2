"""Loops whose iterations threads run independently, each on a slice."""

from __future__ import annotations

import numpy as np
import pytest

import hlo2tiny
from hlo2tiny.program import Program
from hlo2tiny.targets.c import iterations
from hlo2tiny.targets.c.native import render_plan

ROWS, COLUMNS = 200, 300

# Iterations over an image and counts, with a number that changes, one of each kind that stays, and the given step.
LOOP = """
!t = tensor<200x300xf32>
!c = tensor<200x300xi32>
func.func @main(%x: !t, %y: !t, %n: tensor<i32>) -> (!t, !c, tensor<f32>, tensor<i32>) {{
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %none = stablehlo.constant dense<0> : !c
  %half = stablehlo.constant dense<0.5> : tensor<f32>
  %i, %s, %a, %c, %b = stablehlo.while(%k = %zero, %f = %half, %p = %x, %q = %none, %r = %y)
      : tensor<i32>, tensor<f32>, !t, !c, !t
  cond {{
    %less = stablehlo.compare LT, %k, %n : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %less : tensor<i1>
  }} do {{
    %k1 = stablehlo.add %k, %one : tensor<i32>
    %f1 = stablehlo.multiply %f, %half : tensor<f32>
    %fs = stablehlo.broadcast_in_dim %f, dims = [] : (tensor<f32>) -> !t
    %m = stablehlo.multiply %p, %r : !t
    %step = {step}
    %p1 = stablehlo.add %step, %fs : !t
    %positive = stablehlo.compare GT, %p1, %x : (!t, !t) -> tensor<200x300xi1>
    %as = stablehlo.convert %positive : (tensor<200x300xi1>) -> !c
    %q1 = stablehlo.add %q, %as : !c
    stablehlo.return %k1, %f1, %p1, %q1, %r : tensor<i32>, tensor<f32>, !t, !c, !t
  }}
  return %a, %c, %s, %i : !t, !c, tensor<f32>, tensor<i32>
}}
"""
APART = "stablehlo.subtract %m, %x : !t"
ROLLED = "stablehlo.concatenate %m1, %m0, dim = 0 : (tensor<1x300xf32>, tensor<199x300xf32>) -> !t"
SLICES = """
    %m1 = stablehlo.slice %m [199:200, 0:300] : (!t) -> tensor<1x300xf32>
    %m0 = stablehlo.slice %m [0:199, 0:300] : (!t) -> tensor<199x300xf32>
"""
TURNED = "stablehlo.reverse %m, dims = [0] : !t"


def text_of(step: str) -> str:
    text = LOOP.format(step=step)
    return text.replace("    %step =", f"{SLICES}    %step =") if step == ROLLED else text


def runs_in_parts(program: Program) -> bool:
    return "run_iterations(k, &iterations" in render_plan(program.plan, lambda *_: None, 2).driver


def expected(step: str, x: np.ndarray, y: np.ndarray, n: int) -> tuple[np.ndarray, np.ndarray, np.ndarray, int]:
    change = {
        APART: lambda m: m - x,
        ROLLED: lambda m: np.roll(m, 1, 0),
        TURNED: lambda m: m[::-1],
    }[step]
    p, q, f = x, np.zeros(x.shape, np.int32), np.float32(0.5)
    for _ in range(n):
        p = change(p * y) + f
        f, q = f * np.float32(0.5), q + (p > x)
    return p, q, f, n


@pytest.mark.parametrize("step", [APART, ROLLED, TURNED], ids=["apart", "rolled", "turned"])
def test_all_iterations_run_for_a_part_of_the_elements(step: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where no part needs what another computes; some iterations at once, then the driver checks for signals."""
    monkeypatch.setattr(iterations, "MOST_WORK", 7_000_000)
    rng = np.random.default_rng(0)
    x, y = rng.uniform(-1, 1, (2, ROWS, COLUMNS)).astype(np.float32)
    for threads in (1, 2, 3):
        program = hlo2tiny.load(text_of(step), device="CPU", threads=threads)
        assert runs_in_parts(program) == (step == APART)
        for n in (0, 1, 2, 40, 41):
            found = program.numpy(x, y, np.int32(n))
            for result, wanted in zip(found, expected(step, x, y, n), strict=True):
                np.testing.assert_array_equal(result, wanted)


def test_threads_that_share_a_row_need_all_of_it() -> None:
    """Of a matrix with few rows, an iteration that threads share is an element."""
    text = """
!t = tensor<4x15000xf32>
func.func @main(%x: !t, %n: tensor<i32>) -> !t {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %i, %a = stablehlo.while(%k = %zero, %p = %x) : tensor<i32>, !t
  cond {
    %less = stablehlo.compare LT, %k, %n : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %less : tensor<i1>
  } do {
    %k1 = stablehlo.add %k, %one : tensor<i32>
    %turned = stablehlo.reverse %p, dims = [1] : !t
    %p1 = stablehlo.subtract %turned, %x : !t
    stablehlo.return %k1, %p1 : tensor<i32>, !t
  }
  return %a : !t
}
"""
    x = p = np.random.default_rng(0).uniform(-1, 1, (4, 15_000)).astype(np.float32)
    for _ in range(41):
        p = p[:, ::-1] - x
    for threads in (1, 2, 3):
        program = hlo2tiny.load(text, device="CPU", threads=threads)
        assert not runs_in_parts(program)
        np.testing.assert_array_equal(program.numpy(x, np.int32(41))[0], p)


def test_a_loop_that_depends_on_all_elements_does_not_run_in_parts() -> None:
    text = """
!t = tensor<200x300xf32>
func.func @main(%x: !t) -> !t {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %limit = stablehlo.constant dense<1000.0> : tensor<f32>
  %a = stablehlo.while(%p = %x) : !t
  cond {
    %sum = stablehlo.reduce(%p init: %zero) applies stablehlo.maximum across dimensions = [0, 1]
        : (!t, tensor<f32>) -> tensor<f32>
    %less = stablehlo.compare LT, %sum, %limit : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %less : tensor<i1>
  } do {
    %p1 = stablehlo.add %p, %p : !t
    %p2 = stablehlo.multiply %p1, %x : !t
    %p3 = stablehlo.add %p2, %p1 : !t
    stablehlo.return %p3 : !t
  }
  return %a : !t
}
"""
    x = np.random.default_rng(0).uniform(0, 1, (ROWS, COLUMNS)).astype(np.float32)
    program = hlo2tiny.load(text, device="CPU")
    assert not runs_in_parts(program)
    p = x
    while p.max() < 1000:
        p = (p + p) * x + (p + p)
    np.testing.assert_array_equal(program.numpy(x)[0], p)


@pytest.mark.parametrize(("rows", "call"), [(100, "run_alone(k, kernel0,"), (1000, "run_parts(k, kernel0,")])
def test_threads_share_no_little_work(rows: int, call: str) -> None:
    array = f"tensor<{rows}x1000xf32>"
    text = f"func.func @main(%x: {array}) -> {array} {{ %0 = stablehlo.negate %x : {array} return %0 : {array} }}"
    program = hlo2tiny.load(text, "CPU", threads=2)
    driver = render_plan(program.plan, lambda *_: None, 2).driver
    assert call in driver
    x = np.arange(rows * 1000, dtype=np.float32).reshape(rows, 1000)
    np.testing.assert_array_equal(program.numpy(x)[0], -x)
