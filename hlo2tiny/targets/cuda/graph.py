"""Carries out an executable's actions: records CUDA graphs, and runs them before and after what the host has to do."""

from __future__ import annotations

import ctypes
from collections.abc import Callable, Generator, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from functools import partial
from itertools import groupby
from typing import Any

from ...errors import InputError
from ...ir.place import Place
from .driver import UNWRITTEN, check, driver
from .executable import (
    Action,
    Direct,
    GraphBranch,
    GraphCopy,
    GraphExchange,
    GraphLaunch,
    GraphLoop,
    Multiply,
    Number,
    OnHost,
    describe,
    exchanges_of,
    inner_actions,
    needs_host,
)
from .loaded import LoadedExecutable
from .nccl import NcclProcess
from .recorder import Recorder, record


class CudaGraph:
    """A CUDA graph that can be launched.

    Attributes:
        watches: the observable state of its loops that exchange values.
    """

    def __init__(
        self,
        loaded: LoadedExecutable,
        actions: Sequence[Action],
        address: Callable[[Place], int],
        flag: tuple[int, int] | None = None,
    ) -> None:
        cu = driver()
        self._graph, recorder = record(loaded, actions, address, flag)
        self.watches, self._copied = recorder.watches, recorder.copied
        self._executable = check(cu.cuGraphInstantiate(self._graph, 0))
        if loaded.process is not None:  # now, as nothing may be allocated while others wait in an exchange
            check(cu.cuGraphUpload(self._executable, 0))

    def launch(self) -> None:
        check(driver().cuGraphLaunch(self._executable, 0))

    def destroy(self) -> None:
        check(driver().cuGraphExecDestroy(self._executable))
        for graph in (self._graph, *self._copied):
            check(driver().cuGraphDestroy(graph))


# The host takes half a microsecond for each action of a graph that it launches, and the GPU mostly longer to run it. So
# the first graph of many actions has this many, and the next ones GROWTH times as many as the one before, or the rest.
FIRST, GROWTH = 32, 4


def parts(actions: Sequence[Action], loops: bool) -> Iterator[tuple[bool, tuple[Action, ...]]]:
    """Actions in groups: whether the host takes part in a group, and its actions; for `loops` see `needs_host`.

    Of many actions, the GPU runs the first group while the host launches the others.
    """
    for on_host, group in groupby(actions, lambda action: needs_host([action], loops)):
        left, size = tuple(group), FIRST
        while not on_host and len(left) > GROWTH * size:
            yield on_host, left[:size]
            left, size = left[size:], GROWTH * size
        yield on_host, left


# What a process yields if it takes turns with others in one thread: it continues once this returns true.
Ready = Callable[[], bool]


def at_once() -> bool:
    return True


