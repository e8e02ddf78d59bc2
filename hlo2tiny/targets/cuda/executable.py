"""What a plan does on a GPU, as data that needs no GPU: which kernel or library call runs on which memory, in order.

All working memory of a call is one arena. Blocks are inlined where they run; a block's frame of the arena holds the
buffers that its steps pass to each other, each for as long as it is needed, followed by the frames of the blocks that
it runs.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import field
from typing import TYPE_CHECKING, Any, get_args

from ...ir.place import Place, overlap
from ...records import dataclass
from ..embedded import EmbeddedKernel
from . import convolutions, products, solver, transforms
from .kernels import CudaKernel

if TYPE_CHECKING:
    from ...plan.plan import Block, BufferSource, Host, Lapack, Step


@dataclass(frozen=True)
class GraphLaunch:
    """Run a kernel of the executable on buffers; `sizes` has the bytes of each."""

    kernel: int
    places: tuple[Place, ...]
    sizes: tuple[int, ...]
    source: int = -1  # the number of the step that it belongs to
    others: tuple[int, ...] = ()  # those of other steps, if kernels of several are one


@dataclass(frozen=True)
class GraphCopy:
    """Copy some bytes."""

    target: Place
    source: Place
    size: int


@dataclass(frozen=True)
class Multiply:
    """Run a product of the executable, a matrix product or a convolution, on its operands and results."""

    product: int
    places: tuple[Place, ...]
    sizes: tuple[int, ...]
    source: int = -1
    results: int = 1

    @property
    def writes(self) -> list[bool]:
        """Whether it writes to each of its places."""
        return [n >= len(self.places) - self.results for n in range(len(self.places))]


@dataclass(frozen=True)
class Direct(Multiply):
    """The same for a product whose library cannot be recorded: it runs between graphs."""


@dataclass(frozen=True)
class GraphLoop:
    """Repeat steps: `iterations` times, or while the byte at `predicate`, which `condition` writes, is not 0."""

    condition: tuple[Any, ...]
    body: tuple[Any, ...]
    predicate: Place  # for a known number of iterations, where a counter is
    iterations: int | None


@dataclass(frozen=True)
class GraphBranch:
    """Run the branch that an index selects: the last one if it is out of range; a bool selects the first if true."""

    index: Place
    is_bool: bool
    branches: tuple[tuple[Any, ...], ...]


@dataclass(frozen=True)
class OnHost:
    """Run a step on the host."""

    number: int
    inputs: tuple[Place, ...]
    outputs: tuple[Place, ...]
    source: int = -1


@dataclass(frozen=True)
class GraphExchange:
    """Write the parts of a result, of this many bytes each, from the values of processes.

    `sources` says for each process where its parts come from; `places` has the places of the value and the result.
    """

    sources: tuple[tuple[BufferSource, ...], ...]
    places: tuple[Place, Place]
    size: int
    source: int = -1

    def others(self, process: int) -> set[int]:
        """The processes from which or to which one process transfers parts."""
        whose = [{found[0] for found in row if found is not None} for row in self.sources]
        return (whose[process] | {n for n, row in enumerate(whose) if process in row}) - {process}

    def waits_for(self, other: GraphExchange) -> bool:
        """Whether one of two actions writes what the other one reads or writes."""
        return any(
            (writes or changes) and overlap(a, size, b, length)
            for a, size, writes in self.accesses
            for b, length, changes in other.accesses
        )

    @property
    def accesses(self) -> list[tuple[Place, int, bool]]:
        """Its places, how many bytes of each it accesses, and whether it writes them."""
        return [*zip(self.places, self.extents, (False, True))]

    @property
    def extents(self) -> tuple[int, int]:
        """The most bytes that it reads from the value and writes to the result."""
        read = max((found[1] + 1 for row in self.sources for found in row if found is not None), default=0)
        return read * self.size, max(map(len, self.sources)) * self.size


@dataclass(frozen=True)
class GraphCombine(GraphExchange):
    """NCCL's own exchange in groups: `size` is how much each process sends, in `count` elements.

    `sources` is that of an exchange between the same processes, which says who waits for whom.
    """

    name: str = ""  # as in "ncclAllReduce"
    reduction: str = ""  # as in "ncclSum"; '' if there is none
    element: str = ""
    count: int = 0
    groups: tuple[tuple[int, ...], ...] = ()
    written: int = 0  # the bytes of the result

    @property
    def extents(self) -> tuple[int, int]:
        return self.size, self.written


@dataclass(frozen=True)
class Number:
    """Write the number of the process, with 32 bits."""

    place: Place


Spec = (
    products.ProductSpec | convolutions.ConvolutionSpec | transforms.TransformSpec | solver.SolverSpec | EmbeddedKernel
)
SPECS: Mapping[str, Any] = {
    "product": products.ProductSpec, "convolution": convolutions.ConvolutionSpec, "transform": transforms.TransformSpec,
    "procedure": solver.SolverSpec, "embedded": EmbeddedKernel,
}  # fmt: skip
Action = GraphLaunch | GraphCopy | Multiply | GraphLoop | GraphBranch | OnHost | GraphExchange | Number


@dataclass(frozen=True)
class CudaExecutable:
    """What a plan does on a GPU.

    `kernels` and `products` are numbered; `hosts` are the steps that run on the host. `steps` are those of the plan
    that the actions belong to, which the store does not keep, and `lines` their locations in the model. `libraries` are
    those that it calls, and `lacking` those that it would call if they were installed.
    """

    actions: tuple[Action, ...]
    kernels: tuple[CudaKernel, ...]
    products: tuple[Spec, ...]
    arena: int
    hosts: tuple[tuple[Block, Host | Lapack], ...] = ()
    lines: tuple[str, ...] = ()
    in_place: Mapping[int, int] = field(default_factory=dict)
    libraries: tuple[str, ...] = ()
    lacking: tuple[str, ...] = ()
    steps: tuple[Step, ...] = ()


def inner_actions(action: Action) -> tuple[tuple[Action, ...], ...]:
    match action:
        case GraphLoop():
            return (action.condition, action.body)
        case GraphBranch():
            return action.branches
    return ()


def needs_host(actions: Sequence[Action], loops: bool = False, inner: bool = False) -> bool:
    """Whether a graph cannot hold all of these actions, as its own or as those of a loop or branch.

    With `loops`, the outermost loops may exchange values: processes that leave one at different times are found
    (`Watch`).
    """
    kinds = OnHost | Direct | GraphExchange if inner else OnHost | Direct
    return any(
        isinstance(a, kinds)
        or any(needs_host(x, False, not (loops and isinstance(a, GraphLoop))) for x in inner_actions(a))
        for a in actions
    )


def exchanges_of(actions: Sequence[Action]) -> Iterator[GraphExchange]:
    """The exchanges among actions, and inside them."""
    for action in actions:
        if isinstance(action, GraphExchange):
            yield action
        for inner in inner_actions(action):
            yield from exchanges_of(inner)


def runs_on_host(actions: Sequence[Action]) -> bool:
    """Whether the host itself carries out one of these actions, or one inside them."""
    return any(isinstance(a, OnHost | Direct) or any(map(runs_on_host, inner_actions(a))) for a in actions)


# ---------------------------------------------------------------- as text


def describe(executable: CudaExecutable, action: Action) -> str:
    """What an action runs and the location in the model that it comes from, for messages."""
    match action:
        case GraphLaunch():
            name = f"kernel {executable.kernels[action.kernel].name}"
        case Multiply():
            name = str(executable.products[action.product])
        case OnHost():
            name = f"step {action.number} on the host"
        case GraphCombine():
            name = f"{action.name} of {action.size:,} bytes"
        case GraphExchange():
            name = f"an exchange of parts of {action.size:,} bytes"
        case _:
            return type(action).__name__.removeprefix("Graph").lower()
    places = dict.fromkeys(executable.lines[n] for n in steps_of(action) if n < len(executable.lines))
    return f"{name} ({', '.join(places)})" if places else name


def steps_of(action: Action) -> tuple[int, ...]:
    """The numbers of the steps that an action belongs to, as far as they are known."""
    match action:
        case GraphLaunch():
            return tuple(n for n in (action.source, *action.others) if n >= 0)
        case Multiply() | OnHost() | GraphExchange() if action.source >= 0:
            return (action.source,)
    return ()


# ---------------------------------------------------------------- for the store

KINDS: Mapping[str, Any] = {kind.__name__: kind for kind in (*get_args(Action), Direct, GraphCombine)}
# What an executable keeps as it is, or as rows.
KEPT = ("actions", "arena", "lines", "libraries", "lacking")


def to_rows(value: Any) -> Any:
    """Actions as what JSON can hold."""
    if type(value).__name__ in KINDS:
        return [type(value).__name__, {name: to_rows(field) for name, field in vars(value).items()}]
    return [*map(to_rows, value)] if isinstance(value, tuple | list) else value


def from_rows(value: Any) -> Any:
    """The inverse of `to_rows`: a name with fields is an action, one with two numbers a place."""
    match value:
        case [str(name), dict(fields)]:
            return KINDS[name](**{key: from_rows(field) for key, field in fields.items()})
        case [str(kind), int(number), int(offset)]:
            return Place(kind, number, offset)
        case list():
            return tuple(map(from_rows, value))
    return value
