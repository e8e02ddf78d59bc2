from __future__ import annotations

import jax.numpy as jnp
import numpy as np
import pytest
from jax import lax

from derivatives.vjp import check, normal


def test_reshape_transpose_reverse() -> None:
    check(lambda x: x.reshape(6, 4).T[::-1].reshape(2, 3, 4).transpose(2, 0, 1), normal(2, 3, 4))


@pytest.mark.parametrize(
    ("shape", "result", "dimensions"),
    [((), (2, 3), ()), ((3,), (2, 3), (1,)), ((1, 3), (2, 3, 4), (0, 1)), ((2, 1), (2, 4), (0, 1))],
)
def test_broadcast(shape: tuple[int, ...], result: tuple[int, ...], dimensions: tuple[int, ...]) -> None:
    check(lambda x: lax.broadcast_in_dim(x, result, dimensions), normal(*shape))


def test_concatenate() -> None:
    check(lambda x, y: jnp.concatenate([x, y, x]), normal(3, 2), normal(1, 2))


def test_slices() -> None:
    check(lambda x: (x[1:7:2], x[3:4], x[:0]), normal(9))


def test_small_slices_of_one_tensor() -> None:
    """Those of layers from stacked weights: each is added where it was taken."""
    check(lambda x: [jnp.sin(x[i]) for i in range(6)] + [x[2] * x[3]], normal(6, 5))


def test_pad() -> None:
    check(lambda x, v: lax.pad(x, v, ((2, -1, 1), (-1, 3, 0))), normal(5, 4), np.float32(2))


def test_pad_that_cuts_all() -> None:
    check(lambda x, v: lax.pad(x, v, ((-3, 1, 0),)), normal(3), np.float32(2))
