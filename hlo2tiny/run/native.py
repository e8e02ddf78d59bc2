"""The executor of the CPU: the whole plan as one shared object, and a run as one call of it without the GIL.

The code is C that codegen/c.py prints. Inputs are read where they lie, results are written where the caller wants them,
and what a run needs besides is one piece of memory, its own while it runs: several threads may run one program.
"""

from __future__ import annotations

import contextlib
import ctypes
import os
import platform
import subprocess
import sys
import tempfile
import threading
from collections.abc import Callable, Iterable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import lru_cache
from importlib import resources
from math import prod
from pathlib import Path
from typing import Any

import numpy as np
from tinygrad.device import Buffer

from .. import cache, codegen
from ..codegen.c import Source, Timer, print_plan
from ..codegen.products import LIBRARY, library_text
from ..dtypes import as_tensor, numpy_dtype, static_shape
from ..errors import InputError
from ..ir import TensorType, Type
from ..plan.memory import ALIGNMENT
from ..plan.plan import Gemm, Plan
from .compiler import FLAGS, clang, compiler_identity, linker
from .libraries import openblas
from .tinygrad import HostFunction, allocate, buffer_layout, host_results, memory, render_region, storage_array

OPTIMISE = ("-O3", "-fPIC", "-fno-math-errno", "-fno-ident", "-fvisibility=hidden")
# Kernels that are compiled together: starting a compiler costs about as much as two of them.
TOGETHER = 16


class NotBuilt(Exception):
    """Code for this machine could not be compiled or loaded."""


@dataclass(frozen=True, eq=False)
class Library:
    """A loaded shared object and its one function."""

    function: Any
    file: ctypes.CDLL


class NativeExecutor:
    """Runs a plan on the CPU. Constants are kept as arrays; everything else a run needs is made by that run."""

    def __init__(self, plan: Plan, device: str, host: Mapping[str, HostFunction], profile: bool = False) -> None:
        self.plan, self.device, self.host, self._profile = plan, device, host, profile
        self._constants = constants(plan)
        self._inputs = plan.main.types[: plan.main.inputs]
        self._outputs = [plan.main.types[n] for n in plan.main.outputs]
        self._results = [array_layout(type) for type in self._outputs]
        self._lock = threading.Lock()
        self._library: Library | None = None
        self._arenas: list[np.ndarray] = []  # those that no run uses

    def compile(self, progress: Callable[[int, int], None] = lambda done, total: None) -> None:
        """Build the code now rather than in the first run.

        Raises:
            NotBuilt: the compiler refused it, or there is none.
        """
        if self._library is not None:
            return
        with self._lock:
            if self._library is not None:
                return
            source = rendered(self.plan, self.device, progress, thread_count(), self._profile)
            expect_memory(source.arena + sum(map(byte_size, self._outputs)))
            self._hosts, self._arena, self._timers = source.hosts, source.arena + ALIGNMENT, source.timers
            self._addresses = addresses(map(array_address, self._constants))
            steps = (step for block in self.plan.blocks() for step in block.steps)
            letters = {step.product.letter for step in steps if isinstance(step, Gemm)}
            self._environment = products("".join(sorted(letters))), threads(), signals()
            self._library = library(source)
            progress(1, 1)

    def run(self, inputs: Sequence[Buffer | None]) -> list[Buffer | None]:
        """The results of the entry function, in buffers that no one else holds."""
        self.compile()
        outputs = [allocate(*size_of(type), self.device) for type in self._outputs]
        self._call(map(buffer_address, inputs), map(buffer_address, outputs))
        return outputs

    def run_numpy(self, arrays: Sequence[np.ndarray]) -> list[np.ndarray]:
        """The same on numpy arrays of the declared types."""
        self.compile()
        inputs = list(map(storage_array, arrays, self._inputs))
        outputs = [empty(*layout) for layout in self._results]
        self._call(map(array_address, inputs), map(array_address, outputs))
        return outputs

    def profile(self) -> list[tuple[Timer, float, int]]:
        """What has been measured since this was last asked: seconds and turns by timer. The program is profiled."""
        assert self._library is not None
        counters = ctypes.c_longlong * max(1, len(self._timers))
        time, turns = (counters.in_dll(self._library.file, f"profile_{name}") for name in ("time", "turns"))
        found = [(timer, time[i] / 1e9, int(turns[i])) for i, timer in enumerate(self._timers)]
        for counter in (time, turns):
            ctypes.memset(counter, 0, ctypes.sizeof(counter))
        return found

    def _call(self, inputs: Iterable[int], outputs: Iterable[int]) -> None:
        assert self._library is not None
        try:
            arena = self._arenas.pop()
        except IndexError:
            try:
                arena = np.empty(self._arena, np.uint8)
            except MemoryError as error:
                needed = f"{self._arena:,} bytes of working memory"
                raise InputError(f"the program needs {needed}, which this machine does not give") from error
        at = array_address(arena)
        at += -at % ALIGNMENT
        call = HostCall(self) if self._hosts else None
        places = addresses(inputs), addresses(outputs), self._addresses, at, call and call.callback, None
        failed = self._library.function(*places, *self._environment)
        self._arenas.append(arena)
        if failed:  # by a host step, or a signal's handler
            raise (call and call.error) or KeyboardInterrupt


