"""Gathers between reshapes, on each target."""

from __future__ import annotations

from collections.abc import Callable
from math import prod
from pathlib import Path

import everywhere
import jax
import numpy as np
import pytest

jnp = jax.numpy
Shape = tuple[int, ...]
MARKS = {"c": (), "cuda": ()}
TARGETS = [pytest.param(each, marks=MARKS.get(each, pytest.mark.ci)) for each in everywhere.TARGETS]
# Of the operand, as the gather sees it, of the indices, and of the result.
SHAPES: list[tuple[Shape, Shape, Shape, Shape]] = [
    ((9, 2), (18,), (18,), (18, 1)),
    ((9, 2), (18,), (18,), (2, 9)),
    ((18,), (18,), (18,), (3, 6)),
    ((3, 6), (18,), (6, 3), (18,)),
    ((3, 6), (18,), (7,), (7, 1)),
    ((4, 9), (6, 6), (6,), (3, 12)),
    ((2, 3, 6), (6, 6), (2, 3), (36,)),
]


def gathered(between: Shape, result: Shape) -> Callable[[jax.Array, jax.Array], jax.Array]:
    return lambda x, i: -x.reshape(between)[i].reshape(result)


@pytest.mark.parametrize("target", TARGETS)
def test_gathers_of_what_is_reshaped(target: str, tmp_path: Path) -> None:
    if reason := everywhere.lacking(target):
        pytest.skip(reason)
    random, cases, wanted = np.random.default_rng(2), list[everywhere.Case](), list[np.ndarray]()
    for operand, between, indices, result in SHAPES:
        for dtype in (np.float32, np.int32):
            arrays = [np.arange(prod(operand)).reshape(operand).astype(dtype)]
            arrays.append(random.permutation(prod(indices)).reshape(indices).astype(np.int32) % between[0])
            function = jax.jit(gathered(between, result))
            text = str(jax.export.export(function)(*arrays).mlir_module())
            cases.append(everywhere.Case(f"{operand} {between} {indices} {result}", text, [arrays]))
            wanted.append(np.asarray(function(*arrays)))
    for case, expected, answer in zip(cases, wanted, everywhere.run(target, cases, tmp_path), strict=True):
        assert not isinstance(answer, Exception), (case.name, answer)
        np.testing.assert_array_equal(np.asarray(answer[0][0]), expected, case.name)
