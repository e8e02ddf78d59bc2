"""The kernels of regions in CUDA C.

tinygrad distributes the kernels that it schedules over blocks and threads. Kernels that rules write as loops are
distributed here: the independent loops around everything else become the threads of a grid, the innermost one along
neighbouring threads, so that these access neighbouring elements.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from math import prod
from typing import NamedTuple

from ...plan.lowering import schedule_region
from ...plan.plan import Kernels
from ...plan.rendering import Rendered
from ...rules.registry import Lowering
from ...tinygrad.expressions import DType, dtypes
from ...tinygrad.lowered import (
    DimensionPart,
    ElementAccess,
    GridDimension,
    KernelOutline,
    LaunchSizes,
    LoopCounter,
    LoweredKernel,
)
from ...tinygrad.region import byte_sizes
from ...tinygrad.renderers.cuda import CudaRenderer, JoinedDimensions, ResultTile, Sharing, dimension_of, size_of
from ..functions import OF_DOUBLES, ON_GPUS, function_of_doubles, function_of_floats
from .elements import RESIDENT, Spread, spread
from .joining import VALUES, join_readers, join_values, join_writers
from .kernels import (
    MOST_BLOCKS,
    SORTING,
    THREADS,
    TOGETHER,
    USUAL_SHARED,
    WARP,
    CudaKernel,
    CudaRegion,
    call_kernel,
    files_of,
    grid_loops,
    launch_size,
    share_temporaries,
)
from .reductions import sharing_of
from .rows import phase_of, row_groups, row_kernel, short_phase


def function_of_gpu(name: str, dtype: DType, alone: bool) -> str | None:
    """The function that kernels call."""
    if name == "at_once":
        return f"{name}::"
    if name == "remainder" and dtype in (dtypes.float32, dtypes.float64):  # its branches suit threads, not vectors
        return "remainder_f" if dtype == dtypes.float32 else "remainder_d"
    if dtype == dtypes.float32 and name in ON_GPUS:
        return f"{name}_near_f"
    if dtype == dtypes.float64 and name in OF_DOUBLES:
        return function_of_doubles(name)
    return TOGETHER if name == "sort" else function_of_floats(name, dtype, alone)


NATIVE = Lowering(native=True, parallel=True, function=function_of_gpu)
# The most threads of a block along its third dimension.
MOST_LAYERS = 64
# Threads that write at least so many adjacent elements each would each write to other places at a time; if there are
# many threads, it takes less time to gather what they write.
LEAST_WRITES, MANY = 3, 1 << 14
# Farther than any elements are apart.
FAR = 1 << 62

REGIONS = Rendered("cuda region", CudaRegion)


def render_region(step: Kernels, device: str, arch: str, processes: int = 1) -> CudaRegion:
    """The kernels of a region in CUDA C, rendered once per process, structure and kind of GPU."""
    return REGIONS.get(step, device, lambda: _render(step, device, arch, processes), arch)


def _render(step: Kernels, device: str, arch: str, processes: int) -> CudaRegion:
    in_order = step.in_order
    schedule = schedule_region(step, device, replace(NATIVE, in_order=in_order))
    renderer = CudaRenderer(arch)
    outlines = schedule.outlines
    # tinygrad would add up in an order of its own.
    small = [is_small(outline) or (in_order and bool(outline.reductions)) for outline in outlines]
    # Kernels that may be merged with neighbouring reductions are needed as they are.
    in_rows = not step.updates and len(outlines) > 1 and any(outline.reductions for outline in outlines)
    optimised = [not (in_rows or alone or outline.reductions) for alone, outline in zip(small, outlines)]
    # What `spread` makes of many elements suits the memory that they are in.
    many = {n for n, outline in enumerate(outlines) if not (small[n] or outline.reductions)}
    # Rows are counted along one dimension, whatever those of a grid allow.
    renderer.global_max = (MOST_BLOCKS[0],) * 3 if in_rows else CudaRenderer.global_max
    programs = partial(schedule.programs, renderer, in_order=in_order, processes=processes)
    calls = list(programs(optimised, set() if in_rows else many))
    renderer.global_max = CudaRenderer.global_max
    lowered = list(schedule.kernels(calls, []))
    phases = [phase_of(kernel, in_order) for kernel in lowered] if in_rows else []
    groups = row_groups(phases)
    grouped = {n for group, _ in groups for n in group}
    ends = {group[-1]: (group, rows) for group, rows in groups}
    share = partial(shared_kernel, renderer, in_order=in_order)
    many_windows = (n for n, outline in enumerate(outlines) if outline.reductions and has_many_results(outline))
    tiled = {n for n in many_windows if not in_order and schedule.adds_windows(n)}
    shared = [None if n in grouped or n in tiled else share(kernel) for n, kernel in enumerate(lowered)]
    left = {n for n, kernel in enumerate(shared) if kernel is None and n not in grouped and not small[n]}
    sums = {n for n, kernel in enumerate(shared) if kernel is not None and len(lowered[n].reductions() or ()) == 1}
    fits = lambda both: share(both) is not None
    joined = join_readers(lowered, sums, fits)
    if in_rows:
        join_writers(lowered, joined, many - grouped, sums, fits)
    if in_rows or any(outlines[n].reductions for n in left):
        as_written = {n for n in left if outlines[n].is_from_rule and fits_grid(lowered[n].grid)}
        again = {n for n in left - as_written if n in many or not is_long(lowered[n])}
        calls = list(programs(True, many, again, calls))
    temporaries = list[tuple[int, DType]]()
    printed = list(schedule.kernels(calls, temporaries))
    joined |= join_readers(printed, left & many - joined.keys())
    kernels: list[CudaKernel] = []
    results = byte_sizes(schedule.outputs)
    first_temporary = schedule.inputs + len(results)
    values = {n: m for n, m in join_values(printed, first_temporary).items() if m in many - grouped - joined.keys()}
    joined |= dict.fromkeys(values.values())
    for n, (each, kernel) in enumerate(zip(printed, shared)):
        both = joined.get(n, each)
        if both is None:
            continue
        if n in ends:
            group, rows = ends[n]
            others = {b for m, other in enumerate(lowered) if m not in group for b in other.buffers}
            inner = {b for m in group for b in lowered[m].buffers if b >= first_temporary} - others
            kernels.append(row_kernel(renderer, [p for p in phases[group.start : group.stop] if p], rows, inner))
        elif n in joined and (made := share(both)) is not None:
            kernels.append(replace(made, buffers=both.buffers))
        elif kernel is not None:
            kernels.append(replace(kernel, buffers=each.buffers))
        elif n in values:
            kernels.append(fold_computed(renderer, each, printed[values[n]]))
        elif n not in grouped:
            # As many blocks as have room keep a processor busy with the elements of as many tiles.
            kernels += (replace(k, at_once=TILES_AT_ONCE) if n in tiled else k for k in _print(renderer, both))
    kernels, kept = share_temporaries(kernels, first_temporary, byte_sizes(temporaries))
    return CudaRegion(tuple(kernels), results, kept)


def fits_grid(grid: Sequence[int]) -> bool:
    return all(size <= most for size, most in zip(grid, MOST_BLOCKS))


# With so many results, threads have several windows each rather than share one: they then read less.
MANY_WINDOWS, TILES_AT_ONCE = 1 << 16, 2


def has_many_results(kernel: KernelOutline) -> bool:
    return prod(count or RESIDENT for count in kernel.results) >= MANY_WINDOWS


# A kernel has a thread for each result if a GPU can run about as many threads at the same time; one with reductions, if
# it has fewer results, and reductions of few iterations.
FEW_RESULTS, FEW_ITERATIONS, FEW_TERMS = 1 << 14, 64, 4


def is_small(kernel: KernelOutline) -> bool:
    """Whether a kernel that no rule wrote is faster if no thread computes several results."""
    if kernel.is_from_rule:
        return False
    iterations = sum(prod(count or FEW_ITERATIONS for count in counts) for counts in kernel.reductions)
    most = FEW_RESULTS if iterations else RESIDENT
    return prod(count or RESIDENT for count in kernel.results) <= most and iterations <= FEW_ITERATIONS


# tinygrad writes a term for several results, and several of each, up to 48 times. More operations than these for an
# element that it reads keep a GPU busy as they are, and took nvrtc half a second so often.
MOST_REPEATED = 256


def is_long(kernel: LoweredKernel) -> bool:
    """Whether a kernel computes so much from what its loops read that its terms are written once."""
    reads = sum(any(isinstance(x, LoopCounter) for x in read.variables) for read in kernel.reads)
    return kernel.length > MOST_REPEATED * max(1, reads)


def shared_kernel(renderer: CudaRenderer, kernel: LoweredKernel, in_order: bool = False) -> CudaKernel | None:
    """A kernel whose reductions threads share; None if they do not. For `in_order`, see `sharing_of`."""
    grid = kernel.grid
    if prod(kernel.block) > 1 or not kernel.ranges or not kernel.registers:
        return None
    sharing = sharing_of(kernel, in_order)
    if sharing is None:
        return None
    if (alone := short_phase(kernel, sharing, in_order)) is not None:
        return row_kernel(renderer, alone[:1], alone[1], ())
    short = sharing.columns == 1 and sharing.iterations < WARP // 2 and not in_order
    short &= sharing.lanes == 1 or all(nest.is_innermost for nest in sharing.nests)
    if short and (prod(grid) >= FEW_RESULTS or sharing.iterations <= FEW_TERMS):
        return None
    if not fits_grid(grid):
        return None
    facts, outputs = kernel.facts, prod(grid)
    launch = launch_of(kernel, sharing) if sharing.tile is None else launch_of_tiles(kernel, sharing, sharing.tile)
    types, parameters, body = renderer.function(kernel, {}, sharing, launch.numbers, condition=launch.condition)
    if kernel.stored is not None:  # a thread reads the next elements before it has stored the first one
        parameters = tuple(each._replace(type=f"{each.type} __restrict__") for each in parameters)
    sizes = facts.flops * outputs, facts.bytes * outputs
    return CudaKernel(
        facts.name, parameters, launch.head + body, types, launch.grid, launch.block, bool(facts.calls), (), *sizes,
        facts.updates, sharing.columns > 1, files_of(facts.calls), bound=launch.bound,
    )  # fmt: skip


class SharedLaunch(NamedTuple):
    """The blocks of a kernel whose reductions threads share, and as C what comes first, the numbers by tinygrad's
    names, and whether a thread writes a result of its tile."""

    grid: LaunchSizes
    block: LaunchSizes
    numbers: Mapping[str, str]
    head: str = ""
    condition: str = ""
    bound: int = 0  # see `CudaKernel`


def launch_of(kernel: LoweredKernel, sharing: Sharing) -> SharedLaunch:
    """Blocks have an element, several, whose threads are independent, or columns."""
    grid, numbers, size, head = kernel.grid, dict[str, str](), kernel.grid[0], ""
    together = min(THREADS // sharing.lanes, size) if sharing.column is None and sharing.lanes <= WARP else 1
    if together > 1:  # warps are independent, so a block has several
        numbers["gidx0"] = f"(int)(blockIdx.x * {together} + threadIdx.y);"
        head = f"  if (blockIdx.x * {together} + threadIdx.y >= {size}) return;\n" if size % together else ""
        grid = (-(-size // together), *grid[1:])
    if (column := sharing.column) is not None:
        dimension, size, blocks = dimension_of(column), size_of(column), [*grid]
        axis = dimension.axis
        head = f"  const int column = blockIdx.{'xyz'[axis]} * {sharing.columns} + threadIdx.x;\n"
        head += f"  const bool is_column = column < {size};\n"
        number, blocks[axis] = f"min(column, {size - 1})", -(-size // sharing.columns)
        if isinstance(column, JoinedDimensions):
            numbers[column.next.name], blocks[column.next.axis] = f"(int)({number} / {dimension.length});", 1
            number = f"{number} % {dimension.length}"
        if isinstance(column, DimensionPart) and column.part == "quotient":  # its iterations follow each other
            step = column.length
            number = f"{number} % {size // step} * {step} + {number} / {size // step}"
        numbers[dimension.name] = f"(int)({number});"
        grid = (blocks[0], blocks[1], blocks[2])
    block = (sharing.columns, sharing.lanes, 1) if sharing.columns > 1 else (sharing.lanes, together, 1)
    bound = sharing.lanes if sharing.columns == 1 else prod(block) if sharing.lanes > 1 else 1
    return SharedLaunch(grid, block, numbers, head, bound=bound)


def launch_of_tiles(kernel: LoweredKernel, sharing: Sharing, tile: ResultTile) -> SharedLaunch:
    """Blocks have rectangles of tiles of results, each of which the same threads compute."""
    grid, lanes = [*kernel.grid], sharing.lanes
    down, across, block = 1, sharing.columns, (sharing.columns, lanes, 1)
    column = f"(blockIdx.{'xyz'[tile.columns.axis]} * {tile.width} + column) * {across} + threadIdx.x"
    row = f"blockIdx.{'xyz'[tile.rows.axis]} * {tile.height} + row"
    if sharing.column is None:
        while across < -(-tile.columns.length // tile.width) and across * lanes < THREADS // 4:
            across *= 2
        down = THREADS // lanes // across
        block = (lanes, THREADS // lanes, 1)
        column = f"(blockIdx.{'xyz'[tile.columns.axis]} * {across} + threadIdx.y % {across}) * {tile.width} + column"
        row = f"(blockIdx.{'xyz'[tile.rows.axis]} * {down} + threadIdx.y / {across}) * {tile.height} + row"
    numbers, inside = dict[str, str](), list[str]()
    for dimension, number, size in (
        (tile.rows, row, down * tile.height),
        (tile.columns, column, across * tile.width),
    ):
        length = dimension.length
        numbers[dimension.name] = f"min((int)({number}), {length - 1});" if length % size else f"(int)({number});"
        inside += [f"{number} < {length}"] * (length % size > 0)
        grid[dimension.axis] = -(-length // size)
    if lanes > 1:
        inside.append(f"threadIdx.{'x' if sharing.column is None else 'y'} == 0")
    return SharedLaunch((grid[0], grid[1], grid[2]), block, numbers, condition=" && ".join(inside) or "true")


def _print(renderer: CudaRenderer, kernel: LoweredKernel) -> Iterator[CudaKernel]:
    facts, grid, block = kernel.facts, kernel.grid, kernel.block
    if SORTING in files_of(facts.calls):
        yield called_kernel(renderer, kernel)
        return
    if not kernel.dimensions:  # tinygrad has left all loops as they are
        yield from _spread(renderer, kernel)
        return
    threads, numbers, head = prod(grid) * prod(block), {}, ""
    shares = kernel.shares_memory
    together = min(THREADS // prod(block), grid[0], MOST_LAYERS)
    if not shares and (prod(block) == 1 or not kernel.ranges):
        blocks, size = launch_size(threads)
        kind, step = "int" if blocks * size < 2**31 else "long long", 1
        head = f"  const {kind} thread = ({kind})blockIdx.x * {size} + threadIdx.x;\n"
        head += f"  if (thread >= {threads}) return;\n" if threads % size else ""
        terms: dict[str, list[str]] = {}
        parts = sorted(part for d in kernel.dimensions for part in parts_of(d, kernel.writes[0]))
        for _, name, count, by in parts:
            term = f"thread / {step}{f' % {count}' if step * count < threads else ''}{f' * {by}' if by > 1 else ''}"
            terms.setdefault(name, []).append(term)
            step *= count
        numbers = {name: f"(int)({' + '.join(each)});" for name, each in terms.items()}
        grid, block = (blocks, 1, 1), (size, 1, 1)
        if threads >= MANY and (own := adjacent_writes(kernel, [(step, count) for step, _, count, _ in parts], size)):
            yield _store_together(renderer, kernel, numbers, own, threads, head.partition("\n")[0])
            return
    elif not shares and together > 1 and block[2] == 1:  # several of tinygrad's small blocks are one
        numbers["gidx0"] = f"(int)(blockIdx.x * {together} + threadIdx.z);"
        if grid[0] % together:
            head = f"  if (blockIdx.x * {together} + threadIdx.z >= {grid[0]}) return;\n"
        grid, block = (-(-grid[0] // together), *grid[1:]), (*block[:2], together)
    types, parameters, body = renderer.function(kernel, numbers=numbers)
    body = head + body
    # Each thread may access all memory of which it gets addresses, but a few numbers of it are its own.
    moved = kernel.bytes_of_parameters if kernel.passes_addresses else facts.bytes * threads
    yield CudaKernel(
        facts.name, parameters, body, types, grid, block, any("::" not in name for name in facts.calls),
        kernel.buffers, facts.flops * threads, moved, facts.updates, shares, files_of(facts.calls),
        bound=int(not shares),
    )  # fmt: skip


def adjacent_writes(kernel: LoweredKernel, parts: Sequence[tuple[int, int]], size: int) -> int:
    """How many adjacent elements a thread writes one by one, if those of the next one follow them, and a block of such
    a size has room for all; 0 for others. `parts` are how far apart those along each dimension are, and its length."""
    writes, apart = kernel.writes, len(kernel.writes)
    same = len({write.parameter for write in writes}) == 1 and not kernel.ranges and not kernel.passes_addresses
    if apart < LEAST_WRITES or not same or kernel.is_conditional or any(write.is_conditional for write in writes):
        return 0
    offsets = [write.offset for write in writes]
    if (
        None in offsets
        or sorted(o[0] for o in offsets if o) != [*range(apart)]
        or len({str(o[1]) for o in offsets if o}) > 1
    ):
        return 0
    if any(write.is_of_several for write in writes) or apart * size * writes[0].itemsize > USUAL_SHARED:
        return 0
    for step, count in parts:
        if count > 1 and step != apart:
            return 0
        apart *= count
    return len(writes)


def _store_together(
    renderer: CudaRenderer, kernel: LoweredKernel, numbers: Mapping[str, str], own: int, threads: int, head: str
) -> CudaKernel:
    """A kernel whose blocks write what their threads have computed, so that neighbours write neighbouring elements."""
    facts, write, (blocks, size) = kernel.facts, kernel.writes[0], launch_size(threads)
    stored = [(each, f"all[threadIdx.x * {own} + {each.offset[0]}]") for each in kernel.writes if each.offset]
    types, parameters, body = renderer.function(kernel, numbers=numbers, stored=stored)
    target = parameters[write.parameter]
    lines = [
        f"  __shared__ {target.type.removesuffix('*')} all[{own * size}];",
        head,
        f"  if (thread < {threads}) {{\n{body}\n  }}",
        "  __syncthreads();",
        f"  {target.type} const to = {target.name} + (long long)blockIdx.x * {own * size};",
        f"  const long long left = {own * threads}ll - (long long)blockIdx.x * {own * size};",
        f"#pragma unroll\n  for (int i = 0; i < {own}; i++)",
        f"    if (i * {size} + threadIdx.x < left) to[i * {size} + threadIdx.x] = all[i * {size} + threadIdx.x];",
    ]
    return CudaKernel(
        facts.name, parameters, "\n".join(lines), types, (blocks, 1, 1), (size, 1, 1),
        any("::" not in name for name in facts.calls), kernel.buffers, facts.flops * threads, facts.bytes * threads,
        facts.updates, True, files_of(facts.calls),
    )  # fmt: skip


def called_kernel(renderer: CudaRenderer, kernel: LoweredKernel) -> CudaKernel:
    """A kernel that only calls a function of sorting.cu: its text depends on nothing but the function and the types."""
    facts, (function, places, numbers) = kernel.facts, kernel.call
    _, parameters, _ = renderer.function(kernel)
    made = CudaKernel(
        facts.name, parameters, "", (), kernel.grid, kernel.block, False, kernel.buffers, bytes=facts.bytes,
        updates=facts.updates, files=(SORTING,), numbers=tuple(numbers),
    )  # fmt: skip
    return call_kernel(made, function, places)


def fold_computed(renderer: CudaRenderer, fold: LoweredKernel, values: LoweredKernel) -> CudaKernel:
    """A kernel that folds rows of values, which it computes where it reads them."""
    (write,), (function, places, numbers) = values.writes, fold.call
    factors = write.offset[1] if write.offset is not None else {}
    number = {x: f"element / {factors[x]} % {x.length}" if x in factors else "0" for x in values.counters.values()}
    threads = {x.number: text for x, text in number.items()}
    given = {
        x.name: f"element / {factors.get(x, 1)} % {x.length};"
        for x in sorted(values.dimensions, key=lambda x: factors.get(x, 0))
    }
    types, own, body = renderer.function(values, threads, numbers=given, returns=True)
    loaded = " ".join(f"{kind} x{n};" for n, kind in enumerate(renderer.loaded))
    _, parameters, _ = renderer.function(fold)
    kept = [n for n, _ in enumerate(parameters) if n != places[VALUES]]
    arguments = [f"data{n}" for n in places]
    arguments[VALUES] = "block::Computed<Loaded, decltype(value_of)>{value_of}"
    call = f"{function}({', '.join([*arguments, 'blockIdx.x', *map(str, numbers)])});"
    result = own[write.parameter].type.removesuffix("*")
    others = [n for n, _ in enumerate(own) if n != write.parameter]
    facts = values.facts, fold.facts
    return CudaKernel(
        f"{values.name}+{fold.name}",
        (*(parameters[n]._replace(name=f"data{n}") for n in kept), *(own[n] for n in others)),
        f"  struct Loaded {{ {loaded} }};\n"
        f"  auto value_of = [&](int element, Loaded &loaded, auto stage) -> {result} {{\n{body}\n  }};\n  {call}",
        types, fold.grid, fold.block, any("::" not in name for name in facts[0].calls),
        (*(fold.buffers[n] for n in kept), *(values.buffers[n] for n in others)),
        facts[0].flops * write.elements, sum(each.bytes for each in facts), facts[1].updates, files=(SORTING,),
    )  # fmt: skip


def parts_of(dimension: GridDimension, write: ElementAccess) -> list[tuple[int, str, int, int]]:
    """A dimension, or its quotient and remainder: how far apart elements are that are written along it, its name, its
    length, and by how much the number along the dimension grows. Neighbouring threads write the nearest elements."""
    factors = write.offset[1] if write.offset is not None else {}
    parts = {x.length for x in factors if isinstance(x, DimensionPart) and x.dimension == dimension}
    if len(parts) == 1 and dimension not in factors and dimension.length % (length := parts.pop()) == 0:
        both = (DimensionPart(dimension, part, length) for part in ("quotient", "remainder"))
        sizes = (dimension.length // length, length), (length, 1)
        return [(abs(factors.get(part, 0)) or FAR, dimension.name, *size) for part, size in zip(both, sizes)]
    return [(abs(write.factors.get(dimension) or FAR), dimension.name, dimension.length, 1)]


def _spread(renderer: CudaRenderer, kernel: LoweredKernel) -> Iterator[CudaKernel]:
    """Distribute the iterations of a kernel's outermost loops over threads.

    Consecutive loops become consecutive kernels, so that each sees what the ones before it have written.
    """
    facts = kernel.facts
    stores = [access.loop for access in facts.writes]
    for outermost, section in kernel.sections():
        # Threads do not wait for each other, so what follows a loop in the same kernel may not need its other
        # iterations.
        chain = grid_loops(facts.loops, stores, outermost[0]) if len(outermost) == 1 and None not in stores else []
        loops = [loop for loop in section.counters.values() if loop.number + outermost[0] in chain]
        how = spread(loops, section) if chain else Spread([], [], {}, 1, 1)
        threads = {loop.number: at for loop, at in how.iterations.items()}
        types, parameters, body = renderer.function(section, threads, vectors=how.vectors)
        if how.after:  # a thread reads several elements before it writes the first one if parameters lie apart
            parameters = tuple(each._replace(type=f"{each.type} __restrict__") for each in parameters)
        yield CudaKernel(
            facts.name, parameters, "\n".join([*how.before, body, *how.after]), types, (how.blocks, 1, 1),
            (how.threads, 1, 1), any("::" not in name for name in facts.calls), section.buffers, facts.flops,
            facts.bytes, facts.updates, kernel.shares_memory, files_of(facts.calls),
            bound=int(not kernel.shares_memory),
        )  # fmt: skip
