"""A Plan is data: numbered buffers, and the steps that read and write them. `build` makes one; nothing here runs it."""

from .build import build
from .plan import (
    Attention,
    AttentionGradients,
    Block,
    Call,
    Case,
    Convolution,
    Fourier,
    Gemm,
    Host,
    Kernels,
    Lapack,
    Plan,
    While,
)

__all__ = [
    "Attention",
    "AttentionGradients",
    "Block",
    "Call",
    "Case",
    "Convolution",
    "Fourier",
    "Gemm",
    "Host",
    "Kernels",
    "Lapack",
]
__all__ += ["Plan", "While", "build"]
