"""Attention, and its gradients, as ops of their own, whose scores a target computes piece by piece and never stores.

Nothing else may read the scores; they are stored if anything does.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from ..ir import Op, Value, about
from ..ops import Trait, has
from ..records import dataclass
from .attention_gradients import FoundGradients, find_gradients, results_before
from .attention_graph import OpGraph, depending
from .gemm import USUAL_ROWS, is_product
from .heads import Gradients, Heads, Strides


@dataclass(frozen=True, eq=False)
class FoundStep:
    """What attention or its gradients are, and the ops that compute the same; `statistics` are those of a step."""

    work: Heads | Gradients
    parts: tuple[Op, ...]
    statistics: tuple[Strides, ...] = ()


def replace_attention(
    ops: Sequence[Op], constants: Mapping[Value, Op], invariant: bool, stores_wide: bool
) -> tuple[list[Op], dict[Op, FoundStep]]:
    """Replace attention by one op each; also return for each such op its data and the ops that compute the same.

    Args:
        ops: the ops of a block.
        constants: the ops of constants that are defined around the block.
        invariant: whether a row has the same bits however many there are; scores are stored for gradients then.
        stores_wide: whether they are, too, if heads are wide and as exact as f32.
    """
    found: dict[Op, FoundStep] = {}
    if sum(has(op, Trait.DOT) for op in ops) < 2:
        return list(ops), found
    graph = OpGraph(ops, constants, invariant)
    if not invariant and (added := results_before(graph, ops)):
        ops = [part for op in ops for part in (*added.get(op, ()), op)]
        graph = OpGraph(ops, constants, invariant)
    gone: set[Op] = set()
    joined: dict[Op, Op] = {}
    for op in ops:
        with about(op):
            match = graph.attention(op) if is_product(op, invariant) else None
        if match is None:
            continue
        backward: FoundGradients | None = None
        if graph.readers_outside(match):
            backward = find_gradients(graph, match, stores_wide) if not invariant else None
            if backward is None:
                continue
        heads, parts = replace(match.heads, usual=USUAL_ROWS) if invariant else match.heads, match.parts
        results, statistics, inner = [match.result], tuple[Strides, ...](), match.inner
        if backward is not None:
            graph.append(backward.conversions)
            results += backward.statistics
            parts, statistics = graph.between(match.sources, results), backward.strides
            inputs, first = (*match.sources, *results, backward.cotangents), backward.first
            joined[first] = Op("attention_gradients", inputs, backward.results, {}, (), first.location)
            computing = graph.between(inputs, backward.results)
            found[joined[first]] = FoundStep(backward.gradients, computing)
            inner = inner | backward.gone | depending(computing, match.product)
        joined[op] = Op("attention", match.sources, tuple(results), {}, (), op.location)
        found[joined[op]] = FoundStep(heads, parts, statistics)
        gone.update(inner)
        for value in (value for each in inner for value in each.results):
            graph.definitions.pop(value, None)  # what reads the result does not look behind it
    return [joined.get(op, op) for op in ops if op in joined or op not in gone], found
