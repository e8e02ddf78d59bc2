"""Linear algebra on the host: StableHLO's two ops, and the custom calls that JAX, XLA and TensorFlow write for LAPACK.

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

from ..errors import UnsupportedOp
from ..ir.dtypes import numpy_dtype, static_shape
from ..machine.libraries import LETTERS, Workspace, expect_integer
from .lapack import carry_out
from .procedure import Array, Record, apply, exchange_pivots, finite, real_dtype, record_procedure
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


# ---------------------------------------------------------------- Cholesky, triangular


def cholesky_factor(record: Record, a: Array, lower: bool) -> tuple[Array, Array]:
    """The Cholesky factor in its triangle, with the input's numbers in the other triangle, and info."""
    expect_square(a)
    info, n = infos(record, a), a.shape[-1]
    # LAPACK reads the rows as columns: the lower triangle of a Hermitian matrix, and its factor, are the upper ones.
    factor = record.copy_array(stack_batches(a, 2))
    lapack(record, "potrf", a, "U" if lower else "L", n, factor, n, info)
    return factor, info


@routine("stablehlo.cholesky")
def cholesky(record: Record, a: Array, *, lower: bool, out: Types) -> Results:
    """The factor, with zeros in the other triangle, or NaN if a matrix is not positive definite, as in XLA."""
    expect_square(a, " (C2, C3)")
    _, (a,) = split_operands(record, [a], 2)
    factor, info = cholesky_factor(record, a, boolean("lower", lower))
    n = a.shape[-1]
    if n > 1:
        zero = record.fill((1,), a.dtype, 0)
        # The other triangle without the diagonal; LAPACK reads the rows as columns.
        other = factor[:, :, 1:] if lower else factor[:, 1:]
        lapack(record, "laset", a, "L" if lower else "U", n - 1, n - 1, zero, zero, other, n)
    set_nan(record, [factor], record.fill(info.shape, np.int32, apply(np.less_equal, info, 0)))
    return record.results(out, restore_batches(factor, a))


@routine(*cpu("potrf"), *gpu("potrf"))
def potrf(
    record: Record, *operands: Operand, uplo: Flag = None, lower: Flag = None, backend_config: str = "", out: Types
) -> Results:
    flags, (a,) = split_operands(record, operands, 2)
    factor, info = cholesky_factor(record, a, is_lower(uplo, lower, flags, backend_config))
    return record.results(out, restore_batches(factor, a), restore_batches(info, a))


def solve(
    record: Record, a: Array, b: Array, left: bool, lower: bool, transposed: str, unit: bool, scale: Array | float = 1
) -> Array:
    """X in op(A)·X = scale·B, or in X·op(A) = scale·B; op is "N"one, "T"ranspose or "C"onjugate transpose."""
    expect_square(a)
    expect(
        a.shape[-1] == b.shape[-2 if left else -1],
        f"has matrices of shapes {list(a.shape)} and {list(b.shape)}, whose sizes do not match (C2, C3)",
    )
    m, n = b.shape[-2:]
    # LAPACK reads rows as columns, so all matrices are transposed: the side and the triangle are the opposite ones.
    x = record.copy_array(b)
    factor = scale.reshape((1,)) if isinstance(scale, Array) else record.fill((1,), a.dtype, scale)
    flags = "R" if left else "L", "U" if lower else "L", transposed, "U" if unit else "N"
    lapack(record, "trsm", b, *flags, n, m, factor, stack_batches(a, 2), a.shape[-1], stack_batches(x, 2), n)
    return x


TRANSPOSES = {"NO_TRANSPOSE": "N", "TRANSPOSE": "T", "ADJOINT": "C"}


@routine("stablehlo.triangular_solve")
def triangular_solve(
    record: Record,
    a: Array,
    b: Array,
    *,
    left_side: bool,
    lower: bool,
    unit_diagonal: bool,
    transpose_a: str,
    out: Types,
) -> Results:
    _, (a, b) = split_operands(record, [a, b], 2, 2)
    expect_square(a, " (C2, C3)")
    known = isinstance(transpose_a, str) and transpose_a in TRANSPOSES
    expect(known, f"has transpose_a = {transpose_a}, expected one of {', '.join(TRANSPOSES)}")
    left, unit = boolean("left_side", left_side), boolean("unit_diagonal", unit_diagonal)
    return record.results(out, solve(record, a, b, left, boolean("lower", lower), TRANSPOSES[transpose_a], unit))


