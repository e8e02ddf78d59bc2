"""JAX functions and models of its libraries as files, which are called like the functions."""

from __future__ import annotations

import functools
from collections import namedtuple
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import jax
import numpy as np
import pytest
from tinygrad import Tensor, dtypes

import hlo2tiny
from hlo2tiny.errors import InputError
from hlo2tiny.formats import safetensors

jnp = jax.numpy

PARAMS = {"dense": {"bias": np.array([1, -1], np.float32), "kernel": np.arange(6, dtype=np.float32).reshape(3, 2)}}
X = np.linspace(-1, 1, 12, dtype=np.float32).reshape(4, 3)


def dense(params: Any, x: Any, *, scale: Any = 1.0, negate: bool = False) -> Any:
    y = jnp.tanh(x @ params["dense"]["kernel"] + params["dense"]["bias"]) * scale
    return {"y": -y if negate else y, "rest": (None, [x])}


WANT = np.tanh(X @ PARAMS["dense"]["kernel"] + PARAMS["dense"]["bias"])


def check(results: Any, want: np.ndarray = WANT) -> None:
    assert list(results) == ["rest", "y"] and results["rest"][0] is None
    np.testing.assert_allclose(results["y"], want, rtol=1e-5, atol=1e-6)


def exported(tmp_path: Path, *args: Any, **options: Any) -> hlo2tiny.Program:
    return hlo2tiny.load(hlo2tiny.export(*args, path=tmp_path / "model.mlir", **options), device="CPU")


def test_a_function_is_called_as_in_jax(tmp_path: Path) -> None:
    program = exported(tmp_path, dense, PARAMS, X, scale=2.0)
    assert [i.name for i in program.inputs] == [
        "params['dense']['bias']",
        "params['dense']['kernel']",
        "x",
        "scale",
    ]
    check(program.numpy(PARAMS, X, scale=2.0), 2 * WANT)
    check(program.numpy(jax.tree.map(jnp.asarray, PARAMS), jnp.asarray(X), scale=jnp.float32(1)))


@pytest.mark.parametrize("options", [{}, {"weight_argnums": 0}, {"weight_argnames": ("params",)}])
@pytest.mark.parametrize("weights", ["embed", "external"])
def test_weights_are_not_passed(tmp_path: Path, weights: Any, options: dict[str, Any]) -> None:
    program = exported(tmp_path, dense, PARAMS, X, weights=weights, **options)
    assert [i.name for i in program.inputs] == ["x"]
    check(program.numpy(X))
    assert (tmp_path / "model.safetensors").exists() == (weights == "external")


def test_external_weights_are_read_where_they_lie(tmp_path: Path) -> None:
    program = exported(tmp_path, dense, PARAMS, X, weights="external")
    assert set(safetensors.read(tmp_path / "model.safetensors")) == {
        "params['dense']['bias']",
        "params['dense']['kernel']",
    }
    assert not any(value.place().array.flags.owndata for value in program._arguments.bound.values())


def test_weights_by_position_among_others(tmp_path: Path) -> None:
    program = exported(tmp_path, lambda x, w, y: x * w - y, X, X + 2, X, weights="external", weight_argnums=1)
    np.testing.assert_allclose(program.numpy(X, y=X + 1), X * (X + 2) - (X + 1), rtol=1e-6)


def test_static_arguments_are_fixed(tmp_path: Path) -> None:
    program = exported(tmp_path, dense, PARAMS, X, negate=True, static_argnames="negate")
    check(program.numpy(PARAMS, X), -WANT)
    two = exported(tmp_path, lambda x, **named: x * named["b"] - named["a"], X, b=2.0, a=X)
    np.testing.assert_allclose(two.numpy(X, a=X, b=2.0), X, rtol=1e-6)
    with pytest.raises(InputError, match="the export has fixed negate at True"):
        program.numpy(PARAMS, X, negate=False)
    power = exported(tmp_path, lambda x, n: x**n, X, 3, static_argnums=1)
    np.testing.assert_allclose(power.numpy(X), X**3, rtol=1e-5)


