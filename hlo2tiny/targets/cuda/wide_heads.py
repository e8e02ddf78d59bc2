"""Attention of wide heads where no four warps multiply together: before Hopper, of few queries, and as exact as f32.

A warp has all numbers of the results of 16 queries, and keys and values are in the block's memory, as many as fit.
"""

from __future__ import annotations

from dataclasses import replace
from math import prod

from ...plan.heads import Heads, Strides
from ...plan.plan import Attention
from ...records import dataclass
from ...templates import fill
from .arranging import ALIGNED, Arranged, distance
from .attention import (
    LEAST_ROUNDED,
    STATISTICS,
    WIDEST,
    KeySteps,
    Tiling,
    has_room,
    narrow_kind,
    needs_exact,
    replaced_scores,
    shares_kernel,
    skips_steps,
    suits_rounding,
    suits_stages,
    write_number,
)
from .attention_tiles import (
    LEAST_SHARED,
    MOST_STEPS,
    SHARED,
    WIDEST_HEADS,
    buffers_of,
    place_text,
    read_text,
    row_place,
    shares_of,
    tiles_text,
    write_changes,
    write_store,
)
from .kernels import WARP, CudaKernel, KernelParameter, aligned, constants_text, read_code, shared_text
from .operands import BYTES, NAMES, TOGETHER, Rounding, begin, copy, is_aligned, offset_parameter, read_copies
from .stored_scores import LEAST, LEAST_SCORES

# Heads of up to so many numbers are for attention.py, as are as few queries, keys and scores as in stored_scores.py.
NARROW_HEADS = 64
# The queries of a block, and how many keys it takes at a time, of which those of two blocks fit on a processor, or of
# one. Threads have no room for so many scores of f32 beside results of more than 128 numbers.
QUERIES, STEPS, LEAST_OF_TWO, MOST_WIDE = 64, (64, 32, 16), 32, 32


