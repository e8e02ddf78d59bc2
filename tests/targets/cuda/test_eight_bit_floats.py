"""Products of 8-bit floats on a GPU: cuBLASLt's in their own types where GPUs have these, and of bf16 elsewhere."""

from __future__ import annotations

from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
import pytest
from emulation import Emulator
from hypothesis import given, settings
from hypothesis import strategies as st
from test_executable import emitted, plan_of
from test_integers import launched, multiplied

from hlo2tiny.ir.dtypes import numpy_dtype
from hlo2tiny.ir.types import ScalarType
from hlo2tiny.targets.cuda.executable import CudaExecutable
from hlo2tiny.targets.cuda.native import executable_of

PAIRS = [("f8E4M3FN", "f8E4M3FN"), ("f8E4M3FN", "f8E5M2"), ("f8E5M2", "f8E4M3FN")]


def text_of(
    m: int, n: int, k: int, batch: tuple[int, ...] = (), left: bool = False, right: bool = True,
    kinds: tuple[str, str] = PAIRS[0], result: str = "f32", precision: str = "DEFAULT",
) -> str:  # fmt: skip
    """A·B, of which either may be stored transposed, for each index of the dimensions before."""
    shapes = (*batch, *((k, m) if left else (m, k))), (*batch, *((n, k) if right else (k, n))), (*batch, m, n)
    x, y, z = (f"tensor<{'x'.join(map(str, (*shape, kind)))}>" for shape, kind in zip(shapes, (*kinds, result)))
    first, rank = [*range(len(batch))], len(batch)
    dims = f"batching_dims = {first} x {first}, " if batch else ""
    dims += f"contracting_dims = [{rank if left else rank + 1}] x [{rank + 1 if right else rank}]"
    return f"""func.func @main(%x: {x}, %y: {y}) -> {z} {{
  %0 = stablehlo.dot_general %x, %y, {dims}, precision = [{precision}, {precision}] : ({x}, {y}) -> {z}
  return %0 : {z}
}}"""


def halves(seed: int, shape: tuple[int, ...], kind: str) -> np.ndarray:
    """Numbers that each type has, and whose sums are exact."""
    return (np.random.default_rng(seed).integers(-3, 4, shape) / 2).astype(numpy_dtype(ScalarType(kind)))


def expect_product(
    m: int, n: int, k: int, batch: tuple[int, ...] = (), left: bool = False, right: bool = True,
    kinds: tuple[str, str] = PAIRS[0], result: str = "f32", precision: str = "DEFAULT", arch: str = "sm_90",
) -> CudaExecutable:  # fmt: skip
    """The executable of a product, whose results are the exact ones, rounded once."""
    plan = plan_of(text_of(m, n, k, batch, left, right, kinds, result, precision))
    executable = executable_of(plan, "CUDA", arch, {"cublasLt"}, lambda done, total: None)
    x = halves(0, (*batch, *((k, m) if left else (m, k))), kinds[0])
    y = halves(1, (*batch, *((n, k) if right else (k, n))), kinds[1])
    with TemporaryDirectory() as folder:
        (found,) = Emulator(plan, executable, Path(folder))([x, y])
    a, b = (each.swapaxes(-1, -2) if moved else each for each, moved in ((x, left), (y, right)))
    expected = (a.astype(np.float32) @ b.astype(np.float32)).astype(numpy_dtype(ScalarType(result)))
    np.testing.assert_array_equal(found, expected)
    return executable


sizes, batches = st.integers(16, 150), st.lists(st.integers(1, 3), max_size=2).map(tuple)
pairs, results = st.sampled_from(PAIRS), st.sampled_from(["f32", "bf16", "f16", "f8E5M2"])


@given(sizes, sizes, sizes, batches, st.booleans(), st.booleans(), pairs, results)
def test_products_of_any_size_and_layout(
    m: int, n: int, k: int, batch: tuple[int, ...], left: bool, right: bool, kinds: tuple[str, str], result: str
) -> None:
    executable = expect_product(m, n, k, batch, left, right, kinds, result)
    (product,) = multiplied(executable)
    assert product.startswith(kinds[0]) and product.endswith(" to bf16") is (result == "bf16")
    assert {each for each in launched(executable) if not each.startswith("E_")} <= {"arrange", "cut"}


