"""StableHLO's attributes with fields, and its enumerations."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from .attributes import CONV_FIELDS, CONV_LETTERS, DialectAttr
from .dimensions import GATHER_FIELDS, SCATTER_FIELDS

# The keywords in the order of their numbers in bytecode; '' for a number without a keyword.
ENUMERATIONS: dict[str, tuple[str, ...]] = {
    "comparison_direction": ("EQ", "NE", "GE", "GT", "LE", "LT"),
    "comparison_type": ("NOTYPE", "FLOAT", "TOTALORDER", "SIGNED", "UNSIGNED", "WEAKORDER"),
    "fft_type": ("FFT", "IFFT", "RFFT", "IRFFT"),
    "precision": ("DEFAULT", "HIGH", "HIGHEST"),
    "rng_algorithm": ("DEFAULT", "THREE_FRY", "PHILOX"),
    "rng_distribution": ("", "UNIFORM", "NORMAL"),
    "transpose": ("TRANSPOSE_INVALID", "NO_TRANSPOSE", "TRANSPOSE", "ADJOINT"),
    "result_accuracy_mode": ("DEFAULT", "HIGHEST", "TOLERANCE"),
}


def enum(name: str, keyword: str, dialect: str = "stablehlo") -> DialectAttr:
    """#stablehlo<comparison_direction EQ>."""
    return DialectAttr(dialect, name, {}, keyword)


class Field(NamedTuple):
    """A field: its type, its default (None if it is required), the version that introduced it."""

    type: type
    default: Any = None
    since: str = ""


LIST = Field(list, [])
DOT = {f"{side}_{kind}_dimensions": LIST for kind in ("batching", "contracting") for side in ("lhs", "rhs")}


def index_fields(names: Sequence[str]) -> dict[str, Field]:
    """The fields of a gather or a scatter: lists, of which those for batching dimensions are newer, and a number."""
    *lists, number = names
    return {name: Field(list, [], "1.1.0" if "batching" in name else "") for name in lists} | {number: Field(int, 0)}


STRUCTURES: dict[str, dict[str, Field]] = {
    "dot": DOT,
    "ragged_dot": {**DOT, "lhs_ragged_dimensions": LIST, "rhs_group_dimensions": LIST},
    "gather": index_fields(GATHER_FIELDS),
    "scatter": index_fields(SCATTER_FIELDS),
    "conv": {name: Field(list if name.endswith("dimensions") else int) for names in CONV_FIELDS for name in names},
    "channel_handle": {"handle": Field(int), "type": Field(int)},
    "output_operand_alias": {"output_tuple_indices": LIST, "operand_index": Field(int), "operand_tuple_indices": LIST},
    "dot_algorithm": {
        "lhs_precision_type": Field(str),
        "rhs_precision_type": Field(str),
        "accumulation_type": Field(str),
        "lhs_component_count": Field(int),
        "rhs_component_count": Field(int),
        "num_primitive_operations": Field(int),
        "allow_imprecise_accumulation": Field(bool),
    },
    "result_accuracy": {
        "atol": Field(float, 0.0),
        "rtol": Field(float, 0.0),
        "ulps": Field(int, 0),
        "mode": Field(DialectAttr),
    },
    "bounds": {"bounds": Field(list)},
}


def struct(dialect: str, name: str, fields: Mapping[str, Any]) -> DialectAttr:
    """An attribute with fields, with defaults for those left out; an attribute of mhlo becomes StableHLO's.

    Raises:
        ValueError: a field is unknown, missing, or not of its type.
    """
    known = STRUCTURES[name]
    for field in fields:
        if field not in known:
            raise ValueError(f"#{dialect}.{name} has no field '{field}'; it has {', '.join(known)}")
    values: dict[str, Any] = {}
    for field, expected in known.items():
        if field not in fields and expected.default is None:
            raise ValueError(f"#{dialect}.{name} lacks the field '{field}'")
        values[field] = fields.get(field, expected.default)
        if type(values[field]) is not expected.type:
            raise ValueError(
                f"the field '{field}' of #{dialect}.{name} must be of type {expected.type.__name__.lower()}"
            )
    if name == "conv":
        for names in CONV_FIELDS:
            places = [values[names[0]], values[names[1]], *values[names[2]]]
            if sorted(places) != list(range(len(places))):
                raise ValueError(f"{', '.join(names)} must be 0, 1, … in some order, found {places}")
    return DialectAttr("stablehlo" if dialect == "mhlo" else dialect, name, values)


def dim_numbers(text: str) -> DialectAttr:
    """#stablehlo.conv from [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f].

    Raises:
        ValueError: a letter or a number is missing or repeated.
    """
    fields: dict[str, Any] = {}
    parts = re.findall(r"\[([^\]]*)\]", text)
    if len(parts) != len(CONV_FIELDS):
        raise ValueError("expected the dimensions of a convolution, such as [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]")
    for part, names, letters in zip(parts, CONV_FIELDS, CONV_LETTERS, strict=True):
        items = [item.strip() for item in part.split(",") if item.strip()]
        spatial = sorted((item for item in items if item.isdigit()), key=int)
        if [int(item) for item in spatial] != list(range(len(spatial))) or any(items.count(c) != 1 for c in letters):
            raise ValueError(f"[{part}] needs each of {letters[0]}, {letters[1]} and 0, 1, … once")
        fields[names[0]], fields[names[1]] = items.index(letters[0]), items.index(letters[1])
        fields[names[2]] = [items.index(item) for item in spatial]
    return DialectAttr("stablehlo", "conv", fields)
