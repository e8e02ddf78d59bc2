"""Rows of a small dimension that need each other's values are computed by one kernel."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tinygrad.uop.ops import UOp

import hlo2tiny
from hlo2tiny.plan.lowering import schedule_region
from hlo2tiny.plan.plan import Kernels
from hlo2tiny.rules.registry import Lowering
from hlo2tiny.tinygrad import lanes, schedule
from hlo2tiny.tinygrad.settings import lowering_settings

N = 1200
Function = Callable[..., object]
CALLING = Lowering(native=True, function=lambda name, dtype, alone: name or None)


def rotated(x: jax.Array, by: int) -> jax.Array:
    return (x << np.uint32(by)) | (x >> np.uint32(32 - by))


def quarter(a: jax.Array, b: jax.Array, c: jax.Array, d: jax.Array) -> tuple[jax.Array, ...]:
    a = a + b
    d = rotated(d ^ a, 16)
    c = c + d
    b = rotated(b ^ c, 12)
    return a, b, c, d


def rounds(x: jax.Array, axis: int) -> jax.Array:
    """Columns and diagonals of four vectors of four numbers, one after the other along an axis."""
    a, b, c, d = quarter(*jnp.split(x, 4, axis))
    b, c, d = (jnp.roll(y, -i, axis) for i, y in enumerate((b, c, d), 1))
    a, b, c, d = quarter(a, b, c, d)
    return jnp.concatenate([a, *(jnp.roll(y, i, axis) for i, y in enumerate((b, c, d), 1))], axis)


def several(x: jax.Array) -> tuple[jax.Array, ...]:
    """Some results of which others are computed, and a sum of one."""
    a, b, c, d = quarter(*jnp.split(x, 4))
    b, c, d = (jnp.roll(y, -i, 0) for i, y in enumerate((b, c, d), 1))
    a, b, c, d = quarter(a, b, c, d)
    return a, b + jnp.flip(a, 0), c, jnp.sum(d, 1, dtype=jnp.uint32)


def transposed_rounds(x: jax.Array) -> jax.Array:
    """The same of a square, whose rows and columns change places."""
    for _ in range(2):
        rows = quarter(*(jnp.roll(x[i], -i, 0) for i in range(4)))
        x = jnp.stack([jnp.roll(row, i, 0) for i, row in enumerate(rows)]).transpose(1, 0, 2)
    return x


def butterflies(x: jax.Array) -> jax.Array:
    y = x.reshape(2, 2, 2, -1)
    for axis in range(3):
        a, b = jnp.split(y, 2, axis)
        y = jnp.concatenate([a + b, a - b], axis)
    return y.reshape(8, -1)


def product(p: jax.Array, q: jax.Array) -> jax.Array:
    a, b, c, d = (p[..., i] for i in range(4))
    e, f, g, h = (q[..., i] for i in range(4))
    parts = a * e - b * f - c * g - d * h, a * f + b * e + c * h - d * g
    return jnp.stack([*parts, a * g - b * h + c * e + d * f, a * h + b * g - c * f + d * e], -1)


def sums_of_rows(x: jax.Array) -> jax.Array:
    """Each row plus those before it, by doubling: what is before the first is nothing."""
    for by in (1, 2, 4, 1, 2, 4):
        x = x + jnp.pad(x, ((0, 0), (by, 0), (0, 0)))[:, : x.shape[1]]
    return x


def words(*shape: int) -> np.ndarray:
    return np.random.default_rng(sum(shape)).integers(0, 2**32, shape, dtype=np.uint32)


def small(*shape: int) -> np.ndarray:
    return np.random.default_rng(sum(shape)).integers(-8, 9, shape).astype(np.float32)


PROGRAMS: dict[str, tuple[Function, Sequence[np.ndarray]]] = {
    "rows first": (lambda x: rounds(x, 0), [words(16, N)]),
    "rows last": (lambda x: rounds(x, 1), [words(N, 16)]),
    "rows between": (lambda x: rounds(x, 1), [words(40, 16, 30)]),
    "rows of tiles": (lambda x: rounds(x.reshape(16, 40, 30), 0)[:, ::-1], [words(16, N)]),
    "square": (transposed_rounds, [words(4, 4, N)]),
    "butterflies": (butterflies, [small(8, N)]),
    "complex butterflies": (lambda x: butterflies(butterflies(x * (1 + 2j))), [small(8, N)]),
    "products": (lambda p, q: product(product(p, q), product(q, p)), [small(N, 4), small(N, 4)]),
    "sums": (sums_of_rows, [small(30, 8, 40)]),
    "no rows": (lambda x: rounds(jnp.concatenate([x, x[:0]]), 0), [words(16, N)]),
}


def load(function: Function, arguments: Sequence[np.ndarray]) -> hlo2tiny.Program:
    return hlo2tiny.load(jax.export.export(jax.jit(function))(*arguments).mlir_module(), device="CPU")


def kernels_of(program: hlo2tiny.Program) -> list[tuple[int | None, ...]]:
    """The trip counts of the loops over the results of each kernel."""
    found = list[tuple[int | None, ...]]()
    for step in program.plan.main.steps:
        assert isinstance(step, Kernels)
        with lowering_settings("CPU"):
            found += [outline.results for outline in schedule_region(step, "CPU", CALLING).outlines]
    return found


def check(program: hlo2tiny.Program, function: Function, arguments: Sequence[np.ndarray]) -> None:
    found = jax.tree.leaves(program.numpy(*arguments))
    for x, y in zip(found, jax.tree.leaves(jax.jit(function)(*arguments)), strict=True):
        np.testing.assert_array_equal(x, y)


@pytest.mark.parametrize("name", PROGRAMS)
def test_one_kernel_computes_all_rows(name: str) -> None:
    function, arguments = PROGRAMS[name]
    program = load(function, arguments)
    (loops,) = kernels_of(program)
    assert np.prod([n or 0 for n in loops]) == N  # and not the elements of the result
    check(program, function, arguments)


def test_values_that_are_needed_elsewhere_are_stored() -> None:
    """The sum is of what the kernel of rows has computed."""
    arguments = [words(16, N)]
    program = load(several, arguments)
    assert kernels_of(program)[0] == (N,)
    check(program, several, arguments)


@pytest.fixture
def calls(monkeypatch: pytest.MonkeyPatch) -> list[UOp]:
    """The graphs that have got kernels of lanes."""
    found, given = list[UOp](), lanes.with_lanes

    def with_lanes(graph: UOp) -> UOp:
        new = given(graph)
        found.extend([new] if new is not graph else [])
        return new

    monkeypatch.setattr(schedule, "with_lanes", with_lanes)
    return found


@pytest.mark.parametrize(
    "function, shape",
    [
        (lambda x: jnp.stack([x[0] + 1, x[1] * 2, x[2] ^ 5]), (3, N)),  # nothing in common
        (lambda x: x + jnp.roll(x, 1, 1), (4, N)),  # along many elements
        (lambda x: rounds(x, 0), (16, 30)),  # few lanes
        (lambda x: jnp.roll(rounds(x, 0), 1, 1), (16, N)),  # what lanes read at edges depends on their place
    ],
)
def test_other_rows_are_computed_apart(function: Function, shape: tuple[int, ...], calls: list[UOp]) -> None:
    arguments = [words(*shape)]
    program = load(function, arguments)
    kernels_of(program)
    assert not calls
    check(program, function, arguments)


def test_code_has_a_limit(calls: list[UOp], monkeypatch: pytest.MonkeyPatch) -> None:
    program = load(lambda x: rounds(x, 0), [words(16, N)])
    kernels_of(program)
    assert calls
    calls.clear()
    monkeypatch.setattr(lanes, "MOST_OPERATIONS", 100)
    kernels_of(program)
    assert not calls


@given(st.data())
@settings(max_examples=12, deadline=None)
def test_random_programs(data: st.DataObject) -> None:
    count, axis = data.draw(st.sampled_from([2, 3, 4, 6, 8])), data.draw(st.integers(0, 2))
    shape = [33, 32]
    shape.insert(axis, count)
    steps = data.draw(st.lists(st.tuples(st.integers(0, 7), *[st.integers(0, 50)] * 3), min_size=6, max_size=16))

    def row(x: jax.Array, number: int) -> jax.Array:
        return jnp.take(x, number % count, axis)

    def function(x: jax.Array, y: jax.Array) -> list[jax.Array]:
        values = [x, y]
        for kind, i, j, by in steps:
            a, b = values[-1 - i % min(3, len(values))], values[j % len(values)]
            values.append(
                [
                    lambda a, b, by: a + b * 3,
                    lambda a, b, by: jnp.where(a < b, a ^ b, a - b),
                    lambda a, b, by: jnp.roll(a, by % count, axis) + b,
                    lambda a, b, by: jnp.flip(a, axis) * b,
                    lambda a, b, by: jnp.stack([row(a, r + by) ^ row(b, r) for r in range(count)], axis),
                    lambda a, b, by: a * jnp.expand_dims(row(b, by), axis),
                    lambda a, b, by: jnp.moveaxis(jnp.moveaxis(a, axis, 0) + jnp.moveaxis(b, axis, 0), 0, axis),
                    lambda a, b, by: jnp.roll(jnp.concatenate([a, b], axis), by, axis).take(np.arange(count), axis),
                ][kind](a, b, by)
            )
        return values[-2:]

    arguments = [words(*shape), words(*shape)[::-1].copy()]
    check(load(function, arguments), function, arguments)
