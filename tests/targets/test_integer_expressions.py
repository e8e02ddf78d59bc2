"""Drawn expressions of integers of all types, with constants at the limits of types, beside XLA.

tinygrad folds constants and compares ranges as if integers were numbers without an end.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from everywhere import TARGETS, Case, lacking, run
from jax import lax
from targets.test_integer_bits import other, other_sign

TYPES = ("int8", "uint8", "int16", "uint16", "int32", "uint32", "int64", "uint64")
COUNT = 24  # elements
WHEN = {"c": (), "cuda": pytest.mark.ci}
DEPTH = 4
# XLA before jaxlib 0.12 computes `clz(splat of int16's least number) > s` as false for each s, -1 included.
WRONG_BEFORE_0_12 = {18}
COMPARISONS = (lax.lt, lax.le, lax.gt, lax.ge, lax.eq, lax.ne)
BINARY = (
    *(lax.add, lax.sub) * 2,
    *(lax.mul, lax.bitwise_and, lax.bitwise_or, lax.bitwise_xor, lax.max, lax.min),
    *(lax.shift_left, lax.shift_right_logical, lax.shift_right_arithmetic),
)
UNARY = (lax.neg, lax.bitwise_not, jnp.abs, lax.sign, lax.clz, lax.population_count)


def limits(bits: int) -> list[int]:
    powers = [2 ** (bits - 1) - 1, 2 ** (bits - 1), 2**bits - 1, 2**bits - 3, 2 ** (bits // 2), 2 ** (bits // 2) - 1]
    return [0, 1, 2, 3, 4, 5, 7, 8, bits - 1, bits, 31, 32, 63, 100, *powers]


class Drawing:
    """Draws expressions of arguments, of which there are two of each type."""

    def __init__(self, seed: int, arguments: Sequence[jax.Array] = ()) -> None:
        self.random = np.random.default_rng(seed)
        self.arguments = arguments

    def integers(self, name: str, count: int, known: float) -> np.ndarray:
        """Numbers of a type; a part of them are its limits, or such as shifts take."""
        bits = np.iinfo(name).bits
        found = limits(bits)
        drawn = [
            found[self.random.integers(len(found))]
            if self.random.random() < known
            else int(self.random.integers(2**63))
            for _ in range(count)
        ]
        return np.array([number % 2**bits for number in drawn], np.uint64).astype(f"uint{bits}").view(name)

    def one(self, items: Sequence[Any]) -> Any:
        return items[self.random.integers(len(items))]

    def constant(self, name: str) -> jax.Array:
        return jnp.full(COUNT, self.integers(name, 1, 1)[0])

    def value(self, name: str, depth: int) -> jax.Array:
        kind = self.random.integers(24)
        if depth <= 0 or kind == 0:
            known = self.random.random()
            if known < 0.3:
                return self.constant(name)
            number = 2 * TYPES.index(name) + int(self.random.integers(2))
            return lax.iota(name, COUNT) if known < 0.4 else self.arguments[number]
        part = self.value(name, depth - 1)
        if kind <= 2:
            return lax.convert_element_type(self.value(self.one(TYPES), depth - 1), name)
        if kind == 3:
            return other(self.value(other_sign(name), depth - 1))
        if kind == 4:
            return lax.convert_element_type(self.comparison(depth - 1), name)
        if kind <= 6:
            return lax.select(self.comparison(depth - 1), part, self.value(name, depth - 1))
        if kind <= 9:
            return self.one(UNARY)(part)
        if kind <= 11:  # not by 0, which gives what an implementation likes
            return self.one((lax.div, lax.rem))(
                part, self.value(name, depth - 1) | jnp.full(COUNT, np.dtype(name).type(1))
            )
        return self.one(BINARY)(part, self.value(name, depth - 1))

    def comparison(self, depth: int) -> jax.Array:
        name = self.one(TYPES)
        left = self.value(name, max(depth, 1))
        right = self.constant(name) if self.random.random() < 0.6 else self.value(name, depth - 1)
        return self.one(COMPARISONS)(left, right)


@pytest.mark.sampled(36, ci=18)
@pytest.mark.parametrize("seed", range(36))
@pytest.mark.parametrize("target", [pytest.param(t, marks=WHEN.get(t, pytest.mark.night)) for t in TARGETS])
def test_drawn_expressions(target: str, seed: int, tmp_path: Path) -> None:
    if reason := lacking(target):
        pytest.skip(reason)
    if seed in WRONG_BEFORE_0_12 and jax.__version_info__ < (0, 12):
        pytest.skip("this XLA's numbers are wrong")
    drawing = Drawing(seed)
    arrays = [drawing.integers(name, COUNT, 0.6) for name in TYPES for _ in range(2)]

    def function(*arguments: jax.Array) -> list[jax.Array]:
        drawing = Drawing(seed + 1000, arguments)
        kinds = [None if i % 2 else drawing.one(TYPES) for i in range(24)]
        return [drawing.comparison(DEPTH) if kind is None else drawing.value(kind, DEPTH) for kind in kinds]

    with jax.enable_x64(True):
        jitted = jax.jit(function, keep_unused=True)
        text = str(jax.export.export(jitted)(*arrays).mlir_module())
        expected = [np.asarray(result) for result in jitted(*arrays)]
    (answer,) = run(target, [Case(f"seed {seed}", text, [arrays])], tmp_path)
    assert not isinstance(answer, Exception), answer
    for i, (found, wanted) in enumerate(zip(answer[0], expected, strict=True)):
        np.testing.assert_array_equal(found, wanted, f"result {i}")
