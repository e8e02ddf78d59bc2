"""Kernels that tinygrad has lowered to UOps in order: what targets ask about them, as data."""

from __future__ import annotations

from collections.abc import Collection, Container, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from math import gcd, prod
from typing import NamedTuple, TypeAlias

from tinygrad.dtype import AddrSpace, dtypes
from tinygrad.uop.ops import AxisType, Ops, UOp

from ..records import dataclass
from .kernel import PARTS, Kernel, constant_of, is_buffer, kernel_of, trip_count_of, uncast
from .sizes import extent_of, has_open_sizes

LaunchSizes = tuple[int, int, int]


class GridDimension(NamedTuple):
    """A dimension of a grid of blocks or of the threads of a block, by tinygrad's name of the number along it."""

    name: str
    length: int

    @property
    def axis(self) -> int:
        return int(self.name[-1])


class LoopCounter(NamedTuple):
    """The variable of a loop, by the loop's number; its length is 0 if the trip count is not known."""

    number: int
    length: int


class DimensionPart(NamedTuple):
    """The quotient or the remainder of the number along a dimension by `length`."""

    dimension: GridDimension
    part: str
    length: int


Variable: TypeAlias = GridDimension | LoopCounter | DimensionPart
# What an integer is at 0, and by how much it grows with each variable.
Linear = tuple[int, Mapping[Variable, int]]


class KernelOutline(NamedTuple):
    """A kernel before it is lowered: the trip counts of the loops over its results, and of those of each reduction.

    `is_from_rule` says whether a rule has written its loops.
    """

    is_from_rule: bool
    results: tuple[int | None, ...]
    reductions: tuple[tuple[int | None, ...], ...]


def outline_of(kernel: UOp) -> KernelOutline:
    uops = kernel.toposort()
    results = (u for u in uops if u.op is Ops.RANGE and u.arg[-1] is not AxisType.REDUCE)
    reductions = (tuple(map(trip_count_of, u.src[1:])) for u in uops if u.op is Ops.REDUCE)
    return KernelOutline(kernel.arg.opts_to_apply is not None, tuple(map(trip_count_of, results)), tuple(reductions))


class RegisterReduction(NamedTuple):
    """Loops inside each other, the outermost first, and the registers, by number, with what combines terms in them.

    `inner` are loops that compute a term of these, such as another reduction.
    """

    loops: list[LoopCounter]
    combined: list[tuple[int, str]]
    inner: list[LoopCounter]