@dataclass(frozen=True)
class WideTiling:
    """Blocks of a kind of GPU take `step` keys at a time, and `shares` of them take the same queries."""

    step: int
    shares: int

    @classmethod
    def of(cls, h: Heads, arch: str) -> WideTiling:
        usual, most = SHARED.get(arch, LEAST_SHARED)
        steps = [n for n in STEPS if h.types[0] != "f32" or h.width <= WIDEST or n <= MOST_WIDE]
        of_two = (n for n in steps if n >= LEAST_OF_TWO and shared_bytes(h, n) <= usual)
        step = next(of_two, 0) or next(n for n in steps if shared_bytes(h, n) <= most)
        return cls(step, shares_of(prod(h.sizes) // h.rows * -(-h.rows // QUERIES), -(-h.keys // step)))

    @property
    def queries(self) -> Tiling:
        """How attention.py would call it."""
        return Tiling(1, QUERIES // 16, 1, self.step, self.shares, staged=True)

    def skips(self, h: Heads) -> bool:
        """Whether blocks leave out keys whose scores masks replace, where that changes nothing."""
        return skips_steps(h, self.queries) and h.keys <= MOST_STEPS * self.step


def shared_bytes(h: Heads, step: int) -> int:
    """The bytes of a block's memory: of queries, of so many keys, and of as many values."""
    depth, width = (-(-size * BYTES[h.types[0]] // 128) * 128 for size in (h.depth, h.width))
    return (QUERIES + step) * depth + step * width


def suits(h: Heads, exact: bool, arch: str) -> bool:
    """Whether heads are wide, and scores as many, and computed as, as this is for."""
    widest = max(h.depth, h.width)
    if not NARROW_HEADS < widest <= WIDEST_HEADS or not h.shared or h.usual:
        return False
    if (suits_stages(h, exact) and (has_room(h, arch) or widest <= WIDEST)) or suits_rounding(h, exact, arch):
        return False
    if not narrow_kind(h, exact) and {*h.types[:3], *h.rounded} != {"f32"}:
        return False
    return min(h.keys, max(h.sizes[-h.shared :])) >= LEAST and prod(h.sizes) * h.keys >= LEAST_SCORES


def arrange(step: Attention, arch: str = "") -> Arranged | None:
    """The kernels of a step, after copies of operands, rounded or aligned; None if those of attention.py are for it."""
    h, exact, last, results = step.heads, needs_exact(step), len(step.inputs), len(step.outputs)
    if not suits(h, exact, arch):
        return None
    numbers, before, temporaries = [*range(last + results)], list[CudaKernel](), list[int]()

    def temporary(size: int) -> int:
        temporaries.append(size)
        return last + results + len(temporaries) - 1

    t, in_tiles, copies = WideTiling.of(h, arch), is_in_tiles(h, exact), dict[int, Strides]()
    longest = max(range(len(h.sizes)), key=lambda d: h.sizes[d] if h.queries[d] else 0)
    for operand in range(3):
        if in_tiles:
            rounding = Rounding(h, operand, t.step)
            copies[operand], size = rounding.layout(False)
            numbers[operand] = temporary(size)
            before.append(rounding.kernel(operand, numbers[operand], False))
        elif not is_aligned(h, operand):
            numbers[operand] = temporary(0)
            rows = len(h.sizes) if operand else longest
            kernel, copies[operand], temporaries[-1] = copy(h, operand, numbers[operand], rows)
            before.append(kernel)
    (h, gone), after = read_copies(h, copies), list[CudaKernel]()
    if t.shares > 1:
        numbers[last] = temporary(4 * t.shares * prod(h.sizes) * (h.width + 2))
        buffers = numbers[last], *range(last, last + results)
        after = [shares_kernel(h, exact, t.shares, step.statistics, buffers)]
    given, asked = [n for n in numbers if n not in gone], list[int]()
    if t.skips(h):
        steps = KeySteps.of(h, t.queries, in_tiles)
        for count, find in ((steps.of_masks, steps.mask_kernel), (steps.of_values, steps.value_kernel)):
            asked.append(temporary(count))
            before.append(find(h, given, asked[-1]))
    kernel = replace(kernel_of(h, exact, t, step.statistics), buffers=(*given, *asked))
    return Arranged((*before, kernel, *after), tuple(temporaries))


def is_in_tiles(h: Heads, exact: bool) -> bool:
    """Whether operands are rounded to TF32 first, and lie in tiles."""
    return h.types[0] == "f32" and not exact and h.rows >= LEAST_ROUNDED


def kernel_of(h: Heads, exact: bool, t: WideTiling, statistics: tuple[Strides, ...]) -> CudaKernel:
    """The kernel whose arguments are queries, keys, values, what changes scores, offsets, results, and statistics.

    If there are several shares, results are partial ones, without statistics.
    """
    outer, batches, narrow, skips = len(h.sizes) - h.shared, prod(h.sizes) // h.rows, narrow_kind(h, exact), t.skips(h)
    tiles, changes, found = -(-h.rows // QUERIES), buffers_of(h), dict(zip(STATISTICS, statistics))
    width = aligned(h.width, TOGETHER if narrow and t.step == TOGETHER else 2 * ALIGNED)
    memory, asked = shared_text(shared_bytes(h, t.step), "memory", 1024)
    constants = {
        "TILE": t.step, "CHUNKS": QUERIES // t.step, "SHARES": t.shares, "NARROW": narrow, "ROWS": h.rows,
        "KEYS": h.keys, "BATCHES": batches, "DEPTH": h.depth, "WIDTH": h.width, "COLUMNS": width // 8,
    }  # fmt: skip
    flags = {"EXACT": exact, "SHIFTED": h.shifted, "SKIPS": skips, "IN_TILES": is_in_tiles(h, exact)}
    highest = replaced_scores(h)[0]
    strides = {"q": h.queries, "k": h.key, "v": h.values, **{name: s for name, _, s in changes}}
    if t.shares == 1:
        strides |= {"out": h.results, **{f"{name}_found": s for name, s in found.items()}}
        known = {"sums": "sum[i]", "highest": "most[i]"}
        stated = [f"{name}_found[{name}_found_place(row)] = {known[name]};" for name in found]
        store = write_store("out", "results", "own_tile, ROWS", "0", h.width, h.results, h.types[3])
    else:
        line = f"(((long long)blockIdx.y * BATCHES + batch) * ROWS + row) * {h.width + 2}"
        stated = [f"out[{line}] = most[i], out[{line} + 1] = sum[i];"]
        store = write_store("out", "results", "own_tile, ROWS", "0", h.width, (h.width + 2, 1), "f32")
    starts = [f"{name} += {distance('batch', h.sizes[:outer], s[:outer])};" for name, s in strides.items()]
    starts += [text for operand, name in enumerate("qkv") for text in begin(h, operand, name)]
    none = ["const unsigned char *const of_masks = 0, *const of_values = 0;"]
    starts += KeySteps.of(h, t.queries).starts() if skips else none
    places = [place_text(name, row_place(h, s, name in ("k", "v"))) for name, s in strides.items()]
    places += [place_text(f"{name}_key", row_place(h, s, True)) for name, _, s in changes]
    if t.shares > 1:
        places.append(place_text("out", f"{line} + 2"))
    parts = {
        "tiles": [tiles_text(memory)],
        "starts": starts,
        "places": places,
        "row_starts": [read_text(name, name, f"{name}_key") for name, *_ in changes],
        "changes": write_changes(h)[0],
        "statistics": stated,
        "store": [store],
    }
    text = [
        constants_text({"int": constants, "bool": flags}),
        f"const float REPLACED = {write_number(highest)};",
        fill(read_code("wide_heads.cu"), {name: "\n".join(lines) for name, lines in parts.items()}),
    ]
    pointers = [*zip(h.types, "qkv"), *((c.element, name) for name, c, _ in changes)]
    stored = NAMES[h.types[3]] if t.shares == 1 else "float"
    parameters = (
        *(KernelParameter(f"{NAMES[kind]}* __restrict__", name, False) for kind, name in pointers),
        *(offset_parameter(f"i{i}", x) for i, x in enumerate(h.offsets)),
        KernelParameter(f"{stored}* __restrict__", "out"),
        *(KernelParameter("float* __restrict__", f"{name}_found") for name in found),
        *(KernelParameter("unsigned char* __restrict__", name, False) for name in ("of_masks", "of_values") if skips),
    )
    (item, stored_item), keys = (BYTES[h.types[n]] for n in (0, 3)), batches * h.keys
    moved = item * (h.depth + h.width) * keys + prod(h.sizes) * (item * h.depth + stored_item * h.width)
    return CudaKernel(
        "attention", parameters, "\n".join(text), (), (batches * tiles, t.shares, 1), (WARP * QUERIES // 16, 1, 1),
        False, tuple(range(len(parameters))), h.flops, moved, alone=True, shared=asked, at_once=1,
    )  # fmt: skip
