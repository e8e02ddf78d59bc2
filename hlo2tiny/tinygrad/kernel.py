"""What is known of a kernel before it is printed in any language, from the UOps that tinygrad's linearizer orders."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import count, pairwise
from math import prod

from tinygrad.dtype import dtypes
from tinygrad.uop.ops import GroupOp, Ops, UOp

# What a call of an elementary function counts for, in operations.
CALLED = 20


@dataclass(frozen=True)
class Loop:
    """A loop: how many turns it has, None where only a run tells, and the number of the loop around it, if any.

    The turns of an independent loop may run in any order and at the same time: none reads or writes what another one
    writes.
    """

    turns: int | None
    outer: int | None
    independent: bool


@dataclass(frozen=True)
class Access:
    """A read or write of some adjacent elements of a buffer, in each turn of the loops around it.

    Args:
        buffer: the number of the kernel's parameter.
        loop: the innermost loop around it.
        constant, factors: the first element's place is the constant plus, for each loop by number, its turn times its
            factor; None where the place is anything else, such as data.
        width: how many elements.
    """

    buffer: int
    loop: int | None
    constant: int
    factors: Mapping[int, int] | None
    width: int = 1


@dataclass(frozen=True)
class Kernel:
    """A kernel as data.

    Args:
        name: what it computes and of which sizes, as tinygrad says it.
        buffers: for each parameter, which of its region's buffers it is: inputs, results, temporaries, counted through.
        loops: in the order in which they begin.
        flops: arithmetic operations of a run, those that compute places left out.
        bytes: what a run reads and writes of buffers, each time counted.
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
        if len(outermost) != 1 or not outermost[0].independent or any(w.loop is None for w in self.writes):
            return None
        return outermost[0].turns

    def turns_of(self, access: Access) -> int:
        """How often an access happens in a run."""
        return prod(self.loops[n].turns or 1 for n in enclosing(self.loops, access.loop))

    def reads_in_turn(self, buffer: int, size: int) -> bool:
        """Whether turn i of the first loop touches of a buffer elements i·size to (i + 1)·size alone."""
        for access in (*self.reads, *self.writes):
            if access.buffer == buffer:
                extent = span(self.loops, access, but=0)
                if extent is None or access.factors is None or access.factors.get(0) != size:
                    return False
                if extent[0] < 0 or extent[1] > size:
                    return False
        return True


def enclosing(loops: Sequence[Loop], number: int | None) -> Iterator[int]:
    """A loop and those around it."""
    while number is not None:
        yield number
        number = loops[number].outer


def span(loops: Sequence[Loop], access: Access, but: int) -> tuple[int, int] | None:
    """The first place of an access and the one behind its last, in one turn of loop `but` and of those around it."""
    if access.factors is None:
        return None
    low = high = access.constant
    fixed = set(enclosing(loops, but))
    for number, factor in access.factors.items():
        turns = loops[number].turns
        if number in fixed:
            continue
        if turns is None:
            return None
        low, high = low + min(0, factor * (turns - 1)), high + max(0, factor * (turns - 1))
    return low, high + access.width


def kernel_of(name: str, uops: Sequence[UOp], buffers: tuple[int, ...]) -> Kernel:
    """The facts of a kernel whose UOps are in order."""
    parameters = {u: i for i, u in enumerate(u for u in uops if u.op is Ops.PARAM)}
    places = places_of(uops)
    addressing = used_for_places(uops)
    loops: list[Loop] = []
    around: list[int] = []
    accesses: list[tuple[UOp, bool, Access]] = []  # of registers too, in order
    calls = Counter[str]()
    flops = moved = 0
    for u in uops:
        turns = prod(loops[n].turns or 1 for n in around)
        if u.op is Ops.RANGE:
            loops.append(Loop(turns_of(u), around[-1] if around else None, False))
            around.append(len(loops) - 1)
        elif u.op is Ops.END:
            around.pop()
        elif u.op in (Ops.LOAD, Ops.STORE):
            buffer = u.src[0].buf_uop
            constant, factors = places.get(place_of(u.src[0]), (0, None))
            width = u.src[0].max_numel()
            loop = around[-1] if around else None
            accesses.append(
                (buffer, u.op is Ops.STORE, Access(parameters.get(buffer, -1), loop, constant, factors, width))
            )
            if buffer in parameters:
                moved += turns * width * u.src[0].dtype.itemsize
        elif u.op is Ops.CUSTOM:
            calls[str(u.arg).partition("(")[0]] += 1
            flops += turns * CALLED
        elif u.op in GroupOp.ALU and u not in addressing:
            flops += turns * u.max_numel()
    loops = [Loop(x.turns, x.outer, is_independent(n, loops, accesses)) for n, x in enumerate(loops)]
    reads, writes = (
        tuple(a for buffer, stored, a in accesses if buffer in parameters and stored == wanted)
        for wanted in (False, True)
    )
    return Kernel(name, buffers, tuple(loops), flops, moved, reads, writes, tuple(sorted(calls)))


