"""Linear algebra, on the host: StableHLO's two ops, and the custom calls that JAX, XLA and TensorFlow write for LAPACK.

A routine has one rule for all platforms. Flags come as attributes (targets that end in _ffi), before that as scalar
operands, or on GPUs in a descriptor of C integers; older calls also had results for the routine to work in.
"""

from __future__ import annotations

import inspect
import struct
from collections.abc import Callable, Sequence
from functools import wraps
from math import prod
from typing import Any

import ml_dtypes
import numpy as np

from ..errors import UnsupportedOp
from ..ir.dtypes import numpy_dtype, static_shape
from ..libraries import LETTERS, Workspace, expect_integer
from .lapack import carried_out
from .procedure import Array, Record, apply, exchanged, finite, real_dtype, recorded
from .registry import rule


def routine(*names: str) -> Callable[[Callable[..., Sequence[Array]]], Callable[..., Sequence[Array]]]:
    """Register a function that writes what it does to the `Record` it is given first.

    Scalar integers are given to it as such, other operands as arrays.
    """

    def register(function: Callable[..., Sequence[Array]]) -> Callable[..., Sequence[Array]]:
        @wraps(function)
        def on_host(*operands: np.ndarray, out: Sequence[Any], **keywords: Any) -> list[np.ndarray]:
            known = [int(x) if x.ndim == 0 and x.dtype.kind in "iu" else (x.dtype, x.shape) for x in operands]
            types = [(numpy_dtype(type.element), static_shape(type)) for type in out]
            arrays = [x for x, operand in zip(operands, known) if not isinstance(operand, int)]
            return carried_out(recorded(function, known, {**keywords, "out": out}), arrays, types)

        # The operands and attributes of the op come after the record.
        signature = inspect.signature(function)
        on_host.__signature__ = signature.replace(parameters=[*signature.parameters.values()][1:])  # type: ignore[attr-defined]
        rule(*names, host=True, procedure=function)(on_host)
        return function

    return register


def cpu(real: str, complex: str = "", library: str = "lapack") -> list[str]:
    """The targets of a routine on CPUs, where it may have another name for complex types."""
    routines = [letter + (complex or real if letter in "cz" else real) for letter in "sdcz"]
    return [f"@{library}_{routine}{suffix}" for routine in routines for suffix in ("", "_ffi")]


def gpu(*routines: str, library: str = "solver_") -> list[str]:
    """The targets of routines on GPUs."""
    return [f"@{v}{library}{r}{suffix}" for r in routines for v in ("cu", "hip", "oneapi") for suffix in ("", "_ffi")]


# ---------------------------------------------------------------- operands and results


RANKS = ("a scalar", "a vector", "a matrix")


def separated(
    record: Record, operands: Sequence[Array | int], *ranks: int, integers: int = 0
) -> tuple[list[int], list[Array]]:
    """Scalar integers, which are flags and sizes, and the arrays. Narrow floats are computed as f32.

    LAPACK trusts its caller: here it is checked that the arrays are of one type and one batch. `ranks` are what they
    have after the batch's dimensions; the last `integers` of them hold integers.
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
    expect(len(types) <= 1, f"has arrays of {' and '.join(sorted(map(str, types)))}, expected one type (C1)")
    for x in others:
        expect(x.dtype == np.int32, f"has an array of {x.dtype}, expected integers of 32 bits")
    return flags, [*(computed(record, x) for x in floats), *others]


def computed(record: Record, x: Array) -> Array:
    """Floats or complex numbers of a type that LAPACK has."""
    if x.dtype in LETTERS:
        return x
    try:
        ml_dtypes.finfo(x.dtype)  # type: ignore[no-untyped-call]
    except ValueError:
        raise ValueError(f"has an array of {x.dtype}, expected floats or complex numbers") from None
    return record.copied(x, np.float32)


def letter(name: str, flag: Any, allowed: str) -> str:
    """A flag that is a letter, or the number of one."""
    found = chr(flag) if isinstance(flag, int) and 0 <= flag < 128 else flag
    expect(isinstance(found, str) and found in tuple(allowed), f"has {name} = {flag}, expected one of {allowed}")
    return str(found)


def boolean(name: str, flag: Any) -> bool:
    expect(isinstance(flag, int) and flag in (0, 1), f"has {name} = {flag}, expected true or false")
    return bool(flag)


def chosen(flags: Sequence[int], *places: int) -> list[int]:
    expect(max(places) < len(flags), f"has {len(flags)} scalar integers, expected at least {max(places) + 1}")
    return [flags[i] for i in places]


# What cuBLAS and hipBLAS call the triangles.
LOWER = {0: True, 1: False, 122: True, 121: False}


def is_lower(uplo: Any, lower: Any, flags: Sequence[int], descriptor: Any) -> bool:
    """Which triangle holds a symmetric matrix, in any of the ways to say it; `flags` begins with that one."""
    if lower is not None:
        return boolean("lower", lower)
    if uplo is not None:
        return letter("uplo", uplo, "LU") == "L"
    if descriptor:
        # A type's number, then that of a triangle.
        raw = descriptor.encode("utf-8", "surrogateescape") if isinstance(descriptor, str) else b""
        (found,) = struct.unpack_from("<i", raw, 4) if len(raw) >= 8 else (None,)
        expect(found in LOWER, "has a backend_config that is no descriptor of a matrix")
        return LOWER[found]
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
    """A copy of matrices in one batch, each column by column."""
    expect(a.ndim >= 2, f"has an operand of shape {list(a.shape)}, expected matrices")
    return record.copied(stacked(a, 2).swapaxes(-1, -2))


def stacked(x: Array, rank: int) -> Array:
    """Arrays of a rank in one batch."""
    return x.reshape((prod(x.shape[:-rank]), *x.shape[-rank:]))


def zeros(record: Record, a: Array, *shape: int, dtype: Any = None) -> Array:
    """For each matrix of a batch, zeros of a shape."""
    return record.filled((prod(a.shape[:-2]), *shape), dtype or a.dtype, 0)


def expect_workspace(a: Array) -> None:
    """LAPACK computes the size of its workspace, a few squares of a matrix's, in 32 bits and with no check."""
    expect_integer(8 * min(a.shape[-2:]) ** 2)


