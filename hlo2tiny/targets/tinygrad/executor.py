"""The target that serves every device of tinygrad.

A region is lowered once to a tensor graph over parameters, scheduled and compiled to kernels; running it binds buffers
and launches them. All state of a run is in the list of buffers, so runs in several threads do not meet.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from tinygrad import Device
from tinygrad.device import Buffer
from tinygrad.dtype import DType
from tinygrad.engine.jit import graph_class
from tinygrad.engine.realize import compile_linear, get_runtime
from tinygrad.helpers import Context
from tinygrad.uop.ops import Ops, UOp

from ...errors import Error, UnsupportedOp
from ...ir import error_at
from ...plan.aliasing import Begun, Sharing, Sharings
from ...plan.lowering import lowering, scheduled
from ...plan.plan import Block, Call, Case, Convolution, Fourier, Gemm, Host, Kernels, Lapack, Plan, Step, While
from ...rules.control import chooses_by_boolean
from ...rules.lapack import carried_out
from ...tinygrad.buffers import allocate, as_truth_values, copied, copy_into, from_numpy, operand, to_numpy
from ...tinygrad.device import building, launching, open_device
from ..c.code import Fixed
from ..host import HostFunction, dtype_and_shape, host_results


@dataclass(frozen=True, eq=False)
class Launch:
    """One kernel: tinygrad's call of it, its runtime, and which buffers it takes."""

    call: UOp
    runtime: Any
    buffers: tuple[int, ...]
    global_size: Any
    local_size: Any
    values: Any

    def __call__(self, memory: Sequence[Any]) -> None:
        """Launch it on what each of its buffers has for memory."""
        self.runtime(*memory, global_size=self.global_size, local_size=self.local_size, vals=self.values, wait=False)


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
                _compiled[key] = _compile(step, device)
            except Error:
                raise
            except Exception as error:
                message = f"tinygrad could not build the kernels of the region that starts here: {error}"
                raise error_at(step.ops[0], message, UnsupportedOp) from error
        return _compiled[key]


def _compile(step: Kernels, device: str) -> CompiledRegion:
    schedule = scheduled(step, device)
    with Context(PARALLEL=0, TUPLE_ORDER=0):
        calls = compile_linear(schedule.linear).src
    for call in calls:
        if call.src[0].op is not Ops.PROGRAM:
            raise NotImplementedError(f"a schedule step of kind {call.src[0].op}")
    taken, temporaries = schedule.numbered(calls)
    launches = []
    for call, buffers in zip(calls, taken):
        program = call.src[0]
        global_size, local_size = program.arg.launch_dims({})
        runtime, numbers = get_runtime(device, program), program.arg.vals({})
        launches.append(Launch(call, runtime, buffers, global_size, local_size, numbers))
    return CompiledRegion(tuple(launches), schedule.outputs, temporaries)


def is_launched(step: Step) -> bool:
    """Whether a step is kernels and nothing else."""
    return isinstance(step, Kernels | Gemm | Convolution)


class Captured:
    """A run of steps that are kernels, captured once: what to launch, and on which memory.

    Memory is in slots. What the run takes and what later steps read is each run's own; the rest belongs to the capture,
    as the launches of one device follow each other. Where tinygrad has graphs for the device, the second run makes one.
    """

    def __init__(self, block: Block, steps: range, sharing: Sharing, sharings: Sharings, device: str) -> None:
        self.steps, self._device = steps, device
        self._launches: list[tuple[Launch, tuple[int, ...]]] = []
        self._own: list[Buffer | None] = []  # by slot; None for a run's own
        self._taken: list[tuple[int, int]] = []  # slot, and the number of the value that lies there before
        self._made: list[tuple[int, int, DType]] = []  # slot, size and dtype
        self._graph: Callable[[Sequence[Any]], None] | None = None
        self._runs = 0
        self._dead = [n for index in steps for n in block.last_reads[index]]
        last = {sharing.memory[n]: index for index in steps for n in block.last_reads[index]}
        leaving = [n for index in steps for n in block.steps[index].outputs if n not in self._dead]
        outside = {sharing.memory[n] for n in leaving}
        slots: dict[int, int] = {}
        free: dict[tuple[int, DType], list[int]] = {}

        def taken_slot(number: int, step: Step, copies: Sequence[Begun]) -> int:
            place = sharing.memory[number]
            if place not in slots:
                begun = {pair.result: pair for pair in sharings.begun(step)}
                pair = begun.get(number)
                held = number if pair is None or pair in copies else pair.operand
                slots[place] = self._slot(None)
                self._taken.append((slots[place], held))
            return slots[place]

        def own_slot(size: int, dtype: DType) -> int:
            found = free.get((size, dtype))
            return found.pop() if found else self._slot(allocate(size, dtype, device))

        def give_back(dead: Iterable[int]) -> None:
            for slot in dead:
                if (buffer := self._own[slot]) is not None:
                    free.setdefault((buffer.size, buffer.dtype), []).append(slot)

        for index in steps:
            step = block.steps[index]
            region = compile_region(step if isinstance(step, Kernels) else step.region, device)  # type: ignore[union-attr]
            numbers = sharings.taken(step) if isinstance(step, Kernels) else tuple(dict.fromkeys(step.reads))
            places = [taken_slot(n, step, sharing.copied[index]) for n in numbers]
            for number, (size, dtype) in zip(step.outputs, region.outputs, strict=True):
                place = sharing.memory[number]
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
        self._leaving = [(n, slots[sharing.memory[n]]) for n in leaving]

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


