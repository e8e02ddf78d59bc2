"""Turns a program for several devices into the program that each of them runs, a participant.

All participants run one program on values of their own. `partition_id` tells them apart, and what they exchange goes
through few ops, whose groups list the participants: `all_gather` and `all_to_all` along a first dimension of the
group's size, `collective_permute` and `collective_broadcast`. All other collectives are arithmetic around these, in the
order of the group, so that results are the same bit by bit in all runs.

A manual computation takes and gives shards. Outside of one, values are whole, and all participants compute the same.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from math import prod
from typing import Any

import numpy as np

from ..errors import InputError, UnsupportedOp, counted
from ..ir import (
    BoolAttr,
    DialectAttr,
    Function,
    FunctionType,
    IntegerAttr,
    Module,
    Op,
    QuantizedType,
    Region,
    ScalarType,
    TensorType,
    Value,
    about,
)
from ..ir.dtypes import expect_tensor
from ..ir.entry import entry_function
from ..ir.rewrite import Rewriter, clone_region, clone_value, free_values
from ..ir.sharding import Mesh, Sharding, groups_along, parse_mesh, parse_shardings
from ..ops import Trait, has
from ..ops.attributes import plain
from ..ops.build import I32, Builder, Term, operation, stablehlo

MANUAL = "sdy.manual_computation"
# From so many elements on, a sum is computed in parts, one by each participant, which then exchange them.
LEAST_IN_PARTS = 1 << 14

Groups = tuple[tuple[int, ...], ...]
Index = tuple[slice | int, ...]


@dataclass(frozen=True, eq=False)
class Placement:
    """How an argument or result of a program is spread over its participants.

    Attributes:
        type: the type of the whole.
        indices: for each participant, what it holds, as an index into the whole.
        axes: for each dimension, the names of the mesh's axes along which it is cut, or ''; () if all hold the whole.
    """

    type: TensorType
    indices: tuple[Index, ...]
    axes: tuple[str, ...] = ()

    @property
    def owners(self) -> dict[Index, int]:
        """The participant that holds a part first, for each part."""
        owners: dict[Index, int] = {}
        for number, index in enumerate(self.indices):
            owners.setdefault(_hashable(index), number)
        return owners

    def owns(self, participant: int) -> bool:
        return self.owners[_hashable(self.indices[participant])] == participant

    @property
    def dimension(self) -> int | None:
        """The one dimension that is cut, if the participants hold its parts in order; None if all hold the whole.

        -1: another sharding.
        """
        first, count = self.indices[0], len(self.indices)
        if not self.axes:
            return None
        cut = [d for d, axes in enumerate(self.axes) if axes]
        if len(cut) != 1 or len(self.owners) != count:
            return -1
        begins = [i.start if isinstance(i := index[cut[0]], slice) else i for index in self.indices]
        return cut[0] if first and begins == sorted(begins) else -1


def _hashable(index: Index) -> Any:
    return tuple((i.start, i.stop) if isinstance(i, slice) else i for i in index)


@dataclass(frozen=True, eq=False)
class Local:
    """The program of one participant, and how the arguments and results of its main function are spread."""

    module: Module
    inputs: Sequence[Placement]
    outputs: Sequence[Placement]


def grid_of(module: Module) -> tuple[int, int]:
    """The numbers of replicas and of partitions that a module says it is for."""
    sizes = (module.attributes.get(f"mhlo.num_{name}") for name in ("replicas", "partitions"))
    replicas, partitions = (max(1, size.value) if isinstance(size, IntegerAttr) else 1 for size in sizes)
    return replicas, partitions


def meshes_of(module: Module) -> dict[str, Mesh]:
    """The meshes of a module by name."""
    meshes = {}
    for symbol in module.symbols:
        text = symbol.attributes.get("mesh")
        if symbol.name == "sdy.mesh" and isinstance(text, DialectAttr):
            with about(symbol):
                meshes[str(plain(symbol.attributes["sym_name"]))] = parse_mesh(text.text)
    return meshes


def localise(module: Module, count: int) -> Local:
    """The program of each of several participants; the module has been verified.

    Raises:
        InputError: the module is for another number of devices, or says nothing of several.
        UnsupportedOp: a shape is not divisible, or groups are not those of so many participants.
    """
    return Localiser(module, count).run()


class Localiser:
    """Rewrites the functions of one module.

    Attributes:
        shards: for values that are whole in the file, the sharding and the value of the shard that participants hold.
            The whole is made when something needs it.
    """

    def __init__(self, module: Module, count: int) -> None:
        self.module, self.count = module, count
        self.replicas, self.partitions = grid_of(module)
        self.meshes = meshes_of(module)
        self.shards: dict[Value, tuple[Sharding, Value]] = {}

    def run(self) -> Local:
        entry = entry_function(self.module)
        ops = list(self.module.walk())
        manual = any(op.name == MANUAL for op in ops)
        grid = self.replicas * self.partitions
        sizes = {mesh.size for mesh in self.meshes.values()} - {1}
        if grid == 1 and len(sizes) == 1:  # bytecode may lack the attributes
            (self.partitions,) = sizes
            grid = self.partitions
        exchanging = any(has(op, Trait.COLLECTIVE) for op in ops)
        if not manual and not exchanging:
            what = "has shardings but no collectives" if self.meshes else "is for one device"
            raise InputError(
                f"the program {what}: run it on one device, or write it for several with `hlo2tiny partition`",
                self.module.source,
            )
        if grid != self.count:
            names = ", ".join(f"{name}={size}" for mesh in self.meshes.values() for name, size in mesh.axes)
            mesh_text = f" (its mesh is {names})" if names else ""
            message = f"the program is for {counted(grid, 'device')}{mesh_text}, but {self.count} were named"
            raise InputError(message, self.module.source)
        if manual and self.replicas > 1:
            raise InputError("the program has both replicas and a manual computation", self.module.source)
        functions = {}
        inputs: list[Placement] = []
        outputs: list[Placement] = []
        for name, function in self.module.functions.items():
            if function is entry:
                place = self.whole_main if manual else self.main_of_each
                functions[name], inputs, outputs = place(function)
            else:
                functions[name] = function if function.body is None else self.function(function)
        attributes = {
            **self.module.attributes,
            "mhlo.num_replicas": IntegerAttr(1, I32),
            "mhlo.num_partitions": IntegerAttr(self.count, I32),
        }
        return Local(replace(self.module, functions=functions, attributes=attributes), inputs, outputs)

    # ---------------------------------------------------------------- functions

    def function(self, function: Function) -> Function:
        assert function.body is not None
        return replace(function, body=self.rewriter().region(function.body))

    def main_of_each(self, main: Function) -> tuple[Function, list[Placement], list[Placement]]:
        """A main function of which each participant has its own arguments: the whole has one dimension more."""
        spread: list[list[Placement]] = []
        for values, attributes in (
            (main.type.inputs, main.argument_attributes),
            (main.type.results, main.result_attributes),
        ):
            spread.append([])
            for type, notes in zip(map(expect_tensor, values), attributes):
                if notes.get("mhlo.is_same_data_across_replicas") == BoolAttr(True) and self.partitions == 1:
                    spread[-1].append(self.everywhere(type))
                    continue
                whole = TensorType((self.count, *type.shape), type.element)
                axis = "replicas" if self.partitions == 1 else "partitions" if self.replicas == 1 else "processes"
                axes = (axis, *[""] * len(type.shape))
                spread[-1].append(Placement(whole, tuple((n,) for n in range(self.count)), axes))
        return self.function(main), spread[0], spread[1]

    def whole_main(self, main: Function) -> tuple[Function, list[Placement], list[Placement]]:
        """A main function of whole values: participants take and give shards of those that the file shards."""
        assert main.body is not None
        body, inputs, outputs, arguments = main.body, [], [], []
        taken: dict[Value, Sharding] = {}
        for op in body.ops:
            if op.name == MANUAL:
                for value, sharding in zip(op.operands, self.manual(op)[0]):
                    taken.setdefault(value, sharding)
        for value, notes in zip(body.arguments, main.argument_attributes):
            with about(body.ops[-1]):
                given = self.declared(notes) or taken.get(value)
                placement = self.placement(expect_tensor(value.type), given, f"argument {value.name}")
            inputs.append(placement)
            if placement.axes and given is not None:
                local = clone_value(value, self.shard_type(expect_tensor(value.type), given))
                self.shards[value] = (given, local)
                arguments.append(local)
            else:
                arguments.append(value)
        rewriter = self.rewriter()
        ops = rewriter.ops(body.ops[:-1])
        last = body.ops[-1]
        builder, returned = Builder(last.location), []
        with about(last):
            for number, (value, notes) in enumerate(zip(last.operands, main.result_attributes)):
                type = expect_tensor(value.type)
                held = self.declared(notes)
                if held is None and value in self.shards:
                    held = self.shards[value][0]
                placement = self.placement(type, held, f"result {number}")
                outputs.append(placement)
                if placement.axes and held is not None:
                    returned.append(self.shard(rewriter, builder, value, held))
                else:
                    returned.append(self.whole(rewriter, builder, value))
        ops += [*builder.ops, replace(last, operands=tuple(returned))]
        types = FunctionType(tuple(v.type for v in arguments), tuple(v.type for v in returned))
        return replace(main, type=types, body=Region(tuple(arguments), tuple(ops))), inputs, outputs

    def declared(self, notes: Mapping[str, Any]) -> Sharding | None:
        """The sharding that the file declares for an argument or result of main."""
        text = notes.get("sdy.sharding")
        if not isinstance(text, DialectAttr):
            return None
        (sharding,) = parse_shardings(text.text, self.meshes)
        return sharding if sharding.mesh.size == self.count else None

    def everywhere(self, type: TensorType) -> Placement:
        return Placement(type, ((),) * self.count)

    def placement(self, type: TensorType, sharding: Sharding | None, what: str) -> Placement:
        if sharding is None or prod(sharding.counts) == 1:
            return self.everywhere(type)
        try:
            sizes = sharding.shape(type.shape)
        except UnsupportedOp as error:
            raise UnsupportedOp(f"{what}: {error.message}") from error
        indices = tuple(
            tuple(slice(n * size, (n + 1) * size) for n, size in zip(place, sizes)) for place in sharding.places
        )
        return Placement(type, indices, sharding.axes)

    # ---------------------------------------------------------------- ops

    def rewriter(self) -> Rewriter:
        return Rewriter(hook=self.rewrite)

    def rewrite(self, rewriter: Rewriter, op: Op) -> Sequence[Op] | None:
        """A rewriter's hook: what participants do in place of an op."""
        if op.name == MANUAL:
            with about(op):
                return self.enter(rewriter, op)
        builder = Builder(op.location)
        for value in free_values(op):
            self.whole(rewriter, builder, value)
        if has(op, Trait.COLLECTIVE):
            with about(op):
                collective = COLLECTIVES.get(op.name)
                if collective is None:
                    raise UnsupportedOp("is not supported on several devices")
                results = collective(Exchange(self, builder, op), list(map(builder.term, rewriter.lookup(op.operands))))
            rewriter.values.update((old, new.value) for old, new in zip(op.results, results, strict=True))
            return builder.ops
        return [*builder.ops, rewriter.clone(op)] if builder.ops else None

    def manual(self, op: Op) -> tuple[list[Sharding], list[Sharding], set[str]]:
        """The shardings of a manual computation's operands and results along its manual axes, and these axes."""
        attributes = [op.attributes.get(name) for name in ("in_shardings", "out_shardings", "manual_axes")]
        inputs, outputs, axes = (a.text if isinstance(a, DialectAttr) else "" for a in attributes)
        manual = set(axes.split('"')[1::2])
        shardings = [
            [sharding.along(manual) for sharding in parse_shardings(text, self.meshes)] for text in (inputs, outputs)
        ]
        return shardings[0], shardings[1], manual

    def enter(self, rewriter: Rewriter, op: Op) -> list[Op]:
        """A manual computation's body, on shards."""
        inputs, outputs, _ = self.manual(op)
        (body,) = op.regions
        if len(inputs) != len(op.operands) or len(outputs) != len(op.results):
            raise UnsupportedOp("the numbers of its shardings are not those of its operands and results")
        for sharding in (*inputs, *outputs):
            if sharding.mesh.size != self.count:
                sizes = ", ".join(f"{name}={size}" for name, size in sharding.mesh.axes)
                raise UnsupportedOp(f"its mesh ({sizes}) has {sharding.mesh.size} devices, not {self.count}")
        builder = Builder(op.location)
        for values, arguments, shardings, what in (
            (op.operands, [a.type for a in body.arguments], inputs, "operand"),
            (op.results, [v.type for v in body.ops[-1].operands], outputs, "result"),
        ):
            for number, (value, type, sharding) in enumerate(zip(values, arguments, shardings)):
                whole = expect_tensor(value.type)
                self.placement(whole, sharding, f"{what} {number}")
                if expect_tensor(type).shape != sharding.shape(whole.shape):
                    raise UnsupportedOp(f"{what} {number} is {whole}, whose shards are not of type {type}")
        for argument, value, sharding in zip(body.arguments, op.operands, inputs, strict=True):
            rewriter.values[argument] = self.shard(rewriter, builder, value, sharding)
        for value in free_values(body):
            self.whole(rewriter, builder, value)
        ops = [*builder.ops, *rewriter.ops(body.ops[:-1])]
        last = Builder(op.location)
        for value, inner, sharding in zip(op.results, body.ops[-1].operands, outputs, strict=True):
            self.shards[value] = (sharding, self.whole(rewriter, last, inner))
        return [*ops, *last.ops]

    # ---------------------------------------------------------------- shards and wholes

    def shard_type(self, type: TensorType, sharding: Sharding) -> TensorType:
        return replace(type, shape=sharding.shape(type.shape))

    def shard(self, rewriter: Rewriter, builder: Builder, value: Value, sharding: Sharding) -> Value:
        """The part of a whole value that each participant holds."""
        if value in self.shards:
            held, local = self.shards[value]
            if held.places == sharding.places and held.counts == sharding.counts:
                return local
        whole = builder.term(self.whole(rewriter, builder, value))
        if prod(sharding.counts) == 1:
            return whole.value
        sizes, number = sharding.shape(whole.shape), self.participant(builder)
        starts = [
            self.looked_up(builder, number, [place[d] * size for place in sharding.places])
            for d, size in enumerate(sizes)
        ]
        type = TensorType(sizes, whole.element)
        return stablehlo.dynamic_slice(whole, *starts, type=type, slice_sizes=sizes).value

    def whole(self, rewriter: Rewriter, builder: Builder, value: Value) -> Value:
        """A whole value, which participants put together from their shards if that has not been done."""
        if value in self.shards and value not in rewriter.values:
            sharding, local = self.shards[value]
            term = builder.term(local)
            for d, count in enumerate(sharding.counts):
                if count > 1:
                    term = joined(gathered(term, sharding.groups(d)), d)
            rewriter.values[value] = term.value
        return rewriter.lookup([value])[0]

    def participant(self, builder: Builder) -> Term:
        """This participant's number, as i32."""
        (number,) = builder.op(stablehlo.partition_id, (), [TensorType((), ScalarType("ui32"))])
        return number.to(I32)

    def looked_up(self, builder: Builder, number: Term, values: Sequence[int]) -> Term:
        """The element of a list at a run-time index, as i32."""
        if list(values) == list(range(self.count)):
            return number
        if len(set(values)) == 1:
            return builder.repeated(values[0], TensorType((), I32))
        table = builder.array(np.array(values), I32)
        return stablehlo.dynamic_slice(table, number, type=TensorType((1,), I32), slice_sizes=(1,)).reshape(())


