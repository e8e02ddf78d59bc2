"""Shardy's attributes, by the codes of its bytecode.td, as MLIR's text for them: no rule reads them."""

from __future__ import annotations

from collections.abc import Callable

from ...ir import Attribute, DialectAttr, SymbolAttr
from .builtin import printed, text_of
from .file import Entry
from .stablehlo import coded

REDUCTIONS = ["", "max", "min"]


def inside(entry: Entry, attribute: Attribute) -> str:
    """A Shardy attribute as part of another one's text: without its own brackets."""
    if not isinstance(attribute, DialectAttr):
        return printed(entry, attribute)
    entry.spend(len(attribute.text))
    return attribute.text


def items(entry: Entry) -> str:
    return ", ".join([inside(entry, item) for item in entry.attributes()])


def manual_axes(entry: Entry) -> str:
    return f"manual_axes{{{', '.join(entry.listed(lambda: entry.quoted(text_of(entry))))}}}"


def mesh_axis(entry: Entry) -> str:
    return f"{entry.quoted(entry.string())}={entry.signed()}"


def mesh(entry: Entry) -> str:
    axes, devices = items(entry), entry.signed_list()
    return f"[{axes}]" + (f", device_ids=[{', '.join(map(str, devices))}]" if devices else "")


def axis(entry: Entry) -> str:
    name, part = entry.quoted(entry.string()), entry.optional_attribute()
    return name if part is None else f"{name}:{inside(entry, part)}"


def dimension(entry: Entry) -> str:
    axes, closed = items(entry), entry.byte()
    priority, has_priority = entry.flagged()
    further = "" if closed else ", ?" if axes else "?"
    return f"{{{axes}{further}}}" + (f"p{priority}" if has_priority else "")


def sharding(entry: Entry, unreduced: bool = False, reduction: bool = False) -> str:
    mesh = entry.attribute()
    on = printed(entry, mesh) if isinstance(mesh, SymbolAttr) else f"mesh<{inside(entry, mesh)}>"
    text, replicated = f"{on}, [{items(entry)}]", items(entry)
    text += f", replicated={{{replicated}}}" if replicated else ""
    if unreduced:
        axes, kind = items(entry), entry.signed() if reduction else 0
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
    return f"{{{items(entry)}}}: {entry.signed()}->{entry.signed()}"


def named(name: str, text: Callable[[Entry], str]) -> Callable[[Entry], Attribute]:
    """The reader of an attribute printed as #sdy.name<…> or, if the name is "", as #sdy<…>."""
    return lambda entry: DialectAttr("sdy", name, {}, text(entry))


attribute = coded(
    "sdy",
    {
        0: named("", manual_axes),
        1: named("mesh_axis", mesh_axis),
        2: named("mesh", mesh),
        3: named("sub_axis_info", lambda entry: f"({entry.signed()}){entry.signed()}"),
        4: named("axis_ref", axis),
        5: named("dimension_sharding", dimension),
        6: named("sharding", sharding),
        7: named("sharding_per_value", per_value),
        8: named("dim_mapping", lambda entry: "".join(map(factor, entry.signed_list()))),
        9: named("tensor_mapping", lambda entry: f"[{items(entry)}]"),
        10: named("op_sharding_rule", rule),
        11: named("", lambda entry: f"axis_ref_list{{{items(entry)}}}"),
        12: named("", lambda entry: f"list_of_axis_ref_lists[{items(entry).replace('axis_ref_list', '')}]"),
        13: named("all_to_all_param", all_to_all),
        14: named("", lambda entry: f"all_to_all_param_list[{items(entry)}]"),
        15: named("sharding", lambda entry: sharding(entry, True)),
        16: named("sharding_per_value", per_value),
        17: named("sharding", lambda entry: sharding(entry, True, True)),
    },
)
