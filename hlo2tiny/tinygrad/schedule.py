"""Graphs of expressions as kernels, not yet in any language."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from tinygrad.codegen import to_program
from tinygrad.dtype import DType
from tinygrad.renderer import Renderer
from tinygrad.uop.ops import GroupOp, Ops, PatternMatcher, UOp, graph_rewrite


@dataclass(frozen=True, eq=False)
class Schedule:
    """A region's kernels, not yet in any language. Buffers are numbered: inputs, outputs, then temporaries."""

    linear: UOp
    outputs: tuple[tuple[int, DType], ...]
    inputs: int

    def programs(self, renderer: Renderer, patterns: PatternMatcher | None = None) -> list[UOp]:
        """The calls of the kernels as programs for a renderer, to which the patterns are applied before."""
        calls = []
        for call in self.linear.src:
            kernel = call.src[0]
            if kernel.op is not Ops.SINK:
                raise NotImplementedError(f"a schedule step of kind {kernel.op}")
            if patterns is not None:
                kernel = graph_rewrite(kernel, patterns)
            calls.append(call.replace(src=(to_program(kernel, renderer), *call.src[1:])))
        return calls

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
