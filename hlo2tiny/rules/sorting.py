"""Sorting as kernels of loops in which one thread sorts a row: by merging, by counting, by digits."""

from __future__ import annotations

from collections.abc import Sequence

from ..ir.sizes import typical
from ..tinygrad import loops as primitives
from ..tinygrad.expressions import Tensor, dtypes
from ..tinygrad.loops import Loops, Memory, Scalar, address, end, most_elements
from .loops import Combine, call_predicate, kernel, read_at
from .values import AnyTensor, halves


def sorted_order(keys: Sequence[AnyTensor], comparator: Combine) -> Tensor:
    """The stable sorting permutation of each row, by a bottom-up merge sort with one comparison per step.

    The keys have the shape (rows, n); the comparator takes two scalars for each key, and says whether the first ones
    are less.
    """
    rows, n = keys[0].shape
    passes = max(most_elements([n]) - 1, 0).bit_length()  # more than it takes leave all where they are
    loops = Loops()

    def build(comparator: Combine, order: Memory, *columns: Memory) -> Scalar:
        row, base = loops.range(rows), 2 * n
        order = primitives.with_room(order.after(row), row * base, base)
        i = loops.range(n)
        started = order[row * base + i].store(i.cast(dtypes.int32)).end(i)
        order = order.after(started)
        if passes == 0:
            return started.end(row)
        iteration = loops.range(passes)
        run = primitives.constant(1, dtypes.int32) << iteration.cast(dtypes.int32)
        width = run.cast(dtypes.weakint)
        here, there = row * base + (iteration % 2) * n, row * base + (1 - iteration % 2) * n
        zero = primitives.constant(0, dtypes.int32)
        heads = loops.carry([dtypes.int32, dtypes.int32], [zero, zero], [row, iteration])
        k = loops.range(n)
        offset = k.cast(dtypes.int32) & (2 * run - 1)  # a division would take longer than everything else
        start = k - offset.cast(dtypes.weakint)
        middle, stop = primitives.smaller(start + width, n), primitives.smaller(start + 2 * width, n)
        loaded = [h.after(k)[0].load().cast(dtypes.weakint) for h in heads]
        at_start = offset < 1
        left, right = at_start.where(start, loaded[0]), at_start.where(middle, loaded[1])
        has_left, has_right = left < middle, right < stop
        now = order.after(k)
        a, b = (now[here + has.where(at, 0)].load() for has, at in ((has_left, left), (has_right, right)))
        pairs, rest = [], iter(columns)
        for parts in ([next(rest) for _ in halves([key])] for key in keys):
            pairs += [part[row * n + position.cast(dtypes.weakint)].load() for position in (b, a) for part in parts]
        right_first = call_predicate(comparator, *pairs)
        from_left = has_left & ((has_right & right_first) != True)  # noqa: E712  (a graph node)
        stored = now[there + k].store(from_left.where(a, b))
        moved = [left + from_left.where(1, 0), right + from_left.where(0, 1)]
        updates = loops.update([h.after(k) for h in heads], [m.cast(dtypes.int32) for m in moved], [k])
        return primitives.together(stored, *updates).end(k).end(iteration).end(row)

    result = kernel("sort", [((rows, 2, n), dtypes.int32)], halves(keys), build, [comparator])[0]
    return result[:, passes % 2]


# Up to FEW numbers, comparing all of them with each other takes less time than counting their digits, since compilers
# vectorise it. A digit has at most this many bits, and one more in rows of MANY numbers, which outweigh its counts.
FEW, MANY, DIGIT = 64, 1 << 14, 10


def order_of_parts(parts: Sequence[Tensor], bits: Sequence[int]) -> Tensor:
    """`order_of_numbers` of numbers in parts, from the highest to the lowest, which have so many bits."""
    if len(parts) == 2 and most_elements(parts[0].shape[1:]) <= FEW:
        return order_by_counting(*parts)
    order = order_of_numbers(parts[-1], bits[-1])
    for part, count in zip(parts[-2::-1], bits[-2::-1]):
        order = order_of_numbers(part, count, order)
    return order


def order_of_numbers(numbers: Tensor, bits: int, before: Tensor | None = None) -> Tensor:
    """The stable sorting permutation of rows of signed integers of this many bits, in int32, with one thread per row.

    `before` is the permutation that they are already in, if there is one.
    """
    if most_elements(numbers.shape[1:]) > FEW:
        return order_by_digits(numbers, bits, before)
    if before is None:
        return order_by_counting(numbers)
    return permute_rows(before, order_by_counting(permute_rows(numbers, before)))


def permute_rows(rows: Tensor, order: Tensor) -> Tensor:
    """rows[i, order[i, k]]."""
    shape = [*order.shape]

    def locate(at: list[Scalar], indices: Memory) -> list[Scalar]:
        return [at[0], indices[address(shape, at)].load().cast(dtypes.weakint)]

    return read_at(rows, shape, [order], locate, "permute")


