"""The sections of a bytecode file: strings, dialects, attributes and types, properties, resources."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Generic, NoReturn, TypeVar

from ...errors import FAULTS, BinarySource, Error, explain_fault
from ...ir import Attribute, Type
from ...ir.strings import quote
from ...records import dataclass
from ...versions import advice_on, known
from .cursor import Cursor

MAGIC = b"ML\xefR"
NEWEST = 6
# The versions by what they introduced.
DIALECT_VERSIONS, LAZY_REGIONS, USE_LIST_ORDERS, ELIDED_LOCATIONS, PROPERTIES, SEGMENT_SIZES = range(1, 7)

STRINGS, DIALECTS, ATTRIBUTES_AND_TYPES, OFFSETS, IR, RESOURCES, RESOURCE_OFFSETS, _, PROPERTY_VALUES = range(9)
SECTIONS = (
    "strings, dialects, attributes and types, attribute offsets, operations, resources, resource offsets,"
    " dialect versions, properties"
).split(", ")
REQUIRED = (STRINGS, DIALECTS, ATTRIBUTES_AND_TYPES, OFFSETS, IR)

# The limit for nested attributes and types: programs need less, and Python's own stack is finite.
DEEPEST = 32
# The limit for the attributes and types in one, counted at each occurrence, since walks visit every occurrence.
MOST_PARTS = 1_000_000
# The budget for copies of shared parts, such as one attribute's text in another's: this many bytes or items for each
# byte of the file, and a minimum.
SHARING, LEAST_BUDGET = 8, 1 << 20

Item = TypeVar("Item")


@dataclass(frozen=True, slots=True)
class DialectReaders:
    """The readers of a dialect's attributes and types; None if they are not encoded, but text."""

    attribute: Callable[[Entry], Attribute] | None
    type: Callable[[Entry], Type] | None


@dataclass(frozen=True, slots=True)
class OpName:
    """An op's name. `registered` says whether the writer knew the op, and so encoded its properties specially."""

    name: str
    registered: bool


class Entry(Cursor):
    """A cursor over the encoding of an attribute, a type, or an op's properties."""

    __slots__ = ("file",)

    def __init__(self, file: File, at: int, end: int) -> None:
        super().__init__(file.data, at, end, file.source)
        self.file = file

    def attribute(self) -> Attribute:
        return self.file.attributes.get(self.varint(), self)

    def optional_attribute(self) -> Attribute | None:
        index, present = self.flagged_varint()
        return self.file.attributes.get(index, self) if present else None

    def attributes(self) -> list[Attribute]:
        return self.read_list(self.attribute)

    def type(self) -> Type:
        return self.file.types.get(self.varint(), self)

    def types(self) -> tuple[Type, ...]:
        return tuple(self.read_list(self.type))

    def string(self) -> str:
        return self.file.string(self)

    def signed_list(self) -> list[int]:
        return self.read_list(self.signed_varint)

    def spend(self, size: int) -> None:
        """Count a copy of something that may be shared."""
        self.file.budget -= size
        if self.file.budget < 0:
            self.fail("parts of this file are referred to too often")

    def quote_text(self, text: str) -> str:
        """A string as a literal."""
        self.spend(len(text))
        return quote(text)

    def unknown(self, message: str, at: int) -> NoReturn:
        """Fail, with advice, on something that a newer writer may have introduced."""
        advice = advice_on(self.file.producer) or f"; the file was written by {self.file.producer[:80]}, and {known()}"
        self.fail(f"{message}{advice}", at)

    def known_width(self, width: int) -> int:
        """An integer of a known number of bits, unsigned."""
        if width <= 8:
            value = self.byte()
        elif width <= 64:
            value = self.signed_varint()
        else:
            words = self.read_list(self.signed_varint)
            value = sum((word & 0xFFFFFFFFFFFFFFFF) << (64 * i) for i, word in enumerate(words))
        return value & ((1 << width) - 1)


def make_reader(
    dialect: str, codes: Mapping[int, Callable[[Entry], Item]], kind: str = "attribute"
) -> Callable[[Entry], Item]:
    """The reader of a dialect's attributes or types, each of which begins with a code."""

    def read(entry: Entry) -> Item:
        at, code = entry.at, entry.varint()
        if code not in codes:
            entry.unknown(f"the dialect {dialect} has no known {kind} with the code {code}", at)
        return codes[code](entry)

    return read


