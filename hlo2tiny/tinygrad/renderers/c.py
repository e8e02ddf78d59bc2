"""C for one thread."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from math import prod

from tinygrad import dtypes
from tinygrad.dtype import AddrSpace
from tinygrad.renderer.cstyle import ClangRenderer
from tinygrad.uop.ops import AxisType, GroupOp, Ops, PatternMatcher, UOp, UPat

from ..blocks import ADJACENT, ALONE, APART, IN_ORDER, Blocks, are_adjacent, blocks_of, steps_of
from ..codegen import LONGEST_PART
from ..columns import (
    COMBINATIONS,
    IN_VECTORS,
    NARROW_WIDTH,
    NOT_UNROLLED,
    PARTS,
    Columns,
    Combination,
    add_up,
    columns_of,
    halves_of,
    partial_sums,
    reduce_together,
)  # fmt: skip
from ..expressions import BITS, with_loads, without_zero_bits
from ..kernel import constant_of, loop_lengths, split_at_edges, trip_count_of
from ..lowered import LoweredKernel, values_of
from ..render import ARITHMETIC, MERGES, NO_BITS, SMALLEST, Expressions, KernelParameter, NoCompiler, this_processor
from ..rewriting import is_fence
from ..sizes import as_size, is_variable, without_divisions
from ..strips import Strips, in_strips, narrow_sums_of, strips_of, sum_in_strips
from ..tiles import in_tiles, tiles_of
from .conversions import ROUNDED_TO_F16, SIGNED, WIDENED_F16, rounded

# Unrolling loops of more iterations than this, and with more operations in all of their iterations than this, takes
# most of a compiler's time and makes hardly any kernel faster. In kernels with sums it would also decide in which order
# these are added.
MOST_UNROLLED = 8
MOST_REPEATED = 512
# Loops around as many results as this are not unrolled: these are enough for vectors.
FILLED = 16
# What the sum of a block has is added to that of all blocks, and what this loses to what they have lost before. That is
# NaN if a sum is infinite, and 0 must not change the sign of -0.
BEGIN_BLOCKS = "TOTAL = SUM; LOST = SUM = -0.0;"
ADD_BLOCK = (
    "{ const TYPE next = TOTAL + SUM, added = next - TOTAL; LOST = LOST + ((TOTAL - (next - added)) + (SUM - added));"
    " TOTAL = next; SUM = -0.0; }"
)
END_BLOCKS = "SUM = LOST < 0 || LOST > 0 ? TOTAL + LOST : TOTAL;"
REASSOCIATE = "#ifdef __clang__\n#pragma clang fp reassociate(on)\n#endif\n"

INFINITY = {dtypes.float32: 0x7F800000, dtypes.float64: 0x7FF0000000000000}  # its bits
F16 = {"round_to_f16": ROUNDED_TO_F16, "widen_f16": WIDENED_F16}  # in types.c; bf16 takes a few operations of bits

SHORT_INTEGERS = (dtypes.int8, dtypes.int16, dtypes.int32, dtypes.uint8, dtypes.uint16, dtypes.uint32)


def quotient(ctx: CRenderer, x: UOp) -> str | None:
    """A quotient by a number that is not constant, for which compilers multiply; see types.c."""
    if constant_of(x.src[1]) is not None:
        return None
    return f"QUOTIENT({ctx.render_dtype(x.dtype)}, {ctx[x.src[0]]}, {ctx[x.src[1]]})"


_STATEMENTS = [
    (UPat.cvar("c").cast(dtypes.int64), lambda ctx, c: f"{c.val}ll"),
    (UPat.cvar("c").cast(dtypes.uint64), lambda ctx, c: f"{c.val % 2**64}ull"),
    (UPat(Ops.BITCAST, name="x"), lambda ctx, x: f"({ctx[x.src[0]]})" if is_fence(x) else ctx.with_other_sign(x)),
    # clang up to 22.1.8 takes 2**64 - 1 for 2**32 - 1 in vectors of such casts. A double holds either exactly enough.
    (
        UPat.var("x", (dtypes.int8, dtypes.int16)).cast(dtypes.uint64).cast(dtypes.float32),
        lambda ctx, x: f"((float)((double)((uint64)({ctx[x]}))))",
    ),
    (UPat(Ops.CDIV, SHORT_INTEGERS, name="x"), lambda ctx, x: quotient(ctx, x)),
    (UPat(Ops.RANGE, name="x"), lambda ctx, x: ctx.loop(x)),
    (UPat(Ops.BUFFER, name="x"), lambda ctx, x: ctx.register_of_columns(x)),
    (UPat(Ops.CMPLT, name="x"), lambda ctx, x: ctx.is_nan(x)),
    (UPat(Ops.LOAD, name="x"), lambda ctx, x: ctx.selected(x)),
    (UPat(Ops.STORE, name="x"), lambda ctx, x: ctx.sum(x)),
    (UPat(Ops.WHERE, (dtypes.uint32, dtypes.uint16), name="x"), lambda ctx, x: rounded(ctx, x, F16)),
    (UPat(Ops.OR, dtypes.uint32, name="x"), lambda ctx, x: rounded(ctx, x, SIGNED)),
    (UPat(Ops.END, name="x"), lambda ctx, x: ctx.end_of_terms(x)),
    (UPat(Ops.CUSTOM, name="x"), lambda ctx, x: ctx.near_call(x)),
]

# The most columns whose elements compilers read together, and then sort.
MOST_COLUMNS = 8


def has_wide_offsets(kernel: LoweredKernel) -> bool:
    """Whether offsets are computed in C's `long`. As an `int` wraps, compilers find no vectors in those of short rows,
    of which they would make some of several rows, and elsewhere check first that none wraps, which takes them up to
    twice as long. Where neighbours are apart they gather, with indices as wide as the offsets, unless what is between
    them is accessed, too: the elements of few columns are whole vectors in another order."""
    loops, steps = kernel.facts.loops, dict[tuple[int, bool, int], set[int]]()
    for is_write, accesses in ((False, kernel.facts.reads), (True, kernel.facts.writes)):
        for a in accesses:
            if a.offset is not None and a.loop is not None and (step := a.offset[a.loop + 1]):
                steps.setdefault((a.buffer, is_write, step), set()).add(a.offset[0] % abs(step))
    short = any(loop.outer is not None and 1 < (loop.iterations or 0) <= LONGEST_PART for loop in loops)
    whole = (step == 1 or (1 < step <= MOST_COLUMNS and len(begins) == step) for (*_, step), begins in steps.items())
    return short or (not has_sums(kernel) and all(whole))


class CRenderer(Expressions, ClangRenderer):  # type: ignore[misc]
    """C for one thread. gcc compiles it too, given a definition of clang's bit cast."""

    # Names of types.c: the width of C's `long` depends on the system.
    type_map = ClangRenderer.type_map | {dtypes.int64: "int64", dtypes.uint64: "uint64"}
    has_threads = False
    in_rows = True  # see `to_program`
    supports_float4 = False  # no loads of two or four elements, with which a compiler cannot vectorise a loop
    string_rewrite = SMALLEST + PatternMatcher(_STATEMENTS) + MERGES + ARITHMETIC + ClangRenderer.string_rewrite

    def __init__(self, scalar: bool = False, in_order: bool = False, is_open: bool = False) -> None:
        super(ClangRenderer, self).__init__(this_processor())  # ClangRenderer's own would look for a compiler
        self.compiler = NoCompiler()
        self.patterns = with_loads + without_divisions if is_open else with_loads
        self.scalar, self.in_order = scalar, in_order
        self.begins: Mapping[UOp, int] = {}
        self.shared: Mapping[UOp, tuple[Sequence[UOp], int]] = {}
        self.uses = Counter[UOp]()
        self.sums: dict[UOp, Combination] = {}  # the registers of sums and products
        self.reorders = False  # whether a compiler may reorder sums of the last kernel
        self.lengths: Mapping[UOp, int] = {}
        self.has_wide_offsets = False
        self.outer: frozenset[UOp] = frozenset()
        self.columns: Columns | None = None
        self.rows: frozenset[UOp] = frozenset()
        self.few: frozenset[UOp] = frozenset()
        self.around: frozenset[UOp] = frozenset()  # loops around short rows
        self.strips: Strips | None = None
        self.summed: Mapping[UOp, UOp] = {}
        self.added: dict[UOp, str] = {}
        self.blocks: Mapping[UOp, Blocks] = {}
        self.computed: frozenset[UOp] = frozenset()  # loops that read places that are not linear in their iterations
        self.alternatives: frozenset[UOp] = frozenset()  # of selections
        self.near: frozenset[UOp] = frozenset()  # calls whose argument is known to be near 0

    def render(self, uops: list[UOp]) -> str:
        """Return a placeholder: a kernel is printed by `function`, once its facts are known."""
        return "-"

    def function(self, kernel: LoweredKernel, shared: Sequence[int] = ()) -> tuple[str, list[KernelParameter], str]:
        """Return the types, the parameters and the statements of a kernel.

        `shared` are the trip counts of the outermost loops that together run from `begin` to `end`.
        """
        plain = without_zero_bits(kernel)
        if plain is not kernel and columns_of(kernel) is None:  # sums of columns should not be split
            kernel = plain
        uops, begins = kernel.uops, dict[UOp, int]()
        # Parts of a loop would add other terms together, and how large a kernel may become decides whether it is split.
        tiles = None if self.scalar else tiles_of(kernel)
        self.strips = strips_of(kernel) if not self.scalar and tiles is None else None
        if tiles is not None:
            uops = in_tiles(kernel, tiles, self.render_dtype)
        elif self.strips is None and (not self.in_order or not has_sums(kernel)):
            uops, begins = split_at_edges(uops)
        columns = columns_of(kernel) if not begins and not self.scalar and tiles is None else None
        if columns is not None and self.in_order:  # each row has a place among the partial sums
            columns = replace(columns, together=0, width=NARROW_WIDTH)
        alone = not begins and columns is None
        self.columns, self.rows = columns, rows_of(kernel) if alone and not self.in_order else frozenset()
        self.few = few_elements_of(kernel) if alone else frozenset()
        self.around = around_short_rows_of(kernel) if alone else frozenset()
        self.begins, self.shared = begins, shared_loops(uops, shared)
        self.uses = Counter(s for u in uops for s in u.src)
        terms = [u for u in uops if u.op is Ops.STORE and self.find_term(u) is not None]
        self.sums = {u.src[0].buf_uop: COMBINATIONS[u.src[1].op] for u in terms}
        self.summed = self.loops_of_terms(uops) if self.in_order and columns is None else {}
        self.added, self.reorders = {}, False
        self.blocks = self.long_sums(uops, [u for u in terms if u.src[1].op is Ops.ADD])
        narrow = narrow_sums_of(kernel, columns) if not self.in_order else None
        if narrow is not None and columns is not None:
            self.columns = replace(columns, parts=PARTS)
            uops = sum_in_strips(uops, narrow, self.render_dtype)
            self.uses = Counter(s for u in uops for s in u.src)
        elif columns is not None:
            sums = {u: how for u, how in self.sums.items() if u in columns.registers}
            uops = reduce_together(uops, columns, sums, self.render_dtype, self.in_order) or uops
            self.uses = Counter(s for u in uops for s in u.src)
        if self.strips is not None:
            uops = in_strips(uops, self.strips, self.render_dtype)
        # Compilers know nothing of where a block begins that would keep an `int` from wrapping.
        wide = bool(self.blocks) or has_wide_offsets(kernel) if columns is None else not columns.turned
        self.has_wide_offsets = wide and self.strips is None and tiles is None
        self.lengths = loop_lengths(uops)
        self.outer = outer_loops(uops, bool(self.sums)) | (updated_rows_of(kernel) if alone else frozenset())
        self.outer |= frozenset(u for u in uops if tiles is not None and u.op is Ops.RANGE)
        # The alternatives of a selection get variables: a compiler turns a selection between longer expressions into a
        # branch, and moves the loads that they need into it.
        chosen = tuple(s for u in uops if u.op is Ops.WHERE for s in u.src[1:])
        self.alternatives = frozenset(chosen)
        _, lines, buffers = self._render([*uops, UOp(Ops.NOOP, src=chosen)])
        if not (columns or narrow or self.strips or tiles or self.summed or self.scalar):
            lines = self.with_near_calls([*uops, UOp(Ops.NOOP, src=chosen)], lines, kernel.facts.work)
        parameters = [
            KernelParameter(f"{self._render_dtype(u.dtype, addrspace=u.addrspace)} restrict", name)
            for name, (u, _) in buffers
            if not is_variable(u)
        ]
        if sizes := [(name, u) for name, (u, _) in buffers if is_variable(u)]:
            parameters.append(KernelParameter("int64* restrict", "sizes", False))
            given = (f"  const {self.render_dtype(u.dtype)} {name} = {as_size(u)}; (void){name};" for name, u in sizes)
            lines = [*given, *lines]
        return "".join(f"{line}\n" for line in self._render_defines(uops)), parameters, "\n".join(lines)

    def with_near_calls(self, uops: list[UOp], lines: list[str], work: int) -> list[str]:
        """The statements of a kernel, again where a loop finds all arguments of its functions of angles near 0.

        What the functions take longer for is only needed elsewhere, but vectors have no branches.
        """
        angles, calls = angles_of(uops) if work >= LEAST_WORK else ([], frozenset[UOp]())
        if not calls:
            return lines
        _, looking, _ = self._render(angles)
        self.near = calls
        _, near, _ = self._render(uops)
        self.near = frozenset()
        return ["  int far = 0;", "  {", *looking, "  }", "  if (far) {", *lines, "  } else {", *near, "  }"]

    def near_call(self, call: UOp) -> str | None:
        name = call.arg.replace("_f(", "_near_f(")
        return str(name.format(*map(self.__getitem__, call.src))) if call in self.near else None

    def narrow_sums(self, kernel: LoweredKernel) -> int | None:
        """The loop over the columns of a narrow matrix that a kernel adds up, which threads cannot share."""
        narrow = None if self.scalar or self.in_order else narrow_sums_of(kernel, columns_of(kernel))
        return None if narrow is None else kernel.ranges.index(narrow.loops[-1])

    def loop(self, x: UOp) -> str | None:
        if x.dtype is dtypes.void:
            return None
        begin, end = str(self.begins.get(x, 0)), self[x.src[0]]
        if self.strips is not None and x is self.strips.loops[0]:
            return self.strip(x, begin, end)
        if x in self.shared:
            begin, end = self.share(x, begin, end, self.shared[x][1])
        if self.columns is not None and x is self.columns.loop:
            width = self.columns.width
            count = f"const int lanes = {end} - first < {width} ? {end} - first : {width};"
            index = f"{self.render_dtype(x.dtype)} first"
            return f"for ({index} = {begin}; first < {end}; first += {width}) {{\n  {count}"
        first = ""
        if x in self.blocks:
            first, begin, end = self.begin_blocks(x, begin, end)
        if x in self.summed.values():
            return first + self.terms(x, begin, end)
        iterations = trip_count_of(x) or MOST_REPEATED + 1
        long = not self.sums and iterations > MOST_UNROLLED and iterations * self.lengths[x] > MOST_REPEATED
        if self.columns is not None and x is self.columns.rows:
            begin = str(self.columns.together) if self.columns.together else begin
            # A row of many columns is a loop itself, and their sums do not stay in registers from row to row.
            long = (trip_count_of(self.columns.loop) or 0) > NARROW_WIDTH
        head = f"for ({self.render_dtype(x.dtype)} {self[x]} = {begin}; {self[x]} < {end}; {self[x]}++) {{"
        if x in self.rows and not self.sums:
            return IN_VECTORS + head
        if x in self.few and not long:
            return IN_PIECES + head
        if x in self.around:
            return ONE_BY_ONE + head
        rolled = self.blocks[x].is_outer if x in self.blocks else long or x in self.rows or x in self.outer
        return first + NOT_UNROLLED + head if rolled else first + head

    def share(self, x: UOp, begin: str, end: str, size: int = 1) -> tuple[str, str]:
        """Where a loop begins and ends that has the iterations from `begin` to `end` together with others.

        They are counted in units of this many iterations of the innermost of these loops.
        """
        outer, _ = self.shared[x]
        done = "".join(f" - {self[loop]} * {self.shared[loop][1]}" for loop in outer)
        first, last = f"begin{done}", f"end{done}"
        if size > 1:
            first, last = f"({first}) / {size}", f"({last} + {size - 1}) / {size}"
        if trip_count_of(x) is None:  # compilers use no vectors where the index of a loop is narrower than its end
            first, last = (f"({self.render_dtype(x.dtype)})({number})" for number in (first, last))
        if outer or x in self.begins:
            return f"({first} < {begin} ? {begin} : {first})", f"({last} < {end} ? {last} : {end})"
        return first, last

    def strip(self, x: UOp, begin: str, end: str) -> str:
        """The loop over strips in place of several loops."""
        assert self.strips is not None
        index, unit = self.render_dtype(x.dtype), self.strips.period
        if x in self.shared:
            size = self.shared[x][1]  # which is more than 1 if loops in this one are shared, too
            begin, end = self.share(x, begin, str((trip_count_of(x) or 0) * size))
            unit //= size
        phase = "0" if unit == self.strips.period else f"{begin} * {unit} % {self.strips.period}"
        head = f"const {index} elements = {end} * {unit}, phase = {phase};\n"
        head += f"{NOT_UNROLLED}for ({index} first = {begin} * {unit}; first < elements; first += {self.strips.length})"
        return head + " {\n" + self.strips.begin("elements")

    def is_of_columns(self, register: UOp) -> bool:
        return self.columns is not None and register in self.columns.registers

    def register_of_columns(self, x: UOp) -> str | None:
        if self.columns is None or not self.is_of_columns(x):
            return None
        width = self.columns.width
        names = [f"{self[x]}[{width}]"]
        if x in self.sums and self.in_order:
            names += [f"{PARTS[0]}{self[x]}[{self.count_parts()} * {width}]"]
        elif x in self.sums:
            names += [f"{part}{self[x]}[{width}]" for part in self.columns.parts]
        return f"{self.render_dtype(x.dtype)} {', '.join(names)};"

    def render_index(self, x: UOp, buf: UOp, idx: UOp) -> str:
        if self.columns is not None and buf.op in (Ops.BUFFER, Ops.AFTER) and self.is_of_columns(buf.buf_uop):
            return f"({self[buf]}+lane)"
        offset = self.wide_offset(idx) if self.has_wide_offsets and constant_of(idx) is None else None
        return str(super().render_index(x, buf, idx)) if offset is None else f"({self[buf]}+{offset})"

    def wide_offset(self, x: UOp) -> str | None:
        """An offset in C's `long`; None if it is not computed of loops alone."""
        if x.op is Ops.RANGE or (x.op is Ops.CUSTOMI and x.arg.isidentifier()):
            return f"(long){self[x]}"
        if (number := constant_of(x)) is not None:
            return f"{number}L"
        sign = {Ops.ADD: "+", Ops.MUL: "*", Ops.SHL: "<<"}.get(x.op)
        sides = [self.wide_offset(s) for s in x.src] if sign is not None else [None]
        return None if None in sides else f"({sides[0]}{sign}{sides[1]})"

    def is_nan(self, x: UOp) -> str | None:
        """The test for NaN that `rules/floats.py` writes with bits, as tinygrad would fold x != x; vectors have one."""
        infinity, magnitude = x.src
        number = magnitude.src[0].src[0] if magnitude.op is Ops.AND and magnitude.src[0].op is Ops.BITCAST else x
        if self.scalar or number.dtype not in INFINITY or constant_of(infinity) != INFINITY[number.dtype]:
            return None
        if constant_of(magnitude.src[1]) != (1 << 8 * number.dtype.itemsize - 1) - 1:
            return None
        return f"(__builtin_isnan({self[number]})!=0)"

    def with_other_sign(self, x: UOp) -> str | None:
        """The negation or size of a number that rules write with bits: a compiler does not find its vectors then where
        neighbours are read, as it keeps one's bits for the next."""
        bits, last = x.src[0], 8 * x.dtype.itemsize - 1
        if x.dtype not in INFINITY or bits.op not in (Ops.XOR, Ops.AND) or bits.src[0].op is not Ops.BITCAST:
            return None
        number = bits.src[0].src[0]
        if max(self.uses[bits], self.uses[bits.src[0]]) > 1 and not str(self[number]).isidentifier():
            return None  # a long expression would be printed twice
        if number.dtype is not x.dtype or constant_of(bits.src[1]) != (1 << last) - (bits.op is Ops.AND):
            return None
        size = "__builtin_fabs" + "f" * (x.dtype is dtypes.float32)
        return f"(-({self[number]}))" if bits.op is Ops.XOR else f"{size}({self[number]})"

    def selected(self, load: UOp) -> str | None:
        """What a selection keeps of a column, as the sum of its bits and a 0 that the compiler does not know.

        For x86 it would store only those lanes that change, by instructions that take 20 times as long on some AVX2
        processors.
        """
        if load not in self.alternatives or not self.is_of_columns(load.src[0].buf_uop):
            return None
        self.unknown = "__AVX__"
        number, type = self.render_access(load.src[0]), self.render_dtype(load.dtype)
        if load.dtype not in BITS:
            return f"(({type})({number}|{NO_BITS}))"
        bits = self.render_dtype(BITS[load.dtype])
        return f"__builtin_bit_cast({type}, ({bits})(__builtin_bit_cast({bits}, {number})|{NO_BITS}))"

    def find_term(self, store: UOp) -> UOp | None:
        """The value that a statement adds to a register of one float, or multiplies it by, if it does nothing else."""
        register, value = store.src[0].buf_uop, store.src[1]
        if register.addrspace is not AddrSpace.REG or register.max_numel() != 1 or register.dtype not in SUMMED:
            return None
        if (
            value.op not in COMBINATIONS
            or value.src[0].op is not Ops.LOAD
            or value.src[0].src[0].buf_uop is not register
        ):
            return None
        return value.src[1] if self.uses[value] == self.uses[value.src[0]] == 1 else None

    def sum(self, store: UOp) -> str | None:
        """Allow the compiler to reorder the terms of a sum or product over a loop, so that it can use vectors."""
        address, value = store.src[:2]
        register = address.buf_uop
        if register not in self.sums or self.scalar:
            return None
        access, (sign, identity) = self.render_access(address), self.sums[register]
        if self.in_order:
            return self.sum_in_order(store, access)
        if self.columns is not None and self.is_of_columns(register):
            parts, term = [f"{part}{self[register]}[lane]" for part in self.columns.parts], self.find_term(store)
            if term is not None:
                part = next(iter(parts), access)
                return f"{part} = {part} {sign} {self[term]};"
            return " ".join([f"{access} = {self.begin_sum(value)};", *(f"{part} = {identity};" for part in parts)])
        if (term := self.find_term(store)) is not None:
            self.reorders = True
            added = f"{REASSOCIATE}{access} = {access} {sign} term; }} }}"
            return f"{{ {self.render_dtype(register.dtype)} term = {self[term]}; {{\n{added}"
        return None

    def begin_sum(self, begin: UOp) -> str:
        """What a sum begins with, -0 in place of 0."""
        return f"-{self[begin]}" if self[begin] in ("0.0", "0.0f") else self[begin]

    # ------------------------------------------------------------ sums of blocks

    def long_sums(self, uops: Sequence[UOp], terms: Sequence[UOp]) -> dict[UOp, Blocks]:
        """The loops whose sums are those of blocks. A product is as exact as any other one of the same numbers."""
        if not terms:
            return {}
        columns, longest, apart, steps = self.columns, dict[UOp, int](), list[UOp](), steps_of(uops)
        self.computed = frozenset(loop for loop, each in steps.items() if None in each)
        if self.in_order:  # whatever a loop reads
            longest = dict.fromkeys(self.summed.values(), IN_ORDER)
            longest |= {} if columns is None or self.count_parts() == 1 else {columns.rows: IN_ORDER}
        elif not self.scalar:
            longest = {loop: ADJACENT for loop, each in steps.items() if are_adjacent(loop, each)}
            apart = [] if columns is None or not columns.parts else [columns.rows]
        usual = ALONE if self.in_order or self.scalar else APART
        return blocks_of(uops, terms, longest, usual, self.begins, apart)

    def begin_blocks(self, loop: UOp, begin: str, end: str) -> tuple[str, str, str]:
        """The beginning of the loop over a loop's blocks, and where a block begins and ends."""
        blocks, index = self.blocks[loop], self.render_dtype(loop.dtype)
        first, last = f"first_{self[loop]}", f"last_{self[loop]}"
        lines = ["{"]
        for register in blocks.registers:
            lines += [self.of_sum(register, "TYPE TOTAL, LOST;", declared=True), self.of_sum(register, BEGIN_BLOCKS)]
        lines += [f"{NOT_UNROLLED}for ({index} {first} = {begin}, {last}; {first} < {end}; {first} = {last}) {{"]
        lines += [f"{last} = {end} - {first} < {blocks.length} ? {end} : {first} + {blocks.length};"]
        if loop in self.computed or self.in_order:  # with less, if a compiler knows where the loop is
            lines += [f"if ({first} < {begin} || {last} > {end}) __builtin_unreachable();"]
        return "".join(f"{line}\n" for line in lines), first, last

    def end_blocks(self, loop: UOp) -> list[str]:
        """The end of that loop."""
        added, totals = (
            [self.of_sum(x, text) for x in self.blocks[loop].registers] for text in (ADD_BLOCK, END_BLOCKS)
        )
        return [*added, "}", *totals, "}"]

    def of_sum(self, register: UOp, text: str, declared: bool = False) -> str:
        """Statements for each sum of a register, or declarations; names in these stand for it and those of blocks."""
        name, place = self[register], ""
        if self.columns is not None and self.is_of_columns(register):
            place = f"[{self.columns.width}]" if declared else "[lane]"
            text = text if declared else f"{NOT_UNROLLED}for (int lane = 0; lane < lanes; lane++) {{ {text} }}"
        text = text.replace("SUM", f"{name}{place}" if place else f"*{name}")
        text = text.replace("TYPE", self.render_dtype(register.dtype))
        return text.replace("TOTAL", f"total_{name}{place}").replace("LOST", f"lost_{name}{place}")

    # ------------------------------------------------------------ sums in order

    def loops_of_terms(self, uops: Sequence[UOp]) -> dict[UOp, UOp]:
        """The loops that add terms to `partial_sums`, by the statements that do; the loops have no other inside."""
        found, loops = dict[UOp, UOp](), list[UOp]()
        inside: list[UOp] = []  # what the innermost loop has so far
        for u in uops:
            if u.op is Ops.RANGE:
                loops.append(u)
                inside = []
            elif u.op is Ops.END:
                loop = loops.pop()
                accesses = Counter(x.src[0].buf_uop for x in inside if x.op in (Ops.LOAD, Ops.STORE))
                if partial_sums(trip_count_of(loop) or 0) > 1 and not any(x.op is Ops.END for x in inside):
                    stores = [x for x in inside if x.op is Ops.STORE and self.find_term(x) is not None]
                    found |= {x: loop for x in stores if accesses[x.src[0].buf_uop] == 2}
                inside = [u]
            else:
                inside.append(u)
        return found

    def count_parts(self) -> int:
        """How many partial sums each column has."""
        assert self.columns is not None
        return partial_sums(trip_count_of(self.columns.rows) or 0)

    def terms(self, loop: UOp, begin: str, end: str) -> str:
        """The beginning of a loop that adds vectors of terms to partial sums."""
        iterations = trip_count_of(loop) or 0
        count, index = partial_sums(iterations), self.render_dtype(loop.dtype)
        lines = ["{"]
        for register in dict.fromkeys(store.src[0].buf_uop for store, x in self.summed.items() if x is loop):
            part = f"{PARTS[0]}{self[register]}"
            lines += [f"{self.render_dtype(register.dtype)} {part}[{count}];"]
            lines += [f"for (int lane = 0; lane < {count}; lane++) {part}[lane] = {self.sums[register].identity};"]
        lanes = f"{end} - first < {count} ? {end} - first : {count}" if iterations % count else str(count)
        lines += [f"for ({index} first = {begin}; first < {end}; first += {count}) {{ const int lanes = {lanes};"]
        return "\n".join(
            [*lines, f"for (int lane = 0; lane < lanes; lane++) {{ const {index} {self[loop]} = first + lane;"]
        )

    def end_of_terms(self, end: UOp) -> str | None:
        """The end of a loop whose partial sums are added up, or whose sums are those of blocks."""
        loop = next((s for s in end.src if s.op is Ops.RANGE), None)
        lines = []
        if loop is not None and loop in self.summed.values():
            lines = ["} }"]
            for store, access in self.added.items():
                register = store.src[0].buf_uop
                part, sign = f"{PARTS[0]}{self[register]}", self.sums[register].sign
                for half in halves_of(partial_sums(trip_count_of(loop) or 0)):
                    each = f"for (int lane = 0; lane < {half}; lane++)"
                    lines.append(f"{each} {part}[lane] = {part}[lane] {sign} {part}[lane + {half}];")
                lines.append(f"{access} = {access} {sign} {part}[0];")
            lines, self.added = [*lines, "}"], {}
        if self.in_order and self.columns is not None and loop is self.columns.rows:
            registers = [(x, how) for x, how in self.sums.items() if self.is_of_columns(x)]
            lines = ["}", *(y for x, how in registers for y in add_up(trip_count_of(loop) or 0, how, self[x]))]
        if loop is not None and loop in self.blocks:
            lines = [*(lines or ["}"]), *self.end_blocks(loop)]
        return "\n".join(lines) if lines else None

    def sum_in_order(self, store: UOp, access: str) -> str | None:
        """A statement that begins a sum or adds a term."""
        register, term = store.src[0].buf_uop, self.find_term(store)
        sign, identity = self.sums[register]
        part = f"{PARTS[0]}{self[register]}"
        if self.columns is not None and self.is_of_columns(register) and (count := self.count_parts()) > 1:
            if term is None:
                begin = f"for (int i = 0; i < {count}; i++) {part}[i * {self.columns.width} + lane] = {identity};"
                return f"{access} = {self.begin_sum(store.src[1])}; {begin}"
            at = f"{part}[({self[self.columns.rows]} & {count - 1}) * {self.columns.width} + lane]"
        elif store in self.summed:
            self.added[store], at = access, f"{part}[lane]"
        else:
            return None
        return f"{at} = {at} {sign} {self[term]};" if term is not None else None


