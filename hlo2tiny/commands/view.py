"""`hlo2tiny view`: a program as one page that draws its graph, which folds by the model's own scopes.

The page holds the graph as JSON, the script that draws it, and dagre (MIT, page/dagre.LICENSE), which lays it out.
"""

from __future__ import annotations

import argparse
import re
from bisect import bisect_left
from collections import defaultdict
from collections.abc import Mapping
from dataclasses import field
from itertools import groupby
from pathlib import Path
from typing import Any

import numpy as np

from ..cost import Counted, Counting, joined_names
from ..errors import InputError, UnsupportedOp, VerifyError, printable_name
from ..formats import read
from ..ir import Attribute, DenseAttr, DialectAttr, ElidedAttr, Module, Op, StringAttr, Value
from ..ir.dtypes import numpy_dtype, static_shape
from ..ir.entry import entry_function
from ..ir.printer import print_file
from ..ir.rewrite import Rewriter, rewrite_functions
from ..ops import Trait, has
from ..ops.traits import CONTROL
from ..output import expect_writable, written
from ..program import load
from ..program.arguments import name_arguments
from ..records import dataclass
from ..rules.control import callee
from ..templates import fill, script_json
from ..timeout import limited, time_limit, unfinished
from . import check, profiling
from .inputs import gather_inputs, known_shapes, processors_of
from .terminal import show, waiting

PAGE = Path(__file__).parent / "page"
MOST_NODES = 20_000  # a call that has more is one node, as is one nested this deep:
DEEPEST = 50
MOST_ARGUMENTS = 12  # more are in a scope of their own, unless one scope reads them
FEW = 40  # ops in a part of a scope that has more than twice as many
MOST = 1e300  # stands for infinity, which JSON lacks
LONGEST = 200  # characters of a name
LEAST_STACK = 3  # equal layers, one after the other
MOST_ELEMENTS = 16  # of a constant, in its text
# What an op is by its traits, the first that fits: the page has a colour for each.
KINDS = {
    "collective": Trait.COLLECTIVE | Trait.TRANSFERRING,
    "custom call": Trait.CUSTOM,
    "control flow": CONTROL,
    "elementwise": Trait.ELEMENTWISE | Trait.BROADCASTING | Trait.IDENTITY,
    "data movement": Trait.MOVEMENT | Trait.SELECTING | Trait.UPDATING,
    "reduction": Trait.REDUCTION,
    "product": Trait.DOT | Trait.CONVOLUTION | Trait.FOURIER | Trait.SUMMING,
}

# The label of a box, the kind of op, and its attributes by name.
Details = tuple[str, str, tuple[tuple[str, str], ...]]


