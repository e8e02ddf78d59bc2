"""Describes a Fourier transform as transforms of all lines of a tensor, along one dimension after the other.

A line is transformed in passes, one for each factor of its length. A large prime factor p is a convolution: of p - 1
numbers in the order of a generator's powers (Rader), or with a chirp, exp(-iπj²/p), of a size that has small factors
only (Bluestein), whichever takes less. Real lines of even length are transformed as complex ones of half the length.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from itertools import accumulate, repeat
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
# What a pass takes for each number beside one of two; other primes take a part of themselves, up to the largest one
# that is no convolution, and a convolution takes more than its two transforms.
COSTS = {2: 1.0, 3: 1.4, 4: 1.2, 5: 1.8, 7: 2.6, 8: 1.7}
COST_OF_PRIME, LARGEST_PRIME, COST_OF_CONVOLUTION = 0.5, 31, 4.0
# The number of adjacent lines that fill the widest vector; fewer are used, down to LEAST_LANES, if they take more than
# MOST_BYTES, which fit a core's own cache.
LANES = {"s": 16, "d": 8}
MOST_BYTES = 1 << 20
LEAST_LANES = 4


@dataclass(frozen=True)
class Pass:
    """A pass; the fields are those of `struct pass` in fourier.c.

    If it has a size, it is a convolution, whose transforms have the `inner` passes that follow; a generator is Rader's.
    """

    factor: int
    size: int = 0
    generator: int = 0
    inner: int = 0


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
    plane: int
    passes: tuple[Pass, ...]

    @property
    def convolutions(self) -> tuple[Pass, ...]:
        return tuple(each for each in self.passes if each.size)


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
    halved = length % 2 == 0 and sides[2:] != (COMPLEX, COMPLEX)
    size = length // 2 if halved else length
    passes = passes_of(size)
    rows = max([size + halved, *(size // each.factor * each.size for each in passes)])
    number = DTYPES[letter].itemsize // 2
    count, lanes = outer * inner, LANES[letter]
    while lanes > (LEAST_LANES if inner > 1 else 1) and lanes * 4 * rows * number > MOST_BYTES:
        lanes //= 2
    lanes = min(lanes, largest(count), most or lanes)
    # Planes whose distance is a power of two would share places in a cache; a vector may be read beyond the last one.
    plane, beyond = (rows, 0) if most == 1 else (-(-rows * lanes // 16) * 16 + 80, 16)
    scratch = -(-(4 * plane + beyond) * number // 64) * 64
    return Lines(length, size, count, inner, *sides, lanes, scratch, plane, passes)


@lru_cache
def passes_of(size: int) -> tuple[Pass, ...]:
    """The passes of a transform; convolutions come last, when the most numbers are side by side."""
    factors = [factor for factor in primes_of(size) if factor != 2]
    twos = primes_of(size).count(2)
    eights = (twos - 2) // 3 if twos % 3 == 1 and twos > 1 else twos // 3
    factors += [8] * eights + {0: [], 1: [2], 2: [4], 4: [4, 4]}[twos - 3 * eights]
    direct = sorted((factor for factor in factors if is_direct(factor)), key=lambda each: (each != 8, -each))
    passes = [Pass(factor) for factor in direct]
    for factor in sorted(set(factors) - set(direct)):
        passes += convolution_of(factor) * factors.count(factor)
    return tuple(passes)


def is_direct(factor: int) -> bool:
    return factor in COSTS or factor <= LARGEST_PRIME


@lru_cache
def primes_of(number: int) -> tuple[int, ...]:
    primes, p = [], 2
    while number > 1:
        if p * p > number:
            p = number
        if number % p:
            p += 1 + (p > 2)
        else:
            primes.append(p)
            number //= p
    return tuple(primes)


def cost_of(size: int) -> float:
    """What a transform takes for each number, without convolutions."""
    return sum(COSTS.get(each.factor, COST_OF_PRIME * each.factor) for each in passes_of(size))


@lru_cache
def convolution_of(prime: int) -> tuple[Pass, ...]:
    """A prime factor as a convolution, followed by the passes of its size."""
    least = 2 * prime - 1
    powers = [3**i * 5**j * 7**k for i in range(4) for j in range(3) for k in range(2)]
    sizes = [number << max(0, (-(-least // number) - 1).bit_length()) for number in powers]
    if all(map(is_direct, primes_of(prime - 1))):
        sizes.append(prime - 1)
    size = min(sizes, key=lambda each: each * (2 * cost_of(each) + COST_OF_CONVOLUTION))
    passes = passes_of(size)
    return Pass(prime, size, generator_of(prime) if size < prime else 0, len(passes)), *passes


def generator_of(prime: int) -> int:
    """The smallest number whose powers are all numbers but 0, modulo a prime."""
    exponents = [(prime - 1) // factor for factor in set(primes_of(prime - 1))]
    return next(g for g in range(2, prime) if all(pow(g, exponent, prime) != 1 for exponent in exponents))


def roots(numbers: np.ndarray, size: int) -> np.ndarray:
    """exp(-2πi·number/size); both parts are computed from angles in the first eighth of the circle, to be accurate."""
    scaled = 4 * (numbers % size)
    quarter = (2 * scaled + size) // (2 * size)
    angle = (scaled - quarter * size) * (pi / 2 / size)
    return np.asarray(np.exp(-1j * angle) * np.array([1, -1j, -1, 1j])[quarter % 4])


def table(length: int, convolutions: Sequence[Pass], letter: str) -> np.ndarray:
    """The roots of unity; for each convolution, those of its size, a chirp, and the transform of the other operand."""
    parts = [roots(np.arange(length), length)]
    for each in convolutions:
        p, size = each.factor, each.size
        parts.append(roots(np.arange(size), size))
        if each.generator:
            inverse = pow(each.generator, -1, p)
            powers = accumulate(repeat(inverse, p - 2), lambda power, by: power * by % p, initial=1)
            around = roots(np.fromiter(powers, np.int64, p - 1), p)
        else:
            numbers = np.arange(p)
            chirp = roots(numbers * numbers, 2 * p)
            around = np.zeros(size, complex)
            around[:p] = chirp.conj()
            around[size - p + 1 :] = chirp[1:][::-1].conj()
            parts.append(chirp)
        parts.append(np.fft.fft(around) / size)
    return np.concatenate(parts).astype(DTYPES[letter])
