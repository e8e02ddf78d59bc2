"""Collective ops: what processes exchange. Here one process is the whole grid: one replica, one partition.

Each rule follows the specification's formula for the processes of this process's group, which `participants` gives.
"""

from __future__ import annotations

import functools
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from ..errors import UnsupportedOp
from ..tinygrad.expressions import Tensor, dtypes
from .elementwise import add
from .movement import concatenate
from .registry import rule
from .values import each, repeated

# This process's number in the grid, whatever the grouping strategy: replica 0, partition 0.
PROCESS = 0
PROCESSES = range(1)


def processes_of(groups: Any, what: str) -> np.ndarray:
    """The processes that the attribute `what` names: groups in rows, shorter ones filled up with -1; or pairs."""
    if not isinstance(groups, np.ndarray):
        raise UnsupportedOp(f"{what} are axes of a mesh; export the program with groups of numbers, or for one device")
    if groups.ndim != 2:
        raise ValueError(f"{what} has {groups.ndim} dimensions, expected 2")
    named = [int(i) for i in groups.reshape(-1) if i != -1]
    others = sorted(set(named) - set(PROCESSES))
    if others:
        raise UnsupportedOp(
            f"{what} names process {others[0]}; hlo2tiny runs with one participant, process {PROCESS}: export the"
            " program for one device"
        )
    return groups


def participants(
    replica_groups: Any, channel_handle: Mapping[str, int] | None, use_global_device_ids: bool = False
) -> list[int]:
    """The processes of this process's group, in order; all processes when there are no groups.

    The strategies (cross_replica, cross_partition, cross_replica_and_partition, flattened_ids) number the processes
    differently; with one replica and one partition the numbers are the same.
    """
    if use_global_device_ids and (channel_handle or {}).get("handle", 0) <= 0:
        raise ValueError("use_global_device_ids needs a channel_id greater than 0")
    groups = processes_of(replica_groups, "replica_groups")
    if groups.size == 0:
        return list(PROCESSES)
    mine = [[int(i) for i in group if i != -1] for group in groups if PROCESS in group]
    if len(mine) != 1 or len(set(mine[0])) != len(mine[0]):
        raise ValueError("replica_groups does not name each process once")
    return mine[0]


def values_in_group(x: Any, group: Sequence[int]) -> list[Any]:
    """operands@receiver: what each process of the group has. The only place where values would travel."""
    assert group == [PROCESS]
    return [x]


def place_in(group: Sequence[int]) -> int:
    return list(group).index(PROCESS)


def part_of(x: Any, axis: int, count: int, number: int) -> Any:
    """One of `count` equal parts along an axis."""
    size, rest = divmod(int(x.shape[axis]), count)
    if rest:
        raise ValueError(f"cannot split dimension {axis} of size {x.shape[axis]} into {count} equal parts")
    window = tuple(slice(size * number, size * (number + 1)) if d == axis else slice(None) for d in range(len(x.shape)))
    return each(x, lambda t: t[window])


def total_of(x: Any, group: Sequence[int], body: Any) -> Any:
    """Reduce without init values, over the processes of the group."""
    return functools.reduce(lambda a, b: body(a, b)[0], values_in_group(x, group))


@rule("stablehlo.all_gather", storage=True)
def all_gather(
    *xs: Any,
    all_gather_dim: int,
    replica_groups: Any,
    channel_handle: Any = None,
    use_global_device_ids: bool = False,
) -> Any:
    group = participants(replica_groups, channel_handle, use_global_device_ids)
    return [concatenate(*values_in_group(x, group), dimension=all_gather_dim) for x in xs]


@rule("stablehlo.all_reduce", regions=("computation",), storage=True)
def all_reduce(
    *xs: Any,
    replica_groups: Any,
    channel_handle: Any = None,
    use_global_device_ids: bool = False,
    computation: Any,
) -> Any:
    group = participants(replica_groups, channel_handle, use_global_device_ids)
    return [total_of(x, group, computation) for x in xs]


@rule("stablehlo.reduce_scatter", regions=("computation",), storage=True)
def reduce_scatter(
    x: Any,
    *,
    scatter_dimension: int,
    replica_groups: Any,
    channel_handle: Any = None,
    use_global_device_ids: bool = False,
    computation: Any,
) -> Any:
    group = participants(replica_groups, channel_handle, use_global_device_ids)
    return part_of(total_of(x, group, computation), scatter_dimension, len(group), place_in(group))


