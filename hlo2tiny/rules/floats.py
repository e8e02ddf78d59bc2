"""Floats by their bits: NaN, signs, and rounding to integers."""

from __future__ import annotations

from ..ir import ScalarType
from ..tinygrad.dtypes import NarrowFloat, compute_dtype
from ..tinygrad.expressions import BITS, Tensor, dtypes, exact, rounding


def width(x: Tensor) -> int:
    """Bits of a compute dtype."""
    return int(x.dtype.itemsize) * 8


def magnitude_bits(x: Tensor) -> Tensor:
    """A float's bits without its sign."""
    bits = x.bitcast(BITS[x.dtype])
    return bits & bits.const_like((1 << (width(x) - 1)) - 1)  # a constant with a type, as in population_count


INFINITY = {dtypes.float32: 0x7F800000, dtypes.float64: 0x7FF0000000000000}  # its bits


def is_nan(x: Tensor) -> Tensor:
    # Not x != x, which tinygrad folds to false even where x may be a constant NaN.
    return magnitude_bits(x) > INFINITY[x.dtype]


def is_nan_of(form: NarrowFloat, bits: Tensor) -> Tensor:
    return (bits & form.magnitude) > form.overflow


def copy_sign(magnitude: Tensor, sign: Tensor) -> Tensor:
    bits = sign.bitcast(BITS[sign.dtype])
    top = bits & bits.const_like(1 << (width(sign) - 1))
    return (magnitude_bits(magnitude) | top).bitcast(magnitude.dtype)


def in_range(x: Tensor, rounded: Tensor) -> Tensor:
    """`rounded`, but x itself where it is so large that it has no fraction, infinite or NaN."""
    return (magnitude_bits(x).bitcast(x.dtype) < 2.0 ** (23 if x.dtype == dtypes.float32 else 52)).where(rounded, x)


add, subtract = rounding(lambda a, b: a + b), rounding(lambda a, b: a - b)


def round_half_even(x: Tensor) -> Tensor:
    """As the sum with the least number whose neighbours are whole rounds it."""
    size = magnitude_bits(x).bitcast(x.dtype)
    whole = size.const_like(2.0 ** (23 if x.dtype == dtypes.float32 else 52))
    return copy_sign(in_range(x, subtract(add(size, whole), whole)), x)


# The limits of integers of so many bits are floats, too.
NARROW = 16


def float_to_integer(x: Tensor, target: ScalarType, int64: bool = True) -> Tensor:
    """Truncate, saturate at the limits of the target, and turn NaN into 0. In C, all of that is undefined.

    What is converted is chosen first, and `exact`: tinygrad would convert all numbers, and choose then. `int64` is as
    in Lowering: where two integers of 32 bits replace one of 64, tinygrad converts the lower half by a
    conversion that saturates.
    """
    x = x if x.dtype in BITS else x.cast(dtypes.float32)
    bits = int(target.name.lstrip("ui").replace("ndex", "64"))
    signed = not target.name.startswith("u")
    low, high = (-(2 ** (bits - 1)), 2 ** (bits - 1) - 1) if signed else (0, 2**bits - 1)
    dtype = compute_dtype(target)
    over, under, nan = x >= float(high + 1), x <= float(low), is_nan(x)
    if bits <= NARROW:
        return exact(nan.where(0.0, over.where(float(high), under.where(float(low), x)))).cast(dtype)
    inside = exact((over | under | nan).where(0.0, x))
    inside = inside.cast(dtype) if int64 or bits < 64 else in_halves(inside).cast(dtype)
    # NaN first: tinygrad's >= and <= are true for it.
    return nan.where(0, over.where(high, under.where(low, inside))).cast(dtype)


def in_halves(x: Tensor) -> Tensor:
    """A float whose integral part has at most 64 bits as an integer, by two conversions to 32 bits."""
    size = exact(x.abs().trunc())
    upper = exact((size * 2.0**-32).trunc())
    lower = exact(size - upper * 2.0**32)
    joined = upper.cast(dtypes.uint32).cast(dtypes.int64) * (1 << 32) + lower.cast(dtypes.uint32).cast(dtypes.int64)
    return (x < 0).where(-joined, joined)