@routine(*cpu("trsm"), *cpu("trsm", library="blas"))
def trsm(
    record: Record,
    *operands: Operand,
    side: Flag = "",
    uplo: Flag = "",
    trans_x: Flag = "",
    diag: Flag = "",
    out: Types,
) -> Results:
    scales = [x for x in operands if isinstance(x, Array) and x.ndim == 0]
    expect(len(scales) <= 1, f"has {len(scales)} scalar factors, expected at most one")
    flags, (a, b) = split_operands(record, [x for x in operands if not any(x is scale for scale in scales)], 2, 2)
    for scale in scales:
        expect(scale.dtype == b.dtype, f"has a factor of {scale.dtype}, expected {b.dtype} like the matrices")
    if flags:
        left, lower, number, unit = chosen(flags, 0, 1, 2, 3)
        expect(number in range(3), f"has the transposition {number}, expected 0 (none), 1 or 2 (conjugate)")
        return record.results(out, solve(record, a, b, bool(left), bool(lower), "NTC"[number], bool(unit), *scales))
    sides = letter("side", side, "LR") == "L", letter("uplo", uplo, "LU") == "L"
    transposed, unit = letter("trans_x", trans_x, "NTC"), letter("diag", diag, "UN") == "U"
    return record.results(out, solve(record, a, b, *sides, transposed, unit, *scales))


# ---------------------------------------------------------------- LU


def lu(record: Record, a: Array) -> tuple[Array, Array, Array]:
    """Both factors in one matrix, the row, counted from 1, with which each row was exchanged, and info."""
    work, info = columns(record, a), infos(record, a)
    m, n = a.shape[-2:]
    pivots = zeros(record, a, min(m, n), dtype=np.int32)
    lapack(record, "getrf", a, m, n, work, m, pivots, info)
    return rows(work, a), restore_batches(pivots, a), restore_batches(info, a)


@routine(*cpu("getrf"), *gpu("getrf"), *gpu("getrf_batched", library="blas_"), ignored=("backend_config",))
def getrf(record: Record, *operands: Operand, out: Types) -> Results:
    _, (a,) = split_operands(record, operands, 2)
    return record.results(out, *lu(record, a))


def permutation(record: Record, pivots: Array, size: int) -> Array:
    """The permutation of `size` rows that results from exchanging rows with the pivots, which are counted from 0."""
    result = record.empty((*pivots.shape[:-1], size), np.int32)
    record.run(exchange_pivots, stack_batches(result, 1), stack_batches(pivots, 1))
    return result


PIVOTS = [f"@{prefix}lu_pivots_to_permutation" for prefix in ("", "cu_", "hip_", "oneapi_")]


@routine(*PIVOTS, ignored=("backend_config",))
def lu_pivots_to_permutation(
    record: Record, *operands: Operand, permutation_size: int | None = None, out: Types
) -> Results:
    _, (pivots,) = split_operands(record, operands, 1, integers=1)
    (shape,) = map(static_shape, out)
    size, batch = shape[-1] if shape else 0, pivots.shape[:-1]
    fits = shape[:-1] == batch and size >= pivots.shape[-1] and permutation_size in (None, size)
    expect(fits, f"has pivots of shape {list(pivots.shape)} for permutations of shape {list(shape)}")
    return record.results(out, permutation(record, pivots, size))


@routine("@LuDecomposition", ignored=("xla_shape",))
def lu_decomposition(record: Record, a: Array, *, out: Types) -> Results:
    _, (a,) = split_operands(record, [a], 2)
    factors, pivots, _ = lu(record, a)
    pivots = record.fill(pivots.shape, np.int32, apply(np.subtract, pivots, 1))
    return record.results(out, factors, pivots, permutation(record, pivots, a.shape[-2]))


# ---------------------------------------------------------------- QR