class Scaled:
    factor = 2.0

    def __call__(self, x: Any) -> Any:
        return x * self.factor


@pytest.mark.parametrize(
    "function",
    [lambda x: x * 2, jax.jit(lambda x: x * 2), jax.jit(lambda x: x * 2, donate_argnums=0), Scaled(), Scaled().__call__]
    + [functools.partial(jnp.multiply, 2.0)],
    ids="function jitted donating callable method partial".split(),
)
def test_what_can_be_called_can_be_exported(tmp_path: Path, function: Any) -> None:
    np.testing.assert_array_equal(exported(tmp_path, function, X).numpy(X), 2 * X)


def test_locations_are_the_users(tmp_path: Path) -> None:
    text = hlo2tiny.export(dense, PARAMS, X, path=tmp_path / "model.mlir").read_text()
    assert "test_exporting.py" in text and "tracing.py" not in text


def test_any_number_of_arguments(tmp_path: Path) -> None:
    def function(*xs: Any, **named: Any) -> Any:
        return xs[0]["a"] + xs[1] + named["z"] - named["b"]

    program = exported(tmp_path, function, {"a": X}, X, z=X, b=1.0)
    np.testing.assert_allclose(program.numpy({"a": X}, X, b=1.0, z=X), 3 * X - 1, rtol=1e-6)
    assert exported(tmp_path, lambda: None).numpy() is None


# ---------------------------------------------------------------- shapes


@pytest.mark.parametrize("shape", ["b, 3", "float32[b, 3]", " float32 [ b,3 ] "])
def test_shapes_as_texts(tmp_path: Path, shape: str) -> None:
    program = exported(tmp_path, dense, PARAMS, shape, weights="external")
    assert str(program.inputs[0]) == "x: float32[b, 3]"
    assert [i.layout for i in program.outputs] == ["float32[b, 3]", "float32[b, 2]"]
    for rows in (4, 1):
        check(program.numpy(X[:rows]), WANT[:rows])


def test_dimensions_of_one_name_are_one_dimension(tmp_path: Path) -> None:
    def add(parts: Any, z: Any) -> Any:
        return parts["a"] + parts["b"][0] + z

    program = exported(tmp_path, add, {"a": "n", "b": ["n"]}, "int32[n]", constraints=["n >= 2"])
    ones = np.ones(3, np.float32)
    np.testing.assert_array_equal(
        program.numpy({"a": ones, "b": [ones]}, np.arange(3, dtype=np.int32)), 2 + np.arange(3)
    )
    with pytest.raises(hlo2tiny.Error):
        program.numpy({"a": ones, "b": [ones[:2]]}, np.arange(3, dtype=np.int32))


def test_shapes_of_jax(tmp_path: Path) -> None:
    program = exported(tmp_path, dense, PARAMS, jax.ShapeDtypeStruct((4, 3), jnp.float32))
    check(program.numpy(PARAMS, X))


# ---------------------------------------------------------------- pytrees

Point = namedtuple("Point", "x y")


@jax.tree_util.register_dataclass
@dataclass
class State:
    mean: Any
    count: Any


class Bag:
    def __init__(self, *parts: Any) -> None:
        self.parts = parts


jax.tree_util.register_pytree_node(Bag, lambda bag: (bag.parts, None), lambda aux, parts: Bag(*parts))


@pytest.mark.parametrize(
    ("value", "expect"),
    [
        ((1.0, [2.0, None], ()), (2.0, [4.0, None], ())),
        ({"b": {"c": 1.0}, "a": None}, {"a": None, "b": {"c": 2.0}}),
        ({2: 1.0, 10: 3.0}, {2: 2.0, 10: 6.0}),
        (Point(1.0, Point(2.0, 3.0)), Point(2.0, Point(4.0, 6.0))),
        (Bag(1.0, {"k": 2.0}), (2.0, {"k": 4.0})),
        (None, None),
    ],
    ids=["tuples", "dicts", "integer keys", "namedtuples", "registered class", "none"],
)
def test_pytrees_come_back(tmp_path: Path, value: Any, expect: Any) -> None:
    program = exported(tmp_path, lambda tree: jax.tree.map(lambda x: x * 2, tree), value)
    assert program.numpy(value) == expect


