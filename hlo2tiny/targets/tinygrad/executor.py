"""The target that serves every device of tinygrad.

A region is lowered once to a tensor graph over parameters, scheduled and compiled to kernels; running it binds buffers
and launches the kernels. The state of a run is its list of buffers, so several threads can run one plan.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from ...plan.aliasing import Alias, AliasAnalysis, Aliasing
from ...plan.lowering import schedule_region
from ...plan.plan import (
    Attention,
    Block,
    Call,
    Case,
    Convolution,
    Fourier,
    Gemm,
    Host,
    Kernels,
    Lapack,
    Plan,
    Step,
    While,
)
from ...plan.rendering import Rendered
from ...rules.control import chooses_by_boolean
from ...rules.lapack import carry_out
from ...rules.registry import Lowering
from ...stopping import expect_wanted
from ...tinygrad.buffers import (
    Buffer,
    Part,
    allocate,
    as_truth_values,
    copy_buffer,
    copy_into,
    from_numpy,
    operand,
    to_numpy,
)
from ...tinygrad.device import launching, open_device
from ...tinygrad.expressions import DType
from ...tinygrad.launch import Launch, compile_schedule, graph_of
from ...tinygrad.settings import building
from .. import HostFunction, Progress
from ..arrays import Fixed, dtype_and_shape
from ..host import host_results


@dataclass(frozen=True, eq=False)
class CompiledRegion:
    """A region's kernels. Their buffers are numbered in the order inputs, outputs, temporaries.

    `outputs` and `temporaries` are the sizes, in elements, and dtypes of buffers.
    """

    launches: tuple[Launch, ...]
    outputs: tuple[tuple[int, DType], ...]
    temporaries: tuple[tuple[int, DType], ...]


REGIONS = Rendered[CompiledRegion]()


def compile_region(step: Kernels, device: str) -> CompiledRegion:
    """The kernels of a region, compiled once per process, structure and device."""

    def render() -> CompiledRegion:
        schedule = schedule_region(step, device, Lowering(parallel=not device.startswith("CPU")))
        launches, temporaries = compile_schedule(schedule, device)
        return CompiledRegion(launches, schedule.outputs, temporaries)

    return REGIONS.get(step, device, render, device)


def is_launched(step: Step) -> bool:
    """Whether a step consists of kernels only."""
    return isinstance(step, Kernels | Gemm | Convolution | Attention)


class Captured:
    """A sequence of steps that consist of kernels, captured once: what to launch, and on which memory.

    Memory is numbered in slots. The buffers that a call passes in, and those that later steps read, belong to the call.
    The others belong to the capture, because the launches of one device run one after another. If tinygrad has graphs
    for the device, the second call makes one.
    """

    def __init__(self, block: Block, steps: range, aliasing: Aliasing, analysis: AliasAnalysis, device: str) -> None:
        self.steps, self._device = steps, device
        self._launches: list[tuple[Launch, tuple[int, ...]]] = []
        self._buffers: list[Buffer | None] = []  # by slot; None for buffers that belong to a call
        self._inputs: list[tuple[int, int]] = []  # slots and the numbers of the values passed in there
        self._allocated: list[tuple[int, int, DType]] = []  # slots, sizes and dtypes that each call allocates
        self._graph: Callable[[Sequence[Any]], None] | None = None
        self._runs = 0
        self._dead = [n for index in steps for n in block.last_reads[index]]
        last = {aliasing.memory[n]: index for index in steps for n in block.last_reads[index]}
        leaving = [n for index in steps for n in block.steps[index].outputs if n not in self._dead]
        outside = {aliasing.memory[n] for n in leaving}
        slots: dict[int, int] = {}
        free: dict[tuple[int, DType], list[int]] = {}

        def input_slot(number: int, step: Step, copies: Sequence[Alias]) -> int:
            memory = aliasing.memory[number]
            if memory not in slots:
                pair = next((pair for pair in analysis.aliases(step) if pair.result == number), None)
                slots[memory] = self._slot(None)
                self._inputs.append((slots[memory], number if pair is None or pair in copies else pair.operand))
            return slots[memory]

        def captured_slot(size: int, dtype: DType) -> int:
            unused = free.get((size, dtype))
            return unused.pop() if unused else self._slot(allocate(size, dtype, device))

        def release(dead: Iterable[int]) -> None:
            for slot in dead:
                if (buffer := self._buffers[slot]) is not None:
                    free.setdefault((buffer.size, buffer.dtype), []).append(slot)

        for index in steps:
            step = block.steps[index]
            region = compile_region(step if isinstance(step, Kernels) else step.region, device)  # type: ignore[union-attr]
            numbers = analysis.arguments(step) if isinstance(step, Kernels) else tuple(dict.fromkeys(step.reads))
            places = [input_slot(n, step, aliasing.copied[index]) for n in numbers]
            for number, (size, dtype) in zip(step.outputs, region.outputs, strict=True):
                memory = aliasing.memory[number]
                if memory not in slots and memory in outside:
                    slots[memory] = self._slot(None)
                    self._allocated.append((slots[memory], size, dtype))
                elif memory not in slots:
                    slots[memory] = captured_slot(size, dtype)
                places.append(slots[memory])
            ends = {n: i for i, launch in enumerate(region.launches) for n in launch.buffers if n >= len(places)}
            temporaries: dict[int, int] = {}
            for i, launch in enumerate(region.launches):
                for n in launch.buffers:
                    if n >= len(places) and n not in temporaries:
                        temporaries[n] = captured_slot(*region.temporaries[n - len(places)])
                used = tuple(temporaries[n] if n in ends else places[n] for n in launch.buffers)
                self._launches.append((launch, used))
                release(temporaries[n] for n, end in ends.items() if end == i)
            release(slots[memory] for memory in slots if last.get(memory) == index and memory not in outside)
        self._leaving = [(n, slots[aliasing.memory[n]]) for n in leaving]

    def _slot(self, buffer: Buffer | None) -> int:
        self._buffers.append(buffer)
        return len(self._buffers) - 1

    def run(self, buffers: list[Buffer | None]) -> None:
        """Launch the kernels on a block's buffers, and add the buffers that later steps read."""
        with launching:
            held = list(self._buffers)
            for slot, number in self._inputs:
                held[slot] = buffers[number]
            for slot, size, dtype in self._allocated:
                held[slot] = allocate(size, dtype, self._device)
        self._runs += 1
        if self._runs == 2:
            with building, launching:
                self._graph = graph_of(self._launches[1:], held, self._buffers, self._device)
        with launching:
            # The first launch is not in the graph: it also binds the device to this thread.
            for launch, places in self._launches if self._graph is None else self._launches[:1]:
                launch([held[slot].get_buf(self._device) for slot in places])  # type: ignore[union-attr]
            if self._graph is not None:
                self._graph(held)
        for number, slot in self._leaving:
            buffers[number] = held[slot]
        for number in self._dead:
            buffers[number] = None


