"""A program's code for this machine, and calls of it: all that a second process needs, which knows no plan.

Inputs are read where they lie, results are written where the caller wants them, and what a run needs besides is one
piece of memory, its own while it runs: several threads may run one program.
"""

from __future__ import annotations

import _ctypes
import contextlib
import ctypes
import os
import sys
import tempfile
import threading
import time
import warnings
import weakref
from collections.abc import Callable, Iterable, Sequence
from functools import lru_cache, partial
from importlib import resources
from math import prod
from pathlib import Path
from typing import Any, Protocol

import numpy as np

from ... import forking
from ...compiler import expect_executable
from ...errors import InputError, NoNativeCode
from ...ir import TensorType
from ...ir.dtypes import numpy_dtype, static_shape
from ...libraries import openblas
from .. import NotBuilt, Serialized
from ..arrays import Fixed, address, array_address, storage_array
from .linking import Texts, object_name, shared_object

ALIGNMENT = 64  # of a plan's arena, as in plan/memory.py
LONG = 0.25  # seconds of a run, of which Ctrl-C should not wait for the end


class HostCall(Protocol):
    """What a run calls for steps on the host: a C function, and the exception that ended one."""

    callback: Any
    error: BaseException | None


class Code:
    """A program's shared object with what a call of it needs beside the arguments.

    Args:
        shared: the shared object.
        constants: the arrays that the code reads, as buffers hold them.
        inputs, outputs: the types of the arguments and results.
        arena: the bytes of a run's working memory.
        library: the functions of libraries that it calls.
        host: makes what a run calls for its steps on the host, if it has any.
    """

    def __init__(
        self,
        shared: bytes,
        constants: Sequence[np.ndarray],
        inputs: Sequence[TensorType],
        outputs: Sequence[TensorType],
        arena: int,
        library: tuple[str, ...],
        host: Callable[[], HostCall] | None = None,
    ) -> None:
        expect_memory(arena + sum(map(byte_size, outputs)))
        self.shared, self.constants, self.inputs, self.outputs = shared, constants, inputs, outputs
        self.arena, self.library, self.host = arena, library, host
        self._results = list(map(array_layout, outputs))
        self._addresses = addresses(map(array_address, constants))
        self._environment = addresses_of(library), threads(), signals()
        self._library = loaded(shared)
        if threads() is None and thread_count() > 1:
            message = "the pool of threads could not be built, so that programs run on one thread, which is slower"
            warnings.warn(NoNativeCode(message), stacklevel=2)
        self.file = self._library.functions
        self._function = self.file.run_plan
        self._function.argtypes = [ctypes.c_void_p] * 9
        self._arenas: list[np.ndarray] = []  # those that no run uses
        self._slow = True  # perhaps: no run has told otherwise

    def run(self, inputs: Sequence[Any]) -> list[Any]:
        """The results for buffers of tinygrad and arrays, in buffers that no one else holds."""
        from ...tinygrad.buffers import allocate, buffer_layout

        layouts = [buffer_layout(type) for type in self.outputs]
        outputs = [allocate(prod(shape), dtype, "CPU") for shape, dtype in layouts]
        self.run_into(inputs, outputs)
        return outputs

    def run_into(self, inputs: Sequence[Any], outputs: Sequence[Any]) -> None:
        """The same with the results in given buffers, which are none of the inputs."""
        from ...tinygrad.buffers import buffer_address, finish

        held = [storage_array(x) if isinstance(x, np.ndarray) else x for x in inputs]
        finish("CPU")
        places = (address(x) if isinstance(x, (np.ndarray, Fixed)) else buffer_address(x) for x in held)
        self._call(places, map(buffer_address, outputs), (inputs, held, outputs))

    def run_numpy(self, arrays: Sequence[np.ndarray | Fixed]) -> list[np.ndarray]:
        """The same on numpy arrays of the declared types."""
        inputs = [x if isinstance(x, Fixed) else storage_array(x) for x in arrays]
        outputs = [empty(*layout) for layout in self._results]
        self._call(map(address, inputs), map(array_address, outputs), (arrays, inputs, outputs))
        return outputs

    def serialize(self) -> Serialized | None:
        """See `Executor`; steps on the host are functions of this process."""
        facts = {"arena": self.arena, "library": self.library}
        constants = [constant.reshape(-1).view(np.uint8) for constant in self.constants]
        return None if self.host else Serialized(facts, [np.frombuffer(self.shared, np.uint8), *constants])

    def _call(self, inputs: Iterable[int], outputs: Iterable[int], held: Any) -> None:
        """Run on arguments and results at some addresses, whose memory is that of `held`."""
        try:
            arena = self._arenas.pop()
        except IndexError:
            try:
                arena = np.empty(self.arena + ALIGNMENT, np.uint8)
            except MemoryError as error:
                needed = f"{self.arena:,} bytes of working memory"
                raise InputError(f"the program needs {needed}, which this machine does not give") from error
        at = array_address(arena)
        at += -at % ALIGNMENT
        call = self.host() if self.host else None
        places = addresses(inputs), addresses(outputs), self._addresses, at, call and call.callback, None
        if self._slow and not self.host and threading.current_thread() is threading.main_thread():
            failed = self._waited_for(places, (held, arena))
        else:
            failed = self._function(*places, *self._environment)
        self._arenas.append(arena)
        if failed:  # by a host step, or a signal's handler
            raise (call and call.error) or KeyboardInterrupt

    def _waited_for(self, places: Sequence[Any], held: Any) -> int:
        """Run in another thread, as only Ctrl-C's own can end a wait for one long kernel.

        Such a run is left behind. It holds its memory until it ends, which it does when it asks next.
        """
        left = threading.Event()
        asks = ctypes.CFUNCTYPE(ctypes.c_int)(left.is_set)
        functions, pool, (ensure, _, *others) = self._environment
        environment = functions, pool, addresses([ensure, ctypes.cast(asks, ctypes.c_void_p).value or 0, *others])
        failed: list[int] = []

        def run(held: Any = (held, asks)) -> None:
            failed.append(self._function(*places, *environment))

        begun = time.monotonic()
        thread = threading.Thread(target=run, name="hlo2tiny", daemon=True)
        thread.start()
        try:
            thread.join()
        except BaseException:
            left.set()
            raise
        self._slow = time.monotonic() - begun > LONG
        return failed[0]


