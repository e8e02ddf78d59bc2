"""VHLO's ops → StableHLO's. What VHLO keeps in several plain attributes is one with fields; defaults are left out.

Every version of an op has the attributes of today's or fewer; what is lacking is a default.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from ...ir import (
    ArrayAttr,
    Attribute,
    BoolAttr,
    DenseAttr,
    IntegerAttr,
    OpaqueType,
    StringAttr,
    SymbolAttr,
    TypeAttr,
    UnitAttr,
)
from ...syntax.defaults import without_defaults
from ...syntax.pretty import STRUCTS, modernise, struct

VERSIONED = re.compile(r"vhlo\.(.+)_v\d+")
FUNCTIONS = {"func": "func.func", "call": "func.call"}
# Ops of which several attributes are one in StableHLO: its name, and its kind.
GROUPS = {
    "stablehlo.convolution": ("dimension_numbers", "conv"),
    "stablehlo.dot_general": ("dot_dimension_numbers", "dot"),
    "stablehlo.dynamic_conv": ("dimension_numbers", "conv"),
    "stablehlo.dynamic_gather": ("dimension_numbers", "gather"),
    "stablehlo.gather": ("dimension_numbers", "gather"),
    "stablehlo.scatter": ("scatter_dimension_numbers", "scatter"),
}
FLAGS = ("use_global_device_ids", "has_dynamic_root")
SYMBOLS = ("callee", "decomposition", "called_computation")


def op_name(name: str, in_function: bool) -> str:
    """The name in StableHLO of an op of VHLO; the op around a return says of which dialect that is."""
    match = VERSIONED.fullmatch(name)
    if match is None:
        return name
    if match[1] == "return":
        return "func.return" if in_function else "stablehlo.return"
    return FUNCTIONS.get(match[1]) or f"stablehlo.{match[1]}"


def attributes(name: str, given: Mapping[str, Attribute]) -> Mapping[str, Attribute]:
    """The attributes in StableHLO of an op of VHLO, given its name in StableHLO.

    Raises:
        ValueError: one is not what the op takes.
    """
    found = dict(given)
    if name in GROUPS:
        key, kind = GROUPS[name]
        found[key] = struct("stablehlo", kind, {k: plain(found.pop(k)) for k in STRUCTS[kind] if k in found})
    if name == "stablehlo.dot_general":
        algorithm = {k: found.pop(k) for k in STRUCTS["dot_algorithm"] if k in found}
        if algorithm and algorithm.get("lhs_precision_type") != TypeAttr(OpaqueType("none")):
            parts = {k: plain(v) for k, v in algorithm.items()}
            found["algorithm"] = struct("stablehlo", "dot_algorithm", parts)
    if name == "stablehlo.dynamic_conv":
        found.pop("padding", None)  # the first version has it beside the operand that counts
    if "channel_id" in found:
        handle, type = plain(found.pop("channel_id")), found.pop("channel_type", None)
        if handle or type is not None:
            parts = {"handle": handle, "type": 0 if type is None else plain(type)}
            found["channel_handle"] = struct("stablehlo", "channel_handle", parts)
    for key in FLAGS:
        if found.get(key) == BoolAttr(True):
            found[key] = UnitAttr()
        elif found.get(key) == BoolAttr(False):
            del found[key]
    for key in SYMBOLS:
        if isinstance(text := found.get(key), StringAttr):
            found[key] = SymbolAttr((text.value,))
    if isinstance(called := found.get("called_computations"), ArrayAttr):
        found["called_computations"] = ArrayAttr(
            tuple(SymbolAttr((item.value,)) if isinstance(item, StringAttr) else item for item in called.items)
        )
    if name == "func.func":
        for key, empty in (
            ("sym_visibility", StringAttr("")),
            ("arg_attrs", ArrayAttr(())),
            ("res_attrs", ArrayAttr(())),
        ):
            if found.get(key) == empty:
                del found[key]
    return without_defaults(name, modernise(name, found))


def plain(attribute: Attribute) -> Any:
    """A number, a list of numbers, or a type's text, as attributes with fields have them."""
    match attribute:
        case IntegerAttr(value) | BoolAttr(value):
            return value
        case DenseAttr(data=data) if data.ndim <= 1 and data.size <= 1024:
            return data.tolist()
        case TypeAttr(type):
            return str(type)
    raise ValueError("expected a number, a list of them, or a type")
