"""How far arrays are apart, in units in the last place."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import ml_dtypes
import numpy as np


@dataclass(frozen=True)
class Difference:
    """How far an array is from an expected one."""

    absolute: float  # the largest difference; infinite if only one of two numbers is NaN or infinite
    ulps: float | None  # the largest difference in units in the last place; None for types that are not floats
    index: tuple[int, ...]  # where the largest difference is
    actual: Any  # the number there
    expected: Any
    beyond: int  # how many elements differ by more than is allowed

    def __str__(self) -> str:
        if not self.absolute:
            return "nothing"
        ulps = "" if self.ulps is None else f", {self.ulps:.4g} ULP"
        return f"{self.absolute:.4g}{ulps} at {list(self.index)}: {self.actual}, expected {self.expected}"


def limits(dtype: np.dtype) -> Any:
    """numpy's facts about a float type."""
    finfo: Any = np.finfo if dtype.kind in "fc" else ml_dtypes.finfo
    return finfo(dtype)


def precision(dtype: np.dtype) -> float | None:
    """The distance from 1 to the next number; None for types that are not floats."""
    is_float = dtype.kind in "fc" or (dtype.kind == "V" and "float" in dtype.name)
    return float(limits(dtype).eps) if is_float else None


def half_of_the_digits(dtype: np.dtype) -> float:
    """The difference that whole programs are allowed, in ULP, since errors add up."""
    return float((precision(dtype) or 1) ** -0.5)


def a_quarter_of_the_digits(dtype: np.dtype) -> float:
    """The difference that one op is allowed for equal operands, in ULP."""
    return float((precision(dtype) or 1) ** -0.25)


def largest(array: np.ndarray) -> np.ndarray:
    """The largest magnitude of the finite numbers, as an array of the same shape."""
    sizes = magnitudes(array)
    return np.full_like(sizes, sizes.max(initial=0.0))


def magnitudes(array: np.ndarray) -> np.ndarray:
    """The magnitudes of numbers; 0 for those that are not finite."""
    sizes = np.abs(array.astype(np.complex128 if array.dtype.kind == "c" else np.float64))
    return np.where(np.isfinite(sizes), sizes, 0.0)


def compare(actual: np.ndarray, expected: np.ndarray, allowed: float, sizes: np.ndarray | None = None) -> Difference:
    """Compare arrays of one shape and dtype. `allowed` is in ULP of the numbers, or of larger `sizes`."""
    epsilon = precision(expected.dtype)
    if not expected.size:
        return Difference(0.0, None if epsilon is None else 0.0, (), None, None, 0)
    wide: Any = np.complex128 if expected.dtype.kind == "c" else np.float64
    if epsilon is None:
        whole = np.uint64 if expected.dtype == np.uint64 else np.int64
        a, b = actual.astype(whole), expected.astype(whole)
        # The difference of two int64 fits into uint64.
        far = (np.maximum(a, b).astype(np.uint64) - np.minimum(a, b).astype(np.uint64)).astype(np.float64)
        distance, beyond = far, far > 0
    else:
        a, b = actual.astype(wide), expected.astype(wide)
        with np.errstate(all="ignore"):
            same = (a == b) | (np.isnan(a) & np.isnan(b))
            far = np.where(same, 0.0, np.abs(a - b))
            far = np.where(np.isnan(far), np.inf, far)
            size = np.maximum(magnitudes(a), magnitudes(b))
            scale = size if sizes is None else np.maximum(size, sizes)
            # A number below the smallest normal one may be flushed to zero, as XLA does.
            normal = float(limits(actual.dtype).smallest_normal)
            units = far / (2.0 ** np.floor(np.log2(np.maximum(scale, normal))) * epsilon)
            distance = np.where((far <= normal) & (size <= normal), 0.0, units)
        beyond = distance > allowed
    place = int(np.argmax(distance))
    index = tuple(int(i) for i in np.unravel_index(place, expected.shape))
    ulps = None if epsilon is None else float(distance.reshape(-1)[place])
    return Difference(float(np.max(far)), ulps, index, actual[index], expected[index], int(beyond.sum()))
