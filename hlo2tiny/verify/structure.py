"""Turns blocks that branch to each other (cf.br, cf.cond_br, cf.switch) into loops and conditionals, so that every
region is a single block; and indirect calls of known functions into calls.

The paths of a branch join at its nearest postdominator. What lies between becomes the regions of a `stablehlo.if` or
`case`, whose results are the arguments of the block where the paths join. A block that several paths share without
joining there is copied. A loop has one head, the only block that is entered from outside, and becomes a
`stablehlo.while` over the head's arguments. If the head alone decides whether to continue, and its values are cheap or
unused elsewhere, the head is the loop's condition. Any other loop carries a flag that says whether to continue, the
number of the exit taken, and the values passed there.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import reduce

import numpy as np

from ..errors import Error, UnsupportedOp, VerifyError
from ..ir import (
    Attribute,
    ComplexType,
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
from ..ir.rewrite import Rewriter, clone_value
from ..ops import Cost, cost_of
from ..ops.build import Operation, func, stablehlo, tensor
from .blocks import BRANCHES, END, FLAG, NUMBER, BlockGraph, Edge, PathFrame, common_dominator

EQUAL = {"comparison_direction": DialectAttr("stablehlo", "comparison_direction", {}, "EQ")}
# None of these ops is left afterwards.
STRUCTURED = (*BRANCHES, "func.call_indirect", "func.constant")
SEVERAL_BLOCKS = "has a region with several blocks, which only functions may have"
# The limits: how much copies may multiply a function's ops, an allowance for small functions, nested regions.
MOST_COPIES, FEW_OPS = 8, 1000
DEEPEST = 60


def structure_functions(module: Module) -> Module:
    """The module with functions of a single block. Functions that have no such form are left unchanged."""
    functions = {}
    for name, function in module.functions.items():
        functions[name] = function
        if function.body is not None:
            body = with_calls(function.body)
            if branches(body):
                with contextlib.suppress(Error):  # `structure_problem` reports it if the function is called
                    body = StructuredBlocks(replace(function, body=body)).structure()
            functions[name] = function if body is function.body else replace(function, body=body)
    return replace(module, functions=functions) if functions != module.functions else module


def structure_problem(function: Function) -> Error | None:
    """Why a function's blocks cannot become loops and conditionals; None if they can."""
    try:
        if function.body is not None and branches(function.body):
            StructuredBlocks(function).structure()
    except Error as error:
        return error
    return None


def branches(body: Region) -> bool:
    """Whether a body consists of blocks that branch to each other."""
    return bool(body.blocks or (body.ops and body.ops[-1].name in BRANCHES))


# ---------------------------------------------------------------- indirect calls


def with_calls(body: Region) -> Region:
    """The body with direct calls instead of indirect calls of known functions."""
    known = {op.results[0]: op for op in walk(body) if op.name == "func.constant" and len(op.results) == 1}
    if not known:
        return body

    def direct(rewriter: Rewriter, op: Op) -> list[Op] | None:
        constant = known.get(op.operands[0]) if op.name == "func.call_indirect" and op.operands else None
        symbol = constant.attributes.get("value") if constant is not None else None
        if not isinstance(symbol, SymbolAttr):
            return None
        return [rewriter.clone(op, "func.call", op.operands[1:], {"callee": symbol})]

    body = Rewriter(hook=direct).region(body)
    used = {value for op in walk(body) for value in op.operands}

    def without(rewriter: Rewriter, op: Op) -> list[Op] | None:
        return [] if op.name == "func.constant" and used.isdisjoint(op.results) else None

    return Rewriter(hook=without).region(body)


# ---------------------------------------------------------------- structured control flow


