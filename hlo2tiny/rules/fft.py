"""The discrete Fourier transform, on the host."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from ..ir.dtypes import numpy_dtype, static_shape
from .registry import Types, rule

TRANSFORMS: dict[str, Callable[..., np.ndarray]] = {
    "FFT": np.fft.fftn,
    "IFFT": np.fft.ifftn,
    "RFFT": np.fft.rfftn,
    "IRFFT": np.fft.irfftn,
}


@rule("stablehlo.fft", host=True)
def fft(
    x: np.ndarray, *, fft_type: str, fft_length: Sequence[int], dimension: int | None = None, out: Types
) -> np.ndarray:
    """`dimension`: that of a plan's transform of lines that are not along the last one."""
    dtype = numpy_dtype(out[0].element)
    if 0 in x.shape:
        return np.zeros(static_shape(out[0]), dtype)
    axes = tuple(range(-len(fft_length), 0)) if dimension is None else (dimension,)
    return TRANSFORMS[fft_type](x, s=fft_length, axes=axes).astype(dtype, copy=False)