def householder(record: Record, a: Array) -> tuple[Array, Array, Array]:
    """R above the reflectors, the factors of the reflectors, and info."""
    work, info = columns(record, a), infos(record, a)
    m, n = a.shape[-2:]
    taus = zeros(record, a, min(m, n))
    lapack(record, "geqrf", a, m, n, work, m, taus, Workspace(a.dtype), info)
    return rows(work, a), restore_batches(taus, a), restore_batches(info, a)


@routine(*cpu("geqrf"), *gpu("geqrf"), ignored=("backend_config",))
def geqrf(record: Record, *operands: Operand, out: Types) -> Results:
    _, (a,) = split_operands(record, operands, 2)
    return record.results(out, *householder(record, a))


@routine("@Qr", *gpu("geqrf_batched", library="blas_"), ignored=("xla_shape", "backend_config"))
def qr(record: Record, a: Array, *, out: Types) -> Results:
    _, (a,) = split_operands(record, [a], 2)
    return record.results(out, *householder(record, a)[:2])


REFLECTORS = "@ProductOfElementaryHouseholderReflectors"


@routine(*cpu("orgqr", "ungqr"), *gpu("orgqr"), REFLECTORS, ignored=("xla_shape", "backend_config"))
def orgqr(record: Record, *operands: Operand, out: Types) -> Results:
    """The first columns of a product of reflectors."""
    _, (a, taus) = split_operands(record, operands, 2, 1)
    m, n, k = *a.shape[-2:], taus.shape[-1]
    expect(
        k <= n <= m,
        f"has {k} reflectors in matrices of shape {[m, n]}; a matrix must have at least as many rows as columns, and"
        " no more reflectors than columns",
    )
    work, info = columns(record, a), infos(record, a)
    lapack(record, "orgqr", a, m, n, k, work, m, stack_batches(taus, 1), Workspace(a.dtype), info)
    return record.results(out, rows(work, a), restore_batches(info, a))


@routine(*cpu("ormqr", "unmqr"), *gpu("ormqr"))
def ormqr(record: Record, a: Array, taus: Array, c: Array, *, left: bool, transpose: bool, out: Types) -> Results:
    """C multiplied by a product of reflectors, or by its conjugate transpose."""
    _, (a, taus, c) = split_operands(record, [a, taus, c], 2, 1, 2)
    left, transpose = boolean("left", left), boolean("transpose", transpose)
    (m, n), k = c.shape[-2:], taus.shape[-1]
    size = m if left else n
    expect(
        a.shape[-2] == size and k <= min(size, a.shape[-1]),
        f"has {k} reflectors in matrices of shape {list(a.shape[-2:])}, which do not fit matrices of shape {[m, n]}",
    )
    work, info = columns(record, c), infos(record, c)
    if k:
        flags = "L" if left else "R", ("C" if a.dtype.kind == "c" else "T") if transpose else "N"
        reflectors = columns(record, a), size, stack_batches(taus, 1)
        lapack(record, "ormqr", c, *flags, m, n, k, *reflectors, work, m, Workspace(a.dtype), info)
    return record.results(out, rows(work, c), restore_batches(info, c))


HYBRID = [f"{vendor}hybrid_" for vendor in ("cu", "hip", "oneapi")]


@routine(*cpu("geqp3"), *(f"@{h}geqp3" for h in HYBRID), ignored=("magma",))
def geqp3(record: Record, *operands: Operand, out: Types) -> Results:
    """A QR factorisation with a choice of columns; those that `jpvt` marks come first."""
    _, (a, jpvt) = split_operands(record, operands, 2, 1, integers=1)
    m, n = a.shape[-2:]
    expect_shape("jpvt", jpvt, *a.shape[:-2], n)
    work, info, taus = columns(record, a), infos(record, a), zeros(record, a, min(m, n))
    order = record.copy_array(stack_batches(jpvt, 1))
    extra = [scratch(record, 2 * n, real_dtype(a))] if a.dtype.kind == "c" else []
    lapack(record, "geqp3", a, m, n, work, m, order, taus, Workspace(a.dtype), *extra, info)
    return record.results(
        out, rows(work, a), restore_batches(order, a), restore_batches(taus, a), restore_batches(info, a)
    )


# ---------------------------------------------------------------- singular values