def infos(record: Record, a: Array) -> Array:
    return zeros(record, a, dtype=np.int32)


def batched(x: Array, a: Array) -> Array:
    """Results of the shape that a batch has in `a`."""
    return x.reshape((*a.shape[:-2], *x.shape[1:]))


def rows(x: Array, a: Array) -> Array:
    """Matrices that stand column by column, in the batch of `a`."""
    return batched(x, a).swapaxes(-1, -2)


def items(a: Array) -> int:
    """How many matrices LAPACK is called for: none when they are empty."""
    return 0 if 0 in a.shape else prod(a.shape[:-2])


def finite_matrices(record: Record, a: Array, info: Array) -> Array:
    """Which matrices are finite; for others an iteration may not end, and their info says so."""
    found = record.empty(info.shape, np.int32)
    record.run(finite, found, stacked(a, 2))
    record.assign(info, apply(np.where, found, 0, -4))
    return found


def spoilt(record: Record, found: Sequence[Array], where: Array) -> None:
    """NaN for the items of a batch where `where` is 0."""
    for x in found:
        kept = where.reshape((where.size, *[1] * (x.ndim - 1)))
        for part, number in ((x.real, np.nan), (x.imag, 0)) if x.dtype.kind == "c" else ((x, np.nan),):
            record.assign(part, apply(np.where, kept, part, number))


def scratch(record: Record, size: int, dtype: Any) -> Array:
    return record.empty((1, max(1, size)), dtype)


# ---------------------------------------------------------------- Cholesky, triangular


def factored(record: Record, a: Array, lower: bool) -> tuple[Array, Array]:
    """The Cholesky factor in its triangle, with the input's numbers in the other one; info."""
    expect_square(a)
    info, n = infos(record, a), a.shape[-1]
    # Read column by column, the lower triangle of a Hermitian matrix is the upper one, and so is the factor.
    factor = record.copied(stacked(a, 2))
    record.lapack(f"{LETTERS[a.dtype]}potrf", items(a), "U" if lower else "L", n, factor, n, info)
    return factor, info


@routine("stablehlo.cholesky")
def cholesky(record: Record, a: Any, *, lower: bool = False, out: Any) -> Any:
    """The factor, with zeros in the other triangle; NaN where a matrix is not positive definite, as XLA has it."""
    expect_square(a, " (C2, C3)")
    _, (a,) = separated(record, [a], 2)
    factor, info = factored(record, a, boolean("lower", lower))
    n = a.shape[-1]
    if n > 1:
        zero = record.filled((1,), a.dtype, 0)
        # What read column by column is the other triangle, without the diagonal.
        other = factor[:, :, 1:] if lower else factor[:, 1:]
        record.lapack(f"{LETTERS[a.dtype]}laset", items(a), "L" if lower else "U", n - 1, n - 1, zero, zero, other, n)
    spoilt(record, [factor], record.filled(info.shape, np.int32, apply(np.less_equal, info, 0)))
    return record.results(out, batched(factor, a))


@routine(*cpu("potrf"), *gpu("potrf"))
def potrf(
    record: Record, *operands: Any, uplo: Any = None, lower: Any = None, backend_config: str = "", out: Any
) -> Any:
    flags, (a,) = separated(record, operands, 2)
    return record.results(
        out, *(batched(x, a) for x in factored(record, a, is_lower(uplo, lower, flags, backend_config)))
    )


def solved(
    record: Record, a: Array, b: Array, left: bool, lower: bool, transposed: str, unit: bool, scale: Array | float = 1
) -> Array:
    """X of op(A)·X = scale·B, or of X·op(A); op is "N"one, "T"ranspose or "C"onjugate transpose."""
    expect_square(a)
    expect(
        a.shape[-1] == b.shape[-2 if left else -1],
        f"has matrices of shapes {list(a.shape)} and {list(b.shape)}, which do not fit (C2, C3)",
    )
    m, n = b.shape[-2:]
    # Read column by column all are transposed, so the sides change and the same triangle has the other name.
    x = record.copied(b)
    factor = scale.reshape((1,)) if isinstance(scale, Array) else record.filled((1,), a.dtype, scale)
    record.lapack(
        *(f"{LETTERS[a.dtype]}trsm", items(b), "R" if left else "L", "U" if lower else "L", transposed),
        *("U" if unit else "N", n, m, factor),
        *(stacked(a, 2), a.shape[-1], stacked(x, 2), n),
    )
    return x