def constant_of(u: UOp) -> int | None:
    """The integer that a UOp is, if it is one."""
    if u.op is Ops.CAST and u.src[0].op is Ops.CONST:
        u = u.src[0]
    return int(u.arg) if u.op is Ops.CONST and isinstance(u.arg, int) else None


def turns_of(loop: UOp) -> int | None:
    return None if loop.dtype is dtypes.void else constant_of(loop.src[0])


def place_of(address: UOp) -> UOp | None:
    """The index of an address."""
    while address.op in (Ops.CAST, Ops.BITCAST):
        address = address.src[0]
    return address.src[1] if address.op in (Ops.INDEX, Ops.SHRINK) and len(address.src) > 1 else None


Place = tuple[int, dict[int, int]]


def places_of(uops: Sequence[UOp]) -> dict[UOp | None, tuple[int, dict[int, int] | None]]:
    """Integers that are sums of turns of loops, by their numbers, times constants."""
    found: dict[UOp, Place] = {}
    loops = 0
    for u in uops:
        place: Place | None = None
        if u.op is Ops.RANGE:
            place = 0, {loops: 1}
            loops += 1
        elif u.dtype not in dtypes.ints:
            continue
        elif (constant := constant_of(u)) is not None:
            place = constant, {}
        elif u.op is Ops.CAST:
            place = found.get(u.src[0])
        elif u.op in (Ops.ADD, Ops.SUB, Ops.MUL, Ops.SHL) and all(s in found for s in u.src):
            (a, terms), (b, others) = (found[s] for s in u.src)
            if u.op in (Ops.ADD, Ops.SUB):
                sign = 1 if u.op is Ops.ADD else -1
                numbers = {*terms, *others}
                place = a + sign * b, {n: terms.get(n, 0) + sign * others.get(n, 0) for n in numbers}
            elif not others:
                factor = b if u.op is Ops.MUL else 1 << b
                place = a * factor, {n: f * factor for n, f in terms.items()}
        elif u.op is Ops.NEG and u.src[0] in found:
            a, terms = found[u.src[0]]
            place = -a, {n: -f for n, f in terms.items()}
        if place is not None:
            found[u] = place
    return {u: (constant, {n: f for n, f in terms.items() if f}) for u, (constant, terms) in found.items()}


def used_for_places(uops: Sequence[UOp]) -> set[UOp]:
    """What is computed only to know where memory is read or written."""
    wanted: set[UOp] = set()
    others: set[UOp] = set()
    for u in reversed(uops):
        if u.op in (Ops.INDEX, Ops.SHRINK):
            wanted.update(u.src[1:])
        elif u.op in GroupOp.ALU | {Ops.CAST, Ops.BITCAST} and u in wanted and u not in others:
            wanted.update(u.src)
        else:
            others.update(u.src)
    return wanted - others


def is_independent(number: int, loops: Sequence[Loop], accesses: Sequence[tuple[UOp, bool, Access]]) -> bool:
    """Whether no turn of a loop touches what another one writes, as far as the places show it.

    A register that is written in the loop and used nowhere else is each turn's own, as nothing reads it unwritten.
    """
    if loops[number].turns is None:
        return False
    inside = [number in enclosing(loops, access.loop) for _, _, access in accesses]
    for buffer in {b for (b, stored, _), within in zip(accesses, inside) if stored and within}:
        touched = [a for (b, _, a), within in zip(accesses, inside) if b is buffer and within]
        if buffer.op is Ops.PARAM:
            if not are_apart(number, loops, touched):
                return False
        elif len(touched) < sum(b is buffer for b, _, _ in accesses):
            return False
    return True


def are_apart(number: int, loops: Sequence[Loop], touched: Sequence[Access]) -> bool:
    """Whether the places that a buffer is touched at in one turn of a loop are those of no other turn."""
    spans = [span(loops, access, number) for access in touched]
    if any(extent is None for extent in spans):
        return False
    around = list(enclosing(loops, number))
    factors = [access.factors or {} for access in touched]
    if len({tuple(f.get(n, 0) for n in around) for f in factors}) != 1 or not (step := abs(factors[0].get(number, 0))):
        return False
    if max(e[1] for e in spans if e) - min(e[0] for e in spans if e) <= step:  # each turn has a stretch of its own
        return True
    if any(a.constant != touched[0].constant or f != factors[0] for a, f in zip(touched, factors)):
        return False
    # Places that are the digits of a number: each loop steps over all that those with smaller steps reach.
    reach = max(access.width for access in touched)
    outside = set(around) - {number}
    for step, n in sorted((abs(f), n) for n, f in factors[0].items() if n not in outside):
        if step < reach:
            return False
        reach += step * ((loops[n].turns or 1) - 1)
    return True


