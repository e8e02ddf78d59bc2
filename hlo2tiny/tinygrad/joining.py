"""Kernels that become one: they read the same elements, or one reads what the other writes."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import count

from tinygrad.uop.ops import Ops, UOp

from .kernel import NestedUOps, constant_of, drop_unused, is_buffer
from .lowered import DimensionPart, ElementAccess, GridDimension, Linear, LoweredKernel, Variable

# Two kernels are not joined if they then have more buffers or UOps than this, unless they compute the same but for a
# part, so that both are at most this many times as large as one.
MOST_JOINED_BUFFERS = 8
MOST_JOINED_SIZE = 1_000
MOST_MORE = 1.25
# The same for kernels with one nest of loops on a GPU, which has more registers.
MOST_NEST_BUFFERS = 16
# Reductions suit each other's order of elements if the other one reads at least so many, for each that it reads alone,
# that the first one reads, too.
LEAST_SHARED = 0.25
# On a CPU, kernels have one nest of loops if they share more than this part of what the smaller one computes.
SHARED = 0.5


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


def join_buffers(one: LoweredKernel, other: LoweredKernel) -> tuple[int, ...]:
    return tuple(dict.fromkeys((*one.buffers, *other.buffers)))


def join_parameters(one: LoweredKernel, other: LoweredKernel) -> dict[UOp, UOp] | None:
    """The parameters of the other kernel, each with that of one for the same buffer, or with a new one.

    None if a buffer has different types.
    """
    known, slots = dict(zip(one.buffers, one.parameters)), count(max(u.arg.slot for u in one.parameters) + 1)
    joined = dict[UOp, UOp]()
    for number, u in zip(other.buffers, other.parameters):
        if number not in known:
            known[number] = u.replace(arg=replace(u.arg, slot=next(slots)))
        joined[u] = known[number]
    return joined if all((u.src, u.dtype) == (new.src, new.dtype) for u, new in joined.items()) else None


def join(one: LoweredKernel, other: LoweredKernel) -> LoweredKernel | None:
    """One kernel whose iteration i does that of both, computing what they share only once; None: they stay two."""
    a, b = one.facts, other.facts
    read, other_read = ({k.buffers[access.buffer] for access in k.reads} for k in (a, b))
    written, other_written = ({k.buffers[access.buffer] for access in k.writes} for k in (a, b))
    if not a.parallel or a.parallel != b.parallel or written & {*b.buffers} or other_written & {*a.buffers}:
        return None
    if not read & other_read or one.registers or other.registers:  # registers have sums
        return None
    if any(len({*k.buffers}) < len(k.buffers) for k in (a, b)):  # one buffer for several parameters
        return None
    nest, whole = join_nests(one, other), len(one.uops) + len(other.uops)
    if nest is not None and whole - len(nest.uops) > SHARED * min(len(one.uops), len(other.uops)):
        return nest
    buffers, joined = join_buffers(one, other), join_parameters(one, other)
    if joined is None or len(buffers) > MOST_JOINED_BUFFERS or whole > MOST_JOINED_SIZE:
        return None
    loop, second_loop = one.ranges[0], other.ranges[0]
    (before, inside, after), (second_before, second_inside, _) = (around_loop(each.uops) for each in (one, other))
    result, known = NestedUOps(before), dict[UOp, UOp]()
    for added, rest in ((second_before, inside), (second_inside, after)):
        for u in added:
            new = joined[u] if u in joined else u.replace(src=tuple(known.get(s, s) for s in u.src))
            if u is second_loop:
                if new.src != loop.src:
                    return None
                new = loop
            elif u.op is Ops.RANGE:
                new = new.replace(arg=(len(result.uops), *u.arg))  # a name of its own
            known[u] = new
            result.add([new])
        result.add(rest)
    return LoweredKernel(f"{a.name}+{b.name}", result.uops, buffers)


def around_loop(uops: Sequence[UOp]) -> tuple[Sequence[UOp], Sequence[UOp], Sequence[UOp]]:
    """What comes before a loop around all others, what it does, and its end with what follows."""
    begin = next(i for i, u in enumerate(uops) if u.op is Ops.RANGE)
    end = max(i for i, u in enumerate(uops) if u.op is Ops.END)
    return uops[:begin], uops[begin:end], uops[end:]


def join_nests(one: LoweredKernel, other: LoweredKernel) -> LoweredKernel | None:
    """One kernel that computes what two do in the same loops, each value once; None if they do not suit each other.

    Each has one nest of loops, or none, in the same grid, and both read an element that they then read once. After its
    loops, the other one may read what the first one has stored for the same place.
    """
    loops = [u.src[0] for u in one.ranges]
    if (one.grid, one.block, loops) != (other.grid, other.block, [u.src[0] for u in other.ranges]):
        return None
    buffers, joined = join_buffers(one, other), join_parameters(one, other)
    if joined is None or len(buffers) > MOST_NEST_BUFFERS:
        return None
    for each in (one, other):
        is_alone = each.shares_memory or each.is_conditional or each.is_open or each.facts.updates
        if is_alone or len({*each.buffers}) < len(each.buffers):
            return None
    parts, others = (nest_parts(each.uops) for each in (one, other))
    if parts is None or others is None:
        return None
    registers = count(len(one.registers))
    ends = iter(u for u in one.uops if u.op is Ops.END)
    ranges = iter(one.ranges)
    result, known, shared, alone = NestedUOps(), dict[UOp, UOp](), 0, 0
    addresses = {key: read.uop.src[0] for read in one.reads if (key := key_of(one, read)) is not None}
    same = {read.uop.src[0]: addresses.get(key_of(other, read)) for read in other.reads}
    stored = {place_of(one, write): write.uop for write in one.writes}
    passed = {read.uop: stored.get(place_of(other, read)) for read in other.reads}
    written = {one.buffers[write.parameter] for write in one.writes}
    for read in other.reads:
        if other.buffers[read.parameter] not in written:
            del passed[read.uop]
        elif (store := passed[read.uop]) is None or store not in parts[-1] or read.uop not in others[-1]:
            return None
    for part, added in zip(parts, others):
        result.add(part)
        for u in added:
            new = joined[u] if u in joined else u.replace(src=tuple(known.get(s, s) for s in u.src))
            if u.op is Ops.BUFFER:
                new = new.replace(arg=replace(u.arg, slot=next(registers)))
            elif u.op is Ops.RANGE:
                new = next(ranges)
            elif u.op is Ops.END:
                new = next(ends)
            elif (address := same.get(u)) is not None and address in result:
                new = address
            elif (store := passed.get(u)) is not None:
                new = store.src[1]
            known[u] = new
            if u.op in (Ops.RANGE, Ops.END) or u in passed:
                continue
            if u.op is Ops.LOAD and is_buffer(memory := u.src[0].buf_uop):
                size = int(memory.max_numel())
                shared, alone = (shared + size, alone) if new in result else (shared, alone + size)
            result.add([new])
    if not shared or (one.registers and shared < LEAST_SHARED * alone):
        return None
    uops, sizes = drop_unused(result.uops), (len(one.uops), len(other.uops))
    if sum(sizes) > MOST_JOINED_SIZE and len(uops) > MOST_MORE * max(sizes):
        return None
    return LoweredKernel(f"{one.name}+{other.name}", uops, buffers, one.grid, one.block)


def key_of(kernel: LoweredKernel, read: ElementAccess) -> object:
    """What is read from where, which sums in different orders may address; None if that is not known."""
    offset, count = read.offset, read.uop.max_numel()  # a vector's elements are read together
    return None if offset is None else (kernel.buffers[read.parameter], count, offset[0], frozenset(offset[1].items()))


def place_of(kernel: LoweredKernel, access: ElementAccess) -> object:
    """Which single element is read or written; None if that is not known."""
    offset = None if access.is_conditional else access.offset
    return None if offset is None else (kernel.buffers[access.parameter], offset[0], frozenset(offset[1].items()))


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
    buffers, joined = join_buffers(reader, writer), join_parameters(reader, writer)
    if joined is None or len(buffers) > MOST_NEST_BUFFERS:
        return None
    if len({read.uop for read in reads}) != 1 or reads[0].is_conditional:
        return None
    (load,) = {read.uop for read in reads}
    offset, written = reads[0].offset, writer.writes[0].offset
    if offset is None or written is None or offset[0] or written[0] or not covers(written, writer.dimensions):
        return None
    loops = reader.ranges
    if not covers(offset, [*reader.dimensions, *reader.counters.values()]) or len(load.src[0].src) < 2:
        return None
    index = load.src[0].src[1]
    if len(parts := nest_parts(reader.uops) or ()) != 2 * len(loops) + 1 or load not in parts[len(loops)]:
        return None
    same = {read.uop.src[0] for read in writer.reads if read.offset == written}  # the element that is written
    there = {read.uop.src[0] for read in reader.reads if read.offset == offset}
    before, inside, known, store = list[UOp](), list[UOp](), dict[UOp, UOp](), load
    for u in writer.uops:
        new = joined[u] if u in joined else u.replace(src=tuple(known.get(s, s) for s in u.src))
        if is_buffer(u):
            if new not in reader.parameters:
                before += [*u.src[0].src, *u.src, new]
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
    known, result = {load: store.src[1]}, NestedUOps()
    for u in reader.uops:
        if u.op is Ops.RANGE:
            result.add(before)
            before = []
        if u is load:
            result.add(inside)
            continue
        new = u.replace(src=tuple(known.get(s, s) for s in u.src))
        new = known[u] = new.replace(src=(new.src[0], index)) if u in there else new
        result.add([new])
    name = f"{writer.name}+{reader.name}"
    return LoweredKernel(name, drop_unused(result.uops), buffers, reader.grid, reader.block, store)


def covers(offset: Linear, variables: Sequence[Variable]) -> bool:
    """Whether an offset runs through each number from 0 on once."""
    size = 1
    for variable, factor in sorted(offset[1].items(), key=lambda each: each[1]):
        if factor != size or isinstance(variable, DimensionPart):
            return False
        size *= variable.length
    return all(variable in offset[1] for variable in variables if variable.length != 1)


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
