"""Turns a program for several devices into the program that each process runs; there is one process per device.

All processes run one program on values of their own. `partition_id` tells them apart, and what they exchange goes
through a few ops, whose groups list processes: `all_gather` and `all_to_all` along a first dimension of the
group's size, `collective_permute` and `collective_broadcast`. All other collectives are arithmetic around these, in the
order of the group, so that results are bit-identical in all runs and on all devices. Where a library has its own, as
NCCL does, `all_reduce` and `reduce_scatter` along a first dimension stay too.

A manual computation takes and returns shards. Outside one, values are whole, and all processes compute the same. Shardy
writes one as an op; GSPMD, its predecessor, as pairs of custom calls, between which values are shards.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from ..errors import InputError, UnsupportedOp, count_text, reported
from ..ir import (
    Attribute,
    BoolAttr,
    DialectAttr,
    DictAttr,
    Function,
    FunctionType,
    IntegerAttr,
    Location,
    Module,
    Op,
    Region,
    ScalarType,
    StringAttr,
    TensorType,
    Type,
    Value,
    about,
    walk,
)
from ..ir.dtypes import expect_tensor
from ..ir.entry import entry_function
from ..ir.rewrite import Rewriter, clone_region, clone_value, free_values
from ..ir.sharding import Mesh, Placement, Sharding, parse_mesh, parse_shardings, parse_tiles
from ..ops import Trait, has
from ..ops.attributes import plain
from ..ops.build import I32, Builder, Term, stablehlo
from ..records import dataclass
from ..rules.collectives import COLLECTIVES, CollectiveOp, gather_rows, join_rows, reduce_in_groups, where
from ..rules.control import callee
from ..rules.registry import rule_name

MANUAL = "sdy.manual_computation"
NAMED_MESH = re.compile(r'"?([\w.$-]+)"?\s*=\s*#sdy\.mesh<(\[.*?\][^>]*)>')
DEEPEST = 32  # nested calls that are replaced by what they call
# GSPMD's: the first says how a whole value is cut; what it returns becomes a shard, and a shard becomes a whole value.
ANNOTATE, CUT, JOIN = "@Sharding", "@SPMDFullToShardShape", "@SPMDShardToFullShape"
# How jax wrote Shardy's op for some months: as custom calls, with its attributes as text.
ENTER, LEAVE, RETURNED = "@xla.sdy.GlobalToLocalShape", "@xla.sdy.LocalToGlobalShape", "@xla.sdy.FuncResultSharding"
BORDERS = (CUT, JOIN, ENTER, LEAVE)


@dataclass(frozen=True, eq=False)
class Local:
    """The program of one process, and how the arguments and results of its main function are distributed."""

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
    for name, text in NAMED_MESH.findall(text_among(module.attributes, "xla.sdy.meshes")):
        meshes[name] = parse_mesh(text)
    return meshes


def text_among(attributes: Mapping[str, Attribute], name: str) -> str:
    """The text of an attribute that is among those for XLA; '' if there is none."""
    listed = attributes.get("mhlo.frontend_attributes")
    text = listed.items.get(name) if isinstance(listed, DictAttr) else None
    return text.value.replace('\\"', '"') if isinstance(text, StringAttr) else ""


def tiles_of(op: Op) -> Sharding | None:
    """The sharding in GSPMD's annotation, or at the end of its manual computation, on any number of devices."""
    text = op.attributes.get("mhlo.sharding")
    if rule_name(op) not in (ANNOTATE, JOIN) or not isinstance(text, StringAttr) or len(op.results) != 1:
        return None
    with about(op):
        return parse_tiles(text.value, len(expect_tensor(op.results[0].type).shape))


def localise(module: Module, count: int, native: bool) -> Local:
    """The program of each of several processes; the module has been verified.

    With `native`, a library reduces between processes, in an order of its own.

    Raises:
        InputError: the module is for another number of devices, or does not mention several.
        UnsupportedOp: a shape is not divisible, or groups do not fit this many processes.
    """
    return Localiser(module, count, native).run()