def shared_loops(uops: Sequence[UOp], sizes: Sequence[int]) -> dict[UOp, tuple[Sequence[UOp], int]]:
    """The outermost loops that threads share together: those around each, and how many iterations one of its has."""
    found, around = dict[UOp, tuple[Sequence[UOp], int]](), list[UOp]()
    for u in uops:
        if u.op is Ops.RANGE:
            if len(around) < len(sizes):
                found[u] = [*around], prod(sizes[len(around) + 1 :])
            around.append(u)
        elif u.op is Ops.END:
            around.pop()
    return found


def outer_loops(uops: Sequence[UOp], sums: bool) -> frozenset[UOp]:
    """The loops over results around enough of them to fill vectors: copies would only take a compiler's time.

    Without sums, also the loops within others that fill vectors themselves: a compiler that unrolls one gathers vectors
    along the loop around it, which takes five times as long.
    """
    found, around, inside = set[UOp](), list[UOp](), list[int]()  # how many results there are in each loop
    for u in uops:
        if u.op is Ops.RANGE:
            around.append(u)
            inside.append(1)
        elif u.op is Ops.END:
            loop, count = around.pop(), inside.pop()
            if loop.arg[-1] is not AxisType.REDUCE:
                iterations = trip_count_of(loop) or FILLED
                found.update([loop] if count >= FILLED or (inside and not sums and iterations >= FILLED) else [])
                count *= iterations
            if inside:
                inside[-1] = max(inside[-1], count)
    return frozenset(found)


