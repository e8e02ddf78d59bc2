"""Programs whose code the cache has: they run without their module, and without what reads and plans it."""

from __future__ import annotations

import contextlib
import json
import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np

from .. import cache
from ..errors import InputError
from ..formats import ProgramFile
from ..formats.artifact import Signature, signature_from_json
from ..ir import ComplexType, ScalarType, TensorType
from ..syntax.source import ProgramPath
from ..targets.c.building import NotBuilt
from ..targets.c.code import ALIGNMENT, Code, thread_count

Shapes = tuple[tuple[int, ...], ...]
# Plans of one program for different shapes that a process keeps at a time.
MOST_PLANS = 16
# Code with more constants is not kept: it would push all else out.
LARGEST = cache.BOUND // 4


@dataclass(frozen=True, eq=False)
class Kept:
    """A program from the cache: the names and declared types of its arguments and results, its signature, its code.

    Where the types leave dimensions open there is code for each set of shapes that a process called it with.
    """

    path: ProgramPath
    digest: str
    device: str
    input_names: Sequence[str]
    output_names: Sequence[str]
    signature: Signature
    inputs: Sequence[TensorType]
    outputs: Sequence[TensorType]
    code: Code | None
    entry: str | None = None
    found: dict[Shapes, Kept] = field(default_factory=dict)  # by the shapes that this process called it with

    @property
    def executor(self) -> Code:
        assert self.code is not None
        return self.code

    @property
    def only(self) -> Kept | None:
        """What runs on all arguments, where the shapes are known."""
        return None if self.code is None else self

    def of_shapes(self, shapes: Sequence[tuple[int, ...]]) -> Kept | None:
        """The program for arguments of these shapes, if the cache has its code."""
        key = tuple(shapes)
        if key not in self.found:
            stored = cache.read(entry_name(self.digest, key))
            with contextlib.suppress(NotBuilt):
                if stored is not None:
                    self.found[key] = from_bytes(stored, self.path, self.digest, self.entry)
        found = self.found.get(key)
        for oldest in list(self.found)[:-MOST_PLANS]:
            self.found.pop(oldest, None)
        return found

    def compile(self, progress: Callable[[int, int], None]) -> None:
        progress(1, 1)

    def source(self) -> ProgramFile:
        """What to read for the module.

        Raises:
            InputError: the file is not what it was when the program was loaded.
        """
        file = ProgramFile(self.path, self.entry)
        if file.digest != self.digest:
            raise InputError(f"{file.name!r} has changed since it was loaded; load it again")
        return file


def entry_name(digest: str, shapes: Shapes = ()) -> str:
    """The name in the cache of a module's code, for arguments of some shapes where the module leaves them open."""
    return cache.key("program", digest, str(thread_count()), str(shapes))


# Environment variables by which tinygrad chooses a device.
CHOICES = ("DEV", "CPU", "CUDA", "NV", "AMD", "METAL", "CL", "GPU", "QCOM", "WEBGPU", "DSP", "PYTHON", "NULL", "LLVM")


def default_device() -> str:
    """tinygrad's default device. It opens all there are to find it, so the answer is kept while they are the same."""
    if os.environ.get("DEV") == "CPU":
        return "CPU"
    try:
        libraries = str(os.stat("/etc/ld.so.cache").st_mtime_ns)
        present = [*sorted(os.listdir("/dev")), libraries, *(f"{c}={os.environ.get(c)}" for c in CHOICES)]
    except OSError:  # not Linux
        present = []
    name = cache.key("default device", *present)
    stored = cache.read(name) if present else None
    if stored is None:
        from ..tinygrad.device import open_device

        stored = open_device(None).encode()
        if present:
            cache.write(name, stored)
    return stored.decode()


def find(path: ProgramPath, file: ProgramFile, device: str, entry: str | None = None) -> tuple[str, Kept | None]:
    """The digest of a file, '' where its code is not kept; and the program, if the cache has it."""
    on_cpu = isinstance(device, str) and device.upper() == "CPU"
    if not on_cpu or os.environ.get("HLO2TINY_EXECUTOR") == "tinygrad" or cache.folder() is None:
        return "", None
    stored = cache.read(entry_name(file.digest))
    with contextlib.suppress(NotBuilt):
        return file.digest, None if stored is None else from_bytes(stored, path, file.digest, entry)
    return file.digest, None


def keep(
    digest: str,
    names: tuple[Sequence[str], Sequence[str]],
    signature: Signature,
    declared: tuple[Sequence[TensorType], Sequence[TensorType]],
    code: Code,
) -> None:
    """Keep a program's code, unless its types are rare ones or its constants very large.

    Args:
        names: of the arguments, and of the results.
        declared: their types, which may leave dimensions open.
    """
    types = [as_json(t) for side in declared for t in side]
    if None in types or sum(c.nbytes for c in code.constants) > LARGEST:
        return
    head = {"names": list(map(list, names)), "signature": signature.to_json()}
    if not any(None in t.shape for t in declared[0]):
        cache.write(entry_name(digest), to_bytes(head, code))
        return
    cache.write(entry_name(digest, tuple(t.shape for t in code.inputs)), to_bytes(head, code))  # type: ignore[misc]
    cache.write(entry_name(digest), with_size(head | {"types": types}))


def to_bytes(head: Mapping[str, object], code: Code) -> bytes:
    found = {
        "types": [as_json(t) for t in (*code.inputs, *code.outputs)],
        "arena": code.arena,
        "library": code.library,
        "shared": len(code.shared),
        "constants": [c.nbytes for c in code.constants],
    }
    parts = [with_size({**head, **found}), code.shared]
    end = sum(map(len, parts))
    for constant in code.constants:
        parts += [bytes(-end % ALIGNMENT), constant.reshape(-1).view(np.uint8).tobytes()]
        end += sum(map(len, parts[-2:]))
    return b"".join(parts)


def with_size(head: Mapping[str, object]) -> bytes:
    text = json.dumps(head).encode()
    return len(text).to_bytes(8, "little") + text


def from_bytes(stored: bytes, path: ProgramPath, digest: str, entry: str | None = None) -> Kept:
    size = int.from_bytes(stored[:8], "little")
    head = json.loads(stored[8 : 8 + size])
    types, names = [from_json(t) for t in head["types"]], head["names"]
    inputs, outputs = types[: len(names[0])], types[len(names[0]) :]
    signature = signature_from_json(head["signature"])
    code = None
    if "shared" in head:
        at = 8 + size + head["shared"]
        shared, constants = stored[8 + size : at], []
        for length in head["constants"]:
            at += -at % ALIGNMENT
            constants.append(np.frombuffer(stored, np.uint8, length, at))
            at += length
        code = Code(shared, constants, inputs, outputs, head["arena"], tuple(head["library"]))
    return Kept(path, digest, "CPU", names[0], names[1], signature, inputs, outputs, code, entry)


def as_json(type: TensorType) -> object:
    """A tensor type of numbers; None for any other."""
    match type.element:
        case ScalarType(name):
            return [name, False, list(type.shape)] if type.encoding is None else None
        case ComplexType(ScalarType(name)):
            return [name, True, list(type.shape)] if type.encoding is None else None
    return None


def from_json(found: tuple[str, bool, Sequence[int]]) -> TensorType:
    name, pairs, shape = found
    return TensorType(tuple(shape), ComplexType(ScalarType(name)) if pairs else ScalarType(name))
