"""What is compiled for the shapes of one call."""

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


@dataclass(frozen=True, eq=False)
class Planned:
    """A module of static shapes, and how it runs."""

    module: Module
    plan: Plan


class Compiled:
    """A program for one set of shapes: made of a plan when it is first needed, or found in the store.

    Args:
        executor: what runs it, or what compiles that.

    Attributes:
        inputs, outputs: the static types of its arguments and results.
        planned: what it is made of; None: it is from the store, and nobody has asked.
        gradients: by the arguments that it is differentiated by, the program of its gradient, and the results of which
            that takes cotangents.
    """

    def __init__(
        self,
        inputs: Sequence[TensorType],
        outputs: Sequence[TensorType],
        executor: Executor | Callable[[Progress], Executor],
        planned: Planned | None = None,
    ) -> None:
        self.inputs, self.outputs, self.planned = inputs, outputs, planned
        self.gradients: dict[tuple[int, ...], tuple[Compiled, tuple[int, ...]]] = {}
        self._compile: Callable[[Progress], Executor] | None = executor if callable(executor) else None
        self._executor: Executor | None = None if callable(executor) else executor
        self._lock = forking.lock()

    def compile(self, progress: Progress = lambda done, total: None) -> Executor:
        """What runs the program, compiled now if it is not yet; `progress` is told how far that is.

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
        """The results for buffers of tinygrad and arrays, in buffers that no one else holds."""
        return (self._executor or self.compile()).run(inputs)

    def run_into(self, inputs: Sequence[Any], outputs: Sequence[Any]) -> None:
        """The same with the results in given buffers, which are none of the inputs."""
        (self._executor or self.compile()).run_into(inputs, outputs)

    def run_numpy(self, arrays: Sequence[Any]) -> list[np.ndarray]:
        """The same on numpy arrays of the declared types."""
        return (self._executor or self.compile()).run_numpy(arrays)
