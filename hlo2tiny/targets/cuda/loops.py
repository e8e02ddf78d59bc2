"""Loops of small kernels are one kernel, whose threads wait for each other: half as long as a launch takes, or less.

The threads of a block, or of a cluster of blocks, are those of each kernel in turn, some of them several times.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import prod

from ...ir.place import Place
from .executable import Action, GraphCopy, GraphLaunch
from .kernels import (
    AT_ONCE,
    MOST_CLUSTER,
    MOST_THREADS,
    WARP,
    CudaKernel,
    KernelParameter,
    aligned,
    copy_kernel,
    has_clusters,
)

# The threads of a block that kernels do not ask for, and how often each is one of a kernel's.
OWN_THREADS, MOST_TURNS = 512, 4
# The most operations and bytes of a kernel for each block: with more, it is faster on all processors.
MOST_WORK = 1 << 16
# The most arguments of a loop's kernel.
MOST_ARGUMENTS = 192
# The most different kernels whose blocks have memory of their own, as that adds up.
MOST_WAITING = 4
# A kernel runs so many iterations at most: some systems end kernels that take seconds.
MOST_ITERATIONS = 1 << 14


def is_part(kernel: CudaKernel, most: int) -> bool:
    """Whether a kernel is so small, and such, that at most so many blocks can run it as a part of theirs."""
    asks = kernel.early or kernel.ahead or kernel.numbers or kernel.shared or not {*kernel.files} <= {AT_ONCE}
    blocks = prod(kernel.grid)
    if not kernel.bound or asks or kernel.flops + kernel.bytes > most * MOST_WORK:
        return False
    if kernel.bound > WARP:
        return blocks <= most * MOST_TURNS // 2
    return blocks * prod(kernel.block) <= most * OWN_THREADS * MOST_TURNS


def blocks_of(iterations: int | None, arch: str) -> int:
    """How many blocks the kernel of a loop may have.

    Those of a cluster need as long to wait for each other as kernels to start that wait on the GPU already: several are
    faster than these only if it is not known how many iterations there are.
    """
    return MOST_CLUSTER if iterations is None and has_clusters(arch) else 1


def are_parts(actions: Sequence[Action], kernels: Sequence[CudaKernel], most: int) -> bool:
    """Whether one kernel of at most so many blocks can run the actions of a loop."""
    places, waiting = set[Place](), set[CudaKernel]()
    for action in actions:
        match action:
            case GraphLaunch() if is_part(kernel := kernels[action.kernel], most):
                places.update(action.places)
                waiting |= {kernel} if kernel.bound > WARP else set()
            case GraphCopy() if is_part(copy_kernel(action.size, word_of(action)), most):
                places.update((action.target, action.source))
            case _:
                return False
    return 0 < len(places) <= MOST_ARGUMENTS and len(waiting) <= MOST_WAITING


def word_of(copy: GraphCopy) -> int:
    """How many bytes a thread can copy at once: whatever is an argument or result begins at a multiple of 16."""
    begins = (place.number if place.kind == "arena" else place.offset for place in (copy.target, copy.source))
    numbers = copy.size, *begins
    return next(word for word in (16, 4, 1) if not any(n % word for n in numbers))


def kernel_of_loop(
    turns: Sequence[Sequence[Sequence[GraphLaunch]]],
    kernels: Sequence[CudaKernel],
    iterations: int,
    predicate: Place | None,
    most: int,
) -> tuple[CudaKernel, dict[Place, int]]:
    """The kernel of a loop, and its arguments: where they are, and the size of each.

    Args:
        turns: what an iteration launches, or each of several that take turns; lists of kernels that do not wait for
            each other.
        kernels: kernels for which `is_part` holds.
        iterations: how many there are; the most, if there is a predicate.
        predicate: the place of a byte that an iteration writes; it is the last one if that is 0.
        most: how many blocks it may have.
    """
    launches = [launch for turn in turns for group in turn for launch in group]
    used = [kernels[launch.kernel] for launch in launches]
    sizes: dict[Place, int] = {} if predicate is None else {predicate: 1}
    written = set[Place]()
    for launch, kernel in zip(launches, used):
        for place, size, writes in zip(launch.places, launch.sizes, kernel.writes):
            sizes[place] = max(size, sizes.get(place, 0))
            written |= {place} if writes else set()
    names = {place: f"place{n}" for n, place in enumerate(sizes)}
    needed = max(sum(threads_of(kernels[launch.kernel]) for launch in group) for turn in turns for group in turn)
    own = max((prod(kernel.block) for kernel in used if kernel.bound > WARP), default=WARP)
    threads = max(own, needed if needed <= MOST_THREADS else OWN_THREADS)
    blocks = max((prod(kernel.grid) for kernel in used if kernel.bound > WARP), default=1)
    cluster = min(most, max(blocks, -(-needed // threads)))
    forms = {tuple(tuple(launch.kernel for launch in group) for group in turn) for turn in turns}
    lines = ["const auto own = threadIdx.x;", f"for (int iteration = 0; iteration < {iterations}; iteration++) {{"]
    for number, turn in enumerate(turns if len(forms) > 1 else turns[:1]):
        lines += [f"if (iteration % {len(turns)} == {number}) {{"] * (len(forms) > 1)
        for n, group in enumerate(turn):
            begin = 0
            for i, launch in enumerate(group):
                same = [launch] if len(forms) > 1 else [each[n][i] for each in turns]
                places = [choose([names[place] for place in others]) for others in zip(*(x.places for x in same))]
                kernel = kernels[launch.kernel]
                lines += statements(kernel, places, begin, threads, cluster)
                lines += ["__syncthreads();"] * (kernel.bound > WARP and launch is not group[-1])
                begin += threads_of(kernel)
            lines.append("arrive_in_cluster();\nwait_in_cluster();" if cluster > 1 else "__syncthreads();")
        lines += ["}"] * (len(forms) > 1)
    lines += [] if predicate is None else [f"if (!*{names[predicate]}) break;"]
    flops, moved = (iterations * sum(each) // len(turns) for each in zip(*((x.flops, x.bytes) for x in used)))
    made = CudaKernel(
        "+".join(dict.fromkeys(kernel.name for kernel in used)),
        tuple(KernelParameter("char*", name, place in written) for place, name in names.items()),
        "\n".join([*lines, "}"]), tuple(dict.fromkeys(type for kernel in used for type in kernel.types)),
        (cluster, 1, 1), (threads, 1, 1), any(kernel.calls for kernel in used), (*range(len(names)),), flops, moved,
        True, files=tuple(dict.fromkeys(file for kernel in used for file in kernel.files)),
        divisible=cluster, cluster=cluster,
    )  # fmt: skip
    return made, sizes


def threads_of(kernel: CudaKernel) -> int:
    """How many threads a kernel has, in whole warps."""
    return aligned(prod(kernel.grid) * prod(kernel.block), WARP)


def choose(names: Sequence[str]) -> str:
    """What is an argument in an iteration, given the names of those of iterations that take turns."""
    first, *others = names
    chosen = (f"iteration % {len(names)} == {n} ? {name} : " for n, name in enumerate(others, 1) if name != first)
    return f"{''.join(chosen)}{first}"


def statements(kernel: CudaKernel, places: Sequence[str], begin: int, threads: int, cluster: int) -> list[str]:
    """What the threads of a cluster do as those of a kernel, given its arguments; thread `begin` is the first one."""
    blocks, size = prod(kernel.grid), prod(kernel.block)
    lines = ["{"]
    for p, place in zip(kernel.parameters, places):
        type = f"{p.const}{p.type.removesuffix(' __restrict__')}"
        lines.append(f"{type} {p.name} = ({type})({place});")
    if kernel.bound > WARP:
        number, count, total, before = "rank", blocks, cluster, -(-begin // threads)
        block, thread, wait = "number", "own", [f"wait_for_threads<{size}>();"] * (blocks > cluster)
    else:
        number, count, total, before = f"rank * {threads} + own", blocks * size, cluster * threads, begin
        block, thread, wait = f"(number / {size})", f"number % {size}", []
    lines += [f"if (own < {size})"] * (kernel.bound > WARP)
    first = f"auto number = ({number} + {-before % total}) % {total}; number < {count}"
    # nvrtc does not see that a loop ends after one iteration, and writes it out four times.
    lines.append(f"if ({first}) {{" if count <= total else f"for ({first}; number += {total}) {{")
    known = [
        f"const PartNumber {name} = {{{x} % {w}, {x} / {w} % {h}, {x} / {w * h}}};"
        for name, x, (w, h, _) in (("blockIdx", block, kernel.grid), ("threadIdx", f"({thread})", kernel.block))
    ]
    return [*lines, *known, "[&] {", kernel.body, "}();", *wait, "}", "}"]
