"""Operations, regions and values: the graph itself."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from functools import cache

from ... import ir
from ...errors import FAULTS, BinarySource, Error, ParseError, VerifyError, explain_fault
from ...ir.attributes import verbatim
from ...ir.rewrite import Rewriter
from ...machine.forking import without_collection
from ...ops.foreign import without_defaults
from ...syntax import pretty
from ...syntax.assembly import LATER, assemble
from ...versions import advice_on
from . import builtin, shardy, stablehlo, upgrade, vhlo
from .cursor import Cursor
from .file import (
    ELIDED_LOCATIONS,
    IR,
    LAZY_REGIONS,
    USE_LIST_ORDERS,
    DialectReaders,
    Entry,
    File,
    Table,
    make_reader,
    read_section,
)
from .properties import read_properties

DIALECTS = {
    "builtin": DialectReaders(builtin.attribute, builtin.type),
    "stablehlo": DialectReaders(make_reader("stablehlo", stablehlo.ATTRIBUTES), stablehlo.type),
    "chlo": DialectReaders(make_reader("chlo", stablehlo.CHLO), None),
    "mhlo": DialectReaders(make_reader("mhlo", stablehlo.ATTRIBUTES), stablehlo.type),
    "vhlo": DialectReaders(vhlo.attribute, vhlo.type),
    "quant": DialectReaders(None, builtin.quant_type),
    "sdy": DialectReaders(shardy.attribute, None),
}
HAS_ATTRIBUTES, HAS_RESULTS, HAS_OPERANDS, HAS_SUCCESSORS, HAS_REGIONS, HAS_ORDERS, HAS_PROPERTIES = (
    1 << i for i in range(7)
)
FEW = 64  # attributes of an op
CAST = "builtin.unrealized_conversion_cast"
# The limit for nested regions: programs need less, and Python's own stack is finite.
DEEPEST = 48
NUMBER_TYPE = re.compile(r"(?:[su]?i\d+|index|bf16|tf32|f\d+(?:E\d+M\d+[A-Z0-9]*)?)")
VERBATIM = re.compile(r"#(?!stablehlo|mhlo|chlo)([A-Za-z_]\w*)(?:\.([A-Za-z_][\w.]*))?<(.*)>", re.DOTALL)


def read_bytecode(data: bytes | memoryview, path: str, base: int = 0) -> ir.Module:
    """Read a StableHLO module from MLIR bytecode: a portable artifact, or any op in plain bytecode.

    Args:
        data: the bytes; large constants stay in this memory.
        path: the file's name in errors.
        base: where the bytes begin in the file.

    Raises:
        ParseError: the bytes are damaged, or hold something unknown.
        VerifyError: a value is not defined before its use.
    """
    source = BinarySource(path, base=base)
    with without_collection():
        file = File(memoryview(data).cast("B"), source, DIALECTS, attribute_from_text, type_from_text)
        module = module_of(file)
    source.describe = describer(module)
    return module


def module_of(file: File) -> ir.Module:
    """A file's module. An error in a newer writer's file comes with advice: it may be a new property, op or type."""
    try:
        return assemble(_Graph(file).top(), file.source)
    except ParseError as error:
        advice = advice_on(file.producer)
        if not advice or advice in error.message:
            raise
        raise ParseError(error.message + advice, error.source, error.offset, error.place) from None


def describer(module: ir.Module) -> Callable[[int], str]:
    """A function that prints the op or names the function that begins at an offset; '' if none does."""

    @cache
    def places() -> dict[int, ir.Op | ir.Function]:
        parts: list[ir.Op | ir.Function] = [*module.functions.values(), *module.symbols, *module.walk()]
        return {part.location.offset: part for part in parts}

    def text(offset: int) -> str:
        from ...ir.printer import print_op

        part = places().get(offset)
        if not isinstance(part, ir.Op):
            return f"func.func @{part.name}" if part else ""
        try:
            return print_op(part)
        except Error:  # its attributes cannot be printed, which may be what the message is about
            return part.name

    return text


def attribute_from_text(text: str) -> ir.Attribute:
    """An attribute that a dialect writes as text."""
    if match := VERBATIM.fullmatch(text):
        return verbatim(match[1], match[2] or "", match[3])
    if text.startswith("loc("):
        return ir.DialectAttr("builtin", "", {}, text)
    from ...syntax.parser import parse_attribute  # slow to import and rarely needed

    return parse_attribute(text)


def type_from_text(text: str) -> ir.Type:
    if NUMBER_TYPE.fullmatch(text):
        return ir.ScalarType(text)
    attribute = attribute_from_text(text)
    return attribute.type if isinstance(attribute, ir.TypeAttr) else ir.OpaqueType(text)


class Locations(Mapping[str, str]):
    """The file's locations by number, as aliases: #12 maps to the text inside loc(…) of location 12."""

    def __init__(self, table: Table[ir.Attribute]) -> None:
        self.table = table

    def __getitem__(self, alias: str) -> str:
        if not alias[1:].isdecimal() or (index := int(alias[1:])) >= len(self):
            raise KeyError(alias)
        return builtin.location_text(self.table, index)

    def __len__(self) -> int:
        return len(self.table.spans)

    def __iter__(self) -> Iterator[str]:
        return (f"#{i}" for i in range(len(self)))


