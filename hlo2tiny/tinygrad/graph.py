"""Programs as nodes of tinygrad's graph.

tinygrad calls what is compiled already by a node of its own, `Ops.PROGRAM`, and looks up what to call in a table of the
programs that it has loaded (`runtime_cache`). So a node of ours is such a program, with a Python function in that
table; nothing of tinygrad has to know that it is one.
"""

from __future__ import annotations

import weakref
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import cache
from math import prod
from typing import Any

import numpy as np
from tinygrad import Tensor, dtypes
from tinygrad.device import Buffer
from tinygrad.dtype import DType
from tinygrad.engine.realize import runtime_cache
from tinygrad.uop.ops import KernelInfo, Ops, ProgramInfo, UOp

from .device import allocators


@dataclass(frozen=True, eq=False)
class Runnable:
    """What a node runs on buffers: results first, then operands. Its name is that of no other one."""

    name: str
    run: Callable[[list[Buffer]], None]


@dataclass(frozen=True)
class NodeInfo(ProgramInfo):  # type: ignore[misc]
    """What tinygrad knows of a program, with what ours is: held for as long as the node is."""

    runnable: Runnable = field(kw_only=True, repr=False, compare=False)

    def __reduce__(self) -> Any:
        raise TypeError("a part of tinygrad's graph that runs a program of hlo2tiny cannot be pickled")


class Borrowed(Buffer):  # type: ignore[misc]
    """Memory that tinygrad holds, as a buffer for the time of a run."""

    def __init__(self, memory: Any, size: int, dtype: DType, device: str) -> None:
        super().__init__(device, size, dtype)
        self.allocator = allocators[device]
        self._bufs[self.device] = memory

    def __del__(self) -> None:
        self._bufs.clear()  # it is not ours to free


@dataclass(frozen=True, eq=False)
class NodeRuntime:
    """What tinygrad calls for a node, with what the node's operands have for memory."""

    runnable: weakref.ref[Runnable]
    layouts: Sequence[tuple[int, DType]]
    device: str

    def __call__(self, *memory: Any, **sizes: Any) -> None:
        found = self.runnable()
        assert found is not None  # the node that is run holds it
        found.run([Borrowed(m, *layout, self.device) for m, layout in zip(memory, self.layouts, strict=True)])


@cache
def elsewhere() -> UOp:
    """A buffer on a device that only holds arrays.

    A node takes it for an operand that it does not read: of what is on two devices, tinygrad makes no part of a graph
    that a device launches by itself.
    """
    return UOp.from_buffer(Buffer("NPY", 1, dtypes.uint8, opaque=np.zeros(1, np.uint8)))


def results_of(
    runnable: Runnable, results: Sequence[tuple[tuple[int, ...], DType]], operands: Sequence[Tensor], device: str
) -> list[Tensor]:
    """The results of a node, unrealized: it runs when tinygrad realizes one of them."""
    targets = [Tensor.empty(*shape, dtype=dtype, device=device).uop for shape, dtype in results]
    sources = [x.contiguous().uop for x in operands]
    layouts = [(int(prod(uop.shape)), uop.dtype) for uop in (*targets, *sources)]
    count = len(targets)
    info = NodeInfo(
        runnable.name,
        local_size=(1, 1, 1),
        globals=tuple(range(len(layouts))),
        outs=tuple(range(count)),
        ins=tuple(range(count, len(layouts))),
        runnable=runnable,
    )
    kernel = UOp.sink(arg=KernelInfo(runnable.name))
    # Where the table has lost it, tinygrad loads these bytes, which are no code.
    code = UOp(Ops.BINARY, arg=b"\x7fELF " + runnable.name.encode())
    parts = (kernel, UOp(Ops.LINEAR), UOp(Ops.SOURCE, arg=runnable.name), code)
    program = UOp(Ops.PROGRAM, src=parts, arg=info)
    key, own = (program.key, device), program.arg.runnable
    found = runtime_cache.get(key)
    if not isinstance(found, NodeRuntime) or found.runnable() is not own:
        runtime_cache[key] = runtime = NodeRuntime(weakref.ref(own), layouts, device)
        weakref.finalize(own, forget, key, runtime)
    call = program.call(*targets, *sources, elsewhere())
    return [Tensor(target.after(call)) for target in targets]


def forget(key: tuple[bytes, str], runtime: NodeRuntime) -> None:
    """Take what runs a node out of tinygrad's table, unless the node was made anew."""
    if runtime_cache.get(key) is runtime:
        del runtime_cache[key]


def with_gradient(
    values: Sequence[Tensor], operands: Sequence[Tensor], pull: Callable[[list[Tensor | None]], Sequence[Tensor | None]]
) -> list[Tensor]:
    """The values, as a function of the operands whose gradient is `pull`.

    `pull` takes the values' gradients, None for each that has none, and gives the operands'. As tinygrad may run a node
    again for another of its results, these are values of their own, which nobody's in-place update can reach.
    """
    count = len(values)

    def backward(*given: UOp, call: UOp | None = None) -> tuple[UOp | None, ...]:
        # tinygrad leaves out the values without gradient; the others say which they are.
        cotangents: list[Tensor | None] = [None] * count
        for uop in given if call is not None else given[:1]:
            cotangents[uop.tag[1]] = Tensor(uop.replace(tag=None))
        found = pull(cotangents)
        return (*[None] * count, *(x.uop if x is not None else None for x in found))

    uops = [x.uop for x in values]
    body = UOp.maketuple(*(uop.param_like(i) for i, uop in enumerate(uops)))
    function = body.call(*uops, *(x.uop for x in operands), grad_fxn=backward)

    def numbered(i: int) -> Tensor:
        value = function.gettuple(i)
        named = value.param_like(0).call(value, grad_fxn=lambda uop, call: (uop.replace(tag=("value", i)),))
        return Tensor(named.gettuple(0))

    return [numbered(i) for i in range(count)]


def is_detached(tensor: Tensor) -> bool:
    return bool(tensor.uop.op is Ops.DETACH)
