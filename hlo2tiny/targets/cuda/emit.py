"""Makes the executable of a plan."""

from __future__ import annotations

from collections.abc import Collection, Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from math import prod
from pathlib import Path

from ...errors import UnsupportedOp
from ...ir import error_at
from ...ir.dtypes import byte_size, expect_tensor, static_shape
from ...ir.place import Place, overlap
from ...ir.types import ScalarType
from ...plan import commands as lowered
from ...plan.commands import CommandList, HostCall, Invoke, Library, Site
from ...plan.lower import Choice, Chooser, PlanLowering
from ...plan.memory import ALIGNMENT
from ...plan.plan import (
    Attending,
    Attention,
    AttentionGradients,
    Block,
    Convolution,
    Fourier,
    Gemm,
    Host,
    Kernels,
    Lapack,
    Plan,
    Step,
)
from ...rules.collectives import reduction_of
from ...rules.control import chooses_by_boolean
from .. import HostFunction
from ..embedded import Embedded, kernels_of
from ..handlers import aliases_of
from . import (
    attention,
    attention_gradients,
    depthwise,
    eight_bits,
    in_order,
    narrow,
    procedures,
    solver,
    specs,
    stored_scores,
    wide_heads,
)
from .arranging import Arranged, PlacedProduct, arrange
from .epilogues import Sum
from .executable import (
    Action,
    CudaExecutable,
    Direct,
    GraphBranch,
    GraphCombine,
    GraphCopy,
    GraphExchange,
    GraphLaunch,
    GraphLoop,
    Multiply,
    Number,
    OnHost,
    Spec,
    inner_actions,
)
from .kernels import THREADS, CudaKernel, CudaRegion, copy_kernel, guard
from .loops import are_parts, blocks_of
from .merging import merge
from .products import ProductSpec
from .slices import integers_of, slices_of, writes_of

# The collectives that NCCL has itself, rather than as sends and receives.
COLLECTIVES = {"all_gather": "AllGather", "all_reduce": "AllReduce", "reduce_scatter": "ReduceScatter"}
# A loop whose trip count is known is unrolled if it runs at most so many steps, or FEW small ones, which are one kernel
# otherwise; an iteration of the GPU's own loop, which costs as much as four small kernels, runs so many of others.
MOST_UNROLLED, FEW, REPEATED = 4096, 24, 1024


# A branch of at most this many kernels costs less than a conditional node. Each of them starts in vain if another
# branch is chosen, so it may have at most this many blocks.
FEW_GUARDED, MOST_BLOCKS_GUARDED = 4, 1024
# Buffers of at most this many bytes have memory of their own, so that independent kernels can be merged.
MOST_KEPT = 4096


