"""A program's code for this machine, and calls of it: all that a process needs to run it from the store.

A run reads its inputs in place and writes its results where the caller wants them. Its working memory is one block,
which no other run uses at the same time, so several threads may run one program.
"""

from __future__ import annotations

import _ctypes
import ctypes
import os
import shutil
import tempfile
import threading
import time
import warnings
import weakref
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import AbstractContextManager, suppress
from copy import copy
from dataclasses import astuple
from functools import lru_cache, partial
from math import prod
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np

from ... import stopping
from ...errors import InputError, NoNativeCode
from ...ir import TensorType
from ...ir.dtypes import byte_size
from ...ir.sizes import is_open, size_as_json, value_of
from ...machine import cache, forking
from ...machine.compiler import expect_executable
from ...machine.libraries import openblas
from ...stopping import Stop
from .. import NotBuilt, Serialized, count_processors
from ..arrays import ALIGNMENT, Fixed, address, addresses, align, array_address, dtype_and_shape, empty, storage_array
from .linking import made_once, shared_object
from .packing import Packing, width_of

if TYPE_CHECKING:
    from ..handlers import Calls
    from .calls import NativeArrayCall

# Windows does not delete files that a process has loaded; the next process removes those that are older than this.
LOADED_FILES_STAY, OLD = os.name == "nt", 86400  # seconds
PREFIX, FILE = "hlo2tiny-loaded-", "program.so"
LONG = 0.25  # seconds; Ctrl-C does not wait for the end of a run that takes longer


class CHostCall(Protocol):
    """The C function that a run calls for its steps on the host, and the exception that one of them raised."""

    callback: Any
    error: BaseException | None
    where: str


