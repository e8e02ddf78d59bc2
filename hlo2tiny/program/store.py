"""Compiled programs by the digest of their file. They run without parsing or planning anything."""

from __future__ import annotations

import contextlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, cast

import numpy as np

from ..formats.artifact import signature_from_json
from ..ir import ComplexType, ScalarType, TensorType
from ..ir.dtypes import static_shape
from ..ir.sharding import Placement
from ..ir.sizes import Condition, size_as_json, size_from_json
from ..machine import cache
from ..records import dataclass
from ..targets import Executor, Loader, NotBuilt, Serialized, target_of, thread_count
from .compiled import Compiled, Types
from .interface import Interface
from .opened import OpenProgram
from .options import Options
from .sharded import ShardedExecutor, Team

if TYPE_CHECKING:
    from ..targets import OpenExecutor

Shapes = tuple[tuple[int, ...], ...]
# Stands for all shapes.
OPEN: Shapes = ((-1,),)
# Programs with more bytes of constants are not stored, since they would push out everything else.
LARGEST = cache.BOUND // 4
ALIGNMENT = 64  # of constants in an entry


@dataclass(frozen=True, eq=False)
class StoredProgram:
    """A program's entry in the store.

    If its types leave dimensions open, there is code for each set of shapes that it has been called with.
    """

    digest: str  # of its file
    options: Options  # how it is to run, with the canonical name of its device
    loader: Loader  # loads its code
    interface: Interface | None = None  # None if nothing is stored yet
    only: Compiled | None = None  # the program, if all shapes are known

    def find(self) -> StoredProgram:
        """The entry, with what is stored there."""
        stored = cache.map_entry(self._name())
        with contextlib.suppress(NotBuilt):
            if stored is not None:
                head, parts = unpack(stored)
                names, signature = head["names"], signature_from_json(head["signature"])
                inputs, outputs = types_from_json(head["types"], len(names[0]))
                placements = placements_from_json(head["placements"], inputs, outputs)
                interface = Interface(names[0], names[1], inputs, outputs, signature, placements)
                only = self._compile(interface, head, parts) if interface.is_static else None
                return replace(self, interface=interface, only=only)
        return self

    def of_shapes(self, shapes: Shapes) -> Compiled | None:
        """The program for arguments of these shapes; None if it is not stored."""
        if self.interface is None or self.interface.is_static:
            return self.only
        stored = cache.map_entry(self._name(shapes))
        with contextlib.suppress(NotBuilt):
            return None if stored is None else self._compile(self.interface, *unpack(stored))
        return None

    def open(self) -> OpenProgram | None:
        """The program for all sizes of open dimensions; None if it is not stored."""
        stored = None if self.interface is None else cache.map_entry(self._name(OPEN))
        with contextlib.suppress(NotBuilt):
            if stored is not None and self.interface is not None:
                head, parts = unpack(stored)
                types = types_from_json(head["types"], len(self.interface.inputs))
                serialized, threads = Serialized(head["facts"], parts), thread_count(self.options.threads)
                executor = cast("OpenExecutor", self.loader.load(serialized, *types, threads))
                sides = ((size_from_json(a), name, size_from_json(b)) for a, name, b in head["conditions"])
                return OpenProgram(*types, dict(head["donated"]), [Condition(*each) for each in sides], executor)
        return None

    def _compile(self, interface: Interface, head: Mapping[str, Any], parts: Sequence[np.ndarray]) -> Compiled:
        types = types_from_json(head["types"], len(interface.inputs))
        serialized = Serialized(head["facts"], parts)
        placements = tuple(
            [replace(placement, type=type) for placement, type in zip(*sides)]
            for sides in zip(interface.placements, types)
        )
        several = bool(self.options.devices)
        inputs, outputs = ([placement.part for placement in side] for side in placements) if several else types
        executor = self.loader.load(serialized, inputs, outputs, thread_count(self.options.threads))
        if several:
            executor = ShardedExecutor(cast(Team, executor), placements[0], placements[1])
        return Compiled(*types, dict(head["donated"]), executor)

    def store(self, interface: Interface, program: Compiled, executor: Executor) -> None:
        """Store the code of a program with this interface.

        Nothing is stored if the code works only in this process, types are unusual, or constants are very large.
        """
        self._store(interface, program, executor, tuple(map(static_shape, program.inputs)), {})

    def store_open(self, interface: Interface, program: OpenProgram, executor: Executor) -> None:
        """The same for all sizes of open dimensions."""
        conditions = [[size_as_json(c.left), c.name, size_as_json(c.right)] for c in program.conditions]
        self._store(interface, program, executor, OPEN, {"conditions": conditions})

    def _store(
        self,
        interface: Interface,
        program: Compiled | OpenProgram,
        executor: Executor,
        shapes: Shapes,
        facts: Mapping[str, Any],
    ) -> None:
        serialized = executor.serialize()
        declared = [as_json(type) for type in (*interface.inputs, *interface.outputs)]
        if serialized is None or None in declared or sum(map(len, serialized.parts)) > LARGEST:
            return
        names = [list(interface.input_names), list(interface.output_names)]
        head = {"names": names, "signature": interface.signature.to_json(), "types": declared}
        head["placements"] = [[as_lists(placement) for placement in side] for side in interface.placements]
        code = {"types": [as_json(type) for type in (*program.inputs, *program.outputs)], "facts": serialized.facts}
        code |= {"donated": list(program.donated.items()), **facts}
        if interface.is_static:
            cache.write(self._name(), pack(head | code, serialized.parts))
        else:
            cache.write(self._name(shapes), pack(code, serialized.parts))
            cache.write(self._name(), pack(head))

    def _name(self, shapes: Shapes = ()) -> str:
        """The name of an entry of the cache; one for open dimensions has the shapes of the arguments in it."""
        return cache.key("program", self.digest, repr(self.options), str(shapes))


