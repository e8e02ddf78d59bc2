"""Kernels written as loops, for ops that would take needless work as expressions of tinygrad's tensors.

A gather that compares every index, an unrolled scatter and a sort with n² comparisons are correct but slow. As loops,
these ops do the work of the specification's definition, with any region as their body, on every device that renders
C-like code. Each function here builds one kernel from `tinygrad.loops`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from math import prod
from typing import TypeAlias, TypeGuard

from ..errors import UnsupportedOp
from ..ir import ComplexType, QuantizedType, TensorType, Type, Value
from ..ir.dtypes import expect_tensor
from ..ir.rewrite import free_values
from ..tinygrad import loops as primitives
from ..tinygrad.dtypes import compute_dtype, storage_dtype
from ..tinygrad.expressions import DType, Tensor, dtypes, is_constant
from ..tinygrad.loops import Loops, LoopShape, Memory, Scalar, address, all_of, end, scalar_of, tensor_of
from ..tinygrad.sizes import least
from .registry import Body, Epilogue
from .storage import decode, encode
from .values import AnyTensor, Complex, broadcast_scalar, each, halves, repeat_number

# A region, or a function of the halves of its arguments.
Combine: TypeAlias = Body | Callable[..., list[Tensor]]
# From an output's and an inner index to the input's index, and whether it is in bounds.
Fetch: TypeAlias = Callable[[list[Scalar], list[Scalar]], tuple[list[Scalar], Scalar]]


def kernel(
    name: str,
    outputs: Sequence[tuple[LoopShape, DType]],
    inputs: Sequence[Tensor],
    build: Callable[..., Scalar],
    bodies: Sequence[Combine | None] = (),
    targets: Sequence[Tensor] = (),
    computes: bool = False,
) -> list[Tensor]:
    """The tensors that the kernel `build(*bodies, *outputs, *inputs)` writes; see `written_by`.

    The bodies' regions may use scalars from outside; the kernel reads them as additional inputs.
    """
    captured = {v: x for body in bodies if isinstance(body, Body) for v, x in captures(body).items()}
    count = len(outputs) + len(inputs)

    def function(*buffers: Memory) -> Scalar:
        scalars = join_halves([tensor_of(buffer[0].load()) for buffer in buffers[count:]], list(captured.values()))
        outer = dict(zip(captured, scalars))
        inner = [Body(b.region, {**b.outer, **outer}, b.lowering) if isinstance(b, Body) else b for b in bodies]
        return build(*inner, *buffers[:count])

    return primitives.written_by(name, outputs, [*inputs, *halves(captured.values())], function, targets, computes)


# ---------------------------------------------------------------- regions inside a kernel


def call(body: Combine, *parts: Scalar) -> list[Scalar]:
    """Apply a region to scalars, the halves of its arguments, and return its results' in the arguments' types."""
    return [scalar_of(result.cast(part.dtype)) for result, part in zip(apply_body(body, parts), parts)]


def call_predicate(body: Combine, *parts: Scalar) -> Scalar:
    return scalar_of(apply_body(body, parts)[0])


def apply_body(body: Combine, parts: Sequence[Scalar]) -> list[Tensor]:
    scalars = [tensor_of(part) for part in parts]
    arguments = values_of(scalars, [a.type for a in body.region.arguments]) if isinstance(body, Body) else scalars
    return halves(body(*arguments))


def is_complex(type: Type) -> bool:
    return isinstance(type, TensorType) and isinstance(type.element, ComplexType)


def values_of(parts: Iterable[Tensor], types: Iterable[Type]) -> Sequence[AnyTensor]:
    """Values of some types from their halves."""
    rest = iter(parts)
    return [Complex(next(rest), next(rest)) if is_complex(type) else next(rest) for type in types]


def captures(body: Body) -> dict[Value, AnyTensor]:
    """The values from outside that a region uses, without constants; a kernel reads them from buffers."""
    used = [v for v in free_values(body.region) if v in body.outer]
    scalars = {v: body.outer[v] for v in used if not is_constant(halves([body.outer[v]])[0])}
    if any(x.shape != () for x in scalars.values()):
        raise UnsupportedOp("has a region that uses a tensor from outside; only scalars are supported there")
    return scalars


def promote(values: Sequence[AnyTensor], types: Sequence[TensorType], body: Body) -> list[AnyTensor]:
    """The operands in the element types of the body's arguments, which may be wider than theirs."""
    result = []
    for value, type, argument in zip(values, types, body.region.arguments):
        target = replace(type, element=expect_tensor(argument.type).element)
        # Quantized operands already have the results' types.
        if target.element != type.element and not isinstance(type.element, QuantizedType):
            dtype = compute_dtype(target.element)
            value = encode(each(decode(value, type), lambda t: t.cast(dtype)), target)
        result.append(value)
    return result


