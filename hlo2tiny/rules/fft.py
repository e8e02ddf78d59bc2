"""The discrete Fourier transform, on the host."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from ..dtypes import numpy_dtype, static_shape
from .registry import rule

TRANSFORMS: dict[str, Callable[..., np.ndarray]] = {
    "FFT": np.fft.fftn,
    "IFFT": np.fft.ifftn,
    "RFFT": np.fft.rfftn,
    "IRFFT": np.fft.irfftn,
}


def expect_lengths(shape: Sequence[int], result: Sequence[int], fft_type: str, lengths: tuple[int, ...]) -> None:
    """Compare the shapes of an operand and a result with the lengths of the transform."""
    rank = len(lengths)
    if not 1 <= rank <= 3 or rank > len(shape):
        raise ValueError(f"transforms {rank} dimensions, expected 1 to 3 of the {len(shape)} (C1, C3)")
    # Of a real signal's transform, the last dimension has only its first half.
    halved = (*lengths[:-1], lengths[-1] // 2 + 1 if lengths[-1] else 0)
    given, expected = tuple(shape[-rank:]), halved if fft_type == "IRFFT" else lengths
    if given != expected:
        raise ValueError(f"has an operand of last dimensions {list(given)}, expected {list(expected)} (C4, C5)")
    if tuple(result) != (*shape[:-rank], *(halved if fft_type == "RFFT" else lengths)):
        raise ValueError("has a result of other dimensions than fft_length says (C4, C5)")


@rule("stablehlo.fft", host=True)
def fft(x: Any, *, fft_type: str, fft_length: Sequence[int], out: Any) -> Any:
    lengths = tuple(fft_length)
    if x.dtype.kind != ("f" if fft_type == "RFFT" else "c"):
        raise ValueError(f"{fft_type} of {x.dtype} is not defined (C2)")
    expect_lengths(x.shape, static_shape(out[0]), fft_type, lengths)
    dtype = numpy_dtype(out[0].element)
    if 0 in x.shape:
        return np.zeros(static_shape(out[0]), dtype)
    return TRANSFORMS[fft_type](x, s=lengths, axes=tuple(range(-len(lengths), 0))).astype(dtype, copy=False)
