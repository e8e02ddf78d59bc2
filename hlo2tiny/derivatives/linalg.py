"""Derivatives of matrix factorisations and of batch normalisation."""

from __future__ import annotations

from collections.abc import Sequence

from ..ir import DialectAttr, DictAttr, IntegerAttr, ScalarType, StringAttr, TensorType
from ..ir.dimensions import DotNumbers
from ..ops.attributes import plain
from ..ops.build import I32, Term, stablehlo
from ..rules.registry import attributes_of, rule_name
from ..rules.routines import cpu
from .tape import Contribution, Pullback, derivative

# ---------------------------------------------------------------- matrices, along the last two dimensions


def adjoint(x: Term) -> Term:
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
    """A triangle of square matrices, with the diagonal multiplied by a number; zeros elsewhere."""
    rank = len(x.shape)
    rows, columns = (x.builder.iota(x.shape, rank - i, I32) for i in (2, 1))
    strict = rows.compare("GT" if lower else "LT", columns)
    return strict.where(x, rows.compare("EQ", columns).where(x * diagonal, 0))


def solve_triangular(a: Term, b: Term, left: bool, lower: bool, unit: bool, transposed: str) -> Term:
    how = DialectAttr("stablehlo", "transpose", {}, transposed)
    return stablehlo.triangular_solve(a, b, left_side=left, lower=lower, unit_diagonal=unit, transpose_a=how)


@derivative("stablehlo.triangular_solve")
def triangular_solve(op: Pullback) -> Sequence[Contribution]:
    left, lower, unit = (bool(op.attribute(name)) for name in ("left_side", "lower", "unit_diagonal"))
    return solution_cotangents(op, left, lower, unit, str(op.attribute("transpose_a", "NO_TRANSPOSE")))


def solution_cotangents(op: Pullback, left: bool, lower: bool, unit: bool, transposed: str) -> Sequence[Contribution]:
    """The cotangents of a and b, where x solves op(a) x = b or x op(a) = b."""
    (a, _), (x,), (ct,) = op.inputs, op.outputs, op.cotangents
    matrix = a
    if transposed == "TRANSPOSE":
        # The transpose of a is the adjoint of its conjugate.
        matrix, transposed = a.conj(), "ADJOINT"
    other = "ADJOINT" if transposed == "NO_TRANSPOSE" else "NO_TRANSPOSE"
    of_b = solve_triangular(matrix, ct, left, lower, unit, other)
    if not op.wants[0]:
        return [None, of_b]
    product = matmul(of_b, adjoint(x)) if left else matmul(adjoint(x), of_b)
    of_matrix = triangle(-(product if transposed == "NO_TRANSPOSE" else adjoint(product)), lower, 0 if unit else 1)
    return [of_matrix if matrix is a else of_matrix.conj(), of_b]


@derivative("stablehlo.cholesky")
def cholesky(op: Pullback) -> Sequence[Contribution]:
    return [cholesky_cotangent(op.outputs[0], op.cotangents[0], bool(op.attribute("lower", False)))]


def cholesky_cotangent(factor: Term, ct: Term, lower: bool) -> Term:
    """The cotangent of a, where a = l lᴴ: it is Hermitian, whichever triangle of a the op reads."""
    if not lower:
        factor, ct = adjoint(factor), adjoint(ct)
    middle = triangle(matmul(adjoint(factor), ct), True, 0.5)
    right = solve_triangular(factor, middle, False, True, False, "NO_TRANSPOSE")
    return hermitian(solve_triangular(factor, right, True, True, False, "ADJOINT"))


def hermitian(x: Term) -> Term:
    return (x + adjoint(x)) * 0.5


# ---------------------------------------------------------------- LAPACK calls of programs exported for the CPU


def flag(op: Pullback, name: str, letter: str) -> bool:
    """Whether an attribute of the call, a letter or its code, is the given letter."""
    value = plain(attributes_of(op.op).get(name, None))
    if not isinstance(value, (int, str)):
        raise op.refuse(f"the call lacks the attribute {name}, as calls of old exporters do; export the program again")
    return (chr(value) if isinstance(value, int) else value) == letter


@derivative(*cpu("trsm"), *cpu("trsm", library="blas"))
def trsm(op: Pullback) -> Sequence[Contribution]:
    if len(op.inputs) != 2:
        raise op.refuse("the call has flags among its operands, as calls of old exporters do; export the program again")
    transposed = "NO_TRANSPOSE" if flag(op, "trans_x", "N") else "TRANSPOSE" if flag(op, "trans_x", "T") else "ADJOINT"
    return solution_cotangents(op, flag(op, "side", "L"), flag(op, "uplo", "L"), flag(op, "diag", "U"), transposed)


