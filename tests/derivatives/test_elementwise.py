"""Each derivative of derivatives/elementwise.py on random numbers of its domain, and at the kinks."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import jax
import jax.numpy as jnp
import ml_dtypes
import numpy as np
import pytest
from jax import lax

from derivatives.vjp import check, exported, normal
from hlo2tiny import parse
from hlo2tiny.derivatives import DERIVATIVES

SHAPE = (3, 4)
real, positive = normal(*SHAPE), np.abs(normal(*SHAPE)) + 0.5
inside = np.tanh(normal(*SHAPE)) * 0.9
z, w = (normal(*SHAPE, dtype=np.complex64) for _ in "zw")

CASES: dict[str, tuple[Callable[..., Any], tuple[Any, ...]]] = {
    "abs": (lambda x, z: (lax.abs(x), lax.abs(z)), (real, z)),
    "add": (lax.add, (z, w)),
    "atan2": (lax.atan2, (real, real[::-1])),
    "cbrt": (lax.cbrt, (positive,)),
    "clamp": (lambda low, x, high: lax.clamp(low, x, high), (inside - 1, real, inside + 1)),
    "complex": (lax.complex, (real, inside)),
    "convert": (lambda x, z: (x.astype(jnp.bfloat16), z.real.astype(jnp.complex64) * z), (real, z)),
    "cosine": (lambda x, z: (lax.cos(x), lax.cos(z)), (real, z)),
    "divide": (lambda x, y, z, w: (lax.div(x, y), lax.div(z, w)), (real, positive, z, w)),
    "exponential": (lambda x, z: (lax.exp(x), lax.exp(z)), (real, z)),
    "exponential_minus_one": (lax.expm1, (real,)),
    "imag": (lax.imag, (z,)),
    "log": (lambda x, z: (lax.log(x), lax.log(z)), (positive, z)),
    "log_plus_one": (lax.log1p, (positive,)),
    "maximum": (lax.max, (real, inside)),
    "minimum": (lax.min, (real, inside)),
    "multiply": (lax.mul, (z, w)),
    "negate": (lax.neg, (z,)),
    "optimization_barrier": (lax.optimization_barrier, (real,)),
    "power": (lambda x, y, z, w: (lax.pow(x, y), lax.pow(z, w)), (positive, real, z, w)),
    "real": (lax.real, (z,)),
    "reduce_precision": (lambda x: lax.reduce_precision(x, 8, 10), (real,)),
    "remainder": (lax.rem, (real * 5, positive)),
    "rsqrt": (lambda x, z: (lax.rsqrt(x), lax.rsqrt(z)), (positive, z)),
    "select": (lambda x, y: jnp.where(x > y, x, y * y), (real, inside)),
    "sine": (lambda x, z: (lax.sin(x), lax.sin(z)), (real, z)),
    "sqrt": (lambda x, z: (lax.sqrt(x), lax.sqrt(z)), (positive, z)),
    "subtract": (lax.sub, (z, w)),
    "tan": (lambda z: lax.tan(z), (z,)),
    "tanh": (lambda x, z: (lax.tanh(x), lax.tanh(z)), (real, z)),
}


# Some versions of JAX write these by other ops, or have no derivative of them: modules of one op on the numbers that
# are not named.
OPS: dict[str, tuple[str, Callable[..., Any], Any]] = {
    "chlo.acos": ("%x", lax.acos, inside),
    "chlo.acosh": ("%x", lax.acosh, positive + 1),
    "chlo.asin": ("%x", lax.asin, inside),
    "chlo.asinh": ("%x", lax.asinh, real),
    "chlo.atanh": ("%x", lax.atanh, inside),
    "chlo.cosh": ("%x", lax.cosh, real),
    "chlo.erf": ("%x", lax.erf, real),
    "chlo.sinh": ("%x", lax.sinh, real),
    "chlo.atan": ("%x", lax.atan, real),
    "chlo.conj": ("%x", lax.conj, z),
    "chlo.digamma": ("%x", lax.digamma, positive),
    "chlo.erf_inv": ("%x", lax.erf_inv, inside),
    "chlo.erfc": ("%x", lax.erfc, real),
    "chlo.lgamma": ("%x", lax.lgamma, positive),
    "chlo.next_after": ("%x, %three", lambda x: x, real),  # moves by a unit in the last place
    "chlo.polygamma": ("%three, %x", lambda x: lax.polygamma(jnp.full_like(x, 3.0), x), positive),
    "chlo.square": ("%x", lax.square, real),
    "chlo.tan": ("%x", lax.tan, inside),
    "chlo.zeta": ("%three, %x", lambda q: lax.polygamma(jnp.full_like(q, 2.0), q) / -2, positive),
    "stablehlo.logistic": ("%x", lax.logistic, real),
}


@pytest.mark.sampled(4)
@pytest.mark.parametrize("name", CASES)
def test_derivative(name: str) -> None:
    function, arguments = CASES[name]
    module = exported(function, list(arguments))
    assert f"stablehlo.{name}" in {op.name for op in module.walk()}
    check(function, *arguments, tolerance=1e-4, forward=module)


@pytest.mark.sampled(3)
@pytest.mark.parametrize("name", OPS)
def test_derivative_of_op(name: str) -> None:
    operands, function, x = OPS[name]
    t = f"tensor<3x4x{'complex<f32>' if x.dtype.kind == 'c' else 'f32'}>"
    types = ", ".join([t] * (operands.count(",") + 1))
    text = f"""func.func @main(%x: {t}) -> {t} {{
      %three = stablehlo.constant dense<3.0> : tensor<3x4xf32>
      %y = "{name}"({operands}) : ({types}) -> {t}
      return %y : {t}
    }}"""
    check(function, x, tolerance=1e-4, forward=parse(text))


@pytest.mark.parametrize("name", ["chlo.asin", "chlo.erf"])
def test_derivative_of_a_composite(name: str) -> None:
    """It is that of the op which the composite is named after, as VHLO has it, not its decomposition's."""
    _, function, x = OPS[name]
    text = f"""func.func @main(%x: tensor<3x4xf32>) -> tensor<3x4xf32> {{
      %y = stablehlo.composite "{name}" %x {{decomposition = @other}} : (tensor<3x4xf32>) -> tensor<3x4xf32>
      return %y : tensor<3x4xf32>
    }}
    func.func private @other(%x: tensor<3x4xf32>) -> tensor<3x4xf32> {{
      return %x : tensor<3x4xf32>
    }}"""
    check(function, x, tolerance=1e-4, forward=parse(text))


