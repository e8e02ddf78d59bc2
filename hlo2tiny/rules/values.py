"""The values that rules compute with: real and complex tensors."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import TypeAlias, TypeVar

from ..records import dataclass
from ..tinygrad.expressions import DType, Tensor


@dataclass(frozen=True)
class Complex:
    """A complex value as two tensors: tinygrad has no complex dtype. Buffers hold it as pairs along a last axis."""

    real: Tensor
    imag: Tensor
    stored: Tensor | None = None  # the pairs, if they exist

    @property
    def shape(self) -> tuple[int, ...]:
        return tuple(self.real.shape)

    @classmethod
    def of_pairs(cls, pairs: Tensor) -> Complex:
        return cls(pairs[..., 0], pairs[..., 1], pairs)

    @property
    def pairs(self) -> Tensor:
        return self.stored if self.stored is not None else self.real.stack(self.imag, dim=-1)

    def each(self, function: Callable[[Tensor], Tensor]) -> Complex:
        """Apply a function to the real and to the imaginary half."""
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


AnyTensor: TypeAlias = Tensor | Complex
T = TypeVar("T", Tensor, Complex)


def each(value: T, function: Callable[[Tensor], Tensor]) -> T:
    """Apply a function of one tensor to a value; if it is complex, to each half."""
    return value.each(function) if isinstance(value, Complex) else function(value)


def halfwise(function: Callable[..., Tensor], *values: T) -> T:
    """Apply a function of several tensors to values; if they are complex, to the real and to the imaginary halves."""
    if not isinstance(values[0], Complex):
        return function(*values)
    return Complex(function(*(v.real for v in values)), function(*(v.imag for v in values)))


def halves(values: Iterable[AnyTensor]) -> list[Tensor]:
    """The values with each complex one as its two halves."""
    return [half for v in values for half in ((v.real, v.imag) if isinstance(v, Complex) else (v,))]


def broadcast_scalar(x: T, shape: Sequence[int]) -> T:
    """A tensor of one element, repeated to a shape."""
    return each(x, lambda t: t.reshape((1,) * len(shape)).expand(tuple(shape)))


def repeat_number(number: float | int | bool, shape: Sequence[int], dtype: DType) -> Tensor:
    """A tensor of one repeated number. It has no buffer: kernels hold the number as a literal."""
    return Tensor.full(tuple(shape), number, dtype=dtype, buffer=False)