def test_dataclasses_come_back_as_namedtuples(tmp_path: Path) -> None:
    program = exported(tmp_path, lambda s, x: State(s.mean + x, s.count + 1), State(X, 1), X)
    state = program.numpy(State(X, np.int32(5)), X)
    np.testing.assert_array_equal(state.mean, X + X)
    assert (state.count, type(state).__name__) == (6, "State")
    again = program.numpy(state, X)
    assert again.count == 7


def test_leaves_that_are_not_arrays_are_part_of_the_program(tmp_path: Path) -> None:
    program = exported(tmp_path, lambda bag, x: bag.parts[0](x) * bag.parts[1], Bag(jnp.tanh, 2.0, "name"), X)
    np.testing.assert_allclose(program.numpy(Bag(jnp.tanh, 3.0, "name"), X), 3 * np.tanh(X), rtol=1e-5)
    with pytest.raises(InputError, match=r"bag\[2\]: expected 'name', which the export has fixed, found 'other'"):
        program.numpy(Bag(jnp.tanh, 3.0, "other"), X)


def test_arguments_that_nothing_reads_are_passed(tmp_path: Path) -> None:
    program = exported(tmp_path, lambda a, unused, b: a - b["x"], X, np.zeros(9), {"x": X, "y": X})
    assert [i.name for i in program.inputs] == ["a", "b['x']"]
    np.testing.assert_array_equal(program.numpy(2 * X, np.zeros(9), {"x": X, "y": X}), X)


@pytest.mark.parametrize("make", [jax.random.key, jax.random.PRNGKey], ids=["typed", "raw"])
def test_random_keys(tmp_path: Path, make: Callable[[int], Any]) -> None:
    program = exported(tmp_path, lambda key: jax.random.uniform(key, (3,)), make(0))
    np.testing.assert_allclose(program.numpy(make(7)), jax.random.uniform(make(7), (3,)))


def test_bfloat16_weights(tmp_path: Path) -> None:
    w = jnp.arange(6, dtype=jnp.bfloat16).reshape(3, 2)
    program = exported(tmp_path, lambda w, x: x.astype(jnp.bfloat16) @ w, w, X, weights="external")
    want = np.asarray(jnp.asarray(X, jnp.bfloat16) @ w)
    assert program.numpy(X).dtype == want.dtype
    np.testing.assert_allclose(program.numpy(X).astype(np.float32), want.astype(np.float32), rtol=0.01)


@pytest.mark.parametrize("weights", ["embed", "external"])
def test_tensors_of_tinygrad(tmp_path: Path, weights: Any) -> None:
    """Weights that tinygrad trained are exported with their JAX function."""
    params = {"w": Tensor([1.5, -2.0]).cast(dtypes.bfloat16), "b": Tensor([1.0, 2.0]) * 2}
    program = exported(
        tmp_path, lambda p, x: x * p["w"].astype(x.dtype) + p["b"], params, Tensor([1.0, 1.0]), weights=weights
    )
    np.testing.assert_array_equal(program.numpy(np.array([2, 3], np.float32)), [5, -2])


def test_64_bits(tmp_path: Path) -> None:
    jax.config.update("jax_enable_x64", True)
    try:
        program = exported(
            tmp_path, lambda w, n, x: x * w + n, np.float64(1) / 3, np.int64(2**40), np.zeros(2), weights="external"
        )
        assert [i.layout for i in program.inputs] == ["int64[]", "float64[2]"]
        np.testing.assert_array_equal(program.numpy(2**40, np.ones(2)), np.ones(2) / 3 + 2**40)
    finally:
        jax.config.update("jax_enable_x64", False)


# ---------------------------------------------------------------- other weights


