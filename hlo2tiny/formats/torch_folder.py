"""Folders written by torch_xla's `save_as_stablehlo`, and by torchax in the same form, read without PyTorch.

functions/NAME.meta        how a function is called, JSON
functions/NAME.bytecode    its module
functions/NAME.mlir        the module as text, if its author saved it
data/PARAMETER             parameters by name, each in the format of .npy files
constants/NUMBER           unnamed constants, likewise
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from difflib import get_close_matches
from pathlib import Path
from typing import Any, NoReturn

from ..errors import InputError, ParseError, Source
from ..ir import Module
from ..ir.entry import HOW, default_entry
from ..records import dataclass
from ..trees import DEEPEST, LEAF, Tree
from .artifact import Artifact, Signature, Stored
from .inside import expect_inside

DEFAULT = "forward"


@dataclass(frozen=True)
class TorchFunction:
    """A function's files, and its folder."""

    folder: Path
    name: str

    @property
    def meta(self) -> Path:
        return self.folder / "functions" / f"{self.name}.meta"

    @property
    def module(self) -> Path:
        """The bytecode, or the text if there is no bytecode."""
        paths = [self.meta.with_name(f"{self.name}.{ending}") for ending in ("bytecode", "mlir")]
        return next((path for path in paths if path.is_file()), paths[0])


def function_of(path: Path, entry: str | None = None) -> TorchFunction:
    """The function of a folder: the named one, else `forward`, else the only one; or the function of a .meta file.

    Raises:
        InputError: torch_xla did not write the folder, it has several functions or none of that name, or it contains a
            link to a file outside.
    """
    if path.is_file():
        if entry not in (None, path.stem):
            folder = path.parent.parent
            raise InputError(f"{path}: this is the function {path.stem}; for {entry}, pass the folder {folder}")
        return expect_own_files(TorchFunction(path.parent.parent, path.stem))
    names = sorted(file.stem for file in (path / "functions").glob("*.meta"))
    if not names:
        raise InputError(
            f"{path}: this directory has no functions/*.meta, so torch_xla did not write it; pass the file in it"
        )
    if entry is not None and entry not in names:
        near = get_close_matches(entry, names, 1)
        hint = f" (did you mean {near[0]}?)" if near else ""
        raise InputError(f"{path}: this folder has no function {entry}{hint}; it has {', '.join(names)}")
    if entry is None and DEFAULT not in names and len(names) > 1:
        raise InputError(f"{path}: this folder has the functions {', '.join(names)}; {HOW}")
    return expect_own_files(TorchFunction(path, entry or (DEFAULT if DEFAULT in names else names[0])))


def expect_own_files(function: TorchFunction) -> TorchFunction:
    """The function; an error if one of its files is outside its folder."""
    for path in (function.meta, function.module):
        expect_inside(function.folder, path)
    return function


def read_function(function: TorchFunction, meta_data: bytes, module: Module) -> Artifact:
    """A function with the signature that its .meta file describes. Its parameters are bound.

    Raises:
        ParseError: the .meta file is damaged.
    """
    meta = Meta(function.meta, meta_data)
    main = default_entry(module)
    if main is not None and len(main.type.inputs) != meta.count:
        meta.fail(
            f"input_locations lists {meta.count} arguments, but @{main.name} in {function.module} takes"
            f" {len(main.type.inputs)}"
        )
    return Artifact(module, meta.signature(len(main.type.results) if main else 0))


