"""Long sums are those of blocks: one term after the other, the last ones would lose digits.

A product of blocks would have no more digits, and fewer if its factors are near 1: each block begins with 1 again. How
many terms a block has depends on nothing but how many there are, and on how a loop reads them.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from typing import NamedTuple

from tinygrad.dtype import AddrSpace, dtypes
from tinygrad.uop.ops import Ops, UOp

from .kernel import offsets_of, trip_count_of

# The most terms of a block: adjacent ones, which vectors add up, with a partial sum in each lane; others, of which they
# may not; those that are added one after the other; and those in an order that their number decides, in partial sums.
ADJACENT, APART, ALONE, IN_ORDER = 2048, 512, 128, 8192
FEWEST_ADJACENT = 16  # terms of a loop that vectors add up
# So many iterations of a loop around that of blocks are added up one after the other.
MOST_TOTALS = 64


class Blocks(NamedTuple):
    """The blocks of a loop: how many iterations each has, and the registers of the sums that each begins anew.

    Other loops may be in an outer one.
    """

    length: int
    registers: tuple[UOp, ...]
    is_outer: bool


def blocks_of(
    uops: Sequence[UOp],
    terms: Collection[UOp],
    longest: Mapping[UOp, int],
    usual: int,
    begins: Mapping[UOp, int],
    apart: Collection[UOp] = (),
) -> dict[UOp, Blocks]:
    """The loops that add more terms to registers, by some statements, than a block has; those `apart` stay as they are.

    A block has at most `usual` terms, or the `longest` of a loop in it. A loop begins at 0, or at what `begins` says.
    """
    found, around = dict[UOp, Blocks](), [SumsOfLoop()]
    for u in uops:
        if u.op is Ops.RANGE:
            around.append(SumsOfLoop())
        elif u.op in (Ops.LOAD, Ops.STORE):
            register = u.src[0].buf_uop
            around[-1].accesses[register] += 1
            if u in terms:
                around[-1].statements[register] += 1
                around[-1].added[register] += 1
        elif u.op is Ops.END:
            loop, level = next(s for s in u.src if s.op is Ops.RANGE), around.pop()
            level.longest = level.longest if level.is_outer else longest.get(loop, usual)
            sums = [x for x, count in level.statements.items() if level.accesses[x] == 2 * count]
            count = trip_count_of(loop)
            count = None if count is None else count - begins.get(loop, 0)
            each = max((level.added[x] for x in sums), default=0)
            if loop in apart or loop.dtype is dtypes.void:
                each, count, level.longest = 1, 1, MOST_TOTALS
            elif sums and (count is None or each * count > level.longest):
                found[loop] = Blocks(max(1, level.longest // each), tuple(sums), level.is_outer)
                each, count, level.longest = 1, 1, MOST_TOTALS  # as what additions of blocks lose is added at the end
            around[-1].is_outer = True
            around[-1].longest = max(around[-1].longest, level.longest)
            around[-1].accesses.update(level.accesses)
            around[-1].statements.update(level.statements)
            around[-1].added.update(dict.fromkeys(sums, each * (count or 0)))
    return found


class SumsOfLoop:
    """What a loop has: how many numbers its statements add to each register in one iteration, one by one."""

    def __init__(self) -> None:
        self.longest, self.is_outer = 0, False
        self.accesses, self.statements, self.added = Counter[UOp](), Counter[UOp](), Counter[UOp]()


def steps_of(uops: Sequence[UOp]) -> dict[UOp, set[int | None]]:
    """How far apart innermost loops read in neighbouring iterations; None if a place is not linear in these."""
    ranges, found, loop = [u for u in uops if u.op is Ops.RANGE], dict[UOp, set[int | None]](), None
    offsets = offsets_of(uops)
    for u in uops:
        if u.op is Ops.RANGE:
            if loop is not None:
                del found[loop]
            loop, found[u] = u, set()
        elif u.op is Ops.END:
            loop = None
        elif u.op is Ops.LOAD and loop is not None and u.src[0].buf_uop.addrspace is not AddrSpace.REG:
            address = u.src[0]
            offset = offsets.get(address.src[1]) if address.op is Ops.INDEX else None
            found[loop].add(None if offset is None else offset[ranges.index(loop) + 1])
    return found


def are_adjacent(loop: UOp, steps: Collection[int | None]) -> bool:
    """Whether vectors add up what a loop reads."""
    return (trip_count_of(loop) or FEWEST_ADJACENT) >= FEWEST_ADJACENT and all(step in (0, 1) for step in steps)
