"""bf16 and f16 between operations: rounded by one instruction each, and all elements of a thread are read first."""

from __future__ import annotations

from pathlib import Path

import jax
import jax.numpy as jnp
import ml_dtypes
import numpy as np
import pytest
from jax import lax
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


@pytest.mark.parametrize("divisor", [3.0, 3.0009765625])
def test_quotients_by_numbers_are_those_of_bf16_if_the_number_is_one(divisor: float, tmp_path: Path) -> None:
    x = np.arange(1 << 16, dtype=np.uint16).view(ml_dtypes.bfloat16)
    text = f"""
    func.func @main(%x: tensor<65536xbf16>) -> tensor<65536xbf16> {{
      %0 = stablehlo.convert %x : (tensor<65536xbf16>) -> tensor<65536xf32>
      %1 = stablehlo.constant dense<{divisor}> : tensor<65536xf32>
      %2 = stablehlo.divide %0, %1 : tensor<65536xf32>
      %3 = stablehlo.convert %2 : (tensor<65536xf32>) -> tensor<65536xbf16>
      return %3 : tensor<65536xbf16>
    }}"""
    executable, run = emulator(text, tmp_path)
    assert ("quotient_of_bf16(" in executable.kernels[0].body) is (divisor == 3.0)
    (found,) = run([x])
    expected = (x.astype(np.float32) / np.float32(divisor)).astype(ml_dtypes.bfloat16)
    np.testing.assert_array_equal(found.astype(np.float32), expected.astype(np.float32))


def rounded_once(exact: np.ndarray) -> np.ndarray:
    """The nearest bf16: through f32 by truncation with a sticky bit."""
    wide = exact.astype(np.float32)
    wide = np.where(np.abs(wide) > np.abs(exact), np.nextafter(wide, np.float32(0)), wide)
    bits = wide.view(np.uint32) | ((wide != exact) & np.isfinite(wide))
    return bits.view(np.float32).astype(ml_dtypes.bfloat16)


def test_exponentials_of_bf16_are_rounded_as_exact_ones(tmp_path: Path) -> None:
    """Those of all numbers, alone and in a chain, where nobody asks for the bits of NaN; f16 has a function."""
    x = np.arange(1 << 16, dtype=np.uint16).view(ml_dtypes.bfloat16)
    text = """
    func.func @main(%x: tensor<65536xKIND>) -> (tensor<65536xKIND>, tensor<65536xKIND>) {
      %a = stablehlo.exponential %x : tensor<65536xKIND>
      %b = stablehlo.negate %x : tensor<65536xKIND>
      %c = stablehlo.exponential %b : tensor<65536xKIND>
      %d = stablehlo.abs %c : tensor<65536xKIND>
      return %a, %d : tensor<65536xKIND>, tensor<65536xKIND>
    }"""
    executable, run = emulator(text.replace("KIND", "bf16"), tmp_path)
    assert all("exp_of_bf16(" in kernel.body and "exp_f(" not in kernel.body for kernel in executable.kernels)
    with np.errstate(all="ignore"):
        for found, exact in zip(run([x]), (np.exp(x.astype(np.longdouble)), np.exp(-x.astype(np.longdouble)))):
            expected = rounded_once(exact)
            nan = np.isnan(exact)
            np.testing.assert_array_equal(found.view(np.uint16)[~nan], expected.view(np.uint16)[~nan])
            assert np.isnan(found[nan].astype(np.float32)).all()
    executable, _ = emulator(text.replace("KIND", "f16"), tmp_path)
    assert all("exp_h(" in kernel.body for kernel in executable.kernels)


SHORT = {
    "atan": "chlo.atan %x : tensor<65536xbf16> -> tensor<65536xbf16>",
    "atan of a quotient by 1": "stablehlo.atan2 %x, %one : tensor<65536xbf16>",
    "asin": "chlo.asin %x : tensor<65536xbf16> -> tensor<65536xbf16>",
    "acos": "chlo.acos %x : tensor<65536xbf16> -> tensor<65536xbf16>",
    "tanh": "stablehlo.tanh %x : tensor<65536xbf16>",
}


