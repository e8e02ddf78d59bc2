"""Graphs of expressions, and the kernels that they become, not yet printed in any language."""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable, Iterator, Sequence
from dataclasses import replace
from functools import cache, cached_property
from math import prod
from typing import Any, TypeAlias

from tinygrad import Tensor
from tinygrad.dtype import DType
from tinygrad.engine.realize import pm_beam
from tinygrad.helpers import BEAM, NOOPT, PCONTIG
from tinygrad.renderer import Renderer
from tinygrad.schedule import create_schedule, indexing, rangeify
from tinygrad.schedule.rangeify import get_kernel_graph
from tinygrad.uop.ops import AxisType, GroupOp, Ops, UOp, graph_rewrite
from tinygrad.uop.symbolic import pm_drop_and_clauses, pm_simplify_valid, symbolic
from tinygrad.uop.weak import pm_commit_weak

from ..ir.sizes import upper_bound
from ..machine.processes import share_work
from ..records import dataclass
from .codegen import call_of, to_program, with_functions
from .elements import READING, with_kernels
from .expressions import UNPLACED, as_flat
from .lanes import with_lanes
from .loops import buffer_of
from .lowered import KernelOutline, LoweredKernel, outline_of
from .settings import is_set_here, replace_attribute, settings_here
from .sizes import as_size, extent_of, has_open_sizes
from .windows import adds_windows

BufferLayout = tuple[tuple[int, ...], DType]


def keep_loops(kernel: UOp) -> UOp:
    """A kernel whose loops are none of blocks and threads."""
    loops = {u: u.replace(arg=(*u.arg[:-1], AxisType.LOOP)) for u in kernel.toposort() if u.op is Ops.RANGE}
    return kernel.substitute(loops).replace(arg=replace(kernel.arg, opts_to_apply=()))


# What several kernels read is computed in each if that takes at most so many large arrays. tinygrad's limit counts
# small ones, too, such as those of a norm.
MOST_READ = 3
# An array that is this many times smaller than a result is small: it stays in a cache.
SMALL = 16
COSTLY = {Ops.CUSTOM, Ops.EXP2, Ops.LOG2, Ops.REDUCE, Ops.SIN}


def compute_again(src: UOp, buf: UOp, idx: UOp) -> UOp | None:
    """In place of tinygrad's function, which drops the memory between kernels, or returns None."""
    if not is_set_here(PCONTIG):
        return rangeify.remove_bufferize(src, buf, idx)

    def is_inside(u: UOp) -> bool:
        return u.op not in (Ops.AFTER, Ops.STAGE, Ops.STORE)

    found = [u for u in src.toposort(gate=is_inside) if u.op is Ops.PARAM or not is_inside(u)]
    size = prod(buf.shape)
    read = {u.buf_uop if u.op is Ops.AFTER else u for u in found if u.op is not Ops.STORE}
    many = sum(int(u.max_numel()) * SMALL > size for u in read) > MOST_READ
    if many or any(u.op in COSTLY for u in src.toposort(gate=is_inside)):
        return rangeify.remove_bufferize(src, buf, idx)
    with settings_here(PCONTIG=3):  # without a limit
        return rangeify.remove_bufferize(src, buf, idx)


computed_again = with_functions(rangeify.pm_remove_bufferize, {rangeify.remove_bufferize: compute_again})


def reshape_in_groups(shape: tuple[Any, ...], reshaped: tuple[Any, ...], indices: UOp) -> UOp:
    """In place of tinygrad's function: the indices before a reshape, given those after it.

    Dimensions that keep their product among themselves are computed from each other, not from the place in the whole,
    whose divisions take many rules to drop again, or stay. Nor is the first index of a group reduced to its range,
    where it is anyway.
    """
    groups = groups_of_dimensions(shape, reshaped)
    if not groups:
        return reshape_indices(shape, reshaped, indices)
    found = list[UOp]()
    for before, after in groups:
        given, sizes = indices.src[after], shape[before]
        found += given if sizes == reshaped[after] else indices_in_group(sizes, reshaped[after], given)
    return UOp.sink(*found)


