"""Programs as folders of C: built by clang and by gcc without a warning, and run, for the whole corpus."""

from __future__ import annotations

import ctypes
import shlex
import shutil
import subprocess
import sys
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import ml_dtypes
import numpy as np
import pytest
from compiled import run_make

import hlo2tiny
from corpus import BY_NAME, ENTRIES, Entry
from hlo2tiny.cli import main
from hlo2tiny.formats import safetensors
from hlo2tiny.machine.compiler import zig_clang
from hlo2tiny.machine.libraries import openblas

# zig's own command, which knows where C's headers and libraries are, traps where behaviour is undefined.
CLANG = f"{zig_clang()[0]} cc -fno-sanitize=undefined"
COMPILERS = [CLANG, *(["gcc"] if shutil.which("gcc") else [])]
LAPACK = "linear_algebra"


def compiled(model: Path, folder: Path) -> Path:
    assert main(["compile", str(model), "-o", str(folder)]) == 0
    return folder


def built(folder: Path, compiler: str, *options: str, target: str = "model") -> Path:
    command = ["make", f"CC={compiler}", "OPTIMISE=-O1 -march=native", "CFLAGS=-Werror", *options]
    subprocess.run([*command, "clean"], cwd=folder, check=True, capture_output=True)
    made = run_make([*command, target], folder)
    assert made.returncode == 0, made.stderr[-4000:]
    return folder / target


def run(program: Path, inputs: list[np.ndarray], like: list[np.ndarray]) -> list[np.ndarray]:
    """The results of a program's process on arrays, read as the dtypes of those that are expected."""
    folder = program.parent
    for i, array in enumerate(inputs):
        np.save(folder / f"in{i}.npy", array)
    files = [str(folder / f"in{i}.npy") for i in range(len(inputs))]
    subprocess.run([str(program), "-o", str(folder), *files], check=True, capture_output=True, text=True)
    results = [np.load(folder / f"out{i}.npy") for i in range(len(like))]
    return [r.view(e.dtype) if r.dtype.kind == "V" else r for r, e in zip(results, like)]


@pytest.mark.sampled(40, ci=8, first=1)
@pytest.mark.parametrize("entry", [e for e in ENTRIES if e.name != LAPACK], ids=lambda entry: entry.name)
def test_corpus_gives_the_same_numbers(entry: Entry, tmp_path: Path) -> None:
    program = hlo2tiny.load(entry.path, device="CPU")
    inputs, expected = entry.inputs(), program.numpy(*entry.inputs())
    folder = compiled(entry.path, tmp_path / "c")
    ordered = (
        not any((folder / name).exists() for name in ("gemm.c", "product.c", "convolve.c"))
        and "reassociate" not in (folder / "program.c").read_text()
    )
    for compiler in COMPILERS:
        found = run(built(folder, compiler), inputs, list(expected))
        entry.check(tuple(found))
        for f, e in zip(found, expected):
            if ordered or e.dtype.kind in "biu":
                np.testing.assert_array_equal(f, e)


TYPES = """func.func @main(
    %a: tensor<2x0xf32> loc("*/ int x; /*"), %b: tensor<3xcomplex<f64>> loc("\\22;\\0A#error ??/"), %c: tensor<2xbf16>,
    %d: tensor<i1>, %e: tensor<4xi4>, %f: tensor<2xf8E4M3FN>, %g: tensor<!quant.uniform<i8:f32, 0.5>>)
    -> (tensor<2x0xf32>, tensor<3xcomplex<f64>>, tensor<2xbf16>, tensor<i1>, tensor<4xi4>, tensor<2xf8E4M3FN>,
        tensor<!quant.uniform<i8:f32, 0.5>>, tensor<9xi64>, tensor<9xui16>) {
  %k = stablehlo.constant dense<[1, -2, 3, -4, 5, -6, 7, -8, -9223372036854775808]> : tensor<9xi64>
  %l = stablehlo.constant dense<[1, 2, 3, 4, 5, 6, 7, 8, 65535]> : tensor<9xui16>
  %0 = stablehlo.multiply %b, %b : tensor<3xcomplex<f64>>
  %1 = stablehlo.add %c, %c : tensor<2xbf16>
  %2 = stablehlo.not %d : tensor<i1>
  %3 = stablehlo.add %e, %e : tensor<4xi4>
  %4 = stablehlo.negate %f : tensor<2xf8E4M3FN>
  %5 = stablehlo.add %g, %g : tensor<!quant.uniform<i8:f32, 0.5>>
  return %a, %0, %1, %2, %3, %4, %5, %k, %l : tensor<2x0xf32>, tensor<3xcomplex<f64>>, tensor<2xbf16>, tensor<i1>,
    tensor<4xi4>, tensor<2xf8E4M3FN>, tensor<!quant.uniform<i8:f32, 0.5>>, tensor<9xi64>, tensor<9xui16>
}
"""


