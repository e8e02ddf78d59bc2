"""The target that serves every device of tinygrad.

A region is lowered once to a tensor graph over parameters, scheduled and compiled to kernels; running it binds buffers
and launches them. All state of a run is in the list of buffers, so runs in several threads do not meet.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from ...errors import Error, UnsupportedOp
from ...ir import error_at
from ...plan.aliasing import Alias, AliasAnalysis, Aliasing
from ...plan.lowering import lowering, scheduled
from ...plan.plan import Block, Call, Case, Convolution, Fourier, Gemm, Host, Kernels, Lapack, Plan, Step, While
from ...rules.control import chooses_by_boolean
from ...rules.lapack import carried_out
from ...tinygrad.buffers import Buffer, allocate, as_truth_values, copied, copy_into, from_numpy, operand, to_numpy
from ...tinygrad.device import launching, open_device
from ...tinygrad.expressions import DType
from ...tinygrad.launch import Launch, compiled, graph_of
from ...tinygrad.settings import building
from .. import HostFunction, Progress
from ..arrays import Fixed
from ..host import dtype_and_shape, host_results


@dataclass(frozen=True, eq=False)
class CompiledRegion:
    """A region's kernels. Buffers are numbered: inputs, outputs, then temporaries with the sizes given."""

    launches: tuple[Launch, ...]
    outputs: tuple[tuple[int, DType], ...]
    temporaries: tuple[tuple[int, DType], ...]


_compiled: dict[tuple[str, str], CompiledRegion] = {}


def compile_region(step: Kernels, device: str) -> CompiledRegion:
    """The kernels of a region, compiled once in a process for each structure and device."""
    key = (step.key, device)
    with lowering(device):
        if key not in _compiled:
            try:
                schedule = scheduled(step, device)
                launches, temporaries = compiled(schedule, device)
                _compiled[key] = CompiledRegion(launches, schedule.outputs, temporaries)
            except Error:
                raise
            except Exception as error:
                message = f"tinygrad could not build the kernels of the region that starts here: {error}"
                raise error_at(step.ops[0], message, UnsupportedOp) from error
        return _compiled[key]


def is_launched(step: Step) -> bool:
    """Whether a step is kernels and nothing else."""
    return isinstance(step, Kernels | Gemm | Convolution)


class Captured:
    """A run of steps that are kernels, captured once: what to launch, and on which memory.

    Memory is in slots. What the run takes and what later steps read is each run's own; the rest belongs to the capture,
    as the launches of one device follow each other. Where tinygrad has graphs for the device, the second run makes one.
    """

    def __init__(self, block: Block, steps: range, aliasing: Aliasing, analysis: AliasAnalysis, device: str) -> None:
        self.steps, self._device = steps, device
        self._launches: list[tuple[Launch, tuple[int, ...]]] = []
        self._own: list[Buffer | None] = []  # by slot; None for a run's own
        self._taken: list[tuple[int, int]] = []  # slot, and the number of the value that lies there before
        self._made: list[tuple[int, int, DType]] = []  # slot, size and dtype
        self._graph: Callable[[Sequence[Any]], None] | None = None
        self._runs = 0
        self._dead = [n for index in steps for n in block.last_reads[index]]
        last = {aliasing.memory[n]: index for index in steps for n in block.last_reads[index]}
        leaving = [n for index in steps for n in block.steps[index].outputs if n not in self._dead]
        outside = {aliasing.memory[n] for n in leaving}
        slots: dict[int, int] = {}
        free: dict[tuple[int, DType], list[int]] = {}

        def taken_slot(number: int, step: Step, copies: Sequence[Alias]) -> int:
            place = aliasing.memory[number]
            if place not in slots:
                aliases = {pair.result: pair for pair in analysis.aliases(step)}
                pair = aliases.get(number)
                held = number if pair is None or pair in copies else pair.operand
                slots[place] = self._slot(None)
                self._taken.append((slots[place], held))
            return slots[place]

        def own_slot(size: int, dtype: DType) -> int:
            unused = free.get((size, dtype))
            return unused.pop() if unused else self._slot(allocate(size, dtype, device))

        def give_back(dead: Iterable[int]) -> None:
            for slot in dead:
                if (buffer := self._own[slot]) is not None:
                    free.setdefault((buffer.size, buffer.dtype), []).append(slot)

        for index in steps:
            step = block.steps[index]
            region = compile_region(step if isinstance(step, Kernels) else step.region, device)  # type: ignore[union-attr]
            numbers = analysis.taken(step) if isinstance(step, Kernels) else tuple(dict.fromkeys(step.reads))
            places = [taken_slot(n, step, aliasing.copied[index]) for n in numbers]
            for number, (size, dtype) in zip(step.outputs, region.outputs, strict=True):
                place = aliasing.memory[number]
                if place not in slots and place in outside:
                    slots[place] = self._slot(None)
                    self._made.append((slots[place], size, dtype))
                elif place not in slots:
                    slots[place] = own_slot(size, dtype)
                places.append(slots[place])
            ends = {n: i for i, launch in enumerate(region.launches) for n in launch.buffers if n >= len(places)}
            temporaries: dict[int, int] = {}
            for i, launch in enumerate(region.launches):
                for n in launch.buffers:
                    if n >= len(places) and n not in temporaries:
                        temporaries[n] = own_slot(*region.temporaries[n - len(places)])
                self._launches.append(
                    (launch, tuple(temporaries[n] if n in ends else places[n] for n in launch.buffers))
                )
                give_back(temporaries[n] for n, end in ends.items() if end == i)
            give_back(slots[place] for place in slots if last.get(place) == index and place not in outside)
        self._leaving = [(n, slots[aliasing.memory[n]]) for n in leaving]

    def _slot(self, buffer: Buffer | None) -> int:
        self._own.append(buffer)
        return len(self._own) - 1

    def run(self, buffers: list[Buffer | None]) -> None:
        """Launch the kernels on a block's buffers, and put there what later steps read."""
        with launching:
            held = list(self._own)
            for slot, number in self._taken:
                held[slot] = buffers[number]
            for slot, size, dtype in self._made:
                held[slot] = allocate(size, dtype, self._device)
        self._runs += 1
        if self._runs == 2:
            with building, launching:
                self._graph = graph_of(self._launches[1:], held, self._own, self._device)
        with launching:
            # The first launch, outside the graph, also tells the device which thread this is.
            for launch, places in self._launches if self._graph is None else self._launches[:1]:
                launch([held[slot].get_buf(self._device) for slot in places])  # type: ignore[union-attr]
            if self._graph is not None:
                self._graph(held)
        for number, slot in self._leaving:
            buffers[number] = held[slot]
        for number in self._dead:
            buffers[number] = None


