"""Reads numbers, strings and blobs of a file that may be cut short or state wrong sizes."""

from __future__ import annotations

from collections.abc import Callable
from typing import NoReturn, TypeVar

from ...errors import Error, ParseError, Source

T = TypeVar("T")


class Cursor:
    """A position in a part of a file, and the end of that part, both as offsets in the file."""

    __slots__ = ("at", "data", "end", "source")

    def __init__(self, data: memoryview, at: int, end: int, source: Source) -> None:
        self.data, self.at, self.end, self.source = data, at, end, source

    def fail(self, message: str, at: int | None = None, kind: type[Error] = ParseError) -> NoReturn:
        raise kind(message, self.source, self.at if at is None else at) from None

    def left(self) -> int:
        """How many bytes are left."""
        return self.end - self.at

    def byte(self) -> int:
        at = self.at
        if at >= self.end:
            self.fail("the file, or this part of it, ends where a byte is expected")
        self.at = at + 1
        return self.data[at]

    def varint(self) -> int:
        """A number of at most 64 bits: the trailing zeros of the first byte count the bytes that follow."""
        at = self.at
        if at >= self.end:
            self.fail("the file, or this part of it, ends where a number is expected")
        first = self.data[at]
        if first & 1:
            self.at = at + 1
            return first >> 1
        width = (first & -first).bit_length() or 9
        if at + width > self.end:
            self.fail("the file, or this part of it, ends inside a number")
        self.at = at + width
        if first:
            return int.from_bytes(self.data[at : at + width], "little") >> width
        return int.from_bytes(self.data[at + 1 : at + 9], "little")

    def signed_varint(self) -> int:
        """A number whose sign is the lowest bit."""
        value = self.varint()
        return (value >> 1) ^ -(value & 1)

    def flagged_varint(self) -> tuple[int, bool]:
        """A number with a flag in the lowest bit."""
        value = self.varint()
        return value >> 1, bool(value & 1)

    def count(self) -> int:
        """The number of items that follow. Each takes at least a byte, which limits their number."""
        at = self.at
        value = self.varint()
        if value > self.end - self.at:
            self.fail(f"{value} items are declared, but only {self.end - self.at} bytes are left", at)
        return value

    def read_list(self, read: Callable[[], T]) -> list[T]:
        """A list: the number of items, then the items."""
        return [read() for _ in range(self.count())]

    def bytes(self, size: int) -> memoryview:
        """The next bytes, in the file's own memory."""
        if size > self.end - self.at:
            self.fail(f"{size} bytes are declared, but only {self.end - self.at} are left")
        self.at += size
        return self.data[self.at - size : self.at]

    def blob(self) -> memoryview:
        """A size, then that many bytes."""
        return self.bytes(self.varint())

    def terminated_string(self) -> str:
        """The text up to the next NUL."""
        at, size = self.at, 256
        while (length := (piece := bytes(self.data[at : min(at + size, self.end)])).find(0)) < 0:
            if at + size >= self.end:
                self.fail("this text has no NUL at its end")
            size *= 4
        self.at = at + length + 1
        return piece[:length].decode("utf-8", "surrogateescape")

    def align(self, alignment: int) -> None:
        """Advance to a multiple of the alignment."""
        if alignment <= 0 or alignment & (alignment - 1):
            self.fail(f"found an alignment of {alignment}, expected a power of two")
        skipped = -self.at % alignment
        if skipped > self.left():
            self.fail(f"the file, or this part of it, ends before the next multiple of {alignment}")
        self.at += skipped

    def part(self, size: int) -> Cursor:
        """A cursor over the next bytes, which this one skips."""
        if size > self.end - self.at:
            self.fail(f"a part of {size} bytes is declared, but only {self.end - self.at} are left")
        self.at += size
        return Cursor(self.data, self.at - size, self.at, self.source)
