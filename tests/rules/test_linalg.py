"""Linear algebra: the two ops against numpy, and LAPACK's custom calls by what their results must satisfy."""

from __future__ import annotations

import itertools
import os
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
import pytest

import hlo2tiny
from hlo2tiny.ir import (
    BoolAttr,
    ComplexType,
    DenseAttr,
    DialectAttr,
    DictAttr,
    FloatAttr,
    IntegerAttr,
    Op,
    ScalarType,
    StringAttr,
    TensorType,
    Value,
)
from hlo2tiny.ir.dtypes import as_tensor, numpy_dtype, static_shape
from hlo2tiny.program import Program
from hlo2tiny.rules import RULES, eigen, linalg, routines
from hlo2tiny.rules.registry import apply_host, attributes_of, schema_problem
from hlo2tiny.targets.c import lapack

from .cases import CASES, case, new_tests
from .mlir import Call, module_text
from .numbers import bf16, c64, c128, f16, f32, f64, i32, type_of

DTYPES = {"s": f32, "d": f64, "c": c64, "z": c128}


def matrices(shape: Sequence[int], dtype: np.dtype, seed: int = 0) -> np.ndarray:
    rng = np.random.default_rng(seed)
    x = rng.standard_normal(tuple(shape))
    return (x + 1j * rng.standard_normal(x.shape) if dtype.kind == "c" else x).astype(dtype)


def adjoint(x: np.ndarray) -> np.ndarray:
    return np.conj(x.swapaxes(-1, -2))


def hermitian(shape: Sequence[int], dtype: np.dtype) -> np.ndarray:
    """Positive definite ones."""
    a = matrices(shape, dtype)
    return (a @ adjoint(a) + 2 * np.eye(shape[-1])).astype(dtype)


def wide(x: np.ndarray) -> np.ndarray:
    return x.astype(c128 if x.dtype.kind == "c" else f64)


# ---------------------------------------------------------------- the two ops


def cholesky(a: np.ndarray, *, lower: bool) -> np.ndarray:
    x = wide(a)
    x = np.tril(x) + adjoint(np.tril(x, -1)) if lower else np.triu(x) + adjoint(np.triu(x, 1))
    result = np.full(a.shape, np.nan, x.dtype)
    for index in np.ndindex(a.shape[:-2]):
        try:
            result[index] = np.linalg.cholesky(x[index]) if np.isfinite(x[index]).all() else np.nan
        except np.linalg.LinAlgError:
            result[index] = np.nan
    result = result if lower else adjoint(result)
    triangle = np.tril(result) if lower else np.triu(result)
    return np.where(np.isnan(result), np.nan, triangle).astype(a.dtype)


def gentle(shape: Sequence[int], dtype: np.dtype, seed: int = 0) -> np.ndarray:
    """Hermitian with a heavy diagonal and positive numbers, so that nothing cancels."""
    rng = np.random.default_rng(seed)
    a = rng.uniform(0.5, 1, tuple(shape)) + (1j * rng.uniform(0.1, 0.2, tuple(shape)) if dtype.kind == "c" else 0)
    a = np.tril(a, -1)
    return (a + adjoint(a) + 3 * shape[-1] * np.eye(shape[-1])).astype(dtype)


def other_triangle(a: np.ndarray, number: float) -> np.ndarray:
    """The same lower triangle, and a number above it that must not be read."""
    return np.where(np.tri(a.shape[-1], dtype=bool), a, np.asarray(number).astype(a.dtype))


ALL = (f32, f64, c64, c128, f16, bf16)
NOT_DEFINITE = np.array([[[1, 2], [2, 1]], [[4, 2], [2, 5]]])
NARROW = ("rounds each step to the narrow type", lambda call: call.operands[0].dtype in (f16, bf16))
case(
    "stablehlo.cholesky",
    ref=cholesky,
    tol=8,
    examples=[
        *(Call([gentle(s, d)], {"lower": low}) for s in ((4, 4), (2, 3, 3)) for d in ALL for low in (True, False)),
        *(Call([NOT_DEFINITE.astype(d)], {"lower": True}) for d in (f32, c128)),
        Call([gentle((1, 1), f32)], {"lower": True}),
        Call([np.zeros((0, 0), f32)], {"lower": True}),
        Call([np.zeros((0, 2, 2), f64)], {"lower": False}),
    ],
    disagree={"interpreter": "has no cholesky", "xla": NARROW},
)

TRANSPOSE = "#stablehlo<transpose {}>"


def triangular_solve(
    a: np.ndarray, b: np.ndarray, *, left_side: bool, lower: bool, unit_diagonal: bool, transpose_a: str
) -> np.ndarray:
    x = np.tril(wide(a)) if lower else np.triu(wide(a))
    if unit_diagonal:
        np.einsum("...ii->...i", x)[...] = 1
    x = {"N": x, "T": x.swapaxes(-1, -2), "A": adjoint(x)}[transpose_a.removeprefix("#stablehlo<transpose ")[0]]
    found = np.linalg.solve(x, wide(b)) if left_side else adjoint(np.linalg.solve(adjoint(x), adjoint(wide(b))))
    return found.astype(b.dtype)


def call(
    dtype: np.dtype = f32,
    left: bool = True,
    lower: bool = True,
    unit: bool = False,
    transpose: str = "NO_TRANSPOSE",
    shapes: tuple[Any, Any] = ((2, 3, 3), (2, 3, 3)),
) -> Call:
    a, b = gentle(shapes[0], dtype), np.full(shapes[1], 20, dtype)
    b += (matrices(b.shape, dtype) / 4).astype(dtype)
    attributes = {"left_side": left, "lower": lower, "unit_diagonal": unit, "transpose_a": TRANSPOSE.format(transpose)}
    return Call([a, b], attributes)


