"""Sums, products and quotients of real numbers with more bits than a number has, from which functions are composed.

A `Pair` is an unevaluated sum of two tensors; the first one uses only half of the significand's bits, so that products
of firsts are exact. And `exact` hides a rounded value from tinygrad, which simplifies floats like real numbers:
(a + b) - a becomes b, and (x + 1) + y becomes (x + y) + 1. Its C code also contains a + b + c for a + (b + c), and
often a - b + c for a - (b - c). So in a sum of three terms, the two that must be added first stand on the left or
inside `exact`.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from fractions import Fraction

from ..tinygrad.expressions import BITS, DType, Tensor, dtypes, exact
from .elementwise import SIGNED_BITS
from .floats import width

Pair = tuple[Tensor, Tensor]
MANTISSA = {dtypes.float32: 23, dtypes.float64: 52}
BIAS = {dtypes.float32: 127, dtypes.float64: 1023}


def inverse_tangent(n: int, sign: int = -1) -> Fraction:
    """atan(1/n), or with `sign` 1 atanh(1/n), by its series to 1400 bits."""
    one = 1 << 1400
    total, power, k, term_sign = 0, one // n, 1, 1
    while power:
        total += term_sign * (power // k)
        power, k, term_sign = power // (n * n), k + 2, term_sign * sign
    return Fraction(total, one)


PI = 16 * inverse_tangent(5) - 4 * inverse_tangent(239)
LN2 = 2 * inverse_tangent(3, 1)


def high_low(number: Fraction, dtype: DType) -> tuple[float, float]:
    """A constant as a pair: its first bits, so few that products with integers and other firsts are exact; the rest."""
    unit = Fraction(2) ** (math.frexp(number)[1] - MANTISSA[dtype] // 2)
    high = number // unit * unit
    return float(high), float(number - high)


def head(x: Tensor) -> Tensor:
    """x with only the upper half of its significand: products of two heads are exact, and so is x - head(x)."""
    low = (1 << (MANTISSA[x.dtype] // 2 + 1)) - 1
    return (x.bitcast(BITS[x.dtype]) & ((1 << width(x)) - 1 - low)).bitcast(x.dtype)


def halves(x: Tensor) -> Pair:
    top = head(x)
    return top, x - top


def rounded_sum(big: Tensor, small: Tensor) -> Pair:
    """A sum, which need not be a head, and its rounding error, for |big| ≥ |small|."""
    total = exact(big + small)
    return total, exact((big - total) + small)


def two_sum(a: Tensor, b: Tensor | float) -> Pair:
    """A sum and its rounding error, whichever term is larger."""
    total = exact(a + b)
    second = exact(total - a)
    return total, exact(a - exact(total - second)) + exact(b - second)


def normal(first: Tensor, second: Tensor) -> Pair:
    """The same sum as a pair: its first is a head."""
    top = head(second + first)
    return top, second + (first - top)


def product(a: Pair, b: Pair) -> Pair:
    return normal(a[0] * b[0], a[0] * b[1] + a[1] * (b[1] + b[0]))


def quotient(a: Pair, b: Pair) -> Pair:
    divisor = b[1] + b[0]
    top = head((a[1] + a[0]) / divisor)
    return top, ((a[0] - top * b[0]) + (a[1] - top * b[1])) / divisor


def plus_constant(constant: Fraction, x: Tensor) -> Pair:
    """The sum of x and a constant larger than |x|."""
    high, low = high_low(constant, x.dtype)
    top = head(x + high)
    return top, (x + low) + exact(high - top)


def horner(x: Tensor, coefficients: Sequence[float | Tensor]) -> Tensor:
    """The value of a polynomial in x whose coefficients begin with the constant term."""
    last = coefficients[-1]
    result: Tensor = last if isinstance(last, Tensor) else x.const_like(last)
    for c in reversed(coefficients[:-1]):
        result = result * x + c
    return result


def power_of_two(n: Tensor, dtype: DType) -> Tensor:
    """2**n, for an int32 n that is the exponent of a normal number."""
    bits = SIGNED_BITS[dtype]
    return ((n + BIAS[dtype]).cast(bits) << MANTISSA[dtype]).bitcast(dtype)


def scale(x: Tensor, n: Tensor) -> Tensor:
    """x · 2**n by two products, rounded once if the first product is a normal number."""
    half = n >> 1
    return x * power_of_two(half, x.dtype) * power_of_two(n - half, x.dtype)


def scalable(n: Tensor, dtype: DType) -> Tensor:
    """n, limited to the exponents that `scale` accepts; the effect on numbers near 1 is the same."""
    limit = 2 * BIAS[dtype] - 2
    return (n < -limit).where(-limit, (n > limit).where(limit, n))


def significand(x: Tensor) -> tuple[Tensor, Tensor]:
    """m and n with x = m · 2**n and m between √½ and √2, for a positive finite x."""
    mantissa = MANTISSA[x.dtype]
    small = x < 2.0 ** (1 - BIAS[x.dtype])
    bits = small.where(x * 2.0 ** (mantissa + 1), x).bitcast(SIGNED_BITS[x.dtype])
    root_half = ((BIAS[x.dtype] - 1) << mantissa) | int((math.sqrt(2) - 1) * 2**mantissa)
    n = (bits - root_half) >> mantissa
    m = (bits - (n << mantissa)).bitcast(x.dtype)
    return m, n.cast(dtypes.int32) - small.where(mantissa + 1, 0)
