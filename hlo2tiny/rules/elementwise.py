"""Elementwise ops: arithmetic, rounding, bits and comparison."""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import partial
from typing import Any, TypeAlias

from ..ir.dtypes import bit_width
from ..tinygrad.dtypes import OTHER_SIGN, UNSIGNED, NarrowFloat
from ..tinygrad.expressions import BITS, Tensor, call_function, dtypes, exact, is_same, repeated_number, rounding
from .floats import copy_sign, in_range, is_nan, is_nan_of, magnitude_bits, round_half_even, width
from .registry import PLAIN, Lowering, Types, rule
from .values import AnyTensor, Complex, T, broadcast_scalar, halfwise

Binary: TypeAlias = Callable[[Tensor, Tensor], Tensor]

SIGNED_BITS = {dtypes.float32: dtypes.int32, dtypes.float64: dtypes.int64, dtypes.uint16: dtypes.int16}


def is_float(x: Tensor) -> bool:
    return x.dtype in BITS


# ---------------------------------------------------------------- arithmetic


def wrapping(function: Binary) -> Binary:
    """Make a function wrap on integers.

    tinygrad reasons about integers as if they did not wrap: (32 - x) < 32 becomes -x < 0, even for unsigned x. It does
    not look through a bitcast, so integers are computed in the type of the other signedness, which has the same bits.
    """

    def apply(a: Tensor, b: Tensor) -> Tensor:
        other = OTHER_SIGN.get(a.dtype)
        if other is None:
            return function(a, b)
        return function(a.bitcast(other), b.bitcast(other)).bitcast(a.dtype)

    return apply


rounded_sum, rounded_product = rounding(lambda a, b: a + b), rounding(lambda a, b: a * b)
rounded_difference, rounded_quotient = (
    rounding(function, cancels=True) for function in (lambda a, b: a - b, lambda a, b: a / b)
)


def add(a: T, b: T) -> T:
    if isinstance(a, Complex):
        return halfwise(add, a, b)
    if a.dtype == dtypes.bool:
        return a | b
    return rounded_sum(a, b) if is_float(a) else wrapping(lambda x, y: x + y)(a, b)


def multiply(a: T, b: T) -> T:
    if isinstance(a, Complex):
        real = subtract(multiply(a.real, b.real), multiply(a.imag, b.imag))
        return Complex(real, add(multiply(a.real, b.imag), multiply(a.imag, b.real)))
    if a.dtype == dtypes.bool:
        return a & b
    return rounded_product(a, b) if is_float(a) else wrapping(lambda x, y: x * y)(a, b)


def subtract(a: T, b: T) -> T:
    if isinstance(a, Complex):
        return halfwise(subtract, a, b)
    return rounded_difference(a, b) if is_float(a) else wrapping(lambda x, y: x - y)(a, b)


def negate(x: T) -> T:
    if isinstance(x, Complex):
        return x.each(negate)
    if is_float(x):
        bits = x.bitcast(BITS[x.dtype])
        return (bits ^ bits.const_like(1 << (width(x) - 1))).bitcast(x.dtype)
    return subtract(x.const_like(0), x)


def divide(a: T, b: T) -> T:
    if isinstance(a, Complex):
        return complex_quotient(a, b)
    if is_float(a):
        return rounded_quotient(a, b)
    # x / 0 is all ones, as in XLA, and INT_MIN / -1 wraps. Neither may reach the CPU's division, which would trap.
    quotient = safe_quotient(a, b)
    return (b == 0).where(quotient.const_like(-1 if a.dtype in UNSIGNED else 2 ** width(a) - 1), quotient)


