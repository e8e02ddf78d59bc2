from __future__ import annotations

from collections.abc import Callable
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from jax import lax

from derivatives.vjp import check, differentiated, exported, normal
from hlo2tiny import UnsupportedOp, parse

ZEROS = np.array([[1, 2, 0], [0, 0, 3], [1, 2, 3], [0, 0, 0]], np.float32)


def test_sums() -> None:
    check(lambda x, z: (x.sum(), x.mean(1), z.sum(0)), normal(3, 4), normal(3, 4, dtype=np.complex64))


def test_products_with_zeros() -> None:
    check(lambda x: jnp.prod(x, 1), ZEROS)


def test_extremes_with_ties() -> None:
    check(lambda x: (x.max(1), x.min(0), jnp.max(x, initial=5.0)), ZEROS)


def test_softmax_and_its_kin() -> None:
    check(lambda x: (jax.nn.softmax(x), jax.nn.log_softmax(x, 0), jax.nn.logsumexp(x, 1)), normal(4, 7))


def test_the_condition_of_a_choice_has_no_gradient() -> None:
    check(lambda x: x[jnp.argmax(x)] * jnp.argmin(x), normal(5))


@pytest.mark.parametrize("padding", ["SAME", "VALID"])
def test_pooling(padding: str) -> None:
    window: tuple[Any, ...] = ((1, 3, 2, 1), (1, 2, 2, 1), padding)
    check(lambda x: lax.reduce_window(x, 0.0, lax.add, *window), normal(2, 9, 8, 3))
    check(lambda x: lax.reduce_window(x, -jnp.inf, lax.max, *window), normal(2, 9, 8, 3))
    check(lambda x: lax.reduce_window(x, jnp.inf, lax.min, *window), normal(2, 9, 8, 3))


def test_dilated_windows() -> None:
    check(lambda x: lax.reduce_window(x, 0.0, lax.add, (3, 2), (2, 1), [(1, 2), (0, 3)], (2, 1), (1, 3)), normal(6, 7))


@pytest.mark.sampled(3)
@pytest.mark.parametrize("function", [jnp.cumsum, lax.cummax, lax.cummin, lax.cumprod, lax.cumlogsumexp])
def test_running(function: Callable[..., Any]) -> None:
    check(function, normal(9))
    check(lambda x: function(x[:, ::-1], axis=1), normal(3, 4))


def test_by_functions_of_their_own() -> None:
    check(lambda x: lax.reduce(x, np.float32(-np.inf), jnp.logaddexp, (0, 2)), normal(4, 3, 2))
    x, first = normal(4, 3), np.float32(2)
    forward = exported(lambda x, first: lax.reduce(x, first, lax.mul, (1,)), [x, first])
    check(lambda x, first: first * x.prod(1), x, first, forward=forward)

    def product(a: Any, b: Any) -> Any:
        return a[0] * b[0] - a[1] * b[1], a[0] * b[1] + a[1] * b[0]

    one = np.float32(1), np.float32(0)
    check(lambda x, y: lax.reduce((x, y), one, product, (1,)), normal(3, 4), normal(3, 4))


def test_dilated_extremes() -> None:
    x = normal(7, 6)

    def by_slices(x: Any) -> Any:
        rows = jnp.maximum(x[:-3], x[3:])
        return jnp.maximum(rows[:, :-2:2], rows[:, 2::2])

    def by_windows(x: Any) -> Any:
        return lax.reduce_window(x, -jnp.inf, lax.max, (2, 2), (1, 2), [(0, 0), (0, 0)], None, (3, 2))

    check(by_slices, x, forward=exported(by_windows, [x]))


def test_a_gradient_of_max_pooling_has_a_gradient() -> None:
    def squares(x: Any) -> Any:
        return (lax.reduce_window(x, -jnp.inf, lax.max, (1, 3, 2, 1), (1, 2, 2, 1), "SAME") ** 2).sum()

    check(jax.grad(squares), normal(2, 9, 8, 3))


def test_a_reduction_by_what_is_not_elementwise_is_named() -> None:
    def strange(a: Any, b: Any) -> Any:
        return lax.while_loop(lambda c: c < b, lambda c: c + 1.0, a)

    with pytest.raises(UnsupportedOp, match=r":\d+:\d+: stablehlo.reduce: .*: its region contains"):
        differentiated(lambda x: lax.reduce(x, np.float32(0), strange, (0,)), [normal(4)])


COLLECTIVES = {
    "collective_reduce": """({
      ^bb0(%a: tensor<f32>, %b: tensor<f32>):
        %s = stablehlo.add %a, %b : tensor<f32>
        stablehlo.return %s : tensor<f32>
      })""",
    "collective_broadcast": "",
}


@pytest.mark.parametrize("name", COLLECTIVES)
def test_collectives_with_a_root(name: str) -> None:
    """The one process is the root, or gets zeros."""
    text = f"""func.func @main(%x: tensor<3xf32>, %y: tensor<f32>, %r: tensor<2xi32>) -> (tensor<3xf32>, tensor<f32>) {{
      %z:2 = "stablehlo.{name}"(%x, %y, %r) {COLLECTIVES[name]}
        {{replica_groups = dense<0> : tensor<1x1xi64>, has_dynamic_root}}
        : (tensor<3xf32>, tensor<f32>, tensor<2xi32>) -> (tensor<3xf32>, tensor<f32>)
      return %z#0, %z#1 : tensor<3xf32>, tensor<f32>
    }}"""

    def at_root(x: Any, y: Any, roots: Any) -> Any:
        return jnp.where(roots[0] == 0, x, 0), jnp.where(roots[1] == 0, y, 0)

    for roots in ([0, 0], [0, 1], [1, 0]):
        check(at_root, normal(3), normal(), np.array(roots, np.int32), forward=parse(text))
    static = text.replace(", has_dynamic_root", "").replace("(%x, %y, %r)", "(%x, %y)")
    static = static.replace("(tensor<3xf32>, tensor<f32>, tensor<2xi32>)", "(tensor<3xf32>, tensor<f32>)")
    check(lambda x, y, r: (x, y), normal(3), normal(), np.zeros(2, np.int32), forward=parse(static))


def test_a_broadcast_in_no_group() -> None:
    text = """func.func @main(%x: tensor<3xf32>) -> tensor<3xf32> {
      %y = "stablehlo.collective_broadcast"(%x) {replica_groups = dense<> : tensor<0x0xi64>}
        : (tensor<3xf32>) -> tensor<3xf32>
      return %y : tensor<3xf32>
    }"""
    check(jnp.zeros_like, normal(3), forward=parse(text))
