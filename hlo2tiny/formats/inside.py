"""Files that a model's files name: only those in its folder are read."""

from __future__ import annotations

import os
from pathlib import Path

from ..errors import InputError


def inside(folder: Path, name: str) -> Path:
    """The path of a file that a model names relative to its folder.

    Raises:
        InputError: the name is not a file name, or it leads outside the folder, by itself or through a symbolic link.
    """
    if not name or "\0" in name:
        raise InputError(f"{name!r} is not a file name")
    if Path(name).is_absolute() or ".." in Path(name).parts:
        raise InputError(f"{name}: a program's file may only name files in its own folder")
    # Names in files are UTF-8, whatever encoding the locale has for file names.
    try:
        path = folder / os.fsdecode(name.encode("utf-8", "surrogateescape"))
    except UnicodeError:
        raise InputError(f"{name!r} is not a file name") from None
    expect_inside(folder, path)
    return path


def expect_inside(folder: Path, path: Path) -> None:
    """Refuse a file whose path leads outside a model's folder through a link.

    Raises:
        InputError: it does, or the links form a circle.
    """
    try:
        real = path.resolve()
        outside = not real.is_relative_to(folder.resolve())
    except (OSError, RuntimeError, ValueError) as error:  # RuntimeError: links in a circle, before Python 3.13
        raise InputError(f"{path}: cannot be read: {error}") from None
    if outside:
        raise InputError(
            f"{path}: this links to {real}, outside the model's folder; replace the link with a copy of the file"
        )
