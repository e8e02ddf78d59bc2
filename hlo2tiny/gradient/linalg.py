"""Derivatives of factorisations and normalisations."""

from __future__ import annotations

from collections.abc import Sequence

from ..ir import DialectAttr, DictAttr, IntegerAttr, ScalarType, StringAttr, TensorType
from ..ir.dimensions import DotNumbers
from ..ops.attributes import plain
from ..ops.build import I32, Term, stablehlo
from ..rules.linalg import cpu
from ..rules.registry import attributes_of, rule_name
from .tape import Contribution, Pullback, derivative

# ---------------------------------------------------------------- matrices, along the last two dimensions


def turned(x: Term) -> Term:
    """The conjugate transpose."""
    rank = len(x.shape)
    return x.transpose([*range(rank - 2), rank - 1, rank - 2]).conj()


def matmul(a: Term, b: Term) -> Term:
    rank = len(a.shape)
    batch = tuple(range(rank - 2))
    type = TensorType((*a.shape[:-1], b.shape[-1]), a.element)
    numbers = DotNumbers(batch, batch, (rank - 1,), (rank - 2,)).attribute
    return stablehlo.dot_general(a, b, type=type, dot_dimension_numbers=numbers)


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
    return a.builder.op(stablehlo.triangular_solve, (a, b), [b.type], (), flags)[0]


@derivative("stablehlo.triangular_solve")
def triangular_solve(op: Pullback) -> Sequence[Contribution]:
    left, lower, unit = (bool(op.attribute(name)) for name in ("left_side", "lower", "unit_diagonal"))
    return of_solution(op, left, lower, unit, str(op.attribute("transpose_a", "NO_TRANSPOSE")))


def of_solution(op: Pullback, left: bool, lower: bool, unit: bool, transposed: str) -> Sequence[Contribution]:
    """Of x in op(a) x = b, or x op(a) = b."""
    (a, _), (x,), (ct,) = op.inputs, op.outputs, op.cotangents
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
    return [of_factor(op.outputs[0], op.cotangents[0], bool(op.attribute("lower", False)))]


def of_factor(factor: Term, ct: Term, lower: bool) -> Term:
    """Of l in a = l lᴴ: the cotangent is Hermitian, whichever triangle of a is read."""
    if not lower:
        factor, ct = turned(factor), turned(ct)
    middle = triangle(matmul(turned(factor), ct), True, 0.5)
    right = solved(factor, middle, False, True, False, "NO_TRANSPOSE")
    return hermitian(solved(factor, right, True, True, False, "ADJOINT"))


def hermitian(x: Term) -> Term:
    return (x + turned(x)) * 0.5


# ---------------------------------------------------------------- what exports of one platform call


def flag(op: Pullback, name: str, yes: str) -> bool:
    """Whether a letter among the call's attributes is this one."""
    found = plain(attributes_of(op.op).get(name, None))
    if not isinstance(found, (int, str)):
        raise op.refuse(f"its form, without the attribute {name}, is an old one")
    return (chr(found) if isinstance(found, int) else found) == yes


@derivative(*cpu("trsm"), *cpu("trsm", library="blas"))
def trsm(op: Pullback) -> Sequence[Contribution]:
    if len(op.inputs) != 2:
        raise op.refuse("its form, with flags among the operands, is an old one")
    transposed = "NO_TRANSPOSE" if flag(op, "trans_x", "N") else "TRANSPOSE" if flag(op, "trans_x", "T") else "ADJOINT"
    return of_solution(op, flag(op, "side", "L"), flag(op, "uplo", "L"), flag(op, "diag", "U"), transposed)


@derivative(*cpu("potrf"))
def potrf(op: Pullback) -> Sequence[Contribution]:
    """The other triangle of the factor has the numbers of the operand's."""
    lower = flag(op, "uplo", "L")
    factor, ct = (triangle(x, lower) for x in (op.outputs[0], op.cotangents[0]))
    return [of_factor(factor, ct, lower) + (op.cotangents[0] - ct)]


