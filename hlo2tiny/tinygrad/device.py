"""tinygrad's devices: opened under one lock, with its cache of compiled kernels shared by threads."""

from __future__ import annotations

import contextlib
import os
import re
import sqlite3
from collections.abc import Callable
from functools import cache as cache_of_function
from functools import lru_cache
from typing import Any

from tinygrad import Device, dtypes, helpers
from tinygrad.helpers import Context, getenv
from tinygrad.uop import upat
from tinygrad.uop.ops import UOp, upat_interpret

from .. import forking
from ..errors import InputError
from ..targets.c.compiler import compiler_identity, prepare_compiler

# tinygrad builds graphs in tables shared by the whole process: one thread at a time.
building = forking.awaited_lock()
# The launches of a device other than the CPU share its queue.
launching = forking.awaited_lock()


allocators: dict[str, Any] = {}

# How often a pattern is tried before it is compiled, which takes as long as so many tries of most patterns.
TRIES = 200
_compile_pattern = upat.upat_compile


@cache_of_function
def tried_pattern(pattern: Any, function: Callable[..., Any]) -> Callable[[UOp, Any], UOp | None]:
    """A pattern of tinygrad's with what it is rewritten by, as tinygrad looks for it; it compiles each at first use."""
    code = function.__code__
    takes_context = "ctx" in code.co_varnames[: code.co_argcount + code.co_kwonlyargcount]
    compiled, tries = None, 0

    def match(uop: UOp, ctx: Any) -> UOp | None:
        nonlocal compiled, tries
        if compiled is not None:
            return compiled(uop, ctx)
        tries += 1
        if tries > TRIES:
            # Large ones it interprets itself.
            compiled = _compile_pattern(pattern, function) or upat_interpret(pattern, function)
        given = {"ctx": ctx} if takes_context else {}
        for found in pattern.match(uop, {}):
            if (result := function(**given, **found)) is not None:
                return result
        return None

    return match


upat.upat_compile = tried_pattern


# What tinygrad has for a device, with the number of one of several.
DEVICE = re.compile(r"\w+(:[0-9]{1,4})?", re.ASCII)


@lru_cache
def share_kernel_cache() -> None:
    """Let any thread use tinygrad's cache of compiled kernels: its connection belongs to the thread that opens it.

    Kernels are built under a lock, so one connection serves. Where the user's cache folder cannot be written, tinygrad
    would fail; there it goes without.
    """
    try:
        os.makedirs(os.path.dirname(helpers.CACHEDB), exist_ok=True)
        connection = sqlite3.connect(helpers.CACHEDB, timeout=60, isolation_level="IMMEDIATE", check_same_thread=False)
        with contextlib.suppress(sqlite3.OperationalError):  # another process holds it for a moment
            connection.execute("PRAGMA journal_mode=WAL").fetchone()
        connection.execute("PRAGMA synchronous=NORMAL")
        connection.execute("CREATE TABLE IF NOT EXISTS hlo2tiny_can_write (x)")
        connection.commit()
        helpers._db_connection = connection
    except (OSError, sqlite3.Error):
        helpers.CACHELEVEL.value = 0


def forget_connection() -> None:
    """Let a forked process open the cache of compiled kernels anew: a connection of SQLite is one process's."""
    _inherited.append(helpers._db_connection)  # closing it could end what the parent does
    helpers._db_connection = None
    share_kernel_cache.cache_clear()


_inherited: list[Any] = []
forking.in_child(forget_connection)


def open_device(device: str | None) -> str:
    """The canonical name of a device, opened: tinygrad's default one when None.

    Raises:
        InputError: tinygrad has no such device, or it does not open here.
    """
    if device is not None and not isinstance(device, str):
        raise InputError(f"device is {device!r}, expected the name of a tinygrad device, such as 'CPU'")
    if device is not None and not DEVICE.fullmatch(device):
        message = "expected a name such as CPU, CUDA, METAL or CL, perhaps with a number, as in CUDA:1"
        raise InputError(f"tinygrad cannot open device {device!r}: {message}")
    with building:
        share_kernel_cache()
        missing: InputError | None = None
        try:
            if device is None or device.upper().split(":")[0] == "CPU":
                prepare_compiler()
                getenv.cache_clear()  # tinygrad remembers the environment as it was first read
        except InputError as error:
            if device is not None:
                raise
            missing = error
        try:
            name: str = Device.canonicalize(device)
            opened = Device[name]
        except Exception as error:
            if missing is not None:
                raise missing from error
            wanted = "any device" if device is None else f"device {device!r}"
            raise InputError(f"tinygrad cannot open {wanted}: {error or error.__class__.__name__}") from error
        if opened.runtime_t is None or name.split(":")[0] == "NULL":
            raise InputError(f"the device {name} computes nothing; expected one such as CPU, CUDA, METAL or CL")
        allocators[name] = opened.allocator
        compiler = opened.renderer.compiler
        if name.startswith("CPU") and compiler is not None and compiler.cachekey:
            # tinygrad's cache of compiled kernels does not know the compiler's flags.
            compiler.cachekey = f"{compiler.cachekey.split(' ')[0]} {compiler_identity()}"
    return name


def default_device(device: str) -> contextlib.AbstractContextManager[Any]:
    """tinygrad opens all devices to find its default one when a tensor first names none; no tensor here is for that."""
    unknown = not helpers.DEV.device and "_select_device" not in vars(Device)
    return Context(DEV=device.split(":")[0]) if unknown else contextlib.nullcontext()


def has_float64(device: str) -> bool:
    """Whether a device's kernels may hold float64 at all: Metal's, WebGPU's and some of OpenCL's may not."""
    if device.split(":")[0] == "CPU":  # which need not be opened for that
        return True
    return dtypes.double in Device[device].renderer.supported_dtypes()
