"""NCCL, which transfers the values of processes from one GPU to another.

NCCL's own all-reduce, all-gather and reduce-scatter are called where they do what a collective asks for, with a
communicator for each group. Every other exchange is a group of sends and receives between pairs, so that one
communicator serves groups of any size. The program's processes are threads of one process of the system, each on a GPU
of its own.
"""

from __future__ import annotations

import ctypes
import threading
import warnings
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import cache
from itertools import combinations
from typing import Any

from ...errors import InputError
from .driver import Gpu, Watch, check, driver, library
from .executable import Action, GraphCombine, GraphExchange, GraphLoop, exchanges_of, inner_actions

MISSING = (
    "a program for several GPUs needs NVIDIA's NCCL, which is not installed; run `pip install 'hlo2tiny[cuda-several]'`"
)
# NCCL's numbers of elements' types and of reductions.
TYPES = {
    "i8": 0, "ui8": 1, "i32": 2, "ui32": 3, "i64": 4, "ui64": 5, "f16": 6, "f32": 7, "f64": 8, "bf16": 9
}  # fmt: skip
REDUCTIONS = {"Sum": 0, "Prod": 1, "Max": 2, "Min": 3}
BYTES = TYPES["i8"]  # parts are counted in bytes
# Seconds in which a group of sends and receives starts, unless it waits for another process.
LONGEST_START = 0.3
ENDING = "hlo2tiny: a communicator ends"


class Aborted(Exception):
    """Another process has failed, so nothing is exchanged any more."""


class Nccl:
    """The library, loaded.

    Raises:
        InputError: it is not installed.
    """

    def __init__(self) -> None:
        path = library("nccl")
        if path is None:
            raise InputError(MISSING)
        self._library = ctypes.CDLL(path)
        self._library.ncclGetErrorString.restype = self._library.ncclGetLastError.restype = ctypes.c_char_p

    def call(self, name: str, *arguments: Any) -> None:
        status = getattr(self._library, name)(*arguments)
        if status:
            texts = self._library.ncclGetErrorString(status), self._library.ncclGetLastError(None)
            said = "; ".join(text.decode(errors="replace").strip() for text in texts if text)
            raise RuntimeError(f"{name} of NCCL failed: {said or status}")


@cache
def nccl() -> Nccl:
    return Nccl()


