"""The target that serves every device of tinygrad.

A region is lowered once to a tensor graph over parameters, scheduled and compiled to kernels; running it binds buffers
and launches the kernels. Commands are bound to memory once, where they run. Each thread that runs a plan has an arena.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from itertools import groupby
from math import prod
from typing import Any

import numpy as np

from ...ir import Type
from ...ir.place import Place
from ...plan import lower
from ...plan.commands import Branch, Command, CommandList, Copy, HostCall, Invoke, Launch, Loop, Site
from ...plan.lower import Choice, Chooser
from ...plan.lowering import schedule_region
from ...plan.memory import PlanMemory
from ...plan.plan import Fourier, Host, Kernels, Lapack, Plan, Step
from ...plan.rendering import Rendered
from ...records import dataclass
from ...rules.control import chooses_by_boolean
from ...rules.lapack import carry_out
from ...rules.registry import Lowering
from ...stopping import expect_wanted
from ...tinygrad.buffers import (
    Arena,
    Buffer,
    Part,
    allocate,
    as_truth_values,
    buffer_layout,
    copy_array,
    copy_buffer,
    copy_into,
    from_numpy,
    operand,
    to_numpy,
)
from ...tinygrad.device import is_host, launching, open_device
from ...tinygrad.expressions import DType
from ...tinygrad.launch import KernelLaunch, compile_schedule, graph_of
from ...tinygrad.settings import building
from .. import HostFunction, Progress
from ..arrays import Fixed, dtype_and_shape
from ..handlers import Calls, handlers_in
from ..host import host_results

# The number of elements and the dtype of a buffer.
Layout = tuple[int, DType]


@dataclass(frozen=True, eq=False)
class CompiledRegion:
    """A region's kernels. Their buffers are numbered in the order inputs, outputs, temporaries.

    `layouts` are those of the buffers; `offsets` say where temporaries are in the `scratch` bytes of memory for them.
    """

    launches: tuple[KernelLaunch, ...]
    layouts: tuple[Layout, ...]
    offsets: Mapping[int, int]
    scratch: int


REGIONS = Rendered[CompiledRegion]()


def compile_region(step: Kernels, device: str) -> CompiledRegion:
    """The kernels of a region, compiled once per process, structure and device."""

    def render() -> CompiledRegion:
        schedule = schedule_region(step, device, Lowering(parallel=not is_host(device)))
        launches, temporaries = compile_schedule(schedule, device)
        given = (*(layout_of(value.type) for value in step.parameters), *schedule.outputs)
        layouts = *given, *temporaries
        memory, offsets = PlanMemory(), dict[int, int]()
        ends = {n: i for i, launch in enumerate(launches) for n in launch.buffers}
        for i, launch in enumerate(launches):
            used = {n: layouts[n][0] * layouts[n][1].itemsize for n in launch.buffers if n >= len(given)}
            offsets |= {n: memory.take(size) for n, size in used.items() if n not in offsets}
            for n, size in used.items():
                if ends[n] == i:
                    memory.give(offsets[n], size)
        return CompiledRegion(launches, layouts, offsets, memory.size)

    return REGIONS.get(step, device, render, device)


def layout_of(type: Type) -> Layout:
    shape, dtype = buffer_layout(type)
    return prod(shape), dtype


def compile(
    plan: Plan, device: str, custom_calls: Mapping[str, HostFunction], progress: Progress, threads: int
) -> TinygradExecutor:
    """Compile all regions of a plan, so that errors in the module are reported before anything runs."""
    steps = list({step.key: step for step in plan.kernels(products=True)}.values())
    open_device(device)
    for done, step in enumerate(steps):
        progress(done, len(steps))
        compile_region(step, device)
    progress(len(steps), len(steps))
    return TinygradExecutor(plan, device, custom_calls)


class TinygradExecutor(Chooser):
    """Runs a plan on a tinygrad device. Constants are copied there once; runs use the memory of earlier ones."""

    def __init__(self, plan: Plan, device: str, custom_calls: Mapping[str, HostFunction]) -> None:
        open_device(device)
        self.plan, self.device, self.custom_calls = plan, device, custom_calls
        lowering = lower.PlanLowering(plan, self)
        self.commands, self.in_place = lowering.lower(), lowering.in_place
        self.constants = [
            from_numpy(array, block.types[n], device) for block in plan.blocks() for n, array in block.constants
        ]
        self._idle: list[ExecutorMemory] = []
        handlers = handlers_in(custom_calls)
        steps = ((block, step) for block in plan.blocks() for step in block.steps if isinstance(step, Host))
        calls = [(block, step) for block, step in steps if step.name[1:] in handlers]
        self.calls = Calls(calls, handlers) if calls else None
        self.handled = {step: number for number, (_, step) in enumerate(calls)}

    def choose(self, step: Step) -> Choice:
        if isinstance(step, Host | Lapack | Fourier):
            return Choice("host")
        region = step if isinstance(step, Kernels) else step.region  # type: ignore[union-attr]
        scratch = compile_region(region, self.device).scratch
        return Choice(region, [scratch] if scratch else [])

    def run(
        self, inputs: Sequence[Buffer | Part | np.ndarray | Fixed | None], outputs: Mapping[int, Buffer | None] = {}
    ) -> list[Buffer | None]:
        main = self.plan.main
        given = [x.buffer if isinstance(x, Part) else x.array if isinstance(x, Fixed) else x for x in inputs]
        arguments = [
            from_numpy(x, type, self.device) if isinstance(x, np.ndarray) else as_truth_values(x, type, self.device)
            for x, type in zip(given, main.types)
        ]
        for result, n in self.in_place.items():
            if arguments[n] is given[n] and outputs.get(result) is not given[n]:
                arguments[n] = copy_buffer(arguments[n], self.device)
        results = [
            arguments[self.in_place[i]]
            if i in self.in_place
            else outputs[i]
            if i in outputs
            else allocate(*layout_of(main.types[n]), self.device)
            for i, n in enumerate(main.outputs)
        ]
        try:
            memory = self._idle.pop()
        except IndexError:  # as many threads as have memory are running
            memory = ExecutorMemory(self)
        try:
            memory.run(arguments, results)
        finally:
            self._idle.append(memory)
        for result, buffer in outputs.items():
            if buffer is not results[result]:
                copy_into(buffer, results[result])
                results[result] = buffer
        return results

    def run_numpy(self, arrays: Sequence[np.ndarray], outputs: Mapping[int, np.ndarray] = {}) -> list[np.ndarray]:
        main, buffers = self.plan.main, self.run(arrays)
        return [to_numpy(b, main.types[n], outputs.get(i)) for i, (b, n) in enumerate(zip(buffers, main.outputs))]

    def serialize(self) -> None:
        """See `Executor`. tinygrad keeps its kernels itself."""


class ExecutorMemory:
    """The memory of one run at a time: an arena, the arguments and results of a call; and the commands bound to it."""

    def __init__(self, executor: TinygradExecutor) -> None:
        self.executor, self.device = executor, executor.device
        self.arena = Arena(executor.commands.total, self.device)
        self.given: dict[str, Sequence[Buffer | None]] = {"constant": executor.constants}
        main = executor.plan.main
        results = [Place("result", i) for i in range(len(main.outputs))]
        for i, n in executor.in_place.items():
            results[i] = Place("argument", n)
        self._main = BoundCommands(
            self, executor.commands, Site([Place("argument", n) for n in range(main.inputs)], results)
        )

    def run(self, arguments: Sequence[Buffer | None], results: Sequence[Buffer | None]) -> None:
        self.given |= {"argument": arguments, "result": results}
        try:
            self._main()
        finally:
            self.given |= {"argument": (), "result": ()}  # a call's buffers are its own

    def buffer(self, place: Place, layout: Layout) -> Buffer | None:
        if place.kind == "arena":
            return self.arena.part(place.number, *layout)
        return self.given[place.kind][place.number]

    def value(self, place: Place, type: Type) -> Buffer | None:
        return self.buffer(place, layout_of(type))

    def copy(self, target: Place, source: Place, type: Type) -> None:
        copy_into(self.value(target, type), self.value(source, type))

    def scalar(self, place: Place, type: Type) -> int:
        return int(to_numpy(self.value(place, type), type))


class BoundCommands:
    """The commands of a list at a site, which are bound to memory when they first run."""

    def __init__(self, memory: ExecutorMemory, commands: CommandList, site: Site) -> None:
        self._memory, self._commands, self._site = memory, commands, site
        self._parts: list[Callable[[], None]] | None = None

    def __call__(self) -> None:
        if self._parts is None:
            self._parts = [*self._bind()]
        for part in self._parts:
            part()

    def _bind(self) -> Iterator[Callable[[], None]]:
        """Sequences of launches are captured; every other command is a part of its own."""
        for launched, group in groupby(self._commands.commands, lambda command: isinstance(command, Launch)):
            if launched:
                launches = (command for command in group if isinstance(command, Launch))
                yield Captured(self._memory, [(launch, self._site.places(launch.places)) for launch in launches])
            else:
                yield from map(self._bind_command, group)

    def _bind_command(self, command: Command) -> Callable[[], None]:
        place = self._site.place
        match command:
            case Copy():
                return partial(self._memory.copy, place(command.target), place(command.source), command.type)
            case HostCall():
                return partial(self._host, command.step, *map(self._site.places, (command.inputs, command.outputs)))
            case Invoke():
                return self._inner(command.callee, command.arguments, command.results)
            case Branch():
                branches = [self._inner(each, command.arguments, command.results) for each in command.branches]
                return partial(self._branch, command, place(command.index), branches)
            case Loop():
                return self._loop(command)
        raise NotImplementedError(command)

    def _inner(self, commands: CommandList, arguments: Sequence[Place], results: Sequence[Place]) -> BoundCommands:
        return BoundCommands(self._memory, commands, self._site.inner(self._commands, arguments, results))

    def _host(self, step: Host | Lapack, inputs: Sequence[Place], outputs: Sequence[Place]) -> None:
        memory, block, device = self._memory, self._commands.block, self._memory.device
        types = [block.types[n] for n in step.outputs]
        operands = ((memory.value(place, block.types[n]), block.types[n]) for place, n in zip(inputs, step.inputs))
        arrays = [operand(buffer, type, device) for buffer, type in operands]
        executor = memory.executor
        if isinstance(step, Host) and step in executor.handled:
            assert executor.calls is not None
            results = executor.calls.run_arrays(executor.handled[step], [*map(np.ascontiguousarray, arrays)])
        elif isinstance(step, Host):
            results = host_results(step, block, arrays, executor.custom_calls)
        else:
            results = carry_out(step.procedure, arrays, [*map(dtype_and_shape, types)])
        for place, type, array in zip(outputs, types, results, strict=True):
            copy_array(memory.value(place, type), array)

    def _branch(self, command: Branch, place: Place, branches: Sequence[BoundCommands]) -> None:
        index = self._memory.scalar(place, self._commands.block.types[command.step.index])
        if chooses_by_boolean(command.step.op):
            index = 0 if index else 1
        # An index out of range selects the last branch (specification, case).
        branches[index if 0 <= index < len(branches) else -1]()

    def _loop(self, command: Loop) -> Callable[[], None]:
        """The first iteration reads the initial carries in place; others read and write two buffers alternately."""
        memory, site, step, place = self._memory, self._site, command.step, self._site.place
        begin, base = site.places(command.arguments), site.base + self._commands.size
        predicate, tested = place(command.predicate), command.condition.block
        first = {c.number: place(c.first) for c in command.carries}
        second = {c.number: place(c.second) for c in command.carries}

        def after(iterations: int) -> Mapping[int, Place]:
            """Where the carries are then."""
            return (second if iterations % 2 else first) if iterations else {i: begin[i] for i in first}

        def bind(read: Mapping[int, Place], written: Mapping[int, Place]) -> tuple[BoundCommands, BoundCommands]:
            given = [read.get(i, place) for i, place in enumerate(begin)]
            results = [written.get(i) for i in range(len(step.carries))]
            condition = BoundCommands(memory, command.condition, Site(given, [predicate], base))
            return condition, BoundCommands(memory, command.body, Site(given, results, base))

        iterations = bind(after(0), second), bind(second, first), bind(first, second)
        settled = [c for c in command.carries if c.settled or step.trip_count is None]
        end = first if step.trip_count is None else after(step.trip_count)
        site.carried |= {c.value: end[c.number] for c in command.carries}

        def run() -> None:
            done = 0
            while done != step.trip_count:  # if it is known, no condition has to be copied from the device
                condition, body = iterations[done and 2 - done % 2]
                if step.trip_count is None:
                    condition()
                    if not memory.scalar(predicate, tested.types[tested.outputs[0]]):
                        break
                expect_wanted()
                body()
                done += 1
            for c in settled:
                if after(done) is not first:
                    memory.copy(first[c.number], after(done)[c.number], c.type)

        return run


class Captured:
    """A sequence of launches on memory in numbered slots. Where tinygrad has graphs, the second run makes one.

    A call provides the memory of arguments and results; everything else is always the same.
    """

    def __init__(self, memory: ExecutorMemory, commands: Sequence[tuple[Launch, Sequence[Place]]]) -> None:
        self._memory = memory
        self._launches: list[tuple[KernelLaunch, tuple[int, ...]]] = []
        self._own: list[Buffer | None] = []  # by slot; None for buffers that belong to a call
        self._given: list[tuple[int, str, int]] = []  # slots with the kinds and numbers of their places
        self._graph: Callable[[Sequence[Any]], None] | None = None
        self._runs = 0
        slots: dict[tuple[Place, Layout], int] = {}

        def slot_of(place: Place, layout: Layout) -> int:
            if (place, layout) not in slots:
                slot = slots[place, layout] = len(self._own)
                if place.kind in ("argument", "result"):
                    self._given.append((slot, place.kind, place.number))
                    self._own.append(None)
                else:
                    self._own.append(memory.buffer(place, layout))
            return slots[place, layout]

        for command, places in commands:
            region = compile_region(command.region, memory.device)
            at = {n: Place("arena", places[-1].number + offset) for n, offset in region.offsets.items()}
            for launch in region.launches:
                used = (slot_of(at.get(n) or places[n], region.layouts[n]) for n in launch.buffers)
                self._launches.append((launch, tuple(used)))

    def __call__(self) -> None:
        device, held = self._memory.device, list(self._own)
        for slot, kind, number in self._given:
            held[slot] = self._memory.given[kind][number]
        self._runs += 1
        if self._runs == 2:
            with building, launching:
                self._graph = graph_of(self._launches[1:], held, self._own, device)
        with launching:
            # The first launch is not in the graph: it also binds the device to this thread.
            for launch, slots in self._launches if self._graph is None else self._launches[:1]:
                launch([held[slot].get_buf(device) for slot in slots])  # type: ignore[union-attr]
            if self._graph is not None:
                self._graph(held)
