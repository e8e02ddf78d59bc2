"""Kernels that compute each element of a result from elements of buffers, made from its expression at once.

tinygrad's scheduler finds out where kernels end, and at which elements each node is needed, in a dozen passes over a
whole graph. Such a kernel ends at buffers: its store becomes the call of the kernel that the scheduler would make, and
the scheduler gets the other stores.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from functools import cache
from typing import NamedTuple

from tinygrad.schedule import indexing
from tinygrad.schedule.rangeify import DEVICE_MAX_BUFS, MAX_KERNEL_BUFFERS, pm_gate_substitute
from tinygrad.uop.ops import GroupOp, KernelInfo, Ops, ParamArg, UOp, graph_rewrite
from tinygrad.uop.symbolic import symbolic

COMPUTING = {*GroupOp.ALU, Ops.BITCAST, Ops.CAST, Ops.CUSTOM}
MOVING = {Ops.EXPAND, Ops.FLIP, Ops.PAD, Ops.PERMUTE, Ops.RESHAPE, Ops.SHRINK}
WRITTEN = {Ops.CONST, Ops.STACK, *MOVING}  # numbers, in any order
BUFFERS = {Ops.AFTER, Ops.PARAM}
# Reads the element of memory at an index, its first source; see `loops.read_elements`.
READING = Ops.CUSTOMI
# What several kernels compute from more buffers than this, the scheduler stores.
MOST_READ = 3

Indices = tuple[UOp, ...]  # of an element


class Elements(NamedTuple):
    """What a kernel stores.

    Args:
        index: of the stored element.
        nodes: those of the expression above buffers, each after its sources.
        places: which element of each node that computes from buffers the kernel needs.
        moved: nodes of which it needs several elements; their places are ranges of their own.
        buffers: what it reads.
    """

    value: UOp
    index: UOp
    nodes: list[UOp]
    places: dict[UOp, Indices]
    moved: set[UOp]
    buffers: list[UOp]

    def call(self, target: UOp, current: Mapping[UOp, UOp]) -> UOp:
        """The call of the kernel that stores the elements in a buffer, given what the buffers that it reads are now."""
        parameters = {buffer: parameter_for(buffer, n) for n, buffer in enumerate((target, *self.buffers))}
        new = dict[UOp, UOp]()

        @cache
        def element(node: UOp, place: Indices) -> UOp:
            if node in parameters:
                return parameters[node].index(*place)
            if node not in self.moved:
                return new[node]
            there = {a: b for a, b in zip(self.places[node], place, strict=True) if a.op is Ops.RANGE}
            return new[node].substitute(there, extra_pm=pm_gate_substitute)

        for node in self.nodes:
            new[node] = computed(node, self.places.get(node), element)
        store = graph_rewrite(parameters[target].index(self.index).store(element(self.value, (self.index,))), symbolic)
        # The scheduler numbers the buffers that are still read.
        buffer_of = {parameter: buffer for buffer, parameter in parameters.items()}
        used = [buffer_of[parameter] for parameter in nodes_in_order(store, {Ops.PARAM})]
        if used != [*parameters][: len(used)]:
            apart = {buffer: parameter_for(buffer, -2 - n) for n, buffer in enumerate(used)}
            store = store.substitute({parameters[buffer]: parameter for buffer, parameter in apart.items()})
            store = store.substitute({apart[buffer]: parameter_for(buffer, n) for n, buffer in enumerate(used)})
        kernel = store.end(*store.ranges).sink(arg=KernelInfo())
        return kernel.call(*(current.get(buffer, buffer) for buffer in used))


def computed(node: UOp, place: Indices | None, element: Callable[[UOp, Indices], UOp]) -> UOp:
    """An element of a node, given those of its sources; numbers have no place."""
    if node.op is Ops.CONST:
        return node
    before = () if place is None else sources_place(node, place)
    if node.op is READING:
        index, memory = data_of(node)
        return element(memory, (element(index, before),)).load()
    values = [element(s, before) for s in data_of(node)]
    if node.op in COMPUTING:
        return UOp(node.op, node.dtype, tuple(values), node.arg, node.tag)
    last = values.pop()
    if node.op is Ops.PAD:
        return UOp.const(True).uprod([i.get_valid() for i in before]).where(last, UOp.const(node.dtype.const(0)))
    for number, each in reversed([*enumerate(values)]):  # of a stack
        assert place is not None
        last = place[0].eq(number).where(each, last)
    return last


def parameter_for(buffer: UOp, number: int) -> UOp:
    memory = buffer.buf_uop
    arg = ParamArg(number, memory.dtype, addrspace=memory.addrspace, device=memory.device)
    return UOp(Ops.PARAM, src=memory.src, arg=arg)


def data_of(node: UOp) -> tuple[UOp, ...]:
    """The sources of a node without the shapes of moves."""
    sources: tuple[UOp, ...] = node.src
    if node.op is READING:
        return sources[0], sources[1].src[0]
    return sources[:1] if node.op in MOVING else sources


def is_static(node: UOp) -> bool:
    return all(type(size) is int and size for size in node.shape)


def elements_of(stored: UOp) -> Elements | None:
    """What is stored in a buffer, if one kernel computes each element of it from elements of buffers."""
    target, *stores = stored.src
    if target.op is not Ops.PARAM or len(target.shape) != 1 or not is_static(target) or len(stores) != 1:
        return None
    if stores[0].op is not Ops.STORE or stores[0].src[0] is not target or len(stores[0].src) > 2:
        return None
    value, (size,) = stores[0].src[1], target.shape
    if value.op in BUFFERS or value.shape != target.shape:
        return None
    nodes, numbers = nodes_of(value), set[UOp]()
    for node in nodes:
        if node.op not in COMPUTING | MOVING | {Ops.CONST, Ops.STACK, READING} or (
            node.op in MOVING and not is_static(node)
        ):
            return None
        if node.op not in (Ops.PAD, Ops.STACK) and numbers.issuperset(data_of(node)):
            numbers.add(node)
    buffers = nodes_in_order(value, BUFFERS)
    memories = {buffer.buf_uop for buffer in buffers}
    room = MAX_KERNEL_BUFFERS.value or DEVICE_MAX_BUFS.get(str(target.device).split(":")[0], len(buffers) + 1)
    if target in memories or len(memories) < len(buffers) or len(buffers) >= room:
        return None
    if any(len(buffer.shape) != 1 or not is_static(buffer) or len(buffer.buf_uop.src) != 1 for buffer in buffers):
        return None
    index = UOp.range(size, 0) if size > 1 else UOp.const(0)
    asked = {value: {(index,): None}}
    places, moved, last = dict[UOp, Indices](), set[UOp](), 0
    repeated = set[UOp]()  # nodes that are needed for several elements
    for node in reversed(nodes):  # each after all that read it
        if node in numbers:
            continue
        place = joined([*asked[node]])
        if place is None:
            place = tuple([UOp.range(size, (last := last + 1)) if size > 1 else UOp.const(0) for size in node.shape])
            moved.add(node)
            repeated.add(node)
        places[node], shape = place, node.src[0].shape if node.op in MOVING else node.shape
        if node.op in MOVING:
            if node.op is Ops.EXPAND or node in repeated:
                repeated.add(node.src[0])
        elif node in repeated and len(nodes_in_order(node, BUFFERS)) > MOST_READ:
            return None
        elif node.op is Ops.STACK and shape:
            shape = shape[1:]
        elif node.op is Ops.STACK or (node.op is Ops.BITCAST and node.dtype.itemsize != node.src[0].dtype.itemsize):
            return None
        for s in data_of(node):
            is_memory = node.op is READING and s is data_of(node)[1]
            if s not in numbers and (s.op not in BUFFERS if is_memory else s.shape != shape):
                return None
            if s not in numbers and s.op not in BUFFERS:
                asked.setdefault(s, {})[sources_place(node, place)] = None
    return Elements(value, index, nodes, places, moved, buffers)


def sources_place(node: UOp, place: Indices) -> Indices:
    """Which element of its sources an element of a node is computed from."""
    if node.op in MOVING:
        return indexing.apply_movement_op(node.op, node.src[0].shape, node.marg, place)  # type: ignore[no-any-return]
    return place[1:] if node.op is Ops.STACK else place


def joined(places: list[Indices]) -> Indices | None:
    """One place in place of several that differ at most in where paddings need them."""
    first, *others = [[index.get_idx() for index in place] for place in places]
    if not others or any(other != first for other in others):
        return None if others else places[0]
    valid = [UOp.const(False).usum([index.get_valid() for index in each]) for each in zip(*places, strict=True)]
    return tuple([graph_rewrite(i.valid(where), symbolic) for i, where in zip(first, valid, strict=True)])


def nodes_of(value: UOp) -> list[UOp]:
    """The nodes of an expression above buffers, each after its sources."""
    found, stack = dict[UOp, None](), [value]
    while stack:
        node = stack[-1]
        if pending := [s for s in data_of(node) if s not in found and s.op not in BUFFERS]:
            stack += pending[::-1]
        else:
            found[node] = None
            stack.pop()
    return [*found]


def nodes_in_order(root: UOp, wanted: Collection[Ops]) -> list[UOp]:
    """The nodes with some operations in the order in which the scheduler comes to them, without what is below them."""
    found, stack, entered = list[UOp](), [root], {root}
    while stack:
        node = stack.pop()
        if node.op in wanted:
            found.append(node)
            continue
        new = [s for s in data_of(node)[::-1] if s not in entered]
        stack += new
        entered.update(new)
    return found


def with_kernels(graph: UOp) -> UOp:
    """A graph whose stores are calls of their kernels where these are known."""
    nodes = graph.toposort()
    known = {node: found for node in nodes if node.op is Ops.AFTER and (found := elements_of(node)) is not None}
    while known and (stores := computed_by_several(graph, known)):
        known = {node: found for node, found in known.items() if node not in stores}
    if not known:
        return graph
    new = dict[UOp, UOp]()
    for node in nodes:
        if node in known:
            new[node] = node.src[0].after(known[node].call(node.src[0], new))
        elif not new.keys().isdisjoint(node.src):
            new[node] = node.replace(src=tuple([new.get(s, s) for s in node.src]))
    return new.get(graph, graph)


def computed_by_several(graph: UOp, known: Mapping[UOp, Elements]) -> set[UOp]:
    """The results for which something is computed that another needs too, from more than `MOST_READ` buffers."""
    results = dict[UOp, list[UOp]]()
    for result, elements in known.items():
        for node in elements.places:
            results.setdefault(node, []).append(result)
    others, stack = set[UOp](), [*graph.src]
    while stack:
        node = stack.pop()
        if node not in others:
            others.add(node)
            stack += known[node].buffers if node in known else node.src
    found = set[UOp]()
    for node, those in results.items():
        is_shared = (len(those) > 1 or node in others) and not found.issuperset(those)
        if is_shared and len(nodes_in_order(node, BUFFERS)) > MOST_READ:
            found.update(those)
    return found
