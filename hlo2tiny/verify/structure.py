"""Makes loops and conditionals of blocks that branch to each other (cf.br, cf.cond_br, cf.switch), so that every region
is one block again; and calls of indirect calls whose function is known.

A branch goes on where its ways meet, at its nearest postdominator: what is between becomes the regions of a
`stablehlo.if` or `case`, and what is handed to the block there, its results. A block that several ways share without
meeting there is copied. A loop has one head, the only block that is entered from outside: it is a `stablehlo.while`
over the head's arguments. Where the head alone decides whether to go on, and what it computes is cheap or of no use to
others, that is the loop's condition; any other loop carries whether to go on, which way out it took, and what it hands
on there.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple, NoReturn

import numpy as np

from ..errors import Error, UnsupportedOp, VerifyError
from ..ir import (
    Attribute,
    ComplexType,
    DenseArrayAttr,
    DenseAttr,
    DialectAttr,
    Function,
    Location,
    Module,
    Op,
    Region,
    ScalarType,
    SymbolAttr,
    TensorType,
    Type,
    Value,
    walk,
)
from ..ir.dtypes import as_tensor, numpy_dtype
from ..ir.rewrite import Rewriter, clone_value, free_values
from ..ops import Cost, Trait, cost_of, has
from ..ops.build import Operation, func, stablehlo, tensor

I1, I32 = ScalarType("i1"), ScalarType("i32")
FLAG, NUMBER = TensorType((), I1), TensorType((), I32)
BRANCHES = ("cf.br", "cf.cond_br", "cf.switch")
# Of whose ops none is left.
STRUCTURED = (*BRANCHES, "func.call_indirect", "func.constant")
SEVERAL_BLOCKS = "has a region of several blocks; only functions may have them"
# Where the ways of a function, or of a turn of a loop, end; no block has this number.
END = -1
# A function's blocks may be copied until it has so many times its ops, and some more; and be in so many regions.
MOST_COPIES, FEW_OPS = 8, 1000
DEEPEST = 60
MOST_BLOCKS = 10_000


def structured(module: Module) -> Module:
    """A module whose functions have regions of one block. A function for which there is no such form stays as it is."""
    functions = {}
    for name, function in module.functions.items():
        functions[name] = function
        if function.body is not None:
            body = with_calls(function.body)
            if branches(body):
                with contextlib.suppress(Error):  # `structure_problem` tells it, of functions that are called
                    body = Blocks(replace(function, body=body)).structured()
            functions[name] = function if body is function.body else replace(function, body=body)
    return replace(module, functions=functions) if functions != module.functions else module


def structure_problem(function: Function) -> Error | None:
    """Why a function's blocks cannot become loops and conditionals, with the place; None if they can."""
    try:
        if function.body is not None and branches(function.body):
            Blocks(function).structured()
    except Error as error:
        return error
    return None


def branches(body: Region) -> bool:
    """Whether a body is blocks that branch to each other."""
    return bool(body.blocks or (body.ops and body.ops[-1].name in BRANCHES))


# ---------------------------------------------------------------- indirect calls


def with_calls(body: Region) -> Region:
    """A body whose indirect calls of known functions are calls."""
    known = {op.results[0]: op for op in walk(body) if op.name == "func.constant" and len(op.results) == 1}
    if not known:
        return body

    def direct(rewriter: Rewriter, op: Op) -> list[Op] | None:
        constant = known.get(op.operands[0]) if op.name == "func.call_indirect" and op.operands else None
        symbol = constant.attributes.get("value") if constant is not None else None
        if not isinstance(symbol, SymbolAttr):
            return None
        return [rewriter.clone(op, func.call.name, op.operands[1:], {"callee": symbol})]

    body = Rewriter(hook=direct).region(body)
    used = {value for op in walk(body) for value in op.operands}

    def without(rewriter: Rewriter, op: Op) -> list[Op] | None:
        return [] if op.name == "func.constant" and used.isdisjoint(op.results) else None

    return Rewriter(hook=without).region(body)


# ---------------------------------------------------------------- the graph of blocks


class Way(NamedTuple):
    """A way from one block to another, END if it returns; `values` are what it hands on."""

    source: int
    target: int
    values: tuple[Value, ...]


