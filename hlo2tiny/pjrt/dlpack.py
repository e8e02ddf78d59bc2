"""DLPack without a copy, both ways. JAX itself has it on the platforms that it knows."""

from __future__ import annotations

import ctypes
from typing import Any

import numpy as np

from . import PLATFORM

# The codes of types that numpy does not export; all elements have a whole number of bytes.
CODES = {"bfloat16": 4, "float8_e3m4": 7, "float8_e4m3": 8, "float8_e4m3b11fnuz": 9, "float8_e4m3fn": 10}
CODES |= {"float8_e4m3fnuz": 11, "float8_e5m2": 12, "float8_e5m2fnuz": 13, "float8_e8m0fnu": 14}
# Where a capsule has the code of the type, and how the capsule is called.
CODE_AT = {b"dltensor": 20, b"dltensor_versioned": 52}


class ArrayMemory:
    """Memory of an array as numpy takes it, whose owner lives as long."""

    def __init__(self, owner: np.ndarray, storage: np.dtype[Any], readonly: bool) -> None:
        self.owner = owner
        self.__array_interface__ = {
            "version": 3,
            "shape": owner.shape,
            "typestr": storage.str,
            "data": (owner.ctypes.data, readonly),
        }


def exported(array: Any, max_version: tuple[int, int] | None, copied: bool) -> Any:
    """A capsule of an array's memory.

    Raises:
        BufferError: DLPack has no such elements.
    """
    owner = np.asarray(array)
    name = owner.dtype.name
    code = CODES.get(name)
    if code is None and owner.dtype.isbuiltin != 1:
        raise BufferError(f"DLPack has no arrays of {name}")
    storage = np.dtype(f"u{owner.dtype.itemsize}") if code else owner.dtype
    # What reads older versions cannot be told that it must not write.
    is_versioned = max_version is not None and max_version >= (1, 0)
    shared = np.asarray(ArrayMemory(owner, storage, readonly=is_versioned and not copied))
    capsule = shared.__dlpack__(max_version=max_version) if is_versioned else shared.__dlpack__()
    if code:
        pointer = ctypes.pythonapi.PyCapsule_GetPointer
        pointer.restype, pointer.argtypes = ctypes.c_void_p, [ctypes.py_object, ctypes.c_char_p]
        capsule_name = b"dltensor_versioned" if is_versioned else b"dltensor"
        at = pointer(capsule, capsule_name) + CODE_AT[capsule_name]
        ctypes.c_uint8.from_address(at).value = code
    return capsule


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
