"""Values inside a rule, and the two forms they have.

Storage form is what buffers hold: one tinygrad dtype per element type, `storage_dtype`. Compute form is what arithmetic
uses: narrow floats are float32 (their bits are stored in an unsigned integer, because a cast to a narrow float and back
inside one kernel is folded away), narrow integers are 32 bits wide (C's promotion would not wrap them inside a kernel).
`encode` rounds or wraps; so every op rounds where the specification rounds.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextvars import ContextVar
from dataclasses import dataclass, replace
from typing import Any

from tinygrad import Tensor, dtypes
from tinygrad.dtype import DType

from ..ir import QuantizedType, ScalarType, TensorType, Type
from ..tinygrad.dtypes import NARROW_FLOATS, NarrowFloat, compute_dtype, storage_dtype

# Whether kernels are C that may call the functions of targets/c/elementary.c.
calls_c: ContextVar[bool] = ContextVar("calls_c", default=False)
# Where the buffers of kernels that rules write themselves (loops.py) are made.
device: ContextVar[str] = ContextVar("device", default="CPU")
# Whether an op that updates a part of its operands writes into their buffers; else into copies.
in_place: ContextVar[bool] = ContextVar("in_place", default=False)


def expressed(type: Type) -> Type:
    """The type in which arithmetic sees a quantized tensor; other types are their own."""
    if isinstance(type, TensorType) and isinstance(type.element, QuantizedType):
        return replace(type, element=type.element.expressed)
    return type


def work(x: Tensor) -> DType:
    """The dtype in which an elementary function of x is evaluated: its own, but in C the wider one is as fast."""
    return dtypes.float64 if calls_c.get() else x.dtype


def decode(value: Any, type: Type) -> Any:
    """Storage form → compute form."""
    if not isinstance(type, TensorType) or isinstance(value, Complex):
        return value
    if isinstance(type.element, QuantizedType):
        from .quantization import dequantize  # it computes with the rules' functions

        return dequantize(value, type)
    if isinstance(type.element, ScalarType) and type.element.name in NARROW_FLOATS:
        return _decode_float(value, NARROW_FLOATS[type.element.name])
    return value.cast(compute_dtype(type.element))


def encode(value: Any, type: Type) -> Any:
    """Compute form → storage form: rounds to nearest even, wraps integers."""
    if not isinstance(type, TensorType) or isinstance(value, Complex) or not isinstance(value, Tensor):
        return value
    if value.dtype in dtypes.weaks:
        value = value.cast(compute_dtype(type.element))
    match type.element:
        case QuantizedType():
            from .quantization import quantize

            return quantize(value, type)
        case ScalarType(name) if name in NARROW_FLOATS and value.dtype == dtypes.float32:
            return _encode_float(value, NARROW_FLOATS[name])
        case ScalarType("i2" | "i4" as name) if value.dtype == dtypes.int32:
            half = 1 << (int(name[1:]) - 1)
            return (((value & (2 * half - 1)) ^ half) - half).cast(dtypes.int8)
        case ScalarType("ui2" | "ui4" as name) if value.dtype == dtypes.uint32:
            return (value & ((1 << int(name[2:])) - 1)).cast(dtypes.uint8)
    if value.dtype == compute_dtype(type.element):
        return value.cast(storage_dtype(type.element))
    return value


def _decode_float(bits: Tensor, form: NarrowFloat) -> Tensor:
    """The bits of a narrow float → float32, exactly."""
    code = bits.cast(dtypes.uint32)
    magnitude = code & form.magnitude
    shifted = magnitude << (23 - form.mantissa)
    if form.powers:
        result = (magnitude == 0).where(1 << 22, shifted)
    elif form.exponent == 8:
        result = shifted
    else:
        # As float32 bits the number is 2**(127 - bias) too small; scaling by a power of two is exact.
        result = (shifted.bitcast(dtypes.float32) * float(2.0 ** (127 - form.bias))).bitcast(dtypes.uint32)
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
    # A tie goes to the even code; of two powers of two to the larger, whose significand is twice the other's one.
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


@dataclass(frozen=True)
class Complex:
    """A complex value as two tensors: tinygrad has no complex dtype. Buffers hold it as pairs along a last axis."""

    real: Tensor
    imag: Tensor

    @property
    def shape(self) -> tuple[int, ...]:
        return tuple(int(d) for d in self.real.shape)

    def each(self, function: Any) -> Complex:
        """Apply a function of one tensor, such as a movement, to both halves."""
        return Complex(function(self.real), function(self.imag))

    def __add__(self, other: Complex) -> Complex:
        return Complex(self.real + other.real, self.imag + other.imag)

    def __sub__(self, other: Complex) -> Complex:
        return Complex(self.real - other.real, self.imag - other.imag)

    def __mul__(self, other: Complex) -> Complex:
        return Complex(self.real * other.real - self.imag * other.imag, self.real * other.imag + self.imag * other.real)

    def __neg__(self) -> Complex:
        return Complex(-self.real, -self.imag)

    def __truediv__(self, other: Complex) -> Complex:
        # Scaled by the larger half of the divisor, so that its square neither overflows nor vanishes.
        larger = other.real.abs() < other.imag.abs()
        big, small = larger.where(other.imag, other.real), larger.where(other.real, other.imag)
        ratio = small / big
        scale = big + small * ratio
        p, q = larger.where(self.imag, self.real), larger.where(self.real, self.imag)
        imag = larger.where(self.imag * ratio - self.real, self.imag - self.real * ratio)
        return Complex((p + q * ratio) / scale, imag / scale)


def each(value: Any, function: Any) -> Any:
    """Apply a function of one tensor to a value, to both halves of a complex one."""
    return value.each(function) if isinstance(value, Complex) else function(value)


def repeated(number: float | int | bool, shape: Sequence[int], dtype: DType) -> Tensor:
    """One number in every place, without a buffer of its own: kernels hold it as a literal."""
    return Tensor.full(tuple(shape), number, dtype=dtype, buffer=False)
