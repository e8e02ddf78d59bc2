"""Shardy's attributes, by the codes of its bytecode.td, as MLIR's text for them: no rule reads them."""

from __future__ import annotations

from collections.abc import Callable

from ...ir import Attribute, DialectAttr, SymbolAttr
from .builtin import print_attribute, text_of
from .file import Entry, make_reader

REDUCTIONS = ["", "max", "min"]


def inside(entry: Entry, attribute: Attribute) -> str:
    """A Shardy attribute as part of another one's text: without its own brackets."""
    if not isinstance(attribute, DialectAttr):
        return print_attribute(entry, attribute)
    entry.spend(len(attribute.text))
    return attribute.text


def items(entry: Entry) -> str:
    return ", ".join([inside(entry, item) for item in entry.attributes()])


def manual_axes(entry: Entry) -> str:
    return f"manual_axes{{{', '.join(entry.read_list(lambda: entry.quote_text(text_of(entry))))}}}"


def mesh_axis(entry: Entry) -> str:
    return f"{entry.quote_text(entry.string())}={entry.signed_varint()}"


def mesh(entry: Entry) -> str:
    axes, devices = items(entry), entry.signed_list()
    return f"[{axes}]" + (f", device_ids=[{', '.join(map(str, devices))}]" if devices else "")


def axis(entry: Entry) -> str:
    name, part = entry.quote_text(entry.string()), entry.optional_attribute()
    return name if part is None else f"{name}:{inside(entry, part)}"


def dimension(entry: Entry) -> str:
    axes, closed = items(entry), entry.byte()
    priority, has_priority = entry.flagged_varint()
    further = "" if closed else ", ?" if axes else "?"
    return f"{{{axes}{further}}}" + (f"p{priority}" if has_priority else "")


def sharding(entry: Entry, unreduced: bool = False, reduction: bool = False) -> str:
    mesh = entry.attribute()
    on = print_attribute(entry, mesh) if isinstance(mesh, SymbolAttr) else f"mesh<{inside(entry, mesh)}>"
    text, replicated = f"{on}, [{items(entry)}]", items(entry)
    text += f", replicated={{{replicated}}}" if replicated else ""
    if unreduced:
        axes, kind = items(entry), entry.signed_varint() if reduction else 0
        if not 0 <= kind < len(REDUCTIONS):
            entry.unknown(f"there is no known reduction with the number {kind}", entry.at)
        text += f", unreduced={REDUCTIONS[kind]}{{{axes}}}"
    return text


def per_value(entry: Entry) -> str:
    return "[" + ", ".join(f"<{inside(entry, item)}>" for item in entry.attributes()) + "]"


def factor(number: int) -> str:
    """i to z, then z_1, z_2, …"""
    return chr(ord("i") + number) if 0 <= number < 17 else f"z_{number - 17}"


def rule(entry: Entry) -> str:
    sizes = ", ".join(f"{factor(i)}={size}" for i, size in enumerate(entry.signed_list()))
    text = f"({items(entry)})->({items(entry)})" + (f" {{{sizes}}}" if sizes else "")
    for name in ("reduction", "need_replication", "permutation", "blocked_propagation"):
        factors = ", ".join(map(factor, entry.signed_list()))
        text += f" {name}={{{factors}}}" if factors else ""
    return text + (", custom" if entry.byte() else "")


def all_to_all(entry: Entry) -> str:
    return f"{{{items(entry)}}}: {entry.signed_varint()}->{entry.signed_varint()}"


def make_text_reader(name: str, text: Callable[[Entry], str]) -> Callable[[Entry], Attribute]:
    """The reader of an attribute printed as #sdy.name<…> or, if the name is "", as #sdy<…>."""
    return lambda entry: DialectAttr("sdy", name, {}, text(entry))


attribute = make_reader(
    "sdy",
    {
        0: make_text_reader("", manual_axes),
        1: make_text_reader("mesh_axis", mesh_axis),
        2: make_text_reader("mesh", mesh),
        3: make_text_reader("sub_axis_info", lambda entry: f"({entry.signed_varint()}){entry.signed_varint()}"),
        4: make_text_reader("axis_ref", axis),
        5: make_text_reader("dimension_sharding", dimension),
        6: make_text_reader("sharding", sharding),
        7: make_text_reader("sharding_per_value", per_value),
        8: make_text_reader("dim_mapping", lambda entry: "".join(map(factor, entry.signed_list()))),
        9: make_text_reader("tensor_mapping", lambda entry: f"[{items(entry)}]"),
        10: make_text_reader("op_sharding_rule", rule),
        11: make_text_reader("", lambda entry: f"axis_ref_list{{{items(entry)}}}"),
        12: make_text_reader("", lambda entry: f"list_of_axis_ref_lists[{items(entry).replace('axis_ref_list', '')}]"),
        13: make_text_reader("all_to_all_param", all_to_all),
        14: make_text_reader("", lambda entry: f"all_to_all_param_list[{items(entry)}]"),
        15: make_text_reader("sharding", lambda entry: sharding(entry, True)),
        16: make_text_reader("sharding_per_value", per_value),
        17: make_text_reader("sharding", lambda entry: sharding(entry, True, True)),
    },
)
