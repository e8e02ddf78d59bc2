"""The two forms of values.

Storage form is what buffers hold: one tinygrad dtype per element type, `storage_dtype`. Compute form is what arithmetic
uses: narrow floats are float32 (buffers hold their bits as unsigned integers, because tinygrad folds away a cast to a
narrow float and back inside one kernel), narrow integers are 32 bits wide (C promotes them to int, which would not wrap
inside a kernel), and quantized numbers have their expressed type. `encode` rounds or wraps, so every op rounds where
the specification rounds.
"""

from __future__ import annotations

from dataclasses import replace

from ..ir import QuantizedType, TensorType, Type
from ..tinygrad.dtypes import compute_dtype
from ..tinygrad.expressions import Tensor, dtypes
from .narrow import narrow, widen
from .quantization import dequantize, quantize
from .values import Complex, T


def express_type(type: Type) -> Type:
    """The type in which arithmetic sees a tensor: a quantized one has its expressed type, others keep theirs."""
    if isinstance(type, TensorType) and isinstance(type.element, QuantizedType):
        return replace(type, element=type.element.expressed)
    return type


def decode(value: T, type: Type) -> T:
    """Storage form → compute form."""
    if not isinstance(type, TensorType) or isinstance(value, Complex):
        return value
    return dequantize(value, type) if isinstance(type.element, QuantizedType) else widen(value, type.element)


def encode(value: T, type: Type) -> T:
    """Compute form → storage form: rounds to nearest even, wraps integers."""
    if not isinstance(type, TensorType) or isinstance(value, Complex) or not isinstance(value, Tensor):
        return value
    if value.dtype in dtypes.weaks:
        value = value.cast(compute_dtype(type.element))
    return quantize(value, type) if isinstance(type.element, QuantizedType) else narrow(value, type.element)
