"""Compiled programs by the digest of their file. They run without their module, and what reads and plans it."""

from __future__ import annotations

import contextlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from .. import cache
from ..compiled import Compiled
from ..formats import ProgramFile
from ..formats.artifact import signature_from_json
from ..interface import Interface
from ..ir import ComplexType, ScalarType, TensorType
from ..ir.dtypes import static_shape
from ..targets import Executor, Loader, NotBuilt, Serialized, target_of

Shapes = tuple[tuple[int, ...], ...]
# Code with more constants is not stored: it would push all else out.
LARGEST = cache.BOUND // 4
ALIGNMENT = 64  # of constants in an entry


@dataclass(frozen=True, eq=False)
class StoredProgram:
    """A program's place in the store.

    Where its types leave dimensions open there is code for each set of shapes that a process called it with.

    Attributes:
        digest: that of its file.
        device: the name of what it runs on.
        loader: loads its code.
        interface: what it takes and gives; None: nothing is stored yet.
        only: the code where all shapes are known.
    """

    digest: str
    device: str
    loader: Loader
    interface: Interface | None = None
    only: Compiled | None = None

    def find(self) -> StoredProgram:
        """The place, with what is there."""
        stored = cache.read(self._name())
        with contextlib.suppress(NotBuilt):
            if stored is not None:
                head, parts = unpacked(stored)
                names, signature = head["names"], signature_from_json(head["signature"])
                inputs, outputs = types_from_json(head["types"], len(names[0]))
                interface = Interface(names[0], names[1], inputs, outputs, signature)
                only = self._compiled(interface, head, parts) if interface.is_static else None
                return replace(self, interface=interface, only=only)
        return self

    def of_shapes(self, shapes: Shapes) -> Compiled | None:
        """The program for arguments of these shapes, if there is code for them."""
        if self.interface is None or self.interface.is_static:
            return self.only
        stored = cache.read(self._name(shapes))
        with contextlib.suppress(NotBuilt):
            return None if stored is None else self._compiled(self.interface, *unpacked(stored))
        return None

    def _compiled(self, interface: Interface, head: Mapping[str, Any], parts: Sequence[np.ndarray]) -> Compiled:
        types = types_from_json(head["types"], len(interface.inputs))
        return Compiled(*types, self.loader.load(Serialized(head["facts"], parts), *types))

    def store(
        self, interface: Interface, inputs: Sequence[TensorType], outputs: Sequence[TensorType], executor: Executor
    ) -> None:
        """Store a program's code for arguments and results of static types.

        It is not stored where types are rare ones, constants very large, or the code is this process's own.
        """
        serialized = executor.serialize()
        declared = [as_json(type) for type in (*interface.inputs, *interface.outputs)]
        if serialized is None or None in declared or sum(map(len, serialized.parts)) > LARGEST:
            return
        names = [list(interface.input_names), list(interface.output_names)]
        head = {"names": names, "signature": interface.signature.to_json(), "types": declared}
        code = {"types": [as_json(type) for type in (*inputs, *outputs)], "facts": serialized.facts}
        if interface.is_static:
            cache.write(self._name(), packed(head | code, serialized.parts))
        else:
            cache.write(self._name(tuple(map(static_shape, inputs))), packed(code, serialized.parts))
            cache.write(self._name(), packed(head))

    def _name(self, shapes: Shapes = ()) -> str:
        """The name in the cache, for arguments of some shapes where the module leaves them open."""
        return cache.key("program", self.digest, self.device, self.loader.process(), str(shapes))


def find(file: ProgramFile, device: str) -> StoredProgram | None:
    """The place of a file's program, with what is there; None where none is stored."""
    name = device.upper() if isinstance(device, str) else ""
    loader = target_of(name).loader
    return None if loader is None or cache.folder() is None else StoredProgram(file.digest, name, loader).find()


def packed(head: Mapping[str, Any], parts: Sequence[np.ndarray] = ()) -> bytes:
    """JSON with its size before it, then the parts, each of them aligned."""
    text = json.dumps({**head, "sizes": list(map(len, parts))}).encode()
    pieces = [len(text).to_bytes(8, "little"), text]
    end = sum(map(len, pieces))
    for part in parts:
        pieces += [bytes(-end % ALIGNMENT), part.tobytes()]
        end += sum(map(len, pieces[-2:]))
    return b"".join(pieces)


def unpacked(stored: bytes) -> tuple[dict[str, Any], list[np.ndarray]]:
    at = 8 + int.from_bytes(stored[:8], "little")
    head, parts = json.loads(stored[8:at]), []
    for size in head["sizes"]:
        at += -at % ALIGNMENT
        parts.append(np.frombuffer(stored, np.uint8, size, at))
        at += size
    return head, parts


def as_json(type: TensorType) -> object:
    """A tensor type of numbers; None for any other."""
    match type.element:
        case ScalarType(name):
            return [name, False, list(type.shape)] if type.encoding is None else None
        case ComplexType(ScalarType(name)):
            return [name, True, list(type.shape)] if type.encoding is None else None
    return None


def types_from_json(
    types: Sequence[tuple[str, bool, Sequence[int]]], inputs: int
) -> tuple[list[TensorType], list[TensorType]]:
    """The types of arguments, whose number is known, and of results."""
    made = [
        TensorType(tuple(shape), ComplexType(ScalarType(name)) if pairs else ScalarType(name))
        for name, pairs, shape in types
    ]
    return made[:inputs], made[inputs:]
