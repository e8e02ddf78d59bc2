"""Describes a Fourier transform as transforms of all lines of a tensor, along one dimension after the other.

A line is transformed in passes, one for each factor of its length. A large prime factor p is a convolution: of p - 1
numbers in the order of a generator's powers (Rader), or with a chirp, exp(-iπj²/p), of a size that has small factors
only (Bluestein), whichever takes less. Real lines of even length are transformed as complex ones of half the length.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from functools import lru_cache
from math import pi, prod

import numpy as np

from ..ir import ComplexType, IntegerAttr, Op, ScalarType, TensorType
from ..ir.dtypes import static_shape
from ..ir.rewrite import free_values
from ..ir.sizes import largest
from ..ops import Trait, has
from ..ops.attributes import plain
from ..records import dataclass
from ..rules.fft import FFT_ALONG
from .gemm import order_of

LETTERS = {"f32": "s", "f64": "d"}
DTYPES: dict[str, np.dtype] = {"s": np.dtype(np.complex64), "d": np.dtype(np.complex128)}
COMPLEX, REAL, HALF = range(3)
# Nanoseconds that a pass takes for each number of f32, as measured; of another prime factor; of a convolution, besides
# its two transforms.
COSTS = {2: 0.25, 3: 0.35, 4: 0.35, 5: 0.45, 7: 0.9, 8: 0.7}
COST_OF_PRIME, COST_OF_CONVOLUTION = (1.1, 0.04), 0.5
LARGEST_PRIME = 61  # beyond it, primes are convolutions in any case
# The number of lines that fill the widest vector; half of it if they take that much memory, and one if they take more
# than the cache of all cores and a line's numbers are adjacent.
LANES = {"s": 16, "d": 8}
ROOM, SHARED_CACHE = 1 << 26, 1 << 25


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


def along_dimensions(ops: Sequence[Op]) -> list[Op]:
    """The ops, with a transform between two transposes, the second of which undoes the first, as one op.

    The first transpose stays if others read its result.
    """
    definitions = {value: op for op in ops for value in op.results}
    uses = Counter(value for op in ops for value in free_values(op))
    replaced: dict[Op, Op | None] = {}
    for op in ops:
        transform = definitions.get(op.operands[0]) if (back := order_of(op)) else None
        before = definitions.get(transform.operands[0]) if transform and has(transform, Trait.FOURIER) else None
        order = order_of(before) if before else None
        if not back or not order or not transform or not before or sorted(back, key=back.__getitem__) != order:
            continue
        if uses[transform.results[0]] == 1 and len(plain(transform.attributes["fft_length"])) == 1:
            attributes = {**transform.attributes, "dimension": IntegerAttr(order[-1], ScalarType("i64"))}
            replaced[op] = Op(FFT_ALONG, before.operands, op.results, attributes, (), transform.location)
            replaced[transform] = None
            uses[before.results[0]] -= 1
            if not uses[before.results[0]]:
                replaced[before] = None
    return [other for op in ops if (other := replaced.get(op, op)) is not None]


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


def transform_of(op: Op, lanes: int | None) -> Transform | None:
    """An fft as a Transform; None for another op, and for an invalid one, which its host rule reports.

    At most so many lines are transformed at a time; None: as many as are fastest.
    """
    if op.name != FFT_ALONG and not has(op, Trait.FOURIER):
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
    last = int(plain(op.attributes["dimension"])) if op.name == FFT_ALONG else rank - 1
    if not prod(before):
        return None if prod(after) else Transform(letter, False, (), 0)
    dimensions = list(range(last + 1 - len(lengths), last + 1))
    order = dimensions if kind == "IRFFT" else dimensions[::-1]
    shape = before if kind == "IRFFT" else after
    lines = []
    for d in order:
        length = lengths[d - last - 1]
        sides = length, length, COMPLEX, COMPLEX
        if d == last and kind == "RFFT":
            sides = length, after[d], REAL, COMPLEX
        if d == last and kind == "IRFFT":
            sides = before[d], length, HALF, REAL
        lines.append(lines_of(letter, length, prod(shape[:d]), prod(shape[d + 1 :]), sides, lanes))
    between = prod(before) * DTYPES[letter].itemsize if kind == "IRFFT" and len(order) > 1 else 0
    return Transform(letter, kind in ("IFFT", "IRFFT"), tuple(lines), between)


def lines_of(
    letter: str, length: int, outer: int, inner: int, sides: tuple[int, int, int, int], most: int | None
) -> Lines:
    halved = length % 2 == 0 and sides[2:] != (COMPLEX, COMPLEX)
    size = length // 2 if halved else length
    is_odd = not halved and sides[2] != sides[3]
    passes = passes_of(size, is_odd)
    rows = max([size + halved, *(size // each.factor * each.size for each in passes)])
    number = DTYPES[letter].itemsize // 2
    count, lanes = outer * inner, LANES[letter]
    if lanes * 4 * rows * number > ROOM:
        lanes //= 2
    if inner == 1 and lanes * 4 * rows * number > SHARED_CACHE:
        lanes = 1
    lanes = min(lanes, 2 * largest(count), most or lanes)
    # Planes whose distance is a power of two would share places in a cache; a vector may be read beyond the last one.
    plane, beyond = (rows, 0) if most == 1 else (-(-rows * lanes // 16) * 16 + 80, 16)
    scratch = -(-(4 * plane + beyond) * number // 64) * 64
    return Lines(length, size, count, inner, *sides, lanes, scratch, plane, passes)


@lru_cache
def passes_of(size: int, is_real: bool = False) -> tuple[Pass, ...]:
    """The passes of a transform; convolutions come last, when the most numbers are side by side.

    For real lines of odd length, the first pass is the one after which the least work is left: conjugates are not kept.
    """
    twos = primes_of(size).count(2)
    eights = (twos - 2) // 3 if twos % 3 == 1 and twos > 1 else twos // 3
    factors = [8] * eights + {0: [], 1: [2], 2: [4], 4: [4, 4]}[twos - 3 * eights]
    factors += [factor for factor in primes_of(size) if factor != 2]
    factors.sort(key=lambda each: (not is_direct(each), each != 8, -each))
    if is_real and factors:
        costs = {each: direct_cost(each) if is_direct(each) else cost_of(convolution_of(each)) for each in factors}
        total = sum(costs[each] for each in factors)
        work = lambda each: costs[each] / (1 + is_direct(each)) + (total - costs[each]) * (each + 1) / (2 * each)
        factors.insert(0, factors.pop(factors.index(min(factors, key=work))))
    return tuple(
        each for factor in factors for each in ([Pass(factor)] if is_direct(factor) else convolution_of(factor))
    )


@lru_cache
def is_direct(factor: int) -> bool:
    """Whether a pass is no convolution."""
    return factor in COSTS or (factor <= LARGEST_PRIME and direct_cost(factor) <= cost_of(convolution_of(factor)))


def direct_cost(factor: int) -> float:
    return COSTS.get(factor, COST_OF_PRIME[0] + COST_OF_PRIME[1] * factor)


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


def cost_of(convolution: Sequence[Pass]) -> float:
    """What a convolution takes for each number."""
    first, *inner = convolution
    return first.size / first.factor * (COST_OF_CONVOLUTION + 2 * sum(direct_cost(each.factor) for each in inner))


@lru_cache
def convolution_of(prime: int) -> tuple[Pass, ...]:
    """A prime factor as a convolution, followed by the passes of its size."""
    least = 2 * prime - 1
    powers = [3**i * 5**j * 7**k for i in range(4) for j in range(5) for k in range(2)]
    sizes = [number << max(0, (-(-least // number) - 1).bit_length()) for number in powers]
    found = [with_passes(Pass(prime, size), passes_of(size)) for size in sizes]
    if all(map(is_direct, primes_of(prime - 1))):
        found.append(with_passes(Pass(prime, prime - 1, generator_of(prime)), passes_of(prime - 1)))
    return min(found, key=cost_of)


def with_passes(convolution: Pass, inner: Sequence[Pass]) -> tuple[Pass, ...]:
    return replace(convolution, inner=len(inner)), *inner


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
            powers = np.ones(1, np.int64)
            while powers.size < size:
                powers = np.concatenate([powers, powers * pow(inverse, powers.size, p) % p])
            around = roots(powers[:size], p)
        else:
            numbers = np.arange(p)
            chirp = roots(numbers * numbers, 2 * p)
            around = np.zeros(size, complex)
            around[:p] = chirp.conj()
            around[size - p + 1 :] = chirp[1:][::-1].conj()
            parts.append(chirp)
        spectrum = np.fft.fft(around)
        if each.generator:  # a Gauss sum has this absolute value
            spectrum[1:] *= p**0.5 / np.abs(spectrum[1:])
        parts.append(spectrum / size)
    return np.concatenate(parts).astype(DTYPES[letter])
