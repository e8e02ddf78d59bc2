"""VHLO's ops → StableHLO's. Groups of plain attributes become one attribute with fields; defaults are left out.

Every version of an op has today's attributes or fewer; a missing attribute has its default value.
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
# The attributes of the func dialect's ops in VHLO.
OWN = {"func.func": ("arg_attrs", "function_type", "res_attrs", "sym_name", "sym_visibility"), "func.call": ("callee",)}
# The structures whose fields are separate attributes in VHLO.
FLATTENED = ("conv", "dot", "dot_algorithm", "gather", "scatter")
NONE = ir.TypeAttr(ir.OpaqueType("none"))


def op_name(name: str, in_function: bool) -> str:
    """The StableHLO name of a VHLO op; the dialect of a return depends on the op around it."""
    match = VERSIONED.fullmatch(name)
    if match is None:
        return name
    if match[1] == "return":
        return "func.return" if in_function else "stablehlo.return"
    return FUNCTIONS.get(match[1]) or f"stablehlo.{match[1]}"


def flatten(schema: Schema) -> dict[str, Kind]:
    """The attributes of an op in VHLO, which omits none, instead of those in StableHLO."""
    kinds: dict[str, Kind] = {}
    for name, kind in schema.attributes.items():
        required = replace(kind, default=MISSING, since="" if schema.name in OWN else kind.since)
        if kind.structure in FLATTENED:
            for field, (_, _, since) in STRUCTURES[kind.structure].items():
                kinds[field] = replace(required, since=kind.since or since)
        elif kind.structure == "channel_handle":
            kinds["channel_id"] = required
            if kind.required:
                kinds["channel_type"] = required
        elif schema.name not in OWN or name in OWN[schema.name]:
            kinds[name] = required
    return kinds


def attributes(name: str, written: Mapping[str, ir.Attribute]) -> Mapping[str, ir.Attribute]:
    """A VHLO op's attributes in StableHLO; `name` is its StableHLO name. ValueError if one does not fit the op."""
    schema = schema_of(name)
    if schema is None:
        return written
    modern = {key: value for key, value in written.items() if key not in schema.former}
    for key, kind in schema.attributes.items():
        if kind.structure in FLATTENED:
            fields = {field: modern.pop(field) for field in STRUCTURES[kind.structure] if field in modern}
            if kind.required or (fields and next(iter(fields.values())) != NONE):
                modern[key] = struct("stablehlo", kind.structure, {k: plain(v) for k, v in fields.items()})
        elif kind.structure == "channel_handle" and "channel_id" in modern:
            handle, type = plain(modern.pop("channel_id")), modern.pop("channel_type", None)
            if handle or type is not None:
                parts = {"handle": handle, "type": 0 if type is None else plain(type)}
                modern[key] = struct("stablehlo", kind.structure, parts)
        elif key in modern:
            modern[key] = translate_attribute(kind, modern[key])
    if name == "func.func":
        empty = (ir.StringAttr(""), ir.ArrayAttr(()))
        modern = {key: value for key, value in modern.items() if value not in empty}
    return schema.without_defaults(modernise(name, modern))


def translate_attribute(kind: Kind, attribute: ir.Attribute) -> ir.Attribute:
    """An attribute that VHLO writes differently: flags are booleans there, names of functions are strings."""
    if kind.decode is FLAG.decode and isinstance(attribute, ir.BoolAttr):
        return kind.encode(attribute.value)
    if kind.decode is SYMBOL.decode and isinstance(attribute, ir.StringAttr):
        return ir.SymbolAttr((attribute.value,))
    if kind.decode is SYMBOLS.decode and isinstance(attribute, ir.ArrayAttr):
        return ir.ArrayAttr(tuple(translate_attribute(SYMBOL, item) for item in attribute.items))
    return attribute


def plain(attribute: ir.Attribute) -> Any:
    """The value of a field: a number, a list of numbers, or a type's text."""
    match attribute:
        case ir.IntegerAttr(value) | ir.BoolAttr(value):
            return value
        case ir.DenseAttr(data=data) if data.ndim <= 1 and data.size <= 1024:
            return data.tolist()
        case ir.TypeAttr(type):
            return str(type)
    raise ValueError("expected a number, a list of numbers, or a type")