class CTensor(ctypes.Structure):
    """`struct model_tensor` of model.h."""

    _fields_ = (
        ("name", ctypes.c_char_p),
        ("dtype", ctypes.c_char_p),
        ("element_size", ctypes.c_size_t),
        ("rank", ctypes.c_size_t),
        ("shape", ctypes.POINTER(ctypes.c_size_t)),
        ("size", ctypes.c_size_t),
    )


class Info(ctypes.Structure):
    """`struct model_info` of model.h."""

    _fields_ = (
        ("input_count", ctypes.c_size_t),
        ("output_count", ctypes.c_size_t),
        ("inputs", ctypes.POINTER(CTensor)),
        ("outputs", ctypes.POINTER(CTensor)),
    )


def addresses(arrays: Sequence[np.ndarray]) -> ctypes.Array[ctypes.c_void_p]:
    return (ctypes.c_void_p * len(arrays))(*(a.ctypes.data for a in arrays))


class Library:
    """A program's shared library, called through model.h."""

    def __init__(self, path: Path) -> None:
        self.functions = ctypes.CDLL(str(path))
        self.functions.model_describe.restype = ctypes.POINTER(Info)
        self.functions.model_error.restype = ctypes.c_char_p
        self.info = self.functions.model_describe().contents

    def create(self, weights: Path | None = None, threads: int = 0) -> ctypes.c_void_p | int:
        """A new context, or the code of an error."""
        context = ctypes.c_void_p()
        path = None if weights is None else str(weights).encode()
        code = self.functions.model_create(ctypes.byref(context), path, threads)
        assert bool(code) != bool(context)
        return code or context

    def run(
        self, context: ctypes.c_void_p | int, inputs: Sequence[np.ndarray | None], outputs: Sequence[np.ndarray]
    ) -> int:
        given = (ctypes.c_void_p * len(inputs))(*(None if a is None else a.ctypes.data for a in inputs))
        code: int = self.functions.model_run_arrays(context, given, addresses(outputs))
        return code

    def error(self, code: int) -> str:
        text: bytes = self.functions.model_error(code)
        return text.decode()


def written(text: str, folder: Path) -> Path:
    (folder / "model.mlir").write_text(text)
    return folder / "model.mlir"


def test_every_kind_of_type_and_names_that_are_not_c(tmp_path: Path) -> None:
    model = written(TYPES, tmp_path)
    inputs = [
        np.zeros((2, 0), np.float32),
        np.array([1 + 2j, -3j, 4]),
        np.array([1.5, -2], ml_dtypes.bfloat16),
        np.array(True),
        np.array([-8, -1, 3, 7], ml_dtypes.int4),
        np.array([0.5, -448], ml_dtypes.float8_e4m3fn),
        np.array(-5, np.int8),
    ]
    expected = hlo2tiny.load(model, device="CPU").numpy(*inputs)
    folder = compiled(model, tmp_path / "c")
    inputs[4] = inputs[4].astype(np.int8)
    for compiler in COMPILERS:
        for f, e in zip(run(built(folder, compiler), inputs, list(expected)), expected, strict=True):
            np.testing.assert_array_equal(f, e)
    info = Library(built(folder, CLANG, target="libmodel.so")).info
    found = [info.inputs[i] for i in range(info.input_count)]
    assert [t.name for t in found[:3]] == [b"*/ int x; /*", b'";\n#error ??/', b""]
    assert [t.dtype.decode() for t in found] == ["f32", "complex<f64>", "bf16", "i1", "i4", "f8E4M3FN", "i8"]
    assert [(t.rank, t.element_size, t.size) for t in found] == [
        (2, 4, 0), (1, 16, 48), (1, 2, 4), (0, 1, 1), (1, 1, 4), (1, 1, 2), (0, 1, 1)
    ]  # fmt: skip
    assert [found[0].shape[0], found[0].shape[1], found[1].shape[0], info.output_count] == [2, 0, 3, 9]


