"""Python work that forked processes share: they take its items one by one, and the results come back in order.

A fork is safe where no other thread runs Python: the children run nothing else, and end without cleaning up. Elsewhere
this process does everything itself, as it does what a child failed to do.
"""

from __future__ import annotations

import contextlib
import gc
import os
import pickle
import select
import signal
import sys
import threading
import warnings
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any, NoReturn, TypeVar, cast

from .forking import has_frozen

Item = TypeVar("Item")
Result = TypeVar("Result")

NUMBER = 4  # bytes
# A result follows its item's number and its size; this size stands for a result that is missing.
MISSING = 0xFFFFFFFF
MOST_ITEMS = 4096  # whose numbers fit into a pipe
MOST_READ = 1 << 16


def can_fork() -> bool:
    """Whether no other thread runs Python. JAX has threads of its own, and warns of deadlocks when it sees a fork."""
    return sys.platform == "linux" and threading.active_count() == 1 and "jax" not in sys.modules


@contextmanager
def share_work(work: Callable[[Item], Result], items: Sequence[Item], processes: int) -> Iterator[Iterator[Result]]:
    """Do some work in that many processes, including this one. Yields the results in order, each once it is there.

    An exception in `work` is raised where its result would come. Children do no more work after the `with` block.
    """
    if processes < 2 or not 2 <= len(items) <= MOST_ITEMS or not can_fork():
        yield map(work, items)
        return
    queue = queue_of(len(items))
    children: dict[int, int] = {}  # the pipe of its results, and the number of the process
    try:
        for _ in range(processes - 1):
            source, child = begin_process(work, items, queue)
            children[source] = child
        yield collect(work, items, queue, children)
    finally:
        os.close(queue)
        for source, child in children.items():
            os.close(source)
            end_process(child)


@contextmanager
def begin_work(work: Callable[[], Result]) -> Iterator[Callable[[], Result]]:
    """Let a forked process do some work. Yields a function that waits for its result, which raises what `work` does.

    That function does the work itself where no process can be forked, or where the forked one failed.
    """
    if not can_fork():
        yield work
        return
    queue = queue_of(1)
    try:
        source, child = begin_process(lambda _: work(), [None], queue)
    finally:
        os.close(queue)

    def wait() -> Result:
        received = bytearray()
        while part := os.read(source, MOST_READ):
            received += part
        for _, result in complete_results(received):
            return cast(Result, result)
        return work()

    try:
        yield wait
    finally:
        os.close(source)
        end_process(child)


def queue_of(count: int) -> int:
    """A pipe with the numbers of so many items."""
    queue, end = os.pipe()
    os.write(end, b"".join(i.to_bytes(NUMBER, "little") for i in range(count)))
    os.close(end)
    return queue


def begin_process(work: Callable[[Item], Result], items: Sequence[Item], queue: int) -> tuple[int, int]:
    """Fork a process that takes items from a queue. Returns the pipe of its results, and its number."""
    source, target = os.pipe()
    try:
        if (child := fork()) == 0:
            os.close(source)  # so that a write fails once the parent has ended, instead of waiting for a reader
            serve(work, items, queue, target)
    finally:
        os.close(target)
    return source, child


def end_process(child: int) -> None:
    with contextlib.suppress(OSError):  # something else has waited for it
        os.kill(child, signal.SIGKILL)
        os.waitpid(child, 0)


def fork() -> int:
    frozen = has_frozen()
    gc.freeze()  # so that no collection in the child frees what it shares with its parent, or copies that memory
    child = -1
    try:
        with warnings.catch_warnings():
            # Python warns about threads that it does not know, such as those of numpy's BLAS. No child calls them.
            warnings.simplefilter("ignore")
            child = os.fork()
    finally:
        if child and not frozen:
            gc.unfreeze()
    return child


def serve(work: Callable[[Item], Result], items: Sequence[Item], queue: int, target: int) -> NoReturn:
    """Take items until none is left, and write their results."""
    try:
        while number := os.read(queue, NUMBER):
            try:
                result = pickle.dumps(work(items[int.from_bytes(number, "little")]))
                answer = len(result).to_bytes(NUMBER, "little") + result
            except Exception:
                answer = MISSING.to_bytes(NUMBER, "little")
            with open(target, "wb", closefd=False) as file:
                file.write(number + answer)
    finally:
        os._exit(0)


def collect(
    work: Callable[[Item], Result], items: Sequence[Item], queue: int, children: Mapping[int, int]
) -> Iterator[Result]:
    """Take items as the children do, and yield all results in order."""
    done: dict[int, Any] = {}
    parts = {source: bytearray() for source in children}

    def receive(patience: float | None) -> None:
        for source in select.select(list(parts), [], [], patience)[0]:
            read = os.read(source, MOST_READ)
            parts[source] += read
            done.update(complete_results(parts[source]))
            if not read:  # the child has ended
                del parts[source]

    for i, item in enumerate(items):
        while i not in done:
            receive(0)
            if i in done:
                break
            if number := os.read(queue, NUMBER):
                own = int.from_bytes(number, "little")
                with contextlib.nullcontext() if own == i else contextlib.suppress(Exception):
                    done[own] = work(items[own])
            elif parts:
                receive(None)
            else:
                done[i] = work(item)
        yield done.pop(i)


def complete_results(received: bytearray) -> Iterator[tuple[int, Any]]:
    """Take the results, with their numbers, from what a child has written so far."""
    while len(received) >= 2 * NUMBER:
        number, size = (int.from_bytes(received[i : i + NUMBER], "little") for i in (0, NUMBER))
        end = 2 * NUMBER + (0 if size == MISSING else size)
        if len(received) < end:
            return
        if size != MISSING:
            yield number, pickle.loads(received[2 * NUMBER : end])
        del received[:end]