@dataclass(frozen=True, eq=False)
class LoweredKernel:
    """A kernel that targets decide about and renderers print.

    Args:
        name, buffers: as in Kernel.
        uops: its UOps, in order, which only renderers look at.
        grid, block: the blocks of its grid, and the threads of a block, along each dimension.
        stored: the statement with which each iteration of a reduction stores an element of its own.
    """

    name: str
    uops: Sequence[UOp]
    buffers: tuple[int, ...]
    grid: LaunchSizes = (1, 1, 1)
    block: LaunchSizes = (1, 1, 1)
    stored: UOp | None = None

    @cached_property
    def facts(self) -> Kernel:
        return kernel_of(self.name, self.uops, self.buffers)

    @property
    def length(self) -> int:
        """How many UOps there are."""
        return len(self.uops)

    @cached_property
    def ranges(self) -> list[UOp]:
        """The loops, in the order of their numbers."""
        return [u for u in self.uops if u.op is Ops.RANGE]

    def body(self, loop: UOp) -> Sequence[UOp]:
        """What a loop repeats."""
        begin = self.uops.index(loop)
        end = next(n for n, u in enumerate(self.uops[begin:]) if u.op is Ops.END and loop in u.src)
        return self.uops[begin : begin + end]

    @cached_property
    def parameters(self) -> list[UOp]:
        """Its parameters for buffers, in order."""
        return [u for u in self.uops if is_buffer(u)]

    @cached_property
    def registers(self) -> list[UOp]:
        """The memory that it has for itself, in the order of its numbers."""
        return [u for u in self.uops if u.op is Ops.BUFFER]

    @cached_property
    def counters(self) -> dict[UOp, LoopCounter]:
        return {u: LoopCounter(n, trip_count_of(u) or 0) for n, u in enumerate(self.ranges)}

    @cached_property
    def dimensions(self) -> list[GridDimension]:
        return [GridDimension(u.arg, constant_of(u.src[0]) or 0) for u in self.uops if u.op is Ops.SPECIAL]

    @cached_property
    def reads(self) -> list[ElementAccess]:
        return [*self._accesses(Ops.LOAD)]

    @cached_property
    def writes(self) -> list[ElementAccess]:
        return [*self._accesses(Ops.STORE)]

    def _accesses(self, op: Ops) -> Iterator[ElementAccess]:
        parameters = {u: i for i, u in enumerate(self.parameters)}
        known = {**self.counters, **dict(zip((u for u in self.uops if u.op is Ops.SPECIAL), self.dimensions))}
        for u in self.uops:
            if u.op is op and (number := parameters.get(u.src[0].buf_uop)) is not None:
                yield ElementAccess(u, number, known)

    @cached_property
    def is_open(self) -> bool:
        """Whether it depends on open sizes."""
        return has_open_sizes(self.uops)

    @property
    def is_conditional(self) -> bool:
        """Whether statements depend on conditions."""
        return any(u.op is Ops.IF for u in self.uops)

    @property
    def bytes_of_parameters(self) -> int:
        """The bytes of all memory that it knows."""
        return sum(int(u.max_numel()) * u.dtype.itemsize for u in self.uops if u.op is Ops.PARAM)

    @property
    def passes_addresses(self) -> bool:
        """Whether functions get addresses of elements."""
        return any(u.op is Ops.CUSTOM and any(s.op is Ops.INDEX for s in u.src) for u in self.uops)

    @property
    def call(self) -> tuple[str, list[int], list[int]]:
        """The only function that gets addresses: its name, the parameters that these are in, and its numbers."""
        (call,) = (u for u in self.uops if u.op is Ops.CUSTOM and any(s.op is Ops.INDEX for s in u.src))
        name, _, given = str(call.arg).partition("(")  # see `call_with_addresses`
        places = [self.parameters.index(s.buf_uop) for s in call.src if s.op is Ops.INDEX]
        return name, places, [int(number) for number in given.removesuffix(")").split(", ")[len(call.src) :]]

    @property
    def shares_memory(self) -> bool:
        """Whether the threads of a block have common memory, or wait for each other."""
        local = any(u.addrspace is AddrSpace.LOCAL for u in self.registers)
        return local or any(u.op is Ops.BARRIER for u in self.uops)

    def reductions(self) -> list[RegisterReduction] | None:
        """Its outermost loops, if each reduces; None if one does anything else, or if threads could not share them."""
        found, depth = list[RegisterReduction](), 0
        begun = dict[UOp, int]()  # by register: how many loops are around its first value
        opened, around = list[tuple[LoopCounter, int]](), 0  # of the last one; how many loops are around all of a term
        for u in self.uops:
            depth -= u.op is Ops.END
            if u.op is Ops.RANGE:
                if trip_count_of(u) is None:
                    return None
                if not depth:
                    found.append(RegisterReduction([], [], []))
                    opened, around = [], len(self.ranges)
                opened.append((self.counters[u], depth))
            elif u.op is Ops.STORE and u is not self.stored:
                register, operation = u.src[0].buf_uop, combining(u)
                outside = begun.setdefault(register, depth)
                if depth and (register.addrspace is not AddrSpace.REG or register.max_numel() != 1):
                    return None
                around = min(around, outside or depth)
                if depth and not outside:
                    if operation is None:
                        return None
                    found[-1].combined.append((self.registers.index(register), operation))
            elif not depth and (u.op is Ops.IF or (u.op is Ops.LOAD and begun.get(u.src[0].buf_uop))):
                return None
            elif u.op is Ops.END and not depth:
                for loop, before in opened:
                    (found[-1].loops if before < around else found[-1].inner).append(loop)
                if len(found[-1].loops) != around and found[-1].combined:
                    return None
            depth += u.op is Ops.RANGE
        return found if all(each.combined for each in found) and not self.shares_memory else None

    def sections(self) -> Iterator[tuple[list[int], LoweredKernel]]:
        """Each outermost loop, its number and what it needs from outside; all in one if loops pass on registers."""
        outside, loops = list[UOp](), list[list[UOp]]()
        depth = 0
        for u in self.uops:
            if u.op is Ops.RANGE and depth == 0:
                loops.append([])
            depth += u.op is Ops.RANGE
            (loops[-1] if depth else outside).append(u)
            depth -= u.op is Ops.END
        registers = any(u.op is Ops.BUFFER and sum(uses(loop, u) for loop in loops) > 1 for u in outside)
        if len(loops) < 2 or registers or any(u.op is Ops.STORE for u in outside):
            yield self._section({*self.uops})
            return
        for loop in loops:
            section = {*loop}
            sources = {s for u in section for s in u.src}
            for u in reversed(outside):
                if u in sources:
                    section.add(u)
                    sources.update(u.src)
            yield self._section(section)

    def _section(self, uops: set[UOp]) -> tuple[list[int], LoweredKernel]:
        outermost = [n for n, loop in enumerate(self.facts.loops) if loop.outer is None and self.ranges[n] in uops]
        buffers = tuple(buffer for buffer, u in zip(self.buffers, self.parameters) if u in uops)
        return outermost, replace(self, uops=[u for u in self.uops if u in uops], buffers=buffers)


