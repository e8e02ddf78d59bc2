"""Derivatives of factorisations and normalisations."""

from __future__ import annotations

from collections.abc import Sequence

from ..ir import DialectAttr, TensorType
from .tape import Contribution, Pullback, derivative
from .terms import I32, Term

# ---------------------------------------------------------------- matrices, along the last two dimensions


def turned(x: Term) -> Term:
    """The conjugate transpose."""
    rank = len(x.shape)
    return x.transpose([*range(rank - 2), rank - 1, rank - 2]).conj()


def matmul(a: Term, b: Term) -> Term:
    rank = len(a.shape)
    batch = list(range(rank - 2))
    fields = {
        "lhs_batching_dimensions": batch,
        "rhs_batching_dimensions": batch,
        "lhs_contracting_dimensions": [rank - 1],
        "rhs_contracting_dimensions": [rank - 2],
    }
    type = TensorType((*a.shape[:-1], b.shape[-1]), a.element)
    numbers = DialectAttr("stablehlo", "dot", fields)
    return a.builder.one("stablehlo.dot_general", (a, b), type, dot_dimension_numbers=numbers)


def triangle(x: Term, lower: bool, diagonal: float = 1) -> Term:
    """A triangle of square matrices with the diagonal times a number; zeros elsewhere."""
    rank = len(x.shape)
    rows, columns = (x.builder.iota(x.shape, rank - i, I32) for i in (2, 1))
    inner = rows.compare("GT" if lower else "LT", columns)
    on = rows.compare("EQ", columns)
    return inner.where(x, on.where(x * diagonal, 0))


def solved(a: Term, b: Term, left: bool, lower: bool, unit: bool, transposed: str) -> Term:
    how = DialectAttr("stablehlo", "transpose", {}, transposed)
    flags = {"left_side": left, "lower": lower, "unit_diagonal": unit, "transpose_a": how}
    return a.builder.op("stablehlo.triangular_solve", (a, b), [b.type], (), flags)[0]


@derivative("stablehlo.triangular_solve")
def triangular_solve(op: Pullback) -> Sequence[Contribution]:
    (a, _), (x,), (ct,) = op.inputs, op.outputs, op.cotangents
    left, lower, unit = (bool(op.attribute(name)) for name in ("left_side", "lower", "unit_diagonal"))
    transposed = str(op.attribute("transpose_a", "NO_TRANSPOSE"))
    matrix = a
    if transposed == "TRANSPOSE":
        # Of the conjugate matrix, that is the adjoint.
        matrix, transposed = a.conj(), "ADJOINT"
    other = "ADJOINT" if transposed == "NO_TRANSPOSE" else "NO_TRANSPOSE"
    of_b = solved(matrix, ct, left, lower, unit, other)
    if not op.wants[0]:
        return [None, of_b]
    product = matmul(of_b, turned(x)) if left else matmul(turned(x), of_b)
    of_matrix = triangle(-(product if transposed == "NO_TRANSPOSE" else turned(product)), lower, 0 if unit else 1)
    return [of_matrix if matrix is a else of_matrix.conj(), of_b]


@derivative("stablehlo.cholesky")
def cholesky(op: Pullback) -> Sequence[Contribution]:
    """Of a = l lᴴ: the cotangent is symmetric, whichever triangle is read."""
    (factor,), (ct,) = op.outputs, op.cotangents
    lower = bool(op.attribute("lower", False))
    if not lower:
        factor, ct = turned(factor), turned(ct)
    middle = triangle(matmul(turned(factor), ct), True, 0.5)
    right = solved(factor, middle, False, True, False, "NO_TRANSPOSE")
    whole = solved(factor, right, True, True, False, "ADJOINT")
    return [(whole + turned(whole)) * 0.5]


# ---------------------------------------------------------------- batch normalisation


@derivative("stablehlo.batch_norm_training")
def batch_norm_training(op: Pullback) -> Sequence[Contribution]:
    (x, scale, _), (_, mean, variance), (ct, ct_mean, ct_variance) = op.inputs, op.outputs, op.cotangents
    types = [x.type, scale.type, scale.type]
    attributes = dict(op.op.attributes)
    of_x, *rest = op.builder.op("stablehlo.batch_norm_grad", [x, scale, mean, variance, ct], types, (), attributes)
    axis = int(op.attribute("feature_index"))

    def spread(term: Term) -> Term:
        return term.broadcast(x.shape, [axis])

    count = x.size // x.shape[axis] if x.size else 1
    of_x = of_x + spread(ct_mean / count)
    of_x = of_x + spread(ct_variance * (2 / count)) * (x - spread(mean))
    return [of_x, *rest]


@derivative("stablehlo.batch_norm_inference")
def batch_norm_inference(op: Pullback) -> Sequence[Contribution]:
    (x, scale, _, mean, variance), (ct,) = op.inputs, op.cotangents
    axis = int(op.attribute("feature_index"))
    others = [d for d in range(len(x.shape)) if d != axis]
    root = (variance + float(op.attribute("epsilon"))).apply("stablehlo.rsqrt")

    def spread(term: Term) -> Term:
        return term.broadcast(x.shape, [axis])

    total, along = ct.sum(others), (ct * (x - spread(mean))).sum(others)
    return [
        ct * spread(scale * root),
        along * root,
        total,
        -(total * scale * root),
        along * scale * root * root * root * -0.5,
    ]