class NcclProcess:
    """What one process exchanges values with.

    Attributes:
        number: its number.
        all: the processes, of which it is one.
        communicator: the communicator of all of them.
        groups: the communicators of the groups of which it is one.
    """

    def __init__(self, all: NcclGrid, number: int, communicator: int) -> None:
        self.all, self.number, self.communicator = all, number, ctypes.c_void_p(communicator)
        self.groups: dict[tuple[int, ...], ctypes.c_void_p] = {}
        self._lock = threading.Lock()
        self._aborted = False

    def carry_out(self, action: GraphExchange, value: int, result: int, stream: Any, queue: Any = None) -> None:
        """Let a stream write the result of an exchange at an address, from the values of processes.

        If another one is given as `queue`, NCCL's work runs there.

        Raises:
            Aborted: another process has failed.
        """
        queue = stream if queue is None else queue
        if isinstance(action, GraphCombine):
            self.combine(action, value, result, queue)
        else:
            self.exchange(action, value, result, stream, queue)

    def combine(self, action: GraphCombine, value: int, result: int, stream: Any) -> None:
        """The same for an exchange of NCCL's own."""
        communicator = next(self.groups[group] for group in action.groups if self.number in group)
        kinds = [TYPES[action.element], *([REDUCTIONS[action.reduction]] if action.reduction else [])]
        pointers = ctypes.c_void_p(value), ctypes.c_void_p(result), ctypes.c_size_t(action.count)
        with self._lock:
            if self._aborted:
                raise Aborted
            nccl().call(f"nccl{action.name}", *pointers, *kinds, communicator, ctypes.c_void_p(int(stream)))

    def exchange(self, action: GraphExchange, value: int, result: int, stream: Any, queue: Any) -> None:
        """The same by sends and receives."""
        cu, library, queue, sources, size = driver(), nccl(), ctypes.c_void_p(int(queue)), action.sources, action.size
        sends = [
            (part, other)
            for other, row in enumerate(sources)
            for part in (found[1] for found in row if found is not None and found[0] == self.number)
            if other != self.number
        ]
        receives = []
        for index, found in enumerate(sources[self.number]):
            at = result + index * size
            if found is None:
                check(cu.cuMemsetD8Async(at, 0, size, stream))
            elif found[0] == self.number:
                check(cu.cuMemcpyDtoDAsync(at, value + found[1] * size, size, stream))
            else:
                receives.append((at, found[0]))
        if not sends and not receives:
            return
        bytes = ctypes.c_size_t(size)
        with self._lock:
            if self._aborted:
                raise Aborted
            library.call("ncclGroupStart")
            try:
                for part, other in sends:
                    at = value + part * size
                    library.call("ncclSend", ctypes.c_void_p(at), bytes, BYTES, other, self.communicator, queue)
                for at, other in receives:
                    library.call("ncclRecv", ctypes.c_void_p(at), bytes, BYTES, other, self.communicator, queue)
            finally:
                library.call("ncclGroupEnd")

    @contextmanager
    def together(self) -> Iterator[None]:
        """Delay the exchanges inside the block until its end.

        Raises:
            Aborted: another process has failed.
        """
        nccl().call("ncclGroupStart")
        try:
            yield
        finally:
            with self._lock:
                nccl().call("ncclGroupEnd")

    def abort(self) -> None:
        """End the exchanges that are running. This returns once no graph holds one any more."""
        self._aborted = True
        # A group may wait to connect to a process that has failed; only this call ends its wait.
        started = self._lock.acquire(timeout=LONGEST_START)
        try:
            for communicator in {each.value: each for each in (self.communicator, *self.groups.values())}.values():
                nccl().call("ncclCommAbort", communicator)
        finally:
            if started:
                self._lock.release()


