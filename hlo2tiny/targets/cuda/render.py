"""The kernels of regions in CUDA C.

tinygrad distributes the kernels that it schedules over blocks and threads. Kernels that rules write as loops are
distributed here: the independent loops around everything else become the threads of a grid, the innermost one along
neighbouring threads, so that these access neighbouring elements.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from math import prod

from ...plan.lowering import schedule_region
from ...plan.plan import Kernels
from ...plan.rendering import Rendered
from ...rules.registry import Lowering
from ...tinygrad.expressions import DType, with_loads
from ...tinygrad.kernel import Kernel, kernel_of, trip_count_of
from ...tinygrad.region import byte_sizes
from ...tinygrad.render import (
    ARITHMETIC,
    SMALLEST,
    AddrSpace,
    AxisType,
    CUDARenderer,
    Expressions,
    GroupOp,
    NoCompiler,
    Ops,
    PatternMatcher,
    UOp,
    UPat,
    dtypes,
    this_gpu,
    thread_sizes,
    with_division,
)
from ...tinygrad.schedule import Schedule
from ..functions import function_of_floats
from ..rounding import rounded
from .elements import RESIDENT, Spread, spread
from .kernels import (
    MOST_BLOCKS,
    THREADS,
    WARP,
    CudaKernel,
    CudaRegion,
    grid_loops,
    launch_size,
    share_temporaries,
)
from .reductions import COLUMNS, Nest, Sharing, factor_of, length_of, place, sharing_of
from .rows import Phase, phase_of, row_groups, row_kernel

_STATEMENTS = [
    (UPat(Ops.RANGE, name="x"), lambda ctx, x: ctx.iteration(x)),
    (UPat(Ops.END, name="x"), lambda ctx, x: ctx.end(x)),
    (UPat(Ops.STORE, name="x"), lambda ctx, x: ctx.result(x)),
    (UPat(Ops.LOAD, name="x"), lambda ctx, x: ctx.read(x)),
    (UPat(Ops.WHERE, (dtypes.uint32, dtypes.uint16), name="x"), lambda ctx, x: rounded(ctx, x)),
    (UPat(Ops.SPECIAL, name="x"), lambda ctx, x: ctx.numbers.get(x.arg)),
    (UPat((Ops.ADD, Ops.SUB, Ops.MUL, Ops.SHL), (dtypes.int32, dtypes.int64), name="x"), lambda ctx, x: ctx.wrap(x)),
    SMALLEST,
]


# Iterations whose elements a thread reads before it uses the first ones, so that more reads are in flight.
AHEAD = 4
COMPUTING = {*GroupOp.ALU, Ops.BITCAST, Ops.CAST, Ops.INDEX, Ops.STACK}


class CudaRenderer(Expressions, CUDARenderer):  # type: ignore[misc]
    """CUDA C whose arithmetic is exactly as written, without a compiler: all kernels are compiled together."""

    code_for_op = with_division(CUDARenderer.code_for_op)
    string_rewrite = PatternMatcher(_STATEMENTS) + ARITHMETIC + CUDARenderer.string_rewrite

    def __init__(self, arch: str) -> None:
        super(CUDARenderer, self).__init__(this_gpu(arch))  # CUDARenderer's own would look for a compiler
        self.compiler = NoCompiler()
        self.tensor_cores: list[
            object
        ] = []  # libraries compute products; what is left in kernels is computed as written
        self.places: Mapping[UOp, str] = {}
        self.sharing: Sharing | None = None
        self.numbers: Mapping[str, str] = {}
        self.opened: list[UOp] = []
        self.data: set[UOp] = set()  # what depends on elements of arrays, unlike the indices of loops

    @property
    def identity(self) -> tuple[object, ...]:
        """What a kernel's UOps depend on besides the kernel, so that equal kernels are made only once."""
        return "CUDA", self.target, self.global_max

    def render(self, uops: list[UOp]) -> str:
        """Return a placeholder: kernels are printed by `function`."""
        return "-"

    def iteration(self, x: UOp) -> str | None:
        """A loop whose iterations are threads only declares its variable; one that threads share advances in steps."""
        self.opened.append(x)
        if x in self.places:
            return f"{{ const {self.render_dtype(x.dtype)} {self[x]} = {self.places[x]};"
        if self.sharing is None or (nest := self.nest(x)) is None:
            return None
        lanes, below = nest.share(self.sharing.lanes)[x]
        if lanes == 1:
            return None
        lane = "threadIdx.y" if self.sharing.columns > 1 else "threadIdx.x"
        lane = f"{lane} / {below}" if below > 1 else lane
        lane = f"{lane} % {lanes}" if below * lanes < self.sharing.lanes else lane
        kind, name, size = self.render_dtype(x.dtype), self[x], self[x.src[0]]
        count = nest.at_once if x is nest.first else 1
        if count == 1:
            return f"#pragma unroll 4\nfor ({kind} {name} = {lane}; {name} < {size}; {name} += {lanes}) {{"
        first, iteration, step = f"{name}_first", f"{name}_iteration", lanes * count
        bytes = ", ".join(f"bytes{i}[{AHEAD}]" for i, _ in enumerate(nest.reads))
        return (
            f"uint4 {bytes};\n"
            f"for ({kind} {first} = ({lane}) * {count}; {first} < {size}; {first} += {step * AHEAD})\n"
            f"#pragma unroll\nfor (int {iteration} = 0; {iteration} < {AHEAD}; {iteration}++)\n"
            f"if ({first} + {iteration} * {step} < {size})\n#pragma unroll\n"
            f"for ({kind} {name} = {first} + {iteration} * {step}, end = {name} + {count}; {name} < end; {name}++) {{"
        )

    def nest(self, loop: UOp) -> Nest | None:
        """The shared reduction that a loop belongs to."""
        return next((nest for nest in self.sharing.nests if loop in nest.loops), None) if self.sharing else None

    def read(self, x: UOp) -> str | None:
        """In iterations over several elements, the first one reads the elements of all."""
        nest = self.nest(self.opened[0]) if self.opened else None
        if self.sharing is None or nest is None or nest.at_once == 1 or x not in nest.reads:
            return None
        name, place, bytes = self[nest.first], self.render_access(x.src[0]), f"bytes{nest.reads.index(x)}"
        step = nest.share(self.sharing.lanes)[nest.first][0] * nest.at_once
        left = f"{self[nest.first.src[0]]} - {name}_first"
        return f"read_from<{step}>({bytes}, &{place}, {name}_iteration, {name} - {name}_first, {left})"

    def wrap(self, x: UOp) -> str | None:
        """Arithmetic on a program's integers wraps; the compiler assumes that signed ones do not overflow."""
        if x not in self.data:
            return None
        sign = {Ops.ADD: "+", Ops.SUB: "-", Ops.MUL: "*", Ops.SHL: "<<"}[x.op]
        unsigned = {dtypes.int32: "unsigned", dtypes.int64: "unsigned long long"}[x.dtype]
        left, right = (self[source] for source in x.src)
        return f"(({self.render_dtype(x.dtype)})(({unsigned})({left}){sign}({unsigned})({right})))"

    def end(self, x: UOp) -> str | None:
        """After the loops that threads share, combine what each has found."""
        opened = self.opened.pop()
        if self.sharing is None or self.opened or (nest := self.nest(opened)) is None:
            return None
        across = "columns" if self.sharing.columns > 1 else "lanes"
        calls = [
            f"*({self[r]}+0) = combine_{across}<{name}, {self.sharing.lanes}>(*({self[r]}+0));"
            for r, name in nest.combined
        ]
        return "\n".join(["}", *calls])

    def result(self, x: UOp) -> str | None:
        """Only one of the threads that share a reduction writes the result."""
        if self.sharing is None or self.opened or x.src[0].buf_uop.op is not Ops.PARAM:
            return None
        condition = "threadIdx.y == 0 && is_column" if self.sharing.columns > 1 else "threadIdx.x == 0"
        return f"if ({condition}) {self.render_access(x.src[0])} = {self[x.src[1]]};"

    def function(
        self,
        uops: Sequence[UOp],
        places: Mapping[UOp, str] = {},
        sharing: Sharing | None = None,
        numbers: Mapping[str, str] = {},
    ) -> tuple[str, tuple[str, ...], str]:
        """Return the types, the parameters and the statements of a kernel.

        Args:
            uops: its UOps, in order.
            places: the loops that are threads, and the iteration of each that a thread runs.
            sharing: how threads share the kernel's loops, if they do.
            numbers: replacements for CUDA's own block and thread numbers, by tinygrad's names.
        """
        self.places, self.sharing, self.numbers, self.opened = places, sharing, numbers, []
        self.data = set()
        for u in uops:
            # An element of a vector is data as the vector is; one of a buffer is only when it has been loaded.
            sources = u.src[:1] if u.op is Ops.INDEX else u.src
            if u.op is Ops.LOAD or (u.op in COMPUTING and not self.data.isdisjoint(sources)):
                self.data.add(u)
        _, lines, buffers = self._render([*uops])
        types = "".join(f"{self.render_vector_prefix(*each)}\n" for each in self.vectors(uops))
        written = {u.src[0].buf_uop for u in uops if u.op is Ops.STORE}
        parameters = (
            f"{'' if u in written else 'const '}{self._render_dtype(u.dtype, addrspace=u.addrspace)} {name}"
            for name, (u, _) in buffers
        )
        return types, tuple(parameters), "\n".join(lines)

    def vectors(self, uops: Sequence[UOp]) -> list[tuple[object, int]]:
        """The vector types that CUDA does not have itself."""
        used = {(u.dtype, u.max_numel()): None for u in uops if u.dtype is not dtypes.void and u._shape is not None
                and u.addrspace in (AddrSpace.ALU, None)}  # fmt: skip
        return [(dtype, count) for dtype, count in used if count > 4 or (count > 1 and dtype == dtypes.bool)]


