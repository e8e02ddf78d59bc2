"""Runs a program on several GPUs at once.

One thread launches what all processes do, one after the other: threads would wait for each other to run Python. Threads
are needed where processes wait for each other on the host: while graphs are recorded, and for steps on the host.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, suppress
from typing import Any, NoReturn

import numpy as np

from ...errors import InputError
from ...ir import TensorType
from ...tinygrad.buffers import from_numpy
from .. import Serialized, ShardedValues
from .code import CudaCode, load_each
from .driver import GraphStopped, keep_context
from .executable import GraphExchange, describe
from .graph import Ready
from .nccl import NcclGrid, grid_on, nccl
from .recorder import Unheld

# Seconds for which the host polls without a pause, as CUDA itself does, and between checks for errors; then it sleeps
# for this fraction of the time that it has waited.
EAGER, LOOKS, ASLEEP, LONGEST_SLEEP = 0.05, 0.05, 2e-3, 1e-3


class Clock:
    """Waits for what takes microseconds or seconds."""

    def __init__(self) -> None:
        self.looked = time.perf_counter()
        self.began = 0.0  # when the current wait began; 0: it has not

    def restart(self) -> None:
        self.began = 0.0

    def wait(self) -> bool:
        """Let others run for a moment; true if it is time to look for errors."""
        now = time.perf_counter()
        self.began = self.began or now
        past = now - self.began
        time.sleep(0 if past < EAGER else min(LONGEST_SLEEP, ASLEEP * past))
        if now - self.looked < LOOKS:
            return False
        self.looked = now
        return True


class GpuTeam:
    """The code of a plan that several processes run at the same time, each on its GPU.

    Args:
        codes: the code of each process.

    Raises:
        InputError: NCCL is not installed.
    """

    def __init__(self, codes: Sequence[CudaCode]) -> None:
        nccl()
        self.codes, self.count, self.device = codes, len(codes), codes[0].gpu.name
        self._joined: NcclGrid | None = None  # those as which the codes run
        self._loops = True  # whether loops that exchange values may be parts of graphs

    def hold(self, number: int, shards: Sequence[np.ndarray]) -> list[Any]:
        """See `sharded.Team`."""
        return [from_numpy(x, code.inputs[number], code.gpu.name) for code, x in zip(self.codes, shards)]

    def run_each(
        self, inputs: ShardedValues, outputs: ShardedValues, meanwhile: Callable[[], None] = lambda: None
    ) -> None:
        """See `sharded.Team`.

        Raises:
            Exception: what one of the processes raised.
        """
        try:
            self._run_each(inputs, outputs, meanwhile)
        except Unheld:  # as where values go through the host
            self._loops = False
            self.run_each(inputs, outputs, meanwhile)
        except GraphStopped as error:
            raise self._stopped(0, error) from error

    def _run_each(self, inputs: ShardedValues, outputs: ShardedValues, meanwhile: Callable[[], None]) -> None:
        gpus = [code.gpu for code in self.codes]
        with ExitStack() as stack:
            for gpu in sorted(gpus, key=lambda gpu: gpu.name):  # in one order, so that no two calls wait for each other
                stack.enter_context(gpu.lock)
            stack.enter_context(keep_context())
            grid = grid_on(gpus)
            grid.begin()
            if grid is not self._joined:
                grid.expect_groups(self.codes[0].executable.actions)
                for code, process in zip(self.codes, grid.each):
                    code.gpu.enter()
                    code.join(process, self._loops)
                self._joined = grid
            given = [dict(enumerate(row)) for row in outputs]
            if all(code.takes_turns for code in self.codes):
                self._take_iterations(grid, inputs, given, meanwhile)
            else:
                meanwhile()
                self._in_threads(grid, lambda number: self._run(grid, number, inputs, given))

    def _run(self, grid: NcclGrid, number: int, inputs: ShardedValues, outputs: Sequence[Mapping[int, Any]]) -> None:
        """Run one process, which has a thread of its own."""
        code, results = self.codes[number], outputs[number]
        on_host = any(isinstance(x, np.ndarray) for x in results.values())
        (code.run_arrays if on_host else code.run_buffers)(inputs[number], results)
        code.gpu.finish()  # so that an error of any process ends this call
        self._end(grid, number)

    def _end(self, grid: NcclGrid, number: int) -> None:
        self._expect_agreement(grid)
        if waiting := grid.end(number):
            self._fail(*waiting, f"{number} has finished")

    def _expect_agreement(self, grid: NcclGrid) -> None:
        if found := grid.find_disagreement():
            other, number, exchange = found
            self._fail(other, exchange, f"{number} has left the loop")

    def _fail(self, waiting: int, exchange: GraphExchange, other: str) -> NoReturn:
        where = describe(self.codes[0].executable, exchange)  # which all processes share
        raise InputError(f"{where}: device {waiting} waits here, but device {other}")

    def _take_iterations(
        self,
        grid: NcclGrid,
        inputs: ShardedValues,
        outputs: Sequence[Mapping[int, Any]],
        meanwhile: Callable[[], None],
    ) -> None:
        """Run all processes in this thread: each launches what it can, and then the others do."""
        iterations, ready = list[Iterator[Ready]](), dict[int, Ready]()
        for number, code in enumerate(self.codes):
            iterations.append(code.iterations(inputs[number], outputs[number]))
            ready[number] = next(iterations[-1])
        if not all(code.is_recorded for code in self.codes):
            self._in_threads(grid, lambda number: self.codes[number].record())
        clock, is_first = Clock(), True  # whether the GPUs compute for the first time while the host has nothing to do
        try:
            while ready:
                progress = False
                for number in [*ready]:
                    if not ready[number]():
                        continue
                    progress = True
                    self.codes[number].gpu.enter()
                    try:
                        ready[number] = next(iterations[number])
                    except StopIteration:
                        del ready[number]
                        self._end(grid, number)
                if progress:
                    clock.restart()
                elif is_first:
                    is_first = False
                    meanwhile()
                elif clock.wait():
                    for number in ready:
                        self.codes[number].gpu.is_idle()  # which raises an error if the GPU has stopped
                    self._expect_agreement(grid)
            if is_first:
                meanwhile()
        except BaseException:
            grid.abort()
            self._forget()
            raise

    def _in_threads(self, grid: NcclGrid, work: Callable[[int], None]) -> None:
        """Let each process do something that waits for others, in threads."""
        errors: list[BaseException] = []

        def run(number: int) -> None:
            code = self.codes[number]
            try:
                code.gpu.enter()
                work(number)
            except BaseException as error:
                errors.append(self._stopped(number, error) if isinstance(error, GraphStopped) else error)
                grid.abort()

        threads = [
            threading.Thread(target=run, args=(n,), name=f"hlo2tiny {code.gpu.name}", daemon=True)
            for n, code in enumerate(self.codes)
        ]
        for thread in threads:
            thread.start()
        try:
            for thread in threads:
                thread.join()
        except BaseException:
            grid.abort()
            for thread in threads:
                thread.join()
            raise
        finally:
            if grid.aborted:
                self._forget()
        if errors:
            raise errors[0]

    def _stopped(self, number: int, error: GraphStopped) -> InputError:
        """What to do when a GPU has stopped; the driver reports that for all of them."""
        return self.codes[number].stopped(error, [code.gpu.name for code in self.codes])

    def _forget(self) -> None:
        """Destroy the graphs of processes that have been aborted."""
        for code in self.codes:
            with suppress(GraphStopped, InputError):  # after the error that ended the call
                code.forget()

    def serialize(self) -> Serialized | None:
        """See `Executor`."""
        one = self.codes[0].serialize()
        names = [code.gpu.name for code in self.codes]
        return None if one is None else Serialized({**one.facts, "devices": names}, one.parts)


def load(
    serialized: Serialized, inputs: Sequence[TensorType], outputs: Sequence[TensorType], threads: int
) -> CudaCode | GpuTeam:
    """See `Loader`: a stored program for one GPU or several."""
    names = serialized.facts.get("devices", ())
    codes = load_each(serialized, inputs, outputs, names or [serialized.facts["device"]])
    return GpuTeam(codes) if names else codes[0]