@settings(max_examples=settings().max_examples // 3)
@given(sizes, sizes, sizes, batches, st.booleans(), st.booleans(), pairs, st.sampled_from(["f32", "bf16"]))
def test_older_gpus_multiply_them_as_bf16(
    m: int, n: int, k: int, batch: tuple[int, ...], left: bool, right: bool, kinds: tuple[str, str], result: str
) -> None:
    executable = expect_product(m, n, k, batch, left, right, kinds, result, arch="sm_80")
    assert launched(executable)[:2] == ["convert", "convert"]
    assert all(each.startswith("bf16 product") for each in multiplied(executable))


@pytest.mark.parametrize(
    "left, right, sizes, kernels",
    [
        (False, True, (4096, 4096, 4096), []),
        (False, False, (4096, 4096, 4096), ["arrange"]),
        (True, False, (4096, 4096, 4096), ["arrange", "arrange"]),
        (False, True, (512, 1001, 256), ["arrange", "cut"]),
        (False, True, (16, 4096, 4096), []),
    ],
)
def test_what_is_arranged_before_a_product_and_after_it(
    left: bool, right: bool, sizes: tuple[int, int, int], kernels: list[str]
) -> None:
    executable = emitted(text_of(*sizes, (), left, right))
    m, n, k = sizes
    assert multiplied(executable) == [f"f8E4M3FN product {m}x{k}x{-(-n // 16) * 16}"]
    assert launched(executable) == kernels


@pytest.mark.parametrize("precision", ["HIGH", "HIGHEST"])
def test_more_precision_is_that_of_bf16(precision: str) -> None:
    executable = expect_product(64, 64, 64, precision=precision)
    assert multiplied(executable) == ["bf16 product 64x64x64"]


def test_conversions_in_the_file_are_what_it_says() -> None:
    """Its products of bf16 and f32 are exact."""
    x, y, z = "tensor<64x64xf8E4M3FN>", "tensor<64x64xbf16>", "tensor<64x64xf32>"
    executable = emitted(f"""func.func @main(%a: {x}, %b: {x}) -> {z} {{
  %0 = stablehlo.convert %a : ({x}) -> {y}
  %1 = stablehlo.convert %b : ({x}) -> {y}
  %2 = stablehlo.dot_general %0, %1, contracting_dims = [1] x [1] : ({y}, {y}) -> {z}
  return %2 : {z}
}}""")
    assert multiplied(executable) == ["bf16 product 64x64x64"]


def test_numbers_that_are_narrowed_before_are_not_widened() -> None:
    x, y, z = "tensor<64x64xf32>", "tensor<64x64xf8E4M3FN>", "tensor<64x64xbf16>"
    executable = emitted(f"""func.func @main(%a: {x}, %b: {y}) -> {z} {{
  %0 = stablehlo.convert %a : ({x}) -> {y}
  %1 = stablehlo.dot_general %0, %b, contracting_dims = [1] x [1] : ({y}, {y}) -> {z}
  return %1 : {z}
}}""")
    assert multiplied(executable) == ["f8E4M3FN product 64x64x64 to bf16"] and len(launched(executable)) == 1


def test_what_the_library_refuses_is_multiplied_as_bf16() -> None:
    plan = plan_of(text_of(512, 512, 512))
    executable = executable_of(plan, "CUDA", "sm_90", {"cublasLt"}, lambda done, total: None)
    refused = executable_of(plan, "CUDA", "sm_90", {"cublasLt"}, lambda done, total: None, executable.products)
    assert multiplied(refused) == ["bf16 product 512x512x512"] and launched(refused) == ["convert", "convert"]


@pytest.mark.parametrize("rows", [4, 15, 16])
def test_few_rows(rows: int) -> None:
    executable = expect_product(rows, 512, 512)
    assert not any(each.startswith("f8") for each in multiplied(executable)) or rows == 16


def test_products_of_rows_in_any_batch_are_those_of_bf16() -> None:
    plan = plan_of(text_of(64, 64, 64), invariant=True)
    executable = executable_of(plan, "CUDA", "sm_90", {"cublasLt"}, lambda done, total: None)
    assert not multiplied(executable)
