"""Programs for processors without an operating system: their numbers on emulated boards, what they call and take."""

from __future__ import annotations

import ctypes
import re
import shutil
import subprocess
from pathlib import Path

import numpy as np
import pytest
from targets.c.bare import BOARDS, compiled, run_here, run_on, stack_bound
from targets.c.test_folder import COMPILERS

import hlo2tiny
from corpus import ENTRIES, Entry
from hlo2tiny.cli import main
from hlo2tiny.machine import zig
from hlo2tiny.targets.c.bare import EXPECTED, Object
from hlo2tiny.targets.c.systems import SYSTEMS
from hlo2tiny.targets.c.templates import TYPES_TEXT, rounding_text

pytestmark = pytest.mark.timeout(600)  # the first link for a processor builds the compiler's own functions, too
F = np.float32


def random(seed: int, *shape: int, scale: float = 1) -> np.ndarray:
    return (np.random.default_rng(seed).standard_normal(shape) * scale).astype(F)


def dense(array: np.ndarray, element: str) -> str:
    """A constant with the integers of an array, of a type that may be quantized."""
    shape, kind = (
        "x".join(map(str, array.shape)),
        {"int8": "i8", "int16": "i16", "int32": "i32", "float32": "f32"}[array.dtype.name],
    )
    value = f'dense<"0x{array.tobytes().hex()}"> : tensor<{shape}x{kind}>'
    return f"stablehlo.constant() <{{value = {value}}}> : () -> tensor<{shape}x{element}>"


MLP = f"""func.func @main(%x: tensor<2x24xf32> loc("x")) -> (tensor<2x10xf32> {{jax.result_info = "classes"}}) {{
  %w = {dense(random(0, 24, 48, scale=0.3), "f32")}
  %v = {dense(random(1, 48, 10, scale=0.3), "f32")}
  %b = {dense(random(2, 48), "f32")}
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %0 = stablehlo.dot %x, %w : (tensor<2x24xf32>, tensor<24x48xf32>) -> tensor<2x48xf32>
  %1 = stablehlo.broadcast_in_dim %b, dims = [1] : (tensor<48xf32>) -> tensor<2x48xf32>
  %2 = stablehlo.add %0, %1 : tensor<2x48xf32>
  %3 = stablehlo.tanh %2 : tensor<2x48xf32>
  %4 = stablehlo.dot %3, %v : (tensor<2x48xf32>, tensor<48x10xf32>) -> tensor<2x10xf32>
  %5 = stablehlo.exponential %4 : tensor<2x10xf32>
  %6 = stablehlo.reduce(%5 init: %zero) applies stablehlo.add across dimensions = [1]
    : (tensor<2x10xf32>, tensor<f32>) -> tensor<2xf32>
  %7 = stablehlo.broadcast_in_dim %6, dims = [0] : (tensor<2xf32>) -> tensor<2x10xf32>
  %8 = stablehlo.divide %5, %7 : tensor<2x10xf32>
  return %8 : tensor<2x10xf32>
}}"""

# A convolution with padding, ReLU, the largest of windows, a norm with a square root, and a product.
CONVNET = f"""func.func @main(%x: tensor<1x12x12x3xf32>) -> tensor<1x5xf32> {{
  %w = {dense(random(3, 3, 3, 3, 8, scale=0.3), "f32")}
  %v = {dense(random(4, 8, 5), "f32")}
  %low = stablehlo.constant dense<0xFF800000> : tensor<f32>
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %zeros = stablehlo.constant dense<0.0> : tensor<1x12x12x8xf32>
  %0 = stablehlo.convolution(%x, %w) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f],
    window = {{pad = [[1, 1], [1, 1]]}} {{batch_group_count = 1 : i64, feature_group_count = 1 : i64}}
    : (tensor<1x12x12x3xf32>, tensor<3x3x3x8xf32>) -> tensor<1x12x12x8xf32>
  %1 = stablehlo.maximum %0, %zeros : tensor<1x12x12x8xf32>
  %2 = "stablehlo.reduce_window"(%1, %low) <{{window_dimensions = array<i64: 1, 2, 2, 1>,
    window_strides = array<i64: 1, 2, 2, 1>}}> ({{
    ^bb0(%a: tensor<f32>, %b: tensor<f32>):
      %c = stablehlo.maximum %a, %b : tensor<f32>
      stablehlo.return %c : tensor<f32>
  }}) : (tensor<1x12x12x8xf32>, tensor<f32>) -> tensor<1x6x6x8xf32>
  %3 = stablehlo.reduce(%2 init: %zero) applies stablehlo.add across dimensions = [1, 2]
    : (tensor<1x6x6x8xf32>, tensor<f32>) -> tensor<1x8xf32>
  %4 = stablehlo.sqrt %3 : tensor<1x8xf32>
  %5 = stablehlo.rsqrt %3 : tensor<1x8xf32>
  %6 = stablehlo.add %4, %5 : tensor<1x8xf32>
  %7 = stablehlo.dot %6, %v : (tensor<1x8xf32>, tensor<8x5xf32>) -> tensor<1x5xf32>
  return %7 : tensor<1x5xf32>
}}"""


