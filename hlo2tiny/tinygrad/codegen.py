"""tinygrad's way from a kernel to a printed program, with some patterns of our own.

Its module is loaded a second time, so that these patterns are in nobody else's way.
"""

from __future__ import annotations

import importlib.util
from collections import OrderedDict
from collections.abc import Collection, Mapping
from dataclasses import replace
from itertools import product, repeat
from math import copysign, prod
from typing import Any

from tinygrad import codegen as original
from tinygrad.codegen import simplify
from tinygrad.codegen.late import gater
from tinygrad.dtype import dtypes, truncate
from tinygrad.renderer import Renderer
from tinygrad.uop.ops import AxisType, GroupOp, Ops, PatternMatcher, ProgramInfo, UOp, UPat, graph_rewrite

from .expressions import call_lanes
from .kernel import INDEPENDENT
from .rewriting import forget_unmatched

spec = importlib.util.spec_from_file_location(original.__name__, original.__file__)
assert spec is not None and spec.loader is not None
codegen: Any = importlib.util.module_from_spec(spec)
spec.loader.exec_module(codegen)


def with_functions(matcher: PatternMatcher, others: Mapping[Any, Any]) -> PatternMatcher:
    """The same patterns, some with other functions."""
    return PatternMatcher([(pattern, others.get(function, function)) for pattern, function in matcher.patterns])


def give_alternative(gate: UOp, l: UOp, a: UOp, w: UOp) -> UOp | None:  # noqa: E741
    """In place of tinygrad's, which lets a load return another value where its gate is closed, if that is 0.

    tinygrad assumes that memory can hold any value: 0.5 beside an i8 that becomes f32 was 0, and where words of memory
    hold several numbers, all but the first one in a word were 0.
    """
    is_zero = a.is_invalid or (a.op is Ops.CONST and a.arg == 0 and copysign(1, a.arg) > 0)
    return gater.move_where_load(gate, l, a, w) if is_zero else None


codegen.pm_move_gates_from_index = with_functions(
    gater.pm_move_gates_from_index, {gater.move_where_load: give_alternative}
)


def elements_of(x: UOp) -> list[UOp]:
    """The elements of a value of a known shape, in row-major order."""
    match x.op:
        case Ops.STACK:
            return [element for s in x.src for element in elements_of(s)]
        case Ops.RESHAPE:
            return elements_of(x.src[0])
        case Ops.EXPAND:
            return elements_of(x.src[0]) * int(prod(x.marg))
        case Ops.PERMUTE:
            shape, elements = x.src[0].shape, elements_of(x.src[0])
            strides = [prod(shape[axis + 1 :]) for axis in x.marg]
            places = product(*(range(0, shape[axis] * step, step) for axis, step in zip(x.marg, strides)))
            return [elements[sum(place)] for place in places]
    return [x.index(*place) for place in product(*map(range, x.shape))] if x.shape else [x]


def compute_elements(b: UOp) -> UOp | None:
    """In place of tinygrad's, which indexes what its operands are made of, and leaves it to rules to find the elements.

    They would rewrite each index once for each movement of the operand.
    """
    if b.shape == () or not all(s.shape == b.shape or s.base.is_invalid for s in b.src):
        return None
    operands = [repeat(s.base) if s.base.is_invalid else elements_of(s) for s in b.src]
    elements = [b.replace(dtype=None, src=each) for each in zip(*operands)]
    return UOp.group(*elements) if b.op is Ops.STORE else UOp.stack(*elements).reshape(b.shape)


codegen.devectorizer2 = with_functions(codegen.devectorizer2, {codegen.do_devectorize: compute_elements})
codegen.devectorizer2 += PatternMatcher([(UPat(Ops.CUSTOM, name="call"), call_lanes)])


def within_bits(u: UOp, x: UOp, c: UOp) -> UOp | None:
    """tinygrad makes one constant of several: x * 65536 * 65536 would become x << 32, which C leaves open.

    A constant that has the type's bits keeps its sign, on which depends what tinygrad takes for the limits of u.
    """
    count = 1 << 8 * u.dtype.itemsize
    if abs(c.val) < count:
        return None
    return u.replace(src=(x, c.const_like(c.val % count if c.val > 0 else -(-c.val % count))))


codegen.symbolic += PatternMatcher(
    [((UPat.var("x", dtypes.ints) + UPat.cvar("c")).named("u"), within_bits),
     ((UPat.var("x", dtypes.ints) * UPat.cvar("c")).named("u"), within_bits)]
)  # fmt: skip

# What depends on more than the lowest bits of its operands.
READING = (*GroupOp.Comparison, Ops.SHR, Ops.CDIV, Ops.CMOD, Ops.FLOORDIV, Ops.FLOORMOD, Ops.MAX)


