"""The finder of cliffs (tests/bench/families.py): small programs that it draws from each family give JAX's numbers."""

from __future__ import annotations

import sys
from dataclasses import replace
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


def test_errors() -> None:
    x = np.linspace(-1, 1, 101, dtype=np.float32)
    drawn, exact = families.Drawn(lambda x: x / 3, [x]), x.astype(float) / 3
    try:
        errors = families.errors_of(drawn, [(exact * (1 + 1e-5)).astype(np.float32)], [exact.astype(np.float32)])
    finally:
        jax.config.update("jax_enable_x64", False)
    assert errors is not None
    ours, xla = errors
    assert xla < families.EXACT < 9e-6 < ours < 1.1e-5
    row = families.Row("0 norm: …", 1, 1, 1, 1, 0, True, errors)
    assert row.less_exact and not families.is_nearer(errors)
    assert "norm" in families.exactness([row]) and families.exactness([replace(row, errors=None)]) == ""


def test_distribution() -> None:
    table = [*families.distribution([0.1, 0.3, 0.4, 1.1, 70.0])]
    assert [line.split("|")[2].strip() for line in table[1:]] == [*"12001000001"]
