"""Requests wait here for others, with which they become one call of the program."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import threading
import time
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future
from dataclasses import field
from functools import partial
from typing import TypeVar

import numpy as np

from ..errors import Error, InputError, count_text
from ..records import dataclass
from ..stopping import Stop, Stopped
from .metrics import Metrics
from .models import Models, ServedModel
from .protocol import BAD, BUSY, FAILED, LATE, LEFT, OK, Inference, Refused, arrays_of

log = logging.getLogger("hlo2tiny.serving")
BatchArrays = Sequence[np.ndarray]
Result = TypeVar("Result")
# Seconds after which a worker counts as stuck if its calls should have ended: in a long kernel, or a host function.
PATIENCE = 1.0
STUCK = "all workers are stuck in calls that should have ended"
STOPPING = "the server is stopping"


@dataclass(eq=False)
class Waiting:
    """A request that waits for its results."""

    arrays: BatchArrays
    rows: int
    results: asyncio.Future[BatchArrays]
    arrival: float = field(default_factory=time.monotonic)

    @property
    def shapes(self) -> list[tuple[int, ...]]:
        """What the requests of a batch have in common."""
        return [array.shape[1:] for array in self.arrays]


@dataclass(frozen=True)
class Limits:
    """How requests are batched, and how long, how large and how many they may be.

    Attributes:
        window: the seconds for which a request waits for others.
        most_rows: the most rows in a batch.
        most_waiting: how many requests may wait for one model.
        most_bytes: the size of the largest request.
        most_bodies: the most bytes in all requests together that are arriving or being answered.
        most_headers: the most bytes in the headers of a request.
        most_connections: the most connections at a time, for HTTP and for gRPC.
        arrival: the seconds within which a request has to arrive.
        answer: the seconds within which it has to be answered after that.
        preparing: the seconds within which a model has to be compiled.
        grace: the seconds for which a server that is stopping keeps answering the requests it has.
    """

    window: float = 0.002
    most_rows: int = 64
    most_waiting: int = 1024
    most_bytes: int = 64 << 20
    most_bodies: int = 512 << 20
    most_headers: int = 64 << 10
    most_connections: int = 512
    arrival: float = 60.0
    answer: float = 60.0
    preparing: float = 300.0
    grace: float = 20.0


class Queue:
    """The requests that wait for one model; only the holder of the workers' lock may touch it."""

    def __init__(self, model: ServedModel, limits: Limits) -> None:
        self.model, self._limits = model, limits
        self._waiting: deque[Waiting] = deque()
        self._rows = 0

    def __len__(self) -> int:
        return len(self._waiting)

    def add(self, request: Waiting) -> None:
        self._waiting.append(request)
        self._rows += request.rows

    @property
    def is_full(self) -> bool:
        """Whether nothing is gained by waiting for more."""
        return self.model.rows is None or self._rows >= self._limits.most_rows

    @property
    def due(self) -> float:
        """When its next batch should run; it has requests."""
        return self._waiting[0].arrival + (0 if self.is_full else self._limits.window)

    def take(self) -> list[Waiting]:
        """The first request and those that form a call of one size with it; [] if all clients have gone."""
        batch: list[Waiting] = []
        rest: list[Waiting] = []
        most = self.model.size_for(self._rows)
        rows = 0
        while self._waiting and (not batch or rows < most):
            request = self._waiting.popleft()
            if request.results.done():  # its client has gone
                self._rows -= request.rows
            elif not batch or self._fits(request, batch[0], most - rows):
                batch.append(request)
                rows += request.rows
            else:
                rest.append(request)
        self._waiting.extendleft(reversed(rest))
        self._rows -= rows
        return batch

    def clear(self) -> list[Waiting]:
        """Take all requests."""
        requests = list(self._waiting)
        self._waiting.clear()
        self._rows = 0
        return requests

    def _fits(self, request: Waiting, first: Waiting, left: int) -> bool:
        return 0 < request.rows <= left and first.rows > 0 and request.shapes == first.shapes


@dataclass(eq=False)
class Batch:
    """Requests that form one call of a program.

    Attributes:
        stop: what ends the call.
        stopped: when that was set.
    """

    model: ServedModel
    requests: Sequence[Waiting]
    stop: Stop = field(default_factory=Stop)
    stopped: float | None = None

    def end(self) -> None:
        self.stop.set()
        self.stopped = self.stopped or time.monotonic()

    @property
    def is_stuck(self) -> bool:
        return self.stopped is not None and time.monotonic() - self.stopped > PATIENCE


