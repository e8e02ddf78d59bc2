"""Loops whose iterations threads run independently, each on a slice: no slice needs what another computes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import combinations

from ...ir.dtypes import byte_size
from ...ir.place import Place, overlap
from ...plan.aliasing import AliasAnalysis
from ...plan.commands import Loop
from ...plan.memory import SMALL
from ...plan.plan import Kernels
from .kernels import RenderedKernel, RenderedRegion

# A loop with more carries and captures than this is left alone.
MOST_CARRIES = 16
# All iterations that run at once have at most this much work; after them, the driver checks for signals.
MOST_WORK = 100_000_000
# Where a kernel's buffer is: the number of a buffer of the block, or a step and a number of its temporary memory.
Where = int | tuple[int, int]


class Apart:
    """Finds out whether the iterations of a loop can run for part of the elements.

    What its kernels touch is read-only, or large, or small and computed separately for each part by kernels that
    threads do not share. Kernels that threads share, all with equally many iterations, may access only the elements of
    large buffers that belong to their own iteration. No other kernel may touch those.

    Attributes:
        parts: the number of iterations of the shared kernels; 0 if the loop's iterations cannot run in this way.
        most: how many iterations of the loop may run at once.
    """

    def __init__(self, command: Loop, regions: Mapping[str, RenderedRegion], analysis: AliasAnalysis) -> None:
        self.loop, self.regions, self.analysis = command.step, regions, analysis
        lists = {commands.block: commands for commands in (command.condition, command.body)}
        self.frames = {block: commands.frame for block, commands in lists.items()}
        self.sizes = {block: [*map(byte_size, block.types)] for block in lists}
        self.iterations: set[int] = set()
        self.own: dict[Where, int] = {}  # of large buffers, the number of elements that belong to an iteration
        self.parts = self.most = 0
        if len(self.loop.reads) <= MOST_CARRIES and self.outputs_are_written_in_place() and self.kernels_stay_apart():
            (self.parts,) = self.iterations
            steps = (
                step
                for block in (self.loop.condition, self.loop.body)
                for step in block.steps
                if isinstance(step, Kernels)
            )
            work = sum(kernel.facts.work for step in steps for kernel in regions[step.key].kernels)
            self.most = max(1, MOST_WORK // work)

    def changed(self) -> set[int]:
        """The carries that an iteration writes."""
        loop, in_place = self.loop, self.analysis.in_place(self.loop)
        written = self.analysis.of(loop.body, in_place).written
        return {i for i in range(len(loop.carries)) if i not in in_place or i in written}

    def outputs_are_written_in_place(self) -> bool:
        """Whether an iteration copies no large buffer."""
        body, in_place = self.loop.body, self.analysis.in_place(self.loop)
        aliasing, frame, sizes = self.analysis.of(body, in_place), self.frames[body], self.sizes[body]
        copied = any(aliasing.copied.values()) or any(i in in_place and sizes[i] <= SMALL for i in self.changed())
        return not copied and all(
            i in in_place or sizes[n] <= SMALL or frame.direct.get(aliasing.memory[n]) == i
            for i, n in enumerate(body.outputs)
        )

    def kernels_stay_apart(self) -> bool:
        loop, changed = self.loop, self.changed()
        for block in (loop.condition, loop.body):
            in_place = self.analysis.in_place(loop) if block is loop.body else {}
            aliasing, frame, sizes = self.analysis.of(block, in_place), self.frames[block], self.sizes[block]
            fixed: set[Where] = {n for n, _ in block.constants}
            fixed |= {n for n in range(block.inputs) if n not in changed}
            private: set[Where] = {n for n in changed if sizes[n] <= SMALL}
            private |= {n for n, offset in frame.offsets.items() if offset < 0}
            for index, step in enumerate(block.steps):
                if not isinstance(step, Kernels):
                    return False
                region = self.regions[step.key]
                numbers = (*self.analysis.arguments(step), *step.outputs)
                buffers: list[Where] = [aliasing.memory[n] for n in numbers]
                buffers += [(index, i) for i in range(len(region.temporaries))]
                private |= {(index, i) for i, offset in enumerate(frame.temporaries[index]) if offset < 0}
                for kernel in region.kernels:
                    if not self.stays_apart(kernel, [buffers[n] for n in kernel.buffers], fixed, private):
                        return False
        body = loop.body
        memory = self.analysis.of(body, self.analysis.in_place(loop)).memory
        pairs = ((i, memory[n]) for i, n in enumerate(body.outputs))
        same = all(self.own.get(a, self.own.get(b)) == self.own.get(b, self.own.get(a)) for a, b in pairs)
        return same and len(self.iterations) == 1 and self.buffers_are_apart()

    def stays_apart(
        self, kernel: RenderedKernel, buffers: Sequence[Where], fixed: set[Where], private: set[Where]
    ) -> bool:
        facts = kernel.facts
        written = {buffers[access.buffer] for access in facts.writes}
        if written & fixed:
            return False
        if not kernel.shared_iterations:
            return fixed.union(private).issuperset(buffers)
        self.iterations.add(kernel.shared_iterations)
        for parameter, where in enumerate(buffers):
            if where in fixed or (where in private and where not in written):
                continue
            own = kernel.own_elements(parameter)
            if where in private or not own or self.own.setdefault(where, own) != own:
                return False
        return True

    def buffers_are_apart(self) -> bool:
        """Whether no two buffers of the body share memory, which one part may still need when another continues."""
        frame, body = self.frames[self.loop.body], self.loop.body
        ranges = [(at, self.sizes[body][n]) for n, at in frame.offsets.items() if at >= 0]
        for index, step in enumerate(body.steps):
            assert isinstance(step, Kernels)
            ranges += zip(frame.temporaries[index], self.regions[step.key].temporaries)
        large = [(Place("arena", at), size) for at, size in ranges if at >= 0]
        return not any(overlap(*a, *b) for a, b in combinations(large, 2))
