"""The open dimensions of a program, and its code for all their sizes."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from ..formats.symbolic import names_in, size_of
from ..ir import TensorType
from ..ir.dtypes import byte_size, static_shape
from ..ir.sizes import Condition, NeedsBounds, Size, is_open, largest, open_dimension, relation, sizes_for, value_of
from ..machine import forking
from ..plan.plan import Host, Plan
from ..records import dataclass
from ..targets import Executor, OpenExecutor, Progress
from .arguments import Argument
from .compiled import Compiled, Types

# The largest size of an open dimension if nobody says.
MOST = 1 << 20
# If dimensions have to be smaller than this, a plan is not for all sizes.
SMALLEST = 1 << 10
# A run has fewer bytes than this.
MOST_BYTES = 1 << 61


def named_dimensions(argument: Argument, name: str) -> list[str]:
    """The dimensions of an input as text; those that the file does not name are named for the input."""
    given = argument.dimensions or ("",) * len(argument.shape)
    return [
        str(size) if size is not None else written or f"{name}_{i}"
        for i, (size, written) in enumerate(zip(argument.shape, given))
    ]


def open_names(arguments: Sequence[Argument], dimensions: Sequence[Sequence[str]]) -> list[str]:
    """The names of all open dimensions, given the text of each argument's dimensions."""
    listed = [(text, size) for a, texts in zip(arguments, dimensions) for text, size in zip(texts, a.shape)]
    return list(dict.fromkeys(inner for text, size in listed if size is None for inner in names_in(text)))


def memory_of(plan: Plan) -> int:
    """At least the bytes of all that a run of a plan computes."""
    memory: int = 0
    for block in plan.blocks():
        for type in block.types:
            memory = memory + byte_size(type)
    return memory


def most_within(limit: int, count: int, plan: Callable[[int], Plan]) -> int:
    """The largest size that dimensions may have, a power of 2, for which a run takes less memory; at least 1.

    Args:
        count: how many dimensions are open.
        plan: makes the plan for dimensions that may be so large.
    """
    most = MOST
    while most > 1:
        try:
            memory = memory_of(plan(most))
        except NeedsBounds:
            if most < SMALLEST:
                raise
            most >>= 5
            continue
        if largest(memory) < limit:
            break
        most //= 2
        while most > 1 and is_open(memory) and memory.value([most] * count) >= limit:
            most //= 2
    return most


def open_shapes(
    arguments: Sequence[Argument], dimensions: Sequence[Sequence[str]], most: int
) -> list[tuple[int, ...]] | None:
    """The shapes of arguments as expressions of their open dimensions; None if one is none."""
    facts = list[Size]()
    sizes = {name: open_dimension(i, most, facts) for i, name in enumerate(open_names(arguments, dimensions))}
    shapes = []
    for argument, texts in zip(arguments, dimensions):
        shape = [size_of(text, sizes) if size is None else size for text, size in zip(texts, argument.shape)]
        known = tuple(size for size in shape if size is not None)
        if len(known) < len(shape):
            return None
        shapes.append(known)
    return shapes


@dataclass(eq=False)
class OpenProgram:
    """A program whose code serves all sizes of its open dimensions.

    Attributes:
        inputs, outputs: the types of its arguments and results, with open sizes.
        donated: see `Compiled`.
        conditions: what the file requires of sizes.
        executor: its code, or a function that compiles it.
        keep: called with the program and its code once that has been compiled.
    """

    inputs: Types
    outputs: Types
    donated: Mapping[int, int]
    conditions: Sequence[Condition]
    executor: OpenExecutor | Callable[[Progress], OpenExecutor]
    keep: Callable[[OpenProgram, OpenExecutor], None] = lambda program, executor: None

    def __post_init__(self) -> None:
        self._lock = forking.lock()
        self._fails = False

    def of_shapes(self, shapes: Sequence[tuple[int, ...]], otherwise: Callable[[], Compiled]) -> Compiled | None:
        """The program for arguments of these shapes; None if it does not serve them.

        Args:
            otherwise: makes the program for these shapes only, in case that this one cannot be compiled.
        """
        types = [*map(static_shape, self.inputs)]
        pairs = [pair for type, shape in zip(types, shapes, strict=True) for pair in zip(type, shape, strict=True)]
        dimensions = {d for type in types for size in type if is_open(size) for d in size.dimensions}
        sizes = None if self._fails else sizes_for(pairs, len(dimensions))
        if sizes is None or any(not 1 <= sizes[d.number] <= d.most for d in dimensions):
            return None
        holds = (relation(value_of(c.left, sizes), c.name, value_of(c.right, sizes)) for c in self.conditions)
        if not all(map(bool, holds)):  # the other one says which
            return None
        known = sizes

        def compile(progress: Progress) -> Executor:
            executor = self.compile(progress)
            if executor is not None:
                return executor.of_sizes(known)
            program.planned = (single := otherwise()).planned
            program.donated = single.donated
            return single.compile(progress)

        inputs, outputs = ([with_sizes(type, sizes) for type in side] for side in (self.inputs, self.outputs))
        program = Compiled(inputs, outputs, self.donated, compile)
        return program

    def compile(self, progress: Progress) -> OpenExecutor | None:
        """The code, which is compiled now if it has not been; None if that fails."""
        with self._lock:
            if callable(self.executor) and not self._fails:
                try:
                    self.executor = self.executor(progress)
                except Exception:  # of whatever kind: programs for known sizes are what always works
                    self._fails = True
                else:
                    self.keep(self, self.executor)
            return None if callable(self.executor) else self.executor


def with_sizes(type: TensorType, sizes: Sequence[int]) -> TensorType:
    return TensorType(tuple(value_of(size, sizes) for size in static_shape(type)), type.element)


def calls_host(plan: Plan) -> bool:
    """Whether functions or handlers carry out a part of a plan, which get arrays of known shapes."""
    return any(isinstance(step, Host) for block in plan.blocks() for step in block.steps)
