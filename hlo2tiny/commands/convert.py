"""`hlo2tiny convert`: a program of any format as text."""

from __future__ import annotations

import argparse
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from ..errors import InputError, printable_name
from ..program.arguments import name_arguments
from .conversion import convert, unlike
from .derivation import request_of
from .inputs import gather_inputs, known_shapes, load_with_progress
from .terminal import show, show_sizes, waiting


def run(options: argparse.Namespace) -> int:
    if options.text.endswith(".safetensors"):
        raise InputError(f"{options.text}: expected the name of the text to write, OUT.mlir")
    if options.quantize is None and options.group is not None:
        raise InputError("--group needs --quantize")
    request = request_of(options)
    bake, quantize = options.bake or False, options.quantize
    if quantize is not None:
        options.weights = bake if isinstance(bake, str) else None
        program = load_with_progress(options.file, options, "CPU")
        inputs = gather_inputs(program.inputs, options)
        expected = program.numpy_one_by_one(inputs)
    with waiting(f"converting {Path(options.file).name}"):
        how = {"split": options.split, "entry": options.entry, "quantize": quantize, "group": options.group}
        how |= {"request": request, "shapes_of": partial(known_shapes, sizes=options.shape)}
        files = convert(Path(options.file), Path(options.text), bake=bake, **how)
    show_sizes(files)
    if quantize is not None:
        options.weights = options.entry = None
        found = load_with_progress(options.text, options, "CPU").numpy_one_by_one(inputs)
        for name, a, b in zip(unlike(name_arguments(program.outputs, "out")), found, expected):
            show(f"{printable_name(name)}: {error_text(a, b)}")
    return 0


def error_text(found: np.ndarray, expected: np.ndarray) -> str:
    """The largest and the mean difference of two arrays, and the largest number."""
    if not expected.size:
        return "empty"
    wide: Any = np.complex128 if expected.dtype.kind == "c" else np.float64
    a, b = found.astype(wide), expected.astype(wide)
    with np.errstate(all="ignore"):
        errors = np.where(a == b, 0, np.abs(a - b))
    return f"largest error {errors.max():.3g}, mean error {errors.mean():.3g}, of numbers up to {np.abs(b).max():.3g}"
