"""Kernels of a region that run one after the other for a few rows at a time, which then stay in a core's cache.

A softmax's or norm's kernels read the same rows: the largest number or the mean of each, then what is added up, then
what is written. Each kernel alone would read them from memory again.
"""

from __future__ import annotations

from collections.abc import Sequence

from ...ir.place import Place, overlap
from .kernels import RenderedKernel, shared_loops

# The bytes of the rows that all kernels of a chain compute before the next ones. Where columns are adjacent, kernels
# reduce at least COLUMNS together; a chain of these may have more bytes, up to a core's own cache.
NEAR, COLUMNS, MOST = 1 << 15, 256, 1 << 18


def chains_of(
    kernels: Sequence[RenderedKernel], places: Sequence[Place], sizes: Sequence[int]
) -> list[Sequence[RenderedKernel]]:
    """A region's kernels in order, those that can run as a chain together; `places` and `sizes` are its buffers'."""
    chains = list[list[RenderedKernel]]()
    for kernel in kernels:
        if chains and rows_together([*chains[-1], kernel], places, sizes):
            chains[-1].append(kernel)
        else:
            chains.append([kernel])
    return [*chains]


def rows_together(chain: Sequence[RenderedKernel], places: Sequence[Place], sizes: Sequence[int]) -> int:
    """How many iterations of the loops that threads share a chain runs at a time; 0 if it is none."""
    iterations = {kernel.shared_iterations for kernel in chain}
    if len(iterations) > 1 or 0 in iterations:
        return 0
    if any(kernel.is_open or len(shared_loops(kernel.facts)) > 1 for kernel in chain):
        return 0
    uses = [number for kernel in chain for number in kernel.buffers]
    common = {number for number in uses if uses.count(number) > 1}
    written = {kernel.buffers[access.buffer] for kernel in chain for access in kernel.facts.writes}
    if not common or not all(is_of_rows(chain, number) for number in common & written):
        return 0
    if any(overlap(places[a], sizes[a], places[b], sizes[b]) for a in written for b in {*uses} - {a}):
        return 0
    (count,) = iterations
    bytes = sum(sizes[number] for number in {*uses} if sizes[number] >= count) // count
    least = COLUMNS if any(has_columns(kernel) for kernel in chain) else 1
    rows = max(least, NEAR // max(1, bytes))
    return rows if rows * bytes <= MOST and rows < count and count * bytes > NEAR else 0


def is_of_rows(chain: Sequence[RenderedKernel], number: int) -> bool:
    """Whether each iteration accesses only its own part of a buffer, the same one in all kernels."""
    own = {kernel.own_elements(i) for kernel in chain for i, n in enumerate(kernel.buffers) if n == number}
    return len(own) == 1 and 0 not in own


def has_columns(kernel: RenderedKernel) -> bool:
    """Whether neighbouring iterations read neighbours in rows of a matrix."""
    return any(a.loop != 0 and a.offset is not None and a.offset[1] == 1 for a in kernel.facts.reads)


def chain_text(names: Sequence[str], parameters: Sequence[int], rows: int) -> str:
    """The function of a chain, given the names of its kernels, how many buffers each has, and `rows_together`."""
    calls, at = list[str](), 0
    for name, count in zip(names, parameters):
        calls.append(f"    {name}(b + {at}, i, next);")
        at += count
    lines = [
        "static void @(void *const *b, long begin, long end) {",
        f"  for (long i = begin, next; i < end; i = next) {{\n    next = end - i < {rows} ? end : i + {rows};",
        *calls,
        "  }\n}\n",
    ]
    return "\n".join(lines)
