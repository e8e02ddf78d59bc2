"""Elementwise ops: arithmetic, comparison, conversion, and the elementary functions."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

from tinygrad import Tensor, dtypes
from tinygrad.dtype import DType

from ..errors import UnsupportedOp
from ..ir import ComplexType, ElementType, ScalarType, TensorType
from .registry import rule
from .values import NARROW_FLOATS, Complex, compute_dtype, wide

UNSIGNED = {dtypes.int32: dtypes.uint32, dtypes.int64: dtypes.uint64}
OTHER_SIGN = UNSIGNED | {unsigned: signed for signed, unsigned in UNSIGNED.items()}
BITS = {dtypes.float32: dtypes.uint32, dtypes.float64: dtypes.uint64}
SIGNED_BITS = {dtypes.float32: dtypes.int32, dtypes.float64: dtypes.int64}


def is_float(x: Tensor) -> bool:
    return x.dtype in BITS


def width(x: Tensor) -> int:
    """Bits of a compute dtype."""
    return int(x.dtype.itemsize) * 8


# ---------------------------------------------------------------- arithmetic


def wrapping(function: Callable[[Tensor, Tensor], Tensor]) -> Callable[[Any, Any], Any]:
    """tinygrad reasons about integers as if they did not wrap: (32 - x) < 32 becomes -x < 0, for unsigned x too.

    It does not look through a bitcast, so integers are computed in the other signedness, which has the same bits.
    """

    def apply(a: Any, b: Any) -> Any:
        other = None if isinstance(a, Complex) else OTHER_SIGN.get(a.dtype)
        if other is None:
            return function(a, b)
        return function(a.bitcast(other), b.bitcast(other)).bitcast(a.dtype)

    return apply


def add(a: Any, b: Any) -> Any:
    return a | b if not isinstance(a, Complex) and a.dtype == dtypes.bool else wrapping(lambda x, y: x + y)(a, b)


def multiply(a: Any, b: Any) -> Any:
    return a & b if not isinstance(a, Complex) and a.dtype == dtypes.bool else wrapping(lambda x, y: x * y)(a, b)


def subtract(a: Any, b: Any) -> Any:
    return wrapping(lambda x, y: x - y)(a, b)


def negate(x: Any) -> Any:
    if isinstance(x, Complex) or is_float(x):
        return -x
    return subtract(x.const_like(0), x)


def divide(a: Any, b: Any) -> Any:
    if isinstance(a, Complex) or is_float(a):
        return a / b
    # x / 0 is all ones, as XLA has it; INT_MIN / -1 wraps. Neither may reach the CPU's division.
    quotient = safe_quotient(a, b)
    return (b == 0).where(quotient.const_like(-1 if a.dtype in UNSIGNED else 2 ** width(a) - 1), quotient)


def safe_quotient(a: Tensor, b: Tensor) -> Tensor:
    """Truncated quotient with the divisors that trap replaced by 1; -1 is answered by negation."""
    if a.dtype not in UNSIGNED:
        return a.div((b == 0).where(1, b), rounding_mode="trunc")
    quotient: Tensor = a.div(((b == 0) | (b == -1)).where(1, b), rounding_mode="trunc")
    return (b == -1).where(negate(a), quotient)


def remainder(a: Any, b: Any) -> Any:
    if isinstance(a, Complex):
        raise ValueError("remainder of complex numbers is not defined")
    if not is_float(a):
        result = subtract(a, multiply(safe_quotient(a, b), b))
        return (b == 0).where(a, result)
    x, y = a.abs().cast(work(a)), b.abs().cast(work(a))
    result = x - (x / y).trunc() * y
    # The rounded quotient may be one too large or too small; the sign is the dividend's, that of zero too.
    result = (result < 0).where(result + y, (result < y).where(result, result - y))
    result = (y == math.inf).where((x == math.inf).where(math.nan, x), result).cast(a.dtype)
    return copy_sign(result, a)


def copy_sign(magnitude: Tensor, sign: Tensor) -> Tensor:
    bits, top = BITS[magnitude.dtype], 1 << (width(magnitude) - 1)
    return ((magnitude.bitcast(bits) & (top - 1)) | (sign.bitcast(bits) & top)).bitcast(magnitude.dtype)


def maximum(a: Any, b: Any) -> Any:
    return extremum(a, b, larger=True)


def minimum(a: Any, b: Any) -> Any:
    return extremum(a, b, larger=False)


def extremum(a: Any, b: Any, larger: bool) -> Any:
    if isinstance(a, Complex):
        # Lexicographic, as the specification's comparison of complex pairs.
        first = (a.real > b.real) | ((a.real == b.real) & (a.imag > b.imag))
        first = first | is_nan(a.real) | is_nan(a.imag) if larger else ~first | is_nan(a.real) | is_nan(a.imag)
        return Complex(first.where(a.real, b.real), first.where(a.imag, b.imag))
    if a.dtype == dtypes.bool:
        return a | b if larger else a & b
    chosen = (a < b).where(b, a) if larger else (b < a).where(b, a)
    if not is_float(a):
        return chosen
    # Equal operands differ at most in the sign of zero: IEEE 754-2019 maximum takes +0, minimum -0.
    bits = BITS[a.dtype]
    x, y = a.bitcast(bits), b.bitcast(bits)
    equal = (x & y if larger else x | y).bitcast(a.dtype)
    chosen = (a == b).where(equal, chosen)
    return is_nan(a).where(a, is_nan(b).where(b, chosen))


def is_nan(x: Tensor) -> Tensor:
    # Not x != x: tinygrad folds that to false where x may be a constant NaN.
    exponent = {dtypes.float32: 0x7F800000, dtypes.float64: 0x7FF0000000000000}[x.dtype]
    return (x.bitcast(BITS[x.dtype]) & ((1 << (width(x) - 1)) - 1)) > exponent


def absolute(x: Any) -> Any:
    if isinstance(x, Complex):
        return hypot(x.real, x.imag)
    if is_float(x):
        bits = BITS[x.dtype]
        return (x.bitcast(bits) & ((1 << (width(x) - 1)) - 1)).bitcast(x.dtype)
    return x if x.dtype not in UNSIGNED else (x < 0).where(negate(x), x)


def hypot(a: Tensor, b: Tensor) -> Tensor:
    a, b = absolute(a), absolute(b)
    big, small = maximum(a, b), minimum(a, b)
    ratio = small / (big == 0).where(1.0, big)
    result = big * (1 + ratio * ratio).sqrt()
    infinite = (a == math.inf) | (b == math.inf)
    return infinite.where(math.inf, result)


def sign(x: Any) -> Any:
    if isinstance(x, Complex):
        size = absolute(x)
        divisor = (size == 0).where(1.0, size)
        return Complex(x.real / divisor, x.imag / divisor)
    if not is_float(x):
        return (x == 0).where(0, (x < 0).where(-1, 1)).cast(x.dtype)
    return (x < 0).where(-1.0, (x > 0).where(1.0, x))


def clamp(low: Any, x: Any, high: Any) -> Any:
    low, high = (v.reshape((1,) * len(x.shape)).expand(x.shape) if v.shape == () else v for v in (low, high))
    return minimum(maximum(x, low), high)


def power(a: Any, b: Any) -> Any:
    if isinstance(a, Complex):
        raise UnsupportedOp("power of complex numbers has no rule yet")
    if not is_float(a):
        return integer_power(a, b)
    x, y = a.cast(work(a)), b.cast(work(a))
    whole = y == y.trunc()
    odd = whole & ((y * 0.5).trunc() != y * 0.5)
    size = absolute(x)
    result = exp(log(size) * y)
    result = (y == 0).where(1.0, result)
    result = (size == 0).where((y < 0).where(math.inf, (y == 0).where(1.0, is_nan(y).where(y, 0.0))), result)
    infinite_y = absolute(y) == math.inf
    limit = (size == 1).where(1.0, ((size > 1) == (y > 0)).where(math.inf, 0.0))
    result = infinite_y.where(is_nan(x).where(x, limit), result)
    negative = x.bitcast(SIGNED_BITS[x.dtype]) < 0
    result = (negative & odd).where(-result, result)
    finite_negative = (x < 0) & (x > -math.inf)
    result = (finite_negative & ~whole & ~infinite_y).where(math.nan, result)
    return (x == 1).where(1.0, result).cast(a.dtype)


def integer_power(a: Tensor, b: Tensor) -> Tensor:
    result, base = a.const_like(1), a
    for bit in range(width(a) if a.dtype not in UNSIGNED else width(a) - 1):
        result = ((b >> bit) & 1 != 0).where(multiply(result, base), result)
        base = multiply(base, base)
    if a.dtype not in UNSIGNED:
        return result
    odd = (b & 1) != 0
    negative = (a == 1).where(1, (a == -1).where(odd.where(-1, 1), (a == 0).where(-1, 0)))
    return (b < 0).where(negative.cast(a.dtype), result)


# ---------------------------------------------------------------- elementary functions


def work(x: Tensor) -> DType:
    """The dtype in which an elementary function of x is evaluated (see `values.wide`)."""
    return dtypes.float64 if wide.get() else x.dtype


def in_work(function: Callable[..., Tensor]) -> Callable[..., Any]:
    """Evaluate a function of real numbers in the work dtype and round its result once."""

    def apply(x: Any, *rest: Tensor) -> Any:
        if isinstance(x, Complex):
            raise UnsupportedOp(f"{function.__name__} of complex numbers has no rule yet")
        return function(x.cast(work(x)), *(r.cast(work(r)) for r in rest)).cast(x.dtype)

    return apply


def horner(x: Tensor, coefficients: list[float]) -> Tensor:
    """A polynomial, the constant term first."""
    result: Tensor = x.const_like(coefficients[-1])
    for c in reversed(coefficients[:-1]):
        result = result * x + c
    return result


def exp(x: Tensor) -> Tensor:
    return (x * math.log2(math.e)).exp2()


def log(x: Tensor) -> Tensor:
    return x.log2() * math.log(2)


def expm1(x: Tensor) -> Tensor:
    # Near zero exp(x) - 1 loses digits; the series to x**15 is exact to the last bit there.
    series = x * horner(x, [1 / math.factorial(n + 1) for n in range(15)])
    return (absolute(x) < 0.5).where(series, exp(x) - 1)


def log1p(x: Tensor) -> Tensor:
    # log(1+x) = 2 atanh(x / (2+x)), a series that needs no 1+x.
    ratio = x / (2 + x)
    series = 2 * ratio * horner(ratio * ratio, [1 / (2 * n + 1) for n in range(9)])
    return (absolute(x) < 0.1).where(series, log(1 + x))


def tanh(x: Tensor) -> Tensor:
    bounded = minimum(maximum(x, x.const_like(-22.0)), x.const_like(22.0))
    e = expm1(2 * bounded)
    return (x == 0).where(x, e / (e + 2))


def logistic(x: Tensor) -> Tensor:
    return 1 / (1 + exp(-x))


def sine_cosine(x: Tensor) -> tuple[Tensor, Tensor]:
    """sin and cos by reduction to ±π/4 and the Taylor series there."""
    if x.dtype != dtypes.float64:
        return x.sin(), (math.pi / 2 - x).sin()
    turns = (x * (2 / math.pi)).round()
    r = x - turns * (math.pi / 2)
    square = r * r
    sine = r * horner(square, [(-1) ** n / math.factorial(2 * n + 1) for n in range(9)])
    cosine = horner(square, [(-1) ** n / math.factorial(2 * n) for n in range(9)])
    quadrant = (turns - 4 * (turns * 0.25).floor()).cast(dtypes.int32)
    odd = (quadrant & 1) != 0
    s, c = odd.where(cosine, sine), odd.where(sine, cosine)
    return (quadrant >= 2).where(-s, s), ((quadrant == 1) | (quadrant == 2)).where(-c, c)


def sine(x: Tensor) -> Tensor:
    return (x == 0).where(x, sine_cosine(x)[0])


def cosine(x: Tensor) -> Tensor:
    return sine_cosine(x)[1]


def tangent(x: Tensor) -> Tensor:
    s, c = sine_cosine(x)
    return (x == 0).where(x, s / c)


def atan(x: Tensor) -> Tensor:
    size = absolute(x)
    small = (size > 1).where(1 / size, size)
    # Twice atan(x) = 2 atan(x / (1 + sqrt(1 + x²))) brings the argument below 0.2.
    for _ in range(2):
        small = small / (1 + (1 + small * small).sqrt())
    series = 4 * small * horner(small * small, [(-1) ** n / (2 * n + 1) for n in range(12)])
    return copy_sign((size > 1).where(math.pi / 2 - series, series), x)


def atan2(y: Tensor, x: Tensor) -> Tensor:
    ax, ay = absolute(x), absolute(y)
    both_infinite = (ax == math.inf) & (ay == math.inf)
    ratio = both_infinite.where(1.0, minimum(ax, ay) / (maximum(ax, ay) == 0).where(1.0, maximum(ax, ay)))
    angle = atan(ratio)
    angle = (ay > ax).where(math.pi / 2 - angle, angle)
    negative = x.bitcast(SIGNED_BITS[x.dtype]) < 0
    return copy_sign(negative.where(math.pi - angle, angle), y)


def cbrt(x: Tensor) -> Tensor:
    size = absolute(x)
    root = exp(log((size == 0).where(1.0, size)) / 3)
    root = root - (root * root * root - size) / (3 * root * root)
    root = ((size == 0) | (size == math.inf) | is_nan(x)).where(size, root)
    return copy_sign(root, x)


def erf_series(x: Tensor) -> Tensor:
    """erf on |x| < 2: its Maclaurin series times exp(-x²), whose terms are all positive (A&S 7.1.6)."""
    square = x * x
    coefficients, term = [], 2 / math.sqrt(math.pi)
    for n in range(40):
        coefficients.append(term)
        term *= 2 / (2 * n + 3)
    return x * horner(square, coefficients) * exp(-square)


def erfc_fraction(x: Tensor) -> Tensor:
    """erfc on x ≥ 2: its continued fraction (A&S 7.1.14), evaluated from the far end."""
    fraction = x
    for n in range(60, 0, -1):
        fraction = x + (n / 2) / fraction
    return exp(-x * x) / (fraction * math.sqrt(math.pi))


def erf(x: Tensor) -> Tensor:
    size = absolute(x)
    bounded = minimum(size, size.const_like(6.0))
    inner = erf_series(minimum(bounded, bounded.const_like(2.0)))
    outer = 1 - erfc_fraction(maximum(bounded, bounded.const_like(2.0)))
    return copy_sign((size < 2).where(inner, outer), x)


def erfc(x: Tensor) -> Tensor:
    size = absolute(x)
    bounded = minimum(size, size.const_like(28.0))
    inner = 1 - erf_series(minimum(bounded, bounded.const_like(2.0)))
    tail = (size < 2).where(inner, erfc_fraction(maximum(bounded, bounded.const_like(2.0))))
    return (x < 0).where(2 - tail, tail)


def erf_inv(x: Tensor) -> Tensor:
    # Winitzki's closed form to 0.2 %, then Halley's steps, each of which triples the digits; near ±1 on erfc.
    size = absolute(x)
    logarithm = log1p(-size * size)
    a = 0.147
    half = 2 / (math.pi * a) + logarithm / 2
    guess = ((half * half - logarithm / a).sqrt() - half).sqrt()
    guess = (size < 1).where(guess, 1.0)
    for _ in range(2):
        series = erf_series(minimum(guess, guess.const_like(2.0)))
        tail = (guess < 2).where(1 - series, erfc_fraction(maximum(guess, guess.const_like(2.0))))
        error = (size < 0.5).where(series - size, (1 - size) - tail)
        step = error * (math.sqrt(math.pi) / 2) * exp(guess * guess)
        guess = guess - step / (1 + guess * step)
    result = (size == 1).where(math.inf, (size > 1).where(math.nan, (size == 0).where(0.0, guess)))
    return copy_sign(result, x)


def round_half_even(x: Tensor) -> Tensor:
    return copy_sign(in_range(x, x.round()), x)


def round_half_away(x: Tensor) -> Tensor:
    size = absolute(x)
    whole = size.trunc()
    return copy_sign(in_range(x, (size - whole >= 0.5).where(whole + 1, whole)), x)


def in_range(x: Tensor, rounded: Tensor) -> Tensor:
    """Numbers without a fraction, infinities and NaN are their own rounding."""
    return (absolute(x) < 2.0 ** (23 if x.dtype == dtypes.float32 else 52)).where(rounded, x)


def floor(x: Tensor) -> Tensor:
    return copy_sign(in_range(x, x.floor()), x)


def ceil(x: Tensor) -> Tensor:
    return copy_sign(in_range(x, x.ceil()), x)


# ---------------------------------------------------------------- complex elementary functions


def complex_exp(z: Complex) -> Complex:
    size = in_work(exp)(z.real)
    s, c = in_work(sine)(z.imag), in_work(cosine)(z.imag)
    return Complex(size * c, (z.imag == 0).where(z.imag, size * s))


def complex_log(z: Complex) -> Complex:
    return Complex(in_work(log)(hypot(z.real, z.imag)), in_work(atan2)(z.imag, z.real))


def complex_sqrt(z: Complex) -> Complex:
    size = hypot(z.real, z.imag)
    root = ((size + absolute(z.real)) * 0.5).sqrt()
    other = absolute(z.imag) / (root == 0).where(1.0, 2 * root)
    positive = z.real >= 0
    return Complex(positive.where(root, other), copy_sign(positive.where(other, root), z.imag))


COMPLEX = {exp: complex_exp, log: complex_log}


def elementary(function: Callable[..., Tensor]) -> Callable[..., Any]:
    real, of_complex = in_work(function), COMPLEX.get(function)

    def apply(*operands: Any, result_accuracy: Any = None) -> Any:
        if isinstance(operands[0], Complex) and of_complex is not None:
            return of_complex(operands[0])
        return real(*operands)

    return with_operands(apply, function.__code__.co_argcount)


def with_operands(function: Callable[..., Any], count: int) -> Callable[..., Any]:
    """Give a row of the table the signature of its number of operands."""
    if count == 1:
        return lambda x, *, result_accuracy=None: function(x)
    return lambda x, y, *, result_accuracy=None: function(x, y)


def square_root(x: Any) -> Any:
    return complex_sqrt(x) if isinstance(x, Complex) else x.sqrt()


def reciprocal_square_root(x: Any) -> Any:
    if isinstance(x, Complex):
        one = Complex(x.real.const_like(1), x.imag.const_like(0))
        return one / complex_sqrt(x)
    return (1 / x.cast(work(x)).sqrt()).cast(x.dtype)


# ---------------------------------------------------------------- bits


def unsigned_bits(x: Tensor, bits: int) -> Tensor:
    """An integer as unsigned, with the bits above its declared width cleared."""
    unsigned = x.bitcast(UNSIGNED[x.dtype]) if x.dtype in UNSIGNED else x
    return unsigned & (2**bits - 1) if bits < width(x) else unsigned


def invert(x: Tensor) -> Tensor:
    return x.logical_not() if x.dtype == dtypes.bool else x ^ -1 if x.dtype in UNSIGNED else x ^ (2 ** width(x) - 1)


def declared_width(type: TensorType) -> int:
    element = type.element
    assert isinstance(element, ScalarType)
    return int(element.name.lstrip("ui"))


@rule("stablehlo.shift_left")
def shift_left(x: Tensor, y: Tensor, *, types: Any) -> Tensor:
    bits = declared_width(types[0])
    amount = within(y, bits)
    unsigned = unsigned_bits(x, width(x))
    shifted = (unsigned << amount.cast(unsigned.dtype)).bitcast(x.dtype)
    return outside(y, bits).where(0, shifted)


@rule("stablehlo.shift_right_arithmetic")
def shift_right_arithmetic(x: Tensor, y: Tensor, *, types: Any) -> Tensor:
    bits = declared_width(types[0])
    signed = {dtypes.uint32: dtypes.int32, dtypes.uint64: dtypes.int64}.get(x.dtype, x.dtype)
    spare = width(x) - bits
    value = (x << spare).bitcast(signed) >> spare if spare and signed != x.dtype else x.bitcast(signed)
    amount = outside(y, bits).where(bits - 1, y.cast(signed))
    return (value >> amount.cast(signed)).bitcast(x.dtype)


@rule("stablehlo.shift_right_logical")
def shift_right_logical(x: Tensor, y: Tensor, *, types: Any) -> Tensor:
    bits = declared_width(types[0])
    unsigned = unsigned_bits(x, bits)
    shifted = (unsigned >> within(y, bits).cast(unsigned.dtype)).bitcast(x.dtype)
    return outside(y, bits).where(0, shifted)


def outside(amount: Tensor, bits: int) -> Tensor:
    """Where a shift amount, read as unsigned, is the width or more."""
    if amount.dtype in UNSIGNED:
        return (amount < 0) | (amount >= bits)
    return amount >= bits


def within(amount: Tensor, bits: int) -> Tensor:
    return outside(amount, bits).where(0, amount)


def population_count(x: Tensor, bits: int) -> Tensor:
    unsigned = unsigned_bits(x, bits)
    for shift, mask in ((1, 0x55), (2, 0x33), (4, 0x0F), (8, 0xFF), (16, 0xFFFF), (32, 0xFFFFFFFF)):
        if shift < width(x):
            pattern = int.from_bytes(
                mask.to_bytes(max(1, 2 * shift // 8), "little") * (width(x) // max(8, 2 * shift)), "little"
            )
            unsigned = (unsigned & pattern) + ((unsigned >> shift) & pattern)
    return unsigned


@rule("stablehlo.popcnt")
def popcnt(x: Tensor, *, types: Any) -> Tensor:
    return population_count(x, declared_width(types[0])).bitcast(x.dtype)


@rule("stablehlo.count_leading_zeros")
def count_leading_zeros(x: Tensor, *, types: Any) -> Tensor:
    bits = declared_width(types[0])
    unsigned = unsigned_bits(x, bits)
    for shift in (1, 2, 4, 8, 16, 32):
        if shift < bits:
            unsigned = unsigned | (unsigned >> shift)
    return (bits - population_count(unsigned, bits)).cast(unsigned.dtype).bitcast(x.dtype)


# ---------------------------------------------------------------- comparison, conversion


def total_order(x: Tensor) -> Tensor:
    """Integers that order as IEEE 754 totalOrder does: -NaN < -∞ < … < -0 < +0 < … < NaN."""
    bits = x.bitcast(SIGNED_BITS[x.dtype])
    return (bits < 0).where(bits ^ ((1 << (width(x) - 1)) - 1), bits)


COMPARE: dict[str, Callable[[Tensor, Tensor], Tensor]] = {
    "EQ": lambda a, b: a == b,
    "NE": lambda a, b: a != b,
    "LT": lambda a, b: a < b,
    "GT": lambda a, b: b < a,
    # tinygrad's <= is "not greater", which holds for NaN.
    "LE": lambda a, b: (a < b) | (a == b),
    "GE": lambda a, b: (b < a) | (a == b),
}


@rule("stablehlo.compare")
def compare(a: Any, b: Any, *, comparison_direction: str, compare_type: str = "") -> Tensor:
    if isinstance(a, Complex):
        equal = (a.real == b.real) & (a.imag == b.imag)
        less = (a.real < b.real) | ((a.real == b.real) & (a.imag < b.imag))
        more = (b.real < a.real) | ((a.real == b.real) & (b.imag < a.imag))
        return {"EQ": equal, "NE": ~equal, "LT": less, "GT": more, "LE": less | equal, "GE": more | equal}[
            comparison_direction
        ]
    if compare_type == "TOTALORDER" and is_float(a):
        a, b = total_order(a), total_order(b)
    if a.uop is b.uop and is_float(a) and comparison_direction in ("EQ", "NE"):
        return is_nan(a) if comparison_direction == "NE" else ~is_nan(a)
    return COMPARE[comparison_direction](a, b)


@rule("stablehlo.select", storage=True)
def select(predicate: Tensor, on_true: Any, on_false: Any) -> Any:
    if predicate.shape == () and on_true.shape != ():
        predicate = predicate.reshape((1,) * len(on_true.shape)).expand(on_true.shape)
    if isinstance(on_true, Complex):
        return Complex(predicate.where(on_true.real, on_false.real), predicate.where(on_true.imag, on_false.imag))
    return predicate.where(on_true, on_false)


@rule("stablehlo.convert")
def convert(x: Any, *, types: Any, out: Any) -> Any:
    source, target = types[0].element, out[0].element
    if isinstance(target, ComplexType):
        part = compute_dtype(target)
        if isinstance(x, Complex):
            return x.each(lambda t: t.cast(part))
        real = convert_real(x, target.element)
        return Complex(real, real.const_like(0))
    return convert_real(x.real if isinstance(x, Complex) else x, target, source)


def convert_real(x: Tensor, target: ElementType, source: ElementType | None = None) -> Tensor:
    assert isinstance(target, ScalarType)
    dtype = compute_dtype(target)
    if target.name == "i1":
        return x != 0
    if is_float(x) and dtype not in BITS:
        return float_to_integer(x, target)
    if x.dtype == dtypes.float64 and target.name in NARROW_FLOATS:
        return round_to_odd(x)
    return x.cast(dtype)


def round_to_odd(x: Tensor) -> Tensor:
    """float64 → float32 with the last bit saying "inexact", so that a second rounding, to fewer bits, is right."""
    nearest = x.cast(dtypes.float32)
    back = nearest.cast(dtypes.float64)
    bits = nearest.bitcast(dtypes.uint32)
    beyond = absolute(back) > absolute(x)
    truncated = (beyond & (bits & 0x7FFFFFFF != 0)).where(bits - 1, bits)
    inexact = (back != x) & (x == x)
    return inexact.where(truncated | 1, bits).bitcast(dtypes.float32)


def float_to_integer(x: Tensor, target: ScalarType) -> Tensor:
    """Truncates; saturates at the target's ends; NaN is 0. C leaves all of that undefined."""
    bits = int(target.name.lstrip("ui").replace("ndex", "64"))
    signed = not target.name.startswith("u")
    low, high = (-(2 ** (bits - 1)), 2 ** (bits - 1) - 1) if signed else (0, 2**bits - 1)
    dtype = compute_dtype(target)
    over, under, nan = x >= float(high + 1), x <= float(low), is_nan(x)
    inside = (over | under | nan).where(0.0, x).cast(dtype)
    # NaN first: tinygrad's >= and <= hold for it.
    return nan.where(0, over.where(high, under.where(low, inside))).cast(dtype)


