"""Prints the largest errors of the elementary functions, ours and XLA's: `python tests/accuracy.py [op …]`.

An error is in units of the last place (ULP) of the exact value, which is mpmath's: 0.5 is a correctly rounded result.
The points are drawn from all exponents, from the interval where the function bends, and around its zeros, poles and
ends, down to the neighbouring numbers. Where mpmath would take too long, `--whole` compares float32 with our float64 on
the CPU instead, on as many points again that are drawn from all the numbers there are.

"C" is the CPU's own target. "formulas" are those of every other target, which compute float32 in float32: by tinygrad's
kernels on the CPU, or on the device that `--device` names, such as CUDA or PYTHON.
"""

from __future__ import annotations

import argparse
import math
import os
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import mpmath
import numpy as np
import oracles
from mpmath import mp, mpf
from rules.mlir import Call, module_text
from rules.numbers import f32, f64, type_of

import hlo2tiny
from hlo2tiny.program import Program

Generator = np.random.Generator
MOST_ELSEWHERE = 2
Draw = Callable[[Generator, int, np.dtype], list[np.ndarray]]
mp.prec = 140


@dataclass(frozen=True)
class Function:
    """A function of real numbers: its exact value by mpmath, where to test it, and the errors that are allowed.

    `most` is in ULP, of f32 and of f64. f32 is evaluated in f64 and rounded once, or in f32 by targets/c/elementary.c.
    """

    exact: Callable[..., Any]
    draw: Draw
    most: tuple[float, float] = (0.51, 4)


# ---------------------------------------------------------------- points


def all_exponents(rng: Generator, count: int, dtype: np.dtype) -> np.ndarray:
    """Numbers of both signs with exponents from the smallest subnormal number to the largest finite one."""
    limits = np.finfo(dtype)
    exponents = np.linspace(limits.minexp - limits.nmant, limits.maxexp, count, endpoint=False).astype(int)
    return (np.ldexp(rng.uniform(1, 2, count), exponents) * rng.choice([-1, 1], count)).astype(dtype)


def around(rng: Generator, count: int, dtype: np.dtype, centres: Sequence[float]) -> np.ndarray:
    """The numbers themselves, their neighbours, and numbers at all relative distances."""
    centre = np.asarray(rng.permutation(np.resize(np.asarray(centres, f64), count)))
    distance = np.exp2(-rng.uniform(1, np.finfo(dtype).nmant + 3, count)) * rng.choice([-1, 0, 1], count)
    limit = float(np.finfo(dtype).max)
    return np.clip(centre * (1 + distance), -limit, limit).astype(dtype)


def drawn(low: float, high: float, *centres: float) -> Draw:
    """Points of a function of one number that bends between `low` and `high`."""

    def draw(rng: Generator, count: int, dtype: np.dtype) -> list[np.ndarray]:
        third = count // 3
        inner = rng.uniform(low, high, count - 2 * third).astype(dtype)
        near = around(rng, third, dtype, centres or (low, high))
        return [np.concatenate([all_exponents(rng, third, dtype), inner, near])]

    return draw


def ratios(rng: Generator, count: int, dtype: np.dtype) -> list[np.ndarray]:
    """Pairs with all exponents and pairs of similar size."""
    half = count // 2
    y, x = (rng.permutation(all_exponents(rng, count, dtype)) for _ in "yx")
    with np.errstate(over="ignore"):
        close = (y[:half] * np.exp2(rng.uniform(-6, 6, half))).astype(dtype)
    return [y, np.concatenate([np.where(np.isfinite(close), close, 1), x[half:]]).astype(dtype)]


def powers(rng: Generator, count: int, dtype: np.dtype) -> list[np.ndarray]:
    """Bases with all exponents and bases near 1; exponents whose results are within the range, and small integers."""
    third = count // 3
    base = [np.abs(all_exponents(rng, third, dtype)), np.abs(around(rng, third, dtype, [1.0]))]
    base = np.concatenate([*base, rng.uniform(-9, 9, count - 2 * third)]).astype(dtype)
    with np.errstate(all="ignore"):
        most = math.log(float(np.finfo(dtype).max)) / np.abs(np.log(np.abs(base.astype(f64))))
    exponent = rng.uniform(-1.02, 1, count) * np.where(np.isfinite(most), most, 1)
    whole = (base < 0) | (rng.random(count) < 0.1)
    return [base, np.where(whole, np.clip(np.rint(exponent), -(2**53), 2**53), exponent).astype(dtype)]


def gamma_points(*centres: float) -> Draw:
    """Points of the gamma function's relatives, above zero.

    Below it they cross zero beside each pole, where only the absolute error of f64 is small, as XLA's is.
    """
    draw = drawn(0, 15, *centres)
    return lambda rng, count, dtype: [np.abs(draw(rng, count, dtype)[0])]


