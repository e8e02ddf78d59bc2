"""CHLO's special functions: the gamma function and its relatives, a Bessel function, and the neighbouring number."""

from __future__ import annotations

import math
from collections.abc import Callable
from fractions import Fraction
from typing import Any

import numpy as np

from ..ir import ScalarType
from ..tinygrad.dtypes import NARROW_FLOATS
from ..tinygrad.expressions import BITS, Tensor, exact
from .elementary import elementary, exp, halves, horner, log, log1p, log_pair, rounded_sum, sine, tangent
from .elementwise import absolute
from .floats import copy_sign, is_nan, width
from .registry import rule
from .storage import decode

EULER = 0.5772156649015329
HALF_LOG_TWO_PI = 0.9189385332046728


def bernoulli(count: int) -> list[Fraction]:
    """B₂, B₄, … by their recurrence."""
    numbers = [Fraction(1)]
    for m in range(1, 2 * count + 1):
        numbers.append(-sum((math.comb(m + 1, k) * numbers[k] for k in range(m)), Fraction(0)) / (m + 1))
    return numbers[2::2]


BERNOULLI = bernoulli(12)


def zeta_less_one(k: int) -> float:
    """ζ(k) - 1 for a whole k > 1: a sum, and Euler and Maclaurin's terms for its rest."""
    n = 20
    rest = [Fraction(1, (k - 1) * n ** (k - 1)), Fraction(1, 2 * n**k)]
    rising = Fraction(k)
    for j, number in enumerate(BERNOULLI[:8], start=1):
        rest.append(number / math.factorial(2 * j) * rising / n ** (k + 2 * j - 1))
        rising *= (k + 2 * j - 1) * (k + 2 * j)
    return float(sum((Fraction(1, i**k) for i in range(2, n)), Fraction(0)) + sum(rest, Fraction(0)))


# log Γ(2+t) = (1 - γ) t + Σ (-1)ᵏ (ζ(k) - 1) tᵏ / k, over t, for |t| ≤ ½.
LOG_GAMMA = [1 - EULER, *((-1) ** k * zeta_less_one(k) / k for k in range(2, 28))]
# Where ψ is zero and Γ least, and ψ there over the distance t: Σ ψ⁽ᵏ⁺¹⁾ tᵏ / (k+1)!.
DIGAMMA_ZERO = Fraction(1.4616321449683622) + Fraction(9.549995429965697e-17)
NEAR_ZERO = [
    *(0.9676722454476212, -0.4427631689835921, 0.258499760955651, -0.16394270544240652),
    *(0.10782405069126237, -0.07219956125645471, 0.04880428816414311, -0.03316112647484736),
    *(0.022597648232218104, -0.01542476590494896, 0.010538791616612175, -0.007204534386356869),
    *(0.004926781395729853, -0.003369801655439328, 0.002305126326734928, -0.0015769367714301972),
    *(0.0010788252019162967, -0.0007380709389960052, 0.000504953265834602, -0.0003454680251063077),
    *(0.00023635601564027053, -0.00016170622091974803, 0.0001106337276874741, -7.569179582195066e-05),
]
# The coefficients of 1/x, 1/x³ … in Stirling's series, and those of 1/x², 1/x⁴ … of its derivative.
STIRLING = [float(b / (2 * k * (2 * k - 1))) for k, b in enumerate(BERNOULLI[:9], start=1)]
STIRLING_SLOPE = [float(b / (2 * k)) for k, b in enumerate(BERNOULLI[:9], start=1)]
# Above it Stirling's series is exact to the last place; below, the recurrence leads to [1.5, 2.5].
LARGE = 12.5
LEAST_LOG_GAMMA = -0.12148629053584961


def from_zero(x: Tensor) -> tuple[Tensor, Tensor]:
    """Whether x is close to ψ's zero, and if so the distance."""
    first = float(np.asarray(float(DIGAMMA_ZERO), x.dtype.fmt))  # the nearest number, since x may be that one
    distance = exact(x - first) - float(DIGAMMA_ZERO - Fraction(first))
    near = absolute(distance) < 0.25
    return near, near.where(distance, 0.0)


def plus(x: Tensor, k: int) -> tuple[Tensor, Tensor]:
    """x + k and what its rounding loses."""
    total = exact(x + k)
    added = exact(total - x)
    return total, exact(x - exact(total - added)) + exact(k - added)


def from_nearest(size: Tensor) -> Tensor:
    """The distance to the nearest whole number, with its sign."""
    return exact(size - (size + 0.5).floor())


