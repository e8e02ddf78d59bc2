"""Element types by name and their numpy dtypes, from ml_dtypes where numpy has none."""

from __future__ import annotations

from collections.abc import Sequence
from math import prod

import ml_dtypes
import numpy as np

from ..errors import InputError
from .types import ComplexType, ElementType, QuantizedType, ScalarType, TensorType, Type

# ml_dtypes' names are those of StableHLO in lower case: float8_e4m3fn for f8E4M3FN.
SMALL_FLOATS = (
    "f4E2M1FN f6E2M3FN f6E3M2FN f8E3M4 f8E4M3 f8E4M3B11FNUZ f8E4M3FN f8E4M3FNUZ f8E5M2 f8E5M2FNUZ f8E8M0FNU"
).split()
NUMPY: dict[str, np.dtype] = {
    "i1": np.dtype(np.bool_),
    **{f"i{bits}": np.dtype(getattr(ml_dtypes, f"int{bits}")) for bits in (2, 4)},
    **{f"i{bits}": np.dtype(f"int{bits}") for bits in (8, 16, 32, 64)},
    **{f"ui{bits}": np.dtype(getattr(ml_dtypes, f"uint{bits}")) for bits in (2, 4)},
    **{f"ui{bits}": np.dtype(f"uint{bits}") for bits in (8, 16, 32, 64)},
    "index": np.dtype(np.int64),
    **{name: np.dtype(getattr(ml_dtypes, f"float{name[1]}_{name[2:].lower()}")) for name in SMALL_FLOATS},
    "bf16": np.dtype(ml_dtypes.bfloat16),
    **{f"f{bits}": np.dtype(f"float{bits}") for bits in (16, 32, 64)},
}
COMPLEX: dict[str, np.dtype] = {"f32": np.dtype(np.complex64), "f64": np.dtype(np.complex128)}


def numpy_dtype(element: ElementType) -> np.dtype:
    """The numpy dtype for an element type's values; for a quantized type, that of its storage type.

    Raises:
        ValueError: there is no such numpy dtype.
    """
    match element:
        case ComplexType(ScalarType(name)) if name in COMPLEX:
            return COMPLEX[name]
        case QuantizedType(storage=storage):
            return numpy_dtype(storage)
        case ScalarType(name) if name in NUMPY:
            return NUMPY[name]
    raise ValueError(f"no numpy dtype for element type {element}")


def is_stored(element: ElementType) -> bool:
    """Whether there is a numpy dtype: MLIR has types that StableHLO does not have, such as si8 and i128."""
    try:
        numpy_dtype(element)
    except ValueError:
        return False
    return True


def extend_sign(array: np.ndarray) -> np.ndarray:
    """Narrow integers as whole bytes, of which ml_dtypes defines only the low bits; other arrays as they are."""
    if array.dtype.kind == "V" and "int" in array.dtype.name:
        return array.astype(np.uint8 if array.dtype.name.startswith("u") else np.int8)
    return array


def bit_width(element: ElementType) -> int:
    """The bits of one element as the specification counts them: 4 for i4, 64 for complex<f32>."""
    match element:
        case ComplexType(inner):
            return 2 * bit_width(inner)
        case QuantizedType(storage=storage):
            return bit_width(storage)
        case ScalarType("index"):
            return 64
        case ScalarType("bf16"):
            return 16
        case ScalarType(name):
            digits = name.lstrip("suif")
            return int("".join(c for i, c in enumerate(digits) if digits[: i + 1].isdigit()))
    raise ValueError(f"{element} is not an element type")


def as_tensor(type: Type) -> Type:
    """The type as which a value is computed: a scalar of arith and tensor ops becomes a tensor of rank 0."""
    return TensorType((), type) if isinstance(type, (ScalarType, ComplexType)) else type


def expect_tensor(type: Type) -> TensorType:
    """The tensor type of an argument or a result.

    Raises:
        InputError: it is something else.
    """
    type = as_tensor(type)
    if not isinstance(type, TensorType):
        raise InputError(f"the entry function has an argument or result of type {type}, expected tensors")
    return type


def static_shape(type: Type) -> tuple[int, ...]:
    """The shape of a tensor type with known dimensions.

    Raises:
        ValueError: it is not a tensor type, or a dimension is unknown.
    """
    if not isinstance(type, TensorType):
        raise ValueError(f"{type} is not a ranked tensor")
    shape = tuple(d for d in type.shape if d is not None)
    if len(shape) != len(type.shape):
        raise ValueError(f"{type} has dimensions that are not known")
    return shape


def byte_size(type: Type) -> int:
    """The bytes of the numpy array that holds a value of known shape; 0 for anything but a tensor."""
    tensor = as_tensor(type)
    return prod(static_shape(tensor)) * numpy_dtype(tensor.element).itemsize if isinstance(tensor, TensorType) else 0


def strides_of(shape: Sequence[int]) -> tuple[int, ...]:
    """The strides of a tensor in row-major order, in elements."""
    return tuple(prod(shape[d + 1 :]) for d in range(len(shape)))