def zeta_points(rng: Generator, count: int, dtype: np.dtype) -> list[np.ndarray]:
    near_one = 1 + np.exp2(-rng.uniform(1, 20, count // 4))
    s = np.concatenate([near_one, rng.uniform(1.01, 30, count - count // 4)])
    return [s.astype(dtype), np.exp2(rng.uniform(-8, 8, count)).astype(dtype)]


def polygamma_points(rng: Generator, count: int, dtype: np.dtype) -> list[np.ndarray]:
    return [rng.integers(0, 9, count).astype(dtype), np.exp2(rng.uniform(-8, 8, count)).astype(dtype)]


# The last is the number of f64 that is nearest to a multiple of π/2, relative to its size.
QUARTER_TURNS = [k * math.pi / 2 for k in (*range(1, 12), 101, 12345, 987654321)] + [6381956970095103 * 2.0**797]

# ---------------------------------------------------------------- functions


def real_power(x: Any, y: Any) -> Any:
    return mpmath.power(x, int(y) if y == int(y) and abs(y) < 2**60 else y)


def to_the(exponent: float) -> Function:
    """A power with a constant exponent, which is named beside the op."""
    return Function(lambda x: real_power(x, exponent), drawn(0, 4, 1, 2))


def inverse_erf(x: Any) -> Any:
    return x * mpmath.sqrt(mp.pi) / 2 if abs(x) < mpf(2) ** -70 else mpmath.erfinv(x) if abs(x) <= 1 else mp.nan


def inverse_tanh(x: Any) -> Any:
    return (mpmath.log1p(x) - mpmath.log1p(-x)) / 2 if abs(x) < 1 else mp.nan


def hurwitz_zeta(s: Any, q: Any) -> Any:
    with mpmath.workprec(400):  # mpmath loses digits where q is large
        return mpmath.zeta(s, q)


def polygamma(n: Any, x: Any) -> Any:
    return mpmath.psi(0, x) if n == 0 else (-1) ** (int(n) + 1) * mpmath.factorial(n) * hurwitz_zeta(n + 1, x)


def log_gamma(x: Any) -> Any:
    return mpmath.re(mpmath.loggamma(x))


def scaled_bessel(x: Any) -> Any:
    return mpmath.besseli(1, x) * mpmath.exp(-abs(x)) if abs(x) < 1e4 else mpmath.sign(x) * bessel_at_infinity(abs(x))


def bessel_at_infinity(x: Any) -> Any:
    """The expansion of exp(-x) I₁(x), of which few terms are left."""
    terms, term = mpf(1), mpf(1)
    for k in range(1, 30):
        term *= mpf((2 * k - 1) ** 2 - 4) / (8 * k * x)
        terms += term
    return terms / mpmath.sqrt(2 * mp.pi * x)


def root(x: Any) -> Any:
    return mpmath.cbrt(x) if x >= 0 else -mpmath.cbrt(-x)


FUNCTIONS: dict[str, Function] = {
    "stablehlo.atan2": Function(mpmath.atan2, ratios),
    "stablehlo.cbrt": Function(root, drawn(-9, 9, 1, 8)),
    "stablehlo.cosine": Function(mpmath.cos, drawn(-9, 9, *QUARTER_TURNS)),
    "stablehlo.exponential": Function(mpmath.exp, drawn(-750, 720, 1, 709.5, 88.6, -104, -745), (0.99, 4)),
    "stablehlo.exponential_minus_one": Function(mpmath.expm1, drawn(-40, 40, 0.35, -0.35, 709.5, 88.6)),
    "stablehlo.log": Function(mpmath.log, drawn(0, 9, 1, 0.7, 1.41), (0.99, 4)),
    "stablehlo.log_plus_one": Function(mpmath.log1p, drawn(-1, 9, -1, -0.3, 0.41)),
    "stablehlo.logistic": Function(lambda x: 1 / (1 + mpmath.exp(-x)), drawn(-99, 40, -745, -104, 1), (0.99, 4)),
    "stablehlo.power": Function(real_power, powers),
    **{f"stablehlo.power {y}": to_the(y) for y in (-7.5, -4.0, -2.5, -2.0, -0.5, 0.0, 1.5, 3.5, 5.0, 8.0)},
    "stablehlo.rsqrt": Function(lambda x: 1 / mpmath.sqrt(x), drawn(0, 4, 1, 2)),
    "stablehlo.sine": Function(mpmath.sin, drawn(-9, 9, *QUARTER_TURNS)),
    "stablehlo.sqrt": Function(mpmath.sqrt, drawn(0, 4, 1, 2)),
    "stablehlo.tan": Function(mpmath.tan, drawn(-9, 9, *QUARTER_TURNS)),
    "stablehlo.tanh": Function(mpmath.tanh, drawn(-20, 20, 0.5, 19, 9), (0.99, 4)),
    "chlo.acos": Function(mpmath.acos, drawn(-1, 1, -1, 0.5, 1)),
    "chlo.acosh": Function(mpmath.acosh, drawn(1, 9, 1, 2)),
    "chlo.asin": Function(mpmath.asin, drawn(-1, 1, -1, 0.5, 1)),
    "chlo.asinh": Function(mpmath.asinh, drawn(-9, 9, 1, 2**30)),
    "chlo.atan": Function(mpmath.atan, drawn(-3, 3, 0.1875, 0.375, 1)),
    "chlo.atanh": Function(inverse_tanh, drawn(-1, 1, -1, 0.5, 1)),
    "chlo.bessel_i1e": Function(scaled_bessel, drawn(-60, 60, 1, 20), (0.51, 5)),
    "chlo.cosh": Function(mpmath.cosh, drawn(-9, 9, 0.35, 710, 89)),
    "chlo.digamma": Function(lambda x: mpmath.psi(0, x), gamma_points(1, 1.4616321449683623, 2, 11)),
    "chlo.erf": Function(mpmath.erf, drawn(-6, 6, 0.5, 1, 3), (0.99, 4)),
    "chlo.erf_inv": Function(inverse_erf, drawn(-1, 1, 1, 0.5)),
    "chlo.erfc": Function(lambda x: mpmath.erfc(min(max(x, -1000), 1000)), drawn(-6, 28, 0.5, 1, 10, 26.5)),
    "chlo.lgamma": Function(log_gamma, gamma_points(0.5, 1, 1.5, 2, 12.5)),
    "chlo.polygamma": Function(polygamma, polygamma_points),
    "chlo.sinh": Function(mpmath.sinh, drawn(-9, 9, 0.35, 710, 89)),
    "chlo.tan": Function(mpmath.tan, drawn(-9, 9, *QUARTER_TURNS)),
    "chlo.zeta": Function(hurwitz_zeta, zeta_points, (0.51, 6)),
}

# Functions that are tested above zero only.
ABOVE_ZERO = ("chlo.digamma", "chlo.lgamma")

# ---------------------------------------------------------------- errors


def exact_values(function: Function, operands: Sequence[np.ndarray]) -> list[Any]:
    """The exact values, None where there is no finite real one."""

    def value(*numbers: float) -> Any:
        try:
            result = function.exact(*map(mpf, numbers))
        except (ZeroDivisionError, ValueError):  # a pole
            return None
        return mpf(result) if mpmath.im(result) == 0 and mpmath.isfinite(result) else None

    return [value(*numbers) for numbers in zip(*(x.tolist() for x in operands))]


def errors(results: np.ndarray, exact: Sequence[Any]) -> np.ndarray:
    """The distance of each result from its exact value, in ULP; 0 where there is none."""
    limits = np.finfo(results.dtype)
    overflow = mpf(float(limits.max)) * (1 + mpf(2) ** (-limits.nmant - 2))

    def error(result: float, value: Any) -> float:
        if value is None:
            return 0.0
        if abs(value) >= overflow or not math.isfinite(result):
            return 0.0 if abs(value) >= overflow and result == math.copysign(math.inf, value) else math.inf
        exponent = max(mpmath.frexp(value)[1], limits.minexp + 1)
        return float(abs(mpf(result) - value) * mpf(2) ** (limits.nmant + 1 - exponent))

    return np.array([error(*pair) for pair in zip(results.tolist(), exact)])


@contextmanager
def kernels_of_tinygrad() -> Iterator[None]:
    """On the CPU, as on other devices."""
    before = os.environ.get("HLO2TINY_EXECUTOR")
    os.environ["HLO2TINY_EXECUTOR"] = "tinygrad"
    try:
        yield
    finally:
        if before is None:
            del os.environ["HLO2TINY_EXECUTOR"]
        else:
            os.environ["HLO2TINY_EXECUTOR"] = before


def results_of(op: str, operands: Sequence[np.ndarray], device: str = "CPU") -> np.ndarray:
    (results,) = Program(hlo2tiny.parse(text_of(op, operands)), device).numpy(*operands)
    return results


def results_elsewhere(op: str, operands: Sequence[np.ndarray], device: str = "CPU") -> np.ndarray:
    with kernels_of_tinygrad():
        return results_of(op, operands, device)


def whole_range(op: str, count: int, seed: int = 0) -> list[np.ndarray]:
    """The points drawn for a function of f32, and as many again among all finite numbers that it is exact for."""
    rng = np.random.default_rng(seed)
    drawn = FUNCTIONS[op].draw(rng, count, f32)
    if len(drawn) > 1:
        return drawn
    everywhere = rng.integers(0, 2**32, count, np.uint64).astype(np.uint32).view(f32)
    everywhere = np.abs(everywhere) if op in ABOVE_ZERO else everywhere
    return [np.concatenate([drawn[0], everywhere[np.isfinite(everywhere)]])]


def errors_beside_float64(results: np.ndarray, exact: np.ndarray) -> np.ndarray:
    """Errors of f32 in ULP, as `errors`, with values in f64 for exact ones."""
    limits = np.finfo(results.dtype)
    with np.errstate(all="ignore"):
        exponent = np.maximum(np.frexp(exact)[1], limits.minexp + 1)
        found = np.abs(results - exact) * np.exp2(limits.nmant + 1.0 - exponent)
        beyond = np.abs(exact) >= float(limits.max) * (1 + 2.0 ** (-limits.nmant - 2))
        found = np.where(beyond, np.where(results == np.copysign(np.inf, exact), 0, np.inf), found)
        found = np.where(np.isnan(found) | (~np.isfinite(results) & ~beyond), np.inf, found)
    return np.where(np.isnan(exact), np.where(np.isnan(results), 0, np.inf), found)


def measured_of_xla(op: str, operands: Sequence[np.ndarray], exact: Sequence[Any]) -> tuple[np.ndarray, np.ndarray]:
    """XLA's errors at these points, and where neither operands nor result are below the normal numbers.

    On the CPU it takes smaller ones for zero.
    """
    (results,) = oracles.run("xla", text_of(op, operands), operands)
    least = float(np.finfo(results.dtype).tiny)
    normal = np.array([value is not None and abs(value) >= least for value in exact])
    for x in operands:
        normal &= (x == 0) | (np.abs(x) >= least)
    return errors(results, exact), normal


def text_of(op: str, operands: Sequence[np.ndarray]) -> str:
    name, _, exponent = op.partition(" ")
    if not exponent:
        return module_text(name, [Call(operands)], [[type_of(operands[0])]])
    (x,), type = operands, type_of(operands[0])
    return f"""func.func @main(%x: {type}) -> {type} {{
  %c = stablehlo.constant dense<{exponent}> : {type_of(x[0])}
  %y = stablehlo.broadcast_in_dim %c, dims = [] : ({type_of(x[0])}) -> {type}
  %r = {name} %x, %y : {type}
  return %r : {type}
}}"""


def print_whole_range(ops: Sequence[str], count: int, device: str) -> None:
    print(f"{'op':34}{'C':>10}{'formulas':>10}  worst point of C, of the formulas")
    for op in ops:
        operands = whole_range(op, count)
        exact = results_of(op, [x.astype(f64) for x in operands])
        found = [
            errors_beside_float64(each, exact)
            for each in (results_of(op, operands), results_elsewhere(op, operands, device))
        ]
        places = [", ".join(repr(x[np.argmax(each)].item()) for x in operands) for each in found]
        print(f"{op:34}{np.max(found[0]):10.3g}{np.max(found[1]):10.3g}  {places[0]} | {places[1]}", flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("ops", nargs="*", metavar="op", help="such as chlo.erf; all of them if none is named")
    parser.add_argument("--points", type=int, default=20001, metavar="N", help="how many for each function")
    parser.add_argument("--device", default="CPU", help="where the formulas of float32 are evaluated")
    parser.add_argument("--whole", action="store_true", help="float32 beside our float64, for millions of points")
    arguments = parser.parse_args()
    ops, device = arguments.ops or list(FUNCTIONS), arguments.device
    if arguments.whole:
        return print_whole_range(ops, arguments.points, device)
    print(f"{'op':34}{'type':6}{'C':>9}{'formulas':>10}{'XLA':>10}{'XLA*':>10}  worst of C, of the formulas, of XLA*")
    for op in ops:
        for dtype in (f32, f64):
            operands = FUNCTIONS[op].draw(np.random.default_rng(0), arguments.points, dtype)
            exact = exact_values(FUNCTIONS[op], operands)
            theirs, normal = measured_of_xla(op, operands, exact)
            found = [errors(results_of(op, operands), exact), theirs, np.where(normal, theirs, 0)]
            if dtype == f32:
                found.insert(1, errors(results_elsewhere(op, operands, device), exact))
            numbers = [f"{np.max(each):10.3g}" for each in found]
            numbers[1:1] = [" " * 10] if dtype == f64 else []
            places = [", ".join(repr(x[np.argmax(each)].item()) for x in operands) for each in (*found[:-2], found[-1])]
            print(f"{op:34}f{dtype.itemsize * 8:<4}{''.join(numbers)}  {' | '.join(places)}", flush=True)
    print("XLA*: of normal numbers alone, as XLA takes smaller ones for zero on the CPU")


if __name__ == "__main__":
    main()
