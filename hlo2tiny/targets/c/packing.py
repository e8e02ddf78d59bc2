"""Matrices that many calls read: their columns are copied to panels once, which products then read in order."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from ...records import dataclass
from ..arrays import allocate_aligned


@dataclass(frozen=True)
class Packing:
    """How a matrix is stored in an array, and the panels of `width` columns to which it is copied; zeros fill the last.

    `row` and `column` are the strides of rows and columns in elements. The matrix has all elements of the array.
    """

    depth: int
    columns: int
    row: int
    column: int
    width: int

    def pack(self, array: np.ndarray) -> np.ndarray:
        """The panels of an array: panels × depth × width."""
        count = -(-self.columns // self.width)
        packed = allocate_aligned(count * self.depth * self.width, array.dtype).reshape(count, self.depth, self.width)
        for columns, panel in self._pairs(array, packed):
            panel[:, : columns.shape[1]] = columns
            panel[:, columns.shape[1] :] = 0
        return packed

    def unpack(self, packed: np.ndarray, shape: tuple[int, ...]) -> np.ndarray:
        """The array of this shape whose panels these are."""
        array = np.empty(shape, packed.dtype)
        for columns, panel in self._pairs(array, packed.reshape(-1, self.depth, self.width)):
            columns[...] = panel[:, : columns.shape[1]]
        return array

    def _pairs(self, array: np.ndarray, packed: np.ndarray) -> Iterator[tuple[np.ndarray, np.ndarray]]:
        """For each panel, its columns in the array, and the panel."""
        steps = self.row * array.itemsize, self.column * array.itemsize
        matrix = np.lib.stride_tricks.as_strided(array, (self.depth, self.columns), steps)
        for i, panel in enumerate(packed):
            yield matrix[:, i * self.width : (i + 1) * self.width], panel


def width_of(columns: int, lanes: int, vectors: int) -> int:
    """The width of panels of at most this many vectors, about equal."""
    total = -(-columns // lanes)
    return -(-total // -(-total // vectors)) * lanes
