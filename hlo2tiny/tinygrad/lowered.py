"""Kernels that tinygrad has lowered to UOps in order: what targets ask about them, as data."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from itertools import count
from typing import NamedTuple, TypeAlias

from tinygrad.dtype import AddrSpace, dtypes
from tinygrad.uop.ops import AxisType, Ops, UOp

from ..records import dataclass
from .kernel import Kernel, NestedUOps, constant_of, drop_unused, is_buffer, kernel_of, trip_count_of, uncast
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
    """Loops inside each other, the outermost first, and the registers, by number, with what combines terms in them."""

    loops: list[LoopCounter]
    combined: list[tuple[int, str]]


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

    @cached_property
    def ranges(self) -> list[UOp]:
        """The loops, in the order of their numbers."""
        return [u for u in self.uops if u.op is Ops.RANGE]

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
    def passes_addresses(self) -> bool:
        """Whether functions get addresses of elements."""
        return any(u.op is Ops.CUSTOM and any(s.op is Ops.INDEX for s in u.src) for u in self.uops)

    @property
    def shares_memory(self) -> bool:
        """Whether the threads of a block have common memory, or wait for each other."""
        local = any(u.addrspace is AddrSpace.LOCAL for u in self.registers)
        return local or any(u.op is Ops.BARRIER for u in self.uops)

    def reductions(self) -> list[RegisterReduction] | None:
        """Its loops, if each reduces; None if one does anything else, or if threads could not share them."""
        found, depth = list[RegisterReduction](), 0
        for u in self.uops:
            depth -= u.op is Ops.END
            if u.op is Ops.RANGE:
                if trip_count_of(u) is None:
                    return None
                found += [] if depth else [RegisterReduction([], [])]
                found[-1].loops.append(self.counters[u])
            elif u.op is Ops.STORE and depth:
                register, operation = u.src[0].buf_uop, combining(u)
                if u is self.stored:
                    continue
                if register.addrspace is not AddrSpace.REG or register.max_numel() != 1 or operation is None:
                    return None
                found[-1].combined.append((self.registers.index(register), operation))
            elif u.op is Ops.IF and not depth:
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


# ---------------------------------------------------------------- places


@dataclass(frozen=True, eq=False)
class ElementAccess:
    """A read or write, by `uop`, of an element of a parameter; `known` are the kernel's loops and dimensions."""

    uop: UOp
    parameter: int
    known: Mapping[UOp, GridDimension | LoopCounter]

    @property
    def itemsize(self) -> int:
        """The bytes of what is read."""
        return int(self.uop.dtype.itemsize)

    @property
    def elements(self) -> int:
        """How many elements the memory has."""
        return int(self.uop.src[0].buf_uop.max_numel())

    @property
    def is_conditional(self) -> bool:
        return len(self.uop.src) > 1 or len(self.uop.src[0].src) > 2

    @property
    def _place(self) -> UOp:
        address = uncast(self.uop.src[0])
        return address.src[1] if len(address.src) > 1 else address

    @property
    def extent(self) -> int | None:
        """One more than its largest place, which open sizes may decide; None if that is not known."""
        return extent_of(self._place)

    @cached_property
    def variables(self) -> set[GridDimension | LoopCounter]:
        """What its address depends on."""
        return {self.known[u] for u in values_of(self.uop.src[0]) if u in self.known}

    @cached_property
    def factors(self) -> Mapping[Variable, int | None]:
        """By how much its place grows with each variable that it depends on, None if that is not constant."""
        place = self._place
        return {self.known[u]: factor_of(place, u) for u in values_of(place) if u in self.known}

    @cached_property
    def place(self) -> Linear | None:
        """Its place as a sum of multiples of dimensions, their parts and loops; None if it is not one."""
        return self._linear(self._place)

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


# The quotients and remainders of a dimension, which is not negative.
PARTS: Mapping[Ops, Callable[[int], tuple[str, int]]] = {
    **dict.fromkeys((Ops.CDIV, Ops.FLOORDIV), lambda n: ("quotient", n)),
    **dict.fromkeys((Ops.CMOD, Ops.FLOORMOD), lambda n: ("remainder", n)),
    Ops.SHR: lambda n: ("quotient", 1 << n),
    Ops.AND: lambda n: ("remainder", n + 1 if n & (n + 1) == 0 else 0),
}


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


# ---------------------------------------------------------------- joining

# Two kernels are not joined if they then have more buffers or UOps than this.
MOST_JOINED_BUFFERS = 8
MOST_JOINED_SIZE = 1_000
# The same for kernels with one nest of loops on a GPU, which has more registers.
MOST_NEST_BUFFERS = 16


def join_kernels(kernels: Iterable[LoweredKernel]) -> Iterator[LoweredKernel]:
    """Kernels; neighbours that read the same elements in equally many iterations become one."""
    last = None
    for each in kernels:
        if last is None or (both := join(last, each)) is None:
            if last is not None:
                yield last
            last = each
        else:
            last = both
    if last is not None:
        yield last


