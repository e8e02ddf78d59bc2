"""Elementary functions of real numbers.

They are composed of tinygrad's arithmetic and of operations on bits: tinygrad's own exp2, log2 and sin are not accurate
enough, and not every device has a C library. The same formulas serve float32 and float64, as they contain only integers
and arithmetic in the operands' dtype. In float64 most errors are below 1 unit in the last place, those of logistic and
erfc below 3; in float32 all are below 2. tests/accuracy.py prints them.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from fractions import Fraction
from itertools import pairwise

from ..tinygrad.expressions import BITS, Tensor, dtypes, exact
from .elementwise import SIGNED_BITS, absolute, add, multiply
from .floats import copy_sign, is_nan, width
from .pairs import (
    BIAS,
    LN2,
    MANTISSA,
    PI,
    Pair,
    halves,
    head,
    high_low,
    horner,
    inverse_tangent,
    normal,
    plus_constant,
    power_of_two,
    product,
    quotient,
    rounded_sum,
    scalable,
    scale,
    significand,
)

# exp overflows above this number, and is zero below its negative.
EXP_LIMIT = {dtypes.float32: 104.0, dtypes.float64: 746.0}

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