def whole(seed: int, *shape: int, most: int = 127) -> np.ndarray:
    return np.random.default_rng(seed).integers(-most, most + 1, shape).astype(np.int8)


BIAS = np.random.default_rng(9).integers(-3000, 3000, 4).astype(np.int32)
# Quantized as converters for integer processors do it: a convolution with a scale for each feature and a bias, ReLU in
# the limits of the storage, the largest of windows, a product, and a sum of two numbers with different scales.
SCALES = "{0.0078125, 0.011, 0.0051, 0.02}"
INT8 = f"""!x = !quant.uniform<i8:f32, 0.05:-12>
!w = !quant.uniform<i8<-127:127>:f32:3, {SCALES}>
!s = !quant.uniform<i32:f32:3, {{0.000390625, 5.5e-4, 2.55e-4, 1.0e-3}}>
!b = !quant.uniform<i32:f32:0, {{0.000390625, 5.5e-4, 2.55e-4, 1.0e-3}}>
!h = !quant.uniform<i8:f32, 0.04:-128>
!v = !quant.uniform<i8<-127:127>:f32, 0.009>
!y = !quant.uniform<i8:f32, 0.11:7>
!z = !quant.uniform<i8:f32, 0.25:-3>
func.func @main(%x: tensor<1x10x10x2x!x>, %other: tensor<1x6x!z>) -> tensor<1x6x!z> {{
  %w = {dense(whole(5, 3, 3, 2, 4), "!w")}
  %b = {dense(BIAS, "!b")}
  %v = {dense(whole(6, 64, 6), "!v")}
  %least = {dense(np.int8([-128]).reshape(()), "!h").replace("<x", "<")}
  %0 = stablehlo.convolution(%x, %w) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f],
    window = {{pad = [[0, 0], [1, 1]], stride = [1, 1]}} {{batch_group_count = 1 : i64, feature_group_count = 1 : i64}}
    : (tensor<1x10x10x2x!x>, tensor<3x3x2x4x!w>) -> tensor<1x8x10x4x!s>
  %1 = stablehlo.broadcast_in_dim %b, dims = [3] : (tensor<4x!b>) -> tensor<1x8x10x4x!s>
  %2 = stablehlo.add %0, %1 : tensor<1x8x10x4x!s>
  %3 = stablehlo.uniform_quantize %2 : (tensor<1x8x10x4x!s>) -> tensor<1x8x10x4x!h>
  %4 = "stablehlo.reduce_window"(%3, %least) <{{window_dimensions = array<i64: 1, 2, 2, 1>,
    window_strides = array<i64: 1, 2, 3, 1>}}> ({{
    ^bb0(%a: tensor<!h>, %c: tensor<!h>):
      %d = stablehlo.maximum %a, %c : tensor<!h>
      stablehlo.return %d : tensor<!h>
  }}) : (tensor<1x8x10x4x!h>, tensor<!h>) -> tensor<1x4x3x4x!h>
  %5 = stablehlo.reshape %4 : (tensor<1x4x3x4x!h>) -> tensor<1x48x!h>
  %6 = stablehlo.slice %v [0:48, 0:6] : (tensor<64x6x!v>) -> tensor<48x6x!v>
  %7 = stablehlo.dot_general %5, %6, contracting_dims = [1] x [0]
    : (tensor<1x48x!h>, tensor<48x6x!v>) -> tensor<1x6x!y>
  %8 = stablehlo.add %7, %other : (tensor<1x6x!y>, tensor<1x6x!z>) -> tensor<1x6x!z>
  return %8 : tensor<1x6x!z>
}}"""

