"""What a file holds: the module, and what its exporter says about calling it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from ..ir import Module
from ..trees import Tree, from_json, to_json


@dataclass(frozen=True, slots=True)
class Stored:
    """An array in a file of its own, or in one of several.

    Attributes:
        path: the file, from the folder of the program's file.
        key: the array's name in a file of several; '' where the file is one array's.
    """

    path: str
    key: str = ""


@dataclass(frozen=True, slots=True, eq=False)
class Signature:
    """What an exporter says about calling a program. Tokens do not count as arguments or results.

    Attributes:
        inputs: the structure of (args, kwargs) that a caller passes; None: the arguments one by one.
        outputs: the structure of the results, likewise.
        bound: the arguments of main that the file has values for, its weights, by number.
        kept: which leaves of `inputs` main's other arguments are, in order (`module_kept_var_idx`); None: all.
        names: what to call each argument of main whose name the module does not say; () where there is nothing better.
        dimensions: the sizes of each argument as its exporter wrote them, such as ("b", "28"); (): as the module has.
    """

    inputs: Tree | None = None
    outputs: Tree | None = None
    bound: Mapping[int, Stored] = field(default_factory=dict)
    kept: Sequence[int] | None = None
    names: Sequence[str] = ()
    dimensions: Sequence[Sequence[str]] = ()

    def to_json(self) -> dict[str, Any]:
        """JSON's values from which `signature_from_json` makes the signature again."""
        value: dict[str, Any] = {"names": list(self.names), "dimensions": [list(d) for d in self.dimensions]}
        value["bound"] = [[number, stored.path, stored.key] for number, stored in self.bound.items()]
        value |= {name: [to_json(tree)] for name, tree in self._trees() if tree is not None}
        return value if self.kept is None else value | {"kept": list(self.kept)}

    def _trees(self) -> Sequence[tuple[str, Tree | None]]:
        return ("inputs", self.inputs), ("outputs", self.outputs)


def signature_from_json(value: Mapping[str, Any]) -> Signature:
    inputs, outputs = (from_json(value[name][0]) if name in value else None for name in ("inputs", "outputs"))
    bound = {number: Stored(path, key) for number, path, key in value["bound"]}
    return Signature(inputs, outputs, bound, value.get("kept"), value["names"], value["dimensions"])


@dataclass(frozen=True, slots=True, eq=False)
class Artifact:
    """A module, with all arguments that its main function has, and its signature."""

    module: Module
    signature: Signature = field(default_factory=Signature)
