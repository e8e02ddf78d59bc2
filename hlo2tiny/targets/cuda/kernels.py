"""The kernels of regions in CUDA C, as data: what is printed, and how many threads run it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import field, replace
from functools import cached_property
from importlib import resources
from math import prod
from typing import Any

from ...records import dataclass
from ...tinygrad.kernel import KernelLoop
from ...tinygrad.region import KernelRegion
from ...tinygrad.render import KernelParameter as KernelParameter

# Bytes; the alignment of memory that the driver allocates, and of workspaces for libraries.
ALIGNMENT = 256
# The threads of a block that shares no memory. A kernel with fewer iterations has one block of as many threads as it
# needs.
THREADS = 256
WARP = 32
# What every GPU allows: the threads of a block, and the blocks of a grid along each dimension.
MOST_THREADS = 1024
MOST_BLOCKS = (2**31 - 1, 65535, 65535)
# A kernel of at most so many threads, half of what a large GPU runs at the same time, waits for others on the GPU.
MOST_EARLY = 1 << 17
# The files of our functions, and what the names of those begin with that rules call; the threads of a block call those
# of the first three together.
MATRICES, TRIDIAGONAL, SORTING, AT_ONCE = "matrices.cu", "tridiagonal.cu", "sorting.cu", "at_once.cu"
CODE = MATRICES, TRIDIAGONAL, SORTING, AT_ONCE  # in the order in which programs have it
TOGETHER = "block::"
PREFIXES = {TOGETHER: SORTING, "at_once::": AT_ONCE}


@dataclass(frozen=True)
class CudaKernel:
    """A kernel: its parameters, statements and types, the sizes of its grid and of its blocks, and its work.

    Kernels with equal code compare equal. `buffers` are the numbers of the region's buffers that are its arguments, in
    the order inputs, results, temporaries. `updates` says whether it reads what it writes: a second run then differs;
    `alone`, whether it asks for more than the numbers of its block and thread along the first dimension, so that no
    other kernel can have blocks beside it. `files` have functions of ours that it calls. `early` are the numbers of
    arguments that its body reads before it waits for the kernels before it to end; without any, it waits first,
    if it starts that early. The statements know `numbers` by their places: code for others differs in these only.
    `shared` are the bytes of a block's memory that are declared by `shared_text`, if they are more than usual. If it is
    `divisible`, a cluster of at most so many blocks can do what one does, and one of `cluster` blocks does: its
    statements know their number as CLUSTER, and that of a block among them as `rank`. `ahead` are statements before it
    waits, which only ask for what it reads later. A processor runs `at_once` blocks at least, if the compiler is to
    know, which otherwise keeps fewer numbers in registers, for more blocks than have room for what they share. So many
    threads that follow each other are `bound`, as they exchange numbers; 0: a part of another kernel cannot be one.
    """

    name: str = field(compare=False)
    parameters: tuple[KernelParameter, ...]
    body: str
    types: tuple[str, ...]
    grid: tuple[int, int, int]
    block: tuple[int, int, int]
    calls: bool
    buffers: tuple[int, ...] = field(compare=False)
    flops: int = field(default=0, compare=False)
    bytes: int = field(default=0, compare=False)
    updates: bool = field(default=False, compare=False)
    alone: bool = field(default=False, compare=False)
    files: tuple[str, ...] = field(default=(), compare=False)
    early: tuple[int, ...] = field(default=(), compare=False)
    numbers: tuple[int, ...] = ()
    shared: int = 0
    divisible: int = 0
    cluster: int = 1
    ahead: str = ""
    at_once: int = 0
    bound: int = field(default=0, compare=False)

    @classmethod
    def from_row(cls, row: dict[str, Any]) -> CudaKernel:
        """Undo `asdict` and JSON."""
        facts: dict[str, Any] = {name: tuple(x) if isinstance(x, list) else x for name, x in row.items()}
        return cls(**facts | {"parameters": tuple(KernelParameter(*each) for each in row["parameters"])})

    @cached_property
    def writes(self) -> tuple[bool, ...]:
        """Whether the kernel writes to each of its arguments."""
        return tuple(parameter.written for parameter in self.parameters)

    @property
    def starts_early(self) -> bool:
        """Whether it waits for others on the GPU itself; a large one would take the room of others meanwhile."""
        return bool(self.early) or prod(self.grid) * prod(self.block) <= MOST_EARLY

    def text(self, name: str) -> str:
        declared, body = ", ".join(map(str, self.parameters)), self.body
        # What has one code for all sizes waits in any case: if it starts later, nothing is left to wait for.
        if (self.starts_early or self.numbers) and not self.early:
            # The compiler may read early what `__restrict__` promises that nobody writes, so it learns addresses late.
            plain = [p._replace(type=p.type.removesuffix(" __restrict__")) for p in self.parameters]
            given = [p._replace(name=f"given_{p.name}") for p in plain]
            passed = ", ".join(f"after_waiting({p.name})" for p in given)
            ahead = f"[&]({declared}) {{\n{self.ahead}\n}}({', '.join(p.name for p in given)});\n" if self.ahead else ""
            body = f"{ahead}wait_for_others();\n[&]({declared}) {{\n{body}\n}}({passed});"
            declared = ", ".join(map(str, given))
        bounds = f"__launch_bounds__({prod(self.block)}{f', {self.at_once}' * bool(self.at_once)})"
        if self.divisible:
            numbers = "const auto rank = blockIdx.x % CLUSTER, block = blockIdx.x / CLUSTER;"
            body = f"{numbers}\n{{\nconst BlockNumber blockIdx = {{block}};\n{body}\n}}"
            body = f"constexpr int CLUSTER = {self.cluster};\n{body}"
            bounds += f" __cluster_dims__({self.cluster}, 1, 1)" if self.cluster > 1 else ""
        head = f'extern "C" __global__ void {bounds} {name}({declared})'
        return f"{head} {{\n  let_others_start();\n{body}\n}}\n"


class CudaRegion(KernelRegion[CudaKernel]):
    """A region's kernels in CUDA C."""

    kernel_of = staticmethod(CudaKernel.from_row)


