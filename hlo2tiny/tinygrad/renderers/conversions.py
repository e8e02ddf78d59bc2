"""Conversions of bf16 and f16: a few instructions each, where kernels have the arithmetic that rules write."""

from __future__ import annotations

from collections.abc import Mapping
from struct import pack
from typing import TypeAlias

from tinygrad import dtypes
from tinygrad.uop.ops import Ops, PatternMatcher, UOp, UPat

from ..expressions import is_integer, is_zero_bit, opaque
from ..kernel import constant_of
from ..render import Expressions
from ..rewriting import is_fence

# An operation and its operands, a number, or X, which stands for one and the same integer everywhere.
Pattern: TypeAlias = "tuple[Ops, *tuple[Pattern, ...]] | int | float | str"
X = "x"
COMMUTATIVE = {Ops.ADD, Ops.MUL, Ops.AND, Ops.OR}
INFINITY, MAGNITUDE, NAN = 0x7F800000, 0x7FFFFFFF, 0x7FC00000
AND, SHR, ADD, LESS, WHERE = Ops.AND, Ops.SHR, Ops.ADD, Ops.CMPLT, Ops.WHERE

# The bits of a float as those of a bf16.
ROUNDED_TO_BF16: Pattern = (
    WHERE, (LESS, INFINITY, (AND, X, MAGNITUDE)), (Ops.OR, 0x7FC0, (AND, (SHR, X, 16), 0x8000)),
    (SHR, (ADD, (ADD, X, (AND, (SHR, X, 16), 1)), 0x7FFF), 16),
)  # fmt: skip
# The bits of a float without a sign as those of an f16: small ones are rounded by adding ½.
_SMALL: Pattern = (ADD, (Ops.BITCAST, (ADD, (Ops.BITCAST, X), 0.5)), 2**32 - 0x3F000000)
_NORMAL: Pattern = (SHR, (ADD, (ADD, X, (AND, (SHR, X, 13), 1)), 2**32 - (112 << 23) + 0xFFF), 13)
_CODE: Pattern = (WHERE, (LESS, X, 113 << 23), _SMALL, _NORMAL)
ROUNDED_TO_F16: Pattern = (WHERE, (LESS, INFINITY, X), 0x7E00, (WHERE, (LESS, 0x7BFF, _CODE), 0x7C00, _CODE))
# The bits of an f16 without a sign as those of a float.
WIDENED_F16: Pattern = (
    WHERE, (LESS, 0x7BFF, X), (WHERE, (Ops.CMPNE, X, 0x7C00), NAN, INFINITY),
    (
        WHERE, (LESS, X, 1 << 10), (Ops.BITCAST, (Ops.MUL, (Ops.CAST, X), 2.0**-24)),
        (ADD, (Ops.SHL, X, 13), 112 << 23),
    ),
)  # fmt: skip
FUNCTIONS = {"round_to_bf16": ROUNDED_TO_BF16, "round_to_f16": ROUNDED_TO_F16, "widen_f16": WIDENED_F16}


def of(pattern: Pattern, x: Pattern) -> Pattern:
    """A pattern whose X is another one."""
    if not isinstance(pattern, tuple):
        return x if pattern == X else pattern
    op, *parts = pattern
    return (op, *(of(part, x) for part in parts))


# A float as the nearest one that a bf16 holds.
THROUGH: dict[str, Pattern] = {"through_bf16": (Ops.SHL, ROUNDED_TO_BF16, 16)}
# The same with signs.
SIGNED: dict[str, Pattern] = {
    "round_to_signed_f16": (Ops.OR, of(ROUNDED_TO_F16, (AND, X, MAGNITUDE)), (Ops.SHL, (SHR, X, 31), 15)),
    "widen_signed_f16": (Ops.OR, of(WIDENED_F16, (AND, X, 0x7FFF)), (Ops.SHL, (AND, (SHR, X, 15), 1), 31)),
}


def conversion_of(x: UOp, functions: Mapping[str, Pattern]) -> tuple[str, UOp] | None:
    """The function that some arithmetic is, and its operand.

    What was rounded only to be widened again goes through both without a look at what NaN's bits are in between.
    """
    for name, pattern in functions.items():
        found, inner = list[UOp](), list[UOp]()
        if fits(x, pattern, found):
            through = name == "widen_signed_f16" and fits(found[0], SIGNED["round_to_signed_f16"], inner)
            return ("through_f16", inner[0]) if through else (name, found[0])
    return None


def rounded(renderer: Expressions, x: UOp, functions: Mapping[str, Pattern]) -> str | None:
    """A target's function for a choice that `rules/narrow.py` writes; the compiler drops the arithmetic behind it."""
    if (found := conversion_of(x, functions)) is None:
        return None
    name, operand = found
    return f"(({renderer.render_dtype(x.dtype)}){name}({renderer[operand]}))"


