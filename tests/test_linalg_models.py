"""Linear algebra as models use it: whole programs, exported by JAX, against JAX itself on the CPU."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import jax
import jax.numpy as jnp
import jax.scipy.linalg as jsl
import numpy as np
import pytest
from jax import export, lax
from jaxlib.cpu import _lapack

import hlo2tiny

f32, f64, c64, c128, i32 = (np.dtype(t) for t in (np.float32, np.float64, np.complex64, np.complex128, np.int32))
TYPES = (f32, f64, c64, c128)
Arrays = Sequence[np.ndarray]

# JAX promises to keep few of its custom calls; the others are LAPACK's too.
CALLS = [export.DisabledSafetyCheck.custom_call(target) for target in _lapack.registrations()]


@pytest.fixture(autouse=True, scope="module")
def doubles() -> Any:
    with jax.enable_x64(True):
        yield


# ---------------------------------------------------------------- inputs


def plain(shape: Sequence[int], dtype: np.dtype, seed: int = 0) -> np.ndarray:
    rng = np.random.default_rng([seed, *shape])
    x = rng.standard_normal(shape)
    return np.asarray(x + 1j * rng.standard_normal(shape) if dtype.kind == "c" else x).astype(dtype)


def adjoint(x: np.ndarray) -> np.ndarray:
    return np.conj(np.swapaxes(x, -1, -2))


def hermitian(shape: Sequence[int], dtype: np.dtype) -> np.ndarray:
    a = plain(shape, dtype)
    return np.asarray(a + adjoint(a))


def definite(shape: Sequence[int], dtype: np.dtype) -> np.ndarray:
    a = plain(shape, dtype)
    return (a @ adjoint(a) / max(1, shape[-1]) + np.eye(shape[-1])).astype(dtype)


def regular(shape: Sequence[int], dtype: np.dtype) -> np.ndarray:
    """Far from singular."""
    return plain(shape, dtype) + (3 * np.eye(*shape[-2:])).astype(dtype)


def singular(shape: Sequence[int], dtype: np.dtype) -> np.ndarray:
    """Of rank two."""
    *batch, m, n = shape
    return (plain((*batch, m, 2), dtype, 1) @ plain((*batch, 2, n), dtype, 2)).astype(dtype)


def spoilt(shape: Sequence[int], dtype: np.dtype) -> np.ndarray:
    """The first of a batch is as usual, the others hold a NaN or an infinity."""
    a = definite(shape, dtype)
    a[1, 0, 0], a[2, 1, 1] = np.nan, np.inf
    return a


def indefinite(shape: Sequence[int], dtype: np.dtype) -> np.ndarray:
    a = definite(shape, dtype)
    a[1:] -= (5 * np.eye(shape[-1])).astype(dtype)
    return a


# ---------------------------------------------------------------- what is compared


def expect_close(got: np.ndarray, expected: np.ndarray, units: float = 200) -> None:
    """Equal within some units of the last place of the largest number; NaN and infinities at the same indices."""
    assert (got.shape, got.dtype) == (expected.shape, expected.dtype)
    if got.dtype.kind not in "fc":
        np.testing.assert_array_equal(got, expected)
        return
    finite = np.abs(expected[np.isfinite(expected)]).max(initial=0)
    np.testing.assert_allclose(got, expected, 0, units * np.finfo(got.dtype).eps * max(finite, 1e-3))


def same(got: Arrays, expected: Arrays) -> None:
    for g, e in zip(got, expected, strict=True):
        expect_close(g, e)


def as_finite(got: Arrays, expected: Arrays) -> None:
    """Kernels of OpenBLAS for some processors divide by a 0, for others they multiply by its inverse."""
    for g, e in zip(got, expected, strict=True):
        np.testing.assert_array_equal(np.isfinite(g), np.isfinite(e))


def columns(*places: int, rows: Sequence[int] = ()) -> Callable[[Arrays, Arrays], None]:
    """The results at `places` are vectors in columns, those in `rows` in rows: each is unique up to its phase."""

    def check(got: Arrays, expected: Arrays) -> None:
        for place, (g, e) in enumerate(zip(got, expected, strict=True)):
            if place in (*places, *rows):
                axis = -1 if place in rows else -2
                along = np.sum(np.conj(g) * e, axis, keepdims=True)
                expect_close(np.linalg.norm(g, axis=axis), np.linalg.norm(e, axis=axis))
                size = np.abs(along)
                g = (g * np.where(size == 0, 1, along / np.where(size == 0, 1, size))).astype(g.dtype)
            expect_close(g, e, 2000)

    return check


def orthonormal(*places: int, count: int) -> Callable[[Arrays, Arrays], None]:
    """The vectors at `places`, the last in rows, are a whole basis, of which `count` are unique up to their phase."""

    def cut(arrays: Arrays) -> list[np.ndarray]:
        u, s, vt = arrays
        return [u[..., :count], s, vt[..., :count, :]]

    def check(got: Arrays, expected: Arrays) -> None:
        columns(0, rows=[2])(cut(got), cut(expected))
        for q in (got[0], adjoint(got[2])):
            expect_close(adjoint(q) @ q, np.broadcast_to(np.eye(q.shape[-1], dtype=q.dtype), q.shape))

    return check


def made_again(got: Arrays, expected: Arrays) -> None:
    """A Schur form and its vectors: phases and the order of eigenvalues may move from one to the other."""
    (t, z), (t2, z2) = got, expected
    expect_close(z @ t @ adjoint(z), z2 @ t2 @ adjoint(z2))
    expect_close(adjoint(z) @ z, np.broadcast_to(np.eye(z.shape[-1], dtype=z.dtype), z.shape))
    diagonals = [np.sort(np.abs(np.einsum("...ii->...i", x))) for x in (t, t2)]
    expect_close(*diagonals, 2000)
    assert not np.tril(t, -1 if t.dtype.kind == "c" else -2).any()


@dataclass(frozen=True)
class Model:
    """A function, its inputs (each a maker and a shape), the types to run it with, and how results are compared."""

    function: Callable[..., Any]
    inputs: Sequence[tuple[Callable[..., np.ndarray], tuple[int, ...]]]
    types: Sequence[np.dtype] = (f32, c128)
    check: Callable[[Arrays, Arrays], None] = same


def gradient(function: Callable[..., Any]) -> Callable[..., Any]:
    """The derivatives of a function in all its arguments, with results weighted so that none cancels another."""

    def weighted(*arguments: Any) -> Any:
        found = jax.tree.leaves(function(*arguments))
        parts = [x for y in found for x in ((y.real, y.imag) if jnp.iscomplexobj(y) else (y,))]
        weights = [jnp.cos(1 + jnp.arange(x.size, dtype=x.dtype)).reshape(x.shape) for x in parts]
        return sum(jnp.sum(x * w) for x, w in zip(parts, weights))

    return lambda *arguments: jax.grad(weighted, tuple(range(len(arguments))))(*arguments)


# ---------------------------------------------------------------- the programs

SQUARE, MATRICES, TALL, BROAD = (4, 4), (2, 3, 3), (5, 3), (3, 5)
REAL, COMPLEX, ONE = (f32, f64), (c64, c128), (f32,)


def eigh_of(**options: Any) -> Callable[..., Any]:
    return lambda a: tuple(jnp.linalg.eigh(a, symmetrize_input=False, **options))


def svd(full: bool, algorithm: Any = None) -> Callable[..., Any]:
    return lambda a: lax.linalg.svd(a, full_matrices=full, algorithm=algorithm)


def projections(a: Any) -> Any:
    """Eigenvalues, and what of the vectors does not depend on their phases."""
    w, v = jnp.linalg.eigh(a)
    return w, jnp.abs(v) ** 2


def tridiagonal_solve(**options: Any) -> Callable[..., Any]:
    """The diagonals' unused ends are zero, as the function asks."""

    def solve(dl: Any, d: Any, du: Any, b: Any) -> Any:
        return lax.linalg.tridiagonal_solve(dl.at[..., 0].set(0), d + 4, du.at[..., -1].set(0), b, **options)

    return solve


