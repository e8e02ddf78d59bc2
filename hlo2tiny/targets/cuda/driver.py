"""The driver of NVIDIA's GPUs, by its official Python interface: errors, memory, compiled code, streams.

Everything here runs in the context that tinygrad uses, so that both read the same memory.
"""

from __future__ import annotations

import ctypes
from collections.abc import Iterable, Sequence
from functools import cache
from typing import Any

import numpy as np

from ... import forking
from ...errors import InputError
from ...tinygrad.device import context_of, open_device
from .. import NotBuilt

MISSING = "cuda-bindings is not installed; with `pip install 'hlo2tiny[cuda]'`, programs on CUDA are many times faster"

LIBRARIES = ("cublasLt", "cudnn")


@cache
def driver() -> Any:
    """The module of the driver's functions.

    Raises:
        NotBuilt: it is not installed.
    """
    try:
        from cuda.bindings import driver as module
    except ImportError as error:
        raise NotBuilt(MISSING) from error
    return module


@cache
def library(name: str) -> str | None:
    """The path of one of NVIDIA's libraries, such as cublasLt; None if it is not installed."""
    try:
        from cuda.pathfinder import load_nvidia_dynamic_lib

        return str(load_nvidia_dynamic_lib(name).abs_path)
    except (ImportError, RuntimeError, OSError):
        return None


def check(result: Sequence[Any]) -> Any:
    """The value of a call of the driver or of nvrtc.

    Raises:
        InputError: the call reported an error.
    """
    status, *values = result
    if int(status) != 0:
        message = status.name
        if "CAPTURE" in message:
            raise Interrupted(message)
        if type(status).__name__ == "CUresult":
            text = driver().cuGetErrorString(status)[1]
            message = f"{text.decode() if text else message} ({message})"
        raise InputError(f"CUDA: {message}")
    return values[0] if len(values) == 1 else values


class Interrupted(Exception):
    """Recording a graph was interrupted: another thread did something that a recording does not allow."""


class Gpu:
    """An open GPU, in tinygrad's context.

    Attributes:
        arch: its kind, such as sm_90.
        libraries: those of NVIDIA's libraries that programs call and that are installed.
    """

    def __init__(self, name: str, context: int) -> None:
        cu = driver()
        version = check(cu.cuDriverGetVersion())
        if version < 12040:
            raise NotBuilt(f"the GPU's driver is for CUDA {version // 1000}.{version % 1000 // 10}; 12.4 is the oldest"
                           " that can repeat a part of a graph, so update the driver")  # fmt: skip
        self.name, self.context = name, cu.CUcontext(context)
        self.enter()
        device = check(cu.cuCtxGetDevice())
        attribute = cu.CUdevice_attribute
        major, minor = (
            check(cu.cuDeviceGetAttribute(getattr(attribute, f"CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_{x}"), device))
            for x in ("MAJOR", "MINOR")
        )
        self.arch = f"sm_{major}{minor}"
        self.chip = check(cu.cuDeviceGetName(100, device)).decode().rstrip("\0")
        self.libraries = frozenset(n for n in LIBRARIES if library(n) is not None)
        self._streams: list[Any] = []
        # Recording uses the streams and cuBLASLt's handle, and all programs share a workspace.
        self.lock = forking.lock()
        # Graphs and memory of programs that are gone: nothing may be freed while a stream records.
        self.unused: list[tuple[Iterable[Any], Iterable[int]]] = []

    def enter(self) -> None:
        """Make this the GPU of the calling thread."""
        check(driver().cuCtxSetCurrent(self.context))

    def clean(self) -> None:
        """Free what programs that are gone have left."""
        if self.unused:
            check(driver().cuCtxSynchronize())
        while self.unused:
            graphs, memory = self.unused.pop()
            for graph in graphs:
                graph.destroy()
            for address in memory:
                check(driver().cuMemFree(address))

    def forget_streams(self) -> None:
        """Use new streams, as the ones so far are left in the middle of a recording."""
        self._streams.clear()

    def stream(self, depth: int) -> Any:
        """A stream to record graphs with, one for each depth of loops."""
        while len(self._streams) <= depth:
            self._streams.append(check(driver().cuStreamCreate(1)))
        return self._streams[depth]

    def allocate(self, size: int, purpose: str) -> int:
        """New memory.

        Raises:
            InputError: there is too little.
        """
        status, address = driver().cuMemAlloc(max(size, 16))
        if int(status) != 0:
            free, total = check(driver().cuMemGetInfo())
            raise InputError(
                f"device {self.name} has too little memory for {purpose}: {size:,} bytes are needed, and {free:,} of"
                f" {total:,} are free"
            )
        return int(address)

    def upload(self, address: int, array: np.ndarray) -> None:
        if array.nbytes:
            check(driver().cuMemcpyHtoD(address, array.ctypes.data, array.nbytes))

    def download(self, array: np.ndarray, address: int) -> None:
        """Copy to an array, after everything that runs."""
        if array.nbytes:
            check(driver().cuMemcpyDtoH(array.ctypes.data, address, array.nbytes))


@cache
def gpu_of(device: str) -> Gpu:
    driver()
    return Gpu(open_device(device), context_of(device))


def arguments(*values: Any) -> tuple[int, Any]:
    """The address of a kernel's arguments, and what keeps them alive."""
    pointers = (ctypes.c_void_p * len(values))(*(ctypes.addressof(v) for v in values))
    return ctypes.addressof(pointers), (pointers, values)
