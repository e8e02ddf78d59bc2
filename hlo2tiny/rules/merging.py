"""Sorting by merging as kernels whose iterations are independent, for devices with many threads.

It takes a number of kernels that grows with the logarithm of the size. The results are the same in every run: nothing
depends on the order in which threads write.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import TypeAlias

from ..ir import ScalarType, TensorType
from ..ops.attributes import plain
from ..tinygrad import loops as primitives
from ..tinygrad.expressions import DType, Tensor, dtypes
from ..tinygrad.loops import Loops, LoopShape, Memory, Scalar, end
from .digits import sort_by_merges
from .loops import Combine, call_predicate, kernel
from .registry import Body, Lowering
from .values import AnyTensor, halves

# This many threads work together on a tile; each first sorts or folds this many adjacent elements on its own.
OWN_BITS = 4
LANES, OWN = 128, 1 << OWN_BITS
TILE = LANES * OWN
# The bytes of memory that a group of threads can share on every device.
MOST_SHARED = 1 << 14

# ---------------------------------------------------------------- sorting


def is_total(comparator: Combine) -> bool:
    """Whether a comparator compares integers, or floats in their total order: NaN would not be ordered in another."""
    if not isinstance(comparator, Body):
        return True
    for op in (op for op in comparator.region.ops if op.name.endswith(".compare")):
        if str(plain(op.attributes["comparison_direction"])) in ("EQ", "NE"):
            continue
        type, how = op.operands[0].type, op.attributes.get("compare_type")
        element = type.element if isinstance(type, TensorType) else None
        is_integer = isinstance(element, ScalarType) and element.name.lstrip("u")[0] == "i"
        if not is_integer and (how is None or str(plain(how)) != "TOTALORDER"):
            return False
    return not any(op.regions for op in comparator.region.ops)


def merged_order(keys: Sequence[AnyTensor], comparator: Combine | None, lowering: Lowering) -> list[Tensor]:
    """The stable sorting permutation of each row; the arguments are as those of `sorted_order`.

    Without a comparator, the key is int32, and its numbers are sorted with their indices in the lower 32 bits, so that
    memory is read in order. The second result is the sorted numbers.
    """
    n = int(keys[0].shape[1])
    functions = lowering.function("sort", dtypes.int32, False)
    if comparator is None and functions and isinstance(keys[0], Tensor) and keys[0].dtype == dtypes.int32:
        return sort_by_merges(keys[0], functions)
    *tiles, width = sort_tiles(keys, comparator)
    size = TILE
    while size < n:
        *tiles, width = merge_tiles(tiles[0], width, 2 * size >= n, () if comparator is None else keys, comparator)
        size *= 2
    return tiles


def results_of(shape: LoopShape, is_packed: bool, is_last: bool) -> list[tuple[LoopShape, DType]]:
    """What a kernel that sorts writes: indices, packed numbers, or the indices and numbers that these consist of.

    Then comes how many bits the size of its sorted parts has, so that the kernels that merge them are one and the same.
    """
    kinds = [dtypes.int64] if is_packed and not is_last else [dtypes.int32] * (1 + is_packed)
    return [*((shape, kind) for kind in kinds), ((1,), dtypes.int32)]


def store_sorted(outs: Sequence[Memory], position: Scalar, value: Scalar) -> list[Scalar]:
    parts = [value] if len(outs) == 1 else [value.cast(dtypes.int32), (value >> 32).cast(dtypes.int32)]
    return [out[position].store(part) for out, part in zip(outs, parts)]


def skew(position: Scalar) -> Scalar:
    """An index in shared memory: the parts that neighbouring threads own begin in different banks."""
    return (position + (position >> OWN_BITS)).cast(dtypes.weakint)


# Whether, of an element in the left part and one in the right part, the right one comes first.
RightFirst: TypeAlias = Callable[[Scalar, Scalar], Scalar]


def compared(
    comparator: Combine | None, row: Scalar, n: int, keys: Sequence[AnyTensor], columns: Sequence[Memory]
) -> RightFirst:
    """How elements compare: numbers directly, indices in a row by the comparator, given the columns of the keys."""
    halves_of = iter(columns)
    grouped = [[next(halves_of) for _ in halves([key])] for key in keys] if comparator is not None else []

    def right_first(a: Scalar, b: Scalar) -> Scalar:
        if comparator is None:
            return b < a
        positions = [row * n + x.cast(dtypes.weakint) for x in (b, a)]
        return call_predicate(comparator, *(x[at].load() for own in grouped for at in positions for x in own))

    return right_first


def divide(
    loops: Loops,
    outer: Sequence[Scalar],
    merges: Sequence[tuple[Scalar, Scalar, Scalar]],
    steps: int,
    right_first: Callable[[Scalar, Scalar, Scalar], Scalar],
) -> list[Scalar]:
    """How many of the first elements of two merged parts come from the left one, by bisection.

    It stays within both parts, whatever the comparator says.

    Args:
        merges: for each of several merges, the sizes of both parts, and how many first elements it is about.
        steps: the most steps that the search takes.
        right_first: takes a step of the search and indices in the left and right part, from where the left one begins.
    """
    limits = [
        x for left, right, before in merges
        for x in ((before > right).where(before - right, 0), (before < left).where(before, left))
    ]  # fmt: skip
    ends = loops.carry([dtypes.int32] * len(limits), limits, outer)
    step = loops.range(steps)
    now, found = [x.after(step)[0].load() for x in ends], []
    for low, high, (left, _, before) in zip(now[::2], now[1::2], merges):
        searching, middle = low < high, (low + high) >> 1
        goes_left = right_first(step, searching.where(middle, 0), searching.where(left + before - 1 - middle, 0))
        goes_right = searching & (goes_left != True)  # noqa: E712  (a graph node, not a bool)
        found += [goes_right.where(middle + 1, low), (searching & goes_left).where(middle, high)]
    done = end(loops.update([x.after(step) for x in ends], found, [step]), [step])
    return [x.after(done)[0].load() for x in ends[::2]]


def merge_own(
    loops: Loops,
    outer: Sequence[Scalar],
    memory: Memory,
    parts: Callable[[Scalar], tuple[Scalar, Scalar, Scalar]],
    own: Scalar,
    steps: int,
    right_first: RightFirst,
    width: Scalar | None = None,
) -> Scalar:
    """Merge pairs of parts in shared memory: a thread finds the OWN elements of the result that begin at `own`.

    Args:
        parts: for an index in the result, where the left part begins, where the right one begins, and where it ends.
        steps: the number of bits of a part's largest size.
        width: the size of all parts but the last ones, if a thread may merge more than one pair.
    """
    begin, middle, stop = parts(own)
    wanted, size = own - begin, stop - begin
    before = (wanted < size).where(wanted, size)

    def compare(step: Scalar, left: Scalar, right: Scalar) -> Scalar:
        now = memory.after(step)
        return right_first(*(now[skew(begin + position)].load() for position in (left, right)))

    (low,) = divide(loops, outer, [(middle - begin, stop - middle, before)], steps, compare)
    heads = loops.carry([dtypes.int32] * 2, [begin + low, middle + before - low], outer)
    results = loops.registers_of(OWN, memory.dtype).after(*outer)
    step = loops.range(OWN)
    now = memory.after(step)
    i, j = (h.after(step)[0].load() for h in heads)
    if width is not None:
        position = own + step.cast(dtypes.int32)
        begin, middle, stop = parts(position)
        begins = (position & (2 * width - 1)) < 1
        i, j = begins.where(begin, i), begins.where(middle, j)
    has_left, has_right = i < middle, j < stop
    a, b = (now[skew(has.where(x, begin))].load() for has, x in ((has_left, i), (has_right, j)))
    takes_left = has_left & ((has_right & right_first(a, b)) != True)  # noqa: E712
    found = results.after(step)[step].store(takes_left.where(a, b))
    moved = [i + takes_left.cast(dtypes.int32), j + (takes_left != True).cast(dtypes.int32)]  # noqa: E712
    done = end([found, *loops.update([h.after(step) for h in heads], moved, [step])], [step])
    done, step = primitives.wait(done), loops.range(OWN, independent=True)
    store = memory[skew(own + step)].store(results.after(done, step)[step].load())
    return primitives.wait(end([store], [step]))


def sort_tiles(keys: Sequence[AnyTensor], comparator: Combine | None) -> list[Tensor]:
    """Sort the indices, or the numbers with their indices, of each TILE elements of a row; short rows as a whole.

    A group of threads sorts a tile, or several short rows. Each thread sorts OWN elements, and then all of them merge.
    """
    shape = rows, n = int(keys[0].shape[0]), int(keys[0].shape[1])
    packed = comparator is None
    size = min(TILE, max(OWN, ceil_power(n)))  # of a row in a tile
    together = min(TILE // size, ceil_power(rows))  # rows in a tile
    tiles, lanes, kind = -(-n // TILE), size * together // OWN, dtypes.int64 if packed else dtypes.int32
    outputs = results_of(shape, packed, n <= TILE)
    loops = Loops()

    def build(comparator: Combine | None, *buffers: Memory) -> Scalar:
        *outs, width = buffers[: len(outputs)]
        columns = buffers[len(outputs) :]
        group, lane = loops.grid(-(-rows // together) * tiles), loops.lane(lanes)
        first, begin = group // tiles * together, group % tiles * TILE
        memory = loops.shared((OWN + 1) * lanes, kind)

        def position(k: Scalar) -> tuple[Scalar, Scalar]:
            """The row and column of one of the tile's elements, or of the last one."""
            return primitives.smaller(first + k // size, rows - 1), primitives.smaller(begin + k % size, n - 1)

        def value(row: Scalar, column: Scalar) -> Scalar:
            position = column.cast(kind)
            return columns[0][row * n + column].load().cast(kind) * (1 << 32) + position if packed else position

        step = loops.range(OWN, independent=True)
        k = lane + step * lanes
        memory = memory.after(primitives.wait(end([memory[skew(k)].store(value(*position(k)))], [step])))
        own = lane * OWN
        row = primitives.smaller(first + own // size, rows - 1)
        stop = (own // size * size + primitives.smaller(n - begin, size)).cast(dtypes.int32)
        right_first = compared(comparator, row, n, keys, columns)
        own, least = own.cast(dtypes.int32), OWN if packed else 1
        if packed:
            positions = [own + t for t in range(OWN)]
            found = [memory[skew(p)].load() for p in positions]
            found = [(p < stop).where(v, v.const_like(v.dtype.max)) for p, v in zip(positions, found)]
            for i, j in exchanges(OWN):
                a, b = found[i], found[j]
                found[i], found[j] = (b < a).where(b, a), (b < a).where(a, b)
            memory = memory.after(primitives.together(*(memory[skew(p)].store(v) for p, v in zip(positions, found))))
        if size > least:
            iteration = loops.range((size // least).bit_length() - 1)
            part = primitives.constant(least, dtypes.int32) << iteration.cast(dtypes.int32)

            def parts(position: Scalar) -> tuple[Scalar, Scalar, Scalar]:
                left = position - (position & (2 * part - 1))
                begin, middle, end = ((x < stop).where(x, stop) for x in (left, left + part, left + 2 * part))
                return begin, middle, end

            now, several = memory.after(iteration), None if packed else part
            merged = merge_own(loops, [iteration], now, parts, own, (size // 2).bit_length(), right_first, several)
            memory = memory.after(merged.end(iteration))
        bits = width[0].store(primitives.constant(TILE.bit_length() - 1, dtypes.int32))
        step = loops.range(OWN, independent=True)
        row, column = position(lane + step * lanes)
        found = memory.after(step)[skew((row - first) * size + column - begin)].load()
        return end([bits, end(store_sorted(outs, row * n + column, found), [step])], [group, lane])

    return kernel("sort_tiles", outputs, halves(keys), build, [comparator])


def exchanges(n: int) -> Iterator[tuple[int, int]]:
    """Batcher's sorting network for a power of 2: which elements to put in order, one pair after the other."""
    part = 1
    while part < n:
        step = part
        while step:
            for begin in range(step % part, n - step, 2 * step):
                for i in range(begin, min(begin + step, n - step)):
                    if i // (2 * part) == (i + step) // (2 * part):
                        yield i, i + step
            step //= 2
        part *= 2


def ceil_power(n: int) -> int:
    """The smallest power of 2 that is not less."""
    return 1 << max(n - 1, 0).bit_length()


def merge_tiles(
    order: Tensor,
    width: Tensor,
    is_last: bool,
    keys: Sequence[AnyTensor],
    comparator: Combine | None,
) -> list[Tensor]:
    """Merge neighbouring sorted parts of packed numbers, or of indices into rows of the keys.

    A group of threads finds which elements of both parts a tile of the result has, and merges these.
    """
    rows, n = (int(s) for s in order.shape)
    tiles, loops = -(-n // TILE), Loops()
    outputs = results_of((rows, n), comparator is None, is_last)

    def build(comparator: Combine | None, *buffers: Memory) -> Scalar:
        *outs, next_bits = buffers[: len(outputs)]
        source, bits, *columns = buffers[len(outputs) :]
        group, lane = loops.grid(rows * tiles), loops.lane(LANES)
        row, k = group // tiles, group % tiles * TILE
        right_first = compared(comparator, row, n, keys, columns)
        level, first = bits[0].load(), k.cast(dtypes.int32)
        width, begin = primitives.constant(1, dtypes.int32) << level, first >> (level + 1) << (level + 1)
        rest = n - begin
        left = (width < rest).where(width, rest)
        right = (width < rest - left).where(width, rest - left)
        ends = [first - begin, primitives.smaller(k + TILE, n).cast(dtypes.int32) - begin]
        start = row * n + begin.cast(dtypes.weakint)

        def compare(positions: Sequence[Scalar]) -> Scalar:
            return right_first(*(source[start + position.cast(dtypes.weakint)].load() for position in positions))

        low, high = divide_together(loops, lane, left, right, ends, ceil_power(n) // 2, compare)
        size = ends[1] - ends[0]
        high = (high < low).where(low, high)  # whatever the comparator says
        high = (high > low + size).where(low + size, high)
        from_left, from_right = high - low, left + ends[0] - high
        memory, step = loops.shared((OWN + 1) * LANES, order.dtype), loops.range(OWN, independent=True)
        i = (lane + step * LANES).cast(dtypes.int32)
        at = (i < size).where(i + (i < from_left).where(low, from_right), 0).cast(dtypes.weakint)
        filled = end([memory[skew(i)].store(source[start + at].load())], [step])
        memory = memory.after(primitives.wait(filled))
        own, zero = (lane * OWN).cast(dtypes.int32), primitives.constant(0, dtypes.int32)
        parts = zero, from_left, size
        memory = memory.after(merge_own(loops, [], memory, lambda _: parts, own, TILE.bit_length(), right_first))
        bits, step = next_bits[0].store(level + 1), loops.range(OWN, independent=True)
        i = primitives.smaller(k + lane + step * LANES, n - 1)
        stores = store_sorted(outs, row * n + i, memory.after(step)[skew(i - k)].load())
        return end([bits, end(stores, [step])], [group, lane])

    return kernel("merge_tiles", outputs, [order, width, *halves(keys)], build, [comparator])


def divide_together(
    loops: Loops,
    lane: Scalar,
    left: Scalar,
    right: Scalar,
    befores: Sequence[Scalar],
    most: int,
    right_first: Callable[[Sequence[Scalar]], Scalar],
) -> list[Scalar]:
    """`divide` for two numbers of first elements at once, for each of which half of a group's threads search together.

    Args:
        left, right: the sizes of both parts, of which `most` is the largest one.
        right_first: takes indices in the left and in the right part, from where the left one begins.
    """
    count = LANES // 2
    lane = lane.cast(dtypes.int32)  # tinygrad would make two dimensions of a range that is divided
    which, t = lane > count - 1, lane & (count - 1)
    before = which.where(befores[1], befores[0])
    low, high = (before > right).where(before - right, 0), (before < left).where(before, left)
    rounds, size = 0, most
    while size:
        rounds, size = rounds + 1, -(-size // count) - 1
    bounds = loops.shared(4 * rounds + 2 * LANES, dtypes.int32)
    for iteration in range(rounds):
        step = (high - low + (count - 1)) >> (count.bit_length() - 1)
        step = (step < 1).where(1, step)
        tried = [low + t * step, low + t * step + step]

        def goes_right(i: Scalar, high: Scalar = high) -> Scalar:
            inside = i < high
            positions = inside.where(i, 0), inside.where(left + before - 1 - i, 0)
            return inside & (right_first(positions) != True)  # noqa: E712  (a graph node, not a bool)

        is_before, is_after = (goes_right(i) for i in tried)
        is_edge = is_before & (is_after != True)  # noqa: E712
        is_first = (t < 1) & (is_before != True)  # noqa: E712
        last = (tried[1] < high).where(tried[1], high)
        found = is_first.where(low, tried[0] + 1), is_first.where(low, last)
        mine, other = (which.where(2, 0) + 4 * iteration).cast(dtypes.int32), 4 * rounds + 2 * lane
        position = (is_edge | is_first).where(mine, other)
        stores = (bounds[(position + i).cast(dtypes.weakint)].store(x) for i, x in enumerate(found))
        bounds = bounds.after(primitives.together(*stores))
        low, high = (bounds[(mine + i).cast(dtypes.weakint)].load() for i in range(2))
    return [bounds[4 * (rounds - 1) + 2 * i].load() for i in range(2)]