def test_map() -> None:
    t = "tensor<3x4xf32>"
    text = f"""func.func @main(%x: {t}, %y: {t}, %s: tensor<f32>) -> {t} {{
      %z = "stablehlo.map"(%x, %y) ({{
      ^bb0(%a: tensor<f32>, %b: tensor<f32>):
        %two = stablehlo.constant dense<2.0> : tensor<f32>
        %c = stablehlo.sine %a : tensor<f32>
        %d = stablehlo.multiply %c, %b : tensor<f32>
        %e = stablehlo.multiply %d, %two : tensor<f32>
        stablehlo.return %e : tensor<f32>
      }}) {{dimensions = array<i64: 0, 1>}} : ({t}, {t}) -> {t}
      return %z : {t}
    }}"""
    check(lambda x, y, s: jnp.sin(x) * y * 2, real, inside, np.float32(3), forward=parse(text))


def test_ops_that_broadcast() -> None:
    t = "tensor<3x4xf32>"
    text = f"""func.func @main(%x: {t}, %y: tensor<4xf32>, %z: tensor<3xf32>, %p: tensor<3x4xi1>) -> {t} {{
      %a = chlo.broadcast_multiply %x, %y : ({t}, tensor<4xf32>) -> {t}
      %b = "chlo.broadcast_divide"(%z, %a) {{broadcast_dimensions = array<i64: 0>}} : (tensor<3xf32>, {t}) -> {t}
      %c = chlo.broadcast_select %p, %b, %y : (tensor<3x4xi1>, {t}, tensor<4xf32>) -> {t}
      return %c : {t}
    }}"""

    def function(x: Any, y: Any, z: Any, p: Any) -> Any:
        return jnp.where(p, z[:, None] / (x * y), y)

    check(function, positive, positive[0], positive[:, 0], real > 0, forward=parse(text))


