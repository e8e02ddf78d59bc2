"""Elementary functions of real numbers, and power.

They are composed of tinygrad's arithmetic and of operations on bits: tinygrad's own exp2, log2 and sin are not accurate
enough, and not every device has a C library. The same formulas serve float32 and float64, as they contain only integers
and arithmetic in the operands' dtype. In float64 most errors are below 1 unit in the last place, those of logistic and
erfc below 3; in float32 all are below 2. tests/accuracy.py prints them.

Two things recur. A `Pair` is an unevaluated sum of two tensors; the first one uses only half of the significand's bits,
so that products of firsts are exact. And `exact` hides a rounded value from tinygrad, which simplifies floats like real
numbers: (a + b) - a becomes b, and (x + 1) + y becomes (x + y) + 1. Its C code also contains a + b + c for a + (b + c),
and often a - b + c for a - (b - c). So in a sum of three terms, the two that must be added first stand on the left or
inside `exact`.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from fractions import Fraction
from itertools import pairwise

from ..tinygrad.expressions import BITS, DType, Tensor, dtypes, exact
from .elementwise import SIGNED_BITS, UNSIGNED, absolute, add, is_float, multiply, rounded_quotient
from .floats import copy_sign, is_nan, width

Pair = tuple[Tensor, Tensor]

MANTISSA = {dtypes.float32: 23, dtypes.float64: 52}
BIAS = {dtypes.float32: 127, dtypes.float64: 1023}
# exp overflows above this number, and is zero below its negative.
EXP_LIMIT = {dtypes.float32: 104.0, dtypes.float64: 746.0}
# erfc is zero above this number.
ERFC_LIMIT = {dtypes.float32: 11.0, dtypes.float64: 28.0}

# ---------------------------------------------------------------- constants


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


# ---------------------------------------------------------------- exact steps


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


# ---------------------------------------------------------------- exponential functions

# (exp(r) - 1 - r) / r² for |r| ≤ ½ ln 2; r² times its error is below 2⁻³⁴ and 2⁻⁶⁴.
EXP = {
    dtypes.float32: (
        0.5000000079008562, 0.16666666863802687, 0.04166626616703447, 0.008333263743906498, 0.0013946346514135722,
        0.0001991869165293646,
    ),
    dtypes.float64: (
        0.5, 0.16666666666666685, 0.04166666666666673, 0.008333333333316624, 0.0013888888888858365,
        0.00019841269897348938, 2.480158737399984e-05, 2.755723394129755e-06, 2.7557233090222525e-07,
        2.511234465043321e-08, 2.092703463135008e-09,
    ),
}  # fmt: skip


def exp_terms(x: Tensor, low: Tensor | None = None) -> tuple[Tensor, Tensor, Tensor]:
    """k, r and t with exp(x + low) = 2**k · (1 + r + t), |r| ≤ ½ ln 2 and t about r²/2. |x| is below 2¹¹."""
    k = (x * (1 / math.log(2)) + 4096.5).cast(dtypes.int32) - 4096
    n = k.cast(x.dtype)
    high, rest = high_low(LN2, x.dtype)
    first = exact(x - n * high)
    second = n * -rest if low is None else n * -rest + low
    r = exact(first + second)
    return k, r, ((first - r) + second) + r * r * horner(r, EXP[r.dtype])


def exp(x: Tensor, low: Tensor | None = None, lift: Tensor | None = None) -> Tensor:
    """exp(x + low) · 2**lift; with a lift, the result must be near 1 or smaller."""
    usual = absolute(x) < (EXP_LIMIT[x.dtype] if lift is None else 2000.0)
    k, r, t = exp_terms(usual.where(x, 0.0), None if low is None else usual.where(low, 0.0))
    total = exact(r + 1)
    result = scale(((exact(1 - total) + r) + t) + total, k if lift is None else scalable(k + lift, x.dtype))
    return usual.where(result, (x < 0).where(0.0, (x > 0).where(math.inf, x)))


def expm1_terms(x: Tensor) -> tuple[Tensor, Tensor, Tensor]:
    """k and a pair (a, b) with exp(x) - 1 = 2**k · (a + b), for x above -46."""
    k, r, t = exp_terms(x)
    # 2**k (1 + r + t) - 1 is 2**k times (1 - 2**-k) + r + t.
    minus = -power_of_two(-k.minimum(BIAS[x.dtype] - 1), x.dtype)
    growing = k > 0
    rest, low = rounded_sum(growing.where(1.0, minus), growing.where(minus, 1.0))
    top = head((r + t) + rest)
    return k, top, (((rest - top) + r) + t) + low


def expm1(x: Tensor) -> Tensor:
    usual = (x > -46) & (x < EXP_LIMIT[x.dtype])
    k, a, b = expm1_terms(usual.where(x, 0.0))
    result = usual.where(scale(b + a, k), (x < 0).where(-1.0, (x > 0).where(math.inf, x)))
    return (x == 0).where(x, result)


def sinh(x: Tensor) -> Tensor:
    # With e = exp(|x|) - 1, |sinh x| is (e + e / (e + 1)) / 2.
    size = absolute(x)
    usual = size < EXP_LIMIT[x.dtype]
    k, a, b = expm1_terms(usual.where(size, 0.0))
    other = (b + a) / (1 + scale(b + a, k))
    return copy_sign(usual.where(scale((b + other) + a, k - 1), is_nan(x).where(x, math.inf)), x)


def cosh(x: Tensor) -> Tensor:
    size = absolute(x)
    usual = size < EXP_LIMIT[x.dtype]
    k, r, t = exp_terms(usual.where(size, 0.0))
    other = power_of_two(k.minimum(60) * -2, x.dtype) / ((r + t) + 1)
    return usual.where(scale(((t + other) + r) + 1, k - 1), is_nan(x).where(x, math.inf))


def tanh(x: Tensor) -> Tensor:
    # With e = exp(-2|x|) - 1, |tanh x| is -e / (2 + e).
    size = absolute(x)
    k, a, b = expm1_terms((size < 22).where(size, 22.0) * -2)
    a, b = scale(a, k), scale(b, k)
    top = head((b + a) + 2)
    first, second = quotient((a, b), (top, (exact(2 - top) + a) + b))
    tiny = size < 2.0 ** -(MANTISSA[x.dtype] // 2 + 2)
    return is_nan(x).where(x, tiny.where(x, copy_sign(second + first, x)))


def logistic(x: Tensor) -> Tensor:
    # With e = exp(-|x|) it is 1 / (1 + e), and e / (1 + e) for negative x, whose small values are scaled last.
    size, negative = absolute(x), x < 0
    limit = EXP_LIMIT[x.dtype]
    k, r, t = exp_terms(-(size < limit).where(size, limit))
    if x.dtype == dtypes.float64:  # with an error below 3 units, as pairs would take three times as long
        e = (r + t) + 1
        divisor = 1 + scale(e, k)
        result, small = 1 / divisor, e / divisor
    else:
        total = exact(r + 1)
        top, rest = normal(total, (exact(1 - total) + r) + t)
        e = scale(top, k)
        sum = exact(1 + e)
        divisor = normal(sum, (exact(1 - sum) + e) + scale(rest, k))
        first, second = quotient((negative.where(top, 1.0), negative.where(rest, 0.0)), divisor)
        result = small = second + first
    return is_nan(x).where(x, negative.where(scale(small, k), result))


# ---------------------------------------------------------------- logarithms

# (log((1+s)/(1-s)) - 2s) / s³ as a polynomial in z = s², for m between √½ and √2, s = (m-1)/(m+1); z times its error
# is below 2⁻³⁶ and 2⁻⁶⁵.
LOG = {
    dtypes.float32: (0.6666666564255478, 0.4000033605138947, 0.28537245696309976, 0.23583457984153558),
    dtypes.float64: (
        0.6666666666666666, 0.40000000000006286, 0.28571428569072577, 0.22222222648819698, 0.18181775502629904,
        0.15387097914017686, 0.13249956094754414, 0.1325280810946894,
    ),
}  # fmt: skip
# The same without the terms 2/3 s³ and 2/5 s⁵, over s⁷; z³ times its error is below 2⁻⁴² and 2⁻⁷⁴.
LOG_TAIL = {
    dtypes.float32: (0.2857159868200307, 0.2219810758502458, 0.19268489677608813),
    dtypes.float64: (
        0.2857142857142857, 0.22222222222222962, 0.18181818181293594, 0.15384615526455275, 0.1333331452003399,
        0.11766058197008306, 0.10472692251396395, 0.10619190663370158,
    ),
}  # fmt: skip


def log_sum(x: Tensor, low: Tensor | None = None, exponent: Tensor | None = None) -> Tensor:
    """log((x + low) · 2**exponent), for a positive finite x."""
    # With s = f / (f + 2), log(1 + f) is f - f²/2 + s · (f²/2 + z · …); the three large terms are added exactly.
    m, k = significand(x)
    f = exact(m - 1)
    f, tail = (f, None) if low is None else rounded_sum(f, scale(low, -k))
    n = (k if exponent is None else k + exponent.cast(dtypes.int32)).cast(x.dtype)
    s = f / (f + 2)
    z = s * s
    a, b = halves(f)
    half = a * a * 0.5
    half_low = b * (f + a) * 0.5
    high, rest = high_low(LN2, x.dtype)
    small = ((half_low + half + z * horner(z, LOG[z.dtype])) * s + n * rest) - half_low
    first, error = rounded_sum(n * high, f)
    second, other = rounded_sum(first, -half)
    return (((small if tail is None else small + tail) + error) + other) + second


def log_pair(x: Tensor) -> Pair:
    """log(x) with a relative error of about 2⁻⁶⁸ (2⁻³³ in float32), for a positive finite x."""
    m, k = significand(x)
    n = k.cast(x.dtype)
    divisor = head(m + 1)
    s = quotient(halves(exact(m - 1)), (divisor, exact(1 - divisor) + m))
    z = product(s, s)
    square = z[1] + z[0]
    third = product(z, plus_constant(Fraction(2, 5), square * horner(square, LOG_TAIL[x.dtype])))
    t = product(product(s, z), plus_constant(Fraction(2, 3), third[1] + third[0]))
    high, rest = high_low(LN2, x.dtype)
    whole = n * high
    top = head((2 * s[0] + t[0]) + whole)
    low = (2 * s[1] + t[1]) + n * rest
    return top, low + exact(((whole - top) + 2 * s[0]) + t[0])


def log(x: Tensor) -> Tensor:
    usual = (x > 0) & (x < math.inf)
    edge = (x == 0).where(-math.inf, (x < 0).where(math.nan, x))
    return usual.where(log_sum(usual.where(x, 1.0)), edge)


def one_plus(first: Tensor, second: Tensor | float = 0.0) -> Pair:
    """1 + first + second as a sum of two, for |second| far below |first|."""
    less = first < 1
    total, low = rounded_sum(less.where(1.0, first), less.where(first, 1.0))
    return total, low + second


def log1p(x: Tensor) -> Tensor:
    usual = (x > -1) & (x < math.inf) & (x != 0)
    edge = (x == -1).where(-math.inf, (x < -1).where(math.nan, x))
    return usual.where(log_sum(*one_plus(usual.where(x, 1.0))), edge)


def asinh(x: Tensor) -> Tensor:
    # log(1 + a + a² / (1 + √(1 + a²))), or log(2a) where a is so large that a² + 1 rounds to a².
    size = absolute(x)
    large = size > 2.0**30
    a = large.where(1.0, size)
    square = a * a
    first, second = rounded_sum(a, square / (1 + (square + 1).sqrt()))
    return copy_sign(from_log(size, large, first, second), x)


def acosh(x: Tensor) -> Tensor:
    # log(1 + t + √(t (t + 2))) with t = x - 1.
    large = x > 2.0**30
    t = exact((large | (x < 1)).where(1.0, x) - 1)
    result = from_log(x, large, *rounded_sum((t * (t + 2)).sqrt(), t))
    return (x < 1).where(math.nan, result)


def from_log(x: Tensor, large: Tensor, first: Tensor, second: Tensor) -> Tensor:
    """log(1 + first + second), or log(2x) where `large` is true."""
    usual = x < math.inf
    total, low = one_plus(first, second)
    result = log_sum((large & usual).where(x, total), large.where(0.0, low), large)
    return usual.where(result, x)


def atanh(x: Tensor) -> Tensor:
    # log(1 + 2a / (1 - a)) / 2
    size = absolute(x)
    a = (size < 1).where(size, 0.0)
    first, second = halves(a)
    divisor = exact(1 - a)
    top = head(divisor)
    ratio = quotient((2 * first, 2 * second), (top, (exact(1 - divisor) - a) + (divisor - top)))
    result = 0.5 * log_sum(*one_plus(*ratio))
    tiny = size < 2.0 ** -(MANTISSA[x.dtype] // 2 + 2)
    result = tiny.where(size, (size < 1).where(result, (size == 1).where(math.inf, math.nan)))
    return copy_sign(result, x)


# ---------------------------------------------------------------- trigonometric functions

# (sin(r) - r) / r³ and (cos(r) - 1 + r²/2) / r⁴ as polynomials in r², for |r| ≤ π/4; errors below 2⁻³³ and 2⁻⁶⁴.
SINE = {
    dtypes.float32: (-0.1666666664163743, 0.008333329385262933, -0.00019839334403909926, 2.7183064334345955e-06),
    dtypes.float64: (
        -0.16666666666666666, 0.008333333333333323, -0.00019841269841255129, 2.7557319214222622e-06,
        -2.5052104920124196e-08, 1.6058367734402343e-10, -7.578753693924392e-13,
    ),
}  # fmt: skip
COSINE = {
    dtypes.float32: (0.04166664687755346, -0.0013887367830459634, 2.4438471006052756e-05),
    dtypes.float64: (
        0.0416666666666666, -0.0013888888888874162, 2.480158728950533e-05, -2.755731435907495e-07,
        2.0875724194617164e-09, -1.1359695508257462e-11,
    ),
}  # fmt: skip


def quarter_turns(size: Tensor) -> tuple[Tensor, Tensor, Tensor]:
    """The number of quarter turns nearest to an angle, modulo 4, and the rest of the angle as a sum of two tensors.

    This is accurate for every angle ≥ ½, by the method of Payne and Hanek: the only bits of 2/π that matter are those
    whose products with the significand are neither multiples of 4 nor too small for the result. They are a window of
    three words in the binary digits of 2/π, which are multiplied as integers.
    """
    dtype, unsigned, word = size.dtype, BITS[size.dtype], width(size)
    mantissa = MANTISSA[dtype]
    bits = size.bitcast(unsigned)
    # The window begins at bit `start`; `top` is 1 for the largest exponent alone, which would double the table.
    exponent = (bits >> mantissa).cast(dtypes.int32) - (BIAS[dtype] - 1)
    top = (exponent >> (BIAS[dtype].bit_length())) & 1
    start = exponent - top
    m = ((bits & ((1 << mantissa) - 1)) | (1 << mantissa)) << top.cast(unsigned)
    count = (BIAS[dtype] + 1) // word + 3
    digits = int(2 / PI * 2 ** (count * word - mantissa - 3))
    words = [bits.const_like(digits >> (word * (count - 1 - i)) & ((1 << word) - 1)) for i in range(count)]
    step = 1 << ((BIAS[dtype] // word).bit_length() - 1)
    while step:
        far = (start & (step * word)) != 0
        words = [far.where(later, earlier) for earlier, later in zip(words, words[step:])]
        step //= 2
    shift = (start & (word - 1)).cast(unsigned)
    back = (word - 1) - shift
    # tinygrad folds shifts of constants as if they had no width.
    every = (1 << word) - 1
    window = [((a << shift) & every) | ((b >> 1) >> back) for a, b in pairwise(words)]
    # The product modulo 4 quarter turns, as a fraction of two words.
    low = multiply(m, window[1])
    below = add(low, upper_product(m, window[2]))
    above = add(add(multiply(m, window[0]), upper_product(m, window[1])), (below < low).cast(unsigned))
    quadrant = (add(above, above.const_like(1 << (word - 3))) >> (word - 2)).cast(dtypes.int32)
    # The fraction of a quarter turn, between -½ and ½: its sign, and its magnitude as a pair.
    above, below = ((above << 2) & every) | (below >> (word - 2)), (below << 2) & every
    negative = (above >> (word - 1)) != 0
    above = negative.where(above ^ every, above)
    below = negative.where(below ^ every, below)
    cut = mantissa // 2
    first = (above >> cut).cast(dtype) * 2.0 ** (cut - word)
    second = (above & ((1 << cut) - 1)).cast(dtype) * 2.0**-word
    third = below.cast(dtype) * 2.0 ** (-2 * word)
    top = head((second + first) + third)
    rest = ((first - top) + second) + third
    high, low = high_low(PI / 2, dtype)
    a, b = top * high, top * low + rest * (high + low)
    r = exact(a + b)
    s = (a - r) + b
    return quadrant, negative.where(-r, r), negative.where(-s, s)


def upper_product(a: Tensor, b: Tensor) -> Tensor:
    """The upper word of a product of unsigned integers, for an `a` whose two highest bits are 0."""
    half = width(a) // 2
    mask = (1 << half) - 1
    upper, lower = a >> half, a & mask
    first = multiply(lower, b & mask) >> half
    second = add(multiply(upper, b & mask), first)
    third = add(multiply(lower, b >> half), second & mask)
    return add(add(multiply(upper, b >> half), second >> half), third >> half)


def reduced_sine_cosine(x: Tensor) -> tuple[Tensor, Pair, Pair]:
    """The quarter turns nearest to |x|, modulo 4; the sine and cosine of the rest, the larger part of each first."""
    size = absolute(x)
    small = size < math.pi / 4
    quadrant, r, low = quarter_turns(small.where(1.0, size))
    quadrant, low = small.where(0, quadrant), small.where(0.0, low)
    r = small.where(size, (size < math.inf).where(r, math.nan))
    z = r * r
    half = z * 0.5
    sine = z * r * horner(z, SINE[x.dtype]) + low * (1 - half)
    most = exact(1 - half)
    cosine = (exact(1 - most) - half) + (z * z * horner(z, COSINE[x.dtype]) - r * low)
    return quadrant, (r, sine), (most, cosine)


def sine_cosine(x: Tensor) -> Pair:
    quadrant, sines, cosines = reduced_sine_cosine(x)
    sine, cosine = sines[1] + sines[0], cosines[1] + cosines[0]
    odd = (quadrant & 1) != 0
    s, c = odd.where(cosine, sine), odd.where(sine, cosine)
    s = (((quadrant & 2) != 0) != (x < 0)).where(-s, s)
    return (x == 0).where(x, s), (((quadrant + 1) & 2) != 0).where(-c, c)


def sine(x: Tensor) -> Tensor:
    return sine_cosine(x)[0]


def tangent(x: Tensor) -> Tensor:
    quadrant, sine, cosine = reduced_sine_cosine(x)
    odd = (quadrant & 1) != 0
    dividend, divisor = (normal(*(odd.where(b, a) for a, b in zip(p, q))) for p, q in ((sine, cosine), (cosine, sine)))
    high, low = quotient(dividend, divisor)
    size = low + high
    return (x == 0).where(x, (odd != (x < 0)).where(-size, size))


# (atan(u) - u) / u³ as a polynomial in u², for |u| ≤ 3/16; u² times its error is below 2⁻⁴³ and 2⁻⁶⁴.
ATAN = {
    dtypes.float32: (
        -0.33333333324023723, 0.19999996231635384, -0.14285218339044006, 0.1108252812229484, -0.08336189639725447,
    ),
    dtypes.float64: (
        -0.33333333333333326, 0.19999999999991747, -0.14285714283104897, 0.11111110711890407, -0.0909087525368276,
        0.07690632029430629, -0.06618269142623882, 0.05120396510799733,
    ),
}  # fmt: skip
# atan(i / 4)
ATAN_QUARTERS = (Fraction(0), inverse_tangent(4), inverse_tangent(2), 2 * inverse_tangent(3), PI / 4)


def atan(x: Tensor) -> Tensor:
    return atan2(x, x.const_like(1.0))


def atan2(y: Tensor, x: Tensor, correction: Tensor | None = None) -> Tensor:
    """The angle of the point (x, y), plus a correction that is far smaller.

    The ratio t of the smaller to the larger of |x| and |y| is reduced by the nearest multiple c of ¼: atan(t) is
    atan(c) + atan((t - c) / (1 + c t)).
    """
    dtype = x.dtype
    ax, ay = absolute(x), absolute(y)
    steep = ax < ay
    small, large = steep.where(ax, ay), steep.where(ay, ax)
    equal = small == large
    small, large = equal.where((large == 0).where(0.0, 1.0), small), equal.where(1.0, large)
    # Scale tiny numbers, as remainders of the division would underflow, and those whose reciprocal is not normal.
    far = (large > 2.0 ** (BIAS[dtype] - 3)).where(0.125, 1.0)
    factor = (large < 2.0 ** -(BIAS[dtype] // 2)).where(2.0 ** (BIAS[dtype] * 3 // 5), far)
    small, large = small * factor, large * factor
    t, low = quotient(halves(small), halves(large))
    whole = small / large
    c = (whole * 4 + 0.5).trunc() * 0.25
    near = whole < 0.1875
    u = near.where(whole, ((t - c) + low) / (1 + c * whole))
    z = u * u
    rounding = (near & (whole > 2.0**-40)).where((t - whole) + low, 0.0)
    v = rounding + u * (z * horner(z, ATAN[dtype]))
    quarters = [high_low(angle, dtype) for angle in ATAN_QUARTERS]
    high, rest = (chosen([near, c == 0.25, c == 0.5, c == 0.75], [q[half] for q in quarters], c) for half in (0, 1))
    for condition, angle in ((steep, PI / 2), (x.bitcast(SIGNED_BITS[dtype]) < 0, PI)):
        first, second = high_low(angle, dtype)
        high, rest = condition.where(first - high, high), condition.where(second - rest, rest)
        u, v = condition.where(-u, u), condition.where(-v, v)
    v = exact(v + rest if correction is None else (v + rest) + correction)
    return is_nan(x).where(x, is_nan(y).where(y, copy_sign((v + u) + high, y)))


def chosen(conditions: Sequence[Tensor], numbers: Sequence[float], like: Tensor) -> Tensor:
    """The number that belongs to the first true condition; the last number if none is true."""
    result: Tensor = like.const_like(numbers[-1])
    for condition, number in zip(reversed(conditions), reversed(numbers[:-1])):
        result = condition.where(number, result)
    return result


def other_leg(x: Tensor) -> Pair:
    """√(1 - x²) and its rounding error, for |x| ≤ 1."""
    size = absolute(x)
    less, more = exact(1 - size), exact(1 + size)
    leg = (less * more).sqrt()
    a, b, c = head(less), head(more), head(leg)
    low = (exact(1 - less) - size) + (less - a)
    other = (exact(1 - more) + size) + (more - b)
    error = (a * b - c * c) + ((a * other + low * more) - (leg - c) * (leg + c))
    return leg, error / (leg == 0).where(1.0, 2 * leg)


def asin(x: Tensor) -> Tensor:
    leg, low = other_leg(x)
    return atan2(x, leg, -absolute(x) * low)


def acos(x: Tensor) -> Tensor:
    leg, low = other_leg(x)
    return atan2(leg, x, x * low)


# ---------------------------------------------------------------- roots and power

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


# ---------------------------------------------------------------- error functions

# erf(x) / x - 1 as a polynomial in x², for |x| ≤ ½; error below 2⁻³⁶ and 2⁻⁶⁵.
ERF = {
    dtypes.float32: (
        0.12837916708248617, -0.37612638527634995, 0.11283774070474477, -0.026863148441894816, 0.0052004336154296595,
        -0.0007694774935764009,
    ),
    dtypes.float64: (
        0.1283791670955126, -0.3761263890318375, 0.1128379167095487, -0.02686617064500007, 0.005223977622023477,
        -0.0008548326511407179, 0.00012055286243361882, -1.4923004808813674e-05, 1.6371261008467915e-06,
        -1.4621112923614405e-07,
    ),
}  # fmt: skip
# (1 + 2x) exp(x²) erfc(x) for x between ½ and `ERFC_LIMIT` as a polynomial in (x - 3.75) / (x + 3.75); errors below
# 2⁻³⁴ and 2⁻⁵⁶, relative.
ERFC = {
    dtypes.float32: (
        1.237512630815274, -0.14024059810995215, 0.003585420261596945, 0.0822767070254105, -0.10880410428901856,
        0.09230486677244822, -0.058690972325157395, 0.028358848214737532, -0.009762162718076341, 0.001762007943756022,
        0.0003397087820941174, -0.0002820670485917565,
    ),
    dtypes.float64: (
        1.2375126308378275, -0.1402405985855468, 0.0035854154854671316, 0.08227673849012251, -0.1088039301419298,
        0.09230432116129123, -0.05869339858491635, 0.02836227740236921, -0.009746579621151908, 0.0017556260165113402,
        0.0002937141581270579, -0.0002901550434058942, 5.1646699548111685e-05, 2.2387776892804165e-05,
        -1.1436615620326603e-05, -9.817699269870272e-07, 1.7363578639081182e-06, -4.545214308254728e-08,
        -2.391695142745357e-07, 1.3595708459620352e-08, 2.4179783660704733e-08,
    ),
}  # fmt: skip
# erf⁻¹(x) / x as polynomials, one for each of three intervals, with w = -log(1 - x²) and s = √w. float32: in x² for
# w ≤ ½, in w - 2.5 for w ≤ 5, in s - 3 above; relative errors below 2⁻²⁶. float64: in w - 2.5 for w ≤ 5, in s - 3 for
# w ≤ 14, in s - 4.875 for w ≤ 36.1; relative errors below 2⁻⁵⁴.
ERF_INVERSE = {
    dtypes.float32: (
        (
            0.8862269254070554, 0.23201368868882757, 0.12755439923371767, 0.08660721076168248, 0.0640972582620982,
            0.059407369193849965, 0.0019469747708689372, 0.16723768849449583, -0.20602228980045414, 0.2315218596159776,
        ),
        (
            1.5014093540310238, 0.24664029561936893, -0.004177344815270971, -0.0012527726842540884,
            0.00021829381094821073, -4.9360884634245476e-06, -3.4435159048615132e-06, 4.572182525136194e-07,
            2.098051645690834e-08, -7.810780547218134e-09,
        ),
        (
            2.832976801671734, 1.0016749619814111, 0.009445261937878402, -0.0076372033151386924, 0.005687185719703717,
            -0.0035978136847804915, 0.0014845286728543646, -5.600158636488794e-05, -0.00030911507065759696,
            0.00011517675320473605,
        ),
    ),
    dtypes.float64: (
        (
            1.5014093511107918, 0.2466402767441668, -0.004177317724381887, -0.0012527079078084049,
            0.00021825026433398305, -4.996079608543593e-06, -3.4166195736784723e-06, 4.787252347271448e-07,
            1.3416777025118941e-08, -1.0861183692561e-08, 9.073219054193928e-10, 1.196150084891786e-10,
            -3.1110575224075795e-11, 9.088481169099173e-13, 5.377718015353339e-13, -7.554761098508795e-14,
            -3.25845255337463e-15, 1.8213481258868586e-15, -9.521180355816686e-17, -2.1352470799892503e-17,
            2.3395830396043042e-18,
        ),
        (
            2.8329767987282706, 1.0016752766933992, 0.009445522011994386, -0.007643805569979108, 0.005685182417579764,
            -0.003558794019247322, 0.001483737352282995, -0.00014889804121687668, -0.0002831245373420351,
            0.00020551597049560234, -4.645947850065041e-05, -2.2869376975956728e-05, 2.1929930203959974e-05,
            -5.961399974538833e-06, -1.6386645024629309e-06, 2.0315069941816586e-06, -6.692963991521704e-07,
            -1.2384684574999053e-07, 1.9488016450135297e-07, -2.9682745311350164e-08, -1.8515147973280615e-08,
        ),
        (
            4.7236171149637975, 1.010324446562391, -5.0556819529339046e-05, -0.0002562887347991169,
            8.942926140494664e-05, -2.3429531222675097e-05, 5.507980071984567e-06, -1.2683320650090513e-06,
            3.3147675194103033e-07, -1.2097619752784964e-07, 6.034163130820283e-08, -3.234509713929552e-08,
            1.579250932955111e-08, -6.495672072339978e-09, 2.1293686716263427e-09, -4.715769683448522e-10,
            -2.340864258513098e-11, 8.464443401256304e-11, -3.432149989760874e-11, 4.628686292523006e-12, 0.0,
        ),
    ),
}  # fmt: skip


def erf_near(x: Tensor) -> Tensor:
    return x + x * horner(x * x, ERF[x.dtype])


def erfc_far(x: Tensor) -> Tensor:
    """erfc(x) for x ≥ ½: exp(-x²) times a quotient, with x² as a pair."""
    limit = ERFC_LIMIT[x.dtype]
    x = (x < limit).where((x < 0.5).where(0.5, x), limit)
    first, second = halves(x)
    k, r, t = exp_terms(-first * first, -second * (x + first))
    ratio, coefficients = (x - 3.75) / (x + 3.75), ERFC[x.dtype]
    dividend = plus_constant(Fraction(coefficients[0]), ratio * horner(ratio, coefficients[1:]))
    divisor = head(2 * x + 1)
    value, low = quotient(dividend, (divisor, 2 * x + exact(1 - divisor)))
    return scale(((r + t) * (low + value) + low) + value, k)


def erf(x: Tensor) -> Tensor:
    size = absolute(x)
    result = copy_sign((size < 0.5).where(erf_near(size), 1 - erfc_far(size)), x)
    return is_nan(x).where(x, result)


def erfc(x: Tensor) -> Tensor:
    size = absolute(x)
    far = erfc_far(size)
    near = 1 - erf_near((size < 0.5).where(x, 0.0))
    return is_nan(x).where(x, (size < 0.5).where(near, (x < 0).where(2 - far, far)))


def erf_inv(x: Tensor) -> Tensor:
    size = absolute(x)
    a = (size < 1).where(size, 0.0)
    w = -log_sum((1 - a) * (1 + a))
    s = w.sqrt()
    if x.dtype == dtypes.float32:
        intervals = [w < 0.5, w < 5]
        t = intervals[0].where(a * a, intervals[1].where(w - 2.5, s - 3))
    else:
        intervals = [w < 5, w < 14]
        t = intervals[0].where(w - 2.5, intervals[1].where(s - 3, s - 4.875))
    high, low = zip(*(high_low(Fraction(numbers[0]), x.dtype) for numbers in ERF_INVERSE[x.dtype]))
    others = [chosen(intervals, numbers, x) for numbers in zip(*(numbers[1:] for numbers in ERF_INVERSE[x.dtype]))]
    first, second = halves(x)
    top = chosen(intervals, high, x)
    result = (x * (t * horner(t, others) + chosen(intervals, low, x)) + second * top) + first * top
    return (size < 1).where(result, (size == 1).where(copy_sign(x.const_like(math.inf), x), math.nan))
