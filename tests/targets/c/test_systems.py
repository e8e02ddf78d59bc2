"""Libraries and executables for other systems: run by emulators where there is one, otherwise linked and inspected."""

from __future__ import annotations

import ctypes
import os
import re
import shutil
import struct
import subprocess
from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np
import pytest
from targets.c.emulators import RUNNERS, run_executable
from targets.c.test_folder import CLANG, Library

from corpus import BY_NAME, ENTRIES, Entry
from hlo2tiny.cli import main
from hlo2tiny.machine import zig
from hlo2tiny.targets.c import systems, windows
from hlo2tiny.targets.c.systems import VARIANTS
from hlo2tiny.targets.c.templates import template

EXAMPLES = Path(__file__).parents[3] / "docs" / "examples"
pytestmark = pytest.mark.timeout(900)  # the first link for Linux or WASI builds a C library, too
# LAPACK is refused: see test_what_a_target_lacks_is_named.
RUNNABLE = [entry for entry in ENTRIES if entry.name != "linear_algebra"]
# Programs for CI: convolutions in NEON, products in all variants and merged bits, and integers on 32 bits.
SAMPLE = {"aarch64-linux": "conv_variants", "x86_64-windows": "gpt_decoder", "wasm32-wasi": "int_ops"}


def compiled(model: Path, folder: Path, target: str, *options: str) -> Path:
    assert main(["compile", str(model), "-o", str(folder), "--target", target, *options]) == 0
    return folder


def cases() -> list[object]:
    return [
        pytest.param(target, entry, id=f"{target}-{entry.name}", marks=() if sampled else pytest.mark.night)
        for target in RUNNERS
        for entry in RUNNABLE
        for sampled in [entry.name == SAMPLE.get(target)]
    ]


@pytest.mark.ci
@pytest.mark.parametrize(("target", "entry"), cases())
def test_corpus_on_other_systems(target: str, entry: Entry, tmp_path: Path) -> None:
    folder = compiled(entry.path, tmp_path / "made", target, "--emit", "executable")
    if RUNNERS[target] and not shutil.which(RUNNERS[target][0]):
        pytest.skip(f"compiled, but there is no emulator: {RUNNERS[target][0]}")
    entry.check(tuple(run_executable(RUNNERS[target], folder, entry.inputs(), entry.results())))


@pytest.mark.night
@pytest.mark.parametrize("processor", ["Nehalem", "Haswell"])
def test_a_program_chooses_code_for_its_processor(processor: str, tmp_path: Path) -> None:
    if not shutil.which("qemu-x86_64-static"):
        pytest.skip("no emulator: qemu-x86_64-static")
    entry = BY_NAME["flax_convnet"]
    folder = compiled(entry.path, tmp_path / "made", "x86_64-linux", "--emit", "executable")
    runner = ["qemu-x86_64-static", "-cpu", processor]
    entry.check(tuple(run_executable(runner, folder, entry.inputs(), entry.results())))


# Bits of processors: what CPUID tells in a leaf and its part, and which registers the system saves.
FIRST = 1 << 12 | 1 << 22 | 1 << 27 | 1 << 28 | 1 << 29
SECOND = 1 << 3 | 1 << 5 | 1 << 8
THIRD = 1 << 16 | 1 << 17 | 1 << 28 | 1 << 30 | 1 << 31
HASWELL = {"top": 7, "first": FIRST, "zeros": 1 << 5, "features": SECOND, "parts": 0, "more": 0, "saved": 7, "bytes": 0}
SKYLAKE = HASWELL | {"features": SECOND | THIRD, "saved": 0xE7}
COOPER = SKYLAKE | {"parts": 1, "more": 1 << 5, "bytes": 1 << 11}
CHOICES = [
    (HASWELL | {"top": 5}, "baseline"),
    (HASWELL | {"first": FIRST - (1 << 28)}, "baseline"),
    (HASWELL | {"zeros": 0}, "baseline"),
    (HASWELL | {"saved": 3}, "baseline"),
    (HASWELL, "avx2"),
    (SKYLAKE | {"saved": 7}, "avx2"),
    (SKYLAKE | {"features": SECOND | THIRD - (1 << 17)}, "avx2"),
    (SKYLAKE, "avx512"),
    (SKYLAKE | {"parts": 1}, "avx512"),
    (SKYLAKE | {"more": 1 << 5}, "avx512"),  # a part that this processor does not have
    (COOPER, "avx512bf16"),
    (COOPER | {"saved": 7}, "avx2"),
    (COOPER | {"bytes": 0}, "avx512"),
]


