"""Where a module comes from, a path, a text or bytes, and its preparation for the lexer.

Large hexadecimal payloads are cut out of the bytes first, so that decoding, lexing and positions never see them.
"""

from __future__ import annotations

import binascii
import os
import re
import stat
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import BinaryIO

from ..errors import BinarySource, InputError, ParseError, Source
from ..files import read_regular
from ..records import dataclass

# A payload of more than a kilobyte. It is replaced by a NUL, which no text holds, and the payload's number.
PAYLOAD = re.compile(rb'"0x([0-9A-Fa-f]{1024,})"')
BOM = b"\xef\xbb\xbf"
# How many bytes are read from a pipe, which may never end.
MOST_STREAMED = 1 << 32

FOREIGN: tuple[tuple[bytes, str], ...] = (
    (rb"ML\xefR", "this is MLIR bytecode, not text; hlo2tiny.load reads it"),
    (
        rb".{4,4000}ML\xefR",
        "this looks like a file of jax.export's serialize(), or another container of MLIR bytecode, but it is damaged",
    ),
    (
        rb"\s*HloModule\b",
        "this is HLO text, not StableHLO; in JAX use lowered.as_text('stablehlo'), or convert it with"
        " xla-translate --hlo-text-to-stablehlo",
    ),
    (rb"PK\x03\x04", "this is a zip archive (.npz, .pt2, .keras, SavedModel?); export the model as StableHLO text"),
    (
        rb"\x08[\x01-\x0f][\x12\x3a]",
        "this looks like an ONNX or TensorFlow protobuf; export the model as StableHLO text",
    ),
    (rb"\x89HDF", "this is an HDF5 file of weights; export the model as StableHLO text"),
    (rb"\x93NUMPY", "this is a numpy array, not a program; give it to the program as an input"),
    (rb"\x7fELF|MZ", "this is machine code, not StableHLO text"),
    (
        rb"\x1f\x8b|\x28\xb5\x2f\xfd",
        "this is compressed, not text; hlo2tiny.load reads it, unless it is compressed twice",
    ),
    (rb"BZh|\xfd7zXZ", "this file is compressed by bzip2 or xz; unpack it, or use gzip or zstd"),
    (rb"\xff\xfe|\xfe\xff", "this text is UTF-16; save it as UTF-8"),
    (rb"(?i)\s*<(!doctype|html|\?xml)", "this is HTML or XML, perhaps an error page saved by a download"),
    (rb"version https://git-lfs", "this is a Git LFS pointer; fetch the file itself with: git lfs pull"),
    (
        rb"(?:[ \t]*(?:#[^\n]*)?\n)*(?:import|from) \w+",
        "this is Python source; run it and export the function with jax.export",
    ),
    (rb"\s*[\[{]\s*\"\w", "this is JSON, not StableHLO text"),
)


class Payloads:
    """The payloads cut out of a text: hexadecimal digits in the file's own memory."""

    def __init__(self, digits: list[memoryview]) -> None:
        self.digits = digits

    def decode(self, string: str, skip: int = 0) -> bytes:
        """The bytes of a hexadecimal string "0x…", or of the payload it stands for, without the first `skip` bytes.

        Raises:
            ValueError: it is not a hexadecimal string.
        """
        digits: memoryview | str
        if string.startswith("\0"):
            digits = self.digits[int(string[1:])]
        elif string[:2] in ("0x", "0X"):
            digits = string[2:]
        else:
            raise ValueError('expected a hexadecimal string "0x…"')
        if len(digits) % 2:
            raise ValueError(f"a hexadecimal string needs an even number of digits, but this one has {len(digits)}")
        try:
            return binascii.unhexlify(digits[2 * skip :])
        except (binascii.Error, ValueError):
            raise ValueError("a hexadecimal string holds something other than hexadecimal digits") from None


def is_text(path_or_text: object) -> bool:
    """Whether a string is a module's text rather than the path of its file."""
    if not isinstance(path_or_text, str):
        return False
    start = path_or_text.lstrip()
    if not start or "\n" in path_or_text or "{" in path_or_text:
        return True
    return start.startswith("module") and not os.path.exists(path_or_text)


@dataclass(frozen=True, eq=False)
class Stream:
    """The contents of a pipe or of standard input, which can be read only once."""

    name: str
    data: bytes


ProgramPath = str | os.PathLike[str] | bytes | Stream


