"""Records the actions of an executable as CUDA graphs."""

from __future__ import annotations

import ctypes
from collections.abc import Callable, Sequence
from contextlib import nullcontext
from functools import partial
from itertools import groupby
from typing import Any

from ...errors import InputError
from ...ir.place import Place
from ..embedded import EmbeddedKernel
from . import convolutions, products, solver, transforms
from .driver import Interrupted, Watch, check, driver, launch
from .executable import (
    Action,
    GraphBranch,
    GraphCopy,
    GraphExchange,
    GraphLaunch,
    GraphLoop,
    Multiply,
    Number,
    describe,
    exchanges_of,
)
from .launcher import Launcher
from .loaded import LoadedExecutable, blas_of, dnn_of, fft_of, open_handle, solver_of
from .nccl import NcclProcess
from .order import Order, batches
from .products import CALLS_AT_ONCE, WORKSPACE


class Unheld(Exception):
    """NCCL does more for an exchange than a conditional part of a graph can hold."""


# Every exchange writes this, as if it were memory, so that exchanges run in one order while other actions run in
# parallel.
EXCHANGING = (1 << 63, 1, True)
# The most nodes of an exchange.
MOST_NODES = 64
# The first kind of GPU, as in sm_90, whose kernels may start before those that they wait for have ended.
STARTS_EARLY = 90


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
        order, launched = Order(lambda: self.capture()[1], self.continue_after), set[int]()
        for kind, group in groupby(
            actions, lambda action: GraphExchange if isinstance(action, GraphExchange) else type(action)
        ):
            if kind is GraphExchange:  # all processes have to exchange values in the same order
                exchanges = (action for action in group if isinstance(action, GraphExchange))
                for batch in batches(exchanges, GraphExchange.waits_for):
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
                        before = self.capture()[1] if self.may_start_early(action) else []
                        if before and launched.issuperset(map(int, before)):
                            self.continue_after(before, early=True)
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
                nodes = order.end()
                if isinstance(action, GraphLaunch):
                    launched.update(map(int, nodes))
        order.begin()

    def may_start_early(self, action: GraphLaunch) -> bool:
        """Whether a kernel may wait for others itself, and none of these may write what it reads before."""
        kernel = self.loaded.executable.kernels[action.kernel]
        known = all(action.places[n].kind in ("argument", "constant") for n in kernel.early)
        return kernel.starts_early and known and not self.depth and int(self.loaded.gpu.arch[3:]) >= STARTS_EARLY

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
        try:
            with nullcontext() if self.depth or len(batch) == 1 else process.together():
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

    def launch(self, action: GraphLaunch) -> None:
        kernel = self.loaded.executable.kernels[action.kernel]
        pointers = (ctypes.c_uint64(self.address(place)) for place in action.places)
        launch(
            self.loaded.functions[action.kernel],
            kernel.grid,
            kernel.block,
            self.stream,
            *pointers,
            shared=kernel.shared,
        )

    def space(self, action: Multiply) -> tuple[int, int]:
        """The address and size of the working memory of a product: a part of all of it for a matrix product."""
        loaded = self.loaded
        if not isinstance(loaded.executable.products[action.product], products.ProductSpec):
            return loaded.workspace, loaded.workspace_size
        self.products += 1
        return loaded.workspace + self.products % (loaded.workspace_size // WORKSPACE) * WORKSPACE, WORKSPACE

    def multiply(self, action: Multiply, workspace: int) -> None:
        loaded, spec, stream = self.loaded, self.loaded.executable.products[action.product], int(self.stream)
        addresses = [self.address(place) for place in action.places]
        match spec:
            case convolutions.ConvolutionSpec():
                arrange = partial(loaded.arrange, stream=self.stream)
                dnn_of(loaded.gpu).run(spec, addresses, workspace, stream, arrange)
            case transforms.TransformSpec():
                source, target = addresses
                fft_of(loaded.gpu).run(spec, source, target, workspace, stream, self.spread)
            case solver.SolverSpec():
                solver_of(loaded.gpu).run(spec, addresses, workspace, stream, self.decide)
            case EmbeddedKernel():
                open_handle(loaded.gpu, Launcher).run(spec, addresses, workspace, self.stream)
            case _:
                self.launch_beside([*blas_of(loaded.gpu).calls(spec, addresses, workspace, stream)])

    def launch_beside(self, calls: Sequence[Callable[[], None]]) -> None:
        """Launch calls of which each only waits for the one that has had its part of the working memory before."""
        if len(calls) == 1 or not int(self.stream):
            for call in calls:
                call()
            return
        last = [self.capture()[1]] * min(len(calls), CALLS_AT_ONCE)
        for i, call in enumerate(calls):
            self.continue_after(last[i % CALLS_AT_ONCE])
            call()
            last[i % CALLS_AT_ONCE] = self.capture()[1]
        self.continue_after([node for nodes in last for node in nodes])

    def spread(self, name: str, iterations: int, address: int, *values: Any) -> None:
        """Launch a function of control.cu on numbers that threads share."""
        given = (ctypes.c_uint64(x) if isinstance(x, int) else x for x in (address, *values))
        self.loaded.spread(name, iterations, self.stream, ctypes.c_longlong(iterations), *given)

    def copy(self, moves: Sequence[GraphCopy]) -> None:
        self.loaded.copy([(self.address(m.target), self.address(m.source), m.size) for m in moves], self.stream)

    def decide(self, name: str, *values: Any) -> None:
        launch(self.loaded.control[name], (1, 1, 1), (1, 1, 1), self.stream, *values)

    def loop(self, action: GraphLoop) -> None:
        address = ctypes.c_uint64(self.address(action.predicate))
        handle, value = self.handle()
        watch = ctypes.c_uint64(0)
        if action.iterations is None:
            if any(exchanges_of([action])):
                self.watches.append((action, self.loaded.gpu.flag(Watch)))
                watch.value = ctypes.addressof(self.watches[-1][1])
            self.record(action.condition)
            self.decide("repeat_while", value, address, watch)
        else:
            self.decide("begin_iterations", value, address, ctypes.c_uint32(action.iterations))
        inner = self.conditional(handle, "WHILE")
        inner.record(action.body)
        if action.iterations is None:
            inner.record(action.condition)
            inner.decide("repeat_while", value, address, watch)
        else:
            inner.decide("end_iteration", value, address)
        inner.end()
        self.copied += inner.copied

    def branch(self, action: GraphBranch) -> None:
        address, count = ctypes.c_uint64(self.address(action.index)), len(action.branches)
        for number, actions in enumerate(action.branches):
            if not actions:
                continue
            handle, value = self.handle()
            numbers = (ctypes.c_int32(n) for n in (int(action.is_bool), number, count))
            self.decide("choose", value, address, *numbers)
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

    def continue_after(self, nodes: Sequence[Any], early: bool = False) -> None:
        """Let what is recorded next depend on these nodes only, or a kernel start before these kernels end."""
        cu, edges = driver(), None
        replace = int(cu.CUstreamUpdateCaptureDependencies_flags.CU_STREAM_SET_CAPTURE_DEPENDENCIES)
        if early:
            edge = cu.CUgraphEdgeData()
            edge.from_port = int(cu.CU_GRAPH_KERNEL_NODE_PORT_PROGRAMMATIC)
            edge.type = int(cu.CUgraphDependencyType.CU_GRAPH_DEPENDENCY_TYPE_PROGRAMMATIC)
            edges = [edge] * len(nodes)
        try:
            check(cu.cuStreamUpdateCaptureDependencies(self.stream, [*nodes], edges, len(nodes), replace))
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
