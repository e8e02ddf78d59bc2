"""How the threads of a block share a reduction.

A kernel that tinygrad has not optimised computes one element of its result in each block of a grid, by loops that add
to registers. Either the threads of a block share these loops, and then combine what each has found; or, if neighbouring
blocks read adjacent elements, a block computes 32 elements, in 32 columns of threads.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from math import prod
from typing import Any, TypeAlias

from ...tinygrad.kernel import constant_of, trip_count_of
from ...tinygrad.render import AddrSpace, Ops, UOp, dtypes
from .kernels import WARP

COLUMNS, LEAST_COLUMNS = WARP, 8
# With this many multiplications or more, a sum of products is left to tinygrad, whose kernels reuse what they read.
MANY = 1 << 22
# With this many elements or more, a reduction is limited by memory, so a thread reads this many bytes at once.
LARGE, BYTES = 1 << 20, 16
FUNCTIONS = {Ops.ADD: "Sum", Ops.MUL: "Product", Ops.OR: "Any", Ops.AND: "All", Ops.MAX: "Largest"}

# A dimension of the grid, its quotient or remainder by a number, two dimensions as one, or a loop.
Variable: TypeAlias = Any
# What an integer is at 0, and by how much it grows with each variable.
Linear = tuple[int, Mapping[Variable, int]]


@dataclass(frozen=True)
class Nest:
    """A reduction: nested loops, whose iterations threads share.

    Attributes:
        loops: the loops, outermost first; the threads share the iterations of `first`, and of the others if some are
            left.
        combined: the registers that they add to, and the names of the functions that combine.
        at_once: how many adjacent elements a thread takes in an iteration.
        reads: what reads elements.
    """

    loops: tuple[UOp, ...]
    first: UOp
    combined: tuple[tuple[UOp, str], ...]
    reads: tuple[UOp, ...] = ()
    at_once: int = 1

    @property
    def iterations(self) -> int:
        return prod(map(length_of, self.loops))

    def share(self, lanes: int) -> dict[UOp, tuple[int, int]]:
        """How many threads share each loop, and how many consecutive threads have the same iteration of it."""
        shared, left, below = {}, lanes, 1
        for loop in sorted(self.loops, key=lambda x: (x is not self.first, -length_of(x))):
            own, size = 1, length_of(loop)
            for n in powers_of_2(left):  # at most a quarter of the threads are idle in the last iteration
                own = n if 4 * -(-size // n) * n <= 5 * size else own
            shared[loop], left, below = (own, below), left // own, below * own
        own, below = shared[self.first]  # some threads are idle if there are more than iterations
        return {x: (n, step * (left if x is not self.first else 1)) for x, (n, step) in shared.items()} | {
            self.first: (own * left, below)
        }


@dataclass(frozen=True)
class Sharing:
    """How threads share the reductions of a kernel, one after the other.

    Attributes:
        nests: the reductions, in order.
        column: what neighbouring threads differ in, if a block computes COLUMNS elements, whose reads are adjacent.
        lanes: how many threads work on an element.
    """

    nests: tuple[Nest, ...]
    column: Variable | None
    lanes: int

    @property
    def columns(self) -> int:
        return 1 if self.column is None else COLUMNS

    @property
    def iterations(self) -> int:
        """How many elements the longest one takes for each result."""
        return max(nest.iterations for nest in self.nests)

    def one_by_one(self, lanes: int) -> Sharing:
        """With this many threads, which take one element in an iteration."""
        return Sharing(tuple(replace(nest, at_once=1) for nest in self.nests), self.column, lanes)


def powers_of_2(most: int) -> list[int]:
    return [1 << bit for bit in range(most.bit_length())]


def sharing_of(uops: Sequence[UOp], grid: Sequence[int]) -> Sharing | None:
    """How threads share the loops of a kernel; None if they cannot, or should not."""
    found: list[tuple[list[UOp], list[tuple[UOp, str]]]] = []
    opened: list[UOp] = []
    for u in uops:
        if u.op is Ops.RANGE:
            if trip_count_of(u) is None:
                return None
            if not opened:
                found.append(([], []))
            opened.append(u)
            found[-1][0].append(u)
        elif u.op is Ops.END:
            opened.pop()
        elif u.op is Ops.STORE and opened:
            register = u.src[0].buf_uop
            function = combining(u)
            if register.addrspace is not AddrSpace.REG or register.max_numel() != 1 or function is None:
                return None
            found[-1][1].append((register, function))
        elif (
            u.op is Ops.BARRIER
            or (u.op is Ops.BUFFER and u.addrspace is AddrSpace.LOCAL)
            or (u.op is Ops.IF and not opened)
        ):
            return None
    if not found or not all(combined for _, combined in found):
        return None
    loads = [u for u in uops if u.op is Ops.LOAD and u.src[0].buf_uop.op is Ops.PARAM]
    outputs, dimensions = prod(grid), [u for u in uops if u.op is Ops.SPECIAL and length_of(u) > 1]
    nests, along, across = list[Nest](), 0, Counter[Variable]()
    for loops, combined in found:
        inside = [u for u in loads if any(depends_on(u.src[0], loop) for loop in loops)]
        places = [place(u.src[0]) for u in inside]
        iterations = prod(map(length_of, loops))
        if len({u.src[0].buf_uop for u in inside}) > 1 and iterations * outputs >= MANY and is_product(inside, uops):
            return None
        loop = max(loops, key=lambda x: (any(factor_of(p, x) == 1 for p in places), length_of(x)))
        if len(loops) > 1 and length_of(loop) == 1:
            loop = max(loops, key=length_of)
        most = max((sum(depends_on(p, u) for u in dimensions) for p in places), default=0)
        places = [p for p in places if sum(depends_on(p, u) for u in dimensions) == most]  # others are read repeatedly
        along += sum(factor_of(p, loop) == 1 for p in places)
        across.update(variable for p in places for variable in neighbours(p, dimensions))
        nests.append(Nest(tuple(loops), loop, tuple(combined), tuple(inside)))
    iterations = max(nest.iterations for nest in nests)
    column, count = max(across.items(), key=lambda each: each[1], default=(None, 0))
    if count > along:
        lanes = 1
        while lanes < 32 and lanes * 4 <= iterations and outputs * lanes < 1 << 17:
            lanes *= 2
        return Sharing(tuple(nests), column, lanes)
    alone, together = nests[0], 1
    conditional = any(u.op is Ops.IF for u in uops)
    if (
        len(nests) == 1
        and alone.reads
        and not conditional
        and alone.iterations * outputs >= LARGE
        and alone.first is alone.loops[-1]
    ):
        together = at_once(alone.reads, alone.first)
    lanes = WARP
    while lanes < 1024 and lanes * 8 * together <= iterations and (outputs * lanes < 1 << 19 or lanes < 256):
        lanes *= 2
    if alone.share(lanes)[alone.first][0] * 4 * together <= length_of(alone.first):
        nests[0] = replace(alone, at_once=together)
    return Sharing(tuple(nests), None, lanes)


def neighbours(place: UOp, grid: Sequence[UOp]) -> Iterator[Variable]:
    """The dimensions of the grid, their quotients and remainders, along which a place is the next element's.

    Two dimensions may be one for that: "joined" to a short one is the next one, along which places follow its own.
    """
    found = linear(place)
    factors = {u: factor_of(place, u) for u in grid} if found is None else found[1]
    for variable, factor in factors.items():
        if factor != 1 or not (isinstance(variable, tuple) or variable.op is Ops.SPECIAL):
            continue
        if (count := count_of(variable)) >= LEAST_COLUMNS:
            yield variable
        elif isinstance(variable, tuple):  # the remainder has places that follow those of the quotient
            dimension, part, number = variable
            follows = part == "quotient" and factors.get((dimension, "remainder", number)) == count
            if follows and length_of(dimension) >= LEAST_COLUMNS:
                yield variable
        else:
            for other in (u for u in grid if factors.get(u) == count and count * length_of(u) >= LEAST_COLUMNS):
                yield variable, "joined", other


def count_of(variable: Variable) -> int:
    """How many values a dimension of the grid, its quotient or remainder takes; 0 if that varies."""
    if not isinstance(variable, tuple):
        return length_of(variable)
    dimension, part, number = variable
    size = length_of(dimension)
    return 0 if size % number else size // number if part == "quotient" else number


def at_once(loads: Sequence[UOp], loop: UOp) -> int:
    """How many iterations of a loop read BYTES that begin at a multiple of BYTES; 1 if they do not."""
    count = BYTES // int(loads[0].dtype.itemsize)
    if length_of(loop) % count:
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


def is_product(loads: Sequence[UOp], uops: Sequence[UOp]) -> bool:
    """Whether every read depends on fewer than all dimensions of the grid: elements are read again and again."""
    grid = [u for u in uops if u.op is Ops.SPECIAL and length_of(u) > 1]
    used = {frozenset(u.arg for u in grid if depends_on(load.src[0], u)) for load in loads}
    return frozenset().union(*used) not in used


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
    """The iterations of a loop, the blocks along a dimension, or the number of remainders; 0 if it is not known."""
    if isinstance(variable, tuple):
        return int(variable[2])
    return (trip_count_of(variable) if variable.op is Ops.RANGE else constant_of(variable.src[0])) or 0