def test_the_choice_of_code(tmp_path: Path) -> None:
    """The function of model.c, with made-up answers of the processor."""
    text = re.search(r"(?ms)^static const struct model_code \*chosen_code.*?^}", template("model.c"))
    assert text is not None
    code, asked = re.subn(
        r"__asm__ volatile\(.cpuid.*", "told(leaf, part, &a, &b, &c, &d)", text[0].replace("static ", "")
    )
    code, saved = re.subn(r"__asm__ volatile\(.xgetbv.*", "low = high = processor[6];", code)
    assert (asked, saved) == (1, 1)
    told = """extern unsigned processor[];
    static void told(unsigned leaf, int part, unsigned *a, unsigned *b, unsigned *c, unsigned *d) {
      *a = leaf ? leaf == 7 ? processor[part ? 5 : 4] : 0 : processor[0];
      *b = leaf == 7 && !part ? processor[3] : 0;
      *c = leaf == 1 ? processor[1] : leaf == 0x80000001u ? processor[2] : leaf == 7 && !part ? processor[7] : 0;
      *d = 0;
    }
    unsigned processor[8];
    """
    levels = "".join(f"static const struct model_code model_code_{v} = {{{i}}};\n" for i, v in enumerate(VARIANTS))
    entry = "int level(void) { return chosen_code()->number; }"
    path = tmp_path / "choice.c"
    path.write_text("\n".join(["struct model_code { int number; };", levels, told, code, entry]))
    subprocess.run([*CLANG.split(), "-w", f"-DMODEL_LEVELS={len(VARIANTS)}", "-shared", "-fPIC", path, "-o",
                    tmp_path / "choice.so"], check=True)  # fmt: skip
    library = ctypes.CDLL(str(tmp_path / "choice.so"))
    for processor, variant in CHOICES:
        bits = [processor[name] for name in ("top", "first", "zeros", "features", "parts", "more", "saved", "bytes")]
        (ctypes.c_uint * 8).in_dll(library, "processor")[:] = bits
        assert list(VARIANTS)[library.level()] == variant, processor


# vdpbf16ps and vpdpbusd, with any registers: the bytes of the instructions, some of whose bits are those numbers.
_SECOND, _BF16_THIRD, _BYTES_THIRD = (
    b"".join(re.escape(bytes([n])) for n in range(256) if n & mask == bits) for mask, bits in ((15, 2), (7, 6), (7, 5))
)
BF16_DOT = re.compile(rb"\x62[%s][%s].\x52" % (_SECOND, _BF16_THIRD), re.DOTALL)
BYTES_DOT = re.compile(rb"\x62[%s][%s].\x50" % (_SECOND, _BYTES_THIRD), re.DOTALL)
PRODUCT_OF_BYTES = """func.func @main(%x: tensor<70x50xi8>, %y: tensor<50x90xui8>) -> tensor<70x90xi32> {
  %0 = stablehlo.dot %x, %y : (tensor<70x50xi8>, tensor<50x90xui8>) -> tensor<70x90xi32>
  return %0 : tensor<70x90xi32>
}"""


@pytest.mark.ci
@pytest.mark.parametrize(
    ("narrow", "instruction"), [("bf16", BF16_DOT), pytest.param("bytes", BYTES_DOT, marks=pytest.mark.night)]
)
def test_code_for_avx512_needs_no_later_processor(narrow: str, instruction: re.Pattern[bytes], tmp_path: Path) -> None:
    entry, path = BY_NAME["bf16_mlp"], tmp_path / "bytes.mlir"
    path.write_text(PRODUCT_OF_BYTES)
    path = entry.path if narrow == "bf16" else path
    folder = compiled(path, tmp_path / "made", "x86_64-linux", "--emit", "library")
    zig.run("ar", ["x", "--output", tmp_path, folder / "libmodel.a"])
    has = {v: bool(instruction.search((tmp_path / f"product-{v}.o").read_bytes())) for v in VARIANTS}
    assert has == {"baseline": False, "avx2": False, "avx512": False, "avx512bf16": True}
    if narrow == "bf16":
        expect_right(entry, folder / "libmodel.so")
        return
    library, random = Library(folder / "libmodel.so"), np.random.default_rng(0)
    x, y = random.integers(-128, 128, (70, 50), np.int8), random.integers(0, 256, (50, 90), np.uint8)
    out = np.empty((70, 90), np.int32)
    context = library.create(None, 2)
    assert library.run(context, [x, y], [out]) == 0
    library.functions.model_destroy(context)
    np.testing.assert_array_equal(out, x.astype(np.int32) @ y.astype(np.int32))