def compile(
    plan: Plan, device: str, custom_calls: Mapping[str, HostFunction], progress: Progress, threads: int
) -> TinygradExecutor:
    """Compile all regions of a plan, so that errors in the module are reported before anything runs."""
    executor = TinygradExecutor(plan, device, custom_calls)
    steps = list({step.key: step for step in plan.kernels(products=True)}.values())
    for done, step in enumerate(steps):
        progress(done, len(steps))
        compile_region(step, device)
    progress(len(steps), len(steps))
    return executor


class TinygradExecutor:
    """Runs a plan on a tinygrad device. Constants are copied there once; a run makes everything else that it needs."""

    def __init__(self, plan: Plan, device: str, custom_calls: Mapping[str, HostFunction]) -> None:
        open_device(device)
        self.plan, self.device, self.custom_calls = plan, device, custom_calls
        self.constants: dict[tuple[Block, int], Buffer | None] = {}
        self._analysis = AliasAnalysis(plan)
        self.in_place = self._analysis.in_place_of_main()
        self._parts: dict[tuple[Block, frozenset[int]], Sequence[Captured | int]] = {}
        self._updates = any(step.updates for step in plan.kernels())
        for block in plan.blocks():
            for number, array in block.constants:
                self.constants[block, number] = from_numpy(array, block.types[number], device)

    def run(
        self, inputs: Sequence[Buffer | np.ndarray | None], outputs: Mapping[int, Buffer | None] = {}
    ) -> list[Buffer | None]:
        types = self.plan.main.types
        inputs = [x.buffer if isinstance(x, Part) else x for x in inputs]
        arrays = (x.array if isinstance(x, Fixed) else x for x in inputs)
        buffers = [
            from_numpy(x, types[i], self.device)
            if isinstance(x, np.ndarray)
            else as_truth_values(x, types[i], self.device)
            for i, x in enumerate(arrays)
        ]
        for result, argument in self.in_place.items():
            if buffers[argument] is inputs[argument] and outputs.get(result) is not inputs[argument]:
                buffers[argument] = copy_buffer(buffers[argument], self.device)
        results = self._run(self.plan.main, buffers, self.in_place)
        results = self._unshare(results, (*buffers, *self.constants.values()), self.in_place)
        for result, buffer in outputs.items():
            if buffer is not results[result]:
                copy_into(buffer, results[result])
                results[result] = buffer
        return results

    def _unshare(
        self, results: Sequence[Buffer | None], others: Iterable[Buffer | None], stays: Container[int] = ()
    ) -> list[Buffer | None]:
        """Copy those results, except `stays`, that are also another value's buffer."""
        seen, unshared = {id(b) for b in others if b is not None}, []
        for i, buffer in enumerate(results):
            unshared.append(copy_buffer(buffer, self.device) if i not in stays and id(buffer) in seen else buffer)
            seen.add(id(buffer))
        return unshared

    def run_numpy(self, arrays: Sequence[np.ndarray], outputs: Mapping[int, np.ndarray] = {}) -> list[np.ndarray]:
        main, buffers = self.plan.main, self.run(arrays)
        return [to_numpy(b, main.types[n], outputs.get(i)) for i, (b, n) in enumerate(zip(buffers, main.outputs))]

    def serialize(self) -> None:
        """See `Executor`. tinygrad keeps its kernels itself."""

    def _run(self, block: Block, inputs: list[Buffer | None], in_place: Mapping[int, int]) -> list[Buffer | None]:
        """Run a block and return its results; `in_place` maps results to the arguments whose buffers they share."""
        aliasing = self._analysis.of(block, in_place)
        buffers: list[Buffer | None] = [*inputs, *[None] * (len(block.types) - len(inputs))]
        for number, _ in block.constants:
            buffers[number] = self.constants[block, number]
        for part in self._parts_of(block, in_place):
            if isinstance(part, Captured):
                self._begin(block, part.steps.start, aliasing, buffers)
                part.run(buffers)
                continue
            self._begin(block, part, aliasing, buffers)
            step = block.steps[part]
            results = self._step(step, block, buffers)
            for number, buffer in zip(step.outputs, results, strict=True):
                buffers[number] = buffer
            for number in block.last_reads[part]:
                buffers[number] = None
        results = [buffers[n] for n in block.outputs]
        if self._updates and block is not self.plan.main:  # a later step may write into a result
            return self._unshare(results, (*inputs, *self.constants.values()), in_place)
        return results

    def _parts_of(self, block: Block, in_place: Mapping[int, int]) -> Sequence[Captured | int]:
        """A block's steps: captured sequences of steps that consist of kernels, and the numbers of the other steps."""
        key, aliasing = (block, frozenset(in_place.values())), self._analysis.of(block, in_place)
        if key not in self._parts:
            runs: list[range] = []
            for index, step in enumerate(block.steps):
                joins = index > 0 and is_launched(step) and is_launched(block.steps[index - 1])
                begin = runs.pop().start if joins and not aliasing.copied[index] else index
                runs.append(range(begin, index + 1))
            self._parts[key] = [
                Captured(block, run, aliasing, self._analysis, self.device)
                if is_launched(block.steps[run[0]])
                else run[0]
                for run in runs
            ]
        return self._parts[key]

    def _begin(self, block: Block, index: int, aliasing: Aliasing, buffers: list[Buffer | None]) -> None:
        """Set the results of a step that alias operands to the operands' buffers, or to copies of them."""
        for pair in self._analysis.aliases(block.steps[index]):
            operand = buffers[pair.operand]
            buffers[pair.result] = copy_buffer(operand, self.device) if pair in aliasing.copied[index] else operand

    def _step(self, step: Step, block: Block, buffers: Sequence[Buffer | None]) -> list[Buffer | None]:
        """Run a step that does not consist of kernels, and return its results."""
        arguments = [buffers[n] for n in self._analysis.arguments(step)]
        match step:
            case While():
                return self._while(step, arguments)
            case Case():
                return self._case(step, buffers[step.index], arguments)
            case Call():
                return self._run(self.plan.functions[step.name], arguments, self._analysis.in_place(step))
            case Host() | Lapack():
                return self._host(step, block, arguments)
            case Fourier():
                return self._host(step.host, block, arguments[:1])
        raise NotImplementedError(step)

    def _while(self, step: While, arguments: list[Buffer | None]) -> list[Buffer | None]:
        carries, captures = arguments[: len(step.carries)], arguments[len(step.carries) :]
        in_place = self._analysis.in_place(step)
        if step.trip_count is not None:  # no condition to copy from the device
            for _ in range(step.trip_count):
                expect_wanted()
                carries = self._run(step.body, [*carries, *captures], in_place)
            return carries
        while self._scalar(self._run(step.condition, [*carries, *captures], {})[0]):
            expect_wanted()
            carries = self._run(step.body, [*carries, *captures], in_place)
        return carries

    def _case(self, step: Case, selected: Buffer | None, arguments: list[Buffer | None]) -> list[Buffer | None]:
        index = self._scalar(selected)
        if chooses_by_boolean(step.op):
            index = 0 if index else 1
        # An index out of range selects the last branch (specification, case).
        branch = step.branches[index if 0 <= index < len(step.branches) else -1]
        return self._run(branch, arguments, self._analysis.in_place(step))

    def _scalar(self, buffer: Buffer | None) -> int:
        assert buffer is not None
        raw = np.empty(buffer.nbytes, np.uint8)
        buffer.allocator._copyout(raw.data, buffer._buf)
        return int.from_bytes(raw.tobytes(), "little", signed=True)

    def _host(self, step: Host | Lapack, block: Block, inputs: list[Buffer | None]) -> list[Buffer | None]:
        arrays = [operand(b, block.types[n], self.device) for b, n in zip(inputs, step.inputs)]
        types = [block.types[n] for n in step.outputs]
        if isinstance(step, Host):
            results = host_results(step, block, arrays, self.custom_calls)
        else:
            results = carry_out(step.procedure, arrays, list(map(dtype_and_shape, types)))
        return [from_numpy(array, type, self.device) for array, type in zip(results, types)]
