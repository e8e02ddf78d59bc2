"""A program's code for one GPU, and calls of it.

A call's small arguments are copied to memory whose address never changes, and its small results from there, so that one
recorded graph serves all calls. Arguments and results that are large, or that stay where they are, are read and written
in place: for each set of their addresses there is a graph.
"""

from __future__ import annotations

import os
from collections import OrderedDict
from collections.abc import Callable, Generator, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager
from dataclasses import asdict
from math import prod
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from ...errors import InputError
from ...ir import ScalarType, TensorType
from ...ir.dtypes import extend_sign
from ...ir.place import Place
from ...tinygrad.buffers import (
    Buffer,
    Part,
    allocate_results,
    buffer_layout,
    device_address,
    device_addresses,
    from_numpy,
    offsets_of_parts,
    truth_values,
)
from .. import NotBuilt, Serialized
from ..arrays import Fixed, dtype_and_shape, empty
from .driver import Gpu, GraphStopped, compiler_version, gpu_of, keep_context
from .executable import KEPT, SPECS, Action, CudaExecutable, OnHost, describe, from_rows, runs_on_host, to_rows
from .graph import BoundExecutable, Ready, at_once
from .kernels import CudaKernel, aligned
from .loaded import LoadedExecutable
from .nccl import NcclProcess

if TYPE_CHECKING:
    from .handlers import OnDevice

# Larger arguments and results are not copied within the GPU's memory.
MOST_COPIED = 4 << 20
# The variable that lets each kernel of a process end before the next one begins.
BLOCKING = "CUDA_LAUNCH_BLOCKING"
# How many sets of addresses have graphs.
MOST_GRAPHS = 8
# Kernels read four numbers at once.
READ_AT_ONCE = 16

Around = Callable[[BoundExecutable, Action], AbstractContextManager[None]]
HostStep = Callable[[int, Sequence[np.ndarray], str], Sequence[np.ndarray]]


class Group(NamedTuple):
    """Small arguments or results, which one copy moves: where they begin, their size, and the offset of each."""

    address: int
    size: int
    offsets: Mapping[int, int]


