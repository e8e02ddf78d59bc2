"""CHLO's special functions: special values and ends of intervals in all float types, and neighbouring numbers.

How exact they are between those is test_accuracy.py's matter.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import jax
import ml_dtypes
import mpmath
import numpy as np
from accuracy import FUNCTIONS as EXACT

from .cases import case, new_tests
from .mlir import Call
from .numbers import FLOATS, bf16, codes, crossed, f32, f64, special
from .test_elementwise import drawn, specials

# Around zeros and poles, and the ends of the intervals that have a formula of their own.
NUMBERS = [-171.5, -50.5, -9.75, -3.5, -2, -1.5, -1, -0.5, -1e-5, 1e-20, 1e-5, 0.25, 0.5, 0.75, 1, 1.25, 1.4616, 1.5]
NUMBERS += [1.75, 2, 2.5, 3, 4.5, 7.75, 8, 8.25, 9, 12.25, 12.75, 19.9, 20, 20.5, 100, 170.5, 1e4]
ORDERS = np.array([0, 1, 2, 3, 5, 10, -1, 0.5, math.nan])
EXPONENTS = np.array([1, 1.0625, 1.5, 2, 3, 4.5, 10, 30, -0.5, math.inf, math.nan])
PLACES = np.array([0.25, 0.5, 1, 1.5, 2, 7.25, 20, 100, -0.75, -1.25, -2, 0, math.inf, -math.inf, math.nan])


def limit(op: str, *operands: float) -> float:
    """What stands where there is no finite real value."""
    x = operands[-1]
    if any(map(math.isnan, operands)):
        return math.nan
    match op:
        case "chlo.lgamma":
            return math.inf
        case "chlo.digamma":
            return -math.inf if x == 0 else x if x == math.inf else math.nan
        case "chlo.bessel_i1e":
            return math.copysign(0, x)
        case "chlo.zeta":
            return zeta_limit(operands[0], x)
    order = operands[0]
    if order < 0 or order != math.floor(order):
        return math.nan
    if order == 0:
        return limit("chlo.digamma", x)
    return (-1) ** (int(order) + 1) * zeta_limit(order + 1, x)


def zeta_limit(s: float, q: float) -> float:
    """Hurwitz's zeta function at its poles, at infinity, and where it is not real."""
    if s < 1:
        return math.nan
    if s == 1:
        return math.inf
    if q == math.inf:
        return 0
    if q == -math.inf:
        return math.nan
    if s == math.inf:
        return 0 if q > 1 else 1 if q == 1 else math.inf if q > 0 else math.nan
    return math.inf if q <= 0 and q == math.floor(q) and s % 2 == 0 else math.nan


def undefined(op: str, *operands: float) -> bool:
    """Whether mpmath's continuation is none of ours: it leads beyond the sum's domain."""
    if not all(map(math.isfinite, operands)):
        return True
    if op == "chlo.zeta":
        s, q = operands
        return s <= 1 or (q <= 0 and (q == math.floor(q) or s != math.floor(s)))
    if op == "chlo.polygamma":
        n, x = operands
        return n < 0 or n != math.floor(n) or (x <= 0 and x == math.floor(x))
    (x,) = operands
    return op != "chlo.bessel_i1e" and x <= 0 and x == math.floor(x)


def value(op: str, *operands: float) -> np.longdouble:
    if undefined(op, *operands):
        return np.longdouble(limit(op, *operands))
    exact = EXACT[op].exact(*map(mpmath.mpf, operands))
    return np.longdouble(mpmath.nstr(exact, 25)) if exact else np.longdouble(math.copysign(0, operands[0]))


def reference(op: str) -> Callable[..., Any]:
    one = np.vectorize(lambda *xs: value(op, *map(float, xs)), otypes=[np.longdouble])
    return lambda *xs: one(*xs).astype(xs[0].dtype)


