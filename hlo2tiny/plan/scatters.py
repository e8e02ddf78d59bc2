"""Sums of arrays into which updates were scattered: all updates are added to one array.

The gradient of several lookups in a table is such a sum: of the corners of bilinear samples, or of embeddings. Each
lookup would fill an array as large as the table with zeros, and add it to the others.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace

from ..ir import Op, Value
from ..ir.rewrite import free_values
from ..ops import Monoid, Trait, has, monoid_of
from .gemm import element_name, is_broadcast
from .loops import repeated_number

# Types in which a sum in another order is as exact. The others lose a digit with each update that they add.
EXACT = {"f32", "f64", "i8", "i16", "i32", "i64", "ui8", "ui16", "ui32", "ui64", "complex<f32>", "complex<f64>"}


def join_scatters(ops: Sequence[Op], inline: Mapping[Value, Op]) -> list[Op]:
    """The ops of a block, with sums of scattered updates in place of sums of arrays.

    Args:
        inline: constants of enclosing blocks.
    """
    if sum(is_scattered_sum(op) for op in ops) < 2:
        return list(ops)
    reads = Counter(value for op in ops for value in free_values(op))
    definitions = {v: op for op in (*inline.values(), *ops) for v in op.results}
    scattered: set[Value] = set()  # updates added to zeros, so that no element is -0
    result = dict[Op, None]()
    for op in ops:
        if is_scattered_sum(op) and is_zero(definitions.get(op.operands[0]), definitions):
            scattered.update(op.results)
        elif is_sum(op) and scattered.issuperset(op.operands) and all(reads[v] == 1 for v in op.operands):
            for kept, value in (op.operands, op.operands[::-1]):
                last = definitions[value]
                if is_zero(definitions.get(last.operands[0]), definitions):
                    del result[last]
                    op = replace(last, operands=(kept, *last.operands[1:]), results=op.results)
                    definitions[op.results[0]] = op
                    scattered.update(op.results)
                    break
        result[op] = None
    return list(result)


def is_scattered_sum(op: Op) -> bool:
    """Whether an op adds each update to an element of its operand."""
    if not has(op, Trait.UPDATING) or len(op.results) != 1 or len(op.regions) != 1 or len(op.operands) != 3:
        return False
    (region,) = op.regions
    added = len(region.ops) == 2 and is_sum(region.ops[0]) and region.ops[1].operands == region.ops[0].results
    return added and {*region.ops[0].operands} == {*region.arguments} and element_name(op.results[0]) in EXACT


def is_sum(op: Op) -> bool:
    """Whether an op adds two different values."""
    return has(op, Trait.ELEMENTWISE) and monoid_of(op) is Monoid.SUM and len({*op.operands}) == 2


def is_zero(op: Op | None, definitions: Mapping[Value, Op]) -> bool:
    """Whether an op's result is +0, repeated."""
    while op is not None and is_broadcast(op):
        op = definitions.get(op.operands[0])
    number = None if op is None else repeated_number(op)
    return number is not None and not any(number.tobytes())
