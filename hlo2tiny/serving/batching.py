"""Requests wait here for others, with which they are one call of the program."""

from __future__ import annotations

import asyncio
import logging
import time
from collections import deque
from collections.abc import Callable, Coroutine, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from ..errors import Error, InputError
from .metrics import Metrics
from .models import Model, Models
from .protocol import BAD, BUSY, FAILED, Inference, Refused, arrays_of

log = logging.getLogger("hlo2tiny.serving")
Arrays = Sequence[np.ndarray]


@dataclass(eq=False)
class Waiting:
    """A request that waits for its results."""

    arrays: Arrays
    rows: int
    results: asyncio.Future[Arrays]
    arrival: float = field(default_factory=time.monotonic)

    @property
    def shapes(self) -> list[tuple[int, ...]]:
        """What the requests of a batch have in common."""
        return [array.shape[1:] for array in self.arrays]


@dataclass(frozen=True)
class Limits:
    """How requests are batched, and how many may wait.

    Attributes:
        window: the seconds for which a request waits for others.
        most_rows: how many rows a batch has at most.
        most_waiting: how many requests may wait for one model.
        most_bytes: the size of the largest request.
    """

    window: float = 0.002
    most_rows: int = 64
    most_waiting: int = 1024
    most_bytes: int = 64 << 20


class Queue:
    """The requests that wait for one model."""

    def __init__(self, model: Model, limits: Limits, workers: Workers, metrics: Metrics) -> None:
        self._model, self._limits, self._workers, self._metrics = model, limits, workers, metrics
        self._waiting: deque[Waiting] = deque()
        self._changed = asyncio.Event()
        self._task = asyncio.get_running_loop().create_task(self._serve())

    async def run(self, arrays: Arrays) -> Arrays:
        """The results for a request; raises Refused if too many requests wait, or if it cannot be run."""
        if len(self._waiting) >= self._limits.most_waiting:
            raise Refused(
                BUSY, f"{len(self._waiting):,} requests wait for model {self._model.name!r} already; try later"
            )
        try:
            rows = self._model.rows.count(arrays) if self._model.rows is not None else 0
        except InputError as error:
            raise Refused(BAD, str(error)) from None
        request = Waiting(arrays, rows, asyncio.get_running_loop().create_future())
        self._waiting.append(request)
        self._metrics.waiting(self._model, len(self._waiting))
        self._changed.set()
        return await request.results

    async def _serve(self) -> None:
        """Take batches off the queue and hand them to workers, for ever."""
        while True:
            await self._wait_for_batch()
            await self._workers.free.acquire()
            batch = self._take()
            if batch:
                self._workers.start(self._run(batch))
            else:
                self._workers.free.release()

    async def _wait_for_batch(self) -> None:
        """Wait until a batch is full, or its first request has waited for the whole window."""
        while True:
            self._changed.clear()
            if self._waiting:
                left = self._waiting[0].arrival + self._limits.window - time.monotonic()
                if left <= 0 or self._model.rows is None:
                    return
                if sum(request.rows for request in self._waiting) >= self._limits.most_rows:
                    return
                timer = asyncio.get_running_loop().call_later(left, self._changed.set)
                await self._changed.wait()
                timer.cancel()
            else:
                await self._changed.wait()

    def _take(self) -> list[Waiting]:
        """The first request and those that fit into a batch with it."""
        batch: list[Waiting] = []
        rest: list[Waiting] = []
        rows = 0
        while self._waiting:
            request = self._waiting.popleft()
            if request.results.done():  # its client has gone
                continue
            fits = not batch or (
                self._model.rows is not None
                and 0 < rows + request.rows <= self._limits.most_rows
                and rows
                and request.rows
                and request.shapes == batch[0].shapes
            )
            if fits:
                batch.append(request)
                rows += request.rows
            else:
                rest.append(request)
            if self._model.rows is None or rows >= self._limits.most_rows:
                break
        self._waiting.extendleft(reversed(rest))
        self._metrics.waiting(self._model, len(self._waiting))
        return batch

    async def _run(self, batch: list[Waiting]) -> None:
        """Run a batch. If that fails, each of its requests is run alone, so that only the one at fault fails."""
        try:
            answers = await self._workers.call(self._compute, batch)
        except Exception as error:
            if len(batch) > 1:
                for request in batch:
                    await self._run([request])
            elif not batch[0].results.done():
                batch[0].results.set_exception(refusal(error))
            return
        for request, results in zip(batch, answers):
            if not request.results.done():
                request.results.set_result(results)

    def _compute(self, batch: list[Waiting]) -> list[Arrays]:
        rows = sum(request.rows for request in batch)
        with self._metrics.running(self._model, rows or len(batch)):
            if len(batch) == 1:
                return [self._model.run(batch[0].arrays)]
            results = self._model.run([np.concatenate(parts) for parts in zip(*(x.arrays for x in batch))])
        answers, at = list[Arrays](), 0
        for request in batch:
            answers.append([result[at : at + request.rows] for result in results])
            at += request.rows
        return answers

    def stop(self) -> None:
        self._task.cancel()


