"""`hlo2tiny compile`: a program as C, as a library, or for browsers."""

from __future__ import annotations

import argparse
import shlex
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import partial
from pathlib import Path

from ..errors import InputError, UnsupportedOp, printable_name
from ..ir.sizes import Condition, is_open, largest
from ..machine.compiler import clang
from ..plan.plan import Plan
from ..program import Program
from ..program.arguments import name_arguments
from ..program.options import options_of
from ..program.sizes import memory_of, named_dimensions
from ..specialise.dynamic import Checked
from ..targets import NotBuilt
from ..targets.c.folder import expect_no_host, folder_files, program_text
from ..targets.c.interface import CTensor
from ..targets.c.linked import link_options
from ..targets.c.linking import check_syntax
from ..targets.c.native import render_plans
from ..targets.c.source import CSource
from ..targets.c.specialised import Specialised
from ..targets.c.systems import (
    CUDA,
    WEB,
    compiled_files,
    emitted_kinds,
    expect_addressable,
    expect_supported,
    is_bare,
    largest_number,
)
from ..targets.c.writing import expect_free, write_files
from .convert import embed_weights
from .sizes import Choices, named_arguments, needing_sizes, only_shapes, open_choices, plan_choices, read_most
from .terminal import show, show_sizes, waiting

# A program written as C has memory for this many threads.
THREADS = 16


def run(options: argparse.Namespace) -> int:
    kinds = emitted_kinds(options.target, options.emit)
    folder = Path(options.output)
    expect_free(folder, ["program.json" if options.target == WEB else "model.h"])
    if options.arch is not None and options.target != CUDA:
        raise InputError(f"--arch is for --target {CUDA}")
    if options.batch_invariant and (options.target == WEB or is_bare(options.target)):
        raise InputError(f"--batch-invariant: expected a target for the CPU, or {CUDA}, not {options.target}")
    if options.most and (options.target == CUDA or is_bare(options.target)):
        name = printable_name(options.most[0].partition("=")[0])
        raise InputError(f"--most {name}: {options.target} takes one size for each dimension; use --shape {name}=SIZE")
    if options.target == WEB:
        return compile_for_web(options, folder)
    if options.target == CUDA:
        return compile_for_cuda(options, folder)
    if is_bare(options.target):
        from .bare import compile_bare

        return compile_bare(options, folder, kinds)
    with waiting(f"reading {Path(options.file).name}"):
        artifact = embed_weights(Path(options.file), options.entry)
    with waiting("planning"):
        program = Program(artifact.module, "CPU", ffi=options.ffi, batch_invariant=options.batch_invariant)
        inputs, outputs = named_arguments(program, artifact.signature)
        names = name_arguments(inputs, "in")
        choices = open_choices(inputs, names, options.shape, most := read_most(options.most))
        plans, constraints = plan_choices(choices, partial(plan_of, program))
        if choices.is_open:
            expect_computable(plans[-1], choices, largest_number(options.target))
    handlers = program.handlers
    if handlers and options.target != "native" and kinds != ("c",):
        raise InputError(f"--ffi: the libraries are this machine's; use --emit c, and link the C on {options.target}")
    for plan in plans:
        expect_no_host(plan, handlers)
        expect_supported(options.target, plan, kinds)
    with waiting("rendering") as report, needing_sizes(choices):
        sources, arrays = render_plans(plans, report, THREADS, handlers)
    if kinds == ("c",):
        with waiting("checking"):
            expect_valid(sources[0])
    programs, is_bounded = [], {*choices.names} == {*most}
    for sizes, plan, source in zip(choices.sizes, plans, sources, strict=True):
        dimensions = [*map(named_dimensions, inputs, names), *(a.dimensions for a in outputs)]
        named = zip((*inputs, *outputs), (*plan.inputs, *plan.outputs), dimensions, strict=True)
        tensors = [CTensor(a.name, type, tuple(dims)) for a, type, dims in named]
        made = Specialised(sizes, plan, source, tensors[: len(inputs)], tensors[len(inputs) :])
        memory = source.arena + sum(t.size for t in tensors)
        if is_open(memory):
            memory = largest(memory) if is_bounded else 0
        programs.append(made)
        expect_addressable(options.target, memory + sum(array.nbytes for array in arrays))
    if choices.is_open:
        programs[-1] = replace(made, checks=[*checks_of(choices, constraints)], is_bounded=is_bounded)
    with needing_sizes(choices):
        files = folder_files(programs, choices.names, arrays, options.embed, handlers)
    with waiting(f"compiling for {options.target}"):
        written = compiled_files(
            options.target, kinds, files, options.embed, link_options(handlers) if handlers else ()
        )
    show_sizes(write_files(folder, written))
    if "c" in kinds and options.target == "native":
        show_use(options)
    return 0


