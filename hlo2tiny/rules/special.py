"""CHLO's special functions: the gamma function and its relatives, a Bessel function, and next_after."""

from __future__ import annotations

import math
from collections.abc import Sequence
from fractions import Fraction
from functools import cache
from itertools import accumulate
from operator import mul

import numpy as np

from ..ir import ScalarType, TensorType
from ..tinygrad.dtypes import NARROW_FLOATS
from ..tinygrad.expressions import BITS, Tensor, dtypes, exact, hidden
from . import elementary, pairs
from .elementary import exp, log, log_pair
from .elementwise import absolute
from .floats import copy_sign, is_nan, width
from .pairs import halves, horner, plus_constant, product, rounded_sum, scale, two_sum
from .registry import rule
from .storage import decode

EULER = 0.5772156649015329
HALF_LOG_TWO_PI = 0.9189385332046728


@cache
def bernoulli() -> list[Fraction]:
    """B₂, B₄, … B₂₄ by their recurrence."""
    numbers = [Fraction(1)]
    for m in range(1, 25):
        numbers.append(-sum((math.comb(m + 1, k) * numbers[k] for k in range(m)), Fraction(0)) / (m + 1))
    return numbers[2::2]


def zeta_less_one(k: int) -> float:
    """ζ(k) - 1 for an integer k > 1: a finite sum, plus the Euler-Maclaurin terms for the rest of the series."""
    n = 20
    rest = [Fraction(1, (k - 1) * n ** (k - 1)), Fraction(1, 2 * n**k)]
    rising = Fraction(k)
    for j, number in enumerate(bernoulli()[:8], start=1):
        rest.append(number / math.factorial(2 * j) * rising / n ** (k + 2 * j - 1))
        rising *= (k + 2 * j - 1) * (k + 2 * j)
    return float(sum((Fraction(1, i**k) for i in range(2, n)), Fraction(0)) + sum(rest, Fraction(0)))


@cache
def log_gamma_series() -> list[float]:
    """log Γ(2+t) / t for |t| ≤ ½, where log Γ(2+t) = (1 - γ) t + Σ (-1)ᵏ (ζ(k) - 1) tᵏ / k."""
    return [1 - EULER, *((-1) ** k * zeta_less_one(k) / k for k in range(2, 28))]


# log Γ(1+t) / t in float32, for |t| ≤ 5/16; errors below 2⁻³¹.
LOG_GAMMA_NEAR_ONE = (
    -0.5772156648133304, 0.8224670437480417, -0.4006856893197539, 0.2705787187187006, -0.20737989665841727,
    0.16967512452927383, -0.14426577684633002, 0.12281904775597964, -0.10759555517739054, 0.12628857457813839,
    -0.12028784895883524,
)  # fmt: skip
# The point where ψ is zero and Γ has its minimum, and ψ / t at the distance t from it: Σ ψ⁽ᵏ⁺¹⁾ tᵏ / (k+1)!.
DIGAMMA_ZERO = Fraction(1.4616321449683622) + Fraction(9.549995429965697e-17)
NEAR_ZERO = (
    0.9676722454476212, -0.4427631689835921, 0.258499760955651, -0.16394270544240652, 0.10782405069126237,
    -0.07219956125645471, 0.04880428816414311, -0.03316112647484736, 0.022597648232218104, -0.01542476590494896,
    0.010538791616612175, -0.007204534386356869, 0.004926781395729853, -0.003369801655439328, 0.002305126326734928,
    -0.0015769367714301972, 0.0010788252019162967, -0.0007380709389960052, 0.000504953265834602,
    -0.0003454680251063077, 0.00023635601564027053, -0.00016170622091974803, 0.0001106337276874741,
    -7.569179582195066e-05,
)  # fmt: skip
# From here on Stirling's series is accurate to the last place; below, the recurrence leads to [1.5, 2.5].
LARGE = 12.5
LEAST_LOG_GAMMA = -0.12148629053584961


def stirling_series() -> list[float]:
    """The coefficients of 1/x, 1/x³ … in Stirling's series."""
    return [float(b / (2 * k * (2 * k - 1))) for k, b in enumerate(bernoulli()[:9], start=1)]