class CudaCode:
    """A program on a GPU.

    Args:
        gpu: the GPU.
        executable: what the program does.
        cubins: the machine code of its kernels, and the numbers of the kernels in each file.
        constants: the arrays that the code reads, as buffers hold them.
        inputs, outputs: the types of the arguments and results.
        host: carries out a step on the host; None if there is none.
        host_types: the types of the operands of each step on the host.
        handlers: the steps that compiled handlers carry out on the GPU's memory; None if there is none.
    """

    process: NcclProcess | None = None

    def __init__(
        self,
        gpu: Gpu,
        executable: CudaExecutable,
        cubins: Sequence[tuple[bytes, Sequence[int]]],
        constants: Sequence[np.ndarray],
        inputs: Sequence[TensorType],
        outputs: Sequence[TensorType],
        host: HostStep | None = None,
        host_types: Sequence[Sequence[TensorType]] = (),
        handlers: OnDevice | None = None,
    ) -> None:
        self.gpu, self.executable, self.cubins, self.constants = gpu, executable, cubins, constants
        self.inputs, self.outputs, self.in_place = inputs, outputs, executable.in_place
        self._host, self._host_types, self._handlers = host, host_types, handlers
        self._layouts = [dtype_and_shape(t) for t in (*inputs, *outputs)]
        self._sizes = [prod(shape) * dtype.itemsize for dtype, shape in self._layouts]
        self._bools = [t.element == ScalarType("i1") for t in inputs]
        self._process = os.getpid()
        self._loaded: LoadedExecutable | None = None
        self._bound: OrderedDict[tuple[int, ...], BoundExecutable] = OrderedDict()
        self._waits = bool(executable.hosts) or runs_on_host(executable.actions)
        self._placed: BoundExecutable | None = None  # what `iterations` runs
        self._last: tuple[int, ...] = ()  # where the arguments of the last call were
        self._staged: list[int] = []  # those of them that were copied
        self._own: dict[int, int] = {}
        self._action: Action | None = None  # what runs, if actions run one by one
        self._large: dict[int, int] = {}  # the memory of large results of `run_numpy`, which stays
        self._seen: dict[int, set[int]] = {}  # where large arguments and results were
        self._copies: list[int] = []  # the memory of those that were at many addresses
        self._moving: set[int] = set()  # arguments that have been at more than one address
        self._layouts_of_results: tuple[tuple[int, Any], ...] = ()  # how many elements each has, and their dtype
        self._blocks = False  # whether the variable BLOCKING says that actions wait for each other

    # ------------------------------------------------------------ memory

    def _prepare(self) -> LoadedExecutable:
        """Load the code and allocate all memory, in the first call."""
        self.gpu.enter()
        if self._loaded is None:
            self._blocks = os.environ.get(BLOCKING) == "1"
            self._layouts_of_results = tuple((prod(shape), dtype) for shape, dtype in map(buffer_layout, self.outputs))
            # Room for copies of arguments and results; small ones are adjacent.
            count = len(self.inputs)
            inputs, own = offsets_of_parts(self._sizes[:count]), dict[int, int]()
            results = offsets_of_parts(self._sizes[count:])
            own |= inputs[0] | {count + i: inputs[1] + place for i, place in results[0].items()}
            at = inputs[1] + results[1]
            for i, size in enumerate(self._sizes):
                if i not in own and (size <= MOST_COPIED or (i < count and self._bools[i])):
                    own[i], at = at, at + aligned(size)
            fixed = []
            for array in self.constants:
                fixed.append(at)
                at += aligned(array.nbytes)
            arena = at
            large = sum(size for i, size in enumerate(self._sizes) if i >= len(self.inputs) and i not in own)
            self.gpu.expect_room(at + self.executable.arena + large, "its constants, working memory and results")
            self._memory = self.gpu.allocate(at + self.executable.arena, "its constants and working memory")
            self._own = {i: self._memory + offset for i, offset in own.items()}
            self._inputs_together = Group(self._memory, inputs[1], inputs[0])
            self._results_together = Group(self._memory + inputs[1], results[1], results[0])
            self._upload = np.empty(inputs[1], np.uint8)
            self._fixed = [self._memory + offset for offset in fixed]
            self._arena = self._memory + arena
            for address, array in zip(self._fixed, self.constants):
                self.gpu.upload(address, array)
            self._loaded = LoadedExecutable(self.gpu, self.executable, self.cubins)
        return self._loaded

    def _bind(self, addresses: tuple[int, ...]) -> BoundExecutable:
        """The graphs for arguments and results at these addresses."""
        if addresses in self._bound:
            self._bound.move_to_end(addresses)
            return self._bound[addresses]
        count = len(self.inputs)

        def address(place: Place) -> int:
            match place.kind:
                case "arena":
                    return self._arena + place.number
                case "constant":
                    return self._fixed[place.number] + place.offset
                case "argument":
                    return addresses[place.number] + place.offset
            return addresses[count + place.number]

        self._settle(addresses)
        bound = BoundExecutable(self._prepare(), address, self._on_host, self._read)
        self._bound[addresses] = bound
        if len(self._bound) > MOST_GRAPHS:
            self.gpu.unused.append(([self._bound.popitem(last=False)[1]], ()))
        return bound

    def _settle(self, addresses: Sequence[int]) -> None:
        """From the next call on, copy large arguments and results that were at more addresses than graphs are kept for.

        On an H200, 64 MB are copied in 30 µs, and the graph of a training step with 4 matrices is recorded in 1,300.
        """
        count = len(self.inputs)
        updated = {*self.in_place.values(), *(count + result for result in self.in_place)}
        for i, address in enumerate(addresses):
            if i in self._own or i in updated:
                continue
            seen = self._seen.setdefault(i, set())
            seen.add(address)
            if len(seen) > MOST_GRAPHS and self.gpu.free_memory() > 2 * self._sizes[i]:
                self._own[i] = self.gpu.allocate(self._sizes[i], "a copy of an argument or result")
                self._copies.append(self._own[i])

    def _read(self, address: int, size: int) -> bytes:
        array = np.empty(size, np.uint8)
        self.gpu.download(array, address)
        return array.tobytes()

    def _on_host(self, action: OnHost, address: Callable[[Place], int]) -> None:
        if self._handlers and action.number in self._handlers:
            places = [address(place) for place in action.inputs], [address(place) for place in action.outputs]
            self._handlers.run(action.number, *places, self.gpu)
            return
        assert self._host is not None
        operands = self._host_types[action.number]
        where = "" if self.process is None else f"device {self.process.number} ({self.gpu.name})"
        arrays = []
        for place, type in zip(action.inputs, operands):
            dtype, shape = dtype_and_shape(type)
            arrays.append(np.empty(shape, dtype))
            self.gpu.download(arrays[-1], address(place))
        for place, array in zip(action.outputs, self._host(action.number, arrays, where)):
            self.gpu.upload(address(place), np.ascontiguousarray(extend_sign(array)))

    def join(self, process: NcclProcess, loops: bool) -> None:
        """Run as one of several processes from now on; graphs recorded for the previous one are dropped.

        `loops` says whether loops that exchange values may be parts of graphs.
        """
        if process is not self.process:
            self.forget()
            self.process = process
            loaded = self._prepare()
            loaded.process, loaded.loops = process, loops and self.takes_turns

    def forget(self) -> None:
        """Destroy the graphs, once what runs has ended."""
        self.gpu.enter()
        self.gpu.finish()
        for bound in self._bound.values():
            bound.destroy()
        self._bound.clear()
        self._placed = None

    # ------------------------------------------------------------ calls

    def _find_copied(self, addresses: tuple[int, ...]) -> list[int]:
        """The arguments to copy to memory of their own: booleans, and those that move or that kernels cannot read.

        Raises:
            InputError: one that kernels cannot read is too large to be copied.
        """
        if self._last:
            pairs = zip(addresses, self._last)
            self._moving.update(i for i, (a, b) in enumerate(pairs) if a != b and self._own.get(i, a) not in (a, b))
        self._last = addresses
        misaligned = {i for i, address in enumerate(addresses) if address % READ_AT_ONCE}
        if large := misaligned - self._own.keys():
            raise InputError(f"argument {min(large)} is not aligned to {READ_AT_ONCE} bytes on the GPU; pass a copy")
        return sorted({*self._moving, *misaligned, *(i for i, is_bool in enumerate(self._bools) if is_bool)})

    def _place(
        self, loaded: LoadedExecutable, given: Sequence[int], targets: Sequence[int]
    ) -> tuple[BoundExecutable, list[tuple[int, int, int]]]:
        """What runs on arguments and results at these addresses, and the copies to make afterwards.

        Arguments that have to be elsewhere are copied. A result at 0 is left in its own place.
        """
        self.gpu.clean()
        count, moves = len(given), []
        addresses = [*given, *targets]
        if (passed := tuple(given)) != self._last:
            self._staged = self._find_copied(passed)
        for i in self._staged:
            if addresses[i] != self._own[i] and self._sizes[i]:
                if self._bools[i]:
                    loaded.truth_values(self._own[i], addresses[i], self._sizes[i])
                else:
                    moves.append((self._own[i], addresses[i], self._sizes[i]))
            addresses[i] = self._own[i]
        addresses[count:] = [self._own.get(i, target) for i, target in enumerate(targets, count)]
        loaded.copy_apart(moves)
        results = zip(targets, addresses[count:], self._sizes[count:])
        return self._bind(tuple(addresses)), [
            (target, own, size) for target, own, size in results if target != own and target and size
        ]

    def _run(
        self, loaded: LoadedExecutable, given: Sequence[int], targets: Sequence[int], around: Around | None = None
    ) -> BoundExecutable:
        """Run on arguments and results at these addresses; a result at 0 is left in its own place.

        With `around`, the actions run one by one (see `BoundExecutable.run_each`), and so they do if
        CUDA_LAUNCH_BLOCKING is set, each after the end of the one before, as in other programs that use CUDA.
        """
        if around is None and self._blocks:
            around = self._one_by_one
        bound, copies = self._place(loaded, given, targets)
        if around is None:
            bound.run(self.executable.actions)
        else:
            bound.run_each(self.executable.actions, around)
        loaded.copy_apart(copies)
        return bound

    @property
    def takes_turns(self) -> bool:
        """Whether one thread can run this for all processes: it has no steps on the host, which would wait there."""
        return not self._blocks and not self._waits

    def iterations(self, inputs: Sequence[Any], outputs: Mapping[int, Any]) -> Generator[Ready, None, None]:
        """Run as one of several processes in one thread, to given results; see `Ready`.

        Everything has been allocated when this first yields. Before it continues, `record` must have returned.
        """
        loaded, on_host = self._prepare(), any(isinstance(x, np.ndarray) for x in outputs.values())
        if on_host:
            given, held = self._upload_all(inputs)
            large = self._large_results()
            targets = [large.get(i, 0) for i in range(len(self.outputs))]
        else:
            held, results = self._on_gpu(inputs), [*outputs.values()]
            whole = next((x.whole for x in results if type(x) is Part), None)
            whole = whole if whole and whole.nbytes == self._results_together.size else None
            given, targets = device_addresses(held), self._targets(results, whole)
        bound, copies = self._place(loaded, given, targets)
        self._placed = bound
        yield at_once
        yield from bound.iterations(self.executable.actions)
        loaded.copy_apart(copies if on_host else [*copies, *self._copy_of_parts(whole)])
        yield self.gpu.is_idle
        if on_host:
            self._download_all(large, outputs)

    @property
    def is_recorded(self) -> bool:
        """Whether what `iterations` is about to run needs no `record`."""
        return self._placed is not None and self._placed.is_recorded(self.executable.actions)

    def record(self) -> None:
        """Record the graphs of what `iterations` is about to run, at the same time as all other processes."""
        if self._placed is not None:
            self._placed.record(self.executable.actions)

    def run(self, inputs: Sequence[Any], outputs: Mapping[int, Any] = {}) -> list[Any]:
        with keep_context(), self.gpu.lock:
            try:
                return self.run_buffers(inputs, outputs)
            except GraphStopped as error:
                raise self.stopped(error) from error

    def run_buffers(self, inputs: Sequence[Any], outputs: Mapping[int, Any] = {}) -> list[Any]:
        """See `Executor.run`; the caller holds the GPU's lock."""
        name, held = self.gpu.name, self._on_gpu(inputs)
        loaded = self._prepare()
        results: list[Any]
        results, whole = allocate_results(self._layouts_of_results, name, outputs)
        self._run(loaded, device_addresses(held), self._targets(results, whole))
        loaded.copy_apart(self._copy_of_parts(whole))
        return results

    def _targets(self, results: Sequence[Buffer | Part | None], whole: Buffer | None) -> list[int]:
        """The addresses of results; 0 for parts of the whole, which are copied together."""
        if whole is None:
            return device_addresses(results)
        return [0 if type(x) is Part and x.whole is whole else device_address(x) for x in results]

    def _copy_of_parts(self, whole: Buffer | None) -> list[tuple[int, int, int]]:
        together = self._results_together
        return [] if whole is None else [(device_address(whole), together.address, together.size)]

    def _on_gpu(self, inputs: Sequence[Any]) -> list[Any]:
        """Buffers for arguments, of which some may be arrays."""
        held = list(inputs)
        if not set(map(type, held)) <= {Buffer, Part}:
            for i, (x, t) in enumerate(zip(inputs, self.inputs)):
                x = x.array if isinstance(x, Fixed) else x
                held[i] = from_numpy(x, t, self.gpu.name) if isinstance(x, np.ndarray) else x
        return held

    def run_numpy(self, arrays: Sequence[Any], outputs: Mapping[int, np.ndarray] = {}) -> list[np.ndarray]:
        with keep_context(), self.gpu.lock:
            try:
                return self.run_arrays(arrays, outputs)[0]
            except GraphStopped as error:
                raise self.stopped(error) from error

    def run_arrays(
        self, arrays: Sequence[Any], outputs: Mapping[int, np.ndarray] = {}, around: Around | None = None
    ) -> tuple[list[np.ndarray], BoundExecutable]:
        """The results of a run on arrays, and what ran; the caller holds the GPU's lock. For `around` see `_run`."""
        loaded = self._prepare()
        given, held = self._upload_all(arrays)
        large = self._large_results()
        bound = self._run(loaded, given, [large.get(i, 0) for i in range(len(self.outputs))], around)
        del held  # they were read meanwhile
        return self._download_all(large, outputs), bound

    def _upload_all(self, arrays: Sequence[Any]) -> tuple[list[int], list[Any]]:
        """The addresses of arguments, of which most are arrays, and what has to be held meanwhile."""
        given, held, copied = list[int](), list[Any](), list[int]()
        for i, (x, t) in enumerate(zip(arrays, self.inputs)):
            x = x.array if isinstance(x, Fixed) else x
            if isinstance(x, np.ndarray) and i in self._own:
                x = np.ascontiguousarray(extend_sign(truth_values(x)))
                if (offset := self._inputs_together.offsets.get(i)) is not None:
                    self._upload[offset : offset + x.nbytes] = x.reshape(-1).view(np.uint8)
                    copied.append(i)
                else:
                    self.gpu.upload(self._own[i], x)
                given.append(self._own[i])
                continue
            if isinstance(x, np.ndarray):
                x = from_numpy(x, t, self.gpu.name)
            held.append(x)
            given.append(device_address(x))
        if copied:
            self.gpu.upload(self._inputs_together.address, self._upload)
        return given, held

    def _large_results(self) -> dict[int, int]:
        """The addresses of results that have no place of their own among small ones."""
        count, large = len(self.inputs), {}
        for i, size in enumerate(self._sizes[count:]):
            if count + i not in self._own:
                if i not in self._large:
                    self._large[i] = self.gpu.allocate(size, f"result {i}")
                large[i] = self._large[i]
        return large

    def _download_all(self, large: Mapping[int, int], outputs: Mapping[int, np.ndarray]) -> list[np.ndarray]:
        """The results, once they are ready."""
        count = len(self.inputs)
        together = np.empty(self._results_together.size, np.uint8)
        self.gpu.download(together, self._results_together.address)
        results = []
        for i, (dtype, shape) in enumerate(self._layouts[count:]):
            array = outputs[i] if i in outputs else empty(dtype, shape)
            if (offset := self._results_together.offsets.get(i)) is not None:
                array.reshape(-1).view(np.uint8)[:] = together[offset : offset + array.nbytes]
            else:
                self.gpu.download(array, large.get(i) or self._own[count + i])
            results.append(array)
        return results

    def stopped(self, error: GraphStopped, names: Sequence[str] = ()) -> InputError:
        """What to do when the GPU has stopped, or one of those with these names."""
        action = self._action and f" in {describe(self.executable, self._action)}"
        again = "" if action else f", with {BLOCKING}=1 to see in which step"
        return InputError(f"{' or '.join(names or [self.gpu.name])} stopped{action or ''}: {error}{again}")

    @contextmanager
    def _one_by_one(self, bound: BoundExecutable, action: Action) -> Iterator[None]:
        """Remember an action while it runs."""
        self._action = action
        yield
        self.gpu.finish()
        self._action = None

    # ------------------------------------------------------------ the store

    def serialize(self) -> Serialized | None:
        """See `Executor`. A program with steps on the host needs the functions of this process."""
        if self.executable.hosts:
            return None
        names = {kind: name for name, kind in SPECS.items()}
        facts = {
            "arch": self.gpu.arch,
            "compiler": compiler_version(),
            "device": self.gpu.name,
            **{name: to_rows(getattr(self.executable, name)) for name in KEPT},
            "kernels": [{**asdict(kernel), "body": "", "types": ""} for kernel in self.executable.kernels],
            "products": [[names[type(s)], asdict(s)] for s in self.executable.products],
            "in_place": list(self.in_place.items()),
            "numbers": [list(numbers) for _, numbers in self.cubins],
        }
        code = [np.frombuffer(cubin, np.uint8) for cubin, _ in self.cubins]
        return Serialized(facts, [*code, *(array.reshape(-1).view(np.uint8) for array in self.constants)])

    def __del__(self) -> None:
        if getattr(self, "_loaded", None) is None or os.getpid() != self._process:
            return
        self.gpu.unused.append((self._bound.values(), (self._memory, *self._large.values(), *self._copies)))


