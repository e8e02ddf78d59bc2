"""Kernels as data, before they are printed in any language, from UOps in the order of tinygrad's linearizer."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from itertools import accumulate, count, pairwise
from math import prod
from typing import NamedTuple

from tinygrad.dtype import AddrSpace, dtypes
from tinygrad.uop.ops import AxisType, GroupOp, Ops, UOp

from ..ir.sizes import is_open, typical
from ..records import dataclass
from .rewriting import is_fence
from .sizes import as_size

# How many operations a call of an elementary function counts as.
CALLED = 20
# Functions that take a few instructions, which are no calls.
CONVERSIONS = {
    "round_to_bf16",
    "round_to_f16",
    "widen_f16",
    "round_to_signed_f16",
    "widen_signed_f16",
    "through_bf16",
    "through_f16",
}
# The number of a loop that its rule declares independent is at least this.
INDEPENDENT = 1 << 16
# An index that is linear in the iterations of loops: a constant, then for each loop the factor of its iteration.
LinearOffset = tuple[int, ...]


class KernelLoop(NamedTuple):
    """A loop: its trip count, None if that is known only at run time, and the number of the loop around it, if any.

    The iterations of an independent loop may run in any order and at the same time: none accesses what another writes.
    `size` is the trip count in C if it depends on open sizes only, and `usual` what choices take it for.
    """

    iterations: int | None
    outer: int | None
    independent: bool = False
    size: str = ""
    usual: int = 1


class Access(NamedTuple):
    """A read or write of an element in each iteration of a loop.

    `buffer` and `loop` are numbers: of a parameter, -1 for a register, and of a loop, None outside all loops. `offset`
    is None if it is not linear in the loops' iterations.
    """

    buffer: int
    loop: int | None
    offset: LinearOffset | None


@dataclass(frozen=True)
class Kernel:
    """A kernel as data.

    Args:
        name: tinygrad's name, which says what is computed and in which sizes.
        buffers: for each parameter, the number of its buffer among the region's inputs, results and temporaries.
        loops: in the order in which they begin.
        flops: the number of arithmetic operations in a run, without those that compute indices.
        bytes: the number of bytes that a run reads and writes; repeated accesses count each time.
        reads, writes: the accesses of buffers, without those of registers.
        calls: the names of the functions that it calls.
    """

    name: str
    buffers: tuple[int, ...]
    loops: tuple[KernelLoop, ...]
    flops: int
    bytes: int
    reads: tuple[Access, ...]
    writes: tuple[Access, ...]
    calls: tuple[str, ...]

    @property
    def parallel(self) -> int | None:
        """The trip count of the one outermost loop if all writes are inside it and it is independent, else None."""
        return None if (loop := self.parallel_loop) is None else loop.iterations

    @property
    def parallel_loop(self) -> KernelLoop | None:
        """The one outermost loop if all writes are inside it and it is independent, else None."""
        return next(iter(self.parallel_loops), None)

    @property
    def parallel_loops(self) -> list[KernelLoop]:
        """The same loop, then those that are each alone in the last one, as long as all of this is so of them too."""
        found, around = list[KernelLoop](), None
        while not any(write.loop == around for write in self.writes):
            inside = [n for n, loop in enumerate(self.loops) if loop.outer == around]
            if len(inside) != 1 or not self.loops[inside[0]].independent:
                break
            (around,) = inside
            found.append(self.loops[around])
        return found

    @property
    def updates(self) -> bool:
        """Whether it reads a buffer that it writes."""
        return not {access.buffer for access in self.reads}.isdisjoint(access.buffer for access in self.writes)

    @cached_property
    def work(self) -> int:
        """The work of a run: the number of operations, plus the number of reads and writes."""
        return self.flops + sum(iterations_around(self.loops, access.loop) for access in (*self.reads, *self.writes))

    def own_elements(self, buffer: int, loops: int = 1) -> int:
        """How many elements of a buffer each iteration of the first loops together has for itself.

        Iteration i accesses only the elements i·size to (i + 1)·size; 0 if others access these, too.
        """
        accesses = [access for access in (*self.reads, *self.writes) if access.buffer == buffer]
        size = next((access.offset[loops] for access in accesses if access.offset), 0)
        counts = [loop.iterations or loop.usual for loop in self.loops[:loops]]
        steps = tuple(size * prod(counts[n + 1 :]) for n in range(loops))
        for access in accesses:
            extent = span(loops - 1, self.loops, access)
            if access.offset is None or extent is None or access.offset[1 : loops + 1] != steps:
                return 0
            if extent[0] < 0 or extent[1] > size:
                return 0
        return size


def enclosing(loops: Sequence[KernelLoop], number: int | None) -> Iterator[int]:
    """The number of a loop, then of those around it, from the inside out."""
    while number is not None:
        yield number
        number = loops[number].outer


def iterations_around(loops: Sequence[KernelLoop], number: int | None) -> int:
    """How often a run executes the body of a loop."""
    return prod(loops[n].iterations or loops[n].usual for n in enclosing(loops, number))


def span(number: int, loops: Sequence[KernelLoop], access: Access) -> tuple[int, int] | None:
    """The first offset of an access and the one after its last, in iteration 0 of a loop and of those around it."""
    if access.offset is None:
        return None
    low = high = access.offset[0]
    fixed = set(enclosing(loops, number))
    for n, (loop, factor) in enumerate(zip(loops, access.offset[1:])):
        if factor and n not in fixed:
            if loop.iterations is None:
                return None
            last = factor * (loop.iterations - 1)
            low, high = low + min(0, last), high + max(0, last)
    return low, high + 1


def kernel_of(name: str, uops: Sequence[UOp], buffers: tuple[int, ...]) -> Kernel:
    """The facts of a kernel, from its UOps in order."""
    parameters = {u: i for i, u in enumerate(u for u in uops if is_buffer(u))}
    offsets = offsets_of(uops)
    loops: list[KernelLoop] = []
    inner, iterations = None, 1
    accesses: list[tuple[UOp, bool, Access]] = []  # the buffer or register, and whether it is written
    calls = []
    flops = moved = 0
    for u in uops:
        if u.op in (Ops.RANGE, Ops.END):
            if u.op is Ops.RANGE:
                loops.append(KernelLoop(trip_count_of(u), inner, False, *open_trip_count(u)))
            inner = len(loops) - 1 if u.op is Ops.RANGE else loops[inner or 0].outer
            iterations = iterations_around(loops, inner)
        elif u.op in (Ops.LOAD, Ops.STORE):
            address, buffer = u.src[0], u.src[0].buf_uop
            index = uncast(address)
            offset = offsets.get(index.src[1]) if index.op in (Ops.INDEX, Ops.SHRINK) else None
            accesses.append((buffer, u.op is Ops.STORE, Access(parameters.get(buffer, -1), inner, offset)))
            value = u if u.op is Ops.LOAD else u.src[1]
            moved += iterations * address.dtype.itemsize * value.max_numel() * (buffer in parameters)
        elif u.op is Ops.CUSTOM:
            called = str(u.arg).partition("(")[0]
            calls += [] if called in CONVERSIONS else [called]
            flops += iterations * (1 if called in CONVERSIONS else CALLED)
            for buffer in (s.buf_uop for s in u.src if s.op is Ops.INDEX):  # it gets an address, and may access all
                accesses.append((buffer, False, Access(parameters.get(buffer, -1), inner, None)))
                flops += buffer.max_numel()
                moved += buffer.max_numel() * buffer.dtype.itemsize
        elif (u.op in GroupOp.ALU or is_fence(u)) and u not in offsets:  # limits count `exact` as an operation
            flops += iterations * u.max_numel()
    vouched = [bool(u.arg[0] >= INDEPENDENT) for u in uops if u.op is Ops.RANGE]  # by the rule that wrote the loop
    loops = [
        loop._replace(independent=vouched[n] or is_independent(n, loops, accesses)) for n, loop in enumerate(loops)
    ]
    reads, writes = (
        tuple(access for buffer, is_write, access in accesses if buffer in parameters and is_write == writing)
        for writing in (False, True)
    )
    return Kernel(name, buffers, tuple(loops), flops, moved, reads, writes, tuple(calls))


def uncast(u: UOp) -> UOp:
    while u.op in (Ops.CAST, Ops.BITCAST):
        u = u.src[0]
    return u


def constant_of(u: UOp) -> int | None:
    """The integer that a UOp is, None if it is not a constant one."""
    constant = u.src[0] if u.op is Ops.CAST else u
    return int(constant.arg) if constant.op is Ops.CONST and isinstance(constant.arg, int) else None


def trip_count_of(loop: UOp) -> int | None:
    return None if loop.dtype is dtypes.void else constant_of(loop.src[0])


def open_trip_count(loop: UOp) -> tuple[str, int]:
    """The trip count in C and the usual one if it depends on open sizes, else "" and 1."""
    size = None if loop.dtype is dtypes.void else as_size(loop.src[0])
    return (str(size), typical(size)) if is_open(size) else ("", 1)


def is_buffer(u: UOp) -> bool:
    """Whether a UOp is a kernel's parameter for a buffer, not for a size."""
    return u.op is Ops.PARAM and u.addrspace is not AddrSpace.ALU


