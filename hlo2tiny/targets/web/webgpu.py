"""A plan as commands for WebGPU: dispatches of shaders and copies between places, in loops.

A place is a part of a memory: of the arena, an argument, a result or a constant. All places are known when the plan is
compiled, so a page makes its bindings once. Control flow stays on the GPU. A loop of unknown length and a choice have
*gates*: words of a buffer that hold how many groups each dispatch under it has, none while the gate is closed. A loop
encodes many turns at once, of which those after its end do nothing. Only a loop inside such a loop, or inside a choice,
has its condition read back.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, partial
from math import prod
from typing import Any

import numpy as np

from ...errors import UnsupportedOp
from ...ir import ComplexType, Op, ScalarType, TensorType, Type, about, error_at, walk
from ...ir.dtypes import expect_tensor
from ...ir.module import Module
from ...plan.aliasing import AliasAnalysis
from ...plan.fourier import Transform
from ...plan.memory import Frame, lay_out
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
from ...rules.control import chooses_by_boolean
from ...tinygrad.buffers import buffer_layout
from .render import RenderedKernel, render_region
from .shaders import Gate, Groups, Shader, convolution_shader, copy_shader, product_shader, stage_shader, stages_of

# Every device can bind buffers at multiples of this.
ALIGNMENT = 256


@dataclass(frozen=True)
class Place:
    """Part of a memory. `memory` is 0 for the arena, then come the arguments, the results and the constants."""

    memory: int
    offset: int
    size: int


DOUBLES = (ScalarType("f64"), ComplexType(ScalarType("f64")))
ARENA, GATES, FIRST = 0, 1, 2
# A command of a page, as JSON; see `Flattener`.
Command = list[Any]


@dataclass
class Commands:
    """What a plan does, as JSON, and the memories that it needs.

    Attributes:
        arena, gates: the sizes of these memories in bytes.
        shaders: texts, each with the place in the model that it computes, how it accesses each binding (r or w), and,
            if that differs, the text for adapters with shader-f16.
        places: memories, offsets and sizes, to which commands refer by number.
        commands: what to do; see `Flattener`.
        constants: the constants, whose memories are numbered in this order.
        bindings: the most places that a shader binds.
    """

    arena: int
    gates: int
    shaders: list[tuple[str, ...]]
    places: list[tuple[int, int, int]]
    commands: list[Command]
    constants: list[np.ndarray]
    bindings: int


@dataclass(frozen=True)
class Dispatch:
    """A dispatch of a shader that a gate governs, before it is known where the gate's words are."""

    shader: int
    places: tuple[int, ...]
    gate: Gate
    slot: int


def expect_types(module: Module) -> None:
    """Raise UnsupportedOp if a program computes in f64, which WebGPU does not have."""
    for function in module.functions.values():
        for op in walk(function.body) if function.body is not None else ():
            for value in (*op.operands, *op.results):
                if isinstance(value.type, TensorType) and value.type.element in DOUBLES:
                    raise error_at(op, f"{value.type}: WebGPU has no f64; the page runs WebAssembly", UnsupportedOp)


def size_of(type: Type) -> int:
    """The bytes of a buffer, to the next multiple of the alignment."""
    shape, dtype = buffer_layout(expect_tensor(type))
    return align_size(prod(shape) * dtype.itemsize)


