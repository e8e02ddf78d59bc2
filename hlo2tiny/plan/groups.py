"""Products of groups of rows, each with a matrix of its own, such as the experts of a language model have.

JAX writes `lax.ragged_dot` as a composite, in whose definition all rows are multiplied with the matrix of each group.
"""

from __future__ import annotations

from typing import Any

from ..ir import DialectAttr, DictAttr, Op
from ..ir.dimensions import decode_ragged_dot
from ..ir.dtypes import static_shape
from ..ir.sizes import is_open
from ..ops import Trait, has
from ..ops.attributes import plain
from .gemm import NARROW, Matrix, Product, element_name

RAGGED, NUMBERS = "chlo.ragged_dot", "ragged_dot_dimension_numbers"
# What the lists of a composite's numbers are.
LISTS = (
    "lhs_batching_dimensions", "rhs_batching_dimensions", "lhs_contracting_dimensions", "rhs_contracting_dimensions",
    "lhs_ragged_dimensions", "rhs_group_dimensions",
)  # fmt: skip


def resolve_groups(op: Op) -> Op:
    """A composite that is a product of groups of rows as that op, if it is one of `product_of_groups`."""
    attributes = plain(op.attributes.get("composite_attributes", None))
    if not has(op, Trait.CALL) or plain(op.attributes.get("name", None)) != RAGGED or NUMBERS not in (attributes or {}):
        return op
    lists = attributes[NUMBERS]
    fields: dict[str, Any] = {name: [int(d) for d in dims] for name, dims in zip(LISTS, lists)}
    items = op.attributes["composite_attributes"]
    assert isinstance(items, DictAttr)
    given = {**items.items, NUMBERS: DialectAttr("chlo", "ragged_dot", fields)}
    found = Op(RAGGED, op.operands, op.results, given, (), op.location)
    return op if len(lists) != len(LISTS) or product_of_groups(found) is None else found


def product_of_groups(op: Op) -> Product | None:
    """The product that an op is of groups of rows with a matrix each; None of other ops."""
    if op.name != RAGGED:
        return None
    numbers, ragged, groups = decode_ragged_dot(plain(op.attributes[NUMBERS]))
    shapes, names = [static_shape(v.type) for v in op.operands], [*map(element_name, (*op.operands, *op.results))]
    if len(shapes[2]) != 1 or shapes[2] == (1,) or any(is_open(n) or not n for shape in shapes for n in shape):
        return None
    element, other, sizes, result = names
    if element != other or element not in (*NARROW, "f32") or sizes != "i32" or result not in (element, "f32"):
        return None
    narrow, (count,) = "" if element == "f32" else element, shapes[2]
    pairs = numbers.lhs_batching, numbers.lhs_contracting, numbers.rhs_contracting, ragged, groups
    if len(shapes[0]) == len(shapes[1]) == 2 and pairs == ((), (0,), (0,), (0,), ()):
        (k, m), (_, n) = shapes[:2]
        return Product("s", (), m, n, k, Matrix(True, m, (), narrow), Matrix(False, n, (), narrow), groups=count)
    for is_turned in (False, True):
        if len(shapes[0]) == 2 and len(shapes[1]) == 3 and pairs == ((), (1,), (1 + is_turned,), (0,), (0,)):
            (m, k), (_, *each) = shapes[:2]
            a, b = Matrix(False, k, (), narrow), Matrix(is_turned, each[1], (), narrow)
            return Product("s", (), m, each[not is_turned], k, a, b, groups=count)
    return None
