"""Sorting, cumulative ops and scatters as kernels whose turns are independent, for devices with many threads.

Each takes a number of kernels that grows with the logarithm of the size. The results are the same in every run: nothing
depends on the order in which threads write.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import prod

from ..ir import ScalarType, TensorType
from ..ops.attributes import plain
from ..tinygrad import loops as primitives
from ..tinygrad.expressions import Tensor, dtypes
from ..tinygrad.loops import Loops, Memory, Scalar, Shape, address, end
from .loops import Combine, call, call_predicate, kernel, read_at
from .registry import Body
from .values import AnyTensor, halves

# So many neighbours are sorted, or folded, by each thread on its own.
CHUNK = 32

# ---------------------------------------------------------------- sorting


def is_total(comparator: Combine) -> bool:
    """Whether a comparator compares integers, or floats in their total order: NaN would have no place in another."""
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


def merged_order(keys: Sequence[AnyTensor], comparator: Combine) -> Tensor:
    """The stable sorting permutation of each row; keys and comparator are as those of `sorted_order`."""
    rows, n = (int(s) for s in keys[0].shape)
    order = Tensor.arange(n, dtype=dtypes.int32).reshape(1, n).expand(rows, n)
    columns, width = halves(keys), 1
    while width < n:
        order = merge(order, width, columns, comparator)
        width *= 2
    return order


def sort_numbers(numbers: Tensor) -> Tensor:
    """Sort each row of integers, no two of which are equal."""
    n = int(numbers.shape[1])
    numbers, width = sort_chunks(numbers), CHUNK
    while width < n:
        numbers = merge(numbers, width)
        width *= 2
    return numbers


def sort_chunks(numbers: Tensor) -> Tensor:
    """Sort each CHUNK numbers of a row: each number counts those of its chunk that are less."""
    rows, n = (int(s) for s in numbers.shape)
    loops = Loops()

    def build(out: Memory, source: Memory) -> Scalar:
        row, k = (loops.range(size, independent=True) for size in (rows, n))
        begin = (k // CHUNK) * CHUNK
        mine = source[row * n + k].load()
        (count,) = loops.carry([dtypes.int32], [primitives.constant(0, dtypes.int32)], [row, k])
        step = loops.range(min(CHUNK, n))
        inside = begin + step < n
        less = inside & (source[row * n + inside.where(begin + step, 0)].load() < mine)
        done = end(
            loops.update([count.after(step)], [count.after(step)[0].load() + less.cast(dtypes.int32)], [step]), [step]
        )
        place = begin + count.after(done)[0].load().cast(dtypes.weakint)
        return end([out[row * n + place].store(mine)], [row, k])

    return kernel("sort_chunks", [((rows, n), numbers.dtype)], [numbers], build)[0]


def merge(order: Tensor, width: int, columns: Sequence[Tensor] = (), comparator: Combine | None = None) -> Tensor:
    """Merge neighbouring sorted parts of `width` numbers, or of places in rows of the columns.

    An element of the result finds by bisection how many of those before it come from the left part. It stays within
    both parts, whatever the comparator says.
    """
    rows, n = (int(s) for s in order.shape)
    loops = Loops()

    def build(comparator: Combine | None, out: Memory, source: Memory, *columns: Memory) -> Scalar:
        row, k = loops.over([rows, n])

        def right_first(a: Scalar, b: Scalar) -> Scalar:
            if comparator is None:
                return b < a
            places = [row * n + x.cast(dtypes.weakint) for x in (b, a)]
            return call_predicate(comparator, *(part[place].load() for part in columns for place in places))

        begin = (k // (2 * width)) * (2 * width)
        middle, stop = primitives.smaller(begin + width, n), primitives.smaller(begin + 2 * width, n)
        left, right, before = middle - begin, stop - middle, k - begin
        first = [(before > right).where(before - right, 0), (before < left).where(before, left)]
        ends = loops.carry([dtypes.int32] * 2, [x.cast(dtypes.int32) for x in first], [row, k])
        step = loops.range(width.bit_length())
        low, high = (x.after(step)[0].load().cast(dtypes.weakint) for x in ends)
        searching = low < high
        middle_one = (low + high) // 2
        a = source[row * n + searching.where(begin + middle_one, 0)].load()
        b = source[row * n + searching.where(middle + before - 1 - middle_one, 0)].load()
        goes_left = right_first(a, b)
        found = [
            (searching & (goes_left != True)).where(middle_one + 1, low),  # noqa: E712  (a graph node, not a bool)
            (searching & goes_left).where(middle_one, high),
        ]
        done = end(loops.update([x.after(step) for x in ends], [x.cast(dtypes.int32) for x in found], [step]), [step])
        i = ends[0].after(done)[0].load().cast(dtypes.weakint)
        has_left, has_right = i < left, before - i < right
        a = source[row * n + has_left.where(begin + i, 0)].load()
        b = source[row * n + has_right.where(middle + before - i, 0)].load()
        takes_left = has_left & ((has_right & right_first(a, b)) != True)  # noqa: E712
        return end([out[row * n + k].store(takes_left.where(a, b))], [row, k])

    bodies = [comparator] if comparator is not None else [None]
    return kernel("merge", [((rows, n), order.dtype)], [order, *columns], build, bodies)[0]


# ---------------------------------------------------------------- folding


def scan(x: Sequence[Tensor], body: Combine, keys: Tensor | None = None) -> list[Tensor]:
    """The folds of all beginnings along the middle axis of tensors of rank 3, by an associative function.

    With keys, which are sorted, a fold begins anew wherever the key differs from the one before.
    """
    outer, n, inner = shape = [int(s) for s in x[0].shape]
    chunks, count, given = -(-n // CHUNK), len(x), [] if keys is None else [keys]
    loops, later = Loops(), Loops()

    def build(body: Combine, *buffers: Memory) -> Scalar:
        outs, sources, key = buffers[:count], buffers[count : 2 * count], buffers[2 * count :]
        at = [loops.range(size, independent=True) for size in (outer, chunks, inner)]
        registers = loops.carry([t.dtype for t in x], [s[0].load() for s in sources], at)
        step = loops.range(min(CHUNK, n))
        wanted = at[1] * CHUNK + step
        inside = wanted < n
        i = inside.where(wanted, n - 1)
        goes_on = step > 0
        if key:
            goes_on = goes_on & key[0][i].load().eq(key[0][goes_on.where(i - 1, 0)].load())
        where = address(shape, [at[0], i, at[2]])
        old, new = [r.after(step)[0].load() for r in registers], [s[where].load() for s in sources]
        folded = [goes_on.where(c, v) for c, v in zip(call(body, *old, *new)[:count], new)]
        values = [inside.where(f, o) for f, o in zip(folded, old)] if n % CHUNK and n > CHUNK else folded
        stores = [out[where].store(v) for out, v in zip(outs, values)]
        return end([end([*stores, *loops.update([r.after(step) for r in registers], values, [step])], [step])], at)

    kinds = [(shape, t.dtype) for t in x]
    within = kernel("scan_chunks", kinds, [*x, *given], build, [body])
    if chunks == 1:
        return within

    def last(at: list[Scalar], *_: Memory) -> list[Scalar]:
        return [*at[:-2], primitives.smaller(at[-2] * CHUNK + CHUNK, n) - 1, at[-1]]

    totals = [read_at(t, (outer, chunks, inner), [], last, "chunk_ends") for t in within]
    last_keys = None if keys is None else read_at(keys.reshape(n, 1), (chunks, 1), [], last, "chunk_ends").reshape(-1)
    totals = scan(totals, body, last_keys)

    def add(body: Combine, *buffers: Memory) -> Scalar:
        outs, sources, before = buffers[:count], buffers[count : 2 * count], buffers[2 * count : 3 * count]
        key = buffers[3 * count :]
        at = later.over(shape)
        chunk = at[1] // CHUNK
        goes_on = chunk > 0
        previous = goes_on.where(chunk - 1, 0)
        if key:
            goes_on = goes_on & key[0][at[1]].load().eq(key[0][previous * CHUNK + CHUNK - 1].load())
        old = [b[address((outer, chunks, inner), [at[0], previous, at[2]])].load() for b in before]
        new = [s[address(shape, at)].load() for s in sources]
        values = [goes_on.where(c, v) for c, v in zip(call(body, *old, *new)[:count], new)]
        return end([out[address(shape, at)].store(v) for out, v in zip(outs, values)], at)

    return kernel("add_chunks", kinds, [*within, *totals, *given], add, [body])


def scanned_fold(
    x: Sequence[Tensor], initial: Sequence[Tensor], axis: int, reverse: bool, skip: int, length: int, body: Combine
) -> list[Tensor]:
    """The same as `running_fold`, for an associative function."""
    source, count = [int(s) for s in x[0].shape], len(x)
    n, flat = source[axis], (prod(source[:axis]), source[axis], prod(source[axis + 1 :]))
    shape: Shape = (flat[0], length, flat[2])
    loops = Loops()
    folds = scan([(t.flip(axis) if reverse else t).reshape(flat) for t in x], body)

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
    places = Tensor.arange(m, dtype=dtypes.int64)
    packed = sort_numbers((cells.reshape(m).cast(dtypes.int64) * (1 << 32) + places).reshape(1, m)).reshape(m)
    keys, order = (packed >> 32).cast(dtypes.int32).contiguous(), packed.cast(dtypes.int32).contiguous()

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


def pack(keys: Sequence[AnyTensor], number: Callable[[Sequence[Scalar]], Scalar]) -> Tensor:
    """For each row of keys, a number that is in their order, with the place in its lower 32 bits."""
    rows, n = (int(s) for s in keys[0].shape)
    loops = Loops()

    def build(out: Memory, *columns: Memory) -> Scalar:
        at = loops.over([rows, n])
        parts = [c[address((rows, n), at)].load() for c in columns]
        both, rest = [], iter(parts)
        for key in keys:
            own = [next(rest) for _ in halves([key])]
            both += [*own, *own]
        value = number(both) * (1 << 32) + at[1].cast(dtypes.int64)
        return end([out[address((rows, n), at)].store(value)], at)

    return kernel("pack", [((rows, n), dtypes.int64)], halves(keys), build)[0]