def compile(plan: Plan, device: str, custom_calls: Mapping[str, HostFunction], progress: Progress) -> TinygradExecutor:
    """Compile all regions of a plan, so that what is wrong with the module is said before anything runs."""
    executor = TinygradExecutor(plan, device, custom_calls)
    steps = list({step.key: step for step in plan.kernels(products=True)}.values())
    for done, step in enumerate(steps):
        progress(done, len(steps))
        compile_region(step, device)
    progress(len(steps), len(steps))
    return executor


class TinygradExecutor:
    """Runs a plan on a tinygrad device.

    Constants are uploaded once; everything else a run needs is made by that run.
    """

    def __init__(self, plan: Plan, device: str, custom_calls: Mapping[str, HostFunction]) -> None:
        open_device(device)
        self.plan, self.device, self.custom_calls = plan, device, custom_calls
        self.constants: dict[tuple[Block, int], Buffer | None] = {}
        self._analysis = AliasAnalysis(plan)
        self._parts: dict[tuple[Block, frozenset[int]], Sequence[Captured | int]] = {}
        self._updates = any(step.updates for step in plan.kernels())
        for block in plan.blocks():
            for number, array in block.constants:
                self.constants[block, number] = from_numpy(array, block.types[number], device)

    def run(self, inputs: Sequence[Buffer | np.ndarray | None]) -> list[Buffer | None]:
        """The results of the entry function, in buffers that no one else holds."""
        types = self.plan.main.types
        arrays = (x.array if isinstance(x, Fixed) else x for x in inputs)
        buffers = [
            from_numpy(x, types[i], self.device)
            if isinstance(x, np.ndarray)
            else as_truth_values(x, types[i], self.device)
            for i, x in enumerate(arrays)
        ]
        results = self._run(self.plan.main, buffers, {})
        held = {id(b) for b in (*buffers, *self.constants.values()) if b is not None}
        fresh = []
        for buffer in results:
            fresh.append(copied(buffer, self.device) if id(buffer) in held else buffer)
            held.add(id(buffer))
        return fresh

    def run_into(self, inputs: Sequence[Buffer | None], outputs: Sequence[Buffer | None]) -> None:
        """The same with the results in given buffers, which are none of the inputs."""
        for target, source in zip(outputs, self.run(inputs), strict=True):
            copy_into(target, source)

    def run_numpy(self, arrays: Sequence[np.ndarray]) -> list[np.ndarray]:
        """The same on numpy arrays of the declared types."""
        main = self.plan.main
        return [to_numpy(b, main.types[n]) for b, n in zip(self.run(arrays), main.outputs)]

    def serialize(self) -> None:
        """See `Executor`; tinygrad keeps its kernels itself."""

    def _run(self, block: Block, inputs: list[Buffer | None], in_place: Mapping[int, int]) -> list[Buffer | None]:
        """A block's results; those of `in_place` are in the buffers of the arguments that it says."""
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
        if self._updates and block is not self.plan.main:
            # A later step may write into a result, so it must be nobody else's buffer.
            seen = {id(b) for b in (*inputs, *self.constants.values())}
            for i, buffer in enumerate(results):
                if i not in in_place and id(buffer) in seen:
                    results[i] = copied(buffer, self.device)
                seen.add(id(buffer))
        return results

    def _parts_of(self, block: Block, in_place: Mapping[int, int]) -> Sequence[Captured | int]:
        """A block's steps: runs of kernels, captured when they are first reached, and the numbers of the others."""
        key, aliasing = (block, frozenset(in_place.values())), self._analysis.of(block, in_place)
        if key not in self._parts:
            runs: list[range] = []
            for index, step in enumerate(block.steps):
                joins = (
                    index and is_launched(step) and is_launched(block.steps[index - 1]) and not aliasing.copied[index]
                )
                runs[len(runs) - bool(joins) :] = [range(runs[-1].start if joins else index, index + 1)]
            self._parts[key] = [
                Captured(block, run, aliasing, self._analysis, self.device)
                if is_launched(block.steps[run[0]])
                else run[0]
                for run in runs
            ]
        return self._parts[key]

    def _begin(self, block: Block, index: int, aliasing: Aliasing, buffers: list[Buffer | None]) -> None:
        """Let the results of a step that begin as operands be those, or copies of them."""
        for pair in self._analysis.aliases(block.steps[index]):
            operand = buffers[pair.operand]
            buffers[pair.result] = copied(operand, self.device) if pair in aliasing.copied[index] else operand

    def _step(self, step: Step, block: Block, buffers: Sequence[Buffer | None]) -> list[Buffer | None]:
        """The results of a step that is more than kernels."""
        taken = [buffers[n] for n in self._analysis.taken(step)]
        match step:
            case While():
                return self._while(step, taken)
            case Case():
                return self._case(step, buffers[step.index], taken)
            case Call():
                return self._run(self.plan.functions[step.name], taken, self._analysis.in_place(step))
            case Host():
                return self._host(step, block, taken)
            case Fourier():
                return self._host(step.host, block, taken[:1])
            case Lapack():
                return self._lapack(step, block, taken)
        raise NotImplementedError(step)

    def _while(self, step: While, taken: list[Buffer | None]) -> list[Buffer | None]:
        carries, captures = taken[: len(step.carries)], taken[len(step.carries) :]
        in_place = self._analysis.in_place(step)
        if step.trip_count is not None:  # nothing to ask the device for
            for _ in range(step.trip_count):
                carries = self._run(step.body, [*carries, *captures], in_place)
            return carries
        while self._scalar(self._run(step.condition, [*carries, *captures], {})[0]):
            carries = self._run(step.body, [*carries, *captures], in_place)
        return carries

    def _case(self, step: Case, selected: Buffer | None, taken: list[Buffer | None]) -> list[Buffer | None]:
        index = self._scalar(selected)
        if chooses_by_boolean(step.op):
            index = 0 if index else 1
        # Out of range is the last branch (specification, case).
        branch = step.branches[index if 0 <= index < len(step.branches) else -1]
        return self._run(branch, taken, self._analysis.in_place(step))

    def _scalar(self, buffer: Buffer | None) -> int:
        assert buffer is not None
        raw = np.empty(buffer.nbytes, np.uint8)
        buffer.allocator._copyout(raw.data, buffer._buf)
        return int.from_bytes(raw.tobytes(), "little", signed=True)

    def _host(self, step: Host, block: Block, inputs: list[Buffer | None]) -> list[Buffer | None]:
        arrays = [operand(b, block.types[n], self.device) for b, n in zip(inputs, step.inputs)]
        results = host_results(step, block, arrays, self.custom_calls)
        return [from_numpy(array, block.types[n], self.device) for n, array in zip(step.outputs, results)]

    def _lapack(self, step: Lapack, block: Block, inputs: list[Buffer | None]) -> list[Buffer | None]:
        arrays = [operand(b, block.types[n], self.device) for b, n in zip(inputs, step.inputs)]
        types = [block.types[n] for n in step.outputs]
        results = carried_out(step.procedure, arrays, list(map(dtype_and_shape, types)))
        return [from_numpy(array, type, self.device) for array, type in zip(results, types)]