case(
    "stablehlo.triangular_solve",
    ref=triangular_solve,
    tol=64,
    examples=[
        *(call(d, left, low) for d in ALL for left in (True, False) for low in (True, False)),
        *(
            call(d, transpose=t, left=left)
            for d in (f32, c64)
            for t in ("TRANSPOSE", "ADJOINT")
            for left in (1 > 0, 1 < 0)
        ),
        *(call(d, unit=True, lower=low) for d in (f64, c128) for low in (True, False)),
        call(shapes=((3, 3), (3, 5))),
        call(shapes=((3, 3), (5, 3)), left=False),
        call(shapes=((0, 0), (0, 2))),
        call(shapes=((2, 2), (2, 0))),
        call(shapes=((0, 2, 2), (0, 2, 2))),
    ],
    disagree={"interpreter": "has no triangular_solve", "xla": NARROW},
)

_, test_examples, _ = new_tests()


@pytest.mark.parametrize("number", [np.nan, np.inf])
def test_the_other_triangle_is_not_read(number: float) -> None:
    a = gentle((2, 3, 3), f32)
    (kept,) = run("stablehlo.cholesky", [other_triangle(a, number)], {"lower": True}, [a])
    np.testing.assert_allclose(kept, cholesky(a, lower=True), rtol=1e-6)
    given = call()
    (kept,) = run("stablehlo.triangular_solve", [other_triangle(a, number), given.operands[1]], given.attributes, [a])
    np.testing.assert_allclose(kept, triangular_solve(a, given.operands[1], **given.attributes), rtol=1e-6)


# ---------------------------------------------------------------- custom calls


def run(op: str, operands: Sequence[Any], attributes: Any, results: Sequence[Any]) -> tuple[np.ndarray, ...]:
    """The results of one op, of the types of `results`."""
    return run_together(op, [Call([np.asarray(x) for x in operands], attributes)], [results])[0]


def run_together(op: str, calls: Sequence[Call], results: Sequence[Sequence[Any]]) -> list[tuple[np.ndarray, ...]]:
    """The results of each call, in one program, which compiles in a fraction of the time of one for each."""
    text = module_text(op, calls, [[type_of(np.asarray(r)) for r in each] for each in results])
    try:
        found = iter(Program(hlo2tiny.parse(text), "CPU").numpy(*(x for call in calls for x in call.operands)))
    except Exception as error:
        error.add_note(text)
        raise
    return [tuple(itertools.islice(found, len(each))) for each in results]


def expect_close(got: Any, expected: Any) -> None:
    """Equal within some hundred units of the last place of the largest number."""
    assert got.shape == expected.shape
    if got.size:
        precision = np.finfo(got.dtype).eps * 300
        assert np.abs(got - expected).max() <= precision * (1 + np.abs(expected).max()), f"{got!r}\n{expected!r}"


def zeros(dtype: Any, *shape: int) -> np.ndarray:
    return np.zeros(shape, dtype)


def real(dtype: np.dtype) -> np.dtype:
    return np.finfo(dtype).dtype


def byte(flag: str) -> str:
    return f"{ord(flag)} : ui8"


@dataclass(frozen=True)
class Form:
    """One way to write a call: operands before, attributes, the results that are workspaces, and which come first."""

    flags: Sequence[int] = ()
    attributes: dict[str, Any] = field(default_factory=dict)
    results: Callable[..., Sequence[Any]] = lambda *results: results


@dataclass(frozen=True)
class Routine:
    """A routine: operands for a batch and a type, the results' types, what these satisfy, and its forms."""

    operands: Sequence[Callable[[tuple[int, ...], np.dtype], Sequence[np.ndarray]]]
    results: Callable[..., Sequence[np.ndarray]]
    check: Callable[..., None]
    forms: Sequence[Form]


WORK = np.zeros(7, f32)
ROUTINES: dict[str, Routine] = {}
TARGETS: dict[str, tuple[str, Sequence[np.dtype]]] = {}


def routine(
    name: str, targets: Sequence[str], operands: Any, results: Any, check: Any, *forms: Form, dtypes: Any = None
) -> None:
    """Register a routine's rows: CPU targets have their type's letter in the name."""
    ROUTINES[name] = Routine(operands if isinstance(operands, list) else [operands], results, check, forms)
    for target in targets:
        of_letter = DTYPES.get(target.partition("_")[2][:1]) if target[1:].startswith(("lapack_", "blas_")) else None
        TARGETS[target] = (name, [of_letter] if of_letter else dtypes or list(DTYPES.values()))
        case(target, ref=None)


def is_lower(attributes: Any) -> bool:
    return attributes.get("uplo") == byte("L") or attributes.get("lower", "uplo" not in attributes)


def full(a: np.ndarray, attributes: Any) -> np.ndarray:
    """The Hermitian matrix that a triangle holds."""
    half = np.tril(a, -1) if is_lower(attributes) else np.triu(a, 1)
    return half + adjoint(half) + np.real(a) * np.eye(a.shape[-1], dtype=a.dtype)


UPLO = [
    Form(attributes={"uplo": byte("L")}),
    Form(attributes={"uplo": byte("U")}),
    Form(attributes={"lower": True}),
    Form(attributes={"lower": False}),
]


def definite(batch: tuple[int, ...], d: np.dtype) -> list[np.ndarray]:
    """Positive definite in either triangle, whose matrices are two different ones."""
    n = 4
    return [(matrices((*batch, n, n), d) / 4 + n * np.eye(n)).astype(d)]


def check_potrf(operands: Any, results: Any, attributes: Any) -> None:
    (a,), (factor, info, *_) = operands, results
    factor = np.tril(factor) if is_lower(attributes) else adjoint(np.triu(factor))
    expect_close(factor @ adjoint(factor), full(a, attributes))
    assert not info.any()


routine(
    "potrf",
    [*routines.cpu("potrf"), *routines.gpu("potrf")],
    definite,
    lambda a: [a, zeros(i32, *a.shape[:-2])],
    check_potrf,
    *UPLO,
    Form(flags=[1, 1, 4]),
)


def check_getrf(operands: Any, results: Any, attributes: Any, first: int = 1) -> None:
    (a,), (factors, pivots, *_) = operands, results
    m, n = a.shape[-2:]
    k = min(m, n)
    below = np.tril(factors, -1)[..., :k] + np.eye(m, k, dtype=a.dtype)
    product = below @ np.triu(factors)[..., :k, :]
    for index in np.ndindex(a.shape[:-2]):
        exchanged = a[index].copy()
        for i, j in enumerate(pivots[index] - first):
            exchanged[[i, j]] = exchanged[[j, i]]
        expect_close(product[index], exchanged)