def plan_of(program: Program, shapes: Sequence[tuple[int, ...]], checks: list[Checked]) -> Plan:
    if any(is_open(size) for shape in shapes for size in shape):
        return program.open_plan(shapes, checks)
    return program.plan_for(shapes)


def expect_computable(plan: Plan, choices: Choices, most: int) -> None:
    """Refuse sizes that are open so far that a run's memory could have more bytes than C can count."""
    if (memory := largest(memory_of(plan))) >= most:
        bounds = " ".join(f"--most {printable_name(name)}=SIZE" for name in choices.names)
        raise InputError(f"sizes as large as allowed would take {memory:.0e} bytes; bound them with {bounds}")


def checks_of(choices: Choices, constraints: Sequence[tuple[Sequence[Condition], str]]) -> Iterator[tuple[str, str]]:
    """The constraints on open sizes, as conditions in C with messages; `constraints` is as in `plan_choices`."""
    for i, (name, size) in enumerate(zip(choices.names, choices.sizes[-1])):
        most = largest(size)
        yield f"sizes[{i}] >= 1 && sizes[{i}] <= {most}", f"{name} has to be from 1 to {most}"
    yield from ((" || ".join(map(str, conditions)), message) for conditions, message in constraints)


def compile_for_web(options: argparse.Namespace, folder: Path) -> int:
    if options.ffi:
        raise InputError("--ffi: a page cannot call compiled handlers; compile the program in C")
    if options.embed:
        raise InputError("--embed: a page reads the weights from a file, so that it can show how much has arrived")
    from .web import Opening, write_web  # its targets take a while to import

    with waiting("compiling for web") as report:
        opening = Opening(options.shape, read_most(options.most))
        files = write_web(Path(options.file), folder, options.entry, report, opening)
    show_sizes(files)
    show(f"to view it: python -m http.server -d {shlex.quote(options.output)}, then http://localhost:8000")
    return 0


def compile_for_cuda(options: argparse.Namespace, folder: Path) -> int:
    from ..targets.cuda.source import expect_architectures
    from .cuda import write_cuda

    if options.ffi:
        raise InputError("--ffi: a program in C for GPUs calls no handlers yet; use hlo2tiny run --device CUDA")
    try:
        architectures = expect_architectures(options.arch)
        with waiting("compiling for cuda") as report:
            shapes_of = partial(only_shapes, items=options.shape)
            how = options_of(
                "CUDA", options.entry, precision=options.precision, batch_invariant=options.batch_invariant
            )
            files = write_cuda(Path(options.file), folder, how, shapes_of, architectures, options.embed, report)
    except NotBuilt as error:
        raise InputError(str(error)) from error
    show_sizes(files)
    show_use(options)
    return 0


def show_use(options: argparse.Namespace) -> None:
    show(f"build and run it: make -C {shlex.quote(options.output)} && {shlex.quote(options.output)}/model --help")


def expect_valid(source: CSource) -> None:
    """Check that a program's C compiles, if there is a compiler; raises UnsupportedOp if the compiler rejects it."""
    with suppress(InputError):
        clang()
        try:
            check_syntax(program_text(source))
        except NotBuilt as error:
            reason = str(error).partition("\n")[0]
            raise UnsupportedOp(f"the C of this program does not compile, a bug in hlo2tiny: {reason}") from error
