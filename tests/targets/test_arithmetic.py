"""What one target computed otherwise than the others: quotients by subnormal numbers, sums of -0, empty arrays."""

from __future__ import annotations

from pathlib import Path

import ml_dtypes
import numpy as np
import pytest
from everywhere import TARGETS, Case, lacking, run, targets

TEXT = """func.func @main(%a: tensor<COUNTxTYPE>, %b: tensor<COUNTxTYPE>, %z: tensor<ZEROSxTYPE>, %none: tensor<2x0xTYPE>)
    -> (tensor<COUNTxTYPE>, tensor<TYPE>, tensor<2xTYPE>, tensor<2xTYPE>, tensor<COUNTxi1>) {
  %0 = stablehlo.divide %a, %b : tensor<COUNTxTYPE>
  %zero = stablehlo.constant dense<-0.0> : tensor<TYPE>
  %1 = stablehlo.reduce(%z init: %zero) applies stablehlo.add across dimensions = [0] : (tensor<ZEROSxTYPE>, tensor<TYPE>) -> tensor<TYPE>
  %2 = stablehlo.reduce(%none init: %zero) applies stablehlo.maximum across dimensions = [1] : (tensor<2x0xTYPE>, tensor<TYPE>) -> tensor<2xTYPE>
  %3 = stablehlo.constant dense<[-0.0, 0.0]> : tensor<2xTYPE>
  %4 = stablehlo.compare NE, %a, %b : (tensor<COUNTxTYPE>, tensor<COUNTxTYPE>) -> tensor<COUNTxi1>
  return %0, %1, %2, %3, %4 : tensor<COUNTxTYPE>, tensor<TYPE>, tensor<2xTYPE>, tensor<2xTYPE>, tensor<COUNTxi1>
}"""  # noqa: E501
# WGSL rounds quotients as a GPU likes, has no f64, and may take subnormal numbers for 0.
IMPRECISE = ("webgpu", "mesa")
DTYPES = {"f32": np.float32, "f64": np.float64, "bf16": ml_dtypes.bfloat16, "f16": np.float16}


def operands(dtype: type, imprecise: bool) -> tuple[np.ndarray, np.ndarray]:
    info = ml_dtypes.finfo(dtype)
    small = [] if imprecise else [info.smallest_subnormal, -info.smallest_subnormal, info.tiny]
    numbers = np.array([0, 1, -1.5, 3, 7, 10, np.inf, np.nan, info.max, *small], dtype)
    a, b = np.meshgrid(numbers, numbers)
    return a.ravel(), b.ravel()


@pytest.mark.parametrize("target", targets("c"))
def test_zeros_quotients_and_nan(target: str, tmp_path: Path) -> None:
    """On CUDA and in tinygrad's kernels for GPUs quotients were products with reciprocals, and sums began with +0.

    Chromium made 0 of a shader's -0.0f, and took NaN for equal to everything.
    """
    if reason := lacking(target):
        pytest.skip(reason)
    cases, imprecise = [], target in IMPRECISE
    for name, dtype in DTYPES.items():
        if name == "f64" and imprecise:
            continue
        a, b = operands(dtype, imprecise)
        for zeros in (3, 700):
            text = TEXT.replace("COUNT", str(len(a))).replace("ZEROS", str(zeros)).replace("TYPE", name)
            arrays = [a, b, np.full(zeros, -0.0, dtype), np.zeros((2, 0), dtype)]
            cases.append(Case(f"{name} {zeros}", text, [arrays]))
    for case, answer in zip(cases, run(target, cases, tmp_path), strict=True):
        assert not isinstance(answer, Exception), (case.name, answer)
        (a, b, *_), ((quotients, total, largest, constant, unequal),) = case.calls[0], answer
        with np.errstate(all="ignore"):
            expected = a / b
        if imprecise:
            least = float(ml_dtypes.finfo(a.dtype).tiny)
            np.testing.assert_allclose(quotients.astype(float), expected.astype(float), rtol=1e-6, atol=least)
        else:
            same = (quotients == expected) | (np.isnan(quotients) & np.isnan(expected))
            assert same.all(), (case.name, a[~same], b[~same], quotients[~same], expected[~same])
        assert total == 0 and np.signbit(total), (case.name, total)
        assert np.signbit(largest).all() and not largest.any(), (case.name, largest)
        assert np.signbit(constant).tolist() == [True, False] and not constant.any(), (case.name, constant)
        np.testing.assert_array_equal(unequal, a != b, case.name)


