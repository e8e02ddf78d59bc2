"""Kernels that compute all rows of a small dimension for one lane at a time.

Rolls, slices and stacks along a small dimension pass values from row to row: each row of a cipher's state, of a
butterfly or of a small matrix is computed from what other rows are computed from, too. A kernel that computed one row
would compute that again, or read it from memory. Here an iteration, a *lane*, has the same place of all rows of all
results, computes each value once, and keeps it in registers. Its kernel is made as in `elements`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import suppress
from functools import lru_cache, reduce
from itertools import combinations
from math import gcd, prod
from operator import or_
from typing import Any, NamedTuple

from tinygrad.schedule import indexing
from tinygrad.schedule.rangeify import DEVICE_MAX_BUFS, MAX_KERNEL_BUFFERS
from tinygrad.uop.ops import KernelInfo, Ops, UOp, graph_rewrite
from tinygrad.uop.symbolic import symbolic

from .elements import (
    BUFFERS,
    COMPUTING,
    MOST_READ,
    MOVING,
    READING,
    Indices,
    data_of,
    is_static,
    nodes_in_order,
    parameter_for,
)

# A small dimension has at most so many rows, or parts that are moved together; results have at most so many rows.
MOST_ROWS, MOST_RESULTS = 16, 64
# Fewer lanes would leave processors idle.
LEAST_LANES = 1 << 10
# A lane has at most so many operations, as compilers take long for straight code of more.
MOST_OPERATIONS, MOST_VALUES = 4096, 1 << 14
# How many buffers a kernel has at most where the device does not say.
MOST_BUFFERS = 64
# If lanes save less than this for each row, or compute more than this part of what rows do, rows are computed apart.
LEAST_SAVED, MOST_COMPUTED = 4, 0.5
# How many numbers of lanes are tried, and the most small dimensions of a result that may have the rows.
TRIED, MOST_DIMENSIONS = 3, 6

# What is computed once: a node and the place of its element, which numbers lack.
PlacedNode = tuple[UOp, Indices | None]


class LaneRows(NamedTuple):
    """How a result of some shape consists of rows: along some of its dimensions.

    If there is a `split`, that is a single dimension, of which each row has so many neighbours.
    """

    dimensions: tuple[int, ...]
    split: int
    shape: tuple[int, ...]

    @property
    def lanes(self) -> tuple[int, ...]:
        """The dimensions of a row."""
        sizes = ((self.split if d in self.dimensions else n) for d, n in enumerate(self.shape))
        return tuple([n for d, n in enumerate(sizes) if self.split > 1 or d not in self.dimensions])

    @property
    def are_near(self) -> bool:
        """Whether elements of different rows are neighbours, or nearly so."""
        return bool(self.dimensions) and prod(self.shape[self.dimensions[-1] + 1 :]) * self.split <= MOST_ROWS

    def place(self, row: int, lane: Indices) -> Indices:
        """The element of a row, given that of its lane."""
        digits = dict[int, UOp]()
        for d in reversed(self.dimensions):
            size = self.shape[d] // self.split
            digits[d], row = UOp.const(row % size), row // size
        if self.split > 1:
            return tuple([simplified(digits[d] * self.split + i) if d in digits else i for d, i in enumerate(lane)])
        others = iter(lane)
        return tuple([digits[d] if d in digits else next(others) for d in range(len(self.shape))])


class StoredElement(NamedTuple):
    """A result: what is stored, in the shape that it has and flat, and the nodes that it is computed by."""

    value: UOp
    flat: UOp
    nodes: frozenset[UOp]


def with_lanes(graph: UOp) -> UOp:
    """A graph whose stores of rows that need the same values are calls of one kernel."""
    stored = stored_values(graph)
    if not stored:
        return graph
    for lanes in numbers_of_lanes(set[UOp]().union(*(each.nodes for each in stored.values()))):
        for results in groups_of(stored, lanes):
            if (calls := LaneKernel(graph, stored, lanes).calls(results)) is not None:
                return with_lanes(graph.substitute(calls))
    return graph


def stored_values(graph: UOp) -> dict[UOp, StoredElement]:
    """What each store computes from elements of buffers, if its kernel could be one of lanes."""
    found = dict[UOp, StoredElement]()
    for node in graph.toposort():
        if node.op is not Ops.AFTER or len(node.src) != 2:
            continue
        target, store = node.src
        if target.op not in (Ops.BUFFER, Ops.PARAM) or len(target.shape) != 1 or not is_static(target):
            continue
        if store.op is not Ops.STORE or len(store.src) > 2 or store.src[0] is not target:
            continue
        value = store.src[1]
        if value.shape == target.shape and (nodes := nodes_above(value, found)) is not None:
            found[node] = StoredElement(value.src[0] if value.op is Ops.RESHAPE else value, value, frozenset(nodes))
    return found


def nodes_above(value: UOp, stored: Mapping[UOp, StoredElement]) -> set[UOp] | None:
    """The nodes of an expression above buffers, those that earlier results are computed by included; None if there is
    one of which elements are not computed from elements."""
    found, waiting = set[UOp](), [value]
    while waiting:
        node = waiting.pop()
        if node in found:
            continue
        if node in stored:
            found |= {node, *stored[node].nodes}
        elif node.op in BUFFERS:
            if len(node.shape) != 1 or not is_static(node) or len(node.buf_uop.src) != 1:
                return None
        else:
            if not is_of_elements(node, stored):
                return None
            found.add(node)
            waiting += sources_of(node)
    return found


def is_of_elements(node: UOp, stored: Mapping[UOp, StoredElement]) -> bool:
    if node.op is READING:
        memory = data_of(node)[1]
        return memory.op in BUFFERS and (memory not in stored or memory.src[0].op is Ops.BUFFER)
    if node.op in MOVING or node.op is Ops.STACK:
        known = all(type(size) is int for size in node.shape)  # no element is read of what has none
        return known and (node.op is not Ops.STACK or bool(node.shape))
    if node.op is Ops.BITCAST and node.dtype.itemsize != node.src[0].dtype.itemsize:
        return False
    return node.op in COMPUTING or node.op in (Ops.CONST, Ops.CONTIGUOUS)


def sources_of(node: UOp) -> tuple[UOp, ...]:
    return node.src[:1] if node.op is Ops.CONTIGUOUS else data_of(node)


def numbers_of_lanes(nodes: Collection[UOp]) -> list[int]:
    """How many lanes there may be, beginning with what most nodes move rows of."""
    votes, together = Counter[int](), dict[tuple[int, ...], Counter[int]]()
    for node in nodes:
        shape, parts = moved_parts(node)
        rows, size = prod(parts.values()), prod(shape)
        if 1 < rows <= MOST_ROWS:
            votes[size // rows] += 1
            both = together.setdefault(shape, Counter())
            both |= Counter(parts)
    for shape, parts in together.items():  # rows along several dimensions, one after the other
        if (rows := prod(parts.values())) <= MOST_ROWS:
            votes[prod(shape) // rows] += 1
    order = sorted((n for n in votes if n >= LEAST_LANES), key=lambda lanes: (-votes[lanes], lanes))
    return order[:TRIED]


def moved_parts(node: UOp) -> tuple[tuple[int, ...], dict[int, int]]:
    """The shape that a node moves parts of, and how many parts each small dimension has, if any."""
    if node.op is Ops.STACK:
        return node.shape, {0: len(node.src)}
    if node.op not in (Ops.FLIP, Ops.PAD, Ops.SHRINK) or 0 in (*node.shape, *node.src[0].shape):
        return (), {}
    source = node.src[0].shape
    whole, parts = node.shape if node.op is Ops.PAD else source, dict[int, int]()
    for d, (a, b, how, size) in enumerate(zip(source, node.shape, node.marg, whole, strict=True)):
        moves = how if node.op is Ops.FLIP else a != b
        count = size // (1 if node.op is Ops.FLIP else gcd(a, b, how[0])) if moves else 1
        if 1 < count <= MOST_ROWS:
            parts[d] = count
    return whole, parts


def groups_of(stored: Mapping[UOp, StoredElement], lanes: int) -> Iterator[list[UOp]]:
    """Results of so many lanes that are computed by the same nodes."""
    groups = list[tuple[set[UOp], list[UOp]]]()
    for result, each in stored.items():
        size = prod(each.value.shape)
        if result.src[0].op is Ops.BUFFER:
            continue  # only results need memory
        if size % lanes or size // lanes > MOST_ROWS:
            continue
        computing = {node for node in each.nodes if node.op in COMPUTING and node.shape}
        same = [group for group in groups if not group[0].isdisjoint(computing)]
        groups = [group for group in groups if group not in same]
        nodes = computing.union(*(group[0] for group in same))
        groups.append((nodes, [*(x for group in same for x in group[1]), result]))
    for _, results in groups:
        if any(prod(stored[x].value.shape) > lanes for x in results):
            yield results


def rows_of(shape: tuple[int, ...], lanes: int) -> Iterator[LaneRows]:
    """How rows may be distributed over the dimensions of a result."""
    rows = prod(shape) // lanes
    small = [d for d, n in enumerate(shape) if 1 < n <= rows and rows % n == 0][:MOST_DIMENSIONS]
    chosen = [ds for count in range(len(small) + 1) for ds in combinations(small, count)]
    if found := [LaneRows(ds, 1, shape) for ds in chosen if prod(shape[d] for d in ds) == rows]:
        yield from found
    else:
        yield from (LaneRows((d,), n // rows, shape) for d, n in enumerate(shape) if n > rows and n % rows == 0)


class NotOfLanesError(Exception):
    """Raised for elements that lie in other places than their lane, or that are too many."""


class LaneKernel:
    """The kernel of some results of a graph, under construction."""

    def __init__(self, graph: UOp, stored: Mapping[UOp, StoredElement], lanes: int) -> None:
        self.graph, self.stored, self.lanes = graph, stored, lanes
        self.numbers = set[UOp]()
        for node in graph.toposort():
            if node.op not in (*BUFFERS, Ops.PAD, Ops.STACK) and self.numbers.issuperset(data_of(node)):
                self.numbers.add(node)
        self.values = dict[PlacedNode, UOp]()
        self.parameters = dict[UOp, UOp]()

    def calls(self, results: Sequence[UOp]) -> dict[UOp, UOp] | None:
        """The results as those of a call of the kernel; None if it does not pay."""
        try:
            rows = {each: self.best_rows(each) for each in (*results, *self.needed_elsewhere(results))}
            lanes = max((each.lanes for each in rows.values()), key=len)
            self.values.clear()
            ranges = ranges_of(lanes)
            ends = {result: self.ends(result, each, lanes, ranges) for result, each in rows.items()}
        except NotOfLanesError:
            return None
        if not self.pays(ends, rows):
            return None
        targets = {each: self.memory_of(each) for each in rows}
        buffers = [*self.parameters]
        memories, written = {b.buf_uop for b in buffers}, {*targets.values()}
        room = MAX_KERNEL_BUFFERS.value or DEVICE_MAX_BUFS.get(
            str(results[0].src[0].device).split(":")[0], MOST_BUFFERS
        )
        if len(memories) < len(buffers) or not memories.isdisjoint(written) or len(buffers) + len(written) > room:
            return None
        if buffers and not rows.keys().isdisjoint(UOp.sink(*buffers).toposort()):
            return None
        parameters = {target: parameter_for(target, -2 - n) for n, target in enumerate(targets.values())}
        stores = UOp.group(
            *(parameters[targets[each]].index(index).store(value) for each in rows for index, value in ends[each])
        )
        stores = graph_rewrite(stores, symbolic)
        buffer_of = {parameter: buffer for buffer, parameter in (*parameters.items(), *self.parameters.items())}
        used = [u for u in stores.toposort() if u in buffer_of]
        numbered = {u: parameter_for(buffer_of[u], n) for n, u in enumerate(used)}
        loops = [u for u in ranges if u.op is Ops.RANGE]
        kernel = stores.substitute(numbered).end(*loops).sink(arg=KernelInfo())
        call = kernel.call(*(buffer_of[u] for u in used))
        return {each: target.after(call).reshape(each.shape) for each, target in targets.items()}

    def needed_elsewhere(self, results: Sequence[UOp]) -> list[UOp]:
        """The values that the results are computed from, and something else, too, that would be computed again."""
        nodes, kept = set[UOp]().union(*(self.stored[result].nodes for result in results)), dict[UOp, None]()
        for node in self.graph.toposort(gate=lambda u: u not in results):
            if node not in nodes and node not in results:
                kept |= dict.fromkeys(s for s in node.src if s in nodes and s not in self.numbers)
        sizes = {node: prod(node.shape) for node in kept if has_memory(node) or len(buffers_of(node)) > MOST_READ}
        return [node for node, size in sizes.items() if size % self.lanes == 0 and size // self.lanes <= MOST_ROWS]

    def value_of(self, result: UOp) -> UOp:
        return self.stored[result].value if result in self.stored else result

    def memory_of(self, result: UOp) -> UOp:
        return (
            result.src[0] if result in self.stored else UOp.new_buffer(result.device, prod(result.shape), result.dtype)
        )

    def pays(self, ends: Mapping[UOp, Sequence[tuple[UOp, UOp]]], rows: Mapping[UOp, LaneRows]) -> bool:
        """Whether rows need so many of the same values that lanes save most of what kernels of elements compute.

        These compute what all rows need if neighbours are of different rows.
        """
        values, masks, computed, apart = [value for each in ends.values() for _, value in each], dict[UOp, int](), 0, 0
        for u in UOp.sink(*values).toposort(gate=lambda u: u.op is not Ops.INDEX):
            own = 1 << len(masks) if u.op in COMPUTING else 0
            computed += u.op in COMPUTING
            masks[u] = reduce(or_, (masks.get(s, 0) for s in u.src), own)
        for result, stores in ends.items():
            nodes = self.stored[result].nodes if result in self.stored and rows[result].are_near else ()
            each = sum(u.op in COMPUTING and u not in self.numbers for u in nodes)
            apart += max(sum(masks.get(u, 0).bit_count() for _, u in stores), each * len(stores))
        saved = apart - computed
        is_short = len(values) <= MOST_RESULTS and computed <= MOST_OPERATIONS
        return is_short and saved >= LEAST_SAVED * len(values) and computed <= MOST_COMPUTED * apart

    def best_rows(self, result: UOp) -> LaneRows:
        """The rows of a result that are computed from the fewest values."""
        options = [*rows_of(self.value_of(result).shape, self.lanes)]
        if len(options) == 1:
            return options[0]
        found = dict[LaneRows, int]()
        for each in options:
            self.values.clear()
            with suppress(NotOfLanesError):
                self.ends(result, each, each.lanes, ranges_of(each.lanes))
                found[each] = len(self.values)
        if not found:
            raise NotOfLanesError
        return min(found, key=lambda each: found[each])

    def ends(self, result: UOp, rows: LaneRows, lanes: tuple[int, ...], ranges: Indices) -> list[tuple[UOp, UOp]]:
        """The index of each row's element in memory, and what is stored there."""
        value, found = self.value_of(result), list[tuple[UOp, UOp]]()
        lane = ranges if rows.lanes == lanes else moved(Ops.RESHAPE, rows.lanes, lanes, ranges)
        for row in range(prod(value.shape) // self.lanes):
            place = rows.place(row, lane)
            terms = [i * prod(value.shape[d + 1 :]) for d, i in enumerate(place)]
            found.append((simplified(UOp.const(0).usum(terms)), self.element(value, place)))
        return found

    def element(self, node: UOp, place: Indices) -> UOp:
        """An element of a node, and before it those that it is computed from."""
        waiting: list[PlacedNode] = [self.key(node, place)]
        while waiting:
            key = waiting[-1]
            if key not in self.values:
                new = self.compute(*key)
                if not isinstance(new, UOp):
                    waiting.append(new)
                    continue
                self.values[key] = new
                if len(self.values) > MOST_VALUES:
                    raise NotOfLanesError
            waiting.pop()
        return self.values[self.key(node, place)]

    def key(self, node: UOp, place: Indices | None) -> PlacedNode:
        return node, None if node in self.numbers else place

    def compute(self, node: UOp, place: Indices | None) -> UOp | PlacedNode:
        """An element, or one that has to be known before."""
        if node.op is Ops.CONST:
            return node
        if node in self.stored:
            return self.known(self.stored[node].flat, place)
        if node in self.numbers:
            sources: list[tuple[UOp, Indices | None]] = [(s, None) for s in sources_of(node)]
        elif place is None:
            raise NotOfLanesError
        elif node.op in BUFFERS:
            return self.parameter(node).index(*place)
        elif node.op is Ops.PAD:
            (source,) = node.src[:1]
            inside = moved(node.op, source.shape, node.marg, place)
            valid = simplified(UOp.const(True).uprod([i.get_valid() for i in inside]))
            if (truth := truth_of(valid)) is None:
                raise NotOfLanesError
            if not truth:
                return UOp.const(node.dtype.const(0))
            return self.known(source, tuple([simplified(i.get_idx()) for i in inside]))
        elif node.op in MOVING:
            sources = [(node.src[0], moved(node.op, node.src[0].shape, node.marg, place))]
        elif node.op is Ops.STACK:
            if place[0].op is not Ops.CONST:
                raise NotOfLanesError
            return self.known(node.src[place[0].arg], place[1:])
        elif node.op is READING:
            index, memory = data_of(node)
            at = self.known(index, place)
            return self.parameter(memory).index(at).load() if isinstance(at, UOp) else at
        else:
            sources = [(s, place) for s in sources_of(node)]
        if node.op is Ops.WHERE:
            condition = self.known(*sources[0])
            if not isinstance(condition, UOp):
                return condition
            if (truth := truth_of(condition)) is not None:
                return self.known(*sources[1 if truth else 2])
        values = [self.known(*each) for each in sources]
        for value in values:
            if not isinstance(value, UOp):
                return value
        if node.op in COMPUTING:
            return UOp(node.op, node.dtype, tuple(values), node.arg, node.tag)
        return values[0]

    def known(self, node: UOp, place: Indices | None) -> UOp | PlacedNode:
        key = self.key(node, place)
        return self.values.get(key, key)

    def parameter(self, buffer: UOp) -> UOp:
        if buffer not in self.parameters:
            self.parameters[buffer] = parameter_for(buffer, -2 - MOST_RESULTS - len(self.parameters))
        return self.parameters[buffer]


def has_memory(node: UOp) -> bool:
    return node.op in (Ops.AFTER, Ops.CONTIGUOUS)


def buffers_of(node: UOp) -> list[UOp]:
    return nodes_in_order(node, BUFFERS)


def ranges_of(lanes: tuple[int, ...]) -> Indices:
    return tuple([UOp.range(n, i) if n > 1 else UOp.const(0) for i, n in enumerate(lanes)])


def truth_of(condition: UOp) -> bool | None:
    while condition.op is Ops.CAST:
        condition = condition.src[0]
    return bool(condition.arg) if condition.op is Ops.CONST else None


@lru_cache(1 << 14)
def moved(op: Ops, shape: tuple[int, ...], how: tuple[Any, ...], place: Indices) -> Indices:
    """Which element of its source an element of a move is."""
    found = indexing.apply_movement_op(op, shape, how, place)
    return tuple([simplified(i) for i in found]) if op in (Ops.FLIP, Ops.SHRINK) else found


@lru_cache(1 << 14)
def simplified(index: UOp) -> UOp:
    return index if index.op in (Ops.CONST, Ops.RANGE) else graph_rewrite(index, symbolic)