class CCode:
    """A program's shared object, and everything but the arguments that a call of it needs.

    Args:
        shared: the shared object.
        constants: the arrays that the code reads, as buffers hold them.
        inputs, outputs: the types of the arguments and results.
        arena: the size of a run's working memory in bytes.
        library: the names of the library functions that the code calls.
        threads: how many threads a run uses; 1 if there is nothing that several could share.
        in_place: see `Executor`.
        packings: the arguments that can be packed, and how.
        host: returns a new HostCall for a run; None if no step runs on the host.
        calls: the calls of compiled handlers, or None.

    If sizes are open, only what `of_sizes` returns can run.
    """

    def __init__(
        self,
        shared: bytes,
        constants: Sequence[np.ndarray],
        inputs: Sequence[TensorType],
        outputs: Sequence[TensorType],
        arena: int,
        library: tuple[str, ...],
        threads: int,
        in_place: Mapping[int, int],
        packings: Mapping[int, Packing],
        host: Callable[[], CHostCall] | None = None,
        calls: Calls | None = None,
    ) -> None:
        self._describe(inputs, outputs, arena)
        self.shared, self.constants = shared, list(map(align, constants))
        self.library, self.threads, self.host = library, threads, host
        self.in_place, self.packings = in_place, packings
        self.constant_addresses = addresses(map(array_address, self.constants))
        pool = thread_pool(threads)
        functions = addresses_of(library)
        if calls:
            functions = addresses([*functions[: len(library)], calls.function])
        self.calls, self.environment = calls, (functions, pool, signals())
        self._library = load_library(shared)
        if pool is None and threads > 1:
            message = "the thread pool could not be built, so programs run on one thread, which is slower"
            warnings.warn(NoNativeCode(message), stacklevel=2)
        self.file = self._library.functions
        self._function = self.file.run_plan
        self._function.argtypes = [ctypes.c_void_p] * (9 + self.is_open)
        self._sizes: tuple[Any, ...] = ()  # those of open dimensions, as a run takes them
        self.arenas: list[tuple[np.ndarray, int]] = []  # those that no run is using, and where each begins
        self._slow = True  # until a run turns out to be short

    def _describe(self, inputs: Sequence[TensorType], outputs: Sequence[TensorType], arena: int) -> None:
        """Set what depends on sizes."""
        self.inputs, self.outputs, self.arena, self.is_open = inputs, outputs, arena, is_open(arena)
        self.is_open |= any(is_open(size) for type in (*inputs, *outputs) for size in type.shape)
        self._stored: tuple[tuple[int, Any], ...] | None = None  # the sizes and dtypes of the results' buffers
        if not self.is_open:
            expect_memory(arena + sum(map(byte_size, outputs)))
            self.argument_layouts, self.result_layouts = (
                list(map(dtype_and_shape, side)) for side in (inputs, outputs)
            )

    def of_sizes(self, sizes: Sequence[int]) -> CCode:
        """The same code for these sizes of open dimensions. All such share their working memory."""
        known = copy(self)
        inputs, outputs = (
            [TensorType(tuple(value_of(n, sizes) for n in t.shape if n is not None), t.element) for t in side]
            for side in (self.inputs, self.outputs)
        )
        known._describe(inputs, outputs, value_of(self.arena, sizes))
        known._sizes = ((ctypes.c_int64 * len(sizes))(*sizes),)
        return known

    def run(self, inputs: Sequence[Any], outputs: Mapping[int, Any] = {}) -> list[Any]:
        buffers = buffers_of_tinygrad()
        if self._stored is None:
            self._stored = tuple((prod(shape), dtype) for shape, dtype in map(buffers.buffer_layout, self.outputs))
        results: list[Any] = buffers.allocate_results(self._stored, "CPU", outputs)[0]
        held = [storage_array(x) if isinstance(x, np.ndarray) else x for x in inputs]
        buffers.finish("CPU")
        find = buffers.buffer_address
        pointers = [self.locate(i, x) if isinstance(x, (np.ndarray, Fixed)) else find(x) for i, x in enumerate(held)]
        self._call([*pointers, *self.pack(held)], map(find, results), (inputs, held, results))
        return results

    def run_numpy(
        self, arrays: Sequence[np.ndarray | Fixed], outputs: Mapping[int, np.ndarray] = {}
    ) -> list[np.ndarray]:
        inputs = [x if isinstance(x, Fixed) else storage_array(x) for x in arrays]
        if outputs:
            results = [outputs[i] if i in outputs else empty(*layout) for i, layout in enumerate(self.result_layouts)]
        else:
            results = [empty(*layout) for layout in self.result_layouts]
        pointers: Iterable[int] = map(address, inputs)
        if self.packings:
            pointers = [*(self.locate(i, x) for i, x in enumerate(inputs)), *self.pack(inputs)]
        self._call(pointers, map(array_address, results), (arrays, inputs, results))
        return results

    def prepare(self, values: Sequence[Fixed | None]) -> NativeArrayCall | None:
        """See `Executor`."""
        from .calls import NativeArrayCall, arrays_are_known

        return NativeArrayCall(self, values) if not self.host and not self._sizes and arrays_are_known() else None

    def locate(self, number: int, array: np.ndarray | Fixed) -> int:
        """The address of an argument, which is not needed if it is packed."""
        return 0 if number in self.packings and isinstance(array, Fixed) else address(array)

    def pack(self, inputs: Sequence[Any]) -> list[int]:
        """The addresses of what can be packed; arrays that calls pass are not, since they would be for each call."""
        pairs = ((inputs[number], packing) for number, packing in self.packings.items())
        return [x.pack(packing) if isinstance(x, Fixed) else 0 for x, packing in pairs]

    def serialize(self) -> Serialized | None:
        """See `Executor`. A program with steps on the host needs the functions of this process, as do handlers."""
        packings = [(number, astuple(packing)) for number, packing in self.packings.items()]
        facts = {"arena": size_as_json(self.arena), "library": self.library, "in_place": list(self.in_place.items())}
        facts |= {"threads": self.threads, "packings": packings}
        constants = [constant.reshape(-1).view(np.uint8) for constant in self.constants]
        return (
            None if self.host or self.calls else Serialized(facts, [np.frombuffer(self.shared, np.uint8), *constants])
        )

    def _call(self, inputs: Iterable[int], outputs: Iterable[int], held: Any) -> None:
        """Run on arguments and results at these addresses; `held` keeps their memory alive."""
        arena = self.take_arena()
        call = self.host() if self.host else None
        pointers: tuple[Any, ...] = addresses(inputs), addresses(outputs), self.constant_addresses, arena[1]
        pointers += call and call.callback, arena[1] + self.arena if self.calls else None
        stop = stopping.current()
        if not self.host and self.may_be_long():
            failed = self._run_interruptibly(pointers, stop or Stop(), (held, arena))
        else:
            environment = self.environment if stop is None else self.environment_of(stop)
            failed = self._function(*pointers, *environment, *self._sizes)
        failure = self.failure(arena) if failed else None
        self.arenas.append(arena)
        if failed:  # a host step, a handler or a signal handler failed, or another thread ended the run
            if call and call.error:
                raise call.error
            if failure is not None:
                raise failure
            stopping.expect_wanted()
            raise KeyboardInterrupt

    def take_arena(self) -> tuple[np.ndarray, int]:
        """Working memory for a run, which gives it back to `arenas`, and where it begins.

        If handlers are called, what they need follows it.
        """
        try:
            while True:
                arena, begin = self.arenas.pop()
                if len(arena) >= self.arena + ALIGNMENT:  # that of other sizes may be smaller
                    break
        except IndexError:
            room = self.calls.room if self.calls else 0
            size = self.arena + ALIGNMENT + room
            if self._sizes:  # for somewhat larger ones, too
                size = 1 << (size - 1).bit_length()
            arena = empty(np.dtype(np.uint8), (size,), "intermediate results")
            begin = array_address(arena)
            begin += -begin % ALIGNMENT
        if self.calls:
            self.calls.begin(begin + self.arena)
        return arena, begin

    def failure(self, arena: tuple[np.ndarray, int]) -> Exception | None:
        """The error of a handler in a run with this working memory, if one failed."""
        return self.calls.failure(arena[1] + self.arena) if self.calls else None

    def may_be_long(self) -> bool:
        """Whether Ctrl-C could have to wait for the end of a run in this thread."""
        return self._slow and in_main_thread()

    def _run_interruptibly(self, pointers: Sequence[Any], stop: Stop, held: Any) -> int:
        """Run so that Ctrl-C can end the wait for a long kernel.

        An interrupted run is abandoned. It keeps its memory until it next checks whether it should end, and ends there.
        """
        environment = self.environment_of(stop)
        call = partial(lambda held: self._function(*pointers, *environment, *self._sizes), (held, stop))
        failed, self._slow = call_interruptibly(call, stop.set)
        return failed

    def environment_of(self, stop: Stop) -> tuple[Any, ...]:
        """What a run gets so that it ends once `stop` is set."""
        functions, pool, (*python, _) = self.environment
        return functions, pool, addresses([*python, stop.address])


