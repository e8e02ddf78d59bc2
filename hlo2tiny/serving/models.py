"""The programs that a server has, by name and version."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from ..errors import InputError
from ..program import Program, load
from ..program.arguments import Argument, name_arguments
from ..program.rows import Rows
from ..stopping import Stopped
from ..versions import __version__
from .protocol import BAD, BUSY, NAMES, UNKNOWN, Refused, metadata_of

SERVER = {"name": "hlo2tiny", "version": __version__}
# Files of other kinds that may be among programs.
OTHERS = {".json", ".safetensors", ".npy", ".npz", ".txt", ".md"}


class ServedModel:
    """A program with a name.

    Args:
        most: the most rows in a batch; 1: requests are not batched.

    Attributes:
        inputs, outputs: its arguments and results by their names, which are distinct.
        rows: runs batches of requests; None if requests cannot be batched, for the reason in `alone`.
        ready: whether it takes requests.
    """

    def __init__(self, name: str, version: str, program: Program, most: int) -> None:
        self.name, self.version, self.program, self.ready = name, version, program, False
        self.inputs = with_names(program.inputs, "in")
        self.outputs = with_names(program.outputs, "out")
        for argument, array in (*self.inputs.items(), *self.outputs.items()):
            if array.dtype not in NAMES:
                raise InputError(f"{name}: the protocol has no datatype for {array.dtype}, which {argument} has")
        self.rows: Rows | None = None
        self.alone = "batches of one row were requested"
        if most > 1:
            try:
                self.rows = Rows(program, most)
                self.alone = "" if self.rows.open else "the first dimension is not open"
            except InputError:
                self.alone = "arguments and results have no first dimension in common"

    def prepare(self) -> None:
        """Compile the program, for all sizes of batches where the other dimensions are known.

        A `Stop` of this thread ends the calls with made-up rows; then requests are not batched.
        """
        rows = self.rows if not self.alone else None
        try:
            if rows is not None:
                self.alone = "" if rows.are_independent() else "a row's results depend on other rows"
        except Exception as error:
            self.alone = f"made-up rows cannot be run: {error}"
        self.program.compile()
        known = all(None not in argument.shape[1:] for argument in self.inputs.values())
        try:
            if rows is not None and known and not self.alone:
                rows.measure()
        except Stopped as error:
            self.alone = f"made-up rows cannot be run: {error}"
        if self.alone:
            self.rows = None
        self.ready = True

    def count_rows(self, arrays: Sequence[np.ndarray]) -> int:
        """How many rows a request has, 0 if it cannot be batched; raises Refused if its inputs differ in that."""
        try:
            return self.rows.count(arrays) if self.rows is not None else 0
        except InputError as error:
            raise Refused(BAD, str(error)) from None

    def size_for(self, rows: int) -> int:
        """How many rows of those that wait the next call takes."""
        return self.rows.next_size(rows) if self.rows is not None and rows else 1

    def run(self, arrays: Sequence[np.ndarray]) -> list[np.ndarray]:
        """The results for a batch of requests, or for one."""
        if self.rows is not None and len(arrays[0]):
            return self.rows(arrays)
        return self.program.numpy_one_by_one(arrays)

    def metadata(self, versions: Sequence[str]) -> dict[str, Any]:
        return {
            "name": self.name,
            "versions": list(versions),
            "platform": "hlo2tiny_stablehlo",
            "inputs": [metadata_of(name, argument) for name, argument in self.inputs.items()],
            "outputs": [metadata_of(name, argument) for name, argument in self.outputs.items()],
        }


def with_names(arguments: Sequence[Argument], prefix: str) -> dict[str, Argument]:
    """The arguments by name; a name that is repeated gets its number."""
    names: dict[str, Argument] = {}
    for number, (name, argument) in enumerate(zip(name_arguments(arguments, prefix), arguments)):
        names[f"{name}_{number}" if name in names else name] = argument
    return names


class Models:
    """All models of a server.

    Attributes:
        stopping: whether the server takes no more requests.
    """

    def __init__(self, models: Sequence[ServedModel]) -> None:
        self.stopping = False
        self._versions: dict[str, dict[str, ServedModel]] = {}
        for model in models:
            versions = self._versions.setdefault(model.name, {})
            if model.version in versions:
                raise InputError(f"there are two models with the name {model.name} and version {model.version}")
            versions[model.version] = model

    def __iter__(self) -> Iterator[ServedModel]:
        return (model for versions in self._versions.values() for model in versions.values())

    @property
    def ready(self) -> bool:
        return not self.stopping and all(model.ready for model in self)

    def find(self, name: str, version: str = "") -> ServedModel:
        """The model with a name; without a version, the highest one. Raises Refused if there is none."""
        versions = self._versions.get(name)
        if versions is None:
            raise Refused(UNKNOWN, f"there is no model {name!r}; there are {', '.join(sorted(self._versions))}")
        if not version:
            return versions[max(versions, key=int)]
        if version not in versions:
            raise Refused(
                UNKNOWN, f"model {name!r} has no version {version!r}; it has {', '.join(self.versions(name))}"
            )
        return versions[version]

    def find_ready(self, name: str, version: str) -> ServedModel:
        """The same, if it takes requests."""
        model = self.find(name, version)
        if self.stopping or not model.ready:
            reason = "the server is stopping" if self.stopping else f"model {name!r} is not ready yet"
            raise Refused(BUSY, reason)
        return model

    def versions(self, name: str) -> list[str]:
        return sorted(self._versions[name], key=int)


def find_programs(paths: Sequence[str]) -> list[tuple[str, str, Path]]:
    """The name, version and file of each program: of files, `NAME=FILE`, and folders of models.

    A folder of models holds programs, whose names are those of the files, or a folder for each model, in which a folder
    for each version, 1, 2, …, holds one program.

    Raises:
        InputError: there is no program, or a folder holds something else.
    """
    found: list[tuple[str, str, Path]] = []
    for text in paths:
        name, separator, path = text.rpartition("=")
        named = bool(separator) and not os.path.exists(text)
        if named and (not name or "/" in name):
            raise InputError(
                f"{text}: there is no such file, and {name!r} cannot name a model: names are non-empty, without /"
            )
        if not (path if named else text):
            raise InputError(f"expected a program, NAME=FILE or a folder, found {text!r}")
        file = Path(path if named else text)
        if named or is_program(file) or not file.is_dir():
            found.append((name if named else name_of(file), "1", file))
        else:
            found += in_folder(file)
    for _, _, file in found:
        if file.exists() and not (file.is_file() or file.is_dir()):
            raise InputError(f"{file}: expected a regular file, found a pipe, a device or a socket")
    return found


def in_folder(folder: Path) -> list[tuple[str, str, Path]]:
    found: list[tuple[str, str, Path]] = []
    for entry in entries_of(folder):
        if is_program(entry):
            found.append((name_of(entry), "1", entry))
            continue
        if not entry.is_dir():
            if not entry.is_file():  # a link to nothing, or a pipe
                raise InputError(f"{entry}: expected a program or a folder for a model")
            continue
        for version in entries_of(entry):
            if not (version.is_dir() and version.name.isascii() and version.name.isdecimal()):
                raise InputError(f"{version}: expected a folder for a version of model {entry.name}, such as {entry}/1")
            programs = [x for x in entries_of(version) if is_program(x)]
            if len(programs) != 1:
                raise InputError(f"{version}: expected one program, found {len(programs)}")
            found.append((entry.name, str(int(version.name)), programs[0]))
    if not found:
        raise InputError(f"{folder}: there is no program in this folder")
    return found


def entries_of(folder: Path) -> list[Path]:
    return sorted(entry for entry in folder.iterdir() if not entry.name.startswith("."))


def is_program(path: Path) -> bool:
    """Whether a path may be a program: a file that is not of another kind, or a folder of torch_xla."""
    if path.is_dir():
        return any(path.glob("functions/*.meta"))
    return path.is_file() and path.suffix not in OTHERS


def name_of(path: Path) -> str:
    """The name of the model in a file: model, for model.mlir and model.mlir.gz."""
    return path.name.split(".")[0] or path.name


def load_models(paths: Sequence[str], device: str | None, most: int, **how: Any) -> Models:
    """Load the programs of `find_programs`, with more options of `load`; raises Error if one cannot be."""
    programs = find_programs(paths)
    return Models([ServedModel(name, version, load(path, device, **how), most) for name, version, path in programs])
