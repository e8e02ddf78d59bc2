"""Programs as parts of tinygrad's graph: nothing runs before it must, and gradients go through them."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import jax
import jax.numpy as jnp
import ml_dtypes
import numpy as np
import pytest
from jax import export, lax
from tinygrad import Context, Tensor, TinyJit, nn

from hlo2tiny import InputError, Program, UnsupportedOp, load


def program_of(function: Callable[..., Any], *arguments: Any) -> Program:
    return load(export.export(jax.jit(function))(*arguments).mlir_module(), device="CPU")


def normal(*shape: int) -> np.ndarray:
    return np.random.RandomState(sum(shape)).standard_normal(shape).astype(np.float32)


def two_results(x: Any, w: Any) -> Any:
    return jnp.tanh(x @ w), (x**2).sum()


X, W = normal(3, 4), normal(4, 2)


class Counted:
    """A program whose runs are counted."""

    def __init__(self, program: Program, monkeypatch: pytest.MonkeyPatch) -> None:
        self.program, self.runs = program, 0
        compiled: Any = program._for([])
        run = compiled.run

        def counted(*buffers: Any) -> Any:
            self.runs += 1
            return run(*buffers)

        monkeypatch.setattr(compiled, "run", counted)


def test_nothing_runs_before_a_result_is_realized(monkeypatch: pytest.MonkeyPatch) -> None:
    counted = Counted(program_of(two_results, X, W), monkeypatch)
    y, total = counted.program.lazy(Tensor(X) * 2, W)
    assert (y.shape, total.shape, str(y.dtype)) == ((3, 2), (), "dtypes.float")
    doubled = y + total
    assert counted.runs == 0
    expected_y, expected_total = two_results(X * 2, W)
    np.testing.assert_allclose(doubled.numpy(), expected_y + expected_total, rtol=1e-5)
    assert counted.runs == 1


def test_all_results_come_from_one_run(monkeypatch: pytest.MonkeyPatch) -> None:
    counted = Counted(program_of(two_results, X, W), monkeypatch)
    results = counted.program.lazy(X, W)
    Tensor.realize(*results)
    assert counted.runs == 1
    for found, expected in zip(results, counted.program.numpy(X, W)):
        np.testing.assert_array_equal(found.numpy(), expected)


def test_a_result_that_was_changed_in_place_stays_so() -> None:
    y, total = program_of(two_results, X, W).lazy(X, W)
    y.realize()
    y.assign(Tensor.zeros(3, 2)).realize()
    assert total.item() == pytest.approx((X**2).sum(), rel=1e-5)
    assert not y.numpy().any()


def test_backward_reaches_the_arguments() -> None:
    program = program_of(two_results, X, W)
    x, w = Tensor(X), Tensor(W)
    y, total = program.lazy(x.tanh(), w)
    (y * y).sum().add(total * 3).backward()

    def loss(x: Any, w: Any) -> Any:
        y, total = two_results(jnp.tanh(x), w)
        return (y * y).sum() + total * 3

    for found, expected in zip((x.grad, w.grad), jax.grad(loss, (0, 1))(X, W)):
        assert found is not None
        np.testing.assert_allclose(found.numpy(), expected, rtol=1e-5, atol=1e-6)


@pytest.mark.parametrize("used", [0, 1])
def test_backward_from_one_of_several_results(used: int) -> None:
    x = Tensor(X)
    (found,) = program_of(two_results, X, W).lazy(x, W)[used].sum().gradient(x)
    expected = jax.grad(lambda x: two_results(x, W)[used].sum())(X)
    np.testing.assert_allclose(found.numpy(), expected, rtol=1e-5, atol=1e-6)


def test_a_gradient_has_a_gradient() -> None:
    x = Tensor(X)
    y, _ = program_of(two_results, X, W).lazy(x, W)
    (first,) = (y * y).sum().gradient(x)
    (found,) = (first * first).sum().gradient(x)

    def squared_gradient(x: Any) -> Any:
        return (jax.grad(lambda x: (two_results(x, W)[0] ** 2).sum())(x) ** 2).sum()

    np.testing.assert_allclose(found.numpy(), jax.grad(squared_gradient)(X), rtol=1e-4, atol=1e-5)


def test_one_tensor_as_several_arguments() -> None:
    x = Tensor(X)
    (found,) = program_of(lambda a, b: a * jnp.sin(b), X, X).lazy(x, x).sum().gradient(x)
    np.testing.assert_allclose(found.numpy(), np.sin(X) + X * np.cos(X), rtol=1e-5, atol=1e-6)


def test_detached_tensors_and_arrays_have_no_gradient(monkeypatch: pytest.MonkeyPatch) -> None:
    program = program_of(lambda a, b, c: a * b * c, X, X, X)
    asked = []
    owner = program._specialisations
    gradient = owner.gradient
    monkeypatch.setattr(owner, "gradient", lambda compiled, wanted: asked.append(wanted) or gradient(compiled, wanted))
    a, b = Tensor(X), Tensor(X)
    program.lazy(a, b.detach(), X).sum().backward()
    assert asked == [(0,)]
    assert a.grad is not None
    np.testing.assert_allclose(a.grad.numpy(), X * X, rtol=1e-6)
    assert b.grad is None or not b.grad.numpy().any()


def test_integers_and_numbers_without_a_buffer() -> None:
    program = program_of(lambda x, i, s: x[i] * s, X, np.int32(0), np.float32(0))
    x = Tensor(X)
    (found,) = program.lazy(x, Tensor(1, dtype="int32"), Tensor(3.0, dtype="float32")).sum().gradient(x)
    assert found.numpy().tolist() == [[0.0] * 4, [3.0] * 4, [0.0] * 4]


def test_complex_numbers_are_pairs() -> None:
    z = (normal(3) + 1j * normal(3)[::-1]).astype(np.complex64)
    pairs = Tensor(np.stack([z.real, z.imag], -1).astype(np.float32))
    result = program_of(lambda z: z * z * jnp.conj(z), z).lazy(pairs)
    expected = z * z * z.conj()
    np.testing.assert_allclose(result.numpy(), np.stack([expected.real, expected.imag], -1), rtol=1e-5)
    (found,) = (result * result).sum().gradient(pairs)
    gradient = jax.grad(lambda z: (jnp.abs(z * z * jnp.conj(z)) ** 2).sum())(z)
    np.testing.assert_allclose(found.numpy(), np.stack([gradient.real, -gradient.imag], -1), rtol=1e-4)


def test_narrow_floats() -> None:
    x = X.astype(ml_dtypes.bfloat16)
    tensor = Tensor(X).cast("bfloat16")
    y = program_of(lambda x: jnp.tanh(x) * 2, x).lazy(tensor)
    assert str(y.dtype) == "dtypes.bfloat16"
    (found,) = y.cast("float32").sum().gradient(tensor)
    expected = jax.grad(lambda x: (jnp.tanh(x) * 2).astype(np.float32).sum())(x)
    np.testing.assert_allclose(found.cast("float32").numpy(), expected.astype(np.float32), rtol=4e-2)


def test_tensors_of_no_elements() -> None:
    empty = np.zeros((0, 3), np.float32)
    program = program_of(lambda e, x: (e * 2, x * 2 + e.sum()), empty, X)
    x = Tensor(X)
    nothing, doubled = program.lazy(Tensor.zeros(0, 3), x)
    assert nothing.shape == (0, 3)
    np.testing.assert_array_equal(doubled.sum().gradient(x)[0].numpy(), np.full((3, 4), 2, np.float32))


def test_shapes_of_the_call() -> None:
    (length,) = export.symbolic_shape("n")
    text = export.export(jax.jit(lambda x: jnp.sin(x).sum()))(jax.ShapeDtypeStruct((length,), np.float32)).mlir_module()
    program = load(text, device="CPU")
    for size in (3, 5):
        x = Tensor(normal(size))
        np.testing.assert_allclose(program.lazy(x).gradient(x)[0].numpy(), np.cos(normal(size)), rtol=1e-5)


def test_wrong_arguments() -> None:
    program = program_of(two_results, X, W)
    with pytest.raises(
        InputError, match=r"argument 0 \(x\) is a Tensor of dtypes.float \[4, 2\], expected float32\[3, 4\]"
    ):
        program.lazy(Tensor(W), W)
    with pytest.raises(InputError, match="1 argument was given"):
        program.lazy(X)


# ---------------------------------------------------------------- where programs are more than one kernel


def test_loops_of_unknown_length_run_lazily_and_their_gradient_is_refused() -> None:
    program = program_of(lambda x: lax.while_loop(lambda c: c.sum() < 10, lambda c: c * 2, x), X)
    x = Tensor(np.abs(X))
    y = program.lazy(x)
    np.testing.assert_array_equal(y.numpy(), program.numpy(np.abs(X))[0])
    message = r":\d+:\d+: stablehlo.while: hlo2tiny cannot differentiate this op: the loop's trip count"
    with pytest.raises(UnsupportedOp, match=message):
        program.lazy(x).sum().backward()


def test_host_steps() -> None:
    program = program_of(lambda a: jnp.linalg.svd(a, compute_uv=False).sum(), X)
    x = Tensor(X)
    norm = program.lazy(x)
    assert norm.item() == pytest.approx(np.linalg.svd(X)[1].sum(), rel=1e-5)
    u, _, v = np.linalg.svd(X, full_matrices=False)
    np.testing.assert_allclose(norm.gradient(x)[0].numpy(), u @ v, rtol=1e-4, atol=1e-5)


def test_a_step_without_derivative_is_named() -> None:
    program = program_of(lambda a: jax.scipy.linalg.hessenberg(a), X[:, :3])
    with pytest.raises(UnsupportedOp, match="does not know the derivative of lapack_sgehrd_ffi"):
        program.lazy(Tensor(X[:, :3].copy())).sum().backward()


@pytest.mark.parametrize("executor", ["native", "tinygrad"])
def test_recurrence_on_both_executors(executor: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HLO2TINY_EXECUTOR", executor)

    def last(x: Any, w: Any) -> Any:
        return lax.scan(lambda c, r: (jnp.tanh(c @ w + r), c), jnp.zeros(4), x)[0]

    x, w = Tensor(X), Tensor(normal(4, 4))
    program_of(last, X, normal(4, 4)).lazy(x, w).sum().backward()
    for found, expected in zip((x.grad, w.grad), jax.grad(lambda *a: last(*a).sum(), (0, 1))(X, normal(4, 4))):
        assert found is not None
        np.testing.assert_allclose(found.numpy(), expected, rtol=1e-4, atol=1e-6)


def test_code_from_the_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("HLO2TINY_CACHE")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    path = tmp_path / "model.mlir"
    path.write_text(export.export(jax.jit(two_results))(X, W).mlir_module())
    load(path, device="CPU").numpy(X, W)
    stored = load(path, device="CPU")
    assert stored._specialisations._model is None
    x = Tensor(X)
    y, _ = stored.lazy(x, W)
    np.testing.assert_allclose(y.numpy(), two_results(X, W)[0], rtol=1e-5)
    assert stored._specialisations._model is None
    expected = jax.grad(lambda x: two_results(x, W)[0].sum())(X)
    np.testing.assert_allclose(y.sum().gradient(x)[0].numpy(), expected, rtol=1e-5, atol=1e-6)


# ---------------------------------------------------------------- training


def test_a_jitted_training_step() -> None:
    program = program_of(two_results, X, W)
    w = Tensor(W).contiguous().realize()
    expected = W

    @TinyJit
    def step(x: Tensor) -> Tensor:
        y, _ = program.lazy(x.detach(), w)
        loss = (y * y).sum()
        (gradient,) = loss.gradient(w)
        w.assign(w - gradient * 0.1).realize()
        return loss.realize()

    for i in range(4):
        x = normal(3, 4) + i
        loss = step(Tensor(x).realize()).item()
        value, gradient = jax.value_and_grad(lambda w: (two_results(x, w)[0] ** 2).sum())(expected)
        expected = expected - gradient * 0.1
        assert loss == pytest.approx(float(value), rel=1e-4)
        np.testing.assert_allclose(w.numpy(), expected, rtol=1e-4, atol=1e-5)


def convnet(params: dict[str, Any], images: Any) -> Any:
    """Flax's example for MNIST, as the corpus has it."""
    x = images
    for name in ("conv0", "conv1"):
        layout = ("NHWC", "HWIO", "NHWC")
        x = lax.conv_general_dilated(x, params[name]["kernel"], (1, 1), "SAME", dimension_numbers=layout)
        x = jax.nn.relu(x + params[name]["bias"])
        x = lax.reduce_window(x, 0.0, lax.add, (1, 2, 2, 1), (1, 2, 2, 1), "VALID") / 4
    x = x.reshape(len(x), -1)
    x = jax.nn.relu(x @ params["dense0"]["kernel"] + params["dense0"]["bias"])
    return x @ params["dense1"]["kernel"] + params["dense1"]["bias"]


