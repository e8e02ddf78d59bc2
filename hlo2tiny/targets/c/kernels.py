"""The kernels of regions in C: which of them run on several threads, and how they are printed as functions."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from ...tinygrad.kernel import Access, Kernel, Loop
from ...tinygrad.region import Region

# A kernel runs on several threads if it has at least this much work (operations, reads and writes of all loop turns)
# and at least so many turns of its outermost loop.
LEAST_WORK = 100_000
LEAST_TURNS = 8
# A kernel with less work and a shorter text than this becomes part of the driver if a loop calls it.
MOST_INNER_WORK = 30_000
MOST_INNER_TEXT = 8_000
# A convolution can hand its output to the next kernel piece by piece if a turn of that kernel reads at most MOST_TURN
# places and the kernel has at most MOST_BUFFERS buffers.
MOST_TURN = 256
MOST_BUFFERS = 32


def shared_turns(kernel: Kernel) -> int:
    """The number of turns of the outermost loop that threads should share, or 0 if they should not or cannot."""
    turns = kernel.parallel or 0
    return turns if LEAST_TURNS <= turns < 2**31 and kernel.work >= LEAST_WORK else 0


@dataclass(frozen=True)
class Function:
    """A function in C, and the definitions that have to precede it."""

    before: str
    head: str
    body: str

    def text(self, static: bool = False) -> str:
        return f"{self.before}{'static ' * static}{self.head} {{\n{self.body}\n}}\n"


@dataclass(frozen=True)
class RenderedKernel:
    """A kernel in C: the types that it needs, its parameters and the statements of its function.

    If threads share the kernel, the function runs the turns of the outermost loop from `begin` to `end`. Kernels with
    equal code compare equal.
    """

    facts: Kernel = field(compare=False)
    types: str
    parameters: tuple[str, ...]
    body: str

    @property
    def buffers(self) -> tuple[int, ...]:
        """Which of the region's buffers are its arguments, numbered in the order inputs, results, temporaries."""
        return self.facts.buffers

    @cached_property
    def shared_turns(self) -> int:
        return shared_turns(self.facts)

    @property
    def is_small(self) -> bool:
        return self.facts.work < MOST_INNER_WORK and len(self.body) < MOST_INNER_TEXT

    def function(self, name: str) -> Function:
        """A function whose parameters are the buffers, or, if threads share it, their array and the turns to run."""
        parameters = ", ".join(self.parameters)
        if not self.shared_turns:
            return Function(self.types, f"void {name}({parameters})", self.body)
        part = Function(self.types, f"void part_of_{name}({parameters}, const int begin, const int end)", self.body)
        arguments = ", ".join(f"buffers[{i}]" for i in range(len(self.parameters)))
        head = f"void {name}(void *const *buffers, long begin, long end)"
        return Function(part.text(static=True), head, f"  part_of_{name}({arguments}, begin, end);")


class RenderedRegion(Region[RenderedKernel]):
    """A region's kernels in C."""

    @property
    def names(self) -> list[str]:
        """Names that say what each kernel computes, and its sizes."""
        return [kernel.facts.name for kernel in self.kernels]

    @staticmethod
    def kernel_of(row: dict[str, Any]) -> RenderedKernel:
        facts: dict[str, Any] = {name: tuple(x) if isinstance(x, list) else x for name, x in row["facts"].items()}
        facts["loops"] = tuple(Loop(*loop) for loop in facts["loops"])
        for name in ("reads", "writes"):
            facts[name] = tuple(Access(b, loop, place and tuple(place)) for b, loop, place in facts[name])
        return RenderedKernel(Kernel(**facts), row["types"], tuple(row["parameters"]), row["body"])