def stirling_slope() -> list[float]:
    """The coefficients of 1/x², 1/x⁴ … in its derivative."""
    return [float(b / (2 * k)) for k, b in enumerate(bernoulli()[:9], start=1)]


def from_zero(x: Tensor) -> tuple[Tensor, Tensor]:
    """Whether x is close to the zero of ψ, and the distance from it, 0 if it is not."""
    first = float(np.asarray(float(DIGAMMA_ZERO), x.dtype.fmt))  # rounded to the dtype, as x may equal it
    # Mesa adds constants that are subtracted one after the other, although exact(x - first) is between them.
    distance = exact(x - first) - hidden(x.const_like(float(DIGAMMA_ZERO - Fraction(first))), x)
    near = absolute(distance) < 0.25
    return near, near.where(distance, 0.0)


def from_nearest(size: Tensor) -> Tensor:
    """The signed distance from the nearest integer."""
    inside = (size < 2.0 ** pairs.MANTISSA[size.dtype]).where(size, 0.0)
    return exact(inside - (inside + 0.5).floor())


def times_series(x: Tensor, coefficients: Sequence[float]) -> Tensor:
    """x times a power series in x whose constant term is the largest."""
    first, second = plus_constant(Fraction(coefficients[0]), x * horner(x, coefficients[1:]))
    top, rest = halves(x)
    return (rest * first + x * second) + top * first


def log_gamma_above_zero(x: Tensor) -> Tensor:
    large = x >= LARGE
    # With t = x - n - 2 in [-½, ½]: log Γ(x) = log Γ(2 + t) + log((2 + t) (3 + t) … (x - 1)).
    inside = large.where(2.0, x)
    steps = (inside - 1.5).floor()
    t = exact(inside - 2) - (steps > 0).where(steps, 0.0)
    factor: Tensor = inside.const_like(1.0)
    for i in range(1, 11):
        factor = (steps >= i).where(exact(inside - i), 1.0) * factor
    # Below 1.5: log Γ(x) = log Γ(1 + x) - log x, applied twice below ½; near 1, log x is computed as log1p(x - 1).
    one, low = exact(inside - 1), inside < 0.5
    shifted = low.where(inside, one)
    safe = large.where(x, LARGE)
    argument = large.where(safe, low.where(inside, factor))
    logarithm = log(argument)
    middle = t * horner(t, log_gamma_series()) + logarithm
    small = shifted * horner(shifted, log_gamma_series()) - elementary.log1p(shifted) - low.where(logarithm, 0.0)
    reciprocal = 1 / safe
    series = reciprocal * horner(exact(reciprocal * reciprocal), stirling_series())
    if x.dtype == dtypes.float64:
        stirling = (safe - 0.5) * (logarithm - 1) + ((HALF_LOG_TWO_PI - 0.5) + series)
    else:
        first, second = log_pair(argument)
        first = exact(first - 1)
        top, rest = halves(safe)
        close = absolute(one) < 0.3125
        small = close.where(times_series(close.where(one, 0.0), LOG_GAMMA_NEAR_ONE), small)
        stirling = ((rest - 0.5) * (first + second) + top * second + (HALF_LOG_TWO_PI - 0.5 + series)) + top * first
    near, distance = from_zero(inside)
    around = LEAST_LOG_GAMMA + distance * distance * horner(distance, [c / (k + 2) for k, c in enumerate(NEAR_ZERO)])
    return large.where(stirling, near.where(around, (inside < 1.5).where(small, middle)))


def lgamma(x: Tensor) -> Tensor:
    size = absolute(x)
    finite = size < math.inf
    inside = ((size > 0) & finite).where(size, 1.0)
    # The sign of the zeros is not left to the order of sums.
    positive = ((inside == 1) | (inside == 2)).where(0.0, log_gamma_above_zero(inside))
    # Γ(x) Γ(-x) = -π / (x sin πx)
    rest = from_nearest(inside)
    s = absolute(elementary.sine(rest * math.pi))
    product = exact(s * inside)
    pole = (s == 0) | (size == 0)
    # Near zero, sin πx is πx, and x² would underflow.
    tiny = inside < 1e-18
    logarithm = log(tiny.where(inside, pole.where(1.0, product)))
    reflected = tiny.where(-logarithm, math.log(math.pi) - logarithm - positive)
    result = (x < 0).where(reflected, positive)
    return is_nan(x).where(x, (~finite | pole & (x <= 0)).where(math.inf, result))


