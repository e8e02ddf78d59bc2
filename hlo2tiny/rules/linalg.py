"""Linear algebra on the host: StableHLO's two ops, and the custom calls that JAX, XLA and TensorFlow write for LAPACK.

The factorisations and systems; eigenvalues are in eigen.py.
"""

from __future__ import annotations

import numpy as np

from ..ir.dtypes import static_shape
from ..machine.libraries import Workspace
from .procedure import Array, Operand, Record, apply, exchange_pivots, expect, real_dtype, stack_batches
from .registry import Types
from .routines import (
    HYBRID,
    Flag,
    Results,
    boolean,
    chosen,
    cpu,
    expect_shape,
    expect_square,
    expect_workspace,
    gpu,
    is_lower,
    letter,
    restore_batches,
    routine,
    rows,
)

# ---------------------------------------------------------------- Cholesky, triangular


def cholesky_factor(record: Record, a: Array, lower: bool) -> tuple[Array, Array]:
    """The Cholesky factor in its triangle, with the input's numbers in the other triangle, and info."""
    expect_square(a)
    info, n = record.infos(a), a.shape[-1]
    # LAPACK reads the rows as columns: the lower triangle of a Hermitian matrix, and its factor, are the upper ones.
    factor = record.copy_array(stack_batches(a, 2))
    record.call("potrf", a, "U" if lower else "L", n, factor, n, info)
    return factor, info


@routine("stablehlo.cholesky")
def cholesky(record: Record, a: Array, *, lower: bool, out: Types) -> Results:
    """The factor, with zeros in the other triangle, or NaN if a matrix is not positive definite, as in XLA."""
    _, (a,) = record.split_operands([a], 2)
    factor, info = cholesky_factor(record, a, lower)
    n = a.shape[-1]
    if n > 1:
        zero = record.fill((1,), a.dtype, 0)
        # The other triangle without the diagonal; LAPACK reads the rows as columns.
        other = factor[:, :, 1:] if lower else factor[:, 1:]
        record.call("laset", a, "L" if lower else "U", n - 1, n - 1, zero, zero, other, n)
    record.set_nan([factor], record.fill(info.shape, np.int32, apply(np.less_equal, info, 0)))
    return record.results(out, restore_batches(factor, a))


@routine(*cpu("potrf"), *gpu("potrf"))
def potrf(
    record: Record, *operands: Operand, uplo: Flag = None, lower: Flag = None, backend_config: str = "", out: Types
) -> Results:
    flags, (a,) = record.split_operands(operands, 2)
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
    record.call("trsm", b, *flags, n, m, factor, stack_batches(a, 2), a.shape[-1], stack_batches(x, 2), n)
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
    _, (a, b) = record.split_operands([a, b], 2, 2)
    return record.results(out, solve(record, a, b, left_side, lower, TRANSPOSES[transpose_a], unit_diagonal))


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
    flags, (a, b) = record.split_operands([x for x in operands if not any(x is scale for scale in scales)], 2, 2)
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
    work, info = record.columns(a), record.infos(a)
    m, n = a.shape[-2:]
    pivots = record.zeros(a, min(m, n), dtype=np.int32)
    record.call("getrf", a, m, n, work, m, pivots, info)
    return rows(work, a), restore_batches(pivots, a), restore_batches(info, a)


@routine(*cpu("getrf"), *gpu("getrf"), *gpu("getrf_batched", library="blas_"), ignored=("backend_config",))
def getrf(record: Record, *operands: Operand, out: Types) -> Results:
    _, (a,) = record.split_operands(operands, 2)
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
    _, (pivots,) = record.split_operands(operands, 1, integers=1)
    (shape,) = map(static_shape, out)
    size, batch = shape[-1] if shape else 0, pivots.shape[:-1]
    fits = shape[:-1] == batch and size >= pivots.shape[-1] and permutation_size in (None, size)
    expect(fits, f"has pivots of shape {list(pivots.shape)} for permutations of shape {list(shape)}")
    return record.results(out, permutation(record, pivots, size))


@routine("@LuDecomposition", ignored=("xla_shape",))
def lu_decomposition(record: Record, a: Array, *, out: Types) -> Results:
    _, (a,) = record.split_operands([a], 2)
    factors, pivots, _ = lu(record, a)
    pivots = record.fill(pivots.shape, np.int32, apply(np.subtract, pivots, 1))
    return record.results(out, factors, pivots, permutation(record, pivots, a.shape[-2]))


# ---------------------------------------------------------------- QR