def uses(loop: Sequence[UOp], register: UOp) -> bool:
    return any(register in u.src or u.buf_uop is register for u in loop if u.src)


# ---------------------------------------------------------------- reductions


COMBINING = (Ops.ADD, Ops.MUL, Ops.OR, Ops.AND, Ops.MAX)


def combining(store: UOp) -> str | None:
    """The operation that combines a register with a term, if a statement does nothing else."""
    register, value = store.src[0].buf_uop, store.src[1]

    def is_old(u: UOp) -> bool:
        return u.op is Ops.LOAD and u.src[0].buf_uop is register

    if value.op in COMBINING and sum(map(is_old, value.src)) == 1:
        new = next(s for s in value.src if not is_old(s))
        return None if any(map(is_old, values_of(new))) else str(value.op.name)
    if value.op is Ops.WHERE and value.src[0].op is Ops.CMPLT:  # the larger one
        a, b = value.src[0].src
        if is_old(a) and value.src[1] is b and is_old(value.src[2]) and not any(map(is_old, values_of(b))):
            return str(Ops.MAX.name)
    return None


def values_of(u: UOp) -> Iterator[UOp]:
    """A UOp and all that it is computed from."""
    seen, waiting = set(), [u]
    while waiting:
        if (x := waiting.pop()) not in seen:
            seen.add(x)
            waiting += x.src
            yield x


# ---------------------------------------------------------------- accesses