def log_gamma_above_zero(x: Tensor) -> Tensor:
    large = x >= LARGE
    # Down to t = x - n - 2 in [-½, ½]: log Γ(x) = log Γ(2 + t) + log((2 + t) (3 + t) … (x - 1)).
    inside = large.where(2.0, x)
    steps = (inside - 1.5).floor()
    t = exact(inside - 2) - (steps > 0).where(steps, 0.0)
    factor: Tensor = inside.const_like(1.0)
    for i in range(1, 11):
        factor = (steps >= i).where(exact(inside - i), 1.0) * factor
    # Below 1.5: log Γ(x) = log Γ(1 + x) - log x, twice below ½; near 1 the logarithm is that of 1 + (x - 1).
    one, low = exact(inside - 1), inside < 0.5
    shifted = low.where(inside, one)
    safe = large.where(x, LARGE)
    logarithm = log(large.where(safe, low.where(inside, factor)))
    middle = t * horner(t, LOG_GAMMA) + logarithm
    small = shifted * horner(shifted, LOG_GAMMA) - log1p(shifted) - low.where(logarithm, 0.0)
    reciprocal = 1 / safe
    series = reciprocal * horner(exact(reciprocal * reciprocal), STIRLING)
    stirling = (safe - 0.5) * (logarithm - 1) + ((HALF_LOG_TWO_PI - 0.5) + series)
    near, distance = from_zero(inside)
    bowl = LEAST_LOG_GAMMA + distance * distance * horner(distance, [c / (k + 2) for k, c in enumerate(NEAR_ZERO)])
    return large.where(stirling, near.where(bowl, (inside < 1.5).where(small, middle)))


def lgamma(x: Tensor) -> Tensor:
    size = absolute(x)
    finite = size < math.inf
    inside = ((size > 0) & finite).where(size, 1.0)
    positive = log_gamma_above_zero(inside)
    # Γ(x) Γ(-x) = -π / (x sin πx)
    rest = from_nearest(inside)
    s = absolute(sine(rest * math.pi))
    product = exact(s * inside)
    pole = (s == 0) | (size == 0)
    # Near zero sin πx is πx, and x² would vanish.
    tiny = inside < 1e-18
    logarithm = log(tiny.where(inside, pole.where(1.0, product)))
    reflected = tiny.where(-logarithm, math.log(math.pi) - logarithm - positive)
    result = (x < 0).where(reflected, positive)
    return is_nan(x).where(x, (~finite | pole & (x <= 0)).where(math.inf, result))


def digamma_above_zero(x: Tensor) -> Tensor:
    near, distance = from_zero(x)
    # ψ(x) = ψ(x + n) - 1/x - 1/(x + 1) …, of which little is left near the zero: the sum is kept as a pair.
    total = rest = lost = x.const_like(0.0)
    shifted = x
    for k in range(8):
        below = shifted < 8
        term = below.where(1 / shifted, 0.0)
        total, low = rounded_sum(total, term)
        rest = rest + (low - lost * term * term)
        following, rounded = plus(x, k + 1)
        shifted, lost = below.where(following, shifted), below.where(rounded, lost)
    square = exact(1 / shifted)
    square = exact(square * square)
    first, second = log_pair(shifted)
    more = first > total
    large, low = rounded_sum(more.where(first, -total), more.where(-total, first))
    slope = 0.5 / shifted + square * horner(square, STIRLING_SLOPE)
    large = large + (low + ((second + lost / shifted - rest) - slope))
    return near.where(distance * horner(distance, NEAR_ZERO), (total == math.inf).where(-total, large))


def digamma(x: Tensor) -> Tensor:
    size = absolute(x)
    usual = (size > 0) & (size < math.inf)
    inside = usual.where(size, 1.0)
    positive = digamma_above_zero(inside)
    # ψ(-x) = ψ(x) + 1/x + π / tan πx, whose first terms are infinite near zero.
    rest = from_nearest(inside)
    pole = rest == 0
    cotangent = math.pi / tangent(pole.where(0.25, rest) * math.pi)
    reciprocal = 1 / inside
    negative = (inside < 1e-20).where(reciprocal, positive + (reciprocal + cotangent))
    negative = (pole & (inside >= 0.5)).where(math.nan, negative)
    result = (x < 0).where(negative, positive)
    # Zero is a pole between two infinities, of which XLA has had the one from the right since 2026; before, it had NaN.
    return usual.where(result, (x == math.inf).where(x, (x == 0).where(-math.inf, math.nan)))


def positive_power(x: Tensor, low: Tensor, y: Tensor) -> Tensor:
    """(x + low)**y for a positive finite x."""
    first, second = log_pair(x)
    second = second + low / x
    bounded = (absolute(y) < 1e5).where(y, copy_sign(y.const_like(1e5), y))
    high, low = halves(bounded)
    return exp(first * high, first * low + second * bounded)


ZETA_TERMS = 9


