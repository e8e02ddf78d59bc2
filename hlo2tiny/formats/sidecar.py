"""The JSON file next to a text, model.mlir.json, in which `hlo2tiny.export` describes how to call the program.

    {"hlo2tiny": 1, "module": the text's SHA-256, "signature": …}

It belongs to one text. A JSON file of that name without "hlo2tiny" belongs to someone else, and is ignored.
"""

from __future__ import annotations

import hashlib
import json
from pathlib import Path

from ..errors import BinarySource, InputError, ParseError
from ..files import read_regular
from ..output import json_bytes, written
from .artifact import Signature, signature_from_json
from .inside import expect_inside

VERSION = 1


def path_of(path: str) -> Path:
    return Path(f"{path}.json")


def contents(path: str) -> bytes:
    """The bytes of the JSON next to a file; b'' if there is none.

    Raises:
        InputError: it cannot be read.
    """
    try:
        if path_of(path).is_symlink():
            expect_inside(Path(path).parent, path_of(path))
        return read_regular(path_of(path))
    except (FileNotFoundError, NotADirectoryError, ValueError):  # ValueError: a path with NUL
        return b""
    except OSError as error:
        raise InputError(f"{path_of(path)}: cannot be read: {error.strerror or error}") from None


def signature_of(data: bytes, path: str, module: bytes) -> Signature | None:
    """The signature that the JSON gives for the program in the file `path`; None if the JSON is not ours.

    Raises:
        InputError: the JSON belongs to another text.
        ParseError: it is damaged.
    """
    source = BinarySource(str(path_of(path)))
    try:
        value = json.loads(data) if data else None
    except (ValueError, RecursionError) as error:
        raise ParseError(f"this is not JSON: {error}", source, getattr(error, "pos", 0)) from None
    match value:
        case {"hlo2tiny": int(version), "module": str(digest), "signature": signature}:
            if version != VERSION:
                raise InputError(f"{source.path}: has version {version}, expected {VERSION}; update hlo2tiny")
            expected = hashlib.sha256(module).hexdigest()
            if digest != expected:
                raise InputError(
                    f"{source.path} describes how to call a different text from the one in {path}; delete it, export"
                    f' both again or, if it is still right, put "module": "{expected}" into it'
                )
            try:
                return signature_from_json(signature)
            except ValueError as error:
                raise ParseError(f"this is not a signature: {error}", source, 0) from None
        case {"hlo2tiny": _}:
            raise ParseError('expected {"hlo2tiny": a version, "module": a digest, "signature": …}', source, 0)
    return None


def write(path: Path, text: bytes, signature: Signature) -> None:
    """Write a text, and next to it the JSON that describes how to call it.

    Raises:
        InputError: a file cannot be written, or there is a JSON file of another program.
    """
    expect_ours(path)
    value = {"hlo2tiny": VERSION, "module": hashlib.sha256(text).hexdigest(), "signature": signature.to_json()}
    # The JSON is written first: without it, the text would be called differently.
    with written(path_of(str(path))) as file:
        file.write(json_bytes(value) + b"\n")
    with written(path) as file:
        file.write(text)


def expect_ours(path: Path) -> None:
    """Refuse to overwrite a JSON file that was not written by this package.

    Raises:
        InputError: there is such a file next to the text, or it cannot be read.
    """
    if is_there(path) and not is_ours(path):
        name = path_of(str(path))
        raise InputError(f"{name} already exists and was not written by hlo2tiny; move it, or write elsewhere")


def remove(path: Path) -> None:
    """Remove the JSON of a text that was there before.

    Raises:
        InputError: it cannot be removed.
    """
    if is_there(path) and is_ours(path):
        try:
            path_of(str(path)).unlink()
        except OSError as error:
            raise InputError(f"{path_of(str(path))}: cannot be removed: {error.strerror or error}") from None


def is_there(path: Path) -> bool:
    return path_of(str(path)).exists()


def is_ours(path: Path) -> bool:
    """Whether this package wrote the JSON next to a text."""
    try:
        return "hlo2tiny" in json.loads(contents(str(path)))
    except (ValueError, TypeError, RecursionError):
        return False
