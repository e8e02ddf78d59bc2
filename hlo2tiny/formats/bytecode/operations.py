"""Operations, regions and values: the graph itself."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from functools import cache

from ... import ir
from ...errors import FAULTS, BinarySource, Error, ParseError, VerifyError, explained
from ...forking import without_collection
from ...ops.foreign import without_defaults
from ...syntax import pretty
from ...syntax.assembly import LATER, assemble, with_values
from ...versions import advice_on
from . import builtin, shardy, stablehlo, upgrade, vhlo
from .cursor import Cursor
from .file import ELIDED_LOCATIONS, IR, LAZY_REGIONS, USE_LIST_ORDERS, Dialect, Entry, File, Table, read_section
from .properties import read_properties

DIALECTS = {
    "builtin": Dialect(builtin.attribute, builtin.type),
    "stablehlo": Dialect(stablehlo.coded("stablehlo", stablehlo.ATTRIBUTES), stablehlo.type),
    "chlo": Dialect(stablehlo.coded("chlo", stablehlo.CHLO), None),
    "mhlo": Dialect(stablehlo.coded("mhlo", stablehlo.ATTRIBUTES), stablehlo.type),
    "vhlo": Dialect(vhlo.attribute, vhlo.type),
    "quant": Dialect(None, builtin.quant_type),
    "sdy": Dialect(shardy.attribute, None),
}
HAS_ATTRIBUTES, HAS_RESULTS, HAS_OPERANDS, HAS_SUCCESSORS, HAS_REGIONS, HAS_ORDERS, HAS_PROPERTIES = (
    1 << i for i in range(7)
)
FEW = 64  # attributes of an op
CAST = "builtin.unrealized_conversion_cast"
# Regions in regions: no program nests them deeper, and Python's own stack is finite.
DEEPEST = 48
NUMBER_TYPE = re.compile(r"(?:[su]?i\d+|index|bf16|tf32|f\d+(?:E\d+M\d+[A-Z0-9]*)?)")
VERBATIM = re.compile(r"#(?!stablehlo|mhlo|chlo)([A-Za-z_]\w*)(?:\.([A-Za-z_][\w.]*))?<(.*)>", re.DOTALL)


def read_bytecode(data: bytes | memoryview, path: str, base: int = 0) -> ir.Module:
    """Read a StableHLO module from MLIR bytecode: a portable artifact, or ops as they are.

    Args:
        data: the bytes; large constants stay in this memory.
        path: what to call the file in errors.
        base: where the bytes begin in the file.

    Raises:
        ParseError: the bytes are damaged, or hold what is not known here, with the place.
        VerifyError: a value is not defined before its use.
    """
    source = BinarySource(path, base=base)
    with without_collection():
        file = File(memoryview(data).cast("B"), source, DIALECTS, attribute_from_text, type_from_text)
        module = module_of(file)
    source.describe = described(module)
    return module


def module_of(file: File) -> ir.Module:
    """A file's module. Whatever does not fit in a newer writer's file may be new: a property more, an op, a type."""
    try:
        return assemble(_Graph(file).top(), file.source)
    except ParseError as error:
        advice = advice_on(file.producer)
        if not advice or advice in error.message:
            raise
        raise ParseError(error.message + advice, error.source, error.offset, error.place) from None


def described(module: ir.Module) -> Callable[[int], str]:
    """A function that gives the op at an offset, in generic form, or the function; '' if none begins there."""

    @cache
    def places() -> dict[int, ir.Op | ir.Function]:
        found: list[ir.Op | ir.Function] = [*module.functions.values(), *module.symbols, *module.walk()]
        return {each.location.offset: each for each in found}

    def text(offset: int) -> str:
        from ...ir.printer import print_op

        found = places().get(offset)
        if not isinstance(found, ir.Op):
            return f"func.func @{found.name}" if found else ""
        try:
            return print_op(found)
        except Error:  # one whose attributes cannot be printed, which may be what the message is about
            return found.name

    return text


def attribute_from_text(text: str) -> ir.Attribute:
    """An attribute that a dialect writes as text."""
    if match := VERBATIM.fullmatch(text):
        return ir.DialectAttr(match[1], match[2] or "", {}, match[3])
    if text.startswith("loc("):
        return ir.DialectAttr("builtin", "", {}, text)
    from ...syntax.parser import parse_attribute  # slow to import, and seldom needed

    return parse_attribute(text)


def type_from_text(text: str) -> ir.Type:
    if NUMBER_TYPE.fullmatch(text):
        return ir.ScalarType(text)
    found = attribute_from_text(text)
    return found.type if isinstance(found, ir.TypeAttr) else ir.OpaqueType(text)


class Locations(Mapping[str, str]):
    """The file's locations by number, as aliases: #12 is what stands inside loc(…) for the location 12."""

    def __init__(self, table: Table[ir.Attribute]) -> None:
        self.table = table

    def __getitem__(self, alias: str) -> str:
        if not alias[1:].isdecimal() or (index := int(alias[1:])) >= len(self):
            raise KeyError(alias)
        return builtin.location_text(self.table, index)

    def __len__(self) -> int:
        return len(self.table.places)

    def __iter__(self) -> Iterator[str]:
        return (f"#{i}" for i in range(len(self)))


