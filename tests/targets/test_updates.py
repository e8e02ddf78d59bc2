"""Updates in place: an operand's buffer is written to if nothing reads the operand later, and only then."""

from __future__ import annotations

from collections.abc import Callable

import jax
import numpy as np
import pytest

import hlo2tiny
from hlo2tiny.plan.aliasing import AliasAnalysis
from hlo2tiny.plan.plan import Block, Kernels, Plan, While

jnp, lax = jax.numpy, jax.lax

X = np.arange(40, dtype=np.float32).reshape(10, 4)
ROW = np.array([-1, -2, -3, -4], np.float32)


def set_row(x, i, row=ROW):
    return lax.dynamic_update_slice(x, jnp.asarray(row)[None], (i, 0))


def of_an_input(x, n):
    return set_row(x, n)


def and_the_old_value(x, n):
    y = x * 2
    z = set_row(y, n)
    return z, y, set_row(z, n + 1), y.sum()


def of_a_constant(x, n):
    zeros = jnp.zeros((10, 4))
    table = jnp.asarray(np.arange(40.0).reshape(10, 4) + 0.5, jnp.float32)
    return set_row(zeros, n), zeros, set_row(table, n), table + x


def into_itself(x, n):
    y = x + 1
    return lax.dynamic_update_slice(y, y[2:4], (n, 0)), lax.dynamic_update_slice(y, y, (n, 0))


def rows_of_a_scan(x, n):
    return lax.scan(lambda c, row: (c + row, c * row), x[0], x)


def rows_of_two_scans(x, n):
    def outer(c, row):
        last, rows = lax.scan(lambda d, e: (d + e, d * e), c, row * x)
        return last, (rows, c)

    return lax.scan(outer, x[0], x[:3])


def in_one_branch(x, n):
    def step(i, c):
        return lax.cond(i % 2 == 0, lambda c: set_row(c, i), lambda c: c, c)

    return lax.fori_loop(0, n, step, x)


def in_one_branch_of_a_swap(x, n):
    def step(i, pair):
        return lax.cond(i % 2 == 0, lambda a, b: (b, set_row(a, i)), lambda a, b: (a, b), *pair)

    return lax.fori_loop(0, n, step, (x, x * 3))


def after_no_iteration(x, n):
    y = x + 1
    z = lax.fori_loop(n, n, lambda i, c: c * 2, y)
    return set_row(z, n), y, set_row(z, n + 2)


def of_exchanged_carries(x, n):
    def step(i, pair):
        a, b = pair
        return set_row(b, i), set_row(a, i + 1)

    return lax.fori_loop(0, n, step, (x, x))


def of_a_carry_that_two_results_have(x, n):
    def step(i, pair):
        new = set_row(pair[0], i)
        return new, new

    return lax.fori_loop(0, n, step, (x, x + 1))


def with_the_old_row(x, n):
    def step(i, c):
        return set_row(c, i, lax.dynamic_slice(c, (i + 1, 0), (1, 4))[0] + 1)

    return lax.fori_loop(0, n, step, x)


def and_the_old_carry(x, n):
    def step(i, pair):
        c, total = pair
        new = set_row(c, i)
        return new, total + c

    return lax.fori_loop(0, n, step, (x, x))


def in_a_condition(x, n):
    return lax.while_loop(lambda c: c[0, 0] < n, lambda c: c.at[0, 0].add(1).at[3].set(c[0, 0]), x)


def by_scatters(x, n):
    def step(i, c):
        return c.at[jnp.array([1, 1, 20, -30]), i].add(2.0).at[i, 3].multiply(0.5)

    return lax.fori_loop(0, n, step, x)


def of_a_captured_value(x, n):
    y = x * 2

    def step(i, c):
        return set_row(c, i) + 0 * y

    return lax.fori_loop(0, n, step, y), y


def in_a_function_that_is_called(x, n):
    @jax.jit
    def f(c, i):
        return lax.fori_loop(0, 2, lambda j, c: set_row(c, i + j), c)

    y = x + 1
    return f(y, n), f(f(y, n + 2), n), y


def of_bytes(x, n):
    y = (x.astype(jnp.bfloat16), x.astype(jnp.int8), x > 3)
    return tuple(lax.fori_loop(0, n, lambda i, c: c.at[i].set(c[i + 2]), a) for a in y)


def of_rotated_rows(x, n):
    cosine, sine = x[0, :2] + 2, x[1, :2]

    def rotate(row):
        a, b = jnp.split(row, 2)
        return jnp.concatenate([a * cosine - b * sine, a * sine + b * cosine])

    return lax.fori_loop(0, n, lambda i, c: set_row(c, i, rotate(x[i])), x), set_row(x * 2, n, rotate(x[n]))


MODELS = [
    of_an_input, and_the_old_value, of_a_constant, into_itself, rows_of_a_scan, rows_of_two_scans, in_one_branch,
    in_one_branch_of_a_swap, after_no_iteration, of_exchanged_carries, of_a_carry_that_two_results_have,
    with_the_old_row, and_the_old_carry, in_a_condition, by_scatters, of_a_captured_value, in_a_function_that_is_called,
    of_bytes, of_rotated_rows,
]  # fmt: skip


def text_of(model: Callable) -> str:
    return str(jax.export.export(jax.jit(model, keep_unused=True))(X, np.int32(3)).mlir_module())


@pytest.mark.sampled(9, ci=3)
@pytest.mark.parametrize("executor", ["native", "tinygrad"])
@pytest.mark.parametrize("model", MODELS)
def test_updates_change_only_what_they_should(model: Callable, executor: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HLO2TINY_EXECUTOR", executor)
    program = hlo2tiny.load(text_of(model), device="CPU")
    for n in (0, 3, 5, 8):
        given = X.copy()
        found = program.numpy(given, np.int32(n))
        np.testing.assert_array_equal(given, X, "the caller's array")
        for result, expected in zip(found, jax.tree.leaves(jax.jit(model)(X, np.int32(n))), strict=True):
            np.testing.assert_array_equal(result, np.asarray(expected))


def blocks_that_copy(plan: Plan) -> int:
    """How many results of updates and loops begin as copies, in loops' bodies."""
    analysis, total = AliasAnalysis(plan), 0

    def visit(block: Block, in_place: dict) -> None:
        nonlocal total
        aliasing = analysis.of(block, in_place)
        for index, step in enumerate(block.steps):
            total += len(aliasing.copied[index]) if block is not plan.main else 0
            for inner in (step.body,) if isinstance(step, While) else getattr(step, "branches", ()):
                visit(inner, dict(analysis.in_place(step)))

    visit(plan.main, {})
    return total


@pytest.mark.parametrize(
    ("model", "copies"),
    [
        (rows_of_a_scan, 0),
        (rows_of_two_scans, 0),
        (in_one_branch, 0),
        (with_the_old_row, 0),
        (by_scatters, 0),
        (and_the_old_carry, 0),
        (of_exchanged_carries, 2),
    ],
)
def test_loops_copy_no_carry_that_they_update(model: Callable, copies: int) -> None:
    plan = hlo2tiny.load(text_of(model), device="CPU").plan
    assert any(isinstance(step, Kernels) and step.updates for step in plan.main.walk())
    assert blocks_that_copy(plan) == copies
