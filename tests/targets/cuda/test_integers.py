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
from hypothesis import given
from hypothesis import strategies as st
from test_recipe import cook, plan_of, walk

from hlo2tiny.targets.cuda.native import recipe_of
from hlo2tiny.targets.cuda.recipe import Launch, Multiply, Recipe


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


def multiplied(recipe: Recipe) -> list[str]:
    return [str(recipe.products[a.product]) for a in walk(recipe.actions) if isinstance(a, Multiply)]


def launched(recipe: Recipe) -> list[str]:
    return [recipe.kernels[a.kernel].name for a in walk(recipe.actions) if isinstance(a, Launch)]


sizes = st.integers(16, 150)


@given(sizes, sizes, sizes, st.lists(st.integers(1, 3), max_size=2).map(tuple), st.booleans(), st.booleans(),
       st.booleans())  # fmt: skip
def test_products_of_any_size_and_layout(
    m: int, n: int, k: int, batch: tuple[int, ...], left: bool, right: bool, converted: bool
) -> None:
    text = text_of(m, n, k, batch, left, right, converted)
    plan = plan_of(text)
    recipe = recipe_of(plan, "CUDA", "sm_90", frozenset(["cublasLt"]), lambda done, total: None)
    assert len(multiplied(recipe)) == 1 and set(launched(recipe)) <= {"arrange", "cut"}
    random = np.random.default_rng(m)
    shapes = (*batch, *((k, m) if left else (m, k))), (*batch, *((n, k) if right else (k, n)))
    a, b = (random.integers(-128, 128, shape, np.int8) for shape in shapes)
    with TemporaryDirectory() as folder:
        (found,) = Emulator(plan, recipe, Path(folder))([a, b])
    a, b = (a.swapaxes(-1, -2) if left else a), (b.swapaxes(-1, -2) if right else b)
    np.testing.assert_array_equal(found, a.astype(np.int32) @ b.astype(np.int32))


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
    recipe = cook(text_of(*sizes, (), left, right, converted))
    m, n, k = sizes
    assert multiplied(recipe) == [f"i8 product {m}x{k}x{n if n % 4 == 0 else -(-n // 16) * 16}"]
    assert launched(recipe) == kernels


@pytest.mark.parametrize("types", ["u1 u1", "i1 u1"])
def test_unsigned_numbers_and_narrow_products_are_kernels(types: str) -> None:
    assert not multiplied(cook(text_of(64, 64, 64, (), False, True, True, types=types)))
    assert not multiplied(cook(text_of(4, 512, 512, (), False, False)))