def check_lu(operands: Any, results: Any, attributes: Any) -> None:
    check_getrf(operands, results, attributes, first=0)
    _, pivots, permutation = results
    np.testing.assert_array_equal(permutation, permuted(pivots, permutation.shape[-1]))


def permuted(pivots: np.ndarray, size: int) -> np.ndarray:
    result = np.broadcast_to(np.arange(size, dtype=i32), (*pivots.shape[:-1], size)).copy()
    for index in np.ndindex(pivots.shape[:-1]):
        for i, j in enumerate(pivots[index]):
            if 0 <= j < size:
                result[(*index, i)], result[(*index, j)] = result[(*index, j)], result[(*index, i)]
    return result


def tall(batch: tuple[int, ...], d: np.dtype) -> list[np.ndarray]:
    return [matrices((*batch, 4, 3), d)]


def broad(batch: tuple[int, ...], d: np.dtype) -> list[np.ndarray]:
    return [matrices((*batch, 3, 4), d)]


def square(batch: tuple[int, ...], d: np.dtype) -> list[np.ndarray]:
    return [matrices((*batch, 4, 4), d)]


def lu_results(a: np.ndarray) -> list[np.ndarray]:
    return [a, zeros(i32, *a.shape[:-2], min(a.shape[-2:])), zeros(i32, *a.shape[:-2])]


GETRF = [*routines.cpu("getrf"), *routines.gpu("getrf"), *routines.gpu("getrf_batched", library="blas_")]
OPAQUE = Form(attributes={"backend_config": '"\\00"'}, results=lambda *results: [*results, WORK])
routine("getrf", GETRF, [tall, broad, square], lu_results, check_getrf, Form(), Form(flags=[1, 4, 3]), OPAQUE)
routine(
    "lu",
    ["@LuDecomposition"],
    [tall, broad],
    lambda a: [*lu_results(a)[:2], zeros(i32, *a.shape[:-1])],
    check_lu,
    Form(),
    dtypes=[f32, c64],
)
routine(
    "pivots",
    linalg.PIVOTS,
    lambda batch, d: [np.resize(np.array([3, 1, 99, -1, 3, 2, 2], d), (*batch, 3))],
    lambda pivots: [zeros(i32, *pivots.shape[:-1], 5)],
    lambda operands, results, attributes: np.testing.assert_array_equal(results[0], permuted(operands[0], 5)),
    Form(),
    Form(attributes={"permutation_size": 5}),
    dtypes=[i32],
)


def product(a: np.ndarray, taus: np.ndarray) -> np.ndarray:
    """The product of reflectors 1 - tau·v·v*, whose vectors stand below the diagonal."""
    m, k = a.shape[-2], taus.shape[-1]
    result = np.broadcast_to(np.eye(m, dtype=a.dtype), (*a.shape[:-2], m, m))
    for i in range(k):
        v = np.where(np.arange(m) > i, wide(a)[..., i], 0) + (np.arange(m) == i)
        result = result @ (np.eye(m) - taus[..., i, None, None] * v[..., :, None] * v.conj()[..., None, :])
    return result


def check_geqrf(operands: Any, results: Any, attributes: Any) -> None:
    (a,), (factored, taus, *_) = operands, results
    expect_close((product(factored, taus) @ np.triu(factored)).astype(a.dtype), a)


def check_orgqr(operands: Any, results: Any, attributes: Any) -> None:
    a, taus = operands
    expect_close(results[0], product(a, taus)[..., : a.shape[-1]].astype(a.dtype))


def reflectors(batch: tuple[int, ...], d: np.dtype) -> list[np.ndarray]:
    a = matrices((*batch, 4, 3), d)
    return [a, matrices((*batch, 2), d, 1)]


def vector(a: np.ndarray, length: int) -> np.ndarray:
    return zeros(a.dtype, *a.shape[:-2], length)


def info(a: np.ndarray) -> np.ndarray:
    return zeros(i32, *a.shape[:-2])


TRAILING = [  # with info, and with info and a workspace
    Form(flags=[1, 4, 3, 7], results=lambda *r: [*r, info(r[0])]),
    Form(flags=[1, 4, 3, 7], results=lambda *r: [*r, info(r[0]), WORK]),
]
QR = ["@Qr", *routines.gpu("geqrf_batched", library="blas_")]
routine(
    "geqrf",
    [*routines.cpu("geqrf"), *routines.gpu("geqrf")],
    [tall, broad],
    lambda a: [a, vector(a, 3)],
    check_geqrf,
    Form(),
    *TRAILING,
)
routine("qr", QR, broad, lambda a: [a, vector(a, 3)], check_geqrf, Form(), Form(results=lambda *r: [*r, WORK, WORK]))
ORGQR = [*routines.cpu("orgqr", "ungqr"), *routines.gpu("orgqr"), "@ProductOfElementaryHouseholderReflectors"]
routine("orgqr", ORGQR, reflectors, lambda a, taus: [a], check_orgqr, Form(), *TRAILING)


def check_ormqr(operands: Any, results: Any, attributes: Any) -> None:
    a, taus, c = operands
    q = product(a, taus)
    q = adjoint(q) if attributes["transpose"] else q
    expect_close(results[0], (q @ c if attributes["left"] else c @ q).astype(c.dtype))


routine(
    "ormqr",
    [*routines.cpu("ormqr", "unmqr"), *routines.gpu("ormqr")],
    lambda batch, d: [*reflectors(batch, d), matrices((*batch, 4, 4), d, 2)],
    lambda a, taus, c: [c],
    check_ormqr,
    *(Form(attributes={"left": left, "transpose": t}) for left in (True, False) for t in (True, False)),
)


def check_geqp3(operands: Any, results: Any, attributes: Any) -> None:
    (a, marks), (factored, order, taus, *_) = operands, results
    q, r = product(factored, taus), np.triu(factored)
    expect_close((q @ r).astype(a.dtype), np.take_along_axis(a, order[..., None, :] - 1, -1))
    # The column marked comes first; the others by what is left of them.
    assert (order[..., 0] == 2).all() and marks[..., 1].all()
    sizes = np.abs(np.einsum("...ii->...i", r[..., :3, :]))
    assert (sizes[..., 1] >= sizes[..., 2] * 0.99).all()


