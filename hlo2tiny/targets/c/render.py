"""The kernels of regions in C."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from typing import Any, NamedTuple

from ...ir import error_at
from ...ir.sizes import NeedsSize, upper_bound
from ...machine.processes import share_work
from ...plan.lowering import schedule_region
from ...plan.plan import Kernels
from ...plan.rendering import Rendered, building
from ...rules.registry import Lowering
from ...tinygrad.expressions import DType
from ...tinygrad.joining import join_kernels
from ...tinygrad.lowered import LoweredKernel
from ...tinygrad.region import byte_sizes
from ...tinygrad.renderers.c import CRenderer
from ...tinygrad.schedule import Schedule, lower_kernel
from ...tinygrad.tiles import facts_of_tiles, tiles_of
from ..functions import function_of_processor
from .kernels import RenderedKernel, RenderedRegion, open_iterations, shared_loops

DEVICE = "CPU"
NATIVE = Lowering(native=True, function=function_of_processor)

REGIONS = Rendered("region", RenderedRegion)


class Lowered(NamedTuple):
    """A region's schedule, and its different kernels as programs, which come one by one."""

    schedule: Schedule
    renderer: CRenderer
    programs: Iterator[Any]  # as `Schedule.with_programs` takes them


@contextmanager
def lowered_by(processes: int, step: Kernels) -> Iterator[Lowered]:
    """Let several processes, which are forked now, lower a region's kernels."""

    def lower(kernel: Any) -> Any:
        with building(step, DEVICE):
            return lower_kernel(kernel, renderer, False, step.in_order)

    with building(step, DEVICE):
        schedule, renderer = scheduled(step)
    with share_work(lower, schedule.different_kernels, processes) as programs:
        yield Lowered(schedule, renderer, programs)


def scheduled(step: Kernels, scalar: bool = False) -> tuple[Schedule, CRenderer]:
    schedule = schedule_region(step, DEVICE, replace(NATIVE, in_order=step.in_order))
    return schedule, CRenderer(scalar, step.in_order, schedule.is_open)


def render_region(
    step: Kernels,
    begun: Callable[[RenderedKernel], None] = lambda kernel: None,
    lowered: Lowered | None = None,
) -> RenderedRegion:
    """The kernels of a region in C, rendered once per process and structure; `begun` gets each as soon as it is."""
    return REGIONS.get(step, DEVICE, lambda: _render(step, begun, lowered=lowered))


def render_scalar_region(step: Kernels) -> RenderedRegion:
    """The same for processors without vectors: sums are added one after the other, and take no memory for columns."""
    return REGIONS.get(step, DEVICE, lambda: _render(step, lambda kernel: None, scalar=True), "scalar")


def _render(
    step: Kernels,
    begun: Callable[[RenderedKernel], None],
    scalar: bool = False,
    lowered: Lowered | None = None,
) -> RenderedRegion:
    temporaries, printed = list[tuple[int, DType]](), list[RenderedKernel]()
    if lowered is None:
        schedule, renderer = scheduled(step, scalar)
        programs = schedule.programs(renderer, optimised=False, in_order=step.in_order)
    else:
        schedule, renderer = lowered.schedule, lowered.renderer
        programs = schedule.with_programs(lowered.programs)
    kernels = schedule.kernels(programs, temporaries)
    open_sizes, first = dict[int, int](), schedule.inputs + len(schedule.outputs)
    for kernel in kernels if step.updates else join_kernels(kernels):
        if schedule.is_open:
            for number, size in written_sizes(kernel, step, first):
                open_sizes[number] = upper_bound([open_sizes.get(number, 0), size])
        facts = kernel.facts
        alone = renderer.narrow_sums(kernel)
        if not renderer.scalar and (tiles := tiles_of(kernel)) is not None:
            facts = facts_of_tiles(facts, tiles)
        if alone is not None:
            loops = list(facts.loops)
            loops[alone] = loops[alone]._replace(independent=False)
            facts = replace(facts, loops=tuple(loops))
        shared = [1] if open_iterations(facts) else shared_loops(facts)
        types, parameters, body = renderer.function(kernel, shared)
        kinds = kernel.is_open, renderer.reorders
        printed.append(RenderedKernel(facts, types, tuple(map(str, parameters)), body, *kinds))
        begun(printed[-1])
    temporaries = [(open_sizes.get(first + i, size), dtype) for i, (size, dtype) in enumerate(temporaries)]
    return RenderedRegion(tuple(printed), byte_sizes(schedule.outputs), byte_sizes(temporaries))


def written_sizes(kernel: LoweredKernel, step: Kernels, first: int) -> Iterator[tuple[int, int]]:
    """The temporaries, numbered from `first` on, that a kernel writes, and how many elements of them.

    tinygrad makes them as large as they may ever be. Places that a kernel computes are among those that it also writes
    otherwise, see `loops.with_room`.
    """
    sizes = dict[int, list[int]]()
    for access in kernel.writes:
        if (number := kernel.buffers[access.parameter]) >= first:
            known = sizes.setdefault(number, [])
            known += [] if access.extent is None else [access.extent]
    for number, known in sizes.items():
        if not known:
            raise error_at(step.op, "writes to places that depend on open sizes in a way not known here", NeedsSize)
        yield number, upper_bound(known)
