"""Our programs as nodes of tinygrad's graph.

tinygrad runs a compiled kernel through a node of the kind `Ops.PROGRAM`, whose runtime it looks up in a table of loaded
programs (`runtime_cache`). Our node is such a program, with a Python function in that table, so tinygrad needs no
change.
"""

from __future__ import annotations

import weakref
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field  # of a class of tinygrad
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
    """The function that a node runs, on the buffers of its results, then its operands; and a unique name."""

    name: str
    run: Callable[[list[Buffer]], None]


@dataclass(frozen=True)
class NodeInfo(ProgramInfo):  # type: ignore[misc]
    """tinygrad's description of a program, which also keeps the runnable alive as long as the node."""

    runnable: Runnable = field(kw_only=True, repr=False, compare=False)

    def __reduce__(self) -> Any:
        raise TypeError("a tinygrad graph that runs an hlo2tiny program cannot be pickled")


class Borrowed(Buffer):  # type: ignore[misc]
    """Memory that belongs to tinygrad, as a buffer for the time of one run."""

    def __init__(self, memory: Any, size: int, dtype: DType, device: str) -> None:
        super().__init__(device, size, dtype)
        self.allocator = allocators[device]
        self._bufs[self.device] = memory

    def __del__(self) -> None:
        self._bufs.clear()  # tinygrad frees it


@dataclass(frozen=True, eq=False)
class NodeRuntime:
    """What tinygrad calls to run a node, with the memory of the node's results and operands."""

    runnable: weakref.ref[Runnable]
    layouts: Sequence[tuple[int, DType]]
    device: str

    def __call__(self, *memory: Any, **sizes: Any) -> None:
        runnable = self.runnable()
        assert runnable is not None  # the node that tinygrad runs keeps it alive
        runnable.run([Borrowed(m, *layout, self.device) for m, layout in zip(memory, self.layouts, strict=True)])


@cache
def elsewhere() -> UOp:
    """A buffer on a device that only holds arrays: an operand that every node has and none reads.

    As the node then spans two devices, tinygrad does not make it part of a graph of launches on one device.
    """
    return UOp.from_buffer(Buffer("NPY", 1, dtypes.uint8, opaque=np.zeros(1, np.uint8)))


def results_of(
    runnable: Runnable, results: Sequence[tuple[tuple[int, ...], DType]], operands: Sequence[Tensor], device: str
) -> list[Tensor]:
    """The results of a new node, unrealized: the node runs when tinygrad realizes one of them."""
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
    # If the entry in the table were missing, tinygrad would try to load these bytes, and fail.
    code = UOp(Ops.BINARY, arg=b"\x7fELF " + runnable.name.encode())
    parts = (kernel, UOp(Ops.LINEAR), UOp(Ops.SOURCE, arg=runnable.name), code)
    program = UOp(Ops.PROGRAM, src=parts, arg=info)
    # tinygrad returns an equal node if there is one, with the runnable that this one was made with.
    key, runnable = (program.key, device), program.arg.runnable
    entry = runtime_cache.get(key)
    if not isinstance(entry, NodeRuntime) or entry.runnable() is not runnable:
        runtime_cache[key] = runtime = NodeRuntime(weakref.ref(runnable), layouts, device)
        weakref.finalize(runnable, forget, key, runtime)
    call = program.call(*targets, *sources, elsewhere())
    return [Tensor(target.after(call)) for target in targets]


def forget(key: tuple[bytes, str], runtime: NodeRuntime) -> None:
    """Remove a runtime from tinygrad's table, unless a newer one has taken its place."""
    if runtime_cache.get(key) is runtime:
        del runtime_cache[key]


def with_gradient(
    values: Sequence[Tensor], operands: Sequence[Tensor], pull: Callable[[list[Tensor | None]], Sequence[Tensor | None]]
) -> list[Tensor]:
    """The values, as a function of the operands with the derivative `pull`.

    `pull` takes the gradients of the values, None for a value without one, and returns those of the operands. The
    tensors returned here are separate from a node's results, so that in-place updates by a user do not reach those:
    tinygrad may run the node again for another result.
    """
    count = len(values)

    def backward(*gradients: UOp, call: UOp | None = None) -> tuple[UOp | None, ...]:
        # tinygrad leaves out values without gradient; the tags of the others say which value they belong to.
        cotangents: list[Tensor | None] = [None] * count
        for uop in gradients if call is not None else gradients[:1]:
            cotangents[uop.tag[1]] = Tensor(uop.replace(tag=None))
        return (*[None] * count, *(x.uop if x is not None else None for x in pull(cotangents)))

    uops = [x.uop for x in values]
    body = UOp.maketuple(*(uop.param_like(i) for i, uop in enumerate(uops)))
    function = body.call(*uops, *(x.uop for x in operands), grad_fxn=backward)

    def number_value(i: int) -> Tensor:
        value = function.gettuple(i)
        named = value.param_like(0).call(value, grad_fxn=lambda uop, call: (uop.replace(tag=("value", i)),))
        return Tensor(named.gettuple(0))

    return [number_value(i) for i in range(count)]


def is_detached(tensor: Tensor) -> bool:
    return bool(tensor.uop.op is Ops.DETACH)
