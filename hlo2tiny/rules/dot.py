"""Matrix products."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from math import prod
from typing import Any

from ..ir import ComplexType, ScalarType, TensorType
from ..ir.dimensions import DotNumbers, decode_dot, einsum_terms, matrix_dot
from ..tinygrad.dtypes import compute_dtype
from ..tinygrad.expressions import Tensor, dtypes
from .elementwise import convert_real, is_float, reduce_precision, wrapping
from .registry import rule
from .storage import decode, encode
from .values import Complex, each, repeated

Product = Callable[[Tensor, Tensor], Tensor]

# ---------------------------------------------------------------- the contraction of two real tensors


def contract(numbers: DotNumbers, x: Tensor, y: Tensor) -> Tensor:
    """The products over the contracting dimensions, summed. Labels are those of dot_general's constraints."""
    a, b, n = shape_of(x), shape_of(y), numbers
    if [a[d] for d in n.lhs_batching] != [b[d] for d in n.rhs_batching]:
        raise ValueError("has batching dimensions of different sizes (C9)")
    if [a[d] for d in n.lhs_contracting] != [b[d] for d in n.rhs_contracting]:
        raise ValueError("has contracting dimensions of different sizes (C10)")
    rows, columns = n.lhs_free(len(a)), n.rhs_free(len(b))
    batch, k = size(x, n.lhs_batching), size(x, n.lhs_contracting)
    left = x.permute((*n.lhs_batching, *rows, *n.lhs_contracting)).reshape(batch, size(x, rows), k)
    right = y.permute((*n.rhs_batching, *n.rhs_contracting, *columns)).reshape(batch, k, size(y, columns))
    return matmul(left, right).reshape(n.result_shape(a, b))


def matmul(left: Tensor, right: Tensor) -> Tensor:
    if left.dtype == dtypes.bool:
        return (left.unsqueeze(-1) & right.unsqueeze(-3)).max(-2)
    if 0 in left.shape or 0 in right.shape:
        return repeated(0, (*left.shape[:-1], right.shape[-1]), left.dtype)
    result = left.matmul(right, dtype=left.dtype)
    # The sum starts from +0, which tinygrad leaves out.
    return (result == 0).where(0.0, result) if is_float(result) else result


def size(x: Any, dimensions: Sequence[int]) -> int:
    return prod(int(x.shape[d]) for d in dimensions)


def shape_of(x: Any) -> list[int]:
    return [int(size) for size in x.shape]


def accumulator(a: Any, b: Any, out: TensorType) -> tuple[Any, Any]:
    """Operands in the result's compute dtype: products of narrow types are exact there, sums round at the end."""
    dtype = compute_dtype(out.element)
    return each(a, lambda t: t.cast(dtype)), each(b, lambda t: t.cast(dtype))


def complex_bilinear(product: Product, a: Any, b: Any) -> Any:
    """Extend a bilinear function of real tensors to complex ones; integers wrap."""
    match a, b:
        case Complex(), Complex():
            real = product(a.real, b.real) - product(a.imag, b.imag)
            return Complex(real, product(a.real, b.imag) + product(a.imag, b.real))
        case Complex(), _:
            return Complex(product(a.real, b), product(a.imag, b))
        case _, Complex():
            return Complex(product(a, b.real), product(a, b.imag))
    return wrapping(product)(a, b)


def bilinear(product: Product, a: Any, b: Any, out: TensorType) -> Any:
    """A bilinear function of the operands as the result's type has it; a sum of f64 is rounded to less at its end."""
    element = out.element.element if isinstance(out.element, ComplexType) else out.element
    halves = [x.real if isinstance(x, Complex) else x for x in (a, b)]
    if compute_dtype(element) != dtypes.float32 or all(half.dtype != dtypes.float64 for half in halves):
        return complex_bilinear(product, *accumulator(a, b, out))
    wide = complex_bilinear(product, *accumulator(a, b, TensorType(out.shape, ScalarType("f64"))))
    return each(wide, lambda t: convert_real(t, element))


# ---------------------------------------------------------------- dot, dot_general

# The precisions that an algorithm may round to, in bits of exponent and significand where no element type has them.
TF32 = (8, 10)


def rounded(x: Any, precision: str) -> Any:
    """A float rounded to a precision, in the dtype that holds it."""
    if isinstance(x, Complex):
        return x.each(lambda t: rounded(t, precision))
    element = ScalarType("f32" if precision == "tf32" else precision)
    type = TensorType(x.shape, element)
    value = decode(encode(convert_real(x, element), type), type)
    return reduce_precision(value, exponent_bits=TF32[0], mantissa_bits=TF32[1]) if precision == "tf32" else value


