"""Writing to the paths that a user names: a file is written completely or not at all.

A regular file is replaced once the new one is complete. Anything else, such as a device, a pipe or a symbolic link, is
written to, and stays what it is.
"""

from __future__ import annotations

import json
import os
import shutil
import stat
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Any

from .errors import InputError


def expect_writable(path: str | os.PathLike[str], option: str = "") -> None:
    """Check, before any work is done, that `written` can write to a path.

    Args:
        path: what the user named.
        option: the option or argument that names it, for the message.

    Raises:
        InputError: the path is not a file's, its folder is missing, or the user may not write there.
    """
    name = os.fspath(path)
    subject = f"{option} {name}".strip() if name else f"{option} ''".strip()
    # `Path("")` is the current folder.
    if not name or (name == "." and isinstance(path, Path)):
        raise InputError(f"{subject}: expected the path of a file to write")
    if "\0" in name:
        raise InputError(f"{subject}: a path cannot contain NUL")
    folder = os.path.dirname(name) or "."
    if not os.path.isdir(folder):
        raise InputError(f"{subject}: there is no folder {folder}")
    try:
        mode = os.stat(name).st_mode if os.path.lexists(name) else None
    except FileNotFoundError:  # a link to a file that does not exist
        folder, mode = os.path.dirname(os.path.realpath(name)), None
        if not os.path.isdir(folder):
            raise InputError(f"{subject}: the link leads to {folder}, which is not a folder") from None
    except OSError as error:
        raise InputError(f"{subject}: cannot be written: {error.strerror or error}") from None
    if mode is not None and stat.S_ISDIR(mode):
        raise InputError(f"{subject}: this is a folder, expected the path of a file to write")
    if mode is not None and not (stat.S_ISREG(mode) or stat.S_ISCHR(mode) or stat.S_ISFIFO(mode)):
        raise InputError(f"{subject}: expected a regular file, a pipe or a character device, found something else")
    if not os.access(name if mode is not None else folder, os.W_OK):
        raise InputError(f"{subject}: cannot be written: permission denied")


@contextmanager
def written(path: str | os.PathLike[str]) -> Iterator[IO[bytes]]:
    """A file that is moved to the path when the block ends, or deleted if it raises; raises InputError if it cannot."""
    expect_writable(path)
    target = Path(path)
    try:
        # The folder of a file that can be written to may be read-only.
        can_replace = not target.exists() or (target.is_file() and os.access(target.parent, os.W_OK))
        if target.is_symlink() or not can_replace:
            with tempfile.TemporaryFile() as file:
                yield file
                file.seek(0)
                with open(target, "wb") as through:
                    shutil.copyfileobj(file, through)
            return
        handle, temporary = tempfile.mkstemp(dir=target.parent, prefix=f".{target.name[:100]}-")
        try:
            with os.fdopen(handle, "wb") as file:
                yield file
            os.chmod(temporary, mode_of(target))
            os.replace(temporary, target)
        except BaseException:
            Path(temporary).unlink(missing_ok=True)
            raise
    except OSError as error:
        raise InputError(f"{target}: cannot be written: {error.strerror or error}") from error


def json_bytes(value: Any, text: Callable[[Any], str] | None = None) -> bytes:
    """JSON as UTF-8; escaped ASCII if a name from a file cannot be encoded. `text` writes what JSON has no type for."""
    try:
        return json.dumps(value, ensure_ascii=False, default=text).encode("utf-8")
    except UnicodeEncodeError:
        return json.dumps(value, default=text).encode("ascii")


def mode_of(target: Path) -> int:
    """The permissions of a file, or those that a new one gets."""
    if target.exists():
        return stat.S_IMODE(target.stat().st_mode)
    mask = os.umask(0o077)
    os.umask(mask)
    return 0o666 & ~mask
