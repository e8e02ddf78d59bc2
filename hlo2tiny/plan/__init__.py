"""A Plan is data: numbered buffers and the steps over them. Building it is `build.py`; nothing here runs anything."""

from .build import build
from .plan import Block, Call, Case, Convolution, Fourier, Gemm, Host, Kernels, Lapack, Plan, While

__all__ = [
    "Block",
    "Call",
    "Case",
    "Convolution",
    "Fourier",
    "Gemm",
    "Host",
    "Kernels",
    "Lapack",
    "Plan",
    "While",
    "build",
]
