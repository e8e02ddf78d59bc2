"""The finder of cliffs (tests/bench/families.py): small programs that it draws from each family give JAX's numbers."""

from __future__ import annotations

import sys
from collections.abc import Iterator
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


@pytest.fixture
def drawn() -> Iterator[families.Drawn]:
    """A third and a seventh of some numbers."""
    yield families.Drawn(lambda x: (x / 3, x / 7), [np.linspace(-1, 1, 101, dtype=np.float32)])
    jax.config.update("jax_enable_x64", False)  # in which the results in double are computed


def test_errors(drawn: families.Drawn) -> None:
    exact = families.in_double(drawn)
    assert exact is not None
    ours, xla = ([(x * factor).astype(np.float32) for x in exact] for factor in (1 + 1e-5, 1))
    errors = families.error_of(ours, exact), families.error_of(xla, exact)
    assert errors[1] < families.EXACT < 9e-6 < errors[0] < 1.1e-5
    row = families.Row("0 norm: …", 1, 1, 1, 1, 0, True, errors)
    assert row.less_exact
    assert "norm" in families.exactness([row]) and families.exactness([replace(row, errors=None)]) == ""


def test_each_result_is_right_for_a_reason_of_its_own(drawn: families.Drawn, monkeypatch: pytest.MonkeyPatch) -> None:
    exact = [x.astype(np.float32) for x in families.in_double(drawn) or ()]
    wrong = [x * np.float32(1.1) for x in exact]
    assert families.is_right(drawn, exact, exact, "CPU") and families.is_right(drawn, exact, wrong, "CPU")
    assert families.is_right(drawn, [exact[0], wrong[1]], [wrong[0], wrong[1]], "CPU")
    assert not families.is_right(drawn, [wrong[0], exact[1]], [exact[0], wrong[1]], "CPU")
    monkeypatch.setattr(families, "in_double", lambda drawn: None)
    monkeypatch.setattr(families, "one_by_one", lambda drawn: None)
    assert families.is_right(drawn, exact, wrong, "CUDA") and not families.is_right(drawn, exact, wrong, "CPU")


def test_distribution() -> None:
    table = [*families.distribution([0.1, 0.3, 0.4, 1.1, 70.0])]
    assert [line.split("|")[2].strip() for line in table[1:]] == [*"12001000001"]
