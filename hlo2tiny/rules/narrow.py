"""Conversion of narrow numbers, such as bf16 and i4, between the forms of storage and of arithmetic."""

from __future__ import annotations

from ..ir import ElementType, ScalarType
from ..tinygrad.dtypes import NARROW_FLOATS, OTHER_SIGN, UNSIGNED, NarrowFloat, compute_dtype, storage_dtype
from ..tinygrad.expressions import DType, Tensor, can_lossless_cast, dtypes, opaque


def widen(value: Tensor, element: ElementType) -> Tensor:
    """Storage form → compute form."""
    if isinstance(element, ScalarType) and element.name in NARROW_FLOATS:
        return _decode_float(value, NARROW_FLOATS[element.name])
    return value.cast(compute_dtype(element))


def narrow(value: Tensor, element: ElementType) -> Tensor:
    """Compute form → storage form: rounds to nearest even, wraps integers."""
    match element:
        case ScalarType(name) if name in NARROW_FLOATS and value.dtype == dtypes.float32:
            return _encode_float(value, NARROW_FLOATS[name])
        case ScalarType("i2" | "i4" as name) if value.dtype == dtypes.int32:
            half = 1 << (int(name[1:]) - 1)
            return (((value & (2 * half - 1)) ^ half) - half).cast(dtypes.int8)
        case ScalarType("ui2" | "ui4" as name) if value.dtype == dtypes.uint32:
            return (value & ((1 << int(name[2:])) - 1)).cast(dtypes.uint8)
    if value.dtype != compute_dtype(element):
        return value
    dtype = storage_dtype(element)
    return convert_integer(value, dtype) if dtypes.is_int(dtype) else value.cast(dtype)


# ---------------------------------------------------------------- integers


def convert_integer(x: Tensor, dtype: DType) -> Tensor:
    """Integers or booleans, modulo 2 to the number of bits.

    tinygrad takes a cast for one that changes no number: it folds that of 300 to uint8 into 300, and that of a uint8 to
    int8 is never below 0.
    """
    if can_lossless_cast(x.dtype, dtype):
        return x.cast(dtype)
    if dtype.itemsize < x.dtype.itemsize:
        return reinterpret((x & (2 ** (8 * dtype.itemsize) - 1)).cast(UNSIGNED.get(dtype, dtype)), dtype)
    return reinterpret(x.cast(dtype if (x.dtype in UNSIGNED) == (dtype in UNSIGNED) else OTHER_SIGN[dtype]), dtype)


def reinterpret(x: Tensor, dtype: DType) -> Tensor:
    """The same bits as another dtype.

    Two bitcasts of integers would cancel, and comparisons see the sums that `wrapping` hides from tinygrad.
    """
    if x.dtype == dtype:
        return x
    if dtype == UNSIGNED.get(x.dtype):
        return opaque(x.bitcast(dtype))
    return (opaque(x) if x.dtype == UNSIGNED.get(dtype) else x).bitcast(dtype)


def _decode_float(bits: Tensor, form: NarrowFloat) -> Tensor:
    """The bits of a narrow float → float32, exactly."""
    code = bits.cast(dtypes.uint32)
    if form.shortened:
        return (code << (32 - form.bits)).bitcast(dtypes.float32)
    magnitude = code & form.magnitude
    shifted = magnitude << (23 - form.mantissa)
    if form.powers:
        result = (magnitude == 0).where(1 << 22, shifted)
    else:
        # Of subnormal numbers, the integer counts units. As float32 bits, they would be subnormal, and 0 on many GPUs.
        small = (magnitude.cast(dtypes.float32) * float(2.0 ** (1 - form.bias - form.mantissa))).bitcast(dtypes.uint32)
        result = (magnitude < 1 << form.mantissa).where(small, shifted + ((127 - form.bias) << 23))
    if form.overflow != form.largest:
        infinity = 0x7F800000 if form.overflow != form.nan else 0x7FC00000
        result = (magnitude > form.largest).where((magnitude == form.overflow).where(infinity, 0x7FC00000), result)
    if not form.powers:
        result = result | ((code >> (form.bits - 1)) & 1) << 31
    if not form.negative_zero:
        result = (code == form.nan).where(0x7FC00000, result)
    return result.bitcast(dtypes.float32)


def _encode_float(value: Tensor, form: NarrowFloat) -> Tensor:
    """float32 → the bits of a narrow float, to nearest even."""
    bits = value.bitcast(dtypes.uint32)
    magnitude = bits & 0x7FFFFFFF
    drop = 23 - form.mantissa
    if form.shortened:  # rounding up carries into the exponent, and from the largest number to infinity
        code = (bits + (bits >> drop & 1) + ((1 << (drop - 1)) - 1)) >> drop
        nan = form.nan | bits >> drop & ~form.magnitude & ((1 << form.bits) - 1)
        return (magnitude > 0x7F800000).where(nan, code).cast(dtypes.uint16)
    # A tie goes to the even code; between two powers of two, to the larger one.
    odd = (magnitude >> 23 != 0).cast(dtypes.uint32) if form.powers else (magnitude >> drop) & 1
    half = ((1 << (drop - 1)) - 1) + odd
    if form.exponent == 8:
        code = (magnitude + half) >> drop
    else:
        normal = (magnitude - ((127 - form.bias) << 23) + half) >> drop
        # Below the smallest normal number the spacing is fixed: adding a float whose last bit is that spacing rounds.
        last = 24 - form.bias - form.mantissa
        subnormal = (magnitude.bitcast(dtypes.float32) + float(2.0**last)).bitcast(dtypes.uint32) - ((last + 127) << 23)
        code = (magnitude < (128 - form.bias) << 23).where(subnormal, normal)
    code = (code > form.largest).where(form.overflow, code)
    code = (magnitude > 0x7F800000).where(form.nan, code)
    sign = bits >> 31
    if form.powers:
        code = ((sign != 0) | (magnitude == 0)).where(form.nan, code)
    elif form.negative_zero:
        code = code | sign << (form.bits - 1)
    else:
        code = (code == 0).where(0, code | sign << (form.bits - 1))
    return code.cast(dtypes.uint16 if form.bits == 16 else dtypes.uint8)
