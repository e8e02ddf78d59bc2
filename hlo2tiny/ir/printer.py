"""Module → text in MLIR's generic form, which MLIR's own parser reads."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING

from ..errors import about_file
from .attributes import ArrayAttr, Attribute, DenseAttr, DictAttr, StringAttr, TypeAttr, print_attributes, print_name
from .locations import ALIAS_OR_STRING, Location, about
from .numbers import print_bytes
from .strings import quote
from .types import print_results, print_types

if TYPE_CHECKING:
    from .module import Function, Module, Op, Region, Value

# The alignment of blobs, in their first four bytes.
ALIGNMENT = "40000000"


def print_module(module: Module, locations: bool = False) -> str:
    """A module in generic form; `locations` adds the locations in the user's model."""
    printer = _Printer(locations)
    with about_file(module.source):
        for symbol in module.symbols:
            printer.op(symbol, 1)
        for function in module.functions.values():
            printer.function(function, 1)
        attributes: dict[str, Attribute] = {"sym_name": StringAttr(module.name)} if module.name else {}
        attributes |= module.attributes
        lines = [
            '"builtin.module"() ({',
            *(printer.lines or ["^bb0:"]),
            "})" + printer.attributes(attributes) + " : () -> ()",
        ]
        lines = [*printer.aliases(), *lines]  # MLIR reads aliases inside locations only below their definitions
    if printer.blobs:
        blobs = ",\n".join(f'      {key}: "0x{ALIGNMENT}{digits}"' for key, digits in printer.blobs.items())
        lines += ["", "{-#", "  dialect_resources: {", "    builtin: {", blobs, "    }", "  }", "#-}"]
    return "\n".join(lines) + "\n"


def print_file(module: Module, locations: bool = False) -> bytes:
    """The same as a file's contents: the bytes of MLIR's strings may be no UTF-8."""
    return print_module(module, locations).encode("utf-8", "surrogateescape")


def print_op(op: Op) -> str:
    """An op without its regions, on one line, with its values' names in the file."""
    printer = _Printer()
    for value in op.operands:
        printer.names[value] = f"%{value.name or '…'}"
    printer.op(replace(op, results=(), regions=()), 0)
    names = ", ".join(f"%{value.name}" for value in op.results)
    line, _, _ = printer.lines[0].rpartition(" -> ")
    return f"{names + ' = ' if names else ''}{line} -> {print_results([v.type for v in op.results])}"


