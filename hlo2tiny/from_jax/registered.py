"""The compiled handlers that are registered with JAX in this process."""

from __future__ import annotations

from fnmatch import fnmatchcase
from typing import Any

from ..ir.attributes import print_name
from ..program.custom_calls import custom_calls
from ..program.ffi import EMBEDDED
from ..targets import STAGES, target_of
from ..targets.embedded import PLATFORM, TARGETS
from ..verify.refused import REFUSED
from .tracing import jax_module


def registered_handlers(code: bytes, device: str) -> dict[str, Any]:
    """Those that a program of this process may call, as `load(…, ffi=…)` takes them, and its own kernels.

    Functions of `custom_call` come first. Handlers of JAX itself that call Python need what only XLA passes.
    """
    platform = target_of(device.upper()).platform
    if platform is None or b"custom_call" not in code:
        return {}
    jax_module()
    from jaxlib import xla_client

    targets: Any = getattr(xla_client, "custom_call_targets", None)
    known: dict[str, Any] = targets(platform) if targets else {}
    spellings = {name: (name.encode(), print_name(name).encode()) for name in known}
    called = {name: stages for name, stages in known.items() if any(each in code for each in spellings[name])}
    others = {name for name in called if any(fnmatchcase(f"@{name}", pattern) for pattern in REFUSED)}
    embedded = {name: EMBEDDED for name in TARGETS if platform == PLATFORM and name.encode() in code}
    return embedded | {
        name: {stage: capsule for stage, capsule in stages.items() if stage in STAGES}
        for name, stages in called.items()
        if isinstance(stages, dict) and "execute" in stages and name not in {*others, *custom_calls()}
    }
