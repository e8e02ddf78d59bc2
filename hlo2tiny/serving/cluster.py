"""A server of programs on Ray Serve, which spreads its replicas over a cluster, and decides how many there are."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import signal
from typing import Any

import ray
from ray import serve

from .batching import Engine, Limits
from .metrics import log_as_json
from .models import Models
from .rest import application

NAME = "hlo2tiny"
log = logging.getLogger("hlo2tiny.serving")


class Replica:
    """The ASGI application of a replica, whose engine begins with the event loop that it is called in."""

    def __init__(self, models: Models, limits: Limits) -> None:
        self._models, self._limits = models, limits
        self._application: Any = None

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        if self._application is None:
            self._application = application(Engine(self._models, self._limits, 1))
        await self._application(scope, receive, send)


async def serve_on_ray(models: Models, host: str, port: int, limits: Limits, replicas: int) -> None:
    """Serve models over HTTP until SIGINT or SIGTERM, on the cluster of Ray that this process has joined.

    Args:
        replicas: how many there are at most; each takes one processor, or one GPU.
    """
    log_as_json()
    on_cpu = all(model.program.device == "CPU" for model in models)

    def build() -> Replica:
        for model in models:  # a replica that has begun gets requests
            model.prepare()
        return Replica(models, limits)

    @serve.deployment(
        name=NAME,
        max_ongoing_requests=limits.most_waiting,
        autoscaling_config={
            "min_replicas": 1,
            "max_replicas": replicas,
            "target_ongoing_requests": limits.most_rows,
        },
        ray_actor_options={"num_cpus": 1, "num_gpus": 0 if on_cpu else 1},
    )
    @serve.ingress(build)
    class Deployment:
        pass

    stopping = asyncio.Event()
    loop = asyncio.get_running_loop()
    for number in (signal.SIGINT, signal.SIGTERM):
        with contextlib.suppress(NotImplementedError):  # Windows
            loop.add_signal_handler(number, stopping.set)
    await loop.run_in_executor(None, start, Deployment.bind(), host, port)  # type: ignore[attr-defined]
    about = {"host": host, "http": port, "ray": ray.get_runtime_context().gcs_address}
    log.info("serving", extra={"fields": about})
    await stopping.wait()
    log.info("stopping")
    await loop.run_in_executor(None, serve.shutdown)


def start(deployment: Any, host: str, port: int) -> None:
    serve.start(http_options={"host": host, "port": port})
    serve.run(deployment, name=NAME, route_prefix="/")