# A gated layer: a product, tanh times a logistic, the averages of windows, and a sum.
GATED = f"""!x = !quant.uniform<i8:f32, 0.05:-12>
!w = !quant.uniform<i8<-127:127>:f32, 0.011>
!s = !quant.uniform<i32:f32, 0.00055>
!h = !quant.uniform<i8:f32, 0.041:4>
!t = !quant.uniform<i8:f32, 0.0078125>
!l = !quant.uniform<i8:f32, 0.00390625:-128>
!a = !quant.uniform<i32:f32, 0.0078125>
!y = !quant.uniform<i8:f32, 0.0091:3>
func.func @main(%x: tensor<6x20x!x>) -> tensor<2x4x!y> {{
  %w = {dense(whole(14, 20, 8), "!w")}
  %zero = {dense(np.zeros((), np.int32), "!a").replace("<x", "<")}
  %six = {dense(np.full((2, 4), 768, np.int32), "!a")}
  %0 = stablehlo.dot_general %x, %w, contracting_dims = [1] x [0]
    : (tensor<6x20x!x>, tensor<20x8x!w>) -> tensor<6x8x!s>
  %1 = stablehlo.uniform_quantize %0 : (tensor<6x8x!s>) -> tensor<6x8x!h>
  %2 = stablehlo.tanh %1 : (tensor<6x8x!h>) -> tensor<6x8x!t>
  %3 = stablehlo.logistic %1 : (tensor<6x8x!h>) -> tensor<6x8x!l>
  %4 = stablehlo.multiply %2, %3 : (tensor<6x8x!t>, tensor<6x8x!l>) -> tensor<6x8x!t>
  %5 = stablehlo.uniform_quantize %4 : (tensor<6x8x!t>) -> tensor<6x8x!a>
  %6 = "stablehlo.reduce_window"(%5, %zero) <{{window_dimensions = array<i64: 3, 2>,
    window_strides = array<i64: 3, 2>}}> ({{
    ^bb0(%a: tensor<!a>, %c: tensor<!a>):
      %d = stablehlo.add %a, %c : tensor<!a>
      stablehlo.return %d : tensor<!a>
  }}) : (tensor<6x8x!a>, tensor<!a>) -> tensor<2x4x!a>
  %7 = stablehlo.divide %6, %six : tensor<2x4x!a>
  %8 = stablehlo.uniform_quantize %7 : (tensor<2x4x!a>) -> tensor<2x4x!y>
  return %8 : tensor<2x4x!y>
}}"""

# A residual layer of several scales, and a softmax in 16 bits: what two numbers that vary give.
RESIDUAL = f"""!x = !quant.uniform<i8:f32, 0.05:-12>
!w = !quant.uniform<i8<-127:127>:f32:1, {SCALES}>
!h = !quant.uniform<i8:f32, 0.0973:-20>
!d = !quant.uniform<i8:f32, 0.0291:127>
!e = !quant.uniform<i8:f32, 0.00390625:-128>
!a = !quant.uniform<i16:f32, 0.00390625>
!p = !quant.uniform<i16:f32, 0.000030517578125>
!y = !quant.uniform<i8:f32, 0.00390625:-128>
func.func @main(%x: tensor<6x4x!x>) -> (tensor<6x4x!y>, tensor<6x4xi1>) {{
  %w = {dense(whole(16, 4, 4), "!w")}
  %zero = {dense(np.zeros((), np.int16), "!a").replace("<x", "<")}
  %least = {dense(np.int8([-128]).reshape(()), "!h").replace("<x", "<")}
  %0 = stablehlo.dot_general %x, %w, contracting_dims = [1] x [0]
    : (tensor<6x4x!x>, tensor<4x4x!w>) -> tensor<6x4x!h>
  %1 = stablehlo.add %0, %x : (tensor<6x4x!h>, tensor<6x4x!x>) -> tensor<6x4x!h>
  %2 = stablehlo.maximum %1, %x : (tensor<6x4x!h>, tensor<6x4x!x>) -> tensor<6x4x!h>
  %m = stablehlo.reduce(%2 init: %least) applies stablehlo.maximum across dimensions = [1]
    : (tensor<6x4x!h>, tensor<!h>) -> tensor<6x!h>
  %n = stablehlo.broadcast_in_dim %m, dims = [0] : (tensor<6x!h>) -> tensor<6x4x!h>
  %3 = stablehlo.subtract %2, %n : (tensor<6x4x!h>, tensor<6x4x!h>) -> tensor<6x4x!d>
  %4 = stablehlo.exponential %3 : (tensor<6x4x!d>) -> tensor<6x4x!e>
  %5 = stablehlo.uniform_quantize %4 : (tensor<6x4x!e>) -> tensor<6x4x!a>
  %6 = stablehlo.reduce(%5 init: %zero) applies stablehlo.add across dimensions = [1]
    : (tensor<6x4x!a>, tensor<!a>) -> tensor<6x!a>
  %7 = stablehlo.broadcast_in_dim %6, dims = [0] : (tensor<6x!a>) -> tensor<6x4x!a>
  %8 = stablehlo.divide %5, %7 : (tensor<6x4x!a>, tensor<6x4x!a>) -> tensor<6x4x!p>
  %9 = stablehlo.uniform_quantize %8 : (tensor<6x4x!p>) -> tensor<6x4x!y>
  %10 = stablehlo.compare GT, %0, %x : (tensor<6x4x!h>, tensor<6x4x!x>) -> tensor<6x4xi1>
  return %9, %10 : tensor<6x4x!y>, tensor<6x4xi1>
}}"""

