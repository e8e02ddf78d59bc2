"""Products of 8-bit integers on a GPU: cuBLASLt's, whatever the layouts and sizes."""

from __future__ import annotations

from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from emulation import Emulator
from hypothesis import given, settings
from hypothesis import strategies as st
from test_executable import emitted, plan_of, walk

from hlo2tiny.targets.cuda.compiling import compile_all, files
from hlo2tiny.targets.cuda.executable import CudaExecutable, GraphLaunch, Multiply
from hlo2tiny.targets.cuda.native import executable_of


def product(a: Any, b: Any, left: bool, right: bool, converted: bool = False) -> Any:
    """A·B, of which either may be stored transposed, for each index of the dimensions before."""
    rank = a.ndim
    batch = tuple(range(rank - 2))
    dims = ((rank - 2 if left else rank - 1,), (rank - 1 if right else rank - 2,)), (batch, batch)
    if converted:
        a, b = a.astype(jnp.int32), b.astype(jnp.int32)
    return jax.lax.dot_general(a, b, dims, preferred_element_type=jnp.int32)


def text_of(m: int, n: int, k: int, batch: tuple[int, ...], *flags: bool, types: str = "i1 i1") -> str:
    left, right, *_ = flags
    shapes = (*batch, *((k, m) if left else (m, k))), (*batch, *((n, k) if right else (k, n)))
    given = [jax.ShapeDtypeStruct(shape, kind) for shape, kind in zip(shapes, types.split())]
    return str(jax.export.export(jax.jit(lambda a, b: product(a, b, *flags)))(*given).mlir_module())


def multiplied(executable: CudaExecutable) -> list[str]:
    return [str(executable.products[a.product]) for a in walk(executable.actions) if isinstance(a, Multiply)]


def launched(executable: CudaExecutable) -> list[str]:
    return [executable.kernels[a.kernel].name for a in walk(executable.actions) if isinstance(a, GraphLaunch)]


def expect_product(
    m: int, n: int, k: int, batch: tuple[int, ...], flags: tuple[bool, bool, bool], types: str, library: bool
) -> CudaExecutable:
    plan = plan_of(text_of(m, n, k, batch, *flags, types=types))
    executable = executable_of(plan, "CUDA", "sm_90", frozenset(["cublasLt"] * library), lambda done, total: None)
    left, right, _ = flags
    random = np.random.default_rng(m)
    shapes = (*batch, *((k, m) if left else (m, k))), (*batch, *((n, k) if right else (k, n)))
    limits = [np.iinfo(kind) for kind in types.split()]
    a, b = (random.integers(x.min, x.max + 1, shape, x.dtype) for x, shape in zip(limits, shapes))
    with TemporaryDirectory() as folder:
        (found,) = Emulator(plan, executable, Path(folder))([a, b])
    a, b = (a.swapaxes(-1, -2) if left else a), (b.swapaxes(-1, -2) if right else b)
    np.testing.assert_array_equal(found, a.astype(np.int32) @ b.astype(np.int32))
    return executable


sizes, batches = st.integers(16, 150), st.lists(st.integers(1, 3), max_size=2).map(tuple)
all_flags = st.tuples(st.booleans(), st.booleans(), st.booleans())


@given(sizes, sizes, sizes, batches, all_flags)
def test_products_of_any_size_and_layout(
    m: int, n: int, k: int, batch: tuple[int, ...], flags: tuple[bool, bool, bool]
) -> None:
    executable = expect_product(m, n, k, batch, flags, "i1 i1", True)
    assert len(multiplied(executable)) == 1 and set(launched(executable)) <= {"arrange", "cut"}


# Each has kernels of its own, which take seconds to compile.
@pytest.mark.ci
@settings(max_examples=settings().max_examples // 3)
@given(sizes, sizes, sizes, batches, all_flags, st.sampled_from(["i1 i1", "u1 u1", "i1 u1", "u1 i1"]))
def test_products_that_cublas_does_not_compute(
    m: int, n: int, k: int, batch: tuple[int, ...], flags: tuple[bool, bool, bool], types: str
) -> None:
    left, right, converted = flags
    flags = left, right, converted or types != "i1 i1"  # StableHLO has no product of two types
    executable = expect_product(m, n, k, batch, flags, types, types != "i1 i1")
    assert not multiplied(executable) and launched(executable).count("integer_product") == 1
    assert set(launched(executable)) <= {"arrange", "integer_product"}


@pytest.mark.parametrize("converted", [False, True])
@pytest.mark.parametrize(
    "left, right, sizes, kernels",
    [
        (False, True, (4096, 4096, 4096), []),
        (False, False, (4096, 4096, 4096), ["arrange"]),
        (True, False, (4096, 4096, 4096), ["arrange", "arrange"]),
        (False, True, (512, 1001, 256), ["arrange", "cut"]),
        (False, True, (1, 4096, 4096), []),
    ],
)
def test_what_is_arranged_before_a_product_and_after_it(
    left: bool, right: bool, sizes: tuple[int, int, int], kernels: list[str], converted: bool
) -> None:
    executable = emitted(text_of(*sizes, (), left, right, converted))
    m, n, k = sizes
    assert multiplied(executable) == [f"i8 product {m}x{k}x{n if n % 4 == 0 else -(-n // 16) * 16}"]
    assert launched(executable) == kernels


def test_narrow_products_whose_other_operand_would_be_arranged_are_kernels() -> None:
    executable = emitted(text_of(4, 512, 512, (), False, False))
    assert not multiplied(executable) and not {"arrange", "integer_product"} & set(launched(executable))


def test_what_a_library_refuses_is_a_kernel_of_our_own() -> None:
    plan = plan_of(text_of(512, 512, 512, (), False, True))
    executable = executable_of(plan, "CUDA", "sm_90", {"cublasLt"}, lambda done, total: None)
    refused = executable_of(plan, "CUDA", "sm_90", {"cublasLt"}, lambda done, total: None, executable.products)
    assert not multiplied(refused) and launched(refused) == ["integer_product"]


def test_nvrtc_compiles_the_kernels() -> None:
    pytest.importorskip("cuda.bindings.nvrtc", reason="hlo2tiny[cuda] is not installed")
    for types in ("i1 i1", "u1 u1", "i1 u1", "u1 i1"):
        executable = emitted(text_of(100, 100, 100, (2,), True, False, True, types=types), ())
        compile_all([text for text, _ in files(executable.kernels)], "sm_90")