def triangular(**options: Any) -> Callable[..., Any]:
    return lambda a, b: jsl.solve_triangular(a, b, **options)


def factored_solve(a: Any, b: Any) -> Any:
    return jsl.lu_solve(jsl.lu_factor(a), b, trans=1), jsl.cho_solve(jsl.cho_factor(a), b)


def kalman(a: Any, p: Any, y: Any) -> Any:
    """A filter's steps: Cholesky, triangular solves and products in a loop."""

    def step(state: Any, seen: Any) -> Any:
        mean, cover = state
        cover = a @ cover @ a.T + jnp.eye(a.shape[0], dtype=a.dtype)
        factor = jnp.linalg.cholesky(cover)
        gain = jsl.solve_triangular(factor, cover, lower=True).T
        mean = a @ mean + gain @ (seen - a @ mean) * 0.1
        return (mean, cover - 0.1 * gain @ gain.T), (mean, jnp.linalg.slogdet(cover)[1])

    return lax.scan(step, (y[0], p), y)


DIAGONALS = [(plain, (5,))] * 3 + [(plain, (5, 2))]
BATCHED_DIAGONALS = [(plain, (2, 5))] * 3 + [(plain, (2, 5, 2))]
QR_SVD = lax.linalg.SvdAlgorithm.QR

