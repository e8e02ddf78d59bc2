"""Branches in place of selections: of the parts of a concatenation, a thread computes the one that its element is in.

A selection as such computes both alternatives first. Neighbouring threads take the same branch if the condition depends
on the place of an element only, and changes seldom from one to the next.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Sequence
from itertools import takewhile

from tinygrad.dtype import DType, dtypes
from tinygrad.uop.ops import GroupOp, Ops, UOp

from .columns import statement
from .kernel import constant_of, trip_count_of
from .lowered import factor_of, values_of

# At least so many neighbours take the same branch, and at least so many cheap operations are saved for an element. More
# are if a branch has FEW reads: a thread that selects reads those of its next elements before it has computed this one.
NEIGHBOURS, LEAST_SAVED, FEW, LEAST_OF_FEW = 64, 16, 3, 128
# Compilers have a limit for statements inside each other.
DEEPEST = 64
# What operations cost in cheap ones.
COSTS = {
    **dict.fromkeys(GroupOp.ALU, 1),
    **dict.fromkeys((Ops.FDIV, Ops.SQRT, Ops.EXP2, Ops.LOG2, Ops.SIN), 8),
    **dict.fromkeys((Ops.CUSTOM, Ops.CUSTOMI), 16),
    Ops.LOAD: 2,
}  # fmt: skip
# What can be computed later, if nothing is stored in between.
MOVABLE = {*GroupOp.ALU, Ops.CAST, Ops.BITCAST, Ops.INDEX, Ops.LOAD, Ops.CUSTOM, Ops.CUSTOMI}
# What begins or ends a loop or a branch, or writes what may be read.
FENCES = {Ops.RANGE, Ops.END, Ops.STORE, Ops.IF, Ops.ENDIF, Ops.BARRIER}

# The alternatives that a UOp is computed in, the outermost first: their selections, and 1 or 2.
Way = tuple[tuple[UOp, int], ...]


def in_branches(
    uops: Sequence[UOp],
    variables: Sequence[UOp],
    type_name: Callable[[DType], str],
    agree: Callable[[UOp], bool] | None = None,
) -> tuple[list[UOp], dict[UOp, str]]:
    """The UOps of a kernel with branches that compute selections, and the names of these.

    Args:
        variables: what says which element a thread computes, along neighbours last.
        type_name: the name of a type in the language.
        agree: whether a condition is the same for all elements that a thread reads and writes at once, if it does.
    """
    chosen = {u for u in uops if u.op is Ops.WHERE and changes_seldom(u.src[0], variables)}
    chosen = chosen if agree is None else {u for u in chosen if agree(u.src[0])}
    ways, work, reads = ways_of(uops, variables, chosen), Counter[Way](), Counter[Way]()
    for u, way in ways.items() if chosen else ():
        for length in range(1, len(way) + 1):
            work[way[:length]] += COSTS.get(u.op, 0)
            reads[way[:length]] += u.op is Ops.LOAD

    def saves(u: UOp) -> bool:
        if any(other.src[0] is u.src[0] for other, _ in ways[u]):
            return False  # it is known, as compilers see
        share, sides = share_of(u.src[0]), [(*ways[u], (u, number)) for number in (1, 2)]
        waits = agree is None and min((reads[side] for side in sides if reads[side]), default=0) < FEW
        least = LEAST_OF_FEW if waits else LEAST_SAVED
        return share * work[sides[1]] + (1 - share) * work[sides[0]] >= least

    chosen = {u for u in chosen if saves(u)}
    names, ways, lists = dict[UOp, str](), ways_of(uops, variables, chosen), dict[Way, list[UOp]]()
    for u in uops:
        found = lists.setdefault(ways[u], [])
        if u in chosen and len(ways[u]) < DEEPEST:
            names[u] = name = f"chosen{len(names)}"
            first, second = (lists.pop((*ways[u], (u, number)), []) for number in (1, 2))
            found.append(statement(f"{type_name(u.dtype)} {name};\nif ({{0}}) {{{{", u.src[0]))
            found += [*first, statement(f"{name} = {{0}};\n}}}} else {{{{", u.src[1])]
            found += [*second, statement(f"{name} = {{0}};\n}}}}", u.src[2])]
        found.append(u)
    return lists[()], names


def ways_of(uops: Sequence[UOp], variables: Collection[UOp], chosen: Collection[UOp]) -> dict[UOp, Way]:
    """The alternatives of some selections that need each UOp, if nothing else does."""
    sections, section = dict[UOp, int](), 0
    for u in uops:
        sections[u] = section
        section += (u.op in FENCES or gets_address(u)) and u not in variables
    needed, ways = dict[UOp, Way](), dict[UOp, Way]()
    for u in reversed(uops):
        way = needed.get(u, ()) if u.op in MOVABLE and not gets_address(u) else ()
        ways[u] = way = tuple(takewhile(lambda each: sections[each[0]] == sections[u], way))[:DEEPEST]
        for number, s in enumerate(u.src):
            inner = (*way, (u, number)) if number and u in chosen else way
            needed[s] = common(needed[s], inner) if s in needed else inner
    return ways


def gets_address(u: UOp) -> bool:
    """Whether a function may write to memory."""
    return u.op is Ops.CUSTOM and any(s.op is Ops.INDEX for s in u.src)


def common(a: Way, b: Way) -> Way:
    return a if a == b else tuple(x for x, _ in takewhile(lambda both: both[0] == both[1], zip(a, b)))


def changes_seldom(condition: UOp, variables: Sequence[UOp]) -> bool:
    """Whether a condition depends on a few places only, between which neighbours agree."""
    if condition.op in (Ops.AND, Ops.OR):
        return all(changes_seldom(s, variables) for s in condition.src)
    if condition.op not in GroupOp.Comparison:
        return condition.op is Ops.CONST or constant_of(condition) is not None
    if is_negation(condition):
        return changes_seldom(condition.src[0], variables)
    sources = {*values_of(condition)}
    if any(s.dtype not in dtypes.ints for s in condition.src) or any(u.op in (Ops.LOAD, Ops.CUSTOM) for u in sources):
        return False
    if any(u.op in (Ops.RANGE, Ops.SPECIAL) and u not in variables for u in sources):
        return False
    neighbours = 1
    for u in reversed(variables):
        length = trip_count_of(u) or constant_of(u.src[0]) or 1
        if u in sources and neighbours < NEIGHBOURS:
            return neighbours * length >= NEIGHBOURS and all(factor_of(s, u) is not None for s in condition.src)
        neighbours *= length
    return True


def is_negation(condition: UOp) -> bool:
    return condition.op is Ops.CMPNE and condition.src[0].dtype is dtypes.bool and constant_of(condition.src[1]) == 1


def share_of(condition: UOp) -> float:
    """For which share of the elements a condition on their places is true, roughly."""
    if is_negation(condition):
        return 1 - share_of(condition.src[0])
    if condition.op in (Ops.AND, Ops.OR):
        shares = [share_of(s) for s in condition.src]
        return min(shares) if condition.op is Ops.AND else max(shares)
    if condition.op not in GroupOp.Comparison:
        return 0.5
    (least, most), (low, high) = ((int(s.vmin), int(s.vmax)) for s in condition.src)
    count = most - least + high - low + 1
    if condition.op is Ops.CMPLT:
        return min(1.0, max(0.0, (high - least) / count))
    return 1 / count if condition.op is Ops.CMPEQ else 1 - 1 / count