def constants(plan: Plan) -> list[np.ndarray]:
    """The constants that are buffers, in the order in which the code counts them."""
    return [storage_array(array, block.types[n]) for block in plan.blocks() for n, array in block.constants]


def rendered(
    plan: Plan, device: str, progress: Callable[[int, int], None], threads: int, profile: bool = False
) -> Source:
    """A plan in C; `progress(done, total)` counts its regions, and one for what is done with them."""
    steps = list({step.key: step for step in plan.kernels()}.values())
    regions = {}
    for done, step in enumerate(steps):
        progress(done, len(steps) + 1)
        regions[step.key] = render_region(step, device)
    progress(len(steps), len(steps) + 1)
    sizes = {block: [byte_size(t) for t in block.types] for block in plan.blocks()}
    return print_plan(plan, regions, sizes, threads, profile)


CALLBACK = ctypes.CFUNCTYPE(
    ctypes.c_int, ctypes.c_void_p, ctypes.c_long, ctypes.POINTER(ctypes.c_void_p), ctypes.POINTER(ctypes.c_void_p)
)


class HostCall:
    """What a run calls for its Host steps; a Python exception ends the run and is raised again after it."""

    def __init__(self, executor: NativeExecutor) -> None:
        self.executor = executor
        self.error: BaseException | None = None
        self.callback = CALLBACK(self.step)

    def step(self, _: int, number: int, inputs: Any, outputs: Any) -> int:
        try:
            block, step = self.executor._hosts[number]
            types = [block.types[n] for n in step.inputs]
            arrays = [view(address, type) for address, type in zip(inputs, types)]
            results = host_results(step, block, arrays, self.executor.host)
            for address, n, array in zip(outputs, step.outputs, results):
                view(address, block.types[n])[...] = array
        except BaseException as error:  # KeyboardInterrupt too: it must not be lost in C
            self.error = error
            return 1
        return 0


@lru_cache
def products(letters: str) -> Any:
    """The addresses of the functions that multiply matrices of these types."""
    found = dict.fromkeys(LIBRARY, 0)
    if set(letters) & {"s", "d"}:
        file = library(Source((), library_text(), 0, ())).file
        found |= {f"{letter}product": function_address(file, f"{letter}product") for letter in "sd"}
    if set(letters) & {"c", "z"}:
        found |= {f"{letter}gemm": function_address(openblas(), f"scipy_cblas_{letter}gemm") for letter in "cz"}
    return addresses(found.values())


def function_address(file: ctypes.CDLL, name: str) -> int:
    return ctypes.cast(getattr(file, name), ctypes.c_void_p).value or 0


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


def size_of(type: Type) -> tuple[int, Any]:
    shape, dtype = buffer_layout(type)
    return int(np.prod(shape, dtype=np.int64)), dtype


def byte_size(type: Type) -> int:
    count, dtype = size_of(type)
    return count * int(dtype.itemsize)


def array_layout(type: Type) -> tuple[tuple[int, ...], np.dtype]:
    type = as_tensor(type)
    assert isinstance(type, TensorType)
    return static_shape(type), numpy_dtype(type.element)


