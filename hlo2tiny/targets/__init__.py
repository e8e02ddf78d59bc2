"""What runs plans: one folder per target, and the table of all targets.

A target is a module with `open_device` and `compile` (see Compiler). If later processes can load its code, it has a
second module for that, which imports little (see Loader). Nothing of a target is imported before a device needs it.
"""

from __future__ import annotations

import os
import re
import warnings
from collections.abc import Callable, Mapping, Sequence
from importlib import import_module
from types import ModuleType
from typing import TYPE_CHECKING, Any, Protocol, cast

import numpy as np

from ..errors import InputError, NoNativeCode, count_text
from ..records import dataclass

if TYPE_CHECKING:
    from ..ir import Module, TensorType
    from ..plan.plan import Plan
    from ..tinygrad.buffers import Buffer
    from .arrays import Fixed

HostFunction = Callable[..., Any]
# The arguments or results of each of several devices.
ShardedValues = Sequence[Sequence[Any]]
# The stages of a compiled handler, in the order in which they run.
STAGES = ("instantiate", "prepare", "initialize", "execute")
# Called with the number of finished parts of a compilation and with their total.
Progress = Callable[[int, int], None]
# The most threads that a program may use, as in c/threads.c.
MOST_THREADS = 256
DEVICE = re.compile(r"([A-Z]\w*)(?::(\d{1,5}))?", re.ASCII)


class NotBuilt(Exception):
    """Code for this machine could not be compiled or loaded."""


@dataclass(frozen=True, eq=False)
class Serialized:
    """An executor as the store holds it: facts that can be written as JSON, and arrays of bytes."""

    facts: Mapping[str, Any]
    parts: Sequence[np.ndarray]


class ArrayCall(Protocol):
    """Runs an executor on arrays, which it checks itself, faster than Python would."""

    def __call__(
        self, arguments: tuple[Any, ...], given: tuple[np.ndarray, ...] | None = None
    ) -> tuple[np.ndarray, ...] | None:
        """Run on what a call passes, and return the results: new arrays, or `given`.

        Returns:
            None, and nothing has run, if the call needs more care: arguments or `given` are not arrays of the declared
            types, contiguous and aligned, some of them overlap, or the run may be long.
        """


class Executor(Protocol):
    """Runs a compiled plan. Several threads may call it at the same time.

    Attributes:
        in_place: the results that are computed in the memory of an argument if a call lets them, and the argument.
    """

    in_place: Mapping[int, int]

    def run(
        self, inputs: Sequence[Buffer | np.ndarray | None], outputs: Mapping[int, Buffer | None] = {}
    ) -> list[Buffer | None]:
        """Run on tinygrad buffers or arrays of the declared types, and return the results.

        Args:
            inputs: the arguments.
            outputs: where to write results, by number; the others are written to new buffers. None of them may be an
                argument's memory, except that of the argument with which `in_place` pairs the result.
        """

    def run_numpy(self, arrays: Sequence[np.ndarray], outputs: Mapping[int, np.ndarray] = {}) -> list[np.ndarray]:
        """Run as `run` does on numpy arrays of the declared types."""

    def serialize(self) -> Serialized | None:
        """Return what another process can load, or None if the executor works only in this process."""


class Prepares(Executor, Protocol):
    """An executor that can prepare calls."""

    def prepare(self, values: Sequence[Fixed | None]) -> ArrayCall | None:
        """Prepare calls with arrays.

        Args:
            values: the values of the arguments that calls do not pass; None for those that they pass.

        Returns:
            None if calls of this program cannot be prepared.
        """


class OpenExecutor(Executor, Protocol):
    """An executor of a plan with open sizes, which runs once these are known."""

    def of_sizes(self, sizes: Sequence[int]) -> Executor:
        """The executor for these sizes of open dimensions."""


class Compiler(Protocol):
    """The module of a target."""

    def open_device(self, device: str | None) -> str:
        """Return the canonical name of a device.

        Raises:
            InputError: there is no such device, or no compiler for it.
        """

    def compile(
        self, plan: Plan, device: str, custom_calls: Mapping[str, HostFunction], progress: Progress, threads: int
    ) -> Executor:
        """Compile a whole plan; on the CPU, its kernels run on this many threads.

        Raises:
            NotBuilt: no code could be built for this machine; tinygrad's kernels run instead.
            InputError, UnsupportedOp: the plan cannot run here.
        """


