"""How a convolution is cut into pieces of work; see convolution.c."""

from __future__ import annotations

from math import prod

from ...ir.sizes import is_open, typical
from ...plan.convolution import ACROSS, COPIED, EACH, ITEMS, READ, Windows
from ...records import dataclass

# How much of a product's depth is multiplied at a time, after which the output is read again: where windows are copied,
# to a near cache, and where they are read in place.
PART_DEPTH, READ_DEPTH = 256, 768
# The most bytes of a panel's row, and how many output rows are multiplied together at most.
PANEL, ROWS = 256, 6
# The operations of a piece of work, the bytes of its table, and the number of pieces that keeps all threads busy.
PIECE, TABLE, PIECES = 1 << 22, 1 << 16, 16


@dataclass(frozen=True)
class Pieces:
    """The pieces of a convolution.

    Attributes:
        portion: the rows that the next kernel consumes at a time while this runs; 0 without such a kernel.
        width: the columns of a panel, if the kernel is packed.
    """

    windows: Windows
    portion: int = 0
    width: int = 0

    @property
    def item(self) -> int:
        return ITEMS[self.windows.letter]

    @property
    def part_depth(self) -> int:
        w = self.windows
        most = min(w.depth, READ_DEPTH if w.kind == READ else PART_DEPTH)
        return max(1, most // w.run) * w.run if w.run <= most and w.kind == READ else most

    @property
    def part_rows(self) -> int:
        """The rows of a piece of work, chosen so that all pieces are about equal."""
        w = self.windows
        if w.kind == ACROSS:
            return PANEL // self.item
        if w.kind == EACH:  # whole lines, whose output stays in a near cache
            line = w.dimensions[w.place_order[-1]].places
            rows = typical(w.rows)
            pieces = max(PIECES, rows * w.features * self.item // (2 * TABLE))
            most = -(-rows // (pieces * line)) * line
        else:
            columns = PANEL // self.item
            # Each piece copies its part of a kernel that is not packed: half the pieces copy half as much.
            enough = typical(w.rows) * -(-w.features // columns) // (2 * PIECES)
            least = 8 * ROWS if self.width or self.portion else min(24 * ROWS, max(8 * ROWS, enough))
            most = max(PIECE // (2 * w.depth * min(w.features, columns)), least)
            held = w.depth // w.run * 8 if w.kind == READ else self.part_depth * self.item
            most = max(ROWS, min(most, TABLE // held) // ROWS * ROWS)
        if self.portion:
            return -(-most // self.portion) * self.portion
        if w.kind == EACH or is_open(w.rows):
            return most
        return -(-w.rows // (-(-w.rows // most) * ROWS)) * ROWS

    @property
    def part_features(self) -> int:
        w = self.windows
        if self.portion or w.kind == EACH:
            return w.features
        if w.kind != ACROSS:
            width = self.width or PANEL // self.item
            return PANEL // self.item // width * width
        outer = prod(w.dimensions[d].places for d in w.outer)
        pieces = w.groups * typical(outer) * -(-typical(w.rows) // self.part_rows)
        return max(4, -(-w.features // (-(-PIECES // pieces) * ROWS))) * ROWS

    @property
    def scratch(self) -> int:
        """The scratch memory of a thread, in bytes."""
        w = self.windows
        size = self.part_depth * PANEL
        if w.kind == EACH:
            size = (10 + len(w.dimensions)) * w.depth * 8 + w.features * self.item
        elif w.kind == READ:
            runs = w.depth // w.run
            rows = -(-self.part_rows // ROWS) * ROWS
            size += (rows + len(w.dimensions) + 2) * runs * 8 + w.run * self.item
        elif w.kind == COPIED:
            size += self.part_rows * self.part_depth * self.item
        return -(-size // 64) * 64 + self.held

    @property
    def held(self) -> int:
        """The bytes of the output rows that a thread holds for the next kernel."""
        w = self.windows
        return -(-self.part_rows * w.features * self.item // 64) * 64 if self.portion else 0
