"""`hlo2tiny.gradient`, `training_step` and `convert --grad` beside JAX: in Python, by XLA, in C; errors."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from pathlib import Path
from types import ModuleType
from typing import Any

import digits
import jax
import jax.numpy as jnp
import ml_dtypes
import numpy as np
import pytest
from jax._src import xla_bridge
from jax._src.interpreters import mlir
from jax._src.lib import xla_client
from jaxlib.mlir import ir

import hlo2tiny
from corpus import ENTRIES
from hlo2tiny.cli import main
from hlo2tiny.derivatives.optimisers import OPTIMISERS
from hlo2tiny.errors import InputError, UnsupportedOp
from hlo2tiny.formats import safetensors
from hlo2tiny.targets.c.native import render_plan

ROOT = Path(__file__).parents[1]
F = np.float32
TOLERANCE = 2e-5


def compiled_by_xla(text: str) -> Any:
    """XLA's executable of a text, after MLIR's verifier."""
    with mlir.make_ir_context():
        module = ir.Module.parse(text)
        assert module.operation.verify()
        backend = xla_bridge.get_backend("cpu")
        devices = xla_client.DeviceList(tuple(backend.local_devices()[:1]))
        return backend.compile_and_load(module, devices, xla_client.CompileOptions())


def run_by_xla(text: str, arrays: Sequence[np.ndarray]) -> list[np.ndarray]:
    results = compiled_by_xla(text).execute_sharded([jax.device_put(x) for x in arrays])
    return [np.asarray(shards[0]) for shards in results.disassemble_into_single_device_arrays()]


def expect_close(found: Any, expected: Any, tolerance: float = TOLERANCE) -> None:
    f, e = (np.asarray(x) for x in (found, expected))
    assert (f.dtype, f.shape) == (e.dtype, e.shape)
    wide: Any = np.complex128 if e.dtype.kind == "c" else np.float64
    f, e = f.astype(wide), e.astype(wide)
    scale = max(1.0, float(np.max(np.abs(e[np.isfinite(e)]), initial=0)))
    np.testing.assert_allclose(f, e, rtol=tolerance, atol=tolerance * scale)


# ---------------------------------------------------------------- beside jax.value_and_grad


@pytest.fixture(scope="module")
def make() -> ModuleType:
    return digits.load_module(ROOT / "corpus" / "make.py")


# Results that jax.export writes by operations on bits, in which nothing is left of the gradient that JAX knows.
LOST = {"nextafter"}


def weighed(function: Callable[..., Any]) -> Callable[..., Any]:
    """A loss: the sum of a function's results, each number weighted by its index."""

    def loss(*leaves: Any) -> Any:
        total = 0.0
        results = function(*leaves)
        if isinstance(results, dict):
            results = {name: result for name, result in results.items() if name not in LOST}
        for leaf in jax.tree.leaves(results):
            if jnp.issubdtype(leaf.dtype, jnp.inexact):
                wide = jnp.real(leaf).astype(jnp.promote_types(jnp.float32, jnp.finfo(leaf.dtype).dtype))
                total += (
                    jnp.sum(wide * jnp.cos(jnp.arange(wide.size, dtype=wide.dtype)).reshape(wide.shape)) / wide.size
                )
        return total

    return loss


# No argument or result is of floats, or JAX knows no gradient: of products of a scatter, dilated maxima, betainc,
# or loops of unknown length.
WITHOUT = {"int_ops", "random_bits", "random_categorical", "random_normal", "random_permutation", "random_uniform"}
WITHOUT |= {"segment_sum", "reduce_window", "special_functions", "while_loop"}
WITHOUT |= {"handwritten_generic"}  # there is no function
WITHOUT |= {"linear_algebra"}  # has LAPACK's geev, whose gradient hlo2tiny does not know
if jax.__version_info__ < (0, 12):
    WITHOUT |= {"x64_math"}  # has nextafter, which JAX differentiates since then