# ---------------------------------------------------------------- what participants exchange

CHANNEL = DialectAttr("stablehlo", "channel_handle", {"handle": 1, "type": 0})


def exchanged(name: str, term: Term, type: TensorType, **attributes: Any) -> Term:
    return operation(f"stablehlo.{name}")(term, type=type, channel_handle=CHANNEL, **attributes)


def gathered(term: Term, groups: Groups) -> Term:
    """The values in a group, in order, along a new first dimension."""
    row = term.reshape((1, *term.shape))
    type = TensorType((len(groups[0]), *term.shape), term.element)
    ids = {"use_global_device_ids": BoolAttr(True), "all_gather_dim": 0}
    return exchanged("all_gather", row, type, replica_groups=np.array(groups), **ids)


def swapped(term: Term, groups: Groups) -> Term:
    """Of a value with a row for each of a group, the rows for this participant, in the order of the group."""
    places = {"split_dimension": 0, "concat_dimension": 0, "split_count": len(groups[0])}
    return exchanged("all_to_all", term, term.type, replica_groups=np.array(groups), **places)


def joined(term: Term, dimension: int) -> Term:
    """Rows, one after the other along a dimension of theirs."""
    count, *shape = term.shape
    order = [*range(1, dimension + 1), 0, *range(dimension + 1, len(term.shape))]
    shape[dimension] *= count
    return term.transpose(order).reshape(shape)


