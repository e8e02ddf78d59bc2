"""What is known of each op: one row an op, one file a chapter of the specification; importing this package fills `OPS`.

A row (`definition.op`) says what operands, results, attributes and regions an op has, what must hold among them, and
what passes over programs have to know of it. What it computes is its rule's; the row has that on sizes alone.
"""

from . import (  # noqa: F401  (fills OPS)
    arith,
    collectives,
    control,
    elementwise,
    indexing,
    linear_algebra,
    movement,
    normalization,
    products,
    quantization,
    random,
    reduction,
    shape,
    sharding,
    tensors,
)
from .attributes import Violation
from .definition import OPS, Definition, Schema, cost_of, find_violation, has, monoid_of, names_with, schema_of
from .traits import Cost, Monoid, Trait

__all__ = [
    "OPS",
    "Cost",
    "Definition",
    "Monoid",
    "Schema",
    "Trait",
    "Violation",
    "cost_of",
    "find_violation",
    "has",
    "monoid_of",
    "names_with",
    "schema_of",
]
