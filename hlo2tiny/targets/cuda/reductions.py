"""How the threads of a block share a reduction.

A kernel that tinygrad has not optimised computes one element of its result in each block of a grid, by loops that add
to registers. Either the threads of a block share these loops, and then combine what each has found; or, if neighbouring
blocks read adjacent elements, a block computes 32 elements, in 32 columns of threads.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from math import prod

from ...tinygrad.lowered import DimensionPart, ElementAccess, GridDimension, LoopCounter, LoweredKernel, Variable
from ...tinygrad.renderers.cuda import COLUMNS, Column, JoinedDimensions, Nest, ResultTile, Sharing, size_of
from .kernels import MOST_THREADS, THREADS, WARP

LEAST_COLUMNS = 8
# With this many terms or more, and FULL results, about as many as a GPU has threads, sums of windows whose elements are
# read AGAIN times in the mean are left to tinygrad, whose kernels reuse what they read: a thread has a dozen results.
MANY, FULL, AGAIN = 1 << 22, 1 << 17, 16
# Tiles of results, from the best on, for which there have to be at least BUSY threads; and how many threads read terms
# beside each other, if there are as many: with 8, sums of pairs take 10 % longer on an H200.
TILES, BUSY, LEAST_LANES = ((4, 4), (4, 2), (2, 2), (2, 1)), 1 << 16, 16
# So many times smaller arrays cost nothing beside large ones, as caches have them.
MUCH_LARGER = 64
# Results of so few terms take longer to write than to compute: threads beside each other have results that are.
FEW_TERMS = 16
# With this many elements or more, a reduction is limited by memory, so a thread reads this many bytes at once.
LARGE, BYTES = 1 << 20, 16
# How many threads add up at least so many terms, in programs in which that may depend on nothing else.
LANES = ((1 << 15, 1024), (1024, 128), (512, 64), (128, 32), (64, 16), (32, 8), (16, 4))
FUNCTIONS = {"ADD": "Sum", "MUL": "Product", "OR": "Any", "AND": "All", "MAX": "Largest"}


def sharing_of(kernel: LoweredKernel, in_order: bool) -> Sharing | None:
    """How threads share the loops of a kernel; None if they cannot, or should not.

    If `in_order`, the order of the terms depends on nothing but the lengths of the loops.
    """
    if not (reductions := kernel.reductions()):
        return None
    outputs, dimensions = prod(kernel.grid), [d for d in kernel.dimensions if d.length > 1]
    nests, along, across, pairs = list[Nest](), 0, Counter[Column](), False
    for loops, combined, inner in reductions:
        inside = [read for read in kernel.reads if not read.variables.isdisjoint(loops)]
        iterations = prod(loop.length for loop in loops)
        several = len({read.parameter for read in inside}) > 1
        is_large = outputs >= FULL and iterations * outputs >= MANY and not in_order
        if several and is_product(inside, dimensions):
            if is_large and len(reductions) > 1:
                return None
            pairs = True
        elif is_large and all(iterations * outputs >= AGAIN * read.elements for read in inside):
            return None
        loop = max(loops, key=lambda x: (any(read.factors.get(x) == 1 for read in inside), x.length))
        if len(loops) > 1 and loop.length == 1:
            loop = max(loops, key=lambda x: x.length)
        if in_order:
            loop = max(reversed(loops), key=lambda x: min(x.length, LEAST_COLUMNS))
        depths = [sum(d in read.factors for d in dimensions) for read in inside]
        deepest = [read for read, depth in zip(inside, depths) if depth == max(depths)]  # others are read repeatedly
        along += sum(read.factors.get(loop) == 1 for read in deepest)
        across.update(variable for read in deepest for variable in neighbours(read, dimensions))
        functions = tuple((register, FUNCTIONS[operation]) for register, operation in combined)
        nests.append(Nest(tuple(loops), loop, functions, tuple(inside), not inner))
    iterations = max(nest.iterations for nest in nests)
    column, count = max(across.items(), key=lambda each: each[1], default=(None, 0))
    if pairs and len(nests) == 1 and nests[0].is_innermost and not in_order:
        if iterations <= FEW_TERMS and all(FEW_TERMS * read.elements <= outputs for read in nests[0].reads):
            column = next(neighbours(kernel.writes[0], dimensions), column)
        tiled = tiled_sharing(kernel, nests[0], column)
        if tiled is not None or is_large:
            return tiled
    if in_order:
        lanes = lanes_of(iterations)
        column = column if count > along and lanes <= MOST_THREADS // LEAST_COLUMNS else None
        return Sharing(tuple(nests), column, lanes, min(COLUMNS, MOST_THREADS // lanes), True) if lanes > 1 else None
    if column is not None and count > along:
        lanes = 1
        while lanes < 32 and lanes * 4 <= iterations and outputs * lanes < 2 * FULL:
            lanes *= 2
        return Sharing(tuple(nests), column, lanes, COLUMNS if lanes > 1 else width_of(column))
    alone, together = nests[0], 1
    if (
        len(nests) == 1
        and alone.reads
        and not kernel.is_conditional
        and alone.iterations * outputs >= LARGE
        and alone.is_innermost
        and alone.first == alone.loops[-1]
    ):
        together = at_once(alone.reads, alone.first)
    lanes = WARP
    while not alone.is_innermost and lanes * 2 > iterations and lanes > 1:  # each term is several
        lanes //= 2
    while lanes < 1024 and lanes * 8 * together <= iterations and (outputs * lanes < 1 << 19 or lanes < 256):
        lanes *= 2
    if alone.share(lanes)[alone.first][0] * 4 * together <= alone.first.length:
        nests[0] = replace(alone, at_once=together)
    return Sharing(tuple(nests), None, lanes)


def tiled_sharing(kernel: LoweredKernel, nest: Nest, column: Column | None) -> Sharing | None:
    """How threads share a sum of pairs of elements, each of which several results read; None if there are few results.

    Threads beside each other have terms that follow each other, or columns.
    """
    if kernel.is_conditional or kernel.stored is not None:
        return None
    free = [d for d in kernel.dimensions if d.length > 1 and any(d not in read.variables for read in nest.reads)]
    columns = column if isinstance(column, GridDimension) and column in free else None
    if columns is None and column is not None:
        return None
    rows, *others = sorted((d for d in free if d != columns), key=lambda d: -d.length)
    columns = columns or others[0]
    most = WARP
    while most * 4 > nest.iterations and most > 1:
        most //= 2
    rest = prod(kernel.grid) // (rows.length * columns.length)
    # Results along a dimension share nothing of the large arrays that depend on it.
    largest = max(read.elements for read in nest.reads)
    large = [read for read in nest.reads if read.elements * MUCH_LARGER >= largest]
    whole = [all(d in read.variables for read in large) for d in (rows, columns)]
    sizes = [(1 if whole[0] else height, 1 if whole[1] else width) for height, width in TILES]
    for height, width in TILES if all(whole) else dict.fromkeys(size for size in sizes if size != (1, 1)):
        tiles = -(-rows.length // height) * -(-columns.length // width) * rest
        if min(rows.length // height, columns.length // width) and tiles * most >= BUSY:
            break
    else:
        return None
    lanes = min(most, LEAST_LANES) if column is None else 1
    while lanes < most and tiles * lanes < FULL:
        lanes *= 2
    across = width_of(columns._replace(length=-(-columns.length // width))) if lanes == 1 else COLUMNS
    return Sharing((nest,), column, lanes, across, tile=ResultTile(rows, columns, height, width))


def width_of(column: Column) -> int:
    """How many columns a block has whose threads have one each: a GPU runs few blocks of 32 threads at once. At most an
    eighth of the threads have none, if not all columns are those of a block."""
    size, width = size_of(column), THREADS
    if size <= THREADS:
        return -(-size // COLUMNS) * COLUMNS
    while width > COLUMNS and -(-size // width) * width * 8 > 9 * size:
        width //= 2
    return width


def lanes_of(iterations: int) -> int:
    """How many threads add up so many terms, in whatever kernel that is."""
    return next((lanes for least, lanes in LANES if iterations >= least), 1)


def neighbours(read: ElementAccess, grid: Sequence[GridDimension]) -> Iterator[Column]:
    """The dimensions of the grid, their quotients and remainders, along which an offset is the next element's.

    Two dimensions may be one for that: a short one, and the next one, along which offsets follow its own.
    """
    factors: Mapping[Variable, int | None]
    factors = {d: read.factors.get(d) for d in grid} if read.offset is None else read.offset[1]
    for variable, factor in factors.items():
        if factor != 1 or isinstance(variable, LoopCounter):
            continue
        if (count := count_of(variable)) >= LEAST_COLUMNS:
            yield variable
        elif isinstance(variable, DimensionPart):  # the remainder has offsets that follow those of the quotient
            remainder = variable._replace(part="remainder")
            follows = variable.part == "quotient" and factors.get(remainder) == count
            if follows and variable.dimension.length >= LEAST_COLUMNS:
                yield variable
        else:
            for other in grid:
                if factors.get(other) == count and count * other.length >= LEAST_COLUMNS:
                    yield JoinedDimensions(variable, other)


def count_of(variable: GridDimension | DimensionPart) -> int:
    """How many values a dimension of the grid, its quotient or remainder takes; 0 if that varies."""
    if not isinstance(variable, DimensionPart):
        return variable.length
    size, number = variable.dimension.length, variable.length
    return 0 if size % number else size // number if variable.part == "quotient" else number


def at_once(reads: Sequence[ElementAccess], loop: LoopCounter) -> int:
    """How many iterations of a loop read BYTES that begin at a multiple of BYTES; 1 if they do not."""
    count = BYTES // reads[0].itemsize
    if loop.length % count:
        return 1
    for read in reads:
        if read.itemsize * count != BYTES or read.is_conditional or not read.is_adjacent(loop, count):
            return 1
    return count


def is_product(reads: Sequence[ElementAccess], grid: Sequence[GridDimension]) -> bool:
    """Whether every read depends on fewer than all dimensions of the grid: elements are read again and again."""
    used = {frozenset(read.variables.intersection(grid)) for read in reads}
    return frozenset().union(*used) not in used
