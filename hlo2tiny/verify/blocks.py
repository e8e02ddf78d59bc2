"""The graph of a function's blocks, which branch to each other: edges, dominance and loops."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import reduce
from typing import NamedTuple, NoReturn

from ..errors import Error, UnsupportedOp, VerifyError
from ..ir import DenseArrayAttr, Function, Op, Region, ScalarType, TensorType, Type, Value
from ..ir.rewrite import free_values
from ..ops import Trait, has, schema_of
from ..records import dataclass

I1, I32 = ScalarType("i1"), ScalarType("i32")
FLAG, NUMBER = TensorType((), I1), TensorType((), I32)
BRANCHES = ("cf.br", "cf.cond_br", "cf.switch")
# The target of edges that leave a function or end an iteration of a loop; no block has this number.
END = -1
MOST_BLOCKS = 10_000

Successors = Mapping[int, Sequence[int]]


def dominators(root: int, successors: Successors) -> dict[int, int]:
    """The immediate dominator of each reachable node, in reverse postorder; the root's is the root itself."""
    order: list[int] = []
    seen = {root}
    stack = [(root, iter(successors.get(root, ())))]
    while stack:
        node, unvisited = stack[-1]
        for following in unvisited:
            if following not in seen:
                seen.add(following)
                stack.append((following, iter(successors.get(following, ()))))
                break
        else:
            order.append(node)
            stack.pop()
    order.reverse()
    index = {node: i for i, node in enumerate(order)}
    before: dict[int, list[int]] = {node: [] for node in order}
    for node in order:
        for following in successors.get(node, ()):
            before[following].append(node)
    nearest = {root: root}
    changed = True
    while changed:
        changed = False
        for node in order[1:]:
            known = [other for other in before[node] if other in nearest]
            dominator = reduce(lambda one, other: common_dominator(nearest, index, one, other), known)
            if nearest.get(node) != dominator:
                nearest[node] = dominator
                changed = True
    return {node: nearest[node] for node in order}


def common_dominator(nearest: Mapping[int, int], index: Mapping[int, int], one: int, other: int) -> int:
    """The nearest node that dominates both."""
    while one != other:
        while index[one] > index[other]:
            one = nearest[one]
        while index[other] > index[one]:
            other = nearest[other]
    return one


class Edge(NamedTuple):
    """An edge from one block to another, or to END if it returns; `values` are passed to the target's arguments."""

    source: int
    target: int
    values: tuple[Value, ...]


@dataclass(frozen=True)
class PathFrame:
    """A function, or one iteration of a loop: where its paths join, and what they return when they leave it."""

    head: int
    # The immediate postdominator of each block, and the blocks' positions in that mapping.
    joins: Mapping[int, int]
    indices: Mapping[int, int]
    # What an edge to a block outside, or back to the head, returns; and the types of that.
    leave: Mapping[int, Callable[[Edge], tuple[Value, ...]]]
    types: Sequence[Type]


