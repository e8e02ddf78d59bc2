"""What a plan does on a GPU, as data that needs no GPU: which kernel or library call runs on which memory, in order.

All working memory of a call is one arena. Blocks are inlined where they run; a block's frame of the arena holds the
buffers that its steps hand to each other, each for as long as it is needed, and the frames of the blocks that it runs
follow after it.
"""

from __future__ import annotations

from collections.abc import Collection, Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from math import prod
from pathlib import Path
from typing import Any, NamedTuple

from ...ir import about
from ...plan.aliasing import AliasAnalysis
from ...plan.memory import ALIGNMENT, lay_out
from ...plan.plan import (
    Attention,
    Block,
    Call,
    Case,
    Collective,
    Convolution,
    Fourier,
    Gemm,
    Host,
    Kernels,
    Lapack,
    Plan,
    Source,
    Step,
    While,
)
from ...plan.regions import byte_size
from ...rules.control import chooses_by_boolean
from . import attention, convolutions, products, solver, transforms
from .kernels import THREADS, CudaKernel, CudaRegion, copy_kernel, guard

# A loop whose trip count is known runs so many steps in a turn of the GPU's own loop, or fewer; each of those turns
# costs as much as four small kernels.
MOST_UNROLLED = 4096


# A branch of so few kernels costs less than a conditional node. Each of them begins in vain if another branch is
# chosen, so it may have only so many blocks.
FEW_GUARDED, MOST_BLOCKS_GUARDED = 4, 1024


class Place(NamedTuple):
    """A place in memory: an offset in the arena, or the number of an argument, result or constant."""

    kind: str
    number: int


@dataclass(frozen=True)
class Launch:
    """Run a kernel of the recipe on buffers, of which `sizes` has the bytes."""

    kernel: int
    places: tuple[Place, ...]
    sizes: tuple[int, ...]
    source: int = -1  # the number of the step that it belongs to


@dataclass(frozen=True)
class Copy:
    """Copy some bytes."""

    target: Place
    source: Place
    size: int


@dataclass(frozen=True)
class Multiply:
    """Run a product of the recipe, a matrix product or a convolution, on its operands and result."""

    product: int
    places: tuple[Place, ...]
    sizes: tuple[int, ...]
    source: int = -1


@dataclass(frozen=True)
class Direct(Multiply):
    """The same for a product whose library cannot be recorded: it runs between graphs."""


@dataclass(frozen=True)
class Loop:
    """Repeat steps: `turns` times, or while the byte at `predicate`, which `condition` writes, is not 0."""

    condition: tuple[Any, ...]
    body: tuple[Any, ...]
    predicate: Place  # for a known number of turns, the place of a counter
    turns: int | None


@dataclass(frozen=True)
class Branch:
    """Run the branch that an index selects: the last one if it is out of range; a bool selects the first if true."""

    index: Place
    is_bool: bool
    branches: tuple[tuple[Any, ...], ...]


@dataclass(frozen=True)
class OnHost:
    """Run a step on the host."""

    number: int
    inputs: tuple[Place, ...]
    outputs: tuple[Place, ...]
    source: int = -1


@dataclass(frozen=True)
class Exchange:
    """Write the parts of a result, of so many bytes each, from participants' values.

    `sources` has for each participant where its parts come from, and `places` those of the value and the result.
    """

    sources: tuple[tuple[Source, ...], ...]
    places: tuple[Place, Place]
    size: int
    source: int = -1

    def others(self, participant: int) -> set[int]:
        """The participants from which or to which one carries parts."""
        whose = [{found[0] for found in row if found is not None} for row in self.sources]
        return (whose[participant] | {n for n, row in enumerate(whose) if participant in row}) - {participant}


@dataclass(frozen=True)
class Number:
    """Write the number of the participant, a 32-bit one."""

    place: Place


Spec = products.Spec | convolutions.Spec | transforms.Spec | solver.Spec
SPECS: Mapping[str, Any] = {
    "product": products.Spec, "convolution": convolutions.Spec, "transform": transforms.Spec, "procedure": solver.Spec
}  # fmt: skip
Action = Launch | Copy | Multiply | Loop | Branch | OnHost | Exchange | Number


