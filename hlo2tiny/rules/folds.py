"""Kernels that fold the elements along axes: all of them, or, as cumulative sums do, those up to each."""

from __future__ import annotations

from collections.abc import Sequence
from math import prod

from ..ops import Monoid
from ..tinygrad import loops as primitives
from ..tinygrad.expressions import BITS, DType, Tensor, dtypes
from ..tinygrad.loops import Loops, LoopShape, Memory, Scalar, address, all_of, end
from ..tinygrad.sizes import least
from .loops import Combine, Fetch, call, kernel
from .values import broadcast_scalar, repeat_number


def identity(monoid: Monoid, dtype: DType) -> float:
    """The number that changes nothing when it is combined with another one."""
    if dtype in BITS:
        return monoid.identity
    return int(min(max(monoid.identity, dtype.min), dtype.max))


def fold(
    shape: LoopShape,
    inner: LoopShape,
    inputs: Sequence[Tensor],
    initial: Sequence[Tensor],
    fetch: Fetch,
    body: Combine,
    name: str,
    computes: bool = False,
) -> list[Tensor]:
    """out[i] = body(… body(initial, x[first]) …, x[last]) over the inner loops.

    Without initial values there is one inner loop, and each fold begins with its first element. Of inputs that repeat
    elements, such as the indices that an argmax compares, only those that differ are read.
    """
    count, source_shape = len(inputs), [*inputs[0].shape]
    if 0 in shape:
        return [repeat_number(0, shape, x.dtype) for x in inputs]
    if 0 in inner or 0 in source_shape:
        return [broadcast_scalar(value, shape) for value in initial]
    loops, read = Loops(), [primitives.without_repetition(x) for x in inputs]

    def build(body: Combine, *buffers: Memory) -> Scalar:
        outs, sources, firsts = buffers[:count], buffers[count : 2 * count], buffers[2 * count :]
        at = loops.over(shape)

        def offsets(index: list[Scalar]) -> list[Scalar]:
            return [address(x.shape, [0 if size == 1 else i for i, size in zip(index, x.shape)]) for x in read]

        if firsts:
            first, begin = [f[0].load() for f in firsts], 0
        else:
            index, _ = fetch(at, [primitives.constant(0, dtypes.weakint)])
            first, begin = [s[offset].load() for s, offset in zip(sources, offsets(index))], 1
        registers = loops.carry([x.dtype for x in inputs], first, at)
        steps = loops.over([size - begin for size in inner])
        index, inside = fetch(at, [step + begin for step in steps])
        old = [r.after(*steps)[0].load() for r in registers]
        new = [inside.where(s[inside.where(p, 0)].load(), f) for s, p, f in zip(sources, offsets(index), first)]
        combined = call(body, *old, *new)[:count]
        combined = [inside.where(c, o) for c, o in zip(combined, old)]
        done = end(loops.update([r.after(*steps) for r in registers], combined, steps), steps)
        values = [r.after(done)[0].load() for r in registers]
        return end([out[address(shape, at)].store(v) for out, v in zip(outs, values)], at)

    return kernel(name, [(shape, x.dtype) for x in inputs], [*read, *initial], build, [body], computes=computes)