@pytest.mark.ci
def test_training_a_convnet_is_what_jax_does() -> None:
    shapes = {"conv0": (3, 3, 1, 32), "conv1": (3, 3, 32, 64), "dense0": (3136, 256), "dense1": (256, 10)}
    params = {
        name: {"kernel": normal(*shape) / np.sqrt(np.prod(shape[:-1])), "bias": np.zeros(shape[-1], np.float32)}
        for name, shape in shapes.items()
    }
    params = jax.tree.map(lambda x: np.asarray(x, np.float32), params)
    leaves = jax.tree.leaves(params)
    images, labels = np.maximum(normal(8, 28, 28, 1), 0), np.arange(8, dtype=np.int32)
    program = program_of(convnet, params, images)

    def loss_of(params: Any) -> Any:
        chosen = jax.nn.log_softmax(convnet(params, images))[np.arange(8), labels]
        return -chosen.mean()

    weights = [Tensor(x) for x in leaves]
    optimizer = nn.optim.SGD(weights, lr=0.05, momentum=0.9)
    velocity = jax.tree.map(np.zeros_like, params)
    for _ in range(3):
        optimizer.zero_grad()
        loss = program.lazy(*weights, images).sparse_categorical_crossentropy(Tensor(labels))
        loss.backward()
        with Context(TRAINING=1):
            optimizer.step()
        value, gradients = jax.value_and_grad(loss_of)(params)
        velocity = jax.tree.map(lambda v, g: 0.9 * v + g, velocity, gradients)
        params = jax.tree.map(lambda p, v: p - 0.05 * v, params, velocity)
        assert loss.item() == pytest.approx(float(value), rel=1e-5)
    for found, expected in zip(weights, jax.tree.leaves(params)):
        np.testing.assert_allclose(found.numpy(), expected, rtol=1e-4, atol=1e-6)


