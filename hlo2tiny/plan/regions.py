"""Straight runs of ops in pieces of bounded size, as tinygrad's scheduler takes more than linear time for a graph.

Each op rounds its results to their types, so that where a run is cut changes no number.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import accumulate, pairwise
from math import prod

from ..errors import Error
from ..ir import ElementType, Op, QuantizedType, TensorType, Type, Value, walk
from ..ir.dtypes import as_tensor, numpy_dtype, static_shape
from ..ir.rewrite import last_uses
from ..rules.registry import Lowering, graph_size, rule_name

# The nodes of tinygrad's graph that a region's ops are together, and the least that counts for one of them. Of the
# models in corpus/ none has a region with half as many.
LARGEST_REGION = 4096
LEAST_SIZE = 8
# How many forms of ops have their sizes remembered.
MOST_SIZES = 1 << 16

_sizes: dict[object, int] = {}


def region_pieces(ops: Sequence[Op], writes: Sequence[Value], native: bool) -> Iterator[tuple[list[Op], list[Value]]]:
    """The pieces of a run, in order: their ops, and which of their results are written.

    A piece ends where the fewest bytes pass to later ones, in the second half of what its size may be.

    Args:
        ops: those that the written values depend on.
        writes: the values that are read after the run.
        native: whether kernels may call C functions.
    """
    starts = [0, *accumulate(op_size(op, native) for op in ops)]
    if starts[-1] <= LARGEST_REGION or len(ops) < 2:
        yield list(ops), list(writes)
        return
    last = last_uses(ops)
    written = set(writes)
    # By place, the bytes of what the ops before it hand to those from it on, beside what is written anyway.
    changes = [0] * (len(ops) + 1)
    for index, op in enumerate(ops):
        for value in op.results:
            if (end := last.get(value, index)) > index and value not in written:
                changes[index + 1] += (size := byte_size(value.type))
                changes[end + 1] -= size
    passed = list(accumulate(changes))
    cuts = [0]
    while starts[-1] - starts[cuts[-1]] > LARGEST_REGION and cuts[-1] < len(ops) - 1:
        begin = cuts[-1]
        end = begin + 1
        candidates = []
        while end < len(ops) and starts[end] - starts[begin] <= LARGEST_REGION:
            if 2 * (starts[end] - starts[begin]) > LARGEST_REGION:
                candidates.append(end)
            end += 1
        # Before a large op there may be no place in the second half.
        cuts.append(min(candidates, key=lambda at: (passed[at], -at)) if candidates else max(end - 1, begin + 1))
    for begin, end in pairwise([*cuts, len(ops)]):
        results = [v for op in ops[begin:end] for v in op.results]
        yield list(ops[begin:end]), [v for v in results if v in written or last.get(v, -1) >= end]


def op_size(op: Op, native: bool) -> int:
    """The nodes of tinygrad's graph that an op becomes, found once for ops that differ in shapes and attributes."""
    inner = [each for region in op.regions for each in walk(region)]
    forms = [(rule_name(o), tuple(element_form(v) for v in (*o.operands, *o.results))) for o in (op, *inner)]
    key = tuple(forms), native
    if key not in _sizes:
        if len(_sizes) >= MOST_SIZES:
            _sizes.clear()
        try:
            _sizes[key] = max(LEAST_SIZE, graph_size(op, Lowering(calls_c=native)))
        except Error:  # said when its kernels are built
            return LEAST_SIZE
    return _sizes[key]


def element_form(value: Value) -> object:
    """An element type; of quantized ones what their numbers are, not which."""
    type = as_tensor(value.type)
    element: ElementType | Type = type.element if isinstance(type, TensorType) else type
    return (element.storage, element.expressed, element.axis) if isinstance(element, QuantizedType) else element


def byte_size(type: Type) -> int:
    tensor = as_tensor(type)
    return prod(static_shape(tensor)) * numpy_dtype(tensor.element).itemsize if isinstance(tensor, TensorType) else 0
