"""Ops that apply a region to each element, or to one slice after another."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from math import prod

from ..ir import DenseAttr, Op, Region, TensorType
from ..ir.dtypes import expect_tensor, static_shape
from ..ir.rewrite import Rewriter, clone_value, free_values
from ..ops import Trait, has
from ..tinygrad.dtypes import storage_dtype
from ..tinygrad.loops import Loops, Memory, Scalar, address, end, scalar_of
from .folds import LONG, blocked_fold
from .loops import apply_body, is_complex, kernel, values_of
from .merging import OWN
from .movement import fill_tensor
from .registry import Body, Types, rule
from .scans import scanned_fold
from .values import AnyTensor, each, halfwise, halves

# ---------------------------------------------------------------- values as their halves: a kernel's buffers are real


def on_scalars(body: Body, parts: Sequence[Scalar], results: Sequence[Memory]) -> list[Scalar]:
    """Apply a region to scalars inside a kernel; what it returns has the types of the results' buffers."""
    return [scalar_of(half.cast(result.dtype)) for half, result in zip(apply_body(body, parts), results)]


def from_kernel(
    name: str,
    out: Sequence[TensorType],
    operands: Sequence[AnyTensor],
    body: Body,
    build: Callable[[Loops, list[Memory], list[Memory], Body], Scalar],
) -> list[AnyTensor]:
    """The values that a kernel writes.

    `build` gets the kernel's loops, the buffers of the results and of the operands, and the body with its captures.
    """
    outputs = [(static_shape(t), storage_dtype(t.element)) for t in out for _ in range(width(t))]
    inputs, count, loops = halves(operands), len(outputs), Loops()

    def function(inner: Body, *buffers: Memory) -> Scalar:
        return build(loops, list(buffers[:count]), list(buffers[count:]), inner)

    return list(values_of(kernel(name, outputs, inputs, function, [body]), out))


def width(type: TensorType) -> int:
    """How many buffers hold a value: one for each half."""
    return 2 if is_complex(type) else 1


# ---------------------------------------------------------------- map


@rule("stablehlo.map", regions=("computation",), ignored=("dimensions",), storage=True)
def map_(*xs: AnyTensor, computation: Body, types: Types, out: Types) -> AnyTensor | list[AnyTensor]:
    shape = static_shape(types[0])
    if 0 in shape:
        return fill_tensor(0, out[0])

    def build(loops: Loops, outs: list[Memory], sources: list[Memory], body: Body) -> Scalar:
        i = loops.range(prod(shape))
        values = on_scalars(body, [source[i].load() for source in sources], outs)
        return end([result[i].store(value) for result, value in zip(outs, values)], [i])

    return from_kernel("map", out, xs, computation, build)


# ---------------------------------------------------------------- scan


