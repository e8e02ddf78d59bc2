"""A server of programs: HTTP and gRPC in one event loop, until a signal asks it to stop."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import signal
import socket
from collections.abc import Iterator

import uvicorn

from ..errors import InputError
from .batching import Engine, Limits
from .metrics import log_as_json
from .models import Models
from .remote import server_of
from .rest import application

log = logging.getLogger("hlo2tiny.serving")
# How long a stopping server waits for the requests that it has.
GRACE = 30.0


class Server(uvicorn.Server):
    """uvicorn's server, which leaves signals to us."""

    @contextlib.contextmanager
    def capture_signals(self) -> Iterator[None]:
        yield


async def serve(
    models: Models, host: str, port: int, remote_port: int, limits: Limits, workers: int, requests: bool = False
) -> None:
    """Serve models until SIGINT or SIGTERM; then finish the requests that are there.

    Args:
        host: the address to listen at.
        port, remote_port: those of HTTP and gRPC; 0: any free one.
        workers: how many batches run at the same time.
        requests: whether each request gets a line in the log.

    Raises:
        InputError: a port cannot be used.
    """
    log_as_json()
    engine = Engine(models, limits, workers, requests)
    listening = listen(host, port)
    remote = server_of(engine)
    try:
        remote_port = remote.add_insecure_port(f"{host}:{remote_port}")
    except RuntimeError:
        raise InputError(f"port {remote_port} of {host} cannot be used for gRPC: another program may have it") from None
    config = uvicorn.Config(
        application(engine), log_config=None, access_log=False, timeout_graceful_shutdown=int(GRACE)
    )
    server = Server(config)

    def stop() -> None:
        models.stopping = server.should_exit = True

    loop = asyncio.get_running_loop()
    for number in (signal.SIGINT, signal.SIGTERM):
        with contextlib.suppress(NotImplementedError):  # Windows
            loop.add_signal_handler(number, stop)
    await remote.start()
    preparing = loop.create_task(engine.prepare())
    preparing.add_done_callback(lambda task: stop() if not task.cancelled() and task.exception() else None)
    where = {"host": host, "http": listening.getsockname()[1], "grpc": remote_port}
    log.info("serving", extra={"fields": where})
    await server.serve(sockets=[listening])
    log.info("stopping")
    await remote.stop(GRACE)
    engine.close()
    if preparing.done():
        preparing.result()
    preparing.cancel()


def listen(host: str, port: int) -> socket.socket:
    try:
        family = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0][0]
        listening = socket.create_server((host, port), family=family, backlog=2048)
    except (OSError, OverflowError) as error:
        reason = getattr(error, "strerror", None) or error
        raise InputError(f"port {port} of {host} cannot be used for HTTP: {reason}") from None
    # asyncio switches Nagle's algorithm off where it knows that the protocol is TCP. With it, each answer waits for the
    # client's acknowledgement of its headers, which takes 40 ms.
    listening = socket.socket(listening.family, listening.type, socket.IPPROTO_TCP, listening.detach())
    listening.setblocking(False)
    return listening