def digamma_above_zero(x: Tensor) -> Tensor:
    near, distance = from_zero(x)
    # ψ(x) = ψ(x + n) - 1/x - 1/(x + 1) …; near the zero of ψ the terms cancel, so the sum is a pair.
    total = rest = lost = x.const_like(0.0)
    shifted = x
    for k in range(8):
        below = shifted < 8
        term = 1 / shifted
        (high, low), (top, bottom) = halves(term), halves(shifted)
        less = (exact(1 - high * top) - (high * bottom + low * shifted)) * term
        term = below.where(term, 0.0)
        total, low = rounded_sum(total, term)
        rest = rest + ((low + below.where(less, 0.0)) - lost * term * term)
        following, error = two_sum(x, k + 1)
        shifted, lost = below.where(following, shifted), below.where(error, lost)
    square = exact(1 / shifted)
    square = exact(square * square)
    first, second = log_pair(shifted)
    more = first > total
    large, low = rounded_sum(more.where(first, -total), more.where(-total, first))
    slope = 0.5 / shifted + square * horner(square, stirling_slope())
    large = large + (low + ((second + lost / shifted - rest) - slope))
    return near.where(times_series(distance, NEAR_ZERO), (total == math.inf).where(-total, large))


def digamma(x: Tensor) -> Tensor:
    size = absolute(x)
    usual = (size > 0) & (size < math.inf)
    inside = usual.where(size, 1.0)
    positive = digamma_above_zero(inside)
    # ψ(-x) = ψ(x) + 1/x + π / tan πx; near zero the terms are infinite and cancel.
    rest = from_nearest(inside)
    pole = rest == 0
    cotangent = math.pi / elementary.tangent(pole.where(0.25, rest) * math.pi)
    reciprocal = 1 / inside
    negative = (inside < 1e-20).where(reciprocal, positive + (reciprocal + cotangent))
    negative = (pole & (inside >= 0.5)).where(math.nan, negative)
    result = (x < 0).where(negative, positive)
    # At the pole 0, XLA returns the limit from the right since 2026, and returned NaN before.
    return usual.where(result, (x == math.inf).where(x, (x == 0).where(-math.inf, math.nan)))


def power_terms(x: Tensor, low: Tensor, y: Tensor) -> pairs.Pair:
    """y · log(x + low) as a pair, for a positive finite x."""
    first, second = log_pair(x)
    # Where x is a subnormal constant, 1 / x is folded to infinity, and 0 / x to NaN.
    second = second + (low == 0).where(0.0, low / x)
    bounded = (absolute(y) < 1e5).where(y, copy_sign(y.const_like(1e5), y))
    high, rest = halves(bounded)
    return first * high, first * rest + second * bounded


def zeta(x: Tensor, q: Tensor) -> Tensor:
    """The Hurwitz zeta function: Σ (q + k)⁻ˣ."""
    (first, second), lift = lifted_zeta(x, q)
    return scale(second + first, pairs.scalable(-lift, x.dtype))