def complex_quotient(a: Complex, b: Complex) -> Complex:
    """The quotient by C's Annex G, which has zeros and infinities where the usual formula gives NaN."""
    usual = a / b
    large, far = (is_infinite(z.real) | is_infinite(z.imag) for z in (a, b))
    known_a, known_b = (~(is_nan(z.real) | is_nan(z.imag)) & ~end for z, end in ((a, large), (b, far)))
    zero = (b.real == 0) & (b.imag == 0) & ~(is_nan(a.real) & is_nan(a.imag))
    p, q = (
        z.each(lambda x: end.where(copy_sign(is_infinite(x).where(x.const_like(1.0), 0.0), x), x))
        for z, end in ((a, large), (b, far))
    )
    product = multiply(p, conj(q))
    factor = zero.where(copy_sign(b.real.const_like(math.inf), b.real), large.where(b.real.const_like(math.inf), 0.0))
    product = Complex(zero.where(a.real, product.real), zero.where(a.imag, product.imag))
    lost = is_nan(usual.real) & is_nan(usual.imag) & (zero | large & known_b | far & known_a)
    ends = product.each(lambda x: rounded_product(x, factor))
    return Complex(lost.where(ends.real, usual.real), lost.where(ends.imag, usual.imag))


def is_infinite(x: Tensor) -> Tensor:
    result: Tensor = absolute(x) == math.inf
    return result


def square(x: T) -> T:
    if not isinstance(x, Complex):
        return multiply(x, x)
    # The difference of squares as a product, which neither cancels nor overflows.
    real = multiply(subtract(x.real, x.imag), add(x.real, x.imag))
    equal = (absolute(x.real) == absolute(x.imag)) & (absolute(x.real) < math.inf)
    return Complex(equal.where(0.0, real), multiply(add(x.real, x.real), x.imag))


def safe_quotient(a: Tensor, b: Tensor) -> Tensor:
    """The truncated quotient; division by 0, which would trap, divides by 1 instead, and by -1 it negates."""
    if a.dtype not in UNSIGNED:
        return a.div((b == 0).where(1, b), rounding_mode="trunc")
    quotient: Tensor = a.div(((b == 0) | (b == -1)).where(1, b), rounding_mode="trunc")
    return (b == -1).where(negate(a), quotient)


def remainder(a: Tensor, b: Tensor, *, lowering: Lowering = PLAIN) -> Tensor:
    if not is_float(a):
        result = subtract(a, multiply(safe_quotient(a, b), b))
        return (b == 0).where(a, result)
    x, y = absolute(a), absolute(b)
    usual = (x < math.inf) & (y > 0) & (y < math.inf)
    dividend, divisor = usual.where(x, 1.0), usual.where(y, 1.0)
    if called := lowering.function("remainder", a.dtype, False):
        result = call_function(called, dividend, divisor)
    elif a.dtype == dtypes.float32 and lowering.work(a) == dtypes.float64:
        result = remainder_in_steps(dividend, divisor, repeated_number(b))
    else:
        result = remainder_of_significands(dividend, divisor)
    result = usual.where(result, ((x < math.inf) & (y == math.inf)).where(x, math.nan))
    result = is_nan(a).where(a, is_nan(b).where(b, result))
    return copy_sign(result, a)  # the sign of zero too


def remainder_in_steps(x: Tensor, y: Tensor, number: float | None) -> Tensor:
    """The remainder of positive float32 numbers, in float64: each step has 28 bits of the quotient, and is exact.

    If y repeats a number, steps of which x is smaller in any case are left out, and for a power of two, the quotient is
    exact in one.
    """
    rest, y = x.cast(dtypes.float64), y.cast(dtypes.float64)
    inverse = exact(1 / y)
    exponents = [e for e in range(252, -1, -28) if number is None or abs(number) * 2.0**e < 2.0**128]
    if number is not None and abs(math.frexp(number)[0]) == 0.5:
        exponents = [0]
    for exponent in exponents:
        step = exact(y * 2.0**exponent)
        rest = exact(rest - exact(exact(rest * exact(inverse * 2.0**-exponent)).trunc() * step))
        # The rounded quotient may be one too large; if it is one too small, the next step corrects it.
        rest = (rest < 0).where(exact(rest + step), rest)
    return (rest < y).where(rest, exact(rest - y)).cast(dtypes.float32)


