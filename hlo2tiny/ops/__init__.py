"""The table of ops: one row per op, one file per chapter of the specification; importing this package fills `OPS`.

A row (`definition.op`) says which operands, results, attributes and regions an op has, which constraints hold between
them, and which traits other stages rely on. What the op computes is defined by its rule; the row folds only sizes.
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
from .definition import (
    OPS,
    Definition,
    Schema,
    cost_of,
    find_violation,
    flops_of,
    has,
    monoid_of,
    names_with,
    schema_of,
)
from .traits import Cost, Monoid, Trait

__all__ = ["OPS", "Cost", "Definition", "Monoid", "Schema", "Trait", "Violation"]
__all__ += ["cost_of", "find_violation", "flops_of", "has", "monoid_of", "names_with", "schema_of"]
