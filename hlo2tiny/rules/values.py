"""Values inside a rule."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from ..tinygrad.expressions import DType, Tensor


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
