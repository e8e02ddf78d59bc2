"""Numbers as MLIR writes them. Reading them back gives the same bits."""

from __future__ import annotations

from typing import Any

import numpy as np

from .dtypes import numpy_dtype
from .types import ComplexType, ElementType, QuantizedType, ScalarType, TensorType

MOST_LISTED = 32


def scalar_of(element: ElementType) -> ScalarType:
    """The scalar type of an element's numbers: a part of a complex type, or the storage of a quantized one."""
    if isinstance(element, ComplexType):
        return element.element
    return element.storage if isinstance(element, QuantizedType) else element


def is_float(type: ScalarType) -> bool:
    """Whether a scalar type is a floating-point one."""
    return type.name[:1] in ("f", "b", "t")


def print_number(value: Any, type: ScalarType) -> str:
    """A number such that reading it back gives the same bits."""
    if type.name == "i1":
        return "true" if value else "false"
    if not is_float(type):
        return str(int(value))
    dtype = numpy_dtype(type)
    number: np.ndarray = np.asarray(value, dtype)
    with np.errstate(invalid="ignore"):
        finite = np.isfinite(number.astype(np.float64))
    if not finite:
        bits = int.from_bytes(number.tobytes(), "little")
        return f"0x{bits:0{2 * dtype.itemsize}X}"
    if dtype.type not in (np.float16, np.float32, np.float64):
        number = number.astype(np.float32)
    return np.format_float_scientific(number.reshape(1)[0], trim="0", unique=True)


def print_elements(array: np.ndarray, type: TensorType, splat: bool, unused: np.ndarray | None = None) -> str:
    """The text in the brackets of dense<…>: a splat, a short list, or a hexadecimal string."""
    scalar = scalar_of(type.element)

    def element(value: Any) -> str:
        if isinstance(type.element, ComplexType):
            return f"({print_number(value.real, scalar)},{print_number(value.imag, scalar)})"
        return print_number(value, scalar)

    def write_part(part: np.ndarray) -> str:
        if part.ndim == 0:
            return element(part[()])
        return "[" + ", ".join(write_part(inner) for inner in part) + "]"

    if not array.size:
        return "" if unused is None else element(unused[()])
    if splat:
        return element(array[(0,) * array.ndim])
    if array.size <= MOST_LISTED:
        return write_part(array)
    return f'"0x{print_bytes(array)}"'


def print_bytes(array: np.ndarray) -> str:
    """The elements' bytes in hexadecimal digits."""
    return np.ascontiguousarray(array).tobytes().hex().upper()