@pytest.mark.sampled(24, ci=8, first=2)
@pytest.mark.parametrize("name", [entry.name for entry in ENTRIES if entry.name not in WITHOUT])
def test_the_corpus_has_the_gradients_of_jax(make: ModuleType, name: str) -> None:
    row = make.PROGRAMS[name]
    for library in row.libraries:
        pytest.importorskip({"dm-haiku": "haiku"}.get(library, library))
    with jax.enable_x64(row.x64):
        function, arguments = row.build()
        leaves, structure = jax.tree.flatten(arguments, is_leaf=lambda x: isinstance(x, make.Seeded))
        arrays = [
            make.seeded_array(x, i) if isinstance(x, make.Seeded) else np.asarray(x) for i, x in enumerate(leaves)
        ]
        loss = weighed(lambda *leaves: function(*jax.tree.unflatten(structure, leaves)))
        wanted = [i for i, x in enumerate(arrays) if jnp.issubdtype(x.dtype, jnp.inexact)]
        names = [f"leaves[{i}]" for i in wanted]
        value, slopes = jax.value_and_grad(loss, wanted)(*arrays)
        text = jax.export.export(jax.jit(loss, keep_unused=True))(*arrays).mlir_module()
        program = hlo2tiny.gradient(hlo2tiny.load(text, device="CPU"), with_respect_to=names)
        found = program.numpy(*arrays)
        by_xla = run_by_xla(str(program.module), arrays)
    for each in (found, by_xla):
        for f, e in zip(each, (value, *slopes), strict=True):
            expect_close(f, e, max(TOLERANCE, row.rtol))


# ---------------------------------------------------------------- learning


def batches_of(images: np.ndarray, labels: np.ndarray, count: int) -> list[tuple[np.ndarray, np.ndarray]]:
    rng = np.random.default_rng(1)
    chosen = [rng.integers(0, len(labels), digits.make.BATCH) for _ in range(count)]
    return [((images[n] / 16).astype(F), labels[n].astype(np.int32)) for n in chosen]


@pytest.fixture(scope="module")
def step_of_digits(tmp_path_factory: pytest.TempPathFactory) -> Path:
    params = jax.eval_shape(digits.make.new_params, 0)
    path: Path = digits.make.write_step(params, tmp_path_factory.mktemp("digits"))
    return path


STEPS, RATE, HELD_OUT = 60, F(0.003), 200


def expect_as_good_as_jax(params: list[np.ndarray], losses: list[float]) -> None:
    """Compare parameters, one by one, and losses with JAX's after the same steps."""
    images, labels = digits.pictures()
    first = digits.make.new_params(0)
    batches = batches_of(images[HELD_OUT:], labels[HELD_OUT:], STEPS)
    expected, expected_losses = digits.train_with_jax(first, batches, float(RATE))
    np.testing.assert_allclose(losses[:10], expected_losses[:10], rtol=1e-3)
    learnt = jax.tree.unflatten(jax.tree.structure(first), params)
    ours, jaxs = (digits.share_right(p, images[:HELD_OUT] / 16, labels[:HELD_OUT]) for p in (learnt, expected))
    assert jaxs > 0.9 and ours >= jaxs - 0.01
    assert losses[-1] < max(0.05, 1.1 * expected_losses[-1])


def sizes(arguments: Sequence[hlo2tiny.Argument]) -> list[int]:
    return [x.dtype.itemsize * int(np.prod(x.shape)) for x in arguments]  # type: ignore[arg-type]


@pytest.mark.ci
def test_xla_takes_the_step(step_of_digits: Path) -> None:
    images, labels = digits.pictures()
    params = [np.asarray(p) for p in jax.tree.leaves(digits.make.new_params(0))]
    batch = batches_of(images, labels, 1)[0]
    arrays = [*params, *(np.zeros_like(p) for _ in range(2) for p in params), np.zeros((), np.int32), *batch, RATE]
    program, text = hlo2tiny.load(step_of_digits, device="CPU"), step_of_digits.read_text(encoding="utf-8")
    for f, e in zip(program.numpy_one_by_one(arrays), run_by_xla(text, arrays), strict=True):
        expect_close(f, e, 1e-4)
    donated = sum(sizes(program.outputs[:-1]))
    assert compiled_by_xla(text).get_compiled_memory_stats().alias_size_in_bytes == donated


def of_digits(make: ModuleType) -> tuple[Any, ...]:
    return digits.make.loss_of, digits.make.new_params(0), np.zeros((128, 64), F), np.zeros(128, np.int32)


def of_perceptron(make: ModuleType) -> tuple[Any, ...]:
    sides = [(784, 512), (512, 512), (512, 10)]
    params = [(np.zeros(shape, F), np.zeros(shape[1], F)) for shape in sides]
    return make.mlp_loss, params, np.zeros((32, 784), F), np.zeros((32, 10), F)


def of_decoder(make: ModuleType) -> tuple[Any, ...]:
    def loss(params: Any, tokens: Any) -> Any:
        chances = jax.nn.log_softmax(make.gpt(params, tokens, 4))[:, :-1]
        return -jnp.take_along_axis(chances, tokens[:, 1:, None], -1).mean()

    described = make.gpt_params([make.block_params(64) for _ in range(2)], 64, 100, 32)
    params = jax.tree.map(lambda x: np.zeros(x.shape, F), described, is_leaf=lambda x: isinstance(x, make.Seeded))
    return loss, params, np.zeros((4, 32), np.int32)


