"""Kernels written as loops, for ops that tinygrad's tensors express in more work than they need.

A gather that compares every index, a scatter that is unrolled and a sort of n² comparisons are right but slow; as loops
they do the work of the specification's own definition, with any region as their body, on every device that renders code
like C. Each function here builds one kernel through `Tensor.custom_kernel`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import prod
from typing import Any

from tinygrad import Tensor, dtypes
from tinygrad.dtype import AddrSpace, DType
from tinygrad.uop.ops import AxisType, KernelInfo, UOp

from .values import Complex, device, repeated

Shape = Sequence[int]
Body = Callable[..., list[Any]]


def stored(x: Tensor) -> Tensor:
    """A tensor that has, or will have, a buffer: a kernel's operand."""
    return x.contiguous() if x.uop.device is not None else x.clone(device.get())


def kernel(
    name: str, outputs: Sequence[tuple[Shape, DType]], inputs: Sequence[Tensor], build: Callable[..., UOp]
) -> list[Tensor]:
    """Run `build(*outputs, *inputs)`, flat buffers all, which gives the kernel's last store."""
    results = [Tensor.empty(prod(shape), dtype=dtype, device=device.get()) for shape, dtype in outputs]
    operands = [stored(x.reshape(-1)) for x in inputs]

    def function(*buffers: UOp) -> UOp:
        # tinygrad's optimisations unroll and reorder loops that carry state.
        return build(*buffers).sink(arg=KernelInfo(name=name, opts_to_apply=()))

    written = results[0].custom_kernel(*results[1:], *operands, fxn=function)
    return [w.reshape(tuple(shape)) for w, (shape, _) in zip(written, outputs)]


class Loops:
    """Numbers the loops and registers of one kernel."""

    def __init__(self) -> None:
        self.count = 0
        self.registers = 0

    def range(self, size: int) -> UOp:
        self.count += 1
        return UOp.range(size, self.count - 1, AxisType.LOOP)

    def over(self, shape: Shape) -> list[UOp]:
        return [self.range(size) for size in shape]

    def register(self, dtype: DType) -> UOp:
        self.registers += 1
        return UOp.placeholder((1,), dtype, self.registers - 1, addrspace=AddrSpace.REG)

    def carry(self, dtypes: Sequence[DType], initial: Sequence[UOp], outer: Sequence[UOp]) -> list[UOp]:
        """Registers set to `initial` in each turn of the outer loops."""
        registers = [self.register(dtype) for dtype in dtypes]
        registers = [r.after(*outer) if outer else r for r in registers]
        return [r.after(r[0].store(value)) for r, value in zip(registers, initial)]

    def update(self, registers: Sequence[UOp], values: Sequence[UOp], inner: Sequence[UOp]) -> list[UOp]:
        """Stores that set all registers at once: new values are complete before any register changes."""
        if len(registers) == 1:
            return [registers[0][0].store(values[0])]
        fresh = [self.register(v.dtype).after(*inner) for v in values]
        ready = [f[0].store(v) for f, v in zip(fresh, values)]
        return [r[0].store(f.after(*ready)[0].load()) for r, f in zip(registers, fresh)]


def strides(shape: Shape) -> list[int]:
    result, step = [], 1
    for size in reversed(shape):
        result.append(step)
        step *= size
    return result[::-1]


def address(shape: Shape, index: Sequence[UOp | int]) -> UOp:
    total: Any = UOp.const(0, dtypes.weakint)
    for i, step in zip(index, strides(shape)):
        total = total + i * step
    return total


def end(stores: Sequence[UOp], loops: Sequence[UOp]) -> UOp:
    result = UOp.group(*stores)
    for loop in reversed(loops):
        result = result.end(loop)
    return result


def clamped(start: UOp, high: int) -> UOp:
    wide = start.cast(dtypes.int64) if start.dtype != dtypes.int32 else start
    return (wide < 0).where(0, (wide > high).where(high, wide)).cast(dtypes.weakint)


def all_of(conditions: Sequence[UOp]) -> UOp:
    result = UOp.const(True, dtypes.bool)
    for condition in conditions:
        result = result & condition
    return result


def call(body: Body, *values: UOp) -> list[UOp]:
    """Apply a region to scalars inside a kernel."""
    results = body(*(Tensor(v) for v in values))
    return [r.uop if v is None else r.cast(v.dtype).uop for r, v in zip(results, values)]


# ---------------------------------------------------------------- reading and writing at computed places


def read_at(x: Tensor, shape: Shape, indices: Sequence[Tensor], place: Callable[..., list[UOp]], name: str) -> Tensor:
    """out[i] = x[place(i, indices)]: `place` gets the output's loops and the index buffers, and keeps in bounds."""
    if 0 in shape:
        return repeated(0, shape, x.dtype)
    loops = Loops()

    def build(out: UOp, source: UOp, *index: UOp) -> UOp:
        at = loops.over(shape)
        value = source[address(x.shape, place(at, *index))].load()
        return end([out[address(shape, at)].store(value)], at)

    return kernel(name, [(shape, x.dtype)], [x, *indices], build)[0]