routine(
    "geqp3",
    [*routines.cpu("geqp3"), *(f"@{h}geqp3" for h in routines.HYBRID)],
    lambda batch, d: [matrices((*batch, 4, 3), d), np.broadcast_to(np.array([0, 1, 0], i32), (*batch, 3)).copy()],
    lambda a, marks: [a, marks, vector(a, 3)],
    check_geqp3,
    Form(),
    Form(attributes={"magma": '"auto"'}),
    *TRAILING,
)


def check_trsm(operands: Any, results: Any, attributes: Any) -> None:
    a, b, *scale = (x for x in operands if x.ndim or x.dtype.kind != "i")
    letters = {n: chr(int(v.split()[0])) for n, v in attributes.items()} or dict(zip(ORDER, "LLTN"))
    x = np.tril(a) if letters["uplo"] == "L" else np.triu(a)
    if letters["diag"] == "U":
        x = x - x * np.eye(x.shape[-1]) + np.eye(x.shape[-1])
    x = {"N": x, "T": x.swapaxes(-1, -2), "C": adjoint(x)}[letters["trans_x"]]
    given = (x @ results[0] if letters["side"] == "L" else results[0] @ x).astype(b.dtype)
    expect_close(given, b * (scale[0] if scale else 1))


ORDER = ("side", "uplo", "trans_x", "diag")
BITS = [(side, uplo, trans, diag) for side in "LR" for uplo in "LU" for trans in "NTC" for diag in "UN"]
TRSM = [Form(attributes={n: byte(v) for n, v in zip(ORDER, letters)}) for letters in BITS]
TRSM_TARGETS = [*routines.cpu("trsm"), *routines.cpu("trsm", library="blas")]


def systems(batch: tuple[int, ...], d: np.dtype) -> list[np.ndarray]:
    return [*definite(batch, d), matrices((*batch, 4, 4), d, 1)]


routine("trsm", TRSM_TARGETS, systems, lambda a, b: [b], check_trsm, *TRSM)


# ---------------------------------------------------------------- singular values, eigenvalues


def real_vector(a: np.ndarray, length: int) -> np.ndarray:
    return zeros(real(a.dtype), *a.shape[:-2], length)


def matrix(a: np.ndarray, m: int, n: int) -> np.ndarray:
    return zeros(a.dtype, *a.shape[:-2], m, n)


def is_orthonormal(q: np.ndarray) -> None:
    expect_close(
        adjoint(q) @ q, np.broadcast_to(np.eye(q.shape[-1], dtype=q.dtype), (*q.shape[:-2], *q.shape[-1:] * 2))
    )


def check_singular_values(a: np.ndarray, s: np.ndarray, u: np.ndarray, vt: np.ndarray) -> None:
    expect_close(s, np.linalg.svd(wide(a), compute_uv=False).astype(s.dtype))
    is_orthonormal(u)
    is_orthonormal(adjoint(vt))
    k = s.shape[-1]
    expect_close((u[..., :k] * s[..., None, :] @ vt[..., :k, :]).astype(a.dtype), a)


def check_gesdd(operands: Any, results: Any, attributes: Any) -> None:
    _, s, u, vt, info, *_ = results
    a = next(x for x in operands if x.ndim >= 2)
    assert not info.any()
    if attributes.get("mode") == byte("N"):
        expect_close(s, np.linalg.svd(wide(a), compute_uv=False).astype(s.dtype))
    else:
        check_singular_values(a, s, u, vt)


def svd_results(full: bool) -> Callable[..., list[np.ndarray]]:
    def results(a: np.ndarray) -> list[np.ndarray]:
        (m, n), k = a.shape[-2:], min(a.shape[-2:])
        return [a, real_vector(a, k), matrix(a, m, m if full else k), matrix(a, n if full else k, n), info(a)]

    return results


def economical(*results: np.ndarray) -> list[np.ndarray]:
    return svd_results(False)(results[0])


GESDD = [
    Form(attributes={"mode": byte("A")}),
    Form(attributes={"mode": byte("S")}, results=economical),
    Form(attributes={"mode": byte("N")}, results=economical),
]
OLD_GESDD = [
    Form(flags=[1, 1, 2, 4, 3, 9], results=lambda *r: [*r, WORK, WORK, WORK]),
    Form(flags=[0, 1, 2, 4, 3, 9], results=lambda *r: [*economical(*r), WORK, WORK]),
]
routine("gesdd", routines.cpu("gesdd"), [tall, broad], svd_results(True), check_gesdd, *GESDD, *OLD_GESDD)
routine("gesvd", routines.cpu("gesvd"), [tall, broad], svd_results(True), check_gesdd, *GESDD)


def check_gesvd(operands: Any, results: Any, attributes: Any) -> None:
    (a,), (_, s, u, vt, info, *_) = operands, results
    if attributes.get("transposed", a.shape[-2] < a.shape[-1]):
        u, vt = vt, u
    assert not info.any()
    if u.ndim == a.ndim:
        check_singular_values(a, s, u, vt)
    else:
        expect_close(s, np.linalg.svd(wide(a), compute_uv=False).astype(s.dtype))


def exchanged(*results: np.ndarray) -> list[np.ndarray]:
    a, s, u, vt, info, *rest = results
    return [a, s, vt, u, info, *rest]


def without_vectors(*results: np.ndarray) -> list[np.ndarray]:
    a, s, _, _, info = results
    return [a, s, zeros(a.dtype), zeros(a.dtype), info]


def gpu_svd(full: bool, transposed: bool) -> Form:
    attributes = {"full_matrices": full, "compute_uv": True, "transposed": transposed}

    def results(*found: np.ndarray) -> list[np.ndarray]:
        found = found if full else tuple(economical(*found))
        return exchanged(*found) if transposed else list(found)

    return Form(attributes=attributes, results=results)


def old_gesvd(*results: np.ndarray) -> list[np.ndarray]:
    return [*(exchanged(*results) if results[0].shape[-2] < results[0].shape[-1] else results), WORK]


