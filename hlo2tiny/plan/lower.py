"""Lowers a plan to commands, once for all targets: memory, aliases, results in place, and the carries of loops."""

from __future__ import annotations

from collections.abc import Container, Iterator, Mapping, Sequence
from dataclasses import replace

from ..ir import Type, about
from ..ir.dtypes import byte_size
from ..ir.place import Place
from ..ir.sizes import upper_bound
from ..records import dataclass
from .aliasing import AliasAnalysis, Aliasing
from .commands import (
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
    inner_lists,
)
from .memory import ALIGNMENT, lay_out
from .plan import Block, Call, Case, Collective, Fourier, Host, Kernels, Lapack, Plan, Step, While


@dataclass(frozen=True)
class Choice:
    """What carries out a step on a target, and the bytes of each piece of scratch memory that this takes.

    `by` is a region, whose kernels are launched, "library" for what else the target has, or "host".
    """

    by: Kernels | str
    scratch: Sequence[int] = ()


class Chooser:
    """What lowering asks a target, with the usual answers.

    Attributes:
        local_size: buffers of at most this many bytes are local variables of a list, if there are not too many; 0:
            none.
        kept_size: those of at most this many bytes share no memory, so that they never wait for each other.
    """

    local_size = kept_size = 0

    def size_of(self, type: Type) -> int:
        """The bytes of a buffer."""
        return byte_size(type)

    def find_producers(self, block: Block, aliasing: Aliasing) -> Container[int]:
        """The indices of steps whose result only the next step's kernels read, as it is computed: it has no memory."""
        return ()

    def choose(self, step: Step) -> Choice:
        """What carries out a step that is neither control flow nor an exchange; its block's producers are known.

        Raises:
            UnsupportedOp: nothing does.
        """
        raise NotImplementedError


class PlanLowering:
    """Lowers the blocks of one plan, each once for the arguments that it may overwrite.

    Attributes:
        in_place: the results of the plan that are in the memory of a donated argument, and the argument.
        constants: the number of each constant, in the order of the plan's blocks.
    """

    def __init__(self, plan: Plan, chooser: Chooser) -> None:
        self.plan, self.chooser, self.analysis = plan, chooser, AliasAnalysis(plan)
        self.in_place = self.analysis.in_place_of_main()
        constants = ((block, n) for block in plan.blocks() for n, _ in block.constants)
        self.constants = {constant: i for i, constant in enumerate(constants)}
        self._lists: dict[tuple[Block, tuple[tuple[int, int], ...]], CommandList] = {}

    def lower(self) -> CommandList:
        """The command list of the whole plan."""
        return self.list_of(self.plan.main, self.in_place)

    def list_of(self, block: Block, in_place: Mapping[int, int]) -> CommandList:
        """The command list of a block that leaves some results in the memory of arguments, which it may overwrite."""
        key = block, tuple(sorted(in_place.items()))
        if key not in self._lists:
            self._lists[key] = BlockLowering(self, block, in_place).lower()
        return self._lists[key]