def empty(shape: tuple[int, ...], dtype: np.dtype) -> np.ndarray:
    try:
        return np.empty(shape, dtype)
    except MemoryError as error:
        size = f"{prod(shape) * dtype.itemsize:,} bytes"
        raise InputError(f"the program has a result of {size}, which this machine does not give") from error


def view(address: int | None, type: Type) -> np.ndarray:
    """The memory at an address as an array of the type."""
    (shape, dtype), size = array_layout(type), byte_size(type)
    if not size:
        return np.empty(shape, dtype)
    raw = memoryview((ctypes.c_uint8 * size).from_address(address or 0))
    return np.frombuffer(raw, dtype).reshape(shape)


def addresses(values: Iterable[int]) -> Any:
    found = list(values)
    return array_of_addresses(len(found) or 1)(*found)


@lru_cache
def array_of_addresses(count: int) -> Any:
    return ctypes.c_void_p * count


def array_address(array: np.ndarray) -> int:
    if array.flags.writeable and array.size and array.dtype.isbuiltin == 1:
        taken: Any = array  # which takes a third of the time
        return ctypes.addressof(ctypes.c_char.from_buffer(taken))
    return int(array.ctypes.data)


def buffer_address(buffer: Buffer | None) -> int:
    return 0 if buffer is None else int(memory(buffer, np.dtype(np.uint8)).ctypes.data)


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
    text = resources.files(codegen).joinpath("threads.c").read_text()
    try:
        file = library(Source((), text, 0, ())).file
    except NotBuilt:
        return None
    file.start_threads(count)
    return ctypes.cast(file.parallel, ctypes.c_void_p).value


# ---------------------------------------------------------------- compiling


_libraries: dict[str, Library] = {}
_loading = threading.Lock()


def library(source: Source) -> Library:
    """The loaded code, built once in a process for the same text."""
    key = cache.key(
        "library",
        source.functions,
        *source.kernels,
        source.driver,
        " ".join([*OPTIMISE, *FLAGS, *this_machine()]),
        compiler_identity(),
    )
    with _loading:
        if key not in _libraries:
            with tempfile.TemporaryDirectory(prefix="hlo2tiny-") as folder:
                shared = Path(folder) / "program.so"
                stored = cache.read(key)
                if stored is None:
                    built(source, shared)
                    cache.write(key, shared.read_bytes())
                else:
                    shared.write_bytes(stored)
                _libraries[key] = load(shared)
        return _libraries[key]


def built(source: Source, shared: Path) -> None:
    count = len(source.kernels)
    parts = ["".join([source.functions, *source.kernels[i : i + TOGETHER]]) for i in range(0, count, TOGETHER)]
    with ThreadPoolExecutor() as pool:
        jobs = [pool.submit(compiled, text, shared.with_name(f"part{i}.o")) for i, text in enumerate(parts)]
        jobs.append(pool.submit(compiled, source.functions + source.driver, shared.with_name("driver.o"), "-O2"))
        objects = [job.result() for job in jobs]
    run([*linker(), *map(str, objects), "-o", str(shared)])


def compiled(text: str, target: Path, *options: str) -> Path:
    command = [*clang(), "-x", "c", "-c", *OPTIMISE, *options, *FLAGS, *this_machine(), "-", "-o", str(target)]
    run(command, text)
    return target


def run(command: list[str], text: str = "") -> None:
    try:
        subprocess.run(command, input=text, text=True, capture_output=True, check=True)
    except subprocess.CalledProcessError as error:
        raise NotBuilt(error.stderr.strip() or f"{command[0]} ended with {error.returncode}") from error
    except OSError as error:
        raise NotBuilt(str(error)) from error


@lru_cache
def this_machine() -> tuple[str, ...]:
    if platform.machine() in ("arm64", "aarch64"):
        return ("-mcpu=native",)
    # Where there are vectors of 512 bits, compilers use half of them by themselves.
    wide = ("-mprefer-vector-width=512",) if platform.machine() in ("x86_64", "AMD64") else ()
    return ("-march=native", *wide)


def load(path: Path) -> Library:
    try:
        file = ctypes.CDLL(str(path))
    except OSError as error:
        raise NotBuilt(str(error)) from error
    function = getattr(file, "run_plan", None)
    if function is not None:
        function.argtypes = [ctypes.c_void_p] * 9
    return Library(function, file)