@rule("stablehlo.bitcast_convert", storage=True)
def bitcast_convert(x: Any, *, out: Any) -> Any:
    from .values import storage_dtype

    if isinstance(x, Complex) or isinstance(out[0].element, ComplexType):
        raise UnsupportedOp("bitcast_convert of complex numbers has no rule yet")
    target = storage_dtype(out[0].element)
    if x.dtype == target:
        return x
    if x.dtype.itemsize == target.itemsize:
        return x.bitcast(target)
    shape, integers = tuple(out[0].shape), {1: dtypes.uint8, 2: dtypes.uint16, 4: dtypes.uint32, 8: dtypes.uint64}
    raw, narrow = integers[x.dtype.itemsize], integers[target.itemsize]
    value = x if x.dtype == raw else x.bitcast(raw)
    if x.dtype.itemsize > target.itemsize:
        # Little endian: the lowest bits come first along the new last axis.
        count, bits = x.dtype.itemsize // target.itemsize, target.itemsize * 8
        parts = [((value >> (bits * i)) & (2**bits - 1)).cast(narrow).unsqueeze(-1) for i in range(count)]
        result = parts[0].cat(*parts[1:], dim=-1).reshape(shape)
    else:
        bits = x.dtype.itemsize * 8
        joined = [value[..., i].cast(narrow) << (bits * i) for i in range(int(value.shape[-1]))]
        result = joined[0]
        for part in joined[1:]:
            result = result | part
    return result if narrow == target else result.bitcast(target)