routine(
    "gesvd on GPU",
    routines.gpu("gesvd", "gesdd"),
    [tall, broad],
    svd_results(True),
    check_gesvd,
    *(gpu_svd(full, transposed) for full in (True, False) for transposed in (True, False)),
    Form(attributes={"full_matrices": False, "compute_uv": False, "transposed": False}, results=without_vectors),
    Form(attributes={"backend_config": '"\\00"'}, results=old_gesvd),
)


def check_gesvdj(operands: Any, results: Any, attributes: Any) -> None:
    (a,), (_, s, u, v, _, *_) = operands, results
    if attributes.get("compute_uv", True):
        check_singular_values(a, s, u, adjoint(v))
    else:
        expect_close(s, np.linalg.svd(wide(a), compute_uv=False).astype(s.dtype))


def in_columns(*results: np.ndarray) -> list[np.ndarray]:
    a, s, u, vt, info = results
    return [a, s, u, vt.swapaxes(-1, -2), info]


GESVDJ = [
    Form(attributes={"full_matrices": True, "compute_uv": True}, results=in_columns),
    Form(attributes={"full_matrices": False, "compute_uv": True}, results=lambda *r: in_columns(*economical(*r))),
    Form(attributes={"full_matrices": True, "compute_uv": False}, results=in_columns),
    Form(attributes={"backend_config": '"\\00"'}, results=lambda *r: [*in_columns(*r), WORK]),
]
routine("gesvdj", routines.gpu("gesvdj", "gesvdp"), [tall, broad], svd_results(True), check_gesvdj, *GESVDJ)


def eigh_results(a: np.ndarray) -> list[np.ndarray]:
    return [a, real_vector(a, a.shape[-1]), info(a)]


def check_eigh(operands: Any, results: Any, attributes: Any) -> None:
    a = next(x for x in operands if x.ndim >= 2)
    (v, w, *rest) = results
    whole = full(a, {"lower": is_lower(attributes) and not str(attributes.get("backend_config")).endswith(UPPER)})
    expect_close(w, np.linalg.eigvalsh(wide(whole)).astype(w.dtype))
    if attributes.get("mode") != byte("N"):
        is_orthonormal(v)
        expect_close(((v * w[..., None, :]) @ adjoint(v)).astype(a.dtype), whole)
    assert not rest or not rest[0].any()


def descriptor(fill: int) -> Form:
    """The number of a type, and that of a triangle."""
    return Form(attributes={"backend_config": f'"\\00\\00\\00\\00\\{fill:02X}\\00\\00\\00"'}, results=with_work)


def with_work(*results: np.ndarray) -> list[np.ndarray]:
    return [*results, WORK]


UPPER = ('\\01\\00\\00\\00"', '\\79\\00\\00\\00"')
SYEVD = [
    *(Form(attributes={"mode": byte("V"), **form.attributes}) for form in UPLO),
    Form(attributes={"mode": byte("N"), "uplo": byte("L")}),
    Form(attributes={"lower": False, "algorithm": "2 : ui8"}),
    Form(flags=[1, 2, 4], results=with_work),
    *(descriptor(fill) for fill in (0, 1, 121, 122)),
]
SYEVD_TARGETS = [*routines.cpu("syevd", "heevd"), *routines.gpu("syevd", "syevj")]
routine("syevd", SYEVD_TARGETS, square, eigh_results, check_eigh, *SYEVD)
routine(
    "eigh",
    ["@Eigh"],
    square,
    lambda a: eigh_results(a)[:2],
    check_eigh,
    Form(attributes={"backend_config": '"1,1,100,1e-6"'}),
)


def complex_of(dtype: np.dtype) -> np.dtype:
    return np.result_type(dtype, c64)


def eig_results(a: np.ndarray) -> list[np.ndarray]:
    n, vectors = a.shape[-1], a.astype(complex_of(a.dtype))
    return [*[vector(a, n)] * (1 if a.dtype.kind == "c" else 2), vectors, vectors, info(a)]


def check_vectors(a: np.ndarray, w: np.ndarray, vl: np.ndarray | None, vr: np.ndarray | None) -> None:
    if vr is not None:
        expect_close(a @ vr, vr * w[..., None, :])
    if vl is not None:
        expect_close(adjoint(vl) @ a, w[..., :, None] * adjoint(vl))
    assert np.abs(np.sort_complex(w) - np.sort_complex(np.linalg.eigvals(a).astype(w.dtype))).max(initial=0) < 1e-4


def check_geev(operands: Any, results: Any, attributes: Any) -> None:
    a = next(x for x in operands if x.ndim >= 2)
    count = 1 if a.dtype.kind == "c" else 2
    values, (vl, vr, info) = results[-count - 3 : -3], results[-3:]
    w = values[0] if count == 1 else values[0] + 1j * values[1]
    left = attributes.get("compute_left", byte("V")) == byte("V") and attributes.get("left", True)
    right = attributes.get("compute_right", byte("V")) == byte("V") and attributes.get("right", True)
    check_vectors(a, w, vl if left else None, vr if right else None)
    assert not info.any()


GEEV = [
    *(Form(attributes={"compute_left": byte(x), "compute_right": byte(y)}) for x in "VN" for y in "VN"),
    *(Form(attributes={"left": x, "right": True}) for x in (True, False)),
    Form(flags=[2, 4, ord("V"), ord("V")], results=lambda *r: [WORK, WORK, *r]),
]
routine("geev", [*routines.cpu("geev"), *eigen.EIG], square, eig_results, check_geev, *GEEV)


def check_geev_on_gpu(operands: Any, results: Any, attributes: Any) -> None:
    (a,), (_, w, _, vr, info) = operands, results
    if a.dtype.kind == "c":
        return check_vectors(a, w, None, vr)
    # Of a pair of conjugates the vectors' halves stand side by side.
    halves = np.where(w.imag[..., None, :] > 0, vr + 1j * np.roll(vr, -1, -1), np.roll(vr, 1, -1) - 1j * vr)
    check_vectors(a, w, None, np.where(w.imag[..., None, :] == 0, vr, halves))
    assert not info.any()