@pytest.mark.parametrize("target", targets("c"))
def test_large_floats_become_integers_of_64_bits(target: str, tmp_path: Path) -> None:
    """Pages compute these by two of 32 bits, and the lower one of 1e10 was the largest."""
    if reason := lacking(target):
        pytest.skip(reason)
    limit = 2.0**63
    numbers = [
        0,
        -0.75,
        2**31,
        -(2**31),
        1e10,
        -1e10,
        3e18,
        -3e18,
        2**32 - 256,
        limit,
        -limit,
        1e30,
        -1e30,
        np.nan,
        2**53,
    ]
    x = np.array(numbers, np.float32)
    text = """func.func @main(%x: tensor<15xf32>) -> (tensor<15xi64>, tensor<15xui64>) {
      %0 = stablehlo.convert %x : (tensor<15xf32>) -> tensor<15xi64>
      %1 = stablehlo.convert %x : (tensor<15xf32>) -> tensor<15xui64>
      return %0, %1 : tensor<15xi64>, tensor<15xui64>
    }"""
    (answer,) = run(target, [Case("large", text, [[x]])], tmp_path)
    assert not isinstance(answer, Exception), answer
    exact = [0 if np.isnan(number) else int(number) for number in x]
    assert answer[0][0].tolist() == [max(-(1 << 63), min((1 << 63) - 1, number)) for number in exact]
    assert answer[0][1].tolist() == [max(0, min((1 << 64) - 1, number)) for number in exact]


@pytest.mark.parametrize("target", targets("c"))
def test_integers_of_64_bits_become_the_nearest_floats(target: str, tmp_path: Path) -> None:
    """Pages rounded each of two integers of 32 bits, and then their sum."""
    if reason := lacking(target):
        pytest.skip(reason)
    # Between two floats, and as little as possible to either side of the middle.
    middles = [(1 << bits) + (odd << bits - 24) for bits in range(24, 64) for odd in (1, 3, (1 << 24) - 1)]
    numbers = [middle + side for middle in middles for side in (-1, 0, 1)]
    unsigned = np.array(numbers, np.uint64)
    signed = np.array([sign * number for number in numbers if number < 2**63 for sign in (1, -1)], np.int64)
    text = f"""func.func @main(%x: tensor<{len(signed)}xi64>, %y: tensor<{len(unsigned)}xui64>)
    -> (tensor<{len(signed)}xf32>, tensor<{len(unsigned)}xf32>) {{
  %0 = stablehlo.convert %x : (tensor<{len(signed)}xi64>) -> tensor<{len(signed)}xf32>
  %1 = stablehlo.convert %y : (tensor<{len(unsigned)}xui64>) -> tensor<{len(unsigned)}xf32>
  return %0, %1 : tensor<{len(signed)}xf32>, tensor<{len(unsigned)}xf32>
}}"""
    (results,) = answer_of(target, Case("nearest floats", text, [[signed, unsigned]]), tmp_path)
    for found, given in zip(results, (signed, unsigned), strict=True):
        np.testing.assert_array_equal(found, given.astype(np.float32))


@pytest.mark.parametrize("target", targets("c", of=[target for target in TARGETS if target not in IMPRECISE]))
def test_products_are_rounded_before_they_are_added(target: str, tmp_path: Path) -> None:
    """WGSL may round a * b + c once, and cannot be told not to (15.7.3)."""
    if reason := lacking(target):
        pytest.skip(reason)
    a, b = np.random.default_rng(0).standard_normal((2, 1000)).astype(np.float32)
    text = """func.func @main(%a: tensor<1000xf32>, %b: tensor<1000xf32>, %c: tensor<1000xf32>) -> tensor<1000xf32> {
  %0 = stablehlo.multiply %a, %b : tensor<1000xf32>
  %1 = stablehlo.add %0, %c : tensor<1000xf32>
  return %1 : tensor<1000xf32>
}"""
    ((result,),) = answer_of(target, Case("a * b + c", text, [[a, b, -(a * b)]]), tmp_path)
    assert not result.any()


