"""Cumulative ops and scatters as kernels whose iterations are independent, for devices with many threads.

Each takes a number of kernels that grows with the logarithm of the size. The results are the same in every run: nothing
depends on the order in which threads write.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import prod

from ..tinygrad import loops as primitives
from ..tinygrad.expressions import Tensor, dtypes
from ..tinygrad.loops import Loops, Memory, Scalar, Shape, address, end
from .loops import Combine, call, kernel, read_at
from .merging import LANES, MOST_SHARED, OWN, ceil_power, merged_order, skew

# ---------------------------------------------------------------- folding


def scan(
    x: Sequence[Tensor], body: Combine, keys: Tensor | None = None, initial: Sequence[Tensor] = ()
) -> list[Tensor]:
    """The folds of all beginnings along the middle axis of tensors of rank 3, by an associative function.

    With keys, which are sorted, a fold begins anew wherever the key differs from the one before. Folds begin with
    `initial`, if they are given: one for all, or one for each fold.
    """
    n = int(x[0].shape[1])
    lanes = scan_lanes(x)
    if n <= lanes * OWN:
        return scan_tiles(x, body, lanes, keys, initial)
    totals = scan_tiles(x, body, lanes, keys, initial, only_totals=True)
    tiles = int(totals[0].shape[1])

    def last(at: list[Scalar]) -> list[Scalar]:
        return [primitives.smaller((at[0] + 1) * lanes * OWN, n) - 1]

    last_keys = None if keys is None else read_at(keys, (tiles,), [], last, "last_keys")
    return scan_tiles(x, body, lanes, keys, initial, before=scan(totals, body, last_keys))


def scan_lanes(x: Sequence[Tensor]) -> int:
    """How many threads fold a tile together, so that it fits into their shared memory, without keys."""
    fits: int = MOST_SHARED // ((OWN + 3) * sum(t.dtype.itemsize for t in x))
    return min(LANES, 1 << fits.bit_length() >> 1, ceil_power(-(-int(x[0].shape[1]) // OWN)))


def scan_tiles(
    x: Sequence[Tensor],
    body: Combine,
    lanes: int,
    keys: Tensor | None = None,
    initial: Sequence[Tensor] = (),
    before: Sequence[Tensor] = (),
    only_totals: bool = False,
) -> list[Tensor]:
    """`scan` of each tile of so many threads' elements.

    Each thread folds OWN elements, and then the threads fold what these add up to. `before` are the folds up to the
    end of each tile, which those of the next one begin with.
    """
    outer, n, inner = shape = [int(s) for s in x[0].shape]
    tile, count = lanes * OWN, len(x)
    tiles, steps = -(-n // tile), (lanes - 1).bit_length()
    loops = Loops()

    def build(body: Combine, *buffers: Memory) -> Scalar:
        rest = iter(buffers)
        outs, sources, firsts, olds, key = (
            [next(rest) for _ in some] for some in (x, x, initial, before, [keys] if keys is not None else [])
        )
        group, lane = loops.grid(outer * tiles * inner), loops.lane(lanes)
        begin, row, column = group // inner % tiles * tile, group // (inner * tiles), group % inner
        memory = [loops.shared((OWN + 1) * lanes, t.dtype) for t in x]
        known = [loops.shared((OWN + 1) * lanes, keys.dtype)] if keys is not None else []
        sums = [loops.shared(2 * lanes, t.dtype) for t in x]

        def place(i: Scalar) -> Scalar:
            return address(shape, [row, primitives.smaller(begin + i, n - 1), column])

        filled = []
        for t in range(OWN):
            i = lane + t * lanes
            filled += [m[skew(i)].store(s[place(i)].load()) for m, s in zip(memory, sources)]
            filled += [m[skew(i)].store(k[primitives.smaller(begin + i, n - 1)].load()) for m, k in zip(known, key)]
        memory, known = ([m.after(primitives.together(*filled)) for m in some] for some in (memory, known))

        def fold(continues: Scalar, old: Sequence[Scalar], new: Sequence[Scalar]) -> list[Scalar]:
            return [continues.where(c, v) for c, v in zip(call(body, *old, *new)[:count], new)]

        # Each thread's own elements; the first thread goes on from the tile before, or from the initial values.
        head, later = lane < 1, begin > 0
        start = [m[skew(lane * OWN)].load() for m in memory]
        some = [f[row * inner + column if t.numel() > 1 else 0].load() for f, t in zip(firsts, initial)] or start
        if olds:
            at = address((outer, tiles, inner), [row, later.where(begin // tile - 1, 0), column])
            some = [later.where(o[at].load(), f) for o, f in zip(olds, some)]
        registers = loops.carry([t.dtype for t in x], some, [])
        step = loops.range(OWN)
        i = lane * OWN + step
        is_first = (
            head & (step < 1) & later.where(*(primitives.constant(bool(some), dtypes.bool) for some in (olds, firsts)))
        )
        goes_on = (step > 0) | is_first
        for m, k in zip(known, key):
            own, previous = m[skew(i)].load(), m[skew((i > 0).where(i - 1, 0))].load()
            outside = k[later.where(begin - 1, 0)].load()
            goes_on = goes_on & own.eq((i > 0).where(previous, outside))
        old = [r.after(step)[0].load() for r in registers]
        values = fold(goes_on, old, [m.after(step)[skew(i)].load() for m in memory])
        results = [loops.registers_of(OWN, t.dtype) for t in x]
        stores = [r.after(step)[step].store(v) for r, v in zip(results, values)]
        done = primitives.wait(
            end([*stores, *loops.update([r.after(step) for r in registers], values, [step])], [step])
        )
        totals = [s[lane].store(r.after(done)[0].load()) for s, r in zip(sums, registers)]
        results = [r.after(done) for r in results]
        stores = [m[skew(lane * OWN + t)].store(r[t].load()) for m, r in zip(memory, results) for t in range(OWN)]
        filled = primitives.together(*stores, *totals)
        memory, sums = ([m.after(filled) for m in some] for some in (memory, sums))

        # What the threads' elements add up to.
        if steps:
            step = loops.range(steps)
            distance = (primitives.constant(1, dtypes.int32) << step.cast(dtypes.int32)).cast(dtypes.weakint)
            here, there = step % 2 * lanes, (1 - step % 2) * lanes
            goes_on = lane > distance - 1
            other = goes_on.where(lane - distance, 0)
            for m in known:
                goes_on = goes_on & m[skew(lane * OWN + OWN - 1)].load().eq(m[skew(other * OWN + OWN - 1)].load())
            now = [s.after(step) for s in sums]
            values = fold(goes_on, *([s[here + at].load() for s in now] for at in (other, lane)))
            done = primitives.wait(primitives.together(*(s[there + lane].store(v) for s, v in zip(now, values)))).end(
                step
            )
            sums = [s.after(done) for s in sums]
        here = steps % 2 * lanes
        if only_totals:
            at = address((outer, tiles, inner), [row, begin // tile, column])
            return end([out[at].store(s[here + lanes - 1].load()) for out, s in zip(outs, sums)], [group, lane])
        step = loops.range(OWN)
        i = primitives.smaller(begin + lane + step * lanes, n - 1) - begin
        goes_on = i > OWN - 1
        previous = goes_on.where(i // OWN - 1, 0)
        for m in known:
            goes_on = goes_on & m[skew(i)].load().eq(m[skew(previous * OWN + OWN - 1)].load())
        old = [s.after(step)[here + previous].load() for s in sums]
        values = fold(goes_on, old, [m.after(step)[skew(i)].load() for m in memory])
        return end([out[place(i)].store(v) for out, v in zip(outs, values)], [group, lane, step])

    kinds = [((outer, tiles, inner) if only_totals else shape, t.dtype) for t in x]
    given = [*x, *initial, *before, *([keys] if keys is not None else [])]
    return kernel("scan_tiles", kinds, given, build, [body])


def scanned_fold(
    x: Sequence[Tensor], initial: Sequence[Tensor], axis: int, reverse: bool, skip: int, length: int, body: Combine
) -> list[Tensor]:
    """The same as `running_fold`, for an associative function."""
    source, count = [int(s) for s in x[0].shape], len(x)
    n, flat = source[axis], (prod(source[:axis]), source[axis], prod(source[axis + 1 :]))
    shape: Shape = (flat[0], length, flat[2])
    rows = [(t.flip(axis) if reverse else t).reshape(flat) for t in x]
    if (length, skip) == (n, 0):
        folds = [t.reshape(source) for t in scan(rows, body, None, initial)]
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


def scatter_sorted(
    operands: Sequence[Tensor],
    updates: Sequence[Tensor],
    cells: Tensor,
    dimensions: Sequence[int],
    axes: Sequence[int],
    body: Combine,
    in_place: bool,
) -> list[Tensor]:
    """Combine updates into the operands by an associative function, in order.

    The updates are sorted by the cell that they change, folded for each cell, and read by the operands' elements.

    Args:
        cells: for each update, a cell of the operands, counted along `dimensions`; any other number if it is dropped.
        dimensions: the operands' dimensions that the cells are counted along.
        axes: the updates' dimensions that lie within a cell, in the order of the operands' other dimensions.
    """
    shape, count, m = [int(s) for s in operands[0].shape], len(operands), prod(int(s) for s in cells.shape)
    sizes, others = [shape[d] for d in dimensions], [d for d in range(len(shape)) if d not in dimensions]
    outer = [d for d in range(updates[0].ndim) if d not in axes]
    width = prod(shape[d] for d in others)
    order, keys = (t.reshape(m) for t in merged_order([cells.reshape(1, m)], None))

    def place(at: list[Scalar], order: Memory) -> list[Scalar]:
        return [order[at[0]].load().cast(dtypes.weakint), at[1]]

    rows = [u.permute(*outer, *axes).reshape(m, width) for u in updates]
    rows = [read_at(r, (m, width), [order], place, "permute").reshape(1, m, width) for r in rows]
    folds = scan(rows, body, keys)
    search, loops = Loops(), Loops()

    def find(out: Memory, key: Memory) -> Scalar:
        cell = search.range(prod(sizes))
        wanted = cell.cast(dtypes.int32)
        ends = [primitives.constant(0, dtypes.int32), primitives.constant(m, dtypes.int32)]
        registers = search.carry([dtypes.int32] * 2, ends, [cell])
        step = search.range(m.bit_length())
        low, high = (r.after(step)[0].load() for r in registers)
        searching, middle = low < high, (low + high) // 2
        passed = key[searching.where(middle, 0).cast(dtypes.weakint)].load() < wanted + 1
        found = [(searching & passed).where(middle + 1, low), (searching & (passed != True)).where(middle, high)]  # noqa: E712
        done = end(search.update([r.after(step) for r in registers], found, [step]), [step])
        last = registers[0].after(done)[0].load() - 1
        has = last > -1
        has = has & key[has.where(last, 0).cast(dtypes.weakint)].load().eq(wanted)
        return end([out[cell].store(has.where(last, -1))], [cell])

    (found,) = kernel("find_updates", [((prod(sizes),), dtypes.int32)], [keys], find)
    targets, copies = (list(operands), []) if in_place else ([], list(operands))

    def write(body: Combine, *buffers: Memory) -> Scalar:
        outs, olds = buffers[:count], buffers[count : count + len(copies)] or buffers[:count]
        news, last = buffers[count + len(copies) :][:count], buffers[2 * count + len(copies)]
        at = loops.over(shape)
        number = last[address(sizes, [at[d] for d in dimensions])].load()
        changes = number > -1
        row = changes.where(number, 0).cast(dtypes.weakint)
        old = [o[address(shape, at)].load() for o in olds]
        new = [f[row * width + address([shape[d] for d in others], [at[d] for d in others])].load() for f in news]
        values = [changes.where(c, o) for c, o in zip(call(body, *old, *new)[:count], old)]
        return end([out[address(shape, at)].store(v) for out, v in zip(outs, values)], at)

    return kernel("scatter", [(shape, x.dtype) for x in operands], [*copies, *folds, found], write, [body], targets)
