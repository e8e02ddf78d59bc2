"""Lays out the buffers of a block in one frame of memory, which later buffers reuse."""

from __future__ import annotations

from bisect import bisect_left, insort
from collections.abc import Callable, Container, Mapping, Sequence
from dataclasses import field
from itertools import islice

from ..ir import Type
from ..ir.sizes import is_open, largest, typical
from ..records import dataclass
from .aliasing import AliasAnalysis, Aliasing
from .plan import Block, While

# The size of a cache line and of the widest vector, in bytes.
ALIGNMENT = 64
# A buffer of at most SMALL bytes is a local variable of the block's function, which the compiler can keep in registers;
# there may be MOST_SMALL of them.
SMALL = 64
MOST_SMALL = 256


@dataclass(frozen=True)
class FrameLoop:
    """The memory that a loop needs: for the result of its condition, and a second buffer for carries that change."""

    predicate: int
    carries: Mapping[int, int]


@dataclass(frozen=True)
class Frame:
    """The layout of a block's memory, in byte offsets; -1 - i stands for small buffer i.

    Attributes:
        size: the size of the frame in bytes.
        small: the sizes of the small buffers.
        offsets: the offsets of values, except those that share the memory of an earlier value.
        temporaries: the offsets of each step's temporary memory.
        loops: the memory that each loop needs.
        direct: values that are written directly to the memory of a result, and the result's number.
    """

    size: int
    small: Sequence[int]
    offsets: Mapping[int, int]
    temporaries: Mapping[int, Sequence[int]]
    loops: Mapping[int, FrameLoop]
    direct: Mapping[int, int]


@dataclass
class PlanMemory:
    """Memory that grows as needed, and its gaps: one serves what is never larger than it."""

    size: int = 0
    free: list[tuple[int, int]] = field(default_factory=list)  # where they begin and their sizes, from the smallest
    sizes: dict[int, int] = field(default_factory=dict)  # by where they begin
    begins: dict[int, int] = field(default_factory=dict)  # by where they end
    has_open: bool = False  # sizes, which are in no order

    def take(self, size: int) -> int:
        size = align(size)
        self.has_open |= is_open(size)
        first = 0 if self.has_open else bisect_left(self.free, (size, 0), key=typical_size)
        for at, length in islice(self.free, first, None):
            if largest(size - length) <= 0:
                self.remove(at)
                if length != size:
                    self.add(at + size, length - size)
                return at
        last = self.begins.get(self.size)
        if last is not None and largest(self.sizes[last] - size) <= 0:  # extend the last gap, which is smaller
            size -= self.remove(last)
            self.extend(size)
            return last
        return self.extend(size)

    def extend(self, size: int) -> int:
        """Memory that nothing has had."""
        at, self.size = self.size, self.size + align(size)
        return at

    def give(self, at: int, size: int) -> None:
        size = align(size)
        if at in self.begins:
            at = self.begins[at]
            size += self.remove(at)
        if at + size in self.sizes:
            size += self.remove(at + size)
        self.add(at, size)

    def add(self, at: int, size: int) -> None:
        insort(self.free, (at, size), key=typical_size)
        self.sizes[at], self.begins[at + size] = size, at

    def remove(self, at: int) -> int:
        """Remove the gap that begins there, and return its size."""
        size = self.sizes.pop(at)
        del self.begins[at + size]
        gap = at, size
        del self.free[self.free.index(gap, bisect_left(self.free, typical_size(gap), key=typical_size))]
        return size


def typical_size(gap: tuple[int, int]) -> tuple[int, int]:
    at, size = gap
    return typical(size), typical(at)


def align(size: int) -> int:
    """A size as whole cache lines, at least one."""
    lines = -(-size // ALIGNMENT)
    return (lines if is_open(lines) else max(1, lines)) * ALIGNMENT


def lay_out(
    block: Block,
    sizes: Sequence[int],
    temporaries: Mapping[int, Sequence[int]],
    in_place: Mapping[int, int],
    analysis: AliasAnalysis,
    feeding: Container[int],
    most_small: int,
    most_kept: int,
    size_of: Callable[[Type], int],
) -> Frame:
    """Lay out the buffers of a block that are not its arguments, constants or results.

    Args:
        block: the block.
        sizes: the size of each buffer in bytes.
        temporaries: the sizes of each step's temporary memory.
        in_place: results that stay in the memory of an argument, and that argument.
        analysis: which values share memory.
        feeding: the steps that run together with the next one.
        most_small: the largest size of a small buffer.
        most_kept: the largest size of a buffer that has memory of its own, so that nobody waits for it to be free.
        size_of: the size of a condition's result in bytes, given its type.
    """
    aliasing = analysis.of(block, in_place)
    last = last_readers(block, aliasing)
    written = {aliasing.memory[n] for step in block.steps for n in step.outputs}
    direct: dict[int, int] = {}
    for i, n in enumerate(block.outputs):
        first = aliasing.memory[n]
        if first in written and first >= block.inputs and i not in in_place and largest(sizes[n]) > most_small:
            direct.setdefault(first, i)
    memory, offsets, step_offsets, loops = PlanMemory(), {}, {}, {}
    small: list[int] = []
    ends: dict[int, list[tuple[int, int]]] = {}  # for each step, the memory that is free after it

    def allocate(size: int, end: int) -> int:
        if largest(size) <= most_small and len(small) < MOST_SMALL:
            small.append(max(1, largest(size)))
            return -len(small)
        if largest(size) <= most_kept:
            return memory.extend(size)
        at = memory.take(size)
        ends.setdefault(end + (end in feeding), []).append((at, size))
        return at

    for index, step in enumerate(block.steps):
        for n in step.outputs:
            if aliasing.memory[n] == n and n not in direct:
                offsets[n] = allocate(sizes[n], max(index, last.get(n, index)))
        step_offsets[index] = [allocate(size, index) for size in temporaries.get(index, ())]
        if isinstance(step, While):
            updated = analysis.in_place(step)  # by the body, even where the loop begins with a copy
            carries = {
                i: allocate(sizes[n], max(index, last.get(n, index)))
                for i, n in enumerate(step.outputs)
                if i not in updated
            }
            condition = step.condition
            loops[index] = FrameLoop(allocate(size_of(condition.types[condition.outputs[0]]), index), carries)
        for at, size in ends.pop(index, ()):
            memory.give(at, size)
    return Frame(memory.size, tuple(small), offsets, step_offsets, loops, direct)


def last_readers(block: Block, aliasing: Aliasing) -> dict[int, int]:
    """The last step that reads each memory. A loop's results may be in the memory of the carries it started with."""
    end = len(block.steps)
    last = {aliasing.memory[n]: end for n in block.outputs}
    for index in range(end - 1, -1, -1):
        step = block.steps[index]
        for n in step.reads:
            last.setdefault(aliasing.memory[n], index)
        if isinstance(step, While):
            for carry, n in zip(step.carries, step.outputs):
                buffer = aliasing.memory[carry]
                last[buffer] = max(last[buffer], last.get(aliasing.memory[n], index))
    return last