@rule("chlo.scan", regions=("body",), ignored=("resultSegmentSizes",), storage=True)
def scan(
    *operands: AnyTensor,
    dimension: int,
    operandSegmentSizes: Sequence[int],  # noqa: N803  (the attribute's name)
    scan_dim_size: int | None,
    is_reverse: bool,
    is_associative: bool | None,
    body: Body,
    types: Types,
    out: Types,
) -> list[AnyTensor]:
    """Apply the body to the inputs slice by slice, along a dimension, together with its carries.

    A body of elementwise ops runs on scalars in one kernel; any other body is repeated for each slice.
    """
    count = operandSegmentSizes[0]
    inputs, carried = types[:count], types[count:]
    outputs = out[: len(out) - len(carried)]
    lengths = [scan_dim_size, *(t.shape[dimension] for t in (*inputs, *outputs))]
    length = next(n for n in lengths if n is not None)
    slices = [replace(t, shape=(*t.shape[:dimension], *t.shape[dimension + 1 :])) for t in (*inputs, *outputs)]
    shapes = {t.shape for t in (*slices, *carried)}
    xs, initial = operands[:count], operands[count:]
    if length == 0:
        return [*(fill_tensor(0, t) for t in outputs), *initial]
    scalars = scalar_region(body.region) if len(shapes) == 1 else None
    if scalars is None:
        return unroll(xs, initial, dimension, length, is_reverse, body, len(outputs))
    shape = static_shape((*slices, *carried)[0])
    if 0 in shape:
        return [fill_tensor(0, t) for t in (*outputs, *carried)]
    scalar_body, whole = Body(scalars, body.outer, body.lowering), (*shape[:dimension], length, *shape[dimension:])
    parts = sum(width(t) for t in inputs)
    is_long = length > OWN if body.lowering.parallel else length >= LONG
    if is_associative and is_long and is_fold(scalars, [inputs, carried, outputs]):
        arguments = scalars.arguments[count:] + scalars.arguments[:count]  # the carries are on the left
        fold = Body(replace(scalars, arguments=arguments), body.outer, body.lowering)
        cumulate = scanned_fold if body.lowering.parallel else blocked_fold
        folds = cumulate(halves(xs), halves(initial), dimension, is_reverse, 0, length, fold)
        end_of = 0 if is_reverse else length - 1
        edges = [(end_of, end_of + 1) if d == dimension else (0, size) for d, size in enumerate(whole)]
        finals = [t.shrink(edges).reshape(shape) for t in folds]
        return list(values_of([*folds, *finals], (*outputs, *carried)))

    def build(loops: Loops, results: list[Memory], sources: list[Memory], body: Body) -> Scalar:
        finals = results[sum(width(t) for t in outputs) :]
        firsts = sources[parts:]
        at = loops.over(shape)
        offset = address(shape, at)
        before = [f[offset].load() for f in firsts]
        registers = loops.carry([x.dtype for x in before], before, at)
        i = loops.range(length)
        where = address(whole, [*at[:dimension], length - 1 - i if is_reverse else i, *at[dimension:]])
        old = [r.after(i)[0].load() for r in registers]
        values = on_scalars(body, [*(s[where].load() for s in sources[:parts]), *old], results)
        emitted = len(results) - len(finals)
        stores = [result[where].store(value) for result, value in zip(results, values[:emitted])]
        updates = loops.update([r.after(i) for r in registers], values[emitted:], [i]) if registers else []
        done = end([*stores, *updates], [i])
        last = [final[offset].store(r.after(done)[0].load()) for final, r in zip(finals, registers)]
        return end(last or [done], at)

    return from_kernel("scan", [*outputs, *carried], operands, scalar_body, build)


def is_fold(region: Region, types: Sequence[Types]) -> bool:
    """Whether a scan's body combines each element with a carry of its type, and returns the result twice."""
    elements = [[t.element for t in some] for some in types]
    results = region.ops[-1].operands
    half = len(results) // 2
    return elements[0] == elements[1] == elements[2] and results[:half] == results[half:]


def scalar_region(region: Region) -> Region | None:
    """A region of elementwise ops on tensors of one shape, rewritten for scalars; None if it has other ops."""
    # Values that the region captures must already be scalars.
    if any(expect_tensor(v.type).shape != () for v in free_values(region)) or not all(map(is_elementwise, region.ops)):
        return None

    def without_broadcasts(rewriter: Rewriter, op: Op) -> list[Op] | None:
        if not broadcasts_scalar(op):
            return None
        rewriter.values.update(zip(op.results, rewriter.lookup(op.operands)))
        return []

    scalars = Rewriter(hook=without_broadcasts, new=lambda v: clone_value(v, replace(expect_tensor(v.type), shape=())))
    return scalars.region(region)


def broadcasts_scalar(op: Op) -> bool:
    return has(op, Trait.MOVEMENT) and len(op.operands) == 1 and expect_tensor(op.operands[0].type).shape == ()


def is_elementwise(op: Op) -> bool:
    value = op.attributes.get("value")
    is_number = isinstance(value, DenseAttr) and (value.splat or value.data.size == 1)
    is_constant = has(op, Trait.CONSTANT) and is_number
    return has(op, Trait.ELEMENTWISE | Trait.TERMINATOR) or is_constant or broadcasts_scalar(op)


def unroll(
    xs: Sequence[AnyTensor], carried: Sequence[AnyTensor], axis: int, size: int, reverse: bool, body: Body, outputs: int
) -> list[AnyTensor]:
    iterations: list[list[AnyTensor]] = []
    for i in reversed(range(size)) if reverse else range(size):
        slices = [each(x, lambda t: t[(slice(None),) * axis + (i,)]) for x in xs]
        results = body(*slices, *carried)
        iterations.append(results[:outputs])
        carried = results[outputs:]
    rows = zip(*(reversed(iterations) if reverse else iterations))
    return [*(halfwise(lambda first, *others: first.stack(*others, dim=axis), *row) for row in rows), *carried]
