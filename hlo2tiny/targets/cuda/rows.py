"""Kernels that compute the same rows one after the other, as one kernel.

A softmax or a norm is a chain of reductions of rows and of elementwise work on the same rows. In one kernel, a block or
a warp computes a row from the beginning to the end, which is read once and stays close to the processor that computes
it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import prod
from typing import TYPE_CHECKING

from ...tinygrad.kernel import Kernel
from ...tinygrad.render import AddrSpace, Ops, UOp
from .kernels import MOST_THREADS, THREADS, WARP, CudaKernel
from .reductions import Linear, Sharing, Variable, length_of, linear, place, sharing_of

if TYPE_CHECKING:
    from .render import CudaRenderer

# The longest row that a block computes, and the longest of fewer rows than FEW, with which processors are idle.
LONGEST, LONGEST_OF_FEW, FEW = 1 << 14, 1 << 12, 32
# From this many elements on, they are read from memory rather than from a cache, so neighbouring threads must read
# adjacent ones.
LARGE = 1 << 20
# With this many threads a GPU has enough to do.
MANY = 1 << 17


@dataclass(frozen=True)
class Phase:
    """A kernel that may compute rows: it writes its result in order, an element in each block of its grid.

    Attributes:
        facts: its facts.
        uops: its UOps, in order.
        factors: the strides of elements, for each dimension of the grid.
        size: the number of elements.
        sharing: how threads share its reduction; None if it has none.
    """

    facts: Kernel
    uops: Sequence[UOp]
    factors: Mapping[UOp, int]
    size: int
    sharing: Sharing | None

    @property
    def iterations(self) -> int:
        """How many elements a reduction takes for each result."""
        return 1 if self.sharing is None else self.sharing.iterations

    def width(self, rows: int) -> int | None:
        """How many elements it writes to each of this many rows; None if its grid does not have rows."""
        width = self.size // rows
        if width * rows != self.size:
            return None
        split = self.split(width)
        if split is None:
            return width
        step = self.factors[split]
        return width if width % step == 0 and length_of(split) * step % width == 0 else None

    def split(self, width: int) -> UOp | None:
        """The dimension that has both rows and columns, if there is one."""
        return next((u for u, step in self.factors.items() if step < width < step * length_of(u)), None)

    def steps(self, width: int) -> dict[Variable, int]:
        """The strides along each variable; no variable covers both rows and columns."""
        split = self.split(width)
        if split is None:
            return dict(self.factors)
        step = self.factors[split]
        parts = {(split, "quotient", width // step): width, (split, "remainder", width // step): step}
        return {u: n for u, n in self.factors.items() if u is not split} | parts

    def reads(self, width: int, number: int | None = None) -> Iterator[Linear | None]:
        """The indices that it reads, in one buffer or in all, as functions of those variables; None for any others."""
        parameters = {u: self.facts.buffers[i] for i, u in enumerate(u for u in self.uops if u.op is Ops.PARAM)}
        split, steps = self.split(width), self.steps(width)
        for u in self.uops:
            if u.op is not Ops.LOAD or (buffer := parameters.get(u.src[0].buf_uop)) is None:
                continue
            if number is not None and buffer != number:
                continue
            if (read := linear(place(u.src[0]))) is not None:
                begin, factors = read[0], dict(read[1])
                if (factor := factors.pop(split, 0)) != 0:
                    for part in (x for x in steps if isinstance(x, tuple)):
                        factors[part] = factors.get(part, 0) + factor * steps[part] // self.factors[split]
                read = begin, factors
                if any(x not in steps and (isinstance(x, tuple) or x.op is not Ops.RANGE) for x in factors):
                    read = None
            yield read


def phase_of(facts: Kernel, uops: Sequence[UOp], grid: Sequence[int], block: Sequence[int]) -> Phase | None:
    """A kernel that tinygrad has not optimised; None if it does not compute rows."""
    stores = [u for u in uops if u.op is Ops.STORE and u.src[0].buf_uop.op is Ops.PARAM]
    if prod(block) > 1 or len(stores) != 1 or any(u.op in (Ops.IF, Ops.BARRIER) for u in uops):
        return None
    if any(u.op is Ops.BUFFER and u.addrspace is AddrSpace.LOCAL for u in uops):
        return None
    sharing = sharing_of(uops, grid) if any(u.op is Ops.RANGE for u in uops) else None
    if (sharing is None) != all(u.op is not Ops.RANGE for u in uops) or (sharing and sharing.columns > 1):
        return None
    written = linear(place(stores[0].src[0]))
    if written is None or written[0]:
        return None
    factors, size = written[1], 1
    for dimension in sorted(factors, key=lambda u: factors[u]):
        if isinstance(dimension, tuple) or dimension.op is not Ops.SPECIAL or factors[dimension] != size:
            return None
        size *= length_of(dimension)
    return Phase(facts, uops, factors, size, sharing) if size == prod(grid) and size else None


def row_groups(phases: Sequence[Phase | None]) -> list[tuple[range, int]]:
    """The kernels that become one, and how many rows they compute; None stands for one that computes no rows."""
    groups: list[tuple[range, int]] = []
    begin = 0
    while begin < len(phases):
        reduction = next((p for p in phases[begin:] if p is None or p.sharing is not None), None)
        rows = reduction.size if reduction is not None else 1
        end = begin + extent(phases[begin:], rows)
        if any(p is not None and p.sharing is not None for p in phases[begin:end]) and end - begin > 1:
            groups.append((range(begin, end), rows))
            begin = end
        else:
            begin += 1
    return groups


def extent(phases: Sequence[Phase | None], rows: int) -> int:
    """How many of the kernels compute this many rows, and read only their own row of each other's results."""
    widths: dict[int, int] = {}  # of what was written, by the number of the buffer
    read: set[int] = set()
    for count, phase in enumerate(phases):
        width = None if phase is None else phase.width(rows)
        if phase is None or width is None or (phase.sharing is not None and width > 1):
            return count
        buffers = phase.facts.buffers
        longest = max(width, phase.iterations)
        if longest > LONGEST or (rows < FEW and longest > LONGEST_OF_FEW):
            return count
        own = {buffers[access.buffer] for access in phase.facts.writes}
        if own & (read | widths.keys()) or not all(stays_in_row(phase, width, n, size) for n, size in widths.items()):
            return count
        if phase.sharing is None and phase.size > LARGE and not reads_neighbours(phase, width):
            return count
        read.update(buffers[access.buffer] for access in phase.facts.reads)
        widths |= dict.fromkeys(own, width)
    return len(phases)


