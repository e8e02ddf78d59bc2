"""JAX functions called with Tensors, numpy and JAX arrays, and run by tinygrad."""

from __future__ import annotations

import functools
import threading
from collections import namedtuple
from dataclasses import dataclass
from typing import Any

import jax
import numpy as np
import pytest
from tinygrad import Tensor, dtypes

import hlo2tiny
from hlo2tiny.errors import InputError
from hlo2tiny.from_jax.jitted import Jitted

jnp, lax = jax.numpy, jax.lax

X = np.linspace(-2, 2, 12, dtype=np.float32).reshape(4, 3)
jit = functools.partial(hlo2tiny.jit, device="CPU")


def same(results: Any, want: Any) -> None:
    """Tensors in the structure that JAX gives, of its dtypes and values."""
    found, structure = jax.tree.flatten(results)
    expected, other = jax.tree.flatten(want)
    assert structure == other
    for x, y in zip(found, expected):
        assert isinstance(x, Tensor)
        assert (x.shape, np.dtype(x.numpy().dtype)) == (y.shape, y.dtype)
        np.testing.assert_allclose(x.numpy(), y, rtol=1e-5, atol=1e-6)


def count_traces(function: Any) -> tuple[Any, list[int]]:
    traces: list[int] = []

    @functools.wraps(function)
    def counted(*args: Any, **kwargs: Any) -> Any:
        traces.append(1)
        return function(*args, **kwargs)

    return counted, traces


@pytest.mark.parametrize(
    "make", [Tensor, np.asarray, jnp.asarray, lambda x: Tensor(x) * 1], ids="tensor numpy jax lazy".split()
)
def test_arrays_of_every_kind(make: Any) -> None:
    same(jit(lambda x: jnp.tanh(x) @ x.T)(make(X)), jnp.tanh(X) @ X.T)


def test_numbers_keep_their_weak_types() -> None:
    f = jit(lambda x, n, b: jnp.where(b, x * n, x))
    same(f(X.astype(np.float16), 2.5, True), (X.astype(np.float16) * np.float16(2.5)))
    same(f(X, 2, False), X)


State = namedtuple("State", "mean count")


@jax.tree_util.register_dataclass
@dataclass
class Moments:
    mean: Any
    parts: Any


def test_pytrees_come_back_as_they_are() -> None:
    def f(state: Any, *, extra: Any) -> Any:
        return State(state.mean + 1, {"n": None, "all": [extra["x"], Moments(extra["x"] * 2, (state.count,))]})

    arguments = State(X, np.int32(3)), {"x": X, "unused": X}
    same(jit(f)(arguments[0], extra=arguments[1]), jax.jit(f)(arguments[0], extra=arguments[1]))


def test_it_is_traced_once_for_each_shape_dtype_and_static_set() -> None:
    f, traces = count_traces(lambda x, mode="a", n=1: x * n if mode == "a" else x - n)
    g = jit(f, static_argnames=("mode", "n"))
    for _ in range(2):
        for x in (X, X + 1, Tensor(X)):
            g(x)
    assert len(traces) == 1
    for x, named in [(X[:2], {}), (X.astype(np.int32), {}), (X, {"mode": "b"}), (X, {"n": 2})]:
        for _ in range(2):
            same(g(x, **named), f.__wrapped__(jnp.asarray(x), **named))
    assert len(traces) == 5


def test_static_arguments_by_position() -> None:
    f = jit(lambda x, n, axis: jnp.repeat(x, n, axis), static_argnums=(1, 2))
    same(f(X, 2, 0), jnp.repeat(X, 2, 0))
    same(f(X, axis=1, n=3), jnp.repeat(X, 3, 1))


def test_functions_in_pytrees_are_static() -> None:
    f, traces = count_traces(lambda layer, x: layer["activation"](x * layer["scale"]))
    g = jit(f)
    for activation in (jnp.tanh, jax.nn.relu, jnp.tanh):
        same(g({"activation": activation, "scale": 2.0}, X), activation(X * 2))
    assert len(traces) == 2