def test_weights_are_found_and_must_be_the_programs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = compiled(written(TYPES, tmp_path), tmp_path / "c")
    library = Library(built(folder, CLANG, target="libmodel.so"))
    info = library.info
    inputs = [np.zeros(info.inputs[i].size + 1, np.uint8) for i in range(info.input_count)]
    outputs = [np.zeros(info.outputs[i].size + 1, np.uint8) for i in range(info.output_count)]
    weights = (folder / "weights.safetensors").read_bytes()
    arrays = safetensors.read(folder / "weights.safetensors")
    assert sorted(a.nbytes for a in arrays.values()) == [18, 72]
    assert library.error(library.create(tmp_path / "other")) == "the file of the weights cannot be read"
    for wrong in (weights[:-1], weights + b"0", weights.replace(b"compile: ", b"compile; ")):
        (tmp_path / "other").write_bytes(wrong)
        assert "belongs to another program or is truncated" in library.error(library.create(tmp_path / "other"))
    monkeypatch.chdir(folder)
    context = library.create()
    assert library.run(context, inputs, outputs) == 0
    assert outputs[7][:72].view(np.int64).tolist() == [1, -2, 3, -4, 5, -6, 7, -8, -(2**63)]
    for byte, other in ((0, 1), (1, 0), (2, 0), (255, 0)):  # any but 0 is true
        inputs[3][0] = byte
        assert library.run(context, inputs, outputs) == 0
        assert outputs[3][0] == other
    assert library.run(context, [None, *inputs[1:]], outputs) == 0  # it has no elements
    assert "a pointer is null" in library.error(library.run(context, [inputs[0], None, *inputs[2:]], outputs))
    library.functions.model_destroy(context)
    library.functions.model_destroy(None)


def test_each_thread_has_a_context(tmp_path: Path) -> None:
    entry = BY_NAME["flax_convnet"]
    folder = compiled(entry.path, tmp_path / "c")
    library = Library(built(folder, CLANG, target="libmodel.so"))
    inputs, like = entry.inputs(), entry.results()

    def repeated(threads: int) -> list[np.ndarray]:
        context = library.create(folder / "weights.safetensors", threads)
        for _ in range(6):
            outputs = [np.empty_like(r) for r in like]
            assert library.run(context, inputs, outputs) == 0
        library.functions.model_destroy(context)
        return outputs

    with ThreadPoolExecutor(4) as pool:
        results = list(pool.map(repeated, (1, 3, 1, 3)))
    for outputs in results:
        entry.check(tuple(outputs))
        for one, other in zip(outputs, results[0]):
            np.testing.assert_array_equal(one, other)


DONATED = """func.func @main(%c: tensor<4x2xf32> {tf.aliasing_output = 1 : i32}, %x: tensor<1x2xf32>, %i: tensor<i32>)
    -> (tensor<f32>, tensor<4x2xf32>) {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %one = stablehlo.constant dense<1.0> : tensor<f32>
  %0 = stablehlo.dynamic_update_slice %c, %x, %i, %zero
    : (tensor<4x2xf32>, tensor<1x2xf32>, tensor<i32>, tensor<i32>) -> tensor<4x2xf32>
  return %one, %0 : tensor<f32>, tensor<4x2xf32>
}
"""


