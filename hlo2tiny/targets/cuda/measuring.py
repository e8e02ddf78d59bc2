"""How long each kernel, product and copy of a program takes, and what the chip could do."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from itertools import accumulate
from typing import Any

from ...ir.place import Place
from ...records import dataclass
from . import convolutions, products
from .code import CudaCode
from .driver import Gpu, check, driver
from .executable import (
    Action,
    CudaExecutable,
    Direct,
    GraphBranch,
    GraphCopy,
    GraphLaunch,
    GraphLoop,
    Multiply,
    OnHost,
    describe,
    steps_of,
)
from .graph import BoundExecutable

# A kernel is measured as one of this many in a graph, so that launches are hidden, as they are in the program's graph.
AT_ONCE = 20
ITERATIONS = 5
# Operations of one multiprocessor in a cycle, by the kind of GPU: f32; matrix products in TF32; in bf16 and f16.
RATES: Mapping[str, tuple[int, int, int]] = {
    "sm_80": (128, 1024, 2048), "sm_86": (256, 256, 512), "sm_89": (256, 512, 1024), "sm_90": (256, 2048, 4096),
}  # fmt: skip


@dataclass(frozen=True)
class Chip:
    """A GPU: its memory bandwidth in bytes per second, and its operations per second by type, where known."""

    name: str
    bandwidth: float
    flops: Mapping[str, float]


def chip_of(gpu: Gpu) -> Chip:
    cu = driver()
    gpu.enter()
    device = check(cu.cuCtxGetDevice())

    def attribute(name: str) -> int:
        return int(
            check(cu.cuDeviceGetAttribute(getattr(cu.CUdevice_attribute, f"CU_DEVICE_ATTRIBUTE_{name}"), device))
        )

    cycles = attribute("MULTIPROCESSOR_COUNT") * attribute("CLOCK_RATE") * 1000
    # Memory transfers twice in a cycle.
    bandwidth = 2 * attribute("MEMORY_CLOCK_RATE") * 1000 * attribute("GLOBAL_MEMORY_BUS_WIDTH") / 8
    rates = RATES.get(gpu.arch, ())
    return Chip(gpu.chip, bandwidth, {name: cycles * rate for name, rate in zip(("f32", "tf32", "bf16"), rates)})


@dataclass(frozen=True)
class Measured:
    """An action of a program.

    Attributes:
        name: what runs.
        where: the block that it is in: main, main/body, ….
        steps: their numbers among the executable's; none for a copy between them.
        seconds, iterations: how long one iteration takes, and how many there are in a call.
        flops, bytes: what an iteration computes and moves; None if that is not known.
        most: what the chip can compute or move in a second; None if that is not known.
    """

    name: str
    where: str
    steps: tuple[int, ...]
    seconds: float
    iterations: int
    flops: int | None
    bytes: int | None
    most: float | None


def measure(code: CudaCode, arrays: Sequence[Any]) -> list[Measured]:
    """The actions of a program in order; those that a call does not reach are left out."""
    gpu, executable, chip = code.gpu, code.executable, chip_of(code.gpu)
    iterations: Counter[int] = Counter()
    spent: Counter[int] = Counter()
    known: dict[object, float] = {}

    @contextmanager
    def around(bound: BoundExecutable, action: Action) -> Iterator[None]:
        # Kernels may read indices from memory, so each is measured when it runs, with the contents at that time.
        if not isinstance(action, OnHost | Direct) and key_of(action) not in known:
            known[key_of(action)] = seconds_of(bound, executable, action, gpu)
        gpu.finish()
        iterations[id(action)] += 1
        begin = time.perf_counter()
        yield
        gpu.finish()
        spent[id(action)] += time.perf_counter() - begin  # type: ignore[assignment]

    with gpu.lock:
        code.run_arrays(arrays, around=around)
        rows = []
        for action, where in walk(executable.actions, "main"):
            if count := iterations[id(action)]:
                on_host = isinstance(action, OnHost | Direct)
                seconds = spent[id(action)] / count if on_host else known[key_of(action)]
                rows.append(measure_action(executable, action, where, seconds, count, chip))
    return rows


def key_of(action: Action) -> object:
    """What the time of an action depends on."""
    match action:
        case GraphLaunch(kernel):
            return "kernel", kernel
        case Multiply(product):
            return "product", product
        case GraphCopy(size=size):
            return "copy", size
    raise TypeError(action)


def seconds_of(bound: BoundExecutable, executable: CudaExecutable, action: Action, gpu: Gpu) -> float:
    """How long an action that is about to run takes; memory is restored afterwards."""
    kept = list(changed(executable, action))
    if not kept:
        return time_of(bound, [action] * AT_ONCE, gpu) / AT_ONCE
    memory = gpu.allocate(sum(size for _, size in kept), "what a step changes")
    begin = memory - bound.address(Place("arena", 0))
    copies = [Place("arena", offset) for offset in accumulate((size for _, size in kept[:-1]), initial=begin)]
    restore = [GraphCopy(place, copy, size) for (place, size), copy in zip(kept, copies)]
    for move in restore:
        bound.start(GraphCopy(move.source, move.target, move.size))
    seconds = time_of(bound, [*restore, action] * AT_ONCE, gpu) - time_of(bound, restore * AT_ONCE, gpu)
    for move in restore:
        bound.start(move)
    gpu.finish()
    gpu.free(memory)
    return max(0.0, seconds) / AT_ONCE


def changed(executable: CudaExecutable, action: Action) -> Iterator[tuple[Place, int]]:
    """The places, with their sizes, that an action both reads and writes."""
    if isinstance(action, GraphLaunch):
        kernel = executable.kernels[action.kernel]
        read = {place for place, writes in zip(action.places, kernel.writes) if not writes}
        for place, size, writes in zip(action.places, action.sizes, kernel.writes):
            if writes and size and (kernel.updates or place in read):
                yield place, size


def time_of(bound: BoundExecutable, actions: Sequence[Action], gpu: Gpu) -> float:
    """The median of the seconds that a graph of some actions takes."""
    graph, times = bound.graph(actions), []
    for _ in range(ITERATIONS + 1):
        begin = time.perf_counter()
        graph.launch()
        gpu.finish()
        times.append(time.perf_counter() - begin)
    graph.destroy()
    return sorted(times[1:])[ITERATIONS // 2]


def walk(actions: Sequence[Action], where: str) -> Iterator[tuple[Action, str]]:
    """All actions except loops and branches, with the blocks that they are in."""
    for action in actions:
        match action:
            case GraphLoop():
                yield from walk(action.condition, f"{where}/condition")
                yield from walk(action.body, f"{where}/body")
            case GraphBranch():
                for number, branch in enumerate(action.branches):
                    yield from walk(branch, f"{where}/branch {number}")
            case _:
                yield action, where


def measure_action(
    executable: CudaExecutable, action: Action, where: str, seconds: float, iterations: int, chip: Chip
) -> Measured:
    flops: int | None = None
    moved: int | None = None
    most: float | None = None
    match action:
        case GraphLaunch():
            moved, most = executable.kernels[action.kernel].bytes or None, chip.bandwidth
        case GraphCopy():
            moved, most = 2 * action.size, chip.bandwidth
        case Multiply():
            spec = executable.products[action.product]
            flops, most = spec.flops or None, chip.flops.get(kind_of(spec))
    name = (
        f"copy of {action.size:,} bytes"
        if isinstance(action, GraphCopy)
        else describe(executable, action).partition(" (")[0]
    )
    return Measured(name, where, steps_of(action), seconds, iterations, flops, moved, most)


def kind_of(spec: object) -> str:
    """The type that a product is computed in, as `Chip.flops` names it."""
    match spec:
        case products.ProductSpec(letter="s", narrow=""):
            return "f32" if spec.exact else "tf32"
        case products.ProductSpec(letter="s"):
            return "bf16"
        case products.ProductSpec(letter="c"):
            return "f32"
        case convolutions.ConvolutionSpec():
            return "bf16" if spec.element != "f32" else "f32" if spec.exact else "tf32"
    return ""