class Table(Generic[Item]):
    """Attributes or types by number, each decoded on its first use."""

    def __init__(self, file: File, kind: str, text: Callable[[str], Item]) -> None:
        self.file, self.kind, self.text = file, kind, text
        self.spans: list[tuple[int, int, str, bool]] = []  # begin, end, dialect, whether it is encoded
        self.items: list[Item | None] = []
        self.sizes: list[int] = []  # in parts; negative during decoding
        self.heights: list[int] = []

    def close(self) -> None:
        """Allocate the lists once all offsets are known."""
        self.items = [None] * len(self.spans)
        self.sizes = [0] * len(self.spans)
        self.heights = [0] * len(self.spans)

    def get(self, index: int, asker: Cursor) -> Item:
        """The attribute or type of a number that the cursor `asker` has just read."""
        if index >= len(self.items):
            asker.fail(f"there is no {self.kind} {index}: the file has {len(self.items)}")
        item = self.items[index]
        if item is None:
            item = self._decode(index, asker)
        self.file.parts += self.sizes[index]
        self.file.height = max(self.file.height, self.heights[index])
        return item

    def entry(self, index: int) -> tuple[Entry, str, bool]:
        """The encoding of a number, its dialect, and whether the dialect encodes it rather than as text."""
        begin, end, dialect, encoded = self.spans[index]
        return Entry(self.file, begin, end), dialect, encoded

    def _decode(self, index: int, asker: Cursor) -> Item:
        file = self.file
        entry, dialect, encoded = self.entry(index)
        if self.sizes[index] < 0:
            asker.fail(f"{self.kind} {index} is part of itself")
        if file.depth >= DEEPEST:
            asker.fail("attributes and types are nested too deeply")
        outer = file.parts, file.height
        file.parts, file.height, self.sizes[index] = 1, 0, -1
        file.depth += 1
        begin = entry.at
        try:
            item = self._read_encoded(entry, dialect) if encoded else self._read_text(entry)
            if file.parts > MOST_PARTS:
                entry.fail(f"{self.kind} {index} expands to more than {MOST_PARTS} attributes and types", begin)
            if file.height >= DEEPEST:
                entry.fail(f"{self.kind} {index}: attributes and types are nested too deeply", begin)
            self.items[index], self.heights[index] = item, file.height + 1
            return item
        except FAULTS as error:  # such as a value that does not fit its type
            entry.fail(f"{self.kind} {index}, of the dialect {dialect}: {explain_fault(error)}", begin)
        finally:
            file.depth -= 1
            self.sizes[index] = file.parts
            file.parts, file.height = outer

    def _read_encoded(self, entry: Entry, dialect: str) -> Item:
        known = self.file.dialects.get(dialect)
        reader: Any = known and (known.attribute if self.kind == "attribute" else known.type)
        if reader is None:
            entry.unknown(f"the dialect {dialect} has no known encoding for {self.kind}s", entry.at)
        item: Item = reader(entry)
        if entry.left():
            entry.fail(f"{entry.left()} bytes are left over after an encoded {self.kind} of the dialect {dialect}")
        return item

    def _read_text(self, entry: Entry) -> Item:
        begin, text = entry.at, entry.terminated_string()
        try:
            return self.text(text)
        except Error as error:
            entry.fail(f"{text[:80]}: {error.message}", begin)


