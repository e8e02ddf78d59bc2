"""What the pretty forms leave out, derived from the rows of ops: attributes written as clauses, types not written."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from .. import ir
from ..ops import Schema, schema_of
from ..ops.attributes import plain
from ..ops.foreign import current_name
from ..ops.forms import Clause

I1, I32, I64, INDEX = ir.ScalarType("i1"), ir.ScalarType("i32"), ir.ScalarType("i64"), ir.ScalarType("index")
SHAPE, SIZE, WITNESS = (ir.OpaqueType(f"!shape.{name}") for name in ("shape", "size", "witness"))
TOKEN = ir.TokenType()
Attributes = dict[str, ir.Attribute]

# ---------------------------------------------------------------- names

# Inside func.func, the func dialect's prefix may be left out.
DEFAULT_DIALECT = {name: f"func.{name}" for name in ("call", "call_indirect", "constant", "return")}


def op_name(name: str) -> str:
    """The current name of an op, with its dialect."""
    return current_name(name) if name.startswith("mhlo.") else DEFAULT_DIALECT.get(name, str(name))


# ---------------------------------------------------------------- clauses


def integers(text: str) -> list[int]:
    """The numbers of a list such as [0, 1]."""
    body = text[1:-1].strip()
    try:
        return [int(item) for item in body.split(",")] if body else []
    except ValueError:
        raise ValueError(f"expected a list of integers, found {text}") from None


def add_clause(schema: Schema, clause: Clause, value: Any, attributes: Attributes) -> None:
    """Add the attributes that the clause `key = value` stands for; ValueError if they cannot have the value."""
    kinds = schema.written
    if clause.parts:
        if not isinstance(value, dict):
            raise ValueError(f"expected {{…}}, found {value}")
        for word, item in value.items():
            if word not in clause.parts:
                raise ValueError(f"there is no '{word}'; expected one of {', '.join(clause.parts)}")
            name = clause.parts[word]
            attributes[name] = kinds[name].encode(plain(item))
        return
    values: Sequence[Any] = value if isinstance(value, tuple) else (value,)
    if clause.pattern is not None:
        match = clause.pattern.fullmatch(str(value))
        if match is None:
            raise ValueError(f"expected {clause.example}, found {value}")
        values = [int(number) for number in match.groups()]
    if len(values) != len(clause.names):
        raise ValueError(f"expected {'two lists' if clause.names[1:] else 'one value'}, found {value}")
    for (name, field), part in zip(clause.names, values):
        if field:
            before = attributes.get(name)
            part = {**(before.fields if isinstance(before, ir.DialectAttr) else {}), field: part}
        attributes[name] = kinds[name].encode(part)


MOST_DIMENSIONS = 1 << 10


def modernise(name: str, attributes: Attributes) -> Attributes:
    """Bring an op's attributes into today's generic form."""
    schema = schema_of(name)
    if schema is None:
        return attributes
    for key, attribute in attributes.items():
        if type(attribute) is ir.DenseAttr and key in schema.lists and len(attribute.type.shape) == 1:
            if attribute.data.dtype.kind not in "biu":
                continue
            if attribute.data.size > MOST_DIMENSIONS:
                raise ValueError(f"'{key}' has {attribute.data.size} numbers, more than any tensor has dimensions")
            attributes[key] = schema.lists[key].encode(attribute.data.tolist())
    return attributes


# ---------------------------------------------------------------- types

# The types of an op's operands and results.
OpTypes = tuple[Sequence[ir.Type], Sequence[ir.Type]]


def one(count: int, written: Sequence[ir.Type]) -> OpTypes:
    """One type, of all operands and of the result."""
    if len(written) != 1:
        raise ValueError(f"expected one type, or (operand types) -> result types, found {len(written)} types")
    return [written[0]] * count, [written[0]]


def of_operands(count: int, written: Sequence[ir.Type]) -> OpTypes:
    """The operands' types, or one for all of them; there are no results."""
    return written if len(written) == count else [written[0]] * count, []


def of_tuple(count: int, written: Sequence[ir.Type]) -> OpTypes:
    if not isinstance(written[0], ir.TupleType):
        raise ValueError("expected a tuple type")
    return written[0].types, [written[0]]


def of_parts(count: int, written: Sequence[ir.Type]) -> OpTypes:
    """A complex result, whose real and imaginary parts are the operands."""
    first = written[0]
    if not isinstance(first, ir.TensorType) or not isinstance(first.element, ir.ComplexType):
        raise ValueError("expected a tensor of complex numbers")
    return [ir.TensorType(first.shape, first.element.element, first.encoding)] * count, [first]


def of_choice(count: int, written: Sequence[ir.Type]) -> OpTypes:
    """The type of a condition, and the type of the two values it selects from."""
    return ([written[0], written[1], written[1]], [written[1]]) if len(written) == 2 else one(count, written)


def of_chosen(count: int, written: Sequence[ir.Type]) -> OpTypes:
    """The same two types, or only the second if the condition is an i1."""
    return of_choice(count, written) if len(written) == 2 else ([I1, written[0], written[0]], [written[0]])


def of_compared(count: int, written: Sequence[ir.Type]) -> OpTypes:
    first = written[0]
    return [first, first], [ir.TensorType(first.shape, I1) if isinstance(first, ir.TensorType) else I1]


def of_whole(count: int, written: Sequence[ir.Type]) -> OpTypes:
    """A tensor, from which indices select an element."""
    if not isinstance(written[0], ir.TensorType | ir.UnrankedTensorType):
        return one(count, written)
    return [written[0], *[INDEX] * (count - 1)], [written[0].element]


def of_elements(count: int, written: Sequence[ir.Type]) -> OpTypes:
    """A tensor, whose elements are the operands."""
    if not isinstance(written[0], ir.TensorType):
        return one(count, written)
    return [written[0].element] * count, [written[0]]


def of_filled(count: int, written: Sequence[ir.Type]) -> OpTypes:
    """A tensor filled with its first operand; the others are its sizes."""
    if not isinstance(written[0], ir.TensorType):
        return one(count, written)
    return [written[0].element, *[INDEX] * (count - 1)], [written[0]]


def giving(type: ir.Type) -> Callable[[int, Sequence[ir.Type]], OpTypes]:
    """The operands' types; the result always has the same type."""
    return lambda count, written: (written, [type])


# What the types after the colon stand for, by the word that an op's pretty form has for it.
TYPES: dict[str, Callable[[int, Sequence[ir.Type]], OpTypes]] = {
    "": one,
    "operands": of_operands,
    "each": lambda count, written: (written, written),
    "tuple": of_tuple,
    "complex": of_parts,
    "choice": of_choice,
    "condition": of_chosen,
    "compared": of_compared,
    "dim": lambda count, written: ([written[0], INDEX], [INDEX]),
    "extract": of_whole,
    "elements": of_elements,
    "splat": of_filled,
    "extents": lambda count, written: ([INDEX] * count, [written[0]]),
    "flags": lambda count, written: ([I1] * count, []),
    "witness": giving(WITNESS),
    "i1": giving(I1),
    "shape": giving(SHAPE),
    "size": giving(SIZE),
    "index": giving(INDEX),
}


def operand_and_result_types(name: str, operands: int, written: Sequence[ir.Type]) -> OpTypes:
    """The types of an op's operands and results, from a list of types without ->; ValueError if they do not fit."""
    schema = schema_of(name)
    if schema is None:
        return (of_operands if name.endswith((".return", "yield")) else one)(operands, written)
    return TYPES[schema.pretty.types](operands, written)
