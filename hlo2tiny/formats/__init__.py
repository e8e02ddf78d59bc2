"""Every kind of file that holds a StableHLO program, recognised by its content, not by its name."""

from __future__ import annotations

import hashlib
import mmap
import os
from dataclasses import replace
from typing import TYPE_CHECKING

from ..syntax.source import contents, is_text
from . import sidecar

if TYPE_CHECKING:
    from .artifact import Artifact


def read(path: str | os.PathLike[str] | bytes, device: str | None = None) -> Artifact:
    """Read a program from a file.

    Args:
        path: the file, a module's text, or the bytes of either.
        device: for which device the program is to be read, where a file holds several variants; None: for the CPU.

    Raises:
        InputError: the file cannot be read.
        ParseError: it is damaged, or of no format that is known here.
    """
    data, name = contents(path)
    found = read_contents(data, name, device)
    signature = None if is_content(path) else sidecar.read(name, data)
    return found if signature is None else replace(found, signature=signature)


def read_contents(data: bytes | mmap.mmap, path: str, device: str | None = None) -> Artifact:
    """Read a program from the bytes of a file; `path` is what to call it in errors."""
    from ..syntax.parser import parse_contents
    from .artifact import Artifact

    if data[:4].startswith((b"\x1f\x8b", b"\x28\xb5\x2f\xfd")):
        from .compressed import unpacked

        data = unpacked(data, path)
    return Artifact(parse_contents(data, path))


def digest(path: str | os.PathLike[str] | bytes) -> str:
    """What identifies a program's file, with the JSON next to it: the same for the same content, wherever it is."""
    data, name = contents(path)
    found = hashlib.sha256(data)
    if not is_content(path):
        found.update(sidecar.contents(name))
    return found.hexdigest()


def is_content(path: str | os.PathLike[str] | bytes) -> bool:
    """Whether this is a program itself rather than the path of its file."""
    return isinstance(path, bytes) or is_text(path)
