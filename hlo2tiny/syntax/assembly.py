"""The ops at a file's top level → Module."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NoReturn

from .. import ir
from ..errors import Source, VerifyError

# Stands for the type of a value that is used before the block that defines it. In text, its first use states the type.
LATER = ir.OpaqueType("")


def assemble(ops: Sequence[ir.Op], source: Source) -> ir.Module:
    """The file's module: its only top-level op, or else all its ops. A module that only wraps another one is dropped.

    Raises:
        VerifyError: a function is defined twice, or its parts contradict each other.
    """
    name, attributes = "", dict[str, ir.Attribute]()
    while len(ops) == 1 and ops[0].name == "builtin.module":
        attributes = dict(ops[0].attributes)
        symbol = attributes.pop("sym_name", None)
        if not isinstance(symbol, ir.StringAttr | None):
            fail(f"sym_name is {symbol}, expected a string", ops[0])
        name = symbol.value if symbol is not None else ""
        ops = body_of(ops[0]).ops
    functions: dict[str, ir.Function] = {}
    for op in ops:
        if op.name == "func.func":
            function = function_of(op)
            if function.name in functions:
                fail(f"the function @{function.name} is defined twice", op)
            functions[function.name] = function
        elif op.name == "builtin.module":
            body_of(op)
    symbols = tuple(op for op in ops if op.name != "func.func")
    return ir.Module(name, attributes, functions, symbols, source)


def body_of(module: ir.Op) -> ir.Region:
    if len(module.regions) != 1:
        fail(f"builtin.module: has {len(module.regions)} regions, expected one", module)
    if module.regions[0].arguments:
        fail("builtin.module: its region has arguments", module)
    return module.regions[0]


VISIBILITIES = (None, *map(ir.StringAttr, ("public", "private", "nested")))


def function_of(op: ir.Op) -> ir.Function:
    attributes = dict(op.attributes)
    name, type = attributes.pop("sym_name", None), attributes.pop("function_type", None)
    visibility = attributes.pop("sym_visibility", None)
    if (
        not isinstance(name, ir.StringAttr)
        or not isinstance(type, ir.TypeAttr)
        or not isinstance(type.type, ir.FunctionType)
    ):
        fail("func.func: needs the attributes sym_name and function_type", op)
    signature = type.type
    if len(op.regions) != 1:
        fail(
            f"func.func @{name.value}: has {len(op.regions)} regions, expected one, which is empty in a declaration", op
        )
    body = op.regions[0] if op.regions[0].ops else None
    if body is not None and tuple(a.type for a in body.arguments) != signature.inputs:
        fail(f"func.func @{name.value}: the block's arguments differ from the function's type", op)
    if visibility not in VISIBILITIES:
        fail(f"func.func @{name.value}: sym_visibility is {visibility}, expected public, private or nested", op)
    return ir.Function(
        name.value,
        signature,
        body,
        visibility.value if isinstance(visibility, ir.StringAttr) else "",
        dictionaries_of(attributes.pop("arg_attrs", None), len(signature.inputs), op),
        dictionaries_of(attributes.pop("res_attrs", None), len(signature.results), op),
        attributes,
        op.location,
    )


def dictionaries_of(attribute: ir.Attribute | None, count: int, op: ir.Op) -> tuple[Mapping[str, ir.Attribute], ...]:
    """The attributes of each argument or result."""
    if attribute is None:
        return ({},) * count
    items = attribute.items if isinstance(attribute, ir.ArrayAttr) else ()
    dictionaries = tuple(item.items for item in items if isinstance(item, ir.DictAttr))
    if len(dictionaries) != count:
        fail(f"func.func: has attributes for {len(dictionaries)} arguments or results, expected {count}", op)
    return dictionaries


def fail(message: str, op: ir.Op) -> NoReturn:
    raise VerifyError(message, op.location.source, op.location.offset) from None