@pytest.mark.sampled(3)
@pytest.mark.parametrize("optimiser", ["adamw", "sgd"])
@pytest.mark.parametrize("model", [of_perceptron, of_digits, of_decoder])
def test_a_step_takes_the_memory_of_jax(make: ModuleType, model: Callable[..., Any], optimiser: str) -> None:
    optax = pytest.importorskip("optax")
    loss, params, *batch = model(make)
    reference = {"adamw": optax.adamw, "sgd": optax.sgd}[optimiser](0.1)

    def step(params: Any, state: Any, *batch: Any) -> Any:
        value, slopes = jax.value_and_grad(loss)(params, *batch)
        changes, state = reference.update(slopes, state, params)
        return optax.apply_updates(params, changes), state, value

    state = jax.eval_shape(reference.init, params)
    memory = jax.jit(step, donate_argnums=(0, 1)).lower(params, state, *batch).compile().memory_analysis()
    jaxs = memory.argument_size_in_bytes + memory.output_size_in_bytes - memory.alias_size_in_bytes

    exported = jax.export.export(jax.jit(loss))(params, *batch).serialize()
    program = hlo2tiny.training_step(hlo2tiny.load(bytes(exported), device="CPU"), optimiser, learning_rate=0.1)
    plan = program.plan
    assert {*plan.donated} == {*range(len(program.outputs) - 1)}
    arena = render_plan(plan, lambda done, total: None, 2).arena
    assert arena + sum(sizes(program.inputs)) + sizes(program.outputs)[-1] <= 1.2 * (jaxs + memory.temp_size_in_bytes)


@pytest.mark.ci
def test_compiled_c_learns_as_fast_as_jax(step_of_digits: Path, tmp_path: Path) -> None:
    from targets.c.test_folder import CLANG, Library, built

    assert main(["compile", str(step_of_digits), "-o", str(tmp_path / "c")]) == 0
    library = Library(built(tmp_path / "c", CLANG, target="libmodel.so"))
    context = library.create(tmp_path / "c" / "weights.safetensors")
    params = [np.array(p) for p in jax.tree.leaves(digits.make.new_params(0))]
    state = [*(np.zeros_like(p) for _ in range(2) for p in params), np.zeros((), np.int32)]
    losses, loss = [], np.zeros((), F)
    images, labels = digits.pictures()
    for x, y in batches_of(images[HELD_OUT:], labels[HELD_OUT:], STEPS):
        assert library.run(context, [*params, *state, x, y, np.asarray(RATE)], [*params, *state, loss]) == 0
        losses.append(float(loss))
    library.functions.model_destroy(context)
    assert int(state[-1]) == STEPS
    expect_as_good_as_jax(params, losses)


# ---------------------------------------------------------------- how programs are called, and errors


def squares(params: Any, x: Any, y: Any) -> Any:
    return jnp.mean((x @ params["w"] + params["b"] - y) ** 2), jnp.max(x)


PARAMS = {"b": np.full(2, 0.5, F), "w": np.linspace(-1, 1, 6, dtype=F).reshape(3, 2)}
X, Y = np.linspace(0, 1, 12, dtype=F).reshape(4, 3), np.ones((4, 2), F)


@pytest.fixture
def loss(tmp_path: Path) -> Path:
    """A loss with weights in a file, for batches of any size."""
    shapes = "b, 3", "b, 2"
    return Path(hlo2tiny.export(squares, PARAMS, *shapes, path=tmp_path / "loss.mlir", weights="external"))


def test_weights_in_a_file_are_differentiated_where_they_are(loss: Path, tmp_path: Path) -> None:
    expected = jax.value_and_grad(squares, has_aux=True)(PARAMS, X, Y)
    of = {"of": 0, "shapes": [X.shape, Y.shape]}
    program = hlo2tiny.gradient(hlo2tiny.load(loss, device="CPU"), **of)
    written = tmp_path / "gradient.mlir"
    shapes = ["--shape", "x=4,3", "--shape", "y=4,2"]
    assert main(["convert", str(loss), str(written), "--grad", "--of", "0", *shapes]) == 0
    for each in (program, hlo2tiny.load(written, device="CPU")):
        assert [x.name for x in each.inputs] == ["x", "y"]
        found = each.numpy(X, Y)
        assert jax.tree.structure(found) == jax.tree.structure(expected)
        jax.tree.map(expect_close, found, expected)


