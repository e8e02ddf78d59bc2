"""The kernels of regions in C."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from math import prod

from ...plan.lowering import schedule_region
from ...plan.plan import Kernels
from ...plan.rendering import Rendered
from ...rules.registry import Lowering
from ...tinygrad.columns import PARTS, WIDTH, Columns, columns_of, reduce_together
from ...tinygrad.expressions import with_loads
from ...tinygrad.kernel import (
    Kernel,
    join_kernels,
    kernel_of,
    loop_lengths,
    outermost_loops,
    split_at_edges,
    trip_count_of,
)
from ...tinygrad.region import byte_sizes
from ...tinygrad.render import (
    ARITHMETIC,
    MERGES,
    SMALLEST,
    AddrSpace,
    ClangRenderer,
    DType,
    Expressions,
    NoCompiler,
    Ops,
    PatternMatcher,
    UOp,
    UPat,
    dtypes,
    this_processor,
)
from ..functions import function_of_processor
from ..rounding import rounded
from .kernels import RenderedKernel, RenderedRegion, shared_iterations

# Unrolling loops of more iterations than this, and with more operations in all of their iterations than this, takes
# most of a compiler's time and makes hardly any kernel faster. In kernels with sums it would also decide in which order
# these are added.
MOST_UNROLLED = 8
MOST_REPEATED = 512
# Where the innermost loop reads a matrix across its rows, and a cache keeps the beginnings of all rows in the same few
# of its lines, all numbers of these lines are read before the next rows. Loops in between may read so many lines.
TILE_ROWS, TILE_COLUMNS, MOST_LINES, CONFLICTING = 16, 256, 1 << 14, 1024
NOT_UNROLLED = "#ifdef __clang__\n#pragma clang loop unroll(disable)\n#endif\n"
REASSOCIATE = "#ifdef __clang__\n#pragma clang fp reassociate(on)\n#endif\n"

F16 = ("round_to_f16", "widen_f16")  # in types.c; bf16 takes a few operations of bits

_STATEMENTS = [
    SMALLEST,
    (UPat.cvar("c").cast(dtypes.int64), lambda ctx, c: f"{c.val}ll"),
    (UPat.cvar("c").cast(dtypes.uint64), lambda ctx, c: f"{c.val % 2**64}ull"),
    (UPat(Ops.RANGE, name="x"), lambda ctx, x: ctx.loop(x)),
    (UPat(Ops.BUFFER, name="x"), lambda ctx, x: ctx.register_of_columns(x)),
    (UPat(Ops.STORE, name="x"), lambda ctx, x: ctx.sum(x)),
    (UPat(Ops.WHERE, (dtypes.uint32, dtypes.uint16), name="x"), lambda ctx, x: rounded(ctx, x, F16)),
]


class CRenderer(Expressions, ClangRenderer):  # type: ignore[misc]
    """C for one thread. gcc compiles it too, given a definition of clang's bit cast."""

    # Names of types.c: the width of C's `long` depends on the system.
    type_map = ClangRenderer.type_map | {dtypes.int64: "int64", dtypes.uint64: "uint64"}
    has_threads = False
    supports_float4 = False  # no loads of two or four elements, with which a compiler cannot vectorise a loop
    string_rewrite = PatternMatcher(_STATEMENTS) + MERGES + ARITHMETIC + ClangRenderer.string_rewrite

    def __init__(self, scalar: bool = False) -> None:
        super(ClangRenderer, self).__init__(this_processor())  # ClangRenderer's own would look for a compiler
        self.compiler = NoCompiler()
        self.scalar = scalar
        self.begins: Mapping[UOp, int] = {}
        self.shared: set[UOp] = set()
        self.uses = Counter[UOp]()
        self.sums: set[UOp] = set()
        self.lengths: Mapping[UOp, int] = {}
        self.columns: Columns | None = None
        self.rows: frozenset[UOp] = frozenset()
        self.tiled: tuple[UOp, UOp] | None = None

    def render(self, uops: list[UOp]) -> str:
        """Return a placeholder: a kernel is printed by `function`, once its facts are known."""
        return "-"

    def function(
        self,
        uops: Sequence[UOp],
        begins: Mapping[UOp, int],
        in_parts: bool,
        columns: Columns | None = None,
        rows: frozenset[UOp] = frozenset(),
        tiled: tuple[UOp, UOp] | None = None,
    ) -> tuple[str, list[str], str]:
        """Return the types, the parameters and the statements of a kernel.

        Args:
            uops: its UOps, in order.
            begins: the first index of each loop that does not begin at 0.
            in_parts: whether the outermost loop runs from `begin` to `end`.
            columns: the loop over columns that are reduced together.
            rows: the loops along rows that are reduced.
            tiled: the loops over the columns and the rows of a matrix that is read across its rows.
        """
        self.begins, self.shared = begins, set(outermost_loops(uops)) if in_parts else set()
        self.uses = Counter(s for u in uops for s in u.src)
        self.sums = {u.src[0].buf_uop for u in uops if u.op is Ops.STORE and self.find_summand(u) is not None}
        self.columns, self.rows, self.tiled = columns, rows, tiled
        if columns is not None:
            index = self.render_dtype(columns.loop.dtype)
            uops = reduce_together(uops, columns, columns.registers & self.sums, index) or uops
        self.lengths = loop_lengths(uops)
        # The alternatives of a selection get variables: a compiler turns a selection between longer expressions into a
        # branch, and moves the loads that they need into it.
        chosen = UOp(Ops.NOOP, src=tuple(s for u in uops if u.op is Ops.WHERE for s in u.src[1:]))
        _, lines, buffers = self._render([*uops, chosen])
        parameters = [
            f"{self._render_dtype(u.dtype, addrspace=u.addrspace)} restrict {name}" for name, (u, _) in buffers
        ]
        return "".join(f"{line}\n" for line in self._render_defines(uops)), parameters, "\n".join(lines)

    def loop(self, x: UOp) -> str | None:
        if x.dtype is dtypes.void:
            return None
        begin, end = str(self.begins.get(x, 0)), self[x.src[0]]
        if x in self.shared and x in self.begins:
            begin, end = f"(begin < {begin} ? {begin} : begin)", f"(end < {end} ? end : {end})"
        elif x in self.shared:
            begin, end = "begin", "end"
        if self.columns is not None and x is self.columns.loop:
            count = f"const int lanes = {end} - first < {WIDTH} ? {end} - first : {WIDTH};"
            index = f"{self.render_dtype(x.dtype)} first"
            return f"for ({index} = {begin}; first < {end}; first += {WIDTH}) {{\n  {count}"
        iterations = trip_count_of(x) or MOST_REPEATED + 1
        before = ""
        if self.tiled and x in self.tiled:
            before, begin, end = self.tile(x, begin, end)
        long = not self.sums and iterations > MOST_UNROLLED and iterations * self.lengths[x] > MOST_REPEATED
        head = f"for ({self.render_dtype(x.dtype)} {self[x]} = {begin}; {self[x]} < {end}; {self[x]}++) {{"
        return before + (NOT_UNROLLED + head if long or x in self.rows else head)

    def tile(self, x: UOp, begin: str, end: str) -> tuple[str, str, str]:
        """The loops over tiles, which stand before the first loop of two, and where a loop is in a tile."""
        assert self.tiled is not None
        columns, rows = self.tiled
        name, size = ("column", TILE_COLUMNS) if x is columns else ("row", TILE_ROWS)
        before, index = "", self.render_dtype(x.dtype)
        if x is columns:
            before = f"for ({index} column = {begin}; column < {end}; column += {TILE_COLUMNS})\n"
            before += f"for ({index} row = 0; row < {trip_count_of(rows)}; row += {TILE_ROWS})\n"
        elif (trip_count_of(rows) or 1) % size == 0:
            return before, name, f"{name} + {size}"
        return before, name, f"({name} + {size} < {end} ? {name} + {size} : {end})"

    def is_of_columns(self, register: UOp) -> bool:
        return self.columns is not None and register in self.columns.registers

    def register_of_columns(self, x: UOp) -> str | None:
        if not self.is_of_columns(x):
            return None
        names = [f"{part}{self[x]}[{WIDTH}]" for part in ("", *PARTS) if not part or x in self.sums]
        return f"{self.render_dtype(x.dtype)} {', '.join(names)};"

    def render_index(self, x: UOp, buf: UOp, idx: UOp) -> str:
        if self.columns is not None and buf.op in (Ops.BUFFER, Ops.AFTER) and self.is_of_columns(buf.buf_uop):
            return f"({self[buf]}+lane)"
        return str(super().render_index(x, buf, idx))

    def find_summand(self, store: UOp) -> UOp | None:
        """The value that a statement adds to a register of one float, if it does nothing else: a term of a sum."""
        register, value = store.src[0].buf_uop, store.src[1]
        if register.addrspace is not AddrSpace.REG or register.max_numel() != 1 or register.dtype not in SUMMED:
            return None
        if value.op is not Ops.ADD or value.src[0].op is not Ops.LOAD or value.src[0].src[0].buf_uop is not register:
            return None
        return value.src[1] if self.uses[value] == self.uses[value.src[0]] == 1 else None

    def sum(self, store: UOp) -> str | None:
        """Allow the compiler to reorder the additions of a sum over a loop, so that it can use vectors."""
        place, value = store.src[:2]
        register = place.buf_uop
        if register not in self.sums or self.scalar:
            return None
        access = self.render_access(place)
        if self.is_of_columns(register):
            parts, term = [f"{part}{self[register]}[lane]" for part in PARTS], self.find_summand(store)
            if term is not None:
                return f"{parts[0]} = {parts[0]} + {self[term]};"
            begin = f"-{self[value]}" if self[value] in ("0.0", "0.0f") else self[value]
            return " ".join([f"{access} = {begin};", *(f"{part} = -0.0;" for part in parts)])
        if (term := self.find_summand(store)) is not None:
            added = f"{REASSOCIATE}{access} = {access} + term; }} }}"
            return f"{{ {self.render_dtype(register.dtype)} term = {self[term]}; {{\n{added}"
        return None


