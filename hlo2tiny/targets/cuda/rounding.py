"""Rounding to bf16, which a GPU does by one instruction, where kernels have the arithmetic on bits that rules write."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...tinygrad.kernel import constant_of
from ...tinygrad.render import Ops, UOp, dtypes

if TYPE_CHECKING:
    from .render import CudaRenderer

# Bits of float32: those of infinity, and all but the sign; the bits of NaN as bf16.
INFINITE, MAGNITUDE, NAN_OF_BF16 = 0x7F800000, 0x7FFFFFFF, 0x7FC0


def rounded(renderer: CudaRenderer, x: UOp) -> str | None:
    """The instruction for a choice that `rules/narrow.py` writes; the compiler leaves out what that is made of."""
    bits = rounded_bits(x)
    return None if bits is None else f"(({renderer.render_dtype(x.dtype)})round_to_bf16({renderer[bits]}))"


def rounded_bits(x: UOp) -> UOp | None:
    """The bits of the float that some arithmetic rounds to those of a bf16; None for other arithmetic."""

    def beside(u: UOp | None, op: Ops, constant: int) -> UOp | None:
        """The operand of an operation besides a constant."""
        if u is None or u.op is not op or u.dtype != dtypes.uint32:
            return None
        found = next((a for a, b in (u.src, u.src[::-1]) if constant_of(b) == constant), None)
        return whole(found) if found is not None else None

    def whole(u: UOp) -> UOp:
        return u.src[0] if u.op is Ops.AND and constant_of(u.src[1]) == 0xFFFFFFFF else u

    condition, *branches = x.src
    if condition.op is not Ops.CMPLT or constant_of(condition.src[0]) != INFINITE:
        return None
    bits = beside(condition.src[1], Ops.AND, MAGNITUDE)
    nan, number = map(without_casts, branches)  # both have 16 bits
    upper = beside(beside(beside(nan, Ops.OR, NAN_OF_BF16), Ops.AND, 0x8000), Ops.SHR, 16)
    total = beside(beside(number, Ops.SHR, 16), Ops.ADD, 0x7FFF)
    if bits is None or upper is not bits or total is None or total.op is not Ops.ADD:
        return None
    odd = next((b for a, b in (total.src, total.src[::-1]) if whole(a) is bits), None)
    return bits if beside(beside(odd, Ops.AND, 1), Ops.SHR, 16) is bits else None


def without_casts(u: UOp) -> UOp:
    while u.op is Ops.CAST and u.dtype in (dtypes.uint32, dtypes.uint16):
        u = u.src[0]
    return u
