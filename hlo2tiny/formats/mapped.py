"""Large arrays in files, mapped into memory rather than copied.

Reading mapped memory of a file that has become shorter ends the process. So a file that others can write to is copied,
and any other file is checked for changes before each use.
"""

from __future__ import annotations

import hashlib
import mmap
import os
from collections.abc import Callable
from functools import cached_property
from typing import Any
from weakref import WeakKeyDictionary

import numpy as np

from ..errors import InputError
from ..files import open_regular
from ..records import dataclass

Identity = tuple[int, int, int, int]
_files: WeakKeyDictionary[mmap.mmap, MappedFile] = WeakKeyDictionary()


class MappedFile:
    """A mapped file, closed when nothing refers to this object any more."""

    def __init__(self, path: str, handle: int) -> None:
        self.path, self._handle = path, handle
        self.identity = identity(os.fstat(handle))

    def __del__(self, close: Callable[[int], None] = os.close) -> None:  # modules may be gone when Python ends
        close(self._handle)

    @property
    def size(self) -> int:
        return self.identity[2]

    def lasting_identity(self) -> tuple[int, ...]:
        """Its identity and the time of its last change, which no program can set."""
        status = os.fstat(self._handle)
        return (*identity(status), status.st_ctime_ns)

    def expect_unchanged(self) -> None:
        """Check that the file is still what it was when it was mapped.

        Raises:
            InputError: it has been changed.
        """
        if identity(os.fstat(self._handle)) != self.identity:
            raise InputError(
                f"{self.path}: this file has changed since it was loaded, and so have its arrays; load the program"
                " again, and in future write a new file instead of changing one that is in use"
            )


class CopiedFile(bytearray):
    """The bytes of a file as they were when it was read.

    Attributes:
        path: the file.
        identity: its identity at that time.
    """

    path: str
    identity: Identity


def identity(status: os.stat_result) -> Identity:
    """Numbers that change when a file is written to or replaced."""
    return status.st_dev, status.st_ino, status.st_size, status.st_mtime_ns


def is_private(status: os.stat_result) -> bool:
    """Whether only this user and the administrator may write to a file."""
    if not hasattr(os, "getuid"):
        return True
    return status.st_uid in (os.getuid(), 0) and not status.st_mode & 0o022


def read(path: str | os.PathLike[str], least: int = 0) -> np.ndarray:
    """The bytes of a file: mapped, or copied if there are fewer than `least` or others can write to it.

    Raises:
        OSError: it cannot be read.
        InputError: it is not a regular file.
    """
    handle = open_regular(path)
    file = None
    try:
        status = os.fstat(handle)
        if status.st_size < max(1, least) or not is_private(status):
            copied = CopiedFile(status.st_size)
            copied.path, copied.identity = os.fspath(path), identity(status)
            with open(handle, "rb", closefd=False) as stream:
                del copied[stream.readinto(copied) :]
            array = np.frombuffer(copied, np.uint8)
            array.flags.writeable = False
            return array
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
    return _files.get(memory) if isinstance(memory, mmap.mmap) else None


def memory_of(array: object) -> mmap.mmap | CopiedFile | None:
    """The file's memory that an array is a view of; None if there is none."""
    while array is not None and not isinstance(array, mmap.mmap | CopiedFile):
        array = array.obj if isinstance(array, memoryview) else getattr(array, "base", None)
    return array


def forget(array: np.ndarray) -> None:
    """Let the system take back the memory of an array in a mapped file, from which it is read again when it is used."""
    memory = memory_of(array)
    if isinstance(memory, mmap.mmap) and memory in _files and hasattr(mmap, "MADV_DONTNEED"):
        start = start_of(array, memory)
        first = start // mmap.PAGESIZE * mmap.PAGESIZE
        memory.madvise(mmap.MADV_DONTNEED, first, start + array.nbytes - first)


def start_of(array: np.ndarray, memory: mmap.mmap | CopiedFile) -> int:
    """The first byte of an array in a file's memory."""
    return int(array.ctypes.data - np.frombuffer(memory, np.uint8).ctypes.data)


def place_of(array: np.ndarray, largest: int) -> str | None:
    """A text that no other part of a file has, nor this one once the file has changed.

    None if the array is in no mapped file, or in one of more than `largest` bytes.
    """
    memory, file = memory_of(array), file_of(array)
    if not isinstance(memory, mmap.mmap) or file is None or file.size > largest:
        return None
    return f"{file.lasting_identity()} {start_of(array, memory)}"


def identity_of(path: str | os.PathLike[str]) -> Identity:
    """The identity of the file at a path; OSError if there is none."""
    return identity(os.stat(path))


# ---------------------------------------------------------------- arrays for other processes


@dataclass
class SameFile:
    """A file that another process maps again, if it is still the same there.

    Attributes:
        path: its absolute path.
        identity: its identity where it was pickled; on another machine, only the digest counts.
        digest: the SHA-256 of its contents.
    """

    path: str
    identity: Identity
    digest: str

    def __getstate__(self) -> dict[str, Any]:
        return {name: value for name, value in self.__dict__.items() if name != "data"}

    @cached_property
    def data(self) -> np.ndarray:
        """The file's bytes; raises InputError if it cannot be read, or has changed."""
        try:
            data = read(self.path)
            same = identity_of(self.path) == self.identity or hashlib.sha256(data.data).hexdigest() == self.digest
        except OSError as error:
            raise InputError(f"{self.path}: cannot be read in this process: {error.strerror or error}") from None
        if not same:
            raise InputError(f"{self.path}: this file has changed since the program was pickled; load it again")
        return data


@dataclass(frozen=True)
class ArrayInFile:
    """An array as a location in a file."""

    file: SameFile
    offset: int
    dtype: np.dtype
    shape: tuple[int, ...]

    def read(self) -> np.ndarray:
        """The array, as a view of the mapped file."""
        size = self.dtype.itemsize * int(np.prod(self.shape, dtype=np.int64))
        return self.file.data[self.offset : self.offset + size].view(self.dtype).reshape(self.shape)


def places_in_files() -> Callable[[np.ndarray], np.ndarray | ArrayInFile]:
    """A function that turns arrays that are views of files into their locations, and leaves others as they are.

    Raises:
        InputError: raised by that function when a file has changed since its array was read.
    """
    files: dict[str, SameFile] = {}

    def place(array: np.ndarray) -> np.ndarray | ArrayInFile:
        memory = memory_of(array)
        origin = _files.get(memory) if isinstance(memory, mmap.mmap) else memory
        if memory is None or origin is None or not array.flags.c_contiguous:
            return array
        path = os.path.abspath(origin.path)
        if path not in files:
            if not os.path.exists(path) or identity_of(path) != origin.identity:
                raise InputError(
                    f"{path}: this file has changed since it was loaded, so another process cannot map it; load the"
                    " program again"
                )
            files[path] = SameFile(path, origin.identity, hashlib.sha256(memory).hexdigest())
        return ArrayInFile(files[path], start_of(array, memory), array.dtype, array.shape)

    return place
