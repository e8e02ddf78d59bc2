"""What is known of a kernel before it is printed in any language, from the UOps that tinygrad's linearizer orders."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import count, pairwise
from math import prod
from typing import NamedTuple

from tinygrad.dtype import dtypes
from tinygrad.uop.ops import GroupOp, Ops, UOp

# What a call of an elementary function counts for, in operations.
CALLED = 20
# The place of an element: a constant, and what each loop's turn is multiplied by; None where it is anything else.
Place = tuple[int, ...]


class Loop(NamedTuple):
    """A loop: how many turns it has, None where only a run tells, and the number of the loop around it, if any.

    The turns of an independent loop may run in any order and at the same time: none touches what another one writes.
    """

    turns: int | None
    outer: int | None
    independent: bool = False


class Access(NamedTuple):
    """A read or write of `width` adjacent elements of a parameter, by its number, in each turn of a loop."""

    buffer: int
    loop: int | None
    place: Place | None
    width: int


@dataclass(frozen=True)
class Kernel:
    """A kernel as data.

    Args:
        name: what it computes and of which sizes, as tinygrad says it.
        buffers: for each parameter, which of its region's buffers it is: inputs, results, temporaries, counted through.
        loops: in the order in which they begin.
        flops: arithmetic operations of a run, without those that compute places.
        bytes: what a run reads and writes, each time counted.
        reads, writes: of buffers, not of registers.
        calls: the functions that it calls.
    """

    name: str
    buffers: tuple[int, ...]
    loops: tuple[Loop, ...]
    flops: int
    bytes: int
    reads: tuple[Access, ...]
    writes: tuple[Access, ...]
    calls: tuple[str, ...]

    @property
    def parallel(self) -> int | None:
        """The turns of the loop around all that the kernel writes, if they are independent; else None."""
        outermost = [loop for loop in self.loops if loop.outer is None]
        alone = len(outermost) == 1 and all(write.loop is not None for write in self.writes)
        return outermost[0].turns if alone and outermost[0].independent else None

    @cached_property
    def work(self) -> int:
        """What a run does: operations, and numbers read and written."""
        return self.flops + sum(turns_around(self.loops, access.loop) for access in (*self.reads, *self.writes))

    def stays_in_turn(self, buffer: int, size: int) -> bool:
        """Whether turn i of the first loop touches of a buffer elements i·size to (i + 1)·size alone."""
        for access in (*self.reads, *self.writes):
            if access.buffer == buffer:
                extent = span(0, self.loops, access)
                if access.place is None or extent is None or access.place[1] != size:
                    return False
                if extent[0] < 0 or extent[1] > size:
                    return False
        return True


def enclosing(loops: Sequence[Loop], number: int | None) -> Iterator[int]:
    """A loop and those around it."""
    while number is not None:
        yield number
        number = loops[number].outer


def turns_around(loops: Sequence[Loop], number: int | None) -> int:
    """How often a run comes to what is in a loop."""
    return prod(loops[n].turns or 1 for n in enclosing(loops, number))


def span(number: int, loops: Sequence[Loop], access: Access) -> tuple[int, int] | None:
    """The first place of an access and the one behind its last, in turn 0 of a loop and of those around it."""
    if access.place is None:
        return None
    low = high = access.place[0]
    fixed = set(enclosing(loops, number))
    for n, (loop, factor) in enumerate(zip(loops, access.place[1:])):
        if factor and n not in fixed:
            if loop.turns is None:
                return None
            last = factor * (loop.turns - 1)
            low, high = low + min(0, last), high + max(0, last)
    return low, high + access.width


def kernel_of(name: str, uops: Sequence[UOp], buffers: tuple[int, ...]) -> Kernel:
    """The facts of a kernel whose UOps are in order."""
    parameters = {u: i for i, u in enumerate(u for u in uops if u.op is Ops.PARAM)}
    places = places_of(uops)
    loops: list[Loop] = []
    inner, turns = None, 1
    accesses: list[tuple[UOp, bool, Access]] = []  # what is touched, registers too, and whether it is written
    calls = []
    flops = moved = 0
    for u in uops:
        if u.op in (Ops.RANGE, Ops.END):
            if u.op is Ops.RANGE:
                loops.append(Loop(turns_of(u), inner))
            inner = len(loops) - 1 if u.op is Ops.RANGE else loops[inner or 0].outer
            turns = turns_around(loops, inner)
        elif u.op in (Ops.LOAD, Ops.STORE):
            address, buffer, width = u.src[0], u.src[0].buf_uop, u.src[0].max_numel()
            place = next(
                (places.get(s.src[1]) for s in through_casts(address) if s.op in (Ops.INDEX, Ops.SHRINK)), None
            )
            accesses.append((buffer, u.op is Ops.STORE, Access(parameters.get(buffer, -1), inner, place, width)))
            moved += turns * width * address.dtype.itemsize * (buffer in parameters)
        elif u.op is Ops.CUSTOM:
            calls.append(str(u.arg).partition("(")[0])
            flops += turns * CALLED
        elif u.op in GroupOp.ALU and u not in places:
            flops += turns * u.max_numel()
    loops = [loop._replace(independent=is_independent(n, loops, accesses)) for n, loop in enumerate(loops)]
    reads, writes = (
        tuple(access for buffer, written, access in accesses if buffer in parameters and written == wanted)
        for wanted in (False, True)
    )
    return Kernel(name, buffers, tuple(loops), flops, moved, reads, writes, tuple(calls))


def through_casts(address: UOp) -> Iterator[UOp]:
    yield address
    while address.op in (Ops.CAST, Ops.BITCAST):
        yield (address := address.src[0])


def constant_of(u: UOp) -> int | None:
    """The integer that a UOp is, if it is one."""
    constant = u.src[0] if u.op is Ops.CAST else u
    return int(constant.arg) if constant.op is Ops.CONST and isinstance(constant.arg, int) else None


def turns_of(loop: UOp) -> int | None:
    return None if loop.dtype is dtypes.void else constant_of(loop.src[0])


def places_of(uops: Sequence[UOp]) -> dict[UOp, Place]:
    """The integers that are sums of constants and of turns of loops times constants."""
    ranges = [u for u in uops if u.op is Ops.RANGE]
    places = {u: tuple(int(n == i) for n in range(-1, len(ranges))) for i, u in enumerate(ranges)}
    for u in uops:
        if u.dtype not in dtypes.ints or u in places:
            continue
        if (constant := constant_of(u)) is not None:
            places[u] = (constant, *(0 for _ in ranges))
        elif u.op in (Ops.CAST, Ops.NEG, Ops.ADD, Ops.SUB, Ops.MUL, Ops.SHL) and all(s in places for s in u.src):
            a, b = places[u.src[0]], places[u.src[-1]]
            if u.op is Ops.ADD:
                places[u] = tuple(x + y for x, y in zip(a, b))
            elif u.op is Ops.SUB:
                places[u] = tuple(x - y for x, y in zip(a, b))
            elif u.op in (Ops.CAST, Ops.NEG) or not any(b[1:]):
                factor = {Ops.CAST: 1, Ops.NEG: -1, Ops.MUL: b[0]}.get(u.op)
                places[u] = tuple(x * (1 << b[0] if factor is None else factor) for x in a)
    return places


def is_independent(number: int, loops: Sequence[Loop], accesses: Sequence[tuple[UOp, bool, Access]]) -> bool:
    """Whether no turn of a loop touches what another one writes, as far as the places show it.

    A register that is written in the loop and used nowhere else is each turn's own, as nothing reads it unwritten.
    """
    inside = [each for each in accesses if number in enclosing(loops, each[2].loop)]
    for buffer in {buffer for buffer, written, _ in inside if written}:
        touched = [access for b, _, access in inside if b is buffer]
        if buffer.op is Ops.PARAM:
            if not are_apart(number, loops, touched):
                return False
        elif len(touched) < sum(b is buffer for b, _, _ in accesses):
            return False
    return loops[number].turns is not None


def are_apart(number: int, loops: Sequence[Loop], touched: Sequence[Access]) -> bool:
    """Whether the places of a buffer that are touched in one turn of a loop are those of no other turn."""
    around = set(enclosing(loops, number))
    spans = [extent for access in touched if (extent := span(number, loops, access))]
    places = [access.place for access in touched if access.place]
    step = abs(places[0][number + 1]) if places else 0
    fixed = {tuple(place[n + 1] for n in around) for place in places}
    if len(spans) < len(touched) or len(fixed) > 1 or not step:
        return False
    if max(end for _, end in spans) - min(begin for begin, _ in spans) <= step:  # each turn has a stretch of its own
        return True
    # Places that are the digits of a number: each loop steps over all that those of smaller steps reach.
    reach = max(access.width for access in touched)
    for factor, n in sorted((abs(factor), n) for n, factor in enumerate(places[0][1:])):
        if factor and n not in around - {number}:
            if factor < reach:
                return False
            reach += factor * ((loops[n].turns or 1) - 1)
    return len(set(places)) == 1


# ---------------------------------------------------------------- edges

# A loop with more edges is left as it is, and so is a kernel that would have more UOps than this.
MOST_EDGES = 3
MOST_SPLIT = 3_000
COMPUTING = {*GroupOp.ALU, Ops.BITCAST, Ops.CAST, Ops.INDEX, Ops.LOAD, Ops.SHRINK, Ops.STACK}


def split_at_edges(uops: Sequence[UOp], keep_outer: bool = False) -> tuple[list[UOp], dict[UOp, int]]:
    """A kernel with its loops split where a comparison of their variable with a constant changes.

    Padding, concatenations and rolls are such comparisons; within a part they are known, and its loop is a plain one.

    Args:
        uops: the kernel's, in order.
        keep_outer: leave the outermost loops as they are.

    Returns:
        The UOps, and where the loops of parts begin; their ranges are the ends.
    """
    ends: dict[int, int] = {}
    edges: dict[int, list[int]] = {}
    innermost: set[int] = set()
    open_loops: list[int] = []
    for i, u in enumerate(uops):
        if u.op is Ops.RANGE:
            innermost -= set(open_loops)
            innermost.add(i)
            open_loops.append(i)
        elif u.op is Ops.END:
            begin = open_loops.pop()
            ends[begin] = i
            if (open_loops or not keep_outer) and (inside := edges_of(uops[begin], uops[begin:i])):
                edges[begin] = inside
    if size_of(uops, edges) > MOST_SPLIT:
        edges = {i: inside for i, inside in edges.items() if i in innermost}
    if not edges or size_of(uops, edges) > MOST_SPLIT:
        return list(uops), {}
    result: list[UOp] = []
    begins: dict[UOp, int] = {}
    tags = count(1)
    scopes: list[set[UOp]] = [set()]  # what the open loops compute, the outermost first

    def append(u: UOp) -> None:
        if u.op in COMPUTING and any(u in scope for scope in scopes):
            return
        if u.op is Ops.END:
            scopes.pop()
        result.append(u)
        scopes[-1].add(u)
        if u.op is Ops.RANGE:
            scopes.append(set())

    def copy(i: int, end: int, known: dict[UOp, UOp], tag: int | None) -> None:
        while i < end:
            u = uops[i]
            if i not in edges:
                if u not in known:
                    known[u] = folded(u.replace(src=tuple(known.get(s, s) for s in u.src), tag=tag))
                append(known[u])
                i += 1
                continue
            body = uops[i + 1 : ends[i]]
            for begin, stop in pairwise([0, *edges[i], turns_of(u) or 0]):
                part = next(tags)  # so that no part shares a UOp with another one
                limit = UOp.cconst(stop, u.src[0].dtype)
                loop = u.replace(src=(limit, *(known.get(s, s) for s in u.src[1:])), tag=part)
                decided = {x: UOp.cconst(holds(x, u, begin), dtypes.bool) for x in body if edge_of(x, u) is not None}
                inner = {**known, u: loop, **decided}
                begins[loop] = begin
                append(limit)
                append(loop)
                copy(i + 1, ends[i] + 1, inner, part)
                known[uops[ends[i]]] = inner[uops[ends[i]]]
            i = ends[i] + 1

    copy(0, len(uops), {}, None)
    return used(result), begins


def folded(u: UOp) -> UOp:
    """What a UOp is when truth values that it takes are known."""
    if u.op in (Ops.AND, Ops.OR) and u.dtype is dtypes.bool:
        for x, other in (u.src, u.src[::-1]):
            if (truth := truth_of(x)) is not None:
                return other if truth is (u.op is Ops.AND) else x
    elif u.op is Ops.WHERE and (truth := truth_of(u.src[0])) is not None:
        return u.src[1 if truth else 2]
    elif u.op is Ops.LOAD and len(u.src) == 3 and (truth := truth_of(u.src[2])) is not None:
        return u.replace(src=u.src[:1]) if truth else u.src[1]
    elif u.op is Ops.INDEX and u.src[0].op is Ops.STACK and (number := constant_of(u.src[1])) is not None:
        return u.src[0].src[number]  # an element of a vector that stood for a load
    return u


def truth_of(u: UOp) -> bool | None:
    return bool(constant_of(u)) if u.dtype is dtypes.bool and constant_of(u) is not None else None


def used(uops: Sequence[UOp]) -> list[UOp]:
    """UOps without those that only compute what nothing reads."""
    needed: set[UOp] = set()
    kept = []
    for u in reversed(uops):
        if u in needed or u.op not in COMPUTING:
            needed.update(u.src)
            kept.append(u)
    return kept[::-1]


def size_of(uops: Sequence[UOp], edges: Mapping[int, Sequence[int]]) -> int:
    """How many UOps a kernel has when loops are split."""
    total, copies = 0, [1]
    for i, u in enumerate(uops):
        if u.op is Ops.RANGE:
            copies.append(copies[-1] * (len(edges.get(i, ())) + 1))
        total += copies[-1]
        if u.op is Ops.END:
            copies.pop()
    return total


def edge_of(u: UOp, loop: UOp) -> int | None:
    """The constant that a loop's variable is compared with, if a UOp compares it with one."""
    if u.op not in (Ops.CMPLT, Ops.CMPNE) or loop not in u.src:
        return None
    return constant_of(u.src[1 if u.src[0] is loop else 0])


def holds(u: UOp, loop: UOp, turn: int) -> bool:
    left, right = (turn if s is loop else constant_of(s) or 0 for s in u.src)
    return left < right if u.op is Ops.CMPLT else left != right


def edges_of(loop: UOp, body: Sequence[UOp]) -> list[int]:
    """The turns in which a comparison gives something else than in the turn before; none where they are too many."""
    near = {(u, edge + after) for u in body if (edge := edge_of(u, loop)) is not None for after in (0, 1)}
    turns = turns_of(loop) or 0
    edges = {at for u, at in near if 0 < at < turns and holds(u, loop, at) != holds(u, loop, at - 1)}
    return sorted(edges) if len(edges) <= MOST_EDGES else []