def singular_values(
    record: Record, a: Array, full: bool, vectors: bool, name: str = "gesdd"
) -> tuple[Array, Array | None, Array | None, Array]:
    """The singular values, left vectors, right vectors, which are conjugated and transposed, and info."""
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
        zero, one = (record.fill((1,), a.dtype, number) for number in (0, 1))
        for x in (u, vt):
            lapack(record, "laset", x, "A", x.shape[-1], x.shape[-1], zero, one, x, max(1, x.shape[-1]))
    divided = name == "gesdd"
    small, large = k, max(m, n)
    extra = []
    if a.dtype.kind == "c":
        size = max(5 * small * (small + 1), 2 * small * (large + small) + small) if vectors else 7 * small
        extra.append(scratch(record, size if divided else 5 * small, real))
    if divided:
        extra.append(scratch(record, 8 * small, np.int32))
    jobs, results = [job] if divided else [job, job], (s, u, max(1, m), vt, max(1, vt.shape[-1]))
    lapack(record, name, a, *jobs, m, n, work, max(1, m), *results, Workspace(a.dtype), *extra, info, where=where)
    set_nan(record, [s, u, vt], where)
    return (
        restore_batches(s, a),
        rows(u, a) if vectors else None,
        rows(vt, a) if vectors else None,
        restore_batches(info, a),
    )


@routine(*cpu("gesdd"))
def gesdd(record: Record, *operands: Operand, mode: Flag = None, out: Types) -> Results:
    flags, (a,) = split_operands(record, operands, 2)
    if mode is None:
        full, vectors = chosen(flags, 0, 1)
        return record.results(out, None, *singular_values(record, a, bool(full and vectors), bool(vectors)))
    job = letter("mode", mode, "ASN")
    return record.results(out, None, *singular_values(record, a, job == "A", job != "N"))


@routine(*cpu("gesvd"))
def gesvd(record: Record, a: Array, *, mode: Flag, out: Types) -> Results:
    _, (a,) = split_operands(record, [a], 2)
    job = letter("mode", mode, "ASN")
    return record.results(out, None, *singular_values(record, a, job == "A", job != "N", "gesvd"))


def decompose(
    record: Record, a: Array, out: Types, compute_uv: Flag, exchanged: bool = False
) -> tuple[Array, Array | None, Array | None, Array]:
    """The singular values and the vectors that are declared; vectors that are not wanted are declared as scalars."""
    expect(len(out) >= 5, f"has {len(out)} results, expected at least 5")
    left, right = map(static_shape, (out[3], out[2]) if exchanged else out[2:4])
    vectors = (compute_uv is None or boolean("compute_uv", compute_uv)) and len(left) == len(right) == a.ndim
    m, n = a.shape[-2:]
    full = vectors and left[-1] == m and min(right[-2:]) == n
    return singular_values(record, a, full, vectors)


@routine(*gpu("gesvd", "gesdd"), ignored=("full_matrices", "backend_config"))
def gesvd_on_gpu(
    record: Record, a: Array, *, compute_uv: Flag = None, transposed: bool | None = None, out: Types
) -> Results:
    """If the matrix is wide, the routine decomposes its transpose, so the vectors change places."""
    _, (a,) = split_operands(record, [a], 2)
    transposed = a.shape[-2] < a.shape[-1] if transposed is None else boolean("transposed", transposed)
    s, u, vt, info = decompose(record, a, out, compute_uv, transposed)
    return record.results(out, None, s, *((vt, u) if transposed else (u, vt)), info)


@routine(*gpu("gesvdj", "gesvdp"), ignored=("full_matrices", "backend_config"))
def gesvdj(record: Record, a: Array, *, compute_uv: Flag = None, out: Types) -> Results:
    """The right vectors are columns."""
    _, (a,) = split_operands(record, [a], 2)
    s, u, vt, info = decompose(record, a, out, compute_uv)
    return record.results(out, None, s, u, None if vt is None else conjugate(record, vt.swapaxes(-1, -2)), info)


def conjugate(record: Record, x: Array) -> Array:
    result = record.copy_array(x)
    if x.dtype.kind == "c":
        record.assign(result.imag, apply(np.negative, x.imag))
    return result


# ---------------------------------------------------------------- eigenvalues