@rule("stablehlo.reduce_precision")
def reduce_precision(x: Tensor, *, exponent_bits: int, mantissa_bits: int) -> Tensor:
    if x.dtype != dtypes.float32:
        raise UnsupportedOp("reduce_precision of f64 has no rule yet")
    bits = x.bitcast(dtypes.uint32)
    drop = 23 - mantissa_bits
    sign, size = bits & 0x80000000, bits & 0x7FFFFFFF
    if drop > 0:
        size = ((size + ((1 << (drop - 1)) - 1) + ((size >> drop) & 1)) >> drop) << drop
    if exponent_bits < 8:
        bias = (1 << (exponent_bits - 1)) - 1
        largest, smallest = (bias + 127) << 23 | 0x7FFFFF, (1 - bias + 127) << 23
        size = (size > largest).where(0x7F800000, (size < smallest).where(0, size))
    return is_nan(x).where(x, (sign | size).bitcast(dtypes.float32))


@rule("stablehlo.complex")
def make_complex(real: Tensor, imag: Tensor) -> Complex:
    return Complex(real, imag)


@rule("stablehlo.real")
def real(x: Any) -> Any:
    return x.real if isinstance(x, Complex) else x


@rule("stablehlo.imag")
def imag(x: Any) -> Any:
    return x.imag if isinstance(x, Complex) else x.const_like(0)


