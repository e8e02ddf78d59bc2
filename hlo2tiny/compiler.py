"""Finding a C compiler, so that no user sets an environment variable."""

from __future__ import annotations

import atexit
import hashlib
import importlib.util
import os
import shlex
import shutil
import stat
import subprocess
import sys
import tempfile
from functools import cache
from pathlib import Path

from .errors import InputError

FLAGS = ("-fwrapv", "-ffp-contract=off", "-w")
NONE_FOUND = (
    "no clang found: tinygrad's CPU device compiles its kernels with clang. Install one with "
    "pip install 'hlo2tiny[cc]' (a compiler in a wheel), install clang, or set CC to a clang"
)


@cache
def find_compiler() -> str:
    """The path of a program that takes clang's arguments.

    Raises:
        InputError: there is none.
    """
    return with_flags(clang())


@cache
def clang() -> list[str]:
    """The command that runs a clang.

    Raises:
        InputError: there is none.
    """
    named = os.environ.get("CC", "")
    if named and is_clang(named):
        return [shutil.which(named) or named]
    if (found := shutil.which("clang")) and is_clang(found):
        return [found]
    if importlib.util.find_spec("ziglang") is not None:
        return zig_clang()
    raise InputError(NONE_FOUND + (f"; CC is {named!r}, which is not one" if named else ""))


def linker() -> list[str]:
    """The command that makes a shared object of object files."""
    command = clang()
    if len(command) == 1:
        return [*command, "-shared", "-nostdlib"]
    return [command[0], "ld.lld", "-shared"] if sys.platform == "linux" else [command[0], "cc", "-shared"]


@cache
def compiler_identity() -> str:
    """What a cache of compiled code has to know of the compiler: its version and our flags."""
    printed = subprocess.run([find_compiler(), "--version"], capture_output=True, timeout=60, check=False).stdout
    return hashlib.sha256(printed + repr(FLAGS).encode()).hexdigest()[:16]


def is_clang(program: str, *arguments: str) -> bool:
    try:
        # tinygrad runs the name as it is, so arguments in it would not work either.
        printed = subprocess.run([program, *arguments, "--version"], capture_output=True, timeout=60)
    except (OSError, subprocess.SubprocessError):
        return False
    return printed.returncode == 0 and b"clang" in printed.stdout


def zig_clang() -> list[str]:
    """The clang inside the ziglang wheel."""
    spec = importlib.util.find_spec("ziglang")
    assert spec is not None and spec.submodule_search_locations
    zig = Path(spec.submodule_search_locations[0]) / ("zig.exe" if os.name == "nt" else "zig")
    if not is_clang(str(zig), "clang"):
        raise InputError(f"the ziglang wheel's compiler does not run on this machine ({sys.platform}); {NONE_FOUND}")
    return [str(zig), "clang"]


def with_flags(command: list[str]) -> str:
    """A program file that runs a compiler command with our flags before its arguments: tinygrad takes one path.

    -fwrapv: integers wrap. -ffp-contract=off: a*b+c rounds twice, as written. -w: kernels are not the user's code.
    """
    folder = Path(tempfile.mkdtemp(prefix="hlo2tiny-"))
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    if os.name == "nt":
        program = folder / "clang.cmd"
        program.write_text("@" + " ".join(f'"{word}"' for word in [*command, *FLAGS]) + " %*\n", encoding="utf-8")
    else:
        program = folder / "clang"
        program.write_text(
            f'#!/bin/sh\nexec {shlex.join([*command, *FLAGS])} "$@"\n', encoding="utf-8", errors="surrogateescape"
        )
    expect_executable(program)
    return str(program)


def expect_executable(path: Path) -> None:
    """A file in the folder for temporary files can be run, or loaded into the process.

    Raises:
        InputError: the folder is mounted so that nothing in it can (noexec).
    """
    path.chmod(path.stat().st_mode | stat.S_IXUSR)
    if not os.access(path, os.X_OK):
        raise InputError(
            f"no code can be loaded from the folder for temporary files, {tempfile.gettempdir()}, which is probably"
            " mounted noexec; set TMPDIR to a folder from which programs may run"
        )
