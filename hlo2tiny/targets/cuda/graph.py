"""Carries out a recipe's actions: records them as CUDA graphs, and runs those around what the host has to do."""

from __future__ import annotations

import ctypes
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from importlib import resources
from itertools import groupby
from typing import Any

from ...errors import InputError
from . import convolutions
from .compiling import compile_one
from .convolutions import Arrangement, Dnn
from .driver import Gpu, Interrupted, arguments, check, driver, library
from .products import WORKSPACE, Blas
from .recipe import Action, Branch, Copy, Launch, Loop, Multiply, OnHost, Place, Recipe, Spec, needs_host

# Code that sets the condition of a loop calls a function of the driver's own device library.
CONTROL_OPTIONS = ("-rdc=true",)
# How many buffers one launch copies, and the blocks for each of them.
MOST_MOVES = 8
COPYING_THREADS, MOST_COPYING_BLOCKS = 256, 1024


class Machine:
    """A recipe's code on a GPU: its kernels, loaded, and the libraries that it calls."""

    def __init__(self, gpu: Gpu, recipe: Recipe, cubins: Sequence[tuple[bytes, Sequence[int]]]) -> None:
        self.gpu, self.recipe = gpu, recipe
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
        sizes = [working_memory(gpu, spec) for spec in recipe.products]
        self.workspace = workspace_of(gpu, max(sizes)) if sizes else 0

    def arrange(self, target: int, source: int, how: Arrangement, stream: Any) -> None:
        """Write a tensor from another one, in another form."""
        place, kept = arguments(ctypes.c_uint64(target), ctypes.c_uint64(source), how)
        blocks = max(1, min(MOST_COPYING_BLOCKS, -(-how.size // COPYING_THREADS)))
        check(
            driver().cuLaunchKernel(self.control["arrange"], blocks, 1, 1, COPYING_THREADS, 1, 1, 0, stream, place, 0)
        )
        del kept

    def truth_values(self, target: int, source: int, size: int) -> None:
        """Copy booleans, of which any byte but 0 becomes 1."""
        place, kept = arguments(*map(ctypes.c_uint64, (target, source, size)))
        blocks = min(MOST_COPYING_BLOCKS, -(-size // COPYING_THREADS))
        function = self.control["truth_values"]
        check(driver().cuLaunchKernel(function, blocks, 1, 1, COPYING_THREADS, 1, 1, 0, 0, place, 0))
        del kept

    def copy(self, moves: Sequence[tuple[int, int, int]], stream: Any = 0) -> None:
        """Copy, given targets, sources and sizes; those that no other one of them writes or reads at the same time."""
        group: list[tuple[int, int, int]] = []
        for move in moves:
            if move[0] != move[1] and move[2]:
                if len(group) == MOST_MOVES or any(overlap(move, other) for other in group):
                    self._copy_all(group, stream)
                    group = []
                group.append(move)
        self._copy_all(group, stream)

    def _copy_all(self, group: Sequence[tuple[int, int, int]], stream: Any) -> None:
        if len(group) == 1:
            check(driver().cuMemcpyDtoDAsync(*group[0], stream))
        elif group:
            padded = [*group, *[(0, 0, 0)] * (MOST_MOVES - len(group))]
            place, kept = arguments(Parts(*((ctypes.c_uint64 * MOST_MOVES)(*column) for column in zip(*padded))))
            largest = max(size for *_, size in group)
            blocks = min(MOST_COPYING_BLOCKS, -(-largest // (16 * COPYING_THREADS)))
            sizes = blocks, len(group), 1, COPYING_THREADS, 1, 1
            check(driver().cuLaunchKernel(self.control["copy_all"], *sizes, 0, stream, place, 0))
            del kept


_controls: dict[str, dict[str, Any]] = {}
_blas: dict[str, Blas] = {}
_dnn: dict[str, Dnn] = {}
_workspaces: dict[str, tuple[int, int]] = {}  # sizes and addresses


def control_of(gpu: Gpu) -> dict[str, Any]:
    """The functions of control.cu, loaded once for each GPU."""
    if gpu.name not in _controls:
        text = resources.files(__package__).joinpath("control.cu").read_text(encoding="utf-8")
        module = check(driver().cuModuleLoadData(compile_one(text, gpu.arch, CONTROL_OPTIONS)))
        names = ("repeat_while", "begin_turns", "end_turn", "choose", "copy_all", "truth_values", "arrange")
        _controls[gpu.name] = {n: check(driver().cuModuleGetFunction(module, n.encode())) for n in names}
    return _controls[gpu.name]


def blas_of(gpu: Gpu) -> Blas:
    if gpu.name not in _blas:
        _blas[gpu.name] = Blas(library("cublasLt") or "")
    return _blas[gpu.name]


def dnn_of(gpu: Gpu) -> Dnn:
    if gpu.name not in _dnn:
        _dnn[gpu.name] = Dnn(library("cudnn") or "")
    return _dnn[gpu.name]


def working_memory(gpu: Gpu, spec: Spec) -> int:
    """The working memory of a product, which this prepares.

    Raises:
        RuntimeError: the library does not compute it.
    """
    gpu.enter()
    if isinstance(spec, convolutions.Spec):
        return dnn_of(gpu).plan(spec).size
    blas_of(gpu).plan(spec)
    return WORKSPACE


def workspace_of(gpu: Gpu, size: int) -> int:
    """Memory for products: all those of a GPU share it, since they run one after the other.

    Graphs know its address, so a memory that has become too small is kept for them.
    """
    if _workspaces.get(gpu.name, (0, 0))[0] < size:
        _workspaces[gpu.name] = size, gpu.allocate(size, "the working memory of products")
    return _workspaces[gpu.name][1]


class Parts(ctypes.Structure):
    """The argument of `copy_all`."""

    _fields_ = [(name, ctypes.c_uint64 * MOST_MOVES) for name in ("target", "source", "size")]


class Recorder:
    """Records actions on a stream, which adds them to a graph.

    Args:
        machine: the code.
        address: the address of a place.
        depth: how many loops and branches are around the actions.
    """

    def __init__(self, machine: Machine, address: Callable[[Place], int], depth: int = 0) -> None:
        self.machine, self.address, self.depth = machine, address, depth
        self.stream = machine.gpu.stream(depth)

    def record(self, actions: Sequence[Action]) -> None:
        for kind, group in groupby(actions, type):
            if kind is Copy:
                self.copy([*group])  # type: ignore[list-item]
                continue
            for action in group:
                match action:
                    case Launch():
                        self.launch(action)
                    case Multiply():
                        self.multiply(action)
                    case Loop():
                        self.loop(action)
                    case Branch():
                        self.branch(action)
                    case _:
                        raise TypeError(action)

    def start(self, function: Any, grid: Sequence[int], block: Sequence[int], *values: Any) -> None:
        place, kept = arguments(*values)
        check(driver().cuLaunchKernel(function, *grid, *block, 0, self.stream, place, 0))
        del kept  # the driver has copied them

    def launch(self, action: Launch) -> None:
        kernel = self.machine.recipe.kernels[action.kernel]
        places = (ctypes.c_uint64(self.address(place)) for place in action.places)
        self.start(self.machine.functions[action.kernel], kernel.grid, kernel.block, *places)

    def multiply(self, action: Multiply) -> None:
        machine, spec = self.machine, self.machine.recipe.products[action.product]
        places = [self.address(place) for place in action.places]
        if isinstance(spec, convolutions.Spec):
            arrange = partial(machine.arrange, stream=self.stream)
            dnn_of(machine.gpu).run(spec, places, machine.workspace, int(self.stream), arrange)
        else:
            a, b, c = places
            blas_of(machine.gpu).run(spec, a, b, c, machine.workspace, int(self.stream))

    def copy(self, moves: Sequence[Copy]) -> None:
        self.machine.copy([(self.address(m.target), self.address(m.source), m.size) for m in moves], self.stream)

    def decide(self, name: str, *values: Any) -> None:
        self.start(self.machine.control[name], (1, 1, 1), (1, 1, 1), *values)

    def loop(self, action: Loop) -> None:
        place = ctypes.c_uint64(self.address(action.predicate))
        handle, value = self.handle()
        if action.turns is None:
            self.record(action.condition)
            self.decide("repeat_while", value, place)
        else:
            self.decide("begin_turns", value, place, ctypes.c_uint32(action.turns))
        inner = self.conditional(handle, "WHILE")
        inner.record(action.body)
        if action.turns is None:
            inner.record(action.condition)
            inner.decide("repeat_while", value, place)
        else:
            inner.decide("end_turn", value, place)
        inner.end()

    def branch(self, action: Branch) -> None:
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
        handle = check(driver().cuGraphConditionalHandleCreate(graph, self.machine.gpu.context, 0, 0))
        return handle, ctypes.c_uint64(int(handle))

    def conditional(self, handle: Any, kind: str) -> Recorder:
        """Add a part that runs on a condition, and return what records it."""
        cu = driver()
        node = cu.CUgraphNodeParams()
        node.type = cu.CUgraphNodeType.CU_GRAPH_NODE_TYPE_CONDITIONAL
        node.conditional.handle, node.conditional.ctx, node.conditional.size = handle, self.machine.gpu.context, 1
        node.conditional.type = getattr(cu.CUgraphConditionalNodeType, f"CU_GRAPH_COND_TYPE_{kind}")
        graph, before = self.capture()
        try:
            added = check(cu.cuGraphAddNode(graph, before, None, len(before), node))
        except TypeError:  # cuda-bindings for CUDA 12 take no data about edges
            added = check(cu.cuGraphAddNode(graph, before, len(before), node))
        replace = cu.CUstreamUpdateCaptureDependencies_flags.CU_STREAM_SET_CAPTURE_DEPENDENCIES
        try:
            check(cu.cuStreamUpdateCaptureDependencies(self.stream, [added], None, 1, int(replace)))
        except TypeError:
            check(cu.cuStreamUpdateCaptureDependencies(self.stream, [added], 1, int(replace)))
        inner = Recorder(self.machine, self.address, self.depth + 1)
        inner.begin(node.conditional.phGraph_out[0])
        return inner

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


# How often a recording that another thread has interrupted is repeated.
TRIES = 5


def record(machine: Machine, actions: Sequence[Action], address: Callable[[Place], int]) -> Any:
    """The graph of some actions."""
    for last in (False,) * (TRIES - 1) + (True,):
        recorder = Recorder(machine, address)
        try:
            recorder.begin()
            recorder.record(actions)
            return recorder.end()
        except Interrupted as error:
            machine.gpu.forget_streams()
            if last:
                message = "another thread synchronizes the GPU all the time, so no program can be made ready there"
                raise InputError(f"{message}; call the program once before ({error})") from error
        except BaseException:
            machine.gpu.forget_streams()
            raise


class Graph:
    """A CUDA graph that can be launched."""

    def __init__(self, machine: Machine, actions: Sequence[Action], address: Callable[[Place], int]) -> None:
        cu = driver()
        self._graph = record(machine, actions, address)
        self._executable = check(cu.cuGraphInstantiate(self._graph, 0))

    def launch(self) -> None:
        check(driver().cuGraphLaunch(self._executable, 0))

    def destroy(self) -> None:
        check(driver().cuGraphExecDestroy(self._executable))
        check(driver().cuGraphDestroy(self._graph))


def parts(actions: Sequence[Action]) -> Iterator[tuple[bool, tuple[Action, ...]]]:
    """Actions in groups: whether the host takes part in one, and its actions."""
    for on_host, group in groupby(actions, lambda action: needs_host([action])):
        yield on_host, tuple(group)


class Performance:
    """A recipe at fixed addresses: graphs, and what runs between them on the host.

    Args:
        on_host: carries out a step on the host.
        read: returns the bytes of a place, once everything before has run.
    """

    def __init__(
        self,
        machine: Machine,
        address: Callable[[Place], int],
        on_host: Callable[[OnHost, Callable[[Place], int]], None],
        read: Callable[[int, int], bytes],
    ) -> None:
        self._machine, self._address, self._on_host, self._read = machine, address, on_host, read
        self._graphs: dict[int, Graph] = {}
        self._parts: dict[int, list[tuple[bool, tuple[Action, ...]]]] = {}

    def run(self, actions: Sequence[Action]) -> None:
        if id(actions) not in self._parts:
            self._parts[id(actions)] = list(parts(actions))
        for is_mixed, group in self._parts[id(actions)]:
            if is_mixed:
                for action in group:
                    self._mixed(action)
                continue
            key = id(group)
            if key not in self._graphs:
                self._graphs[key] = Graph(self._machine, group, self._address)
            self._graphs[key].launch()

    def _mixed(self, action: Action) -> None:
        match action:
            case OnHost():
                self._on_host(action, self._address)
            case Loop(turns=None):
                place = self._address(action.predicate)
                self.run(action.condition)
                while self._read(place, 1) != b"\0":
                    self.run(action.body)
                    self.run(action.condition)
            case Loop():
                for _ in range(action.turns or 0):
                    self.run(action.body)
            case Branch():
                raw = self._read(self._address(action.index), 1 if action.is_bool else 4)
                chosen = int(raw == b"\0") if action.is_bool else int.from_bytes(raw, "little", signed=True)
                last = len(action.branches) - 1
                self.run(action.branches[chosen if 0 <= chosen <= last else last])

    def destroy(self) -> None:
        for graph in self._graphs.values():
            graph.destroy()