@dataclass
class PageGraph:
    """A program as nodes, which list the numbers of the nodes that they read.

    Attributes:
        seconds: the times of ops, by their offsets in the file; empty if nothing was measured.
        errors: the differences of ops' results from a reference's, in units in the last place.
        nodes: name, scope (-1: none), type, location, operations, bytes, seconds, error (None: unknown), the number of
            its details, and inputs.
        details: what the nodes of equal layers share.
        operands: for each node the type of each operand, and the nodes that give it, or the text of a constant.
        lines: for each node its line in the file and in the model's source, the innermost call first.
        scopes: name, the scope around it (-1: none), how many equal layers it is a stack of (0: none).
        places: the nodes of each op, by its offset in the file; a function that is called twice has two of each.
    """

    module: Module
    seconds: Mapping[int, float]
    errors: Mapping[Op, float]
    nodes: list[list[Any]] = field(default_factory=list)
    operands: list[list[tuple[str, list[int] | str]]] = field(default_factory=list)
    lines: list[tuple[Any, ...]] = field(default_factory=list)
    scopes: list[list[Any]] = field(default_factory=list)
    places: dict[int, list[int]] = field(default_factory=lambda: defaultdict(list))
    _numbers: dict[tuple[str, ...], int] = field(default_factory=dict)
    _parts: set[tuple[str, ...]] = field(default_factory=set)  # of long scopes
    _details: dict[Details, int] = field(default_factory=dict)
    _constants: dict[Value, str] = field(default_factory=dict)

    def add(
        self,
        name: str,
        scope: tuple[str, ...],
        type: str,
        place: str,
        numbers: list[Any],
        operands: list[tuple[str, set[int] | str]],
        details: Details,
        lines: tuple[Any, ...] = (),
    ) -> int:
        name, type, place = (printable_name(text)[:LONGEST] for text in (name, type, place))
        inputs = set[int]().union(*(source for _, source in operands if not isinstance(source, str)))
        number = self._details.setdefault(details, len(self._details))
        self.nodes.append([name, self.scope(scope), type, place, *numbers, number, sorted(inputs)])
        self.operands.append([(t[:LONGEST], s if isinstance(s, str) else sorted(s)) for t, s in operands])
        self.lines.append(lines)
        return len(self.nodes) - 1

    @property
    def details(self) -> list[Details]:
        return [*self._details]

    def scope(self, names: tuple[str, ...]) -> int:
        if not names:
            return -1
        if names not in self._numbers:
            around = self.scope(names[:-1])
            self._numbers[names] = len(self.scopes)
            self.scopes.append([printable_name(names[-1])[:LONGEST], around, 0])
        return self._numbers[names]

    def place_arguments(self, count: int) -> None:
        """Put the first nodes, the arguments, into the scopes that read them: weights fold with their layers."""
        names = {number: scope for scope, number in self._numbers.items()} | {-1: ()}
        readers: dict[int, tuple[str, ...]] = {}
        for node in self.nodes[count:]:
            scope = names[node[1]]
            for number in node[-1]:
                if number < count:
                    known = readers.setdefault(number, scope)
                    different = (i for i, (a, b) in enumerate(zip(known, scope)) if a != b)
                    readers[number] = known[: next(different, min(len(known), len(scope)))]
        for number, node in enumerate(self.nodes[:count]):
            node[1] = self.scope(readers.get(number, ()) or ("arguments",) * (count > MOST_ARGUMENTS))

    def divide_scopes(self, count: int) -> None:
        """Divide the ops of long scopes, as in models without modules, into parts, in their order in the file.

        Args:
            count: the number of arguments, the first nodes.
        """
        names = {number: scope for scope, number in self._numbers.items()} | {-1: ()}
        paths = {number: names[self.nodes[number][1]] for number in range(count, len(self.nodes))}
        # Scopes with the nodes inside them, in order, and the number of their first op.
        pending: list[tuple[tuple[str, ...], list[int], int]] = [((), list(paths), 1)]
        while pending:
            scope, inside, first = pending.pop()
            own = [number for number in inside if paths[number] == scope]
            if len(own) > 2 * FEW:
                size = max(FEW, -(-len(own) // FEW))
                starts = range(0, len(own), size)
                bounds = [0, *(bisect_left(inside, own[start]) for start in starts[1:]), len(inside)]
                for start, begin, end in zip(starts, bounds, bounds[1:]):
                    part = inside[begin:end]
                    last = min(start + size, len(own))
                    read = [source for number in part for source in self.nodes[number][-1] if source < count]
                    about = f": {self.nodes[read[0]][0]}" if read else ""
                    within = (*scope, f"ops {first + start}–{first + last - 1}{about}")
                    self._parts.add(within)
                    paths.update({number: (*within, *paths[number][len(scope) :]) for number in part})
                    pending.append((within, part, first + start))
                continue
            scopes: dict[str, list[int]] = defaultdict(list)
            for number in inside:
                if len(paths[number]) > len(scope):
                    scopes[paths[number][len(scope)]].append(number)
            pending += [((*scope, name), numbers, 1) for name, numbers in scopes.items()]
        self.scopes.clear()
        self._numbers.clear()
        for number, path in paths.items():
            self.nodes[number][1] = self.scope(path)

    def stack_scopes(self, count: int) -> None:
        """Put equal layers, which follow each other and whose names differ only in numbers, into one scope."""
        contents: dict[int, list[Any]] = defaultdict(list)
        inside: dict[int, list[int]] = defaultdict(list)  # the scopes in a scope, in the order of their first ops
        for number in range(count, len(self.nodes)):  # without arguments: the first layer may have the model's
            types = [type for type, _ in self.operands[number]]
            scope, type, details = (self.nodes[number][i] for i in (1, 2, -2))
            path: tuple[str, ...] = ()
            while scope >= 0:
                contents[scope].append((path, type, details, types))
                name, around, _ = self.scopes[scope]
                if scope not in inside[around]:
                    inside[around].append(scope)
                path, scope = (re.sub(r"\d+", "#", name), *path), around

        parts = {self._numbers[part] for part in self._parts}  # which begin anywhere

        def likeness(scope: int) -> Any:
            return scope if scope in parts else re.sub(r"\d+", "#", self.scopes[scope][0]), contents[scope]

        for around, scopes in inside.items():
            for _, layers in groupby(scopes, likeness):
                if len(same := list(layers)) >= LEAST_STACK:
                    names = f"{self.scopes[same[0]][0]} … {self.scopes[same[-1]][0]}"
                    self.scopes.append([names, around, len(same)])
                    for scope in same:
                        self.scopes[scope][1] = len(self.scopes) - 1

    def operands_of(self, op: Op, sources: Mapping[Value, set[int]]) -> list[tuple[str, set[int] | str]]:
        return [(str(v.type), self._constants.get(v) or sources.get(v, set())) for v in op.operands]

    def enter(
        self,
        part: Counted,
        sources: dict[Value, set[int]],
        around: tuple[str, ...],
        iterations: int,
        depth: int,
    ) -> list[set[int]]:
        """Add the ops of a counted region, for arguments in `sources`; returns the nodes of what it returns."""
        for step in part.steps:
            op = step.op
            if has(op, Trait.CONSTANT):
                self._constants[op.results[0]] = attribute_text(op.attributes["value"])
                continue
            if has(op, Trait.TERMINATOR):
                return [sources.get(v, set()) for v in op.operands]
            names, place = joined_names(op, around)
            size = sum(inner.size for inner, _ in step.inner)
            if not step.inner or depth >= DEEPEST or len(self.nodes) + size > MOST_NODES:
                inner = sum(part.flops * n for part, n in step.inner), sum(part.bytes * n for part, n in step.inner)
                numbers: list[Any] = [(step.flops + inner[0]) * iterations, (step.bytes + inner[1]) * iterations]
                numbers += [
                    self.seconds.get(op.location.offset),
                    None if op not in self.errors else min(self.errors[op], MOST),
                ]
                types = ", ".join(str(v.type) for v in op.results)
                attributes = tuple((printable_name(k), attribute_text(a)) for k, a in op.attributes.items())
                details = label_of(op), next((k for k, t in KINDS.items() if has(op, t)), "other"), attributes
                lines = op.location.line, *(printable_name(frame) for frame in op.location.frames)
                operands = self.operands_of(op, sources)
                node = self.add(op.name, names[:-1], types, place, numbers, operands, details, lines)
                self.places[op.location.offset].append(node)
                sources.update({v: {node} for v in op.results})
                continue
            if has(op, Trait.CALL):
                regions, inside = [self.module.functions[callee(op)].code], names
            else:
                regions, inside = list(op.regions), around
            returned: list[set[int]] = [set() for _ in op.results]
            for inner_region, (inner_part, count) in zip(regions, step.inner):
                values = dict(sources)
                if has(op, Trait.CALL):  # in a loop, a constant is only what an argument begins with
                    self._constants.update(
                        (a, self._constants.get(v, "")) for a, v in zip(inner_region.arguments, op.operands)
                    )
                values.update(zip(inner_region.arguments, (sources.get(v, set()) for v in op.operands)))
                ends = self.enter(inner_part, values, inside, iterations * count, depth + 1)
                if len(ends) == len(returned) and not (has(op, Trait.LOOP) and inner_region is regions[0]):
                    for known, found in zip(returned, ends):
                        known |= found
            if has(op, Trait.LOOP):
                returned = [found or sources.get(v, set()) for found, v in zip(returned, op.operands)]
            sources.update(zip(op.results, returned))
        return []


def graph_of(module: Module, seconds: Mapping[int, float] = {}, errors: Mapping[Op, float] = {}) -> PageGraph:
    """The graph of a verified module in which all shapes are known."""
    entry = entry_function(module)
    graph = PageGraph(module, seconds, errors)
    whole = Counting(module).count_functions(entry)
    sources = {}
    for number, argument in enumerate(entry.code.arguments):
        name = argument.location.name if argument.location is not None else ""
        name = name or f"in{number}"
        node = graph.add(name, (), str(argument.type), "", [0, 0, None, None], [], ("", "argument", ()))
        sources[argument] = {node}
    ends = enumerate(graph.enter(whole, sources, (), 1, 0))
    for nodes in graph.places.values():
        for number in nodes:  # calls of a function are measured together
            if (seconds_of_all := graph.nodes[number][6]) is not None:
                graph.nodes[number][6] = seconds_of_all / len(nodes)
    graph.divide_scopes(len(entry.code.arguments))
    graph.place_arguments(len(entry.code.arguments))
    graph.stack_scopes(len(entry.code.arguments))
    for number, inputs in ends:
        name, type = f"out{number}", str(entry.type.results[number])
        graph.add(name, (), type, "", [0, 0, None, None], [(type, inputs)], ("", "result", ()))
    return graph


def label_of(op: Op) -> str:
    """The op in a word or two: broadcast, dot, compare GT, reduce add; a custom call is its target."""
    target = op.attributes.get("call_target_name")
    if has(op, Trait.CUSTOM) and isinstance(target, StringAttr):
        return printable_name(target.value)[:LONGEST]
    words = [re.sub("_in_dim$|_general$", "", op.name.partition(".")[2] or op.name)]
    words += [a.text for a in op.attributes.values() if isinstance(a, DialectAttr) and re.fullmatch("[A-Z_]+", a.text)][
        :1
    ]
    bodies = [[inner for inner in region.ops if not has(inner, Trait.TERMINATOR)] for region in op.regions]
    words += [label_of(body[0]) for body in bodies if len(body) == 1 and not has(op, CONTROL)]
    return " ".join(words)[:LONGEST]


def attribute_text(attribute: Attribute) -> str:
    """An attribute as MLIR writes it, except that a long constant ends after its first elements."""
    if isinstance(attribute, DenseAttr):
        some = ", ".join(map(str, attribute.data.ravel()[: 1 if attribute.splat else MOST_ELEMENTS].tolist()))
        more = ", …" if not attribute.splat and attribute.data.size > MOST_ELEMENTS else ""
        return f"{some}{more} : {attribute.type}"
    return printable_name(str(attribute))[:LONGEST]


def with_zeros(module: Module) -> Module:
    """The module with zeros for elements that the file does not contain; the same module if it contains all."""
    attributes = (a for op in module.walk() for a in op.attributes.values())
    elided = [a for a in attributes if isinstance(a, ElidedAttr) and None not in a.type.shape]
    if not elided:
        return module
    zeros = {}
    for a in elided:
        zero = np.zeros((), numpy_dtype(a.type.element))
        zeros[a] = DenseAttr(a.type, np.broadcast_to(zero, static_shape(a.type)), True)

    def complete(rewriter: Rewriter, op: Op) -> list[Op]:
        attributes = {k: zeros.get(a, a) if isinstance(a, ElidedAttr) else a for k, a in op.attributes.items()}
        return [rewriter.clone(op, attributes=attributes)]

    return rewrite_functions(module, complete)


def page_text(title: str, graph: PageGraph) -> str:
    """One self-contained HTML page. Texts from files are not trusted: they are data, never HTML."""
    names = "nodes", "scopes", "details", "operands", "lines"
    data = {"title": title, **{name: getattr(graph, name) for name in names}}
    files = {"DAGRE": "dagre.min.js", "LICENSE": "dagre.LICENSE", "SCRIPT": "page.js"}
    parts = {name: (PAGE / file).read_text(encoding="utf-8").strip() for name, file in files.items()}
    return fill((PAGE / "page.html").read_text(encoding="utf-8"), parts | {"DATA": script_json(data)})


def run(options: argparse.Namespace) -> int:
    page = options.output or f"{Path(options.file).stem}.html"
    expect_writable(page, "--output")
    devices = processors_of(options.device)
    if isinstance(devices, tuple) and (options.time or options.vs_xla):
        raise InputError(f"--device {options.device}: --time and --vs-xla need one device; omit them")
    with waiting(f"loading {Path(options.file).name}"), time_limit(options.timeout, unfinished):
        try:
            program = load(Path(options.file), devices, entry=options.entry, ffi=options.ffi)
        except (VerifyError, UnsupportedOp):
            module = read(Path(options.file), "CPU", options.entry).module
            if options.time or options.vs_xla or (complete := with_zeros(module)) is module:
                raise
            text = print_file(complete)
            program = load(text, devices, entry=options.entry, ffi=options.ffi)
    seconds: dict[int, float] = {}
    errors: dict[Op, float] = {}
    if options.time or options.vs_xla:
        arrays = gather_inputs(program.inputs, options)
        with time_limit(options.timeout, unfinished):
            module = program.static_module(arrays)
        if options.time:
            with time_limit(options.timeout + options.seconds):
                seconds = profiling.profile(program, arrays, options.seconds)["ops"]
        if options.vs_xla:
            with check.xla(options.timeout) as reference:
                search = check.Search(limited(check.ours("CPU", options.ffi), options.timeout), reference)
                errors = search.compare_ops(module, program.all_arrays(arrays))
    else:
        shapes = known_shapes(program.inputs, name_arguments(program.inputs, "in"), options.shape)
        with time_limit(options.timeout, unfinished):
            module = program.shaped_module(shapes if options.shape else None)
    with time_limit(options.timeout, unfinished):
        made = page_text(Path(options.file).name, graph_of(module, seconds, errors))
    with written(page) as file:
        file.write(made.encode("utf-8"))
    show(f"the page is {page}")
    return 0
