"""DLPack without a copy, both ways. JAX itself has it on the platforms that it knows."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..dlpack import DEVICES, NARROW, lend
from . import PLATFORM


def exported(array: Any, max_version: tuple[int, int] | None, copied: bool) -> Any:
    """A capsule of an array's memory.

    Raises:
        BufferError: DLPack has no such elements.
    """
    owner = np.asarray(array)
    if owner.dtype.isbuiltin != 1 and owner.dtype not in NARROW.values():
        raise BufferError(f"DLPack has no arrays of {owner.dtype.name}")
    # What reads older versions cannot be told that it must not write.
    versioned = max_version is not None and max_version >= (1, 0)
    host = DEVICES["CPU"], 0
    return lend(owner.ctypes.data, host, owner.dtype, owner.shape, owner, versioned, readonly=not copied)


class OwnExport:
    """What jax._src.dlpack calls of jaxlib, with an export of this platform's arrays."""

    def __init__(self, jaxlib: Any) -> None:
        self._jaxlib = jaxlib

    def __getattr__(self, name: str) -> Any:
        return getattr(self._jaxlib, name)

    def buffer_to_dlpack_managed_tensor(
        self,
        array: Any,
        stream: Any = None,
        max_version: tuple[int, int] | None = None,
        copied: bool = False,
        **options: Any,
    ) -> Any:
        (device,) = array.devices()
        if device.platform == PLATFORM:
            return exported(array, max_version, copied)
        given = {"max_version": max_version, "copied": copied} if max_version or copied else {}
        return self._jaxlib.buffer_to_dlpack_managed_tensor(array, stream=stream, **given, **options)


def offer_dlpack() -> None:
    """Let JAX pass arrays of this platform by DLPack; those of the host become its arrays where it is the default."""
    import jax
    from jax._src import array
    from jax._src import dlpack as module

    dlpack: Any = module
    arrays: Any = array.ArrayImpl
    host = dlpack.DLDeviceType.kDLCPU
    original = arrays.__dlpack_device__

    def dlpack_device(self: Any) -> Any:
        devices = self.devices()
        if len(devices) == 1 and next(iter(devices)).platform == PLATFORM:
            return host, 0
        return original(self)

    arrays.__dlpack_device__ = dlpack_device
    dlpack._jax = OwnExport(dlpack._jax)
    if str(jax.config.jax_platforms).split(",")[0] == PLATFORM:
        dlpack._DL_DEVICE_TO_PLATFORM[host] = PLATFORM