routine(
    "geev on GPU",
    routines.gpu("geev"),
    square,
    lambda a: [a, vector(a, 4).astype(complex_of(a.dtype)), a, a, info(a)],
    check_geev_on_gpu,
    Form(attributes={"left": True, "right": True}),
)


def check_gees(operands: Any, results: Any, attributes: Any) -> None:
    a = next(x for x in operands if x.ndim >= 2)
    form, *rest = results
    vectors = next(x for x in rest if x.shape == a.shape and x.dtype == a.dtype)
    if attributes.get("mode") != byte("N"):
        is_orthonormal(vectors)
        expect_close((vectors @ form @ adjoint(vectors)).astype(a.dtype), a)
    # A real form has blocks of two for pairs of conjugates.
    assert not np.tril(form, -1 if a.dtype.kind == "c" else -2).any()
    values = [x for x in rest if x.shape == a.shape[:-1] and x.dtype == a.dtype]
    w = values[0] if len(values) == 1 else values[0] + 1j * values[1]
    expect_close(np.sort_complex(w), np.sort_complex(np.linalg.eigvals(form)).astype(w.dtype))
    assert not any(x.any() for x in rest if x.dtype == i32)


def gees_results(a: np.ndarray) -> list[np.ndarray]:
    return [a, a, *eig_results(a)[:-3], info(a), info(a)]


def vectors_later(*results: np.ndarray) -> list[np.ndarray]:
    form, vectors, *values, selected, info = results
    return [form, *values, vectors, selected, info]


def gees_before(*results: np.ndarray) -> list[np.ndarray]:
    form, *rest = vectors_later(*results)
    return [form, *([zeros(real(form.dtype), 4)] if form.dtype.kind == "c" else []), *rest]


GEES = [
    Form(attributes={"mode": byte("V"), "sort": byte("N")}),
    Form(attributes={"mode": byte("N"), "sort": byte("N")}),
    Form(attributes={"mode": byte("V"), "sort": byte("N")}, results=vectors_later),
    Form(flags=[2, 4, ord("V"), ord("N")], results=gees_before),
]
routine("gees", routines.cpu("gees"), square, gees_results, check_gees, *GEES)


# ---------------------------------------------------------------- Hessenberg, tridiagonal


def check_gehrd(operands: Any, results: Any, attributes: Any) -> None:
    a = next(x for x in operands if x.ndim >= 2)
    form, taus, info, *_ = results
    q = wide(np.zeros(a.shape, a.dtype))
    q[..., 0, 0] = 1
    q[..., 1:, 1:] = product(form[..., 1:, :-1], taus)
    expect_close((q @ np.triu(form, -1) @ adjoint(q)).astype(a.dtype), a)
    assert not info.any()


GEHRD = [Form(attributes={"low": "1 : i32", "high": "4 : i32"}), Form(flags=[4, 1, 4, 4, 2, 9], results=with_work)]
routine("gehrd", routines.cpu("gehrd"), square, lambda a: [a, vector(a, 3), info(a)], check_gehrd, *GEHRD)


def check_sytrd(operands: Any, results: Any, attributes: Any) -> None:
    a = next(x for x in operands if x.ndim >= 2)
    form, d, e, taus, info, *_ = results
    t = np.zeros(a.shape, a.dtype)
    for i in range(4):
        t[..., i, i] = d[..., i]
    for i in range(3):
        t[..., i, i + 1] = t[..., i + 1, i] = e[..., i]
    lower = is_lower(attributes) and not str(attributes.get("backend_config")).endswith(UPPER)
    expect_close(np.linalg.eigvalsh(t), np.linalg.eigvalsh(full(a, {"lower": lower})))
    np.testing.assert_array_equal(np.real(np.einsum("...ii->...i", form)), d)
    if lower:
        q = wide(np.zeros(a.shape, a.dtype))
        q[..., 0, 0] = 1
        q[..., 1:, 1:] = product(form[..., 1:, :-1], taus)
        expect_close((q @ t @ adjoint(q)).astype(a.dtype), full(a, {"lower": True}))
    assert not info.any()


SYTRD = [*UPLO, Form(flags=[4, 1, 4, 2, 9], results=with_work), *(descriptor(fill) for fill in (0, 121))]
SYTRD_TARGETS = [*routines.cpu("sytrd", "hetrd"), *routines.gpu("sytrd")]


def sytrd_results(a: np.ndarray) -> list[np.ndarray]:
    return [a, real_vector(a, 4), real_vector(a, 3), vector(a, 3), info(a)]


routine("sytrd", SYTRD_TARGETS, square, sytrd_results, check_sytrd, *SYTRD)


def tridiagonal(batch: tuple[int, ...], d: np.dtype) -> list[np.ndarray]:
    """The first number below, and the last above, are not used."""
    rows = [matrices((*batch, 5), d, seed) for seed in range(3)]
    return [*rows, matrices((*batch, 5, 2), d, 3)]


def check_solution(operands: Any, x: np.ndarray) -> None:
    dl, d, du, b = operands
    product = d[..., None] * x
    product[..., 1:, :] += dl[..., 1:, None] * x[..., :-1, :]
    product[..., :-1, :] += du[..., :-1, None] * x[..., 1:, :]
    expect_close(product, b)


def check_gtsv(operands: Any, results: Any, attributes: Any) -> None:
    *_, x, info = results
    check_solution(operands, x)
    assert not info.any()


routine("gtsv", routines.cpu("gtsv"), tridiagonal, lambda dl, d, du, b: [dl, d, du, b, info(b)], check_gtsv, Form())
GTSV2 = routines.gpu("gtsv2", "gtsv2_f32", "gtsv2_f64", library="sparse_")
routine(
    "gtsv2",
    [*GTSV2, *eigen.PERTURBED],
    tridiagonal,
    lambda dl, d, du, b: [b],
    lambda operands, results, attributes: check_solution(operands, results[0]),
    Form(),
)


# ---------------------------------------------------------------- products, updates


def check_syrk(operands: Any, results: Any, attributes: Any) -> None:
    a, c, alpha, beta = operands
    at = a.swapaxes(-1, -2)
    product = at @ a if attributes["transpose"] else a @ at
    expect_close(np.tril(results[0]), np.tril(alpha * product + beta * c))


