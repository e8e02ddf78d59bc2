"""Graphs of expressions as kernels, not yet in any language."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from math import prod

from tinygrad import Tensor
from tinygrad.dtype import DType
from tinygrad.helpers import Context
from tinygrad.schedule import create_schedule
from tinygrad.schedule.rangeify import get_kernel_graph
from tinygrad.uop.ops import GroupOp, Ops, UOp, graph_rewrite
from tinygrad.uop.weak import pm_commit_weak

from .expressions import UNPLACED

Layout = tuple[tuple[int, ...], DType]


@dataclass(frozen=True, eq=False)
class Schedule:
    """A region's kernels, not yet in any language. Buffers are numbered: inputs, outputs, then temporaries."""

    linear: UOp
    outputs: tuple[tuple[int, DType], ...]
    inputs: int

    def numbered(self, calls: Sequence[UOp]) -> tuple[list[tuple[int, ...]], tuple[tuple[int, DType], ...]]:
        """The buffers that each call's program takes, and the sizes and dtypes of the temporaries."""
        base, numbers = self.inputs + len(self.outputs), {}
        temporaries: list[tuple[int, DType]] = []

        def number_of(uop: UOp) -> int:
            if uop.op is Ops.PARAM:
                return int(uop.arg.slot)
            if uop not in numbers:
                numbers[uop] = base + len(temporaries)
                temporaries.append((int(uop.max_numel()), uop.dtype))
            return numbers[uop]

        taken = []
        for call in calls:
            arguments = [s for s in call.src[1:] if not s.is_bound_var]
            taken.append(tuple(number_of(arguments[i]) for i in call.src[0].arg.globals))
        return taken, tuple(temporaries)


class Graph:
    """A region's graph of expressions as it grows, between flat buffers in slots: parameters first, then results.

    The first `updates` parameters are buffers that kernels may write into.
    """

    def __init__(self, device: str, updates: int) -> None:
        self._device, self._updates = device, updates
        self._stores: list[UOp] = []
        self._own: dict[UOp, UOp] = {}  # by the buffer that a kernel of loops makes, the result that it writes instead

    def parameter(self, slot: int, layout: Layout) -> Tensor:
        shape, dtype = layout
        return Tensor(UOp.param(slot, dtype, (prod(shape),), self._device)).reshape(shape)

    def store(self, tensor: Tensor, slot: int) -> Tensor | None:
        """Store a result; as later ops read it from there, None where they may as well compute it anew."""
        size = prod(tensor.shape)
        if not size:
            return None
        target = UOp.param(slot, tensor.dtype, (int(size),), self._device)
        source = as_flat(tensor.uop)
        made = as_flat(source.src[0]) if source.op is Ops.AFTER else None
        if made is not None and made.op is Ops.PARAM and int(made.arg.slot) < self._updates:
            self._stores.append(source)  # written where the operand is
            return None
        if made is not None and made.op is Ops.BUFFER and made not in self._own and int(made.max_numel()) == size:
            self._own[made] = target
            self._stores.append(source)
            return None
        after = target.after(target.store(tensor.reshape(-1).uop))
        self._stores.append(after)
        return Tensor(after).reshape(tensor.shape) if is_computed(source) else None

    def schedule(self, parameters: int, results: Sequence[Layout]) -> Schedule:
        """The kernels that the stores take."""
        outputs = tuple((prod(shape), dtype) for shape, dtype in results)
        if not self._stores:
            return Schedule(UOp(Ops.LINEAR), outputs, parameters)
        # tinygrad leaves Python's numbers without a dtype, and loses it where it folds operations on them.
        graph = graph_rewrite(self._placed(UOp.sink(*self._stores).substitute(self._own)), pm_commit_weak)
        # Splitting a reduction in two would hide the indexed loads that a one-hot sum stands for; ordering the operands
        # of sums by their whole trees takes time that grows with the square of a chain's length.
        with Context(SPLIT_REDUCEOP=0, TUPLE_ORDER=0):
            linear = create_schedule(get_kernel_graph(graph))
        return Schedule(linear, outputs, parameters)

    def _placed(self, graph: UOp) -> UOp:
        """The graph with what is on no device in particular on this one."""
        if self._device == UNPLACED:
            return graph
        buffers = [node for node in graph.toposort() if node.op is Ops.BUFFER and node.arg.device == UNPLACED]
        return graph.substitute({node: node.replace(arg=replace(node.arg, device=self._device)) for node in buffers})


def as_flat(uop: UOp) -> UOp:
    """A buffer without the shapes that it was given."""
    while uop.op is Ops.RESHAPE:
        uop = uop.src[0]
    return uop


def is_computed(source: UOp) -> bool:
    """Whether a value is more than another one's elements in some order, or a constant."""
    if source.device is None:
        return False
    waiting, seen = [source], {source}
    while waiting:
        uop = waiting.pop()
        if uop.op in GroupOp.ALU or uop.op is Ops.REDUCE:
            return True
        if uop.op not in (Ops.AFTER, Ops.PARAM):
            waiting += [s for s in uop.src if s not in seen]
            seen.update(uop.src)
    return False