def remainder_of_significands(x: Tensor, y: Tensor) -> Tensor:
    """The remainder of positive numbers by their integer significands, with powers of 2 modulo the divisor's."""
    mantissa = {dtypes.float32: 23, dtypes.float64: 52}[x.dtype]
    bits, signed = BITS[x.dtype], SIGNED_BITS[x.dtype]

    def parts(number: Tensor) -> tuple[Tensor, Tensor]:
        exponent = number.bitcast(bits) >> mantissa
        fraction = number.bitcast(bits) & ((1 << mantissa) - 1)
        normal = (exponent != 0).cast(bits)
        return fraction | normal << mantissa, (exponent | (normal ^ 1)).cast(dtypes.int32)

    (m, e), (modulus, f) = parts(x), parts(y)

    def product(a: Tensor, b: Tensor) -> Tensor:
        # The quotient in floating point is off by a few, so the rest, computed in integers that wrap, is small.
        quotient = (a.cast(x.dtype) * b.cast(x.dtype) / modulus.cast(x.dtype)).cast(signed)
        a, b, divisor = (v.bitcast(signed) for v in (a, b, modulus))
        rest = wrapping_difference(wrapping_product(a, b), wrapping_product(quotient, divisor))
        return (rest + 8 * divisor).bitcast(bits) % modulus

    rest, power = m % modulus, (modulus.const_like(2)) % modulus
    difference = e - f
    for bit in range(9 if x.dtype == dtypes.float32 else 12):
        rest = ((difference >> bit) & 1 != 0).where(product(rest, power), rest)
        power = product(power, power)
    # In units of the divisor's last place.
    small = f <= mantissa
    unit = small.where(1 << small.where(f - 1, 0).cast(bits), small.where(1, f - mantissa).cast(bits) << mantissa)
    result = rest.cast(x.dtype) * unit.cast(bits).bitcast(x.dtype)
    return (x < y).where(x, result)


wrapping_difference, wrapping_product = map(wrapping, (lambda a, b: a - b, lambda a, b: a * b))


def maximum(a: T, b: T) -> T:
    return extremum(a, b, larger=True)


def minimum(a: T, b: T, *, lowering: Lowering = PLAIN) -> T:
    if isinstance(a, Complex) or not is_float(a) or not lowering.on_processor:
        return extremum(a, b, larger=False)
    constant = repeated_number(a) is not None or repeated_number(b) is not None
    return extremum(a, b, larger=False) if constant else smaller(a, b)


def smaller(a: Tensor, b: Tensor) -> Tensor:
    """The minimum of floats on a processor, whose own is b if one is NaN or both are equal: in both orders, they have
    each NaN, and -0. Of a constant, and of maxima, which have +0, compilers make as much as this is."""
    first, second = (x.bitcast(BITS[x.dtype]) for x in ((a < b).where(a, b), (b < a).where(b, a)))
    return (first | second).bitcast(a.dtype)


def extremum(a: T, b: T, larger: bool) -> T:
    if isinstance(a, Complex):
        # Complex numbers are ordered lexicographically, as the specification compares them.
        first = (a.real > b.real) | ((a.real == b.real) & (a.imag > b.imag))
        first = first | is_nan(a.real) | is_nan(a.imag) if larger else ~first | is_nan(a.real) | is_nan(a.imag)
        return Complex(first.where(a.real, b.real), first.where(a.imag, b.imag))
    if a.dtype == dtypes.bool:
        return a | b if larger else a & b
    chosen = (a < b).where(b, a) if larger else (b < a).where(b, a)
    if not is_float(a):
        return chosen
    # Equal operands differ at most in the sign of zero: IEEE 754-2019's maximum chooses +0, its minimum -0.
    bits = BITS[a.dtype]
    x, y = a.bitcast(bits), b.bitcast(bits)
    equal = (x & y if larger else x | y).bitcast(a.dtype)
    chosen = (a == b).where(equal, chosen)
    return is_nan(a).where(a, is_nan(b).where(b, chosen))


def extremum_of_bits(form: NarrowFloat, a: Tensor, b: Tensor, *, larger: bool, lowering: Lowering = PLAIN) -> Tensor:
    first, second = (a, b) if larger else (b, a)
    chosen = (total_order(first) < total_order(second)).where(b, a)
    chosen = is_nan_of(form, a).where(a, is_nan_of(form, b).where(b, chosen))
    return is_nan_of(form, chosen).where(chosen & (form.magnitude + 1) | form.nan, chosen)