@dataclass(frozen=True)
class Recipe:
    """What a plan does on a GPU.

    `kernels` and `products` are numbered; `hosts` are the steps that run on the host. `steps` are those of the plan
    that the actions belong to, which the store does not keep, and `lines` their places in the model. `libraries` are
    those that it calls, and `lacking` those that it would call if they were installed.
    """

    actions: tuple[Action, ...]
    kernels: tuple[CudaKernel, ...]
    products: tuple[Spec, ...]
    arena: int
    hosts: tuple[tuple[Block, Host | Lapack], ...] = ()
    lines: tuple[str, ...] = ()
    in_place: Mapping[int, int] = field(default_factory=dict)
    libraries: tuple[str, ...] = ()
    lacking: tuple[str, ...] = ()
    steps: tuple[Step, ...] = ()


class Cook:
    """Makes the recipe of a plan.

    Args:
        plan: the plan.
        regions: the kernels of its regions, by key.
        libraries: the names of NVIDIA's libraries that can be called.
        refused: the products that they turned out not to compute.
    """

    def __init__(
        self,
        plan: Plan,
        regions: Mapping[str, CudaRegion],
        libraries: Container[str],
        refused: Collection[Spec] = (),
    ) -> None:
        self.refused = frozenset(refused)
        self.plan, self.regions, self.libraries = plan, regions, libraries
        self.analysis = AliasAnalysis(plan)
        self.kernels: dict[CudaKernel, int] = {}
        self.products: dict[Spec, int] = {}
        self.hosts: list[tuple[Block, Host | Lapack]] = []
        self.steps: dict[Step, int] = {}
        self.used: set[str] = set()
        self.lacking: set[str] = set()
        self.arena = 0
        constants = ((block, n) for block in plan.blocks() for n, _ in block.constants)
        self.constants = {constant: i for i, constant in enumerate(constants)}

    def regions_to_render(self) -> Iterator[Kernels]:
        """The regions that kernels compute, among them those of products that no library computes."""
        for block in (self.plan.main, *self.plan.functions.values()):
            for step in block.walk():
                if isinstance(step, Kernels):
                    yield step
                elif isinstance(step, Gemm | Convolution) and self.spec(step) is None:
                    yield step.region

    def recipe(self) -> Recipe:
        main, in_place = self.plan.main, self.analysis.in_place_of_main()
        inputs = [Place("input", n) for n in range(main.inputs)]
        for result, argument in in_place.items():
            inputs[argument] = Place("result", result)
        outputs = [Place("result", i) for i in range(len(main.outputs))]
        sizes = [byte_size(t) for t in main.types]
        begin = [
            Copy(Place("result", result), Place("input", n), sizes[n]) for result, n in in_place.items() if sizes[n]
        ]
        actions = (*begin, *self.block(main, inputs, outputs, in_place, 0))
        return Recipe(
            actions, tuple(self.kernels), tuple(self.products), self.arena, tuple(self.hosts), lines_of(self.steps),
            in_place, tuple(sorted(self.used)), tuple(sorted(self.lacking)), tuple(self.steps),
        )  # fmt: skip

    def block(
        self,
        block: Block,
        inputs: Sequence[Place],
        outputs: Sequence[Place | None],
        in_place: Mapping[int, int],
        base: int,
    ) -> Iterator[Action]:
        """The actions of a block.

        Args:
            inputs, outputs: the places of its arguments and results; a result without a place shares an argument's.
            in_place: maps those results to the arguments.
            base: where its frame begins in the arena.
        """
        aliasing = self.analysis.of(block, in_place)
        sizes = list(map(byte_size, block.types))
        temporaries = {index: self.working(step) for index, step in enumerate(block.steps)}
        frame = lay_out(block, sizes, temporaries, in_place, aliasing, most_small=0)
        end = base + frame.size + ALIGNMENT * len(frame.small)
        self.arena = max(self.arena, end + ALIGNMENT)

        def at(offset: int) -> Place:
            small = base + frame.size + ALIGNMENT * (-1 - offset)
            return Place("arena", base + offset if offset >= 0 else small)

        places = dict(enumerate(inputs))
        places |= {n: Place("constant", self.constants[block, n]) for n, _ in block.constants}
        places |= {n: at(offset) for n, offset in frame.offsets.items()}
        places |= {n: place for n, i in frame.direct.items() if (place := outputs[i]) is not None}
        v = {n: places[aliasing.memory[n]] for n in {*range(block.inputs), *aliasing.memory}}
        for index, step in enumerate(block.steps):
            for pair in self.analysis.aliases(step):
                if pair in aliasing.copied[index]:
                    yield from copies([(v[pair.result], v[pair.operand], sizes[pair.result])])
                else:
                    v[pair.result] = v[pair.operand]
            with about(step.op):
                match step:
                    case Kernels() | Gemm() | Convolution():
                        yield from self.compute(step, v, [at(x) for x in frame.temporaries[index]], sizes)
                    case While():
                        second = {i: at(offset) for i, offset in frame.loops[index].carries.items()}
                        yield from self.loop(step, block, v, second, at(frame.loops[index].predicate), end)
                    case Case():
                        yield from self.branch(step, v, end)
                    case Call():
                        arguments = [v[n] for n in self.analysis.arguments(step)]
                        results, shared = [v[n] for n in step.outputs], self.analysis.in_place(step)
                        yield from self.block(self.plan.functions[step.name], arguments, results, shared, end)
                    case Attention():
                        yield self.launch(
                            attention.kernel_of(step), [(v[n], sizes[n]) for n in (*step.inputs, *step.outputs)], step
                        )
                    case Fourier() if self.spec(step) is not None:
                        yield from self.compute(step, v, (), sizes)
                    case Lapack() if (parts := self.parts(step)) is not None:
                        yield from self.procedure(step, parts, v, [at(x) for x in frame.temporaries[index]], sizes)
                    case Collective(name="partition_id"):
                        yield Number(v[step.outputs[0]])
                    case Collective():
                        sources = tuple(tuple(step.sources(n)) for n in range(self.plan.participants))
                        if size := sizes[step.outputs[0]] // len(sources[0]):
                            yield Exchange(sources, (v[step.inputs[0]], v[step.outputs[0]]), size, self.source(step))
                    case Host() | Lapack():
                        yield self.on_host(block, step, v)
                    case Fourier():
                        yield self.on_host(block, step.host, v)
        last = [
            (place, v[n], sizes[n])
            for i, (n, place) in enumerate(zip(block.outputs, outputs))
            if i not in in_place and place is not None and frame.direct.get(aliasing.memory[n]) != i
        ]
        yield from copies(last)

    def on_host(self, block: Block, step: Host | Lapack, v: Mapping[int, Place]) -> OnHost:
        self.hosts.append((block, step))
        places = tuple(v[n] for n in step.inputs), tuple(v[n] for n in step.outputs)
        return OnHost(len(self.hosts) - 1, *places, self.source(step))

    def source(self, step: Step) -> int:
        """The number of a step."""
        return self.steps.setdefault(step, len(self.steps))

    def has(self, library: str) -> bool:
        """Whether a library is installed that the program calls."""
        (self.used if library in self.libraries else self.lacking).add(library)
        return library in self.used

    def spec(self, step: Gemm | Convolution | Fourier) -> Spec | None:
        """What a library computes; None if it does not, and kernels or the host do."""
        found: Spec | None
        match step:
            case Gemm():
                found, library = products.spec(step), "cublasLt"
            case Convolution():
                found, library = convolutions.spec(step), "cudnn"
            case Fourier():
                found, library = transforms.spec(step), "cufft"
        return found if found is not None and found not in self.refused and self.has(library) else None

    def parts(self, step: Lapack) -> Sequence[solver.Part] | None:
        """The kernels and calls of a procedure; None if the libraries lack one of its calls, and the host runs it."""
        parts = solver.parts_of(step.procedure)
        refused = parts is None or not self.refused.isdisjoint(parts)
        return parts if not refused and all([self.has("cusolver"), self.has("cublas")]) else None

    def working(self, step: Step) -> Sequence[int]:
        """The sizes in bytes of the temporary memory that a step needs."""
        match step:
            case Kernels():
                return self.regions[step.key].temporaries
            case Gemm() | Convolution() if self.spec(step) is None:
                return self.regions[step.region.key].temporaries
            case Lapack() if self.parts(step) is not None:
                return step.procedure.temporaries
        return ()

    def compute(
        self,
        step: Kernels | Gemm | Convolution | Fourier,
        v: Mapping[int, Place],
        temporaries: Sequence[Place],
        sizes: Sequence[int],
    ) -> Iterator[Action]:
        source = self.source(step)
        if not isinstance(step, Kernels) and (spec := self.spec(step)) is not None:
            read = step.inputs[:1] if isinstance(step, Fourier) else step.inputs  # the tables are for targets/c
            values = (*read, *step.outputs)
            number = self.products.setdefault(spec, len(self.products))
            yield Multiply(number, tuple(v[n] for n in values), tuple(sizes[n] for n in values), source)
            return
        assert not isinstance(step, Fourier)
        inner = step if isinstance(step, Kernels) else step.region
        read = self.analysis.arguments(step) if isinstance(step, Kernels) else tuple(dict.fromkeys(step.reads))
        buffers = [*((v[n], sizes[n]) for n in (*read, *step.outputs)), *zip(temporaries, self.working(step))]
        for kernel in self.regions[inner.key].kernels:
            yield self.launch(kernel, buffers, step)

    def launch(self, kernel: CudaKernel, buffers: Sequence[tuple[Place, int]], step: Step) -> Launch:
        """The launch of a step's kernel, given the places and sizes of the buffers that it numbers."""
        number = self.kernels.setdefault(kernel, len(self.kernels))
        places, sizes = zip(*(buffers[n] for n in kernel.buffers))
        return Launch(number, places, sizes, self.source(step))

    def procedure(
        self,
        step: Lapack,
        parts: Sequence[solver.Part],
        v: Mapping[int, Place],
        temporaries: Sequence[Place],
        sizes: Sequence[int],
    ) -> Iterator[Action]:
        """The kernels and calls of a LAPACK procedure."""
        values, source = (*step.inputs, *step.outputs), self.source(step)
        places = (*(v[n] for n in values), *temporaries)
        bytes = (*(sizes[n] for n in values), *step.procedure.temporaries)
        for part in parts:
            if isinstance(part, solver.Spec):
                yield Direct(self.products.setdefault(part, len(self.products)), places, bytes, source)
            else:
                number = self.kernels.setdefault(part, len(self.kernels))
                used = tuple(places[n] for n in part.buffers), tuple(bytes[n] for n in part.buffers)
                yield Launch(number, *used, source)

    def branch(self, step: Case, v: Mapping[int, Place], end: int) -> Iterator[Action]:
        """A branch, or if that is a few small kernels these, each of which looks itself whether it should run."""
        arguments = [v[n] for n in self.analysis.arguments(step)]
        results, shared = [v[n] for n in step.outputs], self.analysis.in_place(step)
        index, is_bool, before = v[step.index], chooses_by_boolean(step.op), dict(self.kernels)
        branches = tuple(tuple(self.block(b, arguments, results, shared, end)) for b in step.branches)
        few = sum(map(len, branches)) <= FEW_GUARDED * len(branches)
        if not few or not all(self.is_guardable(action, index) for branch in branches for action in branch):
            yield Branch(index, is_bool, branches)
            return
        kernels, self.kernels = list(self.kernels), before
        for number, branch in enumerate(branches):
            for action in branch:
                if isinstance(action, Copy):
                    action = Launch(len(kernels), (action.target, action.source), (action.size, action.size))
                    kernels.append(copy_kernel(action.sizes[0]))
                assert isinstance(action, Launch)
                kernel = guard(kernels[action.kernel], is_bool, number, len(branches))
                place = self.kernels.setdefault(kernel, len(self.kernels))
                places, sizes = (*action.places, index), (*action.sizes, 1 if is_bool else 4)
                yield Launch(place, places, sizes, action.source)

    def is_guardable(self, action: Action, index: Place) -> bool:
        """Whether an action costs little if it turns out not to run, and does not write to the index."""
        match action:
            case Copy():
                return action.size <= MOST_BLOCKS_GUARDED * THREADS and action.target != index
            case Launch():
                kernel = list(self.kernels)[action.kernel]
                written = (place for place, writes in zip(action.places, kernel.writes) if writes)
                return prod(kernel.grid) <= MOST_BLOCKS_GUARDED and index not in written
        return False

    def loop(
        self, step: While, block: Block, v: Mapping[int, Place], second: Mapping[int, Place], predicate: Place, end: int
    ) -> Iterator[Action]:
        in_place, sizes = self.analysis.in_place(step), [byte_size(block.types[n]) for n in step.outputs]
        first = {i: v[step.outputs[i]] for i in range(len(step.carries)) if i not in in_place}
        begin = [v[n] for n in self.analysis.arguments(step)]

        def turn(source: Mapping[int, Place], target: Mapping[int, Place]) -> tuple[Action, ...]:
            """The body, which reads the carries in one place and writes the next ones to another."""
            arguments = [source.get(i, place) for i, place in enumerate(begin)]
            return tuple(self.block(step.body, arguments, [target.get(i) for i in range(len(sizes))], in_place, end))

        def turns(count: int, source: Mapping[int, Place]) -> Iterator[Action]:
            """Several turns, whose last one writes to the results."""
            for i in reversed(range(count)):
                target = second if i % 2 else first
                yield from turn(source, target)
                source = target

        def copy_between(target: Mapping[int, Place], source: Mapping[int, Place]) -> Iterator[Action]:
            return copies([(target[i], source[i], sizes[i]) for i in first])

        initial = {i: begin[i] for i in first}
        if step.trip_count is not None:
            size = max(1, weight(turn(initial, first)))
            at_once = min(step.trip_count, MOST_UNROLLED // size)
            if at_once < step.trip_count:
                at_once = max(2, at_once // 2 * 2)
            repeats, rest = divmod(step.trip_count, at_once) if at_once else (0, 0)
            rest, repeats = (at_once, 0) if repeats == 1 and not rest else (rest, repeats)
            yield from turns(rest, initial) if rest else copy_between(first, initial)
            if repeats:
                yield Loop((), tuple(turns(at_once, first)), predicate, repeats)
            return
        yield from copy_between(first, initial)
        arguments = [first.get(i, place) for i, place in enumerate(begin)]
        condition = tuple(self.block(step.condition, arguments, [predicate], {}, end))
        yield Loop(condition, (*turn(first, second), *copy_between(first, second)), predicate, None)


def lines_of(steps: Iterable[Step]) -> tuple[str, ...]:
    """The places of steps in the file and in the model."""
    places = (step.op.location for step in steps)
    return tuple(f"{Path(p.source.path).name}:{p.line} {p.name}".rstrip() for p in places)


def copies(moves: Sequence[tuple[Place, Place, int]]) -> Iterator[Copy]:
    return (Copy(target, source, size) for target, source, size in moves if size and target != source)


def inner_actions(action: Action) -> tuple[tuple[Action, ...], ...]:
    match action:
        case Loop():
            return (action.condition, action.body)
        case Branch():
            return action.branches
    return ()


def weight(actions: Sequence[Action]) -> int:
    """How many nodes of a graph some actions become."""
    return sum(1 + sum(map(weight, inner_actions(action))) for action in actions)


def needs_host(actions: Sequence[Action], inner: bool = False) -> bool:
    """Whether a graph cannot hold all of these actions, as its own or as those of a loop or branch."""
    kinds = OnHost | Direct | Exchange if inner else OnHost | Direct  # NCCL is not made for parts on a condition
    return any(isinstance(a, kinds) or any(needs_host(x, True) for x in inner_actions(a)) for a in actions)


# ---------------------------------------------------------------- as text


def describe(recipe: Recipe, action: Action) -> str:
    """What an action runs and the place in the model that it comes from, for messages."""
    match action:
        case Launch():
            name = f"kernel {recipe.kernels[action.kernel].name}"
        case Multiply():
            name = str(recipe.products[action.product])
        case OnHost():
            name = f"step {action.number} on the host"
        case Exchange():
            name = f"an exchange of parts of {action.size:,} bytes"
        case _:
            return type(action).__name__.lower()
    return f"{name} ({recipe.lines[action.source]})" if 0 <= action.source < len(recipe.lines) else name


def listing(recipe: Recipe) -> str:
    """A recipe as text, a line for each action."""
    return "\n".join(lines(recipe, recipe.actions, ""))


def lines(recipe: Recipe, actions: Sequence[Action], indent: str) -> Iterator[str]:
    for action in actions:
        match action:
            case Launch():
                k = recipe.kernels[action.kernel]
                grid, block = describe_sizes(k.grid), describe_sizes(k.block)
                yield f"{indent}{k.name} <{grid}, {block}> {describe_places(action.places)}"
            case Copy():
                yield f"{indent}copy {action.size:,} bytes {describe_places((action.target, action.source))}"
            case Multiply():
                yield f"{indent}{recipe.products[action.product]} {describe_places(action.places)}"
            case Loop():
                yield f"{indent}loop {describe_places((action.predicate,))}" + (
                    f", {action.turns:,} turns" if action.turns else ""
                )
            case Branch():
                yield f"{indent}branch {describe_places((action.index,))}"
            case Exchange():
                yield f"{indent}exchange parts of {action.size:,} bytes {describe_places(action.places)}"
            case Number():
                yield f"{indent}participant {describe_places((action.place,))}"
            case OnHost():
                yield f"{indent}host {action.number} {describe_places((*action.inputs, *action.outputs))}"
        for part in inner_actions(action):
            yield f"{indent}  -"
            yield from lines(recipe, part, indent + "  ")


def describe_sizes(sizes: Sequence[int]) -> str:
    return "x".join(map(str, [n for n in sizes if n != 1] or [1]))


def describe_places(places: Sequence[Place]) -> str:
    return " ".join(f"{kind}{number}" if kind != "arena" else f"+{number}" for kind, number in places)


# ---------------------------------------------------------------- for the store

KINDS: Mapping[str, Any] = {
    kind.__name__: kind for kind in (Launch, Copy, Multiply, Direct, Loop, Branch, OnHost, Exchange, Number)
}


def to_rows(actions: Sequence[Action]) -> list[Any]:
    """Actions as what JSON can hold."""
    rows: list[Any] = []
    for action in actions:
        fields = dict(vars(action))
        for name in ("condition", "body"):
            if name in fields:
                fields[name] = to_rows(fields[name])
        if isinstance(action, Branch):
            fields["branches"] = [to_rows(branch) for branch in action.branches]
        rows.append([type(action).__name__, fields])
    return rows


def from_rows(rows: Sequence[Any]) -> tuple[Action, ...]:
    """The inverse of `to_rows`."""
    actions: list[Action] = []
    for name, fields in rows:
        values = dict(fields)
        for key, value in values.items():
            if key in ("condition", "body"):
                values[key] = from_rows(value)
            elif key == "branches":
                values[key] = tuple(map(from_rows, value))
            elif key == "sources":
                values[key] = tuple(tuple(None if one is None else tuple(one) for one in row) for row in value)
            elif key == "sizes":
                values[key] = tuple(value)
            elif key in ("places", "inputs", "outputs"):
                values[key] = tuple(Place(*place) for place in value)
            elif key in ("target", "source", "predicate", "index", "place") and isinstance(value, list):
                values[key] = Place(*value)
        actions.append(KINDS[name](**values))
    return tuple(actions)