def eigh(record: Record, a: Array, lower: bool, vectors: bool = True) -> tuple[Array, Array, Array]:
    """The eigenvectors of Hermitian matrices, their eigenvalues in ascending order, and info."""
    expect_square(a)
    expect_workspace(a)
    work, n, info, real = columns(record, a), a.shape[-1], infos(record, a), real_dtype(a)
    w = zeros(record, a, n, dtype=real)
    spaces = [a.dtype, *([real] if a.dtype.kind == "c" else []), np.int32]
    flags = "V" if vectors else "N", "L" if lower else "U"
    lapack(record, "syevd", a, *flags, n, work, n, w, *map(Workspace, spaces), info)
    return rows(work, a), restore_batches(w, a), restore_batches(info, a)


@routine(*cpu("syevd", "heevd"), *gpu("syevd", "syevj"), ignored=("algorithm",))
def syevd(
    record: Record,
    *operands: Operand,
    mode: Flag = "V",
    uplo: Flag = None,
    lower: Flag = None,
    backend_config: str = "",
    out: Types,
) -> Results:
    flags, (a,) = split_operands(record, operands, 2)
    vectors = letter("mode", mode, "VN") == "V"
    return record.results(out, *eigh(record, a, is_lower(uplo, lower, flags, backend_config), vectors))


@routine("@Eigh", ignored=("xla_shape",))
def eigh_of_xla(record: Record, a: Array, *, backend_config: str, out: Types) -> Results:
    """The configuration says whether to read the lower triangle, whether to sort, the sweeps and the tolerance."""
    _, (a,) = split_operands(record, [a], 2)
    lower = str(backend_config).partition(",")[0]
    expect(lower in ("0", "1"), f"has backend_config = {backend_config}, expected it to begin with 0 or 1")
    return record.results(out, *eigh(record, a, lower == "1")[:2])


def eig(record: Record, a: Array, left: bool, right: bool) -> tuple[list[Array], Array, Array, Array]:
    """The eigenvalues (of real matrices in two halves), the left and right eigenvectors in LAPACK's form, and info."""
    expect_square(a)
    work, n, info, real = columns(record, a), a.shape[-1], infos(record, a), a.dtype.kind == "f"
    where = finite_matrices(record, a, info)
    values = [zeros(record, a, n) for _ in range(1 + real)]
    vl, vr = zeros(record, a, n, n), zeros(record, a, n, n)
    extra = [] if real else [scratch(record, 2 * n, real_dtype(a))]
    flags, results = ("V" if left else "N", "V" if right else "N"), (*values, vl, n, vr, n)
    lapack(record, "geev", a, *flags, n, work, n, *results, Workspace(a.dtype), *extra, info, where=where)
    set_nan(record, [*values, vl, vr], where)
    return values, vl, vr, info


def unpack(record: Record, vectors: Array, values: list[Array], info: Array) -> Array:
    """Complex eigenvectors; for two conjugate ones of a real matrix, LAPACK returns the two halves of the first."""
    if len(values) == 1:
        return vectors
    result = complex_of(record, vectors, record.fill(vectors.shape, vectors.dtype, 0))
    known = apply(np.equal, info[:, None, None], 0)
    first = apply(np.logical_and, known, apply(np.greater, values[1][:, :-1, None], 0))
    second = apply(np.logical_and, known, apply(np.less, values[1][:, 1:, None], 0))
    record.assign(result.imag[:, :-1], apply(np.where, first, vectors[:, 1:], 0))
    record.assign(result.real[:, 1:], apply(np.where, second, vectors[:, :-1], vectors[:, 1:]))
    record.assign(result.imag[:, 1:], apply(np.where, second, apply(np.negative, vectors[:, 1:]), result.imag[:, 1:]))
    return result


def complex_of(record: Record, real: Array, imag: Array) -> Array:
    result = record.empty(real.shape, np.result_type(real.dtype, np.complex64))
    record.assign(result.real, real)
    record.assign(result.imag, imag)
    return result


EIG = [f"@{h}eig_{kind}" for h in HYBRID for kind in ("real", "comp")]