def test_static_arguments_need_hashes() -> None:
    with pytest.raises(InputError, match="cannot be hashed"):
        jit(lambda x, n: x, static_argnums=1)(X, [1])


# ---------------------------------------------------------------- what JAX can


def newton(x: Any) -> Any:
    return lax.while_loop(lambda c: jnp.any(jnp.abs(c * c - x) > 1e-4), lambda c: 0.5 * (c + x / c), x)


TABLE = np.arange(3, dtype=np.float32)

FUNCTIONS = {
    "custom_jvp": lambda x: (jax.nn.relu(x), jax.grad(lambda x: jax.nn.relu(x).sum())(x)),
    "grad": jax.grad(lambda x: jnp.sum(jnp.sin(x) ** 2)),
    "value_and_grad of a tree": lambda x: jax.value_and_grad(lambda p: (p["w"] * x).sum() ** 2)({"w": x + 1}),
    "vmap": jax.vmap(lambda row: jnp.dot(row, row)),
    "scan": lambda x: lax.scan(lambda c, row: (c + row, c * row), x[0], x),
    "while": lambda x: newton(jnp.abs(x) + 1),
    "fori": lambda x: lax.fori_loop(0, 5, lambda i, c: c * 0.5 + i, x),
    "cond": lambda x: lax.cond(x[0, 0] > 0, jnp.sin, jnp.cos, x),
    "jitted": jax.jit(lambda x: x * 2),
    "closure over an array": lambda x: x * TABLE,
    "no argument is read": lambda x: jnp.arange(4),
    "hessian": lambda x: jax.hessian(lambda v: jnp.sum(v**3))(x[0]),
}


@pytest.mark.parametrize("name", FUNCTIONS)
def test_what_jax_can(name: str) -> None:
    same(jit(FUNCTIONS[name])(Tensor(X)), jax.jit(FUNCTIONS[name])(X))


def test_inside_of_a_function_that_jax_traces() -> None:
    square = jit(lambda x: x * x)
    np.testing.assert_allclose(jax.grad(lambda x: square(x).sum())(X), 2 * X)
    np.testing.assert_allclose(jax.jit(square)(X), X * X)


@pytest.mark.parametrize("make", [jax.random.key, jax.random.PRNGKey], ids=["typed", "raw"])
def test_random_keys(make: Any) -> None:
    def step(key: Any) -> Any:
        key, other = jax.random.split(key)
        return key, jax.random.normal(other, (3,))

    key = want = make(0)
    for _ in range(3):
        (key, x), (want, y) = jit(step)(key), step(want)
        np.testing.assert_allclose(x.numpy(), y, rtol=1e-5)


def test_bfloat16() -> None:
    f = jit(lambda x, y: x * 2 + y)
    result = f(Tensor([1.0, 2.5]).cast(dtypes.bfloat16), jnp.ones(2, jnp.bfloat16))
    assert result.dtype == dtypes.bfloat16
    np.testing.assert_array_equal(result.cast(dtypes.float32).numpy(), [3, 6])


def test_64_bits_become_32_where_jax_does_that() -> None:
    same(jit(lambda x: x + 1)(X.astype(np.float64)), X + 1)
    same(jit(lambda x: x + 1)(Tensor(X.astype(np.float64))), X + 1)


# ---------------------------------------------------------------- in tinygrad's graph


def loss(params: Any, x: Any) -> Any:
    return jnp.mean(jax.nn.relu(x @ params["w"] + params["b"]) ** 2)


PARAMS = {"w": np.linspace(-1, 1, 6, dtype=np.float32).reshape(3, 2), "b": np.array([0.5, -0.5], np.float32)}


def test_gradients_of_tinygrad_reach_the_arguments() -> None:
    params = {name: Tensor(value).realize() for name, value in PARAMS.items()}
    jit(loss)(params, X).backward()
    for name, gradient in jax.grad(loss)(PARAMS, X).items():
        np.testing.assert_allclose(params[name].grad.numpy(), gradient, rtol=1e-5, atol=1e-6)


