"""How many results of sums over windows a thread has: windows beside each other have most of their elements in common.

tinygrad gives a thread three or four results along dimensions that these numbers divide, whatever they read, and none
of a dimension of 17.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property
from itertools import product
from math import gcd, inf, prod
from typing import NamedTuple

from tinygrad.codegen.opt import Opt, OptOps, heuristic
from tinygrad.codegen.opt.postrange import Scheduler
from tinygrad.dtype import Invalid
from tinygrad.uop.ops import AxisType, Ops, UOp

from ..records import dataclass
from .kernel import constant_of, trip_count_of

original_optimizations = heuristic.hand_coded_optimizations
# The most results of a thread along a dimension, and in all; the most iterations of a loop that are written out, which
# is tinygrad's limit; and the most terms of all results that are, of one loop and of several.
MOST_ALONG, MOST_RESULTS, MOST_UNROLLED, MOST_TERMS, MOST_OF_SEVERAL = 16, 16, 32, 320, 160
# How many products take as long as reading an element, and how many threads keep a GPU busy.
READING, BUSY = 4, 1 << 16


class Overlap(NamedTuple):
    """A loop over results and one over terms, along which windows beside each other have elements in common.

    Attributes:
        results: the loop, or the part of one over several dimensions, which tinygrad splits later.
        stride: how far windows beside each other are apart, in elements of which neighbours in a window are `dilation`
            apart, which may be less than 0.
    """

    results: UOp
    terms: UOp
    stride: int
    dilation: int

    def elements(self, results: int, terms: int) -> int:
        """How many elements so many terms of so many windows beside each other have."""
        return len({self.stride * n + self.dilation * m for n in range(results) for m in range(terms)})


class WindowTile(NamedTuple):
    """What a thread computes at once: so many terms of results `along` a window, and `across` another loop, along which
    the elements are the same."""

    overlap: Overlap
    along: int
    other: UOp | None
    across: int
    terms: int


def length(loop: UOp) -> int:
    return trip_count_of(loop) or 0


def factors_of(index: UOp, by: int = 1) -> dict[UOp, int]:
    """What an index is a sum of, and how many times each."""
    if index.op is Ops.ADD:
        parts = [factors_of(part, by) for part in index.src]
        return {u: sum(part.get(u, 0) for part in parts) for u in {**parts[0], **parts[1]}}
    if index.op is Ops.MUL and (number := constant_of(index.src[1])) is not None:
        return factors_of(index.src[0], by * number)
    return {} if index.op is Ops.CONST else {index: by}


@dataclass(frozen=True)
class WindowSum:
    """What is known of a kernel that may add up windows."""

    kernel: UOp

    @cached_property
    def nodes(self) -> list[UOp]:
        return [*self.kernel.toposort()]

    @cached_property
    def terms(self) -> list[UOp]:
        """The loops over the terms of its only reduction."""
        reductions = [u for u in self.nodes if u.op is Ops.REDUCE]
        return [loop for loop in reductions[0].src[1:] if length(loop) > 1] if len(reductions) == 1 else []

    @cached_property
    def results(self) -> list[UOp]:
        loops = [u for u in self.nodes if u.op is Ops.RANGE and u.arg[-1] is not AxisType.REDUCE and length(u) > 1]
        return sorted(loops, key=self.distance)

    @cached_property
    def written(self) -> list[UOp]:
        return [u.src[0] for u in self.nodes if u.op is Ops.STORE and u.src[0].op is Ops.INDEX]

    def distance(self, loop: UOp) -> int:
        """How far apart results along a loop are in memory."""
        return min((abs(factors_of(u.src[1].get_idx()).get(loop, 0)) for u in self.written), default=0)

    def overlaps(self, read: UOp) -> Iterator[Overlap]:
        factors = factors_of(read.src[1].get_idx())
        for results, terms in product(factors, self.terms):
            stride, dilation = factors[results], factors.get(terms, 0)
            if stride > 0 and dilation and self.is_place(results):
                step = gcd(stride, dilation)
                found = Overlap(results, terms, stride // step, dilation // step)
                if found.stride < length(terms) and abs(found.dilation) <= results.vmax:
                    yield found

    def is_place(self, part: UOp) -> bool:
        """Whether a part of an index counts results."""
        nodes = part.backward_slice_with_self
        return any(u.op is Ops.RANGE for u in nodes) and not any(u.op is Ops.INDEX or u in self.terms for u in nodes)

    @cached_property
    def reads(self) -> dict[UOp, list[Overlap]]:
        """The elements that are read, and the windows along which they are."""
        reads = [u for u in self.nodes if u.op is Ops.INDEX and u not in self.written] if self.terms else []
        return {read: [*self.overlaps(read)] for read in reads}

    def work(self, tile: WindowTile) -> float:
        """How long a result takes, roughly."""
        overlap, along, other, across, terms = tile
        size, results = length(overlap.results), along * across
        padded = -(-size // along) * along / size
        # Threads beside each other read one line, or as many as their elements are apart, in turns if that is even.
        nearest = next(loop for loop in self.results if loop is not other or across < length(loop))
        lines = 2 * gcd(along * overlap.stride, 32) if overlap.results is nearest else 1
        reading = READING * (lines * overlap.elements(along, terms) + across * terms) / (results * terms)
        threads = prod(map(length, self.results)) * padded / results
        return padded * (1 + reading) * (1 + BUSY / threads)

    @cached_property
    def tile(self) -> WindowTile | None:
        """The tile with the least work."""
        tiles = list[WindowTile]()
        for read, overlaps in self.reads.items():
            free = [loop for loop in self.results if loop not in read.backward_slice]
            others = [(loop, n) for loop in free for n in range(2, MOST_ALONG + 1) if length(loop) % n == 0]
            for overlap in (each for each in overlaps if each.results in self.results):
                size = length(overlap.terms)
                terms = max(n for n in range(1, min(size, MOST_UNROLLED) + 1) if size % n == 0)
                for other, across in ((None, 1), *others):
                    most = min(MOST_ALONG, MOST_RESULTS // across, MOST_TERMS // terms // across)
                    counts = range(1, min(most, length(overlap.results)) + 1)
                    tiles += (WindowTile(overlap, along, other, across, terms) for along in counts)
        return min(tiles, key=self.work, default=None)

    def least_work(self) -> float:
        return inf if self.tile is None else self.work(self.tile)


def adds_windows(kernel: UOp) -> bool:
    """Whether a kernel's only reduction is over windows that have elements in common."""
    return any(WindowSum(kernel).reads.values())


