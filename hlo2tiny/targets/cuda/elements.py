"""Which thread computes which elements of a kernel whose iterations need nothing of each other.

Neighbouring threads compute neighbouring elements, and each thread several: adjacent ones, which it reads and writes at
once, or, where these are not aligned, ones that are a block apart, so that it reads the next ones before it has written
the first; and ones that are computed from the same elements, so that it reads those once. If what is read is a
transpose of what is written, a block computes a tile of both, so that it reads and writes the whole of each line of
memory.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from math import prod

from ...records import dataclass
from ...tinygrad.lowered import ElementAccess, LoopCounter, LoweredKernel
from ...tinygrad.renderers.cuda import Vectors
from .kernels import THREADS, WARP, launch_size
from .reductions import BYTES

# A GPU runs about as many threads at the same time; only with more elements does a thread compute EACH.
RESIDENT, EACH = 1 << 18, 4
# The elements along each side of a tile, if there are as many, and those of a tile. Smaller arrays need none.
SIDE, TILE = 32, 1024
# How many elements near ones are apart at most.
NEAR = 4
# The most elements that a thread reads at once, in words by their size. More than EACH have at most so many operations,
# as what is done with each is compiled for itself.
MOST, WORK = 16, 256
# Elements that are not aligned a thread reads one by one if as many as it writes at once have at most so many bytes:
# neighbouring threads still read one line of memory. Narrow ones fill as much, however many parts a thread computes.
WORD = 4
# The elements along each side of a square that a thread transposes, if they are narrow, and the threads beside each
# other along the rows that they write.
SQUARE, ACROSS = 4, 8
# What is done with an element is compiled once if it takes more operations, of doubles a quarter as many, which are
# several instructions each. Elements of a third as many take 5 % longer in turns than at once.
LONG = 800
# A thread computes at most so many parts of what is joined, which need the same elements; more than EACH, if they have
# at most so many operations together.
MOST_PARTS, TOGETHER = 16, 2048
WORDS = {1: "unsigned char", 2: "unsigned short", 4: "uint", 8: "uint2", 16: "uint4"}


@dataclass(frozen=True)
class Spread:
    """How iterations are spread over threads: what comes before a kernel's statements and after them.

    `iterations` has those of the loops that a thread runs; `blocks` and `threads` are the sizes of the grid and of its
    blocks; `vectors` is what a thread reads and writes at once.
    """

    before: Sequence[str]
    after: Sequence[str]
    iterations: Mapping[LoopCounter, str]
    blocks: int
    threads: int
    vectors: Vectors | None = None


def spread(loops: Sequence[LoopCounter], kernel: LoweredKernel) -> Spread:
    """How the iterations of a kernel's outermost loops are spread."""
    count = prod(loop.length for loop in loops)
    # Loops inside have much to do themselves, and so have functions that get addresses.
    simple = len(kernel.counters) == len(loops) and not kernel.passes_addresses
    if not simple or count < RESIDENT:
        blocks, threads = launch_size(count)
        kind = "int" if blocks * threads < 2**31 else "long long"
        before = [f"const {kind} thread = ({kind})blockIdx.x * {threads} + threadIdx.x;"]
        before += [f"if (thread >= {count}) return;"] if count % threads else []
        return Spread(before, [], digits("thread", loops), blocks, threads)
    if (other := transposed(kernel, loops[-1])) is not None:
        return squares(loops, other[0], kernel) or tiles(loops, *other)
    most = max(EACH, min(MOST_PARTS, EACH * count // RESIDENT, TOGETHER * count // max(1, kernel.facts.flops)))

    def is_same(n: int) -> bool:
        inside = prod(loop.length for loop in loops[n + 1 :])  # what is written together
        suits = loops[n].length <= (most if kernel.reads and inside >= WARP else EACH)
        return suits and all(read.factors.get(loops[n], 0) == 0 for read in kernel.reads)

    same = next((loops[n] for n in range(len(loops) - 1) if is_same(n)), None)
    if (found := adjacent(loops, same, kernel)) is not None:
        return found
    length = same.length if same is not None else 1
    places = max(1, EACH // length)
    each, count = places * length, count // length
    step = THREADS * places
    blocks = -(-count // step)
    kind = "int" if blocks * step < 2**31 else "long long"
    before = [f"const {kind} first = ({kind})blockIdx.x * {step} + threadIdx.x;"]
    # Of loops without a condition the compiler reads for all iterations first.
    most = LONG // 4 if any(write.itemsize > BYTES // 4 for write in kernel.writes) else LONG
    copies = each if kernel.facts.flops <= most * count * length else 1
    before += [f"#pragma unroll {copies}", f"for (int i = 0; i < {each}; i++) {{"]
    before.append(f"const {kind} thread = first + {f'i / {length}' if length > 1 else 'i'} * {THREADS};")
    if count % step:  # it makes two loops
        before.insert(0, f"const bool is_whole = blockIdx.x < {count // step};")
        before.append(f"if (!is_whole && thread >= {count}) continue;")
    iterations = digits("thread", [loop for loop in loops if loop is not same])
    if same is not None:
        iterations[same] = f"i % {length}"
    return Spread(before, ["}"], iterations, blocks, THREADS)


def adjacent(loops: Sequence[LoopCounter], same: LoopCounter | None, kernel: LoweredKernel) -> Spread | None:
    """How adjacent elements are spread, as many as a thread reads and writes at once; None if they are not aligned."""
    inner, length = loops[-1], same.length if same is not None else 1
    others = [loop for loop in loops[:-1] if loop is not same]
    reads = [read for read in kernel.reads if read.factors.get(inner, 0) != 0]
    size = max((access.itemsize for access in (*reads, *kernel.writes)), default=BYTES)
    total = prod(loop.length for loop in others) * inner.length
    count = min(BYTES // size, max(WORD // size, 1 << (MOST // length).bit_length() - 1))
    work = max(EACH, WORK * total * length // max(1, kernel.facts.flops))
    while count > 1 and (total * EACH < RESIDENT * count or (others and inner.length % count) or count > work):
        count //= 2
    apart = [loop for loop in (same,) if loop is not None]

    def is_vector(access: ElementAccess, count: int) -> bool:
        return access.is_adjacent(inner, count) and access.agrees_along(inner, count, apart)

    def fits(count: int) -> bool:
        whole = all(is_vector(write, count) and not write.is_conditional for write in kernel.writes)
        return whole and all(read.itemsize * count <= WORD or is_vector(read, count) for read in reads)

    while count > 1 and not fits(count):
        count //= 2
    if count < 2:
        return None
    reads = [read for read in reads if is_vector(read, count)]
    each, threads = count * length, -(-total // count)
    blocks = -(-threads // THREADS)
    kind = "int" if blocks * THREADS * count < 2**31 else "long long"
    left = f"{total} - first" if total % count else ""
    vectors = Vectors(count, tuple(reads), tuple(kernel.writes), left=left, along=inner, others=tuple(apart))
    before = [f"const {kind} first = (({kind})blockIdx.x * {THREADS} + threadIdx.x) * {count};"]
    before += [f"if (first >= {total}) return;"] if threads % THREADS else []
    before += declarations(vectors)
    before += [f"#pragma unroll {each}", f"for (int i = 0; i < {each}; i++) {{"]
    iterations = digits("first", [*others, inner])
    iterations[inner] += f" + i % {count}" if length > 1 else " + i"
    if same is not None:
        iterations[same] = f"i / {count}"
    return Spread(before, ["}"], iterations, blocks, THREADS, vectors)


def declarations(vectors: Vectors) -> list[str]:
    """The variables that hold what a thread reads and writes at once."""
    count, columns = vectors.count, vectors.columns or ()
    named = (
        ("read", count, vectors.reads), ("repeated", 1, vectors.repeated), ("column", count, columns),
        ("written", count, vectors.writes),
    )  # fmt: skip
    all = ((name, n, count * x.itemsize) for name, count, accesses in named for n, x in enumerate(accesses))
    number = "" if vectors.columns is None else f"[{count}]"
    return [f"{WORDS[size]} {name}{n}{number} = {{}};" for name, n, size in all]


def digits(number: str, loops: Sequence[LoopCounter]) -> dict[LoopCounter, str]:
    """The iteration of each loop, outermost first, for the number of an iteration of all."""
    iterations, step = dict[LoopCounter, str](), 1
    for loop in reversed(loops):
        offset = f"{number} / {step}" if step > 1 else number
        step *= loop.length
        iterations[loop] = offset if loop is loops[0] else f"{offset} % {loop.length}"
    return iterations


def transposed(kernel: LoweredKernel, inner: LoopCounter) -> tuple[LoopCounter, bool] | None:
    """The loop along which most reads are of near elements that are far apart along the innermost one, and whether that
    is so of most reads and writes, of which the latter count twice; None if there is no such loop."""
    votes, others = Counter[LoopCounter](), 0
    for access in (*kernel.reads, *kernel.writes, *kernel.writes):
        factors = {} if access.offset is None else access.offset[1]
        loops = {x: abs(factor) for x, factor in factors.items() if isinstance(x, LoopCounter) and factor}
        near = [x for x, factor in loops.items() if factor <= NEAR and factor < loops.get(inner, 0)]
        votes.update(near)
        others += not near and inner in loops
    other = max(votes, key=lambda x: votes[x], default=None)
    if other is None or inner.length * other.length < TILE:
        return None
    return other, votes[other] > others


def tiles(loops: Sequence[LoopCounter], other: LoopCounter, turned: bool) -> Spread:
    """Blocks that compute tiles along the innermost of some loops and another one, along which neighbouring threads are
    if the tiles are `turned`."""
    width, height = (inner := loops[-1]).length, other.length
    rows = part_of(height, max(SIDE, TILE // width))
    columns = part_of(width, TILE // rows)
    across, down = -(-width // columns), -(-height // rows)
    outer = [loop for loop in loops[:-1] if loop != other]
    place = (
        f"left + i / {rows}, row = top + i % {rows}" if turned else f"left + i % {columns}, row = top + i / {columns}"
    )
    before = [
        f"const int left = blockIdx.x % {across} * {columns}, top = blockIdx.x / {across} % {down} * {rows};",
        f"const int group = blockIdx.x / {across * down};",
        f"#pragma unroll {EACH}",
        f"for (int i = threadIdx.x; i < {columns * rows}; i += {THREADS}) {{",
        f"const int column = {place};",
    ]
    if width % columns or height % rows:  # the compiler makes two loops, of which that of whole tiles has no condition
        before.insert(2, f"const bool is_whole = left + {columns} <= {width} && top + {rows} <= {height};")
        before.append(f"if (!is_whole && (column >= {width} || row >= {height})) continue;")
    iterations = {**digits("group", outer), inner: "column", other: "row"}
    return Spread(before, ["}"], iterations, across * down * prod(loop.length for loop in outer), THREADS)


def squares(loops: Sequence[LoopCounter], other: LoopCounter, kernel: LoweredKernel) -> Spread | None:
    """Threads that compute squares of narrow elements along the innermost of some loops and another one, of which they
    read and write whole words; None if these are not aligned, or there is much else to do."""
    inner, outer = loops[-1], [loop for loop in loops[:-1] if loop != other]
    size = max((access.itemsize for access in (*kernel.reads, *kernel.writes)), default=BYTES)
    total, count = prod(loop.length for loop in loops), SQUARE
    rows = [read for read in kernel.reads if read.factors.get(inner, 0) == 1]
    columns = [read for read in kernel.reads if read.factors.get(other, 0) == 1]

    def is_vector(access: ElementAccess, along: LoopCounter, across: LoopCounter) -> bool:
        return access.is_adjacent(along, count) and access.agrees_along(along, count, [across])

    if size * count > BYTES // 2 or inner.length % count or other.length % count or total < RESIDENT * EACH:
        return None
    if kernel.facts.flops * count > WORK * total or any(write.is_conditional for write in kernel.writes):
        return None
    others = [x for x in kernel.reads if x not in rows and x not in columns]
    if any(all(read.factors.get(loop, 0) != 0 for loop in (inner, other)) for read in others):
        return None
    if not all(is_vector(x, inner, other) for x in (*rows, *kernel.writes)):
        return None
    if not all(is_vector(read, other, inner) for read in columns):
        return None
    across, down = inner.length // count, other.length // count
    wide, high = part_of(across, ACROSS), part_of(down, THREADS // ACROSS)
    wides, highs = -(-across // wide), -(-down // high)
    vectors = Vectors(count, tuple(rows), tuple(kernel.writes), along=inner, others=(other,), columns=tuple(columns))
    before = [
        f"const int left = (blockIdx.x % {wides} * {wide} + threadIdx.x % {wide}) * {count};",
        f"const int top = (blockIdx.x / {wides} % {highs} * {high} + threadIdx.x / {wide}) * {count};",
        f"const int group = blockIdx.x / {wides * highs};",
    ]
    if across % wide or down % high:
        before.append(f"if (left >= {inner.length} || top >= {other.length}) return;")
    before += declarations(vectors)
    before += [f"#pragma unroll {count * count}", f"for (int i = 0; i < {count * count}; i++) {{"]
    iterations = {**digits("group", outer), inner: f"left + i % {count}", other: f"top + i / {count}"}
    blocks = wides * highs * prod(loop.length for loop in outer)
    return Spread(before, ["}"], iterations, blocks, wide * high, vectors)


def part_of(size: int, most: int) -> int:
    """The size of equal parts of at most so many; the last one may be smaller."""
    return -(-size // -(-size // most))
