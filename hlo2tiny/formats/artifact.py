"""What a file holds: the module, and its exporter's description of how to call it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import field
from pathlib import Path
from typing import Any

import numpy as np

from ..errors import InputError
from ..ir import Module
from ..records import dataclass
from ..trees import Tree, expect_list, from_json, to_json
from .inside import inside


@dataclass(frozen=True, slots=True)
class Stored:
    """An array in a file of its own, or in a file of several arrays.

    Attributes:
        path: the file's path, relative to the folder of the program's file.
        key: the array's name in a file of several arrays; '' for a file of one array.
        weight: whether the array is a weight, which other weights may replace, rather than a constant of the program.
    """

    path: str
    key: str = ""
    weight: bool = True

    def read(self, folder: Path) -> np.ndarray:
        """The array, backed by the file's memory where possible.

        Args:
            folder: the folder of the program's file.

        Raises:
            InputError: there is no such file or array.
            ParseError: the file is damaged.
        """
        from . import npy, safetensors

        path = inside(folder, self.path)
        if not self.key:
            return npy.read(path)
        arrays = safetensors.read(path)
        if self.key not in arrays:
            raise InputError(f"{path}: there is no array {self.key!r}, to which the program's file refers")
        return arrays[self.key]


@dataclass(frozen=True, slots=True, eq=False)
class Signature:
    """An exporter's description of how to call a program. Tokens do not count as arguments or results.

    Attributes:
        inputs: the structure of (args, kwargs) that a caller passes; None: the arguments are passed one by one.
        outputs: the structure of the results, likewise.
        bound: the weights: the arguments of main for which the file has values, by number.
        kept: the leaves of `inputs` that main's other arguments are, in order (`module_kept_var_idx`); None: all.
        names: a name for each argument of main to which the module gives none; (): no names.
        dimensions: the sizes of each argument as the exporter wrote them, such as ("b", "28"); (): as in the module.
        output_dimensions: the results', likewise.
        fixed: the static arguments, whose values the exporter has fixed, as text by name.
    """

    inputs: Tree | None = None
    outputs: Tree | None = None
    bound: Mapping[int, Stored] = field(default_factory=dict)
    kept: Sequence[int] | None = None
    names: Sequence[str] = ()
    dimensions: Sequence[Sequence[str]] = ()
    output_dimensions: Sequence[Sequence[str]] = ()
    fixed: Mapping[str, str] = field(default_factory=dict)

    def to_json(self) -> dict[str, Any]:
        """The signature as values of JSON, for `signature_from_json`."""
        value: dict[str, Any] = {"names": list(self.names), "fixed": dict(self.fixed)}
        value["dimensions"] = [list(sizes) for sizes in self.dimensions]
        value["output_dimensions"] = [list(sizes) for sizes in self.output_dimensions]
        value["bound"] = [
            [number, stored.path, stored.key, *([] if stored.weight else ["constant"])]
            for number, stored in self.bound.items()
        ]
        trees = {"inputs": self.inputs, "outputs": self.outputs}
        value |= {name: [to_json(tree)] for name, tree in trees.items() if tree is not None}
        return value if self.kept is None else value | {"kept": list(self.kept)}


def signature_from_json(value: Any) -> Signature:
    """The signature that `to_json` wrote.

    Raises:
        ValueError: the value is not a signature.
    """
    match value:
        case {"names": list(names), "dimensions": list(dimensions), "bound": list(stored), "fixed": dict(fixed)}:
            kept, bound = value.get("kept"), {}
            for entry in stored:
                match entry:
                    case [int(number), str(path), str(key)]:
                        bound[number] = Stored(path, key)
                    case [int(number), str(path), str(key), "constant"]:
                        bound[number] = Stored(path, key, weight=False)
                    case _:
                        raise ValueError(f"found {str(entry)[:60]!r}, expected [argument, file, name]")
            results = expect_list(value.get("output_dimensions", []))
            sizes = [size for shape in (*dimensions, *results) for size in expect_list(shape)]
            if not all(isinstance(text, str) for text in [*names, *fixed.values(), *sizes]):
                raise ValueError("expected names and sizes to be text")
            if not all(type(leaf) is int for leaf in expect_list([] if kept is None else kept)):
                raise ValueError("expected leaf numbers")
            inputs, outputs = (
                from_json(expect_list(value[name], 1)[0]) if name in value else None for name in ("inputs", "outputs")
            )
            return Signature(inputs, outputs, bound, kept, names, dimensions, results, fixed)
    raise ValueError(f"{str(value)[:60]!r} is not a signature")


@dataclass(frozen=True, slots=True, eq=False)
class Artifact:
    """A module with all arguments of its main function, and its signature.

    Attributes:
        whole: the module with all functions of the file, if `module` is the variant for one device and lacks some.
    """

    module: Module
    signature: Signature = field(default_factory=Signature)
    whole: Module | None = None