def align_size(size: int) -> int:
    return -(-max(1, size) // ALIGNMENT) * ALIGNMENT


def size_of_lines(transform: Transform) -> int:
    """The bytes of what a stage of a transform writes: complex numbers of 8 bytes."""
    return align_size(8 * max((v.count * max(v.length, v.before, v.after) for v in transform.lines), default=0))


def origin_of(op: Op) -> str:
    """What errors of a page say about a shader: the op, and its place in the model."""
    return f"{op.name} ({op.location.name or f'line {op.location.line}'})" if op.location else op.name


@cache
def shader_of(step: Gemm | Convolution) -> Shader | None:
    """The shader of a product or a convolution that is written by hand, if there is one for its types and layouts."""
    return product_shader(step.product) if isinstance(step, Gemm) else convolution_shader(step.windows)


class Flattener:
    """Flattens a plan to commands.

    ["run", shader, places, x, y, z]: dispatch so many groups.
    ["gated", shader, places, offset]: dispatch as many groups as the gates have at this offset.
    ["copy", from, to, size]: copy bytes between places.
    ["repeat", turns, even, odd]: run the first commands in even turns, the others in odd ones.
    ["loop", offset, begin, even, odd, end]: repeat until the flag at this offset of the gates is 0.
    ["until", place, even, even body, odd, odd body, end]: repeat until the place, which is read back after the
        condition, is 0; `end` is run after an odd number of turns.
    ["choose", place, whether it is a boolean, branches]: read the place back, and run a branch.
    """

    def __init__(self, plan: Plan) -> None:
        self.plan, self.analysis = plan, AliasAnalysis(plan)
        self.sizes = {block: list(map(size_of, block.types)) for block in plan.blocks()}
        self.texts: dict[str, int] = {}
        self.gate_shaders: list[tuple[int, Callable[[], str]]] = []
        self.about: list[tuple[str, ...]] = []
        self.places: dict[Place, int] = {}
        self.gates: list[Gate] = []
        self.arena = self.bindings = 0
        self.frames: dict[tuple[Block, tuple[tuple[int, int], ...]], Frame] = {}
        self.in_place = self.analysis.in_place_of_main()
        main = plan.main
        self.first_constant = FIRST + main.inputs + len(main.outputs)
        self.arrays: dict[object, np.ndarray] = {}  # those that are used
        self.fixed = {FIRST + n for n in range(main.inputs) if n not in self.in_place.values()}

    def flatten(self) -> Commands:
        main = self.plan.main
        sizes = self.sizes[main]
        inputs = [Place(FIRST + n, 0, sizes[n]) for n in range(main.inputs)]
        outputs = [
            inputs[self.in_place[i]] if i in self.in_place else Place(FIRST + main.inputs + i, 0, sizes[n])
            for i, n in enumerate(main.outputs)
        ]
        commands = self.block(main, inputs, outputs, 0, self.in_place, None)
        words = 0
        for gate in self.gates:
            gate.begin, words = words, words + gate.words
        shaders = list(self.texts)
        for number, text in self.gate_shaders:
            shaders[number] = text()
        places = [(p.memory, p.offset, p.size) for p in self.places]
        listed = [self.resolve_command(command) for command in commands]
        texts = [(text, *about) for text, about in zip(shaders, self.about)]
        return Commands(self.arena, 4 * words, texts, places, listed, list(self.arrays.values()), self.bindings)

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

    def place(self, place: Place) -> int:
        return self.places.setdefault(place, len(self.places))

    def constant(self, key: object, array: np.ndarray, size: int) -> Place:
        """The place of a constant, whose key tells it from others."""
        self.arrays.setdefault(key, array)
        return Place(self.first_constant + list(self.arrays).index(key), 0, size)

    def is_fixed(self, place: Place) -> bool:
        """Whether a shader can only read a place: what is bound to be written may not be bound to be read, too."""
        return place.memory in self.fixed or place.memory >= self.first_constant

    def dispatch(
        self, text: str, places: Sequence[Place], groups: Groups, gate: Gate | None, origin: str, *half: str
    ) -> Any:
        if text not in self.texts:
            self.texts[text] = len(self.texts)
            self.about.append((origin, "".join("r" if self.is_fixed(place) else "w" for place in places), *half))
        self.bindings = max(self.bindings, len(places))
        shader, numbers = self.texts[text], tuple(map(self.place, places))
        if gate is None:
            return ["run", shader, list(numbers), *groups]
        return Dispatch(shader, numbers, gate, gate.slot(groups))

    def written(self, shader: Shader, places: Sequence[Place], gate: Gate | None, origin: str) -> Any:
        """The dispatch of a shader that is written by hand; the first place is its result."""
        fixed = [*map(self.is_fixed, places)]
        half = [shader.half.declare(fixed)] if shader.half else []
        return self.dispatch(shader.declare(fixed), places, shader.groups, gate, origin, *half)

    def copy(self, source: Place, target: Place, gate: Gate | None) -> Iterator[Any]:
        if source == target:
            return
        if gate is None and source.memory != target.memory:  # WebGPU copies only from one buffer to another
            yield ["copy", self.place(source), self.place(target), target.size]
        else:
            yield self.written(copy_shader(target.size), [target, source], gate, "copy")

    def open_gate(self, gate: Gate, condition: Callable[[], str], turns: str, value: Place | None = None) -> Any:
        """The dispatch that sets a gate. It has a text of its own, which is known once all gates are."""
        number = len(self.gate_shaders)
        places = [Place(GATES, 0, 0), *([value] if value else [])]
        command = self.dispatch(f"gate {number}", places, (1, 1, 1), None, "control flow")
        fixed = [*map(self.is_fixed, places)]
        self.gate_shaders.append((command[1], lambda: gate.shader(condition(), turns).declare(fixed)))
        return command

    def new_gate(self, parent: Gate | None) -> Gate:
        self.gates.append(Gate(parent))
        return self.gates[-1]

    # ---------------------------------------------------------------- blocks

    def frame(self, block: Block, in_place: Mapping[int, int]) -> Frame:
        key = block, tuple(sorted(in_place.items()))
        if key not in self.frames:
            temporaries = {}
            for index, step in enumerate(block.steps):
                with about(step.op):
                    temporaries[index] = [*map(align_size, self.working(step))]
            self.frames[key] = lay_out(block, self.sizes[block], temporaries, in_place, self.analysis)
        return self.frames[key]

    def read(self, step: Step) -> Sequence[int]:
        """The buffers that a step reads; a Fourier transform has tables of its own."""
        return step.inputs[:1] if isinstance(step, Fourier) else step.reads

    def working(self, step: Step) -> Sequence[int]:
        """The sizes of the temporary memory that a step needs."""
        if isinstance(step, Fourier):
            return [size_of_lines(step.transform)] * 2
        region = self.region(step)
        return render_region(region).temporaries if region else ()

    def region(self, step: Step) -> Kernels | None:
        """The region whose kernels compute a step, if it has no shader that is written by hand."""
        if isinstance(step, Gemm | Convolution):
            return None if shader_of(step) else step.region
        if isinstance(step, Attention):
            return step.region
        return step if isinstance(step, Kernels) else None

    def block(
        self,
        block: Block,
        inputs: Sequence[Place],
        outputs: Sequence[Place],
        base: int,
        in_place: Mapping[int, int],
        gate: Gate | None,
    ) -> list[Any]:
        """The commands of a block whose arguments and results have these places, and whose frame begins at `base`."""
        aliasing, frame, sizes = self.analysis.of(block, in_place), self.frame(block, in_place), self.sizes[block]
        end = base + frame.size
        self.arena = max(self.arena, end + ALIGNMENT * len(frame.small))

        def place(offset: int, size: int) -> Place:
            # Only the conditions of loops are small.
            at = base + offset if offset >= 0 else end + ALIGNMENT * (-1 - offset)
            return Place(ARENA, at, align_size(size))

        held = dict(enumerate(inputs))
        used = {aliasing.memory[n] for step in block.steps for n in self.read(step)} | {
            *map(aliasing.memory.get, block.outputs)
        }
        held |= {n: self.constant((block, n), array, sizes[n]) for n, array in block.constants if n in used}
        held |= {n: place(offset, sizes[n]) for n, offset in frame.offsets.items()}
        held |= {n: outputs[i] for n, i in frame.direct.items()}
        values = {n: held[memory] for n, memory in aliasing.memory.items() if memory in held}
        inner = end + ALIGNMENT * len(frame.small)
        commands: list[Any] = []
        for index, step in enumerate(block.steps):
            for pair in self.analysis.aliases(step):
                if pair in aliasing.copied[index]:
                    commands += self.copy(values[pair.operand], values[pair.result], gate)
                else:
                    values[pair.result] = values[pair.operand]
            with about(step.op):
                if isinstance(step, While):
                    loop = frame.loops[index]
                    predicate = place(loop.predicate, ALIGNMENT)
                    second = {i: place(at, sizes[step.outputs[i]]) for i, at in loop.carries.items()}
                    commands += self.loop(step, values, predicate, second, inner, gate)
                    for n in step.outputs:
                        if frame.direct.get(aliasing.memory[n]) is None or values[n] == held[aliasing.memory[n]]:
                            continue
                        commands += self.copy(values[n], held[aliasing.memory[n]], gate)
                        values[n] = held[aliasing.memory[n]]
                else:
                    temporaries = [place(*each) for each in zip(frame.temporaries[index], self.working(step))]
                    commands += self.step(step, values, temporaries, inner, gate)
        for i, n in enumerate(block.outputs):
            if i not in in_place and frame.direct.get(aliasing.memory[n]) != i:
                commands += self.copy(values[n], outputs[i], gate)
        return commands

    def step(
        self, step: Step, values: Mapping[int, Place], temporaries: Sequence[Place], base: int, gate: Gate | None
    ) -> Iterator[Any]:
        region = self.region(step)
        origin = origin_of(step.op)
        if region is not None:
            numbers = (*self.analysis.arguments(region), *region.outputs)
            buffers = [*(values[n] for n in numbers), *temporaries]
            for kernel in render_region(region).kernels:
                yield self.kernel(kernel, [buffers[n] for n in kernel.numbers], gate, origin)
            return
        match step:
            case Gemm() | Convolution():
                shader = shader_of(step)
                assert shader is not None
                yield self.written(shader, [values[n] for n in (*step.outputs, *step.inputs)], gate, origin)
            case Fourier():
                yield from self.transform(step, values, temporaries, gate, origin)
            case Case():
                yield from self.branches(step, values, base, gate)
            case Call():
                arguments = [values[n] for n in self.analysis.arguments(step)]
                results = [values[n] for n in step.outputs]
                function = self.plan.functions[step.name]
                yield from self.block(function, arguments, results, base, self.analysis.in_place(step), gate)
            case Host() | Lapack():
                cure = "the page runs WebAssembly, or compute this part outside the exported function"
                raise error_at(step.op, f"this runs on the processor, which WebGPU cannot call; {cure}", UnsupportedOp)
            case _:
                raise error_at(step.op, "WebGPU has no shader for this step", UnsupportedOp)

    def kernel(self, kernel: RenderedKernel, places: Sequence[Place], gate: Gate | None, origin: str) -> Any:
        distinct = list(dict.fromkeys(places))
        shader = kernel.shader([distinct.index(place) for place in places], [*map(self.is_fixed, distinct)])
        return self.dispatch(shader, distinct, kernel.groups, gate, origin)

    def transform(
        self, step: Fourier, values: Mapping[int, Place], between: Sequence[Place], gate: Gate | None, origin: str
    ) -> Iterator[Any]:
        """The stages of a Fourier transform, each of which reads what the one before it wrote."""
        t, source = step.transform, values[step.inputs[0]]
        shaders = [
            (stage_shader(v, stage, t.inverse), v.length) for v in t.lines for stage in range(len(stages_of(v.length)))
        ]
        for i, (shader, length) in enumerate(shaders):
            target = values[step.outputs[0]] if i == len(shaders) - 1 else between[i % 2]
            turns = np.exp(-2j * np.pi * np.arange(length) / length).astype(np.complex64)
            table = self.constant(length, turns, align_size(turns.nbytes))
            yield self.written(shader, [target, source, table], gate, origin)
            source = target

    def branches(self, step: Case, values: Mapping[int, Place], base: int, gate: Gate | None) -> Iterator[Any]:
        in_place, last = self.analysis.in_place(step), len(step.branches) - 1
        arguments = [values[n] for n in self.analysis.arguments(step)]
        results, boolean = [values[n] for n in step.outputs], chooses_by_boolean(step.op)
        if not all(map(self.is_encodable, step.branches)):
            branches = [self.block(b, arguments, results, base, in_place, None) for b in step.branches]
            yield ["choose", self.place(values[step.index]), int(boolean), branches]
            return
        # All gates are set first: a branch may write to the memory of the index.
        gates = [self.new_gate(gate) for _ in step.branches]
        bodies = [self.block(b, arguments, results, base, in_place, g) for b, g in zip(step.branches, gates)]
        for i, each in enumerate(gates):
            chosen = "select(1u, 0u, (values[0] & 255u) != 0u)" if boolean else f"min(values[0], {last}u)"
            yield self.open_gate(each, partial("{} == {}u".format, chosen, i), "0u", values[step.index])
        for body in bodies:
            yield from body

    def is_encodable(self, block: Block) -> bool:
        """Whether a block's commands are known before it runs: it has no loop of unknown length."""
        return all(
            not (isinstance(step, While) and step.trip_count is None)
            and not (isinstance(step, Call) and not self.is_encodable(self.plan.functions[step.name]))
            for step in block.walk()
        )

    def loop(
        self,
        step: While,
        values: dict[int, Place],
        predicate: Place,
        second: Mapping[int, Place],
        base: int,
        gate: Gate | None,
    ) -> Iterator[Any]:
        """A turn reads the carries in one of two sets of places, and writes the next ones to the other set."""
        in_place = self.analysis.in_place(step)
        arguments = [values[n] for n in self.analysis.arguments(step)]
        changing = [i for i in range(len(step.carries)) if i not in in_place]
        first = {i: values[step.outputs[i]] for i in changing}
        sides = [{**dict(enumerate(arguments)), **{i: side[i] for i in changing}} for side in (first, second)]
        for i in changing:
            yield from self.copy(arguments[i], first[i], gate)

        def turn(side: int, inner: Gate | None) -> list[Any]:
            inputs, outputs = list(sides[side].values()), [sides[1 - side][i] for i in range(len(step.carries))]
            return self.block(step.body, inputs, outputs, base, in_place, inner)

        def condition(side: int, inner: Gate | None) -> list[Any]:
            return self.block(step.condition, list(sides[side].values()), [predicate], base, {}, inner)

        def both(part: Callable[[int], list[Any]]) -> list[list[Any]]:
            even = part(0)
            return [even, part(1) if changing else even]

        def back(inner: Gate | None) -> list[Any]:
            return [command for i in changing for command in self.copy(second[i], first[i], inner)]

        if step.trip_count is not None:
            if step.trip_count:
                yield ["repeat", step.trip_count, *both(lambda side: turn(side, gate))]
                if step.trip_count % 2:
                    values.update((step.outputs[i], second[i]) for i in changing)
            return
        if not (self.is_encodable(step.body) and self.is_encodable(step.condition)):
            even, odd = ([condition(side, None), turn(side, None)] for side in (0, 1))
            yield ["until", self.place(predicate), *even, *odd, back(None)]
            return
        own, odd_end = self.new_gate(None), self.new_gate(None)

        def goes_on() -> str:
            return f"gates[{own.begin}] != 0u && (values[0] & 255u) != 0u"

        turns = both(
            lambda side: [
                *condition(side, own),
                self.open_gate(own, goes_on, "turns + u32(open)", predicate),
                *turn(side, own),
            ]
        )
        end = back(odd_end)
        ending = [self.open_gate(odd_end, lambda: f"(gates[{own.begin + 1}] & 1u) != 0u", "0u"), *end] if end else []
        yield ["loop", own, [self.open_gate(own, lambda: "true", "0u")], *turns, ending]