TRANSPOSES = {"NO_TRANSPOSE": "N", "TRANSPOSE": "T", "ADJOINT": "C"}


@routine("stablehlo.triangular_solve")
def triangular_solve(
    record: Record,
    a: Any,
    b: Any,
    *,
    left_side: bool,
    lower: bool,
    unit_diagonal: bool,
    transpose_a: str = "NO_TRANSPOSE",
    out: Any,
) -> Any:
    _, (a, b) = separated(record, [a, b], 2, 2)
    expect_square(a, " (C2, C3)")
    known = isinstance(transpose_a, str) and transpose_a in TRANSPOSES
    expect(known, f"has transpose_a = {transpose_a}, expected one of {', '.join(TRANSPOSES)}")
    flags = {"left_side": left_side, "lower": lower, "unit_diagonal": unit_diagonal}
    left, low, unit = (boolean(name, flag) for name, flag in flags.items())
    return record.results(out, solved(record, a, b, left, low, TRANSPOSES[transpose_a], unit))


@routine(*cpu("trsm"), *cpu("trsm", library="blas"))
def trsm(
    record: Record, *operands: Any, side: Any = "", uplo: Any = "", trans_x: Any = "", diag: Any = "", out: Any
) -> Any:
    scales = [x for x in operands if isinstance(x, Array) and x.ndim == 0]
    expect(len(scales) <= 1, f"has {len(scales)} factors, expected at most one")
    flags, (a, b) = separated(record, [x for x in operands if not any(x is scale for scale in scales)], 2, 2)
    expect(all(scale.dtype == b.dtype for scale in scales), f"has a factor of another type than {b.dtype}")
    if flags:
        left, lower, number, unit = chosen(flags, 0, 1, 2, 3)
        expect(number in range(3), f"has the transposition {number}, expected 0, 1 or 2")
        return record.results(out, solved(record, a, b, bool(left), bool(lower), "NTC"[number], bool(unit), *scales))
    sides = letter("side", side, "LR") == "L", letter("uplo", uplo, "LU") == "L"
    transposed, unit = letter("trans_x", trans_x, "NTC"), letter("diag", diag, "UN") == "U"
    return record.results(out, solved(record, a, b, *sides, transposed, unit, *scales))


# ---------------------------------------------------------------- LU


def lu(record: Record, a: Array) -> tuple[Array, Array, Array]:
    """Both factors in one matrix, the row that each row was exchanged with, counted from 1, and info."""
    work, info = columns(record, a), infos(record, a)
    m, n = a.shape[-2:]
    pivots = zeros(record, a, min(m, n), dtype=np.int32)
    record.lapack(f"{LETTERS[a.dtype]}getrf", items(a), m, n, work, m, pivots, info)
    return rows(work, a), batched(pivots, a), batched(info, a)


@routine(*cpu("getrf"), *gpu("getrf"), *gpu("getrf_batched", library="blas_"))
def getrf(record: Record, *operands: Any, backend_config: str = "", out: Any) -> Any:
    _, (a,) = separated(record, operands, 2)
    return record.results(out, *lu(record, a))


def permuted(record: Record, pivots: Array, size: int) -> Array:
    """The permutation of that many rows that exchanges with the pivots, counted from 0, make."""
    found = record.empty((*pivots.shape[:-1], size), np.int32)
    record.run(exchanged, stacked(found, 1), stacked(pivots, 1))
    return found


PIVOTS = [f"@{prefix}lu_pivots_to_permutation" for prefix in ("", "cu_", "hip_", "oneapi_")]


@routine(*PIVOTS)
def lu_pivots_to_permutation(
    record: Record, *operands: Any, permutation_size: int | None = None, backend_config: str = "", out: Any
) -> Any:
    _, (pivots,) = separated(record, operands, 1, integers=1)
    (shape,) = map(static_shape, out)
    size, batch = shape[-1] if shape else 0, pivots.shape[:-1]
    fits = shape[:-1] == batch and size >= pivots.shape[-1] and permutation_size in (None, size)
    expect(fits, f"has pivots of shape {list(pivots.shape)} for permutations of shape {list(shape)}")
    return record.results(out, permuted(record, pivots, size))


@routine("@LuDecomposition")
def lu_decomposition(record: Record, a: Any, *, xla_shape: str = "", out: Any) -> Any:
    _, (a,) = separated(record, [a], 2)
    factors, pivots, _ = lu(record, a)
    pivots = record.filled(pivots.shape, np.int32, apply(np.subtract, pivots, 1))
    return record.results(out, factors, pivots, permuted(record, pivots, a.shape[-2]))


# ---------------------------------------------------------------- QR


def householder(record: Record, a: Array) -> tuple[Array, Array, Array]:
    """R above reflectors, whose factors are apart; info."""
    work, info = columns(record, a), infos(record, a)
    m, n = a.shape[-2:]
    taus = zeros(record, a, min(m, n))
    record.lapack(f"{LETTERS[a.dtype]}geqrf", items(a), m, n, work, m, taus, Workspace(a.dtype), info)
    return rows(work, a), batched(taus, a), batched(info, a)


