"""Quantized numbers: an integer i of a storage type represents (i - zero_point) * scale in an expressed type.

Arithmetic uses the expressed type: operands are dequantized and results quantized (specification, "Quantization
computations"). Ops that only move data keep the integers.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ..ir import QuantizedType, ScalarType, TensorType, Type
from ..ir.dtypes import bit_width, numpy_dtype
from ..ops.types import storage_range
from ..syntax.dense import round_once
from ..tinygrad.dtypes import compute_dtype
from ..tinygrad.expressions import BITS, DType, Tensor, dtypes, exact, hidden
from ..tinygrad.loops import Memory, Scalar, constant, together, written_by
from .floats import float_to_integer, round_half_even
from .narrow import narrow, widen
from .values import repeat_number


def dequantize(x: Tensor, type: TensorType) -> Tensor:
    """Storage form → the expressed type in compute form."""
    element = type.element
    assert isinstance(element, QuantizedType)
    # The difference of two numbers of the storage type may not fit in it.
    wide = dtypes.int32 if bit_width(element.storage) < 32 else dtypes.int64
    steps = x.cast(wide) - parameters(element.zero_points, wide, x, element)
    number = round_to_type(steps.cast(compute_dtype(element.expressed)), element.expressed)
    return round_to_type(number * expressed_parameters(element.scales, number, element), element.expressed)


def quantize(x: Tensor, type: TensorType) -> Tensor:
    """The expressed type in compute form → storage form: rounded to nearest even, clamped to the storage's range."""
    element = type.element
    assert isinstance(element, QuantizedType)
    x = round_to_type(x, element.expressed)
    scaled = round_to_type(x / expressed_parameters(element.scales, x, element), element.expressed)
    shifted = round_to_type(scaled + expressed_parameters(element.zero_points, x, element), element.expressed)
    low, high = round_to_expressed(storage_range(element), element)
    clamped = (shifted < low).where(low, (shifted > high).where(high, shifted))
    return narrow(float_to_integer(round_half_even(clamped), element.storage), element.storage)


def dequantize_on_host(x: np.ndarray, type: Type) -> np.ndarray:
    """`dequantize` for rules that run on the host; quantized types have a single scale there."""
    if not isinstance(type, TensorType) or not isinstance(type.element, QuantizedType):
        return x
    dtype = numpy_dtype(type.element.expressed)
    (scale,) = np.array(round_to_expressed(type.element.scales, type.element), dtype)
    return np.asarray((x.astype(np.int64) - type.element.zero_points[0]).astype(dtype) * scale)


def quantize_on_host(x: np.ndarray, type: Type) -> np.ndarray:
    """`quantize` for rules that run on the host; quantized types have a single scale there."""
    if not isinstance(type, TensorType) or not isinstance(type.element, QuantizedType):
        return x
    element, storage = type.element, numpy_dtype(type.element)
    low, high = storage_range(element)
    numbers = round_to_expressed((*element.scales, *element.zero_points, low, high), element)
    scale, zero_point, *ends = np.array(numbers, x.dtype)
    whole = np.rint(np.clip(x / scale + zero_point, *ends)).astype(np.float64)
    return np.clip(np.where(np.isnan(whole), 0, whole), low, high).astype(np.int64).astype(storage)


def round_to_type(x: Tensor, element: ScalarType) -> Tensor:
    """A number in compute form, rounded to the precision of its type, which tinygrad does not merge with its uses."""
    return exact(widen(narrow(x, element), element))


def round_to_expressed(numbers: Sequence[float], element: QuantizedType) -> list[float]:
    """Numbers rounded to the expressed type (C4)."""
    return [float(n) for n in round_once(np.array(numbers, np.float64), numpy_dtype(element.expressed))]


def expressed_parameters(numbers: Sequence[float], x: Tensor, element: QuantizedType) -> Tensor:
    return parameters(round_to_expressed(numbers, element), x.dtype, x, element)


def parameters(numbers: Sequence[float], dtype: DType, x: Tensor, element: QuantizedType) -> Tensor:
    """The scale or zero point of each element of x: one for all, one for each index of an axis, or for each block."""
    shape = [int(s) for s in x.shape]
    if element.blocks:
        counts = list(element.scale_shape)
    elif element.axis is not None:
        counts = [len(numbers) if d == element.axis else 1 for d in range(len(shape))]
    elif dtype in BITS:
        return hidden(x.const_like(numbers[0]), x)
    else:
        return repeat_number(numbers[0], shape, dtype)

    def build(out: Memory) -> Scalar:
        return together(*(out[i].store(constant(n, dtype)) for i, n in enumerate(numbers)))

    if 0 in shape:
        return repeat_number(0, shape, dtype)
    line = written_by("parameters", [((len(numbers),), dtype)], [], build)[0]
    # An axis of n blocks has the shape n x 1 here, and is expanded to n x the block's size.
    split = [n for count in counts for n in (count, 1)]
    whole = [n for count, size in zip(counts, shape) for n in (count, size // count)]
    return line.reshape(split).expand(whole).reshape(shape)
