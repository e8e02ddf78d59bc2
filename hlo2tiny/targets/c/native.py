"""The compiler for the CPU: a plan becomes one shared object, and a run is one call of it without the GIL."""

from __future__ import annotations

import ctypes
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import Any

import numpy as np

from ...compiler import clang
from ...ir import Type
from ...ir.dtypes import expect_tensor
from ...plan.plan import Block, Host, Plan
from ...tinygrad.buffers import truth_values
from .. import HostFunction, Progress, thread_count
from ..arrays import dtype_and_shape, storage_array
from ..host import host_results
from .code import Code, addresses_of, byte_size, expect_memory, thread_pool
from .driver import Printer, Source, Timer, library_of
from .linking import Texts, shared_object
from .participants import Participants
from .render import render_region


def open_device(device: str | None) -> str:
    """See `Compiler`. tinygrad does not open the CPU for this."""
    clang()
    return "CPU"


def compile(
    plan: Plan, device: str, custom_calls: Mapping[str, HostFunction], progress: Progress, threads: int
) -> Code | Participants:
    """See `Compiler`. The plan becomes one shared object, which one or several participants run."""
    if plan.participants > 1:
        threads = max(1, threads // plan.participants)
    code, source = link(plan, partial(render_plan, plan, device, progress, threads), custom_calls, threads)
    if plan.participants > 1:
        return Participants(code, plan.participants, source.collectives, source.meetings)
    return code


def link(
    plan: Plan, render: Callable[[], Source], custom_calls: Mapping[str, HostFunction], threads: int
) -> tuple[Code, Source]:
    """Compile and load what `render` returns; return the code, and the source."""
    library, main = library_of(plan), plan.main
    with ThreadPoolExecutor() as pool:
        # The parts that all programs share are compiled while the kernels are rendered.
        parts = [pool.submit(addresses_of, library), pool.submit(thread_pool, threads)]
        source = render()
        inputs = [expect_tensor(type) for type in main.types[: main.inputs]]
        outputs = [expect_tensor(main.types[n]) for n in main.outputs]
        expect_memory(source.arena + sum(map(byte_size, outputs)))
        texts = Texts(source.driver, [kernel.text() for kernel in source.kernels], source.functions)
        shared = shared_object(texts.name, lambda: texts)
        for part in parts:
            part.result()
    host = partial(HostCall, source.hosts, custom_calls) if source.hosts else None
    data = constants(plan)
    return Code(shared, data, inputs, outputs, source.arena, library, threads, source.in_place, host), source


class Profiled:
    """The code of a plan that measures how long its steps take.

    Raises:
        NotBuilt, InputError: see `compile`.
    """

    def __init__(
        self, plan: Plan, device: str, custom_calls: Mapping[str, HostFunction], threads: int | None = None
    ) -> None:
        threads = thread_count(threads)
        render = partial(render_plan, plan, device, lambda done, total: None, threads, profile=True)
        self._code, source = link(plan, render, custom_calls, threads)
        self._timers = source.timers
        self.run_numpy = self._code.run_numpy

    def read_timers(self) -> list[tuple[Timer, float, int]]:
        """For each timer, the seconds and the number of runs since this was last called."""
        file = self._code.file
        counters = ctypes.c_longlong * max(1, len(self._timers))
        time, turns = (counters.in_dll(file, f"profile_{name}") for name in ("time", "turns"))
        rows = [(timer, time[i] / 1e9, int(turns[i])) for i, timer in enumerate(self._timers)]
        for counter in (time, turns):
            ctypes.memset(counter, 0, ctypes.sizeof(counter))
        return rows


def constants(plan: Plan) -> list[np.ndarray]:
    """The constants that are buffers, in the order in which the code numbers them."""
    return [storage_array(truth_values(array)) for block in plan.blocks() for _, array in block.constants]


def render_plan(plan: Plan, device: str, progress: Progress, threads: int, profile: bool = False) -> Source:
    """Render a plan in C.

    `progress(done, total)` counts the regions; the total has one more, for what the caller does with the result.
    """
    steps = list({step.key: step for step in plan.kernels()}.values())
    regions = {}
    for done, step in enumerate(steps):
        progress(done, len(steps) + 1)
        regions[step.key] = render_region(step, device)
    progress(len(steps), len(steps) + 1)
    return Printer(plan, regions, threads, profile).print()


CALLBACK = ctypes.CFUNCTYPE(
    ctypes.c_int, ctypes.c_void_p, ctypes.c_long, ctypes.POINTER(ctypes.c_void_p), ctypes.POINTER(ctypes.c_void_p)
)


class HostCall:
    """Runs the Host steps of one call; a Python exception ends the call and is raised again after it."""

    def __init__(self, hosts: Sequence[tuple[Block, Host]], functions: Mapping[str, HostFunction]) -> None:
        self.hosts, self.functions = hosts, functions
        self.error: BaseException | None = None
        self.callback = CALLBACK(self.step)

    def step(self, _: int, number: int, inputs: Any, outputs: Any) -> int:
        try:
            block, step = self.hosts[number]
            types = [block.types[n] for n in step.inputs]
            arrays = [view(address, type) for address, type in zip(inputs, types)]
            results = host_results(step, block, arrays, self.functions)
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