def test_a_donated_input_is_updated_where_it_lies(tmp_path: Path) -> None:
    folder = compiled(written(DONATED, tmp_path), tmp_path / "c")
    header = (folder / "model.h").read_text()
    assert "   result 1 may be in the memory of input 0\n" in header
    assert "float *input0, /* input 0, which becomes result 1: f32[4, 2] */" in header
    library = Library(built(folder, CLANG, target="libmodel.so"))
    context = library.create(folder / "weights.safetensors")
    one, cache, x = np.zeros((), "f4"), np.zeros((4, 2), "f4"), np.ones((1, 2), "f4")
    for i in range(2):
        assert library.run(context, [cache, x, np.array(i, "i4")], [one, cache]) == 0
    arguments = [cache, x, np.array(2, "i4"), one]
    assert library.functions.model_run(context, *(ctypes.c_void_p(a.ctypes.data) for a in arguments)) == 0
    apart = np.empty_like(cache)
    assert library.run(context, [cache, x, np.array(3, "i4")], [one, apart]) == 0
    assert (cache[:, 0].tolist(), apart[:, 0].tolist()) == ([1, 1, 1, 0], [1, 1, 1, 1])


# A state that is computed out of all of itself, so that nothing can be written over it before the end.
ROTATED = """func.func @main(%a: tensor<5xf32> {tf.aliasing_output = 1 : i32}, %x: tensor<f32>,
    %b: tensor<5xf32> {jax.buffer_donor = true}) -> (tensor<5xf32>, tensor<5xf32>, tensor<5xf32>) {
  %0 = stablehlo.broadcast_in_dim %x, dims = [] : (tensor<f32>) -> tensor<5xf32>
  %1 = stablehlo.add %b, %0 : tensor<5xf32>
  %2 = stablehlo.reverse %a, dims = [0] : tensor<5xf32>
  return %2, %1, %a : tensor<5xf32>, tensor<5xf32>, tensor<5xf32>
}
"""


def test_a_donated_input_that_no_step_can_update_is_one_parameter_too(tmp_path: Path) -> None:
    folder = compiled(written(ROTATED, tmp_path), tmp_path / "c")
    header, text = (folder / "model.h").read_text(), (folder / "model.c").read_text()
    assert "COPIED = 0 " not in text
    assert "float *input0, /* input 0, which becomes result 1: f32[5] */" in header
    assert "float *input2, /* input 2, which becomes result 0: f32[5] */" in header
    library = Library(built(folder, CLANG, target="libmodel.so"))
    context = library.create(None)
    a, b, x = np.arange(5, dtype="f4"), np.arange(10, 15, dtype="f4"), np.array(100, "f4")
    old = np.empty_like(a)
    for _ in range(2):
        first, second = a.copy(), b.copy()
        assert (
            library.functions.model_run(context, *(ctypes.c_void_p(array.ctypes.data) for array in (a, x, b, old))) == 0
        )
        assert (a.tolist(), b.tolist()) == ((second + 100).tolist(), first[::-1].tolist())
        assert old.tolist() == first.tolist()
    apart = [np.empty_like(a) for _ in range(3)]
    assert library.run(context, [first, x, second], apart) == 0
    assert [array.tolist() for array in apart] == [b.tolist(), a.tolist(), old.tolist()]
    library.functions.model_destroy(context)


def test_the_headers_are_of_the_standards_that_they_name(tmp_path: Path) -> None:
    folder = compiled(written(TYPES, tmp_path), tmp_path / "c")
    strict = ("-pedantic", "-Wall", "-Wextra", "-Wconversion", "-Werror", "-c", "-o", "tried.o")
    zig = CLANG.split()[0]
    compilers = [
        ((zig, "cc"), (zig, "c++")),
        *[(("gcc",), ("g++",))] * bool(shutil.which("gcc") and shutil.which("g++")),
    ]
    for name, command in (
        trial
        for c, cpp in compilers
        for trial in (
            ("a.c", (*c, "-std=c99", "-Wc++-compat", "-Wstrict-prototypes")),
            ("a.cpp", (*cpp, "-std=c++11")),
            ("b.cpp", (*cpp, "-std=c++20")),
        )
    ):
        header = "model.hpp" if name == "b.cpp" else "model.h"
        (folder / name).write_text(f'#include "{header}"\n#include "{header}"\nint main(void) {{ return 0; }}\n')
        done = subprocess.run([*command, *strict, name], cwd=folder, capture_output=True, text=True)
        assert not done.returncode, done.stderr


