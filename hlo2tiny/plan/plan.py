"""The data types of a plan.

A block numbers its buffers: first its inputs, then what its steps write. Steps refer to buffers by number, and the
state of a run is a list of buffers, so a block can run any number of times, on any device, in several threads at once.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import field
from typing import TypeAlias

import numpy as np

from ..ir import Op, TensorType, Type, Value
from ..ir.dtypes import expect_tensor
from ..ir.sizes import is_open
from ..records import dataclass
from ..rules.procedure import Procedure
from .convolution import Windows
from .fourier import Transform
from .gemm import Product
from .heads import Gradients, Heads, Strides


class ReadsInputs:
    """A step that reads its inputs and no other buffers."""

    inputs: tuple[int, ...]

    @property
    def reads(self) -> tuple[int, ...]:
        return self.inputs


@dataclass(frozen=True, eq=False)
class Kernels(ReadsInputs):
    """A region: a straight run of ops, which a target turns into kernels.

    `parameters` and `results` are the SSA values of the input and output buffers. `key` identifies the structure:
    regions with the same key differ only in the names of values and in locations, and are compiled once. The first
    `updates` results start with the contents of the first inputs, and the kernels write only the elements that change.
    If `in_order`, the order in which floats are added depends on nothing but how many of them there are.
    """

    ops: tuple[Op, ...]
    parameters: tuple[Value, ...]
    results: tuple[Value, ...]
    inputs: tuple[int, ...]
    outputs: tuple[int, ...]
    key: str
    updates: int = 0
    in_order: bool = False

    @property
    def op(self) -> Op:
        """The op that represents the region in messages."""
        return self.ops[-1]


@dataclass(frozen=True, eq=False)
class While:
    """Repeat `body` while `condition` is true. The arguments of both are the carries, then the captured values.

    `trip_count` is the number of iterations, or None if it depends on the run. `counters` are the carries that count:
    the number of each, where it begins, and what each iteration adds.
    """

    condition: Block
    body: Block
    carries: tuple[int, ...]
    captures: tuple[int, ...]
    outputs: tuple[int, ...]
    op: Op
    trip_count: int | None
    counters: tuple[tuple[int, int, int], ...] = ()

    @property
    def reads(self) -> tuple[int, ...]:
        return (*self.carries, *self.captures)


@dataclass(frozen=True, eq=False)
class Case:
    """Run the branch that `index` selects: the last one if it is out of range. A bool selects the first one if true."""

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
    """Run the block of a function, which is built once for all calls."""

    name: str
    inputs: tuple[int, ...]
    outputs: tuple[int, ...]
    op: Op


@dataclass(frozen=True, eq=False)
class Host(ReadsInputs):
    """Run a host rule or the registered function of a custom call on numpy arrays."""

    name: str
    inputs: tuple[int, ...]
    outputs: tuple[int, ...]
    op: Op


class HasRegion(ReadsInputs):
    """A step that kernels can carry out, too."""

    region: Kernels

    @property
    def op(self) -> Op:
        return self.region.op


@dataclass(frozen=True, eq=False)
class Gemm(HasRegion):
    """A matrix product that a library computes, of two buffers, and scales if any; `region` computes the same."""

    product: Product
    region: Kernels
    inputs: tuple[int, ...]
    outputs: tuple[int, ...]


@dataclass(frozen=True, eq=False)
class Convolution(HasRegion):
    """A convolution, computed as matrix products of its windows; `region` computes the same with kernels."""

    windows: Windows
    region: Kernels
    inputs: tuple[int, ...]
    outputs: tuple[int, ...]


@dataclass(frozen=True, eq=False)
class Attention(HasRegion):
    """Attention, whose scores are not stored; `region` computes the same with kernels.

    Its inputs are queries, keys, values, and the buffers that change scores. After the result there may be outputs for
    statistics, whose strides are given; see `Gradients`.
    """

    heads: Heads
    region: Kernels
    inputs: tuple[int, ...]
    outputs: tuple[int, ...]
    statistics: tuple[Strides, ...] = ()


@dataclass(frozen=True, eq=False)
class AttentionGradients(HasRegion):
    """The gradients of attention, with scores computed again rather than stored; see `Gradients` for its inputs."""

    gradients: Gradients
    region: Kernels
    inputs: tuple[int, ...]
    outputs: tuple[int, ...]

    @property
    def heads(self) -> Heads:
        return self.gradients.heads


@dataclass(frozen=True, eq=False)
class Fourier(ReadsInputs):
    """A Fourier transform. Its inputs are the operand, and a table per dimension unless a library computes it; `host`
    is the same with numpy."""

    transform: Transform
    host: Host
    inputs: tuple[int, ...]
    outputs: tuple[int, ...]

    @property
    def op(self) -> Op:
        return self.host.op


@dataclass(frozen=True, eq=False)
class Lapack(ReadsInputs):
    """A procedure that calls LAPACK, reads the inputs and writes the outputs."""

    procedure: Procedure
    inputs: tuple[int, ...]
    outputs: tuple[int, ...]
    op: Op


# A process, and the number of a part of its value; None: zeros.
BufferSource: TypeAlias = tuple[int, int] | None


@dataclass(frozen=True, eq=False)
class Collective(ReadsInputs):
    """An exchange between processes, or the number of this one.

    `name` is the op's, one of those that `specialise.localise` leaves: "all_gather" and "all_to_all" along the first
    dimension, "collective_permute", "collective_broadcast" from the first of each group, "partition_id", and, for a
    library that reduces by itself, "all_reduce" and "reduce_scatter", in groups of equal size. `groups` lists
    processes; for a permutation, each group is a source and its target. A process that receives nothing gets zeros.
    """

    name: str
    groups: tuple[tuple[int, ...], ...]
    inputs: tuple[int, ...]
    outputs: tuple[int, ...]
    op: Op

    def sources(self, process: int) -> list[BufferSource]:
        """Where the parts of a process's result come from."""
        group = next((g for g in self.groups if process in g), ())
        missing = [None] * (max(map(len, self.groups), default=0) - len(group))  # of a group smaller than the largest
        match self.name:
            case "all_gather":
                return [*((member, 0) for member in group), *missing]
            case "all_to_all":
                return [*((member, group.index(process)) for member in group), *missing]
            case "collective_broadcast":
                return [(group[0], 0) if group else None]
        return [next(((source, 0) for source, target in self.groups if target == process), None)]


