"""Runs the code of a plan in several threads at once, one for each participant; see `participants.c`."""

from __future__ import annotations

import ctypes
import threading
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from ...errors import InputError
from .. import Serialized, count_processors
from ..arrays import ALIGNMENT, addresses, array_address, empty
from .code import Code, HostCall, expect_memory, function_address, participants

# How often a participant looks whether the others have come before it lets other threads run.
SPINS = 2000
FAILED, APART, NO_THREAD = 1, 2, 3
FINISHED, RUNNING = -2, -1
WRONG = "(what is wrong)"


class Participants:
    """The code of a plan that several participants run at the same time.

    Args:
        code: the code.
        count: how many participants there are.
        collectives: the errors about each of the plan's collectives, with `WRONG` where they say what is wrong.
        meetings: how many groups of participants wait for each other.
    """

    device = "CPU"

    def __init__(self, code: Code, count: int, collectives: Sequence[str], meetings: int) -> None:
        expect_memory(count * code.arena)
        self.code, self.count, self.collectives, self.meetings = code, count, collectives, meetings
        self._file = participants()
        self._file.team_size.restype = ctypes.c_ssize_t
        self._file.prepare_team.argtypes = [ctypes.c_void_p, ctypes.c_int, ctypes.c_ssize_t, ctypes.c_void_p]
        self._file.stop_participants.argtypes = [ctypes.c_void_p]
        self._file.run_participants.argtypes = [ctypes.c_void_p, ctypes.c_void_p]
        self._spins = SPINS if count <= count_processors() else 0
        self._arenas: list[list[np.ndarray]] = []  # those that no run is using

    def hold(self, number: int, shards: Sequence[np.ndarray]) -> list[Any]:
        """See `Team`."""
        return list(shards)

    def run_each(self, inputs: Sequence[Sequence[Any]], outputs: Sequence[Sequence[Any]]) -> None:
        """See `Team`.

        Raises:
            InputError: the participants wait for each other at different collectives.
            Exception: what a function of the host raised for one of them.
        """
        code, count = self.code, self.count
        try:
            arenas = self._arenas.pop()
        except IndexError:
            size = (code.arena + ALIGNMENT,)
            arenas = [empty(np.dtype(np.uint8), size, "intermediate results") for _ in range(count)]
        aligned = [(at := array_address(arena)) + -at % ALIGNMENT for arena in arenas]
        team = np.zeros(self._file.team_size() + ALIGNMENT, np.uint8)
        at = array_address(team)
        at += -at % ALIGNMENT
        meetings = np.zeros((max(1, self.meetings), 4), np.int32)
        self._file.prepare_team(at, count, self._spins, array_address(meetings))
        calls: list[HostCall | None] = [code.host() if code.host else None for _ in range(count)]
        callbacks = [ctypes.cast(call.callback, ctypes.c_void_p).value or 0 if call else 0 for call in calls]
        ins, outs = ([addresses(map(place_of, row)) for row in side] for side in (inputs, outputs))
        lists = [addresses(map(ctypes.addressof, rows)) for rows in (ins, outs)]
        lists += [addresses(aligned), addresses(callbacks)]
        given, taken, working, hosts = map(ctypes.addressof, lists)
        library, parallel, _ = code.environment
        function = function_address(code.file, "run_plan")
        known, tables = ctypes.addressof(code.constant_addresses), ctypes.addressof(library)
        fields = [function, given, taken, working, known, hosts, tables, parallel or 0, at]
        run, steps = addresses(fields), np.zeros(count, np.int32)
        memory = (inputs, outputs, arenas, team, meetings, calls, ins, outs, lists, run, steps)
        wrong = self._interruptibly(lambda: self._file.run_participants(run, array_address(steps)), at, memory)
        self._arenas.append(arenas)
        if wrong:
            error = next((call.error for call in calls if call and call.error), None)
            raise error or self._failure(wrong, steps.tolist())

    def _interruptibly(self, call: Callable[[], int], team: int, held: Any) -> int:
        """Call in another thread while the main thread waits, so that Ctrl-C can end the wait.

        An interrupted run ends at its next collective, and holds its memory until then.
        """
        if threading.current_thread() is not threading.main_thread():
            return call()
        results: list[int] = []

        def run(held: Any = held) -> None:
            results.append(call())

        thread = threading.Thread(target=run, name="hlo2tiny", daemon=True)
        thread.start()
        try:
            thread.join()
        except BaseException:
            self._file.stop_participants(team)
            raise
        return results[0]

    def _failure(self, wrong: int, steps: Sequence[int]) -> BaseException:
        if wrong == NO_THREAD:
            return InputError(f"no threads can be started for {self.count} participants")
        if wrong != APART:
            return KeyboardInterrupt()
        waiting = [(n, step) for n, step in enumerate(steps) if step >= 0]
        number, step = waiting[0] if waiting else (0, 0)
        others = [n for n, other in enumerate(steps) if other != step]
        other = others[0] if others else number
        doing = "has finished" if steps[other] == FINISHED else "is at another collective"
        message = f"participant {number} waits here, but participant {other} {doing}"
        return InputError(self.collectives[step].replace(WRONG, message, 1))

    def serialize(self) -> Serialized | None:
        """See `Executor`."""
        code = self.code.serialize()
        facts = {"count": self.count, "collectives": self.collectives, "meetings": self.meetings}
        return None if code is None else Serialized({**code.facts, "participants": facts}, code.parts)


def place_of(value: Any) -> int:
    """The address of an array or of a buffer, for which nothing is waiting any more."""
    if isinstance(value, np.ndarray):
        return array_address(value)
    from ...tinygrad.buffers import memory

    return 0 if value is None else array_address(memory(value, np.dtype(np.uint8)))
