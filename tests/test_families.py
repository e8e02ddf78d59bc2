"""The finder of cliffs (tests/bench/families.py): small programs that it draws from each family give JAX's numbers."""

from __future__ import annotations

import sys
from pathlib import Path

import jax
import numpy as np
import pytest

import hlo2tiny
from hlo2tiny.commands import bench

sys.path.append(str(Path(__file__).parent / "bench"))
import families

SMALL = 1 << 11, 1 << 18
COUNT = len(families.FAMILIES)
SEEDS = [family + COUNT * variant for family in range(COUNT) for variant in range(8)]


@pytest.mark.sampled(48, ci=24)
@pytest.mark.parametrize("seed", SEEDS)
def test_numbers(seed: int) -> None:
    name, drawn, wide = families.draw_program(seed, SMALL)
    try:
        text = families.export(drawn, wide, "cpu")
        expected = [np.asarray(x) for x in jax.tree.leaves(jax.jit(drawn.function)(*drawn.arguments))]
    finally:
        jax.config.update("jax_enable_x64", False)
    found = hlo2tiny.load(text, "CPU").numpy_one_by_one([np.array(x) for x in drawn.arguments])
    apart = bench.difference(found, expected)
    assert apart is not None and apart <= families.tolerance_of([*drawn.arguments, *expected], "CPU"), name


def test_distribution() -> None:
    table = [*families.distribution([0.1, 0.3, 0.4, 1.1, 70.0])]
    assert [line.split("|")[2].strip() for line in table[1:]] == [*"12001000001"]