def join(one: LoweredKernel, other: LoweredKernel) -> LoweredKernel | None:
    """One kernel whose iteration i does that of both, computing what they share only once; None: they stay two."""
    a, b, first, second = one.facts, other.facts, one.uops, other.uops
    read, other_read = ({k.buffers[access.buffer] for access in k.reads} for k in (a, b))
    written, other_written = ({k.buffers[access.buffer] for access in k.writes} for k in (a, b))
    buffers = tuple(dict.fromkeys((*a.buffers, *b.buffers)))
    if not a.parallel or a.parallel != b.parallel or written & {*b.buffers} or other_written & {*a.buffers}:
        return None
    if not read & other_read or len(buffers) > MOST_JOINED_BUFFERS or len(first) + len(second) > MOST_JOINED_SIZE:
        return None
    if any(u.op is Ops.BUFFER for u in (*first, *second)):  # sums, in registers
        return None
    if any(len({*k.buffers}) < len(k.buffers) for k in (a, b)):  # one buffer for several parameters
        return None
    loop, second_loop = one.ranges[0], other.ranges[0]
    end = last_end(first)
    parameters = dict(zip(a.buffers, one.parameters))
    numbers = iter(b.buffers)
    result, known = list(first[:end]), dict[UOp, UOp]()
    begin = result.index(loop)
    scopes = [values_outside_inner_loops(result)]
    for u in second[: last_end(second)]:
        new = u.replace(src=tuple(known.get(s, s) for s in u.src))
        if is_buffer(u):
            number = next(numbers)
            own = u.replace(arg=replace(u.arg, slot=buffers.index(number)))
            new = parameters.setdefault(number, own)
            if (new.src, new.dtype) != (own.src, own.dtype):
                return None
        elif u is second_loop:
            if new.src != loop.src:
                return None
            new = loop
        elif u.op is Ops.RANGE:
            new = new.replace(arg=(len(result), *u.arg))  # a name of its own
        elif u.op is Ops.END:
            scopes.pop()
        known[u] = new
        if not any(new in scope for scope in scopes):
            before = second_loop not in known
            result.insert(begin if before else len(result), new)
            begin += before
            scopes[-1].add(new)
            scopes += [set()] * (u.op is Ops.RANGE)
    result += first[end:]
    return LoweredKernel(f"{a.name}+{b.name}", result, buffers)


def join_nests(one: LoweredKernel, other: LoweredKernel) -> LoweredKernel | None:
    """One kernel that computes what two do in the same loops, each value once; None if they do not suit each other.

    Each has one nest of loops, or none, in the same grid, and both read an element that they then read once.
    """
    loops = [u.src[0] for u in one.ranges]
    if (one.grid, one.block, loops) != (other.grid, other.block, [u.src[0] for u in other.ranges]):
        return None
    buffers = [*one.buffers, *(n for n in other.buffers if n not in one.buffers)]
    if len(buffers) > MOST_NEST_BUFFERS or len(one.uops) + len(other.uops) > MOST_JOINED_SIZE:
        return None
    for each in (one, other):
        alone = each.shares_memory or each.is_conditional or each.is_open or each.facts.updates
        if alone or len({*each.buffers}) < len(each.buffers):
            return None
    parts, others = (nest_parts(each.uops) for each in (one, other))
    if parts is None or others is None:
        return None
    parameters, numbers = dict(zip(one.buffers, one.parameters)), iter(other.buffers)
    slots = count(max(u.arg.slot for u in one.parameters) + 1)
    registers = count(len(one.registers))
    ends = iter(u for u in one.uops if u.op is Ops.END)
    ranges = iter(one.ranges)
    result, known, shared = NestedUOps(), dict[UOp, UOp](), 0
    addresses = {key: read.uop.src[0] for read in one.reads if (key := key_of(one, read)) is not None}
    same = {read.uop.src[0]: addresses.get(key_of(other, read)) for read in other.reads}
    for part, added in zip(parts, others):
        for u in part:
            result.append(u)
        for u in added:
            new = u.replace(src=tuple(known.get(s, s) for s in u.src))
            if is_buffer(u):
                number = next(numbers)
                if number not in parameters:
                    parameters[number] = u.replace(arg=replace(u.arg, slot=next(slots)))
                new = parameters[number]
                if (new.src, new.dtype) != (u.src, u.dtype):
                    return None
            elif u.op is Ops.BUFFER:
                new = new.replace(arg=replace(u.arg, slot=next(registers)))
            elif u.op is Ops.RANGE:
                new = next(ranges)
            elif u.op is Ops.END:
                new = next(ends)
            elif (address := same.get(u)) is not None and address in result:
                new = address
            known[u] = new
            if u.op in (Ops.RANGE, Ops.END):
                continue
            if new in result:
                shared += u.op is Ops.LOAD and is_buffer(u.src[0].buf_uop)
            else:
                result.append(new)
    if not shared:
        return None
    return LoweredKernel(f"{one.name}+{other.name}", drop_unused(result.uops), tuple(buffers), one.grid, one.block)


def key_of(kernel: LoweredKernel, read: ElementAccess) -> object:
    """The element that is read, which sums in different orders may address; None if that is not known."""
    place = read.place
    return None if place is None else (kernel.buffers[read.parameter], place[0], frozenset(place[1].items()))