class Workers:
    """Threads that take batches off queues and run them; a call of native code does not hold the GIL.

    They take the next batch without the event loop, which may be reading requests and writing answers meanwhile.
    """

    def __init__(self, count: int, queues: Sequence[Queue], metrics: Metrics) -> None:
        self._queues, self._metrics, self._count = queues, metrics, count
        self._changed = threading.Condition()
        self._stopping = False
        self._running: set[Batch] = set()
        for number in range(count):
            threading.Thread(target=self._serve, daemon=True, name=f"worker {number}").start()

    def add(self, queue: Queue, request: Waiting, most: int) -> None:
        """Let a request wait; raises Refused if `most` are already waiting."""
        with self._changed:
            if len(queue) >= most:
                raise Refused(
                    BUSY,
                    f"{count_text(len(queue), 'request')} already waiting for {queue.model.name!r}; try again later",
                )
            was_full = len(queue) > 0 and queue.is_full
            queue.add(request)
            self._metrics.waiting(queue.model, len(queue))
            if len(queue) == 1 or queue.is_full != was_full:
                self._changed.notify()

    @property
    def are_stuck(self) -> bool:
        """Whether no worker will take a request soon."""
        with self._changed:
            return len(self._running) == self._count and all(batch.is_stuck for batch in self._running)

    def end_abandoned(self) -> None:
        """End the calls whose requests have all been answered, or have lost their client."""
        with self._changed:
            for batch in self._running:
                if all(request.results.done() for request in batch.requests):
                    batch.end()

    def stop(self) -> list[Waiting]:
        """End all calls and take no more; returns the requests that have no results."""
        with self._changed:
            self._stopping = True
            self._changed.notify_all()
            left = [request for queue in self._queues for request in queue.clear()]
            for batch in self._running:
                batch.end()
                left += batch.requests
        return left

    def _serve(self) -> None:
        while batch := self._next_batch():
            with batch.stop:
                outcomes = self._run(batch.model, batch.requests)
            with self._changed:
                self._running.discard(batch)
            with contextlib.suppress(RuntimeError):  # the event loop has ended
                batch.requests[0].results.get_loop().call_soon_threadsafe(deliver, batch.requests, outcomes)

    def _next_batch(self) -> Batch | None:
        """A batch, once one is due; None when the server has stopped."""
        with self._changed:
            while not self._stopping:
                queue = min((queue for queue in self._queues if queue), key=lambda queue: queue.due, default=None)
                left = queue.due - time.monotonic() if queue is not None else None
                if queue is None or (left is not None and left > 0):
                    self._changed.wait(left)
                    continue
                requests = queue.take()
                self._metrics.waiting(queue.model, len(queue))
                if any(self._queues):
                    self._changed.notify()  # another worker
                if requests:
                    batch = Batch(queue.model, requests)
                    self._running.add(batch)
                    return batch
        return None

    def _run(self, model: ServedModel, batch: Sequence[Waiting]) -> list[BatchArrays | Refused]:
        """Run a batch. If that fails, each of its requests is run alone, so that only the one at fault fails."""
        try:
            return list(self._compute(model, batch))
        except Exception as error:
            if len(batch) == 1:
                return [refusal(error)]
        return [outcome for request in batch for outcome in self._run(model, [request])]

    def _compute(self, model: ServedModel, batch: Sequence[Waiting]) -> list[BatchArrays]:
        rows = sum(request.rows for request in batch)
        with self._metrics.running(model, rows or len(batch)):
            if len(batch) == 1:
                return [model.run(batch[0].arrays)]
            results = model.run([np.concatenate(parts) for parts in zip(*(x.arrays for x in batch))])
        answers, at = list[BatchArrays](), 0
        for request in batch:
            answers.append([result[at : at + request.rows] for result in results])
            at += request.rows
        return answers


def deliver(batch: Sequence[Waiting], outcomes: Sequence[BatchArrays | Refused]) -> None:
    """Give requests their outcomes, in their event loop."""
    for request, outcome in zip(batch, outcomes):
        if request.results.done():  # its client has gone
            continue
        if isinstance(outcome, Refused):
            request.results.set_exception(outcome)
        else:
            request.results.set_result(outcome)


def refusal(error: Exception) -> Refused:
    """What the client is told about a request that could not be run."""
    if isinstance(error, Stopped):
        return Refused(BUSY, STOPPING)
    if isinstance(error, Error):
        return Refused(BAD, str(error))
    log.error("a request failed", exc_info=error)
    return Refused(FAILED, f"the model failed: {type(error).__name__}")