def lifted_zeta(x: Tensor, q: Tensor) -> tuple[pairs.Pair, Tensor]:
    """A sum of two and an exponent n with ζ(x, q) = 2⁻ⁿ times the sum, which is near 1 where q is positive.

    It is computed as the first terms of the series, plus the Euler-Maclaurin formula for the rest.
    """
    usual = (x > 1) & (x < math.inf)
    s = usual.where(x, 2.0)
    whole_s = s == s.trunc()
    pole = (q <= 0) & (q == q.floor())
    inside = ~pole & (absolute(q) < math.inf)
    base = inside.where(q, 1.0)
    size = power_terms((base > 0).where(base, 1.0), base.const_like(0.0), s)[0] * (1 / math.log(2))
    lift = exact((absolute(size) < 2000).where(size, copy_sign(size.const_like(2000.0), size))).cast(dtypes.int32)
    total: Tensor = s.const_like(0.0)
    rest = total
    odd = (s * 0.5 != (s * 0.5).trunc()) & whole_s
    count, numbers = (5, bernoulli()[:7]) if x.dtype == dtypes.float32 else (9, bernoulli())
    for k in range(count):
        a, low = two_sum(base, k)
        power = exp(*power_terms((a == 0).where(1.0, absolute(a)), (a < 0).where(-low, low), -s), lift)
        total, error = rounded_sum(total, ((a < 0) & odd).where(-power, power))
        rest = rest + error
    a, low = two_sum(base, count)
    less = exact(s - 1)
    integral = exp(*power_terms((a > 0).where(a, 1.0), low, -less), lift)
    power = integral / a
    term, series = power * s / a, power * 0.5
    square = exact(1 / exact(a * a))
    for j, number in enumerate(numbers, start=1):
        series = series + term * float(number / math.factorial(2 * j))
        term = term * exact((s + (2 * j - 1)) * (s + 2 * j)) * square
    top, low = pairs.quotient(halves(integral), halves(less))
    first, error = two_sum(total, (a > 0).where(top, 0.0))
    rest = (rest + error) + (a > 0).where(series + low, 0.0)
    even = x * 0.5 == (x * 0.5).floor()
    result = pole.where(even.where(math.inf, math.nan), first)
    result = ((q < 0) & ~pole & ~whole_s).where(math.nan, result)
    result = (q == math.inf).where(0.0, (q == -math.inf).where(math.nan, result))
    limit = (q > 1).where(0.0, (q == 1).where(1.0, (q > 0).where(math.inf, math.nan)))
    result = (x == math.inf).where(limit, usual.where(result, (x == 1).where(math.inf, math.nan)))
    result = (is_nan(x) | is_nan(q)).where(math.nan, result)
    # An infinite result has no rounding error.
    return (result, (usual & inside & (absolute(first) < math.inf)).where(rest, 0.0)), lift


def lifted_factorial(n: Tensor) -> tuple[Tensor, Tensor]:
    """A number and an exponent k with n! = 2ᵏ times the number, by Stirling's series where n is not small."""
    few = [n == i for i in range(12)]
    large = ((n > 12) & (n < 300)).where(n, 13.0)
    first, second = log_pair(large)
    high, low = halves(exact(large + 0.5))
    big = high * first
    total = exact(big - large)
    reciprocal = 1 / large
    series = reciprocal * horner(exact(reciprocal * reciprocal), stirling_series())
    rest = ((high * second + low * (first + second)) + exact(exact(big - total) - large)) + (HALF_LOG_TWO_PI + series)
    total, rest = rounded_sum(total, rest)
    k = exact((n > 12).where(total * (1 / math.log(2)), 0.0)).cast(dtypes.int32)
    small = elementary.chosen(few, [float(math.factorial(i)) for i in range(13)], n)
    return (n < 300).where((n > 12).where(exp(total, rest, -k), small), math.inf), k


def polygamma(n: Tensor, x: Tensor) -> Tensor:
    """(-1)ⁿ⁺¹ n! ζ(n+1, x), and digamma for n = 0."""
    odd = n * 0.5 != (n * 0.5).trunc()
    whole = (n == n.floor()) & (n >= 0)
    (number, lift), (factor, k) = lifted_zeta(exact(n + 1), x), lifted_factorial(whole.where(n, 0.0))
    first, second = number
    top, rest = halves(factor)
    high, low = halves(first)
    size = ((second * factor + low * factor) + high * rest) + high * top
    size = scale((absolute(first) < math.inf).where(size, first), pairs.scalable(k - lift, x.dtype))
    result = (n == 0).where(digamma(x), odd.where(size, -size))
    return whole.where(result, math.nan)


# The coefficients of I₁(x) / (x/2) = Σ (x/2)²ᵏ / (k! (k+1)!); from 20 on, its expansion at infinity is used.
BESSEL_NEAR = [1 / (math.factorial(k) * math.factorial(k + 1)) for k in range(56)]
# The same and `bessel_far` in float32: I₁(2√y) / √y for y ≤ 16, with errors below 2⁻³³;
# exp(-x) I₁(x) √x in 1/x for x ≥ 8, below 2⁻²⁹.
BESSEL_NEAR_32 = (
    1.00000000006064, 0.49999999857925154, 0.08333333846855782, 0.006944437623864249, 0.0003472266468675691,
    1.157246603160707e-05, 2.759251781831581e-07, 4.872970875458769e-09, 7.242257097509091e-11, 5.519555501945289e-13,
    1.2514867852761907e-14,
)  # fmt: skip
BESSEL_FAR_32 = (
    0.39894227982289016, -0.14960293033282135, -0.04680190145702708, -0.03865690880772594, -0.10343978238153369,
    0.3378805052522809, -2.076792176478972,
)  # fmt: skip