def load_each(
    serialized: Serialized, inputs: Sequence[TensorType], outputs: Sequence[TensorType], devices: Sequence[str]
) -> list[CudaCode]:
    """A stored program's code for each of some GPUs.

    Raises:
        NotBuilt: it does not run on one of them.
    """
    facts = serialized.facts
    gpus = [gpu_of(name) for name in devices]
    libraries = gpus[0].libraries
    changed = any(n not in libraries for n in facts["libraries"]) or any(n in libraries for n in facts["lacking"])
    if changed or any(facts["arch"] != gpu.arch for gpu in gpus):
        raise NotBuilt("the code was made for another kind of GPU or with other libraries")
    gpus[0].expect_version(facts["compiler"])
    numbers = facts["numbers"]
    executable = CudaExecutable(
        kernels=tuple(map(CudaKernel.from_row, facts["kernels"])),
        products=tuple(SPECS[name](**tuples(row)) for name, row in facts["products"]),
        in_place=dict(facts["in_place"]),
        **{name: from_rows(facts[name]) for name in KEPT},
    )
    cubins = [(part.tobytes(), each) for part, each in zip(serialized.parts, numbers)]
    return [CudaCode(gpu, executable, cubins, serialized.parts[len(numbers) :], inputs, outputs) for gpu in gpus]


def tuples(row: Mapping[str, Any]) -> dict[str, Any]:
    """A JSON row with tuples instead of lists."""

    def tuple_of(value: Any) -> Any:
        return tuple(map(tuple_of, value)) if isinstance(value, list) else value

    return {name: tuple_of(value) for name, value in row.items()}
