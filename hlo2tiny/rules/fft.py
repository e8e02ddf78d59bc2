"""The discrete Fourier transform, on the host."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from ..ir.dtypes import numpy_dtype, static_shape
from .registry import rule

TRANSFORMS: dict[str, Callable[..., np.ndarray]] = {
    "FFT": np.fft.fftn,
    "IFFT": np.fft.ifftn,
    "RFFT": np.fft.rfftn,
    "IRFFT": np.fft.irfftn,
}


@rule("stablehlo.fft", host=True)
def fft(x: Any, *, fft_type: str, fft_length: Sequence[int], out: Any) -> Any:
    lengths = tuple(fft_length)
    dtype = numpy_dtype(out[0].element)
    if 0 in x.shape:
        return np.zeros(static_shape(out[0]), dtype)
    return TRANSFORMS[fft_type](x, s=lengths, axes=tuple(range(-len(lengths), 0))).astype(dtype, copy=False)
