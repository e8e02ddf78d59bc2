"""`hlo2tiny compile --target web`: a program as a folder for browsers."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import cast

from ..ir.dtypes import expect_tensor
from ..ir.entry import entry_function
from ..program.calling import ArgumentPart, PathStep
from ..program.interface import donors_of
from ..program.options import Options
from ..targets import Progress, targets_of
from ..targets.web.folder import PageCall, Structure, write_folder
from ..targets.web.render import DEVICE
from ..targets.web.webgpu import Commands, expect_types
from ..tinygrad.settings import lowering_settings
from ..trees import Tree
from .derivation import ShapesOf
from .planning import planned_program


def write_web(
    source: Path,
    folder: Path,
    entry: str | None = None,
    shapes_of: ShapesOf | None = None,
    report: Progress = lambda done, total: None,
) -> list[Path]:
    """Write a program, with its weights, as a folder that any web server can serve.

    Args:
        source: a program in any format that `load` takes.
        folder: where to write; it is created if it is missing.
        entry: the function that calls run, if the file has several.
        shapes_of: the shapes of the inputs, given them and their names; None: those that the file declares.
        report: called with the number of finished parts, and with their total.

    Returns:
        The files written.

    Raises:
        InputError: a file cannot be read or written, a shape is open, or the program is too large for a browser.
        UnsupportedOp: a browser cannot run the program.
        Error: the source is not a program, as for `load`.
    """
    model, calling, planned = planned_program(source, shapes_of, Options("CPU", entry=entry))
    module, main = planned.module, planned.plan.main
    function = entry_function(module)

    def flatten() -> Commands:
        expect_types(module)
        (target, *_) = targets_of("WEB")
        with lowering_settings(DEVICE):
            plan = target.plan(module, function.name, donors_of(function))
        return cast(Commands, target.compiler.compile(plan, DEVICE, {}, lambda done, total: None, 1))

    types = [expect_tensor(main.types[n]) for n in (*range(main.inputs), *main.outputs)]
    outputs = [name or f"result{i}" for i, name in enumerate(model.interface.output_names)]
    results: Structure = list(range(len(outputs))) if len(outputs) != 1 else 0
    if calling.outputs is not None:
        results = structure(calling.outputs, iter(range(len(outputs))))
    call = PageCall(
        list(zip(calling.names, types)),
        list(zip(outputs, types[main.inputs :])),
        [(part.name, part_structure(part), part.keyword) for part in calling.parts],
        results,
    )
    return write_folder(folder, source.stem, planned.plan, flatten, call, report)


def part_structure(part: ArgumentPart) -> Structure:
    """The structure of an argument, whose leaves are the numbers of inputs."""
    if part.tree is not None:
        return structure(part.tree, iter(part.places))
    if part.is_leaf:
        return part.places[0]
    root: dict[PathStep, Structure] = {}
    for place, path in zip(part.places, part.paths):
        inner = root
        for step in path[:-1]:
            inner = inner.setdefault(step, {})
        inner[path[-1]] = place
    return list_steps(root)


def list_steps(node: Structure) -> Structure:
    """A structure of steps as JSON: a list if the steps are 0, 1, … and an object otherwise."""
    if not isinstance(node, dict):
        return node
    if list(node) == [("index", i) for i in range(len(node))]:
        return [list_steps(child) for child in node.values()]
    return {str(key): list_steps(child) for (_, key), child in node.items()}


def structure(tree: Tree, numbers: Iterator[int | None]) -> Structure:
    """A structure as JSON, with a number for each leaf that the program uses."""
    if tree.kind == "leaf":
        return next(numbers)
    children = [structure(child, numbers) for child in tree.children]
    match tree.kind:
        case "dict" | "named":
            return {str(key): child for key, child in zip(tree.keys, children)}
        case "none" | "static":
            return None
    return children
