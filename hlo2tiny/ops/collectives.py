"""Communication between processes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from ..ir import Region, ScalarType, TensorType, Type
from ..ir.dimensions import Shape
from .attributes import FLAG, I64, PAIRS, REPLICA_GROUPS, Violation, optional, structure
from .definition import agree, argument_types, op, require, returned_types, types_text
from .traits import Trait
from .types import is_promotable

ReplicaGroups = Sequence[Sequence[int]] | None
Channel = Mapping[str, Any] | None
CHANNEL = structure("channel_handle")
GROUPED = {"replica_groups": REPLICA_GROUPS, "channel_handle": optional(CHANNEL)}
IDS = GROUPED | {"use_global_device_ids": optional(FLAG, False)}


def group_size(
    replica_groups: ReplicaGroups,
    unique: str,
    bounds: str,
    channel_handle: Channel = None,
    ids: bool = False,
    channel: str = "",
) -> int | None:
    """The number of processes in each group; None if the file does not say.

    `unique`, `bounds` and `channel` are the numbers of the op's constraints.
    """
    if ids and not (isinstance(channel_handle, Mapping) and channel_handle.get("handle", 0) > 0):
        raise Violation(f"use_global_device_ids needs a channel_handle with a positive handle ({channel})")
    if not replica_groups:
        return None
    named = [process for group in replica_groups for process in group]
    if len(set(named)) != len(named):
        raise Violation(f"replica_groups names a process twice: {sorted(named)} ({unique})")
    if sorted(named) != list(range(len(named))):
        raise Violation(f"replica_groups names {sorted(named)}, expected all from 0 to {len(named) - 1} ({bounds})")
    sizes = {len(group) for group in replica_groups}
    return sizes.pop() if len(sizes) == 1 else None


def check_dimension(name: str, dimension: int, type: TensorType, constraint: str) -> None:
    rank = len(type.shape)
    if not 0 <= dimension < rank:
        raise Violation(f"{name} is {dimension}, expected a dimension of {type}, 0 to {rank - 1} ({constraint})")


def times(size: int | None, factor: int | None) -> int | None:
    return None if size is None or factor is None else size * factor


def resize_shape(shape: Shape, sizes: Mapping[int, int | None]) -> Shape:
    return tuple(sizes.get(d, size) for d, size in enumerate(shape))


def check_computation(
    computation: Region, operands: Sequence[TensorType], out: Sequence[TensorType], constraint: str, results: str
) -> None:
    """Check that `computation` takes and returns scalars of one type to which the operands can be promoted."""
    types = (*argument_types(computation), *returned_types(computation))
    scalar = types[0] if types else None
    fits = len(computation.arguments) == 2 and len(types) == 3 and all(t == scalar for t in types)
    if not fits or not isinstance(scalar, TensorType) or scalar.shape != ():
        signature = f"{types_text(argument_types(computation))} -> {types_text(returned_types(computation))}"
        raise Violation(f"computation is of type {signature}, expected (T, T) -> (T) with a scalar T ({constraint})")
    for i, (operand, result) in enumerate(zip(operands, out)):
        if not is_promotable(operand.element, scalar.element):
            raise Violation(
                f"operand {i} is {operand}, which is not promotable to computation's {scalar} ({constraint})"
            )
        if result.element != scalar.element:
            raise Violation(f"result {i} is {result}, but computation returns {scalar} ({results})")


def all_gather_shapes(
    *operands: TensorType,
    all_gather_dim: int,
    replica_groups: ReplicaGroups,
    channel_handle: Channel,
    use_global_device_ids: bool,
) -> list[Shape | None]:
    size = group_size(replica_groups, "C2", "C4", channel_handle, use_global_device_ids, "C5")
    for operand in operands:
        check_dimension("all_gather_dim", all_gather_dim, operand, "C1")
    return [resize_shape(t.shape, {all_gather_dim: times(t.shape[all_gather_dim], size)}) for t in operands]


def all_reduce_shapes(
    *operands: TensorType,
    replica_groups: ReplicaGroups,
    channel_handle: Channel,
    use_global_device_ids: bool,
    computation: Region,
    out: Sequence[TensorType],
) -> list[Shape | None]:
    group_size(replica_groups, "C1", "C3", channel_handle, use_global_device_ids, "C4")
    check_computation(computation, operands, out, "C5", "C7")
    return [t.shape for t in operands]


def all_to_all_shapes(
    *operands: TensorType,
    split_dimension: int,
    concat_dimension: int,
    split_count: int,
    replica_groups: ReplicaGroups,
) -> list[Shape | None]:
    size = group_size(replica_groups, "C5", "C7")
    if split_count <= 0:
        raise Violation(f"split_count is {split_count}, expected at least 1 (C4)")
    if size not in (None, split_count):
        raise Violation(f"split_count is {split_count}, but the groups have {size} process{'es' * (size != 1)} (C8)")
    shapes: list[Shape | None] = []
    for operand in operands:
        check_dimension("split_dimension", split_dimension, operand, "C1")
        check_dimension("concat_dimension", concat_dimension, operand, "C3")
        whole = operand.shape[split_dimension]
        if whole is not None and whole % split_count:
            raise Violation(f"split_count {split_count} does not divide dimension {split_dimension} of {operand} (C2)")
        sizes = {split_dimension: None if whole is None else whole // split_count}
        if split_dimension == concat_dimension:
            sizes = {}
        else:
            sizes[concat_dimension] = times(operand.shape[concat_dimension], split_count)
        shapes.append(resize_shape(operand.shape, sizes))
    return shapes


def without_roots(operands: Sequence[TensorType], has_dynamic_root: bool) -> Sequence[TensorType]:
    """The data operands; if `has_dynamic_root`, the last operand holds the root of each of the others."""
    if not has_dynamic_root:
        return operands
    *data, roots = operands if operands else (None,)
    if roots is None or roots.element != ScalarType("i32") or not agree(roots.shape, (len(data),)):
        problem = "has no operands" if roots is None else f"the last operand is {roots}"
        raise Violation(f"{problem}, expected tensor<{len(data)}xi32>, the root of each other operand")
    return data


def collective_broadcast_shapes(
    *operands: TensorType, replica_groups: ReplicaGroups, has_dynamic_root: bool, out: Sequence[TensorType]
) -> list[Shape | None]:
    named = [process for group in replica_groups or () for process in group]
    require(len(set(named)) == len(named), f"replica_groups names a process twice: {sorted(named)} (C1)")
    require(min(named, default=0) >= 0, f"replica_groups names the process {min(named, default=0)} (C2)")
    data = without_roots(operands, has_dynamic_root)
    for operand, result in zip(data, out):
        if operand.element != result.element:
            raise Violation(f"the result has elements of {operand.element}, but its declared type is {result} (C3)")
    return [t.shape for t in data]


def collective_reduce_shapes(
    *operands: TensorType,
    replica_groups: ReplicaGroups,
    channel_handle: Channel,
    use_global_device_ids: bool,
    has_dynamic_root: bool,
    computation: Region,
    out: Sequence[TensorType],
) -> list[Shape | None]:
    group_size(replica_groups, "as all_reduce C1", "C3", channel_handle, use_global_device_ids, "as all_reduce C4")
    data = without_roots(operands, has_dynamic_root)
    check_computation(computation, data, out, "as all_reduce C5", "as all_reduce C7")
    return [t.shape for t in data]


def collective_permute_shapes(
    operand: TensorType, *, source_target_pairs: Sequence[tuple[int, int]]
) -> list[Shape | None]:
    for index, noun, number in ((0, "source", "C2"), (1, "target", "C3")):
        processes = [pair[index] for pair in source_target_pairs]
        if len(set(processes)) != len(processes):
            raise Violation(f"source_target_pairs names a {noun} twice: {sorted(processes)} ({number})")
        if min(processes, default=0) < 0:
            raise Violation(f"source_target_pairs names the process {min(processes)} (C4)")
    return [operand.shape]


def reduce_scatter_shapes(
    operand: TensorType,
    *,
    scatter_dimension: int,
    replica_groups: ReplicaGroups,
    channel_handle: Channel,
    use_global_device_ids: bool,
    computation: Region,
    out: Sequence[TensorType],
) -> list[Shape | None]:
    size = group_size(replica_groups, "C3", "C5", channel_handle, use_global_device_ids, "C6")
    check_dimension("scatter_dimension", scatter_dimension, operand, "C2")
    check_computation(computation, [operand], out, "C7", "C9")
    whole = operand.shape[scatter_dimension]
    if whole is not None and size and whole % size:
        raise Violation(f"groups of {size} processes do not divide dimension {scatter_dimension} of {operand} (C1)")
    return [resize_shape(operand.shape, {scatter_dimension: None if whole is None or not size else whole // size})]


def process_id_shapes(*, out: Sequence[Type]) -> list[Shape | None]:
    expected = TensorType((), ScalarType("ui32"))
    require(out[0] == expected, f"the result is {out[0]}, expected {expected}")
    return [()]


def cross_replica_sum_shapes(operand: TensorType, *, replica_groups: ReplicaGroups) -> list[Shape | None]:
    group_size(replica_groups, "C1", "C3")
    return [operand.shape]


# A table: a row takes a line or two.
# fmt: off
op("stablehlo.all_gather", "E* -> E*", attributes=IDS | {"all_gather_dim": I64}, shapes=all_gather_shapes,
    traits=Trait.COLLECTIVE)
op("stablehlo.all_reduce", ".* -> .*", attributes=IDS, regions=("computation",), shapes=all_reduce_shapes,
    traits=Trait.SUMMING | Trait.COLLECTIVE)
op("stablehlo.all_to_all", "E* -> E*",
    attributes=GROUPED | {"split_dimension": I64, "concat_dimension": I64, "split_count": I64},
    shapes=all_to_all_shapes, traits=Trait.COLLECTIVE)
op("stablehlo.collective_broadcast", ".* -> .*",
    attributes=GROUPED | {"has_dynamic_root": optional(FLAG, False, since="1.20.0")},
    shapes=collective_broadcast_shapes, traits=Trait.COLLECTIVE)
op("stablehlo.collective_permute", "T -> T",
    attributes={"source_target_pairs": PAIRS, "channel_handle": optional(CHANNEL)}, shapes=collective_permute_shapes,
    traits=Trait.COLLECTIVE)
op("stablehlo.cross-replica-sum", "Q -> Q", attributes={"replica_groups": REPLICA_GROUPS},
    shapes=cross_replica_sum_shapes, traits=Trait.COLLECTIVE)
op("stablehlo.partition_id", "-> .", shapes=process_id_shapes, traits=Trait.STEPWISE | Trait.COLLECTIVE)
op("stablehlo.collective_reduce", ".* -> .*", attributes=IDS | {"has_dynamic_root": optional(FLAG, False)},
    regions=("computation",), shapes=collective_reduce_shapes, traits=Trait.SUMMING | Trait.COLLECTIVE)
op("stablehlo.reduce_scatter", ". -> .", attributes=IDS | {"scatter_dimension": I64}, regions=("computation",),
    shapes=reduce_scatter_shapes, traits=Trait.SUMMING | Trait.COLLECTIVE)
op("stablehlo.replica_id", "-> .", shapes=process_id_shapes, traits=Trait.STEPWISE | Trait.COLLECTIVE)