COMPLEX = """func.func @main(%x: tensor<40x50xcomplex<f32>>, %y: tensor<50x30xcomplex<f32>>)
    -> tensor<40x30xcomplex<f32>> {
  %0 = stablehlo.dot %x, %y
    : (tensor<40x50xcomplex<f32>>, tensor<50x30xcomplex<f32>>) -> tensor<40x30xcomplex<f32>>
  return %0 : tensor<40x30xcomplex<f32>>
}
"""


@pytest.mark.skipif(not shutil.which("gcc"), reason="zig's linker wants all that a shared library needs")
def test_products_by_a_blas(tmp_path: Path) -> None:
    random = np.random.RandomState(0)
    x, y = (random.standard_normal((*s, 2)).astype(np.float32).view(np.complex64)[..., 0] for s in ((40, 50), (50, 30)))
    folder = compiled(written(COMPLEX, tmp_path), tmp_path / "c")
    for options in ((), openblas_options()):
        program = built(folder, "gcc", *options)
        (found,) = run(program, [x, y], [x @ y])
        np.testing.assert_allclose(found, x @ y, rtol=1e-4, atol=1e-5)
        assert (b"scipy_cblas_cgemm" in program.read_bytes()) == bool(options)


def openblas_options() -> tuple[str, str]:
    library = Path(openblas()._name)
    names = "'-DCBLAS(name)=scipy_cblas_##name' '-DLAPACK(name)=scipy_##name##_'"
    return f"CPPFLAGS={names}", f"BLAS={library} -Wl,-rpath,{library.parent}"


@pytest.mark.ci
@pytest.mark.skipif(not shutil.which("gcc"), reason="zig's linker wants all that a shared library needs")
def test_lapack_of_a_library(tmp_path: Path) -> None:
    entry = BY_NAME[LAPACK]
    folder = compiled(entry.path, tmp_path / "c")
    made = subprocess.run(["make", "-C", str(folder), "CC=gcc"], capture_output=True, text=True, check=False)
    assert made.returncode and "this program calls LAPACK: make BLAS=-lopenblas" in made.stderr
    entry.check(tuple(run(built(folder, "gcc", *openblas_options()), entry.inputs(), list(entry.results()))))


LARGE = """func.func @main(%x: tensor<f32>) -> tensor<8192x4xf32> {
  %0 = stablehlo.broadcast_in_dim %x, dims = [] : (tensor<f32>) -> tensor<8192x8192xf32>
  %1 = stablehlo.broadcast_in_dim %x, dims = [] : (tensor<f32>) -> tensor<8192x4xf32>
  %2 = stablehlo.dot %0, %1 : (tensor<8192x8192xf32>, tensor<8192x4xf32>) -> tensor<8192x4xf32>
  return %2 : tensor<8192x4xf32>
}
"""


