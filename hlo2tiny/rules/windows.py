"""Kernels that combine numbers with the elements that a comparison selects in windows."""

from __future__ import annotations

from collections.abc import Sequence
from math import prod

from ..tinygrad import loops as primitives
from ..tinygrad.expressions import DType, Tensor, dtypes
from ..tinygrad.loops import Loops, LoopShape, Memory, Scalar, address, end
from .loops import Combine, Fetch, call, call_predicate, kernel
from .values import repeat_number


def choose_element(
    loops: Loops,
    at: Sequence[Scalar],
    operand: Sequence[Memory],
    shape: LoopShape,
    window: LoopShape,
    fetch: Fetch,
    select: Combine,
    index_dtype: DType,
) -> Scalar:
    """The address of the element that `select` chooses in the window with the index `at`; -1 if the window is empty."""
    none = [primitives.constant(-1, index_dtype), *(o[0].load() for o in operand)]
    registers = loops.carry([n.dtype for n in none], none, at)
    steps = loops.over(window)
    index, inside = fetch(list(at), steps)
    where = inside.where(address(shape, index), 0)
    best_at, *best = (r.after(*steps)[0].load() for r in registers)
    values = [o[where].load() for o in operand]
    keep = call_predicate(select, *best, *values) & (best_at > -1)
    take = inside & (keep != True)  # noqa: E712  (a graph node, not a bool)
    chosen = [take.where(new, old) for new, old in zip([where.cast(index_dtype), *values], [best_at, *best])]
    done = end(loops.update([r.after(*steps) for r in registers], chosen, steps), steps)
    return registers[0].after(done)[0].load()


def select_and_scatter(
    x: Sequence[Tensor],
    source: Sequence[Tensor],
    initial: Sequence[Tensor],
    window: LoopShape,
    fetch: Fetch,
    select: Combine,
    scatter: Combine,
) -> list[Tensor]:
    """For each window of x, combine an element of the source into the element that `select` chooses.

    Values are lists of their halves; the source and the initial value may have a wider type than x.
    """
    shape, source_shape = [int(s) for s in x[0].shape], [int(s) for s in source[0].shape]
    if 0 in shape:
        return [repeat_number(0, shape, t.dtype) for t in source]
    loops, count = Loops(), len(x)
    index_dtype = dtypes.int32 if prod(shape) < 2**31 else dtypes.int64

    def build(select: Combine, scatter: Combine, *buffers: Memory) -> Scalar:
        outs, operand, updates, first = (buffers[n * count : (n + 1) * count] for n in range(4))
        i = loops.range(prod(shape))
        filled = end([out[i].store(f[0].load()) for out, f in zip(outs, first)], [i])
        if 0 in source_shape:
            return filled
        outs = tuple(out.after(filled) for out in outs)
        at = loops.over(source_shape)
        target = choose_element(loops, at, operand, shape, window, fetch, select, index_dtype)
        there = (target > -1).where(target, 0).cast(dtypes.weakint)
        old = [out.after(*at)[there].load() for out in outs]
        combined = call(scatter, *old, *(u[address(source_shape, at)].load() for u in updates))
        stores = [out[there].store((target > -1).where(c, o)) for out, c, o in zip(outs, combined, old)]
        return end(stores, at)

    outputs = [(shape, t.dtype) for t in source]
    return kernel("select_and_scatter", outputs, [*x, *source, *initial], build, [select, scatter])


def select_and_gather(
    x: Sequence[Tensor],
    source: Sequence[Tensor],
    initial: Sequence[Tensor],
    window: LoopShape,
    fetch: Fetch,
    most: LoopShape,
    holders: Fetch,
    select: Combine,
    scatter: Combine,
) -> list[Tensor]:
    """The same as `select_and_scatter`, in parallel: each element looks for the windows that have chosen it.

    `holders` takes an element's index and a number for each of the windows that may hold it, `most` along each
    dimension; it returns that window's index, and whether there is such a window.
    """
    shape, source_shape = [int(s) for s in x[0].shape], [int(s) for s in source[0].shape]
    if 0 in shape or 0 in source_shape:
        return select_and_scatter(x, source, initial, window, fetch, select, scatter)
    index_dtype = dtypes.int32 if prod(shape) < 2**31 else dtypes.int64
    first_loops, loops, count = Loops(), Loops(), len(source)

    def choose(select: Combine, chosen: Memory, *operand: Memory) -> Scalar:
        at = first_loops.over(source_shape)
        target = choose_element(first_loops, at, operand, shape, window, fetch, select, index_dtype)
        return end([chosen[address(source_shape, at)].store(target)], at)

    (chosen,) = kernel("choose_windows_elements", [(source_shape, index_dtype)], x, choose, [select])

    def gather(scatter: Combine, *buffers: Memory) -> Scalar:
        outs, choices = buffers[:count], buffers[count]
        updates, firsts = buffers[count + 1 : 2 * count + 1], buffers[2 * count + 1 :]
        at = loops.over(shape)
        registers = loops.carry([u.dtype for u in source], [f[0].load() for f in firsts], at)
        steps = loops.over(most)
        index, inside = holders(at, steps)
        where = inside.where(address(source_shape, index), 0)
        mine = inside & choices[where].load().eq(address(shape, at).cast(index_dtype))
        old = [r.after(*steps)[0].load() for r in registers]
        combined = call(scatter, *old, *(u[where].load() for u in updates))
        values = [mine.where(c, o) for c, o in zip(combined, old)]
        done = end(loops.update([r.after(*steps) for r in registers], values, steps), steps)
        results = [r.after(done)[0].load() for r in registers]
        return end([out[address(shape, at)].store(v) for out, v in zip(outs, results)], at)

    outputs = [(shape, t.dtype) for t in source]
    return kernel("gather_selected", outputs, [chosen, *source, *initial], gather, [scatter])