@cache
def indices_in_group(shape: tuple[int, ...], reshaped: tuple[int, ...], given: tuple[UOp, ...]) -> tuple[UOp, ...]:
    terms, size, found = list[UOp](), 1, list[UOp]()
    for length, index in zip(reshaped[::-1], given[::-1]):
        terms.append(size * index)
        size *= length
    place = UOp.const(0).usum(terms)
    for length in shape[:0:-1]:
        found.append(place % length)
        place //= length
    return tuple(graph_rewrite(UOp.sink(place, *found[::-1]), SIMPLIFIED).src)


def groups_of_dimensions(a: tuple[Any, ...], b: tuple[Any, ...]) -> list[tuple[slice, slice]]:
    """The smallest groups of neighbouring dimensions of two shapes that have as many elements; none if not known."""
    if not all(isinstance(size, int) and size for size in (*a, *b)):
        return []
    groups, i, j = list[tuple[slice, slice]](), 0, 0
    while i < len(a) and j < len(b):
        first, second = i, j
        i, j, elements, others = i + 1, j + 1, a[i], b[j]
        while elements != others:
            if elements < others:
                i, elements = i + 1, elements * a[i]
            else:
                j, others = j + 1, others * b[j]
        while i < len(a) and a[i] == 1:
            i += 1
        while j < len(b) and b[j] == 1:
            j += 1
        groups.append((slice(first, i), slice(second, j)))
    return groups


reshape_indices = indexing._apply_reshape
sources_of = indexing.data_srcs


def indexed_sources(op: Ops, sources: tuple[UOp, ...]) -> tuple[UOp, ...]:
    """In place of tinygrad's function: the sources of which an element of a node reads that at the same indices."""
    return sources[:1] if op is READING else sources_of(op, sources)


SIMPLIFIED = symbolic + pm_simplify_valid + pm_drop_and_clauses


def lower_kernel(kernel: UOp, renderer: Renderer, optimised: bool, in_order: bool) -> UOp:
    """A kernel as a program, see `Schedule.programs`."""
    if kernel.op is not Ops.SINK:
        raise NotImplementedError(f"tinygrad scheduled a step of kind {kernel.op}, expected a kernel")
    with settings_here(TUPLE_ORDER=0, NOOPT=NOOPT.value if optimised else 1):
        return to_program(kernel, renderer, in_order)


# A kernel, and whether tinygrad optimises it.
KernelToLower: TypeAlias = tuple[UOp, bool]
# Lowering takes as long as a kernel has nodes: a process begins in the time of so many.
NODES = 300


