"""What follows a matrix product and cuBLASLt can do in the same call.

That is a bias, an added matrix, zeros in place of negative numbers, a narrower result, or a result whose dimensions are
in another order.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import replace
from itertools import takewhile
from math import prod

from ...ir import Op, Value
from ...ir.dtypes import static_shape, strides_of
from ...ir.rewrite import free_values, live
from ...ops import Monoid, Trait, has, monoid_of
from ...ops.structure import structure
from ...plan.attention_graph import short_name
from ...plan.gemm import (
    Product,
    View,
    element_name,
    is_broadcast,
    is_conversion,
    is_reshape,
    merged_stride,
    order_of,
    view,
)
from ...plan.plan import Block, Case, Gemm, Kernels, Plan, Step, While
from ...plan.scatters import is_zero
from ...records import dataclass

NARROW = ("bf16", "f16")


@dataclass(frozen=True, eq=False)
class Sum(Gemm):
    """A·B + bias + added, or 0 if that is less and it is a `relu`, rounded to a narrower type: its inputs are A and B,
    then the bias and the matrix, if any.

    `narrow` is the type of the result, or "" if it is the product's; `stored`, how far apart the rows of a matrix are
    and the matrices along each dimension of the batch, or None if they follow each other. `twice` says that bias and
    matrix are of the narrower type, to which A·B and each sum are rounded; a library only rounds the last sum.
    """

    bias: bool
    added: bool
    narrow: str
    stored: tuple[int, tuple[int, ...]] | None = None
    twice: bool = False
    relu: bool = False


def fuse(plan: Plan, computes: Callable[[Gemm], bool]) -> Plan:
    """Let products do what the regions after them begin with, where a library can compute both together."""
    blocks = {name: fuse_block(block, computes) for name, block in plan.functions.items()}
    return replace(plan, main=fuse_block(plan.main, computes), functions=blocks)


def fuse_block(block: Block, computes: Callable[[Gemm], bool]) -> Block:
    reads = Counter(n for step in block.steps for n in step.reads) + Counter(block.outputs)
    steps: list[Step] = []
    types, waiting = list(block.types), list(block.steps)
    while waiting:
        match step := waiting.pop(0):
            case While():
                condition, body = (fuse_block(b, computes) for b in (step.condition, step.body))
                step = replace(step, condition=condition, body=body)
            case Case():
                step = replace(step, branches=tuple(fuse_block(b, computes) for b in step.branches))
            case Gemm() if reads[step.outputs[0]] == 1:
                others = [*takewhile(lambda each: isinstance(each, Gemm), waiting)]  # computed at the same time
                after = next(iter(waiting[len(others) :]), None)
                if isinstance(after, Kernels) and step.outputs[0] in after.inputs and not after.updates:
                    whole, rest = split(step, after, len(types)) if computes(step) else (None, None)
                    if whole is not None and whole.twice and not computes(whole):
                        whole, rest = split(step, after, len(types), twice=False)
                    later = {n for each in others for n in each.outputs}
                    if whole is not None and later.isdisjoint(whole.inputs) and computes(whole):
                        step, waiting[len(others) : len(others) + 1] = whole, [rest] if rest is not None else []
                        if whole.outputs[0] == len(types):
                            types.append(whole.region.results[0].type)
        steps.append(step)
    return replace(block, steps=tuple(steps), types=tuple(types))


def split(step: Gemm, after: Kernels, number: int, twice: bool = True) -> tuple[Sum | None, Kernels | None]:
    """A product with what the region after it begins with, and the rest of that region.

    Args:
        number: that of the buffer between them, if there is none yet.
        twice: whether something may be added to a rounded product.
    """
    definitions = {v: op for op in after.ops for v in op.results}
    readers: dict[Value, list[Op]] = {}
    for op in after.ops:
        for value in free_values(op):
            readers.setdefault(value, []).append(op)
    sources = dict(zip(after.parameters, after.inputs))
    p = step.product
    current = end = product = after.parameters[after.inputs.index(step.outputs[0])]
    bias: Value | None = None
    added: Value | None = None
    narrow, relu = "", False
    while current not in after.results and len(users := readers.get(current, [])) == 1:
        (op,) = users
        is_first = end is product or (relu and not (narrow or bias or added))
        if is_conversion(op) and element_name(op.results[0]) in NARROW and p.a.narrow and p.letter == "s" and is_first:
            current = end = op.results[0]
            narrow = element_name(current)
            if not twice:
                break
            continue
        if is_relu(op, current, definitions) and p.letter == "s" and not relu:
            current, relu = op.results[0], True
            end = current
        elif (
            short_name(op) == "add" and not p.batch and not relu and p.letter == "s" and op.operands.count(current) == 1
        ):
            other = next(v for v in op.operands if v is not current)
            found = view(other, definitions)
            if found.source not in sources or found.source is product:
                break
            if bias is None and not (narrow and added) and is_row(found.shape, found.strides, p.n):
                bias = found.source
            elif added is None and is_whole(found, p.m * p.n, narrow or "f32"):
                added = found.source
            else:
                break
            current = end = op.results[0]
        elif is_reshape(op) or (is_broadcast(op) and prod(static_shape(op.results[0].type)) == p.m * p.n):
            if view(op.results[0], definitions).strides != strides_of(static_shape(op.results[0].type)):
                break
            current = op.results[0]
        else:
            break
    stored, factors, first = None, step.inputs, end
    if bias is None and added is None and p.letter != "i":
        moved = end
        while moved not in after.results and len(users := readers.get(moved, [])) == 1 and is_move(users[0]):
            (moved,) = users[0].results
            found = view(moved, definitions)
            if found.source is first and (turned := in_order_of(found, step.product)) is not None:
                end, (p, stored) = moved, turned
        if p is not step.product:
            factors = step.inputs[::-1]
    if end is product:
        return None, None
    others = [v for v in (bias, added) if v is not None]
    dot = step.region
    if dot.results != (product,):
        return None, None
    parameters = (*dot.parameters, *(v for v in others if v not in dot.parameters))
    ops = (*dot.ops, *live([op for op in after.ops if op not in dot.ops], [end]))
    output = after.outputs[after.results.index(end)] if end in after.results else number
    known = {**dict(zip(dot.parameters, dot.inputs)), **sources}
    inputs = tuple(known[v] for v in parameters)
    region = Kernels(ops, parameters, (end,), inputs, (output,), structure(ops, parameters, (end,)))
    read = (*factors, *(sources[v] for v in others))
    is_twice = bool(narrow and others)
    whole = Sum(p, region, read, (output,), bias is not None, added is not None, narrow, stored, is_twice, relu)
    results = [v for v in after.results if v is not end]
    if not results:
        return whole, None
    left = live([op for op in after.ops if end not in op.results], results)
    free = set(free_values(*left)) | set(results)
    kept = tuple(v for v in (*after.parameters, end) if v in free)
    places = {**sources, end: output}
    outputs = tuple(after.outputs[after.results.index(v)] for v in results)
    key = structure(tuple(left), kept, tuple(results))
    return whole, Kernels(tuple(left), kept, tuple(results), tuple(places[v] for v in kept), outputs, key)


def is_relu(op: Op, value: Value, definitions: Mapping[Value, Op]) -> bool:
    """Whether an op's result is a value, or 0 where that is negative."""
    if not has(op, Trait.ELEMENTWISE) or monoid_of(op) is not Monoid.MAXIMUM or op.operands.count(value) != 1:
        return False
    (other,) = (v for v in op.operands if v is not value)
    return is_zero(definitions.get(other), definitions)


