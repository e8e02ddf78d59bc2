"""The compiler for the CPU: a plan becomes one shared object, and a run is one call of it without the GIL."""

from __future__ import annotations

import ctypes
import hashlib
from collections.abc import Callable, Container, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from functools import partial
from typing import Any

import numpy as np

from ...errors import InputError
from ...formats.mapped import forget
from ...ir import Type, error_at
from ...ir.dtypes import byte_size
from ...machine.compiler import clang
from ...plan.plan import Block, Host, Kernels, Plan
from ...tinygrad.buffers import truth_values
from .. import HostFunction, Progress, count_processors, thread_count
from ..arrays import dtype_and_shape, storage_array
from ..handlers import Calls, handlers_in
from ..host import host_results
from . import templates
from .code import CCode, addresses_of, expect_memory, panel_width, thread_pool
from .driver import Printer
from .grid import WRONG, ProcessGrid
from .kernels import RenderedKernel, RenderedRegion
from .linking import LIBRARY, Build
from .packing import Packing
from .render import DEVICE, REGIONS, Lowered, lowered_by, render_region
from .source import CSource, Driver, Timer, called_functions, library_of, may_share, regions_in_loops

# How many kernels are compiled together: starting a compiler costs about as much as compiling two of them, or six light
# ones, which the compiler optimises less.
TOGETHER, LIGHT_TOGETHER, LIGHTLY = 8, 24, "-O1"
# Loops are unrolled as long as -O2 would: longer ones of small kernels take most of a compiler's time.
UNROLLED = ("-mllvm", "-unroll-threshold=150")
# From this many ops on, several processes render regions, or the kernels of one: a process takes a while to start.
LEAST_OPS = 24
MOST_PROCESSES = 4


def open_device(device: str | None) -> str:
    """See `Compiler`. tinygrad does not open the CPU for this."""
    clang()
    return DEVICE


