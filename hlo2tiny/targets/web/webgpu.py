"""A plan's commands for WebGPU: dispatches of shaders and copies between bindings, in loops.

A binding is part of a memory: of the arena, an argument, a result or a constant. All are known when the plan is
compiled, so a page creates its bindings once. Control flow stays on the GPU. A loop of unknown length and a branch have
*gates*: words of a buffer that say how many groups each dispatch under them has, none while the gate is closed. Many
iterations of a loop are encoded at once, and those after its end do nothing. Only a loop inside such a loop, or inside
a branch, has its condition read back.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cache, partial
from math import prod
from typing import Any

import numpy as np

from ...errors import InputError, UnsupportedOp
from ...ir import Op, Type, error_at
from ...ir.dtypes import expect_tensor
from ...ir.module import Module, find_doubles
from ...ir.place import Place
from ...ir.sizes import upper_bound
from ...plan.commands import (
    Branch,
    Carry,
    Command,
    CommandList,
    Copy,
    Exchange,
    HostCall,
    Invoke,
    Launch,
    Library,
    Loop,
    Site,
    inner_lists,
)
from ...plan.fourier import Transform
from ...plan.lower import Choice, Chooser, PlanLowering
from ...plan.plan import Attention, Convolution, Fourier, Gemm, Host, Kernels, Lapack, Plan, Step
from ...records import dataclass
from ...rules.control import chooses_by_boolean
from ...tinygrad.buffers import buffer_layout
from .. import HostFunction, Progress
from .render import ShaderKernel, render_region
from .shaders import Gate, Shader, WorkGroups, convolution_shader, copy_shader, product_shader, stage_shader, stages_of

# Every device can bind buffers at multiples of this.
ALIGNMENT = 256


@dataclass(frozen=True)
class Binding:
    """Part of a memory. `memory` is 0 for the arena, then come the arguments, the results and the constants."""

    memory: int
    offset: int
    size: int


ARENA, GATES, FIRST = 0, 1, 2
# A command of a page, as JSON; see `Flattener`.
PageCommand = list[Any]


@dataclass
class Commands:
    """What a plan does, as JSON, and the memories that it needs.

    Attributes:
        arena, gates: the sizes of these memories in bytes.
        shaders: texts, each with the location in the model that it computes, how it accesses each binding (r or w),
            and, if that differs, the text for adapters with shader-f16.
        places: the memories, offsets and sizes of bindings, to which commands refer by number.
        commands: what to do; see `Flattener`.
        constants: the constants, whose memories are numbered in this order.
        bindings: the most bindings that a shader has.
    """

    arena: int
    gates: int
    shaders: list[tuple[str, ...]]
    places: list[tuple[int, int, int]]
    commands: list[PageCommand]
    constants: list[np.ndarray]
    bindings: int


@dataclass(frozen=True)
class Dispatch:
    """A dispatch of a shader that a gate governs, before it is known where the gate's words are."""

    shader: int
    places: tuple[int, ...]
    gate: Gate
    slot: int


def open_device(device: str | None) -> str:
    """See `Compiler`. No Python process has such a device: a page runs what is compiled for it."""
    raise InputError(f"{device} is a page in a browser, which `hlo2tiny compile FILE --target web -o FOLDER` writes")


def compile(
    plan: Plan, device: str, custom_calls: Mapping[str, HostFunction], progress: Progress, threads: int
) -> Commands:
    """The commands of a page."""
    return Flattener(plan).flatten()


def expect_types(module: Module) -> None:
    """Raise UnsupportedOp if a program computes in f64, which WebGPU does not have."""
    for op, type in find_doubles(module.walk()):
        raise error_at(op, f"{type}: WebGPU has no f64; the page runs WebAssembly", UnsupportedOp)


