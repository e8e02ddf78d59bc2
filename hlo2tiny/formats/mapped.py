"""Large arrays in files, mapped into memory rather than copied.

Reading mapped memory of a file that has become shorter ends the process. So a file that others may write to is copied,
and any other file is checked for changes before each use.
"""

from __future__ import annotations

import mmap
import os
import stat
from weakref import WeakKeyDictionary

import numpy as np

from ..errors import InputError

Identity = tuple[int, int, int, int]
_files: WeakKeyDictionary[mmap.mmap, MappedFile] = WeakKeyDictionary()


class MappedFile:
    """A mapped file, closed when nothing refers to this object any more."""

    def __init__(self, path: str, handle: int) -> None:
        self.path, self._handle = path, handle
        self._identity = identity(os.fstat(handle))

    def __del__(self) -> None:
        os.close(self._handle)

    def expect_unchanged(self) -> None:
        """Check that the file is still what it was when it was mapped.

        Raises:
            InputError: it has been changed.
        """
        if identity(os.fstat(self._handle)) != self._identity:
            raise InputError(
                f"{self.path}: this file has changed since it was loaded, and so have its arrays; load the program"
                " again, and in future write a new file instead of changing one that is in use"
            )


def identity(status: os.stat_result) -> Identity:
    """Numbers that change when a file is written to or replaced."""
    return status.st_dev, status.st_ino, status.st_size, status.st_mtime_ns


def is_private(status: os.stat_result) -> bool:
    """Whether only this user and the administrator may write to a file."""
    if not hasattr(os, "getuid"):
        return True
    return status.st_uid in (os.getuid(), 0) and not status.st_mode & 0o022


def read(path: str | os.PathLike[str], least: int = 0) -> np.ndarray:
    """The bytes of a file: mapped, or copied if there are fewer than `least` or others may write to it.

    Raises:
        OSError: it cannot be read.
        InputError: it is not a regular file.
    """
    # Without O_NONBLOCK, opening a pipe would wait for its writer.
    handle = os.open(path, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0))
    file = None
    try:
        status = os.fstat(handle)
        if not stat.S_ISREG(status.st_mode):
            raise InputError(f"{path}: arrays can only be read from a regular file, and this is not one")
        if status.st_size < max(1, least) or not is_private(status):
            with open(handle, "rb", closefd=False) as stream:
                return np.frombuffer(stream.read(), np.uint8)
        memory = mmap.mmap(handle, 0, access=mmap.ACCESS_READ)
        file = _files[memory] = MappedFile(os.fspath(path), handle)
        file.expect_unchanged()
        return np.frombuffer(memory, np.uint8)
    finally:
        if file is None:
            os.close(handle)


def file_of(array: object) -> MappedFile | None:
    """The mapped file that an array is a view of; None if there is none."""
    memory = memory_of(array)
    return None if memory is None else _files.get(memory)


def memory_of(array: object) -> mmap.mmap | None:
    while array is not None and not isinstance(array, mmap.mmap):
        array = array.obj if isinstance(array, memoryview) else getattr(array, "base", None)
    return array


def forget(array: np.ndarray) -> None:
    """Let the system take back the memory of an array in a mapped file, from which it is read again when it is used."""
    memory = memory_of(array)
    if memory is not None and memory in _files and hasattr(mmap, "MADV_DONTNEED"):
        start = array.ctypes.data - np.frombuffer(memory, np.uint8).ctypes.data
        first = start // mmap.PAGESIZE * mmap.PAGESIZE
        memory.madvise(mmap.MADV_DONTNEED, first, start + array.nbytes - first)


def identity_of(path: str | os.PathLike[str]) -> Identity:
    """The identity of the file at a path; OSError if there is none."""
    return identity(os.stat(path))