class Loader(Protocol):
    """The module of a target that loads code from the store."""

    def load(
        self, serialized: Serialized, inputs: Sequence[TensorType], outputs: Sequence[TensorType], threads: int
    ) -> Executor:
        """Load the executor of a program with arguments and results of these types, compiled for as many threads.

        For several processes it is a `sharded.Team`.

        Raises:
            NotBuilt: this machine cannot load it.
        """


@dataclass(frozen=True)
class Target:
    """A row of the table.

    Attributes:
        name: the value of HLO2TINY_EXECUTOR that selects it.
        module: the name of its Compiler.
        devices: the devices that it serves, or None for all.
        plans_with: what its plans have, by the names of PlanBuilder's attributes, such as "products".
        unrolls: whether short loops are unrolled, since each kernel passes its results through memory.
        loader_module: the name of its Loader, or None if its code is not stored.
        several: whether it runs plans of several processes; what it compiles then is a `sharded.Team`.
        reduces: whether they call a library that reduces what processes exchange, in an order of its own.
        on_host: whether its devices compute in this process's memory, on as many threads as a program is to use.
        opens: whether it compiles plans with open sizes; its executors are then `OpenExecutor`s.
        in_order: whether it can compute each row of a batch as if there were no other; see `plan.build`.
        borrows: whether calls take arrays of other libraries in place on a device.
        platform: XLA's name for its devices, under which libraries register handlers; None if it calls none.
        driver_module: the module whose `begin_opening` opens a device in the background, if that takes long.
    """

    name: str
    module: str
    devices: Sequence[str] | None = None
    plans_with: Sequence[str] = ()
    unrolls: bool = False
    loader_module: str | None = None
    several: bool = False
    reduces: bool = False
    on_host: bool = False
    opens: bool = False
    in_order: bool = False
    borrows: bool = False
    platform: str | None = None
    driver_module: str | None = None

    @property
    def compiler(self) -> Compiler:
        return cast(Compiler, import_module(self.module, __package__))

    @property
    def loader(self) -> Loader | None:
        return cast(Loader, import_module(self.loader_module, __package__)) if self.loader_module else None

    def begin_opening(self, device: str) -> None:
        """Start opening a device that a program is about to be loaded for."""
        if self.driver_module:
            import_module(self.driver_module, __package__).begin_opening(device)

    def plan(
        self,
        module: Module,
        entry: str,
        donors: Mapping[int, int | None] = {},
        devices: tuple[str, ...] = (),
        invariant: bool = False,
    ) -> Plan:
        """The plan of a module, with steps for what this target has implementations of; see `build`."""
        from ..plan import build
        from ..plan.loops import unroll_loops

        if self.unrolls:
            module = unroll_loops(module)
        how = dict.fromkeys(self.plans_with, True)
        return build(module, entry, donors, devices, invariant=invariant, **how)

    def compile(
        self,
        plan: Plan,
        device: str,
        custom_calls: Mapping[str, HostFunction],
        progress: Progress = lambda done, total: None,
        threads: int | None = None,
    ) -> Executor:
        """Compile as `Compiler.compile` does; if no code can be built, warn and use tinygrad's kernels."""
        try:
            return self.compiler.compile(plan, device, custom_calls, progress, thread_count(threads))
        except NotBuilt as error:
            reason = str(error).partition("\n")[0]
            if plan.invariant:
                message = (
                    f"batch_invariant=True: no native code could be built, and tinygrad adds in other orders: {reason}"
                )
                raise InputError(message) from error
            message = f"no native code could be built, so tinygrad's slower kernels run instead: {reason}"
            warnings.warn(NoNativeCode(message), stacklevel=2)
            return TINYGRAD.compile(plan, device, custom_calls, progress, threads)


TINYGRAD = Target("tinygrad", ".tinygrad.executor")
# A device is served by the first target that lists it, or by the one that HLO2TINY_EXECUTOR names.
GPUS = ("CUDA", *(f"CUDA:{number}" for number in range(64)))
TARGETS = [
    Target(
        "c",
        ".c.native",
        ("CPU",),
        plans_with=("products", "attention", "slices", "dimensions", "places", "few_terms"),
        loader_module=".c.grid",
        several=True,
        on_host=True,
        opens=True,
        in_order=True,
        platform="Host",
    ),
    Target(
        "cuda",
        ".cuda.native",
        GPUS,
        plans_with=(
            "products",
            "attention",
            "stores_wide",
            "convolutions",
            "recomputes",
            "neighbours",
            "library_types",
            "groups",
            "vectors",
            "sorts",
            "perturbs",
        ),
        unrolls=True,
        loader_module=".cuda.team",
        several=True,
        reduces=True,
        in_order=True,
        borrows=True,
        platform="CUDA",
        driver_module="..tinygrad.nvidia",
    ),
    # No Python process runs a page: it compiles a page's commands, which `hlo2tiny compile --target web` writes.
    Target("web", ".web.webgpu", ("WEB",), plans_with=("products", "dimensions")),
    TINYGRAD,
]


