"""Elementary functions: special values and ends of intervals in all float types, and the special cases of IEEE 754.

How exact they are between those is test_accuracy.py's matter.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any

import mpmath
import numpy as np
import pytest
from accuracy import FUNCTIONS as EXACT

import hlo2tiny
from hlo2tiny.program import Program
from hlo2tiny.rules.functions import FUNCTIONS

from .cases import case, new_tests
from .mlir import Call, module_text
from .numbers import FLOATS, bf16, crossed, expect_equal, f16, f32, f64, i8, i32, i64, special, type_of, u8, u64
from .test_elementwise import by_type, drawn, exactly, in_f64, row

ENDS = np.array(
    [-1, -0.999, -0.3, -1e-5, -1e-20, 0, 1e-20, 1e-5, 0.01, 0.3, 0.5, 0.75, 0.9, 0.999, 1, 1.001, 2, 5, 20, 80]
)
# The ends of the ranges of exp, sinh and erfc, and arguments that need all bits of 2/π.
FAR = np.array([-745.2, -708.5, -104, -88, -20, 9, 26.5, 88.8, 104, 709.8, 710.5, 1e6, 1e22, 2.0**62, 1e38, 1e300])


def curve(op: str, function: Callable[..., Any], tol: float = 1, count: int = 1, **rest: Any) -> None:
    """`tol` is in units of the last place; test_accuracy.py looks closer."""
    numbers = np.concatenate([ENDS, FAR]) if count == 1 else ENDS
    with np.errstate(over="ignore"):
        lists = [x.astype(t) for t in FLOATS for x in (special(t), numbers)]
    row(op, count, in_f64(function), FLOATS, tol, examples=[Call(crossed(*[x] * count)) for x in lists], **rest)


def logistic(x: np.ndarray) -> np.ndarray:
    return np.where(x < 0, np.exp(x) / (1 + np.exp(x)), 1 / (1 + np.exp(-x)))


def by_mpmath(op: str) -> Callable[..., Any]:
    """What numpy does not have in a longer type than float64."""

    def one(x: np.floating[Any]) -> np.longdouble:
        value = mpmath.nan if math.isnan(x) else EXACT[op].exact(mpmath.mpf(float(x)))
        return np.longdouble(math.copysign(0, x) if value == 0 else mpmath.nstr(value, 25))

    return np.vectorize(one, otypes=[np.longdouble])


def has_size(least: float, most: float) -> Callable[[Call], bool]:
    """Whether a call has numbers of sizes between two."""
    return lambda call: bool(np.any([(np.abs(x.astype(f64)) >= least) & (np.abs(x) <= most) for x in call.operands]))


TINY = {"xla": ("its asin of the smallest normal numbers is zero", has_size(1e-308, 2e-38))}
NEAR_OVERFLOW = {"xla": ("its sinh and cosh are 500 ULP off near overflow", has_size(700, 720))}
LARGE_EXPONENT = {
    "xla": (
        "it ends before the upper bits of large exponents",
        lambda call: call.operands[1].dtype.kind in "iu" and bool(np.any(call.operands[1] > 127)),
    )
}
curve("stablehlo.atan2", np.arctan2, count=2)
curve("stablehlo.cbrt", np.cbrt)
curve("stablehlo.cosine", np.cos)
curve("stablehlo.exponential", np.exp)
curve("stablehlo.exponential_minus_one", np.expm1)
curve("stablehlo.log", np.log)
curve("stablehlo.log_plus_one", np.log1p)
curve("stablehlo.logistic", logistic, tol=2)
curve("stablehlo.rsqrt", lambda x: 1 / np.sqrt(x))
curve("stablehlo.sine", np.sin)
curve("stablehlo.sqrt", lambda x: np.sqrt(x.astype(f64)), tol=0)
curve("stablehlo.tan", np.tan, tol=2)
curve("stablehlo.tanh", np.tanh)
curve("chlo.acos", np.arccos)
curve("chlo.acosh", np.arccosh, tol=2)
curve("chlo.asin", np.arcsin, disagree=TINY)
curve("chlo.asinh", np.arcsinh)
curve("chlo.atan", np.arctan)
curve("chlo.atanh", np.arctanh)
curve("chlo.cosh", np.cosh, disagree=NEAR_OVERFLOW)
curve("chlo.erf", by_mpmath("chlo.erf"), tol=1)
curve("chlo.erf_inv", by_mpmath("chlo.erf_inv"), tol=3)
curve("chlo.erfc", by_mpmath("chlo.erfc"), tol=2)
curve("chlo.sinh", np.sinh, disagree=NEAR_OVERFLOW)
curve("chlo.tan", np.tan, tol=2)

# ---------------------------------------------------------------- power


def integer_power(a: int, b: int) -> int:
    if b < 0:
        return 1 if a == 1 else (-1) ** (b % 2) if a == -1 else 0
    return pow(a, b, 2**64)


def powers(dtype: np.dtype) -> Sequence[Call]:
    """All pairs of special values, odd and even integers up to the last odd one among them."""
    most = 2.0 ** (np.finfo(dtype).nmant + 1) if dtype in (f32, f64) else 2.0**7
    whole = [3, 4, most - 1, most, 1 - most, -3, -4, -0.5, 1 + 2.0**-7]
    numbers = np.concatenate([special(dtype), np.array(whole, dtype)])
    return [Call(crossed(numbers, numbers))]


case(
    "stablehlo.power",
    draw=drawn(2, (*FLOATS, i32, u8, i64)),
    ref=by_type(in_f64(np.power), exactly(integer_power)),
    tol=1,
    disagree=LARGE_EXPONENT,
    examples=[
        *(call for dtype in (f32, f64, bf16, f16) for call in powers(dtype)),
        *(Call(crossed(special(dtype), special(dtype))) for dtype in (i8, i32, i64, u8, u64)),
        Call([np.array([math.e, 0.5, 10, 1 - 2.0**-53, 1 + 2.0**-52]), np.array([709.7, 1074, -323, 2.0**62, 1e18])]),
    ],
    errors=[(Call([np.zeros(2, f32)] * 3, results="tensor<2xf32>"), "has 3 operands, expected 2")],
)

test_drawn, test_examples, test_errors = new_tests(2)


SLOW_TO_BUILD = ("chlo.bessel_i1e", "chlo.digamma", "chlo.lgamma", "chlo.polygamma", "chlo.zeta")


def all_functions(argument: str, constant: str) -> str:
    """A module that gives every function of %x, an argument or a constant."""
    type = "tensor<3xf32>"
    lines = []
    for number, op in enumerate(op for op in FUNCTIONS if op not in SLOW_TO_BUILD):
        count = 2 if op in ("stablehlo.atan2", "stablehlo.power") else 1
        operands, types = ", ".join(["%x"] * count), ", ".join([type] * count)
        lines.append(f'  %{number} = "{op}"({operands}) : ({types}) -> {type}')
    types = ", ".join([type] * len(lines))
    returned = ", ".join(f"%{number}" for number in range(len(lines)))
    body = "\n".join([constant, *lines, f"  return {returned} : {types}"])
    return f"func.func @main({argument}) -> ({types}) {{\n{body}\n}}"


@pytest.mark.sampled(3)
@pytest.mark.parametrize("number", [1.0, 3.7, -0.0, math.inf, math.nan])
def test_constants(number: float) -> None:
    """Functions of constants, which tinygrad folds, are those of variables."""
    x = np.full(3, number, f32)
    constant = f"  %x = stablehlo.constant dense<0x{x.view(np.uint32)[0]:08X}> : tensor<3xf32>"
    folded = Program(hlo2tiny.parse(all_functions("", constant)), "CPU").numpy()
    expect_equal(folded, Program(hlo2tiny.parse(all_functions("%x: tensor<3xf32>", "")), "CPU").numpy(x))


@pytest.mark.sampled(3)
@pytest.mark.parametrize("executor", ["", "tinygrad"])
@pytest.mark.parametrize("dtype", [f32, f64], ids=str)
def test_constant_exponents(dtype: np.dtype, executor: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """A power with a constant exponent is that with a variable one; zeros, infinities and NaN are exactly the same."""
    monkeypatch.setenv("HLO2TINY_EXECUTOR", executor)
    x = np.concatenate([special(dtype), np.array([-0.5, -2, 7, 0.1], dtype)])
    exponents = np.array([-8.5, -3, -2, -1.5, -1, -0.5, 0, 0.5, 1, 1.5, 2, 3.5, 5, 0.25, -math.inf, math.nan], dtype)
    type = type_of(x)
    lines = []
    for i, y in enumerate(exponents):
        bits = y.tobytes()[::-1].hex().upper()
        lines.append(
            f"  %c{i} = stablehlo.constant dense<0x{bits}> : {type}\n  %r{i} = stablehlo.power %x, %c{i} : {type}"
        )
    names, types = ", ".join(f"%r{i}" for i in range(len(exponents))), ", ".join([type] * len(exponents))
    text = "\n".join([f"func.func @main(%x: {type}) -> ({types}) {{", *lines, f"  return {names} : {types}\n}}"])
    got = np.stack(Program(hlo2tiny.parse(text), "CPU").numpy(x))
    operands = crossed(exponents, x)[::-1]
    call = module_text("stablehlo.power", [Call(operands)], [[type_of(operands[0])]])
    (expected,) = Program(hlo2tiny.parse(call), "CPU").numpy(*operands)
    expect_equal([got.reshape(-1)], [expected], tol=4 if dtype == f64 else 2)
    ends = ~np.isfinite(expected.astype(f64)) | (expected == 0)
    expect_equal([got.reshape(-1)[ends]], [expected[ends]])
