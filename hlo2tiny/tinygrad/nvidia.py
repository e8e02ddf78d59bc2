"""Whether NVIDIA's driver can open a GPU, and what to do if it cannot."""

from __future__ import annotations

import ctypes
import os
import sys
from contextlib import suppress
from threading import Thread
from typing import Any

from ..errors import InputError, count_text

NO_GPU = 100  # a status of the driver's
NAME = "nvcuda.dll" if sys.platform == "win32" else "libcuda.so.1"


_begun: set[int] = set()  # the GPUs that `begin_opening` has been called for


def driver_library() -> Any:
    """The library that the driver consists of; raises OSError if it is not installed."""
    return ctypes.CDLL(NAME)


def begin_opening(device: str) -> None:
    """Open the primary context of a GPU in the background, once, unless tinygrad has opened the GPU.

    That takes the driver as long as Python takes to import tinygrad. Whoever opens the GPU meanwhile waits in the
    driver, and reports what is wrong.
    """
    number, tinygrad = int(device.partition(":")[2] or 0), sys.modules.get("tinygrad.device")
    if number in _begun or (tinygrad and device.removesuffix(":0") in tinygrad.Device._opened_devices):
        return
    _begun.add(number)

    def begin() -> None:
        with suppress(OSError):
            library, gpu, context = driver_library(), ctypes.c_int(), ctypes.c_void_p()
            if not (library.cuInit(0) or library.cuDeviceGet(ctypes.byref(gpu), number)):
                library.cuDevicePrimaryCtxRetain(ctypes.byref(context), gpu)

    Thread(target=begin, name=f"hlo2tiny opens {device}", daemon=True).start()


def expect_gpu(device: str) -> None:
    """Check that a GPU can be opened, given the name of the device.

    Raises:
        InputError: there is no driver, or it does not work, or there is no such GPU.
    """
    try:
        library = driver_library()
    except OSError as error:
        raise InputError(
            f"device {device} needs NVIDIA's driver, which is not installed ({error}): install it, or use device CPU"
        ) from error
    number, count = int(device.partition(":")[2] or 0), ctypes.c_int()
    if (status := library.cuInit(0) or library.cuDeviceGetCount(ctypes.byref(count))) and status != NO_GPU:
        raise InputError(
            f"device {device}: NVIDIA's driver cannot start ({describe(library, status)}); if `nvidia-smi` fails too,"
            " install the driver again or restart the machine"
        )
    if number >= count.value:
        hidden = os.environ.get("CUDA_VISIBLE_DEVICES")
        reason = "" if hidden is None else f", as CUDA_VISIBLE_DEVICES={hidden} lets this process see"
        names = {0: "use device CPU", 1: "use CUDA"}.get(count.value, f"use CUDA to CUDA:{count.value - 1}")
        raise InputError(
            f"there is no device {device}: NVIDIA's driver finds {count_text(count.value, 'GPU')}{reason}; {names}"
        )


def describe(library: Any, status: int) -> str:
    """What the driver calls a status."""
    name = ctypes.c_char_p()
    library.cuGetErrorString(status, ctypes.byref(name))
    return (name.value or b"").decode(errors="replace") or f"error {status}"