def write(tmp_path: Path, **arrays: np.ndarray) -> Path:
    safetensors.write(tmp_path / "other.safetensors", arrays)
    return tmp_path / "other.safetensors"


OTHER = {"bias": np.zeros(2, np.float32), "kernel": np.ones((3, 2), np.float32)}
WANT_OTHER = np.tanh(X @ OTHER["kernel"])


@pytest.mark.parametrize("prefix", ["params['dense']['{}']", "params.dense.{}", "params/dense/{}", "dense.{}"])
@pytest.mark.parametrize("weights", [None, "external"])
def test_weights_are_swapped_by_name(tmp_path: Path, weights: Any, prefix: str) -> None:
    path = hlo2tiny.export(dense, PARAMS, X, path=tmp_path / "model.mlir", weights=weights)
    other = write(tmp_path, **{prefix.format(name): array for name, array in OTHER.items()})
    check(hlo2tiny.load(path, device="CPU", weights=other).numpy(X), WANT_OTHER)


def test_weights_are_swapped_in_a_text_alone(tmp_path: Path) -> None:
    text = jax.export.export(jax.jit(dense))(PARAMS, X).mlir_module()
    other = write(tmp_path, **{f"dense.{name}": array for name, array in OTHER.items()})
    np.testing.assert_allclose(hlo2tiny.load(text, "CPU", weights=other).numpy(X)[1], WANT_OTHER, rtol=1e-5)


@pytest.mark.parametrize("weights", [None, "external"])
def test_wrong_weights_are_listed(tmp_path: Path, weights: Any) -> None:
    path = hlo2tiny.export(dense, PARAMS, X, path=tmp_path / "model.mlir", weights=weights)
    other = write(tmp_path, **{"dense.kernel": np.ones((2, 3), np.float32), "dense.size": np.ones(2)})
    with pytest.raises(InputError) as raised:
        hlo2tiny.load(path, device="CPU", weights=other)
    message = str(raised.value)
    assert "dense.size: no argument has this name" in message
    assert "params['dense']['bias']: missing" in message
    assert "(params['dense']['kernel']) is float32[2, 3], expected float32[3, 2]" in message


# ---------------------------------------------------------------- wrong use


@pytest.mark.parametrize(
    ("arguments", "options", "message"),
    [
        ((PARAMS, X), {"weights": "inside"}, "weights='inside', expected None, 'embed' or 'external'"),
        ((PARAMS, X), {"weights": "embed", "weight_argnames": "w"}, "there is no argument 'w' for weights"),
        ((PARAMS, X), {"weights": "embed", "weight_argnums": 2}, "there is no argument 2"),
        (
            (PARAMS, "b, 3"),
            {"weights": "external", "weight_argnums": 1},
            "x: weights need values, but this is only a shape",
        ),
        ((PARAMS, X), {"path": "model.safetensors"}, ".safetensors is the suffix of weights"),
        ((PARAMS, "b, (3"), {}, "'b, (3' is not a shape such as"),
        ((PARAMS, "float31[3]"), {}, "'float31[3]' is not a shape such as"),
    ],
)
def test_wrong_exports(tmp_path: Path, arguments: Any, options: Any, message: str) -> None:
    with pytest.raises(InputError) as raised:
        hlo2tiny.export(dense, *arguments, **{"path": tmp_path / "model.mlir"} | options)
    assert message in str(raised.value)
    assert not list(tmp_path.iterdir())


def test_one_argument_cannot_be_the_weights(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="the function has only one argument"):
        hlo2tiny.export(jnp.tanh, X, path=tmp_path / "model.mlir", weights="external")


def test_a_folder_that_is_missing(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="there is no folder"):
        hlo2tiny.export(jnp.tanh, X, path=tmp_path / "missing" / "model.mlir")


# ---------------------------------------------------------------- libraries

IMAGES = np.random.RandomState(0).standard_normal((2, 8, 8, 3)).astype(np.float32)