def align_size(size: int) -> int:
    return -(-upper_bound([1, size]) // ALIGNMENT) * ALIGNMENT


def size_of_lines(transform: Transform) -> int:
    """The bytes of what a stage of a transform writes: complex numbers of 8 bytes."""
    return align_size(8 * max((v.count * max(v.length, v.before, v.after) for v in transform.lines), default=0))


def origin_of(op: Op) -> str:
    """What a page's errors say about a shader: the op, and its location in the model."""
    return f"{op.name} ({op.location.name or f'line {op.location.line}'})" if op.location else op.name


@cache
def shader_of(step: Gemm | Convolution) -> Shader | None:
    """The shader of a product or a convolution that is written by hand, if there is one for its types and layouts."""
    return product_shader(step.product) if isinstance(step, Gemm) else convolution_shader(step.windows)


class Flattener(Chooser):
    """Flattens a plan to commands.

    ["run", shader, places, x, y, z]: dispatch this many groups.
    ["gated", shader, places, offset]: dispatch as many groups as the gates have at this offset.
    ["copy", from, to, size]: copy bytes between places.
    ["repeat", iterations, even, odd]: run the first commands in even iterations, the others in odd ones.
    ["loop", offset, begin, even, odd, end]: repeat until the flag at this offset of the gates is 0.
    ["until", place, even, even body, odd, odd body, end]: repeat until the byte at `place`, which is read back after
    the condition, is 0; `end` is run after an odd number of iterations.
    ["choose", place, whether it is a boolean, branches]: read back the number at `place`, and run a branch.
    """

    def __init__(self, plan: Plan) -> None:
        self.plan, self.lowering = plan, PlanLowering(plan, self)
        self.texts: dict[str, int] = {}
        self.gate_shaders: list[tuple[int, Callable[[], str]]] = []
        self.about: list[tuple[str, ...]] = []
        self.bound: dict[Binding, int] = {}
        self.gates: list[Gate] = []
        self.most_bindings = 0
        self.in_place = self.lowering.in_place
        main = plan.main
        self.first_constant = FIRST + main.inputs + len(main.outputs)
        self.constants = [array for block in plan.blocks() for _, array in block.constants]
        self.arrays: dict[object, np.ndarray] = {}  # those that are used
        self.fixed = {FIRST + n for n in range(main.inputs) if n not in self.in_place.values()}

    def flatten(self) -> Commands:
        main = self.plan.main
        site = Site(
            [Place("argument", n) for n in range(main.inputs)],
            [None if i in self.in_place else Place("result", i) for i in range(len(main.outputs))],
        )
        lowered = self.lowering.lower()
        commands = self.emit(lowered, site, None)
        words = 0
        for gate in self.gates:
            gate.begin, words = words, words + gate.words
        shaders = list(self.texts)
        for number, text in self.gate_shaders:
            shaders[number] = text()
        places = [(b.memory, b.offset, b.size) for b in self.bound]
        listed = [self.resolve_command(command) for command in commands]
        texts = [(text, *about) for text, about in zip(shaders, self.about)]
        arrays = list(self.arrays.values())
        return Commands(lowered.total, 4 * words, texts, places, listed, arrays, self.most_bindings)

    def resolve_command(self, command: Any) -> Any:
        """A command with the offsets of gates, which are known once all of them are."""
        match command:
            case Dispatch():
                return ["gated", command.shader, list(command.places), command.gate.offset(command.slot)]
            case Gate():
                return 4 * command.begin
            case list():
                return [self.resolve_command(part) for part in command]
        return command

    # ---------------------------------------------------------------- commands

    def bind(self, binding: Binding) -> int:
        return self.bound.setdefault(binding, len(self.bound))

    def binding(self, place: Place, size: int) -> Binding:
        """What a shader binds for a place."""
        match place.kind:
            case "argument":
                return Binding(FIRST + place.number, 0, size)
            case "result":
                return Binding(FIRST + self.plan.main.inputs + place.number, 0, size)
            case "constant":
                return self.constant(("constant", place.number), self.constants[place.number], size)
        return Binding(ARENA, place.number, size)

    def constant(self, key: object, array: np.ndarray, size: int) -> Binding:
        """The binding of a constant, whose key distinguishes it from others."""
        self.arrays.setdefault(key, array)
        return Binding(self.first_constant + list(self.arrays).index(key), 0, size)

    def is_fixed(self, binding: Binding) -> bool:
        """Whether a shader can only read a binding: no part of a memory is both written and bound to be read only."""
        return binding.memory in self.fixed or binding.memory >= self.first_constant

    def dispatch(
        self, text: str, bindings: Sequence[Binding], groups: WorkGroups, gate: Gate | None, origin: str, *half: str
    ) -> Any:
        if text not in self.texts:
            self.texts[text] = len(self.texts)
            self.about.append((origin, "".join("r" if self.is_fixed(each) else "w" for each in bindings), *half))
        self.most_bindings = max(self.most_bindings, len(bindings))
        shader, numbers = self.texts[text], tuple(map(self.bind, bindings))
        if gate is None:
            return ["run", shader, list(numbers), *groups]
        return Dispatch(shader, numbers, gate, gate.slot(groups))

    def written(self, shader: Shader, bindings: Sequence[Binding], gate: Gate | None, origin: str) -> Any:
        """The dispatch of a shader that is written by hand; the first binding is its result."""
        fixed = [*map(self.is_fixed, bindings)]
        half = [shader.half.declare(fixed)] if shader.half else []
        return self.dispatch(shader.declare(fixed), bindings, shader.groups, gate, origin, *half)

    def copy(self, source: Place, target: Place, size: int, gate: Gate | None) -> Iterator[Any]:
        if source == target:
            return
        begin, end = self.binding(source, size), self.binding(target, size)
        if gate is None and begin.memory != end.memory:  # WebGPU copies only from one buffer to another
            yield ["copy", self.bind(begin), self.bind(end), size]
        else:
            yield self.written(copy_shader(size), [end, begin], gate, "copy")

    def open_gate(self, gate: Gate, condition: Callable[[], str], iterations: str, value: Binding | None = None) -> Any:
        """The dispatch that sets a gate. It has a text of its own, which is known once all gates are known."""
        number = len(self.gate_shaders)
        bindings = [Binding(GATES, 0, 0), *([value] if value else [])]
        command = self.dispatch(f"gate {number}", bindings, (1, 1, 1), None, "control flow")
        fixed = [*map(self.is_fixed, bindings)]
        self.gate_shaders.append((command[1], lambda: gate.shader(condition(), iterations).declare(fixed)))
        return command

    def new_gate(self, parent: Gate | None) -> Gate:
        self.gates.append(Gate(parent))
        return self.gates[-1]

    # ---------------------------------------------------------------- what lowering asks

    def size_of(self, type: Type) -> int:
        shape, dtype = buffer_layout(expect_tensor(type))
        return align_size(prod(shape) * dtype.itemsize)

    def choose(self, step: Step) -> Choice:
        match step:
            case Gemm() | Convolution() if shader_of(step) is not None:
                return Choice("library")
            case Fourier():
                return Choice("library", [size_of_lines(step.transform)] * 2)
            case Kernels() | Gemm() | Convolution() | Attention():
                region = step if isinstance(step, Kernels) else step.region
                return Choice(region, [*map(align_size, render_region(region).temporaries)])
            case Host() | Lapack():
                cure = "the page runs WebAssembly, or compute this part outside the exported function"
                raise error_at(step.op, f"this runs on the processor, which WebGPU cannot call; {cure}", UnsupportedOp)
        raise error_at(step.op, "WebGPU has no shader for this step", UnsupportedOp)

    # ---------------------------------------------------------------- command lists

    def emit(self, commands: CommandList, site: Site, gate: Gate | None) -> list[Any]:
        """The commands of a list, which run while a gate is open."""
        return [each for command in commands.commands for each in self.command(command, commands, site, gate)]

    def command(self, command: Command, commands: CommandList, site: Site, gate: Gate | None) -> Iterator[Any]:
        match command:
            case Copy():
                yield from self.copy(site.place(command.source), site.place(command.target), command.size, gate)
            case Launch():
                origin, bindings = origin_of(command.step.op), self.bindings(command, site)
                for kernel in render_region(command.region).kernels:
                    yield self.kernel(kernel, [bindings[n] for n in kernel.numbers], gate, origin)
            case Library(step=Fourier()):
                yield from self.transform(command, site, gate)
            case Library(step=Gemm() | Convolution() as step):
                shader = shader_of(step)
                assert shader is not None
                *operands, result = self.bindings(command, site)
                yield self.written(shader, [result, *operands], gate, origin_of(step.op))
            case Invoke():
                inner = site.inner(commands, command.arguments, command.results)
                yield from self.emit(command.callee, inner, gate)
            case Branch():
                yield from self.branches(command, site.inner(commands, command.arguments, command.results), site, gate)
            case Loop():
                yield from self.loop(command, site, site.base + commands.size, gate)
            case Exchange() | HostCall() | Library():
                raise error_at(command.step.op, "WebGPU has no shader for this step", UnsupportedOp)

    def bindings(self, command: Launch | Library, site: Site) -> list[Binding]:
        return [*map(self.binding, site.places(command.places), command.sizes)]

    def kernel(self, kernel: ShaderKernel, bindings: Sequence[Binding], gate: Gate | None, origin: str) -> Any:
        distinct = list(dict.fromkeys(bindings))
        shader = kernel.shader([distinct.index(each) for each in bindings], [*map(self.is_fixed, distinct)])
        return self.dispatch(shader, distinct, kernel.groups, gate, origin)

    def transform(self, command: Library, site: Site, gate: Gate | None) -> Iterator[Any]:
        """The stages of a Fourier transform, each of which reads what the one before it wrote."""
        step = command.step
        assert isinstance(step, Fourier)
        t, last = step.transform, len(step.inputs)  # the tables of the plan are for targets/c
        places = [(site.place(command.places[n]), command.sizes[n]) for n in (0, last, last + 1, last + 2)]
        source, result, *between = [self.binding(place, size) for place, size in places]
        shaders = [
            (stage_shader(v, stage, t.inverse), v.length) for v in t.lines for stage in range(len(stages_of(v.length)))
        ]
        for i, (shader, length) in enumerate(shaders):
            target = result if i == len(shaders) - 1 else between[i % 2]
            iterations = np.exp(-2j * np.pi * np.arange(length) / length).astype(np.complex64)
            table = self.constant(length, iterations, align_size(iterations.nbytes))
            yield self.written(shader, [target, source, table], gate, origin_of(step.op))
            source = target

    def branches(self, command: Branch, inner: Site, site: Site, gate: Gate | None) -> Iterator[Any]:
        step, last, boolean = command.step, len(command.branches) - 1, chooses_by_boolean(command.step.op)
        index = self.binding(site.place(command.index), ALIGNMENT)
        if not all(map(self.is_encodable, command.branches)):
            branches = [self.emit(branch, inner, None) for branch in command.branches]
            yield ["choose", self.bind(index), int(boolean), branches]
            return
        # All gates are set first: a branch may write to the memory of the index.
        gates = [self.new_gate(gate) for _ in step.branches]
        bodies = [self.emit(branch, inner, each) for branch, each in zip(command.branches, gates)]
        for i, each in enumerate(gates):
            chosen = "select(1u, 0u, (values[0] & 255u) != 0u)" if boolean else f"min(values[0], {last}u)"
            yield self.open_gate(each, partial("{} == {}u".format, chosen, i), "0u", index)
        for body in bodies:
            yield from body

    def is_encodable(self, commands: CommandList) -> bool:
        """Whether a list's commands are known before it runs: it has no loop of unknown length."""
        return all(
            not (isinstance(command, Loop) and command.step.trip_count is None)
            and all(map(self.is_encodable, inner_lists(command)))
            for command in commands.commands
        )

    def loop(self, command: Loop, site: Site, base: int, gate: Gate | None) -> Iterator[Any]:
        """An iteration reads the carries in one of two sets of buffers, and writes the next ones to the other set."""
        step, carries = command.step, command.carries
        first = dict(enumerate(site.places(command.arguments)))
        for c in carries:
            yield from self.copy(first[c.number], site.place(c.first), c.size, gate)
            first[c.number] = site.carried[c.value] = site.place(c.first)
        second = {**first, **{c.number: site.place(c.second) for c in carries}}
        sides = first, second
        predicate = site.place(command.predicate)
        flag = self.binding(predicate, ALIGNMENT)

        def iteration(side: int, inner: Gate | None) -> list[Any]:
            results = [sides[1 - side][i] for i in range(len(step.carries))]
            return self.emit(command.body, Site([*sides[side].values()], results, base), inner)

        def condition(side: int, inner: Gate | None) -> list[Any]:
            return self.emit(command.condition, Site([*sides[side].values()], [predicate], base), inner)

        def both(part: Callable[[int], list[Any]]) -> list[list[Any]]:
            even = part(0)
            return [even, part(1) if carries else even]

        def back(inner: Gate | None, which: Iterable[Carry] = carries) -> list[Any]:
            moves = ((second[c.number], first[c.number], c.size) for c in which)
            return [each for move in moves for each in self.copy(*move, inner)]

        if step.trip_count is not None:
            if step.trip_count:
                yield ["repeat", step.trip_count, *both(lambda side: iteration(side, gate))]
                if step.trip_count % 2:
                    yield from back(gate, [c for c in carries if c.settled])
                    site.carried |= {c.value: second[c.number] for c in carries if not c.settled}
            return
        if not (self.is_encodable(command.body) and self.is_encodable(command.condition)):
            even, odd = ([condition(side, None), iteration(side, None)] for side in (0, 1))
            yield ["until", self.bind(flag), *even, *odd, back(None)]
            return
        own, odd_end = self.new_gate(None), self.new_gate(None)

        def goes_on() -> str:
            return f"gates[{own.begin}] != 0u && (values[0] & 255u) != 0u"

        iterations = both(
            lambda side: [
                *condition(side, own),
                self.open_gate(own, goes_on, "iterations + u32(open)", flag),
                *iteration(side, own),
            ]
        )
        end = back(odd_end)
        ending = [self.open_gate(odd_end, lambda: f"(gates[{own.begin + 1}] & 1u) != 0u", "0u"), *end] if end else []
        yield ["loop", own, [self.open_gate(own, lambda: "true", "0u")], *iterations, ending]
