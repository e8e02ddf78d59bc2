"""Memory that a device shares with other libraries, through DLPack, and the order in which they use it."""

from __future__ import annotations

import contextlib
import ctypes
import weakref
from dataclasses import replace
from math import prod
from typing import Any

import numpy as np
from tinygrad import Tensor
from tinygrad.device import Buffer, BufferSpec
from tinygrad.uop.ops import UOp

from .. import dlpack
from .device import allocators, is_cuda, keep_context
from .dtypes import DTYPES_OF_ARRAYS
from .settings import building

# The stream of CUDA on which everything of ours runs, as DLPack calls it.
DEFAULT_STREAM = 1


def borrow_tensor(memory: dlpack.BorrowedTensor, device: str) -> Tensor:
    """A Tensor of another library's memory on the device, in place; complex numbers become pairs.

    Raises:
        BufferError: the numbers are not contiguous, or of a type that tinygrad lacks.
    """
    order = sorted(range(len(memory.shape)), key=lambda d: (-memory.strides[d], d))
    shape = tuple(memory.shape[d] for d in order)
    steps = tuple(memory.strides[d] for d in order)
    if not replace(memory, shape=shape, strides=steps).is_contiguous:
        raise BufferError("it has gaps in memory; pass a contiguous copy")
    pair = (2,) if memory.dtype.kind == "c" else ()
    dtype = DTYPES_OF_ARRAYS.get(np.dtype(f"f{memory.dtype.itemsize // 2}") if pair else memory.dtype)
    if dtype is None:
        raise BufferError(f"tinygrad has no type for {memory.dtype}")
    if 0 in shape:
        return Tensor.zeros(*memory.shape, *pair, dtype=dtype, device=device)
    options = BufferSpec(external_ptr=memory.address)
    with building:
        buffer = Buffer(device, prod((*shape, *pair)), dtype, options=options)
        buffer.allocator = allocators[device]
        with keep_context(device):
            buffer._bufs[device] = buffer.allocator.alloc(buffer.nbytes, options)
        weakref.finalize(buffer, release, memory.owner, device).atexit = False
        tensor = Tensor(UOp.from_buffer(buffer)).reshape(*shape, *pair)
        inverse = [order.index(d) for d in range(len(order))]
        return (
            tensor if inverse == order == sorted(order) else tensor.permute(*inverse, *([len(order)] if pair else []))
        )


# Owners of memory that no Tensor refers to any longer but that the GPU may still read, each with the event that ends
# this.
_waiting: list[tuple[Any, object]] = []


def release(owner: dlpack.Owner, device: str) -> None:
    """Return borrowed memory once everything that has been launched until now has run."""
    if not is_cuda(device):
        return
    from tinygrad.runtime.autogen import cuda

    for pair in [pair for pair in list(_waiting) if not cuda.cuEventQuery(pair[0])]:
        with contextlib.suppress(ValueError):  # another thread was faster
            _waiting.remove(pair)
            cuda.cuEventDestroy_v2(pair[0])
    _waiting.append((record_event(device), owner))


def record_event(device: str) -> Any:
    """A CUDA event after everything that has been launched until now."""
    from tinygrad.runtime.autogen import cuda
    from tinygrad.runtime.support.c import init_c_var

    with keep_context(device):
        cuda.cuCtxSetCurrent(allocators[device].dev.context)
        event = init_c_var(cuda.CUevent, lambda new: cuda.cuEventCreate(ctypes.byref(new), 2))
        cuda.cuEventRecord(event, None)
    return event


def order_streams(device: str, stream: int | None) -> None:
    """Let another CUDA stream, as DLPack names it, wait for everything that has been launched until now."""
    if stream in (None, DEFAULT_STREAM, -1):
        return
    from tinygrad.runtime.autogen import cuda

    event = record_event(device)
    cuda.cuStreamWaitEvent(ctypes.cast(ctypes.c_void_p(stream), cuda.CUstream), event, 0)
    cuda.cuEventDestroy_v2(event)
