from __future__ import annotations

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from jax import lax

from derivatives.vjp import check, differentiated, normal
from hlo2tiny import UnsupportedOp, parse

PLACES = np.array([1, 6, 1, 9])


def test_dynamic_slices() -> None:
    check(lambda x, i: lax.dynamic_slice(x, (i, 1), (2, 2)) * x[0, 0], normal(5, 4), 4)
    check(lambda x, u, i: lax.dynamic_update_slice(x, u, (i, 1)), normal(5, 4), normal(2, 2), 4)


def test_gathers() -> None:
    check(lambda x, i: x[i], normal(7, 3), np.array([[1, 2], [6, 6]]))
    check(lambda x, i, j: x[i, :, j], normal(7, 3, 4), np.array([1, 6]), np.array([0, 3]))
    check(lambda x, i: x.at[i].get(mode="clip"), normal(7, 3), np.array([1, 9, -3]))
    check(lambda x, i: jnp.take_along_axis(x, i, 1), normal(4, 5), np.array([[1, 2], [0, 0], [4, 4], [3, 1]]))
    check(lambda table, tokens: table[tokens].sum(1), normal(9, 4), np.array([[1, 2, 2], [8, 0, 2]]))


def test_index_select() -> None:
    text = """func.func @main(%x: tensor<3x5x2xf32>, %i: tensor<2x2xi32>) -> tensor<3x2x2x2xf32> {
      %y = "stablehlo.torch_index_select"(%x, %i) {dim = 1 : i64, batch_dims = 0 : i64}
        : (tensor<3x5x2xf32>, tensor<2x2xi32>) -> tensor<3x2x2x2xf32>
      return %y : tensor<3x2x2x2xf32>
    }"""
    check(lambda x, i: x[:, i], normal(3, 5, 2), np.array([[1, 4], [1, 0]]), forward=parse(text))
    batched = """func.func @main(%x: tensor<3x2x5xf32>, %i: tensor<3x2xi32>) -> tensor<3x2x2xf32> {
      %y = "stablehlo.torch_index_select"(%x, %i) {dim = 2 : i64, batch_dims = 1 : i64}
        : (tensor<3x2x5xf32>, tensor<3x2xi32>) -> tensor<3x2x2xf32>
      return %y : tensor<3x2x2xf32>
    }"""
    places = np.array([[1, 4], [1, 1], [0, 3]])
    check(jax.vmap(lambda x, i: x[:, i]), normal(3, 2, 5), places, forward=parse(batched))


def test_scatters() -> None:
    check(lambda x, u, i: x.at[i].add(u), normal(7, 3), normal(4, 3), PLACES)
    check(lambda x, u, i: x.at[i, 1].set(u), normal(7, 3), normal(4), np.array([1, 6, 2, 9]))
    check(lambda x, u, i: x.at[:, i].add(u), normal(3, 7), normal(3, 4), PLACES)
    check(lambda x, u: x.at[PLACES[:2]].mul(u, unique_indices=True), normal(7, 3), normal(2, 3))
    check(lambda x, i: x.at[i].mul(1.5), normal(10, 3), PLACES)  # of the indices one repeats
    check(lambda x, u, i: x.at[i].max(u), normal(10, 3), normal(4, 3), PLACES)
    check(lambda x, u, i: x.at[i].min(u), np.ones((10, 3), np.float32), np.ones((4, 3), np.float32), PLACES)
    check(lambda x, i: jax.ops.segment_max(x, i, 10), normal(4, 3), PLACES)


def test_of_updates_of_one_place_the_last_counts() -> None:
    module, _ = differentiated(lambda x, u: x.at[jnp.array([1, 1])].set(u), [normal(3), normal(2)])
    from hlo2tiny.program import Program

    of_x, of_u = Program(module, "CPU").numpy(normal(3), normal(2), np.array([2, 3, 4], np.float32))
    assert of_x.tolist() == [2, 0, 4]
    assert of_u.tolist() == [0, 3]


def test_a_scatter_by_its_own_function_is_named() -> None:
    with pytest.raises(UnsupportedOp, match=r"stablehlo.scatter: hlo2tiny cannot differentiate this op"):
        differentiated(lambda x, u: x.at[PLACES].mul(u), [normal(7, 3), normal(4, 3)])


def test_sorts() -> None:
    check(lambda x: jnp.sort(x, 0), normal(7, 3))
    check(lambda x: jnp.sort(x, descending=True), normal(7, 3))
    check(lambda x, y: lax.sort((x, y), num_keys=1), normal(7), normal(7))
    check(lambda x: lax.top_k(x, 3), normal(4, 9))