class File:
    """A bytecode file with its tables, and a cursor at its operations, `ir`.

    Raises:
        ParseError: it is damaged, or of a later version.
    """

    def __init__(
        self,
        data: memoryview,
        source: BinarySource,
        dialects: Mapping[str, DialectReaders],
        attribute_text: Callable[[str], Attribute],
        type_text: Callable[[str], Type],
    ) -> None:
        self.data, self.source, self.dialects = data, source, dialects
        self.attributes: Table[Attribute] = Table(self, "attribute", attribute_text)
        self.types: Table[Type] = Table(self, "type", type_text)
        self.depth = self.parts = self.height = 0  # of the attribute or type that is being decoded
        self.budget = SHARING * len(data) + LEAST_BUDGET
        self.strings: list[str] = []
        self.ops: list[OpName] = []
        self.resources: list[tuple[str, memoryview]] = []  # those of dialects, in order
        self.properties: list[tuple[int, int]] = []

        head = Cursor(data, 0, len(data), source)
        if bytes(head.bytes(min(4, head.left()))) != MAGIC:
            head.fail("this is not MLIR bytecode, which begins with ML\\xEFR", 0)
        self.version = head.varint()
        self.producer = head.terminated_string()
        if self.version > NEWEST:
            advice = advice_on(self.producer) or f"; {known()}: write the file again with version {NEWEST}"
            head.fail(
                f"bytecode of version {self.version}, newer than {NEWEST}, the newest version known here{advice}", 4
            )
        sections: dict[int, Cursor] = {}
        while head.left():
            begin = head.at
            number, section = read_section(head)
            if number in sections:
                head.fail(f"the file has two sections of {SECTIONS[number]}", begin)
            sections[number] = section
        for number in REQUIRED:
            if number not in sections:
                head.fail(f"the file has no section of {SECTIONS[number]}: it is cut short, or damaged")
        self._read_strings(sections[STRINGS])
        self.dialect_names = self._read_dialects(sections[DIALECTS])
        if PROPERTY_VALUES in sections:
            self._read_properties(sections[PROPERTY_VALUES])
        self._read_offsets(sections[OFFSETS], sections[ATTRIBUTES_AND_TYPES])
        if RESOURCE_OFFSETS in sections:
            empty = Cursor(data, head.at, head.at, source)
            self._read_resources(sections[RESOURCE_OFFSETS], sections.get(RESOURCES, empty))
        self.ir = sections[IR]

    def string(self, cursor: Cursor) -> str:
        """The string whose number is at a cursor."""
        at, index = cursor.at, cursor.varint()
        if index >= len(self.strings):
            cursor.fail(f"there is no string {index}: the file has {len(self.strings)}", at)
        return self.strings[index]

    def _dialect(self, cursor: Cursor) -> str:
        at, index = cursor.at, cursor.varint()
        if index >= len(self.dialect_names):
            cursor.fail(f"there is no dialect {index}: the file names {len(self.dialect_names)}", at)
        return self.dialect_names[index]

    def _read_strings(self, section: Cursor) -> None:
        # The sizes are in reverse order, and include a NUL at the end of each string.
        sizes = section.read_list(section.varint)
        if sum(sizes) != section.left():
            section.fail(f"strings of {sum(sizes)} bytes are declared, but the section has {section.left()}")
        if 0 in sizes:
            section.fail("a string has no NUL at its end")
        self.strings = [bytes(section.bytes(size)[:-1]).decode("utf-8", "surrogateescape") for size in reversed(sizes)]

    def _read_dialects(self, section: Cursor) -> list[str]:
        names = []
        for _ in range(section.count()):
            if self.version < DIALECT_VERSIONS:
                names.append(self.string(section))
                continue
            index, versioned = section.flagged_varint()
            if index >= len(self.strings):
                section.fail(f"there is no string {index}: the file has {len(self.strings)}")
            names.append(self.strings[index])
            if versioned:
                read_section(section)
        self.dialect_names = names
        if self.version >= ELIDED_LOCATIONS:
            section.count()  # the number of all names
        while section.left():
            dialect = self._dialect(section)
            for _ in range(section.count()):
                index, registered = section.flagged_varint() if self.version >= PROPERTIES else (section.varint(), True)
                if index >= len(self.strings):
                    section.fail(f"there is no string {index}: the file has {len(self.strings)}")
                self.ops.append(OpName(f"{dialect}.{self.strings[index]}", registered))
        return names

    def _read_offsets(self, offsets: Cursor, values: Cursor) -> None:
        counts = offsets.count(), offsets.count()
        tables: tuple[Table[Any], Table[Any]] = (self.attributes, self.types)
        for table, count in zip(tables, counts):
            while len(table.spans) < count:
                dialect = self._dialect(offsets)
                for _ in range(min(offsets.count(), count - len(table.spans))):
                    size, encoded = offsets.flagged_varint()
                    if not size:
                        offsets.fail(f"an encoded {table.kind} has no bytes")
                    entry = values.part(size)
                    table.spans.append((entry.at, entry.end, dialect, encoded))
            table.close()

    def _read_properties(self, section: Cursor) -> None:
        for _ in range(section.count()):
            entry = section.part(section.varint())
            self.properties.append((entry.at, entry.end))

    def _read_resources(self, offsets: Cursor, values: Cursor) -> None:
        external = offsets.count()
        while offsets.left():
            if external:
                self.string(offsets)
            else:
                self._dialect(offsets)
            for _ in range(offsets.count()):
                key, size, kind = self.string(offsets), offsets.varint(), offsets.byte()
                entry = values.part(size)
                if kind == 0:
                    alignment, length = entry.varint(), entry.varint()
                    entry.align(alignment)
                    blob = entry.bytes(length)
                else:  # a bool or a string, which dense_resource cannot use
                    blob = memoryview(b"")
                if not external:
                    self.resources.append((key, blob))
            external -= external > 0


def read_section(cursor: Cursor) -> tuple[int, Cursor]:
    """The number of the section at a cursor, and a cursor over its contents."""
    at, head = cursor.at, cursor.byte()
    number, aligned = head & 0x7F, bool(head & 0x80)
    if number >= len(SECTIONS):
        cursor.fail(f"there is no section kind {number}", at)
    size = cursor.varint()
    if aligned:
        cursor.align(cursor.varint())
    return number, cursor.part(size)
