"""Cumulative ops as kernels whose iterations are independent, for devices with many threads.

Each takes a number of kernels that grows with the logarithm of the size. The results are the same in every run: nothing
depends on the order in which threads write.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from math import prod

from ..tinygrad import loops as primitives
from ..tinygrad.expressions import Tensor, dtypes
from ..tinygrad.loops import Loops, LoopShape, Memory, Scalar, address, end
from .digits import MERGED, PACKED, THREADS, begins_with_nothing, function_of_folds, kernel_of_call
from .loops import Combine, call, kernel
from .merging import LANES, MOST_SHARED, OWN, ceil_power, skew
from .registry import Body

# If this many folds are adjacent, each is computed by one thread; with fewer folds than MANY_FOLDS, in parts of LEAST
# elements or more. A thread reads AHEAD elements before it folds them.
NEIGHBOURS, MANY_FOLDS, LEAST, AHEAD = 8, 1 << 17, 32, 4


def scan(x: Sequence[Tensor], body: Combine, initial: Sequence[Tensor] = ()) -> list[Tensor]:
    """The folds of all beginnings along the middle axis of tensors of rank 3, by an associative function.

    Folds begin with `initial`, if they are given: one for all, or one for each fold.
    """
    outer, n, inner = (int(s) for s in x[0].shape)
    columns = inner >= NEIGHBOURS and not (isinstance(body, Body) and body.lowering.in_order)
    name, scan_parts = ("scan_columns", scan_columns) if columns else ("scan_tiles", scan_tiles)
    size = max(LEAST, n * outer * inner // MANY_FOLDS // AHEAD * AHEAD) if columns else scan_lanes(x) * OWN
    if function := function_of_scans(name, x, body, initial):
        scan_parts = partial(scan_by_function, name, function)
    if n <= size:
        return scan_parts(x, body, n if columns else size, initial)
    totals = scan_parts(x, body, size, initial, only_totals=True)
    return scan_parts(x, body, size, initial, before=scan(totals, body))


def function_of_scans(name: str, x: Sequence[Tensor], body: Combine, initial: Sequence[Tensor]) -> str | None:
    """The target's function that scans, if it has one: folds begin with what changes nothing, if with anything."""
    if not isinstance(body, Body) or (function := function_of_folds(name, x, body, body.lowering)) is None:
        return None
    return function if begins_with_nothing(body, x[0].dtype, initial) else None