class BoundExecutable:
    """An executable at fixed addresses: graphs, and what runs between them on the host.

    Args:
        on_host: carries out a step on the host.
        read: returns the bytes of a place, once everything before has run.
    """

    def __init__(
        self,
        loaded: LoadedExecutable,
        address: Callable[[Place], int],
        on_host: Callable[[OnHost, Callable[[Place], int]], None],
        read: Callable[[int, int], bytes],
    ) -> None:
        self._loaded, self.address, self._on_host, self._read = loaded, address, on_host, read
        self._graphs: dict[int, CudaGraph] = {}
        self._parts: dict[int, list[tuple[bool, tuple[Action, ...]]]] = {}
        self._meetings: dict[int, Mapping[int, GraphExchange]] = {}  # the first exchanges of each graph with others
        self._iterations: dict[int, tuple[Action, ...]] = {}
        self._flags: dict[int, Any] = {}  # what the graphs that decide on another iteration write for the host
        self._recorded: set[int] = set()

    def run(self, actions: Sequence[Action]) -> None:
        for is_mixed, group in self._parts_of(actions):
            if is_mixed:
                for action in group:
                    self._run_mixed(action, self.run)
                continue
            self._launch(group)

    def _parts_of(self, actions: Sequence[Action]) -> list[tuple[bool, tuple[Action, ...]]]:
        if id(actions) not in self._parts:
            loops = self._loaded.loops and actions is self._loaded.executable.actions  # which one launch runs once
            self._parts[id(actions)] = list(parts(actions, loops))
        return self._parts[id(actions)]

    def _launch(self, group: Sequence[Action]) -> None:
        key = id(group)
        if self._loaded.process is not None:
            self._meet(self._loaded.process, group)
        if key not in self._graphs:
            self._graphs[key] = self.graph(group)
        graph = self._graphs[key]
        if graph.watches and self._loaded.process is not None:
            self._loaded.process.all.watch(self._loaded.process.number, graph.watches)
        graph.launch()

    def _iteration(self, action: GraphLoop) -> tuple[Action, ...]:
        """An iteration of a loop, with the decision on another one, which a single graph can hold."""
        if id(action) not in self._iterations:
            self._iterations[id(action)] = (*action.body, *action.condition)
        return self._iterations[id(action)]

    # ------------------------------------------------------------ as one of several processes in one thread

    def is_recorded(self, actions: Sequence[Action]) -> bool:
        """Whether `record` has been called for these."""
        return id(actions) in self._recorded

    def record(self, actions: Sequence[Action], decides: Place | None = None) -> None:
        """Record all graphs of some actions, none of which runs on the host; all processes do so at once.

        The last one copies the byte that `decides` on another iteration to the host.
        """
        found = self._parts_of(actions)
        for number, (is_mixed, group) in enumerate(found):
            for action in group if is_mixed else ():
                match action:
                    case GraphLoop(iterations=None):
                        self.record(action.condition, action.predicate)
                        self.record(self._iteration(action), action.predicate)
                    case _:
                        for inner in inner_actions(action):
                            self.record(inner)
            if not is_mixed:
                flag = None
                if decides is not None and number == len(found) - 1:
                    seen = self._flags.setdefault(id(actions), self._loaded.gpu.flag())
                    flag = ctypes.addressof(seen), self.address(decides)
                if id(group) in self._graphs:  # another process had to record again
                    self._graphs[id(group)].destroy()
                self._graphs[id(group)] = CudaGraph(self._loaded, group, self.address, flag)
        self._recorded.add(id(actions))

    def iterations(self, actions: Sequence[Action]) -> Iterator[Ready]:
        """Run actions that have been recorded; see `Ready`."""
        flag = self._flags.get(id(actions))
        if flag is not None:
            flag.value = UNWRITTEN
        for is_mixed, group in self._parts_of(actions):
            if not is_mixed:
                self._launch(group)
                yield at_once
            for action in group if is_mixed else ():
                match action:
                    case GraphLoop(iterations=None):
                        iteration = action.condition
                        while True:
                            yield from self.iterations(iteration)
                            if (yield from self._byte(action.predicate, self._flags.get(id(iteration)))) == 0:
                                break
                            iteration = self._iteration(action)
                    case GraphLoop():
                        for _ in range(action.iterations or 0):
                            yield from self.iterations(action.body)
                    case GraphBranch():
                        yield self._loaded.gpu.is_idle
                        yield from self.iterations(self._chosen(action))
                    case _:
                        raise TypeError(action)

    def _byte(self, place: Place, flag: Any) -> Generator[Ready, None, int]:
        """The byte at a place, which the GPU has written to a flag if there is one."""
        if flag is not None:
            yield lambda: flag.value != UNWRITTEN
            return int(flag.value)
        yield self._loaded.gpu.is_idle
        return self._read(self.address(place), 1)[0]

    def _meet(self, process: NcclProcess, group: Sequence[Action]) -> None:
        """Check that the other processes exchange the same, as far as they have got.

        Raises:
            InputError: another one does not, so that they would wait forever.
        """
        if id(group) not in self._meetings:
            exchanges = [*exchanges_of(group)]
            self._meetings[id(group)] = {n: each for each in reversed(exchanges) for n in each.others(process.number)}
        firsts = self._meetings[id(group)]
        if firsts and (wrong := process.all.meet(process.number, firsts)):
            raise InputError(f"{describe(self._loaded.executable, next(iter(firsts.values())))}: {wrong}")

    def run_each(
        self, actions: Sequence[Action], around: Callable[[BoundExecutable, Action], AbstractContextManager[None]]
    ) -> None:
        """Run actions one by one, without graphs; `around(self, action)` is entered for all but loops and branches."""
        for action in actions:
            if isinstance(action, GraphLoop | GraphBranch):
                self._run_mixed(action, partial(self.run_each, around=around))
                continue
            with around(self, action):
                self.start(action)

    def start(self, action: Action) -> None:
        """Run an action that is not a loop or branch, without a graph."""
        recorder = Recorder(self._loaded, self.address, stream=0)
        match action:
            case OnHost():
                self._on_host(action, self.address)
            case GraphCopy():
                recorder.copy([action])
            case GraphExchange() | Number():
                recorder.communicate(action)
            case GraphLaunch():
                recorder.start_step(action)
            case Multiply():
                recorder.start_step(action, recorder.space(action)[0])

    def graph(self, actions: Sequence[Action]) -> CudaGraph:
        return CudaGraph(self._loaded, actions, self.address)

    def _run_mixed(self, action: Action, run: Callable[[Sequence[Action]], None]) -> None:
        match action:
            case OnHost() | Direct():
                self.start(action)
            case GraphLoop(iterations=None):
                place = self.address(action.predicate)
                run(action.condition)
                while self._read(place, 1) != b"\0":
                    run(self._iteration(action))
            case GraphLoop():
                for _ in range(action.iterations or 0):
                    run(action.body)
            case GraphBranch():
                run(self._chosen(action))

    def _chosen(self, action: GraphBranch) -> Sequence[Action]:
        """The branch that runs."""
        raw = self._read(self.address(action.index), 1 if action.is_bool else 4)
        chosen = int(raw == b"\0") if action.is_bool else int.from_bytes(raw, "little", signed=True)
        last = len(action.branches) - 1
        return action.branches[chosen if 0 <= chosen <= last else last]

    def destroy(self) -> None:
        for graph in self._graphs.values():
            graph.destroy()