def loop_lengths(uops: Sequence[UOp]) -> dict[UOp, int]:
    """How many UOps each loop has in one iteration; those of a loop inside count once."""
    lengths: dict[UOp, int] = {}
    open_loops: list[tuple[UOp, int]] = []
    for i, u in enumerate(uops):
        if u.op is Ops.RANGE:
            open_loops.append((u, i))
        elif u.op is Ops.END:
            loop, begin = open_loops.pop()
            lengths[loop] = i - begin
    return lengths


def offsets_of(uops: Sequence[UOp]) -> dict[UOp, LinearOffset]:
    """The integers that are linear in the iterations of loops, in the form of indices."""
    ranges = [u for u in uops if u.op is Ops.RANGE]
    offsets = {u: tuple(int(n == i) for n in range(-1, len(ranges))) for i, u in enumerate(ranges)}
    for u in uops:
        if u.dtype not in dtypes.ints or u in offsets:
            continue
        if (constant := constant_of(u)) is not None:
            offsets[u] = (constant, *(0 for _ in ranges))
        elif u.op in (Ops.CAST, Ops.NEG, Ops.ADD, Ops.SUB, Ops.MUL, Ops.SHL) and all(s in offsets for s in u.src):
            a, b = offsets[u.src[0]], offsets[u.src[-1]]
            if u.op is Ops.ADD:
                offsets[u] = tuple(x + y for x, y in zip(a, b))
            elif u.op is Ops.SUB:
                offsets[u] = tuple(x - y for x, y in zip(a, b))
            elif u.op in (Ops.CAST, Ops.NEG) or not any(b[1:]):
                factor = {Ops.CAST: 1, Ops.NEG: -1, Ops.MUL: b[0]}.get(u.op)
                offsets[u] = tuple(x * (1 << b[0] if factor is None else factor) for x in a)
    return offsets


