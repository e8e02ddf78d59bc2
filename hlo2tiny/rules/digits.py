"""Sorting with functions of the target that a group of threads calls together (`targets/cuda/sorting.cu`).

By digits: for each one, the lowest one first, groups count the digits of their tiles, the counts are added up, and each
group sorts its tile and writes it to where it belongs. By merges: groups sort tiles, and then merge pairs of sorted
parts. Nothing depends on the order in which groups run.
"""

from __future__ import annotations

from collections.abc import Sequence

from ..ir.sizes import typical
from ..tinygrad import loops as primitives
from ..tinygrad.expressions import DType, Tensor, dtypes
from ..tinygrad.loops import Loops, Memory, Scalar, call_with_addresses, end
from .comparator import Ranks
from .loops import kernel
from .registry import Lowering
from .sorting import permute_rows

# The numbers of a tile, the threads that sort it, and the most bits of a digit.
TILE, LANES, DIGIT = 4096, 256, 8
# Merging begins with sorted parts of this many elements, of which a thread has PACKED.
MERGED, PACKED = 2048, 16


def passes_of(bits: int) -> int:
    return -(-bits // DIGIT)


def functions_of_digits(ranks: Sequence[Ranks], lowering: Lowering) -> str | None:
    """The prefix of the target's functions, if it has any and digits take less time than merges.

    A digit takes as long as two merges, of which there is one for each power of 2. Merges look up ranks of more than 32
    bits at random addresses.
    """
    rows, n = map(typical, ranks[0].numbers.shape)
    merges = max(0, -(-n // MERGED) - 1).bit_length() * (1 if len(ranks) == 1 else 3)
    if n <= TILE or rows * n >= 1 << 31 or 2 * sum(passes_of(part.bits) for part in ranks) > merges:
        return None
    return lowering.function("sort", dtypes.int32, False)


def sort_by_digits(ranks: Sequence[Ranks], functions: str) -> list[Tensor]:
    """The stable sorting permutation of rows of ranks, and the first ranks in that order.

    `functions` is the prefix of the target's functions.
    """
    order: Tensor | None = None
    for part in reversed(ranks):
        numbers = part.numbers if order is None else permute_rows(part.numbers, order)
        passes = passes_of(part.bits)
        width = -(-part.bits // passes)
        for shift in range(0, part.bits, width):
            numbers, order = sort_by_digit(numbers, order, part.bits, shift, width, functions)
    assert order is not None
    return [order, numbers]


def sort_by_digit(
    numbers: Tensor, order: Tensor | None, bits: int, shift: int, width: int, functions: str
) -> list[Tensor]:
    """Rows of signed numbers of this many bits, and their indices in the rows, sorted by one digit.

    Without an order, the numbers are where they were in the beginning.
    """
    rows, n = (int(s) for s in numbers.shape)
    tiles, digits, kind = -(-n // TILE), 1 << width, dtypes.int32

    def tile_of(group: Scalar) -> tuple[Scalar, Scalar, Scalar, Scalar]:
        """A group's row and tile, where the tile begins in the row, and its size."""
        begin = group % tiles * TILE
        return group // tiles, group % tiles, begin, primitives.smaller(n - begin, TILE)

    def count(out: Memory, source: Memory) -> Scalar:
        loops = Loops()
        group, lane = loops.grid(rows * tiles), loops.lane(LANES)
        row, tile, begin, size = tile_of(group)
        given = [source[row * n + begin], size.cast(kind)]
        found = call_with_addresses(f"{functions}count<{width}>", kind, given, bits, shift)
        digit = primitives.smaller(lane, digits - 1)
        return end([out[(row * digits + digit) * tiles + tile].store(found)], [group, lane])

    def scan(starts: Memory, counts: Memory) -> Scalar:
        loops = Loops()
        group, lane = loops.grid(rows * digits), loops.lane(LANES)
        given = [starts[group * (tiles + 1)], counts[group * tiles]]
        # The function writes all of them; one per thread tells tinygrad which memory it writes.
        found = call_with_addresses(f"{functions}scan", kind, given, tiles)
        at = group * (tiles + 1) + primitives.smaller(lane, tiles)
        return end([starts[at].store(found)], [group, lane])

    def distribute(out: Memory, indices: Memory, source: Memory, *others: Memory) -> Scalar:
        *before, starts = others
        loops = Loops()
        group, lane = loops.grid(rows * tiles), loops.lane(LANES)
        row, tile, begin, size = tile_of(group)
        at = row * n + begin
        given = [out[row * n], indices[row * n], source[at], (before or [source])[0][at]]
        given += [starts[row * digits * (tiles + 1) + tile], *(x.cast(kind) for x in (begin, size, tiles - tile))]
        name = f"{functions}sort_tile<{width}, {str(bool(before)).lower()}>"
        found = loops.register(kind)
        done = found[0].store(call_with_addresses(name, kind, given, bits, shift, tiles + 1))
        target = row * n + found.after(done)[0].load().cast(dtypes.weakint)
        # As above, for what the function writes.
        return end([x[target].store(x.after(done)[target].load()) for x in (out, indices)], [group, lane])

    (counts,) = kernel("count_digits", [((rows, digits, tiles), kind)], [numbers], count)
    (starts,) = kernel("scan_digits", [((rows, digits, tiles + 1), kind)], [counts], scan)
    given = [numbers, *([] if order is None else [order]), starts]
    return kernel("sort_digits", [((rows, n), kind)] * 2, given, distribute)


def sort_by_merges(numbers: Tensor, functions: str) -> list[Tensor]:
    """The stable sorting permutation of rows of int32, and the sorted numbers.

    `functions` is the prefix of the target's functions.
    """
    n, size = int(numbers.shape[1]), MERGED
    *found, bits = sort_rows(numbers, functions)
    while size < n:
        size *= 2
        *found, bits = merge_rows(found[0], bits, size >= n, functions)
    return found


def packed(rows: int, n: int, is_last: bool) -> list[tuple[tuple[int, ...], DType]]:
    """What such a kernel writes: packed numbers, or indices and numbers; then the bits of its sorted parts' size."""
    kinds = [dtypes.int32] * 2 if is_last else [dtypes.int64]
    return [*(((rows, n), kind) for kind in kinds), ((1,), dtypes.int32)]


def stored(outs: Sequence[Memory], call: Scalar, index: Scalar, loops: Sequence[Scalar]) -> Scalar:
    """The function writes all of the results; one element per thread tells tinygrad which memory it writes."""
    *results, bits = outs
    done = bits[0].store(call)
    return end([done, *(out[index].store(out.after(done)[index].load()) for out in results)], loops)


def sort_rows(numbers: Tensor, functions: str) -> list[Tensor]:
    """Each tile of a row sorted, or several short rows sorted by one group."""
    rows, n = (int(s) for s in numbers.shape)
    size = min(MERGED, max(PACKED, 1 << (n - 1).bit_length()))
    together = min(MERGED // size, 1 << (rows - 1).bit_length())
    tiles, threads, loops = -(-n // MERGED), size * together // PACKED, Loops()

    def build(*buffers: Memory) -> Scalar:
        *outs, source = buffers
        group, lane = loops.grid(-(-rows // together) * tiles), loops.lane(threads)
        name = f"{functions}sort_rows<{threads}, {size}, {str(n <= MERGED).lower()}>"
        given = [outs[0][0], outs[-2][0], source[0], group.cast(dtypes.int32)]
        call = call_with_addresses(name, dtypes.int32, given, rows, n)
        index = group // tiles * together * n + primitives.smaller(group % tiles * MERGED + lane, n - 1)
        return stored(outs, call, index, [group, lane])

    return kernel("sort_rows", packed(rows, n, n <= MERGED), [numbers], build)


def merge_rows(numbers: Tensor, bits: Tensor, is_last: bool, functions: str) -> list[Tensor]:
    """Neighbouring sorted parts of rows of packed numbers, merged."""
    rows, n = (int(s) for s in numbers.shape)
    tiles, threads, loops = -(-n // MERGED), MERGED // PACKED, Loops()

    def build(*buffers: Memory) -> Scalar:
        *outs, source, level = buffers
        group, lane = loops.grid(rows * tiles), loops.lane(threads)
        name = f"{functions}merge_rows<{threads}, {str(is_last).lower()}>"
        given = [outs[0][0], outs[-2][0], source[0], level[0].load(), group.cast(dtypes.int32)]
        call = call_with_addresses(name, dtypes.int32, given, n)
        index = group // tiles * n + primitives.smaller(group % tiles * MERGED + lane, n - 1)
        return stored(outs, call, index, [group, lane])

    return kernel("merge_rows", packed(rows, n, is_last), [numbers, bits], build)
