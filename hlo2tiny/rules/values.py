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

from ..dtypes import type_text
from ..errors import UnsupportedOp
from ..ir import ComplexType, ElementType, QuantizedType, ScalarType, TensorType, Type

# Whether kernels are C that may call the functions of codegen/elementary.c.
calls_c: ContextVar[bool] = ContextVar("calls_c", default=False)
# Where the buffers of kernels that rules write themselves (loops.py) are made.
device: ContextVar[str] = ContextVar("device", default="CPU")
# Whether an op that updates a part of its operands writes into their buffers; else into copies.
in_place: ContextVar[bool] = ContextVar("in_place", default=False)


@dataclass(frozen=True)
class NarrowFloat:
    """A floating-point format, stored in the low bits of an unsigned integer.

    `largest`, `overflow` and `nan` are codes: the largest number, what a number beyond it becomes (infinity, NaN, or
    the largest number in a format of numbers only), and what NaN becomes.
    """

    bits: int
    mantissa: int
    bias: int
    largest: int
    overflow: int
    nan: int
    powers: bool = False  # powers of two only: no sign, no zero, no significand

    @property
    def exponent(self) -> int:
        return self.bits - self.mantissa - (0 if self.powers else 1)

    @property
    def magnitude(self) -> int:
        """The bits that are not the sign."""
        return (1 << (self.bits if self.powers else self.bits - 1)) - 1

    @property
    def negative_zero(self) -> bool:
        """…FNUZ gives the code of -0 to NaN."""
        return self.nan & self.magnitude != 0 or self.overflow == self.largest


NARROW_FLOATS = {
    "bf16": NarrowFloat(16, 7, 127, 0x7F7F, 0x7F80, 0x7FC0),
    "f16": NarrowFloat(16, 10, 15, 0x7BFF, 0x7C00, 0x7E00),
    "f8E3M4": NarrowFloat(8, 4, 3, 0x6F, 0x70, 0x78),
    "f8E4M3": NarrowFloat(8, 3, 7, 0x77, 0x78, 0x7C),
    "f8E4M3B11FNUZ": NarrowFloat(8, 3, 11, 0x7F, 0x80, 0x80),
    "f8E4M3FN": NarrowFloat(8, 3, 7, 0x7E, 0x7F, 0x7F),
    "f8E4M3FNUZ": NarrowFloat(8, 3, 8, 0x7F, 0x80, 0x80),
    "f8E5M2": NarrowFloat(8, 2, 15, 0x7B, 0x7C, 0x7E),
    "f8E5M2FNUZ": NarrowFloat(8, 2, 16, 0x7F, 0x80, 0x80),
    "f8E8M0FNU": NarrowFloat(8, 0, 127, 0xFE, 0xFF, 0xFF, powers=True),
    "f6E2M3FN": NarrowFloat(6, 3, 1, 0x1F, 0x1F, 0x20),
    "f6E3M2FN": NarrowFloat(6, 2, 3, 0x1F, 0x1F, 0x20),
    "f4E2M1FN": NarrowFloat(4, 1, 1, 0x07, 0x07, 0x08),
}
STORAGE = {
    "i1": dtypes.bool,
    "i2": dtypes.int8,
    "i4": dtypes.int8,
    "i8": dtypes.int8,
    "i16": dtypes.int16,
    "i32": dtypes.int32,
    "i64": dtypes.int64,
    "index": dtypes.int64,
    "ui2": dtypes.uint8,
    "ui4": dtypes.uint8,
    "ui8": dtypes.uint8,
    "ui16": dtypes.uint16,
    "ui32": dtypes.uint32,
    "ui64": dtypes.uint64,
    "f32": dtypes.float32,
    "f64": dtypes.float64,
    **{name: dtypes.uint16 if form.bits == 16 else dtypes.uint8 for name, form in NARROW_FLOATS.items()},
}
WIDENED = {
    dtypes.int8: dtypes.int32,
    dtypes.int16: dtypes.int32,
    dtypes.uint8: dtypes.uint32,
    dtypes.uint16: dtypes.uint32,
}


def storage_dtype(element: ElementType) -> DType:
    """The tinygrad dtype of a buffer of this element type; of one half of it for a complex type.

    Raises:
        UnsupportedOp: StableHLO has no such element type.
    """
    match element:
        case ComplexType(ScalarType("f32" | "f64") as inner):
            return storage_dtype(inner)
        case ScalarType(name) if name in STORAGE:
            return STORAGE[name]
        case QuantizedType(ScalarType(name)) if name[0] in "iu":
            return storage_dtype(element.storage)
    raise UnsupportedOp(f"StableHLO has no element type {type_text(element)}")


def compute_dtype(element: ElementType) -> DType:
    """The tinygrad dtype in which arithmetic on this element type is done."""
    if isinstance(element, QuantizedType):
        return compute_dtype(element.expressed)
    if isinstance(element, ScalarType) and element.name in NARROW_FLOATS:
        return dtypes.float32
    dtype = storage_dtype(element)
    return WIDENED.get(dtype, dtype)


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
