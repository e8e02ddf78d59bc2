"""Writes the files of a program into a folder, and only over files that it wrote itself."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterable, Mapping
from pathlib import Path

from ...errors import InputError

# The first line of each file contains this; files that have it may be overwritten.
MARK = "written by hlo2tiny compile"
WEIGHTS = "weights.safetensors"
# Each folder that we write has one of these.
IN_EACH_FOLDER = ("model.h", "program.json", WEIGHTS)
# The file that each folder of a kind has, and no other.
KINDS = {"model.h": "in C", "program.json": "for browsers"}
# The files that are compiled code, and those of them that can be run.
EXECUTABLES = frozenset({"model", "model.exe", "model.wasm"})
COMPILED = EXECUTABLES | {"libmodel.so", "libmodel.a", "libmodel.dylib", "model.dll", "model.lib", "libmodel.wasm"}
Files = Mapping[str, Iterable[bytes | memoryview]]


def first_line(name: str) -> str:
    return f"# {name}, {MARK}" if name == "Makefile" else f"/* {name}, {MARK} */"


def expect_free(folder: Path, names: Iterable[str]) -> None:
    """Refuse a folder that contains anything else, another kind of program, or files that we did not write.

    Args:
        folder: where to write.
        names: the files to write.

    Raises:
        InputError: it is such a folder, or no folder.
    """
    if folder.exists() and not folder.is_dir():
        raise InputError(f"{folder} is a file, expected a folder to write to")
    if folder.exists() and any(folder.iterdir()) and not any(is_ours(folder / name) for name in IN_EACH_FOLDER):
        raise InputError(f"{folder} is not empty and was not {MARK}; choose another folder")
    for name in names:
        held = [kind for file, kind in KINDS.items() if file != name and is_ours(folder / file)]
        if name in KINDS and held:
            raise InputError(f"{folder} holds a program {held[0]}, expected one {KINDS[name]}; choose another folder")
        if os.path.lexists(folder / name) and not is_ours(folder / name):
            raise InputError(
                f"{folder / name} already exists and was not {MARK}; choose another folder or move the file away"
            )


def is_ours(path: Path) -> bool:
    """Whether we wrote a file: a text or weights say so at the beginning, and compiled code has it as a string."""
    if not path.is_file() or path.is_symlink():
        return False
    with path.open("rb") as file:
        if path.name == "model.lib":  # the names that model.dll exports
            return b"model_compiler" in file.read()
        return MARK.encode() in (file.read() if path.name in COMPILED else file.read(200))


def write_files(folder: Path, files: Files) -> list[Path]:
    """Write each file completely or not at all."""
    expect_free(folder, files)
    folder.mkdir(parents=True, exist_ok=True)
    for name, parts in files.items():
        handle, temporary = tempfile.mkstemp(dir=folder, prefix=f".{name}.")
        try:
            with os.fdopen(handle, "wb") as file:
                file.writelines(parts)
            Path(temporary).chmod(0o755 if name in EXECUTABLES else 0o644)
            os.replace(temporary, folder / name)
        except BaseException:
            Path(temporary).unlink(missing_ok=True)
            raise
    return [folder / name for name in files]
