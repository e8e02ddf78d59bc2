"""The kernels of regions in C: which of them run on several threads, and how they are printed as functions."""

from __future__ import annotations

from dataclasses import field
from functools import cached_property
from math import prod
from typing import Any

from ...ir.sizes import is_open, typical
from ...records import dataclass
from ...tinygrad.kernel import Access, Kernel, KernelLoop
from ...tinygrad.region import KernelRegion

# A kernel runs on several threads if it has at least this much work (operations, reads and writes of all loop
# iterations) and at least this many iterations of its outermost loop. With fewer, the loops in it are shared too, until
# there are ENOUGH.
LEAST_WORK = 100_000
LEAST_ITERATIONS = 8
ENOUGH = 64
# With less work, several threads share it only where each has a part of all iterations of a loop: telling each other
# about a few microseconds' work takes as long.
LEAST_APART = 500_000
# A kernel with less work and a shorter text than this becomes part of the driver if a loop calls it.
MOST_INNER_WORK = 30_000
MOST_INNER_TEXT = 8_000
# A kernel with less work takes less than a microsecond, however it is compiled.
LIGHT_WORK = 1_000
# A convolution can hand its output to the next kernel piece by piece if an iteration of that kernel reads at most
# MOST_ITERATION positions and the kernel has at most MOST_BUFFERS buffers.
MOST_ITERATION = 256
MOST_BUFFERS = 32


def open_iterations(kernel: Kernel) -> str:
    """The number of iterations that threads should share in C if it depends on open sizes, else ""."""
    loop = kernel.parallel_loop
    return loop.size if loop is not None and kernel.work >= LEAST_WORK else ""


def shared_loops(kernel: Kernel) -> list[int]:
    """The trip counts of the outermost loops whose iterations threads should share; none if they should not."""
    loops = [loop.iterations or 0 for loop in kernel.parallel_loops]
    count = 1
    while count < len(loops) and loops[0] < LEAST_ITERATIONS and prod(loops[:count]) < ENOUGH:
        count += 1
    shared = loops[:count]
    return shared if LEAST_ITERATIONS <= prod(shared) < 2**31 and kernel.work >= LEAST_WORK else []


def shared_iterations(kernel: Kernel) -> int:
    """The number of iterations that threads should share, or 0 if they should not or cannot."""
    shared = shared_loops(kernel)
    return prod(shared) if shared else 0


@dataclass(frozen=True)
class CFunction:
    """A function in C, and the definitions that have to precede it."""

    before: str
    head: str
    body: str

    def text(self, static: bool = False) -> str:
        return f"{self.before}{'static ' * static}{self.head} {{\n{self.body}\n}}\n"


@dataclass(frozen=True)
class RenderedKernel:
    """A kernel in C: the types that it needs, its parameters and the statements of its function.

    If threads share the kernel, the function runs the iterations of the outermost loop from `begin` to `end`. Kernels
    with equal code compare equal. `is_open` says that it depends on open sizes, which are its last parameter;
    `reorders`, that the compiler may reorder its sums.
    """

    facts: Kernel = field(compare=False)
    types: str
    parameters: tuple[str, ...]
    body: str
    is_open: bool = False
    reorders: bool = False

    @property
    def buffers(self) -> tuple[int, ...]:
        """Which of the region's buffers are its arguments, numbered in the order inputs, results, temporaries."""
        return self.facts.buffers

    @cached_property
    def shared_iterations(self) -> int:
        return shared_iterations(self.facts)

    def own_elements(self, parameter: int) -> int:
        """How many elements of a buffer each iteration that threads share has for itself; 0 if others access these."""
        return self.facts.own_elements(parameter, max(1, len(shared_loops(self.facts))))

    @cached_property
    def open_iterations(self) -> str:
        return open_iterations(self.facts)

    def portion_of(self, rows: int) -> int:
        """How many of so many rows belong to each iteration that threads share; 0 if that is no whole number."""
        if not is_open(rows):
            iterations = self.shared_iterations
            return rows // iterations if iterations and not rows % iterations else 0
        if not self.open_iterations or (loop := self.facts.parallel_loop) is None:
            return 0
        portion = typical(rows) // loop.usual
        return portion if portion and str(rows // portion) == loop.size and rows % portion == 0 else 0

    def parts_of_row(self, rows: int) -> int:
        """How many iterations that threads share belong to each of so many rows; 0 if that is no whole number."""
        shared = shared_loops(self.facts)
        return shared[0] // rows if len(shared) == 1 and not is_open(rows) and not shared[0] % rows else 0

    @property
    def least_shared(self) -> int:
        """From how many iterations on threads should share those of an open size."""
        loop = self.facts.parallel_loop
        assert loop is not None
        return max(LEAST_ITERATIONS, LEAST_APART * loop.usual // self.facts.work)

    @property
    def is_small(self) -> bool:
        return self.facts.work < MOST_INNER_WORK and len(self.body) < MOST_INNER_TEXT

    @property
    def is_light(self) -> bool:
        """Whether optimising it is not worthwhile if it runs once, and changes no number."""
        return self.facts.work < LIGHT_WORK and not self.reorders and not self.is_open

    def function(self, name: str) -> CFunction:
        """A function whose parameters are the buffers, or, if threads share it, their array and its iterations."""
        parameters = ", ".join(self.parameters)
        if not self.shared_iterations and not self.open_iterations:
            return CFunction(self.types, f"void {name}({parameters})", self.body)
        type = "long" if self.open_iterations else "int"
        share = f"const {type} begin, const {type} end"
        part = CFunction(self.types, f"void part_of_{name}({parameters}, {share})", self.body)
        arguments = ", ".join(f"buffers[{i}]" for i in range(len(self.parameters)))
        head = f"void {name}(void *const *buffers, long begin, long end)"
        return CFunction(part.text(static=True), head, f"  part_of_{name}({arguments}, begin, end);")


class RenderedRegion(KernelRegion[RenderedKernel]):
    """A region's kernels in C."""

    @property
    def names(self) -> list[str]:
        """Names that say what each kernel computes, and its sizes."""
        return [kernel.facts.name for kernel in self.kernels]

    @staticmethod
    def kernel_of(row: dict[str, Any]) -> RenderedKernel:
        facts: dict[str, Any] = {name: tuple(x) if isinstance(x, list) else x for name, x in row["facts"].items()}
        facts["loops"] = tuple(KernelLoop(*loop) for loop in facts["loops"])
        for name in ("reads", "writes"):
            facts[name] = tuple(Access(b, loop, offset and tuple(offset)) for b, loop, offset in facts[name])
        return RenderedKernel(**row | {"facts": Kernel(**facts), "parameters": tuple(row["parameters"])})