@rule("stablehlo.all_to_all", storage=True)
def all_to_all(
    *xs: Any,
    split_dimension: int,
    concat_dimension: int,
    split_count: int,
    replica_groups: Any,
    channel_handle: Any = None,
) -> Any:
    group = participants(replica_groups, channel_handle)
    if split_count != len(group):  # which the row cannot tell where there are no replica_groups
        raise ValueError(f"has split_count {split_count}, its group has {len(group)} processes")
    results = []
    for x in xs:
        senders = values_in_group(x, group)
        parts = [part_of(sender, split_dimension, split_count, place_in(group)) for sender in senders]
        results.append(concatenate(*parts, dimension=concat_dimension))
    return results


def roots_of(xs: Sequence[Any], has_dynamic_root: bool) -> tuple[list[Any], list[Any]]:
    """The data operands, and for each the place of the root in the group: a number, or an element of the last operand.

    Raises:
        ValueError: the last operand does not name a root for each data operand.
    """
    if not has_dynamic_root:
        return [*xs], [0] * len(xs)
    *data, roots = xs
    if not (isinstance(roots, Tensor) and roots.dtype == dtypes.int32 and roots.shape == (len(data),)) or not data:
        raise ValueError(
            "has_dynamic_root needs a last operand of elements i32 that names a root for each of the operands before it"
        )
    return data, [roots[i] for i in range(len(data))]


def where_root(x: Any, root: Any, place: int) -> Any:
    """x where the process at a place of the group is the root, elsewhere zeros."""
    if isinstance(root, int):
        return x if root == place else zeros_like(x)
    return each(x, lambda t: (root == place).where(t, repeated(0, t.shape, t.dtype)))


@rule("stablehlo.collective_reduce", regions=("computation",), storage=True)
def collective_reduce(
    *xs: Any,
    replica_groups: Any,
    channel_handle: Any = None,
    use_global_device_ids: bool = False,
    has_dynamic_root: bool = False,
    computation: Any,
) -> Any:
    group = participants(replica_groups, channel_handle, use_global_device_ids)
    data, roots = roots_of(xs, has_dynamic_root)
    return [where_root(total_of(x, group, computation), root, place_in(group)) for x, root in zip(data, roots)]


@rule("stablehlo.collective_broadcast", storage=True)
def collective_broadcast(
    *xs: Any, replica_groups: Any, channel_handle: Any = None, has_dynamic_root: bool = False
) -> Any:
    data, roots = roots_of(xs, has_dynamic_root)
    # Unlike elsewhere, no groups are no processes: who is in none gets zeros.
    if processes_of(replica_groups, "replica_groups").size == 0:
        return [zeros_like(x) for x in data]
    group = participants(replica_groups, channel_handle)
    # The only other process is this one: a root beyond the group sends nothing.
    return [where_root(values_in_group(x, group)[0], root, place_in(group)) for x, root in zip(data, roots)]


@rule("stablehlo.collective_permute", storage=True)
def collective_permute(x: Any, *, source_target_pairs: Any, channel_handle: Any = None) -> Any:
    pairs = processes_of(source_target_pairs, "source_target_pairs")
    if pairs.size and (pairs.shape[1] != 2 or pairs.min() < 0):
        raise ValueError("source_target_pairs is not a list of pairs of processes (C1, C4)")
    sources = [int(source) for source, target in pairs.reshape(-1, 2) if target == PROCESS]
    if len(sources) > 1:
        raise ValueError("source_target_pairs names a target twice (C3)")
    return values_in_group(x, sources)[0] if sources else zeros_like(x)


def zeros_like(x: Any) -> Any:
    return each(x, lambda t: repeated(0, t.shape, t.dtype))


@rule("stablehlo.cross-replica-sum")
def cross_replica_sum(x: Any, *, replica_groups: Any) -> Any:
    group = participants(replica_groups, None)
    return functools.reduce(add, values_in_group(x, group))


@rule("stablehlo.partition_id", "stablehlo.replica_id")
def process_id() -> Tensor:
    return repeated(PROCESS, (), dtypes.uint32)
