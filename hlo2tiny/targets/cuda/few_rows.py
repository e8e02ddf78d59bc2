"""Products of few rows with a large matrix, in a kernel of our own that reads the matrix at memory's bandwidth.

Libraries compute them as if there were more rows, or start a second kernel that adds up parts.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from math import gcd, prod
from typing import NamedTuple

from ...templates import fill
from .arranging import Arranged, distance
from .in_order import ITEMS, PACK, ROUNDED, TYPES
from .kernels import (
    MOST_CLUSTER,
    THREADS,
    WARP,
    CudaKernel,
    KernelParameter,
    constants_text,
    has_clusters,
    read_code,
    shared_by_two,
)
from .operands import KINDS
from .products import CudaMatrix, ProductSpec

# The most rows, and the fewest columns and terms, unless rows are short or sums long, and the fewest bytes of matrices:
# the libraries' kernels for smaller ones take little longer than it takes to start any.
MOST_ROWS, LEAST_SIZE, LEAST_BYTES = 4, 64, 1 << 18
BYTES = 16  # that a thread reads at once
# How many such reads of a thread wait for memory together in registers, if B's terms are along its rows, and twice as
# many with several rows, for which a thread has more to do with each. Otherwise the block's memory has as many as
# leaves room for those of another kernel.
WAITING = 8
# With how many blocks a GPU is busy enough; the most bytes of A that a block keeps.
BLOCKS, MOST_STAGED = 64, 32 << 10
# How many of them are waited for at once, and how many times as many are asked for at once before the kernel waits for
# others: with all at once, a token of a language model of 1.6 GB takes 2 or 3 % longer.
TOGETHER, AT_FIRST = 2, 2
# The fewest terms that a block of a cluster adds up.
LEAST_TERMS = 128
# A block's terms are a multiple of so many.
ALIGNED = 8
# What threads beside each other read of a row: on an H200, 128 bytes at 3.7 TB/s, 64 at 2.7 and 32 at 2.1.
NARROW, WIDE = 64, 128
# Rows of B of fewer bytes are read by fewer lanes than a warp has, who have more columns: these, and the most rows of
# so many bytes of a number, of which there is a multiplication each.
SHORT, MOST_COLUMNS, ROWS_OF_BYTE = 1 << 10, 8, 2
# If blocks would read more than so many bytes each, and few of them, others take a part of the terms each, whose sums a
# second kernel adds up: with so many threads, where BUSY warps of 16 reads keep memory busy.
LEAST_SHARE, ADDING, BUSY = 128 << 10, 1024, 132 * 16
# The fewest bytes that are copied to the memory of a block while it does something else.
COPIED = 4
# So few blocks of a processor leave room for all reads in registers, where the compiler would read later.
AT_ONCE = 2


def arrange(s: ProductSpec, arch: str = "") -> Arranged | None:
    """The kernel of a product; None if it has more rows and columns, or its matrix is small or not aligned."""
    if s.letter != "s" or (s.narrow or "f32") not in ITEMS:
        return None
    (leading, strides), is_swapped = s.storage, s.m > s.n
    if is_swapped:  # the transposed product has few rows
        s = transposed_product(s)
    return multiply(s, (1, leading) if is_swapped else (leading, 1), strides, arch, is_swapped)


def transposed_product(s: ProductSpec) -> ProductSpec:
    """Bᵀ·Aᵀ, whose result is stored as that of A·B is."""
    a, b = CudaMatrix(*s.b), CudaMatrix(*s.a)
    a, b = a._replace(transposed=not a.transposed), b._replace(transposed=not b.transposed)
    return replace(s, m=s.n, n=s.m, a=a, b=b)


def endings(s: ProductSpec, is_swapped: bool) -> tuple[list[str], list[str]]:
    """What is added to each number of a result, in C, and the statements that compute it, given `addends` and `x`."""
    addends = [f"bias[{'row' if is_swapped else 'column'}]"] * s.bias + ["added[to]"] * s.added
    if s.twice:
        addends = [f"widened<KIND>({each})" for each in addends]
    rounded = f"widened<KIND>({ROUNDED.get(s.result, 'x')})" if s.twice else "x"
    sums = [f"x = {rounded} + addends.of[{n}];" for n, _ in enumerate(addends)]
    return addends, [*sums, *["x = x <= 0 ? 0.0f : x;"] * s.relu]


def lanes_of(reads: int, size: int) -> int:
    """How many lanes read a row together, so that few are idle, which takes so many reads of a size."""
    lanes = min(WARP, WIDE // size)
    while lanes > 1 and 4 * reads < 3 * lanes * -(-reads // lanes):
        lanes //= 2
    return lanes


class Split(NamedTuple):
    """How a product is split among threads.

    Attributes:
        threads, tiles: how many threads a block has, and how many blocks the columns.
        parts: of the terms, which other blocks add up, one each.
        lanes: how many threads read a row of B together.
        columns, waiting: how many rows of B a thread reads, if these have the terms, and how much of each at once.
        memory: the bytes that a block asks for.
        cluster: the most blocks that share terms as a cluster.
    """

    threads: int
    tiles: int
    parts: int
    lanes: int
    columns: int = 1
    waiting: int = 1
    memory: int = 0
    cluster: int = 1


def split_rows(s: ProductSpec, each: int, size: int, is_short: bool, is_long: bool) -> Split:
    """The split of a product whose terms are along the rows of B: the sum of a column is that of some lanes."""
    items, reads = prod(s.batch), s.k // each
    lanes = lanes_of(reads, size) if is_short else WARP
    threads = min(THREADS, -(-s.n * lanes // WARP) * WARP)
    group, columns = threads // lanes, 1
    most = MOST_COLUMNS if (is_short or is_long) and s.m <= MOST_ROWS else MOST_COLUMNS // 2
    while columns < most and s.n >= group * columns * 2:
        if not is_long and items * s.n < 4 * BLOCKS * group * columns * 2:
            break
        columns *= 2
    tiles, count = -(-s.n // (group * columns)), -(-reads // lanes)
    waiting = max(1, WAITING * (1 + (s.m > 1)) * BYTES // size // columns)
    if not is_long:
        return Split(threads, tiles, 1, lanes, columns, -(-count // -(-count // waiting)))
    parts = min(-(-BUSY * WARP // (items * tiles * threads)), count // waiting)
    return Split(threads, tiles, max(1, parts), lanes, columns, waiting)


def split_columns(s: ProductSpec, each: int, size: int, arch: str, cluster: int, is_long: bool, wide: bool) -> Split:
    """The split of a product whose columns are along the rows of B: a thread adds up some terms of some columns."""
    items, lanes, parts = prod(s.batch), (WIDE if wide or is_long else NARROW) // size, 1
    while lanes * each >= 2 * s.n:
        lanes //= 2
    tiles = -(-s.n // (lanes * each))
    if is_long:
        wanted = max(-(-BUSY * WARP // (items * tiles * THREADS)), -(-4 * s.m * s.k // MOST_STAGED))
        cluster, parts = 1, min(wanted, s.k // LEAST_TERMS)
    k = -(-s.k // (ALIGNED * parts)) * ALIGNED
    given = 4 * s.m * k if 4 * s.m * k <= MOST_STAGED else 0
    depth = -(-k // (THREADS // lanes * TOGETHER)) * TOGETHER
    sums = 4 * s.m * lanes * each
    memory = min(shared_by_two(arch), sums + 64 + max(given + depth * THREADS * size, THREADS // WARP * sums))
    return Split(THREADS, tiles, -(-s.k // k), lanes, memory=memory, cluster=cluster)


def multiply(
    s: ProductSpec, steps: tuple[int, int], strides: Sequence[int], arch: str, is_swapped: bool
) -> Arranged | None:
    """The kernel of a product with few rows, given how far apart rows, columns and matrices of the result are.

    Or the kernel of its parts, and one that adds them up.
    """
    element, items, a, b = s.narrow or "f32", prod(s.batch), CudaMatrix(*s.a), CudaMatrix(*s.b)
    item = ITEMS[element]
    size, each = items * s.n * s.k * item, gcd(BYTES // item, s.k if b.transposed else s.n, b.leading, *b.batch)
    cluster = max(1, min(MOST_CLUSTER, s.k // LEAST_TERMS))
    rows = items * s.n * item * (cluster if has_clusters(arch) else 1)
    is_short = b.transposed and s.k * item < SHORT
    if b.transposed:
        is_long = items * s.n < BLOCKS * THREADS // WARP and s.k * item > LEAST_SHARE
    else:
        is_long = rows < BLOCKS * WIDE and size // -(-rows // NARROW) > LEAST_SHARE
    if size < LEAST_BYTES or s.m > (ROWS_OF_BYTE * item if is_short or is_long else MOST_ROWS):
        return None
    if each * item < (1 if is_short or (is_long and b.transposed) else COPIED if is_long else BYTES):
        return None
    if b.transposed:
        split = split_rows(s, each, each * item, is_short, is_long)
    elif is_long or min(s.n, s.k) >= LEAST_SIZE:
        split = split_columns(s, each, each * item, arch, cluster, is_long, rows >= BLOCKS * WIDE)
    else:
        return None
    whole, whole_steps, whole_strides = s, steps, tuple(strides)
    if split.parts > 1:
        s = replace(s, bias=False, added=False, twice=False, relu=False, result="", stored=None)
        steps, strides = (s.n, 1), s.storage[1]
    constants = {
        "ROWS": s.m, "COLUMNS": split.columns, "LANES": split.lanes, "THREADS": split.threads, "TILES": split.tiles,
        "N": s.n, "K": s.k, "KIND": KINDS[element], "WAITING": split.waiting, "MEMORY": split.memory,
        "TOGETHER": TOGETHER, "MOST_STAGED": MOST_STAGED, "AT_FIRST": AT_FIRST, "ADDENDS": s.bias + s.added,
        "EACH": each, "PARTS": split.parts, "ALIGNED": ALIGNED,
    }  # fmt: skip
    row, term = (1, a.leading) if a.transposed and (s.m > 1 or a.leading > 1) else (a.leading, 1)
    distances = {"A_ROW": row, "A_TERM": term, "LEADING": b.leading, "C_ROW": steps[0], "C_COLUMN": steps[1]}
    vector = term == 1 and not any(n % each for n in (s.k, row * (s.m > 1), *a.batch))
    flags = {"ALONG": b.transposed, "A_VECTOR": vector}
    # How many rows of A that follow each other are read at once.
    constants["A_ONCE"] = gcd(BYTES // item, s.m, term, *a.batch) if row == 1 else 1
    factors = ["b", "a"] if is_swapped else ["a", "b"]
    names = [*factors, *["bias"] * s.bias, *["added"] * s.added]
    starts = [f"{name} += {distance('item', s.batch, x.batch)};" for name, x in (("a", a), ("b", b))]
    starts.append(f"c += share * {items * s.m * s.n}ll + {distance('item', s.batch, tuple(strides))};")
    addends, statements = endings(s, is_swapped)
    finish = [*statements, f"c[to] = {ROUNDED.get(s.result, 'x')};"]
    text = [
        constants_text({"int": constants, "long long": distances, "bool": flags}),
        f"typedef {TYPES[element]} Element; typedef {'uint' if each * item >= 4 else 'unsigned short'} Word;",
        fill(
            read_code("few_rows.cu"),
            {
                "starts": "\n".join(starts),
                "addends": ", ".join(addends),
                "finish": "\n".join(finish),
                "memory": f"ASKED_FOR(memory, {split.memory}, {BYTES});",
            },
        ),
    ]
    types = {"a": element, "b": element} | ({"bias": s.result, "added": s.result} if s.twice else {})
    # They are not restricted, as the compiler would move what they read from one side of the wait to the other.
    parameters = (
        *(KernelParameter(f"{TYPES[types.get(name, 'f32')]}*", name, False) for name in names),
        KernelParameter(f"{TYPES[s.result or 'f32']}*", "c"),
    )
    moved = size + items * s.m * (s.k * item + split.parts * s.n * ITEMS[s.result or "f32"])
    operands = 2 + whole.bias + whole.added
    buffers = (*range(len(names)), operands + (split.parts > 1))
    early = () if is_short else (names.index("b"),)
    kernel = CudaKernel(
        "product_of_few_rows", parameters, "\n".join(text), (PACK,), (items * split.tiles * split.parts, 1, 1),
        (split.threads, 1, 1), False, buffers, s.flops, moved, early=early, shared=split.memory,
        divisible=split.cluster, at_once=AT_ONCE * (b.transposed and (is_short or is_long)),
    )  # fmt: skip
    if split.parts == 1:
        return Arranged((kernel,))
    adding = add_parts(whole, whole_steps, whole_strides, split.parts, is_swapped)
    return Arranged((kernel, adding), (4 * split.parts * items * s.m * s.n,))


def add_parts(
    s: ProductSpec, steps: tuple[int, int], strides: tuple[int, ...], parts: int, is_swapped: bool
) -> CudaKernel:
    """The kernel that adds up the sums of parts of the terms, each warp some of them, and what is added to those."""
    size = prod(s.batch) * s.m * s.n
    warps = min(ADDING // WARP, parts)
    addends, statements = endings(s, is_swapped)
    names = ["bias"] * s.bias + ["added"] * s.added
    wide = "f64" if s.letter == "d" else "f32"
    more, result = TYPES[s.result if s.twice else wide], TYPES[s.result or wide]
    parameters = (
        KernelParameter(f"{TYPES[wide]}*", "parts", False),
        *(KernelParameter(f"{more}*", name, False) for name in names),
        KernelParameter(f"{result}*", "c"),
    )
    made = {
        "starts": f"c += {distance('item', s.batch, strides)};", "addends": ", ".join(addends),
        "finish": "\n".join([*statements, f"c[to] = {ROUNDED.get(s.result, 'x')};"]),
    }  # fmt: skip
    constants = {
        "ROWS": s.m, "N": s.n, "PARTS": parts, "SIZE": size, "WARPS": warps, "ADDENDS": len(names),
        "KIND": KINDS[s.narrow or "f32"],
    }  # fmt: skip
    text = [
        constants_text({"int": constants, "long long": {"C_ROW": steps[0], "C_COLUMN": steps[1]}}),
        f"typedef {TYPES[wide]} Number;",
        fill(read_code("few_rows_parts.cu"), made),
    ]
    operands = 2 + len(names)
    return CudaKernel(
        "sum_of_parts", parameters, "\n".join(text), (), (-(-size // WARP), 1, 1), (warps * WARP, 1, 1), False,
        (operands + 1, *range(2, operands + 1)), parts * size, ITEMS[wide] * (parts + 1) * size,
    )  # fmt: skip
