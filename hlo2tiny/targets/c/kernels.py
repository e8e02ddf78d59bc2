"""The kernels of regions in C: which of them threads share, and how they are printed as functions."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass, field
from functools import cached_property
from typing import Any

from ...tinygrad.kernel import Access, Kernel, Loop

# Operations and numbers read and written, all turns of the loops counted, below which a kernel is not worth waking
# threads for, and the turns that there have to be for them.
LEAST_WORK = 400_000
LEAST_TURNS = 8
# A kernel of less work, and of a shorter text, is printed where a loop calls it.
MOST_INNER_WORK = 30_000
MOST_INNER_TEXT = 8_000
# Places of a convolution that a kernel may take at a time, and how many buffers it may have.
MOST_TURN = 256
MOST_BUFFERS = 32


def shared_turns(kernel: Kernel) -> int:
    """The turns of a kernel's outermost loop, when threads can share them; 0 when they cannot or it is not worth it."""
    turns = kernel.parallel or 0
    return turns if LEAST_TURNS <= turns < 2**31 and kernel.work >= LEAST_WORK else 0


@dataclass(frozen=True)
class Function:
    """A function in C, and what has to stand before it."""

    before: str
    head: str
    body: str

    def text(self, static: bool = False) -> str:
        return f"{self.before}{'static ' * static}{self.head} {{\n{self.body}\n}}\n"

    @property
    def prototype(self) -> str:
        return f"{self.head};"


@dataclass(frozen=True)
class RenderedKernel:
    """A kernel in C: types that it needs, its parameters and the statements of its function.

    One that threads share does the turns of its outermost loop from `begin` to `end`. Kernels of the same code are
    equal.
    """

    facts: Kernel = field(compare=False)
    types: str
    parameters: tuple[str, ...]
    body: str

    @property
    def buffers(self) -> tuple[int, ...]:
        """Which of its region's buffers it takes: inputs, results, temporaries, counted through."""
        return self.facts.buffers

    @cached_property
    def shared_turns(self) -> int:
        return shared_turns(self.facts)

    @property
    def is_small(self) -> bool:
        return self.facts.work < MOST_INNER_WORK and len(self.body) < MOST_INNER_TEXT

    def function(self, name: str) -> Function:
        """A function of the kernel's buffers; if threads share it, of an array of them and of the turns to do."""
        parameters = ", ".join(self.parameters)
        if not self.shared_turns:
            return Function(self.types, f"void {name}({parameters})", self.body)
        part = Function(self.types, f"void part_of_{name}({parameters}, const int begin, const int end)", self.body)
        arguments = ", ".join(f"buffers[{i}]" for i in range(len(self.parameters)))
        head = f"void {name}(void *const *buffers, long begin, long end)"
        return Function(part.text(static=True), head, f"  part_of_{name}({arguments}, begin, end);")


@dataclass(frozen=True)
class RenderedRegion:
    """A region's kernels in order, and the sizes in bytes of its results and of what they leave to each other."""

    kernels: tuple[RenderedKernel, ...]
    results: tuple[int, ...]
    temporaries: tuple[int, ...]

    @property
    def names(self) -> list[str]:
        """What the kernels compute, and of which sizes."""
        return [each.facts.name for each in self.kernels]

    def to_text(self) -> str:
        return json.dumps(asdict(self))

    @staticmethod
    def from_text(text: str) -> RenderedRegion:
        kernels, results, temporaries = json.loads(text).values()
        return RenderedRegion(tuple(map(kernel_of_row, kernels)), tuple(results), tuple(temporaries))


def kernel_of_row(row: dict[str, Any]) -> RenderedKernel:
    facts: dict[str, Any] = {name: tuple(x) if isinstance(x, list) else x for name, x in row["facts"].items()}
    facts["loops"] = tuple(Loop(*loop) for loop in facts["loops"])
    for name in ("reads", "writes"):
        facts[name] = tuple(Access(b, loop, place and tuple(place), width) for b, loop, place, width in facts[name])
    return RenderedKernel(Kernel(**facts), row["types"], tuple(row["parameters"]), row["body"])