# Functions of angles, their last arguments, that are shorter for those below a limit, and how these are found.
NEAR = {f"{name}_f({{0}})" for name in ("cos", "sin", "tan")} | {f"exp_{part}_f({{0}}, {{1}})" for part in ("im", "re")}
LOOK = "far |= !(size({0}) < 0x1p18f);"
# Looking pays in kernels with at least so much work, for arguments of at most so many operations.
LEAST_WORK, MOST_OPERATIONS = 100_000, 64
REPEATED = {*GroupOp.ALU, Ops.BITCAST, Ops.CAST, Ops.CONST, Ops.INDEX, Ops.LOAD, Ops.PARAM, Ops.RANGE, Ops.STACK}


def angles_of(uops: Sequence[UOp]) -> tuple[list[UOp], frozenset[UOp]]:
    """The loops that look whether arguments of functions of angles are near 0, and the calls with these arguments.

    They are arguments that are computed of what a kernel reads, by few operations.
    """
    written, needed, calls = {u.src[0].buf_uop for u in uops if u.op is Ops.STORE}, set[UOp](), dict[UOp, UOp]()
    for u in uops:
        if u.op is Ops.CUSTOM and u.arg in NEAR:
            values = [*values_of(u.src[-1])]
            loads = [x for x in values if x.op is Ops.LOAD]
            again = all(x.op in REPEATED for x in values) and written.isdisjoint(x.src[0].buf_uop for x in loads)
            if loads and again and sum(x.op in GroupOp.ALU for x in values) <= MOST_OPERATIONS:
                needed |= {*values}
                calls[u] = UOp(Ops.CUSTOM, dtypes.void, u.src[-1:], LOOK)
    ends = {u for u in uops if u.op is Ops.END and not needed.isdisjoint(u.src)}
    return [calls.get(u, u) for u in uops if u in needed or u in calls or u in ends], frozenset(calls)