def test_opencl_rounds_the_products_of_a_dot_product(tmp_path: Path) -> None:
    """Its compilers round acc + a * b once where they are not told not to; libraries of other targets may."""
    if reason := lacking("opencl"):
        pytest.skip(reason)
    a, b = np.random.default_rng(0).standard_normal((2, 100)).astype(np.float32)
    one = np.ones_like(a)
    x, y = np.stack([[a, one], [one, a]]).swapaxes(0, 1), np.stack([[b, -(a * b)], [-(a * b), b]]).swapaxes(0, 1)
    text = """func.func @main(%x: tensor<2x2x100xf32>, %y: tensor<2x2x100xf32>) -> tensor<2x100xf32> {
  %0 = stablehlo.dot_general %x, %y, batching_dims = [1, 2] x [1, 2], contracting_dims = [0] x [0]
    : (tensor<2x2x100xf32>, tensor<2x2x100xf32>) -> tensor<2x100xf32>
  return %0 : tensor<2x100xf32>
}"""
    ((result,),) = answer_of("opencl", Case("dot product", text, [[x, y]]), tmp_path)
    assert not result.any()


def answer_of(target: str, case: Case, folder: Path) -> list[list[np.ndarray]]:
    (answer,) = run(target, [case], folder)
    assert not isinstance(answer, Exception), answer
    return answer


NARROW = {"i8": np.int8, "ui8": np.uint8, "i16": np.int16, "ui16": np.uint16}


