"""Elementwise kernels whose innermost loops are too short for vectors: their elements are computed in strips.

A strip is a number of adjacent elements of the result, whichever iterations of the loops they belong to. What is not
adjacent like them, such as a row that all others are multiplied with, is copied first. Neighbours in a roll or padding
are adjacent wherever a condition lets them be read, so that vectors read all and then choose.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from itertools import pairwise
from math import gcd, prod
from typing import NamedTuple

from tinygrad.dtype import AddrSpace, DType, dtypes
from tinygrad.uop.ops import GroupOp, Ops, UOp

from ..records import dataclass
from .columns import COMBINATIONS, FEWEST, NOT_UNROLLED, PARTS, Columns, statement, sum_bits
from .kernel import constant_of, iterations_around, loop_lengths, offsets_of, trip_count_of, uncast
from .lowered import LoweredKernel

# The elements of a strip, those of one whose end would otherwise fill no vector, and of the largest vector.
STRIP, LONGEST, VECTOR = 256, 2048, 16
# Loops with fewer iterations, but not whole vectors, are too short: those of costly operations, and those of others.
SHORT_COSTLY, SHORT = 512, 64
# Operations of an element from which on they are costly. Copying pays only in short loops of these, or of more: with
# each copy by a part of this.
COSTLY, COPY_COSTS = 16, 4
# So many operations are those of several numbers of bf16.
MANY = 128
# Operands that are the same in each iteration of the outermost loop are repeated if the kernel has that many times more
# elements.
LEAST_REPEATS = 4
# A matrix with at most so many columns is narrow. Sums of columns of at least so many rows are of strips.
NARROW, LEAST_ROWS = 32, 256


class Window(NamedTuple):
    """A load whose elements are adjacent like those of the result wherever it matters what they are.

    Args:
        load: reads the elements, perhaps under a condition.
        begin: the offset of what the first iteration of all loops would read.
        around: by how much it grows with the loops around those of the strips.
    """

    load: UOp
    begin: int
    around: Mapping[UOp, int]


@dataclass(frozen=True)
class Strips:
    """Loops in each other, from the outermost to the innermost, whose elements are computed in strips.

    `copied` are the loads of a strip that are copied before it is computed, and `repeated` those that are the same in
    each iteration of the outermost loop, so that they are copied only once. The `windows` are read where they are.
    """

    loops: tuple[UOp, ...]
    sizes: tuple[int, ...]
    copied: tuple[UOp, ...]
    repeated: tuple[UOp, ...]
    windows: tuple[Window, ...] = ()

    @property
    def period(self) -> int:
        """The elements of an iteration of the outermost loop."""
        return prod(self.sizes[1:])

    @property
    def rows(self) -> int:
        """The iterations of the outermost loop in a strip: as many as have whole vectors, if that is not long."""
        rows, whole = max(1, STRIP // self.period), VECTOR // gcd(self.period, VECTOR)
        return whole if rows < whole and whole * self.period <= LONGEST else rows

    @property
    def length(self) -> int:
        return self.rows * self.period

    def begin(self, end: str) -> str:
        """The statements with which a strip begins, given the element after the last; it may begin inside a row."""
        lanes = f"const int lanes = {end} - first < {self.length} ? {end} - first : {self.length};"
        rows = f"const int row = first / {self.period}, rows = (phase + lanes + {self.period - 1}) / {self.period};"
        return f"{lanes}\n{rows}\n(void)row, (void)rows;"


def strips_of(kernel: LoweredKernel) -> Strips | None:
    """The innermost loops of an elementwise kernel if they are too short."""
    facts, uops = kernel.facts, kernel.uops
    loops, last = facts.loops, len(facts.loops) - 1
    chain = all(loop.independent and loop.outer == (n - 1 if n else None) for n, loop in enumerate(loops))
    if last < 1 or not chain or kernel.is_open or kernel.registers or kernel.is_conditional or facts.updates:
        return None
    if any(access.loop != last for access in facts.writes) or kernel.passes_addresses:
        return None
    operations, length = facts.flops // iterations_around(loops, last), loops[last].iterations or 0
    if length < 2 or (length >= SHORT and operations < COSTLY):
        return None
    first = last if length >= SHORT_COSTLY else last - 1
    while first and prod(loops[n].iterations or 0 for n in range(first, last + 1)) < STRIP:
        first -= 1
    sizes = tuple(loops[n].iterations or 0 for n in range(first, last + 1))
    if prod(sizes) < 2 * VECTOR or prod(sizes) >= 1 << 31:
        return None
    ranges = tuple(kernel.ranges[first:])
    inside = body_of(uops, ranges[0])
    found = others_of(uops, inside, ranges, sizes)
    if found is None or of_rows(inside, ranges[-1]):
        return None
    windows = windows_of(uops, found, ranges, sizes)
    often = prod(sizes) >= LEAST_REPEATS * (STRIP + prod(sizes[1:])) and prod(sizes[1:]) <= SHORT_COSTLY
    repeated = tuple(u for u in found if often and not found[u] and u not in windows)
    copied = tuple(u for u in found if u not in repeated and u not in windows)
    if any(s.op is Ops.LOAD for u in copied for s in sources(u.src, inside)):
        return None  # an element at an index that is read
    pays = length < SHORT or windows or (has_long_end(length, operations) and go_along(uops, copied, ranges[-1]))
    if copied and not (operations >= COSTLY + COPY_COSTS * len(copied) and pays):
        return None
    if not windows and (length % VECTOR == 0 or length >= SHORT_COSTLY):
        return None
    # Between edges other loops have few whole vectors, and of many operations compilers may make none.
    if windows and length >= 2 * VECTOR and operations < (COSTLY if length < SHORT else MANY):
        return None
    return Strips(ranges, sizes, copied, repeated, tuple(windows.values()))


def go_along(uops: Sequence[UOp], loads: Iterable[UOp], loop: UOp) -> bool:
    """Whether loads read neighbours in neighbouring iterations of a loop, or the same."""
    number, offsets = [u for u in uops if u.op is Ops.RANGE].index(loop), offsets_of(uops)
    found = [offsets.get(u.src[0].src[1]) for u in loads if u.src[0].op is Ops.INDEX and len(u.src[0].src) == 2]
    return all(offset is not None and offset[number + 1] in (0, 1) for offset in found)


def has_long_end(length: int, operations: int) -> bool:
    """Whether the end of a row, where no vector is full, takes long, for some operations of each number."""
    return length < SHORT_COSTLY and operations * (length % VECTOR) >= 2 * length


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


def of_rows(body: Sequence[UOp], inner: UOp) -> bool:
    """Whether most operations are the same for each iteration of the innermost loop, as where both parts of a complex
    number are computed and one of them is stored: strips would repeat these, and rows are vectors without them."""
    values = [u.src[1] for u in body if u.op is Ops.STORE]
    needed = sources(values, body, [u for u in body if u.op is Ops.LOAD])
    changing = {inner}
    for u in body:
        if not changing.isdisjoint(u.src):
            changing.add(u)
    computed = [u in changing for u in needed if u.op in GroupOp.ALU or u.op is Ops.CUSTOM]
    return 2 * sum(computed) < len(computed)


def others_of(
    uops: Sequence[UOp],
    body: Sequence[UOp],
    ranges: tuple[UOp, ...],
    sizes: tuple[int, ...],
    stores: Sequence[UOp] = (),
) -> dict[UOp, bool] | None:
    """What is read for some stores, or all, and is not adjacent like the elements; whether the outermost loop decides.

    None if a result is not.
    """
    loops = [u for u in uops if u.op is Ops.RANGE]
    numbers = [loops.index(u) for u in ranges]
    offsets, steps = offsets_of(uops), [prod(sizes[n + 1 :]) for n in range(len(sizes))]

    def is_adjacent(access: UOp) -> bool:
        address = uncast(access.src[0])
        offset = offsets.get(address.src[1]) if address.op is Ops.INDEX and len(address.src) == 2 else None
        return offset is not None and [offset[n + 1] for n in numbers] == steps

    every = [u for u in body if u.op is Ops.STORE]
    if not stores and not all(map(is_adjacent, every)):
        return None
    loads = [u for u in body if u.op is Ops.LOAD and u.src[0].buf_uop.addrspace is not AddrSpace.REG]
    others = [u for u in loads if len(u.src) > 1 or not is_adjacent(u)]
    needed = sources([u.src[1] for u in stores or every], body, others)  # not those that only others need
    return {u: ranges[0] in sources([u], body) for u in others if u in needed}


def windows_of(
    uops: Sequence[UOp], loads: Iterable[UOp], ranges: Sequence[UOp], sizes: Sequence[int]
) -> dict[UOp, Window]:
    """Those of some loads that are windows.

    Where a condition leaves one iteration of a loop, as it does at the edges of rolls, any step of the loop will do.
    """
    loops, offsets, found = [u for u in uops if u.op is Ops.RANGE], offsets_of(uops), dict[UOp, Window]()
    users = dict[UOp, list[UOp]]()
    for u in uops:
        for s in {*u.src}:
            users.setdefault(s, []).append(u)
    for u in loads:
        offset = offsets.get(u.src[0].src[1]) if u.src[0].op is Ops.INDEX and len(u.src[0].src) == 2 else None
        if offset is None:
            continue
        limits, begin, factors = limits_of_use(u, users), offset[0], dict(zip(loops, offset[1:]))
        for n, loop in enumerate(ranges):
            surplus = factors.pop(loop) - prod(sizes[n + 1 :])
            first, last = limits.get(loop, (0, sizes[n] - 1))
            begin += surplus * first
            if surplus and first != last:
                break
        else:
            found[u] = Window(u, begin, {loop: by for loop, by in factors.items() if by})
    return found


# The first and the last iterations of loops.
Intervals = dict[UOp, tuple[int, int]]


def limits_of_use(load: UOp, users: Mapping[UOp, Sequence[UOp]]) -> Intervals:
    """In which iterations it may matter what is read."""
    limits, u = limits_of(load.src[2]) if len(load.src) == 3 else {}, load
    while len(users.get(u, ())) == 1:
        (user,) = users[u]
        if user.op not in GroupOp.Elementwise:
            break
        if user.op is Ops.WHERE and user.src[0] is not u and user.src.count(u) == 1:
            limits = both(limits, limits_of(user.src[0], user.src[1] is u))
        u = user
    return limits


def both(a: Intervals, b: Intervals) -> Intervals:
    return a | b | {u: (max(a[u][0], b[u][0]), min(a[u][1], b[u][1])) for u in a if u in b}


def limits_of(condition: UOp, truth: bool = True) -> Intervals:
    """In which iterations a condition may be true, or false."""
    if condition.op is (Ops.AND if truth else Ops.OR):
        return both(*(limits_of(u, truth) for u in condition.src))
    if condition.op is Ops.CMPNE and constant_of(condition.src[1]) == 1 and condition.src[0].dtype is dtypes.bool:
        return limits_of(condition.src[0], not truth)
    if condition.op is Ops.CMPLT:
        left, right = condition.src
        if left.op is Ops.RANGE and (edge := constant_of(right)) is not None:
            return {left: (0, edge - 1) if truth else (edge, (trip_count_of(left) or 0) - 1)}
        if right.op is Ops.RANGE and (edge := constant_of(left)) is not None:
            return {right: (edge + 1, (trip_count_of(right) or 0) - 1) if truth else (0, edge)}
    return {}


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
    computed = loops.compute("lanes", [u for u in loops.body if u.op is Ops.STORE], "first + lane", True)
    return [
        *uops[: loops.first], *loops.before(), strips.loops[0], *loops.copies_where_needed(), *loops.pointers(),
        *computed, *uops[loops.end :],
    ]  # fmt: skip


def sum_in_strips(uops: Sequence[UOp], strips: Strips, type_name: Callable[[DType], str]) -> list[UOp]:
    """The UOps of a kernel that combines terms in strips of whole rows, and then what each column has in these."""
    rows, columns = strips.loops
    loops = LaneLoops(uops, columns, strips, type_name)
    first = uops.index(rows)
    last = first + loop_lengths(uops)[rows]
    before, terms, after = (
        [u for u in part if u.op is Ops.STORE]
        for part in (uops[loops.first : first], uops[first:last], uops[last : loops.end])
    )
    combinations = {u.src[0].buf_uop: COMBINATIONS[u.src[1].op] for u in terms}
    width, elements = strips.sizes[1], prod(strips.sizes)
    together, size = strips.rows, strips.length
    number, bits = f"first / {size}", sum_bits(-(-elements // size))
    flushes = []
    for level, (source, target) in enumerate(pairwise((*PARTS, "")), 1):
        mask = (1 << level * bits) - 1
        flush = f"if (({number} & {mask}) == {mask} || first + {size} >= {elements}) "
        for u, how in combinations.items():
            call = how.flush(type_name(u.dtype), f"{target}{{0}}", f"{source}{{0}}", str(size))
            flushes.append(statement(flush + call, u))
    zeros = f"for (int lane = {width}; lane < {size}; lane++) {{{{"
    zeros += "".join(f" {part}{{0}}[lane] = IDENTITY;" for part in (*PARTS, "")) + " }}"
    # Half of the rows are combined with the others until one is left.
    halves = f"for (int rows = {together}; rows > 1; rows -= rows / 2)\n"
    halves += f"  for (int lane = 0; lane < rows / 2 * {width}; lane++) "
    halves += f"{{0}}[lane] = {{0}}[lane] SIGN {{0}}[(rows - rows / 2) * {width} + lane];"
    head = f"for (int first = 0; first < {elements}; first += {size}) {{{{\n"
    head += strips.begin(str(elements))
    computed = loops.compute("lanes", terms, "first + lane", True)
    return [
        *uops[: loops.first], *loops.before(), statement("const int phase = 0;"),
        *loops.compute(str(width), before, "lane"),
        *(statement(how.write(zeros), u) for u, how in combinations.items()),
        statement(head), *loops.copies(strips.copied), *computed, *flushes, statement("}}"),
        *(statement(how.write(halves), u) for u, how in combinations.items()),
        *loops.compute(str(width), after, "lane"), *uops[loops.end + 1 :],
    ]  # fmt: skip


class LaneLoops:
    """Loops over the lanes of a strip, in place of the loops of a kernel, the outermost of which is given."""

    def __init__(self, uops: Sequence[UOp], loop: UOp, strips: Strips, type_name: Callable[[DType], str]) -> None:
        self.first, self.strips, self.type_name = uops.index(loop), strips, type_name
        self.end = self.first + loop_lengths(uops)[loop]
        self.scalar = loop.src[:1]  # which gives what is printed a shape
        self.variables, self.places = (
            {u: UOp(Ops.CUSTOMI, u.dtype, self.scalar, f"{name}{n}") for n, u in enumerate(strips.loops)}
            for name in ("index", "place")
        )
        self.names = {u: f"copied{number}" for number, u in enumerate(strips.copied)}
        self.windows = dict[tuple[object, ...], Window]()  # without those that are the same memory as others
        for window in strips.windows:
            same = (window.load.src[0].buf_uop, window.begin, *window.around.items())
            first = self.windows.setdefault(same, window).load
            self.names[window.load] = self.names.setdefault(first, f"window{len(self.windows) - 1}")
        self.names |= {u: f"repeated{number}" for number, u in enumerate(strips.repeated)}
        self.limits = {u: limits for u in strips.copied if (limits := self.limits_of_copy(u))}
        self.placed: Collection[UOp] = ()  # the loops whose variables are computed with
        self.body = list[UOp]()
        windows, known = {window.load for window in strips.windows}, dict[UOp, UOp]()
        for u in uops[self.first + 1 : self.end]:
            if u.op in (Ops.RANGE, Ops.END):
                continue
            known[u] = u.replace(src=tuple(known.get(s, s) for s in u.src))
            if u in windows:
                self.body.append(read := UOp(Ops.CUSTOM, u.dtype, self.scalar, f"{self.names[u]}[lane]"))
                alternative, condition = known[u].src[1:] or (None, None)
                known[u] = read if condition is None else UOp(Ops.WHERE, u.dtype, (condition, read, alternative))
            self.body.append(known[u])

    def before(self) -> list[UOp]:
        """What is done before all strips: the places of elements in a row, what is repeated, and memory for copies."""
        strips, size = self.strips, self.strips.length + self.strips.period
        found = [*self.variables.values(), *self.places.values()]
        for n, u in enumerate(strips.loops):
            if u in self.placed:
                place = f"lane / {prod(strips.sizes[n + 1 :])}" + f" % {strips.sizes[n]}" * (n > 0)
                text = f"{self.type_name(u.dtype)} places{n}[{size}];\n"
                found.append(statement(f"{text}for (int lane = 0; lane < {size}; lane++) places{n}[lane] = {place};"))
        found += self.arrays((*strips.repeated, *strips.copied), size)
        if strips.repeated:
            head = statement(f"{{{{ const int row = 0, rows = {strips.rows + 1};")
            found += [head, *self.copies(strips.repeated), statement("}}")]
        found += [statement("int filled = 1;")] * bool(self.limits)
        parts = [window.load for window in self.windows.values()]
        found += self.arrays(parts, strips.length, "part_")
        # Nothing chooses what no copy fills, but compilers may take for granted that it is never read, unless told.
        return found + [statement(f'__asm__("" : "=m"(part_{self.names[u]}));') for u in parts]

    def arrays(self, loads: Iterable[UOp], size: int, prefix: str = "") -> list[UOp]:
        return [statement(f"{self.type_name(u.dtype)} {prefix}{self.names[u]}[{size}];") for u in loads]

    def copies(self, loads: Sequence[UOp]) -> list[UOp]:
        """Loops over the rows of a strip that copy what it reads."""
        if not loads:
            return []
        known = dict(self.variables)
        computed = self.renamed(sources(loads, self.body), known)
        text, lane, sizes = "", "at", self.strips.sizes
        for n, (u, size) in enumerate(zip(self.strips.loops, sizes)):
            type, name = self.type_name(u.dtype), self.variables[u].arg
            if n:
                text += f"for ({type} {name} = 0; {name} < {size}; {name}++) {{{{ "
                lane = f"({lane} * {size} + {name})"
            else:
                text += f"{NOT_UNROLLED}for ({type} at = 0; at < rows; at++) {{{{"
                text += f" const {type} {name} = row + at; (void){name};\n"
        stores = [statement(f"{self.names[u]}[{lane}] = {{0}};", known[u]) for u in loads]
        return [statement(text), *computed, *stores, statement("}}" * len(sizes))]

    def limits_of_copy(self, load: UOp) -> Intervals:
        """The few iterations around a strip, and of its outermost loop, in which a load is no constant."""
        if len(load.src) < 3 or any(u.op not in (Ops.CONST, Ops.CAST) for u in load.src[1].toposort()):
            return {}
        return {
            loop: (first, last)
            for loop, (first, last) in limits_of(load.src[2]).items()
            if loop not in self.strips.loops[1:] and 2 * (last - first + 1) <= (trip_count_of(loop) or 0)
        }

    def copies_where_needed(self) -> list[UOp]:
        """The copies, of which those of constants, as where an array is padded, stay from one strip to the next."""
        usual, needed = [u for u in self.strips.copied if u not in self.limits], dict[str, None]()
        around = [*dict.fromkeys(u for limits in self.limits.values() for u in limits if u is not self.strips.loops[0])]
        for limits in self.limits.values():
            tests = [
                f"row <= {last} && row + rows > {first}"
                if loop is self.strips.loops[0]
                else f"{{{around.index(loop)}}} <= {last} && {{{around.index(loop)}}} >= {first}"
                for loop, (first, last) in limits.items()
            ]
            needed[f"({' && '.join(tests)})"] = None
        if not needed:
            return self.copies(usual)
        text = f"const int fills = {' || '.join(needed)};\nif (fills || filled) {{{{"
        filling = [statement(text, *around), *self.copies([*self.limits]), statement("}}\nfilled = fills;")]
        return [*self.copies(usual), *filling]

    def pointers(self) -> list[UOp]:
        """Pointers to what the windows of a strip have, or to a copy of as much of it as the buffer has."""
        found = list[UOp]()
        for load, begin, around in self.windows.values():
            name, buffer = self.names[load], load.src[0].src[0]
            terms = "".join(f" + {{{n}}} * (int64){by}" for n, by in enumerate(around.values(), 1))
            start, rest = f"from_{name}", f"rest_{name}"
            text = f"const int64 {start} = {begin} + (int64)first{terms}, {rest} = {buffer.max_numel()} - {start};\n"
            text += f"const {self.type_name(load.dtype)} *{name} = part_{name};\n"
            text += f"if ({start} >= 0 && {rest} >= lanes) {name} = {{0}} + {start};\nelse "
            text += f"for (int lane = {start} >= 0 ? 0 : {start} > -lanes ? (int)-{start} : lanes;"
            text += f" lane < lanes && lane < {rest}; lane++) part_{name}[lane] = {{0}}[{start} + lane];"
            found.append(statement(text, buffer, *around))
        return found

    def compute(self, count: str, stores: Sequence[UOp], element: str, copied: bool = False) -> list[UOp]:
        """A loop that performs stores; it may read what has been copied."""
        loops, arrays = self.strips.loops, (*self.strips.copied, *self.strips.repeated) if copied else ()
        known = {u: UOp(Ops.CUSTOM, u.dtype, self.scalar, f"{self.names[u]}[phase + lane]") for u in arrays}
        accesses = [u for u in sources(stores, self.body, known) if u.op in (Ops.LOAD, Ops.STORE) and u not in known]
        addresses = {u.src[0] for u in accesses}
        within = sources([*addresses], self.body)
        needed = sources(accesses, self.body, {*known, *addresses}) - addresses
        self.placed = needed.intersection(loops)
        given = [f" const {self.type_name(u.dtype)} {self.variables[u].arg} = " for u in loops]
        # In addresses the innermost loop's variable counts all elements, and the others are 0.
        head = "".join(f"{text}{element if u is loops[-1] else 0};" for u, text in zip(loops, given) if u in within)
        for n, u in enumerate(loops):
            if u in needed:
                value = f"{'row + ' * (not n)}places{n}[phase + lane]"
                head += f" const {self.type_name(u.dtype)} {self.places[u].arg} = {value};"
        address, known = dict(self.variables), self.places | known
        computed = self.renamed(within, address)
        computed += self.renamed(needed, known | {u: address.get(u, u) for u in addresses})
        return [
            statement(f"for (int lane = 0; lane < {count}; lane++) {{{{{head}"),
            *dict.fromkeys(computed),
            statement("}}"),
        ]

    def renamed(self, wanted: Collection[UOp], known: dict[UOp, UOp]) -> list[UOp]:
        """What is wanted of the body, computed from what has other names, which are added to those that are known."""
        return [
            known.setdefault(u, u.replace(src=tuple(known.get(s, s) for s in u.src))) for u in self.body if u in wanted
        ]
