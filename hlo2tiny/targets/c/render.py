"""The kernels of regions in C."""

from __future__ import annotations

from collections.abc import Callable

from ...plan.lowering import schedule_region
from ...plan.plan import Kernels
from ...plan.rendering import Rendered
from ...rules.registry import Lowering
from ...tinygrad.expressions import DType
from ...tinygrad.lowered import join_kernels
from ...tinygrad.region import byte_sizes
from ...tinygrad.renderers.c import CRenderer
from ..functions import function_of_processor
from .kernels import RenderedKernel, RenderedRegion, shared_iterations

NATIVE = Lowering(native=True, function=function_of_processor)

REGIONS = Rendered("region", RenderedRegion)


def render_region(
    step: Kernels, device: str, begun: Callable[[RenderedKernel], None] = lambda kernel: None
) -> RenderedRegion:
    """The kernels of a region in C, rendered once per process and structure; `begun` gets each as soon as it is."""
    return REGIONS.get(step, device, lambda: _render(step, device, begun))


def render_scalar_region(step: Kernels, device: str) -> RenderedRegion:
    """The same for processors without vectors: sums are added one after the other, and take no memory for columns."""
    return REGIONS.get(step, device, lambda: _render(step, device, lambda kernel: None, scalar=True), "scalar")


def _render(
    step: Kernels, device: str, begun: Callable[[RenderedKernel], None], scalar: bool = False
) -> RenderedRegion:
    schedule = schedule_region(step, device, NATIVE)
    renderer, temporaries, printed = CRenderer(scalar), list[tuple[int, DType]](), list[RenderedKernel]()
    kernels = schedule.kernels(schedule.programs(renderer, optimised=False), temporaries)
    for kernel in kernels if step.updates else join_kernels(kernels):
        types, parameters, body = renderer.function(kernel, shared_iterations(kernel.facts) > 0)
        printed.append(RenderedKernel(kernel.facts, types, tuple(map(str, parameters)), body))
        begun(printed[-1])
    return RenderedRegion(tuple(printed), byte_sizes(schedule.outputs), byte_sizes(temporaries))
