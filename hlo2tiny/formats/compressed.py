"""Files compressed by gzip or zstd."""

from __future__ import annotations

import sys
import zlib
from typing import Protocol

from ..errors import BinarySource, ParseError

# The largest size of the contents, in bytes or as a multiple of the file's size: a larger one would fill the memory.
MOST_UNPACKED = 1 << 28
MOST_TIMES = 100
CHUNK = 1 << 20
# The first piece read of a member or frame. It is small, since what follows the member in it is copied.
FIRST_CHUNK = 1 << 12
# If members are shorter than this on average, a file may have this many of them: each takes microseconds to begin.
LEAST_MEMBER = 1 << 10
MOST_MEMBERS = 1 << 12


class Decompressor(Protocol):
    """The interface of one gzip stream or zstd frame."""

    @property
    def eof(self) -> bool: ...

    @property
    def unused_data(self) -> bytes: ...

    def decompress(self, data: memoryview, max_length: int, /) -> bytes: ...


def decompress(data: bytes, path: str) -> bytes:
    """The contents of a compressed file: all its gzip members, or zstd frames, one after the other.

    Raises:
        ParseError: it is damaged or cut short, or its contents are so large that it must be a decompression bomb.
    """
    gzip = data[:2] == b"\x1f\x8b"
    damage: type[Exception]
    if gzip:
        name, damage = "gzip", zlib.error
    else:
        if sys.version_info >= (3, 14):
            from compression import zstd
        else:
            from backports import zstd
        name, damage = "zstd", zstd.ZstdError
    bound = max(MOST_UNPACKED, MOST_TIMES * len(data))
    pieces: list[bytes] = []
    size = at = 0

    def fail(message: str) -> ParseError:
        return ParseError(f"this file is compressed by {name}, {message}", BinarySource(path), at)

    view, members = memoryview(data), 0
    while at < len(view):
        members += 1
        if members > MOST_MEMBERS + size // LEAST_MEMBER:
            raise fail(f"and has {members:,} members for {size:,} bytes of contents; unpack it first")
        step = FIRST_CHUNK
        stream: Decompressor = zlib.decompressobj(wbits=31) if gzip else zstd.ZstdDecompressor()
        while not stream.eof:
            chunk = view[at : at + step]
            at += len(chunk)
            step = min(2 * step, CHUNK)
            try:
                piece = stream.decompress(chunk, bound - size + 1)
            except damage as error:
                raise fail(f"and it is damaged: {error}") from None
            except MemoryError:
                raise fail("and unpacking it needs more memory than is available") from None
            pieces.append(piece)
            size += len(piece)
            if size > bound:
                raise fail(
                    f"and its contents exceed {bound:,} bytes, for {len(data):,} bytes of file;"
                    " if that is intended, unpack it first"
                )
            if not chunk and not stream.eof:
                raise fail("and it is cut short: its end is missing")
        at -= len(stream.unused_data)
        if gzip and not any(view[at:]):
            break  # padding, as tape drives add it
    return b"".join(pieces)
