"""Processes on several GPUs, on machines without one: the host's memory stands for theirs, and queues for NCCL."""

from __future__ import annotations

import copy
import ctypes
import json
import queue
import threading
from collections import defaultdict
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path
from typing import Any

import ml_dtypes  # noqa: F401  # numpy knows bfloat16 then
import numpy as np
import pytest
from emulation import Emulator

import hlo2tiny
from hlo2tiny.derivatives import gradient
from hlo2tiny.ir.place import Place
from hlo2tiny.plan import build
from hlo2tiny.plan.plan import Collective, Plan
from hlo2tiny.program.sharded import ShardedExecutor
from hlo2tiny.specialise.localise import Local, localise
from hlo2tiny.targets.cuda import nccl
from hlo2tiny.targets.cuda.executable import (
    Action,
    CudaExecutable,
    GraphBranch,
    GraphCombine,
    GraphExchange,
    GraphLaunch,
    GraphLoop,
    Number,
    exchanges_of,
    from_rows,
    needs_host,
    to_rows,
)
from hlo2tiny.targets.cuda.native import executable_of
from hlo2tiny.targets.cuda.nccl import NcclProcess, grid_on
from hlo2tiny.targets.cuda.order import batches
from hlo2tiny.targets.cuda.team import GpuTeam
from hlo2tiny.tinygrad.settings import lowering_settings
from hlo2tiny.verify.asynchronous import with_collectives
from hlo2tiny.verify.unwrap import unwrap

CORPUS = Path(__file__).parents[3] / "corpus" / "several"


# The types and reductions of nccl.h, by number.
DTYPES = dict(
    enumerate(np.dtype(x) for x in "int8 uint8 int32 uint32 int64 uint64 float16 float32 float64 bfloat16".split())
)
FOLDS = {0: np.add, 1: np.multiply, 2: np.maximum, 3: np.minimum}