def write_at(
    operands: Sequence[Tensor],
    updates: Sequence[Tensor],
    indices: Sequence[Tensor],
    place: Callable[..., tuple[list[UOp], UOp]],
    body: Body | None,
    name: str,
) -> list[Tensor]:
    """A copy of the operands with updates combined in, in the updates' order.

    `place` gives the target index of an update and whether it is in bounds; `body` combines old and new, None replaces.
    """
    shape, update_shape = [int(s) for s in operands[0].shape], [int(s) for s in updates[0].shape]
    if 0 in shape or 0 in update_shape:
        return list(operands)
    loops, count = Loops(), len(operands)

    def build(*buffers: UOp) -> UOp:
        outs, olds = buffers[:count], buffers[count : 2 * count]
        news, index = buffers[2 * count : 3 * count], buffers[3 * count :]
        i = loops.range(prod(shape))
        copied = end([out[i].store(old[i].load()) for out, old in zip(outs, olds)], [i])
        outs = tuple(out.after(copied) for out in outs)
        at = loops.over(update_shape)
        target, inside = place(at, *index)
        # An update out of bounds stores back what stands at the first place.
        where = inside.where(address(shape, target), 0)
        old = [out.after(*at)[where].load() for out in outs]
        new = [n[address(update_shape, at)].load() for n in news]
        combined = call(body, *old, *new)[:count] if body else new
        combined = [inside.where(c, o) for c, o in zip(combined, old)]
        return end([out[where].store(c) for out, c in zip(outs, combined)], at)

    outputs = [(shape, x.dtype) for x in operands]
    return kernel(name, outputs, [*operands, *updates, *indices], build)


# ---------------------------------------------------------------- folding


def fold(
    shape: Shape,
    inner: Shape,
    inputs: Sequence[Tensor],
    initial: Sequence[Tensor],
    fetch: Callable[[list[UOp], list[UOp]], tuple[list[UOp], UOp]],
    body: Body,
    name: str,
) -> list[Tensor]:
    """out[i] = body(… body(initial, x[first]) …, x[last]) over the inner loops.

    `fetch` gives the input's index for an output's and an inner index, and whether it is in bounds.
    """
    count, source_shape = len(inputs), [int(s) for s in inputs[0].shape]
    if 0 in shape:
        return [repeated(0, shape, x.dtype) for x in inputs]
    if 0 in inner or 0 in source_shape:
        return [value.reshape((1,) * len(shape)).expand(tuple(shape)) for value in initial]
    loops = Loops()

    def build(*buffers: UOp) -> UOp:
        outs, sources, firsts = buffers[:count], buffers[count : 2 * count], buffers[2 * count :]
        at = loops.over(shape)
        first = [f[0].load() for f in firsts]
        registers = loops.carry([x.dtype for x in inputs], first, at)
        steps = loops.over(inner)
        index, inside = fetch(at, steps)
        where = inside.where(address(source_shape, index), 0)
        old = [r.after(*steps)[0].load() for r in registers]
        new = [inside.where(s[where].load(), f) for s, f in zip(sources, first)]
        combined = call(body, *old, *new)[:count]
        combined = [inside.where(c, o) for c, o in zip(combined, old)]
        done = end(loops.update([r.after(*steps) for r in registers], combined, steps), steps)
        values = [r.after(done)[0].load() for r in registers]
        return end([out[address(shape, at)].store(v) for out, v in zip(outs, values)], at)

    return kernel(name, [(shape, x.dtype) for x in inputs], [*inputs, *initial], build)


def running_fold(x: Sequence[Tensor], initial: Sequence[Tensor], axis: int, reverse: bool, body: Body) -> list[Tensor]:
    """out[…, i, …] = the fold of the first (or, reversed, the last) i+1 elements along an axis."""
    shape, count = [int(s) for s in x[0].shape], len(x)
    if 0 in shape:
        return list(x)
    loops, others = Loops(), [size for d, size in enumerate(shape) if d != axis]

    def build(*buffers: UOp) -> UOp:
        outs, sources, firsts = buffers[:count], buffers[count : 2 * count], buffers[2 * count :]
        at = loops.over(others)
        registers = loops.carry([t.dtype for t in x], [f[0].load() for f in firsts], at)
        i = loops.range(shape[axis])
        where = address(shape, [*at[:axis], shape[axis] - 1 - i if reverse else i, *at[axis:]])
        old = [r.after(i)[0].load() for r in registers]
        values = call(body, *old, *(s[where].load() for s in sources))[:count]
        stores = [out[where].store(v) for out, v in zip(outs, values)]
        return end([end([*stores, *loops.update([r.after(i) for r in registers], values, [i])], [i])], at)

    return kernel("running_fold", [(shape, t.dtype) for t in x], [*x, *initial], build)


