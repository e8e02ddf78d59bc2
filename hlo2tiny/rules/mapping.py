"""Ops that apply a region to each element, or to one slice after the other."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from math import prod
from typing import Any

from ..ir import ComplexType, DenseAttr, Op, Region, TensorType, Value
from ..ir.dtypes import static_shape
from ..ir.rewrite import Rewriter, clone_value, free_values
from ..ops import Trait, has
from ..tinygrad.dtypes import storage_dtype
from ..tinygrad.loops import Loops, Memory, Scalar, address, end, scalar_of, tensor_of
from .loops import kernel
from .registry import Body, rule
from .values import Complex, each, repeated

# ---------------------------------------------------------------- values as their parts: a kernel's buffers are real


def halves(value: Any) -> list[Any]:
    return [value.real, value.imag] if isinstance(value, Complex) else [value]


def joined(parts: Iterator[Any], type: TensorType) -> Any:
    """The next value of a type from parts."""
    return Complex(next(parts), next(parts)) if isinstance(type.element, ComplexType) else next(parts)


def on_scalars(body: Body, parts: Sequence[Scalar], out: Sequence[TensorType]) -> list[Scalar]:
    """Apply a region to scalars inside a kernel."""
    scalars = iter([tensor_of(part) for part in parts])
    results = body(*(joined(scalars, as_type(argument)) for argument in body.region.arguments))
    return [scalar_of(half.cast(storage_dtype(t.element))) for value, t in zip(results, out) for half in halves(value)]


def as_type(value: Value) -> TensorType:
    if not isinstance(value.type, TensorType):
        raise ValueError("has a region whose arguments are not tensors")
    return value.type


def from_kernel(
    name: str,
    out: Sequence[TensorType],
    operands: Sequence[Any],
    body: Body,
    build: Callable[[Loops, list[Memory], list[Memory], Body], Scalar],
) -> list[Any]:
    """Values that a kernel writes.

    `build` gets its loops, the buffers of the results and of the operands, and the body with what it captures.
    """
    outputs = [(static_shape(t), storage_dtype(t.element)) for t in out for _ in range(width(t))]
    inputs, count, loops = [half for x in operands for half in halves(x)], len(outputs), Loops()

    def function(inner: Body, *buffers: Memory) -> Scalar:
        return build(loops, list(buffers[:count]), list(buffers[count:]), inner)

    parts = iter(kernel(name, outputs, inputs, function, [body]))
    return [joined(parts, t) for t in out]


def width(type: TensorType) -> int:
    """How many parts a value has."""
    return 2 if isinstance(type.element, ComplexType) else 1


def empty(type: TensorType) -> Any:
    parts = iter([repeated(0, static_shape(type), storage_dtype(type.element)) for _ in range(2)])
    return joined(parts, type)


# ---------------------------------------------------------------- map


@rule("stablehlo.map", regions=("computation",), storage=True)
def map_(*xs: Any, dimensions: Sequence[int], computation: Body, types: Any, out: Any) -> Any:
    shape = static_shape(types[0])
    if any(static_shape(t) != shape for t in types):
        raise ValueError("has operands of different shapes (C1)")
    if list(dimensions) != list(range(len(shape))):
        raise ValueError(f"has dimensions {list(dimensions)}, expected {list(range(len(shape)))} (C3)")
    check_arguments(computation, [replace(t, shape=()) for t in types], "C4")
    if 0 in shape:
        return empty(replace(out[0], shape=shape))

    def build(loops: Loops, outs: list[Memory], sources: list[Memory], body: Body) -> Scalar:
        i = loops.range(prod(shape))
        values = on_scalars(body, [source[i].load() for source in sources], out)
        return end([result[i].store(value) for result, value in zip(outs, values)], [i])

    return from_kernel("map", [replace(out[0], shape=shape)], xs, computation, build)


def check_arguments(body: Body, expected: Sequence[TensorType], label: str) -> None:
    given = [as_type(argument) for argument in body.region.arguments]
    if [(t.shape, t.element) for t in given] != [(t.shape, t.element) for t in expected]:
        raise ValueError(f"has a region whose arguments do not have the operands' types ({label})")


# ---------------------------------------------------------------- scan


@rule("chlo.scan", regions=("body",), storage=True)
def scan(
    *operands: Any,
    dimension: int,
    operandSegmentSizes: Sequence[int],  # noqa: N803  (the attribute's name)
    resultSegmentSizes: Sequence[int],  # noqa: N803
    scan_dim_size: int | None = None,
    is_reverse: bool = False,
    is_associative: bool = False,
    body: Body,
    types: Any,
    out: Any,
) -> Any:
    """Slices of the inputs along a dimension go through the body one after the other, with what it carries.

    A body of elementwise ops runs on scalars in one kernel; any other is repeated for each slice.
    """
    count = operandSegmentSizes[0]
    inputs, carried = types[:count], types[count:]
    if operandSegmentSizes[1] != len(carried) or resultSegmentSizes != (len(out) - len(carried), len(carried)):
        raise ValueError("has operands and results that are not inputs and inits, outputs and carries")
    outputs: list[TensorType] = out[: len(out) - len(carried)]
    sliced = [*inputs, *outputs]
    if any(not 0 <= dimension < len(t.shape) for t in sliced):
        raise ValueError(f"has dimension {dimension}, which is not one of each input and output")
    sizes = {scan_dim_size, *(t.shape[dimension] for t in sliced)} - {None}
    if len(sizes) != 1:
        raise ValueError(f"has the sizes {sorted(sizes)} along dimension {dimension}, expected one")
    (length,) = sizes
    # The results' own size along the dimension may not be known yet.
    outputs = [replace(t, shape=(*t.shape[:dimension], length, *t.shape[dimension + 1 :])) for t in outputs]
    slices = [replace(t, shape=(*t.shape[:dimension], *t.shape[dimension + 1 :])) for t in (*inputs, *outputs)]
    check_arguments(body, [*slices[:count], *carried], "scan")
    others = {t.shape for t in (*slices, *carried)}
    xs, initial = operands[:count], operands[count:]
    if length == 0:
        return [*(empty(t) for t in outputs), *initial]
    scalars = on_one_shape(body.region) if len(others) == 1 else None
    if scalars is None:
        return unrolled(xs, initial, dimension, length, is_reverse, body, len(outputs))
    (shape,) = others
    if 0 in shape:
        return [empty(t) for t in (*outputs, *carried)]
    once, whole = Body(scalars, body.outer, body.lowering), (*shape[:dimension], length, *shape[dimension:])
    parts = sum(width(t) for t in inputs)

    def build(loops: Loops, results: list[Memory], sources: list[Memory], body: Body) -> Scalar:
        finals = results[sum(width(t) for t in outputs) :]
        firsts = sources[parts:]
        at = loops.over(shape)
        place = address(shape, at)
        registers = loops.carry([f.dtype for f in firsts], [f[place].load() for f in firsts], at)
        i = loops.range(length)
        where = address(whole, [*at[:dimension], length - 1 - i if is_reverse else i, *at[dimension:]])
        old = [r.after(i)[0].load() for r in registers]
        values = on_scalars(body, [*(s[where].load() for s in sources[:parts]), *old], out)
        emitted = len(results) - len(finals)
        stores = [result[where].store(value) for result, value in zip(results, values[:emitted])]
        updates = loops.update([r.after(i) for r in registers], values[emitted:], [i]) if registers else []
        done = end([*stores, *updates], [i])
        last = [final[place].store(r.after(done)[0].load()) for final, r in zip(finals, registers)]
        return end(last or [done], at)

    return from_kernel("scan", [*outputs, *carried], operands, once, build)


def on_one_shape(region: Region) -> Region | None:
    """A region of elementwise ops on tensors of one shape, as one on scalars; None where it is something else."""
    # What the region captures has to be a scalar already.
    if any(as_type(v).shape != () for v in free_values(region)) or not all(map(is_elementwise, region.ops)):
        return None

    def without_broadcasts(rewriter: Rewriter, op: Op) -> list[Op] | None:
        if not broadcasts_scalar(op):
            return None
        rewriter.values.update(zip(op.results, rewriter.lookup(op.operands)))
        return []

    scalars = Rewriter(hook=without_broadcasts, new=lambda v: clone_value(v, replace(as_type(v), shape=())))
    return scalars.region(region)


def broadcasts_scalar(op: Op) -> bool:
    return has(op, Trait.MOVEMENT) and len(op.operands) == 1 and as_type(op.operands[0]).shape == ()


def is_elementwise(op: Op) -> bool:
    value = op.attributes.get("value")
    is_number = isinstance(value, DenseAttr) and (value.splat or value.data.size == 1)
    is_constant = has(op, Trait.CONSTANT) and is_number
    return has(op, Trait.ELEMENTWISE | Trait.TERMINATOR) or is_constant or broadcasts_scalar(op)


def unrolled(
    xs: Sequence[Any], carried: Sequence[Any], axis: int, length: int, reverse: bool, body: Body, outputs: int
) -> list[Any]:
    found: list[list[Any]] = []
    for i in reversed(range(length)) if reverse else range(length):
        slices = [each(x, lambda t, i=i: t[(slice(None),) * axis + (i,)]) for x in xs]
        results = body(*slices, *carried)
        found.append(results[:outputs])
        carried = results[outputs:]
    rows = [*zip(*(reversed(found) if reverse else found))]
    return [*(stacked(row, axis) for row in rows), *carried]


def stacked(values: Sequence[Any], axis: int) -> Any:
    if isinstance(values[0], Complex):
        return Complex(*(stacked([getattr(v, half) for v in values], axis) for half in ("real", "imag")))
    return values[0].stack(*values[1:], dim=axis)
