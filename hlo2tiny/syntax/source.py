"""Where a module comes from: a path, a text or bytes; made fit for the lexer.

Large hexadecimal payloads are cut out of the bytes first, so that neither decoding, lexing nor positions ever see them.
"""

from __future__ import annotations

import binascii
import mmap
import os
import re
from pathlib import Path

from ..errors import BinarySource, InputError, ParseError, Source

# A payload of more than a kilobyte. What replaces it holds a NUL, which no text holds, and the payload's number.
PAYLOAD = re.compile(rb'"0x([0-9A-Fa-f]{1024,})"')
BOM = b"\xef\xbb\xbf"

FOREIGN: tuple[tuple[bytes, str], ...] = (
    (rb"ML\xefR", "this is MLIR bytecode, not text; hlo2tiny.load reads it"),
    (
        rb".{4,4000}ML\xefR",
        "this looks like a file of jax.export's serialize(), or like another file around MLIR bytecode, but damaged",
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
    """The payloads cut out of a text, as hexadecimal digits in the file's own memory."""

    def __init__(self, digits: list[memoryview]) -> None:
        self.digits = digits

    def decode(self, string: str, skip: int = 0) -> bytes:
        """The bytes of a hexadecimal string "0x…", or of the payload that it stands for, without the first `skip`.

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
            raise ValueError(f"a hexadecimal string needs an even number of digits, this has {len(digits)}")
        try:
            return binascii.unhexlify(digits[2 * skip :])
        except (binascii.Error, ValueError):
            raise ValueError("a hexadecimal string holds something else than hexadecimal digits") from None


def is_text(path_or_text: object) -> bool:
    """Whether a string is a module's text rather than the path of its file."""
    if not isinstance(path_or_text, str):
        return False
    start = path_or_text.lstrip()
    if not start or "\n" in path_or_text or "{" in path_or_text:
        return True
    return start.startswith("module") and not os.path.exists(path_or_text)


def contents(path_or_text: str | os.PathLike[str] | bytes) -> tuple[bytes | mmap.mmap, str]:
    """The bytes of a module and what to call them in errors.

    A string with a newline or a brace is the text itself, also one that begins with "module" and is no file's path.

    Raises:
        InputError: there is no such file, or it cannot be read.
    """
    if isinstance(path_or_text, bytes):
        return path_or_text, "<bytes>"
    if is_text(path_or_text):
        return str(path_or_text).encode("utf-8", "surrogatepass"), "<text>"
    path = Path(path_or_text)
    try:
        with open(path, "rb") as file:
            if not os.fstat(file.fileno()).st_size:
                return file.read(), str(path)  # empty, or a pipe
            return mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ), str(path)
    except IsADirectoryError:
        raise InputError(f"{path}: this is a directory; give the .mlir file in it") from None
    except FileNotFoundError:
        raise InputError(f"{path}: there is no such file") from None
    except (OSError, ValueError) as error:
        raise InputError(f"{path}: cannot be read: {error}") from None


def cut(data: bytes | mmap.mmap, path: str) -> tuple[Source, Payloads]:
    """The source of a module and the payloads cut out of it.

    Raises:
        ParseError: it is not UTF-8 text, or plainly of another format.
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
    """UTF-8 text without NUL."""
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
        raise ParseError("this file is binary, and no program of a format that is known here", source, offset + at)
    return text