@routine(*cpu("geev"), *EIG, ignored=("magma",))
def geev(
    record: Record,
    *operands: Operand,
    compute_left: Flag = None,
    compute_right: Flag = None,
    left: Flag = None,
    right: Flag = None,
    out: Types,
) -> Results:
    flags, (a,) = split_operands(record, operands, 2)
    if flags:
        compute_left, compute_right = chosen(flags, 2, 3)
    if left is None and right is None:
        left = letter("compute_left", compute_left, "VN") == "V"
        right = letter("compute_right", compute_right, "VN") == "V"
    values, vl, vr, info = eig(record, a, boolean("left", left), boolean("right", right))
    vectors = [rows(unpack(record, v, values, info), a) for v in (vl, vr)]
    return record.results(
        out, *(restore_batches(w, a) for w in values), *vectors, restore_batches(info, a), workspaces_first=bool(flags)
    )


@routine(*gpu("geev"))
def geev_on_gpu(record: Record, a: Array, *, left: bool, right: bool, out: Types) -> Results:
    """The eigenvalues are complex, the vectors packed."""
    _, (a,) = split_operands(record, [a], 2)
    values, vl, vr, info = eig(record, a, boolean("left", left), boolean("right", right))
    w = values[0] if len(values) == 1 else complex_of(record, *values)
    return record.results(out, None, restore_batches(w, a), rows(vl, a), rows(vr, a), restore_batches(info, a))


@routine(*cpu("gees"))
def gees(record: Record, *operands: Operand, mode: Flag = "V", sort: Flag = "N", out: Types) -> Results:
    """The Schur form, the Schur vectors, the eigenvalues, how many of them were selected, and info."""
    flags, (a,) = split_operands(record, operands, 2)
    if flags:
        mode, sort = chosen(flags, 2, 3)
    mode = letter("mode", mode, "VN")
    if letter("sort", sort, "NS") != "N":
        raise UnsupportedOp("sorts by a function that is not in the file; export the program with sort_eig_vals=False")
    expect_square(a)
    work, n, info, real = columns(record, a), a.shape[-1], infos(record, a), a.dtype.kind == "f"
    where = finite_matrices(record, a, info)
    values, vectors, selected = [zeros(record, a, n) for _ in range(1 + real)], zeros(record, a, n, n), infos(record, a)
    extra = [] if real else [scratch(record, n, real_dtype(a))]
    spaces = Workspace(a.dtype), *extra, scratch(record, n, np.int32)
    lapack(record, "gees", a, mode, "N", None, n, work, n, selected, *values, vectors, n, *spaces, info, where=where)
    set_nan(record, [work, vectors, *values], where)
    form, schur_vectors, ends = rows(work, a), rows(vectors, a), [restore_batches(x, a) for x in (selected, info)]
    eigenvalues = [restore_batches(w, a) for w in values]
    if not flags and len(out) > 1 and len(out[1].shape) == a.ndim:
        return record.results(out, form, schur_vectors, *eigenvalues, *ends)
    # Before jax 0.4.36 the vectors came after the eigenvalues; before 0.4.32 a workspace came before all of them.
    workspaces = [None] * (flags != [] and not real)
    return record.results(out, form, *workspaces, *eigenvalues, schur_vectors, *ends)


# ---------------------------------------------------------------- Hessenberg, tridiagonal


@routine(*cpu("gehrd"))
def gehrd(record: Record, *operands: Operand, low: int = 1, high: int | None = None, out: Types) -> Results:
    """A Hessenberg matrix with the reflectors below it, the factors of the reflectors, and info."""
    flags, (a,) = split_operands(record, operands, 2)
    expect_square(a)
    n = a.shape[-1]
    low, high = chosen(flags, 1, 2) if flags else (low, n if high is None else high)
    expect(isinstance(low, int) and isinstance(high, int), f"has low = {low}, high = {high}, expected integers")
    expect(1 <= low <= high <= n or n == 0, f"has low = {low}, high = {high}, expected 1 <= low <= high <= {n}")
    work, info, taus = columns(record, a), infos(record, a), zeros(record, a, max(0, n - 1))
    lapack(record, "gehrd", a, n, low, high, work, n, taus, Workspace(a.dtype), info)
    return record.results(out, rows(work, a), restore_batches(taus, a), restore_batches(info, a))


