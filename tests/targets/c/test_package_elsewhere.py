"""The Python package elsewhere: on aarch64 by an emulator; what it compiles on Windows and macOS, without Python."""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from targets.c.emulators import emulate
from targets.c.test_systems import ARM, mach_header

import hlo2tiny
from corpus import BY_NAME
from hlo2tiny.machine import zig
from hlo2tiny.program import Program
from hlo2tiny.targets.c import code, linking, native, windows

pytestmark = pytest.mark.timeout(900)
WINDOWS, MAC = "x86_64-windows-gnu", "aarch64-macos.11.0"
MACHINES = {WINDOWS: ("--target=x86_64-w64-windows-gnu", "-march=x86-64-v2"), MAC: ("--target=arm64-apple-macosx11.0",)}
# What windows.c calls besides what programs call.
CALLED = {"kernel32": "GetLastError GetProcAddress LoadLibraryA", "ucrtbase": "_aligned_malloc atoi atoll rewind ftell"}


@pytest.fixture
def elsewhere(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    """Compile and link for another system, as the package does there with zig's compiler."""
    monkeypatch.setenv("HLO2TINY_CACHE", "off")
    compiler, target = zig.command(), request.param
    monkeypatch.setattr(linking, "clang", lambda: [compiler, "clang"])
    monkeypatch.setattr(linking, "linker", lambda: [compiler, "cc", "-shared", f"--target={target}"])
    monkeypatch.setattr(linking, "FOR_WINDOWS", target == WINDOWS)
    monkeypatch.setattr(linking, "this_machine", lambda: MACHINES[target])
    monkeypatch.setattr(linking.shipped, "find", lambda name: None)
    return target


def linked(units: Callable[[], Sequence[str]], path: Path) -> None:
    path.write_bytes(linking.shared_object("unused", units))


def compiled(model: Path | str, monkeypatch: pytest.MonkeyPatch) -> tuple[Any, ...]:
    """The arguments with which `Code` would load a program, whose steps are measured."""
    program = Program(hlo2tiny.parse(model), "CPU")
    plan = program.plan_for([tuple(a.shape) for a in program.inputs])
    for other in ("addresses_of", "thread_pool"):
        monkeypatch.setattr(native, other, lambda of: None)
    monkeypatch.setattr(native, "panel_width", None)  # the machine's
    monkeypatch.setattr(native, "CCode", lambda *arguments: arguments)
    arguments, _ = native.compile_plan(plan, {}, lambda done, total: None, 2, profile=True)
    return arguments


def run(arguments: Sequence[Any], inputs: Sequence[np.ndarray], folder: Path) -> list[np.ndarray]:
    """Build the program windows.c and run it on the program's code, with the arguments of `Code`."""
    shared, constants, _, outputs, arena, library, threads, *_ = arguments
    (folder / "program.dll").write_bytes(shared)
    linked(lambda: code.own_units("threads"), folder / "threads.dll")
    for function in library:
        linked(lambda name=function: code.own_units(name), folder / f"{function}.dll")
    program = folder / "harness.o"
    zig.run("cc", [f"--target={WINDOWS}", "-O2", "-c", Path(__file__).with_name("windows.c"), "-o", program])
    functions = {name: f"{windows.FUNCTIONS[name]} {more}" for name, more in CALLED.items()}
    parts = [program, *windows.runtime(folder, executable=True, functions=functions)]
    options = ["-Wl,--subsystem,console", "-Wl,-e,mainCRTStartup", *windows.OPTIONS]
    zig.run("cc", [f"--target={WINDOWS}", *parts, *options, "-o", folder / "windows.exe"])
    files: list[list[str]] = []
    for kind, arrays in (("constant", constants), ("input", inputs)):
        files.append([f"{kind}{i}" for i in range(len(arrays))])
        for file, array in zip(files[-1], arrays):
            np.ascontiguousarray(array).tofile(folder / file)
    layouts = list(map(code.dtype_and_shape, outputs))
    results = [f"result{i}" for i in range(len(outputs))]
    sizes = [str(code.byte_size(type)) for type in outputs]
    command = ["windows.exe", str(arena), str(threads), *library, "--", *files[0], "--", *files[1], "--"]
    command += [word for pair in zip(results, sizes) for word in pair]
    assert int(emulate(["wine"], command, folder)) >= 1  # how often the first step was measured
    return [np.fromfile(folder / file, dtype).reshape(shape) for file, (dtype, shape) in zip(results, layouts)]


SHARED = """func.func @main(%x: tensor<1000x1000xf32>) -> tensor<1000xf32> {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %0 = stablehlo.sine %x : tensor<1000x1000xf32>
  %1 = stablehlo.reduce(%0 init: %zero) applies stablehlo.add across dimensions = [1]
    : (tensor<1000x1000xf32>, tensor<f32>) -> tensor<1000xf32>
  return %1 : tensor<1000xf32>
}
"""
on_windows = pytest.mark.parametrize("elsewhere", [WINDOWS], indirect=True)
with_wine = pytest.mark.skipif(not shutil.which("wine"), reason="no emulator: wine")


@pytest.mark.ci
@with_wine
@on_windows
def test_two_threads_of_windows(elsewhere: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    arguments = compiled(SHARED, monkeypatch)
    assert arguments[6] == 2
    x = np.linspace(-3, 3, 1000000, dtype=np.float32).reshape(1000, 1000)
    (found,) = run(arguments, [x], tmp_path)
    np.testing.assert_allclose(found, np.sin(x.astype(float)).sum(1), rtol=1e-4, atol=1e-3)


@pytest.mark.night
@with_wine
@on_windows
@pytest.mark.parametrize("name", ["mnist_mlp_predict", "flax_convnet", "cond", "fourier"])
def test_corpus_on_windows(name: str, elsewhere: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    entry = BY_NAME[name]
    entry.check(tuple(run(compiled(entry.path, monkeypatch), entry.inputs(), tmp_path)))


@pytest.mark.ci
@pytest.mark.parametrize("elsewhere", [WINDOWS, pytest.param(MAC, marks=pytest.mark.night)], indirect=True)
def test_all_that_programs_share_is_linked(elsewhere: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    shared = {
        "start_threads": lambda: code.own_units("threads"),
        "run_processes": lambda: code.own_units("grid"),
        "sconvolve": lambda: code.own_units("sconvolve"),
    }
    for name, units in shared.items():
        linked(units, tmp_path / name)
    (tmp_path / "run_plan").write_bytes(compiled(BY_NAME["while_loop"].path, monkeypatch)[0])
    for path in tmp_path.iterdir():
        data = path.read_bytes()
        assert path.name.encode() + b"\0" in data
        if elsewhere == MAC:
            processor, kind, _ = mach_header(data)
            assert (processor, kind) == (ARM, 6)
        else:
            assert data[:2] == b"MZ"


def test_a_file_that_stays_loaded_is_removed_when_it_can_be(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    monkeypatch.setattr(code, "LOADED_FILES_STAY", True)
    code.remove_old_files.cache_clear()
    shared = linking.shared_object(linking.code_name("a"), lambda: ["int f(void) { return 1; }"])
    library = code.load_library(shared, number=1000)
    (loaded,) = tmp_path.glob("*/program.so")
    old, new = (tmp_path / f"{code.PREFIX}{n}" / code.FILE for n in (1, 2))
    for path in (old, new):
        path.parent.mkdir()
        path.write_bytes(shared)
    os.utime(old, (0, 0))
    code.remove_old_files.cache_clear()
    code.remove_old_files()
    assert (loaded.exists(), old.parent.exists(), new.exists()) == (True, False, True)
    del library
    assert not loaded.parent.exists()


# ---------------------------------------------------------------- aarch64


@pytest.mark.ci
@pytest.mark.parametrize(
    "name",
    [
        "fori_loop",
        *(pytest.param(n, marks=pytest.mark.night) for n in ("flax_convnet", "linear_algebra", "bf16_mlp", "fourier")),
    ],
)
def test_on_aarch64(name: str, tmp_path: Path) -> None:
    python = os.environ.get("HLO2TINY_AARCH64")
    if not python:
        pytest.skip("no Python for aarch64: .ci/aarch64 installs one")
    entry = BY_NAME[name]
    inputs, results = tmp_path / "inputs.npz", tmp_path / "results.npz"
    np.savez(inputs, *entry.inputs())
    command = [python, str(Path(__file__).with_name("aarch64.py")), str(entry.path), str(inputs), str(results)]
    environment = {k: v for k, v in os.environ.items() if not k.startswith("PYTHON")} | {
        "XDG_CACHE_HOME": str(tmp_path)
    }
    done = subprocess.run(command, cwd=tmp_path, env=environment, capture_output=True, text=True, timeout=800)
    assert done.returncode == 0, done.stderr
    with np.load(results) as arrays:
        found = [array.view(expected.dtype) for array, expected in zip(arrays.values(), entry.results())]
    entry.check(tuple(found))