def select_and_scatter(
    x: Tensor,
    source: Tensor,
    initial: Tensor,
    window: Shape,
    fetch: Callable[[list[UOp], list[UOp]], tuple[list[UOp], UOp]],
    select: Body,
    scatter: Body,
) -> Tensor:
    """For each window of x, combine the source's element into the place that `select` keeps."""
    shape, source_shape = [int(s) for s in x.shape], [int(s) for s in source.shape]
    if 0 in shape:
        return x
    loops = Loops()

    def build(out: UOp, operand: UOp, updates: UOp, first: UOp) -> UOp:
        i = loops.range(prod(shape))
        filled = end([out[i].store(first[0].load())], [i])
        out = out.after(filled)
        if 0 in source_shape:
            return filled
        at = loops.over(source_shape)
        found = loops.carry([dtypes.int32, x.dtype], [UOp.const(-1, dtypes.int32), first[0].load()], at)
        steps = loops.over(window)
        index, inside = fetch(at, steps)
        where = inside.where(address(shape, index), 0)
        best_at, best = (r.after(*steps)[0].load() for r in found)
        value = operand[where].load()
        keep = call_predicate(select, best, value) & (best_at >= 0)
        take = inside & (keep != True)  # noqa: E712  (a graph node, not a bool)
        chosen = [take.where(where.cast(dtypes.int32), best_at), take.where(value, best)]
        done = end(loops.update([r.after(*steps) for r in found], chosen, steps), steps)
        target = found[0].after(done)[0].load()
        there = (target >= 0).where(target, 0).cast(dtypes.weakint)
        old = out.after(*at)[there].load()
        combined = call(scatter, old, updates[address(source_shape, at)].load())[0]
        return end([out[there].store((target >= 0).where(combined, old))], at)

    return kernel("select_and_scatter", [(shape, x.dtype)], [x, source, initial], build)[0]


def call_predicate(body: Body, *values: UOp) -> UOp:
    return body(*(Tensor(v) for v in values))[0].uop


# ---------------------------------------------------------------- sorting


def sorted_order(keys: Sequence[Any], comparator: Body) -> Tensor:
    """The stable sorting permutation of each row: a bottom-up merge sort, one comparison per step.

    Keys are of shape (rows, n); the comparator takes a pair of scalars for each key and says whether the first is less.
    """
    first = keys[0].real if isinstance(keys[0], Complex) else keys[0]
    rows, n = (int(s) for s in first.shape)
    passes = max(n - 1, 0).bit_length()
    loops = Loops()
    flat = [half for key in keys for half in ((key.real, key.imag) if isinstance(key, Complex) else (key,))]

    def build(order: UOp, *columns: UOp) -> UOp:
        row, base = loops.range(rows), 2 * n
        i = loops.range(n)
        started = order.after(row)[row * base + i].store(i.cast(dtypes.int32)).end(i)
        order = order.after(started)
        if passes == 0:
            return started.end(row)
        turn = loops.range(passes)
        width = (UOp.const(1, dtypes.int32) << turn.cast(dtypes.int32)).cast(dtypes.weakint)
        here, there = row * base + (turn % 2) * n, row * base + (1 - turn % 2) * n
        zero = UOp.const(0, dtypes.int32)
        heads = loops.carry([dtypes.int32, dtypes.int32], [zero, zero], [row, turn])
        k = loops.range(n)
        start = (k // (2 * width)) * (2 * width)
        middle, stop = smaller(start + width, n), smaller(start + 2 * width, n)
        loaded = [h.after(k)[0].load().cast(dtypes.weakint) for h in heads]
        at_start = (k % (2 * width)) < 1
        left, right = at_start.where(start, loaded[0]), at_start.where(middle, loaded[1])
        has_left, has_right = left < middle, right < stop
        now = order.after(k)
        a, b = (now[here + has.where(at, 0)].load() for has, at in ((has_left, left), (has_right, right)))
        pairs = []
        values = iter(columns)
        for key in keys:
            loads = [[c[row * n + p.cast(dtypes.weakint)].load() for p in (b, a)] for c in take(values, key)]
            pairs += [scalar(key, [pair[side] for pair in loads]) for side in (0, 1)]
        right_first = comparator(*pairs)[0].uop
        from_left = has_left & ((has_right & right_first) != True)  # noqa: E712  (a graph node)
        stored = now[there + k].store(from_left.where(a, b))
        moved = [left + from_left.where(1, 0), right + from_left.where(0, 1)]
        updates = loops.update([h.after(k) for h in heads], [m.cast(dtypes.int32) for m in moved], [k])
        return UOp.group(stored, *updates).end(k).end(turn).end(row)

    result = kernel("sort", [((rows, 2 * n), dtypes.int32)], flat, build)[0]
    begin = (passes % 2) * n
    return result[:, begin : begin + n]


def smaller(a: UOp, b: int) -> UOp:
    return (a < b).where(a, b)


def take(values: Any, key: Any) -> list[UOp]:
    return [next(values) for _ in range(2 if isinstance(key, Complex) else 1)]


def scalar(key: Any, parts: list[UOp]) -> Any:
    tensors = [Tensor(part) for part in parts]
    return Complex(*tensors) if isinstance(key, Complex) else tensors[0]
