"""Products with small results in a kernel of our own: of many small matrices, and of long sums for items of a batch.

A library has a block for each matrix of a batch, however small, and splits no sums of a batch: on an H200, cuBLASLt
takes 42 µs for 8192 products of 5x50 by 50x5, 163 µs for 8 of 64x16000 by 16000x64, and 287 µs for 1500 of 8x3360 by
3360x8, which are read in half of that.
"""

from __future__ import annotations

from dataclasses import replace
from math import gcd, prod
from typing import NamedTuple

from ...templates import fill
from .arranging import Arranged, distance
from .few_rows import BYTES, add_parts, endings
from .in_order import ITEMS, PACK, ROUNDED, TYPES
from .kernels import THREADS, CudaKernel, KernelParameter, aligned, constants_text, read_code
from .operands import KINDS
from .products import CudaMatrix, ProductSpec

# The rows and columns that a thread adds up, and the most of a block, and the bytes of the terms that this keeps.
SIDE, TILE, KEPT = 4, 64, 18 << 10
# Many small matrices: the most rows and columns, and the fewest of them; their terms are kept whole.
MOST, LEAST_ITEMS = 16, 256
# Long sums: the most numbers of a result, in whole tiles, the fewest terms, and those of a part of them. With so many
# blocks a GPU is busy. Without a batch, the library splits sums itself.
MOST_RESULTS, LEAST_TERMS, LEAST_OF_PART, BUSY, LEAST_BATCH = 1 << 17, 1 << 11, 128, 528, 2
# Of narrow numbers, the library multiplies many matrices with more results than so many by so many faster.
NARROW_SIDE = 8
# How many terms of a row threads beside each other read: they would store more to the same banks of a block's memory.
BESIDE = 32


