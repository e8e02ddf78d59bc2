"""Describes a Fourier transform as transforms of all lines of a tensor, along one dimension after the other.

A line whose length has a large prime factor is transformed as a convolution with a chirp, exp(-iπj²/n), whose size has
small factors only (Bluestein).
"""

from __future__ import annotations

from functools import lru_cache
from math import pi, prod

import numpy as np

from ..ir import ComplexType, Op, ScalarType, TensorType
from ..ir.dtypes import static_shape
from ..ir.sizes import largest
from ..ops import Trait, has
from ..ops.attributes import plain
from ..records import dataclass

LETTERS = {"f32": "s", "f64": "d"}
DTYPES: dict[str, np.dtype] = {"s": np.dtype(np.complex64), "d": np.dtype(np.complex128)}
COMPLEX, REAL, HALF = range(3)
# A prime factor p takes about 4p operations per number; for this p, as many as the convolution with a chirp.
LARGEST_FACTOR = 31
# The number of adjacent lines that fill the widest vector; fewer are used, down to LEAST_LANES, if they take more than
# MOST_BYTES, which fit a core's own cache.
LANES = {"s": 16, "d": 8}
MOST_BYTES = 1 << 20
LEAST_LANES = 4


@dataclass(frozen=True)
class Lines:
    """The transforms of all lines along one dimension; the fields are those of `struct lines` in fourier.c."""

    length: int
    size: int
    count: int
    inner: int
    before: int
    after: int
    source: int
    target: int
    lanes: int
    scratch: int
    factors: tuple[int, ...]


@dataclass(frozen=True)
class Transform:
    """A transform: its dimensions in order, and the bytes of the intermediate array if the result cannot hold it."""

    letter: str
    inverse: bool
    lines: tuple[Lines, ...]
    between: int

    @property
    def flops(self) -> int:
        """The usual estimate, 5·n·log2(n) for a line."""
        return sum(v.count * int(5 * v.length * np.log2(max(2, v.length))) for v in self.lines)


def transform_of(op: Op, lanes: int | None = None) -> Transform | None:
    """An fft as a Transform; None for another op, and for an invalid one, which its host rule reports.

    At most so many lines are transformed at a time; None: as many as are fastest.
    """
    if not has(op, Trait.FOURIER):
        return None
    types = op.operands[0].type, op.results[0].type
    kind, lengths = str(plain(op.attributes["fft_type"])), tuple(map(int, plain(op.attributes["fft_length"])))
    elements = [t.element for t in types if isinstance(t, TensorType)]
    scalars = {e.element if isinstance(e, ComplexType) else e for e in elements}
    if len(elements) < 2 or len(scalars) > 1:
        return None
    before, after = map(static_shape, types)
    (scalar,) = scalars
    if not isinstance(scalar, ScalarType) or scalar.name not in LETTERS:
        return None
    letter, rank = LETTERS[scalar.name], len(before)
    if not prod(before):
        return None if prod(after) else Transform(letter, False, (), 0)
    dimensions = list(range(rank - len(lengths), rank))
    order = dimensions if kind == "IRFFT" else dimensions[::-1]
    shape = before if kind == "IRFFT" else after
    lines = []
    for d in order:
        length = lengths[d - rank]
        sides = length, length, COMPLEX, COMPLEX
        if d == rank - 1 and kind == "RFFT":
            sides = length, after[d], REAL, COMPLEX
        if d == rank - 1 and kind == "IRFFT":
            sides = before[d], length, HALF, REAL
        lines.append(lines_of(letter, length, prod(shape[:d]), prod(shape[d + 1 :]), sides, lanes))
    between = prod(before) * DTYPES[letter].itemsize if kind == "IRFFT" and len(order) > 1 else 0
    return Transform(letter, kind in ("IFFT", "IRFFT"), tuple(lines), between)


def lines_of(
    letter: str, length: int, outer: int, inner: int, sides: tuple[int, int, int, int], most: int | None
) -> Lines:
    size = length
    if max(factors_of(length), default=1) > LARGEST_FACTOR:
        size = smooth(2 * length - 1)
    count, lanes, bytes_of_lane = outer * inner, LANES[letter], 2 * size * DTYPES[letter].itemsize
    while lanes > (LEAST_LANES if inner > 1 else 1) and lanes * bytes_of_lane > MOST_BYTES:
        lanes //= 2
    lanes = min(lanes, largest(count), most or lanes)
    scratch = -(-lanes * bytes_of_lane // 64) * 64
    return Lines(length, size, count, inner, *sides, lanes, scratch, factors_of(size))


@lru_cache
def factors_of(number: int) -> tuple[int, ...]:
    """The factors of a transform's passes: as many 4s as possible, then primes."""
    factors, p = [], 4
    while number > 1:
        if p * p > number and p != 4:
            p = number
        if number % p:
            p = {4: 2, 2: 3}.get(p, p + 2)
        else:
            factors.append(p)
            number //= p
    return tuple(factors)


def smooth(least: int) -> int:
    """The smallest number that is at least `least` and has no prime factor greater than 5."""
    exponents = range(least.bit_length())
    odd = (int(3**i * 5**j) for i in exponents for j in exponents)
    return min(number << max(0, (-(-least // number) - 1).bit_length()) for number in odd)


def roots(numbers: np.ndarray, size: int) -> np.ndarray:
    """exp(-2πi·number/size); both parts are computed from angles in the first eighth of the circle, to be accurate."""
    scaled = 4 * (numbers % size)
    quarter = (2 * scaled + size) // (2 * size)
    angle = (scaled - quarter * size) * (pi / 2 / size)
    return np.asarray(np.exp(-1j * angle) * np.array([1, -1j, -1, 1j])[quarter % 4])


def table(length: int, size: int, letter: str) -> np.ndarray:
    """The roots of unity of the size; for a convolution, also the chirp and the transform of its conjugate."""
    parts = [roots(np.arange(size), size)]
    if size != length:
        numbers = np.arange(length)
        chirp = roots(numbers * numbers, 2 * length)
        around = np.zeros(size, complex)
        around[:length] = chirp.conj()
        around[size - length + 1 :] = chirp[1:][::-1].conj()
        parts += [chirp, np.fft.fft(around) / size]
    return np.concatenate(parts).astype(DTYPES[letter])
