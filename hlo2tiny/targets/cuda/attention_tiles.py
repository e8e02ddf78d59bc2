"""Tiles of queries and keys whose scores are computed again, and what kernels of gradients ask about them."""

from __future__ import annotations

from collections.abc import Sequence
from math import prod

from ...plan.heads import Change, Gradients, Heads, Strides
from ...records import dataclass
from ...templates import fill
from .arranging import ALIGNED, distance
from .attention import (
    LEAST_ROUNDED,
    MASKS,
    WIDEST,
    Tiling,
    skips_steps,
    suits_rounding,
    write_change,
    write_number,
)
from .kernels import KernelParameter, aligned, read_code
from .operands import BYTES, KINDS, NAMES, TERMS, TOGETHER, offset_parameter

# The widest heads that are rounded for four warps, or whose scores are never stored.
WIDEST_HEADS = 256
# Blocks take so many others of rounded heads at a time, or more if there is room for one block only, and for these. A
# thread has room for so many numbers of own rows and of results.
OTHERS, MORE_OTHERS, ALONE, MOST_KEPT = 32, 64, range(65, 129), 192
# The rows that blocks take at a time, and how many steps of others they have in memory; fewer are only for blocks that
# have a processor alone.
TILINGS, LEAST_OF_TWO = ((64, 2), (64, 1), (32, 2), (32, 1), (16, 1)), 32
# The most columns of a gradient that a warp computes beside scores of 64 others, by the bytes of a number.
MOST_COLUMNS = {2: WIDEST, 4: WIDEST // 2}
# The bytes of shared memory that a processor has for two blocks, by the kind of GPU, and that one may have.
SHARED = {"sm_80": (80 << 10, 160 << 10), "sm_90": (112 << 10, 224 << 10), "sm_100": (112 << 10, 224 << 10)}
LEAST_SHARED = 46 << 10, 96 << 10
# With fewer blocks, several share the others, of which each takes so many steps.
ENOUGH_BLOCKS, LEAST_STEPS, MOST_SHARES = 264, 2, 32
# Blocks look up which steps to take if there are at most so many.
MOST_STEPS = 1 << 11


@dataclass(frozen=True)
class GradientTiling:
    """Blocks have `tile` rows, and `step` others in `stages` places; a warp computes so many columns of each gradient.

    All operands may lie `in_tiles`, rounded to TF32 first; if they are `rounded` for that, four warps multiply them
    together. Gradients of keys and values are computed `together` if there is room.
    """

    tile: int
    stages: int
    step: int
    depth_chunk: int
    width_chunk: int
    in_tiles: bool = False
    rounded: bool = False
    together: bool = True

    @classmethod
    def of(cls, g: Gradients, arch: str, exact: bool, rounds: bool = True) -> GradientTiling:
        """The largest tiles with which two blocks fit on a processor, or one."""
        h, sizes = g.heads, (g.heads.depth, g.heads.width)
        widest = max(sizes)
        in_tiles = rounds and g.element == "f32" and not exact and min(h.rows, h.keys) >= LEAST_ROUNDED
        if in_tiles and widest <= WIDEST_HEADS and suits_rounding(h, exact, arch):
            step = MORE_OTHERS if widest in ALONE else OTHERS
            kept = aligned(widest, TERMS) // 2 + -(-sum(-(-n // TOGETHER) for n in sizes) // 2) * 32
            return cls(TOGETHER, 2, step, *sizes, True, True, kept <= MOST_KEPT)
        usual, most = SHARED.get(arch, LEAST_SHARED)
        tilings = [each for each in TILINGS if shared_bytes(g, *each) <= most]
        of_two = (each for each in tilings[:2] if shared_bytes(g, *each) <= usual and each[0] >= LEAST_OF_TWO)
        tile, stages = next(of_two, tilings[0])
        multiple = TOGETHER if tile == TOGETHER else ALIGNED * 2
        # A warp has registers for so many columns of a gradient; four at least keep a processor busy.
        most_columns = MOST_COLUMNS[BYTES[g.element]] if tile == TOGETHER else WIDEST
        chunks = max(-(-widest // most_columns), TOGETHER // tile)
        depth_chunk, width_chunk = (aligned(-(-n // chunks), multiple) for n in sizes)
        return cls(tile, stages, tile, depth_chunk, width_chunk, in_tiles)

    def shared_bytes(self, g: Gradients) -> int:
        """The bytes of a block's memory."""
        if not self.rounded:
            return shared_bytes(g, self.tile, self.stages)
        # Own rows go on to registers; what both products become takes place, and so does what is exchanged.
        return (tile_bytes(g, self.step) + 12 * self.step) * self.stages + 3 * 4 * self.tile * self.step

    @property
    def queries(self) -> Tiling:
        """How attention would distribute as many queries and keys at a time."""
        return Tiling(1, self.tile // 16, 1, self.tile, staged=True)

    def shares(self, h: Heads, of_keys: bool) -> int:
        """How many blocks with the same rows take shares of the others, so that there are enough blocks."""
        own, others = (h.keys, h.rows) if of_keys else (h.rows, h.keys)
        return shares_of(prod(h.sizes) // h.rows * -(-own // self.tile), -(-others // self.tile))

    def skips(self, h: Heads) -> bool:
        """Whether blocks leave out others whose scores masks replace, where that changes nothing."""
        return skips_steps(h, self.queries) and max(h.rows, h.keys) <= MOST_STEPS * self.tile


def shares_of(blocks: int, steps: int) -> int:
    """How many blocks take a share of so many steps each, in place of one of so many blocks."""
    return max(1, min(ENOUGH_BLOCKS // blocks, steps // LEAST_STEPS, MOST_SHARES))


def tile_bytes(g: Gradients, tile: int) -> int:
    """The bytes of queries and their cotangents, or of keys and values, in a block's memory."""
    return tile * 128 * sum(-(-size // (128 // BYTES[g.element])) for size in (g.heads.depth, g.heads.width))


def shared_bytes(g: Gradients, tile: int, stages: int) -> int:
    # A chunk's last columns may lie behind.
    is_cut = max(g.heads.depth, g.heads.width) > MOST_COLUMNS[BYTES[g.element]]
    return tile_bytes(g, tile) * (1 + stages) + tile * (12 * stages + 128 * is_cut)


def row_place(h: Heads, strides: Strides, is_key: bool) -> str:
    """Where a row of queries or of keys is."""
    outer, rank = len(h.sizes) - h.shared, len(h.sizes)
    return f"row * {strides[rank]}ll" if is_key else distance("row", h.sizes[outer:], strides[outer:rank])


def place_text(name: str, where: str) -> str:
    """A function that says where a row of an operand, a query or a key, is."""
    return f"auto {name}_place = [&](int row) -> long long {{ return {where}; }};"


def buffers_of(h: Heads) -> list[tuple[str, Change, Strides]]:
    """The names, changes and strides of the buffers that change scores."""
    return [(f"b{i}", c, c.strides or ()) for i, c in enumerate(c for c in h.changes if c.strides is not None)]


def tiles_text(memory: str) -> str:
    parts = {"floats": read_code("floats.cu"), "apart": read_code("apart.cu"), "memory": memory}
    return fill(read_code("attention_tiles.cu"), parts)


def read_parameters(g: Gradients, asked: Sequence[str]) -> tuple[KernelParameter, ...]:
    """What kernels of gradients read, with what they ask about masks."""
    h = g.heads
    pointers = [*zip(h.types, "qkv"), *((c.element, name) for name, c, _ in buffers_of(h))]
    return (
        *(KernelParameter(f"{NAMES[kind]}* __restrict__", name, False) for kind, name in pointers),
        *(offset_parameter(f"i{i}", x) for i, x in enumerate(h.offsets)),
        KernelParameter(f"{NAMES[g.element]}* __restrict__", "cotangents", False),
        KernelParameter("float* __restrict__", "statistics", False),
        *(KernelParameter("unsigned char* __restrict__", name, False) for name in asked),
    )


def read_text(name: str, own: str, other: str) -> str:
    """A function that reads what changes the score of one of a lane's two own rows and another row."""
    places = f"const long long {name}_at[2] = {{{own}_place(rows[0]), {own}_place(rows[1])}};"
    return (
        f"{places}\nauto {name}_read = [&](int i, int other) {{ return {name}[{name}_at[i] + {other}_place(other)]; }};"
    )


def write_changes(h: Heads, before: int = 0) -> tuple[list[str], list[str]]:
    """How a score is changed, and how the gradient of the changed one becomes that before one of the changes."""
    written, undone, number = list[str](), list[str](), 0
    for place, change in enumerate(h.changes):
        read, number = f"b{number}_read(i, other)", number + (change.strides is not None)
        guard = "if (masked.count) " * (change.kind in MASKS)
        written.append(guard + write_change(read, change) + " tangent = x;" * (change.kind == "tanh"))
        undone[:0] = [guard + undo(change, read)] * (place >= before)
    return written, undone


def write_store(
    name: str, found: str, rows: str, first: str, columns: int, strides: Sequence[int], element: str
) -> str:
    """The call that stores columns from the first one on; two at once where they are adjacent and aligned.

    `rows` are the number of a warp's tile of rows, and how many rows there are.
    """
    *apart, step = strides
    is_vector = step == 1 and not any(n % 2 for n in (*apart, columns))
    count, kind = f"Count<sizeof {found} / 16>()", f"Count<{KINDS[element]}>()"
    given = f"{rows}, {name}, {kind}, {name}_place, {first}, {columns}, {step}ll, {str(is_vector).lower()}"
    return f"store({count}, {found}, {given});"


def undo(change: Change, read: str) -> str:
    """How the gradient of a changed score becomes that of the score."""
    match change.kind:
        case "multiply":
            return f"y *= {write_number(change.number)};"
        case "divide":
            return f"y /= {write_number(change.number)};"
        case "tanh":
            return "y *= 1 - tangent * tangent;"
        case "keep":
            return f"y = {read} ? y : 0;"
        case "drop":
            return f"y = {read} ? 0 : y;"
    return ""
