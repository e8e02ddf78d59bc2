"""Sizes that only a run knows (ir/sizes.py) in tinygrad's expressions, and what is known of indices that have them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import reduce
from typing import Any, TypeAlias

from tinygrad import Tensor, dtypes
from tinygrad.dtype import AddrSpace, DType, Invalid
from tinygrad.uop.ops import Ops, PatternMatcher, UOp, UPat

from ..ir.sizes import (
    Condition,
    NeedsSize,
    OpenDimension,
    Quotient,
    Size,
    assume,
    divided,
    is_open,
    limits_of,
    long_division,
    made,
    open_dimension,
    relation,
    terms_of,
)

# Ops that are what `divided` gives, of numbers that are at least 0.
QUOTIENTS, REMAINDERS = (Ops.FLOORDIV, Ops.CDIV, Ops.SHR), (Ops.FLOORMOD, Ops.CMOD)
# The names of the variables in kernels that stand for open dimensions, before their number.
PREFIX = "size"


def as_uop(size: Any) -> Any:
    """An open size as tinygrad has it; what is none stays as it is."""
    if not is_open(size):
        return size
    for quotient in size.quotients:  # x - n(x/n) is a remainder, of which tinygrad knows the limits
        times, rest = divmod(size.terms[quotient,], quotient.divisor)
        if not rest:
            whole = made(size.with_dividend(quotient, times))
            if sum(map(bool, terms_of(whole))) < sum(map(bool, size.terms)) - 1:
                remainder = as_uop(quotient.dividend) % quotient.divisor
                return (remainder * -times + as_uop(whole)).simplify()
    terms = ((*map(factor_as_uop, factors), count) for factors, count in size.terms.items())
    return reduce(lambda a, b: a + b, (reduce(lambda a, b: a * b, term) for term in terms)).simplify()


def factor_as_uop(factor: OpenDimension | Quotient) -> UOp:
    if isinstance(factor, OpenDimension):
        return UOp.variable(f"{PREFIX}{factor.number}", *Size({(factor,): 1}).limits)
    return as_uop(factor.dividend) // factor.divisor


def is_variable(u: UOp) -> bool:
    return u.op in (Ops.PARAM, Ops.BUFFER) and u.addrspace is AddrSpace.ALU and str(u.arg.name).startswith(PREFIX)


def least(size: Any) -> int:
    """The least value of an integer or an open size as tinygrad has it."""
    return int(size.simplify().vmin) if isinstance(size, UOp) else int(size)


def inside_kernel(stores: UOp) -> UOp:
    """What a kernel does, with open sizes as parameters of it."""
    outside = [u for u in stores.toposort() if is_variable(u) and u.op is Ops.BUFFER]
    return stores.substitute({u: u.replace(op=Ops.PARAM) for u in outside}) if outside else stores


def has_open_sizes(uops: Sequence[UOp]) -> bool:
    return any(map(is_variable, uops))


def as_size(u: UOp, loops: dict[UOp, int] | None = None) -> int | None:
    """An integer as an expression of open dimensions; None if it depends on anything else.

    With `loops`, it may depend on the iterations of loops, too: each gets a number that no dimension has. So does a
    remainder by an open size, which is from 0 to that, too.
    """

    def visit(u: UOp) -> int | None:
        if u.op is Ops.CONST:
            return int(u.arg) if isinstance(u.arg, int) else None
        if u.op in (Ops.CAST, Ops.BITCAST) and u.dtype in (*dtypes.ints, dtypes.weakint):
            return visit(u.src[0])
        if is_variable(u):
            size = open_dimension(int(u.arg.name.removeprefix(PREFIX)), int(u.vmax))
            assume(Condition(size, ">=", int(u.vmin)))
            return size
        if u.op is Ops.RANGE and loops is not None and u.dtype is not dtypes.void:
            return open_dimension(loops.setdefault(u, FIRST_LOOP + len(loops)), max(1, int(u.vmax)))
        if u.op in (Ops.ADD, Ops.SUB, Ops.MUL, Ops.SHL, *QUOTIENTS, *REMAINDERS, Ops.NEG):
            parts = [*map(visit, u.src)]
            if any(p is None for p in parts):
                return None
            a, b = parts[0], parts[-1]
            assert a is not None and b is not None
            match u.op:
                case Ops.ADD:
                    return a + b
                case Ops.SUB:
                    return a - b
                case Ops.NEG:
                    return -a
                case Ops.MUL:
                    return a * b
                case Ops.FLOORMOD if is_open(b) and loops is not None and b.limits[0] > 0:
                    return open_dimension(loops.setdefault(u, FIRST_LOOP + len(loops)), max(1, int(u.vmax)))
                case _ if not isinstance(b, int) or b < 0:
                    return None
                case Ops.SHL:
                    return a * (1 << b)
            try:
                if not is_open(a) or not a >= 0:
                    return None
                return divided(a, 1 << b if u.op is Ops.SHR else b)[u.op in REMAINDERS]
            except NeedsSize:
                return None
        return None

    return visit(u)


# The numbers of loops' iterations among dimensions.
FIRST_LOOP = 1 << 20


# The least value of loops' iterations, and what they are less than.
Bounds: TypeAlias = Mapping[UOp, tuple[int, int]]


def extent_of(u: UOp) -> int | None:
    """More than the largest value of an index that grows with the iterations of loops; None if that is unknown.

    It is at least 0, also where a loop has no iterations, so that an index beyond its last one may be negative.
    """
    loops: dict[UOp, int] = {}
    index = as_size(u, loops)
    if index is None or (last := extreme(index, loops, {}, True)) is None:
        return None
    return last + 1 - min(0, limits_of(last + 1)[0])


def extreme(index: int, loops: dict[UOp, int], bounds: Bounds, is_largest: bool) -> int | None:
    """The largest or the least value of an index, as far as the loops' bounds say."""
    ends: dict[int, tuple[int, int] | None] = {}
    for loop, number in loops.items():
        end = as_size(loop.src[loop.op is Ops.FLOORMOD])
        ends[number] = bounds.get(loop, None if end is None else (0, end))
    total: int = 0
    for factors, count in terms_of(index).items():
        term = count
        for factor in factors:
            if isinstance(factor, Quotient):
                if any(d.number in ends for d in factor.dividend.dimensions):  # it grows with its dividend
                    last = extreme(factor.dividend, loops, bounds, (count > 0) is is_largest)
                    if last is None:
                        return None
                    try:
                        term = term * divided(last, factor.divisor)[0]
                    except NeedsSize:
                        return None
                else:
                    term = term * Size({(factor,): 1})
            elif factor.number not in ends:
                term = term * Size({(factor,): 1})
            elif (limits := ends[factor.number]) is None:
                return None
            else:
                term = term * (limits[1] - 1 if (count > 0) is is_largest else limits[0])
        total = total + term
    return total