NATIVE = Lowering(native=True, function=function_of_processor)
SUMMED = (dtypes.float32, dtypes.float64)

REGIONS = Rendered("region", RenderedRegion)


def render_region(
    step: Kernels, device: str, begun: Callable[[RenderedKernel], None] = lambda kernel: None
) -> RenderedRegion:
    """The kernels of a region in C, rendered once per process and structure; `begun` gets each as soon as it is."""
    return REGIONS.get(step, device, lambda: _render(step, device, begun))


def render_scalar_region(step: Kernels, device: str) -> RenderedRegion:
    """The same for processors without vectors: sums are added one after the other, and take no memory for columns."""
    return REGIONS.get(step, device, lambda: _render(step, device, lambda kernel: None, scalar=True), "scalar")


def _render(
    step: Kernels, device: str, begun: Callable[[RenderedKernel], None], scalar: bool = False
) -> RenderedRegion:
    schedule = schedule_region(step, device, NATIVE)
    renderer, temporaries, printed = CRenderer(scalar), list[tuple[int, DType]](), list[RenderedKernel]()
    calls = schedule.numbered(schedule.programs(renderer, with_loads, optimised=False), temporaries)
    kernels = (kernel_and_uops(call.src[0], buffers) for call, buffers in calls)
    for each in kernels if step.updates else join_kernels(kernels):
        printed.append(_print_kernel(renderer, *each))
        begun(printed[-1])
    return RenderedRegion(tuple(printed), byte_sizes(schedule.outputs), byte_sizes(temporaries))


