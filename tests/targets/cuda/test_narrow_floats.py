"""bf16 and f16 between operations: rounded by one instruction each, and all elements of a thread are read first."""

from __future__ import annotations

from pathlib import Path

import ml_dtypes
import numpy as np
import pytest
from test_emulation import emulator

NARROW = {"bf16": ml_dtypes.bfloat16, "f16": np.float16}
# The first operation of a chain of two, and what f32 gives for it.
OPERATIONS = {"add": np.add, "multiply": np.multiply, "divide": np.divide, "subtract": np.subtract}


def chain(kind: str, operation: str, size: int) -> str:
    return f"""
    func.func @main(%x: tensor<{size}x{kind}>, %y: tensor<{size}x{kind}>) -> tensor<{size}x{kind}> {{
      %a = stablehlo.{operation} %x, %y : tensor<{size}x{kind}>
      %b = stablehlo.multiply %a, %y : tensor<{size}x{kind}>
      return %b : tensor<{size}x{kind}>
    }}"""


@pytest.mark.parametrize("kind", NARROW)
@pytest.mark.parametrize("operation", OPERATIONS)
def test_every_operation_is_rounded(kind: str, operation: str, tmp_path: Path) -> None:
    """All numbers of 16 bits beside drawn ones; what only another operation reads is rounded without a look at NaN."""
    dtype = NARROW[kind]
    x = np.arange(1 << 16, dtype=np.uint16).view(dtype)
    y = np.random.default_rng(0).integers(0, 1 << 16, 1 << 16, np.uint16).view(dtype)
    executable, run = emulator(chain(kind, operation, 1 << 16), tmp_path)
    (kernel,) = executable.kernels
    assert kernel.body.count(f"through_{kind}(") == 1
    assert ("quotient_of_bf16(" in kernel.body) is (kind == "bf16" and operation == "divide")
    with np.errstate(all="ignore"):
        wide = OPERATIONS[operation](x.astype(np.float32), y.astype(np.float32)).astype(dtype).astype(np.float32)
        expected = (wide * y.astype(np.float32)).astype(dtype)
    (found,) = run([x, y])
    nan = np.isnan(expected.astype(np.float32))
    np.testing.assert_array_equal(found.view(np.uint16)[~nan], expected.view(np.uint16)[~nan])
    assert np.isnan(found[nan].astype(np.float32)).all()


def test_other_quotients_are_rounded_once(tmp_path: Path) -> None:
    """Those of f16 may lie as near to the middle between two numbers as an approximation is exact, and f32 has more
    digits than a quotient of bf16 is exact to."""
    texts = [
        chain("f16", "divide", 64),
        """
        func.func @main(%x: tensor<64xf32>) -> tensor<64xbf16> {
          %c = stablehlo.constant dense<3.0> : tensor<64xf32>
          %a = stablehlo.divide %c, %x : tensor<64xf32>
          %b = stablehlo.convert %a : (tensor<64xf32>) -> tensor<64xbf16>
          return %b : tensor<64xbf16>
        }""",
    ]
    for text in texts:
        executable, _ = emulator(text, tmp_path)
        assert not any("quotient_of_bf16(" in kernel.body for kernel in executable.kernels)
