"""Kernels written as loops, for ops that would take needless work as expressions of tinygrad's tensors.

A gather that compares every index, an unrolled scatter and a sort with n² comparisons are correct but slow. As loops,
these ops do the work of the specification's definition, with any region as their body, on every device that renders
C-like code. Each function here builds one kernel from `tinygrad.loops`.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable, Mapping, Sequence
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
from ..tinygrad.loops import Loops, LoopShape, Memory, Scalar, address, end, is_static, scalar_of, tensor_of
from .registry import Body, Epilogue
from .storage import decode, encode
from .values import AnyTensor, Complex, each, halves, repeat_number

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
    once: Sequence[Tensor] = (),
    in_memory: bool = False,
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

    given = [*inputs, *halves(captured.values())]
    return primitives.written_by(name, outputs, given, function, targets, computes, once, in_memory)


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
    return primitives.as_place((wide < 0).where(0, (wide > high).where(high, wide)))


def clamp_start(start: Tensor, high: int) -> Tensor:
    """Indices that lie between 0 and the highest."""
    dtype = start.dtype
    if dtype.itemsize < 4:
        start = start.cast(dtypes.int32)
    low = start if dtypes.is_unsigned(dtype) else (start < 0).where(0, start)
    return low if dtype.max <= high else (low > high).where(high, low)


def read_at(
    x: Tensor,
    shape: LoopShape,
    indices: Sequence[Tensor],
    locate: Callable[..., list[Scalar]],
    name: str,
    computes: bool = False,
) -> Tensor:
    """out[i] = x[locate(i, indices)]; `locate` gets the output's loops and the index buffers, and must stay in bounds.

    With `computes`, the kernel also computes indices that are cheap arithmetic.
    """
    if 0 in shape:
        return repeat_number(0, shape, x.dtype)
    loops = Loops()

    def build(out: Memory, source: Memory, *index: Memory) -> Scalar:
        at = loops.over(shape)
        value = source[address(x.shape, locate(at, *index))].load()
        return end([out[address(shape, at)].store(value)], at)

    return kernel(name, [(shape, x.dtype)], [x, *indices], build, computes=computes)[0]


def read_each(
    x: AnyTensor,
    shape: LoopShape,
    indices: Sequence[Tensor],
    locate: Callable[..., list[Scalar]],
    name: str,
    epilogue: Epilogue | None = None,
    computes: bool = False,
) -> AnyTensor:
    """`read_at` of a value; complex numbers are read as the pairs that are stored."""
    if epilogue is not None:
        return read_and_compute(x, shape, indices, locate, name, epilogue, computes)
    if not is_stored(x):
        return each(x, lambda t: read_at(t, shape, indices, locate, name, computes))

    def locate_half(at: list[Scalar], *index: Memory) -> list[Scalar]:
        return [*locate(at[:-1], *index), at[-1]]

    return Complex.of_pairs(read_at(x.stored, [*shape, 2], indices, locate_half, name, computes))


def read_and_compute(
    x: AnyTensor,
    shape: LoopShape,
    indices: Sequence[Tensor],
    locate: Callable[..., list[Scalar]],
    name: str,
    epilogue: Epilogue,
    computes: bool,
) -> AnyTensor:
    """out[i] = epilogue(x[locate(i, indices)], others[i])."""
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
        target, arguments = address(shape, at), load(x, memory[0], address(x.shape, locate(at, *rest)))
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
    locate: Callable[..., tuple[list[Scalar], Scalar]],
    body: Combine | None,
    name: str,
    in_place: bool,
    apart: Sequence[int] = (),
    computes: bool = False,
    turns: int = 1,
) -> list[Tensor]:
    """Combine updates into the operands in order, in copies of these or in place, and return the results.

    `locate` returns the target index of an update, and whether the update is in bounds; if not, the old value is stored
    again, so the index must be valid nevertheless. `body` combines the old and the new value, and None replaces it.
    Updates that differ along a dimension of `apart` have different targets; along the last one, groups of so many take
    turns. `computes` is as in `read_at`.
    """
    shape, update_shape = [*operands[0].shape], [*updates[0].shape]
    if 0 in shape or 0 in update_shape:
        return list(operands)
    count = len(operands)
    targets, copies = (list(operands), []) if in_place else ([], list(operands))

    def build(body: Combine | None, *buffers: Memory) -> Scalar:
        loops = Loops()
        outs, olds = buffers[:count], buffers[count : count + len(copies)]
        news, index = buffers[count + len(copies) :][:count], buffers[2 * count + len(copies) :]
        if copies:
            i = loops.range(prod(shape))
            copied = end([out[i].store(old[i].load()) for out, old in zip(outs, olds)], [i])
            outs = tuple(out.after(copied) for out in outs)
        groups = {d: update_shape[d] // (turns if d == apart[-1] else 1) for d in apart}
        over = {d: loops.range(size, independent=True) for d, size in groups.items()}
        over |= {d: loops.range(size) for d, size in enumerate(update_shape) if d not in over}
        nested, found = list(over.values()), list[tuple[Scalar, Sequence[Scalar]]]()
        for turn in range(turns):
            at = [over[d] for d in range(len(update_shape))]
            if turns > 1:
                at[apart[-1]] = at[apart[-1]] * turns + turn
            target, inside = locate(at, *index)
            where = address(shape, target)
            old = [out.after(*nested)[where].load() for out in outs]
            new = [n[address(update_shape, at)].load() for n in news]
            combined = call(body, *old, *new)[:count] if body else new
            found.append((where, [inside.where(c, o) for c, o in zip(combined, old)]))
        return end([out[where].store(c) for where, values in found for out, c in zip(outs, values)], nested)

    outputs = [(shape, x.dtype) for x in operands]
    return kernel(name, outputs, [*copies, *updates, *indices], build, [body], targets, computes, updates)


# Where an update follows another of the same cell, it waits for that one. On a processor, TURNS rows of updates take
# turns if their cells have no more bytes than fit into a core's cache, and there are MANY_TURNS.
TURNS, MANY_TURNS, CACHED = 4, 16, 1 << 18


def turns_of(operand: Tensor, updates: Sequence[int], apart: Sequence[int], window: Container[int]) -> int:
    """How many updates along the last dimension of `apart`, which are the first ones, should take turns."""
    rest = [d for d in range(len(apart), len(updates)) if updates[d] != 1]
    if not apart or not is_static((*operand.shape, *updates)) or any(d in window for d in rest):
        return 1
    if 0 in updates or prod(updates[d] for d in rest) < MANY_TURNS:
        return 1
    row = prod(operand.shape) // prod(updates[d] for d in apart) * operand.dtype.itemsize
    return next(n for n in range(TURNS, 0, -1) if n == 1 or (updates[apart[-1]] % n == 0 and n * row <= CACHED))


PARTS = 8
# Where there are at most FEW_CELLS, an update would often wait for the one before it. Neighbouring updates of a part
# then take turns in LANES copies of the cells.
LANES, FEW_CELLS = 4, 64


def write_in_parts(
    operand: Tensor,
    update: Tensor,
    indices: Sequence[Tensor],
    locate: Callable[..., tuple[list[Scalar], Scalar]],
    body: Body,
    identity: float,
    axis: int,
    window: Mapping[int, int],
    in_place: bool,
) -> Tensor:
    """The same as `write_at` for an associative function, which combines the updates of each part first.

    The parts divide the updates along an axis, and then the rest of these. They are independent, and are combined with
    the operand in order. Each has room for one window more, which takes the updates that are out of bounds. The kernel
    computes indices that are cheap arithmetic.

    Args:
        window: the updates' dimensions that lie within a window, and the operand's that they run along.
    """
    shape, update_shape = [int(s) for s in operand.shape], [int(s) for s in update.shape]
    size = prod(shape)
    lanes = LANES if size <= FEW_CELLS else 1
    length, rest = divmod(update_shape[axis], PARTS * lanes)
    room = size + 1 + sum((update_shape[d] - 1) * prod(shape[along + 1 :]) for d, along in window.items())
    loops, later, zero = Loops(), Loops(), primitives.constant(0, dtypes.weakint)

    def combine(body: Combine, out: Memory, new: Memory, *index: Memory) -> Scalar:
        part, cell = loops.range(PARTS, independent=True), loops.range(lanes * room)
        none = primitives.constant(identity, operand.dtype)
        out = out.after(out.after(part)[part * (lanes * room) + cell].store(none).end(cell))

        def add(out: Memory, first: int, steps: int) -> Scalar:
            """Combine some updates along the axis in each part, which exist but for those after the last whole ones."""
            over = [loops.range(n) for n in (*update_shape[:axis], steps, lanes, *update_shape[axis + 1 :])]
            step, lane = first + (part * steps + over[axis]) * lanes + over[axis + 1], over[axis + 1]
            exists = step < update_shape[axis]
            at = [*over[:axis], exists.where(step, 0) if first else step, *over[axis + 2 :]]
            # Where a window begins is chosen once for all of it, so its elements follow each other.
            target, inside = locate([zero if d in window else i for d, i in enumerate(at)], *index)
            kept = inside & exists if first else inside
            within: list[Scalar | int] = [0] * len(shape)
            for d, along in window.items():
                within[along] = at[d]
            where = (part * lanes + lane) * room + kept.where(address(shape, target), size) + address(shape, within)
            (combined,) = call(body, out.after(*over)[where].load(), new[address(update_shape, at)].load())
            return end([out[where].store(combined)], over)

        added = add(out, 0, length)
        return end([add(out.after(added), PARTS * lanes * length, 1) if rest else added], [part])

    (parts,) = kernel(
        "scatter_parts", [((PARTS, lanes, room), operand.dtype)], [update, *indices], combine, [body], computes=True
    )
    targets, copies = ([operand], []) if in_place else ([], [operand])

    def join(body: Combine, out: Memory, *buffers: Memory) -> Scalar:
        cell = later.range(size)
        total = (buffers[0] if copies else out)[cell].load()
        for part in range(PARTS * lanes):
            (total,) = call(body, total, buffers[-1][part * room + cell].load())
        return end([out[cell].store(total)], [cell])

    return kernel("scatter", [(shape, operand.dtype)], [*copies, parts], join, [body], targets)[0]