MODELS: dict[str, Model] = {
    # Factorisations.
    "cholesky": Model(jnp.linalg.cholesky, [(definite, MATRICES)], TYPES),
    "cholesky, upper": Model(lambda a: jnp.linalg.cholesky(a, upper=True), [(definite, SQUARE)]),
    "cholesky, indefinite": Model(jnp.linalg.cholesky, [(indefinite, MATRICES)]),
    "cholesky, not finite": Model(jnp.linalg.cholesky, [(spoilt, (3, 3, 3))]),
    "cholesky'": Model(gradient(jnp.linalg.cholesky), [(definite, MATRICES)]),
    "qr": Model(lambda a: tuple(jnp.linalg.qr(a)), [(plain, (2, *TALL))], TYPES),
    "qr, complete": Model(lambda a: tuple(jnp.linalg.qr(a, mode="complete")), [(plain, TALL)]),
    "qr, broad": Model(lambda a: tuple(jnp.linalg.qr(a)), [(plain, BROAD)]),
    "qr, only r": Model(lambda a: jnp.linalg.qr(a, mode="r"), [(plain, TALL)]),
    "qr, raw": Model(lambda a: tuple(jnp.linalg.qr(a, mode="raw")), [(plain, TALL)]),
    "qr, pivoting": Model(lambda a: jsl.qr(a, mode="economic", pivoting=True), [(plain, TALL)]),
    "qr'": Model(gradient(lambda a: tuple(jnp.linalg.qr(a))), [(plain, TALL)]),
    "qr, multiplied": Model(lambda a, c: jsl.qr_multiply(a, c), [(plain, TALL), (plain, (4, 5))]),
    "householder product": Model(lax.linalg.householder_product, [(plain, (2, *TALL)), (plain, (2, 3))]),
    "lu": Model(lax.linalg.lu, [(plain, MATRICES)], TYPES),
    "lu, tall": Model(lax.linalg.lu, [(plain, TALL)]),
    "lu, broad": Model(jsl.lu, [(plain, BROAD)]),
    "lu'": Model(gradient(lambda a: lax.linalg.lu(a)[0]), [(plain, MATRICES)]),
    "hessenberg": Model(lambda a: jsl.hessenberg(a, calc_q=True), [(plain, SQUARE)], TYPES),
    "tridiagonal": Model(lambda a: lax.linalg.tridiagonal(a, lower=True), [(hermitian, (2, *SQUARE))]),
    "tridiagonal, upper": Model(lambda a: lax.linalg.tridiagonal(a, lower=False), [(hermitian, SQUARE)]),
    "schur": Model(lambda a: jsl.schur(a), [(plain, SQUARE)], TYPES, check=made_again),
    "schur, complex": Model(lambda a: jsl.schur(a, output="complex"), [(plain, SQUARE)], REAL, made_again),
    "polar": Model(lambda a: jsl.polar(a, method="svd"), [(plain, TALL)]),
    "cholesky update": Model(lambda r, w: lax.linalg.cholesky_update(r, w), [(definite, SQUARE), (plain, (4,))], REAL),
    # Systems.
    "solve": Model(jnp.linalg.solve, [(regular, MATRICES), (plain, (2, 3, 2))], TYPES),
    "solve, vector": Model(jnp.linalg.solve, [(regular, SQUARE), (plain, (4,))]),
    "solve, zeros": Model(jnp.linalg.solve, [(lambda s, d: np.zeros(s, d), SQUARE), (plain, (4,))], check=as_finite),
    "solve'": Model(gradient(jnp.linalg.solve), [(regular, MATRICES), (plain, (2, 3, 2))]),
    "inv": Model(jnp.linalg.inv, [(regular, MATRICES)], TYPES),
    "inv'": Model(gradient(jnp.linalg.inv), [(regular, SQUARE)]),
    "pinv": Model(jnp.linalg.pinv, [(plain, TALL)]),
    "pinv, of low rank": Model(lambda a: jnp.linalg.pinv(a, rtol=1e-4), [(singular, BROAD)]),
    "pinv'": Model(gradient(jnp.linalg.pinv), [(plain, TALL)], ONE),
    "lstsq": Model(lambda a, b: jnp.linalg.lstsq(a, b)[::2], [(plain, TALL), (plain, (5, 2))]),
    "triangular": Model(triangular(lower=True), [(regular, MATRICES), (plain, (2, 3, 2))], TYPES),
    "triangular, transposed": Model(triangular(trans="T"), [(regular, SQUARE), (plain, (4, 2))]),
    "triangular, adjoint": Model(triangular(trans="C", lower=True), [(regular, SQUARE), (plain, (4,))]),
    "triangular, unit": Model(triangular(unit_diagonal=True), [(plain, (3, 3)), (plain, (3, 2))]),
    "triangular, right": Model(
        lambda a, b: lax.linalg.triangular_solve(a, b, left_side=False, lower=True, conjugate_a=True, transpose_a=True),
        [(regular, MATRICES), (plain, (2, 4, 3))],
    ),
    "triangular'": Model(gradient(triangular(lower=True)), [(regular, MATRICES), (plain, (2, 3, 2))]),
    "lu_solve, cho_solve": Model(factored_solve, [(definite, SQUARE), (plain, (4, 2))]),
    "tridiagonal solve": Model(tridiagonal_solve(), BATCHED_DIAGONALS),
    "tridiagonal solve'": Model(gradient(tridiagonal_solve()), DIAGONALS, REAL),
    "kalman": Model(kalman, [(regular, (3, 3)), (definite, (3, 3)), (plain, (6, 3))], REAL),
    # Eigenvalues, singular values.
    "eigh": Model(eigh_of(), [(hermitian, (2, *SQUARE))], TYPES, check=columns(1)),
    "eigh, upper": Model(eigh_of(UPLO="U"), [(plain, SQUARE)], check=columns(1)),
    "eigh, not finite": Model(jnp.linalg.eigvalsh, [(spoilt, (3, 3, 3))]),
    "eigvalsh": Model(jnp.linalg.eigvalsh, [(hermitian, SQUARE)]),
    "eigh'": Model(gradient(projections), [(hermitian, SQUARE)]),
    "eigh, tridiagonal": Model(
        lambda d, e: jsl.eigh_tridiagonal(d, e, eigvals_only=True), [(plain, (5,)), (plain, (4,))], ONE
    ),
    "eig": Model(lambda a: tuple(jnp.linalg.eig(a)), [(plain, (2, *SQUARE))], TYPES, check=columns(1)),
    "eig, left": Model(lambda a: lax.linalg.eig(a), [(plain, SQUARE)], check=columns(1, 2)),
    "eigvals": Model(jnp.linalg.eigvals, [(plain, SQUARE)]),
    "eig, not finite": Model(jnp.linalg.eigvals, [(spoilt, (3, 3, 3))]),
    "eigvals'": Model(gradient(jnp.linalg.eigvals), [(plain, SQUARE)], COMPLEX),
    "svd": Model(svd(False), [(plain, (2, *TALL))], TYPES, check=columns(0, rows=[2])),
    "svd, full": Model(svd(True), [(plain, TALL)], check=orthonormal(0, 2, count=3)),
    "svd, full and broad": Model(svd(True), [(plain, BROAD)], check=orthonormal(0, 2, count=3)),
    "svd, by qr": Model(svd(False, QR_SVD), [(plain, BROAD)], check=columns(0, rows=[2])),
    "svd, values": Model(lambda a: jnp.linalg.svd(a, compute_uv=False), [(plain, (2, *BROAD))]),
    "svd, not finite": Model(lambda a: jnp.linalg.svd(a, compute_uv=False), [(spoilt, (3, 3, 3))]),
    "svd'": Model(gradient(lambda a: jnp.linalg.svd(a, compute_uv=False)), [(plain, TALL)]),
    # Numbers and functions of matrices.
    "det, slogdet": Model(lambda a: (jnp.linalg.det(a), *jnp.linalg.slogdet(a)), [(plain, (2, *SQUARE))]),
    "det'": Model(gradient(jnp.linalg.det), [(plain, (2, *SQUARE))]),
    "slogdet'": Model(gradient(lambda a: jnp.linalg.slogdet(a)[1]), [(plain, MATRICES)]),
    "slogdet, of zeros": Model(lambda a: tuple(jnp.linalg.slogdet(0 * a)), [(plain, SQUARE)]),
    "matrix rank": Model(lambda a: jnp.linalg.matrix_rank(a, rtol=1e-3), [(singular, (2, 4, 3))]),
    "norms": Model(
        lambda a: [jnp.linalg.norm(a, order) for order in (None, 1, -1, 2, -2, np.inf, "nuc", "fro")],
        [(plain, TALL)],
    ),
    "norm'": Model(gradient(lambda a: jnp.linalg.norm(a, "nuc")), [(plain, TALL)]),
    "cond": Model(jnp.linalg.cond, [(regular, SQUARE)]),
    "expm": Model(jsl.expm, [(plain, MATRICES)]),
    "expm'": Model(gradient(jsl.expm), [(plain, (2, 2))], ONE),
    "sqrtm": Model(jsl.sqrtm, [(definite, (3, 3))]),
    "matrix power": Model(lambda a: jnp.linalg.matrix_power(a, -3), [(regular, SQUARE)]),
}
# Matrices without elements, and batches without matrices.
EMPTY: dict[str, Callable[..., Any]] = {
    "cholesky": jnp.linalg.cholesky,
    "qr": lambda a: tuple(jnp.linalg.qr(a)),
    "lu": lax.linalg.lu,
    "inv": jnp.linalg.inv,
    "solve": lambda a: jnp.linalg.solve(a, a),
    "det": lambda a: (jnp.linalg.det(a), *jnp.linalg.slogdet(a)),
    "eigh": eigh_of(),
    "eig": lambda a: tuple(jnp.linalg.eig(a)),
    "svd": svd(True),
    "expm": jsl.expm,
}
for name, function in EMPTY.items():
    for shape in ((0, 3, 3), (2, 0, 0), (0, 0)):
        if name not in ("expm",) or len(shape) == 3:
            MODELS[f"{name}, {shape}"] = Model(function, [(plain, shape)], ONE)
