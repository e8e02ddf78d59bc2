"""Collective ops, which exchange values between processes. Here the grid is one process: one replica, one partition.

Each rule follows the specification's formula for the processes in the group of this one; see `participants`. Rows have
checked the groups already, so only what another process would do is refused here.
"""

from __future__ import annotations

import functools
from collections.abc import Sequence

import numpy as np

from ..errors import UnsupportedOp
from ..tinygrad.expressions import Tensor, dtypes
from .elementwise import add
from .movement import concatenate
from .registry import Body, rule
from .values import AnyTensor, T, each, repeated

# This process's number in the grid, whatever the grouping strategy: replica 0, partition 0.
PROCESS = 0
# Attributes that say how processes communicate and are numbered.
IDS = ("channel_handle", "use_global_device_ids")


def processes_of(groups: np.ndarray, name: str) -> np.ndarray:
    """Check that the attribute `name`, groups in rows that are padded with -1, or pairs, names no other process."""
    if not isinstance(groups, np.ndarray):  # a mesh's axes are text
        raise UnsupportedOp(f"{name} are axes of a mesh; export the program with groups of numbers, or for one device")
    others = groups[(groups != -1) & (groups != PROCESS)]
    if others.size:
        raise UnsupportedOp(
            f"{name} names process {others.min()}; hlo2tiny runs with one participant, process {PROCESS}: export the"
            " program for one device"
        )
    return groups


def participants(replica_groups: np.ndarray) -> list[int]:
    """The processes in the group of this one, in order; without groups, all processes.

    The strategies (cross_replica, cross_partition, cross_replica_and_partition, flattened_ids) number the processes
    differently; with one replica and one partition the numbers are the same.
    """
    groups = processes_of(replica_groups, "replica_groups")
    if groups.size and PROCESS not in groups:
        raise ValueError(f"replica_groups does not name process {PROCESS}")
    return [PROCESS]


def values_in_group(x: T, group: list[int]) -> list[T]:
    """The value of x in each process of the group. This is the only place where values would travel."""
    assert group == [PROCESS]
    return [x]


def part_of(x: AnyTensor, axis: int, count: int, number: int) -> AnyTensor:
    """Part `number` of `count` equal parts along an axis."""
    size, rest = divmod(int(x.shape[axis]), count)
    if rest:
        raise ValueError(f"cannot split dimension {axis} of size {x.shape[axis]} into {count} equal parts")
    window = tuple(slice(size * number, size * (number + 1)) if d == axis else slice(None) for d in range(len(x.shape)))
    return each(x, lambda t: t[window])


def total_of(x: AnyTensor, group: list[int], body: Body) -> AnyTensor:
    """Reduce x over the processes of the group, without an init value."""
    return functools.reduce(lambda a, b: body(a, b)[0], values_in_group(x, group))


@rule("stablehlo.all_gather", ignored=IDS, storage=True)
def all_gather(*xs: AnyTensor, all_gather_dim: int, replica_groups: np.ndarray) -> list[AnyTensor]:
    group = participants(replica_groups)
    return [concatenate(*values_in_group(x, group), dimension=all_gather_dim) for x in xs]


@rule("stablehlo.all_reduce", regions=("computation",), ignored=IDS, storage=True)
def all_reduce(*xs: AnyTensor, replica_groups: np.ndarray, computation: Body) -> list[AnyTensor]:
    group = participants(replica_groups)
    return [total_of(x, group, computation) for x in xs]


@rule("stablehlo.reduce_scatter", regions=("computation",), ignored=IDS, storage=True)
def reduce_scatter(x: AnyTensor, *, scatter_dimension: int, replica_groups: np.ndarray, computation: Body) -> AnyTensor:
    group = participants(replica_groups)
    return part_of(total_of(x, group, computation), scatter_dimension, len(group), group.index(PROCESS))


@rule("stablehlo.all_to_all", ignored=IDS[:1], storage=True)
def all_to_all(
    *xs: AnyTensor, split_dimension: int, concat_dimension: int, split_count: int, replica_groups: np.ndarray
) -> list[AnyTensor]:
    group = participants(replica_groups)
    if split_count != len(group):  # the row cannot check this when there are no replica_groups
        raise ValueError(f"has split_count {split_count}, but its group has {len(group)} processes")
    results = []
    for x in xs:
        parts = [part_of(v, split_dimension, split_count, group.index(PROCESS)) for v in values_in_group(x, group)]
        results.append(concatenate(*parts, dimension=concat_dimension))
    return results


def roots_of(xs: Sequence[AnyTensor], has_dynamic_root: bool) -> tuple[Sequence[AnyTensor], list[int | Tensor]]:
    """The data operands, and the root's place in the group for each: a number, or an element of the last operand."""
    if not has_dynamic_root:
        return xs, [0] * len(xs)
    *data, roots = xs
    assert isinstance(roots, Tensor)
    return data, [roots[i] for i in range(len(data))]


def where_root(x: AnyTensor, root: int | Tensor, group: list[int]) -> AnyTensor:
    """x if this process is the root, whose place in the group is given, else zeros."""
    place = group.index(PROCESS)
    if isinstance(root, int):
        return x if root == place else zeros_like(x)
    return each(x, lambda t: (root == place).where(t, repeated(0, t.shape, t.dtype)))


@rule("stablehlo.collective_reduce", regions=("computation",), ignored=IDS, storage=True)
def collective_reduce(
    *xs: AnyTensor, replica_groups: np.ndarray, has_dynamic_root: bool, computation: Body
) -> list[AnyTensor]:
    group = participants(replica_groups)
    data, roots = roots_of(xs, has_dynamic_root)
    return [where_root(total_of(x, group, computation), root, group) for x, root in zip(data, roots)]


@rule("stablehlo.collective_broadcast", ignored=IDS[:1], storage=True)
def collective_broadcast(*xs: AnyTensor, replica_groups: np.ndarray, has_dynamic_root: bool) -> list[AnyTensor]:
    data, roots = roots_of(xs, has_dynamic_root)
    # Unlike for other ops, no groups means no processes, and a process that is in no group gets zeros.
    if processes_of(replica_groups, "replica_groups").size == 0:
        return [zeros_like(x) for x in data]
    group = participants(replica_groups)
    # This is the only process: a root outside of the group sends nothing.
    return [where_root(values_in_group(x, group)[0], root, group) for x, root in zip(data, roots)]


@rule("stablehlo.collective_permute", ignored=IDS[:1], storage=True)
def collective_permute(x: AnyTensor, *, source_target_pairs: np.ndarray) -> AnyTensor:
    pairs = processes_of(source_target_pairs, "source_target_pairs")
    sources = [int(source) for source, target in pairs.reshape(-1, 2) if target == PROCESS]
    return values_in_group(x, sources)[0] if sources else zeros_like(x)


def zeros_like(x: AnyTensor) -> AnyTensor:
    return each(x, lambda t: repeated(0, t.shape, t.dtype))


@rule("stablehlo.cross-replica-sum")
def cross_replica_sum(x: AnyTensor, *, replica_groups: np.ndarray) -> AnyTensor:
    return functools.reduce(add, values_in_group(x, participants(replica_groups)))


@rule("stablehlo.partition_id", "stablehlo.replica_id")
def process_id() -> Tensor:
    return repeated(PROCESS, (), dtypes.uint32)
