"""Random bits, against XLA's; random numbers, by their statistics."""

from __future__ import annotations

from typing import Any

import ml_dtypes
import numpy as np
import pytest
from hypothesis import strategies as st
from oracles import run

import hlo2tiny
from hlo2tiny.program import Program
from hlo2tiny.rules import random as rule

from .cases import case, new_tests
from .mlir import Call, module_text
from .numbers import (
    FLOATS,
    INTEGERS,
    bf16,
    boolean,
    f32,
    f64,
    i4,
    i32,
    i64,
    random,
    seeds,
    shapes,
    type_of,
    u4,
    u64,
)

STATE = np.array([0x123456789ABCDEF0, 2**64 - 2, 2**64 - 5], u64)


def bits(algorithm: str, shape: tuple[int, ...], dtype: np.dtype, state: Any = STATE[:2], results: str = "") -> Call:
    attributes = {"rng_algorithm": f"#stablehlo<rng_algorithm {algorithm}>"}

    def by_xla(state: np.ndarray, **_: Any) -> list[np.ndarray]:
        call = Call([state], attributes)
        # It gives all bits an unsigned type, and new versions refuse to call them otherwise.
        unsigned = u4 if dtype in (i4, u4) else np.dtype(f"u{dtype.itemsize}")
        types = [type_of(state), type_of(np.zeros(shape, unsigned))]
        following, found = run("xla", module_text("stablehlo.rng_bit_generator", [call], [types]), [state])
        return [following, found.astype(np.uint8).astype(dtype) if unsigned == u4 else found.view(dtype)]

    return Call([state], attributes, results, by_xla)


SHAPES = [(), (1,), (5,), (6,), (4, 7), (5, 4, 2), (5, 5, 3), (3, 0)]
case(
    "stablehlo.rng_bit_generator",
    ref=None,
    draw=st.builds(
        lambda seed, shape, dtype, algorithm: bits(algorithm, shape, dtype, random(seed, (2,), u64)),
        seeds,
        shapes(),
        st.sampled_from(INTEGERS),
        st.sampled_from(["THREE_FRY", "PHILOX"]),
    ),
    examples=[
        *(bits("THREE_FRY", shape, i32) for shape in SHAPES),
        *(bits("PHILOX", shape, dtype) for shape in SHAPES[::3] for dtype in (i32, u64)),
        *(bits("THREE_FRY", shape, u64) for shape in SHAPES[::3]),
        *(bits(name, (3, 5), dtype, STATE) for name in ("PHILOX", "DEFAULT") for dtype in (i32, u64)),
        *(bits("THREE_FRY", (3, 5), dtype) for dtype in (*INTEGERS, *FLOATS, i4, u4)),
        *(bits("DEFAULT", (3, 5), dtype) for dtype in (i64, f64, bf16, i4)),
        # The counter's lower half runs over.
        bits("PHILOX", (40,), i32, np.array([2**64 - 3, 7], u64)),
        bits("PHILOX", (40,), i64, np.array([1, 2**64 - 3, 7], u64)),
        bits("THREE_FRY", (40,), i64, np.array([1, 2**64 - 3], u64)),
        bits("PHILOX", (8, 5), i32),  # rows too short for vectors, whose state is read before them
    ],
    errors=[
        (bits("THREE_FRY", (3,), i32, STATE, "tensor<3xui64>, tensor<3xi32>"), "C2"),
        (bits("PHILOX", (3,), i32, STATE[:1], "tensor<1xui64>, tensor<3xi32>"), "C2"),
        (bits("DEFAULT", (3,), i32, STATE.astype(i64), "tensor<3xi64>, tensor<3xi32>"), "C2"),
        (bits("PHILOX", (3,), boolean, STATE, "tensor<3xui64>, tensor<3xi1>"), "integers or floats"),
        (bits("PHILOX", (3,), i32, STATE, "tensor<2xui64>, tensor<3xi32>"), "declared type is"),
    ],
    disagree={"interpreter": "has no rng_bit_generator", "xla": "is the reference, and calls all bits unsigned"},
)
# What it gives is implementation-defined: see below.
case("stablehlo.rng", ref=None)

test_drawn, test_examples, test_errors = new_tests()