def is_independent(number: int, loops: Sequence[KernelLoop], accesses: Sequence[tuple[UOp, bool, Access]]) -> bool:
    """Whether the indices prove that no iteration of a loop accesses what another iteration writes.

    A register that is written in the loop and used nowhere else is private to each iteration, as every iteration writes
    it before it reads it.
    """
    inside = [entry for entry in accesses if number in enclosing(loops, entry[2].loop)]
    for buffer in {buffer for buffer, is_write, _ in inside if is_write}:
        same_buffer = [access for b, _, access in inside if b is buffer]
        if buffer.op is Ops.PARAM:
            if not are_apart(number, loops, same_buffer):
                return False
        elif len(same_buffer) < sum(b is buffer for b, _, _ in accesses):
            return False
    return loops[number].iterations is not None or bool(loops[number].size)


def are_apart(number: int, loops: Sequence[KernelLoop], accesses: Sequence[Access]) -> bool:
    """Whether no two iterations of a loop access the same element, given all accesses of one buffer in the loop."""
    around = set(enclosing(loops, number))
    spans = [extent for access in accesses if (extent := span(number, loops, access))]
    offsets = [access.offset for access in accesses if access.offset]
    step = abs(offsets[0][number + 1]) if offsets else 0
    fixed = {tuple(offset[n + 1] for n in around) for offset in offsets}
    if len(spans) < len(accesses) or len(fixed) > 1 or not step:
        return False
    if max(end for _, end in spans) - min(begin for begin, _ in spans) <= step:  # each iteration has a range of its own
        return True
    # Iterations as digits of a number: the step of each loop is larger than what the loops of smaller steps reach
    # together. Accesses that are farther apart than all iterations reach, as of two rows, have nothing in common.
    digits = sorted((abs(by), n) for n, by in enumerate(offsets[0][1:]) if by and n not in around - {number})
    far = 1 + sum(by * ((loops[n].iterations or 1) - 1) for by, n in digits)
    begins = sorted(offset[0] for offset in offsets)
    cuts = [0, *(i for i, (a, b) in enumerate(pairwise(begins), 1) if b - a >= far), len(begins)]
    reach = max(begins[end - 1] - begins[first] for first, end in pairwise(cuts)) + 1
    for factor, n in digits:
        if factor < reach:
            return False
        reach += factor * ((loops[n].iterations or 1) - 1)
    return len({offset[1:] for offset in offsets}) == 1


