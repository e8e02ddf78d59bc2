"""Each elementary function is as exact as accuracy.py says: on the C target, and with the formulas of all others."""

from __future__ import annotations

import re

import ml_dtypes
import numpy as np
import pytest
from accuracy import (
    FUNCTIONS,
    MOST_ELSEWHERE,
    errors,
    errors_beside_float64,
    exact_values,
    results_elsewhere,
    results_of,
    whole_range,
)
from rules.numbers import f32, f64
from tinygrad.uop.ops import Ops

import hlo2tiny
import hlo2tiny.targets.tinygrad.executor as executor

# Not a multiple of 4: tinygrad would unroll the kernels, which compile four times as long.
POINTS = 601


def expect_errors_below(op: str, dtype: np.dtype, most: float) -> None:
    operands = FUNCTIONS[op].draw(np.random.default_rng(0), POINTS, dtype)
    expect_below(errors(results_of(op, operands), exact_values(FUNCTIONS[op], operands)), operands, most)


def expect_below(found: np.ndarray, operands: list[np.ndarray], most: float) -> None:
    worst = int(np.argmax(found))
    assert found[worst] <= most, f"{found[worst]:.3g} ULP at {[x[worst].item() for x in operands]}"


@pytest.mark.sampled(6, ci=3)
@pytest.mark.parametrize("op", FUNCTIONS)
def test_float32(op: str) -> None:
    expect_errors_below(op, f32, FUNCTIONS[op].most[0])


@pytest.mark.sampled(6, ci=3, first=1)
@pytest.mark.parametrize("op", FUNCTIONS)
def test_float64(op: str) -> None:
    expect_errors_below(op, f64, FUNCTIONS[op].most[1])


@pytest.mark.sampled(6, ci=3, first=2)
@pytest.mark.parametrize("op", FUNCTIONS)
def test_float32_is_computed_in_float32(op: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """On targets other than C: their kernels use no double. Results in float64, tested elsewhere, are exact here."""
    monkeypatch.setattr(executor.REGIONS, "regions", {})
    operands = [x[: len(x) // 2 * 2 - 1] for x in whole_range(op, 20001)]
    exact = results_of(op, [x.astype(f64) for x in operands])
    expect_below(errors_beside_float64(results_elsewhere(op, operands), exact), operands, MOST_ELSEWHERE)
    calls = [launch.call for region in executor.REGIONS.regions.values() for launch in region.launches]
    texts = [str(part.arg) for call in calls for part in call.src[0].src if part.op is Ops.SOURCE]
    assert texts and all("float" in text for text in texts)
    assert not any(re.search(r"double|\d\.\d+(e[-+]?\d+)?(?![\d.ef])", text) for text in texts)


SHORT = "cosine exponential exponential_minus_one log_plus_one logistic sine tanh".split()


@pytest.mark.parametrize(("kind", "dtype"), [("f16", np.float16), ("bf16", ml_dtypes.bfloat16)])
def test_functions_of_every_short_float_are_those_of_float32_rounded(kind: str, dtype: type) -> None:
    ops = [f"stablehlo.{name}" for name in SHORT] + ["chlo.erf", "chlo.erfc"]
    names = [f"%{n}" for n in range(len(ops))]

    def results(kind: str, x: np.ndarray) -> list[np.ndarray]:
        type = f"tensor<{len(x)}x{kind}>"
        lines = "\n".join(f"{name} = {op} %x : {type} -> {type}" for name, op in zip(names, ops))
        types = ", ".join([type] * len(ops))
        text = f"func.func @main(%x: {type}) -> ({types}) {{\n{lines}\nreturn {', '.join(names)} : {types}\n}}"
        return hlo2tiny.load(text, "CPU").numpy(x)

    x = np.arange(1 << 16, dtype=np.uint16).view(dtype)
    for op, found, wide in zip(ops, results(kind, x), results("f32", x.astype(f32))):
        with np.errstate(over="ignore"):
            expected = wide.astype(dtype)
        same = (found.view(np.uint16) == expected.view(np.uint16)) | (np.isnan(found) & np.isnan(expected))
        # There float32's nearest number is halfway between two numbers of f16, and the exact result is not.
        halfway = {"stablehlo.logistic": [-0.00927734375], "chlo.erf": [0.0014820098876953125, -0.0014820098876953125]}
        assert x[~same].tolist() == (halfway.get(op, []) if kind == "f16" else []), op