def read_code(name: str) -> str:
    """A file of CUDA C in this folder."""
    return resources.files(__package__).joinpath(name).read_text(encoding="utf-8")


def constants_text(constants: Mapping[str, Mapping[str, int]]) -> str:
    """The declarations of constants, which are given by type."""
    lists = {type: (f"{name} = {str(x).lower()}" for name, x in some.items()) for type, some in constants.items()}
    return "\n".join(f"constexpr {type} {', '.join(items)};" for type, items in lists.items())


# The first kind of GPU that has clusters of blocks, the most blocks of one, and how many keep all processors busy while
# the next kernel has room beside them.
FIRST_CLUSTERS, MOST_CLUSTER, ENOUGH = 90, 8, 144
# The bytes of a block's memory that its kernel need not ask for, but for a few that functions have of their own; the
# most that all kinds of GPUs have; and what two blocks on one processor may each have on kinds that have more.
USUAL_SHARED, MOST_SHARED = 40 << 10, 90 << 10
LARGE_SHARED, HAVE_LARGE = 110 << 10, range(90, 120)


def shared_text(size: int, name: str = "shared", alignment: int = 16) -> tuple[str, int]:
    """The declaration of so many bytes of a block's memory, and how many of them its kernel asks for."""
    if size > USUAL_SHARED:
        return f"ASKED_FOR({name}, {size}, {alignment});", size
    return f"__shared__ __align__({alignment}) char {name}[{size}];", 0