def around(op: str, dtype: np.dtype) -> list[Call]:
    """Zeros, and the numbers where the function is close to zero, each apart, as XLA differs there."""
    numbers = np.concatenate([special(dtype), np.array(NUMBERS).astype(dtype)])
    close, zero = crosses(op, numbers), flushed(numbers) == 0
    return [Call([numbers[chosen]]) for chosen in (~close & ~zero, close & ~zero, zero) if chosen.any()]


def flushed(x: np.ndarray) -> np.ndarray:
    """Numbers with zeros for those that are too small to be normal, as XLA has them."""
    return np.where(np.abs(x) < ml_dtypes.finfo(x.dtype).tiny, 0, x)


def crosses(op: str, x: np.ndarray) -> np.ndarray:
    return (np.abs(reference(op)(x.astype(f64))) < 0.1) & (op != "chlo.bessel_i1e")


def wrong(count: int) -> list[tuple[Call, str]]:
    more = Call([np.zeros(2, f32)] * (count + 1), results="tensor<2xf32>")
    return [
        (Call([np.zeros(2, f32)] * count, results="tensor<3xf32>"), "declared type is tensor<3xf32>"),
        (more, f"has {count + 1} operands, expected {count}"),
        (Call([np.zeros(2, np.int32)] * count, results="tensor<2xi32>"), "expected elements that are floats"),
    ]


for name in ("chlo.bessel_i1e", "chlo.digamma", "chlo.lgamma"):
    case(
        name,
        ref=reference(name),
        tol=64,  # of f64 below zero; test_accuracy.py looks closer elsewhere
        draw=drawn(1, FLOATS, 0.1, 30),
        examples=[call for dtype in FLOATS for call in around(name, dtype)],
        disagree={
            "xla": (
                "its error beside the function's zeros is an absolute one; digamma(0) was NaN before JAX 0.12",
                lambda call, op=name: bool(
                    np.any(crosses(op, call.operands[0]))
                    or (
                        op == "chlo.digamma"
                        and jax.__version_info__ < (0, 12)
                        and np.any(flushed(call.operands[0]) == 0)
                    )
                ),
            )
        },
        errors=wrong(1),
    )


def beyond(call: Call) -> bool:
    first, second = call.operands
    return bool(np.any(np.isinf(first) | np.isinf(second) | (first < 1)))


# A call for each type: the kernels take seconds to compile, and test_accuracy.py draws more numbers.
for name, firsts in (("chlo.polygamma", ORDERS), ("chlo.zeta", EXPONENTS)):
    case(
        name,
        ref=reference(name),
        tol=64,
        examples=[Call(crossed(firsts.astype(dtype), PLACES.astype(dtype))) for dtype in (f32, f64, bf16)],
        errors=wrong(2),
        disagree={"xla": ("it has NaN for infinite operands, and infinity below the sum's domain", beyond)},
    )

# ---------------------------------------------------------------- the neighbouring number


def next_after(x: np.ndarray, y: np.ndarray) -> np.ndarray:
    if x.dtype in (f32, f64):
        return np.nextafter(x, y)
    # All numbers of a narrow type in order, of which +0 and -0 are neighbours of the same two.
    numbers = np.unique(every(x.dtype).astype(f64))
    numbers = numbers[np.isfinite(numbers) | np.isinf(numbers)]

    def one(a: float, b: float) -> float:
        if math.isnan(a) or math.isnan(b):
            return math.nan
        if a == b:
            return b
        moved = numbers[np.searchsorted(numbers, a) + (1 if a < b else -1)]
        return math.copysign(0, a) if moved == 0 else float(moved)

    return np.vectorize(one, otypes=[f64])(x, y).astype(x.dtype)


def every(dtype: np.dtype) -> np.ndarray:
    if dtype.itemsize == 1:
        return codes(dtype)
    return np.arange(2**16, dtype=np.uint16).view(dtype)


case(
    "chlo.next_after",
    ref=next_after,
    draw=drawn(2, FLOATS),
    examples=specials(2, FLOATS),
    errors=wrong(2),
)

test_drawn, test_examples, test_errors = new_tests(2)