def by_algorithm(product: Product, a: Any, b: Any, algorithm: Mapping[str, Any], out: TensorType) -> Any:
    """The operands and the sum are rounded to the algorithm's types.

    One that takes several products for each is an emulation of a wider type, which we have.
    """
    precisions = [algorithm[f"{name}_type"] for name in ("lhs_precision", "rhs_precision", "accumulation")]
    if algorithm["num_primitive_operations"] == 1:
        a, b = (rounded(x, p) for x, p in zip((a, b), precisions))
    total = ScalarType("f64" if precisions[2] == "f64" else "f32")
    element = ComplexType(total) if isinstance(out.element, ComplexType) else total
    result = bilinear(product, a, b, TensorType(out.shape, element))
    target = out.element.element if isinstance(out.element, ComplexType) else out.element
    return each(rounded(result, precisions[2]), lambda t: convert_real(t, target))


def is_floating(x: Any) -> bool:
    return isinstance(x, Complex) or is_float(x)


@rule("stablehlo.dot_general")
def dot_general(
    a: Any,
    b: Any,
    *,
    dot_dimension_numbers: Mapping[str, Sequence[int]],
    precision_config: Any = None,
    algorithm: Any = None,
    out: Any,
) -> Any:
    """All precisions of precision_config are the highest here."""
    product = partial(contract, decode_dot(dot_dimension_numbers))
    if algorithm and is_floating(a) and is_floating(b):
        return by_algorithm(product, a, b, algorithm, out[0])
    return bilinear(product, a, b, out[0])


@rule("stablehlo.dot")
def dot(a: Any, b: Any, *, precision_config: Any = None, out: Any) -> Any:
    if any(len(x.shape) not in (1, 2) for x in (a, b)):
        raise ValueError("takes vectors and matrices")
    return bilinear(partial(contract, matrix_dot(len(a.shape))), a, b, out[0])


# ---------------------------------------------------------------- einsum


def diagonal(x: Tensor, i: int, j: int) -> Tensor:
    """The elements whose indices on two axes, i before j, are equal, along axis i."""
    if x.shape[i] != x.shape[j]:
        raise ValueError(f"repeats a label for dimensions of {x.shape[i]} and {x.shape[j]}")
    n, rest = int(x.shape[i]), [d for d in range(len(x.shape)) if d not in (i, j)]
    flat = x.permute((*rest, i, j)).reshape(*(x.shape[d] for d in rest), n * n)
    # In rows that are one longer, the diagonal is the first column.
    picked = flat.pad((*((0, 0) for _ in rest), (0, n))).reshape(*(x.shape[d] for d in rest), n, n + 1)[..., 0]
    return picked.permute((*range(i), len(rest), *range(i, len(rest))))


def summed(x: Tensor, labels: Sequence[str], kept: Sequence[str]) -> tuple[Tensor, list[str]]:
    """A term with each label once, and without those that occur nowhere else."""
    names = list(labels)
    for name in dict.fromkeys(labels):
        while names.count(name) > 1:
            i, j = [at for at, other in enumerate(names) if other == name][:2]
            x = diagonal(x, i, j)
            del names[j]
    alone = tuple(at for at, name in enumerate(names) if name not in kept)
    if alone and 0 in x.shape:
        x = repeated(0, [size for d, size in enumerate(shape_of(x)) if d not in alone], x.dtype)
    elif alone:
        x = x.max(alone) if x.dtype == dtypes.bool else x.sum(alone, dtype=x.dtype)
    return x, [name for name in names if name in kept]


def squeezed(x: Tensor, labels: Sequence[str], other: Mapping[str, int]) -> tuple[Tensor, list[str]]:
    """A term without the "..." dimensions of size 1 that are larger in the other term, which is broadcasting."""
    drop = [d for d, name in enumerate(labels) if name.isdigit() and x.shape[d] == 1 and other.get(name, 1) != 1]
    shape = [size for d, size in enumerate(shape_of(x)) if d not in drop]
    return x.reshape(shape), [name for d, name in enumerate(labels) if d not in drop]


@rule("stablehlo.einsum")
def einsum(a: Any, b: Any, *, einsum_config: str, out: Any) -> Any:
    """The sum over all labels that the result does not have, as TensorFlow writes it."""
    (left, right), result = einsum_terms(einsum_config, [len(a.shape), len(b.shape)])

    def product(x: Tensor, y: Tensor) -> Tensor:
        sizes_x, sizes_y = dict(zip(left, shape_of(x))), dict(zip(right, shape_of(y)))
        x, p = summed(*squeezed(x, left, sizes_y), [*right, *result])
        y, q = summed(*squeezed(y, right, sizes_x), [*p, *result])
        x, p = summed(x, p, [*q, *result])
        shared = [name for name in p if name in q]
        batch, contracting = ([name for name in shared if (name in result) == is_batch] for is_batch in (True, False))
        places = (tuple(term.index(name) for name in names) for names in (batch, contracting) for term in (p, q))
        order = batch + [name for name in (*p, *q) if name not in shared]
        found = contract(DotNumbers(*places), x, y)
        return found.permute(tuple(order.index(name) for name in result))

    return bilinear(product, a, b, out[0])


