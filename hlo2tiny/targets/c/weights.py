"""The weights of a program in C, in a file of their own."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence
from functools import cached_property

import numpy as np

from ...formats import safetensors
from ...plan.memory import ALIGNMENT
from ...records import dataclass
from .writing import MARK


@dataclass(frozen=True)
class Weights:
    """The file of a program's constants, in the format .safetensors, which begins with what identifies them."""

    constants: Sequence[np.ndarray]

    @cached_property
    def arrays(self) -> dict[str, np.ndarray]:
        """By name, in the file's order, which aligns each for its elements, and large ones usually to 64 bytes."""
        given = self.constants
        order = sorted(range(len(given)), key=lambda i: (given[i].nbytes % ALIGNMENT != 0, -given[i].dtype.itemsize))
        return {f"constant{i}": safetensors.storable(given[i]) for i in order}

    @cached_property
    def header_and_offsets(self) -> tuple[bytes, dict[str, int]]:
        digest = hashlib.sha256()
        for array in self.arrays.values():
            digest.update(data_of(array))
        return safetensors.header_of(self.arrays, {"hlo2tiny": f"{MARK}: {digest.hexdigest()}"})

    @property
    def identity(self) -> bytes:
        header, _ = self.header_and_offsets
        return header[: header.index(MARK.encode()) + len(MARK) + 2 + 64]

    @property
    def offsets(self) -> list[int]:
        _, offsets = self.header_and_offsets
        return [offsets[f"constant{i}"] for i in range(len(self.constants))]

    @property
    def size(self) -> int:
        header, _ = self.header_and_offsets
        return len(header) + sum(array.nbytes for array in self.constants)

    def parts(self) -> Iterator[bytes | memoryview]:
        """The contents of the file, in pieces."""
        yield self.header_and_offsets[0]
        for array in self.arrays.values():
            yield data_of(array)


def data_of(array: np.ndarray) -> memoryview:
    return np.ascontiguousarray(array).reshape(-1).view(np.uint8).data