class StructuredBlocks(BlockGraph):
    """Turns the blocks of one function into loops and conditionals. The errors are those of a `BlockGraph`."""

    def __init__(self, function: Function) -> None:
        super().__init__(function)
        self.clones = Rewriter(hook=self.copy_op, new=clone_value)
        self.now, self.current = self.clones.values, self.clones.lookup
        self.extracted_from: dict[Value, Value] = {}  # the tensors of rank 0 that scalars were extracted from
        self.out: list[Op] = []
        self.budget = FEW_OPS + MOST_COPIES * sum(1 for block in self.blocks for op in block.ops)
        self.depth = 0

    def structure(self) -> Region:
        """The body of one block."""
        entry = self.blocks[0]
        leave = {END: lambda edge: edge.values}
        frame = self.frame(0, self.above, leave, [v.type for v in self.returned])
        arguments = self.clones.define(entry.arguments)
        results = self.emit(frame, 0, END)
        self.add(func.return_, results, (), self.function.location)
        return Region(arguments, tuple(self.out))

    def emit(self, frame: PathFrame, node: int, stop: int) -> tuple[Value, ...]:
        """Emit what runs from a block until its paths join at `stop`; returns the values passed to `stop`."""
        while True:
            location = self.blocks[node].ops[-1].location
            is_loop = node in self.loops and node != frame.head
            if is_loop:
                selector, edges = self.loop(node, location)
            else:
                self.copy(self.blocks[node].ops[:-1])
                selector, edges = self.branch(node, location)
            if selector is None:
                (edge,) = edges
                if edge.target == stop or edge.target in frame.leave:
                    return self.follow(frame, edge, stop)
                self.bind(edge)
                node = edge.target
                continue
            join = self.common(frame, [edge.target for edge in edges]) if is_loop else frame.joins[node]
            types = frame.types if join == END else [v.type for v in self.arguments(join)]
            regions = tuple(self.region(lambda edge=edge: self.follow(frame, edge, join)) for edge in edges)  # type: ignore[misc]
            choice = stablehlo.if_ if selector.type == FLAG else stablehlo.case
            results = self.add(choice, (selector,), types, location, regions)
            if join in (stop, END):
                return results
            self.now.update(zip(self.arguments(join), results))
            node = join

    def common(self, frame: PathFrame, targets: Sequence[int]) -> int:
        """Where the exits of a loop join."""
        known = [target if target in frame.joins else END for target in targets]
        return reduce(lambda one, other: common_dominator(frame.joins, frame.indices, one, other), known)

    def follow(self, frame: PathFrame, edge: Edge, stop: int) -> tuple[Value, ...]:
        if edge.target == stop and stop != END:
            return edge.values
        if edge.target in frame.leave:
            return frame.leave[edge.target](edge)
        self.bind(edge)
        return self.emit(frame, edge.target, stop)

    def bind(self, edge: Edge) -> None:
        self.now.update(zip(self.arguments(edge.target), edge.values))

    def branch(self, node: int, location: Location) -> tuple[Value | None, list[Edge]]:
        """The value that selects an edge, None for a single one, and the edges with their current values."""
        end = self.blocks[node].ops[-1]
        edges = [edge._replace(values=self.current(edge.values)) for edge in self.edges[node]]
        if len(edges) == 1:
            return None, edges
        selector = self.now[end.operands[0]]
        flag = self.scalar(selector, location)
        if end.name == "cf.cond_br":
            if flag.type != FLAG:
                self.fail(self.blocks[node], f"branches on a value of type {selector.type}, expected i1", VerifyError)
            return flag, edges
        # `case` runs its last branch for all other indices, so the default goes last.
        numbers = cases_of(end, len(edges) - 1)
        if numbers is None or not isinstance(selector.type, ScalarType):
            self.fail(self.blocks[node], "lacks the values of its cases", VerifyError)
        index = self.constant(len(numbers), NUMBER, location)
        for i, number in reversed(list(enumerate(numbers))):
            wanted = self.constant(number, TensorType((), selector.type), location)
            (equal,) = self.add(stablehlo.compare, (flag, wanted), (FLAG,), location, (), EQUAL)
            branch = self.constant(i, NUMBER, location)
            (index,) = self.add(stablehlo.select, (equal, branch, index), (NUMBER,), location)
        return index, [*edges[1:], edges[0]]

    def scalar(self, value: Value, location: Location) -> Value:
        """A scalar as a tensor of rank 0, which StableHLO's ops require."""
        if isinstance(value.type, TensorType):
            return value
        if value in self.extracted_from:
            return self.extracted_from[value]
        return self.add(tensor.from_elements, (value,), (as_tensor(value.type),), location)[0]

    # ------------------------------------------------------------ loops

    def loop(self, head: int, location: Location) -> tuple[Value | None, list[Edge]]:
        """Emit a loop; returns the value that selects an exit, None for a single one, and the exits."""
        inside = self.loops[head]
        out = [edge for node in self.above if node in inside for edge in self.edges[node] if edge.target not in inside]
        after = [v for v, users in self.uses.items() if self.where[v] in inside and not users <= inside]
        if not out:
            self.fail(self.blocks[head], "is in a loop that never ends")
        if len(out) == 1 and out[0].source == head and len(self.edges[head]) == 2:
            ops = self.blocks[head].ops
            passed = {v for edge in self.edges[head] for v in edge.values}
            results = [v for op in ops for v in op.results]
            is_used = any(v in passed or not self.uses.get(v, set()) <= {head} for v in results)
            if not is_used or all(cost_of(op) <= Cost.CHEAP and is_number(op) for op in ops[:-1]):
                return None, [self.simple_loop(head, inside, ops[:-1] if is_used else (), location)]
        targets = {edge.target: edge.source for edge in out}
        return self.general_loop(head, inside, targets, after, location)

    def simple_loop(self, head: int, inside: set[int], again: Sequence[Op], location: Location) -> Edge:
        """Emit a loop whose head is the condition; `again` are the head's ops if their results are used elsewhere."""
        block = self.blocks[head]
        carried = block.arguments
        types = [v.type for v in carried]
        initial = self.current(carried)
        stays = [edge.target in inside for edge in self.edges[head]]

        def condition() -> tuple[Value, ...]:
            self.copy(block.ops[:-1])
            flag = self.scalar(self.now[block.ops[-1].operands[0]], location)
            return (flag,) if stays[0] else self.add(stablehlo.not_, (flag,), (FLAG,), location)

        def body() -> tuple[Value, ...]:
            self.copy(again)
            frame = self.frame(head, inside, {head: lambda edge: edge.values}, types)
            (edge,) = [edge for edge in self.edges[head] if edge.target in inside]
            return self.follow(frame, edge._replace(values=self.current(edge.values)), END)

        regions = (self.region(condition, carried), self.region(body, carried))
        self.now.update(zip(carried, self.add(stablehlo.while_, initial, types, location, regions)))
        self.copy(again)
        (edge,) = [edge for edge in self.edges[head] if edge.target not in inside]
        return edge._replace(values=self.current(edge.values))

    def general_loop(
        self, head: int, inside: set[int], targets: Mapping[int, int], after: Sequence[Value], location: Location
    ) -> tuple[Value | None, list[Edge]]:
        """Emit a loop that carries whether to continue, the number of its exit, and the values passed there.

        `targets` maps the target of each exit to a block that branches there.
        """
        heads = self.blocks[head].arguments
        slots = [v for target in targets for v in self.arguments(target)]
        carried = [*heads, Value("again", FLAG), Value("exit", NUMBER), *(Value("", v.type) for v in slots)]
        first, last = len(heads) + 2, len(carried)
        carried += [Value(v.name, v.type) for v in after]
        types = [v.type for v in carried]
        initial = [*self.current(heads), self.constant(True, FLAG, location), self.constant(0, NUMBER, location)]
        initial += [self.zeros(head, v.type, location) for v in (*slots, *after)]

        def condition() -> tuple[Value, ...]:
            return (self.now[carried[len(heads)]],)

        def again(edge: Edge) -> tuple[Value, ...]:
            return (*edge.values, *self.current(carried[len(heads) :]))

        def leaving(number: int, at: int) -> Callable[[Edge], tuple[Value, ...]]:
            def values(edge: Edge) -> tuple[Value, ...]:
                results = list(self.current(carried))
                results[at : at + len(edge.values)] = edge.values
                results[len(heads)] = self.constant(False, FLAG, location)
                results[len(heads) + 1] = self.constant(number, NUMBER, location)
                for i, value in enumerate(after, last):
                    if self.dominates(self.where[value], edge.source):
                        results[i] = self.now[value]
                return tuple(results)

            return values

        def body() -> tuple[Value, ...]:
            leave: dict[int, Callable[[Edge], tuple[Value, ...]]] = {head: again}
            at = first
            for number, target in enumerate(targets):
                leave[target] = leaving(number, at)
                at += len(self.arguments(target))
            return self.emit(self.frame(head, inside, leave, types), head, END)

        regions = (self.region(condition, carried), self.region(body, carried))
        results = self.add(stablehlo.while_, initial, types, location, regions)
        self.now.update(zip(after, results[last:]))
        edges, at = [], first
        for target, source in targets.items():
            size = len(self.arguments(target))
            edges.append(Edge(source, target, tuple(results[at : at + size])))
            at += size
        return (None if len(edges) == 1 else results[len(heads) + 1]), edges

    def zeros(self, block: int, type: Type, location: Location) -> Value:
        """A placeholder that is never read."""
        tensor_type = as_tensor(type)
        match tensor_type:
            case TensorType(shape, ScalarType() | ComplexType()) if None not in shape:
                value = self.constant(0, tensor_type, location)
            case _:
                self.fail(self.blocks[block], f"is in a loop that passes a value of type {type} to its exit")
        return value if type == tensor_type else self.add(tensor.extract, (value,), (type,), location)[0]

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
        """A region with the ops that `write` emits, which returns the values that `write` returns."""
        self.depth += 1
        if self.depth > DEEPEST:
            self.fail(self.blocks[0], f"branches are nested more than {DEEPEST} levels deep")
        outer, self.out = self.out, []
        new = self.clones.define(arguments)
        results = write()
        self.add(stablehlo.return_, results, (), self.function.location)
        ops, self.out, self.depth = tuple(self.out), outer, self.depth - 1
        return Region(new, ops)

    def copy(self, ops: Sequence[Op]) -> None:
        """Emit copies of ops on the current values."""
        self.budget -= len(ops)
        if self.budget < 0:
            self.fail(self.blocks[0], "has blocks that so many paths share that too many copies would be needed")
        self.out += self.clones.ops(ops)

    def copy_op(self, clones: Rewriter, op: Op) -> list[Op]:
        if any(region.blocks for region in op.regions):
            message = f"{op.name}: {SEVERAL_BLOCKS}"
            raise UnsupportedOp(message, op.location.source, op.location.offset, op.location.name)
        clone = clones.clone(op)
        if op.name == "tensor.extract" and len(clone.operands) == 1 and len(clone.results) == 1:
            self.extracted_from[clone.results[0]] = clone.operands[0]
        return [clone]


def is_number(op: Op) -> bool:
    return all(isinstance(t := as_tensor(v.type), TensorType) and not t.shape for v in (*op.operands, *op.results))


def cases_of(switch: Op, count: int) -> list[int] | None:
    """The values of a switch's cases, None if they are missing or malformed."""
    attribute = switch.attributes.get("case_values")
    if isinstance(attribute, DenseAttr):
        values = [int(number) for number in attribute.data.reshape(-1)]
    elif isinstance(attribute, DialectAttr) and attribute.text.startswith("dense<"):
        text, _, _ = attribute.text.removeprefix("dense<").partition(">")
        words = text.strip("[] ").split(",")
        if not all(word.strip().removeprefix("-").isdecimal() for word in words):
            return None
        values = [int(word) for word in words] * (1 if "[" in text else count)
    else:
        values = []
    return values if len(values) == count else None
