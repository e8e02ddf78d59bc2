"""Memory of plans: which gap serves a buffer."""

from __future__ import annotations

import random

import pytest

from hlo2tiny.ir.sizes import OpenDimension, Size, largest, typical
from hlo2tiny.plan.memory import PlanMemory, align

ROWS, COLUMNS = (Size({(OpenDimension(n, most),): 64}) for n, most in enumerate((1000, 7)))


@pytest.mark.parametrize("open_sizes", [[], [ROWS, COLUMNS, 3 * ROWS + 64, ROWS * COLUMNS]], ids=["known", "open"])
@pytest.mark.parametrize("seed", range(5))
def test_the_smallest_gap_serves_that_is_large_enough(open_sizes: list[int], seed: int) -> None:
    draw, memory, live = random.Random(seed), PlanMemory(), list[tuple[int, int]]()
    for _ in range(300):
        assert sorted(memory.sizes.items(), key=typical_place) == sorted(memory.free, key=typical_place)
        if live and draw.random() < (0.3 if len(live) < 30 else 0.6):
            memory.give(*live.pop(draw.randrange(len(live))))
            continue
        size = draw.choice([draw.randrange(1, 5000), 4096, 640, *open_sizes])
        fitting = [gap for gap in memory.free if largest(align(size) - gap[1]) <= 0]
        last = [at for at, length in memory.free if at + length == memory.size and largest(length - align(size)) <= 0]
        best = (
            min(fitting, key=lambda gap: (typical(gap[1]), typical(gap[0])))[0] if fitting else [*last, memory.size][0]
        )
        at = memory.take(size)
        assert at == best
        live.append((at, size))
    for at, size in live:
        memory.give(at, size)
    assert memory.free == [(0, memory.size)]


def typical_place(gap: tuple[int, int]) -> tuple[int, int]:
    return typical(gap[0]), typical(gap[1])
