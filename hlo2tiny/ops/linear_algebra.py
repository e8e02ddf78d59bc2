"""Factorisations, triangular systems and Fourier transforms."""

from __future__ import annotations

from collections.abc import Sequence
from math import log2, prod

from ..errors import count_text
from ..ir import ComplexType, ScalarType, TensorType
from ..ir.dimensions import Shape
from .attributes import BOOLEAN, INTEGERS, Violation, enumeration, optional
from .definition import agree, count_elements, op, same
from .traits import Trait
from .types import part


def cholesky(a: TensorType) -> list[Shape]:
    if len(a.shape) < 2:
        raise Violation(f"a is {a}, expected a rank of at least 2 (C2)")
    if not same(*a.shape[-2:]):
        raise Violation(f"a is {a}, expected square matrices (C3)")
    return [a.shape]


def triangular_solve(a: TensorType, b: TensorType, *, left_side: bool) -> list[Shape]:
    if len(a.shape) != len(b.shape) or len(a.shape) < 2:
        raise Violation(f"a and b are {a} and {b}, expected equal ranks of at least 2 (C2)")
    if not agree(a.shape[:-2], b.shape[:-2]):
        raise Violation(f"a and b are {a} and {b}, expected equal batch dimensions (C3)")
    rows = b.shape[-2 if left_side else -1]
    if not same(*a.shape[-2:]) or not all(same(size, rows) for size in a.shape[-2:]):
        which = "rows" if left_side else "columns"
        raise Violation(f"a is {a}, expected square matrices with as many rows as {b} has {which} (C3)")
    return [b.shape]


def fft(operand: TensorType, *, fft_type: str, fft_length: Sequence[int], out: Sequence[TensorType]) -> list[Shape]:
    shape, lengths, result = operand.shape, tuple(fft_length), out[0]
    if not 1 <= len(lengths) <= 3:
        raise Violation(f"fft_length has {count_text(len(lengths), 'number')}, expected 1 to 3 (C3)")
    if len(lengths) > len(shape):
        raise Violation(f"fft_length has {count_text(len(lengths), 'number')}, more than the rank of {operand} (C1)")
    check_fft_element("operand 0", operand, is_complex=fft_type != "RFFT", fft_type=fft_type)
    check_fft_element("the result", result, is_complex=fft_type != "IRFFT", fft_type=fft_type)
    if part(operand.element) not in (ScalarType("f32"), ScalarType("f64")):
        raise Violation(f"operand 0 is {operand}, expected elements of f32, f64, complex<f32> or complex<f64> (C2)")
    if any(length < 0 for length in lengths):
        raise Violation(f"fft_length is {list(lengths)}, expected no negative lengths (C4)")
    before, last = shape[: -len(lengths)], shape[-len(lengths) :]
    # The transform of a real signal keeps only the first half of the last dimension.
    halved = (*lengths[:-1], lengths[-1] // 2 + 1 if lengths[-1] else 0)
    expected = halved if fft_type == "IRFFT" else lengths
    if not agree(last, expected):
        problem = f"operand 0 of {fft_type} is {operand}"
        raise Violation(f"{problem}, expected the last dimensions {list(expected)} (C4, C5)")
    return [(*before, *(halved if fft_type == "RFFT" else lengths))]


def check_fft_element(name: str, type: TensorType, *, is_complex: bool, fft_type: str) -> None:
    if isinstance(type.element, ComplexType) != is_complex:
        expected = "complex numbers" if is_complex else "real numbers"
        raise Violation(f"{name} of {fft_type} is {type}, expected {expected} (C2)")


def fft_flops(operand: TensorType, *, fft_type: str, fft_length: Sequence[int]) -> int:
    """The usual estimate, 5·n·log2(n) for n complex numbers, and half of it for real ones."""
    size = prod(fft_length)
    count = count_elements(operand) // max(1, prod(operand.shape[d] or 0 for d in range(-len(fft_length), 0)))
    whole = 5 * count * size * round(log2(max(1, size)) * 1024) // 1024  # integers, as sizes may be beyond a float's
    return whole if fft_type in ("FFT", "IFFT") else whole // 2


TRANSPOSES = enumeration("transpose", "TRANSPOSE_INVALID")
SYSTEM = {"left_side": BOOLEAN, "lower": BOOLEAN, "unit_diagonal": BOOLEAN, "transpose_a": TRANSPOSES}

# A table: a row takes a line or two.
# fmt: off
op("stablehlo.cholesky", "Q -> Q", "fc", attributes={"lower": optional(BOOLEAN, False)}, form="%, lower = $lower",
    shapes=cholesky, traits=Trait.SUMMING,
    flops=lambda a: count_elements(a) * (a.shape[-1] or 0) // 3)  # a third of n³ for a matrix of n rows
op("stablehlo.fft", "R -> R", "fc", quantized="none",
    attributes={"fft_type": enumeration("fft_type"), "fft_length": INTEGERS},
    form="%, type = $fft_type, length = $fft_length", shapes=fft, traits=Trait.FOURIER | Trait.SUMMING,
    flops=fft_flops)
op("stablehlo.triangular_solve", "QQ -> Q", "fc", quantized="none", attributes=SYSTEM, shapes=triangular_solve,
    traits=Trait.SUMMING,
    flops=lambda a, b: count_elements(b) * (a.shape[-1] or 0))  # n² for each right-hand side
