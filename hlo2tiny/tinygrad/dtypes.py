"""The tinygrad dtypes in which values of an element type are stored and computed, and those of users' Tensors."""

from __future__ import annotations

from tinygrad import dtypes
from tinygrad.dtype import DType

from ..errors import UnsupportedOp
from ..ir import ComplexType, ElementType, QuantizedType, ScalarType
from ..ir.dtypes import NUMPY
from ..records import dataclass


@dataclass(frozen=True)
class NarrowFloat:
    """A floating-point format, stored in the low bits of an unsigned integer.

    `largest`, `overflow` and `nan` are bit patterns: of the largest number, of the result of an overflow (infinity, NaN
    or, in a format without either, the largest number), and of the result that stands for NaN.
    """

    bits: int
    mantissa: int
    bias: int
    largest: int
    overflow: int
    nan: int
    powers: bool = False  # whether it has powers of two only: no sign, no zero, no significand

    @property
    def exponent(self) -> int:
        return self.bits - self.mantissa - (0 if self.powers else 1)

    @property
    def magnitude(self) -> int:
        """The mask of all bits but the sign."""
        return (1 << (self.bits if self.powers else self.bits - 1)) - 1

    @property
    def negative_zero(self) -> bool:
        """Whether the format has a -0; …FNUZ formats use its bit pattern for NaN."""
        return self.nan & self.magnitude != 0 or self.overflow == self.largest

    @property
    def shortened(self) -> bool:
        """Whether its bits are the first ones of a float32, as those of bf16 are."""
        return self.exponent == 8 and self.bias == 127 and not self.powers


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
SIGNED = {8: dtypes.int8, 16: dtypes.int16, 32: dtypes.int32, 64: dtypes.int64}
WORDS = {8: dtypes.uint8, 16: dtypes.uint16, 32: dtypes.uint32, 64: dtypes.uint64}
UNSIGNED = {SIGNED[bits]: word for bits, word in WORDS.items()}
OTHER_SIGN = UNSIGNED | {unsigned: signed for signed, unsigned in UNSIGNED.items()}
STORAGE = {
    **{f"i{bits}": SIGNED[max(bits, 8)] for bits in (2, 4, *SIGNED)},
    **{f"ui{bits}": WORDS[max(bits, 8)] for bits in (2, 4, *WORDS)},
    **{name: WORDS[max(form.bits, 8)] for name, form in NARROW_FLOATS.items()},
    "i1": dtypes.bool,
    "index": dtypes.int64,
    "f32": dtypes.float32,
    "f64": dtypes.float64,
}
WIDENED = {narrow[bits]: narrow[32] for narrow in (SIGNED, WORDS) for bits in (8, 16)}


def storage_dtype(element: ElementType) -> DType:
    """The tinygrad dtype of a buffer of this element type; for a complex type, that of each part.

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
    raise UnsupportedOp(f"StableHLO has no element type {element}")


def compute_dtype(element: ElementType) -> DType:
    """The tinygrad dtype in which arithmetic on this element type is done."""
    if isinstance(element, QuantizedType):
        return compute_dtype(element.expressed)
    if isinstance(element, ScalarType) and element.name in NARROW_FLOATS:
        return dtypes.float32
    dtype = storage_dtype(element)
    return WIDENED.get(dtype, dtype)


# tinygrad's dtypes for element types that our buffers store as integers.
TENSOR_DTYPES = {
    "bf16": dtypes.bfloat16,
    "f16": dtypes.float16,
    "f8E4M3FN": dtypes.fp8e4m3,
    "f8E4M3FNUZ": dtypes.fp8e4m3fnuz,
    "f8E5M2": dtypes.fp8e5m2,
    "f8E5M2FNUZ": dtypes.fp8e5m2fnuz,
}


def tensor_dtype(element: ElementType) -> DType:
    """The dtype of a user's Tensor of this element type: tinygrad's own dtype if there is one."""
    name = element.name if isinstance(element, ScalarType) else ""
    return TENSOR_DTYPES.get(name) or storage_dtype(element)


# numpy's dtypes for those of Tensors, and the other way round.
_NAMES = ["i1", "f32", "f64", *TENSOR_DTYPES, *(f"{kind}{bits}" for kind in ("i", "ui") for bits in SIGNED)]
ARRAY_DTYPES = {tensor_dtype(ScalarType(name)): NUMPY[name] for name in _NAMES}
DTYPES_OF_ARRAYS = {array: dtype for dtype, array in ARRAY_DTYPES.items()}
