"""The edges of a CUDA graph: actions that share no memory run at the same time.

An action waits for those before it that write what it reads or writes, and for those that read what it writes.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, TypeAlias

# An address, a size, and whether it is written.
BufferAccess: TypeAlias = tuple[int, int, bool]


class Order:
    """Which actions of a recording wait for which.

    Args:
        nodes: returns the nodes of the graph that what is recorded next would wait for.
        continue_after: lets it wait for other nodes.
    """

    def __init__(self, nodes: Callable[[], list[Any]], continue_after: Callable[[Sequence[Any]], None]) -> None:
        self._recorded, self._continue_after = nodes, continue_after
        self._last: list[tuple[int, int, bool, int]] = []  # what later actions may have to wait for, and whose it is
        self._nodes: list[list[Any]] = []  # the last nodes of each action
        self._before: list[int] = []  # for each action the set of those that it waits for, as bits
        self._open: set[int] = set()  # actions that no other one waits for
        self._accesses: Sequence[BufferAccess] | None = None
        self._waiting = 0

    def begin(self, accesses: Sequence[BufferAccess] | None = None) -> None:
        """Begin an action with these accesses; without them, it waits for everything, and everything for it."""
        if accesses is None:
            needed = set(self._open)
        else:
            needed = {
                action
                for begin, size, writes, action in self._last
                for start, length, changes in accesses
                if (writes or changes) and begin < start + length and start < begin + size
            }
        self._waiting = 0
        for action in needed:
            self._waiting |= self._before[action]
        direct = [action for action in needed if not self._waiting >> action & 1]
        self._waiting |= sum(1 << action for action in needed)
        if not self._nodes:
            self._nodes, self._before, direct = [self._recorded()], [0], [0]
        elif not direct:  # begins with the recording
            direct = [0]
        self._open.difference_update(direct)
        self._continue_after([node for action in sorted(direct) for node in self._nodes[action]])
        self._accesses = accesses

    def end(self) -> list[Any]:
        """End the action, which has been recorded, and return its last nodes."""
        number, nodes = len(self._nodes), self._recorded()
        self._nodes.append(nodes)
        self._before.append(self._waiting)
        self._open.add(number)
        if self._accesses is None:
            self._last = [(0, 1 << 64, True, number)]
            self._open = {number}
            return nodes
        for start, size, writes in self._accesses:
            if writes:
                self._last = [x for x in self._last if not (start <= x[0] and x[0] + x[1] <= start + size)]
        self._last += [(*access, number) for access in self._accesses]
        return nodes
