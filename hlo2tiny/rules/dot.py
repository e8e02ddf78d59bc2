"""Matrix products."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from tinygrad import Tensor, dtypes

from ..ir import ScalarType, TensorType
from .registry import rule
from .values import Complex, compute_dtype, repeated


@rule("stablehlo.dot_general")
def dot_general(
    a: Any,
    b: Any,
    *,
    dot_dimension_numbers: Mapping[str, Sequence[int]],
    precision_config: Any = None,
    algorithm: Any = None,
    out: Any,
) -> Any:
    numbers = dot_dimension_numbers
    batch_a = list(numbers.get("lhs_batching_dimensions", ()))
    batch_b = list(numbers.get("rhs_batching_dimensions", ()))
    contract_a = list(numbers.get("lhs_contracting_dimensions", ()))
    contract_b = list(numbers.get("rhs_contracting_dimensions", ()))
    free_a = [d for d in range(len(a.shape)) if d not in batch_a + contract_a]
    free_b = [d for d in range(len(b.shape)) if d not in batch_b + contract_b]
    shape = [int(a.shape[d]) for d in batch_a + free_a] + [int(b.shape[d]) for d in free_b]

    def product(x: Tensor, y: Tensor) -> Tensor:
        batch, k = size(x, batch_a), size(x, contract_a)
        left = x.permute((*batch_a, *free_a, *contract_a)).reshape(batch, size(x, free_a), k)
        right = y.permute((*batch_b, *contract_b, *free_b)).reshape(batch, k, size(y, free_b))
        return matmul(left, right).reshape(shape)

    return complex_bilinear(product, *accumulator(a, b, out[0]))


@rule("stablehlo.dot")
def dot(a: Any, b: Any, *, precision_config: Any = None, out: Any) -> Any:
    def product(x: Tensor, y: Tensor) -> Tensor:
        k = int(x.shape[-1])
        # A vector is a matrix of one row, or of one column; -1 would not say which size when k is 0.
        left = x.reshape(int(x.shape[0]) if len(x.shape) == 2 else 1, k)
        right = y.reshape(k, int(y.shape[1]) if len(y.shape) == 2 else 1)
        return matmul(left, right).reshape(out[0].shape)

    return complex_bilinear(product, *accumulator(a, b, out[0]))


def matmul(left: Tensor, right: Tensor) -> Tensor:
    if left.dtype == dtypes.bool:
        return (left.unsqueeze(-1) & right.unsqueeze(-3)).max(-2)
    if 0 in left.shape or 0 in right.shape:
        return repeated(0, (*left.shape[:-1], right.shape[-1]), left.dtype)
    return left.matmul(right, dtype=left.dtype)


def size(x: Any, dimensions: Sequence[int]) -> int:
    total = 1
    for d in dimensions:
        total *= int(x.shape[d])
    return total


def accumulator(a: Any, b: Any, out: TensorType) -> tuple[Any, Any]:
    """Operands in the result's compute dtype: products of narrow types are exact there, sums round at the end."""
    dtype = compute_dtype(out.element)
    if isinstance(a, Complex) or isinstance(b, Complex):
        return tuple(x.each(lambda t: t.cast(dtype)) if isinstance(x, Complex) else x.cast(dtype) for x in (a, b))  # type: ignore[return-value]
    if isinstance(out.element, ScalarType) and out.element.name == "i1":
        return a, b
    # Signed sums wrap in C only as unsigned ones do.
    return a.cast(dtype), b.cast(dtype)


def complex_bilinear(product: Any, a: Any, b: Any) -> Any:
    """Extend a bilinear function of real tensors to complex ones."""
    match a, b:
        case Complex(), Complex():
            real = product(a.real, b.real) - product(a.imag, b.imag)
            return Complex(real, product(a.real, b.imag) + product(a.imag, b.real))
        case Complex(), _:
            return Complex(product(a.real, b), product(a.imag, b))
        case _, Complex():
            return Complex(product(a, b.real), product(a, b.imag))
    return product(a, b)
