"""A program whose code serves all sizes of its open dimensions."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Mapping, Sequence

from ..errors import Error, NoNativeCode
from ..ir import TensorType
from ..ir.dtypes import static_shape
from ..ir.sizes import Condition, is_open, relation, sizes_for, value_of
from ..machine import forking
from ..records import dataclass
from ..targets import Executor, NotBuilt, OpenExecutor, Progress
from .compiled import Compiled, Types


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
                except (Error, NotBuilt):  # programs for known sizes are what always works
                    self._fails = True
                except Exception as error:
                    self._fails = True
                    warn_of(error)
                else:
                    self.keep(self, self.executor)
            return None if callable(self.executor) else self.executor


def warn_of(error: Exception) -> None:
    """Say that there is no code for all sizes for a reason that is none."""
    message = f"a bug in hlo2tiny: no code for all sizes could be built, so each set of shapes is compiled ({error!r})"
    warnings.warn(NoNativeCode(message), stacklevel=2)


def with_sizes(type: TensorType, sizes: Sequence[int]) -> TensorType:
    return TensorType(tuple(value_of(size, sizes) for size in static_shape(type)), type.element)
