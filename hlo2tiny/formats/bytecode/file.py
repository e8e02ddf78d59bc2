"""The sections of a bytecode file: strings, dialects, attributes and types, properties, resources."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Generic, NoReturn, TypeVar

from ...errors import FAULTS, BinarySource, Error, explained
from ...ir import Attribute, Type
from ...ir.strings import quote
from ...versions import advice_on, known
from .cursor import Cursor

MAGIC = b"ML\xefR"
NEWEST = 6
# What a version brought.
DIALECT_VERSIONS, LAZY_REGIONS, USE_LIST_ORDERS, ELIDED_LOCATIONS, PROPERTIES, SEGMENT_SIZES = range(1, 7)

STRINGS, DIALECTS, ATTRIBUTES_AND_TYPES, OFFSETS, IR, RESOURCES, RESOURCE_OFFSETS, _, PROPERTY_VALUES = range(9)
SECTIONS = (
    "strings, dialects, attributes and types, their offsets, operations, resources, their offsets, dialect versions,"
    " properties"
).split(", ")
REQUIRED = (STRINGS, DIALECTS, ATTRIBUTES_AND_TYPES, OFFSETS, IR)

# Attributes in attributes: no program nests them deeper, and Python's own stack is finite.
DEEPEST = 32
# Attributes and types that one of them stands for, counted as often as it names them: whoever walks over it meets all.
MOST_PARTS = 1_000_000
# What is copied from where it is shared, such as one attribute's text into another's: in bytes or items, for each byte
# of the file, and for small ones.
SHARING, LEAST_BUDGET = 8, 1 << 20

Read = TypeVar("Read")


@dataclass(frozen=True, slots=True)
class Dialect:
    """How a dialect encodes its attributes and types; None where it does not, and they are text."""

    attribute: Callable[[Entry], Attribute] | None
    type: Callable[[Entry], Type] | None


@dataclass(frozen=True, slots=True)
class OpName:
    """An operation's name. `registered` is whether the writer knew it, and so encoded its properties in its own way."""

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
        index, present = self.flagged()
        return self.file.attributes.get(index, self) if present else None

    def attributes(self) -> list[Attribute]:
        return self.listed(self.attribute)

    def type(self) -> Type:
        return self.file.types.get(self.varint(), self)

    def types(self) -> tuple[Type, ...]:
        return tuple(self.listed(self.type))

    def string(self) -> str:
        return self.file.string(self)

    def signed_list(self) -> list[int]:
        return self.listed(self.signed)

    def spend(self, size: int) -> None:
        """Account for a copy of something that may be shared."""
        self.file.budget -= size
        if self.file.budget < 0:
            self.fail("parts of this file are referred to too often")

    def quoted(self, text: str) -> str:
        """A string as a literal."""
        self.spend(len(text))
        return quote(text)

    def unknown(self, message: str, at: int) -> NoReturn:
        """Fail because of what a later writer may have meant."""
        advice = advice_on(self.file.producer) or f"; the file was written by {self.file.producer[:80]}, and {known()}"
        self.fail(f"{message}{advice}", at)

    def known_width(self, width: int) -> int:
        """The bits of an integer of so many."""
        if width <= 8:
            value = self.byte()
        elif width <= 64:
            value = self.signed()
        else:
            words = self.listed(self.signed)
            value = sum((word & 0xFFFFFFFFFFFFFFFF) << (64 * i) for i, word in enumerate(words))
        return value & ((1 << width) - 1)


class Table(Generic[Read]):
    """Attributes or types by number. Each is read when it is first asked for."""

    def __init__(self, file: File, kind: str, text: Callable[[str], Read]) -> None:
        self.file, self.kind, self.text = file, kind, text
        self.places: list[tuple[int, int, str, bool]] = []  # begin, end, dialect, whether it is encoded
        self.read: list[Read | None] = []
        self.sizes: list[int] = []  # in parts; negative while it is being read
        self.heights: list[int] = []

    def close(self) -> None:
        """All places are known."""
        self.read = [None] * len(self.places)
        self.sizes = [0] * len(self.places)
        self.heights = [0] * len(self.places)

    def get(self, index: int, asker: Cursor) -> Read:
        """The attribute or type of a number, which stands before a cursor."""
        if index >= len(self.read):
            asker.fail(f"there is no {self.kind} {index}: the file has {len(self.read)}")
        found = self.read[index]
        if found is None:
            found = self._decoded(index, asker)
        self.file.parts += self.sizes[index]
        self.file.height = max(self.file.height, self.heights[index])
        return found

    def entry(self, index: int) -> tuple[Entry, str, bool]:
        """The encoding, the dialect, and whether it is an encoding of the dialect's own."""
        begin, end, dialect, encoded = self.places[index]
        return Entry(self.file, begin, end), dialect, encoded

    def _decoded(self, index: int, asker: Cursor) -> Read:
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
            found = self._encoded(entry, dialect) if encoded else self._from_text(entry)
            if file.parts > MOST_PARTS:
                entry.fail(f"{self.kind} {index} expands to more than {MOST_PARTS} attributes and types", begin)
            if file.height >= DEEPEST:
                entry.fail(f"{self.kind} {index}: attributes and types are nested too deeply", begin)
            self.read[index], self.heights[index] = found, file.height + 1
            return found
        except FAULTS as error:  # from what builds attributes: a value that does not fit its type
            entry.fail(f"{self.kind} {index}, of the dialect {dialect}: {explained(error)}", begin)
        finally:
            file.depth -= 1
            self.sizes[index] = file.parts
            file.parts, file.height = outer

    def _encoded(self, entry: Entry, dialect: str) -> Read:
        known = self.file.dialects.get(dialect)
        read: Any = known and (known.attribute if self.kind == "attribute" else known.type)
        if read is None:
            entry.unknown(f"the dialect {dialect} has no known encoding for {self.kind}s", entry.at)
        found: Read = read(entry)
        if entry.left():
            entry.fail(f"{entry.left()} bytes are left over after an encoded {self.kind} of the dialect {dialect}")
        return found

    def _from_text(self, entry: Entry) -> Read:
        begin, text = entry.at, entry.terminated()
        try:
            return self.text(text)
        except Error as error:
            entry.fail(f"{text[:80]}: {error.message}", begin)


