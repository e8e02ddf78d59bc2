"""Fourier transforms as transforms of all lines of a tensor along one dimension after the other.

A length with a large prime factor is transformed as a convolution with a chirp, exp(-iπj²/n), of a size with none
(Bluestein).
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from math import pi, prod

import numpy as np

from ..ir import ComplexType, Op, ScalarType, TensorType
from ..ir.dtypes import static_shape
from ..ops import Trait, has
from ..ops.attributes import plain

LETTERS = {"f32": "s", "f64": "d"}
DTYPES: dict[str, np.dtype] = {"s": np.dtype(np.complex64), "d": np.dtype(np.complex128)}
COMPLEX, REAL, HALF = range(3)
# A prime factor p takes about 4p operations for each number; the way around it takes as many as this one.
LARGEST_FACTOR = 31
# Lines side by side fill the widest vector; what they take should fit a core's own cache.
LANES = {"s": 16, "d": 8}
MOST_BYTES = 1 << 20
LEAST_LANES = 4


@dataclass(frozen=True)
class Lines:
    """The transforms of all lines along one dimension, as fourier.c has them."""

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
    """A transform: its dimensions in turn, and the bytes of what lies between them if the result cannot hold it."""

    letter: str
    inverse: bool
    lines: tuple[Lines, ...]
    between: int

    @property
    def flops(self) -> int:
        """As many as a transform of this length is said to take."""
        return sum(int(5 * v.count * v.length * np.log2(max(2, v.length))) for v in self.lines)


def transform_of(op: Op) -> Transform | None:
    """An fft as a Transform; None for another op, and where it breaks a rule, which its host rule says."""
    if not has(op, Trait.FOURIER):
        return None
    types = op.operands[0].type, op.results[0].type
    attributes = op.attributes
    kind, lengths = str(plain(attributes["fft_type"])), tuple(int(n) for n in plain(attributes["fft_length"]))
    if not all(isinstance(t, TensorType) for t in types):
        return None
    before, after = map(static_shape, types)
    elements = [t.element for t in types if isinstance(t, TensorType)]
    scalars = {e.element if isinstance(e, ComplexType) else e for e in elements}
    scalar = scalars.pop()
    if scalars or not isinstance(scalar, ScalarType) or scalar.name not in LETTERS:
        return None
    letter, rank = LETTERS[scalar.name], len(before)
    if not prod(before):
        return None if prod(after) else Transform(letter, False, (), 0)
    dimensions = list(range(rank - len(lengths), rank))
    turns = dimensions if kind == "IRFFT" else dimensions[::-1]
    shape = before if kind == "IRFFT" else after
    found = []
    for d in turns:
        length = lengths[d - rank]
        sides = length, length, COMPLEX, COMPLEX
        if d == rank - 1 and kind == "RFFT":
            sides = length, after[d], REAL, COMPLEX
        if d == rank - 1 and kind == "IRFFT":
            sides = before[d], length, HALF, REAL
        found.append(lines_of(letter, length, prod(shape[:d]), prod(shape[d + 1 :]), sides))
    between = prod(before) * DTYPES[letter].itemsize if kind == "IRFFT" and len(turns) > 1 else 0
    return Transform(letter, kind in ("IFFT", "IRFFT"), tuple(found), between)


def lines_of(letter: str, length: int, outer: int, inner: int, sides: tuple[int, int, int, int]) -> Lines:
    size = length
    if max(factors_of(length), default=1) > LARGEST_FACTOR:
        size = smooth(2 * length - 1)
    count, lanes, bytes_of_lane = outer * inner, LANES[letter], 2 * size * DTYPES[letter].itemsize
    while lanes > (LEAST_LANES if inner > 1 else 1) and lanes * bytes_of_lane > MOST_BYTES:
        lanes //= 2
    lanes = min(lanes, count)
    scratch = -(-lanes * bytes_of_lane // 64) * 64
    return Lines(length, size, count, inner, *sides, lanes, scratch, factors_of(size))


@lru_cache
def factors_of(number: int) -> tuple[int, ...]:
    """The factors that a transform's passes have: 4 before what is prime."""
    found, p = [], 4
    while number > 1:
        if p * p > number and p != 4:
            p = number
        if number % p:
            p = {4: 2, 2: 3}.get(p, p + 2)
        else:
            found.append(p)
            number //= p
    return tuple(found)


def smooth(least: int) -> int:
    """The smallest number from `least` on that has no prime factor beyond 5."""
    best = 1 << (least - 1).bit_length()
    fives = 1
    while fives < best:
        threes = fives
        while threes < best:
            best = min(best, threes << max(0, (-(-least // threes) - 1).bit_length()))
            threes *= 3
        fives *= 5
    return best


def roots(numbers: np.ndarray, size: int) -> np.ndarray:
    """exp(-2πi·number/size), each part as exact as its sine or cosine in the first eighth of the circle."""
    turned = 4 * (numbers % size)
    quarter = (2 * turned + size) // (2 * size)
    angle = (turned - quarter * size) * (pi / 2 / size)
    return np.asarray(np.exp(-1j * angle) * np.array([1, -1j, -1, 1j])[quarter % 4])


def table(length: int, size: int, letter: str) -> np.ndarray:
    """The roots of unity of the size; for a chirp, that, and the transform of the conjugate that it meets."""
    found = [roots(np.arange(size), size)]
    if size != length:
        numbers = np.arange(length)
        chirp = roots(numbers * numbers, 2 * length)
        around = np.zeros(size, complex)
        around[:length] = chirp.conj()
        around[size - length + 1 :] = chirp[1:][::-1].conj()
        found += [chirp, np.fft.fft(around) / size]
    return np.concatenate(found).astype(DTYPES[letter])