class FakeNccl:
    """NCCL on the host's memory: a group ends once all that it receives has come, or its communicator is aborted."""

    def __init__(self) -> None:
        self.made = self.groups = 0  # communicators, and outermost groups of calls
        self.counts: dict[int, int] = {}
        self.sent: defaultdict[tuple[int, int, int], queue.Queue[bytes]] = defaultdict(queue.Queue)
        self.aborted: set[int] = set()
        self.group = threading.local()

    def call(self, name: str, *arguments: Any) -> None:
        match name, arguments:
            case "ncclCommInitAll", (communicators, count, _):
                for rank in range(count):
                    communicators[rank] = (self.made + 1) * 1000 + rank
                self.made += 1
                self.counts[self.made] = count
            case "ncclGroupStart", _:
                self.group.depth = getattr(self.group, "depth", 0) + 1
                if self.group.depth == 1:
                    self.group.receives = []
                    self.groups += 1
            case "ncclSend", (at, size, 0, other, communicator, _):
                made, rank = divmod(communicator.value, 1000)
                self.sent[made, rank, other].put(ctypes.string_at(at.value, size.value))
            case "ncclRecv", (at, size, 0, other, communicator, _):
                self.group.receives.append((at.value, size.value, other, communicator.value))
            case "ncclGroupEnd", _:
                self.group.depth -= 1
                for at, size, other, communicator in () if self.group.depth else self.group.receives:
                    self.receive(at, size, other, communicator)
            case "ncclAllReduce" | "ncclReduceScatter", (value, result, count, kind, how, communicator, _):
                dtype = DTYPES[kind]
                parts = self.counts[communicator.value // 1000] if name == "ncclReduceScatter" else 1
                rows = self.gathered(value.value, parts * count.value * dtype.itemsize, communicator.value)
                total = FOLDS[how].reduce(np.stack([np.frombuffer(row, dtype) for row in rows]), 0, dtype=dtype)
                part = np.ascontiguousarray(total.reshape(parts, -1)[communicator.value % 1000 if parts > 1 else 0])
                ctypes.memmove(result.value, part.ctypes.data, part.nbytes)
            case "ncclAllGather", (value, result, count, 0, communicator, _):
                rows = self.gathered(value.value, count.value, communicator.value)
                ctypes.memmove(result.value, b"".join(rows), len(rows) * count.value)
            case "ncclCommAbort", (communicator,):
                self.aborted.add(communicator.value)
            case _:
                raise AssertionError(name)

    def gathered(self, at: int, size: int, communicator: int) -> list[bytes]:
        """What each of a communicator's ranks has at its address."""
        made, rank = divmod(communicator, 1000)
        mine, others = ctypes.string_at(at, size), [n for n in range(self.counts[made]) if n != rank]
        for other in others:
            self.sent[made, rank, other].put(mine)
        found = {rank: mine}
        for other in others:
            buffer = ctypes.create_string_buffer(size)
            self.receive(ctypes.addressof(buffer), size, other, communicator)
            found[other] = buffer.raw
        return [found[n] for n in range(self.counts[made])]

    def receive(self, at: int, size: int, other: int, communicator: int) -> None:
        made, rank = divmod(communicator, 1000)
        while communicator not in self.aborted:
            try:
                found = self.sent[made, other, rank].get(timeout=0.01)
            except queue.Empty:
                continue
            assert len(found) == size
            ctypes.memmove(at, found, size)
            return
        raise RuntimeError("ncclGroupEnd of NCCL failed: aborted")


class FakeDriver:
    """The driver's copies, at once."""

    def cuMemsetD8Async(self, at: int, value: int, size: int, stream: Any) -> tuple[int]:  # noqa: N802
        ctypes.memset(at, value, size)
        return (0,)

    def cuMemcpyDtoDAsync(self, to: int, source: int, size: int, stream: Any) -> tuple[int]:  # noqa: N802
        ctypes.memmove(to, source, size)
        return (0,)

    apart = frozenset[tuple[int, int]]()  # GPUs that do not reach each other's memory

    def cuDeviceCanAccessPeer(self, device: int, other: int) -> tuple[int, int]:  # noqa: N802
        return 0, (device, other) not in self.apart

    def cuCtxGetDevice(self) -> tuple[int, int]:  # noqa: N802
        return 0, 0

    def cuCtxGetCurrent(self) -> tuple[int, int]:  # noqa: N802
        return 0, 0


class FakeGpu:
    def __init__(self, number: int) -> None:
        self.name, self.lock = f"CUDA:{number}", threading.RLock()

    def enter(self) -> None:
        pass

    def finish(self) -> None:
        pass


@pytest.fixture
def fake(monkeypatch: pytest.MonkeyPatch) -> Iterator[FakeNccl]:
    library = FakeNccl()
    monkeypatch.setattr(nccl, "nccl", lambda: library)
    monkeypatch.setattr("hlo2tiny.targets.cuda.team.nccl", lambda: library)
    monkeypatch.setattr(nccl, "driver", FakeDriver)
    monkeypatch.setattr("hlo2tiny.targets.cuda.driver.driver", FakeDriver)
    yield library
    nccl._grids.clear()


def expected(name: str, groups: Sequence[Sequence[int]], values: np.ndarray) -> list[np.ndarray]:
    """The results of a collective on a row for each process, by the definition of each."""
    count, parts = len(values), max(map(len, groups))
    shape = {"all_gather": (count, parts, *values.shape[1:])}.get(name, values.shape)
    results = np.zeros(shape, values.dtype)
    for group in groups:
        for place, n in enumerate(group):
            if name == "all_gather":
                results[n, : len(group)] = values[list(group)]
            elif name == "all_to_all":
                results[n, : len(group)] = values[list(group), place]
            elif name == "collective_broadcast":
                results[n] = values[group[0]]
        if name == "collective_permute":
            results[group[1]] = values[group[0]]
    return list(results)


@pytest.mark.parametrize(
    "name, groups",
    [
        ("all_gather", ((0, 1, 2, 3),)),
        ("all_gather", ((2, 0), (1,))),  # of different sizes; 3 is in none
        ("all_to_all", ((3, 1), (0, 2))),
        ("all_to_all", ((1, 3, 0), (2,))),
        ("collective_broadcast", ((2, 3), (1, 0))),
        ("collective_permute", ((0, 1), (1, 2), (2, 0))),
        ("collective_permute", ((3, 3), (0, 1))),  # to itself
    ],
)
def test_exchanges(fake: FakeNccl, name: str, groups: tuple[tuple[int, ...], ...]) -> None:
    people = grid_on([FakeGpu(n) for n in range(4)]).each  # type: ignore[misc]
    parts = max(map(len, groups)) if name.startswith("all") else 1
    values = np.random.default_rng(0).integers(1, 99, (4, parts, 3) if name == "all_to_all" else (4, 3), np.int32)
    wanted = expected(name, groups, values)
    results = [np.full_like(row, -1) for row in wanted]
    step = Collective(name, groups, (0,), (1,), None)  # type: ignore[arg-type]
    sources = [step.sources(n) for n in range(4)]
    action = GraphExchange(sources, (), results[0].nbytes // len(sources[0]))  # type: ignore[arg-type]
    pairs = list(zip(values, results))

    def work(n: int) -> None:
        people[n].carry_out(action, pairs[n][0].ctypes.data, pairs[n][1].ctypes.data, 0)

    threads = [threading.Thread(target=work, args=(n,)) for n in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    np.testing.assert_array_equal(results, wanted)


class FakeCode:
    """Code of which each process reads the value of the one before it, unless it fails first."""

    takes_turns = False
    executable = CudaExecutable((), (), (), 0)

    def __init__(self, number: int, count: int, failing: set[int]) -> None:
        self.gpu, self.number, self.failing = FakeGpu(number), number, failing
        self.sources = [[((n - 1) % count, 0)] for n in range(count)]
        self.joined: list[Any] = []

    def join(self, process: Any, loops: bool) -> None:
        self.joined.append(process)

    def forget(self) -> None:
        self.joined.append(None)

    def run_arrays(self, inputs: Sequence[np.ndarray], outputs: dict[int, np.ndarray]) -> None:
        if self.number in self.failing:
            raise ValueError(f"device {self.number} fails")
        action = GraphExchange(self.sources, (), inputs[0].nbytes)  # type: ignore[arg-type]
        self.joined[-1].carry_out(action, inputs[0].ctypes.data, outputs[0].ctypes.data, 0)


@pytest.mark.timeout(20)
def test_an_error_of_one_process_ends_the_call_of_all(fake: FakeNccl) -> None:
    failing: set[int] = set()
    codes = [FakeCode(n, 3, failing) for n in range(3)]
    team = GpuTeam(codes)  # type: ignore[arg-type]
    inputs = [[np.array([n])] for n in range(3)]

    def call() -> list[int]:
        outputs = [[np.zeros(1, int)] for _ in range(3)]
        team.run_each(inputs, outputs)
        return [int(row[0][0]) for row in outputs]

    assert call() == call() == [2, 0, 1] and fake.made == 1
    failing.add(1)
    with pytest.raises(ValueError, match="device 1 fails"):
        call()
    for thread in ends():
        thread.join()
    assert fake.aborted == {1000, 1001, 1002} and all(code.joined[-1] is None for code in codes)  # no graph is left
    failing.clear()
    assert call() == [2, 0, 1] and fake.made == 2


def exchange_between(*numbers: int) -> GraphExchange:
    """Each of these processes of four takes what the one before it has."""
    rows: list[Any] = [(None,)] * 4
    for before, n in zip((*numbers[-1:], *numbers), numbers):
        rows[n] = ((before, 0),)
    return GraphExchange(tuple(rows), (Place("argument", 0), Place("result", 0)), 4)


def test_exchanges_that_do_not_wait_for_each_other_are_one_call() -> None:
    def exchange(source: int, target: int, kind: str = "arena") -> GraphExchange:
        return replace(exchange_between(0, 1), places=(Place(kind, source), Place(kind, target)))

    first, second, same = exchange(0, 64), exchange(128, 192), exchange(128, 256)  # of 4 bytes
    later, over = exchange(66, 300), exchange(400, 130)
    assert [*batches([first, second, same], GraphExchange.waits_for)] == [[first, second, same]]  # they read the same
    assert [*batches([first, later, over], GraphExchange.waits_for)] == [
        [first],
        [later, over],
    ]  # the second one reads what the first writes
    assert [*batches([second, over], GraphExchange.waits_for)] == [[second], [over]]  # or writes what it reads
    assert [*batches([first, first], GraphExchange.waits_for)] == [[first], [first]]
    apart = [exchange(number, number, "result") for number in range(2)]
    assert [*batches(apart, GraphExchange.waits_for)] == [apart]


def test_processes_that_wait_for_each_other_in_vain(fake: FakeNccl) -> None:
    people = grid_on([FakeGpu(n) for n in range(4)])  # type: ignore[misc]
    everyone, left, right = exchange_between(0, 1, 2, 3), exchange_between(0, 1), exchange_between(2, 3)
    assert everyone.others(0) == {1, 3} and left.others(1) == {0} and left.others(2) == set()

    def meet(number: int, exchange: GraphExchange) -> str:
        return people.meet(number, dict.fromkeys(exchange.others(number), exchange))

    people.begin()
    for exchange in (left, right, everyone):  # 0 and 1 are ahead of 2 and 3
        assert not any(meet(n, exchange) for n in range(4))
    assert [people.end(n) for n in range(4)] == [None] * 4
    people.begin()
    assert not meet(0, left)
    assert meet(1, exchange_between(1, 0)) == "device 1 waits here, but device 0 is at another collective"
    people.begin()
    assert not meet(0, left) and people.end(1) == (0, left)
    assert not people.end(2) and meet(3, right) == "device 3 waits here, but device 2 has finished"


def test_gpus_that_do_not_reach_each_other_are_named(fake: FakeNccl, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(FakeDriver, "apart", {(0, 0)})
    message = "^CUDA:0 and CUDA:1 cannot reach each other's memory, so they exchange values through the host$"
    with pytest.warns(UserWarning, match=message):
        grid_on([FakeGpu(n) for n in range(2)])  # type: ignore[misc]


def test_nccl_is_missing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(nccl, "library", lambda name: None)
    with pytest.raises(hlo2tiny.InputError, match=r"not installed; run `pip install 'hlo2tiny\[cuda-several\]'`"):
        GpuTeam([])


def ends() -> list[threading.Thread]:
    return [thread for thread in threading.enumerate() if thread.name == nccl.ENDING]


def emitted(path: Path | str, native: bool = True) -> tuple[Local, Plan, CudaExecutable]:
    """A program without libraries but NCCL: what each process runs."""
    module = hlo2tiny.parse(path)
    count = int(module.attributes["mhlo.num_partitions"].value)  # type: ignore[attr-defined]
    local = localise(with_collectives(module), count, native)
    devices = tuple(f"CUDA:{n}" for n in range(len(local.inputs[0].indices)))
    with lowering_settings("CUDA"):
        plan = build(unwrap(local.module), devices=devices, products=True)
    return local, plan, executable_of(plan, "CUDA", "sm_90", frozenset(), lambda done, total: None)


class Emulated(Emulator):
    """A process, whose exchanges go through its part of the fake library."""

    running = threading.Lock()
    process: NcclProcess

    def run(self, actions: Sequence[Action]) -> None:
        for action in actions:
            match action:
                case GraphExchange():
                    value, result = (self.bytes(place, 1).ctypes.data for place in action.places)
                    self.process.carry_out(action, value, result, 0)
                case Number():
                    self.bytes(action.place, 4).view(np.uint32)[0] = self.process.number
                case _:
                    super().run([action])

    def launch(self, action: GraphLaunch) -> None:
        with self.running:
            super().launch(action)


class EmulatedTeam:
    device = "CPU"

    def __init__(self, run: Emulated, people: Sequence[NcclProcess]) -> None:
        self.count, self.processes = len(people), [copy.copy(run) for _ in people]
        for each, process in zip(self.processes, people):
            each.process = process

    def run_each(self, inputs: Sequence[Sequence[Any]], outputs: Sequence[Sequence[np.ndarray]]) -> None:
        with ThreadPoolExecutor(self.count) as pool:
            for found, places in zip(pool.map(lambda run, row: run(row), self.processes, inputs), outputs):
                for array, place in zip(found, places):
                    place[...] = array


def corpus() -> list[Any]:
    """Those that do not compile in a second are for the night."""
    slow = {"data_parallel_training": pytest.mark.night}
    return [pytest.param(path, id=path.stem, marks=slow.get(path.stem, ())) for path in sorted(CORPUS.glob("*.mlir"))]


def emulate(local: Local, plan: Plan, executable: CudaExecutable, folder: Path) -> ShardedExecutor:
    people = grid_on([FakeGpu(n) for n in range(plan.processes)])  # type: ignore[misc]
    people.expect_groups(executable.actions)
    team = EmulatedTeam(Emulated(plan, executable, folder), people.each)
    return ShardedExecutor(team, local.inputs, local.outputs)  # type: ignore[arg-type]


@pytest.mark.sampled(2)
@pytest.mark.parametrize("native", [True, False], ids=["NCCL's own", "in the CPU's order"])
@pytest.mark.parametrize("path", corpus())
def test_executables_of_the_corpus_give_xlas_results(fake: FakeNccl, path: Path, native: bool, tmp_path: Path) -> None:
    local, plan, executable = emitted(path, native)
    run = emulate(local, plan, executable, tmp_path)
    with np.load(path.with_suffix(".npz")) as archive:
        found = run.run_numpy([archive[f"in{i}"] for i in range(len(local.inputs))])
        for i, result in enumerate(found):
            np.testing.assert_allclose(result, archive[f"out{i}"], rtol=1e-5, atol=1e-6)


def test_the_executable_of_a_pipeline() -> None:
    """Its loop is unrolled, so that one graph holds all that the processes exchange."""
    *_, executable = emitted(CORPUS / "pipeline.mlir")
    found = [action for action in executable.actions if isinstance(action, GraphExchange)]
    ring = ((None,), ((0, 0),), ((1, 0),), ((2, 0),))
    assert not needs_host(executable.actions) and [a.sources for a in found].count(ring) == 9
    assert sum(isinstance(action, Number) for action in executable.actions) == 1
    assert from_rows(json.loads(json.dumps(to_rows(executable.actions)))) == executable.actions
    assert 256 in {exchange.size for exchange in found}


def test_exchanges_in_loops_and_branches_run_between_graphs() -> None:
    exchange = GraphExchange((((0, 0),),), (0, 0), 4)  # type: ignore[arg-type]
    for action in (GraphLoop((), (exchange,), None, 3), GraphBranch(None, True, ((exchange,),))):  # type: ignore[arg-type]
        assert needs_host([action])
    assert not needs_host([exchange])


def test_loops_that_exchange_values_are_parts_of_graphs_where_nccl_uses_only_kernels() -> None:
    """The outermost ones, of which it is known when two processes leave one apart."""
    exchange = GraphExchange((((0, 0),),), (0, 0), 4)  # type: ignore[arg-type]
    loop = GraphLoop((exchange,), (exchange,), None, None)  # type: ignore[arg-type]
    branch = GraphBranch(None, True, ((exchange,),))  # type: ignore[arg-type]
    assert not needs_host([loop], loops=True)
    for action in (branch, replace(loop, body=(branch,)), replace(loop, body=(loop,))):
        assert needs_host([action], loops=True)


def reducing(name: str, kind: str, fold: str, groups: Sequence[Sequence[int]]) -> str:
    """A program for several that reduces a row of each in groups, or a part of it."""
    scatter, size = name == "reduce_scatter", len(groups[0])
    count = size * len(groups)
    part, result = f"tensor<1x{8 * size}x{kind}>", f"tensor<1x{8 if scatter else 8 * size}x{kind}>"
    dimension = "scatter_dimension = 1 : i64, " if scatter else ""
    whole, wholes = (t.replace("<1x", f"<{count}x") for t in (part, result))
    shards, listed = '[<@mesh, [{"x"}, {}]>]', f"dense<{[*map(list, groups)]}> : tensor<{len(groups)}x{size}xi64>"
    return f"""module attributes {{mhlo.num_partitions = {count} : i32}} {{
sdy.mesh @mesh = <["x"={count}]>
func.func @main(%x: {whole}) -> {wholes} {{
  %0 = sdy.manual_computation(%x) in_shardings={shards} out_shardings={shards} manual_axes={{"x"}} (%v: {part}) {{
    %r = "stablehlo.{name}"(%v) <{{{dimension}replica_groups = {listed},
        channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, use_global_device_ids}}> ({{
      ^bb0(%p: tensor<{kind}>, %q: tensor<{kind}>):
        %s = stablehlo.{fold} %p, %q : tensor<{kind}>
        stablehlo.return %s : tensor<{kind}>
    }}) : ({part}) -> {result}
    sdy.return %r : {result}
  }} : ({whole}) -> {wholes}
  return %0 : {wholes}
}}
}}"""


@pytest.mark.parametrize(
    "size, expected",
    [
        (2048, ["Gemm", "Kernels", "Collective", "Gemm", "Collective", "Kernels"]),
        (1024, ["Gemm", "Kernels", "Gemm", "Collective", "Collective", "Kernels"]),  # little is exchanged together
    ],
)
def test_what_is_summed_is_exchanged_while_the_next_sum_is_computed(size: int, expected: list[str]) -> None:
    """As gradients are, of which a file averages the last one first; what neither needs stays one kernel."""
    t, sums = f"tensor<{size}x{size}xf32>", ""
    for name, value in (("s1", "g"), ("s2", "f")):
        sums += f"""
    %{name} = "stablehlo.all_reduce"(%{value}) <{{replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>,
        channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, use_global_device_ids}}> ({{
      ^bb0(%p: tensor<f32>, %q: tensor<f32>):
        %s = stablehlo.add %p, %q : tensor<f32>
        stablehlo.return %s : tensor<f32>
    }}) : ({t}) -> {t}"""
    dot = f"contracting_dims = [1] x [0] : ({t}, {t}) -> {t}"
    _, plan, _ = emitted(f"""module attributes {{mhlo.num_partitions = 2 : i32}} {{
sdy.mesh @mesh = <["x"=2]>
func.func @main(%x: {t}) -> ({t}, {t}) {{
  %0:2 = sdy.manual_computation(%x) in_shardings=[<@mesh, [{{}}, {{}}]>]
      out_shardings=[<@mesh, [{{}}, {{}}]>, <@mesh, [{{}}, {{}}]>] manual_axes={{"x"}} (%a: {t}) {{
    %f = stablehlo.dot_general %a, %a, {dot}
    %b = stablehlo.tanh %a : {t}
    %g = stablehlo.dot_general %f, %b, {dot}{sums}
    %r1 = stablehlo.add %s1, %b : {t}
    %r2 = stablehlo.add %s2, %b : {t}
    sdy.return %r1, %r2 : {t}, {t}
  }} : ({t}) -> ({t}, {t})
  return %0#0, %0#1 : {t}, {t}
}}
}}""")
    assert [type(step).__name__ for step in plan.main.steps] == expected


PAIRS = ((2, 0), (1, 3))


@pytest.mark.parametrize("count", [2, 3, 5, 8])
@pytest.mark.parametrize("name", ["all_reduce", "reduce_scatter"])
def test_reductions_of_all(fake: FakeNccl, name: str, count: int, tmp_path: Path) -> None:
    """One communicator is enough; integers are the same in any order."""
    local, plan, executable = emitted(reducing(name, "f32", "add", [range(count)]))
    x = np.random.default_rng(count).integers(-99, 100, (count, 8 * count)).astype(np.float32)
    (found,) = emulate(local, plan, executable, tmp_path).run_numpy([x])
    total = x.sum(0)
    expected = total.reshape(count, 8) if name == "reduce_scatter" else np.stack([total] * count)
    np.testing.assert_array_equal(found, expected)
    assert fake.made == 1


@pytest.mark.parametrize(
    "name, kind, fold, own",
    [
        ("all_reduce", "f32", "add", "AllReduce Sum of 64 bytes"),
        ("all_reduce", "bf16", "add", "AllReduce Sum of 32 bytes"),
        ("all_reduce", "i32", "multiply", "AllReduce Prod of 64 bytes"),
        ("all_reduce", "i64", "minimum", "AllReduce Min of 128 bytes"),
        ("reduce_scatter", "f32", "add", "ReduceScatter Sum of 64 bytes"),
        ("reduce_scatter", "i32", "maximum", "ReduceScatter Max of 64 bytes"),
        ("all_reduce", "f32", "maximum", ""),  # NCCL's loses NaN
        ("all_reduce", "i16", "add", ""),  # a type that NCCL lacks
        ("all_reduce", "i32", "subtract", ""),
    ],
)
def test_reductions_in_groups(fake: FakeNccl, name: str, kind: str, fold: str, own: str, tmp_path: Path) -> None:
    """Pairs that are not in order, whose communicators are their own; gathers are NCCL's own anyway."""
    local, plan, executable = emitted(reducing(name, kind, fold, PAIRS))
    combined = [a for a in exchanges_of(executable.actions) if isinstance(a, GraphCombine) and a.reduction]
    assert [f"{a.name} {a.reduction} of {a.size} bytes" for a in combined] == [own] * bool(own)
    assert from_rows(json.loads(json.dumps(to_rows(executable.actions)))) == executable.actions
    dtype = np.dtype({"f": "float", "i": "int", "b": "bfloat"}[kind[0]] + kind.lstrip("bfi"))
    x = np.random.default_rng(0).integers(-3, 4, (4, 16)).astype(dtype)
    (found,) = emulate(local, plan, executable, tmp_path).run_numpy([x])
    expected = np.zeros_like(found)
    for group in PAIRS:
        total = getattr(np, fold).reduce(x[list(group)], 0, dtype=dtype)
        for place, n in enumerate(group):
            expected[n] = total.reshape(2, -1)[place] if name == "reduce_scatter" else total
    np.testing.assert_array_equal(found, expected)
    assert fake.made == (3 if own else fake.made)


@pytest.mark.parametrize("name", ["all_reduce", "reduce_scatter"])
def test_gradients_of_reductions(fake: FakeNccl, name: str, tmp_path: Path) -> None:
    """Of the sum of all results, weighed; in groups, NCCL's own and in the CPU's order."""
    text, found = reducing(name, "f32", "add", PAIRS), []
    x = np.random.default_rng(0).integers(-3, 4, (4, 16)).astype(np.float32)
    for native in (True, False):
        local, *_ = emitted(text, native)
        with lowering_settings("CUDA"):
            module, seeds = gradient(unwrap(local.module), "main", (0,))
            plan = build(module, devices=tuple(f"CUDA:{n}" for n in range(4)), products=True)
        executable = executable_of(plan, "CUDA", "sm_90", frozenset(), lambda done, total: None)
        assert any(isinstance(action, GraphCombine) for action in executable.actions) or not native
        people = grid_on([FakeGpu(n) for n in range(4)])  # type: ignore[misc]
        people.expect_groups(executable.actions)
        (tmp_path / str(native)).mkdir()
        team = EmulatedTeam(Emulated(plan, executable, tmp_path / str(native)), people.each)
        given = [*local.inputs, *(local.outputs[i] for i in seeds)]
        shape = local.outputs[0].type.shape
        weights = np.arange(np.prod(shape), dtype=np.float32).reshape(shape) % 7  # type: ignore[arg-type]
        run = ShardedExecutor(team, given, [local.inputs[0]], range(1, len(given)), summed=True)  # type: ignore[arg-type]
        found.append(run.run_numpy([x, weights])[0])
    np.testing.assert_array_equal(*found)
    assert np.abs(found[0]).max() > 1