class _Graph:
    """Builds the graph from the operations; its state is that of the current region."""

    def __init__(self, file: File) -> None:
        self.file, self.version = file, file.version
        self.locations = Locations(file.attributes)
        self.values: dict[int, ir.Value] = {}
        self.declared = 0  # the number of values that the enclosing regions declare
        self.next = 0  # the number of the next value to be defined
        self.end = 0  # one past the number of the region's last value
        self.depth = 0
        self.arguments = self.results = 0  # counters for names
        self.blocks = 0  # the number of blocks of the region
        # For each enclosing region of several blocks: its values' numbers, and the values used before their definition.
        self.later: list[tuple[range, dict[int, ir.Value]]] = []
        self.labels: dict[int, str] = {}
        self.bodies: dict[tuple[int, int, int], tuple[str, Mapping[str, ir.Attribute]]] = {}

    def top(self) -> list[ir.Op]:
        """The ops at the top level."""
        cursor = self.file.ir
        count, has_arguments = cursor.flagged_varint()
        if has_arguments:
            cursor.fail("the top level has arguments")
        ops = self.ops(cursor, count, "")
        if not ops:
            cursor.fail("there is no module in this file: it has no operations")
        return ops

    def location(self, cursor: Cursor, offset: int) -> ir.Location:
        index = cursor.varint()
        label = self.labels.get(index)
        if label is None:
            if index >= len(self.locations):
                cursor.fail(f"there is no location {index}: the file has {len(self.locations)} attributes")
            label = self.labels[index] = f"#{index}"
        return ir.Location(self.file.source, offset, label, self.locations)

    def ops(self, cursor: Cursor, count: int, around: str) -> list[ir.Op]:
        if count > cursor.left():
            cursor.fail(f"{count} operations are declared, but only {cursor.left()} bytes are left")
        return [op for _ in range(count) if (op := self.op(cursor, around)) is not None]

    def op(self, cursor: Cursor, around: str) -> ir.Op | None:
        """The op at a cursor; None for a cast between equal types."""
        file, begin = self.file, cursor.at
        index, mask = cursor.varint(), cursor.byte()
        if index >= len(file.ops):
            cursor.fail(f"there is no operation name {index}: the file has {len(file.ops)}", begin)
        location = self.location(cursor, begin)
        attribute_index = cursor.varint() if mask & HAS_ATTRIBUTES else -1
        key = (index, attribute_index, cursor.varint() if mask & HAS_PROPERTIES else -1)
        body = self.bodies.get(key)
        if body is None:
            body = self.bodies[key] = self.body(cursor, begin, *key)
        name, attributes = body
        if name == "vhlo.return_v1":
            name = upgrade.op_name(name, around == "func.func")
        types = self.file.types
        results = [types.get(cursor.varint(), cursor) for _ in range(cursor.count())] if mask & HAS_RESULTS else []
        operands = [self.value(cursor) for _ in range(cursor.count())] if mask & HAS_OPERANDS else []
        successors = tuple([cursor.varint() for _ in range(cursor.count())]) if mask & HAS_SUCCESSORS else ()
        if any(number >= self.blocks for number in successors):
            cursor.fail(f"{name}: it branches to block {max(successors)}, but its region has {self.blocks}", begin)
        if mask & HAS_ORDERS and self.version >= USE_LIST_ORDERS:
            skip_orders(cursor, len(results))
        first = self.next
        self.next += len(results)
        if self.next > self.end and around:
            cursor.fail(f"{name}: it defines more values than its region declares", begin)
        if name == CAST and [value.type for value in operands] == results:
            self.values.update(enumerate(operands, first))
            return None
        values = self.name_results(results)
        regions: tuple[ir.Region, ...] = ()
        if mask & HAS_REGIONS:
            count, isolated = cursor.flagged_varint()
            if count > cursor.left():
                cursor.fail(f"{name}: {count} regions are declared, but only {cursor.left()} bytes are left")
            if isolated and self.version >= LAZY_REGIONS:  # in a section of their own, which readers may skip
                at = cursor.at
                number, inside = read_section(cursor)
                if number != IR:
                    cursor.fail(f"{name}: expected a section of operations", at)
            else:
                inside = cursor
            regions = tuple([self.region(inside, name, isolated) for _ in range(count)])
        self.values.update(enumerate(values, first))
        return ir.Op(name, tuple(operands), values, attributes, regions, location, successors)

    def name_results(self, types: list[ir.Type]) -> tuple[ir.Value, ...]:
        """Results, with the names that MLIR's printer gives them."""
        if not types:
            return ()
        number, self.results = self.results, self.results + 1
        if len(types) == 1:
            return (ir.Value(str(number), types[0]),)
        return tuple([ir.Value(f"{number}#{i}", type) for i, type in enumerate(types)])

    def value(self, cursor: Cursor) -> ir.Value:
        at, number = cursor.at, cursor.varint()
        value = self.values.get(number)
        for numbers, later in self.later if value is None else ():
            if number in numbers:  # a later block defines it
                value = self.values[number] = later[number] = ir.Value("", LATER)
        if value is None:
            cursor.fail(f"value {number} is not defined before its use", at, VerifyError)
        return value

    def body(
        self, cursor: Cursor, begin: int, index: int, attributes: int, properties: int
    ) -> tuple[str, Mapping[str, ir.Attribute]]:
        """An op's name and attributes in today's StableHLO."""
        file = self.file
        written = file.ops[index]
        merged: dict[str, ir.Attribute] = {}
        if attributes >= 0:
            dictionary = file.attributes.get(attributes, cursor)
            if not isinstance(dictionary, ir.DictAttr):
                cursor.fail(f"{written.name}: its attributes are not a dictionary", begin)
            if len(dictionary.items) > FEW:  # each op with other properties has a copy
                Entry(file, begin, begin).spend(len(dictionary.items))
            merged |= dictionary.items
        if properties >= 0:
            if properties >= len(file.properties):
                cursor.fail(f"there are no properties {properties}: the file has {len(file.properties)}", begin)
            entry = Entry(file, *file.properties[properties])
            merged = {**read_properties(entry, written.name, written.registered), **merged}
        name = pretty.op_name(written.name)
        try:
            if not name.startswith("vhlo."):
                modern = merged if name.startswith("builtin") else pretty.modernise(name, merged)
                return name, without_defaults(name, modern)
            if name == "vhlo.return_v1":
                return name, merged
            name = upgrade.op_name(name, False)
            return name, upgrade.attributes(name, merged)
        except FAULTS as error:
            cursor.fail(f"{name}: {explain_fault(error)}", begin)

    def region(self, cursor: Cursor, around: str, isolated: bool) -> ir.Region:
        begin = cursor.at
        blocks = cursor.varint()
        if not blocks:
            return ir.Region((), ())
        if self.depth >= DEEPEST:
            cursor.fail("regions are nested too deeply", begin)
        if blocks > cursor.left():
            cursor.fail(f"{blocks} blocks are declared, but only {cursor.left()} bytes are left", begin)
        values, declared, next, end = self.values, self.declared, self.next, self.end
        names, around_this = (self.arguments, self.results), (self.blocks, self.later)
        if isolated:
            self.values, self.declared = {}, 0
            self.arguments = self.results = 0
        self.next, self.depth = self.declared, self.depth + 1
        first = self.next
        self.end = self.declared = first + cursor.count()
        later: dict[int, ir.Value] = {}
        self.blocks = blocks
        self.later = [*([] if isolated else self.later), *([(range(first, self.end), later)] if blocks > 1 else [])]
        parts = []
        for _ in range(blocks):
            count, has_arguments = cursor.flagged_varint()
            arguments = self.block_arguments(cursor, around) if has_arguments else ()
            parts.append(ir.Region(arguments, tuple(self.ops(cursor, count, around))))
        region = replace(parts[0], blocks=tuple(parts[1:])) if blocks > 1 else parts[0]
        if later:
            defined = {value: self.define_value(cursor, number, begin) for number, value in later.items()}
            region = Rewriter(defined).region(region)
        if not isolated:
            for number in range(first, self.next):
                del self.values[number]
        else:
            self.arguments, self.results = names
        self.values, self.declared, self.next, self.end, self.depth = values, declared, next, end, self.depth - 1
        self.blocks, self.later = around_this
        return region

    def define_value(self, cursor: Cursor, number: int, begin: int) -> ir.Value:
        """The value of a number that a block used before the value was defined."""
        value = self.values[number]
        if value.type is LATER:
            cursor.fail(f"value {number} is used but never defined", begin, VerifyError)
        return value

    def block_arguments(self, cursor: Cursor, around: str) -> tuple[ir.Value, ...]:
        arguments = []
        for _ in range(cursor.count()):
            begin = cursor.at
            if self.version >= ELIDED_LOCATIONS:
                index, located = cursor.flagged_varint()
            else:
                index, located = cursor.varint(), True
            type = self.file.types.get(index, cursor)
            location = self.location(cursor, begin) if located else ir.Location(self.file.source, begin)
            value = ir.Value(f"arg{self.arguments}", type, location)
            self.arguments += 1
            if self.next >= self.end:
                cursor.fail(f"{around}: its region has more values than it declares", begin)
            self.values[self.next] = value
            self.next += 1
            arguments.append(value)
        if self.version >= USE_LIST_ORDERS and cursor.byte():
            skip_orders(cursor, len(arguments))
        return tuple(arguments)


def skip_orders(cursor: Cursor, values: int) -> None:
    """Skip the orders in which the uses of values are listed; they mean nothing here."""
    for _ in range(cursor.count() if values > 1 else 1):
        if values > 1:
            cursor.varint()
        count, _ = cursor.flagged_varint()
        if count > cursor.left():
            cursor.fail(f"an order of {count} uses is declared, but only {cursor.left()} bytes are left")
        for _ in range(count):
            cursor.varint()
