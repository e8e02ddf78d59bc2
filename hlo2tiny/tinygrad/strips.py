"""Elementwise kernels whose innermost loops are too short for vectors: their elements are computed in strips.

A strip is a number of adjacent elements of the result, whichever iterations of the loops they belong to. What is not
adjacent like them, such as a row that all others are multiplied with, is copied first.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from math import prod

from tinygrad.dtype import DType, dtypes
from tinygrad.uop.ops import Ops, UOp

from .kernel import KernelPlace, iterations_around, loop_lengths, places_of, uncast
from .lowered import LoweredKernel

# The elements of a strip, and of the largest vector.
STRIP, VECTOR = 256, 16
# Loops with fewer iterations, but not whole vectors, are too short: those of costly operations, and those of others.
SHORT_COSTLY, SHORT = 512, 64
# Operations of an element from which on they are costly. Only in short loops of these does copying pay.
COSTLY = 16
# Operands that are the same in each iteration of the outermost loop are repeated if the kernel has that many times more
# elements.
LEAST_REPEATS = 4
# What indices are computed with.
INDEXING = {Ops.ADD, Ops.SUB, Ops.MUL, Ops.SHL, Ops.SHR, Ops.AND, Ops.CDIV, Ops.CMOD, Ops.FLOORDIV, Ops.FLOORMOD}
INDEXING |= {Ops.CAST, Ops.NEG, Ops.INDEX}


@dataclass(frozen=True)
class Strips:
    """Loops in each other, from the outermost to the innermost, whose elements are computed in strips.

    `copied` are the loads of a strip that are copied before it is computed, and `repeated` those that are the same in
    each iteration of the outermost loop, so that they are copied only once.
    """

    loops: tuple[UOp, ...]
    sizes: tuple[int, ...]
    copied: tuple[UOp, ...]
    repeated: tuple[UOp, ...]

    @property
    def period(self) -> int:
        """The elements of an iteration of the outermost loop."""
        return prod(self.sizes[1:])


def strips_of(kernel: LoweredKernel) -> Strips | None:
    """The innermost loops of an elementwise kernel if they are too short."""
    facts, uops = kernel.facts, kernel.uops
    loops, last = facts.loops, len(facts.loops) - 1
    chain = all(loop.independent and loop.outer == (n - 1 if n else None) for n, loop in enumerate(loops))
    if last < 1 or not chain or kernel.is_open or kernel.registers or kernel.is_conditional or facts.updates:
        return None
    if any(access.loop != last for access in facts.writes) or kernel.passes_addresses:
        return None
    costly = facts.flops >= COSTLY * iterations_around(loops, last)
    length = loops[last].iterations or 0
    if not 1 < length < (SHORT_COSTLY if costly else SHORT) or length % VECTOR == 0:
        return None
    first = last - 1
    while first and prod(loops[n].iterations or 0 for n in range(first, last + 1)) < STRIP:
        first -= 1
    sizes = tuple(loops[n].iterations or 0 for n in range(first, last + 1))
    if prod(sizes) < 2 * VECTOR or prod(sizes) >= 1 << 31:
        return None
    ranges, places = tuple(kernel.ranges[first:]), places_of(uops)
    steps = [prod(sizes[n + 1 :]) for n in range(len(sizes))]

    def steps_of(access: UOp) -> KernelPlace | None:
        address = uncast(access.src[0])
        place = places.get(address.src[1]) if address.op is Ops.INDEX and len(address.src) == 2 else None
        return None if place is None else place[first + 1 :]

    body = body_of(uops, ranges[0])
    dependent: set[UOp] = set()  # what is computed from the loops' variables alone
    for u in body:
        if u.op not in (Ops.RANGE, Ops.END, Ops.LOAD, Ops.STORE) and not dependent.union(ranges).isdisjoint(u.src):
            if u.op not in INDEXING or (u.op is not Ops.INDEX and u.dtype not in dtypes.ints):
                return None
            dependent.add(u)
    stores, loads = ([u for u in body if u.op is op] for op in (Ops.STORE, Ops.LOAD))
    if any(u.src[1] in dependent or u.src[1] in ranges or steps_of(u) != (*steps,) for u in stores):
        return None
    if any(len(u.src) > 1 for u in loads):
        return None
    others = [u for u in loads if steps_of(u) != (*steps,)]
    needed = sources([u.src[1] for u in stores], body, others)  # not those that only others need
    others = [u for u in others if u in needed]
    often = prod(sizes) >= LEAST_REPEATS * (STRIP + steps[0]) and steps[0] <= SHORT_COSTLY
    repeated = tuple(u for u in others if often and not sources([u], body).intersection(ranges[:1]))
    copied = tuple(u for u in others if u not in repeated)
    return Strips(ranges, sizes, copied, repeated) if not copied or (costly and length < SHORT) else None


def body_of(uops: Sequence[UOp], loop: UOp) -> Sequence[UOp]:
    begin = uops.index(loop)
    return uops[begin + 1 : begin + loop_lengths(uops)[loop]]


def sources(values: Sequence[UOp], body: Sequence[UOp], ends: Collection[UOp] = ()) -> set[UOp]:
    """The values, and what they are computed from, up to some others."""
    inside, found, waiting = {*body}, set[UOp](), list(values)
    while waiting:
        u = waiting.pop()
        if u not in found:
            found.add(u)
            waiting += u.src if u in inside and u not in ends and u.op is not Ops.RANGE else ()
    return found


def in_strips(uops: Sequence[UOp], strips: Strips, type_name: Callable[[DType], str]) -> list[UOp]:
    """The UOps of a kernel with a loop over strips, which the renderer prints, and in it loops over lanes."""
    begin = uops.index(strips.loops[0])
    end = begin + loop_lengths(uops)[strips.loops[0]]
    body = [u for u in uops[begin + 1 : end] if u.op not in (Ops.RANGE, Ops.END)]
    period, last = strips.period, len(strips.loops) - 1
    scalar = strips.loops[0].src[:1]  # which gives what is printed a shape
    variables = {u: UOp(Ops.CUSTOMI, u.dtype, scalar, f"index{n}") for n, u in enumerate(strips.loops)}
    names = {u: f"copied{number}" for number, u in enumerate(strips.copied)}
    names |= {u: f"repeated{number}" for number, u in enumerate(strips.repeated)}

    def statement(text: str, *operands: UOp) -> UOp:
        return UOp(Ops.CUSTOM, dtypes.void, operands, text)

    def lanes(count: str, values: Mapping[UOp, str], needed: Collection[UOp], known: dict[UOp, UOp]) -> list[UOp]:
        """The beginning of a loop, which defines the variables of the kernel's loops, and what it computes."""
        used = [(u, value) for u, value in values.items() if u in needed]
        defined = "".join(f" const {type_name(u.dtype)} {variables[u].arg} = {value};" for u, value in used)
        copied = [known[u] for u in names if u in known]
        for u in (computed := [u for u in body if u in needed and u not in known]):
            known[u] = u.replace(src=tuple(known.get(s, s) for s in u.src))
        head = statement(f"for (int lane = 0; lane < {count}; lane++) {{{{{defined}")
        return [head, *copied, *(known[u] for u in computed)]

    def copies(loads: Sequence[UOp], size: int, count: str, element: str) -> list[UOp]:
        """Arrays, and a loop that copies to them what it reads."""
        if not loads:
            return []
        values = {u: f"{element} / {prod(strips.sizes[n + 1 :])} % {strips.sizes[n]}" for n, u in enumerate(variables)}
        known = dict(variables)
        arrays = [statement(f"{type_name(u.dtype)} {names[u]}[{size}];") for u in loads]
        head = lanes(count, values, sources(loads, body), known)
        return [*arrays, *head, *(statement(f"{names[u]}[lane] = {{0}};", known[u]) for u in loads), statement("}}")]

    known = {u: UOp(Ops.CUSTOM, u.dtype, scalar, f"{names[u]}[lane]") for u in strips.copied}
    known |= {u: UOp(Ops.CUSTOM, u.dtype, scalar, f"{names[u]}[phase + lane]") for u in strips.repeated}
    # Places of adjacent elements grow with the innermost loop's variable: it counts all elements, and the others 0.
    flat = {u: "first + lane" if n == last else "0" for n, u in enumerate(variables)}
    stores = sources([u for u in body if u.op is Ops.STORE], body, [*known])
    return [
        *uops[:begin], *variables.values(), *copies(strips.repeated, STRIP + period, str(STRIP + period), "lane"),
        strips.loops[0], *copies(strips.copied, STRIP, "lanes", "(first + lane)"),
        *lanes("lanes", flat, stores, variables | known), statement("}}"), *uops[end:],
    ]  # fmt: skip
