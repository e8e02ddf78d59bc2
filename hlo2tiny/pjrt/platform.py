"""What JAX has to know about the platform besides its library."""

from __future__ import annotations

import os
import signal
import sys
import threading
from collections import ChainMap
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Any

from . import PLATFORM
from .callbacks import offer_buffer_callbacks, offer_callbacks
from .dlpack import offer_dlpack
from .handlers import offer_handlers
from .library import start


def register(library: Path) -> None:
    """Register the platform, which lowers as the CPU does: to LAPACK calls, for example, which hlo2tiny knows.

    The tables are internal to JAX. Without them, JAX refuses whatever has no lowering for every platform.
    """
    from jax._src import xla_bridge
    from jax._src.interpreters import mlir

    watch(start().hlo2tiny_pjrt_interrupt)
    xla_bridge.register_plugin(PLATFORM, priority=500, library_path=str(library), options=None)
    with suppress(AttributeError, KeyError):
        lowerings = mlir._platform_specific_lowerings
        lowerings[PLATFORM] = ChainMap({}, lowerings["cpu"])  # type: ignore[assignment]
    offers = offer_branches, offer_exported, offer_callbacks, offer_buffer_callbacks, offer_handlers, offer_dlpack
    for offer in offers:
        with suppress(AttributeError, ImportError):
            offer()
    with suppress(AttributeError):
        if PLATFORM not in mlir._platforms_with_donation:
            mlir._platforms_with_donation.append(PLATFORM)


def offer_branches() -> None:
    """Let `lax.platform_dependent` choose what it has for the CPU, where it has nothing for this platform."""
    from jax._src.interpreters import mlir
    from jax._src.lax.control_flow import conditionals

    def with_own(branches: Sequence[Sequence[str] | None] | None) -> Any:
        if branches is None or any(PLATFORM in names for names in branches if names is not None):
            return branches
        return tuple((*names, PLATFORM) if names and "cpu" in names else names for names in branches)

    def index(ctx: Any, *, platforms: Any) -> Any:
        return conditionals._platform_index_lowering(ctx, platforms=with_own(platforms))

    def cond(ctx: Any, *operands: Any, branches_platforms: Any = None, **options: Any) -> Any:
        lower: Any = conditionals._cond_lowering
        return lower(ctx, *operands, branches_platforms=with_own(branches_platforms), **options)

    mlir.register_lowering(conditionals.platform_index_p, index, PLATFORM)
    mlir.register_lowering(conditionals.cond_p, cond, PLATFORM)


def offer_exported() -> None:
    """Let functions that were exported for the CPU be called on this platform."""
    from jax._src.export import _export
    from jax._src.interpreters import mlir

    def call_exported(ctx: Any, *operands: Any, exported: Any) -> Any:
        if ctx.module_context.platforms == (PLATFORM,) and PLATFORM not in exported.platforms:
            platforms = tuple(PLATFORM if name == "cpu" else name for name in exported.platforms)
            exported = replace(exported, platforms=platforms)
        return _export._call_exported_lowering(ctx, *operands, exported=exported)

    mlir.register_lowering(_export.call_exported_p, call_exported, PLATFORM)


def watch(interrupt: Callable[[], object]) -> None:
    """Call a function after each Ctrl-C that Python's own handler turns into a KeyboardInterrupt.

    Python tells one place of its signals; if that is somebody else's, an event loop's for example, nothing changes.
    """
    if threading.current_thread() is not threading.main_thread() or sys.platform == "win32":
        return
    source, target = os.pipe()
    os.set_blocking(target, False)
    if (other := signal.set_wakeup_fd(target, warn_on_full_buffer=False)) != -1:
        signal.set_wakeup_fd(other)
        return
    os.register_at_fork(after_in_child=lambda: signal.set_wakeup_fd(-1))
    threading.Thread(target=listen, args=(source, interrupt), name="hlo2tiny interrupts", daemon=True).start()


def listen(source: int, interrupt: Callable[[], object]) -> None:
    while numbers := os.read(source, 64):
        if signal.SIGINT in numbers and signal.getsignal(signal.SIGINT) is signal.default_int_handler:
            interrupt()