Successors = Mapping[int, Sequence[int]]


def dominators(root: int, successors: Successors) -> dict[int, int]:
    """The nearest dominator of each node that can be reached, in reverse postorder; the root's is itself."""
    order: list[int] = []
    seen = {root}
    stack = [(root, iter(successors.get(root, ())))]
    while stack:
        node, left = stack[-1]
        for following in left:
            if following not in seen:
                seen.add(following)
                stack.append((following, iter(successors.get(following, ()))))
                break
        else:
            order.append(node)
            stack.pop()
    order.reverse()
    place = {node: i for i, node in enumerate(order)}
    before: dict[int, list[int]] = {node: [] for node in order}
    for node in order:
        for following in successors.get(node, ()):
            before[following].append(node)
    nearest = {root: root}
    changed = True
    while changed:
        changed = False
        for node in order[1:]:
            found: int | None = None
            for other in before[node]:
                if other in nearest:
                    found = other if found is None else meeting(nearest, place, found, other)
            assert found is not None
            if nearest.get(node) != found:
                nearest[node] = found
                changed = True
    return {node: nearest[node] for node in order}


def meeting(nearest: Mapping[int, int], place: Mapping[int, int], one: int, other: int) -> int:
    """The nearest node that dominates two."""
    while one != other:
        while place[one] > place[other]:
            one = nearest[one]
        while place[other] > place[one]:
            other = nearest[other]
    return one


@dataclass(frozen=True)
class Frame:
    """A function, or one turn of a loop: where its ways meet, and what they give where they leave it."""

    head: int
    # The nearest postdominators, and the places of all in the order that they are found in.
    joins: Mapping[int, int]
    places: Mapping[int, int]
    # What a way to a block outside, or back to the head, gives; and of which types.
    leave: Mapping[int, Callable[[Way], tuple[Value, ...]]]
    types: Sequence[Type]


