"""Cuts straight runs of ops into pieces of bounded size, as tinygrad's scheduler takes more than linear time.

Each op rounds its results to their types, so where a run is cut does not change any number.
"""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter
from collections.abc import Container, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import accumulate, pairwise
from typing import TypeAlias

import numpy as np

from ..errors import Error
from ..ir import DenseArrayAttr, DenseAttr, ElementType, Op, QuantizedType, TensorType, Type, Value, walk
from ..ir.dtypes import as_tensor, byte_size
from ..ir.rewrite import Rewriter, clone_value, free_values, last_uses
from ..ir.sizes import is_open, typical
from ..ops import Trait, has
from ..ops.structure import structure
from ..rules.registry import PLAIN, Lowering, graph_size, rule_name
from ..tinygrad.sizes import as_uop

# The most nodes of tinygrad's graph that a region's ops may become, and the minimum that an op counts for. No
# region of the models in corpus/ has half as many.
LARGEST_REGION = 4096
LEAST_SIZE = 8
# The most nodes of a chain in which each reads the one before: tinygrad's time grows with the square of its length.
LONGEST_CHAIN = 1600
# In another order than the program's, so many times fewer bytes pass to later pieces; kernels are different ones then.
LESS = 8
# How many sizes of ops are cached.
MOST_SIZES = 1 << 16

# What is known of ops: by what rules branch on, the size of the first such op of a program. Where a program is cut
# depends on nothing that was planned before it.
OpSizes: TypeAlias = dict[object, int]

# Kernels that call a function for each formula that has a name.
CALLING = Lowering(native=True, function=lambda name, dtype, alone: name or None)

# By an op's structure.
_sizes: dict[object, int] = {}


def region_pieces(
    ops: Sequence[Op], writes: Sequence[Value], native: bool, parallel: bool, known: OpSizes
) -> Iterator[tuple[list[Op], list[Value]]]:
    """Yield the pieces of a run in order: their ops, and the results that they write.

    A piece is at least half as large as it may be, and ends where the fewest bytes pass to later pieces.

    Args:
        ops: the ops that the written values depend on.
        writes: the values that are read after the run.
        native, parallel: as in `Lowering`.
        known: the sizes of the program's ops before; those of these are added.
    """
    sizes = {op: op_size(op, native, parallel, known) for op in ops}
    if piece_end([*sizes.values()], ops, 0) == len(ops):
        yield list(ops), list(writes)
        return
    written = set(writes)
    passed, cuts = cut(ops, sizes, written)
    least, others = cut(late := as_late(ops), sizes, written)
    if least * LESS < passed:
        ops, cuts = late, others
    last = last_uses(ops)
    for begin, end in pairwise([*cuts, len(ops)]):
        results = [v for op in ops[begin:end] for v in op.results]
        yield list(ops[begin:end]), [v for v in results if v in written or last.get(v, -1) >= end]


def as_late(ops: Sequence[Op]) -> list[Op]:
    """The ops of a run, each right before what reads its results as far as possible, so that large ones live short."""
    definitions = {v: op for op in ops for v in op.results}
    readers = Counter(by for op in ops for by in {definitions.get(v) for v in free_values(op)})
    ready, ordered = [op for op in ops if not readers[op]], list[Op]()
    while ready:
        ordered.append(op := ready.pop())
        for by in dict.fromkeys(definitions[v] for v in free_values(op) if v in definitions):
            readers[by] -= 1
            if not readers[by]:
                ready.append(by)
    return ordered[::-1]