def is_move(op: Op) -> bool:
    return is_reshape(op) or order_of(op) is not None


def in_order_of(moved: View, p: Product) -> tuple[Product, tuple[int, tuple[int, ...]]] | None:
    """The product whose rows are stored as a view of its result orders them, and how far apart these are.

    That is Cᵀ = Bᵀ·Aᵀ if the columns of C are contiguous; None if neither are.
    """
    left = sorted(zip(moved.strides, moved.shape, strides_of(moved.shape)), reverse=True)
    left, steps = [each for each in left if each[1] != 1], list[int]()
    for size in (*p.batch, p.m, p.n):
        taken = list[tuple[int, int]]()
        while left and prod(n for n, _ in taken) < size:
            taken.append(left.pop(0)[1:])
        step = merged_stride(taken)
        if step is None or prod(n for n, _ in taken) != size:
            return None
        steps.append(step)
    *batch, row, column = steps
    if 1 not in (row, column) or (column == 1 and row == p.n and [*batch] == [*strides_of((*p.batch, p.m * p.n))[:-1]]):
        return None
    if column == 1:
        return p, (max(row, p.n), (*batch,))
    a, b = (replace(x, transposed=not x.transposed) for x in (p.b, p.a))
    return replace(p, m=p.n, n=p.m, a=a, b=b), (max(column, p.m), (*batch,))


def is_row(shape: tuple[int, ...], strides: tuple[int, ...], size: int) -> bool:
    """Whether a view repeats a vector of this many numbers along the dimensions before its last ones."""
    d, inner = len(shape), 1
    while d and inner < size:
        d -= 1
        if shape[d] != 1 and strides[d] != inner:
            return False
        inner *= shape[d]
    return inner == size and all(stride == 0 for n, stride in zip(shape[:d], strides[:d]) if n != 1)


def is_whole(found: View, size: int, element: str) -> bool:
    """Whether a view is all of a matrix of so many numbers, in order."""
    value = found.source
    whole = prod(static_shape(value.type)) == size and element_name(value) == element
    return whole and found.strides == strides_of(found.shape)