# The functions of sorting.cu, which the threads of a block call together.
TOGETHER = "block::"


# The integers of at_once.cu.
AT_ONCE = (dtypes.int32, dtypes.uint32, dtypes.int64, dtypes.uint64)


def function_of_gpu(name: str, dtype: DType, alone: bool) -> str | None:
    """The function that kernels call."""
    if name.startswith("at_once::"):
        return name if dtype in AT_ONCE else None
    return TOGETHER if name == "sort" else function_of_floats(name, dtype, alone)


NATIVE = Lowering(native=True, parallel=True, function=function_of_gpu)
# The most threads of a block along its third dimension.
MOST_LAYERS = 64

REGIONS = Rendered("cuda region", CudaRegion)


def render_region(step: Kernels, device: str, arch: str) -> CudaRegion:
    """The kernels of a region in CUDA C, rendered once per process, structure and kind of GPU."""
    return REGIONS.get(step, device, lambda: _render(step, device, arch), arch)


def _render(step: Kernels, device: str, arch: str) -> CudaRegion:
    schedule = schedule_region(step, device, NATIVE)
    renderer = CudaRenderer(arch)
    small = [is_small(kernel) for kernel in schedule.kernels]
    plain = {kernel for kernel, alone in zip(schedule.kernels, small) if alone or reduces(kernel)}
    # Kernels that may be merged with neighbouring reductions are needed as they are.
    in_rows = not step.updates and len(schedule.kernels) > 1 and any(map(reduces, schedule.kernels))
    # Rows are counted along one dimension, whatever those of a grid allow.
    renderer.global_max = (MOST_BLOCKS[0],) * 3 if in_rows else CudaRenderer.global_max
    patterns = with_loads if in_rows else as_loops
    calls = list(schedule.programs(renderer, patterns, is_optimised=lambda kernel: not (in_rows or kernel in plain)))
    renderer.global_max = CudaRenderer.global_max
    groups = row_groups(phases := phases_of(schedule, calls)) if in_rows else []
    grouped = {n for group, _ in groups for n in group}
    ends = {group[-1]: (group, rows) for group, rows in groups}
    shared = [None if n in grouped else shared_kernel(renderer, call.src[0]) for n, call in enumerate(calls)]
    left = {n for n, kernel in enumerate(shared) if kernel is None and n not in grouped and not small[n]}
    if in_rows or any(reduces(schedule.kernels[n]) for n in left):
        calls = list(schedule.programs(renderer, as_loops, only=left, others=calls))
    buffers_of_calls, temporaries = schedule.number_buffers(calls)
    kernels: list[CudaKernel] = []
    for n, (call, buffers, kernel) in enumerate(zip(calls, buffers_of_calls, shared)):
        if n in ends:
            group, rows = ends[n]
            kernels.append(row_kernel(renderer, [p for p in phases[group.start : group.stop] if p], rows))
        elif kernel is not None:
            kernels.append(replace(kernel, buffers=buffers))
        elif n not in grouped:
            kernels += _print(renderer, call.src[0], buffers)
    results = byte_sizes(schedule.outputs)
    kernels, kept = share_temporaries(kernels, schedule.inputs + len(results), byte_sizes(temporaries))
    return CudaRegion(tuple(kernels), results, kept)


