"""Reductions along the rows of a matrix whose columns are adjacent in memory: many columns are reduced together.

tinygrad's loops reduce one column after the other, and so use only one number of a cache line at a time. If
numbers of a column are adjacent, and a choice combines them, such as argmax's, tiles are transposed first: a compiler
makes no vectors of that. It does of the largest or smallest number of a row.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from itertools import pairwise
from math import prod
from typing import NamedTuple

from tinygrad.dtype import AddrSpace, DType, dtypes
from tinygrad.uop.ops import Ops, UOp

from ..records import dataclass
from .kernel import COMPUTING, Kernel, loop_lengths, trip_count_of
from .lowered import LoweredKernel

# The columns that are reduced together; their partial results stay in the nearest cache.
WIDTH = 256
# Fewer columns than a vector has lanes are reduced one by one, by vectors of rows, unless there are so many rows that
# their sums need partial sums.
FEWEST, MANY_ROWS = 8, 4096
# Compilers unroll loops over fewer rows that call no functions, and keep what a vector of columns has in registers.
FEWEST_ROWS = 9
# Of so many rows at a time, a vector of columns reads what it needs while its results stay in registers, unless that
# takes more operations for each element: several streams from memory are faster than one, which begins again and again.
TOGETHER, MOST_TOGETHER = 8, 24
SHORT_CALLS = ("maximum_d(", "minimum_d(")  # of functions that are a few operations
# If more operations than this depend only on the column, they are not repeated for each row: their results are kept.
MOST_REPEATED = 8
KEPT = "kept{}[lane]"

NOT_UNROLLED = "#ifdef __clang__\n#pragma clang loop unroll(disable)\n#endif\n"
IN_VECTORS = "#ifdef __clang__\n#pragma clang loop unroll(disable) vectorize(enable)\n#endif\n"
# Loops over lanes become vectors: copies of what these leave would only take a compiler's time.
OPEN, COLUMN = NOT_UNROLLED + "for (int lane = 0; lane < lanes; lane++) {{", " const TYPE {0} = first + lane;"
# The names of partial sums, before that of their register: of some rows, and of some of these. Adding up about as many
# numbers at each level is much more exact than adding them all one after the other.
PARTS = ("part_", "parts_")
LEAST_BITS = 5  # of the number of rows that are added up at the first level
FLUSH = "if (({0} & MASK) == MASK || {0} == LAST) CALL"
# Sums in an order that only the number of terms decides: term i is added to partial sum i modulo `partial_sums`, and
# then the second half of these to the first until one is left. Vectors of terms are added at once, or of columns.
# Products are alike.
NARROW_WIDTH = 64  # the columns that are reduced together then, and if tiles are transposed
TILE_ROWS, MOST_TURNED = 64, 8  # so many rows are in a tile, and bytes of each number in all: tiles are on the stack
# Compilers would gather numbers to vectors, which takes longer than copying one after the other.
NO_VECTORS = "#ifdef __clang__\n#pragma clang loop vectorize(disable)\n#endif\n"
# Nor do vectors of a row pay that has fewer numbers, but not whole vectors, if so many operations compute its terms.
SHORT_ROWS, VECTOR, COSTLY = 32, 16, 16
# What statements store that choose between an element and those before it.
CHOICES = (Ops.WHERE, Ops.LOAD)
# What may stand among the operations of a column without computing anything.
OTHERS = {Ops.AFTER, Ops.BUFFER, Ops.CONST, Ops.GROUP, Ops.NOOP, Ops.RANGE, Ops.STORE}


class Combination(NamedTuple):
    """How terms become a sum or a product: the operator of C, and the number that changes no other one."""

    sign: str
    identity: str

    def write(self, text: str) -> str:
        """A statement in which SIGN and IDENTITY stand for these."""
        return text.replace("SIGN", self.sign).replace("IDENTITY", self.identity)

    def flush(self, type: str, target: str, source: str, lanes: str) -> str:
        """The call of a function of types.c that combines partial results with others, and begins them anew."""
        return f"{'add' if self.sign == '+' else 'multiply'}_parts_{type}({target}, {source}, {lanes});"


COMBINATIONS = {Ops.ADD: Combination("+", "-0.0"), Ops.MUL: Combination("*", "1.0")}


@dataclass(frozen=True)
class Columns:
    """A kernel's loop over columns, the innermost one over rows, and the registers that each column has for itself.

    Sums of these have `parts`, the names of partial sums. Of the first `together` rows, several are read at a time. The
    numbers that are `turned` come from transposed tiles. See `reduce_together`.
    """

    loop: UOp
    rows: UOp
    registers: frozenset[UOp]
    parts: tuple[str, ...] = PARTS
    together: int = 0
    turned: frozenset[UOp] = frozenset()
    width: int = WIDTH


def partial_sums(iterations: int) -> int:
    """How many partial sums so many terms have."""
    return 64 if iterations >= 128 else 16 if iterations >= 32 else 1


def sum_bits(rows: int) -> int:
    """The number of bits of how many rows are added up at each level."""
    return max(LEAST_BITS, -(-rows.bit_length() // 3))


def parts_of(rows: int) -> tuple[str, ...]:
    """The partial sums that so many rows need: fewer than are added up at one level need none."""
    bits = sum_bits(rows)
    return PARTS[: (rows > 1 << bits) + (rows > 1 << 2 * bits)]


def halves_of(count: int) -> list[int]:
    """The sizes of the halves in which so many partial sums are added up."""
    return [1 << bit for bit in range(count.bit_length() - 2, -1, -1)]


def columns_of(lowered: LoweredKernel) -> Columns | None:
    """The loop over adjacent columns that a kernel reduces one by one."""
    kernel, uops = lowered.facts, lowered.uops
    for number, loop in enumerate(kernel.loops):
        chain = inner_loops(kernel, number)
        rows = [kernel.loops[n].iterations for n in chain]
        if not loop.independent or not chain or not all(rows):
            continue
        count = prod(iterations or 0 for iterations in rows)
        if (loop.iterations or 0) < FEWEST and count < MANY_ROWS:
            continue
        inside = [access for access in kernel.reads if access.loop in chain]
        steps = [(a.offset[number + 1], a.offset[chain[-1] + 1]) for a in inside if a.offset is not None]
        adjacent = any(column == 1 and abs(row) > 1 for column, row in steps)
        adjacent = adjacent and all(column in (0, 1) for column, _ in steps)
        turned = not adjacent and any(column > 1 and row == 1 for column, row in steps)
        turned = turned and all(column == 0 or row == 1 for column, row in steps)
        if not (adjacent or turned) or len(steps) < len(inside):
            continue
        if any(a.loop in chain for a in kernel.writes) or any(a.loop in chain[:-1] for a in kernel.reads):
            continue
        start, rows_start = lowered.ranges[number], lowered.ranges[chain[-1]]
        begin = uops.index(start)
        body = uops[begin : begin + loop_lengths(uops)[start]]
        if count < FEWEST_ROWS and not any(map(is_long_call, body)):
            continue
        stored = {u.src[0].buf_uop for u in body if u.op is Ops.STORE}
        registers = frozenset(u for u in stored if u.addrspace is AddrSpace.REG)
        terms = uops[uops.index(rows_start) : begin + len(body)]
        few = sum(u.op in COMPUTING and u.op is not Ops.INDEX for u in terms) <= MOST_TOGETHER
        few = few and not any(map(is_long_call, terms))
        together = (rows[-1] or 0) // TOGETHER * TOGETHER if few else 0
        parts = parts_of(rows[-1] or 0) or PARTS[: len(chain) > 1]  # in vectors, until the loop around goes on
        found = Columns(start, rows_start, registers, parts, together)
        if turned:
            loads = frozenset(u for u in terms if u.op is Ops.LOAD and u.src[0].buf_uop.addrspace is not AddrSpace.REG)
            # Of integers, a row that is longer than a tile takes about as long by itself.
            pays = count <= TILE_ROWS or any(u.dtype in dtypes.floats for u in registers)
            pays = pays and sum(u.dtype.itemsize for u in loads) <= MOST_TURNED
            inside_row = terms[: loop_lengths(uops)[rows_start]]
            stores = [u for u in inside_row if u.op is Ops.STORE]
            changes = {u.src[1].op for u in stores}
            costly = sum(u.op in COMPUTING and u.op is not Ops.INDEX for u in inside_row) >= COSTLY
            if costly and count < SHORT_ROWS and count % VECTOR:  # a row is less than two vectors
                changes -= {*COMBINATIONS}
            if not pays or not changes.issubset(CHOICES) or all(map(is_extreme, stores)):
                continue
            found = Columns(start, rows_start, registers, parts, 0, loads, NARROW_WIDTH)
        if all(u.max_numel() == 1 for u in registers) and reduce_together(uops, found, {}) is not None:
            return found
    return None


def is_long_call(u: UOp) -> bool:
    return u.op is Ops.CUSTOM and not u.arg.startswith(SHORT_CALLS)


def is_extreme(store: UOp) -> bool:
    """Whether a statement keeps the larger or the smaller one of two numbers in a register."""
    register, value = store.src[0].buf_uop, store.src[1]
    if register.addrspace is not AddrSpace.REG or register.dtype in dtypes.floats:
        return False
    return value.op is Ops.WHERE and value.src[0].op is Ops.CMPLT and {*value.src[0].src} == {*value.src[1:]}


def inner_loops(kernel: Kernel, number: int) -> list[int]:
    """The loops in a loop, if each contains only the next one; otherwise nothing."""
    chain: list[int] = []
    while inner := [n for n, loop in enumerate(kernel.loops) if loop.outer == (chain or [number])[-1]]:
        if len(inner) > 1:
            return []
        chain += inner
    return chain


def reduce_together(
    uops: Sequence[UOp],
    columns: Columns,
    sums: Mapping[UOp, Combination],
    type_name: Callable[[DType], str] = str,
    in_order: bool = False,
) -> list[UOp] | None:
    """The UOps with a loop over lanes, the columns of a group, instead of each part of the loop over columns.

    The loop itself is printed as one over groups, and the registers `sums` have partial sums or products; `type_name`
    returns C's name of a type. If `in_order`, these are `partial_sums`; `add_up` combines them after the rows. None
    if a part does more than compute.
    """
    begin = uops.index(columns.loop)
    end = begin + loop_lengths(uops)[columns.loop]
    body = uops[begin + 1 : end]
    heads = [i for i, u in enumerate(body) if u.op is Ops.RANGE]
    tails = [i for i, u in enumerate(body) if u.op is Ops.END]
    if tails != list(range(tails[0], tails[0] + len(heads))):
        return None
    before, between = body[: heads[0]], body[heads[0] : heads[-1]]
    terms, after = body[heads[-1] + 1 : tails[0]], body[tails[-1] + 1 :]
    of_column: dict[UOp, None] = {}  # in order
    for u in (*before, *between):
        if u.op in COMPUTING and any(s is columns.loop or s in of_column for s in u.src):
            of_column[u] = None
    stores = [u for u in before if u.op is Ops.STORE]
    if any(u.op not in (COMPUTING | OTHERS) for u in (*before, *between)) or any(u.op is Ops.STORE for u in between):
        return None

    def find_needed(part: Sequence[UOp]) -> list[UOp]:
        """What a part reads of the values that depend only on the column."""
        found: set[UOp] = set()
        for u in (*reversed(part), *reversed(of_column)):
            if u in found or u not in of_column:
                found.update(s for s in u.src if s in of_column)
        return [u for u in of_column if u in found]

    def is_repeated() -> bool:
        return sum(u.op is not Ops.INDEX for u in find_needed(terms)) <= MOST_REPEATED

    kept = dict[UOp, UOp]()
    if not is_repeated():
        read = {s for u in terms for s in u.src if u.op is not Ops.LOAD}
        scalar = columns.loop.src[:1]  # which gives what is printed a shape
        for u in before:
            if u in of_column and u in read and u.op is not Ops.INDEX:
                kept[u] = UOp(Ops.CUSTOM, u.dtype, scalar, KEPT.format(len(kept)))
        terms = [*replaced(terms, kept).values()]
    if not is_repeated():
        return None
    closed = statement("}}")

    def lanes(part: Sequence[UOp]) -> list[UOp]:
        inside = [*find_needed(part), *part]
        reads = any(columns.loop in u.src for u in inside if u.op is not Ops.AFTER)
        head = OPEN + COLUMN.replace("TYPE", type_name(columns.loop.dtype)) if reads else OPEN
        return [statement(head, columns.loop), *inside, closed]

    rows = body[heads[-1]]
    iterations = trip_count_of(rows) or 0
    bits = sum_bits(iterations)

    def flushes(row: UOp) -> list[UOp]:
        found = list[UOp]()
        for level, (source, target) in enumerate(() if in_order else pairwise((*columns.parts, "")), 1):
            flush = FLUSH.replace("LAST", str(iterations - 1)).replace("MASK", str((1 << level * bits) - 1))
            for u, how in sums.items():
                call = how.flush(type_name(u.dtype), f"{target}{{1}}", f"{source}{{1}}", "lanes")
                found.append(statement(flush.replace("CALL", call), row, u))
        return found

    row = UOp(Ops.CUSTOMI, rows.dtype, rows.src[:1], "row")

    def of_row(part: Sequence[UOp]) -> dict[UOp, UOp]:
        """A part for the row that is named `row`."""
        return replaced(part, {rows: row})

    tiles = {u: f"tile{n}" for n, u in enumerate(u for u in terms if u in columns.turned)}
    place = f"[{{0}} % {TILE_ROWS} * {columns.width} + lane]"

    def turn() -> list[UOp]:
        """What fills the tiles before the first of their rows."""
        if not tiles:
            return []
        needed = {*tiles}
        for u in reversed(terms):
            needed.update(u.src if u in needed else ())
        head, *inside, end = lanes([u for u in terms if u in needed])
        known = of_row(inside)
        opened = f"if ({{0}} % {TILE_ROWS} == 0) {{{{\n{NO_VECTORS}"
        loop = f"{NO_VECTORS}for ({type_name(rows.dtype)} row = {{0}}; "
        loop += f"row < {{0}} + {TILE_ROWS} && row < {iterations}; row++) {{{{"
        stores = [statement(f"{name}{place} = {{1}};", row, known[u]) for u, name in tiles.items()]
        filled = [statement(loop, rows), *known.values(), *stores, closed]
        return [statement(opened, rows), head, *filled, end, closed]

    def from_tiles() -> list[UOp]:
        loads = {u: UOp(Ops.CUSTOM, u.dtype, (rows,), name + place) for u, name in tiles.items()}
        return [*replaced(terms, loads).values()]

    def rows_together() -> list[UOp]:
        """The loop over several rows at a time: what `rows` does for each, in the loop over lanes."""
        if not columns.together:
            return []
        final = UOp(Ops.CUSTOMI, rows.dtype, rows.src[:1], f"(rows + {TOGETHER - 1})")
        head, *inside, end = lanes(terms)
        inside = [*of_row(inside).values()]
        kind = type_name(rows.dtype)
        opened = f"for ({kind} rows = 0; rows < {columns.together}; rows += {TOGETHER}) {{{{"
        inner = f"for ({kind} row = rows; row < rows + {TOGETHER}; row++) {{{{"
        return [final, statement(opened), head, statement(inner), *inside, closed, end, *flushes(final), closed]

    alike = [[u for u in part if u not in of_column and u not in stores] for part in (before, between)]
    arrays = [(u.dtype, copy.arg.replace("lane", str(columns.width))) for u, copy in kept.items()]
    arrays += [(u.dtype, f"{name}[{TILE_ROWS * columns.width}]") for u, name in tiles.items()]
    stores += [statement(f"{copy.arg} = {{0}};", u) for u, copy in kept.items()]
    alone = columns.together < iterations  # whether rows are left
    last_rows = [rows, *turn(), *lanes(from_tiles()), *flushes(rows), body[tails[0]]] if alone else []
    return [
        *uops[: begin + 1], *alike[0], *(statement(f"{type_name(kind)} {name};") for kind, name in arrays),
        *lanes(stores), *alike[1], *rows_together(), *last_rows, *body[tails[0] + 1 : tails[-1] + 1], *lanes(after),
        *uops[end:],
    ]  # fmt: skip


def replaced(part: Sequence[UOp], known: Mapping[UOp, UOp]) -> dict[UOp, UOp]:
    """A part in which these operations stand for others; they come first."""
    found = dict(known)
    for u in part:
        if u not in found:
            found[u] = u.replace(src=tuple(found.get(s, s) for s in u.src))
    return found


def statement(text: str, *operands: UOp) -> UOp:
    return UOp(Ops.CUSTOM, dtypes.void, operands, text)


def add_up(iterations: int, how: Combination, register: str) -> list[str]:
    """The statements that combine the partial results of columns after so many rows, or a block of them."""
    count, each = partial_sums(iterations), "for (int lane = 0; lane < lanes; lane++)"
    if count == 1:
        return []
    parts = [
        f"for (int i = 0; i < {half}; i++) {each} PART[i * WIDTH + lane] = PART[i * WIDTH + lane]"
        f" SIGN PART[(i + {half}) * WIDTH + lane];"
        for half in halves_of(count)
    ]
    parts += [
        f"{each} {register}[lane] = {register}[lane] SIGN PART[lane];",
        f"for (int i = 0; i < {count} * WIDTH; i++) PART[i] = IDENTITY;",
    ]
    return [how.write(p.replace("PART", PARTS[0] + register).replace("WIDTH", str(NARROW_WIDTH))) for p in parts]
