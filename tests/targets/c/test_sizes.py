"""One library for several sizes of open dimensions: built, called for each of them, and compared with Python."""

from __future__ import annotations

import ctypes
import shutil
import subprocess
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest
from targets.c.emulators import RUNNERS
from targets.c.test_folder import CLANG, COMPILERS, CTensor, Info, addresses, built

import hlo2tiny
from hlo2tiny.cli import main
from hlo2tiny.formats import safetensors
from hlo2tiny.formats.symbolic import size_of

BATCHES = (1, 7, 64)
RANDOM = np.random.default_rng(0)


class Sizes(ctypes.Structure):
    """`struct model_sizes` of model.h."""

    _fields_ = (
        ("count", ctypes.c_size_t),
        ("names", ctypes.POINTER(ctypes.c_char_p)),
        ("choices", ctypes.c_size_t),
        ("values", ctypes.POINTER(ctypes.c_int64)),
    )


class Library:
    """A shared library of a program with open sizes, called through model.h."""

    def __init__(self, path: Path, threads: int = 2) -> None:
        self.functions = f = ctypes.CDLL(str(path))
        f.model_describe_for.restype = ctypes.POINTER(Info)
        f.model_describe.restype = ctypes.POINTER(Info)
        f.model_describe_sizes.restype = ctypes.POINTER(Sizes)
        f.model_error.restype = ctypes.c_char_p
        known = f.model_describe_sizes().contents
        self.names = [known.names[i].decode() for i in range(known.count)]
        self.choices = [
            tuple(known.values[i * known.count + j] for j in range(known.count)) for i in range(known.choices)
        ]
        self.context = ctypes.c_void_p()
        weights = str(path.parent / "weights.safetensors").encode()
        assert f.model_create(ctypes.byref(self.context), weights, threads) == 0

    def shapes(self, *sizes: int) -> tuple[list[tuple[int, ...]], list[tuple[int, ...]]] | None:
        info = self.functions.model_describe_for((ctypes.c_int64 * len(sizes))(*sizes))
        if not info:
            return None
        sides = (info.contents.inputs, info.contents.input_count), (info.contents.outputs, info.contents.output_count)
        inputs, outputs = ([shape_of(side[i]) for i in range(count)] for side, count in sides)
        return inputs, outputs

    def run(self, sizes: tuple[int, ...], *arrays: np.ndarray) -> str:
        """What `model_run` says of sizes and arrays, the inputs and then the results."""
        numbers = [ctypes.c_int64(size) for size in sizes]
        code: int = self.functions.model_run(self.context, *numbers, *(ctypes.c_void_p(a.ctypes.data) for a in arrays))
        text: bytes = self.functions.model_error(code)
        return text.decode()


def shape_of(tensor: CTensor) -> tuple[int, ...]:
    return tuple(tensor.shape[i] for i in range(tensor.rank))


def compiled(model: Path, folder: Path, *options: str) -> Path:
    assert main(["compile", str(model), "-o", str(folder), *options]) == 0
    return folder


def library_of(model: Path, folder: Path, *options: str) -> Library:
    return Library(built(compiled(model, folder, *options), CLANG, target="libmodel.so"))


def floats(*shape: int) -> np.ndarray:
    return RANDOM.standard_normal(shape, np.float32)


def exported(folder: Path, function: object, *arguments: object, **options: object) -> Path:
    if isinstance(arguments[0], list):
        options["weights"] = "external"
    hlo2tiny.export(function, *arguments, path=folder / "model.mlir", **options)  # type: ignore[arg-type]
    return folder / "model.mlir"


def expect_same(library: Library, model: Path, sizes: tuple[int, ...], *inputs: np.ndarray) -> None:
    """The numbers of Python's program for these inputs."""
    expected = hlo2tiny.load(model, device="CPU").numpy(*inputs)
    expected = expected if isinstance(expected, tuple) else (expected,)
    shapes = library.shapes(*sizes)
    assert shapes == ([a.shape for a in inputs], [a.shape for a in expected])
    found = [np.empty_like(a) for a in expected]
    assert library.run(sizes, *inputs, *found) == "no error"
    for f, e in zip(found, expected):
        np.testing.assert_allclose(f, e, rtol=1e-5, atol=1e-5)


