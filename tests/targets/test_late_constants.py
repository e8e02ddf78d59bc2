"""What becomes a constant only while a program is simplified gives the results of an argument of the same value.

tinygrad folds operations on constants by rules for real numbers and for integers without limits.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

import jax
import jax.numpy as jnp
import ml_dtypes
import numpy as np
import pytest
from everywhere import Case, Lacking, lacking, run, targets
from hypothesis import given, settings
from jax import lax
from rules.numbers import seeds

TOGETHER = 12  # operations in a program
COUNT = 16
# A constant k as an expression of an argument x, and of integers i, that is only found out later.
FORMS = {
    "select": lambda k, x, i: lax.select(np.False_, x, k),
    "selects": lambda k, x, i: lax.select(np.ones(COUNT, bool), k, x),
    "equal integers": lambda k, x, i: lax.select(lax.eq(i, i), k, x),
    "no bits": lambda k, x, i: lax.select(lax.ne(lax.bitwise_xor(i, i), np.zeros(COUNT, "int32")), x, k),
    "masked bits": lambda k, x, i: lax.select(lax.eq(i & np.zeros(COUNT, "int32"), np.zeros(COUNT, "int32")), k, x),
    "slice": lambda k, x, i: lax.slice(lax.concatenate([x, k], 0), [COUNT], [2 * COUNT]),
    "pad": lambda k, x, i: lax.slice(lax.pad(x, k[0], [(COUNT, 0, 0)]), [0], [COUNT]),
    "scalar": lambda k, x, i: lax.broadcast(lax.select(np.False_, x[0], k[0]), [COUNT]),
    "largest": lambda k, x, i: lax.reduce_max(lax.select(np.zeros((COUNT, 1), bool), x[:, None], k[:, None]), [1]),
    "loop": lambda k, x, i: lax.fori_loop(0, 1, lambda n, value: k, x),
    "branch": lambda k, x, i: lax.cond(np.True_, lambda: k, lambda: x),
    "selected twice": lambda k, x, i: lax.select(np.True_, lax.select(np.False_, x, k), x),
}
UNARY = {"neg": lax.neg, "sign": lax.sign}
BINARY = {"add": lax.add, "sub": lax.sub, "mul": lax.mul, "div": lax.div, "eq": lax.eq, "ne": lax.ne}
ORDERED = {"max": lax.max, "min": lax.min, "lt": lax.lt, "le": lax.le, "gt": lax.gt, "ge": lax.ge, "rem": lax.rem}
FLOAT = {"is_finite": lax.is_finite, "floor": lax.floor, "round": lax.round, "sqrt": lax.sqrt, "abs": lax.abs}
INTEGER = {"not": lax.bitwise_not, "clz": lax.clz, "popcnt": lax.population_count}
BITS = {
    "and": lax.bitwise_and, "or": lax.bitwise_or, "xor": lax.bitwise_xor, "shl": lax.shift_left,
    "shrl": lax.shift_right_logical, "shra": lax.shift_right_arithmetic,
}  # fmt: skip
TYPES = ("float32", "int32", "float64", "float16", "bfloat16", "complex64", "complex128", "uint32", "int8", "uint8",
         "int16", "uint16", "int64", "uint64")  # fmt: skip


def numbers(dtype: np.dtype) -> np.ndarray:
    if dtype.kind in "iu":
        limits, bits = np.iinfo(dtype), 8 * dtype.itemsize
        values = [0, 1, 2, 3, 5, 7, limits.max, limits.min, limits.max - 1, limits.min + 1, bits, bits - 1, 100]
        return np.array([*values, *([-1, -2, -bits] if dtype.kind == "i" else [limits.max // 2 + 1] * 3)], dtype)
    if dtype.kind == "c":
        halves = [(0.0, -0.0), (-0.0, 1.0), (np.inf, 0.0), (np.nan, 1.0), (-1.0, 0.0), (3.0, -np.inf)] * 3
        return np.array([complex(*both) for both in halves[:COUNT]], dtype)
    info = ml_dtypes.finfo(dtype)
    ends = [info.max, -info.max, info.tiny, info.smallest_subnormal, -info.smallest_subnormal]
    return np.array([0.0, -0.0, np.inf, -np.inf, np.nan, 1, -1, 3, -2.5, 0.1, 2**-7, *ends]).astype(dtype)


def results(x: jax.Array, i: jax.Array, given: jax.Array, seed: int) -> Iterator[tuple[str, jax.Array, jax.Array]]:
    """Yield operations with constants, and the same with arguments: what they are, and both results."""
    random, constants = np.random.default_rng(seed), numbers(x.dtype)
    kind = np.dtype(x.dtype).kind
    unary = UNARY | (INTEGER if kind in "iu" else {} if kind == "c" else FLOAT)
    binary = BINARY | (BITS if kind in "iu" else {}) | ({} if kind == "c" else ORDERED)
    for _ in range(TOGETHER):
        (form, other), (a, b) = random.choice([*FORMS], 2), random.integers(len(constants), size=2)
        k, c = (FORMS[name](np.full(COUNT, constants[n]), x, i) for name, n in ((form, a), (other, b)))
        number, second = (lax.broadcast(given[n], [COUNT]) for n in (a, b))
        operands = [([k, x], [number, x]), ([x, k], [x, number]), ([k, c], [number, second])]
        late, early = operands[random.integers(3)]
        for name in (random.choice([*unary]), *random.choice([*binary], 3)):
            about = f"{name} of {form} {constants[a]!r} and {other} {constants[b]!r}"
            if name in unary:
                yield about, unary[name](k), unary[name](number)
            else:
                yield about, binary[name](*late), binary[name](*early)


@pytest.mark.parametrize("name", [pytest.param(t, marks=pytest.mark.night if i else ()) for i, t in enumerate(TYPES)])
@pytest.mark.parametrize("target", targets("c", nightly=("tinygrad", "opencl", "webgpu", "mesa")))
@settings(max_examples=settings.default.max_examples // 6)  # each compiles a hundred expressions
@given(seed=seeds)
def test_late_constants_are_numbers(target: str, name: str, seed: int) -> None:
    if reason := lacking(target):
        pytest.skip(reason)
    x = numbers(jnp.dtype(name))
    arrays = [x, np.arange(COUNT, dtype="int32") * 7919 - 30000, x.copy()]
    with jax.enable_x64(True), TemporaryDirectory() as folder:
        about = [what for what, _, _ in results(*map(jnp.asarray, arrays), seed)]
        function = jax.jit(lambda *a: [each for _, *pair in results(*a, seed) for each in pair], keep_unused=True)
        case = Case(name, str(jax.export.export(function)(*arrays).mlir_module()), [arrays])
        (answer,) = run(target, [case], Path(folder))
    if target in ("mesa", "webgpu") and name in ("float64", "complex128"):
        assert isinstance(answer, Lacking)
        return
    assert not isinstance(answer, Exception), answer
    for number, what in enumerate(about):
        late, early = answer[0][2 * number : 2 * number + 2]
        assert bits(late) == bits(early), (what, late, early)


def bits(x: np.ndarray) -> bytes:
    """All bits of an array, in which each NaN is the same."""
    return (np.where(np.isnan(x), np.array(np.nan, x.dtype), x) if x.dtype.kind not in "iub" else x).tobytes()
