"""A server of programs on Ray Serve, which distributes its replicas over a cluster, and decides how many there are."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import signal
from collections.abc import Awaitable, Callable
from typing import Any

import grpc
import ray
from ray import serve

from ..targets import is_on_host
from .batching import Engine, Limits
from .messages import METHODS, SERVICE
from .metrics import log_as_json
from .models import Models
from .protocol import Refused
from .remote import STATUSES, Service
from .rest import application

NAME = "hlo2tiny"
log = logging.getLogger("hlo2tiny.serving")


# What answers gRPC in the process of a replica, where Ray makes the deployment, and the ASGI application apart from it.
_service: list[Service] = []


def begin(models: Models, limits: Limits) -> Any:
    """The ASGI application of a replica, which gets requests as soon as it exists."""
    for model in models:
        model.prepare()
    engine = Engine(models, limits, 1)
    _service[:] = [Service(engine)]
    return application(engine)


async def answer(method: str, request: bytes, context: Any) -> Any:
    """The response to a message that Ray's proxy has passed on unchanged."""
    (service,) = _service
    try:
        return await service.answer_bytes(method, request)
    except Refused as error:
        context.set_code(STATUSES.get(error.status, grpc.StatusCode.INTERNAL))
        context.set_details(str(error))
        raise RuntimeError(str(error)) from None  # without the context's code, Ray reports an internal error


def add_service(servicer: Any, server: Any) -> None:
    """What Ray's proxies call to learn the methods of the protocol; they read no messages."""
    handlers = {method: grpc.unary_unary_rpc_method_handler(getattr(servicer, method)) for method in METHODS}
    server.add_generic_rpc_handlers((grpc.method_handlers_generic_handler(SERVICE, handlers),))


def method_of(name: str) -> Callable[[Any, bytes, Any], Awaitable[Any]]:
    async def method(self: Any, request: bytes, grpc_context: Any) -> Any:
        return await answer(name, request, grpc_context)

    return method


async def serve_on_ray(models: Models, host: str, port: int, remote_port: int, limits: Limits, replicas: int) -> None:
    """Serve models over HTTP and gRPC until SIGINT or SIGTERM, on the Ray cluster that this process has joined.

    Args:
        host: the address to listen on for HTTP; gRPC is answered on all addresses of the machine.
        port, remote_port: those of HTTP and gRPC.
        replicas: the most replicas; each takes one processor, or one GPU.
    """
    log_as_json()
    on_host = all(is_on_host(model.program.device) for model in models)

    deployment = serve.deployment(
        name=NAME,
        max_ongoing_requests=limits.most_waiting,
        autoscaling_config={
            "min_replicas": 1,
            "max_replicas": replicas,
            "target_ongoing_requests": limits.most_rows,
        },
        ray_actor_options={"num_cpus": 1, "num_gpus": 0 if on_host else 1},
    )(serve.ingress(lambda: begin(models, limits))(type("Deployment", (), {name: method_of(name) for name in METHODS})))

    stopping = asyncio.Event()
    loop = asyncio.get_running_loop()
    for number in (signal.SIGINT, signal.SIGTERM):
        with contextlib.suppress(NotImplementedError):  # Windows
            loop.add_signal_handler(number, stopping.set)
    await loop.run_in_executor(None, start, deployment.bind(), host, port, remote_port)
    about = {"host": host, "http": port, "grpc": remote_port, "ray": ray.get_runtime_context().gcs_address}
    log.info("serving", extra={"fields": about})
    await stopping.wait()
    log.info("stopping")
    await loop.run_in_executor(None, serve.shutdown)


def start(deployment: Any, host: str, port: int, remote_port: int) -> None:
    functions = [f"{__name__}.{add_service.__name__}"]
    serve.start(
        http_options={"host": host, "port": port},
        grpc_options={"port": remote_port, "grpc_servicer_functions": functions},
    )
    serve.run(deployment, name=NAME, route_prefix="/")