Attending: TypeAlias = Attention | AttentionGradients
Step = Kernels | While | Case | Call | Host | Gemm | Convolution | Attending | Fourier | Lapack | Collective


@dataclass(frozen=True, eq=False)
class Block:
    """Steps in order. `types` are the types of all buffers, of which the first `inputs` are the arguments."""

    inputs: int
    steps: tuple[Step, ...]
    outputs: tuple[int, ...]
    types: tuple[Type, ...]
    constants: tuple[tuple[int, np.ndarray], ...]

    def walk(self) -> Iterator[Step]:
        """All steps, including those of inner blocks."""
        for step in self.steps:
            yield step
            for inner in inner_blocks(step):
                yield from inner.walk()


def work_of(step: Gemm | Convolution | Attending | Fourier) -> Product | Windows | Heads | Gradients | Transform:
    """What a step computes, with its `flops`."""
    match step:
        case Gemm(product=work) | Convolution(windows=work) | Attention(heads=work):
            return work
        case AttentionGradients(gradients=work) | Fourier(transform=work):
            return work


def inner_blocks(step: Step) -> tuple[Block, ...]:
    """The blocks inside a step; called functions do not count."""
    match step:
        case While():
            return (step.condition, step.body)
        case Case():
            return step.branches
    return ()


@dataclass(frozen=True, eq=False)
class Plan:
    """The block of the entry function, and the blocks of the functions that it calls.

    `donated` maps results of the entry function to arguments of the same type, whose memory callers give up for them.
    Processes run it on several `devices` at the same time, each in memory of its own; () for one. If it is
    `invariant`, a row of a batch has the same bits however many there are.
    """

    main: Block
    functions: Mapping[str, Block]
    donated: Mapping[int, int] = field(default_factory=dict)
    devices: tuple[str, ...] = ()
    invariant: bool = False

    @property
    def inputs(self) -> list[TensorType]:
        """The types of the arguments of the entry function."""
        return [expect_tensor(type) for type in self.main.types[: self.main.inputs]]

    @property
    def outputs(self) -> list[TensorType]:
        """The types of its results."""
        return [expect_tensor(self.main.types[n]) for n in self.main.outputs]

    @property
    def is_open(self) -> bool:
        """Whether sizes are open that only a run knows."""
        return any(is_open(size) for type in self.inputs for size in type.shape)

    @property
    def processes(self) -> int:
        return max(1, len(self.devices))

    def blocks(self) -> Iterator[Block]:
        """All blocks, including those of loops, branches and called functions."""
        for block in (self.main, *self.functions.values()):
            yield block
            for step in block.walk():
                yield from inner_blocks(step)

    def kernels(self, products: bool = False) -> Iterator[Kernels]:
        """All regions, including those of called functions; `products` adds those of products."""
        for block in (self.main, *self.functions.values()):
            for step in block.walk():
                if isinstance(step, Kernels):
                    yield step
                elif isinstance(step, HasRegion) and products:
                    yield step.region