@derivative(*cpu("potrf"))
def potrf(op: Pullback) -> Sequence[Contribution]:
    """LAPACK leaves the operand's numbers in the other triangle of the result."""
    lower = flag(op, "uplo", "L")
    factor, ct = (triangle(x, lower) for x in (op.outputs[0], op.cotangents[0]))
    return [cholesky_cotangent(factor, ct, lower) + (op.cotangents[0] - ct)]


@derivative(*cpu("getrf"))
def getrf(op: Pullback) -> Sequence[Contribution]:
    """For a = p l u, with l and u packed into one matrix."""
    (x,), (packed, pivots, *_), (ct, *_) = op.inputs, op.outputs, op.cotangents
    rank, size = len(x.shape), x.shape[-1]
    if x.shape[-2] != size:
        raise op.refuse("its matrices are not square")
    strict = triangle(matmul(adjoint(triangle(packed, True, 0) + identity(packed)), triangle(ct, True, 0)), True, 0)
    inner = strict + triangle(matmul(triangle(ct, False), adjoint(triangle(packed, False))), False)
    inner = solve_triangular(packed, inner, False, False, False, "ADJOINT")
    inner = solve_triangular(packed, inner, True, True, True, "ADJOINT")
    # Undo the row exchanges: order[i] is the row of a that became row i.
    order_type = TensorType((*x.shape[:-2], size), I32)
    how = {"call_target_name": StringAttr("lu_pivots_to_permutation")}
    (order,) = op.builder.op(stablehlo.custom_call, [pivots - 1], [order_type], (), how)
    rows = op.builder.iota(x.shape[:-1], rank - 2)
    indices = order.broadcast(x.shape, list(range(rank - 1)))
    permutation = indices.compare("EQ", rows.broadcast(x.shape, [*range(rank - 2), rank - 1]))
    return [matmul(adjoint(permutation.where(x.like(1), 0)), inner)]


@derivative(*cpu("geqrf"))
def geqrf(op: Pullback) -> Sequence[Contribution]:
    """For r, the upper triangle of the result; the numbers below it and the other results determine q, see `orgqr`."""
    (x,), (packed, scales, *_), (ct, *_) = op.inputs, op.outputs, op.cotangents
    rows, columns = x.shape[-2:]
    if rows < columns:
        raise op.refuse("its matrices have more columns than rows")
    name = rule_name(op.op).removeprefix("@").replace("geqrf", "ungqr" if x.is_complex else "orgqr")
    how = {"call_target_name": StringAttr(name)}
    (q,) = op.builder.op(stablehlo.custom_call, [packed, scales], [x.type], (), how)
    return [qr_cotangent(q, upper(packed), q.like(0), upper(ct))]


@derivative(*cpu("orgqr", "ungqr"))
def orgqr(op: Pullback) -> Sequence[Contribution]:
    """For q: its cotangent goes directly to the matrix that geqrf factored, bypassing geqrf's packed results."""
    (packed, scales), (q,), (ct,) = op.inputs, op.outputs, op.cotangents
    source = op.tape.definitions.get(packed.value)
    name = rule_name(source) if source is not None else ""
    if source is None or name not in cpu("geqrf") or scales.value is not source.results[1] or q.shape != packed.shape:
        raise op.refuse("its operands must be the whole results of one geqrf call")
    r = upper(packed)
    op.tape.add(source.operands[0], qr_cotangent(q, r, ct, r.like(0)), op.builder)
    return [None, None]


def upper(x: Term) -> Term:
    """The square upper triangle of matrices, which may have more rows than columns."""
    size = x.shape[-1]
    return triangle(x.slice([0] * len(x.shape), [*x.shape[:-2], size, size]), False)


def qr_cotangent(q: Term, r: Term, ct_q: Term, ct_r: Term) -> Term:
    """The cotangent of a, where a = q r."""
    inner = matmul(adjoint(q), ct_q) - matmul(ct_r, adjoint(r))
    middle = triangle(inner - adjoint(inner), True, 0) - inner
    if q.is_complex:  # the diagonal of r is real
        middle = middle + identity(inner) * (inner - inner.conj()) * 0.5
    return solve_triangular(r, matmul(q, middle) + ct_q, False, False, False, "ADJOINT")


