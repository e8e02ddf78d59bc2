"""All kinds of files that hold a StableHLO program, recognised by their content, not by their names: see `FORMATS`."""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Callable
from dataclasses import replace
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple, cast

from ..errors import ParseError, Source, about_file
from ..ir.entry import default_entry, with_entry
from ..syntax.source import ProgramPath, Stream, contents, is_text, regular_contents
from . import sidecar

if TYPE_CHECKING:
    from ..ir import Module
    from .artifact import Artifact
    from .torch_folder import TorchFunction


def read(path: ProgramPath, device: str | None = None, entry: str | None = None) -> Artifact:
    """Read a program from a file.

    Args:
        path: the file, a torch_xla folder, a module's text, or the bytes of a file.
        device: the device to read the program for, if the file has several variants; None: the CPU.
        entry: the function that a call runs; None: the one that the file's exporter meant.

    Raises:
        InputError: the file cannot be read, or has no such function.
        ParseError: it is damaged, or of an unknown format.
    """
    return ProgramFile(path, entry).read(device)


class ProgramFile:
    """The contents of a program's file when this object was made, and of the file that says how to call the program.

    Args:
        path: the file, a torch_xla folder, a module's text, or the bytes of a file.
        entry: the function that a call runs; None: the one that the file's exporter meant.
        streams: whether it may be a pipe, which can be read only once.

    Attributes:
        name: its name in errors.
        folder: the folder of the files that it names.

    Raises:
        InputError: it cannot be read.
    """

    def __init__(self, path: ProgramPath, entry: str | None = None, streams: bool = True) -> None:
        self._entry = entry
        self._function = torch_function(path, entry)
        self.folder = folder_of(path, entry)
        if self._function:
            self._data, self.name = regular_contents(self._function.module)
            self._call = regular_contents(self._function.meta)[0]
        else:
            self._data, self.name = contents(path) if streams or is_alone(path) else regular_contents(cast(str, path))
            self._call = b"" if is_alone(path) else sidecar.contents(unpacked_name(self.name, self._data))

    @property
    def size(self) -> int:
        """The bytes of the program."""
        return len(self._data)

    @cached_property
    def digest(self) -> str:
        """A digest of the program and of how it is called: equal contents have equal digests, wherever they are."""
        digest = hashlib.sha256(b"torch_xla" if self._function else b"module")
        for part in (self._data, self._call, json.dumps(self._entry).encode()):
            digest.update(len(part).to_bytes(8, "little"))
            digest.update(part)
        return digest.hexdigest()

    def read(self, device: str | None = None) -> Artifact:
        """See `read`."""
        if self._function:
            from .torch_folder import read_function

            module = read_contents(self._data, self.name, device).module
            return read_function(self._function, self._call, module)
        data = unpack(self._data, self.name)
        artifact = read_unpacked(data, self.name, device)
        signature = sidecar.signature_of(self._call, unpacked_name(self.name, self._data), data)
        if self._entry is not None:
            default = default_entry(artifact.module)
            if default is None or default.name != self._entry.removeprefix("@"):
                # The file's signature belongs to the file's own entry.
                return plain_artifact(with_entry(artifact.whole or artifact.module, self._entry))
            artifact = replace(artifact, module=with_entry(artifact.module, self._entry))
        if signature is None:
            return artifact
        if not signature.dimensions:
            signature = replace(signature, dimensions=artifact.signature.dimensions)
        return replace(artifact, signature=signature)


def read_contents(data: bytes, path: str, device: str | None = None) -> Artifact:
    """Read a program from the bytes of a file; `path` is its name in errors."""
    return read_unpacked(unpack(data, path), path, device)


def read_unpacked(data: bytes, path: str, device: str | None) -> Artifact:
    """Read a program by the first row of `FORMATS` that takes it."""
    with about_file(Source(path, ""), ParseError):
        return next(
            artifact
            for row in FORMATS
            if row.may_begin(data[:HEAD]) and (artifact := row.read(data, path, device)) is not None
        )


def read_bytecode(data: bytes, path: str, device: str | None) -> Artifact:
    from . import bytecode

    return plain_artifact(bytecode.read_bytecode(data, path))


def read_exported(data: bytes, path: str, device: str | None) -> Artifact | None:
    from . import exported

    return exported.read_exported(data, path, device) if exported.is_exported(data) else None


def read_text(data: bytes, path: str, device: str | None) -> Artifact:
    from ..syntax.parser import parse_contents

    return plain_artifact(parse_contents(data, path))


# The most bytes needed to recognise a format.
HEAD = 64


class Format(NamedTuple):
    """A row of the table of formats.

    Attributes:
        name: what it is called in messages.
        may_begin: whether a file of this format can begin with these bytes, at most `HEAD` of them.
        read: takes a file's bytes, its name in errors, and a device (None: the CPU). It returns None if the file turns
            out to be of another format, and raises ParseError if it is damaged. It imports its parser when it is
            called.
    """

    name: str
    may_begin: Callable[[bytes], bool]
    read: Callable[[bytes, str, str | None], Artifact | None]


# Text is the last row: it accepts what no other row does, and its errors say what is wrong with it.
FORMATS = [
    Format("MLIR bytecode", lambda head: head.startswith(b"ML\xefR"), read_bytecode),
    Format("jax.export", lambda head: b"\0" in head, read_exported),
    Format("MLIR text", lambda head: True, read_text),
]


def is_compressed(head: bytes) -> bool:
    """Whether a file that begins with these bytes was compressed by gzip or zstd."""
    return head.startswith((b"\x1f\x8b", b"\x28\xb5\x2f\xfd"))


def is_plain_text(head: bytes) -> bool:
    """Whether a file that begins with these bytes is MLIR text itself, and holds nothing else."""
    return not is_compressed(head) and next(row for row in FORMATS if row.may_begin(head)) is FORMATS[-1]


def unpack(data: bytes, path: str) -> bytes:
    """The bytes of a file, unpacked if they are compressed."""
    if not is_compressed(data[:4]):
        return data
    from .compressed import decompress

    return decompress(data, path)


def unpacked_name(path: str, data: bytes) -> str:
    """The name to which sidecar files refer: model.mlir, also for model.mlir.gz."""
    return os.path.splitext(path)[0] if is_compressed(data[:4]) else path


def plain_artifact(module: Module) -> Artifact:
    """A module without a signature: it is called with its arguments one by one."""
    from .artifact import Artifact, Signature
    from .symbolic import open_dimensions

    return Artifact(module, Signature(dimensions=open_dimensions(module)))


def is_alone(path: ProgramPath) -> bool:
    """Whether this is a program itself rather than the path of a file, which may have other files next to it."""
    return isinstance(path, bytes | Stream) or is_text(path) or os.fspath(path) == "-"


def folder_of(path: ProgramPath, entry: str | None) -> Path:
    """The folder of the files that a program's file names."""
    if function := torch_function(path, entry):
        return function.folder
    return Path() if isinstance(path, bytes | Stream) or is_alone(path) else Path(path).parent


def torch_function(path: ProgramPath, entry: str | None) -> TorchFunction | None:
    """The function of a torch_xla folder, or of a .meta file in it; None for anything else."""
    if (
        isinstance(path, bytes | Stream)
        or is_text(path)
        or not (os.path.isdir(path) or os.fspath(path).endswith(".meta"))
    ):
        return None
    from .torch_folder import function_of

    return function_of(Path(path), entry)
