"""Matrix products."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from math import prod
from typing import Any, TypeAlias

from ..ir import ComplexType, ScalarType, TensorType
from ..ir.dimensions import DotNumbers, decode_dot, decode_ragged_dot, einsum_terms, matrix_dot
from ..ops.types import part
from ..tinygrad.dtypes import compute_dtype
from ..tinygrad.expressions import Tensor, dtypes
from .conversion import convert_real, reduce_precision
from .elementwise import is_float, wrapping
from .registry import Types, rule
from .storage import decode, encode
from .values import AnyTensor, Complex, T, each, halves, repeat_number

BilinearProduct: TypeAlias = Callable[[Tensor, Tensor], Tensor]

# ---------------------------------------------------------------- the contraction of two real tensors


def contract(numbers: DotNumbers, x: Tensor, y: Tensor) -> Tensor:
    """The sum of products over the contracting dimensions."""
    a, b, n = shape_of(x), shape_of(y), numbers
    rows, columns = n.lhs_free(len(a)), n.rhs_free(len(b))
    batch, k = size(x, n.lhs_batching), size(x, n.lhs_contracting)
    left = x.permute((*n.lhs_batching, *rows, *n.lhs_contracting)).reshape(batch, size(x, rows), k)
    right = y.permute((*n.rhs_batching, *n.rhs_contracting, *columns)).reshape(batch, k, size(y, columns))
    return matmul(left, right).reshape(n.result_shape(a, b))


def matmul(left: Tensor, right: Tensor) -> Tensor:
    if left.dtype == dtypes.bool:
        return (left.unsqueeze(-1) & right.unsqueeze(-3)).max(-2)
    if 0 in left.shape or 0 in right.shape:
        return repeat_number(0, (*left.shape[:-1], right.shape[-1]), left.dtype)
    result = left.matmul(right, dtype=left.dtype)
    # The sum starts from +0, which tinygrad omits: a sum of -0 is +0.
    return (result == 0).where(0.0, result) if is_float(result) else result


def size(x: Tensor, dimensions: Sequence[int]) -> int:
    return prod(x.shape[d] for d in dimensions)


def shape_of(x: AnyTensor) -> list[int]:
    return [*x.shape]


def complex_bilinear(product: BilinearProduct, a: AnyTensor, b: AnyTensor) -> AnyTensor:
    """Apply a bilinear function of real tensors to real or complex ones. Integers wrap."""
    match a, b:
        case Complex(), Complex():
            real = product(a.real, b.real) - product(a.imag, b.imag)
            return Complex(real, product(a.real, b.imag) + product(a.imag, b.real))
        case Complex(), _:
            return Complex(product(a.real, b), product(a.imag, b))
        case _, Complex():
            return Complex(product(a, b.real), product(a, b.imag))
    return wrapping(product)(a, b)


def bilinear(product: BilinearProduct, a: AnyTensor, b: AnyTensor, out: TensorType) -> AnyTensor:
    """Apply a bilinear function in the result's compute dtype, or in f64 for a narrower result of f64 operands.

    So the products of narrow types are exact, and their sum is rounded at the end.
    """
    element = part(out.element)
    wide = compute_dtype(element) == dtypes.float32 and any(half.dtype == dtypes.float64 for half in halves((a, b)))
    dtype = dtypes.float64 if wide else compute_dtype(out.element)

    def widened(t: Tensor) -> Tensor:
        # Not every number is an integer of the result's type, so C or tinygrad does not define the cast.
        return t.cast(dtype) if dtypes.is_float(dtype) else convert_real(t, element)

    result = complex_bilinear(product, each(a, widened), each(b, widened))
    return each(result, lambda t: convert_real(t, element)) if wide else result


# ---------------------------------------------------------------- dot, dot_general

# The bits of exponent and significand of TF32, a precision that algorithms round to and that is not an element type.
TF32 = (8, 10)


def round_to_precision(x: T, precision: str) -> T:
    """Round floats to a precision, and keep them in the dtype that holds it."""
    if isinstance(x, Complex):
        return x.each(lambda t: round_to_precision(t, precision))
    element = ScalarType("f32" if precision == "tf32" else precision)
    type = TensorType(x.shape, element)
    value = decode(encode(convert_real(x, element), type), type)
    return reduce_precision(value, exponent_bits=TF32[0], mantissa_bits=TF32[1]) if precision == "tf32" else value


def by_algorithm(
    product: BilinearProduct, a: AnyTensor, b: AnyTensor, algorithm: Mapping[str, Any], out: TensorType
) -> AnyTensor:
    """Round the operands and the sum to the algorithm's types.

    An algorithm with several primitive operations per product emulates a wider type, which is computed directly here.
    """
    precisions = [algorithm[f"{name}_type"] for name in ("lhs_precision", "rhs_precision", "accumulation")]
    if algorithm["num_primitive_operations"] == 1:
        a, b = (round_to_precision(x, p) for x, p in zip((a, b), precisions))
    total = ScalarType("f64" if precisions[2] == "f64" else "f32")
    element = ComplexType(total) if isinstance(out.element, ComplexType) else total
    result = bilinear(product, a, b, TensorType(out.shape, element))
    return each(round_to_precision(result, precisions[2]), lambda t: convert_real(t, part(out.element)))


# Every precision_config gets the highest precision.
@rule("stablehlo.dot_general", ignored=("precision_config",))
def dot_general(
    a: AnyTensor,
    b: AnyTensor,
    *,
    dot_dimension_numbers: Mapping[str, Sequence[int]],
    algorithm: Mapping[str, Any] | None,
    out: Types,
) -> AnyTensor:
    product = partial(contract, decode_dot(dot_dimension_numbers))
    if algorithm and all(map(is_float, halves((a, b)))):
        return by_algorithm(product, a, b, algorithm, out[0])
    return bilinear(product, a, b, out[0])


@rule("stablehlo.dot", ignored=("precision_config",))
def dot(a: AnyTensor, b: AnyTensor, *, out: Types) -> AnyTensor:
    return bilinear(partial(contract, matrix_dot(len(a.shape))), a, b, out[0])


# ---------------------------------------------------------------- einsum


def diagonal(x: Tensor, i: int, j: int) -> Tensor:
    """The elements whose indices on axes i and j, i < j, are equal; they lie along axis i of the result."""
    n, rest = int(x.shape[i]), [d for d in range(len(x.shape)) if d not in (i, j)]
    flat = x.permute((*rest, i, j)).reshape(*(x.shape[d] for d in rest), n * n)
    # Cut into rows that are one longer, the flat matrix has its diagonal in the first column.
    picked = flat.pad((*((0, 0) for _ in rest), (0, n))).reshape(*(x.shape[d] for d in rest), n, n + 1)[..., 0]
    return picked.permute((*range(i), len(rest), *range(i, len(rest))))


def sum_labels(x: Tensor, labels: Sequence[str], needed: Sequence[str]) -> tuple[Tensor, list[str]]:
    """Reduce a term of an einsum to one dimension for each label that is needed, and return their labels, too.

    A repeated label takes the diagonal; a label that is not needed is summed over.
    """
    names = list(labels)
    for name in dict.fromkeys(labels):
        while names.count(name) > 1:
            i, j = [at for at, other in enumerate(names) if other == name][:2]
            x = diagonal(x, i, j)
            del names[j]
    alone = tuple(at for at, name in enumerate(names) if name not in needed)
    if alone and 0 in x.shape:
        x = repeat_number(0, [size for d, size in enumerate(shape_of(x)) if d not in alone], x.dtype)
    elif alone:
        x = x.max(alone) if x.dtype == dtypes.bool else x.sum(alone, dtype=x.dtype)
    return x, [name for name in names if name in needed]


def squeeze_labels(x: Tensor, labels: Sequence[str], other: Mapping[str, int]) -> tuple[Tensor, list[str]]:
    """A term of an einsum without the dimensions that broadcast: of size 1, but larger in the other term."""
    drop = [d for d, name in enumerate(labels) if x.shape[d] == 1 and other.get(name, 1) != 1]
    shape = [size for d, size in enumerate(shape_of(x)) if d not in drop]
    return x.reshape(shape), [name for d, name in enumerate(labels) if d not in drop]


@rule("stablehlo.einsum")
def einsum(a: AnyTensor, b: AnyTensor, *, einsum_config: str, out: Types) -> AnyTensor:
    """The sum of products over all labels that the result does not have, in TensorFlow's notation."""
    (left, right), result = einsum_terms(einsum_config, [len(a.shape), len(b.shape)])

    def product(x: Tensor, y: Tensor) -> Tensor:
        sizes_x, sizes_y = dict(zip(left, shape_of(x))), dict(zip(right, shape_of(y)))
        x, p = sum_labels(*squeeze_labels(x, left, sizes_y), [*right, *result])
        y, q = sum_labels(*squeeze_labels(y, right, sizes_x), [*p, *result])
        x, p = sum_labels(x, p, [*q, *result])
        shared = [name for name in p if name in q]
        batch, contracting = ([name for name in shared if (name in result) == is_batch] for is_batch in (True, False))
        axes = (tuple(term.index(name) for name in names) for names in (batch, contracting) for term in (p, q))
        order = batch + [name for name in (*p, *q) if name not in shared]
        return contract(DotNumbers(*axes), x, y).permute(tuple(order.index(name) for name in result))

    return bilinear(product, a, b, out[0])


