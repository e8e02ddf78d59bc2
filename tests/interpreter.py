"""Runs command lists in numpy, so that lowering is tried apart from what targets make of it.

Only a region's own arithmetic is left to tinygrad's kernels. Memory that nobody has written holds a pattern.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from hlo2tiny.ir import Type
from hlo2tiny.ir.dtypes import as_tensor, byte_size, numpy_dtype, static_shape
from hlo2tiny.ir.place import Place
from hlo2tiny.plan.commands import Branch, CommandList, Copy, HostCall, Invoke, Launch, Loop, Site
from hlo2tiny.plan.lower import Choice, Chooser, PlanLowering
from hlo2tiny.plan.plan import Attention, Block, Convolution, Gemm, Host, Kernels, Plan, Step
from hlo2tiny.rules.control import chooses_by_boolean
from hlo2tiny.rules.lapack import carry_out
from hlo2tiny.targets.arrays import dtype_and_shape, storage_array
from hlo2tiny.targets.host import host_results
from hlo2tiny.targets.tinygrad.executor import TinygradExecutor


class Interpreter(Chooser):
    """Interprets the commands of a plan; in `lowering` are what it was lowered with and the commands of each block."""

    def __init__(self, plan: Plan, custom_calls: Mapping[str, Callable[..., Any]] = {}) -> None:
        self.plan, self.custom_calls = plan, custom_calls
        self.lowering = PlanLowering(plan, self)
        self.commands = self.lowering.lower()
        self.constants = [storage_array(array) for block in plan.blocks() for _, array in block.constants]
        self.regions: dict[str, TinygradExecutor] = {}

    # ---------------------------------------------------------------- what lowering asks

    def choose(self, step: Step) -> Choice:
        match step:
            case Kernels():
                return Choice(step)
            case Gemm() | Convolution() | Attention():
                return Choice(step.region)
        return Choice("host")

    # ---------------------------------------------------------------- commands

    def run(self, arrays: Sequence[np.ndarray]) -> list[np.ndarray]:
        main, in_place = self.plan.main, self.lowering.in_place
        arguments = [np.frombuffer(bytearray(storage_array(array).tobytes()), np.uint8) for array in arrays]
        given = [memory.tobytes() for memory in arguments]
        self.memory = {
            "arena": [np.full(self.commands.total, 0xA5, np.uint8)],
            "argument": arguments,
            "result": [np.full(byte_size(main.types[n]), 0xA5, np.uint8) for n in main.outputs],
            "constant": [np.frombuffer(array.tobytes(), np.uint8) for array in self.constants],
        }
        results = [Place("result", i) for i in range(len(main.outputs))]
        for i, n in in_place.items():
            results[i] = Place("argument", n)
        self.interpret(self.commands, Site([Place("argument", n) for n in range(main.inputs)], results))
        for n, (memory, before) in enumerate(zip(arguments, given)):
            assert n in in_place.values() or memory.tobytes() == before, f"argument {n} was written to"
        return [self.array(place, main.types[n]) for place, n in zip(results, main.outputs)]

    def interpret(self, commands: CommandList, site: Site) -> None:
        for command in commands.commands:
            match command:
                case Copy():
                    self.copy(site.place(command.target), site.place(command.source), command.size)
                case Launch():
                    self.launch(command, site)
                case HostCall():
                    step, block = command.step, commands.block
                    types = [block.types[n] for n in step.outputs]
                    operands = map(self.array, site.places(command.inputs), (block.types[n] for n in step.inputs))
                    copied = [operand.copy() for operand in operands]
                    if isinstance(step, Host):
                        results = host_results(step, block, copied, self.custom_calls)
                    else:
                        results = carry_out(step.procedure, copied, [*map(dtype_and_shape, types)])
                    self.write(site.places(command.outputs), types, results)
                case Invoke():
                    self.interpret(command.callee, site.inner(commands, command.arguments, command.results))
                case Branch():
                    boolean = chooses_by_boolean(command.step.op)
                    memory = self.bytes_of(site.place(command.index), 1 if boolean else 4)
                    index = int(memory[0] == 0) if boolean else int(memory.view(np.int32)[0])
                    last = len(command.branches) - 1
                    branch = command.branches[index if 0 <= index <= last else last]
                    self.interpret(branch, site.inner(commands, command.arguments, command.results))
                case Loop():
                    self.loop(command, site, site.base + commands.size)
                case _:
                    raise NotImplementedError(command)

    def loop(self, command: Loop, site: Site, base: int) -> None:
        step, arguments, predicate = command.step, [*site.places(command.arguments)], site.place(command.predicate)
        carries = {c.number: (site.place(c.first), site.place(c.second), c) for c in command.carries}
        for i, (first, _, c) in carries.items():
            self.copy(first, arguments[i], c.size)
        read, written = ({i: places[side] for i, places in carries.items()} for side in (0, 1))
        iterations = 0
        while True:
            given = [read.get(i, place) for i, place in enumerate(arguments)]
            self.interpret(command.condition, Site(given, [predicate], base))
            if not self.bytes_of(predicate, 1)[0]:
                break
            self.interpret(command.body, Site(given, [*map(written.get, range(len(step.carries)))], base))
            read, written, iterations = written, read, iterations + 1
        assert step.trip_count in (None, iterations)
        for i, (first, _, c) in carries.items():
            if c.settled:
                self.copy(first, read[i], c.size)
            else:
                site.carried[c.value] = read[i]

    def launch(self, command: Launch, site: Site) -> None:
        """Run a region as a program of one step: on copies of what it reads."""
        region, (reads, writes) = command.region, (len(command.region.inputs), len(command.region.outputs))
        types = [*(v.type for v in region.parameters), *(v.type for v in region.results)]
        if region.key not in self.regions:
            outputs = tuple(range(reads, reads + writes))
            alone = replace(region, inputs=tuple(range(reads)), outputs=outputs)
            plan = Plan(Block(reads, (alone,), outputs, tuple(types), ()), {})
            self.regions[region.key] = TinygradExecutor(plan, "CPU", {})
        places = site.places(command.places)
        arrays = [self.array(place, type).copy() for place, type in zip(places[:reads], types)]
        results = self.regions[region.key].run_numpy(arrays)
        self.write(places[reads:], types[reads:], results)

    def write(self, places: Sequence[Place], types: Sequence[Type], arrays: Sequence[np.ndarray]) -> None:
        for place, type, array in zip(places, types, arrays, strict=True):
            self.bytes_of(place, byte_size(type))[:] = np.frombuffer(storage_array(array).tobytes(), np.uint8)

    def copy(self, target: Place, source: Place, size: int) -> None:
        self.bytes_of(target, size)[:] = self.bytes_of(source, size).copy()

    def array(self, place: Place, type: Type) -> np.ndarray:
        tensor = as_tensor(type)
        return self.bytes_of(place, byte_size(type)).view(numpy_dtype(tensor.element)).reshape(static_shape(tensor))

    def bytes_of(self, place: Place, size: int) -> np.ndarray:
        """A view of the memory at an address."""
        at = place.number if place.kind == "arena" else 0
        found = self.memory[place.kind][0 if place.kind == "arena" else place.number][at : at + size]
        assert len(found) == size, f"{place} has {len(found)} bytes, {size} are used"
        return found