def expect_right(entry: Entry, path: Path) -> None:
    library = Library(path)
    context = library.create(None, 2)
    outputs = [np.empty_like(r) for r in entry.results()]
    assert library.run(context, entry.inputs(), outputs) == 0
    entry.check(tuple(outputs))
    library.functions.model_destroy(context)


@pytest.mark.night
@pytest.mark.parametrize("level", VARIANTS)
def test_each_variant_is_right(level: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    needed = {"baseline": "sse2", "avx2": "avx2", "avx512": "avx512bw", "avx512bf16": "avx512_bf16"}
    if needed[level] not in Path("/proc/cpuinfo").read_text("utf-8").split():
        pytest.skip("another kind of processor")
    monkeypatch.setattr(systems, "VARIANTS", dict.fromkeys(VARIANTS, VARIANTS[level]))  # whatever is chosen
    entry = BY_NAME["bf16_mlp"]
    folder = compiled(entry.path, tmp_path / "made", "x86_64-linux", "--emit", "library")
    expect_right(entry, folder / "libmodel.so")


@pytest.mark.ci
def test_a_library_for_this_system_is_small_and_right(tmp_path: Path) -> None:
    entry = BY_NAME["flax_convnet"]
    folder = compiled(entry.path, tmp_path / "made", "x86_64-linux", "--emit", "library")
    assert (folder / "libmodel.so").stat().st_size <= 391_000
    archive = (folder / "libmodel.a").read_bytes()
    assert all(
        f"model_s{kind}_{v}\0".encode() in archive for kind in ("convolve", "product") for v in list(VARIANTS)[:3]
    )
    expect_right(entry, folder / "libmodel.so")
    compiled(entry.path, folder, "x86_64-linux", "--emit", "library")  # again: over what it wrote
    (folder / "libmodel.so").write_bytes(b"mine")
    assert main(["compile", str(entry.path), "-o", str(folder), "--target", "x86_64-linux", "--emit", "library"]) == 1
    assert (folder / "libmodel.so").read_bytes() == b"mine"


WEIGHTS = """func.func @main(%x: tensor<3xf32>) -> (tensor<3xf32>, tensor<9xi64>) {
  %k = stablehlo.constant dense<[1, -2, 3, -4, 5, -6, 7, -8, -9223372036854775808]> : tensor<9xi64>
  %l = stablehlo.constant dense<[0.5, -1.5, 2.5]> : tensor<3xf32>
  %0 = stablehlo.multiply %x, %l : tensor<3xf32>
  return %0, %k : tensor<3xf32>, tensor<9xi64>
}
"""


@pytest.mark.parametrize("embed", [False, True], ids=["beside", "embedded"])
def test_weights_are_beside_the_library_or_in_it(embed: bool, tmp_path: Path) -> None:
    (tmp_path / "model.mlir").write_text(WEIGHTS)
    options = ("--emit", "library", *["--embed"] * embed)
    folder = compiled(tmp_path / "model.mlir", tmp_path / "made", "native", *options)
    weights = folder / "weights.safetensors"
    assert weights.exists() != embed
    library = Library(folder / "libmodel.so")
    context = library.create(None if embed else weights)
    outputs = [np.empty(3, np.float32), np.empty(9, np.int64)]
    assert library.run(context, [np.array([1, 2, 3], np.float32)], outputs) == 0
    assert outputs[0].tolist() == [0.5, -3, 7.5] and outputs[1].tolist() == [1, -2, 3, -4, 5, -6, 7, -8, -(2**63)]
    library.functions.model_destroy(context)


COUNTING = """#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdio.h>
static int count;
#define COUNTED(name, parameters, arguments) \\
  void *name parameters { \\
    static void *(*next) parameters; \\
    if (!next) *(void **)&next = dlsym(RTLD_NEXT, #name); \\
    return __atomic_add_fetch(&count, 1, __ATOMIC_RELAXED), next arguments; \\
  }
COUNTED(malloc, (size_t size), (size))
COUNTED(realloc, (void *old, size_t size), (old, size))
COUNTED(mmap, (void *at, size_t size, int how, int flags, int file, long from), (at, size, how, flags, file, from))
__attribute__((destructor)) static void report(void) { fprintf(stderr, "%d", count); }
"""


@pytest.mark.ci
@pytest.mark.skipif(not shutil.which("gcc"), reason="no compiler of this language: gcc")
def test_runs_allocate_nothing(tmp_path: Path) -> None:
    (tmp_path / "counting.c").write_text(COUNTING)
    counting = tmp_path / "counting.so"
    subprocess.run(["gcc", "-shared", "-fPIC", tmp_path / "counting.c", "-ldl", "-o", counting], check=True)
    model = BY_NAME["mnist_mlp_predict"].path
    folder = compiled(model, tmp_path / "made", "native", "--emit", "executable")
    environment = os.environ | {"LD_PRELOAD": str(counting), "OMP_NUM_THREADS": "2"}
    counts = [
        int(subprocess.run([folder / "model", "-n", runs], env=environment, capture_output=True, check=True).stderr)
        for runs in ("1", "200")
    ]
    assert counts[0] == counts[1] > 0


# ---------------------------------------------------------------- linked and inspected


def mach_header(data: bytes) -> tuple[int, int, dict[int, bytes]]:
    """The processor, the kind and the first load command of each number of a Mach-O file."""
    magic, processor, _, kind, count = struct.unpack_from("<5I", data)
    assert magic == 0xFEEDFACF
    commands: dict[int, bytes] = {}
    at = 32
    for _ in range(count):
        number, size = struct.unpack_from("<2I", data, at)
        commands.setdefault(number, data[at : at + size])
        at += size
    return processor, kind, commands


ARM, X86, MAC, IOS = 0x0100000C, 0x01000007, 1, 2
VERSION, LIBRARY, NEEDED = 0x32, 0x0D, 0x0C


def expect_platform(commands: Mapping[int, bytes], platform: int) -> None:
    assert struct.unpack_from("<I", commands[VERSION], 8)[0] == platform


@pytest.mark.ci
@pytest.mark.parametrize(("target", "processor"), [("aarch64-macos", ARM), ("x86_64-macos", X86)])
def test_macos(target: str, processor: int, tmp_path: Path) -> None:
    folder = compiled(BY_NAME["flax_convnet"].path, tmp_path / "made", target)
    found, kind, commands = mach_header((folder / "libmodel.dylib").read_bytes())
    assert (found, kind) == (processor, 6)
    expect_platform(commands, MAC)
    assert b"@rpath/libmodel.dylib\0" in commands[LIBRARY] and b"/usr/lib/libSystem.B.dylib\0" in commands[NEEDED]
    found, kind, commands = mach_header((folder / "model").read_bytes())
    assert (found, kind) == (processor, 2)
    expect_platform(commands, MAC)


@pytest.mark.ci
def test_ios(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    model = BY_NAME["while_loop"].path
    folder = compiled(model, tmp_path / "made", "aarch64-ios")
    zig.run("ar", ["x", "--output", tmp_path, folder / "libmodel.a"])
    for name in ("model.o", "program.o", "threads.o"):
        processor, _, commands = mach_header((tmp_path / name).read_bytes())
        assert processor == ARM
        expect_platform(commands, IOS)
    found, kind, commands = mach_header((folder / "libmodel.dylib").read_bytes())
    assert (found, kind) == (ARM, 6)
    expect_platform(commands, IOS)
    assert b"@rpath/libmodel.dylib\0" in commands[LIBRARY] and b"/usr/lib/libSystem.B.dylib\0" in commands[NEEDED]
    assert main(["compile", str(model), "-o", str(tmp_path / "b"), "--target", "aarch64-ios", "--emit", "executable"])
    assert "aarch64-ios has no executables" in capsys.readouterr().err


def test_android(tmp_path: Path) -> None:
    folder = compiled(BY_NAME["flax_convnet"].path, tmp_path / "made", "aarch64-android", "--emit", "library")
    data = (folder / "libmodel.so").read_bytes()
    assert data[:6] == b"\x7fELF\x02\x01" and struct.unpack_from("<2H", data, 16) == (3, 183)  # shared, aarch64
    assert b"libc.so\0" in data and b"libc.so.6" not in data and b"model_create\0" in data


@pytest.mark.ci
def test_windows_has_the_mathematics_of_kernels(tmp_path: Path) -> None:
    """From the compiler's own functions, or from the system's."""
    names = systems.ANDROID_MATHEMATICS
    text = "".join(f"void {name}(void);\n" for name in names)
    text += f"__declspec(dllexport) void *all[] = {{{', '.join(names)}}};"
    compiled = tmp_path / "all.o"
    zig.run("clang", ["--target=x86_64-w64-windows-gnu", "-w", "-x", "c", "-c", "-", "-o", compiled], text)
    parts = [compiled, *windows.runtime(tmp_path)]
    zig.run("cc", ["--target=x86_64-windows-gnu", "-O2", "-shared", *windows.OPTIONS, *parts, "-o", tmp_path / "a.dll"])
    libraries = set(re.findall(rb"[\w-]+\.dll", (tmp_path / "a.dll").read_bytes())) - {b"a.dll"}
    assert libraries == {b"ucrtbase.dll"}


# ---------------------------------------------------------------- refusals


def refused(capsys: pytest.CaptureFixture[str], model: Path, folder: Path, *options: str) -> str:
    assert main(["compile", str(model), "-o", str(folder), *options]) == 1
    assert not folder.exists()
    return capsys.readouterr().err


def test_what_a_target_lacks_is_named(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    model, folder = BY_NAME["linear_algebra"].path, tmp_path / "made"
    message = refused(capsys, model, folder, "--target", "aarch64-linux")
    assert "linear_algebra.mlir:" in message and "calls LAPACK, which aarch64-linux lacks; use --emit c" in message
    model = BY_NAME["while_loop"].path
    message = refused(capsys, model, folder, "--target", "riscv64-linux")
    assert (
        "there is no target 'riscv64-linux'; the targets are native, web, cuda, x86_64-linux, aarch64-linux," in message
    )
    message = refused(capsys, model, folder, "--emit", "c,dll")
    assert "--emit 'dll': expected some of c, library, executable" in message


LARGE = """func.func @main(%x: tensor<{size}x1024xf32>) -> tensor<{size}x1024xf32> {{
  %0 = stablehlo.add %x, %x : tensor<{size}x1024xf32>
  return %0 : tensor<{size}x1024xf32>
}}
"""


def test_memory_that_a_target_cannot_address(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "model.mlir").write_text(LARGE.format(size=1 << 19))
    message = refused(capsys, tmp_path / "model.mlir", tmp_path / "made", "--target", "wasm32-wasi")
    assert "needs 4,294,967,296 bytes of memory, but wasm32-wasi has at most 4,294,967,296" in message


# ---------------------------------------------------------------- the examples of the documentation


BUILDS: Mapping[str, Sequence[str]] = {
    "c": (*CLANG.split(), "-std=c99", "-pedantic", "-Wall", "-Werror", "example.c", "-L.", "-lmodel", "-o", "example"),
    "cpp": ("c++", "-std=c++20", "-Wall", "-Werror", "example.cpp", "-L.", "-lmodel", "-o", "example"),
    "rs": ("rustc", "example.rs", "-L", ".", "-l", "model", "-o", "example"),
    "go": ("go", "build", "-o", "example", "example.go"),
    "swift": ("swiftc", "example.swift", "-import-objc-header", "model.h", "-L.", "-lmodel", "-o", "example"),
}


@pytest.mark.ci
@pytest.mark.parametrize("language", BUILDS)
def test_examples(language: str, tmp_path: Path) -> None:
    command = BUILDS[language]
    if not shutil.which(command[0]):
        pytest.skip(f"no compiler of this language: {command[0]}")
    folder = compiled(EXAMPLES / "example.mlir", tmp_path / "made", "native", "--emit", "library")
    shutil.copy(EXAMPLES / f"example.{language}", folder)
    built = subprocess.run(command, cwd=folder, capture_output=True, text=True)
    assert built.returncode == 0, built.stderr
    environment = os.environ | {"LD_LIBRARY_PATH": "."}
    done = subprocess.run(["./example"], cwd=folder, env=environment, capture_output=True, text=True)
    assert (done.stdout, done.returncode) == ("2 4, cached 1 2\n", 0), done.stderr


def test_the_guide_shows_the_examples() -> None:
    guide = (EXAMPLES.parent / "guides" / "systems.md").read_text()
    for path in EXAMPLES.iterdir():
        assert path.read_text() in guide, path.name