def bessel_far() -> list[float]:
    """The coefficients of exp(-x) I₁(x) √(2πx) in 1/x."""
    ratios = (Fraction((2 * k - 1) ** 2 - 4, 8 * k) for k in range(1, 32))
    return [float(c) for c in accumulate(ratios, mul, initial=Fraction(1))]


def bessel_halves(size: Tensor) -> Tensor:
    """exp(-x) I₁(x) of positive float32 numbers, computed with pairs."""
    near = size < 8
    a = near.where(size, 1.0) * 0.5
    half = halves(a)
    square = product(half, half)
    series = pairs.high_low(Fraction(BESSEL_NEAR_32[-1]), size.dtype)
    value: pairs.Pair = (a.const_like(series[0]), a.const_like(series[1]))
    for number in reversed(BESSEL_NEAR_32[:-1]):
        first, second = product(value, square)
        high, low = pairs.high_low(Fraction(number), size.dtype)
        total = exact(first + high)  # both are positive
        larger = first > high
        error = (larger.where(first, high) - total) + larger.where(high, first)
        value = pairs.normal(total, error + (second + low))
    k, r, t = elementary.exp_terms(-2 * a)
    total = exact(r + 1)
    first, second = product(value, pairs.normal(total, (exact(1 - total) + r) + t))
    inner = scale((half[1] * first + a * second) + half[0] * first, k)
    b = (near | (size == math.inf)).where(8.0, size)
    root = b.sqrt()
    top, rest = halves(root)
    lost = ((b - top * top) - rest * (root + top)) / (2 * root)
    reciprocal = 1 / b
    dividend = plus_constant(Fraction(BESSEL_FAR_32[0]), reciprocal * horner(reciprocal, BESSEL_FAR_32[1:]))
    first, second = pairs.quotient(dividend, (top, rest + lost))
    return near.where(inner, (size == math.inf).where(0.0, second + first))


def bessel_i1e(x: Tensor) -> Tensor:
    """exp(-|x|) I₁(x)."""
    size = absolute(x)
    if x.dtype == dtypes.float32:
        return is_nan(x).where(x, copy_sign(bessel_halves(size), x))
    near = size < 20
    a = near.where(size, 1.0) * 0.5
    square = exact(a * a)
    top, rest = halves(a)
    # The effect of the square's rounding error on I₁ is corrected in the exponent.
    rounding = (exact(top * top - square) + exact(2 * top * rest) + rest * rest) / (square == 0).where(1.0, square) * a
    inner = a * horner(square, BESSEL_NEAR) * exp(near.where(-size, -1.0), rounding)
    b = (near | (size == math.inf)).where(20.0, size)
    outer = horner(1 / b, bessel_far()) / (b.sqrt() * math.sqrt(2 * math.pi))
    result = near.where(inner, (size == math.inf).where(0.0, outer))
    return is_nan(x).where(x, copy_sign(result, x))


@rule("chlo.next_after", storage=True)
def next_after(x: Tensor, y: Tensor, *, types: Sequence[TensorType]) -> Tensor:
    """The next representable number after x in the direction of y."""
    a, b = (decode(value, type) for value, type in zip((x, y), types))
    bits = x.bitcast(BITS[x.dtype]) if x.dtype in BITS else x
    top = 1 << (width(bits) - 1)
    element = types[0].element
    if isinstance(element, ScalarType) and element.name in NARROW_FLOATS:
        top = 1 << (NARROW_FLOATS[element.name].bits - 1)
    negative = b.bitcast(BITS[b.dtype]) >> (width(b) - 1) != 0
    smallest = negative.where(top + 1, 1)
    away = (a < b) == (a > 0)
    following = (a == 0).where(smallest, away.where(bits + 1, bits - 1)).cast(bits.dtype)
    following = following if bits is x else following.bitcast(x.dtype)
    return is_nan(a).where(x, is_nan(b).where(y, (a == b).where(y, following)))
