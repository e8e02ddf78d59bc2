"""The attributes and types of VHLO, the versioned form of StableHLO, by the codes of its VhloBytecode.cpp.

They become the StableHLO and builtin attributes and types that they stand for.
"""

from __future__ import annotations

from collections.abc import Callable

from ... import ir
from . import builtin
from .file import Entry, make_reader
from .stablehlo import axis, bounds, fields, keyword, mesh, mesh_axis, replica_groups, result_accuracy, sub_axis

I32 = ir.ScalarType("i32")


def boolean(entry: Entry) -> ir.BoolAttr:
    at, value = entry.at, entry.varint()
    if value > 1:
        entry.fail(f"expected 0 or 1 for a boolean, found {value}", at)
    return ir.BoolAttr(bool(value))


def mesh_axes(entry: Entry) -> ir.Attribute:
    mesh, axes = entry.attribute(), entry.attribute()
    items = axes.items if isinstance(axes, ir.ArrayAttr) else ()
    return replica_groups(entry, ir.SymbolAttr((mesh.value,)) if isinstance(mesh, ir.StringAttr) else mesh, items)


ATTRIBUTES: dict[int, Callable[[Entry], ir.Attribute]] = {
    1: lambda entry: ir.ArrayAttr(tuple(entry.attributes())),
    2: boolean,
    3: keyword("comparison_direction"),
    4: keyword("comparison_type"),
    5: lambda entry: ir.IntegerAttr(entry.varint(), I32),  # the version of the calling convention of custom calls
    6: builtin.dictionary,
    7: keyword("fft_type"),
    8: lambda entry: builtin.float_attribute(entry, entry.type()),
    9: lambda entry: builtin.integer_attribute(entry, entry.type()),
    10: fields("output_operand_alias"),
    11: keyword("precision"),
    12: keyword("rng_algorithm"),
    13: keyword("rng_distribution"),
    14: lambda entry: ir.StringAttr(entry.string()),
    15: builtin.dense_elements,
    16: keyword("transpose"),
    17: lambda entry: ir.TypeAttr(entry.type()),
    18: bounds,
    19: keyword("result_accuracy_mode"),
    20: result_accuracy,
    21: lambda entry: sub_axis(entry.signed_varint(), entry.signed_varint()),
    22: lambda entry: axis(entry, builtin.text_of(entry), entry.attribute() if entry.varint() else None),
    23: mesh_axes,
    24: lambda entry: mesh_axis(entry, builtin.text_of(entry), entry.signed_varint()),
    25: lambda entry: mesh(entry, entry.attribute(), entry.optional_attribute()),
}
attribute = make_reader("vhlo", ATTRIBUTES)

SCALARS = {
    0: "i1",
    2: "bf16",
    3: "f16",
    4: "f32",
    5: "f64",
    6: "f8E4M3FN",
    7: "f8E5M2",
    9: "index",
    **dict(enumerate("i4 i8 i16 i32 i64 ui4 ui8 ui16 ui32 ui64".split(), 10)),
    27: "f8E4M3FNUZ",
    28: "f8E5M2FNUZ",
    29: "f8E4M3B11FNUZ",
    31: "i2",
    32: "ui2",
    **dict(enumerate("tf32 f8E4M3 f8E3M4 f4E2M1FN f6E2M3FN f6E3M2FN f8E8M0FNU".split(), 34)),
}
TYPES: dict[int, Callable[[Entry], ir.Type]] = {
    **{code: builtin.named(name) for code, name in SCALARS.items()},
    1: lambda entry: ir.ComplexType(builtin.scalar(entry)),
    8: builtin.function,
    20: builtin.tensor,
    21: builtin.encoded_tensor,
    22: lambda entry: ir.TokenType(),
    23: lambda entry: ir.TupleType(entry.types()),
    24: builtin.uniform,
    25: lambda entry: ir.UnrankedTensorType(builtin.element(entry)),
    26: lambda entry: ir.OpaqueType("!shape.witness"),
    30: builtin.uniform_per_axis,
    33: lambda entry: ir.OpaqueType("none"),
    41: builtin.memref,
    42: lambda entry: ir.FutureType(entry.types()),
}
type = make_reader("vhlo", TYPES, "type")