def phases_of(schedule: Schedule, calls: Sequence[UOp]) -> list[Phase | None]:
    """The kernels of calls as they are, as far as they may compute rows."""
    phases = []
    for call, buffers in zip(calls, schedule.number_buffers(calls)[0]):
        uops = next(s.src for s in call.src[0].src if s.op is Ops.LINEAR)
        facts = kernel_of(call.src[0].arg.function_name, uops, buffers)
        phases.append(phase_of(facts, uops, *thread_sizes(call.src[0])))
    return phases


# A kernel has a thread for each result if a GPU can run about as many threads at the same time; one with reductions, if
# it has fewer results, and reductions of few iterations.
FEW_RESULTS, FEW_ITERATIONS = 1 << 14, 64


def is_small(kernel: UOp) -> bool:
    """Whether a kernel that no rule wrote is faster if no thread computes several results."""
    if kernel.arg.opts_to_apply is not None:
        return False
    uops = kernel.toposort()
    ranges = [u for u in uops if u.op is Ops.RANGE and u.arg[-1] is not AxisType.REDUCE]
    iterations = sum(prod(trip_count_of(r) or FEW_ITERATIONS for r in u.src[1:]) for u in uops if u.op is Ops.REDUCE)
    most = FEW_RESULTS if iterations else RESIDENT
    return prod(trip_count_of(u) or RESIDENT for u in ranges) <= most and iterations <= FEW_ITERATIONS