def read_once(path_or_text: ProgramPath | bytearray | memoryview) -> ProgramPath:
    """The same path, text or bytes; but the contents of standard input, "-", or of a pipe, which can be read only once.

    Raises:
        InputError: there is no such file, it cannot be read, or it may never end.
    """
    if isinstance(path_or_text, bytearray | memoryview):  # others may change their bytes
        return bytes(path_or_text)
    if isinstance(path_or_text, bytes | Stream) or is_text(path_or_text):
        return path_or_text
    path = os.fspath(path_or_text)
    with readable(path):
        if path == "-":
            if sys.stdin is None:
                raise InputError("standard input is closed")
            return Stream("<stdin>", read_to_end(sys.stdin.buffer, "standard input"))
        mode = os.stat(path).st_mode
        if stat.S_ISREG(mode) or stat.S_ISDIR(mode):
            return path_or_text
        if stat.S_ISSOCK(mode):
            raise InputError(f"{path}: this is a socket; send its contents through a pipe to '-'")
        if stat.S_ISBLK(mode):
            raise InputError(f"{path}: this is a block device, expected a file")
        with open(path, "rb") as file:
            finite = stat.S_ISFIFO(mode) or file.isatty() or os.path.realpath(path) == os.devnull
            if not finite:
                raise InputError(f"{path}: this is a device, whose data may never end; expected a file or a pipe")
            return Stream(path, read_to_end(file, path))


def read_to_end(file: BinaryIO, name: str) -> bytes:
    data = file.read(MOST_STREAMED + 1)
    if len(data) > MOST_STREAMED:
        raise InputError(f"{name}: this has more than {MOST_STREAMED:,} bytes; save them to a file first")
    return data


@contextmanager
def readable(path: str | os.PathLike[str]) -> Iterator[None]:
    """Raise what goes wrong with a path as an error for the user."""
    try:
        yield
    except IsADirectoryError:
        raise InputError(f"{path}: this is a directory; pass the .mlir file in it") from None
    except FileNotFoundError:
        raise InputError(f"{path}: there is no such file") from None
    except (OSError, ValueError) as error:
        raise InputError(f"{path}: cannot be read: {error}") from None


def contents(path_or_text: ProgramPath) -> tuple[bytes, str]:
    """The bytes of a module and what to call them in errors.

    A string is the text itself if it has a newline or a brace, or begins with "module" and is not a file's path.
    A file is read, not mapped, so that changing it later does not change what was read.

    Raises:
        InputError: there is no such file, or it cannot be read.
    """
    program = read_once(path_or_text)
    if isinstance(program, bytes):
        return program, "<bytes>"
    if isinstance(program, Stream):
        return program.data, program.name
    if is_text(program):
        return str(program).encode("utf-8", "surrogatepass"), "<text>"
    return regular_contents(program)


def regular_contents(path: str | os.PathLike[str]) -> tuple[bytes, str]:
    """The same for a regular file, which must not be a pipe."""
    with readable(path):
        return read_regular(path), os.fspath(path)


def cut_payloads(data: bytes, path: str) -> tuple[Source, Payloads]:
    """The source of a module and the payloads cut out of it.

    Raises:
        ParseError: it is not UTF-8 text, or is clearly in another format.
    """
    head = bytes(data[:4096])
    for magic, cure in FOREIGN:
        if re.match(magic, head, re.DOTALL):
            binary = b"\0" in head
            raise ParseError(cure, BinarySource(path) if binary else Source(path, ""), 0 if binary else None)
    view = memoryview(data)
    pieces: list[str] = []
    digits: list[memoryview] = []
    cuts: list[tuple[int, int]] = []
    offset, start = 0, len(BOM) if head.startswith(BOM) else 0
    for payload in PAYLOAD.finditer(data):
        first, last = payload.span(1)
        piece = decode(bytes(view[start : first - 2]), path, offset, pieces) + f"\0{len(digits)}"
        pieces.append(piece)
        offset += len(piece)
        cuts.append((offset, last - first + 2 - len(f"\0{len(digits)}")))
        digits.append(view[first:last])
        start = last
    pieces.append(decode(bytes(view[start:]), path, offset, pieces))
    return Source(path, "".join(pieces), tuple(cuts)), Payloads(digits)


def decode(data: bytes, path: str, offset: int, before: list[str]) -> str:
    """The text of UTF-8 bytes without NUL; `before` is the text before it, for the error's location."""
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError as error:
        offset += len(data[: error.start].decode("utf-8"))
        source = Source(path, "".join(before) + data.decode("utf-8", "replace"))
        raise ParseError(
            f"this file is not UTF-8 text: byte 0x{data[error.start]:02X}; is it binary, or in another encoding?",
            source,
            offset,
        ) from None
    at = text.find("\0")
    if at >= 0:
        source = Source(path, "".join(before) + text)
        raise ParseError("this file is binary, and not a program in any format known here", source, offset + at)
    return text
