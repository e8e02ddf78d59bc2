"""Collective ops, which exchange values between processes: for one process, and for several.

The rules are for a grid of one process: one replica, one partition, whose values are those of its whole group. Rows
have already checked the groups, so only what another process would do is refused there. What several processes do
instead is in `COLLECTIVES`, as ops for `specialise.localise`.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from ..errors import UnsupportedOp
from ..ir import BoolAttr, DialectAttr, Op, QuantizedType, Region, ScalarType, TensorType, Value
from ..ir.dtypes import expect_tensor, numpy_dtype
from ..ir.rewrite import clone_region
from ..ir.sharding import groups_along
from ..ops import Monoid, Trait, has
from ..ops.attributes import plain
from ..ops.build import I32, Builder, Term, operation, stablehlo
from ..records import dataclass
from ..tinygrad.expressions import Tensor, dtypes
from .quantization import quantize_on_host
from .registry import Body, Types, rule
from .values import AnyTensor, each, repeat_number

if TYPE_CHECKING:
    from ..specialise.localise import Localiser

Groups = tuple[tuple[int, ...], ...]
# From this many elements on, a sum is computed in parts, one by each process, which the processes then exchange.
LEAST_IN_PARTS = 1 << 14
# This process's number in the grid, whatever the grouping strategy: replica 0, partition 0.
PROCESS = 0
# Attributes that say how processes communicate and are numbered.
IDS = ("channel_handle", "use_global_device_ids")
REGION = ("computation",)


def processes_of(groups: np.ndarray, name: str) -> np.ndarray:
    """Check that the attribute `name`, groups in rows that are padded with -1, or pairs, names no other process."""
    if not isinstance(groups, np.ndarray):  # a mesh's axes are text
        raise UnsupportedOp(f"{name} are axes of a mesh; export the program with groups of numbers, or for one device")
    others = groups[(groups != -1) & (groups != PROCESS)]
    if others.size:
        raise UnsupportedOp(
            f"{name} names process {others.min()}; hlo2tiny runs it as one process, number {PROCESS}: export the"
            " program for one device"
        )
    return groups


def expect_alone(replica_groups: np.ndarray) -> None:
    """Check that the group of this process has no other process.

    The strategies (cross_replica, cross_partition, cross_replica_and_partition, flattened_ids) number the processes
    differently; with one replica and one partition the numbers are the same.
    """
    groups = processes_of(replica_groups, "replica_groups")
    if groups.size and PROCESS not in groups:
        raise ValueError(f"replica_groups does not name process {PROCESS}")


@rule("stablehlo.all_gather", ignored=(*IDS, "all_gather_dim"), storage=True)
@rule("stablehlo.all_reduce", regions=REGION, ignored=(*IDS, *REGION), storage=True)
@rule("stablehlo.cross-replica-sum", storage=True)
@rule("stablehlo.reduce_scatter", regions=REGION, ignored=(*IDS, *REGION, "scatter_dimension"), storage=True)
def keep_values(*xs: AnyTensor, replica_groups: np.ndarray) -> Sequence[AnyTensor]:
    expect_alone(replica_groups)
    return xs


@rule("stablehlo.all_to_all", ignored=("channel_handle", "split_dimension", "concat_dimension"), storage=True)
def all_to_all(*xs: AnyTensor, split_count: int, replica_groups: np.ndarray) -> Sequence[AnyTensor]:
    expect_alone(replica_groups)
    if split_count != 1:  # the row cannot check this when there are no replica_groups
        raise ValueError(f"has split_count {split_count}, but its group has 1 processes")
    return xs


def where_root(xs: Sequence[AnyTensor], has_dynamic_root: bool, out: Types) -> Sequence[AnyTensor]:
    """Each value if this process is its root, else zeros; the last operand may hold the roots' indices in the group."""
    if not has_dynamic_root:
        return xs
    *data, roots = xs
    assert isinstance(roots, Tensor)
    found = []
    for i, (x, type) in enumerate(zip(data, out)):
        zero = zero_of(type)
        found.append(each(x, lambda t: (roots[i] == 0).where(t, repeat_number(zero, t.shape, t.dtype))))
    return found


@rule("stablehlo.collective_reduce", regions=REGION, ignored=(*IDS, *REGION), storage=True)
def collective_reduce(
    *xs: AnyTensor, replica_groups: np.ndarray, has_dynamic_root: bool, out: Types
) -> Sequence[AnyTensor]:
    expect_alone(replica_groups)
    return where_root(xs, has_dynamic_root, out)


