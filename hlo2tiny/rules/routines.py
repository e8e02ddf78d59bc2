"""How calls of LAPACK's routines are written, on all platforms: their targets, flags, operands and batches.

A routine has one rule for all platforms. Its flags are attributes (targets that end in _ffi), scalar operands (older
targets) or a descriptor of C integers (older targets on GPUs). Older calls also have results that serve as workspace.
"""

from __future__ import annotations

import struct
from collections.abc import Callable, Sequence
from functools import wraps
from typing import Any, TypeAlias

import numpy as np

from ..ir.dtypes import numpy_dtype, static_shape
from ..machine.libraries import expect_integer
from .lapack import carry_out
from .procedure import Array, expect, record_procedure
from .registry import Types, rule

Results: TypeAlias = Sequence[Array]
Routine: TypeAlias = Callable[..., Results]
# A letter, the number of one, or a boolean; None where the call does not have it.
Flag: TypeAlias = str | int | None


def routine(*names: str, ignored: Sequence[str] = ()) -> Callable[[Routine], Routine]:
    """Register a function that records what it does in its first argument, a `Record`.

    The function gets scalar integers as such, and other operands as arrays.
    """

    def register(function: Routine) -> Routine:
        @wraps(function)
        def on_host(*operands: np.ndarray, out: Types, **keywords: Any) -> list[np.ndarray]:
            known = [int(x) if x.ndim == 0 and x.dtype.kind in "iu" else (x.dtype, x.shape) for x in operands]
            types = [(numpy_dtype(type.element), static_shape(type)) for type in out]
            arrays = [x for x, operand in zip(operands, known) if not isinstance(operand, int)]
            return carry_out(record_procedure(function, known, {**keywords, "out": out}), arrays, types)

        rule(*names, ignored=ignored, host=True, procedure=function)(on_host)
        return function

    return register


def cpu(real: str, complex: str = "", library: str = "lapack") -> list[str]:
    """The targets of a routine on CPUs, which may have a different name for complex types."""
    routines = [letter + (complex or real if letter in "cz" else real) for letter in "sdcz"]
    return [f"@{library}_{routine}{suffix}" for routine in routines for suffix in ("", "_ffi")]


def gpu(*routines: str, library: str = "solver_") -> list[str]:
    """The targets of routines on GPUs."""
    return [f"@{v}{library}{r}{suffix}" for r in routines for v in ("cu", "hip", "oneapi") for suffix in ("", "_ffi")]


# The prefixes of routines that run on a CPU and a GPU.
HYBRID = [f"{vendor}hybrid_" for vendor in ("cu", "hip", "oneapi")]

# ---------------------------------------------------------------- operands and results


def letter(name: str, flag: Flag, allowed: str) -> str:
    """A flag that is a letter, or the number of a letter."""
    result = chr(flag) if isinstance(flag, int) and 0 <= flag < 128 else str(flag)
    expect(result in tuple(allowed), f"has {name} = {flag}, expected one of the letters {', '.join(allowed)}")
    return result


def boolean(name: str, flag: Flag) -> bool:
    expect(isinstance(flag, int) and flag in (0, 1), f"has {name} = {flag}, expected true or false")
    return bool(flag)


def chosen(flags: Sequence[int], *indices: int) -> list[int]:
    expect(max(indices) < len(flags), f"has {len(flags)} scalar integers, expected at least {max(indices) + 1}")
    return [flags[i] for i in indices]


# Whether a triangle is the lower one, by its number in cuBLAS and in hipBLAS.
LOWER = {0: True, 1: False, 122: True, 121: False}


def is_lower(uplo: Flag, lower: Flag, flags: Sequence[int], descriptor: str) -> bool:
    """Whether the lower triangle holds a symmetric matrix, by an attribute, a descriptor or the first of the flags."""
    if lower is not None:
        return boolean("lower", lower)
    if uplo is not None:
        return letter("uplo", uplo, "LU") == "L"
    if descriptor:
        # The number of a type, then that of a triangle.
        raw = descriptor.encode("utf-8", "surrogateescape") if isinstance(descriptor, str) else b""
        (triangle,) = struct.unpack_from("<i", raw, 4) if len(raw) >= 8 else (None,)
        expect(triangle in LOWER, "has a backend_config that does not describe a matrix")
        return LOWER[triangle]
    return bool(*chosen(flags, 0))


def expect_square(a: Array) -> None:
    expect(a.ndim >= 2 and a.shape[-1] == a.shape[-2], f"has matrices of shape {list(a.shape)}, expected square ones")


def expect_shape(name: str, x: Array, *shape: int) -> None:
    expect(x.shape == shape, f"has {name} of shape {list(x.shape)}, expected {list(shape)}")


def expect_workspace(a: Array) -> None:
    """Refuse matrices for which the size of LAPACK's workspace, a few squares of theirs, would overflow 32 bits."""
    expect_integer(8 * min(a.shape[-2:]) ** 2)


def restore_batches(x: Array, a: Array) -> Array:
    """Results with the batch dimensions of `a`."""
    return x.reshape((*a.shape[:-2], *x.shape[1:]))


def rows(x: Array, a: Array) -> Array:
    """Matrices that are stored column by column, with the batch dimensions of `a`."""
    return restore_batches(x, a).swapaxes(-1, -2)
