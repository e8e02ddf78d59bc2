"""Finding a C compiler, so that users need not set an environment variable."""

from __future__ import annotations

import hashlib
import os
import shutil
import stat
import subprocess
import sys
import tempfile
from functools import cache
from pathlib import Path

from ..errors import InputError
from . import zig

# -fwrapv: integers wrap. -ffp-contract=off: a*b+c rounds twice, as written. -w: no warnings about generated code.
FLAGS = ("-fwrapv", "-ffp-contract=off", "-w")
NONE_FOUND = (
    "no clang was found, and compiling programs for the CPU needs one. Install it with pip install 'hlo2tiny[cc]' (a"
    " compiler in a wheel) or from your system's packages, or set CC to the path of a clang"
)


@cache
def clang() -> list[str]:
    """The command that runs clang; raises InputError if there is no clang."""
    cc = os.environ.get("CC", "")
    if os.name != "nt":  # where clang needs Microsoft's linker and libraries, and takes other options
        if cc and is_clang(cc):
            return [shutil.which(cc) or cc]
        if (path := shutil.which("clang")) and is_clang(path):
            return [path]
    if zig.wheel() is not None:
        return zig_clang()
    raise InputError(NONE_FOUND + (f" (CC is {cc!r}, which is not a clang)" if cc else ""))


def linker() -> list[str]:
    """The command that links object files into a shared object."""
    command = clang()
    # The process has the C library, but a library for macOS or Windows has to name those whose functions it calls.
    alone = sys.platform == "linux"
    if len(command) == 1:
        return [*command, "-shared", *["-nostdlib"] * alone]
    return [command[0], "ld.lld", "-shared"] if alone else [command[0], "cc", "-shared"]


@cache
def compiler_identity() -> str:
    """A digest of what compiled code depends on: the compiler's version and our flags."""
    printed = subprocess.run([*clang(), "--version"], capture_output=True, timeout=60, check=False).stdout
    return hashlib.sha256(printed + repr(FLAGS).encode()).hexdigest()[:16]


def is_clang(program: str, *arguments: str) -> bool:
    try:
        printed = subprocess.run([program, *arguments, "--version"], capture_output=True, timeout=60)
    except (OSError, subprocess.SubprocessError):
        return False
    return printed.returncode == 0 and b"clang" in printed.stdout


def zig_clang() -> list[str]:
    """The clang inside the ziglang wheel. It is not tried out, since that would delay every first call."""
    return [str(zig.wheel()), "clang"]


def expect_running(command: list[str]) -> None:
    """Raise InputError if a command failed because the compiler in the ziglang wheel does not run on this machine."""
    found = zig.wheel()
    if found is not None and command[0] == str(found) and not is_clang(command[0], "clang"):
        raise InputError(
            f"the compiler in the ziglang wheel does not run on this machine ({sys.platform}); {NONE_FOUND}"
        )


def expect_executable(path: Path) -> None:
    """Raise InputError if the folder for temporary files is mounted noexec: nothing in it can be run or loaded."""
    path.chmod(path.stat().st_mode | stat.S_IXUSR)
    if not os.access(path, os.X_OK):
        raise InputError(
            f"no code can be loaded from the folder for temporary files, {tempfile.gettempdir()}, which is probably"
            " mounted noexec; set TMPDIR to a folder from which programs may run"
        )
