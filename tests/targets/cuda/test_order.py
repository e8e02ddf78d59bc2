"""What waits for what in a CUDA graph, recorded without a GPU."""

from __future__ import annotations

from collections.abc import Sequence

from hlo2tiny.targets.cuda.order import BufferAccess, Order
from hlo2tiny.targets.cuda.recorder import EXCHANGING


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


def test_an_empty_recording_ends_where_it_begins() -> None:
    assert recorded() == ([], [])


def test_exchanges_run_in_one_order_and_others_beside_them() -> None:
    first, second = [EXCHANGING, (0, 8, False), (8, 8, True)], [EXCHANGING, (16, 8, False), (24, 8, True)]
    beside, after = [(100, 8, True)], [(8, 8, False), (100, 8, True)]
    edges, last = recorded(first, beside, second, after)
    assert edges == [[], [], [0], [0, 1]] and last == [2, 3]
