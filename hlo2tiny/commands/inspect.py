"""`hlo2tiny inspect`: what is in a file."""

from __future__ import annotations

import argparse
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from ..cost import CostRow, ProgramCost
from ..errors import InputError, count_text, printable_name
from ..formats import read
from ..ir import DenseAttr, Module, TensorType, TokenType, Type
from ..ir.dtypes import numpy_dtype, static_shape
from ..ir.entry import HOW, default_entry, entry_function, public_functions
from ..plan.text import plan_text
from ..program import Program, load
from ..program.arguments import argument_of, name_arguments
from ..program.calling import calling_of
from ..program.custom_calls import custom_calls
from ..program.ffi import handlers_given
from ..program.handlers import with_handlers
from ..program.interface import result_names
from ..specialise.specialise import computes_shapes, specialise
from ..targets import targets_of, thread_count
from ..targets.c.native import render_plan
from ..targets.c.render import render_region
from ..tinygrad.settings import lowering_settings
from ..verify.asynchronous import with_collectives
from ..verify.carried import with_regions
from ..verify.problems import find_problems, type_problem
from .convert import tensor_names
from .inputs import known_shapes, processors_of
from .terminal import one_line, show, show_list, waiting


def run(options: argparse.Namespace) -> int:
    devices = processors_of(options.device)
    several = devices if isinstance(devices, tuple) else ()
    with waiting(f"reading {Path(options.file).name}"):
        path = Path(options.file)
        artifact = read(path, "CPU", options.entry if path.is_dir() else None)
        public = public_functions(artifact.module)
        if options.entry is not None:
            artifact = read(path, "CPU", options.entry)
    if len(public) > 1:
        show_list("functions:", [f"@{function.name}{function.type}" for function in public])
        if options.entry is None and default_entry(artifact.module) is None:
            raise InputError(f"{options.file}: it is not clear which of these functions to call: {HOW}")
    module, signature = artifact.module, artifact.signature
    entry = entry_function(module)
    inputs = describe_tensors(tensor_names(artifact), entry.type.inputs, signature.dimensions)
    outputs = describe_tensors(result_names(entry), entry.type.results, signature.output_dimensions)
    passed = [text for i, text in enumerate(inputs) if i not in signature.bound]
    if several:
        program = load(path, several, entry=options.entry, ffi=options.ffi)
        passed, outputs = list(map(str, program.inputs)), list(map(str, program.outputs))
    show_list("inputs:", [f"{number} {text}" for number, text in enumerate(passed)])
    if signature.bound:
        weights = [f"{inputs[i]}, in {printable_name(stored.path)}" for i, stored in signature.bound.items()]
        show_list("weights:", weights)
    show_list("outputs:", [f"{number} {text}" for number, text in enumerate(outputs)])
    if signature.inputs is not None:
        show(f"call: {calling_of(signature, tensor_names(artifact), len(outputs))}")
    counts = Counter(op.name for op in module.walk())
    show(f"ops: {sum(counts.values())} in {count_text(len(module.functions), 'function')}")
    for name, count in counts.most_common():
        show(f"  {count:6d} {printable_name(name)}")
    show(f"constants: {constant_bytes(module)} bytes")
    functions = with_handlers(custom_calls(), module, handlers_given(options.ffi), "CPU")
    problems = [] if several else find_problems(with_collectives(with_regions(module)), functions)
    for problem in problems:
        show(problem)
    if problems:
        show(f"the program cannot run: {count_text(len(problems), 'problem')}")
        return 1
    show("every op has a rule")
    if not several and (options.cost or options.plan):
        program = Program(module, "CPU", ffi=options.ffi)
    if options.cost:
        shapes = known_shapes(program.inputs, name_arguments(program.inputs, "in"), options.shape)
        show(cost_text(program.cost(shapes if options.shape else None)))
    if options.plan:
        module = program.module
        entry = entry_function(module)
        if not computes_shapes(module):
            show(describe_plan(module, entry.name, several))
        elif any(isinstance(t, TensorType) and None in t.shape for t in entry.type.inputs):
            show("the plan depends on the arguments' shapes, which the file leaves open")
        else:
            show(describe_plan(specialise(module, entry.name, entry.type.inputs), entry.name))
    return 0


