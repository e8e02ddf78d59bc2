"""Single arrays in numpy's format, without pickle."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from ..errors import BinarySource, InputError, ParseError

# A file of fewer bytes is read at once: one without elements cannot be mapped.
SMALL = 1 << 14


def read(path: Path) -> np.ndarray:
    """The array of a .npy file, which is read where it lies, when it is read.

    Raises:
        InputError: there is no such file, or it cannot be read.
        ParseError: it is damaged, or holds Python objects.
    """
    try:
        small = path.stat().st_size < SMALL
        array = np.load(path, mmap_mode=None if small else "r", allow_pickle=False)
    except OSError as error:
        raise InputError(f"{path}: cannot be read: {error.strerror or error}") from None
    except Exception as error:  # numpy's header is Python's text, and fails in as many ways
        raise ParseError(f"this is no array in numpy's format: {error}", BinarySource(str(path)), 0) from None
    if not isinstance(array, np.ndarray):
        raise ParseError("this is an archive of arrays, expected one array", BinarySource(str(path)), 0)
    return array
