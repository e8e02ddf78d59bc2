"""Which collectives are NCCL's own, rather than sends and receives."""

from __future__ import annotations

from ...ir.dtypes import expect_tensor
from ...ir.place import Place
from ...ir.types import ScalarType
from ...plan.commands import Exchange
from ...rules.collectives import reduction_of
from .executable import GraphCombine

NAMES = {"all_gather": "AllGather", "all_reduce": "AllReduce", "reduce_scatter": "ReduceScatter"}


def combine_of(command: Exchange, places: tuple[Place, Place], processes: int, source: int) -> GraphCombine | None:
    """NCCL's own call for a collective; None if it has none, as for groups of different sizes."""
    step = command.step
    named = sorted(n for group in step.groups for n in group)
    if step.name not in NAMES or named != [*range(processes)] or len({*map(len, step.groups)}) != 1:
        return None
    if len(step.groups[0]) == 1:
        return None
    type, (size, result_size) = expect_tensor(command.types[0]), command.sizes
    element, reduction, count = "i8", "", size  # NCCL gathers bytes
    if step.name != "all_gather":
        found = reduction_of(step.op.regions[0])
        assert found is not None and isinstance(type.element, ScalarType)
        element, reduction = type.element.name, found
        parts = len(step.groups[0]) if step.name == "reduce_scatter" else 1
        elements = 1
        for dimension in type.shape:
            elements *= dimension or 0
        count = elements // parts
    rows = {n: tuple((other, 0) for other in group) for group in step.groups for n in group}
    return GraphCombine(
        tuple(rows[n] for n in range(processes)), places, size, source,
        NAMES[step.name], reduction, element, count, step.groups, result_size,
    )  # fmt: skip
