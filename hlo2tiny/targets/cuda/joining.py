"""Kernels of a region that read the same elements become one, which reads them once.

The statistics of a batch and their gradients are several sums over the same arrays, and a layer may write a result and
a mask from what it reads.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Sequence

from ...tinygrad.lowered import LoweredKernel, join_nests

# How many kernels before it one may be joined with.
REACH = 16


def join_readers(
    kernels: Sequence[LoweredKernel],
    candidates: Container[int],
    fits: Callable[[LoweredKernel], bool] = lambda kernel: True,
) -> dict[int, LoweredKernel | None]:
    """For the number of the first of several kernels, what they become; None for the numbers of the others."""
    joined: dict[int, LoweredKernel | None] = {}
    uses: list[tuple[set[int], set[int]]] = []  # what the kernels read and write
    for n, kernel in enumerate(kernels):
        facts = kernel.facts
        reads, writes = ({facts.buffers[access.buffer] for access in side} for side in (facts.reads, facts.writes))
        uses.append((reads, writes))
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