@rule("stablehlo.collective_broadcast", ignored=IDS[:1], storage=True)
def collective_broadcast(
    *xs: AnyTensor, replica_groups: np.ndarray, has_dynamic_root: bool, out: Types
) -> Sequence[AnyTensor]:
    # Unlike for other ops, no groups means no processes, and a process that is in no group gets zeros.
    if processes_of(replica_groups, "replica_groups").size == 0:
        return [zeros_like(x, type) for x, type in zip(xs, out)]
    # This is the only process: a root outside the group sends nothing.
    expect_alone(replica_groups)
    return where_root(xs, has_dynamic_root, out)


@rule("stablehlo.collective_permute", ignored=IDS[:1], storage=True)
def collective_permute(x: AnyTensor, *, source_target_pairs: np.ndarray, out: Types) -> AnyTensor:
    pairs = processes_of(source_target_pairs, "source_target_pairs")
    return x if PROCESS in pairs.reshape(-1, 2)[:, 1] else zeros_like(x, out[0])


def zeros_like(x: AnyTensor, type: TensorType) -> AnyTensor:
    zero = zero_of(type)
    return each(x, lambda t: repeat_number(zero, t.shape, t.dtype))


def zero_of(type: TensorType) -> int:
    """What stands for zero in storage."""
    if not isinstance(type.element, QuantizedType):
        return 0
    return int(quantize_on_host(np.zeros((), numpy_dtype(type.element.expressed)), type))


@rule("stablehlo.partition_id", "stablehlo.replica_id")
def process_id() -> Tensor:
    return repeat_number(PROCESS, (), dtypes.uint32)


# ---------------------------------------------------------------- what processes exchange

CHANNEL = DialectAttr("stablehlo", "channel_handle", {"handle": 1, "type": 0})


def members_of(groups: np.ndarray) -> Groups:
    """The groups in a matrix, in which the shorter ones end with -1."""
    return tuple(tuple(n for n in group if n != -1) for group in groups.tolist())


def listed_groups(groups: Sequence[Sequence[int]]) -> np.ndarray:
    """Groups as a matrix, in which the shorter ones end with -1."""
    longest = max(map(len, groups), default=0)
    return np.array([[*group, *[-1] * (longest - len(group))] for group in groups]).reshape(len(groups), longest)


def exchange_with(name: str, term: Term, type: TensorType, **attributes: Any) -> Term:
    return operation(f"stablehlo.{name}")(term, type=type, channel_handle=CHANNEL, **attributes)


def gather_rows(term: Term, groups: Groups) -> Term:
    """The values in a group, in order, along a new first dimension, whose size is that of the largest group."""
    row = term.reshape((1, *term.shape))
    type = TensorType((max(map(len, groups)), *term.shape), term.element)
    ids = {"use_global_device_ids": BoolAttr(True), "all_gather_dim": 0}
    return exchange_with("all_gather", row, type, replica_groups=listed_groups(groups), **ids)


def swap_rows(term: Term, groups: Groups) -> Term:
    """Given a row for each process of the largest group, the rows for this process, in the order of its group."""
    attributes = {"split_dimension": 0, "concat_dimension": 0, "split_count": max(map(len, groups))}
    return exchange_with("all_to_all", term, term.type, replica_groups=listed_groups(groups), **attributes)


# The ops whose reductions NCCL carries out itself, and what it calls them.
REDUCTIONS = {Monoid.SUM: "Sum", Monoid.PRODUCT: "Prod", Monoid.MAXIMUM: "Max", Monoid.MINIMUM: "Min"}
INTEGERS = ("i8", "ui8", "i32", "ui32", "i64", "ui64")
FLOATS = ("f16", "bf16", "f32", "f64")


def reduction_of(computation: Region) -> str | None:
    """A library's name for a reduction that it carries out itself with the results that the op asks for; None if it
    does not. The maximum of floating-point numbers with a NaN is not what StableHLO says, and products are rare.
    """
    monoid = Body(computation, {}).monoid
    element = expect_tensor(computation.arguments[0].type).element if monoid else None
    if monoid is None or not isinstance(element, ScalarType):
        return None
    if element.name not in (FLOATS + INTEGERS if monoid is Monoid.SUM else INTEGERS):
        return None
    return REDUCTIONS.get(monoid)


def sum_in_groups(term: Term, groups: Groups) -> Term:
    """The sum over each group, for all of its processes."""
    return reduce_in_groups(
        "all_reduce", term, term.type, groups, term.builder.scalar_body(stablehlo.add, term.element)
    )