def join_halves(parts: Sequence[Tensor], like: Sequence[AnyTensor]) -> list[AnyTensor]:
    """The inverse of `halves`: values from their halves, complex where those in `like` are."""
    rest = iter(parts)
    return [Complex(next(rest), next(rest)) if isinstance(v, Complex) else next(rest) for v in like]


# ---------------------------------------------------------------- reading and writing at computed indices


def sign_index(start: Scalar) -> Scalar:
    """An index as a signed integer; one that is too large for that, and so out of bounds, stays out of bounds."""
    dtype = dtypes.int64 if start.dtype.itemsize == 8 else dtypes.int32
    most = start.const_like(dtype.max // 2)
    unsigned = start.dtype in (dtypes.uint32, dtypes.uint64)
    return ((start < most).where(start, most) if unsigned else start).cast(dtype)


def clamp_index(start: Scalar, high: int) -> Scalar:
    wide = sign_index(start) if start.dtype != dtypes.int32 else start
    return (wide < 0).where(0, (wide > high).where(high, wide)).cast(dtypes.weakint)


def read_at(
    x: Tensor,
    shape: LoopShape,
    indices: Sequence[Tensor],
    place: Callable[..., list[Scalar]],
    name: str,
    computes: bool = False,
) -> Tensor:
    """out[i] = x[place(i, indices)]; `place` gets the output's loops and the index buffers, and must stay in bounds.

    With `computes`, the kernel also computes indices that are cheap arithmetic.
    """
    if 0 in shape:
        return repeat_number(0, shape, x.dtype)
    loops = Loops()

    def build(out: Memory, source: Memory, *index: Memory) -> Scalar:
        at = loops.over(shape)
        value = source[address(x.shape, place(at, *index))].load()
        return end([out[address(shape, at)].store(value)], at)

    return kernel(name, [(shape, x.dtype)], [x, *indices], build, computes=computes)[0]


def read_each(
    x: AnyTensor,
    shape: LoopShape,
    indices: Sequence[Tensor],
    place: Callable[..., list[Scalar]],
    name: str,
    epilogue: Epilogue | None = None,
    computes: bool = False,
) -> AnyTensor:
    """`read_at` of a value; complex numbers are read as the pairs that are stored."""
    if epilogue is not None and 0 not in shape:
        return read_and_compute(x, shape, indices, place, name, epilogue, computes)
    if not is_stored(x):
        return each(x, lambda t: read_at(t, shape, indices, place, name, computes))

    def place_of_half(at: list[Scalar], *index: Memory) -> list[Scalar]:
        return [*place(at[:-1], *index), at[-1]]

    return Complex.of_pairs(read_at(x.stored, [*shape, 2], indices, place_of_half, name, computes))


def read_and_compute(
    x: AnyTensor,
    shape: LoopShape,
    indices: Sequence[Tensor],
    place: Callable[..., list[Scalar]],
    name: str,
    epilogue: Epilogue,
    computes: bool,
) -> AnyTensor:
    """out[i] = epilogue(x[place(i, indices)], others[i])."""
    others = [v if is_stored(v) else each(v, primitives.without_repetition) for v in epilogue.others]
    values = [x, *others]
    stored = [[value.stored] if is_stored(value) else halves([value]) for value in values]
    parts = range(1 + is_complex(epilogue.type))  # of a result, which are stored next to each other
    dtype, loops = storage_dtype(epilogue.type.element), Loops()

    def load(value: AnyTensor, memory: Sequence[Memory], where: Scalar) -> list[Scalar]:
        if is_stored(value):
            return [memory[0][where * 2 + half].load() for half in (0, 1)]
        return [half[where].load() for half in memory]

    def build(body: Combine, out: Memory, *buffers: Memory) -> Scalar:
        at, rest = loops.over(shape), iter(buffers)
        memory = [[next(rest) for _ in some] for some in stored]
        target, arguments = address(shape, at), load(x, memory[0], address(x.shape, place(at, *rest)))
        for other, of_other in zip(others, memory[1:]):
            same = [0 if size == 1 else i for i, size in zip(at, other.shape)]
            arguments += load(other, of_other, address(other.shape, same))
        found = [scalar_of(result.cast(dtype)) for result in apply_body(body, arguments)]
        return end([out[target * len(parts) + part].store(found[part]) for part in parts], at)

    inputs = [half for some in stored for half in some]
    outputs = [([*shape, 2] if len(parts) > 1 else shape, dtype)]
    (result,) = kernel(name, outputs, [*inputs, *indices], build, [epilogue.body], computes=computes)
    return Complex.of_pairs(result) if len(parts) > 1 else result


def is_stored(value: AnyTensor) -> TypeGuard[Complex]:
    """Whether a value is complex and there are its pairs."""
    return isinstance(value, Complex) and value.stored is not None


def write_at(
    operands: Sequence[Tensor],
    updates: Sequence[Tensor],
    indices: Sequence[Tensor],
    place: Callable[..., tuple[list[Scalar], Scalar]],
    body: Combine | None,
    name: str,
    in_place: bool,
    apart: Sequence[int] = (),
) -> list[Tensor]:
    """Combine updates into the operands in order, in copies of these or in place, and return the results.

    `place` returns the target index of an update, and whether the update is in bounds; if not, the old value is stored
    again, so the index must be valid nevertheless. `body` combines the old and the new value, and None replaces it.
    Updates that differ along a dimension of `apart` have different targets.
    """
    shape, update_shape = [*operands[0].shape], [*updates[0].shape]
    if 0 in shape or 0 in update_shape:
        return list(operands)
    loops, count = Loops(), len(operands)
    targets, copies = (list(operands), []) if in_place else ([], list(operands))

    def build(body: Combine | None, *buffers: Memory) -> Scalar:
        outs, olds = buffers[:count], buffers[count : count + len(copies)]
        news, index = buffers[count + len(copies) :][:count], buffers[2 * count + len(copies) :]
        if copies:
            i = loops.range(prod(shape))
            copied = end([out[i].store(old[i].load()) for out, old in zip(outs, olds)], [i])
            outs = tuple(out.after(copied) for out in outs)
        over = {d: loops.range(update_shape[d], independent=True) for d in apart}
        over |= {d: loops.range(size) for d, size in enumerate(update_shape) if d not in over}
        at = [over[d] for d in range(len(update_shape))]
        target, inside = place(at, *index)
        where = address(shape, target)
        old = [out.after(*at)[where].load() for out in outs]
        new = [n[address(update_shape, at)].load() for n in news]
        combined = call(body, *old, *new)[:count] if body else new
        combined = [inside.where(c, o) for c, o in zip(combined, old)]
        return end([out[where].store(c) for out, c in zip(outs, combined)], list(over.values()))

    outputs = [(shape, x.dtype) for x in operands]
    return kernel(name, outputs, [*copies, *updates, *indices], build, [body], targets)


PARTS = 8


def write_in_parts(
    operand: Tensor,
    update: Tensor,
    indices: Sequence[Tensor],
    place: Callable[..., tuple[list[Scalar], Scalar]],
    body: Body,
    identity: float,
    axis: int,
    in_place: bool,
) -> Tensor:
    """The same as `write_at` for an associative function, which combines the updates of each part first.

    The parts divide the updates along an axis. They are independent, and are combined with the operand in order. Each
    has one element more, which takes the updates that are out of bounds.
    """
    shape, update_shape = [int(s) for s in operand.shape], [int(s) for s in update.shape]
    size, length = prod(shape), -(-update_shape[axis] // PARTS)
    loops, later = Loops(), Loops()

    def combine(body: Combine, out: Memory, new: Memory, *index: Memory) -> Scalar:
        part, cell = loops.range(PARTS, independent=True), loops.range(size + 1)
        none, begin = primitives.constant(identity, operand.dtype), part * (size + 1)
        out = out.after(out.after(part)[begin + cell].store(none).end(cell))
        over = [loops.range(length if d == axis else n) for d, n in enumerate(update_shape)]
        step = part * length + over[axis]
        exists = step < update_shape[axis]
        at = [exists.where(step, 0) if d == axis else i for d, i in enumerate(over)]
        target, inside = place(at, *index)
        kept = inside if update_shape[axis] % PARTS == 0 else inside & exists
        # Choosing the index takes less time than choosing between the old and the new value.
        where = begin + kept.where(address(shape, target), size)
        (combined,) = call(body, out.after(*over)[where].load(), new[address(update_shape, at)].load())
        return end([end([out[where].store(combined)], over)], [part])

    (parts,) = kernel("scatter_parts", [((PARTS, size + 1), operand.dtype)], [update, *indices], combine, [body])
    targets, copies = ([operand], []) if in_place else ([], [operand])

    def join(body: Combine, out: Memory, *buffers: Memory) -> Scalar:
        cell = later.range(size)
        total = (buffers[0] if copies else out)[cell].load()
        for part in range(PARTS):
            (total,) = call(body, total, buffers[-1][part * (size + 1) + cell].load())
        return end([out[cell].store(total)], [cell])

    return kernel("scatter", [(shape, operand.dtype)], [*copies, parts], join, [body], targets)[0]


# ---------------------------------------------------------------- folding


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

        def places(index: list[Scalar]) -> list[Scalar]:
            return [address(x.shape, [0 if size == 1 else i for i, size in zip(index, x.shape)]) for x in read]

        if firsts:
            first, begin = [f[0].load() for f in firsts], 0
        else:
            index, _ = fetch(at, [primitives.constant(0, dtypes.weakint)])
            first, begin = [s[place].load() for s, place in zip(sources, places(index))], 1
        registers = loops.carry([x.dtype for x in inputs], first, at)
        steps = loops.over([size - begin for size in inner])
        index, inside = fetch(at, [step + begin for step in steps])
        old = [r.after(*steps)[0].load() for r in registers]
        new = [inside.where(s[inside.where(p, 0)].load(), f) for s, p, f in zip(sources, places(index), first)]
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
        place = inside.where(step, 0)
        where = address(source, [*at[:axis], source[axis] - 1 - place if reverse else place, *at[axis:]])
        combined = call(body, *old, *(s[where].load() for s in sources))
        values = [inside.where(c, o) for c, o in zip(combined, old)]
        there = address(shape, [*at[:axis], length - 1 - i if reverse else i, *at[axis:]])
        stores = [out[there].store(v) for out, v in zip(outs, values)]
        return end([end([*stores, *loops.update([r.after(i) for r in registers], values, [i])], [i])], at)

    return kernel("running_fold", [(shape, t.dtype) for t in x], [*x, *initial], build, [body])


# Running folds of at least LONG elements are made of those of blocks. Else what is added to a large sum would be lost.
LONG, BLOCK = 1 << 12, 1 << 7


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
            place = primitives.smaller(step, n - 1)  # what follows the last element is in no result
            where = address(flat, [before, n - 1 - place if reverse else place, after])
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
        place = address(ends, [before, block, after])
        last = [total[place].store(r.after(done)[0].load()) for total, r in zip(totals, registers)]
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
        place = primitives.smaller(some.where(step, 0) if skip > 0 else step, n - 1)
        old = [b[address(ends, [at[0], place // BLOCK, at[2]])].load() for b in before]
        new = [p[address(whole, [at[0], place, at[2]])].load() for p in parts]
        values = call(body, *old, *new)[:count]
        values = [some.where(v, f[0].load()) for v, f in zip(values, firsts)] if skip > 0 else values
        there = address(shape, [at[0], length - 1 - at[1] if reverse else at[1], at[2]])
        return end([out[there].store(v) for out, v in zip(outs, values)], at)

    results = kernel("joined_folds", [(shape, t.dtype) for t in x], [*folds, *prefixes, *initial], join, [body])
    return [r.reshape(*source[:axis], length, *source[axis + 1 :]) for r in results]


def choose_element(
    loops: Loops,
    at: Sequence[Scalar],
    operand: Sequence[Memory],
    shape: LoopShape,
    window: LoopShape,
    fetch: Fetch,
    select: Combine,
    place: DType,
) -> Scalar:
    """The address of the element that `select` chooses in the window with the index `at`; -1 if the window is empty."""
    none = [primitives.constant(-1, place), *(o[0].load() for o in operand)]
    registers = loops.carry([n.dtype for n in none], none, at)
    steps = loops.over(window)
    index, inside = fetch(list(at), steps)
    where = inside.where(address(shape, index), 0)
    best_at, *best = (r.after(*steps)[0].load() for r in registers)
    values = [o[where].load() for o in operand]
    keep = call_predicate(select, *best, *values) & (best_at > -1)
    take = inside & (keep != True)  # noqa: E712  (a graph node, not a bool)
    chosen = [take.where(new, old) for new, old in zip([where.cast(place), *values], [best_at, *best])]
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
    place = dtypes.int32 if prod(shape) < 2**31 else dtypes.int64

    def build(select: Combine, scatter: Combine, *buffers: Memory) -> Scalar:
        outs, operand, updates, first = (buffers[n * count : (n + 1) * count] for n in range(4))
        i = loops.range(prod(shape))
        filled = end([out[i].store(f[0].load()) for out, f in zip(outs, first)], [i])
        if 0 in source_shape:
            return filled
        outs = tuple(out.after(filled) for out in outs)
        at = loops.over(source_shape)
        target = choose_element(loops, at, operand, shape, window, fetch, select, place)
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
    holders: Fetch,
    select: Combine,
    scatter: Combine,
) -> list[Tensor]:
    """The same as `select_and_scatter`, in parallel: each element looks for the windows that have chosen it.

    `holders` takes an element's index and a number for each of the windows that may hold it; it returns that window's
    index, and whether there is such a window.
    """
    shape, source_shape = [int(s) for s in x[0].shape], [int(s) for s in source[0].shape]
    if 0 in shape or 0 in source_shape:
        return select_and_scatter(x, source, initial, window, fetch, select, scatter)
    place = dtypes.int32 if prod(shape) < 2**31 else dtypes.int64
    first_loops, loops, count = Loops(), Loops(), len(source)

    def choose(select: Combine, chosen: Memory, *operand: Memory) -> Scalar:
        at = first_loops.over(source_shape)
        target = choose_element(first_loops, at, operand, shape, window, fetch, select, place)
        return end([chosen[address(source_shape, at)].store(target)], at)

    (chosen,) = kernel("choose_windows_elements", [(source_shape, place)], x, choose, [select])

    def gather(scatter: Combine, *buffers: Memory) -> Scalar:
        outs, choices = buffers[:count], buffers[count]
        updates, firsts = buffers[count + 1 : 2 * count + 1], buffers[2 * count + 1 :]
        at = loops.over(shape)
        registers = loops.carry([u.dtype for u in source], [f[0].load() for f in firsts], at)
        steps = loops.over(window)
        index, inside = holders(at, steps)
        where = inside.where(address(source_shape, index), 0)
        mine = inside & choices[where].load().eq(address(shape, at).cast(place))
        old = [r.after(*steps)[0].load() for r in registers]
        combined = call(scatter, *old, *(u[where].load() for u in updates))
        values = [mine.where(c, o) for c, o in zip(combined, old)]
        done = end(loops.update([r.after(*steps) for r in registers], values, steps), steps)
        results = [r.after(done)[0].load() for r in registers]
        return end([out[address(shape, at)].store(v) for out, v in zip(outs, results)], at)

    outputs = [(shape, t.dtype) for t in source]
    return kernel("gather_selected", outputs, [chosen, *source, *initial], gather, [scatter])