def cut(ops: Sequence[Op], op_sizes: Mapping[Op, int], written: Container[Value]) -> tuple[int, list[int]]:
    """Where the pieces of a run begin, and the bytes that they pass on, without those of values that are written."""
    sizes = [op_sizes[op] for op in ops]
    starts = [0, *accumulate(sizes)]
    last = last_uses(ops)
    # For each possible cut, the bytes of the values that cross it.
    changes = [0] * (len(ops) + 1)
    for index, op in enumerate(ops):
        for value in op.results:
            if (end := last.get(value, index)) > index and value not in written:
                changes[index + 1] += (size := typical(byte_size(value.type)))
                changes[end + 1] -= size
    passed = list(accumulate(changes))
    cuts = [0]
    while (last_end := piece_end(sizes, ops, cuts[-1])) < len(ops):
        half = (starts[cuts[-1]] + starts[last_end]) // 2
        first_end = bisect_right(starts, half, cuts[-1] + 1, last_end)
        cuts.append(min(range(first_end, last_end + 1), key=lambda at: (passed[at], -at)))
    return sum(passed[at] for at in cuts), cuts


def piece_end(sizes: Sequence[int], ops: Sequence[Op], begin: int) -> int:
    """Where a piece that begins with one of the ops ends at the latest; it contains at least that op."""
    total, chains = 0, dict[Value, int]()
    for index in range(begin, len(ops)):
        op, size = ops[index], sizes[index]
        total += size
        chain = size + max((chains.get(v, 0) for v in free_values(op)), default=0)
        if index > begin and (total > LARGEST_REGION or chain > LONGEST_CHAIN):
            return index
        chains.update(dict.fromkeys(op.results, chain))
    return len(ops)


def op_size(op: Op, native: bool, parallel: bool, known: OpSizes) -> int:
    """The number of nodes of tinygrad's graph that the first op of a program with this name and these element types
    becomes; for `known`, see `region_pieces`.

    Windows of a convolution may be written out.
    """
    inner = [o for region in op.regions for o in walk(region)]
    forms = [(rule_name(o), tuple(element_form(v) for v in (*o.operands, *o.results))) for o in (op, *inner)]
    windows = tuple(str(o.operands[1].type) for o in (op, *inner) if has(o, Trait.CONVOLUTION))
    key = tuple(forms), windows, native, parallel
    if key not in known:
        known[key] = measured_size(op, native, parallel)
    return known[key]


def measured_size(op: Op, native: bool, parallel: bool) -> int:
    """The number of nodes of tinygrad's graph that an op becomes, cached."""
    key = structure([op], free_values(op), op.results), native, parallel
    if key not in _sizes:
        if len(_sizes) >= MOST_SIZES:
            _sizes.clear()
        rewriter = expressions_for_sizes()
        rewriter.define(op.operands)
        (op,) = rewriter.ops([op])
        try:
            _sizes[key] = max(LEAST_SIZE, graph_size(op, replace(CALLING, parallel=parallel) if native else PLAIN))
        except Error:  # raised again, and reported, when its kernels are built
            return LEAST_SIZE
    return _sizes[key]


def expressions_for_sizes() -> Rewriter:
    """What copies ops with tinygrad's expressions in place of open sizes, in types and attributes."""

    def new(value: Value) -> Value:
        type = value.type
        if not isinstance(type, TensorType) or not any(map(is_open, type.shape)):
            return value
        return clone_value(value, replace(type, shape=tuple(map(as_uop, type.shape))))

    def with_attributes(rewriter: Rewriter, op: Op) -> list[Op]:
        attributes = dict(op.attributes)
        for name, attribute in op.attributes.items():
            if isinstance(attribute, DenseArrayAttr) and any(map(is_open, attribute.values)):
                attributes[name] = replace(attribute, values=tuple(map(as_uop, attribute.values)))
            elif isinstance(attribute, DenseAttr) and attribute.data.dtype == object:
                data = np.empty(attribute.data.shape, object)
                data.reshape(-1)[:] = [as_uop(number) for number in attribute.data.flat]
                attributes[name] = replace(attribute, data=data)
        return [rewriter.clone(op, attributes=attributes)]

    return Rewriter(hook=with_attributes, new=new)


def element_form(value: Value) -> object:
    """An element type; of a quantized one, the properties that rules branch on."""
    type = as_tensor(value.type)
    element: ElementType | Type = type.element if isinstance(type, TensorType) else type
    return (element.storage, element.expressed, element.axis) if isinstance(element, QuantizedType) else element