def aligned(size: int, to: int = ALIGNMENT) -> int:
    return -(-size // to) * to


def files_of(calls: Sequence[str]) -> tuple[str, ...]:
    return tuple(file for prefix, file in PREFIXES.items() if any(name.startswith(prefix) for name in calls))


def grid_loops(loops: Sequence[KernelLoop], stores: Sequence[int | None], first: int) -> list[int]:
    """The loops whose iterations become threads, outermost first, for the loop `first`, which has none around it.

    These are independent loops, each directly inside the one before, with nothing written between them: `stores` are
    the innermost loops around the stores.
    """
    chain: list[int] = []
    inner: list[int] = [first]
    while len(inner) == 1 and loops[inner[0]].independent and (loops[inner[0]].iterations or 0) > 0:
        chain += inner
        if chain[-1] in stores:
            break
        inner = [n for n, loop in enumerate(loops) if loop.outer == chain[-1]]
    return chain


def generation_of(arch: str) -> int:
    """90 for the kind of GPU sm_90, or for compute_90, which stands for that and all later kinds."""
    return int(arch.rpartition("_")[2])


def has_clusters(arch: str) -> bool:
    """Whether blocks of a kind of GPU can read each other's memory."""
    return bool(arch) and generation_of(arch) >= FIRST_CLUSTERS


def shared_by_two(arch: str) -> int:
    """The bytes that a block may have on a kind of GPU if a processor runs two. Of all later kinds, some have less."""
    is_large = arch.startswith("sm_") and generation_of(arch) in HAVE_LARGE
    return LARGE_SHARED if is_large else MOST_SHARED


def divided(kernel: CudaKernel, arch: str) -> CudaKernel:
    """The kernel with clusters in place of blocks, if it would otherwise leave processors idle."""
    cluster = min(kernel.divisible, ENOUGH // kernel.grid[0])
    if cluster <= 1 or not has_clusters(arch):
        return kernel
    return replace(kernel, grid=(kernel.grid[0] * cluster, 1, 1), cluster=cluster)


def launch_size(iterations: int) -> tuple[int, int]:
    """The numbers of blocks and of threads in each, for iterations that run on single threads."""
    threads = min(THREADS, -(-iterations // WARP) * WARP)
    return -(-iterations // threads), threads


def copy_kernel(size: int, word: int = 1) -> CudaKernel:
    """A kernel that copies some bytes, each thread a word of 1, 4 or 16 of them."""
    blocks, threads = launch_size(count := size // word)
    body = f"""  const int i = blockIdx.x * {threads} + threadIdx.x;
  if (i < {count}) target[i] = source[i];"""
    type = {1: "char*", 4: "uint*", 16: "uint4*"}[word]
    parameters, grid = (KernelParameter(type, "target"), KernelParameter(type, "source", False)), (blocks, 1, 1)
    return CudaKernel("copy", parameters, body, (), grid, (threads, 1, 1), False, (0, 1), bytes=2 * size, bound=1)


def guard(kernel: CudaKernel, is_bool: bool, branch: int, branches: int) -> CudaKernel:
    """The kernel with an index as its last argument, which does nothing unless the index chooses a branch.

    An index out of range chooses the last branch; a bool the first if it is true.
    """
    name = f"index{len(kernel.parameters)}"
    chosen, last = (f"!*{name}" if is_bool else f"*{name}"), branches - 1
    others = f"chosen >= 0 && chosen < {last}" if branch == last else f"chosen != {branch}"
    body = f"  {{ const int chosen = {chosen}; if ({others}) return; }}\n{kernel.body}"
    parameter = KernelParameter("bool*" if is_bool else "int*", name, False)
    parameters, buffers = (*kernel.parameters, parameter), (*kernel.buffers, len(kernel.buffers))
    return replace(kernel, parameters=parameters, body=body, buffers=buffers, early=())


def call_kernel(kernel: CudaKernel, function: str, places: Sequence[int]) -> CudaKernel:
    """The kernel that calls a function with some of its parameters, the number of the block and its own numbers."""
    parameters = tuple(parameter._replace(name=f"data{n}") for n, parameter in enumerate(kernel.parameters))
    given = [*(f"data{n}" for n in places), "blockIdx.x", *(f"numbers[{n}]" for n, _ in enumerate(kernel.numbers))]
    return replace(kernel, parameters=parameters, body=f"  {function}({', '.join(given)});")


# Temporaries of at least this many bytes reuse the memory of earlier ones, so that the GPU's cache holds what is in
# use. Smaller ones are kept separate, so that independent kernels can run at the same time.
LARGE = 1 << 20


def share_temporaries(
    kernels: Sequence[CudaKernel], first: int, sizes: Sequence[int]
) -> tuple[list[CudaKernel], tuple[int, ...]]:
    """The kernels of a region and the sizes of its temporaries; large ones share memory.

    `first` is the number of the first temporary.
    """
    last = {buffer: i for i, kernel in enumerate(kernels) for buffer in kernel.buffers}
    slots, kept, free = {}, list[int](), dict[int, list[int]]()
    result = []
    for i, kernel in enumerate(kernels):
        own = [buffer for buffer in dict.fromkeys(kernel.buffers) if buffer >= first]
        for buffer in own:
            if buffer not in slots:
                unused = free.get(sizes[buffer - first])
                slots[buffer] = unused.pop() if unused else first + len(kept)
                kept += [sizes[buffer - first]] * (slots[buffer] == first + len(kept))
        for buffer in own:
            if last[buffer] == i and sizes[buffer - first] >= LARGE:
                free.setdefault(sizes[buffer - first], []).append(slots[buffer])
        result.append(replace(kernel, buffers=tuple(slots.get(buffer, buffer) for buffer in kernel.buffers)))
    return result, tuple(kept)