def process() -> str:
    """What of this process compiled code depends on."""
    return str(thread_count())


def load(serialized: Serialized, inputs: Sequence[TensorType], outputs: Sequence[TensorType]) -> Code:
    """The code that another process has serialized.

    Raises:
        NotBuilt: this machine does not load it.
    """
    (shared, *constants), facts = serialized.parts, serialized.facts
    return Code(shared.tobytes(), constants, inputs, outputs, facts["arena"], tuple(facts["library"]))


# ---------------------------------------------------------------- memory


def physical_memory() -> int | None:
    """The bytes of this machine's memory, None where that is not known."""
    try:
        return os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
    except (AttributeError, ValueError, OSError):
        return None


def expect_memory(size: int) -> None:
    """Refuse a program that needs more than there is; a system may promise memory that it does not have."""
    available = physical_memory()
    if available is not None and size > available:
        needed = f"{size:,} bytes for its results and working memory"
        raise InputError(f"the program needs {needed}, this machine has {available:,}; run it on smaller shapes")


def array_layout(type: TensorType) -> tuple[tuple[int, ...], np.dtype]:
    return static_shape(type), numpy_dtype(type.element)


def byte_size(type: TensorType) -> int:
    shape, dtype = array_layout(type)
    return prod(shape) * dtype.itemsize


