"""An executable's code on a GPU, and the handles of the libraries that it calls."""

from __future__ import annotations

import ctypes
from collections.abc import Callable, Sequence
from typing import Any, TypeVar

from ...machine import cache
from ..embedded import EmbeddedKernel
from . import convolutions, solver, transforms
from .compiling import compile_one, control
from .convolutions import Arrangement, Dnn
from .driver import Gpu, allow_shared, check, driver, launch, library
from .executable import CudaExecutable, Spec
from .launcher import Launcher
from .nccl import NcclProcess
from .order import batches
from .products import WORKSPACE, Blas
from .solver import Solver
from .transforms import Fft

T = TypeVar("T")

# Code that sets the condition of a loop calls a function from the driver's own device library.
CONTROL_OPTIONS = ("-rdc=true",)
# How many buffers one launch copies, and the blocks for each of them.
MOST_MOVES = 64
COPYING_THREADS, MOST_COPYING_BLOCKS = 256, 1024
# How many matrix products may run at the same time.
PRODUCTS_AT_ONCE = 3


class GraphParts(ctypes.Structure):
    """The argument of `copy_all`."""

    _fields_ = [(name, ctypes.c_uint64 * MOST_MOVES) for name in ("target", "source", "size")]


class LoadedExecutable:
    """An executable's code on a GPU: its kernels, loaded, and the libraries that it calls.

    Attributes:
        process: which one of several processes this is.
    """

    process: NcclProcess | None = None
    loops = False  # whether loops that exchange values are parts of graphs

    def __init__(self, gpu: Gpu, executable: CudaExecutable, cubins: Sequence[tuple[bytes, Sequence[int]]]) -> None:
        self.gpu, self.executable = gpu, executable
        cu = driver()
        gpu.enter()
        self.modules = []
        self.functions: dict[int, Any] = {}
        for cubin, numbers in cubins:
            module = check(cu.cuModuleLoadData(cubin))
            self.modules.append(module)
            for place, n in enumerate(numbers):
                self.functions[n] = check(cu.cuModuleGetFunction(module, f"kernel{place}".encode()))
                if shared := executable.kernels[n].shared:
                    allow_shared(self.functions[n], shared)
        self.control = control_of(gpu)
        sizes = [working_memory(gpu, spec) for spec in executable.products]
        self.workspace = workspace_of(gpu, max(sizes)) if sizes else 0
        self.workspace_size = max(sizes, default=0)

    def arrange(self, target: int, source: int, how: Arrangement, stream: Any) -> None:
        """Write a tensor from another one, in another form."""
        self.spread("arrange", how.size, stream, ctypes.c_uint64(target), ctypes.c_uint64(source), how)

    def truth_values(self, target: int, source: int, size: int) -> None:
        """Copy booleans, where any byte but 0 becomes 1."""
        self.spread("truth_values", size, 0, *map(ctypes.c_uint64, (target, source, size)))

    def spread(self, name: str, iterations: int, stream: Any, *values: Any, rows: int = 1) -> None:
        """Launch a function of control.cu, whose iterations threads share."""
        blocks = max(1, min(MOST_COPYING_BLOCKS, -(-iterations // COPYING_THREADS)))
        launch(self.control[name], (blocks, rows, 1), (COPYING_THREADS, 1, 1), stream, *values)

    def copy(self, moves: Sequence[tuple[int, int, int]], stream: Any = 0) -> None:
        """Copy, given targets, sources and sizes, one after the other where they overlap."""
        for group in batches((move for move in moves if move[0] != move[1] and move[2]), overlap):
            self.copy_apart(group, stream)

    def copy_apart(self, moves: Sequence[tuple[int, int, int]], stream: Any = 0) -> None:
        """The same for copies none of which writes what another one reads or writes."""
        for begin in range(0, len(moves), MOST_MOVES):
            group = moves[begin : begin + MOST_MOVES]
            if len(group) == 1:
                check(driver().cuMemcpyDtoDAsync(*group[0], stream))
            else:
                parts = GraphParts(*((ctypes.c_uint64 * MOST_MOVES)(*column) for column in zip(*group)))
                largest = max(size for *_, size in group)
                self.spread("copy_all", -(-largest // 16), stream, parts, rows=len(group))


CONTROLS = (
    "repeat_while", "begin_iterations", "end_iteration", "choose", "copy_all", "truth_values", "arrange",
    "copy_numbers", "scale", "clear_imaginary", "keep_info", "list_items",
)  # fmt: skip


def control_of(gpu: Gpu) -> dict[str, Any]:
    """The functions of control.cu, loaded once for each GPU."""
    if "control" not in gpu.kept:
        text = control()
        name = cache.key("control", text, gpu.arch, str(gpu.version))
        if (code := cache.read(name)) is None:  # otherwise the compiler, which takes long to load, is not needed
            code = compile_one(text, gpu.arch, CONTROL_OPTIONS)
            cache.write(name, code)
        module = check(driver().cuModuleLoadData(code))
        gpu.kept["control"] = {n: check(driver().cuModuleGetFunction(module, n.encode())) for n in CONTROLS}
    return gpu.kept["control"]  # type: ignore[no-any-return]


def open_handle(gpu: Gpu, kind: Callable[..., T], *names: str) -> T:
    """The handles of some of NVIDIA's libraries, made once for each GPU."""
    if kind.__name__ not in gpu.kept:
        gpu.kept[kind.__name__] = kind(*(library(name) or "" for name in names))
    return gpu.kept[kind.__name__]  # type: ignore[no-any-return]


def blas_of(gpu: Gpu) -> Blas:
    return open_handle(gpu, Blas, "cublasLt")


def dnn_of(gpu: Gpu) -> Dnn:
    return open_handle(gpu, Dnn, "cudnn")


def fft_of(gpu: Gpu) -> Fft:
    return open_handle(gpu, Fft, "cufft")


def solver_of(gpu: Gpu) -> Solver:
    return open_handle(gpu, Solver, "cusolver", "cublas")


def working_memory(gpu: Gpu, spec: Spec) -> int:
    """The working memory of a product, which this prepares.

    Raises:
        RuntimeError: the library does not compute it.
    """
    gpu.enter()
    match spec:
        case convolutions.ConvolutionSpec():
            return dnn_of(gpu).plan(spec).size
        case transforms.TransformSpec():
            return fft_of(gpu).plan(spec).size
        case solver.SolverSpec():
            return solver_of(gpu).size(spec)
        case EmbeddedKernel():
            open_handle(gpu, Launcher).function(spec)
            return spec.scratch
    blas_of(gpu).plan(spec)
    return PRODUCTS_AT_ONCE * WORKSPACE


def workspace_of(gpu: Gpu, size: int) -> int:
    """Memory for products: all those of a GPU share it, since they run one after the other.

    Graphs know its address, so a memory that has become too small is kept for them.
    """
    size = max(1, size)  # short Fourier transforms need none
    if gpu.kept.get("workspace", (0, 0))[0] < size:
        gpu.kept["workspace"] = size, gpu.allocate(size, "the working memory of products")
    return gpu.kept["workspace"][1]  # type: ignore[no-any-return]


def overlap(a: tuple[int, int, int], b: tuple[int, int, int]) -> bool:
    """Whether one of two copies writes what the other one reads or writes."""
    (target, source, size), (other_target, other_source, other_size) = a, b
    pairs = ((target, other_target), (target, other_source), (source, other_target))
    return any(x < y + other_size and y < x + size for x, y in pairs)
