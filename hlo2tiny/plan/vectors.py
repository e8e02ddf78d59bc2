"""Products of vectors as sums, which GPUs compute in the kernels of what is before and after them.

A library takes as long for the product of two vectors as for a small matrix, and reads a long matrix again for each of
several vectors of few terms.
"""

from __future__ import annotations

from math import prod

from ..ir import Op, ScalarType
from ..ir.dimensions import dot_numbers
from ..ops.build import Builder, stablehlo
from .gemm import FEW_COLUMNS, NARROW, element_name, is_product

# The types that numbers are multiplied and added up in.
TYPES = {**dict.fromkeys((*NARROW, "f32"), "f32"), "f64": "f64"}


def sum_products(op: Op) -> tuple[Op, ...]:
    """A dot of vectors, or of a vector of few terms and a matrix that has these apart, as a sum; or the op itself."""
    if not is_product(op) or any(element_name(v) not in TYPES for v in (*op.operands, *op.results)):
        return (op,)
    b, numbers = Builder(op.location), dot_numbers(op)
    (left, right), result = map(b.term, op.operands), b.term(op.results[0])
    if not all(isinstance(size, int) for term in (left, right) for size in term.shape):
        return (op,)
    sides = [
        (left, numbers.lhs_batching, numbers.lhs_contracting),
        (right, numbers.rhs_batching, numbers.rhs_contracting),
    ]
    sides.sort(key=lambda side: side[0].size)
    (short, *_), (long, batching, contracting) = sides
    batch, terms = (prod(long.shape[d] for d in some) for some in (batching, contracting))
    is_apart = terms <= FEW_COLUMNS and len(long.shape) - 1 not in contracting
    if short.size > batch * terms or not (long.size == short.size or is_apart):
        return (op,)
    element = ScalarType(TYPES[element_name(op.results[0])])
    moved = []
    for term, batching, contracting in sides:
        others = [d for d in range(len(term.shape)) if d not in (*batching, *contracting)]
        moved.append(term.to(element).transpose([*batching, *others, *contracting]))
    short, long = moved
    count, last = len(batching), len(long.shape) - len(contracting)
    kept = [*range(count), *range(last, len(long.shape))]
    products = short.reshape([long.shape[d] for d in kept]).broadcast(long.shape, kept) * long
    total = products.sum(range(last, len(long.shape))).to(result.element)
    stablehlo.reshape(total, type=result.type)
    return b.ops_for(op)