SUMMED = (dtypes.float32, dtypes.float64)


def has_sums(kernel: LoweredKernel) -> bool:
    """Whether a kernel adds up or multiplies floats in a register."""
    stores = [u for u in kernel.uops if u.op is Ops.STORE and u.src[0].buf_uop.addrspace is AddrSpace.REG]
    return any(u.src[1].op in COMBINATIONS and u.src[0].buf_uop.dtype in SUMMED for u in stores)


def rows_of(kernel: LoweredKernel) -> frozenset[UOp]:
    """The innermost loops that only read, one element after the other, in more iterations than are unrolled.

    A compiler would unroll short ones, and then read a vector with one element from each of several rows.
    """
    facts, found, sums = kernel.facts, set[UOp](), has_sums(kernel)
    for number, (loop, start) in enumerate(zip(facts.loops, kernel.ranges)):
        inside = [access for access in facts.reads if access.loop == number]
        wide = not sums and all(kernel.parameters[a.buffer].dtype.itemsize == 8 for a in inside)  # a vector has 8
        if (loop.iterations or 0) < MOST_UNROLLED + (not wide) or loop.outer is None or not inside:
            continue
        if any(other.outer == number for other in facts.loops) or any(a.loop == number for a in facts.writes):
            continue
        steps = [access.offset[number + 1] if access.offset else None for access in inside]
        if 1 in steps and all(step in (0, 1) for step in steps):
            found.add(start)
    return frozenset(found)


