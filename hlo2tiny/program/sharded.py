"""Runs a program of several processes on whole arrays, which are cut into shards and joined again."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from functools import cached_property
from math import prod
from typing import Any, Protocol

import numpy as np

from ..ir.dtypes import numpy_dtype, static_shape
from ..ir.sharding import Placement
from ..targets import Serialized
from ..targets.arrays import Fixed, storage_array

REDUCTIONS = {"add": np.add, "maximum": np.maximum, "minimum": np.minimum}


class Team(Protocol):
    """What runs the processes of a plan. Several threads may call it at the same time."""

    count: int
    device: str  # of whole Tensors

    def hold(self, number: int, shards: Sequence[np.ndarray]) -> list[Any]:
        """The shards of an argument that many calls use, where the processes read them."""

    def run_each(
        self,
        inputs: Sequence[Sequence[Any]],
        outputs: Sequence[Sequence[Any]],
        meanwhile: Callable[[], None] = lambda: None,
    ) -> None:
        """Run on the arguments of each process: arrays, buffers on its device, or what `hold` returned.

        The results are written to arrays, or all of them to buffers; None stands for one without elements. `meanwhile`
        is called before they are there, if possible while other processors compute them.
        """

    def serialize(self) -> Serialized | None:
        """See `Executor`."""


def join(
    views: Sequence[np.ndarray], parts: Sequence[np.ndarray | None], placement: Placement, summed: bool = False
) -> None:
    """Write what processes hold of a result into views of the whole, where it may lie already.

    All are added if it is `summed`; otherwise the first that holds a part, or a term of it, counts.
    """
    for view, part, own, first in zip(views, parts, placement.owned, placement.counted):
        if part is None or part is view:
            continue
        if own:
            view[...] = part
        elif summed or first:
            view[...] = REDUCTIONS[placement.reduction](view, part)


class ShardedExecutor:
    """An executor of whole arguments and results.

    Args:
        team: runs the processes.
        inputs, outputs: how the arguments and results are distributed.
        seeds: the arguments that only one process of those with the same part gets; the others get zeros.
        summed: whether a result is the sum over the processes with the same part, rather than that of the first.
    """

    in_place: Mapping[int, int] = {}

    def __init__(
        self,
        team: Team,
        inputs: Sequence[Placement],
        outputs: Sequence[Placement],
        seeds: Collection[int] = (),
        summed: bool = False,
    ) -> None:
        self.team, self.inputs, self.outputs, self.seeds, self.summed = team, inputs, outputs, seeds, summed
        self._fixed: dict[int, tuple[Fixed, list[Any]]] = {}  # the shards of arguments that many calls use

    def run_numpy(
        self, arrays: Sequence[np.ndarray | Fixed], outputs: Mapping[int, np.ndarray] = {}
    ) -> list[np.ndarray]:
        shards = [self._shards(i, x) for i, x in enumerate(arrays)]
        results, wanted, parts = [], [], []
        for i, placement in enumerate(self.outputs):
            shape, dtype = static_shape(placement.type), numpy_dtype(placement.type.element)
            whole = outputs[i] if i in outputs else np.empty(shape, dtype)
            results.append(whole)
            views = [whole[(*index, ...)] for index in placement.indices]
            wanted.append(views)
            direct = [not self.summed and own and v.flags.c_contiguous for own, v in zip(placement.owned, views)]
            parts.append([v if here else np.empty(v.shape, dtype) for v, here in zip(views, direct)])
        people = range(self.team.count)
        self.team.run_each([[row[n] for row in shards] for n in people], [[row[n] for row in parts] for n in people])
        for views, row, placement in zip(wanted, parts, self.outputs):
            join(views, row, placement, self.summed)
        return results

    def run(self, inputs: Sequence[Any], outputs: Mapping[int, Any] = {}) -> list[Any]:
        from ..tinygrad.buffers import copy_into, from_numpy, operand

        device = self.team.device
        arrays = [
            x if isinstance(x, (np.ndarray, Fixed)) else operand(x, p.type, device) for x, p in zip(inputs, self.inputs)
        ]
        results = [from_numpy(x, p.type, device) for x, p in zip(self.run_numpy(arrays), self.outputs)]
        for i, buffer in outputs.items():
            copy_into(buffer, results[i])
            results[i] = buffer
        return results

    def run_sharded(
        self, inputs: Sequence[Any], devices: Sequence[str], result: Callable[[int, Any], Any]
    ) -> list[Any]:
        """Run on buffers or arrays of whole arguments, or on lists of the buffers of their shards on these devices.

        Returns:
            What `result` makes of each result's number and the buffers of its shards, or a whole buffer on the first
            device if Tensors have no such sharding, or no elements.
        """
        from ..tinygrad.buffers import allocate_results, from_numpy, operand, to_numpy

        first, rows = self.team.device, []
        for i, (x, placement) in enumerate(zip(inputs, self.inputs)):
            if not isinstance(x, list):
                whole = x if isinstance(x, (np.ndarray, Fixed)) else operand(x, placement.type, first)
                x = self._shards(i, whole)
            rows.append(x)
        parts = [allocate_results(self._layouts, device, {})[0] for device in devices]
        shards = [[*row] for row in zip(*parts)]
        results: list[Any] = [None] * len(shards)
        direct = [i for i, p in enumerate(self.outputs) if p.dimension != -1 and None not in shards[i]]

        def meanwhile() -> None:
            for i in direct:
                results[i] = result(i, shards[i])

        self.team.run_each([*zip(*rows)] if rows else [()] * len(devices), parts, meanwhile)
        for i in sorted({*range(len(shards))} - {*direct}):
            placement, row = self.outputs[i], shards[i]
            array = np.empty(static_shape(placement.type), numpy_dtype(placement.type.element))
            found = [to_numpy(x, placement.part) if first else None for first, x in zip(placement.counted, row)]
            join([array[(*index, ...)] for index in placement.indices], found, placement)
            results[i] = result(i, from_numpy(array, placement.type, first))
        return results

    @cached_property
    def _layouts(self) -> tuple[tuple[int, Any], ...]:
        """The number of elements of each result's shards, and their dtype."""
        from ..tinygrad.buffers import buffer_layout

        return tuple((prod(shape), dtype) for shape, dtype in (buffer_layout(p.part) for p in self.outputs))

    def serialize(self) -> Serialized | None:
        """See `Executor`. It is the team that is stored; a program's interface says how arguments are distributed."""
        return self.team.serialize()

    def _shards(self, number: int, value: np.ndarray | Fixed) -> list[Any]:
        """What each process gets of an argument."""
        if isinstance(value, Fixed):
            known = self._fixed.get(number)
            if known is None or known[0] is not value:
                known = self._fixed[number] = (value, self.team.hold(number, self._cut(number, value.array)))
            return known[1]
        return self._cut(number, value)

    def _cut(self, number: int, array: np.ndarray) -> list[Any]:
        placement = self.inputs[number]
        if not placement.axes and not placement.terms and number not in self.seeds:
            return [storage_array(array)] * self.team.count
        parts = [storage_array(array[(*index, ...)]) for index in placement.indices]
        if number in self.seeds:
            return [part if own else np.zeros_like(part) for own, part in zip(placement.owned, parts)]
        if placement.terms and placement.reduction == "add":
            return [np.zeros_like(part) if term else part for term, part in zip(placement.terms, parts)]
        return parts
