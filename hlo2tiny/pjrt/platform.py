"""What JAX has to know about the platform besides its library."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path

from . import PLATFORM
from .callbacks import offer_callbacks
from .dlpack import offer_dlpack
from .handlers import offer_handlers
from .interrupts import watch
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
        lowerings[PLATFORM] = lowerings["cpu"]
    for offer in (offer_callbacks, offer_handlers, offer_dlpack):
        with suppress(AttributeError, ImportError):
            offer()
    with suppress(AttributeError):
        if PLATFORM not in mlir._platforms_with_donation:
            mlir._platforms_with_donation.append(PLATFORM)
