"""Runs the code of a plan in several threads at once, one for each process; see `grid.c`."""

from __future__ import annotations

import ctypes
import weakref
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

import numpy as np

from ... import stopping
from ...errors import InputError
from ...ir import TensorType
from ...ir.sizes import size_from_json
from .. import Serialized, ShardedValues, count_processors
from ..arrays import ALIGNMENT, addresses, array_address, empty
from .code import CCode, CHostCall, call_interruptibly, expect_memory, function_address, grid, in_main_thread
from .packing import Packing

FAILED, APART, NO_THREAD = 1, 2, 3
FINISHED, RUNNING = -2, -1
WRONG = "(what is wrong)"


class ThreadTeam:
    """The threads of processes, and their working memory, for one run at a time.

    Attributes:
        address: the address of what `grid.c` knows about the team.
    """

    def __init__(self, file: ctypes.CDLL, count: int, meetings: int, arena: int) -> None:
        size = (arena + ALIGNMENT,)
        self.arenas = [empty(np.dtype(np.uint8), size, "intermediate results") for _ in range(count)]
        self.address = file.make_team(count, meetings, count_processors())
        if not self.address:
            raise MemoryError(f"the threads of {count} devices")
        weakref.finalize(self, file.end_team, self.address).atexit = False  # at exit, its threads may be in a run


class ProcessGrid:
    """The code of a plan that several processes run at the same time.

    Args:
        code: the code.
        count: how many processes there are.
        collectives: the errors about each of the plan's collectives, with `WRONG` where they say what is wrong.
        meetings: how many groups of processes wait for each other.
    """

    device = "CPU"

    def __init__(self, code: CCode, count: int, collectives: Sequence[str], meetings: int) -> None:
        expect_memory(count * code.arena)
        self.code, self.count, self.collectives, self.meetings = code, count, collectives, meetings
        self._file = grid()
        self._file.make_team.restype = ctypes.c_void_p
        self._file.end_team.argtypes = self._file.stop_processes.argtypes = [ctypes.c_void_p]
        self._file.run_processes.argtypes = [ctypes.c_void_p] * 3
        self._teams: list[ThreadTeam] = []  # those that no run is using
        self._slow = True  # until a run turns out to be short

    def hold(self, number: int, shards: Sequence[np.ndarray]) -> list[Any]:
        """See `ThreadTeam`."""
        return list(shards)

    def run_each(
        self, inputs: ShardedValues, outputs: ShardedValues, meanwhile: Callable[[], None] = lambda: None
    ) -> None:
        """See `ThreadTeam`.

        Raises:
            InputError: the processes wait for each other at different collectives.
            InputError: a user's function failed for one of them; its exception is the cause.
        """
        meanwhile()  # now, as the processes use the processor, too
        code, count = self.code, self.count
        try:
            team = self._teams.pop()
        except IndexError:
            team = ThreadTeam(self._file, count, self.meetings, code.arena)
        aligned = [(at := array_address(arena)) + -at % ALIGNMENT for arena in team.arenas]
        calls: list[CHostCall | None] = [code.host() if code.host else None for _ in range(count)]
        for number, each in enumerate(calls):
            if each:
                each.where = f"device {number}"
        rooms = [0] * count  # where each has what handlers need
        memory = np.empty((count, code.calls.room if code.calls else 0), np.uint8)
        if code.calls:
            rooms = [array_address(row) for row in memory]
            for at in rooms:
                code.calls.begin(at)
        callbacks = [ctypes.cast(call.callback, ctypes.c_void_p).value or 0 if call else 0 for call in calls]
        ins, outs = ([addresses(map(address_of, row)) for row in side] for side in (inputs, outputs))
        lists = [addresses(map(ctypes.addressof, rows)) for rows in (ins, outs)]
        lists += [addresses(aligned), addresses(callbacks), addresses(rooms)]
        given, taken, working, hosts, called = map(ctypes.addressof, lists)
        stop = stopping.current()
        library, parallel, python = code.environment if stop is None else code.environment_of(stop)
        function = function_address(code.file, "run_plan")
        known, tables, asked = ctypes.addressof(code.constant_addresses), *map(ctypes.addressof, (library, python))
        run = addresses([function, given, taken, working, known, hosts, called, tables, parallel or 0, asked])
        steps = np.zeros(count, np.int32)

        def call(held: Any = (inputs, outputs, calls, memory, ins, outs, lists)) -> int:
            return int(self._file.run_processes(team.address, run, array_address(steps)))

        if self._slow and in_main_thread():
            # An interrupted run ends at its next collective, and holds its memory until then.
            wrong, self._slow = call_interruptibly(call, partial(self._file.stop_processes, team.address))
        else:
            wrong = call()
        self._teams.append(team)
        if wrong:
            error: BaseException | None = next((call.error for call in calls if call and call.error), None)
            if code.calls:
                error = next(filter(None, map(code.calls.failure, rooms)), error)
            raise error or self._failure(wrong, steps.tolist())

    def _failure(self, wrong: int, steps: Sequence[int]) -> BaseException:
        if wrong == NO_THREAD:
            return InputError(f"no threads can be started for {self.count} devices")
        if wrong != APART:
            return KeyboardInterrupt()
        waiting = [(n, step) for n, step in enumerate(steps) if step >= 0]
        number, step = waiting[0] if waiting else (0, 0)
        others = [n for n, other in enumerate(steps) if other != step]
        other = others[0] if others else number
        doing = "has finished" if steps[other] == FINISHED else "is at another collective"
        message = f"device {number} waits here, but device {other} {doing}"
        return InputError(self.collectives[step].replace(WRONG, message, 1))

    def serialize(self) -> Serialized | None:
        """See `Executor`."""
        code = self.code.serialize()
        facts = {"count": self.count, "collectives": self.collectives, "meetings": self.meetings}
        return None if code is None else Serialized({**code.facts, "grid": facts}, code.parts)


def address_of(value: Any) -> int:
    """The address of an array or of a buffer that nothing is waiting for any more."""
    if isinstance(value, np.ndarray):
        return array_address(value)
    from ...tinygrad.buffers import Part, memory

    if isinstance(value, Part):
        return address_of(value.whole) + value.offset
    return 0 if value is None else array_address(memory(value, np.dtype(np.uint8)))


def load(
    serialized: Serialized, inputs: Sequence[TensorType], outputs: Sequence[TensorType], threads: int
) -> CCode | ProcessGrid:
    """See `Loader`: code from the store, ready to run."""
    (shared, *constants), facts = serialized.parts, serialized.facts
    in_place, packings = dict(facts["in_place"]), {number: Packing(*packing) for number, packing in facts["packings"]}
    arena, library, used = size_from_json(facts["arena"]), tuple(facts["library"]), facts["threads"]
    code = CCode(shared.tobytes(), constants, inputs, outputs, arena, library, used, in_place, packings)
    return ProcessGrid(code, **facts["grid"]) if "grid" in facts else code
