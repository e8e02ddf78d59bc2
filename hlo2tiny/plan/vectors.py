"""Products of vectors, and those of few terms, as sums, which GPUs compute in the kernels of what is before and after.

A library takes as long for the product of two vectors as for a small matrix, reads a long matrix again for each of
several vectors of few terms, and stores products of few terms, which takes longer than computing them.
"""

from __future__ import annotations

from math import prod

from ..ir import Op, ScalarType
from ..ir.dimensions import dot_numbers
from ..ops.build import Builder, stablehlo
from .gemm import FEW_COLUMNS, INTEGERS, NARROW, element_name, is_product

# The types that numbers are multiplied and added up in.
TYPES = {**dict.fromkeys((*NARROW, "f32"), "f32"), **{name: name for name in ("f64", *INTEGERS)}}
# Products of at most so many terms take no longer than what stores them.
MOST_TERMS = 4


def sum_products(op: Op) -> tuple[Op, ...]:
    """A dot of vectors, of few terms of a vector and a matrix that has these apart, or of MOST_TERMS, as a sum; or the
    op itself."""
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
    (short, batching, contracting), (long, *_, apart) = sorted(sides, key=lambda side: side[0].size)
    terms = prod(short.shape[d] for d in contracting)
    rows = short.size // (terms * prod(short.shape[d] for d in batching))
    is_apart = terms <= FEW_COLUMNS and len(long.shape) - 1 not in apart
    if (rows > 1 or not (long.size == short.size or is_apart)) and not (terms <= MOST_TERMS and rows > FEW_COLUMNS):
        return (op,)
    element = ScalarType(TYPES[element_name(op.results[0])])
    sizes, moved, count = [*result.shape, *(left.shape[d] for d in numbers.lhs_contracting)], [], len(batching)
    begin, last = count, len(result.shape)
    for term, batching, contracting in sides:
        others = [d for d in range(len(term.shape)) if d not in (*batching, *contracting)]
        places = [*range(count), *range(begin, begin + len(others)), *range(last, len(sizes))]
        begin += len(others)
        moved.append(term.to(element).transpose([*batching, *others, *contracting]).broadcast(sizes, places))
    total = (moved[0] * moved[1]).sum(range(last, len(sizes))).to(result.element)
    stablehlo.reshape(total, type=result.type)
    return b.ops_for(op)
