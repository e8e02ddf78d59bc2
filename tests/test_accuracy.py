"""Each elementary function is as exact as accuracy.py says, also on devices that have no float64."""

from __future__ import annotations

import numpy as np
import pytest
from accuracy import FUNCTIONS, measured
from rules.numbers import f32, f64

# Not a multiple of 4: tinygrad would unroll the kernels, which compile four times as long.
POINTS = 601


def expect_errors_below(op: str, dtype: np.dtype, most: float) -> None:
    operands, errors = measured(op, dtype, POINTS)
    worst = int(np.argmax(errors))
    assert errors[worst] <= most, f"{errors[worst]:.3g} ULP at {[x[worst].item() for x in operands]}"


@pytest.mark.parametrize("op", FUNCTIONS)
def test_float32(op: str) -> None:
    expect_errors_below(op, f32, FUNCTIONS[op].most[0])


@pytest.mark.parametrize("op", FUNCTIONS)
def test_float64(op: str) -> None:
    expect_errors_below(op, f64, FUNCTIONS[op].most[1])


@pytest.mark.parametrize("op", FUNCTIONS)
def test_float32_without_float64(op: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HLO2TINY_EXECUTOR", "tinygrad")
    expect_errors_below(op, f32, FUNCTIONS[op].most[1])