def absolute(x: AnyTensor, *, lowering: Lowering = PLAIN) -> Tensor:
    if isinstance(x, Complex):
        if lowering.work(x.real) == x.real.dtype:
            return hypot(x.real, x.imag)
        # The squares neither overflow nor vanish in the wider dtype.
        a, b = (half.cast(lowering.work(half)) for half in (x.real, x.imag))
        size = rounded_sum(a * a, b * b).sqrt().cast(x.real.dtype)
        return (is_infinite(x.real) | is_infinite(x.imag)).where(math.inf, size)
    if is_float(x):
        return magnitude_bits(x).bitcast(x.dtype)
    return x if x.dtype not in UNSIGNED else (x < 0).where(negate(x), x)


def hypot(a: Tensor, b: Tensor) -> Tensor:
    a, b = absolute(a), absolute(b)
    larger = (a < b).where(b, a)
    # The squares of what these powers of 2 scale are normal numbers.
    bias = 127 if a.dtype == dtypes.float32 else 1023
    large, small = larger > 2.0 ** (bias // 2 - 3), larger < 2.0 ** (12 - bias // 2)
    down, up = 2.0 ** -(bias * 3 // 4), 2.0 ** (bias * 3 // 4)
    factor, back = (large.where(x, small.where(y, 1.0)).cast(a.dtype) for x, y in ((down, up), (up, down)))
    size = rounded_sum((a * factor) * (a * factor), (b * factor) * (b * factor)).sqrt() * back
    return ((a == math.inf) | (b == math.inf)).where(math.inf, size)


def sign(x: T, *, lowering: Lowering = PLAIN) -> T:
    if isinstance(x, Complex):
        # Scaled by the larger half first, because the absolute values of very small and very large numbers are inexact.
        larger = maximum(absolute(x.real), absolute(x.imag))
        scaled = x.each(lambda half: rounded_quotient(half, (larger == 0).where(1.0, larger)))
        size = absolute(scaled, lowering=lowering)
        return scaled.each(lambda half: rounded_quotient(half, (size == 0).where(1.0, size)))
    if not is_float(x):
        return (x == 0).where(0, (x < 0).where(-1, 1)).cast(x.dtype)
    return (x < 0).where(-1.0, (x > 0).where(1.0, x))


def clamp_bits(form: NarrowFloat, low: Tensor, x: Tensor, high: Tensor) -> Tensor:
    low, high = (broadcast_scalar(v, x.shape) if v.shape == () else v for v in (low, high))
    return extremum_of_bits(form, extremum_of_bits(form, x, low, larger=True), high, larger=False)


@rule("stablehlo.clamp", bits=clamp_bits)
def clamp(low: T, x: T, high: T) -> T:
    low, high = (broadcast_scalar(v, x.shape) if v.shape == () else v for v in (low, high))
    return minimum(maximum(x, low), high)


# ---------------------------------------------------------------- rounding


def round_half_away(x: Tensor) -> Tensor:
    size = absolute(x)
    whole = size.trunc()
    return copy_sign(in_range(x, (size - whole >= 0.5).where(whole + 1, whole)), x)


def floor(x: Tensor) -> Tensor:
    return copy_sign(in_range(x, x.floor()), x)


def ceil(x: Tensor) -> Tensor:
    return copy_sign(in_range(x, x.ceil()), x)


# ---------------------------------------------------------------- bits


def unsigned_bits(x: Tensor, bits: int) -> Tensor:
    """An integer as unsigned, in which the bits above its declared width are 0."""
    unsigned = x.bitcast(UNSIGNED[x.dtype]) if x.dtype in UNSIGNED else x
    return unsigned & (2**bits - 1) if bits < width(x) else unsigned


def invert(x: Tensor) -> Tensor:
    return x.logical_not() if x.dtype == dtypes.bool else x ^ -1 if x.dtype in UNSIGNED else x ^ (2 ** width(x) - 1)


@rule("stablehlo.shift_left")
def shift_left(x: Tensor, y: Tensor, *, types: Types) -> Tensor:
    bits = bit_width(types[0].element)
    amount = within(y, bits)
    unsigned = unsigned_bits(x, width(x))
    shifted = (unsigned << amount.cast(unsigned.dtype)).bitcast(x.dtype)
    return outside(y, bits).where(0, shifted)


@rule("stablehlo.shift_right_arithmetic")
def shift_right_arithmetic(x: Tensor, y: Tensor, *, types: Types) -> Tensor:
    bits = bit_width(types[0].element)
    signed = x.dtype if x.dtype in UNSIGNED else OTHER_SIGN[x.dtype]
    spare = width(x) - bits
    value = (x << spare).bitcast(signed) >> spare if spare and signed != x.dtype else x.bitcast(signed)
    amount = outside(y, bits).where(bits - 1, y.cast(signed))
    return (value >> amount.cast(signed)).bitcast(x.dtype)


@rule("stablehlo.shift_right_logical")
def shift_right_logical(x: Tensor, y: Tensor, *, types: Types) -> Tensor:
    bits = bit_width(types[0].element)
    unsigned = unsigned_bits(x, bits)
    shifted = (unsigned >> within(y, bits).cast(unsigned.dtype)).bitcast(x.dtype)
    return outside(y, bits).where(0, shifted)


def outside(amount: Tensor, bits: int) -> Tensor:
    """Where a shift amount, taken as unsigned, is at least the width."""
    return (amount < 0) | (amount >= bits) if amount.dtype in UNSIGNED else amount >= bits


def within(amount: Tensor, bits: int) -> Tensor:
    """The shift amount, or 0 where it is at least the width."""
    return outside(amount, bits).where(0, amount)


def population_count(x: Tensor, bits: int) -> Tensor:
    unsigned = unsigned_bits(x, bits)
    for shift, mask in ((1, 0x55), (2, 0x33), (4, 0x0F), (8, 0xFF), (16, 0xFFFF), (32, 0xFFFFFFFF)):
        if shift < width(x):
            size = max(8, 2 * shift)
            repeated_mask = int.from_bytes(mask.to_bytes(size // 8, "little") * (width(x) // size), "little")
            # A constant with a type: from a Python integer and a constant 0 tinygrad makes an integer of no type.
            pattern = unsigned.const_like(repeated_mask)
            unsigned = (unsigned & pattern) + ((unsigned >> shift) & pattern)
    return unsigned


@rule("stablehlo.popcnt")
def popcnt(x: Tensor, *, types: Types) -> Tensor:
    return population_count(x, bit_width(types[0].element)).bitcast(x.dtype)


@rule("stablehlo.count_leading_zeros")
def count_leading_zeros(x: Tensor, *, types: Types) -> Tensor:
    bits = bit_width(types[0].element)
    unsigned = unsigned_bits(x, bits)
    for shift in (1, 2, 4, 8, 16, 32):
        if shift < bits:
            unsigned = unsigned | (unsigned >> shift)
    # Not the bits less those that are ones: tinygrad takes 32 - n < 32 for -n < 0, which no unsigned number is.
    return population_count(invert(unsigned), bits).bitcast(x.dtype)


@rule("chlo.mulhi")
def mulhi(x: Tensor, y: Tensor, *, types: Types) -> Tensor:
    """The upper half of the product, which has twice the width."""
    bits = bit_width(types[0].element)
    if bits <= 32:
        wide = dtypes.int64 if x.dtype in UNSIGNED else dtypes.uint64
        return ((x.cast(wide) * y.cast(wide)) >> bits).cast(x.dtype)
    if x.dtype not in UNSIGNED:
        return upper_half(x, y)
    product = upper_half(x.bitcast(dtypes.uint64), y.bitcast(dtypes.uint64)).bitcast(x.dtype)
    # Taken as unsigned, a negative operand is 2⁶⁴ too large.
    for a, b in ((x, y), (y, x)):
        product = subtract(product, (a < 0).where(b, b.const_like(0)))
    return product


def upper_half(x: Tensor, y: Tensor) -> Tensor:
    """The upper half of the product of two uint64, by long multiplication of halves: no sum exceeds 64 bits."""
    half = width(x) // 2
    (a, b), (c, d) = ((v >> half, v & (2**half - 1)) for v in (x, y))
    middle = a * d + ((b * d) >> half)
    lower = b * c + (middle & (2**half - 1))
    return a * c + (middle >> half) + (lower >> half)


# ---------------------------------------------------------------- comparison, conversion


def total_order(x: Tensor) -> Tensor:
    """Integers in the order that IEEE 754's totalOrder gives floats: -NaN < -∞ < … < -0 < +0 < … < NaN."""
    bits = x.bitcast(SIGNED_BITS[x.dtype])
    return (bits < 0).where(bits ^ ((1 << (width(x) - 1)) - 1), bits)


COMPARE: dict[str, Binary] = {
    "EQ": lambda a, b: a == b,
    "NE": lambda a, b: a != b,
    "LT": lambda a, b: a < b,
    "GT": lambda a, b: b < a,
    # tinygrad's <= means "not greater", which is true for NaN.
    "LE": lambda a, b: (a < b) | (a == b),
    "GE": lambda a, b: (b < a) | (a == b),
}


@rule("stablehlo.compare")
def compare(a: T, b: T, *, comparison_direction: str, compare_type: str) -> Tensor:
    if isinstance(a, Complex):
        equal = (a.real == b.real) & (a.imag == b.imag)
        less = (a.real < b.real) | ((a.real == b.real) & (a.imag < b.imag))
        more = (b.real < a.real) | ((a.real == b.real) & (b.imag < a.imag))
        results = {"EQ": equal, "NE": ~equal, "LT": less, "GT": more, "LE": less | equal, "GE": more | equal}
        return results[comparison_direction]
    if compare_type == "TOTALORDER" and is_float(a):
        a, b = total_order(a), total_order(b)
    if is_same(a, b) and is_float(a) and comparison_direction in ("EQ", "NE"):
        return is_nan(a) if comparison_direction == "NE" else ~is_nan(a)
    return COMPARE[comparison_direction](a, b)


@rule("stablehlo.select", storage=True)
def select(predicate: Tensor, on_true: T, on_false: T) -> T:
    if predicate.shape == () and on_true.shape != ():
        predicate = broadcast_scalar(predicate, on_true.shape)
    return halfwise(predicate.where, on_true, on_false)


@rule("stablehlo.complex")
def make_complex(real: Tensor, imag: Tensor) -> Complex:
    return Complex(real, imag)


@rule("stablehlo.real")
def real(x: AnyTensor) -> Tensor:
    return x.real if isinstance(x, Complex) else x


@rule("stablehlo.imag")
def imag(x: AnyTensor) -> Tensor:
    return x.imag if isinstance(x, Complex) else x.const_like(0)


@rule("chlo.conj")
def conj(x: T) -> T:
    return Complex(x.real, -x.imag) if isinstance(x, Complex) else x


@rule("stablehlo.is_finite")
def is_finite(x: Tensor) -> Tensor:
    return absolute(x) < math.inf


# ---------------------------------------------------------------- the table

BINARY: dict[str, Callable[..., Any]] = {
    "stablehlo.add": add,
    "stablehlo.and": lambda a, b: a & b,
    "stablehlo.divide": divide,
    "stablehlo.maximum": maximum,
    "stablehlo.minimum": minimum,
    "stablehlo.multiply": multiply,
    "stablehlo.or": lambda a, b: a | b,
    "stablehlo.remainder": remainder,
    "stablehlo.subtract": subtract,
    "stablehlo.xor": lambda a, b: a ^ b,
}
ELEMENTWISE: dict[str, Callable[..., Any]] = {
    **BINARY,
    "stablehlo.abs": absolute,
    "stablehlo.ceil": ceil,
    "stablehlo.floor": floor,
    "stablehlo.negate": negate,
    "stablehlo.not": invert,
    "stablehlo.round_nearest_afz": round_half_away,
    "stablehlo.round_nearest_even": round_half_even,
    "stablehlo.sign": sign,
    "chlo.is_inf": is_infinite,
    "chlo.is_neg_inf": lambda x: x == -math.inf,
    "chlo.is_pos_inf": lambda x: x == math.inf,
    "chlo.square": square,
}
OF_BITS = {
    "stablehlo.maximum": partial(extremum_of_bits, larger=True),
    "stablehlo.minimum": partial(extremum_of_bits, larger=False),
}
for _name, _function in ELEMENTWISE.items():
    rule(_name, bits=OF_BITS.get(_name))(_function)