def as_call(x: UOp) -> UOp | None:
    """The call of a target's function for a conversion; what holds a bf16 stays as it is on its way through one.

    Quotients of two bf16 as a bf16 need no branch, across which compilers would not move what is read, and exponentials
    of a bf16 half as many instructions.
    """
    functions = {Ops.OR: SIGNED, Ops.SHL: THROUGH}.get(x.op, FUNCTIONS)
    if (found := conversion_of(x, functions)) is None:
        return None
    name, operand = found
    if name == "through_bf16" and holds_bf16(operand):
        return operand
    if name.endswith("bf16") and (call := call_for_bf16(operand)) is not None and all(map(holds_bf16, call[1])):
        return UOp(Ops.CUSTOM, x.dtype, call[1], arg=f"{name}({call[0]})")
    # tinygrad inserts loads only for operands of its own operations.
    operand = opaque(operand) if operand.op is Ops.INDEX else operand
    return UOp(Ops.CUSTOM, x.dtype, (operand,), arg=f"{name}({{0}})")


def call_for_bf16(u: UOp) -> tuple[str, tuple[UOp, ...]] | None:
    """The function for the bits of a quotient or an exponential, and its operands, before kernels are lowered."""
    u = of_bits(u)
    if u.op is Ops.MUL and u.src[1].op is Ops.RECIPROCAL:
        x, (y,) = u.src[0], u.src[1].src
        if is_float(of_bits(x), 1.0) and is_at_least(y, 1.0):
            return "reciprocal_of_bf16({0})", (y,)
        return "quotient_of_bf16({0}, {1})", (x, y)
    return ("exp_of_bf16({0})", u.src) if is_exponential(u) else None


def of_bits(u: UOp) -> UOp:
    """What has the bits of a value, as another type."""
    while u.op is Ops.BITCAST or (u.op is AND and is_integer(u.src[1], 0xFFFFFFFF)):
        u = u.src[0]
    return u


def is_float(u: UOp, number: float) -> bool:
    return u.op is Ops.CONST and u.dtype == dtypes.float32 and u.val == number


def is_exponential(u: UOp) -> bool:
    return u.op is Ops.CUSTOM and u.arg in ("exp_f", "exp_f({0})")


def is_at_least(u: UOp, number: float) -> bool:
    """Whether a float is known to be no less than a number that a bf16 holds, or not a number.

    Sigmoids divide by 1 + e^x.
    """
    u = of_bits(u)
    if u.op is Ops.CONST and u.dtype == dtypes.float32:
        return float(u.val) >= number
    if u.op is ADD and u.dtype == dtypes.float32:
        return any(is_at_least(a, number) and is_at_least(b, 0.0) for a, b in (u.src, u.src[::-1]))
    found = conversion_of(u, THROUGH) if u.op is Ops.SHL else None
    return (is_exponential(u) and number <= 0) or (found is not None and is_at_least(found[1], number))


# Before a kernel is lowered, which takes as long as it has nodes; the outermost conversions first.
calls_of_conversions = PatternMatcher([(UPat((Ops.OR, Ops.SHL, Ops.WHERE), dtypes.uint32, name="x"), as_call)])


def holds_bf16(u: UOp) -> bool:
    """Whether a float is known to be one that a bf16 holds: the lower half of its bits is 0."""
    u = of_bits(u)
    if u.op is Ops.XOR:  # also with a sign
        return holds_bf16(u.src[0]) and (is_zero_bit(u.src[1]) or holds_bf16(u.src[1]))
    if u.op is Ops.CONST and u.dtype == dtypes.float32:
        return pack("<f", u.val)[:2] == b"\0\0"
    if (bits := constant_of(u)) is not None:
        return u.dtype == dtypes.uint32 and bits % 2**16 == 0
    return u.op is Ops.SHL and is_integer(u.src[1], 16)


def fits(u: UOp, pattern: Pattern, found: list[UOp]) -> bool:
    """Whether some arithmetic matches a pattern; what X stands for is then recorded."""
    while is_fence(u) or (
        u.dtype in (dtypes.uint32, dtypes.uint16)
        and (u.op is Ops.CAST or (u.op is AND and constant_of(u.src[1]) == 0xFFFFFFFF))
    ):
        if pattern == X and u.op is Ops.CAST:
            break
        u = u.src[0]
    if pattern == X:
        found += [] if found else [u]
        return u is found[0] and u.dtype == dtypes.uint32
    if not isinstance(pattern, tuple):
        u = u.src[0] if u.op is Ops.CAST else u
        return u.op is Ops.CONST and (u.arg % 2**32 if isinstance(pattern, int) else u.arg) == pattern
    op, *parts = pattern
    if u.op is not op:
        return False
    for sources in (u.src, u.src[::-1])[: 1 + (op in COMMUTATIVE)]:
        before = [*found]
        if all(fits(s, part, found) for s, part in zip(sources, parts)):
            return True
        found[:] = before
    return False
