"""A server of programs: HTTP and gRPC in one event loop, until a signal asks it to stop."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import signal
import socket
from collections.abc import Iterator
from http import HTTPStatus
from typing import Any

import uvicorn
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

from ..errors import InputError
from .batching import Engine, Limits
from .metrics import log_as_json
from .models import Models
from .remote import server_of
from .rest import application

log = logging.getLogger("hlo2tiny.serving")
# Seconds for the answers to the requests that a stopping server has refused in the end.
FAREWELL = 0.5
# How many files a server has open besides connections.
OTHER_FILES = 256
# This many requests may follow one that is being answered; a connection with more is closed.
MOST_AHEAD = 64


class Server(uvicorn.Server):
    """uvicorn's server, which leaves signals to us."""

    @contextlib.contextmanager
    def capture_signals(self) -> Iterator[None]:
        yield

    def abort(self) -> None:
        """Close all connections, whatever they are doing."""
        self.force_exit = True
        for connection in list(self.server_state.connections):
            connection.transport.abort()


class Protocol(HttpToolsProtocol):
    """uvicorn's protocol, with limits on the number of connections, and on what is not yet a request.

    Attributes:
        limits: these limits.
    """

    limits = Limits()

    def connection_made(self, transport: Any) -> None:
        super().connection_made(transport)
        self._unread = 0  # bytes since the last byte of a body, or since the beginning of a message
        self._head = 0  # bytes of a request's path and headers
        self._late: asyncio.TimerHandle | None = None
        if len(self.connections) > self.limits.most_connections:
            self._refuse(HTTPStatus.SERVICE_UNAVAILABLE)
        else:
            self._expect_request()

    def connection_lost(self, exc: Exception | None) -> None:
        self._expect_nothing()
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        if self.transport.is_closing():
            return
        if self._late is None:  # the first bytes of another request
            self._expect_request()
        self._unread += len(data)
        super().data_received(data)
        if self._unread > self.limits.most_headers:
            self._refuse(HTTPStatus.REQUEST_HEADER_FIELDS_TOO_LARGE)

    def on_message_begin(self) -> None:
        if self._late is None:  # another one in the same data
            self._expect_request()
        self._head = 0
        super().on_message_begin()

    def on_url(self, url: bytes) -> None:
        self._head += len(url)
        super().on_url(url)

    def on_header(self, name: bytes, value: bytes) -> None:
        self._head += len(name) + len(value)
        super().on_header(name, value)

    def on_headers_complete(self) -> None:
        if self._head > self.limits.most_headers:
            self._refuse(HTTPStatus.REQUEST_HEADER_FIELDS_TOO_LARGE)
        if len(self.pipeline) >= MOST_AHEAD:
            self.transport.abort()
        if not self.transport.is_closing():
            super().on_headers_complete()

    def on_body(self, body: bytes) -> None:
        self._unread = 0
        if not self.transport.is_closing():
            super().on_body(body)

    def on_message_complete(self) -> None:
        self._unread = 0
        self._expect_nothing()
        if not self.transport.is_closing():
            super().on_message_complete()

    def _expect_request(self) -> None:
        self._late = self.loop.call_later(self.limits.arrival, self._refuse_late)

    def _expect_nothing(self) -> None:
        if self._late is not None:
            self._late.cancel()
            self._late = None

    def _refuse_late(self) -> None:
        if self.flow.read_paused:  # the client waits for us
            self._expect_request()
        else:
            self._refuse(HTTPStatus.REQUEST_TIMEOUT)

    def _refuse(self, status: HTTPStatus) -> None:
        """Close the connection, with a status if no answer has begun."""
        if self.transport.is_closing():
            return
        if self.cycle is None or self.cycle.response_complete:
            line = f"HTTP/1.1 {status.value} {status.phrase}\r\nconnection: close\r\ncontent-length: 0\r\n\r\n"
            self.transport.write(line.encode())
            self.transport.close()
        else:
            self.transport.abort()


async def serve(
    models: Models, host: str, port: int, remote_port: int, limits: Limits, workers: int, requests: bool = False
) -> None:
    """Serve models until SIGINT or SIGTERM; then finish the requests that have arrived, unless a second signal comes.

    Args:
        host: the address to listen on.
        port, remote_port: those of HTTP and gRPC; 0: any free one.
        workers: how many batches run at the same time.
        requests: whether each request gets a line in the log.

    Raises:
        InputError: a port cannot be used, or a model takes too long to compile.
    """
    log_as_json()
    allow_connections(limits.most_connections)
    engine = Engine(models, limits, workers, requests)
    listening = listen(host, port)
    remote = server_of(engine)
    try:
        remote_port = remote.add_insecure_port(f"[{host}]:{remote_port}" if ":" in host else f"{host}:{remote_port}")
    except RuntimeError:
        raise InputError(
            f"port {remote_port} of {host} cannot be used for gRPC: another program may be using it"
        ) from None
    protocol = type("LimitedProtocol", (Protocol,), {"limits": limits})
    rest: dict[str, Any] = {"ws": "none", "lifespan": "off", "log_config": None, "access_log": False}
    server = Server(uvicorn.Config(application(engine), http=protocol, **rest))
    stopping, hurrying = asyncio.Event(), asyncio.Event()

    def stop() -> None:
        (hurrying if stopping.is_set() else stopping).set()

    loop = asyncio.get_running_loop()
    for number in (signal.SIGINT, signal.SIGTERM):
        with contextlib.suppress(NotImplementedError):  # Windows
            loop.add_signal_handler(number, stop)
    await remote.start()
    preparing = loop.create_task(engine.prepare())
    preparing.add_done_callback(lambda task: stopping.set() if not task.cancelled() and task.exception() else None)
    where = {"host": host, "http": listening.getsockname()[1], "grpc": remote_port}
    log.info("serving", extra={"fields": where})
    serving = loop.create_task(server.serve(sockets=[listening]))
    await asyncio.wait([serving, loop.create_task(stopping.wait())], return_when=asyncio.FIRST_COMPLETED)
    models.stopping = server.should_exit = True
    log.info("stopping")
    left: list[asyncio.Future[Any]] = [serving, loop.create_task(remote.stop(limits.grace + FAREWELL))]
    either: list[asyncio.Future[Any]] = [asyncio.gather(*left), loop.create_task(hurrying.wait())]
    await asyncio.wait(either, timeout=limits.grace, return_when=asyncio.FIRST_COMPLETED)
    engine.close()
    left.append(loop.create_task(remote.stop(FAREWELL)))
    await asyncio.wait(left, timeout=FAREWELL)
    server.abort()
    await asyncio.gather(*left)
    if preparing.done():
        preparing.result()
    preparing.cancel()


def allow_connections(most: int) -> None:
    """Let this process have this many connections for HTTP, and for gRPC: the usual limit is 1,024 files."""
    try:
        import resource
    except ImportError:  # Windows has no such limit
        return
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = 2 * most + OTHER_FILES
    if soft == resource.RLIM_INFINITY or soft >= wanted:
        return
    if hard != resource.RLIM_INFINITY and hard < wanted:
        log.warning(f"{most:,} connections need a limit of {wanted:,} open files (ulimit -n), but it is {hard:,}")
        wanted = hard
    resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))


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
