"""The properties of ops: attributes in the order of their names.

A registered op's properties are references to attributes without names; the names are those in the op's row. Since
version 6, the sizes of groups of operands or results are numbers at the end.
"""

from __future__ import annotations

from functools import cache
from itertools import combinations
from typing import NamedTuple

from ...errors import ParseError
from ...ir import Attribute, DenseArrayAttr, DictAttr, ScalarType
from ...ops import Schema, schema_of
from ...syntax.pretty import op_name
from . import upgrade
from .file import SEGMENT_SIZES, Entry

I32 = ScalarType("i32")
MOST_INDEX_BITS = 8
# VHLO has one more version of these ops than their attributes show: their operands or regions changed.
REVISED = ("all_gather", "all_reduce", "all_to_all", "composite")


class Property(NamedTuple):
    """An attribute of an op: its name, whether it may be missing; if it holds the sizes of groups, how many groups."""

    name: str
    optional: bool
    segments: int


def variants(name: str) -> list[list[Property]] | None:
    """The lists of properties that a writer may have used for an op, today's first; None if the op is unknown.

    They differ in length, so that the length of an op's encoding tells which one was used.
    """
    if match := upgrade.VERSIONED.fullmatch(name):
        schema = schema_of(upgrade.op_name(name, False))
        known = ages(schema, True) if schema else []
        return known if int(match[2]) <= len(known) + (match[1] in REVISED) else None
    schema = schema_of(name) or schema_of(op_name(name))
    return ages(schema, False) if schema else None


@cache
def ages(schema: Schema, is_portable: bool) -> list[list[Property]]:
    """An op's properties today, and before each of the versions that changed them."""
    attributes = upgrade.flatten(schema) if is_portable else schema.attributes
    versions = {kind.since or kind.until for kind in (*attributes.values(), *schema.former.values())} - {""}
    by_length: dict[int, list[Property]] = {}
    for count in range(len(versions) + 1):
        for later in combinations(sorted(versions), count):
            kinds = {name: kind for name, kind in attributes.items() if kind.since not in later}
            kinds |= {name: kind for name, kind in schema.former.items() if kind.until in later}
            listed = [Property(name, not kind.required, kind.segments) for name, kind in sorted(kinds.items())]
            by_length.setdefault(len(listed), listed)
    return list(by_length.values())


def read_properties(entry: Entry, name: str, registered: bool) -> dict[str, Attribute]:
    """An op's properties as attributes; ParseError if they do not fit the op."""
    if not registered:
        dictionary = entry.attribute()
        if not isinstance(dictionary, DictAttr):
            entry.fail(f"{name}: its properties are not a dictionary")
        return dict(dictionary.items)
    known = variants(name)
    if known is None:
        entry.fail(
            f"{name}: this op's properties are not known here; write the module as text, or as a portable artifact"
        )
    begin, first = entry.at, None
    for variant in known:
        entry.at = begin
        try:
            attributes = _read(entry, variant)
            if not entry.left():
                return attributes
            entry.fail(f"{name}: {entry.left()} bytes of its properties are left over")
        except ParseError as error:
            first = first or error
    assert first is not None
    raise first


def _read(entry: Entry, variant: list[Property]) -> dict[str, Attribute]:
    attributes: dict[str, Attribute] = {}
    native = entry.file.version >= SEGMENT_SIZES
    for name, optional, segments in variant:
        if segments and native:
            continue
        value = entry.optional_attribute() if optional else entry.attribute()
        if value is not None:
            attributes[name] = value
    for name, _, segments in variant:
        if segments and native:
            attributes[name] = DenseArrayAttr(I32, tuple(_sizes(entry, segments)))
    return attributes


def _sizes(entry: Entry, segments: int) -> list[int]:
    """The sizes of segments: all of them or, if most are zero, numbers that combine an index and a size."""
    sizes = [0] * segments
    count, sparse = entry.flagged_varint()
    if count > segments:
        entry.fail(f"found {count} segment sizes, expected at most {segments}")
    bits = entry.varint() if sparse and count else 0
    if bits > MOST_INDEX_BITS:
        entry.fail(f"found indices of {bits} bits, expected at most {MOST_INDEX_BITS}")
    for i in range(count):
        value = entry.varint()
        index = value & ((1 << bits) - 1) if sparse else i
        if index >= segments:
            entry.fail(f"there is no segment {index}: the op has {segments}")
        sizes[index] = value >> bits
    return sizes