class Engine:
    """Answers requests, by whichever protocol they come.

    Args:
        models: the models.
        limits: how requests are batched, and how many may wait.
        workers: how many batches run at the same time.
        requests: whether each request gets a line in the log.
    """

    def __init__(self, models: Models, limits: Limits, workers: int, requests: bool = False) -> None:
        self.models, self.limits, self.metrics, self._requests = models, limits, Metrics(), requests
        self._bodies = 0
        self._queues = {id(model): Queue(model, limits) for model in models}
        self._workers = Workers(workers, list(self._queues.values()), self.metrics)

    async def prepare(self) -> None:
        """Compile all models, one after the other; raises InputError if one takes too long."""
        for model in self.models:
            begin = time.perf_counter()
            await self._prepare(model)
            batches = f"not batched, since {model.alone}" if model.alone else f"up to {self.limits.most_rows} rows"
            about = {"model": model.name, "version": model.version, "batches": batches}
            log.info("ready", extra={"fields": about | {"seconds": round(time.perf_counter() - begin, 3)}})

    async def _prepare(self, model: ServedModel) -> None:
        stop, seconds = Stop(), self.limits.preparing
        prepared = in_thread(partial(prepare, model, stop))
        # A program that does not end on made-up rows may end on others, so it gets another chance without them.
        try:
            for _ in range(2):
                done, _ = await asyncio.wait([prepared], timeout=seconds)
                if done:
                    return prepared.result()
                stop.set()
        finally:
            stop.set()
        raise InputError(f"{model.name} was not compiled within {2 * seconds:g} s; give it more time with --timeout")

    @property
    def ready(self) -> bool:
        """Whether all models take requests."""
        return self.models.ready and not self._workers.are_stuck

    @contextlib.contextmanager
    def hold(self) -> Iterator[Callable[[int], None]]:
        """Count the bytes of a request while it exists. Yields a function that adds to them, which raises Refused."""
        held = 0

        def add(size: int) -> None:
            nonlocal held
            if self._bodies + size > self.limits.most_bodies:
                raise Refused(BUSY, f"the requests in progress have {self._bodies:,} bytes already; try again later")
            held, self._bodies = held + size, self._bodies + size

        try:
            yield add
        finally:
            self._bodies -= held

    async def answer(self, request: Inference) -> tuple[ServedModel, dict[str, np.ndarray]]:
        """The model and the wanted results by name; raises Refused."""
        model = self.models.find_ready(request.model, request.version)
        if self._workers.are_stuck:
            raise Refused(BUSY, STUCK)
        for name in request.outputs:
            if name not in model.outputs:
                raise Refused(BAD, f"there is no output {name!r}; the model gives {', '.join(model.outputs)}")
        arrays = arrays_of(request.inputs, model.inputs)
        waiting = Waiting(arrays, model.count_rows(arrays), asyncio.get_running_loop().create_future())
        self._workers.add(self._queues[id(model)], waiting, self.limits.most_waiting)
        try:
            async with asyncio.timeout(self.limits.answer):
                found = await waiting.results
        except TimeoutError:
            raise Refused(LATE, f"there were no results within {self.limits.answer:g} s") from None
        finally:
            self._workers.end_abandoned()
        results = dict(zip(model.outputs, found))
        return model, {name: results[name] for name in request.outputs or results}

    @contextlib.contextmanager
    def answering(self, protocol: str, name: str, version: str, left: type[BaseException]) -> Iterator[ServedModel]:
        """The model that a request is for. The request is logged at the end; `left` says that its client has gone."""
        begin, status, label = time.perf_counter(), OK, ("", "")
        try:
            model = self.models.find(name, version)
            label = model.name, model.version
            yield model
        except Refused as error:
            status = error.status
            raise
        except left:
            status = LEFT
            raise
        finally:
            self.log(*label, protocol, status, time.perf_counter() - begin)

    def log(self, model: str, version: str, protocol: str, status: int, seconds: float) -> None:
        """Count a request that was answered, and log it if that is wanted or if it failed."""
        self.metrics.count_answer(model, version, protocol, status, seconds)
        if self._requests or status == FAILED:
            about = {"model": model, "version": version, "protocol": protocol, "status": status}
            log.info("request", extra={"fields": about | {"milliseconds": round(1000 * seconds, 3)}})

    def close(self) -> None:
        """End all calls, and refuse the requests that have no results."""
        left = self._workers.stop()
        deliver(left, [Refused(BUSY, STOPPING)] * len(left))


def prepare(model: ServedModel, stop: Stop) -> None:
    with stop:
        model.prepare()


def in_thread(function: Callable[[], Result]) -> asyncio.Future[Result]:
    """The result of a function in a thread that does not keep the process from ending."""
    found = Future[Result]()
    found.set_running_or_notify_cancel()

    def run() -> None:
        try:
            found.set_result(function())
        except BaseException as error:
            found.set_exception(error)

    threading.Thread(target=run, daemon=True, name="preparing").start()
    return asyncio.wrap_future(found)
