"""How calls of LAPACK's routines are written, on all platforms: their targets, flags, operands and batches.

A routine has one rule for all platforms. Its flags are attributes (targets that end in _ffi), scalar operands (older
targets) or a descriptor of C integers (older targets on GPUs). Older calls also have results that serve as workspace.
"""

from __future__ import annotations

import inspect
import struct
from collections.abc import Callable, Sequence
from functools import wraps
from math import prod
from typing import Any, TypeAlias

import ml_dtypes
import numpy as np

from ..ir.dtypes import numpy_dtype, static_shape
from ..libraries import LETTERS, expect_integer
from .lapack import carry_out
from .procedure import Array, Record, apply, finite, record_procedure
from .registry import Types, rule

# A routine's operand: flags and sizes are integers.
Operand: TypeAlias = Array | int
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

        # The rule's signature is the function's without the record.
        signature = inspect.signature(function)
        on_host.__signature__ = signature.replace(parameters=[*signature.parameters.values()][1:])  # type: ignore[attr-defined]
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

RANKS = ("a scalar", "a vector", "a matrix")


def split_operands(
    record: Record, operands: Sequence[Operand], *ranks: int, integers: int = 0
) -> tuple[list[int], list[Array]]:
    """The scalar integers, which are flags and sizes, and the arrays, with narrow floats converted to f32.

    LAPACK does not check its arguments. Here the arrays are checked to have one type and one batch; `ranks` are their
    ranks without the dimensions of the batch, and the last `integers` of them hold integers.
    """
    flags = [x for x in operands if isinstance(x, int)]
    arrays = [x for x in operands if not isinstance(x, int)]
    batches = {x.shape[: x.ndim - rank] for x, rank in zip(arrays, ranks) if x.ndim >= rank}
    expect(
        len(arrays) == len(ranks) and all(x.ndim >= rank for x, rank in zip(arrays, ranks)) and len(batches) <= 1,
        f"has arrays of shapes {', '.join(str(list(x.shape)) for x in arrays) or '(none)'}, "
        f"expected {' and '.join(RANKS[rank] for rank in ranks)}, or batches of one shape of them",
    )
    floats, others = arrays[: len(arrays) - integers], arrays[len(arrays) - integers :]
    types = {x.dtype for x in floats}
    expect(len(types) <= 1, f"has arrays of {' and '.join(sorted(map(str, types)))}, expected a single type (C1)")
    for x in others:
        expect(x.dtype == np.int32, f"has an array of {x.dtype}, expected 32-bit integers")
    return flags, [*(widen(record, x) for x in floats), *others]


def widen(record: Record, x: Array) -> Array:
    """Floats or complex numbers in a type that LAPACK supports."""
    if x.dtype in LETTERS:
        return x
    try:
        ml_dtypes.finfo(x.dtype)  # type: ignore[no-untyped-call]
    except ValueError:
        raise ValueError(f"has an array of {x.dtype}, but LAPACK takes floats or complex numbers") from None
    return record.copy_array(x, np.float32)


def letter(name: str, flag: Flag, allowed: str) -> str:
    """A flag that is a letter, or the number of a letter."""
    result = chr(flag) if isinstance(flag, int) and 0 <= flag < 128 else str(flag)
    expect(result in tuple(allowed), f"has {name} = {flag}, expected one of the letters {', '.join(allowed)}")
    return result


def boolean(name: str, flag: Flag) -> bool:
    expect(isinstance(flag, int) and flag in (0, 1), f"has {name} = {flag}, expected true or false")
    return bool(flag)


def chosen(flags: Sequence[int], *places: int) -> list[int]:
    expect(max(places) < len(flags), f"has {len(flags)} scalar integers, expected at least {max(places) + 1}")
    return [flags[i] for i in places]


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


def expect(holds: bool, message: str) -> None:
    if not holds:
        raise ValueError(message)


def expect_square(a: Array, label: str = "") -> None:
    square = a.ndim >= 2 and a.shape[-1] == a.shape[-2]
    expect(square, f"has matrices of shape {list(a.shape)}, expected square ones{label}")


def expect_shape(name: str, x: Array, *shape: int) -> None:
    expect(x.shape == shape, f"has {name} of shape {list(x.shape)}, expected {list(shape)}")


def columns(record: Record, a: Array) -> Array:
    """A copy of the matrices as one batch, stored column by column."""
    expect(a.ndim >= 2, f"has an operand of shape {list(a.shape)}, expected matrices")
    return record.copy_array(stack_batches(a, 2).swapaxes(-1, -2))


def stack_batches(x: Array, rank: int) -> Array:
    """Arrays of this rank as one batch, with a single batch dimension."""
    return x.reshape((prod(x.shape[:-rank]), *x.shape[-rank:]))


def zeros(record: Record, a: Array, *shape: int, dtype: type | np.dtype | None = None) -> Array:
    """An array of zeros for each matrix of a batch."""
    return record.fill((prod(a.shape[:-2]), *shape), dtype or a.dtype, 0)


def expect_workspace(a: Array) -> None:
    """Refuse matrices for which the size of LAPACK's workspace, a few squares of theirs, would overflow 32 bits."""
    expect_integer(8 * min(a.shape[-2:]) ** 2)


def infos(record: Record, a: Array) -> Array:
    return zeros(record, a, dtype=np.int32)


def restore_batches(x: Array, a: Array) -> Array:
    """Results with the batch dimensions of `a`."""
    return x.reshape((*a.shape[:-2], *x.shape[1:]))


def rows(x: Array, a: Array) -> Array:
    """Matrices that are stored column by column, with the batch dimensions of `a`."""
    return restore_batches(x, a).swapaxes(-1, -2)


# Routines that have another name for complex types.
COMPLEX_NAMES = {"orgqr": "ungqr", "ormqr": "unmqr", "syevd": "heevd", "sytrd": "hetrd"}


def lapack(record: Record, name: str, a: Array, *arguments: object, where: Array | None = None) -> None:
    """Call a routine, in its variant for the type of `a`, for each matrix in a batch, but not for empty matrices."""
    name = COMPLEX_NAMES.get(name, name) if a.dtype.kind == "c" else name
    items = 0 if 0 in a.shape else prod(a.shape[:-2])
    record.lapack(LETTERS[a.dtype] + name, items, *arguments, where=where)


def finite_matrices(record: Record, a: Array, info: Array) -> Array:
    """Which matrices are finite. For the others an iteration might not end; their info says that they failed."""
    result = record.empty(info.shape, np.int32)
    record.run(finite, result, stack_batches(a, 2))
    record.assign(info, apply(np.where, result, 0, -4))
    return result


def set_nan(record: Record, results: Results, where: Array) -> None:
    """Set those items of a batch to NaN for which `where` is 0."""
    for x in results:
        valid = where.reshape((where.size, *[1] * (x.ndim - 1)))
        for half, number in ((x.real, np.nan), (x.imag, 0)) if x.dtype.kind == "c" else ((x, np.nan),):
            record.assign(half, apply(np.where, valid, half, number))


def scratch(record: Record, size: int, dtype: type | np.dtype) -> Array:
    return record.empty((1, max(1, size)), dtype)
