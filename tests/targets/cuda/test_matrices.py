"""Batches of small matrices on a GPU: each of LAPACK's functions is one kernel, which runs here on the processor."""

from __future__ import annotations

from functools import partial
from math import prod
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest
import scipy.linalg
from emulation import compile_kernels, launch
from hypothesis import given
from hypothesis import strategies as st
from test_emulation import emulator
from test_executable import emitted, plan_of, walk
from test_solver import I32, matrices, type_of

import hlo2tiny
from hlo2tiny.ir import TensorType
from hlo2tiny.ir.dtypes import numpy_dtype
from hlo2tiny.rules.procedure import record_procedure
from hlo2tiny.rules.registry import RULES
from hlo2tiny.targets.cuda.compiling import compile_all, files
from hlo2tiny.targets.cuda.executable import Direct, GraphLaunch, OnHost
from hlo2tiny.targets.cuda.kernels import CudaKernel
from hlo2tiny.targets.cuda.matrices import MOST, MOST_LARGE
from hlo2tiny.targets.cuda.native import executable_of
from hlo2tiny.targets.cuda.procedures import parts_of
from hlo2tiny.targets.cuda.tridiagonal import MOST_FOR_A_THREAD, MOST_LONG

KINDS = {"s": "f4", "d": "f8", "c": "c8", "z": "c16"}
REAL = {"s": "f4", "d": "f8", "c": "f4", "z": "f8"}


def run(name: str, operands: list[np.ndarray], out: list[TensorType], **keywords: Any) -> list[np.ndarray]:
    """The results of a custom call or an op by kernels alone, one for each call of LAPACK; twice, to the bit."""
    known = [(x.dtype, x.shape) for x in operands]
    procedure = record_procedure(RULES[name].procedure, known, keywords | {"out": out})
    found = parts_of(procedure, alone=True)
    assert found is not None
    kernels = [part for part in found.parts if isinstance(part, CudaKernel)]
    assert len(kernels) == len(found.parts)
    for call in procedure.calls:
        assert call.name[1:] == "laset" or any(kernel.name == call.name for kernel in kernels)
    with TemporaryDirectory() as folder:
        compiled = compile_kernels(kernels, Path(folder))
        results = []
        for poison in (0xAB, 0x5C):
            given = [np.ascontiguousarray(x).reshape(-1).view(np.uint8).copy() for x in operands]
            layouts = [(numpy_dtype(type.element), type.shape) for type in out]
            sizes = [prod(shape) * dtype.itemsize for dtype, shape in layouts]
            made = [np.full(size, poison, np.uint8) for size in (*sizes, *found.temporaries)]
            for number, kernel in enumerate(kernels):
                launch(kernel, compiled[number], [[*given, *made][n] for n in kernel.buffers])
            results.append(made[: len(layouts)])
    for first, second in zip(*results):
        np.testing.assert_array_equal(first, second)
    return [raw.view(dtype).reshape(shape) for raw, (dtype, shape) in zip(results[0], layouts)]


def epsilon(kind: str) -> float:
    return float(np.finfo(np.dtype(kind)).eps)


def expect_close(found: np.ndarray, expected: np.ndarray, kind: str, factor: float = 30) -> None:
    size = max(found.shape[-1:] or (1,)) if found.size else 1
    limit = factor * max(size, 4) * epsilon(kind) * max(1.0, float(np.abs(expected).max(initial=0)))
    np.testing.assert_allclose(found, expected, rtol=0, atol=limit)


letters, sizes = st.sampled_from("sdcz"), st.integers(1, 40)
batches = st.lists(st.integers(1, 3), max_size=2).map(tuple)


def adjoint(a: np.ndarray) -> np.ndarray:
    return a.conj().swapaxes(-1, -2)


