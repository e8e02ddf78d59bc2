"""Eigenvalues, Schur forms, and the Hessenberg and tridiagonal forms on the way to them: custom calls for LAPACK."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ..errors import UnsupportedOp
from ..machine.libraries import Workspace
from .procedure import Array, Operand, Record, apply, expect, real_dtype, stack_batches
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

# ---------------------------------------------------------------- eigenvalues


def eigh(record: Record, a: Array, lower: bool, vectors: bool = True) -> tuple[Array, Array, Array]:
    """The eigenvectors of Hermitian matrices, their eigenvalues in ascending order, and info."""
    expect_square(a)
    expect_workspace(a)
    work, n, info, real = record.columns(a), a.shape[-1], record.infos(a), real_dtype(a)
    w = record.zeros(a, n, dtype=real)
    spaces = [a.dtype, *([real] if a.dtype.kind == "c" else []), np.int32]
    flags = "V" if vectors else "N", "L" if lower else "U"
    record.call("syevd", a, *flags, n, work, n, w, *map(Workspace, spaces), info)
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
    flags, (a,) = record.split_operands(operands, 2)
    vectors = letter("mode", mode, "VN") == "V"
    return record.results(out, *eigh(record, a, is_lower(uplo, lower, flags, backend_config), vectors))


@routine("@Eigh", ignored=("xla_shape",))
def eigh_of_xla(record: Record, a: Array, *, backend_config: str, out: Types) -> Results:
    """The configuration says whether to read the lower triangle, whether to sort, the sweeps and the tolerance."""
    _, (a,) = record.split_operands([a], 2)
    lower = str(backend_config).partition(",")[0]
    expect(lower in ("0", "1"), f"has backend_config = {backend_config}, expected it to begin with 0 or 1")
    return record.results(out, *eigh(record, a, lower == "1")[:2])


def eig(record: Record, a: Array, left: bool, right: bool) -> tuple[list[Array], Array, Array, Array]:
    """The eigenvalues (of real matrices in two halves), the left and right eigenvectors in LAPACK's form, and info."""
    expect_square(a)
    work, n, info, real = record.columns(a), a.shape[-1], record.infos(a), a.dtype.kind == "f"
    where = record.finite_matrices(a, info)
    values = [record.zeros(a, n) for _ in range(1 + real)]
    vl, vr = record.zeros(a, n, n), record.zeros(a, n, n)
    extra = [] if real else [record.scratch(2 * n, real_dtype(a))]
    flags, results = ("V" if left else "N", "V" if right else "N"), (*values, vl, n, vr, n)
    record.call("geev", a, *flags, n, work, n, *results, Workspace(a.dtype), *extra, info, where=where)
    record.set_nan([*values, vl, vr], where)
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
    flags, (a,) = record.split_operands(operands, 2)
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
    _, (a,) = record.split_operands([a], 2)
    values, vl, vr, info = eig(record, a, boolean("left", left), boolean("right", right))
    w = values[0] if len(values) == 1 else complex_of(record, *values)
    return record.results(out, None, restore_batches(w, a), rows(vl, a), rows(vr, a), restore_batches(info, a))


@routine(*cpu("gees"))
def gees(record: Record, *operands: Operand, mode: Flag = "V", sort: Flag = "N", out: Types) -> Results:
    """The Schur form, the Schur vectors, the eigenvalues, how many of them were selected, and info."""
    flags, (a,) = record.split_operands(operands, 2)
    if flags:
        mode, sort = chosen(flags, 2, 3)
    mode = letter("mode", mode, "VN")
    if letter("sort", sort, "NS") != "N":
        raise UnsupportedOp("sorts by a function that is not in the file; export the program with sort_eig_vals=False")
    expect_square(a)
    work, n, info, real = record.columns(a), a.shape[-1], record.infos(a), a.dtype.kind == "f"
    where = record.finite_matrices(a, info)
    values, vectors, selected = [record.zeros(a, n) for _ in range(1 + real)], record.zeros(a, n, n), record.infos(a)
    extra = [] if real else [record.scratch(n, real_dtype(a))]
    spaces = Workspace(a.dtype), *extra, record.scratch(n, np.int32)
    record.call("gees", a, mode, "N", None, n, work, n, selected, *values, vectors, n, *spaces, info, where=where)
    record.set_nan([work, vectors, *values], where)
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
    flags, (a,) = record.split_operands(operands, 2)
    expect_square(a)
    n = a.shape[-1]
    low, high = chosen(flags, 1, 2) if flags else (low, n if high is None else high)
    expect(isinstance(low, int) and isinstance(high, int), f"has low = {low}, high = {high}, expected integers")
    expect(1 <= low <= high <= n or n == 0, f"has low = {low}, high = {high}, expected 1 <= low <= high <= {n}")
    work, info, taus = record.columns(a), record.infos(a), record.zeros(a, max(0, n - 1))
    record.call("gehrd", a, n, low, high, work, n, taus, Workspace(a.dtype), info)
    return record.results(out, rows(work, a), restore_batches(taus, a), restore_batches(info, a))


