"""The libraries of `tests/ffi`, compiled with the headers that jaxlib brings."""

from __future__ import annotations

import shutil
import subprocess
import tempfile
from functools import cache
from pathlib import Path

import jax
from compiled import once

from hlo2tiny.machine.compiler import zig_clang

SOURCES = Path(__file__).with_name("ffi")
ZIG = f"{zig_clang()[0]} c++"
CXX = "g++" if shutil.which("g++") else ZIG
FOLDER = tempfile.TemporaryDirectory(prefix="hlo2tiny-tests-")


@cache
def library(name: str, compiler: str = CXX) -> str:
    """The path of a library, a different one for each compiler."""
    path = Path(FOLDER.name) / f"{name}-{compiler.rpartition(' ')[2]}" / f"lib{name}.so"
    path.parent.mkdir()
    options = ["-std=c++17", "-O1", "-w", "-fPIC", "-shared", f"-I{jax.ffi.include_dir()}"]
    command = [*compiler.split(), *options, str(SOURCES / f"{name}.cc")]

    def make() -> None:
        made = subprocess.run([*command, "-o", str(path)], capture_output=True, text=True, check=False)
        assert made.returncode == 0, made.stderr[-4000:]

    once(path, make, jax.__version__, *command, *(file.read_text("utf-8") for file in sorted(SOURCES.iterdir())))
    return str(path)