@rule("chlo.conj")
def conj(x: Complex) -> Complex:
    return Complex(x.real, -x.imag)


@rule("stablehlo.is_finite")
def is_finite(x: Tensor) -> Tensor:
    return absolute(x) < math.inf


# ---------------------------------------------------------------- the table

UNARY: dict[str, Callable[..., Any]] = {
    "stablehlo.abs": absolute,
    "stablehlo.ceil": ceil,
    "stablehlo.floor": floor,
    "stablehlo.negate": negate,
    "stablehlo.not": invert,
    "stablehlo.round_nearest_afz": round_half_away,
    "stablehlo.round_nearest_even": round_half_even,
    "stablehlo.sign": sign,
    "chlo.is_inf": lambda x: absolute(x) == math.inf,
    "chlo.is_neg_inf": lambda x: x == -math.inf,
    "chlo.is_pos_inf": lambda x: x == math.inf,
    "chlo.square": lambda x: multiply(x, x),
}
BINARY: dict[str, Callable[..., Any]] = {
    "stablehlo.add": add,
    "stablehlo.and": lambda a, b: a & b,
    "stablehlo.divide": divide,
    "stablehlo.maximum": maximum,
    "stablehlo.minimum": minimum,
    "stablehlo.multiply": multiply,
    "stablehlo.or": lambda a, b: a | b,
    "stablehlo.power": power,
    "stablehlo.remainder": remainder,
    "stablehlo.subtract": subtract,
    "stablehlo.xor": lambda a, b: a ^ b,
}
ELEMENTARY: dict[str, Callable[..., Any]] = {
    "stablehlo.atan2": atan2,
    "stablehlo.cbrt": cbrt,
    "stablehlo.cosine": cosine,
    "stablehlo.exponential": exp,
    "stablehlo.exponential_minus_one": expm1,
    "stablehlo.log": log,
    "stablehlo.log_plus_one": log1p,
    "stablehlo.logistic": logistic,
    "stablehlo.sine": sine,
    "stablehlo.tan": tangent,
    "stablehlo.tanh": tanh,
    "chlo.erf": erf,
    "chlo.erf_inv": erf_inv,
    "chlo.erfc": erfc,
}


def register_table() -> None:
    def one(function: Callable[..., Any]) -> Callable[..., Any]:
        return lambda x: function(x)

    def two(function: Callable[..., Any]) -> Callable[..., Any]:
        return lambda a, b: function(a, b)

    for name, function in UNARY.items():
        rule(name)(one(function))
    for name, function in BINARY.items():
        rule(name)(two(function))
    for name, function in ELEMENTARY.items():
        rule(name)(elementary(function))
    rule("stablehlo.sqrt")(with_operands(square_root, 1))
    rule("stablehlo.rsqrt")(with_operands(reciprocal_square_root, 1))
    rule("stablehlo.clamp")(lambda low, x, high: clamp(low, x, high))


register_table()
