"""Kernels compiled for a device of tinygrad's, and launched on it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from tinygrad import Device
from tinygrad.codegen import do_to_program, to_program_key
from tinygrad.device import Buffer
from tinygrad.dtype import DType
from tinygrad.engine.jit import graph_class
from tinygrad.engine.realize import compile_linear, get_runtime, pm_beam
from tinygrad.helpers import BEAM, Context
from tinygrad.renderer import Renderer
from tinygrad.uop.ops import Ops, UOp, graph_rewrite

from .render import exact_renderer
from .schedule import Schedule


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


# tinygrad has such a table too. What is compiled with our flags is not for a user's kernels, though they be the same.
_programs: dict[Any, UOp] = {}


def program_of(kernel: UOp, renderer: Renderer) -> UOp:
    """A kernel in a renderer's language, compiled."""
    key = to_program_key(kernel, renderer)
    if key not in _programs:
        _programs[key] = do_to_program(kernel, renderer)
    return _programs[key]


def compiled(schedule: Schedule, device: str) -> tuple[tuple[Launch, ...], tuple[tuple[int, DType], ...]]:
    """The launches of a schedule's kernels on an open device, and the sizes and dtypes of its temporaries."""
    with Context(TUPLE_ORDER=0):
        linear, renderer = schedule.linear, exact_renderer(Device[device].renderer)
        if BEAM >= 1:
            linear = graph_rewrite(linear, pm_beam, ctx=BEAM.value, walk=True)
        for call in linear.src:
            if call.src[0].op is not Ops.SINK:
                raise NotImplementedError(f"a schedule step of kind {call.src[0].op}")
        calls = [call.replace(src=(program_of(call.src[0], renderer), *call.src[1:])) for call in linear.src]
        calls = compile_linear(linear.replace(src=tuple(calls))).src
    taken, temporaries = schedule.numbered(calls)
    launches = []
    for call, buffers in zip(calls, taken):
        program = call.src[0]
        global_size, local_size = program.arg.launch_dims({})
        runtime, numbers = get_runtime(device, program), program.arg.vals({})
        launches.append(Launch(call, runtime, buffers, global_size, local_size, numbers))
    return tuple(launches), temporaries


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
