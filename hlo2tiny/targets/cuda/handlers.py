"""Compiled handlers of custom calls, which get memory of the GPU and a stream.

They run where host steps do, between graphs: what they launch is ordered by the stream. Nothing waits for it.
"""

from __future__ import annotations

import ctypes
from collections.abc import Mapping, Sequence
from functools import cache

from ...plan.plan import Block, Host, Lapack
from ..handlers import Calls, DeviceStructure, Handler
from .driver import Gpu, check, driver

# What graphs are launched in, too.
STREAM = 0


@cache
def memory_functions() -> tuple[int, int]:
    """The driver's functions that allocate and free memory in the order of a stream."""
    library = ctypes.CDLL("libcuda.so.1")
    found = [
        ctypes.cast(getattr(library, name), ctypes.c_void_p).value or 0
        for name in ("cuMemAllocAsync", "cuMemFreeAsync")
    ]
    return found[0], found[1]


class OnDevice:
    """The steps of a program that handlers carry out, by the numbers of host steps."""

    def __init__(self, hosts: Sequence[tuple[Block, Host | Lapack]], handlers: Mapping[str, Handler]) -> None:
        found = [(n, block, step) for n, (block, step) in enumerate(hosts) if is_handled(step, handlers)]
        self._numbers = {n: number for number, (n, _, _) in enumerate(found)}
        self._calls = Calls([(block, step) for _, block, step in found if isinstance(step, Host)], handlers)

    @classmethod
    def of(cls, hosts: Sequence[tuple[Block, Host | Lapack]], handlers: Mapping[str, Handler]) -> OnDevice | None:
        """The steps, if there are any."""
        return cls(hosts, handlers) if any(is_handled(step, handlers) for _, step in hosts) else None

    def __contains__(self, number: int) -> bool:
        return number in self._numbers

    def run(self, number: int, inputs: Sequence[int], outputs: Sequence[int], gpu: Gpu) -> None:
        """Launch a step on memory at these addresses; raises InputError if the handler fails."""
        index = self._numbers[number]
        for operand, result, size in self._calls.aliases[index]:
            if size:
                check(driver().cuMemcpyDtoDAsync(outputs[result], inputs[operand], size, STREAM))
        device = DeviceStructure(STREAM, *memory_functions(), int(gpu.name.partition(":")[2] or 0))
        self._calls.run(index, inputs, outputs, device)


def is_handled(step: Host | Lapack, handlers: Mapping[str, Handler]) -> bool:
    return isinstance(step, Host) and step.name[1:] in handlers
