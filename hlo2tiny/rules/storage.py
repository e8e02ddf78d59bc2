"""The two forms of values.

Storage form is what buffers hold: one tinygrad dtype per element type, `storage_dtype`. Compute form is what arithmetic
uses: narrow floats are float32 (their bits are stored in an unsigned integer, because a cast to a narrow float and back
inside one kernel is folded away), narrow integers are 32 bits wide (C's promotion would not wrap them inside a kernel),
and quantized numbers have their expressed type. `encode` rounds or wraps; so every op rounds where the specification
rounds.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from ..ir import QuantizedType, TensorType, Type
from ..tinygrad.dtypes import compute_dtype
from ..tinygrad.expressions import Tensor, dtypes
from .narrow import narrow, widen
from .quantization import dequantize, quantize
from .values import Complex


def expressed(type: Type) -> Type:
    """The type in which arithmetic sees a quantized tensor; other types are their own."""
    if isinstance(type, TensorType) and isinstance(type.element, QuantizedType):
        return replace(type, element=type.element.expressed)
    return type


def decode(value: Any, type: Type) -> Any:
    """Storage form → compute form."""
    if not isinstance(type, TensorType) or isinstance(value, Complex):
        return value
    return dequantize(value, type) if isinstance(type.element, QuantizedType) else widen(value, type.element)


def encode(value: Any, type: Type) -> Any:
    """Compute form → storage form: rounds to nearest even, wraps integers."""
    if not isinstance(type, TensorType) or isinstance(value, Complex) or not isinstance(value, Tensor):
        return value
    if value.dtype in dtypes.weaks:
        value = value.cast(compute_dtype(type.element))
    return quantize(value, type) if isinstance(type.element, QuantizedType) else narrow(value, type.element)