# Transforms with small factors, with a large one, and of two dimensions; what is transformed back is filtered first.
SPECTRUM = """func.func @main(%x: tensor<3x30xf32>, %y: tensor<37xf32>)
    -> (tensor<3x30xf32>, tensor<37xf32>, tensor<4x6xf32>) {
  %0 = stablehlo.fft %x, type = RFFT, length = [30] : (tensor<3x30xf32>) -> tensor<3x16xcomplex<f32>>
  %1 = stablehlo.slice %0 [0:3, 0:8] : (tensor<3x16xcomplex<f32>>) -> tensor<3x8xcomplex<f32>>
  %zero = stablehlo.constant dense<(0.0, 0.0)> : tensor<complex<f32>>
  %2 = stablehlo.pad %1, %zero, low = [0, 0], high = [0, 8], interior = [0, 0]
    : (tensor<3x8xcomplex<f32>>, tensor<complex<f32>>) -> tensor<3x16xcomplex<f32>>
  %3 = stablehlo.fft %2, type = IRFFT, length = [30] : (tensor<3x16xcomplex<f32>>) -> tensor<3x30xf32>
  %4 = stablehlo.complex %y, %y : tensor<37xcomplex<f32>>
  %5 = stablehlo.fft %4, type = FFT, length = [37] : (tensor<37xcomplex<f32>>) -> tensor<37xcomplex<f32>>
  %6 = stablehlo.abs %5 : (tensor<37xcomplex<f32>>) -> tensor<37xf32>
  %7 = stablehlo.slice %5 [0:24] : (tensor<37xcomplex<f32>>) -> tensor<24xcomplex<f32>>
  %8 = stablehlo.reshape %7 : (tensor<24xcomplex<f32>>) -> tensor<4x6xcomplex<f32>>
  %9 = stablehlo.fft %8, type = IFFT, length = [4, 6] : (tensor<4x6xcomplex<f32>>) -> tensor<4x6xcomplex<f32>>
  %10 = stablehlo.imag %9 : (tensor<4x6xcomplex<f32>>) -> tensor<4x6xf32>
  return %3, %6, %10 : tensor<3x30xf32>, tensor<37xf32>, tensor<4x6xf32>
}"""

PROGRAMS = {
    "mlp": (MLP, lambda: [random(7, 2, 24)], [np.zeros((2, 10), F)]),
    "convnet": (CONVNET, lambda: [random(8, 1, 12, 12, 3)], [np.zeros((1, 5), F)]),
    "int8": (INT8, lambda: [whole(10, 1, 10, 10, 2), whole(11, 1, 6)], [np.zeros((1, 6), np.int8)]),
    "gated": (GATED, lambda: [whole(15, 6, 20)], [np.zeros((2, 4), np.int8)]),
    "residual": (RESIDUAL, lambda: [whole(17, 6, 4)], [np.zeros((6, 4), np.int8), np.zeros((6, 4), bool)]),
    "spectrum": (
        SPECTRUM,
        lambda: [random(12, 3, 30), random(13, 37)],
        [np.zeros(shape, F) for shape in ((3, 30), (37,), (4, 6))],
    ),
}


