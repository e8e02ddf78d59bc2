"""Kernels of a region that read the same elements become one, which reads them once.

The statistics of a batch and their gradients are several sums over the same arrays, and a layer may write a result and
a mask from what it reads.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Sequence

from ...rules.scatters import LEAST_COMPUTED, NARROW
from ...tinygrad.joining import covers, join_nests, join_writer
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
            if not writes.isdisjoint(uses[m][0] | uses[m][1]):
                break  # it has to come after that one
            follows, first = not reads.isdisjoint(uses[m][1]), joined.get(m, kernels[m])
            both = join_nests(first, kernel) if m in candidates and first is not None else None
            if both is not None and fits(both):
                joined |= {m: both, n: None}
                uses[m] = uses[m][0] | reads, uses[m][1] | writes
                uses[n] = set(), set()
                break
            if follows:
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


# The place of its values among the arguments of the function that folds rows.
FOLD, VALUES = "fold_runs", 4


def join_values(kernels: Sequence[LoweredKernel], first_temporary: int) -> dict[int, int]:
    """For the numbers of kernels that fold rows, those of the ones that compute what only these read.

    Rows of few elements that are read in another order are stored: each of their operands would be read so. So are few
    rows: they are folded by a kernel that is compiled for any values.
    """
    joined, uses = dict[int, int](), [*map(uses_of, kernels)]
    for n, kernel in enumerate(kernels):
        if kernel.name != FOLD or not kernel.passes_addresses:
            continue
        _, places, (_, width, *_, ordered) = kernel.call
        values = kernel.buffers[places[VALUES]]
        users = [
            m for m, (reads, writes) in enumerate(uses) if values in reads | writes or values in kernels[m].buffers
        ]
        if values < first_temporary or len(users) != 2 or (width < NARROW and ordered):
            continue
        m, written = users[0], set[int]().union(*(writes for _, writes in uses[users[0] + 1 : n + 1]))
        if users[1] == n and uses[m][0].isdisjoint(written) and computes_elements(kernels[m]):
            joined[n] = m
    return joined


def computes_elements(kernel: LoweredKernel) -> bool:
    """Whether a kernel computes many elements, each by itself and for the place of its number."""
    if len(kernel.writes) != 1 or kernel.registers or kernel.passes_addresses or kernel.facts.updates:
        return False
    (write,) = kernel.writes
    if (
        kernel.is_conditional
        or write.is_conditional
        or write.offset is None
        or len({*kernel.buffers}) < len(kernel.buffers)
    ):
        return False
    independent = all(loop.independent for loop in kernel.facts.loops)
    whole = write.offset[0] == 0 and covers(write.offset, [*kernel.dimensions, *kernel.counters.values()])
    return independent and whole and LEAST_COMPUTED <= write.elements < 1 << 31


def uses_of(kernel: LoweredKernel) -> tuple[set[int], set[int]]:
    """The buffers that a kernel reads and writes."""
    facts = kernel.facts
    reads, writes = ({facts.buffers[access.buffer] for access in side} for side in (facts.reads, facts.writes))
    return reads, writes
