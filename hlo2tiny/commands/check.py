"""`hlo2tiny check`: a program's results beside those of a reference."""

from __future__ import annotations

import argparse
import warnings
from contextlib import ExitStack

from ..errors import InputError, NoNativeCode, printable_name
from ..program import Program
from ..program.arguments import name_arguments
from ..timeout import limited, time_limit, unfinished
from .checking import Search, compare, half_of_the_digits, largest, ours, tinygrad, xla
from .inputs import devices_of, gather_inputs, load_with_progress, read_inputs
from .terminal import show, waiting


def run(options: argparse.Namespace) -> int:
    """Compare a program's results with a reference; the exit code is 0 if they agree."""
    if options.tolerance is not None and not options.tolerance >= 0:
        raise InputError(f"--tolerance {options.tolerance}: expected a number of units in the last place, 0 or more")
    warnings.simplefilter("error", NoNativeCode)

    devices = devices_of(options.device)
    program = load_with_progress(options.file, options, devices)
    pairs = read_inputs(options)
    recorded = {name: array for name, array in pairs if is_result(name, program)}
    pairs = [(name, array) for name, array in pairs if name not in recorded]
    if isinstance(devices, tuple) and (options.vs_xla or options.bisect or not recorded):
        raise InputError(
            "a program for several devices is compared with recorded results only: --input FILE.npz with out0, out1, …"
        )
    inputs = gather_inputs(program.inputs, options, pairs)
    with time_limit(options.timeout, unfinished):
        module, arrays = program.static_module(inputs), program.all_arrays(inputs)
    names = name_arguments(program.outputs, "out")
    with ExitStack() as stack:
        reference = limited(tinygrad(program.custom_calls), options.timeout)
        if options.vs_xla:
            reference = stack.enter_context(xla(options.timeout))
        title = "XLA" if options.vs_xla else "tinygrad's own kernels"
        if recorded and not options.vs_xla:
            title = "the recorded results"
            keys = [name if name in recorded else f"out{i}" for i, name in enumerate(names)]
            if not set(keys) <= set(recorded):
                raise InputError(
                    f"the files have the results {', '.join(recorded)}, the program has {', '.join(names)}"
                )
            expected = [recorded[key] for key in keys]
        else:
            with waiting(f"running {title}"):
                expected = list(reference(module, arrays))
        show(f"compared with {title}:")
        agree = True
        results = limited(program.numpy_one_by_one, options.timeout)(inputs)
        for name, found, wanted in zip(map(printable_name, names), results, expected):
            layout = f"{found.dtype}{list(found.shape)}"
            if (found.dtype, found.shape) != (wanted.dtype, wanted.shape):
                agree = False
                show(f"{name}: {layout}, expected {wanted.dtype}{list(wanted.shape)}")
                continue
            allowed = half_of_the_digits(found.dtype) if options.tolerance is None else options.tolerance
            difference = compare(found, wanted, allowed, largest(wanted))
            agree = agree and not difference.beyond
            show(f"{name}: {layout} differs by {difference}")
        if options.bisect:
            search = Search(limited(ours(options.device, options.ffi), options.timeout), reference, options.tolerance)
            with waiting("comparing op by op"):
                first = search.first(module, arrays)
            show("no op differs" if first is None else str(first))
            agree = agree and first is None
    return int(not agree)


def is_result(name: str, program: Program) -> bool:
    """Whether an array of this name is a recorded result rather than an input."""
    results = {*name_arguments(program.outputs, "out"), *(f"out{i}" for i in range(len(program.outputs)))}
    return name in results and name not in name_arguments(program.inputs, "in")