def parted(term: Term, dimension: int, count: int) -> Term:
    """Equal parts along a dimension, as rows."""
    shape = list(term.shape)
    if shape[dimension] % count:
        raise UnsupportedOp(f"{count} participants do not divide dimension {dimension} of {term.type}")
    split = [*shape[:dimension], count, shape[dimension] // count, *shape[dimension + 1 :]]
    order = [dimension, *(d for d in range(len(split)) if d != dimension)]
    return term.reshape(split).transpose(order)


def row(term: Term, number: int) -> Term:
    starts, limits = [number, *[0] * (len(term.shape) - 1)], [number + 1, *term.shape[1:]]
    return term.slice(starts, limits).reshape(term.shape[1:])


def folded(rows: Term, computation: Region) -> Term:
    """Rows, combined by a computation on scalars from the first to the last."""
    element = expect_tensor(computation.arguments[0].type).element
    rows = rows.to(element)
    total = row(rows, 0)
    kept = [op for op in computation.ops if not has(op, Trait.IDENTITY)]
    simple = len(kept) == 2 and set(kept[0].operands) == set(computation.arguments) and has(kept[0], Trait.ELEMENTWISE)
    for number in range(1, rows.shape[0]):
        other = row(rows, number)
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
    return total


@dataclass(frozen=True, eq=False)
class Exchange:
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
        return [] if groups is None else [[n for n in group if n != -1] for group in groups.tolist()]

    @property
    def has_channel(self) -> bool:
        channel = self.op.attributes.get("channel_handle")
        return isinstance(channel, DialectAttr) and int(channel.fields.get("handle", 0)) > 0

    def numbers(self, groups: Sequence[Sequence[int]], by_partition: bool) -> list[list[int]]:
        """Groups of participants, from the file's groups of replicas, partitions or both."""
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

    def groups(self, by_partition: bool = False) -> Groups:
        """The groups of participants: all of them, and all groups of one size."""
        partitions, replicas = self.localiser.partitions, self.localiser.replicas
        ids = self.attribute("use_global_device_ids")
        whole = range(partitions if by_partition and self.has_channel else replicas)
        if ids is not None and ids is not False:
            whole = range(partitions * replicas)
        groups = self.numbers(self.listed or [list(whole)], by_partition)
        if sorted(n for group in groups for n in group) != list(range(self.localiser.count)):
            raise UnsupportedOp(f"replica_groups leave out some of {self.localiser.count} participants")
        if len(set(map(len, groups))) != 1:
            raise UnsupportedOp("replica_groups of different sizes are not supported on several devices")
        return tuple(map(tuple, groups))

    def place(self, groups: Groups) -> Term:
        """This participant's place in its group."""
        places = {number: place for group in groups for place, number in enumerate(group)}
        return self.localiser.looked_up(
            self.builder, self.localiser.participant(self.builder), [places[n] for n in range(self.localiser.count)]
        )

    def total(self, term: Term, groups: Groups) -> Term:
        (computation,), count = self.op.regions, len(groups[0])
        if isinstance(term.element, QuantizedType):
            raise UnsupportedOp(f"{term.type} is quantized, which collectives of several devices do not reduce")
        if count == 1 or term.size < LEAST_IN_PARTS or term.size % count:
            return folded(gathered(term, groups), computation)
        part = folded(swapped(term.reshape((count, term.size // count)), groups), computation)
        return gathered(part, groups).reshape(term.shape)


def all_gather(exchange: Exchange, terms: list[Term]) -> list[Term]:
    groups, dimension = exchange.groups(), exchange.attribute("all_gather_dim")
    return [joined(gathered(term, groups), dimension) for term in terms]


def all_reduce(exchange: Exchange, terms: list[Term]) -> list[Term]:
    groups = exchange.groups()
    return [exchange.total(term, groups) for term in terms]


def reduce_scatter(exchange: Exchange, terms: list[Term]) -> list[Term]:
    groups, dimension = exchange.groups(), exchange.attribute("scatter_dimension")
    rows = [parted(term, dimension, len(groups[0])) for term in terms]
    return [folded(swapped(term, groups), exchange.op.regions[0]) for term in rows]


def all_to_all(exchange: Exchange, terms: list[Term]) -> list[Term]:
    groups, count = exchange.groups(by_partition=True), exchange.attribute("split_count")
    if count != len(groups[0]):
        raise UnsupportedOp(f"split_count is {count}, but its groups have {len(groups[0])} participants")
    split, concat = exchange.attribute("split_dimension"), exchange.attribute("concat_dimension")
    return [joined(swapped(parted(term, split, count), groups), concat) for term in terms]


def collective_permute(exchange: Exchange, terms: list[Term]) -> list[Term]:
    pairs = exchange.attribute("source_target_pairs")
    # Source and target are each a group of one: the grid's other dimension is the same for both.
    listed = [[int(n) for n in pair] for pair in np.asarray(pairs).reshape(-1, 2)]
    numbered = [exchange.numbers([[n] for n in pair], by_partition=True) for pair in listed]
    found = []
    for pair in numbered:
        half = len(pair) // 2
        found += [[source[0], target[0]] for source, target in zip(pair[:half], pair[half:])]
    (term,) = terms
    return [exchanged("collective_permute", term, term.type, source_target_pairs=np.array(found).reshape(-1, 2))]


def roots(exchange: Exchange, terms: list[Term]) -> tuple[list[Term], list[Term] | None]:
    """The data, and for each of them the place in the group of the root, if a run decides it."""
    dynamic = exchange.attribute("has_dynamic_root")
    if dynamic is None or dynamic is False:
        return terms, None
    *data, given = terms
    return data, [given.slice([i], [i + 1]).reshape(()) for i in range(len(data))]


def where(condition: Term, term: Term) -> Term:
    return condition.broadcast(term.shape, []).where(term, term.builder.zeros(term.type))


def collective_broadcast(exchange: Exchange, terms: list[Term]) -> list[Term]:
    groups = exchange.numbers(exchange.listed, by_partition=True)
    data, given = roots(exchange, terms)
    if given is None:
        pad = max(map(len, groups), default=0)
        padded = np.array([[*group, *[-1] * (pad - len(group))] for group in groups]).reshape(len(groups), pad)
        return [exchanged("collective_broadcast", term, term.type, replica_groups=padded) for term in data]
    whole, results = exchange.groups(by_partition=True), []
    for term, root in zip(data, given):
        rows, zero = gathered(term, whole), exchange.builder.repeated(0, TensorType((), I32))
        starts, sizes = [root, *[zero] * len(term.shape)], (1, *term.shape)
        sent = stablehlo.dynamic_slice(rows, *starts, type=TensorType(sizes, term.element), slice_sizes=sizes)
        inside = root.compare("GE", 0) & root.compare("LT", len(whole[0]))
        results.append(where(inside, sent.reshape(term.shape)))
    return results


def collective_reduce(exchange: Exchange, terms: list[Term]) -> list[Term]:
    groups = exchange.groups()
    data, given = roots(exchange, terms)
    place, zero = exchange.place(groups), exchange.builder.repeated(0, TensorType((), I32))
    chosen = given or [zero] * len(data)
    return [where(place.compare("EQ", root), exchange.total(term, groups)) for term, root in zip(data, chosen)]


def cross_replica_sum(exchange: Exchange, terms: list[Term]) -> list[Term]:
    groups = exchange.groups()
    body = exchange.builder.scalar_body(stablehlo.add, terms[0].element)
    return [folded(gathered(term, groups), body) for term in terms]


def process_id(number: Callable[[Localiser], Sequence[int]]) -> Callable[[Exchange, list[Term]], list[Term]]:
    def apply(exchange: Exchange, _: list[Term]) -> list[Term]:
        localiser = exchange.localiser
        found = localiser.looked_up(exchange.builder, localiser.participant(exchange.builder), number(localiser))
        return [found.to(ScalarType("ui32"))]

    return apply


COLLECTIVES: dict[str, Callable[[Exchange, list[Term]], list[Term]]] = {
    "stablehlo.all_gather": all_gather,
    "stablehlo.all_reduce": all_reduce,
    "stablehlo.all_to_all": all_to_all,
    "stablehlo.collective_broadcast": collective_broadcast,
    "stablehlo.collective_permute": collective_permute,
    "stablehlo.collective_reduce": collective_reduce,
    "stablehlo.cross-replica-sum": cross_replica_sum,
    "stablehlo.partition_id": process_id(lambda grid: [n % grid.partitions for n in range(grid.count)]),
    "stablehlo.reduce_scatter": reduce_scatter,
    "stablehlo.replica_id": process_id(lambda grid: [n // grid.partitions for n in range(grid.count)]),
}