# ---------------------------------------------------------------- bound weights


def test_bound_tensors_receive_gradients() -> None:
    program = program_of(lambda w, x: two_results(x, w)[0], W, X)
    w = Tensor(W)
    program.bind(w).lazy(X).sum().backward()
    assert w.grad is not None
    expected = jax.grad(lambda w: two_results(X, w)[0].sum())(W)
    np.testing.assert_allclose(w.grad.numpy(), expected, rtol=1e-5, atol=1e-6)


def test_weights_are_tensors_that_calls_read() -> None:
    program = program_of(lambda w, x: two_results(x, w)[0], W, X).bind(W)
    before = program.lazy(X).numpy()
    np.testing.assert_array_equal(before, program(X).numpy())
    (weight,) = program.weights.values()
    assert list(program.weights) == ["w"]
    (gradient,) = program.lazy(X).sum().gradient(weight)
    weight.assign(weight - gradient).realize()
    expected = two_results(X, W - jax.grad(lambda w: two_results(X, w)[0].sum())(W))[0]
    for after in (program.lazy(X).numpy(), program(X).numpy(), program.numpy(X)[0]):
        np.testing.assert_allclose(after, expected, rtol=1e-5, atol=1e-6)


def test_another_device() -> None:
    """Arguments are moved there, and their gradients back."""
    text = export.export(jax.jit(lambda x: (jnp.sin(x) * 2, x.sum())))(X).mlir_module()
    x = Tensor(X, device="CPU").realize()
    y, total = load(text, device="PYTHON").lazy(x)
    assert y.device == total.device == "PYTHON"
    np.testing.assert_allclose(y.numpy(), np.sin(X) * 2, rtol=1e-5)
    (found,) = (y.sum() + total * 3).gradient(x)
    assert found.device == "CPU"
    np.testing.assert_allclose(found.numpy(), np.cos(X) * 2 + 3, rtol=1e-5)


def test_tinygrad_lists_what_runs(capsys: pytest.CaptureFixture[str]) -> None:
    program = program_of(jnp.sin, X)
    program.compile()
    with Context(DEBUG=2):
        program.lazy(X).realize()
    assert "hlo2tiny" in capsys.readouterr().out
