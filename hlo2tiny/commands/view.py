"""`hlo2tiny view`: a program as a page that draws it."""

from __future__ import annotations

import argparse
from pathlib import Path

from ..errors import InputError, UnsupportedOp, VerifyError
from ..formats import read
from ..ir import Op
from ..output import expect_writable, written
from ..program import load
from ..program.arguments import name_arguments
from ..timeout import limited, time_limit, unfinished
from . import checking, profiling
from .inputs import gather_inputs, known_shapes, processors_of
from .terminal import show, waiting
from .viewing import graph_of, page_text, with_zeros


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
            text = str(complete).encode("utf-8", "surrogateescape")
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
            with checking.xla(options.timeout) as reference:
                search = checking.Search(limited(checking.ours("CPU", options.ffi), options.timeout), reference)
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
