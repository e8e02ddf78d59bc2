"""Random bits from a state, the same bits as XLA's, and random numbers without a state."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from math import prod
from typing import TypeAlias

import numpy as np

from ..ir import ScalarType, TensorType
from ..ir.dtypes import bit_width, numpy_dtype, static_shape
from ..tinygrad.dtypes import NARROW_FLOATS, storage_dtype
from ..tinygrad.expressions import DType, Tensor, dtypes
from .elementwise import add, multiply
from .registry import Types, rule
from .storage import encode
from .values import broadcast_scalar, repeat_number

Words: TypeAlias = list[Tensor]

# ---------------------------------------------------------------- counter-based generators of 32-bit words


def low(x: Tensor) -> Tensor:
    return (x & 0xFFFFFFFF).cast(dtypes.uint32)


def high(x: Tensor) -> Tensor:
    return (x >> 32).cast(dtypes.uint32)


def join_words(lower: Tensor, upper: Tensor) -> Tensor:
    return lower.cast(dtypes.uint64) | (upper.cast(dtypes.uint64) << 32)


def halves(x: Tensor) -> Words:
    return [low(x), high(x)]


def plus(x: Tensor, number: int) -> Tensor:
    return add(x, repeat_number(number, x.shape, x.dtype))


def threefry(key: Words, counter: Words) -> Words:
    """Threefry-2x32 with 20 rounds (Salmon et al., "Parallel random numbers: as easy as 1, 2, 3", 2011)."""
    keys = [*key, key[0] ^ key[1] ^ 0x1BD11BDA]
    a, b = (add(c, k) for c, k in zip(counter, key))
    for iteration in range(5):
        for distance in ((13, 15, 26, 6), (17, 29, 16, 24))[iteration % 2]:
            a = add(a, b)
            b = a ^ ((b << distance) | (b >> (32 - distance)))
        a = add(a, keys[(iteration + 1) % 3])
        b = plus(add(b, keys[(iteration + 2) % 3]), iteration + 1)
    return [a, b]


def philox(key: Words, counter: Words) -> Words:
    """Philox-4x32 with 10 rounds, from the same paper."""
    a, b, c, d = counter
    for iteration in range(10):
        first, second = (
            multiply(x.cast(dtypes.uint64), repeat_number(factor, x.shape, dtypes.uint64))
            for x, factor in ((a, 0xD2511F53), (c, 0xCD9E8D57))
        )
        keys = [plus(k, iteration * step % 2**32) for k, step in zip(key, (0x9E3779B9, 0xBB67AE85))]
        a, b, c, d = high(second) ^ b ^ keys[0], low(second), high(first) ^ d ^ keys[1], low(first)
    return [a, b, c, d]


# ---------------------------------------------------------------- which counter and which of its words an element gets


def linear(shape: Sequence[int], halved: int | None = None) -> Tensor:
    """Each element's number in row-major order; along the axis `halved`, two neighbours share a number."""
    # Signed, because tinygrad 0.14 gives constants in unsigned index arithmetic the wrong width.
    dtype = dtypes.int32 if prod(shape) < 2**31 else dtypes.int64
    total, step = repeat_number(0, shape, dtype), 1
    for axis in reversed(range(len(shape))):
        size, line = shape[axis], along(shape, axis, dtype)
        if axis == halved:
            size, line = -(-size // 2), line // 2
        total, step = total + line * step, step * size
    return total


def along(shape: Sequence[int], axis: int, dtype: DType = dtypes.int32) -> Tensor:
    """Each element's coordinate on an axis."""
    line = Tensor.arange(shape[axis], dtype=dtype)
    return line.reshape([shape[axis] if d == axis else 1 for d in range(len(shape))]).expand(tuple(shape))


def chosen(words: Words, lane: Tensor) -> Tensor:
    result = words[-1]
    for number, word in enumerate(words[:-1]):
        result = (lane == number).where(word, result)
    return result


def threefry_bits(state: Tensor, shape: Sequence[int], bits: int) -> tuple[Tensor, Tensor]:
    """The next state, and the bits: a 64-bit element gets both words of a counter, narrower neighbours get one each.

    They are neighbours along the first axis of even size or, if there is none, the first of the largest size.
    """
    halved = next((d for d, size in enumerate(shape) if size % 2 == 0), None)
    if halved is None and shape:
        halved = max(range(len(shape)), key=lambda d: (shape[d], -d))
    if bits == 64:
        halved = None
    counter = add(broadcast_scalar(state[1], shape), linear(shape, halved).cast(dtypes.uint64))
    words = threefry(halves(broadcast_scalar(state[0], shape)), halves(counter))
    used = prod(-(-size // 2) if d == halved else size for d, size in enumerate(shape))
    following = state[0].reshape(1).cat(plus(state[1], used).reshape(1))
    if bits == 64:
        return following, join_words(*words)
    if halved is None:
        return following, words[0]
    return following, chosen(words, along(shape, halved) % 2)


def philox_bits(state: Tensor, shape: Sequence[int], bits: int) -> tuple[Tensor, Tensor]:
    """The next state, and the bits: elements get the four words of a 128-bit counter in turn, or its two pairs."""
    lanes = 2 if bits == 64 else 4
    # A state of two words has the counter's upper half where the key would be.
    first, second = (state[1], state[2]) if state.shape[0] == 3 else (state[1], state[0])
    index = linear(shape)
    lower, upper = advance(
        broadcast_scalar(first, shape), broadcast_scalar(second, shape), (index // lanes).cast(dtypes.uint64)
    )
    words = philox(halves(broadcast_scalar(state[0], shape)), [*halves(lower), *halves(upper)])
    if bits == 64:
        words = [join_words(*words[:2]), join_words(*words[2:])]
    after = advance(first, second, repeat_number(-(-prod(shape) // lanes), (), dtypes.uint64))
    following = [state[0], *after][: int(state.shape[0])]
    return following[0].reshape(1).cat(*(x.reshape(1) for x in following[1:])), chosen(words, index % lanes)


def advance(lower: Tensor, upper: Tensor, by: Tensor) -> tuple[Tensor, Tensor]:
    """The sum of a 128-bit number and a 64-bit one."""
    total = add(lower, by)
    return total, (total < lower).where(plus(upper, 1), upper)


GENERATORS = {"THREE_FRY": threefry_bits, "PHILOX": philox_bits, "DEFAULT": philox_bits}


@rule("stablehlo.rng_bit_generator", storage=True)
def rng_bit_generator(state: Tensor, *, rng_algorithm: str, out: Types) -> tuple[Tensor, Tensor]:
    """DEFAULT is PHILOX, as for XLA on the CPU. Elements of fewer than 32 bits are the low bits of a word."""
    following, bits = GENERATORS[rng_algorithm](state, static_shape(out[1]), bit_width(out[1].element))
    return following, of_bits(bits, out[1])


def of_bits(bits: Tensor, type: TensorType) -> Tensor:
    """The low bits of 32-bit or 64-bit words, as elements of a type in storage form."""
    assert isinstance(type.element, ScalarType)
    storage, name = storage_dtype(type.element), type.element.name
    if name in NARROW_FLOATS:
        return (bits & (2 ** NARROW_FLOATS[name].bits - 1)).cast(storage)
    if storage.itemsize == bits.dtype.itemsize:
        return bits if storage == bits.dtype else bits.bitcast(storage)
    return encode(bits if name.startswith("u") else bits.bitcast(dtypes.int32), type)


# ---------------------------------------------------------------- numbers without a state


@cache
def generator() -> np.random.Generator:
    return np.random.Generator(np.random.Philox(0))


@rule("stablehlo.rng", host=True)
def rng(a: np.ndarray, b: np.ndarray, shape: np.ndarray, *, rng_distribution: str, out: Types) -> np.ndarray:
    """UNIFORM over [a, b), or NORMAL with mean a and standard deviation b.

    The specification leaves the generator open. Here the process has one, with a fixed seed: each op and each call gets
    new numbers, and a program that is started again gets the same ones.
    """
    dtype, sizes = numpy_dtype(out[0].element), static_shape(out[0])
    if tuple(int(size) for size in shape) != sizes:
        raise ValueError(f"has the shape operand {shape.tolist()}, but the declared shape is {list(sizes)} (C3)")
    integral = dtype.kind in "iub" or str(out[0].element).lstrip("u").startswith("i")
    if rng_distribution == "NORMAL":
        return generator().normal(float(a), float(b), sizes).astype(dtype)
    if integral:
        first, last = int(a), int(b)
        numbers = generator().integers(0, max(last - first, 1) - 1, sizes, np.uint64, endpoint=True)
        # Modulo 2⁶⁴: the sum fits the type.
        return (numbers + np.uint64(first % 2**64)).astype(np.int64).astype(dtype)
    result = np.asarray(generator().uniform(float(a), float(b), sizes).astype(dtype))
    while a < b and (rounded_up := np.asarray(result >= b)).any():
        result[rounded_up] = generator().uniform(float(a), float(b), int(rounded_up.sum())).astype(dtype)
    return result