@derivative(*cpu("gesdd"))
def gesdd(op: Pullback) -> Sequence[Contribution]:
    """For a = u s vᴴ. Where singular values are equal or zero, vectors have no derivative and contribute nothing."""
    (x,), (_, s, u, v, info, *_), (_, ct, ct_u, ct_v, *_) = op.inputs, op.outputs, op.cotangents
    *batch, rows, columns = x.shape
    size = s.shape[-1]
    only_values = flag(op, "mode", "N")
    if only_values:  # compute the vectors here
        job = DictAttr({"mode": IntegerAttr(ord("S"), ScalarType("ui8"))})
        how = {"call_target_name": op.op.attributes["call_target_name"], "mhlo.backend_config": job}
        types = [TensorType((*batch, *shape), x.element) for shape in ((rows, size), (size, columns))]
        _, s, u, v, _ = op.builder.op(stablehlo.custom_call, [x], [x.type, s.type, *types, info.type], (), how)
    elif x.is_complex or (u.shape[-1], v.shape[-2]) != (size, size):
        raise op.refuse("it computes singular vectors of complex matrices, or more vectors than singular values")
    rank = len(x.shape)
    square = (*batch, size, size)

    def broadcast(term: Term, axis: int) -> Term:
        return term.broadcast(square, [*range(rank - 2), axis]).to(x.element)

    middle = identity(op.builder.zeros(TensorType(square, x.element))) * broadcast(ct, rank - 1)
    if only_values:
        return [matmul(matmul(u, middle), v)]
    of_rows, of_columns = broadcast(s, rank - 2), broadcast(s, rank - 1)
    gaps = (of_columns - of_rows) * (of_columns + of_rows)
    zero = gaps.compare("EQ", 0)
    factors = zero.where(gaps.like(0), 1 / zero.where(gaps.like(1), gaps))
    inner_u, inner_v = matmul(adjoint(u), ct_u), matmul(v, adjoint(ct_v))
    middle = middle + factors * (inner_u - adjoint(inner_u)) * of_columns
    middle = middle + of_rows * factors * (inner_v - adjoint(inner_v))
    zero = s.compare("EQ", 0)
    inverse = zero.where(s.like(0), 1 / zero.where(s.like(1), s))
    outside_u = (ct_u - matmul(u, inner_u)) * inverse.broadcast(u.shape, [*range(rank - 2), rank - 1])
    outside_v = (ct_v - matmul(adjoint(inner_v), v)) * inverse.broadcast(v.shape, list(range(rank - 1)))
    return [matmul(matmul(u, middle) + outside_u, v) + matmul(u, outside_v)]


def identity(x: Term) -> Term:
    """The identity matrix of the shape and type of x."""
    rank = len(x.shape)
    rows, columns = (x.builder.iota(x.shape, rank - i, I32) for i in (2, 1))
    return rows.compare("EQ", columns).where(x.like(1), 0)


@derivative(*cpu("syevd", "heevd"))
def syevd(op: Pullback) -> Sequence[Contribution]:
    """For v and w in a v = v w; the derivative of v is infinite where eigenvalues are equal."""
    (vectors, values, *_), (ct, ct_values, *_) = op.outputs, op.cotangents
    if not flag(op, "mode", "V"):
        raise op.refuse("it computes only the eigenvalues, and the gradient needs the eigenvectors")
    rank = len(vectors.shape)

    def broadcast(x: Term, axis: int) -> Term:
        return x.broadcast(vectors.shape, [*range(rank - 2), axis]).to(vectors.element)

    unit = identity(vectors)
    gaps = broadcast(values, rank - 1) - broadcast(values, rank - 2) + unit
    middle = (1 / gaps - unit) * matmul(adjoint(vectors), ct) + unit * broadcast(ct_values, rank - 1)
    return [hermitian(matmul(matmul(vectors, middle), adjoint(vectors)))]


# ---------------------------------------------------------------- batch normalisation


@derivative("stablehlo.batch_norm_training")
def batch_norm_training(op: Pullback) -> Sequence[Contribution]:
    (x, scale, _), (_, mean, variance), (ct, ct_mean, ct_variance) = op.inputs, op.outputs, op.cotangents
    types = [x.type, scale.type, scale.type]
    attributes = dict(op.op.attributes)
    of_x, *rest = op.builder.op(stablehlo.batch_norm_grad, [x, scale, mean, variance, ct], types, (), attributes)
    axis = int(op.attribute("feature_index"))

    def broadcast(term: Term) -> Term:
        return term.broadcast(x.shape, [axis])

    count = x.size // x.shape[axis] if x.size else 1
    of_x = of_x + broadcast(ct_mean / count)
    of_x = of_x + broadcast(ct_variance * (2 / count)) * (x - broadcast(mean))
    return [of_x, *rest]


@derivative("stablehlo.batch_norm_inference")
def batch_norm_inference(op: Pullback) -> Sequence[Contribution]:
    (x, scale, _, mean, variance), (ct,) = op.inputs, op.cotangents
    axis = int(op.attribute("feature_index"))
    others = [d for d in range(len(x.shape)) if d != axis]
    root = stablehlo.rsqrt(variance + float(op.attribute("epsilon")))

    def broadcast(term: Term) -> Term:
        return term.broadcast(x.shape, [axis])

    total, correlation = ct.sum(others), (ct * (x - broadcast(mean))).sum(others)
    of_mean, of_variance = -(total * scale * root), correlation * scale * root * root * root * -0.5
    return [ct * broadcast(scale * root), correlation * root, total, of_mean, of_variance]