# Launches fewer than that are not worth a graph.
LEAST_GRAPH = 3


@dataclass(frozen=True)
class Held:
    """A buffer, where tinygrad's graphs expect the node of one."""

    buffer: Buffer | None


def graph_of(
    launches: Sequence[tuple[Launch, tuple[int, ...]]],
    held: Sequence[Buffer | None],
    own: Sequence[Buffer | None],
    device: str,
) -> Callable[[Sequence[Buffer | None]], None] | None:
    """One launch for many, on a device that has graphs: it takes the buffers by slot, of which `own` never change."""
    opened = Device[device]
    if opened.graph is None or len(launches) < LEAST_GRAPH:
        return None
    nodes: dict[int, UOp] = {}

    def node(slot: int, parameter: UOp) -> UOp:
        if slot not in nodes:
            buffer = own[slot]
            size = int(parameter.max_numel())
            nodes[slot] = (
                UOp.param(slot, parameter.dtype, (size,), device) if buffer is None else UOp.from_buffer(buffer)
            )
        return nodes[slot]

    calls = []
    for launch, places in launches:
        arguments = launch.call.src[1:]
        if any(a.is_bound_var for a in arguments) or launch.call.src[0].arg.globals != tuple(range(len(arguments))):
            return None
        nodes_of_call = [node(slot, a) for slot, a in zip(places, arguments, strict=True)]
        calls.append(launch.call.replace(src=(launch.call.src[0], *nodes_of_call)))
    if not all(graph_class(opened).supports_uop([opened], call) for call in calls):
        return None
    linear = UOp(Ops.CUSTOM_FUNCTION, src=(UOp(Ops.LINEAR, src=tuple(calls)),), arg="graph")
    try:
        graph = opened.graph(linear, input_uops=tuple(map(Held, held)))
    except Exception:  # whatever a driver says: the launches one by one do the same
        return None
    return lambda buffers: graph(tuple(map(Held, buffers)), {})