class Blocks:
    """The blocks of one function.

    Raises:
        UnsupportedOp: they are no loops and conditionals.
        VerifyError: a value is used where it is not defined.
    """

    def __init__(self, function: Function) -> None:
        assert function.body is not None
        self.function = function
        self.blocks = [function.body, *function.body.blocks]
        if len(self.blocks) > MOST_BLOCKS:
            self.fail(self.blocks[0], f"has {len(self.blocks)} blocks, more than {MOST_BLOCKS}")
        self.returned = tuple(Value("", type) for type in function.type.results)
        self.ways = [self.ways_of(number) for number in range(len(self.blocks))]
        successors = {i: [way.target for way in ways] for i, ways in enumerate(self.ways)}
        self.above = dominators(0, successors)
        self.above.pop(END, None)
        self.depths: dict[int, int] = {}
        for node, nearest in self.above.items():  # a dominator stands before what it dominates
            self.depths[node] = self.depths[nearest] + 1 if node else 0
        self.where = {v: i for i in self.above for v in values_of(self.blocks[i])}
        self.uses = self.checked_uses()
        self.loops = self.found_loops()
        self.clones = Rewriter(hook=self.copied, new=clone_value)
        self.now, self.current = self.clones.values, self.clones.lookup
        self.taken_from: dict[Value, Value] = {}  # the tensors of one number that scalars come from
        self.out: list[Op] = []
        self.left = FEW_OPS + MOST_COPIES * sum(1 for block in self.blocks for op in block.ops)
        self.depth = 0

    def fail(self, block: Region, message: str, kind: type[Error] = UnsupportedOp) -> NoReturn:
        op = block.ops[-1] if block.ops else None
        location = op.location if op is not None else self.function.location
        name = op.name if op is not None else f"func.func @{self.function.name}"
        raise kind(f"{name}: {message}", location.source, location.offset, location.name)

    def arguments(self, block: int) -> tuple[Value, ...]:
        """What a block takes; END takes what the function returns."""
        return self.returned if block == END else self.blocks[block].arguments

    def ways_of(self, number: int) -> list[Way]:
        """Where a block goes."""
        block = self.blocks[number]
        end = block.ops[-1] if block.ops else None
        if end is None or (end.name not in BRANCHES and not has(end, Trait.TERMINATOR)):
            self.fail(block, "ends a block, expected cf.br, cf.cond_br, cf.switch or return")
        operands = end.operands
        if has(end, Trait.TERMINATOR):
            found = [Way(number, END, operands)]
        else:
            sizes = self.sizes(block, end)
            selectors = 0 if end.name == "cf.br" else 1
            if len(operands) != selectors + sum(sizes) or len(sizes) != len(end.successors):
                self.fail(block, "the blocks that it goes to and its operands do not fit", VerifyError)
            found, at = [], selectors
            for target, size in zip(end.successors, sizes):
                found.append(Way(number, target, operands[at : at + size]))
                at += size
        for way in found:
            if way.target == 0:
                self.fail(block, "goes to the function's first block, which its arguments enter", VerifyError)
            given, taken = ([v.type for v in side] for side in (way.values, self.arguments(way.target)))
            if given != taken:
                to = "the function returns" if way.target == END else "the block takes"
                lists = [", ".join(map(str, types)) for types in (given, taken)]
                self.fail(block, f"hands on ({lists[0]}), {to} ({lists[1]})", VerifyError)
        return found

    def sizes(self, block: Region, end: Op) -> list[int]:
        """How many values a branch hands to each block."""
        segments = [list(a.values) if isinstance(a := end.attributes.get(name), DenseArrayAttr) else None
                    for name in ("operandSegmentSizes", "case_operand_segments")]  # fmt: skip
        match end.name, segments:
            case "cf.br", _:
                return [len(end.operands)]
            case "cf.cond_br", [[1, *sizes], _]:
                return sizes
            case "cf.switch", [[1, default, _], [*sizes]]:
                return [default, *sizes]
        self.fail(block, "lacks the sizes of what it hands to each block", VerifyError)

    def checked_uses(self) -> dict[Value, set[int]]:
        """The blocks that use each value; a value has to be defined on every way to a use."""
        uses: dict[Value, set[int]] = {}
        for number in self.above:
            block = self.blocks[number]
            defined = set(block.arguments)
            for op in block.ops:
                for value in free_values(op):
                    uses.setdefault(value, set()).add(number)
                    home = self.where.get(value)
                    if value not in defined if home == number else home is None or not self.dominates(home, number):
                        self.fail(
                            replace(block, ops=(op,)), f"%{value.name} is not defined on every way to here", VerifyError
                        )
                defined.update(op.results)
        return uses

    def dominates(self, one: int, other: int) -> bool:
        """Whether every way to a block passes another, or it is that."""
        while self.depths[other] > self.depths[one]:
            other = self.above[other]
        return other == one

    def found_loops(self) -> dict[int, set[int]]:
        """The blocks of each loop, by its head."""
        place = {node: i for i, node in enumerate(self.above)}
        before: dict[int, list[int]] = {}
        for node in self.above:
            for way in self.ways[node]:
                before.setdefault(way.target, []).append(node)
        loops: dict[int, set[int]] = {}
        for node in self.above:
            for way in self.ways[node]:
                if way.target == END or place[way.target] > place[node]:
                    continue
                if not self.dominates(way.target, node):
                    self.fail(
                        self.blocks[node], "goes into a loop that has another way in: only loops of one entry can run"
                    )
                inside, left = loops.setdefault(way.target, {way.target}), [node]
                while left:
                    block = left.pop()
                    if block not in inside:
                        inside.add(block)
                        left += before[block]
        return loops

    def frame(
        self,
        head: int,
        inside: Collection[int],
        leave: Mapping[int, Callable[[Way], tuple[Value, ...]]],
        types: Sequence[Type],
    ) -> Frame:
        """The frame of some blocks; all ways out of it, and back to its head, meet at END."""
        backwards: dict[int, list[int]] = {}
        for node in inside:
            for way in self.ways[node]:
                target = way.target if way.target in inside and way.target != head else END
                backwards.setdefault(target, []).append(node)
        joins = dominators(END, backwards)
        if endless := [node for node in self.above if node in inside and node not in joins]:
            self.fail(self.blocks[endless[-1]], "is in a loop that never ends")
        return Frame(head, joins, {node: i for i, node in enumerate(joins)}, leave, types)

    # ------------------------------------------------------------ what they become

    def structured(self) -> Region:
        """The body of one block."""
        entry = self.blocks[0]
        leave = {END: lambda way: way.values}
        frame = self.frame(0, self.above, leave, [v.type for v in self.returned])
        arguments = self.clones.define(entry.arguments)
        results = self.emit(frame, 0, END)
        self.add(func.return_, results, (), self.function.location)
        return Region(arguments, tuple(self.out))

    def emit(self, frame: Frame, node: int, stop: int) -> tuple[Value, ...]:
        """Write what runs from a block on until its ways meet at `stop`, and give what is handed on there."""
        while True:
            location = self.blocks[node].ops[-1].location
            is_loop = node in self.loops and node != frame.head
            if is_loop:
                selector, ways = self.loop(node, location)
            else:
                self.copy(self.blocks[node].ops[:-1])
                selector, ways = self.branch(node, location)
            if selector is None:
                (way,) = ways
                if way.target == stop or way.target in frame.leave:
                    return self.follow(frame, way, stop)
                self.bind(way)
                node = way.target
                continue
            join = self.common(frame, [way.target for way in ways]) if is_loop else frame.joins[node]
            types = frame.types if join == END else [v.type for v in self.arguments(join)]
            regions = tuple(self.region(lambda way=way: self.follow(frame, way, join)) for way in ways)  # type: ignore[misc]
            choice = stablehlo.if_ if selector.type == FLAG else stablehlo.case
            results = self.add(choice, (selector,), types, location, regions)
            if join in (stop, END):
                return results
            self.now.update(zip(self.arguments(join), results))
            node = join

    def common(self, frame: Frame, targets: Sequence[int]) -> int:
        """Where the ways out of a loop meet."""
        found = targets[0] if targets[0] in frame.joins else END
        for target in targets[1:]:
            found = meeting(frame.joins, frame.places, found, target if target in frame.joins else END)
        return found

    def follow(self, frame: Frame, way: Way, stop: int) -> tuple[Value, ...]:
        if way.target == stop and stop != END:
            return way.values
        if way.target in frame.leave:
            return frame.leave[way.target](way)
        self.bind(way)
        return self.emit(frame, way.target, stop)

    def bind(self, way: Way) -> None:
        self.now.update(zip(self.arguments(way.target), way.values))

    def branch(self, node: int, location: Location) -> tuple[Value | None, list[Way]]:
        """What decides where a block goes, and the ways, with values as they are now."""
        end = self.blocks[node].ops[-1]
        ways = [way._replace(values=self.current(way.values)) for way in self.ways[node]]
        if len(ways) == 1:
            return None, ways
        chosen = self.now[end.operands[0]]
        flag = self.scalar(chosen, location)
        if end.name == "cf.cond_br":
            if flag.type != FLAG:
                self.fail(self.blocks[node], f"branches on a {chosen.type}, expected i1", VerifyError)
            return flag, ways
        # A case runs its last branch for all numbers that are no branch's: so the default stands last.
        numbers = cases_of(end, len(ways) - 1)
        if numbers is None or not isinstance(chosen.type, ScalarType):
            self.fail(self.blocks[node], "lacks the numbers of its cases", VerifyError)
        index = self.constant(len(numbers), NUMBER, location)
        for i, number in reversed(list(enumerate(numbers))):
            wanted = self.constant(number, TensorType((), chosen.type), location)
            direction: dict[str, Attribute] = {
                "comparison_direction": DialectAttr("stablehlo", "comparison_direction", {}, "EQ")
            }
            (equal,) = self.add(stablehlo.compare, (flag, wanted), (FLAG,), location, (), direction)
            branch = self.constant(i, NUMBER, location)
            (index,) = self.add(stablehlo.select, (equal, branch, index), (NUMBER,), location)
        return index, [*ways[1:], ways[0]]

    def scalar(self, value: Value, location: Location) -> Value:
        """A scalar as a tensor, which StableHLO's ops take."""
        if isinstance(value.type, TensorType):
            return value
        if value in self.taken_from:
            return self.taken_from[value]
        return self.add(tensor.from_elements, (value,), (as_tensor(value.type),), location)[0]

    # ------------------------------------------------------------ loops

    def loop(self, head: int, location: Location) -> tuple[Value | None, list[Way]]:
        """Write a loop; what decides how it goes on behind it, and the ways."""
        inside = self.loops[head]
        out = [way for node in self.above if node in inside for way in self.ways[node] if way.target not in inside]
        after = [v for v, users in self.uses.items() if self.where[v] in inside and not users <= inside]
        if not out:
            self.fail(self.blocks[head], "is in a loop that never ends")
        if len(out) == 1 and out[0].source == head and len(self.ways[head]) == 2:
            ops = self.blocks[head].ops
            handed = {v for way in self.ways[head] for v in way.values}
            own = [v for op in ops for v in op.results]
            read = any(v in handed or not self.uses.get(v, set()) <= {head} for v in own)
            if not read or all(cost_of(op) <= Cost.CHEAP and is_number(op) for op in ops[:-1]):
                return None, [self.simple_loop(head, inside, ops[:-1] if read else (), location)]
        targets = {way.target: way.source for way in out}
        return self.general_loop(head, inside, targets, after, location)

    def simple_loop(self, head: int, inside: set[int], again: Sequence[Op], location: Location) -> Way:
        """A loop that its head decides on, as the condition; `again` are its ops if others read what they compute."""
        block = self.blocks[head]
        carried = block.arguments
        types = [v.type for v in carried]
        initial = self.current(carried)
        stays = [way.target in inside for way in self.ways[head]]

        def condition() -> tuple[Value, ...]:
            self.copy(block.ops[:-1])
            flag = self.scalar(self.now[block.ops[-1].operands[0]], location)
            return (flag,) if stays[0] else self.add(stablehlo.not_, (flag,), (FLAG,), location)

        def body() -> tuple[Value, ...]:
            self.copy(again)
            frame = self.frame(head, inside, {head: lambda way: way.values}, types)
            (way,) = [way for way in self.ways[head] if way.target in inside]
            return self.follow(frame, way._replace(values=self.current(way.values)), END)

        regions = (self.region(condition, carried), self.region(body, carried))
        self.now.update(zip(carried, self.add(stablehlo.while_, initial, types, location, regions)))
        self.copy(again)
        (way,) = [way for way in self.ways[head] if way.target not in inside]
        return way._replace(values=self.current(way.values))

    def general_loop(
        self, head: int, inside: set[int], targets: Mapping[int, int], after: Sequence[Value], location: Location
    ) -> tuple[Value | None, list[Way]]:
        """A loop that carries whether to go on, which way out it took, and what it hands on there: to the `targets`, of
        which each comes with a block from where it is reached."""
        heads = self.blocks[head].arguments
        slots = [v for target in targets for v in self.arguments(target)]
        carried = [*heads, Value("again", FLAG), Value("way", NUMBER), *(Value("", v.type) for v in slots)]
        first, last = len(heads) + 2, len(carried)
        carried += [Value(v.name, v.type) for v in after]
        types = [v.type for v in carried]
        initial = [*self.current(heads), self.constant(True, FLAG, location), self.constant(0, NUMBER, location)]
        initial += [self.zeros(head, v.type, location) for v in (*slots, *after)]

        def condition() -> tuple[Value, ...]:
            return (self.now[carried[len(heads)]],)

        def again(way: Way) -> tuple[Value, ...]:
            return (*way.values, *self.current(carried[len(heads) :]))

        def leaving(number: int, at: int) -> Callable[[Way], tuple[Value, ...]]:
            def values(way: Way) -> tuple[Value, ...]:
                found = list(self.current(carried))
                found[at : at + len(way.values)] = way.values
                found[len(heads)] = self.constant(False, FLAG, location)
                found[len(heads) + 1] = self.constant(number, NUMBER, location)
                for i, value in enumerate(after, last):
                    if self.dominates(self.where[value], way.source):
                        found[i] = self.now[value]
                return tuple(found)

            return values

        def body() -> tuple[Value, ...]:
            leave: dict[int, Callable[[Way], tuple[Value, ...]]] = {head: again}
            at = first
            for number, target in enumerate(targets):
                leave[target] = leaving(number, at)
                at += len(self.arguments(target))
            return self.emit(self.frame(head, inside, leave, types), head, END)

        regions = (self.region(condition, carried), self.region(body, carried))
        results = self.add(stablehlo.while_, initial, types, location, regions)
        self.now.update(zip(after, results[last:]))
        ways, at = [], first
        for target, source in targets.items():
            size = len(self.arguments(target))
            ways.append(Way(source, target, tuple(results[at : at + size])))
            at += size
        return (None if len(ways) == 1 else results[len(heads) + 1]), ways

    def zeros(self, block: int, type: Type, location: Location) -> Value:
        """A value that nothing reads."""
        held = as_tensor(type)
        element = held.element if isinstance(held, TensorType) else None
        if not isinstance(held, TensorType) or not isinstance(element, ScalarType | ComplexType) or None in held.shape:
            self.fail(self.blocks[block], f"is in a loop that hands on a {type} where it is left")
        value = self.constant(0, held, location)
        return value if type == held else self.add(tensor.extract, (value,), (type,), location)[0]

    # ------------------------------------------------------------ ops

    def add(
        self,
        operation: Operation,
        operands: Sequence[Value],
        types: Sequence[Type],
        location: Location,
        regions: tuple[Region, ...] = (),
        attributes: Mapping[str, Attribute] | None = None,
    ) -> tuple[Value, ...]:
        results = tuple(Value("", type) for type in types)
        self.out.append(operation.op(operands, results, location, regions, **(attributes or {})))
        return results

    def constant(self, number: int, type: TensorType, location: Location) -> Value:
        one = np.full((), number).astype(numpy_dtype(type.element))
        value = DenseAttr(type, np.broadcast_to(one, tuple(d for d in type.shape if d is not None)), bool(type.shape))
        return self.add(stablehlo.constant, (), (type,), location, (), {"value": value})[0]

    def region(self, write: Callable[[], tuple[Value, ...]], arguments: Sequence[Value] = ()) -> Region:
        """A region of what a function writes, returning what it gives; it takes the arguments of these values."""
        self.depth += 1
        if self.depth > DEEPEST:
            self.fail(self.blocks[0], f"branches are nested deeper than {DEEPEST} levels")
        outer, self.out = self.out, []
        new = self.clones.define(arguments)
        results = write()
        self.add(stablehlo.return_, results, (), self.function.location)
        ops, self.out, self.depth = tuple(self.out), outer, self.depth - 1
        return Region(new, ops)

    def copy(self, ops: Sequence[Op]) -> None:
        """Write ops as they are, on the values of now."""
        self.left -= len(ops)
        if self.left < 0:
            self.fail(self.blocks[0], "its blocks go on together in so many ways that the copies would be too many")
        self.out += self.clones.ops(ops)

    def copied(self, clones: Rewriter, op: Op) -> list[Op]:
        if any(region.blocks for region in op.regions):
            message = f"{op.name}: {SEVERAL_BLOCKS}"
            raise UnsupportedOp(message, op.location.source, op.location.offset, op.location.name)
        clone = clones.clone(op)
        if op.name == tensor.extract.name and len(clone.operands) == 1 and len(clone.results) == 1:
            self.taken_from[clone.results[0]] = clone.operands[0]
        return [clone]


def is_number(op: Op) -> bool:
    return all(isinstance(t := as_tensor(v.type), TensorType) and not t.shape for v in (*op.operands, *op.results))


def values_of(block: Region) -> Iterator[Value]:
    """What a block defines."""
    yield from block.arguments
    for op in block.ops:
        yield from op.results


def cases_of(switch: Op, count: int) -> list[int] | None:
    """The numbers of a switch's cases."""
    attribute = switch.attributes.get("case_values")
    if isinstance(attribute, DenseAttr):
        found = [int(number) for number in attribute.data.reshape(-1)]
    elif isinstance(attribute, DialectAttr) and attribute.text.startswith("dense<"):
        text, _, _ = attribute.text.removeprefix("dense<").partition(">")
        words = text.strip("[] ").split(",")
        if not all(word.strip().removeprefix("-").isdecimal() for word in words):
            return None
        found = [int(word) for word in words]
        found = found * count if "[" not in text else found
    else:
        found = []
    return found if len(found) == count else None
