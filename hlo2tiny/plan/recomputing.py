"""Computes cheap values again where they are read, instead of storing them.

Gradients read what the values are computed from: differences from a mean, masks, wider types. Each costs memory's time
twice, once to write it and once to read it. If it is a cheap function of an array that is read there anyway, or of one
that is no larger, later runs of ops compute it again, which gives the same bits. If nothing else reads it, they compute
it instead, so that any function is as cheap.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Container, Sequence
from itertools import accumulate
from math import prod
from typing import NamedTuple

from ..ir import DenseAttr, Op, Value
from ..ir.dtypes import byte_size, static_shape
from ..ir.rewrite import Rewriter, clone_value, free_values
from ..ir.sizes import typical
from ..ops import Cost, Trait, cost_of, has
from ..rules.control import CONTROL
from .gemm import is_broadcast, is_reshape

# Smaller values stay in a cache.
LEAST = 1 << 20
# What is this many times smaller than a value costs nothing beside it.
SMALL = 16
# The most ops that are repeated for a value.
MOST_OPS = 16


class Computation(NamedTuple):
    """The large arrays that a value is computed from, and the ops that compute it, in order."""

    sources: frozenset[Value]
    ops: tuple[Op, ...]


def recompute(ops: Sequence[Op], is_step: Callable[[Op], bool], inline: Container[Value]) -> list[Op]:
    """The ops of a block, with cheap ones repeated in later runs that read their results.

    Args:
        is_step: whether an op is a step of its own, whose operands and results have memory.
        inline: constants of enclosing blocks that are part of kernels' code.
    """
    definitions = {v: op for op in ops for v in op.results}
    runs = [*accumulate(map(is_step, ops))]
    made = {v: run for op, run in zip(ops, runs) for v in op.results}
    kept: set[Value] = set()  # has memory anyway
    taken: set[Value] = set()  # memory that an update or a loop may take over
    readers: dict[Value, set[int]] = {}  # the runs
    reads = Counter[Value]()
    last_readers: dict[Value, Op] = {}
    for op, run in zip(ops, runs):
        alone = is_step(op) or has(op, Trait.TERMINATOR)
        values = free_values(op)
        reads.update(values)
        last_readers.update(dict.fromkeys(values, op))
        for value in values:
            if value not in definitions or alone:
                kept.add(value)
            if not alone:
                readers.setdefault(value, set()).add(run)
        if alone or (has(op, Trait.CONSTANT) and not is_inline(op)):
            kept.update(op.results)
        if op.name in CONTROL or has(op, Trait.UPDATING):
            taken.update(values)
    read_in = {(value, run) for value, found in readers.items() for run in found}
    computations: dict[Value, Computation] = {}

    def computation_of(value: Value, least: int) -> Computation | None:
        """How to compute a value element by element from what has memory; None if that is not possible."""
        op = definitions[value]
        if not (is_broadcast(op) or is_reshape(op) or has(op, Trait.ELEMENTWISE)):
            return None
        sources, before = set[Value](), dict[Op, None]()
        for operand in op.operands:
            by = definitions.get(operand)
            if operand in inline or (by is not None and is_inline(by)) or size_of(operand) < least:
                continue
            if operand in kept:
                # What only one op reads of a product, the product itself may compute.
                if operand in taken or (by is not None and is_step(by) and reads[operand] == 1):
                    return None
                sources.add(operand)
                continue
            inner = computations.get(operand) or computation_of(operand, least)
            if inner is None:
                return None
            sources |= inner.sources
            before |= dict.fromkeys(inner.ops)
        return Computation(frozenset(sources), (*before, op)) if len(before) < MOST_OPS else None

    def is_cheap(value: Value, parts: Sequence[Op]) -> bool:
        """Whether all ops that compute a value are cheap, or computed once for each of its elements, and only there."""
        alone = reads[value] == 1 and has(last_readers[value], Trait.ELEMENTWISE)
        return all(
            cost_of(part) <= Cost.CHEAP
            or (alone and reads[part.results[0]] == 1 and count_of(part.results[0]) >= count_of(value))
            for part in parts
        )

    for op, run in zip(ops, runs):
        for value in op.results:
            later = {r for r in readers.get(value, ()) if r != run}
            if not later or value in kept:
                continue
            size = size_of(value)
            found = computation_of(value, max(1, size // SMALL)) if size >= LEAST else None
            if found is not None and is_cheap(value, found.ops):
                added = {(source, r) for source in found.sources for r in later} - read_in
                if sum(size_of(source) for source, _ in added) < size * (len(later) + 1):
                    computations[value] = found
                    read_in |= added
                    continue
            kept.add(value)

    result: list[Op] = []
    copies: dict[int, Rewriter] = {}
    for op, run in zip(ops, runs):
        again = [v for v in free_values(op) if v in computations and made[v] != run]
        if again:
            rewriter = copies.setdefault(run, Rewriter())
            for part in dict.fromkeys(part for v in again for part in computations[v].ops):
                if part.results[0] not in rewriter.values:
                    copy = Rewriter(rewriter.values, new=clone_value).clone(part)
                    rewriter.values.update(zip(part.results, copy.results))
                    result.append(copy)
            op = Rewriter(rewriter.values).clone(op)
        result.append(op)
    return result


def is_inline(op: Op) -> bool:
    value = op.attributes.get("value")
    return has(op, Trait.CONSTANT) and isinstance(value, DenseAttr) and value.splat


def count_of(value: Value) -> int:
    return typical(prod(static_shape(value.type)))


def size_of(value: Value) -> int:
    return typical(byte_size(value.type))