for shape in ((0, 3), (3, 0)):
    MODELS[f"svd, {shape}"] = Model(svd(True), [(plain, shape)], ONE)
    MODELS[f"qr, {shape}"] = Model(EMPTY["qr"], [(plain, shape)], ONE)


def exported(function: Callable[..., Any], types: Sequence[Any]) -> str:
    flat = jax.jit(lambda *arguments: tuple(jax.tree.leaves(function(*arguments))))
    return str(export.export(flat, platforms=["cpu"], disabled_checks=CALLS)(*types).mlir_module())


# CI runs one type of each model, the next one for the next model; LAPACK's procedures are tested in all types
# elsewhere.
PROGRAMS = [
    pytest.param(name, dtype, id=f"{name}-{dtype}", marks=[pytest.mark.night] * (place != number % len(model.types)))
    for number, (name, model) in enumerate(MODELS.items())
    for place, dtype in enumerate(model.types)
]


@pytest.mark.sampled(12, ci=6)
@pytest.mark.parametrize(("name", "dtype"), PROGRAMS)
def test_program_equals_jax(name: str, dtype: np.dtype) -> None:
    model = MODELS[name]
    inputs = [make(shape, dtype) for make, shape in model.inputs]
    expected = [np.asarray(x) for x in jax.tree.leaves(jax.jit(model.function)(*inputs))]
    text = exported(model.function, [jax.ShapeDtypeStruct(x.shape, x.dtype) for x in inputs])
    try:
        model.check(hlo2tiny.load(text, "CPU").numpy(*inputs), expected)
    except Exception as error:
        error.add_note(text[:5000])
        raise


