from __future__ import annotations

from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from jax import lax

from derivatives.vjp import check, normal
from hlo2tiny import parse

MATRIX = normal(4, 4) + 4 * np.eye(4, dtype=np.float32)
SYMMETRIC = MATRIX @ MATRIX.T
COMPLEX = normal(2, 4, 4, dtype=np.complex64) + 4 * np.eye(4, dtype=np.complex64)


FACTORS = {
    "lower": (jnp.linalg.cholesky, SYMMETRIC, 1e-4),
    "upper": (lambda a: jnp.linalg.cholesky(a, upper=True), SYMMETRIC, 1e-4),
    "complex": (lambda a: jnp.linalg.cholesky(a @ a.conj().swapaxes(-1, -2)), COMPLEX, 1e-3),
}


@pytest.mark.sampled(3)
@pytest.mark.parametrize("which", FACTORS)
def test_cholesky(which: str) -> None:
    function, a, tolerance = FACTORS[which]
    check(function, a, tolerance=tolerance)


@pytest.mark.parametrize("how", [{"lower": True}, {}, {"trans": 1}, {"trans": "C", "unit_diagonal": True}], ids=str)
def test_triangular_solve(how: dict[str, Any]) -> None:
    check(lambda a, b: jax.scipy.linalg.solve_triangular(a, b, **how), MATRIX, normal(4, 2), tolerance=1e-4)
    matrix = COMPLEX[0]
    check(
        lambda a, b: jax.scipy.linalg.solve_triangular(a, b, **how),
        matrix,
        normal(4, 2, dtype=np.complex64),
        tolerance=1e-4,
    )


def test_solve_and_determinant() -> None:
    check(jnp.linalg.solve, MATRIX, normal(4, 2), tolerance=1e-4)
    check(lambda a: (jnp.linalg.slogdet(a), jnp.linalg.det(a) / 100), MATRIX[::-1].copy(), tolerance=1e-4)


@pytest.mark.ci  # a solution for the identity
def test_inverse() -> None:
    check(jnp.linalg.inv, np.stack([MATRIX, MATRIX.T]), tolerance=1e-4)


def test_eigenvalues_and_eigenvectors() -> None:
    check(lambda a: jnp.linalg.eigvalsh(a), SYMMETRIC, tolerance=1e-4)
    check(lambda a: (lambda w, v: (w, jnp.abs(v)))(*jnp.linalg.eigh(a)), SYMMETRIC / 10, tolerance=1e-3)


def test_orthogonal_factors() -> None:
    check(jnp.linalg.qr, normal(5, 3), tolerance=1e-4)


@pytest.mark.ci
def test_orthogonal_factors_of_batches_of_complex_matrices_and_one_of_them() -> None:
    check(jnp.linalg.qr, np.stack([MATRIX, MATRIX.T]), tolerance=1e-4)
    check(lambda a: jnp.linalg.qr(a)[1], normal(5, 3), tolerance=1e-4)
    check(lambda a: jnp.linalg.qr(a)[0] * 2, COMPLEX[0], tolerance=1e-3)


@pytest.mark.sampled(4, ci=2)
@pytest.mark.parametrize("shape", [(4, 4), (5, 3), (3, 5), (2, 4, 3)])
def test_singular_values_and_vectors(shape: tuple[int, ...]) -> None:
    a = normal(*shape)
    check(lambda a: jnp.linalg.svd(a, compute_uv=False), a, tolerance=1e-4)
    check(lambda a: [jnp.abs(x) for x in jnp.linalg.svd(a, full_matrices=False)], a, tolerance=2e-3)
    check(jnp.linalg.pinv, a, tolerance=2e-3)


def test_singular_values_of_complex_matrices() -> None:
    check(lambda a: jnp.linalg.svd(a, compute_uv=False), COMPLEX, tolerance=1e-3)


def test_the_ops_of_stablehlo() -> None:
    """JAX writes LAPACK calls on the CPU, and these ops elsewhere."""
    t, b = "tensor<4x4xf32>", "tensor<4x2xf32>"
    text = f"""func.func @main(%a: {t}, %b: {b}) -> {b} {{
      %l = "stablehlo.cholesky"(%a) {{lower = false}} : ({t}) -> {t}
      %x = "stablehlo.triangular_solve"(%l, %b) {{left_side = true, lower = false, unit_diagonal = false,
        transpose_a = #stablehlo<transpose TRANSPOSE>}} : ({t}, {b}) -> {b}
      return %x : {b}
    }}"""

    def function(a: Any, b: Any) -> Any:
        return lax.linalg.triangular_solve(jnp.linalg.cholesky(a, upper=True), b, left_side=True, transpose_a=True)

    check(function, SYMMETRIC, normal(4, 2), tolerance=1e-4, forward=parse(text))


@pytest.mark.parametrize("which", ["training", "inference"])
def test_batch_norm(which: str) -> None:
    t, f = "tensor<3x5x4xf32>", "tensor<4xf32>"
    own, results = ("", f"({t}, {f}, {f})") if which == "training" else (", %m, %v", t)
    operands = ", ".join([t, f, f] + ([f, f] if own else []))
    names = "%y, %n, %w" if which == "training" else "%y"
    text = f"""func.func @main(%x: {t}, %s: {f}, %o: {f}{f", %m: {f}, %v: {f}" if own else ""}) -> {results} {{
      {"%y, %n, %w" if not own else "%y"} = "stablehlo.batch_norm_{which}"(%x, %s, %o{own}) {{epsilon = 0.01 : f32,
        feature_index = 2 : i64}} : ({operands}) -> {results}
      return {names} : {results.strip("()")}
    }}"""

    def function(x: Any, scale: Any, offset: Any, *given: Any) -> Any:
        mean, variance = given or (x.mean((0, 1)), x.var((0, 1)))
        y = (x - mean) * lax.rsqrt(variance + 0.01) * scale + offset
        return y if given else (y, mean, variance)

    given = [normal(4), np.abs(normal(4)) + 0.5] if own else []
    check(function, normal(3, 5, 4), normal(4), normal(4), *given, tolerance=1e-4, forward=parse(text))