# ---------------------------------------------------------------- edges

# The quotients and remainders of an integer that is not negative.
PARTS: Mapping[Ops, Callable[[int], tuple[str, int]]] = {
    **dict.fromkeys((Ops.CDIV, Ops.FLOORDIV), lambda n: ("quotient", n)),
    **dict.fromkeys((Ops.CMOD, Ops.FLOORMOD), lambda n: ("remainder", n)),
    Ops.SHR: lambda n: ("quotient", 1 << n),
    Ops.AND: lambda n: ("remainder", n + 1 if n & (n + 1) == 0 else 0),
}

# A loop with more edges than this is split only around its longest part, or, if it joins arrays, around so many parts
# that have nearly all of its iterations. A kernel that would then have more UOps than this is not split, nor one that
# has so many times more of them in several long parts, which are little each where each part computes another array.
MAX_EDGES = 3
# Where a quotient changes is an edge if its divisor is at least this.
LEAST_DIVISOR = 64
MAX_LONG_PARTS, NEARLY_ALL = 12, 15 / 16
MAX_SPLIT_SIZE, MAX_GROWTH = 3_000, 3
COMPUTING = {*GroupOp.ALU, Ops.BITCAST, Ops.CAST, Ops.INDEX, Ops.LOAD, Ops.SHRINK, Ops.STACK}


class NestedUOps:
    """The UOps of loops inside each other, in order; it contains the values of those that are open."""

    def __init__(self, uops: Iterable[UOp] = ()) -> None:
        self.uops: list[UOp] = []
        self._scopes: list[set[UOp]] = [set()]  # of the open loops, the outermost first
        self.add(uops)

    def __contains__(self, u: UOp) -> bool:
        return any(u in scope for scope in self._scopes)

    def append(self, u: UOp) -> None:
        if u.op is Ops.END:
            self._scopes.pop()
        self.uops.append(u)
        self._scopes[-1].add(u)
        if u.op is Ops.RANGE:
            self._scopes.append(set())

    def add(self, uops: Iterable[UOp]) -> None:
        """Append those whose values it does not contain."""
        for u in uops:
            if u not in self:
                self.append(u)


