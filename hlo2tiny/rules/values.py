"""Values inside a rule, and the two forms they have.

Storage form is what buffers hold: one tinygrad dtype per element type, `storage_dtype`. Compute form is what arithmetic
uses: narrow floats are float32 (their bits are stored in an unsigned integer, because a cast to a narrow float and back
inside one kernel is folded away), narrow integers are 32 bits wide (C's promotion would not wrap them inside a kernel).
`encode` rounds or wraps; so every op rounds where the specification rounds.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextvars import ContextVar
from dataclasses import dataclass
from typing import Any

from tinygrad import Tensor, dtypes
from tinygrad.dtype import DType

from ..errors import UnsupportedOp
from ..ir import ComplexType, ElementType, QuantizedType, ScalarType, TensorType, Type

# Whether the device computes in float64: elementary functions of float32 then are evaluated there and rounded once.
wide: ContextVar[bool] = ContextVar("wide", default=True)
# Where the buffers of kernels that rules write themselves (loops.py) are made.
device: ContextVar[str] = ContextVar("device", default="CPU")


@dataclass(frozen=True)
class NarrowFloat:
    """An IEEE-like format: significand bits stored, exponent bias, what its top codes mean."""

    bits: int
    mantissa: int
    bias: int
    infinities: bool = True  # the all-ones exponent is infinity and NaN
    unsigned_zero: bool = False  # …FNUZ: the code of -0 is the only NaN

    @property
    def exponent(self) -> int:
        return self.bits - 1 - self.mantissa


NARROW_FLOATS = {
    "bf16": NarrowFloat(16, 7, 127),
    "f16": NarrowFloat(16, 10, 15),
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
    "bf16": dtypes.uint16,
    "f16": dtypes.uint16,
    "f32": dtypes.float32,
    "f64": dtypes.float64,
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
        UnsupportedOp: the element type has no storage yet.
    """
    match element:
        case ComplexType(inner):
            return storage_dtype(inner)
        case ScalarType(name) if name in STORAGE:
            return STORAGE[name]
        case QuantizedType():
            raise UnsupportedOp("quantized element types have no rules yet")
    raise UnsupportedOp(f"element type {getattr(element, 'name', element)} has no storage yet")


def compute_dtype(element: ElementType) -> DType:
    """The tinygrad dtype in which arithmetic on this element type is done."""
    if isinstance(element, ScalarType) and element.name in NARROW_FLOATS:
        return dtypes.float32
    dtype = storage_dtype(element)
    return WIDENED.get(dtype, dtype)


def work(x: Tensor) -> DType:
    """The dtype in which an elementary function of x is evaluated (see `wide`)."""
    return dtypes.float64 if wide.get() else x.dtype


def decode(value: Any, type: Type) -> Any:
    """Storage form → compute form."""
    if not isinstance(type, TensorType) or isinstance(value, Complex):
        return value
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
    wide_bits = bits.cast(dtypes.uint32)
    if form.exponent == 8:
        return (wide_bits << (23 - form.mantissa)).bitcast(dtypes.float32)
    sign = (wide_bits >> (form.bits - 1)) << 31
    magnitude = wide_bits & ((1 << (form.bits - 1)) - 1)
    # As float32 bits the number is 2**(127 - bias) too small; scaling by a power of two is exact, subnormals included.
    scaled = (magnitude << (23 - form.mantissa)).bitcast(dtypes.float32) * float(2.0 ** (127 - form.bias))
    special = (magnitude << (23 - form.mantissa)) | 0x7F800000
    top = ((1 << form.exponent) - 1) << form.mantissa
    result = (magnitude < top).where(scaled.bitcast(dtypes.uint32), special)
    return (result | sign).bitcast(dtypes.float32)


def _encode_float(value: Tensor, form: NarrowFloat) -> Tensor:
    """float32 → the bits of a narrow float, to nearest even."""
    bits = value.bitcast(dtypes.uint32)
    sign = bits >> 31
    magnitude = bits & 0x7FFFFFFF
    drop = 23 - form.mantissa
    if form.exponent == 8:
        rounded = (magnitude + ((1 << (drop - 1)) - 1) + ((magnitude >> drop) & 1)) >> drop
        top = 0x7F800000 >> drop
    else:
        offset = (127 - form.bias) << 23
        normal = (magnitude - offset + ((1 << (drop - 1)) - 1) + ((magnitude >> drop) & 1)) >> drop
        # Below the smallest normal number the spacing is fixed: adding a float whose last bit is that spacing rounds.
        unit = 1 - form.bias - form.mantissa
        magic = float(2.0 ** (unit + 23))
        magic_bits = (unit + 23 + 127) << 23
        shifted = magnitude.bitcast(dtypes.float32) + magic
        subnormal = shifted.bitcast(dtypes.uint32) - magic_bits
        smallest = (128 - form.bias) << 23
        top = ((1 << form.exponent) - 1) << form.mantissa
        overflow = (127 + (1 << form.exponent) - 1 - form.bias) << 23
        rounded = (magnitude < smallest).where(subnormal, (magnitude < overflow).where(normal, top))
    nan = top | (1 << (form.mantissa - 1))
    result = (magnitude > 0x7F800000).where(nan, rounded)
    return ((sign << (form.bits - 1)) | result).cast(dtypes.uint16 if form.bits == 16 else dtypes.uint8)


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
