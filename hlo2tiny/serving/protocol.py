"""What the Open Inference Protocol says about tensors, however they are transported.

https://github.com/kserve/open-inference-protocol; binary data is its extension "binary_tensor_data".
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import field
from math import prod
from typing import Any

import ml_dtypes
import numpy as np

from ..errors import printable_name
from ..program.arguments import Argument
from ..records import dataclass

# numpy's dtypes by their names in the protocol. BF16 is Triton's; no program takes BYTES, which is text.
DTYPES: dict[str, np.dtype] = {
    "BOOL": np.dtype(np.bool_),
    **{f"UINT{bits}": np.dtype(f"<u{bits // 8}") for bits in (8, 16, 32, 64)},
    **{f"INT{bits}": np.dtype(f"<i{bits // 8}") for bits in (8, 16, 32, 64)},
    **{f"FP{bits}": np.dtype(f"<f{bits // 8}") for bits in (16, 32, 64)},
    "BF16": np.dtype(ml_dtypes.bfloat16),
}
# The types of JSON's values that a kind of dtype takes, and what to call them; others take numbers.
TAKEN: dict[str, tuple[set[type], str]] = {
    "b": ({bool}, "true and false"),
    **dict.fromkeys("iu", ({int}, "integers")),
}
NAMES = {dtype: name for name, dtype in DTYPES.items()}
EXTENSIONS = ["binary_tensor_data"]

# What a request can end with, as HTTP's status.
OK, BAD, UNKNOWN, TOO_LARGE, FAILED, BUSY, LATE = 200, 400, 404, 413, 500, 503, 504
LEFT = 499  # the client has gone, which proxies write in their logs
# A message is cut to this many characters: it may contain names from a request, and gRPC sends it as a header.
MOST_CHARACTERS = 1000


class Refused(Exception):
    """A request that gets an error.

    Args:
        status: one of HTTP's.
        message: why, for the client.
    """

    def __init__(self, status: int, message: str) -> None:
        cut = message if len(message) <= MOST_CHARACTERS else f"{message[: MOST_CHARACTERS - 1]}…"
        super().__init__(printable_name(cut))
        self.status = status


@dataclass(frozen=True)
class Tensor:
    """A tensor as a request or a response holds it.

    Attributes:
        data: its bytes, little-endian and in row-major order; or its finite elements in lists, flat or nested.
    """

    name: str
    datatype: str
    shape: tuple[int, ...]
    data: Any


@dataclass
class Inference:
    """A request for inference.

    Attributes:
        outputs: the names of the requested results; () means all.
    """

    model: str
    version: str
    id: str
    inputs: Sequence[Tensor]
    outputs: Sequence[str] = field(default=())


def arrays_of(tensors: Sequence[Tensor], expected: Mapping[str, Argument]) -> list[np.ndarray]:
    """The arrays of a request in the order of the program's arguments.

    Raises:
        Refused: a name, datatype, shape or size is not what the program takes.
    """
    given: dict[str, Tensor] = {}
    for tensor in tensors:
        if tensor.name not in expected:
            raise Refused(BAD, f"there is no input {tensor.name!r}; the model takes {', '.join(expected)}")
        if tensor.name in given:
            raise Refused(BAD, f"input {tensor.name!r} is given twice")
        given[tensor.name] = tensor
    for name in expected:
        if name not in given:
            raise Refused(BAD, f"input {name!r} is missing; the model takes {', '.join(expected)}")
    return [array_of(given[name], argument) for name, argument in expected.items()]


def array_of(tensor: Tensor, expected: Argument) -> np.ndarray:
    """The array of a tensor; raises Refused if it is not one that the argument takes."""
    datatype = NAMES[expected.dtype]
    if tensor.datatype != datatype:
        raise Refused(BAD, f"input {tensor.name!r} has the datatype {tensor.datatype!r}, expected {datatype}")
    if not all(0 <= size < 1 << 40 for size in tensor.shape) or not expected.takes(tensor.shape):
        wanted = f"{list(shape_of(expected))}{', where -1 is any size' if None in expected.shape else ''}"
        raise Refused(BAD, f"input {tensor.name!r} has the shape {list(tensor.shape)}, expected {wanted}")
    count = prod(tensor.shape)
    if isinstance(tensor.data, bytes | bytearray | memoryview):
        size = count * expected.dtype.itemsize
        if len(tensor.data) != size:
            raise Refused(
                BAD,
                f"input {tensor.name!r} has {len(tensor.data):,} bytes, its shape {list(tensor.shape)} needs {size:,}",
            )
        array = np.frombuffer(tensor.data, expected.dtype)
        if expected.dtype.kind == "b" and np.max(array.view(np.uint8), initial=0) > 1:
            raise Refused(BAD, f"input {tensor.name!r} is BOOL, but has bytes other than 0 and 1")
        return array.reshape(tensor.shape)
    return elements_of(tensor, count, expected.dtype).reshape(tensor.shape)


def elements_of(tensor: Tensor, count: int, dtype: np.dtype) -> np.ndarray:
    """The elements of a tensor that come as lists of numbers; raises Refused if the dtype does not hold them."""
    what = f"the data of input {tensor.name!r}"
    found = np.asarray(tensor.data, object)
    kinds: set[type] = set(map(type, found.flat))
    if list in kinds:
        raise Refused(BAD, f"{what} is neither a list of numbers nor nested lists of equal lengths")
    if found.size != count or (found.ndim != 1 and found.shape != tensor.shape):
        wanted = f"{list(tensor.shape)} or [{count}]"
        raise Refused(BAD, f"input {tensor.name!r} has data of the shape {list(found.shape)}, expected {wanted}")
    if not count:
        return np.empty(0, dtype)
    taken, wanted = TAKEN.get(dtype.kind, ({int, float}, "numbers"))
    if not kinds <= taken:
        raise Refused(BAD, f"{what} holds values other than {wanted} of {tensor.datatype}")
    beyond = Refused(BAD, f"{what} holds numbers out of range for {tensor.datatype}")
    if dtype.kind in "biu":
        limits = np.iinfo(np.uint8 if dtype.kind == "b" else dtype)
        if found.min() < limits.min or found.max() > limits.max:
            raise beyond
        return found.astype(dtype)
    try:
        with np.errstate(over="ignore"):
            numbers = found.astype(np.float64).astype(dtype)
    except OverflowError:  # an integer beyond all floats
        raise beyond from None
    if not np.isfinite(numbers).all():
        raise beyond
    return numbers


def shape_of(argument: Argument) -> tuple[int, ...]:
    """A shape as the protocol writes it, with -1 for open dimensions."""
    return tuple(-1 if size is None else size for size in argument.shape)


def metadata_of(name: str, argument: Argument) -> dict[str, Any]:
    return {"name": name, "datatype": NAMES[argument.dtype], "shape": list(shape_of(argument))}