def with_bits(u: UOp, c: UOp) -> UOp | None:
    """Constants that tinygrad computes do not wrap: 0 - 2³¹ of a u32, half of a 64-bit divisor, was less than 0."""
    sources = tuple(
        s.const_like(truncate[s.dtype](s.val)) if s.op is c.op and s.dtype in dtypes.ints else s for s in u.src
    )
    return None if sources == u.src else u.replace(src=sources)


codegen.symbolic_simple = (
    PatternMatcher(
        [(UPat(READING, src=[UPat.cvar("c", dtypes.ints), UPat()], name="u"), with_bits),
         (UPat(Ops.CAST, src=(UPat.cvar("c", dtypes.ints),), name="u"), with_bits)]
    )
    + codegen.symbolic_simple
)  # fmt: skip


def mark_gated(ctx: dict[UOp, UOp], idx: UOp) -> None:
    """In place of tinygrad's, which compares where loops end, also those that end at an open size."""
    whole = {r: end for r, end in ctx.items() if end.op is not Ops.CONST}
    ctx |= {r: end.const_like(MOST_ITERATIONS) for r, end in whole.items()}
    simplify.mark_gated(ctx, idx)
    ctx |= whole
    ctx |= {r: r.src[0] for r, end in ctx.items() if end.op is Ops.CONST and end.val > r.src[0].vmin}


simplify_ranges = with_functions(simplify.pm_simplify_ranges, {simplify.mark_gated: mark_gated})


def wait_after_iteration(end: UOp) -> UOp | None:
    """In place of tinygrad's, which lets threads wait after iterations that do not access what others write."""
    are_independent = all(r.op is Ops.RANGE and r.arg[0] >= INDEPENDENT for r in end.src[1:])
    return None if are_independent else codegen.add_war_barrier(end)


NOTHING = PatternMatcher([])
barriers = with_functions(codegen.pm_implicit_barriers, {codegen.add_war_barrier: wait_after_iteration})

# tinygrad merges and splits the loops of a reduction as the addresses allow, which may depend on the loops
# around it. Terms would be added in another order then.
merged_in_order = PatternMatcher(
    [
        (UPat(Ops.END, name="u"), function) if function is simplify.simplify_merge_adjacent else (pattern, function)
        for pattern, function in simplify_ranges.patterns
    ]
)


def split_loop(ctx: dict[UOp, UOp | None], r: UOp, c: UOp) -> None:
    """In place of tinygrad's, which splits reductions, too."""
    if r.arg[-1] is not AxisType.REDUCE:
        simplify.mark_range_mod(ctx, r, c)


split_in_order = with_functions(simplify.pm_split_ranges, {simplify.mark_range_mod: split_loop})


# Rows of a length between these stay one loop with what is before and after them: of up to so many elements a compiler
# makes vectors of several rows, and so many are a vector.
LONGEST_PART, SHORTEST_ROW = 8, 16


def find_rows(ctx: dict[UOp, UOp | None], sink: UOp) -> None:
    """tinygrad splits loops where an element's place in its row matters, and this also where only the row does.

    What a row shares is then read once; in one loop, each element of a vector would read it by itself. The loops of
    sums of floats stay, on which the order of the terms may depend.
    """
    found = sink.toposort()
    lengths = {u: u.vmax + 1 for u in found if u.op is Ops.RANGE}
    for u in found if not any(u.op is Ops.REDUCE and dtypes.is_float(u.dtype) for u in found) else ():
        is_row = u.op is Ops.FLOORDIV and u.src[0].op is Ops.RANGE and u.src[1].op is Ops.CONST
        inside = prod(n for r, n in lengths.items() if r is not u.src[0] and n <= LONGEST_PART) if is_row else 0
        if is_row and (u.src[1].val >= SHORTEST_ROW or u.src[1].val * inside <= LONGEST_PART):
            simplify.mark_range_mod(ctx, *u.src)


find_rows_first = PatternMatcher([(UPat(Ops.SINK, name="sink"), find_rows)])
# By whether the loops of sums are in order, and whether those over elements are split into rows.
SPLITS = {
    (in_order, in_rows): find_rows_first + split if in_rows else split
    for in_order, split in ((False, simplify.pm_split_ranges), (True, split_in_order))
    for in_rows in (False, True)
}


memory_coalescing = codegen.memory_coalescing


def coalesce(sink: UOp, renderer: Renderer) -> UOp:
    """tinygrad joins loads and stores to those of vectors.

    Where a renderer has none, it would write each address anew, and with it all that is computed from what is loaded.
    """
    return memory_coalescing(sink, renderer) if renderer.supports_float4 else sink


codegen.memory_coalescing = coalesce

# Nobody reads how many operations tinygrad thinks that a program takes.
codegen.pm_to_program = PatternMatcher(
    [each for each in codegen.pm_to_program.patterns if each[1] is not codegen.do_estimates]
)

