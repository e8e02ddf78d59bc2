"""What waits for what in a CUDA graph, recorded without a GPU."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from random import Random
from types import SimpleNamespace
from typing import Any

import pytest

from hlo2tiny.ir.place import Place
from hlo2tiny.targets.cuda import driver, recorder
from hlo2tiny.targets.cuda.executable import GraphLaunch
from hlo2tiny.targets.cuda.kernels import CudaKernel, KernelParameter
from hlo2tiny.targets.cuda.order import BufferAccess, Order
from hlo2tiny.targets.cuda.recorder import EXCHANGING, Recorder


def recorded(*actions: Sequence[BufferAccess] | None) -> tuple[list[list[int]], list[int]]:
    """For each action, those that it waits for directly; and those that what follows would wait for."""
    waiting: list[list[int]] = [[]]  # the last one is what the next action waits for

    def continue_after(nodes: Sequence[int]) -> None:
        waiting[-1] = [*nodes]

    order = Order(lambda: [*waiting[-1]], continue_after)
    for number, accesses in enumerate(actions):
        order.begin(accesses)
        waiting.append([number])
        order.end()
    order.begin()
    return waiting[:-1], waiting[-1]


def test_actions_wait_for_what_they_share_memory_with() -> None:
    write_a, write_b, read_both = [(0, 10, True)], [(100, 10, True)], [(0, 10, False), (105, 1, False), (300, 8, True)]
    edges, last = recorded(write_a, write_b, read_both, [(0, 5, False)], [(9, 1, True)], [(304, 4, False)])
    assert edges == [[], [], [0, 1], [0], [2], [2]]
    assert last == [3, 4, 5]


def test_writers_wait_for_readers_but_for_nothing_that_these_have_waited_for() -> None:
    write, read = [(0, 10, True)], [(0, 10, False)]
    assert recorded(write, read, read, write, read) == ([[], [0], [0], [1, 2], [3]], [4])


def test_a_loop_waits_for_everything_and_everything_for_it() -> None:
    edges, last = recorded([(0, 4, True)], [(8, 4, True)], None, [(0, 4, True)], [(8, 4, True)])
    assert edges == [[], [], [0, 1], [2], [2]] and last == [3, 4]


@pytest.mark.parametrize("seed", range(20))
def test_what_is_kept_of_each_part_of_a_memory_says_what_waits_for_what(seed: int) -> None:
    """Comparing each access with all before it, as the definition does, takes seconds for loops of 512 turns."""
    random = Random(seed)
    actions = [
        [(random.randrange(40), random.randrange(12), random.random() < 0.4) for _ in range(random.randint(1, 4))]
        for _ in range(60)
    ]
    shared = lambda a, b: any((x[2] or y[2]) and max(x[0], y[0]) < min(x[0] + x[1], y[0] + y[1]) for x in a for y in b)
    before = list[set[int]]()  # for each action all those that it waits for
    for number, action in enumerate(actions):
        direct = {n for n in range(number) if shared(actions[n], action)}
        before.append(direct.union(*(before[n] for n in direct)))
    edges, _ = recorded(*actions)
    for number, found in enumerate(edges):
        assert set(found).union(*(before[n] for n in found)) == before[number]
        assert not any(n in before[other] for n in found for other in found)


def test_an_empty_recording_ends_where_it_begins() -> None:
    assert recorded() == ([], [])


def test_exchanges_run_in_one_order_and_others_beside_them() -> None:
    first, second = [EXCHANGING, (0, 8, False), (8, 8, True)], [EXCHANGING, (16, 8, False), (24, 8, True)]
    beside, after = [(100, 8, True)], [(8, 8, False), (100, 8, True)]
    edges, last = recorded(first, beside, second, after)
    assert edges == [[], [], [0], [0, 1]] and last == [2, 3]


class Nodes:
    """A driver whose kernels become nodes 1, 2, …, and which keeps what each one waits for, and how."""

    CUstreamUpdateCaptureDependencies_flags = SimpleNamespace(CU_STREAM_SET_CAPTURE_DEPENDENCIES=1)
    CUgraphDependencyType = SimpleNamespace(CU_GRAPH_DEPENDENCY_TYPE_PROGRAMMATIC=1)
    CU_GRAPH_KERNEL_NODE_PORT_PROGRAMMATIC = 1
    CUgraphEdgeData, CUgraph = SimpleNamespace, type("CUgraph", (), {})

    def __init__(self) -> None:
        self.before, self.early = list[int](), False
        self.waits: list[tuple[list[int], bool]] = []

    def cuStreamGetCaptureInfo(self, stream: object) -> Any:  # noqa: N802
        return 0, 1, self.CUgraph(), [*self.before]

    def cuStreamUpdateCaptureDependencies(self, stream: object, nodes: Any, edges: Any, *rest: int) -> Any:  # noqa: N802
        self.before, self.early = nodes, edges is not None
        assert edges is None or [(edge.from_port, edge.type) for edge in edges] == [(1, 1)] * len(nodes)
        return (0,)

    def cuLaunchKernel(self, *arguments: object) -> Any:  # noqa: N802
        self.waits.append((self.before, self.early))
        self.before, self.early = [len(self.waits)], False
        return (0,)


@pytest.mark.parametrize("arch, depth, expected", [("sm_90", 0, True), ("sm_90", 1, False), ("sm_80", 0, False)])
def test_kernels_start_early_after_kernels_if_they_are_small_or_read_constants(
    arch: str, depth: int, expected: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    parameters = KernelParameter("int*", "x"), KernelParameter("int*", "y", False), KernelParameter("int*", "z", False)
    plain = CudaKernel("k", parameters, "", (), (1 << 18, 1, 1), (1, 1, 1), False, ())
    # What each kernel writes, and what it reads; the second kernel reads the first of this before it waits.
    places = [Place(*each) for each in (("arena", 0), ("arena", 256), ("constant", 0))]
    launches = [(0, 0, 2, 2), (1, 1, 2, 0), (0, 0, 1, 2), (1, 1, 0, 2), (1, 0, 2, 1), (2, 1, 0, 2)]
    actions = [GraphLaunch(kernel, tuple(places[n] for n in used), (64, 64, 64)) for kernel, *used in launches]
    nodes, gpu = Nodes(), SimpleNamespace(arch=arch, stream=lambda depth: 0)
    executable = SimpleNamespace(kernels=[plain, replace(plain, early=(1,)), replace(plain, grid=(1, 1, 1))])
    loaded = SimpleNamespace(executable=executable, functions=[0, 1, 2], gpu=gpu)
    for module in (recorder, driver):
        monkeypatch.setattr(module, "driver", lambda: nodes)
    Recorder(loaded, lambda place: place.number + (1 << 20) * (place.kind == "constant"), depth).record(actions)  # type: ignore[arg-type]
    waits = [([], False), ([1], expected), ([2], False), ([3], False), ([4], expected), ([5], expected)]
    assert nodes.waits == waits