@routine(*cpu("sytrd", "hetrd"), *gpu("sytrd"))
def sytrd(
    record: Record, *operands: Operand, uplo: Flag = None, lower: Flag = None, backend_config: str = "", out: Types
) -> Results:
    """A tridiagonal matrix with the reflectors next to it, its two diagonals, the reflectors' factors, and info."""
    flags, (a,) = split_operands(record, operands, 2)
    expect_square(a)
    work, info, n, real = columns(record, a), infos(record, a), a.shape[-1], real_dtype(a)
    d, e = zeros(record, a, n, dtype=real), zeros(record, a, max(0, n - 1), dtype=real)
    taus, triangle = zeros(record, a, max(0, n - 1)), "L" if is_lower(uplo, lower, flags[1:], backend_config) else "U"
    lapack(record, "sytrd", a, triangle, n, work, n, d, e, taus, Workspace(a.dtype), info)
    return record.results(out, rows(work, a), *(restore_batches(x, a) for x in (d, e, taus, info)))


def expect_tridiagonal(diagonals: Sequence[Array], b: Array) -> None:
    for name, x in zip(("dl", "d", "du"), diagonals):
        expect_shape(name, x, *b.shape[:-1])


def solve_tridiagonal(record: Record, dl: Array, d: Array, du: Array, b: Array) -> list[Array]:
    """The diagonals after the elimination, the solution, and info; the first number of `dl` is not used."""
    _, (dl, d, du, b) = split_operands(record, [dl, d, du, b], 1, 1, 1, 2)
    expect_tridiagonal((dl, d, du), b)
    n, k, x, info = *b.shape[-2:], columns(record, b), infos(record, b)
    below, middle, above = (record.copy_array(stack_batches(v, 1)) for v in (dl, d, du))
    # The view `below[:, 1:]` leaves out the first number of each row.
    lapack(record, "gtsv", b, n, k, below[:, 1:], middle, above, x, max(1, n), info)
    return [*(v.reshape(d.shape) for v in (below, middle, above)), rows(x, b), restore_batches(info, b)]


@routine(*cpu("gtsv"))
def gtsv(record: Record, dl: Array, d: Array, du: Array, b: Array, *, out: Types) -> Results:
    return record.results(out, *solve_tridiagonal(record, dl, d, du, b))


@routine(*gpu("gtsv2", "gtsv2_f32", "gtsv2_f64", library="sparse_"), ignored=("backend_config",))
def gtsv2(record: Record, dl: Array, d: Array, du: Array, b: Array, *, out: Types) -> Results:
    *_, x, info = solve_tridiagonal(record, dl, d, du, b)
    x = record.copy_array(x)
    set_nan(
        record,
        [stack_batches(x, 2)],
        record.fill((info.size,), np.int32, apply(np.less_equal, stack_batches(info, 0), 0)),
    )
    return record.results(out, x)


PERTURBED = [f"@{v}tridiagonal_solve_perturbed{suffix}" for v in ("", "cu_", "hip_") for suffix in ("", "_ffi")]


@routine(*PERTURBED)
def tridiagonal_solve_perturbed(record: Record, dl: Array, d: Array, du: Array, b: Array, *, out: Types) -> Results:
    """A tridiagonal solution whose pivots are moved away from zero, so that that of a singular system is finite."""
    _, (dl, d, du, b) = split_operands(record, [dl, d, du, b], 1, 1, 1, 2)
    expect_tridiagonal((dl, d, du), b)
    x = record.copy_array(stack_batches(b, 2))
    record.run(solve_perturbed, *(stack_batches(v, 1) for v in (dl, d, du)), x)
    return record.results(out, restore_batches(x, b))


