"""Elementwise kernels that read a matrix across its rows: tiles of it are transposed first.

Blocks of a tile are transposed in vectors, and what is written then is adjacent. One element after the other, a
compiler has no vectors, and a cache may keep the beginnings of all rows in the same few of its lines.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import NamedTuple

from tinygrad.dtype import DType
from tinygrad.uop.ops import Ops, UOp

from .columns import NOT_UNROLLED, replaced, statement
from .kernel import Access, Kernel, KernelLoop, offsets_of, split_at_edges, trip_count_of
from .lowered import LoweredKernel
from .strips import body_of, sources, strips_of

# The columns and rows of a tile, and the fewest rows; a step of fewer numbers is one that compilers take by vectors.
# The sides of the blocks that are transposed in vectors.
SIDE, FEWEST, LEAST_STEP = 32, 16, 12
BLOCKS = 16, 8, 4
LINE = 64  # bytes of a cache line
# The last blocks of a tile begin where they are whole, and write again what others have.
FILL = """{{ const UNIT *const from = (const UNIT *){0}; UNIT *const to = (UNIT *)(TARGET);
if (lanes >= BLOCK && rows >= BLOCK) {{
UNROLLEDfor (int lane = 0; lane < lanes; lane += BLOCK) {{
const int at = lane < lanes - BLOCK ? lane : lanes - BLOCK;
UNROLLEDfor (int place = 0; place < rows; place += BLOCK) {{
const int group = place < rows - BLOCK ? place : rows - BLOCK;
TURN(BLOCK, UNIT, from + ((int64)group * STEP + at), STEP, to + ((int64)at * APART + group), APART)
}} }}
}} else
UNROLLEDfor (int place = 0; place < rows; place++)
UNROLLEDfor (int lane = 0; lane < lanes; lane++) to[(int64)lane * APART + place] = from[(int64)place * STEP + lane];
}}"""
FILL_RUNS = """{{ const UNIT *const from = (const UNIT *){0}; UNIT *const to = (UNIT *)(TARGET);
UNROLLEDfor (int place = 0; place < rows; place++)
UNROLLEDfor (int lane = 0; lane < lanes; lane++)
__builtin_memcpy(to + ((int64)lane * APART + place * RUN), from + ((int64)place * STEP + lane * RUN), RUN * sizeof *to);
}}"""
UNITS = {1: "unsigned char", 2: "unsigned short", 4: "unsigned", 8: "uint64"}
ELEMENTS = "UNROLLEDfor (int lane = 0; lane < lanes; lane++)\nUNROLLEDfor (int at = row; at < row + rows; at++) {{"


class Tiles(NamedTuple):
    """The numbers of the loops over the columns and the rows of matrices, and the loads of these, with their steps.

    An element of a matrix may be a `run` of several numbers, over which the innermost loop goes.
    """

    columns: int
    rows: int
    loads: dict[UOp, int]
    run: int = 1


def tiles_of(kernel: LoweredKernel) -> Tiles | None:
    """The tiles of an elementwise kernel whose innermost loop reads across the rows of a matrix, or in which the loop
    around the innermost one does so, and a few numbers at a time are copied."""
    facts, uops, loops, last = kernel.facts, kernel.uops, kernel.facts.loops, len(kernel.facts.loops) - 1
    chain = all(loop.independent and loop.outer == (n - 1 if n else None) for n, loop in enumerate(loops))
    if last < 1 or not chain or kernel.is_open or kernel.registers or kernel.is_conditional or facts.updates:
        return None
    if any(access.loop != last for access in facts.writes) or kernel.passes_addresses:
        return None
    offsets, found = offsets_of(uops), dict[int, dict[UOp, int]]()
    for u in body_of(uops, kernel.ranges[last]):
        if u.op is Ops.LOAD and len(u.src) == 1 and u.src[0].op is Ops.INDEX and len(u.src[0].src) == 2:
            _, *steps, step = offsets.get(u.src[0].src[1]) or (0, 0)
            along = max((n for n, by in enumerate(steps) if by == 1 and (loops[n].iterations or 0) > 3), default=last)
            if along < last and step >= LEAST_STEP:
                found.setdefault(along, {})[u] = step
    tiles = Tiles(max(found), last, found[max(found)]) if found else runs_of(kernel, offsets)
    if tiles is None or (loops[tiles.rows].iterations or 0) < FEWEST or strips_of(kernel) or split_at_edges(uops)[1]:
        return None
    return tiles


def runs_of(kernel: LoweredKernel, offsets: Mapping[UOp, Sequence[int] | None]) -> Tiles | None:
    """The tiles of a kernel that copies parts of cache lines from where they are far apart."""
    loops, last, body = kernel.facts.loops, len(kernel.facts.loops) - 1, body_of(kernel.uops, kernel.ranges[-1])
    loads, run = [u for u in body if u.op is Ops.LOAD], loops[last].iterations or 0
    if len(loads) != 1 or last < 2 or not 1 < run * loads[0].dtype.itemsize < LINE:
        return None
    tiles = Tiles(last, last - 1, {loads[0]: 0}, run)
    if copied_to(kernel.uops, body, tiles) is None or loads[0].src[0].op is not Ops.INDEX or len(loads[0].src) > 1:
        return None
    _, *steps, step, within = offsets.get(loads[0].src[0].src[1]) or (0, 0, 0)
    columns = next((n for n, by in enumerate(steps) if by == run and (loops[n].iterations or 0) > 3), None)
    return None if columns is None or within != 1 else Tiles(columns, last - 1, {loads[0]: step}, run)


def facts_of_tiles(kernel: Kernel, tiles: Tiles) -> Kernel:
    """The kernel whose loops over columns and rows are those over tiles, with two more in them."""
    sides, count, loops = [SIDE if n in tiles[:2] else 1 for n in range(tiles.rows + 1)], tiles.rows + 1, kernel.loops
    inner = range(count, len(loops))
    around = [loop._replace(iterations=-(-(loop.iterations or 0) // side)) for loop, side in zip(loops, sides)]

    def moved(access: Access) -> Access:
        first, *steps = access.offset or (0,)
        within = (steps[n] for n in (*tiles[:2], *inner) if steps)
        offset = (first, *(step * side for step, side in zip(steps, sides)), *within)
        loop = access.loop
        return Access(access.buffer, loop if loop is None or loop < tiles.rows else loop + 2, access.offset and offset)

    reads, writes = (tuple(map(moved, accesses)) for accesses in (kernel.reads, kernel.writes))
    inside = [KernelLoop(side, tiles.rows + n) for n, side in enumerate((SIDE, SIDE, tiles.run)[: 2 + len(inner)])]
    return replace(kernel, loops=(*around, *inside), reads=reads, writes=writes)


def in_tiles(kernel: LoweredKernel, tiles: Tiles, type_name: Callable[[DType], str]) -> list[UOp]:
    """The UOps of a kernel with loops over tiles and, in these, over their elements."""
    uops, pair = kernel.uops, [kernel.ranges[n] for n in tiles[:2]]
    first, last = map(uops.index, pair)
    body = body_of(uops, pair[1])
    end = last + 1 + len(body)
    counts = {u: UOp.cconst(-(-(trip_count_of(u) or 0) // SIDE), u.src[0].dtype) for u in pair}
    blocks = {u: u.replace(src=(count, *u.src[1:])) for u, count in counts.items()}
    copied = copied_to(uops, body, tiles)  # where the whole tile is written as it is
    begins, places = (
        {u: UOp(Ops.CUSTOMI, u.dtype, u.src[:1], text) for u, text in zip(pair, texts)}
        for texts in (("column", "row"), ("(column + lane)", "at"))
    )
    inside = [u for u in (*uops[first + 1 : last], *body) if u.op not in (Ops.RANGE, Ops.END)]
    inner = {u: UOp(Ops.CUSTOMI, u.dtype, u.src[:1], "0") for u in body if u.op is Ops.RANGE}
    found = list[UOp]()
    for u, count in zip(pair, ("lanes", "rows")):
        size, name = trip_count_of(u) or 0, begins[u].arg
        whole = f"{size} - {name} < {SIDE} ? {size} - {name} : {SIDE}" if size % SIDE else SIDE
        text = f"const {type_name(u.dtype)} {name} = {{0}} * {SIDE}, {count} = {whole};"
        found.append(statement(text, blocks[u]))
    target, apart = copied or (None, SIDE)
    addresses = sources([u.src[0] for u in tiles.loads] + [target] * (copied is not None), inside)
    known = replaced([u for u in inside if u in addresses], begins | inner)
    read = dict[UOp, UOp]()
    found += known.values()
    for n, (u, step) in enumerate(tiles.loads.items()):
        most = min(LINE // u.dtype.itemsize, *(trip_count_of(loop) or 0 for loop in pair))
        block = next((side for side in BLOCKS if side <= most), 1)
        names = {"STEP": step, "APART": apart, "BLOCK": block, "UNIT": UNITS[u.dtype.itemsize], "RUN": tiles.run}
        text = (FILL if tiles.run == 1 else FILL_RUNS).replace("UNROLLED", NOT_UNROLLED)
        text = text.replace("TARGET", "{1}" if copied else f"tile{n}")
        for name, value in names.items():
            text = text.replace(name, str(value))
        if not copied:
            found.append(statement(f"{type_name(u.dtype)} tile{n}[{SIDE * SIDE}];"))
        found.append(statement(text, known[u.src[0]], *([known[target]] if copied else [])))
        read[u] = UOp(Ops.CUSTOM, u.dtype, pair[0].src[:1], f"tile{n}[lane * {SIDE} + (at - row)]")
    computed = replaced([u for u in inside if u not in read], places | read)
    needed = sources([u for u in body if u.op is Ops.STORE], inside, read)
    closed = replaced(uops[end:], blocks)
    elements = [
        statement(ELEMENTS.replace("UNROLLED", NOT_UNROLLED)), *places.values(),
        *(computed[u] for u in inside if u in needed), statement("}}"),
    ]  # fmt: skip
    return [
        *uops[:first], *counts.values(), *(blocks.get(u, u) for u in uops[first : last + 1] if u.op is Ops.RANGE),
        *found, *([] if copied else elements), *(closed[u] for u in uops[end:]),
    ]  # fmt: skip


def copied_to(uops: Sequence[UOp], body: Sequence[UOp], tiles: Tiles) -> tuple[UOp, int] | None:
    """The address that a kernel writes a tile's elements to, with the step of its columns; None if it computes any."""
    stores = [u for u in body if u.op is Ops.STORE]
    if len(stores) != 1 or stores[0].src[1] not in tiles.loads or len(tiles.loads) != 1:
        return None
    address = stores[0].src[0]
    offset = offsets_of(uops).get(address.src[1]) if address.op is Ops.INDEX and len(address.src) == 2 else None
    if offset is None or offset[tiles.rows + 1] != tiles.run or offset[-1] != 1:
        return None
    return address, offset[tiles.columns + 1]
