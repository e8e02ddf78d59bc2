"""Elementary functions of complex numbers.

Each takes the real and imaginary parts of its operands in the work dtype and returns those of the result, each with an
error of a few units in its last place. The exceptions are parts that are zero along a curve on which the other part is
not: the real parts of exponential_minus_one and logistic, and both parts of power. Their errors are small compared to
the absolute value of the result. Infinities, NaN and signs of zeros follow Annex G of the C standard, where it has the
function.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from fractions import Fraction

from ..tinygrad.expressions import BITS, Tensor, dtypes, exact
from . import elementary, pairs, roots
from .elementary import atan2, sine_cosine
from .elementwise import SIGNED_BITS, absolute, hypot, is_finite, maximum, negate, rounded_quotient
from .floats import copy_sign, is_nan
from .pairs import BIAS, PI, Pair, halves, high_low, power_of_two, product, scale, two_sum
from .values import Complex

# ---------------------------------------------------------------- steps


def within_squares(size: Tensor) -> tuple[Tensor, Tensor]:
    """n, a multiple of 6, and 2**-n, which scales numbers of this size so that their squares are normal numbers."""
    bias = BIAS[size.dtype]
    shift = bias * 2 // 15 * 6
    small, large = size < 2.0 ** -(bias // 3), size > 2.0 ** (bias // 3)
    n = small.where(-shift, large.where(shift, 0)).cast(dtypes.int32)
    return n, power_of_two(-n, size.dtype)


def total_of(*terms: Tensor) -> Pair:
    """The sum of all terms and its rounding error."""
    total, rest = two_sum(terms[0], terms[1])
    for term in terms[2:]:
        total, error = two_sum(total, term)
        rest = exact(rest + error)
    return pairs.rounded_sum(total, rest)


def square(x: Tensor) -> tuple[Tensor, Tensor, Tensor]:
    """x² as an exact sum of three numbers, the largest first."""
    low = 1 << (pairs.MANTISSA[x.dtype] // 2)
    top = pairs.head((x.bitcast(BITS[x.dtype]) + low).bitcast(x.dtype))  # to nearest, so that the rest has one bit less
    rest = x - top
    return top * top, 2 * top * rest, rest * rest


def square_sum(x: Tensor, low: Tensor | None, y: Tensor) -> Pair:
    """(x + low)² + y² as a sum of two; near 1 it is accurate to twice the precision."""
    (a, b, c), (d, e, f) = square(x), square(y)
    total, first = two_sum(a, d)
    middle, second = two_sum(b, e)
    total, third = two_sum(total, middle)
    if low is not None:
        first = exact(first + 2 * x * low)
    rest, least = total_of(first, third, c, f, second)
    total, rest = two_sum(total, rest)
    return total, rest + least


def scaled_size(x: Tensor, y: Tensor) -> tuple[Tensor, Tensor, Tensor]:
    """n, |x| · 2**-n and |x + iy| · 2**-n; the latter two are 1 if the number is zero or not finite."""
    a, b = absolute(x), absolute(y)
    usual = (a < math.inf) & (b < math.inf) & ((a != 0) | (b != 0))
    a, b = usual.where(a, 1.0), usual.where(b, 0.0)
    n, factor = within_squares(maximum(a, b))
    a, b = a * factor, b * factor
    total, rest = square_sum(a, None, b)
    size = total.sqrt()
    first, second, third = square(size)
    return n, a, size + (((exact(total - first) - second) - third) + rest) / (2 * size)


def log_size(x: Tensor, low: Tensor | None, y: Tensor) -> Tensor:
    """log|x + low + iy|."""
    size = maximum(absolute(x), absolute(y))
    usual = (size > 0) & (size < math.inf)
    n, factor = within_squares(usual.where(size, 1.0))
    rest = None if low is None else usual.where(low, 0.0) * factor
    pair = square_sum(usual.where(x, 1.0) * factor, rest, usual.where(y, 0.0) * factor)
    result = usual.where(elementary.log_sum(*pair, 2 * n) * 0.5, (size == 0).where(-math.inf, size))
    return (infinite(x) | infinite(y)).where(math.inf, result)


def growth(x: Tensor, low: Tensor | None = None) -> tuple[Tensor, Tensor]:
    """m and k with exp(x + low) = m · 2**k; for a large |x|, k is so large that any product overflows or vanishes."""
    k, r, t = elementary.exp_terms(limit_exponent(x), low)
    return (r + t) + 1, k


def limit_exponent(x: Tensor) -> Tensor:
    """x within bounds beyond which exp(x) times any number overflows or vanishes."""
    limit = 2 * elementary.EXP_LIMIT[x.dtype]
    return (absolute(x) < limit).where(x, copy_sign(x.const_like(limit), x))


def times(x: Tensor, m: Tensor, k: Tensor) -> Tensor:
    """x · m · 2**k, without intermediate overflow or underflow."""
    first = (k < 0).where((k + 1) >> 1, k.minimum(BIAS[x.dtype] - 27))  # products of subnormal numbers would be rounded
    return scale(scale(x, first) * m, k - first)


# (sinh(x) - x) / x³ in x², for |x| ≤ ⅓.
SINH = tuple(1 / math.factorial(n) for n in range(3, 14, 2))


def sinh_cosh(x: Tensor) -> tuple[Tensor, Tensor, Tensor]:
    """s, c and k with sinh(x) = s · 2**k and cosh(x) = c · 2**k."""
    size = limit_exponent(absolute(x))
    k, r, t = elementary.exp_terms(size)
    _, a, b = elementary.expm1_terms(size)
    inverse = power_of_two(k.minimum(60) * -2, x.dtype) / ((r + t) + 1)
    other = (b + a) / (1 + scale(b + a, k.minimum(100)))
    z = size * size
    less = (size < 1 / 3).where((size + size * z * pairs.horner(z, SINH)) * 2, (b + other) + a)
    return copy_sign(less, x), ((t + inverse) + r) + 1, k - 1


def sign_of(y: Tensor, x: Tensor) -> Tensor:
    """x, negated where y is negative."""
    return (y.bitcast(SIGNED_BITS[y.dtype]) < 0).where(negate(x), x)


def infinite(x: Tensor) -> Tensor:
    return absolute(x) == math.inf


# ---------------------------------------------------------------- exponential and hyperbolic functions


def exp(x: Tensor, y: Tensor) -> Pair:
    m, k = growth(x)
    s, c = sine_cosine(y)
    return correct_directions(x, y, times(c, m, k), times(s, m, k), 0.0)


def correct_directions(x: Tensor, y: Tensor, real: Tensor, imag: Tensor, least: float) -> Pair:
    """The parts of exp(x + iy) or exp(x + iy) - 1, corrected where y is not finite; `least` is the limit at x = -∞."""
    undirected = ~is_finite(y)
    real = (undirected & (x == math.inf)).where(math.inf, (undirected & (x == -math.inf)).where(least, real))
    imag = (undirected & (x == -math.inf)).where(copy_sign(x.const_like(0.0), y), imag)
    return is_nan(x).where(x, real), (y == 0).where(y, is_nan(x).where(x, imag))


def one_less(c: Tensor, s: Tensor) -> Tensor:
    """1 - c, for a cosine c and its sine s."""
    positive = c > 0
    return positive.where(s * s / positive.where(1 + c, 1.0), 1 - c)


def expm1(x: Tensor, y: Tensor) -> Pair:
    m, k = growth(x)
    s, c = sine_cosine(y)
    grown, a, b = elementary.expm1_terms(limit_exponent((x < -46).where(-46.0, x)))
    real = times(c, a + b, grown) - one_less(c, s)
    real, imag = correct_directions(x, y, real, times(s, m, k), -1.0)
    return ((x == 0) & (y == 0)).where(x, real), imag


def sinh(x: Tensor, y: Tensor) -> Pair:
    (real, imag, k), (s, c) = sinh_cosh(x), sine_cosine(y)
    real, imag = times(c, real, k), times(s, imag, k)
    real = (~is_finite(y) & ((x == 0) | infinite(x))).where(x, real)
    return is_nan(x).where(x, real), (y == 0).where(y, is_nan(x).where(x, imag))


def cosh(x: Tensor, y: Tensor) -> Pair:
    (imag, real, k), (s, c) = sinh_cosh(x), sine_cosine(y)
    real, imag = times(c, real, k), times(s, imag, k)
    real = (~is_finite(y) & infinite(x)).where(math.inf, real)
    imag = (~is_finite(y) & (x == 0)).where(0.0, imag)
    return is_nan(x).where(x, real), (is_nan(x) & (y != 0)).where(x, imag)


def tanh(x: Tensor, y: Tensor) -> Pair:
    dtype = x.dtype
    size = absolute(x)
    # Above the first limit the real part is 1, above the second the imaginary part vanishes.
    near, far = (22.0, 400.0) if dtype == dtypes.float64 else (10.0, 60.0)
    m, other, k = sinh_cosh((size < far).where(size, far))
    u, v = scale(m, k), scale(other, k)
    s, c = sine_cosine(y)
    large = size > near
    divisor = u * u + c * c
    real = copy_sign(large.where(1.0, u * v / divisor), x)
    part = s * c
    imag = large.where(rounded_quotient(rounded_quotient(part, u), u), part / divisor)
    undirected = ~is_finite(y)
    real = (undirected & (size < math.inf)).where((x == 0).where(x, math.nan), real)
    imag = (undirected & (size == math.inf)).where(copy_sign(y.const_like(0.0), y), imag)
    return is_nan(x).where(x, real), (y == 0).where(y, is_nan(x).where(x, imag))


def logistic(x: Tensor, y: Tensor) -> Pair:
    # With E = exp(-|x|), |1 + exp(-z)|² is (1 - E)² + 2E (1 + cos y), divided by E² for negative x.
    size = absolute(x)
    m, k = growth(-size)
    s, c = sine_cosine(y)
    less, more = negate(elementary.expm1(-size)), one_less(-c, s)
    e = times(x.const_like(1.0), m, k)
    divisor = less * less + 2 * e * more
    # The second form is accurate near the poles, where both terms vanish; elsewhere the first one avoids cancellation.
    sum = (e < 0.5).where(e + c, more - less)
    real = (x < 0).where(times(sum / divisor, m, k), (e * more + less) / divisor)
    imag = times(s / divisor, m, k)
    limit = ~is_finite(y) & infinite(x)
    real = limit.where((x < 0).where(0.0, 1.0), real)
    imag = limit.where(copy_sign(y.const_like(0.0), y), imag)
    return is_nan(x).where(x, real), is_nan(x).where(x, (y == 0).where(y, imag))


# ---------------------------------------------------------------- trigonometric functions


def turn_function(function: Callable[[Tensor, Tensor], Pair]) -> Callable[[Tensor, Tensor], Pair]:
    """The function f with f(z) = -i g(iz), for a function g."""

    def apply(x: Tensor, y: Tensor) -> Pair:
        real, imag = function(negate(y), x)
        return imag, negate(real)

    return apply


def cosine(x: Tensor, y: Tensor) -> Pair:
    return cosh(negate(y), x)


# ---------------------------------------------------------------- logarithms


def log(x: Tensor, y: Tensor) -> Pair:
    return log_size(x, None, y), atan2(y, x)


def log1p(x: Tensor, y: Tensor) -> Pair:
    more, low = two_sum(x, x.const_like(1.0))
    real = ((x == 0) & (y == 0)).where(x, log_size(more, low, y))
    return real, atan2(y, more)


# ---------------------------------------------------------------- roots and power


def sqrt(x: Tensor, y: Tensor) -> Pair:
    n, a, size = scaled_size(x, y)
    first = (exact(size + a) * 0.5).sqrt() * power_of_two(n >> 1, x.dtype)
    zero, unknown = (x == 0) & (y == 0), is_nan(x) | is_nan(y)
    first, second = zero.where(0.0, unknown.where(math.nan, first)), absolute(y) / (2 * first)
    second = zero.where(0.0, unknown.where(math.nan, second))
    first = infinite(x).where(math.inf, first)
    second = infinite(x).where(is_nan(y).where(math.nan, 0.0), second)
    negative = x < 0
    real, imag = negative.where(second, first), negative.where(first, second)
    real, imag = infinite(y).where(math.inf, real), infinite(y).where(math.inf, imag)
    return real, copy_sign(imag, y)


def rsqrt(x: Tensor, y: Tensor) -> Pair:
    dtype = x.dtype
    n, a, size = scaled_size(x, y)
    double = exact(size + a)
    first = (double * 0.5).sqrt() / size
    # The other part is |y| first / (|z| + |x|), computed without underflow that matters.
    small = n < 0
    once, half = power_of_two(-n, dtype), power_of_two(-(n >> 1), dtype)
    second = exact(exact(absolute(y) * small.where(once, half)) * exact(first / double)) * small.where(half, once)
    first = first * half
    zero, large = (x == 0) & (y == 0), infinite(x) | infinite(y)
    nan = (is_nan(x) | is_nan(y)) & ~large
    negative = x < 0
    real, imag = negative.where(second, first), negative.where(first, second)
    real = zero.where(math.inf, large.where(0.0, nan.where(math.nan, real)))
    imag = zero.where(math.nan, large.where(0.0, nan.where(math.nan, imag)))
    return real, copy_sign(imag, negate(y))


def cbrt(x: Tensor, y: Tensor) -> Pair:
    n, _, size = scaled_size(x, y)
    root = roots.cbrt(size) * power_of_two(n.div(3, rounding_mode="trunc"), x.dtype)
    s, c = sine_cosine(rounded_quotient(atan2(y, x), x.const_like(3.0)))
    # Near the positive real axis the angle may be subnormal, and so inaccurate.
    flat = (x > 0) & (absolute(y) < x * 2.0**-30)
    real = root * c
    slope = rounded_quotient(rounded_quotient(root, x.const_like(3.0)), flat.where(x, 1.0))
    imag = flat.where(y * slope, root * s)
    zero, large = (x == 0) & (y == 0), infinite(x) | infinite(y)
    real = large.where(copy_sign(c.const_like(math.inf), c), real)
    imag = large.where((s == 0).where(s, copy_sign(s.const_like(math.inf), s)), imag)
    return zero.where(0.0, is_nan(c).where(c, real)), zero.where(y, is_nan(c).where(c, imag))


def log_size_pair(x: Tensor, y: Tensor) -> Pair:
    """log|z| of a finite nonzero z, as a pair more accurate than the dtype."""
    n, factor = within_squares(maximum(absolute(x), absolute(y)))
    total, rest = square_sum(x * factor, None, y * factor)
    first, second = elementary.log_pair(total)
    high, low = high_low(pairs.LN2, x.dtype)
    turns = n.cast(x.dtype)
    whole, error = two_sum(turns * high, first * 0.5)
    return pairs.normal(whole, error + ((second + rest / total) * 0.5 + turns * low))


def angle_pair(y: Tensor, x: Tensor) -> Pair:
    """atan2(y, x) of finite numbers that are not both 0, as a pair more accurate than the dtype; see `atan2`."""
    dtype = x.dtype
    _, factor = within_squares(maximum(absolute(x), absolute(y)))
    a, b = absolute(x) * factor, absolute(y) * factor
    steep = a < b
    t = pairs.quotient(halves(steep.where(a, b)), halves(steep.where(b, a)))
    c = (t[0] * 4 + 0.5).trunc() * 0.25
    u = pairs.quotient((exact(t[0] - c), t[1]), pairs.normal(exact(c * t[0] + 1), c * t[1]))
    square = product(u, u)
    z = square[0] + square[1]
    first, *others = elementary.ATAN[dtype]
    third = product(product(square, u), pairs.plus_constant(Fraction(first), z * pairs.horner(z, others)))
    quarters = [high_low(angle, dtype) for angle in elementary.ATAN_QUARTERS]
    high, low = (elementary.chosen([c == i / 4 for i in range(4)], [q[half] for q in quarters], c) for half in (0, 1))
    terms = [high, low, *u, *third]
    for condition, angle in ((steep, PI / 2), (x.bitcast(SIGNED_BITS[dtype]) < 0, PI)):
        terms = [condition.where(negate(term), term) for term in terms]
        for i, part in enumerate(high_low(angle, dtype)):
            terms[i] = condition.where(terms[i] + part, terms[i])
    total, error = two_sum(terms[0], terms[2])
    total, other = two_sum(total, terms[4])
    result = pairs.normal(total, exact(error + other) + ((terms[3] + terms[5]) + terms[1]))
    return copy_sign(result[0], y), sign_of(y, result[1])


def pair_sum(a: Pair, b: Pair) -> Pair:
    total, error = two_sum(a[0], b[0])
    return pairs.rounded_sum(total, exact(a[1] + b[1]) + error)


def power(x: Tensor, y: Tensor, u: Tensor, v: Tensor) -> Pair:
    """exp(w · log z), with w · log z more accurate than the dtype; 1 where w = 0 or z = 1."""
    dtype = x.dtype
    one = ((x == 1) & (y == 0)) | ((u == 0) & (v == 0))
    undefined = is_nan(x) | is_nan(y) | is_nan(u) | is_nan(v)
    zero, large = (x == 0) & (y == 0), infinite(x) | infinite(y)
    known = is_finite(u) & is_finite(v) & ~zero & ~large | ((x > 0) & (y == 0) & (v == 0))
    usual = ~(zero | large | undefined)
    x, y = usual.where(x, zero.where(0.5, 2.0)), usual.where(y, 0.0)
    # Where log z is infinite, so is its product with w, part by part.
    u, v = (usual.where(part, (part == 0).where(part, copy_sign(part.const_like(math.inf), part))) for part in (u, v))
    most = 2.0 ** (BIAS[dtype] - 16)
    a, b = (halves((absolute(part) < most).where(part, copy_sign(part.const_like(most), part))) for part in (u, v))
    size, angle = log_size_pair(x, y), angle_pair(y, x)
    turned_size, turned_angle = product(b, size), product(b, angle)
    real, low = pair_sum(product(a, size), (negate(turned_angle[0]), negate(turned_angle[1])))
    phase, rest = pair_sum(product(a, angle), turned_size)
    # Products of pairs lose the sign of a zero.
    phase = (phase == 0).where(exact(a[0] * angle[0]), phase)
    limit = elementary.EXP_LIMIT[dtype]
    m, k = growth(real, (absolute(real) < limit).where(low, 0.0))
    s, c = sine_cosine(phase)
    s, c = (phase == 0).where(phase, s + c * rest), c - s * rest
    real_part, imag_part = times(c, m, k), times(s, m, k)
    # Without a known direction, only 0 and ∞ are results.
    above, below = real > limit, real < -limit
    real_part = known.where(real_part, above.where(math.inf, below.where(0.0, math.nan)))
    imag_part = known.where(imag_part, below.where(0.0, math.nan))
    real, imag = (undefined.where(math.nan, part) for part in (real_part, imag_part))
    return one.where(1.0, real), one.where(0.0, imag)


# ---------------------------------------------------------------- inverse functions


def inverse_sine(a: Tensor, b: Tensor) -> tuple[Tensor, Tensor, Tensor]:
    """For a = |x| and b = |y|, the legs of a triangle whose angle is the real part of asin, and the imaginary part.

    By Hull, Fairgrieve and Tang: if r and s are the distances from -1 and 1, and A is their mean, the real part is the
    angle of a and √(A² - a²), and the imaginary part is log(A + √(A² - 1)). The differences under the roots are
    computed as sums of nonnegative numbers.
    """
    large = ~((a < 2.0**30) & (b < 2.0**30))
    n, _, size = scaled_size(a, b)
    x, y = large.where(2.0, a), large.where(0.0, b)
    more, less = exact(x + 1), exact(1 - x)
    r, s = (more * more + y * y).sqrt(), hypot(less, y)
    mean = (r + s) * 0.5
    far, near = exact(r + more), exact(s + absolute(less))
    inside, outside = less > 0, less < 0
    # (y² / far + y² / near) / 2 divided by y², and its variant (y² / far + near) / 2.
    over_squares = 0.5 / far + 0.5 / (near == 0).where(1.0, near)
    # Twice the latter: where it is subnormal, a half would be rounded.
    twice = y * y / far + near
    # A - 1 and √(A² - 1)
    above = inside.where(y * y * over_squares, 0.5 * twice)
    leg = inside.where(y * (exact(mean + 1) * over_squares).sqrt(), (exact(exact(mean + 1) * 0.5) * twice).sqrt())
    other = outside.where(y * (exact(mean + x) * over_squares).sqrt(), (exact(exact(mean + x) * 0.5) * twice).sqrt())
    first, second = elementary.one_plus(*two_sum(leg, above))
    result = elementary.log_sum(large.where(size, first), large.where(0.0, second), large.where(n + 1, 0))
    infinity = (a == math.inf) | (b == math.inf)
    result = infinity.where(math.inf, (is_nan(a) | is_nan(b)).where(math.nan, result))
    result = (leg == 0).where(large.where(result, 0.0), result)
    return large.where(a, x), large.where(b, other), result


def asin(x: Tensor, y: Tensor) -> Pair:
    a, leg, imag = inverse_sine(absolute(x), absolute(y))
    return copy_sign((x == 0).where(0.0, atan2(a, leg)), x), copy_sign(imag, y)


def acos(x: Tensor, y: Tensor) -> Pair:
    _, leg, imag = inverse_sine(absolute(x), absolute(y))
    return (x == 0).where(math.pi / 2, atan2(leg, x)), copy_sign(imag, negate(y))


def acosh(x: Tensor, y: Tensor) -> Pair:
    real, imag = acos(x, y)
    return absolute(imag), copy_sign(real, y)


def atanh(x: Tensor, y: Tensor) -> Pair:
    a, b = absolute(x), absolute(y)
    known = (a < 2.0**60) & (b < 2.0**60)
    less = exact(1 - a)
    size = hypot(a * 0.25, b * 0.25)
    far = rounded_quotient(rounded_quotient(a * 0.25, size), size)
    pole = (less == 0) & (b < 2.0**-30)
    first, second = elementary.one_plus(known.where(4 * a / pole.where(1.0, less * less + b * b), far))
    # At the pole the ratio is 4 / y², which may overflow.
    near = pole.where((b == 0).where(1.0, b), first)
    real = elementary.log_sum(near, pole.where(0.0, second), pole.where(-1, 0)) * pole.where(-0.5, 0.25)
    real = (pole & (b == 0)).where(math.inf, real)
    real = (infinite(x) | infinite(y) | (x == 0)).where(0.0, (is_nan(x) | is_nan(y)).where(math.nan, real))
    angle = 0.5 * atan2(known.where(2 * b, 0.0), known.where(less * (1 + a) - b * b, -1.0))
    angle = ((is_nan(x) & ~infinite(y)) | is_nan(y)).where(math.nan, angle)
    return copy_sign(real, x), copy_sign(angle, y)


def complex_atan2(y: Tensor, v: Tensor, x: Tensor, u: Tensor) -> Pair:
    """-i log((x + iy) / √(x² + y²)), for complex y + iv and x + iu."""
    largest = maximum(maximum(absolute(x), absolute(u)), maximum(absolute(y), absolute(v)))
    _, factor = within_squares(largest)
    x, u, y, v = (part * factor for part in (x, u, y, v))
    # The result is the arc tangent of the smaller ratio plus a multiple of π/2, which the logarithm determines.
    first, second = Complex(x - v, u + y), Complex(x + v, u - y)
    square = first * second
    ratio = first / Complex(*sqrt(square.real, square.imag))
    steep = hypot(x, u) < hypot(y, v)
    a, b = Complex(steep.where(x, y), steep.where(u, v)), Complex(steep.where(y, x), steep.where(v, u))
    small = a / b
    real, imag = turn_function(atanh)(small.real, small.imag)
    real, imag = (steep.where(negate(part), part) for part in (real, imag))
    count = ((atan2(ratio.imag, ratio.real) - real) * (2 / math.pi)).round()
    high, low = high_low(PI / 2, x.dtype)
    return exact(count * low + real) + count * high, imag
