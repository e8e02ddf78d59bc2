"""All kinds of files that hold a StableHLO program, recognised by their content, not by their names."""

from __future__ import annotations

import hashlib
import json
import os
from dataclasses import replace
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from ..errors import BinarySource, ParseError, Source, about_file
from ..ir.entry import default_entry, with_entry
from ..syntax.source import ProgramPath, Stream, contents, is_text
from . import sidecar

if TYPE_CHECKING:
    from ..ir import Module
    from .artifact import Artifact
    from .torch_folder import Function

BYTECODE = b"ML\xefR"


def read(path: ProgramPath, device: str | None = None, entry: str | None = None) -> Artifact:
    """Read a program from a file.

    Args:
        path: the file, a torch_xla folder, a module's text, or the bytes of a file.
        device: the device to read the program for, if the file holds several variants; None: the CPU.
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

    Attributes:
        name: its name in errors.
        folder: the folder of the files that it names.

    Raises:
        InputError: it cannot be read.
    """

    def __init__(self, path: ProgramPath, entry: str | None = None) -> None:
        self._entry = entry
        self._function = torch_function(path, entry)
        self.folder = folder_of(path, entry)
        if self._function:
            self._data, self.name = contents(self._function.module)
            self._call = contents(self._function.meta)[0]
        else:
            self._data, self.name = contents(path)
            self._call = b"" if is_alone(path) else sidecar.contents(unpacked_name(self.name, self._data))

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
                return plain_artifact(with_entry(whole_module(artifact, data, self.name), self._entry))
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
    if data[:4] == BYTECODE:
        from .bytecode import read_bytecode

        with about_file(BinarySource(path), ParseError):
            return plain_artifact(read_bytecode(data, path))
    if b"\0" in data[:64]:
        from .exported import is_exported, read_exported

        with about_file(BinarySource(path), ParseError):
            if is_exported(data):
                return read_exported(data, path, device)
    from ..syntax.parser import parse_contents

    with about_file(Source(path, ""), ParseError):
        return plain_artifact(parse_contents(data, path))


def is_compressed(head: bytes) -> bool:
    """Whether a file that begins with these bytes was compressed by gzip or zstd."""
    return head.startswith((b"\x1f\x8b", b"\x28\xb5\x2f\xfd"))


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


def whole_module(artifact: Artifact, data: bytes, path: str) -> Module:
    """The module with all functions of a file, also those that one platform's variant of @main does not call."""
    if artifact.signature.inputs is None:
        return artifact.module
    from .exported import is_exported, module_of

    return module_of(data, path) if is_exported(data) else artifact.module


def is_alone(path: ProgramPath) -> bool:
    """Whether this is a program itself rather than the path of a file, which may have other files next to it."""
    return isinstance(path, bytes | Stream) or is_text(path) or os.fspath(path) == "-"


def folder_of(path: ProgramPath, entry: str | None = None) -> Path:
    """The folder of the files that a program's file names."""
    if function := torch_function(path, entry):
        return function.folder
    return Path() if isinstance(path, bytes | Stream) or is_alone(path) else Path(path).parent


def torch_function(path: ProgramPath, entry: str | None = None) -> Function | None:
    """The function of a torch_xla folder, or of a .meta file in it; None for anything else."""
    if (
        isinstance(path, bytes | Stream)
        or is_text(path)
        or not (os.path.isdir(path) or os.fspath(path).endswith(".meta"))
    ):
        return None
    from .torch_folder import function_of

    return function_of(Path(path), entry)