class BlockLowering:
    """Lowers one block."""

    def __init__(self, lowering: PlanLowering, block: Block, in_place: Mapping[int, int]) -> None:
        self.lowering, self.block, self.in_place = lowering, block, in_place
        self.chooser, self.analysis = chooser, analysis = lowering.chooser, lowering.analysis
        self.aliasing = analysis.of(block, in_place)
        self.producers = chooser.find_producers(block, self.aliasing)
        self.choices: dict[int, Choice] = {}
        for index, step in enumerate(block.steps):
            if not isinstance(step, While | Case | Call | Collective):
                with about(step.op):
                    self.choices[index] = chooser.choose(step)
        self.sizes = [*map(chooser.size_of, block.types)]
        for index, step in enumerate(block.steps):
            if index in self.producers:  # the whole of its result never exists
                self.sizes[step.outputs[0]] = 0
        scratch = {index: choice.scratch for index, choice in self.choices.items()}
        limits = chooser.local_size, chooser.kept_size
        self.frame = lay_out(block, self.sizes, scratch, in_place, analysis, self.producers, *limits, chooser.size_of)
        held = {n: Place("argument", n) for n in range(block.inputs)}
        held |= {n: Place("constant", lowering.constants[block, n]) for n, _ in block.constants}
        held |= {n: self.place(offset) for n, offset in self.frame.offsets.items()}
        held |= {n: Place("result", i) for n, i in self.frame.direct.items()}
        # Where each value is when the next command runs.
        self.values = {n: held[memory] for n, memory in self.aliasing.memory.items()}

    def lower(self) -> CommandList:
        frame = self.frame
        size = frame.size + (0 if self.chooser.local_size else ALIGNMENT * len(frame.small))
        commands = tuple(self.commands())
        total = size + upper_bound(inner.total for command in commands for inner in inner_lists(command))
        return CommandList(self.block, commands, frame, size, total)

    def place(self, offset: int) -> Place:
        """The place that an offset of the frame stands for."""
        if offset >= 0:
            return Place("arena", offset)
        number = -1 - offset
        if self.chooser.local_size:
            return Place("local", number)
        return Place("arena", self.frame.size + ALIGNMENT * number)

    def commands(self) -> Iterator[Command]:
        block, aliasing, values, sizes = self.block, self.aliasing, self.values, self.sizes
        producer: Library | None = None
        for index, step in enumerate(block.steps):
            for pair in self.analysis.aliases(step):
                if pair not in aliasing.copied[index]:
                    values[pair.result] = values[pair.operand]
                elif sizes[pair.result]:
                    n = pair.result
                    yield Copy(values[n], values[pair.operand], sizes[n], block.types[n])
            command = self.command(index)
            if index in self.producers:
                assert isinstance(command, Library)
                producer = command
                continue
            if producer is not None:
                assert isinstance(command, Launch)
                command, producer = replace(command, producer=producer), None
            yield command
            if isinstance(command, Loop):
                values |= {c.value: Place("carried", c.value) for c in command.carries if not c.settled}
        for i, n in enumerate(block.outputs):
            if i not in self.in_place and self.frame.direct.get(aliasing.memory[n]) != i and sizes[n]:
                yield Copy(Place("result", i), values[n], sizes[n], block.types[n])

    def command(self, index: int) -> Command:
        """The command of a step."""
        step, values, in_place = self.block.steps[index], self.values, self.analysis.in_place
        arguments = tuple(values[n] for n in self.analysis.arguments(step))
        outputs = tuple(values[n] for n in step.outputs)
        match step:
            case While():
                lists = self.lowering.list_of(step.condition, {}), self.lowering.list_of(step.body, in_place(step))
                predicate = self.place(self.frame.loops[index].predicate)
                return Loop(step, *lists, arguments, tuple(self.carries(index)), predicate)
            case Case():
                branches = tuple(self.lowering.list_of(branch, in_place(step)) for branch in step.branches)
                return Branch(step, values[step.index], branches, arguments, outputs)
            case Call():
                callee = self.lowering.list_of(self.lowering.plan.functions[step.name], in_place(step))
                return Invoke(step, callee, arguments, outputs)
            case Collective():
                numbers = *step.inputs, *step.outputs
                types = tuple(self.block.types[n] for n in numbers)
                return Exchange(step, arguments, outputs, self.sizes_of(*numbers), types)
        choice = self.choices[index]
        scratch = tuple(self.place(offset) for offset in self.frame.temporaries[index])
        if isinstance(choice.by, Kernels):
            region = choice.by
            numbers = *self.analysis.arguments(region), *region.outputs
            sizes = *self.sizes_of(*numbers), *choice.scratch
            return Launch(step, region, (*(values[n] for n in numbers), *scratch), sizes)
        if choice.by == "host":
            host = step.host if isinstance(step, Fourier) else step
            assert isinstance(host, Host | Lapack)
            return HostCall(host, tuple(values[n] for n in host.inputs), outputs)
        assert not isinstance(step, Kernels)
        sizes = *self.sizes_of(*step.inputs, *step.outputs), *choice.scratch
        return Library(step, (*arguments, *outputs, *scratch), sizes)

    def sizes_of(self, *numbers: int) -> tuple[int, ...]:
        return tuple(self.sizes[n] for n in numbers)

    def carries(self, index: int) -> Iterator[Carry]:
        """The carries of a loop that its body does not update in place."""
        outputs = self.block.steps[index].outputs
        for i, offset in self.frame.loops[index].carries.items():
            n = outputs[i]
            settled = self.aliasing.memory[n] in self.frame.direct
            yield Carry(i, n, self.values[n], self.place(offset), self.sizes[n], self.block.types[n], settled)