def around_short_rows_of(kernel: LoweredKernel) -> frozenset[UOp]:
    """The loops around rows of more elements than compilers interleave, but too few for a loop of vectors.

    A compiler would unroll these, and then scatter vectors along the loop around them, which takes five times as long.
    """
    facts, found = kernel.facts, set[UOp]()
    if kernel.registers or facts.calls:
        return frozenset()
    for number, loop in enumerate(facts.loops):
        written, read = ([a for a in part if a.loop == number] for part in (facts.writes, facts.reads))
        wide = any(kernel.parameters[a.buffer].dtype.itemsize == 8 for a in written)
        rows = MOST_UNROLLED + (not wide) <= (loop.iterations or 0) < FILLED and loop.outer is not None
        steps = [access.offset[number + 1] if access.offset else None for access in (*written, *read)]
        if rows and written and {*steps[: len(written)]} == {1} and {*steps} <= {0, 1}:
            found.add(kernel.ranges[loop.outer or 0])
    return frozenset(found)


ONE_BY_ONE = "#ifdef __clang__\n#pragma clang loop vectorize(disable) unroll(disable)\n#endif\n"
FEWEST_IN_VECTOR = 4
# Compilers make one masked vector of fewer iterations than this.
FEWEST_IN_LOOP = 16
IN_PIECES = "#ifdef __clang__\n#pragma clang loop vectorize(disable) unroll(full)\n#endif\n"


