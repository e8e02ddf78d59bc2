"""Carries out an executable's actions: records CUDA graphs, and runs them before and after what the host has to do."""

from __future__ import annotations

import ctypes
from collections.abc import Callable, Generator, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from functools import partial
from itertools import groupby
from typing import Any, TypeVar

from ...errors import InputError
from ...ir.place import Place
from ...machine import cache
from ..embedded import EmbeddedKernel
from . import convolutions, products, solver, transforms
from .compiling import compile_one, control
from .convolutions import Arrangement, Dnn
from .driver import UNWRITTEN, Gpu, Interrupted, Watch, arguments, check, driver, library
from .executable import (
    Action,
    CudaExecutable,
    Direct,
    GraphBranch,
    GraphCopy,
    GraphExchange,
    GraphLaunch,
    GraphLoop,
    Multiply,
    Number,
    OnHost,
    Spec,
    batches,
    describe,
    exchanges_of,
    inner_actions,
    needs_host,
)
from .launcher import Launcher
from .nccl import NcclProcess
from .order import Order
from .products import WORKSPACE, Blas
from .solver import Solver
from .transforms import Fft

T = TypeVar("T")


class Unheld(Exception):
    """NCCL does more for an exchange than a conditional part of a graph can hold."""


# Code that sets the condition of a loop calls a function from the driver's own device library.
CONTROL_OPTIONS = ("-rdc=true",)
# How many buffers one launch copies, and the blocks for each of them.
MOST_MOVES = 64
COPYING_THREADS, MOST_COPYING_BLOCKS = 256, 1024
# Every exchange writes this, as if it were memory, so that exchanges run in one order while other actions run in
# parallel.
EXCHANGING = (1 << 63, 1, True)
# The most nodes of an exchange.
MOST_NODES = 64
# How many matrix products may run at the same time.
PRODUCTS_AT_ONCE = 3


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
            for n in numbers:
                self.functions[n] = check(cu.cuModuleGetFunction(module, f"kernel{n}".encode()))
        self.control = control_of(gpu)
        sizes = [working_memory(gpu, spec) for spec in executable.products]
        self.workspace = workspace_of(gpu, max(sizes)) if sizes else 0
        self.workspace_size = max(sizes, default=0)

    def arrange(self, target: int, source: int, how: Arrangement, stream: Any) -> None:
        """Write a tensor from another one, in another form."""
        place, kept = arguments(ctypes.c_uint64(target), ctypes.c_uint64(source), how)
        blocks = max(1, min(MOST_COPYING_BLOCKS, -(-how.size // COPYING_THREADS)))
        check(
            driver().cuLaunchKernel(self.control["arrange"], blocks, 1, 1, COPYING_THREADS, 1, 1, 0, stream, place, 0)
        )
        del kept

    def truth_values(self, target: int, source: int, size: int) -> None:
        """Copy booleans, where any byte but 0 becomes 1."""
        place, kept = arguments(*map(ctypes.c_uint64, (target, source, size)))
        blocks = min(MOST_COPYING_BLOCKS, -(-size // COPYING_THREADS))
        function = self.control["truth_values"]
        check(driver().cuLaunchKernel(function, blocks, 1, 1, COPYING_THREADS, 1, 1, 0, 0, place, 0))
        del kept

    def copy(self, moves: Sequence[tuple[int, int, int]], stream: Any = 0) -> None:
        """Copy, given targets, sources and sizes, one after the other where they overlap."""
        group: list[tuple[int, int, int]] = []
        for move in moves:
            if move[0] != move[1] and move[2]:
                if any(overlap(move, other) for other in group):
                    self.copy_apart(group, stream)
                    group = []
                group.append(move)
        self.copy_apart(group, stream)

    def copy_apart(self, moves: Sequence[tuple[int, int, int]], stream: Any = 0) -> None:
        """The same for copies none of which writes what another one reads or writes."""
        for begin in range(0, len(moves), MOST_MOVES):
            self._copy_all(moves[begin : begin + MOST_MOVES], stream)

    def _copy_all(self, group: Sequence[tuple[int, int, int]], stream: Any) -> None:
        if len(group) == 1:
            check(driver().cuMemcpyDtoDAsync(*group[0], stream))
        elif group:
            place, kept = arguments(GraphParts(*((ctypes.c_uint64 * MOST_MOVES)(*column) for column in zip(*group))))
            largest = max(size for *_, size in group)
            blocks = min(MOST_COPYING_BLOCKS, -(-largest // (16 * COPYING_THREADS)))
            sizes = blocks, len(group), 1, COPYING_THREADS, 1, 1
            check(driver().cuLaunchKernel(self.control["copy_all"], *sizes, 0, stream, place, 0))
            del kept


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


class GraphParts(ctypes.Structure):
    """The argument of `copy_all`."""

    _fields_ = [(name, ctypes.c_uint64 * MOST_MOVES) for name in ("target", "source", "size")]


class Recorder:
    """Records actions on a stream, which adds them to a graph.

    Args:
        loaded: the code.
        address: the address of a place.
        depth: how many loops and branches are around the actions.
        stream: a stream other than the GPU's for this depth. On 0, which records nothing, actions run at once.
    """

    def __init__(
        self, loaded: LoadedExecutable, address: Callable[[Place], int], depth: int = 0, stream: Any = None
    ) -> None:
        self.loaded, self.address, self.depth = loaded, address, depth
        self.stream = loaded.gpu.stream(depth) if stream is None else stream
        self.products = 0
        self.watches: list[tuple[GraphLoop, Watch]] = []
        self.copied: list[Any] = []  # graphs whose kernels are parts of this one

    def record(self, actions: Sequence[Action]) -> None:
        order = Order(lambda: self.capture()[1], self.continue_after)
        for kind, group in groupby(
            actions, lambda action: GraphExchange if isinstance(action, GraphExchange) else type(action)
        ):
            if kind is GraphExchange:  # all processes have to exchange values in the same order
                for batch in batches(action for action in group if isinstance(action, GraphExchange)):
                    accesses = [access for each in batch for access in each.accesses]
                    order.begin([EXCHANGING, *((self.address(x), size, writes) for x, size, writes in accesses)])
                    self.exchange(batch)
                    order.end()
                continue
            if kind is GraphCopy:
                moves = [move for move in group if isinstance(move, GraphCopy)]
                written = [(self.address(move.target), move.size, True) for move in moves]
                order.begin([*written, *((self.address(move.source), move.size, False) for move in moves)])
                self.copy(moves)
                order.end()
                continue
            for action in group:
                match action:
                    case GraphLaunch():
                        writes = self.loaded.executable.kernels[action.kernel].writes
                        order.begin([*zip(map(self.address, action.places), action.sizes, writes)])
                        self.start_step(action)
                    case Multiply():
                        space, size = self.space(action)
                        used = zip(map(self.address, action.places), action.sizes, action.writes)
                        order.begin([(space, size, True), *used])
                        self.start_step(action, space)
                    case Number():
                        order.begin([(self.address(action.place), 4, True)])
                        self.communicate(action)
                    case GraphLoop():
                        order.begin()
                        self.loop(action)
                    case GraphBranch():
                        order.begin()
                        self.branch(action)
                    case _:
                        raise TypeError(action)
                order.end()
        order.begin()

    def start_step(self, action: GraphLaunch | Multiply, workspace: int = 0) -> None:
        """Launch a kernel, or a product with working memory; an error names it, and its location in the model."""
        try:
            if isinstance(action, GraphLaunch):
                self.launch(action)
            else:
                self.multiply(action, workspace)
        except (InputError, RuntimeError) as error:
            raise InputError(f"{describe(self.loaded.executable, action)} cannot start: {error}") from error

    def exchange(self, batch: Sequence[GraphExchange]) -> None:
        """Carry out exchanges that do not wait for each other, with as few NCCL kernels as possible."""
        process = self.loaded.process
        assert process is not None
        if self.depth or len(batch) == 1:
            for action in batch:
                self.communicate(action)
            return
        try:
            with process.together():
                for action in batch:
                    self.communicate(action)
        except RuntimeError as error:
            raise InputError(f"{describe(self.loaded.executable, batch[0])} cannot start: {error}") from error

    def communicate(self, action: GraphExchange | Number) -> None:
        process = self.loaded.process
        assert process is not None
        if isinstance(action, Number):
            check(driver().cuMemsetD32Async(self.address(action.place), process.number, 1, self.stream))
            return
        try:
            value, result = map(self.address, action.places)
            if self.depth:
                self.copy_exchange(process, action, value, result)
            else:
                process.carry_out(action, value, result, self.stream)
        except RuntimeError as error:
            raise InputError(f"{describe(self.loaded.executable, action)} cannot start: {error}") from error

    def copy_exchange(self, process: NcclProcess, action: GraphExchange, value: int, result: int) -> None:
        """Record an exchange in a conditional part, which may hold NCCL's kernels but not its events.

        NCCL orders graphs by these, and all of ours run on one stream. What its kernels read stays as long as the graph
        that it has recorded.

        Raises:
            Unheld: there is more than kernels.
        """
        cu, queue = driver(), self.loaded.gpu.stream(self.depth + 1)
        check(cu.cuStreamBeginCapture(queue, cu.CUstreamCaptureMode.CU_STREAM_CAPTURE_MODE_RELAXED))
        process.carry_out(action, value, result, self.stream, queue)
        self.copied.append(check(cu.cuStreamEndCapture(queue)))
        nodes, count = check(cu.cuGraphGetNodes(self.copied[-1], MOST_NODES))
        for node in nodes[:count]:
            kind = str(check(cu.cuGraphNodeGetType(node)))
            if "EVENT" in kind:
                continue
            if "KERNEL" not in kind:
                raise Unheld(kind)
            graph, before = self.capture()
            parameters = check(cu.cuGraphKernelNodeGetParams(node))
            added = check(cu.cuGraphAddKernelNode(graph, before, len(before), parameters))
            check(cu.cuGraphKernelNodeCopyAttributes(added, node))
            self.continue_after([added])

    def start(self, function: Any, grid: Sequence[int], block: Sequence[int], *values: Any) -> None:
        place, kept = arguments(*values)
        check(driver().cuLaunchKernel(function, *grid, *block, 0, self.stream, place, 0))
        del kept  # the driver has copied them

    def launch(self, action: GraphLaunch) -> None:
        kernel = self.loaded.executable.kernels[action.kernel]
        places = (ctypes.c_uint64(self.address(place)) for place in action.places)
        self.start(self.loaded.functions[action.kernel], kernel.grid, kernel.block, *places)

    def space(self, action: Multiply) -> tuple[int, int]:
        """The address and size of the working memory of a product: a part of all of it for a matrix product."""
        loaded = self.loaded
        if not isinstance(loaded.executable.products[action.product], products.ProductSpec):
            return loaded.workspace, loaded.workspace_size
        self.products += 1
        return loaded.workspace + self.products % (loaded.workspace_size // WORKSPACE) * WORKSPACE, WORKSPACE

    def multiply(self, action: Multiply, workspace: int) -> None:
        loaded, spec, stream = self.loaded, self.loaded.executable.products[action.product], int(self.stream)
        places = [self.address(place) for place in action.places]
        match spec:
            case convolutions.ConvolutionSpec():
                arrange = partial(loaded.arrange, stream=self.stream)
                dnn_of(loaded.gpu).run(spec, places, workspace, stream, arrange)
            case transforms.TransformSpec():
                source, target = places
                fft_of(loaded.gpu).run(spec, source, target, workspace, stream, self.spread)
            case solver.SolverSpec():
                solver_of(loaded.gpu).run(spec, places, workspace, stream, self.decide)
            case EmbeddedKernel():
                open_handle(loaded.gpu, Launcher).run(spec, places, workspace, self.stream)
            case _:
                blas_of(loaded.gpu).run(spec, places, workspace, stream)

    def spread(self, name: str, iterations: int, place: int, *values: Any) -> None:
        """Launch a function of control.cu on numbers that threads share."""
        blocks = max(1, min(MOST_COPYING_BLOCKS, -(-iterations // COPYING_THREADS)))
        given = (ctypes.c_uint64(x) if isinstance(x, int) else x for x in (place, *values))
        sizes = (blocks, 1, 1), (COPYING_THREADS, 1, 1)
        self.start(self.loaded.control[name], *sizes, ctypes.c_longlong(iterations), *given)

    def copy(self, moves: Sequence[GraphCopy]) -> None:
        self.loaded.copy([(self.address(m.target), self.address(m.source), m.size) for m in moves], self.stream)

    def decide(self, name: str, *values: Any) -> None:
        self.start(self.loaded.control[name], (1, 1, 1), (1, 1, 1), *values)

    def loop(self, action: GraphLoop) -> None:
        place = ctypes.c_uint64(self.address(action.predicate))
        handle, value = self.handle()
        watch = ctypes.c_uint64(0)
        if action.iterations is None:
            if any(exchanges_of([action])):
                self.watches.append((action, self.loaded.gpu.flag(Watch)))
                watch.value = ctypes.addressof(self.watches[-1][1])
            self.record(action.condition)
            self.decide("repeat_while", value, place, watch)
        else:
            self.decide("begin_iterations", value, place, ctypes.c_uint32(action.iterations))
        inner = self.conditional(handle, "WHILE")
        inner.record(action.body)
        if action.iterations is None:
            inner.record(action.condition)
            inner.decide("repeat_while", value, place, watch)
        else:
            inner.decide("end_iteration", value, place)
        inner.end()
        self.copied += inner.copied

    def branch(self, action: GraphBranch) -> None:
        place, count = ctypes.c_uint64(self.address(action.index)), len(action.branches)
        for number, actions in enumerate(action.branches):
            if not actions:
                continue
            handle, value = self.handle()
            numbers = (ctypes.c_int32(n) for n in (int(action.is_bool), number, count))
            self.decide("choose", value, place, *numbers)
            inner = self.conditional(handle, "IF")
            inner.record(actions)
            inner.end()

    def capture(self) -> tuple[Any, list[Any]]:
        """The graph that the stream records, and the nodes that its next one depends on."""
        found = check(driver().cuStreamGetCaptureInfo(self.stream))
        graph = next(x for x in found if isinstance(x, driver().CUgraph))
        return graph, next(([*x] for x in found if isinstance(x, list | tuple)), [])

    def handle(self) -> tuple[Any, Any]:
        graph, _ = self.capture()
        handle = check(driver().cuGraphConditionalHandleCreate(graph, self.loaded.gpu.context, 0, 0))
        return handle, ctypes.c_uint64(int(handle))

    def conditional(self, handle: Any, kind: str) -> Recorder:
        """Add a conditional part, and return its recorder."""
        cu = driver()
        node = cu.CUgraphNodeParams()
        node.type = cu.CUgraphNodeType.CU_GRAPH_NODE_TYPE_CONDITIONAL
        node.conditional.handle, node.conditional.ctx, node.conditional.size = handle, self.loaded.gpu.context, 1
        node.conditional.type = getattr(cu.CUgraphConditionalNodeType, f"CU_GRAPH_COND_TYPE_{kind}")
        graph, before = self.capture()
        try:
            added = check(cu.cuGraphAddNode(graph, before, None, len(before), node))
        except TypeError:  # cuda-bindings for CUDA 12 take no edge data
            added = check(cu.cuGraphAddNode(graph, before, len(before), node))
        self.continue_after([added])
        inner = Recorder(self.loaded, self.address, self.depth + 1)
        inner.begin(node.conditional.phGraph_out[0])
        return inner

    def continue_after(self, nodes: Sequence[Any]) -> None:
        """Let what is recorded next depend on these nodes only."""
        cu = driver()
        replace = int(cu.CUstreamUpdateCaptureDependencies_flags.CU_STREAM_SET_CAPTURE_DEPENDENCIES)
        try:
            check(cu.cuStreamUpdateCaptureDependencies(self.stream, [*nodes], None, len(nodes), replace))
        except TypeError:
            check(cu.cuStreamUpdateCaptureDependencies(self.stream, [*nodes], len(nodes), replace))

    def begin(self, graph: Any = None) -> None:
        mode = driver().CUstreamCaptureMode.CU_STREAM_CAPTURE_MODE_RELAXED
        if graph is None:
            check(driver().cuStreamBeginCapture(self.stream, mode))
        else:
            check(driver().cuStreamBeginCaptureToGraph(self.stream, graph, [], None, 0, mode))

    def end(self) -> Any:
        return check(driver().cuStreamEndCapture(self.stream))


def overlap(a: tuple[int, int, int], b: tuple[int, int, int]) -> bool:
    """Whether one of two copies writes what the other one reads or writes."""
    (target, source, size), (other_target, other_source, other_size) = a, b
    pairs = ((target, other_target), (target, other_source), (source, other_target))
    return any(x < y + other_size and y < x + size for x, y in pairs)


# How often a recording is repeated if another thread interrupts it.
TRIES = 5


def record(
    loaded: LoadedExecutable,
    actions: Sequence[Action],
    address: Callable[[Place], int],
    flag: tuple[int, int] | None = None,
) -> tuple[Any, Recorder]:
    """The graph of some actions, and what has recorded it.

    With `flag`, it ends by copying a byte to the host, from one address to another.
    """
    for last in (False,) * (TRIES - 1) + (True,):
        recorder = Recorder(loaded, address)
        try:
            recorder.begin()
            recorder.record(actions)
            if flag is not None:
                check(driver().cuMemcpyDtoHAsync(*flag, 1, recorder.stream))
            return recorder.end(), recorder
        except Interrupted as error:
            loaded.gpu.forget_streams()
            if last:
                message = "another thread keeps synchronizing the GPU, so no program can be prepared there"
                raise InputError(f"{message}; call the program once before ({error})") from error
        except BaseException:
            loaded.gpu.forget_streams()
            raise
    raise AssertionError


class CudaGraph:
    """A CUDA graph that can be launched.

    Attributes:
        watches: the observable state of its loops that exchange values.
    """

    def __init__(
        self,
        loaded: LoadedExecutable,
        actions: Sequence[Action],
        address: Callable[[Place], int],
        flag: tuple[int, int] | None = None,
    ) -> None:
        cu = driver()
        self._graph, recorder = record(loaded, actions, address, flag)
        self.watches, self._copied = recorder.watches, recorder.copied
        self._executable = check(cu.cuGraphInstantiate(self._graph, 0))
        if loaded.process is not None:  # now, as nothing may be allocated while others wait in an exchange
            check(cu.cuGraphUpload(self._executable, 0))

    def launch(self) -> None:
        check(driver().cuGraphLaunch(self._executable, 0))

    def destroy(self) -> None:
        check(driver().cuGraphExecDestroy(self._executable))
        for graph in (self._graph, *self._copied):
            check(driver().cuGraphDestroy(graph))


# The host takes half a microsecond for each action of a graph that it launches, and the GPU mostly longer to run it. So
# the first graph of many actions has this many, and the next ones GROWTH times as many as the one before, or the rest.
FIRST, GROWTH = 32, 4


def parts(actions: Sequence[Action], loops: bool) -> Iterator[tuple[bool, tuple[Action, ...]]]:
    """Actions in groups: whether the host takes part in a group, and its actions; for `loops` see `needs_host`.

    Of many actions, the GPU runs the first group while the host launches the others.
    """
    for on_host, group in groupby(actions, lambda action: needs_host([action], loops)):
        left, size = tuple(group), FIRST
        while not on_host and len(left) > GROWTH * size:
            yield on_host, left[:size]
            left, size = left[size:], GROWTH * size
        yield on_host, left


# What a process yields if it takes turns with others in one thread: it continues once this returns true.
Ready = Callable[[], bool]


def at_once() -> bool:
    return True


class BoundExecutable:
    """An executable at fixed addresses: graphs, and what runs between them on the host.

    Args:
        on_host: carries out a step on the host.
        read: returns the bytes of a place, once everything before has run.
    """

    def __init__(
        self,
        loaded: LoadedExecutable,
        address: Callable[[Place], int],
        on_host: Callable[[OnHost, Callable[[Place], int]], None],
        read: Callable[[int, int], bytes],
    ) -> None:
        self._loaded, self.address, self._on_host, self._read = loaded, address, on_host, read
        self._graphs: dict[int, CudaGraph] = {}
        self._parts: dict[int, list[tuple[bool, tuple[Action, ...]]]] = {}
        self._meetings: dict[int, Mapping[int, GraphExchange]] = {}  # the first exchanges of each graph with others
        self._iterations: dict[int, tuple[Action, ...]] = {}
        self._flags: dict[int, Any] = {}  # what the graphs that decide on another iteration write for the host
        self._recorded: set[int] = set()

    def run(self, actions: Sequence[Action]) -> None:
        for is_mixed, group in self._parts_of(actions):
            if is_mixed:
                for action in group:
                    self._run_mixed(action, self.run)
                continue
            self._launch(group)

    def _parts_of(self, actions: Sequence[Action]) -> list[tuple[bool, tuple[Action, ...]]]:
        if id(actions) not in self._parts:
            loops = self._loaded.loops and actions is self._loaded.executable.actions  # which one launch runs once
            self._parts[id(actions)] = list(parts(actions, loops))
        return self._parts[id(actions)]

    def _launch(self, group: Sequence[Action]) -> None:
        key = id(group)
        if self._loaded.process is not None:
            self._meet(self._loaded.process, group)
        if key not in self._graphs:
            self._graphs[key] = self.graph(group)
        graph = self._graphs[key]
        if graph.watches and self._loaded.process is not None:
            self._loaded.process.all.watch(self._loaded.process.number, graph.watches)
        graph.launch()

    def _iteration(self, action: GraphLoop) -> tuple[Action, ...]:
        """An iteration of a loop, with the decision on another one, which a single graph can hold."""
        if id(action) not in self._iterations:
            self._iterations[id(action)] = (*action.body, *action.condition)
        return self._iterations[id(action)]

    # ------------------------------------------------------------ as one of several processes in one thread

    def is_recorded(self, actions: Sequence[Action]) -> bool:
        """Whether `record` has been called for these."""
        return id(actions) in self._recorded

    def record(self, actions: Sequence[Action], decides: Place | None = None) -> None:
        """Record all graphs of some actions, none of which runs on the host; all processes do so at once.

        The last one copies the byte that `decides` on another iteration to the host.
        """
        found = self._parts_of(actions)
        for number, (is_mixed, group) in enumerate(found):
            for action in group if is_mixed else ():
                match action:
                    case GraphLoop(iterations=None):
                        self.record(action.condition, action.predicate)
                        self.record(self._iteration(action), action.predicate)
                    case _:
                        for inner in inner_actions(action):
                            self.record(inner)
            if not is_mixed:
                flag = None
                if decides is not None and number == len(found) - 1:
                    seen = self._flags.setdefault(id(actions), self._loaded.gpu.flag())
                    flag = ctypes.addressof(seen), self.address(decides)
                if id(group) in self._graphs:  # another process had to record again
                    self._graphs[id(group)].destroy()
                self._graphs[id(group)] = CudaGraph(self._loaded, group, self.address, flag)
        self._recorded.add(id(actions))

    def iterations(self, actions: Sequence[Action]) -> Iterator[Ready]:
        """Run actions that have been recorded; see `Ready`."""
        flag = self._flags.get(id(actions))
        if flag is not None:
            flag.value = UNWRITTEN
        for is_mixed, group in self._parts_of(actions):
            if not is_mixed:
                self._launch(group)
                yield at_once
            for action in group if is_mixed else ():
                match action:
                    case GraphLoop(iterations=None):
                        iteration = action.condition
                        while True:
                            yield from self.iterations(iteration)
                            if (yield from self._byte(action.predicate, self._flags.get(id(iteration)))) == 0:
                                break
                            iteration = self._iteration(action)
                    case GraphLoop():
                        for _ in range(action.iterations or 0):
                            yield from self.iterations(action.body)
                    case GraphBranch():
                        yield self._loaded.gpu.is_idle
                        yield from self.iterations(self._chosen(action))
                    case _:
                        raise TypeError(action)

    def _byte(self, place: Place, flag: Any) -> Generator[Ready, None, int]:
        """The byte at a place, which the GPU has written to a flag if there is one."""
        if flag is not None:
            yield lambda: flag.value != UNWRITTEN
            return int(flag.value)
        yield self._loaded.gpu.is_idle
        return self._read(self.address(place), 1)[0]

    def _meet(self, process: NcclProcess, group: Sequence[Action]) -> None:
        """Check that the other processes exchange the same, as far as they have got.

        Raises:
            InputError: another one does not, so that they would wait forever.
        """
        if id(group) not in self._meetings:
            exchanges = [*exchanges_of(group)]
            self._meetings[id(group)] = {n: each for each in reversed(exchanges) for n in each.others(process.number)}
        firsts = self._meetings[id(group)]
        if firsts and (wrong := process.all.meet(process.number, firsts)):
            raise InputError(f"{describe(self._loaded.executable, next(iter(firsts.values())))}: {wrong}")

    def run_each(
        self, actions: Sequence[Action], around: Callable[[BoundExecutable, Action], AbstractContextManager[None]]
    ) -> None:
        """Run actions one by one, without graphs; `around(self, action)` is entered for all but loops and branches."""
        for action in actions:
            if isinstance(action, GraphLoop | GraphBranch):
                self._run_mixed(action, partial(self.run_each, around=around))
                continue
            with around(self, action):
                self.start(action)

    def start(self, action: Action) -> None:
        """Run an action that is not a loop or branch, without a graph."""
        recorder = Recorder(self._loaded, self.address, stream=0)
        match action:
            case OnHost():
                self._on_host(action, self.address)
            case GraphCopy():
                recorder.copy([action])
            case GraphExchange() | Number():
                recorder.communicate(action)
            case GraphLaunch():
                recorder.start_step(action)
            case Multiply():
                recorder.start_step(action, recorder.space(action)[0])

    def graph(self, actions: Sequence[Action]) -> CudaGraph:
        return CudaGraph(self._loaded, actions, self.address)

    def _run_mixed(self, action: Action, run: Callable[[Sequence[Action]], None]) -> None:
        match action:
            case OnHost() | Direct():
                self.start(action)
            case GraphLoop(iterations=None):
                place = self.address(action.predicate)
                run(action.condition)
                while self._read(place, 1) != b"\0":
                    run(self._iteration(action))
            case GraphLoop():
                for _ in range(action.iterations or 0):
                    run(action.body)
            case GraphBranch():
                run(self._chosen(action))

    def _chosen(self, action: GraphBranch) -> Sequence[Action]:
        """The branch that runs."""
        raw = self._read(self.address(action.index), 1 if action.is_bool else 4)
        chosen = int(raw == b"\0") if action.is_bool else int.from_bytes(raw, "little", signed=True)
        last = len(action.branches) - 1
        return action.branches[chosen if 0 <= chosen <= last else last]

    def destroy(self) -> None:
        for graph in self._graphs.values():
            graph.destroy()