@pytest.mark.parametrize("name", ["cholesky", "qr", "lu", "solve", "eigh", "svd", "triangular", "tridiagonal", "schur"])
def test_symbolic_batch(name: str) -> None:
    """One file for batches of any size: its calls carry the shapes of their results as operands."""
    model = MODELS[name]
    batch = export.symbolic_shape("b")
    inputs = [make((3, *shape[-2:]), f32) for make, shape in model.inputs]
    types = [jax.ShapeDtypeStruct((*batch, *x.shape[1:]), x.dtype) for x in inputs]
    expected = [np.asarray(x) for x in jax.tree.leaves(jax.jit(model.function)(*inputs))]
    program = hlo2tiny.load(exported(model.function, types), "CPU")
    model.check(program.numpy(*inputs), expected)
    model.check(program.numpy(*(x[:1] for x in inputs)), [x[:1] for x in expected])


@pytest.mark.parametrize("zeros", [False, True])
@pytest.mark.parametrize("dtype", REAL, ids=str)
def test_singular_tridiagonal_systems_are_perturbed(dtype: np.dtype, zeros: bool) -> None:
    """A solution that is finite, large, and the one that JAX finds."""
    d = np.array([1, 0, 0, 2, 0], dtype) * (not zeros)
    dl, du, b = np.zeros(5, dtype), np.zeros(5, dtype), plain((5, 2), dtype)
    du[0] = not zeros
    function = lambda *x: lax.linalg.tridiagonal_solve(*x, perturb_singular=True)
    expected = np.asarray(jax.jit(function)(dl, d, du, b))
    (got,) = hlo2tiny.load(exported(function, [dl, d, du, b]), "CPU").numpy(dl, d, du, b)
    assert np.isfinite(got).all() and np.abs(got).max() > 1 / np.finfo(dtype).eps / 10
    np.testing.assert_allclose(got, expected, 1e-6)


