"""A plan as commands: what runs on which memory, in order. Targets emit these, and lower nothing themselves.

Each block is a command list of its own, whose places are relative: to the arguments and results that it is given, and
to the offset of its frame in the arena. A target that has functions emits each list once. One that has none emits a
list at each `Site` where it runs.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import field
from typing import TypeAlias

from ..ir import Type
from ..ir.place import Place
from ..records import dataclass
from .memory import Frame
from .plan import (
    Attending,
    Block,
    Call,
    Case,
    Collective,
    Convolution,
    Fourier,
    Gemm,
    Host,
    Kernels,
    Lapack,
    Step,
    While,
)


@dataclass(frozen=True)
class Copy:
    """Copy a value of this type and size in bytes."""

    target: Place
    source: Place
    size: int
    type: Type


@dataclass(frozen=True)
class Library:
    """Carry out a step with the target's own means.

    `places` are those of the step's inputs, its outputs and the scratch memory that the target asked for; `sizes` has
    the bytes of each. If the next launch reads the result as it is computed, the command is part of that `Launch`.
    """

    step: Gemm | Convolution | Attending | Fourier | Host | Lapack
    places: tuple[Place, ...]
    sizes: tuple[int, ...]

    @property
    def scratch(self) -> tuple[Place, ...]:
        return self.places[len(self.step.inputs) + len(self.step.outputs) :]


@dataclass(frozen=True)
class Launch:
    """Run the kernels of a region.

    `places` are those of the region's inputs (or of the results that alias them), its outputs, and its temporary
    memory; `sizes` has the bytes of each. `producer` computes what one of the kernels reads, piece by piece.
    """

    step: Step
    region: Kernels
    places: tuple[Place, ...]
    sizes: tuple[int, ...]
    producer: Library | None = None


@dataclass(frozen=True)
class HostCall:
    """Run a step on the host, on numpy arrays."""

    step: Host | Lapack
    inputs: tuple[Place, ...]
    outputs: tuple[Place, ...]


@dataclass(frozen=True)
class Exchange:
    """Exchange parts of values with other processes, or write the number of this one.

    `sizes` and `types` are those of the inputs and outputs.
    """

    step: Collective
    inputs: tuple[Place, ...]
    outputs: tuple[Place, ...]
    sizes: tuple[int, ...]
    types: tuple[Type, ...]


@dataclass(frozen=True)
class Invoke:
    """Run the command list of a function. A result in an argument's memory is not passed: it is the argument's."""

    step: Call
    callee: CommandList
    arguments: tuple[Place, ...]
    results: tuple[Place, ...]


@dataclass(frozen=True)
class Carry:
    """A carry that iterations read in one place and write to the other, alternately.

    Attributes:
        number: which of the loop's carries it is.
        value: the number of the result.
        first, second: its places; the result is in the first if no iteration runs.
        settled: whether the result has to be in `first`; otherwise later commands refer to it as "carried".
    """

    number: int
    value: int
    first: Place
    second: Place
    size: int
    type: Type
    settled: bool


@dataclass(frozen=True)
class Loop:
    """Repeat the body while the condition is true: for the number of iterations that `step` knows, if it does.

    `arguments` are the places of the initial carries and of the captures; those that the body updates in place stay
    there. The condition writes its result, one byte, to `predicate`.
    """

    step: While
    condition: CommandList
    body: CommandList
    arguments: tuple[Place, ...]
    carries: tuple[Carry, ...]
    predicate: Place


@dataclass(frozen=True)
class Branch:
    """Run the command list that the integer or boolean at `index` selects, as `Case` does."""

    step: Case
    index: Place
    branches: tuple[CommandList, ...]
    arguments: tuple[Place, ...]
    results: tuple[Place, ...]


Command: TypeAlias = Copy | Library | Launch | HostCall | Exchange | Invoke | Loop | Branch


@dataclass(frozen=True, eq=False)
class CommandList:
    """The commands of a block.

    Attributes:
        block: the block.
        commands: what to do.
        frame: the layout of the block's own memory.
        size: the bytes of its frame; the frames of lists that it runs follow.
        total: the bytes of the arena that it needs, with those of the lists that it runs.
    """

    block: Block
    commands: tuple[Command, ...]
    frame: Frame
    size: int
    total: int


def inner_lists(command: Command) -> tuple[CommandList, ...]:
    """The lists that a command runs."""
    match command:
        case Loop():
            return command.condition, command.body
        case Branch():
            return command.branches
        case Invoke():
            return (command.callee,)
    return ()


@dataclass
class Site:
    """Where a command list runs: the places of its arguments and results, and the offset of its frame.

    A result that is in an argument's memory has no place of its own. Targets record in `carried` where loops' results
    are. `known` are integers that are known to be at places of the whole program.
    """

    arguments: Sequence[Place]
    results: Sequence[Place | None]
    base: int = 0
    carried: dict[int, Place] = field(default_factory=dict)
    known: Mapping[Place, int] = field(default_factory=dict)

    def place(self, place: Place) -> Place:
        """A place of the command list as one of the whole program."""
        match place.kind:
            case "argument":
                return self.arguments[place.number]
            case "result":
                result = self.results[place.number]
                assert result is not None, "nothing is written to a result that lies in an argument"
                return result
            case "arena":
                return Place("arena", self.base + place.number)
            case "carried":
                return self.carried[place.number]
        return place

    def places(self, places: Sequence[Place]) -> tuple[Place, ...]:
        return tuple(map(self.place, places))

    def inner(self, commands: CommandList, arguments: Sequence[Place], results: Sequence[Place]) -> Site:
        """The site of a list that a command here runs, given places in this site's list."""
        return Site(self.places(arguments), self.places(results), self.base + commands.size, known=self.known)