def mlp(folder: Path) -> Path:
    import jax.numpy as jnp

    weights = [floats(784, 96) / 28, floats(96, 10) / 10]
    return exported(folder, lambda w, x: jnp.tanh(x @ w[0]) @ w[1], weights, "b, 784")


def test_a_batch(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    model = mlp(tmp_path)
    library = library_of(model, tmp_path / "c", "--shape", "b=1,7,64")
    header = (tmp_path / "c" / "model.h").read_text()
    assert "   sizes: b = 1, 7, 64\n" in header and "int64_t b, /* size 0: b */" in header
    assert "f32[b, 784] x */" in header and "f32[b, 10] result */" in header
    assert (library.names, library.choices) == (["b"], [(1,), (7,), (64,)])
    for b in BATCHES:
        expect_same(library, model, (b,), floats(b, 784))
    message = library.run((8,), floats(8, 784), floats(8, 10))
    assert message == "there is no code for these sizes; there is for b = 1, 7, 64"
    assert library.shapes(8) is None
    # The weights are there once, and so is the code that all sizes have in common.
    weights = safetensors.read(tmp_path / "c" / "weights.safetensors")
    assert sorted(a.nbytes for a in weights.values()) == [96 * 10 * 4, 784 * 96 * 4]
    compiled(model, tmp_path / "one", "--shape", "b=64")
    assert "int64_t b" not in (tmp_path / "one" / "model.h").read_text()  # as for a file that fixes it
    total = [sum(f.stat().st_size for f in (tmp_path / name).glob("*.c")) for name in ("c", "one")]
    assert total[0] < 1.2 * total[1]


@pytest.mark.ci
def test_with_every_compiler_and_by_the_command(tmp_path: Path) -> None:
    no_code = "there is no code for these sizes; there is for b = 1, 7, 64"
    expect_commands(tmp_path, ["--shape", "b=1,7,64"], "b=8", no_code)  # without b, it is the first size, 1


def expect_commands(tmp_path: Path, options: Sequence[str], refused: str, why: str) -> None:
    """Commands of each compiler give a model's results for a size, and tell what is wrong with their arguments."""
    model = mlp(tmp_path)
    folder = compiled(model, tmp_path / "c", *options)
    x = floats(7, 784)
    expected = hlo2tiny.load(model, device="CPU").numpy(x)
    np.save(folder / "x.npy", x)
    for compiler in COMPILERS:
        program = built(folder, compiler)
        subprocess.run([program, "b=7", "-o", folder, folder / "x.npy"], check=True, capture_output=True)
        np.testing.assert_allclose(np.load(folder / "out0.npy"), expected, rtol=1e-5, atol=1e-5)
    for arguments, message in (
        ([refused], why),
        (["b=x"], "b=x: expected a number after ="),
        ([folder / "x.npy"], "input 0 has another type or shape"),
    ):
        done = subprocess.run([program, *arguments], capture_output=True, text=True, check=False)
        assert done.returncode == 1 and message in done.stderr


def test_a_convnet(tmp_path: Path) -> None:
    import jax

    weights = [floats(3, 3, 3, 16), floats(3, 3, 16, 8)]

    def convnet(w: list[np.ndarray], x: np.ndarray) -> object:
        for kernel in w:
            numbers = ("NHWC", "HWIO", "NHWC")
            x = jax.nn.relu(jax.lax.conv_general_dilated(x, kernel, (2, 2), "SAME", dimension_numbers=numbers))
        return x.mean((1, 2))

    model = exported(tmp_path, convnet, weights, "b, 32, 32, 3")
    library = library_of(model, tmp_path / "c", "--shape", "b=1,7,64")
    for b in BATCHES:
        expect_same(library, model, (b,), floats(b, 32, 32, 3))


def decoder(folder: Path) -> Path:
    """Attention of new rows over a cache, of which both lengths are open."""
    import jax
    import jax.numpy as jnp

    weights = [floats(32, 32) / 6 for _ in range(4)]

    def step(w: list[np.ndarray], x: jax.Array, cache: jax.Array, at: jax.Array) -> object:
        k, q = x @ w[0], x @ w[1]
        cache = jax.lax.dynamic_update_slice(cache, k, (0, at, 0))
        scores = jnp.einsum("btd,bsd->bts", q, cache)
        seen = jnp.arange(cache.shape[1])[None, None, :] <= at + jnp.arange(x.shape[1])[None, :, None]
        attended = jax.nn.softmax(jnp.where(seen, scores, -jnp.inf)) @ (cache @ w[2])
        return attended @ w[3], cache

    shapes = "b, t, 32", "b, s, 32", "int32[]"
    return exported(folder, step, weights, *shapes, constraints=("s >= t",))


def test_a_decoder(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    model = decoder(tmp_path)
    options = ("--shape", "x=1,1,32", "--shape", "x=7,5,32", "--shape", "s=16,300")
    library = library_of(model, tmp_path / "c", *options)
    assert library.names == ["b", "t", "s"]
    assert library.choices == [(1, 1, 16), (1, 1, 300), (7, 5, 16), (7, 5, 300)]
    for b, t, s in library.choices:
        expect_same(library, model, (b, t, s), floats(b, t, 32), floats(b, s, 32), np.array(3, np.int32))
    message = library.run((1, 5, 16), *[floats(1)] * 5)
    assert message.endswith("there is for (b, t, s) = (1, 1, 16), (1, 1, 300), (7, 5, 16), (7, 5, 300)")
    # The file's own constraints hold for each choice.
    assert main(["compile", str(model), "-o", str(tmp_path / "d"), *options[:4], "--shape", "s=4,16"]) == 1
    error = capsys.readouterr().err
    assert "for b = 7, t = 5, s = 4: the arguments' shapes do not match the export" in error and "s" in error
    assert not (tmp_path / "d").exists()


@pytest.mark.ci
def test_loops_branches_and_embedded_weights(tmp_path: Path) -> None:
    import jax
    import jax.numpy as jnp

    def function(w: list[np.ndarray], x: np.ndarray, flip: np.ndarray) -> object:
        v, zero = x @ w[1], jnp.zeros((*x.shape[:2], 32))
        h = jax.lax.fori_loop(0, 7, lambda i, h: jnp.sort(jnp.tanh(h @ w[0] + v), -1), zero)
        y = jax.lax.cond(flip, lambda a: jax.lax.rev(a, (0,)), lambda a: a * 2, h)
        return h, jnp.fft.rfft(y.sum(0)).real, jnp.cumsum(y, 1), jnp.argmax(y, 1)

    model = exported(tmp_path, function, [floats(32, 32) / 6, floats(8, 32) / 3], "b, t, 8", "bool[]")
    options = ("--shape", "b=1,40", "--shape", "t=5,33", "--embed", "--emit", "library")
    folder = compiled(model, tmp_path / "c", *options)
    library = Library(folder / "libmodel.so")
    assert library.choices == [(1, 5), (1, 33), (40, 5), (40, 33)]
    for sizes in library.choices:
        for flip in (True, False):
            expect_same(library, model, sizes, floats(*sizes, 8), np.array(flip))


def test_dimensions_that_are_computed(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    import jax.numpy as jnp

    def function(x: np.ndarray, y: np.ndarray) -> object:
        return jnp.concatenate([x, x]) + y.sum(), x.reshape(-1)

    model = exported(tmp_path, function, "b, 2*t", "t, b")
    for n, options in enumerate((["b=2,3", "--shape", "t=4"], ["x=2,8", "--shape", "x=3,8", "--shape", "y=4,2",
                                                             "--shape", "y=4,3"])):  # fmt: skip
        library = library_of(model, tmp_path / f"c{n}", "--shape", *options)
        assert (library.names, library.choices) == (["b"], [(2,), (3,)])
        assert "f32[2*b, 8] result[0]" in (tmp_path / f"c{n}" / "model.h").read_text()
        expect_same(library, model, (3,), floats(3, 8), floats(4, 3))
    for options, message in (
        ([], "multiply: (b*t) may be 1,099,511,627,776, which does not fit int32; bound the sizes with --most"),
        (["x=2,8"], "the shape of input y: float32[t, b] is open; use --shape y=SIZE,SIZE,…, or --shape t=SIZE for a"),
        (["c=1"], "has no input or dimension 'c'; it has the inputs x, y and the dimensions b, 2*t, t"),
        (["x=2,8", "--shape", "y=4,3"], "none of the sizes in --shape x=2,8 y=4,3 fit together"),
        (["b=1,a"], "--shape b=1,a: expected NAME=SIZE,SIZE,…"),
        (["x=1,2,3"], "input x cannot be of shape [1, 2, 3], expected float32[b, 2*t]"),
    ):
        given = ["--shape", *options] if options else []
        assert main(["compile", str(model), "-o", str(tmp_path / "no"), *given]) == 1
        assert message in capsys.readouterr().err, options


# A donated state that is computed out of all of itself for 5 elements, but is updated in place where there is 1.
TURNED = """func.func @main(%a: tensor<?xf32> {{tf.aliasing_output = 0 : i32}} loc("{name}"), %k: tensor<2xf32>)
    -> (tensor<?xf32>, tensor<?x2xf32>) {{
  %0 = stablehlo.reverse %a, dims = [0] : tensor<?xf32>
  %n = stablehlo.get_dimension_size %a, dim = 0 : (tensor<?xf32>) -> tensor<i32>
  %1 = stablehlo.reshape %n : (tensor<i32>) -> tensor<1xi32>
  %two = stablehlo.constant dense<2> : tensor<1xi32>
  %2 = stablehlo.concatenate %1, %two, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
  %3 = stablehlo.dynamic_broadcast_in_dim %k, %2, dims = [1] : (tensor<2xf32>, tensor<2xi32>) -> tensor<?x2xf32>
  return %0, %3 : tensor<?xf32>, tensor<?x2xf32>
}}
"""


def test_names_from_the_file_and_memory_that_results_share(tmp_path: Path) -> None:
    (tmp_path / "model.mlir").write_text(TURNED.format(name="*/ sizes_\\22 ??/"))
    name = '*/ sizes_" ??/_0'
    folder = compiled(tmp_path / "model.mlir", tmp_path / "c", "--shape", f"{name}=1,5,3000")
    library = Library(built(folder, CLANG, target="libmodel.so"))
    assert library.names == [name]
    for n in (1, 5, 3000, 5):
        a, k, b = floats(n), floats(2), floats(n, 2)
        old = a.copy()
        assert library.run((n,), a, k, b) == "no error"
        np.testing.assert_array_equal(a, old[::-1])
        np.testing.assert_array_equal(b, np.broadcast_to(k, (n, 2)))
    assert f"there is for {name} = 1, 5, 3000" in library.run((2,), floats(2), floats(2), floats(2, 2))


CALLER = """#include <cstdio>
#include <vector>
#include "model.hpp"

int main() {
  Model model;
  std::vector<float> x(7 * 784, 0.5f), result(70);
  model(7, x, result);
  try {
    model(8, x, result);
  } catch (const std::runtime_error &error) {
    std::puts(error.what());
  }
  try {
    model(1, x, result);
  } catch (const std::invalid_argument &error) {
    std::puts(error.what());
  }
  std::printf("%g\\n", result[69]);
}
"""


@pytest.mark.ci
@pytest.mark.skipif(not shutil.which("g++"), reason="no compiler of this language: g++")
def test_cpp(tmp_path: Path) -> None:
    model = mlp(tmp_path)
    folder = compiled(model, tmp_path / "c", "--shape", "b=1,7", "--emit", "library")
    (folder / "main.cpp").write_text(CALLER)
    strict = ("-std=c++20", "-Wall", "-Wextra", "-Werror")
    subprocess.run(["g++", *strict, "main.cpp", "-L.", "-lmodel", "-Wl,-rpath,.", "-o", "main"], cwd=folder, check=True)
    lines = subprocess.run(["./main"], cwd=folder, check=True, capture_output=True, text=True).stdout.splitlines()
    assert lines[:2] == [
        "there is no code for these sizes; there is for b = 1, 7",
        f"x has {7 * 784 * 4} bytes, expected {784 * 4}",
    ]
    expected = hlo2tiny.load(model, device="CPU").numpy(np.full((7, 784), 0.5, np.float32))
    np.testing.assert_allclose(float(lines[2]), expected[6, 9], rtol=1e-4)


@pytest.mark.ci
def test_code_that_chooses_for_its_processor(tmp_path: Path) -> None:
    model = mlp(tmp_path)
    folder = compiled(model, tmp_path / "c", "--shape", "b=1,7,64", "--target", "x86_64-linux", "--emit", "library")
    library = Library(folder / "libmodel.so")
    for b in BATCHES:
        expect_same(library, model, (b,), floats(b, 784))


@pytest.mark.ci
def test_webassembly(tmp_path: Path) -> None:
    runner = RUNNERS["wasm32-wasi"]
    if runner and not shutil.which(runner[0]):
        pytest.skip(f"no emulator: {runner[0]}")
    model = mlp(tmp_path)
    folder = compiled(model, tmp_path / "c", "--shape", "b=1,7", "--target", "wasm32-wasi", "--emit", "executable")
    x = floats(7, 784)
    np.save(folder / "x.npy", x)
    subprocess.run([*runner, "model.wasm", "b=7", "-o", ".", "x.npy"], cwd=folder, check=True, capture_output=True)
    expected = hlo2tiny.load(model, device="CPU").numpy(x)
    np.testing.assert_allclose(np.load(folder / "out0.npy"), expected, rtol=1e-5, atol=1e-5)


def test_runs_of_a_context_take_memory_for_the_largest_size(tmp_path: Path) -> None:
    """In any order of sizes, with threads."""
    model = mlp(tmp_path)
    library = library_of(model, tmp_path / "c", "--shape", "b=64,1,300")
    for b in (1, 300, 64, 300, 1):
        expect_same(library, model, (b,), floats(b, 784))
    # As with a fixed program, other code may call without knowing of sizes: those listed first.
    info = library.functions.model_describe().contents
    assert shape_of(info.inputs[0]) == (64, 784)
    x, result = floats(64, 784), np.empty((64, 10), np.float32)
    assert library.functions.model_run_arrays(library.context, addresses([x]), addresses([result])) == 0
    np.testing.assert_allclose(result, hlo2tiny.load(model, device="CPU").numpy(x), rtol=1e-5, atol=1e-5)


@pytest.mark.parametrize("target", ["cuda", "bare-arm"])
def test_targets_with_one_choice_of_sizes(tmp_path: Path, target: str, capsys: pytest.CaptureFixture[str]) -> None:
    model = mlp(tmp_path)
    assert main(["compile", str(model), "-o", str(tmp_path / "c"), "--target", target, "--shape", "b=1,64"]) == 1
    assert (
        "this target takes one choice of sizes, but the options give several, so leave one: b = 1; b = 64"
        in capsys.readouterr().err
    )
    assert not (tmp_path / "c").exists()


def test_pages_take_the_sizes_of_dimensions(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    model = mlp(tmp_path)
    shapes = ["--shape", "x=1,784", "--shape", "x=64,784"]
    assert main(["compile", str(model), "-o", str(tmp_path / "c"), "--target", "web", *shapes]) == 1
    expected = "for several shapes of an input, a page needs the sizes of dimensions: --shape b=1,64\n"
    assert capsys.readouterr().err == f"hlo2tiny: error: {expected}"
    assert not (tmp_path / "c").exists()


@pytest.mark.parametrize(
    ("text", "size"),
    [
        ("b", 5),
        ("2*b^2 - 1", 49),
        ("floordiv(b, 2)", 2),
        ("mod(b, -3)", -1),
        ("max(t, min(b, 3))", 3),
        ("-b + t", -4),
        ("c", None),
        ("b/2", None),
        ("mod(b, 0)", None),
        ("b^b^b", None),
        ("((b^8)^8)^8", None),
        ("__import__('os')", None),
        ("b.real", None),
        ("b +", None),
        ("-" * 150 + "b", 5),
        ("-" * 300 + "b", None),
    ],
)
def test_sizes_of_dimensions(text: str, size: int | None) -> None:
    assert size_of(text, {"b": 5, "t": 1}) == size
