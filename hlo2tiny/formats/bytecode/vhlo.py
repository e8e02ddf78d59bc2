"""The attributes and types of VHLO, the versioned form of StableHLO, by the codes of its VhloBytecode.cpp.

They arrive as StableHLO's and the builtin ones that they stand for.
"""

from __future__ import annotations

from collections.abc import Callable

from ...ir import (
    ArrayAttr,
    Attribute,
    BoolAttr,
    DictAttr,
    FutureType,
    IntegerAttr,
    OpaqueType,
    ScalarType,
    StringAttr,
    SymbolAttr,
    TokenType,
    TupleType,
    Type,
    TypeAttr,
    UnrankedTensorType,
)
from . import builtin
from .file import Entry
from .stablehlo import axis, bounds, coded, fields, keyword, mesh, mesh_axis, replica_groups, result_accuracy, sub_axis

I32 = ScalarType("i32")


def boolean(entry: Entry) -> BoolAttr:
    at, value = entry.at, entry.varint()
    if value > 1:
        entry.fail(f"a truth value of {value}", at)
    return BoolAttr(bool(value))


def array(entry: Entry) -> ArrayAttr:
    return ArrayAttr(tuple(entry.attributes()))


def dictionary(entry: Entry) -> DictAttr:
    return DictAttr({builtin.text_of(entry): entry.attribute() for _ in range(entry.count())})


def mesh_axes(entry: Entry) -> Attribute:
    on, axes = entry.attribute(), entry.attribute()
    items = axes.items if isinstance(axes, ArrayAttr) else ()
    return replica_groups(entry, SymbolAttr((on.value,)) if isinstance(on, StringAttr) else on, items)


ATTRIBUTES: dict[int, Callable[[Entry], Attribute]] = {
    1: array,
    2: boolean,
    3: keyword("comparison_direction"),
    4: keyword("comparison_type"),
    5: lambda entry: IntegerAttr(entry.varint(), I32),  # the version of custom calls' convention
    6: dictionary,
    7: keyword("fft_type"),
    8: lambda entry: builtin.float_attribute(entry, entry.type()),
    9: lambda entry: builtin.integer_attribute(entry, entry.type()),
    10: fields("output_operand_alias"),
    11: keyword("precision"),
    12: keyword("rng_algorithm"),
    13: keyword("rng_distribution"),
    14: lambda entry: StringAttr(entry.string()),
    15: builtin.dense_elements,
    16: keyword("transpose"),
    17: lambda entry: TypeAttr(entry.type()),
    18: bounds,
    19: keyword("result_accuracy_mode"),
    20: result_accuracy,
    21: lambda entry: sub_axis(entry.signed(), entry.signed()),
    22: lambda entry: axis(entry, builtin.text_of(entry), entry.attribute() if entry.varint() else None),
    23: mesh_axes,
    24: lambda entry: mesh_axis(entry, builtin.text_of(entry), entry.signed()),
    25: lambda entry: mesh(entry, entry.attribute(), entry.optional_attribute()),
}
attribute = coded("vhlo", ATTRIBUTES)

SCALARS = {
    0: "i1",
    2: "bf16",
    3: "f16",
    4: "f32",
    5: "f64",
    6: "f8E4M3FN",
    7: "f8E5M2",
    9: "index",
    10: "i4",
    11: "i8",
    12: "i16",
    13: "i32",
    14: "i64",
    15: "ui4",
    16: "ui8",
    17: "ui16",
    18: "ui32",
    19: "ui64",
    27: "f8E4M3FNUZ",
    28: "f8E5M2FNUZ",
    29: "f8E4M3B11FNUZ",
    31: "i2",
    32: "ui2",
    34: "tf32",
    35: "f8E4M3",
    36: "f8E3M4",
    37: "f4E2M1FN",
    38: "f6E2M3FN",
    39: "f6E3M2FN",
    40: "f8E8M0FNU",
}
TYPES: dict[int, Callable[[Entry], Type]] = {
    1: builtin.complex_type,
    8: builtin.function,
    20: builtin.tensor,
    21: builtin.encoded_tensor,
    22: lambda entry: TokenType(),
    23: lambda entry: TupleType(entry.types()),
    24: builtin.uniform,
    25: lambda entry: UnrankedTensorType(builtin.element(entry)),
    26: lambda entry: OpaqueType("!shape.witness"),
    30: builtin.uniform_per_axis,
    33: lambda entry: OpaqueType("none"),
    41: builtin.memref,
    42: lambda entry: FutureType(entry.types()),
}


def type(entry: Entry) -> Type:
    at, code = entry.at, entry.varint()
    if code in SCALARS:
        return ScalarType(SCALARS[code])
    if code not in TYPES:
        entry.unknown(f"the dialect vhlo has no type of the code {code}", at)
    return TYPES[code](entry)
