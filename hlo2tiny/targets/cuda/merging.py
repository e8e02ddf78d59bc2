"""Small kernels, and products of few rows, that do not wait for each other are one, whose blocks choose what they do.

Starting a kernel takes a GPU as long as the smallest kernels run, and a program may have dozens of those.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import groupby, takewhile
from math import prod

from ...ir.place import Place
from ...records import dataclass
from .executable import Action, GraphBranch, GraphCopy, GraphLaunch, GraphLoop, Multiply
from .kernels import SORTING, THREADS, CudaKernel, KernelParameter, copy_kernel, divided
from .loops import MOST_ITERATIONS, are_parts, blocks_of, kernel_of_loop, word_of
from .order import BufferAccess, Uses

# The limits of a small kernel: blocks, bytes that it reads and writes, and characters.
MOST_BLOCKS, MOST_BYTES, MOST_TEXT = 128, 1 << 20, 4000
# The most arguments of several kernels together.
MOST_ARGUMENTS = 64


def merge(
    actions: Sequence[Action], kernels: Sequence[CudaKernel], arch: str = ""
) -> tuple[tuple[Action, ...], tuple[CudaKernel, ...]]:
    """The same with fewer kernels; actions keep their order otherwise. Small copies are kernels, too.

    Those that are still few blocks for a kind of GPU are divided.
    """
    kernels, copies = [*kernels], dict[tuple[int, int], int]()  # by their sizes and words
    made, numbers = dict[CudaKernel, int](), dict[tuple[int, ...], int]()  # by the numbers of those that are one

    def copied(action: Action) -> Action:
        if not isinstance(action, GraphCopy) or action.size > MOST_BLOCKS * THREADS:
            return action
        how = action.size, word_of(action)
        if how not in copies:
            copies[how] = len(kernels)
            kernels.append(copy_kernel(*how))
        return GraphLaunch(copies[how], (action.target, action.source), (action.size, action.size))

    def number_of(one: tuple[int, ...]) -> int:
        if one not in numbers:
            kernel = divided(one_of([kernels[number] for number in one]), arch)
            numbers[one] = made.setdefault(kernel, len(made))
        return numbers[one]

    def merged(actions: Sequence[Action]) -> Iterator[Action]:
        for is_free, group in groupby(
            map(copied, actions), lambda action: type(action) in (GraphLaunch, GraphCopy, Multiply)
        ):
            if is_free:
                for same in in_turns(without_repetitions(group, kernels), kernels):
                    yield together(same, number_of) if isinstance(same[0], GraphLaunch) else same[0]
            else:
                for action in group:
                    yield from inner(action)

    def inner(action: Action) -> Iterator[Action]:
        match action:
            case GraphLoop() if are_parts(
                (*action.body, *action.condition), kernels, blocks_of(action.iterations, arch)
            ):
                yield from in_one(action)
            case GraphLoop():
                yield replace(action, condition=(*merged(action.condition),), body=(*merged(action.body),))
            case GraphBranch():
                yield replace(action, branches=tuple((*merged(branch),) for branch in action.branches))
            case _:
                yield action

    def in_one(loop: GraphLoop) -> Iterator[Action]:
        """The launches of one kernel that runs a loop; of several, if it has many iterations."""
        half, most = len(loop.body) // 2, blocks_of(loop.iterations, arch)
        turns = [loop.body[:half], loop.body[half:]]
        if loop.iterations is None or [*map(form_of, turns[0])] != [*map(form_of, turns[1])]:
            turns = [(*loop.body, *loop.condition)]
        groups = [
            [launches_in(group) for group in in_turns(without_repetitions(map(copied, turn), kernels), kernels)]
            for turn in turns
        ]

        def launch(iterations: int) -> GraphLaunch:
            predicate = loop.predicate if loop.iterations is None else None
            kernel, sizes = kernel_of_loop(groups, kernels, iterations * len(turns), predicate, most)
            first, *others = dict.fromkeys(each.source for turn in groups for group in turn for each in group)
            return GraphLaunch(made.setdefault(kernel, len(made)), (*sizes,), (*sizes.values(),), first, (*others,))

        if loop.iterations is None:
            yield replace(loop, condition=(*merged(loop.condition),), body=(launch(MOST_ITERATIONS),))
            return
        many, rest = divmod(loop.iterations, MOST_ITERATIONS)
        if many:
            yield replace(loop, body=(launch(MOST_ITERATIONS),), iterations=many)
        if rest:
            yield launch(rest)

    return (*merged(actions),), (*made,)


def form_of(action: Action) -> int | None:
    """What actions of different iterations have in common."""
    return action.kernel if isinstance(action, GraphLaunch) else None


def without_repetitions(actions: Iterable[Action], kernels: Sequence[CudaKernel]) -> list[Action]:
    """Actions without launches and copies that would store again what is there: equal to an earlier one, since which
    nothing has written what they read or write.

    So the iterations of an unrolled loop find out about a mask once.
    """
    kept, uses = list[Action](), defaultdict[str, Uses[int]](Uses)  # by the kind of memory: numbers of actions
    numbers: dict[object, int] = {}  # of the last ones that do the same
    for number, action in enumerate(actions):
        accesses = [*accesses_of(action, kernels)]
        if isinstance(action, GraphCopy) or (isinstance(action, GraphLaunch) and not kernels[action.kernel].updates):
            form = action if isinstance(action, GraphCopy) else (action.kernel, action.places, action.sizes)
            before = numbers.get(form, -1)
            # Who has written what it reads came before the earlier one, which itself is who has written the rest.
            if before >= 0 and all(
                user < before + writes
                for kind, (begin, size, writes) in accesses
                for user in uses[kind].before(begin, size, False)
            ):
                continue
            numbers[form] = number
        kept.append(action)
        for kind, access in accesses:
            uses[kind].add(*access, number)
    return kept


def in_turns(actions: Sequence[Action], kernels: Sequence[CudaKernel]) -> list[list[Action]]:
    """Actions in groups; several actions of a group are kernels of one sort that wait for equally many actions."""
    groups: list[list[Action]] = []
    turns = list[Turn]()  # of each group
    uses = defaultdict[str, Uses[tuple[int, int]]](Uses)  # by the kind of memory: iterations and groups
    latest: dict[tuple[int, str], int] = {}  # the last group of kernels of a sort of an iteration
    sorts = [sort_of(kernel) for kernel in kernels]
    for action in actions:
        accesses = [*accesses_of(action, kernels)]
        before = [use for kind, access in accesses for use in uses[kind].before(*access)]
        iteration = max((iteration for iteration, _ in before), default=-1) + 1
        after, number = max((number for _, number in before), default=-1), len(groups)
        sort = sorts[action.kernel] if isinstance(action, GraphLaunch) else ""
        last = latest.get((iteration, sort), -1) if sort else -1
        if last > after and sum(map(arguments, groups[last])) + arguments(action) <= MOST_ARGUMENTS:
            number = last
            groups[number].append(action)
        else:
            latest[iteration, sort] = number
            groups.append([action])
            turns.append(Turn(iteration, sort, set(), set()))
        turns[number].before.update(other for _, other in before)
        for kind, access in accesses:
            uses[kind].add(*access, (iteration, number))
    for number, turn in enumerate(turns):
        for other in turn.before:
            turns[other].after.add(number)
    delay(groups, turns)
    return [group for group in groups if group]


@dataclass(eq=False)
class Turn:
    """When a group runs: how many run before it one after the other, which ones it waits for, and which ones for it."""

    iteration: int
    sort: str
    before: set[int]
    after: set[int]


def delay(groups: list[list[Action]], turns: Sequence[Turn]) -> None:
    """Let small kernels run with later ones, if nothing has to wait longer for that."""
    others = dict[str, list[int]]()  # of a sort, from the last one
    for number in reversed(range(len(groups))):
        turn = turns[number]
        if turn.sort not in ("small", "sorting"):
            continue
        end = min(turn.after, default=len(groups))
        most = min((turns[each].iteration for each in turn.after), default=len(groups))
        same = others.setdefault(turn.sort, [])
        for other in takewhile(lambda other: other < end, reversed(same)):
            fits = sum(map(arguments, groups[number] + groups[other])) <= MOST_ARGUMENTS
            if fits and turn.iteration < turns[other].iteration < most:
                break
        else:
            same.append(number)
            continue
        groups[other], groups[number] = groups[number] + groups[other], []
        for each in turn.before:
            turns[each].after.remove(number)
            turns[each].after.add(other)
        turns[other].before |= turn.before
        turns[other].after |= turn.after


def launches_in(actions: Iterable[Action]) -> list[GraphLaunch]:
    return [action for action in actions if isinstance(action, GraphLaunch)]


def arguments(action: Action) -> int:
    return len(action.places) if isinstance(action, GraphLaunch) else 0


def accesses_of(action: Action, kernels: Sequence[CudaKernel]) -> Iterator[tuple[str, BufferAccess]]:
    """The kinds of memory that an action uses, with each access: bytes of the arena, or a whole argument, result or
    constant among the others."""
    places: Iterable[tuple[Place, int, bool]]
    match action:
        case GraphLaunch():
            places = zip(action.places, action.sizes, kernels[action.kernel].writes)
        case GraphCopy():
            places = (action.target, action.size, True), (action.source, action.size, False)
        case Multiply():
            places = zip(action.places, action.sizes, action.writes)
        case _:
            raise TypeError(action)
    return ((p.kind, (p.number, size if p.kind == "arena" else 1, writes)) for p, size, writes in places)


def sort_of(kernel: CudaKernel) -> str:
    """What a kernel has in common with those that may be one with it; "" if none may."""
    if kernel.early:
        return "early"
    others = (*kernel.grid[1:], *kernel.block[1:])
    few = prod(others) == 1 and kernel.grid[0] <= MOST_BLOCKS and kernel.bytes <= MOST_BYTES
    if not few or len(kernel.body) > MOST_TEXT or kernel.alone:
        return ""
    if SORTING not in kernel.files:
        return "small"
    return "sorting" if kernel.grid[0] == 1 else ""  # merged, it is no longer the code that wheels have


def together(actions: Sequence[Action], number_of: Callable[[tuple[int, ...]], int]) -> GraphLaunch:
    """The launch of one kernel for several, given the number of such a kernel by those of the others."""
    launches = launches_in(actions)
    order = [*dict.fromkeys(launch.kernel for launch in launches)]
    launches.sort(key=lambda launch: order.index(launch.kernel))  # equal ones share their statements
    places = tuple([place for launch in launches for place in launch.places])
    sizes = tuple([size for launch in launches for size in launch.sizes])
    first, *others = dict.fromkeys([launch.source for launch in launches])
    return GraphLaunch(number_of(tuple([launch.kernel for launch in launches])), places, sizes, first, (*others,))


def one_of(kernels: Sequence[CudaKernel]) -> CudaKernel:
    """A kernel that does what several do, in blocks of its own for each."""
    if len(kernels) == 1:
        return kernels[0]
    threads = max(kernel.block[0] for kernel in kernels)
    parameters, branches, early, first = list[KernelParameter](), list[str](), list[int](), 0
    for kernel, same in groupby(kernels):
        count, size, place = len([*same]), kernel.grid[0], len(parameters)
        lines = [f"if (blockIdx.x >= {first} && blockIdx.x < {first + count * size}) {{"]
        lines += [f"  if (threadIdx.x >= {kernel.block[0]}) return;"] * (kernel.block[0] < threads)
        number = f"{'block' if kernel.divisible else '::blockIdx.x'} - {first}"
        if count > 1:
            lines.append(f"  const int part = ({number}) / {size};")
            number = f"({number}) % {size}"
        if first or count > 1:  # the number that the kernel's own blocks have, by the name that its statements know
            lines.append(f"  const BlockNumber blockIdx = {{{number}}};")
        own = kernel.parameters
        early += [place + i * len(own) + n for i in range(count) for n in kernel.early]
        parameters += [parameter._replace(name=f"argument{i}") for i, parameter in enumerate(own * count, place)]
        for i, parameter in enumerate(own, place):
            others = "".join(f"part == {n} ? argument{i + n * len(own)} : " for n in range(1, count))
            lines.append(f"  {parameter} = {others}argument{i};")
        if kernel.numbers:
            lines.append(f"  constexpr int numbers[] = {{{', '.join(map(str, kernel.numbers))}}};")
        branches += [*lines, kernel.body, "}"]
        first += count * size
    name = "+".join(dict.fromkeys(kernel.name for kernel in kernels))
    types = tuple(dict.fromkeys(type for kernel in kernels for type in kernel.types))
    return CudaKernel(
        name, tuple(parameters), "\n".join(branches), types, (first, 1, 1), (threads, 1, 1),
        any(kernel.calls for kernel in kernels), (*range(len(parameters)),), sum(kernel.flops for kernel in kernels),
        sum(kernel.bytes for kernel in kernels), any(kernel.updates for kernel in kernels),
        files=tuple(dict.fromkeys(file for kernel in kernels for file in kernel.files)), early=(*early,),
        shared=max(kernel.shared for kernel in kernels), divisible=min(kernel.divisible for kernel in kernels),
    )  # fmt: skip
