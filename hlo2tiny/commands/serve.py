"""`hlo2tiny serve`: programs over HTTP and gRPC."""

from __future__ import annotations

import argparse
import asyncio
import os
import re

from ..errors import InputError
from ..targets import MOST_THREADS, is_on_host, thread_count
from ..timeout import time_limit, unfinished
from .extras import expect_installed, joined_ray

UNITS = {"us": 1e-6, "ms": 1e-3, "s": 1.0}
MOST = 1 << 20  # of a count, of MiB and KiB
# The most seconds for which requests may wait for each other.
LONGEST_WINDOW = 60.0


def run(options: argparse.Namespace) -> int:
    """Serve programs until a signal arrives."""
    expect_installed("serve", "uvicorn", "starlette", "grpc", "google.protobuf", "prometheus_client")
    for name in ("workers", "max_batch", "queue", "max_request", "max_bodies", "max_headers", "max_connections"):
        if not 1 <= getattr(options, name) <= MOST:
            wanted = f"expected a number from 1 to {MOST:,}"
            raise InputError(f"--{name.replace('_', '-')} {getattr(options, name)}: {wanted}")
    if not options.host:
        raise InputError("--host '': expected an address to listen at, such as 127.0.0.1")
    for name in ("port", "grpc_port"):
        if not 0 <= getattr(options, name) < 1 << 16:
            raise InputError(f"--{name.replace('_', '-')} {getattr(options, name)}: expected a port from 0 to 65535")
    if options.workers > MOST_THREADS:
        raise InputError(f"--workers {options.workers}: expected at most {MOST_THREADS}")
    if options.ray is not None:
        expect_installed("ray", "ray", "ray.serve")
    os.environ.setdefault("GRPC_VERBOSITY", "NONE")  # its library's lines are not JSON; what matters is raised
    from ..serving.batching import Limits
    from ..serving.models import load_models
    from ..serving.server import serve

    on_host = options.device is None or is_on_host(options.device.upper())
    threads = max(1, thread_count() // options.workers) if on_host and options.workers > 1 else None
    if options.max_bodies < options.max_request:
        raise InputError(f"--max-bodies {options.max_bodies}: expected at least --max-request, {options.max_request}")
    limits = Limits(
        window=seconds_of(options.batch_window),
        most_rows=options.max_batch,
        most_waiting=options.queue,
        most_bytes=options.max_request << 20,
        most_bodies=options.max_bodies << 20,
        most_headers=options.max_headers << 10,
        most_connections=options.max_connections,
        arrival=options.arrival_timeout,
        answer=options.answer_timeout,
        preparing=options.timeout,
        grace=options.grace,
    )
    with time_limit(options.timeout, unfinished):
        how = {"threads": threads, "batch_invariant": options.batch_invariant, "ffi": options.ffi}
        models = load_models(options.models, options.device, options.max_batch, **how)
    ports = options.port, options.grpc_port
    if options.ray is not None:
        from ..serving.cluster import serve_on_ray

        with joined_ray(options.ray):
            asyncio.run(serve_on_ray(models, options.host, *ports, limits, options.workers))
        return 0
    asyncio.run(serve(models, options.host, *ports, limits, options.workers, options.log_requests))
    return 0


def seconds_of(text: str) -> float:
    """2ms as 0.002; raises InputError if the text is not a time."""
    match = re.fullmatch(r"(\d+(?:\.\d+)?) ?(us|ms|s)", text)
    seconds = float(match[1]) * UNITS[match[2]] if match else -1.0
    if not 0 <= seconds <= LONGEST_WINDOW:
        raise InputError(f"--batch-window {text}: expected a time such as 2ms or 0.5s, of at most {LONGEST_WINDOW:g}s")
    return seconds
