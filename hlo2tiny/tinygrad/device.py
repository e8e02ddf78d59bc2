"""tinygrad's devices: their names, opening them, the dtypes that they support."""

from __future__ import annotations

import contextlib
import ctypes
import os
import re
import shutil
from collections.abc import Iterator
from typing import Any

from tinygrad import Device, dtypes
from tinygrad.helpers import getenv
from tinygrad.renderer import cstyle

from ..errors import InputError
from ..machine import forking
from ..machine.compiler import clang
from .nvidia import expect_gpu
from .settings import ClangRenderer, lowering_settings, replace_attribute

# All launches on a device other than the CPU share its queue.
launching = forking.awaited_lock()

# The allocators of the devices that were opened.
allocators: dict[str, Any] = {}

# A status of NVIDIA's driver, CUDA_ERROR_PEER_ACCESS_ALREADY_ENABLED.
PEER_ACCESS_ALREADY_ENABLED = 704

# A name of tinygrad's, and a number if there are several such devices.
DEVICE = re.compile(r"\w+(:[0-9]{1,4})?", re.ASCII)


def open_device(device: str | None) -> str:
    """Open a device, tinygrad's default one for None, and return its canonical name.

    Raises:
        InputError: tinygrad has no such device, or cannot open it on this machine.
    """
    if device is not None and not isinstance(device, str):
        raise InputError(f"device is {device!r}, expected the name of a tinygrad device, such as 'CPU'")
    if device is not None and not DEVICE.fullmatch(device):
        message = "expected a name such as CPU, CUDA, METAL or CL, optionally with a number, as in CUDA:1"
        raise InputError(f"tinygrad cannot open device {device!r}: {message}")
    no_clang: InputError | None = None
    try:
        if device is None or is_host(device.upper()):
            clang()
    except InputError as error:
        if device is not None:
            raise
        no_clang = error
    if device in allocators:  # each call of a program asks
        return device
    with lowering_settings():
        try:
            name = canonical_name(device)
            if is_cuda(name):
                expect_gpu(name)
            with in_primary_context(name):
                opened = Device[name]
        except InputError:
            raise
        except Exception as error:
            if no_clang is not None:
                raise no_clang from error
            if device is not None and is_cuda(device) and "out of memory" in str(error):
                raise InputError(
                    f"device {device} cannot be opened: other processes have taken its memory (`nvidia-smi` lists them)"
                ) from error
            description = "any device" if device is None else f"device {device!r}"
            raise InputError(f"tinygrad cannot open {description}: {error or error.__class__.__name__}") from error
        if opened.runtime_t is None or name.split(":")[0] == "NULL":
            raise InputError(f"device {name} computes nothing; expected a device such as CPU, CUDA, METAL or CL")
        allocators[name] = opened.allocator
        if type(opened.renderer) is cstyle.ClangRenderer and not finds_clang():
            # tinygrad has no compiler for this device, so the user's own kernels are compiled by ours too.
            opened.renderers = [ClangRenderer if r is cstyle.ClangRenderer else r for r in opened.renderers]
    return name


@contextlib.contextmanager
def keep_context(name: str) -> Iterator[None]:
    """Restore the thread's previous NVIDIA GPU: other libraries take it for the user's choice."""
    if not is_cuda(name):
        yield
        return
    from tinygrad.runtime.autogen import cuda

    current = cuda.CUcontext()
    known = not cuda.cuCtxGetCurrent(ctypes.byref(current))
    try:
        yield
    finally:
        if known and current:
            cuda.cuCtxSetCurrent(current)


@contextlib.contextmanager
def in_primary_context(name: str) -> Iterator[None]:
    """Open an NVIDIA GPU in its primary context, as every other library does, rather than in one of tinygrad's own.

    Only then can they read each other's memory. Others may already have let the GPUs read each other's memory, which
    the driver reports as an error, and may have made a GPU current in this thread, which stays current.
    """
    if not is_cuda(name):
        yield
        return
    from tinygrad.runtime.autogen import cuda

    enable = cuda.cuCtxEnablePeerAccess

    def enable_peer_access(context: Any, flags: int) -> int:
        status = int(enable(context, flags))
        return 0 if status == PEER_ACCESS_ALREADY_ENABLED else status

    with (
        keep_context(name),
        replace_attribute(
            cuda, "cuCtxCreate_v2", lambda context, flags, gpu: cuda.cuDevicePrimaryCtxRetain(context, gpu)
        ),
        replace_attribute(cuda, "cuCtxEnablePeerAccess", enable_peer_access),
    ):
        yield


def context_of(device: str) -> int:
    """The address of the context of an NVIDIA GPU that is open."""
    context = Device[device].context
    return int(getattr(context, "value", None) or ctypes.cast(context, ctypes.c_void_p).value or 0)


def canonical_name(device: str | None) -> str:
    """The canonical name of a device; tinygrad's change of os.environ when it chooses a default one is undone."""
    before = os.environ.get("DEV")
    try:
        name: str = Device.canonicalize(device)
    finally:
        if before is None:
            os.environ.pop("DEV", None)
    return name


def finds_clang() -> bool:
    """Whether the compiler that tinygrad would run is the clang that we use."""
    program = getenv("CC", "clang")
    return clang() == [shutil.which(program) or program]


def is_host(device: str) -> bool:
    """Whether a device computes in this process's memory."""
    return device.split(":")[0] == "CPU"


def is_cuda(device: str) -> bool:
    """Whether CUDA runs a device: other libraries in the process share its memory and its context."""
    return device.split(":")[0] == "CUDA"


def has_int64(device: str) -> bool:
    """Whether a device's kernels support int64: those of WebGPU do not. This opens no device."""
    return device.split(":")[0] != "WEBGPU"


def has_float64(device: str) -> bool:
    """Whether a device's kernels support float64: those of Metal, WebGPU and some OpenCL devices do not."""
    # That of a CPU is known without opening it.
    return is_host(device) or dtypes.double in Device[device].renderer.supported_dtypes()
