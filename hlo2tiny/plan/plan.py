"""The nouns of a plan.

A block owns a numbering of buffers: first its inputs, then what its steps write. Steps name buffers by number, so that
a block can run any number of times, on any device, in several threads at once: all its state is a list of buffers.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from ..ir import Op, Type, Value
from ..rules.procedure import Procedure
from .convolution import Windows
from .fourier import Transform
from .gemm import Product


class ReadsInputs:
    """A step that reads its inputs and nothing else."""

    inputs: tuple[int, ...]

    @property
    def reads(self) -> tuple[int, ...]:
        return self.inputs


@dataclass(frozen=True, eq=False)
class Kernels(ReadsInputs):
    """A region: a straight run of ops, which an executor turns into kernels.

    `parameters` and `results` are the SSA values that stand for the input and output buffers. `key` is the region's
    structure: regions of one key differ only in the names of values and places, and are compiled once. The first
    `updates` results begin as the inputs of the same place, and the kernels write only what changes there.
    """

    ops: tuple[Op, ...]
    parameters: tuple[Value, ...]
    results: tuple[Value, ...]
    inputs: tuple[int, ...]
    outputs: tuple[int, ...]
    key: str
    updates: int = 0


@dataclass(frozen=True, eq=False)
class While:
    """Repeat `body` while `condition` gives true. Both take the carries, then the captured values.

    `trip_count` is how many turns that is, None where only a run knows.
    """

    condition: Block
    body: Block
    carries: tuple[int, ...]
    captures: tuple[int, ...]
    outputs: tuple[int, ...]
    op: Op
    trip_count: int | None

    @property
    def reads(self) -> tuple[int, ...]:
        return (*self.carries, *self.captures)


@dataclass(frozen=True, eq=False)
class Case:
    """Run the branch that `index` selects, the last one when it is out of range; a bool selects the first if true."""

    index: int
    branches: tuple[Block, ...]
    captures: tuple[int, ...]
    outputs: tuple[int, ...]
    op: Op

    @property
    def reads(self) -> tuple[int, ...]:
        return (self.index, *self.captures)


@dataclass(frozen=True, eq=False)
class Call(ReadsInputs):
    """Run a function's block, built once however often it is called."""

    name: str
    inputs: tuple[int, ...]
    outputs: tuple[int, ...]
    op: Op


@dataclass(frozen=True, eq=False)
class Host(ReadsInputs):
    """Run a host rule, or the registered function of a custom call, on numpy arrays."""

    name: str
    inputs: tuple[int, ...]
    outputs: tuple[int, ...]
    op: Op


@dataclass(frozen=True, eq=False)
class Gemm(ReadsInputs):
    """A matrix product by a library. `region` is the same as kernels, for an executor that has none."""

    product: Product
    region: Kernels
    inputs: tuple[int, int]
    outputs: tuple[int, ...]


@dataclass(frozen=True, eq=False)
class Convolution(ReadsInputs):
    """A convolution as matrix products of its windows; `region` is the same as kernels."""

    windows: Windows
    region: Kernels
    inputs: tuple[int, int]
    outputs: tuple[int, ...]


@dataclass(frozen=True, eq=False)
class Fourier(ReadsInputs):
    """A Fourier transform. The inputs are its operand and a table for each dimension; `host` is the same by numpy."""

    transform: Transform
    host: Host
    inputs: tuple[int, ...]
    outputs: tuple[int, ...]

    @property
    def op(self) -> Op:
        return self.host.op


@dataclass(frozen=True, eq=False)
class Lapack(ReadsInputs):
    """What a procedure does with LAPACK: it reads the inputs and writes the outputs."""

    procedure: Procedure
    inputs: tuple[int, ...]
    outputs: tuple[int, ...]
    op: Op


Step = Kernels | While | Case | Call | Host | Gemm | Convolution | Fourier | Lapack


def place_of(step: Step) -> Op:
    """The op that stands for a step in messages: a region's last."""
    match step:
        case Kernels():
            return step.ops[-1]
        case Gemm() | Convolution():
            return step.region.ops[-1]
    return step.op


@dataclass(frozen=True, eq=False)
class Block:
    """Steps in order. `types` has each buffer's type; the first `inputs` buffers are the arguments."""

    inputs: int
    steps: tuple[Step, ...]
    outputs: tuple[int, ...]
    types: tuple[Type, ...]
    constants: tuple[tuple[int, np.ndarray], ...]

    @cached_property
    def last_reads(self) -> tuple[tuple[int, ...], ...]:
        """For each step, the buffers that no later step and no output reads: an executor gives them back there."""
        last: dict[int, int] = {}
        for index, step in enumerate(self.steps):
            last.update((number, index) for number in (*step.reads, *step.outputs))
        outputs = set(self.outputs)
        ends: list[list[int]] = [[] for _ in self.steps]
        for number, index in last.items():
            if number not in outputs:
                ends[index].append(number)
        return tuple(map(tuple, ends))

    def walk(self) -> Iterator[Step]:
        """All steps, and those of the blocks inside them."""
        for step in self.steps:
            yield step
            for inner in inner_blocks(step):
                yield from inner.walk()


def inner_blocks(step: Step) -> tuple[Block, ...]:
    """The blocks that a step runs, beside called functions."""
    match step:
        case While():
            return (step.condition, step.body)
        case Case():
            return step.branches
    return ()


@dataclass(frozen=True, eq=False)
class Plan:
    """The entry function's block, and the blocks of the functions that it calls."""

    main: Block
    functions: Mapping[str, Block]

    def blocks(self) -> Iterator[Block]:
        """All blocks, those of loops, branches and called functions too."""
        for block in (self.main, *self.functions.values()):
            yield block
            for step in block.walk():
                yield from inner_blocks(step)

    def kernels(self, products: bool = False) -> Iterator[Kernels]:
        """All regions, those of called functions too, and if asked for those of products."""
        for block in (self.main, *self.functions.values()):
            for step in block.walk():
                if isinstance(step, Kernels):
                    yield step
                elif isinstance(step, Gemm | Convolution) and products:
                    yield step.region