@routine(*cpu("geqrf"), *gpu("geqrf"))
def geqrf(record: Record, *operands: Any, backend_config: str = "", out: Any) -> Any:
    _, (a,) = separated(record, operands, 2)
    return record.results(out, *householder(record, a))


@routine("@Qr", *gpu("geqrf_batched", library="blas_"))
def qr(record: Record, a: Any, *, xla_shape: str = "", backend_config: str = "", out: Any) -> Any:
    _, (a,) = separated(record, [a], 2)
    return record.results(out, *householder(record, a)[:2])


@routine(*cpu("orgqr", "ungqr"), *gpu("orgqr"), "@ProductOfElementaryHouseholderReflectors")
def orgqr(record: Record, *operands: Any, xla_shape: str = "", backend_config: str = "", out: Any) -> Any:
    """The first columns of a product of reflectors."""
    _, (a, taus) = separated(record, operands, 2, 1)
    m, n, k = *a.shape[-2:], taus.shape[-1]
    expect(k <= n <= m, f"has {k} reflectors in matrices of shape {[m, n]}, expected at most {min(m, n)} in a tall one")
    work, info = columns(record, a), infos(record, a)
    name = LETTERS[a.dtype] + ("ungqr" if a.dtype.kind == "c" else "orgqr")
    record.lapack(name, items(a), m, n, k, work, m, stacked(taus, 1), Workspace(a.dtype), info)
    return record.results(out, rows(work, a), batched(info, a))


@routine(*cpu("ormqr", "unmqr"), *gpu("ormqr"))
def ormqr(record: Record, a: Any, taus: Any, c: Any, *, left: bool, transpose: bool, out: Any) -> Any:
    """C multiplied by a product of reflectors, or by its conjugate transpose."""
    _, (a, taus, c) = separated(record, [a, taus, c], 2, 1, 2)
    left, transpose = boolean("left", left), boolean("transpose", transpose)
    (m, n), k = c.shape[-2:], taus.shape[-1]
    size = m if left else n
    expect(
        a.shape[-2] == size and k <= min(size, a.shape[-1]),
        f"has {k} reflectors in matrices of shape {list(a.shape[-2:])} for matrices of shape {[m, n]}",
    )
    work, info, name = columns(record, c), infos(record, c), "unmqr" if a.dtype.kind == "c" else "ormqr"
    if k:
        record.lapack(
            *(LETTERS[a.dtype] + name, items(c), "L" if left else "R"),
            *(("C" if a.dtype.kind == "c" else "T") if transpose else "N", m, n, k, columns(record, a), size),
            *(stacked(taus, 1), work, m, Workspace(a.dtype), info),
        )
    return record.results(out, rows(work, c), batched(info, c))


HYBRID = [f"{vendor}hybrid_" for vendor in ("cu", "hip", "oneapi")]


@routine(*cpu("geqp3"), *(f"@{h}geqp3" for h in HYBRID))
def geqp3(record: Record, *operands: Any, magma: str = "", out: Any) -> Any:
    """A QR factorisation that picks its columns; those that `jpvt` marks come first."""
    _, (a, jpvt) = separated(record, operands, 2, 1, integers=1)
    m, n = a.shape[-2:]
    expect_shape("jpvt", jpvt, *a.shape[:-2], n)
    work, info, taus = columns(record, a), infos(record, a), zeros(record, a, min(m, n))
    order = record.copied(stacked(jpvt, 1))
    extra = [scratch(record, 2 * n, real_dtype(a))] if a.dtype.kind == "c" else []
    record.lapack(f"{LETTERS[a.dtype]}geqp3", items(a), m, n, work, m, order, taus, Workspace(a.dtype), *extra, info)
    return record.results(out, rows(work, a), batched(order, a), batched(taus, a), batched(info, a))


# ---------------------------------------------------------------- singular values


def singular_values(record: Record, a: Array, full: bool, vectors: bool, name: str = "gesdd") -> list[Any]:
    """Singular values, left vectors, right vectors conjugated and transposed, and info."""
    (m, n), k, info, real = a.shape[-2:], min(a.shape[-2:]), infos(record, a), real_dtype(a)
    job = ("A" if full else "S") if vectors else "N"
    expect_workspace(a)
    work, where = columns(record, a), finite_matrices(record, a, info)
    s, u, vt = (
        zeros(record, a, k, dtype=real),
        zeros(record, a, m if full else k, m),
        zeros(record, a, n, n if full else k),
    )
    if full and 0 in (m, n):
        zero, one = (record.filled((1,), a.dtype, number) for number in (0, 1))
        for x in (u, vt):
            size = x.shape[-1]
            record.lapack(
                f"{LETTERS[a.dtype]}laset", x.shape[0] if size else 0, "A", size, size, zero, one, x, max(1, size)
            )
    divided = name == "gesdd"
    small, large = k, max(m, n)
    extra = []
    if a.dtype.kind == "c":
        size = max(5 * small * (small + 1), 2 * small * (large + small) + small) if vectors else 7 * small
        extra.append(scratch(record, size if divided else 5 * small, real))
    if divided:
        extra.append(scratch(record, 8 * small, np.int32))
    record.lapack(
        *(f"{LETTERS[a.dtype]}{name}", items(a)),
        *(*([job] if divided else [job, job]), m, n, work, max(1, m), s, u, max(1, m), vt, max(1, vt.shape[-1])),
        *(Workspace(a.dtype), *extra, info),
        where=where,
    )
    spoilt(record, [s, u, vt], where)
    return [batched(s, a), *([rows(u, a), rows(vt, a)] if vectors else [None, None]), batched(info, a)]


