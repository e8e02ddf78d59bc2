"""Kernels of a region that read the same elements become one, which reads them once.

The statistics of a batch and their gradients are several sums over the same arrays, and a layer may write a result and
a mask from what it reads.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Sequence

from ...tinygrad.joining import join_nests, join_writer
from ...tinygrad.lowered import LoweredKernel

# How many kernels before it one may be joined with.
REACH = 16


def join_readers(
    kernels: Sequence[LoweredKernel],
    candidates: Container[int],
    fits: Callable[[LoweredKernel], bool] = lambda kernel: True,
) -> dict[int, LoweredKernel | None]:
    """For the number of the first of several kernels, what they become; None for the numbers of the others."""
    joined: dict[int, LoweredKernel | None] = {}
    uses = [*map(uses_of, kernels)]
    for n, kernel in enumerate(kernels):
        reads, writes = uses[n]
        if n not in candidates:
            continue
        for m in range(n - 1, max(-1, n - 1 - REACH), -1):
            if not reads.isdisjoint(uses[m][1]) or not writes.isdisjoint(uses[m][0] | uses[m][1]):
                break  # it has to come after that one
            first = joined.get(m, kernels[m])
            if m not in candidates or first is None:
                continue
            both = join_nests(first, kernel)
            if both is not None and fits(both):
                joined |= {m: both, n: None}
                uses[m] = uses[m][0] | reads, uses[m][1] | writes
                uses[n] = set(), set()
                break
    return joined


def join_writers(
    kernels: Sequence[LoweredKernel],
    joined: dict[int, LoweredKernel | None],
    writers: Container[int],
    reductions: Container[int],
    fits: Callable[[LoweredKernel], bool],
) -> None:
    """Let reductions compute and store what they read, instead of the kernels `writers`, as entries of `joined`."""
    for n, kernel in enumerate(kernels):
        reduction = joined.get(n, kernel)
        if n not in reductions or reduction is None:
            continue
        reads, writes = uses_of(reduction)
        for m in range(n - 1, max(-1, n - 1 - REACH), -1):
            between = kernels[m] if m not in joined else joined[m]
            if between is None:
                continue
            before = uses_of(between)
            if not writes.isdisjoint(before[0] | before[1]):
                break
            if not reads.isdisjoint(before[1]):
                both = join_writer(between, reduction) if m in writers and m not in joined else None
                if both is not None and fits(both):
                    joined |= {m: both, n: None}
                break


def uses_of(kernel: LoweredKernel) -> tuple[set[int], set[int]]:
    """The buffers that a kernel reads and writes."""
    facts = kernel.facts
    reads, writes = ({facts.buffers[access.buffer] for access in side} for side in (facts.reads, facts.writes))
    return reads, writes
