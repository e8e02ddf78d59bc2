"""Integers modulo 2 to the number of bits, and who reads them: tinygrad reasons as if they never wrapped."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from everywhere import Case, lacking, run, targets
from jax import lax

TYPES = ("uint8", "int32", "uint32", "uint64", "int8", "int16", "uint16", "int64")


def other_sign(name: str) -> str:
    return name.removeprefix("u") if name[0] == "u" else f"u{name}"


def other(x: jax.Array) -> jax.Array:
    """The same bits with the other signedness."""
    return lax.bitcast_convert_type(x, other_sign(x.dtype.name))


# Results that wrap. `y` is never 0.
COMPUTED = {
    "difference": lambda x, y: x - 1,
    "from 32": lambda x, y: 32 - x,
    "negated": lambda x, y: -x,
    "multiple": lambda x, y: x * 4,
    "product": lambda x, y: x * y,
    "of other sign": lambda x, y: other(32 - other(x)),
    "multiple of other sign": lambda x, y: other(other(x) * 4),
    "zeros": lambda x, y: lax.clz(x),
    "ones": lambda x, y: lax.population_count(x),
}


def read(x: jax.Array) -> Iterator[jax.Array]:
    """What depends on which numbers `x` can be."""
    for limit in (0, 3, 32):
        number = x.dtype.type(limit)
        yield from (x < number, x > number, jnp.maximum(x, number), lax.shift_right_logical(number, x))
    yield x > x.dtype.type(np.iinfo(x.dtype).min)
    yield from (
        lax.shift_right_arithmetic(x, x.dtype.type(2)),
        lax.div(x, x.dtype.type(4)),
        lax.rem(x, x.dtype.type(8)),
    )
    yield from (jnp.abs(x), jnp.sign(x), x.astype(jnp.float32))


def of_type(target: str, name: str) -> list[pytest.MarkDecorator]:
    """The types are cases of one mechanism: CI compares two in C, and one elsewhere."""
    if name == TYPES[0]:
        return []
    return [pytest.mark.ci if (target, name) == ("c", TYPES[1]) else pytest.mark.night]


RUNS = [
    pytest.param(target.id, name, id=f"{target.id}-{name}", marks=[*target.marks, *of_type(target.id, name)])
    for target in targets("c")
    for name in TYPES
]


@pytest.mark.parametrize(("target", "name"), RUNS)
def test_integers_wrap(target: str, name: str, tmp_path: Path) -> None:
    """What was `u32` or `u8` and became signed was never below 0; 32 - x with other signs was compared as -x with 0."""
    if reason := lacking(target):
        pytest.skip(reason)
    bits = np.iinfo(name).bits
    numbers = [0, 1, 2, 3, 7, 31, 32, 33, 100, 127, 2 ** (bits - 1) - 1, 2 ** (bits - 1), 2**bits - 32, 2**bits - 1]
    x = np.array(numbers, f"uint{bits}").view(name)
    y = np.roll(x, 5) | 1

    def converted(x: jax.Array, y: jax.Array) -> list[jax.Array]:
        results = {kind: [*read(lax.convert_element_type(x, kind))] for kind in TYPES}
        if target == "tinygrad" and name in ("int8", "int16"):  # clang's fault, around which our C finds a way
            results["uint64"].pop()
        return [result for of_kind in results.values() for result in of_kind]

    def computed(x: jax.Array, y: jax.Array) -> list[jax.Array]:
        values = [function(x, y) for function in COMPUTED.values()]
        return [result for value in values for v in (value, other(value)) for result in read(v)]

    with jax.enable_x64(True):
        functions = [jax.jit(function, keep_unused=True) for function in (converted, computed)]
        texts = [str(jax.export.export(function)(x, y).mlir_module()) for function in functions]
        expected = [[np.asarray(each) for each in function(x, y)] for function in functions]
    cases = [Case(f"program {i}", text, [[x, y]]) for i, text in enumerate(texts)]
    for case, results, answer in zip(cases, expected, run(target, cases, tmp_path), strict=True):
        assert not isinstance(answer, Exception), (case.name, answer)
        for i, (found, wanted) in enumerate(zip(answer[0], results, strict=True)):
            np.testing.assert_array_equal(found, wanted, f"{case.name}, result {i}")


@pytest.mark.parametrize("target", targets("c"))
def test_constants_that_tinygrad_joins_wrap(target: str, tmp_path: Path) -> None:
    """x · 2³² · (2⁶⁴ - 2³²) of a ui64 was x times a number that has too many digits for C.

    An i8's x - -1 was x + bitcast<u32>(-4294967295) in WGSL, which Chromium rejects and Mesa takes for another number.
    Of a constant i64 divisor near -2⁶³, the upper half became less than 0 as a u32.
    """
    if reason := lacking(target):
        pytest.skip(reason)
    cases, expected = [], []
    for name in TYPES:
        bits = np.iinfo(name).bits
        half, most, x = (
            np.array(numbers, f"uint{bits}").view(name)
            for numbers in ([2 ** (bits // 2)] * 3, [2 ** (bits - 1) - 1] * 3, [5, 2**bits - 1, 2 ** (bits - 1) + 3])
        )

        def function(x: jax.Array, half: np.ndarray = half, most: np.ndarray = most) -> list[jax.Array]:
            total, product = x + most + most + most, x * half * -half
            return [total, product, product < total, x - ~np.zeros_like(half), lax.div(x, -most)]

        with jax.enable_x64(True):
            jitted = jax.jit(function)
            cases.append(Case(name, str(jax.export.export(jitted)(x).mlir_module()), [[x]]))
            expected.append([np.asarray(each) for each in jitted(x)])
    for case, results, answer in zip(cases, expected, run(target, cases, tmp_path), strict=True):
        assert not isinstance(answer, Exception), (case.name, answer)
        for found, wanted in zip(answer[0], results, strict=True):
            np.testing.assert_array_equal(found, wanted, case.name)
