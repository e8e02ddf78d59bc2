"""Fourier transforms, against numpy in double precision."""

from __future__ import annotations

from typing import Any

import numpy as np

from .cases import case, new_tests
from .mlir import Call
from .numbers import c64, c128, f32, f64, random

TRANSFORMS = {"FFT": np.fft.fftn, "IFFT": np.fft.ifftn, "RFFT": np.fft.rfftn, "IRFFT": np.fft.irfftn}


def transform(x: np.ndarray, *, fft_type: str, fft_length: tuple[int, ...]) -> np.ndarray:
    kind = fft_type.removeprefix("#stablehlo<fft_type ").removesuffix(">")
    dtype = {c64: f32, c128: f64}[x.dtype] if kind == "IRFFT" else {f32: c64, f64: c128}.get(x.dtype, x.dtype)
    last = (*fft_length[:-1], fft_length[-1] // 2 + 1 if fft_length[-1] and kind == "RFFT" else fft_length[-1])
    if x.size == 0:
        return np.zeros(x.shape[: -len(last)] + last, dtype)
    wide = x.astype(c128 if x.dtype.kind == "c" else f64)
    return TRANSFORMS[kind](wide, s=fft_length, axes=range(-len(last), 0)).astype(dtype)


def call(
    kind: str, shape: tuple[int, ...], dtype: np.dtype, rank: int = 1, length: Any = None, results: str = ""
) -> Call:
    """`length` is that of the last dimension, where the operand's is another one."""
    lengths = shape[len(shape) - rank :]
    lengths = (*lengths[:-1], lengths[-1] if length is None else length)
    attributes = {"fft_type": f"#stablehlo<fft_type {kind}>", "fft_length": lengths}
    x = random(len(shape), shape, dtype, -1, 1)
    if x.size:
        # A constant beside its waves, so that few sums cancel.
        x[(..., *(0 for _ in range(rank)))] += dtype.type(20)
    return Call([x], attributes, results)


INTERPRETER = "ends at batches and at c64, and its inverses of odd real transforms are not finite"
case(
    "stablehlo.fft",
    ref=transform,
    tol=1000,  # of a number that nearly cancels; tests/targets/c/test_fourier.py has the accuracy
    examples=[
        *(call(kind, (3, 8), dtype) for kind in ("FFT", "IFFT") for dtype in (c64, c128)),
        *(call("RFFT", (3, 8), dtype) for dtype in (f32, f64)),
        *(call("IRFFT", (3, 5), dtype, length=8) for dtype in (c64, c128)),
        *(call(kind, (length,), c128) for kind in ("FFT", "IFFT") for length in (1, 2, 3, 7, 12)),
        *(call("RFFT", (length,), f64) for length in (1, 2, 3, 7, 12)),
        *(call("IRFFT", (length // 2 + 1,), c128, length=length) for length in (1, 2, 3, 7, 12)),
        *(call(kind, (2, 3, 4, 5), c128, rank) for kind in ("FFT", "IFFT") for rank in (2, 3)),
        *(call("RFFT", (2, 3, 4, 5), f64, rank) for rank in (2, 3)),
        *(call("IRFFT", (2, 3, 4, 3), c128, rank, length) for rank in (2, 3) for length in (4, 5)),
        call("FFT", (0, 4), c64),
        call("FFT", (3, 0), c64),
        call("RFFT", (0, 4), f32),
        call("RFFT", (3, 0), f32),
        call("IRFFT", (0, 3), c64, length=4),
    ],
    disagree={"interpreter": INTERPRETER},
)

_, test_examples, _ = new_tests()
