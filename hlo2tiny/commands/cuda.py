"""`hlo2tiny compile --target cuda`: a program as C for NVIDIA GPUs."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from ..errors import UnsupportedOp
from ..ir import ScalarType, error_at
from ..plan.plan import Fourier
from ..program.arguments import name_arguments
from ..program.options import Options
from ..targets import Progress
from ..targets.arrays import storage_array
from ..targets.c.folder import expect_no_host, files_of
from ..targets.c.interface import CTensor, interface_parts, interface_tables, interface_texts, parameters_of
from ..targets.c.templates import TYPES_TEXT
from ..targets.c.weights import Weights
from ..targets.c.writing import write_files
from ..targets.cuda import source as cuda
from ..targets.cuda.driver import compiler_version
from ..targets.cuda.native import executable_of
from ..targets.cuda.specs import transform_spec
from ..templates import fill
from ..tinygrad.buffers import truth_values
from .derivation import ShapesOf
from .planning import plan_program, read_program


def write_cuda(
    source: Path,
    folder: Path,
    options: Options,
    shapes_of: ShapesOf,
    architectures: Sequence[str],
    embed: bool,
    report: Progress,
) -> list[Path]:
    """Write a program, with its weights, as C that builds a CUDA graph; returns the files written.

    Args:
        architectures: the kinds of GPUs, the oldest one first.
        embed: whether the weights become part of the code.

    Raises:
        InputError: a file cannot be read or written, or a shape is open.
        UnsupportedOp: a step needs Python, or a library that the C does not call.
        NotBuilt: nvrtc is not installed.
        Error: the source is not a program, as for `load`.
    """
    model, calling, arguments = read_program(source, options)
    plan = plan_program(source, model, shapes_of(arguments, name_arguments(arguments, "in"))).plan
    expect_no_host(plan)
    # Later kinds of GPUs run the code, too, and some of them have less memory for blocks.
    oldest = architectures[0].replace("sm_", "compute_")
    executable = executable_of(plan, options.device, oldest, cuda.LIBRARIES, report)
    for _, step in executable.hosts:
        cure = "use hlo2tiny run --device CUDA, or compile for the CPU without --target"
        raise error_at(step.op, f"runs on the host, which a program in C for GPUs cannot do yet; {cure}", UnsupportedOp)
    for each in executable.steps:
        spec = transform_spec(each) if isinstance(each, Fourier) and plan.invariant else None
        if spec is not None and spec.count > 1:
            cure = "use hlo2tiny run --device CUDA, or compile without --batch-invariant"
            message = f"a program in C for GPUs cannot compute one transform after the other yet; {cure}"
            raise error_at(each.op, message, UnsupportedOp)
    inputs, outputs = (
        [CTensor(name or "", type) for name, type in zip(names, types, strict=True)]
        for names, types in ((calling.names, plan.inputs), (model.interface.output_names, plan.outputs))
    )
    arrays = [storage_array(truth_values(array)) for block in plan.blocks() for _, array in block.constants]
    weights, parameters = Weights(arrays), parameters_of(inputs, outputs, plan.donated)
    tables = interface_tables(weights, [(inputs, outputs)], embed)
    booleans = [t.type.element == ScalarType("i1") for t in inputs]
    sizes = [array.nbytes for array in arrays]
    tables.append(cuda.Tables(executable).text(architectures, compiler_version(), booleans, len(outputs), sizes))
    parts = interface_parts(parameters) | {"TYPES": TYPES_TEXT, "TABLES": "\n".join(tables)}
    texts = interface_texts(
        parameters, inputs, outputs, plan.donated, cuda.template("about.h"), cuda.template("more.h")
    )
    texts["model.c"] = fill(cuda.template("model.c"), parts)
    texts["kernels.c"] = cuda.kernels_text(executable, architectures)
    texts["Makefile"] = cuda.template("Makefile")
    return write_files(folder, files_of(texts, weights))