@routine(*cpu("gesdd"))
def gesdd(record: Record, *operands: Any, mode: Any = None, out: Any) -> Any:
    flags, (a,) = separated(record, operands, 2)
    if mode is None:
        full, vectors = chosen(flags, 0, 1)
        job = ("A" if full else "S") if vectors else "N"
    else:
        job = letter("mode", mode, "ASN")
    return record.results(out, None, *singular_values(record, a, job == "A", job != "N"))


@routine(*cpu("gesvd"))
def gesvd(record: Record, a: Any, *, mode: Any, out: Any) -> Any:
    _, (a,) = separated(record, [a], 2)
    job = letter("mode", mode, "ASN")
    return record.results(out, None, *singular_values(record, a, job == "A", job != "N", "gesvd"))


def decomposed(
    record: Record, a: Array, out: Sequence[Any], compute_uv: Any, exchanged: bool = False
) -> tuple[Array, Array | None, Array | None, Array]:
    """The decomposition with vectors of the declared types: scalars when there are none."""
    expect(len(out) >= 5, f"has {len(out)} results, expected at least 5")
    left, right = map(static_shape, (out[3], out[2]) if exchanged else out[2:4])
    vectors = (compute_uv is None or boolean("compute_uv", compute_uv)) and len(left) == len(right) == a.ndim
    m, n = a.shape[-2:]
    full = vectors and left[-1] == m and min(right[-2:]) == n
    s, u, vt, info = singular_values(record, a, full, vectors)
    return s, u, vt, info


@routine(*gpu("gesvd", "gesdd"))
def gesvd_on_gpu(
    record: Record,
    a: Any,
    *,
    full_matrices: bool | None = None,
    compute_uv: bool | None = None,
    transposed: bool | None = None,
    backend_config: str = "",
    out: Any,
) -> Any:
    """Of a wide matrix the routine decomposes the transpose, so the vectors change places."""
    _, (a,) = separated(record, [a], 2)
    transposed = a.shape[-2] < a.shape[-1] if transposed is None else boolean("transposed", transposed)
    s, u, vt, info = decomposed(record, a, out, compute_uv, transposed)
    return record.results(out, None, s, *((vt, u) if transposed else (u, vt)), info)


@routine(*gpu("gesvdj", "gesvdp"))
def gesvdj(
    record: Record,
    a: Any,
    *,
    full_matrices: bool | None = None,
    compute_uv: bool | None = None,
    backend_config: str = "",
    out: Any,
) -> Any:
    """The right vectors are in columns."""
    _, (a,) = separated(record, [a], 2)
    s, u, vt, info = decomposed(record, a, out, compute_uv)
    return record.results(out, None, s, u, None if vt is None else conjugated(record, vt.swapaxes(-1, -2)), info)


def conjugated(record: Record, x: Array) -> Array:
    found = record.copied(x)
    if x.dtype.kind == "c":
        record.assign(found.imag, apply(np.negative, x.imag))
    return found


# ---------------------------------------------------------------- eigenvalues


def eigh(record: Record, a: Array, lower: bool, vectors: bool = True) -> tuple[Array, Array, Array]:
    """Of Hermitian matrices the eigenvectors, the eigenvalues from the smallest, and info."""
    expect_square(a)
    expect_workspace(a)
    work, n, info, real = columns(record, a), a.shape[-1], infos(record, a), real_dtype(a)
    w = zeros(record, a, n, dtype=real)
    spaces = [a.dtype, *([real] if a.dtype.kind == "c" else []), np.int32]
    record.lapack(
        *(LETTERS[a.dtype] + ("heevd" if a.dtype.kind == "c" else "syevd"), items(a), "V" if vectors else "N"),
        *("L" if lower else "U", n, work, n, w, *map(Workspace, spaces), info),
    )
    return rows(work, a), batched(w, a), batched(info, a)


@routine(*cpu("syevd", "heevd"), *gpu("syevd", "syevj"))
def syevd(
    record: Record,
    *operands: Any,
    mode: Any = "V",
    uplo: Any = None,
    lower: bool | None = None,
    algorithm: int = 0,
    backend_config: str = "",
    out: Any,
) -> Any:
    flags, (a,) = separated(record, operands, 2)
    vectors = letter("mode", mode, "VN") == "V"
    return record.results(out, *eigh(record, a, is_lower(uplo, lower, flags, backend_config), vectors))


@routine("@Eigh")
def eigh_of_xla(record: Record, a: Any, *, backend_config: str, xla_shape: str = "", out: Any) -> Any:
    """Its configuration: whether it reads the lower triangle, sorts; how many sweeps, to what tolerance."""
    _, (a,) = separated(record, [a], 2)
    lower = str(backend_config).partition(",")[0]
    expect(lower in ("0", "1"), f"has backend_config = {backend_config}, expected 0 or 1, and more after a comma")
    return record.results(out, *eigh(record, a, lower == "1")[:2])