class File:
    """A bytecode file with its tables, and the place where its operations begin.

    Raises:
        ParseError: it is damaged, or of a later version.
    """

    def __init__(
        self,
        data: memoryview,
        source: BinarySource,
        dialects: Mapping[str, Dialect],
        attribute_text: Callable[[str], Attribute],
        type_text: Callable[[str], Type],
    ) -> None:
        self.data, self.source, self.dialects = data, source, dialects
        self.attributes: Table[Attribute] = Table(self, "attribute", attribute_text)
        self.types: Table[Type] = Table(self, "type", type_text)
        self.depth = self.parts = self.height = 0  # of what is being read: how deep, and what it holds so far
        self.budget = SHARING * len(data) + LEAST_BUDGET
        self.strings: list[str] = []
        self.ops: list[OpName] = []
        self.resources: list[tuple[str, memoryview]] = []  # the dialects', in order
        self.properties: list[tuple[int, int]] = []

        head = Cursor(data, 0, len(data), source)
        if bytes(head.bytes(min(4, head.left()))) != MAGIC:
            head.fail("this is not MLIR bytecode, which begins with ML\\xEFR", 0)
        self.version = head.varint()
        self.producer = head.terminated()
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
        """The string whose number stands at a cursor."""
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
        # The last string's size is first, and each counts a NUL at the end.
        sizes = section.listed(section.varint)
        if sum(sizes) != section.left():
            section.fail(f"strings of {sum(sizes)} bytes are announced, but the section has {section.left()}")
        if 0 in sizes:
            section.fail("a string has no NUL at its end")
        self.strings = [bytes(section.bytes(size)[:-1]).decode("utf-8", "surrogateescape") for size in reversed(sizes)]

    def _read_dialects(self, section: Cursor) -> list[str]:
        names = []
        for _ in range(section.count()):
            if self.version < DIALECT_VERSIONS:
                names.append(self.string(section))
                continue
            index, versioned = section.flagged()
            if index >= len(self.strings):
                section.fail(f"there is no string {index}: the file has {len(self.strings)}")
            names.append(self.strings[index])
            if versioned:
                read_section(section)
        self.dialect_names = names
        if self.version >= ELIDED_LOCATIONS:
            section.count()  # of all names
        while section.left():
            dialect = self._dialect(section)
            for _ in range(section.count()):
                index, registered = section.flagged() if self.version >= PROPERTIES else (section.varint(), True)
                if index >= len(self.strings):
                    section.fail(f"there is no string {index}: the file has {len(self.strings)}")
                self.ops.append(OpName(f"{dialect}.{self.strings[index]}", registered))
        return names

    def _read_offsets(self, offsets: Cursor, values: Cursor) -> None:
        counts = offsets.count(), offsets.count()
        tables: tuple[Table[Any], Table[Any]] = (self.attributes, self.types)
        for table, count in zip(tables, counts):
            while len(table.places) < count:
                dialect = self._dialect(offsets)
                for _ in range(min(offsets.count(), count - len(table.places))):
                    size, encoded = offsets.flagged()
                    if not size:
                        offsets.fail(f"an {table.kind} of no bytes")
                    entry = values.part(size)
                    table.places.append((entry.at, entry.end, dialect, encoded))
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
                else:  # a bool or a string, of no use to dense_resource
                    blob = memoryview(b"")
                if not external:
                    self.resources.append((key, blob))
            external -= external > 0


def read_section(cursor: Cursor) -> tuple[int, Cursor]:
    """The number of the section at a cursor, and what is in it."""
    at, head = cursor.at, cursor.byte()
    number, aligned = head & 0x7F, bool(head & 0x80)
    if number >= len(SECTIONS):
        cursor.fail(f"there is no section kind {number}", at)
    size = cursor.varint()
    if aligned:
        cursor.align(cursor.varint())
    return number, cursor.part(size)