def in_main_thread() -> bool:
    return threading.current_thread() is threading.main_thread()


def call_interruptibly(call: Callable[[], int], abandon: Callable[[], None]) -> tuple[int, bool]:
    """Call in another thread while the main thread waits; if an exception ends the wait, abandon the call.

    Returns:
        The result, and whether the call took long.
    """
    results: list[int] = []
    begun = time.monotonic()
    thread = threading.Thread(target=lambda: results.append(call()), name="hlo2tiny", daemon=True)
    thread.start()
    try:
        thread.join()
    except BaseException:
        abandon()
        raise
    return results[0], time.monotonic() - begun > LONG


@lru_cache
def buffers_of_tinygrad() -> ModuleType:
    """The module `buffers`, which only calls with Tensors need; importing it in each of them would take 2 µs."""
    from ...tinygrad import buffers

    return buffers


# ---------------------------------------------------------------- memory


def physical_memory() -> int:
    """How many bytes there are; 0 if that is unknown."""
    try:
        return os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
    except (AttributeError, ValueError, OSError):
        return 0


def expect_memory(size: int) -> None:
    """Refuse a program that needs more memory than there is; systems may promise memory that they do not have."""
    available = physical_memory()
    if size > available > 0:
        needed = f"{size:,} bytes for its results and working memory"
        raise InputError(f"the program needs {needed}, but this machine has {available:,}; run it on smaller shapes")


# ---------------------------------------------------------------- signals, threads


@lru_cache
def signals() -> Any:
    """The addresses of the Python functions with which running code checks for Ctrl-C.

    Then comes the address of a number that ends the run when it is not 0, or 0.
    """
    names = ("PyGILState_Ensure", "PyErr_CheckSignals", "PyErr_Clear", "PyGILState_Release")
    return addresses([*(function_address(ctypes.pythonapi, name) for name in names), 0])


@lru_cache
def thread_pool(count: int) -> int | None:
    """The address of the function that runs a kernel's loop on this many threads, or None if there is no thread pool.

    All programs with the same number of threads share a pool: a copy of the code of threads.c, with variables of its
    own. The first call starts the threads.
    """
    if count < 2:
        return None
    try:
        file = part("threads", count)
    except NotBuilt:
        return None
    file.start_threads(count, count_processors())
    return function_address(file, "parallel")


def grid() -> ctypes.CDLL:
    """The functions of grid.c, which run a program in several threads at once."""
    return own_part("grid")


# ---------------------------------------------------------------- shared objects