def split_groups(kernel: UOp) -> UOp:
    """The kernel with two loops in place of one over groups of results, which read the same elements within a group.

    Of the features of a convolution, tinygrad splits only those whose places in groups an index has.
    """
    split = dict[UOp, UOp]()
    for u in kernel.toposort():
        if u.op is not Ops.FLOORDIV or (loop := u.src[0]).op is not Ops.RANGE or loop in split:
            continue
        number, (*numbers, kind) = constant_of(u.src[1]), loop.arg
        if number and kind is not AxisType.REDUCE and 1 < number < length(loop) and length(loop) % number == 0:
            of_groups, inside = (
                UOp.range(size, *numbers, n, kind, dtype=loop.dtype)
                for n, size in enumerate((length(loop) // number, number))
            )
            split[loop] = of_groups * number + inside
    return kernel.substitute(split).simplify() if split else kernel


def optimise(k: Scheduler) -> Scheduler:
    """In place of tinygrad's function: the threads of sums over windows have tiles, and rows of windows no loops.

    So it is for renderers that count threads themselves, `in_tiles`.
    """
    if not getattr(k.ren, "in_tiles", False):
        return original_optimizations(k)
    known = min((WindowSum(kernel) for kernel in (k.ast, split_groups(k.ast))), key=WindowSum.least_work)
    if (tile := known.tile) is None:
        return original_optimizations(k)
    k = k.copy()
    k.ast = known.kernel

    def axis(loop: UOp) -> int:
        return next(n for n, x in enumerate(k.rngs) if x.arg[:-1] == loop.arg[:-1])

    overlap, along, other, across, count = tile
    if length(overlap.results) % along:
        pad(k, known, overlap, along)
    for loop, number in ((overlap.results, along), (other, across)):
        if loop is not None and number > 1:
            k.apply_opt(Opt(OptOps.UPCAST, axis(loop), number))
    count *= along * across
    if tile.terms > 1:
        k.apply_opt(Opt(OptOps.UNROLL, k.unrollable_dims.index(axis(overlap.terms)), tile.terms))
    # The outermost one stays a loop, which adds to registers.
    for loop in sorted((loop for loop in known.terms if loop is not overlap.terms), key=lambda loop: -loop.arg[0])[:-1]:
        if length(loop) > MOST_UNROLLED or (count := count * length(loop)) > MOST_OF_SEVERAL:
            break
        k.apply_opt(Opt(OptOps.UNROLL, k.unrollable_dims.index(axis(loop)), 0))
    # tinygrad counts the last dimensions together, the last one slowest.
    distance = WindowSum(k.ast).distance
    for n, at in enumerate(axes := k.axes_of(AxisType.GLOBAL)):
        nearest = min(axes[n:], key=lambda axis: distance(k.rngs[axis]))
        if nearest != at:
            k.apply_opt(Opt(OptOps.SWAP, at, nearest))
            distance = WindowSum(k.ast).distance
    return k


def pad(k: Scheduler, known: WindowSum, overlap: Overlap, multiple: int) -> None:
    """Let a loop over results have so many times as many iterations, those after its own without effect.

    In place of tinygrad's option, which does not see that windows in part beyond the last ones share elements.
    """
    loop, size = overlap.results, length(overlap.results)
    longer = UOp.range(-(-size // multiple) * multiple, *loop.arg, dtype=loop.dtype)
    last = overlap.stride * (size - 1) + max(0, overlap.dilation * (length(overlap.terms) - 1))
    exists, is_read = longer < size, longer * overlap.stride + overlap.terms * overlap.dilation < last + 1
    replaced = {loop: longer}
    for u in (*known.reads, *known.written):
        if loop in (index := u.src[1].get_idx()).backward_slice_with_self:
            inside = is_read if overlap in known.reads.get(u, ()) else exists
            new = u.replace(src=(u.src[0], index.valid(inside & u.src[1].get_valid())))
            replaced[u] = new if u in known.written else inside.where(new, UOp.const(Invalid, u.dtype))
    k.ast = k.ast.substitute(replaced)