@derivative(*cpu("getrf"))
def getrf(op: Pullback) -> Sequence[Contribution]:
    """Of the factors of a = p l u, in one matrix."""
    (x,), (both, pivots, *_), (ct, *_) = op.inputs, op.outputs, op.cotangents
    rank, size = len(x.shape), x.shape[-1]
    if x.shape[-2] != size:
        raise op.refuse("its matrices are not square")
    strict = triangle(matmul(turned(triangle(both, True, 0) + identity(both)), triangle(ct, True, 0)), True, 0)
    inner = strict + triangle(matmul(triangle(ct, False), turned(triangle(both, False))), False)
    inner = solved(both, inner, False, False, False, "ADJOINT")
    inner = solved(both, inner, True, True, True, "ADJOINT")
    # Its rows go back to where they were: the places, sorted, say from where each comes.
    counted = TensorType((*x.shape[:-2], size), I32)
    how = {"call_target_name": StringAttr("lu_pivots_to_permutation")}
    (order,) = op.builder.op(stablehlo.custom_call, [pivots - 1], [counted], (), how)
    rows = op.builder.iota(x.shape[:-1], rank - 2)
    member = order.broadcast(x.shape, list(range(rank - 1))).compare(
        "EQ", rows.broadcast(x.shape, [*range(rank - 2), rank - 1])
    )
    return [matmul(turned(member.where(x.like(1), 0)), inner)]


@derivative(*cpu("geqrf"))
def geqrf(op: Pullback) -> Sequence[Contribution]:
    """Of r, which stands in the upper triangle; what is below it and the other result matter to q alone."""
    (x,), (both, scales, *_), (ct, *_) = op.inputs, op.outputs, op.cotangents
    rows, columns = x.shape[-2:]
    if rows < columns:
        raise op.refuse("its matrices have more columns than rows")
    name = rule_name(op.op).removeprefix("@").replace("geqrf", "ungqr" if x.is_complex else "orgqr")
    how = {"call_target_name": StringAttr(name)}
    (q,) = op.builder.op(stablehlo.custom_call, [both, scales], [x.type], (), how)
    return [of_orthogonal(q, upper(both), q.like(0), upper(ct))]


@derivative(*cpu("orgqr", "ungqr"))
def orgqr(op: Pullback) -> Sequence[Contribution]:
    """Of q, which goes to the matrix that geqrf has factored: its results mean q and r together."""
    (both, scales), (q,), (ct,) = op.inputs, op.outputs, op.cotangents
    made = op.tape.definitions.get(both.value)
    name = rule_name(made) if made is not None else ""
    if made is None or name not in cpu("geqrf") or scales.value is not made.results[1] or q.shape != both.shape:
        raise op.refuse("it is not of all the results of a geqrf")
    r = upper(both)
    op.tape.add(made.operands[0], of_orthogonal(q, r, ct, r.like(0)), op.builder)
    return [None, None]


def upper(x: Term) -> Term:
    """The square upper triangle of matrices that may be longer."""
    size = x.shape[-1]
    whole = x.slice([0] * len(x.shape), [*x.shape[:-2], size, size])
    return triangle(whole, False)


def of_orthogonal(q: Term, r: Term, ct_q: Term, ct_r: Term) -> Term:
    """Of a = q r."""
    inner = matmul(turned(q), ct_q) - matmul(ct_r, turned(r))
    both = triangle(inner - turned(inner), True, 0) - inner
    if q.is_complex:  # the diagonal of r is real
        both = both + identity(inner) * (inner - inner.conj()) * 0.5
    return solved(r, matmul(q, both) + ct_q, False, False, False, "ADJOINT")