# ---------------------------------------------------------------- edges

# A loop with more edges is left as it is, and so is a kernel that would have more UOps than this.
MOST_EDGES = 3
MOST_SPLIT = 3_000


def split_at_edges(uops: Sequence[UOp], keep_outer: bool = False) -> tuple[list[UOp], dict[UOp, int]]:
    """A kernel with its loops split where a comparison of their variable with a constant changes.

    Padding, concatenations and rolls are such comparisons; within a part they are known, and its loop is a plain one.

    Args:
        uops: the kernel's, in order.
        keep_outer: leave the outermost loops as they are.

    Returns:
        The UOps, and where the loops begin that are not the first parts: a range of theirs is the end.
    """
    begins: list[int] = []
    ends: dict[int, int] = {}
    nested: set[int] = set()  # loops that hold others
    for i, u in enumerate(uops):
        if u.op is Ops.RANGE:
            nested.update(begins[-1:])
            begins.append(i)
        elif u.op is Ops.END:
            ends[begins.pop()] = i
    edges = {i: inside for i in ends if (inside := edges_of(uops[i], uops[i : ends[i]]))}
    if keep_outer:
        end = -1
        for i in sorted(ends):
            if i > end:
                edges.pop(i, None)
                end = ends[i]

    def size(chosen: Mapping[int, Sequence[int]]) -> int:
        times = [1]
        total = 0
        for i, u in enumerate(uops):
            if u.op is Ops.RANGE:
                times.append(times[-1] * (len(chosen.get(i, ())) + 1))
            total += times[-1]
            if u.op is Ops.END:
                times.pop()
        return total

    if size(edges) > MOST_SPLIT:
        edges = {i: inside for i, inside in edges.items() if i not in nested}
        if size(edges) > MOST_SPLIT:
            edges = {}
    result: list[UOp] = []
    starts: dict[UOp, int] = {}
    numbers = count(1)

    def copy(begin: int, end: int, known: dict[UOp, UOp], number: int) -> None:
        i = begin
        while i < end:
            u = uops[i]
            if i not in edges:
                if u not in known:
                    known[u] = u.replace(src=tuple(known.get(s, s) for s in u.src), tag=number or u.tag)
                result.append(known[u])
                i += 1
                continue
            turns = turns_of(u)
            assert turns is not None
            for low, high in pairwise([0, *edges[i], turns]):
                part = next(numbers)
                limit = UOp.cconst(high, u.src[0].dtype)
                turn = u.replace(src=(limit, *(known.get(s, s) for s in u.src[1:])), tag=part)
                inner = known | {u: turn}
                for x in uops[i : ends[i]]:
                    if (edge := comparison(x, u)) is not None:
                        holds = low >= edge[1] if edge[0] else low < edge[1]
                        inner[x] = UOp.cconst(holds if x.op is Ops.CMPLT else low != edge[1], dtypes.bool)
                starts[turn] = low
                result.extend((limit, turn))
                copy(i + 1, ends[i] + 1, inner, part)
                known[uops[ends[i]]] = inner[uops[ends[i]]]
            i = ends[i] + 1

    copy(0, len(uops), {}, 0)
    return result, starts


def comparison(u: UOp, loop: UOp) -> tuple[bool, int] | None:
    """Of a comparison of a loop's variable with a constant: whether the variable has to be large, and the edge."""
    if u.op not in (Ops.CMPLT, Ops.CMPNE):
        return None
    left, right = u.src
    if left is loop and (constant := constant_of(right)) is not None:
        return False, constant
    if right is loop and u.op is Ops.CMPLT and (constant := constant_of(left)) is not None:
        return True, constant + 1
    return None


def edges_of(loop: UOp, body: Sequence[UOp]) -> list[int]:
    """Where the comparisons of a loop's variable change, within its turns; none where they are too many."""
    turns = turns_of(loop)
    if turns is None:
        return []
    edges: set[int] = set()
    for u in body:
        if (edge := comparison(u, loop)) is not None:
            edges |= {edge[1]} if u.op is Ops.CMPLT else {edge[1], edge[1] + 1}
    inside = sorted(edge for edge in edges if 0 < edge < turns)
    return inside if len(inside) <= MOST_EDGES else []