routine(
    "syrk",
    routines.gpu("syrk"),
    lambda batch, d: [*square(batch, d), *square(batch, d), np.array(2, d), np.array(0.5, d)],
    lambda a, c, alpha, beta: [c],
    check_syrk,
    *(Form(attributes={"transpose": t}) for t in (True, False)),
    dtypes=[f32, f64],
)


def check_update(operands: Any, results: Any, attributes: Any) -> None:
    r, w = operands
    expect_close(results[0].T @ results[0], r.T @ r + np.outer(w, w))
    assert not np.tril(results[0], -1).any()


routine(
    "cholesky_update",
    ["@cu_cholesky_update", "@cu_cholesky_update_ffi"],
    lambda batch, d: [np.triu(matrices((4, 4), d)), matrices((4,), d, 1)],
    lambda r, w: [r, w],
    check_update,
    Form(),
    dtypes=[f32, f64],
)


def calls() -> Iterator[Any]:
    """Targets with types. Libraries' names of a routine have one rule: everybody runs one name with one type, CI each
    type once and every third name."""
    tested = set()
    for number, (target, (name, dtypes)) in enumerate(TARGETS.items()):
        one = dtypes[number % len(dtypes)]
        new = {d for d in dtypes if (name, d) not in tested}
        sample = new or {one} & {*dtypes[number % 3 :]}
        tested |= {(name, d) for d in sample}
        for d in dtypes:
            mark = (
                pytest.mark.night if d not in sample else pytest.mark.ci if d != one or len(new) < len(dtypes) else ()
            )
            yield pytest.param(target, d, marks=mark)


@pytest.mark.sampled(9, ci=3)
@pytest.mark.parametrize(("target", "dtype"), calls(), ids=str)
def test_custom_call(target: str, dtype: np.dtype) -> None:
    entry = ROUTINES[TARGETS[target][0]]
    calls, results, operands = [], [], []
    for operands_of in entry.operands:
        for batch in ((), (2,)):
            given = operands_of(batch, dtype)
            for form in entry.forms:
                operands.append(given)
                calls.append(Call([*(np.array(flag, i32) for flag in form.flags), *given], form.attributes))
                results.append(form.results(*entry.results(*given)))
    for given, each, found in zip(operands, calls, run_together(target, calls, results), strict=True):
        entry.check(given, found, each.attributes)


def test_each_target_has_a_routine() -> None:
    modules = linalg.__name__, eigen.__name__
    ours = {name for name, found in RULES.items() if found.function.__module__ in modules}
    assert ours == {*TARGETS, "stablehlo.cholesky", "stablehlo.triangular_solve"}


# ---------------------------------------------------------------- the code beside numpy


# What a number of rows, columns or items (6) becomes: nothing, one, few, and more than tiles of a transposition.
SIZES = [
    {2: 0, 3: 0, 4: 0, 5: 0, 6: 2, 7: 7},
    {2: 0, 3: 0, 4: 1, 5: 2, 6: 2, 7: 7},
    {2: 1, 3: 1, 4: 2, 5: 3, 6: 1, 7: 7},
    {2: 2, 3: 3, 4: 4, 5: 5, 6: 2, 7: 7},
    {2: 65, 3: 69, 4: 70, 5: 71, 6: 3, 7: 7},
]
NUMPY_ONLY = {"@cu_cholesky_update", "@cu_cholesky_update_ffi", *eigen.PERTURBED}


def resized(x: np.ndarray, sizes: dict[int, int]) -> np.ndarray:
    return np.resize(x, [sizes[n] for n in x.shape])


def with_constants(text: str, forms: Sequence[Form], sizes: dict[int, int]) -> str:
    """Call i with the flags of form i as constants before its operands."""
    lines = text.splitlines()
    for i, form in enumerate(forms):
        flags = [sizes[f] if f == 4 else f for f in form.flags]
        names = [f"%f{i}_{j}" for j in range(len(flags))]
        types = ["tensor<i32>"] * len(flags)
        declared = [
            f'  {name} = "stablehlo.constant"() <{{value = dense<{flag}> : tensor<i32>}}> : () -> tensor<i32>\n'
            for name, flag in zip(names, flags)
        ]
        call = lines[i + 3].replace("(%x", f"({', '.join([*names, '%x'])}", 1)
        call = "(".join([*call.split("(")[:-2], ", ".join([*types, call.split("(")[-2]]), call.split("(")[-1]])
        lines[i + 3] = "".join([*declared, call])
    return "\n".join(lines)