def compile(
    plan: Plan, device: str, custom_calls: Mapping[str, HostFunction], progress: Progress, threads: int
) -> CCode | ProcessGrid:
    """See `Compiler`. The plan becomes one shared object, which one or several processes run."""
    if plan.processes == 1:
        return compile_plan(plan, custom_calls, progress, threads)[0]
    threads = max(1, threads // plan.processes)
    code, source = compile_plan(plan, custom_calls, progress, threads)
    collectives = [str(error_at(step.op, WRONG, InputError)) for step in source.collectives]
    return ProcessGrid(code, plan.processes, collectives, source.meetings)


def compile_plan(
    plan: Plan,
    custom_calls: Mapping[str, HostFunction],
    progress: Progress,
    threads: int,
    profile: bool = False,
) -> tuple[CCode, CSource]:
    """Compile and load a plan; return its code and its source. `profile` is as in `Printer`."""
    library, looped = library_of(plan), regions_in_loops(plan)
    regions: dict[str, RenderedRegion] = {}
    names: dict[RenderedKernel, str] = {}
    compiled: set[RenderedKernel] = set()
    waiting: dict[bool, list[RenderedKernel]] = {False: [], True: []}  # True: light ones
    selection = set(templates.SELECTION)  # whose functions no kernel has called yet
    shared = any(may_share(step) for block in plan.blocks() for step in block.steps)

    def compile_kernels(kernels: Sequence[RenderedKernel], light: bool) -> None:
        compiled.update(kernels)
        together = LIGHT_TOGETHER if light else TOGETHER
        for i in range(0, len(kernels), together):
            group = kernels[i : i + together]
            text = "".join([called_functions(group, alone=False), *(k.function(names[k]).text() for k in group)])
            build.add(text, *([LIGHTLY] if light else UNROLLED))

    def begin(key: str, kernel: RenderedKernel) -> None:
        """Name a new kernel, and compile it with others; the first groups are small, so that compilers do not wait."""
        nonlocal shared
        if kernel in names:
            return
        names[kernel] = f"kernel{len(names)}"
        for function in selection.intersection(kernel.facts.calls):
            selection.remove(function)
            build.add(templates.selection_unit(function), *LIBRARY, name=function)
        if not shared and kernel.shared_iterations:
            shared = True
            build.begin(partial(thread_pool, threads))
        if key not in looped or not kernel.is_small:  # small ones become part of the driver
            light = kernel.is_light
            waiting[light].append(kernel)
            if len(waiting[light]) > min(len(compiled), (LIGHT_TOGETHER if light else TOGETHER) - 1):
                compile_kernels(waiting[light], light)
                waiting[light].clear()

    # Processes are forked while there are no threads. They end at the same time if the largest regions come first.
    largest_first = sorted(regions_of([plan]), key=lambda step: -len(step.ops))
    with render_regions(largest_first, progress, begin) as rendered, Build() as build:
        # The parts that all programs share, and most kernels, are compiled while others are rendered.
        build.begin(partial(addresses_of, library))
        if shared:
            build.begin(partial(thread_pool, threads))
        for key, region in rendered:
            regions[key] = region
            for kernel in region.kernels:
                begin(key, kernel)
        widths = panel_width if plan.processes == 1 else None  # each process has its own part of a weight
        handlers = handlers_in(custom_calls)
        source = Printer(plan, regions, names, threads, profile, widths, handlers).print()
        if source.shares_copies and not shared:
            shared = True
            build.begin(partial(thread_pool, threads))
        for light in waiting:
            left = (kernel for kernel in source.kernels if kernel not in compiled)
            compile_kernels([kernel for kernel in left if (kernel in waiting[True]) is light], light)
        inner = called_functions([kernel for kernel in names if kernel not in source.kernels], alone=False)
        text = inner + source.driver + (templates.ARRAYS if plan.processes == 1 and not plan.is_open else "")
        # Only the order of sums depends on how much is optimised, and the driver's other kernels are small.
        build.add(text, *([] if source.reorders else ["-O2"]))
        if not plan.is_open:
            expect_memory(source.arena + sum(map(byte_size, plan.outputs)))
        code = build.link()
    host = partial(NativeHostCall, source.hosts, custom_calls) if source.hosts else None
    calls = Calls(source.calls, handlers) if source.calls else None
    arrays, used = constants(plan, source.packed_constants), threads if shared else 1
    arguments = code, arrays, plan.inputs, plan.outputs, source.arena, library, used, source.in_place, source.packings
    return CCode(*arguments, host, calls), source


class Profiled:
    """The code of a plan that measures how long its steps take.

    Raises:
        NotBuilt, InputError: see `compile`.
    """

    def __init__(self, plan: Plan, custom_calls: Mapping[str, HostFunction], threads: int | None = None) -> None:
        threads = thread_count(threads)
        nothing: Progress = lambda done, total: None
        self._code, source = compile_plan(plan, custom_calls, nothing, threads, profile=True)
        self._timers = source.timers
        self.run_numpy, self.in_place = self._code.run_numpy, self._code.in_place

    def read_timers(self) -> list[tuple[Timer, float, int]]:
        """For each timer, the seconds and the number of runs since this was last called."""
        file = self._code.file
        counters = ctypes.c_longlong * max(1, len(self._timers))
        time, iterations = (counters.in_dll(file, f"profile_{name}") for name in ("time", "iterations"))
        rows = [(timer, time[i] / 1e9, int(iterations[i])) for i, timer in enumerate(self._timers)]
        for counter in (time, iterations):
            ctypes.memset(counter, 0, ctypes.sizeof(counter))
        return rows


def constants(plan: Plan, packings: Mapping[tuple[Block, int], Packing] = {}) -> list[np.ndarray]:
    """The constants that are buffers, some of them packed, in the order in which the code numbers them."""
    arrays = []
    for block in plan.blocks():
        for n, constant in block.constants:
            array = storage_array(truth_values(constant))
            if (block, n) in packings:
                arrays.append(packings[block, n].pack(array))
                forget(array)
            else:
                arrays.append(array)
    return arrays


def regions_of(plans: Sequence[Plan]) -> list[Kernels]:
    """The regions of plans, each only once."""
    return list({step.key: step for plan in plans for step in plan.kernels()}.values())


@contextmanager
def render_regions(
    steps: Sequence[Kernels],
    progress: Progress,
    begun: Callable[[str, RenderedKernel], None] = lambda key, kernel: None,
) -> Iterator[Iterator[tuple[str, RenderedRegion]]]:
    """Render regions with different keys, on several cores if there is much to do. Yields the keys and the kernels.

    `progress` is as in `Rendered.share`. `begun` gets the key and each kernel of a region before the others are
    rendered, if one process does it all.
    """
    new, lowered = REGIONS.unknown(steps), list[Lowered]()
    is_large = sum(len(step.ops) for step in new) >= LEAST_OPS
    processes = min(count_processors(), MOST_PROCESSES) if is_large else 1
    alone = processes == 1 or len(new) == 1

    def render(step: Kernels) -> RenderedRegion:
        return render_region(step, partial(begun, step.key) if alone else lambda kernel: None, *lowered)

    with ExitStack() as stack:
        if is_large and len(new) == 1:
            lowered.append(stack.enter_context(lowered_by(processes, new[0])))
        yield stack.enter_context(REGIONS.share(steps, new, render, processes, progress))


def render_plan(plan: Plan, progress: Progress, threads: int) -> CSource:
    """Render a plan in C, without packed weights; `progress` is as in `render_regions`."""
    return Printer(plan, *render_kernels([plan], progress), threads).print()


def render_plans(
    plans: Sequence[Plan], progress: Progress, threads: int, handlers: Container[str] = ()
) -> tuple[list[CSource], list[np.ndarray]]:
    """Render plans in C that share kernels, functions and constants; return the source of each, and the constants.

    All sources have the same text, in which `entry_name` says what the function is called that runs each.
    """
    regions, names = render_kernels(plans, progress)
    arrays, numbers = merge_constants([constants(plan) for plan in plans])
    driver = Driver(library_of(*plans))
    printers = [
        Printer(plan, regions, names, threads, handlers=handlers, driver=driver, constants=n)
        for plan, n in zip(plans, numbers)
    ]
    arenas = [printer.print_entry() for printer in printers]
    text = driver.text(names, threads, None)
    return [printer.source(arena, *text) for printer, arena in zip(printers, arenas)], arrays


def render_kernels(
    plans: Sequence[Plan], progress: Progress
) -> tuple[dict[str, RenderedRegion], dict[RenderedKernel, str]]:
    """The kernels of plans by the keys of their regions, and the names of their functions."""
    with render_regions(regions_of(plans), progress) as rendered:
        regions = dict(rendered)
    kernels = dict.fromkeys(kernel for region in regions.values() for kernel in region.kernels)
    return regions, {kernel: f"kernel{i}" for i, kernel in enumerate(kernels)}


def merge_constants(lists: Sequence[Sequence[np.ndarray]]) -> tuple[list[np.ndarray], list[list[int]]]:
    """Arrays without duplicates, and for each list the indices of its arrays there."""
    arrays: list[np.ndarray] = []
    indices: dict[object, int] = {}
    numbers: list[list[int]] = []
    for listed in lists:
        numbers.append([])
        for array in listed:
            memory = array.__array_interface__["data"], array.dtype, array.shape, array.strides
            if memory not in indices:
                data = np.ascontiguousarray(array).reshape(-1).view(np.uint8).data
                content = hashlib.sha256(data).digest(), array.dtype, array.shape
                if (index := indices.setdefault(content, len(arrays))) == len(arrays):
                    arrays.append(array)
                indices[memory] = index
            numbers[-1].append(indices[memory])
    return arrays, numbers


CALLBACK = ctypes.CFUNCTYPE(
    ctypes.c_int, ctypes.c_void_p, ctypes.c_ssize_t, ctypes.POINTER(ctypes.c_void_p), ctypes.POINTER(ctypes.c_void_p)
)


class NativeHostCall:
    """Runs the Host steps of one call; a Python exception ends the call and is raised again after it.

    Attributes:
        where: which of several devices this is for.
    """

    where = ""

    def __init__(self, hosts: Sequence[tuple[Block, Host]], functions: Mapping[str, HostFunction]) -> None:
        self.hosts, self.functions = hosts, functions
        self.error: BaseException | None = None
        self.callback = CALLBACK(self.step)

    def step(self, _: int, number: int, inputs: Any, outputs: Any) -> int:
        try:
            block, step = self.hosts[number]
            types = [block.types[n] for n in step.inputs]
            arrays = [view(address, type) for address, type in zip(inputs, types)]
            results = host_results(step, block, arrays, self.functions, self.where)
            for address, n, array in zip(outputs, step.outputs, results):
                view(address, block.types[n])[...] = array
        except BaseException as error:  # KeyboardInterrupt too, which must not get lost in C
            self.error = error
            return 1
        return 0


def view(address: int | None, type: Type) -> np.ndarray:
    """Return the memory at an address as an array of the type."""
    (dtype, shape), size = dtype_and_shape(type), byte_size(type)
    if not size:
        return np.empty(shape, dtype)
    raw = memoryview((ctypes.c_uint8 * size).from_address(address or 0))
    return np.frombuffer(raw, dtype).reshape(shape)