def eig(record: Record, a: Array, left: bool, right: bool) -> tuple[list[Array], Array, Array, Array]:
    """Eigenvalues, in two halves for real matrices, left and right eigenvectors as LAPACK packs them, and info."""
    expect_square(a)
    work, n, info, real = columns(record, a), a.shape[-1], infos(record, a), a.dtype.kind == "f"
    where = finite_matrices(record, a, info)
    values = [zeros(record, a, n) for _ in range(1 + real)]
    vl, vr = zeros(record, a, n, n), zeros(record, a, n, n)
    extra = [] if real else [scratch(record, 2 * n, real_dtype(a))]
    record.lapack(
        *(f"{LETTERS[a.dtype]}geev", items(a), "V" if left else "N", "V" if right else "N", n, work, n),
        *(*values, vl, n, vr, n, Workspace(a.dtype), *extra, info),
        where=where,
    )
    spoilt(record, [*values, vl, vr], where)
    return values, vl, vr, info


def unpacked(record: Record, vectors: Array, values: list[Array], info: Array) -> Array:
    """Complex eigenvectors; of a real matrix's pair of conjugates, LAPACK gives the halves of the first's."""
    if len(values) == 1:
        return vectors
    found = complex_of(record, vectors, record.filled(vectors.shape, vectors.dtype, 0))
    known = apply(np.equal, info[:, None, None], 0)
    first = apply(np.logical_and, known, apply(np.greater, values[1][:, :-1, None], 0))
    second = apply(np.logical_and, known, apply(np.less, values[1][:, 1:, None], 0))
    record.assign(found.imag[:, :-1], apply(np.where, first, vectors[:, 1:], 0))
    record.assign(found.real[:, 1:], apply(np.where, second, vectors[:, :-1], vectors[:, 1:]))
    record.assign(found.imag[:, 1:], apply(np.where, second, apply(np.negative, vectors[:, 1:]), found.imag[:, 1:]))
    return found


def complex_of(record: Record, real: Array, imag: Array) -> Array:
    found = record.empty(real.shape, np.result_type(real.dtype, np.complex64))
    record.assign(found.real, real)
    record.assign(found.imag, imag)
    return found


EIG = [f"@{h}eig_{kind}" for h in HYBRID for kind in ("real", "comp")]


@routine(*cpu("geev"), *EIG)
def geev(
    record: Record,
    *operands: Any,
    compute_left: Any = None,
    compute_right: Any = None,
    left: bool | None = None,
    right: bool | None = None,
    magma: str = "",
    out: Any,
) -> Any:
    flags, (a,) = separated(record, operands, 2)
    if flags:
        compute_left, compute_right = chosen(flags, 2, 3)
    if left is None and right is None:
        wanted = {"compute_left": compute_left, "compute_right": compute_right}
        with_left, with_right = (letter(name, flag, "VN") == "V" for name, flag in wanted.items())
    else:
        with_left, with_right = boolean("left", left), boolean("right", right)
    values, vl, vr, info = eig(record, a, with_left, with_right)
    vectors = [rows(unpacked(record, v, values, info), a) for v in (vl, vr)]
    return record.results(
        out, *(batched(w, a) for w in values), *vectors, batched(info, a), workspaces_first=bool(flags)
    )


@routine(*gpu("geev"))
def geev_on_gpu(record: Record, a: Any, *, left: bool, right: bool, out: Any) -> Any:
    """The eigenvalues are complex, the vectors packed."""
    _, (a,) = separated(record, [a], 2)
    values, vl, vr, info = eig(record, a, boolean("left", left), boolean("right", right))
    w = values[0] if len(values) == 1 else complex_of(record, *values)
    return record.results(out, None, batched(w, a), rows(vl, a), rows(vr, a), batched(info, a))


@routine(*cpu("gees"))
def gees(record: Record, *operands: Any, mode: Any = "V", sort: Any = "N", out: Any) -> Any:
    """The Schur form, Schur vectors, eigenvalues, how many of these were selected, and info."""
    flags, (a,) = separated(record, operands, 2)
    if flags:
        mode, sort = chosen(flags, 2, 3)
    mode = letter("mode", mode, "VN")
    if letter("sort", sort, "NS") != "N":
        raise UnsupportedOp("sorts by a function that the file does not hold; export with sort_eig_vals=False")
    expect_square(a)
    work, n, info, real = columns(record, a), a.shape[-1], infos(record, a), a.dtype.kind == "f"
    where = finite_matrices(record, a, info)
    values, vectors, selected = [zeros(record, a, n) for _ in range(1 + real)], zeros(record, a, n, n), infos(record, a)
    extra = [] if real else [scratch(record, n, real_dtype(a))]
    record.lapack(
        *(f"{LETTERS[a.dtype]}gees", items(a), mode, "N", None, n, work, n, selected),
        *(*values, vectors, n, Workspace(a.dtype), *extra, scratch(record, n, np.int32), info),
        where=where,
    )
    spoilt(record, [work, vectors, *values], where)
    form, schur_vectors, ends = rows(work, a), rows(vectors, a), [batched(x, a) for x in (selected, info)]
    eigenvalues = [batched(w, a) for w in values]
    if not flags and len(out) > 1 and len(out[1].shape) == a.ndim:
        return record.results(out, form, schur_vectors, *eigenvalues, *ends)
    # Before jax 0.4.36 the vectors came after the eigenvalues; and before 0.4.32, first of all an array to work in.
    spaces = [None] * (flags != [] and not real)
    return record.results(out, form, *spaces, *eigenvalues, schur_vectors, *ends)


