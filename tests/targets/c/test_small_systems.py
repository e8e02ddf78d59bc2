"""Triangular systems of few equations, which the program solves itself: a call of BLAS takes longer."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest

import hlo2tiny
from hlo2tiny.plan.plan import Lapack
from hlo2tiny.targets.c.lapack import FEW_EQUATIONS, call_of_item

TRANSPOSES = ("NO_TRANSPOSE", "TRANSPOSE", "ADJOINT")
KINDS = {"f32": np.float32, "f64": np.float64}


def program(size: int, sides: int, kind: str, lower: bool, unit: bool, transpose: str, left: bool = True) -> str:
    a, b = f"tensor<5x{size}x{size}x{kind}>", f"tensor<5x{size}x{sides}x{kind}>"
    b = b if left else f"tensor<5x{sides}x{size}x{kind}>"
    return f"""func.func @main(%a: {a}, %b: {b}) -> {b} {{
  %0 = "stablehlo.triangular_solve"(%a, %b) <{{left_side = {str(left).lower()}, lower = {str(lower).lower()},
    unit_diagonal = {str(unit).lower()}, transpose_a = #stablehlo<transpose {transpose}>}}> : ({a}, {b}) -> {b}
  return %0 : {b}
}}"""


@pytest.mark.parametrize("size", [1, 2, 5, FEW_EQUATIONS])
@pytest.mark.parametrize("sides", [1, 3, 40])
@pytest.mark.parametrize("kind", KINDS)
def test_every_form(size: int, sides: int, kind: str) -> None:
    random = np.random.default_rng(size)
    a = (random.standard_normal((5, size, size)) + 4 * np.eye(size)).astype(KINDS[kind])
    b = random.standard_normal((5, size, sides)).astype(KINDS[kind])
    for lower, unit, transpose in product((False, True), (False, True), TRANSPOSES):
        triangle = np.tril(a) if lower else np.triu(a)
        if unit:
            triangle = triangle * (1 - np.eye(size)) + np.eye(size)
        matrix = triangle if transpose == "NO_TRANSPOSE" else triangle.swapaxes(1, 2)
        (found,) = hlo2tiny.load(program(size, sides, kind, lower, unit, transpose), "CPU").numpy(a, b)
        residue = matrix @ found.astype(np.float64) - b
        largest = np.abs(matrix).max() * np.abs(found).max() * size
        assert np.abs(residue).max() <= 4 * np.finfo(KINDS[kind]).eps * largest, (lower, unit, transpose)


@pytest.mark.parametrize(("size", "left", "own"), [(FEW_EQUATIONS, True, True), (9, True, False), (4, False, False)])
def test_larger_ones_are_calls_of_blas(size: int, left: bool, own: bool) -> None:
    loaded = hlo2tiny.load(program(size, 3, "f32", True, False, "NO_TRANSPOSE", left), "CPU")
    (step,) = (step for step in loaded.plan.main.steps if isinstance(step, Lapack))
    (call,) = step.procedure.calls
    assert ("solve_float(" in call_of_item(call, {"strsm_": 0})) is own
