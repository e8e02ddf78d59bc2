"""The compiler in the ziglang wheel, which produces code for other systems, too.

Its commands `clang`, `ld.lld`, `wasm-ld` and `lld-link` are LLVM's own; `cc` also brings the systems' C libraries.
"""

from __future__ import annotations

import importlib.util
import os
import subprocess
from collections.abc import Sequence
from functools import cache
from pathlib import Path

from ..errors import InputError, UnsupportedOp

MISSING = "code for another system is compiled by zig, which is not installed: pip install 'hlo2tiny[cc]'"


def wheel() -> Path | None:
    """The path of zig in the ziglang wheel, or None if the wheel is not installed."""
    spec = importlib.util.find_spec("ziglang")
    if spec is None or not spec.submodule_search_locations:
        return None
    return Path(spec.submodule_search_locations[0]) / ("zig.exe" if os.name == "nt" else "zig")


@cache
def command() -> str:
    """The command that runs zig.

    Raises:
        InputError: it is not installed, or does not run here.
    """
    found = wheel()
    if found is None:
        raise InputError(MISSING)
    try:
        subprocess.run([found, "version"], capture_output=True, check=True, timeout=60)
    except (OSError, subprocess.SubprocessError) as error:
        raise InputError(f"the zig in the ziglang wheel does not run on this machine: {error}") from None
    return str(found)


def headers() -> Path:
    """The folder of the compiler's own headers, such as stdint.h, which need no C library."""
    return Path(command()).parent / "lib" / "include"


def apple_libraries(folder: Path, system: str) -> Path:
    """Describe the libraries of another Apple system, given what zig knows about macOS's.

    Returns:
        The file to pass to `run` as `libc`.
    """
    known = Path(command()).parent / "lib" / "libc" / "darwin"
    libraries = folder / "usr" / "lib"
    libraries.mkdir(parents=True)
    (folder / "SDKSettings.json").write_bytes((known / "SDKSettings.json").read_bytes())
    text = (known / "libSystem.tbd").read_text("utf-8").replace("-macos", f"-{system}")
    (libraries / "libSystem.tbd").write_text(text, "utf-8")
    places = {"include_dir": folder, "sys_include_dir": folder, "crt_dir": libraries, "darwin_sdk_dir": folder}
    unused = dict.fromkeys(("msvc_lib_dir", "kernel32_lib_dir", "gcc_dir"), "")
    file = folder / "libc.txt"
    file.write_text("".join(f"{key}={place}\n" for key, place in (places | unused).items()), "utf-8")
    return file


def run(name: str, arguments: Sequence[str | Path], text: str | None = None, libc: Path | None = None) -> None:
    """Run one of zig's commands, such as `clang` or `ld.lld`.

    Args:
        name: the command.
        arguments: its arguments.
        text: its input.
        libc: a description of a system's libraries that zig does not have.

    Raises:
        InputError: zig is not installed.
        UnsupportedOp: the command failed, which our own code should never cause.
    """
    done = subprocess.run(
        [command(), name, *map(str, arguments)],
        input=None if text is None else text.encode(),
        capture_output=True,
        env=None if libc is None else os.environ | {"ZIG_LIBC": str(libc)},
    )
    if done.returncode:
        reason = done.stderr.decode("utf-8", "replace").strip()
        reason = next((line for line in reason.splitlines() if "error" in line), reason or f"status {done.returncode}")
        raise UnsupportedOp(f"the code of this program does not compile, a bug in hlo2tiny: zig {name}: {reason[:500]}")
