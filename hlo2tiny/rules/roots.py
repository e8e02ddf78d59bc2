"""Roots and powers of real numbers, as elementary.py has other functions."""

from __future__ import annotations

import math
from collections.abc import Callable

from ..tinygrad.dtypes import UNSIGNED
from ..tinygrad.expressions import DType, Tensor, dtypes, exact
from .elementary import exp, log_pair
from .elementwise import SIGNED_BITS, absolute, is_float, multiply, rounded_quotient
from .floats import copy_sign, is_nan, width
from .pairs import MANTISSA, halves, head, horner, scale, significand

# ∛m for m between 1 and 2, to 2⁻¹⁰.
CBRT = (0.6215856862993352, 0.43932017450339733, -0.06027496582005218)


def cbrt(x: Tensor) -> Tensor:
    size = absolute(x)
    usual = (size > 0) & (size < math.inf)
    m, k = significand(usual.where(size, 1.0))
    m, k = (m < 1).where(m * 2, m), k - (m < 1).cast(dtypes.int32)
    third = ((k + 1536) * 21846) >> 16  # (k + 1536) / 3
    part = k + 1536 - third * 3
    root = horner(m, CBRT) * (part == 0).where(1.0, (part == 1).where(2 ** (1 / 3), 2 ** (2 / 3)))
    m = m * (part == 0).where(1.0, (part == 1).where(2.0, 4.0))
    # Halley's step triples the number of correct digits. The second one starts from a root whose square is exact.
    root = head(halley(root, m))
    return copy_sign(usual.where(scale(halley(root, m), third - 512), size), x)


def halley(root: Tensor, cube: Tensor) -> Tensor:
    other = cube / exact(root * root)  # without `exact`, tinygrad would divide twice
    return root + root * ((other - root) / (2 * root + other))


def power(x: Tensor, y: Tensor) -> Tensor:
    """pow as in IEEE 754; for integers, products wrap."""
    if not is_float(x):
        return integer_power(x, y)
    # Larger exponents give the same result, but their product with the logarithm would overflow.
    most = 2.0 ** (MANTISSA[x.dtype] + 12)
    exponent = (absolute(y) < most).where(y, copy_sign(y.const_like(most), y))

    def of_positive(size: Tensor) -> Tensor:
        first, second = log_pair(size)
        high, low = halves(exponent)
        return exp(first * high, first * low + second * exponent)

    return power_by(of_positive, x, y)


# The most roundings in a row with which a power stays within the bounds of errors.
MOST_ROUNDINGS = {dtypes.float32: 2, dtypes.float64: 4}


def short_power(x: Tensor, y: float, wide: DType) -> Tensor | None:
    """x to the power y by products and a root, in the dtype `wide`; None if that would be long or inexact."""
    halves = int(2 * abs(y)) if abs(y) <= 8 and (2 * y).is_integer() else 99
    whole, is_half = halves // 2, halves % 2
    roundings = max(whole - 1, 0) + (y < 0) + is_half * (1 + (whole > 0))
    if halves > 16 or (wide == x.dtype and roundings > MOST_ROUNDINGS[wide]):
        return None
    base = x.cast(wide if roundings > 1 else x.dtype)
    if is_half:  # as for +0 and +∞
        base = ((base == 0) | (base == -math.inf)).where(absolute(base), base)
    # In the same dtype, x to the power |y| may overflow where the result is still a subnormal number: divide twice.
    first = 2 * ((halves + 1) // 4) if base.dtype == x.dtype and y < 0 else 0
    result = power_of_halves(base, halves - first)
    if y < 0:
        one = base.const_like(1.0)
        result = rounded_quotient(rounded_quotient(one, power_of_halves(base, first)) if first else one, result)
    return result.cast(x.dtype)


def power_of_halves(x: Tensor, halves: int) -> Tensor:
    if halves < 2:
        return x.sqrt() if halves else x.const_like(1.0)
    if halves % 2:
        return multiply(power_of_halves(x, halves - 1), x.sqrt())
    if halves % 4:
        return multiply(power_of_halves(x, halves - 2), x) if halves > 2 else x
    root = power_of_halves(x, halves // 2)
    return multiply(root, root)


def power_by(of_positive: Callable[[Tensor], Tensor], x: Tensor, y: Tensor) -> Tensor:
    """x to the power y, given the function that computes it for positive finite x."""
    size = absolute(x)
    usual = (size > 0) & (size < math.inf)
    result = usual.where(of_positive(usual.where(size, 1.0)), ((size == 0) == (y < 0)).where(math.inf, 0.0))
    whole = y == y.trunc()
    half = y * 0.5
    odd = whole & (half != half.trunc())
    result = (odd & (x.bitcast(SIGNED_BITS[x.dtype]) < 0)).where(-result, result)
    undefined = is_nan(x) | is_nan(y) | (usual & (x < 0) & ~whole)
    return ((x == 1) | (y == 0)).where(1.0, undefined.where(math.nan, result))


def integer_power(a: Tensor, b: Tensor) -> Tensor:
    # Unsigned, as tinygrad computes the bounds of signed products, which would take forever for 64 squarings.
    unsigned = UNSIGNED.get(a.dtype, a.dtype)
    base = a.bitcast(unsigned)
    result = base.const_like(1)
    for bit in range(width(a) - (a.dtype in UNSIGNED)):
        result = ((b >> bit) & 1 != 0).where(result * base, result)
        base = base * base
    if a.dtype not in UNSIGNED:
        return result
    # The specification does not define negative exponents. XLA and the reference interpreter truncate, also for 0.
    reciprocal = (a == 1).where(1, (a == -1).where(1 - (b & 1) * 2, 0)).cast(a.dtype)
    return (b < 0).where(reciprocal, result.bitcast(a.dtype))