@pytest.mark.parametrize("target", targets("c"))
def test_integers_of_few_bits_overflow_where_they_do(target: str, tmp_path: Path) -> None:
    """WGSL's integers have 32 bits: what followed an overflow in the same kernel saw the bits above."""
    if reason := lacking(target):
        pytest.skip(reason)
    cases, expected = [], []
    for name, dtype in NARROW.items():
        text = """func.func @main(%a: tensor<4xT>, %b: tensor<4xT>)
    -> (tensor<4xi1>, tensor<4xi32>, tensor<4xf32>, tensor<4xT>, tensor<4xT>, tensor<4xT>) {
  %0 = stablehlo.add %a, %b : tensor<4xT>
  %1 = stablehlo.multiply %0, %a : tensor<4xT>
  %2 = stablehlo.compare LT, %0, %1 : (tensor<4xT>, tensor<4xT>) -> tensor<4xi1>
  %3 = stablehlo.convert %1 : (tensor<4xT>) -> tensor<4xi32>
  %4 = stablehlo.convert %0 : (tensor<4xT>) -> tensor<4xf32>
  %5 = stablehlo.maximum %1, %0 : tensor<4xT>
  %6 = stablehlo.shift_right_arithmetic %1, %b : tensor<4xT>
  %7 = stablehlo.negate %1 : tensor<4xT>
  return %2, %3, %4, %5, %6, %7 : tensor<4xi1>, tensor<4xi32>, tensor<4xf32>, tensor<4xT>, tensor<4xT>, tensor<4xT>
}"""
        most = int(np.iinfo(dtype).max)
        a, b = np.array([[most - 3, 5, most // 2 + 2, 7], [6, 3, most // 2 + 5, 2]], dtype)
        with np.errstate(over="ignore"):
            total, product = a + b, (a + b) * a
            signed = product.view(f"i{product.itemsize}")
            shifted = (signed >> np.minimum(b, 8 * product.itemsize - 1).astype(signed.dtype)).view(dtype)
            expected.append([total < product, product.astype(np.int32), total.astype(np.float32),
                             np.maximum(product, total), shifted, (0 - product).astype(dtype)])  # fmt: skip
        cases.append(Case(name, text.replace("T>", f"{name}>"), [[a, b]]))
    for case, answer, results in zip(cases, run(target, cases, tmp_path), expected, strict=True):
        assert not isinstance(answer, Exception), (case.name, answer)
        for found, wanted in zip(answer[0], results, strict=True):
            np.testing.assert_array_equal(found, wanted, case.name)


TYPES = {"i1": np.bool_, **NARROW, "i32": np.int32, "ui32": np.uint32, "i64": np.int64, "f16": np.float16}
TYPES |= {"bf16": ml_dtypes.bfloat16, "f32": np.float32}
BESIDE = """func.func @main(%a: tensor<3x5xT>, %b: tensor<2x5xT>, %c: tensor<2x5xf32>, %v: tensor<T>)
    -> (tensor<5x5xT>, tensor<3x10xT>, tensor<8x9xT>, tensor<5x5xf32>, tensor<5x5xf32>, tensor<5x5xi32>, tensor<8x9xf32>) {
  %0 = stablehlo.concatenate %b, %a, dim = 0 : (tensor<2x5xT>, tensor<3x5xT>) -> tensor<5x5xT>
  %1 = stablehlo.concatenate %a, %a, dim = 1 : (tensor<3x5xT>, tensor<3x5xT>) -> tensor<3x10xT>
  %2 = stablehlo.pad %a, %v, low = [1, 2], high = [2, 2], interior = [1, 0] : (tensor<3x5xT>, tensor<T>) -> tensor<8x9xT>
  %x = stablehlo.convert %a : (tensor<3x5xT>) -> tensor<3x5xf32>
  %3 = stablehlo.concatenate %x, %c, dim = 0 : (tensor<3x5xf32>, tensor<2x5xf32>) -> tensor<5x5xf32>
  %4 = stablehlo.concatenate %c, %x, dim = 0 : (tensor<2x5xf32>, tensor<3x5xf32>) -> tensor<5x5xf32>
  %i = stablehlo.convert %a : (tensor<3x5xT>) -> tensor<3x5xi32>
  %j = stablehlo.convert %c : (tensor<2x5xf32>) -> tensor<2x5xi32>
  %5 = stablehlo.concatenate %i, %j, dim = 0 : (tensor<3x5xi32>, tensor<2x5xi32>) -> tensor<5x5xi32>
  %half = stablehlo.constant dense<0.5> : tensor<f32>
  %6 = stablehlo.pad %x, %half, low = [1, 2], high = [2, 2], interior = [1, 0] : (tensor<3x5xf32>, tensor<f32>) -> tensor<8x9xf32>
  return %0, %1, %2, %3, %4, %5, %6
    : tensor<5x5xT>, tensor<3x10xT>, tensor<8x9xT>, tensor<5x5xf32>, tensor<5x5xf32>, tensor<5x5xi32>, tensor<8x9xf32>
}"""  # noqa: E501


def padded(x: np.ndarray, value: object) -> np.ndarray:
    result = np.full((8, 9), value, x.dtype)
    result[1:6:2, 2:7] = x
    return result


@pytest.mark.parametrize("target", targets("c"))
def test_what_stands_beside_an_array_is_not_taken_for_its_type(target: str, tmp_path: Path) -> None:
    """Floats concatenated after integers that became floats lost their fractions, on every target.

    On pages what stood beside a narrow array kept only the first of the numbers that share a word.
    """
    if reason := lacking(target):
        pytest.skip(reason)
    random, cases, expected = np.random.default_rng(0), [], []
    for name, dtype in TYPES.items():
        a, b, v = (random.integers(0, 9, shape).astype(dtype) for shape in ((3, 5), (2, 5), ()))
        c = (random.standard_normal((2, 5)) * 123456).astype(np.float32)
        x, i, j = a.astype(np.float32), a.astype(np.int32), c.astype(np.int32)
        joined = [np.concatenate(each) for each in ((b, a), (x, c), (c, x), (i, j))]
        expected.append([joined[0], np.concatenate((a, a), 1), padded(a, v), *joined[1:], padded(x, 0.5)])
        cases.append(Case(name, BESIDE.replace("T>", f"{name}>"), [[a, b, c, v]]))
    for case, answer, results in zip(cases, run(target, cases, tmp_path), expected, strict=True):
        assert not isinstance(answer, Exception), (case.name, answer)
        for number, (found, wanted) in enumerate(zip(answer[0], results, strict=True)):
            np.testing.assert_array_equal(found, wanted, f"{case.name}, result {number}")