def test_gradients_pass_on_to_what_the_arguments_are_made_of() -> None:
    x = Tensor(X).realize()
    (jit(lambda x: jnp.sin(x) * 2)(x * x).sum() * 3).backward()
    np.testing.assert_allclose(x.grad.numpy(), 6 * np.cos(X * X) * 2 * X, rtol=1e-4, atol=1e-5)


def test_what_runs_lazily() -> None:
    x = Tensor(X).realize()
    assert not jit(jnp.tanh)(x).uop.has_buffer_identity()
    assert jit(jnp.tanh, lazy=False)(x).uop.has_buffer_identity()
    assert jit(jnp.tanh)(X).uop.has_buffer_identity()
    assert not jit(jnp.tanh, lazy=True)(X).uop.has_buffer_identity()


# ---------------------------------------------------------------- use


def test_a_decorator_with_and_without_options() -> None:
    @hlo2tiny.jit
    def plain(x: Any) -> Any:
        """Its text."""
        return x + 1

    @hlo2tiny.jit(device="PYTHON", static_argnames="n")
    def with_options(x: Any, n: int) -> Any:
        return x + n

    assert (plain.__name__, plain.__doc__) == ("plain", "Its text.")
    same(plain(X), X + 1)
    result = with_options(X, n=3)
    assert result.device == "PYTHON"
    same(result, X + 3)


def test_the_device_is_that_of_the_tensors() -> None:
    f = hlo2tiny.jit(lambda x: x * 2)
    assert f(Tensor(X, device="PYTHON")).device == "PYTHON"
    assert f(Tensor(X, device="CPU")).device == "CPU"


def test_methods() -> None:
    class Model:
        scale = 3

        @hlo2tiny.jit
        def __call__(self, x: Any) -> Any:
            return x * self.scale

    model = Model()
    same(model(X), X * 3)


def test_the_program_of_a_function() -> None:
    f = jit(lambda params, x: params["w"] * x)
    program = f.program({"w": X, "b": X}, X)
    assert [i.name for i in program.inputs] == ["params['w']", "x"]


def test_from_several_threads() -> None:
    f, traces = count_traces(lambda x: jnp.tanh(x) * 2)
    g = jit(f)
    found: list[Any] = []
    threads = [threading.Thread(target=lambda: found.append(g(X).numpy())) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(found) == 4 and len(traces) == 1
    for result in found:
        np.testing.assert_allclose(result, np.tanh(X) * 2, rtol=1e-6)


def test_errors_of_the_function_are_its_own() -> None:
    with pytest.raises(TypeError, match=r"dot_general|matmul"):
        jit(lambda x: x @ x)(X)
    with pytest.raises(OverflowError):
        jit(lambda x: x + 1)(2**40)
    assert isinstance(jit(lambda x: x), Jitted)
    with pytest.raises(TypeError, match="jit takes a function, not 3"):
        jit(3)


def test_python_callbacks_are_refused() -> None:
    with pytest.raises(InputError, match=r"remove jax\.debug\.print"):
        jit(lambda x: (jax.debug.print("{}", x), x)[1])(X)


def test_functions_without_arguments_or_results() -> None:
    same(jit(lambda: jnp.arange(3))(), jnp.arange(3))
    assert jit(lambda x: None)(X) is None and jit(lambda x: None)(Tensor(X)) is None
    same(jit(lambda x: x + 1)(Tensor(X[:0]).realize()), X[:0])


def test_a_flax_convnet_with_its_parameters_as_a_pytree() -> None:
    from flax import linen as nn

    class ConvNet(nn.Module):
        @nn.compact
        def __call__(self, x: Any) -> Any:
            x = nn.avg_pool(nn.relu(nn.Conv(4, (3, 3))(x)), (2, 2), (2, 2))
            return nn.Dense(5)(x.reshape(x.shape[0], -1))

    images = np.random.RandomState(0).standard_normal((2, 8, 8, 3)).astype(np.float32)
    net = ConvNet()
    params = net.init(jax.random.key(0), images)
    tensors = jax.tree.map(lambda x: Tensor(np.asarray(x)), params)
    same(jit(net.apply)(tensors, Tensor(images)), net.apply(params, images))