def scan_by_function(
    name: str,
    function: str,
    x: Sequence[Tensor],
    body: Combine,
    size: int,
    initial: Sequence[Tensor] = (),
    before: Sequence[Tensor] = (),
    only_totals: bool = False,
) -> list[Tensor]:
    """`scan_columns` or `scan_tiles` by a function of the target."""
    outer, n, inner = (int(s) for s in x[0].shape)
    parts, how = -(-n // size), only_totals + 2 * bool(initial) + 4 * bool(before)
    shape, numbers = (outer, parts if only_totals else n, inner), (outer, n, inner, size, how)
    threads, own = (MERGED // PACKED, size // PACKED) if name == "scan_tiles" else (THREADS, 1)
    groups, given = -(-outer * parts * inner * own // threads), [*x, *(before or x)]
    return kernel_of_call(name, function, [(shape, x[0].dtype)], given, range(3), numbers, groups, threads)


def scan_lanes(x: Sequence[Tensor]) -> int:
    """How many threads fold a tile together, so that it fits into their shared memory."""
    fits: int = MOST_SHARED // ((OWN + 3) * sum(t.dtype.itemsize for t in x))
    return min(LANES, 1 << fits.bit_length() >> 1, ceil_power(-(-int(x[0].shape[1]) // OWN)))


def begin_folds(
    start: list[Scalar],
    at: Sequence[Scalar],
    later: Scalar,
    shape: Sequence[int],
    initial: Sequence[Tensor],
    firsts: Sequence[Memory],
    olds: Sequence[Memory],
) -> tuple[list[Scalar], Scalar]:
    """What the folds of a part begin with, and whether its first element continues them.

    Args:
        start: the first element, with which they begin where there is nothing else.
        at: the row, the number of the part in it, and the column.
        later: whether the part is not the first one.
        shape: the numbers of rows, parts and columns.
        firsts, olds: the memories of the initial values, and of the folds up to the end of each part.
    """
    (row, part, column), inner = at, shape[-1]
    start = [f[row * inner + column if t.numel() > 1 else 0].load() for f, t in zip(firsts, initial)] or start
    if olds:
        last = address(shape, [row, later.where(part - 1, 0), column])
        start = [later.where(o[last].load(), s) for o, s in zip(olds, start)]
    return start, later.where(*(primitives.constant(bool(some), dtypes.bool) for some in (olds, firsts)))


def scan_columns(
    x: Sequence[Tensor],
    body: Combine,
    size: int,
    initial: Sequence[Tensor] = (),
    before: Sequence[Tensor] = (),
    only_totals: bool = False,
) -> list[Tensor]:
    """`scan` of each part of this many elements, by one thread; adjacent threads read adjacent elements."""
    outer, n, inner = shape = [int(s) for s in x[0].shape]
    parts, count, loops = -(-n // size), len(x), Loops()

    def build(body: Combine, *buffers: Memory) -> Scalar:
        rest = iter(buffers)
        outs, sources, firsts, olds = ([next(rest) for _ in some] for some in (x, x, initial, before))
        at = row, part, column = [loops.range(length, independent=True) for length in (outer, parts, inner)]
        begin, later = part * size, part > 0
        start = [s[address(shape, [row, begin, column])].load() for s in sources]
        start, continues = begin_folds(start, at, later, (outer, parts, inner), initial, firsts, olds)
        registers = loops.carry([t.dtype for t in x], start, at)
        step = loops.range(-(-size // AHEAD))
        goes_on = (step > 0) | continues
        iterations = [begin + step * AHEAD + t for t in range(AHEAD)]
        indices = [address(shape, [row, primitives.smaller(i, n - 1), column]) for i in iterations]
        values, stores = [r.after(step)[0].load() for r in registers], []
        for t, (i, index) in enumerate(zip(iterations, indices)):
            new = [s[index].load() for s in sources]
            found = call(body, *values, *new)[:count]
            found = [goes_on.where(f, v) for f, v in zip(found, new)] if t == 0 else found
            inside = [i < end for end, whole in ((begin + size, size % AHEAD == 0), (n, n % size == 0)) if not whole]
            values = [primitives.all_of(inside).where(f, v) for f, v in zip(found, values)] if inside else found
            # Those after the last one repeat it.
            stores += [out[index].store(v) for out, v in zip(outs, values)]
        updates = loops.update([r.after(step) for r in registers], values, [step])
        if not only_totals:
            return end([end([*stores, *updates], [step])], at)
        done, there = end(updates, [step]), address((outer, parts, inner), at)
        return end([out[there].store(r.after(done)[0].load()) for out, r in zip(outs, registers)], at)

    kinds = [((outer, parts, inner) if only_totals else shape, t.dtype) for t in x]
    return kernel("scan_columns", kinds, [*x, *initial, *before], build, [body])


def scan_tiles(
    x: Sequence[Tensor],
    body: Combine,
    size: int,
    initial: Sequence[Tensor] = (),
    before: Sequence[Tensor] = (),
    only_totals: bool = False,
) -> list[Tensor]:
    """`scan` of each tile of this many elements, or of several short rows, by a group of threads.

    Each thread folds OWN elements, and then the threads of a tile fold these partial results. `before` are the folds up
    to the end of each tile, which those of the next one begin with.
    """
    outer, n, inner = shape = [int(s) for s in x[0].shape]
    tile, lanes, tiles, count, rows = size, size // OWN, -(-n // size), len(x), outer * inner
    steps, together = (lanes - 1).bit_length(), 1
    while tiles == 1 and 2 * together * lanes <= scan_lanes([t.reshape(1, -1, 1) for t in x]) and together < rows:
        together *= 2
    threads, loops = lanes * together, Loops()

    def build(body: Combine, *buffers: Memory) -> Scalar:
        rest = iter(buffers)
        outs, sources, firsts, olds = ([next(rest) for _ in some] for some in (x, x, initial, before))
        group, own = loops.grid(-(-rows // together) * tiles), loops.lane(threads)
        thread = own.cast(dtypes.int32)  # tinygrad would make two dimensions of a range that is divided
        begin, number, lane = group // inner % tiles * tile, thread // lanes, thread % lanes
        memory = [loops.shared((OWN + 1) * threads, t.dtype) for t in x]
        sums = [loops.shared(2 * threads, t.dtype) for t in x]

        def fold_of(number: Scalar) -> tuple[Scalar, Scalar]:
            """The row and column of one of a group's folds."""
            if together == 1:
                return group // (inner * tiles), group % inner
            number = primitives.smaller(group * together + number, rows - 1)
            return number // inner, number % inner

        def index(i: Scalar) -> Scalar:
            row, column = fold_of(i // tile)
            return address(shape, [row, primitives.smaller(begin + i % tile, n - 1), column])

        step = loops.range(OWN, independent=True)
        i = thread + step * threads
        filled = end([m[skew(i)].store(s[index(i)].load()) for m, s in zip(memory, sources)], [step])
        memory = [m.after(primitives.wait(filled)) for m in memory]

        def fold(continues: Scalar, old: Sequence[Scalar], new: Sequence[Scalar]) -> list[Scalar]:
            return [continues.where(c, v) for c, v in zip(call(body, *old, *new)[:count], new)]

        # Each thread's own elements; the first thread continues from the tile before, or from the initial values.
        head, later, (row, column) = lane < 1, begin > 0, fold_of(number)
        start = [m[skew(thread * OWN)].load() for m in memory]
        at = [row, begin // tile, column]
        start, continues = begin_folds(start, at, later, (outer, tiles, inner), initial, firsts, olds)
        registers = loops.carry([t.dtype for t in x], start, [])
        step = loops.range(OWN)
        goes_on = (step > 0) | (head & continues)
        old = [r.after(step)[0].load() for r in registers]
        values = fold(goes_on, old, [m.after(step)[skew(thread * OWN + step)].load() for m in memory])
        results = [loops.registers_of(OWN, t.dtype) for t in x]
        stores = [r.after(step)[step].store(v) for r, v in zip(results, values)]
        done = primitives.wait(
            end([*stores, *loops.update([r.after(step) for r in registers], values, [step])], [step])
        )
        step = loops.range(OWN, independent=True)
        index_of_own = skew(thread * OWN + step)
        stores = [m[index_of_own].store(r.after(done, step)[step].load()) for m, r in zip(memory, results)]
        stored = primitives.wait(end(stores, [step]))
        totals = [s.after(stored)[thread].store(r.after(done)[0].load()) for s, r in zip(sums, registers)]
        filled = primitives.wait(primitives.together(*totals))
        memory, sums = ([m.after(filled) for m in some] for some in (memory, sums))

        # The partial results of the threads' elements.
        if steps:
            step = loops.range(steps)
            distance = (primitives.constant(1, dtypes.int32) << step.cast(dtypes.int32)).cast(dtypes.weakint)
            here, there = step % 2 * threads, (1 - step % 2) * threads
            goes_on = lane > distance - 1
            other = goes_on.where(thread - distance, 0)
            now = [s.after(step) for s in sums]
            values = fold(goes_on, *([s[here + at].load() for s in now] for at in (other, thread)))
            done = primitives.wait(primitives.together(*(s[there + thread].store(v) for s, v in zip(now, values)))).end(
                step
            )
            sums = [s.after(done) for s in sums]
        here = steps % 2 * threads
        if only_totals:
            at = address((outer, tiles, inner), [row, begin // tile, column])
            return end([out[at].store(s[here + lanes - 1].load()) for out, s in zip(outs, sums)], [group, own])
        step = loops.range(OWN)
        i = thread + step * threads
        i = i - i % tile + primitives.smaller(begin + i % tile, n - 1) - begin
        goes_on = i % tile > OWN - 1
        previous = goes_on.where(i // OWN - 1, 0)
        old = [s.after(step)[here + previous].load() for s in sums]
        values = fold(goes_on, old, [m.after(step)[skew(i)].load() for m in memory])
        return end([out[index(i)].store(v) for out, v in zip(outs, values)], [group, own, step])

    kinds = [((outer, tiles, inner) if only_totals else shape, t.dtype) for t in x]
    return kernel("scan_tiles", kinds, [*x, *initial, *before], build, [body])


def fold_tiles(x: Sequence[Tensor], body: Combine) -> list[Tensor]:
    """The folds of tiles of adjacent elements along the last axis, by an associative function.

    A group of threads reads the elements of a tile together, each thread folds its own ones in shared memory, and then
    they fold the partial results of all.
    """
    *others, n = (int(s) for s in x[0].shape)
    rows, count, lanes, parts = prod(others), len(x), scan_lanes([t.reshape(1, -1, 1) for t in x]), -(-n // OWN)
    tiles, loops, read = -(-parts // lanes), Loops(), [primitives.without_repetition(t) for t in x]
    # Rows that are all the same are read as one.
    read = [r.reshape(n) if r.numel() == n else t for r, t in zip(read, x)]

    def build(body: Combine, *buffers: Memory) -> Scalar:
        outs, sources = buffers[:count], buffers[count:]
        group, own = loops.grid(rows * tiles), loops.lane(lanes)
        lane = own.cast(dtypes.int32)
        row, begin = group // tiles, group % tiles * (lanes * OWN)
        memory, sums = ([loops.shared(size * lanes, t.dtype) for t in x] for size in (OWN + 1, 2))
        step = loops.range(OWN, independent=True)
        i = lane + step * lanes
        index = primitives.smaller(begin + i, n - 1)
        elements = [source[index if r.ndim == 1 else row * n + index].load() for source, r in zip(sources, read)]
        filled = end([m[skew(i)].store(e) for m, e in zip(memory, elements)], [step])
        memory = [m.after(primitives.wait(filled)) for m in memory]
        registers = loops.carry([t.dtype for t in x], [m[skew(lane * OWN)].load() for m in memory], [])
        step = loops.range(OWN - 1)
        i = lane * OWN + step + 1
        exists = begin + i < n
        old = [r.after(step)[0].load() for r in registers]
        found = call(body, *old, *(m[skew(i)].load() for m in memory))[:count]
        found = [exists.where(f, o) for f, o in zip(found, old)]
        done = end(loops.update([r.after(step) for r in registers], found, [step]), [step])
        stores = [s[lane].store(r.after(done)[0].load()) for s, r in zip(sums, registers)]
        sums = [s.after(primitives.together(*stores)) for s in sums]
        steps = (lanes - 1).bit_length()
        if steps:
            step = loops.range(steps)
            distance = (primitives.constant(1, dtypes.int32) << step.cast(dtypes.int32)).cast(dtypes.weakint)
            here, there = step % 2 * lanes, (1 - step % 2) * lanes
            exists = (lane + distance < lanes) & (begin // OWN + lane + distance < parts)
            now = [s.after(step) for s in sums]
            old, new = ([s[here + at].load() for s in now] for at in (lane, exists.where(lane + distance, lane)))
            found = [exists.where(f, o) for f, o in zip(call(body, *old, *new)[:count], old)]
            stored = primitives.together(*(s[there + lane].store(f) for s, f in zip(now, found)))
            done = primitives.wait(stored).end(step)
            sums = [s.after(done) for s in sums]
        at = row * tiles + begin // (lanes * OWN)
        return end([out[at].store(s[steps % 2 * lanes].load()) for out, s in zip(outs, sums)], [group, own])

    return kernel("fold_tiles", [((*others, tiles), t.dtype) for t in x], read, build, [body], computes=True)


def scanned_fold(
    x: Sequence[Tensor], initial: Sequence[Tensor], axis: int, reverse: bool, skip: int, length: int, body: Combine
) -> list[Tensor]:
    """The same as `running_fold`, for an associative function."""
    source, count = [int(s) for s in x[0].shape], len(x)
    n, flat = source[axis], (prod(source[:axis]), source[axis], prod(source[axis + 1 :]))
    shape: LoopShape = (flat[0], length, flat[2])
    rows = [(t.flip(axis) if reverse else t).reshape(flat) for t in x]
    if (length, skip) == (n, 0):
        folds = [t.reshape(source) for t in scan(rows, body, initial)]
        return [t.flip(axis) if reverse else t for t in folds]
    loops, folds = Loops(), scan(rows, body)

    def build(body: Combine, *buffers: Memory) -> Scalar:
        outs, sources, firsts = buffers[:count], buffers[count : 2 * count], buffers[2 * count :]
        at = loops.over(shape)
        i = (length - 1 - at[1] if reverse else at[1]) - skip
        some = i > -1
        index = some.where(primitives.smaller(i, n - 1), 0)
        first = [f[0].load() for f in firsts]
        new = [s[address(flat, [at[0], index, at[2]])].load() for s in sources]
        values = [some.where(c, f) for c, f in zip(call(body, *first, *new)[:count], first)]
        return end([out[address(shape, at)].store(v) for out, v in zip(outs, values)], at)

    results = kernel("running_fold", [(shape, t.dtype) for t in x], [*folds, *initial], build, [body])
    return [r.reshape(*source[:axis], length, *source[axis + 1 :]) for r in results]