@rule("stablehlo.unary_einsum")
def unary_einsum(x: Any, *, einsum_config: str) -> Any:
    (labels,), result = einsum_terms(einsum_config, [len(x.shape)])

    def linear(t: Tensor) -> Tensor:
        found, names = summed(t, labels, result)
        return found.permute(tuple(names.index(name) for name in result))

    return x.each(linear) if isinstance(x, Complex) else wrapping(lambda t, _: linear(t))(x, x)


# ---------------------------------------------------------------- ragged_dot


@rule("chlo.ragged_dot")
def ragged_dot(
    a: Any,
    b: Any,
    group_sizes: Tensor,
    *,
    ragged_dot_dimension_numbers: Mapping[str, Sequence[int]],
    precision_config: Any = None,
    out: Any,
) -> Any:
    """A dot_general one of whose dimensions is cut into groups that follow each other.

    Along a free dimension of lhs, each group has a matrix of rhs of its own; along a contracting dimension, each group
    has a result of its own; along a batching dimension nothing changes.
    """
    numbers, rank = ragged_dot_dimension_numbers, len(a.shape)
    ragged, groups = list(numbers["lhs_ragged_dimensions"]), list(numbers["rhs_group_dimensions"])
    plain = decode_dot(numbers)
    rows, columns = plain.lhs_free(rank), plain.rhs_free(len(b.shape))
    if len(ragged) != 1 or not 0 <= ragged[0] < rank:
        raise ValueError(f"has the ragged dimensions {ragged}, expected one of lhs")
    (axis,), count = ragged, int(group_sizes.shape[-1])
    free = axis in rows
    if len(groups) != free or any(d not in columns or int(b.shape[d]) != count for d in groups):
        raise ValueError(
            f"has the group dimensions {groups}, expected {'one' if free else 'none'} of rhs of size {count}"
        )
    # The dimensions of lhs for which groups differ; one row of sizes stands for all of them.
    outer = plain.lhs_contracting if axis in plain.lhs_contracting else rows if free else ()
    before = (*plain.lhs_batching, *outer)
    prefix = before[: before.index(axis)]
    sizes = [int(a.shape[d]) for d in prefix]
    if len(group_sizes.shape) != 1 and shape_of(group_sizes)[:-1] != sizes:
        raise ValueError(f"has group sizes of shape {shape_of(group_sizes)}, expected {[*sizes, count]}")
    if axis in plain.lhs_batching:
        return bilinear(partial(contract, plain), a, b, out[0])
    member = membership(group_sizes, int(a.shape[axis]))  # [prefix…, place on the axis, group]
    if len(group_sizes.shape) == 1:
        prefix = ()

    def placed(dimensions: Sequence[int], rank: int) -> Tensor:
        """`member` with its axes at these dimensions of an operand, the group last."""
        order = sorted(range(len(dimensions)), key=lambda i: dimensions[i])
        shape = [int(member.shape[dimensions.index(d)]) if d in dimensions else 1 for d in range(rank)]
        return member.permute((*order, len(order))).reshape(*shape, count)

    if free:

        def product(x: Tensor, y: Tensor) -> Tensor:
            every = contract(plain, x, y)  # with the groups among the free dimensions of rhs
            at = len(plain.lhs_batching) + len(rows)
            group = at + columns.index(groups[0])
            mask = placed([*prefix, axis], rank).permute((*plain.lhs_batching, *rows, *plain.lhs_contracting, rank))
            mask = mask.reshape(*mask.shape[:at], *(count if d == group else 1 for d in range(at, len(every.shape))))
            chosen = mask.where(every, every.const_like(0))
            return chosen.sum(group, dtype=x.dtype) if x.dtype != dtypes.bool else chosen.max(group)

    else:
        lhs_batching, rhs_batching = (rank, *plain.lhs_batching), (len(b.shape), *plain.rhs_batching)
        split = replace(plain, lhs_batching=lhs_batching, rhs_batching=rhs_batching)
        pairs = dict(zip((*lhs_batching, *plain.lhs_contracting), (*rhs_batching, *plain.rhs_contracting), strict=True))

        def product(x: Tensor, y: Tensor) -> Tensor:
            wide = [t.unsqueeze(-1) for t in (x, y)]
            places = ([*prefix, axis], [pairs[d] for d in (*prefix, axis)])
            x, y = (placed(at, len(t.shape) - 1).where(t, t.const_like(0)) for t, at in zip(wide, places))
            return contract(split, x, y)

    return bilinear(product, a, b, out[0])


def membership(group_sizes: Tensor, length: int) -> Tensor:
    """Which places on an axis of a length belong to which group: [prefix…, place, group]."""
    ends = group_sizes.cast(dtypes.int64).cumsum(-1)
    place = Tensor.arange(length, dtype=dtypes.int32).cast(dtypes.int64).reshape(-1, 1)
    starts = (ends - group_sizes.cast(dtypes.int64)).unsqueeze(-2)
    return (place < ends.unsqueeze(-2)) & (place < starts).logical_not()
