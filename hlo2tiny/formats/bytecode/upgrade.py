"""VHLO's ops → StableHLO's. What VHLO keeps in several plain attributes is one with fields; defaults are left out.

Every version of an op has the attributes of today's or fewer; what is lacking is a default.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from ... import ir
from ...ir.structures import STRUCTURES, struct
from ...ops import Schema, schema_of
from ...ops.attributes import FLAG, MISSING, SYMBOL, SYMBOLS, Kind
from ...syntax.pretty import modernise

VERSIONED = re.compile(r"vhlo\.(.+)_v(\d+)")
FUNCTIONS = {"func": "func.func", "call": "func.call"}
# Which attributes VHLO has of the func dialect's ops.
OWN = {
    "func.func": ("arg_attrs", "function_type", "res_attrs", "sym_name", "sym_visibility"),
    "func.call": ("callee",),
}
# The structures whose fields are attributes of their own.
SPREAD = ("conv", "dot", "dot_algorithm", "gather", "scatter")
NONE = ir.TypeAttr(ir.OpaqueType("none"))


def op_name(name: str, in_function: bool) -> str:
    """The name in StableHLO of an op of VHLO; the op around a return says of which dialect that is."""
    match = VERSIONED.fullmatch(name)
    if match is None:
        return name
    if match[1] == "return":
        return "func.return" if in_function else "stablehlo.return"
    return FUNCTIONS.get(match[1]) or f"stablehlo.{match[1]}"


def spread(schema: Schema) -> dict[str, Kind]:
    """The attributes that VHLO has in the place of an op's of StableHLO: none is left out."""
    found: dict[str, Kind] = {}
    for name, kind in schema.attributes.items():
        required = replace(kind, default=MISSING, since="" if schema.name in OWN else kind.since)
        if kind.structure in SPREAD:
            for field, (_, _, since) in STRUCTURES[kind.structure].items():
                found[field] = replace(required, since=kind.since or since)
        elif kind.structure == "channel_handle":
            found["channel_id"] = required
            if kind.required:
                found["channel_type"] = required
        elif schema.name not in OWN or name in OWN[schema.name]:
            found[name] = required
    return found


def attributes(name: str, given: Mapping[str, ir.Attribute]) -> Mapping[str, ir.Attribute]:
    """The attributes in StableHLO of an op of VHLO, given its name in StableHLO.

    Raises:
        ValueError: one is not what the op takes.
    """
    schema = schema_of(name)
    if schema is None:
        return given
    found = {key: value for key, value in given.items() if key not in schema.former}
    for key, kind in schema.attributes.items():
        if kind.structure in SPREAD:
            fields = {field: found.pop(field) for field in STRUCTURES[kind.structure] if field in found}
            if kind.required or (fields and next(iter(fields.values())) != NONE):
                found[key] = struct("stablehlo", kind.structure, {k: plain(v) for k, v in fields.items()})
        elif kind.structure == "channel_handle" and "channel_id" in found:
            handle, type = plain(found.pop("channel_id")), found.pop("channel_type", None)
            if handle or type is not None:
                parts = {"handle": handle, "type": 0 if type is None else plain(type)}
                found[key] = struct("stablehlo", kind.structure, parts)
        elif key in found:
            found[key] = translated(kind, found[key])
    if name == "func.func":
        empty = (ir.StringAttr(""), ir.ArrayAttr(()))
        found = {key: value for key, value in found.items() if value not in empty}
    return schema.without_defaults(modernise(name, found))


def translated(kind: Kind, attribute: ir.Attribute) -> ir.Attribute:
    """An attribute of a kind that VHLO writes with another: flags are booleans there, functions' names strings."""
    if kind.decode is FLAG.decode and isinstance(attribute, ir.BoolAttr):
        return kind.encode(attribute.value)
    if kind.decode is SYMBOL.decode and isinstance(attribute, ir.StringAttr):
        return ir.SymbolAttr((attribute.value,))
    if kind.decode is SYMBOLS.decode and isinstance(attribute, ir.ArrayAttr):
        return ir.ArrayAttr(tuple(translated(SYMBOL, item) for item in attribute.items))
    return attribute


def plain(attribute: ir.Attribute) -> Any:
    """A number, a list of numbers, or a type's text, as attributes with fields have them."""
    match attribute:
        case ir.IntegerAttr(value) | ir.BoolAttr(value):
            return value
        case ir.DenseAttr(data=data) if data.ndim <= 1 and data.size <= 1024:
            return data.tolist()
        case ir.TypeAttr(type):
            return str(type)
    raise ValueError("expected a number, a list of numbers, or a type")