@given(letters, sizes, batches, st.booleans())
def test_cholesky(letter: str, n: int, batch: tuple[int, ...], lower: bool) -> None:
    kind = KINDS[letter]
    a = matrices(kind, *batch, n, n)
    a = (a @ adjoint(a) + n * np.eye(n)).astype(kind)
    if batch:
        a[(0,) * len(batch)][n // 2, n // 2] = -1
    (found,) = run("stablehlo.cholesky", [a], [type_of(kind, *batch, n, n)], lower=lower)
    for index in np.ndindex(batch):
        if batch and not any(index):
            assert np.isnan(found[index]).all()
        else:
            expect_close(found[index], scipy.linalg.cholesky(a[index], lower=lower), kind)
    infos = run(f"@lapack_{letter}potrf_ffi", [a], [type_of(kind, *batch, n, n), type_of(I32, *batch)], uplo=ord("L"))
    assert infos[1].reshape(-1).tolist() == [n // 2 + 1 if batch and not i else 0 for i in range(infos[1].size)]


@given(letters, sizes, sizes, batches, st.booleans(), st.booleans(), st.booleans(), st.sampled_from("NTC"))
def test_triangular_solve(
    letter: str, n: int, count: int, batch: tuple[int, ...], left: bool, lower: bool, unit: bool, transpose: str
) -> None:
    kind = KINDS[letter]
    a = matrices(kind, *batch, n, n) / n + 2 * np.eye(n)
    a, b = a.astype(kind), matrices(kind, *batch, *((n, count) if left else (count, n)))
    name = {"N": "NO_TRANSPOSE", "T": "TRANSPOSE", "C": "ADJOINT"}[transpose]
    flags = {"left_side": left, "lower": lower, "unit_diagonal": unit, "transpose_a": name}
    (found,) = run("stablehlo.triangular_solve", [a, b], [type_of(kind, *b.shape)], **flags)
    triangle = np.tril(a) if lower else np.triu(a)
    if unit:
        triangle = triangle - triangle * np.eye(n) + np.eye(n)
    triangle = {"N": triangle, "T": triangle.swapaxes(-1, -2), "C": adjoint(triangle)}[transpose]
    expect_close(triangle @ found if left else found @ triangle, b, kind)


@given(letters, sizes, sizes, batches, st.booleans())
def test_lu(letter: str, m: int, n: int, batch: tuple[int, ...], ties: bool) -> None:
    """The first of the largest numbers is the pivot, and a column of zeros has its number as info."""
    expect_lu(letter, m, n, batch, ties)


def expect_lu(letter: str, m: int, n: int, batch: tuple[int, ...], ties: bool) -> None:
    kind, k = KINDS[letter], min(m, n)
    a = np.sign(matrices(kind, *batch, m, n).real).astype(kind) if ties else matrices(kind, *batch, m, n)
    if batch:
        a[(0,) * len(batch)][:, k // 2] = 0
    out = [type_of(kind, *batch, m, n), type_of(I32, *batch, k), type_of(I32, *batch)]
    factors, pivots, info = run(f"@lapack_{letter}getrf_ffi", [a], out)
    for index in np.ndindex(batch):
        getrf = scipy.linalg.get_lapack_funcs("getrf", (a[index],))
        expected, rows, failed = getrf(a[index])
        if not ties:  # else a difference in rounding decides which number is the largest
            assert pivots[index].tolist() == (rows + 1).tolist() and info[index] == failed
            expect_close(factors[index], expected, kind, 300)
        lower, upper = np.tril(factors[index][:, :k], -1) + np.eye(m, k), np.triu(factors[index][:k])
        permuted = a[index].copy()
        for i, j in enumerate(pivots[index] - 1):
            assert i <= j < m
            permuted[[i, j]] = permuted[[j, i]]
        assert pivots[index][0] - 1 == np.argmax(np.abs(a[index][:, 0]) if letter in "sd" else cabs1(a[index][:, 0]))
        expect_close(lower @ upper, permuted, kind)


def cabs1(a: np.ndarray) -> np.ndarray:
    return np.abs(a.real) + np.abs(a.imag)


@given(letters, sizes, sizes, batches)
def test_qr(letter: str, m: int, n: int, batch: tuple[int, ...]) -> None:
    expect_qr(letter, m, n, batch)


def expect_qr(letter: str, m: int, n: int, batch: tuple[int, ...]) -> None:
    kind, k = KINDS[letter], min(m, n)
    a = matrices(kind, *batch, m, n)
    if batch:
        a[(0,) * len(batch)][:, 0] = 0
    q_name = f"@lapack_{letter}{'ungqr' if letter in 'cz' else 'orgqr'}_ffi"
    factors, taus = run(f"@lapack_{letter}geqrf_ffi", [a], [type_of(kind, *batch, m, n), type_of(kind, *batch, k)])
    for index in np.ndindex(batch):
        (expected, expected_taus), _ = scipy.linalg.qr(a[index], mode="raw")
        expect_close(factors[index], expected, kind)
        expect_close(taus[index], expected_taus, kind)
    (q,) = run(q_name, [factors[..., :k], taus], [type_of(kind, *batch, m, k)])
    expect_close(q @ np.triu(factors[..., :k, :]), a, kind)
    expect_close(adjoint(q) @ q, np.broadcast_to(np.eye(k), (*batch, k, k)), kind)


@pytest.mark.ci
@given(letters, sizes, sizes, sizes, batches, st.booleans(), st.booleans())
def test_products_of_reflectors(
    letter: str, m: int, k: int, count: int, batch: tuple[int, ...], left: bool, transpose: bool
) -> None:
    expect_products(letter, m, k, count, batch, left, transpose)


def expect_products(
    letter: str, m: int, k: int, count: int, batch: tuple[int, ...], left: bool, transpose: bool
) -> None:
    kind, k = KINDS[letter], min(m, k)
    a, c = matrices(kind, *batch, m, k), matrices(kind, *batch, *((m, count) if left else (count, m)))
    factors, taus = run(f"@lapack_{letter}geqrf_ffi", [a], [type_of(kind, *batch, m, k), type_of(kind, *batch, k)])
    name = f"@lapack_{letter}{'unmqr' if letter in 'cz' else 'ormqr'}_ffi"
    (found,) = run(name, [factors, taus, c], [type_of(kind, *c.shape)], left=left, transpose=transpose)
    padded = np.zeros((*batch, m, m), kind)
    padded[..., :k] = factors
    q_name = f"@lapack_{letter}{'ungqr' if letter in 'cz' else 'orgqr'}_ffi"
    (q,) = run(q_name, [padded, taus], [type_of(kind, *batch, m, m)])
    q = adjoint(q) if transpose else q
    expect_close(found, q @ c if left else c @ q, kind)


@pytest.mark.ci
@given(letters, sizes, batches, st.booleans(), st.sampled_from(["random", "equal", "zero", "graded"]), st.booleans())
def test_eigenvalues(letter: str, n: int, batch: tuple[int, ...], lower: bool, form: str, vectors: bool) -> None:
    """Of the triangle that is asked for: the other one is not read."""
    kind, real = KINDS[letter], REAL[letter]
    a = matrices(kind, *batch, n, n)
    powers = 10.0 ** -np.maximum.outer(*[np.arange(n) % 30] * 2)
    factor = {"random": np.ones((n, n)), "graded": powers}.get(form, 0)
    a = np.asarray((a + adjoint(a)) * factor + (form == "equal"), kind)
    read = np.tril(a) if lower else np.triu(a)
    read = (read + 7 * (np.triu(np.ones((n, n)), 1) if lower else np.tril(np.ones((n, n)), -1))).astype(kind)
    name = f"@lapack_{letter}{'heevd' if letter in 'cz' else 'syevd'}_ffi"
    out = [type_of(kind, *batch, n, n), type_of(real, *batch, n), type_of(I32, *batch)]
    flags = {"mode": ord("V" if vectors else "N"), "uplo": ord("L" if lower else "U")}
    v, w, info = run(name, [read], out, **flags)
    assert not info.any()
    expect_close(w, np.linalg.eigvalsh(a), kind)
    if vectors:
        expect_close(adjoint(v) @ v, np.broadcast_to(np.eye(n), v.shape), kind)
        expect_close(a @ v, v * w[..., None, :], kind)


@pytest.mark.parametrize("scale", [1e-300, 1e300])
def test_eigenvalues_and_singular_values_at_the_ends_of_the_range(scale: float) -> None:
    a = matrices("f8", 2, 6, 6)
    a = a + adjoint(a)
    out = [type_of("f8", 2, 6, 6), type_of("f8", 2, 6), type_of(I32, 2)]
    _, w, _ = run("@lapack_dsyevd_ffi", [a * scale], out, mode=ord("V"), uplo=ord("L"))
    np.testing.assert_allclose(w / scale, np.linalg.eigvalsh(a), rtol=1e-12)
    out = [out[0], out[1], out[0], out[0], out[2]]
    _, s, _, _, _ = run("@lapack_dgesdd_ffi", [a * scale], out, mode=ord("S"))
    np.testing.assert_allclose(s / scale, np.linalg.svd(a)[1], rtol=1e-12)


def test_eigenvalues_of_what_is_not_finite_are_nan() -> None:
    a = np.eye(5, dtype=np.float32)[None].repeat(3, 0)
    a[0, 2, 1], a[1, 3, 3] = np.nan, np.inf
    out = [type_of("f4", 3, 5, 5), type_of("f4", 3, 5), type_of(I32, 3)]
    v, w, _ = run("@lapack_ssyevd_ffi", [a], out, mode=ord("V"), uplo=ord("L"))
    assert np.isnan(v[:2]).all() and np.isnan(w[:2]).all() and np.isfinite(v[2]).all() and (w[2] == 1).all()


@pytest.mark.ci
@given(letters, sizes, sizes, batches, st.sampled_from("ASN"), st.sampled_from(["random", "low", "zero", "graded"]))
def test_singular_values(letter: str, m: int, n: int, batch: tuple[int, ...], job: str, form: str) -> None:
    expect_singular_values(letter, m, n, batch, job, form)


def expect_singular_values(letter: str, m: int, n: int, batch: tuple[int, ...], job: str, form: str) -> None:
    kind, real, k = KINDS[letter], REAL[letter], min(m, n)
    a = matrices(kind, *batch, m, n)
    if form == "low":
        a = matrices(kind, *batch, m, 2) @ matrices(kind, *batch, 2, n)
    a = a * {"zero": 0, "graded": 10.0 ** -(np.arange(n) % 30)}.get(form, 1)
    a, (u_size, v_size) = a.astype(kind), ((m, n) if job == "A" else (k, k))
    out = [type_of(kind, *batch, m, n), type_of(real, *batch, k), type_of(kind, *batch, m, u_size),
           type_of(kind, *batch, v_size, n), type_of(I32, *batch)]  # fmt: skip
    out = out if job != "N" else [out[0], out[1], out[4]]
    if job == "N":
        out = [out[0], out[1], type_of(kind, *batch, m, k), type_of(kind, *batch, k, n), out[2]]
    _, s, u, vt, info = run(f"@lapack_{letter}gesdd_ffi", [a], out, mode=ord(job))
    assert not info.any()
    expect_close(s, np.linalg.svd(a, compute_uv=False), kind)
    assert (s >= 0).all() and (np.diff(s) <= 0).all()
    if job != "N":
        expect_close((u[..., :k] * s[..., None, :]) @ vt[..., :k, :], a, kind)
        expect_close(adjoint(u) @ u, np.broadcast_to(np.eye(u_size), (*batch, u_size, u_size)), kind)
        expect_close(vt @ adjoint(vt), np.broadcast_to(np.eye(v_size), (*batch, v_size, v_size)), kind)


def numbers(random: np.random.Generator, letter: str, *shape: int) -> np.ndarray:
    real = random.standard_normal(shape)
    return (real + 1j * random.standard_normal(shape) if letter in "cz" else real).astype(KINDS[letter])


def tridiagonal_systems(letter: str, n: int, columns: int, batch: tuple[int, ...], seed: int) -> list[np.ndarray]:
    """The diagonals and right-hand sides of systems that are far from singular, except for the first one of a batch.

    Of each two rows, the large numbers are on the diagonal, or the rows have to be exchanged.
    """
    random, shape = np.random.default_rng(seed), (*batch, n)
    dl, d, du = (numbers(random, letter, *shape) / 10 for _ in range(3))
    exchanged = np.repeat(random.integers(0, 2, (*batch, n // 2 + 1)), 2, -1)[..., :n] * (np.arange(n) < n // 2 * 2)
    even = np.arange(n) % 2 == 0
    for diagonal, where in ((d, exchanged == 0), (du, exchanged & even), (dl, exchanged & ~even)):
        diagonal += 3 * where
    if batch:
        row, first = n // 2, (0,) * len(batch)
        d[first][row] = dl[first][row] = dl[first][row + 1 : row + 2] = 0
    return [x.astype(KINDS[letter]) for x in (dl, d, du, numbers(random, letter, *shape, columns))]


def expect_tridiagonal(letter: str, n: int, columns: int, batch: tuple[int, ...], seed: int = 0) -> None:
    """The factors, solutions and infos are LAPACK's, also where a singular matrix ends its elimination."""
    kind, given = KINDS[letter], tridiagonal_systems(letter, n, columns, batch, seed)
    vectors, out = [type_of(kind, *batch, n)] * 3, [type_of(kind, *batch, n, columns), type_of(I32, *batch)]
    *found, info = run(f"@lapack_{letter}gtsv_ffi", given, [*vectors, *out])
    for index in np.ndindex(batch):
        dl, d, du, b = (x[index] for x in given)
        if n == 1:  # scipy's function takes no empty diagonals
            expected, failed = [dl, d, du, b / d if d else b], int(not d)
        else:
            gtsv = scipy.linalg.get_lapack_funcs("gtsv", (d,))
            below, middle, above, x, failed = gtsv(dl[1:], d, du[:-1], b)
            expected = [np.append(dl[:1], below), middle, np.append(above, du[-1:]), x]
        assert info[index] == failed == (n // 2 + 1 if batch and not any(index) else 0)
        for one, other in zip(found, expected):
            expect_close(one[index].reshape(-1, 1), other.reshape(-1, 1), kind)


@given(letters, st.integers(1, 60), st.integers(1, 40), batches, st.integers(0, 99))
def test_tridiagonal_systems(letter: str, n: int, columns: int, batch: tuple[int, ...], seed: int) -> None:
    expect_tridiagonal(letter, n, columns, batch, seed)


@pytest.mark.parametrize(
    "letter, n, columns, batch",
    [("s", 1000, 1, (3,)), ("d", 997, 3, (2,)), ("z", 300, 33, ()), ("c", 41, 2, (700,)), ("d", 9, 1, (4097,))],
)
def test_long_tridiagonal_systems_and_many(letter: str, n: int, columns: int, batch: tuple[int, ...]) -> None:
    """Of which several tiles, and a block's systems or columns, have a part only."""
    expect_tridiagonal(letter, n, columns, batch)


@given(st.sampled_from("sd"), st.integers(2, 40), st.integers(0, 99))
def test_any_tridiagonal_systems_are_solved_as_well_as_by_lapack(letter: str, n: int, seed: int) -> None:
    """Small whole numbers, of which many are zero: most pivots are exchanged, and some systems are singular."""
    kind, random = KINDS[letter], np.random.default_rng(seed)
    given = [random.integers(-2, 3, shape).astype(kind) for shape in ((20, n), (20, n), (20, n), (20, n, 2))]
    vectors, out = [type_of(kind, 20, n)] * 3, [type_of(kind, 20, n, 2), type_of(I32, 20)]
    *_, x, info = run(f"@lapack_{letter}gtsv_ffi", given, [*vectors, *out])
    dl, d, du, b = given
    product, sizes = d[..., None] * x, np.abs(d[..., None] * x) + np.abs(b)
    for rows, others, by in ((np.s_[:, 1:], np.s_[:, :-1], dl[:, 1:]), (np.s_[:, :-1], np.s_[:, 1:], du[:, :-1])):
        product[rows] += by[..., None] * x[others]
        sizes[rows] += np.abs(by[..., None] * x[others])
    largest = sizes.max((1, 2), keepdims=True)
    assert (np.abs(product - b) <= 30 * epsilon(kind) * largest)[info == 0].all()


def back_error(given: list[np.ndarray], x: np.ndarray) -> float:
    """By how much a system has to be changed so that x solves it, in units of its numbers' rounding."""
    dl, d, du, b = given
    around = np.pad(x, [*[(0, 0)] * (x.ndim - 2), (1, 1), (0, 0)]).astype(np.complex128)
    terms = [dl[..., None] * around[..., :-2, :], d[..., None] * x, du[..., None] * around[..., 2:, :]]
    sizes = sum(np.abs(v) for v in (dl, d, du))[..., None] * np.abs(x).max((-1, -2), keepdims=True)
    return float((np.abs(sum(terms) - b) / sizes).max() / np.finfo(d.dtype).eps)


def expect_long(letter: str, n: int, columns: int, batch: tuple[int, ...], form: str, folder: Path) -> list[str]:
    """The solution of systems that are not singular is as exact as LAPACK's; the names of the kernels."""
    random, shape = np.random.default_rng(n), (*batch, n)
    given = [*(numbers(random, letter, *shape) for _ in range(3)), numbers(random, letter, *shape, columns)]
    dl, d, du, _ = given
    if form == "no diagonal":
        d[...] = 0
    elif form == "scaled":
        for each in given:
            each *= 10.0 ** np.random.default_rng(0).integers(-9, 9, n).reshape(n, *[1] * (each.ndim > d.ndim))
    elif form != "random":
        dl[...], d[...], du[...] = -1, 2, -1
        if form == "singular":
            d[..., 0] = d[..., -1] = 1
    dl[..., 0] = du[..., -1] = 0
    text = exported(jax.lax.linalg.tridiagonal_solve, *given)
    executable, run_program = emulator(text, folder)
    (found,) = run_program(given)
    (expected,) = hlo2tiny.load(text, "CPU").numpy(*given)
    if form == "singular":
        assert np.isnan(found).all() and np.isnan(expected).all()
    elif np.isfinite(expected).all():
        assert back_error(given, found) <= 3 + 2 * min(back_error(given, expected), 3)
    return [kernel.name for kernel in executable.kernels if kernel.name.endswith("gtsv")]


@pytest.mark.sampled(12)
@pytest.mark.parametrize("form", ["random", "laplace", "no diagonal", "scaled", "singular"])
@pytest.mark.parametrize(
    "letter, n, columns, batch",
    [("s", 21, 1, ()), ("d", 300, 2, (3,)), ("z", 97, 3, (2,)), ("c", 40, 1, (2, 2)), ("s", 3000, 1, ())],
)
def test_chunks_of_long_tridiagonal_systems_are_rotated(
    letter: str,
    n: int,
    columns: int,
    batch: tuple[int, ...],
    form: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Which singular ones are, elimination says; without a diagonal, those of odd sizes are."""
    monkeypatch.setattr("hlo2tiny.targets.cuda.tridiagonal.MOST_FOR_A_THREAD", 20)
    assert len(expect_long(letter, n, columns, batch, form, tmp_path)) == 5


def test_which_tridiagonal_systems_are_solved_in_chunks() -> None:
    """Few long ones whose factors nobody reads; for any number of them in the same way if that must not matter."""

    def count(n: int, items: int, **options: bool) -> int:
        d, b = np.zeros((items, n), "f4"), np.zeros((items, n, 1), "f4")
        plan = plan_of(exported(jax.lax.linalg.tridiagonal_solve, d, d, d, b), **options)
        made = executable_of(plan, "CUDA", "sm_90", frozenset(), lambda done, total: None)
        return sum(made.kernels[a.kernel].name == "sgtsv" for a in walk(made.actions) if isinstance(a, GraphLaunch))

    few = {"n": MOST_FOR_A_THREAD + 1, "items": 3}
    assert count(**few) == 5
    assert (
        count(MOST_FOR_A_THREAD, 3) == count(MOST_FOR_A_THREAD + 1, MOST_LONG + 1) == count(**few, invariant=True) == 2
    )


@pytest.mark.parametrize("letter", "sdcz")
@pytest.mark.parametrize("n, scale", [(1, 1), (2, 1e-30), (5, 1), (9, 1e-30)])
def test_perturbed_tridiagonal_systems(letter: str, n: int, scale: float, tmp_path: Path) -> None:
    """Systems of small whole numbers, of which many are singular, have the host's solutions."""
    random, kind = np.random.default_rng(n), KINDS[letter]
    shapes = ((200, n), (200, n), (200, n), (200, n, 2))
    parts = [[random.integers(-2, 3, shape) for shape in shapes] for _ in "ri"]
    given = [(x + 1j * y if letter in "cz" else x).astype(kind) for x, y in zip(*parts)]
    given[1] *= np.dtype(kind).type(scale)
    types = [f"tensor<{'x'.join(map(str, x.shape))}x{type_of(kind).element}>" for x in given]
    text = f"""func.func @main(%dl: {types[0]}, %d: {types[0]}, %du: {types[0]}, %b: {types[3]}) -> {types[3]} {{
      %0 = stablehlo.custom_call @cu_tridiagonal_solve_perturbed_ffi(%dl, %d, %du, %b)
        {{api_version = 4 : i32}} : ({", ".join(types)}) -> {types[3]}
      return %0 : {types[3]}
    }}"""
    executable, run_program = emulator(text, tmp_path)
    assert not any(isinstance(a, Direct | OnHost) for a in walk(executable.actions))
    (found,) = run_program(given)
    (expected,) = hlo2tiny.load(text, "CPU").numpy(*given)
    sizes = np.abs(expected).max((1, 2), keepdims=True)
    with np.errstate(invalid="ignore"):
        same = (found == expected) | (np.isnan(found) & np.isnan(expected)) | (np.abs(found - expected) <= 1e-5 * sizes)
    assert np.mean(same) == 1 if letter in "sd" else np.mean(same) > 0.98


def tridiagonal_program(dl: jax.Array, d: jax.Array, du: jax.Array, b: jax.Array) -> jax.Array:
    """Systems in a branch of a loop."""

    def step(n: jax.Array, b: jax.Array) -> jax.Array:
        return jax.lax.cond(b.sum() > n, lambda: jax.lax.linalg.tridiagonal_solve(dl, d + n, du, b), lambda: b / 2)

    return jax.lax.fori_loop(0, 4, step, b)


@pytest.mark.parametrize("platform, letter", [*(("cpu", letter) for letter in "sdcz"), ("cuda", "s"), ("cuda", "d")])
def test_programs_of_tridiagonal_systems_run_as_one_graph(platform: str, letter: str, tmp_path: Path) -> None:
    """In both spellings, with a singular system, whose solution is not a number."""
    given = tridiagonal_systems(letter, 20, 2, (3,), 1)
    with jax.enable_x64(True):
        solve = jax.jit(jax.lax.linalg.tridiagonal_solve)
        text = jax.export.export(solve, platforms=[platform])(*given).mlir_module()
    executable, run_program = emulator(text, tmp_path)
    assert not executable.lacking and not any(isinstance(a, Direct | OnHost) for a in walk(executable.actions))
    (found,) = run_program(given)
    (expected,) = hlo2tiny.load(text, "CPU").numpy(*given)
    assert np.isnan(found[0]).all() and np.isnan(expected[0]).all()
    expect_close(found[1:], expected[1:], KINDS[letter])


def test_tridiagonal_systems_in_loops_and_branches(tmp_path: Path) -> None:
    dl, d, du, b = (x[1:] for x in tridiagonal_systems("d", 30, 1, (4,), 2))
    text = exported(tridiagonal_program, dl, d, du, b)
    executable, run_program = emulator(text, tmp_path)
    assert not any(isinstance(a, Direct | OnHost) for a in walk(executable.actions))
    (found,) = run_program([dl, d, du, b])
    np.testing.assert_allclose(found, hlo2tiny.load(text, "CPU").numpy(dl, d, du, b)[0], rtol=1e-10, atol=1e-12)


def exported(function: Any, *arguments: np.ndarray) -> object:
    with jax.enable_x64(True):
        unstable = [jax.export.DisabledSafetyCheck.custom_call("tridiagonal_solve_perturbed_ffi")]
        export = jax.export.export(jax.jit(function), platforms=["cpu"], disabled_checks=unstable)
        return export(*arguments).mlir_module()


def solve(a: jax.Array, b: jax.Array) -> jax.Array:
    return jax.scipy.linalg.cho_solve((jnp.linalg.cholesky(a), True), b)


FAMILIES = {
    "cholesky": (solve, 2, {"potrf": 1, "trsm": 2}),
    "lu": (jnp.linalg.solve, 2, {"getrf": 1, "trsm": 2}),
    "qr": (jnp.linalg.qr, 1, {"geqrf": 1, "orgqr": 1}),
    "eigh": (jnp.linalg.eigh, 1, {"syevd": 1}),
    "svd": (jnp.linalg.svd, 1, {"gesdd": 1}),
}


@pytest.mark.sampled(4)
@pytest.mark.parametrize("family", FAMILIES)
@pytest.mark.parametrize("kind, shape", [("f4", (1000, 64, 64)), ("f8", (3, 200, 128, 128)), ("c8", (17, 40, 40))])
def test_a_batch_of_small_matrices_is_one_launch_and_no_library(family: str, kind: str, shape: tuple[int, ...]) -> None:
    function, operands, expected = FAMILIES[family]
    executable = emitted(exported(function, *[np.zeros(shape, kind)] * operands), ())
    # Eigenvalues of matrices that do not fit in shared memory are a library's, if it is there.
    assert not executable.lacking or (family == "eigh" and shape[-1] == 128)
    assert not any(isinstance(a, Direct | OnHost) for a in walk(executable.actions))
    names = [executable.kernels[a.kernel].name for a in walk(executable.actions) if isinstance(a, GraphLaunch)]
    complex_names = {"orgqr": "ungqr", "syevd": "heevd"} if kind[0] == "c" else {}
    for name, count in expected.items():
        assert names.count({"f4": "s", "f8": "d", "c8": "c"}[kind] + complex_names.get(name, name)) == count
    batch = int(np.prod(shape[:-2]))
    assert all(k.grid[0] % batch == 0 for k in executable.kernels if k.body.count("matrices::"))


def directs(function: Any, *arrays: np.ndarray, invariant: bool = False) -> list[str]:
    """The calls of libraries of a program."""
    plan = plan_of(exported(function, *arrays), invariant=invariant)
    executable = executable_of(plan, "CUDA", "sm_90", frozenset(("cusolver", "cublas")), lambda done, total: None)
    return [str(executable.products[a.product]) for a in walk(executable.actions) if isinstance(a, Direct)]


@pytest.mark.parametrize("family", ["cholesky", "lu"])
def test_larger_matrices_are_the_libraries_if_one_call_computes_the_whole_batch(family: str) -> None:
    for batch, n, direct in ((5, MOST, False), (5, MOST + 1, True), (1000, MOST + 1, True)):
        assert (directs(FAMILIES[family][0], *[np.zeros((batch, n, n), "f4")] * 2) != []) is direct


def svd(a: jax.Array) -> tuple[jax.Array, ...]:
    return jnp.linalg.svd(a, full_matrices=False)


LARGE = {"qr": jnp.linalg.qr, "tall lu": lambda a: jax.lax.linalg.lu(a)[0], "svd": svd}


@pytest.mark.parametrize("family", LARGE)
def test_larger_ones_have_a_block_each_if_calls_would_follow_each_other(family: str) -> None:
    """For enough matrices, or for any number of them if it must not matter."""
    few = [(1, 182, 129, True), (1, 181, 129, False), (2, 257, 129, True), (7, 512, 9, True), (8, 512, 400, False)]
    if family == "svd":
        few = [(1, 130, 129, True), (2, 130, 129, False), (3, 512, 9, True), (4, 512, 400, False)]
    many = [(9, 513, 400, family == "tall lu"), (99, 3000, 400, True), (99, MOST_LARGE + 2, MOST_LARGE + 1, True)]
    for batch, m, n, direct in (*few, *many):
        assert (directs(LARGE[family], np.zeros((batch, m, n), "f4")) != []) is direct, (batch, m, n)
        if m <= MOST_LARGE:
            assert not directs(LARGE[family], np.zeros((batch, m, n), "f4"), invariant=True)


@pytest.mark.parametrize("family", ["qr", "svd"])
def test_a_warp_has_whole_columns_of_tall_matrices_in_registers(family: str) -> None:
    for kind, rows in (("f4", 2048), ("f8", 1024), ("c8", 1024), ("c16", 512)):
        assert not directs(LARGE[family], np.zeros((128, rows, 3), kind))
        assert directs(LARGE[family], np.zeros((128, rows + 1, 3), kind))
    # To complete a basis takes blocks long.
    assert directs(jnp.linalg.svd, np.zeros((20, MOST_LARGE + 1, 3), "f4"))


@pytest.mark.sampled(3)
@pytest.mark.parametrize(
    "expect, arguments",
    [
        (expect_qr, ("s", 150, 140, (2,))), (expect_qr, ("z", 130, 180, (2,))), (expect_qr, ("d", 300, 20, (3,))),
        (expect_qr, ("s", 1200, 5, (10,))), (expect_products, ("c", 200, 40, 50, (2,), True, True)),
        (expect_products, ("s", 300, 20, 3, (3,), False, False)), (expect_lu, ("s", 150, 140, (2,), False)),
        (expect_lu, ("z", 130, 256, (2,), True)), (expect_singular_values, ("s", 9, 1100, (10,), "S", "low")),
    ],
)  # fmt: skip
def test_numbers_of_large_matrices(expect: Any, arguments: tuple[Any, ...]) -> None:
    expect(*arguments)


def test_eigenvalues_are_a_library_s_if_the_matrices_do_not_fit_in_shared_memory() -> None:
    for n, kind, direct in ((64, "f4", False), (80, "f4", True), (50, "f8", False), (64, "c16", True)):
        executable = emitted(exported(jnp.linalg.eigh, np.zeros((5, n, n), kind)), ("cusolver", "cublas"))
        assert any(isinstance(a, Direct) for a in walk(executable.actions)) is direct, (n, kind)


@pytest.mark.parametrize("kind, shape", [("f4", (3, 20, 17)), ("c16", (3, 13, 22))])
@pytest.mark.sampled(2)
def test_large_matrices_of_a_batch_have_a_block_each_for_singular_values(
    kind: str, shape: tuple[int, ...], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """For at least one matrix for each MOST rows; fewer ones are a library's, one after the other."""
    monkeypatch.setattr("hlo2tiny.targets.cuda.matrices.MOST", 8)
    a = matrices(kind, *shape)
    _, run_program = emulator(exported(svd, a), tmp_path)
    u, s, vt = run_program([a])
    expect_close((u * s[:, None, :]) @ vt, a, kind)
    tall = a.swapaxes(1, 2)[:2] if shape[1] < shape[2] else a[:2]
    executable = emitted(exported(svd, tall), ("cusolver", "cublas"))
    assert any(isinstance(each, Direct) for each in walk(executable.actions))


@pytest.mark.ci
def test_nvrtc_compiles_the_kernels_and_their_shared_memory_fits() -> None:
    pytest.importorskip("cuda.bindings.nvrtc", reason="hlo2tiny[cuda] is not installed")
    for family, kind, m, n in (
        ("cholesky", "c16", 57, 57), ("svd", "c16", MOST, MOST), ("eigh", "f8", MOST, MOST), ("lu", "c8", MOST, MOST),
        *((family, "c16", MOST_LARGE, MOST_LARGE) for family in ("svd", "eigh", "qr")), ("cholesky", "f8", 400, 400),
        ("qr", "f8", 1024, 30),
    ):  # fmt: skip
        function, operands, _ = FAMILIES[family]
        executable = emitted(exported(function, *[np.zeros((8, m, n), kind)] * operands), ())
        compile_all([text for text, _ in files(executable.kernels)], "sm_90")
    executable = emitted(exported(svd, np.zeros((8, 1024, MOST_LARGE), "f8")), ())
    compile_all([text for text, _ in files(executable.kernels)], "sm_90")
    for kind, n in (("f4", 256), ("c16", MOST_FOR_A_THREAD + 1)):
        for options in ({}, {"perturb_singular": True}):
            solve = partial(jax.lax.linalg.tridiagonal_solve, **options)
            given = [*[np.zeros((40, n), kind)] * 3, np.zeros((40, n, 3), kind)]
            executable = emitted(exported(solve, *given), ())
            compile_all([text for text, _ in files(executable.kernels)], "sm_90")


@pytest.mark.sampled(2)
@pytest.mark.parametrize(
    "family, kind, n",
    [
        ("cholesky", "f4", 65),
        ("lu", "c16", 60),
        ("lu", "c16", 80),
        ("eigh", "f8", 90),
        ("svd", "c16", 37),
        ("cholesky", "c8", 135),
        ("lu", "f8", 200),
        ("eigh", "f4", 130),
    ],
)
def test_programs_of_matrices_in_shared_and_in_global_memory(family: str, kind: str, n: int, tmp_path: Path) -> None:
    """As above a size they stay where they are, and what does not fit has a buffer."""
    function, operands, _ = FAMILIES[family]
    a = matrices(kind, 2, n, n)
    a = (a @ adjoint(a) + n * np.eye(n)).astype(kind)
    given = [a, matrices(kind, 2, n, 3)][:operands]
    _, run_program = emulator(exported(function, *given), tmp_path)
    results = run_program(given)
    if operands == 2:
        expect_close(a @ results[0], given[1], kind, 100 * n)
    elif family == "eigh":
        expect_close((results[1] * results[0][:, None, :]) @ adjoint(results[1]), a, kind)
    else:
        expect_close((results[0] * results[1][:, None, :]) @ results[2], a, kind)