def find(digest: str, options: Options) -> StoredProgram | None:
    """The entry of a file's program, with what is stored there; None if programs of this device are not stored."""
    # Names are tinygrad's canonical ones, as for programs that are loaded without the store.
    name = options.device.upper().removesuffix(":0")
    target = target_of(name)
    target.begin_opening(name)
    loader = target.loader
    if loader is None or cache.folder() is None:
        return None
    return StoredProgram(digest, replace(options, device=name), loader).find()


def pack(head: Mapping[str, Any], parts: Sequence[np.ndarray] = ()) -> bytes:
    """The size of the JSON, the JSON, and the parts, each of them aligned."""
    text = json.dumps({**head, "sizes": list(map(len, parts))}).encode()
    pieces = [len(text).to_bytes(8, "little"), text]
    end = sum(map(len, pieces))
    for part in parts:
        pieces += [bytes(-end % ALIGNMENT), part.tobytes()]
        end += sum(map(len, pieces[-2:]))
    return b"".join(pieces)


def unpack(stored: bytes | memoryview) -> tuple[dict[str, Any], list[np.ndarray]]:
    at = 8 + int.from_bytes(stored[:8], "little")
    head, parts = json.loads(bytes(stored[8:at])), []
    for size in head["sizes"]:
        at += -at % ALIGNMENT
        parts.append(np.frombuffer(stored, np.uint8, size, at))
        at += size
    return head, parts


def as_json(type: TensorType) -> object:
    """The name of the element, whether it is complex, and the shape; None for types that cannot be stored."""
    match type:
        case TensorType(element=ScalarType(name), encoding=None):
            return [name, False, shape_as_json(type)]
        case TensorType(element=ComplexType(ScalarType(name)), encoding=None):
            return [name, True, shape_as_json(type)]
    return None


def shape_as_json(type: TensorType) -> list[Any]:
    return [None if size is None else size_as_json(size) for size in type.shape]


def types_from_json(types: Sequence[tuple[str, bool, Sequence[int]]], inputs: int) -> tuple[Types, Types]:
    """The types of arguments, of which there are `inputs`, and of results."""
    tensors = [
        TensorType(tuple(map(size_from_json, shape)), ComplexType(ScalarType(name)) if is_complex else ScalarType(name))
        for name, is_complex, shape in types
    ]
    return tensors[:inputs], tensors[inputs:]


def as_lists(placement: Placement) -> object:
    """The axes of a placement, its indices, in which a slice is a pair of numbers, and its terms, as lists."""
    indices = [[[i.start, i.stop] if isinstance(i, slice) else i for i in index] for index in placement.indices]
    return [list(placement.axes), indices, list(placement.terms), placement.reduction]


def placements_from_json(listed: Any, inputs: Types, outputs: Types) -> tuple[Sequence[Placement], Sequence[Placement]]:
    """How several processes hold arguments and results of these types; () for one."""
    sides = [
        [
            Placement(
                type,
                tuple(tuple(slice(*i) if isinstance(i, list) else i for i in x) for x in xs),
                tuple(axes),
                tuple(terms),
                reduction,
            )
            for type, (axes, xs, terms, reduction) in zip(types, side)
        ]
        for types, side in zip((inputs, outputs), listed)
    ]
    return (sides[0], sides[1]) if sides else ((), ())
