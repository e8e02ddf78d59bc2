"""Single arrays in numpy's format, without pickle."""

from __future__ import annotations

import io
from math import prod
from pathlib import Path

import numpy as np

from ..errors import BinarySource, InputError, ParseError
from . import mapped

# A file of fewer bytes is copied: an empty one cannot be mapped.
SMALL = 1 << 14
# numpy's own limit is a sixth of this.
LARGEST_HEADER = 1 << 16
HEADERS = {(1, 0): np.lib.format.read_array_header_1_0, (2, 0): np.lib.format.read_array_header_2_0}


def read(path: Path) -> np.ndarray:
    """The array of a .npy file, mapped into memory unless the file is small.

    Raises:
        InputError: there is no such file, or it cannot be read.
        ParseError: it is damaged, or holds Python objects.
    """
    source = BinarySource(str(path))
    try:
        data = mapped.read(path, least=SMALL)
    except OSError as error:
        raise InputError(f"{path}: cannot be read: {error.strerror or error}") from None
    try:
        file = io.BytesIO(data[:LARGEST_HEADER].tobytes())
        version = np.lib.format.read_magic(file)
        if version not in HEADERS:
            raise ValueError(f"its format has version {version}, expected one of {', '.join(map(str, HEADERS))}")
        shape, fortran, dtype = HEADERS[version](file)
        if dtype.hasobject:
            raise ValueError("it holds Python objects")
        count, rest = prod(shape), data[file.tell() :]
        if rest.size < count * dtype.itemsize:
            raise ValueError(f"found {rest.size:,} bytes, too few for {dtype} of shape {list(shape)}")
        array = np.frombuffer(rest, dtype, count) if count else np.empty(0, dtype)
        return array.reshape(shape, order="F" if fortran else "C")
    except Exception as error:  # numpy's header is Python source, and parsing it fails in many ways
        raise ParseError(f"this is not an array in numpy's format: {error}", source, 0) from None