class Meta:
    """A .meta file."""

    def __init__(self, path: Path, data: bytes) -> None:
        self.source = Source(str(path), data.decode("utf-8", "replace"))
        try:
            self.value = json.loads(data)
        except RecursionError:
            self.fail("this JSON is nested too deeply")
        except ValueError as error:
            raise ParseError(f"this is not JSON: {error}", self.source, getattr(error, "pos", 0)) from None
        if not isinstance(self.value, dict) or not isinstance(self.value.get("input_locations"), list):
            self.fail('expected {"name": …, "input_locations": […], …} as torch_xla writes it')
        self.count = len(self.value["input_locations"])

    def fail(self, message: str) -> NoReturn:
        raise ParseError(message, self.source) from None

    def signature(self, results: int) -> Signature:
        """The signature of the function, whose module returns `results` values."""
        bound: dict[int, Stored] = {}
        names, kept = [], []
        for number, location in enumerate(self.value["input_locations"]):
            match location:
                case {"type_": "parameter", "name": str(name)}:
                    bound[number] = Stored(f"data/{self.file_name(name)}")
                    names.append(name)
                case {"type_": "constant", "position": int(position)} if position >= 0:
                    bound[number] = Stored(f"constants/{position}", weight=False)
                    names.append(f"constants[{position}]")
                case {"type_": "input_arg", "position": int(position)} if position >= 0:
                    kept.append(position)
                    names.append("")
                case _:
                    self.fail(f"input_locations: {str(location)[:100]} is not a parameter, constant or input_arg")
        if len(set(kept)) != len(kept):
            self.fail("input_locations names an input twice")
        inputs = self.tree("input_pytree_spec")
        if inputs is None:
            inputs = Tree("tuple", (LEAF,) * self.input_count(kept))
        if [child.kind for child in inputs.children] != ["tuple", "dict"] or inputs.kind != "tuple":
            inputs = Tree("tuple", (inputs if inputs.kind == "tuple" else Tree("tuple", (inputs,)), Tree("dict")))
        if kept and max(kept) >= inputs.leaves:
            self.fail(f"input_locations names input {max(kept)}, but there are {inputs.leaves}")
        outputs = self.tree("output_pytree_spec")
        if outputs is not None and outputs.leaves != results:
            outputs = None  # some outputs are constants, which the module does not return
        return Signature(inputs, outputs, bound, kept, names)

    def file_name(self, name: str) -> str:
        if name in ("", ".", "..") or any(c in name for c in "/\\\0:"):
            self.fail(f"input_locations: {name[:100]!r} is not the name of a file in data")
        return name

    def input_count(self, kept: list[int]) -> int:
        """The number of inputs, used and unused, if no structure says it."""
        entries = self.value.get("unused_inputs")
        unused = [e[0] for e in entries if isinstance(e, list) and e] if isinstance(entries, list) else []
        positions = [location.get("position") for location in unused if isinstance(location, dict)]
        limit = len(kept) + len(positions)
        return max([p + 1 for p in (*kept, *positions) if isinstance(p, int) and p < limit], default=0)

    # ------------------------------------------------------------ structures

    def tree(self, field: str) -> Tree | None:
        """The structure that a text of torch.utils._pytree describes; None if the field is missing."""
        text = self.value.get(field)
        if not isinstance(text, str):
            return None
        try:
            value = json.loads(text)
        except (ValueError, RecursionError) as error:
            self.fail(f"{field} is not JSON: {error}")
        match value:
            case [int(), dict(spec)]:
                try:
                    return structure(spec)
                except (ValueError, RecursionError) as error:
                    self.fail(f"{field}: {error}")
        self.fail(f"{field}: expected [1, {{…}}], as torch.utils._pytree.treespec_dumps writes it")


def structure(spec: Mapping[str, Any], depth: int = 0) -> Tree:
    """The structure of a _TreeSpecSchema; ValueError if it is not one."""
    if depth > DEEPEST:
        raise ValueError(f"the structure has more than {DEEPEST} levels")
    match spec:
        case {"type": None}:
            return LEAF
        case {"type": str(kind), "context": context, "children_spec": list(items)}:
            if not all(isinstance(item, dict) for item in items):
                raise ValueError("children_spec holds something other than {…}")
            children = tuple(structure(item, depth + 1) for item in items)
            match kind.rpartition(".")[2]:
                case "tuple":
                    return Tree("tuple", children)
                case "list":
                    return Tree("list", children)
                case "dict" | "OrderedDict" | "immutable_dict":
                    return Tree("dict", children, tuple(keys(context)))
                case name:
                    return Tree("custom", children, (), name)
    raise ValueError(f"{str(spec)[:100]} is not a structure")


def keys(context: object) -> list[Any]:
    """The keys of a dict: its context, JSON in a text."""
    names = json.loads(context) if isinstance(context, str) else context
    if not isinstance(names, list) or not all(isinstance(key, (str, int)) for key in names):
        raise ValueError(f"{str(context)[:100]} is not a list of keys")
    return names