def order_by_counting(numbers: Tensor, low: Tensor | None = None) -> Tensor:
    """The index of each number of a row is how many are less, or equal and before it.

    `low` are further bits of the numbers, below those of `numbers`.
    """
    rows, n = numbers.shape
    loops = Loops()

    def build(order: Memory, packed: Memory, numbers: Memory, *low: Memory) -> Scalar:
        row = loops.range(rows, independent=True)  # indices stay in the row
        order = primitives.with_room(order.after(row), row * n, n)
        i, k = loops.range(n), loops.range(n)
        below = low[0][row * n + i].load().cast(dtypes.int64) + (1 << 31) if low else i.cast(dtypes.int64)
        value = numbers[row * n + i].load().cast(dtypes.int64) * (1 << 32) + below
        packed = packed.after(packed.after(row)[row * n + i].store(value).end(i))
        (count,) = loops.carry([dtypes.int32], [primitives.constant(0, dtypes.int32)], [row, k])
        other = loops.range(n)
        one, this = packed.after(k, other)[row * n + other].load(), packed.after(k)[row * n + k].load()
        less = one < this
        if low:
            less = less | (one.eq(this) & (other.cast(dtypes.int64) < k.cast(dtypes.int64)))
        counted = [count.after(other)[0].load() + less.cast(dtypes.int32)]
        done = end(loops.update([count.after(other)], counted, [other]), [other])
        position = count.after(done)[0].load().cast(dtypes.weakint)
        return order[row * n + position].store(k.cast(dtypes.int32)).end(k).end(row)

    given = [numbers] if low is None else [numbers, low]
    return kernel("sort", [((rows, n), dtypes.int32), ((rows, n), dtypes.int64)], given, build)[0]


def order_by_digits(numbers: Tensor, bits: int, before: Tensor | None) -> Tensor:
    """Each pass orders the numbers of a row by one digit, from the lowest to the highest.

    The numbers, without a sign, have their indices in the 31 bits below.
    """
    rows, n = numbers.shape
    digits = -(-bits // (DIGIT + (typical(n) >= MANY)))
    digit = -(-bits // digits)
    loops, buckets = Loops(), 1 << digit

    def build(order: Memory, counts: Memory, numbers: Memory, *orders: Memory) -> Scalar:
        row = loops.range(rows, independent=True)  # digits stay below their number, and indices in the row
        base, first_count = row * 2 * n, row * digits * buckets

        def count_of(value: Scalar, iteration: Scalar | int) -> Scalar:
            """The index of the count of a number's digit."""
            iteration = primitives.constant(iteration, dtypes.weakint) if isinstance(iteration, int) else iteration
            shift = iteration.cast(dtypes.int64) * digit + 31
            return first_count + iteration * buckets + ((value >> shift) & (buckets - 1)).cast(dtypes.weakint)

        order = primitives.with_room(order.after(row), base, 2 * n)
        c = loops.range(digits * buckets)
        counts = counts.after(counts.after(row)[first_count + c].store(0).end(c))
        i = loops.range(n)
        position = orders[0][row * n + i].load().cast(dtypes.weakint) if orders else i
        number = numbers[row * n + position].load().cast(dtypes.int64) + (1 << (bits - 1))
        value = number * (1 << 31) + position.cast(dtypes.int64)
        now = counts.after(i)
        tallies = [
            now[at].store(now[at].load() + 1) for at in (count_of(value, iteration) for iteration in range(digits))
        ]
        filled = primitives.together(order[base + i].store(value), *tallies).end(i)
        # Counts become the indices where the numbers with each digit begin.
        iteration = loops.range(digits)
        (total,) = loops.carry([dtypes.int32], [primitives.constant(0, dtypes.int32)], [row, iteration])
        d = loops.range(buckets)
        at, now, before = (
            first_count + iteration * buckets + d,
            counts.after(filled, iteration, d),
            total.after(d)[0].load(),
        )
        fresh = loops.register(dtypes.int32).after(d)
        summed = fresh[0].store(before + now[at].load())
        placed = now.after(summed)[at].store(before)
        begun = total.after(d)[0].store(fresh.after(summed, placed)[0].load()).end(d).end(iteration)
        iteration = loops.range(digits)
        k = loops.range(n)
        here, there = base + (iteration % 2) * n, base + (1 - iteration % 2) * n
        counts, order = counts.after(begun, iteration, k), order.after(begun, iteration, k)
        value = order[here + k].load()
        at = count_of(value, iteration)
        position = counts[at].load()
        moved = order[there + position.cast(dtypes.weakint)].store(value)
        return primitives.together(moved, counts[at].store(position + 1)).end(k).end(iteration).end(row)

    outputs = [((rows, 2, n), dtypes.int64), ((rows, digits * buckets), dtypes.int32)]
    result = kernel("sort", outputs, [numbers] if before is None else [numbers, before], build)[0]
    return (result[:, digits % 2] & (2**31 - 1)).cast(dtypes.int32)
