"""What Prometheus reads at /metrics, and the server's log, whose lines are JSON."""

from __future__ import annotations

import json
import logging
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, generate_latest
from prometheus_client.exposition import CONTENT_TYPE_PLAIN_0_0_4

if TYPE_CHECKING:
    from .models import ServedModel

CONTENT_TYPE = CONTENT_TYPE_PLAIN_0_0_4
SECONDS = [base * 10**exponent for exponent in range(-4, 2) for base in (1, 2.5, 5)]
ROWS = [1 << i for i in range(11)]


class Metrics:
    """The counts and times of one server."""

    def __init__(self) -> None:
        self._registry = registry = CollectorRegistry()
        model = ["model", "version"]
        self._requests = Counter(
            "hlo2tiny_requests", "Requests by status", [*model, "protocol", "status"], registry=registry
        )
        self._seconds = Histogram(
            "hlo2tiny_request_seconds",
            "From a request's arrival to its answer",
            [*model, "protocol"],
            registry=registry,
            buckets=SECONDS,
        )
        self._computing = Histogram(
            "hlo2tiny_batch_seconds", "The calls of programs", model, registry=registry, buckets=SECONDS
        )
        self._rows = Histogram(
            "hlo2tiny_batch_rows", "The rows of a call, or its requests", model, registry=registry, buckets=ROWS
        )
        self._waiting = Gauge("hlo2tiny_waiting_requests", "Requests that wait for a call", model, registry=registry)
        self._running = Gauge("hlo2tiny_running_batches", "Calls that run", model, registry=registry)

    def count_answer(self, model: str, version: str, protocol: str, status: int, seconds: float) -> None:
        """Count a request. Names of models that do not exist are left out, since clients can make up any number."""
        self._requests.labels(model, version, protocol, str(status)).inc()
        if status == 200:
            self._seconds.labels(model, version, protocol).observe(seconds)

    @contextmanager
    def running(self, model: ServedModel, rows: int) -> Iterator[None]:
        """Count a call of a program, and the time that it takes."""
        labels = model.name, model.version
        with self._running.labels(*labels).track_inprogress(), self._computing.labels(*labels).time():
            yield
        self._rows.labels(*labels).observe(rows)

    def waiting(self, model: ServedModel, requests: int) -> None:
        self._waiting.labels(model.name, model.version).set(requests)

    def text(self) -> bytes:
        return generate_latest(self._registry)


class JsonLines(logging.Formatter):
    """A line of JSON for each record: the time, the severity, the event, and the record's own fields."""

    def format(self, record: logging.LogRecord) -> str:
        when = time.strftime("%Y-%m-%dT%H:%M:%S", time.gmtime(record.created))
        line = {
            "time": f"{when}.{int(record.msecs):03d}Z",
            "level": record.levelname.lower(),
            "message": record.getMessage(),
            **getattr(record, "fields", {}),
        }
        if record.exc_info:
            line["traceback"] = self.formatException(record.exc_info)
        return json.dumps(line)


def log_as_json() -> None:
    """Send the server's records, and those of the libraries below it, to standard error."""
    handler = logging.StreamHandler()
    handler.setFormatter(JsonLines())
    for name, least in (("hlo2tiny.serving", logging.INFO), ("uvicorn", logging.WARNING), ("grpc", logging.WARNING)):
        logger = logging.getLogger(name)
        logger.handlers, logger.propagate = [handler], False
        logger.setLevel(least)
