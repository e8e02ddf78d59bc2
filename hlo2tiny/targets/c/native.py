"""The executor of the CPU: the whole plan as one shared object, and a run as one call of it without the GIL."""

from __future__ import annotations

import ctypes
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import Any

import numpy as np

from ... import forking
from ...ir import Type
from ...ir.dtypes import expect_tensor
from ...plan.plan import Block, Host, Plan
from ...tinygrad.buffers import Buffer, truth_values
from ..host import HostFunction, host_results
from .building import Texts, shared_object
from .code import Code, addresses_of, array_layout, byte_size, expect_memory, storage_array, thread_count, threads
from .driver import Source, Timer, library_of, print_plan
from .render import render_region


class NativeExecutor:
    """Runs a plan on the CPU. `keep` is given the code when it is there, if any process can use it."""

    def __init__(
        self,
        plan: Plan,
        device: str,
        host: Mapping[str, HostFunction],
        profile: bool = False,
        keep: Callable[[Code], None] = lambda code: None,
    ) -> None:
        self.plan, self.device, self.host, self._profile, self._keep = plan, device, host, profile, keep
        self._lock = forking.lock()
        self._code: Code | None = None

    def compile(self, progress: Callable[[int, int], None] = lambda done, total: None) -> None:
        """Build the code now rather than in the first run.

        Raises:
            NotBuilt: the compiler refused it.
            InputError: there is no compiler, or too little memory.
        """
        self._built(progress)

    def _built(self, progress: Callable[[int, int], None] = lambda done, total: None) -> Code:
        if self._code is not None:
            return self._code
        with self._lock:
            if self._code is None:
                library = library_of(self.plan)
                with ThreadPoolExecutor() as pool:
                    # A compiler is at work on what all programs share while the kernels are rendered.
                    parts = [pool.submit(addresses_of, library), pool.submit(threads)]
                    code = self._compiled(progress, library)
                    for each in parts:
                        each.result()
                self._code = code()
                keep, self._keep = self._keep, nothing  # which the module's owner would wait for
                if not (self._hosts or self._profile):
                    keep(self._code)
                progress(1, 1)
            return self._code

    def _compiled(self, progress: Callable[[int, int], None], library: tuple[str, ...]) -> Callable[[], Code]:
        """What gives the code, when the parts that it calls are there."""
        source = rendered(self.plan, self.device, progress, thread_count(), self._profile)
        self._hosts, self._timers = source.hosts, source.timers
        main = self.plan.main
        expect_memory(source.arena + sum(byte_size(expect_tensor(main.types[n])) for n in main.outputs))
        texts = Texts(source.driver, [kernel.text() for kernel in source.kernels], source.functions)
        shared = shared_object(texts.name, lambda: texts)
        inputs = [expect_tensor(type) for type in main.types[: main.inputs]]
        outputs = [expect_tensor(main.types[n]) for n in main.outputs]
        host = partial(HostCall, source.hosts, self.host) if source.hosts else None
        return lambda: Code(shared, constants(self.plan), inputs, outputs, source.arena, library, host)

    def run(self, inputs: Sequence[Buffer | np.ndarray | None]) -> list[Buffer | None]:
        """The results of the entry function, in buffers that no one else holds."""
        return self._built().run(inputs)

    def run_into(self, inputs: Sequence[Buffer | None], outputs: Sequence[Buffer | None]) -> None:
        """The same with the results in given buffers, which are none of the inputs."""
        self._built().run_into(inputs, outputs)

    def run_numpy(self, arrays: Sequence[np.ndarray]) -> list[np.ndarray]:
        """The same on numpy arrays of the declared types."""
        return self._built().run_numpy(arrays)

    def profile(self) -> list[tuple[Timer, float, int]]:
        """What has been measured since this was last asked: seconds and turns by timer. The program is profiled."""
        file = self._built().file
        counters = ctypes.c_longlong * max(1, len(self._timers))
        time, turns = (counters.in_dll(file, f"profile_{name}") for name in ("time", "turns"))
        found = [(timer, time[i] / 1e9, int(turns[i])) for i, timer in enumerate(self._timers)]
        for counter in (time, turns):
            ctypes.memset(counter, 0, ctypes.sizeof(counter))
        return found


def nothing(code: Code) -> None:
    """Keep no code."""


def constants(plan: Plan) -> list[np.ndarray]:
    """The constants that are buffers, in the order in which the code counts them."""
    return [storage_array(truth_values(array)) for block in plan.blocks() for _, array in block.constants]


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
    sizes = {block: [byte_size(expect_tensor(t)) for t in block.types] for block in plan.blocks()}
    return print_plan(plan, regions, sizes, threads, profile)


CALLBACK = ctypes.CFUNCTYPE(
    ctypes.c_int, ctypes.c_void_p, ctypes.c_long, ctypes.POINTER(ctypes.c_void_p), ctypes.POINTER(ctypes.c_void_p)
)


class HostCall:
    """What a run calls for its Host steps; a Python exception ends the run and is raised again after it."""

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
        except BaseException as error:  # KeyboardInterrupt too: it must not be lost in C
            self.error = error
            return 1
        return 0


def view(address: int | None, type: Type) -> np.ndarray:
    """The memory at an address as an array of the type."""
    tensor = expect_tensor(type)
    (shape, dtype), size = array_layout(tensor), byte_size(tensor)
    if not size:
        return np.empty(shape, dtype)
    raw = memoryview((ctypes.c_uint8 * size).from_address(address or 0))
    return np.frombuffer(raw, dtype).reshape(shape)
