"""Conversions between types, of numbers and of bits."""

from __future__ import annotations

import functools

from ..ir import ComplexType, ElementType, ScalarType
from ..ir.dtypes import bit_width, static_shape
from ..ops.types import part
from ..tinygrad.dtypes import NARROW_FLOATS, UNSIGNED, WORDS, compute_dtype, storage_dtype
from ..tinygrad.expressions import BITS, DType, Tensor, dtypes, exact
from .elementwise import absolute, is_float
from .floats import float_to_integer, is_nan, width
from .narrow import convert_integer, reinterpret
from .registry import PLAIN, Lowering, Types, rule
from .values import AnyTensor, Complex


@rule("stablehlo.convert")
def convert(x: AnyTensor, *, out: Types, lowering: Lowering) -> AnyTensor:
    target = out[0].element
    if isinstance(target, ComplexType):
        if isinstance(x, Complex):
            return x.each(lambda t: t.cast(compute_dtype(target)))
        real = convert_real(x, target.element, lowering)
        return Complex(real, real.const_like(0))
    return convert_real(x.real if isinstance(x, Complex) else x, target, lowering)


def convert_real(x: Tensor, target: ElementType, lowering: Lowering = PLAIN) -> Tensor:
    assert isinstance(target, ScalarType)
    dtype = compute_dtype(target)
    if target.name == "i1":
        return x != 0
    if is_float(x) and dtype not in BITS:
        return float_to_integer(x, target, lowering.int64)
    if target.name in NARROW_FLOATS:
        return round_to_odd(x) if x.dtype == dtypes.float64 else few_bits(x).cast(dtype)
    if dtype == dtypes.float32 and x.dtype in LONG and not lowering.int64:
        return rounded_once(x)
    return x.cast(dtype) if is_float(x) or dtype in BITS else convert_integer(x, dtype)


def few_bits(x: Tensor) -> Tensor:
    """Integers rounded to odd with 16 to 24 significant bits, so that float32 holds them."""
    if is_float(x) or x.dtype == dtypes.bool:
        return x
    for drop in range(8, width(x) - 16, 8):
        x = is_beyond(x, drop + 16).where(without_bits(x, drop) << drop, x)
    return x


def is_beyond(x: Tensor, bits: int) -> Tensor:
    """Whether an integer has more than so many bits, apart from its sign."""
    large: Tensor = x >= 2**bits
    return large | (x < -(2**bits)) if x.dtype in UNSIGNED else large


def without_bits(x: Tensor, count: int) -> Tensor:
    """An integer without its lowest bits; the last one that is left says whether these were 0."""
    return (x >> count) | ((x & (2**count - 1)) != 0).cast(x.dtype)


LONG = (dtypes.int64, dtypes.uint64)


def rounded_once(x: Tensor) -> Tensor:
    """An integer of 64 bits → float32 where two of 32 bits replace it, each of which tinygrad would round.

    The halves of 48 bits are floats without rounding.
    """
    large = is_beyond(x, 47)
    bits = large.where(without_bits(x, 16), x)
    upper, lower = (half.cast(dtypes.int32).cast(dtypes.float32) for half in (bits >> 24, bits & (2**24 - 1)))
    rounded = exact(upper * 2.0**24 + lower)
    return large.where(rounded * 2.0**16, rounded)


def round_to_odd(x: Tensor) -> Tensor:
    """float64 → float32 whose last bit says "inexact", so that a second rounding, to fewer bits, is correct."""
    nearest = x.cast(dtypes.float32)
    back = nearest.cast(dtypes.float64)
    bits = nearest.bitcast(dtypes.uint32)
    beyond = absolute(back) > absolute(x)
    truncated = (beyond & (bits & 0x7FFFFFFF != 0)).where(bits - 1, bits)
    inexact = (back != x) & (x == x)
    return inexact.where(truncated | 1, bits).bitcast(dtypes.float32)


@rule("stablehlo.uniform_quantize", "stablehlo.uniform_dequantize")
def uniform_quantize(x: Tensor) -> Tensor:
    """As for every op, the operand arrives dequantized and the result is quantized afterwards."""
    return x


@rule("stablehlo.bitcast_convert", storage=True)
def bitcast_convert(x: AnyTensor, *, types: Types, out: Types) -> AnyTensor:
    source, target = (t[0].element for t in (types, out))
    # A complex number is a pair along a last axis, as in a buffer.
    bits = words(x.real.stack(x.imag, dim=-1) if isinstance(x, Complex) else x, bit_width(part(source)))
    size, wanted = bit_width(part(source)), bit_width(part(target))
    word = WORDS[max(wanted, 8)] if wanted != 6 else dtypes.uint8
    if size > wanted:
        # Little endian: the lowest bits come first along the new last axis.
        pieces = [((bits >> at) & (2**wanted - 1)).cast(word) for at in range(0, size, wanted)]
        bits = pieces[0].stack(*pieces[1:], dim=-1)
    elif size < wanted:
        pieces = [bits[..., i].cast(word) << (size * i) for i in range(wanted // size)]
        bits = functools.reduce(lambda a, b: a | b, pieces)
    shape = static_shape(out[0])
    if isinstance(target, ComplexType):
        pair = bits.reshape(*shape, 2).bitcast(storage_dtype(target))
        return Complex.of_pairs(pair)
    return from_words(bits.reshape(shape), wanted, storage_dtype(target))


def words(x: Tensor, bits: int) -> Tensor:
    """The bits of a value in storage form, as unsigned integers."""
    word = WORDS[x.dtype.itemsize * 8]
    raw = x.cast(word) if x.dtype == dtypes.bool else reinterpret(x, word)
    return raw & (2**bits - 1) if bits < 8 else raw


def from_words(x: Tensor, bits: int, dtype: DType) -> Tensor:
    if dtype == dtypes.bool:
        return x != 0
    if bits < 8 and dtype == dtypes.int8:
        sign = 1 << (bits - 1)
        return ((x.cast(dtypes.int32) ^ sign) - sign).cast(dtype)
    return reinterpret(x, dtype)


@rule("stablehlo.reduce_precision")
def reduce_precision(x: Tensor, *, exponent_bits: int, mantissa_bits: int) -> Tensor:
    mantissa, exponent = {dtypes.float32: (23, 8), dtypes.float64: (52, 11)}[x.dtype]
    middle = (1 << (exponent - 1)) - 1
    bits = x.bitcast(BITS[x.dtype])
    top = 1 << (width(x) - 1)
    drop = mantissa - mantissa_bits
    sign, size = bits & top, bits & (top - 1)
    if drop > 0:
        size = ((size + ((1 << (drop - 1)) - 1) + ((size >> drop) & 1)) >> drop) << drop
    if exponent_bits < exponent:
        bias = (1 << (exponent_bits - 1)) - 1
        largest = (bias + middle) << mantissa | ((1 << mantissa) - 1)
        smallest = (1 - bias + middle) << mantissa
        infinity = (2 * middle + 1) << mantissa
        size = (size > largest).where(infinity, (size < smallest).where(0, size))
    return is_nan(x).where(x, (sign | size).bitcast(x.dtype))