def householder(record: Record, a: Array) -> tuple[Array, Array, Array]:
    """R above the reflectors, the factors of the reflectors, and info."""
    work, info = record.columns(a), record.infos(a)
    m, n = a.shape[-2:]
    taus = record.zeros(a, min(m, n))
    record.call("geqrf", a, m, n, work, m, taus, Workspace(a.dtype), info)
    return rows(work, a), restore_batches(taus, a), restore_batches(info, a)


@routine(*cpu("geqrf"), *gpu("geqrf"), ignored=("backend_config",))
def geqrf(record: Record, *operands: Operand, out: Types) -> Results:
    _, (a,) = record.split_operands(operands, 2)
    return record.results(out, *householder(record, a))


@routine("@Qr", *gpu("geqrf_batched", library="blas_"), ignored=("xla_shape", "backend_config"))
def qr(record: Record, a: Array, *, out: Types) -> Results:
    _, (a,) = record.split_operands([a], 2)
    return record.results(out, *householder(record, a)[:2])


REFLECTORS = "@ProductOfElementaryHouseholderReflectors"


@routine(*cpu("orgqr", "ungqr"), *gpu("orgqr"), REFLECTORS, ignored=("xla_shape", "backend_config"))
def orgqr(record: Record, *operands: Operand, out: Types) -> Results:
    """The first columns of a product of reflectors."""
    _, (a, taus) = record.split_operands(operands, 2, 1)
    m, n, k = *a.shape[-2:], taus.shape[-1]
    expect(
        k <= n <= m,
        f"has {k} reflectors in matrices of shape {[m, n]}; a matrix must have at least as many rows as columns, and"
        " no more reflectors than columns",
    )
    work, info = record.columns(a), record.infos(a)
    record.call("orgqr", a, m, n, k, work, m, stack_batches(taus, 1), Workspace(a.dtype), info)
    return record.results(out, rows(work, a), restore_batches(info, a))


@routine(*cpu("ormqr", "unmqr"), *gpu("ormqr"))
def ormqr(record: Record, a: Array, taus: Array, c: Array, *, left: bool, transpose: bool, out: Types) -> Results:
    """C multiplied by a product of reflectors, or by its conjugate transpose."""
    _, (a, taus, c) = record.split_operands([a, taus, c], 2, 1, 2)
    left, transpose = boolean("left", left), boolean("transpose", transpose)
    (m, n), k = c.shape[-2:], taus.shape[-1]
    size = m if left else n
    expect(
        a.shape[-2] == size and k <= min(size, a.shape[-1]),
        f"has {k} reflectors in matrices of shape {list(a.shape[-2:])}, which do not fit matrices of shape {[m, n]}",
    )
    work, info = record.columns(c), record.infos(c)
    if k:
        flags = "L" if left else "R", ("C" if a.dtype.kind == "c" else "T") if transpose else "N"
        reflectors = record.columns(a), size, stack_batches(taus, 1)
        record.call("ormqr", c, *flags, m, n, k, *reflectors, work, m, Workspace(a.dtype), info)
    return record.results(out, rows(work, c), restore_batches(info, c))


@routine(*cpu("geqp3"), *(f"@{h}geqp3" for h in HYBRID), ignored=("magma",))
def geqp3(record: Record, *operands: Operand, out: Types) -> Results:
    """A QR factorisation with a choice of columns; those that `jpvt` marks come first."""
    _, (a, jpvt) = record.split_operands(operands, 2, 1, integers=1)
    m, n = a.shape[-2:]
    expect_shape("jpvt", jpvt, *a.shape[:-2], n)
    work, info, taus = record.columns(a), record.infos(a), record.zeros(a, min(m, n))
    order = record.copy_array(stack_batches(jpvt, 1))
    extra = [record.scratch(2 * n, real_dtype(a))] if a.dtype.kind == "c" else []
    record.call("geqp3", a, m, n, work, m, order, taus, Workspace(a.dtype), *extra, info)
    return record.results(
        out, rows(work, a), restore_batches(order, a), restore_batches(taus, a), restore_batches(info, a)
    )


# ---------------------------------------------------------------- singular values


