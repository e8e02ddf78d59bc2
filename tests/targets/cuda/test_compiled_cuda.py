"""Programs as C for NVIDIA's GPUs, run without one: their kernels and libraries are on the processor."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Sequence
from hashlib import sha256
from pathlib import Path
from typing import Any

import in_c_on_gpu
import jax
import ml_dtypes
import numpy as np
import pytest
from compiled import run_make
from emulation import WAITS, compile_text
from gpu import flat

import hlo2tiny
from corpus import BY_NAME, ENTRIES, Entry
from hlo2tiny.cli import main
from hlo2tiny.commands import cuda
from hlo2tiny.machine.compiler import zig_clang
from hlo2tiny.targets.cuda import source
from hlo2tiny.targets.cuda.compiling import files
from hlo2tiny.targets.cuda.tridiagonal import MOST_FOR_A_THREAD

COMPILER = "gcc" if shutil.which("gcc") else f"{zig_clang()[0]} cc -fno-sanitize=undefined"
# The parameters of a kernel, as CUDA C declares it.
KERNEL = re.compile(
    r'extern "C" __global__ void (?:__launch_bounds__\(.+?\) )?(?:__cluster_dims__\((\d), 1, 1\) )?(\w+)\(([^)]*)\) \{'
)
CONDITIONS = """extern "C" void (*set_condition)(address, unsigned);
void (*set_condition)(address, unsigned);
extern "C" void cudaGraphSetConditional(address handle, unsigned value) { set_condition(handle, value); }"""
# Programs of the corpus whose kernels compile in seconds, and that need what others do not.
QUICK = (
    "bf16_mlp",
    "cond",
    "conv_variants",
    "fourier",
    "kv_cache_decode",
    "lstm",
    "mnist_mlp_predict",
    "switch",
    "while_loop",
)
# These call the host.
REFUSED = {"linear_algebra"}


def as_library(text: str, folder: Path) -> bytes:
    """A file of kernels as what the emulated driver loads: the path of a library."""
    lines = [text]
    for cluster, name, listed in KERNEL.findall(text):
        types = [each.replace("volatile", "").rpartition("*" if "*" in each else " ") for each in listed.split(",")]
        kinds = [before + ("*" if star == "*" else "") for before, star, _ in types]
        values = ", ".join(f"*({kind.replace('__restrict__', '')} *)values[{i}]" for i, kind in enumerate(kinds))
        body = text[text.index(f" {name}(") :].partition('extern "C" __global__')[0]
        sizes = ", ".join(f"(int)sizeof({kind})" for kind in kinds)
        lines.append(
            f'extern "C" void call_{name}(void **values) {{ {name}({values}); }}\n'
            f'extern "C" const int sizes_{name}[] = {{{sizes}, 0}};\n'
            f'extern "C" const int waits_{name} = {int(WAITS.search(body) is not None)};\n'
            f'extern "C" const int cluster_{name} = {cluster or 1};'
        )
    if "cudaGraphSetConditional" in text:
        lines.append(CONDITIONS)
    return str(compile_text(lines, folder / f"{sha256(text.encode()).hexdigest()[:20]}.cpp")).encode() + b"\0"


@pytest.fixture(scope="module")
def libraries(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of the emulated driver and libraries."""
    folder = tmp_path_factory.mktemp("libraries")
    library, text = folder / "libcuda.so.1", Path(__file__).with_name("emulated_driver.c")
    command = [*COMPILER.split(), "-std=gnu11", "-O1", "-Wall", "-Werror", "-shared", "-fPIC"]
    subprocess.run([*command, "-o", library, text, "-ldl", "-lm"], check=True)
    for name in ("libcublasLt.so.13", "libcudnn.so.9", "libcufft.so.12"):
        (folder / name).symlink_to(library)
    return folder


