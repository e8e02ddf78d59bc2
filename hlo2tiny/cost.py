"""What a program costs before it runs: arithmetic, memory traffic and memory, by op and by the model's own scopes.

Rows of ops say how many operations they take, and which results are never stored: one that is free, such as that of a
broadcast, is computed where it is read. Kernels that run several ops at once move less than is counted here.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence, Set

from .ir import DenseAttr, Function, Module, Op, Region, TensorType, Type, Value, walk
from .ir.dtypes import as_tensor, byte_size, numpy_dtype
from .ir.entry import entry_function
from .ir.locations import name_parts
from .ir.rewrite import free_values
from .ops import Cost, Trait, cost_of, flops_of, has
from .ops.definition import count_elements
from .ops.traits import CONTROL
from .plan.loops import trip_count
from .records import dataclass
from .rules.control import callee

# How many rows a program may have. A function that would need more is a single row, that of its call: the number of ops
# that run can be exponential in the number of ops.
MOST_ROWS = 200_000
DEEPEST = 40  # scopes


@dataclass(frozen=True)
class CostRow:
    """What an op or a scope costs in a call of the program.

    Attributes:
        name: the op's name, such as stablehlo.dot_general, or the scope's own name.
        scope: the names of the scopes around it, the outermost first.
        place: the scopes and the op's own name, or its line in the model's source.
        iterations: how often the op runs, or how many ops of the scope run.
        flops: arithmetic operations, including those on integers. A multiply-add counts as two, a complex one as eight.
            A convolution's padding and holes count. An elementary function counts as one.
        bytes: what it reads and writes in memory.
        peak_memory: the most bytes that are in use while it runs.
    """

    name: str
    scope: tuple[str, ...]
    place: str
    iterations: int
    flops: int
    bytes: int
    peak_memory: int

    @property
    def intensity(self) -> float:
        """Operations per byte; 0 without any bytes."""
        return self.flops / self.bytes if self.bytes else 0.0


@dataclass(frozen=True)
class ProgramCost:
    """What a call of a program costs.

    Attributes:
        flops, bytes, peak_memory: of all ops, as `CostRow` has them. The memory includes arguments and constants.
        ops: a row for each op that computes or moves something, in the order in which they run; one in a function has
            a row for each call.
        scopes: a row for each scope of the model, outer before inner, which includes the scopes inside it.
        open_loops: how many loops have a trip count that is known only at run time; they count as one iteration.
        uncounted: the ops whose operations are unknown and not counted, such as custom calls, and how many there are.
    """

    flops: int
    bytes: int
    peak_memory: int
    ops: tuple[CostRow, ...]
    scopes: tuple[CostRow, ...]
    open_loops: int
    uncounted: Mapping[str, int]

    @property
    def intensity(self) -> float:
        """Operations per byte; 0 without any bytes."""
        return self.flops / self.bytes if self.bytes else 0.0


def cost_of_module(module: Module) -> ProgramCost:
    """The cost of a verified module without tuples and tokens, in which all shapes are known."""
    counter = Counting(module)
    entry = entry_function(module)
    whole = counter.count_functions(entry)
    held = sum(map(byte_size, entry.type.inputs)) + counter.constant_bytes
    rows = tuple(counter.rows(whole, held))
    totals = whole.flops, whole.bytes, held + whole.peak
    return ProgramCost(*totals, rows, scope_rows(rows), counter.open_loops, dict(counter.uncounted))


def item_size(type: Type) -> int:
    tensor = as_tensor(type)
    return numpy_dtype(tensor.element).itemsize if isinstance(tensor, TensorType) else 0


@dataclass(frozen=True, eq=False)
class Counted:
    """What a run of a region costs: `peak` is the memory of the values that it defines, `size` its number of rows."""

    steps: Sequence[CostStep]
    flops: int
    bytes: int
    peak: int
    size: int


@dataclass(frozen=True, eq=False)
class CostStep:
    """An op of a region: its own cost, the memory of the region's values while it runs, what it runs, and how often."""

    op: Op
    flops: int
    bytes: int
    live: int
    inner: Sequence[tuple[Counted, int]]


