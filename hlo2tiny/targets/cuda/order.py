"""The edges of a CUDA graph: actions that share no memory run at the same time.

An action waits for those before it that write what it reads or writes, and for those that read what it writes.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any, Generic, TypeAlias, TypeVar

T = TypeVar("T")
# An address, a size, and whether it is written.
BufferAccess: TypeAlias = tuple[int, int, bool]


def batches(items: Iterable[T], waits_for: Callable[[T, T], bool], most: int | None = None) -> Iterator[list[T]]:
    """Items that follow each other, in batches of at most so many in which none waits for another one."""
    batch = list[T]()
    for item in items:
        if len(batch) == most or any(waits_for(item, other) for other in batch):
            yield batch
            batch = []
        batch.append(item)
    if batch:
        yield batch


class Uses(Generic[T]):
    """For each part of a memory who has written it last, and who has read it since.

    Who else has used a part is left out: the last writer has waited for them.
    """

    def __init__(self, *writer: T) -> None:
        self._begins = [0]  # of the parts, each of which ends where the next one begins
        self._users: list[tuple[Sequence[T], list[T]]] = [(writer, [])]

    def before(self, begin: int, size: int, writes: bool) -> Iterator[T]:
        """Whom a use of some bytes waits for."""
        end = bisect_left(self._begins, begin + size) if size else 0
        for writer, readers in self._users[bisect_right(self._begins, begin) - 1 : end]:
            yield from writer
            if writes:
                yield from readers

    def add(self, begin: int, size: int, writes: bool, user: T) -> None:
        if not size:
            return
        first = self._cut(begin)
        last = first + 1  # mostly a part has been used before
        if last == len(self._begins) or self._begins[last] != begin + size:
            last = self._cut(begin + size)
        if writes:
            self._begins[first:last], self._users[first:last] = [begin], [((user,), [])]
        else:
            for _, readers in self._users[first:last]:
                readers.append(user)

    def _cut(self, at: int) -> int:
        """The number of the part that begins there, which is divided from the one before if need be."""
        part = bisect_left(self._begins, at)
        if part == len(self._begins) or self._begins[part] != at:
            writer, readers = self._users[part - 1]
            self._begins.insert(part, at)
            self._users.insert(part, (writer, [*readers]))
        return part


class Order:
    """Which actions of a recording wait for which.

    Args:
        nodes: returns the nodes of the graph that what is recorded next would wait for.
        continue_after: lets it wait for other nodes.
    """

    def __init__(self, nodes: Callable[[], list[Any]], continue_after: Callable[[Sequence[Any]], None]) -> None:
        self._recorded, self._continue_after = nodes, continue_after
        self._uses = Uses[int]()  # by the numbers of actions
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
            needed = {action for access in accesses for action in self._uses.before(*access)}
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
            self._uses, self._open = Uses(number), {number}
            return nodes
        for access in self._accesses:
            self._uses.add(*access, number)
        return nodes
