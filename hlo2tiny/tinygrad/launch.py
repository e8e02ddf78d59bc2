"""Kernels compiled for a tinygrad device, and their launches."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

from tinygrad import Device
from tinygrad.device import Buffer
from tinygrad.dtype import DType
from tinygrad.engine.jit import graph_class
from tinygrad.engine.realize import compile_linear, get_runtime
from tinygrad.uop.ops import Ops, UOp

from ..records import dataclass
from .render import exact_renderer
from .schedule import Schedule
from .settings import settings_here


@dataclass(frozen=True, eq=False)
class KernelLaunch:
    """One kernel: tinygrad's call of it, its runtime, the numbers of its buffers, and its launch parameters."""

    call: UOp
    runtime: Any
    buffers: tuple[int, ...]
    global_size: Any
    local_size: Any
    values: Any

    def __call__(self, memory: Sequence[Any]) -> None:
        """Launch the kernel on the memory of its buffers."""
        self.runtime(*memory, global_size=self.global_size, local_size=self.local_size, vals=self.values, wait=False)


def compile_schedule(schedule: Schedule, device: str) -> tuple[tuple[KernelLaunch, ...], tuple[tuple[int, DType], ...]]:
    """The launches of a schedule's kernels on an open device, and the sizes and dtypes of its temporaries."""
    programs = list(schedule.programs(exact_renderer(Device[device].renderer)))
    with settings_here(TUPLE_ORDER=0):
        calls = compile_linear(UOp(Ops.LINEAR, src=tuple(programs))).src  # only chooses the sizes of work groups
    launches, temporaries = [], list[tuple[int, DType]]()
    for call, kernel in zip(calls, schedule.kernels(calls, temporaries)):
        program = call.src[0]
        blocks, threads = program.arg.launch_dims({})
        runtime, values = runtime_of(program, device), program.arg.vals({})
        launches.append(KernelLaunch(call, runtime, kernel.buffers, blocks, threads, values))
    return tuple(launches), tuple(temporaries)


def runtime_of(program: UOp, device: str) -> Any:
    """What launches a program, given the buffers that it uses.

    OpenCL's takes the buffer of a parameter by the parameter's number, which counts those that are not used, too.
    """
    used = program.arg.globals
    if used == tuple(range(len(used))):
        return get_runtime(device, program)
    binary = program.to_elf()
    numbers = {number: i for i, number in enumerate([*used, *(variable.arg.slot for variable in program.arg.vars)])}
    signature = tuple((name, numbers[number], *rest) for name, number, *rest in binary.signature)
    return Device[device].runtime(replace(binary, signature=signature))


# With fewer launches, a graph is not worth building.
LEAST_GRAPH = 3


@dataclass(frozen=True)
class HeldLaunch:
    """A buffer that stands in for a graph node that has one."""

    buffer: Buffer | None


def graph_of(
    launches: Sequence[tuple[KernelLaunch, tuple[int, ...]]],
    held: Sequence[Buffer | None],
    own: Sequence[Buffer | None],
    device: str,
) -> Callable[[Sequence[Buffer | None]], None] | None:
    """A function that performs many launches as one; None if the device has no graphs or cannot build this one.

    Args:
        launches: the launches, each with the slots of its buffers.
        held: the buffers in all slots for the first run.
        own: the buffers in those slots that never change, None in the others.
        device: the name of the open device.

    Returns:
        A function that takes the buffers in all slots.
    """
    opened = Device[device]
    if opened.graph is None or len(launches) < LEAST_GRAPH:
        return None

    nodes: dict[int, UOp] = {}

    def node(slot: int, parameter: UOp) -> UOp:
        if slot not in nodes:
            buffer, shape = own[slot], (int(parameter.max_numel()),)
            new = UOp.param(slot, parameter.dtype, shape, device) if buffer is None else UOp.from_buffer(buffer)
            nodes[slot] = new
        return nodes[slot]

    calls = []
    for launch, slots in launches:
        arguments = launch.call.src[1:]
        if any(a.is_bound_var for a in arguments) or launch.call.src[0].arg.globals != tuple(range(len(arguments))):
            return None
        buffers = [node(slot, a) for slot, a in zip(slots, arguments, strict=True)]
        calls.append(launch.call.replace(src=(launch.call.src[0], *buffers)))
    if not all(graph_class(opened).supports_uop([opened], call) for call in calls):
        return None
    linear = UOp(Ops.CUSTOM_FUNCTION, src=(UOp(Ops.LINEAR, src=tuple(calls)),), arg="graph")
    try:
        graph = opened.graph(linear, input_uops=tuple(map(HeldLaunch, held)))
    except Exception:  # whatever the driver reports, separate launches do the same
        return None
    return lambda buffers: graph(tuple(map(HeldLaunch, buffers)), {})
