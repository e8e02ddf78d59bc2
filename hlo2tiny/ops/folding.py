"""Folding of ops on sizes, so that shape arithmetic never reaches the device.

An op's row may have a `Fold`, which computes the op on integers and booleans that are known before the program runs.
Folds are made of functions on numpy arrays; tests/specialise compares them with the rules.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from math import prod
from typing import Any

import numpy as np

from ..ir import Op, ScalarType, TensorType, sizes
from ..ir.dtypes import numpy_dtype
from ..ir.sizes import Condition, NeedsBounds, Size, Unknown, limits_of, relation
from ..signatures import parameters_of
from .attributes import plain

# Larger arrays are data rather than shapes.
LARGEST_FOLDED = 64

Constants = Sequence[np.ndarray | None]
# Computes an op's result; None if an operand that it needs is unknown.
Fold = Callable[[Op, Constants], np.ndarray | None]


def keywords_of(function: Callable[..., Any]) -> frozenset[str]:
    """The names of the keywords that a function of a row takes, which gets no others."""
    return frozenset(parameters_of(function).keywords)


def of_values(function: Callable[..., Any]) -> Fold:
    """A fold that needs all operands; `function` takes their values, and those of the attributes that it names."""
    named = keywords_of(function)

    def fold(op: Op, constants: Constants) -> np.ndarray | None:
        if any(c is None for c in constants) or sum(c.size for c in constants if c is not None) > LARGEST_FOLDED:
            return None
        attributes = {n: plain(a) for n, a in op.attributes.items() if n in named}
        with np.errstate(all="ignore"):
            try:
                return convert_result(op, function(*constants, **attributes))
            except TypeError:  # no function of open sizes
                if any(has_open_sizes(c) for c in constants if c is not None):
                    return None
                raise

    return fold


def convert_result(op: Op, value: Any) -> np.ndarray | None:
    """The result with its declared element type; None if that is not an integer type."""
    type = op.results[0].type
    element = type.element if isinstance(type, TensorType) else type
    if not isinstance(element, ScalarType):
        return np.asarray(value, np.int64)
    dtype = numpy_dtype(element)
    array = np.asarray(value)
    if dtype.kind not in "iub" or array.size > LARGEST_FOLDED:
        return None
    return open_sizes(array, dtype) if has_open_sizes(array) else array.astype(dtype)


def has_open_sizes(array: np.ndarray) -> bool:
    return array.dtype == object and any(isinstance(n, (Size, Condition)) for n in array.flat)


def open_sizes(array: np.ndarray, dtype: np.dtype) -> np.ndarray:
    """Integers of which some are only known when the program runs; they do not wrap."""
    for n in array.flat:
        low, high = (0, 1) if isinstance(n, Condition) else limits_of(n)
        least, most = (0, 1) if dtype == np.bool_ else (np.iinfo(dtype).min, np.iinfo(dtype).max)
        if low < least or high > most:
            raise NeedsBounds(f"{n} may be {high:,}, which does not fit {dtype.name}; bound the sizes with --most")
    return array


def elementwise(function: Callable[..., Any]) -> Fold:
    return of_values(lambda *xs: function(*xs))


def quotient(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    """Truncating division; division by zero gives all ones, as in the op's rule."""
    wide_a, wide_b = a.astype(object), b.astype(object)
    safe = np.where(b == 0, 1, wide_b)
    size = abs(wide_a) // abs(safe)
    for n in np.asarray(size, object).flat:
        if isinstance(n, Unknown):
            n.known()
    result = np.where((wide_a < 0) != (wide_b < 0), -size, size)
    return np.where(b == 0, -1, result)


def sign(a: np.ndarray) -> np.ndarray:
    return np.asarray(np.frompyfunc(sizes.sign, 1, 1)(a), object) if has_open_sizes(a) else np.asarray(np.sign(a))


def select(condition: np.ndarray, yes: np.ndarray, no: np.ndarray) -> np.ndarray:
    if has_open_sizes(condition):
        return np.asarray(np.frompyfunc(sizes.choose, 3, 1)(condition, yes, no), object)
    return np.where(condition, yes, no)


def wrap_integers(function: Callable[..., Any]) -> Callable[[np.ndarray, np.ndarray], np.ndarray]:
    """A function on Python's integers, with results wrapped to the operands' type."""

    def apply(a: np.ndarray, b: np.ndarray) -> np.ndarray:
        if a.dtype == np.bool_:
            return np.asarray(function(a, b))
        numbers = np.asarray(function(a, b), object)
        if a.dtype == object or b.dtype == object:
            return numbers
        bits = 8 * a.dtype.itemsize
        numbers = np.asarray(numbers & (2**bits - 1), object)
        return np.asarray(numbers.astype(f"u{a.dtype.itemsize}").view(a.dtype))

    return apply


