"""Elementwise kernels whose innermost loops are too short for vectors: their elements are computed in strips.

A strip is a number of adjacent elements of the result, whichever iterations of the loops they belong to. What is not
adjacent like them, such as a row that all others are multiplied with, is copied first.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from itertools import pairwise
from math import prod

from tinygrad.dtype import AddrSpace, DType, dtypes
from tinygrad.uop.ops import Ops, UOp

from ..records import dataclass
from .columns import COMBINATIONS, FEWEST, PARTS, Columns, statement, sum_bits
from .kernel import iterations_around, loop_lengths, offsets_of, trip_count_of, uncast
from .lowered import LoweredKernel

# The elements of a strip, and of the largest vector.
STRIP, VECTOR = 256, 16
# Loops with fewer iterations, but not whole vectors, are too short: those of costly operations, and those of others.
SHORT_COSTLY, SHORT = 512, 64
# Operations of an element from which on they are costly. Only in short loops of these does copying pay.
COSTLY = 16
# Operands that are the same in each iteration of the outermost loop are repeated if the kernel has that many times more
# elements.
LEAST_REPEATS = 4
# A matrix with at most so many columns is narrow. Sums of columns of at least so many rows are of strips.
NARROW, LEAST_ROWS = 32, 256
# What neither computes indices nor is computed from them.
SEPARATE = {Ops.RANGE, Ops.END, Ops.LOAD, Ops.STORE, Ops.AFTER, Ops.GROUP, Ops.NOOP}
# What indices are computed with.
INDEXING = {Ops.ADD, Ops.SUB, Ops.MUL, Ops.SHL, Ops.SHR, Ops.AND, Ops.CDIV, Ops.CMOD, Ops.FLOORDIV, Ops.FLOORMOD}
INDEXING |= {Ops.CAST, Ops.NEG, Ops.INDEX}


@dataclass(frozen=True)
class Strips:
    """Loops in each other, from the outermost to the innermost, whose elements are computed in strips.

    `copied` are the loads of a strip that are copied before it is computed, and `repeated` those that are the same in
    each iteration of the outermost loop, so that they are copied only once.
    """

    loops: tuple[UOp, ...]
    sizes: tuple[int, ...]
    copied: tuple[UOp, ...]
    repeated: tuple[UOp, ...]

    @property
    def period(self) -> int:
        """The elements of an iteration of the outermost loop."""
        return prod(self.sizes[1:])


def strips_of(kernel: LoweredKernel) -> Strips | None:
    """The innermost loops of an elementwise kernel if they are too short."""
    facts, uops = kernel.facts, kernel.uops
    loops, last = facts.loops, len(facts.loops) - 1
    chain = all(loop.independent and loop.outer == (n - 1 if n else None) for n, loop in enumerate(loops))
    if last < 1 or not chain or kernel.is_open or kernel.registers or kernel.is_conditional or facts.updates:
        return None
    if any(access.loop != last for access in facts.writes) or kernel.passes_addresses:
        return None
    costly = facts.flops >= COSTLY * iterations_around(loops, last)
    length = loops[last].iterations or 0
    if not 1 < length < (SHORT_COSTLY if costly else SHORT) or length % VECTOR == 0:
        return None
    first = last - 1
    while first and prod(loops[n].iterations or 0 for n in range(first, last + 1)) < STRIP:
        first -= 1
    sizes = tuple(loops[n].iterations or 0 for n in range(first, last + 1))
    if prod(sizes) < 2 * VECTOR or prod(sizes) >= 1 << 31:
        return None
    ranges = tuple(kernel.ranges[first:])
    found = others_of(uops, body_of(uops, ranges[0]), ranges, sizes)
    if found is None:
        return None
    often = prod(sizes) >= LEAST_REPEATS * (STRIP + prod(sizes[1:])) and prod(sizes[1:]) <= SHORT_COSTLY
    repeated = tuple(u for u in found if often and not found[u])
    copied = tuple(u for u in found if u not in repeated)
    inside = body_of(uops, ranges[0])
    if any(s.op is Ops.LOAD for u in copied for s in sources(u.src, inside)):
        return None  # an element at an index that is read
    return Strips(ranges, sizes, copied, repeated) if not copied or (costly and length < SHORT) else None


def narrow_sums_of(kernel: LoweredKernel, columns: Columns | None) -> Strips | None:
    """The loops over the rows and the columns of a narrow matrix if a kernel has the sum or product of each."""
    if columns is None or kernel.is_open or kernel.is_conditional or kernel.passes_addresses or kernel.facts.updates:
        return None
    width, rows = trip_count_of(columns.loop) or 0, trip_count_of(columns.rows) or 0
    body = body_of(kernel.uops, columns.loop)
    alone = sum(u.op is Ops.RANGE for u in body) == 1
    if kernel.facts.calls and columns.loop is kernel.ranges[0] and width >= FEWEST:
        return None  # threads rather share what is costly
    if not alone or not 1 < width <= NARROW or width % VECTOR == 0 or not LEAST_ROWS <= rows < (1 << 31) // width:
        return None
    terms = [u for u in body_of(kernel.uops, columns.rows) if u.op is Ops.STORE]
    if not terms or any(u.src[1].op not in COMBINATIONS or u.src[1].dtype not in dtypes.floats for u in terms):
        return None
    loops = (columns.rows, columns.loop)
    found = others_of(kernel.uops, body, loops, (rows, width), terms)
    if found is None:
        return None
    copied, repeated = (tuple(u for u in found if found[u] == depends) for depends in (True, False))
    return Strips(loops, (rows, width), copied, repeated)


def others_of(
    uops: Sequence[UOp],
    body: Sequence[UOp],
    ranges: tuple[UOp, ...],
    sizes: tuple[int, ...],
    stores: Sequence[UOp] = (),
) -> dict[UOp, bool] | None:
    """What is read for some stores, or all, and is not adjacent like the elements; whether the outermost loop decides.

    None if the loops' variables are more than parts of indices.
    """
    loops = [u for u in uops if u.op is Ops.RANGE]
    numbers = [loops.index(u) for u in ranges]
    offsets, steps = offsets_of(uops), [prod(sizes[n + 1 :]) for n in range(len(sizes))]

    def is_adjacent(access: UOp) -> bool:
        address = uncast(access.src[0])
        offset = offsets.get(address.src[1]) if address.op is Ops.INDEX and len(address.src) == 2 else None
        return offset is not None and [offset[n + 1] for n in numbers] == steps

    dependent: set[UOp] = set()  # what is computed from the loops' variables alone
    for u in body:
        if u.op not in SEPARATE and not dependent.union(ranges).isdisjoint(u.src):
            if u.op not in INDEXING or (u.op is not Ops.INDEX and u.dtype not in dtypes.ints):
                return None
            dependent.add(u)
    every = [u for u in body if u.op is Ops.STORE]
    if any(u.src[1] in dependent or u.src[1] in ranges for u in every):
        return None
    if not stores and not all(map(is_adjacent, every)):
        return None
    loads = [u for u in body if u.op is Ops.LOAD and u.src[0].buf_uop.addrspace is not AddrSpace.REG]
    if any(len(u.src) > 1 for u in loads):
        return None
    others = [u for u in loads if not is_adjacent(u)]
    needed = sources([u.src[1] for u in stores or every], body, others)  # not those that only others need
    return {u: ranges[0] in sources([u], body) for u in others if u in needed}


def body_of(uops: Sequence[UOp], loop: UOp) -> Sequence[UOp]:
    begin = uops.index(loop)
    return uops[begin + 1 : begin + loop_lengths(uops)[loop]]


def sources(values: Sequence[UOp], body: Sequence[UOp], ends: Collection[UOp] = ()) -> set[UOp]:
    """The values, and what they are computed from, up to some others."""
    inside, found, waiting = {*body}, set[UOp](), list(values)
    while waiting:
        u = waiting.pop()
        if u not in found:
            found.add(u)
            inner = u in inside and u not in ends and u.op is not Ops.RANGE
            waiting += u.src[: 1 if u.op is Ops.AFTER else None] if inner else ()
    return found


def in_strips(uops: Sequence[UOp], strips: Strips, type_name: Callable[[DType], str]) -> list[UOp]:
    """The UOps of a kernel with a loop over strips, which the renderer prints, and in it loops over lanes."""
    loops = LaneLoops(uops, strips.loops[0], strips, type_name)
    # Places of adjacent elements grow with the innermost loop's variable: it counts all elements, and the others 0.
    stores = [u for u in loops.body if u.op is Ops.STORE]
    size = STRIP + strips.period
    return [
        *uops[: loops.begin], *loops.variables.values(), *loops.copies(strips.repeated, size, str(size), "lane"),
        strips.loops[0], *loops.copies(strips.copied, STRIP, "lanes", "(first + lane)"),
        *loops.compute("lanes", stores, "first + lane", "phase + lane"), *uops[loops.end :],
    ]  # fmt: skip


def sum_in_strips(uops: Sequence[UOp], strips: Strips, type_name: Callable[[DType], str]) -> list[UOp]:
    """The UOps of a kernel that combines terms in strips of whole rows, and then what each column has in these."""
    rows, columns = strips.loops
    loops = LaneLoops(uops, columns, strips, type_name)
    first = uops.index(rows)
    last = first + loop_lengths(uops)[rows]
    before, terms, after = (
        [u for u in part if u.op is Ops.STORE]
        for part in (uops[loops.begin : first], uops[first:last], uops[last : loops.end])
    )
    combinations = {u.src[0].buf_uop: COMBINATIONS[u.src[1].op] for u in terms}
    width, elements = strips.sizes[1], prod(strips.sizes)
    together = STRIP // width
    size = together * width
    number, bits = f"first / {size}", sum_bits(-(-elements // size))
    all_lanes = f"for (int lane = 0; lane < {size}; lane++)"
    flushes = []
    for level, (source, target) in enumerate(pairwise((*PARTS, "")), 1):
        mask = (1 << level * bits) - 1
        flush = f"if (({number} & {mask}) == {mask} || first + {size} >= {elements}) {all_lanes} {{{{ "
        flush += (
            f"{target}{{0}}[lane] = {target}{{0}}[lane] SIGN {source}{{0}}[lane]; {source}{{0}}[lane] = IDENTITY; }}}}"
        )
        flushes += [statement(how.write(flush), u) for u, how in combinations.items()]
    zeros = f"for (int lane = {width}; lane < {size}; lane++) {{{{"
    zeros += "".join(f" {part}{{0}}[lane] = IDENTITY;" for part in (*PARTS, "")) + " }}"
    # Half of the rows are combined with the others until one is left.
    halves = f"for (int rows = {together}; rows > 1; rows -= rows / 2)\n"
    halves += f"  for (int lane = 0; lane < rows / 2 * {width}; lane++) "
    halves += f"{{0}}[lane] = {{0}}[lane] SIGN {{0}}[(rows - rows / 2) * {width} + lane];"
    head = f"for (int first = 0; first < {elements}; first += {size}) {{{{\n"
    head += f"const int lanes = {elements} - first < {size} ? {elements} - first : {size};"
    return [
        *uops[: loops.begin], *loops.variables.values(), *loops.copies(strips.repeated, size, str(size), "lane"),
        *loops.compute(str(width), before, "lane"),
        *(statement(how.write(zeros), u) for u, how in combinations.items()),
        statement(head), *loops.copies(strips.copied, size, "lanes", "(first + lane)"),
        *loops.compute("lanes", terms, "first + lane", "lane"), *flushes, statement("}}"),
        *(statement(how.write(halves), u) for u, how in combinations.items()),
        *loops.compute(str(width), after, "lane"), *uops[loops.end + 1 :],
    ]  # fmt: skip


class LaneLoops:
    """Loops over the lanes of a strip, in place of the loops of a kernel, the outermost of which is given."""

    def __init__(self, uops: Sequence[UOp], loop: UOp, strips: Strips, type_name: Callable[[DType], str]) -> None:
        self.begin, self.strips, self.type_name = uops.index(loop), strips, type_name
        self.end = self.begin + loop_lengths(uops)[loop]
        self.body = [u for u in uops[self.begin + 1 : self.end] if u.op not in (Ops.RANGE, Ops.END)]
        self.scalar = loop.src[:1]  # which gives what is printed a shape
        self.variables = {u: UOp(Ops.CUSTOMI, u.dtype, self.scalar, f"index{n}") for n, u in enumerate(strips.loops)}
        self.names = {u: f"copied{number}" for number, u in enumerate(strips.copied)}
        self.names |= {u: f"repeated{number}" for number, u in enumerate(strips.repeated)}

    def lanes(self, count: str, values: Mapping[UOp, str], needed: Collection[UOp], known: dict[UOp, UOp]) -> list[UOp]:
        """The beginning of a loop, which defines the variables of the kernel's loops, and what it computes."""
        used = [(u, value) for u, value in values.items() if u in needed]
        defined = "".join(f" const {self.type_name(u.dtype)} {self.variables[u].arg} = {value};" for u, value in used)
        copied = [known[u] for u in self.names if u in known and u in needed]
        for u in (computed := [u for u in self.body if u in needed and u not in known]):
            known[u] = u.replace(src=tuple(known.get(s, s) for s in u.src))
        head = statement(f"for (int lane = 0; lane < {count}; lane++) {{{{{defined}")
        return [head, *copied, *(known[u] for u in computed)]

    def copies(self, loads: Sequence[UOp], size: int, count: str, element: str) -> list[UOp]:
        """Arrays, and a loop that copies to them what it reads."""
        if not loads:
            return []
        sizes, known = self.strips.sizes, dict(self.variables)
        values = {u: f"{element} / {prod(sizes[n + 1 :])} % {sizes[n]}" for n, u in enumerate(self.variables)}
        arrays = [statement(f"{self.type_name(u.dtype)} {self.names[u]}[{size}];") for u in loads]
        head = self.lanes(count, values, sources(loads, self.body), known)
        stores = [statement(f"{self.names[u]}[lane] = {{0}};", known[u]) for u in loads]
        return [*arrays, *head, *stores, statement("}}")]

    def compute(self, count: str, stores: Sequence[UOp], element: str, repeated: str = "") -> list[UOp]:
        """A loop that performs stores; with an index in what is `repeated`, it reads what has been copied."""
        offsets = [(u, "lane") for u in self.strips.copied] + [(u, repeated) for u in self.strips.repeated]
        copied = offsets if repeated else []
        known = {u: UOp(Ops.CUSTOM, u.dtype, self.scalar, f"{self.names[u]}[{offset}]") for u, offset in copied}
        values = {u: element if u is self.strips.loops[-1] else "0" for u in self.strips.loops}
        needed = sources(stores, self.body, [*known])
        return [*self.lanes(count, values, needed, self.variables | known), statement("}}")]