class CudaEmitter(Chooser):
    """Makes the executable of a plan.

    Args:
        plan: the plan.
        regions: the kernels of its regions, by key.
        libraries: the names of NVIDIA's libraries that can be called.
        refused: the products that they turned out not to support.
        custom_calls: the functions of custom calls.
        arch: the kind of GPU.
    """

    kept_size = MOST_KEPT

    def __init__(
        self,
        plan: Plan,
        regions: Mapping[str, CudaRegion],
        libraries: Container[str],
        refused: Collection[Spec] = (),
        custom_calls: Mapping[str, HostFunction] = {},
        arch: str = "",
    ) -> None:
        self.arch = arch
        self.refused = frozenset(refused)
        self.embedded = {name for name, function in custom_calls.items() if isinstance(function, Embedded)}
        self.plan, self.regions, self.libraries = plan, regions, libraries
        self.lowering = PlanLowering(plan, self)
        self.kernels: dict[CudaKernel, int] = {}
        self.products: dict[Spec, int] = {}
        self.hosts: list[tuple[Block, Host | Lapack]] = []
        self.steps: dict[Step, int] = {}
        self.used: set[str] = set()
        self.lacking: set[str] = set()

    def regions_to_render(self) -> Iterator[Kernels]:
        """The regions that kernels compute, including those of products that no library computes."""
        for block in (self.plan.main, *self.plan.functions.values()):
            for step in block.walk():
                if isinstance(step, Kernels):
                    yield step
                elif isinstance(step, Gemm | Convolution) and self.spec(step) is None and not self.arranged(step):
                    yield step.region

    def executable(self) -> CudaExecutable:
        main, in_place = self.plan.main, self.lowering.in_place
        arguments = [Place("argument", n) for n in range(main.inputs)]
        for result, argument in in_place.items():
            arguments[argument] = Place("result", result)
        results = [Place("result", i) for i in range(len(main.outputs))]
        sizes = [byte_size(t) for t in main.types]
        begin = [
            GraphCopy(Place("result", result), Place("argument", n), sizes[n])
            for result, n in in_place.items()
            if sizes[n]
        ]
        commands = self.lowering.lower()
        actions, kernels = merge([*begin, *self.emit(commands, Site(arguments, results))], [*self.kernels], self.arch)
        return CudaExecutable(
            actions, kernels, tuple(self.products), commands.total + ALIGNMENT, tuple(self.hosts), lines_of(self.steps),
            in_place, tuple(sorted(self.used)), tuple(sorted(self.lacking)), tuple(self.steps),
        )  # fmt: skip

    # ---------------------------------------------------------------- what lowering asks

    def choose(self, step: Step) -> Choice:
        match step:
            case Kernels():
                return Choice(step, self.regions[step.key].temporaries)
            case Gemm() | Convolution() | Attention() | AttentionGradients() if (
                arranged := self.arranged(step)
            ) is not None:
                return Choice("library", arranged.temporaries)
            case Gemm() | Convolution() if self.spec(step) is None:
                return Choice(step.region, self.regions[step.region.key].temporaries)
            case Gemm() | Convolution():
                return Choice("library")
            case Fourier() if self.spec(step) is not None:
                return Choice("library")
            case Lapack() if (parts := self.parts(step)) is not None:
                return Choice("library", parts.temporaries)
            case Host() if step.name[1:] in self.embedded:
                return Choice("library")
        return Choice("host")

    # ---------------------------------------------------------------- actions

    def emit(self, commands: CommandList, site: Site) -> Iterator[Action]:
        """The actions of a command list."""
        # By where they would be: slices' sizes, and where they are; integers' sizes and values.
        slices, integers = dict[Place, tuple[int, Place]](), dict[Place, tuple[int, int]]()

        def read(places: Sequence[Place]) -> tuple[Place, ...]:
            return tuple(slices[each][1] if each in slices else site.place(each) for each in places)

        def known(place: Place) -> int | None:
            return integers[place][1] if place in integers else site.known.get(site.place(place))

        for number, command in enumerate(commands.commands):
            writes = writes_of(command)
            if writes is None:
                slices.clear()
                integers.clear()
            for place, size in [*((p, size) for each in (slices, integers) for p, (size, _) in each.items())]:
                if any(overlap(place, size, *each) for each in writes or ()):
                    slices.pop(place, None)
                    integers.pop(place, None)
            match command:
                case lowered.Copy():
                    yield from copies([(site.place(command.target), read([command.source])[0], command.size)])
                case lowered.Launch():
                    kernels = self.regions[command.region.key].kernels
                    given = {
                        v: i for v, p in zip(command.region.parameters, command.places) if (i := known(p)) is not None
                    }
                    numbers = integers_of(command.region, given) if given else {}
                    found = slices_of(command, commands.commands[number + 1 :], kernels, numbers, site.place)
                    slices |= {command.places[n]: (command.sizes[n], place) for n, place in found.items()}
                    for n, value in enumerate(command.region.results, len(command.region.inputs)):
                        if value in numbers and not command.region.updates and command.places[n].kind == "arena":
                            integers[command.places[n]] = command.sizes[n], numbers[value]
                    buffers = [*zip(read(command.places), command.sizes)]
                    for kernel in kernels:
                        # An action that writes nothing has no buffers: an update that no index reaches.
                        if kernel.buffers and not any(
                            kernel.buffers[i] in found for i, w in enumerate(kernel.writes) if w
                        ):
                            yield self.launch(kernel, buffers, command.step)
                case Library():
                    yield from self.library(command, read(command.places))
                case HostCall():
                    self.hosts.append((commands.block, command.step))
                    places = site.places(command.inputs), site.places(command.outputs)
                    yield OnHost(len(self.hosts) - 1, *places, self.source(command.step))
                case lowered.Exchange():
                    yield from self.exchange(command, site)
                case Invoke():
                    inner = site.inner(commands, command.arguments, command.results)
                    yield from self.emit(command.callee, inner)
                case lowered.Branch():
                    yield from self.branch(command, commands, site)
                case lowered.Loop():
                    yield from self.loop(command, commands, site)

    def source(self, step: Step) -> int:
        """The number of a step."""
        return self.steps.setdefault(step, len(self.steps))

    def has(self, library: str) -> bool:
        """Whether a library is installed that the program calls."""
        (self.used if library in self.libraries else self.lacking).add(library)
        return library in self.used

    def spec(self, step: Gemm | Convolution | Fourier) -> Spec | None:
        """What a library computes; None if kernels or the host do it instead."""
        found: Spec | None
        if self.plan.invariant and isinstance(step, Gemm | Convolution) and not is_of_eight_bits(step):
            return None
        match step:
            case Gemm():
                found, library = specs.product_spec(step, self.arch), "cublasLt"
            case Convolution():
                found, library = specs.convolution_spec(step), "cudnn"
            case Fourier():
                found, library = specs.transform_spec(step), "cufft"
                found = found and replace(found, apart=self.plan.invariant and found.count > 1)
        return found if found is not None and found not in self.refused and self.has(library) else None

    def arranged(self, step: Gemm | Convolution | Attending) -> Arranged | None:
        """Attention, a product that kernels prepare, or one in order or of groups; None for others."""
        if isinstance(step, AttentionGradients):
            return attention_gradients.arrange(step, self.arch)
        if isinstance(step, Attention):
            stored = stored_scores.arrange(step)
            fits = stored is not None and self.refused.isdisjoint(stored.specs) and self.has("cublasLt")
            return stored if fits else wide_heads.arrange(step, self.arch) or attention.arrange(step, self.arch)
        if isinstance(step, Gemm) and is_of_eight_bits(step):
            has_library = self.spec(step) is not None
            if step.product.letter == "s" and not has_library:
                return self.in_bf16(step)
            return eight_bits.arrange(step.product, has_library, step.narrow if isinstance(step, Sum) else "")
        if self.plan.invariant or (isinstance(step, Gemm) and step.product.groups):
            return in_order.arranged(step)
        if isinstance(step, Convolution):
            gradient = specs.described(step)
            return depthwise.arrange(gradient) if gradient is not None and specs.has_few_features(gradient) else None
        product = specs.product_spec(step, self.arch)
        if product is not None and (own := narrow.arrange(product, self.arch)) is not None:
            return own
        spec = self.spec(step)
        found = arrange(spec, len(step.inputs)) if isinstance(spec, ProductSpec) else None
        return None if found is None or not self.refused.isdisjoint(found.specs) else found

    def in_bf16(self, step: Gemm) -> Arranged | None:
        """A product of 8-bit floats as one of bf16."""
        p, values = step.product, dict(zip(step.region.inputs, step.region.parameters))
        a, b = (replace(x, narrow="bf16") for x in (p.a, p.b))
        wide = replace(step, product=replace(p, a=a, b=b))
        found, spec = self.arranged(wide), self.spec(wide)
        if found is None and isinstance(spec, ProductSpec):
            found = Arranged((PlacedProduct(spec, tuple(range(len(step.inputs) + 1))),))
        sizes = [prod(static_shape(values[n].type)) for n in step.inputs[:2]]
        return found and eight_bits.convert_first(found, [p.a.narrow, p.b.narrow], sizes)

    def parts(self, step: Lapack) -> procedures.Parts | None:
        """The kernels and calls of a procedure; None if the libraries lack one of its calls, and the host runs it."""
        for alone in (False, True):
            found = procedures.parts_of(step.procedure, alone, self.plan.invariant)
            if found is not None and self.plan.invariant:
                found = found._replace(parts=[*map(one_by_one, found.parts)])
            if found is None or not self.refused.isdisjoint(found.parts):
                continue
            calls = any(isinstance(part, solver.SolverSpec) for part in found.parts)
            if not calls or all([self.has("cusolver"), self.has("cublas")]):
                return found
        return None

    def library(self, command: Library, places: Sequence[Place]) -> Iterator[Action]:
        """The library calls and our own kernels that carry out a step."""
        step, sizes, source = command.step, command.sizes, self.source(command.step)
        match step:
            case Lapack():
                found = self.parts(step)
                assert found is not None
                for part in found.parts:
                    if isinstance(part, solver.SolverSpec):
                        yield Direct(self.products.setdefault(part, len(self.products)), tuple(places), sizes, source)
                    else:
                        yield self.launch(part, [*zip(places, sizes)], step)
            case Host():
                yield from self.embedded_kernel(step, places, sizes)
            case Gemm() | Convolution() | Attention() | AttentionGradients() if (
                arranged := self.arranged(step)
            ) is not None:
                buffers = [*zip(places, sizes)]
                for each in arranged.parts:
                    if isinstance(each, CudaKernel):
                        yield self.launch(each, buffers, step)
                        continue
                    number = self.products.setdefault(each.spec, len(self.products))
                    used, their_sizes = zip(*(buffers[n] for n in each.buffers))
                    yield Multiply(number, used, their_sizes, source)
            case Gemm() | Convolution() | Fourier():
                spec, count = self.spec(step), len(step.inputs) + 1
                assert spec is not None
                number = self.products.setdefault(spec, len(self.products))
                yield Multiply(number, tuple(places[:count]), tuple(sizes[:count]), source)

    def embedded_kernel(self, step: Host, places: Sequence[Place], sizes: Sequence[int]) -> Iterator[Action]:
        """The launch of the first of a call's kernels that the GPU runs."""
        kernel = next((kernel for kernel in kernels_of(step.op) if kernel not in self.refused), None)
        if kernel is None:
            message = "none of its kernels runs on this GPU: each needs more shared memory than a block has"
            raise error_at(step.op, message, UnsupportedOp)
        places, operands = [*places], len(step.inputs)
        for operand, result in aliases_of(step.op):
            yield from copies([(places[operands + result], places[operand], sizes[operand])])
            places[operand] = places[operands + result]
        number = self.products.setdefault(kernel, len(self.products))
        yield Multiply(number, tuple(places), tuple(sizes), self.source(step), len(step.outputs))

    def exchange(self, command: lowered.Exchange, site: Site) -> Iterator[Action]:
        step, (target,) = command.step, site.places(command.outputs)
        if step.name == "partition_id":
            yield Number(target)
            return
        places, source = (site.place(command.inputs[0]), target), self.source(step)
        if called := combine_of(command, places, self.plan.processes, source):
            if called.count:
                yield called
            return
        sources = tuple(tuple(step.sources(n)) for n in range(self.plan.processes))
        if size := command.sizes[-1] // len(sources[0]):
            yield GraphExchange(sources, places, size, source)

    def launch(self, kernel: CudaKernel, buffers: Sequence[tuple[Place, int]], step: Step) -> GraphLaunch:
        """The launch of a step's kernel, given the places and sizes of the buffers that it numbers."""
        number = self.kernels.setdefault(kernel, len(self.kernels))
        places, sizes = zip(*(buffers[n] for n in kernel.buffers))
        return GraphLaunch(number, places, sizes, self.source(step))

    def branch(self, command: lowered.Branch, commands: CommandList, site: Site) -> Iterator[Action]:
        """A branch; if it consists of a few small kernels, these are predicated instead."""
        index, is_bool, before = site.place(command.index), chooses_by_boolean(command.step.op), dict(self.kernels)
        inner = site.inner(commands, command.arguments, command.results)
        branches = tuple(tuple(self.emit(branch, inner)) for branch in command.branches)
        few = sum(map(len, branches)) <= FEW_GUARDED * len(branches)
        if not few or not all(self.is_guardable(action, index) for branch in branches for action in branch):
            yield GraphBranch(index, is_bool, branches)
            return
        kernels, self.kernels = list(self.kernels), before
        for number, branch in enumerate(branches):
            for action in branch:
                if isinstance(action, GraphCopy):
                    action = GraphLaunch(len(kernels), (action.target, action.source), (action.size, action.size))
                    kernels.append(copy_kernel(action.sizes[0]))
                assert isinstance(action, GraphLaunch)
                kernel = guard(kernels[action.kernel], is_bool, number, len(branches))
                place = self.kernels.setdefault(kernel, len(self.kernels))
                places, sizes = (*action.places, index), (*action.sizes, 1 if is_bool else 4)
                yield GraphLaunch(place, places, sizes, action.source)

    def is_guardable(self, action: Action, index: Place) -> bool:
        """Whether an action costs little if it turns out not to run, and does not write to the index."""
        match action:
            case GraphCopy():
                return action.size <= MOST_BLOCKS_GUARDED * THREADS and action.target != index
            case GraphLaunch():
                kernel = list(self.kernels)[action.kernel]
                written = (place for place, writes in zip(action.places, kernel.writes) if writes)
                return prod(kernel.grid) <= MOST_BLOCKS_GUARDED and index not in written
        return False

    def loop(self, command: lowered.Loop, commands: CommandList, site: Site) -> Iterator[Action]:
        step, begin, base = command.step, site.places(command.arguments), site.base + commands.size
        first = {c.number: site.place(c.first) for c in command.carries}
        second = {c.number: site.place(c.second) for c in command.carries}
        sizes, initial = {c.number: c.size for c in command.carries}, {i: begin[i] for i in first}
        site.carried |= {c.value: first[c.number] for c in command.carries}
        predicate = site.place(command.predicate)

        def iteration(
            source: Mapping[int, Place], target: Mapping[int, Place], number: int | None = None
        ) -> tuple[Action, ...]:
            """The body, which reads the carries in one buffer and writes the next ones to another."""
            arguments = [source.get(i, place) for i, place in enumerate(begin)]
            known = dict(site.known) if number is not None else {}
            if number is not None:
                known |= {source[i]: start + number * by for i, start, by in step.counters if i in source}
            results = [*map(target.get, range(len(step.carries)))]
            return tuple(self.emit(command.body, Site(arguments, results, base, known=known)))

        def iterations(count: int, source: Mapping[int, Place], begins: bool = False) -> Iterator[Action]:
            """Several iterations, whose last one writes to the results; whether they are the loop's first ones."""
            for i in reversed(range(count)):
                target = second if i % 2 else first
                yield from iteration(source, target, count - 1 - i if begins else None)
                source = target

        def copy_between(target: Mapping[int, Place], source: Mapping[int, Place]) -> Iterator[Action]:
            return copies([(target[i], source[i], sizes[i]) for i in first])

        if step.trip_count is not None:
            size = max(1, weight(alone := iteration(initial, first)))
            in_one = step.trip_count * size > FEW and are_parts(
                alone, [*self.kernels], blocks_of(step.trip_count, self.arch)
            )
            is_unrolled = step.trip_count * size <= MOST_UNROLLED and not in_one
            at_once = step.trip_count if is_unrolled else 2 if in_one else min(step.trip_count, REPEATED // size)
            if at_once < step.trip_count:
                at_once = max(2, at_once // 2 * 2)
            repeats, rest = divmod(step.trip_count, at_once) if at_once else (0, 0)
            rest, repeats = (at_once, 0) if repeats == 1 and not rest else (rest, repeats)
            yield from iterations(rest, initial, begins=True) if rest else copy_between(first, initial)
            if repeats:
                yield GraphLoop((), tuple(iterations(at_once, first)), predicate, repeats)
            return
        yield from copy_between(first, initial)
        arguments = [first.get(i, place) for i, place in enumerate(begin)]
        condition = tuple(self.emit(command.condition, Site(arguments, [predicate], base)))
        yield GraphLoop(condition, (*iteration(first, second), *copy_between(first, second)), predicate, None)


def combine_of(
    command: lowered.Exchange, places: tuple[Place, Place], processes: int, source: int
) -> GraphCombine | None:
    """NCCL's own call for a collective; None if it has none, as for groups of different sizes."""
    step = command.step
    named = sorted(n for group in step.groups for n in group)
    if step.name not in COLLECTIVES or named != [*range(processes)] or len({*map(len, step.groups)}) != 1:
        return None
    if len(step.groups[0]) == 1:
        return None
    type, (size, result_size) = expect_tensor(command.types[0]), command.sizes
    element, reduction, count = "i8", "", size  # NCCL gathers bytes
    if step.name != "all_gather":
        found = reduction_of(step.op.regions[0])
        assert found is not None and isinstance(type.element, ScalarType)
        element, reduction = type.element.name, found
        parts = len(step.groups[0]) if step.name == "reduce_scatter" else 1
        count = prod(static_shape(type)) // parts
    rows = {n: tuple((other, 0) for other in group) for group in step.groups for n in group}
    return GraphCombine(
        tuple(rows[n] for n in range(processes)), places, size, source,
        COLLECTIVES[step.name], reduction, element, count, step.groups, result_size,
    )  # fmt: skip


def one_by_one(part: procedures.ProcedurePart) -> procedures.ProcedurePart:
    """A call that computes each matrix as if there were no other."""
    return replace(part, apart=True) if isinstance(part, solver.SolverSpec) else part


def is_of_eight_bits(step: Gemm | Convolution) -> bool:
    return isinstance(step, Gemm) and eight_bits.is_of_eight_bits(step.product)


def lines_of(steps: Iterable[Step]) -> tuple[str, ...]:
    """The locations of steps in the file and in the model."""
    places = (step.op.location for step in steps)
    return tuple(f"{Path(p.source.path).name}:{p.line} {p.name}".rstrip() for p in places)


def copies(moves: Sequence[tuple[Place, Place, int]]) -> Iterator[GraphCopy]:
    return (GraphCopy(target, source, size) for target, source, size in moves if size and target != source)


def weight(actions: Sequence[Action]) -> int:
    """How many nodes of a graph some actions become."""
    return sum(1 + sum(map(weight, inner_actions(action))) for action in actions)
