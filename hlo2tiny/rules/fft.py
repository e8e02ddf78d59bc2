"""The discrete Fourier transform, on the host."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from ..ir.dtypes import numpy_dtype, static_shape
from .registry import Types, rule

# A transform along one dimension, which need not be the last one: an op of plans, which no file has.
FFT_ALONG = "fft"
TRANSFORMS: dict[str, Callable[..., np.ndarray]] = {
    "FFT": np.fft.fftn,
    "IFFT": np.fft.ifftn,
    "RFFT": np.fft.rfftn,
    "IRFFT": np.fft.irfftn,
}


@rule("stablehlo.fft", host=True)
def fft(x: np.ndarray, *, fft_type: str, fft_length: Sequence[int], out: Types) -> np.ndarray:
    return transform(x, fft_type, fft_length, range(-len(fft_length), 0), out)


@rule(FFT_ALONG, host=True)
def fft_along(x: np.ndarray, *, fft_type: str, fft_length: Sequence[int], dimension: int, out: Types) -> np.ndarray:
    return transform(x, fft_type, fft_length, [dimension], out)


def transform(
    x: np.ndarray, fft_type: str, fft_length: Sequence[int], dimensions: Sequence[int], out: Types
) -> np.ndarray:
    dtype = numpy_dtype(out[0].element)
    if 0 in x.shape:
        return np.zeros(static_shape(out[0]), dtype)
    return TRANSFORMS[fft_type](x, s=fft_length, axes=tuple(dimensions)).astype(dtype, copy=False)