def describe_tensors(names: Sequence[str], types: Sequence[Type], dimensions: Sequence[Sequence[str]]) -> list[str]:
    """Arguments or results, except for tokens, as text."""
    kinds = [kind for kind in types if not isinstance(kind, TokenType)]
    known = dimensions if len(dimensions) == len(kinds) else [()] * len(kinds)
    return [
        str(argument_of(name, kind, sizes))
        if isinstance(kind, TensorType) and not type_problem(kind)
        else f"{printable_name(name)}: {kind}"
        for name, kind, sizes in zip(names, kinds, known)
    ]


def describe_plan(module: Module, entry: str, devices: tuple[str, ...] = ()) -> str:
    """The text of the plan for the CPU, with its kernels and the size of its arena."""
    with lowering_settings("CPU"):
        plan = targets_of("CPU")[0].plan(module, entry, devices=devices)
    with waiting("rendering kernels") as progress:
        source = render_plan(plan, progress, thread_count())
    kernels = {step.key: render_region(step).names for step in plan.kernels()}
    return f"{plan_text(plan, kernels)}\narena: {source.arena:,} bytes"


def constant_bytes(module: Module) -> int:
    """How many bytes the constants of a module take; a splat counts as one element."""
    total = 0
    for op in module.walk():
        value = op.attributes.get("value")
        if isinstance(value, DenseAttr):
            size = 1 if value.splat else int(np.prod(static_shape(value.type)))
            total += size * numpy_dtype(value.type.element).itemsize
    return total


LEAST_SHARE = 1000  # scopes with less than this part of the operations and of the bytes are left out
MOST_ROWS = 40
PREFIXES = ("", "k", "M", "G", "T", "P", "E", "Z", "Y", "R", "Q")  # 10**3, 10**6, …
HEADINGS = f"{'flops':>10}{'bytes':>10}{'flops/B':>9}{'memory':>10}{'iterations':>12}  "


def cost_text(cost: ProgramCost) -> str:
    """The totals, the scopes as a tree, and the ops that take most."""
    total = f"{amount(cost.flops)}flop, {amount(cost.bytes)}B read and written, {ratio(cost)} flop per byte"
    lines = [f"a call: {total}, {amount(cost.peak_memory)}B of memory at its peak"]
    if cost.open_loops:
        lines.append(f"{count_text(cost.open_loops, 'loop')} of unknown trip count: one iteration is counted")
    for name, count in sorted(cost.uncounted.items()):
        lines.append(f"ops whose operations are unknown and not counted: {count} {printable_name(name)}")
    scopes = [row for row in cost.scopes if is_large(row, cost)]
    lines += [f"{HEADINGS}scope", *(row_text(row, row.name, len(row.scope)) for row in scopes)]
    if len(scopes) < len(cost.scopes):
        lines.append(f"{'':47}  {count_text(len(cost.scopes) - len(scopes), 'smaller scope')}")
    ops = sorted(cost.ops, key=lambda row: (-row.flops, -row.bytes))
    lines += [f"{HEADINGS}op", *(row_text(row, f"{row.name}  {row.place}") for row in ops[:MOST_ROWS])]
    if len(ops) > MOST_ROWS:
        rest = ops[MOST_ROWS:]
        flops, moved = (amount(sum(getattr(row, name) for row in rest)) for name in ("flops", "bytes"))
        lines.append(f"{flops:>10}{moved:>10}{'':27}  {len(rest)} more")
    return "\n".join(lines)


def is_large(row: CostRow, cost: ProgramCost) -> bool:
    return row.flops * LEAST_SHARE >= cost.flops > 0 or row.bytes * LEAST_SHARE >= cost.bytes > 0


def row_text(row: CostRow, name: str, depth: int = 0) -> str:
    cells = f"{amount(row.flops):>10}{amount(row.bytes):>10}{ratio(row):>9}{amount(row.peak_memory):>10}"
    return f"{cells}{amount(row.iterations).strip():>12}  {'  ' * depth}{one_line(name)}".rstrip()


def ratio(row: CostRow | ProgramCost) -> str:
    return f"{row.intensity:.2f}" if row.bytes else ""


def amount(number: int) -> str:
    """A number with a prefix such as M: 12.3 M. Calls of calls may double it endlessly."""
    if number >= 10**36:
        return "over 1e36 "
    power = min((len(str(number)) - 1) // 3, len(PREFIXES) - 1)
    value = number / 1000**power
    return f"{number} " if not power else f"{value:.{2 if value < 10 else 1 if value < 100 else 0}f} {PREFIXES[power]}"