def take_apart(u: UOp, bounds: Bounds) -> UOp | None:
    """A quotient or remainder by an open size without the division, where the iterations of loops show what it is."""
    dividend, divisor = u.src
    by = as_size(divisor)
    if by is None or not is_open(by) or by.limits[0] <= 0:
        return None
    loops: dict[UOp, int] = {}
    index = as_size(dividend, loops)
    if index is None:
        return None
    whole, rest = long_division(index, by)
    least, most = (extreme(rest, loops, bounds, is_largest) for is_largest in (False, True))
    if least is None or most is None or relation(least, ">=", 0) is not True or relation(most, "<", by) is not True:
        return None
    found = whole if u.op is Ops.FLOORDIV else rest
    return back(found, {number: loop for loop, number in loops.items()}, u)


def take_apart_where(valid: UOp, index: UOp) -> UOp | None:
    """The same in an index that is only used where loops have reached a size, or have not."""
    bounds: dict[UOp, tuple[int, int]] = {}
    for condition in valid.split_uop(Ops.AND):
        reached = condition.op is Ops.CMPNE and condition.src[1].op is Ops.CONST and bool(condition.src[1].arg)
        less = condition.src[0] if reached else condition
        if less.op is Ops.CMPLT and (loop := less.src[0]).op is Ops.RANGE:
            size, end = as_size(less.src[1]), as_size(loop.src[0])
            if size is not None and end is not None:
                first, last = bounds.get(loop, (0, end))
                bounds[loop] = (size, last) if reached else (first, size)
    new = {u: t for u in index.toposort() if u.op in DIVISIONS and (t := take_apart(u, bounds)) is not None}
    return index.substitute(new).valid(valid) if new else None


def back(size: int, loops: dict[int, UOp], like: UOp) -> UOp:
    """An expression of dimensions and loops as tinygrad has it."""
    if not is_open(size):
        return like.const_like(size)
    total: Any = None
    variables = {v.arg.name: v for v in like.toposort() if is_variable(v)}
    for factors, count in size.terms.items():
        term: Any = like.const_like(count)
        for factor in factors:
            if isinstance(factor, Quotient):
                term = term * (back(factor.dividend, loops, like) // factor.divisor)
                continue
            known = factor.number in loops
            term = term * (loops[factor.number] if known else variables[f"{PREFIX}{factor.number}"])
        total = term if total is None else total + term
    return total


DIVISIONS = (Ops.FLOORDIV, Ops.FLOORMOD)
without_divisions = PatternMatcher(
    [
        (UPat(DIVISIONS, name="u"), lambda u: take_apart(u, {})),
        (UPat.var("valid").where(UPat.var("index"), UPat(Ops.CONST, arg=Invalid)), take_apart_where),
    ]
)


def number_of(size: Any, dtype: DType) -> Tensor:
    """An open size, or another whole number, as a tensor of one element."""
    return Tensor(size if isinstance(size, UOp) else UOp.const(size, dtype)).cast(dtype).reshape(1)
