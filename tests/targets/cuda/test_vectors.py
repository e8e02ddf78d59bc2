"""Products of vectors are sums, in the kernels of what is before and after them."""

from __future__ import annotations

from pathlib import Path

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from test_few_rows import emitted
from test_integers import launched
from test_unaligned_operands import expect_close, multiplied, numbers, operands_of

from hlo2tiny.targets.cuda.executable import GraphLoop

# The products, their operands' shapes, and how many kernels compute them.
PRODUCTS = {
    "k,k->": ((3000,), (3000,)),
    "bk,bk->b": ((5, 1500), (5, 1500)),
    "kb,bk->b": ((700, 3), (3, 700)),
    "kjb,bkj->b": ((40, 30, 3), (3, 40, 30)),
    "1k,k->1": ((1, 2000), (2000,)),
    "k,kn->n": ((9,), (9, 1200)),
    "kmn,k->mn": ((16, 30, 40), (16,)),
    "bk,bkn->bn": ((2, 7), (2, 7, 500)),
    "akn,k->an": ((8, 5, 300), (5,)),
    "mk,kn->mn": ((70, 3), (3, 90)),
    "bkm,nkb->bmn": ((2, 4, 50), (40, 4, 2)),
}


@pytest.mark.parametrize("spelling", PRODUCTS)
@pytest.mark.parametrize("given, result", [("i1", "i4"), ("i1", "i1"), ("u2", "u4"), ("i8", "i8")])
@pytest.mark.sampled(11, ci=11)
def test_integers(spelling: str, given: str, result: str, tmp_path: Path) -> None:
    shapes, types = PRODUCTS[spelling], [np.dtype(name) for name in (given, result)]
    random = np.random.default_rng(2)
    arrays = [random.integers(-99, 99, shape).astype(types[0]) for shape in shapes]
    with jax.enable_x64(True):
        function = lambda x, y: jnp.einsum(spelling.replace("1", "m"), x, y, preferred_element_type=types[1])
        executable, (found,) = emitted(function, arrays, tmp_path)
    assert not multiplied(executable) and "product_of_integers" not in launched(executable)
    np.testing.assert_array_equal(
        found, np.einsum(spelling.replace("1", "m"), *(x.astype(types[1]) for x in arrays)), strict=True
    )


@pytest.mark.parametrize("spelling", PRODUCTS)
@pytest.mark.parametrize("kind", ["f32", "bf16", "f16", "f64"])
def test_numbers(spelling: str, kind: str, tmp_path: Path) -> None:
    with jax.enable_x64(kind == "f64"):
        arrays = numbers("f32" if kind == "f64" else kind, *PRODUCTS[spelling])
        arrays = [x.astype(np.float64) for x in arrays] if kind == "f64" else arrays
        spelling = spelling.replace("1", "m")
        executable, (found,) = emitted(lambda x, y: jnp.einsum(spelling, x, y), arrays, tmp_path)
    assert not multiplied(executable) and "narrow_product" not in launched(executable)
    expected = np.einsum(spelling, *(x.astype(np.float64) for x in arrays))
    if kind == "f64":
        np.testing.assert_allclose(found, expected, rtol=1e-12, atol=1e-12)
    else:
        expect_close(found, expected.astype(np.float32), kind, units=2)


@pytest.mark.parametrize("spelling", ["nk,k->n", "mk,kn->mn", "k,kn->n"])
def test_products_of_matrices_stay(spelling: str, tmp_path: Path) -> None:
    sizes = {"n": 1200, "m": 40, "k": 40}
    arrays = operands_of(spelling, sizes, "f32")
    executable, _ = emitted(lambda x, y: jnp.einsum(spelling, x, y), arrays, tmp_path)
    assert multiplied(executable) or {"product_of_few_rows", "narrow_product"} & {*launched(executable)}


def test_an_iteration_of_conjugate_gradients_has_few_kernels(tmp_path: Path) -> None:
    """Sums are computed with the vectors that they are of."""

    def call(x: jax.Array, q: jax.Array, d: jax.Array) -> jax.Array:
        p = q
        for _ in range(2):
            ap = d * p
            step = (q @ q) / (p @ ap)
            x, r = x + step * p, q - step * ap
            p, q = r + (r @ r) / (q @ q) * p, r
        return x

    arrays = [np.abs(x) + 1 for x in numbers("f32", (5000,), (5000,), (5000,))]
    executable, (found,) = emitted(call, arrays, tmp_path)
    assert not multiplied(executable) and not any(isinstance(action, GraphLoop) for action in executable.actions)
    assert len(launched(executable)) <= 8
    np.testing.assert_allclose(found, np.asarray(jax.jit(call)(*arrays)), rtol=1e-5)


@pytest.mark.parametrize("axes", [2, 3, 4])
def test_sums_over_pairs_of_points_are_shared_by_threads(axes: int, tmp_path: Path) -> None:
    """Distances are sums of few terms inside of the sum over all points."""
    (x,) = numbers("f32", (700, axes))
    function = lambda x: jnp.exp(-((x[:, None] - x) ** 2).sum(-1)).sum(1)
    executable, (found,) = emitted(function, [x], tmp_path)
    (kernel,) = executable.kernels
    assert kernel.grid[0] * kernel.block[0] >= 700 * 32
    wide = x.astype(np.float64)
    np.testing.assert_allclose(found, np.exp(-((wide[:, None] - wide) ** 2).sum(-1)).sum(1), rtol=1e-5)
