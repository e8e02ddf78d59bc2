"""The driver of NVIDIA GPUs, through its official Python interface: errors, memory, compiled code, streams.

Everything here runs in the context that tinygrad uses, so that both read the same memory.
"""

from __future__ import annotations

import ctypes
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from functools import cache
from typing import Any

import numpy as np

from ...errors import Error, InputError
from ...machine import forking
from ...tinygrad.device import allocators, context_of, open_device
from .. import NotBuilt

MISSING = "cuda-bindings is not installed; with `pip install 'hlo2tiny[cuda]'`, programs on CUDA are many times faster"
# NVIDIA's libraries that programs call: the wheel that brings each, and what is slower without it.
LIBRARIES = {
    "cublas": ("nvidia-cublas", "triangular systems are solved on the host"),
    "cublasLt": ("nvidia-cublas", "matrix products run as slower kernels"),
    "cudnn": ("nvidia-cudnn-cu13", "convolutions run as slower kernels"),
    "cufft": ("nvidia-cufft", "Fourier transforms run on the host"),
    "cusolver": ("nvidia-cusolver", "linear algebra runs on the host"),
}
# The oldest version of CUDA whose driver can repeat a part of a graph: 12.4.
OLDEST = 12040
OUT_OF_MEMORY, NOT_READY = 2, 600
# What the host sees in a flag that the GPU has not written yet, and the bytes of flags that are allocated at once.
UNWRITTEN, FLAGS = 0xFF, 4096
# Errors after which the driver refuses everything that a process asks for, on any GPU, even a new context.
STOPPING = frozenset((214, 220, 700, 702, 709, 710, 714, 715, 716, 717, 718, 719, 721))


class Watch(ctypes.Structure):
    """What the host sees of a loop that exchanges values: how often it decided on an iteration, and whether it has
    ended.

    With `stop`, the host ends it.
    """

    _fields_ = [("word", ctypes.c_uint32), ("stop", ctypes.c_uint32)]

    @property
    def seen(self) -> tuple[int, bool]:
        """How often it has decided, and whether it continues: both as of one moment, while the GPU writes."""
        word = self.word
        return word & 0x7FFFFFFF, word >> 31 == 0


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


@contextmanager
def keep_context() -> Iterator[None]:
    """Restore the thread's previous GPU: torch takes it for the user's choice."""
    cu = driver()
    status, before = cu.cuCtxGetCurrent()
    try:
        yield
    finally:
        if not int(status) and before is not None and int(before):
            cu.cuCtxSetCurrent(before)


@cache
def library(name: str) -> str | None:
    """The path of one of NVIDIA's libraries, such as cublasLt; None if it is not installed."""
    try:
        from cuda.pathfinder import load_nvidia_dynamic_lib

        return str(load_nvidia_dynamic_lib(name).abs_path)
    except (ImportError, RuntimeError, OSError):
        return None


class Installed:
    """NVIDIA's libraries that are installed. A library is loaded when it is first asked for."""

    def __contains__(self, name: object) -> bool:
        return library(str(name)) is not None


NO_COMPILER = "NVIDIA's compiler nvrtc cannot be loaded; run `pip install 'hlo2tiny[cuda]'`"


def compiler() -> Any:
    """The module of nvrtc's functions."""
    try:
        from cuda.bindings import nvrtc

        nvrtc.nvrtcVersion()
    except (ImportError, RuntimeError) as error:
        raise NotBuilt(f"{NO_COMPILER}: {error}") from error
    return nvrtc


def compiler_library() -> str:
    """The path of nvrtc."""
    if (path := library("nvrtc")) is None:
        raise NotBuilt(NO_COMPILER)
    return path


def compiler_version() -> int:
    """The version of CUDA that nvrtc compiles for, such as 13000 for 13.0: drivers run no code for a later one."""
    return int(compiler().nvrtcVersion()[1]) * 1000


def version_text(version: int) -> str:
    """12.4 for 12040."""
    return f"{version // 1000}.{version % 1000 // 10}"


def check(result: Sequence[Any]) -> Any:
    """The value that a call of the driver or of nvrtc returns.

    Raises:
        GraphStopped: no GPU can be used in this process any more.
        Interrupted: what a stream recorded is of no use.
        InputError: the call reported another error.
    """
    status, *values = result
    if int(status) != 0:
        message = status.name
        if "CAPTURE" in message:
            raise Interrupted(message)
        if type(status).__name__ == "CUresult":
            text = driver().cuGetErrorString(status)[1]
            message = f"{text.decode() if text else message} ({message})"
            if int(status) in STOPPING:
                raise GraphStopped(
                    f"{message}; NVIDIA's driver refuses all further work of this process; start a new one"
                )
        raise InputError(f"CUDA: {message}")
    return values[0] if len(values) == 1 else values


class Interrupted(Exception):
    """Recording a graph was interrupted: another thread did something that a recording does not allow."""


class GraphStopped(Error):
    """A GPU stopped in the middle of a kernel, and none can be used in this process any more."""