# ---------------------------------------------------------------- Hessenberg, tridiagonal


@routine(*cpu("gehrd"))
def gehrd(record: Record, *operands: Any, low: int = 1, high: int | None = None, out: Any) -> Any:
    """A Hessenberg matrix with the reflectors below it, their factors, and info."""
    flags, (a,) = separated(record, operands, 2)
    expect_square(a)
    n = a.shape[-1]
    low, high = chosen(flags, 1, 2) if flags else (low, n if high is None else high)
    expect(isinstance(low, int) and isinstance(high, int), f"has low = {low}, high = {high}, expected integers")
    expect(1 <= low <= high <= n or n == 0, f"has low = {low}, high = {high}, expected 1 <= low <= high <= {n}")
    work, info, taus = columns(record, a), infos(record, a), zeros(record, a, max(0, n - 1))
    record.lapack(f"{LETTERS[a.dtype]}gehrd", items(a), n, low, high, work, n, taus, Workspace(a.dtype), info)
    return record.results(out, rows(work, a), batched(taus, a), batched(info, a))


@routine(*cpu("sytrd", "hetrd"), *gpu("sytrd"))
def sytrd(
    record: Record, *operands: Any, uplo: Any = None, lower: bool | None = None, backend_config: str = "", out: Any
) -> Any:
    """A tridiagonal matrix with the reflectors beside it, its two diagonals, the reflectors' factors, and info."""
    flags, (a,) = separated(record, operands, 2)
    expect_square(a)
    work, info, n, real = columns(record, a), infos(record, a), a.shape[-1], real_dtype(a)
    d, e, taus = (
        zeros(record, a, n, dtype=real),
        zeros(record, a, max(0, n - 1), dtype=real),
        zeros(record, a, max(0, n - 1)),
    )
    record.lapack(
        *(LETTERS[a.dtype] + ("hetrd" if a.dtype.kind == "c" else "sytrd"), items(a)),
        *("L" if is_lower(uplo, lower, flags[1:], backend_config) else "U", n, work, n, d, e, taus),
        *(Workspace(a.dtype), info),
    )
    return record.results(out, rows(work, a), *(batched(x, a) for x in (d, e, taus, info)))


def expect_tridiagonal(diagonals: Sequence[Array], b: Array) -> None:
    for name, x in zip(("dl", "d", "du"), diagonals):
        expect_shape(name, x, *b.shape[:-1])


def tridiagonal_solved(record: Record, dl: Array, d: Array, du: Array, b: Array) -> list[Array]:
    """The diagonals as the elimination leaves them, the solution, and info; the first number of `dl` is not used."""
    _, (dl, d, du, b) = separated(record, [dl, d, du, b], 1, 1, 1, 2)
    expect_tridiagonal((dl, d, du), b)
    n, k, x, info = *b.shape[-2:], columns(record, b), infos(record, b)
    below, middle, above = (record.copied(stacked(v, 1)) for v in (dl, d, du))
    # Of each row the numbers from the second on: a view whose rows are a whole row apart.
    record.lapack(f"{LETTERS[b.dtype]}gtsv", items(b), n, k, below[:, 1:], middle, above, x, max(1, n), info)
    return [*(v.reshape(d.shape) for v in (below, middle, above)), rows(x, b), batched(info, b)]


@routine(*cpu("gtsv"))
def gtsv(record: Record, dl: Any, d: Any, du: Any, b: Any, *, out: Any) -> Any:
    return record.results(out, *tridiagonal_solved(record, dl, d, du, b))


@routine(*gpu("gtsv2", "gtsv2_f32", "gtsv2_f64", library="sparse_"))
def gtsv2(record: Record, dl: Any, d: Any, du: Any, b: Any, *, backend_config: str = "", out: Any) -> Any:
    *_, x, info = tridiagonal_solved(record, dl, d, du, b)
    x = record.copied(x)
    spoilt(record, [stacked(x, 2)], record.filled((info.size,), np.int32, apply(np.less_equal, stacked(info, 0), 0)))
    return record.results(out, x)


PERTURBED = [
    f"@{prefix}tridiagonal_solve_perturbed{suffix}" for prefix in ("", "cu_", "hip_") for suffix in ("", "_ffi")
]


@routine(*PERTURBED)
def tridiagonal_solve_perturbed(record: Record, dl: Any, d: Any, du: Any, b: Any, *, out: Any) -> Any:
    """As above, with pivots moved away from zero as far as it takes for a finite solution of a singular system."""
    _, (dl, d, du, b) = separated(record, [dl, d, du, b], 1, 1, 1, 2)
    expect_tridiagonal((dl, d, du), b)
    x = record.copied(stacked(b, 2))
    record.run(solve_perturbed, *(stacked(v, 1) for v in (dl, d, du)), x)
    return record.results(out, batched(x, b))


