"""Makes the recipe of a plan."""

from __future__ import annotations

from collections.abc import Collection, Container, Iterable, Iterator, Mapping, Sequence
from math import prod
from pathlib import Path

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
    Step,
    While,
)
from ...plan.regions import byte_size
from ...rules.control import chooses_by_boolean
from . import attention, procedures, solver, specs
from .collectives import combine_of
from .kernels import THREADS, CudaKernel, CudaRegion, copy_kernel, guard
from .merging import merge
from .recipe import (
    Action,
    Branch,
    Copy,
    Direct,
    Exchange,
    Launch,
    Loop,
    Multiply,
    Number,
    OnHost,
    Place,
    Recipe,
    Spec,
    inner_actions,
)

# A loop whose trip count is known runs so many steps in a turn of the GPU's own loop, or fewer; each of those turns
# costs as much as four small kernels.
MOST_UNROLLED = 4096


# A branch of so few kernels costs less than a conditional node. Each of them begins in vain if another branch is
# chosen, so it may have only so many blocks.
FEW_GUARDED, MOST_BLOCKS_GUARDED = 4, 1024
# Buffers of so many bytes have memory of their own, so that kernels which do not depend on each other can be one.
MOST_KEPT = 4096


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
        actions, kernels = merge([*begin, *self.block(main, inputs, outputs, in_place, 0)], [*self.kernels])
        return Recipe(
            actions, kernels, tuple(self.products), self.arena, tuple(self.hosts), lines_of(self.steps),
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
        frame = lay_out(block, sizes, temporaries, in_place, self.analysis, most_small=0, most_kept=MOST_KEPT)
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
                    case Collective() if called := combine_of(
                        step, block, v, sizes, self.plan.participants, self.source(step)
                    ):
                        if called.count:
                            yield called
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
                found, library = specs.product_spec(step), "cublasLt"
            case Convolution():
                found, library = specs.convolution_spec(step), "cudnn"
            case Fourier():
                found, library = specs.transform_spec(step), "cufft"
        return found if found is not None and found not in self.refused and self.has(library) else None

    def parts(self, step: Lapack) -> Sequence[procedures.Part] | None:
        """The kernels and calls of a procedure; None if the libraries lack one of its calls, and the host runs it."""
        parts = procedures.parts_of(step.procedure)
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
            if kernel.buffers:  # one that writes nothing has none, such as an update that no index reaches
                yield self.launch(kernel, buffers, step)

    def launch(self, kernel: CudaKernel, buffers: Sequence[tuple[Place, int]], step: Step) -> Launch:
        """The launch of a step's kernel, given the places and sizes of the buffers that it numbers."""
        number = self.kernels.setdefault(kernel, len(self.kernels))
        places, sizes = zip(*(buffers[n] for n in kernel.buffers))
        return Launch(number, places, sizes, self.source(step))

    def procedure(
        self,
        step: Lapack,
        parts: Sequence[procedures.Part],
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


def weight(actions: Sequence[Action]) -> int:
    """How many nodes of a graph some actions become."""
    return sum(1 + sum(map(weight, inner_actions(action))) for action in actions)