class LoadedLibrary:
    """A loaded shared object, which is unloaded when this object is no longer referenced.

    The caller of one of its functions must hold a reference until the function returns.
    """

    def __init__(self, shared: bytes, mode: int = ctypes.DEFAULT_MODE) -> None:
        # Not `with`: a file that Windows has loaded cannot be removed.
        folder = tempfile.TemporaryDirectory(prefix=PREFIX, ignore_cleanup_errors=True)
        path = Path(folder.name) / FILE
        path.write_bytes(shared)
        try:
            self.functions = ctypes.CDLL(str(path), mode)
        except OSError as error:
            expect_executable(path)
            raise NotBuilt(str(error)) from error
        finally:
            if not LOADED_FILES_STAY:
                folder.cleanup()
        # Not at exit: threads may still be running then.
        weakref.finalize(self, unload, self.functions._handle, folder).atexit = False


def unload(handle: int, folder: tempfile.TemporaryDirectory[str]) -> None:
    (getattr(_ctypes, "dlclose", None) or getattr(_ctypes, "FreeLibrary"))(handle)  # noqa: B009
    folder.cleanup()


@lru_cache
def remove_old_files() -> None:
    """Remove what processes had loaded until they ended, on systems that do not let them remove it."""
    for path in Path(tempfile.gettempdir()).glob(f"{PREFIX}*/{FILE}") if LOADED_FILES_STAY else ():
        with suppress(OSError):
            if path.stat().st_mtime < time.time() - OLD:
                shutil.rmtree(path.parent, ignore_errors=True)  # which fails if a process has it loaded


_libraries: weakref.WeakValueDictionary[tuple[bytes, int], LoadedLibrary] = weakref.WeakValueDictionary()
_parts: set[LoadedLibrary] = set()
_loading = forking.awaited_lock()


def load_library(shared: bytes, number: int = 0) -> LoadedLibrary:
    """Load a shared object, unless this process has already loaded it; each number has a copy of its own.

    Raises:
        NotBuilt: it cannot be loaded.
        InputError: nothing can be loaded from the folder for temporary files.
    """
    with _loading:
        library = _libraries.get((shared, number))
        if library is None:
            remove_old_files()
            library = _libraries[shared, number] = LoadedLibrary(shared)
        return library


def part(name: str, number: int = 0) -> ctypes.CDLL:
    """Load code that all programs share. It stays loaded: threads wait in it, and programs know its addresses."""
    library = load_library(own_code(name), number)
    _parts.add(library)
    return library.functions


def function_address(file: ctypes.CDLL, name: str) -> int:
    return ctypes.cast(getattr(file, name), ctypes.c_void_p).value or 0


def own_units(name: str) -> list[str]:
    from .templates import units_of  # not needed if the cache has the code

    return units_of(name)


def panel_width(function: str, columns: int) -> int:
    """The width of the packed panels of a matrix with this many columns that a library function reads."""
    from .products import TYPES

    size, vectors = tile_of(function[1:])
    return width_of(columns, size // TYPES[function[0]][1], vectors)


@lru_cache
def tile_of(kind: str) -> tuple[int, int]:
    """The bytes of a vector, and the vectors in a row of a tile, as products or convolutions choose them."""

    def find() -> bytes:
        from .templates import tile_size

        return tile_size(kind).encode()

    size, vectors = map(int, made_once(f"tile {kind}", find).split())
    return size, vectors


_own_parts: dict[tuple[Path | None, str], ctypes.CDLL] = {}  # so that a cache that a process switches to gets them, too
_own_parts_wait: dict[str, AbstractContextManager[bool]] = {}


def own_part(name: str) -> ctypes.CDLL:
    """Load one of our own library functions; if several threads need it at once, one loads it and the others wait."""
    with _own_parts_wait.setdefault(name, forking.lock()):
        known = cache.folder(), name
        if known not in _own_parts:
            _own_parts[known] = part(name)
        return _own_parts[known]


@lru_cache
def addresses_of(names: tuple[str, ...]) -> Any:
    """The addresses of functions: our own, and those of BLAS and LAPACK."""
    return addresses(map(library_function, names))


def is_own(name: str) -> bool:
    """Whether a library function of a program is ours; the others are those of BLAS and LAPACK."""
    return name.endswith(("product", "convolve", "transform", "attention", "gradients"))


def own_code(name: str) -> bytes:
    """The shared object of code that all programs share."""
    return shared_object(name, partial(own_units, name))


def library_function(name: str) -> int:
    if name in ("exchange", "process_number"):
        return function_address(grid(), name)
    if is_own(name):
        return function_address(own_part(name), name)
    return function_address(openblas(), f"scipy_{name}")
