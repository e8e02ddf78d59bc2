"""Module → text, in MLIR's generic form. MLIR's own parser reads it back."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Any

from ..errors import about_file
from ..ir import (
    ArrayAttr,
    Attribute,
    BoolAttr,
    ComplexType,
    DenseArrayAttr,
    DenseAttr,
    DialectAttr,
    DictAttr,
    FloatAttr,
    Function,
    FunctionType,
    FutureType,
    IntegerAttr,
    Location,
    Module,
    Op,
    OpaqueType,
    QuantizedType,
    Region,
    ScalarType,
    StringAttr,
    SymbolAttr,
    TensorType,
    TokenType,
    TupleType,
    Type,
    TypeAttr,
    UnitAttr,
    UnrankedTensorType,
    Value,
    about,
)
from ..structures import CONV_FIELDS, CONV_LETTERS
from .dense import print_bytes, print_elements, print_number
from .strings import quote

BARE = re.compile(r"[A-Za-z_][\w$.]*", re.ASCII)
ALIAS_OR_STRING = re.compile(r'"[^"\\]*(?:\\.[^"\\]*)*"|(#[\w$.\-]+)')
# The blob's alignment, which stands in its first four bytes.
ALIGNMENT = "40000000"

# ---------------------------------------------------------------- types


def print_type(type: Type) -> str:
    """A type as MLIR writes it."""
    match type:
        case ScalarType(name):
            return name
        case ComplexType(element):
            return f"complex<{element.name}>"
        case TensorType(shape, element, encoding):
            dims = "".join(f"{'?' if d is None else d}x" for d in shape)
            return f"tensor<{dims}{print_type(element)}{f', {print_attribute(encoding)}' if encoding else ''}>"
        case UnrankedTensorType(element):
            return f"tensor<*x{print_type(element)}>"
        case TokenType():
            return "!stablehlo.token"
        case TupleType(types):
            return f"tuple<{_list(types)}>"
        case FutureType(types):
            return f"!stablehlo.future<{_list(types)}>"
        case FunctionType(inputs, results):
            return f"({_list(inputs)}) -> {_results(results)}"
        case QuantizedType():
            return _quantized(type)
        case OpaqueType(text):
            return text


def _list(types: Iterable[Type]) -> str:
    return ", ".join(map(print_type, types))


def _results(types: tuple[Type, ...]) -> str:
    if len(types) == 1 and not isinstance(types[0], FunctionType):
        return print_type(types[0])
    return f"({_list(types)})"


def _quantized(type: QuantizedType) -> str:
    storage = (
        type.storage.name.removeprefix("u").replace("i", "u") if type.storage.name[0] == "u" else type.storage.name
    )
    limits = "" if type.storage_min is None else f"<{type.storage_min}:{type.storage_max}>"
    axis = "" if type.axis is None else f":{type.axis}"
    if type.blocks:
        axis = ":{" + ", ".join(f"{axis}:{size}" for axis, size in type.blocks) + "}"
    scales = [
        print_number(scale, ScalarType("f64")) + (f":{zero_point}" if zero_point else "")
        for scale, zero_point in zip(type.scales, type.zero_points, strict=True)
    ]
    for extent in reversed(type.scale_shape or (len(scales),) * (type.axis is not None)):
        scales = ["{" + ", ".join(scales[i : i + extent]) + "}" for i in range(0, len(scales), extent)]
    return f"!quant.uniform<{storage}{limits}:{type.expressed.name}{axis}, {scales[0]}>"


# ---------------------------------------------------------------- attributes


def print_attribute(attribute: Attribute) -> str:
    """An attribute as MLIR writes it."""
    match attribute:
        case IntegerAttr(value, type):
            return f"{value} : {type.name}"
        case FloatAttr(value, type):
            return f"{print_number(value, type)} : {type.name}"
        case BoolAttr(truth):
            return "true" if truth else "false"
        case StringAttr(text):
            return quote(text)
        case SymbolAttr(names):
            return "::".join(f"@{name if BARE.fullmatch(name) else quote(name)}" for name in names)
        case TypeAttr(type):
            return print_type(type)
        case UnitAttr():
            return "unit"
        case ArrayAttr(items):
            return "[" + ", ".join(map(print_attribute, items)) + "]"
        case DictAttr(entries):
            return print_attributes(entries)
        case DenseArrayAttr(element, values):
            numbers = ", ".join(print_number(value, element) for value in values)
            return f"array<{element.name}{': ' if values else ''}{numbers}>"
        case DenseAttr(type, data, splat, resource, unused):
            if resource is not None:
                return (
                    f"dense_resource<{resource if BARE.fullmatch(resource) else quote(resource)}> : {print_type(type)}"
                )
            return f"dense<{print_elements(data, type, splat, unused)}> : {print_type(type)}"
        case DialectAttr():
            return _dialect(attribute)


def print_attributes(attributes: Mapping[str, Attribute]) -> str:
    """{name = attribute, …}."""
    entries = []
    for name, attribute in attributes.items():
        key = name if BARE.fullmatch(name) else quote(name)
        entries.append(key if isinstance(attribute, UnitAttr) else f"{key} = {print_attribute(attribute)}")
    return "{" + ", ".join(entries) + "}"


def _dialect(attribute: DialectAttr) -> str:
    dialect, name, fields, text = attribute.dialect, attribute.name, attribute.fields, attribute.text
    if dialect == "builtin":
        return text if not text.startswith("loc(#") else "loc(unknown)"  # locations and their aliases are not printed
    if not name:
        return f"#{dialect}<{text}>"
    if fields:
        match name:
            case "conv":
                text = _dim_numbers(fields)
            case "bounds":
                text = _field(fields["bounds"])[1:-1]
            case _:
                text = ", ".join(f"{key} = {_field(value)}" for key, value in fields.items())
    elif dialect in ("stablehlo", "mhlo", "chlo") and re.fullmatch(r"\w+", text) and name != "result_accuracy_mode":
        return f"#{dialect}<{name} {text}>"
    return f"#{dialect}.{name}<{text}>" if text or fields else f"#{dialect}.{name}"


def _field(value: Any) -> str:
    match value:
        case None:
            return "?"
        case bool():
            return "true" if value else "false"
        case float():
            return print_number(value, ScalarType("f64"))
        case list() | tuple():
            return "[" + ", ".join(map(_field, value)) + "]"
        case DialectAttr():
            return _dialect(value)
    return str(value)


def _dim_numbers(fields: Mapping[str, Any]) -> str:
    parts = []
    for names, letters in zip(CONV_FIELDS, CONV_LETTERS, strict=True):
        places = {fields[names[0]]: letters[0], fields[names[1]]: letters[1]}
        places |= {place: str(i) for i, place in enumerate(fields[names[2]])}
        parts.append("[" + ", ".join(places[i] for i in sorted(places)) + "]")
    return f"{parts[0]}x{parts[1]}->{parts[2]}"


# ---------------------------------------------------------------- the graph


def print_module(module: Module, locations: bool = False) -> str:
    """A module in generic form, with the places in the user's model if `locations`."""
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
        lines += printer.aliases()
    if printer.blobs:
        blobs = ",\n".join(f'      {key}: "0x{ALIGNMENT}{digits}"' for key, digits in printer.blobs.items())
        lines += ["", "{-#", "  dialect_resources: {", "    builtin: {", blobs, "    }", "  }", "#-}"]
    return "\n".join(lines) + "\n"


