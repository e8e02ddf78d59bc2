"""A program applied to any number of rows, in pieces of few sizes, since it is compiled for each size."""

from __future__ import annotations

import time
from collections.abc import Sequence

import numpy as np

from ..errors import InputError
from .arguments import Argument, random_array
from .program import Program

# The size of open dimensions other than that of the rows, for made-up arguments.
MADE_UP = 8
# The overhead of a call in seconds: rows are joined, cut and passed to another thread and back.
CALL = 1e-3
# How much longer a call may take per row than the fastest size does, since answers for fewer rows are ready earlier.
SLOWER = 1.03
# A program that takes less than this many seconds is measured several times.
QUICK = 0.02


class Rows:
    """A program whose arguments and results all have the rows as their first dimension.

    Args:
        program: the program. Either its first dimensions are open, or all have one size.
        most: the most rows in a piece, if they are open.

    Attributes:
        sizes: the sizes of pieces; the last piece is padded by copies of its last row.
        seconds: how long a call of each size takes, once `measure` has measured it.

    Raises:
        InputError: an argument or a result has no such dimension.
    """

    def __init__(self, program: Program, most: int = 64) -> None:
        self.program = program
        first = {(argument.shape[:1], argument.dimensions[:1]) for argument in (*program.inputs, *program.outputs)}
        shapes, names = {shape for shape, _ in first}, {name for _, name in first if name}
        if len(shapes) != 1 or () in shapes or len(names) > 1 or not program.inputs:
            listed = "".join(f"\n  {argument}" for argument in (*program.inputs, *program.outputs))
            raise InputError(f"the program's arguments and results have no first dimension in common:{listed}")
        (size,) = shapes.pop()
        powers = [1 << i for i in range(most.bit_length()) if 1 << i < most]
        self.sizes: tuple[int, ...] = (*powers, most) if size is None else (size,)
        self.open = size is None
        self.seconds: dict[int, float] = {}

    def __call__(self, arrays: Sequence[np.ndarray]) -> list[np.ndarray]:
        """The results for these rows; raises InputError if the arrays do not fit, or have no rows."""
        count, at = self.count(arrays), 0
        if not count:
            raise InputError("there are no rows")
        pieces = []
        for size in self.pieces(count):
            pieces.append(self._run([array[at : at + size] for array in arrays], size))
            at += size
        return pieces[0] if len(pieces) == 1 else [np.concatenate(parts) for parts in zip(*pieces)]

    def count(self, arrays: Sequence[np.ndarray]) -> int:
        """How many rows the arrays have; raises InputError if they differ."""
        counts = [len(array) for array in arrays]
        for argument, count in zip(self.program.inputs, counts):
            if count != counts[0]:
                first = self.program.inputs[0].name or "the first argument"
                raise InputError(f"{argument.name or 'an argument'} has {count} rows, but {first} has {counts[0]}")
        return counts[0]

    def pieces(self, count: int) -> list[int]:
        """The sizes of the pieces for this many rows; the last one may be padded.

        It is if that takes less time than smaller pieces do; until times are measured, if padding adds at most a third.
        """
        found, left = [], count
        while left > 0:
            above = next((size for size in self.sizes if size >= left), self.sizes[-1])
            below = max((size for size in self.sizes if size <= left), default=above)
            if self.seconds:
                is_padded = self.seconds[above] <= self._seconds_of(left, below)
            else:
                is_padded = 3 * (above - left) <= left
            found.append(above if is_padded else below)
            left -= found[-1]
        return found

    def next_size(self, count: int) -> int:
        """How many of this many waiting rows a call should take: the largest piece, or a smaller one as fast."""
        largest = max(self.pieces(count))
        each = {size: seconds / size for size, seconds in self.seconds.items() if size <= largest}
        return next((size for size in each if each[size] <= SLOWER * min(each.values())), largest)

    def _seconds_of(self, count: int, first: int) -> float:
        """How long the pieces take if the first has this many rows."""
        return self.seconds[first] + sum(self.seconds[size] for size in self.pieces(count - first))

    def measure(self) -> None:
        """Compile the program for all sizes, and note how long each takes. The other dimensions are known."""
        seconds = {}
        for size in self.sizes:
            arrays = self.made_up(size)
            self.program.numpy_one_by_one(arrays)
            times = list[float]()
            while not times or (times[0] < QUICK and len(times) < 5):
                begin = time.perf_counter()
                self.program.numpy_one_by_one(arrays)
                times.append(time.perf_counter() - begin)
            seconds[size] = min(times) + CALL
        self.seconds = seconds

    def _run(self, arrays: Sequence[np.ndarray], size: int) -> list[np.ndarray]:
        missing = size - len(arrays[0])
        if missing:
            arrays = [np.concatenate([array, np.repeat(array[-1:], missing, axis=0)]) for array in arrays]
        return [result[: size - missing] for result in self.program.numpy_one_by_one(arrays)]

    def made_up(self, size: int) -> list[np.ndarray]:
        """Random arguments with this many rows."""
        generator = np.random.RandomState(0)
        return [random_array((size, *known_sizes(a)[1:]), a.dtype, generator) for a in self.program.inputs]

    def are_independent(self) -> bool:
        """Whether a row's results are bit-identical whatever the other rows are; this runs made-up rows.

        A program that normalises over a batch, say, has to see all rows of it, and no others.

        Raises:
            Exception: made-up rows cannot be run.
        """
        size = next((size for size in self.sizes if size > 1), 1)
        one, other = self.made_up(size), [array[::-1].copy() for array in self.made_up(2 * size)]
        expected = self.program.numpy_one_by_one(one)
        for kept in {0, size - 1}:
            changed = [array[:size].copy() for array in other]
            for array, row in zip(changed, one):
                array[kept] = row[kept]
            found = self.program.numpy_one_by_one(changed)
            if any(len(y) != size or y[kept].tobytes() != x[kept].tobytes() for x, y in zip(expected, found)):
                return False
        return True


def known_sizes(argument: Argument) -> tuple[int, ...]:
    return tuple(MADE_UP if size is None else size for size in argument.shape)