class _Graph:
    """The values in sight by number, and how many there are."""

    def __init__(self, file: File) -> None:
        self.file, self.version = file, file.version
        self.locations = Locations(file.attributes)
        self.values: dict[int, ir.Value] = {}
        self.declared = 0  # by the regions around: the numbers that their values have
        self.next = 0  # the number of the next value to be defined
        self.end = 0  # after the last number of the region's values
        self.depth = 0
        self.arguments = self.results = 0  # counted for names
        self.blocks = 0  # of the region
        # Of the regions of several blocks around: the numbers of their values, and what is used before its definition.
        self.later: list[tuple[range, dict[int, ir.Value]]] = []
        self.labels: dict[int, str] = {}
        self.bodies: dict[tuple[int, int, int], tuple[str, Mapping[str, ir.Attribute]]] = {}

    def top(self) -> list[ir.Op]:
        """The ops at the top level."""
        cursor = self.file.ir
        count, has_arguments = cursor.flagged()
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
            cursor.fail(f"{count} operations are announced, but only {cursor.left()} bytes are left")
        found = [self.op(cursor, around) for _ in range(count)]
        return [op for op in found if op is not None]

    def op(self, cursor: Cursor, around: str) -> ir.Op | None:
        """The op at a cursor; None for one that only passes a value from one dialect's types to another's."""
        file, begin = self.file, cursor.at
        index, mask = cursor.varint(), cursor.byte()
        if index >= len(file.ops):
            cursor.fail(f"there is no operation name {index}: the file has {len(file.ops)}", begin)
        location = self.location(cursor, begin)
        key = (
            index,
            cursor.varint() if mask & HAS_ATTRIBUTES else -1,
            cursor.varint() if mask & HAS_PROPERTIES else -1,
        )
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
            cursor.fail(f"{name}: it defines more values than its region announces", begin)
        if name == CAST and [value.type for value in operands] == results:
            self.values.update(enumerate(operands, first))
            return None
        values = self.named(results)
        regions: tuple[ir.Region, ...] = ()
        if mask & HAS_REGIONS:
            count, isolated = cursor.flagged()
            if count > cursor.left():
                cursor.fail(f"{name}: {count} regions are announced, but only {cursor.left()} bytes are left")
            if isolated and self.version >= LAZY_REGIONS:  # they stand apart, so that a reader may skip them
                at = cursor.at
                number, inside = read_section(cursor)
                if number != IR:
                    cursor.fail(f"{name}: expected a section of operations", at)
            else:
                inside = cursor
            regions = tuple([self.region(inside, name, isolated) for _ in range(count)])
        self.values.update(enumerate(values, first))
        return ir.Op(name, tuple(operands), values, attributes, regions, location, successors)

    def named(self, types: list[ir.Type]) -> tuple[ir.Value, ...]:
        """Results with the names that MLIR's printer gives."""
        if not types:
            return ()
        number, self.results = self.results, self.results + 1
        if len(types) == 1:
            return (ir.Value(str(number), types[0]),)
        return tuple([ir.Value(f"{number}#{i}", type) for i, type in enumerate(types)])

    def value(self, cursor: Cursor) -> ir.Value:
        at, number = cursor.at, cursor.varint()
        found = self.values.get(number)
        for numbers, later in self.later if found is None else ():
            if number in numbers:  # a block further down defines it
                found = self.values[number] = later[number] = ir.Value("", LATER)
        if found is None:
            cursor.fail(f"value {number} is not defined before its use", at, VerifyError)
        return found

    def body(
        self, cursor: Cursor, begin: int, index: int, attributes: int, properties: int
    ) -> tuple[str, Mapping[str, ir.Attribute]]:
        """An op's name and attributes, as today's StableHLO has them."""
        file = self.file
        written = file.ops[index]
        found: dict[str, ir.Attribute] = {}
        if attributes >= 0:
            given = file.attributes.get(attributes, cursor)
            if not isinstance(given, ir.DictAttr):
                cursor.fail(f"{written.name}: its attributes are not a dictionary", begin)
            if len(given.items) > FEW:  # each op with other properties has a copy
                Entry(file, begin, begin).spend(len(given.items))
            found |= given.items
        if properties >= 0:
            if properties >= len(file.properties):
                cursor.fail(f"there are no properties {properties}: the file has {len(file.properties)}", begin)
            entry = Entry(file, *file.properties[properties])
            found = {**read_properties(entry, written.name, written.registered), **found}
        name = pretty.op_name(written.name)
        try:
            if not name.startswith("vhlo."):
                modern = found if name.startswith("builtin") else pretty.modernise(name, found)
                return name, without_defaults(name, modern)
            if name == "vhlo.return_v1":
                return name, found
            name = upgrade.op_name(name, False)
            return name, upgrade.attributes(name, found)
        except FAULTS as error:
            cursor.fail(f"{name}: {explained(error)}", begin)

    def region(self, cursor: Cursor, around: str, isolated: bool) -> ir.Region:
        begin = cursor.at
        blocks = cursor.varint()
        if not blocks:
            return ir.Region((), ())
        if self.depth >= DEEPEST:
            cursor.fail("regions are nested too deeply", begin)
        if blocks > cursor.left():
            cursor.fail(f"{blocks} blocks are announced, but only {cursor.left()} bytes are left", begin)
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
        found = []
        for _ in range(blocks):
            count, has_arguments = cursor.flagged()
            arguments = self.block_arguments(cursor, around) if has_arguments else ()
            found.append(ir.Region(arguments, tuple(self.ops(cursor, count, around))))
        region = replace(found[0], blocks=tuple(found[1:])) if blocks > 1 else found[0]
        if later:
            region = with_values(region, {value: self.defined(cursor, n, begin) for n, value in later.items()})
        if not isolated:
            for number in range(first, self.next):
                del self.values[number]
        else:
            self.arguments, self.results = names
        self.values, self.declared, self.next, self.end, self.depth = values, declared, next, end, self.depth - 1
        self.blocks, self.later = around_this
        return region

    def defined(self, cursor: Cursor, number: int, begin: int) -> ir.Value:
        """What a block's use before the definition stands for."""
        found = self.values[number]
        if found.type is LATER:
            cursor.fail(f"value {number} is used but never defined", begin, VerifyError)
        return found

    def block_arguments(self, cursor: Cursor, around: str) -> tuple[ir.Value, ...]:
        found = []
        for _ in range(cursor.count()):
            begin = cursor.at
            if self.version >= ELIDED_LOCATIONS:
                index, located = cursor.flagged()
            else:
                index, located = cursor.varint(), True
            type = self.file.types.get(index, cursor)
            location = self.location(cursor, begin) if located else ir.Location(self.file.source, begin)
            value = ir.Value(f"arg{self.arguments}", type, location)
            self.arguments += 1
            if self.next >= self.end:
                cursor.fail(f"{around}: its region has more arguments than the values it announces", begin)
            self.values[self.next] = value
            self.next += 1
            found.append(value)
        if self.version >= USE_LIST_ORDERS and cursor.byte():
            skip_orders(cursor, len(found))
        return tuple(found)


def skip_orders(cursor: Cursor, values: int) -> None:
    """The order in which each value's uses are listed means nothing here."""
    for _ in range(cursor.count() if values > 1 else 1):
        if values > 1:
            cursor.varint()
        count, _ = cursor.flagged()
        if count > cursor.left():
            cursor.fail(f"an order of {count} uses is announced, but only {cursor.left()} bytes are left")
        for _ in range(count):
            cursor.varint()