def refusal(error: Exception) -> Refused:
    """What the client of a request is told that could not be run."""
    if isinstance(error, Error):
        return Refused(BAD, str(error))
    log.error("a request failed", exc_info=error)
    return Refused(FAILED, f"the model failed: {type(error).__name__}")


class Workers:
    """Threads in which programs run; a call of native code does not hold Python's lock."""

    def __init__(self, count: int) -> None:
        self.free = asyncio.Semaphore(count)
        self._threads = ThreadPoolExecutor(count, thread_name_prefix="worker")
        self._tasks: set[asyncio.Task[None]] = set()

    async def call(self, function: Callable[[list[Waiting]], list[Arrays]], batch: list[Waiting]) -> list[Arrays]:
        """What a function gives for a batch, called in a thread."""
        return await asyncio.get_running_loop().run_in_executor(self._threads, function, batch)

    def start(self, batch: Coroutine[Any, Any, None]) -> None:
        """Run a batch, whose worker has been acquired."""
        task = asyncio.get_running_loop().create_task(batch)
        self._tasks.add(task)
        task.add_done_callback(self._finish)

    def _finish(self, task: asyncio.Task[None]) -> None:
        self._tasks.discard(task)
        self.free.release()

    def close(self) -> None:
        self._threads.shutdown(wait=False, cancel_futures=True)


class Engine:
    """What answers requests, whichever way they come.

    Args:
        models: the models.
        limits: how requests are batched, and how many may wait.
        workers: how many batches run at the same time.
        requests: whether each request gets a line in the log.
    """

    def __init__(self, models: Models, limits: Limits, workers: int, requests: bool = False) -> None:
        self.models, self.limits, self.metrics, self._requests = models, limits, Metrics(), requests
        self._workers = Workers(workers)
        self._queues = {id(model): Queue(model, limits, self._workers, self.metrics) for model in models}

    async def prepare(self) -> None:
        """Compile all models, one after the other."""
        for model in self.models:
            begin = time.perf_counter()
            await asyncio.get_running_loop().run_in_executor(None, model.prepare)
            batches = f"not batched, since {model.alone}" if model.alone else f"up to {self.limits.most_rows} rows"
            about = {"model": model.name, "version": model.version, "batches": batches}
            log.info("ready", extra={"fields": about | {"seconds": round(time.perf_counter() - begin, 3)}})

    async def answer(self, request: Inference) -> tuple[Model, dict[str, np.ndarray]]:
        """The model and the wanted results by name; raises Refused."""
        model = self.models.find_ready(request.model, request.version)
        for name in request.outputs:
            if name not in model.outputs:
                raise Refused(BAD, f"there is no output {name!r}; the model gives {', '.join(model.outputs)}")
        arrays = arrays_of(request.inputs, model.inputs)
        results = dict(zip(model.outputs, await self._queues[id(model)].run(arrays)))
        return model, {name: results[name] for name in request.outputs or results}

    def log(self, model: str, version: str, protocol: str, status: int, seconds: float) -> None:
        """Count a request that was answered, and log it if that was asked for, or if it failed."""
        self.metrics.count_answer(model, version, protocol, status, seconds)
        if self._requests or status == FAILED:
            about = {"model": model, "version": version, "protocol": protocol, "status": status}
            log.info("request", extra={"fields": about | {"milliseconds": round(1000 * seconds, 3)}})

    def close(self) -> None:
        for queue in self._queues.values():
            queue.stop()
        self._workers.close()