def targets_of(device: str) -> Sequence[Target]:
    """Return the targets that can serve a device. The first is the most specific: its row also describes the device."""
    return [target for target in TARGETS if target.devices is None or device in target.devices]


def target_of(device: str) -> Target:
    """Return the target that serves a device."""
    serving, named = targets_of(device), os.environ.get("HLO2TINY_EXECUTOR")
    return next((target for target in serving if target.name == named), serving[0])


def native_handlers() -> ModuleType:
    """The module that loads libraries with compiled handlers, and the code that calls them."""
    return import_module(".c.handlers", __package__)


def is_on_host(device: str | tuple[str, ...]) -> bool:
    """Whether a program's device, or each of several, is on the host; see `Target.on_host`."""
    return all(targets_of(each)[0].on_host for each in ((device,) if isinstance(device, str) else device))


def open_device(device: str | None) -> str:
    """Return the canonical name of a device; None means tinygrad's default device.

    Raises:
        InputError: there is no such device, or no compiler for it.
    """
    target = target_of(device.upper()) if isinstance(device, str) else TINYGRAD
    return target.compiler.open_device(device)


def expect_devices(devices: Sequence[str]) -> tuple[str, ...]:
    """The canonical names of several devices, one for each process of a program; none of them is opened.

    Raises:
        InputError: there are too many or fewer than two, one is named twice or does not exist, or their target does not
            run several.
    """
    if not isinstance(devices, tuple | list) or not all(isinstance(name, str) for name in devices):
        raise InputError(
            f"device is {devices!r:.60}, expected the name of a tinygrad device, such as 'CPU', or several"
        )
    matches = [DEVICE.fullmatch(name.upper()) for name in devices]
    if (wrong := next((name for name, match in zip(devices, matches) if match is None), None)) is not None:
        raise InputError(f"device names {wrong!r:.60}, expected names such as 'CPU:0' and 'CPU:1'")
    parts = [(match[1], int(match[2] or 0)) for match in matches if match is not None]
    names = tuple(f"{kind}:{number}" if number else kind for kind, number in parts)
    if not 2 <= len(names) <= MOST_THREADS:
        count = count_text(len(names), "name")
        raise InputError(f"device has {count}, expected 2 to {MOST_THREADS}, or a single one as a string")
    if twice := sorted({name for name in names if names.count(name) > 1}):
        raise InputError(f"device names {twice[0]} twice; each must be a device of its own")
    kinds = sorted({kind for kind, _ in parts})
    if len(kinds) > 1 or not target_of(kinds[0]).several:
        raise InputError(
            f"device names {' and '.join(kinds)}, but a program uses only CPU devices or only CUDA devices"
        )
    return names


def first_device(devices: Sequence[str]) -> str:
    """The device that holds whole values of a program for several; the CPU is one device, with threads for them."""
    return devices[0] if target_of(devices[0]).several else devices[0].partition(":")[0]


def count_processors() -> int:
    """The processors that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def thread_count(wanted: int | None = None) -> int:
    """How many threads a program uses on the CPU, including the caller's.

    Args:
        wanted: the number that the user chose; None: as many as there are processors that this process may use, or
            OMP_NUM_THREADS if it is less.

    Raises:
        InputError: one of them is not a number of threads.
    """
    if wanted is not None:
        if isinstance(wanted, bool) or not isinstance(wanted, int) or not 1 <= wanted <= MOST_THREADS:
            raise InputError(f"threads is {wanted!r:.60}, expected an integer from 1 to {MOST_THREADS}")
        return wanted
    processors = count_processors()
    given = os.environ.get("OMP_NUM_THREADS", "")
    first = given.partition(",")[0].strip()  # OpenMP allows a number for each level of nesting
    if given and not (first.isascii() and first.isdecimal() and len(first) < 10 and int(first)):
        raise InputError(f"the environment variable OMP_NUM_THREADS is {given!r:.60}, expected a positive integer")
    return min(processors, MOST_THREADS, int(first or processors))