def test_shardings() -> None:
    text = """module {
      sdy.mesh @mesh = <["x"=1]>
      func.func @main(%x: tensor<3x4xf32>) -> tensor<3x4xf32> {
        %y = sdy.sharding_constraint %x <@mesh, [{"x"}, {}]> : tensor<3x4xf32>
        %z = stablehlo.sine %y : tensor<3x4xf32>
        return %z : tensor<3x4xf32>
      }
    }"""
    check(jnp.sin, real, forward=parse(text))


def test_jax_s_own_erf_inv() -> None:
    check(lax.erf_inv, inside, tolerance=1e-4)


def test_all_derivatives_have_a_case() -> None:
    from hlo2tiny.derivatives import elementwise

    own = {
        name.removeprefix("stablehlo.")
        for name, function in DERIVATIVES.items()
        if function.__module__ == elementwise.__name__ and not name.startswith(("@", "chlo.broadcast_", "sdy."))
    }
    assert own - {"map"} == {*CASES, *(name.removeprefix("stablehlo.") for name in OPS)}


# ---------------------------------------------------------------- kinks, steps, edges


def test_a_rectifier_has_no_gradient_at_its_threshold() -> None:
    zeros = np.zeros(3, np.float32)
    check(jax.nn.relu, zeros)


@pytest.mark.parametrize("function", [jax.nn.softplus, jax.nn.log_sigmoid, lambda x: jnp.logaddexp(0.0, x)])
def test_smooth_functions_made_of_kinks(function: Callable[..., Any]) -> None:
    check(function, np.array([0, -1, 1, 20, -20], np.float32))


def test_equal_operands_of_maximum_have_half_each() -> None:
    x = np.array([0, 1, 2], np.float32)
    check(jnp.maximum, x, x)
    check(jnp.minimum, x, x)


def test_steps_have_no_gradient() -> None:
    check(lambda x: jnp.floor(x) + jnp.ceil(x) + jnp.sign(x) + jnp.round(x) + (x > 0), normal(5))


def test_power_where_base_or_exponent_is_zero() -> None:
    check(lax.pow, np.array([0, 0, 2, 3], np.float32), np.array([2, 1, 0, 0], np.float32))


@pytest.mark.parametrize("exponent", [-0.5, 0.0, 0.5, 1.0, 1.5, 2.5, 3.3])
def test_power_with_a_constant_exponent(exponent: float) -> None:
    check(lambda x: lax.pow(x, jnp.float32(exponent)), np.array([0.1, 1, 2, 30], np.float32))


def test_clamp_by_numbers() -> None:
    check(lambda x: lax.clamp(-0.5, x, 0.5), normal(9))


def test_activations() -> None:
    check(lambda x: (jax.nn.gelu(x), jax.nn.gelu(x, approximate=False), jax.nn.silu(x), jax.nn.elu(x)), normal(20))


def test_whole_numbers_end_a_gradient() -> None:
    check(lambda x, i: x * i + (x.astype(jnp.int32) + i).astype(jnp.float32), normal(4), np.arange(4))


@pytest.mark.sampled(2)
@pytest.mark.parametrize(("dtype", "tolerance"), [(np.float16, 3e-3), (ml_dtypes.bfloat16, 3e-2)])
def test_narrow_floats(dtype: Any, tolerance: float) -> None:
    check(
        lambda x, y: jnp.tanh(x) * y + jax.nn.softmax(x),
        normal(4, 5, dtype=dtype),
        normal(5, dtype=dtype),
        tolerance=tolerance,
    )