class StagedOperand(NamedTuple):
    """How a block reads its part of an operand.

    Attributes:
        name: that of the operand.
        strides: how far its matrices are apart, along each dimension of the batch.
        lines, terms: how many rows of A, or columns of B, there are, and how many terms.
        steps: from one of each to the next.
        tile, kept: how many of each a block keeps.
    """

    name: str
    strides: tuple[int, ...]
    lines: int
    terms: int
    steps: tuple[int, int]
    tile: int
    kept: int

    @property
    def along(self) -> bool:
        """Whether terms are along its rows."""
        return self.steps[1] == 1 and (self.terms > 1 or self.steps[0] != 1)

    @property
    def step(self) -> int:
        """How far terms are apart in a block's memory: those of long rows begin in different banks."""
        count = -(-self.tile // SIDE)
        return SIDE * (count | 1 if count > 2 or self.along else count)

    def text(self, batch: tuple[int, ...], together: int, threads: int, item: int, first: str, begin: str) -> str:
        """Functions that read some terms of a tile, and that store them with the numbers of a term side by side."""
        along = self.along
        steps = self.steps[::-1] if along else self.steps
        sizes, tile = (self.lines, self.terms), (self.tile, self.kept)
        inner, size = (tile[1], sizes[1]) if along else (tile[0], sizes[0])
        once = gcd(BYTES // item, size, inner, steps[1], *self.strides) if steps[0] == 1 else 1
        across, down = inner // once, tile[0] if along else tile[1]
        packs, beside = across * down, gcd(across, BESIDE // once) if along else across
        count, x = -(-together * packs // threads), self.name
        places = ("outer", "inner") if along else ("inner", "outer")
        step = f"line * {self.steps[0]}ll + (k + term) * {self.steps[1]}ll"
        to = f"({places[1]}{' + n' * along}) * {self.step} + {places[0]}{' + n' * (not along)}"
        head = f"""for (int number = 0; number < {count}; number++) {{
    const int i = number * {threads} + threadIdx.x, in_item = i % {packs}, slot = i / {packs};
    const int inner = (in_item / {beside * down} * {beside} + in_item % {beside}) * {once};
    const int outer = in_item / {beside} % {down};
    if (slot >= {together}) break;"""
        return f"""typedef Pack<Element, {once}> Read_{x};
Read_{x} {x}_read[{count}];
auto read_{x} = [&](int k) {{
#pragma unroll
  {head}
    const int line = {first} + {places[0]}, term = {places[1]}, item = first_item + slot;
    const bool exists = item < BATCH && line < {self.lines} && k + term < end;
    const Element *const from = {x} + {distance("item", batch, self.strides)} + {step};
    {x}_read[number] = exists ? *(const Read_{x} *)from : Read_{x}{{}};
  }}
}};
auto store_{x} = [&]() {{
#pragma unroll
  {head}
#pragma unroll
    for (int n = 0; n < {once}; n++) memory[slot * SIZE + {begin} + {to}] = wide({x}_read[number].values[n]);
  }}
}};"""


def arrange_small(s: ProductSpec) -> Arranged | None:
    """The kernel of products of many small matrices; None if they are not that many, or not that small."""
    if not fits(s) or max(s.m, s.n) > MOST or prod(s.batch) < LEAST_ITEMS:
        return None
    size = s.k * size_of_term(s)
    units = -(-s.m // SIDE) * -(-s.n // SIDE)
    return None if size > KEPT else multiply(s, s.k, max(1, min(2 * KEPT // size, THREADS // units)), 1, THREADS // 2)


def arrange_long(s: ProductSpec) -> Arranged | None:
    """The kernels of products with long sums: of parts of these, and one that adds them up; None for others."""
    items, tiles = prod(s.batch), -(-s.m // TILE) * -(-s.n // TILE)
    results = items * tiles * min(TILE, aligned(s.m, SIDE)) * min(TILE, aligned(s.n, SIDE))
    if not fits(s) or items < LEAST_BATCH or (s.k < LEAST_TERMS and items < LEAST_ITEMS):
        return None
    is_busy = 4 * items * tiles > BUSY
    if items >= LEAST_ITEMS and s.narrow and min(s.m, s.n) > NARROW_SIDE:
        return None
    if max(s.m, s.n) > MOST and (is_busy or results > MOST_RESULTS or s.k < LEAST_TERMS):
        return None
    parts = min(-(-BUSY // (items * tiles)), s.k // LEAST_OF_PART) if s.k >= LEAST_TERMS else 1
    of_part, most = -(-s.k // parts), KEPT // size_of_term(s) // 8 * 8
    terms = aligned(-(-of_part // -(-of_part // most)), 8)
    return multiply(s, terms, 1, parts, THREADS if parts > 1 else THREADS // 2)


def fits(s: ProductSpec) -> bool:
    return s.letter in "sd" and (s.narrow or "f32") in ITEMS and not s.other


def size_of_term(s: ProductSpec) -> int:
    """The bytes of a term in the memory of a block."""
    return sum(x.step for x in staged_operands(s, 1)) * ITEMS["f64" if s.letter == "d" else "f32"]


def staged_operands(s: ProductSpec, terms: int) -> tuple[StagedOperand, StagedOperand]:
    """How a block reads so many terms of A and of B at a time."""

    def staged(name: str, x: CudaMatrix, lines: int, is_b: bool) -> StagedOperand:
        steps = (1, x.leading) if x.transposed != is_b else (x.leading, 1)
        return StagedOperand(name, x.batch, lines, s.k, steps, min(lines, TILE), terms)

    return staged("a", CudaMatrix(*s.a), s.m, False), staged("b", CudaMatrix(*s.b), s.n, True)


def multiply(s: ProductSpec, terms: int, together: int, parts: int, most_threads: int) -> Arranged:
    """The kernel of a product, of which a block has so many items, and terms at a time, and one that adds up parts."""
    wide = "f64" if s.letter == "d" else "f32"
    element, items = s.narrow or wide, prod(s.batch)
    whole, (leading, strides) = s, s.storage
    terms_of_part = -(-s.k // (parts * terms)) * terms
    parts = -(-s.k // terms_of_part)
    if parts > 1:
        s = replace(s, bias=False, added=False, twice=False, relu=False, result="", stored=None)
        leading, strides = s.storage
    result = s.result or wide
    a, b = staged_operands(s, terms)
    units = -(-a.tile // SIDE) * -(-b.tile // SIDE)
    shares = max(1, min(most_threads // (units * together), terms // SIDE))
    threads = max(units * together * shares, most_threads)
    counts = [-(-x.lines // x.tile) for x in (a, b)]
    constants = {
        "M": s.m, "N": s.n, "K": s.k, "BATCH": items, "ITEMS": together, "SHARES": shares, "PARTS": parts,
        "TERMS": terms, "TERMS_OF_PART": terms_of_part, "SIDE": SIDE, "TILE_A": a.tile, "TILE_B": b.tile,
        "TILES_A": counts[0], "TILES_B": counts[1], "LINE_A": aligned(a.tile, SIDE), "LINE_B": aligned(b.tile, SIDE),
        "STEP_A": a.step, "STEP_B": b.step, "THREADS": threads, "KIND": KINDS.get(element, 0),
        "ADDENDS": s.bias + s.added,
    }  # fmt: skip
    size, addends = ITEMS[element], endings(s, False)
    start = f"part * {items * s.m * s.n}ll + {distance('item', s.batch, strides)}"
    made = {
        "operands": "\n".join((
            a.text(s.batch, together, threads, size, "first_row", "0"),
            b.text(s.batch, together, threads, size, "first_column", "TERMS * STEP_A"),
        )),
        "start": start,
        "addends": ", ".join(addends[0]),
        "finish": "\n".join([*addends[1], f"c[to] = {ROUNDED.get(s.result, 'x')};"]),
    }  # fmt: skip
    text = [
        constants_text({"int": constants, "long long": {"C_ROW": leading, "C_COLUMN": 1}}),
        f"typedef {TYPES[element]} Element; typedef {TYPES[wide]} Number;",
        fill(read_code("small_results.cu"), made),
    ]
    names = ["bias"] * s.bias + ["added"] * s.added
    of_more = TYPES[result if s.twice else wide]
    parameters = (
        *(KernelParameter(f"{TYPES[element]}* __restrict__", name, False) for name in "ab"),
        *(KernelParameter(f"{of_more}*", name, False) for name in names),
        KernelParameter(f"{TYPES[result]}*", "c"),
    )
    operands = 2 + whole.bias + whole.added
    buffers = (*range(2 + len(names)), operands + (parts > 1))
    moved = items * (s.k * (s.m + s.n) * size + parts * s.m * s.n * ITEMS[result])
    blocks = -(-items // together) * counts[0] * counts[1] * parts
    kernel = CudaKernel(
        "small_results", parameters, "\n".join(text), (PACK,), (blocks, 1, 1), (threads, 1, 1), False, buffers,
        s.flops, moved, alone=True,
    )  # fmt: skip
    if parts == 1:
        return Arranged((kernel,))
    (leading, strides) = whole.storage
    adding = add_parts(whole, (leading, 1), strides, parts, False)
    return Arranged((kernel, adding), (ITEMS[wide] * parts * items * s.m * s.n,))
