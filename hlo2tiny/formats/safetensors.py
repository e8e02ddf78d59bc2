"""Files of named arrays, .safetensors: eight bytes with the size of a JSON header, the header, the arrays' bytes.

https://huggingface.co/docs/safetensors/index#format. Arrays are views of the mapped file, which the format's own
package does not offer for numpy.
"""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from functools import lru_cache
from math import prod
from typing import Any

import ml_dtypes
import numpy as np

from ..errors import BinarySource, InputError, ParseError
from ..output import json_bytes, written
from . import mapped

# numpy's dtypes by their names in the header.
DTYPES: dict[str, np.dtype] = {
    "BOOL": np.dtype(np.bool_),
    **{f"{letter}{8 * size}": np.dtype(f"<{letter.lower()}{size}") for letter in "IU" for size in (1, 2, 4, 8)},
    **{f"F{8 * size}": np.dtype(f"<f{size}") for size in (2, 4, 8)},
    "C64": np.dtype("<c8"),
    "BF16": np.dtype(ml_dtypes.bfloat16),
    "F8_E4M3": np.dtype(ml_dtypes.float8_e4m3fn),
    "F8_E5M2": np.dtype(ml_dtypes.float8_e5m2),
    "F8_E8M0": np.dtype(ml_dtypes.float8_e8m0fnu),
    "F8_E4M3FNUZ": np.dtype(ml_dtypes.float8_e4m3fnuz),
    "F8_E5M2FNUZ": np.dtype(ml_dtypes.float8_e5m2fnuz),
}
NAMES = {dtype: name for name, dtype in DTYPES.items()}
# The format's own limit for a header.
LARGEST_HEADER = 100_000_000
# The header's end, and so the first array, is at a multiple of this.
ALIGNMENT = 64


def read(path: str | os.PathLike[str]) -> dict[str, np.ndarray]:
    """The arrays of a file by name, as views of the mapped file.

    Raises:
        InputError: there is no such file, or it cannot be read.
        ParseError: it is damaged, or not of this format.
    """
    try:
        return dict(arrays_of(os.path.abspath(path), mapped.identity_of(path)))
    except OSError as error:
        raise InputError(f"{path}: the weights cannot be read: {error.strerror or error}") from None


@lru_cache(maxsize=2)
def arrays_of(path: str, _identity: mapped.Identity) -> Mapping[str, np.ndarray]:
    data = mapped.read(path)
    size = data.size
    source = BinarySource(path)
    if size < 8:
        raise ParseError(f"the file has {size} bytes, expected at least 8 for its header's size", source, size)
    length = int.from_bytes(data[:8].tobytes(), "little")
    if length > min(size - 8, LARGEST_HEADER):
        raise ParseError(
            f"the header would have {length:,} bytes, the file has {size:,}; is this a complete .safetensors file?",
            source,
            0,
        )
    try:
        header = json.loads(data[8 : 8 + length].tobytes(), object_pairs_hook=without_repeats)
    except (ValueError, RecursionError) as error:
        raise ParseError(f"the header is not JSON: {error}", source, 8) from None
    if not isinstance(header, dict):
        raise ParseError("the header is not a JSON object", source, 8)
    header.pop("__metadata__", None)
    arrays = {}
    for name, entry in header.items():
        try:
            arrays[name] = array(entry, data[8 + length :])
        except ValueError as error:
            raise ParseError(f"the array {name!r:.80}: {error}", source, 8) from None
    return arrays


def array(entry: object, data: np.ndarray) -> np.ndarray:
    """The array that an entry of the header describes; ValueError if the entry is invalid."""
    match entry:
        case {"dtype": str(kind), "shape": list(shape), "data_offsets": [int(begin), int(end)], **rest} if not rest:
            if any(not isinstance(d, int) or isinstance(d, bool) or not 0 <= d < 1 << 48 for d in shape):
                raise ValueError(f"its shape {str(shape)[:80]} is invalid")
            if kind not in DTYPES:
                raise ValueError(f"its type is {kind[:20]!r}, expected one of {', '.join(DTYPES)}")
            dtype = DTYPES[kind]
            if not 0 <= begin <= end <= data.size:
                raise ValueError(f"its bytes {begin:,} to {end:,} are outside the {data.size:,} bytes of data")
            if len(shape) > 64 or prod(shape) * dtype.itemsize != end - begin:
                raise ValueError(f"it has {end - begin:,} bytes, which do not fit {kind} of shape {str(shape)[:80]}")
            piece = data[begin:end]
            if piece.ctypes.data % dtype.itemsize:
                piece = piece.copy()
            return piece.view(dtype).reshape(shape)
    raise ValueError(f'found {str(entry)[:80]}, expected {{"dtype": …, "shape": […], "data_offsets": [begin, end]}}')


def without_repeats(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    entries = dict(pairs)
    if len(entries) != len(pairs):
        raise ValueError("a name occurs twice")
    return entries


def storable(array: np.ndarray) -> np.ndarray:
    """The array, or its bytes if the format lacks its dtype."""
    return array if array.dtype in NAMES else np.ascontiguousarray(array).reshape(-1).view(np.uint8)


def header_of(arrays: Mapping[str, np.ndarray], metadata: Mapping[str, str]) -> tuple[bytes, dict[str, int]]:
    """What a file of these arrays, in this order, begins with, and where in the file each of them begins."""
    entries: dict[str, Any] = {"__metadata__": dict(metadata)} if metadata else {}
    offsets, at = {}, 0
    for name, value in arrays.items():
        offsets[name], end = at, at + value.nbytes
        entries[name] = {"dtype": NAMES[value.dtype], "shape": list(value.shape), "data_offsets": [at, end]}
        at = end
    text = json_bytes(entries)
    text += b" " * (-(8 + len(text)) % ALIGNMENT)
    return len(text).to_bytes(8, "little") + text, {name: 8 + len(text) + place for name, place in offsets.items()}


def write(
    path: str | os.PathLike[str], arrays: Mapping[str, np.ndarray], metadata: Mapping[str, str] = {}
) -> dict[str, int]:
    """Write arrays by name: the whole file, or nothing if that fails. Return the offset of each, in bytes.

    Raises:
        InputError: the format does not support an array's dtype, or the file cannot be written.
    """
    for name, value in arrays.items():
        if value.dtype not in NAMES:
            raise InputError(f"{name} is {value.dtype}, a dtype that .safetensors does not support; embed it instead")
    # Arrays of large items come first, so that all are aligned without gaps, which the format forbids.
    ordered = dict(sorted(arrays.items(), key=lambda pair: -pair[1].dtype.itemsize))
    header, offsets = header_of(ordered, metadata)
    with written(path) as file:
        file.write(header)
        for value in ordered.values():
            file.write(np.ascontiguousarray(value).reshape(-1).view(np.uint8).data)
    return offsets