def kernel_and_uops(program: UOp, buffers: tuple[int, ...]) -> tuple[Kernel, Sequence[UOp]]:
    uops = next(s.src for s in program.src if s.op is Ops.LINEAR)
    return kernel_of(program.arg.function_name, uops, buffers), uops


def _print_kernel(renderer: CRenderer, kernel: Kernel, uops: Sequence[UOp]) -> RenderedKernel:
    shared = shared_iterations(kernel) > 0
    split, begins = split_at_edges(uops)
    columns = columns_of(kernel, uops) if not begins and not renderer.scalar else None
    rows = rows_of(kernel, uops) if not begins and columns is None else frozenset()
    tiled = tiled_loops(kernel, uops) if not begins and columns is None and not renderer.scalar else None
    types, parameters, body = renderer.function(split, begins, shared, columns, rows, tiled)
    return RenderedKernel(kernel, types, tuple(parameters), body)


def rows_of(kernel: Kernel, uops: Sequence[UOp]) -> frozenset[UOp]:
    """The innermost loops that only read, one element after the other, in more iterations than are unrolled.

    A compiler would unroll short ones, and then read a vector with one element from each of several rows. Products of
    floats, which stay in order, gain nothing.
    """
    stored = [u.src[1].op for u in uops if u.op is Ops.STORE and u.src[0].buf_uop.addrspace is AddrSpace.REG]
    if Ops.MUL in stored:
        return frozenset()
    found = set()
    for number, (loop, start) in enumerate(zip(kernel.loops, (u for u in uops if u.op is Ops.RANGE))):
        inside = [access for access in kernel.reads if access.loop == number]
        if (loop.iterations or 0) <= MOST_UNROLLED or loop.outer is None or not inside:
            continue
        if any(other.outer == number for other in kernel.loops) or any(a.loop == number for a in kernel.writes):
            continue
        steps = [access.place[number + 1] if access.place else None for access in inside]
        if 1 in steps and all(step in (0, 1) for step in steps):
            found.add(start)
    return frozenset(found)


def tiled_loops(kernel: Kernel, uops: Sequence[UOp]) -> tuple[UOp, UOp] | None:
    """The loops over the columns and the rows of a matrix, if the innermost one reads one element of each row."""
    loops, last = kernel.loops, len(kernel.loops) - 1
    chain = all(loop.independent and loop.outer == (n - 1 if n else None) for n, loop in enumerate(loops))
    if last < 1 or not chain or kernel.updates or any(access.loop != last for access in kernel.writes):
        return None
    if any(u.op is Ops.BUFFER for u in uops):  # registers
        return None
    starts, parameters = ([u for u in uops if u.op is op] for op in (Ops.RANGE, Ops.PARAM))
    for buffer, loop, place in kernel.reads:
        columns = [n for n in range(last) if place and place[n + 1] == 1]
        if place is None or loop != last or not columns:
            continue
        step = abs(place[last + 1]) * parameters[buffer].dtype.itemsize
        between = prod(other.iterations or 1 for other in loops[columns[0] + 1 : last])
        if step > 0 and step % CONFLICTING == 0 and between * TILE_ROWS <= MOST_LINES:
            return starts[columns[0]], starts[last]
    return None