@routine(*cpu("sytrd", "hetrd"), *gpu("sytrd"))
def sytrd(
    record: Record, *operands: Operand, uplo: Flag = None, lower: Flag = None, backend_config: str = "", out: Types
) -> Results:
    """A tridiagonal matrix with the reflectors next to it, its two diagonals, the reflectors' factors, and info."""
    flags, (a,) = record.split_operands(operands, 2)
    expect_square(a)
    work, info, n, real = record.columns(a), record.infos(a), a.shape[-1], real_dtype(a)
    d, e = record.zeros(a, n, dtype=real), record.zeros(a, max(0, n - 1), dtype=real)
    taus, triangle = record.zeros(a, max(0, n - 1)), "L" if is_lower(uplo, lower, flags[1:], backend_config) else "U"
    record.call("sytrd", a, triangle, n, work, n, d, e, taus, Workspace(a.dtype), info)
    return record.results(out, rows(work, a), *(restore_batches(x, a) for x in (d, e, taus, info)))


def expect_tridiagonal(diagonals: Sequence[Array], b: Array) -> None:
    for name, x in zip(("dl", "d", "du"), diagonals):
        expect_shape(name, x, *b.shape[:-1])


def solve_tridiagonal(record: Record, dl: Array, d: Array, du: Array, b: Array) -> list[Array]:
    """The diagonals after the elimination, the solution, and info; the first number of `dl` is not used."""
    _, (dl, d, du, b) = record.split_operands([dl, d, du, b], 1, 1, 1, 2)
    expect_tridiagonal((dl, d, du), b)
    n, k, x, info = *b.shape[-2:], record.columns(b), record.infos(b)
    below, middle, above = (record.copy_array(stack_batches(v, 1)) for v in (dl, d, du))
    # The view `below[:, 1:]` leaves out the first number of each row.
    record.call("gtsv", b, n, k, below[:, 1:], middle, above, x, max(1, n), info)
    return [*(v.reshape(d.shape) for v in (below, middle, above)), rows(x, b), restore_batches(info, b)]


@routine(*cpu("gtsv"))
def gtsv(record: Record, dl: Array, d: Array, du: Array, b: Array, *, out: Types) -> Results:
    return record.results(out, *solve_tridiagonal(record, dl, d, du, b))


@routine(*gpu("gtsv2", "gtsv2_f32", "gtsv2_f64", library="sparse_"), ignored=("backend_config",))
def gtsv2(record: Record, dl: Array, d: Array, du: Array, b: Array, *, out: Types) -> Results:
    *_, x, info = solve_tridiagonal(record, dl, d, du, b)
    x = record.copy_array(x)
    record.set_nan(
        [stack_batches(x, 2)],
        record.fill((info.size,), np.int32, apply(np.less_equal, stack_batches(info, 0), 0)),
    )
    return record.results(out, x)


PERTURBED = [f"@{v}tridiagonal_solve_perturbed{suffix}" for v in ("", "cu_", "hip_") for suffix in ("", "_ffi")]


@routine(*PERTURBED)
def tridiagonal_solve_perturbed(record: Record, dl: Array, d: Array, du: Array, b: Array, *, out: Types) -> Results:
    """A tridiagonal solution whose pivots are moved away from zero, so that even a singular system has a finite one."""
    _, (dl, d, du, b) = record.split_operands([dl, d, du, b], 1, 1, 1, 2)
    expect_tridiagonal((dl, d, du), b)
    x = record.copy_array(stack_batches(b, 2))
    upper = record.empty((*x.shape[:2], 3), x.dtype)
    record.run(solve_perturbed, *(stack_batches(v, 1) for v in (dl, d, du)), upper, x)
    return record.results(out, restore_batches(x, b))


def solve_perturbed(below: np.ndarray, middle: np.ndarray, above: np.ndarray, upper: np.ndarray, x: np.ndarray) -> None:
    """Elimination with row exchanges, where pivots are compared relative to their rows (LAPACK's xLAGTF and xLAGTS).

    `upper` becomes the diagonal and the two numbers after it, for each row of the upper factor.
    """
    n, limits = x.shape[1], np.finfo(x.dtype)
    if not n:
        return
    above = above.copy()
    above[:, -1] = 0
    upper[...] = np.stack([middle, above, np.zeros_like(above)], -1)
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