@pytest.mark.parametrize("name", SHORT)
def test_short_functions_of_bf16_are_rounded_as_exact_ones(name: str, tmp_path: Path) -> None:
    x = np.arange(1 << 16, dtype=np.uint16).view(ml_dtypes.bfloat16)
    executable, run = emulator(
        f"""
        func.func @main(%x: tensor<65536xbf16>) -> tensor<65536xbf16> {{
          %one = stablehlo.constant dense<1.0> : tensor<65536xbf16>
          %0 = {SHORT[name]}
          return %0 : tensor<65536xbf16>
        }}""",
        tmp_path,
    )
    short = name.partition(" ")[0]
    assert all(f"{short}_h(" in kernel.body for kernel in executable.kernels)
    with np.errstate(all="ignore"):
        exact = {"atan": np.arctan, "asin": np.arcsin, "acos": np.arccos, "tanh": np.tanh}[short](
            x.astype(np.longdouble)
        )
        expected = rounded_once(exact)
    (found,) = run([x])
    nan = np.isnan(exact)
    np.testing.assert_array_equal(found.view(np.uint16)[~nan], expected.view(np.uint16)[~nan])
    assert np.isnan(found[nan].astype(np.float32)).all()


@pytest.mark.parametrize("least", [1.0, 0.5])
def test_sigmoids_of_bf16_are_rounded_after_each_operation(least: float, tmp_path: Path) -> None:
    """Those of all numbers, times others; what is divided by at least 1 needs no look at how large that is."""
    x = np.arange(1 << 16, dtype=np.uint16).view(ml_dtypes.bfloat16)
    y = np.random.default_rng(0).normal(size=1 << 16).astype(x.dtype)

    def function(x: jax.Array, y: jax.Array) -> jax.Array:
        return x * (jnp.bfloat16(1) / (jnp.bfloat16(least) + jnp.exp(-x))) * y

    def rounded(number: np.ndarray) -> np.ndarray:
        return number.astype(x.dtype).astype(np.float32)

    executable, run = emulator(jax.export.export(jax.jit(function))(x, y).mlir_module(), tmp_path)
    (kernel,) = executable.kernels
    assert ("reciprocal_of_bf16(" in kernel.body) is (least == 1) is not ("quotient_of_bf16(" in kernel.body)
    assert kernel.body.count("through_bf16(") == 4  # of a negated number nothing is left to round
    with np.errstate(all="ignore"):
        wide, factor = x.astype(np.float32), y.astype(np.float32)
        power = rounded(np.exp(-x.astype(np.float64)))
        sigmoid = rounded(1 / rounded(np.float32(least) + power))
        expected = (rounded(wide * sigmoid) * factor).astype(x.dtype)
    (found,) = run([x, y])
    nan = np.isnan(expected.astype(np.float32))
    np.testing.assert_array_equal(found.view(np.uint16)[~nan], expected.view(np.uint16)[~nan])
    assert np.isnan(found[nan].astype(np.float32)).all()


def test_reciprocals_are_as_far_from_the_middle_of_two_bf16_as_they_are_exact() -> None:
    """By a quarter of the number, as on a GPU, whose reciprocals are off by a unit of the last place."""
    y = np.arange(0x3F80, 0x7F80, dtype=np.uint16).view(ml_dtypes.bfloat16).astype(np.float32)
    exact = 1 / y.astype(np.float64)
    near = (4 * exact).astype(np.float32)
    assert (near >= np.finfo(np.float32).tiny).all()
    for about in (near, *(np.nextafter(near, np.float32(to)) for to in (0, np.inf))):
        found = (about * np.float32(0.25)).astype(ml_dtypes.bfloat16).astype(np.float32)
        for step in (-1, 1):  # the neighbours of what it is rounded to are no nearer
            other = (found.view(np.int32) + (step << 16)).view(np.float32)
            assert (np.abs(found - exact) <= np.abs(other - exact)).all()


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


@pytest.mark.parametrize("kind", NARROW)
def test_bits_that_another_kernel_has_stored_are_rounded(kind: str, tmp_path: Path) -> None:
    """A sum is stored as it was added; the padding that reads it rounds it."""
    x = np.random.default_rng(0).normal(size=(9, 5, 5, 5, 1)).astype(NARROW[kind])

    def total(x: jax.Array) -> jax.Array:
        return lax.reduce_window(x, np.zeros((), x.dtype), lax.add, (1, 5, 5, 5, 1), (1, 2, 2, 2, 1), "VALID")

    function = jax.jit(jax.grad(lambda x: jnp.sum(total(x) ** 2)))
    _, run = emulator(jax.export.export(function)(x).mlir_module(), tmp_path)
    (found,) = run([x])
    np.testing.assert_allclose(found.astype(np.float32), function(x.astype(np.float32)), 1e-2, 1e-2)