def print_op(op: Op) -> str:
    """An op without its regions, on one line, with the names that its values have in the file."""
    printer = _Printer()
    for value in op.operands:
        printer.names[value] = f"%{value.name or '…'}"
    printer.op(Op(op.name, op.operands, (), op.attributes, (), op.location), 0)
    names = ", ".join(f"%{value.name}" for value in op.results)
    line, _, _ = printer.lines[0].rpartition(" -> ")
    return f"{names + ' = ' if names else ''}{line} -> {_results(tuple(r.type for r in op.results))}"


class _Printer:
    """The lines so far, the names of the values in them, and the blobs and aliases that they refer to."""

    def __init__(self, locations: bool = False) -> None:
        self.lines: list[str] = []
        self.locations = locations
        self.places: dict[str, tuple[str, Mapping[str, str]]] = {}  # by the file's alias: its new name, all aliases
        self.names: dict[Value, str] = {}
        self.blobs: dict[str, str] = {}

    def place(self, location: Location | None) -> str:
        """ " loc(…)" or ""."""
        if not self.locations or location is None or not location.label:
            return ""
        return f" loc({self.renamed(location.label, location.aliases)})"

    def renamed(self, label: str, aliases: Mapping[str, str]) -> str:
        """A location with the names that aliases have here."""

        def name(match: re.Match[str]) -> str:
            if match[1] is None:
                return match[0]
            return self.places.setdefault(match[1], (f"#loc{len(self.places)}", aliases))[0]

        return ALIAS_OR_STRING.sub(name, label)

    def aliases(self) -> list[str]:
        """The definitions of the aliases that locations refer to, each after those that it refers to."""
        lines: dict[str, str] = {}
        begun: set[str] = set()
        left = list(reversed(self.places))
        while left:
            alias = left[-1]
            name, aliases = self.places[alias]
            text = aliases.get(alias) or "unknown"
            inner = [found for found in ALIAS_OR_STRING.findall(text) if found and found not in begun]
            if alias not in begun and inner:
                begun.add(alias)
                left += inner
                self.renamed(text, aliases)
                continue
            begun.add(left.pop())
            circular = any(found and found not in lines for found in ALIAS_OR_STRING.findall(text))
            lines.setdefault(alias, f"{name} = loc({'unknown' if circular else self.renamed(text, aliases)})")
        return list(lines.values())

    def attributes(self, attributes: Mapping[str, Attribute]) -> str:
        """ " {…}" or "", keeping the blobs of resources for the end."""
        for attribute in attributes.values():
            self.resources(attribute)
        return f" {print_attributes(attributes)}" if attributes else ""

    def resources(self, attribute: Attribute) -> None:
        match attribute:
            case DenseAttr(data=data, resource=str(name)):
                key = name if BARE.fullmatch(name) else quote(name)
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
            arguments = ", ".join(
                f"{self.name(a)}: {print_type(a.type)}{self.place(a.location)}" for a in block.arguments
            )
            if number or arguments:
                self.lines.append(f"{'  ' * depth}^bb{number}{f'({arguments})' * bool(arguments)}:")
            for op in block.ops:
                self.op(op, depth + 1)

    def name(self, value: Value) -> str:
        """A value's name: its number."""
        return self.names.setdefault(value, f"%{len(self.names)}")

    def results(self, op: Op) -> str:
        """The name of an op's results, of which each has its own."""
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
        types = f"({_list([operand.type for operand in op.operands])}) -> {_results(tuple(r.type for r in op.results))}"
        results = self.results(op)
        blocks = ", ".join(f"^bb{number}" for number in op.successors)
        head = (
            f"{indent}{results + ' = ' if results else ''}{quote(op.name)}({operands}){f'[{blocks}]' if blocks else ''}"
        )
        for i, region in enumerate(op.regions):
            self.lines.append(f"{head} ({{" if i == 0 else f"{indent}}}, {{")
            if op.name == "builtin.module" and not region.ops:
                self.lines.append(f"{indent}^bb0:")  # it has a block, though an empty one
            self.region(region, depth)
        if op.regions:
            head = f"{indent}}})"
        self.lines.append(f"{head}{self.attributes(op.attributes)} : {types}{self.place(op.location)}")
