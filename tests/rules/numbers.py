"""Numbers to draw, special ones, and when two are equal."""

from __future__ import annotations

from collections.abc import Sequence

import ml_dtypes
import numpy as np
from hypothesis import strategies as st

from hlo2tiny.ir.dtypes import COMPLEX, NUMPY

ELEMENT = {dtype: name for name, dtype in NUMPY.items() if name != "index"}
ELEMENT |= {dtype: f"complex<{name}>" for name, dtype in COMPLEX.items()}
f16, f32, f64, bf16 = (np.dtype(t) for t in (np.float16, np.float32, np.float64, ml_dtypes.bfloat16))
i4, i8, i16, i32, i64 = (np.dtype(t) for t in (ml_dtypes.int4, np.int8, np.int16, np.int32, np.int64))
u4, u8, u16, u32, u64 = (np.dtype(t) for t in (ml_dtypes.uint4, np.uint8, np.uint16, np.uint32, np.uint64))
c64, c128, boolean = np.dtype(np.complex64), np.dtype(np.complex128), np.dtype(np.bool_)
FLOATS, COMPLEXES = (f32, f64, bf16, f16), (c64, c128)
# Floats of a byte or less, by name; and integers of less than one.
F8 = {name: dtype for name, dtype in NUMPY.items() if name[0] == "f" and dtype.itemsize == 1}
TINY = tuple(np.dtype(t) for t in (ml_dtypes.int2, ml_dtypes.uint2, ml_dtypes.int4, ml_dtypes.uint4))
INTEGERS = (i32, u32, i8, u8, i16, u16, i64, u64)


def special(dtype: np.dtype) -> np.ndarray:
    """The numbers at which definitions differ."""
    if dtype == boolean:
        return np.array([False, True])
    if dtype.kind == "c":
        half = np.array([np.nan, np.inf, -np.inf, 0.0, -0.0, 1.0, -2.5])
        return np.array([complex(a, b) for a in half for b in half], dtype)
    if is_floating(dtype):
        limits = ml_dtypes.finfo(dtype)
        sizes = [0.0, limits.smallest_subnormal, limits.tiny, 0.4, 0.5, 1.0, 1.5, 2.5, 3.0, limits.max, np.inf]
        sizes = [np.asarray(x, dtype) for x in sizes]
        return np.array([*sizes, *(-x for x in sizes), np.asarray(np.nan, dtype)], dtype)
    limits = ml_dtypes.iinfo(dtype)
    numbers = [0, 1, 2, 3, 7, limits.min, limits.min + 1, limits.max, limits.max - 1]
    return np.array(numbers + [-1, -2, -7] * (limits.min < 0), dtype)


def codes(dtype: np.dtype) -> np.ndarray:
    """All numbers of a type of a byte or less."""
    info = ml_dtypes.finfo(dtype) if is_floating(dtype) else ml_dtypes.iinfo(dtype)
    bits = np.arange(2**info.bits, dtype=np.uint8)
    return bits.view(dtype) if is_floating(dtype) else (bits.astype(np.int64) + int(info.min)).astype(dtype)


def random(seed: int, shape: Sequence[int], dtype: np.dtype, low: float = -10, high: float = 10) -> np.ndarray:
    """Numbers between two bounds, integers of the whole range, and now and then a special one."""
    rng = np.random.default_rng(seed)
    if dtype == boolean:
        return np.asarray(rng.random(tuple(shape)) < 0.5)
    if dtype.kind == "c":
        halves = (random(seed + i, shape, f64, low, high) for i in (0, 1))
        return np.asarray(next(halves) + 1j * next(halves)).astype(dtype).reshape(tuple(shape))
    if is_floating(dtype):
        return np.asarray(rng.uniform(low, high, tuple(shape))).astype(dtype).reshape(tuple(shape))
    limits = ml_dtypes.iinfo(dtype)
    small = rng.integers(max(-3, int(limits.min)), 4, tuple(shape)).astype(dtype)
    large = np.frombuffer(rng.bytes(small.size * 8), np.int64).reshape(small.shape).astype(dtype)
    return np.asarray(np.where(rng.random(tuple(shape)) < 0.5, small, large)).astype(dtype)


def crossed(*lists: np.ndarray) -> list[np.ndarray]:
    """All combinations of the lists' numbers, as arrays of one length."""
    at = np.meshgrid(*(np.arange(len(x)) for x in lists), indexing="ij")
    return [x[i.reshape(-1)] for x, i in zip(lists, at)]


def shapes(least: int = 0, most: int = 3) -> st.SearchStrategy[tuple[int, ...]]:
    return st.lists(st.sampled_from([3, 1, 2, 4, 0]), min_size=least, max_size=most).map(tuple)


seeds = st.integers(0, 2**20)


def type_of(x: np.ndarray) -> str:
    return f"tensor<{''.join(f'{d}x' for d in x.shape)}{ELEMENT[x.dtype]}>"


def is_floating(dtype: np.dtype) -> bool:
    return ELEMENT[dtype].startswith(("f", "bf"))


def expect_equal(got: Sequence[np.ndarray], expected: Sequence[np.ndarray], tol: float = 0) -> None:
    assert len(got) == len(expected)
    for number, (g, e) in enumerate(zip(got, expected)):
        assert (g.shape, g.dtype) == (e.shape, e.dtype), f"result {number} is {type_of(g)}, expected {type_of(e)}"
        for index in np.argwhere(~equal(g, e, tol)):
            at = tuple(index.tolist())
            raise AssertionError(f"result {number} at {list(at)} is {g[at]!r}, expected {e[at]!r}")


def equal(got: np.ndarray, expected: np.ndarray, tol: float = 0) -> np.ndarray:
    """Where numbers agree: to the bit, signs of zero too, or within `tol` units of the last place. NaN is NaN."""
    if got.dtype.kind == "c":
        # A half may cancel: the whole number's size is the measure.
        size = np.abs(expected) * np.finfo(got.dtype).eps * tol
        halves = [(getattr(got, h), getattr(expected, h)) for h in ("real", "imag")]
        return np.logical_and(*(equal(g, e, tol) | (np.abs(g - e) <= size) for g, e in halves))
    if got.dtype.kind in "iub" or not is_floating(got.dtype):
        return np.asarray(got == expected)
    distance = np.asarray(np.abs(ordered(got) - ordered(expected)), float)
    exact = (got == expected) & (np.signbit(got) == np.signbit(expected))
    return exact | (np.isnan(got) & np.isnan(expected)) | ((distance <= tol) & np.isfinite(got) & (tol > 0))


def ordered(x: np.ndarray) -> np.ndarray:
    """Integers in the order of the numbers, one apart for neighbours."""
    width = 8 * x.dtype.itemsize
    bits = np.ascontiguousarray(x).view(f"i{x.dtype.itemsize}").astype(object).reshape(x.shape)
    return np.where(bits < 0, -(bits + 2 ** (width - 1)), bits)