@pytest.mark.parametrize("optimiser", ["sgd", "momentum", "adamw"])
def test_a_step_of_each_optimiser_is_that_of_optax(loss: Path, tmp_path: Path, optimiser: str) -> None:
    optax = pytest.importorskip("optax")
    reference = {
        "sgd": lambda: optax.sgd(0.1),
        "momentum": lambda: optax.sgd(0.1, 0.8),
        "adamw": lambda: optax.adamw(0.1, weight_decay=0.3),
    }[optimiser]()
    numbers = {"sgd": {}, "momentum": {"momentum": 0.8}, "adamw": {"weight_decay": 0.3}}[optimiser]
    written = tmp_path / "step.mlir"
    options = [option for name, number in numbers.items() for option in ("--set", f"{name}={number}")]
    shapes = ["--shape", "x=4,3", "--shape", "y=4,2"]
    command = ["convert", str(loss), str(written), "--optimiser", optimiser, "--of", "0", *options, *shapes]
    assert main(command) == 0
    first = safetensors.read(tmp_path / "step.safetensors")
    assert {name: array.tolist() for name, array in first.items()} == {
        f"params['{k}']": v.tolist() for k, v in PARAMS.items()
    }
    given = {"of": 0, "shapes": [X.shape, Y.shape], "learning_rate": 0.1}
    constant = hlo2tiny.training_step(hlo2tiny.load(loss, device="CPU"), optimiser, **given, **numbers)
    for program, rate in ((hlo2tiny.load(written, device="CPU"), (F(0.1),)), (constant, ())):
        params, expected = PARAMS, PARAMS
        zeros = jax.tree.map(np.zeros_like, PARAMS)
        kept: Any = {"sgd": [], "momentum": [{"velocity": zeros}]}.get(optimiser)
        kept = [{"mean": zeros, "square": zeros, "step": np.int32(0)}] if kept is None else kept
        state = reference.init(expected)
        for _ in range(4):
            params, *kept, value = program.numpy(params, *kept, X, Y, *rate)
            wanted, slopes = jax.value_and_grad(squares, has_aux=True)(expected, X, Y)
            changes, state = reference.update(slopes, state, expected)
            expected = optax.apply_updates(expected, changes)
            jax.tree.map(expect_close, (params, value), (expected, wanted))


def test_narrow_parameters_are_updated_in_float32() -> None:
    text = """func.func @main(%w: tensor<2xbf16> loc("w")) -> tensor<f32> {
      %0 = stablehlo.convert %w : (tensor<2xbf16>) -> tensor<2xf32>
      %z = stablehlo.constant dense<0.0> : tensor<f32>
      %1 = stablehlo.reduce(%0 init: %z) applies stablehlo.add across dimensions = [0]
    : (tensor<2xf32>, tensor<f32>) -> tensor<f32>
      return %1 : tensor<f32>
    }"""
    step = hlo2tiny.training_step(hlo2tiny.load(text, device="CPU"), "momentum", momentum=0.5, learning_rate=0.25)
    assert [str(x) for x in step.inputs] == ["w: bfloat16[2]", "state['velocity']['w']: float32[2]"]
    w, velocity, value = step.numpy(np.ones(2, ml_dtypes.bfloat16), np.full(2, 2**-12, F))
    assert (w.tolist(), float(value)) == ([0.75, 0.75], 2.0)
    assert velocity.tolist() == [1 + 2**-13] * 2


TEXT = """func.func @main(%w: tensor<2xf32> loc("w"), %n: tensor<2xi32> loc("n"), %z: tensor<complex<f32>> loc("z"))
    -> (tensor<f32> {jax.result_info = "loss"}, tensor<2xf32> {jax.result_info = "all"}, tensor<i32>, tensor<f32>) {
  %0 = stablehlo.convert %n : (tensor<2xi32>) -> tensor<2xf32>
  %1 = stablehlo.multiply %0, %w : tensor<2xf32>
  %c = stablehlo.constant dense<0.0> : tensor<f32>
  %2 = stablehlo.reduce(%1 init: %c) applies stablehlo.add across dimensions = [0]
    : (tensor<2xf32>, tensor<f32>) -> tensor<f32>
  %3 = stablehlo.abs %z : (tensor<complex<f32>>) -> tensor<f32>
  %4 = stablehlo.add %2, %3 : tensor<f32>
  %i = stablehlo.constant dense<1> : tensor<i32>
  return %4, %1, %i, %c : tensor<f32>, tensor<2xf32>, tensor<i32>, tensor<f32>
}"""