class _Printer:
    """The lines so far, the names of the values in them, and the blobs and aliases that they refer to."""

    def __init__(self, locations: bool = False) -> None:
        self.lines: list[str] = []
        self.locations = locations
        # By alias in the file: its new name, and the file's aliases.
        self.places: dict[str, tuple[str, Mapping[str, str]]] = {}
        self.names: dict[Value, str] = {}
        self.blobs: dict[str, str] = {}

    def place(self, location: Location | None) -> str:
        """ " loc(…)" or ""."""
        if not self.locations or location is None or not location.label:
            return ""
        return f" loc({self.rename_aliases(location.label, location.aliases)})"

    def rename_aliases(self, label: str, aliases: Mapping[str, str]) -> str:
        """A location with the new names of its aliases."""

        def name(match: re.Match[str]) -> str:
            if match[1] is None:
                return match[0]
            return self.places.setdefault(match[1], (f"#loc{len(self.places)}", aliases))[0]

        return ALIAS_OR_STRING.sub(name, label)

    def aliases(self) -> list[str]:
        """The definitions of the aliases used in locations, each after the aliases that it uses."""
        lines: dict[str, str] = {}
        begun: set[str] = set()
        pending = list(reversed(self.places))
        while pending:
            alias = pending[-1]
            name, aliases = self.places[alias]
            text = aliases.get(alias) or "unknown"
            inner = [a for a in ALIAS_OR_STRING.findall(text) if a and a not in begun]
            if alias not in begun and inner:
                begun.add(alias)
                pending += inner
                self.rename_aliases(text, aliases)
                continue
            begun.add(pending.pop())
            circular = any(a and a not in lines for a in ALIAS_OR_STRING.findall(text))
            lines.setdefault(alias, f"{name} = loc({'unknown' if circular else self.rename_aliases(text, aliases)})")
        return list(lines.values())

    def attributes(self, attributes: Mapping[str, Attribute]) -> str:
        """ " {…}" or "", keeping the blobs of resources for the end."""
        for attribute in attributes.values():
            self.resources(attribute)
        return f" {print_attributes(attributes)}" if attributes else ""

    def resources(self, attribute: Attribute) -> None:
        match attribute:
            case DenseAttr(data=data, resource=str(name)):
                key = print_name(name)
                if key not in self.blobs:
                    self.blobs[key] = print_bytes(data)
            case ArrayAttr(items):
                for item in items:
                    self.resources(item)
            case DictAttr(entries):
                for item in entries.values():
                    self.resources(item)

    def function(self, function: Function, depth: int) -> None:
        attributes: dict[str, Attribute] = {"sym_name": StringAttr(function.name)}
        attributes["function_type"] = TypeAttr(function.type)
        if function.visibility:
            attributes["sym_visibility"] = StringAttr(function.visibility)
        if any(function.argument_attributes):
            attributes["arg_attrs"] = ArrayAttr(tuple(map(DictAttr, function.argument_attributes)))
        if any(function.result_attributes):
            attributes["res_attrs"] = ArrayAttr(tuple(map(DictAttr, function.result_attributes)))
        indent = "  " * depth
        self.lines.append(f'{indent}"func.func"() ({{')
        if function.body is not None:
            self.region(function.body, depth)
        end = f"{self.attributes(attributes | dict(function.attributes))} : () -> (){self.place(function.location)}"
        self.lines.append(f"{indent}}}){end}")

    def region(self, region: Region, depth: int) -> None:
        blocks = (region, *region.blocks)
        if region.blocks:  # a block may use what one below it defines
            for block in blocks:
                for argument in block.arguments:
                    self.name(argument)
                for op in block.ops:
                    self.results(op)
        for number, block in enumerate(blocks):
            arguments = ", ".join(f"{self.name(a)}: {a.type}{self.place(a.location)}" for a in block.arguments)
            if number or arguments:
                self.lines.append(f"{'  ' * depth}^bb{number}{f'({arguments})' * bool(arguments)}:")
            for op in block.ops:
                self.op(op, depth + 1)

    def name(self, value: Value) -> str:
        """A value's name: its number."""
        return self.names.setdefault(value, f"%{len(self.names)}")

    def results(self, op: Op) -> str:
        """The text that names an op's results, such as %0:2, after naming each of them."""
        if not op.results:
            return ""
        if len(op.results) == 1:
            return self.name(op.results[0])
        name = f"%{len(self.names)}"
        for i, result in enumerate(op.results):
            self.names.setdefault(result, f"{name}#{i}")
        return f"{self.names[op.results[0]].removesuffix('#0')}:{len(op.results)}"

    def op(self, op: Op, depth: int) -> None:
        with about(op):
            self.lines_of(op, depth)

    def lines_of(self, op: Op, depth: int) -> None:
        indent = "  " * depth
        operands = ", ".join([self.names[operand] for operand in op.operands])
        types = f"({print_types([v.type for v in op.operands])}) -> {print_results([v.type for v in op.results])}"
        results = self.results(op)
        blocks = ", ".join(f"^bb{number}" for number in op.successors)
        head = (
            f"{indent}{results + ' = ' if results else ''}{quote(op.name)}({operands}){f'[{blocks}]' if blocks else ''}"
        )
        for i, region in enumerate(op.regions):
            self.lines.append(f"{head} ({{" if i == 0 else f"{indent}}}, {{")
            if op.name == "builtin.module" and not region.ops:
                self.lines.append(f"{indent}^bb0:")  # it has a block, even if an empty one
            self.region(region, depth)
        if op.regions:
            head = f"{indent}}})"
        self.lines.append(f"{head}{self.attributes(op.attributes)} : {types}{self.place(op.location)}")
