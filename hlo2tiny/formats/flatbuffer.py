"""Reads the tables of flatbuffers, https://flatbuffers.dev/internals, within the bounds of the file.

A schema numbers a table's fields from 0; a field missing in the file has its default value.
"""

from __future__ import annotations

import struct
from collections.abc import Iterator
from typing import NoReturn

import numpy as np

from ..errors import BinarySource, ParseError

# The least size of a table, and of a text without its characters.
SMALLEST = 4
DEEPEST = 256
NUMBERS = {code: struct.Struct(f"<{code}") for code in "bhHiI"}


class FlatBuffer:
    """A file whose tables are being read."""

    def __init__(self, data: bytes, path: str) -> None:
        self.data = memoryview(data)
        self.source = BinarySource(path)
        # How many more bytes may be read: no more than the file has, even if its parts contain each other.
        self.budget = len(data)

    def fail(self, message: str, at: int) -> NoReturn:
        raise ParseError(message, self.source, at)

    def spend(self, size: int, at: int, what: str) -> None:
        self.budget -= size
        if self.budget < 0:
            self.fail(f"{what}: parts of this file contain each other", at)

    def number(self, code: str, at: int, what: str) -> int:
        """The number of a struct code at a byte."""
        layout = NUMBERS[code]
        if not 0 <= at <= len(self.data) - layout.size:
            inside = min(max(at, 0), len(self.data))
            self.fail(f"{what}: expected {layout.size} bytes at byte {at}; the file ends at {len(self.data)}", inside)
        return int(layout.unpack_from(self.data, at)[0])

    def expect_whole(self) -> None:
        """Fail if the end is missing: writers pad a file to a multiple of its largest number, at least 4 bytes."""
        if len(self.data) % 4:
            size = len(self.data)
            self.fail(f"the file is cut short or has extra bytes: its size, {size} bytes, is not a multiple of 4", size)

    def root(self) -> FlatTable:
        return FlatTable(self, self.number("I", 0, "the offset of the first table"), "the first table")


class FlatTable:
    """A table of a buffer; errors call it `what`."""

    def __init__(self, buffer: FlatBuffer, at: int, what: str, depth: int = 0) -> None:
        self.buffer, self.at, self.what, self.depth = buffer, at, what, depth
        buffer.spend(SMALLEST, at, what)
        if depth > DEEPEST:
            self.fail(f"this table is nested more than {DEEPEST} levels deep")
        self.layout = at - buffer.number("i", at, what)
        self.layout_size = buffer.number("H", self.layout, f"the layout of {what}")

    def fail(self, message: str) -> NoReturn:
        self.buffer.fail(f"{self.what}: {message}", self.at)

    def locate(self, field: int) -> int:
        """The offset of a field; 0 if it is missing."""
        entry = 4 + 2 * field
        if entry + 2 > self.layout_size:
            return 0
        offset = self.buffer.number("H", self.layout + entry, f"the layout of {self.what}")
        return self.at + offset if offset else 0

    def number(self, field: int, code: str, name: str, default: int = 0) -> int:
        at = self.locate(field)
        return self.buffer.number(code, at, f"{self.what}, {name}") if at else default

    def target(self, field: int, name: str) -> int:
        """The offset that a field refers to; 0 if it is missing."""
        at = self.locate(field)
        return at + self.buffer.number("I", at, f"{self.what}, {name}") if at else 0

    def vector(self, at: int, size: int, name: str) -> tuple[int, int]:
        """The offset of a vector's first element, and the number of elements."""
        what = f"{self.what}, {name}"
        count = self.buffer.number("I", at, what)
        if count * size > len(self.buffer.data) - at - 4:
            self.buffer.fail(f"{what}: {count} elements of {size} bytes each extend past the end of the file", at)
        return at + 4, count

    def bytes(self, field: int, name: str) -> memoryview:
        """The contents of a vector of bytes, not copied."""
        if not (at := self.target(field, name)):
            return self.buffer.data[:0]
        start, count = self.vector(at, 1, name)
        return self.buffer.data[start : start + count]

    def numbers(self, field: int, dtype: type[np.generic], name: str) -> list[int]:
        if not (at := self.target(field, name)):
            return []
        size = np.dtype(dtype).itemsize
        start, count = self.vector(at, size, name)
        numbers: list[int] = np.frombuffer(self.buffer.data, np.dtype(dtype).newbyteorder("<"), count, start).tolist()
        return numbers

    def string(self, field: int, name: str) -> str:
        at = self.target(field, name)
        return self.text(at, name) if at else ""

    def text(self, at: int, name: str) -> str:
        start, count = self.vector(at, 1, name)
        self.buffer.spend(SMALLEST + count, at, f"{self.what}, {name}")
        if self.buffer.number("b", start + count, f"{self.what}, {name}: the NUL at its end"):
            self.buffer.fail(f"{self.what}, {name}: this text has no NUL at its end", start + count)
        try:
            return str(self.buffer.data[start : start + count], "utf-8")
        except UnicodeDecodeError:
            self.buffer.fail(f"{self.what}, {name}: this text is not UTF-8", start)

    def table(self, field: int, name: str) -> FlatTable | None:
        at = self.target(field, name)
        return FlatTable(self.buffer, at, name, self.depth + 1) if at else None

    def elements(self, field: int, name: str) -> Iterator[int]:
        """The offsets of the tables or strings of a vector."""
        if at := self.target(field, name):
            start, count = self.vector(at, 4, name)
            offsets = np.frombuffer(self.buffer.data, "<u4", count, start).tolist()
            for index, offset in enumerate(offsets):
                yield start + 4 * index + offset

    def tables(self, field: int, name: str) -> Iterator[FlatTable]:
        for at in self.elements(field, name):
            yield FlatTable(self.buffer, at, name, self.depth + 1)

    def strings(self, field: int, name: str) -> Iterator[str]:
        for at in self.elements(field, name):
            yield self.text(at, name)