# The last programs: the sorts and scans of a program have the same kernels.
PROGRAMS: OrderedDict[Any, UOp] = OrderedDict()
MOST_PROGRAMS = 256
# No loop has more iterations.
MOST_ITERATIONS = 1 << 62


CALLING = {
    Ops.CAST, Ops.CONST, Ops.CUSTOM, Ops.END, Ops.GROUP, Ops.INDEX, Ops.PARAM, Ops.RANGE, Ops.SINK, Ops.STORE,
    Ops.WHERE,
}  # fmt: skip
NUMBERS = {AxisType.GLOBAL: "gidx0", AxisType.LOCAL: "lidx0"}


def call_of(nodes: Collection[UOp]) -> UOp | None:
    """The call of a function with addresses if a kernel of these nodes does nothing else, and all sizes are known."""
    calls = [u for u in nodes if u.op is Ops.CUSTOM]
    if len(calls) != 1 or not CALLING.issuperset(u.op for u in nodes):
        return None
    sized = all(u.src and u.src[0].op is Ops.CONST for u in nodes if u.op in (Ops.PARAM, Ops.RANGE))
    # All threads of the blocks call it, and what it returns is all that stores depend on.
    together = all(u.arg[-1] in NUMBERS for u in nodes if u.op is Ops.RANGE)
    gated = all(calls[0] in u.src[0].src[-1].src for u in nodes if u.op is Ops.STORE)
    return calls[0] if sized and together and gated else None


def program_of_call(kernel: UOp, renderer: Renderer) -> UOp | None:
    """A kernel that only calls a function, as tinygrad's thirty passes make it; None of others."""
    nodes = kernel.toposort()
    if (call := call_of(nodes)) is None:
        return None
    zero = UOp.cconst(0, dtypes.int)
    parameters = sorted((u for u in nodes if u.op is Ops.PARAM), key=lambda u: u.arg.slot)
    new = {u: u.replace(src=(UOp.cconst(u.src[0].val, dtypes.int),)) for u in parameters}
    linear, written = [each for u in new.values() for each in u.toposort()], list[UOp]()
    for r in (u for u in nodes if u.op is Ops.RANGE):
        new[r] = UOp(Ops.SPECIAL, dtypes.int, (UOp.cconst(r.src[0].val, dtypes.int),), NUMBERS[r.arg[-1]])
    given = (new[s.src[0]].index(zero) if s.op is Ops.INDEX else new[s.src[0]] for s in call.src)
    called = call.replace(src=tuple(given))
    linear += called.toposort()
    for store in (u for u in nodes if u.op is Ops.STORE):
        target, place = store.src[0].src
        index = new[target].index(new[place.src[1]])
        written.append(index.store(UOp.cconst(0, target.dtype)))
        gate = UOp(Ops.IF, dtypes.void, (called, index))
        linear += [*written[-1].src[1].toposort(), index, gate, written[-1], UOp(Ops.ENDIF, dtypes.void, (gate,))]
    sink = UOp.sink(*written, arg=replace(kernel.arg, opts_to_apply=None))
    info = ProgramInfo.from_sink(UOp.sink(called, *written, arg=kernel.arg), renderer.target)
    return UOp(Ops.PROGRAM, src=(sink, UOp(Ops.LINEAR, src=(*dict.fromkeys(linear), sink))), arg=info)


def to_program(kernel: UOp, renderer: Renderer, in_order: bool) -> UOp:
    """A kernel as a program, after rewriting by the renderer's `conversions` and `patterns`; under the lock `building`.

    With the renderer's `in_rows`, loops over elements are split into rows. If `in_order`, each dimension of a
    reduction is a loop, in the order of the dimensions.
    """
    if (conversions := getattr(renderer, "conversions", None)) is not None:
        kernel = graph_rewrite(kernel, conversions, bottom_up=True)
    if (patterns := getattr(renderer, "patterns", None)) is not None:
        kernel = graph_rewrite(kernel, patterns)
    settings = [each.value for each in codegen.to_program_config]
    key = (kernel, type(renderer), renderer.target, *settings, renderer.global_max, in_order)
    if key not in PROGRAMS:
        codegen.pm_simplify_ranges = merged_in_order if in_order else simplify_ranges
        codegen.pm_split_ranges = SPLITS[in_order, getattr(renderer, "in_rows", False)]
        codegen.pm_implicit_barriers = barriers if renderer.has_local else NOTHING
        program = program_of_call(kernel, renderer)
        PROGRAMS[key] = codegen.do_to_program(kernel, renderer) if program is None else program
        forget_unmatched()
    PROGRAMS.move_to_end(key)
    if len(PROGRAMS) > MOST_PROGRAMS:
        PROGRAMS.popitem(last=False)
    return PROGRAMS[key]