@pytest.fixture
def emulated(libraries: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """Compiles kernels for the processor; the folder of the emulated driver and libraries."""
    folder = tmp_path / "kernels"
    folder.mkdir()
    monkeypatch.setattr(source, "known_architectures", lambda: ["sm_80", "sm_90"])
    monkeypatch.setattr(cuda, "compiler_version", lambda: 13000)
    monkeypatch.setattr(source, "compile_one", lambda text, arch, options: as_library(text, folder))
    monkeypatch.setattr(
        source, "compile_kernels", lambda kernels, arch: [(as_library(text, folder), n) for text, n in files(kernels)]
    )
    return libraries


def built(model: Path, folder: Path, *options: str, target: str = "model") -> Path:
    assert main(["compile", str(model), "-o", str(folder), "--target", "cuda", "--arch", "sm_90", *options]) == 0
    made = run_make(["make", f"CC={COMPILER}", "OPTIMISE=-O1", "CFLAGS=-Werror -g", target], folder)
    assert made.returncode == 0, made.stderr[-4000:]
    return folder / target


def run(
    program: Path, libraries: Path, inputs: Sequence[np.ndarray] = (), **environment: str
) -> subprocess.CompletedProcess[str]:
    for i, array in enumerate(inputs):
        np.save(program.parent / f"in{i}.npy", array)
    files = [str(program.parent / f"in{i}.npy") for i in range(len(inputs))]
    env = os.environ | {"LD_LIBRARY_PATH": str(libraries)} | environment
    command = [str(program), "-o", str(program.parent), "-n", "2", *files]
    return subprocess.run(command, env=env, capture_output=True, text=True, check=False)


def results(program: Path, like: Sequence[np.ndarray]) -> list[np.ndarray]:
    found = [np.load(program.parent / f"out{i}.npy") for i in range(len(like))]
    return [r.view(e.dtype) if r.dtype.kind == "V" else r for r, e in zip(found, like)]


def marks(entry: Entry) -> list[pytest.MarkDecorator]:
    """test_emulation.py runs the same kernels; what is left is what the tables in C say of each kind of action."""
    if entry.name in ("cond", "while_loop"):
        return []
    return [pytest.mark.ci if entry.name in (*QUICK, "kv_cache_decode") else pytest.mark.night]


@pytest.mark.parametrize(
    "entry", [pytest.param(e, id=e.name, marks=marks(e)) for e in ENTRIES if e.name not in REFUSED]
)
def test_the_corpus_gives_its_results(entry: Entry, emulated: Path, tmp_path: Path) -> None:
    program = built(entry.path, tmp_path / "c", "--precision", "highest")
    done = run(program, emulated, list(flat(entry.inputs())))
    assert done.returncode == 0, done.stderr
    expected = list(flat(hlo2tiny.load(entry.path, "CPU").numpy(*entry.inputs())))
    entry.check(results(program, expected))


DECODER = """func.func @main(%cache: tensor<64x8xf32> {jax.buffer_donor = true}, %x: tensor<8xf32>, %n: tensor<i32>,
    %on: tensor<5xi1>) -> (tensor<64x8xf32>, tensor<8xf32>, tensor<5xi1>) {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %f = stablehlo.constant dense<0.0> : tensor<f32>
  %row = stablehlo.reshape %x : (tensor<8xf32>) -> tensor<1x8xf32>
  %0 = stablehlo.dynamic_update_slice %cache, %row, %n, %zero
    : (tensor<64x8xf32>, tensor<1x8xf32>, tensor<i32>, tensor<i32>) -> tensor<64x8xf32>
  %1 = stablehlo.reduce(%0 init: %f) applies stablehlo.add across dimensions = [0]
    : (tensor<64x8xf32>, tensor<f32>) -> tensor<8xf32>
  %2 = stablehlo.not %on : tensor<5xi1>
  return %0, %1, %2 : tensor<64x8xf32>, tensor<8xf32>, tensor<5xi1>
}"""


def decoder_arrays() -> tuple[list[np.ndarray], list[np.ndarray]]:
    """Arguments of the decoder, of which booleans have any bits, and its results."""
    random = np.random.default_rng(0)
    cache, x = random.standard_normal((64, 8), np.float32), random.standard_normal(8, np.float32)
    after = cache.copy()
    after[3] = x
    on = np.array([0, 1, 2, 0, 255], np.uint8)
    return [cache, x, np.array(3, np.int32), on], [after, after.sum(0), on == 0]


def test_arrays_on_the_gpu_and_donated_ones_are_used_in_place(emulated: Path, tmp_path: Path) -> None:
    model = tmp_path / "decoder.mlir"
    model.write_text(DECODER)
    folder = tmp_path / "c"
    built(model, folder, target="libmodel.so")
    command = [*COMPILER.split(), "-g", f"-I{folder}", in_c_on_gpu.DEVICE, "-o", folder / "device", "-ldl"]
    subprocess.run(command, check=True)
    arrays, expected = decoder_arrays()
    env = os.environ | {"LD_LIBRARY_PATH": str(emulated)}
    for donated in ({0: 0}, {}):
        _, found = in_c_on_gpu.run_on_device(folder, arrays, donated, expected, 3, env)
        for a, b in zip(found, expected, strict=True):
            np.testing.assert_allclose(a, b, rtol=1e-5, atol=1e-5)


def test_arrays_of_the_host_are_copied(emulated: Path, tmp_path: Path) -> None:
    model = tmp_path / "decoder.mlir"
    model.write_text(DECODER)
    program = built(model, tmp_path / "c")
    arrays, expected = decoder_arrays()
    done = run(program, emulated, [*arrays[:3], arrays[3].view(bool)])
    assert done.returncode == 0, done.stderr
    for a, b in zip(results(program, expected), expected, strict=True):
        np.testing.assert_allclose(a, b, rtol=1e-5, atol=1e-5)


PRODUCTS = """func.func @main(%a: tensor<2x3x40x24xf32>, %b: tensor<3x2x24x16xf32>, %c: tensor<16xf32>,
    %i: tensor<32x64xi8>, %j: tensor<16x64xi8>)
    -> (tensor<2x3x40x16xf32>, tensor<40x16xf32>, tensor<32x16xi32>, tensor<32x16xf32>) {
  %0 = stablehlo.dot_general %a, %b, batching_dims = [0, 1] x [1, 0], contracting_dims = [3] x [2]
    : (tensor<2x3x40x24xf32>, tensor<3x2x24x16xf32>) -> tensor<2x3x40x16xf32>
  %1 = stablehlo.slice %a [1:2, 2:3, 0:40, 0:24] : (tensor<2x3x40x24xf32>) -> tensor<1x1x40x24xf32>
  %2 = stablehlo.reshape %1 : (tensor<1x1x40x24xf32>) -> tensor<40x24xf32>
  %3 = stablehlo.slice %b [1:2, 1:2, 0:24, 0:16] : (tensor<3x2x24x16xf32>) -> tensor<1x1x24x16xf32>
  %4 = stablehlo.reshape %3 : (tensor<1x1x24x16xf32>) -> tensor<24x16xf32>
  %5 = stablehlo.dot_general %2, %4, contracting_dims = [1] x [0]
    : (tensor<40x24xf32>, tensor<24x16xf32>) -> tensor<40x16xf32>
  %6 = stablehlo.broadcast_in_dim %c, dims = [1] : (tensor<16xf32>) -> tensor<40x16xf32>
  %7 = stablehlo.add %5, %6 : tensor<40x16xf32>
  %8 = stablehlo.dot_general %i, %j, contracting_dims = [1] x [1]
    : (tensor<32x64xi8>, tensor<16x64xi8>) -> tensor<32x16xi32>
  %9 = stablehlo.bitcast_convert %i : (tensor<32x64xi8>) -> tensor<32x64xf8E4M3FN>
  %10 = stablehlo.bitcast_convert %j : (tensor<16x64xi8>) -> tensor<16x64xf8E5M2>
  %11 = stablehlo.dot_general %9, %10, contracting_dims = [1] x [1]
    : (tensor<32x64xf8E4M3FN>, tensor<16x64xf8E5M2>) -> tensor<32x16xf32>
  return %0, %7, %8, %11 : tensor<2x3x40x16xf32>, tensor<40x16xf32>, tensor<32x16xi32>, tensor<32x16xf32>
}"""


def test_products_in_batches_with_a_bias_and_of_8_bit_numbers(emulated: Path, tmp_path: Path) -> None:
    model = tmp_path / "products.mlir"
    model.write_text(PRODUCTS)
    program = built(model, tmp_path / "c")
    assert (tmp_path / "c/model.c").read_text().count(" product ") > 2
    random = np.random.default_rng(0)
    a, b, c = (random.standard_normal(shape, np.float32) for shape in ((2, 3, 40, 24), (3, 2, 24, 16), 16))
    i, j = (random.integers(-100, 101, shape, np.int8) for shape in ((32, 64), (16, 64)))
    done = run(program, emulated, [a, b, c, i, j])
    assert done.returncode == 0, done.stderr
    like = [np.zeros(0, kind) for kind in (np.float32, np.float32, np.int32, np.float32)]
    whole, biased, integers, floats = results(program, like)
    np.testing.assert_allclose(whole, a @ b.swapaxes(0, 1), rtol=1e-5, atol=1e-5)
    np.testing.assert_allclose(biased, a[1, 2] @ b[1, 1] + c, rtol=1e-5, atol=1e-5)
    np.testing.assert_array_equal(integers, i.astype(np.int32) @ j.T.astype(np.int32))
    p, q = i.view(ml_dtypes.float8_e4m3fn).astype(np.float64), j.view(ml_dtypes.float8_e5m2).astype(np.float64)
    np.testing.assert_array_equal(floats, (p @ q.T).astype(np.float32))


@pytest.mark.parametrize("x, y", [(5, 6), (2, 3)])
def test_calls_of_a_product_run_at_the_same_time(x: int, y: int, emulated: Path, tmp_path: Path) -> None:
    """The batch has three dimensions, of which a call takes one; each call has a part of the working memory."""
    random = np.random.default_rng(0)
    a, b = (random.standard_normal(shape, np.float32) for shape in ((x, y, 7, 40, 24), (y, x, 24, 7, 16)))
    function = lambda a, b: 2 * jax.numpy.einsum("xyzmk,yxkzn->zxymn", a, b)
    model = tmp_path / "calls.mlir"
    model.write_text(str(jax.export.export(jax.jit(function))(a, b).mlir_module()))
    program = built(model, tmp_path / "c")
    assert " of 40x24x16" in (tmp_path / "c/model.c").read_text()
    done = run(program, emulated, [a, b])
    assert done.returncode == 0, done.stderr
    (found,) = results(program, [a])
    expected = np.asarray(function(a, b))
    np.testing.assert_allclose(found.reshape(expected.shape), expected, rtol=1e-4, atol=1e-4)


def test_kernels_may_ask_for_more_shared_memory_than_usual(emulated: Path, tmp_path: Path) -> None:
    kind = "tensor<2x110x110xf32>"
    model = tmp_path / "matrices.mlir"
    model.write_text(f"""func.func @main(%a: {kind}) -> {kind} {{
      %0 = stablehlo.cholesky %a, lower = true : {kind}
      return %0 : {kind}
    }}""")
    program = built(model, tmp_path / "c")
    a = np.random.default_rng(0).standard_normal((2, 110, 110), np.float32)
    a = a @ a.swapaxes(1, 2) + 110 * np.eye(110, dtype=np.float32)
    done = run(program, emulated, [a])
    assert done.returncode == 0, done.stderr
    (factor,) = results(program, [a])
    np.testing.assert_allclose(np.tril(factor), np.linalg.cholesky(a), rtol=1e-4, atol=1e-4)


@pytest.mark.parametrize("most", [MOST_FOR_A_THREAD, 16])
def test_tridiagonal_systems(most: int, emulated: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whose kernels share a buffer of their own."""
    monkeypatch.setattr("hlo2tiny.targets.cuda.tridiagonal.MOST_FOR_A_THREAD", most)
    random = np.random.default_rng(0)
    dl, d, du, b = (random.standard_normal(shape, np.float32) for shape in ((3, 40), (3, 40), (3, 40), (3, 40, 2)))
    arrays = [dl, d + 6, du, b]
    model = tmp_path / "systems.mlir"
    model.write_text(jax.export.export(jax.jit(jax.lax.linalg.tridiagonal_solve))(*arrays).mlir_module())
    program = built(model, tmp_path / "c")
    done = run(program, emulated, arrays)
    assert done.returncode == 0, done.stderr
    (found,) = results(program, [b])
    (expected,) = hlo2tiny.load(model, "CPU").numpy(*arrays)
    np.testing.assert_allclose(found, expected, rtol=1e-5, atol=1e-6)


def test_convolutions_and_their_gradients(emulated: Path, tmp_path: Path) -> None:
    how: Any = {"dimension_numbers": ("NHWC", "HWIO", "NHWC"), "feature_group_count": 2}

    def both(x: jax.Array, k: jax.Array) -> Sequence[jax.Array]:
        y, back = jax.vjp(lambda x, k: jax.lax.conv_general_dilated(x, k, (2, 2), [(0, 1), (2, 0)], **how), x, k)
        return y, *back(y)

    random = np.random.default_rng(0)
    arrays = [random.standard_normal(shape, np.float32) for shape in ((2, 16, 16, 32), (3, 3, 16, 32))]
    model = tmp_path / "convolutions.mlir"
    model.write_text(jax.export.export(jax.jit(both))(*arrays).mlir_module())
    program = built(model, tmp_path / "c")
    kinds = re.findall(r"tf32 convolution('s \w+)? ", (tmp_path / "c/model.c").read_text())
    assert {*kinds} == {"", "'s data", "'s filter"}
    done = run(program, emulated, arrays)
    assert done.returncode == 0, done.stderr
    expected = [np.asarray(x) for x in both(*arrays)]
    for found, wanted in zip(results(program, expected), expected, strict=True):
        np.testing.assert_allclose(found, wanted, rtol=1e-4, atol=1e-4)


@pytest.mark.parametrize("dtype", [ml_dtypes.bfloat16, np.float16], ids=lambda t: np.dtype(t).name)
def test_narrow_convolutions_are_the_library_s_or_ones_of_f32(dtype: type, emulated: Path, tmp_path: Path) -> None:
    """Of windows of 3×3, whose input is padded first, and of 1×1, which are matrix products."""
    how: Any = {"dimension_numbers": ("NHWC", "HWIO", "NHWC")}

    def both(x: jax.Array, k: jax.Array, one: jax.Array) -> Sequence[jax.Array]:
        convolve = lambda x, k: jax.lax.conv_general_dilated(x, k, (2, 2), [(0, 1), (2, 0)], **how)
        y, back = jax.vjp(convolve, x, k)
        return jax.lax.conv_general_dilated(y, one, (1, 1), "SAME", **how), *back(y)

    random = np.random.default_rng(0)
    shapes = (2, 16, 16, 16), (3, 3, 16, 16), (1, 1, 16, 32)
    arrays = [random.integers(-1, 2, shape).astype(dtype) for shape in shapes]
    model = tmp_path / "convolutions.mlir"
    model.write_text(jax.export.export(jax.jit(both))(*arrays).mlir_module())
    program = built(model, tmp_path / "c")
    text, element = (tmp_path / "c/model.c").read_text(), "bf16" if dtype is ml_dtypes.bfloat16 else "f16"
    assert {*re.findall(rf'"{element} convolution(\S*\s\w+)? ', text)} >= {"'s data", "'s filter"}
    assert f"{element} product" in text and "tf32" not in text
    expected = [np.asarray(x) for x in both(*arrays)]
    for environment in ({}, {"GPU_IS_WIDE": "1"}):
        done = run(program, emulated, arrays, **environment)
        assert done.returncode == 0, done.stderr
        for found, wanted in zip(results(program, expected), expected, strict=True):
            np.testing.assert_array_equal(found.astype(np.float32), wanted.astype(np.float32))


# What a machine may lack, as the emulated driver's variables, and what a program says then.
MISSING: list[tuple[dict[str, str], str]] = [
    ({"LD_LIBRARY_PATH": ""}, "libcuda.so.1 cannot be loaded; install NVIDIA's driver"),
    ({"GPU_COUNT": "0"}, "there is no GPU that the driver can use: check nvidia-smi"),
    ({"GPU_DRIVER": "12040"}, "the driver supports CUDA 12.4, but this program needs 1"),
    (
        {"GPU_ARCH": "86"},
        "the GPU is of the kind sm_86, and this program was compiled for sm_90; compile it again with --arch sm_86",
    ),
    ({"GPU_REFUSES": "1"}, "cuBLASLt has no algorithm for a tf32 product 32x784x512 + bias; use hlo2tiny run"),
    ({"GPU_MEMORY": "1000"}, "the GPU has too little memory for its constants and working memory: "),
    ({"GPU_FAILS": "1"}, "CUDA: something else (error 700)"),
]


def test_what_is_missing_is_one_sentence_and_later_gpus_take_ptx(emulated: Path, tmp_path: Path) -> None:
    program = built(BY_NAME["mnist_mlp_predict"].path, tmp_path / "c")
    for environment, message in MISSING:
        done = run(program, emulated, **environment)
        assert done.returncode == 1 and done.stderr.startswith(f"model: error: {message}"), done.stderr
        assert done.stderr.count("\n") == 1
    for arch in ("90", "100", "121"):
        done = run(program, emulated, GPU_ARCH=arch)
        assert done.returncode == 0, done.stderr
    (emulated / "libcublasLt.so.13").unlink()
    assert run(program, emulated).stderr == (
        "model: error: libcublasLt.so.13 cannot be loaded; install NVIDIA's cuBLAS, and name its folder in"
        " LD_LIBRARY_PATH\n"
    )


HOST = """func.func @main(%x: tensor<8xf32>) -> tensor<8xf32> {
  %0 = stablehlo.custom_call @compiled_by_nobody(%x) : (tensor<8xf32>) -> tensor<8xf32>
  return %0 : tensor<8xf32>
}"""


@pytest.mark.ci
def test_what_needs_the_host_is_refused_before_anything_is_written(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    pytest.importorskip("cuda.bindings.nvrtc", reason="hlo2tiny[cuda] is not installed")

    @hlo2tiny.custom_call("compiled_by_nobody")
    def function(x: np.ndarray) -> np.ndarray:
        return x

    (tmp_path / "host.mlir").write_text(HOST)
    for path, words in (
        (tmp_path / "host.mlir", "runs in Python"),
        (
            BY_NAME["linear_algebra"].path,
            "runs on the host, which a program in C for GPUs cannot do yet; use hlo2tiny run",
        ),
    ):
        assert main(["compile", str(path), "-o", str(tmp_path / "c"), "--target", "cuda"]) == 1
        assert words in capsys.readouterr().err and not (tmp_path / "c").exists()


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--arch", "sm_13"], "--arch 'sm_13': expected some of sm_"),
        (["--emit", "library"], "--emit 'library': cuda writes c"),
        (["--ffi", "libhandlers.so"], "--ffi: a program in C for GPUs calls no handlers yet"),
    ],
)
def test_wrong_options_are_named(
    options: list[str], message: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    pytest.importorskip("cuda.bindings.nvrtc", reason="hlo2tiny[cuda] is not installed")
    path = str(BY_NAME["mnist_mlp_predict"].path)
    assert main(["compile", path, "-o", str(tmp_path / "c"), "--target", "cuda", *options]) == 1
    assert message in capsys.readouterr().err and not (tmp_path / "c").exists()


def test_without_nvrtc_the_error_says_what_brings_it(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("cuda", "cuda.bindings", "cuda.bindings.nvrtc"):
        monkeypatch.setitem(sys.modules, name, None)
    path = str(BY_NAME["mnist_mlp_predict"].path)
    assert main(["compile", path, "-o", str(tmp_path / "c"), "--target", "cuda"]) == 1
    assert "nvrtc cannot be loaded; run `pip install 'hlo2tiny[cuda]'`" in capsys.readouterr().err


@pytest.mark.ci
def test_nvrtc_writes_machine_code_for_each_kind_and_ptx_for_later_ones(tmp_path: Path) -> None:
    pytest.importorskip("cuda.bindings.nvrtc", reason="hlo2tiny[cuda] is not installed")
    path, folder = str(BY_NAME["while_loop"].path), tmp_path / "c"
    assert main(["compile", path, "-o", str(folder), "--target", "cuda", "--arch", "sm_90,sm_80"]) == 0
    text = (folder / "kernels.c").read_text()
    codes = dict(re.findall(r"long (\w+_\d+)\[\] = \{\n(\w+)", text))
    files = {name.rpartition("_")[2] for name in codes}
    assert {*codes} == {f"{kind}_{n}" for kind in ("compute_90", "sm_80", "sm_90") for n in files}
    for name, word in codes.items():  # ELF and a comment
        assert word.endswith("464c457f" if name.startswith("sm") else "2f2f"), (name, word)
    assert "model_images[] = {{8, 0, 0, sm_80}, {9, 0, 0, sm_90}, {9, 0, 1, compute_90}}" in text