class Counting:
    """Counts each region of a module once.

    Attributes:
        constant_bytes: the memory of the constants that were seen.
        open_loops, uncounted: see `ProgramCost`.
    """

    def __init__(self, module: Module) -> None:
        self.module = module
        self.constant_bytes = self.open_loops = 0
        self.uncounted: Counter[str] = Counter()
        self._counted: dict[Region, Counted] = {}
        self._definitions: dict[Value, Op] = {}
        # The values in memory from which a value is computed, and how many elements of each that takes.
        self._sources: dict[Value, dict[Value, int]] = {}

    def count(self, region: Region, keeps_results: bool = False) -> Counted:
        """The cost of a region; `keeps_results` says whether its memory includes that of its results."""
        if region not in self._counted:
            self._counted[region] = self._count(region, keeps_results)
        return self._counted[region]

    def _count(self, region: Region, keeps_results: bool) -> Counted:
        for argument in region.arguments:
            self._sources[argument] = {argument: count_elements(argument.type)}
        passed = {v for op in region.ops if has(op, CONTROL | Trait.TERMINATOR) for v in op.operands}
        work = [self._work(op, passed) for op in region.ops]
        ends = {s: number for number, op in enumerate(region.ops) for v in free_values(op) for s in self._held(v)}
        returned = {s for v in region.ops[-1].operands for s in self._held(v)} if region.ops else set()
        sizes: dict[Value, int] = {}  # of the values in memory
        ending: dict[int, list[Value]] = defaultdict(list)
        steps, live, peak = [], 0, 0
        for number, (op, (flops, moved, inner)) in enumerate(zip(region.ops, work)):
            for value in op.results:
                if (
                    value in self._held(value)
                    and not has(op, Trait.CONSTANT)
                    and (keeps_results or value not in returned)
                ):
                    sizes[value] = byte_size(value.type)
                    live += sizes[value]
                    ending[ends.get(value, number)].append(value)
            if has(op, Trait.UPDATING):  # in place, if nothing reads what was there
                ended = [v for v in op.operands[: len(op.results)] if v in ending[number]]
                live -= sum(sizes[v] for v in ended)
                ending[number] = [v for v in ending[number] if v not in ended]
            steps.append(CostStep(op, flops, moved, live, inner))
            peak = max(peak, live + max((part.peak for part, _ in inner), default=0))
            live -= sum(sizes.pop(v) for v in ending.pop(number, ()))
        return Counted(
            steps,
            sum(s.flops + sum(part.flops * iterations for part, iterations in s.inner) for s in steps),
            sum(s.bytes + sum(part.bytes * iterations for part, iterations in s.inner) for s in steps),
            peak,
            sum(1 + sum(part.size for part, _ in s.inner) for s in steps),
        )

    def _held(self, value: Value) -> Mapping[Value, int]:
        return self._sources.get(value, {})

    def _work(self, op: Op, passed: Set[Value]) -> tuple[int, int, Sequence[tuple[Counted, int]]]:
        """An op's operations, its bytes, what it runs, and how often. `passed` are values that have to be in memory."""
        self._definitions.update(dict.fromkeys(op.results, op))
        reads = self._reads(op)
        is_free = cost_of(op) == Cost.FREE and passed.isdisjoint(op.results)
        for value in op.results:
            size = count_elements(value.type)
            if isinstance(constant := op.attributes.get("value"), DenseAttr) and has(op, Trait.CONSTANT):
                size = min(size, 1) if constant.splat else size
                self.constant_bytes += size * item_size(value.type)
                self._sources[value] = {value: size}
            else:
                self._sources[value] = {s: min(n, size) for s, n in reads.items()} if is_free else {value: size}
        if has(op, CONTROL):
            return 0, 0, self._inner(op)
        if has(op, Trait.TERMINATOR | Trait.CONSTANT):
            return 0, 0, ()
        flops = flops_of(op, lambda body: self.count(body).flops)
        if flops is None:
            self.uncounted[op.name] += 1
        read = sum(n * item_size(s.type) for s, n in reads.items())
        if has(op, Trait.UPDATING):
            return flops or 0, 2 * read, ()
        return flops or 0, 0 if is_free else read + sum(byte_size(v.type) for v in op.results), ()

    def _reads(self, op: Op) -> dict[Value, int]:
        """How many elements of which values in memory an op reads."""
        reads: dict[Value, int] = {}
        most = count_elements(op.results[0].type) if has(op, Trait.SELECTING) else None
        for number, value in enumerate(op.operands):
            if has(op, Trait.UPDATING) and number < len(op.results):
                continue
            for source, elements in self._held(value).items():
                taken = elements if most is None or number else min(elements, most)
                reads[source] = max(reads.get(source, 0), taken)
        return reads

    def _inner(self, op: Op) -> Sequence[tuple[Counted, int]]:
        """What an op runs, and how often in one run of its own."""
        if has(op, Trait.CALL):
            called = self.module.functions[callee(op)].body
            return () if called is None else ((self.count(called), 1),)
        if has(op, Trait.LOOP):
            iterations = trip_count(op, self._definitions)
            self.open_loops += iterations is None
            iterations = 1 if iterations is None else iterations
            condition, body = (self.count(region, keeps_results=True) for region in op.regions)
            return (condition, iterations + 1), (body, iterations)
        parts = [self.count(region) for region in op.regions]
        if has(op, Trait.CHOICE):
            dearest = max(parts, key=lambda part: (part.flops, part.bytes))
            return tuple((part, int(part is dearest)) for part in parts)
        return tuple((part, 1) for part in parts)

    def count_functions(self, entry: Function) -> Counted:
        """Count all functions, callees first, since calls may be nested deeper than Python's recursion limit."""
        called = {
            name: [callee(op) for op in (walk(f.body) if f.body else ()) if has(op, Trait.CALL)]
            for name, f in self.module.functions.items()
        }
        waiting, seen = list(called), set[str]()
        while waiting:
            body, first = self.module.functions[waiting[-1]].body, [n for n in called[waiting[-1]] if n not in seen]
            seen.add(waiting[-1])
            if first:
                waiting += first
            elif waiting.pop() and body is not None:
                self.count(body, keeps_results=body is entry.body)
        return self.count(entry.code)

    def rows(self, whole: Counted, held: int) -> Iterator[CostRow]:
        """The rows of a program; `held` is the memory of its arguments and constants."""
        room = MOST_ROWS
        # What is left of the nested parts, the iterations of each, and what is around it.
        running = [Running(iter(whole.steps), 1, (), held, False)]
        while running:
            part = running[-1]
            step = next(part.steps, None)
            if step is None:
                running.pop()
                continue
            op, iterations = step.op, part.iterations
            names, name = joined_names(op, part.around)
            live, is_call = part.held + step.live, has(op, Trait.CALL)
            fits = part.fits
            if is_call and not fits:
                size = sum(inner.size for inner, _ in step.inner)
                fits = size <= room
                room -= size if fits else 0
            if is_call and not fits:
                inner = step.inner[0][0]
                totals = inner.flops * iterations, inner.bytes * iterations, live + inner.peak
                yield CostRow(op.name, names[:-1], name, iterations, *totals)
                continue
            if step.flops or step.bytes:
                yield CostRow(
                    op.name, names[:-1], name, iterations, step.flops * iterations, step.bytes * iterations, live
                )
            around = names if is_call else part.around
            for inner, count in reversed(step.inner):
                running.append(Running(iter(inner.steps), iterations * count, around, live, fits))