@rule("stablehlo.unary_einsum")
def unary_einsum(x: AnyTensor, *, einsum_config: str) -> AnyTensor:
    (labels,), result = einsum_terms(einsum_config, [len(x.shape)])

    def linear(t: Tensor) -> Tensor:
        total, names = sum_labels(t, labels, result)
        return total.permute(tuple(names.index(name) for name in result))

    return x.each(linear) if isinstance(x, Complex) else wrapping(lambda t, _: linear(t))(x, x)


# ---------------------------------------------------------------- ragged_dot


@rule("chlo.ragged_dot", ignored=("precision_config",))
def ragged_dot(
    a: AnyTensor,
    b: AnyTensor,
    group_sizes: Tensor,
    *,
    ragged_dot_dimension_numbers: Mapping[str, Sequence[int]],
    out: Types,
) -> AnyTensor:
    """A dot_general in which one dimension of lhs is divided into consecutive groups.

    If it is a free dimension, each group is multiplied with its own matrix of rhs; if it is a contracting dimension,
    each group has its own result; if it is a batching dimension, the groups change nothing.
    """
    plain, (axis,), groups = decode_ragged_dot(ragged_dot_dimension_numbers)
    rank, count = len(a.shape), int(group_sizes.shape[-1])
    rows, columns = plain.lhs_free(rank), plain.rhs_free(len(b.shape))
    free = axis in rows
    # The dimensions of lhs along which the groups may differ; a single row of sizes applies to all of them.
    outer = plain.lhs_contracting if axis in plain.lhs_contracting else rows if free else ()
    before = (*plain.lhs_batching, *outer)
    prefix = before[: before.index(axis)]
    if axis in plain.lhs_batching:
        return bilinear(partial(contract, plain), a, b, out[0])
    member = membership(group_sizes, int(a.shape[axis]))  # [prefix…, index on the axis, group]
    if len(group_sizes.shape) == 1:
        prefix = ()

    def place_axes(dimensions: Sequence[int], rank: int) -> Tensor:
        """`member` with its axes at the given dimensions of an operand, and the group last."""
        order = sorted(range(len(dimensions)), key=lambda i: dimensions[i])
        shape = [int(member.shape[dimensions.index(d)]) if d in dimensions else 1 for d in range(rank)]
        return member.permute((*order, len(order))).reshape(*shape, count)

    if free:

        def product(x: Tensor, y: Tensor) -> Tensor:
            every = contract(plain, x, y)  # the products with the matrices of all groups, one of rhs's free dimensions
            at = len(plain.lhs_batching) + len(rows)
            group = at + columns.index(groups[0])
            mask = place_axes([*prefix, axis], rank).permute((*plain.lhs_batching, *rows, *plain.lhs_contracting, rank))
            mask = mask.reshape(*mask.shape[:at], *(count if d == group else 1 for d in range(at, len(every.shape))))
            chosen = mask.where(every, every.const_like(0))
            return chosen.sum(group, dtype=x.dtype) if x.dtype != dtypes.bool else chosen.max(group)

    else:
        lhs_batching, rhs_batching = (rank, *plain.lhs_batching), (len(b.shape), *plain.rhs_batching)
        split = replace(plain, lhs_batching=lhs_batching, rhs_batching=rhs_batching)
        pairs = dict(zip((*lhs_batching, *plain.lhs_contracting), (*rhs_batching, *plain.rhs_contracting), strict=True))

        def product(x: Tensor, y: Tensor) -> Tensor:
            wide = [t.unsqueeze(-1) for t in (x, y)]
            axes = ([*prefix, axis], [pairs[d] for d in (*prefix, axis)])
            x, y = (place_axes(at, len(t.shape) - 1).where(t, t.const_like(0)) for t, at in zip(wide, axes))
            return contract(split, x, y)

    return bilinear(product, a, b, out[0])


def membership(group_sizes: Tensor, length: int) -> Tensor:
    """Whether each index of an axis of this length belongs to each group: [prefix…, index, group]."""
    ends = group_sizes.cast(dtypes.int64).cumsum(-1)
    position = Tensor.arange(length, dtype=dtypes.int32).cast(dtypes.int64).reshape(-1, 1)
    starts = (ends - group_sizes.cast(dtypes.int64)).unsqueeze(-2)
    return (position < ends.unsqueeze(-2)) & (position < starts).logical_not()
