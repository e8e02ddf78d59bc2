"""The attributes and types of StableHLO and CHLO, by the codes of StablehloBytecode.cpp and ChloBytecode.cpp."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from ...errors import ParseError
from ...ir import ArrayAttr, Attribute, DialectAttr, FutureType, TokenType, Type
from ...ir.structures import ENUMERATIONS, STRUCTURES, enum, struct
from .builtin import UNKNOWN_SIZE, double, print_attribute
from .file import Entry, make_reader


def keyword(name: str, dialect: str = "stablehlo") -> Callable[[Entry], DialectAttr]:
    """The reader of an enumeration."""

    def read(entry: Entry) -> DialectAttr:
        at, number = entry.at, entry.varint()
        words = ENUMERATIONS[name]
        if number >= len(words) or not words[number]:
            entry.unknown(f"there is no known {name} with the number {number}", at)
        return enum(name, words[number], dialect)

    return read


def fields(name: str) -> Callable[[Entry], DialectAttr]:
    """The reader of an attribute with fields: numbers and lists, in order. Older files may lack some fields."""
    known = STRUCTURES[name]
    first = [key for key, field in known.items() if not field.since]

    def values(entry: Entry, names: Sequence[str]) -> dict[str, int | list[int]]:
        return {key: entry.signed_list() if known[key].type is list else entry.signed_varint() for key in names}

    def read(entry: Entry) -> DialectAttr:
        begin = entry.at
        try:
            numbers = values(entry, list(known))
        except ParseError:
            if len(first) == len(known):
                raise
            entry.at = begin
            numbers = values(entry, first)
        return struct("stablehlo", name, numbers)

    return read


def bounds(entry: Entry) -> DialectAttr:
    sizes = [None if size == UNKNOWN_SIZE else size for size in entry.signed_list()]
    return struct("stablehlo", "bounds", {"bounds": sizes})


def result_accuracy(entry: Entry) -> DialectAttr:
    atol, rtol, ulps, mode = double(entry), double(entry), entry.signed_varint(), entry.attribute()
    return struct("stablehlo", "result_accuracy", {"atol": atol, "rtol": rtol, "ulps": ulps, "mode": mode})


def dot_algorithm(entry: Entry) -> DialectAttr:
    types, counts = [str(entry.type()) for _ in range(3)], [entry.signed_varint() for _ in range(3)]
    values = [*types, *counts, bool(entry.byte())]
    return struct("stablehlo", "dot_algorithm", dict(zip(STRUCTURES["dot_algorithm"], values)))


# Replica groups by the axes of a mesh are kept as text, since no rule reads them. VHLO encodes the same parts.


def replica_groups(entry: Entry, mesh: Attribute, axes: Sequence[Attribute]) -> DialectAttr:
    text = (
        f"mesh = {print_attribute(entry, mesh)}, axes = [{', '.join([print_attribute(entry, axis) for axis in axes])}]"
    )
    return DialectAttr("stablehlo", "replica_group_mesh_axes", {}, text)


def sub_axis(before: int, size: int) -> DialectAttr:
    return DialectAttr("stablehlo", "sub_axis_info", {}, f"({before}){size}")


def axis(entry: Entry, name: str, part: Attribute | None) -> DialectAttr:
    text = f"name = {entry.quote_text(name)}"
    if isinstance(part, DialectAttr):
        entry.spend(len(part.text))
        text += f", sub_axis_info = {part.text}"
    return DialectAttr("stablehlo", "axis_ref", {}, text)


def mesh_axis(entry: Entry, name: str, size: int) -> DialectAttr:
    return DialectAttr("stablehlo", "mesh_axis", {}, f"name = {entry.quote_text(name)}, size = {size}")


def mesh(entry: Entry, axes: Attribute, devices: Attribute | None) -> DialectAttr:
    parts = [part.text for part in axes.items if isinstance(part, DialectAttr)] if isinstance(axes, ArrayAttr) else []
    entry.spend(sum(map(len, parts)))
    text = f"axes=[{', '.join(f'<{part}>' for part in parts)}]"
    text += f", device_ids={print_attribute(entry, devices)}" if devices is not None else ""
    return DialectAttr("stablehlo", "mesh", {}, text)


ATTRIBUTES: dict[int, Callable[[Entry], Attribute]] = {
    1: fields("channel_handle"),
    2: keyword("comparison_direction"),
    3: keyword("comparison_type"),
    4: fields("conv"),
    5: fields("dot"),
    6: keyword("fft_type"),
    7: fields("gather"),
    8: keyword("precision"),
    9: keyword("rng_algorithm"),
    10: keyword("rng_distribution"),
    11: fields("scatter"),
    12: keyword("transpose"),
    13: bounds,
    14: fields("output_operand_alias"),
    15: dot_algorithm,
    16: keyword("result_accuracy_mode"),
    17: result_accuracy,
    18: lambda entry: replica_groups(entry, entry.attribute(), entry.attributes()),
    19: lambda entry: sub_axis(entry.signed_varint(), entry.signed_varint()),
    20: lambda entry: axis(entry, entry.string(), entry.attribute() if entry.byte() else None),
    21: lambda entry: mesh_axis(entry, entry.string(), entry.signed_varint()),
    22: lambda entry: mesh(entry, entry.attribute(), entry.attribute() if entry.byte() else None),
}
CHLO: dict[int, Callable[[Entry], Attribute]] = {
    0: keyword("comparison_direction", "chlo"),
    1: keyword("comparison_type", "chlo"),
}


TYPES: dict[int, Callable[[Entry], Type]] = {0: lambda entry: TokenType(), 1: lambda entry: FutureType(entry.types())}
type = make_reader("stablehlo", TYPES, "type")