def joined_names(op: Op, around: tuple[str, ...]) -> tuple[tuple[str, ...], str]:
    """The names of an op's scopes and its own, after those of the calls around it; and its location, for readers."""
    place = op.location.name
    own = name_parts(place)
    names = own if own[:1] == around[:1] else around + own  # a function's names may be relative to that of its call
    return names[:DEEPEST], "/".join(names) if own else place


@dataclass(frozen=True, eq=False)
class Running:
    """A region whose rows are being listed.

    Attributes:
        steps: those that are left.
        iterations: how often the region runs.
        around: the names of the calls around it.
        held: the memory of what is around it.
        fits: whether there is room to list all of it.
    """

    steps: Iterator[CostStep]
    iterations: int
    around: tuple[str, ...]
    held: int
    fits: bool


def scope_rows(ops: Sequence[CostRow]) -> tuple[CostRow, ...]:
    """The costs of scopes, each with those of the scopes inside it, in the order of their first ops."""
    inside: dict[tuple[str, ...], list[CostRow]] = defaultdict(list)
    for row in ops:
        for depth in range(1, len(row.scope) + 1):
            inside[row.scope[:depth]].append(row)
    return tuple(
        CostRow(
            scope[-1], scope[:-1], "/".join(scope), len(rows), sum(r.flops for r in rows), sum(r.bytes for r in rows),
            max(r.peak_memory for r in rows),
        )
        for scope, rows in inside.items()
    )  # fmt: skip
