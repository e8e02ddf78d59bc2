"""Elementwise ops: arithmetic, rounding, bits, comparison and conversion."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

from tinygrad import Tensor, dtypes

from ..errors import UnsupportedOp
from ..ir import ComplexType, ElementType, ScalarType, TensorType
from .registry import rule
from .values import NARROW_FLOATS, Complex, compute_dtype, work

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


# ---------------------------------------------------------------- rounding


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
    "stablehlo.remainder": remainder,
    "stablehlo.subtract": subtract,
    "stablehlo.xor": lambda a, b: a ^ b,
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
    rule("stablehlo.clamp")(lambda low, x, high: clamp(low, x, high))


register_table()