@pytest.mark.parametrize(
    "how, message",
    [
        ({}, "several results are numbers; say which one:\n  0: loss: float32"),
        ({"of": "los"}, "there is no result 'los'; the program returns:\n  0: loss"),
        ({"of": 7}, "there is no result 7; the program returns"),
        ({"of": "all"}, r"result all: float32\[2\] is not a real number.*let the function return a loss"),
        ({"of": 2}, "is not a real number"),
        ({"of": "loss", "with_respect_to": "n"}, r"n: int32\[2\] has no gradient, which only floats"),
        (
            {"of": "loss", "with_respect_to": "ww"},
            r"no argument 'ww' \(did you mean w\?\); there are: w, n, z",
        ),
        ({"of": "loss", "with_respect_to": ["w", 0]}, "with_respect_to names w.* twice"),
        ({"of": "loss", "with_respect_to": []}, "no arguments to differentiate with respect to"),
        ({"of": "loss", "optimiser": "adam"}, "there is no optimiser 'adam'; there are sgd, momentum, adamw"),
        (
            {"of": "loss", "optimiser": "sgd", "momentum": 1},
            "sgd has no hyperparameter 'momentum'; it has learn",
        ),
        ({"of": "loss", "optimiser": "adamw", "beta1": 1}, "beta1 is 1, expected a number between 0 and 1"),
        ({"of": "loss", "optimiser": "sgd", "learning_rate": "x"}, "learning_rate is 'x', expected a number"),
        ({"of": "loss", "optimiser": "sgd", "with_respect_to": "z"}, "z is complex, and optimisers are for real"),
    ],
)
def test_errors_say_what_there_is(how: dict[str, Any], message: str) -> None:
    program = hlo2tiny.load(TEXT, device="CPU")
    function = hlo2tiny.training_step if "optimiser" in how else hlo2tiny.gradient
    with pytest.raises(InputError, match=re.compile(message, re.DOTALL)):
        function(program, **how)


def test_complex_arguments_have_the_gradient_of_jax() -> None:
    program = hlo2tiny.gradient(hlo2tiny.load(TEXT, device="CPU"), of="loss", with_respect_to="z")
    z = np.complex64(3 + 4j)
    found = program.numpy(np.ones(2, F), np.ones(2, np.int32), z)
    expect_close(found[-1], jax.grad(lambda z: jnp.abs(z))(z))
    expect_close(run_by_xla(str(program.module), [np.ones(2, F), np.ones(2, np.int32), z])[-1], found[-1])


def test_open_shapes_and_the_options_of_convert(loss: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(InputError, match="has open dimensions"):
        hlo2tiny.gradient(hlo2tiny.load(loss, device="CPU"), of=0)
    for options, message in (
        (["--grad", "--of", "0"], "the shape of input x: float32[b, 3] is open; use --shape x=SIZE,SIZE"),
        (["--of", "0"], "--of needs --grad"),
        (["--grad", "--learning-rate", "1"], "--learning-rate needs --optimiser"),
        (["--optimiser", "sgd", "--set", "momentum"], "--set momentum: expected NAME=NUMBER"),
        (["--grad", "--quantize", "int8"], "quantized weights have no gradient"),
    ):
        assert main(["convert", str(loss), str(tmp_path / "no.mlir"), *options]) == 1
        assert message in capsys.readouterr().err
        assert not (tmp_path / "no.mlir").exists()


def test_what_has_no_gradient_is_named() -> None:
    text = """func.func @main(%x: tensor<f32> loc("x")) -> tensor<f32> {
      %0 = stablehlo.while(%i = %x) : tensor<f32>
      cond {
        %limit = stablehlo.constant dense<9.0> : tensor<f32>
        %1 = stablehlo.compare LT, %i, %limit : (tensor<f32>, tensor<f32>) -> tensor<i1>
        stablehlo.return %1 : tensor<i1>
      } do {
        %2 = stablehlo.add %i, %i : tensor<f32>
        stablehlo.return %2 : tensor<f32>
      }
      return %0 : tensor<f32>
    }"""
    with pytest.raises(UnsupportedOp, match=r"2:\d+: stablehlo.while: hlo2tiny cannot differentiate this op"):
        hlo2tiny.gradient(hlo2tiny.load(text, device="CPU"))


def test_the_command_line_offers_all_optimisers(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main(["convert", "--help"])
    assert f"{{{','.join(OPTIMISERS)}}}" in capsys.readouterr().out