def singular_values(
    record: Record, a: Array, full: bool, vectors: bool, name: str = "gesdd"
) -> tuple[Array, Array | None, Array | None, Array]:
    """The singular values, left vectors, right vectors, which are conjugated and transposed, and info."""
    (m, n), k, info, real = a.shape[-2:], min(a.shape[-2:]), record.infos(a), real_dtype(a)
    job = ("A" if full else "S") if vectors else "N"
    expect_workspace(a)
    work, where = record.columns(a), record.finite_matrices(a, info)
    s, u, vt = (
        record.zeros(a, k, dtype=real),
        record.zeros(a, m if full else k, m),
        record.zeros(a, n, n if full else k),
    )
    if full and 0 in (m, n):
        zero, one = (record.fill((1,), a.dtype, number) for number in (0, 1))
        for x in (u, vt):
            record.call("laset", x, "A", x.shape[-1], x.shape[-1], zero, one, x, max(1, x.shape[-1]))
    divided = name == "gesdd"
    small, large = k, max(m, n)
    extra = []
    if a.dtype.kind == "c":
        size = max(5 * small * (small + 1), 2 * small * (large + small) + small) if vectors else 7 * small
        extra.append(record.scratch(size if divided else 5 * small, real))
    if divided:
        extra.append(record.scratch(8 * small, np.int32))
    jobs, results = [job] if divided else [job, job], (s, u, max(1, m), vt, max(1, vt.shape[-1]))
    record.call(name, a, *jobs, m, n, work, max(1, m), *results, Workspace(a.dtype), *extra, info, where=where)
    record.set_nan([s, u, vt], where)
    return (
        restore_batches(s, a),
        rows(u, a) if vectors else None,
        rows(vt, a) if vectors else None,
        restore_batches(info, a),
    )


@routine(*cpu("gesdd"))
def gesdd(record: Record, *operands: Operand, mode: Flag = None, out: Types) -> Results:
    flags, (a,) = record.split_operands(operands, 2)
    if mode is None:
        full, vectors = chosen(flags, 0, 1)
        return record.results(out, None, *singular_values(record, a, bool(full and vectors), bool(vectors)))
    job = letter("mode", mode, "ASN")
    return record.results(out, None, *singular_values(record, a, job == "A", job != "N"))


@routine(*cpu("gesvd"))
def gesvd(record: Record, a: Array, *, mode: Flag, out: Types) -> Results:
    _, (a,) = record.split_operands([a], 2)
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
    """If the matrix is wide, the routine decomposes its transpose, so the vectors are exchanged."""
    _, (a,) = record.split_operands([a], 2)
    transposed = a.shape[-2] < a.shape[-1] if transposed is None else boolean("transposed", transposed)
    s, u, vt, info = decompose(record, a, out, compute_uv, transposed)
    return record.results(out, None, s, *((vt, u) if transposed else (u, vt)), info)


@routine(*gpu("gesvdj", "gesvdp"), ignored=("full_matrices", "backend_config"))
def gesvdj(record: Record, a: Array, *, compute_uv: Flag = None, out: Types) -> Results:
    """The right vectors are columns."""
    _, (a,) = record.split_operands([a], 2)
    s, u, vt, info = decompose(record, a, out, compute_uv)
    return record.results(out, None, s, u, None if vt is None else conjugate(record, vt.swapaxes(-1, -2)), info)


def conjugate(record: Record, x: Array) -> Array:
    result = record.copy_array(x)
    if x.dtype.kind == "c":
        record.assign(result.imag, apply(np.negative, x.imag))
    return result


# ---------------------------------------------------------------- products, updates


@routine(*gpu("syrk"))
def syrk(
    record: Record, a: Array, c: Array, alpha: Array, beta: Array, *, transpose: bool = False, out: Types
) -> Results:
    """alpha·A·Aᵀ + beta·C, or with AᵀA."""
    _, (a, c) = record.split_operands([a, c], 2, 2)
    _, (alpha, beta) = record.split_operands([alpha, beta], 0, 0)
    transpose = boolean("transpose", transpose)
    m, n = a.shape[-2:]
    size, depth = (n, m) if transpose else (m, n)
    expect_shape("a matrix to add to", c, *a.shape[:-2], size, size)
    expect(alpha.dtype == a.dtype, f"has factors of {alpha.dtype}, expected {a.dtype} like the matrices")
    # LAPACK reads rows as columns, so A, C and the result are transposed.
    x = record.copy_array(stack_batches(c, 2))
    factors, flags = (stack_batches(a, 2), max(1, n)) * 2, "NT" if transpose else "TN"
    alpha, beta = alpha.reshape((1,)), beta.reshape((1,))
    record.call("gemm", x, *flags, size, size, depth, alpha, *factors, beta, x, size)
    return record.results(out, restore_batches(x, c))


@routine("@cu_cholesky_update", "@cu_cholesky_update_ffi", ignored=("backend_config",))
def cholesky_update(record: Record, r: Array, w: Array, *, out: Types) -> Results:
    """The upper factor of RᵀR + w·wᵀ, by one rotation for each row."""
    _, (r, w) = record.split_operands([r, w], 2, 1)
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