def check_model(tmp_path: Path, model: Any, *weights: Any, want: Any, **options: Any) -> None:
    """A model whose weights are in the text, or beside it, takes images only."""
    for where in ("embed", "external"):
        program = exported(tmp_path, model, *weights, "b, 8, 8, 3", weights=where, **options)
        assert [str(i.shape) for i in program.inputs] == ["(None, 8, 8, 3)"]
        np.testing.assert_allclose(program.numpy(IMAGES), want, rtol=1e-4, atol=1e-5)


def test_flax_linen(tmp_path: Path) -> None:
    from flax import linen as nn

    class Net(nn.Module):
        @nn.compact
        def __call__(self, x: Any, train: bool) -> Any:
            x = nn.BatchNorm(use_running_average=not train)(nn.relu(nn.Conv(4, (3, 3))(x)))
            return nn.Dense(5)(x.reshape(x.shape[0], -1))

    net = Net()
    variables = net.init(jax.random.key(0), IMAGES, False)
    want = net.apply(variables, IMAGES, False)
    check_model(tmp_path, net.apply, variables, want=want, train=False, static_argnames="train")


def test_flax_nnx(tmp_path: Path) -> None:
    from flax import nnx

    class Net(nnx.Module):
        def __init__(self, rngs: Any) -> None:
            self.conv = nnx.Conv(3, 4, (3, 3), rngs=rngs)
            self.norm = nnx.BatchNorm(4, use_running_average=True, rngs=rngs)
            self.dense = nnx.Linear(256, 5, rngs=rngs)

        def __call__(self, x: Any) -> Any:
            return self.dense(self.norm(nnx.relu(self.conv(x))).reshape(x.shape[0], -1))

    net = Net(nnx.Rngs(0))
    check_model(tmp_path, net, want=net(IMAGES))
    graph, state = nnx.split(net)
    check_model(tmp_path, lambda state, x: nnx.merge(graph, state)(x), state, want=net(IMAGES))


def test_haiku(tmp_path: Path) -> None:
    import haiku as hk

    net = hk.without_apply_rng(hk.transform(lambda x: hk.Linear(5)(hk.Flatten()(jax.nn.relu(hk.Conv2D(4, 3)(x))))))
    params = net.init(jax.random.PRNGKey(0), IMAGES)
    check_model(tmp_path, net.apply, params, want=net.apply(params, IMAGES))


@pytest.mark.ci
def test_equinox(tmp_path: Path) -> None:
    import equinox as eqx

    class Net(eqx.Module):
        mlp: Any
        name: str

        def __call__(self, x: Any) -> Any:
            return jax.vmap(self.mlp)(x.reshape(x.shape[0], -1))

    net = Net(eqx.nn.MLP(192, 5, 16, 2, key=jax.random.key(0)), "net")
    check_model(tmp_path, net, want=net(IMAGES))
    check_model(tmp_path, lambda model, x: model(x), net, want=net(IMAGES))
    program = exported(tmp_path, lambda model, x: model(x), net, "b, 8, 8, 3")
    np.testing.assert_allclose(program.numpy(net, IMAGES), net(IMAGES), rtol=1e-4, atol=1e-5)


@pytest.mark.ci
def test_keras(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("KERAS_BACKEND", "jax")
    import keras
    from keras import layers

    convolution = [layers.Input((8, 8, 3)), layers.Conv2D(4, 3, activation="relu"), layers.BatchNormalization()]
    model = keras.Sequential([*convolution, layers.Flatten(), layers.Dense(5)])
    check_model(tmp_path, model, want=np.asarray(model(IMAGES)))


@pytest.mark.parametrize("weights", ["embed", "external"])
def test_masks_of_weights_are_not_lost(tmp_path: Path, weights: Any) -> None:
    params = {"w": np.ma.masked_array(np.ones(3, np.float32), [False, True, False])}
    with pytest.raises(hlo2tiny.InputError, match="a leaf of params is a masked array"):
        hlo2tiny.export(lambda params, x: x * params["w"], params, "3", path=tmp_path / "m.mlir", weights=weights)
