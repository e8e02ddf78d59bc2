"""Cumulative ops and scatters as kernels whose iterations are independent, for devices with many threads.

Each takes a number of kernels that grows with the logarithm of the size. The results are the same in every run: nothing
depends on the order in which threads write.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import prod

from ..tinygrad import loops as primitives
from ..tinygrad.expressions import Tensor, dtypes, make_unplaced
from ..tinygrad.loops import Loops, LoopShape, Memory, Scalar, address, call_with_places, end
from .comparator import Ranks
from .digits import functions_of_digits, sort_by_digits
from .loops import Combine, call, kernel
from .merging import LANES, MOST_SHARED, OWN, ceil_power, merged_order, skew
from .registry import Body, Lowering

# ---------------------------------------------------------------- folding

# If this many folds are adjacent, each is computed by one thread; with fewer folds than MANY_FOLDS, in parts of LEAST
# elements or more. A thread reads AHEAD elements before it folds them.
NEIGHBOURS, MANY_FOLDS, LEAST, AHEAD = 8, 1 << 17, 32, 4


def scan(x: Sequence[Tensor], body: Combine, initial: Sequence[Tensor] = ()) -> list[Tensor]:
    """The folds of all beginnings along the middle axis of tensors of rank 3, by an associative function.

    Folds begin with `initial`, if they are given: one for all, or one for each fold.
    """
    outer, n, inner = (int(s) for s in x[0].shape)
    columns = inner >= NEIGHBOURS and not (isinstance(body, Body) and body.lowering.in_order)
    if columns:
        scan_parts, size = scan_columns, max(LEAST, n * outer * inner // MANY_FOLDS // AHEAD * AHEAD)
    else:
        scan_parts, size = scan_tiles, scan_lanes(x) * OWN
    if n <= size:
        return scan_parts(x, body, n if columns else size, initial)
    totals = scan_parts(x, body, size, initial, only_totals=True)
    return scan_parts(x, body, size, initial, before=scan(totals, body))


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
        places = [address(shape, [row, primitives.smaller(i, n - 1), column]) for i in iterations]
        values, stores = [r.after(step)[0].load() for r in registers], []
        for t, (i, place) in enumerate(zip(iterations, places)):
            new = [s[place].load() for s in sources]
            found = call(body, *values, *new)[:count]
            found = [goes_on.where(f, v) for f, v in zip(found, new)] if t == 0 else found
            inside = [i < end for end, whole in ((begin + size, size % AHEAD == 0), (n, n % size == 0)) if not whole]
            values = [primitives.all_of(inside).where(f, v) for f, v in zip(found, values)] if inside else found
            # Those after the last one repeat it.
            stores += [out[place].store(v) for out, v in zip(outs, values)]
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

        def place(i: Scalar) -> Scalar:
            row, column = fold_of(i // tile)
            return address(shape, [row, primitives.smaller(begin + i % tile, n - 1), column])

        step = loops.range(OWN, independent=True)
        i = thread + step * threads
        filled = end([m[skew(i)].store(s[place(i)].load()) for m, s in zip(memory, sources)], [step])
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
        place_of_own = skew(thread * OWN + step)
        stores = [m[place_of_own].store(r.after(done, step)[step].load()) for m, r in zip(memory, results)]
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
        return end([out[place(i)].store(v) for out, v in zip(outs, values)], [group, own, step])

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
        place = primitives.smaller(begin + i, n - 1)
        elements = [source[place if r.ndim == 1 else row * n + place].load() for source, r in zip(sources, read)]
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
        place = some.where(primitives.smaller(i, n - 1), 0)
        first = [f[0].load() for f in firsts]
        new = [s[address(flat, [at[0], place, at[2]])].load() for s in sources]
        values = [some.where(c, f) for c, f in zip(call(body, *first, *new)[:count], first)]
        return end([out[address(shape, at)].store(v) for out, v in zip(outs, values)], at)

    results = kernel("running_fold", [(shape, t.dtype) for t in x], [*folds, *initial], build, [body])
    return [r.reshape(*source[:axis], length, *source[axis + 1 :]) for r in results]


# ---------------------------------------------------------------- scattering

# How many adjacent updates, in the order of the cells, a thread folds: OWN for MANY rows of less than NARROW numbers.
RUN, NARROW, MANY = 32, 8, 1 << 14


def scatter_sorted(
    operands: Sequence[Tensor],
    updates: Sequence[Tensor],
    cells: Tensor,
    dimensions: Sequence[int],
    axes: Sequence[int],
    body: Combine,
    lowering: Lowering,
) -> list[Tensor]:
    """Combine updates into the operands by an associative function, in order.

    The updates are sorted by the cell that they change, and folded in runs of neighbours. A run's partial result for a
    cell that is in other runs as well is an element of a shorter list, which is folded likewise.

    Args:
        cells: for each update, a cell of the operands, counted along `dimensions`; a negative number if it is dropped.
        dimensions: the operands' dimensions that the cells are counted along.
        axes: the updates' dimensions that lie within a cell, in the order of the operands' other dimensions.
    """
    shape, m = [int(s) for s in operands[0].shape], prod(int(s) for s in cells.shape)
    sizes, others = [shape[d] for d in dimensions], [d for d in range(len(shape)) if d not in dimensions]
    outer = [d for d in range(updates[0].ndim) if d not in axes]
    width = prod(shape[d] for d in others)
    numbers = Ranks(cells.reshape(1, m), prod(sizes).bit_length() + 1)
    if functions := functions_of_digits([numbers], lowering):
        order, keys = sort_by_digits([numbers], functions)
    else:
        order, keys = merged_order([numbers.numbers], None, lowering)
    values = [u.permute(*outer, *axes).reshape(m, width) for u in updates]
    results = list(operands) if lowering.in_place else copies_of(operands)

    def address_of(cell: Scalar, column: Scalar) -> Scalar:
        if [*dimensions, *others] == [*range(len(shape))]:
            return cell * width + column
        index: list[Scalar | int] = [0] * len(shape)
        for number, some in ((cell, dimensions), (column, others)):
            for d in reversed(some):
                index[d], number = number % shape[d], number // shape[d]
        return address(shape, index)

    if isinstance(body, Body) and body.monoid is None:  # it replaces
        return write_last(results, values, keys.reshape(m), order.reshape(m), address_of)
    results, *lists = fold_runs(results, values, keys.reshape(m), order.reshape(m), address_of, body)
    while lists:
        values, keys = lists
        results, *lists = fold_runs(results, values, keys, None, address_of, body)
    return results


def write_last(
    targets: Sequence[Tensor],
    values: Sequence[Tensor],
    keys: Tensor,
    order: Tensor,
    address_of: Callable[[Scalar, Scalar], Scalar],
) -> list[Tensor]:
    """Write the last of each row of values with equal keys into the targets; see `fold_runs`."""
    m, width, count, loops = int(keys.shape[0]), int(values[0].shape[1]), len(values), Loops()

    def build(*buffers: Memory) -> Scalar:
        outs, (key_of, place_of), sources = buffers[:count], buffers[count : count + 2], buffers[count + 2 :]
        i, column = loops.range(m, independent=True), loops.range(width, independent=True)
        key, following = key_of[i].load(), key_of[primitives.smaller(i + 1, m - 1)].load()
        is_last = (key > -1) & ((i > m - 2) | (key.eq(following) != True))  # noqa: E712  (a graph node, not a bool)
        place = is_last.where(place_of[i].load(), 0).cast(dtypes.weakint)
        at = address_of(is_last.where(key, 0).cast(dtypes.weakint), column)
        stores = [out[at.valid(is_last)].store(s[place * width + column].load()) for out, s in zip(outs, sources)]
        return end(stores, [i, column])

    outputs = [([int(s) for s in t.shape], t.dtype) for t in targets]
    return kernel("write_last", outputs, [keys, order, *values], build, targets=targets)


def copies_of(x: Sequence[Tensor]) -> list[Tensor]:
    """The tensors, each in memory of its own."""
    shape, loops = [int(s) for s in x[0].shape], Loops()

    def build(*buffers: Memory) -> Scalar:
        i = loops.range(prod(shape))
        return end([out[i].store(old[i].load()) for out, old in zip(buffers, buffers[len(x) :])], [i])

    return kernel("copy", [(shape, t.dtype) for t in x], x, build)


def write_at_once(
    operand: Tensor,
    update: Tensor,
    indices: Tensor,
    place: Callable[[list[Scalar], Memory], tuple[list[Scalar], Scalar]],
    function: str,
    in_place: bool,
) -> Tensor:
    """The same as `write_at` by a function of the target that combines numbers with elements in any order."""
    shape, sizes, loops = [int(s) for s in operand.shape], [int(s) for s in update.shape], Loops()

    def build(out: Memory, new: Memory, index: Memory) -> Scalar:
        at: list[Scalar] = [loops.range(size, independent=True) for size in sizes]
        target, inside = place(at, index)
        where = address(shape, target)
        value = inside.where(new[address(sizes, at)].load(), 0)
        # The function writes; what it returns is false, so nothing is stored, but the kernel counts as one that writes.
        is_left = call_with_places(function, dtypes.bool, [out[where], value, inside])
        return end([out[where.valid(is_left)].store(value)], at)

    targets = [operand] if in_place else copies_of([operand])
    outputs = [(shape, operand.dtype)]
    return kernel("scatter", outputs, [update, indices], build, targets=targets, computes=True)[0]


def fold_runs(
    targets: Sequence[Tensor],
    values: Sequence[Tensor],
    keys: Tensor,
    order: Tensor | None,
    address_of: Callable[[Scalar, Scalar], Scalar],
    body: Combine,
) -> tuple[list[Tensor], list[Tensor], Tensor] | tuple[list[Tensor]]:
    """Fold rows of values with equal keys, and combine those that are whole into the targets.

    Equal keys are adjacent; there is no value where a key is negative. Returns the targets, and if there is more than
    one run, two rows and their keys for each run: its partial results for a cell shared with the run before it, and for
    one shared with the next run; or a key of -1.

    Args:
        order: which value belongs to each key; None if they are in the same order.
        address_of: where the column of a cell is in the targets.
    """
    m, width = int(keys.shape[0]), int(values[0].shape[1])
    kinds, count, loops = [v.dtype for v in values], len(values), Loops()
    # Threads whose rows are narrow would read far from each other, so they read runs together, into shared memory.
    together = width < NARROW and m >= MANY
    size = OWN if together else RUN
    lanes = scan_lanes([keys.reshape(1, m, 1), *(v.reshape(1, -1, 1) for v in values)]) if together else 1
    runs = -(-m // size)
    is_last = runs == 1

    def build(body: Combine, *buffers: Memory) -> Scalar:
        outs, parts = buffers[:count], buffers[count : count if is_last else 2 * count + 1]
        key_of, *rest = buffers[count + len(parts) :]
        sources, places = rest[:count], rest[count:]
        if together:
            group, lane = loops.grid(-(-runs // lanes) * width), loops.lane(lanes)
            run, column, outer = group // width * lanes + lane, group % width, []
        else:
            run, column = loops.range(runs, independent=True), loops.range(width, independent=True)
            outer = [run, column]
        first, none = run * size, primitives.constant(-1, dtypes.int32)

        def key_at(place: Scalar, exists: Scalar) -> Scalar:
            return exists.where(key_of[exists.where(place, 0)].load(), none)

        def read(place: Scalar) -> tuple[Scalar, list[Scalar]]:
            """A key, and the value that belongs to it, if there is one."""
            key = key_at(place, place < m)
            place = (key > -1).where(place, 0)
            place = places[0][place].load().cast(dtypes.weakint) if places else place
            return key, [source[(key > -1).where(place, 0) * width + column].load() for source in sources]

        if together:
            memory = [loops.shared((OWN + 1) * lanes, kind) for kind in (dtypes.int32, *kinds)]
            step = loops.range(OWN, independent=True)
            i = lane + step * lanes
            key, new = read(group // width * (lanes * size) + i)
            filled = end([part[skew(i)].store(x) for part, x in zip(memory, [key, *new])], [step])
            memory = [part.after(primitives.wait(filled)) for part in memory]

        # The key of the element before the run; in a list of two rows per run, that of the row before it if none.
        exists = run < runs  # the last group may have more threads
        before = key_at(first - 1, exists & (first > 0))
        before = (before < 0).where(key_at(first - 2, exists & (first > 1)), before)
        # The key that is folded, whether there is a value of it, whether it begins in this run, the key of the first
        # row of the result, then the fold, and the first row.
        begin = [before, *(primitives.constant(False, dtypes.bool) for _ in range(2)), none]
        begin += [primitives.constant(0, kind) for kind in kinds] * 2
        registers = loops.carry([dtypes.int32, dtypes.bool, dtypes.bool, dtypes.int32, *kinds * 2], begin, outer)
        # The last iteration has the key that follows the run, and changes no register.
        step = loops.range(size + 1)
        is_over = step > size - 1
        following = key_at(first + size, first + size < m)
        current, has, begins, head_key, *old = (r.after(step)[0].load() for r in registers)
        old, head = old[:count], old[count:]
        if together:
            place = skew(lane * size + primitives.smaller(step, size - 1))
            key, *new = (part[place].load() for part in memory)
            key = is_over.where(following, key)
        else:
            key, new = read(first + step)
        exists = key > -1
        differs = (exists | is_over) & (key.eq(current) != True)  # noqa: E712  (a graph node, not a bool)
        ends, goes_on = differs & has, has & (differs != True)  # noqa: E712
        is_whole, is_head = ends & begins, ends & (begins != True)  # noqa: E712
        # Either a value is folded, or the fold of a whole cell is combined into the targets.
        at = address_of(is_whole.where(current, 0).cast(dtypes.weakint), column)
        left = [is_whole.where(out.after(step)[at].load(), o) for out, o in zip(outs, old)]
        folded = call(body, *left, *(is_whole.where(o, n) for o, n in zip(old, new)))[:count]
        stores = [out.after(step)[at.valid(is_whole)].store(value) for out, value in zip(outs, folded)]
        exists = exists & (is_over != True)  # noqa: E712
        fresh = [exists.where(key, current), has | exists, begins | (differs & exists)]
        fresh += [(is_head & exists).where(current, head_key)]
        fresh += [exists.where(goes_on.where(f, n), o) for f, n, o in zip(folded, new, old)]
        fresh += [(is_head & exists).where(o, h) for o, h in zip(old, head)]
        # What is stored is what the registers were.
        ready = loops.update([r.after(step, *stores) for r in registers], fresh, [step])
        done = end(ready, [step])
        current, has, begins, head_key, *old = (r.after(done)[0].load() for r in registers)
        old, head = old[:count], old[count:]
        goes_on = has & following.eq(current)
        stores = []
        if not is_last:
            is_head, is_tail = has & (begins != True), goes_on & begins  # noqa: E712
            *rows, part_keys = parts
            for row, o, h in zip(rows, old, head):
                at = 2 * run * width + column
                pair = is_head.where(o, h), o
                stores += [row[(at + n * width).valid(run < runs)].store(k) for n, k in enumerate(pair)]
            pair = is_head.where(current, head_key), is_tail.where(current, none)
            is_first = (column < 1) & (run < runs)
            stores += [part_keys[(2 * run + n).valid(is_first)].store(k) for n, k in enumerate(pair)]
        return end(stores or [done], [group, lane] if together else outer)

    given = [keys, *values, *([] if order is None else [order])]
    lists = [] if is_last else [make_unplaced((2 * runs, width), kind) for kind in kinds]
    lists += [] if is_last else [make_unplaced((2 * runs,), dtypes.int32)]
    written = [*targets, *lists]
    found = kernel("fold_runs", [([int(s) for s in t.shape], t.dtype) for t in written], given, build, [body], written)
    return (found[:count],) if is_last else (found[:count], found[count:-1], found[-1])
