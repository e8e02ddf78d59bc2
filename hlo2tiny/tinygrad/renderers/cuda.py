"""CUDA C, whose loops the threads of a block or of a grid can share."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial
from math import prod
from typing import NamedTuple, TypeAlias

from tinygrad import dtypes
from tinygrad.dtype import AddrSpace
from tinygrad.renderer.cstyle import CUDARenderer
from tinygrad.uop.ops import AxisType, Ops, PatternMatcher, UOp, UPat

from ...records import dataclass
from ..branches import in_branches
from ..expressions import with_loads
from ..kernel import INDEPENDENT
from ..lowered import DimensionPart, ElementAccess, GridDimension, LoopCounter, LoweredKernel, is_same_along
from ..render import ARITHMETIC, WRAPPING, Expressions, KernelParameter, NoCompiler, this_gpu, totals, with_division
from ..rewriting import is_fence
from .conversions import calls_of_conversions

# The columns of threads of a block that computes as many neighbouring elements; see Nest.ahead.
COLUMNS, AHEAD = 32, 4


class JoinedDimensions(NamedTuple):
    """Two dimensions of a grid as one, which runs through `dimension` for each number along `next`."""

    dimension: GridDimension
    next: GridDimension


# What neighbouring threads may differ in.
Column: TypeAlias = GridDimension | DimensionPart | JoinedDimensions


def dimension_of(column: Column) -> GridDimension:
    return column if isinstance(column, GridDimension) else column.dimension


def size_of(column: Column) -> int:
    """How many columns there are."""
    return dimension_of(column).length * (column.next.length if isinstance(column, JoinedDimensions) else 1)


@dataclass(frozen=True)
class Nest:
    """A reduction: nested loops, whose iterations threads share.

    Attributes:
        loops: the loops, outermost first; the threads share the iterations of `first`, and of the others if some are
            left.
        combined: the numbers of the registers that they add to, and the names of the functions that combine.
        is_innermost: whether no other loops compute a term.
        at_once: how many adjacent elements a thread takes in an iteration.
        ahead: the iterations whose elements a thread reads before it uses the first ones, so that more reads are in
            flight.
        reads: what reads elements.
    """

    loops: tuple[LoopCounter, ...]
    first: LoopCounter
    combined: tuple[tuple[int, str], ...]
    reads: tuple[ElementAccess, ...] = ()
    is_innermost: bool = True
    at_once: int = 1
    ahead: int = AHEAD

    @property
    def iterations(self) -> int:
        return prod(loop.length for loop in self.loops)

    def share(self, lanes: int) -> dict[LoopCounter, tuple[int, int]]:
        """How many threads share each loop, and how many consecutive threads have the same iteration of it."""
        shared, left, below = {}, lanes, 1
        for loop in sorted(self.loops, key=lambda x: (x != self.first, -x.length)):
            own, size = 1, loop.length
            # At most a quarter of the threads are idle in the last iteration.
            for n in (1 << bit for bit in range(left.bit_length())):
                own = n if 4 * -(-size // n) * n <= 5 * size else own
            shared[loop], left, below = (own, below), left // own, below * own
        own, below = shared[self.first]  # some threads are idle if there are more than iterations
        return {x: (n, step * (left if x != self.first else 1)) for x, (n, step) in shared.items()} | {
            self.first: (own * left, below)
        }

    def read_ahead(self, lanes: int) -> tuple[int, int, bool]:
        """The elements of so many threads in an iteration, in how many ones each reads ahead, and whether all exist."""
        step = self.share(lanes)[self.first][0] * self.at_once
        ahead = min(self.ahead, -(-self.first.length // step))
        return step, ahead, self.first.length % (step * ahead) == 0


@dataclass(frozen=True)
class ResultTile:
    """Results that the same threads compute, so that an element that they read serves several of them.

    They differ in `rows` and `columns`, and there are `height` times `width` of them.
    """

    rows: GridDimension
    columns: GridDimension
    height: int
    width: int


@dataclass(frozen=True)
class Sharing:
    """How threads share the reductions of a kernel, one after the other.

    Attributes:
        nests: the reductions, in order.
        column: what neighbouring threads differ in, if a block computes `width` elements, whose reads are adjacent.
        lanes: how many threads work on an element.
        in_order: whether columns add up in the order in which the lanes of a row do.
        tile: the results that the threads which work on an element compute, if there are several.
    """

    nests: tuple[Nest, ...]
    column: Column | None
    lanes: int
    width: int = COLUMNS
    in_order: bool = False
    tile: ResultTile | None = None

    @property
    def columns(self) -> int:
        return 1 if self.column is None else self.width

    @property
    def iterations(self) -> int:
        """How many elements the longest one takes for each result."""
        return max(nest.iterations for nest in self.nests)

    def one_by_one(self, lanes: int) -> Sharing:
        """With this many threads, which take one element in an iteration."""
        return replace(self, nests=tuple(replace(nest, at_once=1) for nest in self.nests), lanes=lanes)


@dataclass(frozen=True)
class Vectors:
    """What a thread reads and writes at once: `count` elements that follow each other, in as many iterations.

    All of them need the same elements of `repeated`. `left` says how many of them there are, as C. They are `along` a
    loop, from a multiple of their count on, unless None; a thread also runs all iterations of `others`. One that
    transposes a square has as many of these vectors, and reads `columns` along the other side.
    """

    count: int
    reads: tuple[ElementAccess, ...]
    writes: tuple[ElementAccess, ...]
    repeated: tuple[ElementAccess, ...] = ()
    left: str = ""
    along: LoopCounter | None = None
    others: tuple[LoopCounter, ...] = ()
    columns: tuple[ElementAccess, ...] | None = None


_STATEMENTS = [
    (UPat(Ops.BITCAST, name="x"), lambda ctx, x: f"({ctx[x.src[0]]})" if is_fence(x) else None),
    (UPat(Ops.RANGE, name="x"), lambda ctx, x: ctx.iteration(x)),
    (UPat(Ops.END, name="x"), lambda ctx, x: ctx.end(x)),
    (UPat(Ops.STORE, name="x"), lambda ctx, x: ctx.result(x)),
    (UPat(Ops.LOAD, name="x"), lambda ctx, x: ctx.read(x)),
    (UPat(Ops.SPECIAL, name="x"), lambda ctx, x: ctx.numbers.get(x.arg)),
    (UPat(Ops.WHERE, name="x"), lambda ctx, x: ctx.chosen.get(x)),
    (UPat(Ops.ADD, name="x"), lambda ctx, x: ctx.sum_of_product(x)),
]


# A thread's independent iterations are unrolled, if they are not more, so that all of them read before one writes.
MOST_UNROLLED = 16
# Reductions whose terms take more operations are unrolled less: what is done with each is compiled for itself.
MOST_WORK = 64
# A loop of threads with common memory is not unrolled if an iteration has more statements, or calls functions. Those of
# scans wait for each other: unrolled, they take no less time.
MOST_STATEMENTS = 128


def begin_shared_loop(kind: str, name: str, lane: str, size: int, lanes: int, unrolled: int = 4) -> str:
    """The head of a loop whose iterations so many threads share, one after the other, and its counter's declaration.

    What no thread would run is not unrolled: each copy takes the compiler as long as the loop. It knows how many
    iterations there are if threads have the same number.
    """
    if size % lanes == 0:
        loop = f"for ({kind} {name}_first = 0; {name}_first < {size}; {name}_first += {lanes}) {{"
        declared = f"const {kind} {name} = {name}_first + {lane};"
        return f"#pragma unroll {min(unrolled, size // lanes)}\n{loop}\n{declared}"
    loop = f"for ({kind} {name} = {lane}; {name} < {size}; {name} += {lanes}) {{"
    return f"#pragma unroll {max(1, min(unrolled, size // lanes))}\n{loop}"


def sums_of_products(uops: Sequence[UOp]) -> dict[UOp, tuple[UOp, UOp]]:
    """The additions of a product that nothing else reads to one more term of what a register adds up, and the two."""
    uses, registers = Counter(s for u in uops for s in u.src), {*totals(uops)}
    waiting, found = [u.src[1] for u in uops if u.op is Ops.STORE and u.src[0].buf_uop in registers], {}
    while waiting:
        u = waiting.pop()
        if u.op is Ops.ADD and u.dtype in (dtypes.float32, dtypes.float64):
            products = [s for s in u.src if s.op is Ops.MUL and uses[s] == 1]
            if products and u.src[0] is not u.src[1]:
                found[u] = products[-1], u.src[u.src[0] is products[-1]]
            waiting += u.src
    return found


def is_costly(statements: Sequence[UOp]) -> bool:
    return len(statements) > MOST_STATEMENTS or any(u.op is Ops.CUSTOM for u in statements)


class TiledResults:
    """The parts of a kernel that computes a tile of results, as C.

    Its statements are a function of a result's number, which is called to begin, for each term, and to end.
    """

    def __init__(self, tile: ResultTile, condition: str) -> None:
        self.results, self.width, self.condition = tile.height * tile.width, tile.width, condition
        self.registers = list[tuple[str, str]]()  # types and names
        self.loops = list[tuple[str, str, str]]()  # their heads, and the types and names of their counters
        self.combined = list[tuple[str, str]]()  # names of registers, and what combines them

    def text(self, lines: Sequence[str]) -> list[str]:
        counters = "".join(f", {kind} {name}" for _, kind, name in self.loops)
        each = f"#pragma unroll\nfor (int number = 0; number < {self.results}; number++)"
        before = ", 0" * len(self.loops)
        return [
            *(f"{kind} all_{name}[{self.results}];" for kind, name in self.registers),
            f"auto compute = [&](auto stage, int number{counters}) {{",
            f"const int row = number / {self.width}, column = number % {self.width};",
            *lines,
            "};",
            f"{each} compute(Count<{BEGIN}>(), number{before});",
            *(head for head, _, _ in self.loops),
            f"{each} compute(Count<{TERM}>(), number{''.join(f', {name}' for _, _, name in self.loops)});",
            "}" * len(self.loops),
            *(f"{each} all_{name}[number] = {call}(all_{name}[number]);" for name, call in self.combined),
            f"{each} compute(Count<{END}>(), number{before});",
        ]


# What the statements of a tile's result are called for.
BEGIN, TERM, END = range(3)


def is_stage(stage: int) -> str:
    return f"if constexpr (decltype(stage)::count == {stage})"


class CudaRenderer(Expressions, CUDARenderer):  # type: ignore[misc]
    """CUDA C whose arithmetic is exactly as written, without a compiler: all kernels are compiled together."""

    conversions, patterns = calls_of_conversions, with_loads
    in_tiles = True
    code_for_op = with_division(CUDARenderer.code_for_op)
    usual = WRAPPING + ARITHMETIC + CUDARenderer.string_rewrite
    string_rewrite = PatternMatcher(_STATEMENTS) + usual

    def __init__(self, arch: str) -> None:
        super(CUDARenderer, self).__init__(this_gpu(arch))  # CUDARenderer's own would look for a compiler
        self.compiler = NoCompiler()
        # Products are the libraries'; what is left in kernels is computed as written.
        self.tensor_cores: list[object] = []
        self.has_shared = False  # few terms of many results: threads that share them would be idle, and write apart
        self.kernel = LoweredKernel("", (), ())
        self.threads: Mapping[int, str] = {}
        self.sharing: Sharing | None = None
        self.tiled: TiledResults | None = None
        self.numbers: Mapping[str, str] = {}
        self.at_once: Vectors | None = None
        self.chosen: Mapping[UOp, str] = {}
        self.returns = False
        self.stored: Mapping[UOp, str] = {}
        self.loaded = list[str]()  # the types of what a kernel loads that returns its result
        self.opened: list[UOp] = []
        self.products: Mapping[UOp, tuple[UOp, UOp]] = {}

    def render(self, uops: list[UOp]) -> str:
        """Return a placeholder: kernels are printed by `function`."""
        return "-"

    def iteration(self, x: UOp) -> str | None:
        """A loop whose iterations are threads only declares its variable; one that threads share advances in steps."""
        self.opened.append(x)
        counter = self.kernel.counters[x]
        if counter.number in self.threads:
            return f"{{ const {self.render_dtype(x.dtype)} {self[x]} = {self.threads[counter.number]};"
        if self.sharing is None or (nest := self.nest(x)) is None:
            if x.arg[0] >= INDEPENDENT and self.kernel.dimensions and counter.length <= MOST_UNROLLED:
                pragma = "#pragma unroll"
            elif x.arg[-1] is AxisType.LOOP and self.kernel.shares_memory and is_costly(self.kernel.body(x)):
                pragma = "#pragma unroll 1"
            else:
                return None
            kind, name = self.render_dtype(x.dtype), self[x]
            return f"{pragma}\nfor ({kind} {name} = 0; {name} < {self[x.src[0]]}; {name}++) {{"
        lanes, below = nest.share(self.sharing.lanes)[counter]
        count = nest.at_once if counter == nest.first else 1
        if lanes == count == 1 and not self.tiled:
            return None
        lane = "threadIdx.y" if self.sharing.columns > 1 else "threadIdx.x"
        lane = f"{lane} / {below}" if below > 1 else lane
        lane = f"{lane} % {lanes}" if below * lanes < self.sharing.lanes else lane
        kind, name, size = self.render_dtype(x.dtype), self[x], self[x.src[0]]
        if count == 1:
            work = self.kernel.facts.flops // max(1, self.sharing.iterations)
            work *= self.tiled.results if self.tiled else 1
            unrolled = 4 if work <= MOST_WORK else 2 if counter == nest.loops[-1] else 1
            head = begin_shared_loop(kind, name, lane if lanes > 1 else "0", counter.length, lanes, unrolled)
            if not self.tiled:
                return head
            self.tiled.loops.append((head, kind, name))
            return f"{is_stage(TERM)} {{" if len(self.opened) == 1 else "{"
        first, iteration = f"{name}_first", f"{name}_iteration"
        step, ahead, whole = nest.read_ahead(self.sharing.lanes)
        bytes = ", ".join(f"bytes{i}[{ahead}]" for i, _ in enumerate(nest.reads))
        return (
            f"uint4 {bytes};\n"
            f"for ({kind} {first} = ({lane}) * {count}; {first} < {size}; {first} += {step * ahead})\n"
            f"#pragma unroll\nfor (int {iteration} = 0; {iteration} < {ahead}; {iteration}++)\n"
            f"{'' if whole else f'if ({first} + {iteration} * {step} < {size})'}\n#pragma unroll\n"
            f"for ({kind} {name} = {first} + {iteration} * {step}, end = {name} + {count}; {name} < end; {name}++) {{"
        )

    def nest(self, loop: UOp) -> Nest | None:
        """The shared reduction that a loop belongs to."""
        nests = self.sharing.nests if self.sharing else ()
        return next((nest for nest in nests if self.kernel.counters[loop] in nest.loops), None)

    @property
    def in_square(self) -> tuple[tuple[str, str], tuple[str, str]]:
        """Which vector an iteration of those of a square has, and the place in it, along rows and along columns."""
        count = self.at_once.count if self.at_once is not None else 1
        return (f"[i / {count}]", f"i % {count}"), (f"[i % {count}]", f"i / {count}")

    def read(self, x: UOp) -> str | None:
        """In iterations over several elements, the first one reads the elements of all.

        What returns its result is called twice: at first for what it reads, which it does not read again.
        """
        if self.returns:
            self.loaded.append(self.render_dtype(x.dtype))
            access = self.usual.rewrite(x, ctx=self)
            return f"block::load(stage, loaded.x{len(self.loaded) - 1}, [&] {{ return {access}; }})"
        if self.at_once is not None:
            access, each = self.render_access(x.src[0]), self.at_once.count
            row, column = (("", "i"), ("", "")) if self.at_once.columns is None else self.in_square
            for name, count, reads, (which, place) in (
                ("read", each, self.at_once.reads, row),
                ("repeated", 1, self.at_once.repeated, row),
                ("column", each, self.at_once.columns or (), column),
            ):
                if (number := next((n for n, read in enumerate(reads) if read.uop is x), None)) is not None:
                    vector = f"read_vector<{count}>({name}{number}{which}, &{access}, {place})"
                    return vector if len(x.src) == 1 else f"({self[x.src[2]]}?{vector}:{self[x.src[1]]})"
            return None
        nest = self.nest(self.opened[0]) if self.opened else None
        if self.sharing is None or nest is None or nest.at_once == 1:
            return None
        number = next((n for n, read in enumerate(nest.reads) if read.uop is x), None)
        if number is None:
            return None
        first = self.kernel.ranges[nest.first.number]
        name, access, bytes = self[first], self.render_access(x.src[0]), f"bytes{number}"
        step, _, whole = nest.read_ahead(self.sharing.lanes)
        left = "1ll << 62" if whole else f"{self[first.src[0]]} - {name}_first"
        return f"read_from<{step}>({bytes}, &{access}, {name}_iteration, {name} - {name}_first, {left})"

    def end(self, x: UOp) -> str | None:
        """After the loops that threads share, combine what each has found."""
        opened = self.opened.pop()
        if self.sharing is None or self.opened or (nest := self.nest(opened)) is None:
            return None
        across, lanes = "columns" if self.sharing.columns > 1 else "lanes", str(self.sharing.lanes)
        if self.sharing.in_order and self.sharing.columns > 1:
            across, lanes = "columns_in_order", f"{lanes}, {self.sharing.columns}"
        combined = [(self[self.kernel.registers[number]], name) for number, name in nest.combined]
        if self.tiled:
            if self.sharing.lanes > 1:
                self.tiled.combined += [(r, f"combine_{across}<{name}, {lanes}>") for r, name in combined]
            return None
        lines = [f"*({r}+0) = combine_{across}<{name}, {lanes}>(*({r}+0));" for r, name in combined]
        return "\n".join(["}", *lines])

    def result(self, x: UOp) -> str | None:
        """One of the threads that share a reduction writes its result; the last of some iterations, those of all."""
        if self.returns:
            return f"return {self[x.src[1]]};"
        if x in self.stored:
            return f"{self.stored[x]} = {self[x.src[1]]};"
        if self.at_once is not None:
            number = next((n for n, write in enumerate(self.at_once.writes) if write.uop is x), None)
            if number is None:
                return None
            count, access, left = self.at_once.count, self.render_access(x.src[0]), self.at_once.left or "~0u"
            which, place = ("", "i") if self.at_once.columns is None else self.in_square[0]
            return f"write_vector<{count}>(written{number}{which}, &{access}, {self[x.src[1]]}, {place}, {left});"
        if self.tiled and not self.opened:
            is_register = x.src[0].buf_uop.op is not Ops.PARAM
            when = is_stage(BEGIN) if is_register else f"{is_stage(END)} if ({self.tiled.condition})"
            return f"{when} {self.usual.rewrite(x, ctx=self)}"
        if self.sharing is None or self.opened or x.src[0].buf_uop.op is not Ops.PARAM:
            return None
        condition = "threadIdx.y == 0 && is_column" if self.sharing.columns > 1 else "threadIdx.x == 0"
        return f"if ({condition}) {self.render_access(x.src[0])} = {self[x.src[1]]};"

    def sum_of_product(self, x: UOp) -> str | None:
        """A term of a sum is rounded once, with the sum."""
        if (parts := self.products.get(x)) is None:
            return None
        product, other = parts
        function = "fmaf" if x.dtype == dtypes.float32 else "fma"
        return f"{function}({self[product.src[0]]}, {self[product.src[1]]}, {self[other]})"

    def render_buffer(self, x: UOp) -> str:
        """A register that each result of a tile has is one of an array."""
        if not self.tiled:
            return str(super().render_buffer(x))
        kind, name = self.render_dtype(x.dtype), self[x]
        self.tiled.registers.append((kind, name))
        return f"{kind} *const {name} = &all_{name}[number];"

    def function(
        self,
        kernel: LoweredKernel,
        threads: Mapping[int, str] = {},
        sharing: Sharing | None = None,
        numbers: Mapping[str, str] = {},
        vectors: Vectors | None = None,
        condition: str = "",
        returns: bool = False,
        stored: Sequence[tuple[ElementAccess, str]] = (),
    ) -> tuple[tuple[str, ...], tuple[KernelParameter, ...], str]:
        """Return the types, the parameters and the statements of a kernel.

        Args:
            threads: the numbers of the loops that are threads, and the iteration of each that a thread runs.
            sharing: how threads share the kernel's loops, if they do.
            numbers: replacements for CUDA's own block and thread numbers, by tinygrad's names, along neighbours first.
            vectors: what a thread reads and writes at once.
            condition: whether a thread writes the result `row` and `column` of its tile, if it has one.
            returns: whether the kernel's only result is returned in place of stored.
            stored: where what some writes store goes in place of their elements.
        """
        self.kernel, uops = kernel, kernel.uops
        self.threads, self.sharing, self.numbers, self.opened = threads, sharing, numbers, []
        self.at_once, self.chosen, self.returns, self.loaded = vectors, {}, returns, []
        self.stored = {access.uop: place for access, place in stored}
        loop = None if vectors is None else vectors.along
        if (vectors is None or loop is not None) and sharing is None and not stored:
            variables = [x for x in kernel.ranges if kernel.counters[x].number in threads]
            special = {x.arg: x for x in uops if x.op is Ops.SPECIAL}
            if special.keys() <= numbers.keys():
                variables += [special[name] for name in reversed([*numbers]) if name in special]
                agree = None
                if vectors is not None and loop is not None:
                    agree = partial(
                        is_same_along, known=kernel.counters, variable=loop, count=vectors.count, others=vectors.others
                    )
                uops, self.chosen = in_branches(uops, variables, self.render_dtype, agree)
        self.products = sums_of_products(uops)
        self.tiled = TiledResults(sharing.tile, condition) if sharing and sharing.tile else None
        _, lines, buffers = self._render([*uops])
        lines = self.tiled.text(lines) if self.tiled else lines
        types = tuple(str(self.render_vector_prefix(*each)) for each in self.vectors(uops))
        written = {u.src[0].buf_uop for u in uops if u.op is Ops.STORE}
        parameters = (
            KernelParameter(self._render_dtype(u.dtype, addrspace=u.addrspace), name, u in written)
            for name, (u, _) in buffers
        )
        return types, tuple(parameters), "\n".join(lines)

    def vectors(self, uops: Sequence[UOp]) -> list[tuple[object, int]]:
        """The vector types that CUDA does not have itself."""
        used = {(u.dtype, u.max_numel()): None for u in uops if u.dtype is not dtypes.void and u._shape is not None
                and u.addrspace in (AddrSpace.ALU, None)}  # fmt: skip
        return [(dtype, count) for dtype, count in used if count > 4 or (count > 1 and dtype == dtypes.bool)]
