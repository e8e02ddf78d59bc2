"""The kernels of regions in WGSL."""

from __future__ import annotations

from collections.abc import Sequence
from string import Template
from typing import Any

from ...ir.sizes import is_open
from ...plan.lowering import schedule_region
from ...plan.plan import Kernels
from ...plan.rendering import Rendered
from ...records import dataclass
from ...tinygrad.expressions import DType
from ...tinygrad.region import KernelRegion, byte_sizes
from ...tinygrad.render import KernelParameter
from ...tinygrad.renderers.wgsl import DEVICE as DEVICE
from ...tinygrad.renderers.wgsl import WebRenderer


@dataclass(frozen=True)
class ShaderKernel:
    """A kernel in WGSL, the numbers of the region's buffers that it takes, and how many groups run it.

    The text is a template, without the names of the buffers: two of them may be one.
    """

    text: str
    buffers: tuple[KernelParameter, ...]
    numbers: tuple[int, ...]
    groups: tuple[int, int, int]

    def shader(self, bindings: Sequence[int], read_only: Sequence[bool]) -> str:
        """The text with declarations.

        Args:
            bindings: for each buffer, the number of its binding; buffers in the same memory have the same one.
            read_only: for each binding, whether its memory may only be read.
        """
        first: dict[int, KernelParameter] = {}
        names = {}
        for buffer, binding in zip(self.buffers, bindings):
            kept = first.setdefault(binding, buffer)
            atomic = "atomic" in kept.type or "atomic" in buffer.type
            if kept.type != buffer.type and atomic:
                raise NotImplementedError("one buffer is read as words and written as narrow numbers")
            names[buffer.name] = kept.name
        lines = [
            f"@group(0) @binding({binding}) var<storage, {'read' if read_only[binding] else 'read_write'}>"
            f" {buffer.name}: array<{buffer.type}>;\n"
            for binding, buffer in first.items()
        ]
        return "".join(lines) + Template(self.text).substitute(names)


class ShaderRegion(KernelRegion[ShaderKernel]):
    """A region's kernels in WGSL."""

    @property
    def is_open(self) -> bool:
        return super().is_open or any(is_open(size) for kernel in self.kernels for size in kernel.groups)

    @staticmethod
    def kernel_of(row: dict[str, Any]) -> ShaderKernel:
        x, y, z = row["groups"]
        buffers = tuple(KernelParameter(*buffer) for buffer in row["buffers"])
        return ShaderKernel(row["text"], buffers, tuple(row["numbers"]), (x, y, z))


REGIONS = Rendered("web region", ShaderRegion)


def render_region(step: Kernels) -> ShaderRegion:
    """The kernels of a region in WGSL, rendered once per process and structure.

    Raises:
        UnsupportedOp: WGSL lacks a type that the region computes with.
    """
    return REGIONS.get(step, DEVICE, lambda: _render(step))


def _render(step: Kernels) -> ShaderRegion:
    schedule = schedule_region(step, DEVICE)
    renderer = WebRenderer(schedule.is_open)
    temporaries, kernels = list[tuple[int, DType]](), list[ShaderKernel]()
    for kernel in schedule.kernels(schedule.programs(renderer), temporaries):
        text, buffers = renderer.function(kernel)
        x, y, z = kernel.grid
        kernels.append(ShaderKernel(text, buffers, kernel.buffers, (-(-x // renderer.blocks), y, z)))
    if schedule.is_open:
        temporaries = schedule.temporary_sizes(temporaries)
    return ShaderRegion(tuple(kernels), byte_sizes(schedule.outputs), byte_sizes(temporaries))