@pytest.mark.parametrize(
    ("name", "board"),
    [
        pytest.param(name, board, id=f"{name}-{board}", marks=() if usual else pytest.mark.ci)
        for name in PROGRAMS
        for board in BOARDS
        for usual in [(name, board) in (("int8", "cortex-m3"), ("spectrum", "cortex-m3"), ("gated", "riscv32"))]
    ],
)
def test_a_board_has_the_bits_of_this_machine(
    name: str, board: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    text, inputs, like = PROGRAMS[name]
    path = tmp_path / "model.mlir"
    path.write_text(text)
    folder = compiled(path, tmp_path / "made", BOARDS[board].target)
    bound = stack_bound(capsys.readouterr().out)
    here, *others = (run_here(compiler, folder, inputs(), like) for compiler in COMPILERS)
    found, used = run_on(BOARDS[board], folder, inputs(), like)
    for other in (found, *others):
        assert [a.tobytes() for a in other] == [a.tobytes() for a in here]
    # The compiler's own functions for floats take a little more.
    assert 0 < used <= bound + COMPILERS_OWN
    expected = hlo2tiny.load(path, device="CPU").numpy(*inputs())
    for a, b in zip(here, expected):
        if a.dtype == F:
            np.testing.assert_allclose(a, b, rtol=2e-5, atol=2e-6)
        else:
            assert np.abs(a.astype(int) - b.astype(int)).max() <= 1
            assert len(np.unique(a)) > (1 if a.dtype == bool else 3)


@pytest.mark.sampled(4, ci=4)
@pytest.mark.ci
@pytest.mark.parametrize("board", ["cortex-m3", "riscv32"])
@pytest.mark.parametrize("name", list(PROGRAMS))
def test_the_makefile_builds_the_same_bits(name: str, board: str, tmp_path: Path) -> None:
    text, inputs, like = PROGRAMS[name]
    target = BOARDS[board].target
    compiler = SYSTEMS[target].compiler
    if not shutil.which(compiler):
        pytest.skip(f"no compiler of this language: {compiler}")
    folder = written(text, tmp_path, target, "--emit", "c")
    subprocess.run(["make", "-s", "-C", folder, "CFLAGS=-Werror -Wall"], check=True)
    found, _ = run_on(BOARDS[board], folder, inputs(), like)
    here = run_here(COMPILERS[0], folder, inputs(), like)
    assert [a.tobytes() for a in found] == [a.tobytes() for a in here]


# Frames of __adddf3 and the like, and of the test's own functions.
COMPILERS_OWN = 256


def written(text: str, folder: Path, target: str = "bare-arm", *options: str) -> Path:
    path = folder / "model.mlir"
    path.write_text(text)
    return compiled(path, folder / "made", target, *options)


def members(archive: Path, folder: Path) -> list[Object]:
    """The object files of a library."""
    folder.mkdir()
    subprocess.run([zig.command(), "ar", "x", archive], cwd=folder, check=True)
    return [Object(path.read_bytes()) for path in sorted(folder.glob("*.o"))]


@pytest.mark.parametrize("text", [INT8, GATED, RESIDUAL], ids=["int8", "gated", "residual"])
@pytest.mark.parametrize("target", ["bare-arm", "bare-riscv32"])
def test_integers_need_no_function_of_floats_and_no_division(target: str, text: str, tmp_path: Path) -> None:
    folder = written(text, tmp_path, target)
    objects = members(folder / "libmodel.a", tmp_path / "objects")
    defined = {name for o in objects for name in o.defined}
    called = {name for o in objects for name in o.undefined} - defined
    assert {name.removeprefix("__aeabi_") for name in called} <= EXPECTED
    assert "integers only" in (folder / "model.h").read_text()
    # And tables of 8-bit numbers.
    weights = {INT8: 3 * 3 * 2 * 4 + 64 * 6, GATED: 20 * 8 + 2 * 256, RESIDUAL: 4 * 4 + 256}[text]
    assert sum(o.size("constant") for o in objects) >= weights


def test_floats_that_are_left_are_named(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = written(
        "!h = !quant.uniform<i16:f32, 0.002:7>\nfunc.func @main(%x: tensor<3x!h>) -> tensor<3x!h> {\n"
        "  %0 = stablehlo.power %x, %x : tensor<3x!h>\n  return %0 : tensor<3x!h>\n}",
        tmp_path,
        "bare-arm",
        "--emit",
        "c",
    )
    said = (
        "model.mlir:3:8: floats compute stablehlo.power of quantized numbers; for integers alone, use numbers of 8 bits"
    )
    assert said in capsys.readouterr().out
    assert "floats, and integers" in (folder / "model.h").read_text()


def test_floats_need_the_compilers_own_functions_alone(tmp_path: Path) -> None:
    folder = written(CONVNET, tmp_path)
    model, weights = members(folder / "libmodel.a", tmp_path / "objects")
    assert "float" in (folder / "model.h").read_text()
    called = model.undefined - weights.defined - EXPECTED
    assert "__aeabi_fadd" in called
    assert not [name for name in called if not name.startswith("__aeabi_") or "divmod" in name or "idiv" in name]
    assert model.size("static") <= 16384 and model.size("code") < 8192
    assert weights.size("code") == weights.size("static") == 0


DONATED = """func.func @main(%x: tensor<3xf32> loc("x"), %a: tensor<3xf32> {tf.aliasing_output = 0 : i32} loc("a"),
    %b: tensor<2x2xi32> {tf.aliasing_output = 1 : i32} loc("b"), %on: tensor<3xi1>)
    -> (tensor<3xf32>, tensor<2x2xi32>) {
  %0 = stablehlo.add %x, %a : tensor<3xf32>
  %1 = stablehlo.select %on, %0, %a : tensor<3xi1>, tensor<3xf32>
  %2 = stablehlo.transpose %b, dims = [1, 0] : (tensor<2x2xi32>) -> tensor<2x2xi32>
  return %1, %2 : tensor<3xf32>, tensor<2x2xi32>
}"""
CALLER = """#include "model.h"
int printf(const char *format, ...);
int main(void) {
  const float x[] = {1, 2, 3};
  float a[] = {10, 20, 30};
  int32_t b[] = {1, 2, 3, 4};
  const int8_t on[] = {1, 0, 7};
  model_run(x, a, b, (const void *)on);
  model_run(x, a, b, (const void *)on);
  model_run(x, a, b, (const void *)on);
  printf("%g %g %g %d %d %d %d", a[0], a[1], a[2], (int)b[0], (int)b[1], (int)b[2], (int)b[3]);
}
"""


@pytest.mark.parametrize("compiler", COMPILERS)
def test_donated_inputs_are_updated(compiler: str, tmp_path: Path) -> None:
    folder = written(DONATED, tmp_path, "bare-arm", "--emit", "c")
    assert not (folder / "libmodel.a").exists()
    (folder / "main.c").write_text(CALLER)
    make = ["make", "-s", "-C", folder, f"CC={compiler}", "AR=ar", "PROCESSOR=", "CFLAGS=-Werror -Wall"]
    subprocess.run(make, check=True)
    subprocess.run([*compiler.split(), folder / "main.c", folder / "libmodel.a", "-o", folder / "main"], check=True)
    assert subprocess.run([folder / "main"], capture_output=True, text=True, check=True).stdout == "13 20 39 1 3 2 4"


@pytest.mark.skipif(not shutil.which("gcc"), reason="zig's linker wants all that a shared library needs")
@pytest.mark.parametrize(("end", "dtype", "bits"), [("f", np.float32, np.uint32), ("", np.float64, np.uint64)])
def test_roots_and_whole_parts_are_exact(end: str, dtype: type, bits: type, tmp_path: Path) -> None:
    number = "double" if dtype is np.float64 else "float"
    loop = "void all_{0}({1} *x, long size) {{ for (long i = 0; i < size; i++) x[i] = model_{0}{2}(x[i]); }}\n"
    text = TYPES_TEXT + rounding_text() + "".join(loop.format(name, number, end) for name in ("sqrt", "trunc"))
    (tmp_path / "rounding.c").write_text(text)
    subprocess.run(["gcc", "-O2", "-shared", "-fPIC", tmp_path / "rounding.c", "-o", tmp_path / "all.so"], check=True)
    library = ctypes.CDLL(str(tmp_path / "all.so"))
    random_bits = np.random.default_rng(0).integers(0, np.iinfo(bits).max, 200_000, bits, endpoint=True)
    small = np.arange(2000).astype(bits)  # subnormal numbers
    special = np.array([0.0, -0.0, 1, 2, 4, 0.5, -0.5, 1.5, -2.5, np.inf, -np.inf, np.nan, np.finfo(dtype).max], dtype)
    numbers = np.concatenate([random_bits.view(dtype), small.view(dtype), special, np.arange(5000).astype(dtype) ** 2])
    for name, expected in (("sqrt", np.sqrt), ("trunc", np.trunc)):
        found = numbers.copy()
        getattr(library, f"all_{name}")(found.ctypes.data_as(ctypes.c_void_p), ctypes.c_long(found.size))
        with np.errstate(invalid="ignore"):
            wanted = expected(numbers)
        valid = ~np.isnan(wanted)
        np.testing.assert_array_equal(np.isnan(found), ~valid)
        np.testing.assert_array_equal(found[valid].view(bits), wanted[valid].view(bits))


CHOLESKY = """func.func @main(%x: tensor<8x8xf32>) -> tensor<8x8xf32> {
  %0 = stablehlo.cholesky %x, lower = true : tensor<8x8xf32>
  return %0 : tensor<8x8xf32>
}"""
LARGE = """func.func @main(%x: tensor<f32>) -> tensor<40000x40000xf32> {
  %0 = stablehlo.broadcast_in_dim %x, dims = [] : (tensor<f32>) -> tensor<40000x40000xf32>
  return %0 : tensor<40000x40000xf32>
}"""
OPEN = """func.func @main(%x: tensor<?x3xf32>) -> tensor<?x3xf32> {
  %0 = stablehlo.add %x, %x : tensor<?x3xf32>
  return %0 : tensor<?x3xf32>
}"""
REFUSED = [
    (CHOLESKY, (), "LAPACK computes this op, but bare-arm has none; compute this part outside the exported function"),
    (LARGE, (), "the program needs 6,400,000,004 bytes of memory, but bare-arm has at most 4,294,967,296"),
    (OPEN, (), "--shape"),
    (MLP, ("--emit", "executable"), "bare-arm has no executables"),
]


@pytest.mark.parametrize(("text", "options", "message"), REFUSED, ids=["host", "memory", "shape", "executable"])
def test_what_a_processor_lacks_is_refused_before_anything_is_written(
    text: str, options: tuple[str, ...], message: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path, folder = tmp_path / "model.mlir", tmp_path / "made"
    path.write_text(text)
    assert main(["compile", str(path), "-o", str(folder), "--target", "bare-arm", *options]) == 1
    assert message in capsys.readouterr().err
    assert not folder.exists()


@pytest.mark.ci
def test_the_guide_has_the_sizes_of_these_programs(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Code and stack depend on the compiler's version a little; constants and static memory are as planned."""
    guide = (Path(__file__).parents[3] / "docs" / "guides" / "bare.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\|.*\| (?:Cortex-M3|RV32) \| (.*) \|$", guide, re.MULTILINE)
    listed = [[int(n.replace(",", "")) for n in row.split(" | ")] for row in rows]
    for i, (text, _, _) in enumerate(PROGRAMS.values()):
        for j, target in enumerate(("bare-arm", "bare-riscv32")):
            (folder := tmp_path / f"{i}{j}").mkdir()
            written(text, folder, target)
            said = capsys.readouterr().out.splitlines()[-1]
            code, constants, static, stack = (int(n.replace(",", "")) for n in re.findall(r"\d[\d,]*\d|\d", said))
            assert [constants, static] == listed[2 * i + j][1:3], said
            assert [code, stack] == pytest.approx([listed[2 * i + j][k] for k in (0, 3)], rel=0.15), said


# One is refused, and those with large batches take minutes on one thread without vectors.
SLOW = re.compile("convnet|resnet|mnist|torchax|linear_algebra")


@pytest.mark.sampled(24, ci=12)
@pytest.mark.parametrize("entry", [e for e in ENTRIES if not SLOW.search(e.name)], ids=lambda entry: entry.name)
def test_the_corpus_without_vectors(entry: Entry, tmp_path: Path) -> None:
    """The numbers of all kinds of programs in the C of a bare target, compiled for this machine."""
    folder = compiled(entry.path, tmp_path / "made", "bare-riscv32", "--emit", "c")
    entry.check(tuple(run_here(COMPILERS[-1], folder, entry.inputs(), entry.results())))