@pytest.mark.sampled(20, ci=10)
@pytest.mark.parametrize("number", range(len(SIZES)))
@pytest.mark.parametrize("name", ROUTINES)
def test_code_gives_what_numpy_gives(name: str, number: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Also for empty matrices, for numbers that are not finite, and when threads share few items."""
    monkeypatch.setattr(lapack, "LEAST_OPERATIONS", 0)
    monkeypatch.setattr(lapack, "LARGE_SPACE", 100 * number)
    entry, sizes, rng = ROUTINES[name], SIZES[number], np.random.default_rng(number)
    target, dtypes = pick(rng, [(t, d) for t, (routine, d) in TARGETS.items() if routine == name])
    operands_of = pick(rng, entry.operands)
    dtype = pick(rng, dtypes)
    given = operands_of((6,) if name != "cholesky_update" else (), dtype)
    declared = entry.results(*given)
    forms = [f for f in entry.forms if f.results is not old_gesvd or sizes[4] > sizes[3]]
    calls, results = [], []
    for form in forms:
        strange = [any_array(rng, as_tensor(tensor_type(resized(x, sizes)))) for x in given]
        attributes = {n: sizes[v] if n == "permutation_size" else v for n, v in form.attributes.items()}
        if "high" in attributes:
            attributes["high"] = f"{sizes[4]} : i32"
        calls.append(Call(strange, attributes))
        results.append([type_of(resized(r, sizes)) for r in form.results(*declared)])
    text = with_constants(module_text(target, calls, results), forms, sizes)
    arrays = [x for call in calls for x in call.operands]
    program = Program(hlo2tiny.parse(text), "CPU")
    steps = Counter(type(step).__name__ for step in program.plan.main.steps)
    assert steps["Host" if target in NUMPY_ONLY else "Lapack"] == len(calls), text
    found = program.numpy(*arrays)
    with monkeypatch.context() as patch:
        patch.setenv("HLO2TINY_EXECUTOR", "tinygrad")
        expected = Program(hlo2tiny.parse(text), "CPU").numpy(*arrays)
    for f, e in zip(found, expected, strict=True):
        np.testing.assert_array_equal(f, e, err_msg=text)


def tensor_type(x: np.ndarray) -> TensorType:
    (value,) = hlo2tiny.parse(f"func.func @main(%x: {type_of(x)}) {{ return }}").functions["main"].body.arguments
    return as_tensor(value.type)


# ---------------------------------------------------------------- files that lie


TYPES = ("f32", "f64", "bf16", "i32", "i8", "ui64", "i1")
ELEMENTS = [*map(ScalarType, TYPES), ComplexType(ScalarType("f32")), ComplexType(ScalarType("f64"))]
I64, SCALAR = ScalarType("i64"), TensorType((), ScalarType("i32"))
ATTRIBUTES = [
    *(IntegerAttr(n, I64) for n in (-1, 0, 1, 2, 4, 5, 78, 84, 86, 300, 2**40)),
    *(BoolAttr(True), FloatAttr(0.5, ScalarType("f64")), DialectAttr("stablehlo", "x", {"a": 1})),
    *(StringAttr(text) for text in ("L", "NO", "é", "1,0", "1", "\0\0\0\0\x01\0\0\0", "\0\0\0\0\x09\0\0\0")),
    DenseAttr(TensorType((2,), I64), np.array([76, 76])),
]


def pick(rng: np.random.Generator, items: Sequence[Any]) -> Any:
    return items[rng.integers(len(items))]


def wrong_type(rng: np.random.Generator, type: TensorType) -> TensorType:
    """Another size, rank or element."""
    shape, at = list(type.shape), int(rng.integers(len(type.shape) + 1))
    match rng.integers(5):
        case 0:
            return replace(type, element=pick(rng, ELEMENTS))
        case 1:
            shape.insert(at, pick(rng, (0, 1, 2)))
        case 2:
            del shape[at : at + 1]
        case _:
            shape[at : at + 1] = [pick(rng, (0, 1, 2, 3, 4, 5, 9))] * (at < len(shape))
    return replace(type, shape=tuple(shape))


def wrong_values(rng: np.random.Generator, values: Sequence[Value]) -> tuple[Value, ...]:
    """A value of another type, or one more, one less, one in another's place."""
    types, at = [v.type for v in values], int(rng.integers(len(values)))
    match rng.integers(8):
        case 0:
            del types[at]
        case 1:
            types.insert(at, pick(rng, [*types, SCALAR]))
        case 2:
            types[at] = pick(rng, types)
        case _:
            types[at] = wrong_type(rng, as_tensor(types[at]))
    return tuple(Value("", type) for type in types)


def wrong_op(rng: np.random.Generator, op: Op) -> Op:
    match rng.integers(3):
        case 0 if op.operands:
            return replace(op, operands=wrong_values(rng, op.operands))
        case 1 if op.results:
            return replace(op, results=wrong_values(rng, op.results))
    attributes = dict(attributes_of(op))
    name = pick(rng, [*attributes, "backend_config"])
    attributes[name] = pick(rng, ATTRIBUTES)
    if rng.integers(4) == 0:
        del attributes[name]
    if target := op.attributes.get("call_target_name"):
        attributes = {"call_target_name": target, "mhlo.backend_config": DictAttr(attributes)}
    return replace(op, attributes=attributes)


def any_array(rng: np.random.Generator, type: Any) -> np.ndarray:
    dtype, shape = numpy_dtype(type.element), static_shape(type)
    if type == SCALAR or dtype.kind not in "fcV":
        return rng.integers(-1, 100 if rng.integers(2) else 5, shape).astype(dtype)
    x = matrices(shape, dtype if dtype.kind == "c" else f64, int(rng.integers(2**30)))
    strange = rng.random(shape) < pick(rng, (0, 0, 0.1, 1))
    return np.where(strange, pick(rng, (0, np.nan, np.inf, -np.inf, 1e-320, 1e300)), x).astype(dtype)


def given_op(target: str, form: Form, operands: Sequence[np.ndarray], results: Sequence[np.ndarray]) -> Op:
    given = [*(np.array(flag, i32) for flag in form.flags), *operands]
    text = module_text(target, [Call(given, form.attributes)], [[type_of(r) for r in form.results(*results)]])
    return next(op for op in hlo2tiny.parse(text).walk() if op.name != "func.return")


@pytest.mark.parametrize("name", [*ROUTINES, "stablehlo.cholesky", "stablehlo.triangular_solve"])
def test_wrong_calls_are_refused(name: str) -> None:
    """A file may ask for anything: the answer is an error, or results of the types that it declares."""
    rng = np.random.default_rng(1)
    if name in ROUTINES:
        entry = ROUTINES[name]
        target, dtypes = pick(rng, [(t, d) for t, (routine, d) in TARGETS.items() if routine == name])
        batches = [operands_of(batch, dtypes[-1]) for operands_of in entry.operands for batch in ((), (2,))]
        ops = [given_op(target, form, given, entry.results(*given)) for form in entry.forms for given in batches]
    else:
        ops = [given_op(name, Form(attributes=c.attributes), c.operands, c.operands[-1:]) for c in CASES[name].examples]
    refused = 0
    for _ in range(WRONG_CALLS):
        op = pick(rng, ops)
        for _ in range(rng.integers(3)):
            op = wrong_op(rng, op)
        if schema_problem(op):
            continue
        arrays = [any_array(rng, as_tensor(operand.type)) for operand in op.operands]
        try:
            results = apply_host(op, arrays)
        except hlo2tiny.Error as error:
            assert error.message and error.line
            refused += 1
            continue
        for found, declared in zip(results, op.results, strict=True):
            type = as_tensor(declared.type)
            assert (found.shape, found.dtype) == (static_shape(type), numpy_dtype(type.element))
    assert refused > WRONG_CALLS / 20


WRONG_CALLS = int(os.environ.get("WRONG_CALLS", 300))