def updated_rows_of(kernel: LoweredKernel) -> frozenset[UOp]:
    """The innermost loops, in others, that update elements of a row whose place is computed, as those of a scatter.

    A compiler would unroll short ones, and then choose for each element whether it changes.
    """
    facts = kernel.facts
    outer = {loop.outer for loop in facts.loops}
    inner = {n: loop for n, loop in enumerate(facts.loops) if n not in outer and loop.outer is not None}
    updated = {(a.buffer, a.loop) for a in facts.reads} & {(a.buffer, a.loop) for a in facts.writes if a.offset is None}
    found = {n for _, n in updated if n in inner and (inner[n].iterations or 0) >= FEWEST_IN_VECTOR}
    return frozenset(kernel.ranges[n] for n in found)


def few_elements_of(kernel: LoweredKernel) -> frozenset[UOp]:
    """The only loop of a kernel that computes a few elements by short operations, if these do not fill a vector.

    What a masked store writes reaches the next kernel only from the cache: in a loop over such kernels, that takes as
    long as all they compute. Unrolled, the elements become a vector of four, then of two, and so on.
    """
    facts = kernel.facts
    if len(facts.loops) != 1 or facts.calls or kernel.registers:
        return frozenset()
    count = facts.loops[0].iterations or 0
    is_short = 2 < count < FEWEST_IN_LOOP and count & (count - 1) and len(kernel.uops) * count <= MOST_REPEATED
    return frozenset(kernel.ranges if is_short else ())