def solve_perturbed(below: np.ndarray, middle: np.ndarray, above: np.ndarray, x: np.ndarray) -> None:
    """Elimination with exchanges of rows, whose pivots are measured by the rows that they stand in (xLAGTF, xLAGTS)."""
    n, limits = x.shape[1], np.finfo(x.dtype)
    if not n:
        return
    above = above.copy()
    above[:, -1] = 0
    # Of each row of the upper factor, the diagonal and the two numbers after it.
    upper = np.stack([middle, above, np.zeros_like(above)], -1)
    scale, largest = np.abs(upper[:, 0]).sum(-1), np.abs(upper[:, 0]).max(-1)
    for k in range(1, n):
        row = np.stack([below[:, k], middle[:, k], above[:, k]], -1)
        own = np.abs(row).sum(-1)
        pivot = upper[:, k - 1].copy()
        size, other = (np.abs(v[:, 0]) / np.where(v[:, 0] == 0, 1, s) for v, s in ((pivot, scale), (row, own)))
        exchanged, apart = (other > size)[:, None], below[:, k, None] == 0
        first, second = np.where(exchanged, row, pivot), np.where(exchanged, pivot, row)
        factor = second[:, :1] / np.where(first[:, :1] == 0, 1, first[:, :1])
        upper[:, k - 1] = first
        # The sign of a pivot that becomes zero is that in which it is moved: nothing is added that need not be.
        upper[:, k, :1] = np.where(apart, row[:, 1:2], second[:, 1:2] - factor * first[:, 1:2])
        upper[:, k, 1:2] = np.where(exchanged, -factor * row[:, 2:], row[:, 2:])
        one, two = np.where(exchanged, x[:, k], x[:, k - 1]), np.where(exchanged, x[:, k - 1], x[:, k])
        x[:, k - 1], x[:, k] = one, np.where(apart, two, two - factor * one)
        scale = np.where(exchanged[:, 0], np.abs(upper[:, k, :2]).sum(-1), own)
        if k < n - 1:  # the row before the last one does not count
            largest = np.fmax(largest, np.abs(first).max(-1))
    largest = np.fmax(largest, np.abs(upper[:, -1, 0]))
    for k in reversed(range(n)):
        for j in range(1, min(3, n - k)):
            x[:, k] -= upper[:, k, j, None] * x[:, k + j]
        x[:, k] *= 1 / moved_from_zero(upper[:, k, 0], limits.eps * largest, x[:, k])[:, None]


def moved_from_zero(pivot: np.ndarray, step: np.ndarray, x: np.ndarray) -> np.ndarray:
    """Pivots by which rows can be divided; a row whose pivot has no inverse becomes as much larger as that does."""
    limits = np.finfo(x.dtype)
    pivot, largest = pivot.copy(), np.abs(x).max(-1, initial=0)
    step = np.copysign(np.fmax(step, limits.tiny), pivot.real)
    while True:
        size = np.abs(pivot)
        overflows = (size < 1) & ((size == 0) | (largest * limits.tiny > size))
        if not overflows.any():
            break
        pivot, step = np.where(overflows, pivot + step, pivot), np.where(overflows, 2 * step, step)
    tiny = np.abs(pivot) < limits.tiny
    x[tiny] /= limits.tiny
    return np.where(tiny, pivot / limits.tiny, pivot)


# ---------------------------------------------------------------- products, updates


@routine(*gpu("syrk"))
def syrk(record: Record, a: Any, c: Any, alpha: Any, beta: Any, *, transpose: bool = False, out: Any) -> Any:
    """alpha·A·Aᵀ + beta·C, or AᵀA."""
    _, (a, c) = separated(record, [a, c], 2, 2)
    _, (alpha, beta) = separated(record, [alpha, beta], 0, 0)
    transpose = boolean("transpose", transpose)
    m, n = a.shape[-2:]
    size, depth = (n, m) if transpose else (m, n)
    expect_shape("a matrix to add to", c, *a.shape[:-2], size, size)
    expect(alpha.dtype == beta.dtype == a.dtype == c.dtype, f"has factors of another type than {a.dtype}")
    # Read column by column A is transposed, and so are C and the result.
    x = record.copied(stacked(c, 2))
    record.lapack(
        *(f"{LETTERS[a.dtype]}gemm", items(x), *("NT" if transpose else "TN"), size, size, depth),
        *(alpha.reshape((1,)), stacked(a, 2), max(1, n), stacked(a, 2), max(1, n), beta.reshape((1,)), x, size),
    )
    return record.results(out, batched(x, c))


@routine("@cu_cholesky_update", "@cu_cholesky_update_ffi")
def cholesky_update(record: Record, r: Any, w: Any, *, backend_config: str = "", out: Any) -> Any:
    """The upper factor of RᵀR + w·wᵀ, by a rotation for each row."""
    _, (r, w) = separated(record, [r, w], 2, 1)
    expect_square(r)
    expect(r.ndim == 2 and r.dtype.kind == "f", f"has the shape {list(r.shape)} of {r.dtype}, expected a real matrix")
    expect_shape("a vector", w, r.shape[-1])
    r, w = record.copied(r), record.copied(w)
    record.run(rotate, r, w)
    return record.results(out, r, w)


def rotate(r: np.ndarray, w: np.ndarray) -> None:
    for k in range(len(w)):
        if w[k]:
            length = np.hypot(r[k, k], w[k])
            c, s = r[k, k] / length, w[k] / length
            r[k, k:], w[k:] = c * r[k, k:] + s * w[k:], c * w[k:] - s * r[k, k:]
