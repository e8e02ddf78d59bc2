"""Rows of a table that ops compute are computed alone, wherever that gives the same numbers."""

from __future__ import annotations

from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest

import hlo2tiny
from hlo2tiny import Program
from hlo2tiny.ir.dtypes import static_shape

ROWS, WIDTH = 2048, 32
RANDOM = np.random.default_rng(0)
NUMBERS = RANDOM.integers(-128, 128, (ROWS, WIDTH)).astype(np.int8)
SCALES = RANDOM.standard_normal((ROWS, 2)).astype(np.float32)
PLACES = np.array([[0, 5, 2047], [7, 7, 1024]], np.int32)
FIRST = np.int32(9)


def table(numbers: Any, scales: Any) -> Any:
    """Bytes times scales, one for each half of a row."""
    return (numbers.reshape(ROWS, 2, -1).astype(jnp.float32) * scales[..., None]).reshape(ROWS, -1)


def halves(numbers: Any, scales: Any) -> Any:
    """The same for numbers of four bits, as `convert --quantize int4` writes them."""
    twice = jnp.broadcast_to(numbers[..., None], (*numbers.shape, 2))
    left = jnp.broadcast_to(jnp.array([4, 0], jnp.int8), twice.shape)
    return table(jax.lax.shift_right_arithmetic(jax.lax.shift_left(twice, left), jnp.full_like(twice, 4)), scales)


def take(rows: Any, places: Any) -> Any:
    return rows.at[places].get(mode="clip")


def gather(rows: Any, places: Any, offset: tuple[int, ...], sizes: tuple[int, int]) -> Any:
    numbers = jax.lax.GatherDimensionNumbers(offset, (0,) if sizes[0] == 1 else (), (0,))
    return jax.lax.gather(rows, places[..., None], numbers, sizes, mode="clip")


ALONE = {
    "rows": lambda n, s, at, _: take(table(n, s), at),
    "rows of four bits": lambda n, s, at, _: take(halves(n, s), at),
    "one row": lambda n, s, at, _: take(table(n, s), at[0, 0]),
    "slice": lambda n, s, _, i: jax.lax.dynamic_slice(table(n, s), (i, 0), (3, WIDTH)),
    "last rows": lambda n, s, _, i: jax.lax.dynamic_slice(table(n, s), (i + 5000, 0), (3, WIDTH)),
    "constant": lambda n, s, at, _: take(table(jnp.asarray(NUMBERS), s) + 1, at),
    "sum": lambda n, s, at, _: take(table(n, s) + s.sum(0).sum(), at),
}
WHOLE = {
    "parts of rows": lambda n, s, _, i: jax.lax.dynamic_slice(table(n, s), (i, i), (3, 8)),
    "most rows": lambda n, s, at, _: take(table(n, s), jnp.tile(at, (200, 1))),
    "columns": lambda n, s, at, _: take(table(n, s).T, at % WIDTH),
    "rows before places": lambda n, s, at, _: gather(table(n, s), at, (0,), (1, WIDTH)),
    "several rows together": lambda n, s, at, _: gather(table(n, s), at, (2, 3), (2, WIDTH)),
    "sum of sums": lambda n, s, at, _: take(many(n, s), at),
    "running sums": lambda n, s, at, _: take(jnp.cumsum(table(n, s), 0), at),
}


def many(numbers: Any, scales: Any) -> Any:
    """A table of which each op takes its operand twice: following both each time would never end."""
    rows = jnp.cumsum(table(numbers, scales), 0)
    for _ in range(100):
        rows = rows + rows
    return rows * 0


def computes_table(program: Program) -> bool:
    """Whether a step computes floats for all rows."""
    ops = [op for step in program.plan.kernels() for op in step.ops if op.name == "stablehlo.multiply"]
    return any(static_shape(op.results[0].type)[0] == ROWS for op in ops)


@pytest.mark.sampled(2)
@pytest.mark.parametrize("name", [*ALONE, *WHOLE])
def test_rows_of_computed_tables(name: str) -> None:
    function: Any = {**ALONE, **WHOLE}[name]
    arguments = NUMBERS, SCALES, PLACES, FIRST
    program = hlo2tiny.load(jax.jit(function, keep_unused=True).lower(*arguments).as_text(), "CPU")
    expected = np.asarray(jax.jit(function)(*arguments))
    found = program.numpy(*arguments)[0]
    if "sum" in name or name == "constant":  # XLA rounds a product that is added only once
        np.testing.assert_allclose(found, expected, 1e-4, 1e-4 * np.abs(expected).max())
    else:
        np.testing.assert_array_equal(found, expected)
    assert computes_table(program) == (name in WHOLE)
