"""`hlo2tiny compile --target web`: a program as a folder for browsers."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import field
from functools import cache, partial
from pathlib import Path
from typing import cast

from ..errors import InputError, printable_name
from ..ir.entry import entry_function
from ..ir.sizes import largest
from ..plan.plan import Plan
from ..program.arguments import Argument, name_arguments
from ..program.calling import ArgumentPart, PathStep
from ..program.compiled import Compiled
from ..program.interface import donors_of
from ..program.options import Options
from ..program.sizes import most_within
from ..records import dataclass
from ..specialise.dynamic import Checked
from ..targets import Progress, targets_of
from ..targets.web.folder import PageCall, Structure, write_folder
from ..targets.web.render import DEVICE
from ..targets.web.webgpu import Commands, expect_types
from ..tinygrad.settings import lowering_settings
from ..trees import Tree
from .planning import plan_program, read_program
from .sizes import Choices, needing_sizes, open_choices, plan_choices

# Less memory than a `long` of WebAssembly counts.
MOST_BYTES = 1 << 31


@dataclass(frozen=True)
class Opening:
    """What options say about open dimensions.

    Attributes:
        items: the values of `--shape`.
        most: those of `--most`, by name.
    """

    items: Sequence[str] = ()
    most: Mapping[str, int] = field(default_factory=dict)

    def choices(
        self,
        arguments: Sequence[Argument],
        names: Sequence[str],
        plan: Callable[[Sequence[tuple[int, ...]]], Plan],
    ) -> Choices:
        """The sizes; open ones are bounded so that memory suffices, as far as options do not say."""
        made = cache(partial(open_choices, arguments, names, self.items, self.most, takes_all=True))
        choices = made()
        if not choices.is_open and len(choices.shapes) > 1:
            pairs = zip(choices.names, zip(*choices.sizes))
            named = " ".join(f"--shape {printable_name(n)}={','.join(dict.fromkeys(map(str, s)))}" for n, s in pairs)
            raise InputError(f"for several shapes of an input, a page needs the sizes of dimensions: {named}")
        if not choices.is_open:
            return choices
        with needing_sizes(choices):
            return made(most_within(MOST_BYTES, len(choices.names), lambda most: plan(made(most).shapes[-1])))


def write_web(
    source: Path,
    folder: Path,
    entry: str | None = None,
    report: Progress = lambda done, total: None,
    opening: Opening | None = None,
) -> list[Path]:
    """Write a program, with its weights, as a folder that any web server can serve; returns the files written.

    Raises:
        InputError: a file cannot be read or written, or the program is too large for a browser.
        UnsupportedOp: a browser cannot run the program.
        Error: the source is not a program, as for `load`.
    """
    model, calling, arguments = read_program(source, Options("CPU", entry=entry))
    names = name_arguments(arguments, "in")

    @cache  # the search for sizes ends with the plan that is wanted
    def planned(shapes: tuple[tuple[int, ...], ...]) -> tuple[Compiled, list[Checked]]:
        checks = list[Checked]()
        return plan_program(source, model, shapes, checks), checks

    def plan(shapes: Sequence[tuple[int, ...]], checks: list[Checked]) -> Compiled:
        program, found = planned(tuple(shapes))
        checks += found
        return program

    choices = (opening or Opening()).choices(arguments, names, lambda shapes: plan(shapes, []).plan)
    programs, constraints = plan_choices(choices, plan)
    module, whole = programs[-1].module, programs[-1].plan
    function = entry_function(module)

    def flatten() -> Commands:
        expect_types(module)
        (target, *_) = targets_of("WEB")
        with lowering_settings(DEVICE):
            plan = target.plan(module, function.name, donors_of(function))
        return cast(Commands, target.compiler.compile(plan, DEVICE, {}, lambda done, total: None, 1))

    outputs = [name or f"result{i}" for i, name in enumerate(model.interface.output_names)]
    results: Structure = list(range(len(outputs))) if len(outputs) != 1 else 0
    if calling.outputs is not None:
        results = structure(calling.outputs, iter(range(len(outputs))))
    call = PageCall(
        list(zip(calling.names, whole.inputs)),
        list(zip(outputs, whole.outputs)),
        [(part.name, part_structure(part), part.keyword) for part in calling.parts],
        results,
        [*zip(choices.names, map(largest, choices.sizes[-1]))],
        choices.sizes,
        constraints,
    )
    with needing_sizes(choices):
        return write_folder(folder, source.stem, [program.plan for program in programs], flatten, call, report)


def part_structure(part: ArgumentPart) -> Structure:
    """The structure of an argument, whose leaves are the numbers of inputs."""
    if part.tree is not None:
        return structure(part.tree, iter(part.positions))
    if part.is_leaf:
        return part.positions[0]
    root: dict[PathStep, Structure] = {}
    for position, path in zip(part.positions, part.paths):
        inner = root
        for step in path[:-1]:
            inner = inner.setdefault(step, {})
        inner[path[-1]] = position
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