def numbers(kind: str, a: Any, b: Any, shape: tuple[int, ...], count: int = 1, dtype: Any = f32) -> list[np.ndarray]:
    """The results of `count` ops of one program."""
    limits = [np.asarray(x).astype(dtype) for x in (a, b)]
    call = Call([*limits, np.array(shape, i64)], {"rng_distribution": f"#stablehlo<rng_distribution {kind}>"})
    text = module_text("stablehlo.rng", [call] * count, [[type_of(np.zeros(shape, dtype))]] * count)
    found: list[np.ndarray] = Program(hlo2tiny.parse(text), "CPU").numpy(*(call.operands * count))
    return found


@pytest.mark.parametrize("dtype", FLOATS)
def test_uniform_floats(dtype: np.dtype) -> None:
    (found,) = numbers("UNIFORM", -1, 3, (100, 100), dtype=dtype)
    wide = found.astype(f64)
    assert found.dtype == dtype and found.shape == (100, 100)
    assert wide.min() >= -1 and wide.max() < 3
    assert abs(wide.mean() - 1) < 0.05 and abs(wide.var() - 16 / 12) < 0.05


@pytest.mark.parametrize("dtype", [ml_dtypes.float4_e2m1fn, ml_dtypes.float8_e5m2])
def test_uniform_of_few_values_leaves_the_upper_bound_out(dtype: Any) -> None:
    (found,) = numbers("UNIFORM", 0, 2, (1000,), dtype=np.dtype(dtype))
    below = float(np.nextafter(dtype(2), dtype(0)))
    assert found.astype(f32).min() >= 0 and found.astype(f32).max() == below


@pytest.mark.parametrize("dtype", [*INTEGERS, i4, u4])
def test_uniform_integers(dtype: np.dtype) -> None:
    low, high = (0, 7) if ml_dtypes.iinfo(dtype).min == 0 else (-3, 4)
    (found,) = numbers("UNIFORM", low, high, (7000,), dtype=dtype)
    values, counts = np.unique(found.astype(i64), return_counts=True)
    assert values.tolist() == list(range(low, high)) and counts.min() > 850


def test_uniform_over_all_of_an_integer_type() -> None:
    limits = np.iinfo(i64)
    (found,) = numbers("UNIFORM", limits.min, limits.max, (1000,), dtype=i64)
    assert found.min() < limits.min // 2 and found.max() > limits.max // 2


def test_uniform_booleans() -> None:
    assert not numbers("UNIFORM", False, True, (9,), dtype=boolean)[0].any()


@pytest.mark.parametrize("dtype", FLOATS)
def test_normal(dtype: np.dtype) -> None:
    (found,) = numbers("NORMAL", 2, 3, (200, 100), dtype=dtype)
    wide = found.astype(f64)
    assert abs(wide.mean() - 2) < 0.1 and abs(wide.std() - 3) < 0.1
    assert abs(((wide - 2) / 3) ** 4).mean() == pytest.approx(3, abs=0.3)


def test_no_elements_and_rank_0() -> None:
    assert numbers("UNIFORM", 0, 1, (3, 0))[0].shape == (3, 0)
    assert numbers("NORMAL", 0, 1, ())[0].shape == ()


def test_each_op_and_each_call_has_its_own_numbers() -> None:
    first, second = numbers("UNIFORM", 0, 1, (8,), count=2)
    (third,) = numbers("UNIFORM", 0, 1, (8,))
    assert len(np.unique([first, second, third])) == 24


def test_a_new_process_repeats_the_numbers() -> None:
    found = []
    for _ in range(2):
        rule.generator.cache_clear()
        found.append(numbers("NORMAL", 0, 1, (8,))[0])
    np.testing.assert_array_equal(*found)


def test_the_shape_is_the_declared_one() -> None:
    """Its numbers are known when the op runs."""
    call = Call([np.zeros((), f32)] * 2 + [np.array([3])], {"rng_distribution": "#stablehlo<rng_distribution UNIFORM>"})
    program = Program(hlo2tiny.parse(module_text("stablehlo.rng", [call], [["tensor<4xf32>"]])), "CPU")
    with pytest.raises(hlo2tiny.Error, match="C3"):
        program.numpy(*call.operands)