def join_writer(writer: LoweredKernel, reader: LoweredKernel) -> LoweredKernel | None:
    """A reduction that computes and stores what it reads of another kernel's result; None if it does not suit it.

    The reduction reads each element once, so that it stores each once, and the other kernel computes one in each block
    of its grid.
    """
    if writer.ranges or writer.registers or len(writer.writes) != 1 or len({*writer.buffers}) < len(writer.buffers):
        return None
    if writer.shares_memory or writer.is_conditional or writer.facts.updates or len({*writer.block}) > 1:
        return None
    target = writer.buffers[writer.writes[0].parameter]
    reads = [read for read in reader.reads if reader.buffers[read.parameter] == target]
    buffers = [*reader.buffers, *(n for n in writer.buffers if n not in reader.buffers)]
    if len({read.uop for read in reads}) != 1 or len(buffers) > MOST_NEST_BUFFERS or reads[0].is_conditional:
        return None
    (load,) = {read.uop for read in reads}
    place, written = reads[0].place, writer.writes[0].place
    if place is None or written is None or place[0] or written[0] or not covers(written, writer.dimensions):
        return None
    loops = reader.ranges
    if not covers(place, [*reader.dimensions, *reader.counters.values()]) or len(load.src[0].src) < 2:
        return None
    index = load.src[0].src[1]
    if len(parts := nest_parts(reader.uops) or ()) != 2 * len(loops) + 1 or load not in parts[len(loops)]:
        return None
    parameters, numbers = dict(zip(reader.buffers, reader.parameters)), iter(writer.buffers)
    slots = count(max(u.arg.slot for u in reader.parameters) + 1)
    same = {read.uop.src[0] for read in writer.reads if read.place == written}  # the element that is written
    there = {read.uop.src[0] for read in reader.reads if read.place == place}
    before, inside, known, store = list[UOp](), list[UOp](), dict[UOp, UOp](), load
    for u in writer.uops:
        new = u.replace(src=tuple(known.get(s, s) for s in u.src))
        if is_buffer(u):
            number = next(numbers)
            if number not in parameters:
                parameters[number] = new.replace(arg=replace(u.arg, slot=next(slots)))
                before += [*u.src[0].src, *u.src, parameters[number]]
            new = parameters[number]
            if (new.src, new.dtype) != (u.src, u.dtype):
                return None
        elif u.op is Ops.SPECIAL:
            if u.dtype != index.dtype:
                return None
            dimension, new = GridDimension(u.arg, constant_of(u.src[0]) or 0), index
            for op, by in ((Ops.CDIV, written[1].get(dimension, 1)), (Ops.CMOD, dimension.length)):
                number = UOp.cconst(by, index.dtype)
                new = new.alu(op, number)
                inside += [*number.src, number, new]
        elif u.op is Ops.STORE:
            new = store = u.replace(src=(load.src[0], new.src[1]))
            inside.append(new)
        elif u.op is not Ops.SINK:
            new = new.replace(src=(new.src[0], index)) if u in same else new
            inside.append(new)
        known[u] = new
    known, result, done = {load: store.src[1]}, list[UOp](), set[UOp]()
    for u in reader.uops:
        if u.op is Ops.RANGE and before:
            result += [new for new in dict.fromkeys(before) if new not in done]
            done.update(before)
            before = []
        if u is load:
            result += [new for new in dict.fromkeys(inside) if new not in done]
            done.update(inside)
            continue
        new = u.replace(src=tuple(known.get(s, s) for s in u.src))
        new = known[u] = new.replace(src=(new.src[0], index)) if u in there else new
        if new not in done or u.op in (Ops.RANGE, Ops.END):
            result.append(new)
            done.add(new)
    name = f"{writer.name}+{reader.name}"
    return LoweredKernel(name, drop_unused(result), tuple(buffers), reader.grid, reader.block, store)


def covers(place: Linear, variables: Sequence[Variable]) -> bool:
    """Whether a place runs through each number from 0 on once."""
    size = 1
    for variable, factor in sorted(place[1].items(), key=lambda each: each[1]):
        if factor != size or isinstance(variable, DimensionPart):
            return False
        size *= variable.length
    return all(variable in place[1] for variable in variables if variable.length != 1)


def nest_parts(uops: Sequence[UOp]) -> list[list[UOp]] | None:
    """What comes before each beginning and end of a loop of a single nest, which begins the next part."""
    parts, ended = [list[UOp]()], False
    for u in uops:
        if u.op in (Ops.RANGE, Ops.END):
            if u.op is Ops.RANGE and ended:
                return None
            ended = u.op is Ops.END
            parts.append([])
        if u.op is not Ops.SINK:
            parts[-1].append(u)
    return parts


def last_end(uops: Sequence[UOp]) -> int:
    return max(i for i, u in enumerate(uops) if u.op is Ops.END)


def values_outside_inner_loops(uops: Sequence[UOp]) -> set[UOp]:
    depth, values = 0, set()
    for u in uops:
        if depth < 2:
            values.add(u)
        depth += (u.op is Ops.RANGE) - (u.op is Ops.END)
    return values