def stays_in_row(phase: Phase, width: int, number: int, size: int) -> bool:
    """Whether a kernel, for a row, reads only that row of a buffer whose rows have this size."""
    steps = phase.steps(width)
    for read in phase.reads(width, number):
        if read is None:
            return False
        first = last = read[0]
        for variable in {**read[1], **steps}:
            factor = read[1].get(variable, 0)
            if steps.get(variable, 0) >= width:
                if factor != steps[variable] // width * size:
                    return False
            else:
                reach = factor * (length_of(variable) - 1)
                first, last = first + min(0, reach), last + max(0, reach)
        if first < 0 or last >= size:
            return False
    return True


def reads_neighbours(phase: Phase, width: int) -> bool:
    """Whether the threads of a row read neighbouring elements, or all the same one."""
    inner = [u for u, step in phase.steps(width).items() if step == 1 and width > 1]
    return all(read is not None and read[1].get(u, 0) in (0, 1) for read in phase.reads(width) for u in inner)


def row_kernel(renderer: CudaRenderer, phases: Sequence[Phase], rows: int) -> CudaKernel:
    """The kernel of a group."""
    longest = max(max(phase.width(rows) or 1, phase.iterations) for phase in phases)
    lanes = 1
    # Threads of a warp share short rows, each of a few elements if there are enough rows for all threads.
    while lanes < MOST_THREADS and longest >= lanes * (
        (4 if lanes < WARP else 16) if rows * lanes >= MANY else 2 if lanes < WARP else 4
    ):
        lanes *= 2
    together = min(THREADS // lanes, rows) if lanes <= WARP else 1  # warps are independent, so a block has several
    blocks = -(-rows // together)
    wide = rows * longest >= 2**31
    head = [f"const {'long long' if wide else 'int'} row = blockIdx.x * {together} + threadIdx.y;"]
    if rows % together:
        head.append(f"if (row >= {rows}) return;")
    barrier = "__syncwarp();" if together > 1 else "__syncthreads();"
    buffers = list(dict.fromkeys(n for phase in phases for n in phase.facts.buffers))
    written = {phase.facts.buffers[access.buffer] for phase in phases for access in phase.facts.writes}
    lines, types = head, dict[str, None]()
    fresh: set[int] = set()  # buffers that threads have written since the last barrier
    for phase in phases:
        numbers = places_of_blocks(phase, rows)
        sharing = phase.sharing and phase.sharing.one_by_one(lanes)
        made, parameters, body = renderer.function(phase.uops, {}, sharing, numbers)
        types |= dict.fromkeys(made.splitlines())
        if not fresh.isdisjoint(phase.facts.buffers):
            lines.append(barrier)
            fresh.clear()
        fresh |= {phase.facts.buffers[access.buffer] for access in phase.facts.writes}
        # As parameters, they let the compiler read several elements before it writes the first one.
        declared = ", ".join(f"{kind} __restrict__ {name}" for kind, _, name in (p.rpartition(" ") for p in parameters))
        given = ", ".join(
            f"({parameter.rpartition(' ')[0]})buffer{buffers.index(number)}"
            for number, parameter in zip(phase.facts.buffers, parameters)
        )
        if sharing is None:
            iterations = f"for (int column = threadIdx.x; column < {phase.width(rows)}; column += {lanes})"
            body = f"#pragma unroll 4\n{iterations} {{\n{body}\n}}"
        lines += [f"[&]({declared}) {{", body, f"}}({given});"]
    return CudaKernel(
        "+".join(phase.facts.name for phase in phases),
        tuple(f"{'' if n in written else 'const '}char* buffer{i}" for i, n in enumerate(buffers)),
        "\n".join(lines),
        "\n".join(filter(None, types)),
        (blocks, 1, 1),
        (lanes, together, 1),
        any(phase.facts.calls for phase in phases),
        tuple(buffers),
        sum(phase.facts.flops * phase.size for phase in phases),
        sum(phase.facts.bytes * phase.size for phase in phases),
    )


def places_of_blocks(phase: Phase, rows: int) -> dict[str, str]:
    """The number of a kernel's own block along each dimension, from the row and the column."""
    width, numbers = phase.width(rows) or 1, {}

    def part(name: str, step: int, size: int, whole: int) -> str:
        quotient = f"{name} / {step}" if step > 1 else name
        return f"{quotient} % {size}" if step * size < whole else quotient

    for dimension in (u for u in phase.uops if u.op is Ops.SPECIAL):
        size, step = length_of(dimension), phase.factors.get(dimension, 0)
        if not step:
            text = "0"
        elif dimension is phase.split(width):
            count = width // step
            text = f"({part('row', 1, size // count, rows)}) * {count} + {part('column', step, count, width)}"
        elif step >= width:
            text = part("row", step // width, size, rows)
        else:
            text = part("column", step, size, width)
        numbers[dimension.arg] = f"(int)({text});"
    return numbers