def solve_perturbed(below: np.ndarray, middle: np.ndarray, above: np.ndarray, x: np.ndarray) -> None:
    """Elimination with row exchanges, where pivots are compared relative to their rows (LAPACK's xLAGTF and xLAGTS)."""
    n, limits = x.shape[1], np.finfo(x.dtype)
    if not n:
        return
    above = above.copy()
    above[:, -1] = 0
    # The diagonal and the two numbers after it, for each row of the upper factor.
    upper = np.stack([middle, above, np.zeros_like(above)], -1)
    scale, largest = np.abs(upper[:, 0]).sum(-1), np.abs(upper[:, 0]).max(-1)
    for k in range(1, n):
        row = np.stack([below[:, k], middle[:, k], above[:, k]], -1)
        row_scale = np.abs(row).sum(-1)
        pivot = upper[:, k - 1].copy()
        size, other = (np.abs(v[:, 0]) / np.where(v[:, 0] == 0, 1, s) for v, s in ((pivot, scale), (row, row_scale)))
        exchanged, apart = (other > size)[:, None], below[:, k, None] == 0
        first, second = np.where(exchanged, row, pivot), np.where(exchanged, pivot, row)
        factor = second[:, :1] / np.where(first[:, :1] == 0, 1, first[:, :1])
        upper[:, k - 1] = first
        # A pivot that becomes zero is moved in the direction of its sign, so no term may be added needlessly.
        upper[:, k, :1] = np.where(apart, row[:, 1:2], second[:, 1:2] - factor * first[:, 1:2])
        upper[:, k, 1:2] = np.where(exchanged, -factor * row[:, 2:], row[:, 2:])
        one, two = np.where(exchanged, x[:, k], x[:, k - 1]), np.where(exchanged, x[:, k - 1], x[:, k])
        x[:, k - 1], x[:, k] = one, np.where(apart, two, two - factor * one)
        scale = np.where(exchanged[:, 0], np.abs(upper[:, k, :2]).sum(-1), row_scale)
        if k < n - 1:  # the row before the last one does not count
            largest = np.fmax(largest, np.abs(first).max(-1))
    largest = np.fmax(largest, np.abs(upper[:, -1, 0]))
    for k in reversed(range(n)):
        for j in range(1, min(3, n - k)):
            x[:, k] -= upper[:, k, j, None] * x[:, k + j]
        x[:, k] *= 1 / moved_from_zero(upper[:, k, 0], limits.eps * largest, x[:, k])[:, None]


def moved_from_zero(pivot: np.ndarray, step: np.ndarray, x: np.ndarray) -> np.ndarray:
    """The pivots, large enough to divide by. If a pivot has no finite inverse, it and its row in x are scaled up."""
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
def syrk(
    record: Record, a: Array, c: Array, alpha: Array, beta: Array, *, transpose: bool = False, out: Types
) -> Results:
    """alpha·A·Aᵀ + beta·C, or with AᵀA."""
    _, (a, c) = split_operands(record, [a, c], 2, 2)
    _, (alpha, beta) = split_operands(record, [alpha, beta], 0, 0)
    transpose = boolean("transpose", transpose)
    m, n = a.shape[-2:]
    size, depth = (n, m) if transpose else (m, n)
    expect_shape("a matrix to add to", c, *a.shape[:-2], size, size)
    expect(alpha.dtype == a.dtype, f"has factors of {alpha.dtype}, expected {a.dtype} like the matrices")
    # LAPACK reads rows as columns, so A, C and the result are transposed.
    x = record.copy_array(stack_batches(c, 2))
    factors, flags = (stack_batches(a, 2), max(1, n)) * 2, "NT" if transpose else "TN"
    alpha, beta = alpha.reshape((1,)), beta.reshape((1,))
    lapack(record, "gemm", x, *flags, size, size, depth, alpha, *factors, beta, x, size)
    return record.results(out, restore_batches(x, c))


@routine("@cu_cholesky_update", "@cu_cholesky_update_ffi", ignored=("backend_config",))
def cholesky_update(record: Record, r: Array, w: Array, *, out: Types) -> Results:
    """The upper factor of RᵀR + w·wᵀ, by one rotation for each row."""
    _, (r, w) = split_operands(record, [r, w], 2, 1)
    expect_square(r)
    expect(
        r.ndim == 2 and r.dtype.kind == "f",
        f"has an operand of shape {list(r.shape)} of {r.dtype}, expected a real matrix",
    )
    expect_shape("a vector", w, r.shape[-1])
    r, w = record.copy_array(r), record.copy_array(w)
    record.run(rotate, r, w)
    return record.results(out, r, w)


def rotate(r: np.ndarray, w: np.ndarray) -> None:
    for k in range(len(w)):
        if w[k]:
            length = np.hypot(r[k, k], w[k])
            c, s = r[k, k] / length, w[k] / length
            r[k, k:], w[k:] = c * r[k, k:] + s * w[k:], c * w[k:] - s * r[k, k:]
