"""Compiled handlers of custom calls that are registered for this platform: by JAX, or by another client of PJRT."""

from __future__ import annotations

import ctypes
import sys
from typing import Any

from ..program.ffi import capsule_address
from ..targets import native_handlers, target_of

# What `load(…, ffi=…)` takes of each name, a function or one for each stage; and whether it is for the host only.
_registered: dict[str, tuple[Any, bool]] = {}
# The place of the function that registers a type in the table of XLA's typed FFI.
REGISTER_TYPE = 11


class TypeInfo(ctypes.Structure):
    """`struct type_info` of handlers.c."""

    _fields_ = [("size", ctypes.c_ssize_t), ("extension", ctypes.c_void_p), ("delete", ctypes.c_void_p)]


class RegisterType(ctypes.Structure):
    """`struct register_type` of handlers.c."""

    _fields_ = [
        ("size", ctypes.c_ssize_t),
        ("extension", ctypes.c_void_p),
        ("name", ctypes.c_char_p),
        ("length", ctypes.c_ssize_t),
        ("type", ctypes.c_void_p),
        ("info", ctypes.c_void_p),
    ]


def register_handler(name: str, functions: Any, for_host: bool = False) -> None:
    """Programs that are compiled from now on call these functions for custom calls of the name."""
    _registered[name] = functions, for_host


def register_type(name: bytes, type: int, info: int) -> None:
    """Register the type of a handler's state, whose number is at one address and its `struct type_info` at another."""
    api = native_handlers().calling().XLA_FFI_GetApi
    api.restype = ctypes.POINTER(ctypes.c_void_p)
    function = ctypes.CFUNCTYPE(ctypes.c_void_p, ctypes.c_void_p)(api()[REGISTER_TYPE])
    arguments = RegisterType(ctypes.sizeof(RegisterType), None, name, len(name), type, info)
    if function(ctypes.addressof(arguments)):
        raise MemoryError(f"no memory to register the type {name.decode('utf-8', 'replace')}")


def handlers_called(code: bytes, device: str) -> dict[str, Any] | None:
    """Those of the registered handlers that a program calls; JAX's for the CPU, too, where the device is one."""
    if b"custom_call" not in code:
        return None
    on_host = target_of(device).on_host
    found = {n: f for n, (f, for_host) in _registered.items() if n.encode() in code and (on_host or not for_host)}
    if "jaxlib" in sys.modules:
        from ..from_jax.registered import registered_handlers

        found = registered_handlers(code, device) | found
    return found or None


def offer_handlers() -> None:
    """Take what is registered with JAX for this platform, before and after this."""
    from jaxlib import xla_client

    from . import PLATFORM

    def take_handler(name: str, functions: Any, platform: str, /, api_version: int = 1, traits: Any = None) -> None:
        register_handler(name, functions)

    def take_type(name: str, type: Any) -> None:
        number, info = type["type_id"], type.get("type_info")
        register_type(name.encode(), capsule_address(number), capsule_address(info) if info else 0)

    xla_client.register_custom_call_handler(PLATFORM, take_handler)
    xla_client.register_custom_type_handler(PLATFORM, take_type)
    # Those for the CPU are known to XLA, which can be asked for them, once its CPU backend is open, which may never be.
    native = vars(xla_client)["_xla"]
    xla_client.register_custom_call_handler("cpu", native.register_custom_call_target)
    xla_client.register_custom_type_handler("cpu", native.register_custom_type)
