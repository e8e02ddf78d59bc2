"""Finding a compiler: $CC, clang, the ziglang wheel, or one clear error."""

from __future__ import annotations

import importlib.util
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import hlo2tiny
from hlo2tiny.machine import compiler, zig
from hlo2tiny.targets.c import code, linking


@pytest.fixture(autouse=True)
def fresh(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CC", "")
    compiler.clang.cache_clear()
    yield
    compiler.clang.cache_clear()


def program(folder: Path, name: str, says: str) -> Path:
    path = folder / name
    path.write_text(f"#!/bin/sh\necho '{says}'\n")
    path.chmod(0o755)
    return path


def test_cc_that_is_a_clang_comes_first(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    mine = program(tmp_path, "my-clang", "clang version 99")
    monkeypatch.setenv("CC", str(mine))
    assert compiler.clang() == [str(mine)]


def test_cc_that_is_a_gcc_is_passed_over(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CC", str(program(tmp_path, "gcc", "gcc (Debian) 12")))
    other = program(tmp_path, "clang", "clang version 98")
    monkeypatch.setattr(shutil, "which", lambda name: str(other) if name == "clang" else None)
    assert compiler.clang() == [str(other)]


@pytest.mark.skipif(importlib.util.find_spec("ziglang") is None, reason="the ziglang wheel is not installed")
def test_the_wheel_takes_clangs_flags(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shutil, "which", lambda name: None)
    command = [*compiler.clang(), *compiler.FLAGS, "-c"]
    command += ["-x", "c", "-O2", "-ffreestanding", "-nostdlib", "-", "-o", str(tmp_path / "out.o")]
    subprocess.run(command, input=b"int f(int x) { return x + 1 > x; }", check=True)
    assert (tmp_path / "out.o").stat().st_size > 0


def test_no_compiler_is_one_error_that_names_the_cure(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shutil, "which", lambda name: None)
    monkeypatch.setattr(importlib.util, "find_spec", lambda name, package=None: None)
    with pytest.raises(hlo2tiny.InputError, match=r"pip install 'hlo2tiny\[cc\]'"):
        compiler.clang()


def test_a_wheel_that_does_not_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It is not tried out beforehand, for the sake of first calls; but no slower kernels stand in for it in silence."""
    broken = program(tmp_path, "zig", "not for this machine")
    broken.write_text("#!/bin/sh\nexit 126\n")
    monkeypatch.setattr(shutil, "which", lambda name: None)
    for path in (broken, tmp_path / "missing"):
        monkeypatch.setattr(zig, "wheel", lambda path=path: path)
        compiler.clang.cache_clear()
        with pytest.raises(hlo2tiny.InputError, match="ziglang wheel does not run on this machine"):
            linking.check_syntax("int one;")
    with pytest.raises(linking.NotBuilt, match="exited with status 1"):
        linking.run(["false"])


def test_a_folder_from_which_nothing_runs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where TMPDIR is mounted noexec, files in it are never executable, whatever their mode."""
    access = os.access
    monkeypatch.setattr(os, "access", lambda path, mode, **others: mode != os.X_OK and access(path, mode, **others))
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))

    def refuse(*_: object) -> None:
        raise OSError("failed to map segment from shared object")

    monkeypatch.setattr(code.ctypes, "CDLL", refuse)
    monkeypatch.setattr(code, "_libraries", {})
    text = "func.func @main(%x: tensor<5xf32>) -> tensor<5xf32> {\n  %0 = stablehlo.negate %x : tensor<5xf32>\n"
    program = hlo2tiny.load(text + "  return %0 : tensor<5xf32>\n}", device="CPU")
    with pytest.raises(hlo2tiny.InputError, match=f"{tmp_path}, which is probably mounted noexec; set TMPDIR"):
        program.compile()


@pytest.mark.skipif(sys.platform != "linux" or os.geteuid() != 0, reason="mounting needs Linux's root")
def test_a_mount_from_which_nothing_runs(tmp_path: Path) -> None:
    if subprocess.run(["unshare", "-m", "true"], capture_output=True).returncode:
        pytest.skip("this machine gives no mount namespaces")
    model = tmp_path / "model.mlir"
    model.write_text("func.func @main(%x: tensor<5xf32>) -> tensor<5xf32> { return %x : tensor<5xf32> }", "utf-8")
    mounted = tmp_path / "mounted"
    mounted.mkdir()
    command = f"mount -t tmpfs -o noexec none {mounted} && exec {sys.executable} -m hlo2tiny run {model} --random 0"
    environment = os.environ | {"TMPDIR": str(mounted), "HLO2TINY_CACHE": "off"}
    done = subprocess.run(["unshare", "-m", "sh", "-c", command], capture_output=True, env=environment, timeout=100)
    assert done.returncode == 1
    assert f"{mounted}, which is probably mounted noexec; set TMPDIR".encode() in done.stderr
    assert done.stderr.count(b"\n") == 1
