"""Integer arithmetic beyond the width of a type."""

from __future__ import annotations

from ..ir.dtypes import bit_width
from ..tinygrad.dtypes import UNSIGNED
from ..tinygrad.expressions import Tensor, dtypes
from .elementwise import subtract
from .floats import width
from .registry import Types, rule


@rule("chlo.mulhi")
def mulhi(x: Tensor, y: Tensor, *, types: Types) -> Tensor:
    """The upper half of the product, which has twice the width."""
    bits = bit_width(types[0].element)
    if bits <= 32:
        wide = dtypes.int64 if x.dtype in UNSIGNED else dtypes.uint64
        return ((x.cast(wide) * y.cast(wide)) >> bits).cast(x.dtype)
    if x.dtype not in UNSIGNED:
        return upper_half(x, y)
    product = upper_half(x.bitcast(dtypes.uint64), y.bitcast(dtypes.uint64)).bitcast(x.dtype)
    # Taken as unsigned, a negative operand is 2⁶⁴ too large.
    for a, b in ((x, y), (y, x)):
        product = subtract(product, (a < 0).where(b, b.const_like(0)))
    return product


def upper_half(x: Tensor, y: Tensor) -> Tensor:
    """The upper half of the product of two uint64, by long multiplication of halves: no sum exceeds 64 bits."""
    half = width(x) // 2
    (a, b), (c, d) = ((v >> half, v & (2**half - 1)) for v in (x, y))
    middle = a * d + ((b * d) >> half)
    lower = b * c + (middle & (2**half - 1))
    return a * c + (middle >> half) + (lower >> half)