def fold_parts(x: Sequence[Tensor], axis: int, whole: Sequence[int], size: int, body: Combine) -> list[Tensor]:
    """The folds of parts of an axis and all of the axes in `whole` after it, of which one element is left.

    Each part has this many elements of the axis, the last one perhaps fewer. Elements stay where they are in memory, so
    that neighbouring threads read adjacent elements if the last dimension is not folded.
    """
    shape = [int(s) for s in x[0].shape]
    sizes = [shape[d] for d in whole]
    parts = [1 if d in whole else -(-n // size) if d == axis else n for d, n in enumerate(shape)]

    def fetch(at: list[Scalar], steps: list[Scalar]) -> tuple[list[Scalar], Scalar]:
        index, (step,) = list(at), steps
        for d, n in zip(reversed(whole), reversed(sizes)):
            index[d], step = step % n, step // n
        index[axis] = at[axis] * size + step
        return index, index[axis] < shape[axis]

    return fold(parts, [size * prod(sizes)], x, (), fetch, body, "fold_parts", computes=True)


def running_fold(
    x: Sequence[Tensor], initial: Sequence[Tensor], axis: int, reverse: bool, skip: int, length: int, body: Combine
) -> list[Tensor]:
    """out[…, i, …] = the fold of the first i + 1 - skip elements along an axis, for i < length.

    With `reverse`, both the elements and the results are counted from the end.
    """
    source, count = [*x[0].shape], len(x)
    shape = [length if d == axis else size for d, size in enumerate(source)]
    if 0 in shape:
        return [repeat_number(0, shape, t.dtype) for t in x]
    loops, others = Loops(), [size for d, size in enumerate(shape) if d != axis]

    def build(body: Combine, *buffers: Memory) -> Scalar:
        outs, sources, firsts = buffers[:count], buffers[count : 2 * count], buffers[2 * count :]
        at = loops.over(others)
        registers = loops.carry([t.dtype for t in x], [f[0].load() for f in firsts], at)
        i = loops.range(length)
        step = i - skip
        bounds = (step > -1, skip > 0), (step < source[axis], least(source[axis] - length + skip) < 0)
        inside = all_of([condition for condition, is_needed in bounds if is_needed])
        old = [r.after(i)[0].load() for r in registers]
        offset = inside.where(step, 0)
        where = address(source, [*at[:axis], source[axis] - 1 - offset if reverse else offset, *at[axis:]])
        combined = call(body, *old, *(s[where].load() for s in sources))
        values = [inside.where(c, o) for c, o in zip(combined, old)]
        there = address(shape, [*at[:axis], length - 1 - i if reverse else i, *at[axis:]])
        stores = [out[there].store(v) for out, v in zip(outs, values)]
        return end([end([*stores, *loops.update([r.after(i) for r in registers], values, [i])], [i])], at)

    return kernel("running_fold", [(shape, t.dtype) for t in x], [*x, *initial], build, [body])


# Running folds of at least LONG elements are made of those of blocks. Else what is added to a large sum would be lost.
LONG, BLOCK = 768, 128


def blocked_fold(
    x: Sequence[Tensor], initial: Sequence[Tensor], axis: int, reverse: bool, skip: int, length: int, body: Combine
) -> list[Tensor]:
    """The same as `running_fold`, for an associative function: running folds of blocks, each after those before it."""
    source = [*x[0].shape]
    n, count = source[axis], len(x)
    if not primitives.is_static(source) or n < LONG or 0 in source or not length:
        return running_fold(x, initial, axis, reverse, skip, length, body)
    blocks = -(-n // BLOCK)
    flat, ends, whole = ((prod(source[:axis]), size, prod(source[axis + 1 :])) for size in (n, blocks, blocks * BLOCK))
    loops, later = Loops(), Loops()

    def fold_blocks(body: Combine, *buffers: Memory) -> Scalar:
        outs, totals, sources = buffers[:count], buffers[count : 2 * count], buffers[2 * count : 3 * count]
        before, block, after = (loops.range(size, independent=True) for size in ends)

        def load(step: Scalar) -> list[Scalar]:
            offset = primitives.smaller(step, n - 1)  # what follows the last element is in no result
            where = address(flat, [before, n - 1 - offset if reverse else offset, after])
            return [s[where].load() for s in sources]

        def store(step: Scalar, values: Sequence[Scalar]) -> list[Scalar]:
            return [out[address(whole, [before, step, after])].store(v) for out, v in zip(outs, values)]

        first = load(block * BLOCK)
        registers = loops.carry([t.dtype for t in x], first, [before, block, after])
        i = loops.range(BLOCK)
        step = block * BLOCK + i
        old = [r.after(i)[0].load() for r in registers]
        combined = call(body, *old, *load(step))[:count]
        values = [(i < 1).where(o, c) for o, c in zip(old, combined)]
        stores = [*store(step, values), *loops.update([r.after(i) for r in registers], values, [i])]
        done = end(stores, [i])
        offset = address(ends, [before, block, after])
        last = [total[offset].store(r.after(done)[0].load()) for total, r in zip(totals, registers)]
        return end(last, [before, block, after])

    outputs = [(shape, t.dtype) for shape in (whole, ends) for t in x]
    found = kernel("running_fold", outputs, x, fold_blocks, [body])
    folds, totals = found[:count], found[count:]
    prefixes = blocked_fold(totals, initial, 1, False, 1, blocks, body)
    shape: LoopShape = (flat[0], length, flat[2])

    def join(body: Combine, *buffers: Memory) -> Scalar:
        outs, parts, before, firsts = (buffers[i * count : (i + 1) * count] for i in range(4))
        at = later.over(shape)
        step = at[1] - skip
        some = step > -1
        offset = primitives.smaller(some.where(step, 0) if skip > 0 else step, n - 1)
        old = [b[address(ends, [at[0], offset // BLOCK, at[2]])].load() for b in before]
        new = [p[address(whole, [at[0], offset, at[2]])].load() for p in parts]
        values = call(body, *old, *new)[:count]
        values = [some.where(v, f[0].load()) for v, f in zip(values, firsts)] if skip > 0 else values
        there = address(shape, [at[0], length - 1 - at[1] if reverse else at[1], at[2]])
        return end([out[there].store(v) for out, v in zip(outs, values)], at)

    results = kernel("joined_folds", [(shape, t.dtype) for t in x], [*folds, *prefixes, *initial], join, [body])
    return [r.reshape(*source[:axis], length, *source[axis + 1 :]) for r in results]