class TinygradExecutor:
    """Runs a plan on a tinygrad device.

    Constants are uploaded once; everything else a run needs is made by that run.
    """

    def __init__(self, plan: Plan, device: str, host: Mapping[str, HostFunction]) -> None:
        open_device(device)
        self.plan, self.device, self.host = plan, device, host
        self.constants: dict[tuple[Block, int], Buffer | None] = {}
        self._sharings = Sharings(plan)
        self._parts: dict[tuple[Block, frozenset[int]], Sequence[Captured | int]] = {}
        self._updates = any(step.updates for step in plan.kernels())
        self._complete = False
        for block in plan.blocks():
            for number, array in block.constants:
                self.constants[block, number] = from_numpy(array, block.types[number], device)

    def compile(self, progress: Callable[[int, int], None] = lambda done, total: None) -> None:
        """Compile all regions now rather than when a run first reaches them."""
        steps = list({step.key: step for step in self.plan.kernels(products=True)}.values())
        for done, step in enumerate(steps):
            progress(done, len(steps))
            compile_region(step, self.device)
        progress(len(steps), len(steps))
        self._complete = True

    def run(self, inputs: Sequence[Buffer | np.ndarray | None]) -> list[Buffer | None]:
        """The results of the entry function, in buffers that no one else holds."""
        if not self._complete:
            self.compile()  # all of it, so that what is wrong with the module is said before anything runs
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

    def _run(self, block: Block, inputs: list[Buffer | None], kept: Mapping[int, int]) -> list[Buffer | None]:
        """A block's results; those of `kept` are in the buffers of the arguments that it says."""
        sharing = self._sharings.of(block, kept)
        buffers: list[Buffer | None] = [*inputs, *[None] * (len(block.types) - len(inputs))]
        for number, _ in block.constants:
            buffers[number] = self.constants[block, number]
        for part in self._parts_of(block, kept):
            if isinstance(part, Captured):
                self._begin(block, part.steps.start, sharing, buffers)
                part.run(buffers)
                continue
            self._begin(block, part, sharing, buffers)
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
                if i not in kept and id(buffer) in seen:
                    results[i] = copied(buffer, self.device)
                seen.add(id(buffer))
        return results

    def _parts_of(self, block: Block, kept: Mapping[int, int]) -> Sequence[Captured | int]:
        """A block's steps: runs of kernels, captured when they are first reached, and the numbers of the others."""
        key, sharing = (block, frozenset(kept.values())), self._sharings.of(block, kept)
        if key not in self._parts:
            runs: list[range] = []
            for index, step in enumerate(block.steps):
                joins = (
                    index and is_launched(step) and is_launched(block.steps[index - 1]) and not sharing.copied[index]
                )
                runs[len(runs) - bool(joins) :] = [range(runs[-1].start if joins else index, index + 1)]
            self._parts[key] = [
                Captured(block, run, sharing, self._sharings, self.device)
                if is_launched(block.steps[run[0]])
                else run[0]
                for run in runs
            ]
        return self._parts[key]

    def _begin(self, block: Block, index: int, sharing: Sharing, buffers: list[Buffer | None]) -> None:
        """Let the results of a step that begin as operands be those, or copies of them."""
        for pair in self._sharings.begun(block.steps[index]):
            operand = buffers[pair.operand]
            buffers[pair.result] = copied(operand, self.device) if pair in sharing.copied[index] else operand

    def _step(self, step: Step, block: Block, buffers: Sequence[Buffer | None]) -> list[Buffer | None]:
        """The results of a step that is more than kernels."""
        taken = [buffers[n] for n in self._sharings.taken(step)]
        match step:
            case While():
                return self._while(step, taken)
            case Case():
                return self._case(step, buffers[step.index], taken)
            case Call():
                return self._run(self.plan.functions[step.name], taken, self._sharings.kept(step))
            case Host():
                return self._host(step, block, taken)
            case Fourier():
                return self._host(step.host, block, taken[:1])
            case Lapack():
                return self._lapack(step, block, taken)
        raise NotImplementedError(step)

    def _while(self, step: While, taken: list[Buffer | None]) -> list[Buffer | None]:
        carries, captures = taken[: len(step.carries)], taken[len(step.carries) :]
        kept = self._sharings.kept(step)
        if step.trip_count is not None:  # nothing to ask the device for
            for _ in range(step.trip_count):
                carries = self._run(step.body, [*carries, *captures], kept)
            return carries
        while self._scalar(self._run(step.condition, [*carries, *captures], {})[0]):
            carries = self._run(step.body, [*carries, *captures], kept)
        return carries

    def _case(self, step: Case, selected: Buffer | None, taken: list[Buffer | None]) -> list[Buffer | None]:
        index = self._scalar(selected)
        if chooses_by_boolean(step.op):
            index = 0 if index else 1
        # Out of range is the last branch (specification, case).
        branch = step.branches[index if 0 <= index < len(step.branches) else -1]
        return self._run(branch, taken, self._sharings.kept(step))

    def _scalar(self, buffer: Buffer | None) -> int:
        assert buffer is not None
        raw = np.empty(buffer.nbytes, np.uint8)
        buffer.allocator._copyout(raw.data, buffer._buf)
        return int.from_bytes(raw.tobytes(), "little", signed=True)

    def _host(self, step: Host, block: Block, inputs: list[Buffer | None]) -> list[Buffer | None]:
        arrays = [operand(b, block.types[n], self.device) for b, n in zip(inputs, step.inputs)]
        results = host_results(step, block, arrays, self.host)
        return [from_numpy(array, block.types[n], self.device) for n, array in zip(step.outputs, results)]

    def _lapack(self, step: Lapack, block: Block, inputs: list[Buffer | None]) -> list[Buffer | None]:
        arrays = [operand(b, block.types[n], self.device) for b, n in zip(inputs, step.inputs)]
        types = [block.types[n] for n in step.outputs]
        results = carried_out(step.procedure, arrays, list(map(dtype_and_shape, types)))
        return [from_numpy(array, type, self.device) for array, type in zip(results, types)]
