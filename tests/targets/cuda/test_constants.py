"""Constants as operands, and long chains, in the kernels of CUDA, which are compiled for the processor."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from rules.numbers import f32, f64
from rules.test_constant_operands import BINARY, COMPARISONS, TOGETHER, UNARY, differences
from test_emulation import emulator

GROUPS = [(ops[i : i + TOGETHER], count) for ops, count in ((BINARY, 2), (UNARY, 1), (COMPARISONS, 2))
          for i in range(0, len(ops), TOGETHER)]  # fmt: skip


@pytest.mark.night
@pytest.mark.timeout(1200)
@pytest.mark.parametrize("dtype", [f32, f64], ids=str)
@pytest.mark.parametrize(("ops", "count"), GROUPS, ids=lambda x: x[0] if isinstance(x, tuple) else "")
def test_a_constant_is_as_good_as_an_argument(
    ops: tuple[str, ...], count: int, dtype: np.dtype, tmp_path: Path
) -> None:
    assert not list(differences(ops, dtype, count, lambda text, arrays: emulator(text, tmp_path)[1](arrays)))


def test_a_long_chain(tmp_path: Path) -> None:
    ops, type = ("add", "multiply", "subtract", "maximum"), "tensor<4xf32>"
    lines = [f"%r{i + 1} = stablehlo.{ops[i % len(ops)]} %r{i}, %y : {type}" for i in range(600)]
    body = "\n".join([*lines, f"return %r600 : {type}"])
    x, y = (np.full(4, n, np.float32) for n in (0.3, 1.7))
    _, run = emulator(f"func.func @main(%r0: {type}, %y: {type}) -> {type} {{\n{body}\n}}", tmp_path)
    (found,) = run([x, y])
    for i in range(600):
        x = getattr(np, ops[i % len(ops)])(x, y)
    np.testing.assert_array_equal(found, x)