def split_at_edges(uops: Sequence[UOp]) -> tuple[list[UOp], dict[UOp, int]]:
    """Split the loops of a kernel where the result of comparing their variable with a constant, or a quotient, changes.

    Padding, concatenations and rolls become such comparisons, and a slice of one after another such quotients. In each
    part they are constants, or in the longest one if there would be many.

    Args:
        uops: the kernel's UOps, in order.

    Returns:
        The new UOps, and the first iteration of each partial loop; its range gives the iteration after the last.
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
            if inside := edges_of(uops[begin], uops[begin:i]):
                edges[begin] = inside
    alone = {i: inside for i, inside in edges.items() if i in innermost}
    for chosen in (edges, alone):
        few = {i: inside for i, inside in chosen.items() if len(inside) <= MAX_EDGES}
        if len(few) < len(chosen) and size_of(uops, chosen) <= MAX_SPLIT_SIZE:
            split, begins = split_loops(uops, chosen, ends)
            if len(split) <= MAX_GROWTH * len(uops):
                return split, begins
        if few and size_of(uops, few) <= MAX_SPLIT_SIZE:
            return split_loops(uops, few, ends)
    return list(uops), {}


def split_loops(
    uops: Sequence[UOp], edges: Mapping[int, Sequence[int]], ends: Mapping[int, int]
) -> tuple[list[UOp], dict[UOp, int]]:
    """The UOps of a kernel whose loops are split at their edges, given where each loop ends."""
    result = NestedUOps()
    begins: dict[UOp, int] = {}
    tags = count(1)

    def append(u: UOp) -> None:
        if u.dtype is dtypes.void or u not in result:
            result.append(u)

    def copy(i: int, end: int, known: dict[UOp, UOp], tag: int | None) -> None:
        while i < end:
            u = uops[i]
            if i not in edges:
                if u not in known:
                    known[u] = fold_condition(u.replace(src=tuple(known.get(s, s) for s in u.src), tag=tag))
                append(known[u])
                i += 1
                continue
            body = uops[i + 1 : ends[i]]
            for begin, stop in pairwise([0, *edges[i], trip_count_of(u) or 0]):
                part = next(tags)  # a tag, so that no two parts share a UOp
                limit = UOp.cconst(stop, u.src[0].dtype)
                loop = u.replace(src=(limit, *(known.get(s, s) for s in u.src[1:])), tag=part)
                decided = {
                    x: UOp.cconst(truth, dtypes.bool) for x in body if (truth := decide(x, u, begin, stop)) is not None
                }
                decided |= {x: v for x in body if (v := value_of_part(x, u, loop, begin, stop)) is not None}
                inner = {**known, u: loop, **decided}
                inner.pop(uops[ends[i]], None)  # each part has an end of its own
                begins[loop] = begin
                append(limit)
                append(loop)
                for constant in (s for v in decided.values() if v.op is Ops.ADD for s in v.src[1:]):
                    append(constant)
                copy(i + 1, ends[i] + 1, inner, part)
                known[uops[ends[i]]] = inner[uops[ends[i]]]
            i = ends[i] + 1

    copy(0, len(uops), {}, None)
    return drop_unused(result.uops), begins


def fold_condition(u: UOp) -> UOp:
    """What a UOp becomes when boolean operands are known."""
    if u.op in (Ops.AND, Ops.OR) and u.dtype is dtypes.bool:
        for x, other in (u.src, u.src[::-1]):
            if (truth := truth_of(x)) is not None:
                return other if truth is (u.op is Ops.AND) else x
    elif u.op in (Ops.CMPLT, Ops.CMPNE):
        left, right = map(constant_of, u.src)
        if left is not None and right is not None:
            return UOp.cconst(left < right if u.op is Ops.CMPLT else left != right, dtypes.bool)
    elif u.op is Ops.WHERE and (truth := truth_of(u.src[0])) is not None:
        return u.src[1 if truth else 2]
    elif u.op is Ops.LOAD and len(u.src) == 3 and (truth := truth_of(u.src[2])) is not None:
        return u.replace(src=u.src[:1]) if truth else u.src[1]
    elif u.op is Ops.INDEX and u.src[0].op is Ops.STACK and (number := constant_of(u.src[1])) is not None:
        return u.src[0].src[number]  # an element of a vector that stood for a load
    return u


def truth_of(u: UOp) -> bool | None:
    constant = constant_of(u) if u.dtype is dtypes.bool else None
    return None if constant is None else bool(constant)


def drop_unused(uops: Sequence[UOp]) -> list[UOp]:
    """UOps without those that only compute what nothing reads."""
    needed: set[UOp] = set()
    kept = []
    for u in reversed(uops):
        if u in needed or u.op not in COMPUTING:
            needed.update(u.src)
            kept.append(u)
    return kept[::-1]


def size_of(uops: Sequence[UOp], edges: Mapping[int, Sequence[int]]) -> int:
    """The number of UOps of a kernel after its loops are split at the given edges."""
    total, copies = 0, [1]
    for i, u in enumerate(uops):
        if u.op is Ops.RANGE:
            copies.append(copies[-1] * (len(edges.get(i, ())) + 1))
        total += copies[-1]
        if u.op is Ops.END:
            copies.pop()
    return total


def edge_of(u: UOp, loop: UOp) -> int | None:
    """The constant that a UOp compares a loop's variable with, None if it does not."""
    if u.op not in (Ops.CMPLT, Ops.CMPNE) or loop not in u.src:
        return None
    return constant_of(u.src[1 if u.src[0] is loop else 0])