@derivative(*cpu("gesdd"))
def gesdd(op: Pullback) -> Sequence[Contribution]:
    """Of a = u s vᴴ. Singular values that are equal or zero add nothing, where the vectors have no derivative."""
    (x,), (_, s, u, v, info, *_), (_, ct, ct_u, ct_v, *_) = op.inputs, op.outputs, op.cotangents
    *batch, rows, columns = x.shape
    size = s.shape[-1]
    alone = flag(op, "mode", "N")
    if alone:  # the vectors are not there
        job = DictAttr({"mode": IntegerAttr(ord("S"), ScalarType("ui8"))})
        how = {"call_target_name": op.op.attributes["call_target_name"], "mhlo.backend_config": job}
        types = [TensorType((*batch, *own), x.element) for own in ((rows, size), (size, columns))]
        _, s, u, v, _ = op.builder.op(stablehlo.custom_call, [x], [x.type, s.type, *types, info.type], (), how)
    elif x.is_complex or (u.shape[-1], v.shape[-2]) != (size, size):
        raise op.refuse("it gives vectors of complex matrices, or more of them than singular values")
    rank = len(x.shape)
    square = (*batch, size, size)

    def spread(term: Term, place: int) -> Term:
        return term.broadcast(square, [*range(rank - 2), place]).to(x.element)

    middle = identity(op.builder.zeros(TensorType(square, x.element))) * spread(ct, rank - 1)
    if alone:
        return [matmul(matmul(u, middle), v)]
    of_rows, of_columns = spread(s, rank - 2), spread(s, rank - 1)
    gaps = (of_columns - of_rows) * (of_columns + of_rows)
    zero = gaps.compare("EQ", 0)
    factors = zero.where(gaps.like(0), 1 / zero.where(gaps.like(1), gaps))
    inner_u, inner_v = matmul(turned(u), ct_u), matmul(v, turned(ct_v))
    middle = middle + factors * (inner_u - turned(inner_u)) * of_columns
    middle = middle + of_rows * factors * (inner_v - turned(inner_v))
    none = s.compare("EQ", 0)
    inverse = none.where(s.like(0), 1 / none.where(s.like(1), s))
    across = (ct_u - matmul(u, inner_u)) * inverse.broadcast(u.shape, [*range(rank - 2), rank - 1])
    along = (ct_v - matmul(turned(inner_v), v)) * inverse.broadcast(v.shape, list(range(rank - 1)))
    return [matmul(matmul(u, middle) + across, v) + matmul(u, along)]


def identity(x: Term) -> Term:
    """The unit matrix, of the shape and type of x."""
    rank = len(x.shape)
    rows, columns = (x.builder.iota(x.shape, rank - i, I32) for i in (2, 1))
    return rows.compare("EQ", columns).where(x.like(1), 0)


@derivative(*cpu("syevd", "heevd"))
def syevd(op: Pullback) -> Sequence[Contribution]:
    """Of v and w in a v = v w; that of v is infinite where eigenvalues are equal."""
    (vectors, values, *_), (ct, ct_values, *_) = op.outputs, op.cotangents
    if not flag(op, "mode", "V"):
        raise op.refuse("it computes eigenvalues alone")
    rank = len(vectors.shape)

    def spread(x: Term, place: int) -> Term:
        wide = x.broadcast(vectors.shape, [*range(rank - 2), place])
        return wide.to(vectors.element)

    unit = identity(vectors)
    gaps = spread(values, rank - 1) - spread(values, rank - 2) + unit
    middle = (1 / gaps - unit) * matmul(turned(vectors), ct) + unit * spread(ct_values, rank - 1)
    return [hermitian(matmul(matmul(vectors, middle), turned(vectors)))]


# ---------------------------------------------------------------- batch normalisation


@derivative("stablehlo.batch_norm_training")
def batch_norm_training(op: Pullback) -> Sequence[Contribution]:
    (x, scale, _), (_, mean, variance), (ct, ct_mean, ct_variance) = op.inputs, op.outputs, op.cotangents
    types = [x.type, scale.type, scale.type]
    attributes = dict(op.op.attributes)
    of_x, *rest = op.builder.op(stablehlo.batch_norm_grad, [x, scale, mean, variance, ct], types, (), attributes)
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
    root = stablehlo.rsqrt(variance + float(op.attribute("epsilon")))

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