def inline_manual(module: Module) -> Module:
    """A module whose entry function holds the manual computations that it calls, so that it passes their shards on.

    Calls stay where there would be many copies; that costs time only at the boundaries of the functions.
    """
    entry = entry_function(module)
    bodies = {name: function.body for name, function in module.functions.items() if function.body is not None}
    called = {name: [callee(op) for op in walk(body) if op.name == "func.call"] for name, body in bodies.items()}
    manual = {name for name, body in bodies.items() if is_manual(body)}
    sizes: dict[str, int] = {}  # of such functions and their callers, when their calls have been replaced
    for _ in range(DEEPEST):
        manual |= {name for name, callees in called.items() if not manual.isdisjoint(callees)}
        for name in manual - sizes.keys():
            inner = [sizes.get(callee) for callee in called[name] if callee in manual]
            if None not in inner:
                sizes[name] = sum(1 for _ in walk(bodies[name])) + sum(size or 0 for size in inner)
    most = 8 * sum(1 for body in bodies.values() for _ in walk(body))
    if entry.name not in sizes or sizes[entry.name] > most:
        return module

    def inlined(rewriter: Rewriter, op: Op) -> Sequence[Op] | None:
        """A rewriter's hook."""
        if op.name != "func.call" or callee(op) not in manual:
            return None
        ops, results = rewriter.inline(clone_region(bodies[callee(op)]), rewriter.lookup(op.operands))
        rewriter.values.update(zip(op.results, results, strict=True))
        return ops

    body = Rewriter(hook=inlined).region(bodies[entry.name])
    return replace(module, functions={**module.functions, entry.name: replace(entry, body=body)})


def is_manual(body: Region) -> bool:
    return any(op.name == MANUAL or rule_name(op) in BORDERS for op in walk(body))


def has_manual(module: Module) -> bool:
    return any(function.body is not None and is_manual(function.body) for function in module.functions.values())


def at(where: Location) -> reported:
    """`with at(where):` turns whatever goes wrong inside into an error about this location."""
    return reported(lambda message, kind: kind(message, where.source, where.offset, where.name))


def is_same(op: Op) -> bool:
    """Whether an op only annotates its operand, as with a sharding."""
    one = len(op.operands) == 1 and [v.type for v in op.results] == [v.type for v in op.operands]
    return one and (has(op, Trait.IDENTITY) or rule_name(op) in (ANNOTATE, RETURNED))