def reduce_in_groups(name: str, term: Term, type: TensorType, groups: Groups, body: Region, **attributes: int) -> Term:
    ids = {"use_global_device_ids": BoolAttr(True), "replica_groups": listed_groups(groups)}
    return exchange_with(name, term, type, regions=[body], **ids, **attributes)


def join_rows(term: Term, dimension: int) -> Term:
    """Rows, concatenated along one of their dimensions."""
    count, *shape = term.shape
    order = [*range(1, dimension + 1), 0, *range(dimension + 1, len(term.shape))]
    shape[dimension] *= count
    return term.transpose(order).reshape(shape)


def split_rows(term: Term, dimension: int, count: int) -> Term:
    """Equal parts along a dimension, as rows."""
    shape = list(term.shape)
    if shape[dimension] % count:
        raise UnsupportedOp(f"{count} processes do not divide dimension {dimension} of {term.type}")
    split = [*shape[:dimension], count, shape[dimension] // count, *shape[dimension + 1 :]]
    order = [dimension, *(d for d in range(len(split)) if d != dimension)]
    return term.reshape(split).transpose(order)


def row(term: Term, number: int) -> Term:
    starts, limits = [number, *[0] * (len(term.shape) - 1)], [number + 1, *term.shape[1:]]
    return term.slice(starts, limits).reshape(term.shape[1:])


def fold_rows(rows: Term, computation: Region, count: Term | None = None) -> Term:
    """Rows, combined by a computation on scalars from the first to the last, or only the first `count` of them."""
    element = expect_tensor(computation.arguments[0].type).element
    rows = rows.to(element)
    total = row(rows, 0)
    kept = [op for op in computation.ops if not has(op, Trait.IDENTITY)]
    simple = len(kept) == 2 and set(kept[0].operands) == set(computation.arguments) and has(kept[0], Trait.ELEMENTWISE)
    for number in range(1, rows.shape[0]):
        other, before = row(rows, number), total
        if simple:
            pair = dict(zip(computation.arguments, (total.value, other.value)))
            result = Value("", total.type)
            rows.builder.ops.append(
                replace(kept[0], operands=tuple(pair[v] for v in kept[0].operands), results=(result,))
            )
            total = rows.builder.term(result)
        else:
            dimensions = tuple(range(len(total.shape)))
            regions = [clone_region(computation)]
            total = stablehlo.map(total, other, type=total.type, regions=regions, dimensions=dimensions)
        if count is not None:
            total = count.compare("GT", number).broadcast(total.shape, []).where(total, before)
    return total


@dataclass(frozen=True, eq=False)
class CollectiveOp:
    """One collective of the file."""

    localiser: Localiser
    builder: Builder
    op: Op

    def attribute(self, name: str) -> Any:
        return plain(self.op.attributes.get(name, None))

    @property
    def listed(self) -> list[list[int]]:
        groups = self.attribute("replica_groups")
        if groups is not None and not isinstance(groups, np.ndarray):
            return [
                list(group) for group in groups_along(str(self.op.attributes["replica_groups"]), self.localiser.meshes)
            ]
        return [] if groups is None else [list(group) for group in members_of(groups)]

    @property
    def has_channel(self) -> bool:
        channel = self.op.attributes.get("channel_handle")
        return isinstance(channel, DialectAttr) and int(channel.fields.get("handle", 0)) > 0

    def numbers(self, groups: Sequence[Sequence[int]], by_partition: bool) -> list[list[int]]:
        """Groups of processes, from the file's groups of replicas, partitions or both."""
        replicas, partitions = self.localiser.replicas, self.localiser.partitions
        ids, bound = self.attribute("use_global_device_ids"), replicas
        if ids is not None and ids is not False:
            bound, found = replicas * partitions, [list(group) for group in groups]
        elif self.has_channel and by_partition:
            bound = partitions
            found = [[r * partitions + p for p in group] for group in groups for r in range(replicas)]
        elif self.has_channel:
            found = [[r * partitions + p for r in group for p in range(partitions)] for group in groups]
        else:
            found = [[r * partitions + p for r in group] for group in groups for p in range(partitions)]
        named = [n for group in groups for n in group]
        if max(named, default=0) >= bound or min(named, default=0) < 0:
            wrong = next(n for n in named if not 0 <= n < bound)
            raise UnsupportedOp(f"its groups name process {wrong}, but there are {bound}, from 0")
        return found

    def groups(self, by_partition: bool = False, uneven: bool = False) -> Groups:
        """The groups of processes: they cover all, and have equal sizes unless they may be `uneven`."""
        partitions, replicas = self.localiser.partitions, self.localiser.replicas
        ids = self.attribute("use_global_device_ids")
        whole = range(partitions if by_partition and self.has_channel else replicas)
        if ids is not None and ids is not False:
            whole = range(partitions * replicas)
        groups = self.numbers(self.listed or [list(whole)], by_partition)
        if sorted(n for group in groups for n in group) != list(range(self.localiser.count)):
            raise UnsupportedOp(f"replica_groups leave out some of the {self.localiser.count} processes")
        if not uneven and len(set(map(len, groups))) != 1:
            raise UnsupportedOp("replica_groups have different sizes, which only sums and broadcasts allow")
        return tuple(map(tuple, groups))

    def looked_up(self, numbers: Mapping[int, int]) -> Term:
        """A table's entry for this process."""
        process = self.localiser.process_id(self.builder)
        return self.localiser.looked_up(self.builder, process, [numbers[n] for n in range(self.localiser.count)])

    def position(self, groups: Groups) -> Term:
        """This process's index in its group."""
        return self.looked_up({number: position for group in groups for position, number in enumerate(group)})

    def is_native(self, computation: Region, groups: Groups) -> bool:
        """Whether a library carries out a reduction in these groups."""
        same = len(groups[0]) > 1 and len(set(map(len, groups))) == 1
        return self.localiser.native and same and reduction_of(computation) is not None

    def total(self, computation: Region, term: Term, groups: Groups) -> Term:
        """The values in a group, combined in its order, or in that of a library that has such reductions."""
        count = len(groups[0])
        if self.is_native(computation, groups):
            element = expect_tensor(computation.arguments[0].type).element
            term = term.to(element)
            return reduce_in_groups("all_reduce", term, term.type, groups, clone_region(computation))
        if any(len(group) != count for group in groups):
            size = self.looked_up({number: len(group) for group in groups for number in group})
            return fold_rows(gather_rows(term, groups), computation, size)
        if count == 1 or term.size < LEAST_IN_PARTS or term.size % count:
            return fold_rows(gather_rows(term, groups), computation)
        part = fold_rows(swap_rows(term.reshape((count, term.size // count)), groups), computation)
        return gather_rows(part, groups).reshape(term.shape)


def exchange_all_gather(exchange: CollectiveOp, terms: list[Term]) -> list[Term]:
    groups, dimension = exchange.groups(), exchange.attribute("all_gather_dim")
    return [join_rows(gather_rows(term, groups), dimension) for term in terms]


def exchange_all_reduce(exchange: CollectiveOp, terms: list[Term]) -> list[Term]:
    """Also a sum that says so by its name, and has no region."""
    groups, regions = exchange.groups(uneven=True), exchange.op.regions
    body = regions[0] if regions else exchange.builder.scalar_body(stablehlo.add, terms[0].element)
    return [exchange.total(body, term, groups) for term in terms]


def exchange_reduce_scatter(exchange: CollectiveOp, terms: list[Term]) -> list[Term]:
    groups, dimension = exchange.groups(), exchange.attribute("scatter_dimension")
    rows, body = [split_rows(term, dimension, len(groups[0])) for term in terms], exchange.op.regions[0]
    if exchange.is_native(body, groups):
        rows = [term.to(expect_tensor(body.arguments[0].type).element) for term in rows]
        types = [TensorType((1, *term.shape[1:]), term.element) for term in rows]
        parts = [
            reduce_in_groups("reduce_scatter", term, type, groups, clone_region(body), scatter_dimension=0)
            for term, type in zip(rows, types)
        ]
        return [part.reshape(part.shape[1:]) for part in parts]
    return [fold_rows(swap_rows(term, groups), body) for term in rows]


def exchange_all_to_all(exchange: CollectiveOp, terms: list[Term]) -> list[Term]:
    groups, count = exchange.groups(by_partition=True), exchange.attribute("split_count")
    if count != len(groups[0]):
        raise UnsupportedOp(f"split_count is {count}, but its groups have {len(groups[0])} processes")
    split, concat = exchange.attribute("split_dimension"), exchange.attribute("concat_dimension")
    return [join_rows(swap_rows(split_rows(term, split, count), groups), concat) for term in terms]


def exchange_collective_permute(exchange: CollectiveOp, terms: list[Term]) -> list[Term]:
    pairs = exchange.attribute("source_target_pairs")
    # Source and target are each a group of one: the grid's other dimension is the same for both.
    listed = [[int(n) for n in pair] for pair in np.asarray(pairs).reshape(-1, 2)]
    numbered = [exchange.numbers([[n] for n in pair], by_partition=True) for pair in listed]
    found = []
    for pair in numbered:
        half = len(pair) // 2
        found += [[source[0], target[0]] for source, target in zip(pair[:half], pair[half:])]
    (term,), listed_pairs = terms, np.array(found).reshape(-1, 2)
    moved = exchange_with("collective_permute", term, term.type, source_target_pairs=listed_pairs)
    return [where_received(exchange, moved, {target for _, target in found})]


def roots(exchange: CollectiveOp, terms: list[Term]) -> tuple[list[Term], list[Term] | None]:
    """The data, and for each of them the root's index in the group, if it is decided at run time."""
    dynamic = exchange.attribute("has_dynamic_root")
    if dynamic is None or dynamic is False:
        return terms, None
    *data, given = terms
    return data, [given.slice([i], [i + 1]).reshape(()) for i in range(len(data))]


def where(condition: Term, term: Term) -> Term:
    """A term, or zeros where the condition is false."""
    element, builder = term.element, term.builder
    if isinstance(element, QuantizedType):
        zeros = builder.zeros(TensorType(term.shape, element.expressed))
        zeros = stablehlo.uniform_quantize(zeros, type=term.type)
    else:
        zeros = builder.zeros(term.type)
    return condition.broadcast(term.shape, []).where(term, zeros)


def where_received(exchange: CollectiveOp, term: Term, receivers: Collection[int]) -> Term:
    """Zeros for processes that receive nothing: zero bytes, which quantized types may use for another number."""
    if not isinstance(term.element, QuantizedType):
        return term
    received = exchange.looked_up({n: int(n in receivers) for n in range(exchange.localiser.count)})
    return where(received.compare("NE", 0), term)


def exchange_collective_broadcast(exchange: CollectiveOp, terms: list[Term]) -> list[Term]:
    groups = exchange.numbers(exchange.listed, by_partition=True)
    data, given = roots(exchange, terms)
    if given is None:
        listed, receivers = listed_groups(groups), {number for group in groups for number in group}
        ids = {"replica_groups": listed}
        return [
            where_received(exchange, exchange_with("collective_broadcast", term, term.type, **ids), receivers)
            for term in data
        ]
    whole, results = exchange.groups(by_partition=True, uneven=True), []
    size = exchange.looked_up({number: len(group) for group in whole for number in group})
    for term, root in zip(data, given):
        rows, zero = gather_rows(term, whole), exchange.builder.fill(0, TensorType((), I32))
        starts, sizes = [root, *[zero] * len(term.shape)], (1, *term.shape)
        sent = stablehlo.dynamic_slice(rows, *starts, type=TensorType(sizes, term.element), slice_sizes=sizes)
        inside = root.compare("GE", 0) & root.compare("LT", size)
        results.append(where(inside, sent.reshape(term.shape)))
    return results


def exchange_collective_reduce(exchange: CollectiveOp, terms: list[Term]) -> list[Term]:
    groups = exchange.groups(uneven=True)
    data, given = roots(exchange, terms)
    position, zero = exchange.position(groups), exchange.builder.fill(0, TensorType((), I32))
    chosen, body = given or [zero] * len(data), exchange.op.regions[0]
    return [where(position.compare("EQ", root), exchange.total(body, term, groups)) for term, root in zip(data, chosen)]


def exchange_process_id(
    number: Callable[[Localiser], Sequence[int]],
) -> Callable[[CollectiveOp, list[Term]], list[Term]]:
    def apply(exchange: CollectiveOp, _: list[Term]) -> list[Term]:
        localiser = exchange.localiser
        found = localiser.looked_up(exchange.builder, localiser.process_id(exchange.builder), number(localiser))
        return [found.to(ScalarType("ui32"))]

    return apply


COLLECTIVES: dict[str, Callable[[CollectiveOp, list[Term]], list[Term]]] = {
    "stablehlo.all_gather": exchange_all_gather,
    "stablehlo.all_reduce": exchange_all_reduce,
    "stablehlo.all_to_all": exchange_all_to_all,
    "stablehlo.collective_broadcast": exchange_collective_broadcast,
    "stablehlo.collective_permute": exchange_collective_permute,
    "stablehlo.collective_reduce": exchange_collective_reduce,
    "stablehlo.cross-replica-sum": exchange_all_reduce,
    "stablehlo.partition_id": exchange_process_id(lambda grid: [n % grid.partitions for n in range(grid.count)]),
    "stablehlo.reduce_scatter": exchange_reduce_scatter,
    "stablehlo.replica_id": exchange_process_id(lambda grid: [n // grid.partitions for n in range(grid.count)]),
}
