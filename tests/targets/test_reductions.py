"""Reductions by a body of several values, such as argmax, in parts where threads share them: the first element wins."""

from __future__ import annotations

from pathlib import Path

import everywhere
import jax
import jax.numpy as jnp
import numpy as np
import pytest

SHAPES = [((3, 2, 5000), 2), ((700, 29), 0), ((6, 67), 1), ((4, 33, 50), 1), ((5000,), None), ((40, 50, 7), None)]


@pytest.mark.parametrize("target", everywhere.targets("c"))
def test_arguments_of_extremes(target: str, tmp_path: Path) -> None:
    if reason := everywhere.lacking(target):
        pytest.skip(reason)
    cases, wanted = [], []
    for number, (shape, axis) in enumerate(SHAPES):
        x = np.random.default_rng(number).integers(-5, 5, shape).astype(np.float32)
        if number % 2:
            x.reshape(-1)[::71], x.reshape(-1)[::13] = np.nan, -0.0

        def call(x: jax.Array, axis: int | None = axis) -> tuple[jax.Array, jax.Array]:
            return jnp.argmax(x, axis), jnp.argmin(x, axis)

        cases.append(everywhere.Case(f"{shape}", str(jax.export.export(jax.jit(call))(x).mlir_module()), [[x]]))
        wanted.append([np.asarray(value) for value in call(x)])
    for case, answer, expected in zip(cases, everywhere.run(target, cases, tmp_path), wanted, strict=True):
        assert not isinstance(answer, Exception), answer
        for found, value in zip(answer[0], expected, strict=True):
            np.testing.assert_array_equal(found, value, case.name)


def test_order_stays_in_parts(tmp_path: Path) -> None:
    """Products of 2×2 matrices are associative, but not commutative."""
    random = np.random.default_rng(0)
    matrices = random.choice([-1, 0, 1], (300, 2, 2)).astype(np.int32)
    halves = [np.ascontiguousarray(matrices[:, i, j]) for i in (0, 1) for j in (0, 1)]

    def product(a: tuple, b: tuple) -> tuple:
        return tuple(a[2 * i] * b[j] + a[2 * i + 1] * b[2 + j] for i in (0, 1) for j in (0, 1))

    def call(*x: jax.Array) -> tuple:
        return jax.lax.reduce(x, tuple(np.int32(n) for n in (1, 0, 0, 1)), product, (0,))

    text = str(jax.export.export(jax.jit(call))(*halves).mlir_module())
    expected = np.eye(2, dtype=np.int32)
    for matrix in matrices:
        expected = expected @ matrix
    for target in ("c", "cuda"):
        (tmp_path / target).mkdir()
        (answer,) = everywhere.run(target, [everywhere.Case("product", text, [halves])], tmp_path / target)
        assert not isinstance(answer, Exception), answer
        np.testing.assert_array_equal([int(x) for x in answer[0]], expected.reshape(-1))
