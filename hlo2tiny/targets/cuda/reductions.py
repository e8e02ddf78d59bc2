"""How the threads of a block share a reduction.

A kernel that tinygrad has not optimised computes one element of its result in each block of a grid, by loops that add
to registers. Either the threads of a block share these loops, and then combine what each has found; or, if the elements
that neighbouring blocks read are neighbours, a block computes 32 elements, in 32 columns of threads.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import prod
from typing import Any, TypeAlias

from ...tinygrad.kernel import constant_of, turns_of
from ...tinygrad.render import AddrSpace, Ops, UOp, dtypes
from .kernels import WARP

COLUMNS = 32
# With so many multiplications or more, a sum of products is left to tinygrad, whose kernels reuse what they read.
MANY = 1 << 22
# With so many elements or more, memory is what a reduction waits for, so a thread reads this many bytes at once.
LARGE, BYTES = 1 << 20, 16
FUNCTIONS = {Ops.ADD: "Sum", Ops.MUL: "Product", Ops.OR: "Any", Ops.AND: "All", Ops.MAX: "Largest"}

# A dimension of the grid, its quotient or remainder by a number, or a loop.
Variable: TypeAlias = Any
# What an integer is at 0, and by how much it grows with each variable.
Linear = tuple[int, Mapping[Variable, int]]


@dataclass(frozen=True)
class Sharing:
    """How threads share a reduction.

    Attributes:
        loop: the loop whose turns the threads share.
        columns: how many elements a block computes.
        lanes: how many threads work on an element.
        combined: for each outermost loop, the registers that it adds to, and the names of the functions that combine.
        at_once: how many neighbouring elements a thread takes in a turn.
        reads: what reads them.
    """

    loop: UOp
    columns: int
    lanes: int
    combined: dict[UOp, list[tuple[UOp, str]]]
    at_once: int = 1
    reads: tuple[UOp, ...] = ()


def sharing_of(uops: Sequence[UOp], grid: Sequence[int]) -> Sharing | None:
    """How threads share the loops of a kernel; None if they cannot, or should not."""
    combined: dict[UOp, list[tuple[UOp, str]]] = {}
    opened: list[UOp] = []
    for u in uops:
        if u.op is Ops.RANGE:
            if turns_of(u) is None:
                return None
            opened.append(u)
            combined.setdefault(opened[0], [])
        elif u.op is Ops.END:
            opened.pop()
        elif u.op is Ops.STORE and opened:
            register = u.src[0].buf_uop
            function = combining(u)
            if register.addrspace is not AddrSpace.REG or register.max_numel() != 1 or function is None:
                return None
            combined[opened[0]].append((register, function))
        elif u.op in (Ops.BARRIER, Ops.IF) or (u.op is Ops.BUFFER and u.addrspace is AddrSpace.LOCAL):
            return None
    loops = [u for u in uops if u.op is Ops.RANGE]
    if len(combined) != 1 or not all(combined.values()):
        return None
    reads = [u.src[0] for u in uops if u.op is Ops.LOAD and u.src[0].buf_uop.op is Ops.PARAM]
    inside = [r for r in reads if any(depends_on(r, loop) for loop in loops)]
    turns, outputs = prod(turns_of(loop) or 1 for loop in loops), prod(grid)
    if len({r.buf_uop for r in inside}) > 1 and turns * outputs >= MANY and is_product(inside, uops):
        return None
    loop = max(loops, key=lambda x: (any(factor_of(place(r), x) == 1 for r in inside), turns_of(x) or 0))
    if (turns_of(loop) or 0) < WARP:
        loop = max(loops, key=lambda x: turns_of(x) or 0)
    size = turns_of(loop) or 1
    first = next((u for u in uops if u.op is Ops.SPECIAL and u.arg == "gidx0"), None)
    along = sum(factor_of(place(r), loop) == 1 for r in inside)
    across = sum(first is not None and factor_of(place(r), first) == 1 for r in inside)
    if across > along and grid[0] >= 8:
        lanes = 1
        while lanes < 32 and lanes * 4 <= size and outputs * lanes < 1 << 17:
            lanes *= 2
        return Sharing(loop, COLUMNS, lanes, combined)
    loads = tuple(u for u in uops if u.op is Ops.LOAD and u.src[0] in inside)
    together = at_once(loads, loop) if loads and turns * outputs >= LARGE and loop is loops[-1] else 1
    lanes = WARP
    while lanes < 1024 and lanes * 8 * together <= size and (outputs * lanes < 1 << 19 or lanes < 256):
        lanes *= 2
    return Sharing(loop, 1, lanes, combined, together if lanes * 4 * together <= size else 1, loads)


def at_once(loads: Sequence[UOp], loop: UOp) -> int:
    """How many turns of a loop read BYTES that begin at a multiple of BYTES; 1 if they do not."""
    count = BYTES // int(loads[0].dtype.itemsize)
    if (turns_of(loop) or 0) % count:
        return 1
    for load in loads:
        if load.dtype.itemsize * count != BYTES or len(load.src) > 1 or len(load.src[0].src) > 2:  # or conditional
            return 1
        found = linear(place(load.src[0]))
        if found is None or found[0] % count or found[1].get(loop) != 1:
            return 1
        if any(factor % count for variable, factor in found[1].items() if variable is not loop):
            return 1
    return count


def combining(store: UOp) -> str | None:
    """The function that combines a register with a term, if a statement does nothing else."""
    register, value = store.src[0].buf_uop, store.src[1]

    def is_old(u: UOp) -> bool:
        return u.op is Ops.LOAD and u.src[0].buf_uop is register

    if value.op in FUNCTIONS and sum(map(is_old, value.src)) == 1:
        new = next(s for s in value.src if not is_old(s))
        return None if reads_register(new, register) else FUNCTIONS[value.op]
    if value.op is Ops.WHERE and value.src[0].op is Ops.CMPLT:  # the larger one
        a, b = value.src[0].src
        if is_old(a) and value.src[1] is b and is_old(value.src[2]) and not reads_register(b, register):
            return FUNCTIONS[Ops.MAX]
    return None


def reads_register(u: UOp, register: UOp) -> bool:
    return any(x.op is Ops.LOAD and x.src[0].buf_uop is register for x in values_of(u))


def values_of(u: UOp) -> Iterator[UOp]:
    seen, waiting = set(), [u]
    while waiting:
        if (x := waiting.pop()) not in seen:
            seen.add(x)
            waiting += x.src
            yield x


def depends_on(u: UOp, other: UOp) -> bool:
    return any(x is other for x in values_of(u))


def is_product(reads: Sequence[UOp], uops: Sequence[UOp]) -> bool:
    """Whether some read depends on fewer dimensions of the grid than another: elements are read again and again."""
    grid = [u for u in uops if u.op is Ops.SPECIAL]
    used = {frozenset(u.arg for u in grid if depends_on(r, u)) for r in reads}
    return len(used) > 1


def place(address: UOp) -> UOp:
    while address.op in (Ops.CAST, Ops.BITCAST):
        address = address.src[0]
    return address.src[1] if len(address.src) > 1 else address


def factor_of(u: UOp, variable: UOp) -> int | None:
    """By how much an integer grows with a variable, None if that is not constant."""
    if u is variable:
        return 1
    if u.op in (Ops.CONST, Ops.SPECIAL, Ops.RANGE, Ops.LOAD):
        return 0
    if u.op in (Ops.ADD, Ops.SUB):
        a, b = (factor_of(s, variable) for s in u.src)
        return None if a is None or b is None else a + b if u.op is Ops.ADD else a - b
    if u.op in (Ops.MUL, Ops.SHL):
        a, by = factor_of(u.src[0], variable), constant_of(u.src[1])
        return None if a is None or by is None else a * (by if u.op is Ops.MUL else 1 << by)
    if u.op is Ops.CAST and u.dtype in dtypes.ints:
        return factor_of(u.src[0], variable)
    return None if depends_on(u, variable) else 0


# The quotients and remainders of a dimension, which is not negative.
PARTS: Mapping[Ops, Callable[[int], tuple[str, int]]] = {
    **dict.fromkeys((Ops.CDIV, Ops.FLOORDIV), lambda n: ("quotient", n)),
    **dict.fromkeys((Ops.CMOD, Ops.FLOORMOD), lambda n: ("remainder", n)),
    Ops.SHR: lambda n: ("quotient", 1 << n),
    Ops.AND: lambda n: ("remainder", n + 1 if n & (n + 1) == 0 else 0),
}


def linear(u: UOp) -> Linear | None:
    """An integer as a sum of multiples of the dimensions of the grid and of loops; None if it is not one."""
    if u.op in (Ops.SPECIAL, Ops.RANGE):
        return 0, {} if length_of(u) == 1 else {u: 1}
    if (constant := constant_of(u)) is not None:
        return constant, {}
    if u.op is Ops.CAST and u.dtype in dtypes.ints:
        return linear(u.src[0])
    if u.op in PARTS:
        divisor = constant_of(u.src[1])
        if divisor is None or u.src[0].op is not Ops.SPECIAL:
            return None
        part, number = PARTS[u.op](divisor)
        return (0, {(u.src[0], part, number): 1}) if number else None
    if u.op in (Ops.MUL, Ops.SHL):
        a, by = linear(u.src[0]), constant_of(u.src[1])
        if a is None or by is None:
            return None
        factor = by if u.op is Ops.MUL else 1 << by
        return a[0] * factor, {x: n * factor for x, n in a[1].items()}
    if u.op in (Ops.ADD, Ops.SUB):
        a, b = linear(u.src[0]), linear(u.src[1])
        if a is None or b is None:
            return None
        sign = 1 if u.op is Ops.ADD else -1
        return a[0] + sign * b[0], {x: a[1].get(x, 0) + sign * b[1].get(x, 0) for x in {**a[1], **b[1]}}
    return None


def length_of(variable: Variable) -> int:
    """The turns of a loop, the blocks along a dimension, or how many remainders there are; 0 if that is not known."""
    if isinstance(variable, tuple):
        return int(variable[2])
    return (turns_of(variable) if variable.op is Ops.RANGE else constant_of(variable.src[0])) or 0
