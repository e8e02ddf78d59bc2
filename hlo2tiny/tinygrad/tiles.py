"""Elementwise kernels that read a matrix across its rows: tiles of it are transposed first.

Eight rows of a tile become eight neighbours for each column, which compilers do by vectors, and what is written then is
adjacent. One element after the other, a compiler has no vectors, and a cache may keep the beginnings of all rows in the
same few of its lines.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import NamedTuple

from tinygrad.dtype import DType
from tinygrad.uop.ops import Ops, UOp

from .columns import NOT_UNROLLED, replaced, statement
from .kernel import Access, Kernel, KernelLoop, offsets_of, split_at_edges, trip_count_of
from .lowered import LoweredKernel
from .strips import body_of, sources, strips_of

# The columns and rows of a tile, and the fewest rows; a step of fewer numbers is one that compilers take by vectors.
# Numbers of eight bytes take as long one by one, unless a cache loses rows so many bytes apart, or for other loops.
SIDE, FEWEST, LEAST_STEP, CONFLICTING = 32, 16, 12, 1024
FILL = """TYPE NAME[SIDE * SIDE];
UNROLLEDfor (int group = 0; group < rows; group += 8) {{
const TYPE *from = {0} + group * STEP;
if (rows - group >= 8) {{
TYPE part[SIDE * 8];
UNROLLEDfor (int lane = 0; lane < lanes; lane++) {{ PARTS }}
UNROLLEDfor (int lane = 0; lane < lanes; lane++)
  __builtin_memcpy(NAME + lane * SIDE + group, part + lane * 8, 8 * sizeof(TYPE));
}} else for (int place = group; place < rows; place++, from += STEP)
UNROLLEDfor (int lane = 0; lane < lanes; lane++) NAME[lane * SIDE + place] = from[lane];
}}"""
ELEMENTS = "UNROLLEDfor (int lane = 0; lane < lanes; lane++)\nUNROLLEDfor (int place = 0; place < rows; place++) {{"


class Tiles(NamedTuple):
    """The numbers of the loops over the columns and the rows of matrices, and the loads of these, with their steps."""

    columns: int
    rows: int
    loads: dict[UOp, int]


def tiles_of(kernel: LoweredKernel) -> Tiles | None:
    """The tiles of an elementwise kernel whose innermost loop reads across the rows of a matrix."""
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
            pays = u.dtype.itemsize < 8 or step * 8 % CONFLICTING == 0 or along < last - 1
            if along < last and step >= LEAST_STEP and pays:
                found.setdefault(along, {})[u] = step
    if not found or (loops[last].iterations or 0) < FEWEST or strips_of(kernel) or split_at_edges(uops)[1]:
        return None
    return Tiles(max(found), last, found[max(found)])


def facts_of_tiles(kernel: Kernel, tiles: Tiles) -> Kernel:
    """The kernel whose loops over columns and rows are those over tiles, with two more in them."""
    sides, count, loops = [SIDE if n in tiles[:2] else 1 for n in range(tiles.rows + 1)], tiles.rows + 1, kernel.loops
    around = [loop._replace(iterations=-(-(loop.iterations or 0) // side)) for loop, side in zip(loops, sides)]

    def moved(access: Access) -> Access:
        first, *steps = access.offset or (0,)
        offset = (first, *(step * side for step, side in zip(steps, sides)), *(steps[n] for n in tiles[:2] if steps))
        return Access(access.buffer, count + 1 if access.loop == tiles.rows else access.loop, access.offset and offset)

    reads, writes = (tuple(map(moved, accesses)) for accesses in (kernel.reads, kernel.writes))
    inside = KernelLoop(SIDE, tiles.rows), KernelLoop(SIDE, count)
    return replace(kernel, loops=(*around, *inside), reads=reads, writes=writes)


def in_tiles(kernel: LoweredKernel, tiles: Tiles, type_name: Callable[[DType], str]) -> list[UOp]:
    """The UOps of a kernel with loops over tiles and, in these, over their elements."""
    uops, pair = kernel.uops, [kernel.ranges[n] for n in tiles[:2]]
    first, last = map(uops.index, pair)
    body = body_of(uops, pair[1])
    end = last + 1 + len(body)
    counts = {u: UOp.cconst(-(-(trip_count_of(u) or 0) // SIDE), u.src[0].dtype) for u in pair}
    blocks = {u: u.replace(src=(count, *u.src[1:])) for u, count in counts.items()}
    begins, places = (
        {u: UOp(Ops.CUSTOMI, u.dtype, u.src[:1], text) for u, text in zip(pair, texts)}
        for texts in (("column", "row"), ("(column + lane)", "(row + place)"))
    )
    inside = [u for u in (*uops[first + 1 : last], *body) if u.op not in (Ops.RANGE, Ops.END)]
    found = list[UOp]()
    for u, count in zip(pair, ("lanes", "rows")):
        text = f"const {type_name(u.dtype)} NAME = {{0}} * {SIDE}, COUNT = SIZE - NAME < {SIDE} ? SIZE - NAME : {SIDE};"
        text = text.replace("NAME", begins[u].arg).replace("COUNT", count).replace("SIZE", str(trip_count_of(u)))
        found.append(statement(text, blocks[u]))
    addresses = sources([u.src[0] for u in tiles.loads], inside)
    known = replaced([u for u in inside if u in addresses], begins)
    read = dict[UOp, UOp]()
    found += known.values()
    for n, (u, step) in enumerate(tiles.loads.items()):
        parts = " ".join(f"part[lane * 8 + {i}] = from[{i * step} + lane];" for i in range(8))
        names = {"PARTS": parts, "STEP": step, "SIDE": SIDE, "NAME": f"tile{n}", "TYPE": type_name(u.dtype)}
        text = FILL.replace("UNROLLED", NOT_UNROLLED)
        for name, value in names.items():
            text = text.replace(name, str(value))
        found.append(statement(text, known[u.src[0]]))
        read[u] = UOp(Ops.CUSTOM, u.dtype, pair[0].src[:1], f"tile{n}[lane * {SIDE} + place]")
    computed = replaced([u for u in inside if u not in read], places | read)
    needed = sources([u for u in body if u.op is Ops.STORE], inside, read)
    closed = replaced(uops[end:], blocks)
    return [
        *uops[:first], *counts.values(), *(blocks.get(u, u) for u in uops[first : last + 1] if u.op is Ops.RANGE),
        *found, statement(ELEMENTS.replace("UNROLLED", NOT_UNROLLED)), *places.values(),
        *(computed[u] for u in inside if u in needed), statement("}}"), *(closed[u] for u in uops[end:]),
    ]  # fmt: skip