@dataclass(frozen=True, eq=False)
class ElementAccess:
    """A read or write, by `uop`, of an element of a parameter; `known` are the kernel's loops and dimensions."""

    uop: UOp
    parameter: int
    known: Mapping[UOp, GridDimension | LoopCounter]

    @property
    def itemsize(self) -> int:
        """The bytes of what is read or written."""
        value = self.uop.src[1] if self.uop.op is Ops.STORE else self.uop
        return int(value.dtype.itemsize)

    @property
    def is_of_several(self) -> bool:
        """Whether it writes several elements at once."""
        return self.uop.op is Ops.STORE and bool(self.uop.src[1].max_numel() > 1)

    @property
    def elements(self) -> int:
        """How many elements the memory has."""
        return int(self.uop.src[0].buf_uop.max_numel())

    @property
    def is_conditional(self) -> bool:
        return len(self.uop.src) > (1 if self.uop.op is Ops.LOAD else 2) or len(self.uop.src[0].src) > 2

    def agrees_along(self, variable: LoopCounter, count: int, others: Collection[LoopCounter] = ()) -> bool:
        """Whether the condition on which it reads or writes is the same for so many elements along a variable, from a
        multiple of this count on, and along `others`."""
        conditions = (*self.uop.src[2:], *self.uop.src[0].src[2:])
        return all(is_same_along(u, self.known, variable, count, others) for u in conditions)

    @property
    def _offset(self) -> UOp:
        address = uncast(self.uop.src[0])
        return address.src[1] if len(address.src) > 1 else address

    @property
    def extent(self) -> int | None:
        """One more than its largest offset, which open sizes may decide; None if that is not known."""
        return extent_of(self._offset)

    @cached_property
    def variables(self) -> set[GridDimension | LoopCounter]:
        """What its address depends on."""
        return {self.known[u] for u in values_of(self.uop.src[0]) if u in self.known}

    @cached_property
    def factors(self) -> Mapping[Variable, int | None]:
        """By how much its offset grows with each variable that it depends on, None if that is not constant."""
        offset = self._offset
        return {self.known[u]: factor_of(offset, u) for u in values_of(offset) if u in self.known}

    @cached_property
    def offset(self) -> Linear | None:
        """Its offset as a sum of multiples of dimensions, their parts and loops; None if it is not one."""
        return self._linear(self._offset)

    def is_adjacent(self, variable: LoopCounter, count: int) -> bool:
        """Whether so many elements along a variable, from a multiple of this count on, are adjacent from one on."""
        return self.factors.get(variable) == 1 and divisor_of(self._offset, self.known, variable) % count == 0

    def _linear(self, u: UOp) -> Linear | None:
        if (variable := self.known.get(u)) is not None:
            return 0, {} if variable.length == 1 else {variable: 1}
        if (constant := constant_of(u)) is not None:
            return constant, {}
        if u.op is Ops.CAST and u.dtype in dtypes.ints:
            return self._linear(u.src[0])
        if u.op in PARTS:
            divisor, dimension = constant_of(u.src[1]), self.known.get(u.src[0])
            if divisor is None or not isinstance(dimension, GridDimension):
                return None
            part, number = PARTS[u.op](divisor)
            return (0, {DimensionPart(dimension, part, number): 1}) if number else None
        if u.op in (Ops.MUL, Ops.SHL):
            a, by = self._linear(u.src[0]), constant_of(u.src[1])
            if a is None or by is None:
                return None
            factor = by if u.op is Ops.MUL else 1 << by
            return a[0] * factor, {x: n * factor for x, n in a[1].items()}
        if u.op in (Ops.ADD, Ops.SUB):
            a, b = self._linear(u.src[0]), self._linear(u.src[1])
            if a is None or b is None:
                return None
            sign = 1 if u.op is Ops.ADD else -1
            return a[0] + sign * b[0], {x: a[1].get(x, 0) + sign * b[1].get(x, 0) for x in {**a[1], **b[1]}}
        return None


def divisor_of(u: UOp, known: Mapping[UOp, Variable], variable: Variable) -> int:
    """A number that divides an integer where a variable is 0; 0 if it is 0 then."""
    if known.get(u) == variable:
        return 0
    if (constant := constant_of(u)) is not None:
        return abs(constant)
    if u.op in (Ops.ADD, Ops.SUB):
        return gcd(*(divisor_of(s, known, variable) for s in u.src))
    if u.op is Ops.MUL:
        return prod(divisor_of(s, known, variable) for s in u.src)
    if u.op is Ops.SHL and (by := constant_of(u.src[1])) is not None:
        return divisor_of(u.src[0], known, variable) << by
    if u.op is Ops.CAST and u.dtype in dtypes.ints:
        return divisor_of(u.src[0], known, variable)
    return 1


def is_same_along(
    condition: UOp, known: Mapping[UOp, Variable], variable: Variable, count: int, others: Container[Variable] = ()
) -> bool:
    """Whether a condition is the same for so many iterations of a variable, from a multiple of this count on, and for
    all of `others`."""
    uops = [*values_of(condition)]
    if any(u.op is Ops.LOAD or known.get(u) in others for u in uops):
        return False
    if not any(known.get(u) == variable for u in uops):
        return True
    if condition.op in (Ops.AND, Ops.OR):
        return all(is_same_along(s, known, variable, count, others) for s in condition.src)
    left, right = condition.src if len(condition.src) == 2 else (condition, condition)
    if condition.op is Ops.CMPNE and left.dtype is dtypes.bool and constant_of(right) is not None:
        return is_same_along(left, known, variable, count, others)
    if condition.op is not Ops.CMPLT:
        return False
    # a·count + i < b·count or b·count - 1 < a·count + i, in which i is less than the count.
    for u, limit, more in ((*condition.src, 0), (*condition.src[::-1], 1)):
        counter = next((x for x in values_of(u) if known.get(x) == variable), None)
        fixed = constant_of(limit)
        if counter is not None and fixed is not None and factor_of(u, counter) == 1:
            return (fixed + more) % count == 0 and divisor_of(u, known, variable) % count == 0
    return False


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
    return None if any(x is variable for x in values_of(u)) else 0
