"""Where a block's buffers lie: one frame of memory, of which a place serves several buffers one after the other."""

from __future__ import annotations

from bisect import bisect, insort
from collections.abc import Container, Mapping, Sequence
from dataclasses import dataclass, field

from .aliasing import Aliasing
from .plan import Block, While

# A cache line, and the widest vector.
ALIGNMENT = 64
# Bytes up to which a buffer is a variable of its block's function, which the compiler can keep in registers; and how
# many there may be.
SMALL = 64
MOST_SMALL = 256


@dataclass(frozen=True)
class Loop:
    """A loop's own memory: its condition's result, and a second place for each carry that changes."""

    predicate: int
    carries: Mapping[int, int]


@dataclass(frozen=True)
class Frame:
    """The layout of a block's memory, in bytes from its beginning; -1 - i is the place of small buffer i.

    `small` are the bytes of the small buffers, each a variable. `offsets` are of values that share no earlier one's
    place. `direct` are those that are the block's results, by the result's number: they are written where the caller
    wants them and have no place here.
    """

    size: int
    small: Sequence[int]
    offsets: Mapping[int, int]
    temporaries: Mapping[int, Sequence[int]]
    loops: Mapping[int, Loop]
    direct: Mapping[int, int]


@dataclass
class Memory:
    """Free places between those in use, by offset."""

    size: int = 0
    free: list[tuple[int, int]] = field(default_factory=list)

    def take(self, size: int) -> int:
        size = max(1, -(-size // ALIGNMENT)) * ALIGNMENT
        fitting = [(length, at) for at, length in self.free if length >= size]
        if fitting:
            length, at = min(fitting)
            self.free.remove((at, length))
            if length > size:
                insort(self.free, (at + size, length - size))
            return at
        at = self.size
        if self.free and sum(self.free[-1]) == self.size:  # the last place grows
            at, _ = self.free.pop()
        self.size = at + size
        return at

    def give(self, at: int, size: int) -> None:
        size = max(1, -(-size // ALIGNMENT)) * ALIGNMENT
        place = bisect(self.free, (at, size))
        if place < len(self.free) and self.free[place][0] == at + size:
            size += self.free.pop(place)[1]
        if place and sum(self.free[place - 1]) == at:
            place -= 1
            at, before = self.free.pop(place)
            size += before
        self.free.insert(place, (at, size))


def arranged(
    block: Block,
    sizes: Sequence[int],
    temporaries: Mapping[int, Sequence[int]],
    in_place: Mapping[int, int],
    aliasing: Aliasing,
    joined: Container[int] = (),
) -> Frame:
    """Place the buffers of a block that are not its arguments, constants or results.

    Args:
        block: the block.
        sizes: the bytes of each buffer.
        temporaries: of each step that needs memory of its own, the sizes.
        in_place: results that stay where an argument is, and that argument.
        aliasing: which values lie where others do.
        joined: the steps that run together with the next one.
    """
    last = lifetimes(block, aliasing)
    written = {aliasing.memory[n] for step in block.steps for n in step.outputs}
    direct: dict[int, int] = {}
    for i, n in enumerate(block.outputs):
        if (
            (first := aliasing.memory[n]) in written
            and first >= block.inputs
            and i not in in_place
            and sizes[n] > SMALL
        ):
            direct.setdefault(first, i)
    memory, offsets, own, loops = Memory(), {}, {}, {}
    small: list[int] = []
    ends: dict[int, list[tuple[int, int]]] = {}  # by step, the places that are free after it

    def place(size: int, end: int) -> int:
        if size <= SMALL and len(small) < MOST_SMALL:
            small.append(max(1, size))
            return -len(small)
        at = memory.take(size)
        ends.setdefault(end + (end in joined), []).append((at, size))
        return at

    for index, step in enumerate(block.steps):
        for n in step.outputs:
            if aliasing.memory[n] == n and n not in direct:
                offsets[n] = place(sizes[n], max(index, last.get(n, index)))
        own[index] = [place(size, index) for size in temporaries.get(index, ())]
        if isinstance(step, While):
            carries = {
                i: place(sizes[n], max(index, last.get(n, index)))
                for i, n in enumerate(step.outputs)
                if aliasing.memory[n] == n
            }
            loops[index] = Loop(place(1, index), carries)
        for at, size in ends.pop(index, ()):
            memory.give(at, size)
    return Frame(memory.size, tuple(small), offsets, own, loops, direct)


def lifetimes(block: Block, aliasing: Aliasing) -> dict[int, int]:
    """For each memory, the last step that reads it. What a loop gives may lie where its first carries do."""
    end = len(block.steps)
    last = {aliasing.memory[n]: end for n in block.outputs}
    for index in range(end - 1, -1, -1):
        step = block.steps[index]
        for n in step.reads:
            last.setdefault(aliasing.memory[n], index)
        if isinstance(step, While):
            for carry, n in zip(step.carries, step.outputs):
                place = aliasing.memory[carry]
                last[place] = max(last[place], last.get(aliasing.memory[n], index))
    return last
