"""Programs whose code the cache has: they run without their module, and without what reads and plans it."""

from __future__ import annotations

import contextlib
import json
import os
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from . import cache, formats
from .errors import InputError
from .formats.artifact import Signature, signature_from_json
from .ir import ComplexType, ScalarType, TensorType
from .run.building import NotBuilt
from .run.code import ALIGNMENT, Code, thread_count

# Code with more constants is not kept: it would push all else out.
LARGEST = cache.BOUND // 4


@dataclass(frozen=True, eq=False)
class Kept:
    """A program's code from the cache, with the names and types of its arguments and results, and its signature."""

    path: str | os.PathLike[str] | bytes
    digest: str
    device: str
    input_names: Sequence[str]
    output_names: Sequence[str]
    signature: Signature
    executor: Code

    @property
    def inputs(self) -> Sequence[TensorType]:
        return self.executor.inputs

    @property
    def outputs(self) -> Sequence[TensorType]:
        return self.executor.outputs

    @property
    def only(self) -> Kept:
        """What runs on all arguments: its shapes are known."""
        return self

    def compile(self, progress: Callable[[int, int], None]) -> None:
        progress(1, 1)

    def source(self) -> str | os.PathLike[str] | bytes:
        """What to read for the module.

        Raises:
            InputError: the file is not what it was when the program was loaded.
        """
        if formats.digest(self.path) != self.digest:
            raise InputError(f"{os.fspath(self.path)!r} has changed since it was loaded; load it again")
        return self.path


def entry_name(digest: str) -> str:
    """The name in the cache of a module's code."""
    return cache.key("program", digest, str(thread_count()))


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
        from .run.tinygrad import open_device

        stored = open_device(None).encode()
        if present:
            cache.write(name, stored)
    return stored.decode()


def find(path: str | os.PathLike[str] | bytes, device: str) -> tuple[str, Kept | None]:
    """The digest of a file, '' where code is not kept for the device; and the program, if the cache has it.

    Raises:
        InputError: the file cannot be read.
    """
    on_cpu = isinstance(device, str) and device.upper() == "CPU"
    if not on_cpu or os.environ.get("HLO2TINY_EXECUTOR") == "tinygrad" or cache.folder() is None:
        return "", None
    digest = formats.digest(path)
    stored = cache.read(entry_name(digest))
    with contextlib.suppress(NotBuilt):
        return digest, None if stored is None else from_bytes(stored, path, digest)
    return digest, None


def keep(
    digest: str, input_names: Sequence[str], output_names: Sequence[str], signature: Signature, code: Code
) -> None:
    """Keep a program's code, unless its types are rare ones or its constants very large."""
    types = [as_json(t) for t in (*code.inputs, *code.outputs)]
    if None in types or sum(c.nbytes for c in code.constants) > LARGEST:
        return
    head = {
        "names": [list(input_names), list(output_names)],
        "types": types,
        "signature": signature.to_json(),
        "arena": code.arena,
        "library": code.library,
        "shared": len(code.shared),
        "constants": [c.nbytes for c in code.constants],
    }
    text = json.dumps(head).encode()
    parts = [len(text).to_bytes(8, "little"), text, code.shared]
    end = sum(map(len, parts))
    for constant in code.constants:
        parts += [bytes(-end % ALIGNMENT), constant.reshape(-1).view(np.uint8).tobytes()]
        end += sum(map(len, parts[-2:]))
    cache.write(entry_name(digest), b"".join(parts))


def from_bytes(stored: bytes, path: str | os.PathLike[str] | bytes, digest: str) -> Kept:
    size = int.from_bytes(stored[:8], "little")
    head = json.loads(stored[8 : 8 + size])
    at = 8 + size + head["shared"]
    shared, constants = stored[8 + size : at], []
    for length in head["constants"]:
        at += -at % ALIGNMENT
        constants.append(np.frombuffer(stored, np.uint8, length, at))
        at += length
    types, (input_names, output_names) = [from_json(t) for t in head["types"]], head["names"]
    inputs, outputs = types[: len(input_names)], types[len(input_names) :]
    code = Code(shared, constants, inputs, outputs, head["arena"], tuple(head["library"]))
    signature = signature_from_json(head["signature"])
    return Kept(path, digest, "CPU", input_names, output_names, signature, code)


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
