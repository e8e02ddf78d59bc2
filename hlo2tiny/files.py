"""Files that others may have put where something else is expected."""

from __future__ import annotations

import errno
import os
import stat

from .errors import InputError


def open_regular(path: str | os.PathLike[str]) -> int:
    """The handle of a regular file, opened for reading.

    Raises:
        OSError: it cannot be opened.
        InputError: it is a pipe, a device or a socket, for which a reader could wait forever.
    """
    # Without O_NONBLOCK, opening a pipe would wait for its writer.
    handle = os.open(path, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0))
    mode = os.fstat(handle).st_mode
    if stat.S_ISREG(mode):
        return handle
    os.close(handle)
    if stat.S_ISDIR(mode):
        raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR), os.fspath(path))
    raise InputError(f"{path}: expected a regular file, found a pipe, a device or a socket")


def read_regular(path: str | os.PathLike[str]) -> bytes:
    """The contents of a regular file; raises as `open_regular` does."""
    with open(open_regular(path), "rb") as file:
        return file.read()