def remainder(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    return np.where(b == 0, a.astype(object), a.astype(object) - quotient(a, b) * b.astype(object))


COMPARE = {
    "EQ": np.equal,
    "NE": np.not_equal,
    "LT": np.less,
    "LE": np.less_equal,
    "GT": np.greater,
    "GE": np.greater_equal,
}
OPERATORS = {"EQ": "==", "NE": "!=", "LT": "<", "LE": "<=", "GT": ">", "GE": ">="}


def compare(a: np.ndarray, b: np.ndarray, *, comparison_direction: str) -> Any:
    if a.dtype == object or b.dtype == object:
        return np.frompyfunc(lambda x, y: relation(x, OPERATORS[comparison_direction], y), 2, 1)(a, b)
    return COMPARE[comparison_direction](a, b)


def broadcast_in_dim(x: np.ndarray, *, broadcast_dimensions: Sequence[int], shape: tuple[int, ...]) -> np.ndarray:
    aligned = [1] * len(shape)
    for axis, target in enumerate(broadcast_dimensions):
        aligned[target] = x.shape[axis]
    order = sorted(range(x.ndim), key=lambda axis: broadcast_dimensions[axis])
    return np.broadcast_to(x.transpose(order).reshape(aligned), shape)


def to_shape(function: Callable[..., Any]) -> Fold:
    """A fold whose function also takes the result's shape."""

    def fold(op: Op, constants: Constants) -> np.ndarray | None:
        type = op.results[0].type
        if not isinstance(type, TensorType) or None in type.shape:
            return None
        shape = tuple(d for d in type.shape if d is not None)
        if any(isinstance(d, Size) for d in shape) or prod(shape) > LARGEST_FOLDED:
            return None
        return of_values(partial(function, shape=shape))(op, constants)

    return fold


def slice_(
    x: np.ndarray, *, start_indices: Sequence[int], limit_indices: Sequence[int], strides: Sequence[int]
) -> np.ndarray:
    if any(not 0 <= a <= b <= n or s < 1 for a, b, s, n in zip(start_indices, limit_indices, strides, x.shape)):
        raise ValueError("has bounds that do not satisfy 0 <= start <= limit <= size with stride >= 1 (C3, C4)")
    return x[tuple(slice(a, b, s) for a, b, s in zip(start_indices, limit_indices, strides, strict=True))]


def of_shape(function: Callable[..., Any]) -> Fold:
    """A fold whose function takes the first operand's shape and the values of the other operands."""

    def fold(op: Op, constants: Constants) -> np.ndarray | None:
        type = op.operands[0].type
        if not isinstance(type, TensorType) or None in type.shape or any(c is None for c in constants[1:]):
            return None
        return convert_result(op, function(size_array(type.shape), *constants[1:]))

    return fold


def size_array(sizes: Sequence[Any]) -> np.ndarray:
    """Sizes as an array, of objects if some are open."""
    return np.array(sizes, object if any(isinstance(n, Size) for n in sizes) else np.int64)


def extent(shape: np.ndarray, index: np.ndarray) -> int:
    if not 0 <= index < len(shape):
        raise ValueError(f"asks for dimension {index} of a shape of rank {len(shape)}")
    return shape[int(index)]  # type: ignore[no-any-return]


def broadcast_shapes(*shapes: np.ndarray) -> np.ndarray:
    return np.array(np.broadcast_shapes(*(tuple(int(n) for n in s) for s in shapes)), np.int64)


def can_broadcast(*shapes: np.ndarray) -> bool:
    try:
        return broadcast_shapes(*shapes) is not None
    except ValueError:
        return False


def signed_compare(a: np.ndarray, b: np.ndarray, *, predicate: int) -> Any:
    """arith.cmpi: eq ne slt sle sgt sge ult ule ugt uge, numbered from 0."""
    direction = ("EQ", "NE", "LT", "LE", "GT", "GE", "LT", "LE", "GT", "GE")[predicate]
    if a.dtype == bool:  # true is -1
        a, b = -a.astype(np.int8), -b.astype(np.int8)
    if predicate >= 6:
        a, b = (x.view(f"u{x.dtype.itemsize}") for x in (a, b))
    return COMPARE[direction](a, b)


add, subtract, multiply = (
    wrap_integers(f)
    for f in (
        lambda a, b: a | b if a.dtype == np.bool_ else a.astype(object) + b.astype(object),
        lambda a, b: a.astype(object) - b.astype(object),
        lambda a, b: a & b if a.dtype == np.bool_ else a.astype(object) * b.astype(object),
    )
)


def negative(x: np.ndarray) -> np.ndarray:
    return subtract(np.zeros_like(x), x)


def clamp(low: np.ndarray, x: np.ndarray, high: np.ndarray) -> Any:
    return np.minimum(np.maximum(x, low), high)


def concatenate(*xs: np.ndarray, dimension: int) -> np.ndarray:
    return np.concatenate(xs, dimension)


def reverse(x: np.ndarray, *, dimensions: Sequence[int]) -> np.ndarray:
    return np.flip(x, tuple(dimensions))


def iota(*, shape: tuple[int, ...], iota_dimension: int) -> np.ndarray:
    column = [-1 if d == iota_dimension else 1 for d in range(len(shape))]
    return np.broadcast_to(np.arange(shape[iota_dimension]).reshape(column), shape)


def reshape(x: np.ndarray, *, shape: tuple[int, ...]) -> np.ndarray:
    return x.reshape(shape)


identity = of_values(lambda x: x)