class NcclGrid:
    """The processes on some GPUs, which programs for these GPUs share."""

    def __init__(self, gpus: Sequence[Gpu]) -> None:
        self._gpus = gpus
        self._numbers = []
        for gpu in gpus:
            gpu.enter()
            self._numbers.append(int(check(driver().cuCtxGetDevice())))
        self._say_what_is_slow()
        everyone = tuple(range(len(gpus)))
        self.each = [NcclProcess(self, n, at) for n, at in enumerate(self._communicators(everyone))]
        for process in self.each:
            process.groups[everyone] = process.communicator
        self.aborted, self._lock = False, threading.Lock()
        self.begin()

    def _communicators(self, group: tuple[int, ...]) -> list[int]:
        """New communicators for a group, in its order."""
        made = (ctypes.c_void_p * len(group))()
        numbers = (ctypes.c_int * len(group))(*(self._numbers[n] for n in group))
        try:
            nccl().call("ncclCommInitAll", made, len(group), numbers)
        except RuntimeError as error:
            raise InputError(f"the GPUs cannot be connected: {error} ({self._free_memory(group)})") from error
        return [at or 0 for at in made]

    def _free_memory(self, group: Sequence[int]) -> str:
        """How much free memory there is, which another system process may have taken."""
        said = []
        for gpu in (self._gpus[n] for n in group):
            gpu.enter()
            said.append(f"{gpu.name} has {gpu.free_memory():,} bytes of free memory")
        return ", ".join(said)

    def _say_what_is_slow(self) -> None:
        """Warn about GPUs that cannot reach each other's memory."""
        apart = [
            f"{self._gpus[a].name} and {self._gpus[b].name}"
            for a, b in combinations(range(len(self._gpus)), 2)
            if not check(driver().cuDeviceCanAccessPeer(self._numbers[a], self._numbers[b]))
        ]
        if apart:
            pairs = ", ".join(apart)
            warnings.warn(
                f"{pairs} cannot reach each other's memory, so they exchange values through the host", stacklevel=2
            )

    def expect_groups(self, actions: Sequence[Action]) -> None:
        """Create the communicators that some actions use before processes run: a group creates its own all at once."""
        for action in actions:
            for inner in inner_actions(action):
                self.expect_groups(inner)
            for group in action.groups if isinstance(action, GraphCombine) else ():
                if group not in self.each[group[0]].groups:
                    for n, at in zip(group, self._communicators(group)):
                        self.each[n].groups[group] = ctypes.c_void_p(at)

    def begin(self) -> None:
        """Begin a call of a program."""
        # What each has begun to exchange with each, by the first exchange of several that are launched at once.
        self._begun: list[list[list[GraphExchange]]] = [[[] for _ in self.each] for _ in self.each]
        self._ended: set[int] = set()
        # The loops in graphs that exchange values, and what is seen of them, by process.
        self._watched: dict[int, tuple[GraphLoop, dict[int, Watch]]] = {}

    def watch(self, number: int, loops: Sequence[tuple[GraphLoop, Watch]]) -> None:
        """Watch the loops of a process's graph, before it is launched."""
        for loop, watch in loops:
            watch.word = watch.stop = 0
            self._watched.setdefault(id(loop), (loop, {}))[1][number] = watch

    def find_disagreement(self) -> tuple[int, int, GraphExchange] | None:
        """One process that continues a loop, and another that it exchanges values with and that does not."""
        for loop, found in self._watched.values():
            seen = {n: watch.seen for n, watch in found.items()}
            ended = [n for n, (_, goes_on) in seen.items() if not goes_on]
            for exchange in exchanges_of([loop]) if ended else ():
                for n in ended:
                    for other in exchange.others(n) & seen.keys():
                        if seen[other] > seen[n]:
                            return other, n, exchange
        return None

    def meet(self, number: int, firsts: Mapping[int, GraphExchange]) -> str:
        """Begin a process's exchanges with others, given the first exchange with each of them.

        Returns:
            What is wrong, if another process does not do the same and they would wait forever, or ''.
        """
        with self._lock:
            for other, first in firsts.items():
                mine, theirs = self._begun[number][other], self._begun[other][number]
                if len(theirs) > len(mine) and theirs[len(mine)] is not first:
                    return f"device {number} waits here, but device {other} is at another collective"
                if len(theirs) <= len(mine) and other in self._ended:
                    return f"device {number} waits here, but device {other} has finished"
                mine.append(first)
        return ""

    def end(self, number: int) -> tuple[int, GraphExchange] | None:
        """End the call for a process; return another one that waits for it, and at which exchange."""
        with self._lock:
            self._ended.add(number)
            for other, row in enumerate(self._begun):
                if len(row[number]) > len(mine := self._begun[number][other]):
                    return other, row[number][len(mine)]
        return None

    def abort(self) -> None:
        """End all exchanges; these processes cannot be used any more.

        Their communicators end in threads, since NCCL waits until no program has graphs with them.
        """
        with self._lock:
            if self.aborted:
                return
            self.aborted = True
            for _, found in self._watched.values():
                for watch in found.values():
                    watch.stop = 1
        if _grids.get(key := tuple(self._gpus)) is self:
            del _grids[key]
        for pair in zip(self._gpus, self.each):
            threading.Thread(target=self._end, args=pair, name=ENDING, daemon=True).start()

    def _end(self, gpu: Gpu, process: NcclProcess) -> None:
        gpu.enter()
        process.abort()


_grids: dict[tuple[Gpu, ...], NcclGrid] = {}


def grid_on(gpus: Sequence[Gpu]) -> NcclGrid:
    """The processes on some GPUs, created when they are first asked for; the caller holds the GPUs' locks."""
    key = tuple(gpus)
    if key not in _grids:
        _grids[key] = NcclGrid(gpus)
    return _grids[key]