def zeta(x: Tensor, q: Tensor) -> Tensor:
    """Hurwitz's zeta function: Σ (q + k)⁻ˣ, its first terms and Euler and Maclaurin's series for the rest."""
    usual = (x > 1) & (x < math.inf)
    s = usual.where(x, 2.0)
    whole_s = s == s.trunc()
    pole = (q <= 0) & (q == q.floor())
    base = (pole | (absolute(q) == math.inf) | is_nan(q)).where(1.0, q)
    total: Tensor = s.const_like(0.0)
    odd = (s * 0.5 != (s * 0.5).trunc()) & whole_s
    for k in range(ZETA_TERMS):
        a, low = plus(base, k)
        power = positive_power((a == 0).where(1.0, absolute(a)), (a < 0).where(-low, low), -s)
        total = total + ((a < 0) & odd).where(-power, power)
    a, low = plus(base, ZETA_TERMS)
    power = positive_power((a > 0).where(a, 1.0), low, -s)
    term, series = power * s / a, power * 0.5 + power * a / (s - 1)
    square = exact(1 / exact(a * a))
    for j, number in enumerate(BERNOULLI, start=1):
        series = series + term * float(number / math.factorial(2 * j))
        term = term * exact((s + (2 * j - 1)) * (s + 2 * j)) * square
    result = total + (a > 0).where(series, 0.0)
    even = x * 0.5 == (x * 0.5).floor()
    result = pole.where(even.where(math.inf, math.nan), result)
    result = ((q < 0) & ~pole & ~whole_s).where(math.nan, result)
    result = (q == math.inf).where(0.0, (q == -math.inf).where(math.nan, result))
    limit = (q > 1).where(0.0, (q == 1).where(1.0, (q > 0).where(math.inf, math.nan)))
    result = (x == math.inf).where(limit, usual.where(result, (x == 1).where(math.inf, math.nan)))
    return (is_nan(x) | is_nan(q)).where(math.nan, result)


def polygamma(n: Tensor, x: Tensor) -> Tensor:
    """(-1)ⁿ⁺¹ n! ζ(n+1, x), and digamma for n = 0."""
    order = exact(n + 1)
    odd = n * 0.5 != (n * 0.5).trunc()
    whole = (n == n.floor()) & (n >= 0)
    size = exp(log_gamma_above_zero(whole.where(order, 1.0))) * zeta(order, x)
    result = (n == 0).where(digamma(x), odd.where(size, -size))
    return whole.where(result, math.nan)


# I₁(x) = Σ (x/2)²ᵏ⁺¹ / (k! (k+1)!), over x/2, whose terms are all positive; beyond 20 its expansion at infinity, over
# 1/√(2πx).
BESSEL_NEAR = [1 / (math.factorial(k) * math.factorial(k + 1)) for k in range(56)]


def bessel_far() -> list[float]:
    terms, term = [1.0], Fraction(1)
    for k in range(1, 32):
        term *= Fraction((2 * k - 1) ** 2 - 4, 8 * k)
        terms.append(float(term))
    return terms


BESSEL_FAR = bessel_far()


def bessel_i1e(x: Tensor) -> Tensor:
    """exp(-|x|) I₁(x)."""
    size = absolute(x)
    near = size < 20
    a = near.where(size, 1.0) * 0.5
    square = exact(a * a)
    top, rest = halves(a)
    # What the square's rounding does to I₁ goes into the exponent.
    rounding = (exact(top * top - square) + exact(2 * top * rest) + rest * rest) / (square == 0).where(1.0, square) * a
    inner = a * horner(square, BESSEL_NEAR) * exp(near.where(-size, -1.0), rounding)
    b = (near | (size == math.inf)).where(20.0, size)
    outer = horner(1 / b, BESSEL_FAR) / (b.sqrt() * math.sqrt(2 * math.pi))
    result = near.where(inner, (size == math.inf).where(0.0, outer))
    return is_nan(x).where(x, copy_sign(result, x))


SPECIAL: dict[str, Callable[..., Any]] = {
    "chlo.bessel_i1e": bessel_i1e,
    "chlo.digamma": digamma,
    "chlo.lgamma": lgamma,
    "chlo.polygamma": polygamma,
    "chlo.zeta": zeta,
}
for name, function in SPECIAL.items():
    rule(name)(elementary(name, function))


@rule("chlo.next_after", storage=True)
def next_after(x: Tensor, y: Tensor, *, types: Any) -> Tensor:
    """The number of the type that follows x towards y."""
    a, b = (decode(value, type) for value, type in zip((x, y), types))
    bits = x.bitcast(BITS[x.dtype]) if x.dtype in BITS else x
    top = 1 << (width(bits) - 1)
    element = types[0].element
    if isinstance(element, ScalarType) and element.name in NARROW_FLOATS:
        top = 1 << (NARROW_FLOATS[element.name].bits - 1)
    negative = b.bitcast(BITS[b.dtype]) >> (width(b) - 1) != 0
    smallest = negative.where(top + 1, 1)
    away = (a < b) == (a > 0)
    moved = (a == 0).where(smallest, away.where(bits + 1, bits - 1)).cast(bits.dtype)
    moved = moved if bits is x else moved.bitcast(x.dtype)
    return is_nan(a).where(x, is_nan(b).where(y, (a == b).where(y, moved)))
