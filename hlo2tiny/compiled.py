"""A program for known shapes, ready to be called."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from . import forking
from .ir import Module, TensorType
from .targets import Executor, Progress

if TYPE_CHECKING:
    import numpy as np

    from .plan import Plan


Types = Sequence[TensorType]
Compiler = Callable[[Progress], Executor]


@dataclass(frozen=True, eq=False)
class Planned:
    """A module of static shapes, and its plan."""

    module: Module
    plan: Plan


class Compiled:
    """A program for one set of shapes, which is compiled when it is first needed, or comes from the store.

    Args:
        executor: what runs the program, or a function that compiles it.

    Attributes:
        inputs, outputs: the static types of its arguments and results.
        planned: its module and plan; None if it comes from the store and nothing has needed them.
        gradients: the programs of its gradient, by the arguments that it is differentiated with respect to. With each
            are the numbers of the results whose cotangents it takes.
    """

    def __init__(
        self, inputs: Types, outputs: Types, executor: Executor | Compiler, planned: Planned | None = None
    ) -> None:
        self.inputs, self.outputs, self.planned = inputs, outputs, planned
        self.gradients: dict[tuple[int, ...], tuple[Compiled, tuple[int, ...]]] = {}
        self._compile: Compiler | None = executor if callable(executor) else None
        self._executor: Executor | None = None if callable(executor) else executor
        self._lock = forking.lock()

    def compile(self, progress: Progress = lambda done, total: None) -> Executor:
        """What runs the program, which is compiled now if it has not been; `progress(done, total)` counts kernels.

        Raises:
            InputError: there is no compiler, or too little memory.
            UnsupportedOp: tinygrad cannot build a kernel.
        """
        with self._lock:
            if self._compile is not None:
                self._executor, self._compile = self._compile(progress), None
            executor = self._executor
            assert executor is not None
        progress(1, 1)
        return executor

    def run(self, inputs: Sequence[Any]) -> list[Any]:
        """Run on tinygrad's buffers and numpy arrays; the results are in new buffers."""
        return (self._executor or self.compile()).run(inputs)

    def run_into(self, inputs: Sequence[Any], outputs: Sequence[Any]) -> None:
        """The same, with the results in these buffers, which may not be inputs."""
        (self._executor or self.compile()).run_into(inputs, outputs)

    def run_numpy(self, arrays: Sequence[Any]) -> list[np.ndarray]:
        """The same on numpy arrays of the declared types, with arrays as results."""
        return (self._executor or self.compile()).run_numpy(arrays)