def test_a_singular_tridiagonal_system_of_two_rows() -> None:
    """Whose elimination is exact: what a zero pivot becomes decides the solution."""
    dl, d, du, b = (np.array(x, f32) for x in ([0, 1], [1, 3], [3, 0], [[1], [4]]))
    function = lambda *x: lax.linalg.tridiagonal_solve(*x, perturb_singular=True)
    (got,) = hlo2tiny.load(exported(function, [dl, d, du, b]), "CPU").numpy(dl, d, du, b)
    np.testing.assert_array_equal(got, np.array([[-2.5165824e7], [8388608]], f32))


@pytest.mark.sampled(5, ci=5)
@pytest.mark.parametrize("scale", [1, 1e-30])
@pytest.mark.parametrize("rows", [1, 2, 3, 6])
@pytest.mark.parametrize("dtype", [*REAL, np.dtype(np.complex128)], ids=str)
def test_tridiagonal_systems_of_small_whole_numbers_are_solved_as_by_jax(
    dtype: np.dtype, rows: int, scale: float
) -> None:
    """Of which many are singular, and some have rows of very different sizes."""
    rng = np.random.default_rng([rows, dtype.itemsize])

    def numbers(*shape: int) -> np.ndarray:
        real, imaginary = (rng.integers(-2, 3, (300, *shape)) for _ in "ri")
        return (real + 1j * imaginary if dtype.kind == "c" else real).astype(dtype)

    dl, d, du, b = numbers(rows), numbers(rows), numbers(rows), numbers(rows, 2)
    d *= dtype.type(scale)
    dl[:, 0], du[:, -1] = 0, 0
    function = lambda *x: lax.linalg.tridiagonal_solve(*x, perturb_singular=True)
    expected = np.asarray(jax.jit(function)(dl, d, du, b))
    (got,) = hlo2tiny.load(exported(function, [dl, d, du, b]), "CPU").numpy(dl, d, du, b)
    singular = np.abs(expected).max((1, 2)) > 1 / np.finfo(dtype).eps / 100
    assert singular.any()
    size = np.abs(expected).max((1, 2), keepdims=True)
    same = (got == expected) | (np.isnan(got) & np.isnan(expected))
    # Where the last bit of a pivot near zero decides, XLA's releases differ: jaxlib 0.12 rounds quotients differently.
    assert np.mean(same | (np.abs(got - expected) <= 1e-5 * size)) > (0.98 if dtype.kind == "c" else 0.99)
    # Whichever pivots were moved: the solution is that of a system whose entries are as near as they can be.
    wide = np.complex128 if dtype.kind == "c" else np.float64
    x, lower, middle, upper = (array.astype(wide) for array in (got, dl, d, du))
    product = middle[..., None] * x
    product[:, 1:] += lower[:, 1:, None] * x[:, :-1]
    product[:, :-1] += upper[:, :-1, None] * x[:, 1:]
    entries = np.maximum(np.abs(np.stack([dl, d, du])).max((0, 2)), 1)[:, None, None]
    within = 100 * np.finfo(dtype).eps * (entries * np.abs(x).max((1, 2), keepdims=True) + np.abs(b))
    finite = np.isfinite(got).all((1, 2))
    assert finite.mean() > 0.9
    assert scale != 1 or (np.abs(product - b) <= within)[finite].all()  # otherwise products of entries underflow
