"""What is known of each op: one row an op, one file a chapter of the specification; importing this package fills `OPS`.

A row (`definition.op`) says what operands, results, attributes and regions an op has and what must hold among them. It
says nothing of what the op computes: that is its rule's.
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
    sharding,
    tensors,
)
from .attributes import Violation
from .definition import OPS, Definition, Schema, find_violation
from .foreign import schema_of

__all__ = ["OPS", "Definition", "Schema", "Violation", "find_violation", "schema_of"]
