"""Kernels that compute the same rows one after the other, as one kernel.

A softmax or a norm is a chain of reductions of rows and of elementwise work on the same rows. In one kernel, a block or
a warp computes a row from the beginning to the end, which is read once and stays close to the processor that computes
it. Short rows of which each begins anywhere are copied to the block's memory first, several at once, as together they
begin where 16 bytes can be read.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Container, Iterator, Mapping, Sequence
from dataclasses import replace
from math import gcd, prod

from ...records import dataclass
from ...tinygrad.lowered import DimensionPart, GridDimension, Linear, LoopCounter, LoweredKernel, Variable
from ...tinygrad.renderers.cuda import COLUMNS, CudaRenderer, Sharing, Vectors, begin_shared_loop, size_of
from .elements import declarations
from .kernels import MOST_THREADS, THREADS, USUAL_SHARED, WARP, CudaKernel, KernelParameter, files_of
from .reductions import BYTES, at_once, sharing_of

# The longest row that a block computes, and the longest of fewer rows than FEW, with which processors are idle.
LONGEST, LONGEST_OF_FEW, FEW = 1 << 14, 1 << 12, 32
# From this many elements on, they are read from memory rather than from a cache, so neighbouring threads must read
# adjacent ones.
LARGE = 1 << 20
# With this many threads a GPU has enough to do.
MANY = 1 << 17
# The elements that a thread reads before it uses the first one.
AHEAD = 16
# From so many rows on, each processor has several.
BUSY = 512
# Of short rows, a thread has up to so many bytes, as several reads are in flight then, and at least so many terms; what
# is not copied first is read at once by neighbouring threads.
COPIED, READ, LEAST_TERMS = 96, 32, 16
# Rows of words, and of so many bytes, are read as fast where they are: on an H200, 129 f32 in two thirds of the time.
LONG = 512
# The bytes of all banks of a block's memory, each of which gives its threads a word at a time.
BANKS, WORD = 128, 4
# The bytes of a block's memory for each of its threads, if processors are to have as many threads as without; and for
# a kernel that may be a part of another one, which has those of all its parts.
FOR_THREAD, FEW_KEPT = 64, 4096


@dataclass(frozen=True)
class Phase:
    """A kernel that may compute rows: it writes its result in order, an element in each block of its grid.

    Attributes:
        kernel: the kernel.
        factors: the strides of elements, for each dimension of the grid.
        size: the number of elements.
        sharing: how threads share its reduction; None if it has none.
    """

    kernel: LoweredKernel
    factors: Mapping[GridDimension, int]
    size: int
    sharing: Sharing | None

    @property
    def iterations(self) -> int:
        """How many elements a reduction takes for each result."""
        return 1 if self.sharing is None else self.sharing.iterations

    def row_bytes(self, rows: int) -> int:
        """The bytes that it writes to each of this many rows."""
        return self.size // rows * self.kernel.writes[0].itemsize

    def width(self, rows: int) -> int | None:
        """How many elements it writes to each of this many rows; None if its grid does not have rows."""
        width = self.size // rows
        if width * rows != self.size:
            return None
        split = self.split(width)
        if split is None:
            return width
        step = self.factors[split]
        return width if width % step == 0 and split.length * step % width == 0 else None

    def split(self, width: int) -> GridDimension | None:
        """The dimension that has both rows and columns, if there is one."""
        return next((d for d, step in self.factors.items() if step < width < step * d.length), None)

    def steps(self, width: int) -> dict[Variable, int]:
        """The strides along each variable; no variable covers both rows and columns."""
        split = self.split(width)
        if split is None:
            return dict(self.factors.items())
        step = self.factors[split]
        quotient, remainder = (DimensionPart(split, part, width // step) for part in ("quotient", "remainder"))
        return {**{d: n for d, n in self.factors.items() if d != split}, quotient: width, remainder: step}

    def reads(self, width: int, number: int | None = None) -> Iterator[Linear | None]:
        """The indices that it reads, in one buffer or in all, as functions of those variables; None for any others."""
        split, steps = self.split(width), self.steps(width)
        for access in self.kernel.reads:
            if number is not None and self.kernel.buffers[access.parameter] != number:
                continue
            if (read := access.offset) is not None:
                begin, factors = read[0], dict(read[1])
                if split is not None and (factor := factors.pop(split, 0)) != 0:
                    for part in (x for x in steps if isinstance(x, DimensionPart)):
                        factors[part] = factors.get(part, 0) + factor * steps[part] // self.factors[split]
                read = begin, factors
                if any(x not in steps and not isinstance(x, LoopCounter) for x in factors):
                    read = None
            yield read


def phase_of(kernel: LoweredKernel, in_order: bool) -> Phase | None:
    """A kernel that tinygrad has not optimised; None if it does not compute rows. For `in_order`, see `sharing_of`."""
    sharing = sharing_of(kernel, in_order) if kernel.ranges else None
    if (sharing is None) != (not kernel.ranges) or (sharing and (sharing.columns > 1 or sharing.tile)):
        return None
    return phase_with(kernel, sharing)


def phase_with(kernel: LoweredKernel, sharing: Sharing | None) -> Phase | None:
    if prod(kernel.block) > 1 or len(kernel.writes) != 1 or kernel.is_conditional or kernel.shares_memory:
        return None
    written = kernel.writes[0].offset
    if written is None or written[0]:
        return None
    factors, size = dict[GridDimension, int](), 1
    for dimension, factor in sorted(written[1].items(), key=lambda each: each[1]):
        if not isinstance(dimension, GridDimension) or factor != size:
            return None
        factors[dimension] = factor
        size *= dimension.length
    return Phase(kernel, factors, size, sharing) if size == prod(kernel.grid) and size else None


def short_phase(kernel: LoweredKernel, sharing: Sharing, in_order: bool) -> tuple[Phase, int] | None:
    """A reduction as a group of its own, and how many short rows it has; None if it has none.

    In place of few columns that neighbouring threads would have, there are rows of as many results, of which a thread
    computes some alone.
    """
    if sharing.column is None:
        phase = phase_of(kernel, in_order)
        found = [] if phase is None else [(phase, phase.size)]
    else:
        phase = None if in_order or sharing.tile or size_of(sharing.column) % COLUMNS == 0 else phase_with(kernel, None)
        widths = [] if phase is None else [step for step in phase.factors.values() if step > 1]
        found = [(phase, phase.size // width) for width in widths if phase is not None]
    return next((each for each in found if short_rows([each[0]], each[1], ()) is not None), None)


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
        buffers = phase.kernel.buffers
        longest = max(width, phase.iterations)
        if longest > LONGEST or (rows < FEW and longest > LONGEST_OF_FEW):
            return count
        lanes = {each.sharing.lanes for each in phases[: count + 1] if each and each.sharing and each.sharing.in_order}
        if len(lanes) > 1:
            return count
        own = {buffers[access.buffer] for access in phase.kernel.facts.writes}
        if own & (read | widths.keys()) or not all(stays_in_row(phase, width, n, size) for n, size in widths.items()):
            return count
        if phase.sharing is None and phase.size > LARGE and not reads_neighbours(phase, width):
            return count
        read.update(buffers[access.buffer] for access in phase.kernel.facts.reads)
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
                reach = factor * (variable.length - 1)
                first, last = first + min(0, reach), last + max(0, reach)
        if first < 0 or last >= size:
            return False
    return True


def reads_neighbours(phase: Phase, width: int) -> bool:
    """Whether the threads of a row read neighbouring elements, or all the same one."""
    inner = [u for u, step in phase.steps(width).items() if step == 1 and width > 1]
    return all(read is not None and read[1].get(u, 0) in (0, 1) for read in phase.reads(width) for u in inner)


@dataclass(frozen=True)
class ShortRows:
    """Rows that threads of a warp share, of which each has a few dozen bytes.

    Attributes:
        lanes: how many threads share a row.
        read, written: the bytes of a row of each buffer that lies in a block's memory while it is computed, by the
            buffer's number.
        step: how many rows those are apart that neighbouring threads have, so that they read from all banks.
    """

    lanes: int
    read: Mapping[int, int]
    written: Mapping[int, int]
    step: int = 1


def short_rows(phases: Sequence[Phase], rows: int, inner: Container[int]) -> ShortRows | None:
    """How threads share the rows of a group's kernels, if there are many short ones."""
    if any((p.sharing and p.sharing.in_order) or p.kernel.stored is not None for p in phases):
        return None
    written = {
        phase.kernel.buffers[phase.kernel.writes[0].parameter]: phase.row_bytes(rows)
        for phase in phases
        if phase.sharing is None and (phase.width(rows) or 1) > 1
    }
    read, size = dict[int, int](), 1
    made = {phase.kernel.buffers[phase.kernel.writes[0].parameter] for phase in phases}
    for phase in phases:
        for access in phase.kernel.reads:
            number, width = phase.kernel.buffers[access.parameter], access.elements // rows
            is_row = width * rows == access.elements >= LARGE and width >= LEAST_TERMS and number not in made
            if is_row and all(reads_row(each, rows, number, width) for each in phases):
                read[number], size = width * access.itemsize, access.itemsize
    written = {number: bytes for number, bytes in written.items() if number not in inner}
    moved, lanes = sum(read.values()) + sum(written.values()), 1
    is_aligned = all(bytes % BYTES == 0 for bytes in (*read.values(), *written.values()))
    is_aligned &= all(phase.sharing is not None or not phase.kernel.ranges for phase in phases)
    if not read:
        return None
    while lanes * (READ if is_aligned else COPIED) < moved or rows * lanes < MANY:
        lanes *= 2
    if lanes > WARP or any(THREADS // lanes * bytes % BYTES for bytes in (*read.values(), *written.values())):
        return None
    if is_aligned:
        return ShortRows(lanes, {}, {})
    if size >= WORD and max(read.values()) >= LONG:
        return None
    row, whole = max(read.values()), THREADS // lanes * max(read.values())
    # Rows that follow each other have results that a warp writes at once, for which it may read once more.
    step = min(range(1, THREADS // lanes, 2), key=lambda n: most_in_bank(n * row, whole, size, lanes) - (n == 1))
    return ShortRows(lanes, read, written, step)


def reads_row(phase: Phase, rows: int, number: int, width: int) -> bool:
    return number not in phase.kernel.buffers or stays_in_row(phase, phase.width(rows) or 1, number, width)


def most_in_bank(apart: int, whole: int, size: int, lanes: int) -> int:
    """How many of the words that a warp reads at once are in the same bank.

    Its rows are so many bytes `apart`, in a `whole` of rows after which the first one follows, and so many threads read
    elements of a `size` of each.
    """
    words = {(row * apart % whole + lane * size) // WORD for row in range(WARP // lanes) for lane in range(lanes)}
    return max(Counter(word % (BANKS // WORD) for word in words).values())


def copies(short: ShortRows, buffers: Sequence[int], rows: int, together: int) -> tuple[list[str], list[str]]:
    """What comes before the statements of a block's rows, so many `together`, and after them, so that these are in its
    memory; `buffers` are all that its kernel knows."""
    before, inside, after = list[str](), list[str](), list[str]()
    threads = short.lanes * together
    wait = f"wait_for_threads<{threads}>();"
    for number, size in {**short.read, **short.written}.items():
        name, bytes = f"buffer{buffers.index(number)}", together * size
        first, call = f"blockIdx.x * {bytes}ll", f"copy_rows<{bytes}, {threads}>"
        before.append(f"__shared__ __align__({BYTES}) char {name}_rows[{bytes}];")
        if number in short.read:
            before.append(f"{call}({name}_rows, {name} + {first}, {rows * size}ll - {first});")
        else:
            after.append(f"{call}({name} + {first}, {name}_rows, {rows * size}ll - {first});")
        inside.append(f"char *const {name} = {name}_rows - {first};")
    begin = f"if (row < {rows}) {{" if rows % together else "{"
    return [*before, wait, begin, *inside], ["}", *([wait, *after] if after else [])]


def row_kernel(renderer: CudaRenderer, phases: Sequence[Phase], rows: int, inner: Container[int]) -> CudaKernel:
    """The kernel of a group, which alone uses the `inner` ones of its buffers: their rows are in a block's memory."""
    longest = max(max(phase.width(rows) or 1, phase.iterations) for phase in phases)
    short = short_rows(phases, rows, inner)
    lanes = 1 if short is None else short.lanes
    # Threads of a warp share short rows, each of a few elements if there are enough rows for all threads.
    # Of half as many threads, a processor runs several blocks, whatever registers they need.
    most = MOST_THREADS if rows < BUSY else MOST_THREADS // 2
    while (
        not short
        and lanes < most
        and longest >= lanes * ((4 if lanes < WARP else 16) if rows * lanes >= MANY else 2 if lanes < WARP else 4)
    ):
        lanes *= 2
    lanes = next((p.sharing.lanes for p in phases if p.sharing is not None and p.sharing.in_order), lanes)
    together = min(THREADS // lanes, rows) if lanes <= WARP else 1  # warps are independent, so a block has several
    blocks = -(-rows // together)
    wide = rows * longest >= 2**31
    own = f"threadIdx.y * {short.step} % {together}" if short and short.step > 1 else "threadIdx.y"
    head, tail = [f"const {'long long' if wide else 'int'} row = blockIdx.x * {together} + {own};"], list[str]()
    barrier = f"__syncwarp(lanes_of_row<{lanes}>());" if lanes <= WARP else f"wait_for_threads<{lanes}>();"
    buffers = list(dict.fromkeys(n for phase in phases for n in phase.kernel.buffers))
    written = {phase.kernel.buffers[access.buffer] for phase in phases for access in phase.kernel.facts.writes}
    kept = set[int]()  # the buffers whose rows are in the block's memory
    left = memory = min(FOR_THREAD * lanes * together, USUAL_SHARED)
    for phase in sorted(phases, key=lambda phase: phase.row_bytes(rows)):
        number, size = phase.kernel.buffers[phase.kernel.writes[0].parameter], phase.row_bytes(rows)
        apart = -(-size // BYTES) * BYTES
        if number in inner and together * apart <= left:
            kept.add(number)
            left -= together * apart
            name = f"buffer{buffers.index(number)}"
            head.append(f"__shared__ __align__({BYTES}) char {name}_rows[{together * apart}];")
            head.append(f"char *const {name} = {name}_rows + (int){own} * {apart} - row * {size}ll;")
    if short and short.read:
        before, tail = copies(short, buffers, rows, together)
        head += before
    elif rows % together:
        head.append(f"if (row >= {rows}) return;")
    lines, types = head, dict[str, None]()
    fresh: set[int] = set()  # buffers that threads have written since the last barrier
    for phase in phases:
        numbers = numbers_of_blocks(phase, rows)
        sharing = phase.sharing and shared_by(phase.sharing, lanes)
        vectors = vectors_of(phase, rows, lanes) if not phase.kernel.ranges else None
        made, parameters, body = renderer.function(phase.kernel, {}, sharing, numbers, vectors)
        types |= dict.fromkeys(made)
        if not fresh.isdisjoint(phase.kernel.buffers):
            lines.append(barrier)
            fresh.clear()
        fresh |= {phase.kernel.buffers[access.buffer] for access in phase.kernel.facts.writes}
        # As parameters, they let the compiler read several elements before it writes the first one.
        declared = ", ".join(str(p._replace(type=f"{p.type} __restrict__")) for p in parameters)
        given = ", ".join(
            f"({parameter.const}{parameter.type})buffer{buffers.index(number)}"
            for number, parameter in zip(phase.kernel.buffers, parameters)
        )
        if vectors is not None:
            count, step = vectors.count, lanes * vectors.count
            lines_of_vectors = [
                f"for (int first = threadIdx.x * {count}; first < {phase.width(rows)}; first += {step}) {{",
                *declarations(vectors),
                f"#pragma unroll {count}\nfor (int i = 0; i < {count}; i++) {{\nconst int column = first + i;",
            ]
            body = "\n".join([*lines_of_vectors, body, "}\n}"])
        elif sharing is None:
            iterations = begin_shared_loop("int", "column", "threadIdx.x", phase.width(rows) or 1, lanes)
            body = f"{iterations}\n{body}\n}}"
        lines += [f"[&]({declared}) {{", body, f"}}({given});"]
    lines += tail
    bound = lanes
    if tail:
        bound = 0
    elif lanes > WARP or (kept and blocks > 1):  # the block's memory is that of one row, or several
        bound = lanes * together if lanes * together > WARP and memory - left <= FEW_KEPT else 0
    given_buffers = [n for n in buffers if n not in kept]
    parameters = tuple(KernelParameter("char*", f"buffer{buffers.index(n)}", n in written) for n in given_buffers)
    calls = [name for phase in phases for name in phase.kernel.facts.calls]
    flops = sum(phase.kernel.facts.flops * phase.size for phase in phases)
    bytes = sum(phase.kernel.facts.bytes * phase.size for phase in phases)
    return CudaKernel(
        "+".join(phase.kernel.name for phase in phases), parameters, "\n".join(lines), (*types,),
        (blocks, 1, 1), (lanes, together, 1), bool(calls), (*given_buffers,), flops, bytes, alone=True,
        files=files_of(calls), bound=bound,
    )  # fmt: skip


def shared_by(sharing: Sharing, lanes: int) -> Sharing:
    """How so many threads share a reduction of rows; each takes adjacent elements at once if there are enough."""
    one_by_one = sharing.one_by_one(lanes)
    nest = sharing.nests[0]
    if sharing.in_order or len(sharing.nests) > 1 or len(nest.loops) > 1 or not (nest.reads and nest.is_innermost):
        return one_by_one
    count = at_once(nest.reads, nest.first)
    if count * lanes > nest.first.length:
        return one_by_one
    return replace(one_by_one, nests=(replace(nest, at_once=count, ahead=max(1, AHEAD // count)),))


def vectors_of(phase: Phase, rows: int, lanes: int) -> Vectors | None:
    """What a thread reads and writes at once of a row, if rows are aligned and long enough."""
    width = phase.width(rows) or 1
    inner = next((u for u, step in phase.steps(width).items() if step == 1 and width > 1), None)
    writes = phase.kernel.writes
    reads = [*zip(phase.kernel.reads, phase.reads(width))]
    if inner is None or any(read is None or access.is_conditional for access, read in reads):
        return None
    along = [(access, read) for access, read in reads if read is not None and read[1].get(inner, 0) != 0]
    offsets = [n for _, (begin, factors) in along for n in (begin, *(factors[u] for u in factors if u != inner))]
    whole = gcd(width, inner.length, *offsets)
    count = BYTES // max(access.itemsize for access in (*writes, *(access for access, _ in along)))
    # At most a quarter of the threads are idle in the last iteration.
    while count > 1 and (whole % count or -(-width // (lanes * count)) * lanes * count * 4 > 5 * width):
        count //= 2
    if count < 2 or writes[0].is_conditional or any(factors[inner] != 1 for _, (_, factors) in along):
        return None
    repeated = tuple(access for access, read in reads if read is not None and read[1].get(inner, 0) == 0)
    return Vectors(count, tuple(access for access, _ in along), tuple(writes), repeated)


def numbers_of_blocks(phase: Phase, rows: int) -> dict[str, str]:
    """The number of a kernel's own block along each dimension, from the row and the column."""
    width, numbers = phase.width(rows) or 1, {}

    def part(name: str, step: int, size: int, whole: int) -> str:
        quotient = f"{name} / {step}" if step > 1 else name
        return f"{quotient} % {size}" if step * size < whole else quotient

    for dimension in phase.kernel.dimensions:
        size, step = dimension.length, phase.factors.get(dimension, 0)
        if not step:
            text = "0"
        elif dimension == phase.split(width):
            count = width // step
            text = f"({part('row', 1, size // count, rows)}) * {count} + {part('column', step, count, width)}"
        elif step >= width:
            text = part("row", step // width, size, rows)
        else:
            text = part("column", step, size, width)
        numbers[dimension.name] = f"(int)({text});"
    return numbers