@pytest.mark.skipif(sys.platform != "linux", reason="limits of memory are Linux's")
def test_a_run_without_memory_says_so(tmp_path: Path) -> None:
    folder = compiled(written(LARGE, tmp_path), tmp_path / "c")
    program = built(folder, CLANG)
    limited = f"ulimit -v 200000 && exec {shlex.quote(str(program))}"
    done = subprocess.run(["sh", "-c", limited], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (1, "model: error: not enough memory for the program's working memory\n")


def test_other_files_are_left_alone(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    model, folder = BY_NAME["while_loop"].path, tmp_path / "deep" / "c"
    compiled(model, folder)
    (folder / "notes.txt").write_text("mine")
    compiled(model, folder)  # again: over what it wrote
    assert (folder / "notes.txt").read_text() == "mine"
    (folder / "Makefile").write_text("all:\n")
    (folder / "program.c").unlink()
    assert main(["compile", str(model), "-o", str(folder)]) == 1
    assert "Makefile already exists" in capsys.readouterr().err
    assert (folder / "Makefile").read_text() == "all:\n" and not (folder / "program.c").exists()
    assert main(["compile", str(model), "-o", str(folder / "notes.txt")]) == 1
    assert "notes.txt is a file, expected a folder" in capsys.readouterr().err
    (folder / "Makefile").unlink()
    (folder / "Makefile").symlink_to(folder / "notes.txt")
    assert main(["compile", str(model), "-o", str(folder)]) == 1
    assert (folder / "notes.txt").read_text() == "mine"
    (tmp_path / "theirs").mkdir()
    (tmp_path / "theirs" / "notes.txt").write_text("mine")
    assert main(["compile", str(model), "-o", str(tmp_path / "theirs")]) == 1
    assert "theirs is not empty and was not written by hlo2tiny compile" in capsys.readouterr().err
    assert [path.name for path in (tmp_path / "theirs").iterdir()] == ["notes.txt"]


OPEN = """func.func @main(%x: tensor<?x3xf32> loc("x")) -> tensor<?x3xf32> {
  %0 = stablehlo.add %x, %x : tensor<?x3xf32>
  return %0 : tensor<?x3xf32>
}
"""


def test_a_given_shape_has_to_fit(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    model = written(OPEN, tmp_path)
    assert main(["compile", str(model), "-o", str(tmp_path / "c"), "--shape", "x=2,4"]) == 1
    assert "of shape [2, 4], expected float32[?, 3]" in capsys.readouterr().err
    assert not (tmp_path / "c").exists()
    assert main(["compile", str(model), "-o", str(tmp_path / "c"), "--shape", "x=2,3"]) == 0
    (found,) = run(built(tmp_path / "c", CLANG), [np.ones((2, 3), np.float32)], [np.ones((2, 3), np.float32)])
    np.testing.assert_array_equal(found, np.full((2, 3), 2))


def test_a_program_refuses_files_that_do_not_fit(tmp_path: Path) -> None:
    program = built(compiled(BY_NAME["fori_loop"].path, tmp_path / "c"), CLANG)
    like = BY_NAME["fori_loop"].inputs()[0]
    wrong = {"dtype": like.astype(np.int32), "shape": like[:-1], "order": np.asfortranarray(like)}
    for name, array in wrong.items():
        np.save(tmp_path / f"{name}.npy", array)
        done = subprocess.run([program, tmp_path / f"{name}.npy"], capture_output=True, text=True, check=False)
        assert done.returncode == 1 and "input 0 has another type or shape" in done.stderr, name
    np.save(tmp_path / "cut.npy", like)
    (tmp_path / "cut.npy").write_bytes((tmp_path / "cut.npy").read_bytes()[:-1])
    done = subprocess.run([program, tmp_path / "cut.npy"], capture_output=True, text=True, check=False)
    assert done.returncode == 1 and f"does not hold exactly {like.nbytes} bytes" in done.stderr


UPDATE = """func.func @main(%r: tensor<2x2xf32>, %w: tensor<2xf32>) -> (tensor<2x2xf32>, tensor<2xf32>) {
  %0:2 = stablehlo.custom_call @cu_cholesky_update_ffi(%r, %w)
    : (tensor<2x2xf32>, tensor<2xf32>) -> (tensor<2x2xf32>, tensor<2xf32>)
  return %0#0, %0#1 : tensor<2x2xf32>, tensor<2xf32>
}
"""


def test_what_runs_in_python_is_refused_before_anything_is_written(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["compile", str(written(UPDATE, tmp_path)), "-o", str(tmp_path / "c")]) == 1
    message = capsys.readouterr().err
    assert "model.mlir:2:" in message and "stablehlo.custom_call: cu_cholesky_update_ffi" in message
    assert "runs in Python" in message
    assert not (tmp_path / "c").exists()
