"""A program for known shapes, ready to be called."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, cast

from ..ir import Module, TensorType
from ..machine import forking
from ..targets import ArrayCall, Executor, Prepares, Progress
from ..targets.arrays import Fixed

if TYPE_CHECKING:
    import numpy as np

    from ..plan.plan import Plan
    from .sharded import ShardedExecutor


Types = Sequence[TensorType]
CompileExecutor = Callable[[Progress], Executor]


class Compiled:
    """A program for one set of shapes, which is compiled when it is first needed, or comes from the store.

    Args:
        executor: what runs the program, or a function that compiles it.

    Attributes:
        inputs, outputs: the static types of its arguments and results.
        donated: the results that take the memory of an argument if a call lets them, and the argument.
        planned: its module of static shapes and its plan; None if it comes from the store and nothing has needed them.
        gradients: the programs of its gradient, by the arguments that it is differentiated with respect to. With each
            are the numbers of the results whose cotangents it takes.
        keep: called with the program and its executor once it has been compiled.
    """

    def __init__(
        self,
        inputs: Types,
        outputs: Types,
        donated: Mapping[int, int],
        executor: Executor | CompileExecutor,
        planned: tuple[Module, Plan] | None = None,
    ) -> None:
        self.inputs, self.outputs, self.donated = inputs, outputs, donated
        self.planned = planned
        self.gradients: dict[tuple[int, ...], tuple[Compiled, tuple[int, ...]]] = {}
        self.keep: Callable[[Compiled, Executor], None] = lambda compiled, executor: None
        self._compile: CompileExecutor | None = executor if callable(executor) else None
        self._executor: Executor | None = None if callable(executor) else executor
        self._lock = forking.lock()

    @property
    def module(self) -> Module:
        assert self.planned is not None
        return self.planned[0]

    @property
    def plan(self) -> Plan:
        assert self.planned is not None
        return self.planned[1]

    def compile(self, progress: Progress = lambda done, total: None) -> Executor:
        """What runs the program, which is compiled now if it has not been; `progress(done, total)` counts kernels.

        Raises:
            InputError: there is no compiler, or too little memory.
            UnsupportedOp: tinygrad cannot build a kernel.
        """
        with self._lock:
            if self._compile is not None:
                with forking.without_collection():
                    self._executor, self._compile = self._compile(progress), None
                self.keep(self, self._executor)
            executor = self._executor
            assert executor is not None
        progress(1, 1)
        return executor

    @property
    def in_place(self) -> Mapping[int, int]:
        """See `Executor`; a part of `donated`."""
        return (self._executor or self.compile()).in_place

    def run(self, inputs: Sequence[Any], outputs: Mapping[int, Any] = {}) -> list[Any]:
        """See `Executor`."""
        return (self._executor or self.compile()).run(inputs, outputs)

    def run_numpy(self, arrays: Sequence[Any], outputs: Mapping[int, np.ndarray] = {}) -> list[np.ndarray]:
        """See `Executor`; a result may be in the memory of the argument with which `donated` pairs it."""
        executor = self._executor or self.compile()
        if not outputs:
            return executor.run_numpy(arrays)
        late = {i: x for i, x in outputs.items() if i in self.donated and i not in executor.in_place}
        results = executor.run_numpy(arrays, {i: x for i, x in outputs.items() if i not in late})
        for i, array in late.items():
            array.reshape(-1).view("u1")[:] = results[i].reshape(-1).view("u1")
            results[i] = array
        return results

    def run_sharded(
        self, inputs: Sequence[Any], devices: Sequence[str], result: Callable[[int, Any], Any]
    ) -> list[Any]:
        """See `ShardedExecutor`, which the executor is."""
        return cast("ShardedExecutor", self._executor or self.compile()).run_sharded(inputs, devices, result)

    def prepare(self, values: Sequence[Fixed | None]) -> ArrayCall | None:
        """See `Prepares`. The program has run."""
        executor = self._executor
        return cast(Prepares, executor).prepare(values) if hasattr(executor, "prepare") else None