def holds(u: UOp, loop: UOp, iteration: int) -> bool:
    """Whether a comparison of a loop's variable with a constant is true in an iteration."""
    left, right = (iteration if s is loop else constant_of(s) or 0 for s in u.src)
    return left < right if u.op is Ops.CMPLT else left != right


def decide(u: UOp, loop: UOp, begin: int, stop: int) -> bool | None:
    """What a comparison of a loop's variable with a constant is in all of some iterations; None if it changes."""
    if (edge := edge_of(u, loop)) is None:
        return None
    found = {holds(u, loop, iteration) for iteration in (begin, min(max(edge, begin), stop - 1), stop - 1)}
    return found.pop() if len(found) == 1 else None


def part_of(u: UOp, loop: UOp) -> tuple[str, int, int] | None:
    """Which part a UOp is of the sum of a loop's variable and a constant, and the divisor and the constant.

    None if it is no quotient or remainder of these.
    """
    divisor = constant_of(u.src[1]) if u.op in PARTS and u.dtype == loop.dtype else None
    if divisor is None:
        return None
    (x, added), (part, number) = (u.src[0], 0), PARTS[u.op](divisor)
    if x.op is Ops.ADD and (constant := constant_of(x.src[1])) is not None:
        x, added = x.src[0], constant
    return (part, number, added) if x is loop and added >= 0 and number >= LEAST_DIVISOR else None


def quotient_edges(u: UOp, loop: UOp, iterations: int) -> Sequence[int]:
    """The iterations in which a quotient changes; none if there are many."""
    if (found := part_of(u, loop)) is None:
        return ()
    _, divisor, added = found
    edges = range(divisor - added % divisor, iterations, divisor)
    return edges if len(edges) <= MAX_EDGES else ()


def value_of_part(u: UOp, loop: UOp, variable: UOp, begin: int, stop: int) -> UOp | None:
    """What a quotient or remainder is in all of some iterations, given their variable; None if the quotient changes."""
    if (found := part_of(u, loop)) is None:
        return None
    part, divisor, added = found
    quotient = (begin + added) // divisor
    if (stop - 1 + added) // divisor != quotient:
        return None
    if part == "quotient":
        return UOp.cconst(quotient, u.dtype)
    rest = added - quotient * divisor
    return UOp(Ops.ADD, u.dtype, (variable, UOp.cconst(rest, u.dtype))) if rest else variable


def edges_of(loop: UOp, body: Sequence[UOp]) -> list[int]:
    """The iterations in which a comparison or a quotient changes, or if there are many, those around the longest part.

    Around several if these are nearly all iterations; an empty list if there are none, or many short parts.
    """
    near = {(u, edge + offset) for u in body if (edge := edge_of(u, loop)) is not None for offset in (0, 1)}
    iterations = trip_count_of(loop) or 0
    edges = {
        iteration
        for u, iteration in near
        if 0 < iteration < iterations and holds(u, loop, iteration) != holds(u, loop, iteration - 1)
    }
    edges.update(edge for u in body for edge in quotient_edges(u, loop, iterations))
    if len(edges) <= MAX_EDGES:
        return sorted(edges)
    parts = sorted(pairwise(sorted({0, *edges, iterations})), key=lambda part: part[0] - part[1])
    covered = [*accumulate(end - begin for begin, end in parts)]
    enough = 1 if 2 * covered[0] > iterations else bisect_left(covered, NEARLY_ALL * iterations) + 1
    if enough > (1 if loop.arg[-1] is AxisType.REDUCE else MAX_LONG_PARTS):
        return []
    return sorted({edge for part in parts[:enough] for edge in part} - {0, iterations})
