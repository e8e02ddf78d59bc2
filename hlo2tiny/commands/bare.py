"""`hlo2tiny compile --target bare-arm`: a program for processors without an operating system."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from ..errors import InputError
from ..ir import Module, Op, Value
from ..ir.entry import entry_function
from ..plan import build
from ..program import Program
from ..program.arguments import name_arguments
from ..program.interface import donors_of
from ..rules.registry import is_quantized
from ..specialise.integers import compute_in_integers
from ..targets.c.bare import expect_no_library, float_ops, folder_files, library_files, render_plan
from ..targets.c.interface import CTensor
from ..targets.c.native import constants
from ..targets.c.systems import SYSTEMS, expect_addressable, expect_supported
from ..targets.c.writing import write_files
from .check import module_of, place
from .convert import embed_weights
from .sizes import named_arguments, only_shapes
from .terminal import show, show_sizes, waiting


def compile_bare(options: argparse.Namespace, folder: Path, kinds: Sequence[str]) -> int:
    if options.ffi:
        raise InputError(f"--ffi: {options.target} cannot call compiled handlers; compile the program for native")
    with waiting(f"reading {Path(options.file).name}"):
        artifact = embed_weights(Path(options.file), options.entry)
    with waiting("planning"):
        program = Program(artifact.module, "CPU")
        named, _ = named_arguments(program, artifact.signature)
        shapes = only_shapes(named, name_arguments(named, "in"), options.shape)
        module = in_integers(program.shaped_module(shapes))
        function = entry_function(module)
        plan = build(module, function.name, donors=donors_of(function), dimensions=True, lanes=1)
    expect_no_library(plan, options.target)
    expect_supported(options.target, plan, kinds)
    with waiting("rendering"):
        source = render_plan(plan)
    inputs = [CTensor(a.name, type) for a, type in zip(program.inputs, plan.inputs)]
    outputs = [CTensor(a.name, type) for a, type in zip(program.outputs, plan.outputs)]
    arrays = constants(plan)
    memory = source.arena + sum(t.size for t in (*inputs, *outputs)) + sum(array.nbytes for array in arrays)
    expect_addressable(options.target, memory)
    system = SYSTEMS[options.target]
    files, said = folder_files(plan, source, arrays, inputs, outputs, system), ""
    if "library" in kinds:
        with waiting(f"compiling for {options.target}"):
            made, said = library_files(files, system)
        files = {**{n: parts for n, parts in files.items() if "c" in kinds or n == "model.h"}, **made}
    show_sizes(write_files(folder, files))
    for op in float_ops(plan):
        if any(map(is_quantized, op.operands)):
            cure = "for integers alone, use numbers of 8 bits with one scale, or other ops"
            show(f"{place(op)}: floats compute {op.name} of quantized numbers; {cure}")
    show(said or f"static memory: {source.arena:,} bytes; constants: {sum(array.nbytes for array in arrays):,} bytes")
    return 0


def in_integers(module: Module) -> Module:
    """A module whose quantized numbers are computed as integers; tables have the numbers of this machine."""

    def evaluate(
        arguments: Sequence[Value], ops: Sequence[Op], results: Sequence[Value], arrays: Sequence[np.ndarray]
    ) -> Sequence[np.ndarray]:
        return Program(module_of(module, arguments, ops, results), "CPU").numpy_one_by_one(arrays)

    return compute_in_integers(module, evaluate)