class Localiser:
    """Rewrites the functions of one module.

    Attributes:
        shards: for values that are whole in the file, the sharding and the value of the shard that processes hold.
            The whole is made when something needs it.
        annotated: the shardings that GSPMD's annotations give to values.
    """

    def __init__(self, module: Module, count: int, native: bool = False) -> None:
        self.module, self.native = module, native
        self.count: int = count
        self.replicas: int
        self.partitions: int
        self.replicas, self.partitions = grid_of(module)
        self.meshes = meshes_of(module)
        self.shards: dict[Value, tuple[Sharding, Value]] = {}
        self.annotated: dict[Value, Sharding] = {}

    def run(self) -> Local:
        entry = entry_function(self.module)
        ops = list(self.module.walk())
        manual = has_manual(self.module)
        grid = self.replicas * self.partitions
        sizes = {mesh.size for mesh in self.meshes.values()} - {1}
        if grid == 1:  # the attributes may be missing, as in bytecode
            sizes |= {tiles.mesh.size for op in ops if (tiles := tiles_of(op)) is not None} - {1}
        if grid == 1 and len(sizes) == 1:
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
            message = f"the program is for {count_text(grid, 'device')}{mesh_text}, but {self.count} were named"
            raise InputError(message, self.module.source)
        if manual and self.replicas > 1:
            raise InputError("the program has both replicas and a manual computation", self.module.source)
        if manual:
            self.module = inline_manual(self.module)
            entry = entry_function(self.module)
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
        return replace(function, body=self.rewriter().region(function.code))

    def main_of_each(self, main: Function) -> tuple[Function, list[Placement], list[Placement]]:
        """A main function for which each process has its own arguments: the whole has one more dimension."""
        placements: list[list[Placement]] = []
        for values, attributes in (
            (main.type.inputs, main.argument_attributes),
            (main.type.results, main.result_attributes),
        ):
            placements.append([])
            for type, own in zip(map(expect_tensor, values), attributes):
                if own.get("mhlo.is_same_data_across_replicas") == BoolAttr(True) and self.partitions == 1:
                    placements[-1].append(self.everywhere(type))
                    continue
                whole = TensorType((self.count, *type.shape), type.element)
                axis = "replicas" if self.partitions == 1 else "partitions" if self.replicas == 1 else "processes"
                axes = (axis, *[""] * len(type.shape))
                placements[-1].append(Placement(whole, tuple((n,) for n in range(self.count)), axes))
        return self.function(main), placements[0], placements[1]

    def whole_main(self, main: Function) -> tuple[Function, list[Placement], list[Placement]]:
        """A main function of whole values: processes take and return shards of those that the file shards."""
        body, inputs, outputs, arguments = main.code, [], [], []
        taken: dict[Value, Sharding] = {}
        same: dict[Value, Value] = {}  # the arguments that other values are
        annotations: dict[Value, Op] = {}
        for op in body.ops:
            if op.name == MANUAL:
                with about(op):
                    for value, sharding in zip(op.operands, self.manual(op)[0]):
                        taken.setdefault(same.get(value, value), sharding)
            elif rule_name(op) == ENTER:
                with about(op):
                    for value, sharding in zip(op.operands, self.written(op)):
                        taken.setdefault(same.get(value, value), sharding)
            elif rule_name(op) == CUT and (annotation := annotations.get(op.operands[0])):
                with about(op):
                    value = op.operands[0]
                    taken.setdefault(same.get(value, value), self.cut(op, self.annotation(annotation)))
            elif is_same(op):
                same[op.results[0]] = same.get(op.operands[0], op.operands[0])
                annotations[op.results[0]] = op
        for value, attributes in zip(body.arguments, main.argument_attributes):
            with at(value.location or main.location):
                given = self.read_sharding(value.type, attributes) or taken.get(value)
                placement = self.placement(expect_tensor(value.type), given, f"argument {value.name}")
            inputs.append(placement)
            if given is not None and not given.is_whole:
                type = expect_tensor(value.type)
                local = clone_value(value, replace(type, shape=given.shape(type.shape)))
                self.shards[value] = (given, local)
                arguments.append(local)
            else:
                arguments.append(value)
        rewriter = self.rewriter()
        ops = rewriter.ops(body.ops[:-1])
        last = body.ops[-1]
        builder, returned = Builder(last.location), []
        with about(last):
            for number, (value, attributes) in enumerate(zip(last.operands, main.result_attributes)):
                type = expect_tensor(value.type)
                held = self.read_sharding(type, attributes)
                if held is None and value in self.shards:
                    held = self.shards[value][0]
                placement = self.placement(type, held, f"result {number}")
                outputs.append(placement)
                if held is not None and not held.is_whole:
                    returned.append(self.shard(rewriter, builder, value, held))
                else:
                    returned.append(self.whole(rewriter, builder, value))
        ops += [*builder.ops, replace(last, operands=tuple(returned))]
        types = FunctionType(tuple(v.type for v in arguments), tuple(v.type for v in returned))
        return replace(main, type=types, body=Region(tuple(arguments), tuple(ops))), inputs, outputs

    def read_sharding(self, type: Type, attributes: Mapping[str, Any]) -> Sharding | None:
        """The sharding that the file declares for a value."""
        text, sharding = attributes.get("sdy.sharding"), None
        if isinstance(text, DialectAttr):
            (sharding,) = parse_shardings(text.text, self.meshes)
        elif isinstance(tiles := attributes.get("mhlo.sharding"), StringAttr):
            sharding = parse_tiles(tiles.value, len(expect_tensor(type).shape))
        return sharding if sharding is not None and sharding.mesh.size == self.count else None

    def everywhere(self, type: TensorType) -> Placement:
        return Placement(type, ((),) * self.count)

    def placement(self, type: TensorType, sharding: Sharding | None, what: str) -> Placement:
        if sharding is None or sharding.is_whole:
            return self.everywhere(type)
        try:
            sizes = sharding.shape(type.shape)
        except UnsupportedOp as error:
            raise UnsupportedOp(f"{what}: {error.message}") from error
        indices = tuple(
            tuple(slice(n * size, (n + 1) * size) for n, size in zip(place, sizes)) for place in sharding.places
        )
        return Placement(type, indices, sharding.axes, sharding.terms, sharding.reduction)

    # ---------------------------------------------------------------- ops

    def rewriter(self) -> Rewriter:
        return Rewriter(hook=self.rewrite)

    def rewrite(self, rewriter: Rewriter, op: Op) -> Sequence[Op] | None:
        """A rewriter's hook: what processes do instead of an op."""
        if op.name == MANUAL:
            with about(op):
                return self.enter(rewriter, op)
        if has(op, Trait.CUSTOM) and rule_name(op) in (ANNOTATE, *BORDERS):
            with about(op):
                return self.convert(rewriter, op)
        if is_same(op) and op.operands[0] in self.shards and op.operands[0] not in rewriter.values:
            self.shards[op.results[0]] = self.shards[op.operands[0]]
            return []
        builder = Builder(op.location)
        for value in free_values(op):
            self.whole(rewriter, builder, value)
        if has(op, Trait.COLLECTIVE):
            with about(op):
                collective = COLLECTIVES.get(op.name)
                if collective is None:
                    raise UnsupportedOp("is not supported on several devices")
                for value in op.operands:
                    if isinstance(value.type, TensorType) and None in value.type.shape:
                        raise UnsupportedOp(f"exchanges {value.type}, whose size is open; export it with a size")
                results = collective(
                    CollectiveOp(self, builder, op), list(map(builder.term, rewriter.lookup(op.operands)))
                )
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
            raise UnsupportedOp("it does not have one sharding for each operand and result")
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

    # ---------------------------------------------------------------- GSPMD's custom calls

    def convert(self, rewriter: Rewriter, op: Op) -> list[Op]:
        """A custom call that says how a value is cut, or that makes a shard of a whole value or the reverse."""
        name, builder = rule_name(op), Builder(op.location)
        if name in (ENTER, LEAVE):
            for value, result, sharding in zip(op.operands, op.results, self.written(op), strict=True):
                whole, part = (expect_tensor(v.type) for v in ((value, result) if name == ENTER else (result, value)))
                if sharding.shape(whole.shape) != part.shape:
                    raise UnsupportedOp(f"{whole} has no shards of type {part}")
                if name == ENTER:
                    rewriter.values[result] = self.shard(rewriter, builder, value, sharding)
                else:
                    self.shards[result] = (sharding, self.whole(rewriter, builder, value))
            return builder.ops
        if len(op.operands) != 1 or len(op.results) != 1:
            raise UnsupportedOp("takes one operand and has one result")
        (value,), (result,) = op.operands, op.results
        if name == CUT:
            sharding = self.cut(op, self.annotated.get(value))
            rewriter.values[result] = self.shard(rewriter, builder, value, sharding)
        elif name == JOIN:
            sharding = self.cut(op, self.annotation(op), joined=True)
            self.shards[result] = (sharding, self.whole(rewriter, builder, value))
        elif value.type != result.type:
            raise UnsupportedOp(f"its operand is {value.type}, but its result is {result.type}")
        else:
            if (declared := self.annotation(op)) is not None:
                self.annotated[result] = declared
            if value in self.shards:
                self.shards[result] = self.shards[value]
            else:
                rewriter.values[result] = rewriter.lookup([value])[0]
        return builder.ops

    def written(self, op: Op) -> list[Sharding]:
        """The shardings along the manual axes that a custom call has as text."""
        side = "xla.sdy.in_shardings" if rule_name(op) == ENTER else "xla.sdy.out_shardings"
        text, axes = text_among(op.attributes, side), text_among(op.attributes, "xla.sdy.manual_axes")
        if not text:
            raise UnsupportedOp(f"has no {side} in its mhlo.frontend_attributes")
        text = text.removeprefix("#sdy.sharding_per_value<").removesuffix(">")
        found = [sharding.along(set(axes.split('"')[1::2])) for sharding in parse_shardings(text, self.meshes)]
        if wrong := next((sharding.mesh.size for sharding in found if sharding.mesh.size != self.count), None):
            raise UnsupportedOp(f"its mesh has {wrong} devices, not {self.count}")
        return found

    def annotation(self, op: Op) -> Sharding | None:
        return self.read_sharding(op.results[0].type, op.attributes)

    def cut(self, op: Op, sharding: Sharding | None, joined: bool = False) -> Sharding:
        """The part of a sharding that makes a shard of a custom call's operand, or the reverse if it is `joined`."""
        types = [expect_tensor(v.type) for v in (*op.operands, *op.results)]
        whole, part = (t.shape for t in (types[::-1] if joined else types))
        if sharding is None:
            if whole != part:
                raise UnsupportedOp(
                    f"turns {types[0]} into {types[1]}, but no sharding on {self.count} devices says how"
                )
            sharding = Sharding(Mesh((), tuple(range(self.count))), ((),) * len(whole))
        return sharding.cutting(whole, part)

    # ---------------------------------------------------------------- shards and wholes

    def shard(self, rewriter: Rewriter, builder: Builder, value: Value, sharding: Sharding) -> Value:
        """The part of a whole value that each process holds."""
        if value in self.shards:
            held, local = self.shards[value]
            same_terms = (held.terms, held.reduction) == (sharding.terms, sharding.reduction)
            if held.places == sharding.places and held.counts == sharding.counts and same_terms:
                return local
        whole = builder.term(self.whole(rewriter, builder, value))
        if sharding.is_whole:
            return whole.value
        sizes, number = sharding.shape(whole.shape), self.process_id(builder)
        starts = [
            self.looked_up(builder, number, [place[d] * size for place in sharding.places])
            for d, size in enumerate(sizes)
        ]
        type = TensorType(sizes, whole.element)
        part = stablehlo.dynamic_slice(whole, *starts, type=type, slice_sizes=sizes)
        if sharding.terms and sharding.reduction == "add":  # one process has the value, and the others nothing
            part = where(self.looked_up(builder, number, sharding.terms).compare("EQ", 0), part)
        return part.value

    def whole(self, rewriter: Rewriter, builder: Builder, value: Value) -> Value:
        """A whole value, which processes join from their shards if that has not been done."""
        if value in self.shards and value not in rewriter.values:
            sharding, local = self.shards[value]
            term = builder.term(local)
            if sharding.terms:
                body = builder.scalar_body(getattr(stablehlo, sharding.reduction), term.element)
                made, groups = Builder(builder.location), sharding.mesh.groups(sharding.unreduced)
                reduce_in_groups("all_reduce", made.term(local), term.type, groups, body)
                (term,) = COLLECTIVES[made.ops[0].name](CollectiveOp(self, builder, made.ops[0]), [term])
            for d, parts in enumerate(sharding.dimensions):
                if sharding.counts[d] > 1:
                    term = join_rows(gather_rows(term, sharding.mesh.groups(parts)), d)
            rewriter.values[value] = term.value
        return rewriter.lookup([value])[0]

    def process_id(self, builder: Builder) -> Term:
        """This process's number, as i32."""
        (number,) = builder.op(stablehlo.partition_id, (), [TensorType((), ScalarType("ui32"))])
        return number.to(I32)

    def looked_up(self, builder: Builder, number: Term, values: Sequence[int]) -> Term:
        """The element of a list at a run-time index, as i32."""
        if list(values) == list(range(self.count)):
            return number
        if len(set(values)) == 1:
            return builder.fill(values[0], TensorType((), I32))
        table = builder.array(np.array(values), I32)
        return stablehlo.dynamic_slice(table, number, type=TensorType((1,), I32), slice_sizes=(1,)).reshape(())
