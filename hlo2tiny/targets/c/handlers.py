"""Libraries with handlers for XLA's typed FFI; `handlers.c` is what calls these."""

from __future__ import annotations

import ctypes
import os
from functools import lru_cache, partial

from ...errors import InputError
from .. import STAGES, NotBuilt
from .code import LoadedLibrary, own_units, part
from .linking import shared_object

# The function with which a library registers its handlers when it is loaded.
REGISTERS = "XLA_FFI_GetApi"


def calling() -> ctypes.CDLL:
    """The functions of `handlers.c`: the copy with which libraries have registered handlers, if there is one.

    Raises:
        InputError: there is no compiler for them.
    """
    try:
        return registry().functions if registry.cache_info().currsize else part("handlers")
    except NotBuilt as error:
        reason = str(error).partition("\n")[0]
        raise InputError(f"ffi: the code that calls handlers cannot be built: {reason}") from error


@lru_cache
def registry() -> LoadedLibrary:
    """The same functions, in a copy that libraries loaded from now on find by name.

    The process may contain XLA's copy, so only libraries that need ours cause this.
    """
    return LoadedLibrary(shared_object("handlers", partial(own_units, "handlers")), ctypes.RTLD_GLOBAL)


@lru_cache
def open_library(path: str) -> ctypes.CDLL:
    """Load a library, which stays loaded, since programs know the addresses of its functions.

    Raises:
        InputError: it cannot be loaded.
    """
    try:
        try:
            return ctypes.CDLL(path)
        except OSError as error:
            if REGISTERS not in str(error):
                raise
            registry()
            return ctypes.CDLL(path)
    except OSError as error:
        what = "there is no such file" if os.path.isabs(path) and not os.path.exists(path) else str(error)
        raise InputError(
            f"ffi: the library {path!r} cannot be loaded: {what}; compile it for this machine, and give its path"
        ) from error


def symbol_address(path: str, symbol: str) -> int | None:
    """The address of a library's symbol; None if it has no such symbol."""
    try:
        return ctypes.cast(getattr(open_library(path), symbol), ctypes.c_void_p).value
    except AttributeError:
        return None


def registered_stages(name: str, platform: str) -> dict[str, int]:
    """The handlers that libraries have registered for a custom call when they were loaded."""
    if not registry.cache_info().currsize:
        return {}
    stages = (ctypes.c_void_p * len(STAGES))()
    found = registry().functions.hlo2tiny_find_registered(name.encode(), platform.encode(), stages)
    return {stage: at for stage, at in zip(STAGES, stages) if at} if found else {}