def keep_loops(kernel: UOp) -> UOp | None:
    """A kernel of many elements as loops, which `spread` makes of it what suits the memory that it reads and writes."""
    if kernel.arg is None or kernel.arg.opts_to_apply is not None or reduces(kernel) or is_small(kernel):
        return None
    loops = {u: u.replace(arg=(*u.arg[:-1], AxisType.LOOP)) for u in kernel.toposort() if u.op is Ops.RANGE}
    return kernel.substitute(loops).replace(arg=replace(kernel.arg, opts_to_apply=()))


as_loops = with_loads + PatternMatcher([(UPat(Ops.SINK, name="kernel"), lambda kernel: keep_loops(kernel))])


def reduces(kernel: UOp) -> bool:
    """Whether a kernel has a reduction that tinygrad could optimise."""
    return any(u.op is Ops.REDUCE for u in kernel.toposort())


def shared_kernel(renderer: CudaRenderer, program: UOp) -> CudaKernel | None:
    """A kernel whose reductions threads share; None if tinygrad should optimise it."""
    uops = next(s.src for s in program.src if s.op is Ops.LINEAR)
    grid, block = thread_sizes(program)
    if prod(block) > 1 or not any(u.op is Ops.RANGE for u in uops) or not any(u.op is Ops.BUFFER for u in uops):
        return None
    sharing = sharing_of(uops, grid)
    if sharing is None or (sharing.columns == 1 and sharing.iterations < WARP // 2 and prod(grid) >= FEW_RESULTS):
        return None
    if any(size > most for size, most in zip(grid, MOST_BLOCKS)):
        return None
    facts = kernel_of(program.arg.function_name, uops, ())
    outputs, numbers, size, head = prod(grid), {}, grid[0], ""
    together = min(THREADS // WARP, size) if sharing.column is None and sharing.lanes == WARP else 1
    if together > 1:  # warps are independent, so a block has several
        numbers["gidx0"] = f"(int)(blockIdx.x * {together} + threadIdx.y);"
        head = f"  if (blockIdx.x * {together} + threadIdx.y >= {size}) return;\n" if size % together else ""
        grid = (-(-size // together), *grid[1:])
    if (column := sharing.column) is not None:
        dimension, part, step = column if isinstance(column, tuple) else (column, "", 1)
        own, axis, blocks = length_of(dimension), int(dimension.arg[-1]), [*grid]
        size = own * length_of(step) if part == "joined" else own
        head = f"  const int column = blockIdx.{'xyz'[axis]} * {COLUMNS} + threadIdx.x;\n"
        head += f"  const bool is_column = column < {size};\n"
        number, blocks[axis] = f"min(column, {size - 1})", -(-size // COLUMNS)
        if part == "joined":
            numbers[step.arg], blocks[int(step.arg[-1])] = f"(int)({number} / {own});", 1
            number = f"{number} % {own}"
        if part == "quotient":  # the iterations of the quotient come one after the other
            number = f"{number} % {size // step} * {step} + {number} / {size // step}"
        numbers[dimension.arg] = f"(int)({number});"
        grid = (blocks[0], blocks[1], blocks[2])
    types, parameters, body = renderer.function(uops, {}, sharing, numbers)
    body = head + body
    block = (COLUMNS, sharing.lanes, 1) if sharing.columns > 1 else (sharing.lanes, together, 1)
    sizes = facts.flops * outputs, facts.bytes * outputs
    return CudaKernel(facts.name, parameters, body, types, grid, block, bool(facts.calls), (), *sizes, facts.updates)


def _print(renderer: CudaRenderer, program: UOp, buffers: tuple[int, ...]) -> Iterator[CudaKernel]:
    uops = next(s.src for s in program.src if s.op is Ops.LINEAR)
    facts = kernel_of(program.arg.function_name, uops, buffers)
    if not any(u.op is Ops.SPECIAL for u in uops):  # tinygrad has left all loops as they are
        yield from _spread(renderer, facts, uops)
        return
    grid, block = thread_sizes(program)
    threads, numbers, head = prod(grid) * prod(block), {}, ""
    calls = [name for name in facts.calls if not name.startswith(TOGETHER)]
    shares = len(calls) < len(facts.calls) or any(
        u.op is Ops.BARRIER or (u.op is Ops.BUFFER and u.addrspace is AddrSpace.LOCAL) for u in uops
    )
    together = min(THREADS // prod(block), grid[0], MOST_LAYERS)
    if not shares and (prod(block) == 1 or not any(u.op is Ops.RANGE for u in uops)):
        blocks, size = launch_size(threads)
        kind, step = "int" if blocks * size < 2**31 else "long long", 1
        head = f"  const {kind} thread = ({kind})blockIdx.x * {size} + threadIdx.x;\n"
        head += f"  if (thread >= {threads}) return;\n" if threads % size else ""
        for dimension in neighbours_first(uops):
            count = length_of(dimension)
            numbers[dimension.arg] = f"(int)(thread / {step}{f' % {count}' if step * count < threads else ''});"
            step *= count
        grid, block = (blocks, 1, 1), (size, 1, 1)
    elif not shares and together > 1 and block[2] == 1:  # several of tinygrad's small blocks are one
        numbers["gidx0"] = f"(int)(blockIdx.x * {together} + threadIdx.z);"
        if grid[0] % together:
            head = f"  if (blockIdx.x * {together} + threadIdx.z >= {grid[0]}) return;\n"
        grid, block = (-(-grid[0] // together), *grid[1:]), (*block[:2], together)
    types, parameters, body = renderer.function(uops, numbers=numbers)
    body = head + body
    yield CudaKernel(
        facts.name, parameters, body, types, grid, block, bool(calls), buffers, facts.flops * threads,
        facts.bytes * threads, facts.updates,
    )  # fmt: skip


def neighbours_first(uops: Sequence[UOp]) -> list[UOp]:
    """The dimensions of blocks and threads, starting with the one along which a kernel writes the nearest elements."""
    store = next(u for u in uops if u.op is Ops.STORE and u.src[0].buf_uop.op is Ops.PARAM)
    return sorted(
        (u for u in uops if u.op is Ops.SPECIAL),
        key=lambda u: (abs(factor_of(place(store.src[0]), u) or 1 << 62), u.arg),
    )


def _spread(renderer: CudaRenderer, facts: Kernel, uops: Sequence[UOp]) -> Iterator[CudaKernel]:
    """Distribute the iterations of a kernel's outermost loops over threads.

    Consecutive loops become consecutive kernels, so that each sees what the ones before it have written.
    """
    ranges = [u for u in uops if u.op is Ops.RANGE]
    stores = [access.loop for access in facts.writes]
    for section in sections(facts, uops):
        # Threads do not wait for each other, so what follows a loop in the same kernel may not need its other
        # iterations.
        outermost = [n for n, loop in enumerate(facts.loops) if loop.outer is None and ranges[n] in section]
        chain = grid_loops(facts.loops, stores, outermost[0]) if len(outermost) == 1 and None not in stores else []
        inner = [u for u in uops if u in section]
        how = spread([ranges[n] for n in chain], inner) if chain else Spread([], [], {}, 1, 1)
        types, parameters, body = renderer.function(inner, how.places)
        if how.after:  # a thread reads several elements before it writes the first one if parameters lie apart
            parameters = tuple(parameter.replace("* ", "* __restrict__ ") for parameter in parameters)
        slots = [buffer for buffer, u in zip(facts.buffers, (u for u in uops if u.op is Ops.PARAM)) if u in section]
        yield CudaKernel(
            facts.name, parameters, "\n".join([*how.before, body, *how.after]), types, (how.blocks, 1, 1),
            (how.threads, 1, 1), any("::" not in name for name in facts.calls), tuple(slots), facts.flops, facts.bytes,
            facts.updates,
        )  # fmt: skip


def sections(facts: Kernel, uops: Sequence[UOp]) -> Iterator[set[UOp]]:
    """The UOps of each outermost loop, with what it needs from outside; all UOps if loops pass on registers."""
    depth, begin, loops = 0, 0, []
    for i, u in enumerate(uops):
        if u.op is Ops.RANGE:
            begin = i if depth == 0 else begin
            depth += 1
        elif u.op is Ops.END:
            depth -= 1
            if depth == 0:
                loops.append(range(begin, i + 1))
    inner = {i for loop in loops for i in loop}
    outside = [u for i, u in enumerate(uops) if i not in inner]
    registers = any(u.op is Ops.BUFFER and used_in(u, uops, loops) > 1 for u in outside)
    if len(loops) < 2 or registers or any(u.op is Ops.STORE for u in outside):
        yield set(uops)
        return
    for loop in loops:
        section = {uops[i] for i in loop}
        sources = {s for u in section for s in u.src}
        for u in reversed(outside):
            if u in sources:
                section.add(u)
                sources.update(u.src)
        yield section


def used_in(register: UOp, uops: Sequence[UOp], loops: Sequence[range]) -> int:
    """How many of the loops use a register."""
    return sum(
        any(register in uops[i].src or uops[i].buf_uop is register for i in loop if uops[i].src) for loop in loops
    )