class BlockGraph:
    """The blocks of one function, and which ones run before and inside each other.

    Raises:
        UnsupportedOp: they do not form loops and conditionals.
        VerifyError: a value is used where it is not defined.
    """

    def __init__(self, function: Function) -> None:
        self.function = function
        self.blocks = [function.code, *function.code.blocks]
        if len(self.blocks) > MOST_BLOCKS:
            self.fail(self.blocks[0], f"has {len(self.blocks)} blocks, expected at most {MOST_BLOCKS}")
        self.returned = tuple(Value("", type) for type in function.type.results)
        self.edges = [self.edges_from(number) for number in range(len(self.blocks))]
        successors = {i: [edge.target for edge in edges] for i, edges in enumerate(self.edges)}
        self.above = dominators(0, successors)
        self.above.pop(END, None)
        self.depths: dict[int, int] = {}
        for node, nearest in self.above.items():  # a dominator comes before the blocks that it dominates
            self.depths[node] = self.depths[nearest] + 1 if node else 0
        self.where = {v: i for i in self.above for v in values_of(self.blocks[i])}
        self.uses = self.checked_uses()
        self.loops = self.find_loops()

    def fail(self, block: Region, message: str, kind: type[Error] = UnsupportedOp) -> NoReturn:
        op = block.ops[-1] if block.ops else None
        location = op.location if op is not None else self.function.location
        name = op.name if op is not None else f"func.func @{self.function.name}"
        raise kind(f"{name}: {message}", location.source, location.offset, location.name)

    def arguments(self, block: int) -> tuple[Value, ...]:
        """A block's arguments; those of END are what the function returns."""
        return self.returned if block == END else self.blocks[block].arguments

    def edges_from(self, number: int) -> list[Edge]:
        """The edges that leave a block."""
        block = self.blocks[number]
        end = block.ops[-1] if block.ops else None
        if end is None or (end.name not in BRANCHES and not has(end, Trait.TERMINATOR)):
            self.fail(block, "is the last op of a block, expected cf.br, cf.cond_br, cf.switch or return")
        operands = end.operands
        if has(end, Trait.TERMINATOR):
            schema = schema_of(end.name)
            if end.successors or (schema is not None and schema.parent not in ("", "func.func")):
                self.fail(block, "ends a function, expected func.return", VerifyError)
            edges = [Edge(number, END, operands)]
        else:
            sizes = self.sizes(block, end)
            selectors = 0 if end.name == "cf.br" else 1
            if len(operands) != selectors + sum(sizes) or len(sizes) != len(end.successors):
                self.fail(block, "its operands do not match the blocks that it branches to", VerifyError)
            edges, at = [], selectors
            for target, size in zip(end.successors, sizes):
                edges.append(Edge(number, target, operands[at : at + size]))
                at += size
        for edge in edges:
            if edge.target == 0:
                self.fail(block, "branches to the function's entry block", VerifyError)
            passed, expected = ([v.type for v in side] for side in (edge.values, self.arguments(edge.target)))
            if passed != expected:
                to = "the function returns" if edge.target == END else "the target block takes"
                lists = [", ".join(map(str, types)) for types in (passed, expected)]
                self.fail(block, f"passes ({lists[0]}), but {to} ({lists[1]})", VerifyError)
        return edges

    def sizes(self, block: Region, end: Op) -> list[int]:
        """How many values a branch passes to each block."""
        segments = [list(a.values) if isinstance(a := end.attributes.get(name), DenseArrayAttr)
                    and a.element == I32 and min(a.values, default=0) >= 0 else None
                    for name in ("operandSegmentSizes", "case_operand_segments")]  # fmt: skip
        weights = end.attributes.get("branch_weights")
        if isinstance(weights, DenseArrayAttr) and len(weights.values) != len(end.successors):
            self.fail(block, f"has {len(weights.values)} weights for {len(end.successors)} blocks", VerifyError)
        match end.name, segments:
            case "cf.br", _:
                return [len(end.operands)]
            case "cf.cond_br", [[1, *sizes], _]:
                return sizes
            case "cf.switch", [[1, default, rest], [*sizes]] if rest == sum(sizes):
                return [default, *sizes]
        self.fail(block, "lacks the number of values for each target block", VerifyError)

    def checked_uses(self) -> dict[Value, set[int]]:
        """The blocks that use each value, after checking that it is defined on every path to each use."""
        uses: dict[Value, set[int]] = {}
        for number in self.above:
            block = self.blocks[number]
            defined = set(block.arguments)
            for op in block.ops:
                for value in dict.fromkeys((*op.operands, *free_values(op))):  # an op's own result is not free
                    uses.setdefault(value, set()).add(number)
                    home = self.where.get(value)
                    if value not in defined if home == number else home is None or not self.dominates(home, number):
                        message = f"%{value.name} is not defined on every path to this use"
                        self.fail(replace(block, ops=(op,)), message, VerifyError)
                defined.update(op.results)
        return uses

    def dominates(self, one: int, other: int) -> bool:
        """Whether every path to block `other` passes block `one`; a block dominates itself."""
        while self.depths[other] > self.depths[one]:
            other = self.above[other]
        return other == one

    def find_loops(self) -> dict[int, set[int]]:
        """The blocks of each loop, by its head."""
        index = {node: i for i, node in enumerate(self.above)}
        before: dict[int, list[int]] = {}
        for node in self.above:
            for edge in self.edges[node]:
                before.setdefault(edge.target, []).append(node)
        loops: dict[int, set[int]] = {}
        for node in self.above:
            for edge in self.edges[node]:
                if edge.target == END or index[edge.target] > index[node]:
                    continue
                if not self.dominates(edge.target, node):
                    message = "branches into a loop that has another entry; only loops with one entry are supported"
                    self.fail(self.blocks[node], message)
                inside, pending = loops.setdefault(edge.target, {edge.target}), [node]
                while pending:
                    block = pending.pop()
                    if block not in inside:
                        inside.add(block)
                        pending += before[block]
        return loops

    def frame(
        self,
        head: int,
        inside: Collection[int],
        leave: Mapping[int, Callable[[Edge], tuple[Value, ...]]],
        types: Sequence[Type],
    ) -> PathFrame:
        """The frame of some blocks; all edges out of it, and back to its head, join at END."""
        backwards: dict[int, list[int]] = {}
        for node in inside:
            for edge in self.edges[node]:
                target = edge.target if edge.target in inside and edge.target != head else END
                backwards.setdefault(target, []).append(node)
        joins = dominators(END, backwards)
        if endless := [node for node in self.above if node in inside and node not in joins]:
            self.fail(self.blocks[endless[-1]], "is in a loop that never ends")
        return PathFrame(head, joins, {node: i for i, node in enumerate(joins)}, leave, types)


def values_of(block: Region) -> Iterator[Value]:
    """The values that a block defines."""
    yield from block.arguments
    for op in block.ops:
        yield from op.results