def lower_together(
    lower: Callable[[KernelToLower], UOp], items: Iterable[KernelToLower | None], processes: int
) -> dict[KernelToLower, UOp]:
    """Several kernels as programs, lowered by as many processes as pay; none if these are not several."""
    kernels = {item: item[0].toposort() for item in items if item is not None}
    sizes = {item: len(nodes) for item, nodes in kernels.items() if call_of(nodes) is None}
    order = sorted(sizes, key=lambda item: -sizes[item])
    processes = min(processes, len(order), sum(sizes.values()) // NODES)
    if processes < 2:
        return {}
    with share_work(lower, order, processes) as programs:
        return dict(zip(order, programs))


@dataclass(frozen=True, eq=False)
class Schedule:
    """A region's kernels, not yet printed in any language. Buffers are numbered: inputs, outputs, temporaries."""

    linear: UOp
    outputs: tuple[tuple[int, DType], ...]
    inputs: int

    @property
    def outlines(self) -> list[KernelOutline]:
        return [outline_of(call.src[0]) for call in self.linear.src]

    def adds_windows(self, number: int) -> bool:
        """Whether a kernel adds up windows that have elements in common."""
        return adds_windows(self.linear.src[number].src[0])

    @cached_property
    def is_open(self) -> bool:
        """Whether the kernels depend on open sizes."""
        return any(has_open_sizes([*call.src[0].toposort()]) for call in self.linear.src)

    def programs(
        self,
        renderer: Renderer,
        optimised: bool | Sequence[bool] = True,
        as_loops: Container[int] = (),
        only: Container[int] | None = None,
        others: Sequence[UOp] = (),
        in_order: bool = False,
        processes: int = 1,
    ) -> Iterator[UOp]:
        """The calls of the kernels as programs printed by a renderer, one by one, after rewriting by its `patterns`.

        `optimised` says whether tinygrad optimises the kernels, or each of them, for a device's threads, which hinders
        a C compiler. Those in `as_loops` that no rule has written keep their loops. With `only`, the other kernels are
        not printed again but taken from `others`. For `in_order`, see `to_program`. At most so many `processes` lower
        kernels at the same time.
        """
        linear = self.linear
        if BEAM and optimised:
            linear = graph_rewrite(linear, pm_beam, ctx=BEAM.value, walk=True)
        items = list[KernelToLower | None]()
        for number, call in enumerate(linear.src):
            kernel = call.src[0]
            if number in as_loops and kernel.arg.opts_to_apply is None:
                kernel = keep_loops(kernel)
            is_optimised = optimised if isinstance(optimised, bool) else optimised[number]
            items.append((kernel, is_optimised) if only is None or number in only else None)

        def lower(item: KernelToLower) -> UOp:
            return lower_kernel(item[0], renderer, item[1], in_order)

        lowered = lower_together(lower, items, processes) if processes > 1 else {}
        for number, (call, item) in enumerate(zip(linear.src, items)):
            if item is None:
                yield others[number]
            else:
                yield call.replace(src=(lowered[item] if item in lowered else lower(item), *call.src[1:]))

    @property
    def different_kernels(self) -> list[UOp]:
        """The kernels in order, each of which several calls may have, as `lower_kernel` takes them."""
        return list(dict.fromkeys(call.src[0] for call in self.linear.src))

    def with_programs(self, lowered: Iterator[UOp]) -> Iterator[UOp]:
        """The calls of the kernels as programs, given those of the `different_kernels`."""
        programs: dict[UOp, UOp] = {}
        for call in self.linear.src:
            if call.src[0] not in programs:
                programs[call.src[0]] = next(lowered)
            yield call.replace(src=(programs[call.src[0]], *call.src[1:]))

    def kernels(self, calls: Iterable[UOp], temporaries: list[tuple[int, DType]]) -> Iterator[LoweredKernel]:
        """The kernels of such calls, one by one; appends the sizes and dtypes of the temporaries."""
        base, numbers = self.inputs + len(self.outputs), {}

        def number_of(uop: UOp) -> int:
            if uop.op is Ops.PARAM:
                return int(uop.arg.slot)
            if uop not in numbers:
                numbers[uop] = base + len(temporaries)
                temporaries.append((int(uop.max_numel()), uop.dtype))
            return numbers[uop]

        for call in calls:
            program, arguments = call.src[0], [s for s in call.src[1:] if not s.is_bound_var]
            uops = next(s.src for s in program.src if s.op is Ops.LINEAR)
            buffers = tuple(number_of(arguments[i]) for i in program.arg.globals)
            grid = [size if isinstance(size, int) else as_size(size) for size in program.arg.global_size]
            sizes = [(*(each or ()), 1, 1, 1)[:3] for each in (grid, program.arg.local_size)]
            yield LoweredKernel(program.arg.function_name, uops, buffers, *sizes)

    def temporary_sizes(self, temporaries: Sequence[tuple[int, DType]]) -> list[tuple[int, DType]]:
        """The temporaries of all kernels without what no kernel writes, as far as that is known.

        tinygrad makes them as large as they may ever be.
        """
        written = dict[UOp, list[int | None]]()
        for call in self.linear.src:
            arguments = [s for s in call.src[1:] if not s.is_bound_var]
            for u in call.src[0].toposort():
                if (
                    u.op is Ops.STORE
                    and u.src[0].op is Ops.INDEX
                    and (buffer := u.src[0].src[0].buf_uop).op is Ops.PARAM
                ):
                    written.setdefault(arguments[buffer.arg.slot], []).append(extent_of(u.src[0].src[1]))
            for s in arguments:
                if s.op is not Ops.PARAM:
                    written.setdefault(s, [])
        extents = (known for s, known in written.items() if s.op is not Ops.PARAM)
        return [
            (upper_bound(n for n in known if n is not None) if known and None not in known else most, dtype)
            for known, (most, dtype) in zip(extents, temporaries, strict=True)
        ]


class KernelGraph:
    """A region's graph of expressions under construction. Its flat buffers have slots: parameters, then results.

    Kernels may also write to the first `updates` parameters.
    """

    def __init__(self, device: str, updates: int) -> None:
        self._device, self._updates = device, updates
        self._stores: list[UOp] = []
        self._results: dict[UOp, UOp] = {}  # new buffer of a kernel of loops -> the result that it writes to instead

    def parameter(self, slot: int, layout: BufferLayout) -> Tensor:
        shape, dtype = layout
        _, used = self._buffer(slot, dtype, prod(shape))
        return Tensor(used).reshape(shape)

    def _buffer(self, slot: int, dtype: DType, size: Any) -> tuple[UOp, UOp]:
        """A flat buffer, which is as large as it may be, and the part of it that has so many elements."""
        buffer = UOp.param(slot, dtype, (size if isinstance(size, int) else int(size.vmax),), self._device)
        return buffer, buffer if isinstance(size, int) else buffer.shrink(((0, size),))

    def store(self, tensor: Tensor, slot: int) -> Tensor | None:
        """Store a result; return it as later ops should read it, None if recomputing it costs them nothing."""
        size = prod(tensor.shape)
        if isinstance(size, int) and not size:
            return None
        target, used = self._buffer(slot, tensor.dtype, size)
        source = as_flat(tensor.uop)
        if source.op is Ops.CONTIGUOUS:  # as what is stored is
            return self.store(Tensor(source.src[0]).reshape(tensor.shape), slot)
        base = buffer_of(source) if source.op is Ops.AFTER else None
        if base is not None and base.op is Ops.PARAM and int(base.arg.slot) < self._updates:
            self._stores.append(source)  # an update in place
            return None
        if (
            base is not None
            and base.op is Ops.BUFFER
            and base not in self._results
            and base.max_numel() == target.max_numel()
        ):
            self._results[base] = target
            self._stores.append(source)
            return None
        if used is target:
            after = read = target.after(target.store(tensor.reshape(-1).uop))
        else:
            after = target.after(used.reshape(tensor.shape).store(tensor.uop))
            read = after.shrink(((0, size),))
        self._stores.append(after)
        return Tensor(read).reshape(tensor.shape) if is_computed(source) else None

    def schedule(self, parameters: int, results: Sequence[BufferLayout], recomputes: bool = False) -> Schedule:
        """The kernels that perform the stores; `recomputes` says whether memory is slower than arithmetic."""
        outputs = tuple((prod(shape), dtype) for shape, dtype in results)
        if not self._stores:
            return Schedule(UOp(Ops.LINEAR), outputs, parameters)
        # tinygrad gives Python's numbers no dtype, and results of operations that it folds to such numbers none either.
        graph = graph_rewrite(self._place(UOp.sink(*self._stores).substitute(self._results)), pm_commit_weak)
        # A reduction split in two would hide that a sum over a one-hot mask is an indexed load. Ordering the operands
        # of sums by their whole trees would take time quadratic in the length of a chain.
        marked = {"PCONTIG": PCONTIG.value} if recomputes else {}
        with (
            settings_here(SPLIT_REDUCEOP=0, TUPLE_ORDER=0, **marked),
            replace_attribute(rangeify, "pm_remove_bufferize", computed_again),
            replace_attribute(indexing, "_apply_reshape", reshape_in_groups),
            replace_attribute(indexing, "data_srcs", indexed_sources),
        ):
            linear = create_schedule(get_kernel_graph(with_kernels(with_lanes(graph))))
        return Schedule(linear, outputs, parameters)

    def _place(self, graph: UOp) -> UOp:
        """The graph with unplaced buffers moved to this graph's device."""
        if self._device == UNPLACED:
            return graph
        buffers = [node for node in graph.toposort() if node.op is Ops.BUFFER and node.arg.device == UNPLACED]
        return graph.substitute({node: node.replace(arg=replace(node.arg, device=self._device)) for node in buffers})


def has_to_be_computed(x: Tensor) -> bool:
    """Whether a tensor is neither constant nor in memory, in whatever order."""
    return is_computed(x.uop)


def is_computed(source: UOp) -> bool:
    """Whether a value is computed: neither a constant nor just the elements of other values in some order."""
    if source.device is None:
        return False
    waiting, seen = [source], {source}
    while waiting:
        uop = waiting.pop()
        if uop.op in GroupOp.ALU or uop.op in (Ops.CUSTOM, Ops.REDUCE):
            return True
        if uop.op not in (Ops.AFTER, Ops.PARAM):
            waiting += [s for s in uop.src if s not in seen]
            seen.update(uop.src)
    return False