class Gpu:
    """An open GPU, in tinygrad's context.

    Attributes:
        arch: its kind, such as sm_90.
        version: the version of CUDA that the driver supports, such as 13000 for 13.0.
        libraries: those of NVIDIA's libraries that are installed.
        kept: what programs share, such as handles of libraries.
    """

    def __init__(self, name: str, context: int) -> None:
        cu = driver()
        self.name, self.context = name, cu.CUcontext(context)
        self.enter()
        device = check(cu.cuCtxGetDevice())
        attribute = cu.CUdevice_attribute
        major, minor = (
            check(cu.cuDeviceGetAttribute(getattr(attribute, f"CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_{x}"), device))
            for x in ("MAJOR", "MINOR")
        )
        self.arch = f"sm_{major}{minor}"
        self.version = int(check(cu.cuDriverGetVersion()))
        self.chip = check(cu.cuDeviceGetName(100, device)).decode().partition("\0")[0].strip()
        self.libraries = Installed()
        self.kept: dict[str, Any] = {}
        self._streams: list[Any] = []
        self._flags: list[int] = []  # unused locations in host memory, by address
        # Recording uses the streams and cuBLASLt's handle, and all programs share a workspace.
        self.lock = forking.lock()
        # Graphs and memory of programs that no longer exist: nothing may be freed while a stream records.
        self.unused: list[tuple[Iterable[Any], Iterable[int]]] = []

    def expect_version(self, compiled: int) -> None:
        """Check that the driver runs code compiled for a version of CUDA.

        Raises:
            NotBuilt: it is too old.
        """
        if self.version < (needed := max(OLDEST, compiled)):
            raise NotBuilt(
                f"the driver of {self.name} supports CUDA {version_text(self.version)}, but the installed libraries"
                f" need {version_text(needed)} or later; update the driver"
            )

    def enter(self) -> None:
        """Make this the GPU of the calling thread."""
        check(driver().cuCtxSetCurrent(self.context))

    def finish(self) -> None:
        """Wait until all that was launched has run."""
        check(driver().cuCtxSynchronize())

    def is_idle(self) -> bool:
        """Whether all that was launched has run; the calling thread's GPU is this one afterwards.

        Raises:
            GraphStopped: a kernel failed, of this GPU or of another one.
            InputError: it does not respond.
        """
        try:
            self.enter()
            status, *_ = driver().cuStreamQuery(0)
            if int(status) != NOT_READY:
                check((status,))
        except InputError as error:
            raise InputError(f"{self.name} does not respond: {error}") from error
        return int(status) == 0

    def flag(self, kind: Any = ctypes.c_uint8) -> Any:
        """A number of the host's memory, or two words, that the GPU can write."""
        if not self._flags:
            begin = int(check(driver().cuMemHostAlloc(FLAGS, 0)))
            self._flags = [*range(begin, begin + FLAGS, ctypes.sizeof(Watch))]
        return kind.from_address(self._flags.pop())

    def clean(self) -> None:
        """Free what programs that no longer exist have left."""
        if self.unused:
            self.finish()
        while self.unused:
            graphs, memory = self.unused.pop()
            for graph in graphs:
                graph.destroy()
            for address in memory:
                self.free(address)

    def forget_streams(self) -> None:
        """Use new streams, since the old ones were left in the middle of recordings.

        These end here: while one goes on, nobody can wait for the GPU, tinygrad and other libraries included.
        """
        while self._streams:
            status, graph = driver().cuStreamEndCapture(self._streams.pop())
            if int(status) == 0 and not self._streams:  # the parts belong to the whole
                check(driver().cuGraphDestroy(graph))

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
        self.expect_room(size, purpose)
        status, address = driver().cuMemAlloc(max(size, 16))
        if int(status) == OUT_OF_MEMORY:  # the free memory may be fragmented
            raise self.too_little(size, purpose)
        return int(check((status, address)))

    def free(self, address: int) -> None:
        check(driver().cuMemFree(address))

    def free_memory(self) -> int:
        """The bytes that are not allocated."""
        return int(check(driver().cuMemGetInfo())[0])

    def expect_room(self, size: int, purpose: str) -> None:
        """Check that this many bytes can be allocated, once tinygrad has freed the memory that it keeps for later.

        Raises:
            InputError: there are fewer.
        """
        if self.free_memory() < size:
            allocators[self.name].free_cache()
            if self.free_memory() < size:
                raise self.too_little(size, purpose)

    def too_little(self, size: int, purpose: str) -> InputError:
        free, total = check(driver().cuMemGetInfo())
        return InputError(
            f"device {self.name} has too little memory for {purpose}: {size:,} bytes are needed, and {free:,} of"
            f" {total:,} are free; delete Tensors and programs, or run smaller batches"
        )

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


def allow_shared(function: Any, size: int) -> None:
    """Let the blocks of a kernel have so many bytes of shared memory besides its own."""
    cu = driver()
    check(
        cu.cuFuncSetAttribute(function, cu.CUfunction_attribute.CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, size)
    )


def launch(
    function: Any, grid: Sequence[int], block: Sequence[int], stream: Any, *values: Any, shared: int = 0
) -> None:
    """Launch a kernel with these arguments, and so many bytes of shared memory besides its own."""
    pointers, kept = arguments(*values)
    check(driver().cuLaunchKernel(function, *grid, *block, shared, stream, pointers, 0))
    del kept  # the driver has copied them