def empty(shape: tuple[int, ...], dtype: np.dtype) -> np.ndarray:
    try:
        return np.empty(shape, dtype)
    except MemoryError as error:
        size = f"{prod(shape) * dtype.itemsize:,} bytes"
        raise InputError(f"the program has a result of {size}, which this machine does not give") from error


def addresses(values: Iterable[int]) -> Any:
    listed = list(values)
    return array_of_addresses(len(listed) or 1)(*listed)


@lru_cache
def array_of_addresses(count: int) -> Any:
    return ctypes.c_void_p * count


# ---------------------------------------------------------------- signals, threads


@lru_cache
def signals() -> Any:
    """The functions of Python with which a loop asks whether Ctrl-C was pressed."""
    names = ("PyGILState_Ensure", "PyErr_CheckSignals", "PyErr_Clear", "PyGILState_Release")
    return addresses(ctypes.cast(getattr(ctypes.pythonapi, name), ctypes.c_void_p).value or 0 for name in names)


@lru_cache
def thread_count() -> int:
    """As many threads as the processors that the process may use, or OMP_NUM_THREADS; one where there is no pool."""
    if sys.platform != "linux":
        return 1
    count = len(os.sched_getaffinity(0))
    with contextlib.suppress(ValueError):
        count = min(count, max(1, int(os.environ.get("OMP_NUM_THREADS", count))))
    return count


@lru_cache
def threads() -> int | None:
    """The address of the function that shares a kernel's loop between this process's threads, started when first asked.

    None where there is no such pool.
    """
    count = thread_count()
    if count < 2:
        return None
    try:
        file = part("threads", lambda: resources.files(__package__).joinpath("threads.c").read_text(encoding="utf-8"))
    except NotBuilt:
        return None
    file.start_threads(count)
    return function_address(file, "parallel")


# ---------------------------------------------------------------- shared objects


class Library:
    """A loaded shared object, which is unloaded when nothing refers to this any more.

    What calls a function of it has to hold it until that returns.
    """

    def __init__(self, path: str) -> None:
        self.functions = ctypes.CDLL(path)
        unload = getattr(_ctypes, "dlclose", None) or getattr(_ctypes, "FreeLibrary")  # noqa: B009
        # Not when Python ends: threads may still run then.
        weakref.finalize(self, unload, self.functions._handle).atexit = False


_libraries: weakref.WeakValueDictionary[bytes, Library] = weakref.WeakValueDictionary()
_parts: set[Library] = set()
_loading = forking.awaited_lock()


def loaded(shared: bytes) -> Library:
    """A shared object, loaded once in a process at a time."""
    with _loading:
        library = _libraries.get(shared)
        if library is None:
            with tempfile.TemporaryDirectory(prefix="hlo2tiny-") as folder:
                path = Path(folder) / "program.so"
                path.write_bytes(shared)
                try:
                    library = _libraries[shared] = Library(str(path))
                except OSError as error:
                    expect_executable(path)
                    raise NotBuilt(str(error)) from error
        return library


def part(name: str, text: Callable[[], str]) -> ctypes.CDLL:
    """Code that all programs share, which stays loaded: threads wait in it, and programs know its addresses."""
    library = loaded(shared_object(object_name(name), lambda: Texts(text())))
    _parts.add(library)
    return library.functions


def function_address(file: ctypes.CDLL, name: str) -> int:
    return ctypes.cast(getattr(file, name), ctypes.c_void_p).value or 0


def product_text(letter: str) -> str:
    from .templates import library_text

    return library_text(letter)


@lru_cache
def addresses_of(names: tuple[str, ...]) -> Any:
    """The addresses of functions: our own products, and those of BLAS and LAPACK."""
    return addresses(map(function_of_library, names))


def function_of_library(name: str) -> int:
    if name.endswith("product"):
        return function_address(part(name, partial(product_text, name[0])), name)
    return function_address(openblas(), f"scipy_{name}")
